"""The published schema of `--format json`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from report_runs import RUNS, findings

from rocecfg.linting.run import Run
from rocecfg.report import json_format
from rocecfg.report.json_format import json_schema


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every part of a schema that describes an object."""
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for part in schema.values():
            yield from objects(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from objects(part)


def closed() -> Draft202012Validator:
    """The schema, without room for a key it does not describe."""
    schema = deepcopy(json_schema())
    for one in objects(schema):
        one["additionalProperties"] = False
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("make", RUNS)
def test_the_output_is_as_described(make: Callable[[], Run]) -> None:
    reported = json.loads(json_format.render(make()))
    assert [e.message for e in closed().iter_errors(reported)] == []


def test_every_key_is_described() -> None:
    described = list(objects(json_schema()))
    # the whole, a finding, a second place, one that is folded, a fix, the summary; the statements, a kind of them
    assert len(described) == 8
    for one in described:
        assert set(one["required"]) == set(one["properties"])
        for key, value in one["properties"].items():
            assert len(value["description"]) > 5, key


@pytest.mark.parametrize(
    ("key", "value"),
    [("severity", "fatal"), ("line", 0), ("line", None), ("path", None), ("related", []), ("fix", {"safe": True})],
)
def test_the_schema_would_notice(key: str, value: object) -> None:
    reported = json.loads(json_format.render(findings()))
    reported["findings"][0][key] = value
    assert not Draft202012Validator(json_schema()).is_valid(reported)


def test_a_later_release_may_add_keys() -> None:
    reported = json.loads(json_format.render(findings()))
    reported["findings"][0]["later"] = 1
    assert Draft202012Validator(json_schema()).is_valid(reported)


def test_a_fix_is_described() -> None:
    reported = json.loads(json_format.render(findings()))
    reported["findings"][0]["fix"] = {"safe": True, "description": "adds a watchdog"}
    assert closed().is_valid(reported)
