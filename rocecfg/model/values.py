"""What a switch's configuration amounts to, setting by setting, in no vendor's words: so two can be compared."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import ALL_COLORS, AUTO, RunningPort, Span
from rocecfg.model.catalogue import (
    LINK,
    RUNNING,
    STATE,
    STATED,
    What,
    find_compared_setting,
    list_parts,
    list_running,
    list_topics,
)
from rocecfg.model.fabric import WithOrigins
from rocecfg.model.stated import MISSING, OFF, Section, Val, strip_places
from rocecfg.model.switch import TCS, Chain, Fact, Facts, Port, Switch

WAYS = ("dscp", "pcp", "stops", "pauses")  # of a chain: where packets go, and what pauses act on
OF_LINK = list_topics("ports[]", LINK)
_OF_PORT = (*list_topics("ports[]", STATED), *OF_LINK)
LAG_MTU = What("lag_mtu")
_SPEED = What("speed")
_OF_QUEUE = list_topics("ports[].queues[]", STATED)
_WITH_GROUPS = ("config_db",)  # configurations that map traffic classes to priority groups
TRIMS_BY_PROFILE = ("config_db",)  # in which trimming is on where a queue's buffer profile says so, and nowhere else
_BOUND = "_map"  # how the names of such bindings end
_MADE = re.compile(r"pg_lossless_\d+_(\d+)m_profile")  # SONiC's buffermgrd, traditional model: the cable length in m
KEEPS = "lossless"  # a queue with a buffer profile for lossless queues
Fields = tuple[tuple[str, str, str], ...]  # of what runs: its name, the topic and the part
_OF_RUNNING: Fields = (*list_running(RUNNING), ("dcbx", "dcbx", ""))  # DCBX is one of a switch, and runs port by port
_OF_GROUP: Fields = tuple((part, "group", part) for part in list_parts("group"))
_OF_POOL: Fields = tuple((part.rpartition(".")[2], "pool", part) for part in list_parts("pool"))


class Way(NamedTuple):
    """Where packets of a code point or 802.1p value go: queue, priority group, and the PFC priority that pauses it."""

    queue: int
    group: int | None  # None: the system decides, or it is not known
    priority: int | None  # None: nothing pauses them


class Least(NamedTuple):
    """A value that is intended to be reached, and may be exceeded."""

    value: int


class Offered(NamedTuple):
    """The speeds that autonegotiation offers, of which the link has one that both ends have. (): all of the port's."""

    rates: tuple[int, ...]  # bit/s, ascending


class Watched(NamedTuple):
    """The priorities that a watchdog watches. `all`: those that PFC is on for, whichever they are."""

    priorities: tuple[int, ...]
    all: bool


def of_device(switch: Switch, *, sorts: bool = True) -> Facts:
    """What is set for the switch as a whole. Thresholds in bytes, shares in percent.

    `sorts`: where it sorts packets to, too, which of ports that sort by several maps says nothing.
    """
    facts = _of_chain(switch, switch.chain) if sorts else {}
    for topic in ("buffers", "load_balancing", "trimming"):
        _add_section(facts, What(topic), switch.section.get(topic))
    running = switch.running
    facts |= read_fields(running, _OF_RUNNING, switch.at)
    if running.kind in _WITH_GROUPS or "counts_marks" not in running.origins:  # there it is a matter of each queue
        facts.pop(What("counts_marks"), None)
    for pool in running.pools:
        for what, fact in read_fields(pool, _OF_POOL, switch.at).items():
            part = what.part.rpartition(".")[2]
            implied = part == "direction" and pool.at(part) == pool.at("")  # by its name
            if not implied and not (part == "percent" and pool.of_buffers):  # `buffers.pools` has it
                facts[What("pool", None, f"{pool.name}.{part}")] = fact
    return facts


def _of_chain(switch: Switch, chain: Chain) -> Facts:
    """Where packets are sorted to, and what pauses act on: the switch's chain, or that of one of its ports."""
    facts: Facts = {What("dscp", code): Fact(way, at) for code, way, at in _trace_ways(switch, chain, chain.dscp)}
    facts |= {What("pcp", tag): Fact(way, at) for tag, way, at in _trace_ways(switch, chain, chain.tags)}
    for topic, ends in (("stops", chain.stops), ("pauses", chain.pauses)):
        for priority, end in enumerate(ends):
            add_fact(facts, What(topic, priority), end)
    return facts


