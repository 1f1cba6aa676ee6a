"""The tiers of fabrics with roles, with roles of the user's own, and with none."""

from __future__ import annotations

from pathlib import Path

from intents import fabric as fabric_of
from topology_cases import Wiring, clos

from rocecfg.analysis.graph import graph
from rocecfg.analysis.tiers import tiers
from rocecfg.model import Fabric


def by_name(of: Fabric) -> dict[str, int]:
    return dict(zip(graph(of).names, tiers(of).of, strict=False))


def pods(role: str | None = None) -> Wiring:
    wiring = Wiring()
    for n in range(2):
        wiring.switch(f"core{n}")
    for pod in range(2):
        wiring.switch(f"agg{pod}", role)
        leaf = wiring.switch(f"leaf{pod}")
        wiring.host(f"gpu{pod}", leaf)
        wiring.cable(leaf, f"agg{pod}")
        for n in range(2):
            wiring.cable(f"agg{pod}", f"core{n}")
    return wiring


def test_without_roles_tiers_count_from_the_hosts(tmp_path: Path) -> None:
    want = {"core0": 3, "core1": 3, "agg0": 2, "agg1": 2, "leaf0": 1, "leaf1": 1}
    assert by_name(fabric_of(tmp_path, pods().text())) == want


def test_a_word_of_the_users_own_says_nothing(tmp_path: Path) -> None:
    assert by_name(fabric_of(tmp_path, pods("aggregation").text()))["agg0"] == 2


def test_a_stated_spine_stands_on_what_is_below_it(tmp_path: Path) -> None:
    found = by_name(fabric_of(tmp_path, pods("spine").text()))
    assert (found["agg0"], found["leaf0"]) == (2, 1)


def test_leaves_that_nobody_named_are_below_a_spine_though_no_host_is_known(tmp_path: Path) -> None:
    wiring = Wiring()
    wiring.switch("spine0", "spine")
    for n in range(2):
        wiring.cable(wiring.switch(f"x{n}"), "spine0")
    assert by_name(fabric_of(tmp_path, wiring.text())) == {"spine0": 2, "x0": 1, "x1": 1}


def test_without_links_to_hosts_ports_that_face_them_begin(tmp_path: Path) -> None:
    wiring = clos(2, 2, 2)
    wiring.roles.clear()
    wiring.rows = [row for row in wiring.rows if not row[0].startswith("gpu")]
    assert by_name(fabric_of(tmp_path, wiring.text())) == {"spine0": 2, "spine1": 2, "leaf0": 1, "leaf1": 1}


def test_a_switch_that_nothing_leads_to_has_no_tier(tmp_path: Path) -> None:
    wiring = clos(2, 1, 1)
    wiring.switch("spare")
    wiring.switch("spare2")
    wiring.cable("spare", "spare2")
    found = by_name(fabric_of(tmp_path, wiring.text()))
    assert (found["spare"], found["spare2"]) == (0, 0)


def test_of_two_switches_without_roles_none_is_above(tmp_path: Path) -> None:
    wiring = Wiring()
    for name in ("x", "y"):
        wiring.switch(name)
    wiring.host("gpu0", "x")
    wiring.cable("x", "y")
    assert by_name(fabric_of(tmp_path, wiring.text())) == {"x": 1, "y": 1}
    wiring.roles["y"] = "spine"
    assert by_name(fabric_of(tmp_path, wiring.text())) == {"x": 1, "y": 2}


def test_tiers_are_called_by_the_fields_words(tmp_path: Path) -> None:
    found = tiers(fabric_of(tmp_path, pods().text()))
    assert [found.role(n) for n in range(1, 5)] == ["leaf", "spine", "superspine", "tier 4"]
    assert found.switches(2) == [2, 4]
