"""The types made of others: alternatives, lists, sections, mappings by the user's own keys, node sets."""

from __future__ import annotations

import re

from rocecfg.core.nodeset import MAX_NAMES, NodeSetError, bracket_range, mend, node_set
from rocecfg.core.records import NamedTuple
from rocecfg.intent.types import DEVICE_NAME, PORT_NAME, WORD, Text, Type, describe_node
from rocecfg.intent.values import Context, find_called, near, nearest, only_near
from rocecfg.model import Span
from rocecfg.model.fix import Fix, remove, rename, replace
from rocecfg.model.stated import MISSING, TAKEN_BACK, Problem, Section, Val
from rocecfg.source.yaml import Map, Node, Scalar, Seq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PRIORITIES = 8  # of PFC: a mask of them is no list of some
_MOST_NAMES = 2 * MAX_NAMES  # of one file, each set counted once: more would take all memory
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are millions


class Either(Type):
    """Plain words, else another type. `called`: what others call some of the words, as of `find_called`."""

    __slots__ = ("called", "of", "single", "wants", "words")

    def __init__(self, words: tuple[str, ...], of: Type, **called: str) -> None:
        self.words = words
        self.of = of
        self.called = called
        self.single = of.single
        shown = f"a mapping of {', '.join(of.main or of.keys)}" if isinstance(of, Obj) else of.wants
        self.wants = f"{' | '.join(words)} | {shown}"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Scalar:
            if node.text in self.words:
                return node.text
            if isinstance(self.of, (Obj, Keyed, Listed)):
                return ctx.report(
                    "schema-value",
                    node,
                    f"{describe_node(node)} is not one of {self.wants}",
                    self._suggest(node.text),
                )
        before = len(ctx.problems)
        value = self.of.read(node, ctx)
        if value is MISSING and type(node) is Scalar:
            meant = next(iter(find_called(node.text, self.called)), None) or near(node.text, self.words)
            if meant is not None:  # rather a slip of the word than of what stands beside it
                del ctx.problems[before:]
                return self.report_wrong(node, ctx, f"did you mean {meant}?")
        return value

    def _suggest(self, word: str) -> str:
        known = nearest(word, self.words)
        if not known.startswith("known") or not isinstance(self.of, Obj):
            return known
        words = sorted(self.words, key="off".__eq__)  # off, which other rules mind, last
        if self.of.example:
            return f"write {', or '.join((self.of.example, *words))}"
        *others, last = sorted((*words, f"a mapping of {', '.join(self.of.main or self.of.keys)}"), key="off".__eq__)
        return f"known: {', '.join(others)}, or {last}"

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"enum": list(self.words)}, self.of.schema()]}


class Inherited(Type):
    """A type whose value may be inherited from a wider section, or `default`, which takes that value back."""

    __slots__ = ("of", "single", "wants")
    word = "default"

    def __init__(self, of: Type) -> None:
        self.of = of
        self.wants = of.wants
        self.single = of.single

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Scalar and node.text == self.word:
            return TAKEN_BACK
        return self.of.read(node, ctx)

    def schema(self) -> dict[str, Any]:
        of = self.of.schema()
        if "enum" in of:
            return {**of, "enum": [*of["enum"], self.word]}
        return {"anyOf": [{"enum": [self.word]}, *of.get("anyOf", [of])]}


class ByShape(Type):
    """One type for scalars, one for mappings, one for lists; None: not allowed."""

    __slots__ = ("listed", "mapping", "scalar", "wants")

    def __init__(
        self, wants: str, scalar: Type | None = None, mapping: Type | None = None, listed: Type | None = None
    ) -> None:
        self.wants = wants
        self.scalar = scalar
        self.mapping = mapping
        self.listed = listed

    def read(self, node: Node, ctx: Context) -> Any:
        of = self.scalar if type(node) is Scalar else self.mapping if type(node) is Map else self.listed
        return of.read(node, ctx) if of else self.report_wrong(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [t.schema() for t in (self.scalar, self.mapping, self.listed) if t]}


