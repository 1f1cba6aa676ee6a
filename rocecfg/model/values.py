"""What a switch's configuration amounts to, setting by setting, in no vendor's words: so two can be compared."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import ALL_COLORS, AUTO, RunningGroup, RunningPool, RunningPort, RunningQueue, Span
from rocecfg.model.catalogue import LINK, RUNNING, STATED, What, list_parts, list_topics
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.model.switch import TCS, Chain, Fact, Facts, Port, Switch

WAYS = ("dscp", "pcp", "stops", "pauses")  # of a chain: where packets go, and what pauses act on
OF_LINK = list_topics("ports[]", LINK)
_OF_PORT = (*list_topics("ports[]", STATED), *OF_LINK)
LAG_MTU = What("lag_mtu")
_SPEED = What("speed")
_OF_QUEUE = list_topics("ports[].queues[]", STATED)
_OF_GROUP = tuple(list_parts("group"))
_OF_POOL = tuple(part.rpartition(".")[2] for part in list_parts("pool"))
_OF_BUFFERS = tuple(part for part in list_parts("buffers") if "." not in part)
_OF_BALANCING = tuple(list_parts("load_balancing"))
_OF_TRIMMING = tuple(list_parts("trimming"))
_WITH_GROUPS = ("config_db",)  # configurations that map traffic classes to priority groups
TRIMS_BY_PROFILE = ("config_db",)  # in which trimming is on where a queue's buffer profile says so, and nowhere else
_BOUND = "_map"  # how the names of such bindings end
_MADE = re.compile(r"pg_lossless_\d+_(\d+)m_profile")  # SONiC's buffermgrd, traditional model: the cable length in m
KEEPS = "lossless"  # a queue with a buffer profile for lossless queues
_OF_RUNNING_DEVICE = list_topics("device", RUNNING)
_OF_RUNNING_PORT = ("dcbx", *list_topics("ports[]", RUNNING))  # DCBX is one of a switch, and runs port by port
_OF_RUNNING_QUEUE = list_topics("ports[].queues[]", RUNNING)


class Way(NamedTuple):
    """Where packets of a code point or 802.1p value go: queue, priority group, and the PFC priority that pauses it."""

    queue: int
    group: int | None  # None: the system decides, or it is not known
    priority: int | None  # None: nothing pauses them


class Least(NamedTuple):
    """A value that is meant to be reached, and may be exceeded."""

    value: int


class Offered(NamedTuple):
    """The speeds that autonegotiation offers, of which the link has one that both ends have. (): all of the port's."""

    rates: tuple[int, ...]  # bit/s, ascending


class Watched(NamedTuple):
    """The priorities that a watchdog watches. `all`: those that PFC is on for, whichever they are."""

    priorities: tuple[int, ...]
    all: bool


def of_device(switch: Switch) -> Facts:
    """What is set for the switch as a whole. Thresholds in bytes, shares in percent."""
    facts = of_chain(switch, switch.chain)
    _add_stated(facts, "buffers", switch.section.get("buffers"), _OF_BUFFERS)
    _add_stated(facts, "load_balancing", switch.section.get("load_balancing"), _OF_BALANCING)
    _add_trimming(facts, switch)
    pools = _get_section(_get_section(switch.section.get("buffers")).get("pools"))
    for name, val in pools.items():
        _add_fact(facts, What("buffers", None, f"pools.{name}"), val)
    running = switch.running
    for name in _OF_RUNNING_DEVICE:
        if getattr(running, name) is not None:
            facts[What(name)] = Fact(getattr(running, name), _find_span(running.at(name), switch.at))
    if running.kind not in _WITH_GROUPS and "counts_marks" in running.origins:  # there it is a matter of each queue
        facts[What("counts_marks")] = Fact(running.counts_marks, _find_span(running.at("counts_marks"), switch.at))
    if running.remarks:
        facts[What("remarks")] = Fact(running.remarks, _find_span(running.at("remarks"), switch.at))
    for pool in running.pools:
        _add_pool(facts, pool, switch)
    return facts


def of_chain(switch: Switch, chain: Chain) -> Facts:
    """Where packets are sorted to, and what pauses act on: the switch's chain, or that of one of its ports."""
    facts: Facts = {What("dscp", code): Fact(way, at) for code, way, at in _trace_ways(switch, chain, chain.dscp)}
    facts |= {What("pcp", tag): Fact(way, at) for tag, way, at in _trace_ways(switch, chain, chain.tags)}
    for topic, ends in (("stops", chain.stops), ("pauses", chain.pauses)):
        for priority, end in enumerate(ends):
            _add_fact(facts, What(topic, priority), end)
    return facts


