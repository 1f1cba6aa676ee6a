"""DCQCN: its parameters, and how a switch marks.

Rates and speeds are bit/s, sizes bytes, probabilities 0 to 1; times are us where a name says so. `flows` senders share
one link of `speed` and all behave alike.

Source: DCQCN, SIGCOMM'15, section 5, and "ECN or Delay", CoNEXT'16, section 3.
"""

# Annotations are types here, not text as elsewhere: NamedTuple compiles text, which takes longer than all the rest.
from math import isfinite
from typing import NamedTuple

MOST_FLOWS = 1_000_000


class Params(NamedTuple):
    """What the senders' NICs do."""

    g: float  # weight of the newest sample in alpha
    r_ai: float  # additive increase, bit/s
    byte_counter: float  # a rate rises after so many bytes (B)
    timer_us: float  # and after so much time (T)
    tau_us: float  # at most one CNP, and so one cut of the rate, in that time (tau)
    tau_alpha_us: float  # alpha falls after that time without a CNP (tau')
    f: int  # fast recovery ends after so many of either event (F)
    delay_us: float  # from a mark to the cut of the rate (tau*)
    packet: float  # bytes
    r_hai: float = 0.0  # hyper increase, bit/s; 0: there is none
    least: float = 1e6  # bit/s that a sender keeps
    late: bool = False  # a mark within tau after a CNP is answered at the end of tau; else it is lost


class Curve(NamedTuple):
    """The marking of a queue."""

    kmin: float  # bytes
    kmax: float  # bytes
    pmax: float  # 0 to 1: just below kmax


PAPER = Params(
    g=1 / 256,
    r_ai=40e6,
    byte_counter=10_000_000,
    timer_us=55,
    tau_us=50,
    tau_alpha_us=55,
    f=5,
    delay_us=50,
    packet=1000,
)
"""The parameters of both papers, for 40G. CoNEXT'16 has delays of 50 to 85 us."""


def marking_share(queue: float, curve: Curve) -> float:
    """The part of the packets that a queue of that many bytes marks, 0 to 1.

    0 up to kmin, rising to pmax at kmax, 1 beyond. Source: CoNEXT'16, equation 5.
    """
    if queue <= curve.kmin:
        return 0.0
    if queue > curve.kmax:
        return 1.0
    return curve.pmax * (queue - curve.kmin) / (curve.kmax - curve.kmin)


def check_inputs(speed: float, flows: int, params: Params) -> None:
    """ValueError where a speed in bit/s, a number of senders or a parameter cannot be."""
    for name, value in (("speed", speed), *params._asdict().items()):
        if name == "late":
            continue
        if not (isfinite(value) and (value > 0 or (name in {"delay_us", "r_hai"} and value == 0))):
            raise ValueError(f"{name} is {value}: it must be above 0")
    if params.g > 1:
        raise ValueError(f"g is {params.g}: it must be at most 1")
    if not 1 <= flows <= MOST_FLOWS:
        raise ValueError(f"flows is {flows}: it must be from 1 to {MOST_FLOWS}")
