"""Switches with equal settings as one plan, their ports by name, and the cables that links stand for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rocecfg.model import Device, Fabric, Link, PortGroup
from rocecfg.nodeset import names_of
from rocecfg.records import NamedTuple

Port = tuple[str, str]  # device, port


class End(NamedTuple):
    """Ports of equal settings, on switches of equal settings."""

    device: Device
    port: PortGroup


class Plan(NamedTuple):
    """The ports of switches of one kind."""

    device: Device
    named: dict[str, End]
    every: End | None  # where the intent names no port

    def end(self, port: str) -> End | None:
        """The port of that name; None where the switch has none."""
        return self.named.get(port) or self.every


def pairs(link: Link) -> Iterator[tuple[Port, Port]]:
    """The two ends of each cable that a link stands for."""
    text = link.a_device + link.a_port + link.b_device + link.b_port
    if "[" not in text and "," not in text:  # so are most in large fabrics
        yield (link.a_device, link.a_port), (link.b_device, link.b_port)
        return
    a_ports, b_ports = names_of(link.a_port), names_of(link.b_port)
    a = [(device, port) for device in names_of(link.a_device) for port in a_ports]
    b = [(device, port) for device in names_of(link.b_device) for port in b_ports]
    yield from zip(a, b, strict=True)


@lru_cache(maxsize=1)  # what follows links asks, and what compares roles
def alike(fabric: Fabric) -> tuple[tuple[Device, ...], ...]:
    """The devices that were worked out, those with equal settings together; each of a switch's own configuration."""
    found: dict[object, list[Device]] = {}
    for device in fabric.distinct:
        key = id(device) if fabric.running else (device, tuple(port.names for port in device.ports))
        found.setdefault(key, []).append(device)
    return tuple(map(tuple, found.values()))


@lru_cache(maxsize=1)  # what follows links asks, and what makes a graph of them
def plans(fabric: Fabric) -> dict[str, Plan]:
    """The plan of each switch by its name; those with equal settings share one."""
    of: dict[tuple[int, int, int], Plan] = {}
    for devices in alike(fabric):
        plan = _plan(devices[0])
        of.update((_parts(device), plan) for device in devices)
    return {name: plan for device, names in fabric.named() for plan in (of[_parts(device)],) for name in names}


def _parts(device: Device) -> tuple[int, int, int]:
    return id(device.ports), id(device.classes), id(device.maps)


def _plan(device: Device) -> Plan:
    ends = [End(device, port) for port in device.ports]
    named = {name: end for end in ends for name in end.port.names}
    return Plan(device, named, next((end for end in ends if end.port.implied), None))
