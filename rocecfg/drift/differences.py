"""Differences: one for one cause, with all the devices and ports that it reaches."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Origin, Span, spans_of
from rocecfg.model.compare import Gap

_PIECE = re.compile(r"(\D*)(\d*)")


class Value(NamedTuple):
    """A setting, or a part of one, that is not as intended. `meant` and `running` are None where nothing is said."""

    part: str
    meant: Hashable | None
    running: Hashable | None
    meant_at: Origin | None
    running_at: Span | None
    near: Span | None  # where it would be said: the port, or the switch


class DriftReach(NamedTuple):
    """Devices and ports that a difference concerns: each of the ports on each of the devices; (): no ports."""

    devices: tuple[str, ...]
    ports: tuple[str, ...]


class BrokenRule(NamedTuple):
    """A rule that the running value breaks."""

    code: str
    name: str
    severity: str
    message: str


MARKS = ("dscp", "pcp")  # settings of single code points, and of 802.1p values


class Difference(NamedTuple):
    """What is intended and what runs instead, of one setting."""

    topic: str
    number: int | None  # of the queue or priority group
    codes: tuple[int, ...]  # code points or 802.1p values, where it is about them
    values: tuple[Value, ...]
    leftover: bool  # nothing is meant there
    down: bool  # on ports that are administratively down
    reach: tuple[DriftReach, ...]
    port_count: int
    breaks: tuple[BrokenRule, ...] = ()

    @property
    def devices(self) -> tuple[str, ...]:
        """All devices it reaches."""
        return tuple(dict.fromkeys(name for reach in self.reach for name in reach.devices))


class LocatedGap(NamedTuple):
    """A gap as it was found on one device: with the intent's place, and that of the port or switch."""

    gap: Gap
    meant_at: Origin | None
    near: Span | None = None


class Folding:
    """Takes what differs device by device and port by port, and gives differences, the widest first."""

    def __init__(self, order: Mapping[str, int]) -> None:
        """`order`: of the devices, as the intent has them."""
        self._order = order
        self._found: dict[Hashable, tuple[Difference, dict[str, dict[str, None]]]] = {}

    def add_device(self, name: str, seen: Iterable[LocatedGap]) -> None:
        """What differs on a device as a whole."""
        for part in _group_by_cause(seen):
            self._add(part, name, (), down=False)

    def add_ports(self, name: str, ports: Iterable[str], seen: Iterable[LocatedGap], *, down: bool) -> None:
        """What differs on ports of a device that are alike."""
        names = tuple(ports)
        for part in _group_by_cause(seen):
            self._add(part, name, names, down=down)

    def _add(self, cause: list[LocatedGap], name: str, ports: tuple[str, ...], *, down: bool) -> None:
        what = cause[0].gap.what
        values = tuple(_make_value(seen) for seen in cause if not _repeats_first(seen, cause))
        codes = tuple(s.gap.what.number or 0 for s in cause) if what.topic in MARKS else ()
        key = (what.topic, codes or what.number, tuple(map(_make_key, values)), bool(ports), down)
        found = self._found.get(key)
        if found is None:
            leftover = all(seen.gap.leftover for seen in cause)
            number = None if codes else what.number
            difference = Difference(what.topic, number, codes, values, leftover, down, (), 0)
            found = self._found[key] = (difference, {})
        found[1].setdefault(name, {}).update(dict.fromkeys(ports))

    def fold(self, ports_of: Mapping[str, int]) -> list[Difference]:
        """All of them; `ports_of`: how many ports a device has, which a setting of the device reaches."""
        out = []
        for difference, places in self._found.values():
            alike: dict[tuple[str, ...], list[str]] = {}
            for name in sorted(places, key=lambda n: self._order.get(n, len(self._order))):
                alike.setdefault(tuple(sorted(places[name], key=_natural_key)), []).append(name)
            reach = tuple(DriftReach(tuple(names), ports) for ports, names in alike.items())
            count = sum(len(r.ports) * len(r.devices) or sum(ports_of.get(n, 0) for n in r.devices) for r in reach)
            out.append(difference._replace(reach=reach, port_count=count))
        return sorted(out, key=lambda d: (-d.port_count, -len(d.devices)))


def _natural_key(name: str) -> tuple[tuple[str, int], ...]:
    """Sorts ports by their numbers: Ethernet4, Ethernet12."""
    return tuple((text, int(number or 0)) for text, number in _PIECE.findall(name))


def _group_by_cause(seen: Iterable[LocatedGap]) -> list[list[LocatedGap]]:
    """Gaps that belong together: the parts of one setting, and the code points that go astray in the same way."""
    causes: dict[Hashable, list[LocatedGap]] = {}
    for one in seen:
        what = one.gap.what
        key: Hashable = (what.topic, what.number, one.gap.leftover)
        if what.topic in MARKS:
            key = (what.topic, *(fact.value if fact else None for fact in (one.gap.meant, one.gap.running)))
        causes.setdefault(key, []).append(one)
    return list(causes.values())


def _repeats_first(seen: LocatedGap, cause: list[LocatedGap]) -> bool:
    """Whether a code point repeats what the first one of its cause says."""
    return seen.gap.what.topic in MARKS and seen is not cause[0]


def _make_value(seen: LocatedGap) -> Value:
    gap = seen.gap
    return Value(
        gap.what.part,
        gap.meant.value if gap.meant is not None else None,
        gap.running.value if gap.running is not None else None,
        seen.meant_at,
        gap.running.at if gap.running is not None else None,
        seen.near,
    )


def _make_key(value: Value) -> Hashable:
    return (*value[:3], next(iter(spans_of(value.meant_at)), None))


__all__ = ["MARKS", "BrokenRule", "Difference", "DriftReach", "Folding", "LocatedGap", "Value"]
