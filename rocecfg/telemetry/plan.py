"""What of a fabric is watched: its lossless ports by exporter, speed and thresholds, and the hosts.

Ports that are to be watched alike are one group, of however many devices: rules are written once for each.
"""

from __future__ import annotations

from rocecfg.analysis.balancing import find_reordering
from rocecfg.core.nodeset import names_of
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate, show_time
from rocecfg.model import Device, Ecn, Fabric, Nos, Origin, PortGroup
from rocecfg.profiles import UnknownProfile, applies
from rocecfg.profiles.exporters import Exporter, is_name
from rocecfg.profiles.library import Library
from rocecfg.telemetry.promql import SeriesPlace
from rocecfg.vendors.base import CannotRender

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ASSUMED_SCRAPE = 30_000  # ms: the longest interval that rule ops-scrape lets pass
_SAMPLES = 4  # in the window of a rate: it has two still when one scrape failed
_LEAST_WINDOW = 60_000  # ms
_LEAST_SCRAPE = 1000  # ms


class LosslessClass(NamedTuple):
    """A lossless class on some ports, with the thresholds it has there. Bytes; None: unknown."""

    name: str
    priority: int
    queue: int
    pg: int
    kmin: int | None
    kmax: int | None
    headroom: int | None


class WatchedGroup(NamedTuple):
    """Ports that are watched alike."""

    exporter: Exporter
    place: SeriesPlace
    speed: int | None  # bit/s
    faces: str | None  # what is behind the ports: host, switch, ...; None: unknown, or a network card
    classes: tuple[LosslessClass, ...]

    @property
    def shown_speed(self) -> str:
        """The speed as a label: 400G; empty where it is not stated."""
        return show_rate(self.speed) if self.speed is not None else ""


class WatchedDevices(NamedTuple):
    """Devices of one exporter, and how many they are: 0 where the intent names none."""

    exporter: Exporter
    device_label: str
    devices: tuple[str, ...]


class Counting(NamedTuple):
    """Since when a system counts marked packets, as its profile says."""

    title: str
    since: str
    source: str


class WatchPlan(NamedTuple):
    """All that rules, test and dashboard are written from."""

    fabric: str
    groups: tuple[WatchedGroup, ...]
    switches: tuple[WatchedDevices, ...]
    hosts: WatchedGroup | None  # their network cards; ports have no names that the intent knows
    markless: dict[Counting, tuple[str, ...]]  # keys of devices whose release counts no marks yet
    reorders: bool  # packets may overtake each other: routing is adaptive
    scrape: float  # ms
    scrape_said: bool
    window: float  # ms, of rates
    alerts: tuple[str, ...] | None  # as stated

    @property
    def everything(self) -> tuple[WatchedGroup, ...]:
        """Switch ports and network cards."""
        return self.groups if self.hosts is None else (*self.groups, self.hosts)


def make_plan(fabric: Fabric, library: Library) -> WatchPlan:
    """The plan of a fabric. Raises CannotRender where the intent does not say what exports its counters."""
    section = fabric.facts.get("telemetry")
    if not isinstance(section, dict):
        lacking = "telemetry is none" if section == "none" else "the intent has no section telemetry"
        raise CannotRender(
            f"{lacking}, so nothing is known of what exports the counters",
            "write telemetry: {exporter: NAME, scrape_interval: 10s}; rocecfg profiles --kind exporters lists them",
            (fabric.at("telemetry"),) if section is not None else (),
        )
    exporters = _Exporters(fabric, section, library)
    found: dict[tuple[Any, ...], dict[str, None]] = {}
    watched: dict[tuple[str, str], dict[str, None]] = {}
    for device in fabric.devices:
        exporter, label = exporters.exporter_of(device)
        watched.setdefault((exporter.name, label), {}).update(dict.fromkeys(device.names))
        for port in device.ports:
            if port.pfc:
                key = (exporter.name, label, port.names, port.speed, port.faces, _lossless_classes(device, port))
                found.setdefault(key, {}).update(dict.fromkeys(device.names))
    if not found:
        raise CannotRender(
            "no port has PFC: there is no lossless traffic to watch", "", (fabric.at("classes", "telemetry"),)
        )
    interval, alerts = section.get("scrape_interval"), section.get("alerts")
    scrape = float(interval.value) if interval is not None else float(ASSUMED_SCRAPE)
    if scrape < _LEAST_SCRAPE:
        raise CannotRender(
            f"scrape_interval {show_time(scrape)} is shorter than a second, and counters are not read as often",
            "write 10s",
            (interval.at if interval is not None else fabric.at("telemetry"),),
        )
    return WatchPlan(
        fabric=fabric.name or "fabric",
        groups=tuple(
            WatchedGroup(
                exporters.exporter_named(name), SeriesPlace(label, tuple(devices), ports), speed, faces, classes
            )
            for (name, label, ports, speed, faces, classes), devices in found.items()
        ),
        switches=tuple(
            WatchedDevices(exporters.exporter_named(name), label, tuple(devices))
            for (name, label), devices in watched.items()
        ),
        hosts=exporters.hosts(tuple(dict.fromkeys(_without_thresholds(c) for key in found for c in key[-1]))),
        markless=_devices_without_marks(fabric),
        reorders=find_reordering(fabric) is not None,
        scrape=scrape,
        scrape_said=interval is not None,
        window=max(_SAMPLES * scrape, _LEAST_WINDOW),
        alerts=tuple(v.value for v in alerts.value) if alerts is not None else None,
    )


