"""What a device asks of its network operating system: each value under the text that `profiles/nos` has for it.

What it asks by way of differences, between classes or between ports, is `rocecfg.rules.per_port`'s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import frexp

from rocecfg.core.units import show_number, show_size
from rocecfg.model import (
    ALL_COLORS,
    AUTO,
    Buffers,
    Default,
    Device,
    Ecn,
    EcnPercent,
    Fabric,
    Headroom,
    LoadBalancing,
    PortGroup,
    TrafficClass,
    Trimming,
    Watchdog,
)
from rocecfg.model.catalogue import list_fields, list_plain
from rocecfg.model.views import make_views
from rocecfg.physics.ecn import share_of_limit
from rocecfg.physics.watchdog import count_polls
from rocecfg.sizing.templates import (
    buffer_model,
    find_profile,
    find_table_row,
    is_divided,
    is_static,
    shared_headroom_known,
    shares_known,
)

_DEVICE = tuple(list_plain("device"))
_PORT = {**list_plain("ports[]"), "mtu": None}  # with what holds where an intent is silent
_BUFFERS = tuple(field for field in list_fields("buffers").values() if field != "shared_headroom")  # which may be off
_LINUX_NAME = 15  # characters of an interface name
_AE_NAME = re.compile(r"ae\d{1,4}")
_CHANNEL_NAME = re.compile(r"port-channel[1-9]\d{0,3}")

Holder = Watchdog | PortGroup | Device | TrafficClass | Ecn | EcnPercent | Headroom | Buffers | LoadBalancing | Trimming
# a key of rocecfg.profiles.settings.SETTINGS, value, who has it and under which field; the class concerned
Reading = tuple[str, float | str, Holder, str, str | None]


def read_settings(fabric: Fabric, device: Device) -> Iterator[Reading]:
    """Every value that a limit or a lack can be about; plain tuples, whose origin is asked for where one is wrong."""
    yield "qos", "", device, "version", None
    if device.mtu is not None and all(port.mtu is None or port.at("mtu") != device.at("mtu") for port in device.ports):
        yield "port.mtu", device.mtu, device, "mtu", None  # else the ports that inherit it tell of it
    for field in _DEVICE:
        value = getattr(device, field)
        if value is not None:
            yield f"device.{field}", str(value).lower() if isinstance(value, bool) else value, device, field, None
    if _is_family_unknown(device):
        yield "device.family without a chip", "", device, "platform", None
    if device.load_balancing is not None:
        yield from _read_balancing(device, device.load_balancing)
    if device.trimming is not None:
        yield from _read_trimming(device, device.trimming)
    dogs: dict[int, Watchdog] = {}  # ports that inherit one share the object
    for port in device.ports:
        yield from _read_port(device, port)
        if port.watchdog is not None and port.pfc:
            dogs[id(port.watchdog)] = port.watchdog
    for dog in dogs.values():
        yield from read_watchdog(dog)
    sorting = make_views(device)
    if fabric.classification != "vendor" and any(tc is None for there in sorting for tc in there.maps.dscp_to_tc):
        yield "class.dscp for part of the code points", "", device, "classes", None
    for cls in dict.fromkeys(c for there in sorting for c in there.classes):
        yield from _read_class(fabric, device, cls)
    yield from _read_buffers(device)


def _is_family_unknown(device: Device) -> bool:
    """Whether nothing says of which family the chip is, where the system has several."""
    nos, asic = device.nos, device.asic
    known = device.family or (asic.families.get(nos.name) if nos is not None and asic is not None else None)
    return nos is not None and bool(nos.families) and known not in nos.families


def _read_balancing(device: Device, stated: LoadBalancing) -> Iterator[Reading]:
    if stated.mode is not None:
        yield "device.load_balancing.mode", stated.mode, stated, "mode", None
        if not any(port.faces == "switch" and port.lag is None for port in device.ports):
            yield "device.load_balancing.mode without ports", stated.mode, stated, "mode", None
    for field in stated.hash:
        yield "device.load_balancing.hash", field, stated, "hash", None


def _read_trimming(device: Device, stated: Trimming) -> Iterator[Reading]:
    yield "device.trimming", "", stated, "", None
    yield "device.trimming.size", stated.size, stated, "size", None
    if not stated.classes:
        yield "device.trimming without classes", "", stated, "", None
    if all(cls.queue != device.trim_queue for cls in device.classes):
        yield "device.trimming without a queue", "", stated, "queue", None


def _read_port(device: Device, port: PortGroup) -> Iterator[Reading]:
    for field, default in _PORT.items():
        value = getattr(port, field)
        if value != default:
            yield f"port.{field}", value, port, field, None
    if port.lag is not None:
        yield from _read_lag(port, port.lag)
    lossless = {cls.priority for cls in device.classes if cls.lossless}
    if port.pfc and lossless.difference(port.pfc):
        yield "port.pfc for part of the lossless classes", _join_numbers(port.pfc), port, "classes", None
    if port.trust == "none":
        yield from _read_untrusted(device, port)
    mtu, owner = (device.mtu, device) if port.mtu is None else (port.mtu, port)
    taken = device.nos.switched_mtus if device.nos is not None else ()
    if port.layer == 2 and mtu is not None and port.running is None and mtu not in taken:
        yield "port.mtu beside layer 2", mtu, owner, "mtu", None
    if port.trust == "pcp" and mtu is not None:
        yield "port.mtu beside trust pcp", mtu, owner, "mtu", None
    yield from _read_unknown_curves(device, port)
    for changed in port.overrides:
        yield from read_curves(device, changed)
    if port.pfc:
        yield from _read_lossless_port(device, port)


def _read_lossless_port(device: Device, port: PortGroup) -> Iterator[Reading]:
    if port.cable is not None:
        yield "port.cable", port.cable, port, "cable", None
    if not port.implied:
        yield from _read_unknown_headroom(device, port)
    for cls in device.classes_on(port):
        if cls.lossless and not cls.dscps and port.trust == "dscp":
            yield "class.lossless without dscp", "", cls, "dscp", cls.name
    dog = port.watchdog
    if dog is not None and dog.priorities is not None and set(dog.priorities) != set(port.pfc):
        yield "port.watchdog.priorities", _join_numbers(dog.priorities), dog, "priorities", None
    if isinstance(port.headroom, Headroom):
        yield from read_headroom(device, port, port.headroom)
    elif (
        port.headroom == AUTO
        and is_static(device)
        and find_table_row(device, port) is None
        and find_profile(device, port)
    ):
        yield "port.headroom in a static pool", AUTO, port, "headroom", None


def _read_unknown_curves(device: Device, port: PortGroup) -> Iterator[Reading]:
    for cls in device.classes_on(port):
        curve = cls.ecn_at(port.speed)
        if cls.ecn_by_speed and port.speed is None and not isinstance(curve, (Ecn, EcnPercent)):
            yield "class.ecn without speed", "of all ports" if port.implied else "of some ports", cls, "ecn", cls.name
        elif curve == AUTO:
            yield "class.ecn without a curve", "", cls, "ecn", cls.name


def _read_unknown_headroom(device: Device, port: PortGroup) -> Iterator[Reading]:
    """What a headroom goes by and nobody states."""
    if device.box is not None and not device.box.lossless:
        return  # it has none whatever is stated
    model = buffer_model(device)
    static, stated = model == "traditional", isinstance(port.headroom, Headroom)
    table = device.box is not None and device.box.headroom is not None and device.box.headroom.rows
    if model is None and port.headroom is not None:
        yield "port.headroom without a buffer model", "", port, "headroom", None
    elif port.cable is None and (port.headroom == AUTO or (stated and static)):
        yield "port.headroom without cable", "", port, "cable", None
    elif static and port.cable is not None and port.speed is None and (stated or table):
        yield "port.headroom without speed", "", port, "speed", None
    elif static and port.headroom == AUTO and not table:
        yield "port.headroom without a table", "", port, "headroom", None


def _read_lag(port: PortGroup, name: str) -> Iterator[Reading]:
    if not _is_linux_name(name):
        yield "port.lag no Linux name", name, port, "lag", None
    if not _AE_NAME.fullmatch(name):
        yield "port.lag no ae name", name, port, "lag", None
    if not _CHANNEL_NAME.fullmatch(name):
        yield "port.lag no port-channel name", name, port, "lag", None


def _read_untrusted(device: Device, port: PortGroup) -> Iterator[Reading]:
    if device.classes and not any(cls.rest or 0 in cls.dscps for cls in device.classes):
        yield "port.trust without a class for the rest", port.trust, port, "trust", None
    if port.pfc:
        yield "port.trust without marks of a lossless class", port.trust, port, "trust", None


def _is_linux_name(name: str) -> bool:
    return len(name) <= _LINUX_NAME and name[0].isalpha() and all(c.isalnum() or c in "_-" for c in name)


def read_headroom(device: Device, port: PortGroup, room: Headroom) -> Iterator[Reading]:
    """What is asked of a system by a headroom that is stated."""
    yield "port.headroom.size", room.size, room, "size", None
    if len(port.pfc) > 1:
        yield "port.headroom of several priorities", _join_numbers(port.pfc), room, "size", None
    if device.buffers.alpha is None and (port.alpha is None or frexp(port.alpha)[0] != 0.5):
        yield "port.headroom without alpha", "", room, "size", None
    if is_static(device):
        yield "port.headroom in a static pool", "", room, "size", None
    if room.xon is None or room.xoff is None:
        yield "port.headroom without xon and xoff", "", room, "size", None
    if room.xon is not None:
        yield "port.headroom.xon", room.xon, room, "xon", None
        if room.xoff is None:
            yield "port.headroom.xon without xoff", "", room, "xon", None
    if room.xoff is not None:
        left = room.size - room.xoff  # how full it is when the pause goes out
        yield "port.headroom.xoff", room.xoff, room, "xoff", None
        yield "port.headroom.size less xoff", left, room, "xoff", None
        if room.xon is not None and left > 0:
            yield "port.headroom.size less xoff and xon", left - room.xon, room, "xon", None


def read_watchdog(dog: Watchdog) -> Iterator[Reading]:
    """What is asked of a system by a watchdog; a default that nobody states is asked of none."""
    yield "port.watchdog", "on", dog, "", None
    if dog.detection is not None:
        yield "port.watchdog.detection", dog.detection, dog, "detection", None
        if dog.poll:
            yield "port.watchdog.detection in polls", count_polls(dog.detection, dog.poll), dog, "detection", None
    if dog.restoration is not None:
        yield "port.watchdog.restoration", dog.restoration, dog, "restoration", None
    if dog.poll is not None and not isinstance(dog.origins.get("poll"), Default):
        yield "port.watchdog.poll", dog.poll, dog, "poll", None
    if dog.action is not None and not isinstance(dog.origins.get("action"), Default):
        yield "port.watchdog.action", dog.action, dog, "action", None


def _read_class(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Reading]:
    name = cls.name
    if cls.bandwidth is not None:
        yield "class.bandwidth", cls.bandwidth, cls, "bandwidth", name
    yield from read_curves(device, cls)
    yield from _read_rates(device, cls)
    if cls.tc != cls.queue:
        yield "class.tc unlike queue", cls.tc, cls, "queue", name
        yield "class.queue unlike tc", cls.queue, cls, "tc", name
    if cls.ecn or cls.ecn_by_speed or not cls.strict or _is_shaped(cls) or cls.lossless:
        yield "class.queue with settings", cls.queue, cls, "queue", name
    if not cls.lossless:
        return
    yield "class.lossless of priority", str(cls.priority), cls, "priority", name
    if fabric.mode == "lossy":
        yield "class.lossless in a lossy fabric", "", cls, "lossless", name
    for field, number in (("tc", cls.tc), ("queue", cls.queue), ("pg", cls.pg)):
        if number != cls.priority and (field != "tc" or number != cls.queue):  # a queue of that number tells of both
            value = f"{number} for priority {cls.priority}"
            yield f"class.{field} unlike priority", value, cls, field, name


def _read_rates(device: Device, cls: TrafficClass) -> Iterator[Reading]:
    name = cls.name
    if _is_shaped(cls) and all(port.implied for port in device.ports):
        yield "class.max_rate without ports", "", cls, "max_rate" if "max_rate" in cls.origins else "guaranteed", name
    for stem, field, rate, percent in (
        ("class.max", "max_rate", cls.max_rate, cls.max_percent),
        ("class.guaranteed", "guaranteed", cls.guaranteed_rate, cls.guaranteed_percent),
    ):
        if rate is not None:
            yield f"{stem}_rate", rate, cls, field, name
        elif percent is not None:
            yield f"{stem}_percent", percent, cls, field, name
            if any(p.speed is None for p in device.ports):
                yield f"{stem}_percent without speed", percent, cls, field, name
            for speed in sorted({p.speed for p in device.ports if p.speed is not None}):
                yield f"{stem}_percent of speed", speed * percent / 100, cls, field, name


def _is_shaped(cls: TrafficClass) -> bool:
    return any(r is not None for r in (cls.max_rate, cls.max_percent, cls.guaranteed_rate, cls.guaranteed_percent))


def read_curves(device: Device, cls: TrafficClass) -> Iterator[Reading]:
    """What is asked of a system by the marking curves of a class."""
    limit = device.buffers.queue_limit
    for curve in (cls.ecn, *(by_speed for _, by_speed in cls.ecn_by_speed)):
        if isinstance(curve, (Ecn, EcnPercent)):
            of = "" if isinstance(curve, Ecn) else " in percent"
            if limit and isinstance(curve, Ecn) and device.nos is not None and not device.nos.knows("class.ecn.kmin"):
                low, high = share_of_limit(curve.kmin, limit), share_of_limit(curve.kmax, limit)
                yield "class.ecn.kmin of the queue limit", low, curve, "kmin", cls.name
                yield "class.ecn.kmax of the queue limit", high, curve, "kmax", cls.name
                if low == high:
                    what = "class.ecn.kmax of the queue limit within 1 percent of kmin"
                    yield what, f"({low}% of {show_size(limit)})", curve, "kmax", cls.name
            else:
                if limit and isinstance(curve, Ecn) and cls.lossless and curve.kmax >= limit:
                    yield "class.ecn.kmax beside no larger queue limit", show_size(curve.kmax), curve, "kmax", cls.name
                yield f"class.ecn.kmin{of}", curve.kmin, curve, "kmin", cls.name
                yield f"class.ecn.kmax{of}", curve.kmax, curve, "kmax", cls.name
                if of and curve.kmin == curve.kmax:
                    what = "class.ecn.kmax in percent beside an equal kmin"
                    yield what, f"{show_number(curve.kmax)}%", curve, "kmax", cls.name
            yield "class.ecn.pmax", curve.pmax, curve, "pmax", cls.name
            if curve.weight:
                yield "class.ecn.weight", curve.weight, curve, "weight", cls.name
            if set(curve.colors) != set(ALL_COLORS):
                colors = ",".join(c for c in ALL_COLORS if c in curve.colors)
                yield "class.ecn.colors", colors or "none", curve, "colors", cls.name


def _read_buffers(device: Device) -> Iterator[Reading]:
    buffers = device.buffers
    for field in _BUFFERS:
        value = getattr(buffers, field)
        if value is not None:
            yield f"device.buffers.{field}", value, buffers, field, None
    if buffers.queue_limit is not None and buffers.alpha is not None:
        yield "device.buffers.queue_limit beside alpha", "", buffers, "queue_limit", None
    if buffers.shared_headroom is not None:
        shared = buffers.shared_headroom or "off"
        yield "device.buffers.shared_headroom", shared, buffers, "shared_headroom", None
        if not shared_headroom_known(device):
            yield "device.buffers.shared_headroom without a template", shared, buffers, "shared_headroom", None
        if shared == "off" and buffers.oversubscribe is not None:
            yield "device.buffers.oversubscribe without shared_headroom", "", buffers, "oversubscribe", None
    if (
        buffers.alpha is not None
        and is_static(device)
        and any(find_table_row(device, port) for port in device.ports if port.pfc)
    ):
        yield "device.buffers.alpha in a static pool", buffers.alpha, buffers, "alpha", None
    lossless, lossy = buffers.lossless_pool, buffers.lossy_pool
    if not any(cls.lossless for cls in device.classes):
        if lossless is not None or lossy is not None:
            yield "device.buffers.pools without a lossless class", "", buffers, "lossless_pool", None
        return
    yield from _read_pools(device)
    if lossless is not None and lossy is not None:
        yield "device.buffers.pools sum", lossless + lossy, buffers, "lossless_pool", None
    elif lossless is not None:
        yield "device.buffers.lossless_pool alone", lossless, buffers, "lossless_pool", None
    elif lossy is not None:
        yield "device.buffers.lossy_pool alone", lossy, buffers, "lossy_pool", None


def _read_pools(device: Device) -> Iterator[Reading]:
    buffers = device.buffers
    field = "lossless_pool" if buffers.lossless_pool is not None else "lossy_pool"
    if getattr(buffers, field) is None:
        return
    yield "device.buffers.pools", "", buffers, field, None
    if is_divided(device) is False:
        yield "device.buffers.pools in one ingress pool", "", buffers, field, None
    elif not shares_known(device):
        yield "device.buffers.pools without a template", "", buffers, field, None


def _join_numbers(priorities: tuple[int, ...]) -> str:
    return ",".join(map(str, priorities)) or "none"
