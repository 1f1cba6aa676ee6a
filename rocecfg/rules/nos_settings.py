"""What a device asks of its network operating system: each value under the name that `profiles/nos` has for it.

What it asks by way of differences, between classes or between ports, is `rocecfg.rules.per_port`'s.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import frexp

from rocecfg.model import (
    ALL_COLORS,
    AUTO,
    Buffers,
    Device,
    Ecn,
    Fabric,
    Headroom,
    PortGroup,
    TrafficClass,
    Watchdog,
)
from rocecfg.physics.watchdog import polls
from rocecfg.sizing.templates import divided, listed, profile, shared_headroom_known, shares_known, static

_BUFFERS = (
    ("alpha", ""),
    ("lossless_pool", "percent"),
    ("lossy_pool", "percent"),
    ("oversubscribe", ""),
    ("lossless_mtu", "B"),
    ("small_packets", "percent"),
)
_LINUX_NAME = 15  # characters of an interface name
_CONTROL = 7  # the queue of control traffic

Holder = Watchdog | PortGroup | Device | TrafficClass | Ecn | Headroom | Buffers
# what limits and lacks of profiles/nos call it, value, unit, who has it and under which field; the class concerned
Reading = tuple[str, float | str, str, Holder, str, str | None]


def readings(fabric: Fabric, device: Device) -> Iterator[Reading]:
    """Every value that a limit or a lack can be about; plain tuples, whose origin is asked for where one is wrong."""
    yield "qos", "", "", device, "version", None
    if device.mtu is not None:
        yield "mtu", device.mtu, "B", device, "mtu", None
    if device.dcbx is not None:
        yield "dcbx", device.dcbx, "", device, "dcbx", None
    if device.switch_type is not None:
        yield "switch_type", device.switch_type, "", device, "switch_type", None
    dogs: dict[int, Watchdog] = {}  # ports that inherit one share the object
    for port in device.ports:
        yield from _of_port(device, port)
        if port.watchdog is not None and port.pfc:
            dogs[id(port.watchdog)] = port.watchdog
    for dog in dogs.values():
        yield from _of_watchdog(dog)
    for cls in device.classes:
        yield from _of_class(fabric, device, cls)
    yield from _of_buffers(device)


def _of_port(device: Device, port: PortGroup) -> Iterator[Reading]:
    if port.speed is not None:
        yield "speed", port.speed, "bit/s", port, "speed", None
    if port.mtu is not None:
        yield "mtu", port.mtu, "B", port, "mtu", None
    if port.flowcontrol != "off":
        yield "flowcontrol", port.flowcontrol, "", port, "flowcontrol", None
    if port.lag is not None and not _is_linux(port.lag):
        yield "lag, which is no Linux interface name,", port.lag, "", port, "lag", None
    for changed in port.overrides:
        yield from _of_curves(changed)
    if not port.pfc:
        return
    if port.cable is not None:
        yield "cable", port.cable, "m", port, "cable", None
    dog = port.watchdog
    if dog is not None and dog.priorities is not None and set(dog.priorities) != set(port.pfc):
        yield "watchdog.priorities", _list(dog.priorities), "", dog, "priorities", None
    if isinstance(port.headroom, Headroom):
        yield from _of_headroom(device, port, port.headroom)
    elif port.headroom == AUTO and static(device) and listed(device, port) is None and profile(device, port):
        yield "headroom in a static pool", AUTO, "", port, "headroom", None


def _is_linux(name: str) -> bool:
    return len(name) <= _LINUX_NAME and name[0].isalpha() and all(c.isalnum() or c in "_-" for c in name)


def _of_headroom(device: Device, port: PortGroup, room: Headroom) -> Iterator[Reading]:
    yield "headroom", room.size, "B", room, "size", None
    if len(port.pfc) > 1:
        yield "headroom of several priorities", _list(port.pfc), "", room, "size", None
    if device.buffers.alpha is None and (port.alpha is None or frexp(port.alpha)[0] != 0.5):
        yield "headroom without buffers.alpha", "", "", room, "size", None
    if static(device):
        yield "headroom in a static pool", "", "", room, "size", None
    if room.xon is None or room.xoff is None:
        yield "headroom without xon and xoff", "", "", room, "size", None
    if room.xon is not None:
        yield "headroom.xon", room.xon, "B", room, "xon", None
        if room.xoff is None:
            yield "headroom.xon without xoff", "", "", room, "xon", None
    if room.xoff is not None:
        left = room.size - room.xoff  # how full it is when the pause goes out
        yield "headroom.xoff", room.xoff, "B", room, "xoff", None
        yield "headroom.size - xoff", left, "B", room, "xoff", None
        if room.xon is not None and left > 0:
            yield "headroom.size - xoff - xon", left - room.xon, "B", room, "xon", None


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
        # the same, for what only some chips lack: rules take `watchdog.action` for what the whole NOS lacks
        yield "pfc.watchdog.action", dog.action, "", dog, "action", None


def _of_class(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Reading]:
    name = cls.name
    if cls.bandwidth is not None:
        yield "bandwidth", cls.bandwidth, "percent", cls, "bandwidth", name
    yield from _of_curves(cls)
    for kind, rate, percent in (
        ("max_rate", cls.max_rate, cls.max_percent),
        ("guaranteed", cls.guaranteed_rate, cls.guaranteed_percent),
    ):
        yield from _of_rate(device, cls, kind, rate, percent)
    if cls.tc != cls.queue:
        yield f"queue of TC {cls.tc}", cls.queue, "", cls, "queue", name
        yield f"TC of queue {cls.queue}", cls.tc, "", cls, "tc", name
    if cls.queue == _CONTROL and (cls.ecn or cls.ecn_by_speed or not cls.strict or _is_shaped(cls) or cls.lossless):
        yield "settings of queue 7", "", "", cls, "queue", name
    if not cls.lossless:
        return
    if fabric.mode == "lossy":
        yield "a lossless class in a lossy fabric", "", "", cls, "lossless", name
    for field, number in (("tc", cls.tc), ("queue", cls.queue), ("pg", cls.pg)):
        if number != cls.priority and (field != "tc" or number != cls.queue):  # a queue of that number tells of both
            value = f"{number} for priority {cls.priority}"
            yield f"{field} of a lossless class", value, "", cls, field, name


def _is_shaped(cls: TrafficClass) -> bool:
    return any(r is not None for r in (cls.max_rate, cls.max_percent, cls.guaranteed_rate, cls.guaranteed_percent))


def _of_rate(
    device: Device, cls: TrafficClass, kind: str, rate: int | None, percent: float | None
) -> Iterator[Reading]:
    if rate is not None:
        yield "shaping", "", "", cls, kind, cls.name
        yield kind, rate, "bit/s", cls, kind, cls.name
    elif percent is not None:
        yield "shaping", "", "", cls, kind, cls.name
        yield f"{kind} in percent", percent, "percent", cls, kind, cls.name
        for speed in sorted({p.speed for p in device.ports if p.speed is not None}):
            yield f"{kind} of the port's speed", speed * percent / 100, "bit/s", cls, kind, cls.name


def _of_curves(cls: TrafficClass) -> Iterator[Reading]:
    for curve in (cls.ecn, *(by_speed for _, by_speed in cls.ecn_by_speed)):
        if isinstance(curve, Ecn):
            yield "ecn.kmin", curve.kmin, "B", curve, "kmin", cls.name
            yield "ecn.kmax", curve.kmax, "B", curve, "kmax", cls.name
            yield "ecn.pmax", curve.pmax, "percent", curve, "pmax", cls.name
            if curve.weight:
                yield "ecn.weight", curve.weight, "", curve, "weight", cls.name
            if set(curve.colors) != set(ALL_COLORS):
                colors = ",".join(c for c in ALL_COLORS if c in curve.colors)
                yield "ecn.colors", colors or "none", "", curve, "colors", cls.name


def _of_buffers(device: Device) -> Iterator[Reading]:
    buffers = device.buffers
    for field, unit in _BUFFERS:
        value = getattr(buffers, field)
        if value is not None:
            yield f"buffers.{field}", value, unit, buffers, field, None
    if buffers.shared_headroom is not None:
        shared = buffers.shared_headroom or "off"
        yield "buffers.shared_headroom", shared, "B", buffers, "shared_headroom", None
        if not shared_headroom_known(device):
            yield "buffers.shared_headroom without a template", shared, "B", buffers, "shared_headroom", None
        if shared == "off" and buffers.oversubscribe is not None:
            yield "buffers.oversubscribe beside shared_headroom off", "", "", buffers, "oversubscribe", None
    if buffers.alpha is not None and static(device) and any(listed(device, port) for port in device.ports if port.pfc):
        yield "buffers.alpha in a static pool", buffers.alpha, "", buffers, "alpha", None
    lossless, lossy = buffers.lossless_pool, buffers.lossy_pool
    if not any(cls.lossless for cls in device.classes):
        return
    yield from _of_pools(device)
    if lossless is not None and lossy is not None:
        yield "buffers.pools together", lossless + lossy, "percent", buffers, "lossless_pool", None
    elif lossless is not None:
        yield "buffers.lossless_pool alone", lossless, "percent", buffers, "lossless_pool", None
    elif lossy is not None:
        yield "buffers.lossy_pool alone", lossy, "percent", buffers, "lossy_pool", None


def _of_pools(device: Device) -> Iterator[Reading]:
    buffers = device.buffers
    field = "lossless_pool" if buffers.lossless_pool is not None else "lossy_pool"
    if getattr(buffers, field) is None:
        return
    yield "buffers.pools", "", "", buffers, field, None
    if divided(device) is False:
        yield "buffers.pools of one ingress pool", "", "", buffers, field, None
    elif not shares_known(device):
        yield "buffers.pools without a template", "", "", buffers, field, None


def _list(priorities: tuple[int, ...]) -> str:
    return ",".join(map(str, priorities)) or "none"
