"""ECN before PFC: the published thresholds, worked figures of chips, and what must hold for all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.physics import ecn

KB = 1e3
MB = 1e6
TRIDENT_2 = 12_000 * KB  # shared by 32 ports of 40G and 8 priorities


def test_dcqcn_sigcomm15_ecn_threshold_of_trident_2() -> None:
    groups = 32 * 8
    limit = ecn.kmin_bound(8, TRIDENT_2 - groups * 22.4 * KB, groups)  # what headroom leaves, all groups at once
    assert limit == pytest.approx(21.756 * KB, abs=0.0005 * KB)
    assert int(limit / 10) / 100 == 21.75  # as printed: cut, not rounded


def test_dcqcn_sigcomm15_static_pfc_threshold_of_trident_2() -> None:
    groups = 32 * 8
    left = TRIDENT_2 - groups * 22.4 * KB
    # an equal share for each group, which is what a dynamic threshold tends to as alpha grows
    assert ecn.pause_dynamic(1e9, left, groups) == pytest.approx(24.47 * KB, abs=0.01 * KB)
    assert int(ecn.pause_dynamic(1e9, left, groups) / 10) / 100 == 24.47  # as printed


# Pools as SONiC ships them; the last is the example of Azure's NSDI'23 paper. Then: dynamic_th, ports, and the three
# bounds, each with half a unit of its last digit.
@pytest.mark.parametrize(
    ("pool", "dynamic_th", "ports", "hard", "kmax", "kmin"),
    [
        pytest.param(10_875_072, 0, 32, (5.4e6, 0.05e6), (330e3, 0.5e3), (170e3, 0.5e3), id="Tomahawk 1"),
        pytest.param(33_329_088, 0, 64, (16.7e6, 0.05e6), (513e3, 0.5e3), (260e3, 0.5e3), id="Tomahawk 2"),
        pytest.param(113_620_296, 0, 64, (56.8e6, 0.05e6), (1.75e6, 5e3), (888e3, 0.5e3), id="Tomahawk 4"),
        pytest.param(162_539_680, 0, 64, (81e6, 0.5e6), (2.50e6, 5e3), (1.27e6, 5e3), id="Tomahawk 5, 64 ports"),
        pytest.param(166_115_492, 0, 128, (83e6, 0.5e6), (1.29e6, 5e3), (649e3, 0.5e3), id="Tomahawk 5, 128 ports"),
        pytest.param(52_161_690, 7, 64, (51.8e6, 0.05e6), (815e3, 0.5e3), (809e3, 0.5e3), id="Spectrum-4"),
        pytest.param(18_000_000, -3, 32, (2.0e6, 0.05e6), (450e3, 0.5e3), (62e3, 0.5e3), id="Azure"),
    ],
)
def test_bounds_of_chips(
    pool: int,
    dynamic_th: int,
    ports: int,
    hard: tuple[float, float],
    kmax: tuple[float, float],
    kmin: tuple[float, float],
) -> None:
    alpha = 2.0**dynamic_th  # after SAI
    assert ecn.kmax_hard(alpha, pool) == pytest.approx(hard[0], abs=hard[1])
    assert ecn.kmax_bound(alpha, pool, ports) == pytest.approx(kmax[0], abs=kmax[1])
    assert ecn.kmin_bound(alpha, pool, ports) == pytest.approx(kmin[0], abs=kmin[1])


def test_azure_nsdi23_one_queue_pauses_at_2_mb() -> None:
    assert ecn.pause_dynamic(1 / 8, 18 * MB) == pytest.approx(2.0 * MB)


SHARES = {
    "alpha": st.sampled_from([2.0**n for n in range(-7, 8)]),
    "pool": st.integers(10**6, 10**11),
}


@given(**SHARES, queues=st.integers(1, 1024))
@settings(max_examples=50)
def test_priority_groups_pause_where_their_depth_is_alpha_times_what_is_free(
    alpha: float, pool: int, queues: int
) -> None:
    depth = ecn.pause_dynamic(alpha, pool, queues)
    # What is free is a small difference of large sizes where many groups hold nearly all of the pool.
    assert depth == pytest.approx(alpha * (pool - queues * depth), rel=1e-6)


@given(**SHARES, n=st.integers(1, 1023))
@settings(max_examples=50)
def test_bounds_fall_with_the_ports_and_never_exceed_that_of_one(alpha: float, pool: int, n: int) -> None:
    one = ecn.kmax_hard(alpha, pool)
    assert ecn.kmin_bound(alpha, pool, 1) == ecn.kmax_bound(alpha, pool, 1) == one < pool
    assert ecn.kmin_bound(alpha, pool, n + 1) < ecn.kmin_bound(alpha, pool, n) <= one
    assert ecn.kmax_bound(alpha, pool, n + 1) < ecn.kmax_bound(alpha, pool, n) <= one
    assert ecn.kmin_bound(alpha, pool, n) <= ecn.kmax_bound(alpha, pool, n) * (1 + 1e-12)


@pytest.mark.parametrize(("speed", "flight"), [(400e9, 400 * KB), (800e9, 800 * KB)])
def test_bytes_in_flight_at_a_round_trip_of_8_us(speed: float, flight: float) -> None:
    assert ecn.bdp(speed, 0.008) == pytest.approx(flight)


def test_dctcp_sigcomm10_threshold_at_400g_and_8_us_is_57_kb() -> None:
    assert ecn.dctcp_kmin(400e9, 0.008) == pytest.approx(57 * KB, abs=0.5 * KB)


@pytest.mark.parametrize(
    ("size", "speed", "delay"),
    [
        (200 * KB, 10e9, 160),  # ICNP'18: the most that is acceptable
        (200 * KB, 40e9, 40),
        (1500 * KB, 100e9, 120),
        (1500 * KB, 400e9, 30),
        (3 * MB, 100e9, 240),
        (6400 * KB, 400e9, 128),
    ],
)
def test_delay_behind_a_queue(size: float, speed: float, delay: float) -> None:
    assert ecn.queue_delay_us(size, speed) == pytest.approx(delay)


def test_a_kilometre_of_cable_is_10_us_there_and_back() -> None:
    assert ecn.rtt_of_cable_us(1000) == pytest.approx(10)
    assert ecn.rtt_of_cable_us(0) == 0


@pytest.mark.parametrize(("speed", "kmin", "kmax"), [(100e9, 400, 1600), (400e9, 1600, 6400), (800e9, 3200, 12800)])
def test_hpcc_thresholds_scale_with_the_speed(speed: float, kmin: float, kmax: float) -> None:
    assert ecn.scale_threshold(100, 25e9, speed) == pytest.approx(kmin)
    assert ecn.scale_threshold(400, 25e9, speed) == pytest.approx(kmax)
    assert ecn.queue_delay_us(ecn.scale_threshold(400 * KB, 25e9, speed), speed) == pytest.approx(128)
