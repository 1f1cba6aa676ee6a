"""Links followed: what a cable is when both its ends tell of it, when a port is used twice, and when ports differ."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import POLICY, fabric

from rocecfg.analysis.bundles import link_groups
from rocecfg.analysis.graph import graph

DEVICES = """devices:
  leaf[1-3]: {ports: {"Ethernet[0-3]": {speed: 400G}, "Ethernet[4-5]": {speed: 100G}}}
  spine[1-2]: {ports: {"Ethernet[0-5]": {speed: 400G}}}
hosts: {"gpu[1-2]": {rdma_dscp: 26}}
"""
PORTS = {f"{kind}{n}": range(6) for kind, count in (("leaf", 3), ("spine", 2)) for n in range(1, count + 1)}
ends = st.tuples(st.sampled_from([*PORTS, "gpu1", "gpu2"]), st.integers(0, 7))
cables = st.lists(st.tuples(ends, ends), min_size=1, max_size=30)


def naive(links: list[tuple[tuple[str, int], tuple[str, int]]]) -> Counter[frozenset[str]]:
    """Cables by the two that they join: a link counts if its ports are there, and no link before it used them.

    One that leads from a port to itself is none, and takes no port.
    """
    used: set[tuple[str, int]] = set()
    out: Counter[frozenset[str]] = Counter()
    for a, b in links:
        there = all(device not in PORTS or port in PORTS[device] for device, port in (a, b))
        if there and a != b and (a[0] in PORTS or b[0] in PORTS):
            if a not in used and b not in used:
                out[frozenset((a[0], b[0]))] += 1
            used |= {a, b}
    return out


@given(cables)
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_each_cable_counts_once(tmp_path: Path, links: list[tuple[tuple[str, int], tuple[str, int]]]) -> None:
    rows = [f'  - {{a: "{a}:Ethernet{m}", b: "{b}:Ethernet{n}"}}\n' for (a, m), (b, n) in links]
    of = fabric(tmp_path, f"{POLICY}{DEVICES}links:\n{''.join(rows)}")
    found: Counter[frozenset[str]] = Counter()
    for group in link_groups(of).groups:
        assert group.cables > 0
        found[frozenset((group.a, group.b))] += group.cables
    assert found == naive(links)
    drawn = graph(of)
    for bundle in drawn.bundles.values():
        assert bundle.cables == found[frozenset((drawn.names[bundle.a], drawn.names[bundle.b]))]
        assert sum(bundle.speeds.values()) == bundle.cables


def test_cables_at_unlike_ports_are_apart_and_their_speeds_add_up(tmp_path: Path) -> None:
    of = fabric(tmp_path, f'{POLICY}{DEVICES}links: [{{a: "leaf1:Ethernet[0-5]", b: "spine1:Ethernet[0-5]"}}]\n')
    assert [(s.a, s.a_port, s.b, s.b_port, s.cables) for s in link_groups(of).groups] == [
        ("leaf1", "Ethernet0", "spine1", "Ethernet0", 4),
        ("leaf1", "Ethernet4", "spine1", "Ethernet4", 2),
    ]
    (bundle,) = graph(of).bundles.values()
    assert bundle.speeds == {400 * 10**9: 4, 100 * 10**9: 2}
    assert bundle.rate == 1800 * 10**9


def test_a_link_at_a_port_that_is_taken_is_told_and_not_followed(tmp_path: Path) -> None:
    text = 'links: [{a: "leaf1:Ethernet0", b: "spine1:Ethernet0"}, {a: "leaf2:Ethernet0", b: "spine1:Ethernet0"}]\n'
    of = fabric(tmp_path, POLICY + DEVICES + text)
    assert [(s.a, s.cables) for s in link_groups(of).groups] == [("leaf1", 1)]
    (taken,) = link_groups(of).taken
    assert (taken.name, taken.first, taken.second) == ("spine1:Ethernet0", "leaf1:Ethernet0", "leaf2:Ethernet0")
