"""Which settings of a switch are not what is intended."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import MS, Percent
from rocecfg.model import AUTO, Span
from rocecfg.model.catalogue import (
    CHIP_STEP,
    CODING,
    EQUAL,
    FEC,
    LINK,
    NAME,
    SHARE,
    STATE,
    UNKNOWN,
    What,
    find_compared_setting,
    list_fields,
    list_plain,
    list_topics,
    plain_coding,
)
from rocecfg.model.values import LAG_MTU, OFF, Fact, Facts, Least, Offered, Watched, Way

_LEFT_TO_SYSTEM = "vendor-default"
_WATCHDOG = "watchdog"
_STRICT = "strict"  # the weight of a queue that is sent before all others
_STOCK_ACTION = "drop"  # of SONiC and Cumulus Linux, whose own timers are known
_TIMES = tuple(list_fields(_WATCHDOG, MS))  # in the order of How.own_watchdogs
_WHOLE_POINT = 1  # percentage points that shares may differ by: weights are whole numbers on some systems
_BESIDE = What("maps", None, "dot1p_to_tc_map")  # sorts what has no DSCP, where one by DSCP alone is meant
_MARKING = (_BESIDE, What("maps", None, "dscp_to_tc_map"))
_OF_PAUSES = ("stops", "pauses")  # by PFC priority


class How(NamedTuple):
    """By what two configurations of a switch are compared."""

    whole: bool  # the running one is all there is: what it does not say is off
    step: int  # bytes; what its chip rounds marking thresholds to
    rounds_up: bool  # and reads back so; else thresholds less than a step apart are one
    used: frozenset[int]  # queues that are meant to carry something
    unstated: frozenset[int]  # queues of classes for which no bandwidth is stated: these keep what they have
    paused: frozenset[int]  # priorities that are lossless on some port, as meant or as running
    implied: frozenset[Span]  # places that stand for "not said" in a fragment
    sizes_headroom: bool = False  # its system does, by the cable that is meant, unless sizes are set in its place
    looks_up: bool = False  # headroom is that of the cable length, looked up (SONiC's traditional buffer model)
    own_watchdogs: tuple[tuple[float | None, ...], ...] = ()  # detection, restoration and poll in ms that the system
    # may take by itself; (): not known, so what is left to it is not compared with timers that are set
    says_speed: bool = False  # its configuration names the speed of every port; else a port may take its own
    says_lag_mtu: bool = False  # the MTU of a LAG is what its ports have; else theirs count too
    lags: frozenset[str] = frozenset()  # that some port is meant to be in
    lag_names: tuple[tuple[str, str], ...] = ()  # of those that the intent calls as no LAG of the system can be called,
    # what the switch calls the LAG that most of their ports are in


class Gap(NamedTuple):
    """A setting that is not as intended. None: nothing is intended, or nothing is set."""

    what: What
    meant: Fact | None
    running: Fact | None
    leftover: bool = False  # set where nothing is meant to be


def find_gaps(meant: Facts, running: Facts, how: How) -> tuple[Gap, ...]:
    """What differs, in the order of `meant`; what only runs comes last."""
    stale = _find_stale(meant, running) if how.looks_up else ()
    strict = _find_unmeant_strict(meant, running, how)
    meant, running = _convert_both(meant, running, how)
    out = [gap for what, fact in meant.items() if (gap := _compare_meant(what, fact, running, how)) is not None]
    out += [
        gap for what, fact in running.items() if what not in meant and (gap := _find_unusual(what, fact, meant, how))
    ]
    out += [
        Gap(what, None, fact, leftover=what.number is None or what.number not in how.used)
        for what, fact in running.items()
        if what not in meant and _is_unmeant(what, fact, meant, running, how)
    ]
    return (*out, *strict, *stale)


def _find_unmeant_strict(meant: Facts, running: Facts, how: How) -> tuple[Gap, ...]:
    """Queues that are sent before all others, where no share is stated and what is rendered has them take turns."""
    out = []
    for number in sorted(how.unstated):
        own = meant.get(What("weight", number)) or meant.get(What("turns", number))
        here = _find_stated(What("weight", number), running, how)
        if own is not None and here is not None and here.value == _STRICT != own.value:
            out.append(Gap(What("shares", None, str(number)), own._replace(value="not strict"), here))
    return tuple(out)


def _find_stale(meant: Facts, running: Facts) -> Iterator[Gap]:
    """Groups that still have the headroom of another cable length, where the length itself is as intended."""
    cable, here = meant.get(What("cable")), running.get(What("cable"))
    if cable is None or here is None or cable.value != here.value:
        return
    for what, fact in running.items():
        if what.topic == "bound" and fact.value != cable.value:
            yield Gap(what, cable, fact)


def check_coverage(meant: Facts, running: Facts, how: How) -> dict[What, bool]:
    """Every setting that is intended: whether the running configuration says it, or what its silence means is known."""
    meant, running = _convert_both(meant, running, how)
    return {what: _is_known(what, fact, running, how) for what, fact in meant.items()}


def find_left_open(meant: Facts, running: Facts, how: How) -> frozenset[What]:
    """What is left to the system and set otherwise, where the system's own values are not known: nobody can compare."""
    return frozenset(
        what for what, fact in meant.items() if _is_open(what, fact, _find_stated(what, running, how), how)
    )


