"""One fault of a kind in fabrics of each design: it is one finding, which names the device; what is meant is silent."""

from __future__ import annotations

import re
from pathlib import Path

from failing_fabrics import DESIGNS, Told, cross, drop, nics, planes, told, uplinks
from intents import POLICY, rocecfg, write
from loops import loop
from topology_cases import Wiring, clos


def only(found: list[Told], rule: str, *names: str) -> bool:
    """Whether one finding is all there is, of that rule, and has the names."""
    return [each[1] for each in found if each[0] != "info"] == [rule] and all(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", each[2])
        for each in found
        if each[1] == rule
        for name in names
    )


@loop("design", DESIGNS)
def test_what_is_cabled_as_meant_is_silent(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    wiring = of.build()
    for hosts in ("", of.hosts(wiring)):
        assert [each for each in told(wiring.text(of.fabric, extra=hosts), tmp_path) if each[0] != "info"] == []


@loop("design", DESIGNS)
def test_two_crossed_cables_to_switches_above(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    wiring = of.build()
    first, *others = uplinks(wiring)
    a, _, x, _ = wiring.rows[first]
    other = next(n for n in others if wiring.rows[n][0] != a and wiring.rows[n][2] != x)
    b, _, y, _ = wiring.rows[other]
    cross(wiring, first, other)
    found = told(wiring.text(of.fabric), tmp_path)
    assert only(found, "topology-crossed", a, b, x, y), found


@loop("design", [name for name, of in DESIGNS.items() if of.homed > 1])
def test_two_crossed_cables_of_hosts(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    wiring = of.build()
    first, *others = nics(wiring)
    a, _, x, _ = wiring.rows[first]
    other = next(n for n in others if wiring.rows[n][0] != a and wiring.rows[n][2] != x)
    b, _, y, _ = wiring.rows[other]
    cross(wiring, first, other)
    for hosts in ("", of.hosts(wiring)):
        found = [each for each in told(wiring.text(of.fabric, extra=hosts), tmp_path) if each[0] != "info"]
        if of.rails:  # each NIC that is on another rail's leaf, the one against the other
            assert {each[1] for each in found} <= {"topology-rail", "topology-rail-cross"}, found
            assert {name for each in found for name in (a, b) if f"{name}:" in each[2]} == {a, b}, found
        else:
            assert only(found, "topology-crossed", a, b, x, y), found


@loop("design", DESIGNS)
def test_a_missing_uplink_is_told_once_with_the_switch_that_it_led_to(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    rows = of.build().rows
    leaf, _, spine, _ = rows[uplinks(of.build())[0]]
    for fabric in (of.fabric, of.fabric.replace("lab", "lab, kind: backend, workload: ai-training, mtu: 9000")):
        wiring = of.build()
        wiring.rows.pop(uplinks(wiring)[0])  # one cable
        found = told(wiring.text(fabric), tmp_path)
        assert only(found, "topology-uneven-uplinks", leaf, spine), found
        drop(wiring, leaf, spine)  # the line
        found = told(wiring.text(fabric), tmp_path)
        assert only(found, "topology-uneven-uplinks", leaf, spine), found


def test_who_waives_uneven_uplinks_is_told_of_what_they_carry(tmp_path: Path) -> None:
    """Oversubscription that follows from a missing uplink is folded under it, and stands where that is waived."""
    text = POLICY.replace("fabric: {", "fabric: {topology: clos, ") + (
        'devices:\n  "leaf[1-4]": {role: leaf, ports: {"in[1-4]": {speed: 400G, faces: host}, '
        '"up[1-4]": {speed: 400G}}}\n  "spine[1-2]": {role: spine, ports: {"Ethernet[1-8]": {speed: 400G}}}\nlinks:\n'
    )
    cables = [(leaf, up, 1 + up % 2, 2 * leaf - up // 3) for leaf in range(1, 5) for up in range(1, 5)]
    rows = [f'  - {{a: "leaf{a}:up{up}", b: "spine{b}:Ethernet{there}"}}\n' for a, up, b, there in cables]
    waiver = "  # rocecfg: ignore[topology-uneven-uplinks] -- one more comes in May\n"
    for waived in (False, True):
        write(tmp_path, {"fabric.yaml": text + "".join([*rows[:-3], waiver * waived, *rows[-3:-1]])})
        done = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "fabric.yaml").stdout
        assert ("topology-uneven-uplinks" in done, "topology-oversub" in done) == (not waived, waived), done


def test_who_waives_uneven_uplinks_is_told_of_slow_ones(tmp_path: Path) -> None:
    """A link that is slower than its senders, among faster ones, is folded under their being uneven."""
    wiring = clos(4, 2, 2, cables=2, up_speed="400G")
    wiring.switch("spine2", "spine")
    wiring.cable("leaf0", "spine2", "100G")
    head, _, cable = wiring.text().rpartition("\n  - ")
    waiver = "  # rocecfg: ignore[topology-uneven-uplinks] -- another one comes in May\n"
    for waived in (False, True):
        write(tmp_path, {"fabric.yaml": f"{head}\n{waiver * waived}  - {cable}"})
        done = rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "fabric.yaml").stdout
        assert ("topology-uneven-uplinks" in done, "topology-speed-drop" in done) == (not waived, waived), done


@loop("design", DESIGNS)
def test_a_leaf_without_any_uplink_is_an_error(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    wiring = of.build()
    leaf = wiring.rows[uplinks(wiring)[0]][0]
    drop(wiring, leaf)
    found = told(wiring.text(of.fabric), tmp_path)
    assert only(found, "topology-disconnected", leaf), found
    assert found[0][0] == "error"


@loop("design", DESIGNS)
def test_a_slower_card_and_a_port_of_another_speed(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    wiring = of.build()
    host = wiring.rows[nics(wiring)[0]][0]
    found = told(wiring.text(of.fabric, extra=of.hosts(wiring, "connectx-6")), tmp_path)
    assert only(found, "link-speed", host), found  # once, however many ports the card has
    a, port, spine, there = wiring.rows[uplinks(wiring)[0]]
    wiring.ports[a][port] = "200G", "switch"
    found = told(wiring.text(of.fabric), tmp_path)
    assert only(found, "link-speed", a, spine), found
    wiring.ports[spine][there] = "200G", "switch"  # at both ends: it is up, and slower than the others
    found = told(wiring.text(of.fabric), tmp_path)
    assert only(found, "topology-uneven-uplinks", a, spine), found
    assert "200G" in found[0][2]


@loop("design", DESIGNS)
def test_a_cable_at_a_port_of_another_hides_nothing_elsewhere(design: str, tmp_path: Path) -> None:
    of = DESIGNS[design]
    wiring = of.build()
    rows = uplinks(wiring)
    leaf, _, spine, _ = wiring.rows[rows[0]]
    last = wiring.rows[rows[-1]]
    taken = next(row for n in rows for row in (wiring.rows[n],) if row[0] != last[0] and row[2] == last[2])
    wiring.rows[rows[-1]] = (*last[:3], taken[3])
    alone = told(wiring.text(of.fabric), tmp_path)
    assert only(alone, "link-one-end", last[2]), alone
    drop(wiring, leaf, spine)
    found = told(wiring.text(of.fabric), tmp_path)
    if spine != last[2] and leaf != taken[0]:
        assert sorted(each[1] for each in found) == ["link-one-end", "topology-uneven-uplinks"], found


STAGED = [  # design, stage, hosts that it cuts off
    ("planes", "[ab]-leaf0", "gpu0x[0-3]"),
    ("planes", "a-leaf[0-2]", None),
    ("planes", "a-leaf0,b-leaf1", None),
    ("racks", "tor0a,tor0b", "gpu0x[0-3]"),
    ("racks", "tor[0-2]a", None),
    ("rails", "g0-rail[0-3]", "gpu0x[0-3]"),
    ("rails", "g[0-1]-rail0", None),
    ("rails", "g0-rail[0-2],g1-rail3", None),
    ("clos", "leaf0", None),
    ("pods", "pod0-leaf0", None),
]


@loop(("design", "stage", "cut"), STAGED)
def test_a_stage_with_all_switches_of_a_host(design: str, stage: str, cut: str | None, tmp_path: Path) -> None:
    of = DESIGNS[design]
    stage = stage.replace("[ab]-leaf0", "a-leaf0,b-leaf0").replace("tor[0-2]a", "tor0a,tor1a,tor2a")
    text = of.build().text(of.fabric, extra=f'rollout: {{stages: [{{devices: "{stage}"}}]}}\n')
    found = [each for each in told(text, tmp_path) if each[0] != "info"]
    assert only(found, "ops-stage", cut) if cut else found == [], found


# -- what is meant -----------------------------------------------------------------------------------------------------


def mesh(leaves: int, ways: int, *, both: bool) -> Wiring:
    """Leaves that each share spines with the next; hosts on two that follow each other, or are far from each other."""
    wiring = Wiring()
    for n in range(leaves + ways - 1):
        wiring.switch(f"spine{n}", "spine")
    for n in range(leaves):
        leaf = wiring.switch(f"leaf{n}", "leaf")
        for s in range(ways):
            wiring.cable(leaf, f"spine{n + s}")
    for n in range(leaves):
        far = (n + 1 if both else n + leaves // 2) % leaves
        for leaf in (n, far):
            wiring.host(f"gpu{n}", f"leaf{leaf}")
    return wiring


@loop(("leaves", "ways", "both"), [(n, w, both) for n in (4, 6, 8) for w in (2, 3) for both in (True, False)])
def test_partial_meshes_are_meant(leaves: int, ways: int, both: bool, tmp_path: Path) -> None:
    found = told(mesh(leaves, ways, both=both).text(), tmp_path)
    assert {each[1] for each in found if each[0] != "info"} <= {"topology-oversub"}, found


def test_a_leaf_on_both_planes_beside_its_own_is_meant(tmp_path: Path) -> None:
    wiring = planes()
    wiring.switch("edge0", "leaf")
    for plane in "ab":
        for n in range(2):
            wiring.cable("edge0", f"{plane}-spine{n}")
    assert [each for each in told(wiring.text(), tmp_path) if each[0] != "info"] == []


def test_unequal_uplinks_that_are_stated(tmp_path: Path) -> None:
    wiring = clos(4, 4, 4)
    wiring.switch("storage0", "storage")
    for _ in range(4):
        wiring.host("nas0", "storage0")
    for n in range(3):
        wiring.cable("storage0", f"spine{n}")
    text = wiring.text('{name: lab, oversubscription: {storage: "1.5:1"}}')
    assert [each for each in told(text, tmp_path) if each[0] != "info"] == []


def test_hosts_with_one_nic_hang_anywhere_and_hosts_with_both_on_one_switch_are_meant(tmp_path: Path) -> None:
    wiring = clos(4, 4, 0)
    for n in range(6):  # NICs of a host on one leaf, but of one host
        for leaf in (n // 2, n // 2 if n != 5 else 3):
            wiring.host(f"gpu{n}", f"leaf{leaf}")
    assert [each for each in told(wiring.text(), tmp_path) if each[0] != "info"] == []
    wiring = planes()
    wiring.host("login0", "a-leaf0")
    wiring.host("login0", "a-leaf0")
    assert [each for each in told(wiring.text(), tmp_path) if each[0] != "info" and "oversub" not in each[1]] == []


def test_a_storage_network_of_its_own_is_no_leaf_that_lost_its_uplinks(tmp_path: Path) -> None:
    wiring = clos(4, 4, 4)
    wiring.switch("stor0", "leaf")
    for host in list(wiring.hosts):
        wiring.host(host, "stor0")
    assert [each for each in told(wiring.text(), tmp_path) if each[0] != "info"] == []
