"""What is set, as one tree: objects with what is below them, and leaves with a value; each with its place.

Nodes never change: what two texts have in common is one object, so that ports told the same things share theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Val

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Node(NamedTuple):
    """An object or a leaf. `at`: the key of an object, the value of a leaf."""

    at: Span
    value: Any = None  # of a leaf; None: an object
    below: Mapping[str, Any] = _NOTHING  # of Node: a recursive type costs mypy more than it tells

    def get(self, *path: str) -> Node | None:
        """What is set at a path below."""
        found: Node | None = self
        for name in path:
            if found is None:
                return None
            found = found.below.get(name)
        return found

    def val(self, *path: str) -> Val | None:
        """The value of a leaf below; None where it is not set."""
        found = self.get(*path)
        return None if found is None or found.value is None else Val(found.value, found.at)

    def items(self, *path: str) -> tuple[tuple[str, Node], ...]:
        """What is below a path, by name."""
        found = self.get(*path)
        return () if found is None else tuple(found.below.items())


Conflict = Callable[[Node, Node], None]  # told of a leaf that is set to another value


class Merger:
    """Lays what is set later upon what was set before; equal work is done once."""

    __slots__ = ("_conflict", "_known")

    def __init__(self, conflict: Conflict | None = None) -> None:
        self._conflict = conflict
        self._known: dict[tuple[int, int], tuple[Node, Node, Node]] = {}  # keeps both alive, so that ids stay theirs

    def __call__(self, old: Node | None, new: Node) -> Node:
        """The two as one; `new` wins."""
        if old is None or old is new:
            return new
        key = id(old), id(new)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = old, new, self._merged(old, new)
        return known[2]

    def forget(self) -> None:
        """Keep no more what was laid upon what."""
        self._known.clear()

    def _merged(self, old: Node, new: Node) -> Node:
        if new.value is not None or old.value is not None:
            if self._conflict is not None and old.value != new.value:
                self._conflict(old, new)
            return new
        below = dict(old.below)
        for name, node in new.below.items():
            below[name] = self(below.get(name), node)
        return Node(old.at, None, below)


class Growing:
    """What operations amount to, one after the other: set and unset in turn."""

    __slots__ = ("_at", "_below", "_merge", "_places")

    def __init__(self, at: Span) -> None:
        self._at = at
        self._merge = Merger()
        self._below: dict[str, dict[str, Node]] = {}  # two levels that nothing shares: changed in place
        self._places: dict[str, Span] = {}

    def put(self, said: Node) -> None:
        """Set what an operation sets."""
        merge = self._merge
        for name, node in said.below.items():
            self._places.setdefault(name, node.at)
            below = self._below.setdefault(name, {})
            for key, inner in node.below.items():
                below[key] = merge(below.get(key), inner)
        merge.forget()  # ports share what one command tells them; of a million commands no step between is kept

    def drop(self, said: Node) -> None:
        """Unset what an operation unsets."""
        left = without(self.tree(), said)
        self._below = {name: dict(node.below) for name, node in left.below.items()}

    def tree(self) -> Node:
        """What is set by now."""
        below = {name: Node(self._places[name], None, inner) for name, inner in self._below.items()}
        return Node(self._at, None, below)


def without(tree: Node, unset: Node) -> Node:
    """The tree less what is unset: the whole of a branch where nothing is named below it."""
    below = dict(tree.below)
    for name, node in unset.below.items():
        known = below.get(name)
        if known is None:
            continue
        if node.below and known.value is None:
            below[name] = without(known, node)
        else:
            del below[name]
    return Node(tree.at, tree.value, below)
