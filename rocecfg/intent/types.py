"""The types an intent's values can have: each reads a node, reports what is wrong with it, and tells its JSON Schema.

A type's `read(node, ctx)` returns the plain value, or MISSING after it reported a problem: the rest of the file is
read all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from rocecfg import units
from rocecfg.model import Span
from rocecfg.nodeset import NodeSetError, node_set
from rocecfg.source.yaml import Map, Node, Scalar, Seq

MISSING: Final[Any] = object()  # nothing usable was read; the problem is reported
OFF: Final = "off"

_TRAPS = frozenset({"on", "off", "yes", "no", "y", "n"})


class Val(NamedTuple):
    """A value and where it was written; of a section, where its key was."""

    value: Any
    at: Span


Section = dict[str, Val]  # key -> value, in written order


_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are millions


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
        return Span(self.doc, node.start, node.end)

    def report(self, rule: str, node: Node, message: str, help: str = "") -> Any:
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


def _kind(node: Node) -> str:
    if isinstance(node, Map):
        return "a mapping"
    if isinstance(node, Seq):
        return "a list"
    return repr(node.text) if node.text or not node.plain else "nothing"


class Type:
    """A type of the format. `words` are plain scalars it reads as they stand."""

    wants = ""

    def read(self, node: Node, ctx: Context) -> Any:
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        raise NotImplementedError

    def wrong(self, node: Node, ctx: Context, help: str = "") -> Any:
        return ctx.report("schema-type", node, f"{_kind(node)} stands where {self.wants} is wanted", help)


class Text(Type):
    """A string that fits a pattern. Given as a function so that no regular expression is compiled at start-up."""

    __slots__ = ("fits", "pattern", "quoted", "rule", "wants")

    def __init__(self, wants: str, fits: Callable[[str], bool], pattern: str, *, quoted: bool = False) -> None:
        self.wants = wants
        self.fits = fits
        self.pattern = pattern
        self.quoted = quoted  # must be quoted, since other readers of the file would take it for a number

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar or (node.plain and not node.text):
            return self.wrong(node, ctx)
        text = node.text
        if not self.fits(text):
            return ctx.report("schema-name", node, f"{text!r} is not {self.wants}", f"it must match {self.pattern}")
        if node.plain and ((len(text) <= 3 and text.casefold() in _TRAPS) or (self.quoted and _numeric(text))):
            ctx.report(
                "schema-yaml-trap", node, f"unquoted {text} reads as another type in YAML 1.1 tools", f'write "{text}"'
            )
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": self.pattern}


def _numeric(text: str) -> bool:
    return text.replace(".", "").isdigit() and text.count(".") <= 1


def _in(first: str, rest: str, most: int) -> Callable[[str], bool]:
    heads, tails = frozenset(first), frozenset(rest)
    return lambda t: 0 < len(t) <= most and t[0] in heads and not (frozenset(t) - tails)


_ALPHA = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALNUM = _ALPHA + "0123456789"
NAME = Text("a name", _in(_ALPHA, _ALNUM + "_-", 32), "^[A-Za-z][A-Za-z0-9_-]{0,31}$")
WORD = Text("a word", _in(_ALNUM, _ALNUM + "_.-", 64), "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")
VERSION = Text("a release", _in(_ALNUM, _ALNUM + "_.-", 32), "^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$", quoted=True)
HWSKU = Text("a HwSKU", _in(_ALNUM, _ALNUM + "_.+-", 64), "^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$")
PROSE = Text(
    "a line of text",
    lambda t: len(t) <= 1000 and t.isprintable(),
    "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{0,1000}$",
)
PATH = Text("a path", lambda t: 0 < len(t) <= 500 and t.isprintable(), "^[^\\u0000-\\u001f\\u007f]{1,500}$")


class Words(Type):
    """One of a closed list of words."""

    __slots__ = ("choices", "wants")

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.wants = " | ".join(choices)

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar:
            return self.wrong(node, ctx)
        if node.text in self.choices:
            return node.text
        return ctx.report(
            "schema-value", node, f"{_kind(node)} is none of {self.wants}", nearest(node.text, self.choices)
        )

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}


class Bool(Type):
    """true or false, as YAML 1.2 has them; YAML 1.1's other spellings are understood and reported."""

    wants = "true or false"

    def read(self, node: Node, ctx: Context) -> Any:
        text = node.text.casefold() if type(node) is Scalar else ""
        if text in ("true", "false"):
            return text == "true"
        if text in _TRAPS and isinstance(node, Scalar):
            value = text in ("on", "yes", "y")
            ctx.report(
                "schema-yaml-trap",
                node,
                f"{node.text} is a boolean in YAML 1.1 and a string in 1.2; read as {str(value).lower()} here",
                f"write {str(value).lower()}",
            )
            return value
        return self.wrong(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Int(Type):
    """A whole number in a range; `rule` names the finding for one outside it."""

    __slots__ = ("high", "low", "rule", "wants")

    def __init__(self, low: int, high: int, rule: str = "schema-range") -> None:
        self.low = low
        self.high = high
        self.rule = rule
        self.wants = f"a whole number from {low} to {high}"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar:
            return self.wrong(node, ctx)
        text = node.text
        digits = text[1:] if text[:1] == "-" else text
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 15:
            help = f"write {text.replace('_', '')}" if digits.replace("_", "").isdigit() else ""
            rule = "schema-type" if not help else "schema-yaml-trap"
            if rule == "schema-yaml-trap":
                ctx.report(rule, node, f"{text} is a number in YAML 1.1 and a string in 1.2", help)
            return self.wrong(node, ctx, help)
        value = int(text)
        if not self.low <= value <= self.high:
            return ctx.report(self.rule, node, f"{text} is not {self.wants}")
        if len(digits) > 1 and digits[0] == "0" and node.plain:
            octal = f"{int(digits, 8)}" if not set(digits) & {"8", "9"} else "a string"
            ctx.report(
                "schema-yaml-trap",
                node,
                f"{text} is {octal} in YAML 1.1 and {value} in 1.2; read as {value}",
                f"write {value}",
            )
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Number(Type):
    """A decimal number in a range."""

    __slots__ = ("high", "low", "wants")

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high
        self.wants = f"a number from {low:g} to {high:g}"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Scalar and node.text.isascii() and node.text.replace(".", "", 1).isdigit():
            value = float(node.text)
            if self.low <= value <= self.high:
                return int(value) if value.is_integer() else value
            return ctx.report("schema-range", node, f"{node.text} is not {self.wants}")
        return self.wrong(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.low, "maximum": self.high}


_REMEMBERED = 4096


class Quantity(Type):
    """A number with its unit."""

    __slots__ = ("_known", "high", "low", "parse", "pattern", "wants")

    def __init__(
        self, wants: str, parse: Callable[[str], float], pattern: str, low: float = 0, high: float = float("inf")
    ) -> None:
        self._known: dict[str, float] = {}  # texts that passed: a fabric says 3m a hundred thousand times
        self.wants = wants
        self.parse = parse
        self.pattern = pattern
        self.low = low
        self.high = high

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar or (node.plain and not node.text):
            return self.wrong(node, ctx)
        known = self._known.get(node.text)
        if known is not None:
            return known
        try:
            value = self.parse(node.text)
        except units.MissingUnit as error:
            return ctx.report("schema-unit", node, f"{node.text} has no unit", f"write {error.offer} if that is meant")
        except ValueError as error:
            return ctx.report("schema-unit", node, str(error))
        if not self.low <= value <= self.high:
            return ctx.report("schema-range", node, f"{node.text} is out of range: {self.wants}")
        if len(self._known) < _REMEMBERED:
            self._known[node.text] = value
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": self.pattern}


class Size(Quantity):
    """Bytes; remembers which family of units the file uses."""

    __slots__ = ()

    def read(self, node: Node, ctx: Context) -> Any:
        value = super().read(node, ctx)
        if value is not MISSING and type(node) is Scalar:
            if node.text.endswith("iB"):
                ctx.binary = ctx.binary or ctx.span(node)
            elif node.text[-2:-1] in ("K", "M", "G"):
                ctx.decimal = ctx.decimal or ctx.span(node)
        return value


_NUM = "[0-9]+(\\.[0-9]+)?"
SIZE = Size("a size such as 800KB or 1MiB", units.parse_size, f"^{_NUM} ?(B|[KMG]B|[KMG]iB)$", 0, 2**40)
TIME = Quantity("a time such as 200ms", units.parse_time, f"^{_NUM} ?(us|µs|ms|s|min)$", 0, 86_400_000)
RATE = Quantity("a rate such as 400G", units.parse_rate, f"^{_NUM} ?([KMGT](bit/s|bps)?|bit/s)$", 1, 10**14)
LENGTH = Quantity("a length such as 3m", units.parse_length, f"^{_NUM} ?(mm|cm|m|km)$", 0.001, 200_000)
PERCENT = Quantity("a percentage such as 5%", units.parse_percent, f"^{_NUM} ?%$", 0, 1_000_000)


class Either(Type):
    """Plain words, else another type."""

    __slots__ = ("of", "wants", "words")

    def __init__(self, words: tuple[str, ...], of: Type) -> None:
        self.words = words
        self.of = of
        self.wants = f"{' | '.join(words)} | {of.wants}"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Scalar:
            if node.text in self.words:
                return node.text
            if isinstance(self.of, (Obj, Keyed, Listed)):
                return ctx.report(
                    "schema-value", node, f"{_kind(node)} is none of {self.wants}", nearest(node.text, self.words)
                )
        return self.of.read(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"enum": list(self.words)}, self.of.schema()]}


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
        return of.read(node, ctx) if of else self.wrong(node, ctx)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [t.schema() for t in (self.scalar, self.mapping, self.listed) if t]}


