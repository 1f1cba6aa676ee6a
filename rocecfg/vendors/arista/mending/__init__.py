"""The smallest change that makes a running-config of EOS what is meant: lines that differ, the new before the old."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.arista.mending.lines import Lines
from rocecfg.vendors.arista.mending.session import steps, text_of
from rocecfg.vendors.arista.mending.statements import Said
from rocecfg.vendors.mending import Change, Wanted


def changes(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:  # noqa: ARG001 - as of every vendor
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    lines = Lines(Said(meant_text), Said(running.text))
    for port, settings in wanted.items():
        for what in sorted(settings, key=lambda w: (w.topic, w.number or 0, w.part)):
            lines.mend(port, what)
    made = lines.made()
    after = f"{running.text.rstrip()}\n!\n{text_of(made)}" if made else running.text
    return Change(steps(made), after, tuple(lines.beyond))


__all__ = ["changes"]
