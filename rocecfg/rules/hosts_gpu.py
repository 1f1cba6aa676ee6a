"""What libraries of GPUs mark their RDMA with, above all where GPUs post to the NIC by themselves: rule NIC961."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from rocecfg.analysis.hosts import HostNics, host_nics
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import dscp_of, ranges, tos_of
from rocecfg.model import Device, Fabric
from rocecfg.rules.base import ALL_CLASSES, ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.hosts_ends import find_misfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The variable of each library by its key in an intent. All take the whole byte, DSCP << 2 and the ECN bits: NCCL
# (net_ib/connect.cc, gin.cc), NVSHMEM (ibgda.cpp) and mori (mlx5.cpp) shift it by two, UCX's own default is 106.
VARIABLES = {
    "nccl_ib_tc": "NCCL_IB_TC",
    "nccl_gin_ib_tc": "NCCL_GIN_IB_TC",
    "nccl_ib_fifo_tc": "NCCL_IB_FIFO_TC",
    "nvshmem_ib_traffic_class": "NVSHMEM_IB_TRAFFIC_CLASS",
    "mori_rdma_tc": "MORI_RDMA_TC",
    "ucx_ib_traffic_class": "UCX_IB_TRAFFIC_CLASS",
}


class GpuLibrary(NamedTuple):
    """A library whose GPU kernels may post to the NIC by themselves."""

    title: str  # with what it calls that
    keys: tuple[str, ...]  # of VARIABLES, the one that goes first first


LIBRARIES = {
    "nccl": GpuLibrary("NCCL (GIN, GDAKI)", ("nccl_gin_ib_tc", "nccl_ib_tc")),
    "nvshmem": GpuLibrary("NVSHMEM (IBGDA)", ("nvshmem_ib_traffic_class",)),
    "mori": GpuLibrary("mori", ("mori_rdma_tc",)),
}


def gpu_initiated_libraries(host: Mapping[str, Any]) -> tuple[str, ...]:
    """The libraries, of LIBRARIES, that a host states to post from its GPUs."""
    stated = host.get("gpu_initiated")
    return tuple(each.value for each in stated.value) if stated is not None else ()


def leads_to_rdma(device: Device, dscp: int) -> bool:
    """Whether a class takes the code point that may carry RDMA; where RDMA's take none by number, nothing is known."""
    own = [c for c in device.rdma if c.dscps and not c.rest]
    return not own or any(c.may_carry_rdma for c in device.classes if dscp in c.dscps)


@rule(
    "NIC961",
    "nic-gpu-initiated",
    ERROR,
    source="NVIDIA/nccl issue 2383, NVIDIA/nvshmem pull request 25, ROCm/mori pull request 362, on DevX queue pairs",
    needs=("hosts",),
    classes=ALL_CLASSES,
)
def nic_gpu_initiated(fabric: Fabric, device: Device) -> Iterator[Hit]:
    """Queue pairs that GPUs post to directly do not use the DSCP of RDMA."""
    for nics in host_nics(fabric):
        if nics.of_gpus:
            for library in gpu_initiated_libraries(nics.host):
                yield from _judge_library(fabric, device, nics, LIBRARIES[library])


def _judge_library(fabric: Fabric, device: Device, nics: HostNics, library: GpuLibrary) -> Iterator[Hit]:
    key = next((key for key in library.keys if key in nics.host), None)
    stated = nics.host[key] if key is not None else None
    dscp = dscp_of(stated.value) if stated is not None else 0
    seen = find_misfit(fabric, device, nics.key, partial(leads_to_rdma, dscp=dscp))
    taking = [c for c in seen.classes if dscp in c.dscps] if seen is not None else []
    if seen is None or (not taking and fabric.classification == "vendor"):
        return
    if key == "nccl_ib_tc" and not _force_tos(nics):
        return  # mix-host-tc's
    own = [c for c in seen.rdma if c.dscps and not c.rest]
    known = sorted({d for c in own for d in c.dscps})
    lands = f"class {taking[0].name} (queue {taking[0].queue})" if taking else "no class"
    loss = _describe_loss(nics)
    posts = f"GPUs of {nics.hosts} post to the NICs directly with {library.title}"
    fix = _format_fix(key or library.keys[-1], known[0])  # the last is known to all releases
    related = ((own[0].at("dscp"), f"the DSCPs of class {own[0].name}"),)
    if key is None or stated is None:
        yield Hit(
            f"{posts}, but no {library.keys[-1]} is stated: these queue pairs send with DSCP 0, the library's "
            f"default, which is in {lands} and not in {own[0].name} (DSCP {ranges(known)}){loss}",
            (nics.host["gpu_initiated"].at,),
            f"{fix} (render --vendor host writes it)",
            related,
            severity=WARNING,
            cls=own[0].name,
        )
        return
    slip = f"; {stated.value} looks like the DSCP itself, the byte is DSCP x 4 + 2" if stated.value in known else ""
    yield Hit(
        f"{posts}: these queue pairs leave with {VARIABLES[key]} {stated.value}, which is DSCP {dscp} and in {lands}, "
        f"not in {own[0].name} (DSCP {ranges(known)}){loss}{slip}",
        (stated.at,),
        fix,
        related,
        cls=own[0].name,
    )


def _force_tos(nics: HostNics) -> bool:
    """Whether the NICs send all RDMA with a ToS byte of their own."""
    forced = nics.value.get("tos")
    return forced is not None and bool(forced.value)


def _describe_loss(nics: HostNics) -> str:
    forced = nics.value.get("tos")
    beside = f"; the ToS {forced.value} that the NICs force does not reach them" if forced is not None else ""
    return f"{beside}: they are dropped under load, and a kernel that waits for one may hang"


def _format_fix(key: str, dscp: int) -> str:
    """The setting that marks RDMA with a code point, in the intent and on the hosts."""
    return f"set {key}: {tos_of(dscp)} in the intent and {VARIABLES[key]}={tos_of(dscp)} in the environment of jobs"


RULES: tuple[Rule, ...] = (nic_gpu_initiated,)
