"""The model of one device as the plain values that the template prints: all strings, no arithmetic left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypedDict

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Ecn, Fabric, PortGroup
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic import buffers, ecn, maps, queues, watchdog
from rocecfg.vendors.sonic.balancing import HASHED
from rocecfg.vendors.sonic.release import Release
from rocecfg.vendors.sonic.settings import write_values

_PORT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./-]*")
_ANY_PORT = PortGroup((), "", (), (), implied=True)
_COUNTERS = (
    "BUFFER_POOL_WATERMARK",
    "PFCWD",
    "PG_DROP",
    "PG_WATERMARK",
    "PORT_BUFFER_DROP",
    "QUEUE",
    "QUEUE_WATERMARK",
)
_ECN_COUNTERS = ("WRED_ECN_PORT", "WRED_ECN_QUEUE")

Row = dict[str, str]


class GroupView(TypedDict):
    """Ports with equal rows."""

    ports: tuple[str, ...]
    qos: Row  # PORT_QOS_MAP
    queues: dict[str, Row]  # QUEUE: index -> row
    groups: Row  # BUFFER_PG: priority groups -> profile
    cable: str | None  # CABLE_LENGTH
    watchdog: Row  # PFC_WD


class View(TypedDict):
    """What the template sees; an empty table is not printed."""

    counters: tuple[str, ...]
    map_tables: dict[str, dict[str, Row]]  # of all maps: table -> name -> entries
    schedulers: dict[str, Row]
    wred: dict[str, Row]
    everywhere: Row  # PORT_QOS_MAP global: a policy, which names no ports
    default_watchdog: bool
    poll_interval: str | None
    pools: dict[str, Row]
    profiles: dict[str, Row]
    parameter: Row
    pattern: Row
    hash: dict[str, list[str]]  # SWITCH_HASH GLOBAL
    trimming: Row  # SWITCH_TRIMMING GLOBAL
    groups: tuple[GroupView, ...]


class Plan(NamedTuple):
    """A view with what the notes and the patch need besides it."""

    view: View
    release: Release
    ports: tuple[PortGroup, ...]  # those with names, parallel to view["groups"]
    buffers: buffers.BufferRows
    keeps_map: bool  # the vendor's own DSCP map stays


def plan_rows(fabric: Fabric, device: Device, release: Release) -> Plan:
    """Works out every row of a device."""
    ports = tuple(p for p in device.ports if p.names and not p.implied)
    implied = tuple(p for p in device.ports if p.implied)
    stated = ports or implied
    bad = next((name for port in stated for name in port.names if not _PORT_NAME.fullmatch(name)), None)
    if bad is not None:
        raise CannotRender(f"{bad!r} cannot be a port's key in config_db.json", "SONiC's are Ethernet0, Ethernet8 ...")
    buffer = buffers.plan_buffers(device, ports, release)
    curves = [ecn.curves_on(device, port) for port in ports]
    profiles = ecn.name_curves(device, ports, curves)
    schedulers = [queues.schedulers_on(device, port) for port in ports or (None,)]
    keeps_map = fabric.classification == "vendor"
    sorted_by = maps.plan_maps(device, stated or (_ANY_PORT,), release, keeps_map=keeps_map)
    poll = watchdog.poll_interval(stated)
    everywhere = {} if ports else {k: v for k, v in sorted_by.bound[0].items() if k == "dscp_to_tc_map"}
    view: View = {
        "counters": _COUNTERS + (_ECN_COUNTERS if profiles and release.ecn_counters else ()),
        "map_tables": sorted_by.tables,
        "schedulers": dict(scheduler for here in schedulers for scheduler in here.values()),
        "wred": {name: ecn.wred_row(curve) for curve, name in profiles.items()},
        "everywhere": everywhere,
        "default_watchdog": watchdog.leaves_to_default(stated),
        "poll_interval": None if poll is None else str(poll),
        "pools": buffer.pools,
        "profiles": buffer.profiles,
        "parameter": buffer.parameter,
        "pattern": buffer.pattern,
        "hash": _hash_row(device),
        "trimming": _trimming_row(device),
        "groups": tuple(
            {
                "ports": port.names,
                "qos": _port_qos_row(port, release, sorted_by.bound[i]),
                "queues": _queue_rows(release, curves[i], schedulers[i], profiles),
                "groups": buffer.groups[i],
                "cable": _format_length(buffer.cables[i]),
                "watchdog": _watchdog_row(port),
            }
            for i, port in enumerate(ports)
        ),
    }
    return Plan(view, release, ports, buffer, keeps_map)


def _format_length(metres: int | None) -> str | None:
    return None if metres is None else f"{metres}m"


def _hash_row(device: Device) -> dict[str, list[str]]:
    """SWITCH_HASH: what ECMP hashes. LAGs keep the hash that they have."""
    stated = device.load_balancing
    if stated is None or not stated.hash:
        return {}
    return {"ecmp_hash": [HASHED[field] for field in stated.hash]}


def _trimming_row(device: Device) -> Row:
    """SWITCH_TRIMMING: orchagent takes the three fields together or not at all."""
    trimming = device.trimming
    if trimming is None:
        return {}
    queue = "dynamic" if device.trim_queue is None else device.trim_queue
    return write_values("trimming", size=trimming.size, dscp=trimming.dscp, queue=queue)


def _port_qos_row(port: PortGroup, release: Release, bound: Row) -> Row:
    """PORT_QOS_MAP: the maps and the two masks."""
    watched = watchdog.watched_priorities(port) if release.watch_mask else None
    masks = write_values("masks", pfc=port.pfc, watched=watched)
    return bound | {field: text for field, text in masks.items() if text or release.empty_mask}


def _queue_rows(
    release: Release,
    curves: ecn.Curves,
    schedulers: Mapping[int, tuple[str, Row]],
    profiles: Mapping[Ecn, str],
) -> dict[str, Row]:
    """QUEUE: scheduler and marking of each queue that has one."""
    rows: dict[str, Row] = {}
    for queue in sorted({*curves, *schedulers}):
        row = rows[str(queue)] = {}
        if queue in schedulers:
            row["scheduler"] = release.ref("SCHEDULER", schedulers[queue][0])
        if queue in curves:
            row["wred_profile"] = release.ref("WRED_PROFILE", profiles[curves[queue][1]])
    return rows


def _watchdog_row(port: PortGroup) -> Row:
    dog = watchdog.own_timers(port)
    return {} if dog is None else watchdog.watchdog_row(dog)
