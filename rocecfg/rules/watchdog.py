"""The PFC watchdog: rules WDG201 to WDG211.

The watchdog looks at each lossless queue once a poll interval and calls it stormed after whole polls, so what counts
is `d_eff = ceil(d / p) * p`; a storm is acted on between `d_eff` and `d_eff + p` after it began. Ports without PFC need
none, and PFC on a management port is `pfc-mgmt-port`'s: all rules here are silent on both.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import gcd, inf

from rocecfg.model import Computed, Device, Fabric, Origin, PortGroup, Watchdog
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.pfc import is_management
from rocecfg.units import show_time

_LOSSY_OFF = {"lossy": OFF}  # without PFC there is nothing to watch
_NO_SPREAD = {"lossy": OFF, "semi-lossless": WARNING}  # pauses are honoured but not passed on: one port hangs, not all
_HOSTS = frozenset(("host", "storage"))  # a NIC at the other end: where storms begin
_LEAST_POLL = 100  # ms, the least that SONiC and NVUE take
_LEAST_POLL_EOS = 5  # ms
_LONGEST = 5000  # ms, the longest detection time that SONiC takes
_FAST = 100  # ms: below, pauses of ordinary congestion count as storms
_SLOW = 1000  # ms that a fabric may stand still
_DUAL_TOR_BOUNCE = frozenset((2, 6))  # lossless for what bounces between ToRs; SONiC watches 3 and 4 only
_KEYS = {"detection": "detection_time", "restoration": "restoration_time", "poll": "poll_interval"}
_USUAL = "detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms"


def _judged(port: PortGroup) -> Watchdog | None:
    """The watchdog to judge, if the port needs one and has one."""
    return port.watchdog if port.pfc and not is_management(port) else None


def _times(watchdog: Watchdog) -> dict[str, float]:
    """Detection and restoration time in ms, as far as known."""
    both = {"detection": watchdog.detection, "restoration": watchdog.restoration}
    return {timer: time for timer, time in both.items() if time is not None}


def _say(times: dict[str, float]) -> str:
    return " and ".join(f"{_KEYS[timer]} {show_time(time)}" for timer, time in times.items())


def _place(port: PortGroup, watchdog: Watchdog, field: str) -> tuple[Origin, ...]:
    """Where that field of the watchdog was set, else the watchdog."""
    return watchdog.at(field), watchdog.at(), port.at("watchdog")


def _set_at(watchdog: Watchdog, *timers: str) -> tuple[tuple[Origin, str], ...]:
    """Where these timers were set, as related places."""
    known = {**_times(watchdog), "poll": watchdog.poll}
    return tuple((watchdog.at(t), f"{_KEYS[t]} is {show_time(v)}") for t in timers if (v := known.get(t)) is not None)


def _ceil(time: float, step: float) -> float:
    """The first multiple of `step` from `time` on, all in ms, worked out in whole microseconds."""
    whole = round(step * 1000)
    return -(-round(time * 1000) // whole) * whole / 1000


def effective_detection(watchdog: Watchdog) -> float | None:
    """`d_eff` in ms: the detection time in whole polls. The detection time as it is where no poll interval is known."""
    if watchdog.detection is None or not watchdog.poll:
        return watchdog.detection
    return _ceil(watchdog.detection, watchdog.poll)


def _poll_beyond(watchdog: Watchdog, share: float) -> bool:
    """Whether the poll interval exceeds that share of the detection or the restoration time."""
    return watchdog.poll is not None and watchdog.poll > min(_times(watchdog).values(), default=inf) * share


def _share(device: Device) -> float:
    """What part of the detection and restoration time one poll interval may take: EOS wants two polls in each."""
    return 0.5 if device.vendor == "arista" else 1


def _restoration_slipped(device: Device, watchdog: Watchdog) -> bool:
    """Whether the restoration time is shorter than a poll interval that suits the detection time."""
    detection, restoration, poll = watchdog.detection, watchdog.restoration, watchdog.poll
    if detection is None or restoration is None or poll is None:
        return False
    return restoration < poll <= detection * _share(device)


def _good_poll(device: Device, watchdog: Watchdog) -> float:
    """The longest poll interval, in whole ms, that divides both times and fits twice in each.

    Where the NOS's least interval leaves none: one that fits once, else the shorter time itself.
    """
    times = _times(watchdog).values()
    least = _LEAST_POLL_EOS if device.vendor == "arista" else _LEAST_POLL
    common = gcd(*map(int, times)) if all(time == int(time) for time in times) else 0
    dividing = [common // n for n in range(1, common // least + 1) if common % n == 0]
    return next((poll for fits in (2, 1) for poll in dividing if poll * fits <= min(times)), min(times))


@rule(
    "WDG201",
    "watchdog-missing",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 4.3, and Bai et al., NSDI'23, section 3.1: one NIC can stop the network",
    by_kind=_NO_SPREAD,
    ignorable=False,
)
def watchdog_missing(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A lossless port without PFC watchdog: one broken NIC can freeze the whole fabric."""
    if not port.pfc or port.watchdog is not None or is_management(port) or _guarded_uplink(device, port):
        return
    lossless = [c for c in device.classes_on(port) if c.lossless]
    here: tuple[Origin, ...] = (port.at("watchdog"),)
    if "watchdog" not in port.origins and all(p.watchdog is None for p in device.ports):
        # Nothing is written about it: what asks for a watchdog is the lossless class, once for all its ports.
        here = (*(c.at("lossless") for c in lossless), *here)
    yield Hit(
        "PFC without a watchdog: one NIC that never stops pausing freezes every queue behind it, "
        "and jobs hang instead of failing",
        here,
        f"set pfc: {{watchdog: {{{_USUAL}, action: drop}}}}",
        cls=lossless[0].name if lossless else None,
    )


