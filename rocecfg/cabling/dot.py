"""Graphs in DOT as PTM and NVIDIA Air have them: `"leaf01":"swp1" -- "spine01":"swp1"`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.statements import LEFT_OUT, Broken, CableEnd, LeftOut, StatedCable, Statements

_HEAD = re.compile(
    r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?\*/)*+(?:strict\s+)?(?:di)?graph\b[^{;]{0,200}\{", re.DOTALL | re.IGNORECASE
)
_TOKEN = re.compile(
    r"\s+|//[^\n]*|#[^\n]*|/\*.*?\*/"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<edge>--|->)|(?P<mark>[{}\[\];,:=])|(?P<word>[^\s"{}\[\];,:=]+?(?=--|->|[\s"{}\[\];,:=]|$))',
    re.DOTALL,
)
Token = tuple[str, str, int]  # kind, text, offset


def is_dot(text: str) -> bool:
    """Whether it begins as a graph."""
    return _HEAD.match(text) is not None


def read_dot(given: str, _: str) -> Statements:
    """The edges of a graph. Raises Broken for one that does not end."""
    apart: set[str] = set()
    found: list[tuple[list[CableEnd], int]] = []
    depth = 0
    for statement in _split_statements(given):
        marks = [text for kind, text, _ in statement if kind == "mark"]
        depth += marks.count("{") - marks.count("}")
        ends, at = _read_ends(statement)
        if len(ends) > 1:
            found.append((ends, at))
        elif ends and _node_function(statement).startswith("oob"):
            apart.add(ends[0].device)
    if depth:
        raise Broken("is a graph that ends in the middle: the file was cut off", "fetch it again", len(given))
    for ends, at in found:
        for a, b in pairwise(ends):
            if a.port and b.port:
                yield StatedCable(a, b, at, management=a.device in apart or b.device in apart)
            else:
                yield LeftOut(LEFT_OUT, a, b, "the edge names no ports", at)


def _split_tokens(given: str) -> Iterator[Token]:
    at = 0
    while at < len(given):
        found = _TOKEN.match(given, at)
        if found is None:
            raise Broken("is not a graph from here on: an unclosed quote", "", at)
        kind = found.lastgroup
        if kind is not None:
            text = found[0]
            yield ("word", re.sub(r"\\(.)", r"\1", text[1:-1]), at) if kind == "quoted" else (kind, text, at)
        at = found.end()


def _split_statements(given: str) -> Iterator[list[Token]]:
    """Statements end at `;`, at braces, and where a name follows what is complete without it."""
    out: list[Token] = []
    listing = 0
    for token in _split_tokens(given):
        kind, text, _ = token
        if kind == "mark" and text in "[]":
            listing += 1 if text == "[" else -1
        if listing == 0 and kind == "mark" and text in "{};":
            yield [*out, token] if text != ";" else out
            out = []
            continue
        last = out[-1] if out else None
        if listing == 0 and kind == "word" and last is not None and (last[0] == "word" or last[1] == "]"):
            yield out
            out = []
        out.append(token)
    if out:
        yield out


def _read_ends(statement: list[Token]) -> tuple[list[CableEnd], int]:
    """The ends that a statement joins: name, or name:port; its attributes aside."""
    ends: list[CableEnd] = []
    name: list[str] = []
    for kind, text, _ in statement:
        if kind == "mark" and text == "[":
            break
        if kind == "word":
            name.append(text)
        elif kind == "edge":
            ends.append(_make_end(name))
            name = []
        elif kind == "mark" and text == "=":
            return [], 0
    ends += [_make_end(name)] if name else []
    return ends, statement[0][2] if statement else 0


def _make_end(name: list[str]) -> CableEnd:
    device, port = (*name, "", "")[:2]
    return CableEnd(device_name(device), port_name(port))


def _node_function(statement: list[Token]) -> str:
    words = [text for _, text, _ in statement]
    return next((words[n + 2] for n, word in enumerate(words[:-2]) if (word, words[n + 1]) == ("function", "=")), "")
