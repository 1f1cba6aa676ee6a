"""The scripts of `rocecfg completion` in real interactive shells, typed at through a terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import shlex
import shutil
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from checkout import ROOT, clean_environment, wait_until

TAB = "\t"
ESCAPES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>()][0-9A-Za-z]?|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00\x07\x0f]"
)
SETUP = {
    "bash": ('eval "$(rocecfg completion bash)"', "PS1='READY> '; bind 'set enable-bracketed-paste off'"),
    "zsh": ("autoload -Uz compinit; compinit -D -u", 'eval "$(rocecfg completion zsh)"', "PROMPT='READY> '; RPROMPT="),
    "fish": ("rocecfg completion fish | source", "function fish_prompt; echo -n 'READY> '; end"),
}
START = {
    "bash": ("--norc", "--noprofile", "-i"),
    "zsh": ("-f", "-i"),
    "fish": ("--no-config", "-i"),
}


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, shell: str, cwd: Path, env: dict[str, str]) -> None:
        path = shutil.which(shell)
        assert path is not None
        self.seen = b""
        self.pid, self.master = pty.fork()
        if self.pid == 0:  # the child
            os.chdir(cwd)
            os.execve(path, [shell, *START[shell]], env)  # noqa: S606 - a shell it is

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def until(self, done: Callable[[str], bool]) -> str:
        """What the shell shows from here on, once `done` says so of it."""
        found = b""

        def settled() -> bool:
            nonlocal found
            ready, _, _ = select.select([self.master], [], [], 0.05)
            if not ready:
                return done(plain(found))
            try:
                got = os.read(self.master, 65536)
            except OSError:
                pytest.fail(f"the shell ends after {plain(found)!r}")
            if b"\x1b[c" in got or b"\x1b[0c" in got:  # "what terminal are you?": fish waits for an answer
                os.write(self.master, b"\x1b[?1;2c")
            if b"\x1b[6n" in got:
                os.write(self.master, b"\x1b[1;1R")
            found += got
            return False

        wait_until(settled, lambda: f"the shell shows {plain(found)!r}")
        return plain(found)

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.master)


def plain(shown: bytes) -> str:
    """What is shown, without the codes that move and colour it."""
    return ESCAPES.sub(b"", shown).decode(errors="replace")


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `rocecfg` is this checkout's."""
    folder = tmp_path_factory.mktemp("home")
    shim = folder / "rocecfg"
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rocecfg "$@"\n', encoding="utf-8")
    shim.chmod(shim.stat().st_mode | stat.S_IXUSR)
    return clean_environment(
        PYTHONPATH=str(ROOT), PATH=f"{folder}:{os.environ['PATH']}", HOME=str(folder), TERM="xterm", COLUMNS="100"
    )


@pytest.fixture(scope="module", params=["bash", "zsh", "fish"])
def terminal(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, env: dict[str, str]
) -> Iterator[Terminal]:
    shell = request.param
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    folder = tmp_path_factory.mktemp(shell)
    (folder / "fabric.yaml").write_text("rocecfg: 1\n", encoding="utf-8")
    found = Terminal(shell, folder, env)
    try:
        for line in SETUP[shell]:
            found.type(f"{line}\n")
        found.until(lambda shown: shown.rstrip().endswith("READY>"))
        yield found
    finally:
        found.close()


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("rocecfg comp", "rocecfg completion "),
        ("rocecfg lint --fail-on w", "rocecfg lint --fail-on warning "),
        ("rocecfg lint --fail-on=w", "rocecfg lint --fail-on=warning "),
        ("rocecfg lint --ignore pfc-count,ets-su", "rocecfg lint --ignore pfc-count,ets-sum "),
        ("rocecfg lint --ignore=pfc-count,ets-su", "rocecfg lint --ignore=pfc-count,ets-sum "),
        ("rocecfg lint fab", "rocecfg lint fabric.yaml "),
    ],
)
def test_a_tab_completes(terminal: Terminal, typed: str, becomes: str) -> None:
    terminal.type(typed)
    terminal.until(lambda shown: typed.rsplit(maxsplit=1)[-1] in shown)
    terminal.type(TAB)
    terminal.type("# ")  # shows where the cursor is
    terminal.until(lambda shown: "# " in shown)
    terminal.type("\x01echo '\x05'\n")  # to the line's beginning and its end: what it has become is printed
    shown = terminal.until(lambda text: text.rstrip().endswith("READY>") and text.count(becomes) > 0)
    assert f"\n{becomes}# " in shown.replace("\r", "")
