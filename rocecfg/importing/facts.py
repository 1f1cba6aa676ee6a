"""What each switch says, apart by where an intent can say it, and what an intent has no word for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import Percent
from rocecfg.importing.alike import joined
from rocecfg.importing.curves import Curve
from rocecfg.importing.eos_guarantee import Floors, changes
from rocecfg.importing.format import Sizes, Unsayable, curve, headroom, plain
from rocecfg.importing.own_maps import OnPort, is_lossless, matched
from rocecfg.importing.shares import whole_shares
from rocecfg.importing.timers import Timers, timers
from rocecfg.importing.unsupported import Note, Notes, of_port, of_switch
from rocecfg.intent.nodeset_merge import Group, groups
from rocecfg.intent.precedence import EMPTY, overlay, section
from rocecfg.intent.schema import CLASS, DEVICE, PORT
from rocecfg.intent.shapes import PORTS
from rocecfg.model import AUTO, Span
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.source.write import Value

SHARES = ("bandwidth", "max_rate", "guaranteed")  # what a class may leave unsaid
_OF_NO_USE = frozenset(("classes", "ports", "running", "pfc", "description", "address", "hostname"))
SPREAD = ("mtu", "trust", "flowcontrol", "fec", "layer")  # of ports, said as widely as they hold
_PLACES = 4  # of a percentage: what eight of them lose by it stays far below what a scheduler can tell apart
_STRICT = "strict"
UNLESS_SAID = {"trust": "dscp", "flowcontrol": OFF}  # what holds where nothing is said


class ClassFacts(NamedTuple):
    """A traffic class of one switch."""

    tc: int
    dscps: tuple[int, ...]
    priority: int
    queue: int
    pg: int
    lossless: bool
    shares: Mapping[str, Value]  # of SHARES, those that are said


class PortFacts(NamedTuple):
    """Ports that are told the same."""

    names: tuple[str, ...]
    settings: Mapping[str, Value]  # speed, cable, mtu, ...: keys of a port in an intent
    crossing: frozenset[int]  # traffic classes
    pfc: tuple[int, ...]  # priorities with PFC
    ecn: Mapping[int, Curve]  # curve of each traffic class that crosses
    timers: Timers  # of the watchdog
    headroom: Value | None
    own: Mapping[int, ClassFacts] = {}  # classes that cross, as these ports sort them, where not as the switch does

    @property
    def speed(self) -> str | None:
        """As written; None: not known."""
        return str(self.settings["speed"]) if "speed" in self.settings else None


class Facts(NamedTuple):
    """One switch."""

    name: str
    settings: Mapping[str, Value]  # vendor, version, platform, ...: keys of a device in an intent
    classes: Mapping[int, ClassFacts]  # by traffic class
    ports: tuple[PortFacts, ...]
    notes: tuple[Note, ...]  # what an intent cannot say of it
    unset: bool = False  # classes and queues are those that its system has anyway

    def without_classes(self) -> Facts:
        """The switch without its classes."""
        return self._replace(classes={}, ports=tuple(p._replace(crossing=frozenset(), ecn={}) for p in self.ports))

    @property
    def vendor(self) -> Value | None:
        """The vendor, where it is known."""
        return self.settings.get("vendor")


def facts(name: str, said: Section, sizes: Sizes) -> Facts:
    """What a switch says, from the section that an intent would have for it."""
    return _Reader(said, sizes).facts(name)


class _Reader:
    def __init__(self, said: Section, sizes: Sizes) -> None:
        self.said = said
        self.sizes = sizes
        self.notes = Notes()
        self.here: tuple[str, ...] = ()  # the ports looked at
        self.sections: dict[int, Section] = {}  # of each traffic class
        self.numbers: dict[str, int] = {}  # name of a class in the section -> its traffic class
        self.of_some: set[int] = set()  # traffic classes that only ports with maps of their own have
        vendor = said.get("vendor")
        self.floors = Floors(vendor.value if vendor is not None else None)

    def facts(self, name: str) -> Facts:
        classes: dict[int, ClassFacts] = {}
        keyed = section(self.said.get("ports"))
        grouped = groups(keyed, "port", []) if keyed else []
        said, sorted_by = matched(section(self.said.get("classes")), [g.section.get("classes") for g in grouped])
        for key, val in said.items():
            found = self._class(val.value)
            self.numbers[key], self.sections[found.tc] = found.tc, val.value
            classes[found.tc] = found
        self.of_some = {self.numbers[key] for key in said.keys() - section(self.said.get("classes")).keys()}
        kinds = list(zip(grouped, sorted_by, strict=True))
        ports = [self._port(g.names, g.section, g.at, classes, own) for g, own in kinds if self._is_used(g, grouped)]
        if not keyed:
            ports = [self._port((), EMPTY, Span(0, 0, 0), classes, None)]
        self.here = ()
        self._of_switch(ports)
        classes = {tc: self._without_floor(found) for tc, found in classes.items()}
        crossed = [port for port in ports if port is not None]
        if not self.said["running"].value.remarks:  # which are by traffic class
            classes, crossed = joined(classes, crossed)
        classes = _in_whole_percents(classes)
        settings = self._settings(DEVICE.keys, self.said, (*_OF_NO_USE, *SPREAD))
        unset = self._is_unset({group.at for group in grouped})
        return Facts(name, settings, classes, tuple(crossed), self.notes.listed(), unset)

    def _is_unset(self, ports: AbstractSet[Span]) -> bool:
        """Whether no class is told anything: what is implied stands at the switch itself, or at a port's own line."""
        implied = {self.said["running"].at, *ports}
        sent = [part for said in self.sections.values() for key in (*SHARES, "ecn") if (part := said.get(key))]
        points = [point for said in self.sections.values() for point in said["dscp"].value]
        paused = any(is_lossless(said) for said in self.sections.values())
        return not paused and all(part.at in implied or part.value in (None, OFF) for part in (*sent, *points))

    def _is_used(self, group: Group, groups: Iterable[Group]) -> bool:
        """Whether ports are configured, or up. Of those that are neither nothing is meant, which is noted."""
        bound = any("running" in each.section and each.section["running"].value.maps for each in groups)
        if not bound or "running" not in group.section or not self.said["running"].value.whole:
            return True
        running = group.section["running"].value
        if running.up or running.maps or "trust" in group.section:
            return True
        self.notes.add(Note("left out: neither up nor bound to any map", group.at), group.names)
        return False

    def _of_switch(self, ports: Iterable[PortFacts | None]) -> None:
        running = self.said["running"]
        pools = section(section(self.said.get("buffers")).get("pools"))
        shares = {key: val.value for key, val in pools.items()}
        errdisables = any(port is not None and port.timers.action == "errdisable" for port in ports)
        for note in of_switch(running.value, running.at, self.sizes, shares, errdisables=errdisables):
            self.notes.add(note)

    def _without_floor(self, found: ClassFacts) -> ClassFacts:
        if not self.floors.of_no_use(found.tc, self.sections[found.tc]):
            return found
        return found._replace(shares={key: value for key, value in found.shares.items() if key != "guaranteed"})

    def _class(self, said: Section) -> ClassFacts:
        numbers = {key: said[key].value for key in ("tc", "priority", "queue", "pg")}
        return ClassFacts(
            **numbers,
            dscps=tuple(sorted(val.value for val in said["dscp"].value)),
            lossless="lossless" in said and bool(said["lossless"].value),
            shares=self._settings(CLASS.keys, _shares(said), (), f"tc {numbers['tc']}"),
        )

    def _port(
        self,
        names: tuple[str, ...],
        said: Section,
        at: Span,
        classes: Mapping[int, ClassFacts],
        sorted_by: OnPort | None,
    ) -> PortFacts | None:
        strange = [name for name in names if not PORTS.fits.fits(name)]
        if strange:
            ports = f"{len(strange)} port{'s' * (len(strange) != 1)}"
            self.notes.add(Note(f"{ports} by a name that an intent does not take", at))
            names = tuple(name for name in names if name not in strange)
            if not names:
                return None
        self.here = names
        inherited = {key: self.said[key] for key in SPREAD if key in self.said}
        settings = self._settings(PORT.keys, {**inherited, **said}, _OF_NO_USE)
        for key, usual in UNLESS_SAID.items():
            settings.setdefault(key, usual)
        changed = said.get("classes")
        if sorted_by is not None:  # by the names of the switch's classes
            changed = Val({name: Val(part, part["dscp"].at) for name, part in sorted_by.items()}, at)
        crossing = self._crossing(changed, whole=sorted_by is not None)
        if sorted_by is None:
            crossing = {tc: ecn for tc, ecn in crossing.items() if tc not in self.of_some}
        own = {self.numbers[name]: self._class(part) for name, part in (sorted_by or {}).items()}
        here = {**classes, **own}
        pfc = tuple(sorted({here[tc].priority for tc in crossing if here[tc].lossless}))
        pfc_said = overlay(section(self.said.get("pfc")), section(said.get("pfc")))
        dog, notes = timers(pfc_said.get("watchdog"), pfc)
        for tc, change in changes(changed, self.numbers, crossing).items():
            watched = here[tc].priority in pfc and dog.word != OFF
            self.floors.see(tc, self.sections[tc], change, watched=watched)
        room = pfc_said.get("headroom")
        if "running" in said:
            notes += of_port(said["running"].value, pfc, at)
        for note in notes:
            self.notes.add(note, names)
        return PortFacts(
            names,
            settings,
            frozenset(crossing),
            pfc,
            {tc: self._curve(tc, val) for tc, val in crossing.items()},
            dog,
            self._headroom(room) if room is not None else None,
            own,
        )

    def _crossing(self, val: Val | None, *, whole: bool) -> dict[int, Val | None]:
        """The traffic classes that cross a port, with the marking curve there. `whole`: classes not named do not."""
        usual = {tc: said.get("ecn") for tc, said in self.sections.items()}
        if val is None:
            return usual
        if isinstance(val.value, list):
            listed = {self.numbers[item.value] for item in val.value}
            return {tc: ecn for tc, ecn in usual.items() if tc in listed}
        if whole:
            usual = {tc: ecn for tc, ecn in usual.items() if tc in {self.numbers[name] for name in val.value}}
        for name, part in val.value.items():
            tc = self.numbers.get(name)
            if tc is None:
                continue  # a class of other ports
            if part.value == OFF:
                del usual[tc]
                continue
            usual[tc] = part.value.get("ecn", usual[tc])
            for key in SHARES:
                if key in part.value and (not whole or _bare(part.value[key]) != _bare(self.sections[tc].get(key))):
                    what = self._settings(CLASS.keys, _shares({key: part.value[key]}), (), f"tc {tc}").get(key)
                    if what is not None:
                        self._note(f"{key} of tc {tc} is {what}: an intent has one for the switch", part.at)
        return usual

    def _settings(
        self, keys: Mapping[str, Any], said: Section, leaving: Iterable[str], where: str = ""
    ) -> dict[str, Value]:
        """What an intent says under known keys; what the format takes no such value for is noted."""
        out: dict[str, Value] = {}
        for key, val in said.items():
            if key in keys and key not in leaving and val.value is not None:
                try:
                    out[key] = plain(keys[key].type, val.value, self.sizes)
                except Unsayable as error:
                    self._note(f"{key} {error}{f' ({where})' if where else ''}", val.at)
        return out

    def _curve(self, tc: int, val: Val | None) -> Curve:
        if val is None or val.value in (None, MISSING, OFF):
            return None
        if val.value == AUTO:
            self._note(f"the thresholds at which tc {tc} is marked", val.at)
            return AUTO
        try:
            return curve(val.value, self.sizes)
        except Unsayable as error:
            self._note(f"ECN {error} (tc {tc})", val.at)
            return None

    def _headroom(self, val: Val) -> Value | None:
        try:
            return headroom(val.value, self.sizes) if val.value is not None else None
        except Unsayable as error:
            self._note(f"headroom {error}", val.at)
            return None

    def _note(self, text: str, at: Span) -> None:
        self.notes.add(Note(text, at), self.here)


def _in_whole_percents(classes: Mapping[int, ClassFacts]) -> dict[int, ClassFacts]:
    """The classes of a switch, the shares of their queues as people write them."""
    said = {cls.queue: str(cls.shares["bandwidth"]) for cls in classes.values() if "bandwidth" in cls.shares}
    shares = {queue: float(share) for queue, share in said.items() if share != _STRICT}
    whole = whole_shares(shares) or {}
    return {
        tc: cls._replace(shares={**cls.shares, "bandwidth": str(whole[cls.queue])}) if cls.queue in whole else cls
        for tc, cls in classes.items()
    }


def _bare(val: Val | None) -> object:
    return None if val is None else val.value


def _shares(said: Section) -> Section:
    """How a class sends; shares that were worked out from weights to as many places as anybody reads."""
    out: Section = {}
    for key in SHARES:
        if key in said:
            value, at = said[key]
            if isinstance(value, float):
                rounded = round(value, _PLACES)  # a plain number, of a share too
                value = Percent(rounded) if isinstance(value, Percent) else rounded
            out[key] = Val(value, at)
    return out
