"""Cycles and reachability against networkx, on graphs that nobody chose."""

from __future__ import annotations

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.analysis.cycles import shortest_cycle, strongly_connected

graphs = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30).map(lambda e: (n, e))
)


def ahead_of(count: int, edges: list[tuple[int, int]]) -> list[list[int]]:
    out: list[list[int]] = [[] for _ in range(count)]
    for a, b in dict.fromkeys(edges):
        out[a].append(b)
    return out


def oracle(count: int, edges: list[tuple[int, int]]) -> nx.DiGraph[int]:
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    return graph


@given(graphs)
@settings(max_examples=100)
def test_knots_are_the_strongly_connected_parts_with_a_cycle(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = drawn
    graph = oracle(count, edges)
    parts = {frozenset(c) for c in nx.strongly_connected_components(graph)}
    cyclic = {c for c in parts if len(c) > 1 or all(graph.has_edge(n, n) for n in c)}
    assert {frozenset(part) for part in strongly_connected(ahead_of(count, edges))} == cyclic


@given(graphs)
@settings(max_examples=100)
def test_the_shortest_cycle_is_one_and_as_short_as_any(drawn: tuple[int, list[tuple[int, int]]]) -> None:
    count, edges = drawn
    graph = oracle(count, edges)
    ahead = ahead_of(count, edges)
    for part in strongly_connected(ahead):
        found = shortest_cycle(ahead, part)
        assert len(set(found)) == len(found)
        assert all(b in ahead[a] for a, b in zip(found, [*found[1:], found[0]], strict=True))
        inner = graph.subgraph(part)
        girth = min(nx.shortest_path_length(inner, b, a) + 1 for a, b in inner.edges)
        assert len(found) == girth


def test_a_long_path_needs_no_recursion() -> None:
    count = 50_000
    ring = [[(n + 1) % count] for n in range(count)]
    assert len(strongly_connected(ring)[0]) == count
    assert strongly_connected([[n + 1] for n in range(count - 1)] + [[]]) == []
