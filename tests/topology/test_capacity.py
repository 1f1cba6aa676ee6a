"""What switches take in and send up: ratios worked out by hand, and by a count of its own for random fabrics."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from checkout import ROOT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import fabric as fabric_of
from topology_cases import Wiring, clos

from rocecfg.analysis.capacity import Capacity, capacity, show_ratio, summarize_loads
from rocecfg.analysis.graph import graph
from rocecfg.analysis.tiers import tiers
from rocecfg.intent import load
from rocecfg.model import Fabric
from rocecfg.source.document import Sources

INF = float("inf")


def example(name: str) -> Fabric:
    of = load(str(ROOT / "examples" / name / "fabric.yaml"), Sources()).fabric
    assert of is not None
    return of


def ratios(of: Fabric, tier: int = 1) -> dict[str, float | None]:
    names = graph(of).names
    return {names[load.switch]: load.ratio for load in capacity(of).tier(tier)}


@pytest.mark.parametrize(
    ("name", "down", "up", "usual", "without_spine", "without_cable"),
    [
        # 32 x 400G by 2 x 800G; one spine or cable less leaves 800G
        ("train-256-as-published", 12_800, 1_600, 8, 16, 16),
        ("train-256", 25_600, 25_600, 1, 2, Fraction(32, 31)),  # 32 x 800G, half of it to each spine
        ("rail-1024", 25_600, 25_600, 1, Fraction(8, 7), Fraction(32, 31)),  # an eighth to each spine
        ("converged", 4_800, 6_400, Fraction(3, 4), Fraction(3, 2), Fraction(4_800, 6_000)),  # RDMA ports alone
        ("auto", 12_800, 12_800, 1, 2, Fraction(16, 15)),  # no links to hosts: what ports face
    ],
)
def test_ratios_of_the_examples(
    name: str,
    down: int,
    up: int,
    usual: float,
    without_spine: float,
    without_cable: float,
) -> None:
    found = capacity(example(name))
    loads = found.tier(1)
    assert {(load.down, load.up) for load in loads} == {(down * 10**9, up * 10**9)}
    of = summarize_loads(loads)
    assert (of.usual, of.worst) == (pytest.approx(float(usual)), pytest.approx(float(usual)))
    assert of.without_way == pytest.approx(float(without_spine))
    assert of.without_cable == pytest.approx(float(without_cable))
    assert found.tier(2) == []  # spines have nothing above
    assert len(found.parts) == 1


def three_tiers() -> Wiring:
    """Two pods of two leaves and two spines, two cores. Leaves 4 x 400G by 2 x 400G; spines 2 x 400G by 2 x 200G."""
    wiring = Wiring()
    for n in range(2):
        wiring.switch(f"core{n}", "superspine")
    for pod in range(2):
        for s in range(2):
            wiring.switch(f"pod{pod}-spine{s}", "spine")
            for core in range(2):
                wiring.cable(f"pod{pod}-spine{s}", f"core{core}", "200G")
        for n in range(2):
            leaf = wiring.switch(f"pod{pod}-leaf{n}", "leaf")
            for h in range(4):
                wiring.host(f"gpu{pod}{n}{h}", leaf)
            for s in range(2):
                wiring.cable(leaf, f"pod{pod}-spine{s}")
    return wiring


def test_each_tier_of_three_has_a_ratio_of_its_own(tmp_path: Path) -> None:
    of = fabric_of(tmp_path, three_tiers().text())
    assert set(ratios(of).values()) == {2.0}
    assert set(ratios(of, 2).values()) == {2.0}
    found = capacity(of)
    assert found.top == 3
    assert (found.fastest, found.slowest) == (400 * 10**9, 400 * 10**9)


def test_a_switch_above_that_joins_nothing_is_no_tier(tmp_path: Path) -> None:
    wiring = clos(4, 2, 2)
    wiring.switch("border0")
    for s in range(2):
        wiring.cable(f"spine{s}", "border0", "100G")  # 1.6 Tbit/s from below by 100G would be 16:1
    found = capacity(fabric_of(tmp_path, wiring.text()))
    assert found.top == 2
    assert found.tier(2) == []


def test_ports_to_the_edge_are_no_uplinks(tmp_path: Path) -> None:
    wiring = clos(2, 2, 2)
    text = wiring.text(extra='  - {a: "leaf0:Ethernet90", b: "wan0:eth0"}\n')
    text = text.replace(
        "  leaf0: {role: leaf, ports: {",
        "  leaf0: {role: leaf, ports: {Ethernet90: {speed: 400G, faces: edge, classes: [rdma]}, ",
    )
    of = fabric_of(tmp_path, text)
    assert ratios(of) == {"leaf0": 1.0, "leaf1": 1.0}


def test_planes_are_parts_with_spines_of_their_own(tmp_path: Path) -> None:
    wiring = Wiring()
    for plane in range(2):
        for s in range(2):
            wiring.switch(f"p{plane}-spine{s}", "spine")
        for n in range(3):
            leaf = wiring.switch(f"p{plane}-leaf{n}", "leaf")
            for s in range(2):
                wiring.cable(leaf, f"p{plane}-spine{s}", count=2)
    for n in range(3):
        for h in range(4):
            for plane in range(2):
                wiring.host(f"gpu{n}{h}", f"p{plane}-leaf{n}")
    of = fabric_of(tmp_path, wiring.text())
    assert set(ratios(of).values()) == {1.0}
    assert sorted(len(part) for part in capacity(of).parts) == [5, 5]


def test_an_unknown_speed_makes_the_ratio_unknown_and_no_other(tmp_path: Path) -> None:
    text = (
        clos(2, 2, 2)
        .text()
        .replace("leaf0: {role: leaf, ports: {Ethernet0: {speed: 400G, ", "leaf0: {role: leaf, ports: {Ethernet0: {")
    )
    assert ratios(fabric_of(tmp_path, text)) == {"leaf0": None, "leaf1": 1.0}


def test_ports_tell_of_a_leaf_where_there_are_no_links(tmp_path: Path) -> None:
    of = fabric_of(tmp_path, clos(2, 2, 8).text(rows=False))
    assert ratios(of) == {"leaf0": 4.0, "leaf1": 4.0}
    assert all(load.from_ports for load in capacity(of).loads)


def test_uplinks_that_are_not_cabled_yet_count_where_hosts_are_not_either(tmp_path: Path) -> None:
    wiring = clos(2, 2, 4, cables=2)
    wiring.rows = [row for row in wiring.rows if row[1] == "Ethernet4"]  # the first uplink of each leaf
    assert ratios(fabric_of(tmp_path, wiring.text())) == {"leaf0": 1.0, "leaf1": 1.0}


def test_a_torus_has_one_tier_and_nothing_above(tmp_path: Path) -> None:
    wiring = Wiring()
    for n in range(4):
        wiring.switch(f"s{n}")
        wiring.host(f"gpu{n}", f"s{n}")
    for n in range(4):
        wiring.cable(f"s{n}", f"s{(n + 1) % 4}")
    of = fabric_of(tmp_path, wiring.text("{name: lab, topology: torus}"))
    assert tiers(of).of == (1, 1, 1, 1)
    assert capacity(of).loads == ()


def test_one_uplink_lost_of_one_leaves_none(tmp_path: Path) -> None:
    (load,) = capacity(fabric_of(tmp_path, clos(1, 1, 1).text())).loads
    assert (load.without_way, load.without_cable) == (INF, INF)
    assert show_ratio(INF) == "no uplink left"


@pytest.mark.parametrize(
    ("value", "text"), [(8.0, "8:1"), (1.0, "1:1"), (8 / 7, "1.14:1"), (0.75, "0.75:1"), (1 / 3, "0.33:1")]
)
def test_a_ratio_in_words(value: float, text: str) -> None:
    assert show_ratio(value) == text


SPEEDS = st.sampled_from([100, 200, 400, 800])


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(data=st.data())
def test_random_clos_with_known_ratios(tmp_path: Path, data: st.DataObject) -> None:
    """Any number of hosts and of cables at any speed, roles or none: the ratio is the sums' quotient."""
    wiring = Wiring()
    roles = data.draw(st.booleans())
    spines = data.draw(st.integers(1 if roles else 2, 4))
    for s in range(spines):
        wiring.switch(f"spine{s}", "spine" if roles else None)
    want: dict[str, Fraction] = {}
    after: dict[str, Fraction | float] = {}
    for n in range(data.draw(st.integers(1, 5))):
        leaf = wiring.switch(f"leaf{n}", "leaf" if roles else None)
        hosts = data.draw(st.lists(SPEEDS, min_size=1, max_size=6))
        for h, speed in enumerate(hosts):
            wiring.host(f"gpu{n}x{h}", leaf, f"{speed}G")
        ways = []
        for s in range(spines):
            count, speed = data.draw(st.tuples(st.integers(1, 3), SPEEDS))
            wiring.cable(leaf, f"spine{s}", f"{speed}G", count)
            ways.append(count * speed)
        want[leaf] = Fraction(sum(hosts), sum(ways))
        left = sum(ways) - max(ways)
        after[leaf] = Fraction(sum(hosts), left) if left else INF
    of = fabric_of(tmp_path, wiring.text())
    found: Capacity = capacity(of)
    names = graph(of).names
    assert {names[load.switch]: load.ratio for load in found.loads} == {
        k: pytest.approx(float(v)) for k, v in want.items()
    }
    assert {names[load.switch]: load.without_way for load in found.loads} == {
        k: pytest.approx(float(v)) for k, v in after.items()
    }
    assert summarize_loads(list(found.loads)).worst == pytest.approx(float(max(want.values())))
