"""Profiles as the model's facts. Each is read once a library, when first asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import cache, partial

from rocecfg.core.nodeset import node_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import parse_rate, parse_time
from rocecfg.model.facts import (
    Asic,
    Box,
    CurveTable,
    Erratum,
    Family,
    HeadroomTable,
    Nic,
    Nos,
    Platform,
    PoolSet,
    Workload,
)
from rocecfg.model.frozen import replace
from rocecfg.profiles import loaders
from rocecfg.profiles.files import (
    EXTENDS,
    SHIPPED_FOLDER,
    Entry,
    Folder,
    find_package,
    is_plausible_name,
    overlay,
    read,
    read_version,
    shipped_names,
)
from rocecfg.profiles.holds import Holds, read_holds
from rocecfg.profiles.kinds import FOLDER, KINDS, LONGEST, UnknownProfile
from rocecfg.profiles.releases import is_build_of, nearest_release, release_key
from rocecfg.profiles.spelling import find_meant, find_same
from rocecfg.profiles.systems import load_errata, load_system
from rocecfg.source.bounds import Bounds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from rocecfg.model.lanes import Cages
    from rocecfg.profiles.exporters import Exporter

    T = TypeVar("T")

_COMPARED = ("nvidia", "sonic", "arista-community", "azure", "hpcc")
_MOST_EXTENDED = 16  # profiles that extend each other in a row


class _Known(NamedTuple):
    """A HwSKU of a platform, with the pools of all releases, and the name of its headroom table."""

    box: Box
    table: str | None = None
    releases: tuple[str, ...] = ()  # in which it is so; (): in all for which no other names them
    skipped: tuple[str, ...] = ()  # releases after its first that do not have it


class Library:
    """The shipped profiles, and before them those of an installed package, and first those of a folder of the user's.

    One of these with `extends: NAME` says what differs from NAME; one that extends its own name, from what comes next.
    Every method raises UnknownProfile for a name nobody wrote, and SourceError, with file, line and column, for a
    profile that does not keep to its format.
    """

    def __init__(self, folder: str | None = None, bounds: Bounds | None = None, package: Folder | None = None) -> None:
        """`bounds`: where the files of the folder may really be."""
        own = Folder(folder, FOLDER, bounds) if folder is not None else None
        self._own = tuple(each for each in (own, package) if each is not None)
        self._versions: dict[str, str | None] | None = None
        self._known: dict[tuple[str, str], Any] = {}
        self._holds: dict[tuple[str, str], Holds] = {}
        self._asked: dict[tuple[str, str, str | None, str | None, bool], Box | None] = {}
        self._boxes: dict[str, tuple[Platform, dict[tuple[str, str | None], list[_Known]]]] = {}

    def names(self, kind: str) -> list[str]:
        """The names of the profiles of a kind (nos, asics, platforms, headroom, ...), sorted; else ValueError."""
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is not a kind of profile; known: {', '.join(KINDS)}")
        return sorted({*shipped_names(kind), *(name for own in self._own for name in own.names(kind))})

    def find_meant(self, kind: str, word: str) -> tuple[str, ...]:
        """The profiles of a kind that a word may mean which is the name of none, best first."""
        return find_meant(word[:LONGEST], self.names(kind), self._read_platform if kind == "platforms" else None)

    def find_chip(self, word: str) -> str | None:
        """The chip that a word is the name of, in any spelling; None: of none."""
        return find_same(word[:LONGEST], self.names("asics"))

    def list_boxes(self, chip: str) -> list[str]:
        """The platforms that have a chip, sorted."""
        said = re.compile(rf"^asic:[^#\n]*?(?:\n +)?\bvalue: {re.escape(chip)}(?![\w.-])", re.MULTILINE)
        return [name for name in self.names("platforms") if said.search(self._read_platform(name))]

    def _read_platform(self, name: str) -> str:
        """The text of a platform's profile."""
        path = self._folder_of("platforms", name).file("platforms", name)
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def _folder_of(self, kind: str, name: str, after: Folder | None = None) -> Folder:
        """The first folder that has a profile of that name, or the first `after` one; else that of the shipped ones."""
        left = self._own[self._own.index(after) + 1 :] if after is not None else self._own
        plausible = is_plausible_name(name)
        return next((own for own in left if plausible and name in own.names(kind)), SHIPPED_FOLDER)

    def is_own(self, kind: str, name: str) -> bool:
        """Whether the profile is not a shipped one: the user's, or the package's."""
        return self._folder_of(kind, name) is not SHIPPED_FOLDER

    def versions(self) -> dict[str, str | None]:
        """The version that each folder before the shipped one says of its profiles, of the format that is read here."""
        if self._versions is None:
            self._versions = {own.shown: read_version(own) for own in self._own}
        return self._versions

    def file(self, kind: str, name: str) -> str:
        """How a profile is cited: `asics/tomahawk5`, the user's as `rocecfg-profiles/asics/tomahawk5`."""
        return os.path.join(self._folder_of(kind, name).shown, kind, name)

    def entry(self, kind: str, name: str) -> Entry:
        """What a profile says, with what it extends."""
        return self._read_extended(kind, name, self._folder_of(kind, name), _MOST_EXTENDED)

    def _read_extended(self, kind: str, name: str, folder: Folder, left: int) -> Entry:
        if self._own:
            self.versions()
        if folder is not SHIPPED_FOLDER:
            stated = read(folder, kind, name)
            base = stated.maybe(EXTENDS)
            if base is None:
                return stated
            if left == 0:
                raise stated.fail(f"{name} extends a profile that extends it", "name another one, or leave extends out")
            try:
                of = self._folder_of(kind, base, folder if base == name else None)
                wide = self._read_extended(kind, base, of, left - 1)
            except UnknownProfile as error:
                near = f"did you mean {error.near[0]}?" if error.near else ""
                raise stated.fail(f"extends: {error}", near) from None
            both = overlay(wide, stated)
            both.maybe(EXTENDS)
            return both
        if not is_plausible_name(name) or name not in shipped_names(kind):
            chip = self.find_chip(name) if kind == "platforms" else None
            meant = tuple(self.list_boxes(chip)) if chip is not None else self.find_meant(kind, name)
            raise UnknownProfile(kind, name, meant, chip=chip is not None)
        return read(SHIPPED_FOLDER, kind, name)

    def _load_once(self, kind: str, name: str, load: Callable[[str, str, Entry], T]) -> T:
        found = self._known.get((kind, name))
        if found is None:
            stated = self.entry(kind, name)
            self._holds[kind, name] = read_holds(kind, stated)
            found = self._known[kind, name] = load(name, self.file(kind, name), stated)
        loaded: T = found
        return loaded

    def load(self, kind: str, name: str) -> object:
        """A profile of any kind: raises where it does not keep to its format."""
        loaders: dict[str, Callable[[str], object]] = {
            "nos": self.nos,
            "asics": self.asic,
            "platforms": self.platform,
            "headroom": self.headroom,
            "workloads": self.workload,
            "ecn": self.family,
            "curves": self.curves,
            "nics": self.nic,
            "exporters": self.exporter,
            "errata": self.errata,
        }
        return loaders[kind](name)

    def holds(self, kind: str, name: str) -> Holds:
        """When the facts of a profile hold, but for those in it that say so themselves."""
        self.load(kind, name)
        return self._holds[kind, name]

    def fact(self, kind: str, name: str, nos: str, at: str, *, taken: bool = False) -> object | None:
        """A profile of any kind in a release of a system; None where its facts do not hold there, or nobody knows.

        What is known of the system as a whole bounds it too, but where facts are `taken` for a release that nobody has
        seen. ValueError for a release that nobody can place.
        """
        known = self.holds(kind, name).at(nos, at) and (taken or self.holds("nos", nos).at(nos, at))
        return self.load(kind, name) if known else None

    def why_not(self, kind: str, name: str, nos: str) -> str:
        """What to say of a profile whose facts do not hold in a release of a system."""
        return f"{self.file(kind, name)} holds {self.holds(kind, name).describe(nos)}"

    def title(self, kind: str, name: str) -> str:
        """The title of a profile."""
        return self.entry(kind, name).text("title")

    def nos(self, name: str) -> Nos:
        """A network operating system by the intent's word for it."""
        return self._load_once("nos", name, self._load_nos)

    def _load_nos(self, name: str, cited: str, stated: Entry) -> Nos:
        nos = load_system(self.names("asics"), self.names("platforms"), name, cited, stated)
        table = self.errata(name) if name in self.names("errata") else ()
        span = self._holds["nos", name].spans.get(name)
        return replace(nos, errata=(*nos.errata, *table), known_since=span.since if span is not None else None)

    def errata(self, system: str) -> tuple[Erratum, ...]:
        """The known faults of a network operating system."""
        known = partial(load_errata, self.names("nos"), self.names("asics"), self.names("platforms"))
        return self._load_once("errata", system, known)

    def asic(self, name: str) -> Asic:
        """A switch chip."""
        return self._load_once("asics", name, loaders.load_asic)

    def headroom(self, name: str) -> HeadroomTable:
        """A headroom table."""
        return self._load_once("headroom", name, loaders.load_headroom_table)

    def workload(self, name: str) -> Workload:
        """A workload."""
        return self._load_once("workloads", name, loaders.load_workload)

    def family(self, name: str) -> Family:
        """A family of ECN thresholds."""
        return self._load_once("ecn", name, loaders.load_family)

    def compared_families(self) -> list[Family]:
        """The families that stand beside what `ecn: auto` takes: what the vendors ship, and what is often quoted."""
        return [self.family(name) for name in _COMPARED]

    def curves(self, name: str) -> CurveTable:
        """The marking curves of a chip, by the chip's name."""
        return self._load_once("curves", name, loaders.load_curve_table)

    def curves_of(self, chip: str) -> CurveTable | None:
        """The marking curves of a chip; None where there is no table of it."""
        return self.curves(chip) if chip in self.names("curves") else None

    def tables(self, workload: Workload | None, *, named: bool) -> Callable[[str], CurveTable | None] | None:
        """Where `ecn: auto` finds curves; None where the intent, or a workload of the user's own, names a family."""
        own = workload is not None and workload.ecn is not None and self.is_own("workloads", workload.name)
        return None if named or own else self.curves_of

    def nic(self, name: str) -> Nic:
        """A network card."""
        return self._load_once("nics", name, loaders.load_nic)

    def exporter(self, name: str) -> Exporter:
        """What an exporter calls the counters of switches or hosts."""
        from rocecfg.profiles.exporters import load_exporter  # only rendering for Prometheus asks

        return self._load_once("exporters", name, load_exporter)

    def platform(self, name: str) -> Platform:
        """A box, with the HwSKU to assume under each NOS."""
        return self._platform_and_boxes(name)[0]

    def hwskus(self, platform: str, nos: str) -> list[str]:
        """The HwSKUs that a platform is known with under a NOS, sorted."""
        return sorted(sku for of, sku in self._platform_and_boxes(platform)[1] if of == nos and sku is not None)

    def box(
        self, platform: str, nos: str, hwsku: str | None = None, at: str | None = None, *, assumed: bool = False
    ) -> Box | None:
        """The platform under a NOS with that very HwSKU; None where the profile does not know the NOS.

        `since` is then the first release with that HwSKU; one that the profile does not know has no headroom known.
        Without `hwsku`, the box that `platform` assumes. Headroom and pools are those of the release `at`, or of the
        one that `Box.release` says: the first with the HwSKU, or the nearest that is known. Without `at`, the newest.
        Where that is another release than `at`, or nobody states `at` (`assumed`), `Box.tables` says so.
        """
        key = (platform, nos, hwsku, at, assumed)
        if key not in self._asked:
            box = self._find_box(platform, nos, hwsku, at)
            self._asked[key] = replace(box, tables=_describe_tables(box, at, assumed=assumed)) if box and at else box
        return self._asked[key]

    def assumed_release(self, nos: str, platform: str | None, hwsku: str | None = None) -> str:
        """The release to assume where none is stated: the usual one, or the first that knows the box with its HwSKU."""
        usual = self.nos(nos).default_release
        box = self.platform(platform).boxes.get(nos) if platform is not None else None
        if platform is None or box is None:
            return usual
        same = self.box(platform, nos, hwsku or box.hwsku) or box
        since = [each.since for each in (box, same) if each.since is not None]
        return max((usual, *since), key=lambda release: release_key(nos, release))

    def _find_box(self, platform: str, nos: str, hwsku: str | None, at: str | None) -> Box | None:
        assumed, boxes = self._platform_and_boxes(platform)
        usual = assumed.boxes.get(nos)
        if hwsku is None:
            if at is None or usual is None or usual.hwsku is None:
                return usual
            found = self.box(platform, nos, usual.hwsku, at)
            return replace(found, since=usual.since) if found is not None else None
        known = boxes.get((nos, hwsku), [])
        plain = boxes.get((nos, None))
        if plain is None:
            return None
        if not known:
            return replace(plain[0].box, hwsku=hwsku, pools=())
        commits = self.nos(nos).commits
        since = min((k.box.since for k in known if k.box.since is not None), default=None)
        release = nearest_release(tuple(commits), nos, at, since)
        holds, skipped = _find_in_force(known, release), any(release in k.skipped for k in known)
        if holds is None:
            return replace(plain[0].box, hwsku=hwsku, since=since, release=release, skipped=skipped)
        pools = _find_pools(holds.box.pools, release)
        box = replace(holds.box, since=since, release=release, pools=pools, skipped=skipped)
        if release is None:
            return replace(box, headroom=self.headroom(holds.table)) if holds.table is not None else box
        table = holds.table if holds.table is not None and self.is_own("headroom", holds.table) else None
        if table is not None and self.fact("headroom", table, nos, release, taken=True) is None:
            box = replace(box, unheld=self.why_not("headroom", table, nos))  # of shipped tables a platform says when
        commit = commits[release]
        cited = tuple(p._replace(source=_cite(p.source, release, commit)) for p in box.pools)
        if holds.table is None or box.unheld:
            return replace(box, pools=cited)
        rows = self.headroom(holds.table)
        return replace(box, pools=cited, headroom=rows._replace(source=_cite(rows.source, release, commit)))

    def _platform_and_boxes(self, name: str) -> tuple[Platform, dict[tuple[str, str | None], list[_Known]]]:
        known = self._boxes.get(name)
        if known is None:
            known = self._boxes[name] = self._load_platform(name)
        return known

    def _load_platform(self, name: str) -> tuple[Platform, dict[tuple[str, str | None], list[_Known]]]:
        """A platform, and what is known of it by NOS and HwSKU; HwSKU None: one not known."""
        stated = self.entry("platforms", name)
        self._holds["platforms", name] = read_holds("platforms", stated)
        title = stated.text("title")
        asic = stated.entry("asic")
        source, mark = asic.cited()
        chip = asic.text("value")
        asic.done()
        cages, cages_source = loaders.cages_of(stated)
        default: dict[str, Box] = {}
        boxes: dict[tuple[str, str | None], list[_Known]] = {}
        for nos, part in stated.named("nos"):
            default[nos] = self._add_boxes(nos, part, boxes, cages, cages_source)
        stated.done()
        return Platform(name, self.file("platforms", name), title, chip, default, source, mark), boxes

    def _add_boxes(
        self,
        nos: str,
        stated: Entry,
        boxes: dict[tuple[str, str | None], list[_Known]],
        cages: tuple[Cages, ...],
        cages_source: str,
    ) -> Box:
        """Adds a platform's boxes under one NOS; gives the one to assume where the intent names no HwSKU."""
        hwsku = stated.maybe("hwsku")
        since = stated.maybe("since")
        source, _ = stated.cited()
        plain = Box(
            nos=nos,
            hwsku=None,
            ports=stated.quantity("ports", node_set).text,
            speeds=stated.parsed("speeds", parse_rate),
            since=since,
            lossless=True,
            buffer_model=stated.maybe("buffer_model"),
            pfc_to_pg=stated.flag("pfc_to_pg", absent=False),
            headroom=None,
            pools=(),
            gearbox=stated.maybe_quantity("gearbox", parse_time),
            source=source,
            cages=cages if stated.flag("lanes", absent=True) else (),
            cages_source=cages_source,
        )
        if plain.cages and plain.layout is None:
            raise stated.fail(
                f"ports are {len(node_set(plain.ports))} names, which are neither the lanes of the cages nor the cages",
                "list them in the order of the cages and their lanes, or write lanes: false",
            )
        boxes[nos, None] = [_Known(plain)]
        renamed = stated.texts("renamed")

        def named(sku: str) -> Box:
            return replace(plain, hwsku=sku, cages=() if sku in renamed else plain.cages)

        pools, skipped = loaders.pools_of(stated), stated.tree("skipped_in")

        def add(sku: str, first: str, table: str | None, releases: tuple[str, ...] = ()) -> None:
            for known in boxes.get((nos, sku), ()):
                both = sorted({*known.releases} & {*releases}) if known.releases and releases else [first]
                if bool(known.releases) == bool(releases) and both and known.table != table:
                    told = f"{known.table or 'none'} and {table or 'none'}"
                    raise stated.fail(f"two headroom tables of {sku} hold in {both[0]}: {told}", "leave one of them")
            box = replace(named(sku), since=first, lossless=table is not None, pools=pools.get(sku, ()))
            boxes.setdefault((nos, sku), []).append(_Known(box, table, releases, tuple(skipped.get(sku, ()))))

        for table in stated.entries("headroom"):
            name, releases = table.text("table"), table.texts("releases")
            for sku, first in table.pairs("hwskus").items():
                add(sku, first, name, releases)
            table.done()
        for sku, first in stated.pairs("lossy").items():
            add(sku, first, None)
        for sku in (*renamed, *stated.texts("by_board")):
            boxes.setdefault((nos, sku), [_Known(named(sku))])
        stated.done()
        if hwsku is None:
            return plain
        usual = _find_in_force(boxes.get((nos, hwsku), []), None)
        if usual is None:
            raise stated.fail(f"hwsku {hwsku} is in none of the headroom tables", "list it below one, or name another")
        headroom = self.headroom(usual.table) if usual.table is not None else None
        # the box as such is as old as its oldest image, whichever HwSKU that has
        return replace(usual.box, since=since, headroom=headroom, pools=_find_pools(usual.box.pools, None))


