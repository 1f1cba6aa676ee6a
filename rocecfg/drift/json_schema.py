"""The output of `rocecfg drift --format json` as JSON Schema, for programs that read it."""

from __future__ import annotations

from typing import Any

from rocecfg.drift.json_format import RULE, SEVERITY
from rocecfg.rules import SEVERITIES
from rocecfg.vendors.mending import MARKS

_COUNT = {"type": "integer", "minimum": 0}
_PLACE = {"type": ["integer", "null"], "minimum": 1}
_TEXT = {"type": "string"}
_WORD = {"type": "string", "minLength": 1}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_WORD_OR_NULL = {"type": ["string", "null"], "minLength": 1}
_FLAG = {"type": "boolean"}


def _key(of: dict[str, Any], means: str) -> dict[str, Any]:
    return {**of, "description": means}


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """An object that has all of these keys; a later release may add others."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def _side(word: str, file: str) -> dict[str, Any]:
    return _object(
        {
            "text": _key(_WORD, f"what {word}, with its unit, for people"),
            "value": _key(
                {}, f"what {word}: bytes, bit/s, ms, metres, percent, words or lists of these; null: nothing"
            ),
            "path": _key(_TEXT_OR_NULL, f"{file} that says it; null: none does"),
            "line": _key(_PLACE, "line, from 1"),
            "column": _key(_PLACE, "column, from 1, in code points"),
            "origin": _key(_TEXT_OR_NULL, "where it comes from, if no file says it: a default, a profile, a formula"),
        }
    )


_VALUE = _object(
    {
        "part": _key(_WORD_OR_NULL, "part of the setting, as kmin; of shares, the queue; null: the setting itself"),
        "meant": _side("is meant", "file of the intent"),
        "running": _side("runs", "configuration"),
    }
)
_BROKEN = _object(
    {
        "rule": _key(_WORD, "code of the rule"),
        "name": _key(_WORD, "its name, which `rocecfg explain` takes"),
        "severity": _key({"enum": list(reversed(SEVERITIES))}, "how bad it is"),
        "message": _key(_WORD, "what is wrong, with the values"),
    }
)
_REACH = _object(
    {
        "device": _key(_WORD, "devices, as a node set"),
        "port": _key(_WORD_OR_NULL, "ports of each, as a node set; null: the device as a whole"),
    }
)
_DIFFERENCE = _object(
    {
        "rule": _key({"const": RULE}, "name of the rule that any difference breaks"),
        "severity": _key({"const": SEVERITY}, "how bad that is"),
        "setting": _key(_WORD, "which setting: pfc, watchdog, ecn, shares, dscp, trust, cable ..."),
        "number": _key({"type": ["integer", "null"], "minimum": 0}, "queue or priority group that it is of"),
        "dscp": _key({"type": ["array", "null"], "items": {"type": "integer"}}, "code points that it is about"),
        "pcp": _key({"type": ["array", "null"], "items": {"type": "integer"}}, "802.1p values that it is about"),
        "title": _key(_WORD, "the setting in words"),
        "leftover": _key(_FLAG, "set where nothing is meant: what an earlier configuration left behind"),
        "down": _key(_FLAG, "on ports that are administratively down: not counted, not in `changes`"),
        "values": _key({**_list(_VALUE), "minItems": 1}, "what is not as meant"),
        "reach": _key(
            {
                **_list(_REACH),
                "minItems": 1,
            },
            "all places that it reaches",
        ),
        "devices": _key(_COUNT, "how many devices it reaches"),
        "ports": _key(_COUNT, "how many ports, over all devices"),
        "breaks": _key(_list(_BROKEN), "rules that the running value breaks and the meant one does not"),
    }
)
_STEP = _object(
    {
        "how": _key(_WORD, "how to apply it"),
        "mark": _key({"enum": list(MARKS)}, "what it disturbs"),
        "why": _key(_TEXT, "why, or what else is to be known"),
        "lines": _key(_list(_TEXT), "commands or configuration lines, in order"),
        "operations": _key(_list({"type": "object"}), "operations of an RFC 6902 patch, in order"),
        "refused": _key(_TEXT_OR_NULL, "why the usual way does not take it; `how` is another"),
    }
)
_CHANGE = _object(
    {
        "device": _key(_WORD, "devices that need this change, as a node set"),
        "devices": _key(_COUNT, "how many"),
        "steps": _key(_list(_STEP), "the change, in the order in which it is applied"),
        "beyond": _key(_list(_TEXT), "what no change of the configuration mends"),
        "left": _key(_COUNT, "settings that differ even after it"),
        "unknown": _key(_list(_WORD), "settings that are not known and would have to be touched: no change is given"),
    }
)
_UNCOVERED = _object(
    {
        "settings": _key({**_list(_WORD), "minItems": 1}, "which settings, as `setting` of differences"),
        "titles": _key({**_list(_WORD), "minItems": 1}, "the settings in words"),
        "count": _key(_COUNT, "how many settings, over all ports and devices"),
        "silent": _key(_FLAG, "a part of a configuration does not say them; else a statement was not understood"),
        "message": _key(_WORD_OR_NULL, "what was not understood; null: nothing is said"),
        "reach": _key({**_list(_REACH), "minItems": 1}, "all places that it reaches"),
        "path": _key(_WORD, "configuration"),
        "line": _key(_PLACE, "line of the statement, or where the configuration begins; from 1"),
        "column": _key(_PLACE, "column, from 1, in code points"),
    }
)
_APART = _object(
    {
        "absent": _key(_WORD_OR_NULL, "devices of the intent without a configuration, as a node set"),
        "strangers": _key(
            _list(_object({"path": _key(_TEXT, "file"), "name": _key(_TEXT_OR_NULL, "its host name")})),
            "configurations of devices that the intent does not know",
        ),
        "skipped": _key(_list(_TEXT), "files of given folders that are no switch configuration that is known"),
        "notes": _key(
            _list(_object({"device": _key(_WORD, "devices, as a node set"), "message": _key(_WORD, "what is so")})),
            "what runs and is no setting: another release or box than the intent is for",
        ),
        "beyond_intent": _key(
            _list(_object({"device": _key(_WORD, "device"), "port": _key(_WORD, "ports, as a node set")})),
            "ports with PFC that the intent does not name",
        ),
        "refused": _key(
            _list(_object({"device": _key(_TEXT_OR_NULL, "device"), "message": _key(_WORD, "why")})),
            "what could not be compared: exit code 2",
        ),
    }
)
_SUMMARY = _object(
    {
        "differences": _key(_COUNT, "differences that count"),
        "devices": _key(_COUNT, "devices compared"),
        "drifting": _key(_COUNT, "devices that differ"),
        "absent": _key(_COUNT, "devices of the intent without a configuration"),
        "ports": _key(_COUNT, "ports compared"),
        "settings": _key(_COUNT, "settings compared, over all ports and devices"),
        "uncovered": _key(_COUNT, "settings of these devices that were not compared, and may differ"),
    }
)


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1. Keys may be added within a version; none changes its meaning or goes."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://rocecfg.invalid/drift.schema.json",
        "title": "rocecfg drift, version 1: what `rocecfg drift --format json` writes",
        **_object(
            {
                "version": _key({"const": 1}, "version of this format"),
                "differences": _key(_list(_DIFFERENCE), "one difference a cause, the widest first"),
                "changes": _key(_list(_CHANGE), "what mends the devices"),
                "uncovered": _key(_list(_UNCOVERED), "settings that were not compared, and why"),
                "apart": _key(_APART, "what does not count, and what could not be compared"),
                "summary": _key(_SUMMARY, "how much was compared, and how much differs"),
            }
        ),
    }
