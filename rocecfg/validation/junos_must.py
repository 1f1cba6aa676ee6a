"""The commit checks of Juniper's models (`junos:must`): expressions on what a configuration has elsewhere."""

from __future__ import annotations

import re
from functools import cache

from rocecfg.core.records import NamedTuple
from rocecfg.validation.junos_schema import LIST
from rocecfg.validation.junos_tree import Node, matches

_TOKEN = re.compile(r'\s*("[^"]*"|\|\||&&|!|\(|\)|any\b|all\b|unique\b|[^\s()!&|"]+)')
_OPEN = ("unique", "all")  # what no configuration of its own can answer


class Expression(NamedTuple):
    """`kind`: path, not, and, or, any, all, unique."""

    kind: str
    parts: tuple[Expression, ...] = ()
    path: tuple[str, ...] = ()


def holds(written: str, node: Node, root: Node, tops: set[str]) -> bool | None:
    """Whether a check of a node holds; None where that cannot be told of what was read.

    `tops`: the words with which the statements of the configuration begin.
    """
    expression = _parse(written)
    return None if expression is None else _Evaluator(node, root, tops).evaluate(expression)


@cache
def _parse(written: str) -> Expression | None:
    """None for what is not an expression of a known form."""
    tokens = []
    at = 0
    while at < len(written):
        found = _TOKEN.match(written, at)
        if found is None:
            return None
        tokens.append(found[1])
        at = found.end()
    try:
        parser = _Parser(tokens)
        expression = parser.parse_or()
    except (ValueError, IndexError):
        return None
    return expression if parser.at == len(tokens) else None


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self.at = 0

    def parse_or(self) -> Expression:
        return self._parse_chain("||", "or")

    def _parse_chain(self, sign: str, kind: str) -> Expression:
        one = self._parse_atom if kind == "and" else self._parse_and
        found = one()
        while self.at < len(self._tokens) and self._tokens[self.at] == sign:
            self.at += 1
            found = Expression(kind, (found, one()))
        return found

    def _parse_and(self) -> Expression:
        return self._parse_chain("&&", "and")

    def _parse_atom(self) -> Expression:
        sign = self._tokens[self.at]
        self.at += 1
        if sign == "!":
            return Expression("not", (self._parse_atom(),))
        if sign == "(":
            inner = self.parse_or()
            if self._tokens[self.at] != ")":
                raise ValueError(sign)
            self.at += 1
            return inner
        if sign in ("any", *_OPEN):
            return Expression(sign, (self._parse_atom(),))
        if sign.startswith('"'):
            return Expression("path", (), tuple(sign[1:-1].split()))
        raise ValueError(sign)


class _Evaluator:
    def __init__(self, node: Node, root: Node, tops: set[str]) -> None:
        self._node = node
        self._root = root
        self._tops = tops

    def evaluate(self, expression: Expression) -> bool | None:
        """Whether it holds; None: it cannot be told."""
        kind, parts, path = expression
        if kind in _OPEN:
            return None
        if kind == "path":
            return self._path_exists(path)
        values = [self.evaluate(part) for part in parts]
        if kind == "not":
            return None if values[0] is None else not values[0]
        if kind == "any":
            return values[0]
        decisive = kind == "or"  # one that is true settles an `or`, one that is false an `and`
        if decisive in values:
            return decisive
        return None if None in values else not decisive

    def _path_exists(self, path: tuple[str, ...]) -> bool | None:
        """Whether anything stands at a path, from the node itself (`..`) or from the top."""
        if any("${" in word for word in path):
            return None
        now = [self._node]
        if path[0] != "..":
            assert self._root.schema is not None
            if path[0] not in self._tops or path[0] not in self._root.schema.children:
                return None
            now = [self._root]
        picked = False  # the nodes are entries of a list just named, and the next word may be their name
        for number, word in enumerate(path):
            if any(node.schema is None or node.schema.kind == "x" for node in now) and not word.startswith(
                ("..", "$$", "<")
            ):
                return None
            now, picked = self._follow_word(now, word, path[number + 1 : number + 2], picked=picked)
            if not now:
                return False
        return True

    def _follow_word(
        self, now: list[Node], word: str, after: tuple[str, ...], *, picked: bool
    ) -> tuple[list[Node], bool]:
        """The nodes that a word of a path leads to, and whether they are entries of a list just named."""
        if word == "..":
            return [node.parent for node in now if node.parent is not None], False
        if word.startswith("$$"):
            wanted = self._wanted_names(word)
            return [node for node in now if self._is_one_of(node, wanted, picked=picked)], False
        if word.startswith("<"):
            return [node for node in now if picked and matches(word, node.first)], False
        out, named = self._follow_keyword(now, word, picked=picked)
        if word == "interfaces" and out and out[0].kind == "c" and after and after[0].startswith(("$$", "<")):
            return [entry for node in out for entry in node.all("interface")], True
        return out, named

    @staticmethod
    def _follow_keyword(now: list[Node], word: str, *, picked: bool) -> tuple[list[Node], bool]:
        """What a plain word leads to: values, entries by their name, or what stands below a keyword.

        And whether these are entries of a list of that name.
        """
        out: list[Node] = []
        named = False
        for node in now:
            assert node.schema is not None
            if node.is_leaf:
                out += [node] if word in node.values else []
            elif picked and node.schema.child(word) is None:
                out += [node] if word in node.key else []
            else:
                found = node.all(word) or _entries(node, word)
                named = named or any(each.kind == LIST and word == each.name for each in found)
                out += found
        return out, named

    def _wanted_names(self, word: str) -> list[str | None]:
        """The names that `$$` or `$$.{a|b}` stands for."""
        node = self._node
        if word == "$$":
            return [node.values[-1] if node.values else node.first if node.key else None]
        return [*word[word.index("{") + 1 : word.rindex("}")].split("|")]

    @staticmethod
    def _is_one_of(node: Node, wanted: list[str | None], *, picked: bool) -> bool:
        if node.is_leaf:
            return any(value in wanted for value in node.values)
        return picked and bool(node.key) and node.first in wanted


def _entries(node: Node, name: str) -> list[Node]:
    """The entries of that name, of a list without a keyword."""
    assert node.schema is not None
    lists = [word for word, schema in node.schema.unwritten if schema.kind == LIST]
    return [entry for word in lists for entry in node.all(word) if name in entry.key]
