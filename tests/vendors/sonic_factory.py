"""Devices built by hand for the SONiC tests, and the stock configuration that a patch starts from."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from rocecfg.model import (
    Asic,
    Box,
    Buffers,
    Device,
    Ecn,
    Fabric,
    HeadroomRow,
    HeadroomTable,
    PoolSet,
    PortGroup,
    QosMaps,
    TrafficClass,
    Watchdog,
)
from rocecfg.profiles import SHIPPED

G = 10**9
CURVE = Ecn(400_000, 1_600_000, 5)
TIMERS = Watchdog(200, 400, 100, "drop")
LENGTHS = (1, 5, 40, 300)  # metres
# A headroom table: xoff grows with speed and length, so that no two rows are equal.
TABLE = HeadroomTable(
    "headroom/lab",
    {
        speed * G: {m: HeadroomRow(1270, 0, 400 * speed + 1000 * m, None, 0) for m in LENGTHS}
        for speed in (100, 400, 800)
    },
    "the lab",
    "V",
)


def pools(**changes: Any) -> PoolSet:
    """A template as Spectrum has them: half of the buffer for each ingress pool, headroom private."""
    facts: dict[str, Any] = {
        "templates": ("t0",),
        "ingress_lossless": 60_000_000,
        "shared_headroom": None,
        "ingress_lossy": 60_000_000,
        "egress_lossless": 150_000_000,
        "egress_lossy": 60_000_000,
        "mode": "dynamic",
        "source": "the lab",
        "mark": "V",
    }
    return PoolSet(**(facts | changes))


def single(**changes: Any) -> PoolSet:
    """A template with one ingress pool and a shared headroom pool beside it."""
    facts: dict[str, Any] = {
        "ingress_lossless": 50_000_000,
        "shared_headroom": 8_000_000,
        "ingress_lossy": None,
        "egress_lossless": 60_000_000,
        "egress_lossy": None,
    }
    return pools(**(facts | changes))


def asic(name: str = "tomahawk5", **changes: Any) -> Asic:
    """A chip of which nothing is known but what is said here."""
    facts: dict[str, Any] = dict.fromkeys((f.name for f in fields(Asic)), None)
    facts |= {"name": name, "file": f"asics/{name}", "title": name.title(), "nos": ("sonic",), "shallow": True}
    facts |= {"families": {}, "speeds": (), "alpha": (), "stock_ecn": (), "sources": {}, "marks": {}}
    return Asic(**(facts | changes))


def box(model: str = "traditional", **changes: Any) -> Box:
    """A Tomahawk 5 box; with `dynamic`, a Spectrum-4 one."""
    facts: dict[str, Any] = dict.fromkeys((f.name for f in fields(Box)), None)
    facts |= {
        "nos": "sonic",
        "hwsku": "Arista-7060X6-64PE" if model == "traditional" else "ACS-SN5600",
        "ports": "Ethernet[0-511]",
        "speeds": tuple(TABLE.rows),
        "since": None,
        "lossless": True,
        "buffer_model": model,
        "pfc_to_pg": model == "dynamic",
        "headroom": TABLE if model == "traditional" else None,
        "pools": (),
        "source": "",
    }
    return Box(**(facts | changes))


def cls(name: str, priority: int, dscps: tuple[int, ...], **changes: Any) -> TrafficClass:
    """A class with the intent's defaults: tc and queue follow the priority, lossy ones go to priority group 0."""
    lossless = changes.get("lossless", False)
    facts: dict[str, Any] = {
        "carries": (name,),
        "rest": False,
        "tc": priority,
        "queue": priority,
        "pg": priority if lossless else 0,
        "lossless": lossless,
        "strict": False,
        "bandwidth": None,
        "ecn": None,
    }
    return TrafficClass(name=name, priority=priority, dscps=dscps, **(facts | changes))


RDMA = cls("rdma", 3, (26,), lossless=True, bandwidth=60, ecn=CURVE)
CNP = cls("cnp", 6, (48,), strict=True)
CONTROL = cls("control", 7, (56,), strict=True, pg=7)
REST = cls("default", 0, (), bandwidth=40, rest=True)
CLASSES = (RDMA, CNP, CONTROL, REST)


