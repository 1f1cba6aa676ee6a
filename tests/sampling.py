"""The large sweeps: which of their cases a run takes.

A sweep tries hundreds of cases that one fault would mostly fail together. A run takes a fifth of them, chosen by the
commit, so that a few commits take them all; every case where the commit or the working tree changed what the sweep is
about; and every case with `--all`, as the nightly run does.

ROCECFG_SEED and ROCECFG_CHANGED (paths, separated by blanks) say what git would where there is no repository.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
SHARE = 5  # of the cases of a sweep one in so many
OF_EXAMPLES = 3  # and of the examples of a property
T = TypeVar("T")

everything = False
"""Whether `--all` was given."""


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


@cache
def seed() -> str:
    """The commit, or what ROCECFG_SEED says."""
    return os.environ.get("ROCECFG_SEED") or _git("rev-parse", "--short=12", "HEAD").strip() or "0"


@cache
def changed() -> tuple[str, ...]:
    """Paths that the last commit or the working tree changed."""
    stated = os.environ.get("ROCECFG_CHANGED")
    if stated is not None:
        return tuple(stated.split())
    return (*_git("diff", "--name-only", "HEAD~1").split(), *_git("ls-files", "-o", "--exclude-standard").split())


def is_whole(*about: str) -> bool:
    """Whether a sweep about what lies below some paths takes all its cases."""
    return everything or any(path.startswith(about) for path in changed())


_TEXTS = {"spectrum": "nvue", "arista": "eos"}  # a vendor's package, and what tests call its text


def is_named(file: str) -> bool:
    """Whether a test's file is called after a vendor's package or a room that is taken as changed."""
    parts = (path.split("/") for path in changed() if path.startswith("rocecfg/") and path.endswith(".py"))
    names = {each[2] if each[1] == "vendors" and len(each) > 3 else each[1] for each in parts}
    return everything or any(name in file or _TEXTS.get(name, name) in file for name in names)


def share(count: int, *about: str) -> int:
    """How many of so many examples this run tries."""
    return count if is_whole(*about) else -(-count // OF_EXAMPLES)


def part(cases: Iterable[T], *about: str) -> list[T]:
    """The cases of a sweep that this run takes, in their order; `about`: the beginnings of paths it is about."""
    every = list(cases)
    if is_whole(*about):
        return every
    chosen = random.Random(f"{seed()} {len(every)}").sample(range(len(every)), -(-len(every) // SHARE))  # noqa: S311
    return [every[n] for n in sorted(chosen)]


def of_system(name: str) -> tuple[str, ...]:
    """The beginnings of the paths that a system's tests are about: its own, and what the systems share."""
    shared = (path.relative_to(ROOT).as_posix() for path in (ROOT / "rocecfg" / "vendors").glob("*.py"))
    return (f"rocecfg/vendors/{name}/", f"profiles/nos/{name}.", f"templates/{name}/", *shared)


def systems(names: Iterable[str], *about: str) -> list[str]:
    """The systems that a sweep over all of them tries: each whose own files changed, and of the others a third."""
    every = list(names)
    changed_ones = {name for name in every if is_whole(*about, *of_system(name))}
    chosen = {*changed_ones, *part([name for name in every if name not in changed_ones])}
    return [name for name in every if name in chosen]


def few(cases: Iterable[T]) -> list[T]:
    """Of thousands of cases a 25th: each run takes others, and the nightly one all."""
    return part(part(cases))
