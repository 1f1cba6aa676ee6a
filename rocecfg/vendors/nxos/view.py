"""From the model to plain values that the templates print: every decision is made here, none in a template."""

from __future__ import annotations

import re
from collections import Counter

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import ranges
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.nxos.queues import Queue, queues_on
from rocecfg.vendors.nxos.release import CLASS_MTU, Target, port_order, target_of

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_LONGEST = 40  # characters of a name of a class or policy
NETWORK, OUTPUT, INPUT = "ROCE-NQ", "ROCE-OUT", "ROCE-IN"
_BY_TAG = "-COS"
_SIDES = {"on": ("receive", "send"), "rx": ("receive",), "tx": ("send",)}


class Sorted(NamedTuple):
    """A class of a policy that classifies: its class-map, and the qos-group."""

    name: str
    match: str  # "": of class-default, which has no class-map
    group: int


class NetworkClass(NamedTuple):
    """A class of the network-qos policy."""

    name: str
    mtu: int
    priority: int | None  # that it is paused by; None: it may drop


class Interface(NamedTuple):
    """What stands under one interface, or under every one of a kind that the intent does not name."""

    name: str  # "": not named
    mode: str
    watch: str
    mtu: int | None
    pauses: tuple[str, ...]  # sides of 802.3x
    input: str | None
    output: str | None


class View(NamedTuple):
    """All that one device's text says."""

    target: Target
    lldp: bool
    inputs: tuple[tuple[str, tuple[Sorted, ...]], ...]
    network_name: str
    network: tuple[NetworkClass, ...]
    outputs: tuple[tuple[str, tuple[Queue, ...]], ...]
    output: str  # for all ports that have none of their own
    watched: bool
    interfaces: tuple[Interface, ...]
    unnamed: tuple[Interface, ...]
    unmapped: int  # code points of no class


def view_of(device: Device) -> View:
    """What the text of a device says; CannotRender for what NX-OS cannot say."""
    lossless = {cls.priority for cls in device.classes if cls.lossless}
    queues = [queues_on(device, port) for port in device.ports]
    usual = Counter(of for of, port in zip(queues, device.ports, strict=True) for _ in port.names or ("",))
    names: dict[tuple[Queue, ...], str] = {}
    for of, _ in usual.most_common():
        names[of] = OUTPUT if not names else f"{OUTPUT}-{len(names) + 1}"
    trusts = {port.trust for port in device.ports}
    inputs = {trust: name for trust, name in (("dscp", INPUT), ("pcp", INPUT + _BY_TAG)) if trust in trusts}
    interfaces: dict[str, Interface] = {}
    unnamed: list[Interface] = []
    for port, of in zip(device.ports, queues, strict=True):
        one = _make_interface(device, port, inputs.get(port.trust), names[of] if names[of] != OUTPUT else None)
        for name in _list_names(port):
            interfaces.setdefault(name, one._replace(name=name))
        if not port.names:
            unnamed.append(one)
    listed = sorted(interfaces.values(), key=lambda each: port_order(each.name) or ("", ()))
    return View(
        target_of(device),
        device.dcbx == "on",
        tuple((name, _sort_packets(device, trust)) for trust, name in inputs.items()),
        NETWORK,
        _list_network(device, lossless),
        tuple((name, of) for of, name in names.items()),
        OUTPUT,
        any(each.watch == "on" for each in (*listed, *unnamed)),
        tuple(listed),
        tuple(unnamed),
        device.maps.dscp_to_tc.count(None),
    )


def _make_interface(device: Device, port: PortGroup, into: str | None, output: str | None) -> Interface:
    tlv = " send-tlv" if device.dcbx == "on" else ""
    mtu = port.mtu if port.mtu is not None else device.mtu
    return Interface(
        "",
        f"on{tlv}" if port.pfc else "off",
        "on" if port.pfc and port.watchdog is not None else "off",
        None if mtu is None else int(mtu),
        _SIDES.get(port.flowcontrol, ()),
        into,
        output,
    )


def _list_names(port: PortGroup) -> tuple[str, ...]:
    names = port.names if port.lag is None else (port.lag,)
    strange = next((name for name in names if port_order(name) is None), None)
    if strange is not None and port.names:
        raise CannotRender(
            f"{strange} is not a port of NX-OS",
            "NX-OS counts from 1: Ethernet1/1, Ethernet1/1/1, port-channel1",
            (port.at("names", ""),),
        )
    return names if port.names else ()


def _sort_packets(device: Device, trust: str) -> tuple[Sorted, ...]:
    """The classes of a policy, those of the intent in order; what no class takes goes to the last."""
    rest = next((cls.tc for cls in device.classes if cls.rest), 0)
    taken: set[int] = set()
    out: list[Sorted] = []
    for cls in device.classes:
        if trust == "dscp":
            codes = [] if cls.rest else [code for code in cls.dscps if device.maps.dscp_to_tc[code] == cls.tc]
        else:
            codes = [] if cls.rest else [cls.priority]
        codes = [code for code in codes if code not in taken]
        taken.update(codes)
        if codes:
            word = "dscp" if trust == "dscp" else "cos"
            out.append(Sorted(_name_class(cls, [one.name for one in out], trust), f"{word} {ranges(codes)}", cls.tc))
    return (*out, Sorted("class-default", "", rest))


def _name_class(cls: TrafficClass, taken: list[str], trust: str) -> str:
    end = _BY_TAG if trust == "pcp" else ""
    stem = f"ROCE-{_UNSAFE.sub('-', cls.name).upper()}"[: _LONGEST - 8]
    name, number = stem + end, 2
    while name in taken:
        name, number = f"{stem}-{number}{end}", number + 1
    return name


def _list_network(device: Device, lossless: set[int]) -> tuple[NetworkClass, ...]:
    """The classes of the groups that are used, and the default one."""
    used = sorted({cls.tc for cls in device.classes} - {0})
    named = [NetworkClass(f"c-8q-nq{tc}", CLASS_MTU, tc if tc in lossless else None) for tc in used]
    return (*named, NetworkClass("c-8q-nq-default", CLASS_MTU, None))
