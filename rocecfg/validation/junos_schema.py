"""Juniper's own configuration models of QFX switches, frozen: the keywords below each keyword, and their values.

`junos_grammar/RELEASE.json` is made from the YANG models with CLI extensions that Juniper publishes (Juniper/yang,
Apache-2.0): class-of-service whole, of firewall, forwarding-options, interfaces, chassis and protocols what RoCE needs.
"""

from __future__ import annotations

import json
import os
import re
from functools import cache
from typing import Any

from rocecfg.core.records import NamedTuple

_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "junos_grammar")
_POSIX = {
    "alpha": "a-zA-Z",
    "alnum": "a-zA-Z0-9",
    "digit": "0-9",
    "lower": "a-z",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": " -~",
    "graph": "!-~",
}
_WILDCARD = "<.*>|$.*"  # the pattern of what stands for a value in groups
CONTAINER, LIST, LEAF, LEAVES, OPAQUE = "c", "l", "f", "F", "x"


class Must(NamedTuple):
    """A commit check: an expression that must hold, and what Junos says where it does not."""

    expression: str
    message: str


class Schema:
    """What the models say of one keyword."""

    def __init__(self, grammar: Grammar, node: list[Any]) -> None:
        cells: list[Any] = [*node, *(None for _ in range(9 - len(node)))]  # the last ones may be left out
        kind, below, keys, type_, flags, musts, most, choices, units = cells
        self.grammar = grammar
        self.kind: str = kind
        self.children: dict[str, int] = below
        self.keys: list[str] = keys or []
        self.type: list[Any] | None = type_
        self.bare = "n" in (flags or "")  # no keyword is written: the value or the entry's name stands alone
        self.entries = "h" in (flags or "")  # a block after the keyword holds entries of the list
        self.musts = [Must(*each) for each in musts or ()]
        self.most: int | None = most  # entries of the list
        self.choices: list[list[list[str]]] = choices or []
        self.units: str = units or ""
        self._unwritten: list[tuple[str, Schema]] | None = None

    def child(self, word: str) -> Schema | None:
        """What a word below this keyword is; None: the models do not have it."""
        number = self.children.get(word)
        return None if number is None else self.grammar.schema(number)

    @property
    def unwritten(self) -> list[tuple[str, Schema]]:
        """The children whose keyword is not written, but for the list's own keys."""
        if self._unwritten is None:
            known = ((word, self.grammar.schema(number)) for word, number in self.children.items())
            self._unwritten = [(word, schema) for word, schema in known if schema.bare and word not in self.keys]
        return self._unwritten

    @property
    def words(self) -> list[str]:
        """The keywords that may be written below this one."""
        known = ((word, self.grammar.schema(number)) for word, number in self.children.items())
        return [word for word, schema in known if word not in self.keys and not schema.bare] + ["apply-groups"]

    @property
    def is_flag(self) -> bool:
        """Whether the keyword alone is the value."""
        return self.type is not None and self.type[0] == "empty"


class Grammar:
    """The frozen models of a release. `tops`: every word that may begin a statement of a configuration."""

    def __init__(self, text: str) -> None:
        data = json.loads(text)
        self.release: str = data["release"]
        self.tops = frozenset(data["top"])
        self._nodes: list[list[Any]] = data["nodes"]
        self._schemas: dict[int, Schema] = {}
        self.root = self.schema(data["root"])
        interfaces = self.root.child("interfaces")
        entry = None if interfaces is None else interfaces.child("interface")
        if entry is not None:  # the models of 23.4 lack what the command line has always had on this list
            entry.bare = entry.entries = True

    def schema(self, number: int) -> Schema:
        """A node of the models."""
        found = self._schemas.get(number)
        if found is None:
            found = self._schemas[number] = Schema(self, self._nodes[number])
        return found


def release_key(release: str) -> tuple[int, ...]:
    """What releases are ordered by: 23.4R2 and 23.4X100-D31 after 23.4R1."""
    found = re.match(r"(\d+)\.(\d+)[RX](\d+)", release)
    return tuple(map(int, found.groups())) if found is not None else (0,)


