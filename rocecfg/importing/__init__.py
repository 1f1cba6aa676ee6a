"""From what switches run to the intent that it amounts to."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.importing.build import build_intent
from rocecfg.importing.express import express_switch
from rocecfg.importing.format import SizeUnits, collect_sizes
from rocecfg.importing.links import KnownSwitch, find_links
from rocecfg.importing.texts import fit_switch
from rocecfg.importing.write import Import, write_intent
from rocecfg.intent import Loaded, load
from rocecfg.intent.types import NAME
from rocecfg.linting.config_files import find_config_files
from rocecfg.linting.discover import Overlaid
from rocecfg.model import Fabric
from rocecfg.model.stated import Val
from rocecfg.rules import BY_NAME, ERROR
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import KNOWN_TEXTS, VENDORS, join_names
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.running import fabric_of, read_drafts
from rocecfg.vendors.unsupported import identify_unsupported

Read = Sequence[tuple[Document, Sequence[Draft]]]  # what the readers make of each text
_INTENT = re.compile(r"^rocecfg\s*:", re.MULTILINE)
_SAY = f"give --from {join_names(VENDORS, 'or')}"


# -- the configurations that a user means: files, folders of them, standard input --------------------------------------


def read_configurations(
    paths: Sequence[str], sources: Sources, vendor: str | None
) -> list[tuple[Document, list[Draft]]]:
    """What the readers make of each file. `vendor`: what all of them are, however they look.

    Of a folder, what is not a configuration is passed over. Raises SourceError for the first file that cannot be read,
    and for a path that holds no configuration.
    """
    out: dict[str, tuple[Document, list[Draft]]] = {}
    for path in paths:
        found = False
        files = [*find_config_files(path, sources)] if os.path.isdir(path) else [path]
        sources.progress.start("files read", len(files))
        for file in files:
            sources.progress.step()
            if file in out:
                continue
            document = sources.read(file)
            kind = None if _INTENT.search(document.text) else vendor or vendor_of(document.text)
            if kind is not None:
                found = True
                out[file] = document, read_drafts(document, kind)
        if not found:
            raise SourceError(path, *_explain_none(path, sources))
    return list(out.values())


def _explain_none(path: str, sources: Sources) -> tuple[str, str]:
    """What to say of a path without a configuration, and the fix."""
    document = sources.find_known(path)
    if document is None:
        return "no configuration of a switch in it or below", f"name the files, and {_SAY}"
    if _INTENT.search(document.text):
        return "is an intent already", "`rocecfg show` prints its effective values"
    alike = identify_unsupported(document.text)
    if alike is None:
        return "is not a known switch configuration", _SAY
    wording = f"is not a known switch configuration: it is {alike.what}"
    return wording, alike.fix or KNOWN_TEXTS


# -- what they amount to -----------------------------------------------------------------------------------------------


class Imported(NamedTuple):
    """The text of an intent, and the fabric that it was made from, with what was wrong in the configurations."""

    text: str
    running: Loaded
    given: Import

    def with_warnings(self, warnings: Sequence[str]) -> Imported:
        """The same, with comments at its head: on what was left out, and on switches that cannot be rendered."""
        return self._replace(text=write_intent(self.given, warnings))


def import_intent(root: str, read: Read, sources: Sources, platform: str | None = None) -> Imported:
    """The intent that switches amount to. `root`: the file or folder that was given.

    `platform`: of the switches whose configuration does not tell theirs. Raises SourceError where no switch was read.
    """
    if platform is not None:
        read = [(document, [_set_platform(draft, platform) for draft in switches]) for document, switches in read]
    running = fabric_of(root, [(document, list(switches)) for document, switches in read], [], sources)
    if running.fabric is None:
        raise SourceError(root, "there is no switch in it")
    names = _name_switches(running.fabric)
    found = [draft for _, drafts in read for draft in drafts]
    devices = running.fabric.devices  # one for each, in the same order
    sizes = SizeUnits(size for device in devices for size in collect_sizes(device))
    switches = [
        fit_switch(express_switch(name, draft, device, sizes), device)
        for name, draft, device in zip(names, found, devices, strict=True)
    ]
    known = [
        KnownSwitch(
            name, draft.name, frozenset(port for group in draft.device.ports for port in group.names), draft.neighbours
        )
        for name, draft in zip(names, found, strict=True)
    ]
    named, after = _name_fabric(root, names[0])
    given = Import(
        named, after, build_intent(switches), switches, find_links(known), [d for d, _ in read], sources.documents
    )
    return Imported(write_intent(given), running, given)


def _set_platform(draft: Draft, platform: str) -> Draft:
    if draft.stated.keys() & {"platform", "asic"}:
        return draft
    return draft._replace(stated={**draft.stated, "platform": Val(platform, draft.at)})


def _name_switches(fabric: Fabric) -> list[str]:
    """The names of the switches, in the order they were read; those that an intent does not take, changed."""
    out: dict[str, None] = {}
    for name in (name for device in fabric.devices for name in device.names):
        tame = base = name.strip("._-") or "switch"
        number = 2
        while tame in out:
            tame, number = f"{base}-{number}", number + 1
        out[tame] = None
    return list(out)


def _name_fabric(root: str, first: str) -> tuple[str, str]:
    """A name for the fabric, and what it is guessed from."""
    folder = os.path.basename(os.path.abspath(root)) if os.path.isdir(root) else ""
    name, after = (folder, "the name of the folder") if folder else (first, "the name of the first switch")
    tame = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "-" for c in name)[:32]
    return (tame, after) if NAME.fits(tame) else (f"fabric-{tame}"[:32], after)


# -- what is written is tried first ------------------------------------------------------------------------------------


class WouldNotLoad(Exception):
    """An import that its own loader refuses: our fault, never the user's."""


def check_loads(path: str, text: str, running: Loaded, sources: Sources | None = None) -> Loaded:
    """The text, loaded as if it stood at `path`, into `sources`. Raises WouldNotLoad.

    What was wrong in the configurations too (a port that the platform does not have) is no fault of the import.
    """
    loaded = load(path, sources if sources is not None else Overlaid(path, text.encode()))
    known = {problem.rule for problem in running.problems}
    for error in loaded.errors:
        raise WouldNotLoad(str(error))
    for problem in loaded.problems:
        if (problem.severity or BY_NAME[problem.rule].severity) == ERROR and problem.rule not in known:
            line = text.count("\n", 0, problem.at.start) + 1
            raise WouldNotLoad(f"line {line}: {problem.message}")
    return loaded
