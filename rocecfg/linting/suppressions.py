"""`# rocecfg: ignore[RULE] until=2027-03-31 -- reason`: at the end of a line, or on a line of its own above."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import count

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.files import house_rule_name
from rocecfg.linting.finding import Finding
from rocecfg.model import Span
from rocecfg.model.fix import Fix, recomment
from rocecfg.rules import Rule, find_rule, get_rule
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Scalar, Seq, compose

MARK = "rocecfg: ignore"


class _Waiver(NamedTuple):
    names: tuple[str, ...]
    until: str | None  # as written
    reason: str
    line: int  # the line it is about
    at: Span
    text: str  # as written

    def text_without(self, name: str) -> str:
        """Its text once this name is taken off it; empty where no other is left."""
        left = list(self.names)
        left.remove(name)
        if not left:
            return ""
        begin, end = self.text.index("[") + 1, self.text.index("]")
        return f"{self.text[:begin]}{', '.join(left)}{self.text[end:]}"


def apply(
    findings: list[Finding],
    documents: list[Document],
    today: str,
    rules: tuple[Rule, ...] | None = None,
    judged: frozenset[str] | None = None,
    own: tuple[Rule, ...] = (),
) -> tuple[list[Finding], int]:
    """Findings that stand, with those about the waivers themselves; and how many were silenced.

    `today` is an ISO date. A waiver without reason, past its date, of an unknown rule, or of one that cannot be
    silenced in a line does not count, and is reported; so is one that silences nothing, of a rule that was `checked`
    (its name; None: all were). `rules`: those whose findings are wanted, the ones about waivers among them; None: all.
    `own`: the team's own rules, wanted or not.
    """
    waivers = [w for d in documents if MARK in d.text for w in _find_waivers(d)]
    if not waivers:
        return findings, 0
    by_number = {d.number: d for d in documents}
    at_line: dict[tuple[int, int, str], list[Finding]] = {}  # by document, line and rule
    for finding in findings:
        if finding.at is not None and finding.at.doc in by_number:
            line, _ = by_number[finding.at.doc].place(finding.at.start)
            at_line.setdefault((finding.at.doc, line, finding.rule.name), []).append(finding)
    known = {rule.name: rule for rule in own}
    silenced: set[int] = set()
    about: list[Finding] = []
    for waiver in waivers:
        for name in waiver.names:
            rule = find_rule(name) or known.get(house_rule_name(name) or "")
            here = at_line.get((waiver.at.doc, waiver.line, rule.name), []) if rule is not None else []
            about += _judge_waiver(waiver, name, rule, here, silenced, today, judged, known)
    wanted = [f for f in about if rules is None or f.rule in rules]
    return [f for f in findings if id(f) not in silenced] + wanted, len(silenced)


def _judge_waiver(
    waiver: _Waiver,
    name: str,
    rule: Rule | None,
    here: list[Finding],
    silenced: set[int],
    today: str,
    judged: frozenset[str] | None,
    known: Iterable[str],
) -> list[Finding]:
    if rule is None:
        from rocecfg.config.values import find_most_alike
        from rocecfg.rules import BY_NAME

        close = find_most_alike(name, (*BY_NAME, *known))
        help = f"did you mean {close}?" if close else "`rocecfg rules` lists them"
        return [_build_finding("hygiene-waiver-unknown", waiver, f"there is no rule {name!r}", help)]
    if not waiver.reason:
        help = f"write # rocecfg: ignore[{name}] -- why"
        return [
            _build_finding(
                "hygiene-waiver-reason", waiver, f"the waiver of {rule.name} gives no reason: it does not count", help
            )
        ]
    if not _may_be_silenced(rule, here):
        help = "fix what it finds, or name it under ignore in rocecfg.toml"
        if rule.name == "schema-syntax":
            help = "fix the file"
        return [_build_finding("hygiene-waiver-refused", waiver, f"{rule.name} cannot be silenced in a line", help)]
    if waiver.until is not None and not _is_date(waiver.until):
        problem = f"until={waiver.until} is not a date: the waiver of {rule.name} does not count"
        return [_build_finding("hygiene-waiver-expired", waiver, problem, "write until=YYYY-MM-DD")]
    if waiver.until is not None and waiver.until < today:
        return [
            _build_finding(
                "hygiene-waiver-expired",
                waiver,
                f"the waiver of {rule.name} ended on {waiver.until}: it no longer counts",
                "fix what it covers, or give it a new date",
            )
        ]
    hit = [f for f in here if f.rule is rule]
    silenced.update(id(f) for f in hit)
    if not hit and (judged is None or rule.name in judged):
        unused = f"{rule.name} finds nothing on line {waiver.line}"
        remedy = Fix("remove the waiver", safe=True, changes=(recomment(waiver.at, waiver.text_without(name)),))
        return [_build_finding("hygiene-waiver-unused", waiver, unused, "remove the waiver", remedy)]
    return []


def _may_be_silenced(rule: Rule, here: Iterable[Finding]) -> bool:
    """Whether a rule may be silenced in a line: most may; the others where what they find is milder than usual."""
    found = [finding for finding in here if finding.rule is rule]
    return rule.ignorable or (bool(found) and all(finding.severity != rule.severity for finding in found))


def _is_date(text: str) -> bool:
    from datetime import date

    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _build_finding(name: str, waiver: _Waiver, message: str, help: str, fix: Fix | None = None) -> Finding:
    rule = get_rule(name)
    return Finding(rule, rule.severity, message, help, waiver.at, fix=fix)


def _find_waivers(document: Document) -> list[_Waiver]:
    pattern = re.compile(
        r"(?:^|(?<=\s))#[ \t]*rocecfg: ignore\[([^\]\r\n]*)\][ \t]*(?:until=(\S*)[ \t]*)?(?:--[ \t]*([^\r\n]*))?",
        re.MULTILINE,
    )
    strings = sorted(_find_strings(document))
    out = []
    before = first = last = follows = 0  # the waiver before; the comments it is among, and the line that follows them
    for match in pattern.finditer(document.text):
        n = bisect_right(strings, (match.start(), match.start())) - 1
        if n >= 0 and match.start() < strings[n][1]:
            continue  # text of a quoted or block scalar, not a comment
        line, column = document.place(match.start())
        alone = line != before and not document.line(line)[: column - 1].strip()
        before = line
        if alone:
            if not first <= line <= last:
                first, follows = line, _find_next_line(document, line)
                last = follows - 1 if follows > line else len(document.text)  # where nothing follows
            line = max(line, follows)
        names = tuple(dict.fromkeys(n.strip() for n in match[1].split(",") if n.strip()))
        at = Span(document.number, match.start(), match.end())
        out.append(_Waiver(names or ("",), match[2], (match[3] or "").strip(), line, at, match[0]))
    return out


def _find_next_line(document: Document, line: int) -> int:
    """The next line that is neither empty nor a comment; the line itself where none follows."""
    for number in count(line + 1):
        try:
            text = document.line(number).strip()
        except IndexError:
            break
        if text and not text.startswith("#"):
            return number
    return line


def _find_strings(document: Document) -> set[tuple[int, int]]:
    """The spans of scalars that may hold a `#`: all that are quoted or in blocks. What aliases repeat counts once."""
    found: set[tuple[int, int]] = set()
    seen: set[int] = set()
    try:
        root = compose(document)
    except SourceError:  # a file of links is not YAML: a # begins a comment wherever it stands
        root = None
    nodes = [root] if root is not None else []
    while nodes:
        node = nodes.pop()
        if isinstance(node, Scalar):
            if not node.plain:
                found.add((node.start, node.end))
        elif id(node) not in seen:
            seen.add(id(node))
            nodes += node.items if isinstance(node, Seq) else [part for pair in node.pairs for part in pair]
    return found