class Listed(Type):
    """A list of one type, or a single value standing for a list of one. Values are Val, so that each has its place."""

    __slots__ = ("of", "single", "unique", "wants")

    def __init__(self, of: Type, *, single: bool = False, unique: str | None = None) -> None:
        self.of = of
        self.single = single
        self.unique = unique  # the rule that a repeated value breaks
        self.wants = f"a list of {of.wants}"

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Seq:
            nodes = node.items
        elif self.single and type(node) is Scalar:
            nodes = [node]
        else:
            return self.wrong(node, ctx)
        values: list[Val] = []
        seen = set()
        for item in nodes:
            value = self.of.read(item, ctx)
            if value is MISSING:
                continue
            if self.unique:
                if value in seen:
                    ctx.report(self.unique, item, f"{value} stands twice in the list", "remove one")
                    continue
                seen.add(value)
            values.append(Val(value, ctx.span(item)))
        return values

    def schema(self) -> dict[str, Any]:
        listed: dict[str, Any] = {"type": "array", "items": self.of.schema()}
        if self.unique:
            listed["uniqueItems"] = True
        return {"anyOf": [listed, self.of.schema()]} if self.single else listed


class Key(NamedTuple):
    """A key of a section: its type and a line about it, for the JSON Schema."""

    type: Type
    doc: str


