"""What SONiC's own models say of what runs decides which ways back there are: config rollback validates all of it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rocecfg.cli import cli

APPLY = Path(__file__).parent.parent / "drift" / "sonic_apply"


def plan(folder: Path, more: dict[str, Any], *words: str, release: str = "202505") -> dict[str, Any]:
    """Another DSCP for RDMA, a change that disturbs nothing, on a switch that also runs `more`."""
    intent = (APPLY / "i300.yaml").read_text(encoding="utf-8").replace("cable: 300m", "cable: 40m")
    (folder / "i.yaml").write_text(
        intent.replace("dscp: 26", "dscp: 28").replace('"202505"', f'"{release}"'), encoding="utf-8"
    )
    config = json.loads((APPLY / "conv40.json").read_text(encoding="utf-8"))
    for table, rows in more.items():
        for key, row in rows.items():
            config[table].setdefault(key, {}).update(row)
    (folder / "r.json").write_text(json.dumps(config), encoding="utf-8")
    asked = ["plan", str(folder / "i.yaml"), "--running", str(folder / "r.json"), "--format", "json", *words]
    done = CliRunner().invoke(cli, asked)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def part_of(found: dict[str, Any]) -> dict[str, Any]:
    part: dict[str, Any] = found["stages"][0]["parts"][0]
    assert {step["mark"] for step in part["steps"]} == {"hitless"}
    return part


def notes_on_models(found: dict[str, Any]) -> list[str]:
    return [note for note in found["notes"] if "config rollback" in note]


def test_what_its_models_take_is_rolled_back_and_nothing_is_said(tmp_path: Path, shared: Path) -> None:
    found = plan(tmp_path, {}, "--yang", str(shared / "sonic-yang"))
    assert notes_on_models(found) == []
    assert part_of(found)["rollback"] == ["sudo config rollback rocecfg-stage-1", "sudo config save -y"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"PFC_WD": {"GLOBAL": {"BIG_RED_SWITCH": "disable"}}}, "PFC_WD|GLOBAL|BIG_RED_SWITCH: no such field"),
        ({"PORT": {"Ethernet0": {"mtu": "99999"}}}, "PORT|Ethernet0|mtu: "),
    ],
)
def test_what_its_models_refuse_is_said_and_returned_from_by_a_way_that_validates_nothing(
    tmp_path: Path, shared: Path, more: dict[str, Any], words: str
) -> None:
    found = plan(tmp_path, more, "--yang", str(shared / "sonic-yang"))
    (note,) = notes_on_models(found)
    assert f"refuse the running configuration ({words}" in note
    assert "config apply-patch and config rollback are refused" in note
    part = part_of(found)
    assert not any("rollback" in line or "reload" in line for line in part["rollback"])
    assert "HSET 'DSCP_TO_TC_MAP|" in part["rollback"][0]
    assert "26 3" in part["rollback"][0]


def test_without_models_it_is_said_that_nobody_looked(tmp_path: Path) -> None:
    found = plan(tmp_path, {})
    (note,) = notes_on_models(found)
    assert "was not checked by its model (SONiC's YANG models are not part of rocecfg)" in note
    part = part_of(found)
    assert part["rollback"][0].startswith("sudo config rollback")
    assert "if it is refused: sudo cp /etc/sonic/config_db.rocecfg-stage-1.json" in part["rollback_note"]


def test_models_that_the_settings_name_are_taken(tmp_path: Path, shared: Path) -> None:
    shutil.copytree(shared / "sonic-yang" / "202505", tmp_path / "models" / "202505")
    (tmp_path / "rocecfg.toml").write_text('[validate]\nyang = "models"\n', encoding="utf-8")
    assert notes_on_models(plan(tmp_path, {})) == []


@pytest.mark.parametrize(
    ("release", "last"), [("202605", "sudo config reload -y"), ("master", "sudo config reload -y -f")]
)
def test_a_reload_is_one_that_validates_nothing(tmp_path: Path, release: str, last: str) -> None:
    """Up to 202605 `config reload` does not judge config_db.json itself; master does, unless it is forced."""
    note = part_of(plan(tmp_path, {}, release=release))["rollback_note"]
    assert f"config_db.json; {last}, which is not validated" in note
