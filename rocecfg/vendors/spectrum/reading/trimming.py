"""Packet trimming of NVUE: how packets are trimmed, of which ports and queues, and what of it is not read."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model.stated import Section, Val
from rocecfg.vendors.spectrum.reading.nodes import Node
from rocecfg.vendors.spectrum.reading.qos import QosProfiles

PATH = ("system", "forwarding", "packet-trim")
AT_PORT = ("packet-trim", "egress-eligibility", "traffic-class")
_READ = ("state", "size", "remark", "switch-priority")
_NEEDED = ("size", "dscp", "queue")


def find_turned_on(tree: Node) -> Val | None:
    """Where trimming is turned on; None where it is off, which is the default."""
    state = tree.val(*PATH, "state")
    return state if state is not None and state.value == "enabled" else None


def read_trimming(tree: Node, qos: QosProfiles) -> Val | None:
    """Trimming as an intent states it; None where it is off, or in part left to defaults, which are not published."""
    on = find_turned_on(tree)
    if on is None:
        return None
    found: Section = {}
    size, dscp, priority = (tree.val(*PATH, *way) for way in (("size",), ("remark", "dscp"), ("switch-priority",)))
    if size is not None:
        found["size"] = size
    if dscp is not None and isinstance(dscp.value, int):
        found["dscp"] = dscp
    if priority is not None:
        found["queue"] = Val(qos.queues[priority.value].value, priority.at)
    return Val(found, on.at) if all(key in found for key in _NEEDED) else None


def list_unread_parts(tree: Node, qos: QosProfiles) -> Iterator[str]:
    """What of trimming that is on is not read, or not told."""
    if find_turned_on(tree) is None:
        return
    node = tree.get(*PATH)
    assert node is not None
    yield from (key for key in node.below if key not in _READ)
    if read_trimming(tree, qos) is None:
        yield "size, DSCP or switch priority left to defaults that are not published"


def list_trimmed_queues(node: Node) -> tuple[int, ...]:
    """The traffic classes of a port whose packets are trimmed, ascending."""
    return tuple(sorted(int(tc) for tc, _ in node.items(*AT_PORT)))
