"""Marking thresholds in the units of EOS, as bytes."""

from __future__ import annotations

from typing import Any, Final

from rocecfg.model import AUTO, Span
from rocecfg.model.stated import Section, Val

_BYTES = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
_SECONDS = {"microseconds": 1e-6, "milliseconds": 1e-3}
TIMES: Final = frozenset(_SECONDS)

StatedCurve = tuple[
    int, str, int, str, int, int
]  # minimum, its unit, maximum, its unit, probability in percent, weight


def convert_to_bytes(number: int, unit: str, speed: int | None, cell: int | None) -> int | None:
    """A threshold in bytes; None where that takes a speed (bit/s) or a cell size (bytes) that is not known."""
    if unit in _BYTES:
        return number * _BYTES[unit]
    if unit == "segments":
        return None if cell is None else number * cell
    return None if speed is None else round(number * _SECONDS[unit] * speed / 8)


def convert_curve(curve: StatedCurve, at: Span, speed: int | None, cell: int | None) -> Val:
    """The curve of a queue in the intent's terms; AUTO where it is there, but not known in bytes."""
    low, unit, high, unit2, probability, weight = curve
    kmin, kmax = convert_to_bytes(low, unit, speed, cell), convert_to_bytes(high, unit2, speed, cell)
    if kmin is None or kmax is None:
        return Val(AUTO, at)
    given: dict[str, Any] = {"kmin": kmin, "kmax": kmax, "pmax": probability, "weight": weight}
    section: Section = {key: Val(value, at) for key, value in given.items()}
    return Val(section, at)
