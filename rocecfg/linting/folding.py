"""One finding for one cause: what a hit reaches, and the places of a mistake that one file makes again and again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Ecn, EcnPercent, PortGroup, Span, TrafficClass
from rocecfg.model.fix import Fix
from rocecfg.model.stated import Problem
from rocecfg.rules import Hit, Rule
from rocecfg.rules.common import kept_with_device

_MOST_PLACES = 3  # told beside the first
_CURVES = (Ecn, EcnPercent)
_MAPS = {
    "DSCP_MAP": "dscp_to_tc_map",
    "PG_MAP": "tc_to_pg_map",
}  # word of a fix: kind of map


class Reach:
    """A hit and all it reaches, while it is being folded."""

    __slots__ = (
        "again",
        "at",
        "cls",
        "counted",
        "devices",
        "everywhere",
        "fix",
        "hit",
        "maps",
        "paused",
        "port_count",
        "ports",
        "priorities",
        "refusing",
        "rule",
        "severity",
        "vendors",
    )

    def __init__(self, rule: Rule, severity: str, hit: Hit, at: Span | None) -> None:
        self.rule = rule
        self.severity = severity
        self.hit = hit
        self.at = at
        self.cls = hit.cls  # None where the same is so of several
        self.again: dict[Span, None] = {}  # the same mistake at other places of a switch's own configuration
        self.fix = hit.fix
        self.maps: set[tuple[tuple[str, str], ...]] = set()  # those bound on each port that it reaches
        self.devices: dict[str, None] = {}
        self.ports: dict[str, None] = {}
        self.everywhere = False  # whether it reaches all ports of some device
        self.port_count = 0
        self.counted: set[tuple[int, int]] = set()  # devices and groups of ports, where one may be hit twice
        self.vendors: set[str | None] = set()
        self.paused: set[tuple[int, ...]] = set()  # the priorities with PFC of each port that it reaches
        self.priorities: set[int] = set()  # those of the class concerned
        self.refusing: dict[str, None] = {}  # titles of the systems, of those it reaches, that refuse it

    def add_hit(self, hit: Hit, at: Span | None) -> None:
        """The same hit once more."""
        if self.cls != hit.cls:
            self.cls = None
        if self.fix != hit.fix:
            self.fix = _merge_fixes(self.fix, hit.fix)
        if at is not None and at != self.at:
            self.again[at] = None

    def add_device(self, device: Device, some: tuple[PortGroup, ...], *, once: bool) -> None:
        """It reaches a device, on `some` ports or on all. `once`: what it has reached already counts no more."""
        ports = some or device.ports
        if once:
            whole = id(device.whole or device)
            ports = tuple(p for p in ports if (whole, id(p)) not in self.counted)
            self.counted.update((whole, id(p)) for p in ports)
        self.devices.update(dict.fromkeys(device.names))
        self.vendors.add(device.vendor)
        self.paused.update(p.pfc for p in ports if p.pfc)
        self.maps.update(p.running.maps for p in ports if p.running is not None and p.running.maps and p.pfc)
        self.priorities.update(c.priority for c in device.classes if c.name == self.cls)
        if self.hit.refused and device.nos is not None and self.hit.refused in device.nos.refuses:
            self.refusing[device.nos.title] = None
        if some or device.whole is not None:
            self.ports.update(dict.fromkeys(name for p in ports for name in p.names))
        else:
            self.everywhere = True
        self.port_count += len(device.names) * sum(len(p.names) for p in ports)

    def fill_words(self) -> dict[str, str]:
        """What words of a fix stand for, as far as it is the same wherever the hit reaches."""
        out: dict[str, str] = {}
        for word, kind in _MAPS.items():
            names = {dict(bound).get(kind) for bound in self.maps}
            if len(names) == 1 and (name := names.pop()) is not None:
                out[word] = name
        if len(self.paused) == 1:
            (paused,) = self.paused
            out["PRIORITIES"] = ",".join(map(str, paused))
            if len(paused) == 1:
                out["PRIORITY"] = str(paused[0])
        if len(self.priorities) == 1:
            out["PRIORITY"] = str(next(iter(self.priorities)))
        return {**out, **dict(self.hit.fill)}

    @property
    def message(self) -> str:
        """What the hit says, and which of the systems that it reaches refuse that."""
        if not self.refusing:
            return self.hit.message
        return f"{self.hit.message}, and {' and '.join(self.refusing)} refuse{'s' * (len(self.refusing) == 1)} it"


def find_concerned_ports(device: Device, cls: str | None, at: Span) -> tuple[PortGroup, ...]:
    """The ports of a device for which a value of its classes holds; (): all of them, or it is not one of theirs.

    A class, or its curve, may be another one on some ports, and a curve is for the ports of its speed that the class
    crosses. `cls`: the class that is intended; None: any. `at`: where the value is written.
    """
    held = _find_holders(device).get(at, ())
    found = {n for holder in held if cls is None or holder.cls.name == cls for n in holder.ports}
    return () if len(found) == len(device.ports) else tuple(device.ports[n] for n in sorted(found))


class _Holder(NamedTuple):
    """A class as ports have it that are of one speed."""

    cls: TrafficClass
    ports: list[int]  # their numbers among the device's


@kept_with_device  # which is asked for each finding
def _find_holders(device: Device) -> Mapping[object, Sequence[_Holder]]:
    """By the places of values: who has them."""
    holders: dict[tuple[int, bool, object], _Holder] = {}
    by_place: dict[object, list[_Holder]] = {}
    for n, port in enumerate(device.ports):
        for cls in device.all_classes_on(port):
            crosses = cls.name in port.classes
            key = (id(cls), crosses, port.speed)
            holder = holders.get(key)
            if holder is None:
                holder = holders[key] = _Holder(cls, [])
                curve = cls.ecn_at(port.speed) if crosses else None
                places = (*cls.origins.values(), *(curve.origins.values() if isinstance(curve, _CURVES) else ()))
                for place in dict.fromkeys(places):
                    by_place.setdefault(place, []).append(holder)
            holder.ports.append(n)
    return by_place


def _merge_fixes(a: Fix | None, b: Fix | None) -> Fix | None:
    """One fix at the places of both; None where they want different things: then there is not one answer."""
    if a is None or b is None or a[:2] != b[:2]:
        return None
    changes = tuple(dict.fromkeys((*a.changes, *b.changes)))
    return a._replace(changes=changes) if len({change.at for change in changes}) == len(changes) else None


def fold_repeated(problems: Iterable[Problem]) -> Iterator[tuple[Problem, tuple[Span, ...]]]:
    """What is said again and again of one file, as of a line below every interface: once, with its other places."""
    first: dict[object, Problem] = {}
    again: dict[object, dict[Span, None]] = {}
    for problem in problems:
        key = (problem.rule, problem.device, problem.at.doc, problem.message, problem.help, problem.severity)
        others = (problem.at, *problem.places) if first.setdefault(key, problem) is not problem else problem.places
        again.setdefault(key, {}).update(dict.fromkeys(others))
    for which, problem in first.items():
        yield problem, tuple(again[which])


def label_repeats(again: Iterable[Span]) -> list[tuple[Span, str]]:
    """The other places of a mistake, in words."""
    return label_other_places([(place, "the same here") for place in again])


def label_other_places(places: list[tuple[Span, str]]) -> list[tuple[Span, str]]:
    """The first few other places of a mistake with the words on them; the last one says how many more there are."""
    shown = places[:_MOST_PLACES]
    if more := len(places) - len(shown):
        at, word = shown[-1]
        shown[-1] = (at, f"{word}, and at {more} more place{'s' * (more != 1)}")
    return shown
