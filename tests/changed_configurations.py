"""One statement of a configuration taken out, changed, or given what its system refuses: what a user is shown of it."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import ModuleType
from typing import NamedTuple

from checkout import ROOT
from sampling import part
from seen import Seen, noted

from rocecfg.drift.configurations import compare_configurations, facts_of_port, facts_of_switch
from rocecfg.drift.differences import Difference
from rocecfg.drift.labels import label_difference
from rocecfg.model import Span
from rocecfg.model.catalogue import What, find_compared_setting
from rocecfg.model.compare import Gap
from rocecfg.model.switch import Switch
from rocecfg.model.values import Fact, Facts
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

    def __init__(
        self,
        text: str,
        read: Callable[[str], list[Switch]],
        lint: Callable[[str], Seen],
        implying: Callable[[str], Callable[[Span], object]],
    ) -> None:
        """`implying`: of a text, whether a place in it is of what a default hangs on, and not of what states it."""
        self.read = read
        self.lint = lint
        self.implying = implying
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

    def is_silence(self, statement: Statement, change: Change) -> bool:
        """Whether what is taken out is what silence means: a setting that it stated is the same, and now a default."""
        settings = statement.settings | {topic for topic, of in _ALIKE.items() if of in statement.settings}
        return any(
            what.topic in settings
            for before, after in zip(self.switches, self.read(change.text), strict=True)
            for what in self._defaulted(before, after, change.text)
        )

    def _defaulted(self, before: Switch, after: Switch, text: str) -> Iterator[What]:
        """The settings that were stated by what is not in `text`, and that are the same though nothing says them."""
        same = (one == other for one, other in zip(self.text, text, strict=False))
        start = next((at for at, alike in enumerate(same) if not alike), len(text))
        end = start + len(self.text) - len(text)
        start = max(0, self.text.rfind('"', 0, self.text.rfind('": {', 0, start)))  # what an object says of all in it
        is_implied = self.implying(text)
        one, other = _all_of(before), _all_of(after)
        assert one.keys() == other.keys()
        for name, (implied, stated) in one.items():
            silent, left = other[name]
            for what, fact in stated.items():
                if fact.at in implied or fact.at.end <= start or fact.at.start >= end:
                    continue
                row = find_compared_setting(what.topic, what.part)
                same = left.get(what, Fact(row.silence if row is not None else None, silent[0]))
                again = self.text[fact.at.start : fact.at.end] == text[same.at.start : same.at.end]
                if fact.value == same.value and (same.at in silent or is_implied(same.at) or again):
                    yield what


def _all_of(switch: Switch) -> dict[str, tuple[tuple[Span, ...], Facts]]:
    """The settings of the switch itself and of each port, with the places that stand for what nothing says."""
    out = {"": ((switch.at,), facts_of_switch(switch))}
    for port in switch.ports:
        out |= dict.fromkeys(
            port.names or ("*",), ((switch.at, port.at), facts_of_port(switch, port, sorts=port.chain is not None))
        )
    return out


def _gaps(one: Iterable[Switch], other: Iterable[Switch]) -> Iterator[Gap]:
    for before, after in zip(one, other, strict=False):
        for apart in compare_configurations(before, after):
            yield from apart.gaps


def _names(gap: Gap, statement: Statement, change: Change) -> bool:
    topic = gap.what.topic
    assert label_difference(
        Difference(topic, gap.what.number, (), (), leftover=False, down=False, reach=(), port_count=0)
    )
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
    counts: bool  # whether another value of the statement is shown


def missed(original: Original, statements: Iterable[Statement], about: str) -> tuple[list[Missed], int]:
    """What is not shown of what is done to a configuration, and how much could be done; a sweep `about` a path.

    A statement that is taken out may be silent where silence means its value: the setting is the same, and nothing
    says it any more. Of several opposites of a line one is to be shown.
    """
    out, every = [], list(statements)
    for each in part(every, about):
        shown = [(change, original.shown(each, change)) for change in each.changes]
        counts = any(how in _SHOWN for change, how in shown if change.kind in (CHANGED, OPPOSITE))
        for change, how in shown:
            silent = change.kind == DELETED and not how and original.is_silence(each, change)
            if how not in _SHOWN and not (silent or (counts and change.kind == OPPOSITE)):
                out.append(Missed(each.form, each.words, change.kind, change.new, how, counts))
    return out, sum(len(each.changes) for each in every)


def unfounded(original: Original, statements: Iterable[Statement], about: str) -> set[tuple[str, str]]:
    """Settings that pass for defaults and change where a statement is taken out, which so states them; by its form."""
    out = set()
    (before,) = original.switches
    facts = _all_of(before)
    for each in part(statements, about):
        for change in each.changes:
            if change.kind == DELETED and len(after := original.read(change.text)) == 1:
                left = _all_of(after[0])
                for name, (implied, stated) in facts.items():
                    now = left[name][1] if name in left else {}
                    out |= {
                        (f"{what.topic}.{what.part}".rstrip("."), each.form)
                        for what, fact in stated.items()
                        if fact.at in implied and name in left and (what not in now or now[what].value != fact.value)
                    }
    return out


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
