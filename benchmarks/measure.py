"""Run commands, interleaved, and take medians of time and peak memory of the whole process."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

_OURS = (
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONPATH",
    "PYTHONUNBUFFERED",
    "PYTHONSTARTUP",
    "ROCECFG_SHARED",
)


class CommandFailed(Exception):
    """A measured command did not end as expected; the text has its output."""


class Case(NamedTuple):
    """A command to measure; `before` runs untimed ahead of every round."""

    argv: list[str]
    cwd: Path | None = None
    before: Callable[[], None] | None = None


class Sample(NamedTuple):
    """One run: wall or CPU time in seconds, peak resident memory in bytes, what it printed."""

    seconds: float
    peak: int
    out: str


class Median(NamedTuple):
    """Over all rounds: median seconds, greatest peak in bytes, what each round printed."""

    seconds: float
    peak: int
    outs: list[str]


def environment(cache: Path) -> dict[str, str]:
    """The environment of the children: byte-compiled files are written and used; other tools cache below `cache`."""
    env = {key: value for key, value in os.environ.items() if key not in _OURS}
    return {
        **env,
        "XDG_CACHE_HOME": str(cache),
        "PRE_COMMIT_HOME": str(cache.with_name("pre-commit")),
        "NO_COLOR": "1",
        "LC_ALL": "C.UTF-8",
    }


def once(case: Case, env: dict[str, str], log: Path, *, cpu: bool) -> Sample:
    """Run a command; CommandFailed if it exits with anything but 0. `cpu`: take CPU time, user and system.

    Peak memory is the kernel's figure for the child. It counts what the child was before `exec` too: one that needs
    less than this runner, some 20 MB, shows the runner's size.
    """
    if case.before is not None:
        case.before()
    with log.open("w+b") as out:
        start = time.perf_counter()
        process = subprocess.Popen(case.argv, cwd=case.cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if cpu:
            seconds = usage.ru_utime + usage.ru_stime
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode(errors="replace")
    if process.returncode != 0:
        raise CommandFailed(f"{' '.join(case.argv)} ended with {process.returncode}:\n{text[-2000:]}")
    return Sample(seconds, usage.ru_maxrss * 1024, text)


def interleaved(cases: dict[str, Case], rounds: int, env: dict[str, str], log: Path, *, cpu: bool) -> dict[str, Median]:
    """Run all commands once unmeasured, then `rounds` times in turn, so that a noisy moment hits each of them alike."""
    samples: dict[str, list[Sample]] = {name: [] for name in cases}
    for case in cases.values():
        once(case, env, log, cpu=cpu)
    for _ in range(rounds):
        for name, case in cases.items():
            samples[name].append(once(case, env, log, cpu=cpu))
    return {
        name: Median(median(s.seconds for s in runs), max(s.peak for s in runs), [s.out for s in runs])
        for name, runs in samples.items()
    }