def of_port(port: Port, switch: Switch | None = None) -> Facts:
    """What is set for a port. Sizes in bytes, rates in bit/s or as Percent, times in ms, cables in metres.

    `switch`: with where the port sorts packets to, by its own maps or those of the switch.
    """
    first = next(iter(port.pfc.values()), port.unpaused or port.at)
    paused = tuple(sorted(port.pfc))
    partly = port.running.partly_paused if port.running is not None else ()
    facts: Facts = {What("pfc"): Fact(tuple(each for each in paused if each not in partly), first)}
    for key in _OF_PORT:
        add_fact(facts, What(key), port.section.get(key))
    macsec = _get_section(port.section.get("macsec")).get("pfc_frames")
    if macsec is not None:
        add_fact(facts, What("macsec"), macsec)
    pfc = _get_section(port.section.get("pfc"))
    _add_section(facts, What("watchdog"), pfc.get("watchdog"), paused)
    room = pfc.get("headroom")
    if room is not None and room.value != AUTO:
        _add_section(facts, What("headroom"), room if isinstance(room.value, dict) else Val({"size": room}, room.at))
    for number, sent in sorted(port.queues.items()):
        add_fact(facts, What("weight", number), sent.get("bandwidth"))
        _add_section(facts, What("ecn", number), sent.get("ecn"))
        for key in _OF_QUEUE:
            rate = sent.get(key)
            if rate is not None and rate.value is not MISSING:  # a value of None: it is said that there is none
                facts[What(key, number)] = Fact(rate.value, rate.at)
    if port.running is not None:
        _add_running(facts, port.running, paused, port.at)
    return facts if switch is None else facts | _of_chain(switch, port.chain or switch.chain)


def find_used_queues(switch: Switch) -> frozenset[int]:
    """The queues that some code point or 802.1p value leads to, or whose traffic class can be paused on some port."""
    return find_chain_queues(switch, switch.chain, {priority for port in switch.ports for priority in port.pfc})


def find_chain_queues(switch: Switch, chain: Chain, paused: Collection[int]) -> frozenset[int]:
    """The queues that a code point or 802.1p value leads to by a chain, or whose class these priorities pause."""
    return frozenset(
        {way.queue for marks in (chain.dscp, chain.tags) for _, way, _ in _trace_ways(switch, chain, marks)}
        | {
            chain.queue[tc].value
            for tc in TCS
            if chain.priority[tc].value in paused and chain.queue[tc].value is not None
        }
    )


def _trace_ways(switch: Switch, chain: Chain, marks: Iterable[Val]) -> Iterator[tuple[int, Way, Span]]:
    """`marks`: the traffic class of each code point, or 802.1p value."""
    grouped = switch.running.kind in _WITH_GROUPS
    for code, val in enumerate(marks):
        tc = val.value
        if tc is not None and _is_stated(switch, chain.queue[tc]):
            group = chain.group[tc].value if grouped and _is_stated(switch, chain.group[tc]) else None
            yield code, Way(chain.queue[tc].value, group, chain.priority[tc].value), val.at


def _is_stated(switch: Switch, val: Val) -> bool:
    """Whether a part of a configuration tells this; a whole one does by its silence too."""
    return val.value is not None and (switch.running.whole or val.at != switch.at)


def _add_section(facts: Facts, what: What, val: Val | None, paused: tuple[int, ...] = ()) -> None:
    """A setting of several parts: each of them, and itself, as opposed to its being off, where it can be."""
    if val is None or val.value is MISSING:
        return
    if not isinstance(val.value, dict):
        facts[what] = Fact(val.value, val.at)
        return
    parts: dict[str, Fact] = {}
    for key, part in val.value.items():
        if isinstance(part.value, dict):
            parts |= {f"{key}.{name}": Fact(strip_places(each), each.at) for name, each in part.value.items()}
        elif part.value is not MISSING:
            parts[key] = Fact(_make_plain(key, strip_places(part), paused), part.at)
    row = find_compared_setting(what.topic)
    if row is not None and row.same == STATE:
        facts[what] = Fact(tuple((key, fact.value) for key, fact in parts.items()), val.at)
    facts |= {what._replace(part=key): fact for key, fact in parts.items()}


