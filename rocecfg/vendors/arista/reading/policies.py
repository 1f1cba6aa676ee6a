"""What a policy-map on a port does to RoCEv2 (UDP port 4791) and to packets that are none.

A question about packets is answered yes, no, or None where the text does not tell, as for a list of addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.vendors.arista.reading.blocks import Block, ConfigBlocks

ROCE_PORT = 4791
_EPHEMERAL = (49152, 65535)  # source ports of RoCEv2: each connection its own, for ECMP
_UDP, _TCP = ("udp", "17"), ("tcp", "6")
_PROTOCOLS = {"ip": None, "ipv6": None, **dict.fromkeys(_UDP, "udp"), **dict.fromkeys(_TCP, "tcp")}


class Packet(NamedTuple):
    """A kind of packet. `dscp` None: whichever RDMA has, which the text does not tell."""

    protocol: str
    port: int
    dscp: int | None


class Action(NamedTuple):
    """What a class of a policy-map sets, each with its place; where nothing is set the maps decide."""

    name: str  # of the class; empty: no class took the packet
    at: Span
    tc: int | None = None
    dscp: int | None = None
    police: Span | None = None  # what is beyond a rate is dropped


class OddEntry(NamedTuple):
    """An entry of an access list that was intended for RoCEv2 and does not match it."""

    at: Span
    line: str
    why: str


class PolicyMap(NamedTuple):
    """A policy-map: its classes in order, and what is not understood of it."""

    name: str
    at: Span
    actions: tuple[tuple[Action, Block | None], ...]  # with the class-map; None: class-default, or there is none
    unclear: bool
    dangling: tuple[tuple[str, Span], ...]  # class-maps and access lists that are not there


def read_policy_map(config: ConfigBlocks, name: str) -> PolicyMap | None:
    """The policy-map of that name, with what its lines set; None if the text has none."""
    block = _find_block(config, name, "policy-map")
    if block is None:
        return None
    actions: list[tuple[Action, Block | None]] = []
    dangling: list[tuple[str, Span]] = []
    unclear = False
    for index, line in enumerate(block.lines):
        words = line.split(" ")
        if words[0] == "class" and len(words) >= 2:
            named = words[-1]
            known = _find_block(config, named, "class-map")
            if known is None and named != "class-default":
                dangling.append((f"class-map {named}", block.span(index)))
            elif known is not None:
                dangling += _find_dangling_lists(config, known)
            actions.append((Action(named, block.span(index)), known))
        elif actions and words[0] == "set" and len(words) == 3 and words[1] in ("traffic-class", "dscp"):
            value = _parse_dscp(words[2])
            action, known = actions[-1]
            tc, dscp = (value, action.dscp) if words[1] == "traffic-class" else (action.tc, value)
            actions[-1] = Action(action.name, block.span(index), tc, dscp, action.police), known
            unclear |= value is None
        elif actions and words[0] == "police":
            actions[-1] = actions[-1][0]._replace(police=block.span(index)), actions[-1][1]
        else:
            unclear = True
    lists = [known for _, known in actions if known is not None]
    unclear |= any(_is_unclear(config, known) for known in lists)
    return PolicyMap(name, block.at, tuple(actions), unclear, tuple(dangling))


def find_outcomes(config: ConfigBlocks, policy: PolicyMap, packet: Packet) -> tuple[Action, ...]:
    """What may happen to such packets, in the order of the classes, class-default last; one where the text tells."""
    found = []
    for action, known in sorted(policy.actions, key=lambda one: one[0].name == "class-default"):
        taken = (
            True if action.name == "class-default" else False if known is None else _class_takes(config, known, packet)
        )
        if taken is not False:
            found.append(action)
        if taken:
            return tuple(found)
    return (*found, Action("", policy.at))


def list_traffic_classes(policy: PolicyMap) -> set[int]:
    """The traffic classes that the policy puts packets into."""
    return {action.tc for action, _ in policy.actions if action.tc is not None}


def find_odd_entries(config: ConfigBlocks, policy: PolicyMap) -> Iterator[OddEntry]:
    """Entries of access lists that name port 4791 and match no RoCEv2."""
    for name in dict.fromkeys(_list_access_lists(known) for _, known in policy.actions if known is not None):
        for listed in name:
            block = config.lists.get(listed)
            for index, line in enumerate(block.lines if block is not None else ()):
                why = _explain_odd_entry(line)
                if why and block is not None:
                    yield OddEntry(block.span(index), line, why)


def _explain_odd_entry(line: str) -> str:
    entry = parse_entry(line)
    if entry is None:
        return ""
    protocol, source, target = entry.protocol, entry.source, entry.target
    if f"eq {ROCE_PORT}" in (source, target) and protocol == "tcp":
        return "RoCEv2 is UDP"
    if source == f"eq {ROCE_PORT}" and protocol == "udp":
        return f"{ROCE_PORT} is the destination port of RoCEv2; its source port differs for each connection"
    return ""


def _find_block(config: ConfigBlocks, name: str, kind: str) -> Block | None:
    return next((block for block in config.sorting.get(name, ()) if block.name.startswith(kind)), None)


def _list_access_lists(known: Block) -> tuple[str, ...]:
    """The access lists that a class-map names."""
    words = (line.split(" ") for line in known.lines)
    return tuple(f"{w[1]} {w[3]}" for w in words if w[0] == "match" and len(w) == 4 and w[2] == "access-group")


def _find_dangling_lists(config: ConfigBlocks, known: Block) -> list[tuple[str, Span]]:
    named = [(line.split(" "), known.span(index)) for index, line in enumerate(known.lines)]
    return [
        (f"{words[1]} access-list {words[3]}", at)
        for words, at in named
        if len(words) == 4 and words[2] == "access-group" and f"{words[1]} {words[3]}" not in config.lists
    ]


def _is_unclear(config: ConfigBlocks, known: Block) -> bool:
    """Whether a class-map matches by what is not read here."""
    for line in known.lines:
        words = line.split(" ")
        if words[:2] == ["match", "dscp"] and _parse_dscps(words[2:]) is not None:
            continue
        entries = config.lists.get(f"{words[1]} {words[-1]}") if "access-group" in words else None
        parsed = [parse_entry(each) for each in entries.lines] if entries is not None else [None]
        if any(entry is None or not entry.anywhere for entry in parsed):
            return True
    return False


def _class_takes(config: ConfigBlocks, known: Block, packet: Packet) -> bool | None:
    """Whether a class-map takes the packets."""
    reported = [_line_matches(config, line.split(" "), packet) for line in known.lines if line.startswith("match ")]
    if "match-all" in known.name.split(" "):
        return False if False in reported else None if None in reported or not reported else True
    return True if True in reported else None if None in reported else False


def _line_matches(config: ConfigBlocks, words: list[str], packet: Packet) -> bool | None:
    if words[1] == "dscp":
        wanted = _parse_dscps(words[2:])
        return None if wanted is None or packet.dscp is None else packet.dscp in wanted
    if len(words) != 4 or words[2] != "access-group":
        return None
    if words[1] != "ip":
        return False  # the packets asked for are IPv4
    block = config.lists.get(f"ip {words[3]}")
    return False if block is None else _permits(block, packet)


def _permits(block: Block, packet: Packet) -> bool | None:
    """Whether an access list permits the packets."""
    may = []
    for line in block.lines:
        entry = parse_entry(line)
        taken = None if entry is None else entry_takes(entry, packet)
        if taken is False:
            continue
        may.append("permit" in line.split(" ")[:2])
        if taken:
            break
    else:
        may.append(False)  # what no entry takes is denied
    return may[0] if len(set(may)) == 1 else None


class ListEntry(NamedTuple):
    """An entry of an access list."""

    anywhere: bool | None  # True: whatever the addresses are
    protocol: str | None  # None: any
    source: str  # ports as they are written
    target: str
    dscps: frozenset[int] | None = None  # None: any


def parse_entry(line: str) -> ListEntry | None:
    """An entry of an access list; None if it has more than is read here."""
    words = line.split(" ")
    if words[0].isdigit():
        words = words[1:]
    if len(words) < 4 or words[0] not in ("permit", "deny") or words[1] not in _PROTOCOLS:
        return None
    rest = words[2:]
    source, from_port, rest = _parse_end(rest)
    target, to_port, rest = _parse_end(rest)
    dscps = None
    if "dscp" in rest[:-1]:
        at = rest.index("dscp")
        dscps = _parse_dscps(rest[at + 1 : at + 2])
        if dscps is None:
            return None
        rest = rest[:at] + rest[at + 2 :]
    if source is None or target is None or [word for word in rest if word not in ("log", "tracked")]:
        return None
    anywhere = True if source and target else None
    return ListEntry(anywhere, _PROTOCOLS[words[1]], from_port, to_port, None if dscps is None else frozenset(dscps))


def _parse_end(words: list[str]) -> tuple[bool | None, str, list[str]]:
    """One end of an entry: whether it is any address, its port as written, and the words behind it."""
    if not words:
        return None, "", []
    if words[0] == "any":
        rest = words[1:]
    elif words[0] == "host" or (len(words) > 1 and words[1].count(".") == 3):
        rest = words[2:]
    else:
        rest = words[1:]
    if rest and rest[0] in ("eq", "neq", "gt", "lt", "range"):
        count = 3 if rest[0] == "range" else 2
        return words[0] == "any", " ".join(rest[:count]), rest[count:]
    return words[0] == "any", "", rest


def entry_takes(entry: ListEntry, packet: Packet) -> bool | None:
    """Whether an entry is about the packets."""
    if entry.protocol not in (None, packet.protocol):
        return False
    reported = [
        entry.anywhere,
        _covers_ports(entry.source, *_EPHEMERAL),
        _covers_ports(entry.target, packet.port, packet.port),
        True if entry.dscps is None else None if packet.dscp is None else packet.dscp in entry.dscps,
    ]
    return False if False in reported else None if None in reported else True


def _covers_ports(words: str, low: int, high: int) -> bool | None:
    """Whether the ports from `low` to `high` are among those meant."""
    if not words:
        return True
    kind, *numbers = words.split(" ")
    if not all(map(is_number, numbers)):
        return None if low != high else False if numbers and numbers[0].isalpha() else None
    first, last = int(numbers[0]), int(numbers[-1])
    wanted = {
        "eq": ((first, first),),
        "range": ((first, last),),
        "gt": ((first + 1, 65535),),
        "lt": ((0, first - 1),),
        "neq": ((0, first - 1), (first + 1, 65535)),
    }[kind]
    if any(a <= low and high <= b for a, b in wanted):
        return True
    overlap = any(a <= high and low <= b for a, b in wanted)
    return None if overlap and kind != "eq" else False


def _parse_dscps(words: Iterable[str]) -> set[int] | None:
    """The code points of a match; None where they are not read."""
    out: set[int] = set()
    for word in ",".join(words).split(","):
        low, dash, high = word.partition("-")
        first, last = _parse_dscp(low), _parse_dscp(high) if dash else _parse_dscp(low)
        if first is None or last is None:
            return None
        out.update(range(first, last + 1))
    return out


def _parse_dscp(word: str) -> int | None:
    from rocecfg.intent.dscp import NAMES  # few texts have policy-maps

    return int(word) if is_number(word) and len(word) < 3 else NAMES.get(word)