def _find_in_force(known: list[_Known], release: str | None) -> _Known | None:
    """What names the release, else what names none."""
    named = [k for k in known if release in k.releases]
    return next(iter(named or [k for k in known if not k.releases]), None)


def _find_pools(pools: tuple[PoolSet, ...], release: str | None) -> tuple[PoolSet, ...]:
    """Those that name the release; of templates that none of these has, those that name none."""
    told = {template for p in pools if release in p.releases for template in p.templates}
    out = []
    for pool in pools:
        left = pool.templates if pool.releases else tuple(t for t in pool.templates if t not in told)
        if left and (not pool.releases or release in pool.releases):
            out.append(pool._replace(templates=left))
    return tuple(out)


def _describe_tables(box: Box, at: str, *, assumed: bool) -> str:
    """` of 202411, taken for 202412`: whose headroom table and pools a box has; "": those of the release asked for."""
    if box.release is None or (not assumed and is_build_of(box.nos, at, box.release)):
        return ""
    return f" of {box.release}, {'assumed' if assumed else f'taken for {at}'}"


def _cite(source: str, release: str, commit: str) -> str:
    """The source of a table, with the commit at which it is known to be the same in a release."""
    return source if commit in source else f"{source}; the same in {release} ({commit})"


SHIPPED = Library()


def library_in(folder: str, allowed: Iterable[str] = ()) -> Library:
    """The profiles for intents in a folder: its own, those of an installed package, and the shipped ones.

    `allowed`: folders outside the repository that the first may be in.
    """
    own, package = os.path.join(folder, FOLDER), find_package()
    if os.path.isdir(own):
        return Library(own, Bounds(folder, allowed), package)
    return _library_of(package) if package is not None else SHIPPED


@cache
def _library_of(package: Folder) -> Library:
    return Library(package=package)


# -- what a word that is no profile's name most likely means -----------------------------------------------------------
