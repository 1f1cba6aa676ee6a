"""SR Linux: one commit, confirmed, then saved; the checkpoint before it is what one returns to."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.rollout import at_once
from rocecfg.vendors.srlinux.procedure import VERIFY, procedure_of

plan_acts, plan_safeguards = at_once(procedure_of, lambda *_: VERIFY)


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With the name of the switch before it."""
    return f"set / system name host-name {name}\n{body}"
