"""Classes, switches and fabrics built by hand, and what rules find on them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rocecfg.model import Device, Ecn, Fabric, PortGroup, QosMaps, TrafficClass
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ALL, Hit, Rule

IDENTITY = tuple(range(8))
CURVE = Ecn(400_000, 1_600_000, 5)


def traffic(name: str, dscps: tuple[int, ...], number: int, share: float | str | None, **more: Any) -> TrafficClass:
    """A class that carries what its name says, with one number for priority, traffic class and queue."""
    known: dict[str, Any] = {
        "name": name, "carries": (name,), "dscps": dscps, "rest": name == "default", "priority": number, "tc": number,
        "queue": number, "pg": 0, "lossless": False, "strict": share == "strict",
        "bandwidth": share if share != "strict" else None, "ecn": None,
    }  # fmt: skip
    return TrafficClass(**{**known, **more})


RDMA = traffic("rdma", (26,), 3, 60, ecn=CURVE, pg=3, lossless=True)
CNP = traffic("cnp", (48,), 6, "strict")
CONTROL = traffic("control", (56,), 7, "strict", pg=7)
DEFAULT = traffic("default", (0,), 0, 40)
STORAGE = traffic("storage", (18, 20), 2, 20)
POLICY = (RDMA, CNP, CONTROL, DEFAULT)


def chain(*classes: TrafficClass) -> dict[str, list[int | None]]:
    """The maps that classes amount to: what they leave out maps to itself, and lossy traffic to group 0."""
    out: dict[str, list[int | None]] = {
        "dscp_to_tc": [None] * 64, "tc_to_queue": [*range(8)], "tc_to_pg": [0] * 8,
        "pfc_to_queue": [*range(8)], "pfc_to_pg": [*range(8)],
    }  # fmt: skip
    for c in classes:
        for dscp in c.dscps:
            out["dscp_to_tc"][dscp] = c.tc
        out["tc_to_queue"][c.tc], out["tc_to_pg"][c.tc] = c.queue, c.pg
    for c in classes:
        if c.lossless:
            out["pfc_to_queue"][c.priority], out["pfc_to_pg"][c.priority] = c.queue, c.pg
    return out


def device(
    *classes: TrafficClass, vendor: str | None = None, ports: tuple[PortGroup, ...] = (), box: Any = None, **maps: Any
) -> Device:
    """A switch with these classes: `rest` and the maps are worked out unless given, and all classes cross its port."""
    claimed = {d for c in classes if not c.rest for d in c.dscps}
    rest = tuple(d for d in range(64) if d not in claimed)
    classes = tuple(replace(c, dscps=rest) if c.rest else c for c in classes)
    tables: dict[str, Any] = {name: tuple(table) for name, table in {**chain(*classes), **maps}.items()}
    pfc = tuple(sorted({c.priority for c in classes if c.lossless}))
    ports = ports or (PortGroup(("Ethernet0",), "Ethernet0", tuple(c.name for c in classes), pfc),)
    return Device(
        ("leaf01",),
        "leaf01",
        vendor,
        "leaf",
        classes,
        QosMaps(**tables),
        ports,
        box=box,
        nos=SHIPPED.nos(vendor) if vendor else None,
    )


def fabric(of: Device, **facts: Any) -> Fabric:
    """A fabric of one switch."""
    known: dict[str, Any] = {
        "name": "f", "kind": None, "mode": "lossless", "congestion_control": "dcqcn", "cc_reason": None,
        "workload": None, "topology": None, "classification": "explicit", "dual_tor": False, "devices": (of,),
        "links": (), "sections": frozenset({"devices"}),
    }  # fmt: skip
    return Fabric(**{**known, **facts})


def hits(rule: Rule, of: Device, **facts: Any) -> list[Hit]:
    """What one rule finds on the switch."""
    assert rule.check is not None
    whole = fabric(of, **facts)
    if rule.scope == "fabric":
        return list(rule.check(whole))
    if rule.scope == "cls":
        return [hit for cls in of.classes for hit in rule.check(whole, of, cls)]
    if rule.scope == "port":
        return [hit for port in of.ports for hit in rule.check(whole, of, port)]
    return list(rule.check(whole, of))


def found(family: str, of: Device, **facts: Any) -> list[tuple[str, Hit]]:
    """Every finding of the rules for the switch's vendor whose codes begin so, with the rules' names."""
    rules = [r for r in ALL if r.check and r.code.startswith(family) and (not r.vendors or of.vendor in r.vendors)]
    return [(r.name, hit) for r in rules for hit in hits(r, of, **facts)]


def names(family: str, of: Device, **facts: Any) -> list[str]:
    """The rules' names alone."""
    return [name for name, _ in found(family, of, **facts)]
