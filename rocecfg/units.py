"""Sizes, times, rates, lengths and percents as people write them, with their units; exact, no floats on the way.

Every parser takes the text of one scalar and returns a plain number, or raises ValueError whose text says what is
wrong and, where the answer is plain, what to write. A number without a unit is refused: vendors read the same
number as ms or s, bytes or kilobytes.
"""

from __future__ import annotations

_SIZES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_TIMES = {"us": 1, "µs": 1, "ms": 10**3, "s": 10**6, "min": 60 * 10**6}  # in µs
_RATES = {"bit/s": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_RATES |= {f"{k}{tail}": v for k, v in list(_RATES.items())[1:] for tail in ("bit/s", "bps")}
_LENGTHS = {"mm": 1, "cm": 10, "m": 1000, "km": 10**6}  # in mm
_DIGITS = frozenset("0123456789")
_MOST_DIGITS = 24  # of one number: what goes beyond is no quantity, and would not fit a float


def _split(text: str) -> tuple[str, str, str]:
    """`12.5 MB` -> ("12", "5", "MB"); ValueError if it does not begin with a decimal number."""
    i = 0
    size = len(text)
    while i < size and text[i] in _DIGITS:
        i += 1
    whole, frac = text[:i], ""
    if i < size and text[i] == ".":
        j = i + 1
        while j < size and text[j] in _DIGITS:
            j += 1
        frac, i = text[i + 1 : j], j
        if not frac:
            raise ValueError(f"{text!r} is not a number with a unit")
    if not whole:
        raise ValueError(f"{text!r} is not a number with a unit")
    if len(whole) + len(frac) > _MOST_DIGITS:
        raise ValueError(f"{text[:_MOST_DIGITS]!r}... has more than {_MOST_DIGITS} digits")
    return whole, frac, text[i:].strip()


def _scaled(text: str, units: dict[str, int], what: str, offer: str) -> tuple[int, int]:
    """The value as numerator and denominator in the table's base unit."""
    whole, frac, unit = _split(text)
    factor = units.get(unit)
    if factor is None:
        if not unit:
            raise MissingUnit(f"{what} needs a unit", f"{text}{offer}")
        folded = {k.casefold(): k for k in units}
        near = folded.get(unit.casefold())
        hint = f"; write {near}" if near else f"; known: {', '.join(units)}"
        raise ValueError(f"{unit!r} is no unit of {what}{hint}")
    return int(whole + frac) * factor, 10 ** len(frac)


class MissingUnit(ValueError):
    """A bare number where a unit is needed; `offer` is the text with the unit most likely meant."""

    def __init__(self, message: str, offer: str) -> None:
        super().__init__(f"{message}; did you mean {offer}?")
        self.offer = offer


def _number(top: int, bottom: int) -> float:
    """An int where the value is whole, so that 200 ms prints as 200."""
    return top // bottom if top % bottom == 0 else top / bottom


def parse_size(text: str) -> int:
    """Bytes. KB/MB/GB are powers of 1000, KiB/MiB/GiB of 1024; fractions of a byte are refused."""
    top, bottom = _scaled(text, _SIZES, "a size", "KB")
    if top % bottom:
        raise ValueError(f"{text} is not a whole number of bytes")
    return top // bottom


def parse_time(text: str) -> float:
    """Milliseconds, from us, ms, s or min."""
    top, bottom = _scaled(text, _TIMES, "a time", "ms")
    return _number(top, bottom * 1000)


def parse_rate(text: str) -> int:
    """Bit/s, from 400G, 800Gbit/s, 25Gbps and the like."""
    top, bottom = _scaled(text, _RATES, "a rate", "G")
    if top % bottom:
        raise ValueError(f"{text} is not a whole number of bit/s")
    return top // bottom


def parse_length(text: str) -> float:
    """Metres, from cm, m or km."""
    top, bottom = _scaled(text, _LENGTHS, "a length", "m")
    return _number(top, bottom * 1000)


def parse_percent(text: str) -> float:
    """Percent, 0 to 100 and beyond: `5%` is 5. The range is the caller's to judge."""
    top, bottom = _scaled(text, {"%": 1}, "a percentage", "%")
    return _number(top, bottom)


def show_number(value: float) -> str:
    """`200`, `0.5`, `123456.7`: at most six decimals, no trailing zeros, never an exponent."""
    return f"{value:.6f}".rstrip("0").rstrip(".")


def show_size(size: int) -> str:
    """Bytes in the largest unit that keeps the number exact and short: 800KB, 1MiB, 1500B."""
    for unit in ("GB", "MB", "KB"):
        if size and size % (_SIZES[unit] // 10) == 0 and size >= _SIZES[unit]:
            return f"{show_number(size / _SIZES[unit])}{unit}"
    for unit in ("GiB", "MiB", "KiB"):
        if size and size % _SIZES[unit] == 0:
            return f"{size // _SIZES[unit]}{unit}"
    return f"{size}B"


def show_rate(rate: int) -> str:
    """Bit/s as networks name them, exactly: 400G, 2.5G, 100M."""
    for unit in ("T", "G", "M", "K"):
        if rate >= _RATES[unit] and (unit != "T" or rate % _RATES["T"] == 0):
            whole, rest = divmod(rate, _RATES[unit])
            digits = f"{rest:0{len(str(_RATES[unit])) - 1}d}".rstrip("0")
            return f"{whole}.{digits}{unit}" if digits else f"{whole}{unit}"
    return f"{rate}bit/s"


def show_time(ms: float) -> str:
    """Milliseconds with their unit: 200ms."""
    return f"{show_number(ms)}ms"
