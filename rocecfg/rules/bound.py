"""What a switch's own configuration binds to a class on a port: its priority group, its queue, and their pools."""

from __future__ import annotations

from collections import Counter

from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.rules.common import is_management, queue_of

TYPE_CHECKING = False
if TYPE_CHECKING:  # only configurations of switches have them
    from rocecfg.model import RunningGroup, RunningPool, RunningQueue


_SORTING = frozenset(  # kinds of maps that decide where packets go, in the words of SONiC and NVUE
    (
        "dscp_to_tc_map",
        "dot1p_to_tc_map",
        "tc_to_queue_map",
        "tc_to_pg_map",
        "pfc_to_queue_map",
        "pfc_to_pg_map",
        "mapping",
    )
)


def sorted_alike(device: Device) -> tuple[PortGroup, ...]:
    """The ports for which the maps of the device hold: all, but for those that bind others than most lossless ones."""
    if device.running is None:
        return device.ports
    votes: Counter[tuple[tuple[str, str], ...]] = Counter()
    for port in device.ports:
        if port.pfc:
            votes[_maps(port)] += len(port.names) or 1
    if len(votes) < 2:
        return device.ports
    usual = votes.most_common(1)[0][0]
    return tuple(port for port in device.ports if not port.pfc or _maps(port) == usual)


def _maps(port: PortGroup) -> tuple[tuple[str, str], ...]:
    maps = port.running.maps if port.running is not None else None
    return tuple(bound for bound in maps or () if bound[0] in _SORTING)


def is_sorted(device: Device, cls: TrafficClass) -> bool:
    """Whether the maps of the device say where the class goes: not where ports with other maps alone pause it."""
    if device.running is None or not cls.lossless:
        return True
    return any(cls.priority in port.pfc and cls.name in port.classes for port in sorted_alike(device))


def lossless_on(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The classes that are paused on these ports, as a configuration has them; none on a management port."""
    if port.running is None or is_management(port):
        return []
    return [c for c in device.classes_on(port) if c.lossless and c.priority in port.pfc]


def group_of(device: Device, port: PortGroup, cls: TrafficClass) -> RunningGroup | None:
    """The ingress priority group that the class fills on these ports, as the configuration has it."""
    mapped = device.maps.tc_to_pg[cls.tc]
    number = cls.pg if mapped is None else mapped
    groups = port.running.groups if port.running is not None else ()
    return next((group for group in groups if group.number == number), None)


def egress_of(device: Device, port: PortGroup, cls: TrafficClass) -> RunningQueue | None:
    """The queue that the class is sent from on these ports, as the configuration has it."""
    number = queue_of(device, cls)
    queues = port.running.queues if port.running is not None else ()
    return next((queue for queue in queues if queue.number == number), None)


def pool_named(device: Device, name: str | None) -> RunningPool | None:
    """The pool of that name in the configuration."""
    pools = device.running.pools if device.running is not None else ()
    return next((pool for pool in pools if pool.name == name), None)
