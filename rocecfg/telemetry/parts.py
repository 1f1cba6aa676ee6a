"""What a file of rules is made of: recording rules, alerts, and the series that prove an alert."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.profiles.exporters import PRIORITY, Metric
from rocecfg.telemetry.plan import LosslessClass, WatchedGroup, WatchPlan
from rocecfg.telemetry.promql import SeriesPlace, show_duration, show_plain_number, write_series

_SOME_DEVICE = "leaf01"  # in tests, where the intent names none
_SOME_PORT = "Ethernet0"
_SPARE = 4  # samples past the last one that is needed
_MINUTE = 60_000  # ms


class Record(NamedTuple):
    """A recording rule."""

    name: str
    expression: str
    labels: Mapping[str, str]
    source: str  # of the metric's name


class Sample(NamedTuple):
    """A series of an exporter in two tests: in one the alert fires, in the other it is silent by a little."""

    series: str
    fires: str  # values in the notation of `promtool test rules`
    silent: str  # "" of all samples: there is no such test


class Alert(NamedTuple):
    """An alert with its proof."""

    name: str
    expression: str
    severity: str
    summary: str
    description: str
    about: tuple[str, ...]  # subjects of model.watched; () for what is always alerted on
    samples: tuple[Sample, ...]
    expected: Mapping[str, str]  # labels of the alert that fires in the test
    after: float  # ms from the beginning of the test to when it is asked
    hold: float = 0  # ms that it must hold before it fires; 0: fires at once
    labels: Mapping[str, str] = {}  # besides the severity
    alone: bool = False  # it is about series that are missing: others must not be there


class Source(NamedTuple):
    """A metric on the ports of a group, for one of their classes, or for all where it does not tell them apart."""

    group: WatchedGroup
    metric: Metric
    classes: tuple[LosslessClass, ...]

    @property
    def number(self) -> int | None:
        """Of the priority, queue or priority group; None where several are intended."""
        if len(self.classes) != 1 or not self.metric.subject.by:
            return None
        index: int = getattr(self.classes[0], self.metric.subject.by)
        return index

    def labels(self, plan: WatchPlan) -> dict[str, str]:
        """The labels that a recorded series gets."""
        out = {"fabric": plan.fabric}
        if self.group.shown_speed:
            out["speed"] = self.group.shown_speed
        if self.group.faces is not None:
            out["faces"] = self.group.faces
        if self.metric.subject.by:
            out["class"] = ",".join(c.name for c in self.classes)
            if self.number is not None:
                out[self.metric.subject.by] = str(self.number)
        return out

    @property
    def ends(self) -> dict[str, str]:
        """The device and port that tests speak of."""
        place = self.group.place
        return {
            "device": place.devices[0] if place.devices else _SOME_DEVICE,
            "port": place.ports[0] if place.ports else _SOME_PORT,
        }


def find_sources(plan: WatchPlan, key: str) -> list[Source]:
    """The metrics of a subject on all groups whose exporter has it, in a unit that is known."""
    out = []
    for group in plan.everything:
        metric = group.exporter.metrics.get(key)
        if metric is None or not metric.measured:
            continue
        if metric.subject.by and metric.by_index:
            out += [Source(group, metric, (cls,)) for cls in group.classes]
        else:
            out.append(Source(group, metric, group.classes))
    return out


class Pulse(NamedTuple):
    """A metric that says whether switches are scraped at all."""

    exporter: str
    metric: Metric
    place: SeriesPlace
    port: str
    number: int | None


def find_pulses(plan: WatchPlan) -> list[Pulse]:
    """For the switches of each exporter the metric that asks for the least; none for switches without names."""
    out = []
    for watched in plan.switches:
        metric = min(watched.exporter.metrics.values(), key=lambda m: m.needs is not None, default=None)
        group = next((g for g in plan.groups if g.exporter is watched.exporter), None)
        if metric is not None and group is not None and watched.devices:
            port = group.place.ports[0] if group.place.ports else _SOME_PORT
            number = group.classes[0].priority if group.classes else None
            place = SeriesPlace(watched.device_label, watched.devices, ())
            out.append(Pulse(watched.exporter.name, metric, place, port, number))
    return out


def raw_series(metric: Metric, place: SeriesPlace, ends: Mapping[str, str], number: int | None) -> str:
    """A series as the exporter has it, for tests."""
    device = ends["device"] + (":9100" if place.device_label == "instance" else "")
    labels = {place.device_label: device, metric.labels["port"]: ends["port"], **metric.where}
    index = metric.subject.by
    if index in metric.labels and number is not None:
        labels[metric.labels[index]] = str(number)
    return write_series(metric.name.replace(PRIORITY, str(number)), labels)


def steady_samples(plan: WatchPlan, after: float, step: float) -> str:
    """A counter that grows by `step` a scrape."""
    return f"0+{show_plain_number(step)}x{_count_samples(plan, after)}"


def level_samples(plan: WatchPlan, after: float, value: float) -> str:
    """A gauge, or a counter that does not move."""
    return f"{show_plain_number(value)}+0x{_count_samples(plan, after)}"


def jump_samples(plan: WatchPlan, after: float, *, height: int = 1) -> str:
    """A counter that moves once, three scrapes before it is asked about."""
    before = max(ceil(after / plan.scrape) - 3, 1)
    return f"0+0x{before} {height}+0x{_SPARE + 3}"


def _count_samples(plan: WatchPlan, after: float) -> int:
    return ceil(after / plan.scrape) + _SPARE


def tick_ms(plan: WatchPlan) -> float:
    """How often tests evaluate the rules, ms: scrapes of a minute, since each evaluation of all rules takes time."""
    return ceil(_MINUTE / plan.scrape) * plan.scrape


def round_up_to_ticks(plan: WatchPlan, ms: float) -> float:
    """The least multiple of `tick` that is not shorter than a time: when a test asks, and how long an alert is held."""
    return ceil(ms / tick_ms(plan)) * tick_ms(plan)


def scrape_window(plan: WatchPlan, least: float) -> tuple[float, str]:
    """A window of at least `least` ms in which a few scrapes fall: in ms, and as Prometheus writes it."""
    ms = max(least, plan.window)
    return ms, show_duration(ms)
