"""JSON as positioned values: strict, duplicates kept, and quick on the thousands of short rows of a switch's file.

An object that holds nothing but words and numbers is read once for each distinct text: most ports of a switch say the
same. So places within an object count from its beginning, and equal objects share their members. Of such an object the
places are made when somebody asks. Parts that nobody wants are checked by the C scanner of the standard library and
left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final, NoReturn

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError

MAX_DEPTH = 64
_MOST_DIGITS = 400  # of a whole number; Python itself takes no more than 4300 at once

_WS = "[ \t\n\r]*+"
_PLAIN = r'"([^"\\\x00-\x1f]*+)"'  # a string without escapes
_FLAT = r'\{[^{}\[\]"]*+(?:"[^"\\]*+"[^{}\[\]"]*+)*+\}'  # an object that holds no other and no list, nor an escape
_ROW = re.compile(_FLAT)
_ENTRY = re.compile(rf"{_WS}{_PLAIN}{_WS}:{_WS}(?:(\{{)|{_PLAIN})")
_MEMBER = re.compile(rf"{_WS}{_PLAIN}{_WS}:{_WS}(?:{_PLAIN}|([^,}} \t\n\r]++)){_WS}[,}}]")
_KEY = re.compile(rf'{_WS}("(?:[^"\\]|\\.)*+"){_WS}:{_WS}')
_CLOSED = re.compile(rf"{_WS}[}}\]]")
_NEXT = re.compile(rf"{_WS}([,}}\]])")
_SPACE = re.compile(_WS)
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*+"|(-?Infinity|NaN)')
_STR = frozenset({str})
_SURROGATE = re.compile("[\ud800-\udfff]")


class Left(NamedTuple):
    """A part that was not wanted: its place alone."""

    start: int
    end: int


class Member(NamedTuple):
    """A key and its value; the places of both count from the beginning of the object."""

    key: str
    key_start: int
    key_end: int
    value: Any  # str, int, float, bool, None, Object, Array, Left
    start: int
    end: int


class Item(NamedTuple):
    """A value of a list; its place counts from the beginning of the list."""

    value: Any
    start: int
    end: int


class Flat:
    """The members of an object that holds no other, no list and no escape; their places are made when asked for."""

    __slots__ = ("_made", "strings", "text")

    def __init__(self, text: str, values: dict[str, Any]) -> None:
        """`values`: what the C scanner reads of the text."""
        self.text = text
        self._made: list[Member] | None = None
        alone = text.count('"') == 4 * len(values) and _STR.issuperset(map(type, values.values()))
        self.strings: dict[str, str] | None = values if alone else None  # where all are strings and none is repeated

    def __iter__(self) -> Iterator[Member]:
        return iter(self._list_members())

    def __len__(self) -> int:
        return len(self._list_members())

    def __getitem__(self, at: int) -> Member:
        return self._list_members()[at]

    def _list_members(self) -> list[Member]:
        if self._made is None:
            self._made = []
            for found in _MEMBER.finditer(self.text, 1):
                key, value, other = found.groups()
                opened = found.start(1) - 1
                if other is None:
                    start = found.start(2) - 1
                    end = start + len(value) + 2
                else:
                    start, end = found.span(3)
                    value = _scan(other, 0)[0]
                self._made.append(_new(Member, (key, opened, opened + len(key) + 2, value, start, end)))
        return self._made


class Object(NamedTuple):
    """An object as written: members in order, duplicates included. Equal texts share `members`."""

    start: int
    end: int
    members: Flat | list[Member]


class Array(NamedTuple):
    """A list."""

    start: int
    end: int
    items: list[Item]


Keep = Callable[[int, str], bool]
_new = tuple.__new__  # a NamedTuple's own __new__ costs twice as much, and there are thousands


def _refuse_constant(_: str) -> NoReturn:
    raise ArithmeticError


def _parse_number(text: str) -> int | float:
    return int(text) if len(text) <= _MOST_DIGITS else float(text)


_scan: Final[Any] = JSONDecoder(parse_constant=_refuse_constant, parse_int=_parse_number).scan_once  # type: ignore[attr-defined]


def parse(document: Document, keep: Keep | None = None) -> Any:
    """The value that a text is. Raises SourceError, with the place, for what is not JSON or nested too deeply.

    `keep(depth, key)` says whether an object or list below that key is wanted (depth 0: of the outermost object);
    what is not wanted becomes Left.
    """
    try:
        return _Reader(document.text, keep).read_document()
    except Bad as bad:
        problem = bad
    except RecursionError:
        problem = Bad(0, f"nested deeper than {MAX_DEPTH} levels", "no configuration is nested like this")
    line, column = document.place(problem.at)
    raise SourceError(document.path, problem.message, problem.help, line, column)


class _Reader:
    __slots__ = ("keep", "known", "text")

    def __init__(self, text: str, keep: Keep | None) -> None:
        self.text = text
        self.keep = keep
        self.known: dict[str, Flat] = {}  # the members of objects, by their text

    def read_document(self) -> Any:
        start = self._skip_space(0)
        value, end = self._read_value(start, 0)
        end = self._skip_space(end)
        if end < len(self.text):
            raise Bad(end, "not JSON: text continues after the end of the value", "a file holds one JSON value")
        return value

    def _skip_space(self, pos: int) -> int:
        found = _SPACE.match(self.text, pos)
        return found.end() if found is not None else pos

    def _read_value(self, pos: int, depth: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends."""
        head = self.text[pos : pos + 1]
        if head in ("{", "["):
            if depth >= MAX_DEPTH:
                raise Bad(pos, f"nested deeper than {MAX_DEPTH} levels", "no configuration is nested like this")
            return self._read_object(pos, depth) if head == "{" else self._read_array(pos, depth)
        value, end = self._scan_value(pos)
        return (_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value), end

    def _read_object(self, start: int, depth: int) -> tuple[Object, int]:
        text, entry, known = self.text, _ENTRY.match, self.known
        closed = _CLOSED.match(text, start + 1)
        if closed is not None and text[closed.end() - 1] == "}":
            return Object(start, closed.end(), []), closed.end()
        members: list[Member] = []
        pos = start + 1
        while True:
            found = entry(text, pos)
            value: Any = None
            if found is not None:
                value, at, end = found[3], found.start(3) - 1, found.end()
                if value is None:
                    at = end - 1
                    end = text.find("}", at) + 1
                    shared = known.get(text[at:end])  # what was an object before is one here
                    if shared is None:
                        end, shared = self._read_flat(at)
                    if shared is not None:
                        value = _new(Object, (at, end, shared))
            if value is None or found is None:
                pos = self._read_member(pos, start, depth, members)
            else:
                key, key_end = found.span(1)
                member = (found[1], key - 1 - start, key_end + 1 - start, value, at - start, end - start)
                members.append(_new(Member, member))
                pos = end + 1
                if text[end:pos] not in (",", "}"):
                    pos = self._skip_separator(end, "}")
            if text[pos - 1] == "}":
                return Object(start, pos, members), pos

    def _read_member(self, pos: int, start: int, depth: int, members: list[Member]) -> int:
        """Adds a member of any kind; gives where the comma or bracket after it ends."""
        found = _KEY.match(self.text, pos)
        if found is None:
            raise self._explain(pos)
        key, _ = self._read_value(found.start(1), depth)
        at = found.end()
        if self.keep is not None and self.text[at : at + 1] in ("{", "[") and not self.keep(depth, key):
            _, end = self._scan_value(at)
            value: Any = Left(at, end)
        else:
            value, end = self._read_value(at, depth + 1)
        members.append(Member(key, found.start(1) - start, found.end(1) - start, value, at - start, end - start))
        return self._skip_separator(end, "}")

    def _read_array(self, start: int, depth: int) -> tuple[Array, int]:
        closed = _CLOSED.match(self.text, start + 1)
        if closed is not None and self.text[closed.end() - 1] == "]":
            return Array(start, closed.end(), []), closed.end()
        items: list[Item] = []
        pos = start + 1
        while True:
            pos = self._skip_space(pos)
            value, end = self._read_value(pos, depth + 1)
            items.append(Item(value, pos - start, end - start))
            pos = self._skip_separator(end, "]")
            if self.text[pos - 1] == "]":
                return Array(start, pos, items), pos

    def _skip_separator(self, end: int, bracket: str) -> int:
        """Where the comma or the closing bracket after a value ends."""
        found = _NEXT.match(self.text, end)
        if found is None or found.group(1) not in (",", bracket):
            raise self._explain(end)
        return found.end()

    def _read_flat(self, at: int) -> tuple[int, Flat | None]:
        """Where an object without objects, lists and escapes ends, and its members; None for another object."""
        found = _ROW.match(self.text, at)
        if found is None:
            return at, None
        body = found.group()
        shared = self.known.get(body)
        if shared is None:
            # scanned strictly: what follows need not be
            shared = self.known[body] = Flat(body, self._scan_value(at)[0])
        return found.end(), shared

    def _scan_value(self, pos: int) -> tuple[Any, int]:
        """The value that begins here as the C scanner reads it, and where it ends."""
        try:
            value, end = _scan(self.text, pos)
        except StopIteration as stop:
            raise self._explain(stop.value if isinstance(stop.value, int) else pos) from None
        except JSONDecodeError as error:
            raise explain(self.text, error.pos, error.msg) from None
        except ArithmeticError:
            raise self._explain(next(m.start(1) for m in _CONSTANT.finditer(self.text, pos) if m.group(1))) from None
        return value, end

    def _explain(self, pos: int) -> Bad:
        return explain(self.text, self._skip_space(pos), "")


