"""What is set, as one tree: objects with what is below them, and leaves with a value; each with its place.

Nodes never change once a text is read: what two texts have in common is one object, so that ports told the same
things share theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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


def walk_leaves(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    """What is set at a node, whose path this is, and below it; an object without a path sets nothing by itself."""
    if not node.below and (path or node.value is not None):
        yield path, node
    for key, below in node.below.items():
        yield from walk_leaves(below, (*path, key))


def format_setting(path: tuple[str, ...], leaf: Node) -> str:
    """A setting with its value, as it is typed behind `nv set`."""
    return " ".join(path if leaf.value is None else (*path, str(leaf.value)))


Conflict = Callable[[Node, Node], None]  # told of a leaf that is set to another value


class Merger:
    """Lays what stands later upon what stands before, within one text; equal work is done once."""

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
            known = self._known[key] = old, new, self._merge(old, new)
        return known[2]

    def _merge(self, old: Node, new: Node) -> Node:
        if new.value is not None or old.value is not None:
            if self._conflict is not None and old.value != new.value:
                self._conflict(old, new)
            return new
        below = dict(old.below)
        for name, node in new.below.items():
            below[name] = self(below.get(name), node)
        return Node(old.at, None, below)


class _OwnedBelow(dict[str, Node]):
    """What is below a node, and below no other: it may be changed in place while it is `alone`.

    Below what is not alone nothing is.
    """

    __slots__ = ("alone",)

    def __init__(self, below: Mapping[str, Node]) -> None:
        super().__init__(below)
        self.alone = True


class GrowingTree:
    """What operations amount to, one after the other: set and unset in turn.

    A command more costs what it says, however much was set before it.
    """

    __slots__ = ("_known", "_root")

    def __init__(self, at: Span) -> None:
        self._root = Node(at, None, _OwnedBelow(_NOTHING))
        self._known: dict[tuple[int, int], tuple[Node, Node, Node]] = {}  # keeps both alive, so that ids stay theirs

    def put(self, given: Node) -> None:
        """Set what an operation sets."""
        self._lay_over(self._root, given)
        self._known.clear()  # ports share what one command tells them; of a million commands no step between is kept

    def _lay_over(self, old: Node, new: Node) -> Node:
        if old is new or new.value is not None or old.value is not None:
            return new
        below = old.below
        if type(below) is _OwnedBelow and below.alone:
            self._fill(below, new)
            return old
        key = id(old), id(new)
        known = self._known.get(key)
        if known is not None:
            _mark_shared(known[2])
            return known[2]
        own = _OwnedBelow(below)
        made = Node(old.at, None, own)
        self._known[key] = old, new, made
        self._fill(own, new)
        return made

    def _fill(self, own: _OwnedBelow, new: Node) -> None:
        for name, node in new.below.items():
            old = own.get(name)
            own[name] = node if old is None else self._lay_over(old, node)

    def drop(self, given: Node) -> None:
        """Unset what an operation unsets: the whole of a branch where nothing is named below it."""
        _cut_out(self._root, given)

    def tree(self) -> Node:
        """What is set by now."""
        return self._root


def _mark_shared(node: Node) -> None:
    """Take note that a node is at more than one place."""
    below = node.below
    if type(below) is _OwnedBelow and below.alone:
        below.alone = False
        for inner in below.values():
            _mark_shared(inner)


def _cut_out(node: Node, unset: Node) -> Node:
    below = node.below
    own = below if type(below) is _OwnedBelow and below.alone else _OwnedBelow(below)
    for name, inner in unset.below.items():
        known = own.get(name)
        if known is None:
            continue
        if inner.below and known.value is None:
            own[name] = _cut_out(known, inner)
        else:
            del own[name]
    return node if own is below else Node(node.at, node.value, own)
