"""Lengths of cables in metres, from the units of inventories. An inch is 25.4 mm by definition."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_INCH = Fraction(254, 10_000)
_METRES = {
    "m": Fraction(1),
    "meter": Fraction(1),
    "metre": Fraction(1),
    "cm": Fraction(1, 100),
    "centimeter": Fraction(1, 100),
    "mm": Fraction(1, 1000),
    "millimeter": Fraction(1, 1000),
    "km": Fraction(1000),
    "kilometer": Fraction(1000),
    "in": _INCH,
    "inch": _INCH,
    "inche": _INCH,  # of inches
    "ft": 12 * _INCH,
    "foot": 12 * _INCH,
    "feet": 12 * _INCH,
    "yd": 36 * _INCH,
    "yard": 36 * _INCH,
    "mi": 63_360 * _INCH,
    "mile": 63_360 * _INCH,
}
_LENGTH = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s*([A-Za-z]+)")
_LONGEST = 200_000  # m that an intent takes


@lru_cache(4096)
def parse_metres(text: str) -> float | None:
    """`20m`, `66 ft`, `5 Meters` in metres; None for what is not a length, or none that a cable has."""
    found = _LENGTH.fullmatch(text.strip())
    if found is None:
        return None
    word = found[2].lower()
    unit = _METRES.get(word) or _METRES.get(word.removesuffix("s"))
    if unit is None:
        return None
    length = float(Fraction(found[1]) * unit)
    return length if 0 < length <= _LONGEST else None
