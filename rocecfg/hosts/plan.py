"""What the NICs of a group of hosts must be set to, so that they match the switch ports they are cabled to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from rocecfg.analysis.hosts import HostNics
from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import tos_of
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.model.views import make_port_view
from rocecfg.rules.hosts import nic_priorities
from rocecfg.rules.hosts_ends import NicEnd, nic_ends, ports_facing_hosts, rdma_classes_on, rdma_ends
from rocecfg.vendors.base import CannotRender

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_ALL = 100  # percent
_COUNT = 8  # traffic classes, and priorities


class Shares(NamedTuple):
    """The settings of ETS, each by number from 0 to 7."""

    traffic_classes: tuple[int, ...]  # of each priority
    algorithms: tuple[str, ...]  # of each traffic class: strict | ets | vendor (unused)
    percents: tuple[int, ...]  # of each traffic class; 0 unless ets


def nic_shares(classes: Sequence[TrafficClass]) -> Shares | str:
    """The shares that the switch's scheduler has, as a NIC can have them; else why it cannot, in words."""
    by_queue: dict[int, list[TrafficClass]] = {}
    for cls in classes:
        by_queue.setdefault(cls.queue, []).append(cls)
    algorithms, percents = ["vendor"] * _COUNT, [0] * _COUNT
    for queue, found in by_queue.items():
        if any(cls.strict for cls in found):
            algorithms[queue] = "strict"
            continue
        stated = next((cls.bandwidth for cls in found if cls.bandwidth is not None), None)
        if stated is None:
            return f"no bandwidth is stated for class {found[0].name}"
        if stated != int(stated):
            return f"NICs accept whole percents, but class {found[0].name} has {stated:g} %"
        algorithms[queue], percents[queue] = "ets", int(stated)
    if sum(percents) != _ALL:
        return f"the shares of the classes sum to {sum(percents)} %, but NICs accept only 100 %"
    default = next((cls.queue for cls in classes if "default" in cls.carries or cls.rest), 0)
    by_priority = {cls.priority: cls.queue for cls in classes}
    return Shares(tuple(by_priority.get(p, default) for p in range(_COUNT)), tuple(algorithms), tuple(percents))


_CODE_POINTS = 64
_LONGEST = 999  # metres; the mlx5 driver ignores 1000 and more without a word
_WILLING = ("auto", "willing", "on")  # switches that tell their neighbours what to set


class NicPlan(NamedTuple):
    """The settings of a NIC port."""

    pfc: tuple[int, ...]  # priorities, ascending
    trust: str  # dscp | pcp
    rdma: str  # the class
    rdma_priority: int
    rdma_share: int | None  # percent of sending that is RDMA's; None: not shared by whole percents
    answering: tuple[int, ...]  # the priorities of RDMA, ascending, for which DCQCN is set
    rdma_dscp: int
    tos: int  # the byte of RDMA packets: the DSCP, and ECT(0)
    cnp: tuple[int, int] | None  # DSCP and priority of CNPs
    cnp_interval: float | None  # least time between two CNPs, ms; None: as the NIC has it
    dcqcn: bool  # whether the NIC answers marks and CNPs
    dscp_map: tuple[int, ...]  # the priority of each of the 64 code points
    shares: Shares | str  # how sending is shared, or why that is left as it is
    cable: int | None  # whole metres, rounded up
    mtu: int | None  # IP MTU, bytes
    dcbx: bool  # whether the switch tells its neighbours what to set
    adaptive: bool | None  # whether it takes packets of a queue pair in any order; None: as the NIC has it


class Nics(NamedTuple):
    """NIC ports of a group of hosts that are set alike."""

    of: HostNics  # what is stated of them
    label: str | None  # the NIC port where the group's ports are set differently; None: all of them
    plan: NicPlan
    ports: int | None  # how many such ports each host has; None: not known
    alone: bool  # whether they are all the NIC ports that the intent knows of
    where: str  # what they were matched with


def plan_nics(fabric: Fabric, of: HostNics) -> list[Nics]:
    """NIC ports of one kind in a group of hosts, by what they are set to; [] where RDMA crosses none.

    Raises CannotRender.
    """
    if not nic_ends(fabric)[of.key]:
        return _plan_unlinked(fabric, of)
    by_label: dict[str, tuple[NicPlan, NicEnd]] = {}
    for end in rdma_ends(fabric, of):
        plan = plan_port(fabric, of, end.device, end.port)
        known = by_label.setdefault(end.nic, (plan, end))
        if _without_cable(known[0]) != _without_cable(plan):
            raise CannotRender(
                f"the links of {of.key} connect to ports that need different NIC settings: {known[1].where}, and "
                f"{end.where}",
                "make them separate groups under hosts, or give their ports the same settings",
                (end.port.at(), end.device.at()),
            )
        by_label[end.nic] = (_take_longer_cable(known[0], plan), known[1])
    kinds: dict[object, list[tuple[str, NicPlan, NicEnd]]] = {}
    for label, (plan, end) in by_label.items():
        kinds.setdefault(_without_cable(plan), []).append((label, plan, end))
    if len(kinds) == 1:
        (found,) = kinds.values()
        plan = found[0][1]
        for _, other, _ in found[1:]:
            plan = _take_longer_cable(plan, other)
        linked = {end.nic for end in nic_ends(fabric)[of.hosts]}
        alone = linked == by_label.keys()
        return [Nics(of, None, plan, len(by_label), alone, f"the switch ports of its links ({found[0][2].where})")]
    return [
        Nics(of, label, plan, 1, alone=False, where=f"the switch ports of its links ({end.where})")
        for label, (plan, end) in by_label.items()
    ]


