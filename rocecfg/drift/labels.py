"""Differences in the words of the field: what a setting is called, and its values with their units."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.core.units import BYTES, MS, NUMBER, PERCENT, show, show_rate
from rocecfg.drift.differences import Difference, Value
from rocecfg.model.catalogue import What, find_compared_setting
from rocecfg.model.values import LAG_MTU, OF_LINK, Least, Offered, Watched, Way

NOTHING = "nothing"
_MARKS = {"dscp": "DSCP", "pcp": "802.1p"}
_NAMED = (*OF_LINK, "mtu", LAG_MTU.topic)  # whose values say too little alone: 2, rs, 9100
_STATEMENT = "what it sets"  # of a statement of which it is not known what it sets


def label_difference(difference: Difference) -> str:
    """What a difference is about: `ECN of queue 3`, `DSCP 24-25 27-31`, `802.1p 5`."""
    if difference.codes:
        codes = fold(tuple(map(str, difference.codes))).strip("[]").replace(",", " ")
        return f"{_MARKS[difference.topic]} {codes}"
    return _label_setting(difference.topic, difference.number)


def _label_setting(topic: str, number: int | None) -> str:
    row = find_compared_setting(topic)
    if row is None:
        return _STATEMENT
    if number is None:
        return row.plural or (row.title.rpartition(" of ")[0] if "{}" in row.title else row.title)
    return row.title.format(number)


def label_settings(settings: Iterable[What]) -> list[str]:
    """What settings are called, code points folded; parts of a setting go by the whole."""
    codes: dict[str, list[int]] = {}
    out: dict[str, None] = {}
    for topic, number, _ in settings:
        if topic in _MARKS and number is not None:
            codes.setdefault(topic, []).append(number)
            continue
        out[_label_setting(topic, number)] = None
    marks = [
        f"{_MARKS[topic]} {fold(tuple(map(str, found))).strip('[]').replace(',', ' ')}"
        for topic, found in codes.items()
    ]
    return [*marks, *out]


def label_part(difference: Difference, value: Value) -> str:
    """What a value of a difference is called; empty where it is the setting itself."""
    if difference.topic == "shares":
        return f"queue {value.part}"
    if difference.topic == "maps":  # a field's name
        return value.part
    if not value.part and difference.topic in _NAMED:
        return _label_setting(difference.topic, None)
    row = find_compared_setting(difference.topic, value.part) if value.part else None
    return row.title if row is not None and row.title else value.part  # a pool's or a field's own name


def label_meant(difference: Difference, value: Value) -> str:
    """What is intended, with its unit."""
    if value.meant_at is not None:
        return label_value(difference.topic, value.part, value.meant)
    # what an intent leaves out is nothing; a port that a configuration lacks is the same on either side
    return _label_silence(difference, value) if difference.topic == "port" else NOTHING


def label_running(difference: Difference, value: Value) -> str:
    """What runs, with its unit."""
    if value.running_at is not None:
        return label_value(difference.topic, value.part, value.running)
    return _label_silence(difference, value)


def label_change(difference: Difference, value: Value) -> str:
    """What runs and what it is to become, of the way of packets only what changes."""
    meant, running = value.meant, value.running
    if value.meant_at is None or value.running_at is None or not (isinstance(meant, Way) and isinstance(running, Way)):
        return f"{label_running(difference, value)} becomes {label_meant(difference, value)}"
    sides = [
        f"{before} becomes {after}"
        for before, after in zip(_label_way_parts(running), _label_way_parts(meant), strict=True)
        if before != after
    ]
    return ", ".join(sides)


def _label_silence(difference: Difference, value: Value) -> str:
    """What it means that a configuration does not say something."""
    row = find_compared_setting(difference.topic)
    whole = not value.part or difference.topic == "maps"
    return (row.unsaid if row is not None and whole else "") or NOTHING


def label_value(topic: str, part: str, what: Any) -> str:
    """A value with its unit."""
    if type(what) in _TYPED:
        return _TYPED[type(what)](what)
    if not part and topic in ("ecn", "watchdog", "trimming"):
        return _label_section(topic, what)
    if topic == "idle":  # fields of a row that has no effect
        return what if isinstance(what, str) else ", ".join(what)
    if what is None:
        return "never" if part == "restoration_time" else NOTHING
    worded = _WORDED.get(part or topic)
    if worded is not None:
        return worded(what)
    row = find_compared_setting(topic, part)
    return show(row.unit if row is not None else NUMBER, what)


def _label_way(way: Way) -> str:
    paused = f", paused by priority {way.priority}" if way.priority is not None else ""
    group = f", priority group {way.group}" if way.group is not None else ""
    return f"queue {way.queue}{group}{paused}"


def _label_way_parts(way: Way) -> tuple[str, str, str]:
    group = f"priority group {way.group}" if way.group is not None else "a priority group that is not stated"
    paused = f"paused by priority {way.priority}" if way.priority is not None else "not paused"
    return f"queue {way.queue}", group, paused


def _label_watched(what: Watched) -> str:
    return "all with PFC" if what.all else " ".join(map(str, what.priorities)) or "none"


def _label_least(what: Least) -> str:
    return f"{what.value} or more"


def _label_offered(what: Offered) -> str:
    rates = ", ".join(map(show_rate, what.rates))
    return f"by autonegotiation one of {rates}" if rates else "by autonegotiation"


def _label_curve(curve: tuple[str, int | None, int | None, int | None]) -> str:
    color, *ends = curve
    stated = zip((("kmin", BYTES), ("kmax", BYTES), ("pmax", PERCENT)), ends, strict=True)
    return f"{color} " + ", ".join(
        f"{key} {show(unit, end) if end is not None else NOTHING}" for (key, unit), end in stated
    )


def _label_remarks(what: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"traffic class {tc}: {dscp}" for tc, dscp in what) or "none"


def _label_curves(what: tuple[tuple[str, int | None, int | None, int | None], ...]) -> str:
    return "; ".join(map(_label_curve, what)) or "the same"


_COUNTED = {"DWRR": "DWRR, by bytes", "WRR": "WRR, by packets"}
_WORDED: dict[str, Callable[[Any], str]] = {
    "remarks": _label_remarks,
    "curves": _label_curves,
    "scheduling": _COUNTED.__getitem__,
}
_TYPED: dict[type, Callable[[Any], str]] = {
    Way: _label_way,
    Watched: _label_watched,
    Least: _label_least,
    Offered: _label_offered,
}


def _label_section(topic: str, what: Any) -> str:
    if not isinstance(what, tuple):
        return str(what)
    stated = []
    for key, value in what:
        row = find_compared_setting(topic, key)
        if row is not None and row.unit in (BYTES, MS, PERCENT) and isinstance(value, (int, float)):
            stated.append(f"{row.title} {show(row.unit, value)}")
    return f"on ({', '.join(stated)})" if stated else "on"
