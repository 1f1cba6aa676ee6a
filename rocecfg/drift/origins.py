"""Where an intent says what is intended: the place behind a setting that was read from its rendering."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from math import ceil

from rocecfg.core.units import Percent, show_length, show_percent, show_rate, show_size
from rocecfg.model import Computed, Device, Ecn, EcnPercent, Origin, PortGroup, Span, TrafficClass
from rocecfg.model.catalogue import What, list_fields
from rocecfg.model.views import make_port_view

_WATCHDOG = list_fields("watchdog")
_BUFFERS = list_fields("buffers")
_SHARES = ("lossless_pool", "lossy_pool")  # which a pool that is not stated follows from
_SORTING = {"dscp": "dscp_to_tc", "pcp": "", "maps": "", "stops": "pfc_to_queue", "pauses": "pfc_to_pg"}
_FORWARDING = {  # of a port, and stated for the device alone
    "trimmed": What("trimming", None, "classes"),
    "adaptive": What("load_balancing", None, "mode"),
}
_FOLLOWING = {"bound": "cable", "lag_mtu": "mtu"}
_QUEUE = {"scheduling": "bandwidth", "max_rate": "max_rate", "guaranteed": "guaranteed", "shares": "bandwidth"}


def find_working(device: Device, port: PortGroup | None, what: What, value: Hashable) -> Origin:
    """The origin of a value that is intended; where the intent states another one, with how this comes of it."""
    origin = find_origin(device, port, what)
    stated = _show_stated(device, port, what, value) if isinstance(origin, Span) else ""
    return Computed(stated, (origin,)) if stated else origin


def _show_stated(device: Device, port: PortGroup | None, what: What, value: Hashable) -> str:
    """What is stated, in words, and what the value is of that; "" where it is the value, or a word."""
    if what.topic == "pool":
        return _show_stated_shares(device, what, value)
    if port is None or isinstance(value, (Percent, bool)) or not isinstance(value, (int, float)):
        return ""
    if what.topic == "cable" and port.cable is not None and ceil(port.cable) != value:
        return f"{show_length(port.cable)} is stated; {show_length(value)} is the next row of the headroom table"
    if what.topic not in (*_RATES, "shares", "ecn"):
        return ""
    number = what.number if what.number is not None else int(what.part)
    cls = next(_find_classes(device, port, number), None)
    if cls is None:
        return ""
    if what.topic in _RATES:
        percent = getattr(cls, _RATES[what.topic])
        return "" if percent is None else f"{show_percent(percent)} is stated, of {show_rate(port.speed or 0)}"
    if what.topic == "shares":
        same = cls.bandwidth is None or abs(cls.bandwidth - value) < 1
        return "" if same else f"{show_percent(cls.bandwidth or 0)} is stated, but the classes do not sum to 100%"
    curve = cls.ecn_at(port.speed)
    own = getattr(curve, what.part, None) if isinstance(curve, Ecn) and what.part in ("kmin", "kmax") else None
    return "" if own in (None, value) else f"{show_size(own)} is stated; the switch turns it into this"


def _show_stated_shares(device: Device, what: What, value: Hashable) -> str:
    """The shares of pools that are stated, where a pool that is not follows from them."""
    shares = {name: share for name in _SHARES if (share := getattr(device.buffers, name)) is not None}
    origin = find_origin(device, None, what)
    if value in shares.values() or origin not in [device.buffers.at(name) for name in shares]:
        return ""
    given = " and ".join(f"{name.removesuffix('_pool')} {show_percent(share)}" for name, share in shares.items())
    return f"{given} {'is' if len(shares) == 1 else 'are'} stated; this follows from it"


_RATES = {"max_rate": "max_percent", "guaranteed": "guaranteed_percent"}


def find_origin(device: Device, port: PortGroup | None, what: What) -> Origin:
    """The origin of a setting in the intent's own device; what is told of the whole is the nearest thing."""
    if port is None or what.topic in (*_SORTING, "dcbx", *_FORWARDING):  # of all ports, or of those that sort as these
        return _find_device_origin(device if port is None else make_port_view(device, port), what)
    if what.topic == "pfc":
        return next((c.at("lossless") for c in device.classes_on(port) if c.lossless), port.at("classes"))
    if what.topic == "watchdog":
        return _find_watchdog_origin(port, what.part)
    if what.topic in ("ecn", "discards"):
        return _find_curve_origin(device, port, what)
    if what.topic in _QUEUE:
        number = what.number if what.number is not None else int(what.part)
        return next((c.at(_QUEUE[what.topic]) for c in _find_classes(device, port, number)), port.at("classes"))
    if what.topic == "egress":
        return next((c.at("lossless") for c in device.classes_on(port) if c.queue == what.number), port.at("classes"))
    if what.topic in ("headroom", "group"):
        return port.at("headroom", "cable")
    return port.at(_FOLLOWING.get(what.topic, what.topic))


def _find_device_origin(device: Device, what: What) -> Origin:
    what = _FORWARDING.get(what.topic, what)
    if what.topic == "dscp":
        for cls in device.classes:
            if what.number in cls.dscps:
                return cls.at("dscp")
        return device.maps.at("dscp_to_tc")
    if what.topic == "pcp":
        owner = next((c for c in device.classes if c.priority == what.number), None)
        rest = next((c for c in device.classes if c.rest), None)
        return owner.at("priority") if owner is not None else rest.at("dscp") if rest is not None else device.at("")
    if what.topic in _SORTING:
        return device.maps.at(_SORTING[what.topic])
    if what.topic in ("buffers", "pool"):
        shares = _SHARES if what.topic == "pool" else ()
        return device.buffers.at(_BUFFERS.get(what.part, what.part), *shares)
    if what.topic == "trimming":
        return device.trimming.at(what.part) if device.trimming is not None else device.at("trimming")
    if what.topic == "load_balancing" and device.load_balancing is not None:
        return device.load_balancing.at(what.part)
    return device.at("dcbx") if what.topic == "dcbx" else device.at("")


def _find_watchdog_origin(port: PortGroup, part: str) -> Origin:
    dog = port.watchdog
    return dog.at(_WATCHDOG[part]) if dog is not None and part in _WATCHDOG else port.at("watchdog")


def _find_curve_origin(device: Device, port: PortGroup, what: What) -> Origin:
    for cls in _find_classes(device, port, what.number):
        curve = cls.ecn_at(port.speed)
        if isinstance(curve, (Ecn, EcnPercent)):
            return curve.at(what.part) if what.part else curve.at("")
        return cls.at("ecn")
    return port.at("classes")


def _find_classes(device: Device, port: PortGroup, queue: int | None) -> Iterator[TrafficClass]:
    """The classes of a queue; of those that cross the port, where any does."""
    crossing = [c for c in device.classes_on(port) if c.queue == queue]
    yield from crossing or [c for c in device.all_classes_on(port) if c.queue == queue]
