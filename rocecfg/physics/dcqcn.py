"""DCQCN: its fixed point, and its fluid model in time.

Rates and speeds are bit/s, sizes bytes, probabilities 0 to 1; times are us where a name says so. `flows` senders share
one link of `speed` and all behave alike. PFC, small messages, different round trips and what a NIC's firmware does
otherwise are not in the model. Nor is chance: packets are marked at random, and with them a queue that swings in the
fluid may stand still, and one that stands still in it may swing. It cannot tell whether a curve settles.

Source: DCQCN, SIGCOMM'15, section 5, and "ECN or Delay", CoNEXT'16, section 3.
"""

# Annotations are types here, not text as elsewhere: NamedTuple compiles text, which takes longer than all the rest.
from math import exp, expm1, inf, isfinite, log, log1p, nextafter
from typing import NamedTuple

MOST_FLOWS = 1_000_000

_DOUBLING = tuple(2**n for n in range(20))  # up to MOST_FLOWS
_LEAST = 1e-12  # of the line rate: a rate at which nothing is lost, and nothing divides by 0
_STEEPEST = 700.0  # e to the power of it is still a float


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


class Curve(NamedTuple):
    """The marking of a queue."""

    kmin: float  # bytes
    kmax: float  # bytes
    pmax: float  # 0 to 1: just below kmax


class Simulation(NamedTuple):
    """What the fluid model did. `low` to `utilisation` are of the last half of the time."""

    times_us: tuple[float, ...]
    queues: tuple[float, ...]  # bytes at those times
    rates: tuple[float, ...]  # bit/s of each flow at those times
    low: float  # bytes
    high: float  # bytes
    mean: float  # bytes
    utilisation: float  # part of the link's capacity that was used, 0 to 1


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


def marking(queue: float, curve: Curve) -> float:
    """The part of the packets that a queue of that many bytes marks, 0 to 1.

    0 up to kmin, rising to pmax at kmax, 1 beyond. Source: CoNEXT'16, equation 5.
    """
    if queue <= curve.kmin:
        return 0.0
    if queue > curve.kmax:
        return 1.0
    return curve.pmax * (queue - curve.kmin) / (curve.kmax - curve.kmin)


def fixed_point(speed: float, flows: int, params: Params) -> float:
    """The part p* of the packets, between 0 and 1, that must be marked to hold each flow at its share of the link.

    The root, of which there is one, of `alpha * a^2 / ((b + d) * (c + e)) = tau^2 * R_AI * Rc`, with `Rc = C / N`,
    rates in packets/s, B in packets and

        alpha = 1 - (1-p)^(tau' Rc)       a = 1 - (1-p)^(tau Rc)
        b = p / ((1-p)^-B - 1)            c = b * (1-p)^(F B)
        d = p / ((1-p)^-(T Rc) - 1)       e = d * (1-p)^(F T Rc)

    Beyond some 10,000 flows p* may lie so near to 1 that no float is nearer.
    Source: CoNEXT'16, section 3.2. ValueError where a number cannot be, or no p* is a float above 0.
    """
    _check(speed, flows, params)
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


def queue_at(p: float, curve: Curve) -> float | None:
    """The queue q*, in bytes, that marks a part `p` of the packets: `kmin + p/pmax * (kmax - kmin)`.

    None where `p` is above pmax: no queue marks just so many.
    Source: CoNEXT'16, section 3.2.
    """
    if p > curve.pmax:
        return None
    return curve.kmin + p / curve.pmax * (curve.kmax - curve.kmin)


