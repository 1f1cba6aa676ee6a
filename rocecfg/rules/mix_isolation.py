"""Who else sends where RDMA does, and what senders mark: rules MIX410 to MIX414, and MIX420.

One mistake is one finding: traffic put into the RDMA class itself, or onto its priority, traffic class or queue, is
`mix-class-shared`; a lossless class without RDMA is `pfc-rdma-only`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated
from rocecfg.core.units import dscp_of, ranges, tos_of
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.rules.base import ALL_CLASSES, ERROR, EVERY_CLASS, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import (
    LOSSY_OFF,
    SIGNALS,
    dual_tor_priorities,
    find_class_ahead_of_cnps,
    find_shared_fields,
    format_fields,
    join_words,
    paused_priorities,
    suggest_cap,
)
from rocecfg.rules.hosts_ends import find_misfit, rdma_classes_marked_by

_COLLECTIVES = ("ai-training", "ai-inference")  # workloads whose RDMA between hosts is not storage
_CS6 = 48  # class selector 6, network control
_IPV4_MULTICAST, _IPV6_MULTICAST = "224.0.0.0/4", "ff00::/8"


# -- storage -----------------------------------------------------------------------------------------------------------


@rule(
    "MIX410",
    "mix-storage-roce",
    WARNING,
    source="Bai et al., NSDI'23, sections 2.2 and 3: storage reads are incasts; two uses of RDMA on two priorities",
    by_kind=LOSSY_OFF,
    needs=("devices",),
    classes=ALL_CLASSES,
)
def mix_storage_roce(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Storage over RDMA shares the lossless class of collectives: incasts of reads pause the job."""
    if port.faces != "storage" or fabric.workload is None or fabric.workload.name not in _COLLECTIVES:
        return
    paused_here = [cls for cls in device.classes_on(port) if cls.priority in port.pfc]
    if any("storage" in cls.carries for cls in paused_here):
        return  # storage over RDMA has a lossless class of its own there
    for cls in paused_here:
        if "rdma" in cls.carries:
            yield Hit(
                f"class {cls.name} (priority {cls.priority}) of the {fabric.workload.name} workload also crosses "
                "ports to storage: the incast of many reads pauses the collectives in the same lossless class",
                (port.at("classes"), port.at("faces")),
                f"remove {cls.name} from the classes of these ports; for storage over RDMA add a class of its own: "
                "carries: [rdma, storage], with a priority and DSCP that only it has",
                ((cls.at("carries"), f"class {cls.name}"),),
                cls=cls.name,
            )


# -- CNPs and control --------------------------------------------------------------------------------------------------


