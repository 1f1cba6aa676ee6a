"""How the texts of a family are filled in: planned on the nodes of its first text, and bound to the places of others.

A family are texts that are equal once every number is one 0: the tokens of one are those of the other, shifted by how
much longer numbers are. What a plan reads without digits is the same in each; of the rest it keeps the places.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from operator import itemgetter, sub

from rocecfg.intent.fields import Links
from rocecfg.intent.fills import UnfitFill, is_digital
from rocecfg.intent.link_filling import Row, find_link_parts, plan_links
from rocecfg.intent.repeated import OWN, Repeated
from rocecfg.intent.schema import DEVICE, INTENT
from rocecfg.intent.shapes import ByShape, Either, Inherited, Keyed, Obj
from rocecfg.intent.types import Type
from rocecfg.intent.values import Context
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.source.yaml import Map, Node, Scalar, Seq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rocecfg.intent.fills import Bind, Fill, Places

Known = dict[tuple[int, bool], dict[str, "Any"]]  # by type and whether unquoted: what texts mean
_REMEMBERED = 4096  # values of one type
_LONGEST_LINE = 1000  # characters: YAML takes no key of more than 1,024, which a longer number could make of it
_DIGITAL = re.compile(r"[0-9]+")
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are millions


class TextFamily:
    """Texts that are equal but for their numbers."""

    __slots__ = ("_before", "_bind", "_lengths", "_places", "key")

    def __init__(self, key: bytes, text: str, root: Node, known: Known) -> None:
        """`key`: what is equal of all; `text`, `root`: the first one and its nodes. Raises Unfit."""
        planner = _Planner(text, known)
        self.key = key
        self._bind = planner.plan(INTENT, root)
        self._places = list(planner.marks)
        ends = [match.end() for match in _DIGITAL.finditer(text)]
        self._before = [bisect_right(ends, place) for place in self._places]  # none is inside of a number
        self._lengths = _measure_numbers(text)

    def bind(self, text: str) -> Fill:
        """What fills in a text of the family, and those that differ from it in digits alone. Raises Unfit."""
        lengths = _measure_numbers(text)
        if lengths != self._lengths and max(map(len, text.split("\n"))) > _LONGEST_LINE:
            raise UnfitFill
        longer = list(accumulate(map(sub, lengths, self._lengths), initial=0))
        return self._bind([place + longer[before] for place, before in zip(self._places, self._before, strict=True)])


def _measure_numbers(text: str) -> list[int]:
    return list(map(len, _DIGITAL.findall(text)))


class _Planner:
    """Plans how to read what the nodes of a text stand for, in it and in others of its family."""

    def __init__(self, text: str, known: Known) -> None:
        self._text = text
        self._known = known
        self._own: list[tuple[str, Bind, int, int]] = []  # values of OWN in the device that is planned
        self.marks: dict[int, int] = {}  # places that were noted, each with its number

    def plan(self, of: Type, node: Node) -> Bind:
        """How to read what stands where `node` does. Raises Unfit."""
        while type(node) is Map and isinstance(of, Either | Inherited | ByShape):
            of = (of.mapping or of) if isinstance(of, ByShape) else of.of
        if type(node) is Scalar:
            return self._plan_scalar(of, node)
        if type(node) is Map and type(of) is Obj:
            return self._plan_section(of, node)
        if type(node) is Map and type(of) is Keyed:
            return self._plan_keyed(of, node)
        if type(node) is Seq and type(of) is Links:
            rows = [self._locate_link(item) for item in node.items]
            if None not in rows:
                return plan_links([row for row in rows if row is not None])
        if type(node) is Seq and not is_digital(self._text[node.start : node.end]):
            return self._plan_words(of, node) or self._plan_full_read(of, node)
        return self._plan_full_read(of, node)

    def _mark(self, place: int) -> int:
        return self.marks.setdefault(place, len(self.marks))

    def _mark_inner(self, node: Scalar) -> tuple[int, int]:
        """Marks where a scalar's text stands, without its quotes. Raises Unfit where that is not all of it."""
        start, end = self._find_inner(node)
        return self._mark(start), self._mark(end)

    def _find_inner(self, node: Scalar) -> tuple[int, int]:
        quote = 0 if node.plain else 1
        start, end = node.start + quote, node.end - quote
        if self._text[start:end] != node.text:
            raise UnfitFill
        return start, end

    def _plan_scalar(self, of: Type, node: Scalar) -> Bind:
        begin, end = self._mark_inner(node)
        value = of.read(node, Context(-1, []))
        if isinstance(value, list):  # one word for a list of one: its items have places, in a document of their own
            return self._plan_full_read(of, node)
        if not is_digital(node.text):
            return lambda _places: lambda _text, _ctx: value
        start, stop = self._mark(node.start), self._mark(node.end)
        plain = node.plain
        known = self._known.setdefault((id(of), plain), {})

        def bind(places: Places) -> Fill:
            first, last = places[begin], places[end]
            around = places[start], places[stop]

            def fill(text: str, ctx: Context) -> Any:
                word = text[first:last]
                if word in known:
                    return known[word]
                sizes = len(ctx.decimal) + len(ctx.binary)
                value = of.read(_new(Scalar, (*around, word, plain)), ctx)
                if ctx.problems or isinstance(value, list):
                    raise UnfitFill
                # sizes are noted with their places, each time
                if len(known) < _REMEMBERED and sizes == len(ctx.decimal) + len(ctx.binary):
                    known[word] = value
                return value

            return fill

        return bind

    def _plan_section(self, of: Obj, node: Map) -> Bind:
        parts = []
        for key, child in node.pairs:
            self._find_inner(key)
            if is_digital(key.text):
                raise UnfitFill
            at = child if type(child) is Scalar else key
            part = key.text, self.plan(of.keys[key.text].type, child), self._mark(at.start), self._mark(at.end)
            parts.append(part)
            if key.text in OWN and at is child:
                self._own.append(part)

        def bind(places: Places) -> Fill:
            bound = [(name, part(places), places[start], places[end]) for name, part, start, end in parts]

            def fill(text: str, ctx: Context) -> Any:
                doc = ctx.doc
                return {
                    name: _new(Val, (part(text, ctx), _new(Span, (doc, start, end))))
                    for name, part, start, end in bound
                }

            return fill

        return bind

    def _plan_keyed(self, of: Keyed, node: Map) -> Bind:
        parts = []
        for key, child in node.pairs:
            part = self._plan_device(key, child) if of.of is DEVICE else self.plan(of.of, child)
            parts.append((self._plan_scalar(of.key, key), part, self._mark(key.start), self._mark(key.end)))

        def bind(places: Places) -> Fill:
            bound = [(key(places), part(places), places[start], places[end]) for key, part, start, end in parts]

            def fill(text: str, ctx: Context) -> Any:
                doc = ctx.doc
                out: dict[Any, Val] = {}
                for key, part, start, end in bound:
                    name = key(text, ctx)
                    if name in out:
                        raise UnfitFill
                    out[name] = _new(Val, (part(text, ctx), _new(Span, (doc, start, end))))
                return out

            return fill

        return bind

    def _plan_device(self, key: Scalar, node: Node) -> Bind:
        """Reads a device in full, unless one of its shape before it says the same but for what is its own."""
        self._own = []
        plan = self.plan(DEVICE, node)
        if type(node) is not Map:
            return plan
        names = {self._mark(child.start): name.text for name, child in node.pairs}  # of the device, not of its ports
        own = [(names.get(start, ""), part, start, end) for _, part, start, end in self._own]
        at, begin, stop = self._mark(key.start), self._mark(key.end), self._mark(node.end)

        def bind(places: Places) -> Fill:
            read = plan(places)
            own_parts = [(name, part(places), places[start], places[end]) for name, part, start, end in own]
            edges = [places[begin], *sorted(edge for _, _, *ends in own_parts for edge in ends), places[stop]]
            rest_of = itemgetter(*(slice(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True)))
            return _repeat_known(read, own_parts, rest_of, places[at], places[stop])

        return bind

    def _plan_words(self, of: Type, node: Seq) -> Bind | None:
        """Reads a list in which no digit stands: of the same words in each text. None of one that is more than that."""
        ctx = Context(-1, [])
        values = of.read(node, ctx)
        if not isinstance(values, list) or ctx.problems or ctx.names or ctx.nameless:
            return None
        if not all(isinstance(val.value, str) for val in values):
            return None
        words = [(val.value, self._mark(val.at.start), self._mark(val.at.end)) for val in values]

        def bind(places: Places) -> Fill:
            bound = [(word, places[start], places[end]) for word, start, end in words]

            def fill(_text: str, ctx: Context) -> Any:
                doc = ctx.doc
                return [_new(Val, (word, _new(Span, (doc, start, end)))) for word, start, end in bound]

            return fill

        return bind

    def _plan_full_read(self, of: Type, node: Node) -> Bind:
        """Reads what is rare as ever, from nodes with the new text in them, at its places."""
        plan = self._plan_renewal(node)

        def bind(places: Places) -> Fill:
            renew = plan(places)

            def fill(text: str, ctx: Context) -> Any:
                value = of.read(renew(text), ctx)
                if ctx.problems:
                    raise UnfitFill
                return value

            return fill

        return bind

    def _plan_renewal(self, node: Node) -> Callable[[Places], Callable[[str], Node]]:
        start, end = self._mark(node.start), self._mark(node.end)
        if type(node) is Scalar:
            plain = node.plain
            first, last = self._mark_inner(node)
            return lambda places: _renew_scalar(places[start], places[end], places[first], places[last], plain=plain)
        if type(node) is Seq:
            items = [self._plan_renewal(item) for item in node.items]
            return lambda places: _renew_list(places[start], places[end], [item(places) for item in items])
        assert type(node) is Map
        pairs = [(self._plan_renewal(key), self._plan_renewal(child)) for key, child in node.pairs]
        return lambda places: _renew_map(
            places[start], places[end], [(key(places), child(places)) for key, child in pairs]
        )

    def _locate_link(self, node: Node) -> Row | None:
        """Where the parts of a link stand; None of one that is written otherwise than most are. Raises Unfit."""
        parts = find_link_parts(node)
        if parts is None:
            return None
        a, b, cable, prose = parts
        length = cable if cable is not None else a
        if type(length) is not Scalar or (cable is not None and not length.plain):
            return None
        (a0, a2), (b0, b2) = self._find_inner(a), self._find_inner(b)
        c0, c1 = self._find_inner(length) if cable is not None else (a0, a0)
        if prose is not None:
            self._find_inner(prose)
        a1, b1 = self._text.find(":", a0, a2), self._text.find(":", b0, b2)
        if min(a1, b1) < 0:
            return None
        words = (a0, a1, a1 + 1, a2, b0, b1, b1 + 1, b2, c0, c1)
        around = (a.start, a.end, b.start, b.end, length.start, length.end)
        mark = self._mark
        return a.plain, b.plain, tuple(map(mark, words)), tuple(map(mark, around))