@cache
def releases() -> tuple[str, ...]:
    """The releases whose models are here, the oldest first."""
    names = (name.removesuffix(".json") for name in os.listdir(_FOLDER) if name.endswith(".json"))
    return tuple(sorted(names, key=release_key))


def nearest_release(release: str) -> str:
    """The newest release at hand that is not above one; the oldest, where all are."""
    below = [each for each in releases() if release_key(each) <= release_key(release)]
    return below[-1] if below else releases()[0]


@cache
def grammar(release: str) -> Grammar:
    """The models of a release that is at hand."""
    with open(os.path.join(_FOLDER, f"{release}.json"), encoding="utf-8") as file:
        return Grammar(file.read())


# -- values ------------------------------------------------------------------------------------------------------------


def fits(kind: list[Any], value: str, *, wild: bool) -> bool:
    """Whether a type takes a value. `wild`: in groups, where `<*>` stands for any."""
    name = kind[0]
    if name == "or":
        return any(fits(each, value, wild=wild) for each in kind[1])
    if name == "enum":
        return value in kind[1] or (wild and value.startswith("<"))
    if name == "int":
        number = re.fullmatch(r"-?[0-9]{1,20}", value)
        return number is not None and any(low <= int(value) <= high for low, high in kind[1])
    if name == "str":
        return _fits_text(kind, value, wild=wild)
    return bool(name != "empty")


def _fits_text(kind: list[Any], value: str, *, wild: bool) -> bool:
    _, lengths, patterns, posix, _ = kind
    if patterns == [_WILDCARD]:
        return wild and re.fullmatch(r"<.*>|\$.*", value) is not None
    if patterns:
        return any(_compile_pattern(each).fullmatch(value) for each in patterns)
    for each in (posix or ()) if not (wild and value.startswith("<")) else ():
        negative = each.startswith("!")
        if bool(_compile_posix(each.removeprefix("!")).search(value)) == negative:
            return False
    if not lengths:
        return True
    low, high = lengths
    return bool(low <= len(value) and (high is None or len(value) <= high))


def describe_type(kind: list[Any] | None) -> str:
    """What a type takes, in words."""
    name = kind[0] if kind else ""
    if kind is None or name not in ("or", "enum", "int", "str"):
        return "text"
    if name == "or":
        return " or ".join(dict.fromkeys(filter(None, map(describe_type, kind[1]))))
    if name == "enum":
        return "one of " + ", ".join(kind[1])
    if name == "int":
        return "a number from " + " or from ".join(f"{low} to {high}" for low, high in kind[1])
    return _describe_text_type(kind)


def _describe_text_type(kind: list[Any]) -> str:
    _, lengths, patterns, _, message = kind
    if message:
        words = f"{message[0].lower()}{message[1:]}"
        return words.removeprefix("must be ") if words.startswith("must be ") else f"text that fits the model ({words})"
    if patterns:
        return "" if patterns == [_WILDCARD] else "/".join(each.replace("\\", "") for each in patterns)
    return f"text of {lengths[0]} to {lengths[1]} characters" if lengths else "text"


@cache
def _compile_pattern(written: str) -> re.Pattern[str]:
    """A pattern of the models, in which `$` before `.*` stands for itself."""
    return re.compile(written.replace("$.*", r"\$.*"))


@cache
def _compile_posix(written: str) -> re.Pattern[str]:
    """A POSIX regular expression as Python reads it: inside brackets a backslash and `[` stand for themselves."""
    text = re.sub(r"\[:(\w+):\]", lambda found: _POSIX.get(found[1], ""), written)
    out: list[str] = []
    inside = False
    at = 0
    while at < len(text):
        piece = text[at]
        if inside:
            inside = piece != "]"
            if piece == "[" or (piece == "\\" and text[at + 1 : at + 2] not in ("[", "s", "t")):
                piece = "\\" + piece
            elif piece == "\\":
                piece = text[at : at + 2]
                at += 1
        elif piece == "[":
            inside = True
            opened = next((each for each in ("[^]", "[]") if text.startswith(each, at)), "[")
            at += len(opened) - 1
            piece = opened.replace("]", r"\]")
        elif piece == "\\":
            piece = text[at : at + 2]
            at += 1
        out.append(piece)
        at += 1
    return re.compile("".join(out))
