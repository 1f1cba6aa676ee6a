"""Junos: one commit, confirmed; the configuration before it is what rollback brings back."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device
from rocecfg.vendors.changes import Change
from rocecfg.vendors.junos.notes import VERIFY
from rocecfg.vendors.rollout import Act, Acts, RolloutTask, Safeguards, act_at_once


def plan_acts(change: Change, task: RolloutTask) -> Acts:  # noqa: ARG001 - as of every system
    """One commit: all of it is in force, or none."""
    return act_at_once("One commit", change.steps)


def plan_safeguards(device: Device, acts: Sequence[Act], ports: tuple[str, ...], label: str) -> Safeguards:  # noqa: ARG001 - as of every system
    """A copy is saved beside Junos's own history; graceful shutdown of BGP draws traffic away."""
    return Safeguards(
        save=(f"show configuration | save {label}.conf",),
        drain=(
            "configure exclusive",
            "set protocols bgp graceful-shutdown sender local-preference 0",
            "commit and-quit",
        ),
        undrain=("configure exclusive", "delete protocols bgp graceful-shutdown", "commit and-quit"),
        keep=(),
        verify=VERIFY,
        back=("configure exclusive", f"load override {label}.conf", "commit"),
        back_note="until a second commit confirms it, waiting 5 minutes returns too",
    )


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show configuration` begins with."""
    return f"system {{\n    host-name {name};\n}}\n{body}"