def _repeat_known(
    read: Fill, own: list[tuple[str, Fill, int, int]], rest_of: Callable[[str], object], at: int, stop: int
) -> Fill:
    """Reads the first device of each kind. `own`, `rest_of`: the values that are its own, and the text around them."""
    known: set[object] = set()
    shape = object()

    def fill(text: str, ctx: Context) -> Any:
        doc = ctx.doc
        rest = rest_of(text)
        ctx.alike[at] = (shape, rest), stop
        if rest not in known:
            sizes = len(ctx.decimal) + len(ctx.binary)
            section = read(text, ctx)
            if sizes == len(ctx.decimal) + len(ctx.binary):  # sizes are noted with their places, each time
                known.add(rest)
            return section
        given = {}
        for name, part, start, end in own:
            val = _new(Val, (part(text, ctx), _new(Span, (doc, start, end))))
            if name:
                given[name] = val
        return Repeated(given, lambda: read(text, Context(doc, [])))

    return fill


def _renew_scalar(start: int, end: int, first: int, last: int, *, plain: bool) -> Callable[[str], Node]:
    return lambda text: Scalar(start, end, text[first:last], plain)


def _renew_list(start: int, end: int, items: list[Callable[[str], Node]]) -> Callable[[str], Node]:
    return lambda text: Seq(start, end, [item(text) for item in items])


def _renew_map(start: int, end: int, pairs: list[Any]) -> Callable[[str], Node]:
    return lambda text: Map(start, end, [(key(text), child(text)) for key, child in pairs])
