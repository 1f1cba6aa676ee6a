"""The smallest change that makes what NVUE has set what is meant: `nv set` and `nv unset` of leaves that differ."""

from __future__ import annotations

from rocecfg.model import Device
from rocecfg.source.document import Document
from rocecfg.vendors.mending import Change, Wanted
from rocecfg.vendors.spectrum.mending.commands import steps, text_after
from rocecfg.vendors.spectrum.mending.leaves import Leaves
from rocecfg.vendors.spectrum.mending.paths import Paths
from rocecfg.vendors.spectrum.reading.operations import configuration


def changes(meant_text: str, running: Document, wanted: Wanted, device: Device) -> Change:
    """What leads from `running` to what `meant_text`, a rendering, says of the settings that are `wanted`."""
    release = device.version
    meant = Leaves(configuration(Document(running.number, running.path, meant_text), release).tree)
    have = Leaves(configuration(running, release).tree)
    ports = [(name, group) for group in device.ports for name in group.names]
    paths = Paths(meant, have, {n: group.lag for n, group in ports}, {n: group.mtu for n, group in ports})
    for port, settings in wanted.items():
        for what in sorted(settings, key=lambda w: (w.topic, w.number or 0, w.part)):
            paths.mend(port, what)
    made = paths.made()
    return Change(steps(made), text_after(running.text, made), tuple(paths.beyond))


__all__ = ["changes"]
