"""Scheduling (ETS): rules ETS501 to ETS505.

The scheduler is the device's; ports may change shares, and such a change is checked where it is written.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Device, Fabric, Span, TrafficClass, spans_of
from rocecfg.model.fix import Fix, put, replace
from rocecfg.profiles.settings import BANDWIDTH_SUM
from rocecfg.rules.base import ALL_CLASSES, ERROR, OFF, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.common import SIGNALS, describe_class, find_class_ahead_of_cnps, is_dual_tor, paused_priorities
from rocecfg.rules.schedulers import (
    Classes,
    distinct_schedulers,
    make_scaling_fix,
    round_shares,
    scheduled_variants,
    shares_by_queue,
    show_share,
    total_share,
)

_CONTROL_QUEUE = 7
_OWN_QUEUE = SIGNALS | {"rdma"}
_DATA = frozenset({"rdma", "storage", "kubernetes", "multicast", "telemetry", "default"})  # own words may be anything
_EXACT = 0.01  # percent; what adding up fractions may cost


def _locate_share(cls: TrafficClass) -> Span:
    """Where the share was written; a share without a place counts as written first."""
    spans = spans_of(cls.at("bandwidth"))
    return spans[0] if spans else Span(-1, -1, -1)


@rule(
    "ETS501",
    "ets-sum",
    ERROR,
    source="IEEE 802.1Qaz: ETS shares sum to 100%; NVUE refuses more",
    classes=ALL_CLASSES,
)
def ets_sum(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """The shares of the queues that are not strict do not sum to 100%."""
    for number, classes in enumerate(distinct_schedulers(device)):
        hits = list(_judge_split_queues(classes)) or list(_judge_sum(fabric, device, classes))
        yield from hits
        if hits and number == 0:
            return  # what ports change adds to a sum that is wrong already


def _judge_split_queues(classes: Classes) -> Iterator[Hit]:
    """One queue with two shares, or strict and with a share."""
    for queue in sorted({c.queue for c in classes}):
        group = [c for c in classes if c.queue == queue and (c.strict or c.bandwidth is not None)]
        if len({show_share(c) for c in group}) < 2 or any(_OWN_QUEUE.intersection(c.carries) for c in group):
            continue  # traffic on a queue of RDMA, CNPs or control is told by the rules on that
        *others, last = sorted(group, key=_locate_share)
        yield Hit(
            f"queue {queue} has one share, but its classes state "
            f"{', '.join(f'{c.name} {show_share(c)}' for c in group)}",
            (last.at("bandwidth"),),
            "state the same share in each class of the queue; it counts once",
            tuple((c.at("bandwidth"), f"{c.name}: {show_share(c)}") for c in others),
        )


def _judge_sum(fabric: Fabric, device: Device, classes: Classes) -> Iterator[Hit]:
    shares = shares_by_queue(classes)
    total = total_share(shares)
    if not shares or abs(total - 100) <= _EXACT:
        return
    if fabric.running and total < 100:
        return  # queues that nothing leads to have the rest
    if device.taken_off and abs(total_share(shares_by_queue((*classes, *device.taken_off))) - 100) <= _EXACT:
        return  # the share of a class that is off goes to the others, in their proportions
    if any(len({c.bandwidth for c in group}) > 1 for group in shares.values()):
        return  # as in _judge_split_queues
    stated = [group[0] for group in shares.values()]
    *others, last = sorted(stated, key=_locate_share)
    wording = " + ".join(f"{c.name} {show_share(c)}" for c in stated)
    silent = [c.name for c in classes if not c.strict and c.bandwidth is None and c.queue not in shares]
    strict_too = any(c.strict and c.queue in shares for c in classes)  # a queue has one scheduler: that comes first
    harm, remedy = _describe_sum(stated, total, silent)
    yield Hit(
        f"shares sum to {show_number(total)}%, not 100%: {wording}; {harm}",
        (last.at("bandwidth"),),
        remedy,
        tuple((c.at("bandwidth"), f"{c.name}: {show_share(c)}") for c in others),
        fix=make_scaling_fix(shares) if not (silent or strict_too or _list_fractions(stated)) else None,
        refused=BANDWIDTH_SUM if total > 100 else "",
    )


def _list_fractions(stated: list[TrafficClass]) -> list[str]:
    """Classes whose share is below 1, each with the percentage that it would be as a fraction."""
    return [f"{c.name} {show_number(c.bandwidth * 100)}" for c in stated if c.bandwidth and c.bandwidth < 1]


def _describe_sum(stated: list[TrafficClass], total: float, silent: list[str]) -> tuple[str, str]:
    """What shares that sum to `total` do, and what to write. `silent`: the classes that state none."""
    if total > 100:
        harm = "each gets less than its share"
    elif silent:
        harm = f"{', '.join(silent)} states none"
    else:
        harm = "each gets more than its share"
    if silent and total < 100:
        return harm, f"state the share of {', '.join(silent)}: {show_number(100 - total)}% is left"
    if fractions := _list_fractions(stated):
        return harm, f"bandwidth is in percent: write {', '.join(fractions)} if fractions of 1 are intended"
    whole = ", ".join(f"{c.name} {w}%" for c, w in zip(stated, round_shares(stated), strict=True)) if total else ""
    return harm, f"in the same proportions: {whole}" if whole else "give each a share"


@rule(
    "ETS502",
    "ets-rdma-strict",
    ERROR,
    source="NVIDIA Cumulus Linux QoS documentation: a strict queue has no cap of its own",
    classes=ALL_CLASSES,
)
def ets_rdma_strict(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """RDMA on a strict queue starves every queue below it."""
    if "rdma" not in cls.carries:
        return
    for variant, _ in scheduled_variants(device, cls):
        if not variant.strict:
            continue
        if variant.max_rate is not None:
            cap = show_rate(variant.max_rate)
        elif variant.max_percent is not None and variant.max_percent < 100:
            cap = f"{show_number(variant.max_percent)}%"
        else:
            yield Hit(
                f"class {cls.name} {_describe_traffic(fabric)} on strict queue {cls.queue} without a cap: bulk "
                "transfers can take the whole port, and the queues below starve",
                (variant.at("bandwidth"),),
                "give it a share in percent, and keep strict for CNPs and control",
                cls=cls.name,
            )
            continue
        yield Hit(
            f"class {cls.name} {_describe_traffic(fabric)} on strict queue {cls.queue}, capped at {cap}: while it "
            "sends up to that rate, the queues below get nothing",
            (variant.at("bandwidth"),),
            "give it a share in percent, and keep strict for CNPs and control",
            ((variant.at("max_rate"), "the cap"),),
            severity=WARNING,
            cls=cls.name,
        )


def _describe_traffic(fabric: Fabric) -> str:
    """What is known of a class: on a switch as it runs, only that it is paused."""
    return "is lossless" if fabric.running else "carries RDMA"


@rule(
    "ETS503",
    "ets-cnp",
    WARNING,
    source="NVIDIA's RoCE defaults: CNPs on traffic class 6, strict",
    by_kind={"no-cc": OFF},
    classes=ALL_CLASSES,
    by_maps=True,
)
def ets_cnp(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """CNPs are not on the queue that is served first."""
    if "cnp" not in cls.carries or not SIGNALS.issuperset(cls.carries):
        return
    if cls.priority in paused_priorities(device) or find_class_ahead_of_cnps(device, cls) is not None:
        return  # pfc-cnp, mix-cnp
    kept = {
        *_list_control_queues(fabric, device),
        *(c.queue for c in device.classes if "control" in c.carries),
    }  # ets-control
    for variant, classes in scheduled_variants(device, cls):
        if not variant.strict:
            yield Hit(
                f"class {cls.name} carries CNPs on queue {cls.queue} with {show_share(variant)}, not strict: "
                "CNPs wait their turn, and senders slow down late",
                (variant.at("bandwidth"),),
                f"bandwidth: strict{_suggest_other_shares(variant, classes)}",
                cls=cls.name,
                fix=_make_strict_fix(cls, variant, classes),
            )
            continue
        above = [
            c
            for c in classes
            if c.strict and c.queue > cls.queue and _DATA.intersection(c.carries) and c.queue not in kept
        ]
        if above:
            rdma = "rdma" in above[0].carries
            behind_what = "the traffic that they are to slow down" if rdma else "bulk traffic"
            yield Hit(
                f"class {cls.name} carries CNPs on queue {cls.queue}, but strict queue {above[0].queue} of class "
                f"{above[0].name} is served before it: CNPs wait behind {behind_what}",
                (above[0].at("bandwidth"),),
                f"give class {above[0].name} a share in percent, or CNPs a queue above {above[0].queue}",
                ((cls.at("queue"), f"{cls.name} has queue {cls.queue}"),),
                cls=cls.name,
            )


def _suggest_other_shares(variant: TrafficClass, classes: Classes) -> str:
    """What the queues that stay get of the share of one that becomes strict."""
    others = [group[0] for queue, group in shares_by_queue(classes).items() if queue != variant.queue]
    if not variant.bandwidth or not any(c.bandwidth for c in others):
        return ""
    whole = zip(others, round_shares(others), strict=True)
    return f", and its share to the others: {', '.join(f'{c.name} {share}%' for c, share in whole)}"


def _make_strict_fix(cls: TrafficClass, variant: TrafficClass, classes: Classes) -> Fix | None:
    """The class becomes strict, and its share goes to the other queues in their proportions."""
    wording = "write bandwidth: strict"
    if variant.bandwidth is None:
        return unsafe_fix(wording, put, cls.at(""), ("bandwidth",), "strict")
    fix = unsafe_fix(wording, replace, variant.origins.get("bandwidth"), "strict")
    others = make_scaling_fix(
        {queue: group for queue, group in shares_by_queue(classes).items() if queue != variant.queue}
    )
    if fix is None or others is None:
        return fix
    return Fix(f"{wording}, and {others.description}", safe=False, changes=fix.changes + others.changes)


@rule(
    "ETS504",
    "ets-zero",
    ERROR,
    source="NVIDIA Cumulus Linux QoS documentation: a DWRR class without percent has weight 0",
    classes=ALL_CLASSES,
)
def ets_zero(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A queue in use has no share: it is served only when no other queue sends."""
    if not cls.dscps and cls.tc not in device.maps.dscp_to_tc:
        return
    for variant, classes in scheduled_variants(device, cls):
        if variant.strict or variant.guaranteed_rate or variant.guaranteed_percent:
            continue
        shares = shares_by_queue(classes)
        if variant.bandwidth is None:
            if variant.queue in shares or any(c.strict for c in classes if c.queue == variant.queue):
                continue
            if fabric.running or not shares or total_share(shares) < 100 - _EXACT:
                continue  # nothing is known, or ets-sum says what is left
            share = "states no share, but the others take 100%"
        elif variant.bandwidth == 0 and not any(c.bandwidth for c in shares[variant.queue]):
            share = "has a share of 0%"
        else:
            continue
        harm = (
            "a queue that never drains pauses its senders without end"
            if cls.lossless
            else "it starves while others send"
        )
        yield Hit(
            f"class {cls.name} (queue {cls.queue}) {share}: {harm}",
            (variant.at("bandwidth"),),
            "give it a share, and take it from the others",
            cls=cls.name,
        )


