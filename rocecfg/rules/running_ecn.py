"""Marking against what a switch's configuration has beside it: rules ECN319 and ECN320."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_size
from rocecfg.model import Device, Ecn, Fabric, PortGroup
from rocecfg.rules.base import ERROR, OFF, RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.bound import find_egress_queue, find_priority_group, running_lossless_classes
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF
from rocecfg.rules.common import queue_of


@rule(
    "ECN319",
    "ecn-static-xoff",
    ERROR,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 4: what can wait before the pause bounds the thresholds",
    by_kind={**UNPAUSED_OFF, "no-cc": OFF},
    on=RUNNING,
)
def ecn_static_xoff(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The priority group pauses at a fixed size that is not above kmax, so PFC pauses before ECN marks every packet."""
    for cls in running_lossless_classes(device, port):
        group, curve = find_priority_group(device, port, cls), cls.ecn_at(port.speed)
        limit = group.pauses_at if group is not None else None
        if group is None or limit is None or not isinstance(curve, Ecn) or curve.kmax < limit:
            continue
        yield Hit(
            f"priority group {group.number} pauses at a fixed {show_size(limit)}"
            + (f" (profile {group.profile})" if group.profile else "")
            + f", not above kmax {show_size(curve.kmax)} (kmin {show_size(curve.kmin)}): PFC pauses before ECN marks "
            + ("any packet" if curve.kmin >= limit else "every packet"),
            (group.at("static", "profile"), curve.at("kmax")),
            related=((curve.at("kmax"), "kmax is set here"),),
            cls=cls.name,
        )


@rule(
    "ECN320",
    "ecn-red-drop",
    ERROR,
    source="Juniper, CoS on QFX: no drop profile on lossless queues; NVUE has red off where ecn is on",
    by_kind=UNPAUSED_OFF,
    on=RUNNING,
)
def ecn_red_drop(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """WRED or RED drops packets of a lossless queue."""
    for cls in running_lossless_classes(device, port):
        queue = find_egress_queue(device, port, cls)
        if queue is None or not queue.discards:
            continue
        marked = cls.ecn_at(port.speed) is not None
        yield Hit(
            f"WRED drops packets on queue {queue_of(device, cls)}, which is lossless: "
            + (
                "packets without ECT are dropped before the queue is full"
                if marked
                else "they are dropped before the queue is full, and none is marked"
            ),
            (queue.at("discards"), cls.at("ecn"), port.at()),
            severity=WARNING if marked else ERROR,
            cls=cls.name,
        )


RULES: tuple[Rule, ...] = (ecn_static_xoff, ecn_red_drop)
