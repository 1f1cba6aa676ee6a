"""The eight queues of a queuing policy, as they are on a kind of port."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Ecn, PortGroup, TrafficClass
from rocecfg.vendors.agreement import curve_in_bytes, first_stated

_MBPS = 1_000_000


class Queue(NamedTuple):
    """A class of a queuing policy, and what stands in it."""

    name: str
    lines: tuple[str, ...]


def queues_on(device: Device, port: PortGroup) -> tuple[Queue, ...]:
    """The queues of a port from 7 down. Strict ones have to be the highest; what nobody uses has no share."""
    members: dict[int, list[TrafficClass]] = {}
    for cls in device.all_classes_on(port):
        members.setdefault(cls.queue, []).append(cls)
    strict = {number for number, classes in members.items() if classes[0].strict}
    lowest = min(strict, default=8)
    return tuple(
        Queue(
            f"c-out-8q-q{number}" if number else "c-out-8q-q-default",
            tuple(_list_lines(members.get(number, []), port, level=8 - number if number >= lowest else None)),
        )
        for number in range(7, -1, -1)
    )


def _list_lines(members: list[TrafficClass], port: PortGroup, *, level: int | None) -> list[str]:
    share = first_stated(members, lambda c: c.bandwidth) if members else None
    lines = [f"priority level {level}" if level is not None else f"bandwidth remaining percent {int(share or 0)}"]
    rate = first_stated(members, lambda c: c.max_rate) if members else None
    if rate is not None:
        lines.append(f"shape min 0 mbps max {rate // _MBPS} mbps")
    crossing = [cls for cls in members if cls.name in port.classes]
    curve = curve_in_bytes(crossing[0], port.speed) if crossing else None
    if isinstance(curve, Ecn):
        lines.append(
            f"random-detect minimum-threshold {curve.kmin} bytes maximum-threshold {curve.kmax} bytes drop-probability "
            f"{int(curve.pmax)} weight {curve.weight} ecn"
        )
    return lines
