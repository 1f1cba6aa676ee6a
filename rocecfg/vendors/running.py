"""Device configurations as a fabric: each switch in the model's terms, with what profiles make of it."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator

from rocecfg.intent import Loaded
from rocecfg.intent.platforms import Boxes, Shelf
from rocecfg.intent.precedence import EMPTY
from rocecfg.model import Default, Device, Fabric, Link, Pools, PortGroup, RunningGroup, RunningPool
from rocecfg.model.fabric import UNLESS_STATED
from rocecfg.model.fates import WAY, add_up_fates
from rocecfg.model.frozen import replace
from rocecfg.model.stated import Problem, Section, Val
from rocecfg.model.switch import Neighbour
from rocecfg.profiles import FOLDER
from rocecfg.profiles.releases import newest_before
from rocecfg.source.bounds import Bounds
from rocecfg.source.document import Document, SourceError, Sources
from rocecfg.vendors import part
from rocecfg.vendors.draft import Draft, draft_of
from rocecfg.vendors.fates import OF_FINDING

_OF_RELEASE = ("device-value", "device-unknown")  # what a later release may take


def read_drafts(document: Document, vendor: str, release: str | None = None) -> list[Draft]:
    """What a vendor's reader makes of a text: one for each switch in it. Raises SourceError for what it cannot read."""
    return [draft_of(switch) for switch in part(vendor, "reader").read(document, release)]


def fabric_of(
    root: str, read: Iterable[tuple[Document, list[Draft]]], errors: list[SourceError], sources: Sources
) -> Loaded:
    """The fabric that switches make up. `root`: the file or folder asked about; `errors`: of files left out.

    Raises SourceError for a profile of the user's that cannot be read.
    """
    files: list[str] = []
    problems: list[Problem] = []
    drafts: dict[str, Draft] = {}
    ends: dict[str, tuple[str, tuple[Neighbour, ...]]] = {}
    for document, switches in read:
        files.append(document.path)
        for draft in switches:
            name = _make_unique_name(draft.name, document, drafts)
            problems += (problem._replace(device=name) for problem in (*draft.problems, *_find_second_ways(draft)))
            drafts[name] = draft
            ends.setdefault(draft.name or name, (name, draft.neighbours))
    unread = tuple(one for draft in drafts.values() for one in draft.unread)
    fates = add_up_fates(draft.fates for draft in drafts.values())
    if not drafts:
        return Loaded(root, None, tuple(files), problems, list(errors), unread, fates)
    folder = os.path.dirname(root)
    at = next(iter(drafts.values())).at
    boxes = Boxes(Shelf(folder, sources.allowed), at, EMPTY, EMPTY, problems, {}, running=True)
    owned = OwnPlatforms(folder, sources.allowed)
    links = _link_neighbours(ends)
    named = ((replace(draft.device, names=(name,), key=name), draft.stated) for name, draft in drafts.items())
    devices = (boxes.complete(device, _with_platform(stated, owned)) for device, stated in named)
    fabric = Fabric(
        name=os.path.basename(os.path.abspath(root)) if os.path.isdir(root) else next(iter(drafts)),
        devices=tuple(map(_with_stated_buffers, devices)),
        links=links,
        sections=frozenset(("fabric", "classes", "rocecfg", "devices", *(("links",) if links else ()))),
        broken=frozenset(name for draft in drafts.values() for name in draft.broken),
        running=True,
        origins={"": at, "name": at, **{key: Default(f"{word} unless stated") for key, word in UNLESS_STATED.items()}},
    )
    return Loaded(root, fabric, tuple(files), _soften_newer(problems, fabric), list(errors), unread, fates)


def _soften_newer(problems: list[Problem], fabric: Fabric) -> list[Problem]:
    """What no known release takes is no error of a switch with a later one: that may take it."""
    later = {}
    for device in fabric.devices:
        nos = device.nos
        newest = newest_before(nos.releases, nos.name, device.version) if nos is not None and device.version else None
        if newest is not None and nos is not None:
            later[device.key] = f" (as of {nos.title} {newest}, the newest release that rocecfg knows)"
    if not later:
        return problems
    return [
        one._replace(message=one.message + later[one.device], severity="warning")
        if one.rule in _OF_RELEASE and one.severity in (None, "error") and one.device in later
        else one
        for one in problems
    ]


def _find_second_ways(draft: Draft) -> Iterator[Problem]:
    """Statements that may change RoCE from outside and of which reading tells nothing."""
    for one in draft.fates.unjudged:
        if one.fate == WAY and one.why != OF_FINDING:
            wording = f"{one.what}: {one.why}; not checked"
            yield Problem("device-second-way", one.at, wording, "check its effect on PFC, queues and buffers")


