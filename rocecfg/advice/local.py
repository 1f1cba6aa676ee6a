"""A sweep on the cores of this machine."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context, parent_process

from rocecfg.advice.sweep import Point, Solved, Tick, chunks, solve
from rocecfg.physics.dcqcn import Params


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(points: tuple[Point, ...], params: Params, jobs: int, tick: Tick) -> dict[Point, Solved]:
    """Solve the points in `jobs` processes, or in this one where that is 1; `tick` hears of each portion done."""
    parts = list(chunks(points))
    found: dict[Point, Solved] = {}
    if jobs <= 1 or len(parts) <= 1:
        for part in parts:
            found.update(zip(part, solve(part, params), strict=True))
            tick(len(part))
        return found
    context = get_context("spawn")  # the same on every system, and no state of this process in the others
    pool = ProcessPoolExecutor(min(jobs, len(parts)), context, initializer=_start)
    try:
        waiting = {pool.submit(solve, part, params): part for part in parts}
        for done in as_completed(waiting):
            part = waiting[done]
            found.update(zip(part, done.result(), strict=True))
            tick(len(part))
    finally:
        pool.shutdown(cancel_futures=True)
    return found


def _start() -> None:
    """A worker leaves Ctrl-C to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
