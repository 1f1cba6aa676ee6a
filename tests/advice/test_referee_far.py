"""The model of `rocecfg advise` against packets where marks come back late: ports behind 10 to 40 km of fibre."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from statistics import median

import pytest

from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.physics.dcqcn_random import simulate

FOLDER = Path(__file__).parent / "referee"
sys.path.insert(0, str(FOLDER))

import make_far  # noqa: E402 - a script beside its table
import make_table  # noqa: E402

pytestmark = pytest.mark.usefixtures("kept_simulations")

RUNS = list(csv.DictReader((FOLDER / "far.csv").read_text(encoding="utf-8").splitlines()[1:]))
CASES = list(make_far.cases())


@pytest.mark.parametrize(
    "number", range(len(CASES)), ids=lambda n: "{0.flows} at {0.gbit}G {0.delay}us".format(CASES[n])
)
def test_late_marks_make_the_swings_that_packets_have(number: int) -> None:
    case, seeds = CASES[number], len(make_table.SEEDS)
    runs = RUNS[number * seeds : (number + 1) * seeds]
    assert {tuple(run[name] for name in case._fields) for run in runs} == {tuple(map(str, case))}
    mean, sd, packets = (median(float(run[name]) for run in runs) for name in ("mean", "sd", "packets"))
    spread = max(float(run["mean"]) for run in runs) - min(float(run["mean"]) for run in runs)
    params = PAPER._replace(packet=case.packet, delay_us=case.delay)
    found = simulate(case.gbit * 1e9, case.flows, Curve(case.kmin * 1e3, case.kmax * 1e3, case.pmax), params)
    assert found.mean / 1e3 == pytest.approx(mean, abs=max(0.15 * mean, spread))
    assert found.sd / 1e3 == pytest.approx(sd, rel=0.1)
    assert found.utilisation == pytest.approx(
        packets * case.packet * 8 / (case.gbit * 1e9 * make_table.SECONDS), abs=0.02
    )
