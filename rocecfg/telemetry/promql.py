"""PromQL in pieces: regular expressions of names, selectors of series, series with the labels we give them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.profiles.exporters import PRIORITY, Metric

_NUMBERED = re.compile(r"(\D*)(\d+)(.*)", re.ASCII)


class SeriesPlace(NamedTuple):
    """Which series are of a set of devices and ports. Empty names: of all there are."""

    device_label: str
    devices: tuple[str, ...]
    ports: tuple[str, ...]


def quote(text: str) -> str:
    """A text as a string of PromQL."""
    return json.dumps(text, ensure_ascii=False)


def match_any(names: Iterable[str]) -> str:
    """A regular expression (RE2) that matches these names and no other; names with one stem share it."""
    stems: dict[tuple[str, str], list[str]] = {}
    for name in dict.fromkeys(names):
        found = _NUMBERED.fullmatch(name)
        head, number, tail = found.groups() if found else (name, "", "")
        stems.setdefault((head, tail), []).append(number)
    parts = []
    for (head, tail), numbers in stems.items():
        middle = numbers[0] if len(numbers) == 1 else f"({'|'.join(numbers)})"
        parts.append(f"{_escape(head)}{middle}{_escape(tail)}")
    return parts[0] if len(parts) == 1 else f"({'|'.join(parts)})"


def _escape(text: str) -> str:
    """A text in which no character means more than itself: a bracket needs no backslash, which strings would double."""
    return "".join(c if c.isalnum() or c in "_-:/" else f"[{c}]" for c in text)


def match_devices(names: Iterable[str]) -> str:
    """A regular expression for label values that name one of these: alone, with a domain, or with a port number."""
    return f"{match_any(names)}([.:].*)?"


def select(metric: Metric, place: SeriesPlace, number: int | None) -> str:
    """The series of a metric at some ports; `number` of the priority, queue or priority group, where that is known."""
    index = metric.subject.by
    match = [f"{label}={quote(value)}" for label, value in metric.where.items()]
    if index in metric.labels and number is not None:
        match.append(f'{metric.labels[index]}="{number}"')
    if place.devices:
        match.append(f"{place.device_label}=~{quote(match_devices(place.devices))}")
    if place.ports:
        match.append(f"{metric.labels['port']}=~{quote(match_any(place.ports))}")
    name = metric.name.replace(PRIORITY, str(number))
    return f"{name}{{{', '.join(match)}}}" if match else name


def relabel(expression: str, metric: Metric, place: SeriesPlace) -> str:
    """The series by the labels `device` and `port` alone, whatever the exporter calls them.

    Of series that are told apart by other labels (two scrapers of one switch), the greatest counts.
    """
    domain = ":" if any("." in name for name in place.devices) else ".:"
    device = rf"([^{domain}]+)([{domain}].*)?"
    port = metric.labels["port"]
    return (
        "max by (device, port) (label_replace(label_replace(\n"
        f"  {expression},\n"
        f'  "port", "$1", "{port}", "(.*)"), "device", "$1", "{place.device_label}", {quote(device)}))'
    )


def write_series(name: str, labels: Mapping[str, str]) -> str:
    """A series by its name and all its labels, as a selector and as `promtool test rules` write it."""
    inside = ", ".join(f"{key}={quote(value)}" for key, value in labels.items())
    return f"{name}{{{inside}}}"


def show_duration(ms: float) -> str:
    """A time as Prometheus writes it: 90s, 5m, 1h; milliseconds where it is not a whole number of seconds."""
    whole = round(ms)
    for unit, size in (("h", 3_600_000), ("m", 60_000), ("s", 1000)):
        if whole % size == 0:
            return f"{whole // size}{unit}"
    return f"{whole}ms"


def show_plain_number(value: float) -> str:
    """A number without an exponent and without digits that say nothing."""
    return str(int(value)) if float(value).is_integer() else f"{value:.6f}".rstrip("0")
