"""A device as some of its ports sort packets: its classes, numbers and maps are theirs, and it has only these ports."""

from __future__ import annotations

from rocecfg.model.fabric import Device, PortGroup, QosMaps, TrafficClass
from rocecfg.model.frozen import replace

_FIELDS = ("dscp", "tc", "queue")  # of a class: what says where its packets go


def make_views(device: Device) -> tuple[Device, ...]:
    """The device as each kind of its ports sorts: itself alone, where all do as it says."""
    if all(port.maps is None for port in device.ports):
        return (device,)
    alike: dict[object, list[PortGroup]] = {}
    for port in device.ports:
        own = port.maps is not None
        alike.setdefault((port.maps, device.all_classes_on(port)) if own else None, []).append(port)
    usual_first = sorted(alike.values(), key=lambda ports: ports[0].maps is not None)
    return tuple(_make_view(device, tuple(ports)) for ports in usual_first)


def make_port_view(device: Device, port: PortGroup) -> Device:
    """The device as a port of it sorts: itself, where that is as it says."""
    return device if port.maps is None else _make_view(device, (port,))


def find_sorted_apart(device: Device) -> tuple[PortGroup, TrafficClass | None, str] | None:
    """The first ports that sort DSCPs, or send traffic classes, otherwise than the device; None: all do as it says.

    With the class that makes it so, and the field in which that is stated.
    """
    for port in device.ports:
        maps = port.maps
        if maps is None or _sorting_key(maps) == _sorting_key(device.maps):
            continue
        usual = {c.name: c.origins for c in device.classes}
        for cls in port.overrides:
            for field in _FIELDS:
                if cls.origins.get(field) != usual.get(cls.name, {}).get(field):
                    return port, cls, field
        return port, None, ""
    return None


def _sorting_key(maps: QosMaps) -> tuple[object, ...]:
    return maps.dscp_to_tc, maps.tc_to_queue


def _make_view(device: Device, ports: tuple[PortGroup, ...]) -> Device:
    first = ports[0]
    if first.maps is None:
        return replace(device, ports=ports, whole=device)
    here = {"": first.at("classes")}
    return replace(
        device,
        classes=device.all_classes_on(first),
        maps=replace(first.maps, origins=here),
        ports=ports,
        whole=device,
        origins={**device.origins, **here},
    )
