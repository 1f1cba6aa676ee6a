"""The settings file as JSON Schema, for editors that complete and check TOML."""

from __future__ import annotations

from typing import Any

from rocecfg.config.read import SUFFIXES
from rocecfg.core.site import schema_id
from rocecfg.rules import ALL, OFF, SEVERITIES

_LEVELS = list(SEVERITIES[::-1])


def _make_words_schema(item: dict[str, Any], description: str) -> dict[str, Any]:
    """One string or a list of them, as the reader takes it."""
    return {"description": description, "oneOf": [item, {"type": "array", "items": item}]}


_TEXT = {"type": "string", "minLength": 1}
_RULES = {"$ref": "#/$defs/rules"}
_GLOB = {"type": "string", "minLength": 1, "description": "pattern of file names"}
_LAYER: dict[str, Any] = {
    "select": _make_words_schema(_RULES, "only these rules: names, codes, or the beginning of either"),
    "ignore": _make_words_schema(_RULES, "not these rules: names, codes, or the beginning of either"),
    "fail-on": {"enum": _LEVELS, "description": "the least severity that ends with exit code 1; default: error"},
    "severity": {
        "type": "object",
        "description": "severity by the whole name or code of a rule",
        "propertyNames": {"$ref": "#/$defs/rule"},
        "additionalProperties": {"enum": [*_LEVELS, OFF]},
    },
    "per-file-ignores": {
        "type": "object",
        "description": "by the file of the finding, relative to this file: rules that are ignored there",
        "additionalProperties": _make_words_schema(_RULES, "rules that are ignored in files that match"),
    },
    "baseline": _TEXT
    | {"description": "file of known findings, beside this file or below: only new ones are reported"},
}
_ENVIRONMENT = {
    "type": "object",
    "description": "settings for fabrics whose root file a path matches, or with --environment NAME",
    "properties": {
        **_LAYER,
        "paths": _make_words_schema(_GLOB, "root files of fabrics that this environment is for, relative to this file"),
    },
    "additionalProperties": False,
}


def json_schema() -> dict[str, Any]:
    """`rocecfg.toml`, or the table `[tool.rocecfg]` of pyproject.toml, as JSON Schema 2020-12."""
    names = [rule.name for rule in ALL]
    codes = [rule.code for rule in ALL]
    known = {"enum": [*names, *codes], "description": "name or code of a rule"}
    own = {"type": "string", "pattern": "^(house|HOUSE)([/-].*)?$", "description": "a team's own rule: house/NAME"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id("settings"),
        "title": "rocecfg settings",
        "type": "object",
        "properties": {
            **_LAYER,
            "environments": {
                "type": "object",
                "description": "settings by the name of an environment, such as lab",
                "additionalProperties": _ENVIRONMENT,
            },
            "output": _make_words_schema(
                {"type": "string", "pattern": f"^({'|'.join(SUFFIXES)})(=.+)?$", "examples": list(SUFFIXES)},
                "reports: FORMAT to standard output, FORMAT=FILE to a file beside this one",
            ),
            "exclude": _make_words_schema(_GLOB, "passed over below a folder; written as in .gitignore"),
            "validate": {
                "type": "object",
                "description": "for rocecfg validate and render --validate",
                "properties": {
                    "yang": _TEXT | {"description": "folder of SONiC's YANG models, beside this file or below"}
                },
                "additionalProperties": False,
            },
        },
        "additionalProperties": False,
        "$defs": {
            "rule": {"anyOf": [known, own]},
            "rules": {
                "anyOf": [
                    known,
                    own,
                    {"type": "string", "pattern": "^[A-Za-z]", "description": "the beginning of names or codes"},
                ]
            },
        },
    }
