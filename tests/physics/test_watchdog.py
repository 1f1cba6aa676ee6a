"""When a watchdog acts: the published figures, and what must hold for all timers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.physics.watchdog import (
    action_window,
    count_polls,
    effective_time,
    stock_timers,
    suitable_poll,
    usual_restoration,
)


@pytest.mark.parametrize(
    ("ports", "time"),
    [(1, 200), (32, 200), (33, 400), (64, 400), (65, 600), (128, 800), (256, 1600), (512, 3200)],
)
def test_stock_timers_grow_with_the_ports(ports: int, time: int) -> None:
    assert stock_timers(ports, capped=False) == (time, time)
    assert stock_timers(ports, capped=True) == (time, min(time, 1000))


@pytest.mark.parametrize(
    ("detection", "poll", "expected"),
    [
        (200, 100, (200, 300)),
        (200, 150, (300, 450)),
        (200, 200, (200, 400)),
        (1600, 1000, (2000, 3000)),  # SONiC's stock timers with 256 ports
        (3200, 1000, (4000, 5000)),  # and with 512
        (200, 400, (400, 800)),  # shorter than one poll: the first poll decides
        (200, None, (200, 200)),  # no poll interval is known
        (200, 0, (200, 200)),
    ],
)
def test_detection_window(detection: float, poll: float | None, expected: tuple[float, float]) -> None:
    assert action_window(detection, poll) == expected


@pytest.mark.parametrize(
    ("time", "poll", "count"),
    [(300, 100, 3), (0.3, 0.1, 3), (0.7, 0.1, 7), (200, 0.0004, 500_000), (301, 100, 4), (200.001, 100, 3)],
)
def test_whole_polls_are_counted_whatever_floats_make_of_them(time: float, poll: float, count: int) -> None:
    assert count_polls(time, poll) == count


def test_a_multiple_of_the_poll_interval_stays_as_it_is() -> None:
    assert effective_time(0.3, 0.1) == 0.3
    assert effective_time(86_400_000, 0.0001) == 86_400_000


@pytest.mark.parametrize(
    ("detection", "poll", "restoration"), [(200, 100, 400), (200, 150, 450), (200, None, 400), (250, 400, 800)]
)
def test_restoration_is_twice_the_detection_time_in_whole_polls(
    detection: float, poll: float | None, restoration: float
) -> None:
    assert usual_restoration(detection, poll) == restoration


@pytest.mark.parametrize(
    ("times", "least", "poll"),
    [
        ((200, 400), 100, 100),
        ((400, 800), 100, 200),
        ((200, 300), 100, 100),
        ((150, 450), 100, 150),  # 100 ms at least: only 150 divides both, and it fits once
        ((150, 450), 5, 75),
        ((200,), 100, 100),
        ((200, 401), 100, 200),  # no common divisor from 100 on: the shorter time
        ((33.5, 67), 5, 33.5),  # no whole ms
        ((50, 400), 100, 50),
    ],
)
def test_suitable_poll(times: tuple[float, ...], least: int, poll: float) -> None:
    assert suitable_poll(times, least) == poll


whole_ms = st.integers(1, 100_000)


@given(whole_ms, whole_ms)
def test_the_window_is_one_poll_wide_and_begins_within_a_poll_of_the_detection_time(detection: int, poll: int) -> None:
    soonest, latest = action_window(detection, poll)
    assert soonest % poll == 0
    assert detection <= soonest < detection + poll
    assert latest - soonest == poll


@settings(deadline=None)  # it tries every poll there could be
@given(st.lists(whole_ms, min_size=1, max_size=2), st.sampled_from([5, 100]))
def test_a_suitable_poll_keeps_times_as_they_are_wherever_one_exists(times: list[int], least: int) -> None:
    poll = suitable_poll(times, least)
    common = [p for p in range(least, min(times) + 1) if all(time % p == 0 for time in times)]
    twice = [p for p in common if 2 * p <= min(times)]
    assert poll == max(twice or common or [min(times)])
