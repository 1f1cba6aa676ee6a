"""Statements of Junos along the models: each keyword, entry and value is looked up where it stands."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.validation.junos_schema import CONTAINER, LEAF, LEAVES, LIST, OPAQUE, Schema, describe_type, fits
from rocecfg.validation.junos_text import Word, join_words
from rocecfg.validation.junos_tree import JunosNode

_APPLY = ("apply-groups", "apply-groups-except", "apply-macro", "apply-flags")
_IN_PART = frozenset({"chassis", "protocols"})  # of which the models follow only what RoCE needs
_NEAR = 0.75  # of difflib's likeness: a slip
_ALIKE = 0.7
_SHOWN = 12
_INTERFACE = re.compile(
    r"(?:(?:et|xe|ge|mge|fte|fxp|em|vme|re\d:mgmt)-?[\w*\[\],/:.<>!-]*"
    r"|(?:ae|irb|lo|gr|vtep|esi|me|st|sxe|fab|reth|ps|lt|si|ip|lc|all|any|vlan|dsc|gre|ipip|lsi|mtun|pimd|pime|tap)"
    r"[\w*\[\]\-/:.]*|\*)"
)
_SHORT = re.compile(r"-\d+/\d+(?!/)(?:\Z|[^\d/])")  # et-0/0: a port has three numbers
_RATE = re.compile(r"\d+(\.\d+)?[kmgKMG]?")
_COUNTED = frozenset({"metre", "bytes", "cells", "microseconds", "cps"})
_WIDTHS = {"dscp": 6, "dscp-ipv6": 6, "exp": 3, "ieee-802.1": 3, "ieee-802.1ad": 4, "inet-precedence": 3}
_PRIORITIES = frozenset({"low", "high", "medium-low", "medium-high", "strict-high", "low-latency"})
_QUEUES = 11  # 0 to 7 unicast, 8 to 11 multidestination
_MTU = (256, 9216)  # of a QFX port; the models have no range


NO_WORD = "no '"  # how it is said that the models lack a word
MEANT = " (meant "


class RefusedStatement(Exception):
    """What the models do not take. `early`: only because the statement ends where it does."""

    def __init__(self, line: int, where: str, message: str, *, early: bool = False) -> None:
        super().__init__(message)
        self.line = line
        self.where = where
        self.message = message
        self.early = early


class PlacedStatement(NamedTuple):
    """Where a statement belongs. `entries`: the list whose entries its block holds; `opaque`: not followed below."""

    node: JunosNode
    entries: tuple[str, Schema] | None = None
    opaque: bool = False


class StatementWalk:
    """One statement, from the node below which it stands. `here`: how far it came.

    `wild`: it is of a group; `block`: a block follows it; `braces`: it is not a line of `set`.
    """

    def __init__(self, start: JunosNode, words: list[Word], *, wild: bool, block: bool, braces: bool) -> None:
        self.here = self._start = start
        self._words = words
        self._wild = wild
        self._block = block
        self._braces = braces
        self._at = 0  # number of the next word
        self._last: JunosNode | None = None  # the leaf that has just ended

    def place(self) -> PlacedStatement:
        """Add the statement to what was read. Raises Refused."""
        while self._at < len(self._words):
            word = self._words[self._at]
            if word.place:
                raise self._refusal(word.line, f"'[' does not belong after '{join_words(self._words[: self._at])}'")
            if word.text in _APPLY:
                if word.text == "apply-groups":
                    names = [each.text for each in self._words[self._at + 1 :] if each.place != "["]
                    self.here.inherit(names, word.line)
                return PlacedStatement(self.here, opaque=word.text == "apply-macro")
            if self._last is not None and self.here is self._start and self._braces:
                after = join_words(self._words[: self._at])
                what = "';' is missing"
                if word.line == self._words[self._at - 1].line:  # a later release may take more words
                    what = f"must be a statement of its own ({what})"
                message = f"'{word.text}' after '{after}': {what}, or it stands at the wrong level"
                raise self._refusal(word.line, message)
            child = self._find_child(word)
            if child is None:
                return PlacedStatement(JunosNode(None, word.text, (), None, word.line), opaque=True)
            done = self._enter_child(*child, word.line)
            if done is not None:
                return done
        return PlacedStatement(self.here)

    def _enter_child(self, name: str, schema: Schema, line: int) -> PlacedStatement | None:
        """Go to a child; None: more words may follow."""
        if schema.kind == OPAQUE:
            return PlacedStatement(self.here.add(schema, name, (), line), opaque=True)
        if schema.kind == LIST:
            return self._place_entry(name, schema, line)
        if schema.kind == CONTAINER:
            self.here = self.here.add(schema, name, (), line)
            self._last = None
            return None
        self._last = self._place_leaf(name, schema, line)
        if self._at < len(self._words):
            return None
        if self._block:
            raise self._refusal(line, f"'{name}' takes no block", early=True)
        return PlacedStatement(self._last)

    # -- keywords

    def _find_child(self, word: Word) -> tuple[str, Schema] | None:
        """The child that a word begins; None: it is of a part that the models do not follow."""
        assert self.here.schema is not None
        schema = self.here.schema
        child = schema.child(word.text)
        if child is not None and not (child.bare and (child.kind in (LEAF, LIST) or schema.keys == [word.text])):
            self._at += 1
            return word.text, child
        candidates = [each for each in schema.unwritten if self._may_come(*each)]
        picked = self._pick_unwritten(word, candidates)
        if picked is None:
            is_value = bool(candidates) and candidates[0][1].kind in (LEAF, LEAVES)
            if is_value and not difflib.get_close_matches(word.text, schema.words, 1, _NEAR):
                raise self._refusal(word.line, f"'{word.text}' is not {describe_type(candidates[0][1].type)}")
            if self._is_followed_in_part():
                return None
        if picked is None or (picked[0] == "interface" and not _is_interface(word.text, wild=self._wild)):
            where = self.here.path() or "the top"
            raise self._refusal(
                word.line, f"{NO_WORD}{word.text}' below '{where}'{_suggest_keyword(word.text, schema)}"
            )
        return picked

    def _pick_unwritten(self, word: Word, candidates: list[tuple[str, Schema]]) -> tuple[str, Schema] | None:
        """The child without a keyword that a word belongs to: a leaf that takes it as value, else the last list."""
        leaves = (each for each in candidates if each[1].type and each[1].kind in (LEAF, LEAVES))
        picked = next((each for each in leaves if fits(each[1].type or [], word.text, wild=self._wild)), None)
        return picked or next((each for each in reversed(candidates) if each[1].kind == LIST), None)

    def _is_followed_in_part(self) -> bool:
        """Whether the models have only a part of what may stand here."""
        return self.here.name in _IN_PART and self.here.parent is not None and self.here.parent.parent is None

    def _may_come(self, name: str, child: Schema) -> bool:
        """Whether a child without a keyword may come next: not a leaf that has just had its value."""
        ended = self._last is not None and self._last.name == name
        return child.kind == LIST or () not in self.here.below.get(name, {}) or not ended

    # -- entries of lists

    def _place_entry(self, name: str, schema: Schema, line: int) -> PlacedStatement | None:
        words = self._words
        if self._at >= len(words) and self._block and schema.entries and self._braces:
            return PlacedStatement(self.here, entries=(name, schema))
        if self._at + 1 < len(words) and words[self._at].place == "[":
            return self._place_entries(name, schema, line)
        key = []
        for each in schema.keys:
            child = schema.child(each)
            if child is None or not child.bare:
                if self._at >= len(words) or words[self._at].text != each or words[self._at].place:
                    found = f", not '{words[self._at].text}'" if self._at < len(words) else ""
                    raise self._refusal(line, f"'{name}' needs '{each}'{found}")
                self._at += 1
            if self._at >= len(words) or words[self._at].place:
                raise self._refusal(line, f"'{name}' needs a {each}", early=True)
            self._check_key(name, child, words[self._at].text, line)
            key.append(words[self._at].text)
            self._at += 1
        self.here = self.here.add(schema, name, tuple(key), line)
        self._last = None
        return None

    def _place_entries(self, name: str, schema: Schema, line: int) -> PlacedStatement:
        """Several entries, named in brackets."""
        values = [word.text for word in self._words[self._at + 1 :] if word.place == "in"]
        if len(schema.keys) != 1 or self._block or self._at + 1 + len(values) != len(self._words) or not values:
            raise self._refusal(line, "a list in brackets does not belong here")
        made = self.here
        for value in values:
            self._check_key(name, schema.child(schema.keys[0]), value, line)
            made = self.here.add(schema, name, (value,), line)
        return PlacedStatement(made)

    def _check_key(self, name: str, schema: Schema | None, value: str, line: int) -> None:
        if name == "interface":
            if not _is_interface(value, wild=self._wild):
                raise self._refusal(line, f"'{value}' is not an interface name")
            return
        free = self._wild and value.startswith("<")
        if schema is not None and schema.type and not free and not fits(schema.type, value, wild=self._wild):
            raise self._refusal(line, f"'{value}' is no {name}: must be {describe_type(schema.type)}")
        if value.startswith("<") and not self._wild:
            raise self._refusal(line, f"'{value}': a wildcard in '<>' belongs in groups")

    # -- values

    def _place_leaf(self, name: str, schema: Schema, line: int) -> JunosNode:
        leaf = self.here.add(schema, name, (), line)
        leaf.line = line
        if schema.is_flag:
            leaf.values = [""]
            return leaf
        if self._at >= len(self._words):
            raise self._refusal(line, f"'{name}' needs a value: {describe_type(schema.type)}", early=True)
        values = self._take_values(name, schema, line)
        if schema.kind == LEAF:
            leaf.values, leaf.lines = [], []
        for word in values:
            wrong = self._find_value_fault(name, schema, word.text)
            if wrong is not None:
                raise self._refusal(word.line, wrong)
            leaf.values.append(word.text)
            leaf.lines.append(word.line)
        return leaf

    def _take_values(self, name: str, schema: Schema, line: int) -> list[Word]:
        first = self._words[self._at]
        self._at += 1
        if first.place != "[":
            return [first]
        values: list[Word] = []
        while self._at < len(self._words) and self._words[self._at].place == "in":
            values.append(self._words[self._at])
            self._at += 1
        if schema.kind != LEAVES:
            raise self._refusal(line, f"'{name}' takes one value, not a list")
        if not values:
            raise self._refusal(line, "an empty list")
        return values

    def _find_value_fault(self, name: str, schema: Schema, value: str) -> str | None:
        """What is wrong with a value; None: nothing."""
        if value.startswith("<") and value.endswith(">"):
            return None if self._wild else f"'{value}': a wildcard in '<>' belongs in groups"
        if schema.type and not fits(schema.type, value, wild=self._wild):
            return f"'{value}' is no {name}: must be {describe_type(schema.type)}"
        if "bits per second" in schema.units and _RATE.fullmatch(value) is None:
            return f"'{value}' is not a rate: must be bits per second, with k, m or g"
        free = bool(schema.type) and schema.type is not None and schema.type[0] in ("any", "str")
        if schema.units in _COUNTED and free and _RATE.fullmatch(value) is None:
            return f"'{value}' is no {name}: must be a number ({schema.units})"
        return self._find_fault_beyond_models(name, value)

    def _find_fault_beyond_models(self, name: str, value: str) -> str | None:
        """What the models leave open, and Junos does not."""
        here = self.here
        if name == "cable-length" and not value.isdigit():
            return f"'{value}' is not a cable-length: must be metres"
        if name in ("code-points", "code-point"):
            return self._find_code_point_fault(value)
        if name == "queue-num" and here.name == "class" and int(value) > _QUEUES:
            return f"'{value}' is not a queue-num: must be a number from 0 to {_QUEUES}"
        port = name == "mtu" and here.name == "interface" and here.first.startswith(("et", "xe", "ge", "ae"))
        if port and not _MTU[0] <= int(value) <= _MTU[1]:
            return f"'{value}' is not an MTU of a QFX port: must be a number from {_MTU[0]} to {_MTU[1]}"
        if name == "priority" and here.name == "schedulers" and value not in _PRIORITIES:
            return f"'{value}' is not a priority: must be one of {', '.join(sorted(_PRIORITIES))}"
        return None

    def _find_code_point_fault(self, value: str) -> str | None:
        kind = next((node.name for node in reversed(self.here.trail()) if node.name in _WIDTHS), "ieee-802.1")
        width = _WIDTHS[kind]
        if re.fullmatch(rf"[01]{{{width}}}", value) or re.match("[a-zA-Z]", value):
            return None
        return f"'{value}' is not a code point of {kind}: must be {width} bits or an alias"

    def _refusal(self, line: int, message: str, *, early: bool = False) -> RefusedStatement:
        return RefusedStatement(line, join_words(self._words), message, early=early)


def _is_interface(word: str, *, wild: bool) -> bool:
    if word.startswith("<") and word.endswith(">"):
        return wild
    return _INTERFACE.fullmatch(word) is not None and _SHORT.search(word) is None


def _suggest_keyword(word: str, schema: Schema) -> str:
    """The keyword that may be meant, else those that there are."""
    meant = suggest_word(word, schema.words)
    if meant:
        return meant
    known = sorted(each for each in schema.words if not each.startswith("apply"))
    if not known:
        return " (nothing is known there)"
    return f" (there: {', '.join(known[:_SHOWN])}{', ...' if len(known) > _SHOWN else ''})"


def suggest_word(word: str, known: Iterable[str]) -> str:
    """The one of the words that may be meant."""
    near = difflib.get_close_matches(word, sorted(known), 1, _ALIKE)
    return f"{MEANT}{near[0]!r}?)" if near else ""
