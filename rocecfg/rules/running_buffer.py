"""Pools, profiles and groups as a switch's configuration has them: rules BUF604, BUF615 to BUF618, and BUF630."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import ERROR, INFO, RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.bound import find_egress_queue, find_pool, find_priority_group, running_lossless_classes
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF, is_lossless_port
from rocecfg.rules.common import queue_of

if TYPE_CHECKING:  # only configurations of switches have them
    from rocecfg.model import RunningPool, RunningQueue

_GENERATED = re.compile(r"pg_lossless_(\d+)_(\d+)m_profile")  # SONiC: speed in Mbit/s, cable in m
_MBIT = 10**6
_NO_LIMIT = 128  # alpha, 2^7: what SONiC's templates have on lossless queues
_HALF = 0.5  # of the pool: what one queue can have at most where a chip's memory is in two parts
_NEARLY_HALF = 0.45  # half of a memory that is a little smaller than the pool: 49.8 % on a Tomahawk 5
_LOSSY = "lossy"  # in the names of SONiC's profiles for such traffic
_CALCULATED = "NULL"  # SONiC: the profile that is to be worked out


# -- ingress -----------------------------------------------------------------------------------------------------------


@rule(
    "BUF604",
    "buffer-cable-bucket",
    ERROR,
    source="sonic-swss, cfgmgr/buffermgr.cpp: pg_profile_lookup.ini is searched for speed and cable length as written",
    by_kind=UNPAUSED_OFF,
    on=RUNNING,
)
def buffer_cable_bucket(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The switch creates no headroom for a lossless port, or sizes it for a shorter cable or a lower speed."""
    running = port.running
    if running is None or not is_lossless_port(port):
        return
    priorities = ", ".join(map(str, port.pfc))
    if running.no_headroom is not None:
        yield Hit(
            f"PFC is on for priority {priorities}, but the port gets no headroom: {running.no_headroom}. Packets "
            "that arrive after a pause are dropped",
            (running.at("no_headroom"), port.at("cable"), port.at("classes"), port.at()),
        )
        return
    for cls in running_lossless_classes(device, port):
        group = find_priority_group(device, port, cls)
        named = _GENERATED.fullmatch(group.profile or "") if group is not None else None
        if group is None or named is None:
            continue
        speed, metres = int(named[1]) * _MBIT, int(named[2])
        short = port.cable is not None and metres < port.cable
        if short or (port.fastest is not None and speed < port.fastest):
            yield Hit(
                f"priority group {group.number} has the headroom for {show_rate(speed)} over {metres} m "
                f"({group.profile}), but the link has {_describe_link(port)}: packets are lost after a pause",
                (group.at("profile"), port.at("cable"), port.at()),
                related=((port.at("cable"), "the cable length"),) if short else (),
                cls=cls.name,
            )


def _describe_link(port: PortGroup) -> str:
    """`400G over 40 m`, as far as known."""
    negotiated = " by autonegotiation" if port.fastest != port.speed else ""
    reported = [show_rate(port.fastest) + negotiated] if port.fastest is not None else []
    return " over ".join(reported if port.cable is None else [*reported, f"{show_number(port.cable)} m"])


