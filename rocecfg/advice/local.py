"""A sweep on the cores of this machine."""

from __future__ import annotations

from functools import partial

from rocecfg.advice.sweep import Point, Solved, Tick, chunks, solve
from rocecfg.linting.workers import mapped
from rocecfg.physics.dcqcn import Params


def run(points: tuple[Point, ...], params: Params, jobs: int, tick: Tick) -> dict[Point, Solved]:
    """Solve the points in `jobs` processes, or in this one where that is 1; `tick` hears of each portion done."""
    parts = list(chunks(points))
    found: dict[Point, Solved] = {}
    for part, answers in zip(parts, mapped(partial(solve, params=params), parts, jobs), strict=True):
        found.update(zip(part, answers, strict=True))
        tick(len(part))
    return found