def maps(classes: tuple[TrafficClass, ...]) -> QosMaps:
    """The maps that an intent with these classes resolves to: total."""
    rest = next((c.tc for c in classes if c.rest), 0)
    dscp: list[int | None] = [rest] * 64
    queue: list[int | None] = list(range(8))
    pg: list[int | None] = [0] * 8
    for c in classes:
        for point in c.dscps:
            dscp[point] = c.tc
        queue[c.tc] = c.queue
        pg[c.tc] = c.pg
    return QosMaps(tuple(dscp), tuple(queue), tuple(pg), tuple(range(8)), tuple(range(8)))


def ports(*names: str, **changes: Any) -> PortGroup:
    """A group of lossless 400G host ports unless said otherwise."""
    facts: dict[str, Any] = {
        "key": ",".join(names),
        "classes": tuple(c.name for c in CLASSES),
        "pfc": (3,),
        "speed": 400 * G,
        "faces": "host",
        "cable": 3,
        "watchdog": TIMERS,
        "headroom": "auto",
    }
    return PortGroup(names=names, **(facts | changes))


def lossy(*names: str, **changes: Any) -> PortGroup:
    """Storage ports that RDMA does not cross."""
    facts: dict[str, Any] = {
        "classes": tuple(c.name for c in CLASSES if not c.lossless),
        "pfc": (),
        "speed": 100 * G,
        "faces": "storage",
        "cable": 10,
        "watchdog": None,
        "headroom": None,
    }
    return ports(*names, **(facts | changes))


def device(*groups: PortGroup, classes: tuple[TrafficClass, ...] = CLASSES, **changes: Any) -> Device:
    """A leaf of SONiC 202405 with a traditional buffer model, unless said otherwise."""
    facts: dict[str, Any] = {
        "names": ("leaf01",),
        "key": "leaf01",
        "vendor": "sonic",
        "role": "leaf",
        "version": "202405",
        "box": box(),
        "asic": asic(),
        "buffers": Buffers(),
        "maps": maps(classes),
        "hwsku": "Arista-7060X6-64PE",
        "nos": SHIPPED.nos("sonic"),  # as the resolver gives it to every device of the vendor
    }
    return Device(classes=classes, ports=groups or (ports("Ethernet0", "Ethernet8"),), **(facts | changes))


def dynamic(*groups: PortGroup, **changes: Any) -> Device:
    """A Spectrum-4 leaf with the dynamic buffer model."""
    facts: dict[str, Any] = {
        "box": box("dynamic"),
        "asic": asic("spectrum4", headroom_formula="spectrum"),
        "hwsku": "ACS-SN5600",
    }
    return device(*groups, **(facts | changes))


def policy(**changes: Any) -> Device:
    """The smallest useful intent: classes and a watchdog, no devices, no ports, no platform."""
    everywhere = replace(ports(), key="", speed=None, cable=None, faces=None, implied=True)
    facts: dict[str, Any] = {"names": (), "key": "", "box": None, "asic": None, "hwsku": None, "version": None}
    return device(everywhere, **(facts | changes))


def fabric(*devices: Device, **changes: Any) -> Fabric:
    facts: dict[str, Any] = {
        "name": "lab",
        "kind": None,
        "mode": "lossless",
        "congestion_control": "dcqcn",
        "cc_reason": None,
        "workload": None,
        "topology": None,
        "classification": "explicit",
        "dual_tor": False,
        "links": (),
        "sections": frozenset(),
    }
    return Fabric(devices=devices, **(facts | changes))