def largest_incast(speed: float, pmax: float, params: Params) -> int:
    """The most flows for which p* is at most `pmax` (0 to 1): beyond them the queue leaves the ramp.

    0 where it does with a single one; never more than MOST_FLOWS, which is every number of practice. p* rises with the
    flows, but for a dip at the first few on a fast link whose senders have a short byte counter.
    ValueError where a number cannot be.
    """
    _check(speed, 1, params)
    if not 0 <= pmax <= 1:
        raise ValueError(f"pmax is {pmax}: it must be from 0 to 1")
    if pmax in {0, 1}:
        return MOST_FLOWS if pmax else 0
    missed = -log1p(-pmax)
    low = max((n for n in _DOUBLING if _excess(missed, speed, n, params) >= 0), default=0)
    high = min(2 * low, MOST_FLOWS + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if _excess(missed, speed, middle, params) >= 0:
            low = middle
        else:
            high = middle
    return low


def simulate(
    speed: float,
    flows: int,
    curve: Curve,
    params: Params,
    *,
    seconds: float = 0.2,
    step_us: float = 1.0,
    samples: int = 400,
    pause: float | None = None,
) -> Simulation:
    """The fluid model in time: `samples` points from 0 to `seconds`, worked out in steps of `step_us`.

        p   = what the queue of tau* ago marks
        q'  = N Rc - C
        al' = (g / tau') * (1 - (1-p)^(tau' Rc) - al)
        Rt' = -((Rt - Rc) / tau) * a + R_AI Rc (c + e)
        Rc' = -(Rc al / (2 tau)) * a + ((Rt - Rc) / 2) * Rc (b + d)

    with a to e as for `fixed_point`, the queue never below 0 and no rate above the line's. Flows begin with alpha 1 on
    an empty queue: each at its share of the link where `pause` is None; where it is a size, all at line rate, as real
    ones do, and the queue grows to `pause` bytes at most, where PFC holds them (`inf`: never). On a long ramp with
    few flows the two may end differently: a burst can start swings that a smooth start does not.

    Source: CoNEXT'16, section 3.1, by Euler's method; the queue takes the mean rate and the mean marking of a step,
    or each step would add to the delay, and swings that die down would grow. ValueError where a number cannot be.
    """
    _check(speed, flows, params)
    steps = round(seconds * 1e6 / step_us) if 0 < step_us < inf and 0 < seconds < inf else 0
    if not 3 <= samples <= steps:
        raise ValueError(f"{samples} samples in {steps} steps: both must be 3 or more, and a step between two samples")
    if step_us > min(params.timer_us, params.tau_us, params.tau_alpha_us):
        raise ValueError(f"step_us is {step_us}: it must be no longer than any time of DCQCN's parameters")
    if not (0 <= curve.kmin <= curve.kmax and 0 <= curve.pmax <= 1):
        raise ValueError(f"{curve} is no marking curve: 0 <= kmin <= kmax and 0 <= pmax <= 1 must hold")
    if pause is not None and not pause > 0:
        raise ValueError(f"pause is {pause}: it must be above 0")
    link = _Link(speed, flows, curve, params, step_us, pause)
    size = params.packet
    times, queues, rates = [0.0], [link.queue * size], [link.rate * size * 8]
    low, high, total, idle = inf, 0.0, 0.0, 0.0
    done = half = 0
    for sample in range(1, samples):
        until = steps * sample // (samples - 1)
        lowest, highest, sum_, unused = link.advance(until - done)
        if sample > samples // 2:
            low, high = min(low, lowest), max(high, highest)
            total, idle = total + sum_, idle + unused
        else:
            half = until
        done = until
        times.append(done * step_us)
        queues.append(link.queue * size)
        rates.append(link.rate * size * 8)
    mean = total / (steps - half)
    used = 1 - idle / (link.capacity * link.step * (steps - half))
    return Simulation(
        tuple(times),
        tuple(queues),
        tuple(rates),
        low * size,
        high * size,
        mean * size,
        utilisation=used,
    )


class _Link:
    """The state of the fluid model between two steps. Packets and seconds."""

    def __init__(
        self, speed: float, flows: int, curve: Curve, params: Params, step_us: float, pause: float | None
    ) -> None:
        self.capacity, self.increase, self.counter = _in_packets(speed, params)
        self.flows = flows
        self.params = params
        self.curve = Curve(curve.kmin / params.packet, curve.kmax / params.packet, curve.pmax)
        self.step = step_us * 1e-6
        self.full = inf if pause is None else pause / params.packet
        self.queue = 0.0
        self.rate = self.target = self.capacity / flows if pause is None else self.capacity
        self.alpha = 1.0
        self.marks = [0.0] * max(1, round(params.delay_us / step_us))  # on their way to the senders
        self.oldest = 0

    def advance(self, steps: int) -> tuple[float, float, float, float]:
        """So many steps on: the lowest and the highest queue, the sum of all queues, and what the link left unused."""
        step, flows, capacity, full = self.step, self.flows, self.capacity, self.full
        kmin, kmax, pmax = self.curve
        slope = pmax / (kmax - kmin) if kmax > kmin else 0.0
        marks, oldest, last = self.marks, self.oldest, len(self.marks) - 1
        queue, rate, target, alpha = self.queue, self.rate, self.target, self.alpha
        cut = step / (self.params.tau_us * 1e-6)
        gain = self.params.g * step / (self.params.tau_alpha_us * 1e-6)
        rise, least = self.increase * step, capacity * _LEAST
        happens = self._events
        low, high, total, idle = inf, 0.0, 0.0, 0.0
        for _ in range(steps):
            p = marks[oldest]
            marks[oldest] = 0.0 if queue <= kmin else 1.0 if queue > kmax else slope * (queue - kmin)
            oldest = oldest + 1 if oldest < last else 0
            a, aim, ups, increases = happens((p + marks[oldest]) / 2, rate)
            gap, before = target - rate, rate
            rate += gap * min(ups * step / 2, 1.0) - rate * alpha * a * cut / 2
            target = min(target + rise * increases - gap * a * cut, capacity)
            alpha += gain * (aim - alpha)
            rate = min(max(rate, least), capacity)
            queue += (flows * (before + rate) / 2 - capacity) * step
            if queue < 0:
                idle -= queue
                queue = 0.0
            elif queue > full:
                queue = full
            low, high = min(low, queue), max(high, queue)
            total += queue
        self.oldest, self.queue, self.rate, self.target, self.alpha = oldest, queue, rate, target, alpha
        return low, high, total, idle

    def _events(self, p: float, rate: float) -> tuple[float, float, float, float]:
        """`a`, what alpha goes to, `Rc (b + d)` and `Rc (c + e)` at a marking of `p` and so many packets/s."""
        _, _, _, timer_us, tau_us, tau_alpha_us, f, _, _ = self.params
        if p <= 0:
            ups = rate / self.counter + 1e6 / timer_us
            return 0.0, 0.0, ups, ups
        if p >= 1:
            return 1.0, 1.0, 0.0, 0.0
        missed = -log1p(-p)
        sent = missed * rate * 1e-6
        ups = increases = 0.0
        for power in (missed * self.counter, sent * timer_us):
            if power < _STEEPEST:
                often = rate * p / expm1(power)
                ups += often
                increases += often * exp(-f * power)
        return -expm1(-sent * tau_us), -expm1(-sent * tau_alpha_us), ups, increases


def _check(speed: float, flows: int, params: Params) -> None:
    """ValueError where a number cannot be."""
    for name, value in (("speed", speed), *params._asdict().items()):
        if not (isfinite(value) and (value > 0 or (name == "delay_us" and value == 0))):
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
