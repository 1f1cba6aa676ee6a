"""Schedulers: what each queue gets of the wire.

A scheduler is named after what it says (`scheduler.dwrr60`), never after a queue: `config load` merges fields, so a
row that changes its meaning would keep stale ones. Queues that no class uses get no row: no traffic is mapped to
them, and what the box itself sends there (control traffic on queue 7) keeps the scheduler it has.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.agreement import rates_of
from rocecfg.vendors.sonic.settings import write_values

_NO_GUARANTEE = 8  # bit/s: pir is only legal beside cir > 0, and this is the smallest

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
    found = {queue: _make_scheduler(queues[queue], speed) for queue in sorted(queues)}
    return {queue: scheduler for queue, scheduler in found.items() if scheduler is not None}


def _make_scheduler(classes: Sequence[TrafficClass], speed: int | None) -> tuple[str, Row] | None:
    """Name and row of the scheduler of one queue; None if its classes say nothing."""
    row: Row = {}
    name = "scheduler"
    cls = classes[0]
    bandwidth = next((c.bandwidth for c in classes if c.bandwidth is not None), None)
    if cls.strict:
        row |= write_values("scheduler", type="STRICT")
        name += ".strict"
    elif bandwidth is not None:
        row |= write_values("scheduler", type="DWRR", weight=bandwidth + 0.5)  # the nearest, since weights are whole
        name += f".dwrr{row['weight']}"
    low, high = rates_of(cls, speed)
    if low is not None or high is not None:
        low = _NO_GUARANTEE if low is None else low
        rates = write_values("scheduler", guaranteed=low, max_rate=high)
        row |= write_values("scheduler", meter="bytes") | rates
        name += "".join(f"_{field}{rate}" for field, rate in rates.items())
    return (name, row) if row else None