def find_own(meant: Facts, running: Facts, how: How) -> frozenset[What]:
    """What of a port's link it takes by itself, from cable and far end, since nothing states it, or not in our words.

    Of these a whole configuration does not tell what runs; a part that does not name them is silent, as of all.
    """
    return frozenset(what for what, fact in meant.items() if _takes_own(what, fact, running.get(what), how))


def _takes_own(what: What, meant: Fact, running: Fact | None, how: How) -> bool:
    if running is not None and isinstance(running.value, Offered):
        return not running.value.rates or meant.value in running.value.rates
    if what.topic == "fec" and running is not None:
        return meant.value != running.value and not {_name_coding(meant.value), _name_coding(running.value)} <= _CODINGS
    silent = how.whole and running is None
    return silent and what.topic in _OWN and (what.topic != "speed" or not how.says_speed)


_CODINGS = frozenset(FEC.values())
_OWN = {topic for topic in list_topics("ports[]", LINK) if topic in list_plain("ports[]")}  # a LAG, MACsec are stated


def _name_coding(word: Hashable) -> Hashable:
    return plain_coding(word) if isinstance(word, str) else word


def _is_called_alike(same: str, meant: object, running: object, how: How) -> bool:
    if same == CODING:
        return _name_coding(str(meant)) == _name_coding(str(running))
    name = name_lag(str(meant))
    return dict(how.lag_names).get(name, name) == name_lag(str(running))


_LAG_NAME = re.compile(r"(?:port-?channel|po|bond|ae|lag)? ?(\d+)", re.IGNORECASE)


def name_lag(name: Hashable) -> str:
    """What tells LAGs of a switch apart: the number alone, however systems write it: PortChannel1, Port-Channel1."""
    found = _LAG_NAME.fullmatch(str(name))
    return found[1] if found is not None else str(name)


def _is_open(what: What, meant: Fact, running: Fact | None, how: How) -> bool:
    return _is_left(what, meant) and not how.own_watchdogs and running is not None and isinstance(running.value, tuple)


def _convert_both(meant: Facts, running: Facts, how: How) -> tuple[Facts, Facts]:
    """Both in terms that can be compared. Of a part without the weights of all queues, no share is known.

    A queue of a class without a stated bandwidth keeps its own, so shares are of the others.
    """
    weighed = how.used - how.unstated
    meant, running = (_convert_weights(facts, weighed, how) for facts in (meant, running))
    if not how.whole:
        lacking = [w for w, f in meant.items() if w.topic == "shares" and _is_number(f) and w not in running]
        if lacking:
            running = {w: f for w, f in running.items() if w.topic != "shares" or not _is_number(f)}
    return meant, running


def _is_number(fact: Fact) -> bool:
    return isinstance(fact.value, (int, float))


def _find_stated(what: What, running: Facts, how: How) -> Fact | None:
    """What a configuration says of a setting; None where a part of one only implies it."""
    fact = running.get(what)
    return None if fact is not None and not how.whole and fact.at in how.implied else fact


