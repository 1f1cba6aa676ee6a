"""From the model to plain values that the templates print: every decision is made here, none in a template."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import Device, PortGroup
from rocecfg.vendors.arista import balancing
from rocecfg.vendors.arista.buffers import Mmu, mmu_of
from rocecfg.vendors.arista.queues import Queue, queues_on
from rocecfg.vendors.arista.reading.commands import PAUSES
from rocecfg.vendors.arista.release import SAND, STRATA, Target, port_order, target_of
from rocecfg.vendors.arista.watchdog import PortWatchdog, WatchdogPlan, plan_watchdog
from rocecfg.vendors.base import CannotRender

_TRUST = {"dscp": "qos trust dscp", "pcp": "qos trust cos", "none": "no qos trust"}
_DCBX = {"on": "dcbx mode ieee", "off": "no dcbx mode"}
_COUNT_IN_PROFILE = (4, 32, 0)  # strata: `random-detect ecn count` only on interfaces up to 4.31
_FIXED_TC = 7  # EOS ties traffic class 7 to queue 7


class QosProfile(NamedTuple):
    """A `qos profile`: all settings of a kind of port that can be shared."""

    trust: str
    pfc: tuple[tuple[int, bool], ...]  # priorities 0-7, whether no-drop; (): PFC is off
    watchdog: PortWatchdog | None  # None: off, or no PFC
    queues: tuple[Queue, ...]


class NamedProfile(NamedTuple):
    """A profile and its name."""

    name: str
    profile: QosProfile


class Interface(NamedTuple):
    """What stands under one interface, or under every one of a kind that the intent does not name."""

    name: str  # "": not named
    mtu: int | None
    dcbx: str | None
    send: str
    receive: str
    profile: str
    counted: tuple[int, ...]  # queues whose marked packets are counted on the interface


# names of ports, and what `Interface` has for each of them
_Part = tuple[tuple[str, ...], tuple[int | None, str | None, str, str, str, tuple[int, ...]]]


class DscpMap(NamedTuple):
    """Code points of one traffic class, blank-separated, ascending."""

    dscps: str
    tc: int


class View(NamedTuple):
    """All that one device's text says."""

    target: Target
    queue: str  # uc-tx-queue | tx-queue
    ecn_counters: bool
    recovery: bool  # errdisable recovery
    mmu: Mmu
    profiles: tuple[NamedProfile, ...]  # by name
    interfaces: tuple[Interface, ...]  # as EOS lists them
    unnamed: tuple[Interface, ...]  # for ports that the intent does not name
    cos_maps: tuple[tuple[int, int], ...]  # CoS, traffic class
    dscp_maps: tuple[DscpMap, ...]
    unmapped: int  # code points without a traffic class
    queue_maps: tuple[tuple[int, int], ...]  # traffic class, queue
    watchdog: WatchdogPlan
    balancing: str | None  # the line that says it


def view_of(device: Device) -> View:
    """What the text of a device says."""
    target = target_of(device)
    watchdog = plan_watchdog(device)
    in_profile = target.family == SAND or (target.release is not None and target.release >= _COUNT_IN_PROFILE)
    profiles = [
        _make_profile(device, p, target, watchdog.ports.get(i), count=in_profile) for i, p in enumerate(device.ports)
    ]
    names = _name_profiles(device.ports, profiles)
    ecn = any(queue.ecn for profile in profiles for queue in profile.queues)
    dscps: dict[int, list[int]] = {}
    for dscp, tc in enumerate(device.maps.dscp_to_tc):
        if tc is not None:
            dscps.setdefault(tc, []).append(dscp)
    interfaces = _list_interfaces(device, [names[p] for p in profiles], profiles, counted=in_profile)
    return View(
        target,
        "uc-tx-queue" if target.family == STRATA else "tx-queue",
        ecn_counters=ecn and target.family == SAND,
        recovery=watchdog.action == "errdisable",
        mmu=mmu_of(device),
        profiles=tuple(sorted((NamedProfile(name, profile) for profile, name in names.items()), key=lambda n: n.name)),
        interfaces=tuple(i for i in interfaces if i.name),
        unnamed=tuple(i for i in interfaces if not i.name),
        cos_maps=_map_cos(device),
        dscp_maps=tuple(DscpMap(" ".join(map(str, dscps[tc])), tc) for tc in sorted(dscps)),
        unmapped=device.maps.dscp_to_tc.count(None),
        queue_maps=tuple((tc, q) for tc, q in enumerate(device.maps.tc_to_queue) if q is not None and tc != _FIXED_TC),
        watchdog=watchdog,
        balancing=balancing.line_of(device, target),
    )


