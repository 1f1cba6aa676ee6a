"""What the head of the file tells the reader: how to apply it, what it is for, what it disturbs, what it leaves out."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import fields

from rocecfg.core.nodeset import fold_for_shell
from rocecfg.core.units import show_time
from rocecfg.model import Computed, Device, Fabric, Headroom, Watchdog
from rocecfg.vendors.base import Apply, Do, name_facts
from rocecfg.vendors.procedure import Disturbance, Procedure, judge_commands
from rocecfg.vendors.spectrum.pfc import DEFAULT_CABLE, OFF
from rocecfg.vendors.spectrum.procedure import APPLY, CONFIRM, DIFF, SAVE, procedure_in, with_faults
from rocecfg.vendors.spectrum.queues import shares_stated
from rocecfg.vendors.spectrum.ranges import fold_numbers, fold_ports, parse_port
from rocecfg.vendors.spectrum.release import NEWEST, SMALL_PACKETS
from rocecfg.vendors.spectrum.view import View

_COUNTERS = (5, 5)  # `counters qos`; before it, `qos counters`
# In 5.13 a relative path does nothing (NVIDIA 4449947)
_LOADED = {"nvue": 'nv config patch "$PWD/FILE"', "commands": "bash FILE"}
_RECORD = "rocecfg-not-confirmed"  # in the home of whoever runs it
_NOT_OURS = ("model", "template", "shared_headroom", "oversubscribe", "lossless_mtu", "response", "private_headroom")


def notes_of(fabric: Fabric, device: Device, view: View, form: str) -> tuple[str, ...]:
    """One line each, most wanted first. `device` is the model of what `view` says."""
    return (
        *_notes_on_applying(device, view, form),
        *_notes_on_ports(device, view),
        *_notes_on_classes(fabric, device, view),
        *_notes_on_buffers(device, view),
        *_notes_on_watchdog(device, view),
    )


def apply_of(device: Device, view: View, form: str, notes: Sequence[str]) -> Apply:
    """How a file with these notes is applied."""
    procedure = with_faults(procedure_in(view.release.number), device)
    disturbs = judge_commands(procedure, _commands_in(view))
    load = _LOADED[form]
    names = tuple(n for g in device.ports for n in g.names)
    checks = tuple(verify_commands(names, view.release.number))
    patch = Do(
        f"Make it the pending change, check the change, apply it: it rolls back after {procedure.minutes} minutes "
        "unless confirmed.",
        (load, *procedure.show, *procedure.commit),
    )
    look = [Do("Check that it works as intended.", checks)] if checks else []
    if others := verify_others(names, view.release.number):
        look.append(Do("These show one port. The same for each other port:", tuple(others)))
    return Apply(
        notes[0],
        disturbs.why,
        (patch,),
        tuple(look),
        procedure.save,
        tuple(line for line in notes[1:] if not line.startswith(("Apply: ", "Disturbs: "))),
        tuple(_script(procedure, disturbs, load, checks)),
        confirm=procedure.confirm,
        drained=disturbs.drained,
        confirm_note=procedure.confirm_note,
    )


def _script(procedure: Procedure, disturbs: Disturbance, load: str, checks: Sequence[str]) -> Iterator[str]:
    """`nv config diff` of 5.14.0 returns 1 for changes that it shows (NVIDIA 4616352): what it prints counts.

    A run that stops before it confirms leaves nothing that differs, and the timer: a record says so to the next one.
    """
    yield "command -v nv > /dev/null || stop 'run it on the switch: NVUE is missing here'"
    yield f"ask {shlex.quote(disturbs.question)}"
    yield load.replace('"$PWD/FILE"', '"$FILE"').replace(" FILE", ' "$FILE"')
    yield f"PENDING=$({DIFF}) || [ -n \"$PENDING\" ] || stop '{DIFF} fails'"
    yield f"WAITS=$HOME/{_RECORD}"
    yield 'if [ -n "$PENDING" ]; then'
    yield '  echo "$PENDING"'
    yield f"  ask 'Apply it? It rolls back after {procedure.minutes} minutes unless confirmed.'"
    yield '  : > "$WAITS"'
    yield f"  {APPLY} ${{YES:+--assume-yes}} --confirm"
    yield f'elif [ -n "$(find "$WAITS" -mmin -{procedure.minutes} 2> /dev/null || true)" ]; then'
    yield "  echo 'Nothing changes: an earlier run applied this, but did not confirm it'"
    yield "else"
    yield "  echo 'Nothing changes: already applied'"
    yield '  rm -f "$WAITS"'
    yield "fi"
    yield from (f"{line} || true" for line in checks)
    yield "ask 'Does it work as intended? The next step confirms and saves it.'"
    yield 'if [ -e "$WAITS" ]; then'
    yield f"  {CONFIRM} || stop {shlex.quote(f'{CONFIRM} fails; {procedure.confirm_note}')}"
    yield '  rm -f "$WAITS"'
    yield "fi"
    yield SAVE


def _commands_in(view: View) -> Iterator[str]:
    """What a file sets, as far as it disturbs something."""
    yield "set qos pfc"
    if view.balancing is not None and view.balancing.adaptive is not None:
        yield f"set router adaptive-routing {view.balancing.key} {view.balancing.adaptive}"


def _notes_on_applying(device: Device, view: View, form: str) -> Iterator[str]:
    release = view.release
    word = " (assumed: the intent states no version)" if release.assumed else ""
    yield f"RoCE settings for Cumulus Linux {release.text}{word}, NVUE"
    yield from name_facts(device)
    procedure = with_faults(procedure_in(release.number), device)
    yield f"Apply: {procedure._replace(load=(_LOADED[form],)).way}; {SAVE}"
    yield f"Disturbs: {judge_commands(procedure, _commands_in(view)).why}"
    names = [n for g in device.ports for n in g.names if parse_port(n) is not None]
    keys = fold_ports(tuple(names))
    loop = f"; for PORT in {fold_for_shell(tuple(names))}; do nv unset interface $PORT qos; done" if names else ""
    unset = f"; nv unset interface {keys[0]} qos" if len(keys) == 1 else loop
    yield (
        "It merges into the current settings: QoS of an earlier file stays unless this one sets it; to drop it, "
        f"first (in the same pending change): nv unset qos{unset}"
    )
    if any(port is not None and port.lane >= 0 for port in map(parse_port, names)):
        yield "Ports are broken out: apply the breakout before this file, not together"


def _notes_on_ports(device: Device, view: View) -> Iterator[str]:
    if not any(g.names for g in device.ports):
        if any(g.pfc and g.watchdog is not None for g in device.ports):
            yield "Names no port: turn the watchdog on with nv set interface PORTS qos pfc-watchdog state enable"
    elif view.lossless:
        yield "Ports not named in the intent get default-global: PFC as below, no watchdog"
    yield from _notes_on_pfc(device, view)
    yield from _notes_on_links(device)


def _notes_on_pfc(device: Device, view: View) -> Iterator[str]:
    bare = [g.key for g in device.ports if g.pfc and g.names and g.watchdog is None]
    if bare:
        yield f"No watchdog, as the intent states: {', '.join(bare)}"
    if any(named.states == OFF for named in view.pfc):
        off = [
            _show_port(n, "qos pfc") for g in device.ports if not g.pfc for n in g.names if parse_port(n) is not None
        ]
        yield (
            "PFC is off on ports without a lossless class: a profile without priority, tx and rx disabled (inferred "
            f"from NVIDIA's pages on profiles){f'; check with {off[0]}' if off else ''}"
        )


def _notes_on_links(device: Device) -> Iterator[str]:
    off_chip = sorted({n for g in device.ports for n in g.names if parse_port(n) is None})
    if off_chip:
        yield f"Not ports of the switch chip, so nothing is set there: {', '.join(off_chip)}"
    if any(g.lag for g in device.ports):
        yield "Ports of a bond: profiles are set on the bond, the watchdog on its members"
    if any(g.pfc and g.cable is None for g in device.ports):
        yield f"Cable length not stated: {DEFAULT_CABLE} m assumed, as by `qos roce`"
    mtus = sorted({g.mtu for g in device.ports if g.mtu is not None})
    if mtus:
        yield f"MTU is not set here (intent: {', '.join(map(str, mtus))}; Cumulus Linux has 9216 by default)"


def _notes_on_classes(fabric: Fabric, device: Device, view: View) -> Iterator[str]:
    if not view.lossless:
        yield "No class is lossless: `qos roce` is off, and its implied settings are stated or absent"
    elif fabric.mode == "semi-lossless":
        yield "Semi-lossless: pauses are obeyed (rx), none are sent (tx)"
    if fabric.classification == "vendor":
        yield "Unclaimed DSCPs keep the vendor's map: DSCP / 8 is the switch priority"
    by_speed = [c.name for c in device.classes if c.ecn_by_speed and any(g.speed is None for g in device.ports)]
    if by_speed:
        yield f"ECN by_speed of {', '.join(by_speed)} is left out for ports without a stated speed"
    if not shares_stated(device):
        yield "No class states its bandwidth: non-strict queues get equal shares"
    idle = sorted({tc for tc, _ in view.schedulers[0].states.rows} - {tc for _, tc in view.queues.rows})
    if idle:
        yield f"Unused traffic class {fold_numbers(idle)}: set to strict, so that it takes no DWRR share"


def _notes_on_buffers(device: Device, view: View) -> Iterator[str]:
    stated = device.buffers
    if view.lossless and stated.lossless_pool is None and stated.lossy_pool is None:
        yield "Traffic pools 50/50, as with `qos roce`; state buffers.pools to change it"
    if any(g.pfc and isinstance(g.headroom, Headroom) for g in device.ports):
        yield "The intent fixes headroom; NVIDIA advises letting Cumulus Linux compute it (headroom: auto)"
    not_ours = _NOT_OURS if view.release.number >= SMALL_PACKETS else (*_NOT_OURS, "small_packets")
    left = [f.name for f in fields(stated) if f.name in not_ours and getattr(stated, f.name)]
    if left:
        yield f"Without counterpart in NVUE, left out: buffers {', '.join(left)}"
    if device.dcbx not in (None, "off"):
        yield f"dcbx: {device.dcbx} is not set here"


def _notes_on_watchdog(device: Device, view: View) -> Iterator[str]:
    dogs = [g.watchdog for g in device.ports if g.pfc and g.watchdog is not None]
    timers = view.timers
    if timers is not None and timers.polling is not None and timers.robustness is not None:
        real = timers.polling * timers.robustness
        wanted = sorted({d.detection for d in dogs if d.detection is not None and d.detection != real})
        if wanted:
            yield (
                f"Watchdog: detection_time {', '.join(map(show_time, wanted))} becomes {show_time(real)} "
                f"({timers.robustness} polls of {show_time(timers.polling)})"
            )
    restore = sorted({d.restoration for d in dogs if d.restoration is not None and _is_restoration_stated(d)})
    if restore:
        yield (
            f"Watchdog: restoration_time {', '.join(map(show_time, restore))} has no counterpart"
            f"{f' up to {NEWEST[0]}.{NEWEST[1]}' if view.release.number > NEWEST else ''}: "
            "the queue is lossless again after one poll without pauses"
        )


def _is_restoration_stated(watchdog: Watchdog) -> bool:
    """Whether the restoration time was asked for, not computed from the detection time."""
    return not isinstance(watchdog.at("restoration"), Computed)


def verify_commands(ports: tuple[str, ...], release: tuple[int, ...]) -> list[str]:
    """Commands that show PFC, its watchdog and ECN as they work, for the first front-panel port."""
    return [_show_port(port, what) for port in _front_ports(ports)[:1] for what in _shown(release)]


def verify_others(ports: tuple[str, ...], release: tuple[int, ...]) -> list[str]:
    """The same for the other ports, as a loop of bash."""
    others = _front_ports(ports)[1:]
    typed = "; ".join(_show_port("$PORT", what) for what in _shown(release))
    return [f"for PORT in {fold_for_shell(others)}; do {typed}; done"] if others else []


def _front_ports(ports: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(port for port in ports if parse_port(port) is not None)


def _show_port(port: str, what: str) -> str:
    return f"nv show interface {port} {what}"


def _shown(release: tuple[int, ...]) -> tuple[str, ...]:
    counters = "qos counters" if release and release < _COUNTERS else "counters qos"
    return "qos pfc", f"{counters} pfc-stats", "qos pfc-watchdog", "qos roce counters"
