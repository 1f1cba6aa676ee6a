"""Devices built by hand for the EOS writer's tests: a Tomahawk 5 leaf and a Jericho spine, with room to change them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from rocecfg.model import Asic, Device, Ecn, Fabric, Headroom, PortGroup, QosMaps, TrafficClass, Watchdog

CURVE = Ecn(kmin=800_000, kmax=2_400_000, pmax=5)
WATCHDOG = Watchdog(detection=200, restoration=400, poll=100, action="drop")
GBIT = 10**9


def traffic_class(name: str, dscps: tuple[int, ...], number: int, **changes: Any) -> TrafficClass:
    """A lossy round-robin class whose priority, traffic class and queue are `number`."""
    values: dict[str, Any] = {
        "carries": (name,), "dscps": dscps, "rest": False, "priority": number, "tc": number, "queue": number, "pg": 0,
        "lossless": False, "strict": False, "bandwidth": None, "ecn": None,
    }  # fmt: skip
    return TrafficClass(name=name, **(values | changes))


RDMA = traffic_class("rdma", (26,), 3, lossless=True, pg=3, bandwidth=60, ecn=CURVE)
CNP = traffic_class("cnp", (48,), 6, strict=True)
CONTROL = traffic_class("control", (56,), 7, strict=True, pg=7)
STORAGE = traffic_class("storage", (18, 20), 2, bandwidth=15)
REST = tuple(d for d in range(64) if d not in (18, 20, 26, 48, 56))
DEFAULT = traffic_class("default", REST, 0, rest=True, bandwidth=25)
CLASSES = (RDMA, CNP, CONTROL, STORAGE, DEFAULT)


def maps_of(classes: tuple[TrafficClass, ...]) -> QosMaps:
    """The maps that the classes amount to; traffic classes that none uses go to the queue of their number."""
    tc_of = {dscp: c.tc for c in classes for dscp in c.dscps}
    queue_of = {c.tc: c.queue for c in classes}
    pg_of = {c.tc: c.pg for c in classes}
    return QosMaps(
        dscp_to_tc=tuple(tc_of.get(dscp) for dscp in range(64)),
        tc_to_queue=tuple(queue_of.get(tc, tc) for tc in range(8)),
        tc_to_pg=tuple(pg_of.get(tc, 0) for tc in range(8)),
        pfc_to_queue=tuple(range(8)),
        pfc_to_pg=tuple(range(8)),
    )


def asic(family: str) -> Asic:
    """A chip of a family, with a Tomahawk's buffer cell where it is one."""
    facts: dict[str, Any] = dict.fromkeys((f.name for f in fields(Asic)), None)
    facts |= {
        "name": family, "file": f"asics/{family}", "title": family, "nos": ("arista",), "families": {"arista": family},
        "speeds": (400 * GBIT, 800 * GBIT), "cell": 254 if family == "strata" else None, "shallow": family == "strata",
        "alpha": (), "stock_ecn": (), "sources": {}, "marks": {},
    }  # fmt: skip
    return Asic(**facts)


def ports(key: str, names: tuple[str, ...], **changes: Any) -> PortGroup:
    """Lossless 400G host ports with all classes."""
    values: dict[str, Any] = {
        "classes": tuple(c.name for c in CLASSES), "pfc": (3,), "speed": 400 * GBIT, "faces": "host", "mtu": 9000,
        "watchdog": WATCHDOG, "headroom": "auto",
    }  # fmt: skip
    return PortGroup(names=names, key=key, **(values | changes))


def numbered(first: int, last: int) -> tuple[str, ...]:
    """Ethernet<first>/1 to Ethernet<last>/1."""
    return tuple(f"Ethernet{n}/1" for n in range(first, last + 1))


HOSTS = ports("Ethernet[1-48]/1", numbered(1, 48))
SMALL_HEADROOM = ports("Ethernet49/1", ("Ethernet49/1",), headroom=Headroom(32_000))
UPLINKS = ports("Ethernet[49-63]/1", numbered(49, 63), speed=800 * GBIT, faces="switch")
STORAGE_PORT = ports(
    "Ethernet64/1", ("Ethernet64/1",), speed=100 * GBIT, faces="storage", pfc=(), watchdog=None, headroom=None,
    classes=("storage", "control", "default"),
)  # fmt: skip


def device(**changes: Any) -> Device:
    """A 64-port Tomahawk 5 leaf with hosts, uplinks and one storage port; maps follow the classes."""
    classes = changes.get("classes", CLASSES)
    values: dict[str, Any] = {
        "names": ("leaf01",), "key": "leaf01", "vendor": "arista", "role": "leaf", "classes": classes,
        "maps": maps_of(classes), "ports": (HOSTS, UPLINKS, STORAGE_PORT), "version": "4.33.2F",
        "asic": asic("strata"),
    }  # fmt: skip
    return Device(**(values | changes))


def spine(**changes: Any) -> Device:
    """A Jericho spine: 16 ports of 800G, all to switches."""
    all_ports = ports("Ethernet[1-16]/1", numbered(1, 16), speed=800 * GBIT, faces="switch", watchdog=SLOW_WATCHDOG)
    return device(**({"names": ("spine01",), "role": "spine", "ports": (all_ports,), "asic": asic("sand")} | changes))


SLOW_WATCHDOG = Watchdog(detection=400, restoration=800, poll=100, action="drop")


def one_port(**changes: Any) -> Device:
    """A leaf with one lossless host port; `changes` are the port's."""
    return device(ports=(ports("Ethernet1/1", ("Ethernet1/1",), **changes),))


def with_class(**changes: Any) -> Device:
    """A leaf with one lossless host port whose RDMA class is changed."""
    return device(classes=(replace(RDMA, **changes), *CLASSES[1:]), ports=(ports("Ethernet1/1", ("Ethernet1/1",)),))


def fabric(*devices: Device, **changes: Any) -> Fabric:
    """A fabric around devices."""
    values: dict[str, Any] = {
        "name": "lab", "kind": "backend", "mode": "lossless", "congestion_control": "dcqcn", "cc_reason": None,
        "workload": None, "topology": "clos", "classification": "explicit", "dual_tor": False, "devices": devices,
        "links": (), "sections": frozenset(),
    }  # fmt: skip
    return Fabric(**(values | changes))
