"""ECN thresholds against pauses, round trip and delay: rules ECN307, ECN309, ECN311, ECN317, ECN318 and ECN330."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.core.units import show_number, show_size
from rocecfg.model import Computed, Device, EcnPercent, Fabric, TrafficClass
from rocecfg.physics.ecn import kmax_hard
from rocecfg.physics.headroom import roce_frame
from rocecfg.rules.amounts import (
    describe_origin,
    format_rough_size,
    format_upper_bound,
    round_below,
    round_down,
    round_up,
    show_wait,
)
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import path_mtu
from rocecfg.rules.common import join_words
from rocecfg.rules.ecn_values import threshold_windows
from rocecfg.rules.marking import (
    SPREAD,
    UNHEARD,
    MarkingBounds,
    MarkingCurve,
    MarkingPort,
    ThresholdFault,
    hint_at_by_speed,
    judge_curves,
    least_kmin,
    least_spread,
    marking_bounds,
    most_kmax,
    report_worst,
    round_trip,
)
from rocecfg.sizing.chip import DYNAMIC, name_other_tables
from rocecfg.sizing.templates import buffer_model

# -- pauses ------------------------------------------------------------------------------------------------------------


@rule(
    "ECN307",
    "ecn-before-pfc",
    ERROR,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 4, with the dynamic threshold alpha (B - used)",
    by_kind={"lossy": OFF, "semi-lossless": OFF, "no-cc": OFF},
    of_tables=("alpha", "pools"),
)
def ecn_before_pfc(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """PFC pauses before marking begins, or before it is full."""
    yield from judge_curves(fabric, device, cls, _judge_before_pfc)


def _judge_before_pfc(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    known = [(kind, limits) for kind in kinds if (limits := marking_bounds(kind)) is not None]
    if not curve.is_sound or not known:
        return None
    kmin, kmax = _largest_thresholds(known)
    fix = (
        _suggest_separate_curves(fabric, curve, known)
        if _is_too_low_elsewhere(fabric, kinds, kmin, kmax)
        else _format_thresholds(kmin, kmax)
    )
    return report_worst(
        curve, [fault for kind, limits in known for fault in _iter_pause_faults(curve, kind, limits, fix)]
    )


def _largest_thresholds(known: Iterable[tuple[MarkingPort, MarkingBounds]]) -> tuple[int | None, int]:
    """The largest kmin and kmax that stay below the bounds of all these ports; kmin None where it has none."""
    kmins = [round_below(limits.kmin, kind.step) for kind, limits in known if limits.kmin is not None]
    kmaxs = [
        round_below(bound, kind.step)
        for kind, limits in known
        for bound in (limits.hard, limits.kmax)
        if bound is not None
    ]
    return min(kmins, default=None), min(kmaxs)


def _format_thresholds(kmin: int | None, kmax: int) -> str:
    return ", ".join((*(() if kmin is None else (format_upper_bound("kmin", kmin),)), format_upper_bound("kmax", kmax)))


def _is_too_low_elsewhere(fabric: Fabric, kinds: list[MarkingPort], kmin: int | None, kmax: int) -> bool:
    """Whether what suits the smallest pool is too little for another kind of switch by `ecn-scale` or `ecn-low`."""
    if len({_switch_kind(kind) for kind in kinds}) < 2:
        return False
    lows = [(w.field, w.low) for kind in kinds for w in threshold_windows(fabric, kind) if w.low is not None]
    lows += [("kmin", low) for kind in kinds if not kind.deep and (low := least_kmin(fabric, kind)) is not None]
    most = {"kmin": kmin, "kmax": kmax}
    return any((top := most[field]) is not None and top < low for field, low in lows)


def _switch_kind(kind: MarkingPort) -> tuple[str | None, str]:
    """What tells kinds of switch apart, for which a curve may be stated."""
    return kind.device.vendor, kind.device.asic.title if kind.device.asic is not None else ""


def _suggest_separate_curves(
    fabric: Fabric, curve: MarkingCurve, known: list[tuple[MarkingPort, MarkingBounds]]
) -> str:
    """What each kind of switch takes, where no one curve suits all of them."""
    of: dict[tuple[str | None, str], list[tuple[MarkingPort, MarkingBounds]]] = {}
    for kind, limits in known:
        of.setdefault(_switch_kind(kind), []).append((kind, limits))
    each = []
    for (_, chip), group in of.items():
        keys = join_words(dict.fromkeys(kind.device.key or "these switches" for kind, _ in group))
        each.append(f"{keys} ({chip}): {_format_thresholds(*_largest_thresholds(group))}")
    return (
        f"no single curve suits all of these switches: state ecn of class {curve.cls.name} for each kind of device, "
        f"{'; '.join(each)}; or set ecn: auto, which suits each"
    )


def _iter_pause_faults(
    curve: MarkingCurve, kind: MarkingPort, limits: MarkingBounds, fix: str
) -> Iterator[ThresholdFault]:
    """Each bound that the curve is not below."""
    device, n = kind.device, kind.ports
    spectrum = device.asic is not None and device.asic.headroom_formula is not None
    lesser = INFO if spectrum else WARNING
    most = _most_of_one_queue(device, limits)
    for field, bound, formula, which, reported, severity in (
        ("kmax", limits.hard, "alpha B/(1 + alpha)", "for one congested queue", "marks every packet of it", ERROR),
        (
            "kmin",
            limits.kmin,
            "alpha B/(n (1 + alpha))",
            f"for a port that feeds all {n} ports",
            "marks any packet",
            lesser,
        ),
        ("kmax", limits.kmax, "alpha B/(1 + n alpha)", f"with all {n} ports congested", "marks every packet", lesser),
    ):
        value: int = getattr(curve.ecn, field)
        if bound is None or value < bound:
            continue
        sure = severity != ERROR or most is None or value >= most
        ports = f", n {n} ports with a lossless class" if "n " in formula else ""
        yield ThresholdFault(
            field,
            value / bound,
            f"{field} ({show_size(value)}) is not below the PFC threshold {which} ({format_rough_size(bound)}), so "
            f"PFC pauses before ECN {reported}. Threshold: {formula}, "
            f"B {format_rough_size(limits.pool)} ({describe_origin(device.pools.at('lossless'))}), "
            f"alpha {show_number(limits.alpha)} ({describe_origin(kind.port.at('alpha'))}){ports}",
            fix,
            severity if sure else lesser,
        )


def _most_of_one_queue(device: Device, limits: MarkingBounds) -> float | None:
    """What one queue may hold at most where the switch computes the pool itself; None where the pool is known.

    A template's pool is that of the traditional model, with the cables of its role: with shorter ones the dynamic model
    leaves several times as much, at most all of the buffer.
    """
    worked_out = buffer_model(device) == DYNAMIC and isinstance(device.pools.at("lossless"), Computed)
    if not worked_out or device.pools.total is None:
        return None
    return kmax_hard(limits.alpha, device.pools.total)


# -- round trip, delay and deep buffers --------------------------------------------------------------------------------


@rule(
    "ECN309",
    "ecn-low",
    WARNING,
    source="Alizadeh et al., SIGCOMM'10 (DCTCP), section 3.3: K > C x RTT/7 (from memory of the source)",
    by_kind=UNHEARD,
)
def ecn_low(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """kmin is so low that the link idles."""
    if fabric.rtt is not None:
        yield from judge_curves(fabric, device, cls, _judge_low_kmin)


def _judge_low_kmin(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    if not curve.is_sound or curve.cls.profiled:
        return None
    faults = []
    for kind in kinds:
        low, rtt = least_kmin(fabric, kind), round_trip(fabric, kind)
        if low is None or rtt is None or kind.deep or curve.ecn.kmin >= low:
            continue
        raised, limits = round_up(low, kind.step), marking_bounds(kind)
        wording = (
            f"kmin {show_size(curve.ecn.kmin)}{kind.where} is below {format_rough_size(low, up=True)}, the least "
            f"for RTT {show_wait(rtt[0])} ({rtt[1]}): senders slow down before the queue can fill the path, and the "
            "link idles"
        )
        if limits is not None and limits.kmin is not None and raised >= limits.kmin:
            if not _is_too_far(fabric, curve, kind):  # else ecn-long-rtt tells of it
                told = name_other_tables(kind.device, kind.port, ("alpha", "pools"))
                wording += f"; a kmin of {format_rough_size(limits.kmin)} or more comes after the PFC pause"
                wording += f" (tables{told})" if told else ""
                most = round_below(limits.kmin, kind.step)
                raise_it = f"kmin: {show_size(most)}, the most there is room for; " * (curve.ecn.kmin < most)
                faults.append(ThresholdFault("kmin", low / curve.ecn.kmin, wording + _LEAST, raise_it + _TOO_FAR))
            continue
        above = ", and kmax above it" if raised >= curve.ecn.kmax else ""
        fix = f"kmin: {show_size(raised)} or more{above}{hint_at_by_speed(curve)}"
        faults.append(ThresholdFault("kmin", low / curve.ecn.kmin, wording + _LEAST, fix))
    return report_worst(curve, faults)


_LEAST = ". Least: S x RTT/(8 x 7)"


@rule(
    "ECN330",
    "ecn-below-packet",
    WARNING,
    source="a queue is counted in whole packets: RoCE's largest has the path MTU and 82 B of headers",
    by_kind=UNHEARD,
    vendors=("sonic", "arista"),  # of NVUE's thresholds its reader tells
)
def ecn_below_packet(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """kmin is less than one packet, so every queued packet may be marked; usually its unit is missing."""
    if fabric.rtt is None or not any(judge_curves(fabric, device, cls, _judge_low_kmin)):
        yield from judge_curves(fabric, device, cls, _judge_kmin_below_packet)


def _judge_kmin_below_packet(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    """A kmin that the first waiting packet passes, whatever the round trip."""
    if not curve.is_sound or curve.cls.profiled:
        return None
    faults = []
    for kind in kinds:
        packet = roce_frame(path_mtu(fabric, kind.port))
        if curve.ecn.kmin >= packet:
            continue
        wording = (
            f"kmin {show_size(curve.ecn.kmin)}{kind.where} is less than one RoCE packet of {packet} B: every queued "
            "packet may be marked, senders slow down without congestion, and the link idles"
        )
        units = "the unit (kmin: 150KB)" if curve.ecn.kmax > _USUAL_KMIN else "kmin and kmax with their units"
        faults.append(ThresholdFault("kmin", packet / curve.ecn.kmin, wording, f"write {units}, or ecn: auto"))
    return report_worst(curve, faults)


@rule(
    "ECN311",
    "ecn-delay",
    WARNING,
    source="queueing delay is 8 x kmax/S; the most a hop may add is the workload's queue_delay",
    by_kind=UNHEARD,
)
def ecn_delay(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A queue at kmax takes longer to drain than the workload tolerates."""
    if fabric.workload is not None and fabric.workload.queue_delay is not None:
        yield from judge_curves(fabric, device, cls, _judge_delay)


