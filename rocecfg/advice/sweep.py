"""A grid of marking curves and incasts, each put through the model: on this machine's cores, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from rocecfg.advice.advise import Advised
from rocecfg.advice.checks import before_pause
from rocecfg.advice.grid import MOST_POINTS
from rocecfg.advice.predict import Unpredictable, predict
from rocecfg.core.records import NamedTuple
from rocecfg.physics.dcqcn import Curve, Params
from rocecfg.sizing.marking import Limits

_CHUNK = 4  # points that a worker takes at a time: a second or two of work

Tick = Callable[[int], object]
"""Told after each chunk how many points it had."""


class Point(NamedTuple):
    """One curve under one incast."""

    speed: int  # bit/s
    kmin: int  # bytes
    kmax: int
    pmax: float  # percent
    flows: int


class Solved(NamedTuple):
    """What the model makes of a point; sizes in bytes, times in us, parts 0 to 1. All None where it has no answer."""

    marking: float | None
    queue: float | None
    delay_us: float | None
    low: float | None
    high: float | None
    mean: float | None
    utilisation: float | None


class Table(NamedTuple):
    """The points of all kinds of port that share speed, bounds and what is not swept."""

    kinds: tuple[int, ...]  # their numbers, from 1
    limits: Limits | None
    points: tuple[Point, ...]
    skipped: int  # points whose kmin is not below kmax


class Unsweepable(ValueError):
    """Nothing can be swept; the text says why."""


def tables(of: Advised, ranges: dict[str, tuple[float, ...]]) -> list[Table]:
    """The points to solve for a fabric. What is not swept is as advised, else as it is now.

    Raises Unsweepable where a value is neither swept nor known, or where there are too many points.
    """
    groups: dict[tuple[object, ...], tuple[list[int], Limits | None, int, dict[str, tuple[float, ...]]]] = {}
    for number, advice in enumerate(of.advices, 1):
        speed = advice.kind.port.speed
        curve = advice.advised.curve or advice.now.curve
        base = {
            "kmin": curve.kmin if curve is not None else None,
            "kmax": curve.kmax if curve is not None else None,
            "pmax": curve.pmax if curve is not None else None,
            "n": of.aims.incast,
        }
        axes: dict[str, tuple[float, ...]] = {}
        for name, value in base.items():
            if name not in ranges and value is None:
                raise Unsweepable(f"{name} of kind {number} is neither swept nor known: add --sweep {name}=...")
            axes[name] = ranges.get(name, (value,) if value is not None else ())
        if speed is None:
            raise Unsweepable(f"the speed of kind {number} is not stated")
        key = (speed, advice.limits, tuple(axes.items()))
        groups.setdefault(key, ([], advice.limits, speed, axes))[0].append(number)
    out = []
    for numbers, limits, speed, axes in groups.values():
        total = len(axes["kmin"]) * len(axes["kmax"]) * len(axes["pmax"]) * len(axes["n"])
        if total > MOST_POINTS:
            raise Unsweepable(f"{total} points; at most {MOST_POINTS} are taken")
        grid = product(axes["kmin"], axes["kmax"], axes["pmax"], axes["n"])
        points = tuple(Point(speed, int(kmin), int(kmax), pmax, int(n)) for kmin, kmax, pmax, n in grid if kmin < kmax)
        out.append(Table(tuple(numbers), limits, points, total - len(points)))
    return out


def solve(points: tuple[Point, ...], params: Params) -> tuple[Solved, ...]:
    """The model's answers. Workers run this: here, in other processes, on other machines."""
    return tuple(_solve(point, params) for point in points)


def _solve(point: Point, params: Params) -> Solved:
    curve = Curve(point.kmin, point.kmax, point.pmax / 100)
    try:
        got = predict.__wrapped__(point.speed, point.flows, curve, params)  # time courses are not worth keeping
    except Unpredictable:
        return Solved(*(None,) * len(Solved._fields))
    return Solved(got.marking, got.queue, got.delay_us, got.low, got.high, got.mean, got.utilisation)


def chunks(points: Iterable[Point]) -> Iterator[tuple[Point, ...]]:
    """The points in portions, each once, in order."""
    waiting = tuple(dict.fromkeys(points))
    for start in range(0, len(waiting), _CHUNK):
        yield waiting[start : start + _CHUNK]


def safe(point: Point, limits: Limits | None) -> bool | None:
    """Whether the curve keeps the bounds that make ECN act before PFC; None where one is unknown."""
    return before_pause(point.kmin, point.kmax, limits) if limits is not None else None
