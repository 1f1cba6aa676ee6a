"""The types of single values: each reads a node, reports what is wrong with it, and tells its JSON Schema.

A type's `read(node, ctx)` returns the plain value, or MISSING after it reported a problem: the rest of the file is
read all the same.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress

from rocecfg.core import units
from rocecfg.core.digits import advise_number, is_number
from rocecfg.core.names import DEVICE_PATTERN, PORT_PATTERN, is_device_name, is_port_name
from rocecfg.intent.secrets import find_secret
from rocecfg.intent.values import Context, find_called, nearest, only_near
from rocecfg.model.fix import Fix, quote, replace
from rocecfg.model.stated import MISSING
from rocecfg.profiles.releases import ALSO_CALLED, SYSTEMS, UNKNOWN_SYSTEMS
from rocecfg.source.yaml import Map, Node, Scalar, Seq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_HEX = 12
_TRAPS = frozenset({"on", "off", "yes", "no", "y", "n"})
_SWITCHED = {  # what stands for true and false elsewhere
    **dict.fromkeys(("1", "enabled", "enable", "t"), "true"),
    **dict.fromkeys(("0", "disabled", "disable", "f"), "false"),
}
_PERCENT = ("%", "percent", "pct", "per cent")


def describe_node(node: Node) -> str:
    """A node in the words of a message."""
    if isinstance(node, Map):
        return "a mapping"
    if isinstance(node, Seq):
        return "a list"
    return repr(node.text) if node.text or not node.plain else "nothing"


class Type(ABC):
    """A type of the format."""

    wants = ""  # in the words of a message
    single = False  # one scalar, and nothing else

    @abstractmethod
    def read(self, node: Node, ctx: Context) -> Any:
        """The plain value of a node, or MISSING after its problem was reported."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """The type as JSON Schema."""

    def report_wrong(self, node: Node, ctx: Context, help: str = "") -> Any:
        if self.single and not help and type(node) is Seq and len(node.items) == 1 and type(node.items[0]) is Scalar:
            help = f"write {node.items[0].text}"
        return ctx.report("schema-type", node, f"expected {self.wants}, not {describe_node(node)}", help)


class Text(Type):
    """A string that fits a pattern. Given as a function so that no regular expression is compiled at start-up."""

    __slots__ = ("fits", "pattern", "quoted", "wants")
    single = True

    def __init__(self, wants: str, fits: Callable[[str], bool], pattern: str, *, quoted: bool = False) -> None:
        self.wants = wants
        self.fits = fits
        self.pattern = pattern
        self.quoted = quoted  # must be quoted, since other readers of the file would take it for a number

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar or (node.plain and not node.text):
            return self.report_wrong(node, ctx)
        text = node.text
        if not self.fits(text):
            meant = re.sub(r"\s+", "-", text.strip())
            help = f"write {meant}" if self.fits(meant) else f"it must match {self.pattern}"
            return ctx.report("schema-name", node, f"{text!r} is not {self.wants}", help)
        if node.plain and ((len(text) <= 3 and text.casefold() in _TRAPS) or (self.quoted and _is_numeric(text))):
            ctx.report(
                "schema-yaml-trap",
                node,
                _explain_trap(text),
                f'write "{text}"',
                Fix("quote it", safe=True, changes=(quote(ctx.span(node), text),)),
            )
        return text

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": self.pattern}


class Prose(Text):
    """A text for people, in which no password, token or key may stand; what is found is never shown."""

    def read(self, node: Node, ctx: Context) -> Any:
        kind = find_secret(node.text) if type(node) is Scalar else None
        if kind is None or type(node) is not Scalar:
            return super().read(node, ctx)
        ctx.report(
            "hygiene-secret",
            node,
            f"this text holds {kind}: anyone who reads the intent, or its history, gets it",
            "revoke it, remove it, and write where it is kept instead",
        )
        return node.text if self.fits(node.text) else MISSING


class Known(Text):
    """A word of which some are known, and which may be the user's own: of another one is told what is lost."""

    __slots__ = ("knows", "listed", "lost", "what")

    def __init__(self, what: str, listed: Iterable[str], lost: str, knows: Callable[[str], object] = bool) -> None:
        """`what`: what it is the name of; `knows`: whether it is known, if not by the list alone."""
        super().__init__(WORD.wants, WORD.fits, WORD.pattern)
        self.what = what
        self.listed = tuple(listed)
        self.lost = lost
        self.knows = self.listed.__contains__ if knows is bool else knows

    def read(self, node: Node, ctx: Context) -> Any:
        word = super().read(node, ctx)
        if word is not MISSING and not self.knows(word):
            ctx.report_undefined(node, self.what, word, self.listed, self.lost)
        return word


