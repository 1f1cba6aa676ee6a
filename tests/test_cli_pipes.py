"""Readers of a command's output that leave early, as `head` does, and outputs that are closed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import HANG, ROOT, clean_environment, run
from intents import POLICY, rocecfg, write

BAD = POLICY.replace("bandwidth: 40}", "bandwidth: 50}")
COMMANDS = [
    ("profiles",),
    ("rules",),
    ("rules", "--format", "json"),
    ("schema",),
    ("explain", "ets-sum"),
    ("show", "fabric.yaml"),
    ("show", "bad.yaml"),
    ("lint", "fabric.yaml"),
    ("lint", "bad.yaml"),
    ("lint", "--format", "json", "bad.yaml"),
    ("lint", "gone.yaml"),
    ("render", "fabric.yaml", "--vendor", "spectrum"),
    ("advise", "fabric.yaml"),
    ("--help",),
    ("nonsense",),
]


def unread(folder: Path, *arguments: str, both: bool = False) -> tuple[int, str]:
    """Exit code and standard error of a command whose reader has left before it says a word."""
    ours, theirs = os.pipe()
    os.close(ours)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "rocecfg", *arguments],
            cwd=folder,
            env=clean_environment(PYTHONPATH=str(ROOT)),
            stdin=subprocess.DEVNULL,
            stdout=theirs,
            stderr=theirs if both else subprocess.PIPE,
            text=True,
            check=False,
            timeout=HANG,
        )
    finally:
        os.close(theirs)
    return done.returncode, done.stderr or ""


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_leaves_changes_no_exit_code(command: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, "bad.yaml": BAD, ".git/x": ""})
    read = rocecfg(tmp_path, *command)
    assert unread(tmp_path, *command) == (read.returncode, read.stderr)
    assert unread(tmp_path, *command, both=True) == (read.returncode, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("command", "code"),
    [("profiles", 0), ("rules", 0), ("show big.yaml", 0), ("lint big.yaml", 1), ("explain ets-sum", 0)],
)
def test_head_takes_a_line_and_the_pipe_ends_well(command: str, code: int, tmp_path: Path) -> None:
    unknown = "".join(f"key{n}: 1\n" for n in range(5000))
    write(tmp_path, {"big.yaml": POLICY + unknown, ".git/x": ""})
    line = f'"{sys.executable}" -m rocecfg {command} | head -n 1'
    env = clean_environment(PYTHONPATH=str(ROOT))
    done = run("bash", "-o", "pipefail", "-c", line, cwd=tmp_path, env=env, expect=code)
    assert done.stderr == ""
    assert done.stdout.count("\n") == 1


def test_a_reader_that_leaves_costs_no_other_output(tmp_path: Path) -> None:
    write(tmp_path, {"bad.yaml": BAD})
    code, _ = unread(tmp_path, "lint", "bad.yaml", "--output", "full", "--output", "json=report.json")
    assert code == 1
    assert '"ets-sum"' in (tmp_path / "report.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
@pytest.mark.parametrize(("file", "code"), [("fabric.yaml", 0), ("bad.yaml", 1), ("gone.yaml", 2)])
def test_a_closed_output_changes_no_exit_code(file: str, code: int, closed: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, "bad.yaml": BAD})
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    line = f'"{sys.executable}" -m rocecfg lint {file} {closed}'
    done = run("/bin/sh", "-c", line, cwd=tmp_path, env=clean_environment(PYTHONPATH=str(ROOT)), expect=code)
    assert "Traceback" not in done.stdout + done.stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
