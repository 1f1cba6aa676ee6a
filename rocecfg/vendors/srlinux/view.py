"""From the model to plain values that the templates print: every decision is made here, none in a template."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.srlinux.limits import ETHERNET, TAG
from rocecfg.vendors.srlinux.queues import (
    RESERVATION,
    Input,
    Slope,
    find_curve,
    find_limit,
    find_pause,
    list_members,
    make_inputs,
)
from rocecfg.vendors.srlinux.release import Target, target_of

_PORT = re.compile(r"ethernet-(\d{1,2})/(\d{1,3})(?:/(\d{1,2}))?|lag(\d{1,3})")
_NAME = "roce"
_LARGEST = 9398  # bytes: srl_nokia-mtu says in words that 7220 IXR takes no larger ip-mtu, and no port mtu above 9412
UNIT = 0  # the subinterface that is written

K = TypeVar("K", bound=Hashable)


class Class(NamedTuple):
    """A forwarding class: the classes of the intent that share a queue."""

    queue: int
    priority: int | None  # of PFC; None: it is lossy

    @property
    def name(self) -> str:
        """The system's own name for the class of that queue."""
        return f"fc{self.queue}"

    @property
    def output(self) -> str:
        """And for the queue."""
        return f"unicast-{self.queue}"


class Mapping(NamedTuple):
    """A pfc-mapping-profile without its name."""

    classes: tuple[Class, ...]
    watched: bool
    detection: int | None  # ms; None: the system's own
    recovery: int | None


class Ingress(NamedTuple):
    """A buffer-allocation-profile of PFC queues without its name."""

    rows: tuple[tuple[int, int, int | None], ...]  # PFC queue, bytes at which it pauses, bytes of headroom


class Row(NamedTuple):
    """What stands under a port."""

    name: str
    mapping: str | None
    ingress: str | None
    egress: str | None
    marked: tuple[tuple[str, str], ...]  # queue, queue-management-profile
    scheduler: str | None
    mtu: int | None  # of the port
    ip_mtu: int | None


class View(NamedTuple):
    """All that one device's text says."""

    target: Target
    classes: tuple[Class, ...]
    codes: tuple[tuple[int, str], ...]  # DSCP, forwarding class
    mappings: tuple[tuple[str, Mapping], ...]
    ingress: tuple[tuple[str, Ingress], ...]
    egress: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    curves: tuple[tuple[str, Slope], ...]
    schedulers: tuple[tuple[str, tuple[Input, ...]], ...]
    rows: tuple[Row, ...]
    named: bool  # the intent names ports; else what a port has is told in notes
    reservation: int | None  # percent
    unit: int
    classifier: str


class _Names:
    """Names for objects that differ: `roce-pfc`, `roce-pfc-2`."""

    def __init__(self, stem: str) -> None:
        self._stem = stem
        self.known: dict[Any, str] = {}

    def of(self, value: Hashable) -> str:
        """The name of an object."""
        if value not in self.known:
            number = len(self.known) + 1
            self.known[value] = self._stem if number == 1 else f"{self._stem}-{number}"
        return self.known[value]

    @property
    def pairs(self) -> tuple[tuple[str, Any], ...]:
        """Names and objects."""
        return tuple((name, value) for value, name in self.known.items())


