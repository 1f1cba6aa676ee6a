"""An SR Linux configuration as statements: one for each line that `info flat` would print.

Set lines, text with braces, JSON and lists of paths with values become the same: the words from the top of the tree
down, keys of lists behind their names, a list of values as one statement for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.source.document import Document, SourceError
from rocecfg.source.json import Array, Object, parse

Words = tuple[str, ...]
_PROMPT = re.compile(  # lines around the text, and the prompt before what was typed
    r"^[ \t]*(?:--\{.*\}--\[.*\]--|(?:[AB]:)?[\w.@-]+[#>][ \t]*(?!(?:set|delete)\b)[^\n]*|[+-]{3,})[ \t\r]*$",
    re.MULTILINE,
)
_TYPED = re.compile(r"^[ \t]*(?:[AB]:)?[\w.@-]+[#>][ \t]*(?=(?:set|delete)\b)", re.MULTILINE)
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|#[^\n]*|\n|[{}\[\]](?=[\s{}\[\]]|$)|[^\s"]+|"')
_SET = re.compile(r"^[ \t]*(?:set|delete) ?/", re.MULTILINE)
_EDITS = ("set", "delete")
_SILENT = frozenset(
    {"enter", "commit", "info", "diff", "save", "discard", "quit", "exit", "show", "tools", "baseline", "/", "back"}
)
_MOST_DEEP = 64
_PART = re.compile(r"((?:[\w.-]+:)?[\w-]+)((?:\[[\w:.-]+=(?:\"[^\"]*\"|'[^']*'|[^\]]*)\])*)")
_KEY = re.compile(r"\[([\w:.-]+)=(\"[^\"]*\"|'[^']*'|[^\]]*)\]")
KEYS = {  # lists and the leaves that they go by; of others it is the first leaf
    "interface": ("interface-id", "name"),
    "dscp": ("value",),
    "dot1p": ("value",),
    "wred-slope": ("traffic-type", "drop-probability", "enable-ecn"),
    "pfc-queue": ("pfc-queue-name",),
    "queue": ("queue-name", "name"),
    "subinterface": ("index",),
    "scheduler": ("sequence",),
    "input": ("id",),
    "linecard": ("slot",),
    "map": ("forwarding-class",),
    "drop-probability": ("value",),
    "pfc-priority": ("index",),
}
_SEVERAL = frozenset({"wred-slope"})  # lists with several keys, whose names stand before their values


class Statement(NamedTuple):
    """A statement: its words from the top of the tree down, and where its own are written."""

    words: Words
    at: Span


def join_words(words: Words) -> str:
    """As a line of `info flat` has them."""
    return " ".join(f'"{word}"' if not word or re.search(r"[\s{}\[\]#;\"]", word) else word for word in words)


def parse_statements(document: Document) -> list[Statement]:
    """The statements of a text. Raises SourceError, with the place, for one that is not a configuration."""
    text = document.text
    if text.lstrip()[:1] not in ("{", "["):
        text = _PROMPT.sub(lambda found: " " * len(found[0]), text)
    if text.lstrip()[:1] in ("{", "["):
        return list(_read_json(document, parse(Document(document.number, document.path, text))))
    text = _TYPED.sub(lambda found: " " * len(found[0]), text)
    if _SET.search(text) is not None:
        return _parse_set_lines(document, text)
    return _parse_braces(document, text)


def make_error(document: Document, at: int, message: str, help: str = "") -> SourceError:
    """What is wrong at a place of the text."""
    return SourceError(document.path, message, help, *document.place(at))


class _Token(NamedTuple):
    text: str
    start: int
    end: int
    quoted: bool


def _tokenize(document: Document, text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        word = found[0]
        if word.startswith("#"):
            continue
        if word == '"':
            raise make_error(document, found.start(), 'this " is not closed', "the text is cut off: give all of it")
        quoted = word.startswith('"')
        yield _Token(re.sub(r"\\(.)", r"\1", word[1:-1]) if quoted else word, found.start(), found.end(), quoted)


def _lines(document: Document, text: str) -> Iterator[list[_Token]]:
    """The words of each line; a list in brackets belongs to the line on which it begins."""
    line: list[_Token] = []
    opened: _Token | None = None
    for token in _tokenize(document, text):
        mark = "" if token.quoted else token.text
        if mark == "\n":
            if line and opened is None:
                yield line
                line = []
            continue
        if mark == "[":
            opened = token
        elif mark == "]":
            if opened is None:
                raise make_error(document, token.start, "this ']' has no '['")
            opened = None
        elif opened is not None and mark in ("{", "}"):
            raise make_error(document, opened.start, "this '[' has no ']'", "close the list")
        line.append(token)
    if opened is not None:
        raise make_error(document, opened.start, "this '[' has no ']': the text is cut off", "give the whole text")
    if line:
        yield line


def _spread(path: Words, line: Sequence[_Token]) -> list[Words]:
    """The words of a line below a path: of a list in brackets a statement for each value."""
    words = [token.text for token in line]
    begin = next((n for n, token in enumerate(line) if token.text == "[" and not token.quoted), None)
    if begin is None:
        return [(*path, *words)]
    return [(*path, *words[:begin], value) for value in words[begin + 1 : -1]]


def _parse_set_lines(document: Document, text: str) -> list[Statement]:
    out: dict[Words, Statement] = {}
    for line in _lines(document, text):
        verb, slash, stuck = line[0].text.partition("/")  # set/qos
        if verb in _SILENT or line[0].text in _SILENT:
            continue
        if verb not in _EDITS:
            raise make_error(
                document, line[0].start, f"'{verb[:60]}' begins no set line", "give the output of info flat"
            )
        rest_of = line[1:] if not slash else [*([line[0]._replace(text=stuck)] if stuck else []), *line[1:]]
        if rest_of and rest_of[0].text.startswith("/") and not rest_of[0].quoted:
            first = rest_of[0]._replace(text=rest_of[0].text[1:])
            rest_of = [*([first] if first.text else []), *rest_of[1:]]
        if not rest_of:
            raise make_error(document, line[0].start, f"{verb} has no statement after it: the line is cut off")
        at = Span(document.number, line[0].start, line[-1].end)
        for words in _spread((), rest_of):
            if verb == "set":
                out[words] = Statement(words, at)
            else:
                for gone in [each for each in out if each[: len(words)] == words]:
                    del out[gone]
    return list(out.values())


def _parse_braces(document: Document, text: str) -> list[Statement]:
    out: list[Statement] = []
    opened: list[tuple[Words, Span, int]] = []  # words, place, statements before it
    for line in _lines(document, text):
        path = opened[-1][0] if opened else ()
        at = Span(document.number, line[0].start, line[-1].end)
        last = line[-1]
        if line[0].text in _SILENT and not opened:
            continue
        if last.text == "{" and not last.quoted:
            if len(line) == 1:
                raise make_error(document, last.start, "this '{' has no statement before it")
            if len(opened) >= _MOST_DEEP:
                raise make_error(document, last.start, f"statements are nested more than {_MOST_DEEP} deep")
            words = tuple(token.text for token in line[:-1])
            opened.append(((*path, *words), Span(document.number, line[0].start, line[-2].end), len(out)))
        elif line[0].text == "}" and not line[0].quoted:
            if not opened or len(line) > 1:
                fix = "give the text from the top of the tree, as info prints it"
                raise make_error(document, line[0].start, "this '}' has no '{' of its own", fix)
            words, place, before = opened.pop()
            if len(out) == before:  # an empty block says that there is such a thing
                out.append(Statement(words, place))
        elif any(token.text == "{" and not token.quoted for token in line):
            raise make_error(document, line[0].start, "a '{' within a line", "give the text as info prints it")
        else:
            out.extend(Statement(words, at) for words in _spread(path, line))
    if opened:
        words, place, _ = opened[-1]
        named = " ".join(words[-2:])[:60]
        raise make_error(document, place.start, f"the '{{' of '{named}' is not closed: the text is cut off",
                         "give the whole text")  # fmt: skip
    return out


# -- JSON --------------------------------------------------------------------------------------------------------------


def _read_json(document: Document, value: Any) -> Iterator[Statement]:
    if isinstance(value, Array):
        yield from _read_updates(document, value)
        return
    yield from _read_object(document, value, ())


def _read_updates(document: Document, listed: Array) -> Iterator[Statement]:
    """A list of paths with values, as gNMI and JSON-RPC take it."""
    for item in listed.items:
        members = {m.key: m for m in item.value.members} if isinstance(item.value, Object) else {}
        path = members.get("path")
        if path is None or not isinstance(path.value, str):
            at = listed.start + item.start
            raise make_error(document, at, "an entry without a path", "give a list of {path, value}, or a whole tree")
        words: list[str] = []
        for name, keys in _PART.findall(path.value):
            words.append(_plain(name))
            found = _KEY.findall(keys)
            for key, given in found:
                words += [_plain(key)] if len(found) > 1 else []
                words.append(given.strip("\"'"))
        value = members.get("value")
        start = item.value.start
        if value is None:
            yield Statement(tuple(words), Span(document.number, start + path.start, start + path.end))
        elif isinstance(value.value, Object):
            yield from _read_object(document, value.value, tuple(words))
        else:
            place = Span(document.number, start + value.start, start + value.end)
            yield from _read_value(document, value.value, tuple(words), place)


def _read_object(
    document: Document, of: Object, path: Words, skip: frozenset[str] = frozenset()
) -> Iterator[Statement]:
    wrote = False
    for member in of.members:
        name = _plain(member.key)
        if name in skip or member.key.startswith("_"):
            continue
        wrote = True
        at = Span(document.number, of.start + member.key_start, of.start + member.end)
        yield from _read_value(document, member.value, (*path, name), at)
    if not wrote and path:
        yield Statement(path, Span(document.number, of.start, of.end))


def _read_value(document: Document, value: Any, path: Words, at: Span) -> Iterator[Statement]:
    if isinstance(value, Object):
        yield from _read_object(document, value, path)
    elif isinstance(value, Array):
        for item in value.items:
            if isinstance(item.value, Object):
                keys, words = _find_keys(item.value, path[-1])
                yield from _read_object(document, item.value, (*path, *words), keys)
            elif item.value is not None:
                yield Statement((*path, _show(item.value)), at)
    elif value is not None:
        yield Statement((*path, _show(value)), at)


def _find_keys(of: Object, name: str) -> tuple[frozenset[str], Words]:
    """The keys of an entry of a list, and the words that say which it is."""
    plain = {_plain(m.key): m.value for m in of.members if not isinstance(m.value, Object | Array)}
    if name in _SEVERAL:
        keys = [key for key in KEYS[name] if key in plain]
        return frozenset(keys), tuple(word for key in keys for word in (key, _show(plain[key])))
    named = next((key for key in (*KEYS.get(name, ()), "name", "index", "id") if key in plain), next(iter(plain), None))
    return (frozenset(), ()) if named is None else (frozenset((named,)), (_show(plain[named]),))


def _plain(name: str) -> str:
    return name.rpartition(":")[2]


def _show(value: Any) -> str:
    """A value as set lines have it: identities without the module that they are of."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return text.partition(":")[2] if text.startswith("srl_nokia") and ":" in text else text
