"""One drift run: intents, or configurations that are kept, and running configurations in, differences out."""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import cache

from rocecfg.core.nodeset import fold_some
from rocecfg.core.records import NamedTuple
from rocecfg.drift.coverage import Coverage, CoverageTally, Uncovered, UncoveredGroup
from rocecfg.drift.differences import Difference, Folding
from rocecfg.drift.files import RunningConfiguration, RunningConfigurations
from rocecfg.drift.intended import IntendedDevice, read_intended_settings, restrict_to_pfc_ports
from rocecfg.drift.match import SwitchComparer, wanted_of
from rocecfg.drift.notes import note_down_ports, note_kept_headroom, note_release_and_box
from rocecfg.drift.rendered import NO_REASON, OthersTally, OtherStatement, RestComparer
from rocecfg.drift.uncompared import Uncompared, find_uncompared
from rocecfg.drift.unnamed import ANY_PORT, UnnamedPorts, find_unnamed_ports
from rocecfg.intent import Loaded
from rocecfg.linting.roots import is_root, peek
from rocecfg.model import Device
from rocecfg.model.compare import Gap
from rocecfg.model.fates import Fates, add_up_fates
from rocecfg.model.switch import Switch
from rocecfg.source.document import SourceError, Sources
from rocecfg.vendors import row
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import Wanted
from rocecfg.vendors.detect import vendor_of


class Compared(NamedTuple):
    """A device of the intent on which something that counts is not as intended."""

    name: str
    meant: IntendedDevice
    found: RunningConfiguration
    wanted: Wanted  # what is not as meant, ports that are down aside
    uncovered: tuple[Uncovered, ...] = ()  # what was not compared


class Stranger(NamedTuple):
    """A configuration of a device that the intent does not know."""

    path: str
    name: str | None  # its host name


class Refused(NamedTuple):
    """A device that cannot be compared, and why."""

    name: str
    error: CannotRender | SourceError


class Counts(NamedTuple):
    """What was compared, and how much of it differs."""

    devices: int
    ports: int  # of these devices
    drifting: int  # devices


class Drift(NamedTuple):
    """The outcome of a run."""

    differences: list[Difference]  # the widest first; those on ports that are down last
    compared: dict[str, IntendedDevice]  # what is meant for each device that was compared, by its name
    differing: list[Compared]
    settings: int  # compared, over all ports and devices
    ports: int  # of which anything was compared
    counts: Counts
    uncovered: list[UncoveredGroup]  # what of the compared devices was not
    own: list[UncoveredGroup]  # what their ports take by themselves, so that no configuration tells it
    unclear: list[Compared]  # devices that do not differ in what was compared, and of which not all was
    absent: tuple[str, ...]  # devices of the intent without a configuration
    strangers: list[Stranger]
    notes: dict[str, list[str]]  # what is no setting, and the devices of which it is so
    unnamed: dict[str, tuple[UnnamedPorts, ...]]  # ports in use that the intent does not name, by device
    uncompared: dict[Uncompared, list[str]]  # what intents state and nothing is compared in, and the devices
    refused: list[Refused]
    running: RunningConfigurations
    sources: Sources
    others: OthersTally = OthersTally()  # what is rendered and runs otherwise to the same effect; what no intent states
    fates: Fates = Fates()  # of the statements of what runs


def find_drift(
    fabrics: Iterable[Loaded],
    paths: Iterable[str],
    sources: Sources,
    *,
    only: str | None = None,
    templates: Mapping[str, str] | None = None,
    known_ports: Collection[str] = (),
) -> Drift:
    """Compare what intents mean with what runs.

    `paths`: files and folders of running configurations, `-` for standard input; `only`: the device that they are
    of, where neither host name nor file name says it; `templates`: folder of templates, by the intent's root file;
    `known_ports`: which an intent need not name, ANY_PORT of them all.
    """
    return _DriftRun(fabrics, sources, templates or {}, known_ports).run(paths, only)


