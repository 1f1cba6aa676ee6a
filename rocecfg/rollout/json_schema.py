"""The output of `rocecfg plan --format json` as JSON Schema, for programs that read it."""

from __future__ import annotations

from typing import Any

from rocecfg.rollout.config import VALIDATIONS
from rocecfg.vendors import VENDORS
from rocecfg.vendors.mending import MARKS

_COUNT = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}
_WORD = {"type": "string", "minLength": 1}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_MARK = {"enum": list(MARKS)}


def _key(of: dict[str, Any], means: str) -> dict[str, Any]:
    return {**of, "description": means}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """An object that has all of these keys; a later release may add others."""
    return {"type": "object", "properties": properties, "required": list(properties)}


_STEP = _object(
    {
        "title": _key(_WORD, "which part of the change it is"),
        "how": _key(_WORD, "how to apply it"),
        "mark": _key(_MARK, "what it disturbs"),
        "why": _key(_TEXT, "why, or what else is to be known"),
        "lines": _key(_list(_TEXT), "commands or configuration lines, in order"),
        "operations": _key(_list({"type": "object"}), "operations of an RFC 6902 patch, in order"),
        "refused": _key(_TEXT_OR_NULL, "why the usual way does not take it; `how` is another"),
    }
)
_PART = _object(
    {
        "devices": _key({**_list(_WORD), "minItems": 1}, "devices that take the same change"),
        "vendor": _key({"enum": list(VENDORS)}, "their system"),
        "ports": _key(_list(_WORD), "ports that change, of each"),
        "pfc_ports": _key(_list(_WORD), "of these, the ports whose PFC priorities change"),
        "mark": _key(_MARK, "the worst that it disturbs"),
        "save": _key(_list(_TEXT), "commands, before anything else"),
        "drain": _key(_list(_TEXT), "commands that move traffic away, if BGP routes; []: not needed"),
        "steps": _key(_list(_STEP), "the change, in the order in which it is applied"),
        "undrain": _key(_list(_TEXT), "commands that bring traffic back"),
        "keep": _key(_list(_TEXT), "commands that save it, last of all; []: the steps do"),
        "verify": _key(_list(_TEXT), "commands that show state and counters"),
        "rollback": _key(_list(_TEXT), "commands that return to what was saved"),
        "rollback_note": _key(_TEXT, "what to know of them"),
        "beyond": _key(_list(_TEXT), "what no change of the configuration mends"),
        "left": _key(_COUNT, "settings that differ even after it"),
    }
)
_STAGE = _object(
    {
        "number": _key({"type": "integer", "minimum": 1}, "its place in the order"),
        "title": _key(_WORD, "what it is"),
        "why": _key(_WORD, "why these devices, and why now"),
        "given": _key({"type": "boolean"}, "the intent's rollout.stages have it"),
        "window": _key(_TEXT_OR_NULL, "when, in the intent's words"),
        "mark": _key(_MARK, "the worst that it disturbs"),
        "devices": _key({**_list(_WORD), "minItems": 1}, "all devices of the stage; each device is in one stage"),
        "breaks": _key(_list(_WORD), "rules that a given stage breaks"),
        "together": _key(_list(_WORD), "links of which both ends change a lossless priority, one of them here"),
        "split": _key(_list(_WORD), "links whose ends differ in PFC until a later stage, at no loss"),
        "hosts": _key(_list(_WORD), "hosts whose NICs change their lossless priority in this stage"),
        "validate": _key(_list({"enum": list(VALIDATIONS)}), "how it is checked; []: the intent says none"),
        "parts": _key({**_list(_PART), "minItems": 1}, "devices that take the same change, together"),
    }
)
_TEST = _object(
    {
        "class": _key(_WORD, "class that carries RDMA"),
        "dscp": _key({"type": "integer", "minimum": 0, "maximum": 63}, "its code point"),
        "traffic_class": _key({"type": "integer", "minimum": 0, "maximum": 255}, "DSCP x 4 + 2 (ECT(0))"),
        "perftest": _key(_list(_WORD), "the server's command and the client's"),
        "nccl_tests": _key(_WORD, "a collective over many hosts"),
    }
)


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1. Keys may be added within a version; none changes its meaning or goes."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://rocecfg.invalid/plan.schema.json",
        "title": "rocecfg plan, version 1: what `rocecfg plan --format json` writes",
        **_object(
            {
                "version": _key({"const": 1}, "version of this format"),
                "fabric": _key(_TEXT, "name of the fabric"),
                "from": _key(_TEXT_OR_NULL, "the older intent; null: running configurations"),
                "changes": _key(_list(_WORD), "what differs, in words, the widest first"),
                "stages": _key(_list(_STAGE), "the stages in order; []: nothing to do"),
                "tests": _key(_list(_TEST), "traffic to test a stage with"),
                "same": _key(_list(_WORD), "devices with nothing to do"),
                "absent": _key(_list(_WORD), "devices of which nothing is known: not in the plan"),
                "gone": _key(_list(_WORD), "devices that only the older intent has"),
                "notes": _key(_list(_WORD), "what else is to be known"),
                "refused": _key(_list(_WORD), "what could not be compared: the plan is not whole, exit code 2"),
                "summary": _key(
                    _object(
                        {
                            "devices": _key(_COUNT, "devices compared"),
                            "changing": _key(_COUNT, "devices to change"),
                            "stages": _key(_COUNT, "stages"),
                        }
                    ),
                    "how much",
                ),
            }
        ),
    }
