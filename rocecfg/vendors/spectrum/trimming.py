"""Packet trimming: what the switch does to packets without room, and the queues of which ports it does it for."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup
from rocecfg.vendors.spectrum.priorities import PriorityChain


class Trim(NamedTuple):
    """`system forwarding packet-trim`."""

    size: int  # bytes
    dscp: int
    priority: int  # switch priority that trimmed packets go on with


def trimming_of(device: Device, chain: PriorityChain) -> Trim | None:
    """How packets are trimmed."""
    trimming = device.trimming
    if trimming is None:
        return None
    queue = device.trim_queue
    owner = next((c.priority for c in device.classes if trimming.dscp in c.dscps and c.queue == queue), None)
    priority = owner if owner is not None else next(sp for sp, tc in chain.queues.rows if tc == queue)
    return Trim(trimming.size, trimming.dscp, priority)


def trimmed_on(device: Device, port: PortGroup) -> tuple[int, ...]:
    """The traffic classes of a port whose packets are trimmed, ascending."""
    if device.trimming is None:
        return ()
    return tuple(sorted({c.queue for c in device.classes_on(port) if c.name in device.trimming.classes}))
