"""Drift for people: each difference with its two places, what it breaks, and the change that fixes it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from rocecfg.core.nodeset import fold, fold_set
from rocecfg.core.visible import visible_text
from rocecfg.drift import labels
from rocecfg.drift.changes import SharedFix
from rocecfg.drift.coverage import UncoveredGroup
from rocecfg.drift.differences import Difference, DriftReach, Value
from rocecfg.drift.run import Drift
from rocecfg.drift.uncompared import Uncompared
from rocecfg.drift.unnamed import UnnamedPorts
from rocecfg.model import Computed, Origin, Span, spans_of
from rocecfg.report.fates import describe_fates, list_unjudged
from rocecfg.report.masking import mask_secrets
from rocecfg.report.places import locate_span
from rocecfg.report.plan import Origins
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import Step

Paint = Callable[[str, str], str]  # style, text
_COLOURS = {"error": "31;1", "warning": "33;1", "info": "36;1", "bold": "1"}
_MOST = 8  # lines of a change that are shown
_WIDEST = 160  # characters of an operation
_FEW = 3  # places and files that are named


def render(
    drift: Drift, fixes: Sequence[SharedFix], *, partial: bool = False, unstated: bool = False, color: bool = False
) -> str:
    """The whole report. `partial`: what a part of a configuration does not say was not asked for.

    `unstated`: with the settings that run and no intent states.
    """
    paint = _paint if color else _leave_plain
    out = [
        line
        for difference in drift.differences
        if not difference.down
        for line in _render_difference(difference, drift, paint)
    ]
    for fix in fixes:
        out += _render_fix(fix, paint)
    for gathered in drift.uncovered:
        if not (partial and gathered.silent):
            out.append(_render_uncovered(gathered, drift.sources, paint))
    out += [_render_uncovered(gathered, drift.sources, paint) for gathered in drift.own]
    out += _render_apart(drift, paint)
    out += _render_unstated(drift) if unstated else ()
    out += _render_stand(drift)
    out.append(_render_totals(drift, partial=partial))
    return visible_text(out, color=color)


def _leave_plain(_: str, text: str) -> str:
    return text


def _paint(style: str, text: str) -> str:
    return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m"


def _render_difference(difference: Difference, drift: Drift, paint: Paint) -> Iterator[str]:
    word = "leftover" if difference.leftover else "drift"
    yield f"{paint('error', word)}: {paint('bold', labels.label_difference(difference))} on {render_reach(difference)}"
    for value in difference.values:
        name = labels.label_part(difference, value)
        yield f"  {name + ': ' if name else ''}{_render_sides(difference, value, drift.sources)}"
    at = _find_doubt(difference, drift.uncovered)
    if at is not None:
        yield f"  not sure: a statement that is not understood may set it ({_render_place(at, drift.sources)})"
    for broken in difference.breaks:
        yield f"  breaks {paint(broken.severity, broken.severity)} {broken.code} {broken.name}: {broken.message}"
    yield ""


def _find_doubt(difference: Difference, uncovered: Iterable[UncoveredGroup]) -> Span | None:
    """The first statement on a device of a difference that is not understood, and may set what differs."""
    devices = {device for each in difference.reach for device in each.devices}
    for one in uncovered:
        hit = any(what.topic == difference.topic and what.number == difference.number for what in one.settings)
        if hit and not one.silent and one.why and devices & {name for each in one.reach for name in each.devices}:
            return one.places[0]
    return None


def _render_sides(difference: Difference, value: Value, sources: Sources) -> str:
    meant = labels.label_meant(difference, value)
    running = labels.label_running(difference, value)
    of = value.meant_at
    here = _render_working(of, sources) if isinstance(of, Computed) else _render_place(of, sources)
    there = _render_place(value.running_at or value.near, sources)
    return f"meant {meant}{f' ({here})' if here else ''}, running {running}{f' ({there})' if there else ''}"


def _render_working(of: Computed, sources: Sources) -> str:
    """How a value was computed, and the line that asks for it; `rocecfg show` has the figures behind it."""
    stated = [_render_place(each, sources) for each in of.inputs if isinstance(each, Span)]
    return Origins(sources, inputs=False)(of) + (f" [{', '.join(dict.fromkeys(stated))}]" if stated else "")


def _render_place(origin: Origin | None, sources: Sources) -> str:
    if origin is None:
        return ""
    spans = spans_of(origin)
    if not spans:
        return Origins(sources)(origin)
    at = locate_span(spans[0], sources)
    return f"{at.path}:{at.line}"


def render_reach(difference: Difference) -> str:
    """Where a difference is: `leaf[01-04] Ethernet[0-248/8] (256 ports)`."""
    return render_places(difference.reach, difference.port_count)


def render_places(reach: Sequence[DriftReach], count: int) -> str:
    """Devices and ports, the first few of them, and how many ports there are in all."""
    more = len(reach) - _FEW
    first = "; ".join(map(_render_devices_and_ports, reach[:_FEW])) + (f" and {more} more places" if more > 0 else "")
    if not any(each.ports for each in reach):
        return first
    return f"{first} ({count} port{'s' * (count != 1)})"


def _render_devices_and_ports(reach: DriftReach) -> str:
    return f"{fold_set(reach.devices)} {fold(reach.ports)}".strip()


def _render_uncovered(gathered: UncoveredGroup, sources: Sources, paint: Paint) -> str:
    where = _render_place(gathered.places[0], sources)
    if gathered.silent:
        where = f"{where.rpartition(':')[0]}: {_PART}"
    else:
        where = f"{where}: {gathered.why}"
    more = len(gathered.places) - 1
    also = f", and {more} more place{'s' * (more != 1)}" if more else ""
    reach = render_places(gathered.reach, _count_ports(gathered.reach))
    settings = ", ".join(labels.label_settings(gathered.settings))
    return f"{paint('info', 'not compared')}: {settings} on {reach} ({where}{also})"


_PART = "part of a configuration, which does not contain it"


def _count_ports(reach: Sequence[DriftReach]) -> int:
    return sum(len(each.ports) * len(each.devices) for each in reach)


def _render_fix(fix: SharedFix, paint: Paint) -> Iterator[str]:
    if fix.unknown:
        yield f"{paint('bold', 'no change')} for {fold_set(fix.devices)}"
        yield f"  unknown, but the fix would touch it: {', '.join(fix.unknown)}"
        yield f"  {fix.fix}"
        yield ""
        return
    yield f"{paint('bold', 'change')} for {fold_set(fix.devices)}"
    for step in fix.steps:
        yield f"  {step.told}"
        yield f"  {step.mark}: {step.why}"
        if step.refused:
            yield f"  the usual way is refused: {step.refused}"
        shown = [
            *step.lines,
            *(_cut_line(line) for line in _fold_operations(step)),
        ]  # half a command is worse than a long line
        yield from (f"    {line}" for line in shown[:_MOST])
        if len(shown) > _MOST:
            yield f"    ... {len(shown) - _MOST} more: --patch prints them all"
    if fix.left:
        yield f"  {fix.left} setting{'s' * (fix.left != 1)} would still differ"
    for line in fix.beyond:
        yield f"  not fixed: {line}"
    yield ""


def _cut_line(line: str) -> str:
    return line if len(line) <= _WIDEST else line[:_WIDEST] + " ..."


def _fold_operations(step: Step) -> list[str]:
    """The operations of a step, a line each; those that only differ in a number are one."""
    out = []
    for (op, value), same in groupby(step.operations, key=lambda each: (each["op"], json.dumps(each.get("value")))):
        paths = fold(tuple(each["path"] for each in same))
        out.append(f"{op} {paths}" + (f" {value}" if op != "remove" else ""))
    return out


def _render_apart(drift: Drift, paint: Paint) -> Iterator[str]:
    """What does not count, and what could not be compared."""
    down = [d for d in drift.differences if d.down]
    for difference in down:
        title, reach = labels.label_difference(difference), render_reach(difference)
        yield f"{paint('info', 'down')}: {title} on {reach}: admin-down, not counted"
    for note, names in drift.notes.items():
        yield f"{paint('info', 'note')}: {fold_set(tuple(names))} {note}"
    for gathered in drift.uncompared.items():
        yield _render_uncompared(*gathered, drift.sources, paint)
    for why, (settings, devices) in drift.others.same.items():
        what = ", ".join(labels.label_settings(tuple(settings)))
        yield f"{paint('info', 'differs, same effect')}: {what} on {fold_set(tuple(devices))}: {why}"
    for why, (statements, devices) in drift.others.statements.items():
        what = quote_statements(statements)
        yield f"{paint('info', 'differs, same effect')}: {what} on {fold_set(tuple(devices))}: {why}"
    for name, kinds in drift.unnamed.items():
        for ports in kinds:
            yield _render_unnamed(name, ports, drift.sources, paint)
    if drift.absent:
        yield f"{paint('info', 'not compared')}: no configuration of {fold_set(drift.absent)}"
    for path, host in drift.strangers:
        name = f" ({host})" if host else ""
        yield f"{paint('info', 'not compared')}: {path}{name} is not a device of the intent"
    skipped = drift.running.skipped
    if skipped:
        named = ", ".join(skipped[:_FEW]) + (f" and {len(skipped) - _FEW} more files" if len(skipped) > _FEW else "")
        yield f"{paint('info', 'not compared')}: no switch configuration that is known: {named}"


def quote_statements(texts: Iterable[str]) -> str:
    """The first of some statements, and how many more there are."""
    first, *rest = texts
    return f"{_cut_line(mask_secrets(first))}{f' and {len(rest):,} more' if rest else ''}"


def _render_uncompared(of: Uncompared, names: Sequence[str], sources: Sources, paint: Paint) -> str:
    what = f"{', '.join(of.titles)} on " if of.titles else ""
    return (
        f"{paint('info', 'not compared')}: {what}{fold_set(tuple(names))} ({_render_place(of.at, sources)}): {of.why}"
    )


def _render_unnamed(name: str, ports: UnnamedPorts, sources: Sources, paint: Paint) -> str:
    does = f"PFC on {fold(ports.names)}" if ports.priorities else f"{fold(ports.names)} up and configured"
    place = _render_place(ports.at, sources)
    return f"{paint(ports.severity, ports.severity)}: {name} has {does}, but the intent does not name it ({place})"


def _render_stand(drift: Drift) -> Iterator[str]:
    """What the last line stands on: the statements of what runs, and the settings that nobody states."""
    more = drift.others.number
    if drift.counts.devices and drift.fates.total:
        wording = f"; {more:,} running setting{'s' * (more != 1)} that the intent does not state" if more else ""
        yield f"{describe_fates(drift.fates, drift.sources)}{wording}"


def _render_unstated(drift: Drift) -> Iterator[str]:
    """The settings that run and no intent states, and the statements that are neither checked nor foreign."""
    for one in drift.others.unstated.values():
        place = _render_place(one.at, drift.sources)
        numbers = f" {fold(tuple(one.numbers)).strip('[]')}" if one.numbers else ""
        name = f"{one.what.topic}{'.' + one.what.part if one.what.part else ''}{numbers}"
        value = labels.label_value(one.what.topic, one.what.part, one.value)
        yield f"unstated: {name}: {value} on {fold_set(tuple(one.devices))}{f' ({place})' if place else ''}"
    yield from list_unjudged([drift.fates], drift.sources)


def _render_totals(drift: Drift, *, partial: bool) -> str:
    """The last line. Only where all is known and was compared it says that there is no drift."""
    if not drift.counts.devices:
        return "nothing was compared"
    counted = sum(not d.down for d in drift.differences)
    devices = f"{drift.counts.devices} device{'s' * (drift.counts.devices != 1)}"
    if counted:
        wording = f"{counted} difference{'s' * (counted != 1)} on {drift.counts.drifting} of {devices}"
    else:
        settings = f"{drift.settings} setting{'s' * (drift.settings != 1)}"
        ports = f" of {drift.ports} port{'s' * (drift.ports != 1)}" if drift.ports else ""
        left = drift.fates.counts[-1] or drift.unnamed or drift.uncovered or drift.refused or drift.running.errors
        wording = f"no {'difference' if left else 'drift'} in {settings}{ports} on {devices}"
    unnamed = sum(len(ports.names) for kinds in drift.unnamed.values() for ports in kinds)
    if unnamed:
        wording += f"; {unnamed} port{'s' * (unnamed != 1)} in use that the intent does not name"
    unsaid = sum(each.total for each in drift.uncovered if each.silent)
    if partial and unsaid:
        wording += f"; {'this part does' if drift.counts.devices == 1 else 'these parts do'} not contain {unsaid}"
    missed = [each for each in drift.uncovered if not (partial and each.silent)]
    if not missed:
        return wording
    parts = "; give whole configurations, or --partial" if unsaid and not partial else ""
    return f"{wording}; not compared: {_render_missed(missed, drift.sources)}{parts}"


def _render_missed(missed: Sequence[UncoveredGroup], sources: Sources) -> str:
    """How many settings, and the first few places."""
    found = list(dict.fromkeys(_render_place(at, sources) for each in missed for at in each.places))
    more = " ..." if len(found) > _FEW else ""
    total = sum(each.total for each in missed)
    return f"{total} setting{'s' * (total != 1)} ({', '.join(found[:_FEW])}{more})"
