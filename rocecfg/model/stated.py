"""What a text states: values with their places, and what is wrong in it; of an intent and of a switch alike."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model.fix import Fix
from rocecfg.model.origin import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final


class _Word:
    """One object in every process: what a worker reads and hands back is compared by identity."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __reduce__(self) -> str:
        return self._name


MISSING: Final[Any] = _Word("MISSING")  # nothing usable was read; the problem is reported
TAKEN_BACK: Final[Any] = _Word("TAKEN_BACK")  # `default`: what would be inherited does not hold here
OFF: Final = "off"


class Val(NamedTuple):
    """A value and where it was written; of a section, where its key was."""

    value: Any
    at: Span


Section = dict[str, Val]  # key -> value, in written order


def make_section(**given: Val | None) -> Section:
    """What is said; None: nothing is."""
    return {key: val for key, val in given.items() if val is not None}


def strip_places(value: Any) -> Any:
    """A read value without its places, hashable."""
    if isinstance(value, Val):
        value = value.value
    if isinstance(value, dict):
        return tuple((key, strip_places(part)) for key, part in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(strip_places, value))
    return value


class Unread(NamedTuple):
    """A statement on queues, PFC or buffers that was not understood: which settings it may touch, and where."""

    at: Span
    message: str
    topics: tuple[str, ...] = ()  # the settings, by their topics; (): not known which
    ports: tuple[str, ...] = ()  # (): the switch as a whole
    queue: int | None = None  # of settings by queue, the only one; None: any
    text: str = ""  # the statement with its values, in its system's words


class Problem(NamedTuple):
    """Something wrong in the text of an intent: the rule's name, where, what, and the fix."""

    rule: str
    at: Span
    message: str
    help: str = ""
    related: tuple[tuple[Span, str], ...] = ()
    severity: str | None = None
    fix: Fix | None = None  # where the fix has only one answer
    places: tuple[Span, ...] = ()  # where else it is so, where one problem stands for several places
    device: str = ""  # the switch whose configuration it is in; empty: an intent's
    alike: str = ""  # what others of its kind in the file have in common with it; empty: their messages are equal
