"""DCQCN: its parameters, and the fixed point of its fluid model.

Rates and speeds are bit/s, sizes bytes, probabilities 0 to 1; times are us where a name says so. `flows` senders share
one link of `speed` and all behave alike. What a queue does around the fixed point, and whether it stays there, is a
matter of chance, which a fluid has not: `dcqcn_linear` and `dcqcn_random` have it.

Source: DCQCN, SIGCOMM'15, section 5, and "ECN or Delay", CoNEXT'16, section 3.
"""

# Annotations are types here, not text as elsewhere: NamedTuple compiles text, which takes longer than all the rest.
from math import exp, expm1, isfinite, log, log1p, nextafter
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


def find_fixed_point(speed: float, flows: int, params: Params) -> float:
    """The part p* of the packets, between 0 and 1, that must be marked to hold each flow at its share of the link.

    The root, of which there is one, of `alpha * a^2 / ((b + d) * (c + e)) = tau^2 * R_AI * Rc`, with `Rc = C / N`,
    rates in packets/s, B in packets and

        alpha = 1 - (1-p)^(tau' Rc)       a = 1 - (1-p)^(tau Rc)
        b = p / ((1-p)^-B - 1)            c = b * (1-p)^(F B)
        d = p / ((1-p)^-(T Rc) - 1)       e = d * (1-p)^(F T Rc)

    Beyond some 10,000 flows p* may lie so near to 1 that no float is nearer. All senders are cut alike here, which
    takes fewer marks than cuts by chance: what is told to users is `dcqcn_linear.needed_marking`.
    Source: CoNEXT'16, section 3.2. ValueError where a number cannot be, or no p* is a float above 0.
    """
    check_inputs(speed, flows, params)
    # Bisection over the logarithm of -ln(1-p): p* lies anywhere from 1e-6 to 1 - 1e-100.
    low, high = log(1e-18), log(1e12)
    if _excess(exp(low), speed, flows, params) > 0:
        raise ValueError("with these parameters of DCQCN no marking is rare enough to be a fixed point")
    while high - low > 1e-12:
        middle = (low + high) / 2
        if _excess(exp(middle), speed, flows, params) > 0:
            high = middle
        else:
            low = middle
    return min(-expm1(-exp(low)), nextafter(1, 0))


def find_queue(p: float, curve: Curve) -> float | None:
    """The queue q*, in bytes, that marks a part `p` of the packets: `kmin + p/pmax * (kmax - kmin)`.

    None where `p` is above pmax: no queue marks just so many.
    Source: CoNEXT'16, section 3.2.
    """
    if p > curve.pmax:
        return None
    return curve.kmin + p / curve.pmax * (curve.kmax - curve.kmin)


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


def _in_packets(speed: float, params: Params) -> tuple[float, float, float]:
    """Line rate and additive increase in packets/s, and the byte counter in packets."""
    bits = 8 * params.packet
    return speed / bits, params.r_ai / bits, params.byte_counter / params.packet


def _excess(missed: float, speed: float, flows: int, params: Params) -> float:
    """The logarithm of left over right side of the fixed point's equation, at `missed = -ln(1-p)`; it rises with p.

    All in logarithms: (1-p)^-B alone may be too large for a float.
    """
    capacity, increase, counter = _in_packets(speed, params)
    rate = capacity / flows
    tau = params.tau_us * 1e-6
    sent = missed * rate
    alpha = log(-expm1(-sent * params.tau_alpha_us * 1e-6))
    a = log(-expm1(-sent * tau))
    p = log(-expm1(-missed))
    powers = (missed * counter, sent * params.timer_us * 1e-6)
    b, d = (p - power - log(-expm1(-power)) for power in powers)
    c, e = b - params.f * powers[0], d - params.f * powers[1]
    return alpha + 2 * a - _log_sum(b, d) - _log_sum(c, e) - 2 * log(tau) - log(increase) - log(rate)


def _log_sum(one: float, other: float) -> float:
    """The logarithm of the sum of two numbers, from theirs."""
    return max(one, other) + log1p(exp(-abs(one - other)))
