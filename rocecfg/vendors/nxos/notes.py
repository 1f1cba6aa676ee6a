"""What the head of the file tells the reader: how to apply it, what it is for, what it disturbs, what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.model import Device, Fabric
from rocecfg.vendors.base import Apply, Do, name_facts
from rocecfg.vendors.nxos.procedure import PROCEDURE, VERIFY
from rocecfg.vendors.nxos.view import View
from rocecfg.vendors.procedure import judge_commands

_EVERY = ("policy-map type network-qos ROCE-NQ", "priority-flow-control mode on", "policy-map type qos ROCE-IN")
_DISTURBS = judge_commands(PROCEDURE, _EVERY)  # of kinds that every file has
_LABEL = "roce"


def notes_of(fabric: Fabric, device: Device, view: View) -> tuple[str, ...]:
    """One line each, most wanted first. `device` is the model of what `view` says."""
    return (
        *_notes_on_applying(device, view),
        *_notes_on_ports(fabric, device, view),
        *_notes_on_watchdog(device, view),
    )


def apply_of(notes: Sequence[str]) -> Apply:
    """How a file with these notes is applied. Its lines take effect as they are read: there is no timer."""
    return Apply(
        notes[0],
        _DISTURBS.why,
        (
            Do("In this folder, copy the file to the switch, which needs feature scp-server.", (PROCEDURE.copy,)),
            Do("Keep what runs now, to return to.", tuple(line.format(label=_LABEL) for line in PROCEDURE.aside)),
            Do("Load it. Each line takes effect as it is read, policies before what binds them.", PROCEDURE.load_file),
        ),
        (
            Do("Check that it works as intended.", VERIFY),
            Do(
                "If it does not, return to what was kept.",
                tuple(line.format(label=_LABEL) for line in PROCEDURE.back[:1]),
            ),
        ),
        PROCEDURE.save,
        tuple(line for line in notes[1:] if not line.startswith(("Apply: ", "Disturbs: "))),
        drained=_DISTURBS.drained,
    )


def _notes_on_applying(device: Device, view: View) -> Iterator[str]:
    target = view.target
    version = f" {target.version}" if target.version else ""
    if target.assumed:
        version += " (assumed, the intent states no release)" if version else " (the intent states no release)"
    yield f"RoCE settings for NX-OS{version}"
    yield from name_facts(device)
    yield f"Apply: {PROCEDURE.aside[0].format(label=_LABEL)}; {PROCEDURE.way}"
    yield f"Disturbs: {_DISTURBS.why}"
    yield (
        "Lines merge: a policy or class-map of the same name keeps lines that are not listed here; the names begin "
        "with ROCE"
    )
    yield "Not included: speed, FEC, addresses, VLANs, LAGs, routing; they stay unchanged"


def _notes_on_ports(fabric: Fabric, device: Device, view: View) -> Iterator[str]:
    for port in view.unnamed:
        lines = [f"priority-flow-control mode {port.mode}", f"priority-flow-control watch-dog-interval {port.watch}"]
        lines += [f"mtu {port.mtu}"] if port.mtu else []
        lines += [f"service-policy type qos input {port.input}"] if port.input else []
        yield f"Names no port: add below every interface that carries RoCE: {'; '.join(lines)}"
    if any(port.lag for port in device.ports):
        yield "LAG ports: PFC and policies are configured on the port-channel, and hold for its members"
    if view.unmapped:
        why = "classification is vendor" if fabric.classification == "vendor" else "no class claims them"
        yield f"{view.unmapped} code points are not classified, {why}: their packets are in qos-group 0"
    if any(port.pfc for port in device.ports):
        yield "Headroom: NX-OS sizes it itself, for cables up to 100 m; longer ones need pause buffer-size by hand"


def _notes_on_watchdog(device: Device, view: View) -> Iterator[str]:
    if view.watched:
        yield (
            "Watchdog: on, with the switch's own times: the ranges of its interval and multipliers are not published; "
            "show queuing pfc-queue detail tells them"
        )
    if any(port.pfc and port.watchdog is None for port in device.ports):
        yield "PFC without a watchdog, as the intent states: a pause storm can stop the fabric"
