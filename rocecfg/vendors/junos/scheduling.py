"""Schedulers, drop profiles and scheduler maps: one scheduler for each queue, as it is on a kind of port."""

from __future__ import annotations

from collections.abc import Hashable

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import Percent, show_rate
from rocecfg.model import ALL_COLORS, Device, Ecn, EcnPercent, PortGroup, TrafficClass
from rocecfg.physics.ecn import share_of_limit
from rocecfg.vendors.agreement import QueueClasses
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.limits import format_rate
from rocecfg.vendors.junos.target import whole_number

_WHY = "a queue is one forwarding class with one scheduler"
_PERCENT = (1, 100)
_FILL = (0, 100)


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


class Map(NamedTuple):
    """A scheduler map: forwarding classes and their schedulers."""

    name: str
    rows: tuple[tuple[str, str], ...]


class SchedulerPlan(NamedTuple):
    """How all ports send."""

    drops: tuple[Drops, ...]
    schedulers: tuple[Scheduler, ...]
    maps: tuple[Map, ...]
    of: dict[int, str]  # scheduler map of each group of ports, by its place in device.ports


def plan_schedulers(device: Device, names: dict[int, str]) -> SchedulerPlan:
    """The schedulers of a device. `names`: forwarding class of each queue. CannotRender for what Junos cannot say."""
    drops: dict[tuple[int, int, int], Drops] = {}
    schedulers: dict[tuple[str, Hashable], Scheduler] = {}
    maps: dict[tuple[tuple[str, str], ...], Map] = {}
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
            stated = (*_service_of(queue, classes), profile)
            same = [one for (of_class, _), one in schedulers.items() if of_class == name]
            fresh = f"{name}-SCHED" if not same else f"{name}-SCHED-{len(same) + 1}"
            rows.append((name, schedulers.setdefault((name, stated), Scheduler(fresh, *stated)).name))
        key = tuple(rows)
        _check_sum(port, [one for one in schedulers.values() if one.name in {name for _, name in rows}])
        if key not in maps:
            maps[key] = Map("ROCE-MAP" if not maps else f"ROCE-MAP-{len(maps) + 1}", key)
        of[number] = maps[key].name
    return SchedulerPlan(tuple(drops.values()), tuple(schedulers.values()), tuple(maps.values()), of)


def _check_limit(device: Device) -> None:
    if device.buffers.alpha is not None:
        raise CannotRender(
            "buffers.queue_limit beside buffers.alpha: a queue with a dynamic threshold holds less the fuller the "
            "others are, so that bytes are no percentage of it",
            "write thresholds in percent, or leave alpha out",
            (device.buffers.at("queue_limit"), device.buffers.at("alpha")),
        )


def _check_sum(port: PortGroup, of: list[Scheduler]) -> None:
    total = sum(one.share or 0 for one in of)
    if total > _PERCENT[1]:
        raise CannotRender(
            f"the bandwidths of ports {port.key} add up to {total} percent: transmit rates are 100 at most",
            "lower them so that they sum to 100",
            (port.at("classes"),),
        )


def _service_of(queue: int, members: list[TrafficClass]) -> tuple[bool, int | None, str | None]:
    for cls in members:
        if cls.guaranteed_rate is not None or cls.guaranteed_percent is not None:
            raise CannotRender(
                f"class {cls.name}: transmit-rate is the one guarantee of a scheduler, and says the bandwidth of the "
                "class",
                "leave guaranteed out",
                (cls.at("guaranteed_rate", "guaranteed_percent", "guaranteed"),),
            )
    shared = QueueClasses(queue, members, _WHY)
    strict = shared.agree("strict scheduling", lambda c: c.strict, "bandwidth")
    at = members[0].at
    share = None if strict else shared.agree_if_stated("bandwidth", lambda c: c.bandwidth)
    rate = shared.agree_if_stated("max_rate", lambda c: c.max_rate)
    percent = shared.agree_if_stated("max_rate", lambda c: c.max_percent)
    shape = None
    if percent is not None:
        shape = f"percent {whole_number(percent, _PERCENT, 'a maximal rate', '%', at('max_percent', 'max_rate'))}"
    elif rate is not None:
        if rate % 1000 or rate < 1000:
            raise CannotRender(
                f"Junos takes shaping rates in whole kbit/s, so {rate} bit/s cannot be said",
                "round it",
                (at("max_rate"),),
            )
        shape = format_rate(rate)
    return (
        strict,
        None if share is None else whole_number(share, _PERCENT, "a transmit-rate", "%", at("bandwidth")),
        shape,
    )


def _curve_of(device: Device, members: list[TrafficClass], port: PortGroup) -> tuple[int, int, int] | None:
    """Fill levels and drop probability of the classes that cross a port; None: no marking."""
    crossing = [cls for cls in members if cls.name in port.classes]
    if not crossing:
        return None
    ecn = QueueClasses(crossing[0].queue, crossing, _WHY).agree("ecn", lambda c: c.ecn_at(port.speed), "ecn")
    if ecn is None:
        return None
    cls = crossing[0]
    limit = device.buffers.queue_limit
    if isinstance(ecn, Ecn) and limit:
        _check_limit(device)
        kmin, kmax = (Percent(share_of_limit(bound, limit)) for bound in (ecn.kmin, ecn.kmax))
        ecn = EcnPercent(kmin, kmax, ecn.pmax, ecn.weight, ecn.colors, origins=ecn.origins)
    if not isinstance(ecn, EcnPercent):
        on = f" at {show_rate(port.speed)}" if port.speed else ""
        raise CannotRender(
            f"class {cls.name}: ECN thresholds{on} are in bytes, and drop profiles in percent of the queue's buffer, "
            "whose "
            "size in bytes is not known",
            "write percent: ecn: {kmin: 55%, kmax: 90%, pmax: 100%}; or, where a queue's buffer is dedicated or "
            "static, state all that it holds as buffers.queue_limit",
            (cls.at("ecn"),),
        )
    if ecn.weight:
        raise CannotRender(
            f"class {cls.name}: Junos does not set how queues are averaged", "leave weight out", (ecn.at("weight"),)
        )
    if set(ecn.colors) != set(ALL_COLORS):
        raise CannotRender(
            f"class {cls.name}: a curve is for packets of every colour", "leave colors out", (ecn.at("colors"),)
        )
    low = whole_number(float(ecn.kmin), _FILL, "a fill level", "%", ecn.at("kmin"))
    high = whole_number(float(ecn.kmax), _FILL, "a fill level", "%", ecn.at("kmax"))
    if low >= high:
        raise CannotRender(
            f"class {cls.name}: kmin {low}% is not below kmax {high}%: fill levels rise",
            "raise kmax",
            (ecn.at("kmax"), ecn.at("kmin")),
        )
    return low, high, whole_number(ecn.pmax, _PERCENT, "a drop probability", "%", ecn.at("pmax"))
