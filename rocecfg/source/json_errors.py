"""What is wrong with a text that is no JSON, in words, and what mends it."""

from __future__ import annotations

import re

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')


class Bad(Exception):
    """Something that is no JSON, or out of bounds."""

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


def explained(text: str, pos: int, told: str) -> Bad:
    """What is wrong at a place where JSON ends to be JSON. `told`: the standard library's own words, if it has any."""
    if not text.strip():
        return Bad(0, "not JSON: the file is empty", "")
    if told.startswith("Unterminated string"):
        line = text[pos : text.find("\n", pos) if "\n" in text[pos:] else len(text)]
        if len(line) < len(text) - pos:
            return Bad(pos, "not JSON: a string without its closing quote", 'end it with "')
    elif told.startswith("Invalid control character"):
        return Bad(
            pos, "not JSON: a line break, tab or other control character in a string", "escape it, or end the string"
        )
    elif told.startswith(("Invalid \\", "Invalid \\u")):
        return Bad(pos, "not JSON: an escape that JSON does not know", "write \\\\ for a backslash")
    elif pos < len(text):
        comma = _comma_before(text, pos)
        if text[pos] in "}]" and comma is not None:
            return Bad(comma, f"not JSON: a comma before {text[pos]}", "remove it: nothing follows")
        for found, what, mend in _TRAPS:
            if found.match(text, pos):
                return Bad(pos, f"not JSON: {what}", mend)
        return Bad(pos, f"not JSON: {text[pos]!r} stands where {_wanted(text, pos)} is wanted", "")
    left = sum(_open_brackets(text).values())
    brackets = f", {left} bracket{'s' * (left != 1)} still open" if left else ""
    return Bad(
        min(pos, len(text)), f"not JSON: the text ends too soon{brackets}", "it is cut off: fetch the file again"
    )


def _comma_before(text: str, pos: int) -> int | None:
    head = text[:pos].rstrip(" \t\n\r")
    return len(head) - 1 if head.endswith(",") else None


def _wanted(text: str, pos: int) -> str:
    before = text[:pos].rstrip(" \t\n\r")[-1:]
    if before in ("{", ","):
        return "a key in quotes, or a value"
    return "a value" if before in (":", "[", "") else "a comma or a closing bracket"


def _open_brackets(text: str) -> dict[str, int]:
    bare = _QUOTED.sub("", text)
    return {a: max(0, bare.count(a) - bare.count(b)) for a, b in ("{}", "[]")}
