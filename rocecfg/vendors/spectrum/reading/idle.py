"""Settings of NVUE that are understood and have no effect here: of profiles in force nowhere, and of what is off.

A setting that says what holds anyway is none of them: it is in force.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.switch import Idle
from rocecfg.vendors.spectrum.domain import PROFILED
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.reading.implied import MULTI_TC
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.ports import read_watchdog_state
from rocecfg.vendors.spectrum.reading.trimming import PATH, find_turned_on
from rocecfg.vendors.spectrum.reading.unread import format_setting, walk_leaves

_UNTRUSTED = {"l3": ("pcp",), "l2": ("dscp",), "port": ("pcp", "dscp")}
_CURVE = ("min-threshold", "max-threshold", "probability", "min-threshold-percent", "max-threshold-percent")
_ABSOLUTE = ("min-threshold", "max-threshold")
_RELATIVE = ("min-threshold-percent", "max-threshold-percent")
_WRITES = {"l2": ("dscp",), "l3": ("pcp",), None: ("dscp", "pcp")}  # what of a mark is not written then


def find_idle_settings(known: ResolvedConfig) -> Iterator[Idle]:
    """The settings."""
    tree = known.qos.tree
    for kind in PROFILED:
        used = {place.in_force(kind) for place in known.places}
        for name, node in tree.items(kind):
            inside = node if known.places and name not in used else _find_unused(kind, node, known, name)
            yield from _mark_idle_below(inside, ("qos", kind, name))
    if known.places and not any(_iterate_watchdogs(known)):
        timers = tree.get("pfc-watchdog")
        yield from _mark_idle_below(timers, ("qos", "pfc-watchdog"))
    whole = known.stated.tree
    trims = find_turned_on(whole) is not None or known.basis.mode == MULTI_TC
    if not trims:
        stated = whole.get(*PATH)
        off = {key: below for key, below in stated.below.items() if key != "state"} if stated is not None else {}
        yield from _mark_idle_below(Node(known.qos.tree.at, None, off), PATH)
    for names, node in known.interfaces:
        if not trims:
            yield from (
                one._replace(ports=names) for one in _mark_idle_below(node.get("packet-trim"), ("packet-trim",))
            )
        if _is_split(names[0], node):
            link = node.get("link")
            left = {key: stated for key, stated in link.below.items() if key != "breakout"} if link is not None else {}
            yield from (one._replace(ports=names) for one in _mark_idle_below(Node(node.at, None, left), ("link",)))


def _mark_idle_below(node: Node | None, path: tuple[str, ...]) -> Iterator[Idle]:
    for key, below in node.below.items() if node is not None else ():
        yield from (Idle(leaf.at, format_setting(at, leaf)) for at, leaf in walk_leaves(below, (*path, key)))


def _iterate_watchdogs(known: ResolvedConfig) -> Iterator[bool]:
    for place in known.places:
        on = read_watchdog_state(place)
        yield on is not None and bool(on.value)


def _is_split(name: str, node: Node) -> bool:
    """Whether a port is broken out: its parts are the ports then."""
    port = parse_port(name)
    modes = node.items("link", "breakout")
    return port is not None and port.lane < 0 and any(mode not in ("disabled", "loopback", "1x") for mode, _ in modes)


def _find_unused(kind: str, node: Node, known: ResolvedConfig, name: str) -> Node:
    """What of a profile that is in force has no effect."""
    if kind == "mapping":
        trust = known.qos.mapping(name).trust
        return _keep_keys(node, _UNTRUSTED.get(trust.value, ()) if trust is not None else ())
    if kind == "pfc" and not known.qos.pfc(name).priorities:
        return node
    if kind == "remark":
        rewrite = node.val("rewrite")
        left = _WRITES.get(rewrite.value if rewrite is not None else None, ())
        return _keep_keys_of_each(node, "switch-priority", {sp: left for sp, _ in node.items("switch-priority")})
    if kind == "congestion-control":
        return _keep_keys_of_each(
            node, "traffic-class", {tc: _list_unused_curve_keys(of) for tc, of in node.items("traffic-class")}
        )
    if kind == "egress-scheduler":
        strict = {tc for tc, of in node.items("traffic-class") if (mode := of.val("mode")) and mode.value == "strict"}
        return _keep_keys_of_each(node, "traffic-class", dict.fromkeys(strict, ("bw-percent",)))
    return _keep_keys(node, ())


def _list_unused_curve_keys(of: Node) -> tuple[str, ...]:
    """What of a traffic class's curve nothing goes by."""
    ecn, red, mode = (of.val(key) for key in ("ecn", "red", "mode"))
    if ecn is not None and ecn.value == "disable" and (red is None or red.value == "disable"):
        return (*_CURVE, "mode")
    return _ABSOLUTE if mode is not None and mode.value == "relative" else _RELATIVE


def _keep_keys(node: Node, keys: tuple[str, ...]) -> Node:
    return Node(node.at, None, {key: node.below[key] for key in keys if key in node.below})


def _keep_keys_of_each(node: Node, key: str, of: dict[str, tuple[str, ...]]) -> Node:
    found = {number: _keep_keys(node.below[key].below[number], keys) for number, keys in of.items()}
    below = {number: left for number, left in found.items() if left.below}
    return Node(node.at, None, {key: Node(node.at, None, below)} if below else {})
