"""Two bottlenecks by packets: where the model of one holds, and where it does not and so nothing is predicted."""

from __future__ import annotations

import csv
import subprocess
import sys
from functools import cache
from pathlib import Path
from statistics import median

import pytest

from rocecfg.advice.predict import Prediction, predict
from rocecfg.physics.dcqcn import PAPER, Curve

FOLDER = Path(__file__).parent / "referee"
sys.path.insert(0, str(FOLDER))

import make_network  # noqa: E402 - a script beside its table
import make_table  # noqa: E402

ROWS = list(csv.DictReader((FOLDER / "network.csv").read_text(encoding="utf-8").splitlines()))
SENDERS = PAPER._replace(packet=make_network.PACKET, delay_us=make_network.DELAY)
CURVES = {**make_network.CURVES, "slow": make_network.SLOW}
BOTH = list(make_network.CURVES)


def packets(network: str, curve: str, what: str, number: int, figure: str) -> float:
    """The median of the seeds."""
    key = (network, curve, what, str(number))
    found = [row for row in ROWS if (row["network"], row["curve"], row["what"], row["number"]) == key]
    assert len(found) == len(make_network.SEEDS)
    return median(float(row[figure]) for row in found)


@cache
def model(curve: str, flows: int) -> Prediction:
    kmin, kmax, pmax = CURVES[curve]
    speed = 100 if curve == "slow" else 400
    return predict(speed * 10**9, flows, Curve(kmin * 1e3, kmax * 1e3, pmax), SENDERS)


@pytest.mark.parametrize(
    ("network", "curve", "first", "then"),
    [
        *((f"same {flows}", curve, 0, 1) for flows in (8, 32) for curve in BOTH),  # what leaves one link fits the next
        *(("incast 32", curve, 1, 0) for curve in BOTH),  # slowed down, the senders leave the link half empty
        ("mixed 8", "slow", 1, 0),
    ],
)
def test_one_bottleneck_behind_or_before_links_with_room_is_as_predicted(
    network: str, curve: str, first: int, then: int
) -> None:
    found = model(curve, int(network.split()[1]))
    mean, sd, used = (packets(network, curve, "Q", first, figure) for figure in ("mean", "sd", "used"))
    assert found.mean / 1e3 == pytest.approx(mean, rel=0.15)
    assert sd / 1.5 < found.sd / 1e3 < sd * 1.5
    assert found.utilisation == pytest.approx(used / 100, abs=0.005)
    assert packets(network, curve, "Q", then, "mean") < 2 * make_network.PACKET / 1e3  # no queue


def test_where_flows_cross_two_bottlenecks_the_model_of_one_does_not_hold() -> None:
    """And is silent: queues are shorter, swing up to three times as much, and flows through both get too little."""
    ratios = []
    for network, flows, queues in (("across 8", 8, 8), ("across 32", 32, 8), ("lot 4", 8, 2), ("lot 16", 32, 2)):
        for curve in BOTH:
            found = model(curve, flows)
            for number in range(queues):
                assert packets(network, curve, "Q", number, "mean") < found.mean / 1e3 * 1.1
                assert packets(network, curve, "Q", number, "used") > 99.5
                ratios.append(packets(network, curve, "Q", number, "sd") / (found.sd / 1e3))
    assert max(ratios) > 2.5
    for curve in BOTH:
        for flows in (4, 16):
            through_both = packets(f"lot {flows}", curve, "F", 0, "used")
            assert 0.65 < through_both / 200 < 0.8  # an even share were half of 400G
        assert 0.8 < packets("background 32", curve, "F", 0, "used") / 100 < 0.9  # 8 of 32 flows at 400G


def test_on_one_queue_both_referees_agree(shared: Path, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    other = make_table.compiled(shared / "tools" / "dcqcn-referee" / "packets.c", tmp_path / "one")
    case = make_table.Case(16, 100, 30, 150, 0.2, 4096, 50, "auto")
    wanted = make_table.run(other, case, seed=1)
    program = tmp_path / "network"
    subprocess.run(["cc", "-O2", "-o", program, make_network.SOURCE, "-lm"], check=True)
    text = make_network.Network(((100, (30, 150, 0.2)),), ((16, 100, (0,)),)).text
    command = [program, "4096", "50", str(make_table.SECONDS), "1"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    mean, sd = map(float, done.stdout.split()[1:3])
    assert mean == pytest.approx(wanted.mean, rel=0.1)
    assert sd == pytest.approx(wanted.sd, rel=0.1)


def test_the_table_is_what_the_simulator_says(tmp_path: Path) -> None:
    program = tmp_path / "network"
    subprocess.run(["cc", "-O2", "-o", program, make_network.SOURCE, "-lm"], check=True)
    network = next(one for name, curve, one in make_network.networks() if (name, curve) == ("lot 4", "auto"))
    command = [program, *map(str, (make_network.PACKET, make_network.DELAY, make_network.SECONDS, 1))]
    done = subprocess.run(command, input=network.text, capture_output=True, text=True, check=True)
    kept = [row for row in ROWS if (row["network"], row["curve"], row["seed"]) == ("lot 4", "auto", "1")]
    again = [float(word) for line in done.stdout.splitlines() for word in line.split()[1:]]
    wanted = [float(row[f]) for row in kept for f in ("mean", "sd", "used") if row[f]]
    assert again == pytest.approx(wanted, rel=1e-3, abs=0.2)
