"""What a part of a configuration leaves unknown of a device, for a change that is worked out without drift's."""

from __future__ import annotations

from rocecfg.drift.intended import meant, read
from rocecfg.drift.labels import named
from rocecfg.drift.match import Pairs
from rocecfg.model import Device, Fabric
from rocecfg.source.document import Document, Sources
from rocecfg.vendors import row


def unsaid(
    fabric: Fabric, device: Device, path: str, text: str, sources: Sources, templates: str | None
) -> tuple[tuple[str, ...], str]:
    """The settings that are meant for a device and that its configuration does not say, as it is a part; and the mend.

    Nothing of a whole one. Raises CannotRender, and SourceError for what cannot be read.
    """
    document = Document(len(sources.documents), path, text)
    sources.documents.append(document)
    switches = read(document, device)
    if any(switch.running.whole for switch in switches):
        return (), ""
    means = meant(fabric, device, sources, templates)
    silent = [one for switch in switches for one in Pairs().compare(means, switch)[1].uncovered if one.silent]
    settings = dict.fromkeys(what for one in silent for what in one.settings)
    return tuple(named(settings)), f"give the whole configuration: {row(device.vendor or '').fetch}"
