"""A plan as a folder: the plan itself, and each step of each device as a file that is ready to apply."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rocecfg.core.visible import visible_text
from rocecfg.rollout.stated import fold_names
from rocecfg.rollout.types import Plan
from rocecfg.vendors import row
from rocecfg.vendors.rollout import Act


def name_files(plan: Plan) -> list[list[list[str]]]:
    """Of each stage, part and step, the file of its lines, below the folder; devices of a part as a node set."""
    return [
        [
            [
                _name_file(stage.number, fold_names(part.devices), part.vendor, number, act)
                for number, act in enumerate(part.acts, 1)
            ]
            for part in stage.parts
        ]
        for stage in plan.stages
    ]


def render_files(plan: Plan) -> Iterator[tuple[str, str]]:
    """Path below the folder, and text, of every step of every device, and of the tests by a traffic generator."""
    for stage in plan.stages:
        for part in stage.parts:
            for device in part.devices:
                for number, act in enumerate(part.acts, 1):
                    yield _name_file(stage.number, device, part.vendor, number, act), _render_act(act)
    for each in plan.campaigns:
        yield each.file, json.dumps(each.config, indent=2) + "\n"


def _name_file(stage: int, devices: str, vendor: str, number: int, act: Act) -> str:
    end = ".json" if act.step.operations else row(vendor).suffix
    return f"stage-{stage}/{devices}-{number}{end}"


def _render_act(act: Act) -> str:
    if not act.step.operations:
        return visible_text(act.step.lines)
    return "[\n" + ",\n".join(f"    {json.dumps(operation)}" for operation in act.step.operations) + "\n]\n"
