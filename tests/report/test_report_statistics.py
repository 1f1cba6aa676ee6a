"""Statistics: how often each rule found something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from intents import POLICY, write
from report_runs import clean, run_of

from rocecfg.report import text

# Twice an unknown key, once a duplicate one, and a warning.
INTENT = POLICY.replace("name: lab", "name: lab, kin: 1, peak: 2, name: x").replace("priority: 7", "priority: 07")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, {"fabric.yaml": INTENT})


def test_the_most_frequent_come_first_and_the_worst_of_equals() -> None:
    assert text.render_statistics(run_of("fabric.yaml")) == (
        "2  error    SCH001  schema-unknown-key\n"
        "1  error    SCH002  schema-duplicate-key\n"
        "1  warning  SCH003  schema-yaml-trap\n"
        "3 errors, 1 warning in 1 fabric, 1 file\n"
    )


def test_a_rule_of_two_severities_has_two_lines_and_counts_line_up() -> None:
    run = run_of("fabric.yaml")
    unknown = [f for f in run.findings if f.rule.name == "schema-unknown-key"]
    more = [f._replace(severity="info", message=f"{f.message} {n}") for f in unknown for n in range(6)]
    lines = text.render_statistics(run._replace(findings=[*run.findings, *more])).splitlines()
    assert lines[:3] == [
        "12  info     SCH001  schema-unknown-key",
        " 2  error    SCH001  schema-unknown-key",
        " 1  error    SCH002  schema-duplicate-key",
    ]


def test_colour_adds_nothing_but_colour() -> None:
    run = run_of("fabric.yaml")
    painted = text.render_statistics(run, color=True)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == text.render_statistics(run)


def test_nothing_found_is_the_totals_alone() -> None:
    assert text.render_statistics(clean()) == "clean in 1 fabric, 1 file, 4 devices, 130 ports\n"
