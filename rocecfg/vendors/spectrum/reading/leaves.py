"""The settings of NVUE's objects: words, whole numbers and free text, each with what the switch takes."""

from __future__ import annotations

import re
from typing import Any

from rocecfg.core.digits import is_number
from rocecfg.intent.values import near
from rocecfg.source.yaml import Scalar
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.objects import EMPTY, ReadContext, SchemaType, shorten_word
from rocecfg.vendors.spectrum.reading.spelling import Number

_WITH_UNIT = re.compile(r"[0-9.]+ ?(?:%|[A-Za-z]+)")


class LeafType(SchemaType):
    """A setting with one value."""

    __slots__ = ()

    def read(self, path: str, key: Scalar, child: Any, text: ReadContext) -> Node | None:
        """A node with the value."""
        if text.unset:
            return Node(text.span(key))
        if type(child) is not Scalar or (child.plain and child.text in EMPTY):
            if child is None or type(child) is Scalar or not child[2]:
                text.report("device-value", key, f"`{path}` needs a value", self.describe())
            else:
                text.report("device-value", child, f"`{path}` takes one value", self.describe())
            return None
        value = self.read_value(path, child, text)
        return None if value is None else Node(text.span(child), value)

    def read_value(self, path: str, node: Scalar, text: ReadContext) -> Any:
        """The value of a scalar; None where the switch refuses it."""
        raise NotImplementedError

    def describe(self) -> str:
        """What is taken, for a message."""
        return ""


class OneOf(LeafType):
    """One of some words, each in releases of its own."""

    __slots__ = ("words",)

    def __init__(self, *words: str, **since: Number) -> None:
        self.words: dict[str, Number | None] = dict.fromkeys(words)
        self.words.update({word.replace("_", "-"): number for word, number in since.items()})

    def read_value(self, path: str, node: Scalar, text: ReadContext) -> Any:
        """The word; the one that is intended for a slip of it."""
        word = node.text
        if word in self.words:
            first = self.words[word]
            if first is not None:
                text.spelling.note_use(text, node, f"{path} {word}", first, None, self.describe())
            return word
        meant = near(word, self.words)
        text.report(
            "device-value", node, f"`{path}` takes {', '.join(self.words)}, not {shorten_word(word)!r}",
            f"did you mean {meant}?" if meant is not None else self.describe(),
        )  # fmt: skip
        return meant

    def describe(self) -> str:
        """The words."""
        return f"write {', '.join(self.words)}"


class Integer(LeafType):
    """A whole number in a range. `unit`: what it counts; `later`: a release with a higher end, and that end.

    `word`: what may stand in place of a number.
    """

    __slots__ = ("high", "later", "low", "unit", "word")

    def __init__(
        self,
        low: int,
        high: int | None = None,
        unit: str = "",
        later: tuple[Number, int] | None = None,
        *,
        word: str | None = None,
    ) -> None:
        self.low = low
        self.high = high
        self.unit = unit
        self.later = later
        self.word = word

    def read_value(self, path: str, node: Scalar, text: ReadContext) -> Any:
        """The number, or the word."""
        word = node.text
        if word == self.word:
            return word
        number = int(word) if is_number(word) else None
        if number is None:
            fix = "NVUE takes no units" + (f": the number counts {self.unit}" if self.unit else "")
            fix = fix if _WITH_UNIT.fullmatch(word) else self.describe()
        elif number < self.low or (
            self.high is not None and number > self.high and not self._is_taken_later(number, text)
        ):
            fix = f"write {self.low if number < self.low else self.high}, the nearest that it takes"
        else:
            return number
        text.report("device-value", node, f"`{path}` takes {self._format_range()}, not {shorten_word(word)}", fix)
        return None

    def _is_taken_later(self, number: int, text: ReadContext) -> bool:
        """Whether a release takes a number above the range that may be the one at hand."""
        return (
            self.later is not None and number <= self.later[1] and text.spelling.is_at_least(self.later[0]) is not False
        )

    def _format_range(self) -> str:
        counted = (f" ({self.unit})" if self.unit else "") + (f", or {self.word}" if self.word else "")
        if self.high is None:
            return f"a whole number from {self.low}{counted}"
        return f"a whole number from {self.low} to {self.high}{counted}"

    def describe(self) -> str:
        """The range."""
        return f"write {self._format_range()}"


class FreeText(LeafType):
    """Free text."""

    __slots__ = ()

    def read_value(self, path: str, node: Scalar, text: ReadContext) -> Any:  # noqa: ARG002 - prose is not judged
        """The text."""
        return node.text
