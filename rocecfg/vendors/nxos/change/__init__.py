"""The smallest change that makes a running-config of NX-OS what is intended: the lines that differ, in safe order."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Wanted
from rocecfg.vendors.nxos.change.steps import plan_steps
from rocecfg.vendors.nxos.change.target import TargetTree, list_unsettable
from rocecfg.vendors.nxos.change.tree import Tree


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:  # noqa: ARG001 - as of every vendor
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    have, meant = Tree(running), Tree(Document(0, "rendered", meant_text))
    made = TargetTree(have, meant, wanted)
    steps = plan_steps(have, made)
    typed = "".join(f"{line}\n" for step in steps for line in step.lines)
    after = f"{running.text.rstrip()}\n!\n{typed}" if steps else running.text
    return Change(steps, after, (*made.beyond, *list_unsettable(wanted)))


__all__ = ["plan_change", "plan_steps"]
