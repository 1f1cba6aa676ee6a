"""Findings as SARIF 2.1.0 (OASIS standard, errata 01), within what GitHub code scanning reads.

Columns count code points, and an end column is the one behind the last character. Rules and files are described where
a result names them. Paths are relative to the repository: `%SRCROOT%`.
"""

from __future__ import annotations

import json
import os
import re
from typing import Any
from urllib.parse import quote

from rocecfg import __version__
from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.linting.fingerprint import fingerprints
from rocecfg.linting.judge import RuleFailed
from rocecfg.linting.run import Run
from rocecfg.report.ci import UNREADABLE, find_repository, locate_in_repository, make_relative
from rocecfg.report.pages import make_url, read_page
from rocecfg.report.places import Place, fold_devices, fold_ports, locate_span
from rocecfg.rules import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note", "off": "none"}
_GITHUB_SEVERITIES = {"error": "error", "warning": "warning", "info": "recommendation", "off": "recommendation"}
_UNREAD = ("unreadable-file", "A file could not be read, and was not checked.")
_FAILED = ("rule-failed", "A rule failed, which is a fault of rocecfg; what it would have found is missing.")
_ENDS = {
    0: "nothing found that fails the run",
    1: "findings that fail the run",
    2: "a file could not be read",
    3: "a rule failed",
}


def render(run: Run, *, color: bool = False) -> str:
    """A log file with one run: tool and rules, what was invoked and how it ended, files, results. `color` is unused."""
    del color
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [_Log(run).run()]}
    return json.dumps(log, indent=1, ensure_ascii=False) + "\n"


