"""Copies of this project's files, and commands run away from the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
HANG = 300.0
"""Seconds after which something hangs: no measure of speed, for other work may run beside the tests. See benchmarks."""


_NOT_OURS = shutil.ignore_patterns("__pycache__", "*_cache", "node_modules")


def settings() -> dict[str, Any]:
    """The project's pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def copy_project(to: Path) -> Path:
    """Copy what belongs to the project (what the sdist ships, and what git needs), so that a test may change it."""
    shipped = [name.strip("/") for name in settings()["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]]
    to.mkdir()
    for name in (*shipped, "pyproject.toml", ".gitignore"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=_NOT_OURS)
        else:
            shutil.copy2(ROOT / name, to / name)
    return to


_LEFT_OUT = ("GIT_", "PRE_COMMIT", "PYTHONPATH", "VIRTUAL_ENV", "COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE")


def clean_environment(**more: str) -> dict[str, str]:
    """The environment without what points git or Python here, or says how wide a terminal is; plus `more`.

    And without what forbids bytecode: each of a thousand commands would compile all of rocecfg again.
    """
    kept = {k: v for k, v in os.environ.items() if not k.startswith(_LEFT_OUT)}
    return kept | {"NO_COLOR": "1"} | more


def run(
    *command: str | Path, cwd: Path, env: dict[str, str], expect: int | None = 0
) -> subprocess.CompletedProcess[str]:
    """Run a command; fail with all it printed unless it exits with `expect` (None: whatever it exits with)."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=2 * HANG,
    )
    wording = f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    assert expect is None or done.returncode == expect, wording
    return done


def wait_until(true: Callable[[], object], describe: Callable[[], object] = lambda: "it never came") -> None:
    """Wait for what another process does, however slow it is; fail once that hangs. The one place where tests sleep."""
    end = time.monotonic() + HANG
    while not true():
        assert time.monotonic() < end, describe()
        time.sleep(0.02)
