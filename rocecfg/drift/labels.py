"""Differences in the words of the field: what a setting is called, and its values with their units."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rocecfg.core.nodeset import fold
from rocecfg.core.units import show_number, show_rate, show_size, show_time
from rocecfg.drift.differences import Difference, Value
from rocecfg.drift.facts import OFF, Least, Watched, Way
from rocecfg.vendors.mending import What

NOTHING = "nothing"
_TITLES = {
    "pfc": "PFC priorities",
    "watchdog": "PFC watchdog",
    "shares": "shares of the queues",
    "trust": "marking that is trusted",
    "flowcontrol": "802.3x pause",
    "cable": "cable length",
    "mtu": "IP MTU",
    "speed": "port speed",
    "maps": "maps bound to the port",
    "headroom": "headroom",
    "obeys": "priorities whose pauses are obeyed",
    "sends": "priorities that pauses are sent for",
    "buffers": "buffers",
    "pool": "buffer pools",
    "remarks": "DSCP written on the way out",
    "watchdog_blind": "watchdog's counters",
    "watchdog_forced": "watchdog's emergency drop (BIG_RED_SWITCH)",
    "recovers": "recovery of ports that the watchdog took down",
    "port": "port",
    "roce": "mode of qos roce",
    "counts_marks": "counters of marked packets",
    "dcbx": "DCBX",
    "unmarked": "priority of packets without a trusted mark",
}
_NUMBERED = {
    "ecn": "ECN of queue {}",
    "discards": "WRED drops of queue {}",
    "scheduling": "scheduling of queue {}",
    "egress": "egress buffer profile of queue {}",
    "stops": "queue that a pause of priority {} stops",
    "pauses": "priority group that pauses of priority {} are sent for",
    "max_rate": "shaper of queue {}",
    "guaranteed": "guaranteed rate of queue {}",
    "group": "lossless priority group {}",
    "counted": "counter of marked packets of queue {}",
    "bound": "headroom bound to priority group {}, by cable length",
}
_MARKS = {"dscp": "DSCP", "pcp": "802.1p"}
_OF_TOPIC = {  # a setting of queues or code points, of which it is not said which
    **_TITLES,
    **_MARKS,
    "ecn": "ECN",
    "discards": "WRED drops",
    "max_rate": "shapers",
    "guaranteed": "guaranteed rates",
    "group": "lossless priority groups",
    "bound": "headroom bound to priority groups",
    "counted": "counters of marked packets",
    "statement": "what it sets",
}
_PARTS = {
    "detection_time": "detection time",
    "restoration_time": "restoration time",
    "poll_interval": "polling interval",
    "colors": "colours",
    "curves": "curves of other colours",
    "model": "buffer model",
    "computed": "computed by the switch",
    "pools.lossless": "lossless pool",
    "pools.lossy": "lossy pool",
    "shared_headroom": "shared headroom",
    "oversubscribe": "oversubscription",
    "lossless_mtu": "bytes of a lossless packet",
    "small_packets": "small packets",
}


def title(difference: Difference) -> str:
    """What a difference is about: `ECN of queue 3`, `DSCP 24-25 27-31`, `802.1p 5`."""
    if difference.codes:
        codes = fold(tuple(map(str, difference.codes))).strip("[]").replace(",", " ")
        return f"{_MARKS[difference.topic]} {codes}"
    if difference.topic in _NUMBERED:
        return _NUMBERED[difference.topic].format(difference.number)
    return _TITLES[difference.topic]


def named(settings: Iterable[What]) -> list[str]:
    """What settings are called, code points folded; parts of a setting go by the whole."""
    codes: dict[str, list[int]] = {}
    out: dict[str, None] = {}
    for topic, number, _ in settings:
        if topic in _MARKS and number is not None:
            codes.setdefault(topic, []).append(number)
            continue
        out[_NUMBERED[topic].format(number) if topic in _NUMBERED and number is not None else _OF_TOPIC[topic]] = None
    marks = [
        f"{_MARKS[topic]} {fold(tuple(map(str, found))).strip('[]').replace(',', ' ')}"
        for topic, found in codes.items()
    ]
    return [*marks, *out]


def part(difference: Difference, value: Value) -> str:
    """What a value of a difference is called; empty where it is the setting itself."""
    if difference.topic == "shares":
        return f"queue {value.part}"
    if difference.topic == "maps":  # a field's name
        return value.part
    return _PARTS.get(value.part, value.part.replace("_", " "))


def meant(difference: Difference, value: Value) -> str:
    """What is meant, with its unit."""
    return shown(difference, value, value.meant) if value.meant_at is not None else NOTHING


def running(difference: Difference, value: Value) -> str:
    """What runs, with its unit."""
    if value.running_at is None:
        return _UNSAID.get(difference.topic, NOTHING) if not value.part or difference.topic == "maps" else NOTHING
    return shown(difference, value, value.running)


def shown(difference: Difference, value: Value, what: Any) -> str:
    """A value with its unit."""
    if type(what) in _TYPED:
        return _TYPED[type(what)](what)
    name = value.part.rpartition(".")[2] or difference.topic
    if not value.part and difference.topic in ("ecn", "watchdog"):
        return _section(what)
    if what is None:
        return "never" if name == "restoration_time" else NOTHING
    if isinstance(what, bool):
        return _TRUTH.get(difference.topic, ("yes", "no"))[not what]
    worded = _WORDED.get(name)
    if worded is not None:
        return worded(what)
    if isinstance(what, tuple):
        return " ".join(map(str, what)) or "none"
    if isinstance(what, (int, float)):
        return _SHOW.get(difference.topic if difference.topic in ("shares", *_RATES) else name, show_number)(what)
    return str(what)


def _way(way: Way) -> str:
    paused = f", paused by priority {way.priority}" if way.priority is not None else ""
    group = f", priority group {way.group}" if way.group is not None else ""
    return f"queue {way.queue}{group}{paused}"


def _watched(what: Watched) -> str:
    return "all with PFC" if what.all else " ".join(map(str, what.priorities)) or "none"


def _least(what: Least) -> str:
    return f"{what.value} or more"


def _colored(curve: tuple[str, int | None, int | None, int | None]) -> str:
    color, *ends = curve
    said = zip(("kmin", "kmax", "pmax"), ends, strict=True)
    return f"{color} " + ", ".join(f"{key} {_SHOW[key](end) if end is not None else NOTHING}" for key, end in said)


def _remarks(what: tuple[tuple[int, int], ...]) -> str:
    return ", ".join(f"traffic class {tc}: {dscp}" for tc, dscp in what) or "none"


def _curves(what: tuple[tuple[str, int | None, int | None, int | None], ...]) -> str:
    return "; ".join(map(_colored, what)) or "the same"


_COUNTED = {"DWRR": "DWRR, by bytes", "WRR": "WRR, by packets"}
_WORDED: dict[str, Callable[[Any], str]] = {"remarks": _remarks, "curves": _curves, "scheduling": _COUNTED.__getitem__}
_TYPED: dict[type, Callable[[Any], str]] = {Way: _way, Watched: _watched, Least: _least}


def _section(what: Any) -> str:
    if not isinstance(what, tuple):
        return str(what)
    said = []
    for key, value in what:
        if key in _SHOW and isinstance(value, (int, float)):
            said.append(f"{_PARTS.get(key, key)} {_SHOW[key](value)}")
    return f"on ({', '.join(said)})" if said else "on"


def _rate(value: float) -> str:
    return f"{show_number(-value)}%" if value < 0 else show_rate(int(value))


def _percent(value: float) -> str:
    return f"{value:.4g}%"


def _metres(value: float) -> str:
    return f"{show_number(value)}m"


def _bytes(value: float) -> str:
    return show_size(int(value))


_RATES = ("max_rate", "guaranteed", "speed")
_UNSAID = {"maps": "not bound", "pfc": "none", "ecn": OFF, "watchdog": OFF, "port": "not configured", "group": "none"}
_TRUTH = {
    "watchdog_blind": ("off", "on"),
    "watchdog_forced": ("on", "off"),
    "discards": ("on", "off"),
    **dict.fromkeys(("counted", "counts_marks"), ("on", "off")),
}
_SHOW: dict[str, Callable[[Any], str]] = {
    **dict.fromkeys(("kmin", "kmax", "size", "xon", "xoff", "xon_offset"), _bytes),
    **dict.fromkeys(("static", "shared_headroom", "lossless_mtu"), _bytes),
    **dict.fromkeys(("detection_time", "restoration_time", "poll_interval"), show_time),
    **dict.fromkeys(("pmax", "small_packets", "lossless", "lossy", "percent", "shares"), _percent),
    **dict.fromkeys(_RATES, _rate),
    **dict.fromkeys(("cable", "bound"), _metres),
}
