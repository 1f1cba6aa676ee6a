"""Findings as the protocol's diagnostics."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lsprotocol.types import (
    Diagnostic,
    DiagnosticRelatedInformation,
    DiagnosticSeverity,
    Location,
    Position,
    PositionEncodingKind,
    Range,
)

from rocecfg.linting.finding import Finding
from rocecfg.lsp.protocol import Lines, uri_of
from rocecfg.lsp.texts import Snapshot
from rocecfg.model import Span
from rocecfg.report.places import describe_reach
from rocecfg.rules import ERROR, INFO, WARNING
from rocecfg.source.document import Document, SourceError, Sources

SOURCE = "rocecfg"
_SEVERITIES = {
    ERROR: DiagnosticSeverity.Error,
    WARNING: DiagnosticSeverity.Warning,
    INFO: DiagnosticSeverity.Information,
}


class EditorPlaces:
    """Places of one run as the editor counts them."""

    def __init__(self, sources: Sources, snapshot: Snapshot, encoding: PositionEncodingKind, folder: str) -> None:
        """`folder`: the fabric's, from which paths are shown."""
        self.sources = sources
        self.snapshot = snapshot
        self.folder = folder
        self._encoding = encoding
        self._lines: dict[str, Lines] = {}

    def uri(self, path: str) -> str:
        """A file's URI, in the editor's own writing where it is open."""
        buffer = self.snapshot.get(os.path.abspath(path))
        return buffer.uri if buffer is not None else uri_of(path)

    def path(self, doc: int) -> str:
        """The absolute path of a document."""
        return os.path.abspath(self.sources.documents[doc].path)

    def document(self, path: str) -> Document | None:
        """The text that was read of a file, if any was."""
        return next((d for d in self.sources.documents if os.path.abspath(d.path) == path), None)

    def range(self, span: Span) -> Range:
        """A span as the editor counts."""
        return self.lines(self.sources.documents[span.doc].path).range(span.start, span.end)

    def location(self, span: Span) -> Location:
        """A span with the file that it is in."""
        return Location(self.uri(self.path(span.doc)), self.range(span))

    def lines(self, path: str) -> Lines:
        """The lines of a text that was read."""
        full = os.path.abspath(path)
        buffer = self.snapshot.get(full)
        if buffer is not None:
            return buffer.lines
        if full not in self._lines:
            document = self.sources.find_known(path)
            self._lines[full] = Lines(document.text if document is not None else "", self._encoding)
        return self._lines[full]

    def line_and_column(self, path: str, line: int, column: int) -> Range:
        """The range of one character at a place that is known by line and column, from 1."""
        document = self.sources.find_known(path)
        if document is None:  # not read at all: there is nothing to count in
            return Range(Position(line - 1, column - 1), Position(line - 1, column - 1))
        begin = 0
        for _ in range(line - 1):
            begin = document.text.find("\n", begin) + 1
        start = begin + column - 1
        inside = start < len(document.text) and document.text[start] not in "\r\n"
        return self.lines(path).range(start, start + int(inside))


def make_diagnostics(findings: Iterable[Finding], where: EditorPlaces) -> dict[str, list[Diagnostic]]:
    """Diagnostics by the absolute path of the file they stand in."""
    out: dict[str, list[Diagnostic]] = {}
    for finding in findings:
        path = where.path(finding.at.doc) if finding.at is not None else os.path.abspath(finding.path)
        out.setdefault(path, []).append(make_diagnostic(finding, where))
    return out


def make_diagnostic(finding: Finding, where: EditorPlaces) -> Diagnostic:
    """A finding as a diagnostic of the file that it stands in."""
    related = [DiagnosticRelatedInformation(where.location(span), word) for span, word in finding.related]
    return Diagnostic(
        range=(
            where.range(finding.at)
            if finding.at is not None
            else where.line_and_column(finding.path, finding.line, finding.column)
        ),
        message=_format_message(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.rule.code,
        source=SOURCE,
        related_information=related or None,
    )


def make_error_diagnostics(error: SourceError, where: EditorPlaces) -> dict[str, list[Diagnostic]]:
    """What cannot be used at all (settings, a baseline), by the absolute path of its file."""
    message = f"{error.message}\nhelp: {error.help}" if error.help else error.message
    at = where.line_and_column(error.path, error.line, error.column)
    return {
        os.path.abspath(error.path): [
            Diagnostic(range=at, message=message, severity=DiagnosticSeverity.Error, source=SOURCE)
        ]
    }


def _format_message(finding: Finding) -> str:
    far = describe_reach(finding)
    lines = [
        f"{finding.rule.name}: {finding.message}",
        *([f"help: {finding.help}"] if finding.help else []),
        *([f"reaches {far}"] if far else []),
    ]
    return "\n".join(lines)
