"""The bandwidth that a writer guarantees to watched queues by itself, as EOS's does: an intent need not say it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rocecfg.model.stated import OFF, Section, Val
from rocecfg.vendors import part


class Floors:
    """Which traffic classes have that guarantee just where a watchdog wants it."""

    def __init__(self, vendor: object) -> None:
        self._floor: int | None = part(vendor, "writer").WATCHED_FLOOR if isinstance(vendor, str) else None  # bit/s
        self._found: dict[int, set[bool]] = {}  # by traffic class: whether ports that have it are watched

    def see(self, tc: int, section: Section, changed: Section, *, watched: bool) -> None:
        """A traffic class that crosses ports: its section, and what is otherwise there."""
        said: Val | None = changed.get("guaranteed", section.get("guaranteed"))
        if self._floor is not None and said is not None and said.value == self._floor:
            self._found.setdefault(tc, set()).add(watched)

    def of_no_use(self, tc: int, section: Section) -> bool:
        """Whether an intent that leaves the guarantee of a traffic class out is rendered with it all the same."""
        said = section.get("guaranteed")
        return said is not None and said.value == self._floor and self._found.get(tc) == {True}


def changes(classes: Val | None, numbers: Mapping[str, int], crossing: Collection[int]) -> dict[int, Section]:
    """What is said of the traffic classes that cross ports, where it differs from the switch's: by traffic class."""
    said = classes.value if classes is not None and isinstance(classes.value, dict) else {}
    found = {numbers[name]: part.value for name, part in said.items() if part.value != OFF}
    return {tc: found.get(tc, {}) for tc in crossing}
