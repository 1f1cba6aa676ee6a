"""DCQCN: the fixed points and swings of the papers, and what must hold for all senders."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import inf

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rocecfg.physics.dcqcn import (
    MOST_FLOWS,
    PAPER,
    Curve,
    Params,
    Simulation,
    fixed_point,
    largest_incast,
    marking,
    queue_at,
    simulate,
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


def still(run: Simulation) -> bool:
    """Whether the queue of the fluid moved by no more than a twentieth of its mean."""
    return run.high - run.low <= run.mean / 20


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
    assert fixed_point(40e9, flows, PAPER) * 100 == pytest.approx(percent, abs=within)


@pytest.mark.parametrize(("speed", "flows", "percent"), [(40e9, 160, 17), (10e9, 80, 33)])
def test_icnp18_where_dcqcn_loses_control_the_ramp_ended_long_before(speed: float, flows: int, percent: float) -> None:
    p = fixed_point(speed, flows, PAPER)
    assert p * 100 == pytest.approx(percent, abs=0.5)
    assert queue_at(p, SIGCOMM15) is None


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
    assert queue_at(fixed_point(400e9, 64, JUMBO), curve) == pytest.approx(queue, abs=within)


def test_azure_nsdi23_two_flows_at_40g_hold_1016_kb() -> None:
    queue = queue_at(fixed_point(40e9, 2, PAPER), Curve(1000 * KB, 2000 * KB, 0.05))
    assert queue == pytest.approx(1016 * KB, abs=0.5 * KB)


@pytest.mark.parametrize(
    ("pmax", "holds", "leaves"),
    [(0.05, 128, 256), (0.07, 128, 256), (0.2, 512, 1024), (1, MOST_FLOWS, None)],
)
def test_flows_that_stay_on_the_ramp_at_400g(pmax: float, holds: int, leaves: int | None) -> None:
    most = largest_incast(400e9, pmax, JUMBO)
    assert holds <= most
    assert leaves is None or most < leaves


def test_pmax_of_1_percent_at_40g_leaves_the_ramp_at_15_flows() -> None:
    assert largest_incast(40e9, 0.01, PAPER) == 14
    assert fixed_point(40e9, 14, PAPER) <= 0.01 < fixed_point(40e9, 15, PAPER)


@pytest.mark.parametrize("pmax", [0.00495, 0.005, 0.0051, 0.0053, 0.02])
def test_most_flows_where_p_first_falls_and_then_rises(pmax: float) -> None:
    short_counter = JUMBO._replace(byte_counter=32_767, timer_us=55, tau_alpha_us=1, r_ai=5e6)
    needed = [fixed_point(1.6e12, flows, short_counter) for flows in range(1, 201)]
    assert needed[0] > needed[1] < needed[2] < needed[-1]
    most = max((flows for flows, p in enumerate(needed, 1) if p <= pmax), default=0)
    assert largest_incast(1.6e12, pmax, short_counter) == most


def test_a_queue_that_never_marks_on_a_ramp_holds_no_flow() -> None:
    assert largest_incast(40e9, 0, PAPER) == 0
    assert largest_incast(10e9, 1e-6, PAPER) == 0


@pytest.mark.parametrize(("flows", "queue"), [(2, 20.2), (4, 41.8), (10, 122.6)])
@pytest.mark.parametrize("pause", [None, inf], ids=["from the share", "from line rate"])
def test_sigcomm15_curve_rests_at_the_fixed_point(flows: int, queue: float, pause: float | None) -> None:
    run = simulate(40e9, flows, SIGCOMM15, PAPER, pause=pause)
    assert still(run)
    assert run.mean == pytest.approx(queue * KB, abs=0.05 * KB)
    assert run.mean == pytest.approx(queue_at(fixed_point(40e9, flows, PAPER), SIGCOMM15), abs=0.1 * KB)
    assert run.rates[-1] == pytest.approx(40e9 / flows, rel=1e-3)
    assert run.utilisation == pytest.approx(1, abs=1e-6)


def test_sigcomm15_curve_swings_from_0_to_247_kb_with_16_flows() -> None:
    run = simulate(40e9, 16, SIGCOMM15, PAPER)
    assert run.low == 0
    assert run.high == pytest.approx(247 * KB, abs=0.5 * KB)
    assert 0.9 < run.utilisation < 0.99  # the link idles whenever the queue is empty


@pytest.mark.parametrize("pause", [None, inf], ids=["from the share", "from line rate"])
def test_conext16_2_flows_are_steady_at_20_kb(pause: float | None) -> None:
    run = simulate(40e9, 2, CONEXT16, CONEXT16_SENDERS, pause=pause)
    assert still(run)
    assert run.mean == pytest.approx(20 * KB, abs=0.5 * KB)


@pytest.mark.parametrize("pause", [None, inf], ids=["from the share", "from line rate"])
def test_conext16_10_flows_swing_from_0_to_272_kb(pause: float | None) -> None:
    run = simulate(40e9, 10, CONEXT16, CONEXT16_SENDERS, pause=pause)
    assert run.low == 0
    assert run.high == pytest.approx(272 * KB, abs=1 * KB)


@pytest.mark.parametrize("pause", [None, inf], ids=["from the share", "from line rate"])
def test_conext16_64_flows_are_steady_at_1156_kb(pause: float | None) -> None:
    run = simulate(40e9, 64, CONEXT16, CONEXT16_SENDERS, pause=pause)
    assert still(run)
    assert run.mean == pytest.approx(1156.5 * KB, abs=0.5 * KB)


def test_swings_that_die_down_do_so_at_any_step() -> None:
    def swing(step_us: float) -> float:
        run = simulate(40e9, 2, CONEXT16, CONEXT16_SENDERS, seconds=0.1, step_us=step_us)
        return run.high - run.low

    assert swing(1) == pytest.approx(swing(0.5), rel=0.1)


def test_a_byte_counter_that_runs_out_within_a_step_swings_as_with_short_steps() -> None:
    hasty = PAPER._replace(byte_counter=5000)
    coarse, fine = (
        simulate(1.6e12, 2, NVIDIA, hasty, seconds=0.01, step_us=step_us, samples=100) for step_us in (1, 0.2)
    )
    assert coarse.high == pytest.approx(fine.high, rel=0.05)
    assert coarse.utilisation == pytest.approx(fine.utilisation, abs=0.01)


def test_an_empty_queue_may_be_that_of_an_idle_link() -> None:
    slow = PAPER._replace(g=5 / 1024, tau_alpha_us=1, tau_us=4, r_ai=5e6)
    run = simulate(1.6e12, 2, NVIDIA, slow, seconds=0.01, samples=100)
    assert (run.low, run.high) == (0, 0)  # the senders are still recovering from the first cut
    assert run.utilisation < 0.9


def test_one_flow_at_line_rate_has_no_queue() -> None:
    run = simulate(100e9, 1, NVIDIA, PAPER, seconds=0.01, samples=100, pause=inf)
    assert run.high == 0
    assert run.rates[-1] == pytest.approx(100e9)
    assert run.utilisation == pytest.approx(1)


def test_a_burst_starts_swings_that_a_smooth_start_does_not() -> None:
    smooth = simulate(400e9, 8, HPCC_400G, JUMBO)
    burst = simulate(400e9, 8, HPCC_400G, JUMBO, pause=5e6)
    assert still(smooth)
    assert smooth.mean == pytest.approx(queue_at(fixed_point(400e9, 8, JUMBO), HPCC_400G), rel=1e-3)
    assert burst.low == 0
    assert max(burst.queues) <= 5e6


def test_a_queue_that_pfc_holds_is_as_long_as_pfc_lets_it() -> None:
    pause = 1000 * KB  # below kmin: nothing is ever marked
    run = simulate(400e9, 8, HPCC_400G, JUMBO, seconds=0.02, samples=100, pause=pause)
    assert run.low == run.high == pause
    assert run.utilisation == 1


def test_a_step_is_swung_about() -> None:
    run = simulate(40e9, 10, Curve(100 * KB, 100 * KB, 1), PAPER, seconds=0.1)
    assert run.low < 100 * KB < run.high


def test_samples_are_even_and_span_the_time() -> None:
    run = simulate(40e9, 2, SIGCOMM15, PAPER, seconds=0.001, step_us=2, samples=11)
    assert run.times_us == pytest.approx([100 * n for n in range(11)])
    assert len(run.queues) == len(run.rates) == 11
    assert (run.queues[0], run.rates[0]) == (0, 20e9)
    assert simulate(40e9, 2, SIGCOMM15, PAPER, seconds=0.001, samples=11, pause=inf).rates[0] == 40e9


@pytest.mark.parametrize(("speed", "flows"), [(1e9, 1), (1.6e12, 1), (1.6e12, 300), (10e9, 1000)])
def test_no_queue_below_0_and_no_rate_above_the_line(speed: float, flows: int) -> None:
    firmware = PAPER._replace(g=5 / 1024, tau_alpha_us=1, tau_us=4, byte_counter=32_767)
    for params in (PAPER, firmware):
        run = simulate(speed, flows, NVIDIA, params, seconds=0.02, samples=200, pause=inf)
        assert min(run.queues) >= 0
        assert 0 < min(run.rates) <= max(run.rates) <= speed * (1 + 1e-9)
        assert 0 <= run.utilisation <= 1


@pytest.mark.parametrize(
    ("kilobytes", "p"), [(0, 0), (150, 0), (151, 1 / 1350), (825, 0.5), (1500, 1), (1501, 1), (9e9, 1)]
)
def test_marking_of_the_nvidia_curve(kilobytes: float, p: float) -> None:
    assert marking(kilobytes * KB, NVIDIA) == pytest.approx(p)


def test_marking_jumps_at_kmax_and_at_a_step() -> None:
    assert marking(200 * KB, SIGCOMM15) == pytest.approx(0.01)
    assert marking(200 * KB + 1, SIGCOMM15) == 1
    step = Curve(100 * KB, 100 * KB, 0.5)
    assert (marking(100 * KB, step), marking(100 * KB + 1, step)) == (0, 1)


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
    fewer, more = fixed_point(speed, flows, params), fixed_point(speed, flows * 2, params)
    assert 0 < fewer <= more < 1
    assert fewer < more or fewer > 0.999  # so near to 1 that no float is between


@given(speed=speeds, flows=st.integers(1, MOST_FLOWS), params=senders, pmax=st.floats(0.001, 1))
@settings(max_examples=40, deadline=None)
def test_the_queue_is_on_the_ramp_just_as_long_as_the_flows_are_few_enough(
    speed: float, flows: int, params: Params, pmax: float
) -> None:
    assume(pmax <= 0.9999 or pmax == 1)  # between them 1 - pmax has few digits left, and so has 1 - p
    curve = Curve(100 * KB, 400 * KB, pmax)
    p = fixed_point(speed, flows, params)
    queue = queue_at(p, curve)
    assert (queue is not None) == (flows <= largest_incast(speed, pmax, params))
    if queue is not None:
        assert curve.kmin <= queue <= curve.kmax
        assert marking(queue, curve) == pytest.approx(p)


@given(speed=speeds, flows=st.integers(1, 300), params=senders)
@settings(max_examples=40, deadline=None)
def test_p_solves_the_equation_as_the_paper_prints_it(speed: float, flows: int, params: Params) -> None:
    p = Decimal(fixed_point(speed, flows, params))
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
    assert 0 < fixed_point(speed, flows, PAPER) < 1


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
        fixed_point(speed, flows, params)


@pytest.mark.parametrize("pmax", [-0.1, 5, float("nan")])
def test_a_pmax_that_is_no_probability_is_refused(pmax: float) -> None:
    with pytest.raises(ValueError, match="pmax is"):
        largest_incast(40e9, pmax, PAPER)


@pytest.mark.parametrize(
    ("curve", "wrong", "words"),
    [
        (Curve(200 * KB, 5 * KB, 0.01), {}, "no marking curve"),
        (Curve(5 * KB, 200 * KB, 1.5), {}, "no marking curve"),
        (SIGCOMM15, {"step_us": 0}, "0 steps"),
        (SIGCOMM15, {"step_us": 60}, "step_us is 60"),
        (SIGCOMM15, {"seconds": 1e-5}, "400 samples in 10 steps"),
        (SIGCOMM15, {"seconds": float("nan")}, "0 steps"),
        (SIGCOMM15, {"samples": 2}, "2 samples"),
        (SIGCOMM15, {"pause": 0}, "pause is 0"),
    ],
)
def test_runs_that_cannot_be_are_refused(curve: Curve, wrong: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        simulate(40e9, 2, curve, PAPER, **wrong)  # type: ignore[arg-type]
