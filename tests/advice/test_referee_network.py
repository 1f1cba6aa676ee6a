"""Several queues by packets: where the model of one bottleneck holds, and what the model of a network has."""

from __future__ import annotations

import csv
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from statistics import fmean, median

import pytest

from rocecfg.advice.predict import Prediction, predict
from rocecfg.physics.dcqcn import PAPER, Curve

FOLDER = Path(__file__).parent / "referee"
sys.path.insert(0, str(FOLDER))

import make_network  # noqa: E402 - a script beside its table
import make_network_model  # noqa: E402
import make_table  # noqa: E402

pytestmark = pytest.mark.usefixtures("kept_simulations")

ROWS = list(csv.DictReader((FOLDER / "network.csv").read_text(encoding="utf-8").splitlines()))
MODEL = list(csv.DictReader((FOLDER / "network_model.csv").read_text(encoding="utf-8").splitlines()))
NETWORKS = {(name, curve): network for name, curve, network in make_network.networks()}
SENDERS = PAPER._replace(packet=make_network.PACKET, delay_us=50)
CURVES = {**make_network.CURVES, "slow": make_network.SLOW}
BOTH = list(make_network.CURVES)
TWO_PACKETS = 2 * make_network.PACKET / 1e3  # KB: the model does not tell a queue of less from none


def seeds(network: str, curve: str, what: str, number: int, figure: str) -> list[float]:
    key = (network, curve, what, str(number))
    found = [row for row in ROWS if (row["network"], row["curve"], row["what"], row["number"]) == key]
    assert len(found) == len(make_network.SEEDS)
    return [float(row[figure]) for row in found]


def packets(network: str, curve: str, what: str, number: int, figure: str) -> float:
    """The median of the seeds."""
    return median(seeds(network, curve, what, number, figure))


@cache
def model(curve: str, flows: int) -> Prediction:
    kmin, kmax, pmax = CURVES[curve]
    speed = 100 if curve == "slow" else 400
    return predict(speed * 10**9, flows, Curve(kmin * 1e3, kmax * 1e3, pmax), SENDERS)


@pytest.mark.sweep("rocecfg/physics", "rocecfg/advice", "tests/advice")
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
    assert packets(network, curve, "Q", then, "mean") < TWO_PACKETS  # no queue


def test_where_flows_cross_two_bottlenecks_the_model_of_one_does_not_hold() -> None:
    """Queues are shorter, swing up to three times as much, and flows through both get too little."""
    ratios = []
    for network, flows in (("across 4 8", 8), ("across 4 32", 32), ("lot 4 4", 8), ("lot 16 16", 32)):
        for curve in BOTH:
            found = model(curve, flows)
            for number in (0, 4 if network.startswith("across") else 1):
                assert packets(network, curve, "Q", number, "mean") < found.mean / 1e3 * 1.1
                assert packets(network, curve, "Q", number, "used") > 99.5
                ratios.append(packets(network, curve, "Q", number, "sd") / (found.sd / 1e3))
    assert max(ratios) > 2.5
    for curve in BOTH:
        for network in ("lot 4 4", "lot 16 16"):
            through_both = packets(network, curve, "F", 0, "used")
            assert 0.65 < through_both / 200 < 0.8  # an even share were half of 400G
        assert 0.8 < packets("background 32", curve, "F", 0, "used") / 100 < 0.9  # 8 of 32 flows at 400G


def holds(network: str, curve: str, what: str, number: int, found: Mapping[str, float]) -> bool:
    """Whether the model's figures are the packets'."""
    if what == "F":
        return found["used"] == pytest.approx(packets(network, curve, "F", number, "used"), rel=0.1)
    means, sds = (seeds(network, curve, what, number, figure) for figure in ("mean", "sd"))
    mean, sd = median(means), median(sds)
    if mean < TWO_PACKETS:
        return found["mean"] < TWO_PACKETS
    near = found["mean"] == pytest.approx(mean, abs=max(0.15 * mean, max(means) - min(means)))
    swings = abs(found["sd"] - sd) <= max(sds) - min(sds) or sd / 1.5 <= found["sd"] <= sd * 1.5
    used, beyond = (packets(network, curve, what, number, figure) for figure in ("used", "beyond"))
    return near and swings and abs(found["used"] - used) <= 0.5 and abs(found["beyond"] - beyond) <= 1


def as_figures(row: Mapping[str, str]) -> dict[str, float]:
    return {figure: float(row[figure] or 0) for figure in ("mean", "sd", "used", "beyond")}


