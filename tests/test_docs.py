"""Generated pages are fresh, and what the README shows is what happens."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest
from checkout import ROOT
from click.testing import CliRunner

import rocecfg
from rocecfg.cli import cli
from rocecfg.rules import ALL

README = (ROOT / "README.md").read_text(encoding="utf-8")


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("regenerate", ROOT / "docs" / "regenerate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_generated_pages_are_fresh() -> None:
    generator = _generator()
    stale = [f"docs/{path.name}" for path in generator.stale()]
    assert stale == [], f"run: {generator.COMMAND}"


def test_pages_are_what_the_commands_print() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert rules.endswith("\n\n" + CliRunner().invoke(cli, ["rules", "--format", "markdown"]).stdout)
    assert all(f"| {rule.code} | {rule.name} |" in rules for rule in ALL)
    schema = (ROOT / "docs" / "intent.schema.json").read_text(encoding="utf-8")
    assert schema == CliRunner().invoke(cli, ["schema"]).stdout


def test_readme_opens_with_two_commands() -> None:
    start = README.partition("\n## ")[0]
    assert _blocks("sh") == re.findall(r"^```sh\n(.*?)^```$", start, re.MULTILINE | re.DOTALL)
    install_and_run, install_and_test = _blocks("sh")
    assert install_and_run.count("\n") == install_and_test.count("\n") == 1
    assert "rocecfg lint" in install_and_run
    assert install_and_test.endswith("-m pytest -n auto\n")


def test_readme_intent_lints_clean(tmp_path: Path) -> None:
    intent = tmp_path / "fabric.yaml"
    intent.write_text(_blocks("yaml")[0], encoding="utf-8")
    result = CliRunner().invoke(cli, ["lint", "--ignore", "hygiene-absent", str(intent)])
    assert (result.exit_code, result.output) == (0, "clean in 1 fabric, 1 file\n")


def test_readme_waiver_silences(tmp_path: Path) -> None:
    waived = _blocks("yaml")[1]
    intent = tmp_path / "fabric.yaml"
    text = re.sub(r"^  cnp: .*\n", lambda _: waived, _blocks("yaml")[0], flags=re.MULTILINE)
    intent.write_text(text.replace("bandwidth: 40", "bandwidth: 30"), encoding="utf-8")
    result = CliRunner().invoke(cli, ["lint", "--ignore", "hygiene-absent", str(intent)])
    assert (result.exit_code, result.output) == (0, "clean in 1 fabric, 1 file; 1 waived\n")


def test_readme_lint_output_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (shown,) = (block for block in _blocks("console") if block.startswith("$ rocecfg lint examples"))
    command, _, output = shown.partition("\n")
    printed = CliRunner().invoke(cli, command.split()[2:]).output
    parts = output.split("…\n")
    assert len(parts) > 1
    at = [printed.find(part) for part in parts]
    assert -1 not in at
    assert at == sorted(at)


def test_readme_python_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = _blocks("python")
    names: dict[str, dict[str, str]] = {}
    for _ in range(2):  # the functions are still there once their modules are loaded
        exec(code, names)  # noqa: S102 - our own page
    assert sorted(names["files"]) == ["spine01.cfg", "spine02.cfg"]


def test_readme_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_changelog_begins_with_this_version_or_what_comes_next() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## \[([^\]]+)\]", changelog, re.MULTILINE)[0]
    assert newest in ("Unreleased", rocecfg.__version__)