def _plan_unlinked(fabric: Fabric, of: HostNics) -> list[Nics]:
    """Of NICs that no link tells of: what all ports to hosts want, if they want the same."""
    plans = [(plan_port(fabric, of, device, port), device, port) for device, port in ports_facing_hosts(fabric, of)]
    if not plans:
        return []
    first, device, _ = plans[0]
    for plan, other, port in plans[1:]:
        if _without_cable(plan) != _without_cable(first):
            raise CannotRender(
                f"no link shows the cables of {of.key}, and ports to hosts need different NIC settings: those of "
                f"{device.key}, and of {other.key}",
                "add the links of these hosts",
                (port.at(), other.at()),
            )
        first = _take_longer_cable(first, plan)
    ports = of.host.get("ports")
    count = sum(len(name_set(name)) for name in ports.value) if ports is not None else None
    if of.nics is not None:
        count = len(name_set(of.nics))
    where = "the classes of the fabric: no link shows its cable"
    return [Nics(of, None, first, count, alone=of.nics is None, where=where)]


def _without_cable(plan: NicPlan) -> NicPlan:
    return plan._replace(cable=None)


def _take_longer_cable(a: NicPlan, b: NicPlan) -> NicPlan:
    """The one with the longer cable: its headroom does for both."""
    return a if (a.cable or 0) >= (b.cable or 0) else b


def plan_port(fabric: Fabric, of: HostNics, device: Device, port: PortGroup) -> NicPlan:
    """The settings of a NIC that is cabled to such a port, which RDMA crosses. Raises CannotRender."""
    key, host = of.key, of.value
    if port.trust == "none":
        raise CannotRender(
            f"the switch ports of {key} trust no marking: NICs classify by DSCP or by PCP",
            "set trust: dscp on them",
            (port.at("trust"), port.at()),
        )
    device = make_port_view(device, port)
    crossing = rdma_classes_on(device, port, of)
    rdma = crossing[0]
    shares = nic_shares(device.classes)
    dscp = _choose_code_point(host.get("rdma_dscp"), rdma, key, "rdma_dscp")
    cnp = next((c for c in device.classes if "cnp" in c.carries), None)
    stated = host.get("ecn")
    dcqcn = fabric.congestion_control == "dcqcn" if stated is None else stated.value == "on"
    interval, adaptive = host.get("cnp_interval"), host.get("adaptive_routing")
    return NicPlan(
        pfc=port.pfc if of.nics is None else nic_priorities(fabric, device, port, of),
        trust=port.trust,
        rdma=rdma.name,
        rdma_priority=rdma.priority,
        rdma_share=shares.percents[rdma.queue] or None if isinstance(shares, Shares) else None,
        answering=tuple(sorted({cls.priority for cls in crossing})),
        rdma_dscp=dscp,
        tos=_tos_byte(of, dscp),
        cnp=(_choose_code_point(host.get("cnp_dscp"), cnp, key, "cnp_dscp"), cnp.priority) if cnp is not None else None,
        cnp_interval=interval.value if interval is not None else None,
        dcqcn=dcqcn,
        dscp_map=_priority_map(device, port),
        shares=shares,
        cable=_cable_metres(host, port),
        mtu=_port_mtu(host, port, device),
        dcbx=device.dcbx in _WILLING,
        adaptive=adaptive.value if adaptive is not None else None,
    )


def _choose_code_point(stated: Any, cls: TrafficClass, key: str, word: str) -> int:
    """The DSCP that the NIC is to write: as stated of the host, else the only one of the class."""
    if stated is not None:
        dscp: int = stated.value
        return dscp
    if len(cls.dscps) == 1 and not cls.rest:
        return cls.dscps[0]
    at: tuple[Origin, ...] = (cls.at("dscp"), cls.at())
    raise CannotRender(
        f"class {cls.name} has {len(cls.dscps)} DSCPs: the intent does not state which one the NICs of {key} write",
        f"state {word} of these hosts",
        at,
    )


def _tos_byte(of: HostNics, dscp: int) -> int:
    """The ToS byte: as stated, else made of the DSCP."""
    for stated in (of.value.get("tos"), of.host.get("nccl_ib_tc") if of.of_gpus else None):
        if stated is not None and stated.value:
            tos: int = stated.value
            return tos
    return tos_of(dscp)


def _priority_map(device: Device, port: PortGroup) -> tuple[int, ...]:
    """The priority of each code point: as the classes have it, and the NIC's own (DSCP / 8) where no class is hurt."""
    own = {dscp: cls for cls in device.classes for dscp in cls.dscps}
    used = {cls.priority for cls in device.classes} | set(port.pfc)
    default = next((cls.priority for cls in device.classes if "default" in cls.carries or cls.rest), 0)
    out = []
    for dscp in range(_CODE_POINTS):
        cls, usual = own.get(dscp), dscp >> 3
        if cls is not None and not cls.rest:
            out.append(cls.priority)
        elif usual in used:  # where it would be among traffic of another class
            out.append(cls.priority if cls is not None else default)
        else:
            out.append(usual)
    return tuple(out)


def _cable_metres(host: Mapping[str, Any], port: PortGroup) -> int | None:
    stated = host.get("cable_len")
    metres = stated.value if stated is not None else port.cable
    if metres is None:
        return None
    whole = max(1, ceil(metres))
    return whole if whole <= _LONGEST else None


def _port_mtu(host: Mapping[str, Any], port: PortGroup, device: Device) -> int | None:
    stated = host.get("mtu")
    if stated is not None:
        mtu: int = stated.value
        return mtu
    return port.mtu if port.mtu is not None else device.mtu
