"""Labs as files: containerlab's topologies, NVIDIA Air's JSON, Batfish's layer 1 topology."""

from __future__ import annotations

from typing import Any

from rocecfg.cabling import dot
from rocecfg.cabling.names import device_name, is_out_of_band, port_name
from rocecfg.cabling.statements import LEFT_OUT, End, Left, Said, Statements
from rocecfg.cabling.tree import Placed, get, items, mappings, text

_NO_NODES = frozenset(("host", "mgmt-net", "macvlan", "dummy", "vxlan", "vxlan-stitch"))
_BRIDGES = frozenset(("bridge", "ovs-bridge"))


# -- containerlab ------------------------------------------------------------------------------------------------------


def is_containerlab(value: Any) -> bool:
    """A mapping with `topology`, in which are nodes or links."""
    topology = get(value, "topology")
    return isinstance(topology, dict) and not topology.keys().isdisjoint(("nodes", "links"))


def read_containerlab(value: Any, _: str) -> Statements:
    """Links in the short form (`node:port` twice) and in the long one (a type, endpoints as objects)."""
    topology = value["topology"]
    nodes = topology.get("nodes")
    kinds = {name: text(get(node, "kind")) for name, node in nodes.items()} if isinstance(nodes, dict) else {}
    for link in mappings(topology.get("links")):
        ends = [_endpoint(each) for each in items(link.get("endpoints")) or items(link.get("endpoint"))]
        kind = text(link.get("type"))
        if len(ends) != 2:
            end = ends[0] if ends else End("", "")
            why = f"a link of type {kind} to the host that runs the lab" if kind else f"{len(ends)} endpoints"
            yield Left(LEFT_OUT, end, End("", ""), why, link.at)
            continue
        bridge = next(
            (end.device for end in ends if end.device in _NO_NODES or kinds.get(end.device) in _BRIDGES), None
        )
        if bridge is not None:
            yield Left(LEFT_OUT, ends[0], ends[1], f"{bridge} is no node but the host that runs the lab", link.at)
        else:
            yield Said(ends[0], ends[1], link.at)


def _endpoint(value: Any) -> End:
    if isinstance(value, Placed):
        return End(device_name(text(value.get("node"))), port_name(text(value.get("interface"))))
    node, _, port = text(value).partition(":")
    return End(device_name(node), port_name(port))


# -- NVIDIA Air --------------------------------------------------------------------------------------------------------


def is_air(value: Any) -> bool:
    """`{"content": {"nodes": ..., "links": ...}}`, its content alone, or with DOT as content."""
    content = get(value, "content")
    if isinstance(content, str):
        return dot.is_dot(content)
    return isinstance(get(content or value, "links"), list) and isinstance(get(content or value, "nodes"), dict)


def read_air(value: Any, local: str) -> Statements:
    """Each link is a list of two ends; one that leads out of the simulation is a word."""
    content = value.get("content") or value
    if isinstance(content, str):
        yield from (stated._replace(at=0) for stated in dot.read_dot(content, local))
        return
    apart = {name for name, node in content["nodes"].items() if text(get(node, "function")).startswith("oob")}
    for link in content["links"]:
        ends = [End(device_name(text(get(e, "node"))), port_name(text(get(e, "interface")))) for e in mappings(link)]
        at = next((each.at for each in mappings(link)), 0)
        if len(ends) != 2:
            words = ", ".join(text(each) for each in items(link) if isinstance(each, str)) or "nothing"
            yield Left(LEFT_OUT, ends[0] if ends else End("", ""), End("", ""), f"the other end is {words}", at)
            continue
        management = any(end.device in apart or is_out_of_band(end.device) for end in ends)
        yield Said(ends[0], ends[1], at, management=management)


# -- Batfish -----------------------------------------------------------------------------------------------------------


def is_batfish(value: Any) -> bool:
    """`{"edges": [{"node1": ..., "node2": ...}]}`."""
    edges = get(value, "edges")
    return isinstance(edges, list) and all("node1" in edge and "node2" in edge for edge in mappings(edges))


def read_batfish(value: Any, _: str) -> Statements:
    """An edge is a cable; it may stand there once in each direction."""
    for edge in mappings(value["edges"]):
        a, b = (
            End(device_name(text(get(edge[key], "hostname"))), port_name(text(get(edge[key], "interfaceName"))))
            for key in ("node1", "node2")
        )
        yield Said(a, b, edge.at)
