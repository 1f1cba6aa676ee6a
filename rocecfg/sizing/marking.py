"""ECN thresholds: the bounds of a curve on ports of one speed, and the curve that `ecn: auto` stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil, inf

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import Computed, Ecn, Origin, ProfileFact
from rocecfg.physics import ecn as physics
from rocecfg.physics.headroom import roce_frame

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic, CurveTable, Family

USUAL_FAMILY = "hpcc"  # where none is named: made for AI traffic, and scaled by speed
_LEAST_PMAX = 5.0  # percent: what is published for ramps is 5, 7, 20 and 100
_FRAMING = 22  # bytes of Ethernet header, VLAN tag and FCS around an IP packet
_PACKET = 4096  # bytes of a RoCE packet's payload, at the path MTU of jumbo frames


class Aims(NamedTuple):
    """What a fabric asks of its marking, and where each is from; None: not known."""

    family: Family | None  # None: none is named
    rtt: float | None  # base round trip, ms
    delay: float | None  # ms that a hop may add at kmax
    incast: int | None  # senders to one receiver
    inputs: tuple[Origin, ...]
    tables: Callable[[str], CurveTable | None] | None = None  # of a chip, by its name; None: the family is named


class Limits(NamedTuple):
    """Bounds of a marking curve on ports of one speed. Bytes; None where a figure that it needs is unknown."""

    alpha: float | None
    pool: int | None
    ports: int | None  # that carry a lossless class and share the pool
    hard: float | None  # kmax below it, or one queue fed by one port pauses before all of its packets are marked
    kmin: float | None  # kmin below it, or one port that feeds all others pauses before any packet is marked
    kmax: float | None  # kmax below it, or pauses come before full marking where all queues are at kmax
    low: float | None  # kmin above it, or the link idles
    slow: float | None  # kmax below it, or a hop adds more delay than the workload bears


def find_limits(
    pool: int | None, alpha: float | None, ports: int | None, speed: int, metres: float | None, aims: Aims
) -> Limits:
    """The bounds on ports of `speed` bit/s with cables of `metres`; `ports` of them share the pool of that many bytes.

    The round trip is at least that of the cable.
    """
    hard = low_bound = high_bound = low = None
    if alpha is not None and pool is not None:
        hard = physics.kmax_hard(alpha, pool)
        if ports:
            low_bound = physics.kmin_bound(alpha, pool, ports)
            high_bound = physics.kmax_bound(alpha, pool, ports)
    if aims.rtt is not None:
        low = physics.dctcp_kmin(speed, max(aims.rtt, physics.rtt_of_cable_us(metres or 0) / 1e3))
    slow = aims.delay * speed / 8e3 if aims.delay is not None else None
    return Limits(alpha, pool, ports, hard, low_bound, high_bound, low, slow)


class Demand(NamedTuple):
    """What the ports of one switch at one speed ask of the curve that `ecn: auto` is there."""

    bounds: Limits
    mtu: int | None  # the largest IP MTU of these ports, bytes
    facts: tuple[Origin, ...]  # where pool and alpha are from


def merge_demands(demands: Iterable[Demand]) -> Demand:
    """What all of these ask of one curve: a flow that crosses several switches of a chip at one speed meets one.

    It stays below the bounds of each, however many ports share a pool, and takes the largest frame and longest cable.
    """
    every = list(dict.fromkeys(demands))
    tightest = min(every, key=lambda one: [inf if b is None else b for b in (one.bounds.kmin, one.bounds.kmax)])

    def least(field: str, choose: Callable[[list[float]], float] = min) -> float | None:
        known = [value for one in every if (value := getattr(one.bounds, field)) is not None]
        return choose(known) if known else None

    bounds = tightest.bounds._replace(
        hard=least("hard"), kmin=least("kmin"), kmax=least("kmax"), low=least("low", max), slow=least("slow")
    )
    if bounds.kmax != tightest.bounds.kmax:  # that of another switch: the working names no figures
        bounds = bounds._replace(alpha=None, pool=None, ports=None)
    mtus = [one.mtu for one in every if one.mtu is not None]
    return Demand(bounds, max(mtus, default=None), tightest.facts)


def scale_family(family: Family, speed: int) -> tuple[float, float]:
    """kmin and kmax of a family on ports of `speed` bit/s, in bytes."""
    if not family.scaled or family.speed is None:
        return family.kmin, family.kmax
    return physics.scale_threshold(family.kmin, family.speed, speed), physics.scale_threshold(
        family.kmax, family.speed, speed
    )


def find_curve(aims: Aims, asic: Asic, speed: int, demand: Demand, at: Origin) -> Ecn:
    """The curve on ports of `speed` bit/s: the chip's own, else a family's; below the bounds, and at least a frame.

    The table has what a model chose once for the chip, the speed and the senders (docs/curves.py). A family that the
    intent names, or one for a chip without a table, is scaled by speed. In whole steps of the chip. `demand`: of all
    switches of the fabric with that chip. With external memory kmax is not below where its stock values begin. `at` is
    where `auto` is written.
    """
    bounds, mtu, facts = demand
    basis = _table_basis(aims, asic, speed) or _family_basis(aims, speed)
    step = asic.ecn_step or 1
    frame = mtu + _FRAMING if mtu is not None else roce_frame(_PACKET)
    of = f"MTU {mtu}" if mtu is not None else "RoCE, where no MTU is stated"
    low = _Threshold(basis.kmin, basis.why_kmin)
    low.at_most(bounds.kmin, f"alpha B/(n(1 + alpha)){_show_inputs(bounds)}")
    low.at_least(bounds.low, f"{show_rate(speed)} x RTT / (8 x 7)", bounds.kmin)
    low.at_least(frame, f"a frame of {of}: with less a lone packet is marked", None)
    if low.rounded(step) < frame:  # the steps are longer than what it is above it
        low.at_least(low.value + step / 2, "a whole step above a frame", None)
    high = _Threshold(basis.kmax, basis.why_kmax)
    if basis.family is None:  # a table's ramp is as short as it can be: raised at one end alone it were a step
        high.at_least(
            basis.kmax * low.value / basis.kmin, f"as much above {_show_bytes(basis.kmax)} as kmin is raised", None
        )
    if not asic.shallow and asic.stock_ecn:  # queues are at the ingress there, several of them for one port
        least = min(stock.kmin for stock in asic.stock_ecn)
        high.at_least(least, f"where stock values of {asic.title}, with external memory, begin to mark", None)
    high.at_most(bounds.kmax, f"alpha B/(1 + n alpha){_show_inputs(bounds)}")
    high.at_most(bounds.slow, "the delay that the workload tolerates")
    bottom = low.rounded(step)
    top = max(high.rounded(step), bottom + step)
    inputs = (at, basis.fact, *facts, *aims.inputs, *((asic.fact("ecn_step"),) if step > 1 else ()))
    pmax, why = basis.pmax, basis.why_pmax
    if not (low.moved or high.moved):
        why += basis.foreseen
    if basis.family is not None:
        pmax, why = _find_pmax(basis.family, speed, aims.incast, top - bottom, basis.kmax - basis.kmin)
    unknown = "; not bounded by PFC: lossy, or alpha, pool or number of ports is unknown"
    if bounds.kmax is not None:
        unknown = ""
    return Ecn(
        bottom,
        top,
        pmax,
        origins={
            "": Computed(f"{basis.what}, bounded", inputs),
            "kmin": Computed(low.working(step) + unknown, inputs),
            "kmax": Computed(high.working(step) + unknown, inputs),
            "pmax": Computed(why, (at, basis.fact)),
            "weight": Computed("0: marking on the instantaneous queue", (at,)),
            "colors": Computed("all colours", (at,)),
        },
    )


def is_from_table(curve: Ecn) -> bool:
    """Whether `ecn: auto` took a curve from the table of its chip, not from a family."""
    origin = curve.at("kmin")
    inputs = origin.inputs if isinstance(origin, Computed) else ()
    return any(isinstance(one, ProfileFact) and one.profile.startswith("curves/") for one in inputs)


class _Basis(NamedTuple):
    """Where a curve begins, before bounds. Bytes, percent."""

    kmin: float
    kmax: float
    pmax: float
    what: str
    why_kmin: str
    why_kmax: str
    why_pmax: str
    foreseen: str  # what the model says of this very curve
    fact: Origin
    family: Family | None  # whose pmax follows what bounds leave of its ramp


def _table_basis(aims: Aims, asic: Asic, speed: int) -> _Basis | None:
    """The chip's own curve; None where a family is named, or there is no table of the chip or the speed."""
    table = aims.tables(asic.name) if aims.tables is not None else None
    if table is None:
        return None
    senders = aims.incast
    row = table.curve(speed, senders)
    if row is None:
        return None
    what = f"{table.file} at {show_rate(speed)} for {'any number of' if senders is None else senders} senders"
    seen, pmax = "", row.pmax
    if row.used is not None and row.wait is not None:
        seen = (
            f"; by the model the link is used {show_number(row.used)}% or more, and 1% of the packets wait up to "
            f"{show_number(row.wait)}us or longer"
        )
    elif senders is not None:
        what += ", between two rows"
        pmax = max(pmax, _round_needed(_find_needed(speed, senders)))
    return _Basis(
        row.kmin,
        row.kmax,
        pmax,
        f"{what}: {show_size(row.kmin)}/{show_size(row.kmax)}",
        f"{what}: {show_size(row.kmin)}",
        f"{what}: {show_size(row.kmax)}",
        f"{what}: {show_number(pmax)}%",
        seen,
        table.fact(show_rate(speed)),
        None,
    )