class Profile(Text):
    """The name of a file of `profiles/`, the user's own too: which there are is known once an intent is resolved."""

    __slots__ = ("kind", "lost", "what")

    def __init__(self, kind: str, what: str = "", lost: str = "") -> None:
        """`what`, `lost`: as of `Known`, where an intent may do without the profile; else it cannot be judged."""
        super().__init__(WORD.wants, WORD.fits, WORD.pattern)
        self.kind = kind
        self.what = what
        self.lost = lost


def _explain_trap(text: str) -> str:
    """What other tools make of a text without quotes."""
    try:
        number = units.show_number(float(text))
    except ValueError:
        return f"{text} is not quoted: YAML 1.1 tools read it as true or false, not as a word"
    more = ", and 5.10 as 5.1" if "." in text else ""
    return f"{text} is not quoted: YAML tools read it as the number {number}{more}"


def _is_numeric(text: str) -> bool:
    return text.replace(".", "").isdigit() and text.count(".") <= 1


def _make_check(first: str, rest: str, most: int) -> Callable[[str], bool]:
    heads, tails = frozenset(first), frozenset(rest)
    return lambda t: 0 < len(t) <= most and t[0] in heads and tails.issuperset(t)


def _is_release(text: str) -> bool:
    """Whether it may be a release, with its system's name before it: `Cumulus Linux 5.14`."""
    *names, last = text.split(" ")
    return len(names) <= 2 and all(n.isascii() and n.isalpha() for n in names) and _IS_RELEASE(last)


_ALPHA = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ALNUM = _ALPHA + "0123456789"
_IS_RELEASE = _make_check(_ALNUM, _ALNUM + "_.+-()", 64)
NAME = Text("a name", _make_check(_ALPHA, _ALNUM + "_-", 32), "^[A-Za-z][A-Za-z0-9_-]{0,31}$")
WORD = Text("a word", _make_check(_ALNUM, _ALNUM + "_.-", 64), "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")
VERSION = Text("a release", _is_release, "^([A-Za-z]+ ){0,2}[A-Za-z0-9][A-Za-z0-9_.+()-]{0,63}$", quoted=True)
HWSKU = Text("a HwSKU", _make_check(_ALNUM, _ALNUM + "_.+-", 64), "^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$")
PROSE = Prose(
    "a line of text",
    lambda t: len(t) <= 1000 and t.isprintable(),
    "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{0,1000}$",
)
PATH = Text("a path", lambda t: 0 < len(t) <= 500 and t.isprintable(), "^[^\\u0000-\\u001f\\u007f]{1,500}$")


class Words(Type):
    """One of a closed list of words."""

    __slots__ = ("called", "choices", "wants")
    single = True

    def __init__(self, *choices: str, **called: str) -> None:
        """`called`: what others call some of them, as of `find_called`."""
        self.choices = choices
        self.called = called
        self.wants = " | ".join(choices)

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar:
            return self.report_wrong(node, ctx)
        if node.text in self.choices:
            return node.text
        meant = self.guess_meant(node.text)
        remedy = Fix(f"write {meant}", safe=False, changes=(replace(ctx.span(node), meant),)) if meant else None
        return ctx.report(
            "schema-value",
            node,
            f"{describe_node(node)} is not one of {self.wants}",
            self.suggest_word(node.text),
            remedy,
        )

    def guess_meant(self, word: str) -> str | None:
        """The word of the list that another one is a slip of; None: no one in particular."""
        called = find_called(word, self.called)
        return called[0] if called else only_near(word, self.choices)

    def suggest_word(self, word: str) -> str:
        """What to write in place of another word."""
        called = find_called(word, self.called)
        return f"did you mean {called[0]}?" if called else nearest(word, self.choices)

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.choices)}


