"""CONTRIBUTING.md names what is there: every room in layer order, and paths, names and commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

import click
from checkout import ROOT, settings

from rocecfg.cli import cli

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(rocecfg/[\w/]+)` \| (.+) \| (.+) \|$", TEXT, re.MULTILINE)
OURS = ("rocecfg/", "profiles/", "templates/", "tests/", "docs/")
TOYS = re.compile(r"NAME|newos")  # stands for what a contributor adds


def quoted() -> list[str]:
    return re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```$", "", TEXT, flags=re.MULTILINE | re.DOTALL))


def test_the_map_names_every_package_once() -> None:
    packages = [path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "rocecfg").glob("*/**/__init__.py")]
    assert sorted(folder for folder, _, _ in ROWS) == sorted(packages)


def test_the_map_is_in_layer_order() -> None:
    contract = settings()["tool"]["importlinter"]["contracts"][0]
    layers = {room.strip(): n for n, row in enumerate(contract["layers"]) for room in row.split("|")}
    order = [layers[folder.split("/")[1]] for folder, _, _ in ROWS]
    assert order == sorted(order)


def test_every_room_has_tests_and_they_exist() -> None:
    for folder, _, tests in ROWS:
        named = re.findall(r"`([^`]+)`", tests)
        assert named, folder
        for name in named:
            assert name.startswith("tests/"), folder
            assert (ROOT / name).exists(), f"{folder}: {name}"


def test_every_path_exists() -> None:
    named = [word for word in quoted() if word.startswith(OURS) or re.fullmatch(r"[\w./-]+\.(?:md|toml|yaml|py)", word)]
    full = [word for word in named if "/" in word or (ROOT / word).exists()]
    assert len(full) > 80
    for word in full:
        path = Path(word)
        while TOYS.search(path.as_posix()):
            path = path.parent
        assert (ROOT / path).exists(), word
    below = {path.name for path in (ROOT / "rocecfg" / "vendors").rglob("*.py")}  # "`reader.py` in it"
    assert {word for word in named if word not in full} <= below | {"rocecfg.toml"}


def test_every_link_leads_somewhere() -> None:
    headings = {
        re.sub(r"[^a-z -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert target[1:] in headings if target.startswith("#") else (ROOT / target).exists(), target
    assert "](CONTRIBUTING.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_what_is_to_be_extended_is_in_the_file_named() -> None:
    named = re.findall(r"`(_?[A-Z]{4,}|[a-z_]+_of)`\s+(?:in|of)\s+`([\w/]+\.py)`", TEXT)
    assert len(named) >= 8
    for name, path in named:
        assert re.search(rf"^(?:def )?{name}\b", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE), (name, path)


def test_every_command_exists() -> None:
    runs = re.findall(r"python -m pytest ([^`\n#]+)", TEXT)
    assert len(runs) >= 6
    for arguments in runs:
        for word in arguments.split():
            assert not word.startswith("tests") or (ROOT / word).exists(), word
    checks = re.search(r"Beside the tests.*?```console\n(.*?)```", TEXT, re.DOTALL)
    assert checks is not None
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for line in checks[1].splitlines():
        for command in line.removeprefix("$ ").partition(" #")[0].split("&&"):
            assert command.strip() in ci.replace(" --no-cache", ""), command
    known = set(cli.list_commands(click.Context(cli)))
    words = set(re.findall(r"`rocecfg ([a-z]+)", TEXT))
    assert words
    assert words <= known