def stock(*names: str, speed: int = 400_000, hwsku: str = "Arista-7060X6-64PE", model: str = "traditional") -> Any:
    """What `config qos reload` leaves on a box: lossless 3 and 4, AZURE maps, WRED on both, rows for each port."""
    lossless = f"pg_lossless_{speed}_300m_profile" if model == "traditional" else "NULL"
    scheduled = {q: {"scheduler": "scheduler.0"} for q in (0, 1, 2, 5, 6)}
    scheduled |= {q: {"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"} for q in (3, 4)}
    curve = {"ecn": "ecn_all"}
    for color in ("green", "yellow", "red"):
        curve |= {f"wred_{color}_enable": "true", f"{color}_min_threshold": "1048576"}
        curve |= {f"{color}_max_threshold": "2097152", f"{color}_drop_probability": "5"}
    ingress = {"pool": "ingress_lossless_pool", "size": "0"}
    config: Any = {
        "DEVICE_METADATA": {"localhost": {"hostname": "sonic", "hwsku": hwsku, "buffer_model": model}},
        "PORT": {
            p: {"lanes": str(i), "speed": str(speed), "admin_status": "up", "mtu": "9100"} for i, p in enumerate(names)
        },
        "DSCP_TO_TC_MAP": {
            "AZURE": {str(d): {3: "3", 4: "4", 5: "2", 8: "0", 46: "5", 48: "6"}.get(d, "1") for d in range(64)}
        },
        "TC_TO_QUEUE_MAP": {"AZURE": {str(i): str(i) for i in range(8)}},
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {str(i): str(i) if i in (3, 4, 7) else "0" for i in range(8)}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {str(i): str(i) for i in range(8)}},
        "SCHEDULER": {"scheduler.0": {"type": "DWRR", "weight": "14"}, "scheduler.1": {"type": "DWRR", "weight": "15"}},
        "WRED_PROFILE": {"AZURE_LOSSLESS": curve},
        "BUFFER_POOL": {
            "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "161000000", "xoff": "33000000"},
            "egress_lossless_pool": {"type": "egress", "mode": "static", "size": "165867080"},
        },
        "BUFFER_PROFILE": {
            "ingress_lossy_profile": {**ingress, "static_th": "165867080"},
            "egress_lossless_profile": {"pool": "egress_lossless_pool", "size": "0", "static_th": "165867080"},
            "egress_lossy_profile": {"pool": "egress_lossless_pool", "size": "1778", "dynamic_th": "0"},
        },
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(names, "300m")},
        "PORT_QOS_MAP": {"global": {"dscp_to_tc_map": "AZURE"}},
        "QUEUE": {f"{p}|{q}": dict(row) for p in names for q, row in sorted(scheduled.items())},
        "BUFFER_PG": {},
        "BUFFER_QUEUE": {},
        "FLEX_COUNTER_TABLE": {"PFCWD": {"FLEX_COUNTER_STATUS": "enable"}, "QUEUE": {"FLEX_COUNTER_STATUS": "enable"}},
    }
    if model == "traditional":
        config["BUFFER_PROFILE"][lossless] = {**ingress, "xon": "0", "xoff": "612140", "dynamic_th": "0"}
    else:
        config["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"] = {"AZURE": {"3": "3", "4": "4"}}
        config["DEFAULT_LOSSLESS_BUFFER_PARAMETER"] = {"AZURE": {"default_dynamic_th": "0"}}
    for p in names:
        row = {"dscp_to_tc_map": "AZURE", "tc_to_queue_map": "AZURE", "tc_to_pg_map": "AZURE"}
        row |= {"pfc_to_queue_map": "AZURE", "pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"}
        if model == "dynamic":
            row["pfc_to_pg_map"] = "AZURE"
        config["PORT_QOS_MAP"][p] = row
        config["BUFFER_PG"][f"{p}|0"] = {"profile": "ingress_lossy_profile"}
        config["BUFFER_PG"][f"{p}|3-4"] = {"profile": lossless}
        config["BUFFER_QUEUE"][f"{p}|0-2"] = {"profile": "egress_lossy_profile"}
        config["BUFFER_QUEUE"][f"{p}|3-4"] = {"profile": "egress_lossless_profile"}
        config["BUFFER_QUEUE"][f"{p}|5-6"] = {"profile": "egress_lossy_profile"}
    return config