def view_of(device: Device) -> View:
    """What the text of a device says; CannotRender for what SR Linux cannot say."""
    target = target_of(device)
    classes = _make_classes(device)
    mappings, ingress, egress = _Names(f"{_NAME}-pfc"), _Names(f"{_NAME}-in"), _Names(f"{_NAME}-out")
    curves, schedulers = _Names(f"{_NAME}-ecn"), _Names(_NAME)
    rows: dict[str, Row] = {}
    for port in device.ports:
        members = list_members(device, port)
        inputs = make_inputs(members)
        found = {q: curve for q, of in members.items() if (curve := find_curve(port, of)) is not None}
        marked = tuple((f"unicast-{queue}", curves.of(curve)) for queue, curve in found.items())
        lossless = {one.queue: one for one in classes if one.priority in port.pfc}
        limits = tuple(
            (f"unicast-{q}", find_limit(device, curve, lossless=q in lossless, at=members[q][0]))
            for q, curve in found.items()
        )
        mapping = _make_mapping(port, tuple(lossless.values())) if port.pfc else None
        room = port.room.size if port.room is not None else None
        rooms = tuple((one.priority or 0, find_pause(device, found.get(q)), room) for q, one in lossless.items())
        held = Ingress(rooms)
        mtu, ip_mtu = _find_mtus(device, port)
        for name in _interface_names(port):
            rows.setdefault(
                name,
                Row(
                    name,
                    mappings.of(mapping) if mapping is not None else None,
                    ingress.of(held) if held.rows else None,
                    egress.of(limits) if limits else None,
                    marked,
                    schedulers.of(inputs) if inputs else None,
                    mtu,
                    ip_mtu,
                ),
            )
    named = any(port.names for port in device.ports)
    return View(
        target,
        classes,
        tuple(
            (code, f"fc{cls.queue}") for code, cls in sorted((c, k) for k in device.classes for c in k.dscps if k.queue)
        ),
        mappings.pairs,
        ingress.pairs,
        egress.pairs,
        curves.pairs,
        schedulers.pairs,
        tuple(sorted(rows.values(), key=lambda row: _port_order(row.name))) if named else tuple(rows.values()),
        named,
        RESERVATION if mappings.known else None,
        UNIT,
        _NAME,
    )


def _make_classes(device: Device) -> tuple[Class, ...]:
    queues: dict[int, int | None] = {}
    for cls in device.classes:
        queues.setdefault(cls.queue, cls.priority if cls.lossless else None)
    return tuple(Class(queue, priority) for queue, priority in sorted(queues.items()))


def _make_mapping(port: PortGroup, classes: tuple[Class, ...]) -> Mapping:
    dog: Watchdog | None = port.watchdog
    if dog is None or dog.vendor_default:
        return Mapping(classes, dog is not None, None, None)
    return Mapping(
        classes,
        watched=True,
        detection=None if dog.detection is None else int(dog.detection),
        recovery=None if dog.restoration is None else int(dog.restoration),
    )


def _find_mtus(device: Device, port: PortGroup) -> tuple[int | None, int | None]:
    """The MTU of the port, which counts header and tag, and that of IP, where the port is routed."""
    mtu = port.mtu if port.mtu is not None else device.mtu
    if mtu is None:
        return None, None
    bridged = port.layer == 2
    largest = _LARGEST - (TAG if bridged else 0)
    if mtu > largest:
        raise CannotRender(
            f"7220 IXR takes an IP MTU of {largest} B at most{' on a bridged port' if bridged else ''}, "
            f"not {int(mtu)} B",
            "lower mtu",
            (port.at("mtu"), device.at("mtu")),
        )
    return int(mtu) + ETHERNET + (TAG if bridged else 0), None if bridged else int(mtu)


def _interface_names(port: PortGroup) -> tuple[str, ...]:
    if not port.names:
        return ("PORT",)
    strange = next((name for name in port.names if _PORT.fullmatch(name) is None), None)
    if strange is not None:
        raise CannotRender(
            f"{strange} is not a port of SR Linux",
            "SR Linux counts from 1: ethernet-1/1, of a split port ethernet-1/1/2, lag1",
            (port.at("names", ""),),
        )
    return port.names if port.lag is None else (port.lag,)


def _port_order(name: str) -> tuple[bool, tuple[int, ...], str]:
    """Ports as SR Linux lists them, LAGs behind them."""
    found = _PORT.fullmatch(name)
    numbers = tuple(int(number) for number in found.groups() if number is not None) if found is not None else ()
    return name.startswith("lag"), numbers, name
