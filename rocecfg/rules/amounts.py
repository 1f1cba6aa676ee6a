"""Values that rules tell to pass, and figures in words."""

from __future__ import annotations

from math import ceil, floor

from rocecfg.core.units import show_number, show_size
from rocecfg.model import Default, Origin, ProfileFact, Span
from rocecfg.profiles import MARKS

_KB = 1000
_UNITS = (("GB", 10**9), ("MB", 10**6), ("KB", 10**3))


def round_below(bound: float, step: int | None) -> int:
    """The largest whole KB below a bound that stays below it however a chip rounds to its steps; 0: there is none."""
    unit = step or 1
    return _floor_to_kb(max(ceil(bound / unit) - 1, 0) * unit)


def round_down(bound: float, step: int | None) -> int:
    """The largest whole KB that keeps to a bound however a chip rounds to its steps; 0: there is none."""
    unit = step or 1
    return _floor_to_kb(floor(bound / unit) * unit)


def round_up(bound: float, step: int | None) -> int:
    """The smallest whole KB that reaches a bound however a chip rounds to its steps."""
    unit = step or 1
    return ceil(max(ceil(bound / unit), 1) * unit / _KB) * _KB


def _floor_to_kb(size: int) -> int:
    """In whole KB; very small ones as they are."""
    return size // _KB * _KB or size


def format_upper_bound(name: str, size: int) -> str:
    """`kmax: 400KB or less`, or that there is none."""
    return f"{name}: {show_size(size)} or less" if size > 0 else f"no {name} is small enough"


def format_rough_size(size: float, *, up: bool = False) -> str:
    """Bytes in four digits, rounded down, or up: `1.675MB`."""
    for unit, factor in _UNITS:
        if size >= factor:
            whole = len(str(int(size / factor)))
            scale = 10 ** max(0, 4 - whole)
            scaled = size / factor * scale
            return f"{show_number((ceil(scaled) if up else floor(scaled)) / scale)}{unit}"
    return f"{ceil(size) if up else floor(size)}B"


def show_wait(ms: float) -> str:
    """A time as short as it reads well: `8us`, `67.1ms`, `8.6s`."""
    if ms < 1:
        return f"{show_number(round(ms * 1000, 1))}us"
    return f"{show_number(round(ms, 1))}ms" if ms < 1000 else f"{show_number(round(ms / 1000, 1))}s"


def describe_origin(origin: Origin) -> str:
    """An origin in a few words."""
    if isinstance(origin, Span):
        return "as stated"
    if isinstance(origin, Default):
        return origin.why
    if isinstance(origin, ProfileFact):
        sure = "" if origin.mark == "V" else f", {MARKS[origin.mark]}"
        return f"profile {origin.profile}{sure}"
    facts = [o for o in origin.inputs if isinstance(o, ProfileFact)]
    return ", ".join((origin.formula, *(f"profile {f.profile}" for f in facts[:1])))
