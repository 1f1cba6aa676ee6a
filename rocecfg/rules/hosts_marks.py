"""What hosts mark RDMA with, and whether their NICs answer marks: rules MIX419, MIX470 and ECN322."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rocecfg.core.units import dscp_of, tos_of
from rocecfg.model import Device, Fabric, Origin
from rocecfg.rules.base import ALL_CLASSES, ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, misfit, paused, ranges
from rocecfg.rules.hosts_ends import stated_hosts
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
    """Applications mark RDMA with a DSCP that is not the RDMA class's."""
    for key, host in stated_hosts(fabric).items():
        forced = host.value.get("tos")
        if forced is not None and forced.value:
            continue  # the NIC overwrites what the application asks for: mix-nic-tos
        told: set[int] = set()
        for said, dscp in _marked(host.value):
            seen = misfit(fabric, device, key, partial(_is_rdma, dscp=dscp))
            if dscp in told or seen is None:
                continue
            own = [c for c in seen.rdma if c.dscps and not c.rest]
            known = sorted({d for c in own for d in c.dscps})
            if not known:
                continue
            what, mend = _words(tc=said is host.value.get("nccl_ib_tc"), said=said, known=known)
            taking = [c for c in seen.classes if dscp in c.dscps]
            if not taking and fabric.classification == "vendor":
                continue  # the vendor's own map knows where it leads
            told.add(dscp)
            lands = f"it lands in class {taking[0].name} (queue {taking[0].queue})" if taking else "no class takes it"
            yield Hit(
                f"{key} sends RDMA with {what}: {lands}, and not in {own[0].name} (DSCP {ranges(known)}), so that it "
                "is neither lossless nor slowed down by ECN there",
                (said.at,),
                f"set {mend} there and on the hosts",
                ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),),
                cls=own[0].name,
            )


def _is_rdma(device: Device, dscp: int) -> bool:
    """Whether a class of RDMA takes the code point; where none takes any by number, nothing is known."""
    own = [c for c in device.rdma if c.dscps and not c.rest]
    return not own or any("rdma" in c.carries for c in device.classes if dscp in c.dscps)


def _marked(host: Mapping[str, Any]) -> Iterator[tuple[Any, int]]:
    """What a host says that it marks RDMA with: the value and its DSCP."""
    tc, dscp = host.get("nccl_ib_tc"), host.get("rdma_dscp")
    if tc is not None:
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
    for key, host in stated_hosts(fabric).items():
        mark = _sent(host.value)
        if mark is None:
            return  # one that may mark with any of them
        said, dscp = mark
        sent.add(dscp)
        places.append((said.at, f"{key} mark{'s' * ('[' not in key)} RDMA with DSCP {dscp}"))
    lossless = [c for c in device.rdma if c.lossless and not c.rest and c.priority in paused(device)]
    for cls in lossless:
        unused = [dscp for dscp in cls.dscps if dscp not in sent]
        if not unused or len(unused) == len(cls.dscps):
            continue  # nobody's: mix-host-tc, or a class of others
        used = [dscp for dscp in cls.dscps if dscp in sent]
        yield Hit(
            f"class {cls.name} takes DSCP {ranges(cls.dscps)}, and hosts mark RDMA with {ranges(used)} alone: whatever "
            f"else comes with {ranges(unused)} is lossless too, is paused with RDMA and makes it pause",
            (cls.at("dscp"),),
            f"write dscp: {_written(used)}; the others then go to the class with dscp: rest",
            tuple(places[:_MOST_PLACES]),
            cls=cls.name,
        )


def _sent(host: Mapping[str, Any]) -> tuple[Any, int] | None:
    """What a host's RDMA leaves with: the value that says so and its DSCP; None where it does not say."""
    forced = host.get("tos")
    if forced is not None and forced.value:
        return forced, dscp_of(forced.value)
    return next(_marked(host), None)


def _written(dscps: list[int]) -> str:
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


RULES: tuple[Rule, ...] = (mix_host_tc, mix_dscp_wide, ecn_nic)