class _DriftRun:
    def __init__(
        self, fabrics: Iterable[Loaded], sources: Sources, templates: Mapping[str, str], known_ports: Collection[str]
    ) -> None:
        self.sources = sources
        self.known_ports = known_ports
        self.templates = templates
        self.devices: dict[str, tuple[Loaded, Device]] = {}
        self.policies: list[tuple[Loaded, Device]] = []  # of intents that name no devices: they mean any
        for loaded in fabrics:
            for device in loaded.fabric.devices if loaded.fabric is not None else ():
                self.policies += [] if device.names else [(loaded, device)]
                for name in device.names:
                    self.devices.setdefault(name, (loaded, device))
        self.folding = Folding({name: n for n, name in enumerate(self.devices)})
        self.comparer = SwitchComparer()
        self.tally = CoverageTally()
        self.refused: list[Refused] = []
        self.notes: dict[str, list[str]] = {}
        self.unnamed: dict[str, tuple[UnnamedPorts, ...]] = {}
        self.uncompared: dict[Uncompared, list[str]] = {}
        self.others = OthersTally()
        self.rest = RestComparer()
        self.fates: list[Fates] = []
        self._meant: dict[Hashable, IntendedDevice] = {}
        self._uncompared: dict[int, tuple[Uncompared, ...]] = {}  # by what is meant

    def run(self, paths: Iterable[str], only: str | None) -> Drift:
        known = {name: device for name, (_, device) in self.devices.items()}
        read = RunningConfigurations(paths, known, self.sources, only)
        compared: dict[str, IntendedDevice] = {}
        differing: list[Compared] = []
        unclear: list[Compared] = []
        strangers: list[Stranger] = []
        files: dict[str, str] = {}
        for found in read:
            name = found.name or self._name_by_policy(found)
            if name is None:
                strangers.append(Stranger(found.document.path, found.switch.name))
                read.forget_text(found)
                continue
            other = files.setdefault(name, found.document.path)
            if name in compared:
                self._refuse(name, found, f"is {name}, like {other}", "compare it with one of them")
            elif (means := self._read_intended(name, found)) is not None:
                compared[name] = means
                wanted, shown, coverage = self._compare(name, means, found)
                if wanted:
                    differing.append(Compared(name, means, found, wanted, coverage.uncovered))
                elif coverage.uncovered:
                    unclear.append(Compared(name, means, found, wanted, coverage.uncovered))
                elif not shown:
                    read.forget_text(found)
        refused = {each.name for each in self.refused}
        absent = () if self.policies else tuple(n for n in self.devices if n not in compared and n not in refused)
        counts = {name: len(means.ports) for name, means in compared.items()}
        differences = sorted(self.folding.fold(counts), key=lambda d: d.down)
        missed = self.tally.group_uncovered()
        return Drift(
            differences,
            compared,
            differing,
            self.tally.settings,
            self.tally.ports,
            Counts(len(compared), sum(counts.values()), len(differing)),
            [one for one in missed if not one.own],
            [one for one in missed if one.own],
            unclear,
            absent,
            strangers,
            self.notes,
            self.unnamed,
            self.uncompared,
            self.refused,
            read,
            self.sources,
            self.others,
            add_up_fates(self.fates),
        )

    def _name_by_policy(self, found: RunningConfiguration) -> str | None:
        """A name for a switch that a policy is for."""
        for loaded, device in self.policies:
            stem = os.path.splitext(os.path.basename(found.document.path))[0]
            name = found.switch.name or stem
            own = restrict_to_pfc_ports(device, found.switch) if device.vendor == found.vendor else device
            self.devices[name] = loaded, replace(own, names=(name,), key=name)
            return name
        return None

    def _refuse(self, name: str, found: RunningConfiguration, message: str, help: str = "") -> None:
        self.refused.append(Refused(name, SourceError(found.document.path, message, help)))

    def _read_intended(self, name: str, found: RunningConfiguration) -> IntendedDevice | None:
        """What is intended for a device; None where that cannot be said, which is noted."""
        loaded, device = self.devices[name]
        if device.vendor != found.vendor:
            stated = device.vendor or "nothing of its system"
            message = f"is a configuration of {found.vendor}, but the intent has {stated} for {name}"
            self._refuse(name, found, message, "" if device.vendor else f"give --vendor {found.vendor}")
            return None
        key = (loaded.root, device, tuple(p.names for p in device.ports))
        if key not in self._meant:
            assert loaded.fabric is not None
            try:
                templates = self.templates.get(loaded.root)
                means = read_intended_settings(loaded.fabric, device, self.sources, templates)
                own = means.switch
                self._meant[key] = means._replace(switch=own._replace(in_force=cache(own.in_force)))
            except CannotRender as error:
                self.refused.append(Refused(name, error))
                return None
        return self._meant[key]

    def _compare(self, name: str, means: IntendedDevice, found: RunningConfiguration) -> tuple[Wanted, bool, Coverage]:
        """What is to be fixed on a device; whether places in its text are shown; what was compared."""
        parts, coverage = self.comparer.compare(means, found.switch)
        told = {port for part in parts if part.down for port in part.ports or ()}
        notes = note_release_and_box(means.device, found.switch)
        for note in (*notes, *note_kept_headroom(means, found.switch), *note_down_ports(means, found.switch, told)):
            self.notes.setdefault(note, []).append(name)
        self.fates.append(found.switch.fates)
        known = len(self.others.unstated)
        coverage = self._compare_rest(name, means, found, coverage, [one.gap for part in parts for one in part.seen])
        shown = self.tally.add_device(name, coverage)
        for part in parts:
            if part.ports is None:
                self.folding.add_device(name, part.seen)
            else:
                self.folding.add_ports(name, part.ports, part.seen, down=part.down)
        if id(means) not in self._uncompared:
            self._uncompared[id(means)] = find_uncompared(means.fabric, means.device)
        for uncompared in self._uncompared[id(means)]:
            self.uncompared.setdefault(uncompared, []).append(name)
        if not self.policies and ANY_PORT not in self.known_ports:
            unnamed = tuple(find_unnamed_ports(means, found.switch, self.known_ports))
            self.unnamed |= {name: unnamed} if unnamed else {}
        listed = bool(found.switch.fates.unjudged) or len(self.others.unstated) > known  # with their lines
        return wanted_of(parts), bool(parts) or shown or listed or name in self.unnamed, coverage

    def _compare_rest(
        self,
        name: str,
        means: IntendedDevice,
        found: RunningConfiguration,
        coverage: Coverage,
        differing: Collection[Gap],
    ) -> Coverage:
        """What is rendered and runs otherwise, with what of it nobody knows to have the same effect as not compared.

        Of a part of a configuration only what it has and no intent states: what it lacks, another part may have.
        """
        told = (*(gap.what for gap in differing), *(what for one in coverage.uncovered for what in one.settings))
        document = found.document if found.alone else None
        places = {gap.running.at for gap in differing if gap.running is not None}
        others = self.rest.list_others(means, found.switch, document, told, places, differs=bool(differing))
        self.others.add_device(name, others)
        unsure: dict[tuple[tuple[str, ...], str], list[OtherStatement]] = {}
        for one in others.settings:
            if one.why == NO_REASON:
                unsure.setdefault((one.ports, one.what.topic), []).append(one)
        more = tuple(
            Uncovered(
                ports or None,
                tuple(one.what for one in those),
                those[0].at or found.switch.at,
                _say(those),
                silent=False,
            )
            for (ports, _), those in unsure.items()
        )
        return coverage._replace(uncovered=(*coverage.uncovered, *more))


