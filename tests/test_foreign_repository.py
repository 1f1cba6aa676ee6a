"""What a branch of somebody else can do to whoever lints or renders it: nothing outside its own files, nor for ever.

Commands that would hang are killed after some minutes, which fails the test.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment
from hypothesis import given
from hypothesis import strategies as st
from intents import FABRIC, POLICY, write
from intents import rocecfg as _rocecfg

from rocecfg.settings.globs import matches
from rocecfg.source.regex import Regex, RegexError

rocecfg = partial(_rocecfg, timeout=300)
SECRET = "hunter2-token"  # noqa: S105 - of nothing
CLASSES = POLICY[POLICY.index("classes:") :]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository beside files that are none of its."""
    write(tmp_path, {"repo/.git/HEAD": "ref: refs/heads/main\n", "repo/fabric.yaml": POLICY, ".bashrc": "# mine\n"})
    return tmp_path / "repo"


def refused(cwd: Path, *arguments: str, expect: int = 2) -> str:
    """All that a command prints which ends with an error, and never with the secret."""
    done = rocecfg(cwd, *arguments, expect=expect)
    assert SECRET not in done.stdout + done.stderr
    return done.stdout + done.stderr


# -- patterns ----------------------------------------------------------------------------------------------------------

HOUSE = "rules: [{{name: slow, for: fabric, path: name, operator: matches, value: '{}'}}]\n"


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a*)*b", ".*.*.*.*.*.*.*.*.*.*b", "(?:a?){30}a{30}b"])
def test_20_a_rule_of_the_team_never_hangs(pattern: str, repo: Path) -> None:
    named = POLICY.replace("name: lab", f"name: {'a' * 60}")
    write(repo, {"fabric.yaml": named, "rocecfg-rules.yaml": HOUSE.format(pattern)})
    assert "house/slow" in rocecfg(repo, "lint", expect=1).stdout


@pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)a", "a++b", "(a{1000}){1000}", "(((){999}){999}){999}"])
def test_20_what_cannot_be_matched_in_linear_time_is_an_error_with_its_place(pattern: str, repo: Path) -> None:
    write(repo, {"rocecfg-rules.yaml": HOUSE.format(pattern)})
    assert re.search(r"rocecfg-rules\.yaml:1:\d\d: error SCH000 ", refused(repo, "lint", "--format", "concise"))


def test_20_a_pattern_of_settings_never_hangs(repo: Path) -> None:
    bad = POLICY.replace("bandwidth: 40}", "bandwidth: 30}")
    name = f"{'a' * 200}.yaml"
    hostile = "*a" * 40 + "b"
    settings = f'[per-file-ignores]\n"{hostile}" = ["ets"]\n[environments.x]\npaths = ["{hostile}"]\n'
    write(repo, {"rocecfg.toml": settings, name: bad})
    assert "ets-sum" in rocecfg(repo, "lint", name, expect=1).stdout
    write(repo, {"rocecfg.toml": f'[per-file-ignores]\n"{"?" * 9000}" = ["ets"]\n'})
    assert "rocecfg.toml:2:1: " in refused(repo, "lint", name)


@given(st.from_regex(r"(\(?[ab.]\)?[*+?|]?){0,7}", fullmatch=True), st.text("abc\n", max_size=7))
def test_20_texts_fit_as_python_has_it(pattern: str, text: str) -> None:
    try:
        wanted = re.compile(pattern).fullmatch(text) is not None
    except re.error:
        return
    try:
        assert Regex(pattern).fullmatch(text) is wanted
    except RegexError:  # a++ is possessive
        assert re.search(r"[*+?]\+", pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        r"leaf\d+",
        r"(?i)Leaf[^0-9x]?",
        r"\bfoo\b.*",
        "^a.c$",
        "[^a-c]b",
        r"a.\Z",
        r"\Ba",
        "(?s).b",
        r"(?m)a$\n^b",
        "a{2,3}b?",
    ],
)
def test_20_what_rules_write_means_what_it_means_in_python(pattern: str) -> None:
    for text in ("leaf12", "LEAF", "leafX", "foo bar", "abc", "a\nc", "db", "ab", "a\nb", "aa", "aaab", "é", "", "xb"):
        assert Regex(pattern).fullmatch(text) is (re.fullmatch(pattern, text) is not None), text


def test_20_globs_mean_what_they_did() -> None:
    assert matches("/x/a/b/c.yaml", "/x", "a/**/c.yaml")
    assert matches("/x/a/c.yaml", "/x", "a/**/c.yaml")
    assert not matches("/x/a/b/c.yaml", "/x", "a/*.yaml")


# -- files while they are written --------------------------------------------------------------------------------------

DYING = """
import os, signal, sys
from rocecfg.cli import files
real = os.fsync
def fsync(handle):
    os.kill(os.getpid(), signal.{})
    real(handle)
os.fsync = fsync
sys.argv[1:] = ["render", "--vendor", "sonic", "-o", "out"]
from rocecfg.cli import main
main()
"""


def died(repo: Path, how: str) -> int:
    return subprocess.run(
        [sys.executable, "-c", DYING.format(how)],
        cwd=repo,
        env=clean_environment(PYTHONPATH=str(ROOT)),
        capture_output=True,
        timeout=300,
        check=False,
    ).returncode


def test_23_what_a_killed_run_leaves_is_read_by_nobody_and_removed_by_the_next(repo: Path) -> None:
    write(repo, {"fabric.yaml": FABRIC})
    assert died(repo, "SIGKILL") == -signal.SIGKILL
    left = os.listdir(repo / "out")
    assert left
    assert all(name.startswith(".rocecfg-") and name.endswith(".partial") for name in left)
    assert died(repo, "SIGTERM") == 128 + signal.SIGTERM  # removes what both left
    assert os.listdir(repo / "out") == []
    died(repo, "SIGKILL")
    rocecfg(repo, "render", "--vendor", "sonic", "-o", "out", expect=0)
    assert sorted(os.listdir(repo / "out")) == ["leaf01.json", "leaf02.json"]


@pytest.mark.parametrize("left", [".rocecfg-0123456789abcdef.partial", "leaf01.json.1.partial"])
def test_23_no_reader_takes_a_partial_file_for_a_device(left: str, repo: Path) -> None:
    write(repo, {"fabric.yaml": FABRIC})
    rocecfg(repo, "render", "--vendor", "sonic", "-o", "out", expect=0)
    before = [rocecfg(repo, *command, expect=None).stdout for command in _READERS]
    text = (repo / "out" / "leaf01.json").read_text()
    write(repo, {f"out/{left}": text.replace('"xoff"', '"xon"')[: len(text) // 2]})
    after = [rocecfg(repo, *command, expect=None).stdout for command in _READERS]
    assert after == before


_READERS = (
    ("drift", "fabric.yaml", "--running", "out"),
    ("lint", "out"),
    ("import", "out"),
)


def test_23_one_process_number_after_another_is_no_obstacle(repo: Path) -> None:
    """In a container every run is process 1, and finds what the one before left."""
    write(repo, {"fabric.yaml": FABRIC, "out/x": ""})
    for number in range(2, 5000):
        (repo / "out" / f"leaf01.json.{number}.partial").touch()
    rocecfg(repo, "render", "--vendor", "sonic", "-o", "out", expect=0)
