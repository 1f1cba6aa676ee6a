"""Cumulus Linux with NVUE: one pending change, applied at once; every applied one stays in a history."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device
from rocecfg.vendors.changes import Change
from rocecfg.vendors.procedure import release_number
from rocecfg.vendors.rollout import Act, Acts, Ends, RolloutTask, Safeguards, act_at_once, make_safeguards
from rocecfg.vendors.spectrum.notes import verify_commands
from rocecfg.vendors.spectrum.procedure import procedure_of


def plan_acts(change: Change, task: RolloutTask) -> Acts:
    """One commit: NVUE orders what is in it by itself."""
    return act_at_once(procedure_of(task.device), change.steps)


def plan_safeguards(
    device: Device,
    acts: Sequence[Act],  # noqa: ARG001 - as of every system
    ports: tuple[str, ...],
    label: str,
    ends: Ends,  # noqa: ARG001 - as of every system
) -> Safeguards:
    """Revisions of NVUE (nvue-reference, Config Commands); maintenance units of 5.13 and later."""
    return make_safeguards(procedure_of(device), verify_commands(ports, release_number(device)), label)


def complete_config(body: str, name: str, device: Device) -> str:
    """With the header of NVUE's YAML and the name of the switch."""
    release = f", version: Cumulus Linux {device.version}" if device.version else ""
    return f"- header: {{nvue-api-version: nvue_v1{release}}}\n- set: {{system: {{hostname: {name}}}}}\n{body}"
