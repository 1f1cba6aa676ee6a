"""Schedulers, drop profiles and scheduler maps: one scheduler for each queue, as it is on a kind of port."""

from __future__ import annotations

from collections.abc import Hashable

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import Device, Ecn, EcnPercent, PortGroup, TrafficClass
from rocecfg.physics.ecn import share_of_limit
from rocecfg.vendors.agreement import first_stated
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.limits import format_rate


class Drops(NamedTuple):
    """A drop profile: percent of the queue's buffer, and of packets."""

    name: str
    low: int
    high: int
    chance: int


class Scheduler(NamedTuple):
    """A scheduler. Texts are what follows the keyword."""

    name: str
    strict: bool
    share: int | None
    shape: str | None
    drops: str | None  # a drop profile, by which it marks


class SchedulerMap(NamedTuple):
    """A scheduler map: forwarding classes and their schedulers."""

    name: str
    rows: tuple[tuple[str, str], ...]


class SchedulerPlan(NamedTuple):
    """How all ports send."""

    drops: tuple[Drops, ...]
    schedulers: tuple[Scheduler, ...]
    maps: tuple[SchedulerMap, ...]
    of: dict[int, str]  # scheduler map of each group of ports, by its place in device.ports


def plan_schedulers(device: Device, names: dict[int, str]) -> SchedulerPlan:
    """The schedulers of a device. `names`: forwarding class of each queue."""
    drops: dict[tuple[int, int, int], Drops] = {}
    schedulers: dict[tuple[str, Hashable], Scheduler] = {}
    maps: dict[tuple[tuple[str, str], ...], SchedulerMap] = {}
    of: dict[int, str] = {}
    for number, port in enumerate(device.ports):
        rows = []
        members: dict[int, list[TrafficClass]] = {}
        for cls in device.all_classes_on(port):
            members.setdefault(cls.queue, []).append(cls)
        for queue, classes in sorted(members.items()):
            name = names[queue]
            curve = _curve_of(device, classes, port)
            profile = None
            if curve is not None:
                stem = f"{name}-ECN"
                count = sum(one.name.startswith(stem) for one in drops.values())
                known = drops.setdefault(curve, Drops(stem if not count else f"{stem}-{count + 1}", *curve))
                profile = known.name
            stated = (*_service_of(classes), profile)
            same = [one for (of_class, _), one in schedulers.items() if of_class == name]
            fresh = f"{name}-SCHED" if not same else f"{name}-SCHED-{len(same) + 1}"
            rows.append((name, schedulers.setdefault((name, stated), Scheduler(fresh, *stated)).name))
        key = tuple(rows)
        if key not in maps:
            maps[key] = SchedulerMap("ROCE-MAP" if not maps else f"ROCE-MAP-{len(maps) + 1}", key)
        of[number] = maps[key].name
    return SchedulerPlan(tuple(drops.values()), tuple(schedulers.values()), tuple(maps.values()), of)


def _service_of(members: list[TrafficClass]) -> tuple[bool, int | None, str | None]:
    first = members[0]
    share = None if first.strict else first_stated(members, lambda c: c.bandwidth)
    rate, percent = first_stated(members, lambda c: c.max_rate), first_stated(members, lambda c: c.max_percent)
    shape = None
    if percent is not None:
        shape = f"percent {int(percent)}"
    elif rate is not None:
        shape = format_rate(rate)
    return first.strict, None if share is None else int(share), shape


def _curve_of(device: Device, members: list[TrafficClass], port: PortGroup) -> tuple[int, int, int] | None:
    """Fill levels and drop probability of the classes that cross a port; None: no marking."""
    crossing = [cls for cls in members if cls.name in port.classes]
    if not crossing:
        return None
    cls, limit = crossing[0], device.buffers.queue_limit
    ecn = cls.ecn_at(port.speed)
    if isinstance(ecn, EcnPercent):
        return int(ecn.kmin), int(ecn.kmax), int(ecn.pmax)
    if ecn is None:
        return None
    if not isinstance(ecn, Ecn) or not limit:
        on = f" at {show_rate(port.speed)}" if port.speed else ""
        raise CannotRender(
            f"class {cls.name}: ECN thresholds{on} are unknown in percent of the queue's buffer, as drop profiles "
            "have them",
            "write percent: ecn: {kmin: 55%, kmax: 90%, pmax: 100%}; or, where a queue's buffer is dedicated or "
            "static, state all that it holds as buffers.queue_limit",
            (cls.at("ecn"),),
        )
    return share_of_limit(ecn.kmin, limit), share_of_limit(ecn.kmax, limit), int(ecn.pmax)
