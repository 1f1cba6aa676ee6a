"""DCQCN on paths of several queues: what must hold whatever packets say."""

from __future__ import annotations

import pytest

from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.physics.dcqcn_network import LinkQueue, SenderGroup, simulate
from rocecfg.physics.dcqcn_random import simulate as one_queue

KB = 1e3
JUMBO = PAPER._replace(packet=4096)
CURVE = Curve(120 * KB, 380 * KB, 0.2)
PORT = LinkQueue(400e9, CURVE)


def test_one_queue_is_as_the_model_of_one_has_it() -> None:
    (found,), (rate,) = simulate([PORT], [SenderGroup(32, 400e9, (0,))], JUMBO, seconds=0.1)
    alone = one_queue(400e9, 32, CURVE, JUMBO, seconds=0.1)
    assert found.mean == pytest.approx(alone.mean, rel=0.1)
    assert found.sd == pytest.approx(alone.sd, rel=0.1)
    assert found.utilisation == pytest.approx(alone.utilisation, abs=0.002)
    assert found.high == pytest.approx(alone.high, rel=0.1)
    assert rate == pytest.approx(400e9, rel=0.005)


def test_what_one_link_lets_through_makes_no_queue_at_the_next_of_its_speed() -> None:
    first, second = simulate([PORT, PORT], [SenderGroup(8, 400e9, (0, 1))], JUMBO, seconds=0.03).queues
    assert first.mean > 20 * KB
    assert second == (0, 0, 0, 0, 1, 0, pytest.approx(first.utilisation, abs=0.01))


def test_at_a_slower_link_behind_it_does() -> None:
    first, second = simulate(
        [PORT, LinkQueue(300e9, CURVE)], [SenderGroup(8, 400e9, (0, 1))], JUMBO, seconds=0.03
    ).queues
    assert first.mean < 10 * KB  # senders have slowed down
    assert second.mean > 20 * KB


def test_senders_below_what_a_link_carries_keep_their_rate() -> None:
    queues, rates = simulate([PORT], [SenderGroup(8, 25e9, (0,)), SenderGroup(4, 30e9, (0,))], JUMBO, seconds=0.02)
    assert rates == (pytest.approx(200e9), pytest.approx(120e9))
    assert (queues[0].mean, queues[0].utilisation) == (0, pytest.approx(0.8))


def test_links_in_a_circle_carry_no_more_than_they_can() -> None:
    ring = [SenderGroup(4, 400e9, (n, (n + 1) % 3)) for n in range(3)]
    found = simulate([PORT] * 3, ring, JUMBO, seconds=0.06)
    for n in range(3):
        assert found.rates[n] + found.rates[n - 1] == pytest.approx(found.queues[n].utilisation * 400e9, rel=0.01)
        assert found.queues[n].utilisation > 0.99


def test_beyond_kmax_all_is_marked_and_the_queue_comes_down() -> None:
    steep = LinkQueue(400e9, Curve(20 * KB, 20 * KB, 1))
    found = simulate(
        [steep, steep], [SenderGroup(16, 400e9, (0, 1)), SenderGroup(16, 400e9, (1,))], JUMBO, seconds=0.04
    )
    assert found.queues[1].beyond > 0.01
    assert found.queues[1].mean < 100 * KB


def test_the_same_seed_is_the_same_run() -> None:
    lot = [SenderGroup(4, 400e9, path) for path in ((0, 1), (0,), (1,))]
    one, same, other = (simulate([PORT] * 2, lot, JUMBO, seconds=0.02, seed=seed) for seed in (1, 1, 2))
    assert one == same != other


@pytest.mark.parametrize(
    ("groups", "curve", "seconds", "why"),
    [
        ([], CURVE, 0.1, "no senders"),
        ([SenderGroup(4, 400e9, ())], CURVE, 0.1, "is empty, or crosses a queue twice"),
        ([SenderGroup(4, 400e9, (0, 0))], CURVE, 0.1, "is empty, or crosses a queue twice"),
        ([SenderGroup(4, 400e9, (0, 1))], CURVE, 0.1, "crosses a queue that there is not"),
        ([SenderGroup(300, 400e9, (0,)), SenderGroup(300, 400e9, (0,))], CURVE, 0.1, "600 senders: at most 512"),
        ([SenderGroup(0, 400e9, (0,))], CURVE, 0.1, "flows is 0"),
        ([SenderGroup(4, 0, (0,))], CURVE, 0.1, "speed is 0"),
        ([SenderGroup(4, 400e9, (0,))], Curve(2, 1, 1), 0.1, "marking curve"),
        ([SenderGroup(4, 400e9, (0,))], CURVE, 0.001, "at least 0.01 s"),
    ],
)
def test_what_cannot_be_is_refused(groups: list[SenderGroup], curve: Curve, seconds: float, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        simulate([LinkQueue(400e9, curve)], groups, JUMBO, seconds=seconds)
