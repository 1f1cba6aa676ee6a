"""Write the referee's runs of several queues, one behind the other: what a model of one queue does not have.

    nice python make_network.py > network.csv

`network.c` beside this is compiled for it; it is a simulator of packets and shares no code with the model. On one queue
it says what `packets.c` does. Five seeds a case; four minutes on one core.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

SOURCE = Path(__file__).with_name("network.c")
PACKET, SECONDS, SEEDS = 4096, 0.15, (1, 2, 3, 4, 5)

Shape = tuple[float, float, float]
Path_ = tuple[int, ...]
CURVES: dict[str, Shape] = {"auto": (120, 380, 0.2), "stated": (400, 1600, 0.2)}  # KB: Tomahawk 5 at 400G; an example
OTHERS: dict[str, Shape] = {"flat": (400, 1600, 0.05), "steep": (150, 1500, 1)}  # KB: SONiC's pmax; NVIDIA's curve
SLOW: Shape = (30, 150, 0.2)  # KB, of a port of 100G
NONE: Shape = (1e6, 2e6, 0)  # a receiver's buffer marks nothing


class Network(NamedTuple):
    """Queues as (Gbit/s, curve) and senders as (number, Gbit/s, the queues that they cross)."""

    queues: tuple[tuple[int, Shape], ...]
    senders: tuple[tuple[int, int, Path_], ...]
    pauses: tuple[tuple[int, int, int, int], ...] = ()  # which queue rests, for which behind it, xoff and xon in KB
    delay: int = 50  # us from a mark to the cut

    @property
    def text(self) -> str:
        """As `network.c` reads it."""
        lines = [f"Q {speed} {kmin} {kmax} {pmax}" for speed, (kmin, kmax, pmax) in self.queues]
        lines += [f"P {' '.join(map(str, pause))}" for pause in self.pauses]
        lines += [f"F {number} {line} {' '.join(map(str, path))} -1" for number, line, path in self.senders]
        return "\n".join(lines) + "\n"

    @property
    def alike(self) -> tuple[list[list[int]], list[list[int]]]:
        """Queues, and senders, that differ in their number alone: a row of the table is of all of these."""
        queues: dict[object, list[int]] = {}
        senders: dict[object, list[int]] = {}
        for n, queue in enumerate(self.queues):
            met = sorted((number, line, path.index(n), len(path)) for number, line, path in self.senders if n in path)
            queues.setdefault((queue, tuple(met)), []).append(n)
        kind = {n: i for i, like in enumerate(queues.values()) for n in like}
        for n, (number, line, path) in enumerate(self.senders):
            senders.setdefault((number, line, tuple(kind[q] for q in path)), []).append(n)
        return list(queues.values()), list(senders.values())


def networks() -> Iterator[tuple[str, str, Network]]:
    """Each with its name and the name of its curve. Ports are of 400G where nothing else is said."""
    for name, curve in CURVES.items():
        for network, of in _of_one_curve((400, curve)):
            yield network, name, of
    slow = (100, SLOW)
    yield "mixed 8", "slow", Network(((400, CURVES["auto"]), slow), ((8, 400, (0, 1)),))
    yield "lot 8 8", "slow", _lot((slow,) * 2, 8, 8)
    for name, curve in OTHERS.items():
        queue = (400, curve)
        yield "lot 16 16", name, _lot((queue,) * 2, 16, 16)
        for flows in (8, 32, 64):
            yield f"across 4 {flows}", name, _across(queue, 4, flows)


def _across(queue: tuple[int, Shape], links: int, flows: int) -> Network:
    """Links up and as many down, as many flows from each to each."""
    pairs = tuple((flows // links, queue[0], (u, links + d)) for u in range(links) for d in range(links))
    return Network((queue,) * 2 * links, pairs)


def _lot(queues: tuple[tuple[int, Shape], ...], through: int, alone: int) -> Network:
    """Some through all queues, others through each alone."""
    numbers = range(len(queues))
    line = queues[0][0]
    return Network(queues, ((through, line, tuple(numbers)), *((alone, line, (n,)) for n in numbers)))


def _of_one_curve(queue: tuple[int, Shape]) -> Iterator[tuple[str, Network]]:
    for flows in (8, 32):  # all through both
        yield f"same {flows}", Network((queue,) * 2, ((flows, 400, (0, 1)),))
    for links, flows in ((4, 8), (4, 32), (8, 32), (4, 64)):
        yield f"across {links} {flows}", _across(queue, links, flows)
    # 32 flows a link, where 16 senders each share a NIC, two NICs a link, that they all but fill
    nics = tuple((4, 210, (8 + 2 * u + k, u, 4 + d)) for u in range(4) for k in range(2) for d in range(4))
    yield "nics 32", Network((queue,) * 8 + ((210, NONE),) * 8, nics)
    for through, alone in ((4, 4), (16, 16), (4, 16)):
        yield f"lot {through} {alone}", _lot((queue,) * 2, through, alone)
    yield "three 8", _lot((queue,) * 3, 8, 8)
    yield "far 16", _lot((queue,) * 2, 16, 16)._replace(delay=150)
    # 8 of 32 senders of an incast come over a link, which they fill only until they have slowed down
    incast = (24, 400, (1,))
    yield "incast 32", Network((queue,) * 2, ((8, 400, (0, 1)), incast))
    # the same, and 8 others use that link; or 16 that send no more than half, or four fifths, of what it carries
    yield "background 32", Network((queue,) * 2, ((8, 400, (0, 1)), (8, 400, (0,)), incast))
    for each in (12, 20):
        yield f"uniform {each}", Network((queue,) * 2, ((8, 400, (0, 1)), (16, each, (0,)), incast))
    # a port of 100G behind one of 400G, which others use, too; some senders to it are of 100G and nearer
    slow = (100, SLOW)
    yield "speeds 8", Network((queue, slow), ((8, 400, (0, 1)), (8, 400, (0,))))
    yield "near 4", Network((queue, slow), ((4, 400, (0, 1)), (4, 100, (1,)), (8, 400, (0,))))
    # a receiver that takes 300G, or 100G, of a port of 400G, and pauses it from 200 KB on until it is down to 100
    for flows, takes in ((8, 300), (32, 300), (8, 100)):
        pause = ((0, 1, 200, 100),)
        yield f"receiver {flows} {takes}", Network((queue, (takes, NONE)), ((flows, 400, (0, 1)),), pause)


def compiled(folder: str | Path) -> str:
    """The simulator."""
    program = f"{folder}/network"
    subprocess.run(["cc", "-O2", "-o", program, str(SOURCE), "-lm"], check=True)
    return program


def run(program: str, network: Network, seed: int) -> Iterator[tuple[str, int, tuple[float, ...]]]:
    """Of each kind of queue and of senders the figures, and the number of the first."""
    command = [program, *map(str, (PACKET, network.delay, SECONDS, seed))]
    done = subprocess.run(command, input=network.text, capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    for what, kinds in zip("QF", network.alike, strict=True):
        found = [list(map(float, figures)) for kind, *figures in lines if kind == what]
        for like in kinds:
            yield what, like[0], tuple(fmean(column) for column in zip(*(found[n] for n in like), strict=True))


def main() -> None:
    """All runs, as CSV on standard output: `what` is Q, with mean and sd (KB), use and time above kmax (%), or F, with
    Gbit/s in `used`.
    """
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("network", "curve", "seed", "what", "number", "mean", "sd", "used", "beyond"))
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(folder)
        for name, curve, network in networks():
            for seed in SEEDS:
                for what, number, figures in run(program, network, seed):
                    shown = [f"{figure:.2f}" for figure in figures]
                    out.writerow((name, curve, seed, what, number, *(shown if what == "Q" else ("", "", *shown, ""))))


if __name__ == "__main__":
    main()
