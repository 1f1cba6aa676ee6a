"""`rocecfg drift` as a user runs it: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from drift_cases import EXAMPLES, running
from intents import rocecfg
from jsonschema import Draft202012Validator

from rocecfg.drift.json_format import json_schema

AUTO = EXAMPLES / "auto"


def sonic(**changes: dict[str, dict[str, str]]) -> str:
    """leaf01 with fields of rows changed, by table and row."""
    config = json.loads(running("auto", "leaf01"))
    for table, rows in changes.items():
        for key, fields in rows.items():
            config[table].setdefault(key, {}).update(fields)
    return json.dumps(config, indent=4)


SLOW = {"PFC_WD": {f"Ethernet{n}": {"detection_time": "3200"} for n in range(0, 256, 8)}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for device, suffix in (("leaf01", "json"), ("leaf02", "json"), ("spine01", "yaml"), ("spine02", "cfg")):
        (tmp_path / "run").mkdir(exist_ok=True)
        (tmp_path / "run" / f"{device}.{suffix}").write_text(running("auto", device), encoding="utf-8")
    return tmp_path


def line_of(path: Path, text: str) -> int:
    return (
        path.read_text(encoding="utf-8")
        .split("\n")
        .index(next(line for line in path.read_text(encoding="utf-8").split("\n") if text in line))
        + 1
    )


def test_no_drift(folder: Path) -> None:
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=0)
    *others, stands, last = done.stdout.splitlines()
    assert re.fullmatch(r"no drift in \d+ settings of 128 ports on 4 devices", last)
    assert re.fullmatch(
        r"[\d,]+ statements: .* checked, .*; \d+ running settings that the intent does not state", stands
    )
    assert [line.partition(" on ")[0] for line in others] == ["not compared: port speed", "not compared: cable length"]
    assert "spine02" in others[1]
    assert others[1].endswith(": EOS has no such setting")
    assert done.stderr == ""


def test_drift_is_told_with_both_places_and_the_rule(folder: Path) -> None:
    (folder / "run" / "leaf01.json").write_text(sonic(**SLOW), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    meant = line_of(AUTO / "fabric.yaml", "detection_time: 200ms")
    runs = line_of(folder / "run" / "leaf01.json", '"detection_time": "3200"')
    first, second, *rest = done.stdout.split("\n")
    assert first == "drift: PFC watchdog on leaf01 Ethernet[0-248/8] (32 ports)"
    assert second == (
        f"  detection time: meant 200ms ({AUTO}/fabric.yaml:{meant}), running 3200ms (run/leaf01.json:{runs})"
    )
    assert any(line.startswith("  breaks warning WDG208 watchdog-slow: ") for line in rest)
    assert '    replace /PFC_WD/Ethernet[0-248/8]/detection_time "200"' in rest
    assert rest[-2] == "1 difference on 1 of 4 devices"


def test_one_cause_is_one_difference_on_all_devices(folder: Path) -> None:
    for device in ("leaf01", "leaf02"):
        text = sonic(**SLOW).replace('"hostname": "leaf01"', f'"hostname": "{device}"')
        (folder / "run" / f"{device}.json").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    assert "drift: PFC watchdog on leaf[01-02] Ethernet[0-248/8] (64 ports)\n" in done.stdout
    assert done.stdout.count("drift: ") == 1
    assert done.stdout.count("change for ") == 1
    assert done.stdout.endswith("1 difference on 2 of 4 devices\n")


def test_widest_first(folder: Path) -> None:
    changes = {
        **SLOW,
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
        "SCHEDULER": {"scheduler.dwrr90": {"weight": "15"}},
    }
    (folder / "run" / "leaf01.json").write_text(sonic(**changes), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    reported = [line.partition(" on ")[0] for line in done.stdout.split("\n") if line.startswith("drift: ")]
    assert reported == ["drift: shares of the queues", "drift: PFC watchdog", "drift: PFC priorities"]


def test_json_is_as_described(folder: Path) -> None:
    (folder / "run" / "leaf01.json").write_text(
        sonic(
            **SLOW,
            DSCP_TO_TC_MAP={"AZURE": {"24": "3", "25": "3"}},
            QUEUE={"Ethernet0|4": {"wred_profile": "AZURE_LOSSLESS"}},
            PORT={"Ethernet8": {"admin_status": "down"}},
        ),
        encoding="utf-8",
    )
    (folder / "run" / "notes.txt").write_text("not a switch\n", encoding="utf-8")
    (folder / "run" / "old.json").write_text(running("auto", "leaf02").replace("leaf02", "leaf77"), encoding="utf-8")
    (folder / "run" / "spine02.cfg").unlink()
    done = rocecfg(folder, "drift", AUTO, "--running", "run", "--format", "json", expect=1)
    reported = json.loads(done.stdout)
    assert [error.message for error in closed().iter_errors(reported)] == []
    assert reported["version"] == 1
    settings = reported["summary"].pop("settings")
    assert reported["summary"].pop("unstated") > 0
    assert settings > 3 * 64
    assert reported["summary"] == {
        "differences": 3, "devices": 3, "drifting": 1, "absent": 1, "ports": 112, "uncovered": 0
    }  # fmt: skip
    assert reported["uncovered"] == []
    assert reported["apart"]["absent"] == "spine02"
    assert reported["apart"]["strangers"] == [{"path": "run/old.json", "name": "leaf77"}]
    assert reported["apart"]["skipped"] == ["run/notes.txt"]
    (watchdog,) = (d for d in reported["differences"] if d["setting"] == "watchdog" and not d["down"])
    assert watchdog["rule"] == "ops-drift"
    assert watchdog["reach"] == [{"device": "leaf01", "port": "Ethernet[0,16-248/8]"}]
    assert watchdog["values"][0]["meant"]["value"] == 200
    assert watchdog["values"][0]["running"]["value"] == 3200
    assert {broken["name"] for broken in watchdog["breaks"]} == {"watchdog-slow", "watchdog-restore"}
    (dscp,) = (d for d in reported["differences"] if d["setting"] == "dscp")
    assert dscp["dscp"] == [24, 25]
    assert dscp["values"][0]["meant"]["value"] == {"queue": 0, "priority_group": 0, "priority": None}
    (left,) = (d for d in reported["differences"] if d["leftover"])
    assert (left["setting"], left["number"]) == ("ecn", 4)
    (down,) = (d for d in reported["differences"] if d["down"])
    assert down["reach"] == [{"device": "leaf01", "port": "Ethernet8"}]


def closed() -> Draft202012Validator:
    """The schema, without room for a key that it does not describe."""
    schema = deepcopy(json_schema())
    _close(schema)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def _close(schema: Any) -> None:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and "properties" in schema:
            schema["additionalProperties"] = False
        for part in schema.values():
            _close(part)
    elif isinstance(schema, list):
        for part in schema:
            _close(part)


def test_port_that_is_down_does_not_count(folder: Path) -> None:
    changes = {"PFC_WD": {"Ethernet8": {"action": "alert"}}, "PORT": {"Ethernet8": {"admin_status": "down"}}}
    (folder / "run" / "leaf01.json").write_text(sonic(**changes), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=0)
    *_, first, _, last = (line for line in done.stdout.splitlines() if not line.startswith("not compared: "))
    assert first == "down: PFC watchdog on leaf01 Ethernet8 (1 port): admin-down, not counted"
    assert re.fullmatch(r"no drift in \d+ settings of 127 ports on 4 devices", last)


def test_port_beyond_the_intent_counts(folder: Path) -> None:
    row = json.loads(running("auto", "leaf01"))["PORT_QOS_MAP"]["Ethernet0"]
    changes = {"PORT": {"Ethernet384": {"admin_status": "up", "speed": "400000"}}, "PORT_QOS_MAP": {"Ethernet384": row}}
    (folder / "run" / "leaf01.json").write_text(sonic(**changes), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    assert "error: leaf01 has PFC on Ethernet384, but the intent does not name it" in done.stdout
    assert "no drift" not in done.stdout
    for known in (["--known-ports"], ["--known-ports", "Ethernet[376-384/8]"]):
        done = rocecfg(folder, "drift", AUTO, "--running", "run", *known, expect=0)
        assert "Ethernet384" not in done.stdout
    rocecfg(folder, "drift", AUTO, "--running", "run", "--known-ports", "Ethernet392", expect=1)
    done = rocecfg(folder, "drift", AUTO, "--running", "run", "--known-ports", "Ethernet[1-", expect=2)
    assert "--known-ports: " in done.stderr


def test_port_that_is_meant_and_not_there(folder: Path) -> None:
    config = json.loads(running("auto", "leaf01"))
    for table in ("PORT", "PORT_QOS_MAP", "PFC_WD"):
        del config[table]["Ethernet376"]
    del config["CABLE_LENGTH"]["AZURE"]["Ethernet376"]
    config["QUEUE"] = {key: row for key, row in config["QUEUE"].items() if not key.startswith("Ethernet376|")}
    (folder / "run" / "leaf01.json").write_text(json.dumps(config), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    assert "drift: port on leaf01 Ethernet376 (1 port)\n" in done.stdout
    assert "running not configured" in done.stdout


def test_files_may_follow(folder: Path) -> None:
    done = rocecfg(folder, "drift", AUTO, "--running", "run/leaf01.json", "run/spine01.yaml", expect=0)
    *_, first, _, last = done.stdout.splitlines()
    assert first == "not compared: no configuration of leaf02,spine02"
    assert re.fullmatch(r"no drift in \d+ settings of 64 ports on 2 devices", last)


def test_standard_input(folder: Path) -> None:
    text = sonic(**SLOW)
    done = rocecfg(folder, "drift", AUTO, "--running", "-", stdin=text, expect=1)
    assert "<stdin>:" in done.stdout


def test_device_says_what_neither_host_name_nor_file_name_does(folder: Path) -> None:
    text = running("auto", "leaf01").replace('"hostname": "leaf01"', '"hostname": "sonic"')
    (folder / "dump.json").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "dump.json", expect=2)
    assert "not compared: dump.json (sonic) is not a device of the intent" in done.stdout
    assert "nothing to compare" in done.stderr
    rocecfg(folder, "drift", AUTO, "--running", "dump.json", "--device", "leaf01", expect=0)
    done = rocecfg(folder, "drift", AUTO, "--running", "dump.json", "--device", "leaf99", expect=2)
    assert "leaf99" in done.stderr


def test_patch_is_ready_to_apply(folder: Path) -> None:
    jsonpatch = pytest.importorskip("jsonpatch")
    (folder / "run" / "leaf01.json").write_text(sonic(**SLOW), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run/leaf01.json", "--patch", expect=1)
    config = json.loads((folder / "run" / "leaf01.json").read_text(encoding="utf-8"))
    fixed = jsonpatch.apply_patch(config, json.loads(done.stdout))
    assert fixed["PFC_WD"]["Ethernet0"]["detection_time"] == "200"
    assert done.stderr.startswith("# hitless: ")


def test_patch_of_several_devices_is_refused(folder: Path) -> None:
    (folder / "run" / "leaf01.json").write_text(sonic(**SLOW), encoding="utf-8")
    text = running("auto", "spine02").replace("bandwidth percent 90", "bandwidth percent 30")
    (folder / "run" / "spine02.cfg").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", "--patch", expect=2)
    assert done.stdout == ""
    assert "leaf01; spine02" in done.stderr


def test_patch_of_nothing_is_nothing(folder: Path) -> None:
    done = rocecfg(folder, "drift", AUTO, "--running", "run", "--patch", expect=0)
    assert (done.stdout, done.stderr) == ("", "")


# -- what cannot be compared -------------------------------------------------------------------------------------------


def test_unreadable_file_does_not_hide_the_others(folder: Path) -> None:
    (folder / "run" / "leaf01.json").write_text(sonic(**SLOW), encoding="utf-8")
    (folder / "run" / "leaf02.json").write_text('{"PORT_QOS_MAP": {"Ethernet0"', encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=2)
    assert "drift: PFC watchdog on leaf01" in done.stdout
    assert "run/leaf02.json:1:" in done.stderr


@pytest.mark.parametrize("name", ["missing.json", "empty"])
def test_nothing_there(folder: Path, name: str) -> None:
    (folder / "empty").mkdir()
    done = rocecfg(folder, "drift", AUTO, "--running", name, expect=2)
    assert name in done.stderr


def test_file_of_another_kind(folder: Path) -> None:
    (folder / "notes.txt").write_text("hello\n", encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "notes.txt", expect=2)
    assert "notes.txt:1:1: is not a switch configuration that is known" in done.stderr


def test_two_files_of_one_device(folder: Path) -> None:
    (folder / "run" / "leaf01-old.json").write_text(running("auto", "leaf01"), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=2)
    assert "run/leaf01.json:1:1: is leaf01, like run/leaf01-old.json" in done.stderr


def test_another_system_than_the_intent_says(folder: Path) -> None:
    (folder / "leaf01.cfg").write_text(running("auto", "spine02").replace("spine02", "leaf01"), encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "leaf01.cfg", expect=2)
    assert "is a configuration of arista, but the intent has sonic for leaf01" in done.stderr


def test_intent_that_is_none(folder: Path) -> None:
    (folder / "notes.yaml").write_text("classes: {rdma: {priority: 3}}\n", encoding="utf-8")
    done = rocecfg(folder, "drift", "notes.yaml", "--running", "run", expect=2)
    assert "belongs to no intent" in done.stderr


def test_intent_with_a_value_that_cannot_be_read(folder: Path) -> None:
    text = (AUTO / "fabric.yaml").read_text(encoding="utf-8").replace("200ms", "200 bananas")
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "drift", "fabric.yaml", "--running", "run", expect=2)
    assert f"fabric.yaml:{line_of(folder / 'fabric.yaml', 'bananas')}:" in done.stderr


def test_device_that_cannot_be_rendered(folder: Path) -> None:
    text = (AUTO / "fabric.yaml").read_text(encoding="utf-8").replace("action: drop", "action: errdisable")
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "drift", "fabric.yaml", "--running", "run", expect=2)
    assert "leaf01 cannot be rendered: nos-unsupported: SONiC 202511 cannot express watchdog.action" in done.stderr


def test_templates_beside_the_intent_shape_what_is_meant(folder: Path) -> None:
    own = folder / "rocecfg-templates" / "sonic"
    own.mkdir(parents=True)
    text = (ROOT / "templates" / "sonic" / "config_db.json.j2").read_text(encoding="utf-8")
    (own / "config_db.json.j2").write_text(text.replace("{{ group.cable }}", "300m"), encoding="utf-8")
    (folder / "fabric.yaml").write_bytes((AUTO / "fabric.yaml").read_bytes())
    done = rocecfg(folder, "drift", "fabric.yaml", "--running", "run/leaf01.json", expect=1)
    assert "meant 300m" in done.stdout


def test_secrets_are_not_repeated(folder: Path) -> None:
    text = running("auto", "spine02").replace(
        "hostname spine02\n",
        "hostname spine02\nusername admin secret sha512 $6$hunter2\nsnmp-server community hunter2\n",
    )
    text = text.replace("bandwidth percent 90", "bandwidth percent 30")
    (folder / "run" / "spine02.cfg").write_text(text, encoding="utf-8")
    for form in ("text", "json"):
        done = rocecfg(folder, "drift", AUTO, "--running", "run", "--format", form, expect=1)
        assert "hunter2" not in done.stdout + done.stderr


def test_same_input_same_bytes(folder: Path) -> None:
    (folder / "run" / "leaf01.json").write_text(sonic(**SLOW), encoding="utf-8")
    runs = {
        rocecfg(folder, "drift", AUTO, "--running", "run", "--format", "json", PYTHONHASHSEED=seed).stdout
        for seed in ("0", "1", "2")
    }
    assert len(runs) == 1


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5000])
def test_a_number_beyond_all_bounds_in_a_table_of_others(folder: Path, number: str) -> None:
    text = sonic(**SLOW).rstrip().removesuffix("}")
    (folder / "run" / "leaf01.json").write_text(f'{text}, "NOISE": {{"a": {{"b": {number}}}}}}}', encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    assert "drift: PFC watchdog on leaf01" in done.stdout
    assert "would still differ" not in done.stdout


@pytest.mark.parametrize("text", ["", "nothing of a switch\n"])
def test_no_drift_is_not_said_beside_exit_2(folder: Path, text: str) -> None:
    (folder / "leaf01.json").write_text(text, encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "leaf01.json", expect=2)
    assert "no drift" not in done.stdout
    both = rocecfg(folder, "drift", AUTO, "--running", "leaf01.json", "run/leaf02.json", expect=2)
    assert "no drift" not in both.stdout
    assert "no difference in " in both.stdout


def test_help_says_the_exit_codes(folder: Path) -> None:
    done = rocecfg(folder, "drift", "--help", expect=0)
    wording = (
        "Exit codes: 0 no drift, and all was compared; 1 drift, or not all was compared; 2 could not run, or a change "
        "is withheld (not with --partial, which asks for none); 3 internal"
    )
    assert wording in " ".join(done.stdout.split())
    assert os.linesep in done.stdout


def test_host_name_that_the_intent_states(folder: Path) -> None:
    text = (
        (AUTO / "fabric.yaml").read_text(encoding="utf-8").replace("  spine02:\n", "  spine02:\n    hostname: core-b\n")
    )
    (folder / "fabric.yaml").write_text(text, encoding="utf-8")
    running_text = running("auto", "spine02").replace("hostname spine02", "hostname core-b.example.net")
    (folder / "core.cfg").write_text(running_text, encoding="utf-8")
    done = rocecfg(folder, "drift", "fabric.yaml", "--running", "core.cfg", expect=0)
    assert re.search(r"^no drift in \d+ settings of \d+ ports on 1 device\n\Z", done.stdout, re.MULTILINE)


def test_another_release_or_box_is_noted(folder: Path) -> None:
    text = sonic(DEVICE_METADATA={"localhost": {"hwsku": "Arista-7060X6-64PE-B-O128", "buffer_model": "dynamic"}})
    (folder / "run" / "leaf01.json").write_text(text, encoding="utf-8")
    nvue = (
        (folder / "run" / "spine01.yaml")
        .read_text(encoding="utf-8")
        .replace("Cumulus Linux 5.14", "Cumulus Linux 5.12")
    )
    (folder / "run" / "spine01.yaml").write_text(nvue, encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=1)
    assert (
        "note: leaf01 has HwSKU Arista-7060X6-64PE-B-O128, but the intent is for Arista-7060X6-64PE-B-P32O64, "
        in done.stdout
    )
    assert "drift: buffers on leaf01\n  buffer model: meant traditional" in done.stdout
    assert "not fixed: buffer_model is read when swss starts" in done.stdout
    assert "note: spine01 runs release 5.12.0, but the intent is for 5.14\n" in done.stdout


def test_other_files_of_a_folder_are_left_out(folder: Path) -> None:
    (folder / "run" / "backup.tgz").write_bytes(b"\x1f\x8b\x08\x00\xff\xfe\x00\x01" * 100)
    (folder / "run" / ".hidden.json").write_text("{", encoding="utf-8")
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=0)
    assert "no switch configuration that is known: run/backup.tgz\n" in done.stdout


def test_configuration_that_is_not_utf8_is_not_left_out(folder: Path) -> None:
    text = (
        (folder / "run" / "spine02.cfg")
        .read_bytes()
        .replace(b"hostname spine02\n", b"hostname spine02\nbanner motd K\xf6ln\n")
    )
    (folder / "run" / "spine02.cfg").write_bytes(text)
    done = rocecfg(folder, "drift", AUTO, "--running", "run", expect=2)
    assert "run/spine02.cfg:5:14: byte 0xf6 is not UTF-8" in done.stderr
