"""JUnit XML: what GitLab and Jenkins count and show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest
from intents import POLICY, rocecfg, write
from report_runs import (
    BAD,
    ODD,
    RUNS,
    clean,
    failed_rule,
    findings,
    odd_path,
    run_of,
    steering,
    two_fabrics,
    unreadable,
)

from rocecfg.config.policy import PLAIN
from rocecfg.linting.run import Run
from rocecfg.report import junit


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report(run: Run) -> Element:
    text = junit.render(run)
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n')
    return fromstring(text.encode())  # noqa: S314 - our own output


def outcome(case: Element) -> str:
    """What GitLab takes a case for: by its first child."""
    return case[0].tag if len(case) else "passed"


@pytest.mark.parametrize("make", RUNS)
def test_counts_are_those_of_the_cases(make: Callable[[], Run]) -> None:
    run = make()
    root = report(run)
    for of in (root, *root.iter("testsuite")):
        counted = Counter(outcome(case) for case in of.iter("testcase"))
        assert int(of.attrib["tests"]) == counted.total() > 0
        assert int(of.attrib["failures"]) == counted["failure"]
        assert int(of.attrib["errors"]) == counted["error"]
        assert int(of.attrib["skipped"]) == counted["skipped"]
    assert len([c for c in root.iter("testcase") if len(c)]) == len(run.findings) + len(run.failed)


@pytest.mark.parametrize("make", RUNS)
def test_no_case_hides_another(make: Callable[[], Run]) -> None:
    names = [(c.attrib["classname"], c.attrib["name"]) for c in report(make()).iter("testcase")]
    assert len(set(names)) == len(names)


def test_only_errors_fail() -> None:
    run = findings()
    kinds = {"error": "failure", "warning": "skipped", "info": "skipped"}
    assert [outcome(c) for c in report(run).iter("testcase")] == [kinds[f.severity] for f in run.findings]


def test_a_case_has_place_text_fix_and_reach() -> None:
    case = next(c for c in report(findings()).iter("testcase") if c.attrib["name"].startswith("ets-sum"))
    line = next(i for i, text in enumerate(BAD.split("\n"), 1) if "bandwidth: 30}" in text)
    assert case.attrib["classname"] == "rocecfg.fabric_yaml"
    assert (case.attrib["file"], case.attrib["line"]) == ("fabric.yaml", str(line))
    (failure,) = case
    assert failure.attrib["type"] == "error"
    assert failure.attrib["message"].startswith("shares sum to 90%, not 100%")
    lines = (failure.text or "").split("\n")
    assert lines[0].startswith(f"fabric.yaml:{line}:")
    assert "error ETS501 ets-sum: shares sum to 90%" in lines[0]
    assert lines[-2].startswith("help: ")
    assert lines[-1] == "reaches leaf[1-4] (4 devices, 128 ports)"


def test_names_survive_moved_lines() -> None:
    def names(text: str) -> list[str]:
        write(Path(), {"fabric.yaml": text})
        return [c.attrib["name"] for c in report(run_of("fabric.yaml")).iter("testcase")]

    assert names(BAD) == names("# moved\n\n" + BAD)


def test_equal_findings_are_numbered() -> None:
    write(Path(), {"fabric.yaml": POLICY + "devices: {a: {x: 1}}\n"})
    run = run_of("fabric.yaml")
    twice = run._replace(findings=[*run.findings, *(f._replace(severity="warning") for f in run.findings)])
    names = [c.attrib["name"] for c in report(twice).iter("testcase")]
    assert names == [
        "schema-unknown-key: unknown key 'x' in a device",
        "schema-unknown-key: unknown key 'x' in a device (2)",
    ]


def test_a_suite_a_file() -> None:
    names = [s.attrib["name"] for s in report(two_fabrics()).iter("testsuite")]
    assert names == ["a/more.yaml", "b/fabric.yaml"]
    (suite,) = report(odd_path()).iter("testsuite")
    assert suite.attrib["name"] == ODD


def test_what_cannot_be_read_is_an_error_and_no_failure() -> None:
    root = report(unreadable())
    assert (root.attrib["errors"], root.attrib["failures"]) == ("4", "0")
    assert all(c[0].text for c in root.iter("testcase"))


def test_a_failed_rule_is_an_error() -> None:
    case = next(c for c in report(failed_rule()).iter("testcase") if outcome(c) == "error")
    assert (case.attrib["classname"], case.attrib["name"]) == ("rocecfg", "rule test-broken")
    assert case[0].text == "rule test-broken failed on the fabric: ValueError: no lab: 100%\\n]]> <b>"


def test_control_characters_are_shown() -> None:
    text = junit.render(steering())
    assert all(line.isprintable() for line in text.split("\n"))
    assert any("]]>\\x1b[2J\\r\\n::error::\\ufffe" in (c[0].text or "") for c in report(steering()).iter("testcase"))


def test_nothing_found_is_one_passed_case() -> None:
    (case,) = report(clean()).iter("testcase")
    assert (case.attrib["name"], outcome(case)) == ("no findings", "passed")


def test_the_command_line_offers_it() -> None:
    write(Path(), {"fabric.yaml": BAD})
    assert rocecfg(Path(), "lint", "--format", "junit", expect=1).stdout == junit.render(
        run_of("fabric.yaml", rules=PLAIN.rules)
    )
