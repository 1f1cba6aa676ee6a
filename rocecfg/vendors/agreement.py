"""What several writers ask alike of a class: its curve and its rates where a port's speed decides, and its queue.

What a system takes was checked before a writer is asked (`rocecfg.rules.refusals`); what is missing is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from rocecfg.core.units import show_rate
from rocecfg.model import Ecn, TrafficClass
from rocecfg.vendors.base import CannotRender

_T = TypeVar("_T")


def curve_in_bytes(cls: TrafficClass, speed: int | None) -> Ecn | None:
    """The curve of a class on ports of a speed; None: it is not marked. CannotRender where none is known."""
    curve = cls.ecn_at(speed)
    if isinstance(curve, Ecn) or (curve is None and not (cls.ecn_by_speed and speed is None)):
        return curve
    on = "ports whose speed is not stated" if speed is None else f"ports of {show_rate(speed)}"
    raise CannotRender(
        f"ecn of class {cls.name} is unknown for {on}: neither the intent nor a profile states it in bytes",
        "write ecn: {kmin: ..., kmax: ..., pmax: ...}, or state the platform and the speed of its ports",
        (cls.at("ecn"),),
    )


def rates_of(cls: TrafficClass, speed: int | None) -> tuple[float | None, float | None]:
    """The least and the highest rate of a class in bit/s; CannotRender for a share of a speed that nobody states."""
    percents = (cls.guaranteed_percent, cls.max_percent)
    if speed is None and percents != (None, None):
        raise CannotRender(
            f"class {cls.name} has a rate in percent, but the speed of its ports is not stated",
            "state speed on the ports, or the rate itself",
            (cls.at("guaranteed_percent", "max_percent", "guaranteed", "max_rate"),),
        )
    rates = (cls.guaranteed_rate, cls.max_rate)
    low, high = (r if p is None else (speed or 0) * p / 100 for r, p in zip(rates, percents, strict=True))
    return low, high


def first_stated(classes: Iterable[TrafficClass], get: Callable[[TrafficClass], _T | None]) -> _T | None:
    """What the classes of a queue say, which is the same for all that say something."""
    return next((value for cls in classes if (value := get(cls)) is not None), None)
