"""Which rules a run spends its time in."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable, Iterable
from inspect import unwrap
from typing import TypeVar

from rocecfg.rules import Rule

T = TypeVar("T")
_Place = tuple[str, int, str]  # file, line and name of a function, as profiles know it


def run_profiled(work: Callable[[], T]) -> tuple[T, pstats.Stats]:
    """What a piece of work gives, and where its time went; it takes two or three times as long meanwhile."""
    profile = cProfile.Profile()
    profile.enable()
    try:
        out = work()
    finally:
        profile.disable()
    return out, pstats.Stats(profile)


def sum_by_rule(stats: pstats.Stats, rules: Iterable[Rule]) -> list[tuple[str, float, int]]:
    """Name, seconds and calls of each rule that was asked, the slowest first.

    What several rules share is computed once, and counts for the one that asks first.
    """
    timed: dict[_Place, tuple[float, int]] = {
        place: (of[3], of[1])
        for place, of in stats.stats.items()  # type: ignore[attr-defined]
    }
    out = []
    for rule in rules:
        if rule.check is None:
            continue
        code = unwrap(rule.check).__code__
        found = timed.get((code.co_filename, code.co_firstlineno, code.co_name))
        if found is not None:
            out.append((rule.name, *found))
    return sorted(out, key=lambda row: (-row[1], row[0]))
