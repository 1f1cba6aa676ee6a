"""The types that NVUE's objects are made of, and how a text is read by them.

A text comes as YAML nodes, also that of commands: `nv set a b 3` is {a: {b: 3}}. What the release at hand does not
have, or refuses, becomes a Problem, and is read as it was intended wherever that can be told: one slip is one finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.intent.values import near, only_near
from rocecfg.model import Span
from rocecfg.model.stated import Problem
from rocecfg.source.yaml import Map, Scalar, Seq
from rocecfg.vendors.spectrum.reading.names import NotNames, expand_names, is_address
from rocecfg.vendors.spectrum.reading.nodes import Merger, Node
from rocecfg.vendors.spectrum.reading.spelling import SCHEMA, Number, Spelling

_LISTED = 8  # known words that a message tells
_TWO_SLIPS = 6  # letters of a word that may have two slips: shorter ones are too like each other
_LONG = 40  # characters of a word that a message quotes
_QUOTED = re.compile(r"[\w.-]{1,40}")  # settings and names of profiles; prose is not repeated
EMPTY = frozenset(("", "~", "null", "{}"))


class ReadContext:
    """What one operation is read with: where it stands, how it is written, and what is found."""

    __slots__ = ("commands", "doc", "join", "merge", "problems", "spelling", "unset")

    def __init__(self, doc: int, problems: list[Problem], spelling: Spelling, *, commands: bool, unset: bool) -> None:
        self.doc = doc
        self.problems = problems
        self.spelling = spelling
        self.commands = commands  # `nv set` lines, where a word may be a key or a value
        self.unset = unset  # values are not told, and need not be
        self.merge = Merger(None if commands or unset else self._report_conflict)
        self.join = Merger()  # of what stands under one key twice: the key is told, whatever is below

    def span(self, node: Any) -> Span:
        """Where a node of this text stands."""
        return Span(self.doc, node.start, node.end)

    def report(
        self, rule: str, node: Any, message: str, help: str = "", severity: str | None = None, alike: str = ""
    ) -> None:
        """Note a problem at a node. `alike`: what it has in common with others in the file, that are the same slip."""
        at = Span(self.doc, node.start, node.end)
        self.problems.append(Problem(rule, at, message, help, severity=severity, alike=alike))

    def _report_conflict(self, old: Node, new: Node) -> None:
        both = _QUOTED.fullmatch(str(new.value)) and _QUOTED.fullmatch(str(old.value))
        wording = f"{new.value} here, {old.value} elsewhere" if both else "two values"
        message = f"{wording}, for one setting of a name that both keys contain"
        help = "take the name out of one of the keys"
        self.problems.append(Problem("device-conflict", new.at, message, help, ((old.at, "the other value"),)))


def find_slip(word: str, known: Iterable[str]) -> str | None:
    """The one known word that a word is surely meant to be: of short words one letter may differ, of others two."""
    meant = only_near(word, known)
    if meant is None or len(word) >= _TWO_SLIPS:
        return meant
    return meant if sorted(word) == sorted(meant) or _differ_by_one_letter(word, meant) else None


def _differ_by_one_letter(a: str, b: str) -> bool:
    """Whether two words differ by one letter: another one, or one more or less."""
    few, more = sorted((a, b), key=len)
    if len(few) == len(more):
        return sum(x != y for x, y in zip(few, more, strict=True)) == 1
    return len(more) - len(few) == 1 and any(few == more[:n] + more[n + 1 :] for n in range(len(more)))


def shorten_word(word: str) -> str:
    """What a message quotes of a word."""
    return word if len(word) <= _LONG else f"{word[:_LONG]}..."


class SchemaType:
    """A type: how what stands at `key` is read; `child` is None where a command ends with the key."""

    __slots__ = ()

    def read(self, path: str, key: Scalar, child: Any, text: ReadContext) -> Node | None:
        """The node; None where nothing usable stands there, which is reported. `path`: as a message names it."""
        raise NotImplementedError


class SetMember(SchemaType):
    """A member of a collection without attributes: `'3': {}`."""

    __slots__ = ()

    def read(self, path: str, key: Scalar, child: Any, text: ReadContext) -> Node | None:
        """A node without value."""
        if child is not None and not _is_empty(child):
            text.report("device-value", child, f"`{path}` takes no value", f"write '{shorten_word(key.text)}': {{}}")
        return Node(text.span(key))


class Free(SchemaType):
    """Whatever stands there: values stand as keys do, since `nv set` does not tell them apart."""

    __slots__ = ()

    def read(self, path: str, key: Scalar, child: Any, text: ReadContext) -> Node | None:
        """A node with all that is below."""
        below: dict[str, Node] = {}
        for word, value in _list_words(child):
            below[word.text] = Node(text.span(word), None, self._read_below(path, value, text))
        return Node(text.span(key), None, below)

    def _read_below(self, path: str, value: Any, text: ReadContext) -> Mapping[str, Node]:
        node = self.read(path, _NOWHERE, value, text)
        return {} if node is None else node.below


_NOWHERE = Scalar(0, 0, "", plain=True)


def _list_words(node: Any) -> Sequence[tuple[Scalar, Any]]:
    """The keys of a mapping with what stands at each; the values of a list; a value."""
    if type(node) is Map:
        pairs: list[tuple[Scalar, Any]] = node.pairs
        return pairs
    if type(node) is Seq:
        return [pair for item in node.items for pair in _list_words(item)]
    return () if node is None or _is_empty(node) else ((node, None),)


def _is_empty(node: Any) -> bool:
    return not node[2] if type(node) is not Scalar else node.plain and node.text in EMPTY


class KeySpec(NamedTuple):
    """A key of an object: its type, the releases that have it, and what to write in others."""

    type: SchemaType
    since: Number | None = None
    until: Number | None = None
    instead: str = ""


class Obj(SchemaType):
    """A mapping with known keys.

    `others`: keys beside those are no business of ours (False: NVUE has none), but for slips of the keys `slips`;
    `beside`: these alone are none, and NVUE may have more. `never`: words that NVUE never had, though people write
    them, and what they mean.
    """

    __slots__ = ("beside", "entries", "never", "others", "slips")

    def __init__(
        self,
        entries: Mapping[str, KeySpec | SchemaType],
        *,
        others: bool = False,
        beside: frozenset[str] = frozenset(),
        never: Mapping[str, str] | None = None,
        slips: tuple[str, ...] = (),
    ) -> None:
        self.entries = {key: e if isinstance(e, KeySpec) else KeySpec(e) for key, e in entries.items()}
        self.others = others
        self.slips = slips
        self.beside = beside
        self.never = never or {}

    def read(self, path: str, key: Scalar, child: Any, text: ReadContext) -> Node | None:
        """A node with what is known below; None where no more than what is not read here is unset."""
        below: dict[str, Node] = {}
        pairs = _read_pairs(path, child, text)
        for word, value in pairs:
            name = word.text if word.text in self.entries else self._report_unknown(path, word, text)
            if name is None:
                continue
            entry = self.entries[name]
            reported = f"{path} {name}" if path else name
            if entry.since is not None or entry.until is not None:
                text.spelling.note_use(text, word, reported, entry.since, entry.until, entry.instead)
            found = entry.type.read(reported, word, value, text)
            if found is not None:
                below[name] = text.join(below.get(name), found)
        return None if text.unset and pairs and not below else Node(text.span(key), None, below)

    def _report_unknown(self, path: str, word: Scalar, text: ReadContext) -> str | None:
        """Report a key that is not known, where it is any business of ours; the key that it is a slip of, if any."""
        meant = self.never.get(word.text)
        slip = None
        if meant is None:
            if self.others or word.text in self.beside:
                slip = find_slip(word.text, self.slips)
                if slip is None:
                    return None
            elif self.beside:
                text.report("device-unread", word, f"{path} {shorten_word(word.text)}: unknown, not checked")
                return None
            else:
                slip = find_slip(word.text, self.entries)
            alike = slip or near(word.text, self.entries)
            meant = f"did you mean {alike}?" if alike is not None else _format_known_words(self.entries)
        reported = f"{path} {shorten_word(word.text)}" if path else shorten_word(word.text)
        newer = text.spelling.number is not None and text.spelling.number > SCHEMA
        if newer and slip is None and word.text not in self.never:
            known = ".".join(map(str, SCHEMA))
            message = f"`{reported}`: no schema of NVUE up to {known} has it, and this release is newer: not checked"
            text.report("device-unread", word, message)
            return None
        severity = "error" if slip is not None or word.text in self.never else None
        if newer:
            severity = None  # a release whose words are not known
        same = f"{word.text} for {slip}" if slip is not None else ""
        text.report("device-unknown", word, f"NVUE has no `{reported}`", meant, severity, same)
        return slip


def _format_known_words(words: Iterable[str]) -> str:
    words = list(words)
    more = f", and {len(words) - _LISTED} more" if len(words) > _LISTED else ""
    return f"known: {', '.join(words[:_LISTED])}{more}"


def _read_pairs(path: str, child: Any, text: ReadContext) -> Sequence[tuple[Scalar, Any]]:
    """The keys below, with what stands at each."""
    if child is None or _is_empty(child):
        return ()
    if type(child) is Map:
        pairs: list[tuple[Scalar, Any]] = child.pairs
        return pairs
    if type(child) is Scalar and text.commands:
        return ((child, None),)
    what = "a list" if type(child) is Seq else "a value"
    text.report("device-value", child, f"`{path}` takes keys, not {what}", "write a mapping")
    return ()


class Keyed(SchemaType):
    """A collection by the user's own keys, each of which may stand for several.

    `what`: what a key is, from 0 to `most` where it is a number, or one of `names`. `addresses`: False where those that
    are IP addresses are no business of ours.
    """

    __slots__ = ("addresses", "known", "names", "of", "what")

    def __init__(
        self, what: str, of: SchemaType, *, most: int | None = None, names: tuple[str, ...] = (), addresses: bool = True
    ) -> None:
        self.what = what
        self.of = of
        self.addresses = addresses
        self.names = names
        self.known = frozenset(map(str, range(most + 1))) if most is not None else frozenset(names)

    def read(self, path: str, key: Scalar, child: Any, text: ReadContext) -> Node | None:
        """A node with each name that a key stands for; None where no more than what is not read here is unset."""
        below: dict[str, Node] = {}
        seen: set[str] = set()
        pairs = _read_pairs(path, child, text)
        for word, value in pairs:
            if not self.addresses and is_address(word.text):
                continue
            if self._is_name_left_out(path, word, value, text):
                continue
            names = self._expand_key(path, word, text)
            found = self.of.read(
                f"{path} {shorten_word(word.text)}", word, value, text
            )  # judged below a refused key, too
            merge = text.join if word.text in seen else text.merge
            seen.add(word.text)
            if found is not None:
                for name in names:
                    below[name] = merge(below.get(name), found)
        return None if text.unset and pairs and not below else Node(text.span(key), None, below)

    def _expand_key(self, path: str, word: Scalar, text: ReadContext) -> tuple[str, ...]:
        if not self.known and not self.names and self.what == "profile":
            return (word.text,)
        try:
            names = expand_names(word.text)
        except NotNames as error:
            text.report("device-value", word, f"{self.what} {error}", "write a range from its first to its last: 1-64")
            return ()
        strange = [n for n in names if self.known and n not in self.known]
        if strange:
            alike = near(strange[0], self.names)
            numbers = "" if self.names else f"from 0 to {len(self.known) - 1}"
            text.report(
                "device-value", word, f"`{path}` has no {self.what} {shorten_word(strange[0])}",
                f"did you mean {alike}?" if alike is not None else numbers or f"known: {', '.join(self.names)}",
            )  # fmt: skip
            if alike is not None:
                names = (*names, alike)
        return tuple(n for n in names if not self.known or n in self.known)

    def _is_name_left_out(self, path: str, word: Scalar, value: Any, text: ReadContext) -> bool:
        """Whether the name of a profile was left out: `nv set qos pfc switch-priority 3`."""
        of = self.of
        if self.what != "profile" or not isinstance(of, Obj):
            return False
        if word.text not in of.entries and word.text not in of.never:
            return False
        if type(value) is Map and all(key.text in of.entries for key, _ in value.pairs):
            return False
        never = of.never.get(word.text)
        text.report(
            "device-unknown",
            word,
            f"`{path}` takes the name of a profile before {shorten_word(word.text)!r}",
            f"nv set {path} default-global " + (f"..., and {never}" if never else f"{word.text} ..."),
            "error",
        )
        return True
