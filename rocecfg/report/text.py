"""Findings for people: `full` shows the line and underlines the place, `concise` is one line a finding."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rocecfg.core.visible import visible
from rocecfg.linting.finding import Finding
from rocecfg.linting.run import Run, Summary
from rocecfg.report.places import Place, describe_folded, describe_reach, list_notes, locate_finding
from rocecfg.rules import SEVERITIES
from rocecfg.source.document import Document, Sources

_COLOURS = {"error": "31;1", "warning": "33;1", "info": "36;1", "dim": "34;1", "bold": "1"}
_MOST = 200  # columns of a source line that are shown: a flow mapping may be longer than any terminal
_ONE_LINE = 2000  # characters of a line that is a whole file, as programs write JSON: only the place is shown of it
_FABRICS = 3  # that are named beside a section which they lack
_LEAST = 40  # columns that a narrower terminal is taken to have


class _Paint:
    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.on else text


def render_concise(run: Run, *, color: bool = False, quiet: bool = False) -> str:
    """`path:line:column: severity CODE name: message`, and the totals; `quiet`: of these only what was not read."""
    paint = _Paint(color)
    lines = []
    found, summary = run.fold_over_files()
    for finding in found:
        at = locate_finding(finding, run.sources)
        tail = "; ".join((*([far] if (far := describe_reach(finding)) else ()), *describe_folded(finding)))
        line = (
            f"{at.path}:{at.line}:{at.column}: {paint(finding.severity, finding.severity)} "
            f"{finding.rule.code} {finding.rule.name}: {finding.message}{f' [{tail}]' if tail else ''}"
        )
        lines.append(f"{visible(line, color=color)}\n")
    return "".join(lines) + _render_last(summary, run.sources, quiet=quiet)


def render_full(run: Run, *, color: bool = False, width: int | None = None, quiet: bool = False) -> str:
    """Each finding with its source line, the span underlined, second places, the fix and the reach.

    `width`: the terminal's columns, to which text is folded; None: lines are as long as they are. `quiet`: of the
    totals only what was not read.
    """
    paint = _Paint(color)
    most = max(width, _LEAST) if width is not None else None
    found, summary = run.fold_over_files()
    return "".join(_render_finding(f, run.sources, paint, most) + "\n" for f in found) + _render_last(
        summary, run.sources, quiet=quiet
    )


@lru_cache(8)  # one line may have all of a file, and thousands of findings
def _read_masked_line(document: Document, number: int) -> str:
    from rocecfg.report.masking import mask_secrets  # most runs quote nothing

    return mask_secrets(document.line(number))


def _render_finding(finding: Finding, sources: Sources, paint: _Paint, most: int | None) -> str:
    at = locate_finding(finding, sources)
    label = f"{finding.severity}[{finding.rule.code}]"
    width = len(str(at.line))
    first, *rest = _fold_text(f"{label} {finding.rule.name}: ", visible(finding.message), width + 3, most)
    out = [f"{paint(finding.severity, label)} {finding.rule.name}: {paint('bold', first)}"]
    out += [f"{' ' * (width + 3)}{paint('bold', line)}" for line in rest]
    out.append(f"{' ' * width}{paint('dim', '-->')} {at.path}:{at.line}:{at.column}")
    document = sources.documents[finding.at.doc] if finding.at is not None else sources.find_known(finding.path)
    line = _read_masked_line(document, at.line) if document is not None else None
    if line is not None and (len(line) > _ONE_LINE or not _holds_secret(line)):
        shown = min(_MOST, most - width - 3) if most is not None else _MOST
        out += _render_snippet(at, line, width, finding.severity, paint, shown)
    for note in list_notes(finding, sources):
        first, *rest = _fold_text(" " * (width + 3), visible(note), width + 3, most)
        out.append(f"{' ' * width} {paint('dim', '=')} {first}")
        out += [f"{' ' * (width + 3)}{line}" for line in rest]
    return "".join(f"{visible(line, color=paint.on)}\n" for line in out)


def _holds_secret(line: str) -> bool:
    """Whether a source line is not to be repeated: reports go to logs and chats."""
    from rocecfg.intent.secrets import find_secret

    return find_secret(line) is not None


def _fold_text(before: str, text: str, indent: int, most: int | None) -> list[str]:
    """A text in lines of at most `most` columns; the first one follows `before`, the others are indented."""
    if most is None or _count_columns(before) + _count_columns(text) <= most:
        return [text]
    lines: list[list[str]] = [[]]
    used = _count_columns(before)
    for word in text.split(" "):
        wide = _count_columns(word)
        if lines[-1] and used + wide > most:
            lines.append([])
            used = indent
        lines[-1].append(word)
        used += wide + 1
    return [" ".join(line) for line in lines]


def _render_snippet(at: Place, line: str, width: int, severity: str, paint: _Paint, most: int) -> list[str]:
    start = at.column - 1
    end = at.end_column - 1 if at.end_line == at.line else len(line)
    shift = 0
    if len(line) > _ONE_LINE:  # what stands beside the place may be anything, a password too
        line, shift, end = line[start : start + most], start, min(end, start + most)
        line = line[: max(1, end - start)]
    if len(line) > most:  # keep the place in sight
        shift = max(0, min(start - most // 3, len(line) - most))
        line = line[shift : shift + most]
    begin, end = start - shift, max(start + 1, end) - shift
    before, marked, after = (visible(part, tab=" ") for part in (line[:begin], line[begin:end], line[end:]))
    bar = paint("dim", "|")
    return [
        f"{' ' * width} {bar}",
        f"{paint('dim', str(at.line))} {bar} {before}{marked}{after}".rstrip(),
        f"{' ' * width} {bar} {' ' * _count_columns(before)}{paint(severity, '^' * max(1, _count_columns(marked)))}",
    ]


def _count_columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _render_last(summary: Summary, sources: Sources, *, quiet: bool) -> str:
    """The totals; where they are not wanted, what was not read all the same: silence would say that all was."""
    if not quiet:
        return render_totals(summary, sources)
    left = describe_absent(summary)
    if summary.fates is not None and summary.fates.counts[-1]:  # unknown
        from rocecfg.report.fates import describe_fates

        left = f"{describe_fates(summary.fates, sources)}{left}"
    return f"{left.removeprefix('; ')}\n" if left else ""


def render_totals(summary: Summary, sources: Sources) -> str:
    """The last line: what was found in how much."""
    found = ", ".join(
        f"{count} {word}{'s' * (count != 1)}"
        for count, word in ((summary.errors, "error"), (summary.warnings, "warning"), (summary.infos, "info"))
        if count
    )
    scope = f"{summary.fabrics} fabric{'s' * (summary.fabrics != 1)}, {summary.files} file{'s' * (summary.files != 1)}"
    if summary.devices:
        scope += f", {summary.devices} device{'s' * (summary.devices != 1)}"
        scope += f", {summary.ports} port{'s' * (summary.ports != 1)}"
    waived = f"; {summary.suppressed} waived" if summary.suppressed else ""
    waived += f"; {summary.elsewhere} on lines that did not change" if summary.elsewhere else ""
    waived += _describe_passed_over(summary)
    idle = summary.silent_rules
    lacking = ", ".join(summary.silent_sections)
    silent = f"; {idle} rule{'s' * (idle != 1)} skipped: no {lacking}" if idle else ""
    fates = ""
    unknown = summary.fates is not None and summary.fates.counts[-1] > 0  # nobody can call these clean
    if summary.fates is not None:
        from rocecfg.report.fates import describe_fates  # no intent has any

        fates = f"; {describe_fates(summary.fates, sources)}"
    left = describe_absent(summary)
    syntax = f"; syntax not checked: {summary.unmodelled}" if summary.unmodelled else ""
    return f"{found or ('clean' if not unknown else 'no findings')} in {scope}{waived}{fates}{left}{silent}{syntax}\n"


def _describe_passed_over(summary: Summary) -> str:
    """What below the given folders was not looked at, by which list."""
    out = ""
    for files, folders, by in (
        (summary.ignored_files, summary.ignored_folders, ".gitignore"),
        (summary.excluded_files, summary.excluded_folders, "exclude"),
    ):
        reported = [f"{n} {word}{'s' * (n != 1)}" for n, word in ((files, "file"), (folders, "folder")) if n]
        out += f"; {' and '.join(reported)} passed over by {by}" if reported else ""
    return out


def describe_absent(summary: Summary) -> str:
    """What configurations say nothing about."""
    out = ""
    if summary.absent:
        out += f"; only part of a configuration, not checked: {', '.join(summary.absent)}"
    if summary.unset:
        out += f"; no line on {', '.join(summary.unset)}: checked as not set, which is wrong if the file is only a part"
    return out


# -- counts by rule ----------------------------------------------------------------------------------------------------


def render_statistics(run: Run, *, color: bool = False) -> str:
    """A line a rule and severity: count, severity, code, name; which rules were skipped; and the totals."""
    paint = _Paint(color)
    counts: dict[tuple[str, str, str], int] = {}
    found, summary = run.fold_over_files()
    for finding in found:
        key = (finding.severity, finding.rule.code, finding.rule.name)
        counts[key] = counts.get(key, 0) + 1
    rows = sorted(counts.items(), key=lambda row: (-row[1], -SEVERITIES.index(row[0][0]), row[0]))
    figures = max((len(str(count)) for count in counts.values()), default=0)
    words = max((len(severity) for severity, _, _ in counts), default=0)
    codes = max((len(code) for _, code, _ in counts), default=0)
    return "".join(
        f"{count:>{figures}}  {paint(severity, severity)}{' ' * (words - len(severity))}  {code:<{codes}}  {name}\n"
        for (severity, code, name), count in rows
    ) + "".join([*_describe_silent(run), render_totals(summary, run.sources)])


def _describe_silent(run: Run) -> Iterator[str]:
    """A line a section that a fabric lacks, with the rules that look at it; which fabrics, where there are several."""
    lacking: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for root, sections in run.silent:
        for absent in sections.items():
            lacking.setdefault(absent, []).append(root)
    for (section, names), roots in sorted(lacking.items()):
        more = f" and {len(roots) - _FABRICS} more" if len(roots) > _FABRICS else ""
        where = f" in {visible(', '.join(roots[:_FABRICS]))}{more}" if run.summary.fabrics > 1 else ""
        yield f"no {section}{where}, so skipped: {', '.join(names)}\n"
