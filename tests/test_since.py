"""`rocecfg lint --since REF`: what concerns lines that changed; and the other ways of saying less or more."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from intents import POLICY, rocecfg, write

from rocecfg.linting import changed

WEIGHT = POLICY.replace("pmax: 5%}}", "pmax: 5%, weight: 2}}")  # warning: ecn-weight


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two fabrics with a warning each, on main; a branch is checked out."""
    write(tmp_path, {"a/fabric.yaml": WEIGHT, "b é/fabric.yaml": WEIGHT.replace("name: lab", "name: other")})
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    git(tmp_path, "switch", "-qc", "branch")
    return tmp_path


def found(folder: Path, *arguments: str, expect: int = 0) -> tuple[list[tuple[str, str]], int]:
    report = json.loads(rocecfg(folder, "lint", "--format", "json", *arguments, expect=expect).stdout)
    return [(f["path"], f["name"]) for f in report["findings"]], report["summary"]["elsewhere"]


def test_nothing_changed_is_nothing_reported_and_the_rest_is_counted(repository: Path) -> None:
    assert found(repository, "--since", "main") == ([], 2)
    out = rocecfg(repository, "lint", "--since", "main", expect=0).stdout
    assert out.startswith("clean in 2 fabrics")
    assert "; 2 on lines that did not change" in out


def test_a_git_that_takes_too_long_is_no_repository_without_changes(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed, "_LIMIT", 0)
    with pytest.raises(changed.NoChanges, match=r"^git cannot be run: "):
        changed.find_changed_lines("main", str(repository))


def test_what_stands_on_a_changed_line_is_reported(repository: Path) -> None:
    file = repository / "b é" / "fabric.yaml"
    file.write_text(file.read_text().replace("weight: 2", "weight: 3"))
    assert found(repository, "--since", "main") == ([("b é/fabric.yaml", "ecn-weight")], 1)
    git(repository, "commit", "-qam", "two")
    assert found(repository, "--since", "main") == ([("b é/fabric.yaml", "ecn-weight")], 1)
    assert found(repository / "b é", "--since", "main")[0] == [("fabric.yaml", "ecn-weight")]


def test_what_main_did_meanwhile_is_not_this_branchs(repository: Path) -> None:
    git(repository, "switch", "-q", "main")
    file = repository / "a" / "fabric.yaml"
    file.write_text(file.read_text().replace("weight: 2", "weight: 4"))
    git(repository, "commit", "-qam", "on main")
    git(repository, "switch", "-q", "branch")
    assert found(repository, "--since", "main") == ([], 2)


def test_a_new_file_is_changed_as_a_whole(repository: Path) -> None:
    write(repository, {"c/fabric.yaml": WEIGHT})
    assert found(repository, "--since", "main") == ([("c/fabric.yaml", "ecn-weight")], 2)


def test_of_a_file_that_git_does_not_track_nothing_is_held_back(repository: Path) -> None:
    write(repository, {"d/fabric.yaml": WEIGHT, ".gitignore": "d/\n"})
    assert found(repository, "--since", "main", "d")[0] == [("d/fabric.yaml", "ecn-weight")]
    elsewhere = repository.parent / f"{repository.name}-other"
    write(elsewhere, {"fabric.yaml": WEIGHT})
    assert [name for _, name in found(repository, "--since", "main", str(elsewhere))[0]] == ["ecn-weight"]


def test_a_merge_that_is_not_finished_is_told_of_at_its_marks(repository: Path) -> None:
    for branch, weight in (("main", 4), ("branch", 5)):
        git(repository, "switch", "-q", branch)
        file = repository / "a" / "fabric.yaml"
        file.write_text(file.read_text().replace("weight: 2", f"weight: {weight}"))
        git(repository, "commit", "-qam", branch)
    subprocess.run(
        ["git", "-c", "user.name=a", "-c", "user.email=a@b", "merge", "-q", "main"],
        cwd=repository,
        check=False,
        capture_output=True,
    )
    done = rocecfg(repository, "lint", "--since", "main", "--format", "concise", expect=2)
    assert "a/fabric.yaml:" in done.stdout
    assert "schema-syntax: not YAML" in done.stdout


