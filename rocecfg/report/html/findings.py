"""Findings as the page shows them: by severity and rule, each with its source line, second places, mend and reach."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.intent.secrets import secret_in
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run
from rocecfg.report.masking import masked
from rocecfg.report.places import Place, place, place_of, reach
from rocecfg.rules import SEVERITIES, Rule
from rocecfg.source.document import Sources

MOST = 200  # findings of one rule that are shown: the page stays one that a browser opens
_WIDE = 160  # characters of a source line that are shown
_ONE_LINE = 2000  # characters of a line that is a whole file, as programs write JSON: only the place is shown of it


class Excerpt(NamedTuple):
    """A source line, cut at the place that a finding is about."""

    before: str
    marked: str
    after: str


class Item(NamedTuple):
    """A finding in words."""

    severity: str
    where: str  # path:line:column
    line: int
    excerpt: Excerpt | None
    message: str
    related: tuple[tuple[str, str], ...]  # place, and the word about it
    help: str
    fix: str  # what --fix does about it; empty: nothing
    reach: str


class Group(NamedTuple):
    """The findings of one rule at one severity."""

    severity: str
    rule: Rule
    items: tuple[Item, ...]
    more: int  # that are not shown


def groups(run: Run) -> list[Group]:
    """The findings of a run, gravest first, then by the code of their rule, each in the order of the run."""
    found: dict[tuple[int, str], list[Finding]] = {}
    for finding in run.findings:
        found.setdefault((-SEVERITIES.index(finding.severity), finding.rule.code), []).append(finding)
    return [
        Group(
            of[0].severity,
            of[0].rule,
            tuple(_item(finding, run.sources) for finding in of[:MOST]),
            max(0, len(of) - MOST),
        )
        for _, of in sorted(found.items())
    ]


def _item(finding: Finding, sources: Sources) -> Item:
    at = place_of(finding, sources)
    related = []
    for span, word in finding.related:
        there = place(span, sources)
        related.append((f"{there.path}:{there.line}:{there.column}", word))
    fix = ""
    if finding.fix is not None:
        fix = f"{finding.fix.description} ({'--fix' if finding.fix.safe else '--fix --unsafe-fixes'})"
    return Item(
        finding.severity,
        f"{at.path}:{at.line}:{at.column}",
        at.line,
        _excerpt(finding, at, sources),
        finding.message,
        tuple(related),
        finding.help,
        fix,
        reach(finding),
    )


def _excerpt(finding: Finding, at: Place, sources: Sources) -> Excerpt | None:
    """The line that a finding is about; None where there is none, or it holds a secret."""
    document = sources.documents[finding.at.doc] if finding.at is not None else sources.known(finding.path)
    if document is None:
        return None
    line = masked(document.line(at.line))
    start = min(at.column - 1, len(line))
    end = min(at.end_column - 1 if at.end_line == at.line else len(line), len(line))
    end = max(end, min(start + 1, len(line)))
    if len(line) > _ONE_LINE:  # what stands beside the place may be anything, a password too
        line, start, end = line[start : min(end, start + _WIDE)], 0, min(end - start, _WIDE)
    if secret_in(line) is not None or not line.strip():
        return None
    shift = max(0, min(start - _WIDE // 3, len(line) - _WIDE))
    before = ("…" if shift else "") + line[shift:start]
    marked, after = line[start : min(end, shift + _WIDE)], line[end : shift + _WIDE]
    if shift + _WIDE < len(line):
        after += "…"
    return Excerpt(before, marked, after)
