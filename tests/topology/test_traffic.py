"""What collectives ask of links: loads worked out by hand, and what is said of them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from intents import CURVE
from intents import fabric as fabric_of
from topology_cases import Wiring, clos

from rocecfg.advice.predict import predict
from rocecfg.advice.series import predict_series
from rocecfg.advice.wording import show_about
from rocecfg.analysis.traffic import Crowd, Pattern, traffic
from rocecfg.model import Fabric
from rocecfg.physics.dcqcn import PAPER, Curve
from rocecfg.report.html import collectives

pytestmark = pytest.mark.usefixtures("kept_simulations")


def patterns(of: Fabric) -> dict[str, Pattern]:
    known = traffic(of)
    assert known is not None
    assert known.unknown == ""
    return {pattern.name: pattern for pattern in known.patterns}


def loads(of: Pattern) -> dict[str, tuple[float, float]]:
    return {one.between: (one.load, one.flows) for one in of.loads}


def test_two_leaves_of_four_hosts_and_half_the_uplinks(tmp_path: Path) -> None:
    found = patterns(fabric_of(tmp_path, clos(2, 2, 4).text("{name: lab, topology: clos, incast: 4}")))
    # of each rank's 400G 4/7 go to the other leaf: 914G by 800G; 16 pairs over two spines
    all_to_all = loads(found["all-to-all"])
    assert all_to_all["leaf to spine"] == all_to_all["spine to leaf"] == pytest.approx((8 / 7, 8))
    assert all_to_all["leaf to host"] == pytest.approx((1, 7))
    # one of four flows leaves the leaf
    assert loads(found["ring all-reduce"])["leaf to spine"] == pytest.approx((0.5, 0.5))
    # two of the four senders are on the other leaf
    assert loads(found["incast"])["leaf to host"] == pytest.approx((4, 4))
    assert loads(found["incast"])["spine to leaf"] == pytest.approx((1, 1))


def test_flows_spread_by_cables(tmp_path: Path) -> None:
    wiring = Wiring()
    for n in range(2):
        wiring.switch(f"spine{n}", "spine")
    for n in range(2):
        leaf = wiring.switch(f"leaf{n}", "leaf")
        for h in range(3):
            wiring.host(f"gpu{n}x{h}", leaf)
        wiring.cable(leaf, "spine0", count=2)
        wiring.cable(leaf, "spine1", count=1)
    up = loads(patterns(fabric_of(tmp_path, wiring.text("{name: lab, topology: clos}")))["all-to-all"])["leaf to spine"]
    assert up == pytest.approx((3 / 5, 6))  # 3/5 of 3 x 400G by 3 x 400G; 6 of 9 flows on the two cables


def test_three_tiers(tmp_path: Path) -> None:
    wiring = Wiring()
    for top in range(2):
        wiring.switch(f"super{top}", "superspine")
    for pod in range(2):
        spines = [wiring.switch(f"spine{pod}x{n}", "spine") for n in range(2)]
        for n in range(2):
            leaf = wiring.switch(f"leaf{pod}x{n}", "leaf")
            for spine in spines:
                wiring.cable(leaf, spine)
            for h in range(2):
                wiring.host(f"gpu{pod}x{n}x{h}", leaf)
        for spine in spines:
            for top in range(2):
                wiring.cable(spine, f"super{top}")
    found = loads(patterns(fabric_of(tmp_path, wiring.text("{name: lab, topology: clos}")))["all-to-all"])
    # of 2 ranks on a leaf 6/7 leave it, by two links; of 4 in a pod 4/7, by four
    assert found["leaf to spine"] == found["spine to leaf"] == pytest.approx((6 / 7, 6))
    assert found["spine to superspine"] == found["superspine to spine"] == pytest.approx((4 / 7, 4))


def test_the_leaf_that_sends_most_is_the_one_that_counts(tmp_path: Path) -> None:
    wiring = clos(3, 2, 1)
    for h in range(1, 5):
        wiring.host(f"gpu0x{h}", "leaf0")  # five of seven ranks
    up = loads(patterns(fabric_of(tmp_path, wiring.text("{name: lab, topology: clos}")))["all-to-all"])
    assert up["leaf to spine"][0] == pytest.approx(5 * 2 / 6 / 2)  # 5 x 400G, of which 2/6 leave, by 2 x 400G
    assert up["spine to leaf"][0] == pytest.approx(2 * 5 / 6 / 2)


def test_flows_without_a_route_are_told(tmp_path: Path) -> None:
    wiring = Wiring()
    for leaf in range(2):
        wiring.switch(f"leaf{leaf}", "leaf")
        for h in range(4):
            wiring.host(f"gpu{h}", f"leaf{leaf}")
    texts = dict(collectives.list_collectives(fabric_of(tmp_path, wiring.text("{name: lab, topology: rail}"))))
    assert texts["all-to-all, 8"].endswith("; 100% of the traffic between switches has no route, and is not included")
    assert "no route" not in texts["ring all-reduce, 8"]


def test_a_port_slower_than_its_senders_is_the_bottleneck(tmp_path: Path) -> None:
    wiring = clos(1, 0, 3)
    wiring.host("gpu0x3", "leaf0", "100G")
    of = fabric_of(tmp_path, wiring.text())
    (only,) = patterns(of)["all-to-all"].bottlenecks
    assert only == ("leaf to host", pytest.approx(4), 3)  # 3 x 400G / 3 by 100G
    (row, _) = collectives.list_collectives(of)
    assert row[0] == "all-to-all, 4"
    assert (
        "leaf to host holds it to 25% of the line rate; 3 flows meet there, which `rocecfg advise --incast 3`" in row[1]
    )


def test_where_all_that_comes_up_a_link_goes_down_one_only_the_first_has_a_queue(tmp_path: Path) -> None:
    of = fabric_of(tmp_path, clos(2, 1, 3).text("{name: lab, topology: clos}"))
    (row, _) = collectives.list_collectives(of)
    assert "leaf to spine and spine to leaf hold it to " in row[1]
    assert row[1].endswith("one behind the other, of whose queues `rocecfg report` has what is predicted")  # not here
    (row, _) = collectives.list_collectives(of, predicted=True)
    curve = Curve(400e3, 1600e3, 0.05)
    one = predict(400 * 10**9, 9, curve, PAPER._replace(packet=4096))
    assert f"; a queue of {show_about(one.mean)} ± {show_about(one.sd)}" in row[1]
    assert " is predicted from leaf to spine, and no queue from spine to leaf: " in row[1]


def test_where_leaves_send_to_several_both_tiers_have_queues(tmp_path: Path) -> None:
    text = clos(3, 2, 4).text("{name: lab, topology: clos}")
    of = fabric_of(tmp_path, text.replace("pmax: 5%", "pmax: 20%"))
    series = patterns(of)["all-to-all"].series
    assert series == (2, pytest.approx(16), 400 * 10**9, 400 * 10**9)  # 4 x 8 flows from a leaf, by two cables
    assert series is not None
    first, then = predict_series(of, series)
    assert then is not None
    # by packets of 8 and of 32 flows a link and this curve: 239 to 344KB up, 172 to 235KB down
    assert 239e3 < first.mean < 344e3 * 1.15
    assert 172e3 < then.mean < 0.85 * first.mean
    assert min(first.utilisation, then.utilisation) > 0.99
    (row, _) = collectives.list_collectives(of, predicted=True)
    assert f" from leaf to spine, and a queue of {show_about(then.mean)} ± {show_about(then.sd)} with " in row[1]
    assert row[1].endswith(" of its link used from spine to leaf, one behind the other")


def test_a_ring_goes_from_each_leaf_to_one(tmp_path: Path) -> None:
    wiring = clos(3, 1, 0)
    for h in range(4):
        for n in range(3):
            wiring.host(f"gpu{h}x{n}", f"leaf{n}")  # the next host is on the next leaf
    series = patterns(fabric_of(tmp_path, wiring.text("{name: lab, topology: clos}")))["ring all-reduce"].series
    assert series == (1, pytest.approx(4), 400 * 10**9, 400 * 10**9)


def test_what_is_not_alike_is_not_predicted(tmp_path: Path) -> None:
    more = clos(3, 1, 4)
    more.host("gpu0x9", "leaf0")
    fast = clos(3, 1, 4)
    fast.cable("leaf0", "spine0")
    for name, wiring in (("more ranks", more), ("more cables", fast)):
        (tmp_path / name).mkdir()
        of = fabric_of(tmp_path / name, wiring.text("{name: lab, topology: clos}"))
        assert patterns(of)["all-to-all"].series is None


@pytest.mark.parametrize(
    ("leaves", "hosts", "old", "new", "why"),
    [
        (10, 2, "", "", "flows of a link go on to 9 others, and packets were simulated for up to 8"),
        (3, 7, "", "", "98 flows on a link that go on to 2 others: packets were simulated for 8 to 64"),
        (6, 3, "", "", "45 flows on a link that go on to 5 others: packets were simulated for 8 to 32"),
        (5, 4, "", "", "of the time, where model and packets part"),
        (3, 4, "topology: clos}", "topology: clos, congestion_control: none}", "no sender reacts to marks"),
        (3, 4, CURVE, "off", "their ports have no ECN curve with thresholds in bytes"),
    ],
)
def test_what_packets_were_not_simulated_for_is_not_predicted(
    leaves: int, hosts: int, old: str, new: str, why: str, tmp_path: Path
) -> None:
    text = clos(leaves, 1, hosts).text("{name: lab, topology: clos}")
    assert old in text
    (row, _) = collectives.list_collectives(fabric_of(tmp_path, text.replace(old, new)), predicted=True)
    assert ", whose queues are not predicted: " in row[1]
    assert row[1].endswith(why)


def test_of_slow_links_with_many_flows_nothing_is_predicted(tmp_path: Path) -> None:
    slow = clos(3, 1, 5, host_speed="50G", up_speed="50G")
    (row, _) = collectives.list_collectives(
        fabric_of(tmp_path, slow.text("{name: lab, topology: clos}")), predicted=True
    )
    assert "not predicted: packets of a sender are 32.8 us apart, and beyond 20 us" in row[1]  # 50 x 4096 B at 50G


def test_several_curves_are_not_one(tmp_path: Path) -> None:
    text = clos(3, 2, 4).text("{name: lab, topology: clos}")
    spine = text.index("role: spine, ")
    own = "role: spine, classes: {rdma: {ecn: {kmin: 500KB, kmax: 1600KB, pmax: 5%}}}, "
    of = fabric_of(tmp_path, text[:spine] + own + text[spine + len("role: spine, ") :])
    (row, _) = collectives.list_collectives(of, predicted=True)
    assert row[1].endswith("whose queues are not predicted: their ports have several ECN curves")


def test_what_links_carry_holds_nothing_back(tmp_path: Path) -> None:
    for _, text in collectives.list_collectives(fabric_of(tmp_path, clos(2, 2, 2).text("{name: lab, topology: clos}"))):
        assert text.endswith(": no link is overloaded")


@pytest.mark.parametrize(("flows", "cables", "fit"), [(2, 2, 1), (4, 3, 1), (6, 2, 2), (3, 4, 3)])
def test_a_random_hash_overloads_as_many_cables_as_all_its_outcomes_do(flows: int, cables: int, fit: int) -> None:
    outcomes = list(product(range(cables), repeat=flows))
    over = sum(sum(one.count(cable) > fit for cable in range(cables)) for one in outcomes)
    assert Crowd(flows, cables, fit).overloaded == pytest.approx(over / len(outcomes))


def test_flows_that_a_hash_puts_together_are_told(tmp_path: Path) -> None:
    wiring = clos(2, 2, 1)
    for n in (0, 1):
        wiring.host(f"gpu{n}x0", f"leaf{n}")  # a second port of each host: two flows up, two uplinks
    texts = dict(collectives.list_collectives(fabric_of(tmp_path, wiring.text("{name: lab, topology: clos}"))))
    wording = "2 flows of the busiest leaf on 2 uplinks, 1 fit on each: with a random hash, 0.5 of these are overloaded"
    assert wording in texts["ring all-reduce, 4"]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("speed: 400G, faces: host", "faces: host", "the speed of a cable is not stated"),
        (
            "topology: clos}",
            "topology: torus, routing: {algorithm: dimension-order}}",
            "flows take dimension-order routes",
        ),
    ],
)
def test_what_is_not_known_is_said(old: str, new: str, why: str, tmp_path: Path) -> None:
    text = clos(2, 2, 2).text("{name: lab, topology: clos}").replace(old, new)
    if "routing" in new:
        text = text.replace(", routing: {algorithm: dimension-order}", "") + "routing: {algorithm: dimension-order}\n"
    ((name, stated),) = collectives.list_collectives(fabric_of(tmp_path, text))
    assert (name, stated[: len(why) + 14]) == ("collectives", f"not computed: {why}")


def test_without_cabled_hosts_nothing_is_said(tmp_path: Path) -> None:
    assert collectives.list_collectives(fabric_of(tmp_path, clos(2, 2, 2).text(rows=False))) == []
