"""Findings as JSON, version 1."""

from __future__ import annotations

import json
from typing import Any

from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.places import device_of, place, place_of, port_of
from rocecfg.source.document import Sources


def render(run: Run, *, color: bool = False) -> str:
    """The envelope `{version, findings, summary}`; `color` is there for all formats and unused here."""
    del color
    envelope = {
        "version": 1,
        "findings": [_one(f, run.sources) for f in run.findings],
        "summary": run.summary._asdict(),
    }
    return json.dumps(envelope, indent=1, ensure_ascii=False) + "\n"


def _one(finding: Finding, sources: Sources) -> dict[str, Any]:
    at = place_of(finding, sources)
    related = []
    for span, word in finding.related:
        there = place(span, sources)
        related.append({"path": there.path, "line": there.line, "column": there.column, "message": word})
    return {
        "rule": finding.rule.code,
        "name": finding.rule.name,
        "severity": finding.severity,
        "message": finding.message,
        "path": at.path,
        "line": at.line,
        "column": at.column,
        "end_line": at.end_line,
        "end_column": at.end_column,
        "device": device_of(finding),
        "port": port_of(finding),
        "class": finding.cls,
        "devices": len(finding.devices),
        "ports": finding.port_count,
        "help": finding.help or None,
        "related": related or None,
        "fix": finding.fix and {"safe": finding.fix.safe, "description": finding.fix.description},
        "url": None,
    }
