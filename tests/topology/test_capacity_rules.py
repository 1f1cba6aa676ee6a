"""What is told of uplinks: once a cause, at the line that causes it, with what fixes it."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from intents import Found, findings, rules
from topology_cases import Wiring, clos

BACKEND = "{name: lab, kind: backend}"
_OTHERS = ("watchdog-tier", "topology-entropy")


def reported(folder: Path, text: str) -> list[Found]:
    return [f for f in findings(folder, text) if f.rule.startswith("topology-") and f.rule not in _OTHERS]


def test_the_published_architecture_is_8_to_1_and_what_fixes_it(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "train-256-as-published" / "fabric.yaml").read_text(encoding="utf-8")
    (found,) = [f for f in findings(tmp_path, text) if f.rule == "topology-oversub"]
    assert found.severity == "error"
    assert "leaf[01-02] each receive 12.8 Tbit/s from hosts" in found.message
    assert "1.6 Tbit/s (2 x 800G): 8:1" in found.message
    # 12.8 Tbit/s are 16 x 800G; 25.6 Tbit/s of hosts by 1.6 Tbit/s of uplinks a leaf are 16 leaves
    assert "give each 14 more uplinks of 800G, or spread the hosts over 16 leaves with such uplinks" in found.help
    assert "oversubscription: 8:1" in found.help


@pytest.mark.parametrize(
    ("fabric", "hosts", "severity"),
    [
        (BACKEND, 4, None),  # 1:1
        (BACKEND, 5, "warning"),
        (BACKEND, 8, "warning"),  # 2:1
        (BACKEND, 9, "error"),
        ("{name: lab}", 9, "warning"),  # what it is for is not said
        ("{name: lab, kind: backend, workload: storage-rdma, mtu: 9000}", 9, "warning"),
        ("{name: lab, kind: converged, workload: ai-training, mtu: 9000}", 9, "error"),
        ('{name: lab, kind: backend, oversubscription: "2.25:1"}', 9, None),
        ('{name: lab, kind: backend, oversubscription: "2:1"}', 9, "warning"),
        ('{name: lab, kind: backend, oversubscription: {leaf: "3:1"}}', 9, None),
        ('{name: lab, kind: backend, oversubscription: {spine: "3:1"}}', 9, "error"),  # not of leaves
        ("{name: lab, kind: backend, mode: lossy}", 9, "info"),
    ],
)
def test_what_is_meant_decides(tmp_path: Path, fabric: str, hosts: int, severity: str | None) -> None:
    found = [f for f in reported(tmp_path, clos(2, 4, hosts).text(fabric)) if f.rule == "topology-oversub"]
    assert [f.severity for f in found] == ([severity] if severity else [])


def test_a_ratio_that_is_passed_is_shown_where_it_is_stated(tmp_path: Path) -> None:
    stated = clos(2, 4, 9).text('{name: lab, kind: backend, oversubscription: "2:1"}')
    (found,) = [f for f in reported(tmp_path, stated) if f.rule == "topology-oversub"]
    line = next(n for n, text in enumerate(stated.splitlines(), 1) if "oversubscription" in text)
    assert (line, "the stated ratio") in found.related


def test_leaves_alike_are_one_finding_and_others_another(tmp_path: Path) -> None:
    wiring = clos(3, 2, 4)
    for h in range(2):
        wiring.host(f"more{h}", "leaf2")
    found = reported(tmp_path, wiring.text())
    assert [f.rule for f in found] == ["topology-oversub", "topology-oversub"]
    assert (
        "leaf[0-1] each receive 1.6 Tbit/s from hosts, but can send up only 800 Gbit/s (2 x 400G): 2:1"
        in found[0].message
    )
    assert "leaf2 receives 2.4 Tbit/s from hosts, but can send up only 800 Gbit/s (2 x 400G): 3:1" in found[1].message


def test_the_ratio_that_is_offered_is_silent(tmp_path: Path) -> None:
    text = clos(2, 3, 10).text()  # 3.333:1
    (found,) = reported(tmp_path, text)
    assert "oversubscription: 3.34:1" in found.help
    stated = text.replace("{name: lab}", '{name: lab, oversubscription: "3.34:1"}')
    assert [f.rule for f in reported(tmp_path, stated)] == []


@pytest.mark.parametrize("wrong", ["2", "two", '"2:0"', '"nan:1"', "[1, 2]", '{leaf: "0"}', '"1e9:1"'])
def test_a_ratio_that_is_none_is_an_error_at_its_place(tmp_path: Path, wrong: str) -> None:
    found = findings(tmp_path, clos(2, 2, 2).text(f"{{name: lab, oversubscription: {wrong}}}"))
    (error,) = [f for f in found if f.severity == "error"]
    assert (error.line, error.path) == (2, "fabric.yaml")
    assert "2:1" in error.message + error.help


def test_uneven_links_are_told_with_the_spine(tmp_path: Path) -> None:
    wiring = clos(1, 3, 8, cables=4)
    wiring.switch("spine3", "spine")
    wiring.cable("leaf0", "spine3", count=3)
    (found,) = reported(tmp_path, wiring.text())
    assert found.rule == "topology-uneven-uplinks"
    assert "leaf0 has 3 x 400G to spine3, but 4 x 400G to each of the others" in found.message
    assert "spine3" in (tmp_path / "fabric.yaml").read_text().splitlines()[found.line - 1]


def test_faster_links_to_one_spine_are_uneven(tmp_path: Path) -> None:
    wiring = clos(2, 2, 2, cables=2, up_speed="400G")
    wiring.switch("spine2", "spine")
    for leaf in ("leaf0", "leaf1"):
        wiring.cable(leaf, "spine2", "800G")  # as much in sum, and half of what the hash gives it is lost
    (found,) = reported(tmp_path, wiring.text())
    assert "leaf[0-1] have 1 x 800G to spine2, but 2 x 400G to each of the others" in found.message


def test_a_spine_that_one_leaf_lacks_is_told(tmp_path: Path) -> None:
    wiring = clos(4, 3, 2)
    text = wiring.text().replace('  - {a: "leaf3:Ethernet4", b: "spine2:Ethernet3"}\n', "")
    # the leaves list the same ports, so that they are of one kind
    (found,) = reported(tmp_path, text)
    assert "leaf3 has no link to spine2, but 1 x 400G to each of the others" in found.message


def test_all_uplinks_on_one_spine(tmp_path: Path) -> None:
    found = reported(tmp_path, clos(3, 1, 2, cables=2).text())
    assert [f.rule for f in found] == ["topology-single-spine"]
    assert "leaf[0-2] have uplinks to one switch only, spine0" in found[0].message


def test_one_leaf_needs_no_second_spine(tmp_path: Path) -> None:
    assert reported(tmp_path, clos(1, 1, 1, cables=1).text()) == []


def test_uplinks_slower_than_hosts(tmp_path: Path) -> None:
    found = reported(tmp_path, clos(2, 2, 1, cables=2, up_speed="100G").text())
    assert [f.rule for f in found] == ["topology-speed-drop"]
    assert "uplinks of leaf[0-1] run at 100G" in found[0].message


def test_a_plain_clos_is_silent(tmp_path: Path) -> None:
    for spines in (2, 3, 4):
        assert reported(tmp_path, clos(3, spines, spines).text(BACKEND)) == []


def test_a_loss_that_leaves_less_than_2_to_1(tmp_path: Path) -> None:
    stated = '{name: lab, oversubscription: "2:1"}'
    (found,) = reported(tmp_path, clos(2, 2, 4).text(stated))
    assert (found.rule, found.severity) == ("topology-n-1", "warning")
    assert "at leaf[0-1] rises from 2:1 to 4:1" in found.message
    assert reported(tmp_path, clos(2, 4, 8).text(stated)) == []  # 2.67:1


def test_spare_uplinks_that_do_not_last(tmp_path: Path) -> None:
    spare = '{name: lab, oversubscription: "1:1.2"}'
    (found,) = reported(tmp_path, clos(2, 2, 3, cables=2).text(spare))  # 0.75:1, then 1.5:1
    assert (found.rule, found.severity) == ("topology-n-1", "info")
    assert reported(tmp_path, clos(2, 4, 3).text(spare)) == []  # 0.75:1, then 1:1


def test_without_links_ports_tell_of_leaves(tmp_path: Path) -> None:
    text = clos(2, 2, 6).text(BACKEND, rows=False)
    (found,) = reported(tmp_path, text)
    assert (found.rule, found.severity) == ("topology-oversub", "error")
    assert "2.4 Tbit/s from hosts, but can send up only 800 Gbit/s (2 x 400G): 3:1" in found.message


def test_the_watchdogs_of_three_tiers(tmp_path: Path) -> None:
    wiring = Wiring()
    for name, role in (("leaf0", "leaf"), ("spine0", "spine"), ("core0", "superspine")):
        wiring.switch(name, role)
    wiring.host("gpu0", "leaf0")
    wiring.cable("leaf0", "spine0")
    wiring.cable("spine0", "core0")

    def timed(spine: str, core: str) -> str:
        text = wiring.text()
        for role, time in (("spine", spine), ("superspine", core)):
            dog = f"pfc: {{watchdog: {{detection_time: {time}, restoration_time: 2s}}}}"
            text = text.replace(f"{{role: {role}, ", f"{{role: {role}, {dog}, ")
        return text

    def found(text: str) -> list[tuple[str, int]]:
        lines = text.splitlines()
        return [
            (f.severity, lines[f.line - 1].split()[0]) for f in findings(tmp_path, text) if f.rule == "watchdog-tier"
        ]  # type: ignore[misc]

    assert found(timed("300ms", "400ms")) == []
    assert found(timed("300ms", "300ms")) == [("info", "core0:")]
    assert found(timed("100ms", "400ms")) == [("warning", "spine0:")]
    assert found(wiring.text()) == [("info", "watchdog:")]  # the fabric's, once for both tiers
    assert "watchdog-tier" not in rules(tmp_path, wiring.text("{name: lab, mode: lossy}"))
