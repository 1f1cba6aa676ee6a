"""Which turns routes take, against all paths that networkx finds; leaving alike switches out changes no verdict."""

from __future__ import annotations

from itertools import pairwise

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from wiring import is_circle, wired

from rocecfg.analysis.coordinates import find_grid
from rocecfg.analysis.cycles import strongly_connected
from rocecfg.analysis.deadlock import find_circle, has_ranks
from rocecfg.analysis.graph import Graph
from rocecfg.analysis.routes import (
    Bounce,
    Lossless,
    Routing,
    all_turns,
    dimension_order_turns,
    find_distances,
    quotient_turns,
    rank_of_link,
    shortest_turns,
    up_down_turns,
)
from rocecfg.analysis.symmetry import choose_representatives, group_by_links
from rocecfg.analysis.tiers import Tiers
from rocecfg.model import Span

PLACE = Span(0, 0, 1)


def undirected(found: Graph) -> nx.Graph[int]:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(found.switches))
    graph.add_edges_from((a, b) for a in range(found.switches) for b in found.uplinks(a))
    return graph


@st.composite
def meshes(draw: st.DrawFn) -> tuple[Graph, list[int]]:
    """Any switches and cables, and those that have hosts."""
    n = draw(st.integers(2, 8))
    pairs = [(a, b) for a in range(n) for b in range(a + 1, n)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=14))
    hosts = draw(st.lists(st.integers(0, n - 1), unique=True, min_size=1))
    return wired([f"s{i}" for i in range(n)], edges), sorted(hosts)


@st.composite
def closes(draw: st.DrawFn) -> tuple[Graph, Tiers, Routing, list[int]]:
    """Leaves, spines and superspines with some links left out, and switches that bounce."""
    pods, leaves, spines = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.integers(1, 3))
    supers = draw(st.integers(0, 2)) if pods > 1 else 0
    of: list[int] = []
    edges = []
    whole = [(p, i, j) for p in range(pods) for i in range(leaves) for j in range(spines)]
    left_out = set(draw(st.lists(st.sampled_from(whole), max_size=3)))
    size = leaves + spines
    for p in range(pods):
        of += [1] * leaves + [2] * spines
        edges += [
            (p * size + i, p * size + leaves + j)
            for i in range(leaves)
            for j in range(spines)
            if (p, i, j) not in left_out
        ]
    for s in range(supers):
        of.append(3)
        edges += [(p * size + leaves + j, pods * size + s) for p in range(pods) for j in range(spines)]
    nodes = [n for n, tier in enumerate(of) if tier < 3]
    at = draw(st.lists(st.sampled_from(nodes), unique=True, max_size=4))
    bounces = (Bounce(frozenset(at), {}, PLACE),) if at else ()
    found = wired([f"n{i}" for i in range(len(of))], edges)
    hosts = [n for n, tier in enumerate(of) if tier == 1]
    return found, Tiers(tuple(of), max(of)), Routing("up-down", bounces, dateline=False), hosts


@given(meshes())
@settings(max_examples=60)
def test_shortest_turns_are_those_of_all_shortest_paths(drawn: tuple[Graph, list[int]]) -> None:
    found, hosts = drawn
    graph = undirected(found)
    want = set()
    for a in hosts:
        for b in hosts:
            if a != b and nx.has_path(graph, a, b):
                for path in nx.all_shortest_paths(graph, a, b):
                    want |= {(u, v, w, 3, 3) for (u, v), (_, w) in pairwise(pairwise(path))}
    assert shortest_turns(found, hosts, Lossless(found), frozenset(range(found.switches))) == want


@given(meshes())
@settings(max_examples=60)
def test_distances_are_those_of_networkx(drawn: tuple[Graph, list[int]]) -> None:
    found, hosts = drawn
    got = find_distances(found, hosts[0], range(found.switches))
    assert got == dict(nx.single_source_shortest_path_length(undirected(found), hosts[0]))


@given(meshes())
@settings(max_examples=60)
def test_a_circle_is_found_if_and_only_if_turns_close_one(drawn: tuple[Graph, list[int]]) -> None:
    found, hosts = drawn
    lossless, every = Lossless(found), frozenset(range(found.switches))
    for turns in (shortest_turns(found, hosts, lossless, every), set(all_turns(found, lossless, every))):
        links: nx.DiGraph[tuple[int, int]] = nx.DiGraph()
        links.add_edges_from(((u, v), (v, w)) for u, v, w, _, _ in turns)
        hops = find_circle(turns)
        assert bool(hops) == (not nx.is_directed_acyclic_graph(links))
        assert not hops or is_circle(hops, turns)


