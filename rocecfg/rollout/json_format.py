"""A plan as JSON, version 1: what is written, and its schema."""

from __future__ import annotations

from typing import Any

from rocecfg.core.jsonform import (
    COUNT,
    FLAG,
    LINE,
    PATCH,
    TEXT,
    TEXT_OR_NULL,
    WORD,
    Field,
    always,
    fields,
    listed,
    one_of,
    plain,
    schema_document,
    text_of,
)
from rocecfg.report.fates_json import STATEMENTS
from rocecfg.rollout.config import VALIDATIONS
from rocecfg.rollout.types import Plan
from rocecfg.vendors import VENDORS
from rocecfg.vendors.changes import MARKS

_MARK = one_of(MARKS)
_COUNT_OR_NULL = plain({"type": ["integer", "null"], "minimum": 0})
_TEXTS, _WORDS, _DEVICES = listed(TEXT), listed(WORD), listed(WORD, 1)

_STEP = fields(
    Field("title", WORD, "which part of the change it is"),
    Field("how", WORD, "how to apply it", "step.how"),
    Field("mark", _MARK, "what it disturbs", "step.mark"),
    Field("why", TEXT, "why, or what else is to be known", "step.why"),
    Field("lines", _TEXTS, "commands or configuration lines, in order", "step.lines"),
    Field("operations", listed(PATCH), "operations of an RFC 6902 patch, in order", "step.operations"),
    Field("refused", TEXT_OR_NULL, "why the usual way refuses it; `how` is another way", "step.refused"),
)
_PART = fields(
    Field("devices", _DEVICES, "devices that take the same change"),
    Field("vendor", one_of(VENDORS), "their system"),
    Field("ports", _WORDS, "ports that change, of each"),
    Field("pfc_ports", _WORDS, "of these, the ports whose PFC priorities change", "pfc"),
    Field("mark", _MARK, "its worst disruption"),
    Field("save", _TEXTS, "commands, before anything else"),
    Field("drain", _TEXTS, "commands that move traffic away, if BGP routes; []: not needed"),
    Field("steps", listed(_STEP), "the change, in the order in which it is applied", "acts"),
    Field("undrain", _TEXTS, "commands that bring traffic back"),
    Field("keep", _TEXTS, "commands that save it, once and last of all; []: the steps do"),
    Field("keep_note", TEXT, "what a reboot restores before that"),
    Field("verify", _TEXTS, "commands that show state and counters"),
    Field("rollback", _TEXTS, "commands that roll back to the saved configuration", "back"),
    Field("rollback_note", TEXT, "what to know of them", "back_note"),
    Field("beyond", _TEXTS, "what no change of the configuration fixes"),
    Field("left", COUNT, "settings that differ even after it"),
)
_STAGE = fields(
    Field("number", LINE, "its place in the order"),
    Field("title", WORD, "what it is"),
    Field("why", WORD, "why these devices, and why now"),
    Field("given", FLAG, "the intent's rollout.stages have it"),
    Field("window", TEXT_OR_NULL, "when, in the intent's words"),
    Field("mark", _MARK, "its worst disruption"),
    Field("devices", _DEVICES, "all devices of the stage; each device is in one stage"),
    Field("breaks", _WORDS, "rules that a given stage breaks"),
    Field("together", _WORDS, "links of which both ends change a lossless priority, one of them here"),
    Field("split", _WORDS, "links whose ends differ in PFC until a later stage, at no loss"),
    Field("hosts", _WORDS, "hosts whose NICs change their lossless priority in this stage"),
    Field("validate", listed(one_of(VALIDATIONS)), "how it is checked; []: the intent states none"),
    Field("parts", listed(_PART, 1), "devices that take the same change, together"),
)
_TEST = fields(
    Field("class", WORD, "class that carries RDMA", "cls"),
    Field("dscp", plain({"type": "integer", "minimum": 0, "maximum": 63}), "its code point"),
    Field("traffic_class", plain({"type": "integer", "minimum": 0, "maximum": 255}), "DSCP x 4 + 2 (ECT(0))", "tos"),
    Field("perftest", _WORDS, "the server's command and the client's"),
    Field("nccl_tests", WORD, "a collective over many hosts", "nccl"),
)


def _count_changing(plan: Plan) -> int:
    return sum(len(stage.devices) for stage in plan.stages)


_SUMMARY = fields(
    Field("devices", COUNT, "devices compared", lambda plan: _count_changing(plan) + len(plan.same)),
    Field("changing", COUNT, "devices to change", _count_changing),
    Field("stages", COUNT, "stages", lambda plan: len(plan.stages)),
    Field(
        "settings",
        _COUNT_OR_NULL,
        "settings compared with the running configuration; null: an older intent states all",
        lambda plan: plan.covered and plan.covered.settings,
    ),
    Field(
        "ports",
        _COUNT_OR_NULL,
        "ports of which anything was compared",
        lambda plan: plan.covered and plan.covered.ports,
    ),
    Field(
        "not_compared",
        _COUNT_OR_NULL,
        "settings that are intended and were not compared",
        lambda plan: plan.covered and plan.covered.uncovered,
    ),
)
_PLAN = fields(
    Field("version", always(1), "version of this format"),
    Field("fabric", TEXT, "name of the fabric"),
    Field("from", TEXT_OR_NULL, "the older intent; null: running configurations", "origin"),
    Field("changes", _WORDS, "what differs, in words, the widest first"),
    Field("stages", listed(_STAGE), "the stages in order; []: nothing to do"),
    Field("tests", listed(_TEST), "traffic to test a stage with"),
    Field("same", _WORDS, "devices with nothing to do"),
    Field("absent", _WORDS, "devices without known state: not in the plan"),
    Field("gone", _WORDS, "devices that only the older intent has"),
    Field("notes", _WORDS, "what else is to be known"),
    Field("refused", _WORDS, "what could not be compared: the plan is not whole, exit code 2"),
    Field("summary", _SUMMARY, "how much", lambda plan: plan),
    Field(
        "statements",
        STATEMENTS,
        "what became of the statements of what runs; null: an older intent says what does",
        lambda plan: plan.covered and plan.covered.fates,
    ),
)


def render(plan: Plan) -> str:
    """The envelope `{version, fabric, from, stages, ...}`."""
    return text_of(_PLAN, plan)


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1."""
    return schema_document("plan", "rocecfg plan, version 1: what `rocecfg plan --format json` writes", _PLAN)
