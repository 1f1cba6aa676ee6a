"""From a running-config and what it becomes to the lines between: one configuration session, committed once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.arista.disturbs import WHY, mark
from rocecfg.vendors.arista.mending.tree import GLOBALLY, OF_MMU, OF_PORT, OF_PROFILE, Line, Place, Settings, Tree
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.mending import MARKS, Step

ATOMIC = True  # nothing of a session is in force until its commit, and then all of it: a change is one commit
HOW = (
    "configure session roce; paste; show session-config diffs; commit timer 00:05:00, then configure session roce "
    "commit to keep it; copy running-config startup-config"
)
# Lines in the order in which they are typed, so that they also are in order for whoever types them without a session:
# what is new before what goes; of what is new, by mode and then by line; of what goes, by line and then by mode.
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
_BACK = {  # what is typed behind `no`, where that is not the line itself
    "prio": "priority-flow-control priority {}",
    "ecn": "random-detect ecn",
    "count": "random-detect ecn count",
    "drop": "random-detect drop",
    "share": "bandwidth percent",
    "guaranteed": "bandwidth guaranteed",
    "shape": "shape rate",
    "strict": "priority",
    "pfc": "priority-flow-control",
    "watchdog": "priority-flow-control pause watchdog",
    "trust": "qos trust",
    "dcbx": "dcbx mode",
    "send": "flowcontrol send",
    "receive": "flowcontrol receive",
    "timeout": "priority-flow-control pause watchdog port timer",
    "recovery": "priority-flow-control pause watchdog port timer",
    "polling": "priority-flow-control pause watchdog port timer",
    "action": "priority-flow-control pause watchdog port action",
}
_BACK_GLOBALLY = {
    "timeout": "priority-flow-control pause watchdog default timeout",
    "recovery": "priority-flow-control pause watchdog default recovery-time",
    "polling": "priority-flow-control pause watchdog default polling-interval",
    "action": "priority-flow-control pause watchdog action",
}
_MAP = re.compile(r"qos map dscp (?P<codes>[\d ]+) to (?P<to>traffic-class \d)")


class _Typed(NamedTuple):
    """A line as it is typed: in which mode, below which queue."""

    place: Place
    queue: str
    text: str


def steps(running: Tree, target: Tree) -> tuple[Step, ...]:
    """The change: the lines whose values differ, in one session; () where none does."""
    typed = list(_ordered(_new(running, target), _gone(running, target)))
    if not typed:
        return ()
    worst = max((mark(each.text) for each in typed), key=MARKS.index)
    return (Step(HOW, worst, WHY[worst], tuple(_lines(typed))),)


def _new(running: Tree, target: Tree) -> Iterator[_Typed]:
    for place, have, settings in _changed(running, target):
        for key, line in settings.items():
            if key not in have or have[key].value != line.value:
                yield _Typed(place, (_opener(have, key) or line.queue) if line.queue else "", line.text)


def _gone(running: Tree, target: Tree) -> Iterator[_Typed]:
    for place, have, settings in _changed(running, target):
        for key, line in have.items():
            if key not in settings:
                yield _Typed(place, line.queue, _taken_back(place, key, line))


def _changed(running: Tree, target: Tree) -> Iterator[tuple[Place, Settings, Settings]]:
    for place, settings in target.blocks.items():
        have = running.at(place)
        if settings is not have:
            yield place, have, settings


def _opener(have: Settings, key: Key) -> str:
    """The line that opens a queue, as the switch has it: some say `tx-queue` where others say `uc-tx-queue`."""
    return next((line.queue for other, line in have.items() if line.queue and other[1] == key[1]), "")


def _taken_back(place: Place, key: Key, line: Line) -> str:
    """What undoes a line: `default` where a `no` says something of its own, as `no priority` does."""
    name, number = (key, "") if isinstance(key, str) else key
    text = (_BACK_GLOBALLY if place == GLOBALLY else _BACK).get(name, line.text).format(number)
    return f"{'default' if line.text.startswith('no ') or name == 'trust' else 'no'} {text}"


def _ordered(new: Iterable[_Typed], gone: Iterable[_Typed]) -> Iterator[_Typed]:
    """Each line once, in safe order."""
    modes = [words for words, _ in MODES]
    lines = list(dict.fromkeys(new))
    blocks = {place: n for n, place in enumerate(dict.fromkeys(each.place for each in lines))}
    yield from sorted(lines, key=lambda x: (modes.index(x.place[0]), blocks[x.place], _rank(NEW, x.text)))
    yield from sorted(dict.fromkeys(gone), key=lambda x: (_rank(GONE, x.text), modes.index(x.place[0])))


def _rank(order: Iterable[tuple[str, str]], text: str) -> int:
    return next(n for n, (pattern, _) in enumerate(order) if re.match(pattern, text))


def _lines(typed: Iterable[_Typed]) -> Iterator[str]:
    for place, lines in groupby(typed, key=lambda each: each.place):
        if place == GLOBALLY:
            yield from _merged(each.text for each in lines)
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


def _merged(lines: Iterable[str]) -> Iterator[str]:
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
