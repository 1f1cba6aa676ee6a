"""Reading intents by shape: of files that differ in digits alone, one or two are read in full, the others filled in.

Two texts have one shape if they are equal once every digit is a 0. The places of all tokens are then the same, and
YAML makes the same events of both, unless what it reads digits in occurs (escapes, anchors, tags, block scalars,
directives): such shapes are not filled, and none is learnt from a file with a problem. Shapes that are equal once every
number is one 0 are of one family: the tokens of one are those of the other, shifted by how much longer numbers are.
Each value is decoded from its place in the text by the very type that reads it else, so that a number may turn out to
be wrong: then all is read in full, and whatever is to be said is said there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import accumulate, chain
from operator import sub

from rocecfg.core.records import NamedTuple
from rocecfg.intent.fields import LINK, Links
from rocecfg.intent.schema import INTENT
from rocecfg.intent.secrets import could_hold
from rocecfg.intent.shapes import DEVICES, PORTS, ByShape, Either, Inherited, Keyed, Obj
from rocecfg.intent.types import LENGTH, Type
from rocecfg.intent.values import Context
from rocecfg.model import Link, Span
from rocecfg.model.stated import Problem, Val
from rocecfg.source.document import Document
from rocecfg.source.yaml import Map, Node, Scalar, Seq, compose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Fill = Callable[[str, Context], Any]  # of a text of the shape, and what reading it leaves behind: the value

_LARGE = 1_000_000  # characters of a text that is like no other; the nodes of its links are not kept
_REMEMBERED = 4096  # values of one type
_READS_DIGITS = b"\\&*!"  # escapes, anchors, aliases, tags: two of these may differ in what their digits mean
_LONGEST_LINE = 1000  # characters: YAML takes no key of more than 1,024, which a longer number could make of it
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are millions


class Unfit(Exception):
    """A text, or a shape, that is to be read in full."""


class _Shape(NamedTuple):
    key: bytes
    fill: Fill


class _Family(NamedTuple):
    """The first text that was learnt of those that differ in digits and in how many of them there are."""

    key: bytes
    node: Node
    lengths: list[int]  # of its numbers
    places: dict[int, int]  # where nodes begin and end, each with how many numbers end before it


class Reader:
    """Reads the files of a fabric; shapes are known to one fabric only, and live as long as it is read."""

    __slots__ = ("_by_shape", "_families", "_filled", "_seen", "_shapes", "_values")

    def __init__(self, *, by_shape: bool) -> None:
        """`by_shape`: False to read each file in full, which gives the same, only later."""
        self._by_shape = by_shape
        self._filled = 0  # files
        self._seen: set[int] = set()  # hashes of the shapes of which one file was read
        self._shapes: dict[int, _Shape] = {}
        self._families: dict[int, _Family] = {}
        self._values: dict[tuple[int, bool], dict[str, Any]] = {}  # by type and whether unquoted: what texts mean

    def read(self, document: Document, problems: list[Problem]) -> tuple[Any, Context, int | None]:
        """What an intent's file says, None of an empty one; what reading it left behind; and its shape, if known.

        Raises SourceError.
        """
        text = document.text
        large = len(text) > _LARGE
        key = mask_digits(text) if self._by_shape and not large else b""
        number = hash(key)
        shape = self._shapes.get(number)
        if shape is None and self._families:
            shape = self._learn_from_family(number, key, text)
        if shape is not None and shape.key == key:
            context = Context(document.number, [])
            with suppress(Unfit):
                value = shape.fill(text, context)
                self._filled += 1
                return value, context, number
        context = Context(document.number, problems)
        before = len(problems)
        node = compose(document, ("links", LINK.make_early_reader(document.number)) if large else None)
        section = INTENT.read(node, context) if node is not None else None
        # to learn a shape takes as long as to read a file: where most shapes recur, the first of its files will do
        again = number in self._seen or self._filled > len(self._seen)
        self._seen.add(number)
        if again and shape is None and node is not None and key and len(problems) == before:
            self._learn(number, key, text, node)
        return section, context, None

    def _learn(self, number: int, key: bytes, text: str, node: Node) -> None:
        fill: Fill = _refuse  # what refuses it is not in its digits
        if not (any(sign in key for sign in _READS_DIGITS) or key.startswith(b"%") or b"\n%" in key):
            with suppress(Unfit):
                fill = self._plan_fill(INTENT, node, text)
                family = _NUMBER.sub(b"0", key)
                if hash(family) not in self._families:
                    self._families[hash(family)] = _make_family(family, node, text)
        self._shapes[number] = _Shape(key, fill)

    def _learn_from_family(self, number: int, key: bytes, text: str) -> _Shape | None:
        """Learn the shape of a text from another one of its family; None where none is known."""
        family = _NUMBER.sub(b"0", key)
        known = self._families.get(hash(family))
        if known is None or known.key != family or max(map(len, text.split("\n"))) > _LONGEST_LINE:
            return None
        node = _shift_node(known.node, _shift_places(known, text), text)
        with suppress(Unfit):
            shape = _Shape(key, self._plan_fill(INTENT, node, text))
            self._seen.add(number)
            self._shapes[number] = shape
            return shape
        return None

    def _plan_fill(self, of: Type, node: Node, text: str) -> Fill:
        """How to read what stands where `node` does in this text."""
        while type(node) is Map and isinstance(of, Either | Inherited | ByShape):
            of = (of.mapping or of) if isinstance(of, ByShape) else of.of
        if type(node) is Scalar:
            return self._plan_scalar(of, node, text)
        if type(node) is Map and type(of) is Obj:
            return self._plan_section(of, node, text)
        if type(node) is Map and type(of) is Keyed:
            return self._plan_keyed(of, node, text)
        if type(node) is Seq and type(of) is Links:
            rows = [_locate_link(item, text) for item in node.items]
            if None not in rows:
                return _plan_links([row for row in rows if row is not None])
        if type(node) is Seq and not is_digital(text[node.start : node.end]):
            return _plan_words(of, node) or _plan_full_read(of, node, text)
        return _plan_full_read(of, node, text)

    def _plan_scalar(self, of: Type, node: Scalar, text: str) -> Fill:
        start, end = _find_inner(node, text)
        value = of.read(node, Context(-1, []))
        if isinstance(value, list):  # one word for a list of one: its items have places, in a document of their own
            return _plan_full_read(of, node, text)
        if not is_digital(text[start:end]):
            return lambda _text, _ctx: value
        plain = node.plain
        known = self._values.setdefault((id(of), plain), {})

        def fill(text: str, ctx: Context) -> Any:
            word = text[start:end]
            if word in known:
                return known[word]
            sizes = len(ctx.decimal) + len(ctx.binary)
            value = of.read(_new(Scalar, (node.start, node.end, word, plain)), ctx)
            if ctx.problems:
                raise Unfit
            # sizes are noted with their places, each time
            if len(known) < _REMEMBERED and sizes == len(ctx.decimal) + len(ctx.binary):
                known[word] = value
            return value

        return fill

    def _plan_section(self, of: Obj, node: Map, text: str) -> Fill:
        parts = []
        for key, child in node.pairs:
            start, end = _find_inner(key, text)
            if is_digital(text[start:end]):
                raise Unfit
            at = child if type(child) is Scalar else key
            parts.append((key.text, self._plan_fill(of.keys[key.text].type, child, text), at.start, at.end))

        def fill(text: str, ctx: Context) -> Any:
            doc = ctx.doc
            return {
                name: _new(Val, (part(text, ctx), _new(Span, (doc, start, end)))) for name, part, start, end in parts
            }

        return fill

    def _plan_keyed(self, of: Keyed, node: Map, text: str) -> Fill:
        parts = [
            (self._plan_scalar(of.key, key, text), self._plan_fill(of.of, child, text), key.start, key.end)
            for key, child in node.pairs
        ]

        def fill(text: str, ctx: Context) -> Any:
            doc = ctx.doc
            out: dict[Any, Val] = {}
            for key, part, start, end in parts:
                name = key(text, ctx)
                if name in out:
                    raise Unfit
                out[name] = _new(Val, (part(text, ctx), _new(Span, (doc, start, end))))
            return out

        return fill


def _refuse(_text: str, _ctx: Context) -> Any:
    raise Unfit


def _find_inner(node: Scalar, text: str) -> tuple[int, int]:
    """Where a scalar's text stands, without its quotes. Raises Unfit where that is not all of it, as written."""
    quote = 0 if node.plain else 1
    start, end = node.start + quote, node.end - quote
    if text[start:end] != node.text:
        raise Unfit
    return start, end


