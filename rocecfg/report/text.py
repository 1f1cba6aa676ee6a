"""Findings for people: `full` shows the line and underlines the place, `concise` is one line a finding."""

from __future__ import annotations

from rocecfg.engine.finding import Finding
from rocecfg.engine.run import Run, Summary
from rocecfg.report.places import Place, place, place_of, reach
from rocecfg.source.document import Sources

_COLOURS = {"error": "31;1", "warning": "33;1", "info": "36;1", "dim": "34;1", "bold": "1"}
_MOST = 200  # columns of a source line that are shown: a flow mapping may be longer than any terminal


class _Paint:
    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.on else text


def concise(run: Run, *, color: bool = False) -> str:
    """`path:line:column: severity CODE name: message`, and the totals."""
    paint = _Paint(color)
    lines = []
    for finding in run.findings:
        at = place_of(finding, run.sources)
        far = reach(finding)
        tail = f" [{far}]" if far else ""
        lines.append(
            f"{at.path}:{at.line}:{at.column}: {paint(finding.severity, finding.severity)} "
            f"{finding.rule.code} {finding.rule.name}: {finding.message}{tail}\n"
        )
    return "".join(lines) + totals(run.summary)


def full(run: Run, *, color: bool = False) -> str:
    """Each finding with its source line, the span underlined, second places, the mend and the reach."""
    paint = _Paint(color)
    return "".join(_one(f, run.sources, paint) + "\n" for f in run.findings) + totals(run.summary)


def _one(finding: Finding, sources: Sources, paint: _Paint) -> str:
    at = place_of(finding, sources)
    head = paint(finding.severity, f"{finding.severity}[{finding.rule.code}]")
    out = [f"{head} {finding.rule.name}: {paint('bold', finding.message)}"]
    width = len(str(at.line))
    out.append(f"{' ' * width}{paint('dim', '-->')} {at.path}:{at.line}:{at.column}")
    if finding.at is not None:
        out += _snippet(at, sources.documents[finding.at.doc].line(at.line), width, finding.severity, paint)
    for span, word in finding.related:
        there = place(span, sources)
        out.append(f"{' ' * width} {paint('dim', '=')} {there.path}:{there.line}:{there.column}: {word}")
    if finding.help:
        out.append(f"{' ' * width} {paint('dim', '=')} help: {finding.help}")
    far = reach(finding)
    if far:
        out.append(f"{' ' * width} {paint('dim', '=')} reaches {far}")
    return "\n".join(out) + "\n"


def _snippet(at: Place, line: str, width: int, severity: str, paint: _Paint) -> list[str]:
    start = at.column - 1
    end = at.end_column - 1 if at.end_line == at.line else len(line)
    shift = 0
    if len(line) > _MOST:  # keep the place in sight
        shift = max(0, min(start - _MOST // 3, len(line) - _MOST))
        line = line[shift : shift + _MOST]
    line = line.replace("\t", " ")
    marks = max(1, min(end, shift + len(line)) - start)
    bar = paint("dim", "|")
    return [
        f"{' ' * width} {bar}",
        f"{paint('dim', str(at.line))} {bar} {line}",
        f"{' ' * width} {bar} {' ' * (start - shift)}{paint(severity, '^' * marks)}",
    ]


def totals(summary: Summary) -> str:
    """The last line: what was found in how much."""
    found = ", ".join(
        f"{count} {word}{'s' * (count != 1)}"
        for count, word in ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
        if count
    )
    scope = f"{summary.fabrics} fabric{'s' * (summary.fabrics != 1)}, {summary.files} file{'s' * (summary.files != 1)}"
    if summary.devices:
        scope += f", {summary.devices} device{'s' * (summary.devices != 1)}, {summary.ports} ports"
    waived = f"; {summary.suppressed} waived" if summary.suppressed else ""
    return f"{found or 'clean'} in {scope}{waived}\n"
