"""Write the second referee's runs: 20 ports in ns-3, three seeds each, by the simulator that HPCC's authors published.

    nice python make_ns3.py /path/to/third > ns3.csv

`third` is the main program of that simulator as it is (ns-3.18 with queue pairs, PFC and DCQCN; the commit is in the
table's first line). None of it is rocecfg's: this writes the files that it reads, runs `third config.txt` with the seed
in the environment, `NS_GLOBAL_VALUE=RngRun=SEED`, and counts what it writes. It shares no code with `packets.c` or the
model. A run takes 5 to 30 s.

N senders and one receiver at one switch, all links of one speed, a queue pair a sender, which never ends. Where its
senders are others than the model's, and what was done:

- The receiver echoes every mark, and the sender looks each `cut` us, by a clock of its own, whether one came. So a mark
  within that time after a cut is not lost, but cuts at its end; SIGCOMM'15 reads so, too. The model and `packets.c` let
  it pass. With 4 us between cuts, as ConnectX cards have, that is no difference (`swift`); with 50 us it is (`paper`).
  The time that a mark waits, half of `cut` on average, is a part of `delay`: the links have the rest.
- Alpha is looked at in the same way each `alpha` us; a cut does not restart that time.
- There is no byte counter: the model's is set so high that it never fires.
- Hyper increase comes one round after additive increase: both have the same step, so there is none.
- Senders begin at line rate with an alpha of 1, at random within 1 ms. PFC holds that burst at four times kmax; after
  200 ms, alpha and rates have settled, 100 ms count. `pauses` are those that fall in them.
"""

from __future__ import annotations

import csv
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate
from math import ceil, sqrt
from pathlib import Path
from typing import NamedTuple

from make_table import CURVES, Case

COMMIT = "alibaba-edu/High-Precision-Congestion-Control 9f4be2a9ead8a90e8bf732c66bd758c00e58e5be"
SEEDS = range(1, 4)
START, END = 0.2, 0.3  # s: what counts lies between
LINKS = 4  # that a mark and what follows pass: to the receiver and back to the sender, and the sender's to the switch

_HEADERS = 48  # bytes that the simulator adds to a payload
_RECORD = 56  # bytes of the trace: time at 0, protocol at 26, event at 27, ECN bits at 28
_MIB = 1 << 20


class Timers(NamedTuple):
    """What a sender of the simulator is set to, as its configuration says it: us, Mbit/s."""

    alpha: int
    cut: int
    rise: int
    recovery: int
    increase: int


SENDERS = {
    "paper": Timers(alpha=55, cut=50, rise=55, recovery=5, increase=40),
    "swift": Timers(alpha=55, cut=4, rise=55, recovery=5, increase=40),  # the paper's, which cut as cards of today do
    "hpcc": Timers(alpha=1, cut=4, rise=900, recovery=1, increase=50),  # as its authors set it
}
GAIN = 1 / 256

PORTS = (  # senders, Gbit/s, packet (B), delay (us), curve, what senders are set to
    (2, 25, 1000, 50, "nvidia", "swift"),
    (4, 25, 1000, 50, "dcqcn", "swift"),
    (8, 25, 1000, 50, "short", "swift"),
    (16, 25, 1000, 50, "cisco", "swift"),
    (16, 25, 1000, 20, "nxos", "swift"),
    (8, 100, 4096, 50, "hpcc", "swift"),
    (8, 100, 4096, 20, "testbed", "swift"),
    (16, 100, 4096, 50, "short", "swift"),
    (32, 100, 4096, 20, "hpcc", "swift"),
    (64, 100, 4096, 50, "hpcc", "swift"),
    (8, 200, 4096, 20, "hpcc", "swift"),
    (32, 200, 4096, 50, "short", "swift"),
    (16, 400, 4096, 20, "hpcc", "swift"),
    (64, 400, 4096, 20, "cisco", "swift"),
    (4, 25, 1000, 50, "nvidia", "hpcc"),
    (16, 100, 4096, 50, "short", "hpcc"),
    (32, 100, 4096, 50, "hpcc", "hpcc"),
    (16, 25, 1000, 50, "cisco", "paper"),
    (8, 100, 4096, 50, "hpcc", "paper"),
    (16, 400, 4096, 50, "hpcc", "paper"),
)


class Run(NamedTuple):
    """What the simulator wrote: KB, percent. `low` and `high` are passed in 1 % of the time, `empty` is a share."""

    mean: float
    sd: float
    low: float
    high: float
    empty: float
    marks: float
    packets: int
    pauses: int


def cases() -> Iterator[tuple[Case, str]]:
    """The table's cases, each with what its senders are set to."""
    for flows, gbit, packet, delay, curve, senders in PORTS:
        kmin, kmax, pmax = (CURVES | {"hpcc": (4.0 * gbit, 16.0 * gbit, 0.20)})[curve]
        yield Case(flows, gbit, kmin, kmax, pmax, packet, delay, curve), senders


