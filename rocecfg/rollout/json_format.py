"""A plan as JSON, version 1; `json_schema` says what it is made of."""

from __future__ import annotations

import json
from typing import Any

from rocecfg.rollout.types import Part, Plan, Stage


def render(plan: Plan) -> str:
    """The envelope `{version, fabric, from, stages, ...}`."""
    changing = sum(len(stage.devices) for stage in plan.stages)
    envelope = {
        "version": 1,
        "fabric": plan.fabric,
        "from": plan.origin,
        "changes": list(plan.changes),
        "stages": [_stage(stage) for stage in plan.stages],
        "tests": [
            {
                "class": test.cls,
                "dscp": test.dscp,
                "traffic_class": test.tos,
                "perftest": list(test.perftest),
                "nccl_tests": test.nccl,
            }
            for test in plan.tests
        ],
        "same": list(plan.same),
        "absent": list(plan.absent),
        "gone": list(plan.gone),
        "notes": list(plan.notes),
        "refused": list(plan.refused),
        "summary": {"devices": changing + len(plan.same), "changing": changing, "stages": len(plan.stages)},
    }
    return json.dumps(envelope, indent=1, ensure_ascii=False) + "\n"


def _stage(stage: Stage) -> dict[str, Any]:
    return {
        "number": stage.number,
        "title": stage.title,
        "why": stage.why,
        "given": stage.given,
        "window": stage.window,
        "mark": stage.mark,
        "devices": list(stage.devices),
        "breaks": list(stage.breaks),
        "together": list(stage.together),
        "split": list(stage.split),
        "hosts": list(stage.hosts),
        "validate": list(stage.validate),
        "parts": [_part(part) for part in stage.parts],
    }


def _part(part: Part) -> dict[str, Any]:
    return {
        "devices": list(part.devices),
        "vendor": part.vendor,
        "ports": list(part.ports),
        "pfc_ports": list(part.pfc),
        "mark": part.mark,
        "save": list(part.save),
        "drain": list(part.drain),
        "steps": [
            {
                "title": act.title,
                "how": act.step.how,
                "mark": act.step.mark,
                "why": act.step.why,
                "lines": list(act.step.lines),
                "operations": [dict(operation) for operation in act.step.operations],
                "refused": act.step.refused,
            }
            for act in part.acts
        ],
        "undrain": list(part.undrain),
        "keep": list(part.keep),
        "verify": list(part.verify),
        "rollback": list(part.back),
        "rollback_note": part.back_note,
        "beyond": list(part.beyond),
        "left": part.left,
    }
