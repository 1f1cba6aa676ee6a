"""What RDMA crosses from host to host, and who is told of what it lacks."""

from __future__ import annotations

from pathlib import Path

from intents import POLICY, Found
from intents import findings as found_in

from rocecfg.rules import topology_l2, topology_paths

NAMES = {rule.name for rule in (*topology_paths.RULES, *topology_l2.RULES)}
FABRIC = """devices:
  "leaf[1-4]": {role: leaf, ports: {"up[1-3]": {faces: switch}, "host[1-2]": {faces: host}}}
  "spine[1-2]": {role: spine, ports: {"down[1-4]": {faces: switch}}}
LINKS
  - {a: "leaf[1-4]:up1", b: "spine1:down[1-4]"}
  - {a: "leaf[1-4]:up2", b: "spine2:down[1-4]"}
  - {a: "gpu[1-8]:nic0", b: "leaf[1-4]:host[1-2]"}
"""
CLOS = POLICY.replace("fabric: {", "fabric: {topology: clos, ", 1)


def paths(folder: Path, text: str) -> list[Found]:
    return [f for f in found_in(folder, CLOS + text) if f.rule in NAMES]


def text(more: str = "") -> str:
    return FABRIC.replace("LINKS", f"{more}\nlinks:" if more else "links:")


def test_a_whole_fabric_is_silent(tmp_path: Path) -> None:
    assert paths(tmp_path, text()) == []


def test_a_leaf_whose_links_were_forgotten_is_another_fabric(tmp_path: Path) -> None:
    cut = text().replace('"leaf[1-4]:up1", b: "spine1:down[1-4]"', '"leaf[1-3]:up1", b: "spine1:down[1-3]"')
    cut = cut.replace('"leaf[1-4]:up2", b: "spine2:down[1-4]"', '"leaf[1-3]:up2", b: "spine2:down[1-3]"')
    (stated,) = paths(tmp_path, cut)
    assert (stated.severity, stated.rule) == ("error", "topology-disconnected")
    assert stated.message.startswith("no cables connect gpu7 and 1 more hosts to gpu1")
    assert "leaf4" in stated.message


def test_cables_without_a_class_for_rdma_are_path_cover_alone(tmp_path: Path) -> None:
    off = text().replace('"up[1-3]": {faces: switch}', '"up[1-3]": {faces: switch, classes: [control, default]}')
    off = off.replace('"down[1-4]": {faces: switch}', '"down[1-4]": {faces: switch, classes: [control, default]}')
    (stated,) = paths(tmp_path, off)
    assert (stated.severity, stated.rule) == ("error", "path-cover")
    assert "RDMA crosses spine1 and 1 more, where no class carries it" in stated.message
    assert "leaf1:up1 -> spine1:down1, spine1:down2 -> leaf2:up1" in stated.message


def test_one_end_without_the_class_is_told_by_link_pfc_alone(tmp_path: Path) -> None:
    off = text().replace('"down[1-4]": {faces: switch}', '"down[1-4]": {faces: switch, classes: [control, default]}')
    assert paths(tmp_path, off) == []
    assert "link-pfc" in {f.rule for f in found_in(tmp_path, CLOS + off)}


def test_the_budget_of_a_blast_says_how_many_hosts(tmp_path: Path) -> None:
    small = (CLOS + text()).replace("fabric: {", "fabric: {blast_radius: 50%, ", 1)
    (stated,) = [f for f in found_in(tmp_path, small) if f.rule == "topology-blast"]
    assert "7 of 7 other hosts can be paused too (100%)" in stated.message
    assert stated.text == "50%"


def test_few_queue_pairs_are_told_at_the_host_with_the_hash(tmp_path: Path) -> None:
    more = "routing: {hash: 5-tuple}\nhosts:\n  gpu[1-8]: {qps: 1}"
    (stated,) = paths(tmp_path, text(more))
    assert (stated.rule, stated.text) == ("topology-entropy", "1")
    assert "at most 1 of the 2 links up" in stated.message
    assert [word for _, word in stated.related] == ["hashed here"]


def test_names_that_nothing_defines_are_told(tmp_path: Path) -> None:
    slips = "routing: {bounces: [{at: laef1}]}\nvlans: {100: {devices: 'leaf[4-5]', class: rdma}}"
    found = [(f.rule, f.message, f.text) for f in found_in(tmp_path, CLOS + text(slips)) if f.rule == "schema-ref"]
    assert found == [
        ("schema-ref", "laef1 is neither in devices nor in hosts", "laef1"),
        ("schema-ref", "leaf5 is neither in devices nor in hosts", "'leaf[4-5]'"),
    ]


def test_arp_that_outlives_mac_entries_floods_lossless_packets(tmp_path: Path) -> None:
    vlan = 'vlans:\n  100: {devices: "leaf[1-2]", class: rdma}'
    timed = text(vlan).replace('"leaf[1-4]": {', '"leaf[1-4]": {arp_timeout: 14400s, mac_age: 300s, ', 1)
    found = {f.rule: f for f in paths(tmp_path, timed)}
    assert set(found) == {"pfc-bum", "topology-l2"}
    assert found["pfc-bum"].text == "300s"
    assert found["topology-l2"].text == '"leaf[1-2]"'
    assert {f.rule for f in paths(tmp_path, text(vlan))} == {"topology-l2"}  # timers that nobody states