def _guarded_uplink(device: Device, port: PortGroup) -> PortGroup | None:
    """For a port to hosts without watchdog: the ports to switches that have one."""
    if port.faces not in _HOSTS or port.watchdog is not None:
        return None
    return next((p for p in device.ports if p.faces == "switch" and _judged(p) is not None), None)


@rule(
    "WDG202",
    "watchdog-host",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 4.3: the watchdog sits on the ports to servers, where storms begin",
    by_kind=_NO_SPREAD,
    needs=("devices",),
    ignorable=False,
)
def watchdog_host(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The watchdog is on ports to switches but not on ports to hosts, where pause storms begin."""
    guarded = _guarded_uplink(device, port)
    if guarded is None or not port.pfc or is_management(port):
        return
    yield Hit(
        f"ports to {'storage' if port.faces == 'storage' else 'hosts'} have PFC but no watchdog, "
        "while ports to switches have one: storms begin at NICs, and nothing stops them there",
        (port.at("watchdog"),),
        "give these ports the same watchdog",
        ((guarded.at("watchdog"), "the watchdog of the ports to switches"),),
    )


@rule(
    "WDG203",
    "watchdog-priorities",
    ERROR,
    source="SONiC qos_config.j2 writes pfc_enable and pfcwd_sw_enable from one list",
    by_kind=_LOSSY_OFF,
)
def watchdog_priorities(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The watchdog watches other priorities than those with PFC."""
    watchdog = _judged(port)
    if watchdog is None or watchdog.priorities is None:
        return
    bare = sorted(set(port.pfc).difference(watchdog.priorities))
    idle = sorted(set(watchdog.priorities).difference(port.pfc))
    if fabric.dual_tor and not idle and _DUAL_TOR_BOUNCE.issuperset(bare):
        return
    parts = []
    if bare:
        parts.append(f"priority {', '.join(map(str, bare))} has PFC but is not watched, so a storm there never ends")
    if idle:
        parts.append(f"priority {', '.join(map(str, idle))} is watched but has no PFC")
    if parts:
        yield Hit(
            "; ".join(parts),
            _place(port, watchdog, "priorities"),
            f"set priorities: {list(port.pfc)}, or leave it out: then the watchdog follows PFC",
        )


@rule(
    "WDG204",
    "watchdog-poll",
    ERROR,
    source="SONiC sonic-pfcwd.yang: detection and restoration time must be at least POLL_INTERVAL",
    by_kind=_LOSSY_OFF,
)
def watchdog_poll(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The detection or restoration time is shorter than one poll interval."""
    watchdog = _judged(port)
    if watchdog is None or watchdog.poll is None or not _poll_beyond(watchdog, 1):
        return
    poll = watchdog.poll
    shorter = {timer: time for timer, time in _times(watchdog).items() if time < poll}
    if watchdog.detection is not None and _restoration_slipped(device, watchdog):
        field, twice = "restoration", _ceil(2 * watchdog.detection, poll)
        mend = f"restoration_time: {show_time(twice)} (twice detection_time)"
    else:
        field, mend = "poll", f"poll_interval: {show_time(_good_poll(device, watchdog))}"
    yield Hit(
        f"poll_interval {show_time(poll)} is longer than {_say(shorter)}: "
        "the watchdog cannot keep a time that ends between two polls, and SONiC refuses it",
        _place(port, watchdog, field),
        f"set {mend}",
        _set_at(watchdog, *(timer for timer in _KEYS if timer != field)),
    )


@rule(
    "WDG205",
    "watchdog-poll-eos",
    ERROR,
    source="Arista EOS manual (by second sources): polling at most half of the shorter of timeout and recovery time",
    by_kind=_LOSSY_OFF,
    vendors=("arista",),
)
def watchdog_poll_eos(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """EOS: the poll interval exceeds half of the detection or restoration time, so EOS takes another one."""
    watchdog = _judged(port)
    if watchdog is None or watchdog.poll is None:
        return
    if _poll_beyond(watchdog, 1) or not _poll_beyond(watchdog, _share(device)):  # the former: watchdog-poll
        return
    times = _times(watchdog)
    yield Hit(
        f"poll_interval {show_time(watchdog.poll)} is longer than {show_time(min(times.values()) / 2)}, "
        f"half of the shorter of {_say(times)}: EOS takes an interval of its own and logs a warning",
        _place(port, watchdog, "poll"),
        f"set poll_interval: {show_time(_good_poll(device, watchdog))}",
        _set_at(watchdog, "detection", "restoration"),
    )


@rule(
    "WDG206",
    "watchdog-multiple",
    WARNING,
    source="SONiC's detection scripts count whole polls; its test suite allows detection time plus one poll",
    by_kind=_LOSSY_OFF,
)
def watchdog_multiple(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The detection or restoration time is no multiple of the poll interval, so the real one is longer."""
    watchdog = _judged(port)
    if watchdog is None or not watchdog.poll:
        return
    if _poll_beyond(watchdog, _share(device)):
        return  # watchdog-poll or -poll-eos: with another poll interval other times are multiples
    poll, times = watchdog.poll, _times(watchdog)
    if isinstance(watchdog.at("restoration"), Computed):
        del times["restoration"]  # twice the detection time: mended with it
    real = {timer: whole for timer, time in times.items() if (whole := _ceil(time, poll)) != time}
    if not real:
        return
    mend = " and ".join(f"{_KEYS[timer]}: {show_time(time)}" for timer, time in real.items())
    mend += f" (next multiple of poll_interval {show_time(poll)})"
    other = _good_poll(device, watchdog)
    if all(time % other == 0 for time in times.values()) and other <= poll:
        offer = f"poll_interval: {show_time(other)}"
        mend = f"{mend}, or {offer}" if max(real.values()) <= _LONGEST else offer
    yield Hit(
        "; ".join(
            f"{_say({timer: times[timer]})} is no multiple of poll_interval {show_time(poll)}: "
            f"it takes {show_time(time)} to {show_time(time + poll)}"
            for timer, time in real.items()
        ),
        _place(port, watchdog, next(iter(real))),
        f"set {mend}",
        _set_at(watchdog, "poll"),
    )


@rule(
    "WDG207",
    "watchdog-fast",
    WARNING,
    source="sonic-swss change 3036: detection was made stricter because congestion was taken for storms",
    by_kind=_LOSSY_OFF,
)
def watchdog_fast(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The watchdog acts within 100 ms: pauses of ordinary congestion count as storms, and RDMA is dropped."""
    watchdog = _judged(port)
    time = effective_detection(watchdog) if watchdog else None
    if watchdog is None or time is None or time >= _FAST or device.vendor in ("sonic", "spectrum"):
        return  # these two take no such times, which schema-nos-range tells
    yield Hit(
        f"the watchdog calls a queue stormed after {show_time(time)}, below {_FAST}ms: "
        "pauses of ordinary congestion are taken for storms, and RDMA is dropped",
        _place(port, watchdog, "detection"),
        f"set {_USUAL}",
    )


@rule(
    "WDG208",
    "watchdog-slow",
    WARNING,
    source="worst case d_eff + p as SONiC's test suite allows it; the bound of 1000 ms is this tool's own",
    by_kind=_LOSSY_OFF,
)
def watchdog_slow(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """A storm may hold the fabric for more than 1000 ms before the watchdog acts."""
    watchdog = _judged(port)
    real = effective_detection(watchdog) if watchdog else None
    if watchdog is None or watchdog.detection is None or real is None:
        return
    detection, poll = watchdog.detection, watchdog.poll or 0
    if poll > detection:  # watchdog-poll's, unless the detection time alone is too long
        real, poll = detection, 0
    if real + poll <= _SLOW:
        return
    # A poll interval of 100 ms is the mend where it is enough, else the detection time is to blame.
    field, mend = "detection", _USUAL
    if (short := _ceil(detection, _LEAST_POLL)) + _LEAST_POLL <= _SLOW:
        field, mend = "poll", f"poll_interval: {_LEAST_POLL}ms"
        mend += f" and detection_time: {show_time(short)}" if short != detection else ""
    formula = f"detection_time {show_time(detection)}"
    formula += f", {show_time(real)} in whole polls," if real != detection else ""
    formula += f" + poll_interval {show_time(poll)}" if poll else ""
    yield Hit(
        f"a storm may last {show_time(real + poll)} before the watchdog acts ({formula}; at most {_SLOW}ms): "
        "everything behind the queue stands still for so long",
        _place(port, watchdog, field),
        f"set {mend}",
        _set_at(watchdog, "detection" if field == "poll" else "poll"),
    )


@rule(
    "WDG209",
    "watchdog-restore",
    WARNING,
    source="SONiC `pfcwd start` sets the restoration time to twice the detection time",
    by_kind=_LOSSY_OFF,
)
def watchdog_restore(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The queue is restored sooner than a storm is detected, so it flaps."""
    watchdog = _judged(port)
    if watchdog is None or watchdog.detection is None or watchdog.restoration is None:
        return
    detection, restoration, poll = watchdog.detection, watchdog.restoration, watchdog.poll
    if restoration >= detection or _restoration_slipped(
        device, watchdog
    ):  # the latter: watchdog-poll, with the same mend
        return
    twice = _ceil(2 * detection, poll) if poll else 2 * detection
    yield Hit(
        f"restoration_time {show_time(restoration)} is shorter than detection_time {show_time(detection)}: "
        "the queue is lossless again before a lasting storm could be seen, and flaps",
        _place(port, watchdog, "restoration"),
        f"set restoration_time: {show_time(twice)} (twice detection_time)",
        _set_at(watchdog, "detection"),
    )


_ACTIONS = {
    "alert": "only reports a storm from a host: the fabric stays frozen until somebody comes",
    "forward": "discards nothing that is queued for a host in a storm: the queue goes on taking buffer from others",
    "errdisable": "takes links between switches down: capacity is lost, and the reroute moves the storm",
}


@rule(
    "WDG210",
    "watchdog-action",
    WARNING,
    source="SONiC pfcwd actions drop, forward, alert (default drop); EOS drop, errdisable, notify-only",
    by_kind=_LOSSY_OFF,
)
def watchdog_action(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The action does not end a storm from a host, or takes a link between switches down."""
    watchdog = _judged(port)
    if watchdog is None or watchdog.action not in _ACTIONS:
        return
    action = watchdog.action
    if device.nos is not None and any(k.what == "watchdog.action" and action in k.values for k in device.nos.lacks):
        return  # nos-unsupported
    everywhere = port.implied and port.faces is None  # a policy's "every port"
    concerned = port.faces == "switch" if action == "errdisable" else port.faces in _HOSTS
    if concerned or everywhere:
        yield Hit(
            f"watchdog action {action} {_ACTIONS[action]}",
            _place(port, watchdog, "action"),
            "set action: drop" + (", or errdisable on ports to hosts only" if action == "errdisable" else ""),
        )


def stock_timers(ports: int, release: str | None) -> tuple[int, int]:
    """Detection (and restoration) time and poll interval, in ms, of SONiC's `pfcwd start_default`.

    200 ms * m with m = (ports - 1) div 32 + 1. From release 202511 on the poll interval is at most 1000 ms; None
    stands for such a release.
    """
    time = 200 * ((ports - 1) // 32 + 1)
    capped = release is None or release >= "202511"  # "master" sorts behind the digits of dated releases
    return time, min(time, 1000) if capped else time


@rule(
    "WDG211",
    "watchdog-default-scale",
    INFO,
    source="sonic-utilities, pfcwd start_default: 200 ms * ((ports - 1) div 32 + 1); poll at most 1000 ms since 202511",
    by_kind=_LOSSY_OFF,
    vendors=("sonic",),
)
def watchdog_default_scale(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """SONiC's own watchdog timers grow with the number of ports: large switches get slow ones."""
    watchdog = _judged(port)
    if watchdog is None or not watchdog.vendor_default:
        return
    ports = sum(len(p.names) for p in device.ports)
    if ports:
        release = device.version or (device.nos.default_release if device.nos else None)
        time, poll = stock_timers(ports, release)
        real = _ceil(time, poll)
        message = (
            f"vendor-default on a SONiC switch with {ports} ports sets detection and restoration to {show_time(time)}, "
            f"poll to {show_time(poll)}: a storm is acted on after {show_time(real)} to {show_time(real + poll)}"
        )
    else:
        message = (
            "vendor-default on SONiC sets detection, restoration and poll by the number of ports: "
            "200ms up to 32, 400ms up to 64, 800ms up to 128, and so on"
        )
    yield Hit(
        message,
        (watchdog.at(), port.at("watchdog")),
        f"where that is not meant, set {_USUAL}, action: drop",
    )


RULES: tuple[Rule, ...] = (
    watchdog_missing,
    watchdog_host,
    watchdog_priorities,
    watchdog_poll,
    watchdog_poll_eos,
    watchdog_multiple,
    watchdog_fast,
    watchdog_slow,
    watchdog_restore,
    watchdog_action,
    watchdog_default_scale,
)
