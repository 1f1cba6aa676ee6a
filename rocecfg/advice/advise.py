"""Everything `rocecfg advise` has to say of one fabric, free of formats."""

from __future__ import annotations

from rocecfg.advice.cards import card_parameters
from rocecfg.advice.checks import BoundCheck, check_bounds
from rocecfg.advice.compare import CurveVerdict, compare_predictions, describe_late_loss
from rocecfg.advice.headroom import advise_alpha, advise_headroom, find_needed
from rocecfg.advice.marking import IN_PERCENT, advise_marking, curve_bounds, merge_kind_demands
from rocecfg.advice.port_kinds import AdvisedSetting, PortKind, find_port_kinds
from rocecfg.advice.predict import Prediction, Unpredictable, first_burst, physics_curve, predict
from rocecfg.core.records import NamedTuple
from rocecfg.model import Default, Ecn, EcnPercent, Fabric, Family, Nic, Origin, ProfileFact, Watchdog
from rocecfg.physics import dcqcn
from rocecfg.physics.dcqcn_linear import most_senders
from rocecfg.physics.ecn import pause_dynamic, rtt_of_cable_us
from rocecfg.physics.pools import fill_us
from rocecfg.physics.watchdog import action_window, usual_restoration
from rocecfg.profiles import SHIPPED, Library
from rocecfg.rules.nos import find_refusals
from rocecfg.rules.nos_settings import read_watchdog
from rocecfg.sizing.marking import USUAL_FAMILY, Aims, Limits, scale_family

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rocecfg.advice.marking import Demands

PACKET = 4096
"""Bytes: the path MTU of jumbo frames, and the payload that `ecn: auto` reckons with."""
_LONG_TAU = 10  # us: of fewer, as ConnectX cards have, both kinds of senders come to the same in ns-3


class Overrides(NamedTuple):
    """What the user wants otherwise than the intent has it; None: as there."""

    incast: int | None = None
    rtt: float | None = None  # ms
    family: Family | None = None
    delay_us: float = dcqcn.PAPER.delay_us  # from a mark to the cut of the rate
    packet: int | None = None  # bytes
    nic: Nic | None = None  # whose parameters of DCQCN are taken; None: the papers'
    confirm: bool = False  # senders are simulated also where swings are small
    published: bool = False  # how published curves fare is told, too
    library: Library = SHIPPED  # whose tables of curves `ecn: auto` takes


class JudgedCurve(NamedTuple):
    """A curve and what comes of it."""

    curve: Ecn | None
    prediction: Prediction | None
    why_not: str  # where nothing is predicted
    largest: int | None  # most senders that stay on the ramp; None without a curve
    pause: float | None  # bytes at which PFC pauses a port that feeds one queue
    fill_us: float | None  # in which a port fills so many that nothing drains
    burst_fits: float | None  # bytes that the incast may queue, each sender through a port, before PFC pauses them
    late: Prediction | None = None  # of senders that answer marks within tau at its end; None: the same, or not asked


class Advice(NamedTuple):
    """One kind of lossless port: what it has, what it would get, and what both come to."""

    kind: PortKind
    settings: tuple[AdvisedSetting, ...]
    checks: tuple[BoundCheck, ...]
    limits: Limits | None
    now: JudgedCurve
    advised: JudgedCurve
    burst: float | None  # bytes that the incast sends before it can slow down
    verdict: CurveVerdict | None  # on another curve than the one that is stated; None: none was compared
    far_us: float  # that marks take longer than elsewhere, for a cable longer than the base round trip
    published: tuple[tuple[Family, JudgedCurve], ...]  # the shipped families on such a port, where that was asked


class Advised(NamedTuple):
    """One fabric."""

    fabric: Fabric
    root: str
    aims: Aims
    params: dcqcn.Params
    nic: Nic | None
    advices: tuple[Advice, ...]
    notes: tuple[str, ...]


def advise(fabric: Fabric, root: str, asked: Overrides) -> Advised:
    """Advice for each kind of lossless port of a fabric, and what DCQCN's model predicts of it."""
    aims = _gather_aims(fabric, asked)
    params = card_parameters(asked.nic)._replace(
        delay_us=asked.delay_us, packet=asked.packet or fabric.path_mtu or PACKET
    )
    found = find_port_kinds(fabric)
    notes = []
    if not found:
        why = "fabric.mode is lossy" if fabric.mode == "lossy" else "no lossless class crosses a port"
        notes.append(f"no lossless port: {why}")
    broken = sorted({k.cls.name for k in found} & fabric.broken)
    if broken:
        notes.append(f"values of class {', '.join(broken)} could not be read; `rocecfg lint` lists them")
    demands = merge_kind_demands(found, aims)
    advices = tuple(_advise_kind(kind, fabric, aims, demands, params, asked) for kind in found)
    return Advised(fabric, root, aims, params, asked.nic, advices, tuple(notes))


