"""Firewall filters on ports, VLANs and their routed interfaces: what their terms take, and do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread
from rocecfg.vendors.junos.limits import DSCP_ALIASES, code_of
from rocecfg.vendors.junos.reading.cos import DSCP, Cos
from rocecfg.vendors.junos.reading.interfaces import PORT
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.sorting import Sorter, find_paused_priorities, queue_of
from rocecfg.vendors.junos.reading.statements import Statement, Words, join_words
from rocecfg.vendors.packet_filters import (
    COLOURS,
    DIVERTS,
    DROPS,
    MARKS,
    ODD,
    POLICES,
    ROCE_PORT,
    SORTS,
    BoundFilter,
    Entry,
    FilterEffect,
    FoundFilter,
    Match,
    RdmaClasses,
    check_filters,
    is_no_unicast,
    list_unread_filters,
    parse_ports,
)

_UDP, _IP, _IPV6 = ("udp", "17"), ("ipv4", "ipv6", "0x0800", "0x86dd"), "inet6"
_PROTOCOLS = ("protocol", "next-header", "payload-protocol", "ip-protocol", "ipv6-next-header", "ipv6-payload-protocol")
_CODES = ("dscp", "traffic-class", "ipv6-traffic-class")
_NO_UDP = ("tcp-flags", "tcp-initial", "tcp-established", "icmp-type", "icmp-code", "is-fragment")
_DESTINATIONS = ("destination-mac-address", "destination-address", "ip-destination-address", "ipv6-destination-address")
_ANYWHERE = frozenset({"0.0.0.0/0", "::/0", "0/0"})
_EFFECTS = {
    "discard": DROPS,
    "reject": DROPS,
    "policer": POLICES,
    "three-color-policer": POLICES,
    "hierarchical-policer": POLICES,
    "forwarding-class": SORTS,
    "dscp": MARKS,
    "traffic-class": MARKS,
    "next-ip": DIVERTS,
    "next-interface": DIVERTS,
    **dict.fromkeys(("next-ip6", "next-hop-group", "redirect", "logical-system", "topology", "flood"), DIVERTS),
    **dict.fromkeys(("encapsulate", "decapsulate"), DIVERTS),
    **dict.fromkeys(("prefix-action", "enhanced-hierarchical-policer"), POLICES),
    "routing-instance": DIVERTS,
    "vlan": DIVERTS,
    "interface": DIVERTS,
}
_NOTHING = frozenset(  # that RoCEv2 minds: copies, counters, logs
    (
        *("accept", "next", "count", "log", "syslog", "sample", "analyzer", "port-mirror", "port-mirror-instance"),
        *("loss-priority", "policer", "apply-groups", "apply-groups-except", "apply-macro", "exclude-accounting"),
        *("l2-mirror", "packet-capture", "pkt-trace", "inline-monitoring-instance", "traffic-class-count", "gbp-tag"),
        *("inband-flow-telemetry-init", "inband-flow-telemetry-terminate", "service-accounting", "gbp-src-tag"),
        *("service-accounting-deferred", "load-balance"),
    )
)
_OF_TERMS = ("from", "then", "apply-groups", "apply-groups-except", "apply-macro")
_Key = tuple[str, str]  # family, name


class _Binding(NamedTuple):
    key: _Key
    way: str
    at: Span
    port: str  # or `irb.10`, or a VLAN
    unit: str


class Filters:
    """The filters of a configuration, and where they are bound."""

    def __init__(self, cos: Cos, lines: Sequence[Statement], kinds: list[Kind], sorter: Sorter) -> None:
        self._cos, self._kinds, self._sorter = cos, kinds, sorter
        self._terms: dict[_Key, dict[str, list[Statement]]] = {}
        self._policers: dict[str, bool] = {}  # whether they drop
        self._bindings: list[_Binding] = []
        self._vlans: dict[str, set[str]] = {}  # by the names of a VLAN, and by its routed interface: ports
        for line in lines:
            self._read_line(line)
        self._find_members(lines)

    def _read_line(self, line: Statement) -> None:
        match line.words:
            case ("firewall", "family", family, "filter", name, *rest):
                self._read_filter((family, name), tuple(rest), line)
            case ("firewall", "filter", name, *rest):
                self._read_filter(("inet", name), tuple(rest), line)
            case ("firewall", "policer", name, *rest):
                self._policers[name] = self._policers.get(name, False) or rest == ["then", "discard"]
            case ("interfaces", port, "unit", unit, *rest):
                at = port if PORT.fullmatch(port) else f"{port}.{unit}"
                match rest:
                    case ["family", family, "filter", way, *names]:
                        self._bind(family, way, names, line.at, at, unit)
                    case ["filter", way, *names]:
                        self._bind("any", way, names, line.at, at, unit)
            case ("forwarding-options", "family", family, "filter", way, *names):
                self._bind(family, way, names, line.at, "forwarding-options")  # for all that is forwarded
            case ("vlans", vlan, "forwarding-options", "filter", way, *names) | ("vlans", vlan, "filter", way, *names):
                self._bind("ethernet-switching", way, names, line.at, vlan)

    def _read_filter(self, key: _Key, rest: Words, line: Statement) -> None:
        terms = self._terms.setdefault(key, {})
        if rest[:1] == ("term",) and len(rest) > 1:
            terms.setdefault(rest[1], []).append(line._replace(words=rest[2:]))

    def _bind(self, family: str, way: str, names: Sequence[str], at: Span, port: str, unit: str = "") -> None:
        if names and way.partition("-")[0] in ("input", "output") and names[0] != "precedence":
            self._bindings.append(_Binding((family, names[0]), way.partition("-")[0], at, port, unit))

    def _find_members(self, lines: Sequence[Statement]) -> None:
        """The ports of VLANs that filters are bound to, as far as names and numbers tell them."""
        if not self._bindings:
            return
        numbers: dict[str, str] = {}
        routed: dict[str, str] = {}
        member_of: dict[str, list[str]] = {}
        for line in lines:
            match line.words:
                case ("vlans", vlan, "vlan-id", number):
                    numbers[vlan] = number
                case ("vlans", vlan, "l3-interface", name):
                    routed[name] = vlan
                case ("interfaces", port, "unit", _, "family", "ethernet-switching", "vlan", "members", *words):
                    member_of.setdefault(port, []).extend(words)
        for vlan in {*numbers, *routed.values()}:
            named = {vlan, numbers.get(vlan, vlan), "all"}
            self._vlans[vlan] = {port for port, words in member_of.items() if not named.isdisjoint(words)}
        for name, vlan in routed.items():
            self._vlans[name] = self._vlans[vlan]

    def _list_bound(self) -> Iterator[FoundFilter]:
        """Each filter or list of filters where it is bound, with the ports it is for, and its text."""
        together: dict[tuple[tuple[_Key, ...], str], list[_Binding]] = {}
        by_port: dict[tuple[str, ...], list[_Binding]] = {}
        for one in self._bindings:
            by_port.setdefault((one.port, one.unit, one.way, one.key[0]), []).append(one)
        for those in by_port.values():
            together.setdefault((tuple(one.key for one in those), those[0].way), []).append(those[0])
        for (keys, way), those in together.items():
            if any(key not in self._terms for key in keys):
                continue
            names = {one.port for one in those}
            reached = set().union(*(self._vlans.get(name, ()) for name in names)) | names
            kinds = [kind for kind in self._kinds if self._is_reached(kind, reached)]
            if not kinds and all(
                PORT.fullmatch(name) or name.startswith(("lo", "em", "fxp", "re", "me")) for name in names
            ):
                continue  # of the switch's own traffic, or of ports that nothing runs over
            ports = tuple(name for kind in kinds for name in kind.names if self._is_port_reached(kind, name, reached))
            terms = [(name, lines) for key in keys for name, lines in self._terms[key].items()]
            unsure = "whether RDMA is IPv6" if keys[0][0] == _IPV6 and not self._names_roce(keys) else ""
            wording = " and ".join(f"filter {name}" for _, name in keys)
            entries = tuple(self._make_entry(name, lines) for name, lines in terms)
            text = "\n".join(join_words((f"term {name}", *line.words)) for name, lines in terms for line in lines)
            side = "in" if way == "input" else "out"
            bound = BoundFilter(wording, those[0].at, side, ports, entries, bool(terms), unsure)
            yield FoundFilter(bound, self._classes_of(kinds or self._kinds), text)

    def _names_roce(self, keys: tuple[_Key, ...]) -> bool:
        lines = [line for key in keys for of in self._terms[key].values() for line in of]
        return any(str(ROCE_PORT) in line.words for line in lines)

    def _is_reached(self, kind: Kind, reached: set[str]) -> bool:
        return any(self._is_port_reached(kind, name, reached) for name in kind.names)

    def _is_port_reached(self, kind: Kind, name: str, reached: set[str]) -> bool:
        lag = kind.section.get("lag")
        return name in reached or (lag is not None and lag.value in reached)

    def _make_entry(self, name: str, lines: Sequence[Statement]) -> Entry:
        asked: dict[str, list[str]] = {}
        effects: list[FilterEffect] = []
        ends, at = True, lines[0].at
        for line in lines:
            match line.words:
                case ("from", key, *values):
                    asked.setdefault(key, []).extend(values)
                case ("then", "next", *_):
                    ends = False
                case ("then", "policer", policer) if not self._policers.get(policer):
                    effects += [] if self._is_undefined(policer) else [FilterEffect(COLOURS)]
                case ("then", "loss-priority", colour) if colour != "low":
                    effects.append(FilterEffect(COLOURS))
                case ("then", key, *values) if key in _EFFECTS:
                    effects.append(FilterEffect(_EFFECTS[key], self._value_of(key, values)))
                    at = line.at
                case ("then", key, *_) if key not in _NOTHING:
                    effects.append(FilterEffect(ODD, join_words(line.words), line.at))
                case ("filter", *_):
                    effects.append(FilterEffect(DIVERTS))
                case (word, *_) if word not in _OF_TERMS:
                    effects.append(FilterEffect(ODD, join_words(line.words), line.at))
        return Entry(at, f"term {name}", _make_match(asked, self._cos.aliases[DSCP]), tuple(effects), ends)

    def _value_of(self, key: str, values: Sequence[str]) -> str | int | None:
        if _EFFECTS[key] == MARKS and values:
            return _parse_code(values[0], self._cos.aliases[DSCP])
        return values[0] if _EFFECTS[key] == SORTS and values else None

    def _classes_of(self, kinds: list[Kind]) -> RdmaClasses:
        """What of the DSCPs is lossless on some of the ports."""
        dscps: set[int] = set()
        paused: set[int] = set()
        for kind in kinds:
            profile = self._cos.profiles.get(kind.binding["profile"].value) if "profile" in kind.binding else None
            if profile is None:
                continue
            pfc = find_paused_priorities(self._cos, profile, kind.binding, self._sorter.at)
            chain = self._sorter.chain_of(kind.binding)
            paused |= {queue for queue, priority in enumerate(chain.priority) if priority.value in pfc}
            dscps |= {dscp for dscp, queue in enumerate(chain.dscp) if queue.value in paused}

        def is_lossless(name: str | int) -> bool | None:
            queue = queue_of(self._cos, str(name), self._sorter.at)
            return None if queue is None else queue.value in paused

        return RdmaClasses(tuple(sorted(dscps)), is_lossless)

    def check(self, *, whole: bool) -> Iterator[Problem]:
        """What is wrong with them."""
        seen: set[_Key] = set()
        for one in self._bindings:
            if one.key not in self._terms and one.key not in seen and (whole or self._terms):
                seen.add(one.key)
                message = f"filter {one.key[1][:60]} of family {one.key[0]} is bound here but not defined"
                yield Problem("device-ref", one.at, message, "define it, or name another: commit refuses it")
        for policer, at in self._list_undefined_policers():
            message = f"policer {policer[:60]} is named here but not defined"
            yield Problem("device-ref", at, message, "define it, or name another: commit refuses it")
        yield from check_filters(self._list_bound())

    def _list_undefined_policers(self) -> Iterator[tuple[str, Span]]:
        seen: set[str] = set()
        for terms in self._terms.values():
            for line in (line for lines in terms.values() for line in lines):
                named = line.words[2] if line.words[:2] == ("then", "policer") and len(line.words) > 2 else ""
                if named and named not in seen and self._is_undefined(named):
                    seen.add(named)
                    yield named, line.at

    def _is_undefined(self, policer: str) -> bool:
        """Whether nothing defines it; a part of a configuration may have it elsewhere, where it has none."""
        return policer not in self._policers and (self._cos.whole or bool(self._policers))

    def list_unread(self) -> Iterator[Unread]:
        """Those that may touch RoCEv2: no intent states them."""
        for one in self._bindings:
            if one.key not in self._terms:
                yield Unread(one.at, f"filter {one.key[1][:60]}: its effect is unknown", (), (), None, one.key[1])
        yield from list_unread_filters(self._list_bound())


def _make_match(asked: Mapping[str, Sequence[str]], aliases: dict[str, int]) -> Match:
    """What a term asks for."""
    protocols: frozenset[str] | None = None
    targets = sources = None
    dscps: frozenset[int] | None = None
    other, never = "", False
    for key, values in asked.items():
        base = key.removesuffix("-except")
        ports = parse_ports(values) if base.endswith("port") else ()
        codes = [_parse_code(value, aliases) for value in values] if base in _CODES else []
        if ports is None or None in codes:
            other = key
        elif key in _PROTOCOLS:
            protocols = frozenset("udp" if value in _UDP else value for value in values)
        elif base in _PROTOCOLS:
            never |= not set(_UDP).isdisjoint(values)
        elif key == "destination-port" or (key == "port" and not any(ROCE_PORT in part for part in ports)):
            targets = ports
        elif key == "source-port":
            sources = ports
        elif base == "destination-port":
            never |= any(ROCE_PORT in part for part in ports)
        elif base in _CODES:
            known = frozenset(code for code in codes if code is not None)
            dscps = known if key == base else frozenset(range(64)) - known
        elif key in _NO_UDP or (key in _DESTINATIONS and all(map(is_no_unicast, values))):
            never = True
        elif key in ("ether-type", "vlan-ether-type"):
            never |= set(_IP).isdisjoint(values)
        elif not (key == "port" or key.endswith("-optimize") or (base.endswith("address") and _ANYWHERE & {*values})):
            other = key
    return Match(protocols, targets, sources, dscps, other, never)


def _parse_code(text: str, aliases: dict[str, int]) -> int | None:
    """A DSCP as filters have it: a number, bits, or an alias."""
    if is_number(text, 2) and int(text) < 64:
        return int(text)
    return code_of(text, {**DSCP_ALIASES, **aliases}, 6)
