"""A draft once more for another text of its shape: the same values at that text's places.

What has no place in it is shared, so that what equal switches say is there once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rocecfg.model import Span
from rocecfg.model.frozen import replace
from rocecfg.model.stated import MISSING, TAKEN_BACK
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.opaque import NAME, Moved

_Make = Callable[[list[Any]], Any]  # from what was made before
_PLAIN = (str, int, float, bool, type(None))
_SHARED = -1
_new = tuple.__new__


class Unfit(Exception):
    """A draft that cannot be renewed."""


class Renewal:
    """How to make a draft again."""

    def __init__(self, draft: Draft, words: Iterable[tuple[str, str]]) -> None:
        """`words`: the opaque ones of its text, each with its kind. One that is quoted in the draft has to stay.

        Raises Unfit where that cannot be done.
        """
        self._draft = draft
        self._spans: dict[Span, int] = {}
        self._makers: list[_Make] = []
        self._known: dict[int, int] = {}
        self._texts: list[str] = []
        _number_places(draft, self._spans, set())
        self._offsets = [offset for span in self._spans for offset in span[1:]]
        self._top = self._number_maker(draft)
        wording = "\0".join(self._texts)
        self._quoted = frozenset(word for word in words if word[1] in wording)

    def __call__(self, doc: int, moved: Moved) -> Draft | None:
        """The draft of a text that differs so; None where that text has to be read."""
        places = moved.move_offsets(self._offsets)
        if places is None or not self._quoted.isdisjoint(moved.renamed):
            return None
        name = self._draft.name
        ends = iter(places)
        made: list[Any] = [_new(Span, (doc, start, end)) for start, end in zip(ends, ends, strict=True)]
        made.append(moved.renamed.get((NAME, name), name) if name is not None else None)
        for make in self._makers:
            made.append(make(made))
        renewed: Draft = made[self._top]
        return renewed

    def _number_maker(self, value: Any) -> int:
        """The number of what makes a value again; less than 0 of one without a place, which is shared."""
        if type(value) is Span:
            return self._spans[value]
        if isinstance(value, _PLAIN):
            if isinstance(value, str):
                if value == self._draft.name:
                    return len(self._spans)
                self._texts.append(value)
            return _SHARED
        key = id(value)
        if key not in self._known:
            make = self._find_maker(value)
            self._known[key] = _SHARED if make is None else len(self._spans) + 1 + len(self._makers)
            if make is not None:
                self._makers.append(make)
        return self._known[key]

    def _find_maker(self, value: Any) -> _Make | None:
        if isinstance(value, tuple | list):
            return self._remake_items(value)
        if isinstance(value, dict):
            return self._remake_pairs(value)
        if isinstance(value, frozenset | set):
            if any(self._number_maker(item) != _SHARED for item in value):
                raise Unfit
            return None
        return self._remake_fields(value)

    def _remake_items(self, value: tuple[Any, ...] | list[Any]) -> _Make | None:
        holes = self._find_holes(enumerate(value))
        kind: Any = type(value)

        def make(made: list[Any]) -> Any:
            parts = list(value)
            for at, number in holes:
                parts[at] = made[number]
            return parts if kind is list else _new(kind, parts)

        return make if holes else None

    def _remake_pairs(self, value: dict[Any, Any]) -> _Make | None:
        if any(self._number_maker(key) != _SHARED for key in value):
            raise Unfit
        holes = self._find_holes(value.items())

        def make(made: list[Any]) -> Any:
            parts = value.copy()
            for key, number in holes:
                parts[key] = made[number]
            return parts

        return make if holes else None

    def _remake_fields(self, value: Any) -> _Make | None:
        names = _field_names(value)
        holes = self._find_holes((name, getattr(value, name)) for name in names)
        return (lambda made: replace(value, **{name: made[number] for name, number in holes})) if holes else None

    def _find_holes(self, parts: Iterable[tuple[Any, Any]]) -> list[tuple[Any, int]]:
        found = ((at, self._number_maker(part)) for at, part in parts)
        return [(at, number) for at, number in found if number != _SHARED]


def _number_places(value: Any, spans: dict[Span, int], seen: set[int]) -> None:
    """Number all places in a value. Raises Unfit for what is not known to be a value."""
    if type(value) is Span:
        spans.setdefault(value, len(spans))
    elif not isinstance(value, _PLAIN) and id(value) not in seen:
        seen.add(id(value))
        for part in _list_parts(value):
            _number_places(part, spans, seen)


def _list_parts(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping):
        yield from value.keys()
        yield from value.values()
    elif isinstance(value, tuple | list | frozenset | set):
        yield from value
    else:
        for name in _field_names(value):
            yield getattr(value, name)


def _field_names(value: Any) -> tuple[str, ...]:
    """The fields of one of the model's classes. Raises Unfit for anything else."""
    if value is MISSING or value is TAKEN_BACK:
        return ()
    if "__dataclass_fields__" not in vars(type(value)):
        raise Unfit
    names: tuple[str, ...] = type(value).__slots__
    return names
