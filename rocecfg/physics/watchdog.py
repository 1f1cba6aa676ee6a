"""When a PFC watchdog acts. All times are in ms.

A watchdog looks at each lossless queue once a poll interval `p` and calls it stormed after whole polls, so a detection
time `d` takes effect as `d_eff = ceil(d / p) * p`. The storm began somewhere between two polls: it is acted on between
`d_eff` and `d_eff + p` after that.

Source: SONiC's detection scripts (sonic-swss, orchagent/pfc_detect_*.lua) count whole polls, and its test suite
(sonic-mgmt) allows the detection time plus one poll. NVUE has a polling interval and a number of polls in the place
of a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil, gcd, isclose

_EXACT = 1 - 1e-12  # 0.3 / 0.1 is 3 polls, whatever floats make of it
_STOCK_STEP = 200  # ms
_STOCK_PORTS = 32
_STOCK_LONGEST_POLL = 1000  # ms


def ack_timeout(exponent: int) -> float:
    """How long, in ms, an RDMA sender waits for an ACK at least: `4.096 us * 2^n`; 0 stands for no end.

    Source: InfiniBand Architecture Specification, local ACK timeout.
    """
    return 4.096e-3 * (1 << exponent)


def count_polls(time: float, poll: float) -> int:
    """How many polls of `poll` ms a timer of `time` ms takes: `ceil(time / poll)`. `poll` is above 0."""
    return ceil(time / poll * _EXACT)


def effective_time(time: float, poll: float | None) -> float:
    """A timer of `time` ms in whole polls of `poll` ms: `ceil(time / poll) * poll`, which is `d_eff` for detection.

    Just `time` where it is a multiple, and where there is no poll interval to count in (None or 0).
    """
    if not poll:
        return time
    whole = count_polls(time, poll) * poll
    return time if isclose(whole, time) else whole


def action_window(time: float, poll: float | None) -> tuple[float, float]:
    """The soonest and the latest, in ms, that a timer of `time` ms takes effect: `d_eff` and `d_eff + poll`."""
    soonest = effective_time(time, poll)
    return soonest, soonest + (poll or 0)


def usual_restoration(detection: float, poll: float | None) -> float:
    """Twice the detection time, in whole polls; all in ms.

    Source: sonic-utilities, `pfcwd start` without --restoration-time.
    """
    return effective_time(2 * detection, poll)


def suitable_poll(times: Iterable[float], least: int) -> float:
    """The longest poll interval, in whole ms from `least` on, that divides all `times` and fits twice in each.

    Where `least` leaves none: one that fits once, else the shortest of the times itself. `times` is not empty.
    A poll interval that divides `d` makes `d_eff = d`. Why twice: EOS takes no longer one (Arista's manual, by second
    sources), and SONiC was seen to take two or three polls where only one fits (sonic-swss issue 4784).
    """
    known = tuple(times)
    shortest = min(known)
    for fits in (2, 1):
        for poll in _common_divisors(known, least):
            if poll * fits <= shortest:
                return poll
    return shortest


def _common_divisors(times: tuple[float, ...], least: int) -> Iterator[int]:
    """The common divisors of the times from `least` on, falling; none where a time is not a whole number."""
    if not all(time == int(time) for time in times):
        return
    common = gcd(*map(int, times))
    for parts in range(1, common // least + 1):
        if common % parts == 0:
            yield common // parts


def stock_timers(ports: int, *, capped: bool) -> tuple[int, int]:
    """Detection time, which is the restoration time too, and poll interval that SONiC takes by itself.

    `200 ms * m` for both, with `m = (ports - 1) div 32 + 1`. `capped`: the poll interval is at most 1000 ms, as it is
    from release 202511 on. `ports` is 1 or more.

    Source: sonic-utilities, pfcwd/main.py, `pfcwd start_default`.
    """
    time = _STOCK_STEP * ((ports - 1) // _STOCK_PORTS + 1)
    return time, min(time, _STOCK_LONGEST_POLL) if capped else time
