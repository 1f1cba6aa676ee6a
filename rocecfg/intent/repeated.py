"""Devices that say what an earlier one says: only what is their own is read, and the rest once somebody asks."""

from __future__ import annotations

from rocecfg.model.stated import Section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

OWN = frozenset({"hostname", "description", "address"})  # keys by which no device behaves otherwise


class Repeated:
    """A device's section whose text is that of an earlier one's, but for the values of OWN."""

    __slots__ = ("_read", "own")

    def __init__(self, own: Section, read: Callable[[], Section]) -> None:
        """`own`: the values of OWN in it; `read` gives all of it, and finds nothing wrong."""
        self.own = own
        self._read = read

    def unfold(self) -> Section:
        """All that it says."""
        return self._read()


def unfold(value: Any) -> Any:
    """A value, or all that is in it where it is a section that repeats another."""
    return value.unfold() if type(value) is Repeated else value


def own_values(value: Any) -> Section:
    """What is surely in a section, whether it repeats another or not: the values of OWN."""
    own: Section = value.own if type(value) is Repeated else value
    return own