def _make_profile(
    device: Device, port: PortGroup, target: Target, watchdog: PortWatchdog | None, *, count: bool
) -> QosProfile:
    return QosProfile(
        _TRUST[port.trust],
        tuple((p, p in port.pfc) for p in range(8)) if port.pfc else (),
        watchdog,
        queues_on(device, port, target, count=count),
    )


def _name_profiles(ports: tuple[PortGroup, ...], profiles: list[QosProfile]) -> dict[QosProfile, str]:
    """A name for each distinct profile, from what its ports face and, if need be, their speed."""
    faces: dict[QosProfile, set[str]] = {}
    speeds: dict[QosProfile, set[str]] = {}
    for port, profile in zip(ports, profiles, strict=True):
        faces.setdefault(profile, set()).add((port.faces or "").upper())
        speeds.setdefault(profile, set()).add(show_rate(port.speed) if port.speed else "")
    base = {p: _append_only_word("ROCE", faces[p]) for p in faces}
    taken = list(base.values())
    names = {p: name if taken.count(name) == 1 else _append_only_word(name, speeds[p]) for p, name in base.items()}
    used: dict[str, int] = {}
    for profile, name in names.items():
        used[name] = used.get(name, 0) + 1
        if used[name] > 1:
            names[profile] = f"{name}-{used[name]}"
    return names


def _append_only_word(name: str, words: set[str]) -> str:
    """The name with the word, where there is exactly one."""
    (word, *more) = words
    return f"{name}-{word}" if word and not more else name


def _list_interfaces(
    device: Device, names: list[str], profiles: list[QosProfile], *, counted: bool
) -> tuple[Interface, ...]:
    dcbx = None if device.dcbx is None else _DCBX[device.dcbx]
    parts: list[_Part] = []
    for group, name, profile in zip(device.ports, names, profiles, strict=True):
        mtu = group.mtu if group.mtu is not None else device.mtu
        count = () if counted else tuple(q.number for q in profile.queues if q.ecn)
        send, receive = ("on" if way else "off" for way in PAUSES[group.flowcontrol])
        parts.append((group.names, (mtu, dcbx, send, receive, name, count)))
    found = _sort_interfaces(tuple(parts))
    if isinstance(found, str):
        raise CannotRender(
            f"{found} is not an EOS interface with queues",
            "EOS counts ports from 1: Ethernet1, Ethernet1/1, Ethernet3/1/1, Port-Channel1",
            (next(group for group in device.ports if found in group.names).at("names", ""),),
        )
    return found


@lru_cache(maxsize=64)  # many switches have the same ports, whatever else they differ in
def _sort_interfaces(parts: tuple[_Part, ...]) -> tuple[Interface, ...] | str:
    """The interfaces as EOS lists them; the name of one that is none."""
    found: list[tuple[tuple[str, tuple[int, ...]], Interface]] = []
    for interfaces, shared in parts:
        if not interfaces:
            found.append((("", ()), Interface("", *shared)))
        for interface in interfaces:
            order = port_order(interface)
            if order is None:
                return interface
            found.append((order, Interface(interface, *shared)))
    found.sort(key=itemgetter(0))
    return tuple(interface for _, interface in found)


def _map_cos(device: Device) -> tuple[tuple[int, int], ...]:
    """CoS to traffic class, where some port classifies by CoS: priorities nobody claims go where `rest` goes."""
    if all(port.trust == "dscp" for port in device.ports):
        return ()
    rest = next((c.tc for c in device.classes if c.rest), None)
    tcs = {cls.priority: cls.tc for cls in device.classes}
    return tuple((cos, tc) for cos in range(8) if (tc := tcs.get(cos, rest)) is not None)
