"""Which profiles, policies and classifiers a port has: by the rows of `/qos/interfaces`, or by its LAG's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Section, Val
from rocecfg.vendors.srlinux.reading.interfaces import Subinterface
from rocecfg.vendors.srlinux.reading.objects import Objects, Values

_SORTING = ("dscp", "ipv4", "ipv6", "dot1p")  # what a subinterface is sorted by


class Binding(NamedTuple):
    """What is bound to a port."""

    port: Section  # mapping, pfc, groups, limits, scheduler
    units: tuple[tuple[str, Values], ...]  # by the index of a subinterface
    managements: Section  # by output queue: its queue-management-profile
    row: Values | None
    astray: tuple[tuple[str, Values], ...] = ()  # the same of subinterfaces that are not there
    bare: tuple[tuple[str, Span], ...] = ()  # subinterfaces that nothing is bound to by which they sort

    def restrict(self, there: Mapping[str, Subinterface]) -> Binding:
        """What holds for the subinterfaces that are there, by index; one that is shut down need not sort."""
        if not there:
            return self
        units = tuple(one for one in self.units if one[0] in there)
        sorted_by = {unit for unit, row in units if any(key in row for key in _SORTING)}
        return self._replace(
            units=units,
            astray=tuple(one for one in self.units if one[0] not in there),
            bare=tuple((unit, of.at) for unit, of in there.items() if unit not in sorted_by and of.up),
        )

    @property
    def sorting(self) -> Section:
        """By what it sorts: as the first subinterface that says so."""
        for _, unit in self.units:
            found = {key: unit[key] for key in _SORTING if key in unit}
            if found:
                return found
        return {}

    @property
    def dscp(self) -> Val | None:
        """The policy by DSCP."""
        given = self.sorting
        return given.get("dscp") or given.get("ipv4") or given.get("ipv6")

    def list_dscps(self) -> Iterator[Val]:
        """The policy by DSCP of each subinterface that has one."""
        for _, unit in self.units:
            yield from (unit[key] for key in _SORTING[:3] if key in unit)


class Bindings:
    """Those of all ports."""

    def __init__(self, objects: Objects) -> None:
        self._of: dict[str, tuple[list[tuple[str, Values]], list[tuple[str, str, Values]]]] = {}
        self.objects = objects
        for (name,), row in objects.of("bound").items():
            port, unit = find_row_target(name, row)
            rows, units = self._of.setdefault(port, ([], []))
            if unit is None:
                rows.append((name, row))
            else:
                units.append((unit, name, row))

    @property
    def names(self) -> tuple[str, ...]:
        """The ports and LAGs that there are rows for."""
        return tuple(self._of)

    def find(self, name: str, lag: str | None = None) -> Binding:
        """What a port has; a row of a LAG is for its members."""
        rows, units = self._of.get(name) or self._of.get(lag or "", ([], []))
        port: Section = {}
        managements: Section = {}
        for own, row in rows:
            port.update({key: val for key, val in row.items() if key not in ("interface", "subinterface")})
            for (queue,), bound in self.objects.below("bound-queues", own).items():
                if "management" in bound:
                    managements[queue] = bound["management"]
        by_unit = tuple((unit, row) for unit, _, row in units)
        return Binding(port, by_unit, managements, rows[0][1] if rows else None)


def find_row_target(name: str, row: Values) -> tuple[str, str | None]:
    """The interface that a row is for, and the index of the subinterface; without a reference its own name says it."""
    if "interface" in row:
        unit = row.get("subinterface")
        return row["interface"].value, None if unit is None else str(unit.value)
    port, _, unit_of = name.partition(".")
    return port, unit_of or None
