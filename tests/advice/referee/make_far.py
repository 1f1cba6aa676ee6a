"""Write the referee's runs of ports behind 10 to 40 km of fibre: marks that come back 100 to 400 us later.

    nice python make_far.py /path/to/packets.c > far.csv

The same simulator as for `make_table.py`; five seeds a case, a minute on one core.
"""

from __future__ import annotations

import csv
import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from make_table import SECONDS, SEEDS, Case, Run, compiled, run

# senders, Gbit/s, kmin and kmax (KB), delay (us): 50 us and 10 us for each km
FAR = (
    (16, 400, 800, 2400, 150),
    (64, 400, 800, 2400, 150),
    (16, 800, 3500, 17000, 250),
    (16, 100, 800, 3200, 450),
    (64, 400, 3200, 12800, 450),
)


def cases() -> Iterator[Case]:
    """The cases, with pmax of 20 % and packets of 4096 B."""
    for flows, gbit, kmin, kmax, delay in FAR:
        yield Case(flows, gbit, kmin, kmax, 0.2, 4096, delay, "far")


def main() -> None:
    """All runs, as CSV on standard output."""
    source = Path(sys.argv[1])
    sys.stdout.write(f"# packets.c sha256 {hashlib.sha256(source.read_bytes()).hexdigest()}, {SECONDS} s\n")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("seed", *Case._fields, *Run._fields))
    with tempfile.TemporaryDirectory() as folder:
        program = compiled(source, Path(folder))
        for case in cases():
            for seed in SEEDS:
                out.writerow((seed, *case, *run(program, case, seed)))


if __name__ == "__main__":
    main()
