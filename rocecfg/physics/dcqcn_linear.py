"""DCQCN with chance in its marks, for small swings: mean and standard deviation of the queue, in milliseconds of work.

Each of `flows` senders is cut at random times, so the sum of their rates is noisy, and the loop through the queue
passes that noise on: what a fluid leaves out. Between two cuts a sender's rate is a fixed function of its age, the time
since the last cut, so a sender is a renewal process with rewards and its response has a closed form. With

    l = -ln(1-p) Rc     marks a sender's packets draw in a second        nu = l / (1 + l tau)    cuts in a second
    S(u) = 1 up to tau, e^(-l (u - tau)) beyond     a sender's chance to reach the age u
    A = nu / (nu + U')  alpha, with U' = nu sum_j S(j tau')             c = A Rc / 2            the cut
    gap(u) = c 2^-k in round k = floor(u/T) up to F rounds, then R_AI (1 - 2^-(k-F))            target less rate

the fixed point is where what cuts take, `nu l` times the integral of S gap from tau on, is what additive increase
gives, `R_AI nu sum S(u)` over the rounds after F. Around it, with `s = i w` and x the cuts beyond those expected,

    H(s)  = the change of a sender's rate by one cut more, from the same integrals with e^(-s u) in them
    Hc    = H / (1 - f l/Rc e^(-s tau*) H),  f = 1/(1 + l tau)      a slower sender draws fewer marks
    S_q   = N nu |Hc|^2 / |s - N Hc f Rc e^(-s tau*) k|^2,          k = d(-ln(1-p))/dq on the ramp

and the variance is the integral of S_q over w, divided by pi, with `N/12` packets^2 added: packets of N senders that
arrive one by one. Byte counter and timer count as one, whose period is `1/(1/T + Rc/B)`.

Sources: the algorithm, SIGCOMM'15, section 3; noise of point processes through a linear loop is textbook. Derived here.
It leaves out: the ends of the ramp, and swings that are not small. `small` says where it holds; that domain is where it
was right in 150 cases of a packet simulator and 20 of ns-3 (tests/advice/referee). Rates are in packets/s, times in s.
"""

from cmath import exp as cexp
from cmath import phase
from functools import lru_cache
from math import exp, expm1, log, log1p, pi, sqrt
from typing import NamedTuple

from rocecfg.physics.dcqcn import MOST_FLOWS, Curve, Params, check_inputs

_MOST_MARKS = 600.0  # in the time between two cuts: no sender is spared long enough to rise, and e^x is no float soon
_DOUBLING = tuple(2**n for n in range(20))  # up to MOST_FLOWS

_LOW, _HIGH, _POINTS = 3.0, 1e6, 300  # rad/s: where senders and queues swing; points of the integral, each a factor on

# Where swings are small enough. Each bound is where the packet simulator's cases part.
_LEAST_MARGIN = 0.17  # least distance of the loop gain from -1
_LEAST_ABOVE_EMPTY = 4.4  # sd from the mean to the empty queue
_LEAST_ABOVE_KMIN = 1.8  # sd from the mean to kmin, below which nothing is marked: by runs in ns-3 and those packets
_LEAST_BELOW_KMAX = 5.5  # sd from the mean to kmax, where that is a step to marking all
_MOST_ALPHA = 0.16  # cuts of less than 8 %
_FEWEST = 4  # senders: fewer are no crowd
_MOST_HYPER = 0.01  # part of the senders that are so long uncut that they leap


class Noise(NamedTuple):
    """A queue under marks that fall at random. Sizes in bytes."""

    marking: float  # the part of the packets that is marked, 0 to 1
    queue: float | None  # mean; None where the ramp ends before it marks so many
    sd: float | None  # standard deviation; None where the loop is unstable or the ramp ends
    margin: float  # least distance of the loop gain from -1; 0 where unstable
    small: bool  # whether swings are so small that all this holds


class _Sender(NamedTuple):
    """A sender at its share of the link, at the fixed point. Packets and seconds."""

    share: float
    increase: float  # additive, packets/s
    period: float  # of rounds
    first: float  # age at the first additive increase
    tau: float
    tau_alpha: float
    g: float
    hazard: float  # l
    cuts: float  # nu
    decays: float  # U': of alpha, in a second
    alpha: float
    cut: float  # c
    gap: float  # the integral of S gap from tau on, times nu


class _Frequency(NamedTuple):
    """What all curves share at one frequency."""

    s: complex
    width: float  # rad/s
    noise: float  # N nu |Hc|^2
    gain: complex  # N Hc f Rc e^(-s tau*)


class _Loop(NamedTuple):
    """All of one set of senders but the curve."""

    marking: float
    alpha: float
    hyper: float  # part of the senders that rise by hyper increase
    frequencies: tuple[_Frequency, ...]


