"""Device configurations as a fabric: each switch in the intent's terms, resolved with the same profiles."""

from __future__ import annotations

import os
from collections.abc import Iterable

from rocecfg.core.records import NamedTuple
from rocecfg.intent import Loaded
from rocecfg.intent.read import Read
from rocecfg.intent.resolve import resolve
from rocecfg.model import Link, Span
from rocecfg.model.stated import NotUnderstood, Problem, Section, Val
from rocecfg.model.switch import Neighbour, Switch
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import part
from rocecfg.vendors.own_platforms import Owned
from rocecfg.vendors.running_pools import configured
from rocecfg.vendors.sections import section_of


class Said(NamedTuple):
    """What one switch's configuration says, small enough to be handed from one process to another."""

    name: str | None
    at: Span
    section: Section
    problems: tuple[Problem, ...]
    neighbours: tuple[Neighbour, ...]
    unread: tuple[NotUnderstood, ...] = ()  # statements on queues, PFC and buffers


def said(document: Document, vendor: str, release: str | None = None) -> list[Said]:
    """What a vendor's reader makes of a text: one for each switch in it. Raises SourceError for what it cannot read."""
    reader = part(vendor, "reader")
    return [
        Said(switch.name, switch.at, section_of(switch), switch.problems, switch.neighbours, _unread(switch))
        for switch in reader.read(document, release)
    ]


def _unread(switch: Switch) -> tuple[NotUnderstood, ...]:
    """The statements that were not understood; one that is about several queues or ports counts once."""
    return tuple(dict.fromkeys(NotUnderstood(one.at, one.message) for one in switch.unread))


def fabric_of(
    root: str, read: Iterable[tuple[Document, list[Said]]], errors: list[SourceError], sources: Sources
) -> Loaded:
    """The fabric that switches make up. `root`: the file or folder asked about; `errors`: of files left out.

    Raises SourceError for a profile of the user's that cannot be read.
    """
    found = Read(root, running=True)
    found.errors += errors
    devices: Section = {}
    owned = Owned(os.path.dirname(root), sources.allowed)
    ends: dict[str, tuple[str, tuple[Neighbour, ...]]] = {}
    for document, switches in read:
        found.files.append(document)
        for switch in switches:
            name = _named(switch.name, document, devices)
            found.problems += (problem._replace(device=name) for problem in switch.problems)
            devices[name] = Val(_with_platform(switch.section, owned), switch.at)
            ends.setdefault(switch.name or name, (name, switch.neighbours))
    files = tuple(d.path for d in found.files)
    unread = tuple(one for _, switches in read for switch in switches for one in switch.unread)
    if not devices:
        return Loaded(root, None, files, found.problems, found.errors, unread)
    at = next(iter(devices.values())).at
    folder = os.path.isdir(root)
    name = os.path.basename(os.path.abspath(root)) if folder else next(iter(devices))
    found.section = {
        "fabric": Val({"name": Val(name, at)}, at),
        "classes": Val({}, at),
        "rocecfg": Val(1, at),
        "devices": Val(devices, at),
    }
    links = _links(ends)
    if links:
        found.section["links"] = Val(links, at)
    fabric = configured(resolve(found, sources))
    return Loaded(root, fabric, files, found.problems, found.errors, unread)


def _with_platform(section: Section, owned: Owned) -> Section:
    """A switch with the platform that a team's own profiles have for its HwSKU, if any."""
    hwsku = section.get("hwsku")
    platform = owned.platform_of(hwsku.value) if hwsku is not None else None
    return section if hwsku is None or platform is None else {**section, "platform": Val(platform, hwsku.at)}


def _links(ends: dict[str, tuple[str, tuple[Neighbour, ...]]]) -> list[Link]:
    """The cables between switches of the fabric, each once, whichever end tells of it."""
    found: dict[frozenset[tuple[str, str]], Link] = {}
    for here, neighbours in ends.values():
        for neighbour in neighbours:
            far = ends.get(neighbour.device)
            if far is None or neighbour.far_port is None or far[0] == here:
                continue
            there = far[0], neighbour.far_port
            at = neighbour.at
            found.setdefault(
                frozenset(((here, neighbour.port), there)),
                Link(here, neighbour.port, *there, None, at.doc, *(at.start, at.end) * 3),
            )
    return list(found.values())


def _named(said: str | None, document: Document, taken: Section) -> str:
    """A name for a switch that no other has: its own, else its file's."""
    stem = os.path.splitext(os.path.basename(document.path))[0]
    name = _safe(said or stem)
    if name in taken:
        name = _safe(f"{name}-{stem}")
    first, number = name, 2
    while name in taken:
        name, number = f"{first}-{number}", number + 1
    return name


def _safe(name: str) -> str:
    """What a node set takes as one name."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name).strip("-.") or "switch"
