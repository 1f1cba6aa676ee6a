"""The smallest change that makes a running-config of EOS what is intended: the lines that differ, in one session."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.arista.change.steps import plan_steps
from rocecfg.vendors.arista.change.target import list_exposed_ports, list_unsettable, make_target
from rocecfg.vendors.arista.change.tree import parse_tree
from rocecfg.vendors.changes import Change, Wanted


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:  # noqa: ARG001 - as of every vendor
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    have, rendered = parse_tree(running.text), parse_tree(meant_text)
    becomes = make_target(have, rendered, wanted)
    made = plan_steps(have, becomes)
    typed = "".join(f"{line}\n" for step in made for line in step.lines)
    after = f"{running.text.rstrip()}\n!\n{typed}" if made else running.text
    return Change(made, after, (*list_unsettable(wanted), *list_exposed_ports(have, becomes, rendered)))


__all__ = ["make_target", "parse_tree", "plan_change", "plan_steps"]
