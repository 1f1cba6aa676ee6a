"""Texts of NVUE as what they set and unset: lists of operations, bodies of REST requests, and commands of `nv`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import Document, SourceError
from rocecfg.source.yaml import Map, Scalar, Seq, compose

_COMMAND = re.compile(r"\s*(?:\S+[$#]\s+)?(?:sudo\s+)?nv (?:set|unset)\b")
_PROMPT = re.compile(r"\S*[$#]")
_LONGEST = 4000  # characters of a quoted value
_WRITTEN = re.compile(r"Cumulus Linux (\d+\.\d+(?:\.\d+)?)")
_REMARKED = re.compile(r"#.*?\b(?:Cumulus Linux|rocecfg: cumulus) (\d+\.\d+(?:\.\d+)?)")
VERBS = ("set", "unset")
_OTHER_VERBS = ("show", "config", "action", "list")
_HEADER = "header"

# Of what NVUE's YAML does not take for text. YAML 1.1's `on`, `11:11` and dates stay text, as NVUE reads them.
_WORDS = {"true": True, "false": False, "~": None, "null": None, "": None}
_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,400})")
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]+")


class NvueTree(NamedTuple):
    """A mapping: its keys in order, and what stands below each."""

    at: int  # the line
    below: dict[str, NvueTree | NvueLeaf]


class NvueLeaf(NamedTuple):
    """A value: text, number, flag or nothing. A list as YAML has it, whose items are no leaves."""

    at: int
    value: Any


class Operation(NamedTuple):
    """A tree that is set or unset. `verb`: any other word stands where an operation should."""

    verb: str
    tree: NvueTree | NvueLeaf


class Command(NamedTuple):
    """A line of `nv set` or `nv unset`."""

    verb: str
    at: int
    words: tuple[str, ...]


def release_of(document: Document) -> str | None:
    """The release of Cumulus Linux that a text names: in its header, or in the comments that it begins with."""
    for line in document.text.split("\n"):
        if re.match(r"\s*[\"']?version[\"']?:", line) and (found := _WRITTEN.search(line)):
            return found[1]
    for line in document.text.split("\n"):
        if line.strip() and not line.startswith("#"):
            return None
        if found := _REMARKED.match(line):
            return found[1]
    return None


def are_commands(text: str) -> bool:
    """Whether some line of a text is a command of `nv`, and it is not YAML therefore."""
    return any(_COMMAND.match(line) for line in text.splitlines())


def read_commands(document: Document, others: list[str]) -> Iterator[Command]:
    """The commands of a script that set and unset; `others` gets its other lines of `nv`, but for plain known ones.

    Raises SourceError for a quote that is never closed.
    """
    held, began = "", 0
    for number, line in enumerate(document.text.split("\n"), 1):
        if not held and line.lstrip().startswith("#"):
            continue
        text = f"{held}\n{line.strip()}" if held else line.strip()
        began = began or number
        try:
            words = shlex.split(text, comments=True)
        except ValueError:
            if "nv set" not in text:  # of a shell's own, which is not judged
                held, began = "", 0
                continue
            if len(text) >= _LONGEST:
                break
            held = text
            continue
        command = _parse_command(words, began, others)
        if command is not None:
            yield command
        held, began = "", 0
    if held:
        raise SourceError(document.path, "a quote that is never closed", "close it on its line", began)


def _parse_command(words: list[str], line: int, others: list[str]) -> Command | None:
    while words and (words[0] == "sudo" or _PROMPT.fullmatch(words[0])):
        words = words[1:]
    if len(words) < 2 or words[0] != "nv":
        return None
    if words[1] in VERBS and len(words) >= 3:
        return Command(words[1], line, tuple(words[2:]))
    if words[1] not in _OTHER_VERBS:
        others.append(f"line {line}: {' '.join(words)[:60]}")
    return None


def read_operations(document: Document) -> Iterator[Operation]:
    """What a text in YAML or JSON sets and unsets. Raises SourceError for one that is not a list of operations."""
    root = compose(document)
    if type(root) is Map:
        yield Operation(VERBS[0], _to_tree(root, document, 1))
        return
    if type(root) is not Seq:
        fix = "NVUE takes `- set:` with what is set below it, and prints it with nv config show"
        raise SourceError(document.path, "no list of operations (header, set, unset), and no mapping", fix)
    for item in root.items:
        line = document.place(item.start)[0]
        if type(item) is not Map or not item.pairs:
            yield Operation("", NvueLeaf(line, item.text if type(item) is Scalar else None))
            continue
        for verb, tree in _to_tree(item, document, line).below.items():
            if verb != _HEADER:
                yield Operation(verb, tree)
            elif type(tree) is not NvueTree:
                yield Operation("", tree)


def _to_tree(node: Map, document: Document, line: int) -> NvueTree:
    below: dict[str, NvueTree | NvueLeaf] = {}
    for key, value in node.pairs:
        at, column = document.place(key.start)
        if key.text in below:
            message = f"the key {key.text!r} appears twice here"
            raise SourceError(document.path, message, "NVUE accepts neither: keep one", at, column)
        if type(value) is Map:
            below[key.text] = _to_tree(value, document, at)
        else:
            below[key.text] = NvueLeaf(at, _to_python(value))
    return NvueTree(line, below)


def _to_python(node: Any) -> Any:
    """A node as Python has its values, with the types that NVUE gives words without quotes."""
    if type(node) is Seq:
        return [_to_python(item) for item in node.items]
    if type(node) is Map:
        return {key.text: _to_python(value) for key, value in node.pairs}
    text = node.text
    if not node.plain:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _DECIMAL.fullmatch(text) else text
