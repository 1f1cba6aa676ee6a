"""From what the files say to the model: defaults, profiles, overrides, each value with where it came from."""

from __future__ import annotations

import os

from rocecfg.core.nodeset import fold, name_set, names_of
from rocecfg.intent.classes import Sections, Table, merge_sections
from rocecfg.intent.derived import size_curves
from rocecfg.intent.links import (
    NOTHING,
    End,
    Stated,
    find_bare_ranges,
    find_link_ends,
    report_unknown_names,
    resolve_links,
    split_by_link_ends,
)
from rocecfg.intent.lookalikes import First, Lookalikes
from rocecfg.intent.names import (
    report_undefined_classes,
    report_undefined_profiles,
    report_undefined_roles,
    report_unlike_roles,
)
from rocecfg.intent.nodeset_merge import MergedNames, merge_groups, merge_port_groups, resolve_hosts
from rocecfg.intent.platforms import Boxes, Shelf, load_exporters, report_unknown
from rocecfg.intent.ports import Around, Ports
from rocecfg.intent.precedence import (
    EMPTY,
    drop_unreadable,
    overlay,
    pick,
    pick_plain,
    report_repeats,
    section,
)
from rocecfg.intent.read import Read
from rocecfg.intent.schema import FABRIC
from rocecfg.intent.values import Context
from rocecfg.model import Default, Device, Fabric, Link, Links, Origin, PortGroup, ProfileFact, Span
from rocecfg.model.fabric import UNLESS_STATED
from rocecfg.model.stated import MISSING, OFF, Problem, Section, Val
from rocecfg.profiles import UnknownProfile
from rocecfg.sizing.marking import USUAL_FAMILY, Aims
from rocecfg.source.document import Sources
from rocecfg.source.yaml import Scalar

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from typing import Any


_NOT_INHERITED = frozenset({"classes", "ports", "description", "rail", "address", "hostname", "pfc"})
_OF_ALL_DEVICES = ("pfc", "buffers", "load_balancing", "trimming")  # sections of the top level
_OWN_FACTS = ("oversubscription", "blast_radius")  # of the section fabric
_FACTS = ("hosts", "routing", "routes", "vlans", "telemetry", "rollout")


def resolve(read: Read, sources: Sources, vendor: str | None = None) -> Fabric:
    """The fabric that was read. `vendor`: for devices that name none. Adds to `read.problems` and `read.errors`.

    Raises SourceError for a profile of the user's that cannot be read.
    """
    return _Resolver(read, sources, vendor).build_fabric()


