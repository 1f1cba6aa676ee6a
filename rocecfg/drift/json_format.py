"""Drift as JSON, version 1; `json_schema` says what it is made of."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from rocecfg.drift import labels
from rocecfg.drift.changes import Mend
from rocecfg.drift.coverage import Gathered
from rocecfg.drift.differences import Difference, Value
from rocecfg.drift.facts import Least, Watched, Way
from rocecfg.drift.places import short
from rocecfg.drift.run import Drift, Refused
from rocecfg.model import Origin, spans_of
from rocecfg.report.places import place
from rocecfg.report.plan import Origins
from rocecfg.source.document import SourceError, Sources

RULE = "ops-drift"  # the general name of any difference
SEVERITY = "error"


def render(drift: Drift, mends: Sequence[Mend]) -> str:
    """The envelope `{version, differences, changes, apart, summary}`."""
    envelope = {
        "version": 1,
        "differences": [_difference(each, drift.sources) for each in drift.differences],
        "changes": [_mend(mend) for mend in mends],
        "uncovered": [_uncovered(each, drift.sources) for each in drift.uncovered],
        "apart": _apart(drift),
        "summary": _summary(drift),
    }
    return json.dumps(envelope, indent=1, ensure_ascii=False) + "\n"


def _difference(difference: Difference, sources: Sources) -> dict[str, Any]:
    return {
        "rule": RULE,
        "severity": SEVERITY,
        "setting": difference.topic,
        "number": difference.number,
        "dscp": (list(difference.codes) or None) if difference.topic == "dscp" else None,
        "pcp": (list(difference.codes) or None) if difference.topic == "pcp" else None,
        "title": labels.title(difference),
        "leftover": difference.leftover,
        "down": difference.down,
        "values": [_value(difference, value, sources) for value in difference.values],
        "reach": [
            {"device": short(reach.devices), "port": short(reach.ports) if reach.ports else None}
            for reach in difference.reach
        ],
        "devices": len(difference.devices),
        "ports": difference.port_count,
        "breaks": [
            {"rule": b.code, "name": b.name, "severity": b.severity, "message": b.message} for b in difference.breaks
        ],
    }


def _value(difference: Difference, value: Value, sources: Sources) -> dict[str, Any]:
    return {
        "part": value.part or None,
        "meant": _side(labels.meant(difference, value), value.meant, value.meant_at, sources),
        "running": _side(labels.running(difference, value), value.running, value.running_at or value.near, sources),
    }


def _side(text: str, value: Any, at: Origin | None, sources: Sources) -> dict[str, Any]:
    spans = spans_of(at)
    where = place(spans[0], sources) if spans else None
    return {
        "text": text,
        "value": _plain(value),
        "path": where.path if where else None,
        "line": where.line if where else None,
        "column": where.column if where else None,
        "origin": None if where or at is None else Origins(sources)(at),
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Way):
        return {"queue": value.queue, "priority_group": value.group, "priority": value.priority}
    if isinstance(value, Watched):
        return list(value.priorities)
    if isinstance(value, Least):
        return value.value
    if isinstance(value, tuple):
        if value and all(isinstance(part, tuple) and len(part) == 2 and isinstance(part[0], str) for part in value):
            return {key: _plain(part) for key, part in value}
        return [_plain(part) for part in value]
    return value


def _mend(mend: Mend) -> dict[str, Any]:
    return {
        "device": short(mend.devices),
        "devices": len(mend.devices),
        "steps": [
            {
                "how": step.how,
                "mark": step.mark,
                "why": step.why,
                "lines": list(step.lines),
                "operations": [dict(operation) for operation in step.operations],
                "refused": step.refused,
            }
            for step in mend.steps
        ],
        "beyond": list(mend.beyond),
        "left": mend.left,
        "unknown": list(mend.unknown),
    }


def _uncovered(each: Gathered, sources: Sources) -> dict[str, Any]:
    where = place(each.places[0], sources)
    return {
        "settings": list(dict.fromkeys(what.topic for what in each.settings)),
        "titles": labels.named(each.settings),
        "count": each.total,
        "silent": each.silent,
        "message": each.why or None,
        "reach": [
            {"device": short(reach.devices), "port": short(reach.ports) if reach.ports else None}
            for reach in each.reach
        ],
        "path": where.path,
        "line": where.line,
        "column": where.column,
    }


def _apart(drift: Drift) -> dict[str, Any]:
    return {
        "absent": short(drift.absent) if drift.absent else None,
        "strangers": [{"path": path, "name": name} for path, name in drift.strangers],
        "skipped": drift.running.skipped,
        "notes": [{"device": short(tuple(names)), "message": note} for note, names in drift.notes.items()],
        "beyond_intent": [{"device": name, "port": short(ports)} for name, ports in drift.extra.items()],
        "refused": [
            *(_refused(each) for each in drift.refused),
            *({"device": None, "message": str(error)} for error in drift.running.errors),
        ],
    }


def _refused(refused: Refused) -> dict[str, Any]:
    error = refused.error
    if isinstance(error, SourceError):
        return {"device": refused.name, "message": str(error)}
    return {"device": refused.name, "message": f"{error.message}{f' ({error.help})' if error.help else ''}"}


def _summary(drift: Drift) -> dict[str, Any]:
    return {
        "differences": sum(not d.down for d in drift.differences),
        "devices": len(drift.compared),
        "drifting": len(drift.differing),
        "absent": len(drift.absent),
        "ports": sum(len(means.ports) for means in drift.compared.values()),
        "settings": drift.settings,
        "uncovered": sum(each.total for each in drift.uncovered),
    }
