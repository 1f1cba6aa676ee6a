"""GitLab Code Quality: the keys it reads, and fingerprints that tell findings apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from intents import rocecfg, write
from report_runs import BAD, ODD, RUNS, clean, findings, odd_path, placeless, run_of

from rocecfg.config.policy import PLAIN
from rocecfg.linting.run import Run
from rocecfg.report import gitlab


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def issues(run: Run) -> list[dict[str, Any]]:
    return list(json.loads(gitlab.render(run)))


@pytest.mark.parametrize("make", RUNS)
def test_every_issue_has_what_gitlab_reads(make: Callable[[], Run], tmp_path: Path) -> None:
    run = make()
    reported = issues(run)
    assert len(reported) == len(run.findings)
    severities = {"error": "major", "warning": "minor", "info": "info"}
    assert [i["severity"] for i in reported] == [severities[f.severity] for f in run.findings]
    for issue in reported:
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["description"].isprintable()
        path, lines = issue["location"]["path"], issue["location"]["lines"]
        assert not path.startswith(("/", "./"))
        assert str(tmp_path) not in path
        assert 1 <= lines["begin"] <= lines["end"]
    assert len({i["fingerprint"] for i in reported}) == len(reported)


def test_an_issue_says_rule_place_fix_and_reach() -> None:
    issue = next(i for i in issues(findings()) if i["check_name"] == "ets-sum")
    line = next(i for i, text in enumerate(BAD.split("\n"), 1) if "bandwidth: 30}" in text)
    assert issue["location"] == {"path": "fabric.yaml", "lines": {"begin": line, "end": line}}
    assert issue["description"].startswith("ETS501: shares sum to 90%, not 100%")
    assert "; help: in the same proportions: rdma 67%" in issue["description"]
    assert issue["description"].endswith("; reaches leaf[1-4] (4 devices, 128 ports)")


def test_fingerprints_survive_moved_lines() -> None:
    first = [i["fingerprint"] for i in issues(findings())]
    write(Path(), {"fabric.yaml": "# moved\n\n" + BAD})
    assert [i["fingerprint"] for i in issues(run_of("fabric.yaml"))] == first


def test_equal_findings_of_two_files_differ() -> None:
    write(Path(), {"a/fabric.yaml": BAD, "b/fabric.yaml": BAD})
    reported = issues(run_of("a/fabric.yaml", "b/fabric.yaml"))
    assert {i["location"]["path"] for i in reported} == {"a/fabric.yaml", "b/fabric.yaml"}
    assert len({i["fingerprint"] for i in reported}) == len(reported)


def test_an_odd_path_is_written_as_it_is() -> None:
    assert {i["location"]["path"] for i in issues(odd_path())} == {ODD}


def test_a_finding_of_no_text_has_the_folder_for_its_place() -> None:
    (issue,) = issues(placeless())
    assert issue["location"] == {"path": ".", "lines": {"begin": 1, "end": 1}}


def test_nothing_found_is_an_empty_list() -> None:
    assert gitlab.render(clean()) == "[]\n"


def test_the_command_line_offers_it() -> None:
    write(Path(), {"fabric.yaml": BAD})
    assert rocecfg(Path(), "lint", "--format", "gitlab", expect=1).stdout == gitlab.render(
        run_of("fabric.yaml", rules=PLAIN.rules)
    )
