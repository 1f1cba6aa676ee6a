"""Scheduling on a switch as it runs, port against port: rule ETS530."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_number
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass, kept_with_fabric
from rocecfg.rules.base import RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.bound import running_lossless_classes
from rocecfg.rules.common import LOSSY_OFF, queue_of

_FACTOR = 2  # ports to hosts and to switches may differ a little


@rule(
    "ETS530",
    "ets-port-share",
    WARNING,
    source="derived: the port that serves RDMA least is where its queues fill and pauses begin; the factor 2 is this "
    "tool's own",
    by_kind=LOSSY_OFF,
    on=RUNNING,
)
def ets_port_share(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """These ports give a lossless queue less than half of the share that it has on most ports."""
    for cls in running_lossless_classes(device, port):
        shares = _count_shares(fabric).get((id(device), cls.name), {})
        if cls.strict or not cls.bandwidth or cls.bandwidth not in shares:
            continue
        usual, (most, example) = max(shares.items(), key=lambda each: each[1][0])
        if cls.bandwidth * _FACTOR >= usual or shares[cls.bandwidth][0] >= most:
            continue
        yield Hit(
            f"lossless queue {queue_of(device, cls)} has {show_number(round(cls.bandwidth, 1))}% of the bandwidth "
            f"here, but {show_number(round(usual, 1))}% on {most} other ports: under load it drains slower here and "
            "pauses its senders",
            (cls.at("bandwidth"), port.at()),
            "give it the share that it has on the other ports",
            ((example.at("bandwidth"), "its share on most ports"),),
            cls=cls.name,
        )


@kept_with_fabric  # asked for every group of ports
def _count_shares(fabric: Fabric) -> dict[tuple[int, str], dict[float, tuple[int, TrafficClass]]]:
    """By device and class, the shares that a lossless class has: on how many ports, and the class on the first."""
    out: dict[tuple[int, str], dict[float, tuple[int, TrafficClass]]] = {}
    for device in fabric.devices:
        for port in device.ports:
            for cls in running_lossless_classes(device, port):
                if not cls.strict and cls.bandwidth:
                    known = out.setdefault((id(device), cls.name), {})
                    count, first = known.get(cls.bandwidth, (0, cls))
                    known[cls.bandwidth] = count + len(port.names), first
    return out


RULES: tuple[Rule, ...] = (ets_port_share,)
