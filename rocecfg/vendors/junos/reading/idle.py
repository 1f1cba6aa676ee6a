"""Statements that are understood and do nothing here: inactive ones, and objects that no port comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.model.switch import Idle
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, Cos
from rocecfg.vendors.junos.reading.kinds import Kind
from rocecfg.vendors.junos.reading.statements import Statement, Words, join_words
from rocecfg.vendors.junos.settings import COS, is_beside


class UsedObjects:
    """The objects that ports come to, by section and name."""

    def __init__(self, cos: Cos, kinds: Iterable[Kind]) -> None:
        self.classifiers: set[tuple[str, str]] = set()
        self.profiles: set[str] = set()
        self.maps: set[str] = set()
        self.rewrites: set[str] = set()
        for kind in kinds:
            for key, val in kind.binding.items():
                if key in (DSCP, TAG):
                    self.classifiers.add((key, val.value))
                for name, into in (("profile", self.profiles), ("map", self.maps), ("rewrite", self.rewrites)):
                    if key == name:
                        into.add(val.value)
        self.schedulers = {val.value for name in self.maps for val in cos.maps.get(name, {}).values()}
        stated = [cos.schedulers.get(name, {}) for name in self.schedulers]
        self.drops = {one[key].value for one in stated for key in ("drops", "other drops") if key in one}

    def covers(self, words: Words) -> bool:
        """Whether a statement below class-of-service is of an object that some port comes to."""
        match words:
            case ("classifiers", (("dscp" | "ieee-802.1") as kind), name, *_):
                return (kind, name) in self.classifiers
            case ("congestion-notification-profile", name, *_):
                return name in self.profiles
            case ("scheduler-maps", name, *_):
                return name in self.maps
            case ("schedulers", name, *_):
                return name in self.schedulers
            case ("drop-profiles", name, *_):
                return name in self.drops
            case ("rewrite-rules", "dscp", name, *_):
                return name in self.rewrites
        return True


def list_idle(cos: Cos, inactive: Iterable[Statement], kinds: list[Kind]) -> Iterator[Idle]:
    """The statements."""
    for line in inactive:
        if line.words[0] == COS and len(line.words) > 1 and not is_beside(line.words[1:]):
            yield Idle(line.at, f"inactive: {join_words(line.words)}")
    used = UsedObjects(cos, kinds)
    if any(kind.names for kind in kinds):
        yield from (Idle(line.at, join_words(line.words)) for line in cos.lines if not used.covers(line.words))
