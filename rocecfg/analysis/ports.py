"""Switches with equal settings as one plan, their ports by name, and the cables that links stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain
from operator import itemgetter

from rocecfg.core.nodeset import are_plain, names_of
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, Link, Links, PortGroup, kept_with_fabric

Port = tuple[str, str]  # device, port
_ENDS = itemgetter(0, 1, 2, 3)
Wire = tuple[str, str, str, str, Link]  # device and port at the one end, at the other, and the link that says so


class PortEnd(NamedTuple):
    """Ports of equal settings, on switches of equal settings."""

    device: Device
    port: PortGroup


class PortPlan(NamedTuple):
    """The ports of switches of one kind."""

    device: Device
    named: dict[str, PortEnd]
    every: PortEnd | None  # where the intent names no port

    def end(self, port: str) -> PortEnd | None:
        """The port of that name; None where the switch has none."""
        return self.named.get(port) or self.every


def list_wires(links: Collection[Link]) -> Iterator[Wire]:
    """Each cable that links stand for, by its two ends."""
    single = links.single if isinstance(links, Links) else None
    if single if single is not None else are_plain(chain.from_iterable(map(_ENDS, links))):
        for link in links:
            yield *link[:4], link
        return
    for link in links:
        a_device, a_port, b_device, b_port = link[:4]
        a_ports, b_ports = names_of(a_port), names_of(b_port)
        a = [(device, port) for device in names_of(a_device) for port in a_ports]
        b = [(device, port) for device in names_of(b_device) for port in b_ports]
        for (a_device, a_port), (b_device, b_port) in zip(a, b, strict=True):
            yield a_device, a_port, b_device, b_port, link


@kept_with_fabric  # what follows links asks, and what compares roles
def alike_devices(fabric: Fabric) -> tuple[tuple[Device, ...], ...]:
    """The devices, those with equal settings together; each of a switch's own configuration."""
    found: dict[object, list[Device]] = {}
    of: dict[int, list[Device]] = {}  # by the identity of what they were made from: comparing settings takes longer
    for device in fabric.devices:
        original = id(fabric.original(device))
        equal = of.get(original)
        if equal is None:
            key = id(device) if fabric.running else (device, tuple(port.names for port in device.ports))
            equal = of[original] = found.setdefault(key, [])
        equal.append(device)
    return tuple(map(tuple, found.values()))


@kept_with_fabric  # what follows links asks, and what makes a graph of them
def plans(fabric: Fabric) -> dict[str, PortPlan]:
    """The plan of each switch by its name; those with equal settings share one."""
    of: dict[tuple[int, int, int], PortPlan] = {}
    for devices in alike_devices(fabric):
        plan = _make_plan(devices[0])
        of.update((_identities(device), plan) for device in devices)
    return {name: plan for device in fabric.devices for plan in (of[_identities(device)],) for name in device.names}


def _identities(device: Device) -> tuple[int, int, int]:
    return id(device.ports), id(device.classes), id(device.maps)


def _make_plan(device: Device) -> PortPlan:
    ends = [PortEnd(device, port) for port in device.ports]
    named = {name: end for end in ends for name in end.port.names}
    return PortPlan(device, named, next((end for end in ends if end.port.implied), None))
