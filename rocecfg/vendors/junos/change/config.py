"""A configuration as the planner sees and edits it: its statements, one setting each, and what they define and bind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rocecfg.source.document import Document
from rocecfg.vendors.junos.reading.binding import find_binding
from rocecfg.vendors.junos.reading.cos import read_cos
from rocecfg.vendors.junos.reading.groups import expand_groups
from rocecfg.vendors.junos.reading.interfaces import read_interfaces
from rocecfg.vendors.junos.reading.statements import Statement, Words, join_words, parse_statements
from rocecfg.vendors.junos.settings import COS
from rocecfg.vendors.table import Path, fits

_TWO = 2  # values of a statement that takes one: it, and what takes its place
Lines = dict[Words, None]  # in written order
_NAMING = (  # sections of objects, and the word before their names elsewhere: what names others before these
    ("congestion-notification-profile", "congestion-notification-profile"),
    ("scheduler-maps", "scheduler-map"),
    ("schedulers", "scheduler"),
    ("drop-profiles", "drop-profile"),
)


class SetConfig:
    """The statements of a text, and what is defined there."""

    def __init__(self, document: Document) -> None:
        stated = parse_statements(document)
        own = [line for line in stated.active if line.words[0] != "groups"]
        everything = expand_groups(stated.active).statements
        applying = {"apply-groups", "apply-groups-except"}  # which stand for nothing where they are applied
        stating = [line for line in own if line.words[0] == COS and not applying.intersection(line.words)]
        self.inherits = sum(line.words[0] == COS for line in everything) > len(stating)
        self.lines: Lines = dict.fromkeys(line.words for line in own)
        self.cos = read_cos(everything)
        self.ports = read_interfaces(everything)
        self.off: Sequence[Words] = stated.off
        self._inactive: Sequence[Statement] = stated.inactive
        self._groups = [line for line in stated.active if line.words[0] == "groups"]
        self.named = any(line.words[:2] == ("system", "host-name") for line in own)

    def lag_of(self, port: str) -> str | None:
        """The LAG that a port is in."""
        known = self.ports.get(port)
        return known.stated["lag"].value if known is not None and "lag" in known.stated else None

    def name_in_cos(self, port: str) -> str:
        """The name under which class-of-service has a port: its own, or its LAG's."""
        return self.lag_of(port) or port

    def bound_to(self, port: str, key: str) -> str | None:
        """What is bound to a port, by wildcards too: profile, map, dscp, ieee-802.1, fixed, rewrite."""
        stated = find_binding(self.cos, port, self.lag_of(port)).get(key)
        return stated.value if stated is not None else None

    def statements_below(self, *path: str) -> list[Words]:
        """The statements that begin with these words."""
        return [words for words in self.lines if words[: len(path)] == path]

    def list_inactive(self, path: Words) -> list[Words]:
        """The statements that are inactive with the one of a path."""
        return [line.words for line in self._inactive if line.words[: len(path)] == path]

    def text_with(self, lines: Lines, active: Iterable[Words] = ()) -> str:
        """The whole configuration as set lines, with other statements in the place of its own.

        `active`: what is activated.
        """
        out = [f"set {join_words(line.words)}" for line in self._groups]
        out += [f"set {join_words(words)}" for words in lines]
        woken = {words for path in active for words in self.list_inactive(path)}
        for line in self._inactive:
            if line.words in woken:
                continue
            out += [f"set {join_words(line.words)}", f"deactivate {join_words(line.words)}"]
        return "".join(f"{line}\n" for line in out)


class Edited:
    """The statements of a configuration, on their way to those that are intended."""

    def __init__(self, have: SetConfig, meant: SetConfig, classes: dict[str, str]) -> None:
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
        for other in [w for w in self.lines if w[:-1] == words[:-1]]:
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

    def take_parts(self, meant: Words, path: Words, parts: Iterable[Path]) -> None:
        """Parts of an object as rendered: what stands below it and begins as one of them."""
        wanted = tuple(parts)
        new = [
            (*path, *words[len(meant) :])
            for words in self.meant.statements_below(*meant)
            if any(fits(part, words[len(meant) :]) for part in wanted)
        ]
        for words in [w for w in self.lines if w[: len(path)] == path and w not in new]:
            if any(fits(part, words[len(path) :]) for part in wanted):
                del self.lines[words]
        for words in new:
            self.add(words)

    def take_object(self, meant: Words, name: str) -> None:
        """An object that is rendered, under a name of the switch."""
        new = (self.rename(words, name, len(meant)) for words in self.meant.statements_below(*meant))
        self.replace((*meant[:-1], name), new)

    def rename(self, words: Words, name: str, count: int) -> Words:
        """A rendered statement with the switch's names: of its object, the last of `count` words, and its class."""
        rest = words[count:]
        if rest[:1] == ("forwarding-class",):
            rest = ("forwarding-class", self.classes[rest[1]], *rest[2:])
        return (*words[: count - 1], name, *rest)

    def activate(self) -> tuple[list[Words], list[str]]:
        """What is to be activated, as what is set there stays inactive else; and what is for others to decide.

        Something that holds more than what is to run may be off on purpose: that is told, and nothing is set there.
        """
        active: list[Words] = []
        beyond: list[str] = []
        new = [words for words in self.lines if words not in self.have.lines]
        for path in sorted(self.have.off, key=len):
            ours = [words for words in new if words[: len(path)] == path]
            if not ours:
                continue
            held = self.have.list_inactive(path)
            heads = Counter(words[:-1] for words in {*held, *self.lines})  # more than two: values beside one another
            taken = {words[:-1] for words in self.lines}
            if all(words in self.lines or (words[:-1] in taken and heads[words[:-1]] == _TWO) for words in held):
                active.append(path)
                continue
            words = join_words(path)
            beyond.append(f"{words} is deactivated and holds more than is intended: activate {words}, if it is to run")
            for each in ours:
                del self.lines[each]
                new.remove(each)
        return active, beyond

    def forget_unused(self) -> None:
        """Take away objects that something named before, and that nothing names any more."""
        for section, word in _NAMING:
            for name in _named_objects(self.have.lines, section, word) - _named_objects(self.lines, section, word):
                self.replace((COS, section, name), ())


def _named_objects(lines: Lines, section: str, word: str) -> set[str]:
    """The objects of a section that statements elsewhere name."""
    return {words[-1] for words in lines if words[1:2] != (section,) and words[-2:-1] == (word,)}
