"""Settings of NVUE that are understood and have no effect here: of profiles not in force anywhere, and of what is off.

A setting that says what holds anyway is not one of them: it is in force.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.switch import Idle
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.reading.forwarding import find_turned_on
from rocecfg.vendors.spectrum.reading.implied import MULTI_TC
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig
from rocecfg.vendors.spectrum.reading.nodes import Node, format_setting, walk_leaves
from rocecfg.vendors.spectrum.reading.ports import read_watchdog_state
from rocecfg.vendors.spectrum.reading.schema_qos import GLOBAL
from rocecfg.vendors.spectrum.settings import PROFILED, TRIMMING
from rocecfg.vendors.table import Path

_UNTRUSTED = {"l3": ("pcp",), "l2": ("dscp",), "port": ("pcp", "dscp")}
_ABSOLUTE = ("min-threshold", "max-threshold")
_RELATIVE = ("min-threshold-percent", "max-threshold-percent")
_CURVE = (*_ABSOLUTE, "probability", *_RELATIVE)
_UNWRITTEN = {"l2": ("dscp",), "l3": ("pcp",), None: ("dscp", "pcp")}  # what of a mark is not written then


def find_idle_settings(known: ResolvedConfig) -> Iterator[Idle]:
    """The settings."""
    tree = known.qos.tree
    for kind in PROFILED:
        used = {place.in_force(kind) for place in known.places}
        for name, node in tree.items(kind):
            unbound = bool(known.places) and name not in used
            for path, leaf in walk_leaves(node):
                if path and (unbound or _is_unused(kind, path, node, known, name)):
                    yield Idle(leaf.at, format_setting(("qos", kind, name, *path), leaf))
    if known.places and not any(on.value for place in known.places if (on := read_watchdog_state(place)) is not None):
        yield from _mark_idle(tree.get("pfc-watchdog"), ("qos", "pfc-watchdog"))
    for names, node in known.interfaces:
        for kind in PROFILED:
            bound = node.val("qos", kind, "profile")
            if bound is not None and bound.value != GLOBAL and known.qos.profile(kind, bound.value) is None:
                path = ("qos", kind, "profile")
                yield Idle(bound.at, f"{' '.join(path)} {bound.value}", names)
    whole = known.stated.tree
    trims = find_turned_on(whole) is not None or known.basis.mode == MULTI_TC
    if not trims:
        yield from _mark_idle(whole.get(*TRIMMING), TRIMMING, but="state")
    for names, node in known.interfaces:
        if not trims:
            yield from _mark_idle(node.get("packet-trim"), ("packet-trim",), ports=names)
        if _is_split(names[0], node):
            yield from _mark_idle(node.get("link"), ("link",), but="breakout", ports=names)


def _mark_idle(node: Node | None, at: Path, *, but: str = "", ports: tuple[str, ...] = ()) -> Iterator[Idle]:
    """All that stands below a path, but for one key."""
    for path, leaf in walk_leaves(node) if node is not None else ():
        if path and path[0] != but:
            yield Idle(leaf.at, format_setting((*at, *path), leaf), ports)


def _is_split(name: str, node: Node) -> bool:
    """Whether a port is broken out: its parts are the ports then."""
    port = parse_port(name)
    modes = node.items("link", "breakout")
    return port is not None and port.lane < 0 and any(mode not in ("disabled", "loopback", "1x") for mode, _ in modes)


def _is_unused(kind: str, path: Path, node: Node, known: ResolvedConfig, name: str) -> bool:
    """Whether what stands at a path of a profile in force has no effect."""
    if kind == "pfc":
        return not known.qos.pfc(name).priorities
    if kind == "mapping":
        trust = known.qos.mapping(name).trust
        return trust is not None and path[0] in _UNTRUSTED.get(trust.value, ())
    if kind == "remark":
        rewrite = node.val("rewrite")
        return path[-1] in _UNWRITTEN.get(rewrite.value if rewrite is not None else None, ())
    of = node.get(*path[:2]) or node  # a traffic class
    if kind == "congestion-control":
        return path[-1] in _list_unused_curve_keys(of)
    mode = of.val("mode")
    return kind == "egress-scheduler" and path[-1] == "bw-percent" and mode is not None and mode.value == "strict"


def _list_unused_curve_keys(of: Node) -> tuple[str, ...]:
    """What of a traffic class's curve nothing goes by."""
    ecn, red, mode = (of.val(key) for key in ("ecn", "red", "mode"))
    if ecn is not None and ecn.value == "disable" and (red is None or red.value == "disable"):
        return (*_CURVE, "mode")
    return _ABSOLUTE if mode is not None and mode.value == "relative" else _RELATIVE
