"""Which of two marking curves serves an incast better, and by which figures; or that nobody can tell."""

from __future__ import annotations

from rocecfg.advice.predict import Prediction
from rocecfg.advice.wording import show_about, show_share
from rocecfg.core.records import NamedTuple

SD_NOISE = 1.5
"""Standard deviations that differ by less are taken for equal: as well as the model knows them."""
USED_GAIN, USED_LOSS = 0.02, 0.003
"""A gain of the link's use counts beyond the model's error; a loss counts sooner, since nobody asked for it."""
LEAST_MARGIN = 0.1
"""A queue that rests with less may as well swing: packets rest and swing there by the seed."""


class CurveVerdict(NamedTuple):
    """Whether another curve is to be set, and the sentence that says why, with figures."""

    change: bool
    why: str


def compare_predictions(now: Prediction, other: Prediction, held_now: int, held: int) -> CurveVerdict:
    """Whether `other` is better than what is `now`. `held_now` and `held`: most senders whose queue stays on the ramp.

    Better is a queue that swings less, or a link that is used more. A queue that stays on its ramp is not made longer
    only to swing less: packets would wait for nothing. What lowers steadiness, the use of the link or the
    number of senders held beyond the model's error is not advised, whatever else it brings.
    """
    figures = f"the queue is {_describe_queue(now)} now and would be {_describe_queue(other)}"
    used = other.utilisation - now.utilisation
    worse = describe_loss(now, other)
    if worse:
        return CurveVerdict(change=False, why=f"{figures}: {worse}")
    if held < held_now:
        return CurveVerdict(
            change=False, why=f"{figures}, but pmax would hold {held} senders on the ramp, not {held_now}"
        )
    if other.steady and other.margin < LEAST_MARGIN:
        return CurveVerdict(change=False, why=f"{figures}, but on the edge of swinging itself")
    if other.sd * SD_NOISE < now.sd and now.steady and other.mean > now.mean:
        return CurveVerdict(
            change=False, why=f"{figures}: it would swing less, but packets would wait longer behind it"
        )
    if other.sd * SD_NOISE < now.sd:
        return CurveVerdict(change=True, why=f"{figures}: it swings less")
    if used > USED_GAIN:
        return CurveVerdict(change=True, why=f"{figures}: more of the link is used")
    return CurveVerdict(change=False, why=f"{figures}: no difference within the model's error")


def describe_loss(now: Prediction, other: Prediction) -> str:
    """What of the link's use or of steadiness would get worse beyond the model's error; empty where nothing would."""
    if other.utilisation - now.utilisation < -USED_LOSS:
        return "less of the link would be used"
    if other.sd > now.sd * SD_NOISE:
        return "it would swing more"
    return ""


def describe_late_loss(now: Prediction, other: Prediction) -> str:
    """Why a change is not advised that is a loss with senders that answer late; empty where it is none."""
    worse = describe_loss(now, other)
    if not worse:
        return ""
    return (
        f"{worse} if receivers answer a mark soon after a CNP late, instead of not at all: "
        f"{_describe_queue(now)} now, {_describe_queue(other)} then"
    )


def _describe_queue(of: Prediction) -> str:
    return f"{show_about(of.mean)} with sd {show_about(of.sd)}, link {show_share(of.utilisation)} used"
