"""DCQCN: the fixed points and swings of the papers, and what must hold for all senders."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import inf

import pytest
from fixed_point import find_fixed_point, find_queue
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rocecfg.physics.dcqcn import (
    MOST_FLOWS,
    PAPER,
    Curve,
    Params,
    marking_share,
)

KB = 1e3
SIGCOMM15 = Curve(5 * KB, 200 * KB, 0.01)
CONEXT16 = Curve(5 * KB, 1955 * KB, 0.1)  # the same slope, and a ramp that 64 flows do not leave
CONEXT16_SENDERS = PAPER._replace(delay_us=85)
JUMBO = PAPER._replace(packet=4096)
HPCC_400G = Curve(1600 * KB, 6400 * KB, 0.2)
NVIDIA = Curve(150 * KB, 1500 * KB, 1)
CISCO = Curve(150 * KB, 3000 * KB, 0.07)
SONIC = Curve(2**20, 2**21, 0.05)
SONIC_TH5 = Curve(2**17, 2**18, 0.05)  # the board with 128 ports


# The last column is half a unit of the last digit.
@pytest.mark.parametrize(
    ("flows", "percent", "within"),
    [
        (2, 0.078, 0.0005),
        (4, 0.19, 0.005),
        (8, 0.46, 0.005),
        (10, 0.60, 0.005),
        (16, 1.09, 0.005),
        (32, 2.6, 0.05),
        (64, 5.9, 0.05),
        (128, 13, 0.5),
        (256, 27, 0.5),
    ],
)
def test_paper_parameters_at_40g(flows: int, percent: float, within: float) -> None:
    assert find_fixed_point(40e9, flows, PAPER) * 100 == pytest.approx(percent, abs=within)


@pytest.mark.parametrize(("speed", "flows", "percent"), [(40e9, 160, 17), (10e9, 80, 33)])
def test_icnp18_where_dcqcn_loses_control_the_ramp_ended_long_before(speed: float, flows: int, percent: float) -> None:
    p = find_fixed_point(speed, flows, PAPER)
    assert p * 100 == pytest.approx(percent, abs=0.5)
    assert find_queue(p, SIGCOMM15) is None


# HPCC's row is printed as 1.94 MB, which is 1935 KB rounded once more.
@pytest.mark.parametrize(
    ("curve", "queue", "within"),
    [
        pytest.param(HPCC_400G, 1935 * KB, 0.5 * KB, id="HPCC"),
        pytest.param(NVIDIA, 169 * KB, 0.5 * KB, id="NVIDIA"),
        pytest.param(CISCO, 718 * KB, 0.5 * KB, id="Cisco"),
        pytest.param(SONIC, 1340 * KB, 5 * KB, id="SONiC"),
        pytest.param(SONIC_TH5, 168 * KB, 0.5 * KB, id="SONiC TH5-O128"),
    ],
)
def test_queue_of_64_flows_at_400g(curve: Curve, queue: float, within: float) -> None:
    assert find_queue(find_fixed_point(400e9, 64, JUMBO), curve) == pytest.approx(queue, abs=within)


def test_azure_nsdi23_two_flows_at_40g_hold_1016_kb() -> None:
    queue = find_queue(find_fixed_point(40e9, 2, PAPER), Curve(1000 * KB, 2000 * KB, 0.05))
    assert queue == pytest.approx(1016 * KB, abs=0.5 * KB)


@pytest.mark.parametrize(
    ("kilobytes", "p"), [(0, 0), (150, 0), (151, 1 / 1350), (825, 0.5), (1500, 1), (1501, 1), (9e9, 1)]
)
def test_marking_of_the_nvidia_curve(kilobytes: float, p: float) -> None:
    assert marking_share(kilobytes * KB, NVIDIA) == pytest.approx(p)


def test_marking_jumps_at_kmax_and_at_a_step() -> None:
    assert marking_share(200 * KB, SIGCOMM15) == pytest.approx(0.01)
    assert marking_share(200 * KB + 1, SIGCOMM15) == 1
    step = Curve(100 * KB, 100 * KB, 0.5)
    assert (marking_share(100 * KB, step), marking_share(100 * KB + 1, step)) == (0, 1)


speeds = st.floats(1e9, 1.6e12)
senders = st.builds(
    PAPER._replace,
    r_ai=st.floats(1e6, 200e6),
    byte_counter=st.floats(1e6, 100e6),
    timer_us=st.floats(20, 300),
    tau_us=st.floats(4, 60),
    tau_alpha_us=st.floats(1, 60),
    f=st.integers(1, 10),
    packet=st.floats(500, 9216),
)


@given(speed=speeds, flows=st.integers(1, MOST_FLOWS // 2), params=senders)
@settings(max_examples=60, deadline=None)
def test_more_flows_need_more_marks(speed: float, flows: int, params: Params) -> None:
    fewer, more = find_fixed_point(speed, flows, params), find_fixed_point(speed, flows * 2, params)
    assert 0 < fewer <= more < 1
    assert fewer < more or fewer > 0.999  # so near to 1 that no float is between


@given(speed=speeds, flows=st.integers(1, MOST_FLOWS), params=senders, pmax=st.floats(0.001, 1))
@settings(max_examples=40, deadline=None)
def test_the_queue_is_on_the_ramp_just_as_long_as_pmax_suffices(
    speed: float, flows: int, params: Params, pmax: float
) -> None:
    assume(pmax <= 0.9999 or pmax == 1)  # between them 1 - pmax has few digits left, and so has 1 - p
    curve = Curve(100 * KB, 400 * KB, pmax)
    p = find_fixed_point(speed, flows, params)
    queue = find_queue(p, curve)
    assert (queue is not None) == (p <= pmax)
    if queue is not None:
        assert curve.kmin <= queue <= curve.kmax
        assert marking_share(queue, curve) == pytest.approx(p)


@given(speed=speeds, flows=st.integers(1, 300), params=senders)
@settings(max_examples=40, deadline=None)
def test_p_solves_the_equation_as_the_paper_prints_it(speed: float, flows: int, params: Params) -> None:
    p = Decimal(find_fixed_point(speed, flows, params))
    assume(p < Decimal("0.99"))  # 1 - p has few digits left beyond
    r_ai, byte_counter, timer_us, tau_us, tau_alpha_us, packet, f = map(
        Decimal,
        (
            params.r_ai,
            params.byte_counter,
            params.timer_us,
            params.tau_us,
            params.tau_alpha_us,
            params.packet,
            params.f,
        ),
    )
    us = Decimal("1e-6")
    rate = Decimal(speed) / (8 * packet) / flows
    with localcontext(prec=60):
        kept = 1 - p
        alpha, a = 1 - kept ** (tau_alpha_us * us * rate), 1 - kept ** (tau_us * us * rate)
        counter, timer = byte_counter / packet, timer_us * us * rate
        b, d = p / (kept**-counter - 1), p / (kept**-timer - 1)
        c, e = b * kept ** (f * counter), d * kept ** (f * timer)
        left, right = alpha * a**2 / ((b + d) * (c + e)), (tau_us * us) ** 2 * r_ai / (8 * packet) * rate
    assert float(left / right) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("flows", [1, 10**3, MOST_FLOWS])
@pytest.mark.parametrize("speed", [1e9, 1.6e12])
def test_extremes_have_a_fixed_point(speed: float, flows: int) -> None:
    assert 0 < find_fixed_point(speed, flows, PAPER) < 1


@pytest.mark.parametrize(
    ("speed", "flows", "params", "words"),
    [
        (0, 2, PAPER, "speed is 0"),
        (float("nan"), 2, PAPER, "speed is nan"),
        (inf, 2, PAPER, "speed is inf"),
        (40e9, 0, PAPER, "flows is 0"),
        (40e9, MOST_FLOWS + 1, PAPER, "flows is 1000001"),
        (40e9, 2, PAPER._replace(packet=0), "packet is 0"),
        (40e9, 2, PAPER._replace(timer_us=-55), "timer_us is -55"),
        (40e9, 2, PAPER._replace(delay_us=-1), "delay_us is -1"),
        (40e9, 2, PAPER._replace(g=2), "g is 2"),
        (40e9, 2, PAPER._replace(r_ai=1e-300), "no marking is rare enough"),
    ],
)
def test_numbers_that_cannot_be_are_refused(speed: float, flows: int, params: Params, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        find_fixed_point(speed, flows, params)
