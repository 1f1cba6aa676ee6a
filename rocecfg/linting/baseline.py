"""A baseline: the findings a team knows of, so that only new ones are told.

The file is JSON, one finding a line, sorted, by the fabric it was found in. A finding that its file's new name or its
fabric's new root hides is still recognised: entries of files that are gone match by what is left of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.linting.finding import Finding
from rocecfg.linting.fingerprint import Identity, fingerprint, fingerprints, identify_finding
from rocecfg.model import Span
from rocecfg.rules import BY_NAME, find_rule
from rocecfg.source.document import Document, SourceError, Sources

VERSION = 1
_FIELDS: dict[str, type] = {"rule": str, "path": str, "place": str, "message": str, "times": int, "key": str}
_NEVER = ("schema-syntax", "hygiene-baseline")  # what cannot be read is always told
_NAMED = 3  # entries a message names


class Entry(NamedTuple):
    """One known finding, or several that nothing tells apart."""

    path: str  # of the file, relative to the baseline's folder
    rule: str
    place: str
    message: str  # as it was then; it plays no part in matching
    times: int  # how many findings of this fabric nothing tells apart
    key: str


class Judged(NamedTuple):
    """One fabric's findings, and what was looked at to find them."""

    root: str
    findings: list[Finding]
    rules: frozenset[str]  # names of those that had the whole fabric before them
    whole: bool  # False: it could not be read, and nothing is known of it
    own: frozenset[str] = frozenset()  # names of the team's own rules for it, looked at or not

    def lacks_rule(self, rule: str) -> bool:
        """Whether there is no rule of that name any more."""
        return find_rule(rule) is None and rule not in self.own


class Baseline:
    """A baseline file while a run is compared with it."""

    def __init__(self, path: str, sources: Sources, *, must_exist: bool = True) -> None:
        """`path` is read unless it need not exist and does not. Raises SourceError."""
        self.path = path
        self.folder = os.path.dirname(os.path.abspath(path))
        self.document: Document | None = None
        self.known: dict[str, list[Entry]] = {}  # root of a fabric -> its entries
        self._sources = sources
        if must_exist and not os.path.exists(path):
            raise SourceError(path, "there is no such baseline", "--update-baseline writes it")
        if os.path.exists(path):
            self.document = sources.read(path)
            self.known = _parse_fabrics(self.document)

    def sift(self, judged: Iterable[Judged], focus: frozenset[str] | None) -> tuple[list[list[Finding]], list[Finding]]:
        """What is new, fabric by fabric; and a finding where entries are no longer needed.

        `focus`: absolute paths; entries about other files are not spoken of. Nor are those of a fabric that is gone,
        unless this run has met it under another name.
        """
        new: list[list[Finding]] = []
        stale: list[Entry] = []
        orphans = [_Pool(entries) for root, entries in self.known.items() if self._is_gone(root)]
        for one in judged:
            pool = _Pool(self.known.get(self._make_relative(one.root), ()))
            left: list[tuple[Finding, Identity]] = []
            for finding in one.findings:
                its = identify_finding(finding, self._sources, self.folder)
                if finding.rule.name in _NEVER or not pool.use(its.path, its.key):
                    left.append((finding, its))
            renamed = _Pool(e for e in pool.list_unused() if self._is_gone(e.path))
            fresh = []
            for finding, its in left:
                pools = [renamed, *orphans] if finding.rule.name not in _NEVER else []
                if not any(pool.use_any(its.key) for pool in pools):
                    fresh.append(finding)
            new.append(fresh)
            if one.whole:
                unused = [e for e in pool.list_unused() if not self._is_gone(e.path)] + renamed.list_unused()
                stale += [e for e in unused if e.rule in one.rules or one.lacks_rule(e.rule)]
        stale += [e for orphan in orphans if orphan.used for e in orphan.list_unused()]
        if focus is not None:
            stale = [e for e in stale if self._is_gone(e.path) or os.path.join(self.folder, e.path) in focus]
        return new, self._report_stale(stale)

    def render_updated(self, judged: Iterable[Judged]) -> str:
        """The text of the file with what was found now.

        Fabrics and rules that were not checked keep their entries; those of fabrics that are gone are dropped.
        """
        out = {root: entries for root, entries in self.known.items() if not self._is_gone(root)}
        for one in judged:
            root = self._make_relative(one.root)
            if not one.whole:
                continue
            counted: dict[tuple[str, str], Entry] = {}
            for finding in one.findings:
                if finding.rule.name in _NEVER:
                    continue
                its = identify_finding(finding, self._sources, self.folder)
                have = counted.get((its.path, its.key))
                counted[its.path, its.key] = (
                    have._replace(times=have.times + 1)
                    if have
                    else Entry(its.path, finding.rule.name, its.place, finding.message, 1, its.key)
                )
            for entry in out.get(root, ()):
                if entry.rule not in one.rules and not one.lacks_rule(entry.rule):
                    counted.setdefault((entry.path, entry.key), entry)
            out[root] = list(counted.values())
        return _format_fabrics(out)

    def use_text(self, text: str) -> None:
        """Go on with this text instead of the file's."""
        self.document = None
        self.known = _parse_fabrics(Document(0, self.path, text))

    def _make_relative(self, path: str) -> str:
        return os.path.relpath(os.path.abspath(path), self.folder).replace(os.sep, "/")

    def _is_gone(self, path: str) -> bool:
        return not os.path.exists(os.path.join(self.folder, path))

    def _report_stale(self, stale: list[Entry]) -> list[Finding]:
        if not stale or self.document is None:
            return []
        stale.sort()
        named = [f"{e.rule} in {e.path}" for e in stale]
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        starts = [max(0, self.document.text.find(f'"{e.key}"')) for e in stale]
        at = min(starts)
        rule = BY_NAME["hygiene-baseline"]
        entries = "1 entry finds" if len(stale) == 1 else f"{len(stale)} entries find"
        return [
            Finding(
                rule,
                rule.severity,
                f"{entries} nothing any more: {', '.join(named[:_NAMED])}{more}",
                f"take them out: rocecfg lint --baseline {self.path} --update-baseline",
                Span(self.document.number, at, at + len(stale[starts.index(at)].key) + 2),
            )
        ]