def _judge_delay(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    workload, kmax = fabric.workload, curve.ecn.kmax
    slow = [(kind, most) for kind in kinds if (most := most_kmax(fabric, kind)) is not None and kmax > most]
    if not slow or not curve.is_sound or workload is None:
        return None
    kind, most = min(slow, key=lambda k: k[1])
    speed = kind.speed or 0
    budget = describe_origin(workload.fact("queue_delay"))
    wording = (
        f"a queue at kmax {show_size(kmax)}{kind.where} delays packets by "
        f"{show_wait(8e3 * kmax / speed)}, but a hop may add only "
        f"{show_wait(8e3 * most / speed)} ({budget}). Delay: 8 x kmax/S"
    )
    passing = round_down(most, kind.step)
    lower = ", and kmin below it" if curve.ecn.kmin >= passing else ""
    fix = f"{format_upper_bound('kmax', passing)}{kind.where}{lower}{hint_at_by_speed(curve)}"
    return report_worst(curve, [ThresholdFault("kmax", kmax / most, wording, fix)])


@rule(
    "ECN318",
    "ecn-long-rtt",
    WARNING,
    source="Bai et al., NSDI'23, section 7.3: long round trips need sparse marking, a wide ramp with a small pmax",
    by_kind=UNHEARD,
)
def ecn_long_rtt(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Marking is too dense for a round trip above 100 us."""
    if fabric.rtt is not None:
        yield from judge_curves(fabric, device, cls, _judge_long_rtt)
        yield from _judge_percent(fabric, device, cls)


def _judge_percent(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A ramp in percent of a queue's buffer, of which it is known that it is no more than the chip has."""
    total = device.pools.total
    if total is None or cls.profiled:
        return
    for port in device.ports:
        curve = cls.ecn_at(port.speed) if cls.name in port.classes else None
        kind = MarkingPort(device, port, port.speed, None, cls.lossless)
        rtt, spread = round_trip(fabric, kind), least_spread(fabric, kind)
        if not isinstance(curve, EcnPercent) or rtt is None or spread is None or kind.deep:
            continue
        ramp = curve.kmax - curve.kmin
        most = ramp / 100 * total
        if 0 < most < spread:
            yield Hit(
                f"kmax - kmin is {show_number(ramp)}%{kind.where}, {format_rough_size(most)} at most with a buffer "
                f"of {format_rough_size(total)}, below the {format_rough_size(spread, up=True)} needed for RTT "
                f"{show_wait(rtt[0])} ({rtt[1]}): marks come too densely for senders that far away, and throughput "
                f"drops. Needed: S x RTT/8/{SPREAD}",
                (curve.at("kmax"),),
                _TOO_FAR,
                cls=cls.name,
            )
            return


def _is_too_far(fabric: Fabric, curve: MarkingCurve, kind: MarkingPort) -> bool:
    """Whether the ramp is too short for the round trip, and there is no room for a wider one."""
    spread = least_spread(fabric, kind)
    if spread is None or curve.ecn.kmax - curve.ecn.kmin >= spread:
        return False
    return _suggest_wider_ramp(fabric, curve, kind, spread) is None


def _judge_long_rtt(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    ecn = curve.ecn
    if not curve.is_sound or curve.cls.profiled:
        return None
    faults = []
    for kind in kinds:
        rtt, spread = round_trip(fabric, kind), least_spread(fabric, kind)
        if rtt is None or spread is None or kind.deep:
            continue
        if ecn.kmax - ecn.kmin >= spread:
            continue
        wider = _suggest_wider_ramp(fabric, curve, kind, spread)
        fix = f"{wider}, with a small pmax{hint_at_by_speed(curve)}" if wider is not None else _TOO_FAR
        wording = (
            f"kmax - kmin is {show_size(ecn.kmax - ecn.kmin)}{kind.where}, below the "
            f"{format_rough_size(spread, up=True)} needed for RTT {show_wait(rtt[0])} ({rtt[1]}): marks come "
            "too densely for senders that far away, and throughput drops"
        )
        if wider is None:
            wording += "; PFC and the delay limit of the workload leave this switch no buffer for a wider ramp"
        wording += f". Needed: S x RTT/8/{SPREAD}"
        faults.append(ThresholdFault("kmax", spread / max(ecn.kmax - ecn.kmin, 1), wording, fix))
    return report_worst(curve, faults)


_USUAL_KMIN = 150_000  # bytes: the stock curve of Cumulus Linux
_TOO_FAR = (
    "no thresholds suit so long a path: keep senders that far away out of this class (use a class that is not "
    "lossless, with congestion control for long paths); or correct rtt if the path is shorter"
)


def _suggest_wider_ramp(fabric: Fabric, curve: MarkingCurve, kind: MarkingPort, spread: float) -> str | None:
    """Thresholds that far apart; None where pauses and delay leave no room for them."""
    limits, most = marking_bounds(kind), most_kmax(fabric, kind)
    tops = [round_down(most, kind.step)] if most is not None else []
    tops += [round_below(limits.kmax, kind.step)] if limits is not None and limits.kmax is not None else []
    kmax = round_up(curve.ecn.kmin + spread, kind.step)
    if not tops or kmax <= min(tops):
        return f"kmax: {show_size(kmax)} or more"
    kmin = round_down(min(tops) - spread, kind.step)
    if kmin <= 0 or kmin < (least_kmin(fabric, kind) or 0):
        return None
    return f"kmin: {show_size(kmin)}, kmax: {show_size(min(tops))}"


@rule(
    "ECN317",
    "ecn-deep",
    INFO,
    source="qos.json.j2 of 7280R3 and 7800R3: 2 MB and 10 MB; Bai et al., NSDI'23, footnote 3",
    by_kind=UNHEARD,
)
def ecn_deep(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Shared-buffer thresholds on a chip with virtual output queues in external memory."""
    yield from judge_curves(fabric, device, cls, _judge_deep_buffer)


def _judge_deep_buffer(fabric: Fabric, curve: MarkingCurve, kinds: list[MarkingPort]) -> Hit | None:
    if not curve.is_sound or curve.cls.profiled:
        return None
    for kind in kinds:
        asic = kind.device.asic
        if asic is None or asic.shallow or not asic.stock_ecn:
            continue
        stock, most = min(curve.kmin for curve in asic.stock_ecn), most_kmax(fabric, kind)
        if curve.ecn.kmax < stock and (most is None or stock < most):  # else ecn-delay asks for less
            return Hit(
                f"kmax {show_size(curve.ecn.kmax)} is below {show_size(stock)}, where stock curves of {asic.title} "
                "only begin to mark: its thresholds apply to each virtual output queue at the ingress, and "
                "thresholds of a shared buffer do not carry over. ecn-before-pfc, ecn-low, ecn-scale and "
                "ecn-long-rtt are skipped for it",
                (curve.ecn.at("kmax"),),
                f"give these devices their own curve with kmax: {show_size(stock)} or more; or set profiled: true "
                "if the values were measured on this fabric",
            )
    return None


RULES: tuple[Rule, ...] = (
    ecn_before_pfc,
    ecn_low,
    ecn_below_packet,
    ecn_delay,
    ecn_deep,
    ecn_long_rtt,
)