def _is_known(what: What, meant: Fact, running: Facts, how: How) -> bool:
    fact = _find_stated(what, running, how)
    if _is_open(what, meant, fact, how) or _takes_own(what, meant, fact, how):
        return False
    if what == LAG_MTU and not how.says_lag_mtu:
        return how.whole or any(_find_stated(each, running, how) is not None for each in (what, What("mtu")))
    if fact is not None and fact.value == _LEFT_TO_SYSTEM and not how.whole:  # another part may have its timers
        return meant.value == OFF
    if fact is not None:
        return fact.value != AUTO or meant.value == OFF
    above = _find_stated(what._replace(part=""), running, how) if what.part else None
    if above is not None and above.value == AUTO:
        return False
    if how.whole:
        return True
    if what.topic == "watchdog" and not what.part:  # there is none without PFC
        paused = _find_stated(What("pfc"), running, how)
        return paused is not None and paused.value == ()
    return above is not None and above.value == OFF


def _convert_weights(facts: Facts, weighed: Collection[int | None], how: How) -> Facts:
    """Weights as shares in percent among the queues `weighed` that are not strict: only these say what a queue gets.

    And ways of code points and 802.1p values with a priority only where that is paused.
    """
    weights = {w.number: f for w, f in facts.items() if w.topic == "weight" and w.number in weighed}
    total = sum(f.value for f in weights.values() if isinstance(f.value, (int, float)))
    out = {
        what: _drop_unpaused_priority(fact, how)
        for what, fact in facts.items()
        if what.topic not in ("weight", "turns", "bound")
        and (what.topic not in _OF_PAUSES or what.number in how.paused)
    }
    for number, fact in weights.items():
        value = fact.value
        if isinstance(value, (int, float)):
            value = round(value * 100 / total, 2) if total else 0.0
        out[What("shares", None, str(number))] = Fact(value, fact.at)
    return out


def _drop_unpaused_priority(fact: Fact, how: How) -> Fact:
    way = fact.value
    if isinstance(way, Way) and way.priority not in how.paused:
        return fact._replace(value=way._replace(priority=None))
    return fact


def _compare_meant(what: What, meant: Fact, running: Facts, how: How) -> Gap | None:
    fact = _find_stated(what, running, how)
    if not _is_known(what, meant, running, how):
        return None
    if fact is None:
        silent = how.whole and not _is_told(what, running) and meant.value != _find_silent_value(what)
        return Gap(what, meant, None) if silent else None
    if _is_same(what, meant.value, fact.value, how):
        return None
    unused = what.topic == "ecn" and what.number not in how.used
    return Gap(what, None if unused else meant, fact, leftover=unused)


def _find_unusual(what: What, fact: Fact, meant: Facts, how: How) -> Gap | None:
    """A part that goes without saying, and is said to be otherwise."""
    if what.part == "curves":
        fact = fact._replace(value=tuple(_find_wrong_curves(what, fact, meant, how)))
    usual = _find_silent_value(what)
    whole = meant.get(what._replace(part=""))
    if not what.part or usual == UNKNOWN or whole is None or whole.value == OFF or fact.value == usual:
        return None
    return Gap(what, whole._replace(value=usual), fact)


def _find_wrong_curves(
    what: What, fact: Fact, meant: Facts, how: How
) -> Iterator[tuple[str, int | None, int | None, int | None]]:
    """The colours whose curve is not the one that is intended for the queue, where that is known."""
    parts = [what._replace(part=part) for part in ("kmin", "kmax", "pmax")]
    if not meant.keys() >= set(parts):
        return
    for color, *ends in fact.value:  # type: ignore[attr-defined]
        sides = zip(parts, ends, strict=True)
        if any(end is None or not _is_same(part, meant[part].value, end, how) for part, end in sides):
            yield color, *ends


def _is_told(what: What, running: Facts) -> bool:
    """Whether a setting is missing since another is, which is told: the whole of it; PFC, of a watchdog; the share."""
    if what.topic == "scheduling" or what == LAG_MTU:
        return True
    if what in _MARKING:  # what such a port sorts by is told as its trust
        return True
    if what.part:
        whole = running.get(what._replace(part=""))
        return what.topic in ("ecn", "watchdog", "group", "trimming") and (whole is None or whole.value == OFF)
    pfc = running.get(What("pfc"))
    return what.topic == "watchdog" and (pfc is None or pfc.value == ())


