"""Arista AVD: structured configurations, which say the peer of each port."""

from __future__ import annotations

from typing import Any

from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.statements import End, Said, Statements
from rocecfg.cabling.tree import Placed, get, mappings, text


def is_structured(value: Any) -> bool:
    """A structured configuration: `ethernet_interfaces`."""
    return isinstance(get(value, "ethernet_interfaces"), (list, dict))


def local_name(value: Any) -> str:
    """The device that it is of."""
    return text(get(value, "hostname"))


def read_structured(value: Any, local: str) -> Statements:
    """A statement for each port with a peer; up to AVD 3 the ports stood in an object by name."""
    ports = value["ethernet_interfaces"]
    for entry in _named(ports):
        peer, far = text(entry.get("peer")), text(entry.get("peer_interface"))
        if peer:
            here = End(device_name(local), port_name(text(entry["name"])))
            yield Said(here, End(device_name(peer), port_name(far)), entry.at, by=here.device)


def _named(ports: Any) -> list[Placed]:
    if not isinstance(ports, Placed):
        return [entry for entry in mappings(ports) if "name" in entry]
    return [Placed({**entry, "name": name}, entry.at) for name, entry in ports.items() if isinstance(entry, Placed)]
