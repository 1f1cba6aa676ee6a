"""The output of `--format json` as JSON Schema, for programs that read it."""

from __future__ import annotations

from typing import Any

from rocecfg.rules import SEVERITIES

_LINE = {"type": "integer", "minimum": 1}
_COUNT = {"type": "integer", "minimum": 0}
_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_WORD_OR_NULL = {"type": ["string", "null"], "minLength": 1}


def _key(of: dict[str, Any], means: str) -> dict[str, Any]:
    return {**of, "description": means}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    """An object that has all of these keys; a later release may add others."""
    return {"type": "object", "properties": properties, "required": list(properties)}


_RELATED = _object(
    {
        "path": _key(_TEXT, "file of the second place"),
        "line": _key(_LINE, "its line, from 1"),
        "column": _key(_LINE, "its column, from 1, in code points"),
        "message": _key(_TEXT, "what is there"),
    }
)
_FIX = _object(
    {
        "safe": _key(
            {"type": "boolean"},
            "true: `--fix` makes it; false: only `--unsafe-fixes` does, for it changes what a switch does",
        ),
        "description": _key(_TEXT, "what it changes"),
    }
)
_FINDING = _object(
    {
        "rule": _key({"type": "string", "minLength": 1}, "code of the rule, which never changes"),
        "name": _key({"type": "string", "minLength": 1}, "name of the rule, which `rocecfg explain` takes"),
        "severity": _key({"enum": list(reversed(SEVERITIES))}, "how bad it is on this kind of fabric"),
        "message": _key({"type": "string", "minLength": 1}, "what is wrong, with the values"),
        "path": _key(_TEXT, "file, as it was named or found from the current folder"),
        "line": _key(_LINE, "line of the place, from 1"),
        "column": _key(_LINE, "column of the place, from 1, in code points"),
        "end_line": _key(_LINE, "line where the place ends"),
        "end_column": _key(_LINE, "column behind the last character of the place"),
        "device": _key(_WORD_OR_NULL, "devices that the cause reaches, as a node set; null: none in particular"),
        "port": _key(_WORD_OR_NULL, "ports that it reaches, as a node set; null: not about ports"),
        "class": _key(_WORD_OR_NULL, "traffic class it is about; null: none in particular"),
        "devices": _key(_COUNT, "how many devices it reaches"),
        "ports": _key(_COUNT, "how many ports it reaches, over all devices"),
        "help": _key(_WORD_OR_NULL, "how to mend it; null: the message says it"),
        "related": _key(
            {"type": ["array", "null"], "minItems": 1, "items": _RELATED},
            "other places that belong to it, as the value it conflicts with; null: none",
        ),
        "fix": _key({"anyOf": [_FIX, {"type": "null"}]}, "the change that `--fix` makes; null: none is known"),
        "url": _key(_TEXT_OR_NULL, "page about the rule on the web; null: `rocecfg explain` prints it"),
    }
)
_SUMMARY = _object(
    {
        "files": _key(_COUNT, "files judged"),
        "fabrics": _key(_COUNT, "fabrics judged"),
        "devices": _key(_COUNT, "devices in them"),
        "ports": _key(_COUNT, "ports of these devices"),
        "errors": _key(_COUNT, "findings of severity error"),
        "warnings": _key(_COUNT, "findings of severity warning"),
        "infos": _key(_COUNT, "findings of severity info"),
        "suppressed": _key(_COUNT, "findings that a waiver, the settings or a baseline silences"),
    }
)


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1. Keys may be added within a version; none changes its meaning or goes."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://rocecfg.invalid/findings.schema.json",
        "title": "rocecfg findings, version 1: what `rocecfg lint --format json` writes",
        **_object(
            {
                "version": _key({"const": 1}, "version of this format"),
                "findings": _key(
                    {"type": "array", "items": _FINDING}, "one finding a cause, by file, place, code and message"
                ),
                "summary": _key(_SUMMARY, "how much was judged, and how much was found"),
            }
        ),
    }
