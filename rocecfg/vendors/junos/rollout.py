"""Junos: one commit, confirmed; the configuration before it is what rollback brings back."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device
from rocecfg.vendors.changes import Change
from rocecfg.vendors.junos.procedure import VERIFY, procedure_of
from rocecfg.vendors.rollout import Act, Acts, Ends, RolloutTask, Safeguards, act_at_once, make_safeguards


def plan_acts(change: Change, task: RolloutTask) -> Acts:
    """One commit: all of it is in force, or none."""
    return act_at_once(procedure_of(task.device), change.steps)


def plan_safeguards(
    device: Device,
    acts: Sequence[Act],  # noqa: ARG001 - as of every system
    ports: tuple[str, ...],  # noqa: ARG001 - as of every system
    label: str,
    ends: Ends,  # noqa: ARG001 - as of every system
) -> Safeguards:
    """A copy is saved beside Junos's own history; graceful shutdown of BGP draws traffic away."""
    return make_safeguards(procedure_of(device), VERIFY, label)


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show configuration` begins with."""
    return f"system {{\n    host-name {name};\n}}\n{body}"
