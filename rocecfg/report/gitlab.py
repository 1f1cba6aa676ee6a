"""Findings as a GitLab Code Quality report: merge requests show what is new in them.

The format has no place for a failure of the linter itself: that is exit code 3 and a line on standard error.
"""

from __future__ import annotations

import json
from typing import Any

from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.linting.fingerprint import fingerprints
from rocecfg.linting.run import Run
from rocecfg.report.ci import find_last_line, find_repository, list_details, locate_in_repository
from rocecfg.report.places import Place

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}  # above: critical, blocker
_NOWHERE = Place(".", 1, 1, 1, 1)  # GitLab wants a place of everything


def render(run: Run, *, color: bool = False) -> str:
    """A list with one object a finding; fingerprints are unique and survive moved lines. `color` is unused."""
    del color
    root = find_repository()
    found = run.causes
    marks = fingerprints(found, run.sources, root)
    report = [_make_issue(f, mark, run, root) for f, mark in zip(found, marks, strict=True)]
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def _make_issue(finding: Finding, fingerprint: str, run: Run, root: str) -> dict[str, Any]:
    at = locate_in_repository(finding, run.sources, root) or _NOWHERE
    text = [f"{finding.rule.code}: {visible(finding.message)}", *list_details(finding, run.sources, root)]
    return {
        "description": "; ".join(text),
        "check_name": finding.rule.name,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": visible(at.path), "lines": {"begin": at.line, "end": find_last_line(at)}},
    }
