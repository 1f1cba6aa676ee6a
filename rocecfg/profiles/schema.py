"""The format of profiles as JSON Schema, for editors and for checking a repository's own profiles."""

from __future__ import annotations

from typing import Any

from rocecfg.core.site import schema_id
from rocecfg.model.facts import ERRATA_WHEN
from rocecfg.profiles.exporters import SIDES, SUBJECTS, Subject
from rocecfg.profiles.files import EXTENDS
from rocecfg.profiles.format import ASIC, NIC, NOS, WORKLOAD, Figure
from rocecfg.profiles.holds import ANY, BOUNDED, HOLDS, KNOWN
from rocecfg.profiles.kinds import KINDS, MARKS
from rocecfg.profiles.releases import SYSTEMS
from rocecfg.profiles.settings import NUMBERS, POWER_OF_2, REFUSALS, SETTINGS, STEP, UNITS

_TEXT = {"type": "string"}
_SCALAR = {"type": ["string", "number", "boolean"]}  # YAML types 8 and true; they are read as text
_TEXTS = {"type": "array", "items": _SCALAR}
_PAIRS = {"type": "object", "additionalProperties": _SCALAR}
_CITED = {
    "mark": {"enum": list(MARKS), "description": "; ".join(f"{k} {v}" for k, v in MARKS.items())},
    "source": {"type": "string", "minLength": 1},
}
_SIZE = {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?([KMG]i?)?B$"}
_TIME = {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?(us|µs|ms|s|min)$"}
_RATE = {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?([KMGT](bit/s|bps)?|bit/s)$"}
_LENGTH = {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?(mm|cm|m|km)$"}
_DAY = {"type": "string", "pattern": "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"}
_PERCENT = {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)? ?%$"}
_WRITTEN: dict[str, dict[str, Any]] = {
    "size": _SIZE,
    "time": _TIME,
    "rate": _RATE,
    "length": _LENGTH,
    "number": _SCALAR,
    "whole": {"type": ["string", "integer"], "pattern": "^[0-9]+$"},
    "wholes": {"type": "array", "items": {"type": ["string", "integer"], "pattern": "^[0-9]+$"}},
    "dscps": _PAIRS,
    "text": _SCALAR,
    "flag": {"enum": [True, False, "true", "false"]},
    "words": _TEXTS,
    "pairs": _PAIRS,
    "rates": {"type": "array", "items": _RATE},
    "sizes": {"type": "array", "items": _SIZE},
    "percent": _PERCENT,
    "release": _SCALAR,
    "shares": _PAIRS,
    "times": _PAIRS,
    "percents since": {"type": "object", "additionalProperties": _PERCENT},
    "fractions": {"type": "array", "items": {"type": ["string", "number"], "pattern": "^[0-9]+(\\.[0-9]+|/[0-9]+)?$"}},
}


def _object_schema(properties: dict[str, Any], required: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def _value_schema(figure: Figure) -> dict[str, Any]:
    if figure.written == "word":
        return {"enum": [*figure.words, *([True, False] if "on" in figure.words else [])]}
    if figure.written == "words since":
        return {"type": "object", "additionalProperties": {"enum": list(figure.words)}}
    if figure.written == "curves":
        curve = {"nos": _TEXT, "name": _TEXT, "kmin": _SIZE, "kmax": _SIZE, "pmax": _PERCENT}
        rows = {**curve, "speeds": {"type": "array", "items": _RATE}}
        return {"type": "array", "items": _object_schema(rows, tuple(curve))}
    return _WRITTEN[figure.written]


def _figures_schema(known: tuple[Figure, ...]) -> dict[str, Any]:
    return {
        f.key: {
            **_object_schema({"value": _value_schema(f), **_CITED}, ("value", "mark", "source")),
            "description": f.means,
        }
        for f in known
    }


def _metric_schema(subject: Subject) -> dict[str, Any]:
    labels = {name: _TEXT for name in ("port", subject.by) if name}
    properties = {
        "value": {**_TEXT, "description": "its name; {priority} stands for the number of the priority"},
        "labels": {**_object_schema(labels, ("port",)), "description": "the labels that hold these"},
        "where": {**_PAIRS, "description": "labels that must have these values"},
        **({"unit": {"enum": list(subject.units)}} if subject.units else {}),
        "needs": {**_TEXT, "description": "what has to be turned on for it"},
        **_CITED,
    }
    return {**_object_schema(properties, ("value", "labels", "mark", "source")), "description": subject.means}


_CAGES = _object_schema(
    {
        "count": _WRITTEN["whole"],
        "lanes": {**_WRITTEN["whole"], "description": "of each"},
        "lane": {**_RATE, "description": "the fastest rate of a lane"},
        "fewest": {
            "type": "object",
            "propertyNames": _RATE,
            "additionalProperties": _WRITTEN["whole"],
            "description": "lanes that a port takes, at speeds where it takes more than the fastest rate asks for",
        },
    },
    ("count", "lanes", "lane"),
)
_RELEASES = {**_TEXTS, "description": "those in which it holds; absent: all that no other entry names"}
_POOL = dict.fromkeys(("ingress_lossless", "shared_headroom", "ingress_lossy", "egress_lossless"), _SIZE)
_NOS_OF_PLATFORM = _object_schema(
    {
        "since": _SCALAR,
        "ports": {**_TEXT, "description": "node set of all port names, in the order of the cages and their lanes"},
        "lanes": {**_WRITTEN["flag"], "description": "false: its port names do not follow the cages and their lanes"},
        "renamed": {**_TEXTS, "description": "HwSKUs whose port names do not follow the cages and their lanes"},
        "by_board": {**_TEXTS, "description": "HwSKUs that boards have with tables of their own: none is known"},
        "speeds": {"type": "array", "items": _RATE},
        "buffer_model": {"enum": ["dynamic", "traditional"]},
        "pfc_to_pg": _WRITTEN["flag"],
        "gearbox": {**_TIME, "description": "what a gearbox before the chip adds each way"},
        "hwsku": _TEXT,
        "headroom": {
            "type": "array",
            "items": _object_schema({"table": _TEXT, "hwskus": _PAIRS, "releases": _RELEASES}, ("table", "hwskus")),
            "description": "which table of profiles/headroom a HwSKU has, and the first release with it",
        },
        "skipped_in": {
            "type": "object",
            "additionalProperties": _TEXTS,
            "description": "releases that do not have a HwSKU, though earlier ones do",
        },
        "lossy": {**_PAIRS, "description": "HwSKUs without lossless buffers, and the first release with them"},
        "pools": {
            "type": "array",
            "items": _object_schema(
                {
                    "hwskus": _TEXTS,
                    "templates": _TEXTS,
                    **_POOL,
                    "egress_lossy": _SIZE,
                    "mode": {"enum": ["dynamic", "static"]},
                    "releases": _RELEASES,
                    **_CITED,
                },
                ("hwskus", "templates", "mode", "mark", "source"),
            ),
        },
        **_CITED,
    },
    ("ports", "mark", "source"),
)
_NUMBERS = "|".join(path.replace(".", "\\.") for path in NUMBERS)
_LIMIT = {
    "what": {"enum": list(NUMBERS), "description": "the setting, see docs/profiles.md"},
    "unit": {"enum": list(UNITS), "description": "that of the setting"},
    "low": _SCALAR,
    "high": _SCALAR,
    "since": _SCALAR,
    "until": _SCALAR,
    **_CITED,
}
_LACK = {
    "what": {
        "anyOf": [
            {"enum": list(SETTINGS)},
            {"type": "string", "pattern": f"^({_NUMBERS}) ({POWER_OF_2}|{STEP} [1-9][0-9]*)$"},
        ],
        "description": "the setting with at most one predicate, see docs/profiles.md",
    },
    "values": _TEXTS,
    "severity": {"enum": ["error", "warning", "info"]},
    "message": _TEXT,
    "since": _SCALAR,
    "until": _SCALAR,
    "fix": _TEXT,
    "on": _TEXTS,
    **_CITED,
}
_ERRATUM = {
    "number": _TEXT,
    "when": {"enum": list(ERRATA_WHEN), "description": "what it takes for it to show"},
    "on": {**_TEXTS, "description": "chips; absent: all"},
    "boxes": {**_TEXTS, "description": "platforms; absent: all"},
    "severity": {"enum": ["error", "warning", "info"]},
    "message": _TEXT,
    "fix": _TEXT,
    "since": _SCALAR,
    "until": _SCALAR,
    "looked": {"pattern": "^20[0-9]{2}-(0[1-9]|1[0-2])$", "description": "month its tracker was looked at", **_TEXT},
    **_CITED,
}
_OF_ERRATUM = ("number", "when", "severity", "message", "fix", "mark", "source")
_ROW = dict.fromkeys(("size", "xon", "xoff", "xon_offset"), _SIZE)
_CHOSEN = {
    "kmin": _SIZE,
    "kmax": _SIZE,
    "pmax": _PERCENT,
    "used": {**_PERCENT, "description": "of the link, at the least, by the model"},
    "wait": {**_TIME, "description": "that 1 % of the packets wait longer than, at the most, by the model"},
}
_WORDS_OF_HOLDS = {"enum": [ANY, KNOWN]}
_HOLDS = {
    "anyOf": [
        _WORDS_OF_HOLDS,
        {
            "type": "object",
            "propertyNames": {"enum": list(SYSTEMS)},
            "additionalProperties": _object_schema({"since": _SCALAR, "until": _SCALAR, "except": _TEXTS}),
        },
    ]
}
_KINDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "nos": (
        {
            "releases": _TEXTS,
            "default_release": _SCALAR,
            "as_of": {**_DAY, "description": "the day of the newest source of these facts"},
            "limits": {"type": "array", "items": _object_schema(_LIMIT, ("what", "mark", "source"))},
            "lacks": {
                "type": "array",
                "items": _object_schema(_LACK, ("what", "severity", "message", "fix", "mark", "source")),
            },
            "errata": {
                "type": "array",
                "items": _object_schema(_ERRATUM, _OF_ERRATUM),
            },
            "refuses": {
                "type": "array",
                "items": _object_schema({"what": {"enum": list(REFUSALS)}, **_CITED}, ("what", "mark", "source")),
            },
            **_figures_schema(NOS),
            **_CITED,
        },
        ("releases", "default_release", "as_of", "mark", "source"),
    ),
    "asics": (_figures_schema(ASIC), ("nos", "shallow")),
    "platforms": (
        {
            "asic": _object_schema({"value": _TEXT, **_CITED}, ("value", "mark", "source")),
            "cages": {
                **_object_schema({"value": {"type": "array", "items": _CAGES}, **_CITED}, ("value", "mark", "source")),
                "description": "cages in the order of the front, the same under each NOS: absent where not known",
            },
            "nos": {"type": "object", "additionalProperties": _NOS_OF_PLATFORM},
        },
        ("asic", "nos"),
    ),
    "headroom": (
        {
            "rows": {
                "type": "object",
                "propertyNames": _RATE,
                "additionalProperties": {
                    "type": "object",
                    "propertyNames": _LENGTH,
                    "additionalProperties": _object_schema(
                        {**_ROW, "dynamic_th": {"type": ["string", "integer"]}}, ("size", "xon", "xoff", "dynamic_th")
                    ),
                },
            },
            **_CITED,
        },
        ("rows", "mark", "source"),
    ),
    "workloads": (
        {"judged_by": _TEXTS, "intent": {"type": "object"}, "why": _TEXT, **_figures_schema(WORKLOAD), **_CITED},
        ("why", "mark", "source"),
    ),
    "ecn": (
        {
            "scaled": _WRITTEN["flag"],
            "speed": _RATE,
            "kmin": _SIZE,
            "kmax": _SIZE,
            "pmax": _PERCENT,
            "judged": _TEXT,
            **_CITED,
        },
        ("kmin", "kmax", "pmax", "judged", "mark", "source"),
    ),
    "curves": (
        {
            "rows": {
                "type": "object",
                "propertyNames": _RATE,
                "additionalProperties": {
                    "type": "object",
                    "propertyNames": {"pattern": "^([0-9]+-[0-9]*|any)$"},
                    "required": ["any"],
                    "additionalProperties": _object_schema(_CHOSEN, tuple(_CHOSEN)),
                },
            },
            **_CITED,
        },
        ("rows", "mark", "source"),
    ),
    "nics": (_figures_schema(NIC), ()),
    "exporters": (
        {
            "on": {"enum": list(SIDES), "description": "where the counters are that it exports"},
            "device": {
                **_object_schema({"value": _TEXT, **_CITED}, ("value", "mark", "source")),
                "description": "the label that names the switch or host",
            },
            "metrics": _object_schema({key: _metric_schema(subject) for key, subject in SUBJECTS.items()}),
        },
        ("on", "metrics"),
    ),
    "errata": (
        {"errata": {"type": "array", "items": _object_schema(_ERRATUM, (*_OF_ERRATUM, "looked"))}},
        ("errata",),
    ),
}


def json_schema(kind: str) -> dict[str, Any]:
    """JSON Schema 2020-12 of a kind of profile; one that extends another needs to state only what differs."""
    properties, required = _KINDS[kind]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id(f"profiles/{kind}"),
        "title": f"rocecfg profile, {KINDS[kind]}",
        "type": "object",
        "properties": {
            EXTENDS: {"type": "string", "description": "the profile that this one changes"},
            "title": {"type": "string", "minLength": 1},
            HOLDS: {
                **(_HOLDS if kind in BOUNDED else _WORDS_OF_HOLDS),
                "description": "when these facts hold, unless one of them says so itself",
            },
            **properties,
        },
        "additionalProperties": False,
        "anyOf": [{"required": [EXTENDS]}, {"required": ["title", HOLDS, *required]}],
    }