class _Log:
    """One run while it is written: numbers of its rules and files."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._findings = run.causes
        self._root = find_repository()
        rules = {f.rule.name: f.rule for f in self._findings} | {f.rule.name: f.rule for f in run.failed}
        self._rules = sorted(rules.values(), key=lambda rule: (rule.code, rule.name))
        self._rule_index = {rule.name: index for index, rule in enumerate(self._rules)}
        documents = run.sources.documents
        spans = [span for f in self._findings for span in (f.at, *(span for span, _ in f.related)) if span is not None]
        paths = {documents[number].path for number in {span.doc for span in spans}}
        paths |= {f.path for f in self._findings if f.at is None and f.path}
        files = sorted({make_relative(path, self._root) for path in paths})
        self._file_index = {path: index for index, path in enumerate(files)}

    def run(self) -> dict[str, Any]:
        marks = fingerprints(self._findings, self._run.sources, self._root)
        return {
            "tool": {
                "driver": {
                    "name": "rocecfg",
                    "version": __version__,
                    "semanticVersion": __version__,
                    "shortDescription": {"text": "Generates and lints RoCEv2 switch configuration."},
                    "rules": [_describe_rule(rule) for rule in self._rules],
                    "notifications": [
                        {"id": name, "shortDescription": {"text": text}, "defaultConfiguration": {"level": "error"}}
                        for name, text in (_UNREAD, _FAILED)
                    ],
                }
            },
            "invocations": [self._make_invocation()],
            "originalUriBaseIds": {
                "%SRCROOT%": {
                    "description": {"text": "The repository rocecfg ran in, or the folder where there is none."}
                }
            },
            "artifacts": [{"location": self._make_artifact_location(path)} for path in self._file_index],
            "defaultEncoding": "utf-8",
            "columnKind": "unicodeCodePoints",
            "results": [self._make_result(f, mark) for f, mark in zip(self._findings, marks, strict=True)],
        }

    def _make_invocation(self) -> dict[str, Any]:
        run = self._run
        code = 3 if run.failed else 2 if run.unreadable else int(run.failing)
        return {
            "executionSuccessful": code < 2,
            "exitCode": code,
            "exitCodeDescription": _ENDS[code],
            "toolExecutionNotifications": [
                *(self._make_unreadable_notification(f) for f in self._findings if f.rule.name == UNREADABLE),
                *(self._make_failed_notification(failure) for failure in run.failed),
            ],
        }

    def _make_unreadable_notification(self, finding: Finding) -> dict[str, Any]:
        return {
            "descriptor": {"id": _UNREAD[0], "index": 0},
            "level": "error",
            "message": {"text": _escape_text(finding.message)},
            "locations": self._make_locations(finding),
        }

    def _make_failed_notification(self, failure: RuleFailed) -> dict[str, Any]:
        return {
            "descriptor": {"id": _FAILED[0], "index": 1},
            "associatedRule": {"id": failure.rule.code, "index": self._rule_index[failure.rule.name]},
            "level": "error",
            "message": {"text": _escape_text(str(failure))},
        }

    def _make_result(self, finding: Finding, fingerprint: str) -> dict[str, Any]:
        text = [_escape_text(finding.message)]
        if finding.help:
            text.append(f"Help: {_escape_text(finding.help)}")
        related = []
        for number, (span, word) in enumerate(finding.related, 1):
            there = locate_span(span, self._run.sources)
            there = there._replace(path=make_relative(there.path, self._root))
            text.append(f"See [{_escape_link(word)}]({number}).")
            related.append(
                {
                    "id": number,
                    "physicalLocation": self._make_physical_location(there),
                    "message": {"text": _escape_text(word)},
                }
            )
        result = {
            "ruleId": finding.rule.code,
            "ruleIndex": self._rule_index[finding.rule.name],
            "level": _LEVELS[finding.severity],
            "message": {"text": "\n".join(text)},
            "locations": self._make_locations(finding),
            "partialFingerprints": {"rocecfg/v1": fingerprint},
            "properties": {
                key: value
                for key, value in {
                    "device": fold_devices(finding),
                    "port": fold_ports(finding),
                    "class": finding.cls,
                    "devices": len(finding.devices),
                    "ports": finding.port_count,
                    "folded": len(finding.folded),
                }.items()
                if value
            },
        }
        if related:
            result["relatedLocations"] = related
        return result

    def _make_locations(self, finding: Finding) -> list[dict[str, Any]]:
        at = locate_in_repository(finding, self._run.sources, self._root)
        return [{"physicalLocation": self._make_physical_location(at)}] if at is not None else []

    def _make_physical_location(self, at: Place) -> dict[str, Any]:
        return {
            "artifactLocation": self._make_artifact_location(at.path),
            "region": {
                "startLine": at.line,
                "startColumn": at.column,
                "endLine": at.end_line,
                "endColumn": at.end_column,
            },
        }

    def _make_artifact_location(self, path: str) -> dict[str, Any]:
        return {"uri": quote(os.fsencode(path)), "uriBaseId": "%SRCROOT%", "index": self._file_index[path]}


def _describe_rule(rule: Rule) -> dict[str, Any]:
    text = read_page(rule)
    why = _find_why(text) or rule.summary
    paragraphs = [
        rule.summary,
        *([why] if text else []),
        f"Source: {rule.source}",
        f"More: rocecfg explain {rule.name}",
    ]
    help_ = {"text": "\n\n".join(paragraphs)}
    if text:
        help_["markdown"] = text
    address = make_url(rule)
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": why},
        **({"helpUri": address} if address else {}),
        "help": help_,
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"problem.severity": _GITHUB_SEVERITIES[rule.severity], "tags": [rule.name.partition("-")[0]]},
    }


def _find_why(page: str) -> str:
    """The first paragraph on why a rule matters, as one line."""
    _, _, why = page.partition("\n## Why\n")
    return " ".join(why.strip().partition("\n\n")[0].split())


def _escape_text(text: str) -> str:
    """A message that nobody reads a placeholder or a link into (SARIF 2.1.0, 3.11.5 and 3.11.6).

    The standard doubles braces, which spoils a fix in YAML where a viewer shows the text as it stands: blanks keep
    apart what would mean something, and mean nothing to YAML.
    """
    return re.sub(r"\{(\d+)\}|(?<=\{)(?=\{)|(?<=\})(?=\})|(?<=\])(?=\()", _space_out, visible(text))


def _space_out(found: re.Match[str]) -> str:
    return f"{{{found[1]} }}" if found[1] else " "


def _escape_link(text: str) -> str:
    """The text of a link: brackets and backslashes are escaped in it (3.11.6)."""
    return re.sub(r"[\\\[\]]", r"\\\g<0>", _escape_text(text))
