"""Which of two curves is advised: each gain and each loss by itself."""

from __future__ import annotations

import pytest

from rocecfg.advice.compare import CurveVerdict, compare_predictions
from rocecfg.advice.predict import Prediction

KB = 1e3
STEADY = Prediction(
    marking=0.01,
    queue=463 * KB,
    delay_us=9.0,
    mean=463 * KB,
    sd=45 * KB,
    low=358 * KB,
    high=568 * KB,
    empty=0.0,
    beyond=0.0,
    utilisation=1.0,
    paused=0.0,
    margin=0.3,
    simulated=False,
    times_us=(),
    queues=(),
)
SWINGING = STEADY._replace(mean=391 * KB, sd=518 * KB, low=0.0, high=1600 * KB, beyond=0.07, utilisation=0.98)


def verdict(now: Prediction, other: Prediction, held_now: int = 100, held: int = 100) -> CurveVerdict:
    return compare_predictions(now, other, held_now, held)


def test_a_queue_that_swings_gives_way_to_one_that_rests() -> None:
    reported = verdict(SWINGING, STEADY)
    assert reported.change
    assert "391.0KB with sd 518.0KB" in reported.why  # in one sentence, with figures
    assert "463.0KB with sd 45.0KB" in reported.why


@pytest.mark.parametrize(
    ("now", "other", "held", "words"),
    [
        (STEADY, SWINGING, 100, "less of the link would be used"),
        (STEADY, SWINGING._replace(utilisation=1.0), 100, "it would swing more"),
        (SWINGING, STEADY, 99, "pmax would hold 99 senders on the ramp, not 100"),
        (STEADY, STEADY._replace(sd=60 * KB), 100, "no difference within the model's error"),
        (STEADY, STEADY._replace(sd=35 * KB, utilisation=0.999), 100, "no difference within the model's error"),
        (SWINGING, STEADY._replace(margin=0.08), 100, "on the edge of swinging"),
        (STEADY, STEADY._replace(sd=20 * KB, mean=900 * KB), 100, "packets would wait longer"),
    ],
)
def test_nothing_is_advised_that_loses_or_that_the_model_cannot_tell(
    now: Prediction, other: Prediction, held: int, words: str
) -> None:
    reported = verdict(now, other, held=held)
    assert not reported.change
    assert words in reported.why


def test_a_link_that_idles_is_reason_enough() -> None:
    idle = STEADY._replace(utilisation=0.95)
    assert verdict(idle, STEADY).change
    assert not verdict(idle._replace(utilisation=0.985), STEADY).change  # within the model's error
