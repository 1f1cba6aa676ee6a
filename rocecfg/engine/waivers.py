"""`# rocecfg: ignore[RULE] until=2027-03-31 -- reason`: at the end of a line, or on a line of its own above."""

from __future__ import annotations

import re
from typing import NamedTuple

from rocecfg.engine.finding import Finding
from rocecfg.model import Span
from rocecfg.rules import BY_NAME, find
from rocecfg.source.document import Document
from rocecfg.source.yaml import Map, Node, Scalar, Seq, compose

MARK = "rocecfg: ignore"


class _Waiver(NamedTuple):
    names: tuple[str, ...]
    until: str | None
    reason: str
    line: int  # the line it is about
    at: Span


def apply(findings: list[Finding], documents: list[Document], today: str) -> tuple[list[Finding], int]:
    """Findings that stand, with those about the waivers themselves; and how many were silenced.

    `today` is an ISO date. A waiver without reason, past its date, of an unknown rule, or of one that cannot be
    silenced in a line does not count, and is reported; so is one that silences nothing.
    """
    waivers = [w for d in documents if MARK in d.text for w in _waivers(d)]
    if not waivers:
        return findings, 0
    by_number = {d.number: d for d in documents}
    at_line: dict[tuple[int, int], list[Finding]] = {}
    for finding in findings:
        if finding.at is not None and finding.at.doc in by_number:
            line, _ = by_number[finding.at.doc].place(finding.at.start)
            at_line.setdefault((finding.at.doc, line), []).append(finding)
    silenced: set[int] = set()
    about: list[Finding] = []
    for waiver in waivers:
        here = at_line.get((waiver.at.doc, waiver.line), [])
        for name in waiver.names:
            about += _judge(waiver, name, here, silenced, today)
    return [f for f in findings if id(f) not in silenced] + about, len(silenced)


def _judge(waiver: _Waiver, name: str, here: list[Finding], silenced: set[int], today: str) -> list[Finding]:
    rule = find(name)
    if rule is None:
        return [_about("hygiene-waiver-unknown", waiver, f"there is no rule {name!r}", "`rocecfg rules` lists them")]
    if not waiver.reason:
        help = f"write # rocecfg: ignore[{name}] -- why"
        return [
            _about(
                "hygiene-waiver-reason", waiver, f"the waiver of {rule.name} gives no reason: it does not count", help
            )
        ]
    if not rule.ignorable:
        return [
            _about("hygiene-waiver-refused", waiver, f"{rule.name} cannot be silenced in a line", "mend what it finds")
        ]
    if waiver.until is not None and waiver.until < today:
        return [
            _about(
                "hygiene-waiver-expired",
                waiver,
                f"the waiver of {rule.name} ended on {waiver.until}: it no longer counts",
                "mend what it covers, or give it a new date",
            )
        ]
    hit = [f for f in here if f.rule is rule]
    silenced.update(id(f) for f in hit)
    if not hit:
        return [
            _about(
                "hygiene-waiver-unused", waiver, f"{rule.name} finds nothing on line {waiver.line}", "remove the waiver"
            )
        ]
    return []


def _about(name: str, waiver: _Waiver, message: str, help: str) -> Finding:
    rule = BY_NAME[name]
    return Finding(rule, rule.severity, message, help, waiver.at)


def _waivers(document: Document) -> list[_Waiver]:
    pattern = re.compile(
        r"(?:^|(?<=\s))#\s*rocecfg: ignore\[([^\]\n]*)\][ \t]*(?:until=(\d{4}-\d\d-\d\d)[ \t]*)?(?:--[ \t]*([^\n]*))?",
        re.MULTILINE,
    )
    strings = _strings(compose(document))
    out = []
    for match in pattern.finditer(document.text):
        if any(start <= match.start() < end for start, end in strings):
            continue  # text of a quoted or block scalar, not a comment
        line, _ = document.place(match.start())
        before = document.line(line)[: match.start() - (document.text.rfind("\n", 0, match.start()) + 1)]
        if not before.strip():
            line = _next(document, line)
        names = tuple(n.strip() for n in match[1].split(",") if n.strip())
        at = Span(document.number, match.start(), match.end())
        out.append(_Waiver(names or ("",), match[2], (match[3] or "").strip(), line, at))
    return out


def _next(document: Document, line: int) -> int:
    """The next line that is neither empty nor a comment."""
    last = document.text.count("\n") + 1
    for number in range(line + 1, last + 1):
        text = document.line(number).strip()
        if text and not text.startswith("#"):
            return number
    return line


def _strings(node: Node | None) -> list[tuple[int, int]]:
    """The spans of scalars that may hold a `#`: all that are quoted or in blocks."""
    if node is None:
        return []
    if isinstance(node, Scalar):
        return [] if node.plain else [(node.start, node.end)]
    if isinstance(node, Seq):
        return [s for item in node.items for s in _strings(item)]
    assert isinstance(node, Map)
    return [s for key, value in node.pairs for part in (key, value) for s in _strings(part)]