# -- shapes of one family: the same tokens, with numbers that are longer or shorter ------------------------------------

_NUMBER = re.compile(rb"0+")  # of a masked text
_DIGITAL = re.compile(r"[0-9]+")


def _make_family(key: bytes, node: Node, text: str) -> _Family:
    ends = [match.end() for match in _DIGITAL.finditer(text)]
    places = {place: bisect_right(ends, place) for place in _list_places(node)}
    return _Family(key, node, _measure_numbers(text), places)


def _measure_numbers(text: str) -> list[int]:
    return list(map(len, _DIGITAL.findall(text)))


def _list_places(node: Node) -> Iterator[int]:
    yield node.start
    yield node.end
    inner = node.items if type(node) is Seq else chain.from_iterable(node.pairs) if type(node) is Map else ()
    for each in inner:
        yield from _list_places(each)


def _shift_places(known: _Family, text: str) -> dict[int, int]:
    """Where the places of a family's first text are in another one of it. None is inside of a number."""
    longer = list(accumulate(map(sub, _measure_numbers(text), known.lengths), initial=0))
    return {place: place + longer[before] for place, before in known.places.items()}


def _shift_node(node: Node, places: dict[int, int], text: str) -> Node:
    """A node of the one text as it is in the other."""
    start, end = places[node.start], places[node.end]
    if type(node) is Scalar:
        word = text[start:end] if node.plain else text[start + 1 : end - 1]
        return _new(Scalar, (start, end, word, node.plain))
    if type(node) is Seq:
        return Seq(start, end, [_shift_node(item, places, text) for item in node.items])
    assert type(node) is Map
    pairs: list[Any] = [(_shift_node(key, places, text), _shift_node(child, places, text)) for key, child in node.pairs]
    return Map(start, end, pairs)


