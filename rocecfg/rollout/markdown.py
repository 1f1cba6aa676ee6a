"""A plan as a checklist in Markdown: what is done, in which order, what to look at, and how to return."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from rocecfg.core.nodeset import fold
from rocecfg.core.visible import visible_text
from rocecfg.rollout.stated import few
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
    "PFC watchdog events (detected and restored): none may be added",
    "drops in the queue and priority group of the lossless class: none may be added",
    "FEC uncorrectable and CRC errors on the changed ports: none may be added",
    "pause frames: few and not steadily more; under load ECN marks come first",
)


def render(plan: Plan, files: Sequence[Sequence[Sequence[str]]] = ()) -> str:
    """The whole plan. `files`: of each stage, part and act, the file that holds its lines; (): the lines are shown."""
    return visible_text(_lines(plan, files))


def _lines(plan: Plan, files: Sequence[Sequence[Sequence[str]]]) -> Iterator[str]:
    changing = [name for stage in plan.stages for name in stage.devices]
    yield f"# Rollout plan: {plan.fabric}"
    yield ""
    source = f"the older intent {plan.origin}" if plan.origin else "the running configurations"
    yield f"From {source} to what the intent means."
    yield ""
    if not changing:
        word = "Nothing could be planned" if plan.refused else "Nothing to do"
        yield f"{word}: {_counted(len(plan.same), 'device')} as meant."
        yield ""
        yield from _covered(plan)
        yield from _apart(plan)
        return
    yield (
        f"{_counted(len(changing), 'device')} to change in {_counted(len(plan.stages), 'stage')}; "
        f"{_counted(len(plan.same), 'device')} as meant{f' ({few(plan.same)})' if plan.same else ''}."
    )
    yield ""
    yield from _covered(plan)
    yield from _summary(plan)
    yield "## What changes"
    yield ""
    yield from (f"- {change}" for change in plan.changes[:_MOST_CHANGES])
    if len(plan.changes) > _MOST_CHANGES:
        yield f"- ... {len(plan.changes) - _MOST_CHANGES} more: `rocecfg drift` shows them all"
    yield ""
    yield from _apart(plan)
    yield from _before()
    for number, stage in enumerate(plan.stages):
        yield from _stage(plan, stage, files[number] if files else ())
    if plan.rollback:
        yield from _whole_back(plan)


def _covered(plan: Plan) -> Iterator[str]:
    """How much was compared with what runs."""
    if plan.covered is not None and plan.covered.settings + plan.covered.uncovered:
        of = f"Compared: {_counted(plan.covered.settings, 'setting')} of {_counted(plan.covered.ports, 'port')}"
        yield f"{of}; not compared: {_counted(plan.covered.uncovered, 'setting')}."
        yield ""


def _summary(plan: Plan) -> Iterator[str]:
    yield "| stage | devices | disturbs | drained |"
    yield "|---|---|---|---|"
    for stage in plan.stages:
        drained = "yes" if any(part.drain for part in stage.parts) else "no"
        yield f"| {stage.number} {stage.title} | {few(stage.devices)} | {stage.mark} | {drained} |"
    yield ""


def _apart(plan: Plan) -> Iterator[str]:
    lines = [f"not in this plan, refused: {line}" for line in plan.refused]
    if plan.absent:
        new = "new, the older intent does not have them" if plan.origin else "no running configuration was given"
        lines.append(f"not in this plan: {few(plan.absent)} ({new}); rocecfg render writes their whole configuration")
    if plan.gone:
        lines.append(f"no longer in the intent: {few(plan.gone)}; nothing is planned for them")
    lines += plan.notes
    if lines:
        yield "## Mind"
        yield ""
        yield from (f"- {line}" for line in lines)
        yield ""


def _before() -> Iterator[str]:
    yield "## Before you begin"
    yield ""
    yield "- [ ] `rocecfg lint` finds no error in the intent"
    yield "- [ ] apply the change to one switch of each system in the lab, if there is one"
    yield "- [ ] note the counters named under Verify: only what they gain from here on says anything"
    yield ""


def _stage(plan: Plan, stage: Stage, files: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"## Stage {stage.number}: {few(stage.devices)}"
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
            f"Until a later stage the ends of {_links(stage.split)} differ in PFC. Nothing that is lossless now is "
            "lost by it: PFC only comes or only goes there."
        )
        yield ""
    if stage.hosts:
        yield (
            f"- [ ] the NICs of {few(stage.hosts)} change their lossless priority in this stage too: their ports' does"
        )
        yield ""
    for number, part in enumerate(stage.parts):
        yield from _part(part, files[number] if files else ())
    yield from _verify(plan, stage)
    if plan.rollback:
        yield "### Rollback of this stage"
        yield ""
        for part in stage.parts:
            yield f"- [ ] {few(part.devices)}: {part.back_note}"
            yield from _block(part.back)
        yield ""


def _part(part: Part, files: Sequence[str]) -> Iterator[str]:
    yield f"### {few(part.devices)} ({part.vendor})"
    yield ""
    yield f"Ports: {fold(part.ports)}." if part.ports else "The switch as a whole."
    if part.pfc:
        yield f"PFC priorities change on {fold(part.pfc)}."
    yield ""
    if part.save:
        yield "- [ ] save what there is"
        yield from _block(part.save)
    if part.drain:
        yield "- [ ] drain: take jobs off the hosts below, then, if the fabric routes with BGP, move traffic away"
        yield from _block(part.drain)
        yield "- [ ] wait until the ports carry no RDMA"
    for number, act in enumerate(part.acts, 1):
        yield from _act(number, act, files[number - 1] if files else "")
    if part.undrain:
        yield "- [ ] bring traffic back"
        yield from _block(part.undrain)
    if part.keep:
        yield "- [ ] save, once: until here a reboot brings back the whole of what was saved before"
        yield from _block(part.keep)
    for line in part.beyond:
        yield f"- not fixed by this: {line}"
    if part.left:
        yield f"- {_counted(part.left, 'setting')} would differ even then: see `rocecfg drift`"
    yield ""


def _act(number: int, act: Act, file: str) -> Iterator[str]:
    step = act.step
    yield f"- [ ] {number}. {act.title}: {step.how}"
    yield f"  - {step.mark}: {step.why}"
    if step.refused:
        yield f"  - refused by the usual way: {step.refused}"
    if file:
        yield f"  - file: `{file}`"
        return
    lines = [*step.lines, *_patch(step.operations)]
    yield from _block(lines[:_MOST_LINES])
    if len(lines) > _MOST_LINES:
        yield f"  - {_counted(len(lines) - _MOST_LINES, 'more line')}: -o DIR writes them all, each step a file"


def _patch(operations: Sequence[object]) -> list[str]:
    """Operations as an RFC 6902 patch, one a line."""
    if not operations:
        return []
    *most, last = [f"  {json.dumps(operation)}" for operation in operations]
    return ["[", *(f"{line}," for line in most), last, "]"]


def _verify(plan: Plan, stage: Stage) -> Iterator[str]:
    yield "### Verify"
    yield ""
    if not stage.validate:
        yield "The intent says `validate: none`: nothing is checked."
        yield ""
        return
    if "counters" in stage.validate:
        for part in _first_of_each(stage.parts):
            yield f"- [ ] on {few(part.devices)} ({part.vendor})"
            yield from _block(part.verify)
        yield "- [ ] compared with the counters noted before:"
        yield from (f"  - {line}" for line in _STILL)
    for test in plan.tests:
        about = f"class {test.cls}, DSCP {test.dscp}: traffic class {test.tos} = {test.dscp} x 4 + 2 (ECT(0))"
        if "perftest" in stage.validate:
            yield f"- [ ] perftest between a host below this stage and one elsewhere ({about}); server, then client"
            yield from _block(test.perftest)
        if "nccl-tests" in stage.validate:
            yield f"- [ ] nccl-tests over hosts of this stage and others ({about}); busbw is no lower than before"
            yield from _block((test.nccl,))
    for each in plan.campaigns:
        if each.device in stage.devices:
            yield f"- [ ] by a traffic generator (Open Traffic Generator API), {each.file} of `-o FOLDER/`: {each.does}"
            yield f"  - expected: {each.expects}"
    if {"perftest", "nccl-tests"} & set(stage.validate) and stage.number == 1:
        yield "- variables:"
        yield from (f"  - {line}" for line in VARIABLES)
    yield "- [ ] `rocecfg drift` with new running configurations says: no drift on these devices"
    yield ""


def _first_of_each(parts: Iterable[Part]) -> list[Part]:
    """Parts of a stage that are looked at with the same commands, together."""
    found: dict[tuple[str, tuple[str, ...]], Part] = {}
    for part in parts:
        known = found.get((part.vendor, part.verify))
        found[part.vendor, part.verify] = (
            part if known is None else known._replace(devices=known.devices + part.devices)
        )
    return list(found.values())


def _whole_back(plan: Plan) -> Iterator[str]:
    yield "## Rollback of the whole"
    yield ""
    yield "Stage by stage, the last one first, each as its own rollback says; devices of one stage together."
    if plan.origin:
        back = "`rocecfg plan OLD_INTENT --running-intent NEW_INTENT`"
        yield f"Where that disturbs too much: {back} plans the way back too."
    yield ""
    for stage in reversed(plan.stages):
        yield f"- [ ] stage {stage.number}: {few(stage.devices)}"
    yield ""


def _block(lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield ""
        yield "  ```"
        yield from (f"  {line}" for line in lines)
        yield "  ```"
        yield ""


def _links(links: Sequence[str]) -> str:
    more = len(links) - 1
    return links[0] + (f" and {_counted(more, 'more link')}" if more else "")


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"
