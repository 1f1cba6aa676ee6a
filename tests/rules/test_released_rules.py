"""What a release called a rule is known ever after."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from click.testing import CliRunner
from intents import POLICY

from rocecfg.cli import cli
from rocecfg.rules import ALL, find_rule
from rocecfg.rules.renamed import REMOVED, RENAMED

RELEASED = [
    line.split()
    for line in (ROOT / "tests" / "rules" / "released.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
BAD = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")  # ets-sum


def test_no_rule_of_a_release_is_lost() -> None:
    assert len(RELEASED) > 200
    for code, name in RELEASED:
        if name in REMOVED:
            assert code in REMOVED
            assert find_rule(name) is find_rule(code) is None, "used again"
            continue
        rule = find_rule(name)
        assert rule is not None, f"{name} was in a release: an entry in rocecfg/rules/renamed.py says what became of it"
        assert rule.code == code


def test_a_release_lists_all_its_rules() -> None:
    unlisted = [rule.name for rule in ALL if [rule.code, rule.name] not in RELEASED]
    underway = "## [Unreleased]\n\n### " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert underway or unlisted == []


def test_old_names_lead_to_rules_and_are_none_themselves() -> None:
    names = {rule.name for rule in ALL}
    assert set(RENAMED.values()) <= names
    assert not set(RENAMED) & names
    assert not (set(REMOVED) & (names | {rule.code for rule in ALL}))


def _lint(folder: Path, *options: str) -> str:
    return CliRunner().invoke(cli, ["lint", str(folder), "--format", "concise", *options]).output


def test_a_renamed_rule_answers_to_its_old_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RENAMED, "ets-total", "ets-sum")
    intent = tmp_path / "fabric.yaml"
    intent.write_text(BAD, encoding="utf-8")
    assert "ets-sum" in _lint(tmp_path)
    assert "ets-sum" not in _lint(tmp_path, "--ignore", "ets-total")
    assert "ets-sum" in _lint(tmp_path, "--select", "ets-total")
    waived = BAD.replace("bandwidth: 30}", "bandwidth: 30} # rocecfg: ignore[ets-total] -- known")
    intent.write_text(waived, encoding="utf-8")
    assert "ets-sum" not in _lint(tmp_path)
    assert CliRunner().invoke(cli, ["explain", "ets-total"]).output.startswith("# ets-sum")


def test_a_rule_that_is_gone_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REMOVED, "ets-odd", "ets-sum finds the same")
    (tmp_path / "fabric.yaml").write_text(BAD, encoding="utf-8")
    for command in (["explain", "ets-odd"], ["lint", str(tmp_path), "--ignore", "ets-odd"]):
        done = CliRunner().invoke(cli, command)
        assert done.exit_code == 2
        assert "ets-sum finds the same" in done.output
