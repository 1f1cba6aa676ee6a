"""Pages to follow step by step, done as a reader would: files written as shown, commands run, output compared."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT
from click.testing import CliRunner

from rocecfg.cli import cli

_BLOCK = re.compile(r'^```(\w+)(?: title="([^":]+)(?:: ([^"]+))?")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
_FAILS = ("WDG201", "drift: ")  # output of a command that ends with 1


def _run(shown: str) -> None:
    for part in re.split(r"^\$ rocecfg ", shown, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        done = CliRunner().invoke(cli, command.split())
        assert done.exit_code == int(any(word in output for word in _FAILS)), f"{command}\n{done.output}"
        at = 0
        for piece in (piece for piece in re.split("…\n|…$", output) if piece.strip()):
            at = done.output.find(piece.rstrip("\n"), at)
            assert at >= 0, f"{command}\n{done.output}"


def _edit(file: Path, new: str) -> None:
    """One line instead of the one in the file that begins with the same three words."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    (number,) = (n for n, line in enumerate(lines) if line.split()[:3] == new.split()[:3])
    lines[number] = new
    file.write_text("".join(lines), encoding="utf-8")


def _instead(file: Path, new: str) -> str:
    """The text of a file with other lines instead of that of its class rdma."""
    return re.sub(r"^  rdma: .*\n", new, file.read_text(encoding="utf-8"), count=1, flags=re.MULTILINE)


@pytest.mark.parametrize("name", ["tutorial/first-rendering", "tutorial/running", "howto/move-priority"])
def test_a_tutorial_works_as_it_is_written(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    commands = 0
    for language, title, how, text in _BLOCK.findall(page):
        if how == "one line changed":
            _edit(Path(title), text)
        elif how:
            assert how.endswith(" with another rdma")
            Path(title).write_text(_instead(Path(how.split()[0]), text), encoding="utf-8")
        elif title:
            Path(title).parent.mkdir(exist_ok=True)
            Path(title).write_text(text, encoding="utf-8")
        elif language == "console":
            _run(text)
            commands += text.count("$ ")
    assert commands > 3
