"""A device as some of its ports sort packets: its classes, numbers and maps are theirs, and it has only these ports."""

from __future__ import annotations

from dataclasses import replace

from rocecfg.model.fabric import Device, PortGroup


def views(device: Device) -> tuple[Device, ...]:
    """The device as each kind of its ports sorts: itself alone, where all do as it says."""
    if all(port.maps is None for port in device.ports):
        return (device,)
    alike: dict[object, list[PortGroup]] = {}
    for port in device.ports:
        own = port.maps is not None
        alike.setdefault((port.maps, device.all_classes_on(port)) if own else None, []).append(port)
    return tuple(_view(device, tuple(ports)) for ports in alike.values())


def view_of(device: Device, port: PortGroup) -> Device:
    """The device as a port of it sorts: itself, where that is as it says."""
    return device if port.maps is None else _view(device, (port,))


def _view(device: Device, ports: tuple[PortGroup, ...]) -> Device:
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
