"""The transmit queues of a kind of port: scheduling, guarantees, shaping and ECN, as EOS can say them."""

from __future__ import annotations

from collections.abc import Collection

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import ALL_COLORS, Device, Ecn, EcnPercent, PortGroup, TrafficClass
from rocecfg.vendors.agreement import QueueClasses
from rocecfg.vendors.arista.limits import ECN_BYTES, FLOOR_KBPS, PERCENT, SAND, Target, to_kbps, whole_number
from rocecfg.vendors.base import CannotRender

_WHY = "a queue has one setting"
_FIXED = 7  # traffic class 7 and queue 7 belong to control traffic and to each other
_QUEUE_7_SINCE = (4, 33, 0)  # sand: release from which queue 7 takes settings


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
    classes that do. Raises CannotRender for what EOS cannot say.
    """
    members: dict[int, list[TrafficClass]] = {}
    for cls in device.all_classes_on(port):
        members.setdefault(cls.queue, []).append(cls)
    watched = port.pfc if port.watchdog else ()
    found = []
    for number in sorted(members):
        queue = _make_queue(number, members[number], port, watched, count=count)
        if not (number == _FIXED and target.family == SAND and _is_fixed_on_sand(queue, members[number], target)):
            found.append(queue)
    return tuple(found)


def _make_queue(
    number: int, members: list[TrafficClass], port: PortGroup, watched: Collection[int], *, count: bool
) -> Queue:
    queue = QueueClasses(number, members, _WHY)
    strict = queue.agree("strict scheduling", lambda c: c.strict, "bandwidth")
    share = None if strict else queue.agree_if_stated("bandwidth", lambda c: c.bandwidth)
    rate = queue.agree_if_stated("max_rate", lambda c: c.max_rate)
    percent = queue.agree_if_stated("max_rate", lambda c: c.max_percent, "max_percent")
    floor_rate = queue.agree_if_stated("guaranteed", lambda c: c.guaranteed_rate, "guaranteed_rate")
    floor_percent = queue.agree_if_stated("guaranteed", lambda c: c.guaranteed_percent, "guaranteed_percent")
    at = members[0].at
    guaranteed = None
    if floor_percent is not None:
        value = whole_number(
            floor_percent, PERCENT, "a guaranteed bandwidth", "%", at("guaranteed_percent", "guaranteed")
        )
        guaranteed = f"percent {value}"
    elif floor_rate is not None:
        guaranteed = str(to_kbps(floor_rate, "a guaranteed bandwidth", at("guaranteed_rate", "guaranteed")))
    elif number in watched:
        guaranteed = str(FLOOR_KBPS)
    shape = None
    if percent is not None:
        shape = f"{whole_number(percent, PERCENT, 'a maximal rate', '%', at('max_percent', 'max_rate'))} percent"
    elif rate is not None:
        shape = f"{to_kbps(rate, 'a maximal rate', at('max_rate'))} kbps"
    ecn = _curve_of(number, [c for c in members if c.name in port.classes], port)
    return Queue(
        number,
        strict,
        None if share is None else whole_number(share, PERCENT, "the bandwidth of a queue", "%", at("bandwidth")),
        guaranteed,
        shape,
        ecn,
        count and ecn is not None,
    )


def _curve_of(number: int, crossing: list[TrafficClass], port: PortGroup) -> Curve | None:
    if not crossing:
        return None
    ecn = QueueClasses(number, crossing, _WHY).agree("ecn", lambda c: c.ecn_at(port.speed), "ecn")
    if ecn is None:
        return None
    cls = crossing[0]
    if isinstance(ecn, EcnPercent):
        raise CannotRender(
            f"class {cls.name}: ECN thresholds in percent of the queue's buffer: EOS takes bytes",
            "write sizes, such as kmin: 400KB",
            (ecn.at("kmin"), cls.at("ecn")),
        )
    if not isinstance(ecn, Ecn):
        on = f" at {show_rate(port.speed)}" if port.speed else ""
        raise CannotRender(
            f"class {cls.name}: ecn is auto, and no curve is known for this chip{on}",
            "write ecn: {kmin: …, kmax: …, pmax: …} for the class",
            (cls.at("ecn"),),
        )
    if set(ecn.colors) != set(ALL_COLORS):
        raise CannotRender(
            f"class {cls.name}: EOS marks packets of every colour; ecn.colors {', '.join(ecn.colors)} cannot be said",
            "write colors: all, or leave it out",
            (ecn.at("colors"), cls.at("ecn")),
        )
    if ecn.kmin > ecn.kmax:
        raise CannotRender(
            f"class {cls.name}: kmin {ecn.kmin} B is above kmax {ecn.kmax} B",
            "swap them",
            (ecn.at("kmin"), ecn.at("kmax")),
        )
    return Curve(
        whole_number(ecn.kmin, ECN_BYTES, "an ECN threshold", " B", ecn.at("kmin")),
        whole_number(ecn.kmax, ECN_BYTES, "an ECN threshold", " B", ecn.at("kmax")),
        whole_number(ecn.pmax, PERCENT, "a marking probability", "%", ecn.at("pmax")),
        whole_number(ecn.weight, (0, 15), "an ECN weight", "", ecn.at("weight")),
    )


def _is_fixed_on_sand(queue: Queue, members: list[TrafficClass], target: Target) -> bool:
    """Whether queue 7 wants just what it is anyway, strict, so that nothing has to be said.

    Sand takes settings of queue 7 from 4.33.0F only; for an older or unknown release, other wishes are refused.
    """
    plain = queue.strict and not (queue.guaranteed or queue.shape or queue.ecn)
    if not plain and (target.release is None or target.release < _QUEUE_7_SINCE):
        raise CannotRender(
            f"class {members[0].name} uses queue 7, which is fixed to strict control traffic on Jericho-class "
            "switches before EOS 4.33.0F",
            "give the class a queue below 7, or state the release: version, 4.33.0F or later",
            (members[0].at("queue", "tc", "priority"),),
        )
    return plain


def check_lossless(device: Device, port: PortGroup) -> None:
    """CannotRender where PFC priority, traffic class and queue of a lossless class differ.

    EOS has no line that ties a PFC priority to another traffic class, queue or priority group: every published
    configuration uses one number for all of them.
    """
    for cls in device.classes_on(port):
        if cls.priority not in port.pfc or not cls.lossless:
            continue
        for field in ("tc", "queue", "pg"):
            number = getattr(cls, field)
            if number != cls.priority:
                raise CannotRender(
                    f"class {cls.name} has PFC priority {cls.priority} but {field} {number}: EOS has no command that "
                    "ties a PFC priority to another traffic class, queue or priority group",
                    f"use {cls.priority} for all of them on this device",
                    (cls.at(field), cls.at("priority")),
                )
    for priority in port.pfc:
        if device.maps.tc_to_queue[priority] not in (priority, None):
            raise CannotRender(
                f"PFC is on for priority {priority}, but traffic class {priority} goes to queue "
                f"{device.maps.tc_to_queue[priority]}: EOS pauses the queue of the same number",
                f"map traffic class {priority} to queue {priority}",
                (device.maps.at("tc_to_queue"),),
            )
