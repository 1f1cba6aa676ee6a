"""Statements that are edited: one of one value, all below a path, an object under another name."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.vendors.junos.change.config import COS, Config, Lines
from rocecfg.vendors.junos.reading.statements import Words

_NAMING = (  # sections of objects, and the word before their names elsewhere
    ("congestion-notification-profile", "congestion-notification-profile"),
    ("scheduler-maps", "scheduler-map"),
    ("schedulers", "scheduler"),
    ("drop-profiles", "drop-profile"),
)


class Edited:
    """The statements of a configuration, on their way to those that are meant."""

    def __init__(self, have: Config, meant: Config, classes: dict[str, str]) -> None:
        """`classes`: for each forwarding class that is rendered, the name to use on the switch."""
        self.have = have
        self.meant = meant
        self.classes = classes
        self.lines: Lines = dict(have.lines)

    def add(self, words: Words) -> None:
        """A statement, in the place of none."""
        self.lines[words] = None

    def put(self, words: Words) -> None:
        """A statement of one value, in the place of another of it."""
        for other in [w for w in self.lines if w[:-1] == words[:-1] and len(w) == len(words)]:
            del self.lines[other]
        self.add(words)

    def replace(self, path: Words, new: Iterable[Words]) -> None:
        """All that stands below a path."""
        wanted = tuple(new)
        for words in [w for w in self.lines if w[: len(path)] == path and w not in wanted]:
            del self.lines[words]
        for words in wanted:
            self.add(words)

    def renew(self, path: Words, new: Iterable[Words]) -> None:
        """All that stands below a path, in the order of what is new: of values that stand beside one another."""
        self.replace(path, ())
        self.replace(path, new)

    def take_part(self, meant: Words, path: Words) -> None:
        """A part of an object as rendered."""
        self.replace(path, ((*path, *words[len(meant) :]) for words in self.meant.statements_below(*meant)))

    def take_object(self, meant: Words, name: str) -> None:
        """An object that is rendered, under a name of the switch; once."""
        path = (*meant[:-1], name)
        if not any(words[: len(path)] == path for words in self.lines if words not in self.have.lines):
            self.replace(path, (self.rename(words, name, len(meant)) for words in self.meant.statements_below(*meant)))

    def rename(self, words: Words, name: str, count: int) -> Words:
        """A rendered statement with the switch's names: of its object, the last of `count` words, and its class."""
        rest = words[count:]
        if words[1] == "classifiers" and rest[:1] == ("forwarding-class",):
            rest = ("forwarding-class", self.classes.get(rest[1], rest[1]), *rest[2:])
        return (*words[: count - 1], name, *rest)

    def forget_unused(self) -> None:
        """Take away objects that something named before, and that nothing names any more."""
        for _ in _NAMING:  # a map names schedulers, these drop profiles
            for section, word in _NAMING:
                for name in _named_objects(self.have.lines, section, word) - _named_objects(self.lines, section, word):
                    self.replace((COS, section, name), ())


def _named_objects(lines: Lines, section: str, word: str) -> set[str]:
    """The objects of a section that statements elsewhere name."""
    elsewhere = (words for words in lines if words[0] == COS and len(words) > 2 and words[1] != section)
    return {words[-1] for words in elsewhere if words[-2] == word}
