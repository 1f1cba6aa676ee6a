"""EOS: one configuration session, committed at once; a checkpoint is what there was."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device
from rocecfg.vendors.arista.procedure import VERIFY, procedure_of
from rocecfg.vendors.changes import Change
from rocecfg.vendors.rollout import Act, Acts, Ends, RolloutTask, Safeguards, act_at_once, make_safeguards


def plan_acts(change: Change, task: RolloutTask) -> Acts:
    """One session: all of it is in force at commit, or none."""
    return act_at_once(procedure_of(task.device), change.steps)


def plan_safeguards(
    device: Device,
    acts: Sequence[Act],  # noqa: ARG001 - as of every system
    ports: tuple[str, ...],  # noqa: ARG001 - as of every system
    label: str,
    ends: Ends,  # noqa: ARG001 - as of every system
) -> Safeguards:
    """Sessions and checkpoints of EOS; maintenance mode draws BGP's traffic away (Arista's EOS manual)."""
    return make_safeguards(procedure_of(device), VERIFY, label)


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show running-config` begins with."""
    return f"! Command: show running-config\nhostname {name}\n!\n{body}"