class Obj(Type):
    """A mapping with known keys; read as a Section."""

    __slots__ = ("keys", "required", "wants")

    def __init__(self, wants: str, keys: dict[str, Key], required: tuple[str, ...] = ()) -> None:
        self.wants = wants
        self.keys = keys
        self.required = required

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Map:
            return self.wrong(node, ctx, f"keys: {', '.join(self.keys)}")
        out: Section = {}
        keys = self.keys
        doc = ctx.doc
        for key, child in node.pairs:
            name = key.text
            known = keys.get(name)
            if known is None:
                ctx.report("schema-unknown-key", key, f"unknown key {name!r} in {self.wants}", _key_help(name, keys))
                continue
            if name in out:
                _twice(ctx, key, out[name].at)
                continue
            of = known.type
            at = key if type(child) is not Scalar else child
            # a broken value stays, as MISSING: what is there but wrong must not be reported as absent too
            out[name] = _new(Val, (of.read(child, ctx), _new(Span, (doc, at.start, at.end))))
        for name in self.required:
            if name not in out:
                ctx.report("schema-required", node, f"{self.wants} lacks {name}: {keys[name].doc}")
        return out

    def schema(self) -> dict[str, Any]:
        properties = {k: {**v.type.schema(), "description": v.doc} for k, v in self.keys.items()}
        out = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**out, "required": list(self.required)} if self.required else out


def _twice(ctx: Context, key: Scalar, first: Span) -> None:
    ctx.problems.append(
        Problem(
            "schema-duplicate-key",
            ctx.span(key),
            f"{key.text!r} stands twice in one mapping",
            "remove one, or merge the two",
            ((first, "the first one, which is used"),),
        )
    )


def _key_help(name: str, keys: dict[str, Key]) -> str:
    if name == "<<":
        return "merge keys are YAML 1.1; write what devices share once, under defaults or under a node set"
    return nearest(name, keys)


class Keyed(Type):
    """A mapping whose keys are the user's: node sets, class names, rates. Read as a dict of Val, keys as written."""

    __slots__ = ("key", "of", "wants")

    def __init__(self, wants: str, key: Type, of: Type) -> None:
        self.wants = wants
        self.key = key
        self.of = of

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Map:
            return self.wrong(node, ctx)
        out: dict[Any, Val] = {}
        for key, child in node.pairs:
            name = self.key.read(key, ctx)
            if name is MISSING:
                continue
            if name in out:
                _twice(ctx, key, out[name].at)
                continue
            value = self.of.read(child, ctx)
            if value is not MISSING:
                out[name] = Val(value, ctx.span(key))
        return out

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "additionalProperties": self.of.schema()}


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
            return self.wrong(node, ctx)
        text = node.text
        if text in self.good:
            return self.good[text]
        try:
            names = node_set(text).names if "[" in text or "," in text or text[0] == "@" else (text,)
        except NodeSetError as error:
            return ctx.report("schema-nodeset", node, str(error))
        for name in names:
            if not self.fits.fits(name):
                return ctx.report(
                    "schema-name",
                    node,
                    f"{name!r} cannot be the name of a {self.what}",
                    f"it must match {self.fits.pattern}",
                )
        self.good[text] = text
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1}


DEVICE_NAME = Text("a device name", _in(_ALNUM, _ALNUM + "_.-", 253), "^[A-Za-z0-9][A-Za-z0-9_.-]{0,252}$")
PORT_NAME = Text("a port name", _in(_ALPHA, _ALNUM + "_.:/-", 64), "^[A-Za-z][A-Za-z0-9_.:/-]{0,63}$")
DEVICES = Nodes("device", DEVICE_NAME)
PORTS = Nodes("port", PORT_NAME)
