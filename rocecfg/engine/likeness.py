"""What devices have in common that differ in nothing but names, and the places of what is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rocecfg.model import Computed, Device, Ecn, Headroom, Origin, PortGroup, Span, TrafficClass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def likeness(number: int, devices: Sequence[Device], plain: Sequence[bool]) -> tuple[Any, ...]:
    """A value that is equal for the devices of two files where rules find the same in both, at places like each other.

    `number`: that of the devices' file. `plain`: by number, whether a file says nothing but devices and links; places
    in other files are the same for all devices, and are taken as they are.
    """
    places: dict[Span, int] = {}
    files: dict[int, int] = {number: 0}

    def like(origin: Origin) -> Any:
        if isinstance(origin, Span) and plain[origin.doc]:
            return files.setdefault(origin.doc, len(files)), places.setdefault(origin, len(places))
        if isinstance(origin, Computed):
            return origin.formula, tuple(map(like, origin.inputs))
        return origin

    return tuple(
        (
            device,
            tuple((p.names, p.key) for p in device.ports),
            tuple(tuple((field, like(at)) for field, at in origins.items()) for origins in _origins(device)),
        )
        for device in devices
    )


def _origins(device: Device) -> Iterator[Mapping[str, Origin]]:
    """The origins of a device and all its parts, in one order for equal devices."""
    yield from (device.origins, device.maps.origins, device.buffers.origins, device.pools.origins)
    yield from _of_classes(device.classes)
    for port in device.ports:
        yield from _of_port(port)


def _of_classes(classes: Iterable[TrafficClass]) -> Iterator[Mapping[str, Origin]]:
    for cls in classes:
        yield cls.origins
        for curve in (cls.ecn, *(c for _, c in cls.ecn_by_speed)):
            if isinstance(curve, Ecn):
                yield curve.origins


def _of_port(port: PortGroup) -> Iterator[Mapping[str, Origin]]:
    yield port.origins
    if port.watchdog is not None:
        yield port.watchdog.origins
    yield from (room.origins for room in (port.headroom, port.room) if isinstance(room, Headroom))
    yield from _of_classes(port.overrides)