def find_noise(speed: float, flows: int, curve: Curve, params: Params) -> Noise:
    """Mean and standard deviation of the queue of `flows` senders to a link of `speed` bit/s. The formulas above.

    They are of senders that lose the marks within tau: where marks are answered late, swings never count as small.
    ValueError where a number cannot be.
    """
    loop = _build_loop(float(speed), flows, params)
    marking = loop.marking
    if marking >= curve.pmax or curve.kmax <= curve.kmin:
        return Noise(marking, None, None, 0.0, small=False)
    queue = curve.kmin + marking / curve.pmax * (curve.kmax - curve.kmin)
    slope = curve.pmax / (curve.kmax - curve.kmin) * params.packet / (1 - marking)
    variance, turned, margin, before = flows / 12, 0.0, 1.0, None
    for s, width, strength, gain in loop.frequencies:
        distance = 1 - gain * slope / s
        variance += strength / abs(s * distance) ** 2 * width / pi
        margin = min(margin, abs(distance))
        if before is not None:
            turned += phase(distance / before)
        before = distance
    if turned < 0:  # Nyquist: a quarter turn forwards where the loop is stable, three back where it is not
        return Noise(marking, queue, None, 0.0, small=False)
    sd = sqrt(variance) * params.packet
    small = (
        not params.late
        and margin >= _LEAST_MARGIN
        and flows >= _FEWEST
        and queue >= _LEAST_ABOVE_EMPTY * sd
        and queue - curve.kmin >= _LEAST_ABOVE_KMIN * sd
        and (curve.pmax >= 1 or curve.kmax - queue >= _LEAST_BELOW_KMAX * sd)
        and loop.alpha <= _MOST_ALPHA
        and loop.hyper <= _MOST_HYPER
    )
    return Noise(marking, queue, sd, margin, small)


@lru_cache(maxsize=256)
def _build_loop(speed: float, flows: int, params: Params) -> _Loop:
    check_inputs(speed, flows, params)
    of = _find_fixed_point(speed, flows, params)
    often = 1 / (1 + of.hazard * of.tau)
    delay = params.delay_us * 1e-6
    step = log(_HIGH / _LOW) / _POINTS
    points = []
    for n in range(_POINTS + 1):
        s = 1j * _LOW * exp(n * step)
        late = cexp(-s * delay)
        own = _response(of, s)
        own /= 1 - often * of.hazard / of.share * late * own
        points.append(
            _Frequency(s, abs(s) * step, flows * of.cuts * abs(own) ** 2, flows * own * often * of.share * late)
        )
    hyper = 0.0
    if params.r_hai > 0:
        rounds = max(params.timer_us * 1e-6, params.byte_counter / params.packet / of.share)
        hyper = _survival_share(of.hazard, of.tau, (params.f + 1) * rounds)
    return _Loop(-expm1(-of.hazard / of.share), of.alpha, hyper, tuple(points))


def needed_marking(speed: float, flows: int, params: Params) -> float:
    """The part p* of the packets, 0 to 1, that must be marked to hold each of `flows` senders at its share of the link.

    The one p* of `lint` and `advise`. It lies some 28 % above the fluid's (`dcqcn.fixed_point`), which cuts all senders
    alike: in the packet simulator's calm cases (tests/advice/referee) the fluid is a third too low, this one a tenth.
    ValueError where a number cannot be.
    """
    check_inputs(speed, flows, params)
    of = _find_fixed_point(speed, flows, params)
    return -expm1(-of.hazard / of.share)


def most_senders(speed: float, pmax: float, params: Params) -> int:
    """The most senders for which p* is at most `pmax` (0 to 1): beyond them the queue leaves the ramp.

    0 where it does with a single one; never more than MOST_FLOWS, which is every number of practice.
    ValueError where a number cannot be.
    """
    check_inputs(speed, 1, params)
    if not 0 <= pmax <= 1:
        raise ValueError(f"pmax is {pmax}: it must be from 0 to 1")
    if pmax in {0, 1}:
        return MOST_FLOWS if pmax else 0
    missed = -log1p(-pmax)

    def holds(flows: int) -> bool:
        bare = _make_sender(speed, flows, params)
        hazard = missed * bare.share
        return hazard * bare.tau > _MOST_MARKS or _cuts_outweigh(_with_hazard(bare, hazard))

    low = max((n for n in _DOUBLING if holds(n)), default=0)
    high = min(2 * low, MOST_FLOWS + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle):
            low = middle
        else:
            high = middle
    return low


