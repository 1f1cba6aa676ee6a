"""From the model to plain values that the templates print: every decision is made here, none in a template."""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.balancing import Balanced, balanced_of
from rocecfg.vendors.junos.buffers import Partitions, partitions_of
from rocecfg.vendors.junos.classes import ForwardingClass, class_of_untrusted, make_classes
from rocecfg.vendors.junos.limits import ETHERNET, TAG
from rocecfg.vendors.junos.pfc import PfcProfile, make_profile
from rocecfg.vendors.junos.queues import Drops, Scheduler, SchedulerMap, plan_schedulers
from rocecfg.vendors.junos.release import Target, target_of

_PORT = re.compile(r"(?:et|xe|ge|mge)-(\d{1,3})/(\d{1,3})/(\d{1,4})(?::(\d{1,3}))?|ae(\d{1,4})")
_EVERY = "et-*"
_CLASSIFIERS = {"dscp": ("dscp", "ROCE"), "pcp": ("ieee-802.1", "ROCE")}  # by what is trusted: kind and name
_PAUSES = {
    "on": ("flow-control",),
    "rx": ("configured-flow-control rx-buffers on", "configured-flow-control tx-buffers off"),
    "tx": ("configured-flow-control rx-buffers off", "configured-flow-control tx-buffers on"),
}


class Interface(NamedTuple):
    """What stands under one interface of class-of-service."""

    name: str
    profile: str | None
    map: str
    classifier: tuple[str, str] | None  # kind, name
    fixed: str | None  # forwarding class of all that comes in


class InterfaceView(NamedTuple):
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
    maps: tuple[SchedulerMap, ...]
    interfaces: tuple[Interface, ...]
    links: tuple[InterfaceView, ...]
    balanced: Balanced | None
    partitions: Partitions | None
    unmapped: int  # code points of no class
    unnamed_mtu: int | None  # physical, of ports that are not named


def view_of(device: Device) -> View:
    """What the text of a device says; CannotRender for what Junos cannot say."""
    target = target_of(device)
    classes = make_classes(device)
    names = {one.queue: one.name for one in classes}
    plan = plan_schedulers(device, names)
    profiles: dict[PfcProfile, str] = {}
    interfaces: dict[str, Interface] = {}
    links: dict[str, InterfaceView] = {}
    unnamed = None
    cables = _cables_of(device)
    for number, port in enumerate(device.ports):
        profile = make_profile(device, port, classes, cables[number])
        if profile is not None and profile not in profiles:
            profiles[profile] = "ROCE-PFC" if not profiles else f"ROCE-PFC-{len(profiles) + 1}"
        mtu = _physical_mtu(device, port)
        pauses = _PAUSES.get(port.flowcontrol, ())
        for name in _interface_names(port):
            fixed = class_of_untrusted(device, names) if port.trust == "none" else None
            bound = profiles[profile] if profile is not None else None
            one = Interface(name, bound, plan.of[number], _CLASSIFIERS.get(port.trust), fixed)
            interfaces.setdefault(name, one)
            if port.names and (mtu is not None or pauses):
                links[name] = InterfaceView(name, mtu, pauses)
            elif not port.names:
                unnamed = mtu
    trusts = {port.trust for port in device.ports}
    return View(
        target,
        classes,
        tuple(kind for trust, (kind, _) in _CLASSIFIERS.items() if trust in trusts),
        plan.drops,
        tuple((name, profile) for profile, name in profiles.items()),
        plan.schedulers,
        plan.maps,
        tuple(sorted(interfaces.values(), key=lambda each: _port_order(each.name))),
        tuple(sorted(links.values(), key=lambda each: _port_order(each.name))),
        balanced_of(device),
        partitions_of(device),
        64 - sum(len(one.codes) for one in classes),
        unnamed,
    )


def _cables_of(device: Device) -> list[float | None]:
    """The cable of each group of ports: a LAG has one, which one of its groups may state for all."""
    of_lags = {port.lag: port.cable for port in device.ports if port.lag is not None and port.cable is not None}
    return [
        of_lags.get(port.lag) if port.cable is None and port.lag is not None else port.cable for port in device.ports
    ]


def _physical_mtu(device: Device, port: PortGroup) -> int | None:
    """The physical MTU: that of IP, the Ethernet header, and a tag on ports that go by it."""
    mtu = port.mtu if port.mtu is not None else device.mtu
    if mtu is None:
        return None
    return int(mtu) + ETHERNET + (TAG if port.trust == "pcp" else 0)


def _interface_names(port: PortGroup) -> tuple[str, ...]:
    if not port.names:
        return (_EVERY,)
    strange = next((name for name in port.names if _PORT.fullmatch(name) is None), None)
    if strange is not None:
        raise CannotRender(
            f"{strange} is not a port of a QFX",
            "Junos counts from 0: et-0/0/0, et-0/0/0:1, ae0",
            (port.at("names", ""),),
        )
    return port.names if port.lag is None else (port.lag,)


def _port_order(name: str) -> tuple[bool, tuple[int, ...], str]:
    """Ports as Junos lists them, LAGs behind them."""
    found = _PORT.fullmatch(name)
    numbers = tuple(int(number) for number in found.groups() if number is not None) if found is not None else ()
    return name.startswith("ae"), numbers, name
