"""The curves of `ecn: auto` against packets: what a simulator that shares no code with the model says of their rows."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from statistics import fmean

FOLDER = Path(__file__).parent / "referee"
sys.path.insert(0, str(FOLDER))

import make_curves  # noqa: E402 - a script beside its table

RUNS = list(csv.DictReader((FOLDER / "curves.csv").read_text(encoding="utf-8").splitlines()[1:]))
FAR_APART = 22.0  # us between two packets of a sender: from there on the model parts from packets
UNHELD = (25, 256)  # 256 senders at 25G: none of the curves holds them, at the slowest rate that DCQCN has


def test_links_are_used_as_the_table_says() -> None:
    near = 0
    for row in make_curves.rows():
        runs = [run for run in RUNS if (int(run["gbit"]), int(run["flows"])) == row[:2]]
        assert [[float(run[key]) for key in ("kmin", "kmax", "pmax")] for run in runs] == [list(row[2:5])] * 2
        if row[:2] == UNHELD:
            continue
        capacity = row.gbit * 1e9 * make_curves.SECONDS / 8 / make_curves.PACKET
        used = 100 * fmean(float(run["packets"]) for run in runs) / capacity
        apart = row.flows * make_curves.PACKET * 8 / row.gbit / 1e3
        near += apart < FAR_APART
        assert abs(used - row.used) < (0.5 if apart < FAR_APART else 6), row
    assert near >= 9
