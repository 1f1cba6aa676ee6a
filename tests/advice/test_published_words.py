"""What authors say in words of DCQCN's queues, and whether the model says so too.

Not here, and why: the figures of HPCC (SIGCOMM'19, 9 to 11) are drawn, and are of flows that come and go at 30 and 50 %
load or of short bursts, where the model has senders that stay; those of sc20anonymous/DCQCN-validation are drawn, too,
and of a link that PFC pauses behind another one (its one number, 16 ms in which that link is not used, is of pauses).
"""

from __future__ import annotations

from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.physics.dcqcn_random import simulate


def test_two_flows_use_the_link_and_mostly_queue_100_kb_or_less() -> None:
    """bobzhuyb/ns3-rdma, issue 9: with random marks some 99 % of the link, and a queue mostly of 100 KB or less.

    Said by an author of DCQCN of two flows in ns-3; speed and curve are the paper's (40G, 5 KB, 200 KB, 1 %), which the
    issue does not repeat.
    """
    run = simulate(40e9, 2, Curve(5e3, 200e3, 0.01), PAPER)
    settled = [queue for us, queue in zip(run.times_us, run.queues, strict=True) if us > run.times_us[-1] / 2]
    assert run.utilisation > 0.985
    assert sum(queue <= 100e3 for queue in settled) > 0.95 * len(settled)
    assert run.sd > 10e3  # and not the straight line of the fluid
