"""A change as one patch: what drift would fix on a switch, on ports that are down too.

So a patch is empty where nothing differs, and else has the steps of drift's change. Counters that the intent has polled
are no setting that drift compares; a patch brings them.
"""

from __future__ import annotations

from typing import cast

from rocecfg.drift.changes import fix
from rocecfg.drift.files import Found
from rocecfg.drift.intended import meant, on_ports_with_pfc, read
from rocecfg.drift.labels import named
from rocecfg.drift.match import Pairs, wanted_of
from rocecfg.drift.run import Compared
from rocecfg.model import Device, Fabric
from rocecfg.source.document import Document, Sources
from rocecfg.vendors import part, row
from rocecfg.vendors.base import CannotRender, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.vendors.protocol import PatchWriter


def patch(fabric: Fabric, device: Device, path: str, text: str, sources: Sources, templates: str | None) -> Text:
    """What leads from `text`, the whole configuration of a device, to what is meant for it; `path` is its file.

    Raises CannotRender for what cannot be patched or is not known well enough, SourceError for what cannot be read.
    """
    vendor = row(device.vendor or "")
    writer = cast("PatchWriter", part(vendor.name, "writer"))  # the only ones that have this form
    writer.check_patch(device, text)
    document = Document(len(sources.documents), path, text)
    sources.documents.append(document)
    switches = read(document, device)
    switch = switches[0]
    if not device.names:
        device = on_ports_with_pfc(device, switch)
    means = meant(fabric, device, sources, templates)
    parts, coverage = Pairs().compare(means, switch)
    silent = dict.fromkeys(what for one in coverage.uncovered if one.silent for what in one.settings)
    if silent:
        raise CannotRender(
            f"{path}: a part of a configuration of {device.key or 'any device'}, and a patch would have to touch what "
            f"it does not say: {', '.join(named(silent))}",
            f"give the whole configuration: {vendor.fetch}",
        )
    found = Found(document, vendor.name, switch, device.key, alone=len(switches) == 1)
    fixed = fix(Compared(device.key, means, found, wanted_of(parts, down=True), coverage.uncovered), patched=True)
    if fixed.unknown:
        raise CannotRender(
            f"{path}: a patch would have to touch what is not known: {', '.join(fixed.unknown)}", fixed.fix
        )
    return writer.patch(fabric, device, document, fixed.change, templates)
