"""How a finding can be fixed in the text: which places get which values. What knows the text makes edits of it."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model.origin import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Value = str | tuple[Any, ...]  # a scalar; a list, or a mapping where it is a Table
    _Pairs = tuple[tuple[str, Any], ...]
else:
    Value = str | tuple
    _Pairs = tuple


class Table(_Pairs):
    """A mapping to be written: pairs of key and value, in this order. A dict has no hash."""

    __slots__ = ()


class Change(NamedTuple):
    """One change at a place; made by the functions below."""

    how: str  # the function's name
    at: Span
    value: Value = ""
    path: tuple[str, ...] = ()  # of `put`: the keys down to the value; of `remove`: keys that go when left empty


class Fix(NamedTuple):
    """A fix that has only one answer.

    Safe: what is rendered stays the same, byte by byte. Whatever changes what a switch does is not, a missing watchdog
    that is added included: it drops packets where it fires.
    """

    description: str  # what it does, in the imperative: "quote it"
    safe: bool
    changes: tuple[Change, ...]


def replace(at: Span, value: Value) -> Change:
    """The value that stands at a place, or that of the key there, becomes another; a scalar keeps its quotes."""
    return Change("replace", at, value)


def quote(at: Span, text: str) -> Change:
    """The scalar at a place becomes this text, in quotes."""
    return Change("quote", at, text)


def put(at: Span, path: tuple[str, ...], value: Value) -> Change:
    """A key is set below the mapping whose key stands at a place, or `find_root`; mappings on the way are made."""
    return Change("put", at, value, path)


def remove(at: Span, *empties: str) -> Change:
    """The pair or list item that stands at a place goes, and so do mappings of these keys that it leaves empty."""
    return Change("remove", at, "", empties)


def rename(at: Span, name: str) -> Change:
    """The key at a place gets another name."""
    return Change("rename", at, name)


def recomment(at: Span, text: str = "") -> Change:
    """A part of a comment becomes another text; an empty one takes the comment away."""
    return Change("recomment", at, text)


def find_root(of: Span) -> Span:
    """The root mapping of the file that a place is in."""
    return Span(of.doc, 0, 0)
