"""Workflow commands: what a runner reads out of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from intents import POLICY, rocecfg, write
from report_runs import BAD, ODD, RUNS, clean, failed_rule, findings, odd_path, placeless, run_of, steering, unreadable

from rocecfg.config.policy import PLAIN
from rocecfg.linting.run import Run
from rocecfg.report import github


class Annotation(NamedTuple):
    """A workflow command as a runner takes it apart."""

    command: str
    properties: dict[str, str]
    message: str


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def annotations(run: Run) -> list[Annotation]:
    """Every line has to be a command: `::name key=value,key=value::message`, with the runner's escapes."""
    out = []
    for line in github.render(run).splitlines():
        match = re.fullmatch(r"::([a-z]+) ([^:]*)::(.*)", line)
        assert match is not None, line
        pairs = [pair.split("=", 1) for pair in match[2].split(",")]
        properties = {key: _data(value.replace("%3A", ":").replace("%2C", ",")) for key, value in pairs}
        out.append(Annotation(match[1], properties, _data(match[3])))
    return out


def _data(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")


def by_title(run: Run) -> dict[str, Annotation]:
    return {a.properties["title"].split()[-1]: a for a in annotations(run)}


@pytest.mark.parametrize("make", RUNS)
def test_each_finding_is_one_line(make: Callable[[], Run]) -> None:
    run = make()
    reported = annotations(run)
    commands = {"error": "error", "warning": "warning", "info": "notice"}
    assert [a.command for a in reported[: len(run.findings)]] == [commands[f.severity] for f in run.findings]
    assert len(reported) == len(run.findings) + len(run.failed)
    assert all(line.isprintable() for line in github.render(run).splitlines())


def test_place_title_message_fix_second_place_and_reach() -> None:
    reported = by_title(findings())["ets-sum"]
    line = next(i for i, text in enumerate(BAD.split("\n"), 1) if "bandwidth: 30}" in text)
    column = BAD.split("\n")[line - 1].index("30}") + 1
    assert reported.properties == {
        "file": "fabric.yaml",
        "line": str(line),
        "endLine": str(line),
        "col": str(column),
        "endColumn": str(column + 2),
        "title": "ETS501 ets-sum",
    }
    message, *details = reported.message.split("\n")
    assert message.startswith(f"fabric.yaml:{line}:{column}: shares sum to 90%, not 100%: ")
    assert details[0] == "fabric.yaml:4:80: rdma: 60%"
    assert details[1].startswith("help: in the same proportions: rdma 67%")
    assert details[2:] == ["reaches leaf[1-4] (4 devices, 128 ports)"]


def test_a_place_of_several_lines_has_no_columns() -> None:
    write(Path(), {"fabric.yaml": POLICY.replace("fabric: {name: lab}", "fabric: [\n  lab,\n  x]")})
    reported = by_title(run_of("fabric.yaml"))["schema-type"]
    assert "col" not in reported.properties
    assert "endColumn" not in reported.properties
    assert (reported.properties["line"], reported.properties["endLine"]) == ("2", "4")


def test_a_place_that_ends_where_a_line_begins_leaves_that_line_out() -> None:
    text = POLICY + "defaults:\n  mtu: |\n    9000\n  vendor: sonic\n"
    write(Path(), {"fabric.yaml": text})
    reported = by_title(run_of("fabric.yaml"))["schema-type"]
    last = text.split("\n")[int(reported.properties["endLine"]) - 1]
    assert last == "    9000"


def test_an_odd_path_comes_back_whole() -> None:
    assert {a.properties["file"] for a in annotations(odd_path())} == {ODD}


def test_nothing_in_a_file_makes_a_command() -> None:
    run = steering()
    text = github.render(run)
    assert len(text.splitlines()) == len(run.findings)
    assert "\\x1b[2J\\n%3A%3Awarning%3A%3Ax\\u202e.yaml" in text
    assert "\\r\\n::error::\\ufffe" in text


def test_what_broke_is_an_error_too() -> None:
    assert {a.properties["file"] for a in annotations(unreadable())} == {
        "bytes.yaml",
        "folder.yaml",
        "missing.yaml",
        "syntax.yaml",
    }
    last = annotations(failed_rule())[-1]
    assert (last.command, last.properties) == ("error", {"title": "rocecfg: internal error"})
    assert last.message == "rule test-broken failed on the fabric: ValueError: no lab: 100%\\n]]> <b>"


def test_a_finding_of_no_text_has_no_place() -> None:
    (reported,) = annotations(placeless())
    assert reported.properties == {"title": "WDG201 watchdog-missing"}
    assert reported.message.startswith("PFC without a watchdog\nhelp: set one\nreaches leaf1 (1 device, 4 ports)")


def test_nothing_found_is_nothing_said() -> None:
    assert github.render(clean()) == ""


def test_the_command_line_offers_it() -> None:
    write(Path(), {"fabric.yaml": BAD})
    assert rocecfg(Path(), "lint", "--format", "github", expect=1).stdout == github.render(
        run_of("fabric.yaml", rules=PLAIN.rules)
    )
