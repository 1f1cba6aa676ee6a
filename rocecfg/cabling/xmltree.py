"""XML as elements that remember where they stand: no document types, and so no entities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from rocecfg.cabling.statements import Broken

_DEEPEST = 200


class Element:
    """An element: its name without prefix, its text, what is in it."""

    __slots__ = ("at", "attributes", "children", "name", "text")

    def __init__(self, name: str, attributes: dict[str, str], at: int) -> None:
        self.name = name.rpartition(":")[2]
        self.attributes = attributes
        self.at = at
        self.children: list[Element] = []
        self.text = ""

    def below(self, name: str) -> Iterator[Element]:
        """All elements of that name within, in their order."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.below(name)

    def get(self, *names: str) -> str:
        """The text of the first child with one of these names; empty where there is none."""
        return next((child.text.strip() for name in names for child in self.children if child.name == name), "")


def from_xml(text: str) -> Element:
    """The outermost element. Raises Broken with the place of what is wrong."""
    starts = _line_starts(text)
    root = Element("", {}, 0)
    open_ = [root]
    said: list[list[str]] = [[]]  # of each that is open
    parser: Any = expat.ParserCreate()

    def place() -> int:
        line, column = int(parser.CurrentLineNumber), int(parser.CurrentColumnNumber)
        return min(starts[min(line, len(starts)) - 1] + column, len(text))

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(open_) > _DEEPEST:
            raise Broken("is nested too deeply to be a list of cables", "", place())
        element = Element(name, attributes, place())
        open_[-1].children.append(element)
        open_.append(element)
        said.append([])

    def end(_: str) -> None:
        open_.pop().text = "".join(said.pop())

    def data(words: str) -> None:
        said[-1].append(words)  # expat gives each line, and each line end, by itself

    def doctype(*_: object) -> None:
        raise Broken("has a document type, whose entities are not read", "take the <!DOCTYPE> out", place())

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = data, doctype
    try:
        parser.Parse(text.encode(), True)  # noqa: FBT003 - expat takes it by position
    except expat.ExpatError as error:
        at = min(starts[min(error.lineno, len(starts)) - 1] + error.offset, len(text))
        if error.code in (expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS], _UNCLOSED, _PARTIAL):
            raise Broken("is XML that ends in the middle: the file was cut off", "fetch it again", at) from None
        raise Broken(f"is not XML from here on: {expat.errors.messages[error.code]}", "", at) from None
    return root.children[0]


_UNCLOSED = expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]
_PARTIAL = expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR]


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
