"""The two ends of each link, before and after: where a lossless priority moves, both must change together.

A code point that both ends pause by one priority before, and by another one after, is dropped in between if only one
end has changed: what one pauses the other goes on sending. Where PFC only comes or only goes, a link that is half done
is as lossy as it was before, or as it will be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rocecfg.analysis.ports import Port, list_wires
from rocecfg.core.records import NamedTuple
from rocecfg.drift.run import Compared
from rocecfg.model import Fabric
from rocecfg.model.switch import Switch
from rocecfg.model.values import Way, of_device
from rocecfg.rollout.device import find_pfc_moves, index_pfc_priorities

_Codes = Mapping[int, int]  # code point -> the PFC priority that pauses it, where the switch has one


class _Side(NamedTuple):
    """A switch before or after."""

    ports: Mapping[str, tuple[int, ...]]
    codes: _Codes


class ChangingLinks(NamedTuple):
    """Links between two devices that change."""

    together: tuple[tuple[Port, Port], ...]  # a lossless priority moves: both ends in one stage
    hosts: dict[str, tuple[str, ...]]  # by device: the hosts at ports whose lossless priority moves, theirs with it
    moving: frozenset[str]  # devices with a port whose lossless priority moves
    apart: tuple[tuple[Port, Port], ...]  # PFC comes or goes at both ends: they may differ for a while


def find_changing_links(fabric: Fabric, differing: Iterable[Compared]) -> ChangingLinks:
    """The links whose PFC changes at both ends."""
    sides = {one.name: _read_sides(one) for one in differing}
    moved = {name: _find_moved_ports(*found) for name, found in sides.items()}
    changing = {name for name, (before, after) in sides.items() if before != after}
    together: list[tuple[Port, Port]] = []
    apart: list[tuple[Port, Port]] = []
    hosts: dict[str, dict[str, None]] = {}
    switches = {name for device in fabric.devices for name in device.names}
    seen: set[frozenset[Port]] = set()
    for wire in list_wires(fabric.links) if changing else ():
        a, b = wire[:2], wire[2:4]
        for here, far in ((a, b), (b, a)):
            if here[1] in moved.get(here[0], ()) and far[0] not in switches:
                hosts.setdefault(here[0], {})[far[0]] = None
        if a[0] not in changing or b[0] not in changing or a[0] == b[0] or frozenset((a, b)) in seen:
            continue
        seen.add(frozenset((a, b)))
        if _has_moving_priority(sides, a, b):
            together.append((a, b))
        elif all(_get_priorities(sides[end[0]][0], end) != _get_priorities(sides[end[0]][1], end) for end in (a, b)):
            apart.append((a, b))
    return ChangingLinks(
        tuple(together),
        {name: tuple(found) for name, found in hosts.items()},
        frozenset(name for name, ports in moved.items() if ports),
        tuple(apart),
    )


def _find_moved_ports(before: _Side, after: _Side) -> frozenset[str]:
    """The ports on which something stays lossless by another priority."""
    codes = any(after.codes.get(code, priority) != priority for code, priority in before.codes.items())
    return frozenset(
        port
        for port, then in after.ports.items()
        if (now := set(before.ports.get(port, ()))) and then and (codes or (now - set(then) and set(then) - now))
    )


def _read_sides(one: Compared) -> tuple[_Side, _Side]:
    moved = find_pfc_moves(one)
    changing = any(w.topic in ("dscp", "trust") for w in one.wanted.get(None, ()))
    before = _find_paused_codes(one.found.switch)
    return _Side(moved.before, before), _Side(moved.after, _find_paused_codes(one.meant.switch) if changing else before)


def _find_paused_codes(switch: Switch) -> dict[int, int]:
    paused = {p for found in index_pfc_priorities(switch).values() for p in found}
    ways = ((what.number, fact.value) for what, fact in of_device(switch).items() if what.topic == "dscp")
    return {
        code: way.priority
        for code, way in ways
        if code is not None and isinstance(way, Way) and way.priority is not None and way.priority in paused
    }


def _get_priorities(side: _Side, end: Port) -> tuple[int, ...]:
    return side.ports.get(end[1], ())


def _has_moving_priority(sides: Mapping[str, tuple[_Side, _Side]], a: Port, b: Port) -> bool:
    """Whether something is lossless across a link before and after, by different priorities."""
    before, was = _find_shared(sides, a, b, 0)
    after, will = _find_shared(sides, a, b, 1)
    if any(code in will and will[code] != priority for code, priority in was.items()):
        return True
    return bool(before - after) and bool(after - before)


def _find_shared(
    sides: Mapping[str, tuple[_Side, _Side]], a: Port, b: Port, when: int
) -> tuple[set[int], dict[int, int]]:
    """The priorities that both ends pause, and the code points that both sort into one of them."""
    one, other = sides[a[0]][when], sides[b[0]][when]
    shared = set(_get_priorities(one, a)) & set(_get_priorities(other, b))
    codes = {c: p for c, p in one.codes.items() if p in shared and other.codes.get(c) == p}
    return shared, codes
