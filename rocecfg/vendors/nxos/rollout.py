"""NX-OS: the lines of a change in safe order, typed one after the other; a checkpoint is what there was.

Graceful insertion and removal (`system mode maintenance`) draws traffic away.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.nxos.procedure import VERIFY, procedure_of
from rocecfg.vendors.rollout import at_once

plan_acts, plan_safeguards = at_once(procedure_of, lambda *_: VERIFY)


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show running-config` begins with."""
    return f"!Command: show running-config\nhostname {name}\n{body}"
