"""The walker that gives every statement of a configuration its fate.

A vendor gives the statements of a text, with their places, and a table of what becomes of them. What reading tells of
a statement goes first: one that a finding names as not checked is not checked, whatever the table says.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.fates import FATES, FOREIGN, JUDGED, TEXT, UNKNOWN, WAY, Fates, UnjudgedStatements
from rocecfg.model.stated import Problem
from rocecfg.vendors.table import PathTree

Path = tuple[str, ...]


class Statement(NamedTuple):
    """One statement, or as many as stand together and have one fate."""

    path: Path
    start: int
    end: int
    number: int = 1
    above: tuple[int, ...] = ()  # where the keys that it stands below begin


class Fate(NamedTuple):
    """A fate, and why."""

    name: str
    why: str = ""
    noted: str = TEXT  # what it is where a finding says that it is not judged


NOBODY_KNOWS = Fate(UNKNOWN, "in no list of what is checked, or of what cannot touch RoCE")
_BY_RULE = {"device-unread": TEXT, "device-second-way": WAY, "device-unknown": UNKNOWN}
OF_FINDING = "a finding says why"
_MARKS = "= "  # vendors begin paths with them of lines that stand for themselves
_NEVER_LISTED = (JUDGED, FOREIGN)
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are thousands of statements


def make_statement(path: Path, start: int, end: int, above: tuple[int, ...] = ()) -> Statement:
    """One statement."""
    return _new(Statement, (path, start, end, 1, above))


class FateTable(PathTree[Fate]):
    """Fates by the beginning of a path; the longest that fits counts."""


def judged(*paths: str, noted: str = TEXT) -> Iterator[tuple[Path, Fate]]:
    """Rows of what is checked; in a path `a|b` is either word."""
    return _make_rows(paths, Fate(JUDGED, noted=noted))


def foreign(why: str, *paths: str) -> Iterator[tuple[Path, Fate]]:
    """Rows of what cannot touch RoCE."""
    return _make_rows(paths, Fate(FOREIGN, why))


def may_be_way(harmless: str, *paths: str) -> Iterator[tuple[Path, Fate]]:
    """Rows of what may change RoCE from outside: where it does a finding says so. `harmless`: why it else cannot."""
    return _make_rows(paths, Fate(FOREIGN, harmless, WAY))


def may_change(why: str, *paths: str) -> Iterator[tuple[Path, Fate]]:
    """Rows of what may change RoCE from outside, whatever it says."""
    return _make_rows(paths, Fate(WAY, why))


def as_text(why: str, *paths: str) -> Iterator[tuple[Path, Fate]]:
    """Rows of what is RoCE's and has no model."""
    return _make_rows(paths, Fate(TEXT, why))


def unknown(*paths: str) -> Iterator[tuple[Path, Fate]]:
    """Rows below which what has no row of its own is in no list."""
    return _make_rows(paths, NOBODY_KNOWS)


def by_itself(why: str, *paths: str) -> Iterator[tuple[Path, str]]:
    """Rows of what a switch does without the statement, too, or by another: `why`. `*` is a name that it has."""
    return ((path, fate.why) for path, fate in _make_rows(paths, Fate(JUDGED, why)))


def _make_rows(paths: Iterable[str], fate: Fate) -> Iterator[tuple[Path, Fate]]:
    for path in paths:
        for words in product(*(word.split("|") for word in path.split())):
            yield words, fate


WRITES = re.compile(r"(?:>|\btee\b.*?)\s*/(?:sys|proc|etc)/")  # what a command of a shell writes into, of a system's

Noted = Callable[[int, int], bool]  # whether a finding names something between two places as not judged


def weigh(
    statements: Callable[[Noted], Iterable[Statement]],
    find: Callable[[Path], Fate],
    problems: Iterable[Problem],
    doc: int,
) -> Fates:
    """The fates of a text's statements. `problems`: what reading found in it."""
    noted = {
        at.start: _BY_RULE[problem.rule]
        for problem in problems
        if problem.rule in _BY_RULE
        for at in (problem.at, *problem.places)
    }
    inside = sorted(noted)

    def is_noted(start: int, end: int) -> bool:
        return bisect_left(inside, start) < bisect_left(inside, end)

    counts = dict.fromkeys(FATES, 0)
    groups: dict[tuple[str, str, Path], list[Any]] = {}
    known: dict[Path, Fate] = {}
    for statement in statements(is_noted):
        path = statement.path
        fate = known.get(path)
        if fate is None:
            fate = known[path] = find(path)
        name, why = fate.name, fate.why
        if inside and (by := _find_note(statement, noted, inside)) is not None:
            name, why = (fate.noted if by == TEXT else by), OF_FINDING
        counts[name] += statement.number
        if name not in _NEVER_LISTED:
            group = groups.setdefault((name, why, _head_of(path)), [0, []])
            group[0] += statement.number
            starts = (Span(doc, start, start) for start in statement.above)
            group[1].append((Span(doc, statement.start, statement.end), *starts))
    unjudged = (
        UnjudgedStatements(places[0][0], name, count, why, " ".join(head).lstrip(_MARKS), tuple(places))
        for (name, why, head), (count, places) in groups.items()
    )
    return Fates(tuple(counts.values()), tuple(unjudged))


def _find_note(statement: Statement, noted: dict[int, str], inside: list[int]) -> str | None:
    """What findings say of a statement, of what it stands below, or of something within it."""
    found = next((noted[start] for start in statement.above if start in noted), None)
    if found is None:
        at = bisect_left(inside, statement.start)
        if at < len(inside) and inside[at] < statement.end:
            found = noted[inside[at]]
    return found


def _head_of(path: Path) -> Path:
    """What statements have in common that are told together: of interfaces their names are left out."""
    return (path[0], *path[2:5]) if path[:1] in (("interface",), ("interfaces",)) else path[:3]
