"""What queues get, as far as it is lawful but ill-judged: rules ETS506 to ETS509 and ETS570."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Device, Fabric, TrafficClass
from rocecfg.model.fix import remove
from rocecfg.rules.base import ALL_CLASSES, INFO, OFF, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.common import (
    LOSSY_OFF,
    SIGNALS,
    find_class_ahead_of_cnps,
    is_dual_tor,
    join_words,
    paused_priorities,
    queue_of,
    suggest_cap,
)
from rocecfg.rules.mix_isolation import is_capped
from rocecfg.rules.schedulers import Classes, distinct_schedulers, shares_by_queue, show_share, total_share

_TRAINING = "ai-training"
_HALF = 50  # percent, what NVIDIA's RoCE defaults give RDMA
_EXACT = 0.01  # percent, as ets-sum has it


@rule(
    "ETS506",
    "ets-rdma-share",
    WARNING,
    source="NVIDIA's RoCE defaults give RDMA 50%; SONiC's stock scheduler gives a lossless class 15 of 100",
    by_kind={"converged": INFO},
    classes=ALL_CLASSES,
)
def ets_rdma_share(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """RDMA has less than half of the bandwidth on a fabric built for it."""
    training = fabric.workload is not None and fabric.workload.name == _TRAINING
    if fabric.kind != "backend" and not training:
        return
    what = f"fabric for {_TRAINING}" if training else "backend fabric"
    for classes in distinct_schedulers(device):
        share = _sum_rdma_shares(classes)
        if share is not None and 0 < share < _HALF:  # 0: ets-zero
            yield _report_rdma_share(classes, share, what)


def _sum_rdma_shares(classes: Classes) -> float | None:
    """Percent of the bandwidth that queues of RDMA have; None where it is strict, not stated, or `ets-sum`'s."""
    rdma = [c for c in classes if "rdma" in c.carries]
    if not rdma or any(c.bandwidth is None for c in rdma) or abs(total_share(shares_by_queue(classes)) - 100) > _EXACT:
        return None
    return sum({c.queue: c.bandwidth or 0 for c in rdma}.values())


def _report_rdma_share(classes: Classes, share: float, what: str) -> Hit:
    rdma = [c for c in classes if "rdma" in c.carries]
    own = {c.queue for c in rdma}
    taken = [c for queue, group in shares_by_queue(classes).items() if queue not in own for c in group[:1]]
    biggest = max(taken, key=lambda c: c.bandwidth or 0)
    return Hit(
        f"RDMA has {show_number(share)}% of the bandwidth ({join_words(f'{c.name} {show_share(c)}' for c in rdma)}) on "
        f"a {what}: under load, other traffic takes more than half, and collectives wait for it",
        (rdma[0].at("bandwidth"),),
        f"give it {_HALF}% or more, and take it from {biggest.name} ({show_share(biggest)})",
        tuple((c.at("bandwidth"), f"{c.name}: {show_share(c)}") for c in taken),
        cls=rdma[0].name,
    )