def lacks_headroom(running: Facts) -> bool:
    """Whether a port with PFC has headroom of 0 B in all its parts, which no system means."""
    pfc, parts = running.get(What("pfc")), [fact.value for what, fact in running.items() if what.topic == "headroom"]
    return pfc is not None and pfc.value != () and bool(parts) and not any(parts)


def _is_unmeant(what: What, fact: Fact, meant: Facts, running: Facts, how: How) -> bool:
    if what.topic == "headroom":
        told = how.sizes_headroom or (what.part == "size" and lacks_headroom(running))
        return told and all(other.topic != "headroom" for other in meant)
    if what.topic == "lag":
        return name_lag(fact.value) in (how.lags | {name for _, name in how.lag_names})
    if what == _BESIDE:
        trusted, trusts = meant.get(What("trust")), running.get(What("trust"))
        return trusted is not None and trusts is not None and trusted.value == trusts.value
    row = find_compared_setting(what.topic)
    if what.part or row is None or not row.alone or fact.value == row.silence:
        return False
    if what in _BESIDE_PFC and _find_stated(What("pfc"), running, how) is None:
        pfc = meant.get(What("pfc"))
        return pfc is None or fact.value != pfc.value
    if row.silence is None:  # rates, of which None says the same as silence
        return what.number in how.used
    if what.topic == "group":  # those of priorities with PFC are told as that
        pfc, paused = meant.get(What("pfc")), running.get(What("pfc"))
        reported = {*(pfc.value if pfc else ()), *(paused.value if paused else ())}  # type: ignore[misc]
        return what.number not in reported
    return True


_BESIDE_PFC = (What("obeys"), What("sends"))


def _find_silent_value(what: What) -> object:
    """What a whole configuration amounts to that does not mention the setting."""
    row = find_compared_setting(what.topic, what.part)
    return row.silence if row is not None else UNKNOWN


def _is_same(what: What, meant: object, running: object, how: How) -> bool:
    if isinstance(meant, Way) and isinstance(running, Way):
        groups = {meant.group, running.group} - {None}
        return (meant.queue, meant.priority) == (running.queue, running.priority) and len(groups) < 2
    if isinstance(meant, Watched) and isinstance(running, Watched):
        return meant.priorities == running.priorities or (meant.all and running.all)
    row = find_compared_setting(what.topic, what.part)
    same = row.same if row is not None else EQUAL
    if same in (CODING, NAME):
        return _is_called_alike(same, meant, running, how)
    if same == STATE:
        if meant == _LEFT_TO_SYSTEM:
            return running != OFF and (what.topic != _WATCHDOG or _is_its_own(running, how))
        return (meant == OFF) == (running == OFF) and isinstance(meant, tuple) == isinstance(running, tuple)
    counted = not (isinstance(meant, Percent) or isinstance(running, Percent))
    if counted and isinstance(meant, (int, float, Least)) and isinstance(running, (int, float)):
        return _is_reached(same, meant, running, how)
    return meant == running


def _is_left(what: What, meant: Fact) -> bool:
    """Whether a watchdog is intended to be the system's own."""
    return what.topic == _WATCHDOG and not what.part and meant.value == _LEFT_TO_SYSTEM


def _is_its_own(running: object, how: How) -> bool:
    """Whether a watchdog that runs has no timers but those that the system takes by itself.

    A part of a configuration may lack the polling interval, which stands for the whole switch.
    """
    if not isinstance(running, tuple):
        return True
    parts = dict(running)
    names = _TIMES if how.whole else _TIMES[:-1]
    own = any(
        all(time is None or parts.get(name) == time for name, time in zip(names, times, strict=False))
        for times in how.own_watchdogs
    )
    return own and parts.get("action", _STOCK_ACTION) == _STOCK_ACTION


def _is_reached(same: str, meant: float | Least, running: float, how: How) -> bool:
    """Whether a number is what is intended, as far as these can be told apart."""
    if isinstance(meant, Least):
        return running >= meant.value
    if same == CHIP_STEP:
        return _is_rounded_alike(int(meant), int(running), how)
    if same == SHARE:
        return abs(meant - running) < _WHOLE_POINT
    return abs(meant - running) <= 1e-6 * max(abs(meant), abs(running))


def _is_rounded_alike(meant: int, running: int, how: How) -> bool:
    if how.rounds_up:
        return -(-meant // how.step) == -(-running // how.step)
    return abs(meant - running) < how.step
