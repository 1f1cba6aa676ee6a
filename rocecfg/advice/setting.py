"""One value that a port has, and what rocecfg would set instead."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Origin

Value = float | str | None  # a number in the unit that ends the key, a word of the intent, or unknown


class Setting(NamedTuple):
    """One value now and as advised, with its working."""

    key: str  # ends in its unit: kmin_bytes, pmax_percent, detection_ms; without one: a factor or a word
    now: Value
    now_at: Origin | None
    advised: Value
    why: str  # the working of `advised`; where nothing is advised, why not
    origins: tuple[Origin, ...] = ()  # where the figures of the working are from

    @property
    def same(self) -> bool:
        """Whether the intent has what is advised."""
        return self.advised is not None and self.now == self.advised
