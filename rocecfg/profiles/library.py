"""Profiles as the model's facts. Each is read once a process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import inf
from typing import Any, NamedTuple

from rocecfg.model.facts import Asic, Box, Lack, Limit, Nos, Platform
from rocecfg.profiles.files import Entry, read
from rocecfg.units import parse_length, parse_percent, parse_rate, parse_size, parse_time

_UNITS: dict[str, Callable[[str], float]] = {
    "ms": parse_time,
    "B": parse_size,
    "percent": parse_percent,
    "m": parse_length,
    "bit/s": parse_rate,
    "": float,
}
_SEVERITIES = ("error", "warning", "info")


class Workload(NamedTuple):
    """What a fabric is for: what it is judged by, and the values recommended where the intent has none."""

    name: str
    title: str
    judged_by: tuple[str, ...]
    intent: dict[str, Any]  # a fragment of an intent, scalars as text; {}: nothing is recommended
    why: str  # why these values
    source: str
    mark: str  # V | M | D | U


@cache
def load_nos(name: str) -> Nos:
    """A network operating system by the intent's word for it (sonic, spectrum, arista). Raises UnknownProfile."""
    said = read("nos", name)
    said.cited()
    nos = Nos(
        name=name,
        title=said.text("title"),
        releases=said.texts("releases"),
        default_release=said.text("default_release"),
        limits=tuple(map(_limit, said.entries("limits"))),
        lacks=tuple(map(_lack, said.entries("lacks"))),
    )
    said.done()
    return nos


def _limit(said: Entry) -> Limit:
    unit = said.word("unit", tuple(_UNITS)) if "unit" in said else ""
    low, high = said.maybe("low"), said.maybe("high")
    source, _ = said.cited()
    limit = Limit(
        what=said.text("what"),
        low=-inf if low is None else said.quantity("low", low, _UNITS[unit]),
        high=inf if high is None else said.quantity("high", high, _UNITS[unit]),
        unit=unit,
        since=said.maybe("since"),
        until=said.maybe("until"),
        source=source,
    )
    said.done()
    return limit


def _lack(said: Entry) -> Lack:
    source, _ = said.cited()
    lack = Lack(
        what=said.text("what"),
        values=said.texts("values"),
        severity=said.word("severity", _SEVERITIES),
        message=said.text("message"),
        since=said.maybe("since"),
        until=said.maybe("until"),
        source=source,
        mend=said.text("mend"),
        on=said.texts("on"),
    )
    said.done()
    return lack


@cache
def load_asic(name: str) -> Asic:
    """A switch chip by the name of its profile. Raises UnknownProfile."""
    said = read("asics", name)
    title = said.text("title")
    facts: dict[str, Entry] = {}
    sources: dict[str, str] = {}
    marks: dict[str, str] = {}
    for key in ("nos", "families", "speeds", "capacity", "cell", "usable_buffer", "lossless_pool", "shallow"):
        if key in said:
            facts[key] = fact = said.entry(key)
            sources[key], marks[key] = fact.cited()
    said.done()

    def size(key: str, parse: Callable[[str], int]) -> int | None:
        fact = facts.get(key)
        return None if fact is None else fact.quantity(key, fact.text("value"), parse)

    return Asic(
        name=name,
        title=title,
        nos=facts["nos"].texts("value"),
        families=facts["families"].pairs("value") if "families" in facts else {},
        speeds=facts["speeds"].parsed("value", parse_rate) if "speeds" in facts else (),
        capacity=size("capacity", parse_rate),
        cell=size("cell", parse_size),
        usable_buffer=size("usable_buffer", parse_size),
        lossless_pool=size("lossless_pool", parse_size),
        shallow=facts["shallow"].flag("value", absent=True),
        sources=sources,
        marks=marks,
    )


@cache
def _boxes(name: str) -> tuple[Platform, dict[tuple[str, str | None], Box]]:
    """A platform, and its boxes by NOS and HwSKU; HwSKU None stands for one the profile does not know."""
    said = read("platforms", name)
    title = said.text("title")
    asic = said.entry("asic")
    source, _ = asic.cited()
    chip = asic.text("value")
    asic.done()
    default: dict[str, Box] = {}
    boxes: dict[tuple[str, str | None], Box] = {}
    for nos, part in said.named("nos"):
        default[nos] = _nos_boxes(nos, part, boxes)
    said.done()
    return Platform(name, title, chip, default, source), boxes


def _nos_boxes(nos: str, said: Entry, boxes: dict[tuple[str, str | None], Box]) -> Box:
    """Adds a platform's boxes under one NOS; gives the one to assume where the intent names no HwSKU."""
    hwsku = said.maybe("hwsku")
    since = said.maybe("since")
    source, _ = said.cited()
    plain = Box(
        nos=nos,
        hwsku=None,
        ports=said.text("ports"),
        speeds=said.parsed("speeds", parse_rate),
        since=since,
        lossless=True,
        buffer_model=said.maybe("buffer_model"),
        pfc_to_pg=said.flag("pfc_to_pg", absent=False),
        headroom=(),
        source=source,
    )
    boxes[nos, None] = plain
    for table in said.entries("headroom"):
        table.text("table")  # for people and for the test against SONiC's tables
        rows = _rows(table)
        for sku, first in table.pairs("hwskus").items():
            boxes[nos, sku] = replace(plain, hwsku=sku, since=first, headroom=rows)
        table.done()
    for sku, first in said.pairs("lossy").items():
        boxes[nos, sku] = replace(plain, hwsku=sku, since=first, lossless=False)
    said.done()
    # the box as such is as old as its oldest image, whichever HwSKU that has
    return plain if hwsku is None else replace(boxes[nos, hwsku], since=since)


def _rows(table: Entry) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The cable lengths in metres that a headroom table lists, by speed in bit/s, both ascending."""
    rows: dict[int, tuple[int, ...]] = {}
    for row in table.entries("rows"):
        cables = tuple(sorted(map(int, row.parsed("cables", parse_length))))
        rows.update(dict.fromkeys(row.parsed("speeds", parse_rate), cables))
        row.done()
    return tuple(sorted(rows.items()))


def load_platform(name: str) -> Platform:
    """A box by the name of its profile, with the HwSKU to assume under each NOS. Raises UnknownProfile."""
    return _boxes(name)[0]


def load_box(platform: str, nos: str, hwsku: str | None = None) -> Box | None:
    """The platform under a NOS with that very HwSKU; None where the profile does not know the NOS.

    `since` is then the first release with that HwSKU; one that the profile does not know has no headroom known. Without
    `hwsku`, the box that `load_platform` assumes. Raises UnknownProfile.
    """
    assumed, boxes = _boxes(platform)
    if hwsku is None:
        return assumed.boxes.get(nos)
    found = boxes.get((nos, hwsku))
    if found is None and (nos, None) in boxes:
        found = replace(boxes[nos, None], hwsku=hwsku)
    return found


@cache
def load_workload(name: str) -> Workload:
    """A workload by the name of its profile. Raises UnknownProfile."""
    said = read("workloads", name)
    source, mark = said.cited()
    workload = Workload(
        name=name,
        title=said.text("title"),
        judged_by=said.texts("judged_by"),
        intent=said.tree("intent"),
        why=said.text("why"),
        source=source,
        mark=mark,
    )
    said.done()
    return workload
