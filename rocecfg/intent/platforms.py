"""What a device is made of: its platform and chip, the NOS release, the buffer model; and the ports that it has."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat

from rocecfg.core.nodeset import fold, name_set
from rocecfg.core.units import show_rate
from rocecfg.intent.derived import Sizes
from rocecfg.intent.nodeset_merge import MergedNames
from rocecfg.intent.precedence import overlay, pick, pick_plain, recommend, section, settle
from rocecfg.intent.values import make_undefined, only_near
from rocecfg.model import Buffers, Default, Device, LoadBalancing, Origin, Span, Trimming
from rocecfg.model.catalogue import list_plain
from rocecfg.model.fabric import HASH_FIELDS
from rocecfg.model.fix import Fix, remove
from rocecfg.model.frozen import replace
from rocecfg.model.stated import MISSING, TAKEN_BACK, Problem, Section, Val
from rocecfg.profiles import UnknownProfile, plain_release, release_key
from rocecfg.profiles.releases import SYSTEMS
from rocecfg.sizing.chip import SizedChip

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from collections.abc import Mapping
    from typing import Any

    from rocecfg.model import Asic, Box, Platform, ProfileFact
    from rocecfg.profiles import Library


_PLAIN = list_plain("device")


def report_unknown(error: UnknownProfile, at: Span, problems: list[Problem]) -> None:
    """A profile that an intent names and nobody wrote."""
    problems.append(Problem("schema-ref", at, str(error), error.help))


class Shelf:
    """The profiles for intents in a folder, loaded when first asked for: a policy may need none."""

    def __init__(self, folder: str, allowed: Iterable[str] = ()) -> None:
        """`allowed`: folders outside the repository that the team's own may be in."""
        self._folder = folder
        self._allowed = allowed
        self._library: Library | None = None

    @property
    def library(self) -> Library:
        """The shipped profiles, and those in the folder."""
        if self._library is None:
            from rocecfg.profiles import library_in

            self._library = library_in(self._folder, self._allowed)
        return self._library


def load_exporters(shelf: Shelf, telemetry: Section) -> dict[str, dict[str, Any]]:
    """The profiles of the exporters that the section `telemetry` names, as far as there are any, as a fact."""
    named = pick("exporter", telemetry)
    if named is None:
        return {}
    words = [val.value for val in named.value.values()] if isinstance(named.value, dict) else [named.value]
    known = {}
    for word in words:
        if not isinstance(word, str):
            continue
        try:
            exporter = shelf.library.exporter(word)
        except UnknownProfile:  # of the user's own, which needs a profile only where rules for it are rendered
            continue
        if exporter.side == "switch":
            known[word] = exporter
    return {"exporters": known}


def _place_release(vendor: str | None, release: str | None) -> str | None:
    """A release of a system; None where nobody can place it."""
    if vendor is None or release is None:
        return None
    try:
        release_key(vendor, release)
    except ValueError:
        return None
    return release


def _is_release(system: str, text: str) -> bool:
    try:
        return bool(plain_release(system, text))
    except ValueError:
        return False


def _resolve_load_balancing(*layers: Section) -> LoadBalancing | None:
    """How traffic is spread, key by key as the narrowest layer states it; None where none states anything."""
    stated = [section(layer.get("load_balancing")) for layer in layers]
    own: dict[str, Origin] = {}
    mode, fields = pick_plain("mode", own, *stated), pick_plain("hash", own, *stated)
    if mode is None and fields is None:
        return None
    own[""] = next(layer["load_balancing"].at for layer in layers if section(layer.get("load_balancing")))
    hashed = {field.value for field in fields or ()}
    return LoadBalancing(mode, tuple(field for field in HASH_FIELDS if field in hashed), origins=own)


def _resolve_trimming(origins: dict[str, Origin], *layers: Section) -> Trimming | None:
    """How packets are trimmed, as the narrowest layer states it; None: they are not, or what must be said lacks."""
    val = pick("trimming", *layers)
    if val is None:
        return None
    origins["trimming"] = val.at
    stated = section(val)
    own: dict[str, Origin] = {"": val.at}
    size, dscp = pick_plain("size", own, stated), pick_plain("dscp", own, stated)
    if size is None or dscp is None:
        return None
    classes = tuple(name.value for name in pick_plain("classes", own, stated) or () if name.value is not MISSING)
    return Trimming(size, dscp, pick_plain("queue", own, stated), classes, origins=own)