def _make_sender(speed: float, flows: int, params: Params) -> _Sender:
    """A sender at its share, whose cuts are not known yet."""
    share = speed / 8 / params.packet / flows
    timer, counter = params.timer_us * 1e-6, params.byte_counter / params.packet / share
    period = 1 / (1 / timer + 1 / counter)
    tau = min(params.tau_us * 1e-6, period)
    unknown = (0.0,) * 6
    return _Sender(
        share, params.r_ai / 8 / params.packet, period, (params.f + 1) * min(timer, counter), tau,
        params.tau_alpha_us * 1e-6, params.g, *unknown,
    )  # fmt: skip


def _with_hazard(of: _Sender, hazard: float) -> _Sender:
    """The sender with so many marks a second."""
    cuts = hazard / (1 + hazard * of.tau)
    decays = cuts * _sum_rounds(hazard, of.tau, of.tau_alpha, of.tau_alpha, 0.0).real
    alpha = cuts / (cuts + decays)
    found = of._replace(hazard=hazard, cuts=cuts, decays=decays, alpha=alpha, cut=alpha * of.share / 2)
    of_cut, of_rise = _integrate_gaps(found, 0.0)
    return found._replace(gap=cuts * (found.cut * of_cut.real + of.increase * of_rise.real))


def _cuts_outweigh(of: _Sender) -> bool:
    """Whether cuts take more than additive increase gives."""
    return of.hazard * of.gap >= of.increase * of.cuts * _sum_rounds(of.hazard, of.tau, of.first, of.period, 0.0).real


def _find_fixed_point(speed: float, flows: int, params: Params) -> _Sender:
    """Where cuts take what additive increase gives, by bisection over the logarithm of the hazard."""
    bare = _make_sender(speed, flows, params)
    low, high = log(1e-6), log(1e9)
    while high - low > 1e-11:
        middle = (low + high) / 2
        if _cuts_outweigh(_with_hazard(bare, exp(middle))):
            high = middle
        else:
            low = middle
    return _with_hazard(bare, exp(low))


def _survival_share(hazard: float, tau: float, age: float) -> float:
    return exp(-hazard * max(age - tau, 0.0))


def _sum_rounds(hazard: float, tau: float, first: float, period: float, s: complex) -> complex:
    """The sum of `S(u) e^(-s u)` over the ages first, first + period, and so on."""
    z = hazard + s
    return exp(hazard * tau) * cexp(-z * first) / (1 - cexp(-z * period))


def _integrate_gaps(of: _Sender, s: complex) -> tuple[complex, complex]:
    """The integrals of `S(u) e^(-s u) gap(u)` from tau on: by the cut and by additive increase, each for a gap of 1."""
    z = of.hazard + s
    scale = exp(of.hazard * of.tau)
    whole = cexp(-z * of.period)
    first_round = scale * (cexp(-z * of.tau) - whole) / z
    later = scale * (1 - whole) / z * (whole / 2) / (1 - whole / 2)
    rise = scale * cexp(-z * of.first) * (1 - whole) / z * (1 / (1 - whole) - 0.5 / (1 - whole / 2))
    return first_round + later, rise


def _response(of: _Sender, s: complex) -> complex:
    """H: what one cut more, beyond those expected, does to a sender's rate at `s = i w`."""
    hazard, cuts, tau = of.hazard, of.cuts, of.tau
    deaf = (1 - cexp(-s * tau)) / s  # no cut in that time after a cut
    again = 1 / (1 + hazard * deaf)  # cuts by one cut more, itself among them
    back = cexp(s * tau)

    def change(now: complex, still: complex) -> complex:
        """Of what ages earn: earned by the new age, less what the age that was cut would still have earned."""
        return again * now - hazard * (still - now * back) / s

    def of_rounds(first: float, period: float) -> complex:
        return change(_sum_rounds(hazard, tau, first, period, s), _sum_rounds(hazard, tau, first, period, 0.0))

    cut, rise = _integrate_gaps(of, s)
    gap = change(of.cut * cut + of.increase * rise, of.gap / cuts)
    early = of.cut * again * deaf  # the gap before the age tau, which no mark cuts
    decays = of_rounds(of.tau_alpha, of.tau_alpha)
    alpha = of.g * ((1 - of.alpha) * again - of.alpha * decays) / (s + of.g * (cuts + of.decays))
    by_alpha, by_rate = cuts * of.share * alpha / 2, cuts * of.alpha / 2  # of the sizes of later cuts
    target = (
        of.increase * of_rounds(of.first, of.period) - hazard * (gap + by_alpha * cut) - of.gap * (1 + hazard * tau)
    )
    fixed = target / s - gap - early - by_alpha * (cut + deaf)
    return fixed / (1 + hazard * by_rate * cut / s + by_rate * (cut + deaf))
