"""EOS: one configuration session, committed at once; a checkpoint is what there was."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.model import Device
from rocecfg.vendors.arista.notes import VERIFY
from rocecfg.vendors.changes import Change
from rocecfg.vendors.rollout import Act, Acts, RolloutTask, Safeguards, act_at_once

_SESSION = "roce"  # the session that the change is typed into
_UNIT = ("configure", "maintenance", "unit System")


def plan_acts(change: Change, task: RolloutTask) -> Acts:  # noqa: ARG001 - as of every system
    """One session: all of it is in force at commit, or none."""
    return act_at_once("One session", change.steps)


def plan_safeguards(device: Device, acts: Sequence[Act], ports: tuple[str, ...], label: str) -> Safeguards:  # noqa: ARG001 - as of every system
    """Sessions and checkpoints of EOS; maintenance mode draws BGP's traffic away (Arista's EOS manual)."""
    return Safeguards(
        save=(f"configure checkpoint save {label}",),
        drain=(*_UNIT, "quiesce", "end", "show maintenance"),
        undrain=(*_UNIT, "no quiesce", "end", "show maintenance"),
        keep=(),
        verify=VERIFY,
        back=(f"configure checkpoint restore {label}", "copy running-config startup-config"),
        back_note=f"while the commit timer runs, configure session {_SESSION} abort returns too, and so does waiting",
    )


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show running-config` begins with."""
    return f"! Command: show running-config\nhostname {name}\n!\n{body}"
