"""Fabrics without tiers: adaptive routing in a dragonfly, and links that routes take for equal and are not."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from intents import POLICY, findings
from topology_cases import Wiring, clos

UNEVEN = ("topology-uneven-links", "topology-uneven-uplinks", "topology-oversub")


def reported(folder: Path, text: str, *names: str) -> list[tuple[str, str, str]]:
    return [(f.severity, f.rule, f.message) for f in findings(folder, text) if f.rule in names]


@pytest.mark.parametrize(
    ("routing", "found"),
    [
        ("{algorithm: minimal}", True),
        ("{algorithm: shortest}", True),
        ("{algorithm: minimal, adaptive: false}", True),
        ("{algorithm: non-minimal, adaptive: false}", True),
        ("{adaptive: false}", True),
        ("{algorithm: minimal, adaptive: true}", False),
        ("{algorithm: non-minimal}", False),  # whether it is adaptive is not said
        ("{ttl: 16}", False),
    ],
)
def test_a_dragonfly_without_adaptive_routing(tmp_path: Path, routing: str, *, found: bool) -> None:
    text = POLICY.replace("{name: lab}", "{name: lab, topology: dragonfly}") + f"routing: {routing}\n"
    assert bool(reported(tmp_path, text, "topology-adaptive")) == found
    other = text.replace("dragonfly", "clos")
    assert reported(tmp_path, other, "topology-adaptive") == []


def dragonfly(more: tuple[tuple[str, str], ...] = (), without: tuple[str, str] | None = None) -> str:
    """Four groups of three switches that are all joined; one link between any two groups."""
    made = Wiring()
    for group in range(4):
        for a, b in combinations([made.switch(f"g{group}r{n}", "group") for n in range(3)], 2):
            made.cable(a, b)
    free = {group: [0, 1, 2] for group in range(4)}
    for a, b in combinations(range(4), 2):
        ends = f"g{a}r{free[a].pop(0)}", f"g{b}r{free[b].pop(0)}"
        if ends != without:
            made.cable(*ends)
    for ends in more:
        made.cable(*ends)
    return made.text("{name: lab, topology: dragonfly}")


def test_asymmetric_links_between_the_groups_of_a_dragonfly(tmp_path: Path) -> None:
    assert reported(tmp_path, dragonfly(), *UNEVEN) == []
    ((severity, rule, message),) = reported(tmp_path, dragonfly((("g0r0", "g1r0"),)), *UNEVEN)
    assert (severity, rule) == ("warning", "topology-uneven-links")
    assert "group 0 and group 1 are joined by 2 x 400G, but 5 other pairs of groups by 1 x 400G" in message
    ((_, _, message),) = reported(tmp_path, dragonfly(without=("g0r0", "g1r0")), *UNEVEN)
    assert "group 0 and group 1 are joined by no link, but 5 other pairs of groups by 1 x 400G" in message


def test_asymmetric_links_within_a_group(tmp_path: Path) -> None:
    ((_, _, message),) = reported(tmp_path, dragonfly((("g2r0", "g2r1"),)), *UNEVEN)
    assert "g2r0 and g2r1 are joined by 2 x 400G, but 11 other pairs in a group by 1 x 400G" in message


def test_groups_that_names_do_not_tell_are_not_judged(tmp_path: Path) -> None:
    text = dragonfly((("g0r0", "g1r0"),))
    for group in range(4):
        for n in range(3):
            text = text.replace(f"g{group}r{n}", f"{'abcd'[group]}{'xyz'[n]}")
    assert reported(tmp_path, text, *UNEVEN) == []


def test_parallel_links_of_two_speeds(tmp_path: Path) -> None:
    made = clos(2, 2, 2, up_speed="800G")
    for leaf in ("leaf0", "leaf1"):
        for spine in ("spine0", "spine1"):
            made.cable(leaf, spine, "400G")
    ((severity, rule, message),) = reported(tmp_path, made.text(), *UNEVEN)
    assert (severity, rule) == ("warning", "topology-uneven-links")
    assert "1 x 800G and 1 x 400G" in message


def test_one_cause_is_one_finding(tmp_path: Path) -> None:
    """One way up with a slow link: `topology-uneven-uplinks` tells of it alone."""
    made = clos(2, 2, 1, cables=2)
    made.cable("leaf1", "spine1", "800G")
    assert [rule for _, rule, _ in reported(tmp_path, made.text(), *UNEVEN)] == ["topology-uneven-uplinks"]


def test_a_leaf_with_fewer_links_than_those_like_it(tmp_path: Path) -> None:
    """Where no hosts are cabled; where they are, its ratio tells."""
    text = (
        POLICY + "devices:\n"
        '  "leaf[1-4]": {role: leaf, ports: {"Ethernet[0-3]": {faces: host, speed: 400G}, '
        '"Ethernet[4-7]": {faces: switch, speed: 400G}}}\n'
        '  "spine[1-2]": {role: spine, ports: {"Ethernet[0-7]": {faces: switch, speed: 400G}}}\n'
        "links:\n"
        '  - {a: "leaf[1-3]:Ethernet[4-5]", b: "spine1:Ethernet[0-5]"}\n'
        '  - {a: "leaf[1-3]:Ethernet[6-7]", b: "spine2:Ethernet[0-5]"}\n'
    )
    whole = '  - {a: "leaf4:Ethernet[4-5]", b: "spine1:Ethernet[6-7]"}\n'
    whole += '  - {a: "leaf4:Ethernet[6-7]", b: "spine2:Ethernet[6-7]"}\n'
    assert reported(tmp_path, text + whole, *UNEVEN) == []
    half = '  - {a: "leaf4:Ethernet4", b: "spine1:Ethernet6"}\n  - {a: "leaf4:Ethernet6", b: "spine2:Ethernet6"}\n'
    ((severity, rule, message),) = reported(tmp_path, text + half, *UNEVEN)
    assert (severity, rule) == ("warning", "topology-uneven-uplinks")
    assert "leaf4 has 1 x 400G to each switch above, and 3 others with the same settings 2 x 400G" in message