class _Resolver:
    def __init__(self, read: Read, sources: Sources, vendor: str | None) -> None:
        self.read = read
        self.sources = sources
        self.vendor = vendor
        self.shelf = Shelf(os.path.dirname(read.root), read.bounds.allowed)
        self.problems = read.problems
        self.top = read.section
        self.own = section(self.top.get("fabric"))
        self.recommended: dict[str, ProfileFact] = {}  # what the workload adds to it
        self.defaults = section(self.top.get("defaults"))
        self.fabric_layer: Section = {k: v for k, v in self.top.items() if k in _OF_ALL_DEVICES}
        self.at = self._whole()
        base: Sections = {
            name: (val.value if val.value is not MISSING else {"priority": val}, val.at)  # unreadable, yet named
            for name, val in section(self.top.get("classes")).items()
        }
        changes = section(self.defaults.get("classes"))
        self._report_class_repeats(changes, base)
        self.table = Table(merge_sections(base, changes, self.problems), self.problems)
        self.broken = set(self.table.broken)
        if "classes" in self.read.nameless or pick("classes", self.top) is None:
            self.broken.add("")  # a class whose name is not known: what judges all classes together would guess
        self.ports = Ports(self.problems)
        self.copies: dict[int, tuple[Device, Device]] = {}
        self.boxes = Boxes(self.shelf, self.at, self.fabric_layer, self.defaults, self.problems, self.recommended)
        self._wide = {k: v for k, v in self.defaults.items() if k not in _NOT_INHERITED}
        self._wide_pfc = overlay(section(self.fabric_layer.get("pfc")), section(self.defaults.get("pfc")))

    def _whole(self) -> Span:
        """Where findings about the whole file point."""
        for key in ("fabric", "rocecfg", "classes"):
            if key in self.top:
                return self.top[key].at
        return Span(self.read.files[0].number, 0, 0) if self.read.files else Span(0, 0, 0)

    def build_fabric(self) -> Fabric:
        """All of it."""
        top, own = self.top, self.own
        self._report_lacking()
        origins: dict[str, Origin] = {"": self.at, **{k: v.at for k, v in own.items()}}
        self.origins = origins
        self.workload = self._resolve_workload(origins)
        if "mtu" in self.own:
            self.fabric_layer["mtu"] = self.own["mtu"]
        self.aims = self._resolve_aims(origins)
        cc = pick("congestion_control", own)
        cc_kind = pick("kind", section(cc)) if cc is not None and isinstance(cc.value, dict) else cc
        reason = pick("reason", section(cc))
        keyed = section(top.get("devices"))
        device_groups = merge_groups(keyed, "device", self.problems) if keyed else []
        all_links = self._resolve_links(device_groups)
        if device_groups or "devices" in self.read.nameless:
            devices = self._build_devices(device_groups, all_links)
        else:
            devices = [self._build_device(None, [])]
        devices = size_curves(devices, self.copies, self._resolve_aims_with_family)
        origins.update({key: top[key].at for key in _FACTS if key in top})
        facts = self._collect_facts(own)
        self.problems += report_unlike_roles(devices)
        self.problems += report_undefined_roles(own, {d.role for d in devices if d.role is not None})
        usual = {key: word for key, word in UNLESS_STATED.items() if key not in own}
        origins.update({key: Default(f"{word} unless stated") for key, word in usual.items()})
        return Fabric(
            name=pick_plain("name", {}, own) or "",
            kind=pick_plain("kind", {}, own),
            mode=pick_plain("mode", {}, own) or UNLESS_STATED["mode"],
            congestion_control=(cc_kind.value if cc_kind is not None else None) or UNLESS_STATED["congestion_control"],
            cc_reason=reason.value if reason is not None else None,
            workload=self.workload,
            topology=pick_plain("topology", {}, own),
            classification=pick_plain("classification", {}, own) or UNLESS_STATED["classification"],
            dual_tor=bool(pick_plain("dual_tor", {}, own)),
            devices=tuple(devices),
            links=all_links,
            sections=frozenset(top),
            broken=frozenset(self.broken | self.ports.broken),
            path_mtu=pick_plain("path_mtu", {}, own),
            ecn_family=self.aims.family,
            rtt=self.aims.rtt,
            incast=self.aims.incast,
            nameless=frozenset(self.read.nameless),
            fabric_wide=self.read.fabric_wide(),
            facts=facts,
            copies=self.copies,
            origins=origins,
        )

    def _report_lacking(self) -> None:
        """Report what every intent must have."""
        if not self.top and not self.problems:
            self.problems.append(Problem("schema-required", self.at, "the file is empty", "see `rocecfg init`"))
        for key, why in (
            ("rocecfg", "the format version: write rocecfg: 1"),
            ("fabric", "write fabric: {name: ...}"),
            ("classes", "no traffic class: write classes: {rdma: ..., cnp: ..., control: ..., default: ...}"),
        ):
            if self.top and key not in self.top:
                self.problems.append(Problem("schema-required", self.at, f"the intent lacks {key}", why))
        stated = pick("fabric", self.top)
        if stated is not None and "name" not in self.own:
            fix = "write fabric: {name: ...}"
            self.problems.append(Problem("schema-required", stated.at, "fabric lacks name", fix))

    def _resolve_links(self, device_groups: list[MergedNames]) -> Links:
        """The links; names in them, and elsewhere, that nothing defines are reported where all names are known."""
        stated = pick("links", self.top)
        switches = frozenset(n for g in device_groups for n in g.names)
        keys = [*section(pick("devices", self.top)).items(), *section(pick("hosts", self.top)).items()]
        written = stated.value if stated is not None and stated.value is not MISSING else ()
        for problem, sure in find_bare_ranges(((key, val.at) for key, val in keys), written):
            self.problems.append(problem)
            if sure:
                self.read.nameless.add("devices")
        if self.read.nameless & {"devices", "hosts"} or pick("devices", self.top) is None:
            # not all names could be read: which of the links' are unknown cannot be told
            return resolve_links(stated, None, None, self.sources, self.read)
        hosts = section(self.top.get("hosts"))
        known = switches.union(*(name_set(h) for h in hosts)) if hosts else switches
        found = resolve_links(stated, switches, known if hosts else None, self.sources, self.read)
        self._check_named(known)
        return found

    def _collect_facts(self, own: Section) -> dict[str, Any]:
        """What later rules read, as it stands."""
        top = self.top
        admitted = pick("admission_control", section(pick("congestion_control", own)))
        facts = {k: drop_unreadable(v) for k in _OWN_FACTS if (v := pick_plain(k, {}, own)) is not None}
        facts |= {k: drop_unreadable(top[k].value) for k in _FACTS if k in top and top[k].value is not MISSING}
        hosts = section(top.get("hosts"))
        if hosts:
            facts["hosts"] = resolve_hosts(hosts, self.problems)
        self._check_routes(pick("routes", top))
        facts |= load_exporters(self.shelf, section(top.get("telemetry")))
        self.problems += report_undefined_profiles(top, self.shelf)
        if "" not in self.broken:
            self.problems += report_undefined_classes(top, list(self.table.sections))
        return facts if admitted is None else {**facts, "admission_control": admitted}

    def _check_routes(self, named: Val | None) -> None:
        """A file of routes that is not there: what is usual in the topology would not be checked for its sake."""
        if named is None or named.value is MISSING:
            return
        document = self.sources.documents[named.at.doc]
        path = os.path.normpath(os.path.join(os.path.dirname(document.path), named.value))
        if self.read.bounds.hold(path) and not os.path.isfile(path):
            self.problems.append(
                Problem("schema-ref", named.at, f"there is no file {named.value}", f"looked for {path}")
            )

    def _resolve_workload(self, origins: dict[str, Origin]) -> Any:
        """The workload's profile; its recommended values of `fabric` take the places nobody filled."""
        val = pick("workload", self.own)
        if val is None:
            return None
        try:
            workload = self.shelf.library.workload(val.value)
        except UnknownProfile as error:
            report_unknown(error, val.at, self.problems)
            return None
        context = Context(-1, [])
        for key, text in workload.intent.get("fabric", {}).items():
            if key not in self.own and isinstance(text, str):
                value = FABRIC.keys[key].type.read(Scalar(0, 0, text, plain=True), context)
                self.own = {**self.own, key: Val(value, val.at)}
                self.recommended[key] = workload.fact(f"fabric.{key}")
        origins.update(self.recommended)
        return workload

    def _resolve_aims(self, origins: dict[str, Origin]) -> Aims:
        """What is asked of ECN: as stated, else as the workload has it."""
        workload = self.workload
        named = pick("ecn_family", self.own)
        family = None
        if named is not None:
            try:
                family = self.shelf.library.family(named.value)
                origins["ecn_family"] = named.at
            except UnknownProfile as error:
                report_unknown(error, named.at, self.problems)
        if family is None and workload is not None and workload.ecn is not None:
            family = self.shelf.library.family(workload.ecn)
            origins["ecn_family"] = workload.fact("ecn")
        found: dict[str, Any] = {}
        for key in ("rtt", "incast"):
            found[key] = pick_plain(key, {}, self.own)
            if found[key] is None and workload is not None and getattr(workload, key) is not None:
                found[key] = getattr(workload, key)
                origins[key] = workload.fact(key)
        delay = workload.queue_delay if workload is not None else None
        inputs = [origins[key] for key in ("rtt", "incast") if found[key] is not None]
        if workload is not None and delay is not None:
            inputs.append(workload.fact("queue_delay"))
        tables = self.shelf.library.tables(workload, named=named is not None)
        return Aims(family, found["rtt"], delay, found["incast"], tuple(inputs), tables)

    def _resolve_aims_with_family(self) -> Aims:
        """What is asked of ECN, with the usual family where none is named: only `ecn: auto` needs it."""
        if self.aims.family is None:
            self.aims = self.aims._replace(family=self.shelf.library.family(USUAL_FAMILY))
            why = f"{USUAL_FAMILY}, since neither fabric.ecn_family nor fabric.workload names one"
            self.origins["ecn_family"] = Default(why)
        return self.aims

    # -- devices ---------------------------------------------------------------------------------------------------

    def _build_devices(self, device_groups: list[MergedNames], all_links: tuple[Link, ...]) -> list[Device]:
        port_sets: list[list[MergedNames] | None] = []  # None: as of another device that is equal
        stated: dict[str, Stated] = {}
        shared: dict[object, Stated] = {}
        lookalikes = Lookalikes(self.read)
        keys = [lookalikes.make_key(group) for group in device_groups]
        for n, (group, key) in enumerate(zip(device_groups, keys, strict=True)):
            known = shared.get(key) if key is not None else None
            parts = None
            if known is None:
                group = device_groups[n] = group.unfold()  # noqa: PLW2901
                parts = self._merge_port_groups(group)
                given = tuple((p.key, *self._find_stated(p.section, group.section)) for p in parts)
                known = shared.get(given)
                if known is None:
                    known = shared[given] = {
                        port: row[1:] for p, row in zip(parts, given, strict=True) for port in p.names
                    }
                if key is not None:  # what is wrong with the ports of equal ones is told as these are built
                    shared[key] = known
            port_sets.append(parts)
            stated.update(dict.fromkeys(group.names, known))
        added = find_link_ends(all_links, stated)
        firsts: dict[object, First | None] = {}
        out: list[Device] = []
        for n, (group, parts, key) in enumerate(zip(device_groups, port_sets, keys, strict=True)):
            linked = not added.keys().isdisjoint(group.names)
            first = firsts.get(key) if key is not None and not linked else None
            if first is not None:
                copy = first.copy(group)
                self.copies[id(copy)] = copy, first.device
                out.append(copy)
            else:
                group = group.unfold()  # noqa: PLW2901
                before = len(self.problems)
                made = self._split_devices(group, self._merge_port_groups(group) if parts is None else parts, added)
                if key is not None and not linked and key not in firsts:
                    firsts[key] = lookalikes.make_first(group, made) if len(self.problems) == before else None
                out += made
            # what they said lives on in the model
            device_groups[n] = group._replace(section=EMPTY)
            port_sets[n] = []
            section(self.top.get("devices")).pop(group.key, None)
        return out

    def _merge_port_groups(self, group: MergedNames) -> list[MergedNames]:
        keyed = section(group.section.get("ports"))
        return merge_port_groups(keyed, self.problems) if keyed else []

    def _find_stated(self, given: Section, device: Section) -> tuple[bool, float | None]:
        """Whether a port's far end is stated, and its cable, links aside."""
        layers = (given, device, self.defaults)
        cable = pick("cable", *layers)
        return pick("faces", *layers) is not None, cable.value if cable is not None else None

    def _split_devices(
        self, group: MergedNames, port_groups: list[MergedNames], added: dict[str, dict[str, End]]
    ) -> list[Device]:
        """The devices of a group, apart where links give their ports another far end or cable."""
        if not any(name in added for name in group.names):
            return [self._build_device(group, [(p, NOTHING) for p in port_groups])]
        apart: dict[object, tuple[list[str], dict[str, End]]] = {}
        for name in group.names:
            own = added.get(name, {})
            kind = frozenset((port, end.to_switch, end.cable.value if end.cable else None) for port, end in own.items())
            apart.setdefault(kind, ([], own))[0].append(name)
        out = []
        for names, own in apart.values():
            key = group.key if len(apart) == 1 else fold(tuple(names))
            parts = [part for p in port_groups for part in split_by_link_ends(p, own)]
            out.append(self._build_device(group._replace(key=key, names=tuple(names)), parts))
        return out

    def _build_device(self, group: MergedNames | None, parts: list[tuple[MergedNames, End]]) -> Device:
        given = group.section if group is not None else EMPTY
        origins: dict[str, Origin] = {"": group.at if group is not None else self.at}
        table = self._build_table(given, alone=group is None or group.alone)
        if group is not None:
            # what a narrower set takes back from a wider one repeats nothing, though the defaults say it too
            self._report_repeats(
                given if group.alone else EMPTY, [p.section for p, _ in parts if p.alone and group.alone]
            )
        off = {name: val.at for name, val in section(given.get("classes")).items() if val.value == OFF}
        origins.update((f"classes.{name}", at) for name, at in off.items())
        around = Around(given, self.defaults, self.fabric_layer, self.recommended, table)
        ports: list[PortGroup] = [
            self.ports.build_group(p.names, p.key, p.section, p.at, around, linked) for p, linked in parts
        ]
        stated = Device(
            names=group.names if group is not None else (),
            key=group.key if group is not None else "",
            vendor=None,
            role=None,
            classes=table.classes,
            maps=table.maps,
            ports=tuple(ports or [self.ports.build_group((), "", EMPTY, origins[""], around)]),
            taken_off=tuple(c for c in self.table.classes if c.name in off) if off else (),
            origins=origins,
        )
        device = self.boxes.complete(stated, given, self.vendor)
        if device.box is not None:
            for (part, _), port in zip(parts, ports, strict=True):
                self.boxes.check_ports(part, port.speed, device.box, device.platform)
        return device

    def _build_table(self, given: Section, *, alone: bool) -> Table:
        changes = section(given.get("classes"))
        if not changes:
            return self.table
        if alone:
            self._report_class_repeats(changes, self.table.sections)
        # what is wrong with the fabric's classes is said again: equal problems are one, whoever judges them
        table = Table(merge_sections(self.table.sections, changes, self.problems), self.problems)
        self.broken |= table.broken
        return table

    # -- checks while resolving ------------------------------------------------------------------------------------

    def _check_named(self, known: frozenset[str]) -> None:
        """Report what stages of a rollout, bounces and VLANs name and nothing defines."""
        stages = pick("stages", section(self.top.get("rollout")))
        bounces = pick("bounces", section(self.top.get("routing")))
        named = [pick("devices", section(stage)) for stage in (stages.value if stages is not None else ())]
        named += [pick("at", section(bounce)) for bounce in (bounces.value if bounces is not None else ())]
        named += [pick("devices", section(vlan)) for vlan in section(self.top.get("vlans")).values()]
        unknown: dict[str, Span] = {}
        for given in named:
            if given is not None:
                for name in names_of(given.value):
                    if name not in known:
                        unknown.setdefault(name, given.at)
        self.problems += report_unknown_names(unknown, known)

    def _report_class_repeats(self, changes: Section, base: Sections) -> None:
        for name, val in changes.items():
            if isinstance(val.value, dict) and name in base:
                report_repeats(val.value, base[name][0], self.problems, f"{name}.")

    def _report_repeats(self, given: Section, parts: list[Section]) -> None:
        wide, pfc = self._wide, self._wide_pfc
        report_repeats({k: v for k, v in given.items() if k in wide}, wide, self.problems, "")
        if "pfc" in given:
            report_repeats(section(given["pfc"]), pfc, self.problems, "pfc.")
            pfc = overlay(pfc, section(given["pfc"]))
        inherited = overlay(wide, {k: v for k, v in given.items() if k not in _NOT_INHERITED})
        for part in parts:
            report_repeats({k: v for k, v in part.items() if k in inherited}, inherited, self.problems, "")
            if "pfc" in part:
                report_repeats(section(part["pfc"]), pfc, self.problems, "pfc.")
