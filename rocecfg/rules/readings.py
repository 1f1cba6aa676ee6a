"""What a device asks of its network operating system: each value under the name that `profiles/nos` has for it."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import ALL_COLORS, Buffers, Device, Ecn, PortGroup, TrafficClass, Watchdog
from rocecfg.physics.watchdog import polls
from rocecfg.units import show_time

_BUFFERS = (
    ("alpha", ""),
    ("lossless_pool", "percent"),
    ("lossy_pool", "percent"),
    ("lossless_mtu", "B"),
    ("small_packets", "percent"),
)

# what limits and lacks of profiles/nos call it, value, unit, who has it and under which field; the class concerned
Reading = tuple[str, float | str, str, Watchdog | PortGroup | Device | TrafficClass | Ecn | Buffers, str, str | None]


def readings(device: Device) -> Iterator[Reading]:
    """Every value that a limit or a lack can be about; plain tuples, whose origin is asked for where one is wrong."""
    if device.mtu is not None:
        yield "mtu", device.mtu, "B", device, "mtu", None
    dogs: dict[int, Watchdog] = {}  # ports that inherit one share the object
    for port in device.ports:
        if port.speed is not None:
            yield "speed", port.speed, "bit/s", port, "speed", None
        if port.cable is not None:
            yield "cable", port.cable, "m", port, "cable", None
        if port.mtu is not None:
            yield "mtu", port.mtu, "B", port, "mtu", None
        if port.watchdog is not None and port.pfc:
            dogs[id(port.watchdog)] = port.watchdog
        for changed in port.overrides:
            yield from _of_curves(changed)
    for dog in dogs.values():
        yield from _of_watchdog(dog)
    if len(dogs) > 1:
        yield from _differing("watchdog.detection_time", "detection", [(d.detection, d) for d in dogs.values()])
        yield from _differing("watchdog.poll_interval", "poll", [(d.poll, d) for d in dogs.values()])
    for cls in device.classes:
        if cls.bandwidth is not None:
            yield "bandwidth", cls.bandwidth, "percent", cls, "bandwidth", cls.name
        yield from _of_curves(cls)
    yield from _of_buffers(device.buffers)


def _of_watchdog(dog: Watchdog) -> Iterator[Reading]:
    yield "watchdog", "on", "", dog, "", None
    if dog.detection is not None:
        yield "watchdog.detection_time", dog.detection, "ms", dog, "detection", None
        if dog.poll:
            yield "watchdog.robustness", polls(dog.detection, dog.poll), "", dog, "detection", None
    if dog.restoration is not None:
        yield "watchdog.restoration_time", dog.restoration, "ms", dog, "restoration", None
    if dog.poll is not None:
        yield "watchdog.poll_interval", dog.poll, "ms", dog, "poll", None
    if dog.action is not None:
        yield "watchdog.action", dog.action, "", dog, "action", None


def _differing(what: str, field: str, timers: list[tuple[float | None, Watchdog]]) -> Iterator[Reading]:
    """A timer that is not the same on all ports of the device; the place is where the second value is set."""
    first_with: dict[float, Watchdog] = {}
    for time, dog in timers:
        if time is not None:
            first_with.setdefault(time, dog)
    if len(first_with) > 1:
        second = list(first_with.values())[1]
        yield f"{what} by port", " and ".join(map(show_time, first_with)), "", second, field, None


def _of_curves(cls: TrafficClass) -> Iterator[Reading]:
    for curve in (cls.ecn, *(by_speed for _, by_speed in cls.ecn_by_speed)):
        if isinstance(curve, Ecn):
            yield "ecn.kmin", curve.kmin, "B", curve, "kmin", cls.name
            yield "ecn.kmax", curve.kmax, "B", curve, "kmax", cls.name
            yield "ecn.pmax", curve.pmax, "percent", curve, "pmax", cls.name
            if curve.weight:
                yield "ecn.weight", curve.weight, "", curve, "weight", cls.name
            if curve.colors != ALL_COLORS:
                colors = ",".join(c for c in ALL_COLORS if c in curve.colors)
                yield "ecn.colors", colors, "", curve, "colors", cls.name


def _of_buffers(buffers: Buffers) -> Iterator[Reading]:
    for field, unit in _BUFFERS:
        value = getattr(buffers, field)
        if value is not None:
            yield f"buffers.{field}", value, unit, buffers, field, None