def test_lines_beside_a_gap_count_as_changed(repository: Path) -> None:
    file = repository / "a" / "fabric.yaml"
    lines = file.read_text().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if "weight: 2" in line)
    write(repository, {"a/fabric.yaml": "".join([*lines[: at + 1], "# a note\n", *lines[at + 1 :]])})
    git(repository, "commit", "-qam", "a note")
    git(repository, "branch", "-f", "noted")
    write(repository, {"a/fabric.yaml": "".join(lines)})
    assert ("a/fabric.yaml", "ecn-weight") in found(repository, "--since", "noted")[0]


def test_an_error_elsewhere_does_not_fail_and_one_here_does(repository: Path) -> None:
    git(repository, "switch", "-q", "main")
    broken = WEIGHT.replace("bandwidth: 60", "bandwidth: 50")  # error: ets-sum
    write(repository, {"a/fabric.yaml": broken})
    git(repository, "commit", "-qam", "broken")
    git(repository, "switch", "-qc", "later")
    assert found(repository, "--since", "main")[0] == []
    write(repository, {"a/fabric.yaml": broken.replace("bandwidth: 50", "bandwidth: 40")})
    assert ("a/fabric.yaml", "ets-sum") in found(repository, "--since", "main", expect=1)[0]


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "main..branch"])
def test_what_is_no_commit_is_said(ref: str, repository: Path) -> None:
    done = rocecfg(repository, "lint", f"--since={ref}", expect=2)
    assert f"--since: {ref!r} is not a commit of this repository" in done.stderr
    assert not (repository / "x").exists()


def test_outside_a_repository_it_is_said(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    assert "is in no git repository" in rocecfg(tmp_path, "lint", "--since", "main", expect=2).stderr


# -- saying less, and more ---------------------------------------------------------------------------------------------


def test_quiet_prints_findings_alone_and_what_was_not_read(tmp_path: Path) -> None:
    write(tmp_path, {"clean.yaml": POLICY, "dirty.yaml": WEIGHT})
    assert rocecfg(tmp_path, "lint", "-q", "clean.yaml", expect=0).stdout == ""
    out = rocecfg(tmp_path, "lint", "-q", "--format", "concise", "dirty.yaml", expect=0).stdout.splitlines()
    assert [line.split()[2:4] for line in out] == [["ECN306", "ecn-weight:"]]
    write(
        tmp_path, {"leaf1.cfg": "hostname leaf1\npriority-flow-control pause watchdog flubber\ninterface Ethernet1/1\n"}
    )
    unread = rocecfg(tmp_path, "lint", "-q", "--format", "concise", "leaf1.cfg").stdout
    whole = rocecfg(tmp_path, "lint", "--format", "concise", "leaf1.cfg").stdout
    assert ("not understood" in unread) == ("not understood" in whole)


def test_colour_can_be_asked_for_and_refused(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": WEIGHT})
    assert "\x1b[" in rocecfg(tmp_path, "lint", "--color", "always", expect=0).stdout
    assert "\x1b[" not in rocecfg(tmp_path, "lint", "--color", "never", expect=0, FORCE_COLOR="1").stdout
    assert "\x1b[" in rocecfg(tmp_path, "lint", "--color", "auto", expect=0, FORCE_COLOR="1", NO_COLOR="").stdout


def test_an_option_that_went_is_accepted_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "lint", "--profile-rules", expect=0)
    assert done.stderr == "rocecfg: --profile-rules has no effect any longer: no time is measured\n"
    assert done.stdout == rocecfg(tmp_path, "lint", expect=0).stdout


def test_rdjson_counts_columns_in_bytes(tmp_path: Path) -> None:
    """As reviewdog/proto/rdf/reviewdog.proto has it: bytes of UTF-8, from 1, an end that is exclusive."""
    text = POLICY.replace("default: {carries: [default]", "défaut: {carries: [default]").replace(
        "bandwidth: 40}", "bandwidth: 30}"
    )
    write(tmp_path, {".git/x": "", "sub/fabric.yaml": text})
    report = json.loads(rocecfg(tmp_path / "sub", "lint", "--format", "rdjson").stdout)
    assert report["source"] == {"name": "rocecfg"}
    for found_ in report["diagnostics"]:
        assert found_["severity"] in {"ERROR", "WARNING", "INFO"}
        assert found_["location"]["path"] == "sub/fabric.yaml"
        start, end = (found_["location"]["range"][side] for side in ("start", "end"))
        line = text.splitlines()[start["line"] - 1].encode()
        if start["line"] == end["line"]:
            line[start["column"] - 1 : end["column"] - 1].decode()  # no cut within a character
    assert any("é" in text.splitlines()[d["location"]["range"]["start"]["line"] - 1] for d in report["diagnostics"])
