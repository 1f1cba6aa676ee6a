"""ECN: the marking of each traffic class (egress queue) on a group of ports."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import ALL_COLORS, AUTO, Device, Ecn, PortGroup, TrafficClass
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.priorities import PRIORITIES
from rocecfg.vendors.spectrum.ranges import Table, make_table


class Marking(NamedTuple):
    """ECN of a TC: thresholds in bytes, probability in percent; all None where it is off."""

    ecn: str  # enable | disable
    min_threshold: int | None
    max_threshold: int | None
    probability: int | None


OFF = Marking("disable", None, None, None)  # said for every unmarked TC: `qos roce` marks TC 0 and 3


def marking_of(device: Device, group: PortGroup) -> Table[Marking]:
    """All eight TCs on these ports; CannotRender for a curve that NVUE cannot draw."""
    crossing = device.classes_on(group)
    return make_table(tuple((tc, _merge_curves([c for c in crossing if c.queue == tc], group)) for tc in PRIORITIES))


def _merge_curves(classes: list[TrafficClass], group: PortGroup) -> Marking:
    curves: dict[Ecn, TrafficClass] = {}
    for c in classes:
        curve = _curve_of(c, group)
        if curve is not None:
            curves.setdefault(curve, c)
    if not curves:
        return OFF
    if len(curves) > 1:
        names = " and ".join(c.name for c in curves.values())
        raise CannotRender(
            f"classes {names} share queue {classes[0].queue} but not their ECN curve",
            "a queue marks by one curve: state the same, or separate queues",
            tuple(c.at("ecn") for c in curves.values()),
        )
    curve, c = next(iter(curves.items()))
    _check_curve(curve, c)
    return Marking("enable", curve.kmin, curve.kmax, int(curve.pmax))


def _curve_of(c: TrafficClass, group: PortGroup) -> Ecn | None:
    curve = c.ecn_at(group.speed)
    if curve == AUTO:
        speed = f" at {show_rate(group.speed)}" if group.speed is not None else ""
        raise CannotRender(
            f"ecn of class {c.name} is auto, and no profile gives a value for this device{speed}",
            "write ecn: {kmin: ..., kmax: ..., pmax: ...}",
            (c.at("ecn"), group.at("")),
        )
    if curve is None and c.ecn_by_speed and group.speed is None:
        raise CannotRender(
            f"ecn of class {c.name} is stated by port speed, but the speed of the ports is not",
            "state speed on the ports, or a curve for all speeds",
            (c.at("ecn"), group.at("speed", "")),
        )
    if curve is not None and not isinstance(curve, Ecn):
        raise CannotRender(
            f"ecn of class {c.name} is in percent of the queue's buffer: NVUE takes bytes",
            "write sizes, such as kmin: 400KB",
            (c.at("ecn"),),
        )
    return curve


def _check_curve(curve: Ecn, c: TrafficClass) -> None:
    """NVUE: thresholds from 1 byte, whole percents, marking on the instantaneous queue and whatever the colour."""
    wrong: list[tuple[str, str, str]] = []
    if curve.weight:
        wrong.append(("weight", f"averages with weight {curve.weight}", "write weight: 0, NVUE has no averaging"))
    if set(curve.colors) != set(ALL_COLORS):
        wrong.append(("colors", f"marks only {', '.join(curve.colors)}", "write colors: all, NVUE has no colours"))
    if curve.kmin < 1:
        wrong.append(("kmin", f"has kmin {curve.kmin} B", "write at least 1B, the least min-threshold of NVUE"))
    if curve.kmin > curve.kmax:
        wrong.append(("kmin", f"has kmin {curve.kmin} B above kmax {curve.kmax} B", "swap them"))
    if curve.pmax != int(curve.pmax) or not 1 <= curve.pmax <= 100:
        wrong.append(("pmax", f"has pmax {show_number(curve.pmax)} %", "NVUE takes whole percents from 1 to 100"))
    for field, what, fix in wrong:
        raise CannotRender(f"ecn of class {c.name} {what}", fix, (curve.at(field), c.at("ecn")))