@rule(
    "ETS505",
    "ets-control",
    ERROR,
    source="SONiC keeps TC and priority group 7 for control, EOS traffic class 7; NVUE serves 6 strictly",
    classes=ALL_CLASSES,
    by_maps=True,
)
def ets_control(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Data on the queue of network control: BGP and BFD packets wait or are dropped behind it."""
    data = [kind for kind in cls.carries if kind in _DATA]
    if not data or _is_reported_by_pfc_control_prio(device, cls):
        return
    harm = "BGP and BFD packets wait behind it or are dropped"
    if "control" in cls.carries:
        yield Hit(
            f"class {cls.name} carries network control and {', '.join(data)}: {harm}",
            (cls.at("carries"),),
            "give network control a class of its own: carries: [control], priority 7 (usual), bandwidth: strict",
            cls=cls.name,
        )
        return
    for other in device.classes:
        if (
            "control" in other.carries
            and not _DATA.intersection(other.carries)
            and (other.queue == cls.queue or other.tc == cls.tc)
        ):
            field, words = ("tc", f"TC {cls.tc}") if other.tc == cls.tc else ("queue", f"queue {cls.queue}")
            yield Hit(
                f"class {describe_class(cls)} shares {words} with {other.name}, which carries network control: {harm}",
                (cls.at(field),),
                f"give class {cls.name} a traffic class and queue of its own",
                ((other.at(field), f"{other.name} has {words} here"),),
                cls=cls.name,
            )
            return
    reserved = _list_control_queues(fabric, device)
    if (cls.tc == _CONTROL_QUEUE or cls.queue in reserved) and not _is_reported_by_mix_cnp(device, cls):
        field, words = ("queue", f"queue {cls.queue}") if cls.queue in reserved else ("tc", f"TC {cls.tc}")
        yield Hit(
            f"class {describe_class(cls)} is on {words}, which switches reserve for network control: {harm}",
            (cls.at(field),),
            "use traffic classes and queues 0 to 5 for data",
            cls=cls.name,
            severity=None if _CONTROL_QUEUE in (cls.tc, cls.queue) else WARNING,  # 6 carries control on few systems
        )


def _list_control_queues(fabric: Fabric, device: Device) -> tuple[int, ...]:
    """The queues that switches keep for network control; dual ToR puts bounced RDMA on 6."""
    if is_dual_tor(fabric, device):
        return (_CONTROL_QUEUE,)
    return (device.nos.control_queues if device.nos is not None else ()) or (_CONTROL_QUEUE,)


def _is_reported_by_mix_cnp(device: Device, cls: TrafficClass) -> bool:
    """Whether `mix-cnp` tells already that the class shares its queue with CNPs."""
    return any(
        "cnp" in c.carries and find_class_ahead_of_cnps(device, c) is not None and c.queue == cls.queue
        for c in device.classes
    )


def _is_reported_by_pfc_control_prio(device: Device, cls: TrafficClass) -> bool:
    """Whether `pfc-control-prio` tells already that the class is lossless on a priority of network control."""
    control = {c.priority for c in device.classes if "control" in c.carries}
    return cls.lossless and cls.priority in (control or {6, 7}) and cls.priority in paused_priorities(device)


RULES: tuple[Rule, ...] = (
    ets_sum,
    ets_rdma_strict,
    ets_cnp,
    ets_zero,
    ets_control,
)
