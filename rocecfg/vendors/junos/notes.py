"""What the head of the file tells the reader: how to apply it, what it is for, what it disturbs, what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.core.units import show_size
from rocecfg.model import Device, Ecn, Fabric
from rocecfg.vendors.base import Apply, apply_with_timer, name_facts
from rocecfg.vendors.junos.procedure import PROCEDURE, VERIFY
from rocecfg.vendors.junos.release import EVOLVED, JUNOS
from rocecfg.vendors.junos.view import View
from rocecfg.vendors.procedure import judge_commands

_WITH_BRACES = PROCEDURE._replace(
    load=tuple(line.replace("load set", "load replace") for line in PROCEDURE.load),
    load_file=tuple(line.replace("load set", "load replace") for line in PROCEDURE.load_file),
)
_LOADED = {"curly": _WITH_BRACES, "set": PROCEDURE}
_DISTURBS = judge_commands(PROCEDURE, ("set class-of-service forwarding-classes", "set class-of-service schedulers"))
_SYSTEM = {EVOLVED: "Junos OS Evolved", JUNOS: "Junos OS", None: "Junos"}


def notes_of(fabric: Fabric, device: Device, view: View, form: str) -> tuple[str, ...]:
    """One line each, most wanted first. `device` is the model of what `view` says."""
    return (
        *_notes_on_applying(device, view, form),
        *_notes_on_ports(fabric, device, view),
        *_notes_on_queues(device, view),
    )


def apply_of(notes: Sequence[str], form: str) -> Apply:
    """How a file with these notes is applied."""
    return apply_with_timer(_LOADED[form], notes, _DISTURBS, VERIFY)


def _notes_on_applying(device: Device, view: View, form: str) -> Iterator[str]:
    target = view.target
    version = f" {target.version}" if target.version else ""
    if target.assumed:
        version += " (assumed, the intent states no release)" if version else " (the intent states no release)"
    yield f"RoCE settings for {_SYSTEM.get(target.family, 'Junos')}{version}"
    yield from name_facts(device)
    yield f"Apply: {_LOADED[form].way}"
    yield f"Disturbs: {_DISTURBS.why}"
    yield (
        "Lines merge, except the objects named here and all forwarding classes, which are replaced: commit check "
        "refuses other classifiers that name a removed class"
    )
    yield "Not included: speed, FEC, addresses, units, VLANs, routing; they stay unchanged"


def _notes_on_ports(fabric: Fabric, device: Device, view: View) -> Iterator[str]:
    if any(each.name == "et-*" for each in view.interfaces):
        yield "Names no port: et-* is every port of that kind; xe- and ae interfaces need lines of their own"
        if view.unnamed_mtu is not None:
            yield f"Names no port: add for every port that carries RoCE: set interfaces PORT mtu {view.unnamed_mtu}"
    if view.links:
        yield (
            "mtu counts the Ethernet header: IP MTU + 14, + 18 where packets are tagged; a family mtu of a unit must "
            "not exceed the rest"
        )
    if any(port.lag for port in device.ports):
        yield "LAG ports: class-of-service is configured on the LAG"
    if view.unmapped:
        why = "classification is vendor" if fabric.classification == "vendor" else "no class claims them"
        yield f"{view.unmapped} code points are not classified, {why}: Junos treats them as best effort"
    if any(port.flowcontrol == "off" for port in device.ports) and view.target.family == JUNOS:
        yield "802.3x: off unless the switch has flow-control; nothing is written for it"


def _notes_on_queues(device: Device, view: View) -> Iterator[str]:
    limit = device.buffers.queue_limit
    in_bytes = [
        cls
        for cls in device.classes
        for curve in (cls.ecn, *(c for _, c in cls.ecn_by_speed))
        if isinstance(curve, Ecn)
    ]
    if view.drops and limit and in_bytes:
        step = show_size(limit // 100)
        yield (
            f"Fill levels are 100 x threshold / {show_size(limit)} (buffers.queue_limit), in whole percent of {step}: "
            "they are exact only if a queue can always have that much (dedicated or static buffers); a queue in a "
            "dynamic pool marks earlier, the fuller the others are"
        )
    elif view.drops:
        yield (
            "Fill levels are percent of the queue's buffer, whose size Juniper does not publish; check show "
            "interfaces queue buffer-occupancy under load"
        )
    if any(one.strict and one.shape is None for one in view.schedulers):
        yield "A strict-high queue without max_rate may starve the others: give its class a max_rate, such as 5%"
    shares = {one.name: one.share or 0 for one in view.schedulers}
    full = any(sum(shares[name] for _, name in each.rows) >= 100 for each in view.maps)
    if full and not any(cls.queue == 7 for cls in device.classes):
        yield (
            "Queue 7 (network-control), which by default sends the switch's own BGP, BFD and LLDP, has no class and "
            "so no scheduler, but the others take 100 percent: give priority 7 a class, strict with a max_rate"
        )
    if view.partitions is None and view.profiles:
        yield "Buffers: the partitions stay unchanged; show class-of-service shared-buffer prints them"
