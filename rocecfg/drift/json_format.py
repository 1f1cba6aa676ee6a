"""Drift as JSON, version 1: what is written, and its schema."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rocecfg.core.jsonform import (
    COUNT,
    FLAG,
    LINE_OR_NULL,
    PATCH,
    TEXT,
    TEXT_OR_NULL,
    VALUE,
    WORD,
    WORD_OR_NULL,
    Field,
    Form,
    always,
    fields,
    listed,
    one_of,
    plain,
    schema_document,
    text_of,
)
from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import Percent
from rocecfg.drift import labels
from rocecfg.drift.changes import SharedFix
from rocecfg.drift.coverage import UncoveredGroup
from rocecfg.drift.differences import Difference, Value
from rocecfg.drift.run import Drift
from rocecfg.drift.text import quote_statements
from rocecfg.drift.unnamed import UnnamedPorts
from rocecfg.model import Computed, Origin, spans_of
from rocecfg.model.values import Least, Offered, Watched, Way
from rocecfg.report.fates_json import STATEMENTS, locate_fates
from rocecfg.report.places import Place, locate_span
from rocecfg.report.plan import Origins
from rocecfg.rules import SEVERITIES
from rocecfg.source.document import Sources
from rocecfg.vendors.changes import MARKS

RULE = "ops-drift"  # the general name of any difference
SEVERITY = "error"


# -- what is written, with its places as lines -------------------------------------------------------------------------


class _Side(NamedTuple):
    text: str
    value: Any
    at: Place | None
    origin: str | None


class _Value(NamedTuple):
    part: str | None
    meant: _Side
    running: _Side


class _Difference(NamedTuple):
    of: Difference
    values: tuple[_Value, ...]

    def codes(self, topic: str) -> list[int] | None:
        """The code points or 802.1p values that it is about, where its setting is of that topic."""
        return (list(self.of.codes) or None) if self.of.topic == topic else None


class _Uncovered(NamedTuple):
    of: UncoveredGroup
    at: Place


class _Unnamed(NamedTuple):
    device: str
    of: UnnamedPorts
    at: Place


class _Drift(NamedTuple):
    of: Drift
    fixes: Sequence[SharedFix]


def _locate_difference(of: Difference, sources: Sources) -> _Difference:
    return _Difference(of, tuple(_locate_value(of, value, sources) for value in of.values))


def _locate_value(difference: Difference, value: Value, sources: Sources) -> _Value:
    return _Value(
        value.part or None,
        _locate_side(labels.label_meant(difference, value), value.meant, value.meant_at, sources),
        _locate_side(labels.label_running(difference, value), value.running, value.running_at or value.near, sources),
    )


def _locate_side(text: str, value: Any, at: Origin | None, sources: Sources) -> _Side:
    spans = spans_of(at)
    where = locate_span(spans[0], sources) if spans else None
    return _Side(
        text,
        _make_json_value(value),
        where,
        None if at is None or (where and not isinstance(at, Computed)) else Origins(sources)(at),
    )


def _make_json_value(value: Any) -> Any:
    if isinstance(value, Way):
        return {"queue": value.queue, "priority_group": value.group, "priority": value.priority}
    if isinstance(value, Watched):
        return list(value.priorities)
    if isinstance(value, Offered):
        return list(value.rates)
    if isinstance(value, Least):
        return value.value
    if isinstance(value, Percent):
        return {"percent": float(value)}
    if isinstance(value, tuple):
        if value and all(isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str) for part in value):
            return {key: _make_json_value(part) for key, part in value}
        return [_make_json_value(part) for part in value]
    return value


def _list_priorities(each: _Unnamed) -> list[int]:
    return list(each.of.priorities)


def _list_uncompared(drift: Drift) -> Iterator[tuple[str, str]]:
    """Devices, and what of them is not compared without being a reason for exit code 1."""
    for one, names in drift.uncompared.items():
        yield fold(tuple(names)), f"{', '.join(one.titles)}: {one.why}" if one.titles else one.why
    for group in drift.own:
        names = list(dict.fromkeys(name for reach in group.reach for name in reach.devices))
        yield fold(tuple(names)), f"{', '.join(labels.label_settings(group.settings))}: {group.why}"


def _list_refused(drift: Drift) -> Iterator[tuple[str | None, str]]:
    """Device and reason of what could not be compared."""
    for each in drift.refused:
        yield each.name, str(each.error)
    for error in drift.running.errors:
        yield None, str(error)


# -- the format --------------------------------------------------------------------------------------------------------


def _make_pair_form(first: str, form: Form, means: str, second: str, other: Form, other_means: str) -> Form:
    """An object of two keys, from a pair."""
    return fields(
        Field(first, form, means, lambda pair: pair[0]),
        Field(second, other, other_means, lambda pair: pair[1]),
    )


def _make_side_form(word: str, file: str) -> Form:
    units = "bytes, bit/s, ms, metres, percent, words or lists of these; null: nothing"
    return fields(
        Field("text", WORD, f"what {word}, with its unit, for people"),
        Field("value", VALUE, f"what {word}: {units}"),
        Field("path", TEXT_OR_NULL, f"{file} that has it; null: none", lambda of: of.at and of.at.path),
        Field("line", LINE_OR_NULL, "line, from 1", lambda of: of.at and of.at.line),
        Field("column", LINE_OR_NULL, "column, from 1, in code points", lambda of: of.at and of.at.column),
        Field(
            "origin",
            TEXT_OR_NULL,
            "where it comes from, if no file has this value: a default, a profile, a formula",
        ),
    )


_CODES = plain({"type": ["array", "null"], "items": {"type": "integer"}})
_WORDS, _SOME_WORDS = listed(WORD), listed(WORD, 1)
_VALUE = fields(
    Field("part", WORD_OR_NULL, "part of the setting, as kmin; of shares, the queue; null: the setting itself"),
    Field("meant", _make_side_form("is intended", "file of the intent"), "of the intent"),
    Field("running", _make_side_form("runs", "configuration"), "of the configuration"),
)
_BROKEN = fields(
    Field("rule", WORD, "code of the rule", "code"),
    Field("name", WORD, "its name, which `rocecfg explain` takes"),
    Field("severity", one_of(SEVERITIES[::-1]), "how bad it is"),
    Field("message", WORD, "what is wrong, with the values"),
)
_REACH = listed(
    fields(
        Field("device", WORD, "devices, as a node set", lambda of: fold(of.devices)),
        Field(
            "port",
            WORD_OR_NULL,
            "ports of each, as a node set; null: the device as a whole",
            lambda of: fold(of.ports) if of.ports else None,
        ),
    ),
    1,
)
_DIFFERENCE = fields(
    Field("rule", always(RULE), "name of the rule that any difference breaks"),
    Field("severity", always(SEVERITY), "how bad that is"),
    Field("setting", WORD, "which setting: pfc, watchdog, ecn, shares, dscp, trust, cable ...", "of.topic"),
    Field(
        "number",
        plain({"type": ["integer", "null"], "minimum": 0}),
        "queue or priority group that it is of",
        "of.number",
    ),
    Field("dscp", _CODES, "code points that it is about", lambda of: of.codes("dscp")),
    Field("pcp", _CODES, "802.1p values that it is about", lambda of: of.codes("pcp")),
    Field("title", WORD, "the setting in words", lambda of: labels.label_difference(of.of)),
    Field("leftover", FLAG, "set although the intent has nothing: left by an earlier configuration", "of.leftover"),
    Field("down", FLAG, "on ports that are administratively down: not counted, not in `changes`", "of.down"),
    Field("values", listed(_VALUE, 1), "what is not as intended"),
    Field("reach", _REACH, "all places that it reaches", "of.reach"),
    Field("devices", COUNT, "how many devices it reaches", lambda of: len(of.of.devices)),
    Field("ports", COUNT, "how many ports, over all devices", "of.port_count"),
    Field("breaks", listed(_BROKEN), "rules that the running value breaks, but the intended one does not", "of.breaks"),
)
_STEP = fields(
    Field("how", WORD, "how to apply it", "told"),
    Field("mark", one_of(MARKS), "what it disturbs"),
    Field("why", TEXT, "why, or what else is to be known"),
    Field("lines", listed(TEXT), "commands or configuration lines, in order"),
    Field("operations", listed(PATCH), "operations of an RFC 6902 patch, in order"),
    Field("refused", TEXT_OR_NULL, "why the usual way refuses it; `how` is another way"),
)
_CHANGE = fields(
    Field("device", WORD, "devices that need this change, as a node set", lambda fix: fold(fix.devices)),
    Field("devices", COUNT, "how many", lambda fix: len(fix.devices)),
    Field("steps", listed(_STEP), "the change, in the order in which it is applied"),
    Field("beyond", listed(TEXT), "what no change of the configuration fixes"),
    Field("left", COUNT, "settings that differ even after it"),
    Field("unknown", _WORDS, "unknown settings that the fix would touch: no change is given"),
)
_UNCOVERED = fields(
    Field(
        "settings",
        _SOME_WORDS,
        "which settings, as `setting` of differences",
        lambda each: dict.fromkeys(what.topic for what in each.of.settings),
    ),
    Field("titles", _SOME_WORDS, "the settings in words", lambda each: labels.label_settings(each.of.settings)),
    Field("count", COUNT, "how many settings, over all ports and devices", "of.total"),
    Field("silent", FLAG, "part of a configuration, without them; else a statement was not understood", "of.silent"),
    Field(
        "message", WORD_OR_NULL, ("what was not understood; null: nothing is stated"), lambda each: each.of.why or None
    ),
    Field("reach", _REACH, "all places that it reaches", "of.reach"),
    Field("path", WORD, "configuration", "at.path"),
    Field("line", LINE_OR_NULL, "line of the statement, or where the configuration begins; from 1", "at.line"),
    Field("column", LINE_OR_NULL, "column, from 1, in code points", "at.column"),
)
_UNNAMED = fields(
    Field("device", WORD, "device"),
    Field("port", WORD, "ports, as a node set", lambda each: fold(each.of.names)),
    Field("severity", one_of(SEVERITIES[::-1]), "error: with lossless priorities", "of.severity"),
    Field("pfc", plain({"type": "array", "items": {"type": "integer"}}), "lossless priorities", _list_priorities),
    Field("path", WORD, "configuration", "at.path"),
    Field("line", LINE_OR_NULL, "line of the port, from 1", "at.line"),
)
_APART = fields(
    Field(
        "absent",
        WORD_OR_NULL,
        "devices of the intent without a configuration, as a node set",
        lambda drift: fold(drift.absent) if drift.absent else None,
    ),
    Field(
        "strangers",
        listed(_make_pair_form("path", TEXT, "file", "name", TEXT_OR_NULL, "its host name")),
        "configurations of devices that the intent does not know",
    ),
    Field(
        "skipped",
        listed(TEXT),
        "files of given folders that are not a known switch configuration",
        "running.skipped",
    ),
    Field(
        "notes",
        listed(_make_pair_form("device", WORD, "devices, as a node set", "message", WORD, "what is so")),
        "running facts that are not settings: another release or box than in the intent",
        lambda drift: [(fold(tuple(names)), note) for note, names in drift.notes.items()],
    ),
    Field(
        "beyond_intent",
        listed(_UNNAMED),
        "ports in use that the intent does not name: exit code 1",
        lambda drift: [
            _Unnamed(name, ports, locate_span(ports.at, drift.sources))
            for name, kinds in drift.unnamed.items()
            for ports in kinds
        ],
    ),
    Field(
        "not_compared",
        listed(_make_pair_form("device", WORD, "devices, as a node set", "message", WORD, "which settings, and why")),
        "settings of the intent that are compared on no switch of its system, or that its ports take by themselves",
        _list_uncompared,
    ),
    Field(
        "same_effect",
        listed(_make_pair_form("device", WORD, "devices, as a node set", "message", WORD, "which settings, and why")),
        "running settings and statements that differ from the rendered ones, with the same effect",
        lambda drift: (
            [
                (fold(tuple(devices)), f"{', '.join(labels.label_settings(tuple(settings)))}: {why}")
                for why, (settings, devices) in drift.others.same.items()
            ]
            + [
                (fold(tuple(devices)), f"{quote_statements(statements)}: {why}")
                for why, (statements, devices) in drift.others.statements.items()
            ]
        ),
    ),
    Field(
        "refused",
        listed(_make_pair_form("device", TEXT_OR_NULL, "device", "message", WORD, "why")),
        "what could not be compared: exit code 2",
        _list_refused,
    ),
)
_SUMMARY = fields(
    Field("differences", COUNT, "differences that count", lambda drift: sum(not one.down for one in drift.differences)),
    Field("devices", COUNT, "devices compared", "counts.devices"),
    Field("drifting", COUNT, "devices that differ", "counts.drifting"),
    Field("absent", COUNT, "devices of the intent without a configuration", lambda drift: len(drift.absent)),
    Field("ports", COUNT, "ports compared", "counts.ports"),
    Field("settings", COUNT, "settings compared, over all ports and devices"),
    Field(
        "uncovered",
        COUNT,
        "settings of these devices that were not compared, and may differ",
        lambda drift: sum(each.total for each in drift.uncovered),
    ),
    Field("unstated", COUNT, "running settings that the intent does not state", "others.number"),
)
_DRIFT = fields(
    Field("version", always(1), "version of this format"),
    Field(
        "differences",
        listed(_DIFFERENCE),
        "one difference a cause, the widest first",
        lambda whole: [_locate_difference(each, whole.of.sources) for each in whole.of.differences],
    ),
    Field("changes", listed(_CHANGE), "the changes that fix the devices", "fixes"),
    Field(
        "uncovered",
        listed(_UNCOVERED),
        "settings that were not compared, and why",
        lambda whole: [_Uncovered(each, locate_span(each.places[0], whole.of.sources)) for each in whole.of.uncovered],
    ),
    Field(
        "statements",
        STATEMENTS,
        "statements of the running configuration, by result; null: nothing was read",
        lambda whole: locate_fates(whole.of.fates if whole.of.fates.total else None, whole.of.sources),
    ),
    Field("apart", _APART, "what does not count, and what could not be compared", "of"),
    Field("summary", _SUMMARY, "how much was compared, and how much differs", "of"),
)


def render(drift: Drift, fixes: Sequence[SharedFix]) -> str:
    """The envelope `{version, differences, changes, uncovered, apart, summary}`."""
    return text_of(_DRIFT, _Drift(drift, fixes))


def json_schema() -> dict[str, Any]:
    """JSON Schema 2020-12 of version 1."""
    return schema_document("drift", "rocecfg drift, version 1: what `rocecfg drift --format json` writes", _DRIFT)