class Listed(Type):
    """A list of one type, or a single value standing for a list of one. Values are Val, so that each has its place."""

    __slots__ = ("apart", "of", "order", "single", "unique", "wants")

    def __init__(
        self,
        of: Type,
        *,
        single: bool = False,
        apart: bool = False,
        unique: str | None = None,
        order: str | None = None,
    ) -> None:
        self.of = of
        self.single = single
        self.apart = apart  # values stand for themselves: one that is wrong leaves the others as they are
        self.unique = unique  # the rule that a repeated value breaks
        self.order = order  # the rule that values which do not ascend break
        self.wants = f"a list of {of.wants}"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Seq:
            nodes = node.items
        elif self.single and type(node) is Scalar:
            nodes = [node]
        else:
            return self.report_wrong(node, ctx, self._offer_list(node, ctx))
        mask = [item.text for item in nodes if type(item) is Scalar] if self.unique else []
        if len(mask) == len(nodes) == _PRIORITIES and {*mask} == {"0", "1"}:
            meant = [number for number, bit in enumerate(mask) if bit == "1"]
            words = f"{_PRIORITIES} numbers of 0 and 1 are a mask, as mlnx_qos takes it: list the priorities themselves"
            return ctx.report("schema-value", node, words, f"write {meant}")
        values: list[Val] = []
        seen = set()
        whole = True
        for item in nodes:
            value = self.of.read(item, ctx)
            if value is MISSING:
                whole = False
                continue
            if self.unique:
                if value in seen:
                    remedy = Fix("remove the second", safe=True, changes=(remove(ctx.span(item)),))
                    ctx.report(self.unique, item, f"{value} appears twice in the list", "remove one", remedy)
                    continue
                seen.add(value)
            values.append(Val(value, ctx.span(item)))
        if not (whole or self.apart):
            return MISSING
        if self.order:
            self._check_order(self.order, node, [v.value for v in values], ctx)
        return values

    def _offer_list(self, node: Node, ctx: Context) -> str:
        """What to write instead of a single value that would do as the one of a list."""
        if type(node) is not Scalar or not self.of.single:
            return ""
        before = len(ctx.problems)
        fits = self.of.read(node, ctx) is not MISSING
        del ctx.problems[before:]
        return f"write [{node.text}]" if fits else ""

    def _check_order(self, rule: str, node: Node, values: list[Any], ctx: Context) -> None:
        ascending = sorted(values)
        if values != ascending:
            remedy = Fix("sort the list", safe=True, changes=(replace(ctx.span(node), tuple(map(str, ascending))),))
            what = f"the list {values} does not ascend: the order means nothing, and differs from what others write"
            ctx.report(rule, node, what, f"write {ascending}", remedy)

    def schema(self) -> dict[str, Any]:
        listed: dict[str, Any] = {"type": "array", "items": self.of.schema()}
        if self.unique:
            listed["uniqueItems"] = True
        return {"anyOf": [listed, self.of.schema()]} if self.single else listed


class Key(NamedTuple):
    """A key of a section: its type, a line about it, for the JSON Schema, and what others call it.

    `called`: small and without - _ . and blanks, since all such spellings are meant.
    """

    type: Type
    doc: str
    called: str = ""


def make_inheritable(keys: dict[str, Key], *but: str) -> dict[str, Key]:
    """Keys that may be taken back with `default`, all except `but`."""
    return {name: key if name in but else key._replace(type=Inherited(key.type)) for name, key in keys.items()}


class Obj(Type):
    """A mapping with known keys; read as a Section.

    A key that is there but wrong stays in it, as MISSING: it must not be reported as absent too. An unknown key stands
    for the known one that it is like, else for the `main` ones that are absent.
    """

    __slots__ = ("example", "keys", "main", "required", "wants")

    def __init__(
        self,
        wants: str,
        keys: dict[str, Key],
        required: tuple[str, ...] = (),
        main: tuple[str, ...] = (),
        example: str = "",
    ) -> None:
        self.example = example
        self.wants = wants
        self.keys = keys
        self.required = required
        self.main = required + main  # without these, here or where the section is merged into, it means nothing

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Map:
            help = f"keys: {', '.join(self.keys)}"
            if type(node) is Scalar and node.text and "name" in self.main:
                help = f"write {self.wants}: {{name: {node.text}}}"
            return self.report_wrong(node, ctx, help)
        out: Section = {}
        slips: dict[str, Span] = {}  # known keys that are there under an unknown name
        keys = self.keys
        doc = ctx.doc
        for key, child in node.pairs:
            name = key.text
            known = keys.get(name)
            if known is None:
                fitting = {ours: of.called for ours, of in keys.items() if of.called and _may_hold(of.type, child)}
                called = find_called(name, fitting)
                meant = called[0] if called else near(name, keys)
                help = f"did you mean {meant}?" if meant is not None else _suggest_key(name, keys)
                single = meant if len(called) == 1 else only_near(name, keys)
                remedy = (
                    Fix(f"rename it {single}", safe=False, changes=(rename(ctx.span(key), single),)) if single else None
                )
                ctx.report("schema-unknown-key", key, f"unknown key {name!r} in {self.wants}", help, remedy)
                for slip in self.main if meant is None else (meant,):
                    slips.setdefault(slip, ctx.span(key))
                continue
            if name in out:
                _report_twice(ctx, key, out[name].at)
                continue
            of = known.type
            at = key if type(child) is not Scalar else child
            out[name] = _new(Val, (of.read(child, ctx), _new(Span, (doc, at.start, at.end))))
        for name, span in slips.items():
            out.setdefault(name, Val(MISSING, span))
        for name in self.required:
            if name not in out:
                ctx.report("schema-required", node, f"{self.wants} lacks {name}: {keys[name].doc}")
        return out

    def schema(self) -> dict[str, Any]:
        properties = {k: {**v.type.schema(), "description": v.doc} for k, v in self.keys.items()}
        out = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**out, "required": list(self.required)} if self.required else out


def _may_hold(of: Type, node: Node) -> bool:
    """Whether a value may be of a type, by its shape alone: a mapping is no single value."""
    return type(node) is not Map or not of.single


