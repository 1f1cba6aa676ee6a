"""One plan: from what differs to stages, in each the devices that take the same change."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from rocecfg.analysis.ports import Port
from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.drift import labels
from rocecfg.drift.run import Compared
from rocecfg.drift.text import render_reach
from rocecfg.model import Fabric
from rocecfg.rollout.baseline import PlanBasis
from rocecfg.rollout.config import RolloutSettings
from rocecfg.rollout.device import DeviceChange, make_part, work_out_change
from rocecfg.rollout.links import ChangingLinks, find_changing_links
from rocecfg.rollout.otg import make_campaigns
from rocecfg.rollout.stages import Staging
from rocecfg.rollout.stated import OWN, fold_names, take_given_stages
from rocecfg.rollout.traffic import make_tests
from rocecfg.rollout.types import Part, Plan, Stage
from rocecfg.source.document import SourceError
from rocecfg.validation.referee import judge
from rocecfg.validation.verdict import CannotJudge, JudgeOptions
from rocecfg.vendors import part

LABEL = "rocecfg-stage-{}"  # of what is saved before a stage


def make_plan(fabric: Fabric, basis: PlanBasis, rollout: RolloutSettings, models: str | None = None) -> Plan:
    """The plan for a fabric. `models`: the folder of models that judge what runs."""
    named = {one.name: one for one in basis.differing}
    order = [name for device in fabric.devices for name in device.names if name in named]
    names = [*order, *(name for name in named if name not in set(order))]
    found = find_changing_links(fabric, basis.differing)
    staging = Staging(fabric, found, rollout.at_once)
    validated = _validate_running(basis, models)
    stages = _Stages(named, found, rollout, validated.refused)
    by_hand = stages.find_by_hand(names)
    names = [name for name in names if name not in by_hand]
    return Plan(
        fabric.name,
        basis.origin,
        tuple(stages.plan_all(staging, names)),
        tuple(_describe_changes(basis)),
        basis.same,
        basis.absent,
        basis.gone,
        make_tests(fabric) if names else (),
        rollout.rollback,
        (
            *basis.notes,
            *validated.notes,
            *_describe_by_hand(by_hand),
            *(_NO_LINKS if names and not fabric.links else ()),
        ),
        basis.refused,
        make_campaigns(fabric, names),
        basis.covered,
    )


_NO_LINKS = (
    "the intent has no links: devices change one at a time, and it is unknown which link ends must change together",
)


class _Stages:
    def __init__(
        self, named: Mapping[str, Compared], ends: ChangingLinks, rollout: RolloutSettings, refused: Mapping[str, str]
    ) -> None:
        self.named = named
        self.refused = refused
        self.ends = ends
        self.rollout = rollout
        self.stage_of: dict[str, int] = {}
        self.worked: dict[Hashable, DeviceChange] = {}

    def find_by_hand(self, names: Iterable[str]) -> dict[str, str]:
        """The devices that no step changes, and why: a stage of theirs would have nothing in it."""
        coupled = {end[0] for link in (*self.ends.together, *self.ends.apart) for end in link}
        out: dict[str, str] = {}
        for name in names:
            worked = self._work_out_change(name)
            if not worked.acts and name not in coupled:
                out[name] = "; ".join(worked.fixed.change.beyond) or "rocecfg drift shows what differs"
        return out

    def plan_all(self, staging: Staging, names: list[str]) -> Iterable[Stage]:
        """The given stages, then those for what they leave."""
        stages, left = take_given_stages(self.rollout, names, staging, self.ends)
        planned: list[tuple[tuple[str, ...], dict[str, Any]]] = [
            (
                each.devices,
                {
                    "title": "as the intent states",
                    "why": OWN,
                    "given": True,
                    "window": each.stated.window,
                    "breaks": each.breaks,
                    "validate": each.stated.validate,
                },
            )
            for each in stages
        ]
        for group in staging.group_devices(left):
            unnamed = f"; {OWN} do not name {'it' if len(group.devices) == 1 else 'them'}" if stages else ""
            kept = {
                "title": group.title,
                "why": group.why + unnamed,
                "given": False,
                "window": self.rollout.window,
                "breaks": group.breaks,
                "validate": self.rollout.validate,
            }
            planned.append((group.devices, kept))
        for number, (devices, _) in enumerate(planned, 1):
            self.stage_of.update(dict.fromkeys(devices, number))
        for number, (devices, kept) in enumerate(planned, 1):
            yield self._make_stage(number, devices, kept)

    def _make_stage(self, number: int, devices: tuple[str, ...], kept: Mapping[str, Any]) -> Stage:
        touching = [link for link in self.ends.together if any(self.stage_of[end[0]] == number for end in link)]
        split = [
            (a, b)
            for a, b in self.ends.apart
            if min(self.stage_of[a[0]], self.stage_of[b[0]]) == number and self.stage_of[a[0]] != self.stage_of[b[0]]
        ]
        parts = _join_alike(
            make_part(
                self.named[name],
                self._work_out_change(name),
                LABEL.format(number),
                moving=name in self.ends.moving,
                refused=self.refused.get(name),
            )
            for name in devices
        )
        if not self.rollout.rollback:
            parts = tuple(each._replace(save=(), back=(), back_note="") for each in parts)
        return Stage(
            number=number,
            parts=parts,
            hosts=tuple(dict.fromkeys(host for name in devices for host in self.ends.hosts.get(name, ()))),
            together=_format_links(touching),
            split=_format_links(split),
            **kept,
        )

    def _work_out_change(self, name: str) -> DeviceChange:
        """The change of a device; computed once for those whose text and meaning are the same."""
        one = self.named[name]
        key = id(one.meant), one.found.document.number, id(one.wanted)
        if key not in self.worked:
            self.worked[key] = work_out_change(one, self.rollout.order)
        return self.worked[key]


def _describe_by_hand(by_hand: Mapping[str, str]) -> Iterable[str]:
    together: dict[str, list[str]] = {}
    for name, why in by_hand.items():
        together.setdefault(why, []).append(name)
    for why, names in together.items():
        yield f"{fold_names(tuple(names))} differs, but no stage of this plan changes it: {why}"


def _join_alike(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Devices that take the same change, together."""
    alike: dict[str, tuple[Part, list[str]]] = {}
    for each in parts:
        alike.setdefault(repr(each._replace(devices=())), (each, []))[1].extend(each.devices)
    return tuple(found._replace(devices=tuple(names)) for found, names in alike.values())


