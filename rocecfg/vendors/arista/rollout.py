"""EOS: one configuration session, committed at once; a checkpoint is what there was.

Maintenance mode draws BGP's traffic away (Arista's EOS manual).
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.arista.procedure import VERIFY, procedure_of
from rocecfg.vendors.rollout import at_once

plan_acts, plan_safeguards = at_once(procedure_of, lambda *_: VERIFY)


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show running-config` begins with."""
    return f"! Command: show running-config\nhostname {name}\n!\n{body}"
