"""Findings in the Reviewdog Diagnostic Format, which reviewdog turns into comments on a change.

Columns count bytes of UTF-8, and an end is exclusive (reviewdog, proto/rdf/reviewdog.proto).
"""

from __future__ import annotations

import json
from typing import Any

from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.ci import find_repository, list_details, locate_in_repository
from rocecfg.report.pages import make_url
from rocecfg.report.places import Place, locate_finding
from rocecfg.source.document import Document

_SOURCE = {"name": "rocecfg"}
_SEVERITIES = {"error": "ERROR", "warning": "WARNING", "info": "INFO"}


def render(run: Run, *, color: bool = False) -> str:
    """One object for the run: a diagnostic a finding, and one for each rule that failed. `color` is unused."""
    del color
    root = find_repository()
    found = [_make_diagnostic(finding, run, root) for finding in run.causes]
    broken = [{"message": f"internal error: {visible(str(failure))}", "severity": "ERROR"} for failure in run.failed]
    return json.dumps({"source": _SOURCE, "diagnostics": [*found, *broken]}, indent=1, ensure_ascii=False) + "\n"


def _make_diagnostic(finding: Finding, run: Run, root: str) -> dict[str, Any]:
    text = "\n".join((visible(finding.message), *list_details(finding, run.sources, root)))
    address = make_url(finding.rule)
    out: dict[str, Any] = {
        "message": text,
        "severity": _SEVERITIES[finding.severity],
        "code": {"value": f"{finding.rule.code} {finding.rule.name}"} | ({"url": address} if address else {}),
    }
    at = locate_in_repository(finding, run.sources, root)
    if at is not None:
        known = run.sources.find_known(locate_finding(finding, run.sources).path)
        out["location"] = {"path": visible(at.path), "range": _make_range(at, known)}
    return out


def _make_range(at: Place, document: Document | None) -> dict[str, Any]:
    ends = {"start": (at.line, at.column), "end": (at.end_line, at.end_column)}
    return {end: {"line": line, "column": _count_bytes(document, line, column)} for end, (line, column) in ends.items()}


def _count_bytes(document: Document | None, line: int, column: int) -> int:
    """The column of a line in bytes of UTF-8, for one in code points; both from 1."""
    text = (document.line(line) or "") if document is not None else ""
    before = text[: column - 1]
    return column + len(before.encode("utf-8", "surrogatepass")) - len(before)
