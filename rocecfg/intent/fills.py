"""What all that fills in texts of a shape shares: the types of plans, and what does not fit."""

from __future__ import annotations

from rocecfg.intent.values import Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Fill = Callable[[str, Context], Any]  # of a text, and what reading it leaves behind: the value
    Places = list[int]  # those of a text, in the order in which the plan noted those of the first one
    Bind = Callable[[Places], Fill]

_DIGITS = frozenset("0123456789")


class UnfitFill(Exception):
    """A text, or a shape, that is to be read in full."""


def is_digital(text: str) -> bool:
    """Whether a text holds a digit, so that another one of its shape may differ in it."""
    return not _DIGITS.isdisjoint(text)
