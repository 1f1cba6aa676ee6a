"""`rocecfg drift --cabling`: links that are meant against the neighbours that are seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rocecfg.cli import cli

INTENT = """\
rocecfg: 1
fabric: {name: lab, topology: rail}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
defaults: {vendor: arista, platform: arista-7060x6-64pe}
devices:
  "leaf[1-2]": {role: leaf, ports: {"Ethernet[1-4,9-10,20]/1": {speed: 400G}}}
  "spine[1-2]": {role: spine, ports: {"Ethernet[1-2]/1": {speed: 400G}}}
hosts:
  "gpu[1-4]": {nic: connectx-7, ports: {nic0: {rail: 0}, nic1: {rail: 1}}}
links:
  - {a: "gpu[1-4]:nic0", b: "leaf1:Ethernet[1-4]/1"}
  - {a: "gpu[1-4]:nic1", b: "leaf2:Ethernet[1-4]/1"}
  - {a: "leaf[1-2]:Ethernet9/1", b: "spine1:Ethernet[1-2]/1", cable: 30m}
  - {a: "leaf[1-2]:Ethernet10/1", b: "spine2:Ethernet[1-2]/1", cable: 30m}
"""
HEAD = "Port          Neighbor Device ID       Neighbor Port ID       TTL\n"
HEAD += "---------- ------------------------ ---------------------- ---\n"
Seen = dict[str, dict[str, tuple[str, str]]]  # switch -> port -> its neighbour and that one's port


def as_meant() -> Seen:
    """What all four switches see; hosts call their NICs otherwise than the intent does."""
    seen: Seen = {"leaf1": {}, "leaf2": {}, "spine1": {}, "spine2": {}}
    for leaf in (1, 2):
        for host in range(1, 5):
            seen[f"leaf{leaf}"][f"Et{host}/1"] = (f"gpu{host}", f"enp{leaf}s0np0")
        for spine in (1, 2):
            port = f"Et{8 + spine}/1"
            seen[f"leaf{leaf}"][port] = (f"spine{spine}.example.com", f"Ethernet{leaf}/1")
            seen[f"spine{spine}"][f"Et{leaf}/1"] = (f"leaf{leaf}", f"Ethernet{8 + spine}/1")
    return seen


def drift(folder: Path, seen: Seen, *args: str, intent: str = INTENT) -> Result:
    (folder / "lldp").mkdir()
    (folder / "fabric.yaml").write_text(intent, encoding="utf-8")
    for switch, ports in seen.items():
        rows = "".join(f"{port:13} {far:24} {far_port:22} 120\n" for port, (far, far_port) in ports.items())
        (folder / "lldp" / f"{switch}.txt").write_text(HEAD + rows, encoding="utf-8")
    return CliRunner().invoke(cli, ["drift", str(folder / "fabric.yaml"), "--cabling", str(folder / "lldp"), *args])


def findings(folder: Path, seen: Seen, intent: str = INTENT) -> list[tuple[str, str, str | None]]:
    found: dict[str, Any] = json.loads(drift(folder, seen, "--format", "json", intent=intent).stdout)
    return [(f["kind"], f"{f['device']}:{f['port']}", f["note"]) for f in found["findings"]]


def test_cables_as_they_are_meant_are_no_drift(tmp_path: Path) -> None:
    done = drift(tmp_path, as_meant())
    assert done.stdout == "no drift in 12 cables\n"
    assert done.exit_code == 0


def test_rails_that_are_crossed_at_one_host_are_found_though_its_ports_have_other_names(tmp_path: Path) -> None:
    seen = as_meant()
    seen["leaf1"]["Et3/1"], seen["leaf2"]["Et3/1"] = seen["leaf2"]["Et3/1"], seen["leaf1"]["Et3/1"]
    done = drift(tmp_path, seen)
    assert done.exit_code == 1
    first, last = done.stdout.splitlines()
    assert first.startswith("swapped: leaf1:Ethernet3/1: intended gpu3:nic0 (")
    assert "seen gpu3:nic1 (" in first
    assert first.endswith("and leaf2:Ethernet3/1 connects to gpu3:nic0: rails 0 and 1 are crossed")
    assert last == "2 of 12 cables are not as intended"


def test_two_hosts_at_each_others_ports_are_swapped(tmp_path: Path) -> None:
    seen = as_meant()
    seen["leaf1"]["Et1/1"], seen["leaf1"]["Et2/1"] = seen["leaf1"]["Et2/1"], seen["leaf1"]["Et1/1"]
    assert findings(tmp_path, seen) == [("swapped", "leaf1:Ethernet1/1", "and leaf1:Ethernet2/1 connects to gpu1:nic0")]


def test_uplinks_in_each_others_ports_are_swapped_and_told_once(tmp_path: Path) -> None:
    seen = as_meant()
    seen["leaf1"]["Et9/1"], seen["leaf2"]["Et9/1"] = seen["leaf2"]["Et9/1"], seen["leaf1"]["Et9/1"]
    seen["spine1"]["Et1/1"], seen["spine1"]["Et2/1"] = seen["spine1"]["Et2/1"], seen["spine1"]["Et1/1"]
    ((kind, port, _),) = findings(tmp_path, seen)
    assert (kind, port) == ("swapped", "leaf1:Ethernet9/1")


def test_a_cable_in_a_port_that_is_free_is_miswired(tmp_path: Path) -> None:
    seen = as_meant()
    seen["leaf2"]["Et20/1"] = seen["leaf2"].pop("Et10/1")
    seen["spine2"]["Et2/1"] = ("leaf2", "Ethernet20/1")
    ((kind, port, _),) = findings(tmp_path, seen)
    assert (kind, port) == ("miswired", "spine2:Ethernet2/1")


def test_a_cable_that_nobody_sees_is_missing_where_its_ends_report(tmp_path: Path) -> None:
    seen = as_meant()
    del seen["leaf1"]["Et9/1"], seen["spine1"]["Et1/1"]
    assert findings(tmp_path, seen) == [("missing", "leaf1:Ethernet9/1", None)]


def test_hosts_without_lldp_are_not_seen_and_nothing_is_claimed_of_them(tmp_path: Path) -> None:
    seen = as_meant()
    for leaf in ("leaf1", "leaf2"):
        for host in range(1, 5):
            del seen[leaf][f"Et{host}/1"]
    done = drift(tmp_path, seen)
    assert done.exit_code == 1
    assert "not seen: 8 cables: no neighbour is known there (leaf1,gpu[1-4],leaf2)" in done.stdout
    assert "no drift in 4 cables" in done.stdout


def test_what_is_not_seen_is_no_drift_of_a_part(tmp_path: Path) -> None:
    seen = {"leaf1": as_meant()["leaf1"]}
    assert drift(tmp_path, seen, "--partial").exit_code == 0


def test_a_cable_that_no_link_names_is_unexpected(tmp_path: Path) -> None:
    seen = as_meant()
    seen["leaf1"]["Et20/1"] = ("laptop", "eth1")
    assert findings(tmp_path, seen) == [("unexpected", "leaf1:Ethernet20/1", None)]


def test_several_neighbours_at_one_port_are_said_and_not_called_missing(tmp_path: Path) -> None:
    seen = as_meant()
    done = drift(tmp_path, seen)
    rows = (tmp_path / "lldp" / "leaf1.txt").read_text(encoding="utf-8")
    (tmp_path / "lldp" / "leaf1.txt").write_text(rows + f"{'Et1/1':13} {'dpu1':24} {'p0':22} 120\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["drift", str(tmp_path / "fabric.yaml"), "--cabling", str(tmp_path / "lldp")])
    assert done.exit_code == 1
    assert "ambiguous: leaf1:Ethernet1/1: 2 cables end at this port" in done.stdout
    assert "missing" not in done.stdout


@pytest.mark.parametrize(("recorded", "found"), [("30m", 0), ("31m", 0), ("3m", 1), ("", 0)])
def test_lengths_of_an_inventory_are_compared(tmp_path: Path, recorded: str, found: int) -> None:
    (tmp_path / "fabric.yaml").write_text(INTENT, encoding="utf-8")
    table = f"a_device,a_port,b_device,b_port,cable\nleaf1,Ethernet9/1,spine1,Ethernet1/1,{recorded}\n"
    (tmp_path / "netbox.csv").write_text(table, encoding="utf-8")
    args = ["drift", str(tmp_path / "fabric.yaml"), "--cabling", str(tmp_path / "netbox.csv"), "--partial"]
    done = CliRunner().invoke(cli, args)
    assert done.exit_code == found
    assert ("length: leaf1:Ethernet9/1 -- spine1:Ethernet1/1: intended 30 m, recorded 3 m" in done.stdout) is bool(
        found
    )


def test_sonic_switches_that_announce_aliases_are_called_by_their_names(tmp_path: Path) -> None:
    """lldpmgrd announces PORT's alias as port id, and the port's name as description where none is set."""
    intent = INTENT.replace("vendor: arista, platform: arista-7060x6-64pe", "vendor: sonic")
    intent = intent.replace("Ethernet[1-4,9-10,20]/1", "Ethernet[0-48/8]").replace(
        '"Ethernet[1-2]/1"', '"Ethernet[0-8/8]"'
    )
    intent = (
        intent[: intent.index("hosts:")] + 'links:\n  - {a: "leaf1:Ethernet[32-40/8]", b: "spine1:Ethernet[0-8/8]"}\n'
    )
    head = "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n"
    head += "-----------  --------------  --------------  ------------  -----------------\n"
    rows = {
        "leaf1": [("Ethernet32", "spine1", "etp1", "Ethernet0"), ("Ethernet40", "spine1", "etp2", "to leaf1")],
        "spine1": [("Ethernet0", "leaf1", "etp5", "Ethernet32"), ("Ethernet8", "leaf1", "etp6", "to spine1")],
    }
    (tmp_path / "lldp").mkdir()
    (tmp_path / "fabric.yaml").write_text(intent, encoding="utf-8")
    for switch, ports in rows.items():
        lines = "".join(f"{a:11}  {b:14}  {c:14}  BR            {d}\n" for a, b, c, d in ports)
        text = f"{head}{lines}{'-' * 50}\nTotal entries displayed:  2\n"
        (tmp_path / "lldp" / f"{switch}.txt").write_text(text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["drift", str(tmp_path / "fabric.yaml"), "--cabling", str(tmp_path / "lldp")])
    assert done.stdout == "no drift in 2 cables\n"


@pytest.mark.parametrize("args", [("--running", "lldp"), ("--patch",), ("--device", "leaf1")])
def test_cables_are_compared_alone(tmp_path: Path, args: tuple[str, ...]) -> None:
    assert drift(tmp_path, as_meant(), *args).exit_code == 2


def test_an_intent_without_links_and_a_broken_file_are_errors(tmp_path: Path) -> None:
    done = drift(tmp_path, as_meant(), intent=INTENT[: INTENT.index("links:")])
    assert done.exit_code == 2
    assert "the intent has no links" in done.stderr
    (tmp_path / "fabric.yaml").write_text(INTENT, encoding="utf-8")
    (tmp_path / "lldp" / "leaf3.json").write_text('{"lldp": {', encoding="utf-8")
    done = CliRunner().invoke(cli, ["drift", str(tmp_path / "fabric.yaml"), "--cabling", str(tmp_path / "lldp")])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "cut off" in done.stderr
