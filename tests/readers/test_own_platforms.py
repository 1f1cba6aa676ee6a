"""A switch's HwSKU that only a team's own profiles know: the profiles stand beside the switches' files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rocecfg.intent import Loaded
from rocecfg.linting.config_files import find_config_files
from rocecfg.linting.devices import load
from rocecfg.source.document import SourceError, Sources

TABLE = "rocecfg-profiles/platforms/our-box.yaml"
OURS = """\
title: Our box
extends: nvidia-sn5600
nos: {sonic: {hwsku: %s, headroom: [{table: mellanox-sn5600-c256s1, hwskus: {%s: 202405}}]}}
"""


def ours(hwsku: str) -> str:
    return OURS % (hwsku, hwsku)


def read(folder: Path, hwsku: str, profile: str = "", below_it: str = "") -> Loaded:
    config = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf01", "hwsku": hwsku}},
        "PORT": {"Ethernet0": {"lanes": "1", "speed": "400000", "admin_status": "up"}},
    }
    path = folder / below_it / "leaf01.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(config), encoding="utf-8")
    if profile:
        (folder / TABLE).parent.mkdir(parents=True)
        (folder / TABLE).write_text(profile, encoding="utf-8")
    sources = Sources()
    files = [file for file in find_config_files(str(folder), sources) if file.endswith(".json")]
    found = load(f"{folder}/", files, sources, None, given=True)
    assert found is not None
    return found


def platform(found: Loaded) -> str | None:
    assert found.fabric is not None
    (device,) = found.fabric.devices
    return device.platform.name if device.platform is not None else None


@pytest.mark.parametrize("below_it", ["", "rack1"])
def test_a_hwsku_of_a_teams_own(tmp_path: Path, below_it: str) -> None:
    found = read(tmp_path, "Ours-64x800", ours("Ours-64x800"), below_it)
    assert platform(found) == "our-box"
    assert found.fabric is not None
    assert found.fabric.devices[0].box is not None
    assert not found.problems


def test_a_teams_own_profile_comes_before_the_shipped_one(tmp_path: Path) -> None:
    assert platform(read(tmp_path, "ACS-SN5600", ours("ACS-SN5600"))) == "our-box"


def test_a_profile_that_only_extends_one_takes_no_switch_from_it(tmp_path: Path) -> None:
    assert platform(read(tmp_path, "ACS-SN5600", ours("Ours-64x800"))) == "nvidia-sn5600"


@pytest.mark.parametrize("profile", ["", ours("Others")])
def test_a_hwsku_that_nobody_knows(tmp_path: Path, profile: str) -> None:
    assert platform(read(tmp_path, "Ours-64x800", profile)) is None


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [("hwskus: {Ours-64x800: 202405}", "hwskus: [Ours-64x800]", 3), ("hwsku: Ours-64x800", "hwsku: Other", 3)],
)
def test_a_profile_with_a_slip_is_told_with_its_place(tmp_path: Path, right: str, wrong: str, line: int) -> None:
    profile = ours("Ours-64x800")
    assert right in profile
    found = read(tmp_path, "Ours-64x800", profile.replace(right, wrong))
    (error,) = found.errors
    assert isinstance(error, SourceError)
    assert TABLE in str(error)
    assert error.line == line
