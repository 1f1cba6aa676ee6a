"""Values worked out from what an intent states: shown with how, and no change for what runs as it is stated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from drift_cases import WHOLE
from intents import POLICY, rocecfg

from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources

CABLED = f"""{POLICY}
defaults: {{vendor: sonic, platform: dell-z9664f, version: "202505", speed: 400G}}
devices:
  leaf01: {{role: leaf, ports: {{"Ethernet[0-4/4]": {{cable: 20m}}}}}}
"""


def _run(folder: Path, metres: int, **tables: Any) -> None:
    (folder / "fabric.yaml").write_text(CABLED, encoding="utf-8")
    fabric = load(str(folder / "fabric.yaml"), Sources()).fabric
    assert fabric is not None
    (file,) = render_files(fabric, "sonic")
    config = json.loads(WHOLE["sonic"]("leaf01", fabric.devices[0], file.text))
    assert set(config["CABLE_LENGTH"]["AZURE"].values()) == {"40m"}  # rows are of 5, 40 and 300 m
    config["CABLE_LENGTH"]["AZURE"] = dict.fromkeys(("Ethernet0", "Ethernet4"), f"{metres}m")
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = "traditional"
    for table, rows in tables.items():
        for key, row in rows.items():
            config[table][key] |= row
    (folder / "leaf01.json").write_text(json.dumps(config, indent=1), encoding="utf-8")


def test_the_length_that_is_stated_runs_and_is_not_listed(tmp_path: Path) -> None:
    """No change that shuts ports is offered, and it is not called 'no drift' either: a length without a row."""
    _run(tmp_path, 20)
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", expect=1)
    assert "not compared: cable length on leaf01 Ethernet[0,4] (2 ports)" in done.stdout.replace("[0-4/4]", "[0,4]")
    assert "20m is stated and runs, and the headroom table lists 5m, 40m, 300m for 400G" in done.stdout
    assert "change for" not in done.stdout
    assert "no drift" not in done.stdout


def test_another_length_is_told_with_its_working(tmp_path: Path) -> None:
    _run(tmp_path, 5)
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", expect=1)
    line = next(line for line in done.stdout.splitlines() if "meant 40m" in line)
    assert "20m is stated, and 40m is the next row of the headroom table [fabric.yaml:" in line
    assert "running 5m" in line
    value = json.loads(
        rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", "--format", "json", expect=1).stdout
    )["differences"][0]["values"][0]["meant"]
    assert (value["value"], value["path"]) == (40, "fabric.yaml")
    assert "20m is stated" in value["origin"]


def test_pfc_comes_with_a_length_that_has_headroom(tmp_path: Path) -> None:
    """A port without PFC: to turn it on at 20 m would leave it without headroom, so the length is changed with it."""
    _run(tmp_path, 20, PORT_QOS_MAP={port: {"pfc_enable": ""} for port in ("Ethernet0", "Ethernet4")})
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.json", "--format", "json", expect=1)
    operations = [
        op["path"] for of in json.loads(done.stdout)["changes"] for step in of["steps"] for op in step["operations"]
    ]
    assert any(path.endswith("/CABLE_LENGTH/AZURE/Ethernet0") for path in operations)


def test_percent_of_a_rate(tmp_path: Path) -> None:
    intent = yaml.safe_load(CABLED)
    intent["classes"]["cnp"]["max_rate"] = "10%"
    intent["defaults"] = {"vendor": "spectrum", "platform": "nvidia-sn5600", "version": "5.14", "speed": "400G"}
    intent["devices"]["leaf01"]["ports"] = {"swp1": {"cable": "5m"}}
    (tmp_path / "fabric.yaml").write_text(yaml.safe_dump(intent), encoding="utf-8")
    text = rocecfg(tmp_path, "render", "fabric.yaml", "--no-lint", expect=0).stdout
    assert "max-rate: 40000000" in text
    head = "- header: {model: SN5600, nvue-api-version: nvue_v1, version: Cumulus Linux 5.14.0}\n"
    more = "- set:\n    system: {hostname: leaf01}\n    interface: {eth0: {type: eth}}\n"
    (tmp_path / "leaf01.yaml").write_text(head + text.replace("40000000", "30000000") + more, encoding="utf-8")
    done = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "leaf01.yaml", expect=None)
    line = next(line for line in done.stdout.splitlines() if "meant 40G" in line)
    assert "10% is stated, of 400G [fabric.yaml:" in line
    assert "running 30G" in line
