"""Schedulers: what each queue gets of the wire.

A scheduler is named after what it says (`scheduler.dwrr60`), never after a queue: `config load` merges fields, so a
row that changes its meaning would keep stale ones. Queues that no class uses get no row: no traffic is mapped to
them, and what the box itself sends there (control traffic on queue 7) keeps the scheduler it has.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.base import CannotRender

_MAX_WEIGHT = 100  # sonic-scheduler.yang: weight 1..100
_NO_GUARANTEE = 1  # byte/s: pir is only legal beside cir > 0, and this is the smallest

Row = dict[str, str]


def schedulers_on(device: Device, port: PortGroup | None) -> dict[int, tuple[str, Row]]:
    """Queue -> scheduler name and row, for the classes of a device as they stand on these ports.

    Every class of the device counts, also one that does not cross the ports: the scheduler is device-wide. A queue
    whose classes state neither `strict` nor a bandwidth has none.
    """
    queues: dict[int, list[TrafficClass]] = {}
    for cls in device.classes if port is None else device.all_classes_on(port):
        queues.setdefault(cls.queue, []).append(cls)
    speed = port.speed if port is not None else None
    found = {queue: _make_scheduler(queue, queues[queue], speed) for queue in sorted(queues)}
    return {queue: scheduler for queue, scheduler in found.items() if scheduler is not None}


def _make_scheduler(queue: int, classes: Sequence[TrafficClass], speed: int | None) -> tuple[str, Row] | None:
    """Name and row of the scheduler of one queue; None if its classes say nothing."""
    row: Row = {}
    name = "scheduler"
    strict = _agreed_value(queue, classes, "strict")
    bandwidth = _agreed_value(queue, [c for c in classes if c.bandwidth is not None] or classes, "bandwidth")
    if strict:
        row["type"] = "STRICT"
        name += ".strict"
    elif bandwidth is not None:
        weight = _dwrr_weight(classes[0], bandwidth)
        row |= {"type": "DWRR", "weight": str(weight)}
        name += f".dwrr{weight}"
    low = _bytes_per_second(queue, classes, "guaranteed", speed)
    high = _bytes_per_second(queue, classes, "max", speed)
    if low is not None or high is not None:
        if not row:
            raise CannotRender(
                f"class {classes[0].name}: a rate without a bandwidth",
                "a SONiC scheduler needs its kind too: add bandwidth: strict or a percentage",
                (classes[0].at("bandwidth"),),
            )
        cir = _NO_GUARANTEE if low is None else low
        row |= {"meter_type": "bytes", "cir": str(cir)}
        name += f"_cir{cir}"
    if high is not None:
        if high < cir:
            raise CannotRender(
                f"class {classes[0].name}: max_rate {high} B/s is below the guaranteed rate {cir} B/s",
                "sonic-scheduler.yang wants pir >= cir",
                (classes[0].at("max_rate", "max_percent"),),
            )
        row["pir"] = str(high)
        name += f"_pir{high}"
    return (name, row) if row else None


def _agreed_value(queue: int, classes: Sequence[TrafficClass], field: str) -> float | None:
    """The one value that the classes of a queue have; CannotRender if they differ."""
    first = classes[0]
    for other in classes[1:]:
        if getattr(other, field) != getattr(first, field):
            raise CannotRender(
                f"classes {first.name} and {other.name} share queue {queue} but want different schedulers",
                "a queue has one scheduler: state the same bandwidth for both, or give them queues of their own",
                (first.at("bandwidth"), other.at("bandwidth")),
            )
    value: float | None = getattr(first, field)
    return value


def _dwrr_weight(cls: TrafficClass, bandwidth: float) -> int:
    """The DWRR weight of a percentage: the nearest whole number, since weights are whole."""
    weight = int(bandwidth + 0.5)
    if not 1 <= weight <= _MAX_WEIGHT:
        raise CannotRender(
            f"class {cls.name}: bandwidth {bandwidth:g}% gives DWRR weight {weight}, outside 1..{_MAX_WEIGHT}",
            "sonic-scheduler.yang: weight 1..100",
            (cls.at("bandwidth"),),
        )
    return weight


def _bytes_per_second(queue: int, classes: Sequence[TrafficClass], kind: str, speed: int | None) -> int | None:
    """The rate of a queue in bytes/s (SCHEDULER counts bytes, not bits); None if none is stated."""
    rate = _agreed_value(queue, classes, f"{kind}_rate")
    percent = _agreed_value(queue, classes, f"{kind}_percent")
    cls = classes[0]
    where = (cls.at(f"{kind}_rate", f"{kind}_percent"),)
    if rate is None and percent is None:
        return None
    if rate is None:
        if speed is None:
            raise CannotRender(
                f"class {cls.name}: {percent:g}% of a port whose speed is not stated",
                "SONiC takes rates, not percents: state the port's speed, or a rate",
                where,
            )
        rate = speed * (percent or 0) / 100
    whole = int(rate / 8)
    if whole < 1:
        raise CannotRender(f"class {cls.name}: a rate of {rate:g} bit/s is below 1 byte/s", "", where)
    return whole
