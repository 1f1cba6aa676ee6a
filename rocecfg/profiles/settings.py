"""What a limit, a lack or a refusal of a NOS profile can be about: a setting's path, with at most one predicate.

Paths are those of `rocecfg show` and of a team's own rules, after their scope (`port.watchdog.poll`). A predicate says
what of the setting is intended (`port.watchdog.poll by port`). Rules use these texts: one that is in no table here
would never be asked, so that a profile may not have it.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import (
    BYTES,
    METRES,
    MS,
    NUMBER,
    PERCENT,
    RATE,
    parse_length,
    parse_percent,
    parse_rate,
    parse_size,
    parse_time,
)
from rocecfg.model.catalogue import list_fields, list_plain, setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

UNITS: dict[str, Callable[[str], float]] = {  # of values, and how one is read
    "ms": parse_time,
    "B": parse_size,
    "percent": parse_percent,
    "m": parse_length,
    "bit/s": parse_rate,
    "": float,
}
EVERYTHING = "qos"  # stands for all settings: what has no QoS at all
POWER_OF_2 = "power of 2"
STEP = "step"


class Topic(NamedTuple):
    """What rules look up in a profile."""

    words: str  # as messages have it, by the intent's key; {} is where the value goes, else it goes behind
    unit: str | None = None  # a key of UNITS: it is a number, and has limits and steps; None: it has none of these
    of_tables: bool = False  # whether it is so follows from the headroom table and the pools of a box
    missing: bool = False  # it is about what an intent does not say: lint tells it as information


class Asked(NamedTuple):
    """A `what` of a profile."""

    asked: str  # a key of SETTINGS
    step: float | None = None  # only values that are no whole multiple of it; 0: those that are no power of 2


_UNIT_OF = {BYTES: "B", MS: "ms", RATE: "bit/s", PERCENT: "percent", METRES: "m", NUMBER: ""}  # of the catalogue


def _of_plain(scope: str, path: str) -> dict[str, Topic]:
    """What rules look up of every setting whose value holds as it is stated, a further one too."""
    return {f"{scope}.{key}": Topic(key, _UNIT_OF.get(setting(f"{path}.{key}").unit)) for key in list_plain(path)}


def _of_buffers() -> dict[str, Topic]:
    """The same of everything that is stated of buffers."""
    paths = {field: f"device.buffers.{field}" for field in list_fields("buffers").values()}
    return {path: Topic(f"buffers.{field}", _UNIT_OF.get(setting(path).unit)) for field, path in paths.items()}


SETTINGS: dict[str, Topic] = {
    EVERYTHING: Topic("qos"),
    **_of_plain("device", "device"),
    **_of_plain("port", "ports[]"),
    **_of_buffers(),
    "device.load_balancing.hash": Topic("load_balancing.hash"),
    "device.family without a chip": Topic("settings without the family of the chip", missing=True),
    "device.load_balancing.mode": Topic("load_balancing.mode"),
    "device.load_balancing.mode without ports": Topic("load_balancing.mode without ports for it,", missing=True),
    "device.buffers.alpha in a static pool": Topic("buffers.alpha in a static pool", of_tables=True),
    "device.buffers.lossless_pool alone": Topic("buffers.lossless_pool alone", "percent"),
    "device.buffers.lossy_pool alone": Topic("buffers.lossy_pool alone", "percent"),
    "device.buffers.oversubscribe without shared_headroom": Topic("buffers.oversubscribe beside shared_headroom off"),
    "device.buffers.pools": Topic("buffers.pools"),
    "device.buffers.queue_limit beside alpha": Topic("buffers.queue_limit beside buffers.alpha"),
    "device.buffers.pools in one ingress pool": Topic("buffers.pools of one ingress pool", of_tables=True),
    "device.buffers.pools sum": Topic("buffers.pools together", "percent"),
    "device.buffers.pools without a lossless class": Topic("buffers.pools without a lossless class"),
    "device.buffers.pools without a template": Topic("buffers.pools without a template", of_tables=True),
    "device.buffers.shared_headroom without a template": Topic(
        "buffers.shared_headroom without a template", "B", of_tables=True
    ),
    "device.trimming": Topic("trimming"),
    "device.trimming without classes": Topic("trimming without classes"),
    "device.trimming without a queue": Topic("trimming by a queue that no class has"),
    "device.trimming.size": Topic("trimming.size", "B"),
    "port.mtu": Topic("mtu", "B"),
    "port.mtu beside layer 2": Topic("mtu beside layer 2", "B"),
    "port.mtu beside trust pcp": Topic("mtu beside trust pcp", "B"),
    "port.cable": Topic("cable", "m"),
    "port.lag no Linux name": Topic("lag, which is not a Linux interface name,"),
    "port.lag no port-channel name": Topic("lag, which is not port-channel and a number,"),
    "port.pfc for part of the lossless classes": Topic("PFC for part of the lossless classes"),
    "port.lag no ae name": Topic("lag, which is not ae and a number,"),
    "port.lag of unlike ports": Topic("different settings on ports of a LAG"),
    "port.trust without a class for the rest": Topic("trust without a class for DSCP 0 or the rest"),
    "port.trust without marks of a lossless class": Topic("trust of ports with PFC"),
    "port.watchdog": Topic("watchdog"),
    "port.watchdog by port": Topic("watchdog by port"),
    "port.watchdog.action": Topic("watchdog.action"),
    "port.watchdog.action by port": Topic("watchdog.action by port"),
    "port.watchdog by port of a LAG": Topic("watchdog by port of a LAG"),
    "port.watchdog.detection": Topic("watchdog.detection_time", "ms"),
    "port.watchdog.detection by port": Topic("watchdog.detection_time by port"),
    "port.watchdog.detection in polls": Topic("watchdog.robustness", ""),
    "port.watchdog.detection in polls by port": Topic("watchdog.robustness by port"),
    "port.watchdog.poll": Topic("watchdog.poll_interval", "ms"),
    "port.watchdog.poll by port": Topic("watchdog.poll_interval by port"),
    "port.watchdog.priorities": Topic("watchdog.priorities"),
    "port.watchdog.restoration": Topic("watchdog.restoration_time", "ms"),
    "port.headroom by port": Topic("headroom by port"),
    "port.headroom differs on a speed and cable": Topic("different headroom for one speed and cable", of_tables=True),
    "port.headroom in a static pool": Topic("headroom in a static pool", of_tables=True),
    "port.headroom of several priorities": Topic("headroom of several priorities"),
    "port.headroom without a buffer model": Topic("headroom without a known buffer model", missing=True),
    "port.headroom without a table": Topic("headroom without a known table", of_tables=True, missing=True),
    "port.headroom without alpha": Topic("headroom without buffers.alpha"),
    "port.headroom without cable": Topic("headroom without the cable's length", missing=True),
    "port.headroom without speed": Topic("headroom without the port's speed", missing=True),
    "port.headroom without xon and xoff": Topic("headroom without xon and xoff"),
    "port.headroom.size": Topic("headroom", "B"),
    "port.headroom.size less xoff": Topic("headroom.size - xoff", "B"),
    "port.headroom.size less xoff and xon": Topic("headroom.size - xoff - xon", "B"),
    "port.headroom.xoff": Topic("headroom.xoff", "B"),
    "port.headroom.xon": Topic("headroom.xon", "B"),
    "port.headroom.xon without xoff": Topic("headroom.xon without xoff"),
    "class.bandwidth": Topic("bandwidth", "percent"),
    "class.bandwidth strict below a shared queue": Topic("strict bandwidth below a queue with a share"),
    "class.bandwidth differs on a queue": Topic("different bandwidth on a queue"),
    "class.bandwidth for part of the queues": Topic("bandwidth for part of the queues"),
    "class.dscp by port": Topic("maps by port"),
    "class.dscp for part of the code points": Topic("classes for part of the code points"),
    "class.ecn without a curve": Topic("ecn auto", missing=True),
    "class.ecn without speed": Topic("ecn by the speed of ports", missing=True),
    "class.ecn differs on a queue": Topic("different ecn on a queue"),
    "class.ecn for part of a queue": Topic("ecn for part of a queue"),
    "class.ecn.colors": Topic("ecn.colors"),
    "class.ecn.kmax": Topic("ecn.kmax", "B"),
    "class.ecn.kmax of the queue limit": Topic("ecn.kmax in percent of buffers.queue_limit,", "percent"),
    "class.ecn.kmax of the queue limit within 1 percent of kmin": Topic(
        "ecn.kmin and ecn.kmax of one percentage of buffers.queue_limit"
    ),
    "class.ecn.kmin of the queue limit": Topic("ecn.kmin in percent of buffers.queue_limit,", "percent"),
    "class.ecn.kmax in percent beside an equal kmin": Topic("ecn.kmin and ecn.kmax both"),
    "class.ecn.kmax beside no larger queue limit": Topic("ecn.kmax"),
    "class.ecn.kmax in percent": Topic("ecn.kmax in percent of the queue's buffer,", "percent"),
    "class.ecn.kmin": Topic("ecn.kmin", "B"),
    "class.ecn.kmin in percent": Topic("ecn.kmin in percent of the queue's buffer,", "percent"),
    "class.ecn.pmax": Topic("ecn.pmax", "percent"),
    "class.ecn.weight": Topic("ecn.weight", ""),
    "class.guaranteed_percent": Topic("guaranteed in percent", "percent"),
    "class.guaranteed_percent without speed": Topic("guaranteed in percent without the port's speed", missing=True),
    "class.guaranteed_percent of speed": Topic("guaranteed of the port's speed", "bit/s"),
    "class.guaranteed_rate": Topic("guaranteed", "bit/s"),
    "class.guaranteed_rate differs on a queue": Topic("different guaranteed on a queue"),
    "class.guaranteed_rate for part of a queue": Topic("guaranteed for part of a queue"),
    "class.guaranteed_rate without bandwidth": Topic("guaranteed without bandwidth"),
    "class.lossless alone": Topic("lossless classes alone"),
    "class.lossless of priority": Topic("a lossless class of priority"),
    "class.lossless differs on a priority": Topic("lossless and lossy classes on a priority"),
    "class.lossless differs on a queue": Topic("lossless and lossy classes on a queue"),
    "class.lossless differs on a priority by port": Topic("lossless and lossy classes on a priority by port"),
    "class.lossless differs on a queue by port": Topic("lossless and lossy classes on a queue by port"),
    "class.lossless without dscp": Topic("lossless classes without dscp"),
    "class.lossless in a lossy fabric": Topic("a lossless class in a lossy fabric"),
    "class.max_percent": Topic("max_rate in percent", "percent"),
    "class.max_percent without speed": Topic("max_rate in percent without the port's speed", missing=True),
    "class.max_percent of speed": Topic("max_rate of the port's speed", "bit/s"),
    "class.max_rate": Topic("max_rate", "bit/s"),
    "class.max_rate below guaranteed": Topic("max_rate below guaranteed"),
    "class.max_rate differs on a queue": Topic("different max_rate on a queue"),
    "class.max_rate for part of a queue": Topic("max_rate for part of a queue"),
    "class.max_rate without ports": Topic("rates without ports", missing=True),
    "class.max_rate without bandwidth": Topic("max_rate without bandwidth"),
    "class.pg differs on a tc": Topic("different priority groups of one TC"),
    "class.pg unlike priority": Topic("pg of a lossless class"),
    "class.priority differs on a lossless queue": Topic("different priorities of one lossless queue"),
    "class.queue differs on a lossless priority": Topic("different queues of one lossless priority"),
    "class.queue differs on a priority": Topic("different queues of one priority"),
    "class.queue differs on a priority by port": Topic("different queues of one priority by port"),
    "class.queue differs on a tc": Topic("different queues of one TC"),
    "class.queue unlike priority": Topic("queue of a lossless class"),
    "class.queue unlike tc": Topic("queue {} for another tc"),
    "class.queue with settings": Topic("settings of queue {}"),
    "class.tc differs on a priority, trust none": Topic("different TCs of one priority, trust none,"),
    "class.tc differs on a priority, trust pcp": Topic("different TCs of one priority, trust pcp,"),
    "class.tc unlike priority": Topic("tc of a lossless class"),
    "class.tc unlike queue": Topic("tc {} in another queue"),
}
NUMBERS = tuple(asked for asked, of in SETTINGS.items() if of.unit is not None)
# Settings that contradict each other, which a NOS may refuse: where it does, messages say so.
BANDWIDTH_SUM, ECN_ORDER, POLL_TOO_SLOW = (
    "class.bandwidth sum above 100%",
    "class.ecn.kmin above kmax",
    "port.watchdog.poll above its times",
)
REFUSALS = (BANDWIDTH_SUM, ECN_ORDER, POLL_TOO_SLOW)
PREDICATES = {  # and what each means, for the documentation
    "step N": "values that are no whole multiple of N, in the setting's unit (ms, B, percent, m, bit/s): lacks only",
    POWER_OF_2: "values that are no power of 2: lacks only",
    "by port": "values that differ between the ports of a switch",
    "in percent": "the threshold as a share of the queue's buffer",
    "in polls": "the time as a number of polls, rounded up",
    "in polls by port": "numbers of polls that differ between the ports of a switch",
    "sum": "the settings of that name added up",
    "sum above 100%": "shares that add up to more",
    "above": "a value above that of another setting",
    "strict below": "strict on a queue of a lower number than one that takes turns",
    "below": "a value below that of another setting",
    "less": "the value less those of other settings",
    "of speed": "the share, as a rate at the port's speed",
    "of the queue limit": "the threshold as a whole percentage of `buffers.queue_limit`; `within`: both are one",
    "beside": "stated beside another setting, which takes the meaning from it",
    "alone": "without its counterpart: a share of one pool and none of the other, lossless classes and no lossy one",
    "without": "stated where another setting is not, or is off",
    "with settings": "the queue's number, where the class has ECN, a shaper or PFC, or is not strict",
    "unlike": "a number other than the class's of that name; `unlike priority`: of lossless classes",
    "differs on a": "different values of what shares a queue, a priority, a tc, or a speed and cable",
    "for part of": "stated for some of what shares a queue, or of the queues, and not for the others",
    "in": "stated in such surroundings: a static pool, one ingress pool, a lossy fabric",
    "of priority": "the number of a lossless class",
    "of several priorities": "stated where a port has PFC on more than one",
    "of unlike ports": "ports of a LAG that differ in trust, PFC, ECN, headroom or, where shares are stated, speed",
    "no Linux name": "a name that is not one of an interface of Linux",
    "no port-channel name": "a name that is not one of a port-channel of NX-OS, as port-channel1 is",
    "no ae name": "a name that is not one of an aggregated Ethernet interface, as ae0 is",
}


def parse_what(text: str) -> Asked:
    """What a lack is about, in its spelling in profiles. ValueError says what is wrong, and a likely spelling."""
    if text in SETTINGS:
        return Asked(text)
    if text.endswith(f" {POWER_OF_2}"):
        return Asked(_check_number(text[: -len(POWER_OF_2) - 1], POWER_OF_2), 0)
    path, step, number = text.rpartition(f" {STEP} ")
    if not step:
        raise ValueError(_unknown_message(text, SETTINGS))
    if not number.isdigit() or not int(number):
        raise ValueError(f"{number!r} is not a step: write a whole number above 0, in the setting's unit")
    return Asked(_check_number(path, STEP), int(number))


def parse_number(text: str) -> str:
    """What a limit is about: a number. ValueError as `parse_what`."""
    if text not in SETTINGS:
        raise ValueError(_unknown_message(text, NUMBERS))
    return _check_number(text, "limit")


def parse_refusal(text: str) -> str:
    """What a NOS refuses. ValueError as `parse_what`."""
    if text not in REFUSALS:
        raise ValueError(f"{text!r} is not a contradiction that rules look for; they know: {', '.join(REFUSALS)}")
    return text


def _check_number(path: str, of: str) -> str:
    if path not in SETTINGS:
        raise ValueError(_unknown_message(path, SETTINGS))
    if SETTINGS[path].unit is None:
        raise ValueError(f"{path} is not a number, and has no {of}")
    return path


def _unknown_message(text: str, known: Iterable[str]) -> str:
    """The message for a text that is not one of the known ones, with the nearest."""
    from difflib import get_close_matches  # 2 ms of import, for the error only

    near = get_close_matches(text[:80], list(known), 1)
    meant = f"did you mean {near[0]}?" if near else "docs/profiles.md has all of them"
    return f"no rule asks for {text[:80]!r}; {meant}"
