"""`rocecfg report` as it is run: exit codes, files written whole, settings and waivers, and size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from html_pages import parsed
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.cli import cli

WRONG = POLICY.replace("bandwidth: 40", "bandwidth: 30")  # ets-sum


def test_findings_are_no_failure(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": WRONG})
    done = rocecfg(tmp_path, "report", "fabric.yaml", "-o", "out.html", expect=0)
    assert (done.stdout, done.stderr) == ("", "")
    assert "ets-sum" in parsed((tmp_path / "out.html").read_text()).text


def test_without_a_path_it_reports_what_is_here(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "report", "-o", "-", expect=0)
    assert parsed(done.stdout).one("h1").text == "lab"
    assert os.listdir(tmp_path) == ["fabric.yaml"]


def test_any_file_of_a_fabric_stands_for_all_of_it(tmp_path: Path) -> None:
    whole, _, links = FABRIC.partition("links:")
    write(tmp_path, {"fabric.yaml": "include: [cables.yaml]\n" + whole, "cables.yaml": "links:" + links})
    by_root = rocecfg(tmp_path, "report", "fabric.yaml", "-o", "-", expect=0).stdout
    assert rocecfg(tmp_path, "report", "cables.yaml", "-o", "-", expect=0).stdout == by_root


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["fabric.yaml"], "Missing option '-o'"),
        (["gone.yaml", "-o", "out.html"], "gone.yaml:1:1: cannot be read"),
        (["stray.yaml", "-o", "out.html"], "stray.yaml belongs to no intent"),
        (["broken.yaml", "-o", "out.html"], "broken.yaml:2:1: not YAML"),
        (["fabric.yaml", "-o", "folder"], "folder cannot be written: it is a folder"),
        (["fabric.yaml", "-o", "nowhere/out.html"], "nowhere/out.html cannot be written: No such file or directory"),
        (["fabric.yaml", "-o", "out.html", "--config", "none.toml"], "none.toml:1:1: cannot be read"),
        (["empty", "-o", "out.html"], "no intent and no configuration of a switch here or below"),
    ],
)
def test_what_cannot_run_is_said_and_writes_nothing(
    arguments: list[str], word: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"fabric.yaml": POLICY, "stray.yaml": "x: 1\n", "broken.yaml": "rocecfg: [\n", "out.html": "as it was"}
    write(tmp_path, {**files, ".git/x": "", "folder/x": "", "empty/notes.txt": "hello\n"})
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["report", *arguments])
    assert done.exit_code == 2
    assert word in done.stderr
    assert done.stdout == ""
    assert (tmp_path / "out.html").read_text() == "as it was"


def test_one_unreadable_file_does_not_hide_the_others(tmp_path: Path) -> None:
    write(tmp_path, {"a/fabric.yaml": POLICY, "b/fabric.yaml": "rocecfg: 1\nx: [\n"})
    done = rocecfg(tmp_path, "report", "a", "b", "-o", "out.html", expect=2)
    assert done.stderr.startswith("rocecfg: b/fabric.yaml:")
    text = parsed((tmp_path / "out.html").read_text()).text
    assert "Not read: b/fabric.yaml" in text
    assert "rdma" in text


def test_waivers_and_settings_count_as_in_lint(tmp_path: Path) -> None:
    waived = WRONG.replace("bandwidth: 30}", "bandwidth: 30}  # rocecfg: ignore[ets-sum] -- a trial")
    write(tmp_path, {"fabric.yaml": waived})
    assert "ets-sum" not in rocecfg(tmp_path, "report", "-o", "-", expect=0).stdout
    assert "ets-sum" in rocecfg(tmp_path, "report", "-o", "-", "--no-ignores", expect=0).stdout
    write(tmp_path, {"fabric.yaml": WRONG, "rocecfg.toml": 'ignore = ["ets-sum"]\n'})
    assert "ets-sum" not in rocecfg(tmp_path, "report", "-o", "-", expect=0).stdout


def test_a_written_page_keeps_the_mode_of_the_old_one(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, "out.html": "old"})
    (tmp_path / "out.html").chmod(0o640)
    rocecfg(tmp_path, "report", "-o", "out.html", expect=0)
    assert (tmp_path / "out.html").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(tmp_path)) == ["fabric.yaml", "out.html"]


def test_a_thousand_switches_are_one_small_page(tmp_path: Path) -> None:
    pods = "".join(
        f'  - {{a: "p{pod:03}-leaf[1-8]:Ethernet{8 * s}", b: "p{pod:03}-spine{s + 1}:Ethernet[0-56/8]"}}\n'
        f'  - {{a: "p{pod:03}-gpu[01-64]:nic0", b: "p{pod:03}-leaf[1-8]:Ethernet[256-312/8]"}}\n' * (s == 0)
        for pod in range(100)
        for s in range(2)
    )
    devices = """\
devices:
  "p[000-099]-leaf[1-8]":
    role: leaf
    ports:
      "Ethernet[0-8/8]": {speed: 800G, faces: switch, cable: 30m}
      "Ethernet[256-312/8]": {speed: 800G, faces: host, cable: 3m}
  "p[000-099]-spine[1-2]":
    role: spine
    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}
    ports: {"Ethernet[0-56/8]": {speed: 800G, faces: switch, cable: 30m}}
links:
"""
    write(tmp_path, {"fabric.yaml": FABRIC.partition("devices:")[0] + devices + pods})
    rocecfg(tmp_path, "report", "-o", "out.html", expect=0)
    text = (tmp_path / "out.html").read_text()
    assert len(text) < 200_000
    assert "1,000 switches, " in parsed(text).text
