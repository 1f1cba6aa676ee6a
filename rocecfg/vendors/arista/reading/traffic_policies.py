"""`traffic-policies` of EOS, which filter, mark and sort what comes in before policy-maps and maps do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.core.digits import is_number
from rocecfg.intent.dscp import NAMES
from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.model.switch import Chain, Idle, Port
from rocecfg.vendors.arista.reading.names import expand_interfaces
from rocecfg.vendors.packet_filters import (
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
    find_rdma,
    is_no_unicast,
    parse_ports,
)

_MODE, _WORD = "traffic-policies", "traffic-policy"
_DEFAULTS = ("ipv4-all-default", "ipv6-all-default")  # which come last, wherever they stand
_NO_ROCE = ("tcp", "icmp", "igmp", "ospf", "pim", "vrrp", "ahp", "icmpv6", "6", "1")
_HARMLESS = ("count", "log", "sample")


class _Line:
    """A line of a policy, and where it stands."""

    def __init__(self, words: list[str], at: Span) -> None:
        self.words = words
        self.at = at


class TrafficPolicies:
    """The policies of a text, and the interfaces that have them."""

    def __init__(self, text: str, doc: int, start: int) -> None:
        self._policies: dict[str, dict[str, list[_Line]]] = {}  # by name, the lines of each match
        self._bound: dict[tuple[str, str], list[tuple[str, Span]]] = {}  # by policy and way: interfaces
        self._sets: dict[str, str] = {}  # of ports
        if _WORD in text:
            self._scan(text, doc, start)

    def _scan(self, text: str, doc: int, start: int) -> None:
        around = interface = policy = field_set = ""
        lines: list[_Line] | None = None
        offset = start
        for raw in text.split("\n"):
            begin, offset = offset, offset + len(raw) + 1
            words = raw.split()
            if not words or words[0] == "!":
                continue
            at = Span(doc, begin + len(raw) - len(raw.lstrip()), begin + len(raw.rstrip()))
            if raw[0] not in " \t":
                around, policy, lines, field_set = words[0], "", None, ""
                interface = " ".join(words[1:]) if around == "interface" else ""
            elif around == "interface" and words[0] == _WORD and len(words) == 3:
                self._bound.setdefault((words[2], words[1]), []).append((interface, at))
            elif around == _MODE and words[0] == _WORD and len(words) == 2:
                policy, lines, field_set = words[1], None, ""
                self._policies.setdefault(policy, {})
            elif around == _MODE and words[0] == "field-set":
                policy, field_set = "", words[2] if words[1] == "l4-port" and len(words) > 2 else ""
            elif around == _MODE and words[0] == "match" and policy and len(words) > 2:
                lines = self._policies[policy].setdefault(words[1], [])
                lines.append(_Line(words, at))
            elif lines is not None:
                lines.append(_Line(words, at))
            elif field_set:
                self._sets[field_set] = self._sets.get(field_set, "") + "," + "".join(words)

    def list_bound(self, ports: Sequence[Port], chain: Chain) -> Iterator[FoundFilter]:
        """Those that take what comes in or goes out of ports."""
        for (name, way), places in self._bound.items():
            if name not in self._policies or way not in ("input", "output"):
                continue
            names = {port for interface, _ in places for port in (*(expand_interfaces(interface) or ()), interface)}
            on = [port for port in ports if any(_is_reached(port, each, names) for each in port.names)]
            if not on and all(interface.startswith(("Et", "Po", "Ma")) for interface, _ in places):
                continue
            reached = tuple(each for port in on for each in port.names if _is_reached(port, each, names))
            matches = sorted(self._policies[name].items(), key=lambda each: each[0] in _DEFAULTS)
            entries = tuple(self._make_entry(match, lines) for match, lines in matches)
            text = "\n".join(" ".join(line.words) for _, lines in matches for line in lines)
            side = "in" if way == "input" else "out"
            bound = BoundFilter(f"{_WORD} {name}", places[0][1], side, reached, entries, drops_rest=False)
            yield FoundFilter(bound, find_rdma(on or ports, chain), text)

    def list_idle(self) -> Iterator[Idle]:
        """Lines that bind policies which nothing defines."""
        for (name, way), places in self._bound.items():
            for interface, at in places if name not in self._policies else ():
                yield Idle(at, f"{_WORD} {way} {name}", (interface,))

    def check(self, *, whole: bool) -> Iterator[Problem]:
        """Policies that nothing defines."""
        for (name, _), places in self._bound.items():
            if name not in self._policies and whole:
                message = f"traffic-policy {name[:100]}: traffic-policies does not define it"
                yield Problem("device-ref", places[0][1], message, "define it, or remove the line")

    def _make_entry(self, name: str, lines: Sequence[_Line]) -> Entry:
        head, *rest = lines
        at = head.at
        effects: list[FilterEffect] = []
        matches: list[Match] = []  # of each line on protocols
        dscps: frozenset[int] | None = None
        other = "whether RDMA is IPv6" if head.words[2] == "ipv6" and not _names_roce(rest) else ""
        acting = never = False
        for line in rest:
            if line.words[0] == "actions":
                acting = True
            elif acting:
                effect = _parse_action(line)
                if effect is not None:
                    effects.append(effect)
                    at = line.at
            elif line.words[0] == "protocol":
                matches.append(self._parse_protocol(line.words[1:]))
            elif line.words[0] == "dscp":
                known = [_parse_code(word) for word in "".join(line.words[1:]).split(",")]
                dscps = frozenset(code for code in known if code is not None)
                other = "dscp" if None in known else other
            elif line.words[:2] == ["destination", "prefix"] and all(map(is_no_unicast, line.words[2:])):
                never = True
            elif "0.0.0.0/0" not in line.words and "::/0" not in line.words:
                other = line.words[0]
        best = max(matches, key=lambda one: {True: 2, None: 1, False: 0}[one.takes(None)], default=Match())
        match = best._replace(dscps=dscps, other=other or best.other, never=never or best.never)
        return Entry(at, f"match {name[:60]}", match, tuple(effects), ends=True)

    def _parse_protocol(self, words: list[str]) -> Match:
        if words[:1] in ([each] for each in _NO_ROCE):
            return Match(never=True)
        match = Match(protocols=frozenset({"udp" if "17" in words[0] else words[0]})) if words else Match()
        for n, word in enumerate(words):
            if word in ("source", "destination") and words[n + 1 : n + 2] == ["port"]:
                value = "".join(self._take_values(words[n + 2 :]))
                ports = parse_ports(value.split(",")) if value != "all" else (range(65536),)
                if ports is None or not value:
                    match = match._replace(other=f"{word} port")
                elif word == "source":
                    match = match._replace(sources=ports)
                else:
                    match = match._replace(targets=ports)
        return match

    def _take_values(self, words: list[str]) -> Iterator[str]:
        """The ports behind `port`, those of field sets written out."""
        if words[:1] == ["field-set"]:
            yield ",".join(self._sets.get(word, "").strip(",") for word in words[1:] if word in self._sets)
            return
        for word in words:
            if not word[0].isdigit() and word != "all":
                return
            yield word


def _names_roce(lines: Sequence[_Line]) -> bool:
    return any(str(ROCE_PORT) in line.words for line in lines)


def _is_reached(port: Port, name: str, names: set[str]) -> bool:
    lag = port.section.get("lag")
    return name in names or (lag is not None and (lag.value in names or f"Port-Channel{lag.value}" in names))


def _parse_action(line: _Line) -> FilterEffect | None:
    words = line.words
    if words[0] == "drop":
        return FilterEffect(DROPS)
    if words[0] == "police":
        return FilterEffect(POLICES)
    if words[:3] == ["set", "traffic", "class"] and len(words) > 3:
        return FilterEffect(SORTS, int(words[3]) if is_number(words[3], 2) else words[3])
    if words[:2] == ["set", "dscp"] and len(words) > 2:
        return FilterEffect(MARKS, _parse_code(words[2]))
    if words[0] == "redirect" or words[:2] == ["set", "nexthop-group"]:
        return FilterEffect(DIVERTS)
    return None if words[0] in _HARMLESS else FilterEffect(ODD, " ".join(words), line.at)


def _parse_code(text: str) -> int | None:
    return int(text) if is_number(text, 2) and int(text) < 64 else NAMES.get(text)
