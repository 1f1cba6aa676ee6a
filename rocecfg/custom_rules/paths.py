"""The values of a resolved fabric by the names that `rocecfg show` prints: what house rules and tests speak of.

Paths and units are the catalogue's; what may be written there is the intent's own type where an intent states it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import NUMBER, NUMBERS, WORD, WORDS, show_rate
from rocecfg.custom_rules.kinds import OF_UNIT, PERCENTS, RELEASES, ValueKind, text, whole_number, words
from rocecfg.intent import schema
from rocecfg.intent.dscp import Dscps
from rocecfg.intent.shapes import Inherited, Key, Listed, Obj
from rocecfg.intent.types import DEVICE_NAME, NAME, PORT_NAME, Int, Words
from rocecfg.intent.types import WORD as A_WORD
from rocecfg.model import AUTO, Default, Device, Ecn, EcnPercent, Headroom, Origin, PortGroup, TrafficClass
from rocecfg.model.catalogue import CATALOGUE, Setting

_UNSTATED = Default("off unless stated")
_ASSUMED = Default("assumed, since the intent names none")
_DSCPS = whole_number(0, 63, listed=True)
_PRIORITIES = whole_number(0, 7, listed=True)
_SECTIONS = {"fabric": schema.FABRIC, "device": schema.DEVICE, "class": schema.CLASS, "port": schema.PORT}
_STARTS = {"fabric.": "fabric", "device.": "device", "classes[].": "class", "ports[].": "port"}


class Reading(NamedTuple):
    """A value found at a path; several where there are several curves."""

    value: Any
    at: Origin
    of: str = ""  # which of several, as "800G"


Reader = Callable[[Any], Iterable[Reading]]


class Path(NamedTuple):
    """One path: what is there, and how it is read from its element of the model."""

    name: str
    kind: ValueKind
    doc: str
    read: Reader

    @property
    def grouped(self) -> bool:
        """Whether alike devices or ports differ in it: a rule judges those that are alike at once."""
        return self.name == "name" and self.kind.listed


# -- how a value is read -----------------------------------------------------------------------------------------------


def _attribute_reader(row: Setting, field: str = "") -> Reader:
    """A field of the element, or of a part of it that it may lack; a profile goes by its name."""
    *parts, last = (field or row.name).split(".")
    place = row.intent.rpartition(".")[2] if not parts else last

    def read(element: Any) -> Iterator[Reading]:
        for part in parts:
            element = getattr(element, part, None)
        value = getattr(element, last, None)
        if value is not None and value != ():
            yield Reading(getattr(value, "name", value), element.at(last, place))

    return read


def _read_names(element: Device | PortGroup) -> Iterator[Reading]:
    if element.names:
        yield Reading(element.names, element.at("key"))


def _read_version(device: Device) -> Iterator[Reading]:
    if device.version is not None:
        yield Reading(device.version, device.at("version"))
    elif device.assumed is not None:
        yield Reading(device.assumed, _ASSUMED)


def _read_class_name(cls: TrafficClass) -> Iterator[Reading]:
    yield Reading(cls.name, cls.at("priority"))


def _read_bandwidth(cls: TrafficClass) -> Iterator[Reading]:
    if cls.strict or cls.bandwidth is not None:
        yield Reading("strict" if cls.strict else cls.bandwidth, cls.at("bandwidth"))


def _read_ecn(cls: TrafficClass) -> Iterator[Reading]:
    by_speed = cls.ecn is None and cls.ecn_by_speed
    value = "on" if isinstance(cls.ecn, (Ecn, EcnPercent)) or by_speed else cls.ecn or "off"
    yield Reading(value, cls.origins.get("ecn", _UNSTATED))


def curves_of_class(cls: TrafficClass) -> Iterator[tuple[Ecn | EcnPercent, str]]:
    """The curves of a class, those by speed with it in words."""
    if isinstance(cls.ecn, (Ecn, EcnPercent)):
        yield cls.ecn, ""
    for speed, curve in cls.ecn_by_speed:
        yield curve, show_rate(speed)


def _curve_reader(row: Setting) -> Reader:
    name = row.name.rpartition(".")[2]

    def read(cls: TrafficClass) -> Iterator[Reading]:
        for curve, speed in curves_of_class(cls):
            yield Reading(getattr(curve, name), curve.at(name), speed)

    return read


def _read_watchdog(port: PortGroup) -> Iterator[Reading]:
    dog = port.watchdog
    value = "off" if dog is None else "vendor-default" if dog.vendor_default else "on"
    yield Reading(value, port.origins.get("watchdog", _UNSTATED))


def _read_headroom(port: PortGroup) -> Iterator[Reading]:
    if port.headroom is not None:
        yield Reading(AUTO if port.headroom == AUTO else "stated", port.at("headroom"))


def _headroom_reader(row: Setting) -> Reader:
    """Headroom as stated, else as it comes out."""
    name = row.name.rpartition(".")[2]

    def read(port: PortGroup) -> Iterator[Reading]:
        room = port.headroom if isinstance(port.headroom, Headroom) else port.room
        value = getattr(room, name) if room is not None else None
        if room is not None and value is not None:
            yield Reading(value, room.at(name))

    return read


_READ: dict[str, Reader] = {
    "device.name": _read_names,
    "device.version": _read_version,
    "classes[].name": _read_class_name,
    "classes[].bandwidth": _read_bandwidth,
    "classes[].ecn": _read_ecn,
    "ports[].name": _read_names,
    "ports[].watchdog": _read_watchdog,
    "ports[].headroom": _read_headroom,
}
_APART = ("device.rail", "device.hostname", "ports[].rail")  # in which devices and ports that are alike may differ
_FIELD = {"classes[].dscp": "dscps"}

# -- what may be written there, and what it is called ------------------------------------------------------------------

_KINDS: dict[str, ValueKind] = {
    "device.name": text(DEVICE_NAME, listed=True),
    "device.version": RELEASES,
    "device.family": text(A_WORD),
    "classes[].name": text(NAME),
    "classes[].bandwidth": PERCENTS._replace(words=("strict",)),
    "classes[].ecn": words("on", "off", AUTO),
    "classes[].ecn.colors": words("green", "yellow", "red")._replace(listed=True, name="list of green | yellow | red"),
    "fabric.congestion_control": words("dcqcn", "none"),
    "fabric.path_mtu": whole_number(256, 4096),
    "ports[].name": text(PORT_NAME, listed=True),
    "ports[].classes": text(NAME, listed=True),
    "ports[].pfc": _PRIORITIES,
    "ports[].watchdog": words("on", "off", "vendor-default"),
    "ports[].headroom": words(AUTO, "stated"),
}


def _intent_key(scope: str, intent: str) -> Key | None:
    """The intent's own key of a setting."""
    section: Any = _SECTIONS[scope]
    found = None
    for name in intent.split(".") if intent else ():
        section = _section_in(section)
        if section is None or name not in section.keys:
            return None
        found = section.keys[name]
        section = found.type
    return found


