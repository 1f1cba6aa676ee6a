"""What an incast does to one port's queue: mean, swing, tails, link used and pauses, with marks that fall by chance."""

from __future__ import annotations

from functools import lru_cache
from math import erfc, inf, sqrt

from rocecfg.core.records import NamedTuple
from rocecfg.model import Ecn
from rocecfg.physics import dcqcn
from rocecfg.physics.dcqcn_linear import Noise, find_noise
from rocecfg.physics.dcqcn_random import Run, simulate
from rocecfg.physics.ecn import queue_delay_us

SEEDS = 3  # runs that confirm a prediction
_CROWD = 16  # up to so many senders one run is too much a matter of chance, and three are cheap
_RARE = 1e-6
TAIL = 2.326  # sd from the mean of a normal distribution to its 1 %

MODEL = "DCQCN with marks drawn at random, each sender by itself"
"""Beside every prediction."""

LEFT_OUT = (
    "one bottleneck port, not a path: no second hop, no path selection, no flow that waits elsewhere",
    "a receiver that takes less than its port carries: its pauses hold that port's queue, and marks come late",
    "equal senders with equal round trips, all long: no small messages, no sender that starts or stops",
    "a smooth start at each sender's share of the port: the first burst is shown by itself",
    "PFC beyond its threshold: what it pauses elsewhere, and what other ports take of the buffer",
    "firmware: DCQCN as published unless --nic names a card; no card was measured",
    "marks within 50 us after a CNP are lost; a change holds also where they are answered late, which --confirm shows",
)
"""What the model leaves out, for people."""


class Prediction(NamedTuple):
    """What a curve does to an incast. Sizes in bytes, probabilities and shares 0 to 1."""

    marking: float  # p*, the part of the packets that must be marked
    queue: float | None  # q*, the queue that marks just so many; None: none on the ramp does
    delay_us: float  # that a packet waits behind the mean queue
    mean: float
    sd: float
    low: float  # 1 % of the time the queue is below
    high: float  # 1 % of the time it is above
    empty: float  # share of the time
    beyond: float  # share of the time above kmax
    utilisation: float
    paused: float | None  # share of the time at the depth where PFC pauses; None: that is not known
    margin: float  # least distance of the loop gain from -1; 0 where the loop is unstable or the ramp ends too early
    simulated: bool  # sender by sender; else by the noise around the fixed point
    times_us: tuple[float, ...]  # of a run, to draw; empty where nothing was simulated
    queues: tuple[float, ...]

    @property
    def steady(self) -> bool:
        """Whether the queue stays on the ramp: it neither runs empty nor over kmax for more than 1 % of the time."""
        return self.low > 0 and self.beyond <= 0.01


class Unpredictable(ValueError):
    """The model has no answer; the text says why."""


def physics_curve(curve: Ecn) -> dcqcn.Curve:
    """A curve as physics has it."""
    return dcqcn.Curve(curve.kmin, curve.kmax, curve.pmax / 100)


@lru_cache(maxsize=4096)  # ports of many kinds share curves
def predict(
    speed: int,
    flows: int,
    curve: dcqcn.Curve,
    params: dcqcn.Params,
    pause: float | None = None,
    *,
    confirm: bool = False,
) -> Prediction:
    """What `flows` senders do to a port of `speed` bit/s that PFC pauses at `pause` bytes. Raises Unpredictable.

    Where swings are small the noise around the fixed point tells, in some 20 ms; else, or to `confirm`, senders are
    simulated: `SEEDS` runs whose means these are, but of more than 16 senders one, unless to confirm.
    """
    if curve.kmin > curve.kmax:
        raise Unpredictable("kmin is above kmax, so there is no curve")
    try:
        calm = find_noise(speed, flows, curve, params)
        if calm.small and not confirm:
            return _predict_by_noise(calm, speed, curve, pause)
        seeds = range(1, SEEDS + 1) if confirm or flows <= _CROWD else (1,)
        runs = [simulate(speed, flows, curve, params, seed=seed, pause=pause or inf) for seed in seeds]
    except ValueError as error:
        raise Unpredictable(str(error)) from error
    return _predict_by_runs(runs, calm, speed, pause)


def _predict_by_noise(calm: Noise, speed: int, curve: dcqcn.Curve, pause: float | None) -> Prediction:
    mean, sd = calm.queue, calm.sd
    assert mean is not None
    assert sd is not None
    return Prediction(
        calm.marking,
        mean,
        queue_delay_us(mean, speed),
        mean,
        sd,
        max(mean - TAIL * sd, 0.0),
        mean + TAIL * sd,
        _share_beyond(mean / sd),
        _share_beyond((curve.kmax - mean) / sd),
        1.0,
        _share_beyond((pause - mean) / sd) if pause is not None else None,
        calm.margin,
        simulated=False,
        times_us=(),
        queues=(),
    )


def _share_beyond(deviations: float) -> float:
    """The share of a normal distribution beyond so many standard deviations; 0 where no queue is so normal."""
    share = erfc(deviations / sqrt(2)) / 2
    return share if share >= _RARE else 0.0


def _predict_by_runs(runs: list[Run], calm: Noise, speed: int, pause: float | None) -> Prediction:
    def mean(field: str) -> float:
        total: float = sum(getattr(run, field) for run in runs)
        return total / len(runs)

    first = runs[0]
    return Prediction(
        calm.marking,
        calm.queue,
        queue_delay_us(mean("mean"), speed),
        mean("mean"),
        mean("sd"),
        mean("low"),
        mean("high"),
        mean("empty"),
        mean("beyond"),
        mean("utilisation"),
        mean("paused") if pause is not None else None,
        calm.margin,
        simulated=True,
        times_us=first.times_us,
        queues=first.queues,
    )


def first_burst(speed: int, flows: int, delay_us: float) -> float:
    """What senders at line rate put into the queue before the first of them can slow down: bytes.

    `(N - 1) * S * delay / 8`, with the time from a mark to the cut of the rate.
    """
    return (flows - 1) * speed * delay_us / 8e6