@given(closes())
@settings(max_examples=60)
def test_ranks_rise_along_up_down_turns(drawn: tuple[Graph, Tiers, Routing, list[int]]) -> None:
    found, level, _, _ = drawn
    plain = Routing("up-down", (), dateline=False)
    turns = list(up_down_turns(found, level, plain, Lossless(found), range(found.switches)))
    for u, v, w, _, _ in turns:
        before, after = (rank_of_link(level.of[a], level.of[b], level.top) for a, b in ((u, v), (v, w)))
        assert before is not None
        assert after is not None
        assert before < after
    assert has_ranks(found, level)
    assert find_circle(turns) == ()


@given(closes())
@settings(max_examples=60)
def test_switches_taken_together_miss_no_circle(drawn: tuple[Graph, Tiers, Routing, list[int]]) -> None:
    found, level, routes, _ = drawn
    every = range(found.switches)
    exact = find_circle(up_down_turns(found, level, routes, Lossless(found), every))
    switch, ahead = quotient_turns(found, level, routes, (3,), every)
    within = {switch[vertex] for part in strongly_connected(ahead) for vertex in part}
    assert {u for u, _, _ in exact} <= within
    assert bool(find_circle(up_down_turns(found, level, routes, Lossless(found), within))) == bool(exact)


@given(closes())
@settings(max_examples=60)
def test_leaving_alike_switches_out_changes_no_verdict(drawn: tuple[Graph, Tiers, Routing, list[int]]) -> None:
    found, level, routes, hosts = drawn
    lossless, every = Lossless(found), frozenset(range(found.switches))

    def bounces(n: int) -> object:
        return level.of[n], routes.after(n, 3)

    few = choose_representatives(found, level, group_by_links(found, bounces), bounces)
    turns = list(up_down_turns(found, level, routes, lossless, every))
    some = find_circle(up_down_turns(found, level, routes, lossless, few))
    assert bool(some) == bool(find_circle(turns))
    assert not some or is_circle(some, turns)
    with_hosts = frozenset(hosts)
    few = choose_representatives(found, level, group_by_links(found, with_hosts.__contains__), with_hosts.__contains__)
    whole = shortest_turns(found, hosts, lossless, every)
    assert bool(find_circle(shortest_turns(found, [h for h in hosts if h in few], lossless, few))) == bool(
        find_circle(whole)
    )


def torus(sizes: tuple[int, ...], *, closed: bool, pfc: tuple[int, ...] = (3,)) -> Graph:
    places = [()]
    for size in sizes:
        places = [(*p, x) for p in places for x in range(size)]  # type: ignore[misc]
    index = {p: n for n, p in enumerate(places)}
    edges = []
    for p in places:
        for axis, size in enumerate(sizes):
            if closed or p[axis] + 1 < size:  # type: ignore[misc]
                to = (*p[:axis], (p[axis] + 1) % size, *p[axis + 1 :])  # type: ignore[misc]
                edges.append((index[p], index[to]))
    return wired(["t" + "-".join(map(str, p)) for p in places], edges, pfc=pfc)


@given(st.lists(st.integers(2, 5), min_size=1, max_size=3), st.booleans())
@settings(max_examples=30, deadline=None)
def test_dimension_order_needs_a_dateline_in_rings_of_four(sizes: list[int], closed: bool) -> None:
    found = torus(tuple(sizes), closed=closed)
    where = find_grid(found)
    assert where is not None
    hops = find_circle(dimension_order_turns(found, where, Lossless(found), dateline=False))
    two = torus(tuple(sizes), closed=closed, pfc=(3, 4))
    assert find_circle(dimension_order_turns(two, where, Lossless(two), dateline=True)) == ()
    assert bool(hops) == (closed and max(sizes) > 3)  # shorter rings have no switch that packets pass straight on


def test_a_ring_without_numbers_is_followed() -> None:
    found = wired(["north", "east", "south", "west"], [(0, 1), (1, 2), (2, 3), (3, 0)])
    where = find_grid(found)
    assert where is not None
    assert where.sizes == (4,)
    assert sorted(where.at) == [(0,), (1,), (2,), (3,)]


def test_names_that_cables_contradict_are_no_coordinates() -> None:
    assert find_grid(wired(["a0", "a1", "a2", "a3", "a4"], [(0, 2), (1, 2), (3, 4)])) is None
