"""The timers of the PFC watchdog: rules WDG204 to WDG209 and WDG211. The arithmetic is `rocecfg.physics.watchdog`'s."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from rocecfg.core.units import show_time
from rocecfg.model import Device, Fabric, Origin, PortGroup, Span, Watchdog
from rocecfg.model.fix import Fix, replace
from rocecfg.physics.watchdog import action_window, effective_time, suitable_poll, usual_restoration
from rocecfg.profiles.settings import POLL_TOO_SLOW
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF
from rocecfg.rules.nos import find_refusals
from rocecfg.rules.nos_settings import read_watchdog
from rocecfg.rules.watchdog import (
    SLOW,
    TIMER_KEYS,
    USUAL,
    acting_timers,
    judged_watchdog,
    kept_poll,
    kept_restoration,
    locate_watchdog_field,
)
from rocecfg.rules.watchdog_hosts import find_least_patient

_LEAST_POLL = 100  # ms, the least that SONiC and NVUE take, and of a NOS that nobody named
_LONGEST = 5000  # ms, the longest detection time that SONiC takes
_FAST = 100  # ms: below, pauses of ordinary congestion count as storms
_PLAIN = {"detection": "detection time", "restoration": "restoration time", "poll": "poll interval"}


def _timer_names(fabric: Fabric) -> dict[str, str]:
    """What timers are called: an intent's keys, or what any switch calls them more or less."""
    return _PLAIN if fabric.running else TIMER_KEYS


def _known_times(device: Device, watchdog: Watchdog) -> dict[str, float]:
    """Detection and restoration time in ms, as far as known and kept."""
    both = {"detection": watchdog.detection, "restoration": kept_restoration(device, watchdog)}
    return {timer: time for timer, time in both.items() if time is not None}


def _format_times(fabric: Fabric, times: dict[str, float]) -> str:
    return " and ".join(f"{_timer_names(fabric)[timer]} {show_time(time)}" for timer, time in times.items())


def _relate_timers(fabric: Fabric, device: Device, watchdog: Watchdog, *timers: str) -> tuple[tuple[Origin, str], ...]:
    """Where these timers were set, as related places."""
    known = {**_known_times(device, watchdog), "poll": watchdog.poll}
    words = _timer_names(fabric)
    return tuple((watchdog.at(t), f"{words[t]} is {show_time(v)}") for t in timers if (v := known.get(t)) is not None)


def _is_poll_beyond(device: Device, watchdog: Watchdog, share: float) -> bool:
    """Whether the poll interval exceeds that share of the detection or the restoration time."""
    times = _known_times(device, watchdog).values()
    return watchdog.poll is not None and watchdog.poll > min(times, default=inf) * share


def _poll_share(device: Device) -> float:
    """What part of the detection and restoration time one poll interval may take: EOS wants two in each."""
    return 1 / device.nos.watchdog_polls if device.nos is not None else 1


def _is_restoration_slipped(device: Device, watchdog: Watchdog) -> bool:
    """Whether the restoration time is shorter than a poll interval that suits the detection time."""
    times, poll = _known_times(device, watchdog), watchdog.poll
    detection, restoration = times.get("detection"), times.get("restoration")
    if detection is None or restoration is None or poll is None:
        return False
    return restoration < poll <= detection * _poll_share(device)


def _least_poll(device: Device) -> int:
    """The shortest poll interval in ms that the NOS takes."""
    least = device.nos.least("port.watchdog.poll") if device.nos is not None else None
    return _LEAST_POLL if least is None else int(least)


def _suggest_poll(device: Device, watchdog: Watchdog) -> float:
    """A poll interval in ms that suits both times, and that the NOS takes."""
    return suitable_poll(_known_times(device, watchdog).values(), _least_poll(device))


def _is_poll_within(device: Device, watchdog: Watchdog, poll: float) -> bool:
    """Whether the NOS takes a poll interval, and so often in both times as it wants."""
    return _least_poll(device) <= poll <= min(_known_times(device, watchdog).values()) * _poll_share(device)