class Boxes:
    """Finds what devices are made of; what they share is looked up once."""

    def __init__(
        self,
        shelf: Shelf,
        whole: Span,
        fabric: Section,
        defaults: Section,
        problems: list[Problem],
        recommended: Mapping[str, ProfileFact],
        *,
        running: bool = False,
    ) -> None:
        """`recommended`: what of the layer of the fabric is its workload's.

        `running`: of switches, whose HwSKU is theirs, and whose platform nobody left out.
        """
        self._running = running
        self._recommended = recommended
        self._shelf = shelf
        self._whole = whole
        self._fabric = fabric  # the layer of the fabric: its buffers, its MTU
        self._defaults = defaults
        self._problems = problems
        self._buffers: dict[Box | None, Buffers] = {}
        self._sizes: dict[SizedChip, Sizes] = {}
        self._checked: set[tuple[str, int | None, str]] = set()
        self._looked_up: set[Span] = set()  # where a name stands that was, for no device's sake

    def complete(self, device: Device, given: Section, asked: str | None = None) -> Device:
        """A device that says `given` with what profiles and wider layers make of it, and of its ports.

        `asked`: the vendor of one that names none.
        """
        layers = (given, self._defaults)
        origins = dict(device.origins)
        vendor = pick_plain("vendor", origins, *layers)
        if vendor is None and asked is not None:
            vendor = asked
            origins["vendor"] = Default("the vendor asked for; the intent names none")
        nos = self._shelf.library.nos(vendor) if vendor is not None else None
        version = self._resolve_version(vendor, origins, layers)
        platform, asic = self._find_chip(origins, layers)
        assumed = self._assume_release(vendor, platform, layers)
        release = version or assumed
        placed = _place_release(vendor, release)
        platform, asic, unheld = self._keep_held(platform, asic, vendor, placed)
        box = self._find_box(platform, vendor, release, layers, assumed=version is None)
        role = pick_plain("role", origins, *layers)
        hwsku = pick_plain("hwsku", origins, *layers)
        if hwsku is None and box is not None and box.hwsku is not None and platform is not None:
            hwsku = box.hwsku
            origins["hwsku"] = platform.fact("hwsku", box.source)
        family = asic.families.get(vendor) if asic is not None and vendor is not None else None
        if family is not None and asic is not None:
            origins["family"] = asic.fact("families")
        buffers = self._resolve_buffers(given, box, platform)
        stated = pick("hwsku", *layers)
        if stated is not None and vendor is not None and not self._running and pick("platform", *layers) is None:
            self._report_bare_hwsku(vendor, stated)
        self._report_undefined(vendor, platform, box, buffers, stated)
        chip = SizedChip(nos, asic, box, platform, placed, buffers, role)
        sizes = self._sizes.get(chip)
        if sizes is None:
            sizes = self._sizes[chip] = Sizes(chip)
        plain = {key: pick_plain(key, origins, *layers) for key in _PLAIN}
        mtu = pick_plain("mtu", origins, *layers, self._fabric)
        recommend("mtu", origins, self._recommended, *layers)
        return replace(
            device,
            vendor=vendor,
            version=version,
            assumed=assumed,
            role=role,
            platform=platform,
            asic=asic,
            box=box,
            nos=nos,
            hwsku=hwsku,
            family=family,
            unheld=(*unheld, *((box.unheld,) if box is not None and box.unheld else ())),
            buffers=buffers,
            pools=sizes.pools,
            load_balancing=_resolve_load_balancing(*layers, self._fabric),
            trimming=_resolve_trimming(origins, *layers, self._fabric),
            hostname=pick_plain("hostname", origins, given),
            rail=pick_plain("rail", origins, given),
            mtu=mtu,
            ports=tuple(map(sizes.fill_in, device.ports)),
            origins=origins,
            **plain,
        )

    def _find_chip(
        self, origins: dict[str, Origin], layers: tuple[Section, ...]
    ) -> tuple[Platform | None, Asic | None]:
        """The platform and its chip; their origins are noted."""
        named, chip = pick("platform", *layers), pick("asic", *layers)
        platform = asic = None
        try:
            if named is not None:
                origins["platform"] = named.at
                platform = self._shelf.library.platform(named.value)
                asic = self._shelf.library.asic(platform.asic)
                origins["asic"] = platform.fact("asic")
        except UnknownProfile as error:
            report_unknown(error, named.at if named is not None else self._whole, self._problems)
        try:
            if chip is not None:
                stated = self._shelf.library.asic(chip.value)
                if platform is not None and platform.asic != stated.name:
                    self._problems.append(
                        Problem(
                            "schema-platform",
                            chip.at,
                            f"asic {stated.name} is not the chip of {platform.name}, which is {platform.asic}",
                            "remove asic: the platform implies it",
                            ((named.at, "the platform"),) if named is not None else (),
                            fix=Fix("leave asic out", safe=False, changes=(remove(chip.at),)),
                        )
                    )
                elif asic is None:
                    asic = stated
                    origins["asic"] = chip.at
        except UnknownProfile as error:
            report_unknown(error, chip.at if chip is not None else self._whole, self._problems)
        return platform, asic

    def _keep_held(
        self, platform: Platform | None, asic: Asic | None, vendor: str | None, release: str | None
    ) -> tuple[Platform | None, Asic | None, tuple[str, ...]]:
        """A box and its chip as far as their facts hold in the device's release; and which do not, in words.

        Of a chip that is not known, rules are silent; a box keeps its chip, whatever release it runs. Facts are taken
        where the system or the release is not known.
        """
        if vendor is None or release is None:
            return platform, asic, ()
        library, unheld = self._shelf.library, []
        if platform is not None and library.fact("platforms", platform.name, vendor, release, taken=True) is None:
            unheld.append(library.why_not("platforms", platform.name, vendor))
            platform = None
        if asic is not None and library.fact("asics", asic.name, vendor, release, taken=True) is None:
            unheld.append(library.why_not("asics", asic.name, vendor))
            asic = None
        return platform, asic, tuple(unheld)

    def _assume_release(self, vendor: str | None, platform: Platform | None, layers: tuple[Section, ...]) -> str | None:
        """The release of a device that states none; None where its system is not known."""
        if vendor is None:
            return None
        hwsku = pick("hwsku", *layers)
        name = platform.name if platform is not None else None
        return self._shelf.library.assumed_release(vendor, name, hwsku.value if hwsku is not None else None)

    def _find_box(
        self,
        platform: Platform | None,
        vendor: str | None,
        release: str | None,
        layers: tuple[Section, ...],
        *,
        assumed: bool,
    ) -> Box | None:
        """The platform as the device's NOS sees it: on SONiC with the HwSKU stated, else with the usual one."""
        if platform is None or vendor is None:
            return None
        stated = pick("hwsku", *layers)
        hwsku = stated.value if stated is not None else None
        return self._shelf.library.box(platform.name, vendor, hwsku, release, assumed=assumed)

    def _report_undefined(
        self, vendor: str | None, platform: Platform | None, box: Box | None, buffers: Buffers, hwsku: Val | None
    ) -> None:
        """A HwSKU that the platform is not known with, and a buffer template that its HwSKU does not have."""
        if platform is None or vendor is None or box is None:
            return
        known = self._shelf.library.hwskus(platform.name, vendor)
        if hwsku is not None and known and hwsku.value not in known:
            lost = f"its headroom, pools and lossless support on {platform.name} are unknown, so not checked"
            self._problems.append(make_undefined(hwsku.at, "HwSKU", hwsku.value, known, lost))
        templates = {template for pools in box.pools for template in pools.templates}
        at = buffers.origins.get("template")
        if buffers.template is not None and templates and buffers.template not in templates and isinstance(at, Span):
            lost = f"HwSKU {box.hwsku} does not have it; its pools are unknown, so not checked"
            problem = make_undefined(at, "buffer template", buffers.template, templates, lost)
            self._problems.append(problem._replace(severity=None))

    def _report_bare_hwsku(self, vendor: str, hwsku: Val) -> None:
        """A HwSKU without the platform that it is of."""
        if hwsku.at in self._looked_up:
            return
        self._looked_up.add(hwsku.at)
        library = self._shelf.library
        of = {sku: name for name in library.names("platforms") for sku in library.hwskus(name, vendor)}
        lost = "the ports, headroom and pools are unknown, so not checked"
        found = make_undefined(hwsku.at, "HwSKU", hwsku.value, of, lost)
        if hwsku.value in of:
            words = f"HwSKU {hwsku.value} is stated, but no platform: {lost}"
            found = found._replace(message=words, help=f"state platform: {of[hwsku.value]}", severity=None)
        self._problems.append(found)

    def _resolve_version(
        self, vendor: str | None, origins: dict[str, Origin], layers: tuple[Section, ...]
    ) -> str | None:
        """The release the device runs, one for all or its NOS's own: plain, or as written where nobody can place it."""
        for layer in layers:
            val = pick("version", layer)
            if val is None:
                if "version" in layer and layer["version"].value is TAKEN_BACK:
                    return None
                continue
            if not isinstance(val.value, str):
                self._check_other_releases(vendor, section(val))
            own = val if isinstance(val.value, str) else pick(vendor or "", section(val))
            if own is not None:
                origins["version"] = own.at
                return self._read_release(vendor, own)
        return None

    def _check_other_releases(self, vendor: str | None, releases: Section) -> None:
        """Releases that are stated of systems which the device does not run."""
        for system, stated in releases.items():
            if system != vendor and isinstance(stated.value, str) and stated.at not in self._looked_up:
                self._looked_up.add(stated.at)
                self._read_release(system, stated)

    def _read_release(self, vendor: str | None, stated: Val) -> str:
        """A release without its system's name; as written where it is none, which is reported."""
        if vendor is None:
            if not any(map(_is_release, SYSTEMS, repeat(stated.value))):
                what = f"{stated.value[:32]!r} is not a release of any known system"
                self._problems.append(Problem("schema-ref", stated.at, what, "state vendor, and a release of it"))
            return str(stated.value)
        try:
            return plain_release(vendor, stated.value)
        except ValueError as error:
            what, _, help = str(error).partition("; ")
            meant = only_near(str(stated.value), self._shelf.library.nos(vendor).releases)
            help = f"did you mean {meant}? Else {help}" if meant is not None else help
            self._problems.append(Problem("schema-ref", stated.at, what, help))
            return str(stated.value)

    def _resolve_buffers(self, given: Section, box: Box | None, platform: Platform | None) -> Buffers:
        """What the layers say of the buffers; without own words of the device once for each kind of box."""
        if "buffers" in given:
            return self._read_buffers(given, box, platform)
        known = self._buffers.get(box)
        if known is None:
            known = self._buffers[box] = self._read_buffers(given, box, platform)
        return known

    def _read_buffers(self, given: Section, box: Box | None, platform: Platform | None) -> Buffers:
        wide = overlay(section(self._fabric.get("buffers")), section(self._defaults.get("buffers")))
        stated = settle(overlay(wide, section(given.get("buffers"))))
        origins: dict[str, Origin] = {}
        pools = section(stated.get("pools"))
        shared = pick_plain("shared_headroom", origins, stated)
        model = pick_plain("model", origins, stated)
        if model is None and box is not None and box.buffer_model is not None and platform is not None:
            model = box.buffer_model
            origins["model"] = platform.fact("buffer_model", box.source)
        return Buffers(
            model=model,
            template=pick_plain("template", origins, stated),
            alpha=pick_plain("alpha", origins, stated),
            lossless_pool=pick_plain("lossless", origins, pools, name="lossless_pool"),
            lossy_pool=pick_plain("lossy", origins, pools, name="lossy_pool"),
            shared_headroom=0 if shared == "off" else shared,
            private_headroom=pick_plain("private_headroom", origins, stated),
            queue_limit=pick_plain("queue_limit", origins, stated),
            oversubscribe=pick_plain("oversubscribe", origins, stated),
            lossless_mtu=pick_plain("lossless_mtu", origins, stated),
            small_packets=pick_plain("small_packets", origins, stated),
            response=pick_plain("response", origins, stated),
            origins=origins,
        )

    def check_ports(self, group: MergedNames, speed: int | None, box: Box, platform: Platform | None) -> None:
        """Each port must exist under the NOS's own naming; asked once for each node set, speed and platform."""
        key = (group.key, speed, box.ports)
        if key in self._checked:
            return
        self._checked.add(key)
        strange = [n for n in group.names if n not in name_set(box.ports)]
        if strange:
            self._problems.append(
                Problem(
                    "schema-port-name",
                    group.at,
                    f"{platform.name if platform else 'it'} under {box.nos} has no port {fold(tuple(strange[:8]))}"
                    + (f" ({len(strange)} in all)" if len(strange) > 8 else ""),
                    _list_possible_ports(box, speed),
                )
            )


def _list_possible_ports(box: Box, speed: int | None) -> str:
    """The ports that there can be at `speed` bit/s; where that is not known, those that are whole cages."""
    of = box.layout
    if of is None:
        return f"its ports are {box.ports}"
    ports = of.list_valid(speed) if speed is not None else ""
    if speed is not None and ports:
        return f"its {show_rate(speed)} ports are {ports}"
    between = any(cage.whole is None and len(cage.names) > 1 for cage in of.cages)
    return f"its ports are {of.whole()}" + (", each named for its first lane" if between else "")