class _Pool:
    """Entries that are used up one finding at a time."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = list(entries)
        self._counts = [e.times for e in self._entries]
        self.used = False
        self._exact: dict[tuple[str, str], int] = {(e.path, e.key): i for i, e in enumerate(self._entries)}
        self._by_key: dict[str, list[int]] = {}
        for i, entry in enumerate(self._entries):
            self._by_key.setdefault(entry.key, []).append(i)

    def use(self, path: str, key: str) -> bool:
        """Whether an entry for that file and finding was left, which is now used."""
        return self._use_entry(self._exact.get((path, key)))

    def use_any(self, key: str) -> bool:
        """The same, in whatever file."""
        return any(self._use_entry(i) for i in self._by_key.get(key, ()))

    def _use_entry(self, index: int | None) -> bool:
        if index is None or not self._counts[index]:
            return False
        self._counts[index] -= 1
        self.used = True
        return True

    def list_unused(self) -> list[Entry]:
        """What was not used, with the counts that are left."""
        return [e._replace(times=n) for e, n in zip(self._entries, self._counts, strict=True) if n]


def _parse_fabrics(document: Document) -> dict[str, list[Entry]]:
    """Raises SourceError for what is not a baseline."""
    try:
        value: Any = json.loads(document.text)
    except json.JSONDecodeError as error:
        raise SourceError(document.path, f"not JSON: {error.msg}", _AGAIN, error.lineno, error.colno) from None
    except RecursionError:
        raise SourceError(document.path, "is not a baseline: nested too deep", _AGAIN) from None
    if not isinstance(value, dict) or "version" not in value:
        raise SourceError(document.path, "is not a baseline: it lacks a version", _AGAIN)
    if value["version"] != VERSION:
        raise SourceError(document.path, f"is a baseline of version {value['version']!r}; known: {VERSION}", _AGAIN)
    fabrics = value.get("fabrics")
    if not isinstance(fabrics, dict) or not all(isinstance(entries, list) for entries in fabrics.values()):
        raise SourceError(document.path, "is not a baseline: fabrics must hold lists of findings", _AGAIN)
    return {root: [_parse_entry(item, document) for item in entries] for root, entries in fabrics.items()}


_AGAIN = "remove it, and --update-baseline writes it again"


def _parse_entry(item: Any, document: Document) -> Entry:
    whole = isinstance(item, dict) and all(
        isinstance(item.get(field), kind) and not isinstance(item.get(field), bool) for field, kind in _FIELDS.items()
    )
    if not whole:
        shown = json.dumps(item)[:60]
        raise SourceError(document.path, f"{shown} is not a finding: it needs {', '.join(_FIELDS)}", _AGAIN)
    return Entry(item["path"], item["rule"], item["place"], item["message"], max(0, item["times"]), item["key"])


def _format_fabrics(fabrics: dict[str, list[Entry]]) -> str:
    """Sorted, one finding a line: what a review shows is what changed."""
    blocks = []
    for root in sorted(r for r, entries in fabrics.items() if entries):
        lines = [
            json.dumps({field: getattr(entry, field) for field in _FIELDS}, ensure_ascii=False)
            for entry in sorted(fabrics[root])
        ]
        blocks.append(f"  {json.dumps(root, ensure_ascii=False)}: [\n   " + ",\n   ".join(lines) + "\n  ]")
    inner = "{\n" + ",\n".join(blocks) + "\n }" if blocks else "{}"
    return f'{{\n "version": {VERSION},\n "fabrics": {inner}\n}}\n'


__all__ = ["Baseline", "Entry", "Judged", "fingerprint", "fingerprints"]
