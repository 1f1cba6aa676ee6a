"""RDMA traffic to test a stage with: perftest between two hosts, and a collective of NCCL over many.

Both put a byte into the header that holds DSCP and ECN (linux-rdma/perftest, man page: `--tclass`; NCCL, environment
variables: `NCCL_IB_TC`): DSCP times 4, plus 2 for ECT(0), so that switches may mark the packets.
"""

from __future__ import annotations

from rocecfg.core.units import tos_of
from rocecfg.model import Fabric
from rocecfg.rollout.types import Test

_SECONDS = 30
_QPS = 4
_BW = "ib_write_bw -d $DEV -x $GID --tclass={tos} -q {qps} -D {seconds} --report_gbits --out_json --out_json_file=$OUT"
_NCCL = (
    "mpirun -np $RANKS -H $HOSTS -x NCCL_IB_TC={tos} -x NCCL_IB_GID_INDEX=$GID "
    "./build/all_reduce_perf -b 8 -e 8G -f 2 -g 1"
)
VARIABLES = (
    "DEV: the RDMA device of the NIC port, as `rdma link` lists it",
    (
        "GID: the index of its RoCE v2 GID on this host: the N for which "
        "/sys/class/infiniband/$DEV/ports/1/gid_attrs/types/N is RoCE v2 and .../gids/N holds the port's address"
    ),
    "SERVER: the address of the host on which the test was started without one",
    "OUT: where perftest writes its result, for `rocecfg measured`, like the output of nccl-tests",
    "HOSTS and RANKS: of Open MPI; all_reduce_perf is of nccl-tests, built with MPI=1",
)


def make_tests(fabric: Fabric) -> tuple[Test, ...]:
    """One test for each RDMA class and its DSCP."""
    found: dict[tuple[str, int], Test] = {}
    for device in fabric.devices:
        for cls in device.rdma:
            codes = cls.marks or cls.dscps
            if not codes or (cls.name, codes[0]) in found:
                continue
            tos = tos_of(codes[0])
            line = _BW.format(tos=tos, qps=_QPS, seconds=_SECONDS)
            found[cls.name, codes[0]] = Test(cls.name, codes[0], tos, (line, f"{line} $SERVER"), _NCCL.format(tos=tos))
    return tuple(found.values())
