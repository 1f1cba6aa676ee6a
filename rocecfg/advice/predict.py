"""What the fluid model of DCQCN predicts for an incast on one port: the marking it needs, and its queue in time."""

from __future__ import annotations

from functools import lru_cache

from rocecfg.core.records import NamedTuple
from rocecfg.model import Ecn
from rocecfg.physics import dcqcn
from rocecfg.physics.ecn import queue_delay_us

_SAMPLES = 1200  # as many as a drawing is wide: what swings within a millisecond is to be seen

CAVEAT = "a fluid model; it cannot tell whether this settles"
"""Beside every prediction: packets, which are marked by chance, reverse what a fluid does."""

LEFT_OUT = (
    "one bottleneck port, not a path: no second hop, no path selection, no flow that waits elsewhere",
    "equal senders with equal round trips, all long: no small messages, no sender that starts or stops",
    "a smooth start at each sender's share of the port: the first burst is shown by itself, not in the time course",
    "PFC: nothing is paused, the buffer never ends, and no other port competes for it",
    "a fluid: no packets, so no jitter and no chance in marking: with them what swings may rest, what rests may swing",
    "firmware: DCQCN has the parameters of its papers, and cards differ (ConnectX: alpha every 1 us, cuts every 4 us)",
)
"""What the model leaves out, for people."""


class Prediction(NamedTuple):
    """What a curve does to an incast. Sizes in bytes, times in us, probabilities and shares 0 to 1."""

    marking: float  # p*, the part of the packets that must be marked
    queue: float | None  # q*, the queue that marks just so many; None: none on the ramp does
    delay_us: float | None  # that a packet waits behind q*
    low: float  # in the simulation, as all below
    high: float
    mean: float
    utilisation: float
    times_us: tuple[float, ...]
    queues: tuple[float, ...]


class Unpredictable(ValueError):
    """The model has no answer; the text says why."""


def ramp(curve: Ecn) -> dcqcn.Curve:
    """A curve as physics has it."""
    return dcqcn.Curve(curve.kmin, curve.kmax, curve.pmax / 100)


@lru_cache(maxsize=4096)  # ports of many kinds share curves
def predict(speed: int, flows: int, curve: dcqcn.Curve, params: dcqcn.Params) -> Prediction:
    """What `flows` senders do to a port of `speed` bit/s. Raises Unpredictable."""
    if curve.kmin > curve.kmax:
        raise Unpredictable("kmin is above kmax, so there is no curve")
    try:
        marking = dcqcn.fixed_point(speed, flows, params)
        run = dcqcn.simulate(speed, flows, curve, params, samples=_SAMPLES)
    except ValueError as error:
        raise Unpredictable(str(error)) from error
    queue = dcqcn.queue_at(marking, curve)
    delay = queue_delay_us(queue, speed) if queue is not None else None
    return Prediction(
        marking,
        queue,
        delay,
        run.low,
        run.high,
        run.mean,
        run.utilisation,
        run.times_us,
        run.queues,
    )


def burst(speed: int, flows: int, delay_us: float) -> float:
    """What senders at line rate put into the queue before the first of them can slow down: bytes.

    `(N - 1) * S * delay / 8`, with the time from a mark to the cut of the rate.
    """
    return (flows - 1) * speed * delay_us / 8e6