def _gather_aims(fabric: Fabric, asked: Overrides) -> Aims:
    """What is asked of the marking, with where each is from."""
    inputs: list[Origin] = []
    family = asked.family or fabric.ecn_family or SHIPPED.family(USUAL_FAMILY)
    rtt, incast = fabric.rtt, fabric.incast
    if asked.rtt is not None:
        rtt = asked.rtt
        inputs.append(Default("--rtt"))
    elif rtt is not None:
        inputs.append(fabric.at("rtt"))
    if asked.incast is not None:
        incast = asked.incast
        inputs.append(Default("--incast"))
    elif incast is not None:
        inputs.append(fabric.at("incast"))
    delay = fabric.workload.queue_delay if fabric.workload is not None else None
    if fabric.workload is not None and delay is not None:
        inputs.append(fabric.workload.fact("queue_delay"))
    named = asked.family is not None or (
        fabric.ecn_family is not None and not isinstance(fabric.at("ecn_family"), (Default, ProfileFact))
    )
    return Aims(family, rtt, delay, incast, tuple(inputs), asked.library.tables(fabric.workload, named=named))


def _advise_kind(
    kind: PortKind, fabric: Fabric, aims: Aims, demands: Demands, params: dcqcn.Params, asked: Overrides
) -> Advice:
    speed = kind.port.speed
    need = find_needed(kind, fabric)
    sizes = advise_headroom(kind, need)
    flows = aims.incast
    far = _cable_delay_us(kind, aims)
    params = params._replace(delay_us=params.delay_us + far)
    given = _Conditions(speed, flows, params, no_control=fabric.congestion_control == "none", confirm=asked.confirm)
    limits_now, limits = curve_bounds(kind, aims)

    def judge(now: Ecn, other: Ecn) -> CurveVerdict:
        old, new = (_judge_curve(curve, "", of, given) for curve, of in ((now, limits_now), (other, limits)))
        if old.prediction is None or new.prediction is None:
            return CurveVerdict(change=False, why=f"no evidence that another is better: {old.why_not or new.why_not}")
        verdict = compare_predictions(old.prediction, new.prediction, old.largest or 0, new.largest or 0)
        if not verdict.change:
            return verdict
        old_late = _predict_late_answers(now, old.pause, given)
        new_late = _predict_late_answers(other, new.pause, given)
        worse = describe_late_loss(old_late, new_late) if old_late is not None and new_late is not None else ""
        return CurveVerdict(change=False, why=worse) if worse else verdict

    marks = advise_marking(kind, aims, demands, judge)
    return Advice(
        kind,
        (*sizes, *marks.settings, advise_alpha(kind), *advise_watchdog(kind)),
        check_bounds(kind, need, sizes, marks, aims.delay),
        marks.limits,
        _judge_curve(marks.now, _why_no_curve(kind), marks.limits_now, given),
        _judge_curve(marks.advised, marks.why_not, marks.limits, given),
        first_burst(speed, flows, params.delay_us) if speed is not None and flows is not None else None,
        marks.verdict,
        far,
        _judge_families(given, limits) if asked.published else (),
    )


def _cable_delay_us(kind: PortKind, aims: Aims) -> float:
    """What a port's cable adds to the way of a mark, to the receiver behind it and back as a CNP.

    0 where the base round trip, which the delay from a mark to the cut has in it, is longer, or not known.
    """
    cable = rtt_of_cable_us(kind.port.cable or 0)
    return cable if aims.rtt is not None and cable > aims.rtt * 1e3 else 0.0


def _judge_families(given: _Conditions, limits: Limits | None) -> tuple[tuple[Family, JudgedCurve], ...]:
    """Each shipped family on a port of that speed."""
    if given.speed is None:
        return ()
    out = []
    for name in SHIPPED.names("ecn"):
        family = SHIPPED.family(name)
        kmin, kmax = (round(size) for size in scale_family(family, given.speed))
        out.append((family, _judge_curve(Ecn(kmin, kmax, family.pmax, origins={}), "", limits, given)))
    return tuple(out)


def _predict_late_answers(curve: Ecn, pause: float | None, given: _Conditions) -> Prediction | None:
    """The prediction with senders that answer a mark within tau at its end; None where hardly a mark falls there."""
    speed, flows, params = given.speed, given.flows, given.params
    if speed is None or flows is None or params.tau_us < _LONG_TAU:
        return None
    return predict(speed, flows, physics_curve(curve), params._replace(late=True), pause)


class _Conditions(NamedTuple):
    """Under what a curve is judged."""

    speed: int | None
    flows: int | None
    params: dcqcn.Params
    no_control: bool
    confirm: bool


