"""`rocecfg import --links`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from rocecfg.cli import cli

TABLE = """\
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine1          Ethernet8       BR            x
eth0         oob1            swp3            BR            x
--------------------------------------------------
Total entries displayed:  2
"""
ONE_SIDED = "only leaf1 sees it: nothing is known from spine1"
INVENTORY = "StartDevice,StartPort,EndDevice,EndPort,BandWidth\nleaf2,Ethernet0,spine1,Ethernet16,400000\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lldp").mkdir()
    (tmp_path / "lldp" / "leaf1.txt").write_text(TABLE, encoding="utf-8")
    (tmp_path / "lldp" / ".leaf1.txt.swp").write_text("b0VIM", encoding="utf-8")
    (tmp_path / "lab.csv").write_text(INVENTORY, encoding="utf-8")
    return tmp_path


def run(*args: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(cli, ["import", "--links", *args], input=stdin)


def test_links_of_files_and_folders_are_the_five_columns() -> None:
    done = run("lldp", "lab.csv")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == [
        "a_device,a_port,b_device,b_port,cable",
        "leaf1,Ethernet0,spine1,Ethernet8,",
        "leaf2,Ethernet0,spine1,Ethernet16,",
    ]
    assert done.stderr.splitlines() == [
        "left-out: leaf1:eth0 -- oob1:swp3: of the management network (lldp/leaf1.txt:4)",
        f"one-sided: leaf1:Ethernet0 -- spine1:Ethernet8: {ONE_SIDED} (lldp/leaf1.txt:3)",
    ]


def test_links_can_be_written_to_a_file_that_an_intent_names(folder: Path) -> None:
    done = run("lldp", "-o", "cabling.csv")
    assert done.exit_code == 0
    assert done.stdout == ""
    assert done.stderr.startswith("rocecfg: cabling.csv written: 1 link")
    assert (folder / "cabling.csv").read_text(encoding="utf-8").endswith("leaf1,Ethernet0,spine1,Ethernet8,\n")


def test_json_has_all_that_is_said() -> None:
    found = json.loads(run("lldp", "--format", "json").stdout)
    assert found["links"] == [
        {
            "a_device": "leaf1", "a_port": "Ethernet0", "b_device": "spine1", "b_port": "Ethernet8", "cable": None,
            "path": "lldp/leaf1.txt", "line": 3,
        }
    ]  # fmt: skip
    assert [(note["kind"], note["a_port"], note["line"]) for note in found["notes"]] == [
        ("one-sided", "Ethernet0", 3),
        ("left-out", "eth0", 4),
    ]
    assert found["summary"] == {
        "files": 1, "links": 1, "incomplete": 0, "contradictory": 0, "ambiguous": 0, "left_out": 1, "one_sided": 1,
    }  # fmt: skip


def test_management_links_can_be_asked_for() -> None:
    assert run("lldp", "--management").stdout.splitlines()[2] == "leaf1,eth0,oob1,swp3,"


def test_standard_input_is_a_file() -> None:
    done = run("-", stdin=INVENTORY.encode())
    assert done.stdout.splitlines()[1] == "leaf2,Ethernet0,spine1,Ethernet16,"


def test_of_a_folder_what_says_nothing_of_cables_is_passed_over_and_named(folder: Path) -> None:
    (folder / "lldp" / "README").write_text("LLDP of the lab\n", encoding="utf-8")
    done = run("lldp")
    assert done.exit_code == 0
    assert "passed over: lldp/README:1:1: has no cables" in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "stated"),
    [
        ("x.json", b'{"lldp": {"interface": [', "x.json:1:"),
        ("x.csv", b"\xff\xfea\x00", "x.csv:1:1: byte 0xff is not UTF-8"),
        ("x.cfg", b"hostname leaf1\n!\nqos profile R\n   qos trust dscp\n!\n", "the running-config of EOS"),
        ("x.txt", b"nothing\n", "begins with 'nothing'"),
    ],
)
def test_one_file_that_is_not_understood_stops_it_all(folder: Path, name: str, content: bytes, stated: str) -> None:
    (folder / name).write_bytes(content)
    done = run("lldp", name, "-o", "out.csv")
    assert done.exit_code == 2
    assert stated in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (folder / "out.csv").exists()


def test_a_broken_file_of_a_folder_stops_it_all(folder: Path) -> None:
    (folder / "lldp" / "leaf2.json").write_text('{"lldp": {', encoding="utf-8")
    done = run("lldp")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "lldp/leaf2.json:1:11" in done.stderr


@pytest.mark.parametrize(
    "args", [("--from", "sonic", "lab.csv"), ("--platform", "x", "lab.csv"), ("missing",), ("lab.csv", "-o", "lab.csv")]
)
def test_what_does_not_go_together_is_said(args: tuple[str, ...]) -> None:
    assert run(*args).exit_code == 2


def test_options_of_links_are_for_links() -> None:
    assert CliRunner().invoke(cli, ["import", "lldp", "--management"]).exit_code == 2
