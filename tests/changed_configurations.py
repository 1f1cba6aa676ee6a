"""One statement of a configuration taken out, changed, or given what its system refuses: what a user is shown of it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import ModuleType
from typing import NamedTuple

from checkout import ROOT
from seen import Seen, noted

from rocecfg.drift.configurations import compare_configurations
from rocecfg.drift.differences import Difference
from rocecfg.drift.labels import title
from rocecfg.model.compare import Gap
from rocecfg.model.switch import Switch
from rocecfg.source.document import SourceError

DELETED, CHANGED, OPPOSITE, REFUSED = "deleted", "changed", "opposite", "refused"
_BY_TEXT = ("unread", "idle")  # differences that name a statement by its text
_ALIKE = {  # of two configurations the weights and maps themselves are compared, not only what they amount to
    "weight": "shares",
    "tc_of_dscp": "dscp",
    "tc_of_pcp": "pcp",
    "queue_of": "dscp",
}


class Change(NamedTuple):
    """A configuration with one statement changed."""

    kind: str
    new: str  # what stands in its place
    text: str  # the whole configuration


class Statement(NamedTuple):
    """A statement of a configuration, and what may be done to it."""

    form: str  # which statement it is, without its values: as tables name it
    words: str  # as it stands there, with where it stands
    settings: frozenset[str]  # what it bears on
    changes: tuple[Change, ...]


class Original:
    """A configuration as it was."""

    def __init__(self, text: str, read: Callable[[str], list[Switch]], lint: Callable[[str], Seen]) -> None:
        self.read = read
        self.lint = lint
        self.text = text
        self.switches = read(text)
        self.noted = noted(self.switches)

    @cached_property
    def found(self) -> Seen:
        return self.lint(self.text)

    def shown(self, statement: Statement, change: Change) -> str:
        """How a change shows: `named` as a difference, `noted`, `found` by lint, `other` settings; "": not at all."""
        try:
            switches = self.read(change.text)
        except SourceError:
            return "refused"
        gaps = list(_gaps(self.switches, switches))
        if any(_names(gap, statement, change) for gap in gaps) or len(switches) != len(self.switches):
            return "named"
        if noted(switches) - self.noted:
            return "noted"
        if self.lint(change.text) - self.found:
            return "found"
        return "other" if gaps else ""


def _gaps(one: Iterable[Switch], other: Iterable[Switch]) -> Iterator[Gap]:
    for before, after in zip(one, other, strict=False):
        for apart in compare_configurations(before, after):
            yield from apart.gaps


def _names(gap: Gap, statement: Statement, change: Change) -> bool:
    topic = gap.what.topic
    assert title(Difference(topic, gap.what.number, (), (), leftover=False, down=False, reach=(), port_count=0))
    if topic in _BY_TEXT:
        stated = (statement.words.rpartition("\n")[2], change.new)
        return any(words and words in gap.what.part for words in stated)
    return _ALIKE.get(topic, topic) in statement.settings


_SHOWN = ("named", "noted", "found", "refused")


class Missed(NamedTuple):
    """A change that is not shown."""

    form: str
    words: str
    kind: str
    new: str
    shown: str


def missed(original: Original, statements: Iterable[Statement]) -> tuple[list[Missed], int]:
    """What is not shown of all that is done to a configuration, and how much that is.

    A statement that is taken out may be silent where the model is the same, since silence means its value: another
    value of it is shown then, so it is known that it counts. Of several opposites of a line one is to be shown.
    """
    out, tried = [], 0
    for each in statements:
        shown = [(change, original.shown(each, change)) for change in each.changes]
        tried += len(shown)
        counts = any(how in _SHOWN for change, how in shown if change.kind in (CHANGED, OPPOSITE))
        for change, how in shown:
            if how not in _SHOWN and not (counts and (change.kind == OPPOSITE or (change.kind == DELETED and not how))):
                out.append(Missed(each.form, each.words, change.kind, change.new, how))
    return out, tried


def module(name: str) -> ModuleType:
    """A script of benchmarks/."""
    folder = ROOT / "benchmarks"
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, found)
    sys.path.insert(0, str(folder))  # one imports another
    try:
        spec.loader.exec_module(found)
    finally:
        sys.path.remove(str(folder))
    return found
