"""Paths between hosts: counts worked out by hand, and against networkx on links of small fabrics."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from intents import fabric
from topology_cases import Wiring, clos
from wiring import wired

from rocecfg.analysis import host_distance
from rocecfg.analysis.ecmp import RouteSearch
from rocecfg.analysis.graph import Graph
from rocecfg.analysis.host_distance import PairCounts, count_own_pairs, host_places
from rocecfg.analysis.paths import PairKind, PathCounts, Paths, Survey, paths, survey_pairs, worst_losses
from rocecfg.report.topology import render_topology

CLOS = "{name: lab, topology: clos}"


def same(number: int) -> PathCounts:
    return PathCounts(number, number, number)


def survey_of(tmp_path: Path, wiring: Wiring, stated: str = CLOS, extra: str = "") -> tuple[Paths, Survey]:
    found = paths(fabric(tmp_path, wiring.text(stated, extra=extra)))
    assert found is not None
    return found, found.surveys[0]


def figures(of: Survey) -> list[tuple[int, int, PathCounts, PathCounts]]:
    return [(kind.crossed, kind.pairs, kind.by_switch, kind.by_cable) for kind in of.kinds]


def trail(kind: PairKind) -> list[str]:
    """The devices of the example; each cable ends where the next one starts."""
    for a, b in pairwise(kind.example):
        assert a.into.split(":")[0] == b.out.split(":")[0]
    return [kind.example[0].out.split(":")[0], *(hop.into.split(":")[0] for hop in kind.example)]


def test_two_tiers_with_two_cables_to_each_spine(tmp_path: Path) -> None:
    found, of = survey_of(tmp_path, clos(4, 2, 3, cables=2, up_speed="200G"))
    assert (found.algorithm, found.stated) == ("up-down", True)
    # 12 hosts: 66 pairs, 4 x 3 of them on one leaf. Over 2 spines; by cable 2 spines x 2 up x 2 down
    assert figures(of) == [(1, 12, same(1), same(1)), (3, 54, same(2), same(8))]
    assert (of.pairs, of.apart, of.counted, of.of) == (66, 0, 12, 12)
    one, three = of.kinds
    assert trail(one) == ["gpu0x0", "leaf0", "gpu0x1"]
    assert trail(three) == ["gpu0x0", "leaf0", "spine0", "leaf1", "gpu1x0"]
    # leaves: hosts at Ethernet0-2, spine0 at 3 and 4; spine0: leaf0 at 0 and 1, leaf1 at 2 and 3
    assert [(hop.out, hop.into) for hop in three.example[1:3]] == [
        ("leaf0:Ethernet3", "spine0:Ethernet0"),
        ("spine0:Ethernet2", "leaf1:Ethernet3"),
    ]
    assert (one.narrowest, three.narrowest) == (400_000_000_000, 200_000_000_000)


def three_tiers() -> Wiring:
    """2 pods of 2 leaves and 2 spines; spine n of each pod on 2 cores of its own; 2 hosts on each leaf."""
    wiring = Wiring()
    for core in range(4):
        wiring.switch(f"core{core}", "core")
    for pod in range(2):
        for spine in range(2):
            wiring.switch(f"p{pod}spine{spine}", "spine")
            for core in (2 * spine, 2 * spine + 1):
                wiring.cable(f"p{pod}spine{spine}", f"core{core}")
        for leaf in range(2):
            wiring.switch(f"p{pod}leaf{leaf}", "leaf")
            for host in range(2):
                wiring.host(f"gpu{pod}{leaf}{host}", f"p{pod}leaf{leaf}")
            for spine in range(2):
                wiring.cable(f"p{pod}leaf{leaf}", f"p{pod}spine{spine}")
    return wiring


def test_three_tiers(tmp_path: Path) -> None:
    _, of = survey_of(tmp_path, three_tiers())
    # 8 hosts: 4 pairs on one leaf, 2 pods x 2 x 2 in a pod over 2 spines, 4 x 4 between pods over 2 spines x 2 cores
    assert figures(of) == [(1, 4, same(1), same(1)), (3, 8, same(2), same(2)), (5, 16, same(4), same(4))]
    assert trail(of.kinds[2]) == ["gpu000", "p0leaf0", "p0spine0", "core0", "p1spine0", "p1leaf0", "gpu100"]


def ring(count: int) -> Wiring:
    wiring = Wiring()
    for n in range(count):
        wiring.switch(f"sw{n}")
        wiring.host(f"gpu{n}", f"sw{n}")
    for n in range(count):
        wiring.cable(f"sw{n}", f"sw{(n + 1) % count}")
    return wiring


def test_a_ring_of_five(tmp_path: Path) -> None:
    _, of = survey_of(tmp_path, ring(5), "{name: lab, topology: torus}", "routing: {algorithm: shortest}\n")
    assert figures(of) == [(2, 5, same(1), same(1)), (3, 5, same(1), same(1))]  # neighbours, and the next but one


@pytest.mark.parametrize("algorithm", ["shortest", "dimension-order"])
def test_halfway_round_a_ring_of_six_are_two_ways(tmp_path: Path, algorithm: str) -> None:
    extra = f"routing: {{algorithm: {algorithm}}}\n"
    _, of = survey_of(tmp_path, ring(6), "{name: lab, topology: torus}", extra)
    assert figures(of) == [(2, 6, same(1), same(1)), (3, 6, same(1), same(1)), (4, 3, same(2), same(2))]


def test_dimension_order_takes_one_of_the_shortest_ways_in_a_mesh(tmp_path: Path) -> None:
    wiring = Wiring()
    for x in range(3):
        for y in range(3):
            wiring.switch(f"m{x}-{y}")
            wiring.host(f"gpu{x}{y}", f"m{x}-{y}")
    for a in range(3):
        for b in range(2):
            wiring.cable(f"m{b}-{a}", f"m{b + 1}-{a}")
            wiring.cable(f"m{a}-{b}", f"m{a}-{b + 1}")
    wording = "{name: lab, topology: mesh}"
    _, one = survey_of(tmp_path / "a", wiring, wording, "routing: {algorithm: dimension-order}\n")
    _, any_ = survey_of(tmp_path / "b", wiring, wording, "routing: {algorithm: shortest}\n")
    # 3 x 3 mesh, pairs by distance 1 to 4: 12, 14, 8, 2
    assert [(kind.crossed, kind.pairs) for kind in one.kinds] == [(2, 12), (3, 14), (4, 8), (5, 2)]
    assert {kind.by_switch for kind in one.kinds} == {same(1)}
    # two apart: 6 pairs in line have 1 way, 8 around a corner 2; three apart 3; corner to corner 4! / (2! 2!)
    assert [kind.by_switch for kind in any_.kinds] == [same(1), PathCounts(1, 2, 2), same(3), same(6)]


def test_up_down_routes_do_not_turn_up_again(tmp_path: Path) -> None:
    """leaf0 - spine0 - leaf1 - spine1 - leaf2: cables join leaf0 and leaf2, no up-down route does."""
    wiring = Wiring()
    for n in range(3):
        wiring.switch(f"leaf{n}", "leaf")
        wiring.host(f"gpu{n}", f"leaf{n}")
    for n in range(2):
        wiring.switch(f"spine{n}", "spine")
        wiring.cable(f"leaf{n}", f"spine{n}")
        wiring.cable(f"leaf{n + 1}", f"spine{n}")
    _, of = survey_of(tmp_path / "a", wiring)
    assert (figures(of), of.apart) == ([(3, 2, same(1), same(1))], 1)
    text = "\n".join(render_topology(fabric(tmp_path / "b", wiring.text(CLOS))))
    assert "no route joins 1 of 3 pairs of hosts" in text
    _, of = survey_of(tmp_path / "c", wiring, extra="routing: {algorithm: shortest}\n")
    assert (figures(of)[1], of.apart) == ((5, 1, same(1), same(1)), 0)


def test_uneven_leaves_show_the_usual_number_of_paths(tmp_path: Path) -> None:
    wiring = clos(3, 4, 1)
    wiring.switch("short", "leaf")
    wiring.host("odd", "short")
    wiring.cable("short", "spine0")
    _, of = survey_of(tmp_path, wiring)
    assert figures(of) == [
        (3, 6, PathCounts(1, 1, 4), PathCounts(1, 1, 4))
    ]  # 3 pairs have 4 ways, 3 have one: the fewer


def test_many_paths_fit_the_terminal(tmp_path: Path) -> None:
    wiring = clos(2, 36, 1, cables=6)
    for n in range(1, 4):
        wiring.switch(f"other{n}", "leaf")
        wiring.host(f"odd{n}", f"other{n}")
        for spine in range(9 * n):
            wiring.cable(f"other{n}", f"spine{spine}", count=6)
    text = list(render_topology(fabric(tmp_path, wiring.text(CLOS))))
    # over 9, 18, 27 or 36 spines: 4 pairs with the first odd leaf, 3 with the next, then 2 and 1; each 6 x 6 cables
    assert "9 to 36, usually 9 by switch; 324 to 1,296, usually 324 by cable" in " ".join(" ".join(text).split())
    assert max(map(len, text)) <= 100


def test_hosts_on_two_leaves_are_counted_by_their_nearest_ports_and_by_any(tmp_path: Path) -> None:
    wiring = clos(2, 2, 0)
    for n in range(3):
        wiring.host(f"gpu{n}", "leaf0")
        wiring.host(f"gpu{n}", "leaf1")
    found, of = survey_of(tmp_path, wiring)
    assert figures(of) == [(1, 3, same(2), same(2))]  # over either leaf
    ports = found.surveys[1]
    # 6 ports, 15 pairs, 3 of them of one host; 3 on each leaf, and 9 - 3 between the leaves
    assert (ports.pairs, figures(ports)) == (12, [(1, 6, same(1), same(1)), (3, 6, same(2), same(2))])
    assert trail(ports.kinds[1]) == ["gpu0", "leaf0", "spine0", "leaf1", "gpu1"]


def test_routes_that_nobody_stated_are_said_to_be_taken_so(tmp_path: Path) -> None:
    text = "\n".join(render_topology(fabric(tmp_path, clos(2, 2, 1).text())))
    assert "shortest up-down routes assumed: the intent states no known routing" in text


def test_bounces_are_said_to_be_left_out(tmp_path: Path) -> None:
    bounces = "routing: {bounces: [{at: spine0}]}\n"
    text = "\n".join(render_topology(fabric(tmp_path, clos(2, 2, 1).text(CLOS, extra=bounces))))
    assert "shortest up-down routes, those with bounces left out" in text


def test_a_torus_without_coordinates_has_no_dimension_order(tmp_path: Path) -> None:
    wording = "{name: lab, topology: torus}"
    wiring = clos(3, 2, 1)
    of = fabric(tmp_path, wiring.text(wording, extra="routing: {algorithm: dimension-order}\n"))
    assert "unknown: names and cables give the switches no coordinates" in "\n".join(render_topology(of))
    assert worst_losses(of) == []


def test_a_cable_of_unknown_speed_leaves_the_narrowest_unknown() -> None:
    found = wired(["a", "b"], [(0, 1)], {0: 1, 1: 1})
    found.bundle(0, 1).speeds = {0: 1}
    (kind,) = survey_pairs(found, anyhow(found), host_places(found), "host").kinds
    assert (kind.crossed, kind.narrowest) == (2, None)


def test_without_hosts_switches_are_the_ends(tmp_path: Path) -> None:
    wiring = clos(3, 2, 1)
    wiring.rows = [row for row in wiring.rows if not row[0].startswith("gpu")]
    _, of = survey_of(tmp_path, wiring)
    assert (of.ends, figures(of)) == ("switch with hosts", [(3, 3, same(2), same(2))])
    assert trail(of.kinds[0]) == ["leaf0", "spine0", "leaf1"]


def test_no_two_hosts_have_no_paths(tmp_path: Path) -> None:
    assert paths(fabric(tmp_path, clos(1, 1, 1).text())) is None


# -- losses ------------------------------------------------------------------------------------------------------------


def test_the_worst_loss_of_each_tier(tmp_path: Path) -> None:
    wiring = clos(3, 2, 2)
    for n in range(3):
        wiring.host(f"more{n}", "leaf2")
    of = fabric(tmp_path, wiring.text(CLOS))
    leaf, spine = worst_losses(of)
    # 2 + 2 + 5 hosts, 36 pairs. leaf2 takes 5 x 4 pairs with it, and the 10 of its own
    assert (leaf.hosts, leaf.pairs, leaf.of) == (5, 30, 36)
    assert (spine.hosts, spine.pairs) == (0, 0)
    text = " ".join(" ".join(render_topology(of)).split())
    assert "leaf2 (leaf), the worst of 2 kinds: 5 hosts of 9 cut off, 30 of 36 pairs of hosts lose" in text
    assert "spine0 (spine): every host still reaches all others" in text


def test_a_lost_spine_may_take_routes_where_cables_still_join(tmp_path: Path) -> None:
    """Leaves 0 and 2 share spine a alone; by cables they are still joined over leaf 1, but not up-down."""
    wiring = Wiring()
    for name in "abc":
        wiring.switch(name, "spine")
    for n, spines in enumerate(("ab", "bc", "ac")):
        wiring.switch(f"leaf{n}", "leaf")
        wiring.host(f"gpu{n}", f"leaf{n}")
        for name in spines:
            wiring.cable(f"leaf{n}", name)
    of = fabric(tmp_path, wiring.text(CLOS))
    assert (worst_losses(of)[1].hosts, worst_losses(of)[1].pairs, worst_losses(of)[1].of) == (0, 1, 3)


def test_planes_are_parts_already_so_only_pairs_are_told(tmp_path: Path) -> None:
    wiring = Wiring()
    for plane in "ab":
        wiring.switch(f"{plane}-spine", "spine")
        for n in range(2):
            wiring.switch(f"{plane}-leaf{n}", "leaf")
            wiring.host(f"{plane}-gpu{n}", f"{plane}-leaf{n}")
            wiring.cable(f"{plane}-leaf{n}", f"{plane}-spine")
    _, spine = worst_losses(fabric(tmp_path, wiring.text(CLOS)))
    assert (spine.hosts, spine.pairs, spine.of) == (None, 1, 2)


# -- against all pairs -------------------------------------------------------------------------------------------------


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Graph, dict[tuple[int, int], int]]:
    """Switches joined at random, hosts that hang on one or two of them, and the cables of each link."""
    count = draw(st.integers(2, 7))
    edges = draw(st.sets(st.sampled_from(list(combinations(range(count), 2))), min_size=1))
    found = wired([f"s{n}" for n in range(count)], edges, {n: draw(st.integers(0, 2)) for n in range(count)})
    cables = {edge: draw(st.integers(1, 2)) for edge in sorted(edges)}
    for (a, b), number in cables.items():
        found.bundle(a, b).cables = number
    return found, cables


def expected(found: Graph, cables: dict[tuple[int, int], int]) -> Counter[tuple[int, int, int]]:
    """(switches crossed, paths by switch, paths by cable) -> pairs, path by path."""
    whole = nx.Graph((bundle.a, bundle.b) for bundle in found.bundles.values())
    hosts = range(found.switches, len(found.names))
    out: Counter[tuple[int, int, int]] = Counter()
    for a, b in combinations(hosts, 2):
        if nx.has_path(whole, a, b):
            ways = list(nx.all_shortest_paths(whole, a, b))
            by_cable = 0
            for way in ways:
                product = 1
                for u, v in pairwise(way[1:-1]):
                    product *= cables[min(u, v), max(u, v)]
                by_cable += product
            out[len(ways[0]) - 2, len(ways), by_cable] += 1
    return out


@given(graphs())
@settings(max_examples=150, deadline=None)
def test_counts_are_those_of_every_shortest_path(drawn: tuple[Graph, dict[tuple[int, int], int]]) -> None:
    found, cables = drawn
    counts = PairCounts(anyhow(found), host_places(found))
    wanted = expected(found, cables)
    for at, of in ((1, counts.by_switch), (2, counts.by_cable)):
        by_paths: dict[int, Counter[int]] = {}
        for key, pairs in wanted.items():
            by_paths.setdefault(key[0], Counter())[key[at]] += pairs
        assert of == by_paths
    hosts = len(found.names) - found.switches
    assert counts.pairs == hosts * (hosts - 1) // 2
    for kind in survey_pairs(found, anyhow(found), host_places(found), "host").kinds:
        assert len(trail(kind)) == kind.crossed + 2


@given(graphs(), st.data())
@settings(max_examples=100, deadline=None)
def test_up_down_counts_are_those_of_paths_that_go_up_and_then_down(
    drawn: tuple[Graph, dict[tuple[int, int], int]], data: st.DataObject
) -> None:
    found, _ = drawn
    tier = data.draw(st.lists(st.integers(0, 3), min_size=found.switches, max_size=found.switches))
    counts = PairCounts(RouteSearch(found, tier, "up-down"), host_places(found))
    whole = nx.Graph((bundle.a, bundle.b) for bundle in found.bundles.values())
    wanted: Counter[tuple[int, int]] = Counter()
    for a, b in combinations(range(found.switches, len(found.names)), 2):
        ways = []
        for way in nx.all_simple_paths(whole, a, b):
            tiers = [tier[n] for n in way[1:-1]]
            climbs = [there - here for here, there in pairwise(tiers)]
            down_first = any(x < 0 < y for x, y in pairwise(climbs))
            if not down_first and 0 not in climbs and (len(tiers) == 1 or 0 not in tiers):
                ways.append(len(tiers))
        if ways:
            wanted[min(ways), ways.count(min(ways))] += 1
    assert {(crossed, n): k for crossed, of in counts.by_switch.items() for n, k in of.items()} == wanted


def anyhow(found: Graph) -> RouteSearch:
    return RouteSearch(found, (1,) * found.switches, "shortest")


@given(graphs(), st.data())
@settings(max_examples=60, deadline=None)
def test_a_lost_switch_leaves_the_pairs_that_are_still_joined(
    drawn: tuple[Graph, dict[tuple[int, int], int]], data: st.DataObject
) -> None:
    found, _ = drawn
    lost = data.draw(st.integers(0, found.switches - 1))
    whole = nx.Graph((bundle.a, bundle.b) for bundle in found.bundles.values())
    whole.add_nodes_from(range(len(found.names)))
    whole.remove_node(lost)
    hosts = range(found.switches, len(found.names))
    joined = sum(nx.has_path(whole, a, b) for a, b in combinations(hosts, 2))
    assert PairCounts(anyhow(found), host_places(found), lost=lost).reached == joined


# -- large fabrics -----------------------------------------------------------------------------------------------------


def pods(count: int, hosts: int) -> tuple[Graph, list[int]]:
    """Pods of 32 leaves and 8 spines, spine n of each on 4 cores of its own. Gives the tiers too."""
    edges = []
    for pod in range(count):
        spines = [32 + count * 40 - 40 * (pod + 1) + n for n in range(8)]
        leaves = [spines[0] + 8 + n for n in range(32)]
        edges += [(leaf, spine) for leaf in leaves for spine in spines]
        edges += [(spine, 4 * n + core) for n, spine in enumerate(spines) for core in range(4)]
    level = [3] * 32 + ([2] * 8 + [1] * 32) * count
    found = wired([f"s{n}" for n in range(len(level))], edges, {n: hosts for n, t in enumerate(level) if t == 1})
    return found, level


def test_twenty_thousand_hosts_take_no_more_than_their_leaves() -> None:
    found, level = pods(40, 16)
    of = survey_pairs(found, RouteSearch(found, level, "up-down"), host_places(found), "host")
    # 20,480 hosts; 1,280 leaves of 16; pods of 512
    assert figures(of) == [
        (1, 1280 * 120, same(1), same(1)),
        (3, 40 * (32 * 31 // 2) * 256, same(8), same(8)),
        (5, (40 * 39 // 2) * 512 * 512, same(32), same(32)),
    ]
    assert (of.counted, of.of) == (20_480, 20_480)


def test_what_is_not_counted_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_distance, "MOST_STEPS", 100)
    of = fabric(tmp_path, ring(9).text("{name: lab, topology: torus}", extra="routing: {algorithm: shortest}\n"))
    found = paths(of)
    assert found is not None
    one = found.surveys[0]
    # 9 groups of 18 links and 9 places: 243 steps, so 3 groups. 3 x 6 pairs with the others and 3 among themselves
    assert (one.counted, one.of, one.pairs) == (3, 9, 21)
    assert sum(kind.pairs for kind in one.kinds) == 21
    assert "pairs of 3 of 9 hosts with all others are counted, not all pairs" in " ".join(
        " ".join(render_topology(of)).split()
    )


def test_ports_of_one_host_are_no_pair() -> None:
    found = wired(["a", "b"], [(0, 1)], {0: 2, 1: 1})
    found.bundle(0, 2).cables = 3  # the first host has three ports on switch a
    assert count_own_pairs(found)[0, 0] == 3
