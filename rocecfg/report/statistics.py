"""How often each rule found something: the most frequent first, and the totals."""

from __future__ import annotations

from rocecfg.linting.run import Run
from rocecfg.report.text import _Paint, totals
from rocecfg.rules import SEVERITIES


def render(run: Run, *, color: bool = False) -> str:
    """A line a rule and severity: count, severity, code, name; the last line as in the other texts."""
    paint = _Paint(color)
    counts: dict[tuple[str, str, str], int] = {}
    for finding in run.findings:
        key = (finding.severity, finding.rule.code, finding.rule.name)
        counts[key] = counts.get(key, 0) + 1
    rows = sorted(counts.items(), key=lambda row: (-row[1], -SEVERITIES.index(row[0][0]), row[0]))
    figures = max((len(str(count)) for count in counts.values()), default=0)
    words = max((len(severity) for severity, _, _ in counts), default=0)
    codes = max((len(code) for _, code, _ in counts), default=0)
    return "".join(
        f"{count:>{figures}}  {paint(severity, severity)}{' ' * (words - len(severity))}  {code:<{codes}}  {name}\n"
        for (severity, code, name), count in rows
    ) + totals(run.summary)
