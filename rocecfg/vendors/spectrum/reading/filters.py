"""Access lists of NVUE on ports: what their rules take, and do to RoCEv2 before it is sorted."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.intent.dscp import NAMES
from rocecfg.model.stated import Problem
from rocecfg.model.switch import Chain, Port
from rocecfg.vendors.packet_filters import (
    DROPS,
    MARKS,
    ODD,
    POLICES,
    SORTS,
    BoundFilter,
    Entry,
    FilterEffect,
    FoundFilter,
    Match,
    find_rdma,
    is_no_unicast,
    parse_ports,
)
from rocecfg.vendors.spectrum.reading.nodes import Node

_ANY = "ANY"
_UDP = ("udp", "17")
_WAYS = (("inbound", "in"), ("outbound", "out"))
_SETTINGS = frozenset({"dscp", "class", "cos"})  # what `set` may write
_NOTHING = frozenset({"permit", "log", "span", "erspan", "recent", "source-nat", "dest-nat"})  # that RoCEv2 minds


class AccessLists(NamedTuple):
    """The lists that are bound, and what is wrong where one is that nothing defines."""

    filters: tuple[FoundFilter, ...]
    problems: tuple[Problem, ...]


def find_access_lists(tree: Node, ports: tuple[Port, ...], chain: Chain) -> AccessLists:
    """Each list where it is bound, with its ports."""
    filters, problems = [], []
    found: dict[tuple[str, str], list[tuple[str, Node]]] = {}
    for interface, node in tree.items("interface"):
        for name, given in node.items("acl"):
            for word, way in _WAYS:
                bound = given.get(word)
                if bound is not None and "control-plane" not in bound.below:
                    found.setdefault((name, way), []).append((interface, given))
    for (name, way), places in found.items():
        names = {interface for interface, _ in places}
        on = tuple(port for port in ports if _is_reached(port, names))
        if not on:
            on = () if names <= {"lo", "eth0", "eth1", "mgmt"} else ports  # of a VLAN: whose ports are not told
            reached: tuple[str, ...] = ()
        else:
            reached = tuple(each for port in on for each in port.names if _is_named(port, each, names))
        acl = tree.get("acl", name)
        entries = tuple(_list_entries(acl)) if acl is not None else ()
        one = BoundFilter(f"acl {name}", places[0][1].at, way, reached, entries, drops_rest=False)
        if acl is None:
            message = f"{one.name} is bound here but not defined"
            problems.append(Problem("device-ref", one.at, message, "define it, or name another"))
        filters.append(FoundFilter(one, find_rdma(on, chain), "\n".join(_format_below(acl))))
    return AccessLists(tuple(filters), tuple(problems))


def _is_reached(port: Port, names: set[str]) -> bool:
    return any(_is_named(port, name, names) for name in port.names)


def _is_named(port: Port, name: str, names: set[str]) -> bool:
    lag = port.section.get("lag")
    return name in names or (lag is not None and lag.value in names)


def _list_entries(acl: Node) -> Iterator[Entry]:
    mac = acl.get("type", "mac") is not None
    rules = sorted(acl.items("rule"), key=lambda each: int(each[0]) if is_number(each[0]) else 0)
    for number, rule in rules:
        actions = rule.get("action")
        effects: list[FilterEffect] = []
        at = rule.at
        for action, given in actions.items() if actions is not None else ():
            at = given.at
            if action == "deny":
                effects.append(FilterEffect(DROPS))
            elif action == "police":
                effects.append(FilterEffect(POLICES))
            elif action == "set":
                effects += _list_settings(given)
            elif action not in _NOTHING:
                effects.append(FilterEffect(ODD, f"action {action}", given.at))
        ends = actions is not None and not actions.below.keys() <= {"log", "span", "erspan"}
        yield Entry(at, f"rule {number}", _make_match(rule.get("match"), mac=mac), tuple(effects), ends)


def _list_settings(given: Node) -> Iterator[FilterEffect]:
    for value in _words(given.get("dscp")):
        yield FilterEffect(MARKS, _parse_code(value))
    for value in _words(given.get("class")):
        yield FilterEffect(SORTS, int(value) if is_number(value, 1) else value)
    for word, node in given.items():
        if word not in _SETTINGS:
            yield FilterEffect(ODD, f"action set {word}", node.at)


def _make_match(match: Node | None, *, mac: bool) -> Match:
    if match is None:
        return Match()
    out = Match(other="a VLAN") if match.get("vlan") is not None else Match()
    layer2 = match.get("mac")
    if mac or layer2 is not None:
        kinds = _words(layer2.get("protocol") if layer2 is not None else None)
        if kinds and not {_ANY, "ipv4", "ipv6"} & set(kinds):
            return out._replace(never=True)
        if any(map(is_no_unicast, _words(layer2.get("dest-mac") if layer2 is not None else None))):
            return out._replace(never=True)
        if layer2 is not None and not layer2.below.keys() <= {"protocol"}:
            out = out._replace(other="addresses")
    for key, given in match.items("ip"):
        values = [word for word in _words(given) if word != _ANY]
        if key == "protocol":
            out = out._replace(protocols=frozenset("udp" if v in _UDP else v for v in values)) if values else out
        elif key == "dscp" and values:
            codes = [_parse_code(value) for value in values]
            known = frozenset(code for code in codes if code is not None)
            out = out._replace(other="dscp") if None in codes else out._replace(dscps=known)
        elif key == "tcp" or key.startswith("icmp") or (key == "dest-ip" and any(map(is_no_unicast, values))):
            out = out._replace(never=True)
        elif key in ("udp", "dest-port", "source-port"):
            for way, ports in given.items() if key == "udp" else ((key, given),):
                out = _add_ports(out, way, ports)
        elif values or given.below:
            out = out._replace(other=key)
    return out


def _add_ports(match: Match, way: str, given: Node) -> Match:
    values = _words(given)
    if not values or _ANY in values:
        return match
    ports = parse_ports([value.replace(":", "-") for value in values])
    if ports is None:
        return match._replace(other=way)
    return match._replace(targets=ports) if way == "dest-port" else match._replace(sources=ports)


def _words(node: Node | None) -> list[str]:
    return [] if node is None else list(node.below)


def _parse_code(text: str) -> int | None:
    return int(text) if is_number(text, 2) and int(text) < 64 else NAMES.get(text)


def _format_below(node: Node | None) -> Iterator[str]:
    for key, below in sorted(node.below.items()) if node is not None else ():
        yield from (f"{key} {rest}" for rest in _format_below(below)) if below.below else (key,)
