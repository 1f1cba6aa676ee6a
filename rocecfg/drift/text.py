"""Drift for people: each difference with its two places, what it breaks, and the change that fixes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from rocecfg.core.nodeset import fold
from rocecfg.core.visible import visible_text
from rocecfg.drift import labels
from rocecfg.drift.changes import SharedFix
from rocecfg.drift.coverage import Gathered
from rocecfg.drift.differences import Difference, Reach, Value
from rocecfg.drift.run import Drift
from rocecfg.model import Origin, spans_of
from rocecfg.report.places import place
from rocecfg.report.plan import Origins
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import Step

Paint = Callable[[str, str], str]  # style, text
_COLOURS = {"error": "31;1", "warning": "33;1", "info": "36;1", "bold": "1"}
_MOST = 8  # lines of a change that are shown
_WIDEST = 160  # characters of an operation
_FEW = 3  # places and files that are named


def render(drift: Drift, fixes: Sequence[SharedFix], *, partial: bool = False, color: bool = False) -> str:
    """The whole report. `partial`: what a part of a configuration does not say was not asked for."""
    paint = _paint if color else _plain
    out = [line for difference in drift.differences if not difference.down for line in _one(difference, drift, paint)]
    for fix in fixes:
        out += _fix(fix, paint)
    for gathered in drift.uncovered:
        if not (partial and gathered.silent):
            out.append(_uncovered(gathered, drift.sources, paint))
    out += _apart(drift, paint)
    out.append(_totals(drift, partial=partial))
    return visible_text(out, color=color)


def _plain(_: str, text: str) -> str:
    return text


def _paint(style: str, text: str) -> str:
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m"


def _one(difference: Difference, drift: Drift, paint: Paint) -> Iterator[str]:
    word = "leftover" if difference.leftover else "drift"
    yield f"{paint('error', word)}: {paint('bold', labels.title(difference))} on {reaches(difference)}"
    for value in difference.values:
        name = labels.part(difference, value)
        yield f"  {name + ': ' if name else ''}{_sides(difference, value, drift.sources)}"
    for broken in difference.breaks:
        yield f"  breaks {paint(broken.severity, broken.severity)} {broken.code} {broken.name}: {broken.message}"
    yield ""


def _sides(difference: Difference, value: Value, sources: Sources) -> str:
    meant = labels.meant(difference, value)
    running = labels.running(difference, value)
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
    return places(difference.reach, difference.port_count)


def places(reach: Sequence[Reach], count: int) -> str:
    """Devices and ports, the first few of them, and how many ports there are in all."""
    more = len(reach) - _FEW
    first = "; ".join(map(_place, reach[:_FEW])) + (f" and {more} more places" if more > 0 else "")
    if not any(each.ports for each in reach):
        return first
    return f"{first} ({count} port{'s' * (count != 1)})"


def _place(reach: Reach) -> str:
    return f"{fold(reach.devices)} {fold(reach.ports)}".strip()


def _uncovered(gathered: Gathered, sources: Sources, paint: Paint) -> str:
    where = _where(gathered.places[0], sources)
    if gathered.silent:
        where = f"{where.rpartition(':')[0]}: {_PART}"
    else:
        where = f"{where}: {gathered.why}"
    more = len(gathered.places) - 1
    also = f", and {more} more place{'s' * (more != 1)}" if more else ""
    reach = places(gathered.reach, _ports_in(gathered.reach))
    return f"{paint('info', 'not compared')}: {', '.join(labels.named(gathered.settings))} on {reach} ({where}{also})"


_PART = "a part of a configuration, which does not say it"


def _ports_in(reach: Sequence[Reach]) -> int:
    return sum(len(each.ports) * len(each.devices) for each in reach)


def _fix(fix: SharedFix, paint: Paint) -> Iterator[str]:
    if fix.unknown:
        yield f"{paint('bold', 'no change')} for {fold(fix.devices)}"
        yield f"  not known, and it would have to be touched: {', '.join(fix.unknown)}"
        yield f"  {fix.fix}"
        yield ""
        return
    yield f"{paint('bold', 'change')} for {fold(fix.devices)}"
    for step in fix.steps:
        yield f"  {step.how}"
        yield f"  {step.mark}: {step.why}"
        if step.refused:
            yield f"  refused by the usual way: {step.refused}"
        shown = [*step.lines, *(_cut(line) for line in _operations(step))]  # half a command is worse than a long line
        yield from (f"    {line}" for line in shown[:_MOST])
        if len(shown) > _MOST:
            yield f"    ... {len(shown) - _MOST} more: --patch prints them all"
    if fix.left:
        yield f"  {fix.left} setting{'s' * (fix.left != 1)} would differ even then"
    for line in fix.beyond:
        yield f"  not fixed: {line}"
    yield ""


def _cut(line: str) -> str:
    return line if len(line) <= _WIDEST else line[:_WIDEST] + " ..."


def _operations(step: Step) -> list[str]:
    """The operations of a step, a line each; those that only differ in a number are one."""
    out = []
    for (op, value), same in groupby(step.operations, key=lambda each: (each["op"], json.dumps(each.get("value")))):
        paths = fold(tuple(each["path"] for each in same))
        out.append(f"{op} {paths}" + (f" {value}" if op != "remove" else ""))
    return out


def _apart(drift: Drift, paint: Paint) -> Iterator[str]:
    """What does not count, and what could not be compared."""
    down = [d for d in drift.differences if d.down]
    for difference in down:
        yield f"{paint('info', 'down')}: {labels.title(difference)} on {reaches(difference)}: admin-down, not counted"
    for note, names in drift.notes.items():
        yield f"{paint('info', 'note')}: {fold(tuple(names))} {note}"
    for name, ports in drift.extra.items():
        yield f"{paint('info', 'beyond the intent')}: {name} has PFC on {fold(ports)}, which the intent does not name"
    if drift.absent:
        yield f"{paint('info', 'not compared')}: no configuration of {fold(drift.absent)}"
    for path, host in drift.strangers:
        name = f" ({host})" if host else ""
        yield f"{paint('info', 'not compared')}: {path}{name} is no device of the intent"
    skipped = drift.running.skipped
    if skipped:
        named = ", ".join(skipped[:_FEW]) + (f" and {len(skipped) - _FEW} more files" if len(skipped) > _FEW else "")
        yield f"{paint('info', 'not compared')}: no switch configuration that is known: {named}"


def _totals(drift: Drift, *, partial: bool) -> str:
    """The last line. Only where all was compared it says that there is no drift."""
    if not drift.counts.devices:
        return "nothing was compared"
    counted = sum(not d.down for d in drift.differences)
    devices = f"{drift.counts.devices} device{'s' * (drift.counts.devices != 1)}"
    if counted:
        wording = f"{counted} difference{'s' * (counted != 1)} on {drift.counts.drifting} of {devices}"
    else:
        settings = f"{drift.settings} setting{'s' * (drift.settings != 1)}"
        ports = f" of {drift.ports} port{'s' * (drift.ports != 1)}" if drift.ports else ""
        whole = not drift.uncovered and not drift.refused and not drift.running.errors
        wording = f"no {'drift' if whole else 'difference'} in {settings}{ports} on {devices}"
    unsaid = sum(each.total for each in drift.uncovered if each.silent)
    if partial and unsaid:
        wording += f"; {'this part does' if drift.counts.devices == 1 else 'these parts do'} not say {unsaid}"
    missed = [each for each in drift.uncovered if not (partial and each.silent)]
    return f"{wording}; not compared: {_missed(missed, drift.sources)}" if missed else wording


def _missed(missed: Sequence[Gathered], sources: Sources) -> str:
    """How many settings, and the first few places."""
    found = list(dict.fromkeys(_where(at, sources) for each in missed for at in each.places))
    more = " ..." if len(found) > _FEW else ""
    return f"{sum(each.total for each in missed)} ({', '.join(found[:_FEW])}{more})"