# -- what is wrong with a text that is no JSON -------------------------------------------------------------------------


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')


class Bad(Exception):
    """Something that is not JSON, or out of bounds."""

    def __init__(self, at: int, message: str, help: str = "") -> None:
        super().__init__(message)
        self.at = at
        self.message = message
        self.help = help


_TRAPS = (  # what stands there, and what to tell of it
    (re.compile(r"//|/\*|#"), "a comment, and JSON has none", "remove it"),
    (re.compile("'"), "single quotes", 'JSON takes double quotes alone: "name"'),
    (re.compile(r"(?:True|False|None)\b"), "a word of Python's", "write true, false or null, or a string"),
    (re.compile(r"NaN|-?Infinity"), "no number that JSON knows", "write a number, or null"),
    (re.compile("[\u201c\u201d\u2018\u2019]"), "typographic quotes", 'write plain ones: "name"'),
    (re.compile(r"[A-Za-z_]"), "a word without quotes", 'quote it: "name"'),
)


def explain(text: str, pos: int, parser_message: str) -> Bad:
    """What is wrong at a place where JSON ends to be JSON. `parser_message`: what the standard library says."""
    if not text.strip():
        return Bad(0, "not JSON: the file is empty", "")
    if parser_message.startswith("Unterminated string"):
        line = text[pos : text.find("\n", pos) if "\n" in text[pos:] else len(text)]
        if len(line) < len(text) - pos:
            return Bad(pos, "not JSON: a string without its closing quote", 'end it with "')
    elif parser_message.startswith("Invalid control character"):
        return Bad(
            pos, "not JSON: a line break, tab or other control character in a string", "escape it, or end the string"
        )
    elif parser_message.startswith(("Invalid \\", "Invalid \\u")):
        return Bad(pos, "not JSON: an escape that JSON does not know", "write \\\\ for a backslash")
    elif pos < len(text):
        comma = _find_comma_before(text, pos)
        if text[pos] in "}]" and comma is not None:
            return Bad(comma, f"not JSON: a comma before {text[pos]}", "remove it: nothing follows")
        for found, what, fix in _TRAPS:
            if found.match(text, pos):
                return Bad(pos, f"not JSON: {what}", fix)
        return Bad(pos, f"not JSON: expected {_describe_expected(text, pos)} instead of {text[pos]!r}", "")
    left = sum(_find_open_brackets(text).values())
    brackets = f", {left} bracket{'s' * (left != 1)} still open" if left else ""
    return Bad(
        min(pos, len(text)), f"not JSON: the text ends too soon{brackets}", "it is cut off: fetch the file again"
    )


def _find_comma_before(text: str, pos: int) -> int | None:
    head = text[:pos].rstrip(" \t\n\r")
    return len(head) - 1 if head.endswith(",") else None


def _describe_expected(text: str, pos: int) -> str:
    before = text[:pos].rstrip(" \t\n\r")[-1:]
    if before in ("{", ","):
        return "a key in quotes, or a value"
    return "a value" if before in (":", "[", "") else "a comma or a closing bracket"


def _find_open_brackets(text: str) -> dict[str, int]:
    bare = _QUOTED.sub("", text)
    return {a: max(0, bare.count(a) - bare.count(b)) for a, b in ("{}", "[]")}