def of_port(port: Port) -> Facts:
    """What is set for a port. Sizes in bytes, rates in bit/s or as Percent, times in ms, cables in metres."""
    first = next(iter(port.pfc.values()), port.unpaused or port.at)
    paused = tuple(sorted(port.pfc))
    partly = port.running.partly_paused if port.running is not None else ()
    facts: Facts = {What("pfc"): Fact(tuple(each for each in paused if each not in partly), first)}
    for key in _OF_PORT:
        _add_fact(facts, What(key), port.section.get(key))
    macsec = _get_section(port.section.get("macsec")).get("pfc_frames")
    if macsec is not None:
        _add_fact(facts, What("macsec"), macsec)
    pfc = _get_section(port.section.get("pfc"))
    _add_watchdog(facts, pfc.get("watchdog"), paused)
    _add_headroom(facts, pfc.get("headroom"))
    for number, sending in sorted(port.queues.items()):
        _add_fact(facts, What("weight", number), sending.get("bandwidth"))
        _add_curve(facts, number, sending.get("ecn"))
        for key in _OF_QUEUE:
            rate = sending.get(key)
            if rate is not None and rate.value is not MISSING:  # a value of None: it is said that there is none
                facts[What(key, number)] = Fact(rate.value, rate.at)
    if port.running is not None:
        running = port.running
        _add_maps(facts, running, port.at)
        for key in ("obeys", "sends"):
            given = getattr(running, key)
            if given is not None and tuple(sorted(given)) != paused:
                facts[What(key)] = Fact(tuple(sorted(given)), _find_span(running.at(key), port.at))
        _add_single_values(facts, running, port.at)
        if running.lag_mtu is not None:
            facts[LAG_MTU] = Fact(running.lag_mtu, _find_span(running.at("lag_mtu"), port.at))
        for group in running.groups:
            _add_group(facts, group, port.at)
        for queue in running.queues:
            _add_queue(facts, queue, port.at)
            if queue.counted is not None:
                facts[What("counted", queue.number)] = Fact(queue.counted, _find_span(queue.at("counted"), port.at))
    return facts


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


def _add_trimming(facts: Facts, switch: Switch) -> None:
    """How packets are trimmed; and whether, where the switch as a whole says so."""
    val = switch.section.get("trimming")
    if val is not None:
        parts = {key: (strip_places(part), part.at) for key, part in _get_section(val).items() if key in _OF_TRIMMING}
        _add_parts(facts, "trimming", None, parts, val.at)


def _add_watchdog(facts: Facts, val: Val | None, paused: tuple[int, ...]) -> None:
    if val is None or val.value is MISSING:
        return
    if not isinstance(val.value, dict):
        facts[What("watchdog")] = Fact(val.value, val.at)
        return
    parts = {key: (strip_places(part), part.at) for key, part in val.value.items() if part.value is not MISSING}
    if "priorities" in parts:
        watched, at = parts["priorities"]
        parts["priorities"] = (Watched(tuple(sorted(watched)), tuple(sorted(watched)) == paused), at)
    _add_parts(facts, "watchdog", None, parts, val.at)


def _add_curve(facts: Facts, number: int, val: Val | None) -> None:
    if val is None or val.value is MISSING:
        return
    if not isinstance(val.value, dict):
        facts[What("ecn", number)] = Fact(val.value, val.at)
        return
    parts = {key: (strip_places(part), part.at) for key, part in val.value.items() if part.value is not MISSING}
    if "colors" in parts:
        colors, at = parts["colors"]
        parts["colors"] = ("all" if colors == "all" or set(ALL_COLORS) <= set(colors) else tuple(sorted(colors)), at)
    _add_parts(facts, "ecn", number, parts, val.at)


def _add_headroom(facts: Facts, val: Val | None) -> None:
    if val is None or val.value is MISSING or val.value == "auto":
        return
    if not isinstance(val.value, dict):
        facts[What("headroom", None, "size")] = Fact(val.value, val.at)
        return
    for key, part in val.value.items():
        _add_fact(facts, What("headroom", None, key), part)


