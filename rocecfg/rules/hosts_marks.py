"""What hosts mark RDMA with, and whether their NICs answer marks: rules MIX419, MIX470 and ECN322."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated, host_nics
from rocecfg.core.units import dscp_of, ranges, tos_of
from rocecfg.model import Device, Fabric, Origin
from rocecfg.rules.base import ALL_CLASSES, ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, find_dropping_system, paused_priorities
from rocecfg.rules.hosts_ends import find_misfit, find_rdmaless_ends, nic_ends, rdma_classes_marked_by, rdma_ends
from rocecfg.rules.hosts_gpu import LIBRARIES, VARIABLES, gpu_initiated_libraries, leads_to_rdma
from rocecfg.rules.marking import UNHEARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MOST_PLACES = 3


@rule(
    "MIX419",
    "mix-host-tc",
    ERROR,
    source="NCCL, environment variables: NCCL_IB_TC is the traffic class field, 0 unless set; DSCP << 2 (RFC 2474)",
    needs=("hosts",),
    classes=ALL_CLASSES,
)
def mix_host_tc(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Applications mark RDMA with a DSCP that the RDMA class does not have."""
    first = FirstKind()
    for nics in host_nics(fabric):
        yield from _judge_ports_without_rdma(fabric, device, nics, first)
        forced = nics.value.get("tos")
        if forced is not None and forced.value:
            continue  # the NIC overwrites what the application asks for: mix-nic-tos
        judged: set[int] = set()
        for key, stated, dscp in _iter_marks(nics):
            seen = find_misfit(fabric, device, nics.key, partial(_leads_to_own_rdma, dscp=dscp, nics=nics))
            if dscp in judged or seen is None:
                continue
            own = [c for c in seen.rdma if c.dscps and not c.rest]
            known = sorted({d for c in own for d in c.dscps})
            if not known:
                continue
            what, fix = _describe_mark(key, stated.value, known)
            taking = [c for c in seen.classes if dscp in c.dscps]
            if not taking and fabric.classification == "vendor":
                continue  # the vendor's own map knows where it leads
            if not first.takes(stated.at, nics):
                continue
            judged.add(dscp)
            lands = f"it lands in class {taking[0].name} (queue {taking[0].queue})" if taking else "no class takes it"
            yield Hit(
                f"{nics.key} sends RDMA with {what}: {lands}, not class {own[0].name} (DSCP {ranges(known)}), so it "
                "is not lossless, and ECN does not slow it down there",
                (stated.at,),
                f"set {fix} in the intent and on the hosts",
                ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),),
                cls=own[0].name,
            )
        yield from _judge_clear_to_send(fabric, device, nics)


def _judge_ports_without_rdma(fabric: Fabric, device: Device, nics: HostNics, first: FirstKind) -> Iterator[Hit]:
    """NICs that mark RDMA at ports of a device that no class of RDMA crosses."""
    for dscp, stated in _iter_sent_dscps(nics):
        ends = [end for end in find_rdmaless_ends(fabric, nics, stated.at) if end.device is device]
        if ends and first.takes(stated.at, nics):
            names = ", ".join(ends[0].port.classes)
            yield Hit(
                f"{nics.key} sends RDMA with DSCP {dscp}, but no class of RDMA crosses the switch port at "
                f"{ends[0].where} (classes: {names}): it is not lossless, and ECN does not slow it down there",
                (stated.at,),
                "add the class to classes of these ports, or correct the link; for hosts without RDMA, remove the "
                "RDMA settings",
                ((ends[0].port.at("classes"), f"classes: {names}"),),
            )
            return


def _leads_to_own_rdma(device: Device, dscp: int, nics: HostNics) -> bool:
    """Whether a class of their RDMA takes the code point; where none takes any by number, nothing is known."""
    own = {c.name for c in rdma_classes_marked_by(nics, device.classes)}
    return leads_to_rdma(device, dscp) or any(c.name in own for c in device.classes if dscp in c.dscps)


