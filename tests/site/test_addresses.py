"""Where findings and schemas lead on the web, and that editors can use the schemas."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from rocecfg.cli import cli
from rocecfg.cli.linted import FORMATS as LINT_FORMATS
from rocecfg.config.read import _ENVIRONMENT, _TOP, SUFFIXES
from rocecfg.config.schema import json_schema
from rocecfg.core.site import SITE
from rocecfg.rules import ALL


def _report(format_: str) -> Any:
    return json.loads(CliRunner().invoke(cli, ["lint", "examples/train-256-as-published", "--format", format_]).stdout)


def test_no_output_has_a_link_to_a_site_that_is_not_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for format_ in LINT_FORMATS:
        out = CliRunner().invoke(cli, ["lint", "examples/train-256-as-published", "--format", format_]).stdout
        assert ".invalid" not in out, format_
    assert {f["url"] for f in _report("json")["findings"]} == {None}


def test_findings_lead_to_the_page_of_their_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("rocecfg.core.site.SITE", "https://rocecfg.example")
    found = _report("json")["findings"]
    assert len(found) > 3
    assert [f["url"] for f in found] == [f"https://rocecfg.example/rules/{f['name']}/" for f in found]
    rules = _report("sarif")["runs"][0]["tool"]["driver"]["rules"]
    assert {r["helpUri"] for r in rules} == {f["url"] for f in found}
    assert {d["code"]["url"] for d in _report("rdjson")["diagnostics"]} == {f["url"] for f in found}


def test_the_address_is_written_in_one_place() -> None:
    named = [p for p in (ROOT / "rocecfg").rglob("*.py") if SITE in p.read_text(encoding="utf-8")]
    assert [p.relative_to(ROOT).as_posix() for p in named] == ["rocecfg/core/site.py"]


SCHEMAS = sorted((ROOT / "docs").rglob("*.schema.json"))


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda p: p.name)
def test_a_schema_is_known_by_the_address_it_is_served_at(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == f"{SITE}/{path.relative_to(ROOT / 'docs').as_posix()}"
    assert schema["title"].startswith("rocecfg")


def test_catalogue_entries_are_what_schemastore_takes() -> None:
    """Its CONTRIBUTING: no name `schema`, no generic file names; `fileMatch` has no folder but behind `**/`."""
    catalogue = json.loads((ROOT / "docs" / "schemastore.json").read_text(encoding="utf-8"))
    served = {f"{SITE}/{p.relative_to(ROOT / 'docs').as_posix()}" for p in SCHEMAS}
    names = [entry["name"] for entry in catalogue["schemas"]]
    assert len(names) == len(set(names)) > 5
    for entry in catalogue["schemas"]:
        assert set(entry) == {"name", "description", "fileMatch", "url"}
        assert entry["url"] in served
        assert "schema" not in f"{entry['name']} {entry['description']}".lower()
        for pattern in entry["fileMatch"]:
            assert "rocecfg" in pattern
            assert "/" not in pattern.removeprefix("**/") or pattern.startswith("**/")


# -- rocecfg.toml ------------------------------------------------------------------------------------------------------


def _mistakes(text: str) -> list[str]:
    return [error.message for error in Draft202012Validator(json_schema()).iter_errors(tomllib.loads(text))]


def test_the_schema_of_settings_knows_what_the_reader_knows() -> None:
    schema = json_schema()
    assert set(schema["properties"]) == set(_TOP)
    environment = schema["properties"]["environments"]["additionalProperties"]
    assert set(environment["properties"]) == set(_ENVIRONMENT)
    formats = schema["properties"]["output"]["oneOf"][0]["examples"]
    assert set(formats) == set(LINT_FORMATS) == set(SUFFIXES)
    assert {rule.name for rule in ALL} | {rule.code for rule in ALL} == set(schema["$defs"]["rule"]["anyOf"][0]["enum"])


def test_the_schema_takes_the_settings_that_the_page_shows() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert _mistakes(shown) == []
    assert _mistakes('ignore = "house/tagged"\n[severity]\n"house/tagged" = "off"\nHOUSE-x = "info"\n') == []


@pytest.mark.parametrize(
    "wrong",
    [
        'fail_on = "error"',
        'fail-on = "off"',
        "ignore = [1]",
        'output = ["pdf"]',
        '[severity]\necn = "info"',
        '[severity]\necn-low = "fatal"',
        '[environments.lab]\noutput = "full"',
        'baseline = ""',
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(wrong: str, tmp_path: Path) -> None:
    assert _mistakes(wrong)
    (tmp_path / "rocecfg.toml").write_text(wrong + "\n", encoding="utf-8")
    (tmp_path / "fabric.yaml").write_text("rocecfg: 1\nfabric: {name: x}\n", encoding="utf-8")
    assert CliRunner().invoke(cli, ["lint", str(tmp_path)]).exit_code == 2


def test_rocecfg_schema_prints_that_of_the_settings() -> None:
    printed = CliRunner().invoke(cli, ["schema", "--settings"]).stdout
    assert printed == (ROOT / "docs" / "settings.schema.json").read_text(encoding="utf-8")
    assert CliRunner().invoke(cli, ["schema", "--settings", "--profile", "asics"]).exit_code == 2
