"""`rocecfg rules` in a folder with house rules."""

from __future__ import annotations

import json
from pathlib import Path

from intents import rocecfg, write
from test_house_rules import RULES, SLOW, file

OWN = file(
    SLOW,
    "{name: role, for: device, expect: {role: {in: [leaf, spine]}}, severity: warning, source: NET-12}",
)


def test_rules_lists_those_of_the_folder_under_a_heading_of_their_own(tmp_path: Path) -> None:
    bare = rocecfg(tmp_path, "rules", expect=0).stdout
    write(tmp_path, {RULES: OWN})
    table = rocecfg(tmp_path, "rules", expect=0).stdout
    assert table.startswith(bare)
    assert [line.split(None, 3) for line in table.removeprefix(bare).splitlines() if line] == [
        ["House", "rules", "of", "this folder:"],
        ["HOUSE-slow", "house/slow", "error", "watchdog.detection of a port must be at most 100ms"],
        ["HOUSE-role", "house/role", "warning", "role of a device must be one of leaf, spine"],
    ]


def test_rules_lists_them_in_the_other_formats_too(tmp_path: Path) -> None:
    assert json.loads(rocecfg(tmp_path, "rules", "--format", "json", expect=0).stdout)["house"] == []
    assert "House rules" not in rocecfg(tmp_path, "rules", "--format", "markdown", expect=0).stdout
    write(tmp_path, {RULES: OWN})
    report = json.loads(rocecfg(tmp_path, "rules", "--format", "json", expect=0).stdout)
    assert [(r["rule"], r["name"], r["severity"], r["source"]) for r in report["house"]] == [
        ("HOUSE-slow", "house/slow", "error", f"{RULES}:2"),
        ("HOUSE-role", "house/role", "warning", "NET-12"),
    ]
    assert not any(r["name"].startswith("house/") for r in report["rules"])
    last = rocecfg(tmp_path, "rules", "--format", "markdown", expect=0).stdout.splitlines()[-1]
    assert last.startswith("| HOUSE-role | house/role | warning |")


def test_rules_tells_what_is_wrong_in_their_files_and_lists_the_rest(tmp_path: Path) -> None:
    write(tmp_path, {RULES: file(SLOW, "{name: two, for: rack}")})
    done = rocecfg(tmp_path, "rules", expect=2)
    assert "house/slow" in done.stdout
    assert done.stderr.startswith(f"rocecfg: {RULES}:3:")