def _why_no_curve(kind: PortKind) -> str:
    if isinstance(kind.cls.ecn_at(kind.port.speed), EcnPercent):
        return IN_PERCENT
    return "ecn: auto is not resolved: chip or speed is unknown" if kind.cls.ecn is not None else "ECN is off"


def _judge_curve(curve: Ecn | None, why_not: str, limits: Limits | None, given: _Conditions) -> JudgedCurve:
    speed, flows, params, no_control, confirm = given
    pause = limits.hard if limits is not None else None
    filled = fill_us(int(pause), speed) if pause is not None and speed is not None else None
    prediction = largest = late = None
    if curve is not None and speed is not None:
        largest = most_senders(speed, min(curve.pmax, 100) / 100, params)
    why = ""
    if curve is None:
        why = why_not
    elif speed is None:
        why = "the speed of these ports is not stated"
    elif no_control:
        why = "fabric.congestion_control is none: no sender reacts to marks"
    elif flows is None:
        why = "no incast is stated: fabric.incast, a workload that has one, or --incast"
    else:
        try:
            prediction = predict(speed, flows, physics_curve(curve), params, pause, confirm=confirm)
            late = _predict_late_answers(curve, pause, given) if confirm else None
        except Unpredictable as error:
            why = str(error)
    return JudgedCurve(curve, prediction, why, largest, pause, filled, _fitting_burst(limits, flows), late)


def _fitting_burst(limits: Limits | None, flows: int | None) -> float | None:
    if limits is None or limits.hard is None or limits.alpha is None or limits.pool is None or flows is None:
        return None
    return flows * pause_dynamic(limits.alpha, limits.pool, flows)


# -- the PFC watchdog --------------------------------------------------------------------------------------------------

# The PFC watchdog that rocecfg would set: timers by tier, so that storms end where they begin.


_OWN_TIMES = "vendor-default"  # as an intent has it: a watchdog with the times of the system
_POLL = 100  # ms, the shortest that SONiC and NVUE take
_STEP = 200  # ms, SONiC's own detection time on up to 32 ports
_POLL_AT = Default("100 ms, the shortest poll interval that SONiC and NVUE take")
_STEP_AT = Default("200 ms, SONiC's own detection time on up to 32 ports (sonic-utilities, pfcwd start_default)")
_TWICE_AT = Default("sonic-utilities, pfcwd start: the restoration time is twice the detection time")


def advise_watchdog(kind: PortKind) -> tuple[AdvisedSetting, ...]:
    """State, detection time, restoration time, poll interval and action. Times are in ms.

    Without what the device's system has no setting for.
    """
    detection, why = _detection_time(max(kind.tier - 1, 0))
    advised = Watchdog(detection, usual_restoration(detection, _POLL), _POLL, "drop")
    now, refused = kind.port.watchdog, find_refusals(kind.device, read_watchdog(advised))
    at = kind.port.at("watchdog") if now is not None or "watchdog" in kind.port.origins else None
    state = "off" if now is None else _OWN_TIMES if now.vendor_default else "on"
    stated = now if now is not None and not now.vendor_default else None

    def setting(key: str, field: str, why: str, *facts: Origin) -> AdvisedSetting:
        have, place = (getattr(stated, field), stated.at(field)) if stated is not None else (None, at)
        reason = refused.get("") or refused.get("detection") or refused.get(field)  # without it, no other is stated
        if reason is not None:
            return AdvisedSetting(key, have, place, None, f"not proposed: {reason}")
        return AdvisedSetting(key, have, place, getattr(advised, field), why, facts)

    on = _OWN_TIMES if "detection" in refused else "on"
    whole = AdvisedSetting("watchdog", state, at, on, "one NIC that never stops pausing freezes every queue behind it")
    if "" in refused:
        whole = whole._replace(advised=None, why=f"not proposed: {refused['']}")
    return (
        whole,
        setting("watchdog_detection_ms", "detection", why, _STEP_AT, _POLL_AT),
        setting("watchdog_restoration_ms", "restoration", f"twice the detection time: 2 x {detection} ms", _TWICE_AT),
        setting("watchdog_poll_ms", "poll", "the shortest: storms are seen soonest", _POLL_AT),
        setting("watchdog_action", "action", "the only action that ends a storm on every system"),
    )


def _detection_time(tier: int) -> tuple[int, str]:
    """The detection time of a tier, 0 at the hosts, and its working."""
    time = _STEP
    why = f"acts within {action_window(time, _POLL)[1]:g} ms"
    for _ in range(tier):
        below = action_window(time, _POLL)[1]
        time = (int(below) // _STEP + 1) * _STEP
        why = f"the next {_STEP} ms step above {below:g} ms, by when the tier below has acted"
    return time, why
