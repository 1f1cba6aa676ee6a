"""Schedulers: what each queue gets of the wire.

A scheduler is named after what it says (`scheduler.dwrr60`), never after a queue: `config load` merges fields, so a
row that changes its meaning would keep stale ones. Queues that no class uses get no row: no traffic is mapped to
them, and what the box itself sends there (control traffic on queue 7) keeps the scheduler it has.
"""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.agreement import rates_of

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
    found = {queue: _make_scheduler(queues[queue], speed) for queue in sorted(queues)}
    return {queue: scheduler for queue, scheduler in found.items() if scheduler is not None}


def _make_scheduler(classes: Sequence[TrafficClass], speed: int | None) -> tuple[str, Row] | None:
    """Name and row of the scheduler of one queue; None if its classes say nothing."""
    row: Row = {}
    name = "scheduler"
    cls = classes[0]
    bandwidth = next((c.bandwidth for c in classes if c.bandwidth is not None), None)
    if cls.strict:
        row["type"] = "STRICT"
        name += ".strict"
    elif bandwidth is not None:
        weight = int(bandwidth + 0.5)  # the nearest, since weights are whole
        row |= {"type": "DWRR", "weight": str(weight)}
        name += f".dwrr{weight}"
    low, high = (None if rate is None else int(rate / 8) for rate in rates_of(cls, speed))  # SCHEDULER counts bytes
    if low is not None or high is not None:
        cir = _NO_GUARANTEE if low is None else low
        row |= {"meter_type": "bytes", "cir": str(cir)}
        name += f"_cir{cir}"
    if high is not None:
        row["pir"] = str(high)
        name += f"_pir{high}"
    return (name, row) if row else None
