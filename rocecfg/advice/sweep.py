"""A grid of marking curves and incasts, each put through the model on the cores of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

from rocecfg.advice.advise import Advice, Advised
from rocecfg.advice.checks import acts_before_pause
from rocecfg.advice.json_format import round_figure
from rocecfg.advice.predict import MODEL, Unpredictable, predict
from rocecfg.advice.wording import show_about, show_about_time, show_share
from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import parse_percent, parse_size, show_number, show_rate
from rocecfg.linting.workers import map_in_processes
from rocecfg.physics.dcqcn import MOST_FLOWS, Curve, Params
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
    far_us: float = 0.0  # that marks take longer than elsewhere


class Solved(NamedTuple):
    """What the model makes of a point; sizes in bytes, times in us, parts 0 to 1. All None where it has no answer."""

    marking: float | None
    queue: float | None
    delay_us: float | None
    low: float | None
    high: float | None
    mean: float | None
    sd: float | None
    utilisation: float | None
    steady: bool | None


class SweepTable(NamedTuple):
    """The points of all kinds of port that share speed, bounds and what is not swept."""

    kinds: tuple[int, ...]  # their numbers, from 1
    limits: Limits | None
    points: tuple[Point, ...]
    skipped: int  # points whose kmin is not below kmax


class Unsweepable(ValueError):
    """Nothing can be swept; the text says why."""


def make_tables(of: Advised, ranges: dict[str, tuple[float, ...]]) -> list[SweepTable]:
    """The points to solve for a fabric. What is not swept is as advised, else as it is now.

    Raises Unsweepable where a value is neither swept nor known, or where there are too many points.
    """
    groups: dict[tuple[object, ...], tuple[list[int], Advice, int, dict[str, tuple[float, ...]]]] = {}
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
        key = (speed, advice.limits, tuple(axes.items()), advice.far_us)
        groups.setdefault(key, ([], advice, speed, axes))[0].append(number)
    out = []
    for numbers, first, speed, axes in groups.values():
        total = len(axes["kmin"]) * len(axes["kmax"]) * len(axes["pmax"]) * len(axes["n"])
        if total > MOST_POINTS:
            raise Unsweepable(f"{total} points; at most {MOST_POINTS} are taken")
        grid = product(axes["kmin"], axes["kmax"], axes["pmax"], axes["n"])
        points = tuple(
            Point(speed, int(kmin), int(kmax), pmax, int(n), first.far_us)
            for kmin, kmax, pmax, n in grid
            if kmin < kmax
        )
        out.append(SweepTable(tuple(numbers), first.limits, points, total - len(points)))
    return out


def solve(points: tuple[Point, ...], params: Params, jobs: int, tick: Tick) -> dict[Point, Solved]:
    """The model's answers, found in `jobs` processes, or in this one where that is 1; `tick` hears of each portion."""
    parts = list(split_points(points))
    found: dict[Point, Solved] = {}
    for part, answers in zip(parts, map_in_processes(partial(_solve_part, params=params), parts, jobs), strict=True):
        found.update(zip(part, answers, strict=True))
        tick(len(part))
    return found


def _solve_part(points: tuple[Point, ...], params: Params) -> tuple[Solved, ...]:
    return tuple(_solve_point(point, params) for point in points)


def _solve_point(point: Point, params: Params) -> Solved:
    curve = Curve(point.kmin, point.kmax, point.pmax / 100)
    params = params._replace(delay_us=params.delay_us + point.far_us)
    try:
        got = predict.__wrapped__(point.speed, point.flows, curve, params)  # time courses are not worth keeping
    except Unpredictable:
        return Solved(*(None,) * len(Solved._fields))
    return Solved(
        got.marking, got.queue, got.delay_us, got.low, got.high, got.mean, got.sd, got.utilisation, got.steady
    )


def split_points(points: Iterable[Point]) -> Iterator[tuple[Point, ...]]:
    """The points in portions, each once, in order."""
    waiting = tuple(dict.fromkeys(points))
    for start in range(0, len(waiting), _CHUNK):
        yield waiting[start : start + _CHUNK]


def is_safe(point: Point, limits: Limits | None) -> bool | None:
    """Whether the curve keeps the bounds that make ECN act before PFC; None where one is unknown."""
    return acts_before_pause(point.kmin, point.kmax, limits) if limits is not None else None


# -- ranges as a user writes them --------------------------------------------------------------------------------------

# Ranges to sweep, as a user writes them: `kmin=100KB:2MB:8`, `pmax=1%,5%`, `n=2:512:9:linear`.


MOST_POINTS = 100_000
"""Points of a sweep: beyond, a range was mistyped."""

_MOST_STEPS = 10_000


def _parse_senders(text: str) -> float:
    if not is_number(text, 7):
        raise ValueError(f"{text!r} is not a number of senders")
    return int(text)


_READ: dict[str, Callable[[str], float]] = {
    "kmin": parse_size,
    "kmax": parse_size,
    "pmax": parse_percent,
    "n": _parse_senders,
}
_RANGES: dict[str, tuple[float, float]] = {
    "kmin": (1, 1e12),
    "kmax": (1, 1e12),
    "pmax": (1e-6, 100),
    "n": (1, MOST_FLOWS),
}


