"""Classes as NVUE sees them: DSCP to switch priority, switch priority to traffic class (its egress queue).

NVUE knows one label inside the switch, the switch priority (SP). It is the PFC priority and the key of the traffic
pools; what it calls traffic class (TC) is the egress queue. So a class's `priority` becomes the SP, its `queue` the TC.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, TrafficClass
from rocecfg.model.views import make_views
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.ranges import Table, fold_numbers, make_table

PRIORITIES = range(8)


class Chain(NamedTuple):
    """How packets of some ports find their queue, and which priorities of the switch are lossless."""

    dscp: Table[int]  # -> SP
    pcp: Table[int]  # -> SP, for ports that trust it
    default_sp: int  # non-IP frames, untrusted ports, PCPs of no class
    queues: Table[int]  # SP -> TC, all eight
    lossless: tuple[int, ...]  # SPs, ascending
    lossy: tuple[int, ...]  # all others
    by_tc: tuple[tuple[TrafficClass, ...], ...]  # classes of each of the eight TCs


def chains_of(fabric: Fabric, device: Device) -> tuple[tuple[Device, Chain], ...]:
    """The maps of a device as each kind of its ports sorts; CannotRender where NVUE cannot tell classes apart."""
    seen = make_views(device)
    owners = _find_owners(seen)
    lossless = tuple(sorted({p for g in device.ports for p in g.pfc}))  # one that no port pauses fills its pool
    _check_lossless(fabric, device, owners, lossless)
    takers = [_find_taker(there) for there in seen]
    queues = tuple((sp, owners[sp].queue if sp in owners else takers[0].queue) for sp in PRIORITIES)
    _check_queues(owners, lossless, queues)
    lossy = tuple(sp for sp in PRIORITIES if sp not in lossless)
    return tuple(
        (there, _make_chain(fabric, there, taker, make_table(queues), lossless, lossy))
        for there, taker in zip(seen, takers, strict=True)
    )


def _make_chain(
    fabric: Fabric,
    device: Device,
    taker: TrafficClass,
    queues: Table[int],
    lossless: tuple[int, ...],
    lossy: tuple[int, ...],
) -> Chain:
    own = {c.priority for c in device.classes}
    return Chain(
        dscp=_map_dscps(fabric, device),
        pcp=make_table(tuple((sp, sp if sp in own else taker.priority) for sp in PRIORITIES)),
        default_sp=taker.priority,
        queues=queues,
        lossless=lossless,
        lossy=lossy,
        by_tc=tuple(tuple(c for c in device.classes if c.queue == tc) for tc in PRIORITIES),
    )


def _find_owners(seen: tuple[Device, ...]) -> dict[int, TrafficClass]:
    """The class of each SP in use. Two classes may share one only where NVUE need not tell them apart."""
    owners: dict[int, TrafficClass] = {}
    for c in (c for device in seen for c in device.classes):
        other = owners.setdefault(c.priority, c)
        for field, what in (("queue", "queues"), ("lossless", "loss")):
            if getattr(c, field) != getattr(other, field):
                who = f"class {c.name} has" if c.name == other.name else f"classes {other.name} and {c.name} share"
                where = ", on all ports alike" if len(seen) > 1 else ""
                raise CannotRender(
                    f"{who} priority {c.priority} but differ{'s' * (c.name == other.name)} in {field}: "
                    f"NVUE maps {what} by switch priority{where}",
                    "give one of them a priority of its own",
                    (c.at(field, "priority"), other.at(field, "priority")),
                )
    return owners


def _find_taker(device: Device) -> TrafficClass:
    """The lossy class that takes what no class claims: `rest`, else `default`, else the first lossy one."""
    lossy = [c for c in device.classes if not c.lossless]
    for wanted in ([c for c in lossy if c.rest], [c for c in lossy if "default" in c.carries], lossy):
        if wanted:
            return wanted[0]
    raise CannotRender(
        "no lossy class: unused priorities and non-IP frames would have nowhere to go but the lossless ones",
        "add a class such as default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}",
        (device.at("classes", ""),),
    )


def _check_lossless(fabric: Fabric, device: Device, owners: dict[int, TrafficClass], lossless: tuple[int, ...]) -> None:
    for sp in lossless:
        owner = owners.get(sp)
        if owner is None or not owner.lossless:
            named = f"class {owner.name}, which is lossy" if owner is not None else "no class"
            port = next(g for g in device.ports if sp in g.pfc)
            raise CannotRender(
                f"PFC is on for priority {sp}, which belongs to {named}",
                "make the class lossless, or take the priority off PFC",
                (port.at("pfc"),),
            )
        if fabric.mode == "lossy":
            raise CannotRender(
                f"fabric.mode is lossy, but class {owner.name} is lossless",
                "drop one of the two",
                (owner.at("lossless"), fabric.at("mode")),
            )


def _check_queues(
    owners: dict[int, TrafficClass], lossless: tuple[int, ...], queues: tuple[tuple[int, int], ...]
) -> None:
    """A TC is in the lossless or in a lossy egress pool, so lossless and lossy priorities must not meet in one."""
    holders = {queue: sp for sp, queue in queues if sp in lossless}
    for sp, queue in sorted(queues, key=lambda q: q[0] not in owners):  # classes first: the message names one
        holder = holders.get(queue)
        if holder is not None and sp not in lossless:
            lossless_class = owners[holder]
            other = owners.get(sp)
            who = f"class {other.name}" if other is not None else f"unused priority {sp}"
            raise CannotRender(
                f"lossless class {lossless_class.name} and {who} share queue {queue}: "
                "NVUE keeps a traffic class in the lossless pool or in a lossy one",
                "give the lossless class a queue of its own",
                (lossless_class.at("queue", "priority"),),
            )


def _map_dscps(fabric: Fabric, device: Device) -> Table[int]:
    """DSCP to SP. All 64, or with `classification: vendor` those that classes claim by number."""
    keep = fabric.classification == "vendor"
    owner: dict[int, TrafficClass] = {}
    for c in device.classes:
        if c.rest and keep:
            continue
        for dscp in c.dscps:
            other = owner.setdefault(dscp, c)
            if other is not c:
                raise CannotRender(
                    f"DSCP {dscp} is in classes {other.name} and {c.name}",
                    "leave it in one of them",
                    (c.at("dscps", "dscp"), other.at("dscps", "dscp")),
                )
    if len(owner) < 64 and not keep:
        free = fold_numbers(d for d in range(64) if d not in owner)
        raise CannotRender(
            f"DSCP {free} is in no class: `qos roce` would keep its own map for it, with 24-31 in priority 3",
            "give one lossy class dscp: rest",
            (device.at("classes", ""),),
        )
    return make_table(tuple((dscp, c.priority) for dscp, c in owner.items()))
