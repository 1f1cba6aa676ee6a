"""The values of a resolved fabric by the names that `rocecfg show` prints: what house rules and tests speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.custom_rules.kinds import (
    FLAGS,
    LENGTHS,
    NUMBERS,
    PERCENTS,
    RATES,
    RELEASES,
    SIZES,
    TIMES,
    Kind,
    text,
    whole,
    words,
)
from rocecfg.intent import schema
from rocecfg.intent.fields import PREFIX
from rocecfg.intent.shapes import Obj
from rocecfg.intent.types import DEVICE_NAME, HWSKU, NAME, PORT_NAME, WORD, Type, Words
from rocecfg.model import AUTO, Default, Device, Ecn, Headroom, Origin, PortGroup, TrafficClass

_NAMES = "names"  # paths of names: a rule judges devices and ports that are alike at once
_UNSTATED = Default("off unless stated")
_ASSUMED = Default("assumed, since the intent names none")


class Reading(NamedTuple):
    """A value found at a path; several where there are several curves."""

    value: Any
    at: Origin
    of: str = ""  # which of several, as "800G"


class Path(NamedTuple):
    """One path: what is there, and how it is read from its element of the model."""

    name: str
    kind: Kind
    doc: str
    read: Callable[[Any], Iterable[Reading]]

    @property
    def grouped(self) -> bool:
        """Whether alike devices or ports differ in it."""
        return self.name == "name" and self.kind.listed


def _choices(of: Type) -> Kind:
    assert isinstance(of, Words)
    return words(*of.choices)


def _plain(name: str, kind: Kind, doc: str, field: str = "", at: str = "") -> Path:
    """A path to a field of the element itself."""
    field = field or name

    def read(element: Any) -> Iterator[Reading]:
        value = getattr(element, field)
        if value is not None and value != ():
            yield Reading(value, element.at(at or field))

    return Path(name, kind, doc, read)


def _named(name: str, doc: str) -> Path:
    """A path to a profile, read as its name."""

    def read(element: Any) -> Iterator[Reading]:
        value = getattr(element, name)
        if value is not None:
            yield Reading(value.name, element.at(name))

    return Path(name, text(WORD), doc, read)


def _part(of: str, name: str, kind: Kind, doc: str, field: str = "") -> Path:
    """A path to a field of a part of the element that it may lack."""
    field = field or name

    def read(element: Any) -> Iterator[Reading]:
        part = getattr(element, of)
        value = getattr(part, field) if part is not None else None
        if value is not None:
            yield Reading(value, part.at(field))

    return Path(f"{of}.{name}", kind, doc, read)


def _table(*paths: Path) -> dict[str, Path]:
    return {path.name: path for path in paths}


_F, _D, _C, _P = (of.keys for of in (schema.FABRIC, schema.DEVICE, schema.CLASS, schema.PORT))

# -- fabric ------------------------------------------------------------------------------------------------------------

FABRIC = _table(
    _plain("name", text(NAME), _F["name"].doc),
    _plain("kind", _choices(_F["kind"].type), _F["kind"].doc),
    _plain("mode", _choices(_F["mode"].type), "whether RDMA is lossless: lossless unless stated"),
    _plain("congestion_control", words("dcqcn", "none"), "dcqcn unless stated"),
    _named("workload", "profile of the workload"),
    _plain("topology", _choices(_F["topology"].type), _F["topology"].doc),
    _plain("classification", _choices(_F["classification"].type), _F["classification"].doc),
    _plain("dual_tor", FLAGS, _F["dual_tor"].doc),
    _plain("path_mtu", whole(256, 4096), _F["path_mtu"].doc),
    _named("ecn_family", "published thresholds that `ecn: auto` scales"),
    _plain("rtt", TIMES, _F["rtt"].doc),
    _plain("incast", whole(1, 1_000_000), _F["incast"].doc),
)

# -- device ------------------------------------------------------------------------------------------------------------


def _version(device: Device) -> Iterator[Reading]:
    if device.version is not None:
        yield Reading(device.version, device.at("version"))
    elif device.nos is not None:
        yield Reading(device.nos.default_release, _ASSUMED)


_B = schema.BUFFERS.keys
DEVICE = _table(
    _plain("name", text(DEVICE_NAME, listed=True), "the devices' names", _NAMES, "key"),
    _plain("vendor", _choices(_D["vendor"].type), _D["vendor"].doc),
    _plain("role", text(WORD), _D["role"].doc),
    _plain("mtu", whole(68, 65535), _D["mtu"].doc),
    Path("version", RELEASES, "release that runs, the assumed one where none is stated", _version),
    _named("platform", "profile of the switch"),
    _named("asic", "profile of the chip"),
    _plain("hwsku", text(HWSKU), "SONiC HwSKU, stated or the platform's"),
    _plain("family", text(WORD), "what the operating system calls the chip's family"),
    _plain("switch_type", _choices(_D["switch_type"].type), _D["switch_type"].doc),
    _plain("dcbx", _choices(_D["dcbx"].type), _D["dcbx"].doc),
    _part("buffers", "model", _choices(_B["model"].type), _B["model"].doc),
    _part("buffers", "template", text(WORD), _B["template"].doc),
    _part("buffers", "alpha", NUMBERS, _B["alpha"].doc),
    _part("buffers", "lossless_pool", PERCENTS, "share of the lossless pool, as stated"),
    _part("buffers", "lossy_pool", PERCENTS, "share of the lossy pool, as stated"),
    _part("buffers", "shared_headroom", SIZES, "shared headroom pool, as stated; 0B: off"),
    _part("buffers", "oversubscribe", NUMBERS, _B["oversubscribe"].doc),
    _part("buffers", "lossless_mtu", SIZES, _B["lossless_mtu"].doc),
    _part("buffers", "small_packets", PERCENTS, _B["small_packets"].doc),
    _part("buffers", "response", _choices(_B["response"].type), _B["response"].doc),
    _part("pools", "total", SIZES, "buffer that the operating system can hand out"),
    _part("pools", "lossless", SIZES, "shared pool of the lossless priority groups"),
    _part("pools", "shared_headroom", SIZES, "pool that headroom is drawn from; 0B: each priority group has its own"),
)

# -- class -------------------------------------------------------------------------------------------------------------


def _bandwidth(cls: TrafficClass) -> Iterator[Reading]:
    if cls.strict or cls.bandwidth is not None:
        yield Reading("strict" if cls.strict else cls.bandwidth, cls.at("bandwidth"))


def _ecn(cls: TrafficClass) -> Iterator[Reading]:
    by_speed = cls.ecn is None and cls.ecn_by_speed
    value = "on" if isinstance(cls.ecn, Ecn) or by_speed else cls.ecn or "off"
    yield Reading(value, cls.origins.get("ecn", _UNSTATED))


def curves(cls: TrafficClass) -> Iterator[tuple[Ecn, str]]:
    """The curves of a class, those by speed with it in words."""
    from rocecfg.core.units import show_rate

    if isinstance(cls.ecn, Ecn):
        yield cls.ecn, ""
    for speed, curve in cls.ecn_by_speed:
        yield curve, show_rate(speed)


def _curve(name: str, kind: Kind) -> Path:
    def read(cls: TrafficClass) -> Iterator[Reading]:
        for curve, speed in curves(cls):
            yield Reading(getattr(curve, name), curve.at(name), speed)

    return Path(f"ecn.{name}", kind, schema.CURVE.keys[name].doc, read)


_PRIORITY = whole(0, 7)
_DSCPS = whole(0, 63, listed=True)
CLASS = _table(
    _plain("name", text(NAME), "the class's name", at="priority"),
    _plain("dscp", _DSCPS, "code points, `rest` worked out", "dscps", "dscp"),
    _plain("marks", _DSCPS, _C["marks"].doc),
    _plain("networks", text(PREFIX, listed=True), _C["networks"].doc),
    _plain("carries", text(WORD, listed=True), "traffic that is put here"),
    _plain("priority", _PRIORITY, _C["priority"].doc),
    _plain("tc", _PRIORITY, "traffic class"),
    _plain("queue", _PRIORITY, "egress queue"),
    _plain("pg", _PRIORITY, "ingress priority group"),
    _plain("lossless", FLAGS, "PFC on this priority"),
    Path("bandwidth", PERCENTS._replace(words=("strict",)), "share among the non-strict classes", _bandwidth),
    _plain("max_rate", RATES, "shaper, where stated as a rate"),
    _plain("max_percent", PERCENTS, "shaper, where stated in percent", at="max_rate"),
    _plain("guaranteed_rate", RATES, "bandwidth kept free, where stated as a rate", at="guaranteed"),
    _plain("guaranteed_percent", PERCENTS, "bandwidth kept free, where stated in percent", at="guaranteed"),
    Path("ecn", words("on", "off", AUTO), "marking; auto: by a curve from chip and port speed", _ecn),
    _curve("kmin", SIZES),
    _curve("kmax", SIZES),
    _curve("pmax", PERCENTS),
    _curve("weight", whole(0, 15)),
    _curve("colors", words("green", "yellow", "red")._replace(listed=True, name="list of green | yellow | red")),
)

# -- port --------------------------------------------------------------------------------------------------------------


def _watchdog(port: PortGroup) -> Iterator[Reading]:
    dog = port.watchdog
    value = "off" if dog is None else "vendor-default" if dog.vendor_default else "on"
    yield Reading(value, port.origins.get("watchdog", _UNSTATED))


def _headroom(port: PortGroup) -> Iterator[Reading]:
    if port.headroom is not None:
        yield Reading(AUTO if port.headroom == AUTO else "stated", port.at("headroom"))


def _room(name: str, doc: str) -> Path:
    """Headroom as stated, else as it comes out."""

    def read(port: PortGroup) -> Iterator[Reading]:
        room = port.headroom if isinstance(port.headroom, Headroom) else port.room
        value = getattr(room, name) if room is not None else None
        if room is not None and value is not None:
            yield Reading(value, room.at(name))

    return Path(f"headroom.{name}", SIZES, doc, read)


_W = schema.WATCHDOG.of.keys if isinstance(schema.WATCHDOG.of, Obj) else {}
PORT = _table(
    _plain("name", text(PORT_NAME, listed=True), "the ports' names", _NAMES, "key"),
    _plain("classes", text(NAME, listed=True), "classes that cross the port"),
    _plain("pfc", whole(0, 7, listed=True), "priorities with PFC; absent where there is none"),
    _plain("speed", RATES, _P["speed"].doc),
    _plain("faces", _choices(_P["faces"].type), _P["faces"].doc),
    _plain("cable", LENGTHS, _P["cable"].doc),
    _plain("mtu", whole(68, 65535), _P["mtu"].doc),
    Path("watchdog", words("on", "off", "vendor-default"), "PFC watchdog", _watchdog),
    _part("watchdog", "detection", TIMES, _W["detection_time"].doc),
    _part("watchdog", "restoration", TIMES, _W["restoration_time"].doc),
    _part("watchdog", "poll", TIMES, _W["poll_interval"].doc),
    _part("watchdog", "action", _choices(_W["action"].type), _W["action"].doc),
    _part("watchdog", "priorities", whole(0, 7, listed=True), "watched priorities, where stated"),
    Path("headroom", words(AUTO, "stated"), "how headroom is set; absent where nothing is said", _headroom),
    _room("size", "bytes reserved for a lossless priority group, stated or worked out"),
    _room("xon", "occupancy at which the pause ends"),
    _room("xoff", "bytes that may still arrive after the pause was sent"),
    _plain("alpha", NUMBERS, "share of the free pool that a lossless priority group may take"),
    _plain("trust", _choices(_P["trust"].type), _P["trust"].doc),
    _plain("flowcontrol", _choices(_P["flowcontrol"].type), _P["flowcontrol"].doc),
    _plain("fec", text(WORD), _P["fec"].doc),
    _plain("layer", whole(2, 3), _P["layer"].doc),
    _plain("lag", text(WORD), _P["lag"].doc),
)

SCOPES: dict[str, dict[str, Path]] = {"fabric": FABRIC, "device": DEVICE, "class": CLASS, "port": PORT}