def parse_ranges(texts: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """The values to sweep for each of kmin and kmax (bytes), pmax (percent) and n; rising, each once.

    `LOW:HIGH:COUNT` are COUNT values, both ends among them, each the same factor above the one before it;
    `LOW:HIGH:COUNT:linear` the same distance. `A,B,C` are just these. kmin, kmax and n are rounded to whole numbers.
    ValueError for anything else.
    """
    found: dict[str, tuple[float, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if name not in _READ or not equals:
            raise ValueError(f"{text!r}: write kmin=, kmax=, pmax= or n= and its values")
        if name in found:
            raise ValueError(f"{name} is swept twice")
        try:
            found[name] = tuple(sorted(set(_parse_values(name, values))))
        except ValueError as error:
            raise ValueError(f"{text!r}: {error}") from error
    return found


def _parse_values(name: str, text: str) -> list[float]:
    parts = text.split(":")
    if len(parts) == 1:
        values = [_READ[name](part.strip()) for part in text.split(",")]
    elif len(parts) == 3 or (len(parts) == 4 and parts[3] in {"linear", "geometric"}):
        low, high = _READ[name](parts[0]), _READ[name](parts[1])
        if not (is_number(parts[2]) and 2 <= int(parts[2]) <= _MOST_STEPS):
            raise ValueError(f"{parts[2]!r} is not a count from 2 to {_MOST_STEPS}")
        if not 0 < low < high:
            raise ValueError("the range must rise, and begin above 0")
        values = _spread_values(low, high, int(parts[2]), linear=parts[-1] == "linear")
    else:
        raise ValueError("write LOW:HIGH:COUNT, LOW:HIGH:COUNT:linear, or values between commas")
    if name == "pmax":
        values = [float(f"{value:.6g}") for value in values]
    else:
        values = [round(value) for value in values]
    least, most = _RANGES[name]
    for value in values:
        if not least <= value <= most:
            raise ValueError(f"{value:g} is not from {least:g} to {most:g}")
    return values


def _spread_values(low: float, high: float, count: int, *, linear: bool) -> list[float]:
    steps = count - 1
    if linear:
        return [low + (high - low) * n / steps for n in range(count)]
    return [low * (high / low) ** (n / steps) for n in range(steps)] + [high]


# -- what came of it ---------------------------------------------------------------------------------------------------


_HEAD = ("kmin", "kmax", "pmax", "n", "p*", "q*", "delay", "mean", "sd", "1% low", "1% high", "used", "ECN first")
_WIDTHS = (8, 8, 6, 6, 7, 8, 7, 8, 8, 8, 8, 6)


def show_tables(tables: Iterable[SweepTable], found: Mapping[Point, Solved]) -> Iterator[str]:
    """Lines: a table for each group of kinds of port."""
    for table in tables:
        numbers = ", ".join(map(str, table.kinds))
        speed = show_rate(table.points[0].speed) if table.points else ""
        left = f", {table.skipped} left out (kmin not below kmax)" if table.skipped else ""
        yield ""
        yield f"sweep of kind{'s' * (len(table.kinds) > 1)} {numbers} {speed}: {len(table.points)} points{left}"
        yield f"  {MODEL}"
        yield _table_row(_HEAD)
        for point in table.points:
            yield _table_row(_point_cells(point, found[point], is_safe(point, table.limits)))


def _table_row(cells: tuple[str, ...]) -> str:
    *most, last = cells
    return "  " + " ".join(f"{cell:>{width}}" for cell, width in zip(most, _WIDTHS, strict=True)) + f"  {last}"


def _point_cells(point: Point, of: Solved, keeps: bool | None) -> tuple[str, ...]:
    def each(value: float | None, show: Any, instead: str = "-") -> str:
        return str(show(value)) if value is not None else instead

    return (
        show_about(point.kmin),
        show_about(point.kmax),
        f"{show_number(point.pmax)}%",
        str(point.flows),
        each(of.marking, show_share),
        each(of.queue, show_about, "off ramp"),
        each(of.delay_us, show_about_time),
        each(of.mean, show_about),
        each(of.sd, show_about),
        each(of.low, show_about),
        each(of.high, show_about),
        each(of.utilisation, show_share),
        {True: "holds", False: "BROKEN", None: "unknown"}[keeps],
    )


def as_json(tables: Iterable[SweepTable], found: Mapping[Point, Solved]) -> list[dict[str, Any]]:
    """The same for JSON."""
    return [
        {
            "kinds": list(table.kinds),
            "left_out_points": table.skipped,
            "points": [_point_as_json(point, found[point], is_safe(point, table.limits)) for point in table.points],
        }
        for table in tables
    ]


def _point_as_json(point: Point, of: Solved, keeps: bool | None) -> dict[str, Any]:
    swing = of.high - of.low if of.high is not None and of.low is not None else None
    return {
        "speed_bit_per_s": point.speed,
        "kmin_bytes": point.kmin,
        "kmax_bytes": point.kmax,
        "pmax_percent": point.pmax,
        "incast": point.flows,
        "marking_percent": round_figure(of.marking * 100) if of.marking is not None else None,
        "queue_bytes": round_figure(of.queue),
        "delay_us": round_figure(of.delay_us),
        "settles": of.steady,
        "queue_low_bytes": round_figure(of.low),
        "queue_high_bytes": round_figure(of.high),
        "queue_mean_bytes": round_figure(of.mean),
        "queue_sd_bytes": round_figure(of.sd),
        "swing_bytes": round_figure(swing),
        "utilisation_percent": round_figure(of.utilisation * 100) if of.utilisation is not None else None,
        "ecn_before_pfc": keeps,
    }