@rule(
    "BUF617",
    "buffer-model-mix",
    ERROR,
    source="sonic-swss, cfgmgr/buffermgr.cpp hands profile NULL on as a name; only buffermgrdyn.cpp calculates it",
    by_kind=UNPAUSED_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def buffer_model_mix(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """SONiC: a priority group asks for calculated headroom, but the buffer model only looks it up."""
    if device.buffers.model != "traditional" or port.running is None:
        return
    for group in port.running.groups:
        if group.profile == _CALCULATED:
            yield Hit(
                f"priority group {group.number} has profile NULL, which asks the dynamic buffer model to calculate "
                "headroom, but the model is traditional: there is no such profile, and the group gets no headroom",
                (group.at("profile"), group.at(), port.at()),
                related=((device.buffers.at("model"), "the buffer model"),),
            )


@rule(
    "BUF618",
    "buffer-lossy-group",
    ERROR,
    source="sonic-swss, orchagent/bufferorch.cpp: a profile with xoff is lossless, any other drops when it is full",
    by_kind=UNPAUSED_OFF,
    on=RUNNING,
)
def buffer_lossy_group(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC is on, but its priority group has a lossy profile or an empty pool: it drops instead of pausing."""
    for cls in running_lossless_classes(device, port):
        group = find_priority_group(device, port, cls)
        pool = find_pool(device, group.pool) if group is not None else _find_empty_pool(device)
        if pool is not None and pool.size == 0:
            number = group.number if group is not None else cls.pg
            yield Hit(
                f"priority group {number} of lossless priority {cls.priority} uses pool {pool.name}, whose size is "
                "0: beyond its own guarantee it holds nothing and drops packets",
                (pool.at("size"), pool.at()),
                severity=WARNING,
                cls=cls.name,
            )
        if group is None or group.lossless is not False:
            continue
        profile = f" ({group.profile})" if group.profile else ""
        yield Hit(
            f"PFC is on for priority {cls.priority}, but its packets fill priority group {group.number}, whose "
            f"buffer profile{profile} is lossy: it reserves no headroom, and packets that arrive after a pause are "
            "dropped",
            (group.at("lossless", "profile"), group.at(), port.at("classes"), port.at()),
            related=((cls.at("lossless"), f"priority {cls.priority} is lossless"),),
            cls=cls.name,
        )


def _find_empty_pool(device: Device) -> RunningPool | None:
    """The pool of lossless groups that the switch makes by itself, where it is the only one and has no bytes."""
    pools = device.running.pools if device.running is not None else ()
    found = [pool for pool in pools if pool.lossless and pool.direction != "egress"]
    return found[0] if len(found) == 1 and found[0].size == 0 else None


# -- egress ------------------------------------------------------------------------------------------------------------


@rule(
    "BUF615",
    "buffer-egress-drop",
    ERROR,
    source="Bai et al., NSDI'23, section 6.2 and appendix A; sonic-buildimage change 21320 on the sizes of the pools",
    by_kind=UNPAUSED_OFF,
    on=RUNNING,
)
def buffer_egress_drop(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A lossless queue may hold less than ingress admits: the switch drops at egress, where PFC does not help."""
    for cls in running_lossless_classes(device, port):
        queue = find_egress_queue(device, port, cls)
        pool = find_pool(device, queue.pool) if queue is not None else None
        if queue is not None and queue.pool is None and queue.alpha is not None:
            yield from _judge_egress_alpha(device, port, cls, queue)
        if queue is None or pool is None or pool.direction != "egress" or _has_lossy_profile(queue, pool):
            continue  # one pool for both directions, as on chips with virtual output queues; or buffer-lossy-queue
        number = queue_of(device, cls)
        here = (queue.at("static", "alpha", "profile"), queue.at(), pool.at("size"), pool.at())
        reserved, limit = queue.size or 0, queue.limit
        if limit is not None and pool.size is not None and limit < pool.size:
            own = f" ({show_size(reserved)} of its own and {show_size(queue.static or 0)} shared)" if reserved else ""
            yield Hit(
                f"lossless queue {number} may hold {show_size(limit)}{own} of the {show_size(pool.size)} in "
                f"{pool.name}: packets that ingress admits beyond that are dropped, despite PFC",
                here,
                related=((pool.at("size"), f"the size of {pool.name}"),),
                severity=_rate_part(limit / pool.size),
                cls=cls.name,
            )
        elif (
            queue.alpha is not None
            and queue.alpha < _NO_LIMIT
            and queue.static is None
            and (part := _find_part(queue.alpha, reserved, pool.size)) < 1
        ):
            yield Hit(
                f"lossless queue {number} has alpha {show_number(queue.alpha)} in {pool.name}, so it alone may hold "
                f"{part:.0%} of it: packets that ingress admits beyond that are dropped, despite PFC",
                here,
                severity=_rate_part(part),
                cls=cls.name,
            )
        else:
            yield from _compare_with_ingress(device, port, pool)


def _judge_egress_alpha(device: Device, port: PortGroup, cls: TrafficClass, queue: RunningQueue) -> Iterator[Hit]:
    """A threshold of a lossless queue where the system names no pool, as EOS's MMU profiles do not."""
    assert queue.alpha is not None
    part = queue.alpha / (1 + queue.alpha)
    if part < _HALF:
        yield Hit(
            f"lossless queue {queue_of(device, cls)} has egress threshold {show_number(queue.alpha)}"
            + (f" (profile {queue.profile})" if queue.profile else "")
            + (
                f", so it alone may hold {part:.0%} of the free memory, alpha/(1 + alpha): packets that ingress "
                "admits beyond that are dropped, despite PFC"
            ),
            (queue.at("alpha"), queue.at(), port.at()),
            severity=WARNING,
            cls=cls.name,
        )


def _find_part(alpha: float, reserved: int, size: int | None) -> float:
    """What part of a pool one queue alone may hold: what it has reserved, and its share of the rest."""
    own = min(1.0, reserved / size) if size else 0.0
    return own + (1 - own) * alpha / (1 + alpha)


def _rate_part(part: float) -> str:
    """Stock configurations have 50 to 90 %, since a queue can use one half of a divided memory: that is only told."""
    return ERROR if part < _NEARLY_HALF else INFO


def _compare_with_ingress(device: Device, port: PortGroup, pool: RunningPool) -> Iterator[Hit]:
    """An egress pool that is smaller than the ingress pool of the same packets."""
    for cls in running_lossless_classes(device, port):
        group = find_priority_group(device, port, cls)
        ingress = (find_pool(device, group.pool) if group is not None else None) or _find_ingress_pool(device)
        if ingress is None or pool.size is None:
            continue
        admitted, how = ingress.size, ""
        if admitted is None and device.buffers.model == "dynamic":  # what the switch works out for the pool
            admitted, how = device.pools.lossless, " (computed by the switch)"
        if admitted is None or pool.size >= admitted:
            continue
        yield Hit(
            f"{pool.name} has {show_size(pool.size)}, less than the {show_size(admitted)}{how} that {ingress.name} "
            "admits: the switch drops lossless packets at egress before their headroom is used",
            (pool.at("size"), pool.at()),
            related=((ingress.at("size"), f"the size of {ingress.name}"),),
            severity=ERROR if pool.size < admitted * _HALF else WARNING,
        )
        return


def _find_ingress_pool(device: Device) -> RunningPool | None:
    """The lossless ingress pool, if there is one."""
    pools = device.running.pools if device.running is not None else ()
    found = [pool for pool in pools if pool.direction == "ingress" and pool.lossless]
    return found[0] if len(found) == 1 else None


@rule(
    "BUF616",
    "buffer-lossy-pool",
    WARNING,
    source="Bai et al., NSDI'23, appendix A: the egress lossy pool of 14 MB stays below the ingress pool of 18 MB",
    by_kind=UNPAUSED_OFF,
    on=RUNNING,
)
def buffer_lossy_pool(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The egress pool of lossy traffic is larger than ingress admits: lossy traffic may take all of the buffer."""
    if device.running is None or not any(is_lossless_port(port) for port in device.ports):
        return
    ingress = [p for p in device.running.pools if p.direction == "ingress"]
    if not ingress or any(p.size is None for p in ingress):
        return
    admitted = sum(p.size or 0 for p in ingress)
    for pool in device.running.pools:
        if pool.direction != "egress" or pool.lossless is not False or pool.size is None or pool.size <= admitted:
            continue
        yield Hit(
            f"{pool.name} has {show_size(pool.size)}, more than the {show_size(admitted)} that "
            f"{' and '.join(p.name for p in ingress)} admit{'s' * (len(ingress) == 1)}: lossy traffic may fill the "
            "memory of lossless traffic",
            (pool.at("size"), pool.at(), device.at()),
            related=tuple((p.at("size"), f"the size of {p.name}") for p in ingress),
        )


@rule(
    "BUF630",
    "buffer-lossy-queue",
    ERROR,
    source="sonic-buildimage, buffers_config.j2: lossless queues have egress_lossless_profile, any other the lossy one",
    by_kind=UNPAUSED_OFF,
    vendors=("sonic",),
    on=RUNNING,
)
def buffer_lossy_queue(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """SONiC: PFC is on, but the queue has the egress profile of lossy traffic, or none: it drops packets there."""
    for cls in running_lossless_classes(device, port):
        queue, number = find_egress_queue(device, port, cls), queue_of(device, cls)
        if queue is None:
            continue
        if queue.profile is None:
            if queue.keeps is False and "profile" not in queue.origins and number == cls.priority:  # else mix-tc-chain
                yield Hit(
                    f"no row of BUFFER_QUEUE covers lossless queue {number}, though the switch has a profile for "
                    "such queues: the chip chooses how much it may hold, and the rest is dropped, despite PFC",
                    (queue.at(), port.at()),
                    severity=WARNING,
                    cls=cls.name,
                )
            continue
        if _has_lossy_profile(queue, find_pool(device, queue.pool)):
            yield Hit(
                f"lossless queue {number} has buffer profile {queue.profile}"
                + (f" of {queue.pool}" if queue.pool else "")
                + ", which is for lossy traffic: it drops packets at its limit, despite PFC",
                (queue.at("profile"), queue.at(), port.at()),
                related=((cls.at("lossless"), f"priority {cls.priority} is lossless"),),
                cls=cls.name,
            )


def _has_lossy_profile(queue: RunningQueue, pool: RunningPool | None) -> bool:
    """Whether the profile of a queue is, by its name or its pool's, one for lossy traffic."""
    return queue.keeps is False and (_LOSSY in (queue.profile or "") or (pool is not None and pool.lossless is False))


RULES: tuple[Rule, ...] = (
    buffer_cable_bucket,
    buffer_lossy_queue,
    buffer_egress_drop,
    buffer_lossy_pool,
    buffer_model_mix,
    buffer_lossy_group,
)