@rule(
    "MIX411",
    "mix-cnp-control",
    INFO,
    source="NVIDIA's RoCE defaults put CNPs on DSCP 48 and traffic class 6; FRR sends BGP and BFD as CS6 = 48",
    by_kind={"no-cc": OFF},
    classes=EVERY_CLASS,
    by_maps=True,
)
def mix_cnp_control(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """CNPs and network control share a queue without a cap: a flood of CNPs delays BFD and BGP."""
    for cls in device.classes:
        if (
            "cnp" not in cls.carries
            or cls.priority in paused_priorities(device)
            or find_class_ahead_of_cnps(device, cls) is not None
        ):
            continue  # pfc-cnp, mix-cnp
        for other in device.classes:
            common = {} if other.name == cls.name else find_shared_fields(device, cls, other)
            common.pop("priority", None)
            if "control" not in other.carries or (other.name != cls.name and not common):
                continue
            if is_capped(cls) or is_capped(other) or not SIGNALS.issuperset((*cls.carries, *other.carries)):
                continue  # data beside control is ets-control's
            what = (
                f"class {cls.name} carries CNPs and control"
                if other.name == cls.name
                else f"class {cls.name} carries CNPs and shares {join_words(format_fields(common))} with {other.name}, "
                "which carries control"
            )
            here: tuple[Origin, ...] = tuple(cls.at(field) for field in common) or (cls.at("carries"),)
            yield Hit(
                f"{what}, without a cap: when many senders get CNPs at once, BFD and BGP wait behind them",
                here,
                _suggest_separation(device, cls, other),
                ((other.at("carries"), f"class {other.name} carries control"),) if common else (),
                cls=cls.name,
            )
            break


def _suggest_separation(device: Device, cls: TrafficClass, other: TrafficClass) -> str:
    """What to do where control shares the CNPs' queue: on DSCP 48 a queue of its own is not enough."""
    cap = (
        f"cap it: max_rate: {suggest_cap(device)}"
        if other is cls
        else f"cap their queue, by max_rate {suggest_cap(device)} in both {cls.name} and {other.name}"
    )
    if _CS6 not in cls.dscps:
        return f"give CNPs a queue of their own below control's, or {cap}"
    return (
        f"{cap}; a separate class helps only if control uses another DSCP, such as 56: by default, "
        f"routers send BGP and BFD as CS6 = {_CS6}, the DSCP of these CNPs"
    )


def is_capped(cls: TrafficClass) -> bool:
    """Whether a shaper keeps the class below the port's rate."""
    return cls.max_rate is not None or (cls.max_percent is not None and cls.max_percent < 100)


# -- what NICs mark ----------------------------------------------------------------------------------------------------


@rule(
    "MIX412",
    "mix-nic-tos",
    ERROR,
    source="NVIDIA nic-configuration-operator: its RoCE profile has ToS 0; ToS is DSCP << 2 (RFC 2474)",
    needs=("hosts",),
    classes=ALL_CLASSES,
)
def mix_nic_tos(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """NICs force a ToS byte whose DSCP the RDMA class does not have."""
    first = FirstKind()
    forced = {dscp_of(tos.value) for _, tos in each_stated(fabric, "tos") if tos.value}
    for nics, tos in each_stated(fabric, "tos"):
        dscp = dscp_of(tos.value)
        seen = find_misfit(fabric, device, nics.key, partial(_leads_to_rdma, dscp=dscp, nics=nics))
        if seen is None:
            continue
        own = rdma_classes_marked_by(nics, seen.classes) or seen.rdma or _classes_stated_for(nics, seen.classes)
        own = [c for c in own if c.dscps and not c.rest]
        known = sorted({d for c in own for d in c.dscps})
        taking = [c for c in seen.classes if dscp in c.dscps]
        if not known or (not taking and fabric.classification == "vendor"):
            continue
        if dscp == 0 and ("nccl_ib_tc" in nics.host or ("rdma_dscp" in nics.value and forced.isdisjoint(known))):
            continue  # nothing is forced: the application marks
        if not first.takes(tos.at, nics):
            continue
        lands = f"class {taking[0].name} (queue {taking[0].queue})" if taking else "no class"
        slip = f"; {tos.value} looks like the DSCP itself, ToS is 4 times that, plus 2" if tos.value in known else ""
        related: tuple[tuple[Origin, str], ...] = ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),)
        yield Hit(
            f"the NICs of {nics.key} send RDMA with ToS {tos.value}, which is DSCP {dscp} and lands in {lands}, not in "
            f"{own[0].name} (DSCP {ranges(known)}): these packets are neither lossless nor marked by the ECN "
            f"of {own[0].name}{slip}",
            (tos.at,),
            f"set tos: {tos_of(known[0])} in the intent and on the NICs (cma_roce_tos -t {tos_of(known[0])})",
            related,
            cls=own[0].name,
        )


def _leads_to_rdma(device: Device, dscp: int, nics: HostNics) -> bool:
    """Whether a class that carries RDMA takes the code point, or one of which it is not known."""
    own = {c.name for c in rdma_classes_marked_by(nics, device.classes)}
    if not device.rdma:
        own.update(c.name for c in _classes_stated_for(nics, device.classes))
    return any(c.may_carry_rdma or c.name in own for c in device.classes if dscp in c.dscps)


def _classes_stated_for(nics: HostNics, classes: Iterable[TrafficClass]) -> list[TrafficClass]:
    """The classes that these NICs' `rdma_dscp` leads to, where none says that it carries RDMA (NVMe-oF as storage)."""
    stated = nics.value.get("rdma_dscp")
    return [c for c in classes if stated is not None and stated.value in c.dscps and not c.rest]


# -- pods and multicast ------------------------------------------------------------------------------------------------


