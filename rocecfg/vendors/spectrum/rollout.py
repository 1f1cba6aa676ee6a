"""Cumulus Linux with NVUE: one pending change, applied at once; every applied one stays in a history."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.digits import is_number
from rocecfg.model import Device
from rocecfg.vendors.changes import Change
from rocecfg.vendors.rollout import Act, Acts, RolloutTask, Safeguards, act_at_once
from rocecfg.vendors.spectrum.notes import verify_commands

_UNITS = (5, 13)  # `nv set maintenance unit`; before it, BGP's graceful shutdown


def plan_acts(change: Change, task: RolloutTask) -> Acts:  # noqa: ARG001 - as of every system
    """One commit: NVUE orders what is in it by itself."""
    return act_at_once("One commit", change.steps)


def plan_safeguards(device: Device, acts: Sequence[Act], ports: tuple[str, ...], label: str) -> Safeguards:  # noqa: ARG001 - as of every system
    """Revisions of NVUE (nvue-reference, Config Commands); maintenance units of 5.13 and later."""
    release = _release_number(device)
    say = "mode {}" if release >= _UNITS or not release else "{}"
    on, off = ("enabled", "disabled") if release >= _UNITS or not release else ("on", "off")
    unit = "maintenance unit all-protocols" if release >= _UNITS or not release else "router bgp graceful-shutdown"
    return Safeguards(
        save=("nv config history  # note the revision that is applied now, as REV",),
        drain=(f"nv set {unit} {say.format(on)}", "nv config apply"),
        undrain=(f"nv set {unit} {say.format(off)}", "nv config apply"),
        keep=(),
        verify=tuple(verify_commands(ports, release)),
        back=('nv config apply "$REV"', "nv config save"),
        back_note="REV is the revision noted above; to have a change return by itself, apply it with nv config "
        "apply --confirm, and confirm it when the checks pass",
    )


def complete_config(body: str, name: str, device: Device) -> str:
    """With the header of NVUE's YAML and the name of the switch."""
    release = f", version: Cumulus Linux {device.version}" if device.version else ""
    return f"- header: {{nvue-api-version: nvue_v1{release}}}\n- set: {{system: {{hostname: {name}}}}}\n{body}"


def _release_number(device: Device) -> tuple[int, ...]:
    """The release of a device as numbers, as far as it has any: 5.14 -> (5, 14); (): not known."""
    text = device.release or ""
    return tuple(int(word) for word in text.split(".") if is_number(word))
