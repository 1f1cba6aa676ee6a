"""A vendor's table: at which path of its text each setting of the catalogue stands.

From the rows follow what a statement bears on, what is not known where something beside it is not understood, which
statements are read and not checked, and which of them a change of a setting sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, Generic, TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.model.catalogue import What, find_compared_setting

ANY = "*"  # in the path of a row: any word
N = "N"  # the number of a queue, priority or code point that the setting goes by
PROFILE = "PROFILE"  # the name of an object: of a profile that ports are bound to, and what goes with it
PORT = "PORT"  # an interface: a bond where the port is a member of one
MEMBER = "MEMBER"  # the port itself, also where it is a member of a bond
KEY = "KEY"  # the name of one of several values of a setting: of the class that a scheduler is for
VALUE = "VALUE"
_HOLES = frozenset((ANY, N, PROFILE, PORT, MEMBER, KEY, VALUE))

Path = tuple[str, ...]


class Row(NamedTuple):
    """What stands at a path and below it, as far as no longer path has a row of its own."""

    path: Path
    says: tuple[str, ...]  # the settings that it bears on, by their names in a difference
    sure: tuple[str, ...] = ()  # and those that are known though something at the same object is not understood
    by: tuple[str, ...] = ()  # the settings whose change sets it, as it is rendered
    keeps: bool = False  # what stands there and is not rendered stays
    judged: bool = True  # False: it is read, and told as not judged
    unjudged: str = ""  # why it is not, in words; {2} stands for the third word of a statement
    beside: str = ""  # why nothing that is compared hangs on it; and who says so
    source: str = ""
    below: Path = ()  # the end of its path, below the profile, queue or interface where it stands
    take: Callable[[Any], Any] | None = None  # from its value to the setting's; where that is None it says nothing
    into: str = ""  # of which objects it is read, where a reader has several kinds; and as which of their values
    key: str = ""


def make_rows(path: str, says: str = "", *, sure: str = "", by: str | None = None, **more: Any) -> tuple[Row, ...]:
    """The rows of `a b|c`, which are two paths. `by`: where a change of other settings sets it; empty: none does."""
    names = tuple(says.split())
    changed = names if by is None else tuple(by.split())
    paths = product(*(word.split("|") for word in path.split()))
    return tuple(Row(each, names, tuple(sure.split()), changed, below=_end_of(each), **more) for each in paths)


def _end_of(path: Path) -> Path:
    return path[max((at for at, word in enumerate(path, 1) if word in _HOLES), default=0) :]


V = TypeVar("V")


class PathTree(Generic[V]):
    """Values by paths, in which ANY is any word."""

    def __init__(self, rows: Iterable[tuple[Path, V]]) -> None:
        self._tree: dict[str | None, Any] = {}  # by each word of a path; its value stands under None
        for path, value in rows:
            node = self._tree
            for word in path:
                node = node.setdefault(word, {})
            node[None] = value

    def find(self, path: Path) -> V | None:
        """The value of the longest path that what stands at a path begins with."""
        found: V | None = None
        level = [self._tree]
        for word in path:
            level = [node[key] for node in level for key in (word, ANY) if key in node]
            if not level:
                break
            found = next((node[None] for node in level if None in node), found)
        return found

    def find_whole(self, path: Path) -> V | None:
        """The value of exactly this path; a word of its own goes before any word."""
        level = [self._tree]
        for word in path:
            level = [node[key] for node in level for key in (word, ANY) if key in node]
        return next((node[None] for node in level if None in node), None)


class Table(PathTree[Row]):
    """The rows of a vendor. What stands at no path of a row bears on nothing."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows = tuple(rows)
        self._set = frozenset(name for row in self.rows for name in row.by)
        self.changed = frozenset(name.partition(".")[0] for name in self._set)  # the topics that some row sets
        super().__init__(
            ((*row.path[:1], *(ANY if word in _HOLES else word for word in row.path[1:])), row) for row in self.rows
        )

    def list_set_by(self, what: What) -> tuple[Row, ...]:
        """The rows that a change of a setting sets."""
        part = f"{what.topic}.{what.part}"
        name = part if part in self._set else what.topic
        return tuple(row for row in self.rows if name in row.by)


def fits(path: Path, words: Path) -> bool:
    """Whether words begin as a path does."""
    pairs = zip(path, words, strict=False)
    return len(words) >= len(path) and all(word in _HOLES or word == own for word, own in pairs)


def is_of_port(topic: str) -> bool:
    """Whether a setting is one of ports; how packets are sorted is the switch's."""
    row = find_compared_setting(topic)
    return row is not None and row.path.startswith("ports[]") and not row.path.startswith("ports[].maps.")


def fill_number(path: Path, number: int | None) -> Path:
    """The path of one number; without a number what all of them stand below."""
    if number is None:
        return path[: path.index(N)] if N in path else path
    return tuple(str(number) if word == N else word for word in path)
