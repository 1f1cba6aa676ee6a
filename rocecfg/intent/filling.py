"""Reading intents by shape: of files that differ in digits alone, one or two are read in full, the others filled in.

Two texts have one shape if they are equal once every digit is a 0. The places of all tokens are then the same, and
YAML makes the same events of both, unless what it reads digits in occurs (escapes, anchors, tags, block scalars,
directives): such shapes are not filled, and none is learnt from a file with a problem. Shapes that are equal once every
number is one 0 are of one family (`families`), and planned once.
Each value is decoded from its place in the text by the very type that reads it else, so that a number may turn out to
be wrong: then all is read in full, and whatever is to be said is said there.
"""

from __future__ import annotations

import re
from contextlib import suppress

from rocecfg.core.records import NamedTuple
from rocecfg.intent.families import Known, TextFamily
from rocecfg.intent.fields import LINK
from rocecfg.intent.fills import UnfitFill
from rocecfg.intent.schema import INTENT
from rocecfg.intent.values import Context
from rocecfg.model.stated import Problem
from rocecfg.source.document import Document
from rocecfg.source.yaml import Node, compose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rocecfg.intent.fills import Fill

_LARGE = 1_000_000  # characters of a text that is like no other; the nodes of its links are not kept
_READS_DIGITS = b"\\&*!"  # escapes, anchors, aliases, tags: two of these may differ in what their digits mean
_NUMBER = re.compile(rb"0+")  # of a masked text
_ANY = bytes.maketrans(b"123456789", b"0" * 9)


class _Shape(NamedTuple):
    key: bytes
    fill: Fill


class FabricReader:
    """Reads the files of a fabric; shapes are known to one fabric only, and live as long as it is read."""

    __slots__ = ("_by_shape", "_families", "_filled", "_seen", "_shapes", "_values")

    def __init__(self, *, by_shape: bool) -> None:
        """`by_shape`: False to read each file in full, which gives the same, only later."""
        self._by_shape = by_shape
        self._filled = 0  # files
        self._seen: set[int] = set()  # hashes of the shapes of which one file was read
        self._shapes: dict[int, _Shape] = {}
        self._families: dict[int, TextFamily] = {}
        self._values: Known = {}

    def read(self, document: Document, problems: list[Problem]) -> tuple[Any, Context]:
        """What an intent's file says, None of an empty one; and what reading it left behind.

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
            with suppress(UnfitFill):
                value = shape.fill(text, context)
                self._filled += 1
                return value, context
        context = Context(document.number, problems)
        before = len(problems)
        node = compose(document, ("links", LINK.make_early_reader(document.number)) if large else None)
        section = INTENT.read(node, context) if node is not None else None
        # to learn a shape takes as long as to read a file: where most shapes recur, the first of its files will do
        again = number in self._seen or self._filled > len(self._seen)
        self._seen.add(number)
        if again and shape is None and node is not None and key and len(problems) == before:
            self._learn(number, key, text, node)
        return section, context

    def _learn(self, number: int, key: bytes, text: str, node: Node) -> None:
        fill: Fill = _refuse  # what refuses it is not in its digits
        if not (any(sign in key for sign in _READS_DIGITS) or key.startswith(b"%") or b"\n%" in key):
            with suppress(UnfitFill):
                family = TextFamily(_NUMBER.sub(b"0", key), text, node, self._values)
                fill = family.bind(text)
                self._families.setdefault(hash(family.key), family)
        self._shapes[number] = _Shape(key, fill)

    def _learn_from_family(self, number: int, key: bytes, text: str) -> _Shape | None:
        """Learn the shape of a text from another one of its family; None where none is known."""
        alike = _NUMBER.sub(b"0", key)
        family = self._families.get(hash(alike))
        if family is None or family.key != alike:
            return None
        with suppress(UnfitFill):
            shape = _Shape(key, family.bind(text))
            self._seen.add(number)
            self._shapes[number] = shape
            return shape
        return None


def _refuse(_text: str, _ctx: Context) -> Any:
    raise UnfitFill


def mask_digits(text: str) -> bytes:
    """A text with a 0 for each digit: texts that are equal then differ in digits alone, and are of one length."""
    return text.encode("utf-8", "surrogatepass").translate(_ANY)