def _iter_marks(nics: HostNics) -> Iterator[tuple[str, Any, int]]:
    """What NICs, or what sends on them, mark RDMA with: the key, the value and its DSCP."""
    # where a library posts from GPUs its variables are nic-gpu-initiated's, but NCCL's is its other queue pairs' too
    apart = {key for library in gpu_initiated_libraries(nics.host) for key in LIBRARIES[library].keys} - {"nccl_ib_tc"}
    for key in VARIABLES if nics.of_gpus else ():
        byte = nics.host.get(key)
        if byte is not None and key not in apart and key != _FIFO:
            yield key, byte, dscp_of(byte.value)
    dscp = nics.value.get("rdma_dscp")
    if dscp is not None:
        yield "rdma_dscp", dscp, dscp.value


def _describe_mark(key: str, value: int, known: list[int]) -> tuple[str, str]:
    """That value in words, and what it should be."""
    if key not in VARIABLES:
        return f"DSCP {value}", f"{key}: {known[0]}"
    slip = f" ({value} looks like the DSCP itself; the byte is DSCP x 4 + 2)" if value in known else ""
    return f"{VARIABLES[key]} {value}, which is DSCP {dscp_of(value)}{slip}", f"{key}: {tos_of(known[0])}"


_FIFO = "nccl_ib_fifo_tc"


def _judge_clear_to_send(fabric: Fabric, device: Device, nics: HostNics) -> Iterator[Hit]:
    """NCCL's clear-to-send messages among bulk traffic: they may be with RDMA, or with signals before it."""
    stated = nics.host.get(_FIFO) if nics.of_gpus else None
    if stated is None:
        return
    dscp = dscp_of(stated.value)
    seen = find_misfit(fabric, device, nics.key, partial(_precedes_bulk, dscp=dscp))
    if seen is None:
        return
    taking = [c for c in seen.classes if dscp in c.dscps]
    if not taking and fabric.classification == "vendor":
        return
    signals = next((c.dscps[0] for c in seen.classes if c.strict and "cnp" in c.carries and c.dscps), None)
    lands = f"class {taking[0].name} (queue {taking[0].queue}), among bulk traffic" if taking else "no class"
    yield Hit(
        f"NCCL on {nics.hosts} sends its clear-to-send messages with {VARIABLES[_FIFO]} {stated.value}, which is DSCP "
        f"{dscp} and in {lands}: senders wait for these messages, and for the ACK timeout if one is dropped",
        (stated.at,),
        "leave it out, so that they go with the data"
        + (f", or set {_FIFO}: {signals * 4} to put them with CNPs (DSCP {signals})" if signals is not None else ""),
        severity=WARNING,
    )


def _precedes_bulk(device: Device, dscp: int) -> bool:
    """Whether a code point leads to RDMA's class, or to one that is sent before bulk traffic."""
    taking = [c for c in device.classes if dscp in c.dscps]
    return leads_to_rdma(device, dscp) or any(c.strict or c.lossless or "cnp" in c.carries for c in taking)


def _may_send_rdma(fabric: Fabric, nics: HostNics) -> bool:
    """Whether a class crosses the ports of NICs that carries RDMA, or of which it is not known."""
    return bool(rdma_ends(fabric, nics)) or any(
        cls.may_carry_rdma
        for end in nic_ends(fabric)[nics.key]
        if end.port.faces != "management"
        for cls in end.device.classes_on(end.port)
    )


