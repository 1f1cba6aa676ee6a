"""Ports that are meant to sort packets in several ways: one changed map is drift on its ports, and on no others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from drift_cases import WHOLE
from intents import POLICY

from rocecfg import load
from rocecfg.cli import cli
from rocecfg.linting.rendering import render_files

INTENT = (
    POLICY
    + """\
defaults: {vendor: VENDOR, platform: nvidia-sn5600, version: "RELEASE"}
devices:
  leaf1:
    ports:
      "FIRST": {speed: 400G, faces: host, cable: 3m}
      "SECOND": {speed: 400G, faces: host, cable: 3m, classes: {rdma: {dscp: [24], priority: 4}}}
"""
)
SWITCHES = {
    "sonic": ("202505", "Ethernet[0-16/8]", "Ethernet[24-32/8]"),
    "spectrum": ("5.14", "swp[1-3]", "swp[4-5]"),
}


def running(folder: Path, vendor: str) -> str:
    """The whole configuration of a switch that was given what is rendered; the intent is written beside it."""
    release, first, second = SWITCHES[vendor]
    text = INTENT.replace("VENDOR", vendor).replace("RELEASE", release)
    (folder / "fabric.yaml").write_text(text.replace("FIRST", first).replace("SECOND", second))
    fabric = load(str(folder / "fabric.yaml"))
    (file,) = render_files(fabric, vendor)
    return WHOLE[vendor]("leaf1", fabric.devices[0], file.text)


def drift(folder: Path, text: str, vendor: str, *options: str) -> Result:
    path = folder / ("leaf1.json" if vendor == "sonic" else "leaf1.yaml")
    path.write_text(text)
    return CliRunner().invoke(cli, ["drift", str(folder / "fabric.yaml"), "--running", str(path), *options])


@pytest.mark.parametrize("vendor", SWITCHES)
def test_what_is_rendered_is_no_drift(vendor: str, tmp_path: Path) -> None:
    done = drift(tmp_path, running(tmp_path, vendor), vendor)
    assert "no drift" in done.output
    assert done.exit_code == 0, done.output


def _entry(config: dict[str, Any]) -> None:
    config["DSCP_TO_TC_MAP"]["AZURE_2"]["24"] = "0"


def _bound(config: dict[str, Any]) -> None:
    config["PORT_QOS_MAP"]["Ethernet32"]["dscp_to_tc_map"] = "AZURE"


def _group(config: dict[str, Any]) -> None:
    config["TC_TO_PRIORITY_GROUP_MAP"]["AZURE_2"]["4"] = "0"


@pytest.mark.parametrize(
    ("change", "ports", "setting"),
    [
        (_entry, "Ethernet[24,32]", "running queue 0"),
        (_bound, "Ethernet32", "running queue 0"),
        (_group, "Ethernet[24,32]", "running queue 4, priority group 0"),
    ],
)
def test_one_changed_map_is_drift_of_its_ports(
    change: Callable[[dict[str, Any]], None], ports: str, setting: str, tmp_path: Path
) -> None:
    config = json.loads(running(tmp_path, "sonic"))
    change(config)
    done = drift(tmp_path, json.dumps(config, indent=2), "sonic")
    assert done.exit_code == 1
    assert f"drift: DSCP 24 on leaf1 {ports} (" in done.output
    assert "meant queue 4, priority group 4, paused by priority 4" in done.output
    assert "fabric.yaml:16)" in done.output  # the port's own line
    assert setting in done.output
    assert "Ethernet[0" not in done.output


def test_the_majority_may_change_sides(tmp_path: Path) -> None:
    """Which way of sorting most ports have is not what is compared."""
    config = json.loads(running(tmp_path, "sonic"))
    for port in ("Ethernet0", "Ethernet8"):
        config["PORT_QOS_MAP"][port]["dscp_to_tc_map"] = "AZURE_2"
    done = drift(tmp_path, json.dumps(config, indent=2), "sonic")
    assert "drift: DSCP 26 on leaf1 Ethernet[0,8] (2 ports)" in done.output
    assert "Ethernet16" not in done.output
    assert "Ethernet24" not in done.output


def test_a_mapping_of_nvue_is_compared_by_port(tmp_path: Path) -> None:
    text = running(tmp_path, "spectrum")
    changed = text.replace("'24': {switch-priority: 4}", "'24': {switch-priority: 0}")
    assert changed != text
    done = drift(tmp_path, changed, "spectrum")
    assert done.exit_code == 1
    assert "drift: DSCP 24 on leaf1 swp[4-5] (2 ports)" in done.output
    assert "swp[1" not in done.output.partition("not compared: ")[0]


@pytest.mark.parametrize("vendor", SWITCHES)
def test_a_change_is_planned(vendor: str, tmp_path: Path) -> None:
    text = running(tmp_path, vendor)
    changed = text.replace('"24": "4"', '"24": "0"').replace("'24': {switch-priority: 4}", "'24': {switch-priority: 0}")
    assert changed != text
    done = drift(tmp_path, changed, vendor, "--patch")
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "AZURE_2" in done.output or "rocecfg-map" in done.output


@pytest.mark.parametrize(("priority", "code", "ports"), [("4", "24", "swp[4-5]"), ("3", "26", "swp[1-3]")])
def test_the_traffic_class_that_a_map_of_some_ports_leads_to_is_changed_back(
    priority: str, code: str, ports: str, tmp_path: Path
) -> None:
    """Priorities have their traffic classes for the whole switch, also where ports sort in several ways."""
    text = running(tmp_path, "spectrum")
    changed = text.replace(f"'{priority}': {{traffic-class: {priority}}}", f"'{priority}': {{traffic-class: 0}}")
    assert changed != text
    done = drift(tmp_path, changed, "spectrum")
    assert f"drift: DSCP {code} on leaf1 {ports}" in done.output
    way = f"qos egress-queue-mapping default-global switch-priority {priority} traffic-class {priority}"
    assert [line.strip() for line in done.output.splitlines() if "nv set" in line] == [f"nv set {way}"]
    assert "would still differ" not in done.output


@pytest.mark.parametrize(
    ("empty", "filled"),
    [
        ("      pfc-watchdog", "qos pfc-watchdog robustness 2"),
        ("        rocecfg-pfc-3m:\n          switch-priority", "qos pfc rocecfg-pfc-3m switch-priority 4"),
        ("        rocecfg-map", "qos mapping rocecfg-map dscp 25-39,49-55,57-63 switch-priority 0"),
        (
            "        rocecfg-scheduler:\n          traffic-class",
            "qos egress-scheduler rocecfg-scheduler traffic-class 1-3,5-7 mode strict",
        ),
    ],
)
def test_what_is_there_and_empty_is_filled_and_not_taken_away(empty: str, filled: str, tmp_path: Path) -> None:
    """To unset it would take what is set below it too."""
    text = running(tmp_path, "spectrum")
    indent = len(empty.rpartition("\n")[2]) - len(empty.rpartition("\n")[2].lstrip())
    changed = re.sub(rf"{empty}:\n(?: {{{indent + 1},}}.*\n)+", f"{empty}: {{}}\n", text, count=1)
    assert changed != text
    done = drift(tmp_path, changed, "spectrum", "--patch")
    assert f"nv set {filled}" in done.output.splitlines()
    assert "nv unset" not in done.output
    assert "would still differ" not in done.output