def _make_plain(key: str, value: Any, paused: tuple[int, ...]) -> Hashable:
    """A part's value as two can be compared: in order, and all by its own word."""
    if key == "priorities":
        return Watched(tuple(sorted(value)), tuple(sorted(value)) == paused)
    if key == "colors":
        return "all" if value == "all" or set(ALL_COLORS) <= set(value) else tuple(sorted(value))
    return value  # type: ignore[no-any-return]


def read_fields(of: WithOrigins, fields: Fields, at: Span, number: int | None = None) -> Facts:
    """What an element that runs says in those of the fields that it has; `at`: its place, where none has its own."""
    return {
        What(topic, number, part): Fact(value, find_span(of.at(name), at))
        for name, topic, part in fields
        if (value := getattr(of, name, None)) not in (None, ())
    }


def _add_running(facts: Facts, running: RunningPort, paused: tuple[int, ...], at: Span) -> None:
    """What a port says beyond an intent's. Queues that trim by profiles that are not known are the platform's."""
    _add_maps(facts, running, at)
    for key in ("obeys", "sends"):
        given = getattr(running, key)
        if given is not None and tuple(sorted(given)) != paused:
            facts[What(key)] = Fact(tuple(sorted(given)), find_span(running.at(key), at))
    facts |= read_fields(running, _OF_RUNNING, at)
    if running.trimmed is None:
        facts[What("trimmed")] = Fact(AUTO, at)
    if running.offers is not None:  # whatever speed is configured
        of = running.offers
        facts[_SPEED] = Fact(of[0] if len(of) == 1 else Offered(of), find_span(running.at("fastest"), at))
    for group in running.groups:
        number, place = group.number, find_span(group.at("profile"), at)
        if group.lossless and group.profile is not None and (made := _MADE.fullmatch(group.profile)) is not None:
            facts[What("bound", number)] = Fact(int(made[1]), place)
        if group.lossless:
            facts[What("group", number)] = Fact("lossless", find_span(group.at("lossless", "profile"), at))
        facts |= read_fields(group, _OF_GROUP, at, number)
        if not group.lossless:
            facts.pop(What("group", number, "computed"), None)
    for queue in running.queues:
        facts |= read_fields(queue, _OF_RUNNING, at, queue.number)
        if queue.turns:
            facts[What("turns", queue.number)] = Fact(value=True, at=find_span(queue.at("turns"), at))
        if queue.keeps is not None:
            value = KEEPS if queue.keeps else queue.profile or "no profile"
            facts[What("egress", queue.number)] = Fact(value, find_span(queue.at("profile"), at))


def _add_maps(facts: Facts, running: RunningPort, at: Span) -> None:
    """The maps that a port binds, where its system has it bind them one by one; not what they are called."""
    for field, name in running.maps or ():
        if field.endswith(_BOUND):
            value = f"{name}, which is not there" if field in running.dangling else "bound"
            facts[What("maps", None, field)] = Fact(value, find_span(running.at(field), at))


def add_fact(facts: Facts, what: What, val: Val | None) -> None:
    """A value that is stated, and that could be read."""
    if val is not None and val.value is not MISSING and val.value is not None:
        facts[what] = Fact(strip_places(val), val.at)


def _get_section(val: Val | None) -> Section:
    return val.value if val is not None and isinstance(val.value, dict) else {}


def find_span(origin: object, otherwise: Span) -> Span:
    """Where something is said."""
    return origin if isinstance(origin, Span) else otherwise


__all__ = [
    "KEEPS",
    "LAG_MTU",
    "OFF",
    "OF_LINK",
    "TRIMS_BY_PROFILE",
    "WAYS",
    "Fact",
    "Facts",
    "Least",
    "Offered",
    "Watched",
    "Way",
    "add_fact",
    "find_chain_queues",
    "find_span",
    "find_used_queues",
    "of_device",
    "of_port",
    "read_fields",
]
