"""What a switch's own configuration binds to a class on a port: its priority group, its queue, and their pools."""

from __future__ import annotations

from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.rules.common import is_management

TYPE_CHECKING = False
if TYPE_CHECKING:  # only configurations of switches have them
    from rocecfg.model import RunningGroup, RunningPool, RunningQueue


def is_mapped(device: Device, cls: TrafficClass) -> bool:
    """Whether the maps of the device say where the class goes: not of a switch that pauses it on no port that has them.

    `device`: as some of its ports sort.
    """
    if device.running is None or not cls.lossless:
        return True
    return any(cls.priority in port.pfc and cls.name in port.classes for port in device.ports)


def running_lossless_classes(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The classes that are paused on these ports, as a configuration has them; none on a management port."""
    if port.running is None or is_management(port):
        return []
    return [c for c in device.classes_on(port) if c.lossless and c.priority in port.pfc]


def find_priority_group(device: Device, port: PortGroup, cls: TrafficClass) -> RunningGroup | None:
    """The ingress priority group that the class fills on these ports, as the configuration has it."""
    mapped = device.maps_on(port).tc_to_pg[cls.tc]
    number = cls.pg if mapped is None else mapped
    groups = port.running.groups if port.running is not None else ()
    return next((group for group in groups if group.number == number), None)


def find_egress_queue(device: Device, port: PortGroup, cls: TrafficClass) -> RunningQueue | None:
    """The queue that the class is sent from on these ports, as the configuration has it."""
    mapped = device.maps_on(port).tc_to_queue[cls.tc]
    number = cls.queue if mapped is None else mapped
    queues = port.running.queues if port.running is not None else ()
    return next((queue for queue in queues if queue.number == number), None)


def find_pool(device: Device, name: str | None) -> RunningPool | None:
    """The pool of that name in the configuration."""
    pools = device.running.pools if device.running is not None else ()
    return next((pool for pool in pools if pool.name == name), None)
