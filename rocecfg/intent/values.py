"""What reading an intent gives: values with their places, and what is wrong in the text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from rocecfg.model import Span
from rocecfg.source.yaml import Node

MISSING: Final[Any] = object()  # nothing usable was read; the problem is reported
OFF: Final = "off"


class Val(NamedTuple):
    """A value and where it was written; of a section, where its key was."""

    value: Any
    at: Span


Section = dict[str, Val]  # key -> value, in written order


class Problem(NamedTuple):
    """Something wrong in the text of an intent: the rule's name, where, what, and the mend."""

    rule: str
    at: Span
    message: str
    help: str = ""
    related: tuple[tuple[Span, str], ...] = ()
    severity: str | None = None


class Context:
    """What reading one file leaves behind, besides its values."""

    __slots__ = ("binary", "decimal", "doc", "problems")

    def __init__(self, doc: int, problems: list[Problem]) -> None:
        self.doc = doc
        self.problems = problems
        self.decimal: Span | None = None  # the first size in KB, MB, GB, and in KiB, MiB, GiB
        self.binary: Span | None = None

    def span(self, node: Node) -> Span:
        """Where a node of this file stands."""
        return Span(self.doc, node.start, node.end)

    def report(self, rule: str, node: Node, message: str, help: str = "") -> Any:
        """Note a problem at a node; gives MISSING, for the reader to hand on."""
        self.problems.append(Problem(rule, Span(self.doc, node.start, node.end), message, help))
        return MISSING


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean x?` for the nearest known word at an edit distance of at most 2; else what is known."""
    known = list(known)
    ranked = sorted((_distance(word.casefold(), k.casefold()), k) for k in known)
    if ranked and ranked[0][0] <= min(2, max(1, len(word) // 2)):
        return f"did you mean {ranked[0][1]}?"
    return f"known: {', '.join(known)}"


def _distance(a: str, b: str) -> int:
    """Edit distance in which swapping two neighbours counts as one."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, before2, before, row = row, before, row, [i]
        for j, y in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before2[j - 2] + 1)
            row.append(best)
    return row[-1]
