"""Arista AVD: structured configurations, which say the peer of each port, and the inputs of eos_designs in group_vars.

These count as far as they state cables themselves. Uplinks are three lists that pair by place: uplink_interfaces,
uplink_switches, uplink_switch_interfaces. What AVD computes from a node's id is in its
documentation/fabric/*-topology.csv and its structured configurations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rocecfg.cabling.names import device_name, port_name
from rocecfg.cabling.statements import LEFT_OUT, CableEnd, LeftOut, StatedCable, Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text, get_in


def is_structured(value: Any) -> bool:
    """A structured configuration: `ethernet_interfaces`."""
    return isinstance(get_in(value, "ethernet_interfaces"), (list, dict))


def local_name(value: Any) -> str:
    """The device that it is of."""
    return as_text(get_in(value, "hostname"))


def read_structured(value: Any, local: str) -> Statements:
    """A statement for each port with a peer; up to AVD 3 the ports stood in an object by name."""
    for entry in _named_objects(value["ethernet_interfaces"]):
        if "name" not in entry:
            continue
        peer, far = as_text(entry.get("peer")), as_text(entry.get("peer_interface"))
        if peer:
            here = CableEnd(device_name(local), port_name(as_text(entry["name"])))
            yield StatedCable(here, CableEnd(device_name(peer), port_name(far)), entry.at, by=here.device)


# -- inputs of eos_designs ---------------------------------------------------------------------------------------------


_ENDPOINTS = (
    "servers", "firewalls", "routers", "load_balancers", "storage_arrays", "cpes", "workstations", "access_points",
    "phones", "printers", "cameras", "generic_devices",
)  # fmt: skip
_RANGE = re.compile(r"(.*?)(\d+)-(\d+)")
_ELSEWHERE = "AVD computes it: give documentation/fabric/*-topology.csv or the structured configurations"


def is_inputs(value: Any) -> bool:
    """Node types with nodes that state uplinks, servers with adapters, or links between two nodes."""
    if not isinstance(value, PlacedMapping):
        return False
    return (
        any(True for _ in _find_node_types(value))
        or any("adapters" in each for key in _ENDPOINTS for each in _named_objects(value.get(key)))
        or any(
            "p2p_links" in mapping for key in ("core_interfaces", "l3_edge") for mapping in as_mappings(value.get(key))
        )
    )


def read_inputs(value: Any, _: str) -> Statements:
    """Uplinks, MLAG peer links, endpoints and point-to-point links."""
    for of in _find_node_types(value):
        yield from _read_node_type(of)
    for key in _ENDPOINTS:
        for endpoint in _named_objects(value.get(key)):
            for adapter in as_mappings(endpoint.get("adapters")):
                yield from _read_adapter(as_text(endpoint.get("name")), adapter)
    for key in ("core_interfaces", "l3_edge"):
        for link in as_mappings(get_in(value.get(key), "p2p_links")):
            nodes, ports = _list_texts(link.get("nodes")), _list_texts(link.get("interfaces"))
            if len(nodes) == len(ports) == 2:
                yield StatedCable(_make_end(nodes[0], ports[0]), _make_end(nodes[1], ports[1]), link.at)


def _find_node_types(value: PlacedMapping) -> Iterator[PlacedMapping]:
    for below in value.values():
        if isinstance(below, PlacedMapping) and not below.keys().isdisjoint(("nodes", "node_groups")):
            yield below


def _read_node_type(of: PlacedMapping) -> Statements:
    usual = next(iter(as_mappings(of.get("defaults"))), PlacedMapping({}, of.at))
    for node in _named_objects(of.get("nodes")):
        yield from _read_uplinks(PlacedMapping({**usual, **node}, node.at))
    for group in _named_objects(of.get("node_groups"), "group"):
        shared = {**usual, **{key: below for key, below in group.items() if key != "nodes"}}
        nodes = [PlacedMapping({**shared, **node}, node.at) for node in _named_objects(group.get("nodes"))]
        for node in nodes:
            yield from _read_uplinks(node)
        if len(nodes) == 2 and as_text(shared.get("mlag")).casefold() != "false":
            first, second = nodes
            pairs = zip(
                _expand_ports(first.get("mlag_interfaces")), _expand_ports(second.get("mlag_interfaces")), strict=False
            )
            for a, b in pairs:
                yield StatedCable(_make_end(as_text(first["name"]), a), _make_end(as_text(second["name"]), b), first.at)


def _read_uplinks(node: PlacedMapping) -> Statements:
    name = as_text(node.get("name"))
    ports, switches = _expand_ports(node.get("uplink_interfaces")), _list_texts(node.get("uplink_switches"))
    far = _expand_ports(node.get("uplink_switch_interfaces"))
    if not ports or not switches:
        return
    if not far:
        for port, switch in zip(ports, switches, strict=False):
            yield LeftOut(
                LEFT_OUT,
                _make_end(name, port),
                CableEnd(switch, ""),
                f"no uplink_switch_interfaces ({_ELSEWHERE})",
                node.at,
            )
        return
    if len(ports) < len(far) or len(switches) != len(far):
        why = f"{len(ports)} uplink_interfaces, {len(switches)} uplink_switches, {len(far)} uplink_switch_interfaces"
        yield LeftOut(
            LEFT_OUT, _make_end(name, ports[0]), CableEnd(switches[0], far[0]), f"{why}: they do not pair", node.at
        )
        return
    for port, switch, other in zip(ports, switches, far, strict=False):
        yield StatedCable(_make_end(name, port), _make_end(switch, other), node.at)


def _read_adapter(name: str, adapter: PlacedMapping) -> Statements:
    switches, ports = _list_texts(adapter.get("switches")), _expand_ports(adapter.get("switch_ports"))
    own = _expand_ports(adapter.get("endpoint_ports") or adapter.get("server_ports"))
    for number, (switch, port) in enumerate(zip(switches, ports, strict=False)):
        here = (
            CableEnd(device_name(name), port_name(own[number]))
            if number < len(own)
            else CableEnd(device_name(name), "")
        )
        if here.port:
            yield StatedCable(_make_end(switch, port), here, adapter.at)
        else:
            yield LeftOut(
                LEFT_OUT, _make_end(switch, port), here, "the adapter's endpoint_ports do not name its port", adapter.at
            )


def _named_objects(value: Any, key: str = "name") -> list[PlacedMapping]:
    """A list of objects with a name; up to AVD 3 an object by name."""
    if not isinstance(value, PlacedMapping):
        return as_mappings(value)
    return [
        PlacedMapping({key: name, **below}, below.at)
        for name, below in value.items()
        if isinstance(below, PlacedMapping)
    ]


def _list_texts(value: Any) -> list[str]:
    return [as_text(item) for item in as_items(value)]


def _expand_ports(value: Any) -> list[str]:
    """Ports, ranges written out: Ethernet1-2, Ethernet49/1-4."""
    out: list[str] = []
    for word in _list_texts(value):
        found = _RANGE.fullmatch(word)
        low, high = (int(found[2]), int(found[3])) if found is not None else (1, 0)
        out += [f"{found[1]}{n}" for n in range(low, high + 1)] if found and low <= high < low + 1024 else [word]
    return out


def _make_end(device: str, port: str) -> CableEnd:
    return CableEnd(device_name(device), port_name(port))
