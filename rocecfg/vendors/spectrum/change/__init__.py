"""The smallest change that makes what NVUE has set what is meant: `nv set` and `nv unset` of leaves that differ."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.changes import Change, Wanted
from rocecfg.vendors.spectrum.change import leaves
from rocecfg.vendors.spectrum.change.steps import ATOMIC, difference, plan_steps, text_after
from rocecfg.vendors.spectrum.change.target import beyond, make_target


def plan_change(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    meant = leaves.rendered(Document(running.number, running.path, meant_text), device)
    have = leaves.running(running, device.version)
    made = make_target(have, meant, wanted)
    return Change(plan_steps(have, made), text_after(running.text, difference(have, made)), beyond(wanted))


__all__ = ["ATOMIC", "leaves", "make_target", "plan_change", "plan_steps"]
