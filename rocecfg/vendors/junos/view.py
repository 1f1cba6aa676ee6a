"""From the model to plain values that the templates print: every decision is made here, none in a template."""

from __future__ import annotations

import re
from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Headroom, PortGroup, TrafficClass
from rocecfg.model.views import sorted_apart
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.balancing import Balanced, balanced_of
from rocecfg.vendors.junos.buffers import Partitions, partitions_of
from rocecfg.vendors.junos.limits import ETHERNET, QUEUES, TAG, bits
from rocecfg.vendors.junos.scheduling import Drops, Map, Scheduler, SchedulerPlan, plan_schedulers
from rocecfg.vendors.junos.target import EVOLVED, Target, target_of, whole_number
from rocecfg.vendors.junos.watchdog import Timers, timers_of

_PORT = re.compile(r"(?:et|xe|ge|mge)-(\d{1,3})/(\d{1,3})/(\d{1,4})(?::(\d{1,3}))?|ae(\d{1,4})")
_LAG = re.compile(r"ae\d{1,4}")
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_OWN = frozenset({"no-loss", "fcoe", "best-effort", "network-control", "mcast"})
_EVERY = "et-*"
_MTU = (256, 9202)
_PAUSES = {
    "on": ("flow-control",),
    "rx": ("configured-flow-control rx-buffers on", "configured-flow-control tx-buffers off"),
    "tx": ("configured-flow-control rx-buffers off", "configured-flow-control tx-buffers on"),
}


class ForwardingClass(NamedTuple):
    """A forwarding class: the classes of the intent that share a queue."""

    name: str
    queue: int
    priority: int | None  # of PFC; None: it is lossy
    codes: tuple[str, ...]  # DSCPs in bits
    tags: tuple[str, ...]  # 802.1p values in bits


class PfcProfile(NamedTuple):
    """A congestion-notification-profile without its name."""

    watchdog: Timers | None
    cable: int | None  # metres
    kind: str  # dscp | ieee-802.1
    codes: tuple[str, ...]  # bits of what pauses are sent for
    mru: int | None
    stops: tuple[tuple[str, int], ...]  # priority in bits, queue


class Interface(NamedTuple):
    """What stands under one interface of class-of-service."""

    name: str
    profile: str | None
    map: str
    classifier: tuple[str, str] | None  # kind, name
    fixed: str | None  # forwarding class of all that comes in


class Link(NamedTuple):
    """What stands under one of `interfaces`."""

    name: str
    mtu: int | None  # physical
    pauses: tuple[str, ...]


class View(NamedTuple):
    """All that one device's text says."""

    target: Target
    classes: tuple[ForwardingClass, ...]
    sorted_by: tuple[str, ...]  # dscp, ieee-802.1: what some port goes by
    drops: tuple[Drops, ...]
    profiles: tuple[tuple[str, PfcProfile], ...]
    schedulers: tuple[Scheduler, ...]
    maps: tuple[Map, ...]
    interfaces: tuple[Interface, ...]
    links: tuple[Link, ...]
    balanced: Balanced | None
    partitions: Partitions | None
    unmapped: int  # code points of no class
    unnamed_mtu: int | None  # physical, of ports that are not named


def view_of(device: Device) -> View:
    """What the text of a device says; CannotRender for what Junos cannot say."""
    target = target_of(device)
    _check_sorting(device)
    classes = _make_classes(device)
    names = {one.queue: one.name for one in classes}
    plan = plan_schedulers(device, names)
    profiles: dict[PfcProfile, str] = {}
    interfaces: dict[str, Interface] = {}
    links: dict[str, Link] = {}
    unnamed = None
    timers = timers_of(device, target)
    cables = {port.lag: port.cable for port in device.ports if port.lag is not None and port.cable is not None}
    for number, port in enumerate(device.ports):
        cable = cables.get(port.lag) if port.cable is None and port.lag is not None else port.cable  # a LAG has one
        profile = _make_profile(device, port, classes, timers.get(number), cable)
        if profile is not None and profile not in profiles:
            profiles[profile] = "ROCE-PFC" if not profiles else f"ROCE-PFC-{len(profiles) + 1}"
        if port.flowcontrol != "off" and target.family == EVOLVED:
            raise CannotRender(
                f"flowcontrol {port.flowcontrol} of ports {port.key}: QFX5220, QFX5130 and their like have no 802.3x "
                "pause",
                "write flowcontrol: off",
                (port.at("flowcontrol"),),
            )
        mtu = _physical_mtu(device, port)
        pauses = _PAUSES.get(port.flowcontrol, ())
        for name in _interface_names(port):
            one = Interface(
                name,
                profiles[profile] if profile is not None else None,
                plan.of[number],
                {"dscp": ("dscp", "ROCE"), "pcp": ("ieee-802.1", "ROCE")}.get(port.trust),
                _class_of_untrusted(device, names) if port.trust == "none" else None,
            )
            if interfaces.setdefault(name, one) != one:
                raise CannotRender(
                    f"ports of LAG {name} want different settings: class-of-service is said of the LAG",
                    "state the same for all of its ports",
                    (port.at("lag"),),
                )
            if port.names and (mtu is not None or pauses):
                links[name] = Link(name, mtu, pauses)
            elif not port.names:
                unnamed = mtu
    trusts = {port.trust for port in device.ports}
    return View(
        target,
        classes,
        tuple(kind for trust, kind in (("dscp", "dscp"), ("pcp", "ieee-802.1")) if trust in trusts),
        plan.drops,
        tuple((name, profile) for profile, name in profiles.items()),
        plan.schedulers,
        plan.maps,
        tuple(sorted(interfaces.values(), key=lambda each: _port_order(each.name))),
        tuple(sorted(links.values(), key=lambda each: _port_order(each.name))),
        balanced_of(device),
        partitions_of(device, target),
        64 - sum(len(one.codes) for one in classes),
        unnamed,
    )