class System(Words):
    """The name of a network operating system that is written and read."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(*SYSTEMS)

    def guess_meant(self, word: str) -> str | None:
        """The system that people call so, or that the word is a slip of."""
        called = next((name for name, others in ALSO_CALLED.items() if word.casefold() in others), None)
        return called or super().guess_meant(word)

    def suggest_word(self, word: str) -> str:
        """What to write in its place; of a system that is not known, that it is not."""
        known = f"known: {', '.join(SYSTEMS)}"
        if word.casefold() in UNKNOWN_SYSTEMS:
            return f"{UNKNOWN_SYSTEMS[word.casefold()]} is neither written nor read; {known}"
        meant = self.guess_meant(word)
        return f"did you mean {meant}?" if meant is not None else known


class Bool(Type):
    """true or false, as YAML 1.2 has them; YAML 1.1's other spellings are understood and reported."""

    wants = "true or false"
    single = True

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
                Fix(f"write {str(value).lower()}", safe=True, changes=(replace(ctx.span(node), str(value).lower()),)),
            )
            return value
        meant = _SWITCHED.get(text)
        return self.report_wrong(node, ctx, f"write {meant}" if meant is not None else "")

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class Int(Type):
    """A whole number in a range; `rule` names the finding for one outside it."""

    __slots__ = ("high", "low", "rule", "wants")
    single = True

    def __init__(self, low: int, high: int, rule: str = "schema-range") -> None:
        self.low = low
        self.high = high
        self.rule = rule
        self.wants = f"a whole number from {low} to {high}" if low < high else str(low)

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar:
            return self.report_wrong(node, ctx)
        text = node.text
        if node.plain and text.startswith("0x") and len(text) < _MOST_HEX:  # a number in YAML 1.1 and 1.2 alike
            with suppress(ValueError):
                text = str(int(text, 16))
        digits = text.removeprefix("-").replace("_", "")
        if not is_number(digits, 15):
            return self.report_wrong(node, ctx, advise_number(text, self.low, self.high))
        value = int(text.replace("_", ""))
        if not self.low <= value <= self.high:
            bound = f"{self.low} or more" if value < self.low else f"{self.high} or less"
            if self.low == self.high:
                return ctx.report(self.rule, node, f"version {text} is unknown: this rocecfg reads {self.low} only")
            return ctx.report(self.rule, node, f"{text} is not {self.wants}", f"it must be {bound}")
        trap = ""
        if "_" in text:
            trap = f"{text} is {value} in YAML 1.1 and a string in 1.2"
        elif len(digits) > 1 and digits[0] == "0":
            octal = int(digits, 8) if not set(digits) & {"8", "9"} else "a string"
            trap = f"{text} is octal in YAML 1.1 ({octal}) and decimal in 1.2"
        if trap and node.plain:
            remedy = Fix(f"write {value}", safe=True, changes=(replace(ctx.span(node), str(value)),))
            ctx.report(
                "schema-yaml-trap",
                node,
                f"{trap}: rocecfg reads {value}, other tools may not",
                f"write {value}",
                remedy,
            )
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", "minimum": self.low, "maximum": self.high}


class Number(Type):
    """A decimal number in a range."""

    __slots__ = ("high", "low", "wants")
    single = True

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
        first, _, last = node.text.partition(" ") if type(node) is Scalar else ("", "", "")
        number = last if first.isalpha() else first if last in _PERCENT else ""
        meant = is_number(number, 3) and self.low <= int(number) <= self.high
        return self.report_wrong(node, ctx, f"write {number}" if meant else "")

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.low, "maximum": self.high}


_REMEMBERED = 4096


