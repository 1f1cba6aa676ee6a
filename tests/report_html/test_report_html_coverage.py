"""The coverage table: what was read, what was not understood or not judged, and what nothing was compared with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from html_pages import Element, page, page_of, parsed
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.rules import ALL


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def coverage(whole: Element) -> dict[str, tuple[str, str]]:
    """What is in each row: what was covered, and what was not."""
    _, *rows = next(whole.all("table", "coverage")).rows()
    return {name: (done, left) for name, done, left in rows}


def switches(folder: Path, vendor: str = "sonic") -> Path:
    write(folder, {"in/fabric.yaml": FABRIC})
    rocecfg(folder, "render", "in", "--vendor", vendor, "-o", "run", "--no-lint", expect=0)
    return folder / "run"


def test_an_intent_says_what_was_read_and_which_rules_were_silent(tmp_path: Path) -> None:
    got = coverage(page(tmp_path, {"fabric.yaml": FABRIC}))
    assert got["files"] == ("1 file: fabric.yaml", "")
    assert got["switches"] == ("4 switches, 130 ports", "")
    # 32 hosts with two NICs, and 2 leaves with 8 links to each of 2 spines
    assert got["cables"] == ("96 cables", "")
    done, left = got["rules"]
    assert re.search(r"no rollout \(\d+\)", left)
    assert re.search(r"no telemetry \(\d+\)", left)
    assert int(done.split()[0]) > 150
    assert got["what runs"][1].startswith("not compared")
    assert "rocecfg drift" in got["what runs"][1]


def test_counted_rules_are_those_that_are_there(tmp_path: Path) -> None:
    """All rules that may find something in an intent are judged, or silent for a reason that is told."""
    done, left = coverage(page(tmp_path, {"fabric.yaml": FABRIC}))["rules"]
    silent = sum(int(n) for n in re.findall(r"\((\d+)\)", left))
    assert int(done.split()[0]) + silent == sum(rule.on != "running" for rule in ALL)


def test_what_was_not_understood_is_listed_with_its_place(tmp_path: Path) -> None:
    file = switches(tmp_path) / "leaf01.json"
    config = json.loads(file.read_text())
    config["SWITCH_TRIMMING"] = {
        "GLOBAL": {"size": "256", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "6"}
    }
    file.write_text(json.dumps(config, indent=1))
    line = file.read_text().splitlines().index(' "SWITCH_TRIMMING": {') + 1
    whole = parsed(page_of("run"))
    assert coverage(whole)["statements"][1] == "the effect of 1 statement is not known, listed below"
    (row,) = next(whole.all("table", "unread")).rows()[1:]
    assert row[0] in {f"run/leaf01.json:{n}" for n in (line, line + 1)}
    assert "SWITCH_TRIMMING" in row[1]


def test_all_understood_is_said_of_switches(tmp_path: Path) -> None:
    switches(tmp_path)
    whole = parsed(page_of("run"))
    got = coverage(whole)
    assert got["statements"] == ("all statements on queues, PFC and buffers understood", "")
    assert not list(whole.all("table", "unread"))
    assert got["files"][0] == "2 files: run/leaf01.json, run/leaf02.json"
    assert "not for the configurations of running switches" in got["rules"][1]
    assert got["intent"][1].startswith("not compared with an intent")


def test_ports_whose_headroom_nobody_could_judge_are_counted(tmp_path: Path) -> None:
    spines = "32 ports: unknown: the switch computes it"  # an EOS spine: no table of its headroom is known
    got = coverage(page(tmp_path, {"fabric.yaml": FABRIC.replace("faces: host, cable: 3m", "faces: host")}))
    assert got["headroom"] == ("32 lossless ports checked", f"64 ports: length of the cable unknown; {spines}")
    whole = coverage(page(tmp_path, {"fabric.yaml": FABRIC}))
    assert whole["headroom"] == ("96 lossless ports checked", spines)


def test_files_that_cannot_be_read_are_in_the_table_of_their_fabric(tmp_path: Path) -> None:
    run = switches(tmp_path)
    (run / "leaf02.json").write_bytes(b'{"PORT": {"Ethernet0": {"speed": "\xff\xfe')
    left = coverage(parsed(page_of("run")))["files"][1]
    assert left.startswith("1 file not read: run/leaf02.json")


def test_classes_that_could_not_be_read_are_not_judged(tmp_path: Path) -> None:
    got = coverage(page(tmp_path, {"fabric.yaml": POLICY.replace("priority: 3", "priority: many")}))
    assert "rdma" in got["classes"][1]


def test_waived_findings_are_counted(tmp_path: Path) -> None:
    waived = POLICY.replace("bandwidth: 40}", "bandwidth: 30}  # rocecfg: ignore[ets-sum] -- a trial")
    whole = page(tmp_path, {"fabric.yaml": waived})
    assert "1 waived" in whole.one("p", "scope").text


def test_the_same_statement_of_many_switches_is_one_row(tmp_path: Path) -> None:
    run = switches(tmp_path)
    for name in ("leaf01.json", "leaf02.json"):
        config = json.loads((run / name).read_text())
        config["SWITCH_TRIMMING"] = {
            "GLOBAL": {"size": "256", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "6"}
        }
        (run / name).write_text(json.dumps(config, indent=1))
    whole = parsed(page_of("run"))
    assert coverage(whole)["statements"][1] == "the effect of 2 statements is not known, listed below"
    (row,) = next(whole.all("table", "unread")).rows()[1:]
    assert row[0].startswith("run/leaf01.json:")
    assert row[0].endswith(" and 1 more place")
