"""Graphs made by hand: switches, the cables between them, and hosts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rocecfg.analysis.bundles import LinkGroup
from rocecfg.analysis.graph import SHIFT, Bundle, Graph
from rocecfg.analysis.ports import PortEnd
from rocecfg.analysis.routes import Turn
from rocecfg.model import Device, Link, PortGroup, QosMaps

_MAPS = QosMaps((None,) * 64, *((None,) * 8,) * 4)
NOWHERE = Link("", "", "", "", None, 0, 0, 0, 0, 0, 0, 0)


def wired(
    names: Sequence[str],
    edges: Iterable[tuple[int, int]],
    hosts: Mapping[int, int] | None = None,
    pfc: tuple[int, ...] = (3,),
) -> Graph:
    """A graph of switches, cables between two of them by number, and so many hosts on some of them."""
    port = PortGroup(("Ethernet0",), "Ethernet0", ("rdma",), pfc)
    end = PortEnd(Device(("leaf1",), "leaf1", None, "leaf", (), _MAPS, (port,)), port)
    out = Graph()
    out.names = list(names)
    out.switches = len(names)
    out.near = [[] for _ in names]
    for a, b in sorted({(min(e), max(e)) for e in edges}):
        _join(out, a, b, end)
    for switch, count in sorted((hosts or {}).items()):
        for n in range(count):
            out.names.append(f"host{switch}-{n}")
            out.near.append([])
            _join(out, switch, len(out.names) - 1, end)
    out.numbers = {name: n for n, name in enumerate(out.names)}
    out.joined = [[m for m in near if m < out.switches] for near in out.near[: out.switches]]
    return out


def _join(out: Graph, a: int, b: int, end: PortEnd) -> None:
    group = LinkGroup((f"{a}", f"to{b}", f"{b}", f"to{a}", NOWHERE), end, end if b < out.switches else None)
    out.bundles[a << SHIFT | b] = Bundle(a, b, group, {400_000_000_000: 1})
    out.near[a].append(b)
    out.near[b].append(a)


def is_circle(hops: Sequence[tuple[int, int, int]], turns: Iterable[Turn]) -> bool:
    """Whether each link of a circle leads to the next one by a turn that packets take, the last one to the first."""
    taken = set(turns)
    following = [*hops[1:], *hops[:1]]
    return bool(hops) and all(
        v == v2 and (u, v, w, p, q) in taken for (u, v, p), (v2, w, q) in zip(hops, following, strict=True)
    )
