"""A sweep's answers as a table and as JSON, in the order of the grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rocecfg.advice.json_format import rounded
from rocecfg.advice.predict import CAVEAT
from rocecfg.advice.sweep import Point, Solved, Table, safe
from rocecfg.advice.words import about, about_time, share
from rocecfg.core.units import show_number, show_rate

_HEAD = ("kmin", "kmax", "pmax", "n", "p*", "q*", "delay", "lowest", "highest", "swing", "used", "ECN first")
_WIDTHS = (8, 8, 6, 6, 7, 8, 7, 8, 8, 8, 6)


def text(tables: Iterable[Table], found: Mapping[Point, Solved]) -> Iterator[str]:
    """Lines: a table for each group of kinds of port."""
    for table in tables:
        numbers = ", ".join(map(str, table.kinds))
        speed = show_rate(table.points[0].speed) if table.points else ""
        left = f", {table.skipped} left out (kmin not below kmax)" if table.skipped else ""
        yield ""
        yield f"sweep of kind{'s' * (len(table.kinds) > 1)} {numbers} {speed}: {len(table.points)} points{left}"
        yield f"  {CAVEAT}"
        yield _row(_HEAD)
        for point in table.points:
            yield _row(_told(point, found[point], safe(point, table.limits)))


def _row(cells: tuple[str, ...]) -> str:
    *most, last = cells
    return "  " + " ".join(f"{cell:>{width}}" for cell, width in zip(most, _WIDTHS, strict=True)) + f"  {last}"


def _told(point: Point, of: Solved, keeps: bool | None) -> tuple[str, ...]:
    def each(value: float | None, show: Any, instead: str = "-") -> str:
        return str(show(value)) if value is not None else instead

    swing = of.high - of.low if of.high is not None and of.low is not None else None
    return (
        about(point.kmin),
        about(point.kmax),
        f"{show_number(point.pmax)}%",
        str(point.flows),
        each(of.marking, share),
        each(of.queue, about, "off ramp"),
        each(of.delay_us, about_time),
        each(of.low, about),
        each(of.high, about),
        each(swing, about),
        each(of.utilisation, share),
        {True: "holds", False: "BROKEN", None: "unknown"}[keeps],
    )


def plain(tables: Iterable[Table], found: Mapping[Point, Solved]) -> list[dict[str, Any]]:
    """The same for JSON."""
    return [
        {
            "kinds": list(table.kinds),
            "left_out_points": table.skipped,
            "points": [_plain(point, found[point], safe(point, table.limits)) for point in table.points],
        }
        for table in tables
    ]


def _plain(point: Point, of: Solved, keeps: bool | None) -> dict[str, Any]:
    swing = of.high - of.low if of.high is not None and of.low is not None else None
    return {
        "speed_bit_per_s": point.speed,
        "kmin_bytes": point.kmin,
        "kmax_bytes": point.kmax,
        "pmax_percent": point.pmax,
        "incast": point.flows,
        "marking_percent": rounded(of.marking * 100) if of.marking is not None else None,
        "queue_bytes": rounded(of.queue),
        "delay_us": rounded(of.delay_us),
        "settles": None,  # version 1 has the key; a fluid cannot tell
        "queue_low_bytes": rounded(of.low),
        "queue_high_bytes": rounded(of.high),
        "queue_mean_bytes": rounded(of.mean),
        "swing_bytes": rounded(swing),
        "utilisation_percent": rounded(of.utilisation * 100) if of.utilisation is not None else None,
        "ecn_before_pfc": keeps,
    }
