"""How old the facts of the profiles are: of each body of them how many, how sure, and the days of its sources."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rocecfg.core.data import data_path
from rocecfg.core.records import NamedTuple
from rocecfg.profiles.kinds import KINDS, MARKS
from rocecfg.profiles.library import Library
from rocecfg.profiles.releases import MASTER
from rocecfg.source.document import Document, decode, read_bytes
from rocecfg.source.yaml import Map, Scalar, compose

_COMMIT = re.compile(r"\b([0-9a-f]{8})[0-9a-f]*\b")
_DAY = re.compile(r"\b20[0-9]{2}-[01][0-9]-[0-3][0-9]\b")
_UNDATED = "-"


class Body(NamedTuple):
    """The facts of one operating system, or of all profiles of another kind."""

    name: str
    profiles: int
    newest: str  # the newest release that is known; "": it is no operating system
    marks: dict[str, int]  # V, D, M, U -> how many facts
    day: str  # of its newest source, as 2026-08-23; "": none of its sources names one
    undated: int  # facts whose source names no day, and no commit whose day is known


def list_bodies(library: Library) -> list[Body]:
    """Each body of facts. Raises SourceError as the library does."""
    days = _read_commit_days()
    systems = [_describe(library, days, library.nos(name).title, "nos", [name]) for name in library.names("nos")]
    kinds = [kind for kind in KINDS if kind != "nos"]
    return systems + [_describe(library, days, kind, kind, library.names(kind)) for kind in kinds]


def _describe(library: Library, days: dict[str, str], title: str, kind: str, names: list[str]) -> Body:
    facts = [fact for name in names for fact in _list_facts(library.entry(kind, name).everything())]
    dated = [max(_find_days(source, days), default="") for _, source in facts]
    if kind == "nos":
        system = library.nos(names[0])
        newest, day = " and ".join(system.releases[-1 - (system.releases[-1] == MASTER) :]), system.as_of
    else:
        newest, day = "", max(dated, default="")
    marks = Counter(mark for mark, _ in facts)
    return Body(title, len(names), newest, {mark: marks[mark] for mark in MARKS}, day, dated.count(""))


def _list_facts(stated: Any) -> Iterator[tuple[str, str]]:
    """The mark and the source of each fact of a profile."""
    if isinstance(stated, dict):
        if "mark" in stated:
            yield stated["mark"], stated["source"]
        stated = list(stated.values())
    if isinstance(stated, list):
        for each in stated:
            yield from _list_facts(each)


def _find_days(source: str, days: dict[str, str]) -> Iterator[str]:
    yield from _DAY.findall(source)
    yield from (days[commit] for commit in _COMMIT.findall(source) if commit in days)


def _read_commit_days() -> dict[str, str]:
    path = data_path("profiles", "commits.yaml")
    node = compose(Document(0, path, decode(path, read_bytes(path))))
    found: dict[str, str] = {}
    for _, commits in node.pairs if type(node) is Map else ():
        for commit, day in commits.pairs if type(commits) is Map else ():
            if type(day) is Scalar:
                found[commit.text] = day.text
    return found


def format_bodies(bodies: list[Body]) -> Iterator[str]:
    """The bodies as a table, a line each."""
    head = ("facts of", "profiles", *MARKS.values(), "newest release", "newest source", "without a day")
    rows = [
        (
            body.name,
            str(body.profiles),
            *(str(count) for count in body.marks.values()),
            body.newest or _UNDATED,
            body.day or _UNDATED,
            str(body.undated),
        )
        for body in bodies
    ]
    wide = [max(len(row[at]) for row in (head, *rows)) for at in range(len(head))]
    for row in (head, *rows):
        yield "  ".join(word.ljust(width) for word, width in zip(row, wide, strict=True)).rstrip()
