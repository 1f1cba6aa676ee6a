"""What marking curves are made of: rules ECN308, ECN310, ECN312 to ECN314, JUN811 and JUN812."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import ceil, inf

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import Default, Device, Ecn, EcnPercent, Fabric, Family, TrafficClass
from rocecfg.model.fix import remove
from rocecfg.physics.ecn import share_of_limit
from rocecfg.profiles import SHIPPED
from rocecfg.rules.amounts import describe_origin, format_rough_size, round_below, round_down, round_up
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.buffer_headroom import path_mtu
from rocecfg.rules.marking import (
    NO_RAMP,
    UNHEARD,
    MarkingCurve,
    MarkingPort,
    ThresholdFault,
    hint_at_by_speed,
    iter_curves,
    judge_curves,
    least_kmin,
    least_spread,
    marking_bounds,
    most_kmax,
    report_worst,
)
from rocecfg.sizing.marking import scale_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.model import Asic, Nos, StockCurve

_FACTOR = 4  # what a threshold may differ from its family's
_ROUNDING = 0.1  # of a threshold; below it marking is the same


@rule(
    "ECN308",
    "ecn-vendor-default",
    WARNING,
    source="Bai et al., NSDI'23, section 8.2: thresholds taken from a lab lowered throughput; qos.json.j2 of SONiC's "
    "boxes",
    by_kind=UNHEARD,
)
def ecn_vendor_default(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """The thresholds are the defaults that the switch's operating system ships."""
    yield from judge_curves(fabric, device, cls, _judge_vendor_default)


def _iter_stock_curves(asic: Asic | None, nos: Nos, speed: int | None) -> Iterator[StockCurve]:
    """The curves that an operating system ships for such ports."""
    for stock in (*(asic.stock_ecn if asic is not None else ()), *nos.stock_ecn):
        if stock.nos == nos.name and (not stock.speeds or speed in stock.speeds):
            yield stock


