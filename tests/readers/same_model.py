"""Whether two models of a device say the same of each port, whatever text either was read from.

`facts(device)` puts a device into plain values by port and aspect; `differences(a, b, aspects)` names what differs.
Classes have no names here: what counts is where each code point goes and what happens to it there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rocecfg.model import Device, Ecn, Headroom, PortGroup, TrafficClass

Facts = dict[str, Any]
ASPECTS = (
    "pfc",
    "watchdog",
    "ecn",
    "chain",
    "shares",
    "rates",
    "headroom",
    "trust",
    "cable",
    "mtu",
    "speed",
    "flowcontrol",
)


def facts(device: Device) -> dict[str, Facts]:
    """Port name -> aspect -> plain value."""
    return {name: _port(device, port) for port in device.ports for name in port.names}


def differences(a: Device, b: Device, aspects: Iterable[str] = ASPECTS) -> list[str]:
    """What the two say differently, one line each: `Ethernet0 pfc: (3,) != (3, 4)`."""
    one, other = facts(a), facts(b)
    out = [f"{name}: only in one of the two" for name in sorted(one.keys() ^ other.keys())]
    for name in sorted(one.keys() & other.keys()):
        for aspect in aspects:
            x, y = one[name][aspect], other[name][aspect]
            if not same(x, y):
                out.append(f"{name} {aspect}: {x} != {y}")
    return out


def same(x: Any, y: Any) -> bool:
    """Equal, numbers up to what a decimal or two cost."""
    if isinstance(x, Mapping) and isinstance(y, Mapping):
        return x.keys() == y.keys() and all(same(x[key], y[key]) for key in x)
    if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, (int, float)) and isinstance(y, (int, float)):
        return abs(x - y) <= 1e-6 * max(1.0, abs(x), abs(y))
    return bool(x == y)


def _port(device: Device, port: PortGroup) -> Facts:
    classes = device.classes_on(port)
    return {
        "pfc": port.pfc,
        "watchdog": _watchdog(port),
        "ecn": {c.queue: curve for c in classes if (curve := _curve(c, port.speed)) is not None},
        "chain": _chain(device, port),
        "shares": shares(device, port),
        "rates": {c.queue: rates for c in classes if any(rates := _rates(c, port.speed))},
        "headroom": _headroom(port.headroom if isinstance(port.headroom, Headroom) else port.room),
        "trust": port.trust,
        "cable": port.cable if port.pfc else None,
        "mtu": port.mtu,
        "speed": port.speed,
        "flowcontrol": port.flowcontrol,
    }


def _watchdog(port: PortGroup) -> Any:
    """Its timers in ms and what it watches; None where nothing is watched."""
    dog = port.watchdog
    if dog is None or not port.pfc:
        return None
    if dog.vendor_default:
        return "vendor-default"
    watched = port.pfc if dog.priorities is None else dog.priorities
    return (dog.detection, dog.restoration, dog.poll, dog.action or "drop", watched) if watched else None


def _curve(cls: TrafficClass, speed: int | None) -> Any:
    curve = cls.ecn_at(speed)
    if not isinstance(curve, Ecn):
        return curve
    return (curve.kmin, curve.kmax, curve.pmax, curve.weight, tuple(sorted(curve.colors)))


def _chain(device: Device, here: PortGroup) -> tuple[Any, ...]:
    """For each code point its queue, and if it is lossless its priority group and PFC priority; None: unknown.

    Lossless is what PFC is on for on this port: a switch's text knows no other sign of it.
    """
    lossless = {c.tc: c.priority for c in device.all_classes_on(here) if c.lossless and c.priority in here.pfc}
    maps = device.maps_on(here)
    return tuple(
        None if tc is None else (maps.tc_to_queue[tc], (maps.tc_to_pg[tc], lossless[tc]) if tc in lossless else None)
        for tc in maps.dscp_to_tc
    )


def shares(device: Device, port: PortGroup) -> dict[int, Any]:
    """Queue -> strict, or its percentage of what the others leave; only queues that classes state something for."""
    queues: dict[int, TrafficClass] = {}
    differ = any(other.maps is not None for other in device.ports)
    for own in device.all_classes_on(port):
        if differ and not own.dscps and own.name not in port.classes:
            continue  # a class of other ports
        if own.strict or own.bandwidth is not None:
            queues.setdefault(own.queue, own)
    total = sum(c.bandwidth or 0 for c in queues.values() if not c.strict)
    return {q: "strict" if c.strict else 100 * (c.bandwidth or 0) / (total or 1) for q, c in sorted(queues.items())}


def _rates(cls: TrafficClass, speed: int | None) -> tuple[float | None, float | None]:
    """The shaper and the guarantee in bit/s."""

    def rate(plain: int | None, percent: float | None) -> float | None:
        return speed * percent / 100 if percent is not None and speed is not None else plain

    return rate(cls.max_rate, cls.max_percent), rate(cls.guaranteed_rate, cls.guaranteed_percent)


def _headroom(room: Headroom | None) -> tuple[int | None, ...] | None:
    return None if room is None else (room.size, room.xon, room.xoff)
