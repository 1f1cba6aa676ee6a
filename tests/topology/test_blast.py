"""How far a pause spreads: by hand for a fabric of the examples, and against networkx on links of small fabrics."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from wiring import wired

import rocecfg
from rocecfg.analysis.blast import blast_from, count_cut_off, find_components, worst_blast
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.routes import Bounce, Lossless, Routing, up_down_turns
from rocecfg.analysis.tiers import Tiers
from rocecfg.model import Span

EXAMPLE = Path(__file__).parents[2] / "examples" / "train-256" / "fabric.yaml"
PLAIN = Routing("up-down", (), dateline=False)


def leaves_and_spines(leaves: int, spines: int, hosts: int) -> tuple[Graph, Tiers]:
    edges = [(n, leaves + s) for n in range(leaves) for s in range(spines)]
    found = wired([f"n{n}" for n in range(leaves + spines)], edges, dict.fromkeys(range(leaves), hosts))
    return found, Tiers((1,) * leaves + (2,) * spines, 2)


def test_one_host_port_pauses_every_host_of_a_clos() -> None:
    fabric = rocecfg.load(str(EXAMPLE))
    blast = worst_blast(fabric)
    assert blast is not None
    assert graph(fabric).names[blast.switch] == "leaf01"
    # 2 links from the spines, 3 x 2 up from the other leaves; 31 other hosts at leaf01, and 31 at each other leaf (the
    # stuck host's own NICs there send nothing to itself): parallel cables count once
    assert blast.links == 2 + 6 + 31 + 3 * 31
    assert blast.all_links == 2 * (4 * 2 + 4 * 32)
    assert (blast.senders, blast.all_senders, blast.share) == (31, 31, 100)
    assert blast.hops == 3  # the spine's link, a leaf's, a host's


@st.composite
def fabrics(draw: st.DrawFn) -> tuple[Graph, Tiers, Routing, int]:
    leaves, spines, hosts = draw(st.integers(1, 5)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    every = [(n, leaves + s) for n in range(leaves) for s in range(spines)]
    edges = draw(st.lists(st.sampled_from(every), unique=True))
    found = wired([f"n{n}" for n in range(leaves + spines)], edges, dict.fromkeys(range(leaves), hosts))
    at = draw(st.lists(st.integers(0, leaves - 1), unique=True, max_size=2))
    routes = Routing("up-down", (Bounce(frozenset(at), {}, Span(0, 0, 1)),) if at else (), dateline=False)
    return found, Tiers((1,) * leaves + (2,) * spines, 2), routes, draw(st.integers(0, leaves - 1))


@given(fabrics())
@settings(max_examples=80)
def test_a_pause_spreads_to_what_networkx_reaches_backwards(drawn: tuple[Graph, Tiers, Routing, int]) -> None:
    found, level, routes, switch = drawn
    stuck = found.hosts(switch)[0]
    waits: nx.DiGraph[tuple[int, int]] = nx.DiGraph()
    waits.add_node((switch, stuck))
    for u, v, w, _, _ in up_down_turns(found, level, routes, Lossless(found), range(found.switches)):
        waits.add_edge((u, v), (v, w))
    for v in range(found.switches):
        for h in found.hosts(v):
            if h != stuck:
                waits.add_edges_from(((h, v), (v, w)) for w in found.near[v] if w != h)
            waits.add_edges_from(((u, v), (v, h)) for u in found.uplinks(v))
    want = {link for link in nx.ancestors(waits, (switch, stuck)) if stuck not in link}
    got = blast_from(found, level, routes, switch)
    assert got.links == len(want)
    assert got.senders == len({u for u, _ in want if u >= found.switches})
    lengths = nx.single_source_shortest_path_length(waits.reverse(), (switch, stuck))
    assert got.hops == max((lengths[link] for link in want), default=0)


def test_a_pause_reaches_every_other_host_of_leaves_and_spines() -> None:
    found, level = leaves_and_spines(4, 2, 8)
    assert blast_from(found, level, PLAIN, 0).senders == 31


def test_two_fabrics_in_one_do_not_pause_each_other() -> None:
    found = wired([f"n{n}" for n in range(4)], [(0, 1), (2, 3)], {0: 4, 2: 4})
    level = Tiers((1, 2, 1, 2), 2)
    blast = blast_from(found, level, PLAIN, 0)
    assert (blast.senders, blast.all_senders) == (3, 7)
    assert find_components(found) == [0, 0, 2, 2]


def test_the_loss_of_a_spine_cuts_nobody_off_and_that_of_a_leaf_its_hosts() -> None:
    found, _ = leaves_and_spines(4, 2, 8)
    assert count_cut_off(found, 4) == 0
    assert count_cut_off(found, 0) == 8
    single, _ = leaves_and_spines(4, 1, 8)
    assert count_cut_off(single, 4) == 24  # four parts of 8 hosts: three of them no longer reach the fourth
