"""The same input gives the same bytes, wherever it lies and in whatever order it is named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from intents import rocecfg, write
from report_runs import BAD, RUNS, run_of

from rocecfg.linting.run import Run
from rocecfg.report import github, gitlab, junit, sarif, text

FORMATS = (github.render, gitlab.render, junit.render, sarif.render, text.render_statistics)


@pytest.mark.parametrize("make", RUNS)
def test_no_byte_depends_on_the_folder(
    make: Callable[[], Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = []
    for name in ("one", "two/deeper"):
        (tmp_path / name).mkdir(parents=True)
        monkeypatch.chdir(tmp_path / name)
        run = make()
        out.append([render(run) for render in FORMATS])
    assert out[0] == out[1]
    assert all(str(tmp_path) not in report for report in out[0])


def test_no_byte_depends_on_the_order_of_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = [f"{n}/fabric.yaml" for n in "cab"]
    write(tmp_path, dict.fromkeys(names, BAD))
    for render in FORMATS:
        assert render(run_of(*names)) == render(run_of(*sorted(names)))


def test_a_job_anywhere_in_a_repository_names_files_from_its_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {".git/HEAD": "", "sites/east/fabric.yaml": BAD})
    out = []
    for folder, name in (
        (".", "sites/east/fabric.yaml"),
        ("sites", str(tmp_path / "sites/east/fabric.yaml")),
        ("sites/east", "./fabric.yaml"),
    ):
        monkeypatch.chdir(tmp_path / folder)
        run = run_of(name)
        out.append([render(run) for render in FORMATS])
    assert out[0] == out[1] == out[2]


@pytest.mark.parametrize("format_", ["sarif", "github", "gitlab", "junit"])
def test_no_byte_depends_on_hashing_or_locale(format_: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": BAD, "x y.yaml": "rocecfg: [\n"})
    outs = {
        rocecfg(tmp_path, "lint", "--format", format_, "fabric.yaml", "x y.yaml", expect=2, **env).stdout
        for env in ({"PYTHONHASHSEED": "1"}, {"PYTHONHASHSEED": "2", "LC_ALL": "C", "PYTHONUTF8": "0"})
    }
    assert len(outs) == 1
    assert "ets-sum" in outs.pop()