def _family_basis(aims: Aims, speed: int) -> _Basis:
    """A published family at that speed.

    Where bounds shorten the ramp, pmax is lowered with it, though not below what is published: marking rises as
    steeply as the family means it to. pmax rises where the incast would leave the ramp.
    """
    family = aims.family
    assert family is not None  # whoever asks for `auto` names one
    kmin, kmax = scale_family(family, speed)
    stated = f"{family.name}"
    if family.scaled and family.speed is not None:
        stated += f" {{}} at {show_rate(family.speed)} x {show_rate(speed)}/{show_rate(family.speed)}"
    else:
        stated += " {} at any speed"
    return _Basis(
        kmin,
        kmax,
        family.pmax,
        stated.format(f"{show_size(family.kmin)}/{show_size(family.kmax)}"),
        f"{stated.format(show_size(family.kmin))} = {_show_bytes(kmin)}",
        f"{stated.format(show_size(family.kmax))} = {_show_bytes(kmax)}",
        "",
        "",
        _fact_of_family(family),
        family,
    )


class _Threshold:
    """A threshold as it is computed."""

    def __init__(self, value: float, why: str) -> None:
        self.value = value
        self._why = [why]
        self._way = 0  # -1: lowered to a bound, 1: raised to one

    @property
    def moved(self) -> bool:
        """Whether a bound took its place."""
        return self._way != 0

    def at_most(self, bound: float | None, what: str) -> None:
        if bound is not None and self.value >= bound:
            self.value, self._way = bound, -1
            self._why.append(f"below {_show_bytes(bound)} = {what}")

    def at_least(self, bound: float | None, what: str, unless: float | None) -> None:
        """Raised to the bound, unless that is above what PFC leaves."""
        if bound is not None and self.value < bound and (unless is None or bound < unless):
            self.value, self._way = bound, 1
            self._why.append(f"at least {_show_bytes(bound)} = {what}")

    def rounded(self, step: int) -> int:
        """In whole steps, on the right side of a bound that it was moved to."""
        steps = ceil(self.value / step) - 1 if self._way < 0 else round(self.value / step)
        if self._way > 0:
            steps = ceil(self.value / step)
        return max(steps, 1) * step

    def working(self, step: int) -> str:
        tail = f"; in steps of {show_size(step)}" if step > 1 else ""
        return f"{', '.join(self._why)}{tail}: {_show_bytes(self.rounded(step))}"