def run(program: Path, case: Case, senders: str, seed: int) -> Run:
    """One run of the simulator."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write(folder, case, SENDERS[senders], seed)
        os.mkfifo(folder / "trace.out")
        environment = os.environ | {"NS_GLOBAL_VALUE": f"RngRun={seed}"}
        with subprocess.Popen(
            [program, "config.txt"], cwd=folder, env=environment, stdout=subprocess.DEVNULL
        ) as running:
            packets, marked = _traced(folder / "trace.out")
        if running.returncode:
            raise subprocess.CalledProcessError(running.returncode, str(program))
        mean, sd, low, high, empty = _queue(folder / "qlen.txt", case)
        pauses = [line.split() for line in (folder / "pfc.txt").read_text(encoding="utf-8").splitlines()]
        during = sum(kind == "1" and START * 1e9 <= int(at) < END * 1e9 for at, *_, kind in pauses)
    return Run(mean, sd, low, high, empty, round(100 * marked / packets, 3), packets, during)


def _write(folder: Path, case: Case, senders: Timers, seed: int) -> None:
    """The files that the simulator reads. Nodes: senders, receiver, switch."""
    n = case.flows
    nanoseconds = round((case.delay - senders.cut / 2) * 1000 / LINKS)
    links = [f"{node} {n + 1} {case.gbit}Gbps {nanoseconds}ns 0" for node in range(n + 1)]
    draw = random.Random(seed)  # noqa: S311 - when senders start
    starts = sorted(draw.randrange(1_000_000) for _ in range(n))
    flows = [f"{node} {n} 3 100 4000000000 {at / 1e9:.9f}" for node, at in enumerate(starts)]
    # PFC's threshold of each of N ports is an eighth of what N of them leave free of the buffer.
    headroom = (n + 1) * (int(case.gbit * 1e9 * nanoseconds / 8e9) * 3 + 4096)
    buffer = ceil((4 * case.kmax * 1e3 * (n + 8) / n + headroom) / _MIB)
    speed = case.gbit * 10**9
    config = {
        "ENABLE_QCN": 1,
        "USE_DYNAMIC_PFC_THRESHOLD": 1,
        "PACKET_PAYLOAD_SIZE": case.packet - _HEADERS,
        "TOPOLOGY_FILE": "topology.txt",
        "FLOW_FILE": "flow.txt",
        "TRACE_FILE": "trace.txt",
        "TRACE_OUTPUT_FILE": "trace.out",
        "FCT_OUTPUT_FILE": "fct.txt",
        "PFC_OUTPUT_FILE": "pfc.txt",
        "SIMULATOR_STOP_TIME": END + 0.0001,
        "CC_MODE": 1,
        "ALPHA_RESUME_INTERVAL": senders.alpha,
        "RATE_DECREASE_INTERVAL": senders.cut,
        "CLAMP_TARGET_RATE": 1,
        "RP_TIMER": senders.rise,
        "EWMA_GAIN": GAIN,
        "FAST_RECOVERY_TIMES": senders.recovery,
        "RATE_AI": f"{senders.increase}Mb/s",
        "RATE_HAI": f"{senders.increase}Mb/s",
        "MIN_RATE": "1Mb/s",
        "ERROR_RATE_PER_LINK": 0,
        "L2_CHUNK_SIZE": 4000,
        "L2_ACK_INTERVAL": 1,
        "L2_BACK_TO_ZERO": 0,
        "HAS_WIN": 0,
        "RATE_BOUND": 1,
        "ACK_HIGH_PRIO": 0,
        "LINK_DOWN": "0 0 0",
        "ENABLE_TRACE": 1,
        "KMAX_MAP": f"1 {speed} {case.kmax:.0f}",
        "KMIN_MAP": f"1 {speed} {case.kmin:.0f}",
        "PMAX_MAP": f"1 {speed} {case.pmax:g}",
        "BUFFER_SIZE": buffer,
        "QLEN_MON_FILE": "qlen.txt",
        "QLEN_MON_START": round(START * 1e9),
        "QLEN_MON_END": round(END * 1e9),
    }
    for name, lines in (
        ("topology.txt", [f"{n + 2} 1 {len(links)}", str(n + 1), *links]),
        ("flow.txt", [str(n), *flows]),
        ("trace.txt", ["1", str(n)]),
        ("config.txt", [f"{key} {value}" for key, value in config.items()]),
    ):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


def _traced(path: Path) -> tuple[int, int]:
    """Packets that the receiver got in the time that counts, and how many of them were marked."""
    packets = marked = 0
    with path.open("rb") as trace:
        ports = int.from_bytes(trace.read(4), "little")
        trace.read(11 * ports + 4)  # the speed of each port, and the window
        while block := trace.read(_RECORD * 256):
            if START * 1e9 <= int.from_bytes(block[:8], "little") < END * 1e9:
                events = block[27::_RECORD]
                packets += events.count(0)
                marked += sum(ecn == 3 and not event for ecn, event in zip(block[28::_RECORD], events, strict=True))
    return packets, marked


def _queue(path: Path, case: Case) -> tuple[float, float, float, float, float]:
    """Mean, sd, 1 % and 99 % in KB, and the share of the time at nothing: of the receiver's port, each 100 ns."""
    last = [line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("time")][-1]
    counts = [int(word) for word in last[2:]]  # by full KB; a queue holds whole packets
    sizes = [ceil(kb * 1000 / case.packet) * case.packet / 1000 for kb in range(len(counts))]
    total = sum(counts)
    mean = sum(size * count for size, count in zip(sizes, counts, strict=True)) / total
    square = sum(size**2 * count for size, count in zip(sizes, counts, strict=True)) / total
    passed = list(accumulate(counts))
    low, high = (
        next(size for size, below in zip(sizes, passed, strict=True) if below > part * total) for part in (0.01, 0.99)
    )
    return (
        round(mean, 1),
        round(sqrt(square - mean**2), 1),
        round(low, 1),
        round(high, 1),
        round(counts[0] / total, 4),
    )


def main() -> None:
    """All runs, as CSV on standard output."""
    program = Path(sys.argv[1]).absolute()
    sys.stdout.write(f"# {COMMIT}, third config.txt, {START} to {END} s\n")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("seed", *Case._fields, "senders", *Run._fields))
    for seed in SEEDS:
        for case, senders in cases():
            out.writerow((seed, *case, senders, *run(program, case, senders, seed)))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
