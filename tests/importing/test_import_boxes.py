"""Ports that the profile of a platform does not know: the import loads all the same, and says what it leaves out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rocecfg.cli import cli

PORTS = ("Ethernet0", "Ethernet4", "Ethernet-Rec0")  # the box has no port of the last name


def config(*ports: str) -> dict[str, Any]:
    return {
        "DEVICE_METADATA": {
            "localhost": {"hostname": "leaf01", "hwsku": "ACS-MSN3700", "platform": "x86_64-mlnx_msn3700-r0"}
        },
        "PORT": {p: {"lanes": str(n), "speed": "100000", "admin_status": "up"} for n, p in enumerate(ports)},
    }


def imported(folder: Path, *ports: str) -> str:
    file, made = folder / "leaf01.json", folder / "fabric.yaml"
    file.write_text(json.dumps(config(*ports), indent=2), encoding="utf-8")
    done = CliRunner().invoke(cli, ["import", str(file), "-o", str(made)])
    assert done.exit_code == 0, done.output
    assert CliRunner().invoke(cli, ["lint", "--isolated", str(made)]).exit_code == 0
    return made.read_text(encoding="utf-8")


def test_a_box_with_ports_that_its_profile_lacks_is_named_by_its_chip(tmp_path: Path) -> None:
    text = imported(tmp_path, *PORTS)
    assert "asic: spectrum2" in text
    assert "platform: " not in text
    assert "hwsku: " not in text
    assert "# not in this intent: platform nvidia-sn3700 has no port Ethernet-Rec0" in text
    assert '"Ethernet[0,4],Ethernet-Rec0": {speed: 100G}' in text


@pytest.mark.parametrize("ports", [PORTS[:1], PORTS[:2]])
def test_a_box_whose_ports_its_profile_knows_is_named(tmp_path: Path, ports: tuple[str, ...]) -> None:
    text = imported(tmp_path, *ports)
    assert "platform: nvidia-sn3700" in text
    assert "has no port" not in text


def test_a_box_whose_names_do_not_count_lanes_is_named_by_its_chip(tmp_path: Path) -> None:
    """The switch runs with these ports: an intent that names the platform would have to be an error."""
    text = imported(tmp_path, *(f"Ethernet{n}" for n in range(32)))
    assert "platform: " not in text
    wording = "# not in this intent: platform nvidia-sn3700 has not the lanes for ports of these names: Ethernet[0-31]"
    assert wording in " ".join(line.strip() for line in text.splitlines())
