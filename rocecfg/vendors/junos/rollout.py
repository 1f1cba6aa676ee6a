"""Junos: one commit, confirmed; the configuration before it is what rollback brings back.

A copy is saved beside Junos's own history; graceful shutdown of BGP draws traffic away.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.junos.procedure import VERIFY, procedure_of
from rocecfg.vendors.rollout import at_once

plan_acts, plan_safeguards = at_once(procedure_of, lambda *_: VERIFY)


def complete_config(body: str, name: str, device: Device) -> str:  # noqa: ARG001 - as of every system
    """With what `show configuration` begins with."""
    return f"system {{\n    host-name {name};\n}}\n{body}"