def _add_parts(facts: Facts, topic: str, number: int | None, parts: dict[str, tuple[Any, Span]], at: Span) -> None:
    """A setting of several parts: itself, as opposed to its being off, and each part."""
    facts[What(topic, number)] = Fact(tuple((key, value) for key, (value, _) in parts.items()), at)
    for key, (value, where) in parts.items():
        facts[What(topic, number, key)] = Fact(value, where)


def _add_group(facts: Facts, group: RunningGroup, at: Span) -> None:
    if group.lossless and group.profile is not None and (made := _MADE.fullmatch(group.profile)) is not None:
        facts[What("bound", group.number)] = Fact(int(made[1]), _find_span(group.at("profile"), at))
    if group.lossless:
        facts[What("group", group.number)] = Fact("lossless", _find_span(group.at("lossless", "profile"), at))
    for key in _OF_GROUP:
        if getattr(group, key) is not None and not (key == "computed" and not group.lossless):
            facts[What("group", group.number, key)] = Fact(getattr(group, key), _find_span(group.at(key), at))


def _add_maps(facts: Facts, running: RunningPort, at: Span) -> None:
    """The maps that a port binds, where its system has it bind them one by one; not what they are called."""
    for field, name in running.maps or ():
        if field.endswith(_BOUND):
            value = f"{name}, which is not there" if field in running.dangling else "bound"
            facts[What("maps", None, field)] = Fact(value, _find_span(running.at(field), at))


def _add_single_values(facts: Facts, running: RunningPort, at: Span) -> None:
    """What a port says of itself in one value. Queues that trim by profiles that are not known are the platform's."""
    for key in _OF_RUNNING_PORT:
        if getattr(running, key) not in (None, ()):
            facts[What(key)] = Fact(getattr(running, key), _find_span(running.at(key), at))
    if running.trimmed is None:
        facts[What("trimmed")] = Fact(AUTO, at)
    if running.offers is not None:  # whatever speed is configured
        of = running.offers
        facts[_SPEED] = Fact(of[0] if len(of) == 1 else Offered(of), _find_span(running.at("fastest"), at))


def _add_queue(facts: Facts, queue: RunningQueue, at: Span) -> None:
    number = queue.number
    for topic in _OF_RUNNING_QUEUE:
        if getattr(queue, topic) is not None:
            facts[What(topic, number)] = Fact(getattr(queue, topic), _find_span(queue.at(topic), at))
    if queue.turns:
        facts[What("turns", number)] = Fact(value=True, at=_find_span(queue.at("turns"), at))
    if queue.curves:
        facts[What("ecn", number, "curves")] = Fact(queue.curves, _find_span(queue.at("curves"), at))
    if queue.keeps is not None:
        value = KEEPS if queue.keeps else queue.profile or "no profile"
        facts[What("egress", number)] = Fact(value, _find_span(queue.at("profile"), at))


def _add_pool(facts: Facts, pool: RunningPool, switch: Switch) -> None:
    for key in _OF_POOL:
        part, at = f"{pool.name}.{key}", pool.at(key)
        implied = key == "direction" and at == pool.at("")  # by its name
        stated = key == "percent" and pool.of_buffers  # `buffers.pools` has it
        if getattr(pool, key) is not None and not stated and not implied:
            facts[What("pool", None, part)] = Fact(getattr(pool, key), _find_span(at, switch.at))


def _add_stated(facts: Facts, topic: str, val: Val | None, keys: Iterable[str]) -> None:
    section = _get_section(val)
    for key in keys:
        _add_fact(facts, What(topic, None, key), section.get(key))


def _add_fact(facts: Facts, what: What, val: Val | None) -> None:
    if val is not None and val.value is not MISSING and val.value is not None:
        facts[what] = Fact(strip_places(val), val.at)


def _get_section(val: Val | None) -> Section:
    return val.value if val is not None and isinstance(val.value, dict) else {}


def _find_span(origin: object, otherwise: Span) -> Span:
    return origin if isinstance(origin, Span) else otherwise


def strip_places(val: Val) -> Any:
    """A read value without its places, hashable."""
    value = val.value
    if isinstance(value, dict):
        return tuple((key, strip_places(part)) for key, part in value.items())
    if isinstance(value, list):
        return tuple(map(strip_places, value))
    return value


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
    "find_chain_queues",
    "find_used_queues",
    "of_chain",
    "of_device",
    "of_port",
    "strip_places",
]
