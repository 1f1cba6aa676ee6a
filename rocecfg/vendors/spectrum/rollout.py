"""Cumulus Linux with NVUE: one pending change, applied at once; every applied one stays in a history.

NVUE orders what is in a change by itself. Revisions: nvue-reference, Config Commands. Maintenance units: from 5.13 on.
"""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.vendors.procedure import release_number
from rocecfg.vendors.rollout import at_once
from rocecfg.vendors.spectrum.notes import verify_commands, verify_others
from rocecfg.vendors.spectrum.procedure import procedure_of

plan_acts, plan_safeguards = at_once(
    procedure_of,
    lambda device, ports: [
        line for verify in (verify_commands, verify_others) for line in verify(ports, release_number(device))
    ],
)


def complete_config(body: str, name: str, device: Device) -> str:
    """With the header of NVUE's YAML and the name of the switch."""
    release = f", version: Cumulus Linux {device.version}" if device.version else ""
    return f"- header: {{nvue-api-version: nvue_v1{release}}}\n- set: {{system: {{hostname: {name}}}}}\n{body}"
