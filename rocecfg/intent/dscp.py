"""DSCP code points as engineers write them: 26, "24-31", cs3, af31, ef, a list of these, or `rest`."""

from __future__ import annotations

import re

from rocecfg.core.digits import is_number
from rocecfg.core.units import dscp_of
from rocecfg.intent.types import Type
from rocecfg.intent.values import Context, nearest
from rocecfg.model.fix import Fix, remove
from rocecfg.model.stated import MISSING, Val
from rocecfg.source.yaml import Node, Scalar, Seq

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

REST = "rest"
_CALLED_REST = frozenset({"*", "all", "any", "else", "everything", "other", "others", "remaining"})
CS6 = 48  # CNPs of most NICs, and routing
NAMES = {f"cs{i}": 8 * i for i in range(8)}  # code points that have a name
NAMES |= {f"af{c}{d}": 8 * c + 2 * d for c in range(1, 5) for d in range(1, 4)}
NAMES |= {"ef": 46, "va": 44, "voice-admit": 44, "le": 1, "be": 0, "default": 0}  # RFC 2474, 2597, 3246, 5865, 8622


class Dscps(Type):
    """Read as a list of Val of int in written order, or the word `rest`."""

    __slots__ = ("rest", "wants")

    def __init__(self, *, rest: bool = True) -> None:
        self.rest = rest
        self.wants = 'a DSCP: 0-63, a range "24-31", a name such as af31' + (", or rest" if rest else "")

    def read(self, node: Node, ctx: Context) -> Any:
        if type(node) is Scalar and self.rest and node.text == REST:
            return REST
        nodes = node.items if type(node) is Seq else [node]
        out: list[Val] = []
        seen: set[int] = set()
        whole = True
        for item in nodes:
            points = self._read_points(item, ctx)
            if points is MISSING:
                whole = False
                continue
            again = [p for p in points if p in seen]
            at = ctx.span(item)
            if again:
                remedy = (
                    Fix("remove the second", safe=True, changes=(remove(at),)) if len(again) == len(points) else None
                )
                ctx.report(
                    "schema-dscp-range", item, f"DSCP {again[0]} appears twice in the list", "remove one", remedy
                )
            out += [Val(p, at) for p in points if p not in seen]
            seen.update(points)
        return out if whole else MISSING

    def _read_points(self, node: Node, ctx: Context) -> Any:
        if type(node) is not Scalar:
            return self.report_wrong(node, ctx)
        text = node.text
        if text.casefold() in NAMES:
            return (NAMES[text.casefold()],)
        if text == REST and self.rest:
            return ctx.report("schema-value", node, "`rest` must be alone, not in a list", "write dscp: rest")
        low_text, dash, high_text = text.partition("-")
        ends = [low_text, high_text] if dash else [low_text]
        if not all(is_number(e, 4) for e in ends):
            hexadecimal = re.fullmatch("0[xX][0-9a-fA-F]{1,2}", text)
            spanned = re.fullmatch(r"(\d{1,2})\s*(?:\.\.\.?|[:–~]|-|\bto\b)\s*(\d{1,2})", text)
            if hexadecimal:
                help = f"write {int(text, 16)}"
            elif re.fullmatch(r"\d{1,2}( +\d{1,2})+", text):
                help = f"write {', '.join(text.split())}"
            elif spanned:
                help = f"write {spanned[1]}-{spanned[2]}"
            else:
                help = f"write {REST}" if self.rest and text.casefold() in _CALLED_REST else nearest(text, NAMES)
            return ctx.report("schema-value", node, f"{text!r} is not {self.wants}", help)
        numbers = [int(e) for e in ends]
        for number in numbers:
            if number > 63:
                help = f"{number} looks like a ToS byte: its DSCP is {dscp_of(number)}" if number <= 255 else ""
                return ctx.report("schema-dscp-range", node, f"DSCP {number} is not in 0-63", help)
        if dash and numbers[1] < numbers[0]:
            return ctx.report("schema-dscp-range", node, f"{text} runs backwards", f"write {high_text}-{low_text}")
        return tuple(range(numbers[0], numbers[-1] + 1))

    def schema(self) -> dict[str, Any]:
        point = {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 63},
                {"type": "string", "pattern": "^([0-9]|[1-5][0-9]|6[0-3])(-([0-9]|[1-5][0-9]|6[0-3]))?$"},
                {"enum": [*NAMES, *(n.upper() for n in NAMES)]},
            ]
        }
        rest: list[dict[str, Any]] = [{"const": REST}] if self.rest else []
        return {"anyOf": [*rest, point, {"type": "array", "items": point}]}
