"""Write what the model says of the referee's ports: to set beside `runs.csv`.

    nice python make_model.py > model.csv

The checksum of the model's source is the first line: where that has changed, the tests ask for a new table. Four
minutes on one core.
"""

from __future__ import annotations

import csv
import hashlib
import sys
from pathlib import Path
from typing import NamedTuple

import make_table

import rocecfg
from rocecfg.advice.predict import predict
from rocecfg.physics.dcqcn import PAPER, Curve

SOURCES = ("advice/predict", "physics/dcqcn", "physics/dcqcn_linear", "physics/dcqcn_random", "physics/dcqcn_senders")


class Row(NamedTuple):
    """What the model says of a port: KB, and a share."""

    mean: float
    sd: float
    utilisation: float


def checksum() -> str:
    """Of the model's source."""
    folder = Path(rocecfg.__file__).parent
    found = hashlib.sha256()
    for name in SOURCES:
        found.update((folder / f"{name}.py").read_bytes().replace(b"\r\n", b"\n"))
    return found.hexdigest()


def figures(case: make_table.Case) -> Row:
    """What the model says of one port."""
    params = PAPER._replace(packet=case.packet, delay_us=case.delay)
    found = predict(case.gbit * 10**9, case.flows, Curve(case.kmin * 1e3, case.kmax * 1e3, case.pmax), params)
    return Row(found.mean / 1e3, found.sd / 1e3, found.utilisation)


def main() -> None:
    """All ports, as CSV on standard output."""
    sys.stdout.write(f"# {checksum()}\n")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow((*make_table.Case._fields, *Row._fields))
    for case in make_table.cases():
        out.writerow((*case, *(f"{figure:.6g}" for figure in figures(case))))


if __name__ == "__main__":
    main()
