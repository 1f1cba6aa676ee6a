"""What is set at ports and does not fit them: watchdog, breakouts, bonds, adaptive routing, packet trimming."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_rate
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Val
from rocecfg.vendors.spectrum.ranges import parse_port
from rocecfg.vendors.spectrum.reading.implied import LOSSY, MULTI_TC
from rocecfg.vendors.spectrum.reading.known import ResolvedConfig, format_ports
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.objects import shorten_word
from rocecfg.vendors.spectrum.reading.ports import read_link_pause, read_watchdog_state

_FAILS_UNTIL = (5, 10)  # release notes, 3362113: known in 5.4.0 to 5.9.1
_LOSSLESS_ONLY_UNTIL = (5, 6)
_ON = ("on", "enabled")


def check_watchdogs(known: ResolvedConfig) -> Iterator[Problem]:
    """The watchdog where there is nothing to watch, or where Cumulus Linux does not take it."""
    for place in known.places:
        given = read_watchdog_state(place)
        profile = known.qos.pfc(place.in_force("pfc"))
        if given is None or not given.value or profile.priorities or read_link_pause(place, known.qos) is not None:
            continue
        if profile.name is None and not known.basis.known:
            continue  # a part of a configuration, which says nothing of PFC
        why = f"`qos roce` is {known.basis.mode}" if known.basis.mode is not None else "no priority has it"
        if profile.name is not None:
            why = f"PFC profile {profile.name} has no switch priority"
        yield Problem(
            "nvue-watchdog-port",
            given.at,
            f"the watchdog is on at {format_ports(place.names)}, where PFC is off ({why}): Cumulus Linux accepts it "
            "only on ports with PFC or link pause",
            f"nv unset interface {place.names[0]} qos pfc-watchdog, or turn PFC on there",
        )
    for names, node in known.interfaces:
        said_at = node.get("qos", "pfc-watchdog")
        state = said_at.val("state") if said_at is not None else None
        if said_at is None or parse_port(names[0]) is not None or (state is not None and state.value == "disable"):
            continue
        bond = known.is_bond(names[0], node)
        yield Problem(
            "nvue-watchdog-port",
            state.at if state is not None else said_at.at,
            f"the watchdog is on at {format_ports(names)}, "
            + ("a bond: Cumulus Linux accepts it only at the members" if bond else "which is not a front-panel port"),
            f"nv set interface {_find_member(known, names[0])} qos pfc-watchdog state enable"
            if bond
            else "unset it there",
        )


def _find_member(known: ResolvedConfig, bond: str) -> str:
    return next((port for port, (name, _) in known.members.items() if name == bond), "MEMBER")


def check_breakouts(known: ResolvedConfig) -> Iterator[Problem]:
    """A port broken out and QoS on its parts in one step."""
    if known.stated.saved:
        return
    steps = known.stated.steps or ((known.stated.tree,),)
    for step in steps:
        split: dict[int, Span] = {}
        for node in step:
            for name, given in node.items("interface"):
                port = parse_port(name)
                modes = given.items("link", "breakout") if port is not None and port.lane < 0 else ()
                if port is not None and any(mode not in ("disabled", "loopback", "1x") for mode, _ in modes):
                    split.setdefault(port.front, modes[0][1].at)
        parts: dict[str, tuple[Span, Span]] = {}
        for node in step:
            for name, given in node.items("interface"):
                port, qos = parse_port(name), given.get("qos")
                if port is not None and port.lane >= 0 and port.front in split and qos is not None:
                    parts.setdefault(name, (qos.at, split[port.front]))
        if parts:
            yield _report_breakout(known, parts)


def _report_breakout(known: ResolvedConfig, parts: dict[str, tuple[Span, Span]]) -> Problem:
    here, there = next(iter(parts.values()))
    fails = known.stated.spelling.is_at_least(_FAILS_UNTIL) is False
    return Problem(
        "nvue-breakout-apply",
        here,
        f"QoS on {format_ports(parts)} is set together with the breakout that creates these ports: "
        + ("applying both at once fails" if fails else "applying both at once may fail"),
        "nv config apply after the breakout, then set QoS and apply again",
        ((there, "the breakout"),),
        severity="warning" if fails else None,
    )


def check_strange_names(known: ResolvedConfig) -> Iterator[Problem]:
    """Names that begin as those of front-panel ports do, and are none."""
    for names, node in known.interfaces:
        for name in names:
            begins = (name.startswith("swp") and "." not in name) or name[:1].isdigit()
            if begins and parse_port(name) is None:
                fix = "ranges are written swp1-4, parts of a port swp1s0"
                yield Problem("device-value", node.at, f"{shorten_word(name)} is not a name of a port", fix)


def check_bonded_speeds(known: ResolvedConfig) -> Iterator[Problem]:
    """Members of a bond with different speeds: LACP bundles those of one."""
    first: dict[str, tuple[str, Val]] = {}
    for place, port in zip(known.places, known.ports, strict=False):
        speed = port.section.get("speed")
        if place.bond is None or speed is None:
            continue
        name, other = first.setdefault(place.bond, (place.names[0], speed))
        if other.value != speed.value:
            yield Problem(
                "device-conflict",
                speed.at,
                f"{place.names[0]} has {show_rate(speed.value)} and {name} {show_rate(other.value)}, both of bond "
                f"{place.bond}: LACP bundles links of one speed only, and the others stay idle",
                f"nv set interface {place.names[0]} link speed, as for {name}",
                ((other.at, name),),
            )


def check_missing_parts(known: ResolvedConfig) -> Iterator[Problem]:
    """Parts of a port that the same text, written by a switch, has whole and not broken out."""
    if not known.stated.saved:
        return
    whole: dict[int, Span] = {}
    for name, node in known.stated.tree.items("interface"):
        port = parse_port(name)
        if port is not None and port.lane < 0 and not node.items("link", "breakout"):
            whole[port.front] = node.at
    for names, node in known.interfaces:
        if node.get("qos") is None and node.get("link") is None:
            continue
        parts = [name for name in names if (port := parse_port(name)) and port.lane >= 0 and port.front in whole]
        port = parse_port(parts[0]) if parts else None
        if port is not None:
            yield Problem(
                "device-ref",
                node.at,
                f"{format_ports(parts)}: swp{port.front} is not broken out here, so there is no such port, and its "
                "settings apply nowhere",
                f"nv set interface swp{port.front} link breakout, into as many parts as are named; or remove the parts",
                ((whole[port.front], f"swp{port.front}"),),
                severity="warning",
            )


def check_adaptive_routing(known: ResolvedConfig) -> Iterator[Problem]:
    """Adaptive routing on an interface that does not have it."""
    for names, node in known.interfaces:
        given = _find_turned_on(node.get("router", "adaptive-routing"))
        if given is None:
            continue
        inside = [name for name in names if name in known.members]
        what = ""
        if parse_port(names[0]) is None:
            what = "a bond" if known.is_bond(names[0], node) else "no front-panel port"
        elif inside:
            what = f"a member of bond {known.members[inside[0]][0]}"
        vrf = node.val("ip", "vrf") or node.val("vrf")
        fix = f"nv unset interface {names[0]} router adaptive-routing"
        if what:
            wording = (
                f"adaptive routing is on at {format_ports(inside or names)}, {what}: it works only on routed swp ports"
            )
            yield Problem("nvue-adaptive-routing", given, wording, fix)
        elif vrf is not None and vrf.value != "default":
            wording = (
                f"adaptive routing is on at {format_ports(names)}, in VRF {vrf.value}: it works only in the default VRF"
            )
            yield Problem("nvue-adaptive-routing", given, wording, fix, ((vrf.at, "the VRF"),))
        elif (speed := node.val("link", "speed")) is not None and speed.value == "800G":
            wording = (
                f"adaptive routing is on at {format_ports(names)}, which run at 800G: Spectrum-4 does not have it there"
            )
            yield Problem("nvue-adaptive-routing", given, wording, fix, ((speed.at, "the speed"),), severity="info")
        elif known.basis.mode == LOSSY and known.stated.spelling.is_at_least(_LOSSLESS_ONLY_UNTIL) is False:
            wording = "adaptive routing with lossy RoCE: up to 5.5 it supports only lossless RoCEv2"
            yield Problem("nvue-adaptive-routing", given, wording, fix, ((known.basis.at, "the mode"),))


def _find_turned_on(node: Node | None) -> Span | None:
    given = None if node is None else node.val("enable") or node.val("state")
    return given.at if given is not None and given.value in _ON else None


def check_trimming(known: ResolvedConfig) -> Iterator[Problem]:
    """Packet trimming with a size it does not take, or beside what excludes it."""
    tree = known.stated.tree
    trim = tree.get("system", "forwarding", "packet-trim")
    state = trim.val("state") if trim is not None else None
    size = trim.val("size") if trim is not None else None
    if size is not None and size.value % 4:
        yield Problem(
            "device-value",
            size.at,
            f"packet-trim size {size.value} is not a multiple of 4",
            f"write {size.value // 4 * 4}",
        )
    at = state.at if state is not None and state.value == "enabled" else None
    if known.basis.mode == MULTI_TC and (state is None or state.value == "enabled"):
        at = at or known.basis.at
    if at is None:
        return
    for name, channel in tree.items("system", "wjh", "channel"):
        drops = channel.get("trigger", "buffer")
        if drops is not None:
            yield _report_exclusion(
                drops.at, f"WJH channel {name} watches buffer drops", f"system wjh channel {name} trigger buffer", at
            )
    span = tree.get("system", "port-mirror", "session", "0")
    if span is not None:
        yield _report_exclusion(span.at, "port-mirror session 0 is set", "system port-mirror session 0", at)


def _report_exclusion(here: Span, what: str, path: str, trim: Span) -> Problem:
    wording = f"{what}, but packet trimming is on: Cumulus Linux refuses the two together"
    return Problem("nvue-packet-trim", here, wording, f"nv unset {path}", ((trim, "packet trimming is turned on"),))


CHECKS = (
    check_strange_names,
    check_watchdogs,
    check_breakouts,
    check_bonded_speeds,
    check_missing_parts,
    check_adaptive_routing,
    check_trimming,
)
