"""The marking curve of a class, or what `ecn: auto` would give it, and the bounds that both keep or break."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from rocecfg.advice.compare import CurveVerdict
from rocecfg.advice.headroom import NO_CHIP, shipped_alpha
from rocecfg.advice.port_kinds import AdvisedSetting, PortKind, Value
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import Percent, show_percent
from rocecfg.model import AUTO, Computed, Default, Ecn, EcnPercent, Origin
from rocecfg.rules.nos import find_refusals
from rocecfg.rules.nos_settings import read_curves
from rocecfg.sizing.marking import Aims, Demand, Limits, find_curve, find_limits, merge_demands

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic

    Demands = dict[tuple[Asic | None, int | None], Demand]

_KEYS = {"kmin": "kmin_bytes", "kmax": "kmax_bytes", "pmax": "pmax_percent", "weight": "weight"}
CURVE = frozenset(_KEYS.values())
"""The keys of settings that make a marking curve."""

_HERE = Default("rocecfg advise")
IN_PERCENT = "thresholds are in percent of the queue's buffer, whose size in bytes is unknown"

Judge = Callable[[Ecn, Ecn], CurveVerdict]
"""Whether the second of two curves is to replace the first, and why."""


class AdvisedMarking(NamedTuple):
    """Two curves, each with its bounds; None where there is no such curve."""

    now: Ecn | None
    advised: Ecn | None
    why_not: str  # where nothing is advised
    limits_now: Limits | None  # None: the ports' speed is not stated
    limits: Limits | None  # with the alpha that is advised
    settings: tuple[AdvisedSetting, ...]
    verdict: CurveVerdict | None  # on what `ecn: auto` gives in place of the curve that is stated; None: not compared


def advise_marking(kind: PortKind, aims: Aims, demands: Demands, judge: Judge) -> AdvisedMarking:
    """The curve of a class on these ports. One that is stated gives way only where `judge` finds another better."""
    have = kind.cls.ecn_at(kind.port.speed)
    now = have if isinstance(have, Ecn) else None
    shares = have if isinstance(have, EcnPercent) else None
    advised, why_not = _find_automatic(kind, aims, demands) if shares is None else (None, IN_PERCENT)
    verdict = None
    if now is not None and (kind.cls.profiled or is_stated(now)):
        if kind.cls.profiled or advised is None:
            advised, why_not = now, ""
        elif (now.kmin, now.kmax, now.pmax) != (advised.kmin, advised.kmax, advised.pmax):
            verdict = judge(now, advised)
            advised = advised if verdict.change else now
    settings = []
    for part, key in _KEYS.items():
        value, place = _part_now(part, kind)
        if advised is None:
            settings.append(AdvisedSetting(key, value, place, None, f"not computed: {why_not}"))
        else:
            settings.append(AdvisedSetting(key, value, place, *_advise_part(part, kind, now, advised, verdict)))
    return AdvisedMarking(now, advised, why_not, *curve_bounds(kind, aims), tuple(settings), verdict)


def _part_now(part: str, kind: PortKind) -> tuple[Value, Origin | None]:
    """What the ports have of a curve, and where from."""
    have = kind.cls.ecn_at(kind.port.speed)
    if not isinstance(have, Ecn | EcnPercent):
        return AUTO if have == AUTO else "off", kind.cls.origins.get("ecn")
    value = getattr(have, part)
    return show_percent(value) if isinstance(value, Percent) else value, have.at(
        part
    )  # no bytes, whatever the key says


def _advise_part(
    part: str, kind: PortKind, now: Ecn | None, advised: Ecn, verdict: CurveVerdict | None
) -> tuple[Value, str, tuple[Origin, ...]]:
    """What is advised of a curve, why, and from which figures."""
    value = getattr(advised, part)
    if kind.cls.profiled:
        return value, "measured on this fabric (profiled: true): no formula knows better", (kind.cls.at("ecn"),)
    if is_stated(now) and advised is now:
        kept = verdict.why if verdict is not None else "it is what `ecn: auto` gives"
        return _part_now(part, kind)[0], f"stated, and kept: {kept}", ()
    at = advised.at(part)
    why = f"what `ecn: auto` gives: {getattr(at, 'formula', '')}"
    return value, f"{verdict.why}; {why}" if verdict is not None else why, _inputs_of(at)


def curve_bounds(kind: PortKind, aims: Aims) -> tuple[Limits | None, Limits | None]:
    """The bounds of a curve with the alpha that the ports have, and with the one that is advised.

    Without those that pauses set where the chip has external memory.
    """
    now, advised = _all_bounds(kind, aims)
    return _without_pause_bounds(now, kind), _without_pause_bounds(advised, kind)


def _all_bounds(kind: PortKind, aims: Aims) -> tuple[Limits | None, Limits | None]:
    return (
        _find_limits(kind, aims, [p.alpha for p in kind.ports]),
        _find_limits(kind, aims, [shipped_alpha(kind, p.cable)[0] for p in kind.ports]),
    )


def is_stated(curve: Ecn | None) -> bool:
    """Whether somebody wrote the curve down, and it is not what `ecn: auto` came to."""
    return curve is not None and not isinstance(curve.at("kmin"), Computed)


def _without_pause_bounds(bounds: Limits | None, kind: PortKind) -> Limits | None:
    """Without the bounds that pauses set where the chip has external memory: there the pool is not what fills."""
    asic = kind.device.asic
    if bounds is None or asic is None or asic.shallow:
        return bounds
    return bounds._replace(hard=None, kmin=None, kmax=None)


def _find_limits(kind: PortKind, aims: Aims, alphas: list[float | None]) -> Limits | None:
    """The bounds with the tightest alpha and the longest cable among the ports of that speed."""
    speed = kind.port.speed
    if speed is None:
        return None
    known = [alpha for alpha in alphas if alpha is not None]
    tightest = min(known) if known and len(known) == len(alphas) else None
    longest = max((p.cable for p in kind.ports if p.cable is not None), default=None)
    return find_limits(kind.device.pools.lossless, tightest, kind.sharing, speed, longest, aims)


def merge_kind_demands(kinds: Iterable[PortKind], aims: Aims) -> Demands:
    """What all ports of a chip and a speed ask of the curve that `ecn: auto` gives them."""
    found: dict[tuple[Asic | None, int | None], list[Demand]] = {}
    for kind in kinds:
        _, bounds = _all_bounds(kind, aims)
        if bounds is not None:
            _, alpha_at = shipped_alpha(kind, kind.port.cable)
            facts = (kind.device.pools.at("lossless"), *((alpha_at,) if alpha_at is not None else ()))
            mtu = max((p.mtu for p in kind.ports if p.mtu is not None), default=None)
            found.setdefault((kind.device.asic, kind.port.speed), []).append(Demand(bounds, mtu, facts))
    return {of: merge_demands(every) for of, every in found.items()}


def _find_automatic(kind: PortKind, aims: Aims, demands: Demands) -> tuple[Ecn | None, str]:
    """The curve that `ecn: auto` gives, or why there is none."""
    asic, speed = kind.device.asic, kind.port.speed
    if asic is None:
        return None, NO_CHIP
    demand = demands.get((asic, speed))
    if speed is None or demand is None:
        return None, "the speed of these ports is not stated"
    curve = find_curve(aims, asic, speed, demand, _HERE)
    asked = read_curves(kind.device, replace(kind.cls, ecn=curve, ecn_by_speed=()))
    refused = next(iter(find_refusals(kind.device, asked).values()), "")
    return (None, refused) if refused else (curve, "")


def _inputs_of(origin: Origin) -> tuple[Origin, ...]:
    """What a working was made from, without the place that asked for it."""
    inputs: tuple[Origin, ...] = getattr(origin, "inputs", ())
    return tuple(one for one in inputs if one is not _HERE)