@rule(
    "MIX470",
    "mix-dscp-wide",
    WARNING,
    source="RFC 4594: DSCP 24 is broadcast video, 26, 28 and 30 are streaming; a lossless queue pauses for all of it",
    by_kind=LOSSY_OFF,
    needs=("hosts",),
    classes=ALL_CLASSES,
)
def mix_dscp_wide(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """A lossless class of RDMA takes code points that no host marks RDMA with."""
    if fabric.classification == "vendor" or any(c.marks for c in device.rdma):
        return  # the vendor's map takes eight at a time; what senders use is stated elsewhere
    sent: set[int] = set()
    places: list[tuple[Origin, str]] = []
    for nics in host_nics(fabric):
        marks = dict(_iter_sent_dscps(nics))
        if not marks and nic_ends(fabric)[nics.key] and not _may_send_rdma(fabric, nics):
            continue  # storage or services: no RDMA crosses their ports
        if not marks:
            return  # these may mark with any of them
        sent.update(marks)
        for dscp, stated in marks.items():
            places.append((stated.at, f"{nics.key} mark{'s' * ('[' not in nics.key)} RDMA with DSCP {dscp}"))
    lossless = [c for c in device.rdma if c.lossless and not c.rest and c.priority in paused_priorities(device)]
    for cls in lossless:
        unused = [dscp for dscp in cls.dscps if dscp not in sent]
        if not unused or len(unused) == len(cls.dscps):
            continue  # nobody's: mix-host-tc, or a class of others
        used = [dscp for dscp in cls.dscps if dscp in sent]
        yield Hit(
            f"class {cls.name} takes DSCP {ranges(cls.dscps)}, but hosts mark RDMA only with {ranges(used)}: other "
            f"packets with {ranges(unused)} are lossless too, are paused with RDMA and make it pause",
            (cls.at("dscp"),),
            f"write dscp: {_format_dscps(used)}; the others then go to the class with dscp: rest",
            tuple(places[:_MOST_PLACES]),
            cls=cls.name,
        )


def _iter_sent_dscps(nics: HostNics) -> Iterator[tuple[int, Any]]:
    """The DSCPs that RDMA of these NICs leaves with, and what says so; none where that is not known."""
    forced = nics.value.get("tos")
    variables: Iterable[str] = VARIABLES if nics.of_gpus else ()
    if forced is not None and forced.value:
        yield dscp_of(forced.value), forced
        variables = [key for library in gpu_initiated_libraries(nics.host) for key in LIBRARIES[library].keys]
    elif (own := nics.value.get("rdma_dscp")) is not None:
        yield own.value, own
    for key in variables:
        byte = nics.host.get(key)
        if byte is not None:
            yield dscp_of(byte.value), byte


def _format_dscps(dscps: list[int]) -> str:
    """Code points as an intent has them."""
    return str(dscps[0]) if len(dscps) == 1 else f"[{', '.join(map(str, dscps))}]"


@rule(
    "ECN322",
    "ecn-nic",
    ERROR,
    source="NVIDIA, Explicit Congestion Notification: ecn/roce_np and ecn/roce_rp, enable/PRIORITY in sysfs",
    by_kind=UNHEARD,
    needs=("hosts",),
)
def ecn_nic(fabric: Fabric) -> Iterator[Hit]:
    """NICs ignore ECN marks: DCQCN is off in them, but the switches mark."""
    marking = next((c for device in fabric.devices for c in device.rdma if c.ecn or c.ecn_by_speed), None)
    if marking is None:
        return
    dropping = find_dropping_system(fabric.devices)
    first = FirstKind()
    for nics, stated in each_stated(fabric, "ecn"):
        if stated.value != "off" or not first.takes(stated.at, nics):
            continue
        harm = (
            f"their packets are sent without ECT, and {dropping} drops these from kmin on, in a lossless class: each "
            "loss is a retransmission"
            if dropping
            else "their receivers send no CNP and their senders keep their rate: queues grow until PFC pauses the "
            "senders"
        )
        yield Hit(
            f"the switches mark {marking.name} with ECN, but DCQCN is off in the NICs of {nics.key}: {harm}",
            (stated.at,),
            f"turn it on (echo 1 to /sys/class/net/DEVICE/ecn/roce_np/enable/{marking.priority} and "
            f"ecn/roce_rp/enable/{marking.priority}) and set ecn: on; or congestion_control: none, with the reason",
            ((marking.at("ecn"), "the marking"),),
            cls=marking.name,
        )


RULES: tuple[Rule, ...] = (mix_host_tc, mix_dscp_wide, ecn_nic)
