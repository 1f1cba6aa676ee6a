"""What the head of the file tells the reader: how to apply it, what it is for, what it disturbs, what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.model import Device, Fabric, Headroom
from rocecfg.vendors.arista.procedure import PROCEDURE, SHOW_DIFFS, VERIFY
from rocecfg.vendors.arista.queues import Queue
from rocecfg.vendors.arista.release import FLOOR_KBPS, STRATA
from rocecfg.vendors.arista.view import View
from rocecfg.vendors.base import Apply, apply_with_timer, name_facts
from rocecfg.vendors.procedure import judge_commands

_DISTURBS = judge_commands(PROCEDURE, ("qos profile ROCE",))  # every file has one


def notes_of(fabric: Fabric, device: Device, view: View) -> tuple[str, ...]:
    """One line each, most wanted first. `device` is the model of what `view` says."""
    return (
        *_notes_on_applying(device, view),
        *_notes_on_ports(fabric, device, view),
        *_notes_on_queues(device, view),
        *_notes_on_watchdog(device, view),
    )


def apply_of(notes: Sequence[str]) -> Apply:
    """How a file with these notes is applied."""
    return apply_with_timer(PROCEDURE, notes, _DISTURBS, VERIFY)


def _notes_on_applying(device: Device, view: View) -> Iterator[str]:
    target = view.target
    version = f" {target.version}" if target.version else ""
    if target.assumed:
        version += " (assumed, the intent states no release)" if version else " (the intent states no release)"
    yield f"RoCE settings for EOS{version}, chip family {target.family}"
    yield from name_facts(device)
    yield f"Apply: {PROCEDURE.way}"
    yield f"Disturbs: {_DISTURBS.why}"
    yield (
        "Lines merge: a profile of the same name keeps settings that are not listed here; to clear it, begin the "
        f"session with {'; '.join(f'no qos profile {name}' for name, _ in view.profiles)} (no source was found for it: "
        f"check {SHOW_DIFFS})"
    )
    yield "Not included: speed, FEC, addresses, VLANs, LAGs, routing; they stay unchanged"


def _notes_on_ports(fabric: Fabric, device: Device, view: View) -> Iterator[str]:
    for port in view.unnamed:
        lines = [f"mtu {port.mtu}"] if port.mtu else []
        lines += [f"flowcontrol send {port.send}", f"flowcontrol receive {port.receive}"]
        lines += [f"service-profile {port.profile}"]
        lines += [f"{view.queue} {queue}, random-detect ecn count" for queue in port.counted]
        yield f"Names no port: add below every interface that carries RoCE: {'; '.join(lines)}"
    if any(port.lag for port in device.ports):
        yield "LAG ports: check with show qos interfaces that the member ports have the profile"
    if view.unmapped:
        why = "classification is vendor" if fabric.classification == "vendor" else "no class claims them"
        yield (
            f"{view.unmapped} code points are not mapped, {why}: the switch keeps its map for them "
            "(EOS default: DSCP 0-7 to traffic class 1, 8-15 to 0, 16-23 to 2, 24-31 to 3 and so on)"
        )


def _notes_on_queues(device: Device, view: View) -> Iterator[str]:
    queues = [queue for _, profile in view.profiles for queue in profile.queues]
    yield from _notes_on_marking(device, view, queues)
    yield from _notes_on_scheduling(queues)
    if any(port.pfc and not isinstance(port.headroom, Headroom) for port in device.ports):
        yield "Headroom: EOS sizes it itself"
    if view.balancing is not None:
        yield (
            "Load balancing: that EOS accepts the command on this chip is inferred from other switches with it: "
            "check the answer of configure session, and show running-config after the commit"
        )


def _notes_on_marking(device: Device, view: View, queues: Sequence[Queue]) -> Iterator[str]:
    thresholds = [n for queue in queues if queue.ecn for n in (queue.ecn.kmin, queue.ecn.kmax)]
    cell = device.asic.cell if device.asic else None
    if view.target.family == STRATA and any(n % (cell or n + 1) for n in thresholds):
        size = f" of {cell} B" if cell else ""
        yield f"ECN thresholds: EOS rounds bytes to buffer cells{size}"


def _notes_on_scheduling(queues: Sequence[Queue]) -> Iterator[str]:
    if any(f"{FLOOR_KBPS}" == queue.guaranteed for queue in queues):
        yield (
            f"bandwidth guaranteed {FLOOR_KBPS} (kbit/s): the watchdog watches only queues with a guarantee "
            "(Arista's manual as quoted by one source)"
        )
    strict = [queue.number for queue in queues if queue.strict]
    shared = [queue.number for queue in queues if not queue.strict]
    if strict and shared and min(strict) < max(shared):
        yield (
            f"Strict queue {min(strict)} is below round-robin queue {max(shared)}: check with show qos interfaces "
            "that EOS kept it strict"
        )


def _notes_on_watchdog(device: Device, view: View) -> Iterator[str]:
    if any(port.pfc and port.watchdog is None for port in device.ports):
        yield (
            "PFC without a watchdog, as the intent states: no source was found for `no priority-flow-control pause "
            f"watchdog`, so check {SHOW_DIFFS}"
        )
    watched = [port.watchdog for port in device.ports if port.pfc and port.watchdog]
    if any(watchdog.action is None for watchdog in watched):
        yield (
            "Watchdog action: EOS's default, errdisable. A pause storm takes the port down, and without errdisable "
            "recovery cause stuck-queue it may stay down"
        )
    if view.recovery:
        yield "Watchdog errdisable: the port comes back after the errdisable recovery interval, 300 s unless set"
    if any(watchdog.action not in (None, "errdisable") for watchdog in watched):
        yield "Watchdog action: some platforms answer Unavailable command; the ports then keep errdisable"