def _format_links(links: Iterable[tuple[Port, Port]]) -> tuple[str, ...]:
    return tuple(f"{':'.join(a)} -- {':'.join(b)}" for a, b in links)


def _describe_changes(basis: PlanBasis) -> Iterable[str]:
    """What differs, in the words of drift."""
    for difference in basis.differences:
        values = []
        for value in difference.values:
            name = labels.label_part(difference, value)
            sides = labels.label_change(difference, value)
            values.append(f"{name} {sides}" if name else sides)
        yield f"{labels.label_difference(difference)} on {render_reach(difference)}: {', '.join(values)}"


# -- whether the models of the switches' systems take what runs --------------------------------------------------------

_REFUSED = (
    "{}: {} refuse the running configuration ({}). Until that is fixed, {} are refused; rollback is not validated"
)
_UNKNOWN = "{}: the running configuration was not checked by its model ({}): if the model refuses it, so do {}"
_OLDER = "the older intent states only a part of it"


class _Validated(NamedTuple):
    """What came of it. `refused`: by device, why; "": its model takes it; no entry: nobody knows."""

    refused: Mapping[str, str]
    notes: tuple[str, ...]


def _validate_running(basis: PlanBasis, models: str | None) -> _Validated:
    """Judge what the devices of a plan run, where their system does. `models`: the folder that the user names."""
    refused: dict[str, str] = {}
    told: dict[tuple[str, ...], list[str]] = {}
    known: dict[tuple[str, str | None], tuple[str | None, str, str]] = {}
    for one in basis.differing:
        ways = part(one.found.vendor, "procedure").procedure_of(one.meant.device).validating
        if not ways:
            continue
        key = one.found.document.text, one.meant.device.release
        if key not in known:
            known[key] = (None, "", _OLDER) if basis.origin is not None else _judge_running(one, models)
        why, model, unknown = known[key]
        if why is not None:
            refused[one.name] = why
        if why != "":
            told.setdefault((why or "", model, unknown, ways), []).append(one.name)
    return _Validated(refused, tuple(_make_note(fold(tuple(names)), *words) for words, names in told.items()))


def _judge_running(one: Compared, models: str | None) -> tuple[str | None, str, str]:
    """Why its model refuses what a device runs, which model that is, and why nobody knows."""
    release = one.meant.device.release
    try:
        verdict = judge(
            one.found.document, one.found.vendor, JudgeOptions((release,) if release else (), models=models)
        )
    except (CannotJudge, SourceError) as error:
        return None, "", error.message
    if verdict.faults:
        first, *more = (f"{fault.where}: {fault.message}" for fault in verdict.faults)
        return first + (f", and {len(more)} more" if more else ""), verdict.model, ""
    return (None, "", "; ".join(verdict.unjudged)) if verdict.unjudged else ("", verdict.model, "")


def _make_note(names: str, why: str, model: str, unknown: str, ways: str) -> str:
    if not why:
        return _UNKNOWN.format(names, unknown, ways)
    return _REFUSED.format(names, model, why, ways)
