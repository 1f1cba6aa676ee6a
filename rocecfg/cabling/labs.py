"""Labs as files: containerlab's topologies, NVIDIA Air's JSON, Batfish's layer 1 topology."""

from __future__ import annotations

from typing import Any

from rocecfg.cabling import dot
from rocecfg.cabling.names import device_name, is_out_of_band, port_name
from rocecfg.cabling.statements import LEFT_OUT, CableEnd, LeftOut, StatedCable, Statements
from rocecfg.cabling.tree import PlacedMapping, as_items, as_mappings, as_text, get_in

_NO_NODES = frozenset(("host", "mgmt-net", "macvlan", "dummy", "vxlan", "vxlan-stitch"))
_BRIDGES = frozenset(("bridge", "ovs-bridge"))


# -- containerlab ------------------------------------------------------------------------------------------------------


def is_containerlab(value: Any) -> bool:
    """A mapping with `topology`, in which are nodes or links."""
    topology = get_in(value, "topology")
    return isinstance(topology, dict) and not topology.keys().isdisjoint(("nodes", "links"))


def read_containerlab(value: Any, _: str) -> Statements:
    """Links in the short form (`node:port` twice) and in the long one (a type, endpoints as objects)."""
    topology = value["topology"]
    nodes = topology.get("nodes")
    kinds = {name: as_text(get_in(node, "kind")) for name, node in nodes.items()} if isinstance(nodes, dict) else {}
    for link in as_mappings(topology.get("links")):
        ends = [_read_endpoint(each) for each in as_items(link.get("endpoints")) or as_items(link.get("endpoint"))]
        kind = as_text(link.get("type"))
        if len(ends) != 2:
            end = ends[0] if ends else CableEnd("", "")
            why = f"a link of type {kind} to the host that runs the lab" if kind else f"{len(ends)} endpoints"
            yield LeftOut(LEFT_OUT, end, CableEnd("", ""), why, link.at)
            continue
        bridge = next(
            (end.device for end in ends if end.device in _NO_NODES or kinds.get(end.device) in _BRIDGES), None
        )
        if bridge is not None:
            yield LeftOut(
                LEFT_OUT, ends[0], ends[1], (f"{bridge} is not a node: it is the host that runs the lab"), link.at
            )
        else:
            yield StatedCable(ends[0], ends[1], link.at)


def _read_endpoint(value: Any) -> CableEnd:
    if isinstance(value, PlacedMapping):
        return CableEnd(device_name(as_text(value.get("node"))), port_name(as_text(value.get("interface"))))
    node, _, port = as_text(value).partition(":")
    return CableEnd(device_name(node), port_name(port))


# -- NVIDIA Air --------------------------------------------------------------------------------------------------------


def is_air(value: Any) -> bool:
    """`{"content": {"nodes": ..., "links": ...}}`, its content alone, or with DOT as content."""
    content = get_in(value, "content")
    if isinstance(content, str):
        return dot.is_dot(content)
    return isinstance(get_in(content or value, "links"), list) and isinstance(get_in(content or value, "nodes"), dict)


def read_air(value: Any, local: str) -> Statements:
    """Each link is a list of two ends; one that leads out of the simulation is a word."""
    content = value.get("content") or value
    if isinstance(content, str):
        yield from (stated._replace(at=0) for stated in dot.read_dot(content, local))
        return
    apart = {name for name, node in content["nodes"].items() if as_text(get_in(node, "function")).startswith("oob")}
    for link in content["links"]:
        ends = [
            CableEnd(device_name(as_text(get_in(e, "node"))), port_name(as_text(get_in(e, "interface"))))
            for e in as_mappings(link)
        ]
        at = next((each.at for each in as_mappings(link)), 0)
        if len(ends) != 2:
            words = ", ".join(as_text(each) for each in as_items(link) if isinstance(each, str)) or "nothing"
            yield LeftOut(
                LEFT_OUT, ends[0] if ends else CableEnd("", ""), CableEnd("", ""), f"the other end is {words}", at
            )
            continue
        management = any(end.device in apart or is_out_of_band(end.device) for end in ends)
        yield StatedCable(ends[0], ends[1], at, management=management)


# -- Batfish -----------------------------------------------------------------------------------------------------------


def is_batfish(value: Any) -> bool:
    """`{"edges": [{"node1": ..., "node2": ...}]}`."""
    edges = get_in(value, "edges")
    return isinstance(edges, list) and all("node1" in edge and "node2" in edge for edge in as_mappings(edges))


def read_batfish(value: Any, _: str) -> Statements:
    """An edge is a cable; it may stand there once in each direction."""
    for edge in as_mappings(value["edges"]):
        a, b = (
            CableEnd(
                device_name(as_text(get_in(edge[key], "hostname"))),
                port_name(as_text(get_in(edge[key], "interfaceName"))),
            )
            for key in ("node1", "node2")
        )
        yield StatedCable(a, b, edge.at)
