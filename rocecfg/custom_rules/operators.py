"""What a rule or a test may ask of a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.kinds import MISSING, RELEASES, ValueKind
from rocecfg.intent.values import Context, nearest
from rocecfg.profiles import release_key
from rocecfg.source.regex import Regex, RegexError
from rocecfg.source.yaml import Node, Scalar, Seq

_LONGEST = 500  # characters of a regular expression


class Operator(NamedTuple):
    """An operator: how it is told in a message, what it compares with, what it can be asked of."""

    must: str  # "must be {}"
    takes: str  # value | values | pair | pattern | flag
    kinds: str = "any"  # any | ordered | text | listed | single
    doc: str = ""


OPERATORS = {
    "eq": Operator("must be {}", "value", doc="is that value; a list: has just these values, in any order"),
    "ne": Operator("must not be {}", "value", doc="is another value"),
    "in": Operator("must be one of {}", "values", doc="is one of these values; a list: has no others"),
    "not-in": Operator("must be none of {}", "values", doc="is not one of these values; a list: has none of them"),
    "lt": Operator("must be below {}", "value", "ordered", "is below it"),
    "le": Operator("must be at most {}", "value", "ordered", "is at most that"),
    "gt": Operator("must be above {}", "value", "ordered", "is above it"),
    "ge": Operator("must be at least {}", "value", "ordered", "is at least that"),
    "between": Operator("must be from {}", "pair", "ordered", "is in `[low, high]`, both ends included"),
    "contains": Operator("must contain {}", "values", "listed", "the list has all of these values"),
    "lacks": Operator("must not contain {}", "values", "listed", "the list has none of these values"),
    "matches": Operator(
        "must match {}",
        "pattern",
        "text",
        "the whole text fits the regular expression (no backreferences, no lookaround); a list: each",
    ),
    "exists": Operator("must be there", "flag", doc="there is a value; a list: that is not empty"),
    "absent": Operator("must not be there", "flag", doc="there is none"),
    "unique": Operator("must be of no other class", "flag", "single", "no other class of the device has it"),
}
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "between": lambda a, b: b[0] <= a <= b[1],
}


class Comparison(NamedTuple):
    """An operator with what it compares with."""

    operator: str
    wanted: Any  # a value, a tuple of values, a compiled pattern, or None
    kind: ValueKind

    def requirement(self) -> str:
        """What must hold, in words."""
        return OPERATORS[self.operator].must.format(self.wanted_shown())

    def expected(self) -> str:
        """The same, as what follows `expected`."""
        if self.operator in ("eq", "exists", "absent"):
            return {"exists": "a value", "absent": "nothing"}.get(self.operator, self.wanted_shown())
        return self.requirement().removeprefix("must ").removeprefix("be ")

    def wanted_shown(self) -> str:
        """What it compares with, with units."""
        if isinstance(self.wanted, Regex):
            return self.wanted.pattern
        if self.wanted is None:
            return ""
        if self.operator == "between":
            return " to ".join(map(self.kind.shown, self.wanted))
        if self.operator == "in" or (self.operator in ("not-in", "contains", "lacks") and len(self.wanted) > 1):
            return ", ".join(map(self.kind.shown, self.wanted))
        return self.kind.shown(self.wanted)

    def holds(self, value: Any, vendor: str | None = None) -> bool:
        """Whether a value that is there passes. Releases of another vendor than the one meant pass."""
        if self.operator in ("exists", "absent"):
            return self.operator == "exists"
        if self.operator in _COMPARE:
            return self._holds_in_order(value, vendor)
        values = frozenset(value) if isinstance(value, tuple) else frozenset((value,))
        if self.operator == "matches":
            return all(self.wanted.fullmatch(str(each)) for each in values)
        wanted = frozenset(self.wanted) if isinstance(self.wanted, tuple) else frozenset((self.wanted,))
        return {
            "eq": values == wanted,
            "ne": values != wanted,
            "in": values <= wanted,
            "not-in": not values & wanted,
            "contains": wanted <= values,
            "lacks": not values & wanted,
        }[self.operator]

    def _holds_in_order(self, value: Any, vendor: str | None) -> bool:
        wanted = self.wanted
        if isinstance(value, str) and self.kind.type is not RELEASES.type:
            return True  # a word beside the numbers, as strict is beside percentages, has no place in their order
        if self.kind.type is RELEASES.type:
            try:
                value = release_key(vendor or "", value)
                wanted = (
                    tuple(release_key(vendor or "", each) for each in wanted)
                    if isinstance(wanted, tuple)
                    else release_key(vendor or "", wanted)
                )
            except ValueError:
                return True
        return _COMPARE[self.operator](value, wanted)


def read_operator(
    operator: str, node: Node, kind: ValueKind, where: Node, ctx: Context, *, classes: bool
) -> Comparison | None:
    """An operator with its value; None after a problem was reported. `where`: the operator's place.

    `classes`: whether classes are checked, which alone may be told to differ.
    """
    known = OPERATORS.get(operator)
    if known is None:
        ctx.report("schema-value", where, f"there is no operator {operator!r}", nearest(operator, OPERATORS))
        return None
    why = _why_unfit(operator, known, kind, classes=classes)
    if why:
        ctx.report("schema-value", where, f"{operator} cannot be asked of a {kind.name}: {why}")
        return None
    if known.takes == "flag":
        if not (type(node) is Scalar and node.text == "true"):
            ctx.report("schema-value", node, f"{operator} takes no value but true", f"write {operator}: true")
            return None
        return Comparison(operator, None, kind)
    if known.kinds == "ordered" and type(node) is Scalar and node.text in kind.words:
        ctx.report("schema-value", node, f"{node.text} has no place in the order of {operator}", "eq or ne takes it")
        return None
    wanted = _read_wanted(operator, known, node, kind, ctx)
    return None if wanted is MISSING else Comparison(operator, wanted, kind)


def _why_unfit(operator: str, known: Operator, kind: ValueKind, *, classes: bool) -> str:
    """Why an operator says nothing about a kind of value; empty if it does."""
    if known.kinds == "ordered" and not kind.ordered:
        return "it has no order"
    if known.kinds == "text" and not kind.text:
        return "it is not free text"
    if known.kinds == "listed" and not kind.listed:
        return "it is a single value; use in or not-in"
    if known.kinds == "single" and kind.listed:
        return "it is a list"
    if operator == "unique" and not classes:
        return "only the classes of a device can be required to differ"
    return ""


def _read_wanted(operator: str, known: Operator, node: Node, kind: ValueKind, ctx: Context) -> Any:
    if known.takes == "pattern":
        return _read_pattern(node, ctx)
    if known.takes == "pair":
        return _read_pair(node, kind, ctx)
    many = known.takes == "values" or kind.listed
    if type(node) is not Seq:
        if known.takes == "values" and not kind.listed and operator in ("in", "not-in"):
            return ctx.report("schema-type", node, f"{operator} takes a list", "write [a, b]")
        value = kind.read(node, ctx)
        return (value,) if many and value is not MISSING else value
    if not many:
        return ctx.report("schema-type", node, f"{operator} takes one value: {kind.wants}", "in takes a list")
    values = [kind.read(item, ctx) for item in node.items]
    return MISSING if MISSING in values else tuple(values)


def _read_pair(node: Node, kind: ValueKind, ctx: Context) -> Any:
    if type(node) is not Seq or len(node.items) != 2:
        return ctx.report("schema-type", node, "between takes two values", "write [low, high]")
    low, high = (kind.read(item, ctx) for item in node.items)
    if low is MISSING or high is MISSING:
        return MISSING
    if not isinstance(low, str) and low > high:
        return ctx.report("schema-value", node, "between runs from high to low", "write [low, high]")
    return low, high


def _read_pattern(node: Node, ctx: Context) -> Any:
    if type(node) is not Scalar or not 0 < len(node.text) <= _LONGEST:
        return ctx.report("schema-type", node, f"matches takes a regular expression of at most {_LONGEST} characters")
    try:
        return Regex(node.text)
    except RegexError as error:
        help = "the syntax is that of Python's re, without backreferences, lookaround and possessive parts"
        return ctx.report("schema-value", node, f"{node.text!r} is not a regular expression taken here: {error}", help)
