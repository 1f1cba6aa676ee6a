"""Two configurations of a switch, setting by setting: whatever either says is compared, whether it was intended or not.

Against an intent (`match`) it is what the intent states or implies that is compared, within what a chip rounds to and a
system counts in. Here neither side is an intent: a value is another one as soon as it is not equal.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.drift.differences import Difference, Folding, LocatedGap
from rocecfg.drift.match import NO_PORT
from rocecfg.model import RunningQueue, Span
from rocecfg.model.catalogue import BETWEEN, STATE, What, find_compared_setting, list_parts, list_running
from rocecfg.model.compare import Gap
from rocecfg.model.fates import TEXT, UNKNOWN, WAY
from rocecfg.model.stated import Unread
from rocecfg.model.switch import Chain, Fact, Facts, Port, Switch
from rocecfg.model.values import KEEPS, add_fact, find_span, of_device, of_port, read_fields
from rocecfg.report.masking import mask_secrets
from rocecfg.source.document import Document
from rocecfg.vendors.fates import OF_FINDING

_DERIVED = {"weight": "scheduling"}  # a share of the queues: what changes one changes all
_BRACE = re.compile("[{}]")
_HEAD_END = re.compile(r"[{};\n]|\*/")  # what a head stands behind
_WORD = re.compile(r"[\w.-]+")
_SHOWN = 80  # characters of what a statement stands below
_OF_QUEUE = tuple((part, "egress", part) for part in list_parts("egress"))
_BETWEEN = tuple(list_running(BETWEEN))  # what no intent bears on, of those that the switch or the port has


class PortGaps(NamedTuple):
    """Settings that differ between two configurations, on ports that are alike in this; None: of the switch itself."""

    ports: tuple[str, ...] | None
    gaps: tuple[Gap, ...]


def compare_configurations(meant: Switch, running: Switch, *, once: bool = True) -> tuple[PortGaps, ...]:
    """What differs: of the switch as a whole first, then of its ports, those that one of the two lacks included.

    `once`: what the vendor's own terms tell of a statement is not told in terms of the model, too.
    A setting that one side does not say is as its silence has it, where that is known of a whole configuration; else
    it differs. Of statements that are not understood, or have no effect where they stand, the text is compared.
    """
    whole = meant.running.whole and running.running.whole
    found: dict[Hashable, tuple[list[str], tuple[Gap, ...]]] = {}
    known: dict[Hashable, tuple[Gap, ...]] = {}
    sides = _index_ports(meant), _index_ports(running)
    own = (
        *_compare_facts(facts_of_switch(meant), facts_of_switch(running), whole=whole),
        *_compare_facts(_collect_statements(meant), _collect_statements(running), whole=whole),
    )
    in_force = (meant.at, meant.in_force()), (running.at, running.in_force())
    of_switch = _compare_in_force(in_force, "", own, running.at)
    silent = {meant.at, running.at}  # what nothing states
    own = (*_leave_out_told(own, of_switch if once else (), silent), *of_switch)
    for name in dict.fromkeys((*sides[0], *sides[1])):
        one, other = (side.get(name) for side in sides)
        key = id(one), id(other)
        if key not in known:
            known[key] = _compare_ports(meant, one, running, other, whole=whole)
            if name and one is not None and other is not None:
                of_port = _compare_in_force(in_force, name, (*own, *known[key]), other.at)
                told = (*of_switch, *of_port) if once else ()
                known[key] = (*_leave_out_told(known[key], told, {*silent, other.at}), *of_port)
        gaps = known[key]
        found.setdefault(key if name else "", ([], gaps))[0].append(name)
    out = [PortGaps(None, own), *(PortGaps(tuple(names), gaps) for names, gaps in found.values())]
    return tuple(apart for apart in out if apart.gaps)


def fold_differences(pairs: Iterable[tuple[str, Switch, Switch]]) -> tuple[list[Difference], list[str]]:
    """What differs between two configurations of each switch, one for one cause; and the switches that differ.

    `pairs`: a switch's name, how it is kept or was, how it runs.
    """
    folding = Folding({})
    ports: dict[str, int] = {}
    differing_ones = []
    for name, meant, running in pairs:
        ports[name] = len(_index_ports(running))
        found = compare_configurations(meant, running)
        if found:
            differing_ones.append(name)
        for apart in found:
            seen = [LocatedGap(gap, gap.meant.at if gap.meant is not None else None, running.at) for gap in apart.gaps]
            if apart.ports is None:
                folding.add_device(name, seen)
            else:
                folding.add_ports(name, apart.ports, seen, down=False)
    return folding.fold(ports), differing_ones


def count_settings(switch: Switch) -> tuple[int, int]:
    """How many settings of a configuration are compared, over all ports; and of how many ports."""
    ports = _index_ports(switch)
    of_ports = {id(port): len(facts_of_port(switch, port, sorts=port.chain is not None)) for port in ports.values()}
    return len(facts_of_switch(switch)) + sum(of_ports[id(port)] for port in ports.values()), len(ports)


def _compare_ports(one: Switch, port: Port | None, other: Switch, twin: Port | None, *, whole: bool) -> tuple[Gap, ...]:
    if port is None or twin is None:
        at = (port or twin or one).at
        there = Fact("configured", at)
        return (Gap(NO_PORT, None, there) if port is None else Gap(NO_PORT, there, None),)
    sorts = port.chain is not None or twin.chain is not None  # a port without maps of its own sorts by the switch's
    return _compare_facts(facts_of_port(one, port, sorts=sorts), facts_of_port(other, twin, sorts=sorts), whole=whole)


def _compare_facts(meant: Facts, running: Facts, *, whole: bool) -> tuple[Gap, ...]:
    gaps = []
    for what in dict.fromkeys((*meant, *running)):
        one, other = meant.get(what), running.get(what)
        row = find_compared_setting(what.topic, what.part)
        if one is not None and other is not None:
            parts = row is not None and row.same == STATE and isinstance(one.value, tuple)
            same = one.value == other.value or (parts and isinstance(other.value, tuple))  # what differs is its parts
            # what another profile says is compared, not what it is called
            same = same or (what == What("egress", what.number) and KEEPS not in {one.value, other.value})
        else:
            given = one or other
            same = given is None or (whole and row is not None and given.value == row.silence)
        if not same:
            gaps.append(Gap(what, one, other))
    return tuple(gaps)


def _compare_in_force(
    sides: Iterable[tuple[Span, Mapping[str, Facts]]], port: str, known: Iterable[Gap], near: Span
) -> tuple[Gap, ...]:
    """What is in force, in the vendor's own terms, and differs. `near`: where what nothing says would be said.

    `known`: differences in terms of the model; what is the same setting with the same two values is not given again.
    """
    one, other = (
        {what: fact._replace(at=near) if fact.at == implied else fact for what, fact in found.get(port, {}).items()}
        for implied, found in sides
    )
    shown = set(map(_find_change, known))
    return tuple(gap for gap in _compare_facts(one, other, whole=False) if _find_change(gap) not in shown)


def _leave_out_told(gaps: Iterable[Gap], told: Collection[Gap], silent: Container[Span]) -> Iterator[Gap]:
    """The differences without those of the same statements as one that is told, which has them as they are written."""
    pairs = [_find_places(gap, silent) for gap in told]
    topics = {gap.what.topic for gap in told}
    for gap in gaps:
        one, other = _find_places(gap, silent)
        # what one side does not state stands nowhere, or where it would be stated
        same = any(
            (one == meant or None in {one, meant}) and (other == running or None in {other, running})
            for meant, running in pairs
            if (one is not None and one == meant) or (other is not None and other == running)
        )
        if not same and _DERIVED.get(gap.what.topic) not in topics:
            yield gap


def _find_places(gap: Gap, silent: Container[Span]) -> tuple[Span | None, Span | None]:
    """Where the two statements stand; None where there is none."""
    one, other = (None if side is None or side.at in silent else side.at for side in (gap.meant, gap.running))
    return one, other


def _find_change(gap: Gap) -> tuple[Hashable, ...]:
    return gap.what[:2], *(None if fact is None else fact.value for fact in (gap.meant, gap.running))


def _index_ports(switch: Switch) -> dict[str, Port]:
    """The ports by their names; "": every port, where the configuration names none."""
    return {name: port for port in switch.ports for name in port.names or ("",)}


def facts_of_switch(switch: Switch) -> Facts:
    return of_device(switch) | _facts_of_maps(switch.chain) | read_fields(switch.running, _BETWEEN, switch.at)


def with_unjudged_texts(switch: Switch, document: Document) -> Switch:
    """A switch with the statements that nothing judges as they are written, but for those that it names already."""
    of_table = (UNKNOWN, WAY) if switch.in_force is not dict else (UNKNOWN, WAY, TEXT)  # whose terms have the rest
    named = [(one.at.start, one.text) for one in switch.unread if one.text]
    named += ((one.at.start, one.text) for one in switch.idle)
    ends = {_list_last_words(line) for _, text in named for line in text.split("\n")}
    more = []
    unjudged = switch.fates.unjudged
    blocks = _Blocks(document.text if unjudged else "")
    for group in unjudged:
        for at, *heads in group.places if group.fate in of_table else ():
            written = document.text[at.start : at.end]
            if (group.fate, group.why) == (WAY, OF_FINDING) and _list_last_words(written) in ends:
                continue  # an action of a filter, whose text is named
            above = [each.start for each in heads]
            near = (text for start, text in named if at.start <= start < at.end or start in above)
            if any(not set(_list_last_words(written)) - set(_WORD.findall(text)) for text in near):
                continue
            head = [_quote_head(document.text, start) for start in above if start != at.start]
            words = f"{group.what}: {group.why}"
            above_it = " ".join(head or blocks.list_heads(at.start))
            for leaf in _list_leaves(written) if written.endswith("}") else (written,):
                text = " ".join(mask_secrets(f"{above_it} {leaf}").split())
                more.append(Unread(at, words, text=text))
    return switch._replace(unread=(*switch.unread, *more)) if more else switch


def _list_last_words(written: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(written)[-2:])


class _Blocks:
    """The blocks in braces of a text."""

    def __init__(self, text: str) -> None:
        self._marks: list[int] = []
        self._open: list[tuple[str, ...]] = []  # the heads of the blocks that are open behind each mark
        heads: tuple[str, ...] = ()
        end = 0
        for mark in _BRACE.finditer(text):
            head = " ".join(_HEAD_END.split(text[end : mark.start()])[-1].split())
            heads, end = (*heads, head) if mark[0] == "{" else heads[:-1], mark.end()
            self._marks.append(mark.start())
            self._open.append(heads)

    def list_heads(self, at: int) -> tuple[str, ...]:
        """The heads of the blocks around a place, the outermost first."""
        number = bisect_left(self._marks, at)
        return self._open[number - 1] if number else ()


def _quote_head(text: str, start: int) -> str:
    """The key, or the line, that something stands below."""
    return text[start : start + _SHOWN].partition("\n")[0].partition(":")[0]


def _list_leaves(written: str) -> Iterator[str]:
    """The leaves of a member of JSON with what they stand below; the text as it is where it is none."""
    from json import loads  # few configurations have such

    waiting: list[tuple[str, Any]]
    try:
        waiting = [("", loads(f"{{{written}}}"))]
    except ValueError:
        waiting = [(written, None)]
    while waiting:
        head, below = waiting.pop()
        if isinstance(below, dict) and below:
            waiting += ((f"{head} {key}", each) for key, each in below.items())
        else:
            yield head if below is None else f"{head} {below}"


def _collect_statements(switch: Switch) -> Facts:
    """What is not understood or without effect, as it is written: of that nothing else can be compared."""
    facts: Facts = {}
    for topic, statements in (("unread", switch.unread), ("idle", switch.idle)):
        ports: dict[str, dict[str, None] | None] = {}  # by text; None: of the switch as a whole
        places: dict[str, Span] = {}
        for one in statements:
            if not one.text:  # its vendor tells what is in force: that is compared
                continue
            places.setdefault(one.text, one.at)
            known = ports.setdefault(one.text, {})
            if known is not None and one.ports:
                known.update(dict.fromkeys(one.ports))
            else:
                ports[one.text] = None
        for text, names in ports.items():
            where = f" on {fold(tuple(names))}" if names else ""
            facts[What(topic, None, text)] = Fact(f"stated{where}", places[text])
    return facts


def facts_of_port(switch: Switch, port: Port, *, sorts: bool) -> Facts:
    """`sorts`: with how it sorts packets, by its own maps or by those of the switch."""
    facts = of_port(port, switch if sorts else None)
    if sorts:
        facts |= _facts_of_maps(port.chain or switch.chain)
    if port.running is not None:
        facts |= read_fields(port.running, _BETWEEN, port.at)
        for tag, tc in enumerate(port.running.tags):
            facts[What("tc_of_pcp", tag)] = Fact(tc, port.at)
        for queue in port.running.queues:
            facts |= read_fields(queue, _OF_QUEUE, port.at, queue.number)
            _put_scheduling(facts, queue, port.at)
    return facts


def _put_scheduling(facts: Facts, queue: RunningQueue, at: Span) -> None:
    """Of a queue with a share that nothing states, and of one that may be strict, in words instead of the number."""
    weight = What("weight", queue.number)
    facts.pop(What("turns", queue.number), None)
    stated = facts.get(weight)
    if queue.turns and stated is None:
        facts[weight] = Fact("round robin", find_span(queue.at("turns"), at))
    elif queue.turns is False and stated is not None and isinstance(stated.value, (int, float)):
        facts[weight] = stated._replace(value=f"{stated.value}, unless it is strict")


def _facts_of_maps(chain: Chain) -> Facts:
    """The maps one by one: of traffic classes that no packet is sorted into too."""
    facts: Facts = {}
    for topic, ends in (
        ("tc_of_dscp", chain.dscp),
        ("tc_of_pcp", chain.tags),
        ("queue_of", chain.queue),
        ("group_of", chain.group),
        ("priority_of", chain.priority),
    ):
        for number, end in enumerate(ends):
            add_fact(facts, What(topic, number), end)
    return facts


__all__ = ["PortGaps", "compare_configurations", "count_settings", "fold_differences", "with_unjudged_texts"]
