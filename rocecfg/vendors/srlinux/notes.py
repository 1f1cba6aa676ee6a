"""What the head of the file tells the reader: how to apply it, what it is for, what it disturbs, what it leaves out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.core.units import show_size
from rocecfg.model import Device, Fabric
from rocecfg.vendors.base import Apply, apply_with_timer, name_facts
from rocecfg.vendors.procedure import judge_commands
from rocecfg.vendors.srlinux.procedure import PROCEDURE, VERIFY
from rocecfg.vendors.srlinux.queues import RESERVATION
from rocecfg.vendors.srlinux.view import View

_DISTURBS = judge_commands(PROCEDURE, ("set / qos pfc-mapping-profile", "set / qos classifiers"))


def notes_of(fabric: Fabric, device: Device, view: View) -> tuple[str, ...]:
    """One line each, most wanted first. `device` is the model of what `view` says."""
    return (*_notes_on_applying(device, view), *_notes_on_ports(device, view), *_notes_on_queues(fabric, device, view))


def apply_of(notes: Sequence[str]) -> Apply:
    """How a file with these notes is applied."""
    return apply_with_timer(PROCEDURE, notes, _DISTURBS, VERIFY)


def _notes_on_applying(device: Device, view: View) -> Iterator[str]:
    target = view.target
    yield f"RoCE settings for SR Linux {target.version}" + (
        " (assumed, the intent states no release)" if target.assumed else ""
    )
    yield from name_facts(device)
    yield f"Apply: {PROCEDURE.way}; save startup"
    yield f"Disturbs: {_DISTURBS.why}"
    yield "Lines merge with what runs: what an older text defined stays, and drift shows it"
    yield "Not included: port speed, FEC, addresses, subinterface types, routing; they stay unchanged"


def _notes_on_ports(device: Device, view: View) -> Iterator[str]:
    if not view.named:
        for row in view.rows:
            yield "Names no port: type the lines of qos interfaces for each port that carries RoCE, as of PORT here:"
            base = "set / qos interfaces interface PORT"
            yield f"{base} interface-ref interface PORT"
            if row.mapping:
                yield f"{base} pfc pfc-mapping-profile {row.mapping}"
                yield f"{base} pfc pfc-enable true"
            if row.ingress:
                yield f"{base} input pfc-buffer-allocation-profile {row.ingress}"
            if row.egress:
                yield f"{base} output buffer-allocation-profile {row.egress}"
            for queue, profile in row.marked:
                yield f"{base} output queues queue {queue} queue-management-profile {profile}"
            if row.scheduler:
                yield f"{base} output scheduler scheduler-policy {row.scheduler}"
            yield f"{base}.{view.unit} interface-ref interface PORT"
            yield f"{base}.{view.unit} interface-ref subinterface {view.unit}"
            yield f"{base}.{view.unit} input classifiers dscp-policy {view.classifier}"
    elif view.rows:
        yield (f"Subinterface {view.unit} of each port is sorted by DSCP: it must be there; others need the policy too")
    if any(row.ip_mtu is not None for row in view.rows):
        yield "mtu counts the Ethernet header (14 B), ip-mtu does not"
    if any(port.lag for port in device.ports):
        yield "LAG ports: qos is configured on the LAG"


def _note_crowding(device: Device, view: View) -> Iterator[str]:
    """Thresholds of PFC queues that the buffer cannot hold at once: each is above its kmax."""
    known = dict(view.ingress)
    held = [pause for row in view.rows if row.ingress is not None for _, pause, _ in known[row.ingress].rows]
    chip = device.asic.usable_buffer if device.asic is not None else None
    beside = None if chip is None else chip * (100 - RESERVATION) // 100
    if beside is not None and sum(held) > beside:
        yield (
            f"{len(held)} PFC queues pause at {show_size(sum(held))} together, and the buffer has {show_size(beside)} "
            "beside headroom: should most fill at once, packets are dropped before they pause; lower kmax"
        )


def _notes_on_queues(fabric: Fabric, device: Device, view: View) -> Iterator[str]:
    unmapped = 64 - len(view.codes)
    if unmapped and not any(cls.queue == 0 for cls in view.classes):
        why = "classification is vendor" if fabric.classification == "vendor" else "no class claims them"
        yield f"{unmapped} code points are not classified, {why}: SR Linux gives them fc0"
    for name, rows in view.egress:
        limits = ", ".join(f"{queue} {show_size(limit)}" for queue, limit in rows)
        yield f"{name}: a queue that marks needs a fixed limit, and packets beyond it are dropped: {limits}"
    if view.ingress:
        yield "PFC queues pause above kmax, so that ECN marks before PFC pauses (5/4 of it, as EDA's defaults)"
        yield from _note_crowding(device, view)
    if view.reservation is not None:
        yield (
            f"pfc-buffer-reservation {view.reservation} percent is that of Nokia's published fabrics; look at "
            "total-packet-pfc-discards under load: it must stay 0"
        )
