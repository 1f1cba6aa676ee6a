"""The smallest change that makes a running-config of EOS what is meant: the lines that differ, in one session."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.arista.change.steps import ATOMIC, steps
from rocecfg.vendors.arista.change.target import list_exposed_ports, list_unsettable, target
from rocecfg.vendors.arista.change.tree import tree
from rocecfg.vendors.changes import Change, Wanted


def changes(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:  # noqa: ARG001 - as of every vendor
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    have, rendered = tree(running.text), tree(meant_text)
    becomes = target(have, rendered, wanted)
    made = steps(have, becomes)
    typed = "".join(f"{line}\n" for step in made for line in step.lines)
    after = f"{running.text.rstrip()}\n!\n{typed}" if made else running.text
    return Change(made, after, (*list_unsettable(wanted), *list_exposed_ports(have, becomes, rendered)))


__all__ = ["ATOMIC", "changes", "steps", "target", "tree"]