def _say(those: Iterable[OtherStatement]) -> str:
    """Why settings of one topic are not compared, with the parts that it is so of."""
    parts = tuple(dict.fromkeys(one.what.part for one in those if one.what.part))
    return f"{NO_REASON}: {fold_some(parts)}" if parts else NO_REASON


# -- configurations against configurations that are kept ---------------------------------------------------------------


def is_configuration(path: str) -> bool:
    """Whether a path is a file that a switch wrote, and no intent."""
    data = peek(path)
    return not is_root(data) and vendor_of(data.decode("utf-8", "replace")) is not None


def find_drift_from_kept(kept: str, paths: Iterable[str], sources: Sources) -> Drift:
    """What runs against configurations that are kept: of the day before, or as somebody wants them to be.

    Here no intent says what is intended. Each switch of the kept files is compared with the one of its name that runs,
    setting by setting; a pair of single files is compared whatever their names are. `paths`: files and folders that
    run, `-` for standard input.
    """
    # no intent needs them
    from rocecfg.drift.configurations import count_settings, fold_differences, with_unjudged_texts

    earlier = RunningConfigurations((kept,), {}, sources)
    before = _index_by_name(earlier)
    running = RunningConfigurations(paths, {}, sources)
    after = _index_by_name(running)
    running.errors[:0] = earlier.errors
    if len(before) == len(after) == 1 and not before.keys() & after.keys():
        after = dict.fromkeys(before, *after.values())
    both = [(name, found, after[name]) for name, found in before.items() if name in after]
    refused = [_refuse_other_system(name, now) for name, was, now in both if was.vendor != now.vendor]
    pairs = [
        (name, with_unjudged_texts(was.switch, was.document), with_unjudged_texts(now.switch, now.document))
        for name, was, now in both
        if was.vendor == now.vendor
    ]
    found, differing = fold_differences(pairs)
    counted = [count_settings(switch) for _, switch, _ in pairs]
    settings, ports = (sum(each) for each in zip(*counted, strict=True)) if counted else (0, 0)
    return Drift(
        differences=found,
        compared={},
        differing=[],
        settings=settings,
        ports=ports,
        counts=Counts(len(pairs), ports, len(differing)),
        uncovered=[],
        own=[],
        unclear=[],
        absent=tuple(name for name in before if name not in after),
        strangers=[Stranger(one.document.path, one.switch.name) for name, one in after.items() if name not in before],
        notes={},
        unnamed={},
        uncompared={},
        refused=refused,
        running=running,
        sources=sources,
        fates=add_up_fates(now.switch.fates for _, _, now in both),
    )


def _index_by_name(running: RunningConfigurations) -> dict[str, RunningConfiguration]:
    """Each switch by its host name, else by its file's; of two of one name the first."""
    out: dict[str, RunningConfiguration] = {}
    for found in running:
        out.setdefault(_name_switch(found.switch, found.document.path), found)
    return out


def _name_switch(switch: Switch, path: str) -> str:
    return switch.name or os.path.splitext(os.path.basename(path))[0]


def _refuse_other_system(name: str, found: RunningConfiguration) -> Refused:
    message = f"is a configuration of {row(found.vendor).title}, but the saved one of {name} is not"
    return Refused(name, SourceError(found.document.path, message, "compare it with one of the same system"))
