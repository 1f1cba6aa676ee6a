"""SONiC's YANG models as the tables of CONFIG_DB: which module a table is of, its lists with their keys, its fields.

The models are read as text for this alone; what they say of values and references is libyang's to judge.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.source.document import SourceError, decode, read_bytes

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*.*?\*/|\"(?:[^\"\\]|\\.)*\"|'[^']*'|[{};]|[^\s{};\"']+", re.DOTALL
)  # RFC 7950, section 6.1
_DEEPEST = 64


class YangStatement(NamedTuple):
    """A statement of YANG."""

    keyword: str
    argument: str
    below: list[YangStatement]


class YangNode(NamedTuple):
    """What a table, a list or a container holds."""

    leafs: set[str]
    leaf_lists: set[str]
    lists: dict[str, YangNode]
    containers: dict[str, YangNode]
    keys: tuple[str, ...] = ()  # of a list


class YangTable(NamedTuple):
    """A table, and the module that has it."""

    module: str
    node: YangNode


def list_model_files(folder: str) -> list[str]:
    """The files of models in a folder."""
    return sorted(name for name in os.listdir(folder) if name.endswith(".yang"))


def read_tables(folder: str) -> dict[str, YangTable]:
    """The tables that the models of a folder have. Raises SourceError for one that is not YANG."""
    modules, paths = {}, {}
    for name in list_model_files(folder):
        path = os.path.join(folder, name)
        module = _parse_module(path, decode(path, read_bytes(path)))
        modules[module.argument] = module.below
        paths[module.argument] = path
    return _Modules(modules, paths).tables()


def _parse_module(path: str, text: str) -> YangStatement:
    tokens = [token for token in _TOKEN.findall(text) if not token.isspace() and not token.startswith(("//", "/*"))]
    try:
        statements, end = _parse_block(tokens, 0, 0)
    except (IndexError, RecursionError):
        statements, end = [], 0
    if not statements or end != len(tokens) or statements[0].keyword not in ("module", "submodule"):
        raise SourceError(path, "is not a module of YANG", "copy the folder of models again")
    return statements[0]


def _parse_block(tokens: list[str], at: int, depth: int) -> tuple[list[YangStatement], int]:
    """The statements up to a closing brace, and where that is. Raises IndexError where the text ends before."""
    if depth > _DEEPEST:
        raise RecursionError
    out: list[YangStatement] = []
    while at < len(tokens) and tokens[at] != "}":
        keyword, words = tokens[at], []
        at += 1
        while tokens[at] not in ("{", ";"):
            word = tokens[at]
            if word == "}":
                raise IndexError
            if word != "+":
                words.append(word[1:-1] if word[0] in "\"'" else word)
            at += 1
        below: list[YangStatement] = []
        if tokens[at] == "{":
            below, at = _parse_block(tokens, at + 1, depth + 1)
            if tokens[at] != "}":
                raise IndexError
        out.append(YangStatement(keyword, "".join(words), below))
        at += 1
    return out, at


class _Modules:
    """Modules by their names, with the groupings that they use of one another."""

    def __init__(self, modules: dict[str, list[YangStatement]], paths: dict[str, str]) -> None:
        """Raises SourceError for a grouping that uses itself, which YANG forbids (RFC 7950, 7.12)."""
        self._modules = modules
        self._paths = paths
        self._sound: set[tuple[str, str]] = set()  # groupings that do not use themselves
        for name, statements in modules.items():
            for grouping in self._groupings(statements):
                self._refuse_circle(name, grouping, ())

    def _refuse_circle(self, module: str, grouping: YangStatement, inside: tuple[tuple[str, str], ...]) -> None:
        here = (module, grouping.argument)
        if here in inside:
            message = f"grouping {grouping.argument} uses itself"
            raise SourceError(self._paths[module], message, "copy the folder of models again")
        for used in self._used_in(grouping.below):
            of, found = self._find_grouping(module, used)
            if found is not None and (of, found.argument) not in self._sound:
                self._refuse_circle(of, found, (*inside, here))
        self._sound.add(here)

    def _used_in(self, statements: list[YangStatement]) -> Iterator[str]:
        """What these statements use, however deep."""
        for each in statements:
            if each.keyword == "uses":
                yield each.argument
            yield from self._used_in(each.below)

    def _find_grouping(self, module: str, used: str) -> tuple[str, YangStatement | None]:
        """The module of a grouping that a module uses, and the grouping; None: no module has it."""
        prefix, _, name = used.rpartition(":")
        of = self._module_of_prefix(module, prefix) if prefix else module
        return of, next((g for g in self._groupings(self._modules.get(of, [])) if g.argument == name), None)

    def tables(self) -> dict[str, YangTable]:
        """The containers in the container that a module is named after are the tables."""
        out: dict[str, YangTable] = {}
        for name, statements in self._modules.items():
            top = next((each for each in statements if each.keyword == "container"), None)
            if top is None or top.argument != name:
                continue
            for module, each in self._expand_uses(name, top.below):
                if each.keyword == "container":
                    out[each.argument] = YangTable(name, self._build_node(module, each.below))
        return out

    def _expand_uses(self, module: str, statements: list[YangStatement]) -> Iterator[tuple[str, YangStatement]]:
        """Statements with what they use in its place, each with the module whose prefixes it has."""
        for each in statements:
            if each.keyword == "uses":
                of, grouping = self._find_grouping(module, each.argument)
                if grouping is not None:
                    yield from self._expand_uses(of, grouping.below)
            elif each.keyword in ("choice", "case"):
                yield from self._expand_uses(module, each.below)
            else:
                yield module, each

    def _groupings(self, statements: list[YangStatement]) -> Iterator[YangStatement]:
        for each in statements:
            if each.keyword == "grouping":
                yield each
            yield from self._groupings(each.below)

    def _module_of_prefix(self, module: str, prefix: str) -> str:
        for each in self._modules[module]:
            if each.keyword == "import" and any((s.keyword, s.argument) == ("prefix", prefix) for s in each.below):
                return each.argument
        return module

    def _build_node(self, module: str, statements: list[YangStatement], keys: tuple[str, ...] = ()) -> YangNode:
        node = YangNode(set(), set(), {}, {}, keys)
        for of, each in self._expand_uses(module, statements):
            if each.keyword == "leaf":
                node.leafs.add(each.argument)
            elif each.keyword == "leaf-list":
                node.leaf_lists.add(each.argument)
            elif each.keyword == "container":
                node.containers[each.argument] = self._build_node(of, each.below)
            elif each.keyword == "list":
                key = next((inner.argument for inner in each.below if inner.keyword == "key"), "")
                node.lists[each.argument] = self._build_node(of, each.below, tuple(key.split()))
        return node