@rule(
    "MIX413",
    "mix-k8s",
    WARNING,
    source="operations practice: health checks and pod traffic on the RDMA network confuse its congestion control",
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_k8s(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Kubernetes traffic uses the network of RDMA without a class and DSCP of its own."""
    for cls in device.classes:
        if "kubernetes" not in cls.carries or "rdma" in cls.carries or _has_own_marking(cls):
            continue
        for owner in device.rdma:
            both = _find_overlap(cls.networks, owner.networks)
            if both is None or find_shared_fields(device, cls, owner):
                continue
            yield Hit(
                f"class {cls.name} carries kubernetes from {both}, the network of RDMA (class {owner.name}), but has "
                "no DSCP of its own: probes and pods send on the RDMA interface, and switches cannot distinguish "
                "them from other unmarked traffic",
                (cls.at("networks"),),
                "move pods and probes to another network, or give them a class with a DSCP of its own",
                ((owner.at("networks"), f"the network of class {owner.name}"),),
                cls=cls.name,
            )
            break


def _has_own_marking(cls: TrafficClass) -> bool:
    """Whether Kubernetes has code points of its own: not the rest, nor what it shares a class for."""
    return bool(cls.dscps) and not cls.rest and "default" not in cls.carries


@lru_cache(maxsize=256)
def _find_overlap(mine: tuple[str, ...], other: tuple[str, ...]) -> str | None:
    """The narrower of the first two prefixes that overlap; None: none do."""
    if not mine or not other:
        return None
    from netaddr import IPNetwork  # here: it is slow to import, and few intents name networks

    theirs = [IPNetwork(text) for text in other]
    for text in mine:
        net = IPNetwork(text)
        for known in theirs:
            if net in known or known in net:
                return str(net.cidr if net in known else known.cidr)
    return None


@rule(
    "MIX414",
    "mix-mcast",
    WARNING,
    source="Guo et al., SIGCOMM'16, section 4.2: flooded lossless packets broke up-down routing and deadlocked",
    by_kind=LOSSY_OFF,
    classes=ALL_CLASSES,
    by_maps=True,
)
def mix_mcast(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Multicast in a lossless class: it is copied to many ports, and each may pause its sender."""
    for cls in device.classes:
        if not cls.lossless or cls.priority not in paused_priorities(device):
            continue
        groups = _find_overlap(cls.networks, (_IPV4_MULTICAST, _IPV6_MULTICAST))
        # Elsewhere multicast in a lossless class is mix-class-shared's beside RDMA, else pfc-rdma-only's.
        spared = not cls.may_carry_rdma and cls.priority in dual_tor_priorities(fabric, device)
        if groups is None and not ("multicast" in cls.carries and spared):
            continue
        yield Hit(
            f"class {cls.name} (priority {cls.priority}) is lossless and carries multicast"
            + (f" ({groups})" if groups is not None else "")
            + ": one slow receiver pauses the sender for all, and copies take paths that can close a cycle of pauses",
            (cls.at("networks") if groups is not None else cls.at("carries"), cls.at("lossless")),
            "carry multicast in a class that is not lossless",
            cls=cls.name,
        )


# -- management --------------------------------------------------------------------------------------------------------


@rule(
    "MIX420",
    "isol-mgmt",
    ERROR,
    source="rocecfg, the intent format: a backend is RDMA and what it needs; operations must outlive the fabric",
    by_kind={"converged": OFF, "running": OFF},
    needs=("devices",),
)
def isol_mgmt(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """Management of a backend crosses the ports of RDMA: a pause storm cuts off those who have to end it."""
    if fabric.kind != "backend" or port.faces == "management":
        return
    classes = device.classes_on(port)
    if not any("rdma" in cls.carries for cls in classes):
        return
    for cls in classes:
        if "management" in cls.carries and "rdma" not in cls.carries:  # together: mix-class-shared
            yield Hit(
                f"management (class {cls.name}) crosses ports with RDMA, in a fabric of kind backend: when pauses "
                "freeze the fabric, nobody can reach its switches",
                (cls.at("carries"), port.at("classes")),
                "carry management on separate ports and a separate network (faces: management), and remove it from "
                "the classes of these ports; if one fabric carries all, set kind: converged",
                cls=cls.name,
            )


RULES: tuple[Rule, ...] = (
    mix_storage_roce,
    mix_cnp_control,
    mix_nic_tos,
    mix_k8s,
    mix_mcast,
    isol_mgmt,
)
