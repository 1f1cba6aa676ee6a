"""Arista AVD: structured configurations, which say the peer of each port, and the inputs of eos_designs in group_vars.

These count as far as they state cables themselves. Uplinks are three lists that pair by place: uplink_interfaces,
uplink_switches, uplink_switch_interfaces. What AVD works out from a node's id is in its
documentation/fabric/*-topology.csv and its structured configurations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.statements import LEFT_OUT, End, Left, Said, Statements
from rocecfg.cabling.tree import Placed, get, items, mappings, text


def is_structured(value: Any) -> bool:
    """A structured configuration: `ethernet_interfaces`."""
    return isinstance(get(value, "ethernet_interfaces"), (list, dict))


def local_name(value: Any) -> str:
    """The device that it is of."""
    return text(get(value, "hostname"))


def read_structured(value: Any, local: str) -> Statements:
    """A statement for each port with a peer; up to AVD 3 the ports stood in an object by name."""
    for entry in _named(value["ethernet_interfaces"]):
        if "name" not in entry:
            continue
        peer, far = text(entry.get("peer")), text(entry.get("peer_interface"))
        if peer:
            here = End(device_name(local), port_name(text(entry["name"])))
            yield Said(here, End(device_name(peer), port_name(far)), entry.at, by=here.device)


# -- inputs of eos_designs ---------------------------------------------------------------------------------------------


_ENDPOINTS = (
    "servers", "firewalls", "routers", "load_balancers", "storage_arrays", "cpes", "workstations", "access_points",
    "phones", "printers", "cameras", "generic_devices",
)  # fmt: skip
_RANGE = re.compile(r"(.*?)(\d+)-(\d+)")
_ELSEWHERE = "AVD works it out: give documentation/fabric/*-topology.csv or the structured configurations"


def is_inputs(value: Any) -> bool:
    """Node types with nodes that state uplinks, servers with adapters, or links between two nodes."""
    if not isinstance(value, Placed):
        return False
    return (
        any(True for _ in _node_types(value))
        or any("adapters" in each for key in _ENDPOINTS for each in _named(value.get(key)))
        or any("p2p_links" in mapping for key in ("core_interfaces", "l3_edge") for mapping in mappings(value.get(key)))
    )


def read_inputs(value: Any, _: str) -> Statements:
    """Uplinks, MLAG peer links, endpoints and point-to-point links."""
    for of in _node_types(value):
        yield from _node_type(of)
    for key in _ENDPOINTS:
        for endpoint in _named(value.get(key)):
            for adapter in mappings(endpoint.get("adapters")):
                yield from _adapter(text(endpoint.get("name")), adapter)
    for key in ("core_interfaces", "l3_edge"):
        for link in mappings(get(value.get(key), "p2p_links")):
            nodes, ports = _words(link.get("nodes")), _words(link.get("interfaces"))
            if len(nodes) == len(ports) == 2:
                yield Said(_end(nodes[0], ports[0]), _end(nodes[1], ports[1]), link.at)


def _node_types(value: Placed) -> Iterator[Placed]:
    for below in value.values():
        if isinstance(below, Placed) and not below.keys().isdisjoint(("nodes", "node_groups")):
            yield below


def _node_type(of: Placed) -> Statements:
    usual = next(iter(mappings(of.get("defaults"))), Placed({}, of.at))
    for node in _named(of.get("nodes")):
        yield from _uplinks(Placed({**usual, **node}, node.at))
    for group in _named(of.get("node_groups"), "group"):
        shared = {**usual, **{key: below for key, below in group.items() if key != "nodes"}}
        nodes = [Placed({**shared, **node}, node.at) for node in _named(group.get("nodes"))]
        for node in nodes:
            yield from _uplinks(node)
        if len(nodes) == 2 and text(shared.get("mlag")).casefold() != "false":
            first, second = nodes
            pairs = zip(_ports(first.get("mlag_interfaces")), _ports(second.get("mlag_interfaces")), strict=False)
            for a, b in pairs:
                yield Said(_end(text(first["name"]), a), _end(text(second["name"]), b), first.at)


def _uplinks(node: Placed) -> Statements:
    name = text(node.get("name"))
    ports, switches = _ports(node.get("uplink_interfaces")), _words(node.get("uplink_switches"))
    far = _ports(node.get("uplink_switch_interfaces"))
    if not ports or not switches:
        return
    if not far:
        for port, switch in zip(ports, switches, strict=False):
            yield Left(
                LEFT_OUT, _end(name, port), End(switch, ""), f"no uplink_switch_interfaces ({_ELSEWHERE})", node.at
            )
        return
    if len(ports) < len(far) or len(switches) != len(far):
        why = f"{len(ports)} uplink_interfaces, {len(switches)} uplink_switches, {len(far)} uplink_switch_interfaces"
        yield Left(LEFT_OUT, _end(name, ports[0]), End(switches[0], far[0]), f"{why}: they do not pair", node.at)
        return
    for port, switch, other in zip(ports, switches, far, strict=False):
        yield Said(_end(name, port), _end(switch, other), node.at)


def _adapter(name: str, adapter: Placed) -> Statements:
    switches, ports = _words(adapter.get("switches")), _ports(adapter.get("switch_ports"))
    own = _ports(adapter.get("endpoint_ports") or adapter.get("server_ports"))
    for number, (switch, port) in enumerate(zip(switches, ports, strict=False)):
        here = End(device_name(name), port_name(own[number])) if number < len(own) else End(device_name(name), "")
        if here.port:
            yield Said(_end(switch, port), here, adapter.at)
        else:
            yield Left(
                LEFT_OUT, _end(switch, port), here, "the adapter's endpoint_ports do not name its port", adapter.at
            )


def _named(value: Any, key: str = "name") -> list[Placed]:
    """A list of objects with a name; up to AVD 3 an object by name."""
    if not isinstance(value, Placed):
        return mappings(value)
    return [Placed({key: name, **below}, below.at) for name, below in value.items() if isinstance(below, Placed)]


def _words(value: Any) -> list[str]:
    return [text(item) for item in items(value)]


def _ports(value: Any) -> list[str]:
    """Ports, ranges written out: Ethernet1-2, Ethernet49/1-4."""
    out: list[str] = []
    for word in _words(value):
        found = _RANGE.fullmatch(word)
        low, high = (int(found[2]), int(found[3])) if found is not None else (1, 0)
        out += [f"{found[1]}{n}" for n in range(low, high + 1)] if found and low <= high < low + 1024 else [word]
    return out


def _end(device: str, port: str) -> End:
    return End(device_name(device), port_name(port))
