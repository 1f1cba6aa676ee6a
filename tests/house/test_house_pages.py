"""The generated pages: their examples run, and nothing of what they describe is left out."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import click
import jsonschema
import pytest
import yaml
from checkout import ROOT
from intents import rocecfg, write

from rocecfg.cli import cli
from rocecfg.custom_rules.lookup import known_paths
from rocecfg.custom_rules.operators import OPERATORS
from rocecfg.custom_rules.paths import SCOPES
from rocecfg.intent.schema import json_schema
from rocecfg.profiles.releases import SYSTEMS

DOCS = ROOT / "docs"


def blocks() -> tuple[str, str]:
    """The rules and the tests that the page shows."""
    rules, tests = re.findall(
        r"^```yaml\n(.*?)^```$", (DOCS / "house.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    return rules, tests


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A fabric of leaves that the examples speak of."""
    shutil.copytree(ROOT / "examples" / "converged", tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_the_rules_shown_work(folder: Path) -> None:
    rules, _ = blocks()
    write(folder, {"rocecfg-rules.yaml": rules})
    rocecfg(folder, "lint", "--select", "house", "--fail-on", "info", expect=0)
    write(folder, {"rocecfg-rules.yaml": rules.replace("le: 200ms", "le: 100ms").replace("200KB", "400KB")})
    report = json.loads(rocecfg(folder, "lint", "--select", "house", "--format", "json", expect=1).stdout)
    assert {(f["name"], f["severity"], f["message"]) for f in report["findings"]} == {
        ("house/watchdog-runbook", "warning", "the watchdog waits 200ms on 400G ports, the runbook says at most 100ms"),
        ("house/rdma-marks-late", "error", "rdma.ecn.kmin is 300KB and must be at least 400KB"),
    }


def test_the_tests_shown_work(folder: Path) -> None:
    _, tests = blocks()
    write(folder, {"fabric.rocecfg-test.yaml": tests})
    assert rocecfg(folder, "test", expect=0).stdout == "1 test passed; 8 expectations in 1 file\n"
    write(folder, {"fabric.rocecfg-test.yaml": tests.replace("watchdog.detection: 200ms", "watchdog.detection: 1s")})
    rocecfg(folder, "test", expect=1)


@pytest.mark.parametrize(("schema", "block"), [("house-rules", 0), ("tests", 1)])
def test_the_schemas_take_what_is_shown_and_no_slips(schema: str, block: int) -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads((DOCS / f"{schema}.schema.json").read_text(encoding="utf-8"))
    )
    jsonschema.Draft202012Validator.check_schema(validator.schema)
    shown = yaml.safe_load(blocks()[block])
    assert list(validator.iter_errors(shown)) == []
    shown["rule" if block == 0 else "test"] = []
    assert list(validator.iter_errors(shown)) != []


def test_the_page_has_every_path_and_operator() -> None:
    text = (DOCS / "house.md").read_text(encoding="utf-8")
    for scope, paths in SCOPES.items():
        section = text.partition(f"\n### {scope}\n")[2].partition("\n### ")[0]
        assert re.findall(r"^- `([\w.]+)`: ", section, re.MULTILINE) == list(paths)
        assert set(paths) <= set(known_paths(scope))
    assert all(f"| `{operator}` |" in text for operator in OPERATORS)


def _keys(schema: Any) -> set[str]:
    """All keys of the format, as editors know them."""
    found: set[str] = set()
    if isinstance(schema, dict):
        found.update(schema.get("properties", {}))
        for value in schema.values():
            found |= _keys(value)
    elif isinstance(schema, list):
        for value in schema:
            found |= _keys(value)
    return found


def test_the_reference_has_every_key_and_its_links_lead_somewhere() -> None:
    text = (DOCS / "intent.md").read_text(encoding="utf-8")
    reported = set(re.findall(r"^\| (?:\*\*)?`([\w-]+)`(?:\*\*)? \|", text, re.MULTILINE))
    assert _keys(json_schema()) - reported == set(SYSTEMS)  # which are named where a key takes a value for each
    assert f"by {', '.join(SYSTEMS)}: " in text
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert len(headings) == len(set(headings))
    anchors = {"".join(c for c in h.lower().replace(" ", "-") if c.isalnum() or c in "_-") for h in headings}
    assert set(re.findall(r"\]\(#([^)]*)\)", text)) <= anchors
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| key ")]
    assert rows
    assert all(len(cells := re.split(r"(?<!\\)\|", row)) == 5 and all(map(str.strip, cells[1:4])) for row in rows)


def test_the_command_line_has_every_option() -> None:
    text = (DOCS / "cli.md").read_text(encoding="utf-8")
    ctx = click.Context(cli, info_name="rocecfg")
    names = cli.list_commands(ctx)
    assert re.findall(r"^## rocecfg (.*)$", text, re.MULTILINE) == names
    for name in names:
        section = text.partition(f"\n## rocecfg {name}\n")[2].partition("\n## ")[0]
        command = cli.get_command(ctx, name)
        assert command is not None
        for param in command.params:
            if isinstance(param, click.Option) and param.hidden:
                continue  # an old name
            assert all(f"`{option}`" in section for option in param.opts if option.startswith("-")), (name, param.name)
        assert "\b" not in section