class Quantity(Type):
    """A number with its unit."""

    __slots__ = ("high", "instead", "known", "low", "parse", "pattern", "unit", "wants")
    single = True

    def __init__(
        self,
        wants: str,
        parse: Callable[[str], float],
        pattern: str,
        low: float = 0,
        high: float = float("inf"),
        unit: str = "",
        instead: str = "",
    ) -> None:
        self.instead = instead  # the advice on a bare number where adding the unit alone may not be enough
        self.unit = unit  # what a bare number is most likely meant in; "": that depends on how large it is
        self.known: dict[str, float] = {}  # texts that passed: a fabric says 3m a hundred thousand times
        self.wants = wants
        self.parse = parse
        self.pattern = pattern
        self.low = low
        self.high = high

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar or (node.plain and not node.text):
            inside = node.pairs[0][1] if type(node) is Map and len(node.pairs) == 1 else None
            bare = type(inside) is Scalar and re.fullmatch(self.pattern, inside.text)
            return self.report_wrong(node, ctx, f"write {bare[0]}" if bare else "")
        known = self.known.get(node.text)
        if known is not None:
            return known
        try:
            value = self.parse(node.text)
        except units.MissingUnit as error:
            offer, why = (f"{node.text}{self.unit}", "") if self.unit else (error.offer, error.why)
            meant = self.instead or f"write {offer}{f' ({why})' if why else ''} if that is intended"
            if not node.text.strip("0._"):
                meant = f"write {self.wants}"  # nothing is nothing in any unit
            return ctx.report("schema-unit", node, f"{node.text} has no unit", meant)
        except units.WrongUnit as error:
            return ctx.report("schema-unit", node, str(error), f"write {error.offer}")
        except ValueError as error:
            help = self.instead or self._guess(node.text) or f"write {self.wants}" * (not node.text[:1].isdigit())
            return ctx.report("schema-unit", node, str(error), help)
        if not self.low <= value <= self.high:
            return ctx.report("schema-range", node, f"{node.text} is out of range: {self.wants}")
        if len(self.known) < _REMEMBERED:
            self.known[node.text] = value
        return value

    def _guess(self, text: str) -> str:
        """What to write instead of parts of a breakout, `4x100G`, or a fraction, `1/20`; empty for anything else."""
        parts = re.fullmatch(r"\d{1,2} ?[xX*] ?(.{1,20})", text)
        fraction = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text)
        offer, why = (parts[1], ", of one part: the name of the port says which") if parts else ("", "")
        if fraction and int(fraction[2]):
            offer = f"{100 * int(fraction[1]) / int(fraction[2]):.4g}%"
        try:
            fits = offer and self.low <= self.parse(offer) <= self.high
        except ValueError:
            return ""
        return f"write {offer}{why}" if fits else ""

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "pattern": self.pattern}


class Size(Quantity):
    """Bytes; remembers which sizes of the file are in which family of units."""

    __slots__ = ()

    def read(self, node: Node, ctx: Context) -> Any:
        value = super().read(node, ctx)
        if value is not MISSING and type(node) is Scalar:
            if node.text.endswith("iB"):
                ctx.binary.append((ctx.span(node), value))
            elif node.text[-2:-1] in ("K", "M", "G"):
                ctx.decimal.append((ctx.span(node), value))
        return value


_NUM = "[0-9]+(\\.[0-9]+)?"
_SIZE = ("a size such as 800KB or 1MiB", units.parse_size, f"^{_NUM} ?(B|[KMG]B|[KMG]iB)$", 0, 2**40)
SIZE, BYTES = Size(*_SIZE), Size(*_SIZE, "B")
HEADROOM = Size(
    *_SIZE, instead="write auto, or {size, xon, xoff} each with its unit (rocecfg advise has what speed and cable need)"
)
_TIME = ("a time such as 200ms", units.parse_time, f"^{_NUM} ?(us|µs|ms|s|min)$", 0, 86_400_000)
TIME, MICROSECONDS, SECONDS = Quantity(*_TIME), Quantity(*_TIME, "us"), Quantity(*_TIME, "s")
RATE = Quantity("a rate such as 400G", units.parse_rate, f"^{_NUM} ?([KMGT](bit/s|bps)?|bit/s)$", 1, 10**14)
LENGTH = Quantity("a length such as 3m", units.parse_length, f"^{_NUM} ?(mm|cm|m|km)$", 0.001, 200_000)
PERCENT = Quantity("a percentage such as 5%", units.parse_percent, f"^{_NUM} ?%$", 0, 1_000_000)


DEVICE_NAME = Text("a device name", is_device_name, DEVICE_PATTERN)
PORT_NAME = Text("a port name", is_port_name, PORT_PATTERN)
