"""The smallest change that makes a Junos configuration what is intended: set and delete lines, committed at once."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Wanted
from rocecfg.vendors.junos.change.config import SetConfig
from rocecfg.vendors.junos.change.steps import plan_steps
from rocecfg.vendors.junos.change.target import TargetStatements, list_unsettable


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:  # noqa: ARG001 - as of every vendor
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    have = SetConfig(running)
    if have.inherits:
        why = "statements of class-of-service come from groups: change or override them by hand"
        return Change((), running.text, (why,))
    meant = SetConfig(Document(0, "rendered", meant_text))
    made = TargetStatements(have, meant, wanted)
    active, beyond = made.activate()
    return Change(
        plan_steps(have.lines, made.lines, active),
        have.text_with(made.lines, active),
        (*made.beyond, *beyond, *list_unsettable(wanted)),
    )


__all__ = ["plan_change", "plan_steps"]
