"""What reading an intent leaves behind besides values: problems, and which word a slip was intended to be."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping

from rocecfg.core.names import edit_distance
from rocecfg.model import Span
from rocecfg.model.fix import Fix
from rocecfg.model.stated import MISSING, Problem
from rocecfg.profiles.spelling import find_same
from rocecfg.source.yaml import Node

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final


UNREADABLE: Final = frozenset(  # rules that find a value of which nothing is known
    {
        "schema-type",
        "schema-unit",
        "schema-range",
        "schema-value",
        "schema-name",
        "schema-nodeset",
        "schema-priority-range",
        "schema-dscp-range",
    }
)
_MOST = 500  # characters of a message
_LISTED = 12  # names of a list that is told
_DIGITS = re.compile(r"\d")  # names that differ in these alone are two models of a thing, not one and a slip of it


class Context:
    """What reading one file leaves behind, besides its values."""

    __slots__ = ("alike", "binary", "decimal", "doc", "nameless", "names", "problems")

    def __init__(self, doc: int, problems: list[Problem]) -> None:
        self.doc = doc
        self.problems = problems
        self.decimal: list[tuple[Span, int]] = []  # sizes in KB, MB, GB with their bytes, and in KiB, MiB, GiB
        self.binary: list[tuple[Span, int]] = []
        self.alike: dict[int, tuple[Hashable, int]] = {}  # where a device starts -> what all equal ones share, its end
        self.names = 0  # how many the node sets of the file stand for
        self.nameless: set[str] = set()  # mappings by the user's own keys in which a key could not be read

    def span(self, node: Node) -> Span:
        """Where a node of this file stands."""
        return Span(self.doc, node.start, node.end)

    def report(self, rule: str, node: Node, message: str, help: str = "", fix: Fix | None = None) -> Any:
        """Note a problem at a node; gives MISSING, for the reader to hand on."""
        at = Span(self.doc, node.start, node.end)
        self.problems.append(Problem(rule, at, _shorten(message), _shorten(help), fix=fix))
        return MISSING

    def report_undefined(self, node: Node, what: str, word: str, known: Iterable[str], lost: str) -> None:
        """Note a name that nothing known here defines, though it may be one of the user's own."""
        self.problems.append(make_undefined(self.span(node), what, word, known, lost))


def make_undefined(at: Span, what: str, word: str, known: Iterable[str], lost: str) -> Problem:
    """A name that nothing known here defines: a warning where it is likely a slip of a known one, else an info.

    `what`: what it would be the name of; `lost`: what is not checked, or not done, for want of it.
    """
    known = sorted(known)
    meant = find_same(word, known) or near(word, known)
    slip = meant is not None and _DIGITS.sub("", word) != _DIGITS.sub("", meant)
    listed = ", ".join(known[:_LISTED]) + (" ..." if len(known) > _LISTED else "")
    return Problem(
        "schema-undefined",
        at,
        f"no {what} is called {_shorten(word)}: {lost}",
        f"did you mean {meant}?" if meant is not None else f"known: {listed}",
        severity=None if slip else "info",
    )


def _shorten(text: str) -> str:
    """What fits a screen of a message that quotes a text of any length: its beginning and its end."""
    return text if len(text) <= _MOST else f"{text[: _MOST - 100]}…{text[-100:]}"


def near(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is most likely a slip of: at an edit distance of at most 2. None: like none."""
    most = min(2, max(1, len(word) // 2))
    folded = word.casefold()
    ranked = [(edit_distance(folded, k.casefold()), k) for k in known if abs(len(k) - len(word)) <= most]
    best = min(ranked, default=None)
    return best[1] if best is not None and best[0] <= most and best[0] < len(best[1]) else None


def is_one_slip(word: str, meant: str) -> bool:
    """Whether one letter, or two neighbours in the wrong order, is all that differs."""
    return edit_distance(word.casefold(), meant.casefold()) <= 1


def only_near(word: str, known: Iterable[str]) -> str | None:
    """The known word that `word` is most likely a slip of, if no other is as near."""
    known = list(known)
    meant = near(word, known)
    if meant is None:
        return None
    other = near(word, (k for k in known if k != meant))
    folded = word.casefold()
    if other is not None and edit_distance(folded, other.casefold()) == edit_distance(folded, meant.casefold()):
        return None
    return meant


_PARTS = re.compile(r"[-_. ]")


def find_called(word: str, called: Mapping[str, str]) -> list[str]:
    """Our words for what others call by another one. `called`: theirs by ours, small and without - _ . and blanks."""
    plain = _PARTS.sub("", word.casefold())
    return [ours for ours, theirs in called.items() if plain in theirs.split()]


def nearest(word: str, known: Iterable[str]) -> str:
    """`did you mean x?` for a word like a known one; else what is known."""
    known = list(known)
    meant = near(word, known)
    return f"did you mean {meant}?" if meant is not None else f"known: {', '.join(known)}"
