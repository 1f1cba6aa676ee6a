"""Foreign files below `links` of an intent."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from cables import eos
from intents import POLICY, fabric, findings, loaded, port, rocecfg

from rocecfg.lsp.fabrics import is_in_format

DEVICES = """\
devices:
  leaf[1-2]: {ports: {"Ethernet[0-8/8]": {speed: 400G}}}
  spine1: {ports: {"Ethernet[0-24/8]": {speed: 400G}}}
"""


def intent(*items: str) -> str:
    return POLICY + DEVICES + "links:\n" + "".join(f"  - {item}\n" for item in items)


FILES = {
    "lldp/leaf1.txt": eos(("Ethernet0", "spine1", "Ethernet8")),
    "lldp/spine1.txt": eos(("Ethernet8", "leaf1", "Ethernet0"), ("Ethernet16", "leaf2", "Ethernet0")),
    "netbox.csv": "ID,Termination A,Termination B,Device A,Device B,Length\n7,Ethernet0,Ethernet16,leaf2,spine1,30 m\n"
    "8,Ethernet0,Ethernet1,other1,other2,3 m\n",
}


def test_neighbours_and_an_inventory_are_the_links_of_a_fabric(tmp_path: Path) -> None:
    """The pattern means both files; what both of them say is one link; other racks are no concern."""
    found = fabric(tmp_path, intent("lldp/*.txt", "netbox.csv"), FILES)
    assert [(link.a_device, link.a_port, link.b_device, link.b_port, link.cable) for link in found.links] == [
        ("leaf1", "Ethernet0", "spine1", "Ethernet8", None),
        ("spine1", "Ethernet16", "leaf2", "Ethernet0", 30),
    ]
    assert port(found, "leaf2", "Ethernet0").faces == "switch"
    assert port(found, "leaf2", "Ethernet0").cable == 30


def test_own_and_foreign_files_and_links_stand_side_by_side(tmp_path: Path) -> None:
    files = {**FILES, "own.csv": "leaf1,Ethernet8,spine1,Ethernet24,3m\n"}
    found = fabric(tmp_path, intent("own.csv", '{a: "gpu1:nic0", b: "leaf2:Ethernet8"}', "lldp/spine1.txt"), files)
    assert len(found.links) == 4


def test_a_link_of_a_foreign_file_has_its_place(tmp_path: Path) -> None:
    files = {"lldp/leaf1.txt": eos(("Ethernet0", "spine1", "Ethernet999"))}
    (one,) = [f for f in findings(tmp_path, intent("lldp/*.txt"), files) if f.rule == "link-one-end"]
    assert (one.path, one.line) == ("lldp/leaf1.txt", 3)


@pytest.mark.parametrize(
    ("name", "text", "stated"),
    [
        (
            "cables.csv",
            "id,name,site,rack,role\n" + "7,leaf1,ams,r1,leaf\n" * 1000,
            "columns are id, name, site, rack, role",
        ),
        ("cables.csv", "a,b,c\n" * 1000, "its columns are a, b, c"),
        ("cables.json", '{"lldp": {"interface": [', "cut off"),
        ("cables.txt", "interface Ethernet0\n" * 1000, "begins with 'interface Ethernet0'"),
        ("cables.xml", "<html><body/></html>", "XML that begins with <html>"),
    ],
)
def test_a_foreign_file_that_is_not_understood_is_one_finding(
    tmp_path: Path, name: str, text: str, stated: str
) -> None:
    read, _ = loaded(tmp_path, intent(name), {name: text})
    (problem,) = read.errors
    assert stated in problem.message
    assert read.fabric is None  # nothing half taken
    done = rocecfg(tmp_path, "lint", "fabric.yaml", "--format", "json")
    assert done.returncode == 2
    found = [f for f in json.loads(done.stdout)["findings"] if f["severity"] == "error"]
    assert [(f["name"], f["path"]) for f in found] == [("schema-syntax", name)]


def test_a_file_of_links_with_other_columns_is_one_finding(tmp_path: Path) -> None:
    files = {"own.csv": "leaf1,Ethernet0,spine1\n" * 1000 + "leaf1,Ethernet0,spine1,Ethernet8\n"}
    (one,) = [f for f in findings(tmp_path, intent("own.csv"), files) if f.rule == "schema-pair"]
    assert one.line == 1
    assert "3 columns" in one.message
    assert "999 more lines" in one.message


def test_what_contradicts_itself_is_one_warning_a_file(tmp_path: Path) -> None:
    text = eos(("Ethernet0", "spine1", "Ethernet0"), ("Ethernet0", "spine1", "Ethernet8"), ("Ethernet8", "x", "nic0"))
    (one,) = [f for f in findings(tmp_path, intent("leaf1.txt"), {"leaf1.txt": text}) if f.rule == "schema-pair"]
    assert (one.severity, one.path, one.line) == ("warning", "leaf1.txt", 3)
    assert one.message.startswith("ambiguous in the cables of this file: leaf1:Ethernet0: 2 cables end")


def test_what_is_left_out_is_one_info_and_management_is_not_told(tmp_path: Path) -> None:
    text = eos(("Ethernet0", "spine1", "0011.2233.4455"), ("Management1", "oob1", "Ethernet9"))
    (one,) = [f for f in findings(tmp_path, intent("leaf1.txt"), {"leaf1.txt": text}) if f.rule == "schema-pair"]
    assert one.severity == "info"
    assert "the neighbour names its port by a MAC address" in one.message


def test_a_pattern_that_means_no_file_is_an_error(tmp_path: Path) -> None:
    (one,) = [f for f in findings(tmp_path, intent("lldp/*.txt")) if f.rule == "schema-ref"]
    assert "lldp/*.txt' matches no file" in one.message


def test_ports_that_begin_with_a_digit_can_be_said(tmp_path: Path) -> None:
    files = {"own.csv": "sr1,1/1/c2/1,leaf2,Ethernet0,3m\n"}
    found = fabric(tmp_path, intent('{a: "sr1:1/1/c1/1", b: "leaf1:Ethernet0"}', "own.csv"), files)
    assert [link.a_port for link in found.links] == ["1/1/c1/1", "1/1/c2/1"]


def test_a_changed_file_of_neighbours_is_linted_with_its_fabric(tmp_path: Path) -> None:
    """As pre-commit hands it over, alone."""
    write = {**FILES, "lldp/leaf1.txt": eos(("Ethernet0", "spine1", "Ethernet999"))}
    loaded(tmp_path, intent("lldp/leaf1.txt"), write)
    done = rocecfg(tmp_path, "lint", "lldp/leaf1.txt")
    assert done.returncode == 1
    assert "link-one-end" in done.stdout


def test_files_outside_the_repository_are_refused(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "secret.txt").write_text("hunter2\n", encoding="utf-8")
    read, _ = loaded(tmp_path / "repo", intent("../*.txt", "../secret.txt"))
    assert len(read.errors) == 2
    assert "hunter2" not in "".join(map(str, read.errors))


def test_an_editor_takes_a_labs_file_for_no_intent(tmp_path: Path) -> None:
    """It is YAML and a member of the fabric, as an included file is."""
    lab = 'name: lab\ntopology:\n  links:\n    - endpoints: ["leaf1:Ethernet0", "spine1:Ethernet8"]\n'
    path, racks = str(tmp_path / "lab.clab.yml"), str(tmp_path / "racks.yaml")
    judged = [SimpleNamespace(members=frozenset((path, racks)))]
    assert not is_in_format(path, lab, judged)
    assert is_in_format(racks, "devices:\n  leaf1: {role: leaf}\n", judged)
