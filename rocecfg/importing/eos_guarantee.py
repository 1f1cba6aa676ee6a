"""The bandwidth that a writer guarantees to watched queues by itself, as EOS's does: an intent need not say it."""

from __future__ import annotations

from rocecfg.model import TrafficClass
from rocecfg.vendors import part


class Floors:
    """Which traffic classes have that guarantee just where a watchdog wants it."""

    def __init__(self, vendor: str | None) -> None:
        self._floor: int | None = part(vendor, "writer").WATCHED_FLOOR if vendor is not None else None  # bit/s
        self._found: dict[int, set[bool]] = {}  # by traffic class: whether ports that have it are watched

    def see(self, tc: int, cls: TrafficClass, *, watched: bool) -> None:
        """A traffic class of the switch that crosses ports, as it is there."""
        if self._floor is not None and cls.guaranteed_rate == self._floor:
            self._found.setdefault(tc, set()).add(watched)

    def of_no_use(self, cls: TrafficClass) -> bool:
        """Whether an intent that leaves the guarantee of a class out is rendered with it all the same."""
        known = self._floor is not None and cls.guaranteed_rate == self._floor
        return known and self._found.get(cls.tc) == {True}