@rule(
    "WDG204",
    "watchdog-poll",
    ERROR,
    source="SONiC sonic-pfcwd.yang: detection and restoration time must be at least POLL_INTERVAL",
    by_kind=LOSSY_OFF,
)
def watchdog_poll(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The detection or restoration time is shorter than one poll interval."""
    watchdog = judged_watchdog(port)
    if watchdog is None or kept_poll(device, watchdog) is None or not _is_poll_beyond(device, watchdog, 1):
        return
    poll = watchdog.poll or 0
    shorter = {timer: time for timer, time in _known_times(device, watchdog).items() if time < poll}
    if watchdog.detection is not None and _is_restoration_slipped(device, watchdog):
        field, twice = "restoration", usual_restoration(watchdog.detection, poll)
        remedy = f"restoration_time: {show_time(twice)} (twice detection_time)"
    elif not _is_poll_within(device, watchdog, _suggest_poll(device, watchdog)):
        short = [timer for timer, time in _known_times(device, watchdog).items() if time * _poll_share(device) < poll]
        field = next(timer for timer in short if timer in shorter)
        remedy = " and ".join(f"{TIMER_KEYS[timer]}: {show_time(2 * poll)}" for timer in short)
        remedy += " (twice poll_interval) or more"
    else:
        field, remedy = "poll", f"poll_interval: {show_time(_suggest_poll(device, watchdog))}"
    yield Hit(
        f"{_format_times(fabric, {'poll': poll})} is longer than {_format_times(fabric, shorter)}: "
        "the watchdog cannot measure a time that ends between two polls",
        locate_watchdog_field(port, watchdog, field),
        f"set {remedy}",
        _relate_timers(fabric, device, watchdog, *(timer for timer in TIMER_KEYS if timer != field)),
        refused=POLL_TOO_SLOW,
    )


@rule(
    "WDG205",
    "watchdog-poll-eos",
    ERROR,
    source="Arista EOS manual (by second sources): polling at most half of the shorter of timeout and recovery time",
    by_kind=LOSSY_OFF,
)
def watchdog_poll_eos(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """EOS: the poll interval exceeds half of the detection or restoration time, so EOS uses another one."""
    watchdog = judged_watchdog(port)
    if watchdog is None or watchdog.poll is None or device.nos is None:
        return
    if _is_poll_beyond(device, watchdog, 1) or not _is_poll_beyond(device, watchdog, _poll_share(device)):
        return  # the former: watchdog-poll
    times, polls = _known_times(device, watchdog), device.nos.watchdog_polls
    yield Hit(
        f"{_format_times(fabric, {'poll': watchdog.poll})} is longer than {show_time(min(times.values()) / polls)}, "
        f"{'half' if polls == 2 else f'1/{polls}'} of the shorter of {_format_times(fabric, times)}: "
        f"{device.nos.title} uses an interval of its own and logs a warning",
        locate_watchdog_field(port, watchdog, "poll"),
        f"set poll_interval: {show_time(_suggest_poll(device, watchdog))}",
        _relate_timers(fabric, device, watchdog, "detection", "restoration"),
    )


@rule(
    "WDG206",
    "watchdog-multiple",
    WARNING,
    source="SONiC's detection scripts count whole polls; its test suite allows detection time plus one poll",
    by_kind=LOSSY_OFF,
)
def watchdog_multiple(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The detection or restoration time is not a multiple of the poll interval, so the real one is longer."""
    watchdog = judged_watchdog(port)
    if watchdog is None or not kept_poll(device, watchdog):
        return
    if _is_poll_beyond(device, watchdog, _poll_share(device)):
        return  # watchdog-poll or -poll-eos: with another poll interval other times are multiples
    poll, times = watchdog.poll or 0, _known_times(device, watchdog)
    real = {timer: whole for timer, time in times.items() if (whole := effective_time(time, poll)) != time}
    if not real:
        return
    odd = _is_poll_to_blame(watchdog, times, real)
    remedy = " and ".join(f"{TIMER_KEYS[timer]}: {show_time(time)}" for timer, time in real.items())
    remedy += f" (next multiple of poll_interval {show_time(poll)})"
    other = _suggest_poll(device, watchdog)
    rounded = Watchdog(real.get("detection"), real.get("restoration"), None, None, origins={})
    # else the fault is the poll interval's: of odd parts of ms, or of steps that the system does not take
    sound = all(time == int(time) for time in real.values()) and not find_refusals(device, read_watchdog(rounded))
    if all(time % other == 0 for time in times.values()) and (other <= poll or not sound):
        offer = f"poll_interval: {show_time(other)}"
        remedy = f"{remedy}, or {offer}" if sound and max(real.values()) <= _LONGEST else offer
    yield Hit(
        "; ".join(
            f"{_format_times(fabric, {timer: times[timer]})} is not a multiple of "
            f"{_format_times(fabric, {'poll': poll})}: it really takes "
            f"{' to '.join(map(show_time, action_window(time, poll)))}"
            for timer, time in real.items()
        ),
        locate_watchdog_field(port, watchdog, "poll" if odd else next(iter(real))),
        f"set {remedy}",
        _relate_timers(fabric, device, watchdog, *(times if odd else ("poll",))),
        fix=_make_rounding_fix(watchdog, real) if sound else None,
        alike=f"not a multiple of {show_time(poll)}" if odd else "",
    )


def _is_poll_to_blame(watchdog: Watchdog, times: dict[str, float], real: dict[str, float]) -> bool:
    """Whether the poll interval is to blame: no time is a multiple of it, or it alone is set where the watchdog is."""
    if len(real) == len(times) > 1:
        return True
    return _is_own_value(watchdog, "poll") and not any(_is_own_value(watchdog, timer) for timer in real)


def _is_own_value(watchdog: Watchdog, field: str) -> bool:
    """Whether a value is of the narrowest watchdog that is stated; what it inherits stands before it, or elsewhere."""
    stated, whole = watchdog.origins.get(field), watchdog.at()
    return (
        isinstance(stated, Span) and isinstance(whole, Span) and stated.doc == whole.doc and stated.start >= whole.start
    )


def _make_rounding_fix(watchdog: Watchdog, real: dict[str, float]) -> Fix | None:
    """The fix that writes what the switch does anyway."""
    changes = [
        replace(at, show_time(time))
        for timer, time in real.items()
        if isinstance(at := watchdog.origins.get(timer), Span)
    ]
    if len(changes) < len(real) or max(real.values()) > _LONGEST:
        return None
    wording = ", ".join(f"{TIMER_KEYS[timer]}: {show_time(time)}" for timer, time in real.items())
    return Fix(f"write {wording}", safe=False, changes=tuple(changes))


def _is_never_fast(device: Device) -> bool:
    """Whether its NOS takes no detection time or poll interval with which the watchdog would be too fast."""
    nos = device.nos
    least = [] if nos is None else [nos.least("port.watchdog.detection"), nos.least("port.watchdog.poll")]
    return any(time is not None and time >= _FAST for time in least)


@rule(
    "WDG207",
    "watchdog-fast",
    WARNING,
    source="sonic-swss change 3036: detection was made stricter because congestion was taken for storms",
    by_kind=LOSSY_OFF,
)
def watchdog_fast(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The watchdog acts within 100 ms: it mistakes ordinary congestion for pause storms, and drops RDMA."""
    watchdog = judged_watchdog(port)
    if watchdog is None or watchdog.detection is None or _is_never_fast(device):
        return  # schema-nos-range
    time = effective_time(watchdog.detection, watchdog.poll)
    if time >= _FAST:
        return
    yield Hit(
        f"the watchdog declares a pause storm after {show_time(time)}, below {_FAST}ms: it mistakes ordinary "
        "congestion for storms, and drops RDMA",
        locate_watchdog_field(port, watchdog, "detection"),
        f"set {USUAL}",
    )


@rule(
    "WDG208",
    "watchdog-slow",
    WARNING,
    source="worst case d_eff + p as SONiC's test suite allows it; the bound of 1000 ms is this tool's own",
    by_kind=LOSSY_OFF,
)
def watchdog_slow(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A pause storm can hold the fabric for more than 1000 ms before the watchdog acts."""
    watchdog = judged_watchdog(port)
    timers = acting_timers(device, watchdog) if watchdog is not None else None
    if watchdog is None or timers is None:
        return
    detection, poll = timers.detection, timers.poll
    if poll is not None and poll > detection:
        poll = None  # watchdog-poll's, unless the detection time alone is too long
    soonest, latest = action_window(detection, poll)
    if latest <= SLOW:
        return
    hosts = find_least_patient(fabric) if "hosts" in fabric.sections else None
    if hosts is not None and latest > hosts.ms:
        return  # watchdog-retry's
    # A poll interval of 100 ms is the fix where it is enough, else the detection time is to blame.
    field, remedy = "detection", USUAL
    if (short := effective_time(detection, _LEAST_POLL)) + _LEAST_POLL <= SLOW:
        field, remedy = "poll", f"poll_interval: {_LEAST_POLL}ms"
        remedy += f" and detection_time: {show_time(short)}" if short != detection else ""
    formula = _format_times(fabric, {"detection": detection})
    formula += f", {show_time(soonest)} in whole polls," if soonest != detection else ""
    formula += f" + {_format_times(fabric, {'poll': poll})}" if poll else ""
    if timers.own:
        field, remedy, formula = (
            "",
            f"watchdog: {{{USUAL}, action: drop}}",
            f"{_describe_vendor_default(device)}: {formula}",
        )
    yield Hit(
        f"a pause storm can last {show_time(latest)} before the watchdog acts ({formula}; the limit is {SLOW}ms): "
        "everything behind the queue is stopped that long",
        locate_watchdog_field(port, watchdog, field),
        f"set {remedy}",
        _relate_timers(fabric, device, watchdog, "detection" if field == "poll" else "poll"),
    )


def _describe_vendor_default(device: Device) -> str:
    """Whose timers those of a watchdog are that is left to the switch."""
    if device.nos is None or not device.nos.stock_timers:
        return "vendor-default"
    ports = sum(len(port.names) for port in device.ports)
    return f"vendor-default on a {device.nos.title} switch with {ports} port{'s' * (ports != 1)}"


@rule(
    "WDG209",
    "watchdog-restore",
    WARNING,
    source="SONiC `pfcwd start` sets the restoration time to twice the detection time",
    by_kind=LOSSY_OFF,
)
def watchdog_restore(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The queue is restored sooner than a pause storm is detected, so it flaps."""
    watchdog = judged_watchdog(port)
    times = _known_times(device, watchdog) if watchdog is not None else {}
    detection, restoration = times.get("detection"), times.get("restoration")
    if watchdog is None or detection is None or restoration is None:
        return
    if restoration >= detection or _is_restoration_slipped(device, watchdog):
        return  # a restoration time that slipped is watchdog-poll's, with the same fix
    twice = f"restoration_time: {show_time(usual_restoration(detection, watchdog.poll))} (twice detection_time)"
    slow = action_window(detection, watchdog.poll)[1] > SLOW  # watchdog-slow's: twice as long were no better
    yield Hit(
        f"{_format_times(fabric, {'restoration': restoration})} is shorter than "
        f"{_format_times(fabric, {'detection': detection})}: the queue is lossless again before the watchdog can "
        "detect a lasting pause storm, and flaps",
        locate_watchdog_field(port, watchdog, "restoration"),
        f"set {USUAL if slow else twice}",
        _relate_timers(fabric, device, watchdog, "detection"),
    )


@rule(
    "WDG211",
    "watchdog-default-scale",
    INFO,
    source="sonic-utilities, pfcwd start_default: 200 ms * ((ports - 1) div 32 + 1); poll at most 1000 ms since 202511",
    by_kind=LOSSY_OFF,
)
def watchdog_default_scale(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """SONiC's own watchdog timers grow with the number of ports: large switches get slow ones."""
    watchdog, nos = judged_watchdog(port), device.nos
    if watchdog is None or not watchdog.vendor_default or nos is None or not nos.stock_timers:
        return
    timers = acting_timers(device, watchdog)
    if timers is not None:
        times = action_window(timers.detection, timers.poll)
        if times[1] > SLOW:
            return  # watchdog-slow's
        message = (
            f"{_describe_vendor_default(device)} sets detection and restoration to {show_time(timers.detection)}, "
            f"poll to {show_time(timers.poll or 0)}: it acts on a pause storm after "
            f"{' to '.join(map(show_time, times))}"
        )
    else:
        message = (
            f"vendor-default on {nos.title} sets detection, restoration and poll by the number of ports: "
            "200ms up to 32, 400ms up to 64, 800ms up to 128, and so on"
        )
    yield Hit(
        message,
        (watchdog.at(), port.at("watchdog")),
        f"to act sooner, set watchdog: {{{USUAL}, action: drop}}",
    )


RULES: tuple[Rule, ...] = (
    watchdog_poll,
    watchdog_poll_eos,
    watchdog_multiple,
    watchdog_fast,
    watchdog_slow,
    watchdog_restore,
    watchdog_default_scale,
)
