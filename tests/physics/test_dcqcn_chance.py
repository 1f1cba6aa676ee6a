"""DCQCN with chance in its marks: noise around the fixed point, and senders one by one."""

from __future__ import annotations

from math import inf

import pytest
from fixed_point import find_fixed_point

from rocecfg.physics.dcqcn import MOST_FLOWS, PAPER, Curve, Params
from rocecfg.physics.dcqcn_linear import find_noise, most_senders, needed_marking
from rocecfg.physics.dcqcn_random import MOST_SENDERS, simulate

KB = 1e3
JUMBO = PAPER._replace(packet=4160)
NVIDIA = Curve(150 * KB, 1500 * KB, 1)
SHORT = Curve(400 * KB, 1400 * KB, 0.2)
SHALLOW = Curve(737.28 * KB, 1462.272 * KB, 0.03)
FIRMWARE = PAPER._replace(g=5 / 1024, tau_alpha_us=1, tau_us=4, byte_counter=32_767, timer_us=300, f=1, r_hai=50e6)


def test_the_curve_that_settles_in_a_fluid_swings_from_empty_to_beyond_kmax_with_chance() -> None:
    # packets: 391 +- 518 KB, 0 to 1.65 MB; the fluid rests at 1.07 MB
    calm = find_noise(400e9, 48, SHALLOW, JUMBO)
    assert not calm.small
    run = simulate(400e9, 48, SHALLOW, JUMBO)
    assert run.mean == pytest.approx(391 * KB, rel=0.15)
    assert run.sd == pytest.approx(518 * KB, rel=0.15)
    assert run.low == 0
    assert run.high > SHALLOW.kmax
    assert run.utilisation == pytest.approx(0.98, abs=0.01)


def test_the_curve_that_swings_in_a_fluid_rests_with_chance() -> None:
    # packets: 463 +- 45 KB
    calm = find_noise(400e9, 48, SHORT, JUMBO)
    assert calm.queue == pytest.approx(463 * KB, rel=0.02)
    assert calm.sd == pytest.approx(45 * KB, rel=0.15)
    run = simulate(400e9, 48, SHORT, JUMBO)
    assert run.mean == pytest.approx(463 * KB, rel=0.02)
    assert run.sd == pytest.approx(45 * KB, rel=0.25)
    assert (run.empty, run.beyond) == (0, 0)
    assert run.utilisation == pytest.approx(1, abs=1e-4)


@pytest.mark.parametrize(
    ("speed", "flows", "curve", "params"),
    [
        (400e9, 16, Curve(950 * KB, 3000 * KB, 0.07), JUMBO),
        (800e9, 48, Curve(1048.576 * KB, 2097.152 * KB, 0.05), JUMBO),
        (100e9, 16, Curve(508 * KB, 2540 * KB, 0.2), PAPER._replace(packet=1024, delay_us=10)),
        (400e9, 32, Curve(1600 * KB, 6400 * KB, 0.2), PAPER._replace(packet=2048, delay_us=20)),
    ],
)
def test_where_swings_are_small_both_models_agree(speed: float, flows: int, curve: Curve, params: Params) -> None:
    calm, run = find_noise(speed, flows, curve, params), simulate(speed, flows, curve, params)
    assert calm.small
    assert run.mean == pytest.approx(calm.queue, rel=0.02)
    assert run.sd == pytest.approx(calm.sd, rel=0.35)


def test_a_longer_ramp_has_a_margin_and_a_shorter_one_is_unstable() -> None:
    margins = [find_noise(400e9, 16, Curve(200 * KB, top * KB, 0.2), JUMBO).margin for top in (400, 2000, 8000)]
    assert margins[0] == 0
    assert margins[0] <= margins[1] < margins[2]


def test_a_ramp_that_ends_too_early_and_a_step_have_no_small_swings() -> None:
    for curve in (Curve(5 * KB, 200 * KB, 0.01), Curve(400 * KB, 400 * KB, 1)):
        calm = find_noise(400e9, 256, curve, JUMBO)
        assert (calm.queue, calm.sd, calm.small) == (None, None, False)
    run = simulate(40e9, 10, Curve(100 * KB, 100 * KB, 1), PAPER, seconds=0.05)
    assert run.low < 100 * KB < run.high


