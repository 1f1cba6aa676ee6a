"""The resolved plan: every effective value of a fabric with its origin, element by element."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterable, Iterator
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show, show_rate
from rocecfg.model import (
    AUTO,
    Computed,
    Default,
    Device,
    Ecn,
    EcnPercent,
    Fabric,
    Headroom,
    Origin,
    PortGroup,
    ProfileFact,
    Span,
    TrafficClass,
    Watchdog,
)
from rocecfg.model.catalogue import find_unit
from rocecfg.model.stated import OFF
from rocecfg.profiles import MARKS
from rocecfg.sizing.marking import is_from_table
from rocecfg.source.document import Sources

_OF_FABRIC = (
    *("kind", "mode", "congestion_control", "workload", "topology", "classification", "path_mtu"),
    *("ecn_family", "rtt", "incast"),
)
_UNKNOWN = Default("unknown: the switch computes it")
_UNSTATED = Default("off unless stated")
_ASSUMED = Default("assumed, since the intent names none")
_HIDDEN = frozenset(
    {
        "origins",
        "assumed",
        "names",
        "key",
        "classes",
        "maps",
        "ports",
        "box",
        "unheld",
        "nos",
        "implied",
        "overrides",
        "room",
        "running",
        "taken_off",
        "whole",
    }
)


class PlanRow(NamedTuple):
    """An effective value; `name` with the sections it stands in, as `ecn.400G.kmin`."""

    name: str
    value: Any  # put into words only where it is shown: a fabric has 100,000s
    origin: Origin
    note: str = ""  # said behind the origin

    @property
    def text(self) -> str:
        """The value with its unit."""
        return _format_value(self.name, self.value)


class PlanElement(NamedTuple):
    """A part of the plan: the fabric, a device, a class or ports of it."""

    kind: str  # fabric | device | class | ports
    name: str  # a class's name; of devices and ports the node set as written
    at: Origin
    device: Device | None
    ports: PortGroup | None
    rows: list[PlanRow]


def list_elements(fabric: Fabric) -> Iterator[PlanElement]:
    """The fabric, and each device with its classes and its ports."""
    rows = [PlanRow(n, v, fabric.at(n)) for n in _OF_FABRIC if (v := getattr(fabric, n)) is not None]
    if not isinstance(fabric.at("ecn_family"), Span) and _all_from_tables(fabric):
        rows = [row for row in rows if row.name != "ecn_family"]  # nothing is scaled from it, nor compared with it
    yield PlanElement("fabric", fabric.name, fabric.at(""), None, None, rows)
    for device in fabric.devices:
        yield PlanElement("device", device.key, device.at(""), device, None, list(_list_device_rows(device)))
        for cls in device.classes:
            yield PlanElement("class", cls.name, cls.at(""), device, None, list(_list_class_rows(cls)))
        for port in device.ports:
            yield PlanElement("ports", port.key, port.at(""), device, port, list(_list_port_rows(device, port)))


def _all_from_tables(fabric: Fabric) -> bool:
    """Whether every marking curve is what `ecn: auto` took from the table of a chip, and there is one."""
    found: set[bool] = set()
    for device in fabric.devices:
        for cls in (*device.classes, *(c for port in device.ports for c in port.overrides)):
            stated = [cls.ecn] if cls.ecn is not None and not (cls.ecn == AUTO and cls.ecn_by_speed) else []
            found.update(isinstance(c, Ecn) and is_from_table(c) for c in (*stated, *(c for _, c in cls.ecn_by_speed)))
    return found == {True}


def make_path(element: PlanElement, row: PlanRow) -> str:
    """The path of a value: `fabric.mode`, `device.mtu`, `classes.rdma.ecn.kmin`, `ports.cable`."""
    start = f"classes.{element.name}" if element.kind == "class" else element.kind
    return f"{start}.{row.name}"


def select_elements(found: Iterable[PlanElement], key: str) -> Iterator[PlanElement]:
    """The elements with the values whose path has these parts, one after another: `ecn`, `rdma.ecn.kmin`, `ports`."""
    wanted = key.split(".")
    for element in found:
        rows = [row for row in element.rows if _has_in_order(make_path(element, row).split("."), wanted)]
        if rows:
            yield element._replace(rows=rows)


def _has_in_order(parts: list[str], wanted: list[str]) -> bool:
    return any(parts[n : n + len(wanted)] == wanted for n in range(len(parts) - len(wanted) + 1))


def _list_device_rows(device: Device) -> Iterator[PlanRow]:
    yield from _list_field_rows(device)
    if device.version is None and device.assumed is not None:
        yield PlanRow("version", device.assumed, _ASSUMED)
    yield from _list_field_rows(device.buffers, "buffers.")
    yield from _list_field_rows(device.pools, "pools.")
    if device.load_balancing is not None:
        yield from _list_field_rows(device.load_balancing, "load_balancing.")
    if device.trimming is not None:
        yield from _list_field_rows(device.trimming, "trimming.")
        yield PlanRow("trimming.classes", device.trimming.classes or "none", device.trimming.at("classes"))
    elif "trimming" in device.origins:
        yield PlanRow("trimming", OFF, device.at("trimming"))


def _list_class_rows(cls: TrafficClass) -> Iterator[PlanRow]:
    points = fold(tuple(map(str, cls.dscps))).strip("[]").replace(",", " ")
    yield PlanRow("dscp", points or "none", cls.at("dscp"), "(rest)" if cls.rest else "")
    for name in ("marks", "networks"):
        if getattr(cls, name):
            yield PlanRow(name, getattr(cls, name), cls.at(name))
    for name in ("carries", "priority", "tc", "queue", "pg", "lossless"):
        yield PlanRow(name, getattr(cls, name), cls.at(name))
    if cls.strict or cls.bandwidth is not None:
        yield PlanRow("bandwidth", "strict" if cls.strict else cls.bandwidth, cls.at("bandwidth"))
    for name, of in (
        *(("max_rate", "max_rate"), ("max_percent", "max_rate")),
        *(("guaranteed_rate", "guaranteed"), ("guaranteed_percent", "guaranteed")),
    ):
        if getattr(cls, name) is not None:
            yield PlanRow(name, getattr(cls, name), cls.at(of))
    yield from _list_curve_rows(cls)


def _list_curve_rows(cls: TrafficClass, prefix: str = "") -> Iterator[PlanRow]:
    if isinstance(cls.ecn, (Ecn, EcnPercent)):
        yield from _list_field_rows(cls.ecn, f"{prefix}ecn.")
    else:
        yield PlanRow(f"{prefix}ecn", cls.ecn or "off", cls.origins.get("ecn", _UNSTATED))
    for speed, curve in cls.ecn_by_speed:
        yield from _list_field_rows(curve, f"{prefix}ecn.{show_rate(speed)}.")


def _list_port_rows(device: Device, port: PortGroup) -> Iterator[PlanRow]:
    yield PlanRow("classes", port.classes, port.at("classes"))
    for name in _list_field_names(PortGroup):
        value = getattr(port, name)
        if value is None:
            continue
        if isinstance(value, (Watchdog, Headroom)):
            if isinstance(value, Watchdog) and value.vendor_default:
                yield PlanRow("watchdog", "vendor-default", port.at("watchdog"))
            else:
                yield from _list_field_rows(value, f"{name}.")
        else:
            yield PlanRow(name, value, port.at(name))
    if port.room is not None and not isinstance(port.headroom, Headroom):
        yield from _list_field_rows(port.room, "headroom.")
    elif port.pfc and port.room is None:
        yield PlanRow("headroom", "unknown", _UNKNOWN)
    if port.watchdog is None:
        yield PlanRow("watchdog", "off", port.origins.get("watchdog", _UNSTATED))
    usual = {cls.name: cls for cls in device.classes}
    for cls in port.overrides:
        yield from _list_differing_rows(cls, usual.get(cls.name))


def _list_differing_rows(cls: TrafficClass, usual: TrafficClass | None) -> Iterator[PlanRow]:
    """What of a class is not as on the device: all of one that the device has not."""
    prefix = f"{cls.name}."
    known = {row.name: row.value for row in _list_class_rows(usual)} if usual is not None else {}
    for row in _list_class_rows(cls):
        if not row.name.startswith("ecn") and row.value != known.get(row.name):
            yield row._replace(name=prefix + row.name)
    if usual is None or (cls.ecn, cls.ecn_by_speed) != (usual.ecn, usual.ecn_by_speed):
        yield from _list_curve_rows(cls, prefix)


_known_names: dict[type, tuple[str, ...]] = {}


def _list_field_names(of: type) -> tuple[str, ...]:
    """The fields of a part of the model that are shown."""
    if of not in _known_names:
        _known_names[of] = tuple(f.name for f in dataclasses.fields(of) if f.name not in _HIDDEN)
    return _known_names[of]


def _list_field_rows(of: Any, prefix: str = "") -> Iterator[PlanRow]:
    for name in _list_field_names(type(of)):
        value = getattr(of, name)
        if value is None or value is False or (dataclasses.is_dataclass(value) and not hasattr(value, "name")):
            continue
        yield PlanRow(prefix + name, value, of.at(name))


def _format_value(name: str, value: Any) -> str:
    if isinstance(value, str) or hasattr(value, "name"):
        return str(getattr(value, "name", value))
    if isinstance(value, bool):
        return str(value).lower()
    return show(find_unit(name), value)


class Origins:
    """Origins in words."""

    def __init__(self, sources: Sources, folder: str = "", *, inputs: bool = True, citations: bool = True) -> None:
        """`folder`: where paths are shown from, where they are not shown as given.

        `inputs`: those of a formula are shown; `citations`: the source of a profile's figure is.
        """
        self._sources = sources
        self._folder = folder
        self._inputs = inputs
        self._citations = citations

    def __call__(self, origin: Origin) -> str:
        """Where a value came from."""
        if isinstance(origin, Span):
            document = self._sources.documents[origin.doc]
            path = os.path.relpath(document.path, self._folder) if self._folder else document.path
            return f"{path}:{document.place(origin.start)[0]}"
        if isinstance(origin, ProfileFact):
            about = [origin.source] if self._citations else []
            about += [] if origin.mark == "V" else [MARKS[origin.mark]]
            return f"profile {origin.profile} {origin.key}" + (f" ({', '.join(about)})" if about else "")
        if isinstance(origin, Default):
            return f"default: {origin.why}"
        assert isinstance(origin, Computed)
        inputs = dict.fromkeys(self(o) for o in origin.inputs[:4]) if self._inputs else {}
        return f"computed: {origin.formula}" + (f" [{', '.join(inputs)}]" if inputs else "")
