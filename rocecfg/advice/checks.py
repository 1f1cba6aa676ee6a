"""The bounds that headroom and marking have to keep, with whether they do: now, and as advised.

They are those of the rules `buffer-headroom`, `ecn-before-pfc`, `ecn-low` and `ecn-delay`.
"""

from __future__ import annotations

from rocecfg.advice.headroom import Needed
from rocecfg.advice.marking import AdvisedMarking
from rocecfg.advice.port_kinds import AdvisedSetting, PortKind
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import AUTO, Ecn
from rocecfg.sizing.headroom import size_headroom
from rocecfg.sizing.marking import Limits


class Bound(NamedTuple):
    """One side of a check: the bound in bytes, and whether it is kept; None where one of both is unknown."""

    limit: float | None
    holds: bool | None


class BoundCheck(NamedTuple):
    """One bound of a setting, for what the intent has and for what is advised.

    In formulas B is the pool that lossless priority groups share, and n the number of ports that do.
    """

    key: str
    grave: bool  # beyond it packets are lost, or pauses are sure to come first; else they may
    what: str  # what is bounded, and which way: `kmax <`
    now: Bound
    advised: Bound
    formula: str  # where there is no bound, why not


def check_bounds(
    kind: PortKind, need: Needed, headroom: tuple[AdvisedSetting, ...], marking: AdvisedMarking, delay: float | None
) -> tuple[BoundCheck, ...]:
    """The checks of one kind of port. `delay`: ms that a hop may add."""
    return (*_check_headroom(kind, need, headroom), *_check_marking(kind, marking, delay))


def _check_headroom(kind: PortKind, need: Needed, settings: tuple[AdvisedSetting, ...]) -> tuple[BoundCheck, ...]:
    parts = {s.key: s for s in settings}
    xoff, size = parts["headroom_xoff_bytes"], parts["headroom_size_bytes"]

    def check(key: str, limit: int | None, formula: str, *, grave: bool = False) -> BoundCheck:
        sides = []
        for own, whole in ((xoff.now, size.now), (xoff.advised, size.advised)):
            have = own if own is not None else whole
            sides.append(Bound(limit, have >= limit if limit is not None and isinstance(have, (int, float)) else None))
        return BoundCheck(key, grave, "xoff >=", sides[0], sides[1], formula)

    floor = need.floor
    floor_formula = f"on any chip: {floor.working()}" if floor is not None else f"not computed: {need.why_no_floor}"
    out = [check("xoff_covers_link", floor.total if floor is not None else None, floor_formula, grave=True)]
    if need.worst is None:
        if need.why_no_worst != need.why_no_floor:
            out.append(check("xoff_covers_chip", None, f"not computed: {need.why_no_worst}"))
        return tuple(out)
    terms = need.worst.terms
    port = kind.port
    own, _ = size_headroom(kind.chip, port.speed, port.cable, port.mtu, AUTO)
    limit, formula = terms.total, f"on this chip, cells filled worst: {terms.working()}"
    if own is not None and own.xoff is not None and own.xoff < limit:
        limit, formula = own.xoff, f"what the switch takes itself; {show_size(limit)} {formula}"
    out.append(check("xoff_covers_chip", limit, formula))
    return tuple(out)


def _check_marking(kind: PortKind, marking: AdvisedMarking, delay: float | None) -> tuple[BoundCheck, ...]:
    bounds, speed = marking.limits, kind.port.speed
    if bounds is None or speed is None:
        return ()
    asic = kind.device.asic
    no_pause = "alpha, pool or number of ports is unknown"
    if asic is not None and not asic.shallow:
        no_pause = f"{asic.title} has external memory, so alpha and pool do not decide when PFC pauses"

    def check(key: str, what: str, limit: str, formula: str, why_not: str, *, grave: bool = False) -> BoundCheck:
        sides = []
        for curve, of in ((marking.now, marking.limits_now), (marking.advised, bounds)):
            value = getattr(of, limit)
            sides.append(Bound(value, _holds(curve, what, value)))
        known = getattr(bounds, limit) is not None
        return BoundCheck(key, grave, what, sides[0], sides[1], formula if known else f"not computed: {why_not}")

    lone = "alpha B/(1 + alpha), one port feeds one queue; beyond, PFC acts before full marking"
    spread = "alpha B/(n (1 + alpha)), one port feeds all n; beyond, PFC may act before any mark"
    budget = f"{show_number((delay or 0) * 1e3)} us that the workload lets a hop add, x {show_rate(speed)} / 8"
    idle = f"{show_rate(speed)} x RTT / (8 x 7), a guide after DCTCP: below, the link may idle"
    no_rtt = "the round trip is unknown: fabric.rtt or --rtt"
    return (
        check("kmax_before_pause", "kmax <", "hard", lone, no_pause, grave=True),
        check("kmin_before_pause", "kmin <", "kmin", spread, no_pause),
        check("kmax_before_pause_all_ports", "kmax <", "kmax", "alpha B/(1 + n alpha), n queues at kmax", no_pause),
        check("kmin_fills_link", "kmin >=", "low", idle, no_rtt),
        check("kmax_delay", "kmax <=", "slow", budget, "the workload names no delay that a hop may add"),
    )


def _holds(curve: Ecn | None, what: str, limit: float | None) -> bool | None:
    if curve is None or limit is None:
        return None
    part, _, way = what.partition(" ")
    value: int = getattr(curve, part)
    return {"<": value < limit, "<=": value <= limit, ">=": value >= limit}[way]


def acts_before_pause(kmin: float, kmax: float, bounds: Limits) -> bool | None:
    """Whether kmin and kmax keep all bounds that make ECN act before PFC; None where one is unknown."""
    if bounds.hard is None or bounds.kmin is None or bounds.kmax is None:
        return None
    return kmax < bounds.hard and kmin < bounds.kmin and kmax < bounds.kmax
