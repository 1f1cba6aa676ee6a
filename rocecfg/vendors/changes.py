"""What every vendor's `change` gives back: the smallest change that makes a running configuration what is intended.

A change is computed on rows, leaves or lines of the running configuration, and only for the settings that differ.
Names of profiles and maps are the switch's own where these serve the same ports: to rename them would be a change too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.model.catalogue import What

HITLESS = "hitless"
BRIEF_PAUSE = "brief-pause"
PORT_FLAP = "port-flap"
_LONGEST = 28  # characters of a name that takes a number: SONiC has 32 at most
MARKS = (HITLESS, BRIEF_PAUSE, PORT_FLAP, "service-restart", "reload")  # what a change disturbs, ascending


Wanted = Mapping[str | None, frozenset[What]]  # port -> what is not as meant there; None: of the switch as a whole


def settings_in_order(scope: Wanted) -> Iterator[tuple[str | None, What]]:
    """Each setting with its port, those of a port in one order, however they were found."""
    for port, settings in scope.items():
        for what in sorted(settings, key=lambda w: (w.topic, w.number or 0, w.part)):
            yield port, what


def name_unsettable(scope: Wanted, is_settable: Callable[[str | None, What], bool], by: str) -> tuple[str, ...]:
    """What of a scope no change sets, each in words. `by`: what would have to set it."""
    unsettable = [(port, what.topic) for port, what in settings_in_order(scope) if not is_settable(port, what)]
    lines = (f"{'' if port is None else f'{port}: '}{topic} is not set {by}" for port, topic in unsettable)
    return tuple(dict.fromkeys(lines))


class Step(NamedTuple):
    """A part of a change that is applied in one way. Either operations or lines."""

    how: str  # how to apply it: the command that takes the operations, or where the lines are typed; no save
    mark: str  # what it disturbs: one of MARKS
    why: str  # why it disturbs that; or what is to be known of it
    lines: tuple[str, ...] = ()
    operations: tuple[Mapping[str, Any], ...] = ()  # RFC 6902
    refused: str | None = None  # why the usual way refuses it; `how` is another one
    ordered: bool = False  # stands between what comes before and after it: these are not to be applied as one
    save: str = ""  # what then makes the whole change outlast a reboot, after its last step

    @property
    def told(self) -> str:
        """How to apply it, and the save behind it."""
        return f"{self.how}; then: {self.save}" if self.save else self.how


def without_save(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Steps of which somebody else makes the save, after more than these."""
    return tuple(step._replace(save="") for step in steps)


class Change(NamedTuple):
    """What fixes a running configuration, in the order in which it is applied, and what it then is."""

    steps: tuple[Step, ...]
    after: str  # the text of the running configuration with all of it applied
    beyond: tuple[str, ...] = ()  # what no change of the configuration fixes, and why


P = TypeVar("P", bound=Hashable)  # a place that a profile or map is bound at: a port, or a queue of it


def align_names(meant: Mapping[P, str], running: Mapping[P, str], same: Mapping[str, bool]) -> dict[str, str]:
    """For each name that is intended, the name to use on the switch; both by place.

    That is the one which serves its places there, and no others: then only what it says needs a change. Else its own
    name; `same`: whether the switch has a row of that name and it says what is intended. Another row of that name which
    serves other places is left alone, and a fresh name taken.
    """
    places: dict[str, set[P]] = {}
    for place, name in meant.items():
        places.setdefault(name, set()).add(place)
    serving: dict[str, set[P]] = {}
    for place, name in running.items():
        serving.setdefault(name, set()).add(place)
    out: dict[str, str] = {}
    for name, wanted in places.items():
        own = [other for place in wanted if (other := running.get(place)) is not None and serving[other] <= wanted]
        if own:
            out[name] = name if name in own else max(own, key=lambda other: (len(serving[other]), other))
    for name, wanted in places.items():
        if name in out:
            continue
        free = name not in out.values() and (same.get(name, True) or not serving.get(name, set()) - wanted)
        out[name] = name if free else _fresh_name(name, {*serving, *places, *same, *out.values()})
    return out


def _fresh_name(name: str, taken: set[str]) -> str:
    number = 2
    while f"{name[:_LONGEST]}-{number}" in taken:
        number += 1
    return f"{name[:_LONGEST]}-{number}"