def _show_bytes(size: float) -> str:
    return show_size(int(size))


def _show_inputs(bounds: Limits) -> str:
    if bounds.pool is None or bounds.alpha is None:
        return ""
    return f" with alpha {show_number(bounds.alpha)}, B {show_size(bounds.pool)}, n {bounds.ports}"


def _fact_of_family(family: Family) -> Origin:
    return ProfileFact(family.file, "kmin, kmax, pmax", family.source, family.mark)


def _find_needed(speed: int, senders: int) -> float:
    """p*, the marking in percent that holds so many senders."""
    from rocecfg.physics import dcqcn, dcqcn_linear  # asked for an incast only, and it costs start-up time

    return dcqcn_linear.needed_marking(speed, senders, dcqcn.PAPER._replace(packet=_PACKET)) * 100


def _round_needed(needed: float) -> float:
    return float(min(100, ceil(needed)))


def _find_pmax(family: Family, speed: int, incast: int | None, ramp: float, whole: float) -> tuple[float, str]:
    """The family's pmax in percent for the part of its ramp that is left, or what keeps that many senders on it.

    `ramp` and `whole`: kmax less kmin, as bounded and as the family has it, bytes.
    """
    pmax, reported = family.pmax, f"{family.name} {show_number(family.pmax)}%"
    if ramp < whole:
        part = round(pmax * ramp / whole)
        pmax = float(max(min(_LEAST_PMAX, family.pmax), min(part, family.pmax)))
        reported += (
            f" x {_show_bytes(ramp)}/{_show_bytes(whole)}, the part of its ramp that is left: {show_number(pmax)}%"
        )
        if part < pmax:
            reported += ", the least that is published"
    if incast is None:
        return pmax, reported
    needed = _find_needed(speed, incast)
    if needed <= pmax:
        return pmax, f"{reported}, and {incast} senders need p* of {needed:.2g}%"
    raised = _round_needed(needed)
    return raised, f"{incast} senders need p* of {needed:.3g}%, above {reported}: raised to {show_number(raised)}%"
