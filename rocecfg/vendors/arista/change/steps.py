"""From a running-config and what it becomes to the lines between: one configuration session, committed once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.arista.change.tree import (
    GLOBALLY,
    MODES_OF,
    OF_MMU,
    OF_PORT,
    OF_PROFILE,
    Line,
    Place,
    Settings,
    Tree,
)
from rocecfg.vendors.arista.procedure import PROCEDURE
from rocecfg.vendors.arista.reading.commands import Key, spell_undo
from rocecfg.vendors.arista.reading.modes import QUEUE
from rocecfg.vendors.changes import Step
from rocecfg.vendors.procedure import make_step

# Lines in the order in which they are typed, so that they also are in order for whoever types them without a session:
# a watchdog that was off, what is new, by mode and then by line, and what goes, by line and then by mode.
_FIRST, _THEN, _LATER = range(3)
MODES = (
    (OF_MMU, "headroom is there before a priority is lossless"),
    (OF_PROFILE, "a profile is complete before a port is bound to it"),
    (OF_PORT, "a port has its queues before packets are sorted to them"),
    (GLOBALLY[0], "packets are sorted to a class last; an MMU profile is applied once it is defined"),
)
NEW = (
    (r"priority-flow-control pause watchdog", "a priority is watched before it is lossless"),
    (r"(?!priority-flow-control (?:on|priority))", "and so are the other settings of a port"),
    (r"", "PFC comes on last"),
)
GONE = (
    (r"(?:no|default) priority-flow-control(?! pause| all)", "PFC goes before what it needs"),
    (r"(?!.*watchdog)", "then what the class had"),
    (r"", "its watchdog goes last"),
)
_QUEUES = re.compile(r" to (?:uc-)?tx-queue ")
_MAP = re.compile(r"qos map dscp (?P<codes>[\d ]+) to (?P<to>traffic-class \d)")


class _Typed(NamedTuple):
    """A line as it is typed: in which mode, below which queue."""

    place: Place
    queue: str
    text: str


def plan_steps(running: Tree, target: Tree) -> tuple[Step, ...]:
    """The change: the lines whose values differ, in one session; () where none does."""
    typed = list(_sort_edits(_list_edits(running, target)))
    if not typed:
        return ()
    return (make_step(PROCEDURE, (each.text for each in typed), _format_lines(typed)),)


def _list_edits(running: Tree, target: Tree) -> Iterator[tuple[int, _Typed]]:
    """Each line, and when it is typed."""
    for place, have, settings in _changed_modes(running, target):
        for key, line in settings.items():
            if key not in have or have[key].value != line.value:
                queue = _spell_opener(have, line) if line.queue else ""
                yield (
                    _LATER if _is_watchdog_off(key, line) else _THEN,
                    _Typed(place, queue, _spell_queues(line, have.get(key))),
                )
        for key, line in have.items():
            if key not in settings:
                taken = _Typed(place, line.queue, _undo_line(place, line))
                yield _FIRST if _is_watchdog_off(key, line) else _LATER, taken
    for place in running.blocks:
        if place not in target.blocks:
            yield _LATER, _Typed(GLOBALLY, "", f"no {' '.join(place)}")


def _is_watchdog_off(key: Key, line: Line) -> bool:
    """Whether a line says that PFC goes unwatched; without one, it does not."""
    return key == "watchdog" and line.value is False


def _changed_modes(running: Tree, target: Tree) -> Iterator[tuple[Place, Settings, Settings]]:
    for place, settings in target.blocks.items():
        have = running.settings_at(place)
        if settings is not have:
            yield place, have, settings


def _spell_opener(have: Settings, line: Line) -> str:
    """The line that opens a queue, as the switch has it: some say `tx-queue` where others say `uc-tx-queue`."""
    word = next((other.queue.split()[0] for other in have.values() if other.queue), None)
    return line.queue if word is None else f"{word} {line.queue.split()[1]}"


def _spell_queues(line: Line, have: Line | None) -> str:
    """A line on a traffic class with the switch's own word for queues."""
    word = _QUEUES.search(have.text) if have is not None else None
    return _QUEUES.sub(word[0], line.text) if word is not None else line.text


def _undo_line(place: Place, line: Line) -> str:
    """What undoes a line."""
    return spell_undo(QUEUE if line.queue else MODES_OF[place[0]], line.text)


def _sort_edits(edits: Iterable[tuple[int, _Typed]]) -> Iterator[_Typed]:
    """Each line once, in safe order."""
    lines = dict.fromkeys(edits)
    modes = {words: n for n, (words, _) in enumerate(MODES)}
    blocks = {place: n for n, place in enumerate(dict.fromkeys(x.place for _, x in lines))}
    early = [(when, modes[x.place[0]], blocks[x.place], _rank(NEW, x.text), x) for when, x in lines if when != _LATER]
    later = [(_rank(GONE, x.text), modes[x.place[0]], blocks[x.place], x) for when, x in lines if when == _LATER]
    yield from (x for *_, x in sorted(early, key=lambda row: row[:-1]))
    yield from (x for *_, x in sorted(later, key=lambda row: row[:-1]))


def _rank(order: Iterable[tuple[str, str]], text: str) -> int:
    return next(n for n, (pattern, _) in enumerate(order) if re.match(pattern, text))


def _format_lines(typed: Iterable[_Typed]) -> Iterator[str]:
    for place, lines in groupby(typed, key=lambda each: each.place):
        if place == GLOBALLY:
            yield from _merge_code_points(each.text for each in lines)
            continue
        indent = "    " if place[0] == OF_MMU else "   "
        yield f"{place[0]} {place[1]}"
        queues: dict[str, list[str]] = {"": []}
        for each in lines:
            queues.setdefault(each.queue, []).append(each.text)
        for queue, texts in queues.items():
            if queue:
                yield f"{indent}{queue}"
            yield from (f"{indent}{'   ' * bool(queue)}{text}" for text in texts)
        yield "!"


def _merge_code_points(lines: Iterable[str]) -> Iterator[str]:
    """Global lines; code points of one traffic class in one line."""
    codes: dict[str, set[int]] = {}
    for line in lines:
        found = _MAP.fullmatch(line)
        if found is None:
            yield line
        else:
            codes.setdefault(found["to"], set()).update(map(int, found["codes"].split()))
    for to, numbers in codes.items():
        yield f"qos map dscp {' '.join(map(str, sorted(numbers)))} to {to}"
