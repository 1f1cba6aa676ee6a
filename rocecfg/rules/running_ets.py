"""Scheduling on a switch as it runs, port against port: rule ETS530."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_number
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.rules.base import RUNNING, WARNING, Hit, Rule, rule
from rocecfg.rules.bound import lossless_on
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
    for cls in lossless_on(device, port):
        if cls.strict or not cls.bandwidth:
            continue
        shares = _shares(device, cls.name)
        usual, most = max(shares.items(), key=lambda each: each[1][0])
        if cls.bandwidth * _FACTOR >= usual or shares[cls.bandwidth][0] >= most[0]:
            continue
        yield Hit(
            f"lossless queue {queue_of(device, cls)} has {show_number(round(cls.bandwidth, 1))}% of the bandwidth here "
            f"and {show_number(round(usual, 1))}% on {most[0]} other ports: here it drains slowest under load, and "
            "pauses its senders",
            (cls.at("bandwidth"), port.at()),
            "give it the share that it has on the other ports",
            ((most[1].at("bandwidth"), "its share on most ports"),),
            cls=cls.name,
        )


def _shares(device: Device, name: str) -> dict[float, tuple[int, TrafficClass]]:
    """The shares that a lossless class has: on how many ports each, and the class on the first of them."""
    out: dict[float, tuple[int, TrafficClass]] = {}
    for port in device.ports:
        for cls in lossless_on(device, port):
            if cls.name == name and not cls.strict and cls.bandwidth:
                count, first = out.get(cls.bandwidth, (0, cls))
                out[cls.bandwidth] = count + len(port.names), first
    return out


RULES: tuple[Rule, ...] = (ets_port_share,)
