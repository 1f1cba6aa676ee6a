"""What a configuration of Junos amounts to: the statements that were read, and those that groups lend them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from rocecfg.validation.junos_schema import LEAF, LEAVES, LIST, OPAQUE, Schema

Key = tuple[str, ...]


class JunosNode:
    """A container, an entry of a list (`key`: its name) or a leaf (`values`) that a configuration has."""

    __slots__ = (
        "active",
        "below",
        "groups",
        "groups_line",
        "key",
        "line",
        "lines",
        "name",
        "parent",
        "schema",
        "values",
    )

    def __init__(
        self, schema: Schema | None, name: str, key: Key = (), parent: JunosNode | None = None, line: int = 0
    ) -> None:
        self.schema = schema  # None: the models do not follow what stands here
        self.name = name
        self.key = key
        self.parent = parent
        self.line = line
        self.below: dict[str, dict[Key, JunosNode]] = {}
        self.values: list[str] = []
        self.lines: list[int] = []  # of the values
        self.active = True
        self.groups: list[str] = []  # of apply-groups here
        self.groups_line = line

    @property
    def kind(self) -> str:
        """The kind of its schema."""
        return OPAQUE if self.schema is None else self.schema.kind

    @property
    def is_leaf(self) -> bool:
        """Whether it has values and nothing below."""
        return self.kind in (LEAF, LEAVES)

    @property
    def first(self) -> str:
        """The name of an entry."""
        return self.key[0]

    def add(self, schema: Schema | None, name: str, key: Key, line: int) -> JunosNode:
        """What stands below by that name and key, made where it is not there yet."""
        entries = self.below.setdefault(name, {})
        found = entries.get(key)
        if found is None:
            found = entries[key] = JunosNode(schema, name, key, self, line)
        return found

    def remove(self) -> None:
        """Take it out of what it stands below."""
        if self.parent is not None:
            self.parent.below.get(self.name, {}).pop(self.key, None)

    def inherit(self, names: list[str], line: int) -> None:
        """Note apply-groups."""
        self.groups += names
        self.groups_line = line

    def everything(self) -> Iterator[JunosNode]:
        """All that stands below, active or not."""
        for entries in self.below.values():
            yield from entries.values()

    def all(self, name: str) -> list[JunosNode]:
        """What is active below by a name."""
        return [node for node in self.below.get(name, {}).values() if node.active]

    def one(self, name: str) -> JunosNode | None:
        """The first of them."""
        return next((node for node in self.below.get(name, {}).values() if node.active), None)

    def value(self, name: str) -> str | None:
        """The last value of a leaf below."""
        leaf = self.one(name)
        return leaf.values[-1] if leaf is not None and leaf.values else None

    def named(self, name: str) -> set[str]:
        """The names of the entries of a list below."""
        return {node.first for node in self.all(name)}

    def trail(self) -> list[JunosNode]:
        """The nodes from the top down to this one, the top left out."""
        out = []
        node: JunosNode | None = self
        while node is not None and node.parent is not None:
            out.append(node)
            node = node.parent
        return out[::-1]

    def path(self) -> str:
        """The words that lead here."""
        words = []
        for node in self.trail():
            bare = node.schema is not None and node.schema.bare and node.kind == LIST
            words += [*node.key] if bare else [node.name, *node.key]
        return " ".join(words)


def find_below(node: JunosNode, name: str) -> Iterator[JunosNode]:
    """All that is active below by a name, at any depth."""
    for child in node.everything():
        if child.active:
            if child.name == name:
                yield child
            yield from find_below(child, name)


@cache
def _compile_wildcard(written: str) -> re.Pattern[str]:
    if not (written.startswith("<") and written.endswith(">")):
        return re.compile(re.escape(written))
    text = re.sub(r"\\\[(.*?)\\\]", r"[\1]", re.escape(written[1:-1]))
    return re.compile(text.replace(r"\*", ".*").replace(r"\?", ".").replace(r"\-", "-"))


def matches(written: str, name: str) -> bool:
    """Whether a name of a group, which may be a wildcard, is intended for one of the configuration."""
    return _compile_wildcard(written).fullmatch(name) is not None


class Groups:
    """The groups of a configuration, and what they lend. `unknown`: names in apply-groups that are none, by line."""

    def __init__(self) -> None:
        self.roots: dict[str, JunosNode] = {}
        self.unknown: list[tuple[int, str]] = []

    def root(self, name: str, schema: Schema) -> JunosNode:
        """The top of a group."""
        return self.roots.setdefault(name, JunosNode(schema, ""))

    def merged(self, main: JunosNode, broken: set[JunosNode]) -> JunosNode:
        """The configuration with what its groups lend. `broken` gets the copies of those in it."""
        return self._merge(main, [], broken) if self.roots else main

    def _merge(self, main: JunosNode, lent: list[JunosNode], broken: set[JunosNode]) -> JunosNode:
        out = JunosNode(main.schema, main.name, main.key, None, main.line)
        out.values, out.lines, out.active = list(main.values), list(main.lines), main.active
        if main in broken:
            broken.add(out)
        sources = lent + self._lent_by_groups(main)
        wanted: dict[tuple[str, Key], list[JunosNode]] = {(node.name, node.key): [] for node in main.everything()}
        for source in sources:
            for child in source.everything():
                if any("<" in part for part in child.key):
                    for key in main.below.get(child.name, {}):
                        if len(key) == len(child.key) and all(map(matches, child.key, key)):
                            wanted[child.name, key].append(child)
                else:
                    wanted.setdefault((child.name, child.key), []).append(child)
        for (name, key), those in wanted.items():
            base = main.below.get(name, {}).get(key)
            if base is None:
                base = JunosNode(those[0].schema, name, key, main, those[0].line)
                base.values = list(those[0].values) if those[0].is_leaf else []
                base.lines, base.active = list(those[0].lines), those[0].active
            merged = self._merge(base, those, broken)
            merged.parent = out
            out.below.setdefault(name, {})[key] = merged
        return out

    def _lent_by_groups(self, main: JunosNode) -> list[JunosNode]:
        """What the groups that apply-groups names at a node have for it."""
        out: list[JunosNode] = []
        trail = main.trail()
        for name in main.groups:
            if name not in self.roots:
                self.unknown.append((main.groups_line, name))
                continue
            found = [self.roots[name]]
            for step in trail:
                found = [child for node in found for child in _matching_nodes(node, step)]
            out += found
        return out


def _matching_nodes(node: JunosNode, step: JunosNode) -> Iterator[JunosNode]:
    """What of a group stands for a node of the configuration."""
    for key, child in node.below.get(step.name, {}).items():
        if len(key) == len(step.key) and all(map(matches, key, step.key)):
            yield child
