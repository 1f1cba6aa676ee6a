"""A plan as a checklist in Markdown: what is done, in which order, what to look at, and how to return."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from rocecfg.core.nodeset import fold
from rocecfg.core.visible import visible_text
from rocecfg.rollout.stated import fold_names
from rocecfg.rollout.traffic import VARIABLES
from rocecfg.rollout.types import Part, Plan, Stage
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP
from rocecfg.vendors.rollout import Act

_MOST_LINES = 40  # of one step; -o DIR and the JSON have them all
_MOST_CHANGES = 20
_DISTURBS = {
    HITLESS: "hitless: traffic goes on",
    BRIEF_PAUSE: "brief pause: packets may be lost for a moment, so use a window",
    PORT_FLAP: "ports flap: links go down and come back, so drain first",
    "service-restart": "services restart: traffic stops, so drain first",
    "reload": "the switch reloads: traffic stops, so drain first",
}
_STILL = (
    "PFC watchdog events (detected and restored): no new ones",
    "drops in the queue and priority group of the lossless class: no new ones",
    "FEC uncorrectable and CRC errors on the changed ports: no new ones",
    "pause frames: few, and not steadily increasing; under load ECN marks come first",
)


def render(plan: Plan, files: Sequence[Sequence[Sequence[str]]] = ()) -> str:
    """The whole plan. `files`: of each stage, part and act, the file that holds its lines; (): the lines are shown."""
    return visible_text(_render_plan(plan, files))


def _render_plan(plan: Plan, files: Sequence[Sequence[Sequence[str]]]) -> Iterator[str]:
    changing = [name for stage in plan.stages for name in stage.devices]
    yield f"# Rollout plan: {plan.fabric}"
    yield ""
    source = f"the older intent {plan.origin}" if plan.origin else "the running configurations"
    yield f"From {source} to the intent."
    yield ""
    if not changing:
        differs = "No step changes what differs"
        word = "Nothing could be planned" if plan.refused else differs if plan.changes else "Nothing to do"
        yield f"{word}: {_format_count(len(plan.same), 'device')} as intended."
        yield ""
        yield from _render_covered(plan)
        yield from _render_changes(plan)
        yield from _render_notes(plan)
        return
    yield (
        f"{_format_count(len(changing), 'device')} to change in {_format_count(len(plan.stages), 'stage')}; "
        f"{_format_count(len(plan.same), 'device')} as intended{f' ({fold_names(plan.same)})' if plan.same else ''}."
    )
    yield ""
    yield from _render_covered(plan)
    yield from _render_summary(plan)
    yield from _render_changes(plan)
    yield from _render_notes(plan)
    yield from _render_preparation()
    for number, stage in enumerate(plan.stages):
        yield from _render_stage(plan, stage, files[number] if files else ())
    if plan.rollback:
        yield from _render_whole_rollback(plan)


def _render_changes(plan: Plan) -> Iterator[str]:
    if not plan.changes:
        return
    yield "## What changes"
    yield ""
    yield from (f"- {change}" for change in plan.changes[:_MOST_CHANGES])
    if len(plan.changes) > _MOST_CHANGES:
        yield f"- ... {len(plan.changes) - _MOST_CHANGES} more: `rocecfg drift` shows them all"
    yield ""


def _render_covered(plan: Plan) -> Iterator[str]:
    """How much was compared with what runs."""
    if plan.covered is not None and plan.covered.settings + plan.covered.uncovered:
        settings, ports = _format_count(plan.covered.settings, "setting"), _format_count(plan.covered.ports, "port")
        uncovered = _format_count(plan.covered.uncovered, "setting")
        stands = f" Read: {plan.covered.statements}." if plan.covered.statements else ""
        yield f"Compared: {settings} of {ports}; not compared: {uncovered}.{stands}"
        yield ""


def _render_summary(plan: Plan) -> Iterator[str]:
    yield "| stage | devices | disturbs | drained |"
    yield "|---|---|---|---|"
    for stage in plan.stages:
        drained = "yes" if any(part.drain for part in stage.parts) else "no"
        yield f"| {stage.number} {stage.title} | {fold_names(stage.devices)} | {stage.mark} | {drained} |"
    yield ""


def _render_notes(plan: Plan) -> Iterator[str]:
    lines = [f"not in this plan, refused: {line}" for line in plan.refused]
    if plan.absent:
        new = "new, the older intent does not have them" if plan.origin else "no running configuration was given"
        lines.append(
            f"not in this plan: {fold_names(plan.absent)} ({new}); rocecfg render writes their whole configuration"
        )
    if plan.gone:
        lines.append(f"no longer in the intent: {fold_names(plan.gone)}; nothing is planned for them")
    lines += plan.notes
    if lines:
        yield "## Mind"
        yield ""
        yield from (f"- {line}" for line in lines)
        yield ""


def _render_preparation() -> Iterator[str]:
    yield "## Before you begin"
    yield ""
    yield "- [ ] `rocecfg lint` finds no error in the intent"
    yield "- [ ] apply the change to one switch of each system in the lab, if there is one"
    yield "- [ ] note the counters listed under Verify: only later increases count"
    yield ""


def _render_stage(plan: Plan, stage: Stage, files: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"## Stage {stage.number}: {fold_names(stage.devices)}"
    yield ""
    yield f"Why these: {stage.why}."
    yield ""
    yield f"Disturbs: {_DISTURBS[stage.mark]}."
    yield ""
    if stage.window:
        yield f"Window: {stage.window}."
        yield ""
    if stage.breaks:
        yield "**This stage breaks rules:**"
        yield ""
        yield from (f"- {line}" for line in stage.breaks)
        yield ""
    if stage.split:
        yield (
            f"Until a later stage the ends of {_format_links(stage.split)} differ in PFC. No traffic that is lossless "
            "now is lost: PFC is only added or only removed there."
        )
        yield ""
    if stage.hosts:
        yield (
            f"- [ ] the NICs of {fold_names(stage.hosts)} change their lossless priority in this stage too, as their "
            "switch ports do"
        )
        yield ""
    for number, part in enumerate(stage.parts):
        yield from _render_part(part, files[number] if files else ())
    yield from _render_checks(plan, stage)
    if plan.rollback:
        yield "### Rollback of this stage"
        yield ""
        for part in stage.parts:
            yield f"- [ ] {fold_names(part.devices)}: {part.back_note}"
            yield from _render_block(part.back)
        yield ""


def _render_part(part: Part, files: Sequence[str]) -> Iterator[str]:
    yield f"### {fold_names(part.devices)} ({part.vendor})"
    yield ""
    yield f"Ports: {fold(part.ports)}." if part.ports else "The switch as a whole."
    if part.pfc:
        yield f"PFC priorities change on {fold(part.pfc)}."
    yield ""
    if part.save:
        yield "- [ ] save the current configuration"
        yield from _render_block(part.save)
    if part.drain:
        yield "- [ ] drain: stop jobs on the hosts below, then, if the fabric routes with BGP, move traffic away"
        yield from _render_block(part.drain)
        yield "- [ ] wait until the ports carry no RDMA"
    for number, act in enumerate(part.acts, 1):
        yield from _render_act(number, act, files[number - 1] if files else "")
    if part.undrain:
        yield "- [ ] bring traffic back"
        yield from _render_block(part.undrain)
    if part.keep:
        back = " and traffic is back" if part.undrain else ""
        yield f"- [ ] save once, now that every step is applied{back}. {part.keep_note}"
        yield from _render_block(part.keep)
    elif part.keep_note:
        yield f"- {part.keep_note}"
    for line in part.beyond:
        yield f"- not fixed by this: {line}"
    if part.left:
        yield f"- {_format_count(part.left, 'setting')} would still differ: see `rocecfg drift`"
    yield ""


def _render_act(number: int, act: Act, file: str) -> Iterator[str]:
    step = act.step
    yield f"- [ ] {number}. {act.title}: {step.how}"
    yield f"  - {step.mark}: {step.why}"
    if step.refused:
        yield f"  - the usual way is refused: {step.refused}"
    if file:
        yield f"  - file: `{file}`"
        return
    lines = [*step.lines, *_format_patch(step.operations)]
    yield from _render_block(lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        yield (
            f"  - {_format_count(len(lines) - _MOST_LINES, 'more line')}: -o DIR writes all of them, one file per step"
        )


def _format_patch(operations: Sequence[object]) -> list[str]:
    """Operations as an RFC 6902 patch, one a line."""
    if not operations:
        return []
    *most, last = [f"  {json.dumps(operation)}" for operation in operations]
    return ["[", *(f"{line}," for line in most), last, "]"]


def _render_checks(plan: Plan, stage: Stage) -> Iterator[str]:
    yield "### Verify"
    yield ""
    if not stage.validate:
        yield "The intent has `validate: none`: nothing is checked."
        yield ""
        return
    if "counters" in stage.validate:
        for part in _join_same_checks(stage.parts):
            yield f"- [ ] on {fold_names(part.devices)} ({part.vendor})"
            yield from _render_block(part.verify)
        yield "- [ ] compare with the counters noted before:"
        yield from (f"  - {line}" for line in _STILL)
    for test in plan.tests:
        about = f"class {test.cls}, DSCP {test.dscp}: traffic class {test.tos} = {test.dscp} x 4 + 2 (ECT(0))"
        if "perftest" in stage.validate:
            yield f"- [ ] perftest between a host below this stage and one elsewhere ({about}); server, then client"
            yield from _render_block(test.perftest)
        if "nccl-tests" in stage.validate:
            yield f"- [ ] nccl-tests over hosts of this stage and others ({about}); busbw is no lower than before"
            yield from _render_block((test.nccl,))
    for each in plan.campaigns:
        if each.device in stage.devices:
            yield f"- [ ] by a traffic generator (Open Traffic Generator API), {each.file} of `-o FOLDER/`: {each.does}"
            yield f"  - expected: {each.expects}"
    if {"perftest", "nccl-tests"} & set(stage.validate) and stage.number == 1:
        yield "- variables:"
        yield from (f"  - {line}" for line in VARIABLES)
    yield "- [ ] `rocecfg drift` with new running configurations reports no drift on these devices"
    yield ""


def _join_same_checks(parts: Iterable[Part]) -> list[Part]:
    """Parts of a stage that are looked at with the same commands, together."""
    found: dict[tuple[str, tuple[str, ...]], Part] = {}
    for part in parts:
        known = found.get((part.vendor, part.verify))
        found[part.vendor, part.verify] = (
            part if known is None else known._replace(devices=known.devices + part.devices)
        )
    return list(found.values())


def _render_whole_rollback(plan: Plan) -> Iterator[str]:
    yield "## Rollback of the whole change"
    yield ""
    yield "Stage by stage, the last one first, each by its own rollback; devices of one stage together."
    if plan.origin:
        back = "`rocecfg plan OLD_INTENT --running-intent NEW_INTENT`"
        yield f"If that disturbs too much: {back} plans the rollback too."
    yield ""
    for stage in reversed(plan.stages):
        yield f"- [ ] stage {stage.number}: {fold_names(stage.devices)}"
    yield ""


def _render_block(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield "  ```"
        yield from (f"  {line}" for line in lines)
        yield "  ```"
        yield ""


def _format_links(links: Sequence[str]) -> str:
    more = len(links) - 1
    return links[0] + (f" and {_format_count(more, 'more link')}" if more else "")


def _format_count(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"
