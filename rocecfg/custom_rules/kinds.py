"""What a value of the model is: how it is written in a rule or a test, how it is shown, whether it has an order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocecfg.core import units
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_length, show_number, show_percent, show_rate, show_size, show_time
from rocecfg.intent.types import LENGTH, PERCENT, RATE, SIZE, TIME, VERSION, Bool, Int, Number, Type
from rocecfg.intent.values import Context
from rocecfg.model.stated import MISSING
from rocecfg.source.yaml import Node, Scalar


class ValueKind(NamedTuple):
    """A kind of value."""

    name: str  # in the words of the documentation
    type: Type | None  # reads one value, as the intent does; None: only words
    show: Callable[[Any], str]
    ordered: bool = False
    text: bool = False  # may be matched with a regular expression
    listed: bool = False  # several values, whose order means nothing
    words: tuple[str, ...] = ()  # words that stand beside values of the type, or are all there is

    @property
    def wants(self) -> str:
        """What may be written, in the words of a message."""
        parts = [*self.words, *([self.type.wants] if self.type is not None else [])]
        return " | ".join(parts)

    @property
    def described(self) -> str:
        """What it is, in the words of the documentation."""
        return " | ".join((*self.words, self.name)) if self.words and self.type is not None else self.name

    def read(self, node: Node, ctx: Context) -> Any:
        """One value; MISSING after its problem was reported."""
        if type(node) is Scalar and node.text in self.words:
            return node.text
        if self.type is not None:
            return self.type.read(node, ctx)
        shown = repr(node.text) if type(node) is Scalar else "this"
        return ctx.report("schema-value", node, f"{shown} is not one of {self.wants}")

    def shown(self, value: Any) -> str:
        """A value, or a tuple of them, with its unit."""
        if isinstance(value, tuple):
            return " ".join(map(self.shown, value)) or "none"
        return value if isinstance(value, str) else self.show(value)


class _Percentage(Type):
    """A share as the intent writes it, 60, or with its unit, 60%."""

    wants = "a percentage such as 60%"

    def read(self, node: Node, ctx: Context) -> Any:
        """Percent."""
        if type(node) is Scalar and node.text.replace(".", "", 1).isdigit():
            return Number(0, 1_000_000).read(node, ctx)
        return PERCENT.read(node, ctx)

    def schema(self) -> dict[str, Any]:
        """As of both."""
        return {"anyOf": [PERCENT.schema(), {"type": "number", "minimum": 0}]}


def _show_bool(value: object) -> str:
    return "true" if value else "false"


SIZES = ValueKind("size", SIZE, show_size, ordered=True)
TIMES = ValueKind("time", TIME, show_time, ordered=True)
RATES = ValueKind("rate", RATE, show_rate, ordered=True)
LENGTHS = ValueKind("length", LENGTH, show_length, ordered=True)
PERCENTS = ValueKind("percentage", _Percentage(), show_percent, ordered=True)
NUMBERS = ValueKind("number", Number(0, 1_000_000), show_number, ordered=True)
FLAGS = ValueKind("true or false", Bool(), _show_bool)
OF_UNIT = {
    units.BYTES: SIZES,
    units.MS: TIMES,
    units.RATE: RATES,
    units.METRES: LENGTHS,
    units.PERCENT: PERCENTS,
    units.NUMBER: NUMBERS,
    **dict.fromkeys((units.FLAG, units.ON_OFF, units.OFF_ON), FLAGS),
}
RELEASES = ValueKind("release", VERSION, str, ordered=True, text=True)


def whole_number(low: int, high: int, *, listed: bool = False) -> ValueKind:
    """A whole number in a range, or a list of such."""
    name = f"list of numbers {low}-{high}" if listed else f"number {low}-{high}"
    return ValueKind(name, Int(low, high), str, ordered=not listed, listed=listed)


def text(of: Type, *, listed: bool = False) -> ValueKind:
    """A name or word that the user chooses, or a list of such."""
    return ValueKind("list of words" if listed else "word", of, str, text=True, listed=listed)


def words(*choices: str) -> ValueKind:
    """One of a closed list of words."""
    return ValueKind(" | ".join(choices), None, str, words=choices)


__all__ = [
    "FLAGS",
    "LENGTHS",
    "MISSING",
    "NUMBERS",
    "OF_UNIT",
    "PERCENTS",
    "RATES",
    "RELEASES",
    "SIZES",
    "TIMES",
    "ValueKind",
    "text",
    "whole_number",
    "words",
]
