"""Devices built by hand for the NVUE writer's tests: a Spectrum-4 leaf, a policy, and what differs from them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rocecfg.model import Buffers, Device, Ecn, Fabric, Headroom, PortGroup, QosMaps, TrafficClass, Watchdog

G = 10**9
CURVE = Ecn(400_000, 1_600_000, 5)
FAST = Ecn(800_000, 3_200_000, 5)
WATCHDOG = Watchdog(200, 400, 100, "drop")


def a_class(name: str, priority: int, dscps: tuple[int, ...] = (), **changes: Any) -> TrafficClass:
    """A lossy class of that priority, its queue the same."""
    values: dict[str, Any] = {
        "name": name,
        "carries": (name,),
        "dscps": dscps,
        "rest": False,
        "priority": priority,
        "tc": priority,
        "queue": priority,
        "pg": 0,
        "lossless": False,
        "strict": False,
        "bandwidth": None,
        "ecn": None,
    } | changes
    return TrafficClass(**values)


def with_rest(*classes: TrafficClass) -> tuple[TrafficClass, ...]:
    """The classes, the one that takes `rest` given all code points that no other claims."""
    claimed = {d for c in classes if not c.rest for d in c.dscps}
    free = tuple(d for d in range(64) if d not in claimed)
    return tuple(replace(c, dscps=free) if c.rest else c for c in classes)


RDMA = a_class("rdma", 3, (26,), pg=3, lossless=True, bandwidth=60, ecn=CURVE)
CNP = a_class("cnp", 6, (48,), strict=True)
CONTROL = a_class("control", 7, (56,), pg=7, strict=True)
STORAGE = a_class("storage", 2, (18, 20), bandwidth=20)
DEFAULT = a_class("default", 0, rest=True, bandwidth=20)
CLASSES = with_rest(RDMA, CNP, CONTROL, STORAGE, DEFAULT)


def maps(classes: tuple[TrafficClass, ...]) -> QosMaps:
    """The chain of maps that the classes amount to."""
    tc_of = {d: c.tc for c in classes for d in c.dscps}
    queues = {c.tc: c.queue for c in classes}
    pgs = {c.tc: c.pg for c in classes}
    return QosMaps(
        tuple(tc_of.get(d) for d in range(64)),
        tuple(queues.get(tc, tc) for tc in range(8)),
        tuple(pgs.get(tc, 0) for tc in range(8)),
        tuple(range(8)),
        tuple(range(8)),
    )


def ports(key: str, names: list[str], classes: tuple[TrafficClass, ...] = CLASSES, **changes: Any) -> PortGroup:
    """Ports that the classes cross, PFC on the lossless ones."""
    values: dict[str, Any] = {
        "names": tuple(names),
        "key": key,
        "classes": tuple(c.name for c in classes),
        "pfc": tuple(sorted({c.priority for c in classes if c.lossless})),
        "speed": 400 * G,
        "faces": "host",
        "cable": 3.0,
        "watchdog": WATCHDOG,
        "headroom": "auto",
    } | changes
    return PortGroup(**values)


def policy(classes: tuple[TrafficClass, ...] = CLASSES, **changes: Any) -> Device:
    """A policy: no names, one group of ports that stands for all."""
    everywhere = ports("", [], classes, speed=None, cable=None, faces=None, headroom=None, implied=True)
    return device(classes, (everywhere,), **({"names": (), "key": ""} | changes))


def device(classes: tuple[TrafficClass, ...] = CLASSES, groups: tuple[PortGroup, ...] = (), **changes: Any) -> Device:
    """A switch with those classes and ports."""
    values: dict[str, Any] = {
        "names": ("leaf01",),
        "key": "leaf01",
        "vendor": "spectrum",
        "role": "leaf",
        "classes": classes,
        "maps": maps(classes),
        "ports": groups,
        "version": "5.14",
    } | changes
    return Device(**values)


def fabric(*devices: Device, **changes: Any) -> Fabric:
    """A fabric of those devices."""
    values: dict[str, Any] = {
        "name": "lab",
        "kind": "backend",
        "mode": "lossless",
        "congestion_control": "dcqcn",
        "cc_reason": None,
        "workload": None,
        "topology": "clos",
        "classification": "explicit",
        "dual_tor": False,
        "devices": devices,
        "links": (),
        "sections": frozenset({"classes"}),
    } | changes
    return Fabric(**values)


HOSTS = ports("swp[1-32]s[0-1]", [f"swp{n}s{lane}" for n in range(1, 33) for lane in (0, 1)])
UPLINKS = ports("swp[33-48]", [f"swp{n}" for n in range(33, 49)], speed=800 * G, faces="switch", cable=29.2)
STORAGE_PORTS = ports(
    "swp[49-52]", [f"swp{n}" for n in range(49, 53)], (STORAGE, CONTROL, DEFAULT), speed=100 * G, faces="storage"
)


def leaf(**changes: Any) -> Device:
    """A leaf with all that differs by port: cable, ECN by speed, ports without a lossless class."""
    fast = replace(RDMA, ecn_by_speed=((800 * G, FAST),))
    return device(with_rest(fast, *CLASSES[1:]), (HOSTS, UPLINKS, STORAGE_PORTS), **changes)


def plain_leaf(count: int = 64, **changes: Any) -> Device:
    """A leaf whose ports are all alike."""
    return device(CLASSES, (ports(f"swp[1-{count}]", [f"swp{n}" for n in range(1, count + 1)]),), **changes)


def moved(**changes: Any) -> Device:
    """The lossless priority is 5, and TC 3 idle."""
    rdma = replace(RDMA, priority=5, tc=5, queue=5, pg=5, dscps=(40,))
    classes = with_rest(rdma, *CLASSES[1:])
    return device(classes, (ports("swp[1-8]", [f"swp{n}" for n in range(1, 9)], classes),), **changes)


def every_kind() -> dict[str, tuple[Fabric, Device]]:
    """One device a feature, by name, each with its fabric."""
    shaped = with_rest(
        replace(RDMA, max_percent=90), replace(CNP, guaranteed_rate=2 * G, max_rate=10 * G), *CLASSES[2:]
    )
    two = a_class("rdma2", 4, (34,), pg=4, lossless=True, bandwidth=10, ecn=FAST)
    both = with_rest(RDMA, two, CNP, CONTROL, replace(DEFAULT, bandwidth=30))
    lossy = tuple(replace(c, lossless=False) for c in CLASSES)
    odd = replace(HOSTS, headroom=Headroom(300_000, 20_000, 250_000), trust="pcp")
    bonded = tuple(replace(g, lag="bond1") if g is STORAGE_PORTS else g for g in leaf().ports)
    devices: dict[str, Device] = {
        "policy": policy(),
        "plain leaf": plain_leaf(),
        "leaf": leaf(),
        "moved to priority 5": moved(),
        "two lossless priorities": device(both, (ports("swp1", ["swp1"], both),)),
        "shaped": device(shaped, (ports("swp[1-2]", ["swp1", "swp2"], shaped),)),
        "headroom, pools, alpha, trust": device(
            CLASSES, (odd, UPLINKS, replace(STORAGE_PORTS, trust="none")),
            buffers=Buffers(alpha=0.5, lossless_pool=70, lossy_pool=25),
        ),
        "small packets": leaf(buffers=Buffers(small_packets=20)),
        "no watchdog": device(CLASSES, (replace(HOSTS, watchdog=None),)),
        "watchdog left to Cumulus": device(
            CLASSES, (replace(HOSTS, watchdog=Watchdog(None, None, None, None, vendor_default=True)),)
        ),
        "nothing lossless": device(lossy, (ports("swp1", ["swp1"], lossy),)),
        "bond": leaf(ports=bonded),
        "no shares": device(
            tuple(replace(c, bandwidth=None) for c in CLASSES), (ports("swp[1-3]", ["swp1", "swp2", "swp3"]),)
        ),
    }  # fmt: skip
    found = {name: (fabric(d), d) for name, d in devices.items()}
    found["semi-lossless"] = (fabric(plain_leaf(), mode="semi-lossless"), plain_leaf())
    claimed = tuple(c for c in CLASSES if not c.rest)
    vendor = device((*claimed, DEFAULT), (HOSTS,))
    found["vendor's map"] = (fabric(vendor, classification="vendor"), vendor)
    return found