@rule(
    "ETS507",
    "ets-cnp-cap",
    INFO,
    source="derived: strict queues are served by falling number, and one without a cap can take the whole port",
    by_kind={"no-cc": OFF},
    classes=ALL_CLASSES,
    by_maps=True,
)
def ets_cnp_cap(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """CNPs are served before network control, without a cap: a flood of them starves BGP and BFD."""
    if "cnp" not in cls.carries or not SIGNALS.issuperset(cls.carries) or not cls.strict or is_capped(cls):
        return
    if cls.priority in paused_priorities(device) or find_class_ahead_of_cnps(device, cls) is not None:
        return  # pfc-cnp, mix-cnp
    queue = queue_of(device, cls)
    for other in device.classes:
        own = queue_of(device, other)
        if "control" not in other.carries or "cnp" in other.carries or own == queue or (other.strict and own > queue):
            continue  # one queue for both is mix-cnp-control's
        yield Hit(
            f"class {cls.name} carries CNPs on strict queue {queue} without a cap, but class {other.name} carries "
            f"control on queue {own} ({show_share(other)}), which is served after it: a flood of CNPs, or of "
            "packets with their DSCP, starves BGP and BFD",
            (cls.at("queue"), cls.at("bandwidth")),
            f"give control the higher queue (7 is usual), or cap {cls.name}: max_rate: {suggest_cap(device)}",
            ((other.at("queue"), f"{other.name} has queue {own}"),),
            cls=cls.name,
        )
        return


@rule(
    "ETS508",
    "ets-shaper",
    WARNING,
    source="derived: a queue that is shaped below the port's rate fills, and pauses its senders, on an idle port",
    by_kind=LOSSY_OFF,
    classes=ALL_CLASSES,
)
def ets_shaper(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A lossless queue is shaped below the rate of its ports: the switch itself causes congestion."""
    if not cls.lossless:
        return
    for shaped, speeds in _group_by_shaper(device, cls):
        if shaped.max_percent is not None and shaped.max_percent < 100:
            stated, line = f"{show_number(shaped.max_percent)}%", "the line rate"
        elif shaped.max_rate is not None and (above := sorted(s for s in speeds if s > shaped.max_rate)):
            stated, line = show_rate(shaped.max_rate), f"the {join_words(map(show_rate, above))} of its ports"
        else:
            continue
        yield Hit(
            f"{'a shaper of' if fabric.running else 'max_rate'} {stated} of lossless class {cls.name} is below {line}: "
            "its queue fills and pauses the senders while the port has room",
            (shaped.at("max_rate"),),
            "remove max_rate; bandwidth limits a class only where others send too",
            cls=cls.name,
            fix=unsafe_fix("remove max_rate", remove, shaped.origins.get("max_rate")),
        )


def _group_by_shaper(device: Device, cls: TrafficClass) -> list[tuple[TrafficClass, set[int]]]:
    """The class by its shapers on lossless ports, with the speeds there; of strict ones `ets-rdma-strict` tells."""
    out: dict[object, tuple[TrafficClass, set[int]]] = {}
    for port in device.ports:
        if not port.pfc or cls.name not in port.classes:
            continue
        here = next((c for c in port.overrides if c.name == cls.name), cls)
        if not here.strict:
            key = here.max_rate, here.max_percent, here.at("max_rate")
            _, speeds = out.setdefault(key, (here, set()))
            speeds.update(() if port.speed is None else (port.speed,))
    return list(out.values())


@rule(
    "ETS509",
    "ets-unused",
    INFO,
    source="derived: some schedulers divide by all weights that are set, whatever is sent",
    classes=ALL_CLASSES,
)
def ets_unused(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A share for a queue that no packet reaches."""
    if not cls.bandwidth or cls.dscps or "dscp" in cls.origins:
        return  # stated, and yet none: that is wrong otherwise
    if fabric.classification == "vendor" or is_dual_tor(fabric, device):
        return  # the vendor's map is not known here; bounced traffic reaches its class by a tunnel's map
    if any(c.dscps for port in device.ports for c in port.overrides if c.name == cls.name):
        return  # some ports have it
    queue = queue_of(device, cls)
    if any(c.name != cls.name and queue_of(device, c) == queue for c in device.classes):
        return
    if cls.tc in device.maps.dscp_to_tc or any(port.trust != "dscp" for port in device.ports):
        return
    yield Hit(
        f"class {cls.name} has {show_share(cls)} on queue {queue}, but no DSCP maps there: the share is wasted",
        (cls.at("bandwidth"),),
        f"give class {cls.name} its DSCPs, or remove it and divide its {show_share(cls)} among the others",
        cls=cls.name,
    )


_CS6, _CS7 = 48, 56


@rule(
    "ETS570",
    "ets-control-missing",
    WARNING,
    source="RFC 4594, section 3.2: routing protocols are marked CS6; FRR and EOS send BGP and BFD so",
    by_kind={"running": OFF},  # what classes carry is a guess there
    classes=ALL_CLASSES,
)
def ets_control_missing(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """No class carries network control: BGP and BFD queue among data."""
    if fabric.classification == "vendor" or not device.rdma:
        return
    if any("control" in c.carries or _may_be_control(c) for c in device.classes):
        return
    takers = {code: next((c for c in device.classes if code in c.dscps), None) for code in (_CS6, _CS7)}
    bulk = [c for c in takers.values() if c is not None and not SIGNALS.issuperset(c.carries)]
    places = [c for c in (*bulk, *takers.values(), *device.classes) if c is not None]
    where = join_words(f"CS{code // 8} ({code}) {_describe_queue(cls)}" for code, cls in takers.items())
    yield Hit(
        f"no class carries network control: {where}; if BGP or BFD waits behind data, sessions drop under load, and "
        "the fabric reroutes at the worst time",
        (places[0].at("dscp"), places[0].at("carries"), device.at()),
        "add control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict} and have routers mark 56; if "
        "they stay on CS6, with CNPs, set carries: [cnp, control] there, with max_rate",
    )


def _may_be_control(cls: TrafficClass) -> bool:
    """Whether a class of an unknown word is treated as control is: sent first, or for the code points of routers."""
    return bool(cls.unknown_kinds) and not cls.rest and (cls.strict or not {_CS6, _CS7}.isdisjoint(cls.dscps))


def _describe_queue(cls: TrafficClass | None) -> str:
    if cls is None:
        return "is in no class"
    return f"is in class {cls.name} (queue {cls.queue}, {show_share(cls)})"


RULES: tuple[Rule, ...] = (
    ets_rdma_share,
    ets_cnp_cap,
    ets_shaper,
    ets_unused,
    ets_control_missing,
)
