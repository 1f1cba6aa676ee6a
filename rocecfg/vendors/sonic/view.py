"""The model of one device as the plain values that the template prints: all strings, no arithmetic left."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Ecn, Fabric, PortGroup
from rocecfg.model.views import make_views
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic import buffers, ecn, maps, queues, watchdog
from rocecfg.vendors.sonic.hashing import HASHED
from rocecfg.vendors.sonic.release import Release

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
    """Works out every row of a device; CannotRender for what this release must not be given."""
    ports = tuple(p for p in device.ports if p.names and not p.implied)
    implied = tuple(p for p in device.ports if p.implied)
    stated = ports or implied
    _check_device(device, stated)
    buffer = buffers.plan_buffers(device, ports, release)
    curves = [ecn.curves_on(device, port) for port in ports]
    profiles = ecn.name_curves(device, ports, curves)
    schedulers = [queues.schedulers_on(device, port) for port in ports or (None,)]
    keeps_map = fabric.classification == "vendor"
    sorted_by = maps.plan_maps(device, stated or (_ANY_PORT,), release, keeps_map=keeps_map)
    poll = watchdog.poll_interval(stated, release)
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
        "hash": _hash_row(device, release),
        "trimming": _trimming_row(device, release),
        "groups": tuple(
            {
                "ports": port.names,
                "qos": _port_qos_row(port, release, sorted_by.bound[i]),
                "queues": _queue_rows(release, curves[i], schedulers[i], profiles),
                "groups": buffer.groups[i],
                "cable": _format_length(buffer.cables[i]),
                "watchdog": _watchdog_row(device, port),
            }
            for i, port in enumerate(ports)
        ),
    }
    return Plan(view, release, ports, buffer, keeps_map)


def _format_length(metres: int | None) -> str | None:
    return None if metres is None else f"{metres}m"


def _hash_row(device: Device, release: Release) -> dict[str, list[str]]:
    """SWITCH_HASH: what ECMP hashes. LAGs keep the hash that they have."""
    stated = device.load_balancing
    if stated is None or not stated.hash:
        return {}
    strange = [field for field in stated.hash if field not in HASHED]
    if strange or not release.hashes:
        what = f"no field {strange[0]}" if strange else "no table SWITCH_HASH that is known: it came with 202311"
        raise CannotRender(
            f"SONiC {release.name} has {what}", "leave load_balancing.hash out for this device", (stated.at("hash"),)
        )
    return {"ecmp_hash": [HASHED[field] for field in stated.hash]}


def _trimming_row(device: Device, release: Release) -> Row:
    """SWITCH_TRIMMING: orchagent takes the three fields together or not at all."""
    trimming = device.trimming
    if trimming is None:
        return {}
    if not release.trims:
        raise CannotRender(
            f"SONiC {release.name} has no table SWITCH_TRIMMING: packet trimming came with 202505",
            "upgrade to 202505 or later and say so in version, or write trimming: off for this device",
            (device.at("trimming"),),
        )
    queue = device.trim_queue
    return {
        "size": str(trimming.size),
        "dscp_value": str(trimming.dscp),
        "queue_index": "dynamic" if queue is None else str(queue),
    }


def _port_qos_row(port: PortGroup, release: Release, bound: Row) -> Row:
    """PORT_QOS_MAP: the maps and the two masks."""
    row = dict(bound)
    masks = [("pfc_enable", port.pfc)]
    if release.watch_mask:
        masks.append(("pfcwd_sw_enable", watchdog.watched_priorities(port)))
    else:
        watchdog.check_watches_all(port, release)
    for field, priorities in masks:
        if priorities or release.empty_mask:
            row[field] = ",".join(map(str, priorities))
    return row


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


def _watchdog_row(device: Device, port: PortGroup) -> Row:
    dog = watchdog.own_timers(port)
    return {} if dog is None else watchdog.watchdog_row(device, dog)


def _check_device(device: Device, ports: Sequence[PortGroup]) -> None:
    """What no table can say, or what the switch would take and then do wrong."""
    if device.switch_type == "voq":
        raise CannotRender(
            "QUEUE keys of a VOQ switch carry its host and ASIC names, which are not part of the intent",
            "only switch_type: npu can be rendered",
            (device.at("switch_type"),),
        )
    names = [name for port in ports for name in port.names]
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise CannotRender(f"port {twice} stands in two groups", "", tuple(p.at("") for p in ports if twice in p.names))
    for port in ports:
        bad = next((name for name in port.names if not _PORT_NAME.fullmatch(name)), None)
        if bad is not None:
            raise CannotRender(f"{bad!r} cannot be a port's key in config_db.json", "", (port.at(""),))
        if port.flowcontrol != "off":
            raise CannotRender(
                f"{port.key or 'the ports'}: flowcontrol {port.flowcontrol} cannot be said in CONFIG_DB",
                "802.3x pauses every priority and excludes PFC: set flowcontrol: off",
                (port.at("flowcontrol"),),
            )
    for seen in make_views(device):
        _check_maps(seen)
        _check_identity(seen, {n for port in seen.ports for n in port.pfc})


def _check_maps(device: Device) -> None:
    """Each traffic class has one queue and one priority group: two classes on it must want the same."""
    for cls in device.classes:
        for what, wanted, mapped in (
            ("queue", cls.queue, device.maps.tc_to_queue[cls.tc]),
            ("priority group", cls.pg, device.maps.tc_to_pg[cls.tc]),
        ):
            if mapped is not None and wanted != mapped:
                raise CannotRender(
                    f"traffic class {cls.tc} is mapped to {what} {mapped}, and class {cls.name} wants {what} {wanted}",
                    "give the classes that share a tc the same queue and pg, or a tc of their own",
                    (cls.at("queue" if what == "queue" else "pg", "tc"),),
                )


def _check_identity(device: Device, lossless: Iterable[int]) -> None:
    """buffermgrd and the watchdog take PFC priority, queue and priority group for one number."""
    for n in sorted(lossless):
        for what, to in (("queue", device.maps.pfc_to_queue[n]), ("priority group", device.maps.pfc_to_pg[n])):
            if to != n:
                raise CannotRender(
                    f"PFC priority {n} is mapped to {what} {to}",
                    "SONiC's buffermgrd and PFC watchdog assume the same number for priority, queue and priority group",
                    (device.maps.at("pfc_to_queue" if what == "queue" else "pfc_to_pg"),),
                )
    for cls in device.classes:
        if cls.lossless and not cls.priority == cls.queue == cls.pg:
            raise CannotRender(
                f"class {cls.name}: priority {cls.priority}, queue {cls.queue} and priority group {cls.pg} differ",
                "SONiC's buffermgrd and PFC watchdog assume the same number for all three of a lossless class",
                (cls.at("queue"), cls.at("pg")),
            )