# A receiver's pauses empty its port's queue by bursts of what it waits for: 100 KB here, as much as the queue has.
# Two packets in a NIC that is used to 95 % are a packet more than the model has; no switch has that queue.
PARTED = {
    ("receiver 8 300", "auto", "Q", "0"),
    ("receiver 32 300", "auto", "Q", "0"),
    ("receiver 8 100", "auto", "Q", "0"),
    ("receiver 8 100", "stated", "Q", "0"),
    ("nics 32", "auto", "Q", "8"),
    ("nics 32", "stated", "Q", "8"),
    # All queues up swing from empty to beyond kmax, where all is marked.
    ("across 4 64", "flat", "Q", "0"),
    ("across 4 64", "flat", "Q", "4"),
}


def test_the_model_of_a_network_has_the_queues_and_rates_of_packets() -> None:
    """But where a receiver pauses its port, or queues swing beyond kmax: there nothing is predicted."""
    assert {(row["network"], row["curve"]) for row in MODEL} == NETWORKS.keys()
    parted = {
        (row["network"], row["curve"], row["what"], row["number"])
        for row in MODEL
        if not holds(row["network"], row["curve"], row["what"], int(row["number"]), as_figures(row))
    }
    assert parted == PARTED


def test_of_a_receiver_that_pauses_its_port_the_model_has_the_rate_alone() -> None:
    rates = {(row["network"], row["curve"]): float(row["used"]) for row in MODEL if row["what"] == "F"}
    for (name, curve), of in NETWORKS.items():
        if of.pauses:
            assert rates[name, curve] == pytest.approx(packets(name, curve, "F", 0, "used"), rel=0.01)


@pytest.mark.sweep("rocecfg/physics", "rocecfg/advice", "tests/advice")
@pytest.mark.parametrize(
    ("network", "curve"),
    [("lot 4 4", "auto"), ("near 4", "stated"), ("uniform 20", "auto"), ("across 4 32", "steep"), ("lot 8 8", "slow")],
)
def test_the_model_says_what_its_table_has(network: str, curve: str) -> None:
    """One seed of the three."""
    of = NETWORKS[network, curve]
    run = make_network_model.run(of, 1)
    for like in of.alike[0]:
        queues = [run.queues[n] for n in like]
        found = {
            "mean": fmean(queue.mean for queue in queues) / 1e3,
            "sd": fmean(queue.sd for queue in queues) / 1e3,
            "used": fmean(queue.utilisation for queue in queues) * 100,
            "beyond": fmean(queue.beyond for queue in queues) * 100,
        }
        assert holds(network, curve, "Q", like[0], found)
    for like in of.alike[1]:
        rate = fmean(run.rates[n] for n in like) / 1e9
        assert holds(network, curve, "F", like[0], {"used": rate})
        (kept,) = (row["used"] for row in MODEL if (row["network"], row["curve"], row["what"], row["number"])
                   == (network, curve, "F", str(like[0])))  # fmt: skip
        assert rate == pytest.approx(float(kept), rel=0.06)  # what a seed may differ from three


def test_on_one_queue_both_referees_agree(shared: Path, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    other = make_table.compiled(shared / "tools" / "dcqcn-referee" / "packets.c", tmp_path / "one")
    case = make_table.Case(16, 100, 30, 150, 0.2, 4096, 50, "auto")
    wanted = make_table.run(other, case, seed=1)
    program = make_network.compiled(tmp_path)
    text = make_network.Network(((100, (30, 150, 0.2)),), ((16, 100, (0,)),)).text
    command = [program, "4096", "50", str(make_table.SECONDS), "1"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    mean, sd = map(float, done.stdout.split()[1:3])
    assert mean == pytest.approx(wanted.mean, rel=0.1)
    assert sd == pytest.approx(wanted.sd, rel=0.1)


def test_the_table_is_what_the_simulator_says(tmp_path: Path) -> None:
    program = make_network.compiled(tmp_path)
    for name, curve in (("lot 4 4", "auto"), ("receiver 8 100", "stated")):
        kept = [row for row in ROWS if (row["network"], row["curve"], row["seed"]) == (name, curve, "1")]
        again = [one for _, _, row in make_network.run(program, NETWORKS[name, curve], 1) for one in row]
        wanted = [float(row[f]) for row in kept for f in ("mean", "sd", "used", "beyond") if row[f]]
        assert again == pytest.approx(wanted, rel=1e-3, abs=0.2)
