"""The transmit queues of a kind of port: scheduling, guarantees, shaping and ECN, as EOS can say them."""

from __future__ import annotations

from collections.abc import Collection

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.agreement import curve_in_bytes, first_stated
from rocecfg.vendors.arista.release import FLOOR_KBPS, SAND, Target

_FIXED = 7  # traffic class 7 and queue 7 belong to control traffic and to each other


class Curve(NamedTuple):
    """ECN thresholds in bytes, probability in percent."""

    kmin: int
    kmax: int
    pmax: int
    weight: int


class Queue(NamedTuple):
    """One transmit queue; texts are what follows the keyword on its line."""

    number: int
    strict: bool
    share: int | None  # percent among the round-robin queues; None: strict, or nobody said
    guaranteed: str | None
    shape: str | None
    ecn: Curve | None
    counted: bool  # marked packets are counted here (else, where there is ECN, on the interface)


def queues_on(device: Device, port: PortGroup, target: Target, *, count: bool) -> tuple[Queue, ...]:
    """Return the queues that the device's classes use, ascending, as they are on this port.

    The scheduler is the device's, whichever classes cross the port; ECN and the watchdog's guarantee belong to the
    classes that do.
    """
    members: dict[int, list[TrafficClass]] = {}
    for cls in device.all_classes_on(port):
        members.setdefault(cls.queue, []).append(cls)
    watched = port.pfc if port.watchdog else ()
    found = []
    for number in sorted(members):
        queue = _make_queue(number, members[number], port, watched, count=count)
        if not (number == _FIXED and target.family == SAND and _is_plain(queue)):
            found.append(queue)
    return tuple(found)


def _make_queue(
    number: int, members: list[TrafficClass], port: PortGroup, watched: Collection[int], *, count: bool
) -> Queue:
    strict = members[0].strict
    share = None if strict else first_stated(members, lambda c: c.bandwidth)
    rate, percent = first_stated(members, lambda c: c.max_rate), first_stated(members, lambda c: c.max_percent)
    floor_rate = first_stated(members, lambda c: c.guaranteed_rate)
    floor_percent = first_stated(members, lambda c: c.guaranteed_percent)
    guaranteed = None
    if floor_percent is not None:
        guaranteed = f"percent {int(floor_percent)}"
    elif floor_rate is not None:
        guaranteed = str(floor_rate // 1000)
    elif number in watched:
        guaranteed = str(FLOOR_KBPS)
    shape = None
    if percent is not None:
        shape = f"{int(percent)} percent"
    elif rate is not None:
        shape = f"{rate // 1000} kbps"
    ecn = _curve_of([c for c in members if c.name in port.classes], port)
    return Queue(
        number,
        strict,
        None if share is None else int(share),
        guaranteed,
        shape,
        ecn,
        count and ecn is not None,
    )


def _curve_of(crossing: list[TrafficClass], port: PortGroup) -> Curve | None:
    curve = curve_in_bytes(crossing[0], port.speed) if crossing else None
    return None if curve is None else Curve(curve.kmin, curve.kmax, int(curve.pmax), curve.weight)


def _is_plain(queue: Queue) -> bool:
    """Whether a queue wants just what queue 7 of sand is anyway, strict, so that nothing has to be said."""
    return queue.strict and not (queue.guaranteed or queue.shape or queue.ecn)
