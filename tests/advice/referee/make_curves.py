"""Write the referee's runs of the curves that `ecn: auto` takes on Tomahawk 5, at the most senders of each row.

    nice python make_curves.py /path/to/packets.c > curves.csv

The same simulator as for `make_table.py`; two seeds a row, a minute on one core.
"""

from __future__ import annotations

import csv
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

PROFILE = Path(__file__).resolve().parents[3] / "profiles" / "curves" / "tomahawk5.yaml"
PACKET, DELAY, SECONDS, SEEDS = 4096, 50, 0.2, (1, 2)
MOST = {"2-16": 16, "17-64": 64, "65-256": 256}  # senders
SPEEDS = (25, 100, 200, 400, 800)  # Gbit/s
_KB = {"MB": 1000, "KB": 1, "B": 0.001}


class Row(NamedTuple):
    """A curve of the table, and the part of the link that it says is used."""

    gbit: int
    flows: int
    kmin: float  # KB
    kmax: float  # KB
    pmax: float
    used: float  # percent


def rows() -> Iterator[Row]:
    """What the shipped table has for these speeds and senders."""
    table = yaml.safe_load(PROFILE.read_text("utf-8"))["rows"]
    for gbit in SPEEDS:
        for range_, flows in MOST.items():
            curve = table[f"{gbit}G"][range_]
            ends = (_kilobytes(curve["kmin"]), _kilobytes(curve["kmax"]))
            yield Row(gbit, flows, *ends, float(curve["pmax"][:-1]) / 100, float(curve["used"][:-1]))


def _kilobytes(text: str) -> float:
    number = text.rstrip("KMB")
    return float(number) * _KB[text.removeprefix(number)]


def _main() -> None:
    source = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/packets"
        subprocess.run(["cc", "-O2", "-o", program, str(source), "-lm"], check=True)
        sys.stdout.write(f"# packets.c sha256 {hashlib.sha256(source.read_bytes()).hexdigest()}, {SECONDS} s\n")
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(("gbit", "flows", "kmin", "kmax", "pmax", "seed", "mean", "sd", "packets"))
        for row in rows():
            for seed in SEEDS:
                reported = [row.flows, row.gbit, row.kmin, row.kmax, row.pmax, PACKET, DELAY, SECONDS, seed]
                done = subprocess.run([program, *map(str, reported)], capture_output=True, text=True, check=True)
                words = done.stdout.split()
                out.writerow((*reported[1::-1], *reported[2:5], seed, words[2], words[5], words[-1]))


if __name__ == "__main__":
    _main()