def _judge_vendor_default(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    if curve.cls.profiled:
        return None
    ecn = curve.ecn
    instead = "ecn: auto without ecn_family" if curve.is_computed else "ecn: auto"
    for kind in kinds:
        nos = kind.device.nos
        if nos is None:
            continue
        for stock in _iter_stock_curves(kind.device.asic, nos, kind.speed):
            if (stock.kmin, stock.kmax, stock.pmax) == (ecn.kmin, ecn.kmax, ecn.pmax):
                return Hit(
                    f"kmin {show_size(ecn.kmin)}, kmax {show_size(ecn.kmax)} and pmax {show_number(ecn.pmax)}% are "
                    f"what {nos.title} ships ({stock.name}): stock values fit neither the speed of these ports nor "
                    "their traffic",
                    (ecn.at(""), ecn.at("kmin")),
                    f"set {instead}, which fits chip, speed and workload; or profiled: true if the values were "
                    "measured on this fabric",
                )
    return None


@rule(
    "ECN310",
    "ecn-scale",
    WARNING,
    source="a queue drains at the port's speed: thresholds of published families are bytes per Gbit/s",
    by_kind=UNHEARD,
)
def ecn_scale(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """The thresholds are those of another port speed."""
    family = fabric.ecn_family
    if family is not None and family.scaled and not isinstance(fabric.at("ecn_family"), Default):
        yield from judge_curves(fabric, device, cls, _judge_scale)


def _judge_scale(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    if not curve.is_sound or curve.cls.profiled:
        return None
    faults = []
    for kind in kinds:
        wanted = threshold_windows(fabric, kind)
        wording = ", ".join(f"{w.field}: {show_size(w.least)} to {show_size(w.most)}" for w in wanted)
        remedy = f"{wording}{hint_at_by_speed(curve)}; or set profiled: true if the values were measured on this fabric"
        faults += [fault for w in wanted for fault in _iter_window_faults(fabric, curve, kind, w, remedy)]
    hit = report_worst(curve, faults)
    published = _find_published_family(curve.ecn) if hit is not None else None
    if hit is None or published is None:
        return hit
    known = f"; these values are published (profile {published.file}) and worked where they were tried"
    return hit._replace(message=hit.message + known, severity=INFO)


def _find_published_family(ecn: Ecn) -> Family | None:
    """The published family that has just these thresholds, at whatever speed."""
    families = (SHIPPED.family(name) for name in SHIPPED.names("ecn"))
    return next((of for of in families if not of.scaled and (of.kmin, of.kmax) == (ecn.kmin, ecn.kmax)), None)


class ThresholdWindow(NamedTuple):
    """Where a threshold may be on one kind of port. Bytes; `low` is None where the lower edge is not known."""

    field: str
    family: float
    cap: float  # the family's, or what bounds it if that is lower
    low: float | None
    high: float
    step: int | None
    bound: float | None  # of other rules, for what is told to pass

    @property
    def least(self) -> int:
        """The smallest value to recommend."""
        return round_up(self.cap / _FACTOR, self.step)

    @property
    def most(self) -> int:
        """The largest value to recommend."""
        most = round_down(self.high, self.step)
        return most if self.bound is None else min(most, round_below(self.bound, self.step))


def threshold_windows(fabric: Fabric, kind: MarkingPort) -> list[ThresholdWindow]:
    """Where kmin and kmax may be; nothing where that is not known.

    The family's values, lowered to the bounds of `ecn-before-pfc` and of the delay, may be missed by a factor of 4 to
    either side: a bound below a quarter of the family's value would leave none that passes.
    """
    family = fabric.ecn_family
    if family is None or kind.speed is None or kind.deep:
        return []
    kmin, kmax = scale_family(family, kind.speed)
    limits, delay = marking_bounds(kind), most_kmax(fabric, kind)
    paused = kind.lossless and fabric.mode == "lossless"
    known = not paused or (limits is not None and limits.kmin is not None)
    kmin_bound = limits.kmin if paused and limits is not None else None
    tops = [b for b in (limits.kmax if paused and limits is not None else None, delay) if b is not None]
    kmax_bound = min(tops, default=None)
    low = least_kmin(fabric, kind) or 0
    wide = least_spread(fabric, kind) or 0
    out = []
    for field, value, bound, floor in (("kmin", kmin, kmin_bound, low), ("kmax", kmax, kmax_bound, low + wide)):
        cap = value if bound is None else min(value, bound)
        edge = cap / _FACTOR if known else None
        out.append(ThresholdWindow(field, value, cap, edge, max(_FACTOR * value, floor), kind.step, bound))
    return out


def _least_auto_threshold(kind: MarkingPort, field: str) -> float:
    """The least that the chip's table has of a threshold at that speed, less the step to which it is rounded."""
    asic = kind.device.asic
    table = SHIPPED.curves_of(asic.name) if asic is not None else None
    rows = table.rows.get(kind.speed or 0, {}) if table is not None else {}
    return min((getattr(row, field) for row in rows.values()), default=inf) - (kind.step or 1)


def _iter_window_faults(
    fabric: Fabric, curve: MarkingCurve, kind: MarkingPort, window: ThresholdWindow, remedy: str
) -> Iterator[ThresholdFault]:
    value: int = getattr(curve.ecn, window.field)
    family = fabric.ecn_family
    assert family is not None
    assert kind.speed is not None
    there = f"family {family.name} ({describe_origin(fabric.at('ecn_family'))})"
    what = f"{window.field} {show_size(value)}{kind.where}"
    scaled_up = f"{format_rough_size(window.family)} at {show_rate(kind.speed)}"
    if window.low is not None and value < window.low:
        if value > _least_auto_threshold(kind, window.field):
            return
        lowered = f", limited by PFC or delay to {format_rough_size(window.cap)}" * (window.cap < window.family)
        wording = (
            f"{what} is below {format_rough_size(window.low, up=True)}, a quarter of the value of {there}, {scaled_up}"
            f"{lowered}: marking starts early, and throughput can drop"
        )
        yield ThresholdFault(window.field, window.low / value, wording, remedy)
    elif value > window.high:
        wording = (
            f"{what} is above {format_rough_size(window.high)}, four times the value of {there}, {scaled_up}: marking "
            "starts late, and queues grow long"
        )
        yield ThresholdFault(window.field, value / window.high, wording, remedy)


@rule(
    "ECN312",
    "ecn-fixed-point",
    WARNING,
    source="DCQCN, SIGCOMM'15, section 3, with senders cut one by one (rocecfg/physics/dcqcn_linear.py)",
    by_kind=UNHEARD,
)
def ecn_fixed_point(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """pmax is too low for the number of senders: no queue between kmin and kmax slows them down enough."""
    if fabric.incast is not None and fabric.congestion_control == "dcqcn":
        yield from judge_curves(fabric, device, cls, _judge_fixed_point)


def _judge_fixed_point(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    ecn, senders = curve.ecn, fabric.incast
    if not (0 < ecn.kmin < ecn.kmax and NO_RAMP <= ecn.pmax <= 100) or curve.cls.profiled or senders is None:
        return None  # ecn-order, ecn-step or ecn-pmax tells of it
    most, packet, speed = 0.0, 0, 0
    for kind in kinds:
        if kind.speed is None or kind.port.faces == "switch":
            continue  # senders to one receiver meet on its port
        payload = path_mtu(fabric, kind.port)
        needed = 100 * _needed_marking(kind.speed, senders, payload)
        if needed > max(most, ecn.pmax):
            most, packet, speed = needed, payload, kind.speed
    if not speed:
        return None
    held = _most_senders(speed, ecn.pmax, packet)
    wording = (
        f"pmax {show_number(ecn.pmax)}% on {show_rate(speed)} ports is enough for {held} sender{'s'[: held != 1]}, but "
        f"incast is {senders} ({describe_origin(fabric.at('incast'))}), which needs {most:.3g}%: a queue below kmax "
        f"{show_size(ecn.kmax)} does not slow them down enough. By DCQCN's model with its published parameters and "
        f"{packet} B packets"
    )
    return Hit(wording, (ecn.at("pmax"),), f"pmax: {min(ceil(most), 100)}% or more")


@lru_cache(maxsize=256)  # a fabric has few speeds
def _needed_marking(speed: int, senders: int, packet: int) -> float:
    from rocecfg.physics import dcqcn, dcqcn_linear  # only where an incast is known

    return dcqcn_linear.needed_marking(speed, senders, dcqcn.PAPER._replace(packet=packet))


@lru_cache(maxsize=256)
def _most_senders(speed: int, pmax: float, packet: int) -> int:
    from rocecfg.physics import dcqcn, dcqcn_linear

    return dcqcn_linear.most_senders(speed, pmax / 100, dcqcn.PAPER._replace(packet=packet))


@rule(
    "ECN313",
    "ecn-color",
    ERROR,
    source="sonic-wred-profile.yang: each colour is enabled apart; packets are green unless a policer says otherwise",
)
def ecn_color(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """ECN is off for green packets, and all packets of a lossless class are green."""
    if device.nos is None or device.nos.knows("class.ecn.colors"):  # else nos-unsupported says so
        yield from judge_curves(fabric, device, cls, _judge_colors)


def _judge_colors(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    colors = curve.ecn.colors
    if "green" in colors or not colors:
        return None
    return Hit(
        f"colors are {', '.join(colors)}, but packets are green unless a policer recolors them: nothing is marked",
        (curve.ecn.at("colors"),),
        "remove colors, or write colors: all",
        fix=unsafe_fix("leave colors out", remove, curve.ecn.origins.get("colors")),
    )


@rule(
    "ECN314",
    "ecn-cell",
    INFO,
    source="chips count thresholds in cells; Cumulus Linux reads 150000 B back as 159744 B on Spectrum-4",
)
def ecn_cell(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """The chip may round a threshold by more than 10 %."""
    yield from judge_curves(fabric, device, cls, _judge_rounding)


def _judge_rounding(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    if not curve.is_sound:
        return None
    steps = {kind.step: kind for kind in kinds if kind.step}
    if not steps:
        return None
    step, kind = max(steps.items(), key=lambda s: s[0] or 0)
    asic = kind.device.asic
    assert step is not None
    assert asic is not None
    rounded = []
    for field, value in (("kmin", curve.ecn.kmin), ("kmax", curve.ecn.kmax)):
        down = value // step * step
        off = max(value - down, down + step - value) / value if value != down else 0
        if off > _ROUNDING:
            rounded.append((off, field, value, f"{down}B or {down + step}B" if down else f"{step}B"))
    if not rounded:
        return None
    off, field, value, either = max(rounded)
    return Hit(
        f"{field} {show_size(value)} is not a multiple of {step}B, the unit of {asic.title} "
        f"({describe_origin(asic.fact('ecn_step'))}): the chip rounds it to {either}, up to {off:.0%} away, and "
        "reads back that value",
        (curve.ecn.at(field),),
        ", ".join(f"{name}: {steps}" for _, name, _, steps in rounded),
    )


# -- fill levels of Junos ----------------------------------------------------------------------------------------------

_SOON, _LATE = 2, 95  # percent of the queue's buffer: marking from the first packets, and next to never
_DESIGN = "kmin: 55%, kmax: 90%, the values of Juniper's validated design for RDMA"


def _judge_fill_levels(
    device: Device, cls: TrafficClass, is_wrong: Callable[[float, float], bool], key: str, words: str
) -> Iterator[Hit]:
    """The curves of a class whose kmin and kmax are wrong in percent of what its queue can hold.

    `key`: what is wrong of them; `words`: what follows from it, behind the class.
    """
    limit = device.buffers.queue_limit
    for curve, where in iter_curves(device, cls) if not cls.profiled else ():
        low: float
        high: float
        if isinstance(curve, EcnPercent):
            low, high = curve.kmin, curve.kmax
        elif limit:
            low, high = share_of_limit(curve.kmin, limit), share_of_limit(curve.kmax, limit)
        else:
            continue
        if is_wrong(low, high):
            given = words.format(low=show_number(low), high=show_number(high))
            yield Hit(f"class {cls.name} is marked{where} {given}", (curve.at(key),), f"set {_DESIGN}", cls=cls.name)


@rule(
    "JUN811",
    "junos-early-marking",
    WARNING,
    source="Juniper/jvd 005ab344: 55 and 90 in the validated design for RDMA",
    by_kind=UNHEARD,
    vendors=("junos",),
)
def junos_early_marking(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Junos: fill levels that mark almost every queued packet."""
    words = "between {low} and {high} percent of its queue's buffer: nearly every queued packet is marked"
    return _judge_fill_levels(device, cls, lambda low, high: 0 < low <= high <= _SOON, "kmax", words)


@rule(
    "JUN812",
    "junos-late-marking",
    WARNING,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 4: ECN has to come before PFC",
    by_kind=UNHEARD,
    vendors=("junos",),
)
def junos_late_marking(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Junos: fill levels so high that PFC pauses before ECN marks."""
    words = "from {low} percent of its queue's buffer on: PFC pauses first, and senders almost never see a mark"
    return _judge_fill_levels(device, cls, lambda low, high: _LATE <= low <= high, "kmin", words)


RULES: tuple[Rule, ...] = (
    ecn_vendor_default,
    ecn_scale,
    ecn_fixed_point,
    ecn_color,
    ecn_cell,
    junos_early_marking,
    junos_late_marking,
)
