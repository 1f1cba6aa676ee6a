"""The change that makes an SR Linux configuration what is intended: set and delete lines, committed at once."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Wanted
from rocecfg.vendors.srlinux.change.steps import plan_steps
from rocecfg.vendors.srlinux.change.target import TargetStatements, list_unsettable
from rocecfg.vendors.srlinux.release import target_of


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    made = TargetStatements(running, Document(0, "rendered", meant_text), wanted)
    return Change(
        plan_steps(made.have, made.lines, listed=target_of(device).listed),
        made.text(),
        (*made.beyond, *list_unsettable(wanted)),
    )