def _plan_words(of: Type, node: Seq) -> Fill | None:
    """Reads a list in which no digit stands: of the same words in each text. None of one that is more than that."""
    ctx = Context(-1, [])
    values = of.read(node, ctx)
    if not isinstance(values, list) or ctx.problems or ctx.names or ctx.nameless:
        return None
    if not all(isinstance(val.value, str) for val in values):
        return None
    words = [(val.value, val.at.start, val.at.end) for val in values]

    def fill(_text: str, ctx: Context) -> Any:
        doc = ctx.doc
        return [_new(Val, (word, _new(Span, (doc, start, end)))) for word, start, end in words]

    return fill


def _plan_full_read(of: Type, node: Node, text: str) -> Fill:
    """Reads what is rare as ever, from nodes at the same places with the new text in them."""
    renewed = _plan_renewal(node, text)

    def fill(text: str, ctx: Context) -> Any:
        value = of.read(renewed(text), ctx)
        if ctx.problems:
            raise Unfit
        return value

    return fill


def _plan_renewal(node: Node, text: str) -> Callable[[str], Node]:
    if type(node) is Scalar:
        start, end = _find_inner(node, text)
        return lambda text: Scalar(node.start, node.end, text[start:end], node.plain)
    if type(node) is Seq:
        items = [_plan_renewal(item, text) for item in node.items]
        return lambda text: Seq(node.start, node.end, [item(text) for item in items])
    assert type(node) is Map
    pairs: list[Any] = [(_plan_renewal(key, text), _plan_renewal(child, text)) for key, child in node.pairs]
    return lambda text: Map(node.start, node.end, [(key(text), child(text)) for key, child in pairs])