def _check_sorting(device: Device) -> None:
    apart = sorted_apart(device)
    if apart is not None:
        port, cls, field = apart
        raise CannotRender(
            f"ports {port.key} sort {f'class {cls.name}' if cls is not None else 'packets'} otherwise than others: one "
            "classifier is written for the whole switch, and forwarding classes have one queue and priority each",
            "give the class the same dscp, queue and priority on all ports",
            (cls.at(field) if cls is not None else port.at("classes"),),
        )
    taken: dict[int, TrafficClass] = {}
    for cls in device.classes:
        for code in cls.dscps:
            other = taken.setdefault(code, cls)
            if other is not cls and other.queue != cls.queue:
                raise CannotRender(
                    f"DSCP {code} is of class {other.name} and of class {cls.name}: a classifier has one class for it",
                    "give each code point to one class",
                    (cls.at("dscp"), other.at("dscp")),
                )
    if device.dcbx is not None:
        raise CannotRender(
            "dcbx: which QFX have DCBX, and whether it is on by itself, is not known",
            "leave dcbx out",
            (device.at("dcbx"),),
        )


def _make_classes(device: Device) -> tuple[ForwardingClass, ...]:
    queues: dict[int, list[TrafficClass]] = {}
    for cls in device.classes:
        if cls.queue not in QUEUES:
            raise CannotRender(f"class {cls.name} has queue {cls.queue}: there are 0 to 7", "", (cls.at("queue"),))
        queues.setdefault(cls.queue, []).append(cls)
    tags = _tags_by_queue(device)
    out: list[ForwardingClass] = []
    priorities: dict[int, TrafficClass] = {}
    for queue, members in sorted(queues.items()):
        first = members[0]
        odd = next((c for c in members if c.lossless != first.lossless), None)
        if odd is not None:
            raise CannotRender(
                f"classes {first.name} and {odd.name} share queue {queue}, and one of them is lossless: a forwarding "
                "class "
                "is no-loss or not",
                "give each a queue of its own",
                (odd.at("lossless", "queue"), first.at("lossless", "queue")),
            )
        if first.lossless:
            other = next((c for c in members if c.priority != first.priority), None)
            if other is not None:
                raise CannotRender(
                    f"classes {first.name} and {other.name} share queue {queue}, but not the PFC priority",
                    "give both the same priority, or queues of their own",
                    (other.at("priority"), first.at("priority")),
                )
            same = priorities.setdefault(first.priority, first)
            if same is not first:
                raise CannotRender(
                    f"classes {same.name} and {first.name} have PFC priority {first.priority} in different queues: "
                    "congestion of one would pause both",
                    "give each a priority of its own",
                    (first.at("priority"), same.at("priority")),
                )
        codes = sorted({code for cls in members for code in cls.dscps})
        out.append(
            ForwardingClass(
                _class_name(first.name, [one.name for one in out]),
                queue,
                first.priority if first.lossless else None,
                tuple(bits(code, 6) for code in codes),
                tuple(bits(tag, 3) for tag in tags.get(queue, ())),
            )
        )
    return tuple(out)


def _class_name(name: str, taken: list[str]) -> str:
    """A forwarding class's name: none that the system has itself, of which some are lossless unasked."""
    stem = _UNSAFE.sub("-", name).upper()[:56]
    stem = f"{stem}-CLASS" if stem.lower() in _OWN else stem
    out, number = stem, 2
    while out in taken:
        out, number = f"{stem}-{number}", number + 1
    return out