def _lossless_classes(device: Device, port: PortGroup) -> tuple[LosslessClass, ...]:
    out = []
    for cls in device.classes_on(port):
        if cls.priority not in port.pfc or not cls.lossless:
            continue
        curve = cls.ecn_at(port.speed)
        kmin, kmax = (curve.kmin, curve.kmax) if isinstance(curve, Ecn) else (None, None)
        room = port.room
        headroom = None if room is None else room.xoff if room.xoff is not None else room.size
        out.append(
            LosslessClass(
                name=cls.name,
                priority=cls.priority,
                queue=cls.queue,
                pg=cls.pg,
                kmin=kmin,
                kmax=kmax,
                headroom=headroom,
            )
        )
    return tuple(out)


def _without_thresholds(cls: LosslessClass) -> LosslessClass:
    """A class without what it is given on a switch port."""
    return cls._replace(queue=0, pg=0, kmin=None, kmax=None, headroom=None)


def _devices_without_marks(fabric: Fabric) -> dict[Counting, tuple[str, ...]]:
    """The devices of releases that do not count marked packets yet, by what is known of their system."""
    found: dict[Counting, dict[str, None]] = {}
    for device in fabric.devices:
        nos = device.nos
        if nos is not None and nos.counts_marks is not None and not _counts_marks(device, nos, nos.counts_marks):
            counting = Counting(nos.title, nos.counts_marks, nos.sources["counts_marks"])
            found.setdefault(counting, {})[device.key or "every switch"] = None
    return {counting: tuple(keys) for counting, keys in found.items()}


def _counts_marks(device: Device, nos: Nos, since: str) -> bool:
    try:
        return applies(since, None, nos.name, device.release or nos.default_release)
    except ValueError as error:
        raise CannotRender(
            f"{error}, so whether {nos.title} counts marked packets is unknown",
            "write the release that the image was built from",
            (device.at("version"),),
        ) from None


class _Exporters:
    """The exporters of a fabric, as its section `telemetry` names them."""

    def __init__(self, fabric: Fabric, section: dict[str, Any], library: Library) -> None:
        self.fabric = fabric
        self.section = section
        self.library = library

    def exporter_named(self, name: str) -> Exporter:
        return self.library.exporter(name)

    def exporter_of(self, device: Device) -> tuple[Exporter, str]:
        """A device's exporter, and the label in which it names the device."""
        name, at = self._stated_word("exporter", device)
        if name is None:
            raise CannotRender(
                f"telemetry.exporter does not say what exports the counters of {self._describe_device(device)}",
                f"write exporter: NAME, or exporter: {{{device.vendor or 'VENDOR'}: NAME}}",
                (at,),
            )
        exporter = self._find_exporter(name, "switch", at)
        label, at_label = self._stated_word("device_label", device)
        label = label or exporter.device
        if label is None:
            raise CannotRender(
                f"{exporter.name} does not say which label names the switch: that depends on the collector",
                "write telemetry: {device_label: LABEL}",
                (at,),
            )
        if not is_name(label):
            raise CannotRender(
                f"{label!r} is not a name of a label of Prometheus", "letters, digits, underscores", (at_label,)
            )
        return exporter, label

    def hosts(self, classes: tuple[LosslessClass, ...]) -> WatchedGroup | None:
        exporter_name = self.section.get("hosts")
        if exporter_name is None:
            return None
        exporter = self._find_exporter(exporter_name.value, "host", exporter_name.at)
        if exporter.device is None:
            raise CannotRender(
                f"{exporter.name} does not say which label names the host",
                f"write device in a profile that extends it, rocecfg-profiles/exporters/{exporter.name}.yaml",
                (exporter_name.at,),
            )
        keys = self.fabric.facts.get("hosts") or {}
        names = dict.fromkeys(name for key in keys for name in names_of(key))
        return WatchedGroup(exporter, SeriesPlace(exporter.device, tuple(names), ()), None, None, classes)

    def _describe_device(self, device: Device) -> str:
        return device.key or (f"{device.vendor} devices" if device.vendor else "the policy")

    def _stated_word(self, key: str, device: Device) -> tuple[str | None, Origin]:
        """What the section says under a key for a device, and where."""
        value = self.section.get(key)
        if value is None:
            return None, self.fabric.at("telemetry")
        if not isinstance(value.value, dict):
            return value.value, value.at
        of = value.value.get(device.vendor)
        return (of.value, of.at) if of is not None else (None, value.at)

    def _find_exporter(self, name: str, side: str, at: Origin) -> Exporter:
        try:
            exporter = self.library.exporter(name)
        except UnknownProfile as error:
            known = [n for n in self.library.names("exporters") if self.library.exporter(n).side == side]
            near = f"did you mean {error.near[0]}? " if error.near else ""
            raise CannotRender(
                f"{error}, so the names of its metrics are unknown",
                f"{near}known for a {side}: {', '.join(known)}; yours: rocecfg-profiles/exporters/{name}.yaml",
                (at,),
            ) from None
        if exporter.side != side:
            raise CannotRender(
                f"{name} exports counters of a {exporter.side}, not of a {side}",
                "telemetry.exporter is for the switches, telemetry.hosts for the network cards",
                (at,),
            )
        return exporter
