"""What an intent's section `rollout` says of a plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from rocecfg.core.nodeset import names_of
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Span
from rocecfg.model.catalogue import PHASES
from rocecfg.rollout.stages import AT_ONCE
from rocecfg.source.document import Sources

VALIDATIONS = ("counters", "perftest", "nccl-tests")


class StatedStage(NamedTuple):
    """A stage as the intent has it."""

    devices: tuple[str, ...]
    window: str | None
    validate: tuple[str, ...]


class RolloutSettings(NamedTuple):
    """The section, with what holds where it is silent."""

    older: str | None  # path of the intent that runs now
    stages: tuple[StatedStage, ...]
    order: tuple[str, ...]  # of the parts of a change
    at_once: float  # share of a tier
    window: str | None
    validate: tuple[str, ...]
    rollback: bool  # what to save and how to return
    older_at: Span | None  # where `older` is named


def read_rollout(fabric: Fabric, sources: Sources) -> RolloutSettings:
    """What the intent says, paths counted from the file that says it."""
    stated: Mapping[str, Any] = fabric.facts.get("rollout") or {}
    older = stated.get("from")
    path = None
    if older is not None:
        path = os.path.normpath(os.path.join(os.path.dirname(sources.documents[older.at.doc].path), older.value))
    window = _get_value(stated, "window")
    validate = _read_validations(stated.get("validate"), VALIDATIONS)
    order = [val.value for val in stated["order"].value] if "order" in stated else []
    stages = []
    for stage in stated["stages"].value if "stages" in stated else ():
        devices = stage.value.get("devices")
        if devices is not None:
            validates = _read_validations(stage.value.get("validate"), validate)
            stages.append(StatedStage(names_of(devices.value), _get_value(stage.value, "window") or window, validates))
    return RolloutSettings(
        path,
        tuple(stages),
        (*order, *(word for word in PHASES if word not in order)) if order else PHASES,
        stated["at_once"].value / 100 if "at_once" in stated else AT_ONCE,
        window,
        validate,
        _get_value(stated, "rollback") != "none",
        older.at if older is not None else None,
    )


def _get_value(stated: Mapping[str, Any], key: str) -> str | None:
    return stated[key].value if key in stated else None


def _read_validations(val: Any, otherwise: tuple[str, ...]) -> tuple[str, ...]:
    if val is None:
        return otherwise
    return () if val.value == "none" else tuple(each.value for each in val.value)
