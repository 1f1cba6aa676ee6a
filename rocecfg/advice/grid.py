"""Ranges to sweep, as a user writes them: `kmin=100KB:2MB:8`, `pmax=1%,5%`, `n=2:512:9:linear`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rocecfg.core.units import parse_percent, parse_size
from rocecfg.physics.dcqcn import MOST_FLOWS

MOST_POINTS = 100_000
"""Points of a sweep: beyond, a range was mistyped."""

_MOST_STEPS = 10_000


def _count(text: str) -> float:
    if not (text.isascii() and text.isdigit() and len(text) <= 7):
        raise ValueError(f"{text!r} is no number of senders")
    return int(text)


_READ: dict[str, Callable[[str], float]] = {
    "kmin": parse_size,
    "kmax": parse_size,
    "pmax": parse_percent,
    "n": _count,
}
_RANGES: dict[str, tuple[float, float]] = {
    "kmin": (1, 1e12),
    "kmax": (1, 1e12),
    "pmax": (1e-6, 100),
    "n": (1, MOST_FLOWS),
}


def ranges(texts: Iterable[str]) -> dict[str, tuple[float, ...]]:
    """The values to sweep for each of kmin and kmax (bytes), pmax (percent) and n; rising, each once.

    `LOW:HIGH:COUNT` are COUNT values, both ends among them, each the same factor above the one before it;
    `LOW:HIGH:COUNT:linear` the same distance. `A,B,C` are just these. kmin, kmax and n are rounded to whole numbers.
    ValueError for anything else.
    """
    found: dict[str, tuple[float, ...]] = {}
    for text in texts:
        name, equals, said = text.partition("=")
        if name not in _READ or not equals:
            raise ValueError(f"{text!r}: write kmin=, kmax=, pmax= or n= and its values")
        if name in found:
            raise ValueError(f"{name} is swept twice")
        try:
            found[name] = tuple(sorted(set(_values(name, said))))
        except ValueError as error:
            raise ValueError(f"{text!r}: {error}") from error
    return found


def _values(name: str, said: str) -> list[float]:
    parts = said.split(":")
    if len(parts) == 1:
        values = [_READ[name](part.strip()) for part in said.split(",")]
    elif len(parts) == 3 or (len(parts) == 4 and parts[3] in {"linear", "geometric"}):
        low, high = _READ[name](parts[0]), _READ[name](parts[1])
        if not (parts[2].isascii() and parts[2].isdigit() and 2 <= int(parts[2][:7]) <= _MOST_STEPS):
            raise ValueError(f"{parts[2]!r} is no count from 2 to {_MOST_STEPS}")
        if not 0 < low < high:
            raise ValueError("the range must rise, and begin above 0")
        values = _between(low, high, int(parts[2]), linear=parts[-1] == "linear")
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


def _between(low: float, high: float, count: int, *, linear: bool) -> list[float]:
    steps = count - 1
    if linear:
        return [low + (high - low) * n / steps for n in range(count)]
    return [low * (high / low) ** (n / steps) for n in range(steps)] + [high]
