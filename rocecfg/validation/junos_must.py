"""The commit checks of Juniper's models (`junos:must`): expressions on what a configuration has elsewhere."""

from __future__ import annotations

import re
from functools import cache

from rocecfg.core.records import NamedTuple
from rocecfg.validation.junos_schema import LIST, OPAQUE
from rocecfg.validation.junos_tree import JunosNode, matches

_TOKEN = re.compile(r'\s*("[^"]*"|\|\||&&|!|\(|\)|any\b|all\b|unique\b|[^\s()!&|"]+)')
_OPEN = ("unique", "all")  # what no configuration of its own can answer


class MustExpression(NamedTuple):
    """`kind`: path, not, and, or, any, all, unique."""

    kind: str
    parts: tuple[MustExpression, ...] = ()
    path: tuple[str, ...] = ()


def holds(written: str, node: JunosNode, root: JunosNode, tops: set[str]) -> bool | None:
    """Whether a check of a node holds; None where that cannot be told of what was read.

    `tops`: the words with which the statements of the configuration begin.
    """
    expression = _parse(written)
    return None if expression is None else _Evaluator(node, root, tops).evaluate(expression)


@cache
def _parse(written: str) -> MustExpression | None:
    """None for what is no expression of a known form."""
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

    def parse_or(self) -> MustExpression:
        return self._parse_chain("||", "or")

    def _parse_chain(self, sign: str, kind: str) -> MustExpression:
        one = self._parse_atom if kind == "and" else self._parse_and
        found = one()
        while self.at < len(self._tokens) and self._tokens[self.at] == sign:
            self.at += 1
            found = MustExpression(kind, (found, one()))
        return found

    def _parse_and(self) -> MustExpression:
        return self._parse_chain("&&", "and")

    def _parse_atom(self) -> MustExpression:
        sign = self._tokens[self.at]
        self.at += 1
        if sign == "!":
            return MustExpression("not", (self._parse_atom(),))
        if sign == "(":
            inner = self.parse_or()
            if self._tokens[self.at] != ")":
                raise ValueError(sign)
            self.at += 1
            return inner
        if sign in ("any", *_OPEN):
            return MustExpression(sign, (self._parse_atom(),))
        if sign.startswith('"'):
            return MustExpression("path", (), tuple(sign[1:-1].split()))
        raise ValueError(sign)


class _Evaluator:
    def __init__(self, node: JunosNode, root: JunosNode, tops: set[str]) -> None:
        self._node = node
        self._root = root
        self._tops = tops

    def evaluate(self, expression: MustExpression) -> bool | None:
        """Whether it holds; None: it cannot be told."""
        kind, parts, path = expression
        if kind in _OPEN:
            return None
        if kind == "path":
            return self._path_exists(path)
        value = self.evaluate(parts[0])
        if kind == "any" or (kind == "not" and value is None):
            return value
        if kind == "not":
            return not value
        decisive = kind == "or"  # one that is true settles an `or`, one that is false an `and`
        if value is decisive:
            return decisive
        other = self.evaluate(parts[1])
        return decisive if other is decisive else None if None in (value, other) else not decisive

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
            if not word.startswith(("..", "$$", "<")) and any(node.kind == OPAQUE for node in now):
                return None
            now, picked = self._follow_word(now, word, path[number + 1 : number + 2], picked=picked)
            if not now:
                return False
        return True

    def _follow_word(
        self, now: list[JunosNode], word: str, after: tuple[str, ...], *, picked: bool
    ) -> tuple[list[JunosNode], bool]:
        """The nodes that a word of a path leads to, and whether they are entries of a list just named."""
        if word == "..":
            return [node.parent for node in now if node.parent is not None], False
        if word.startswith("$$"):
            wanted = self._wanted_names(word)
            if picked:  # of many: each port asks for itself among all ports
                return [n for n in now if (n.key[0] in wanted if n.key else _has_value(n, wanted))], False
            return [node for node in now if _has_value(node, wanted)], False
        if word.startswith("<"):
            return [node for node in now if picked and matches(word, node.first)], False
        out, named = self._follow_keyword(now, word, picked=picked)
        if word == "interfaces" and out and out[0].kind == "c" and after and after[0].startswith(("$$", "<")):
            return [entry for node in out for entry in node.all("interface")], True
        return out, named

    @staticmethod
    def _follow_keyword(now: list[JunosNode], word: str, *, picked: bool) -> tuple[list[JunosNode], bool]:
        """What a plain word leads to: values, entries by their name, or what stands below a keyword.

        And whether these are entries of a list of that name.
        """
        out: list[JunosNode] = []
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


def _has_value(node: JunosNode, wanted: list[str | None]) -> bool:
    return node.is_leaf and any(value in wanted for value in node.values)


def _entries(node: JunosNode, name: str) -> list[JunosNode]:
    """The entries of that name, of a list without a keyword."""
    assert node.schema is not None
    lists = [word for word, schema in node.schema.unwritten if schema.kind == LIST]
    return [entry for word in lists for entry in node.all(word) if name in entry.key]
