"""Two tests for a traffic generator, incast and pause storm, as configurations of the Open Traffic Generator API.

The generator's ports take the place of hosts at the ports of one switch, and are named after them. Frames have the code
point of the class of RDMA and UDP port 4791, which is what switches sort by; what is in them is not RoCE. Locations of
the generator's ports, and MAC addresses, are its user's to fill in.

Source: Open Traffic Generator models 1.x; RFC 2544 for the addresses.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate, show_time
from rocecfg.model import Device, Fabric, PortGroup, TrafficClass
from rocecfg.physics.pause import full_pause_rate
from rocecfg.rollout.types import Campaign

_ROCE = 4791  # UDP port
_ECT0 = 2
_HEADERS = 14 + 20 + 8 + 12 + 4 + 4  # bytes of a frame beside its data: Ethernet, IPv4, UDP, BTH, ICRC, FCS
_PATH_MTU = 4096
_SECONDS = 10
_USUAL_SENDERS, _MOST_SENDERS = 4, 16
_QUANTA = 65535
_PFC_FRAME = 64  # bytes
_FACTOR = 1.1  # more PFC frames than it takes: a late one would end the pause
_STORMS = 3  # the storm lasts as many times as long as it takes to be detected
_SPEEDS = {n * 10**9: f"speed_{n}_gbps" for n in (10, 25, 40, 50, 100, 200, 400, 800)}


class _Site(NamedTuple):
    """Ports of one switch to hosts, of one speed, and the class of RDMA that crosses them."""

    name: str  # of the switch
    group: PortGroup
    cls: TrafficClass
    ports: tuple[str, ...]
    dscp: int
    speed: int


def make_campaigns(fabric: Fabric, changed: Container[str]) -> tuple[Campaign, ...]:
    """The tests, at the first switch that changes and has two equal ports to hosts which a class of RDMA crosses."""
    site = next((site for site in _find_sites(fabric) if site.name in changed), None)
    if site is None:
        return ()
    wanted = fabric.incast or _USUAL_SENDERS
    senders = site.ports[: min(wanted, _MOST_SENDERS, len(site.ports) - 1)]
    receiver = site.ports[len(senders)]
    found = [_make_incast(fabric, site, senders, receiver, wanted)]
    if site.cls.priority in site.group.pfc:
        found.append(_make_storm(fabric, site, senders[0], receiver))
    return tuple(found)


def _find_sites(fabric: Fabric) -> Iterator[_Site]:
    for device in fabric.devices:
        groups = [g for g in device.ports if len(g.names) > 1 and g.speed in _SPEEDS and g.faces in (None, "host")]
        for name in device.names:
            for group in groups:
                yield from _find_sites_at(name, device, group)


def _find_sites_at(name: str, device: Device, group: PortGroup) -> Iterator[_Site]:
    for cls in device.classes_on(group):
        codes = cls.marks or cls.dscps
        if "rdma" in cls.carries and codes and group.speed is not None:
            yield _Site(name, group, cls, tuple(f"{name}:{port}" for port in group.names), codes[0], group.speed)


def _make_incast(fabric: Fabric, site: _Site, senders: tuple[str, ...], receiver: str, wanted: int) -> Campaign:
    cls = site.cls
    lossless = cls.priority in site.group.pfc
    config = _make_config(site, (*senders, receiver))
    config["flows"] = [_make_rdma_flow(fabric, site, n, sender, receiver) for n, sender in enumerate(senders)]
    fewer = f" (of {wanted} in the intent: there are no more ports)" if len(senders) < wanted else ""
    return Campaign(
        site.name,
        "traffic/otg-incast.json",
        f"{len(senders)} senders at {show_rate(site.speed)} each{fewer} to {receiver}, class {cls.name}, DSCP "
        f"{site.dscp}, for {_SECONDS} s; the generator obeys PFC",
        (
            f"no drop in class {cls.name}; packets marked CE; PFC of priority {cls.priority} sent to the senders"
            if lossless
            else f"drops or trimmed packets in class {cls.name} and packets marked CE; no PFC"
        ),
        config,
    )


def _make_storm(fabric: Fabric, site: _Site, sender: str, receiver: str) -> Campaign:
    priority, dog = site.cls.priority, site.group.watchdog
    detection = dog.detection if dog is not None else None
    seconds = max(1, math.ceil(_STORMS * detection / 1000)) if detection is not None else _SECONDS
    rate = math.ceil(_FACTOR * full_pause_rate(site.speed))
    config = _make_config(site, (sender, receiver))
    pause = {
        "name": "pause storm",
        "tx_rx": {"choice": "port", "port": {"tx_name": receiver, "rx_names": [sender]}},
        "packet": [
            {
                "choice": "pfcpause",
                "pfcpause": {
                    "dst": _make_value("01:80:c2:00:00:01"),
                    "class_enable_vector": _make_value(1 << priority),
                    f"pause_class_{priority}": _make_value(_QUANTA),
                },
            }
        ],
        "size": {"choice": "fixed", "fixed": _PFC_FRAME},
        "rate": {"choice": "pps", "pps": str(rate)},
        "duration": _make_duration(seconds),
        "metrics": {"enable": True},
    }
    config["flows"] = [_make_rdma_flow(fabric, site, 0, sender, receiver), pause]
    if dog is None or dog.vendor_default or detection is None:
        expects = "the switch's own behaviour: the intent states no watchdog timers here"
    else:
        expects = (
            f"the watchdog reports a storm on {receiver}, queue {site.cls.queue}, after {show_time(detection)} and "
            f"acts ({dog.action or 'drop'}); ports of other hosts are not paused for longer than that"
        )
    return Campaign(
        site.name,
        "traffic/otg-pause-storm.json",
        f"{receiver} sends PFC of priority {priority} without a break for {seconds} s: {rate} frames/s, "
        f"{_FACTOR} x speed / ({_QUANTA} x 512 bit), while {sender} sends to it",
        expects,
        config,
    )


def _make_config(site: _Site, ports: tuple[str, ...]) -> dict[str, Any]:
    return {
        "ports": [{"name": name} for name in ports],
        "layer1": [
            {
                "name": show_rate(site.speed),
                "port_names": list(ports),
                "speed": _SPEEDS[site.speed],
                "mtu": site.group.mtu or 9000,
                "flow_control": {
                    "choice": "ieee_802_1qbb",
                    "ieee_802_1qbb": {f"pfc_class_{n}": n for n in range(8)},
                },
            }
        ],
    }


def _make_rdma_flow(fabric: Fabric, site: _Site, number: int, sender: str, receiver: str) -> dict[str, Any]:
    """Frames as large as those of RDMA, at line rate."""
    source, sink = f"198.18.{number + 1}.1", "198.18.0.1"
    return {
        "name": f"RDMA from {sender}",
        "tx_rx": {"choice": "port", "port": {"tx_name": sender, "rx_names": [receiver]}},
        "packet": [
            {"choice": "ethernet", "ethernet": {}},
            {
                "choice": "ipv4",
                "ipv4": {
                    "priority": {"choice": "dscp", "dscp": {"phb": _make_value(site.dscp), "ecn": _make_value(_ECT0)}},
                    "src": _make_value(source),
                    "dst": _make_value(sink),
                },
            },
            {"choice": "udp", "udp": {"src_port": _make_value(49152 + number), "dst_port": _make_value(_ROCE)}},
        ],
        "size": {"choice": "fixed", "fixed": (fabric.path_mtu or _PATH_MTU) + _HEADERS},
        "rate": {"choice": "percentage", "percentage": 100},
        "duration": _make_duration(_SECONDS),
        "metrics": {"enable": True, "loss": True},
    }


def _make_value(value: object) -> dict[str, object]:
    return {"choice": "value", "value": value}


def _make_duration(seconds: int) -> dict[str, Any]:
    return {"choice": "fixed_seconds", "fixed_seconds": {"seconds": seconds}}
