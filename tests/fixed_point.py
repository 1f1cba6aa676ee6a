"""DCQCN's fixed point as CoNEXT'16 prints it, where all senders are cut alike: what the models are held against."""

from __future__ import annotations

from math import exp, expm1, log, log1p, nextafter

from rocecfg.physics.dcqcn import Curve, Params, check_inputs


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
