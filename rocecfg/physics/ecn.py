"""Where ECN must mark so that it acts before PFC, and what a threshold costs. Sizes are bytes, speeds bit/s.

A chip with a dynamic threshold pauses a priority group as it holds more than `alpha * (B - used)`, with `B` the pool
that the groups share. ECN marks at the egress, PFC pauses at the ingress: which of the two comes first depends on how
many ingress ports feed how many egress queues. The three bounds here are the cases between which a switch moves:

1. one ingress port feeds one egress queue (`kmax_hard`): beyond it a queue is never fully marked;
2. one ingress port feeds all `n` egress queues, each at kmin (`kmin_bound`): the worst case of the DCQCN paper;
3. `n` ingress ports feed `n` egress queues one to one, each at kmax (`kmax_bound`).

`n` is the number of ports that carry the lossless class. `alpha` and `pool` are above 0, `n` is 1 or more.

Source: DCQCN, SIGCOMM'15, section 4, for case 2; cases 1 and 3 follow from the same threshold.
"""

from __future__ import annotations

_DCTCP = 7
_CABLE = 0.01  # us of a metre there and back, at 5 ns/m


def share_of_limit(threshold: float, limit: float) -> int:
    """A threshold in bytes as a whole percentage of all that a queue can hold, `100 * K / Qmax`, to the nearest.

    True where `limit` is fixed, for dedicated or static buffers: under a dynamic threshold it falls as other queues
    fill. Off by half a percent of `limit` at most. `limit` is above 0.
    """
    return round(100 * threshold / limit)


def pause_dynamic(alpha: float, pool: float, queues: int = 1) -> float:
    """The depth in bytes at which `queues` priority groups pause that are equally deep: `alpha*B / (1 + queues*alpha)`.

    The solution of `depth = alpha * (B - queues * depth)`.
    """
    return alpha * pool / (1 + queues * alpha)


def kmax_hard(alpha: float, pool: float) -> float:
    """What kmax must stay below for one ingress port that feeds one egress queue: `alpha*B / (1 + alpha)`, bytes.

    From here on PFC pauses before every packet is marked, however little else the switch carries.
    """
    return pause_dynamic(alpha, pool)


def kmin_bound(alpha: float, pool: float, n: int) -> float:
    """What kmin must stay below for one ingress port that feeds `n` queues: `alpha*B / (n * (1 + alpha))`, bytes.

    From here on PFC may pause before the first packet is marked. The priority group holds what the `n` queues hold.

    Source: DCQCN, SIGCOMM'15, section 4, with one lossless priority.
    """
    return pause_dynamic(alpha, pool) / n


def kmax_bound(alpha: float, pool: float, n: int) -> float:
    """What kmax must stay below while `n` queues are as deep at a time: `alpha*B / (1 + n*alpha)`, bytes."""
    return pause_dynamic(alpha, pool, n)


def bdp(speed: float, rtt_ms: float) -> float:
    """The bytes in flight that fill a path: `speed * RTT / 8`."""
    return speed * rtt_ms / 8000


def dctcp_kmin(speed: float, rtt_ms: float) -> float:
    """The marking threshold in bytes below which the link may idle: `C * RTT / 7`, a seventh of `bdp`.

    Holds for DCTCP's window and a step at one threshold; for DCQCN it is a guide.

    Source: DCTCP, SIGCOMM'10, section 3.3 (by second sources).
    """
    return bdp(speed, rtt_ms) / _DCTCP


def queue_delay_us(size: float, speed: float) -> float:
    """How long, in us, a packet waits behind `size` bytes at `speed`: `8 * size / speed`."""
    return 8e6 * size / speed


def rtt_of_cable_us(metres: float) -> float:
    """The time in us that a cable takes there and back: 5 ns per metre each way. Switches and NICs add their own."""
    return metres * _CABLE


def scale_threshold(size: float, from_speed: float, to_speed: float) -> float:
    """A threshold of `from_speed` for `to_speed`, in bytes, with the same queueing delay: `size * to / from`."""
    return size * to_speed / from_speed