def _section_in(of: Any) -> Obj | None:
    """The section that a type reads, or one of those it takes."""
    if isinstance(of, Obj):
        return of
    for part in (getattr(of, "of", None), getattr(of, "mapping", None), *getattr(of, "sections", ())):
        if part is not None and (found := _section_in(part)) is not None:
            return found
    return None


def _value_kind(row: Setting, key: Key | None) -> ValueKind:
    """What may be written there: numbers by their unit, words and ranges by the intent's type."""
    of = key.type if key is not None else None
    if isinstance(of, Inherited):
        of = of.of
    if row.unit == NUMBER and isinstance(of, Int):
        return whole_number(of.low, of.high)
    if row.unit == NUMBERS:
        return _DSCPS if isinstance(of, Dscps) else _PRIORITIES
    if row.unit not in (WORD, WORDS):
        return OF_UNIT[row.unit]
    if isinstance(of, Words):
        return words(*of.choices)
    assert of is not None, row.path
    return text(of.of if isinstance(of, Listed) else of, listed=row.unit == WORDS)


def _build_path(row: Setting, scope: str) -> Path:
    key = _intent_key(scope, row.intent)
    kind = _KINDS.get(row.path) or _value_kind(row, key)
    doc = row.doc or (key.doc if key is not None else "")
    read = _READ.get(row.path)
    if read is None and row.name.startswith("ecn."):
        read = _curve_reader(row)
    if read is None and row.name.startswith("headroom."):
        read = _headroom_reader(row)
    return Path(row.name, kind, doc, read or _attribute_reader(row, _FIELD.get(row.path, "")))


def _paths_by_scope() -> dict[str, dict[str, Path]]:
    out: dict[str, dict[str, Path]] = {scope: {} for scope in _SECTIONS}
    for row in CATALOGUE:
        scope = next((scope for start, scope in _STARTS.items() if row.path.startswith(start)), "")
        stated = row.intent or row.path in _KINDS or row.doc  # the rest runs on switches alone
        if scope and stated and row.path not in _APART and row.path.count("[]") == (scope in ("class", "port")):
            path = _build_path(row, scope)
            out[scope][path.name] = path
    return out


SCOPES = _paths_by_scope()
FABRIC, DEVICE, CLASS, PORT = SCOPES.values()
