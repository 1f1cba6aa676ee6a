"""From what switches run to the intent that it amounts to."""

from __future__ import annotations

import os
from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing.build import build
from rocecfg.importing.express import expressed
from rocecfg.importing.format import Sizes, sizes_in
from rocecfg.importing.links import Known, cabling
from rocecfg.importing.platforms import fitted
from rocecfg.importing.refusals import Refusal
from rocecfg.importing.write import Import, intent_text
from rocecfg.intent import Loaded
from rocecfg.intent.types import NAME
from rocecfg.model import Fabric
from rocecfg.model.stated import Val
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.running import fabric_of

Read = Sequence[tuple[Document, Sequence[Draft]]]  # what the readers make of each text


class Imported(NamedTuple):
    """The text of an intent, and the fabric that it was made from, with what was wrong in the configurations."""

    text: str
    running: Loaded
    given: Import

    def with_refusals(self, refused: Sequence[Refusal]) -> Imported:
        """The same, with comments on switches that cannot be rendered."""
        return self._replace(text=intent_text(self.given, [str(each) for each in refused]))


def imported(root: str, read: Read, sources: Sources, platform: str | None = None) -> Imported:
    """The intent that switches amount to. `root`: the file or folder that was given.

    `platform`: of the switches whose configuration does not tell theirs. Raises SourceError where no switch was read.
    """
    if platform is not None:
        read = [(document, [_on_platform(draft, platform) for draft in switches]) for document, switches in read]
    running = fabric_of(root, [(document, list(switches)) for document, switches in read], [], sources)
    if running.fabric is None:
        raise SourceError(root, "there is no switch in it")
    names = _names(running.fabric)
    found = [draft for _, drafts in read for draft in drafts]
    devices = running.fabric.devices  # one for each, in the same order
    sizes = Sizes(size for device in devices for size in sizes_in(device))
    switches = [
        fitted(expressed(name, draft, device, sizes), device)
        for name, draft, device in zip(names, found, devices, strict=True)
    ]
    known = [
        Known(name, draft.name, frozenset(port for group in draft.ports for port in group.names), draft.neighbours)
        for name, draft in zip(names, found, strict=True)
    ]
    named, after = _name(root, names[0])
    given = Import(named, after, build(switches), switches, cabling(known), [d for d, _ in read], sources.documents)
    return Imported(intent_text(given), running, given)


def _on_platform(draft: Draft, platform: str) -> Draft:
    if draft.stated.keys() & {"platform", "asic"}:
        return draft
    return draft._replace(stated={**draft.stated, "platform": Val(platform, draft.at)})


def _names(fabric: Fabric) -> list[str]:
    """The names of the switches, in the order they were read; those that an intent does not take, changed."""
    out: dict[str, None] = {}
    for name in (name for device in fabric.devices for name in device.names):
        tame = base = name.strip("._-") or "switch"
        number = 2
        while tame in out:
            tame, number = f"{base}-{number}", number + 1
        out[tame] = None
    return list(out)


def _name(root: str, first: str) -> tuple[str, str]:
    """A name for the fabric, and what it is guessed from."""
    folder = os.path.basename(os.path.abspath(root)) if os.path.isdir(root) else ""
    name, after = (folder, "the name of the folder") if folder else (first, "the name of the first switch")
    tame = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "-" for c in name)[:32]
    return (tame, after) if NAME.fits(tame) else (f"fabric-{tame}"[:32], after)