def _report_twice(ctx: Context, key: Scalar, first: Span) -> None:
    ctx.problems.append(
        Problem(
            "schema-duplicate-key",
            ctx.span(key),
            f"{key.text!r} appears twice in one mapping",
            "remove one, or merge the two",
            ((first, "the first one, which is used"),),
        )
    )


def _suggest_key(name: str, keys: dict[str, Key]) -> str:
    if name == "<<":
        return "merge keys are YAML 1.1; write what devices share once, under defaults or under a node set"
    inside = [key for key, of in keys.items() if name in getattr(getattr(of.type, "of", of.type), "keys", ())]
    key, colon, value = name.partition(":")
    if colon and key in keys:
        return f"write {key}: {value}, with a blank after the colon"
    if len(inside) == 1:
        return f"move it below {inside[0]}: {inside[0]}: {{{name}: ...}}"
    return f"known: {', '.join(keys)}"


class Keyed(Type):
    """A mapping whose keys are the user's: node sets, class names, rates. Read as a dict of Val, keys as written."""

    __slots__ = ("key", "of", "wants")

    def __init__(self, wants: str, key: Type, of: Type) -> None:
        self.wants = wants
        self.key = key
        self.of = of

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Map:
            named = isinstance(self.of, (Obj, Either)) and type(node) is Seq
            return self.report_wrong(node, ctx, "write each name as a key, without -: NAME: {...}" if named else "")
        out: dict[Any, Val] = {}
        for key, child in node.pairs:
            name = self.key.read(key, ctx)
            if name is MISSING:
                ctx.nameless.add(self.wants)
                continue
            if name in out:
                _report_twice(ctx, key, out[name].at)
                continue
            out[name] = Val(self.of.read(child, ctx), ctx.span(key))  # MISSING as in Obj: there, but wrong
        return out

    def schema(self) -> dict[str, Any]:
        out = {"type": "object", "additionalProperties": self.of.schema()}
        names = self.key.schema()  # in JSON each key is text, whatever it means
        return {**out, "propertyNames": names} if names.get("type") == "string" else out


_NAMING = {  # how names are written, by what they are of
    "device": "write letters, digits, - _ and . alone; several devices are a node set, such as leaf[01-04]",
    "port": "write the port's name; several ports are a node set, such as Ethernet[0-56/8]",
    "LAG": "write letters, digits, - _ and . alone",
}
_NUMBERS_ALONE = re.compile(r"(Ethernet|swp)(\d+(?:,\d+)+)")
_SWITCH_PORTS = re.compile(r"(?:Ethernet|swp)\d")  # of which no port's name is a range; names of NICs are anybody's


class Nodes(Type):
    """A node set; `what` names its members, `fits` judges each name. Read as the text, for `nodeset.node_set`."""

    __slots__ = ("fits", "good", "wants", "what")

    def __init__(self, what: str, fits: Text) -> None:
        self.what = what
        self.fits = fits
        self.wants = f"a node set of {what}s"
        self.good: dict[str, str] = {}  # texts that passed: the same port keys come with every device

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar or not node.text:
            return self.report_wrong(node, ctx)
        text = node.text
        if text in self.good:
            return self.good[text]
        if self.what == "port" and _SWITCH_PORTS.match(text) and (meant := bracket_range(text)) is not None:
            more = f", or with a step, {meant[:-1]}/8]" if text.startswith("Ethernet") and "/" not in meant else ""
            return ctx.report(
                "schema-nodeset", node, f"{text} is one name: a range needs brackets", f"write {meant}{more}"
            )
        if self.what == "port" and (found := _NUMBERS_ALONE.fullmatch(text)) is not None:
            words = f"in {text} the numbers are names of their own: put the numbers of one name in brackets"
            return ctx.report("schema-nodeset", node, words, f"write {found[1]}[{found[2]}]")
        try:
            names = self._expand_names(text, ctx)
        except NodeSetError as error:
            return ctx.report("schema-nodeset", node, str(error), self._offer(text))
        for name in names:
            if not self.fits.fits(name):
                return ctx.report(
                    "schema-name",
                    node,
                    f"{name!r} cannot be the name of a {self.what}",
                    self._offer(text) or _NAMING[self.what],
                )
        self.good[text] = text
        return text

    def _offer(self, text: str) -> str:
        meant = mend(text)
        return f"write {meant}" if meant != text and self.is_one(meant) else ""

    def is_one(self, text: str) -> bool:
        """Whether a text is a node set of such names."""
        try:
            return all(map(self.fits.fits, node_set(text).names))
        except NodeSetError:
            return False

    @staticmethod
    def _expand_names(text: str, ctx: Context) -> tuple[str, ...]:
        if "[" not in text and "," not in text and text[0] != "@":
            return (text,)
        nodes = node_set(text)
        ctx.names += len(nodes)
        if ctx.names > _MOST_NAMES:
            raise NodeSetError(f"the node sets of this file stand for more than {_MOST_NAMES} names")
        return nodes.names

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1}


DEVICES = Nodes("device", DEVICE_NAME)
PORTS = Nodes("port", PORT_NAME)
LAGS = Nodes("LAG", WORD)
