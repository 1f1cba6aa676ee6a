"""The smallest change that makes what NVUE has set what is intended: `nv set` and `nv unset` of leaves that differ."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Wanted
from rocecfg.vendors.spectrum.change import leaves
from rocecfg.vendors.spectrum.change.steps import append_to_text, find_difference, plan_steps
from rocecfg.vendors.spectrum.change.target import list_unsettable, make_target
from rocecfg.vendors.spectrum.procedure import procedure_of


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    meant = leaves.rendered_leaves(Document(running.number, running.path, meant_text), device)
    have = leaves.running_leaves(running, device.version)
    made = make_target(have, meant, wanted)
    return Change(
        plan_steps(have, made, procedure_of(device)),
        append_to_text(running.text, find_difference(have, made)),
        list_unsettable(wanted),
    )


__all__ = ["leaves", "make_target", "plan_change", "plan_steps"]
