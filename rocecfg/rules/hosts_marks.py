"""What hosts mark RDMA with, and whether their NICs answer marks: rules MIX419 and ECN322."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.core.units import dscp_of, tos_of
from rocecfg.model import Device, Fabric, Origin
from rocecfg.rules.base import ALL_CLASSES, ERROR, Hit, Rule, rule
from rocecfg.rules.common import ranges
from rocecfg.rules.hosts_ends import stated_hosts
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
    own = [c for c in device.rdma if c.dscps and not c.rest]
    known = sorted({d for c in own for d in c.dscps})
    if not known:
        return
    related: tuple[tuple[Origin, str], ...] = ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),)
    for key, host in stated_hosts(fabric).items():
        forced = host.value.get("tos")
        if forced is not None and forced.value:
            continue  # the NIC overwrites what the application asks for: mix-nic-tos
        told: set[int] = set()
        for said, dscp, what, mend in _marked(host.value, known):
            taking = [c for c in device.classes if dscp in c.dscps]
            if dscp in told or any("rdma" in c.carries for c in taking):
                continue
            if not taking and fabric.classification == "vendor":
                continue  # the vendor's own map knows where it leads
            told.add(dscp)
            lands = f"it lands in class {taking[0].name} (queue {taking[0].queue})" if taking else "no class takes it"
            yield Hit(
                f"{key} sends RDMA with {what}: {lands}, and not in {own[0].name} (DSCP {ranges(known)}), so that it "
                "is neither lossless nor slowed down by ECN there",
                (said.at,),
                f"set {mend} there and on the hosts",
                related,
                cls=own[0].name,
            )


def _marked(host: Mapping[str, Any], known: list[int]) -> Iterator[tuple[Any, int, str, str]]:
    """What a host says that it marks RDMA with: the value, its DSCP, both in words, and what it should be."""
    tc, dscp = host.get("nccl_ib_tc"), host.get("rdma_dscp")
    if tc is not None:
        slip = f" ({tc.value} looks like the DSCP itself; the byte is DSCP x 4 + 2)" if tc.value in known else ""
        what = f"NCCL_IB_TC {tc.value}, which is DSCP {dscp_of(tc.value)}{slip}"
        yield tc, dscp_of(tc.value), what, f"nccl_ib_tc: {tos_of(known[0])}"
    if dscp is not None:
        yield dscp, dscp.value, f"DSCP {dscp.value}", f"rdma_dscp: {known[0]}"


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
    for key, host in stated_hosts(fabric).items():
        said = host.value.get("ecn")
        if said is None or said.value != "off":
            continue
        yield Hit(
            f"the switches mark {marking.name} with ECN, and DCQCN is off in the NICs of {key}: their receivers send "
            "no CNP and their senders keep their rate, so that queues grow until PFC stops everybody",
            (said.at,),
            f"turn it on (echo 1 to /sys/class/net/DEVICE/ecn/roce_np/enable/{marking.priority} and "
            f"ecn/roce_rp/enable/{marking.priority}) and set ecn: on; or congestion_control: none, with the reason",
            ((marking.at("ecn"), "the marking"),),
            cls=marking.name,
        )


RULES: tuple[Rule, ...] = (mix_host_tc, ecn_nic)
