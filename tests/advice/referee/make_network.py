"""Write the referee's runs of two bottlenecks: what the model of one says of them, and where it does not hold.

    nice python make_network.py > network.csv

`network.c` beside this is compiled for it; it is a simulator of packets and shares no code with the model. On one queue
it says what `packets.c` does. Three seeds a case; two minutes on one core.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("network.c")
PACKET, DELAY, SECONDS, SEEDS = 4096, 50, 0.15, (1, 2, 3)

CURVES = {"auto": (120, 380, 0.2), "stated": (400, 1600, 0.2)}  # KB: of Tomahawk 5 at 400G, and of an example
SLOW = (30, 150, 0.2)  # KB, of a port of 100G


class Network(NamedTuple):
    """Queues as (Gbit/s, curve) and senders as (number, Gbit/s, the queues that they cross)."""

    queues: tuple[tuple[int, tuple[float, float, float]], ...]
    senders: tuple[tuple[int, int, tuple[int, ...]], ...]

    @property
    def text(self) -> str:
        """As `network.c` reads it."""
        lines = [f"Q {speed} {kmin} {kmax} {pmax}" for speed, (kmin, kmax, pmax) in self.queues]
        lines += [f"F {number} {line} {' '.join(map(str, path))} -1" for number, line, path in self.senders]
        return "\n".join(lines) + "\n"


def networks() -> Iterator[tuple[str, str, Network]]:
    """Each with its name and the name of its curve. All ports are of 400G but for one."""
    for name, curve in CURVES.items():
        queue = (400, curve)
        for flows in (8, 32):  # all through both
            yield f"same {flows}", name, Network((queue,) * 2, ((flows, 400, (0, 1)),))
        for flows in (8, 32):  # four links up and four down, as many from each to each
            pairs = tuple((flows // 4, 400, (up, 4 + down)) for up in range(4) for down in range(4))
            yield f"across {flows}", name, Network((queue,) * 8, pairs)
        for flows in (4, 16):  # some through both, as many through either alone
            paths: tuple[tuple[int, ...], ...] = ((0, 1), (0,), (1,))
            yield f"lot {flows}", name, Network((queue,) * 2, tuple((flows, 400, path) for path in paths))
        # 8 of 32 senders of an incast come over a link, which they fill only until they have slowed down
        yield "incast 32", name, Network((queue,) * 2, ((8, 400, (0, 1)), (24, 400, (1,))))
        # the same, and 8 others use that link
        yield "background 32", name, Network((queue,) * 2, ((8, 400, (0, 1)), (8, 400, (0,)), (24, 400, (1,))))
    yield "mixed 8", "slow", Network(((400, CURVES["auto"]), (100, SLOW)), ((8, 400, (0, 1)),))


def main() -> None:
    """All runs, as CSV on standard output: `what` is Q, with mean, sd (KB) and use (%), or F, with Gbit/s in `used`."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("network", "curve", "seed", "what", "number", "mean", "sd", "used"))
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/network"
        subprocess.run(["cc", "-O2", "-o", program, str(SOURCE), "-lm"], check=True)
        for name, curve, network in networks():
            for seed in SEEDS:
                command = [program, *map(str, (PACKET, DELAY, SECONDS, seed))]
                done = subprocess.run(command, input=network.text, capture_output=True, text=True, check=True)
                numbers = {"Q": 0, "F": 0}
                for line in done.stdout.splitlines():
                    what, *figures = line.split()
                    out.writerow(
                        (name, curve, seed, what, numbers[what], *(figures if what == "Q" else ("", "", *figures)))
                    )
                    numbers[what] += 1


if __name__ == "__main__":
    main()
