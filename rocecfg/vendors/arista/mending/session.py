"""Lines as they are typed into a configuration session: mode by mode, and what they disturb."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from rocecfg.vendors.arista.disturbs import WHY, mark
from rocecfg.vendors.arista.mending.lines import Made, Place, Typed, places
from rocecfg.vendors.mending import HITLESS, PORT_FLAP, Step

_HOW = (
    "configure session roce; paste; show session-config diffs; commit timer 00:05:00, then configure session roce "
    "commit to keep it; copy running-config startup-config"
)
_MARKS = (HITLESS, PORT_FLAP)
_MAP = re.compile(r"qos map dscp (?P<codes>[\d ]+) to (?P<to>traffic-class \d)")


def steps(made: Made) -> tuple[Step, ...]:
    """The lines, those that disturb nothing first; none is taken back before all that is new stands."""
    parts = [(worst, list(_modes(typed, {worst}))) for typed in (made.new, made.old) for worst in _MARKS]
    out = []
    for worst, same in groupby((part for part in parts if part[1]), key=lambda part: part[0]):
        out.append(Step(_HOW, worst, WHY[worst], tuple(line for _, lines in same for line in lines)))
    return tuple(out)


def text_of(made: Made) -> str:
    """All lines, as text behind a running-config."""
    lines = (line for typed in (made.new, made.old) for line in _modes(typed, set(_MARKS)))
    return "".join(f"{line}\n" for line in lines)


def _modes(typed: Typed, marks: set[str]) -> Iterable[str]:
    for place, queues in places(typed):
        kept = {queue: [line for line in lines if mark(line) in marks] for queue, lines in queues.items()}
        if any(kept.values()):
            yield from _mode(place, kept)


def _mode(place: Place, queues: dict[str, list[str]]) -> Iterable[str]:
    if not place[0]:
        yield from _merged(queues.get("", []))
        return
    indent = "    " if place[0].startswith("platform") else "   "
    yield f"{place[0]} {place[1]}"
    yield from (f"{indent}{line}" for line in queues.get("", []))
    for queue, lines in queues.items():
        if queue and lines:
            yield f"{indent}{queue}"
            yield from (f"{indent}   {line}" for line in lines)
    yield "!"


def _merged(lines: list[str]) -> Iterable[str]:
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
