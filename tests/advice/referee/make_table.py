"""Write the referee's table: 50 ports under 3 marking curves each, 5 seeds a curve, by a packet simulator.

    nice python make_table.py /path/to/packets.c > runs.csv

`packets.c` is not rocecfg's: it simulates DCQCN packet by packet, with marks drawn at random, and shares no code with
the model that is held to this table. Its source is compiled here, and its checksum is the table's first line. A
run takes 0.3 to 5 s, the table about half an hour on one core. Rows are one run each, seed by seed.
"""

from __future__ import annotations

import hashlib
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SEEDS = range(1, 6)
SECONDS = 0.2  # of which the referee counts the second half

CURVES = {  # KB, KB, part: as published and as seen on switches; `hpcc` is scaled by speed
    "nvidia": (150, 1500, 1.0),
    "sonic": (1048.576, 2097.152, 0.05),
    "dcqcn": (5, 200, 0.01),
    "arista": (256, 512, 1.0),
    "testbed": (508, 2540, 0.20),
    "cisco": (150, 3000, 0.07),
    "nxos": (950, 3000, 0.07),
    "short": (400, 1400, 0.20),
    "shallow": (737.28, 1462.272, 0.03),
    "shallow-1": (614, 1190, 0.01),
}
_USUAL = 50
PORTS = (  # senders, Gbit/s, packet (B), from a mark to the cut of the rate (us)
    (48, 400, 4160, _USUAL),  # the first port has the three curves of `FIRST`
    *((n, 25, 1000, _USUAL) for n in (4, 16, 64)),
    *((n, 40, 1000, _USUAL) for n in (2, 10, 16, 64)),
    *((n, 100, 4096, _USUAL) for n in (2, 8, 16, 32, 64, 128)),
    *((n, 200, 4096, _USUAL) for n in (4, 8, 16, 32, 64, 128)),
    *((n, 400, 4160, _USUAL) for n in (2, 4, 8, 16, 24, 32, 64, 96, 128, 256)),
    *((n, 800, 4160, _USUAL) for n in (8, 16, 32, 48, 64, 128, 256)),
    (10, 40, 1000, 85),
    (32, 40, 1000, 85),
    (16, 100, 1024, 10),
    (16, 100, 1024, 85),
    (64, 100, 4096, 20),
    (16, 200, 4096, 85),
    (8, 400, 4160, 10),
    (48, 400, 4160, 10),
    (48, 400, 4160, 85),
    (16, 400, 2048, 85),
    (32, 400, 2048, 20),
    (32, 800, 4160, 20),
    (64, 800, 4160, 85),
)
FIRST = ("short", "shallow", "hpcc")


class Case(NamedTuple):
    """One port under one curve."""

    flows: int
    gbit: int
    kmin: float  # KB
    kmax: float
    pmax: float
    packet: int  # bytes
    delay: int  # us
    curve: str


class Run(NamedTuple):
    """What the referee printed: KB, percent."""

    mean: float
    sd: float
    low: float
    high: float
    marks: float
    packets: int


def cases() -> Iterator[Case]:
    """The table's cases, three a port."""
    draw = random.Random(17)  # noqa: S311 - which curves a port has, always the same
    for number, (flows, gbit, packet, delay) in enumerate(PORTS):
        curves = CURVES | {"hpcc": (4.0 * gbit, 16.0 * gbit, 0.20)}
        names = sorted(draw.sample(sorted(curves), 3))
        for name in names if number else FIRST:
            yield Case(flows, gbit, *curves[name], packet, delay, name)


def compiled(source: Path, folder: Path) -> Path:
    """The referee's program."""
    program = folder / "packets"
    subprocess.run(["cc", "-O2", "-o", program, source, "-lm"], check=True)
    return program


def run(program: Path, case: Case, seed: int) -> Run:
    """One run of the referee."""
    flows, gbit, kmin, kmax, pmax, packet, delay, _ = case
    arguments = (flows, gbit, f"{kmin:g}", f"{kmax:g}", f"{pmax:g}", packet, delay, SECONDS, seed)
    done = subprocess.run([program, *map(str, arguments)], check=True, capture_output=True, text=True)
    mean, sd, low, high, marks, packets = re.findall(r"-?\d+\.?\d*", done.stdout.partition("mean")[2])
    return Run(float(mean), float(sd), float(low), float(high), float(marks), int(packets))


def main() -> None:
    """All runs, as CSV on standard output."""
    source = Path(sys.argv[1])
    out = sys.stdout
    print(f"# packets.c sha256 {hashlib.sha256(source.read_bytes()).hexdigest()}, {SECONDS} s", file=out)
    print(",".join(("seed", *Case._fields, *Run._fields)), file=out, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(source, Path(folder))
        for seed in SEEDS:
            for case in cases():
                print(",".join(map(str, (seed, *case, *run(program, case, seed)))), file=out, flush=True)


if __name__ == "__main__":
    main()