# -- links: a fabric has 100,000s --------------------------------------------------------------------------------------

_Row = tuple[Scalar, Scalar, int, int, int, int, int, int, int, int, tuple[int, ...]]


def _locate_link(node: Node, text: str) -> _Row | None:
    """Where the parts of a link stand; None of one that is written otherwise than most are."""
    parts = _find_link_parts(node)
    if parts is None:
        return None
    a, b, cable, prose = parts
    length = cable if cable is not None else a
    if type(length) is not Scalar or (cable is not None and not length.plain):
        return None
    (a0, a2), (b0, b2) = _find_inner(a, text), _find_inner(b, text)
    c0, c1 = _find_inner(length, text) if cable is not None else (0, 0)
    if prose is not None:
        _find_inner(prose, text)
    a1, b1 = text.find(":", a0, a2), text.find(":", b0, b2)
    if min(a1, b1) < 0:
        return None
    places = (a.start, a.end, b.start, b.end, length.start, length.end)
    return a, b, a0, a1, a2, b0, b1, b2, c0, c1, places


def _find_link_parts(node: Node) -> tuple[Scalar, Scalar, Node | None, Scalar | None] | None:
    """The ends of a link, its cable and its description; None of one with anything else in it."""
    parts = {key.text: child for key, child in node.pairs} if type(node) is Map else {}
    a, b, cable, prose = (parts.pop(name, None) for name in ("a", "b", "cable", "description"))
    if type(node) is not Map or parts or type(a) is not Scalar or type(b) is not Scalar:
        return None
    if len(node.pairs) != 2 + (cable is not None) + (prose is not None):
        return None
    if prose is not None and (type(prose) is not Scalar or not prose.plain or could_hold(prose.text)):
        return None
    if any(is_digital(key.text) for key, _ in node.pairs):
        return None
    return a, b, cable, prose


def _plan_links(rows: list[_Row]) -> Fill:
    devices, ports, lengths = DEVICES.good, PORTS.good, LENGTH.known

    def fill(text: str, ctx: Context) -> Any:
        doc = ctx.doc
        out = []
        for a, b, a0, a1, a2, b0, b1, b2, c0, c1, places in rows:
            try:
                ends = devices[text[a0:a1]], ports[text[a1 + 1 : a2]], devices[text[b0:b1]], ports[text[b1 + 1 : b2]]
            except KeyError:  # a name for the first time
                ends = *_read_end(a, text[a0:a2], ctx), *_read_end(b, text[b0:b2], ctx)
            cable = None
            if c1:
                cable = lengths.get(text[c0:c1])
                if cable is None:
                    cable = LENGTH.read(Scalar(places[4], places[5], text[c0:c1], plain=True), ctx)
            out.append(_new(Link, (*ends, cable, doc, *places)))
        if ctx.problems:
            raise Unfit
        return out

    return fill


def _read_end(node: Scalar, text: str, ctx: Context) -> tuple[str, str]:
    ends: tuple[str, str] = LINK.end.read(_new(Scalar, (node.start, node.end, text, node.plain)), ctx)
    if ctx.problems:
        raise Unfit
    return ends


_ANY = bytes.maketrans(b"123456789", b"0" * 9)
_DIGITS = frozenset("0123456789")


def mask_digits(text: str) -> bytes:
    """A text with a 0 for each digit: texts that are equal then differ in digits alone, and are of one length."""
    return text.encode("utf-8", "surrogatepass").translate(_ANY)


def is_digital(text: str) -> bool:
    """Whether a text holds a digit, so that another one of its shape may differ in it."""
    return not _DIGITS.isdisjoint(text)
