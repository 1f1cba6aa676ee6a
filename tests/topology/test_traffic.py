"""What collectives ask of links: loads worked out by hand, and what is said of them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from intents import fabric as fabric_of
from topology_cases import Wiring, clos

from rocecfg.analysis.traffic import Crowd, Pattern, traffic
from rocecfg.model import Fabric
from rocecfg.report.html import collectives


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
    texts = dict(collectives.rows(fabric_of(tmp_path, wiring.text("{name: lab, topology: rail}"))))
    assert texts["all-to-all, 8"].endswith("; 100% of what goes between switches has no route, and is not in it")
    assert "no route" not in texts["ring all-reduce, 8"]


def test_a_port_slower_than_its_senders_is_the_bottleneck(tmp_path: Path) -> None:
    wiring = clos(1, 0, 3)
    wiring.host("gpu0x3", "leaf0", "100G")
    of = fabric_of(tmp_path, wiring.text())
    (only,) = patterns(of)["all-to-all"].bottlenecks
    assert only == ("leaf to host", pytest.approx(4), 3)  # 3 x 400G / 3 by 100G
    (row, _) = collectives.rows(of)
    assert row[0] == "all-to-all, 4"
    assert (
        "leaf to host holds it to 25% of the line rate; 3 flows meet there, which `rocecfg advise --incast 3`" in row[1]
    )


def test_two_bottlenecks_in_a_row_are_named_and_not_judged(tmp_path: Path) -> None:
    (row, _) = collectives.rows(fabric_of(tmp_path, clos(2, 1, 8).text("{name: lab, topology: clos}")))
    assert "leaf to spine and spine to leaf hold it to " in row[1]
    assert row[1].endswith("the model of `rocecfg advise` has one: not predicted")


def test_what_links_carry_holds_nothing_back(tmp_path: Path) -> None:
    for _, text in collectives.rows(fabric_of(tmp_path, clos(2, 2, 2).text("{name: lab, topology: clos}"))):
        assert text.endswith(": no link is asked for more than it carries")


@pytest.mark.parametrize(("flows", "cables", "fit"), [(2, 2, 1), (4, 3, 1), (6, 2, 2), (3, 4, 3)])
def test_a_random_hash_overloads_as_many_cables_as_all_its_outcomes_do(flows: int, cables: int, fit: int) -> None:
    outcomes = list(product(range(cables), repeat=flows))
    over = sum(sum(one.count(cable) > fit for cable in range(cables)) for one in outcomes)
    assert Crowd(flows, cables, fit).overloaded == pytest.approx(over / len(outcomes))


def test_flows_that_a_hash_puts_together_are_told(tmp_path: Path) -> None:
    wiring = clos(2, 2, 1)
    for n in (0, 1):
        wiring.host(f"gpu{n}x0", f"leaf{n}")  # a second port of each host: two flows up, two uplinks
    texts = dict(collectives.rows(fabric_of(tmp_path, wiring.text("{name: lab, topology: clos}"))))
    wording = "2 flows of the busiest leaf on 2 uplinks, 1 fit on each: by a random hash 0.5 of these get more than "
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
    ((name, stated),) = collectives.rows(fabric_of(tmp_path, text))
    assert (name, stated[: len(why) + 14]) == ("collectives", f"not computed: {why}")


def test_without_cabled_hosts_nothing_is_said(tmp_path: Path) -> None:
    assert collectives.rows(fabric_of(tmp_path, clos(2, 2, 2).text(rows=False))) == []
