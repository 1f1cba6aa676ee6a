"""A sweep on the cores of this machine, or on a Dask cluster (rocecfg[dask]), whose package is loaded only here."""

from __future__ import annotations

import contextlib
import importlib
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from rocecfg.advice.sweep import Point, Solved, Tick, solve, split_points
from rocecfg.linting.workers import map_in_processes
from rocecfg.physics.dcqcn import Params

EXTRA = "pip install 'rocecfg[dask]'"
_PATIENCE = 5.0  # seconds for the scheduler to answer
_WORKER_PATIENCE = 5.0  # seconds for a first worker to be there


class NoCluster(Exception):
    """The cluster cannot be used; the text says why."""


Task = Callable[[tuple[Point, ...], Params], tuple[str, tuple[Solved, ...]]]
"""What workers run on a portion of the points: it returns the version of their rocecfg, and the answers."""


def run_on_dask(
    points: tuple[Point, ...], params: Params, address: str, tick: Tick, *, task: Task, version: str
) -> dict[Point, Solved]:
    """Solve the points on the cluster whose scheduler is at `address`; `tick` hears of each portion done.

    Raises NoCluster where `distributed` is not installed, nobody answers, there is no worker, or workers lack this
    `version` of rocecfg.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise NoCluster(f"--dask needs the package distributed: {EXTRA} ({error})") from error
    for name in ("distributed", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is told here
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise NoCluster(f"no Dask scheduler answers at {address} within {_PATIENCE:g} s: {error}") from error
    try:
        try:
            client.wait_for_workers(1, timeout=_WORKER_PATIENCE)
        except TimeoutError as error:
            raise NoCluster(f"the Dask scheduler at {address} has no worker") from error
        waiting = {client.submit(task, part, params, pure=False): part for part in split_points(points)}
        found: dict[Point, Solved] = {}
        for done in distributed.as_completed(waiting):
            part = waiting[done]
            found.update(zip(part, _collect_answers(done, address, version), strict=True))
            tick(len(part))
        return found
    finally:
        with contextlib.suppress(OSError):
            client.close(timeout=_PATIENCE)


def _collect_answers(done: Any, address: str, version: str) -> tuple[Solved, ...]:
    """What a worker made of its portion."""
    answers: tuple[Solved, ...]
    try:
        theirs, answers = done.result()
    except ImportError as error:
        raise NoCluster(f"workers of {address} cannot run rocecfg; install {version} there ({error})") from error
    except Exception as error:  # a worker that died, a scheduler that went away, and whatever else there is
        first = str(error).partition("\n")[0]
        raise NoCluster(f"the Dask cluster at {address} failed: {type(error).__name__}: {first}") from error
    if theirs != version:
        raise NoCluster(f"workers of {address} have rocecfg {theirs}, this is {version}: install it there")
    return answers


def run_here(points: tuple[Point, ...], params: Params, jobs: int, tick: Tick) -> dict[Point, Solved]:
    """Solve the points in `jobs` processes, or in this one where that is 1; `tick` hears of each portion done."""
    parts = list(split_points(points))
    found: dict[Point, Solved] = {}
    for part, answers in zip(parts, map_in_processes(partial(solve, params=params), parts, jobs), strict=True):
        found.update(zip(part, answers, strict=True))
        tick(len(part))
    return found
