"""Drift for people: each difference with its two places, what it breaks, and the change that mends it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from rocecfg.drift import words
from rocecfg.drift.changes import Mend
from rocecfg.drift.differences import Difference, Reach, Value
from rocecfg.drift.places import short
from rocecfg.drift.run import Drift
from rocecfg.model import Origin, spans_of
from rocecfg.report.places import place
from rocecfg.report.plan import Origins
from rocecfg.source.document import Sources
from rocecfg.vendors.mending import Step

Paint = Callable[[str, str], str]  # style, text
_COLOURS = {"error": "31;1", "warning": "33;1", "info": "36;1", "bold": "1"}
_MOST = 8  # lines of a change that are shown
_WIDEST = 160  # characters of each
_FEW = 3  # places and files that are named


def render(drift: Drift, mends: Sequence[Mend], *, color: bool = False) -> str:
    """The whole report."""
    paint = _paint if color else _plain
    out = [line for difference in drift.differences if not difference.down for line in _one(difference, drift, paint)]
    for mend in mends:
        out += _mend(mend, paint)
    out += _apart(drift, paint)
    out.append(_totals(drift))
    return "".join(f"{line}\n" for line in out)


def _plain(_: str, text: str) -> str:
    return text


def _paint(style: str, text: str) -> str:
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m"


def _one(difference: Difference, drift: Drift, paint: Paint) -> Iterator[str]:
    word = "leftover" if difference.leftover else "drift"
    yield f"{paint('error', word)}: {paint('bold', words.title(difference))} on {reaches(difference)}"
    for value in difference.values:
        name = words.part(difference, value)
        yield f"  {name + ': ' if name else ''}{_sides(difference, value, drift.sources)}"
    for broken in difference.breaks:
        yield f"  breaks {paint(broken.severity, broken.severity)} {broken.code} {broken.name}: {broken.message}"
    yield ""


def _sides(difference: Difference, value: Value, sources: Sources) -> str:
    meant = words.meant(difference, value)
    running = words.running(difference, value)
    here = _where(value.meant_at, sources)
    there = _where(value.running_at or value.near, sources)
    return f"meant {meant}{f' ({here})' if here else ''}, running {running}{f' ({there})' if there else ''}"


def _where(origin: Origin | None, sources: Sources) -> str:
    if origin is None:
        return ""
    spans = spans_of(origin)
    if not spans:
        return Origins(sources)(origin)
    at = place(spans[0], sources)
    return f"{at.path}:{at.line}"


def reaches(difference: Difference) -> str:
    """Where a difference is: `leaf[01-04] Ethernet[0-248/8] (256 ports)`."""
    more = len(difference.reach) - _FEW
    places = "; ".join(map(_place, difference.reach[:_FEW])) + (f" and {more} more places" if more > 0 else "")
    if not any(reach.ports for reach in difference.reach):
        return places
    count = difference.port_count
    return f"{places} ({count} port{'s' * (count != 1)})"


def _place(reach: Reach) -> str:
    return f"{short(reach.devices)} {short(reach.ports)}".strip()


def _mend(mend: Mend, paint: Paint) -> Iterator[str]:
    yield f"{paint('bold', 'change')} for {short(mend.devices)}"
    for step in mend.steps:
        yield f"  {step.how}"
        yield f"  {step.mark}: {step.why}"
        if step.refused:
            yield f"  refused by the usual way: {step.refused}"
        shown = lines(step)
        yield from (f"    {line if len(line) <= _WIDEST else line[:_WIDEST] + ' ...'}" for line in shown[:_MOST])
        if len(shown) > _MOST:
            yield f"    ... {len(shown) - _MOST} more: --patch prints them all"
    if mend.left:
        yield f"  {mend.left} setting{'s' * (mend.left != 1)} would differ even then"
    for line in mend.beyond:
        yield f"  not mended: {line}"
    yield ""


def lines(step: Step) -> list[str]:
    """What a step applies, a line each; operations that only differ in a number are one."""
    out = list(step.lines)
    for (op, value), same in groupby(step.operations, key=lambda each: (each["op"], json.dumps(each.get("value")))):
        paths = short(tuple(each["path"] for each in same))
        out.append(f"{op} {paths}" + (f" {value}" if op != "remove" else ""))
    return out


def _apart(drift: Drift, paint: Paint) -> Iterator[str]:
    """What does not count, and what could not be compared."""
    down = [d for d in drift.differences if d.down]
    for difference in down:
        yield f"{paint('info', 'down')}: {words.title(difference)} on {reaches(difference)}: admin-down, not counted"
    for note, names in drift.notes.items():
        yield f"{paint('info', 'note')}: {short(tuple(names))} {note}"
    for name, ports in drift.extra.items():
        yield f"{paint('info', 'beyond the intent')}: {name} has PFC on {short(ports)}, which the intent does not name"
    if drift.absent:
        yield f"{paint('info', 'not compared')}: no configuration of {short(drift.absent)}"
    for path, host in drift.strangers:
        name = f" ({host})" if host else ""
        yield f"{paint('info', 'not compared')}: {path}{name} is no device of the intent"
    skipped = drift.running.skipped
    if skipped:
        named = ", ".join(skipped[:_FEW]) + (f" and {len(skipped) - _FEW} more files" if len(skipped) > _FEW else "")
        yield f"{paint('info', 'not compared')}: no switch configuration that is known: {named}"


def _totals(drift: Drift) -> str:
    counted = sum(not d.down for d in drift.differences)
    differing = len(drift.differing)
    compared = len(drift.compared)
    if not counted:
        return f"no drift on {compared} device{'s' * (compared != 1)}"
    return f"{counted} difference{'s' * (counted != 1)} on {differing} of {compared} device{'s' * (compared != 1)}"