@pytest.mark.parametrize(
    ("pmax", "holds", "leaves"), [(0.05, 128, 256), (0.07, 128, 256), (0.2, 256, 512), (1, MOST_FLOWS, None)]
)
def test_senders_that_stay_on_the_ramp_at_400g(pmax: float, holds: int, leaves: int | None) -> None:
    most = most_senders(400e9, pmax, JUMBO)
    assert holds <= most
    assert leaves is None or most < leaves


@pytest.mark.parametrize("speed", [1e9, 40e9, 1.6e12])
@pytest.mark.parametrize("pmax", [1e-4, 0.01, 0.2, 0.999])
def test_one_sender_more_than_the_ramp_holds_needs_more_than_pmax(speed: float, pmax: float) -> None:
    most = most_senders(speed, pmax, PAPER)
    assert most == 0 or needed_marking(speed, most, PAPER) <= pmax
    assert needed_marking(speed, most + 1, PAPER) > pmax


@pytest.mark.parametrize("speed", [1e9, 40e9, 1.6e12])
def test_senders_cut_one_by_one_need_more_marks_than_a_fluid(speed: float) -> None:
    for flows in (1, 10, 1000, MOST_FLOWS):
        needed = needed_marking(speed, flows, PAPER)
        assert find_fixed_point(speed, flows, PAPER) <= needed <= min(1.4 * find_fixed_point(speed, flows, PAPER), 1)


def test_a_queue_that_never_marks_on_a_ramp_holds_no_sender() -> None:
    assert most_senders(40e9, 0, PAPER) == 0
    assert most_senders(10e9, 1e-6, PAPER) == 0


@pytest.mark.parametrize("pmax", [-0.1, 5, float("nan")])
def test_a_pmax_that_is_no_probability_is_refused(pmax: float) -> None:
    with pytest.raises(ValueError, match="pmax is"):
        most_senders(40e9, pmax, PAPER)


def test_one_sender_at_line_rate_has_no_queue() -> None:
    run = simulate(100e9, 1, NVIDIA, PAPER, seconds=0.02)
    assert run.high < 10 * PAPER.packet
    assert run.utilisation > 0.99


def test_a_queue_that_pfc_holds_is_as_long_as_pfc_lets_it() -> None:
    free, held = (simulate(400e9, 48, SHALLOW, JUMBO, seconds=0.05, pause=pause) for pause in (inf, 1000 * KB))
    assert (free.paused, free.pauses) == (0, 0)
    assert free.high > 1000 * KB
    assert held.high == 1000 * KB
    assert held.paused > 0.05
    assert held.pauses > 5


@pytest.mark.parametrize("params", [PAPER, FIRMWARE], ids=["paper", "firmware"])
@pytest.mark.parametrize(("speed", "flows"), [(1e9, 1), (1.6e12, 1), (1.6e12, 64), (10e9, MOST_SENDERS)])
def test_no_queue_below_0_and_no_more_than_the_link_is_used(speed: float, flows: int, params: Params) -> None:
    run = simulate(speed, flows, NVIDIA, params, seconds=0.01, samples=50)
    assert min(run.queues) >= 0
    assert 0 <= run.utilisation <= 1
    assert run.low <= run.mean <= run.high
    assert len(run.times_us) == len(run.queues) == 50


def test_the_same_seed_gives_the_same_run_and_another_another() -> None:
    one, same, other = (simulate(40e9, 4, NVIDIA, PAPER, seconds=0.02, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


@pytest.mark.parametrize(
    ("flows", "curve", "seconds", "words"),
    [
        (MOST_SENDERS + 1, NVIDIA, 0.1, "at most 512"),
        (0, NVIDIA, 0.1, "flows is 0"),
        (2, Curve(2, 1, 0.1), 0.1, "no marking curve"),
        (2, Curve(1, 2, 1.5), 0.1, "no marking curve"),
        (2, NVIDIA, 0.001, "at least 0.01 s"),
        (2, NVIDIA, inf, "at least 0.01 s"),
    ],
)
def test_runs_that_cannot_be_are_refused(flows: int, curve: Curve, seconds: float, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        simulate(40e9, flows, curve, PAPER, seconds=seconds)
