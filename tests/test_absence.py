"""What the input does not contain is told as not known: never a number, never "none", never "clean" alone."""

from __future__ import annotations

import json
from pathlib import Path

from intents import FABRIC, rocecfg
from loops import loop

_MAPS = ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP")
_PARTS = {  # tables that a part of a configuration lacks, and what is told
    ("PFC_WD",): "the PFC watchdog (PFC_WD)",
    ("BUFFER_PG", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_QUEUE"): "headroom and buffers",
    ("CABLE_LENGTH",): "cable lengths",
    ("WRED_PROFILE",): "ECN (WRED_PROFILE)",
}


def _rendered(folder: Path) -> dict[str, object]:
    (folder / "fabric.yaml").write_text(FABRIC, encoding="utf-8")
    rocecfg(folder, "render", "--no-lint", "fabric.yaml", "-o", "out", expect=0)
    found = sorted((folder / "out").glob("*.json"))
    of_switch: dict[str, object] = json.loads(found[0].read_text(encoding="utf-8"))
    return of_switch


@loop("lacking", _PARTS)
def test_a_part_is_never_clean_alone(lacking: tuple[str, ...], tmp_path: Path) -> None:
    part = {table: rows for table, rows in _rendered(tmp_path).items() if table not in lacking}
    (tmp_path / "part.json").write_text(json.dumps(part), encoding="utf-8")
    last = rocecfg(tmp_path, "lint", "--no-config", "part.json").stdout.splitlines()[-1]
    assert _PARTS[lacking] in last.partition("not checked: ")[2]
    told = json.loads(rocecfg(tmp_path, "lint", "--no-config", "--format", "json", "part.json").stdout)
    assert any(_PARTS[lacking] in each for each in told["summary"]["absent"])
    page = rocecfg(tmp_path, "report", "part.json", "-o", "-").stdout
    assert _PARTS[lacking] in page


def test_what_stands_in_a_part_is_not_told_as_absent(tmp_path: Path) -> None:
    whole = _rendered(tmp_path)
    (tmp_path / "part.json").write_text(json.dumps(whole), encoding="utf-8")
    last = rocecfg(tmp_path, "lint", "--no-config", "part.json").stdout.splitlines()[-1]
    assert not any(words in last for tables, words in _PARTS.items() if set(tables) <= whole.keys())


def test_without_cables_nothing_is_said_of_what_crosses_them(tmp_path: Path) -> None:
    assert "links:" in FABRIC
    head, _, _ = FABRIC.partition("links:")
    (tmp_path / "with.yaml").write_text(FABRIC, encoding="utf-8")
    (tmp_path / "without.yaml").write_text(head, encoding="utf-8")
    told = {
        name: rocecfg(tmp_path, "show", f"{name}.yaml", "--topology", expect=0).stdout for name in ("with", "without")
    }
    lines = told["without"].splitlines()
    for subject in ("planes", "rails", "PFC deadlock", "paths"):
        (line,) = (each for each in lines if each.startswith(subject))
        assert line.partition(subject)[2].strip().startswith("unknown"), line
    assert not any(words in told["without"] for words in ("no route", "nothing is lossless", "0 cables", "0 hosts"))
    assert "unknown: no cables" not in told["with"]
    page = rocecfg(tmp_path, "report", "without.yaml", "-o", "-").stdout
    assert "no route" not in page
    assert "no cables between switches are known" in page


def _whole(model: str | None) -> str:
    local = {"hostname": "leaf01", "hwsku": "A-box-nobody-knows", **({"buffer_model": model} if model else {})}
    config = {
        "DEVICE_METADATA": {"localhost": local},
        "PORT": {"Ethernet0": {"lanes": "0,1,2,3", "speed": "100000", "admin_status": "up"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
    }
    return json.dumps(config)


@loop("model", [None, "traditional", "dynamic"])
def test_pfc_without_any_headroom_is_found_whatever_the_box(model: str | None, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(_whole(model), encoding="utf-8")
    assert "BUF604" in rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "a.json", expect=1).stdout


def test_a_cable_is_headroom_in_one_model(tmp_path: Path) -> None:
    """The traditional model makes headroom of a cable; which one runs is not told, so nothing is."""
    config = json.loads(_whole(None))
    config["CABLE_LENGTH"] = {"AZURE": {"Ethernet0": "5m"}}
    config["BUFFER_POOL"] = {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "10000000"}}
    (tmp_path / "a.json").write_text(json.dumps(config), encoding="utf-8")
    assert "BUF604" not in rocecfg(tmp_path, "lint", "--no-config", "--format", "concise", "a.json").stdout


def test_of_one_switch_without_cables_nothing_is_said_of_links(tmp_path: Path) -> None:
    head, _, _ = FABRIC.partition("devices:")
    ports = "{ports: {Ethernet0: {speed: 400G, cable: 3m}}}"
    (tmp_path / "one.yaml").write_text(f"{head}devices: {{leaf1: {ports}}}\n", encoding="utf-8")
    told = rocecfg(tmp_path, "show", "one.yaml", "--topology", expect=0).stdout
    assert "any link" not in told
    assert "PFC deadlock             one switch" in told
    assert "leaf1 (1 device, 1 port each)" in rocecfg(tmp_path, "show", "one.yaml", expect=0).stdout
