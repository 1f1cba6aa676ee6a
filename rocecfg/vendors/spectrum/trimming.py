"""Packet trimming: what the switch does to packets without room, and the queues of which ports it does it for."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.priorities import Chain
from rocecfg.vendors.spectrum.release import TRIM, Release, require_release


class Trim(NamedTuple):
    """`system forwarding packet-trim`."""

    size: int  # bytes
    dscp: int
    priority: int  # switch priority that trimmed packets go on with


def trimming_of(device: Device, chain: Chain, release: Release) -> Trim | None:
    """How packets are trimmed; CannotRender for a release that does not, and for what no switch priority leads to."""
    trimming = device.trimming
    if trimming is None:
        return None
    require_release(release, TRIM, "the objects of packet trimming", device)
    queue = device.trim_queue
    by_queue = {tc: sp for sp, tc in reversed(chain.queues.rows)}
    owner = next((c.priority for c in device.classes if trimming.dscp in c.dscps and c.queue == queue), None)
    priority = owner if owner is not None else by_queue.get(-1 if queue is None else queue)
    if priority is None:
        raise CannotRender(
            f"trimmed packets are to leave by queue {queue}, to which no switch priority leads",
            "state a queue that a class has: NVUE names the switch priority of trimmed packets, not their queue",
            (trimming.at("queue", "dscp"),),
        )
    if not trimming.classes:
        raise CannotRender(
            "trimming names no class, so no traffic class of a port would be trimmed",
            "state trimming.classes: the lossy classes whose packets are trimmed",
            (trimming.at(""),),
        )
    return Trim(trimming.size, trimming.dscp, priority)


def trimmed_on(device: Device, port: PortGroup) -> tuple[int, ...]:
    """The traffic classes of a port whose packets are trimmed, ascending."""
    if device.trimming is None:
        return ()
    return tuple(sorted({c.queue for c in device.classes_on(port) if c.name in device.trimming.classes}))
