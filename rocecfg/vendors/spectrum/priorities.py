"""Classes as NVUE sees them: DSCP to switch priority, switch priority to traffic class (its egress queue).

NVUE knows one label inside the switch, the switch priority (SP). It is the PFC priority and the key of the traffic
pools; what it calls traffic class (TC) is the egress queue. So a class's `priority` becomes the SP, its `queue` the TC.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, TrafficClass
from rocecfg.model.views import make_views
from rocecfg.vendors.spectrum.ranges import NumberedTable, make_table

PRIORITIES = range(8)


class PriorityChain(NamedTuple):
    """How packets of some ports find their queue, and which priorities of the switch are lossless."""

    dscp: NumberedTable[int]  # -> SP
    pcp: NumberedTable[int]  # -> SP, for ports that trust it
    default_sp: int  # non-IP frames, untrusted ports, PCPs of no class
    queues: NumberedTable[int]  # SP -> TC, all eight
    lossless: tuple[int, ...]  # SPs, ascending
    lossy: tuple[int, ...]  # all others
    by_tc: tuple[tuple[TrafficClass, ...], ...]  # classes of each of the eight TCs


def chains_of(fabric: Fabric, device: Device) -> tuple[tuple[Device, PriorityChain], ...]:
    """The maps of a device as each kind of its ports sorts."""
    seen = make_views(device)
    owners = _find_owners(seen)
    lossless = tuple(sorted({p for g in device.ports for p in g.pfc}))  # one that no port pauses fills its pool
    takers = [_find_taker(there) for there in seen]
    queues = tuple((sp, owners[sp].queue if sp in owners else takers[0].queue) for sp in PRIORITIES)
    lossy = tuple(sp for sp in PRIORITIES if sp not in lossless)
    return tuple(
        (there, _make_chain(fabric, there, taker, make_table(queues), lossless, lossy))
        for there, taker in zip(seen, takers, strict=True)
    )


def _make_chain(
    fabric: Fabric,
    device: Device,
    taker: TrafficClass,
    queues: NumberedTable[int],
    lossless: tuple[int, ...],
    lossy: tuple[int, ...],
) -> PriorityChain:
    own = {c.priority for c in device.classes}
    return PriorityChain(
        dscp=_map_dscps(fabric, device),
        pcp=make_table(tuple((sp, sp if sp in own else taker.priority) for sp in PRIORITIES)),
        default_sp=taker.priority,
        queues=queues,
        lossless=lossless,
        lossy=lossy,
        by_tc=tuple(tuple(c for c in device.classes if c.queue == tc) for tc in PRIORITIES),
    )


def _find_owners(seen: tuple[Device, ...]) -> dict[int, TrafficClass]:
    """The class of each SP in use: the first of those that NVUE need not tell apart."""
    return {c.priority: c for device in reversed(seen) for c in reversed(device.classes)}


def _find_taker(device: Device) -> TrafficClass:
    """The lossy class that takes what no class claims: `rest`, else `default`, else the first lossy one."""
    lossy = [c for c in device.classes if not c.lossless]
    return next((c for c in lossy if c.rest), None) or next((c for c in lossy if "default" in c.carries), lossy[0])


def _map_dscps(fabric: Fabric, device: Device) -> NumberedTable[int]:
    """DSCP to SP. All 64, or with `classification: vendor` those that classes claim by number."""
    keep = fabric.classification == "vendor"
    return make_table(tuple((dscp, c.priority) for c in device.classes if not (c.rest and keep) for dscp in c.dscps))