def _with_stated_buffers(device: Device) -> Device:
    """A device with the pool sizes and the alphas that its configuration states, in place of what profiles expect."""
    ports = tuple(map(_with_alpha, device.ports))
    pools = _read_stated_pools(device)
    if pools is device.pools and all(mine is before for mine, before in zip(ports, device.ports, strict=True)):
        return device
    return replace(device, ports=ports, pools=pools)


def _with_alpha(port: PortGroup) -> PortGroup:
    """Alpha as the lossless priority groups have it; none where they pause at a fixed size."""
    bound = [group for group in _list_lossless_groups(port) if group.alpha is not None or group.static is not None]
    if not bound:
        return port
    lowest = min(bound, key=lambda group: -1 if group.alpha is None else group.alpha)
    return replace(port, alpha=lowest.alpha, origins={**port.origins, "alpha": lowest.at("alpha", "static")})


def _list_lossless_groups(port: PortGroup) -> list[RunningGroup]:
    groups = port.running.groups if port.running is not None else ()
    return [group for group in groups if group.lossless and group.number in port.pfc]


def _read_stated_pools(device: Device) -> Pools:
    """The pools as stated: what lossless priority groups draw from, and the headroom that they share."""
    pool = _find_lossless_pool(device)
    if pool is None or pool.size is None:
        return device.pools
    known = device.pools
    shared = pool.shared_headroom or 0
    if not shared and device.buffers.shared_headroom is not None:
        shared = device.buffers.shared_headroom
    origins = {**known.origins, "lossless": pool.at("size"), "shared_headroom": pool.at("shared_headroom", "size")}
    return Pools(known.total, pool.size, shared, origins)


def _find_lossless_pool(device: Device) -> RunningPool | None:
    """The ingress pool of the lossless priority groups; None: none is stated, or there are several."""
    running = device.running
    if running is None:
        return None
    named = {group.pool for port in device.ports for group in _list_lossless_groups(port) if group.pool is not None}
    ingress = [pool for pool in running.pools if pool.direction in ("ingress", "both")]
    found = [pool for pool in ingress if (pool.name in named if named else pool.lossless)]
    return found[0] if len(found) == 1 else None


def _with_platform(stated: Section, owned: OwnPlatforms) -> Section:
    """What a switch states, with the platform that a team's own profiles have for its HwSKU, if any."""
    hwsku = stated.get("hwsku")
    platform = owned.platform_of(hwsku.value) if hwsku is not None else None
    return stated if hwsku is None or platform is None else {**stated, "platform": Val(platform, hwsku.at)}


def _link_neighbours(ends: dict[str, tuple[str, tuple[Neighbour, ...]]]) -> list[Link]:
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


def _make_unique_name(given: str | None, document: Document, taken: Container[str]) -> str:
    """A name for a switch that no other has: its own, else its file's."""
    stem = os.path.splitext(os.path.basename(document.path))[0]
    name = _make_safe_name(given or stem)
    if name in taken:
        name = _make_safe_name(f"{name}-{stem}")
    first, number = name, 2
    while name in taken:
        name, number = f"{first}-{number}", number + 1
    return name


def _make_safe_name(name: str) -> str:
    """What a node set takes as one name."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name).strip("-.") or "switch"


class OwnPlatforms:
    """The platforms in `rocecfg-profiles` of a folder."""

    def __init__(self, folder: str, allowed: Iterable[str] = ()) -> None:
        """`allowed`: folders outside the repository that they may be in."""
        self._bounds = Bounds(folder, allowed)
        self._folder = os.path.join(folder, FOLDER)
        self._known: dict[str, str] | None = None

    def platform_of(self, hwsku: str) -> str | None:
        """The platform whose own file lists a HwSKU, the first by name; None: there is none.

        Raises SourceError for a profile that cannot be read.
        """
        if self._known is None:
            self._known = {}
            for listed, name in self._list_hwskus() if os.path.isdir(self._folder) else ():
                self._known.setdefault(listed, name)
        return self._known.get(hwsku)

    def _list_hwskus(self) -> Iterator[tuple[str, str]]:
        from rocecfg.profiles.files import Folder, is_plausible_name, read  # only where a team has profiles

        folder = Folder(self._folder, FOLDER, self._bounds)
        for name in folder.names("platforms"):
            if not is_plausible_name(name):
                continue
            nos = dict(read(folder, "platforms", name).named("nos"))
            if "sonic" in nos:
                tables = nos["sonic"].entries("headroom")
                yield from ((sku, name) for table in tables for sku in table.pairs("hwskus"))
                yield from ((sku, name) for sku in nos["sonic"].pairs("lossy"))
