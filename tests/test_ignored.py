"""What lint passes over below a folder: as git does by .gitignore, and by `exclude` of the settings."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from intents import POLICY, rocecfg, write

from rocecfg.linting.ignored import Ignored
from rocecfg.source.walk import walk_files

TREE = (
    "a.yaml",
    "b.txt",
    "x/a.yaml",
    "x/b.txt",
    "x/y/a.yaml",
    "x/y/c#d",
    "build/a.yaml",
    "x/build/b.txt",
    "lab 1/a.yaml",
)
LINES = (
    *(
        "*.txt",
        "a.yaml",
        "/a.yaml",
        "x/",
        "/x/y",
        "build/",
        "/build",
        "**/y",
        "x/**",
        "x/**/a.yaml",
        "!a.yaml",
        "!b.txt",
    ),
    *(
        "*",
        "!x/",
        "!*.yaml",
        "# note",
        "",
        "lab 1/",
        "lab\\ 1",
        "lab 1  ",
        "y/*",
        "x/y/",
        "[ab].*",
        "?.yaml",
        "!/x/a.yaml",
    ),
    *("x", "./a.yaml", "build", "*/b.txt", "\\#", "x/*/c#d", "**/b.txt", "!build/"),
)


def shown(top: Path) -> set[str]:
    return {str(Path(found).relative_to(top)) for found in walk_files(str(top), Ignored(str(top)))}


def by_git(top: Path) -> set[str]:
    done = subprocess.run(
        ["git", "-C", str(top), "ls-files", "-z", "--others", "--exclude-per-directory=.gitignore"],
        check=True,
        capture_output=True,
        text=True,
    )
    return {name for name in done.stdout.split("\0") if name and not Path(name).name.startswith(".")}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("tree")
    write(top, dict.fromkeys(TREE, "x\n"))
    subprocess.run(["git", "init", "-q", str(top)], check=True)
    return top


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LINES), max_size=4), st.lists(st.sampled_from(LINES), max_size=3))
def test_what_git_ignores_is_passed_over(tree: Path, lines: list[str], below: list[str]) -> None:
    (tree / ".gitignore").write_text("\n".join(lines) + "\n")
    (tree / "x" / ".gitignore").write_text("\n".join(below) + "\n")
    assert shown(tree) == by_git(tree)


def test_lint_passes_over_what_git_ignores_and_what_settings_exclude(tmp_path: Path) -> None:
    broken = POLICY.replace("priority: 3", "priority: 9")
    write(
        tmp_path,
        {
            ".git/x": "",
            "good/fabric.yaml": POLICY,
            "vendor/fabric.yaml": broken,
            "old/fabric.yaml": broken,
            ".gitignore": "vendor/\n",
            "rocecfg.toml": 'exclude = ["old/"]\n',
        },
    )
    assert "1 fabric" in rocecfg(tmp_path, "lint", expect=0).stdout
    for named in ("vendor", "old", "old/fabric.yaml"):
        assert "priority" in rocecfg(tmp_path, "lint", named, expect=1).stdout
    assert "2 fabrics" in rocecfg(tmp_path, "lint", "--no-config", expect=1).stdout


def test_the_totals_count_what_is_passed_over_and_by_what(tmp_path: Path) -> None:
    files = {f"{name}.yaml": POLICY for name in ("a", "b", "c", "kept")}
    write(
        tmp_path,
        {
            ".git/x": "",
            "fabric.yaml": POLICY,
            **{f"lab/{name}": text for name, text in files.items()},
            "build/d.yaml": POLICY,
            "build/e.yaml": POLICY,
            "__pycache__/x.pyc": "",
            "old.yaml": POLICY,
            ".gitignore": "lab/[abc].yaml\nbuild/\n__pycache__/\n",
            "rocecfg.toml": 'exclude = ["old.yaml"]\n',
        },
    )
    last = rocecfg(tmp_path, "lint", expect=0).stdout.splitlines()[-1]
    assert "; 3 files and 1 folder passed over by .gitignore; 1 file passed over by exclude" in last
    concise = rocecfg(tmp_path, "lint", "--format", "concise", "lab", expect=0).stdout
    assert "; 3 files passed over by .gitignore" in concise
    whole = json.loads(rocecfg(tmp_path, "lint", "--format", "json", expect=0).stdout)["summary"]
    keys = ("ignored_files", "ignored_folders", "excluded_files", "excluded_folders")
    assert [whole[key] for key in keys] == [3, 1, 1, 0]


def test_nothing_is_said_where_nothing_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".git/x": "", "fabric.yaml": POLICY, ".gitignore": "build/\n"})
    assert "passed over" not in rocecfg(tmp_path, "lint", expect=0).stdout
    write(tmp_path, {".gitignore": "fabric.yaml\n"})
    assert "passed over" not in rocecfg(tmp_path, "lint", "fabric.yaml", expect=0).stdout  # named


def test_what_an_intent_includes_is_judged_and_not_counted(tmp_path: Path) -> None:
    top = POLICY.replace("classes:", "include: [racks/*.yaml]\nclasses:", 1)
    rack = "devices: {leaf1: {ports: {Ethernet0: {speed: 400G, cable: 3m}}}}\n"
    write(
        tmp_path,
        {
            ".git/x": "",
            "fabric.yaml": top,
            "racks/a.yaml": rack,
            "other/b.yaml": rack,
            ".gitignore": "racks/\nother/\n",
        },
    )
    last = rocecfg(tmp_path, "lint", expect=0).stdout.splitlines()[-1]
    assert "1 device" in last
    assert "; 1 folder passed over by .gitignore" in last


def test_a_repository_of_which_all_is_ignored_is_no_clean_one(tmp_path: Path) -> None:
    write(tmp_path, {".git/x": "", "a/fabric.yaml": POLICY, ".gitignore": "*\n"})
    done = rocecfg(tmp_path, "lint", expect=2)
    assert "no intent" in done.stderr + done.stdout
    assert ".gitignore" in done.stderr + done.stdout


def test_without_a_repository_nothing_is_ignored(tmp_path: Path) -> None:
    write(tmp_path, {"a/fabric.yaml": POLICY, ".gitignore": "a/\n"})
    assert "1 fabric" in rocecfg(tmp_path, "lint", expect=0).stdout


def test_running_configurations_are_passed_over_alike(tmp_path: Path) -> None:
    text = (
        '{"PORT": {"Ethernet0": {"lanes": "0", "speed": "100000"}}, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}}'
    )
    write(tmp_path, {".git/x": "", "leaf1.json": text, "old/leaf2.json": text, ".gitignore": "old/\n"})
    assert "1 device" in rocecfg(tmp_path, "lint").stdout


@pytest.mark.parametrize(
    ("line", "word"),
    [('exclude = "a"\nexclud = 1', "did you mean exclude?"), ("exclude = [1]", "which is not a string")],
)
def test_a_wrong_setting_is_an_error(line: str, word: str, tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY, "rocecfg.toml": line + "\n"})
    assert word in rocecfg(tmp_path, "lint", expect=2).stderr
