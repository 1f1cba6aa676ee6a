"""The marking curves of a chip, written by docs/curves.py: what `ecn: auto` takes."""

from __future__ import annotations

from rocecfg.core.units import parse_percent, parse_rate, parse_size, parse_time
from rocecfg.model.facts import ChosenCurve, CurveTable
from rocecfg.profiles.files import Entry

ANY = "any"  # how many senders is not known


def parse_senders(text: str) -> tuple[int, int | None] | None:
    """`2-16` as the least and most, `257-` without a most, `any` as None; ValueError for anything else."""
    if text == ANY:
        return None
    least, dash, most = text.partition("-")
    if not (dash and least.isdecimal() and (most == "" or (most.isdecimal() and int(least) <= int(most)))):
        raise ValueError(f"{text!r} is no range of senders: write 2-16, 257- or {ANY}")
    return int(least), int(most) if most else None


def curve_table(_: str, file: str, stated: Entry) -> CurveTable:
    """A table, from its profile."""
    source, mark = stated.cited()
    stated.text("title")
    rows: dict[int, dict[tuple[int, int | None] | None, ChosenCurve]] = {}
    for speed, ranges in stated.entry("rows").quantities(parse_rate):
        row = {}
        for senders, curve in ranges.quantities(parse_senders):
            row[senders] = ChosenCurve(
                kmin=curve.quantity("kmin", parse_size),
                kmax=curve.quantity("kmax", parse_size),
                pmax=curve.quantity("pmax", parse_percent),
                used=curve.quantity("used", parse_percent),
                wait=curve.quantity("wait", parse_time) * 1e3,
            )
            curve.done()
        if None not in row:
            raise ranges.fail("no curve for any number of senders", f"write {ANY}: {{kmin: ..., kmax: ..., pmax: ...}}")
        rows[speed] = row
    stated.done()
    return CurveTable(file, rows, source, mark)
