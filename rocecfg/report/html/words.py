"""Counts, names and rates in words, as drawings and tables say them."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.core.nodeset import fold_set
from rocecfg.core.units import show_number, show_rate

_LONGEST = 160  # letters of a node set: what is longer ends in an ellipsis, and its number is said beside it


def shorten_names(names: Iterable[str]) -> str:
    """Names as a node set in as few letters as may be: `pod[01-20]-leaf[01-32]`; the end of a long one is left out."""
    text = fold_set(tuple(names))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def format_count(number: int, what: str) -> str:
    """`1 switch`, `24 switches`, with the thousands apart."""
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what}{'es' if what.endswith('ch') else 's'}"


def format_speeds(counted: Iterable[tuple[int | None, int]]) -> str:
    """Cables by their speed in bit/s: `64 x 400G + 2 x 100G`."""
    return " + ".join(f"{number:,} x {show_rate(speed) if speed else 'unknown speed'}" for speed, number in counted)


def format_rate(bits: float) -> str:
    """Bit/s with its unit, in at most four digits: `25.6 Tbit/s`."""
    for unit, factor in (("Pbit/s", 1e15), ("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6)):
        if bits >= factor:
            return f"{show_number(round(bits / factor, 2))} {unit}"
    return f"{show_number(bits)} bit/s"
