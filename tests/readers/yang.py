"""The tables of SONiC's YANG models, as far as a test needs them: rows, their fields, and what the fields take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?P<quoted>(?:\\.|[^"\\])*)" | '(?P<single>[^']*)' | (?P<mark>[{};]) """
    r"""| (?P<word>[^\s{};"']+)""",
    re.VERBOSE | re.DOTALL,
)
_BASES = {"uint8": (0, 2**8 - 1), "uint16": (0, 2**16 - 1), "uint32": (0, 2**32 - 1), "uint64": (0, 2**64 - 1)}
_BASES |= {f"int{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)}


class Node(NamedTuple):
    """A statement of YANG: `leaf name { ... }`."""

    word: str
    argument: str
    below: list[Node]

    def all(self, word: str) -> list[Node]:
        return [node for node in self.below if node.word == word]

    def first(self, word: str) -> Node | None:
        return next(iter(self.all(word)), None)


class Leaf(NamedTuple):
    """A field: the words it takes, or its range; neither: a name or another text."""

    words: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    table: str = ""  # whose rows it names
    default: str | None = None


class Rows(NamedTuple):
    """A list of a table, or one row of a fixed name."""

    row: str  # "": any name
    fields: dict[str, Leaf]


def parse(text: str) -> list[Node]:
    """The statements of a module."""
    top: list[Node] = []
    stack = [top]
    words: list[str] = []
    for found in _TOKEN.finditer(text):
        if found["mark"] is None:
            value = next((found[kind] for kind in ("quoted", "single", "word") if found[kind] is not None), None)
            if value == "+" and found["word"]:
                words[-1:] = [words[-1] + "\0"]
            elif value is not None and words and words[-1].endswith("\0"):
                words[-1] = words[-1][:-1] + value
            elif value is not None:
                words.append(value)
            continue
        if found["mark"] == "}":
            stack.pop()
        elif words:
            node = Node(words[0], " ".join(words[1:]), [])
            stack[-1].append(node)
            if found["mark"] == "{":
                stack.append(node.below)
        words = []
    return top


def tables(folder: Path) -> dict[str, list[Rows]]:
    """The tables of all models in a folder of sources: yang-models and yang-templates."""
    modules = [parse(_plain(path)) for path in sorted(folder.glob("*/sonic-*.yang*"))]
    modules = [[*module[0].below] for module in modules if module and module[0].word == "module"]
    types = {node.argument: node for module in modules for node in module if node.word == "typedef"}
    types |= {n.argument: n for path in folder.glob("*/sonic-types.yang.j2") for n in _typedefs(parse(_plain(path)))}
    found: dict[str, list[Rows]] = {}
    for module in modules:
        groups = {node.argument: node for node in module if node.word == "grouping"}
        for top in module:
            for table in top.all("container") if top.word == "container" else ():
                rows = found.setdefault(table.argument, [])
                for node in table.below:
                    if node.word in ("list", "container"):
                        rows.append(
                            Rows(node.argument if node.word == "container" else "", _fields(node, groups, types))
                        )
    return found


def _plain(path: Path) -> str:
    return re.sub(r"{[%#].*?[%#]}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def _typedefs(nodes: list[Node]) -> Iterator[Node]:
    for node in nodes:
        yield from (each for each in node.below if each.word == "typedef")


def _fields(node: Node, groups: dict[str, Node], types: dict[str, Node]) -> dict[str, Leaf]:
    key = node.first("key")
    keys = key.argument.split() if key is not None and node.word == "list" else []
    return {name: leaf for name, leaf in _leaves(node, groups, types) if name not in keys}


def _leaves(node: Node, groups: dict[str, Node], types: dict[str, Node]) -> Iterator[tuple[str, Leaf]]:
    for each in node.below:
        if each.word in ("leaf", "leaf-list"):
            kind, default = each.first("type"), each.first("default")
            leaf = _leaf(kind, types) if kind is not None else Leaf()
            yield each.argument, leaf._replace(default=default.argument if default is not None else None)
        elif each.word in ("choice", "case", "list"):
            yield from _leaves(each, groups, types)
        elif each.word == "uses" and each.argument in groups:
            yield from _leaves(groups[each.argument], groups, types)


def _leaf(kind: Node, types: dict[str, Node]) -> Leaf:
    name = kind.argument.rpartition(":")[2]
    if name == "enumeration":
        return Leaf(tuple(node.argument for node in kind.all("enum")))
    if name == "boolean":
        return Leaf(("true", "false"))
    if name in _BASES:
        low, high = _BASES[name]
        limits = kind.first("range")
        if limits is not None:
            ends = re.split(r"\.\.|\|", limits.argument.replace(" ", ""))
            low = low if ends[0] == "min" else int(ends[0])
            high = high if ends[-1] == "max" else int(ends[-1])
        return Leaf((), low, high)
    if name == "leafref":
        path = kind.first("path")
        steps = re.findall(r"/(?:\w+:)?([\w-]+)", path.argument if path is not None else "")
        return Leaf(table=steps[1] if len(steps) > 1 else "")
    if name == "union":
        return Leaf(table=next((leaf.table for each in kind.all("type") if (leaf := _leaf(each, types)).table), ""))
    own = types.get(name)
    below = own.first("type") if own is not None else None
    return _leaf(below, types) if below is not None else Leaf()
