"""What hosts mark RDMA with, and whether their NICs answer marks: rules MIX419 and ECN322."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated, host_nics
from rocecfg.core.units import dscp_of, tos_of
from rocecfg.model import Device, Fabric
from rocecfg.rules.base import ALL_CLASSES, ERROR, Hit, Rule, rule
from rocecfg.rules.common import misfit, ranges
from rocecfg.rules.hosts_ends import storage_of
from rocecfg.rules.marking import UNHEARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@rule(
    "MIX419",
    "mix-host-tc",
    ERROR,
    source="NCCL, environment variables: NCCL_IB_TC is the traffic class field, 0 unless set; DSCP << 2 (RFC 2474)",
    needs=("hosts",),
    classes=ALL_CLASSES,
)
def mix_host_tc(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Applications mark RDMA with a DSCP that is not the RDMA class's."""
    first = FirstKind()
    for nics in host_nics(fabric):
        forced = nics.value.get("tos")
        if forced is not None and forced.value:
            continue  # the NIC overwrites what the application asks for: mix-nic-tos
        told: set[int] = set()
        for said, dscp in _marked(nics):
            seen = misfit(fabric, device, nics.key, partial(_is_rdma, dscp=dscp, nics=nics))
            if dscp in told or seen is None:
                continue
            own = [c for c in seen.rdma if c.dscps and not c.rest]
            known = sorted({d for c in own for d in c.dscps})
            if not known:
                continue
            what, mend = _words(tc=said is nics.host.get("nccl_ib_tc"), said=said, known=known)
            taking = [c for c in seen.classes if dscp in c.dscps]
            if not taking and fabric.classification == "vendor":
                continue  # the vendor's own map knows where it leads
            if not first.takes(said.at, nics):
                continue
            told.add(dscp)
            lands = f"it lands in class {taking[0].name} (queue {taking[0].queue})" if taking else "no class takes it"
            yield Hit(
                f"{nics.key} sends RDMA with {what}: {lands}, and not in {own[0].name} (DSCP {ranges(known)}), so that "
                "it is neither lossless nor slowed down by ECN there",
                (said.at,),
                f"set {mend} there and on the hosts",
                ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),),
                cls=own[0].name,
            )


def _is_rdma(device: Device, dscp: int, nics: HostNics) -> bool:
    """Whether a class of their RDMA takes the code point; where none takes any by number, nothing is known."""
    own = [c for c in device.rdma if c.dscps and not c.rest]
    storage = {c.name for c in storage_of(nics, device.classes)}
    return not own or any("rdma" in c.carries or c.name in storage for c in device.classes if dscp in c.dscps)


def _marked(nics: HostNics) -> Iterator[tuple[Any, int]]:
    """What NICs, or what sends on them, mark RDMA with: the value and its DSCP."""
    tc, dscp = nics.host.get("nccl_ib_tc"), nics.value.get("rdma_dscp")
    if tc is not None and nics.of_gpus:
        yield tc, dscp_of(tc.value)
    if dscp is not None:
        yield dscp, dscp.value


def _words(*, tc: bool, said: Any, known: list[int]) -> tuple[str, str]:
    """That value in words, and what it should be."""
    if tc:
        slip = f" ({said.value} looks like the DSCP itself; the byte is DSCP x 4 + 2)" if said.value in known else ""
        what = f"NCCL_IB_TC {said.value}, which is DSCP {dscp_of(said.value)}{slip}"
        return what, f"nccl_ib_tc: {tos_of(known[0])}"
    return f"DSCP {said.value}", f"rdma_dscp: {known[0]}"


@rule(
    "ECN322",
    "ecn-nic",
    ERROR,
    source="NVIDIA, Explicit Congestion Notification: ecn/roce_np and ecn/roce_rp, enable/PRIORITY in sysfs",
    by_kind=UNHEARD,
    needs=("hosts",),
)
def ecn_nic(fabric: Fabric) -> Iterator[Hit]:
    """NICs do not answer marks: DCQCN is off in them, and the switches mark."""
    marking = next((c for device in fabric.devices for c in device.rdma if c.ecn or c.ecn_by_speed), None)
    if marking is None:
        return
    first = FirstKind()
    for nics, said in each_stated(fabric, "ecn"):
        if said.value != "off" or not first.takes(said.at, nics):
            continue
        yield Hit(
            f"the switches mark {marking.name} with ECN, and DCQCN is off in the NICs of {nics.key}: their receivers "
            "send no CNP and their senders keep their rate, so that queues grow until PFC stops everybody",
            (said.at,),
            f"turn it on (echo 1 to /sys/class/net/DEVICE/ecn/roce_np/enable/{marking.priority} and "
            f"ecn/roce_rp/enable/{marking.priority}) and set ecn: on; or congestion_control: none, with the reason",
            ((marking.at("ecn"), "the marking"),),
            cls=marking.name,
        )


RULES: tuple[Rule, ...] = (mix_host_tc, ecn_nic)