def _tags_by_queue(device: Device) -> dict[int, list[int]]:
    """802.1p values by queue, where some port goes by them: those that nobody claims go where `rest` goes."""
    if all(port.trust != "pcp" for port in device.ports):
        return {}
    claimed: dict[int, TrafficClass] = {}
    for cls in device.classes:
        other = claimed.setdefault(cls.priority, cls)
        if other.queue != cls.queue:
            raise CannotRender(
                f"classes {other.name} and {cls.name} share 802.1p value {cls.priority}, but not the queue: a port "
                "that "
                "trusts it cannot tell them apart",
                "give each class a priority of its own, or trust dscp",
                (cls.at("priority"), other.at("priority")),
            )
    rest = next((cls.queue for cls in device.classes if cls.rest), None)
    out: dict[int, list[int]] = {}
    for tag in range(8):
        queue = claimed[tag].queue if tag in claimed else rest
        if queue is not None:
            out.setdefault(queue, []).append(tag)
    return out


def _class_of_untrusted(device: Device, names: dict[int, str]) -> str:
    cls = next((c for c in device.classes if c.rest or 0 in c.dscps), None)
    if cls is None:
        raise CannotRender(
            "ports that trust no mark need a class for all that comes in, and no class takes DSCP 0 or the rest",
            "add a class with dscp: rest",
            (device.at("classes"),),
        )
    return names[cls.queue]


def _make_profile(
    device: Device, port: PortGroup, classes: tuple[ForwardingClass, ...], timers: Timers | None, cable: float | None
) -> PfcProfile | None:
    if not port.pfc:
        return None
    if isinstance(port.headroom, Headroom):
        raise CannotRender(
            f"headroom of ports {port.key}: XOFF cannot be set, the system sizes headroom by speed, MTU and cable",
            "write headroom: auto, and state the cable",
            (port.at("headroom"),),
        )
    if port.trust == "none":
        raise CannotRender(
            f"ports {port.key} have PFC and trust no mark: nothing would be sorted into what is lossless",
            "write trust: dscp, or take the lossless class off these ports",
            (port.at("trust"),),
        )
    known = {one.priority: one for one in classes if one.priority is not None}
    missing = next((priority for priority in port.pfc if priority not in known), None)
    if missing is not None:
        raise CannotRender(
            f"PFC is on for priority {missing}, which no lossless class has",
            "give a lossless class that priority",
            (port.at("pfc", "classes"),),
        )
    paused = [known[priority] for priority in port.pfc]
    if any(not one.codes for one in paused) and port.trust == "dscp":
        raise CannotRender(
            f"class {next(one.name for one in paused if not one.codes)} is lossless and has no DSCP: PFC goes by DSCP",
            "give the class its dscp",
            (port.at("classes"),),
        )
    by_tag = port.trust == "pcp"
    return PfcProfile(
        timers,
        max(1, ceil(cable)) if cable is not None else None,
        "ieee-802.1" if by_tag else "dscp",
        tuple(bits(p, 3) for p in port.pfc) if by_tag else tuple(sorted(c for one in paused for c in one.codes)),
        device.buffers.lossless_mtu,
        tuple((bits(one.priority or 0, 3), one.queue) for one in paused),
    )


def _physical_mtu(device: Device, port: PortGroup) -> int | None:
    """The physical MTU: that of IP, the Ethernet header, and a tag on ports that go by it."""
    mtu = port.mtu if port.mtu is not None else device.mtu
    if mtu is None:
        return None
    at = port.at("mtu") if port.mtu is not None else device.at("mtu")
    tag = TAG if port.trust == "pcp" else 0
    return whole_number(mtu, (_MTU[0], _MTU[1] - tag), "an IP MTU", " B", at) + ETHERNET + tag


def _interface_names(port: PortGroup) -> tuple[str, ...]:
    if not port.names:
        return (_EVERY,)
    strange = next((name for name in port.names if _PORT.fullmatch(name) is None), None)
    if strange is not None:
        raise CannotRender(
            f"{strange} is no port of a QFX", "Junos counts from 0: et-0/0/0, et-0/0/0:1, ae0", (port.at("names", ""),)
        )
    if port.lag is not None:
        if _LAG.fullmatch(port.lag) is None:
            raise CannotRender(f"{port.lag} is no LAG of Junos", "write ae0, ae1 ...", (port.at("lag"),))
        return (port.lag,)
    return port.names


def _port_order(name: str) -> tuple[bool, tuple[int, ...], str]:
    """Ports as Junos lists them, LAGs behind them."""
    found = _PORT.fullmatch(name)
    numbers = tuple(int(number) for number in found.groups() if number is not None) if found is not None else ()
    return name.startswith("ae"), numbers, name


__all__ = ["SchedulerPlan", "View", "view_of"]
