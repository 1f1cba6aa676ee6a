"""Numbers of the advice as people read them."""

from __future__ import annotations

from rocecfg.advice.setting import Value
from rocecfg.core.units import show_number, show_size, show_time


def value(key: str, of: Value) -> str:
    """A setting's value with the unit that its key ends in."""
    if of is None:
        return "unknown"
    if isinstance(of, str):
        return of
    if key.endswith("_bytes"):
        return show_size(int(of))
    if key.endswith("_ms"):
        return show_time(of)
    if key.endswith("_percent"):
        return f"{show_number(of)}%"
    return show_number(of)


def about(size: float) -> str:
    """A size that a model came to: 20.2KB, 1.94MB."""
    for unit, factor, digits in (("GB", 1e9, 2), ("MB", 1e6, 2), ("KB", 1e3, 1)):
        if size >= factor * 0.99995:
            return f"{size / factor:.{digits}f}{unit}"
    return f"{size:.0f}B"


def about_time(us: float) -> str:
    """A time that a model came to: 4.52us, 1.5ms."""
    return f"{us / 1000:.3g}ms" if us >= 999.5 else f"{us:.3g}us"


def share(part: float) -> str:
    """A part of the whole in percent, three digits of it: 0.596%."""
    return f"{part * 100:.3g}%"
