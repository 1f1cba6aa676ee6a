"""What several writers ask alike of a value: that the classes of a queue agree on it, and that it is a whole number."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.model import Origin, TrafficClass
from rocecfg.vendors.base import CannotRender

_T = TypeVar("_T", bound=Hashable)


class QueueClasses(NamedTuple):
    """The classes that share a queue, at least one."""

    number: int
    classes: Sequence[TrafficClass]
    why: str  # they have to agree

    def agree(self, what: str, get: Callable[[TrafficClass], _T], *at: str) -> _T:
        """What all of them say; CannotRender if they differ. `at`: the fields that say it."""
        first = self.classes[0]
        if len(self.classes) == 1:  # as most queues have it
            return get(first)
        for other in self.classes[1:]:
            if get(other) != get(first):
                raise CannotRender(
                    f"classes {first.name} and {other.name} share queue {self.number}, but not {what}: {self.why}",
                    f"give {other.name} a queue of its own, or both the same {what}",
                    (other.at(*at, "queue"), first.at(*at, "queue")),
                )
        return get(first)

    def agree_if_stated(self, what: str, get: Callable[[TrafficClass], _T | None], *at: str) -> _T | None:
        """What they say, those that say nothing aside; CannotRender if they differ."""
        speaking = [cls for cls in self.classes if get(cls) is not None]
        return self._replace(classes=speaking).agree(what, get, *at, what) if speaking else None


def to_whole(system: str, value: float, limits: tuple[int, int], what: str, unit: str, at: Origin) -> int:
    """`value` as the whole number that a system takes for `what`; CannotRender with the nearest ones if it is none."""
    low, high = limits
    if low <= value <= high and value == int(value):
        return int(value)
    near = [f"{min(max(n, low), high)}{unit}" for n in (math.floor(value), math.ceil(value))]
    wording = f"{show_number(value)}{unit}"
    raise out_of_range(
        f"{system} takes {what} from {low} to {high}{unit}, whole numbers only, so {wording} cannot be said", near, at
    )


def out_of_range(message: str, choices: Sequence[str], at: Origin) -> CannotRender:
    """A value that cannot be said, with those nearest to it that can."""
    return CannotRender(message, f"write {' or '.join(dict.fromkeys(choices))}", (at,))
