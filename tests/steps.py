"""How many steps of Python some work takes: how it grows, whatever else the machine does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def count_steps(work: Callable[[], object]) -> int:
    """The instructions that Python carries out, and returns; what is done in C counts as one."""
    count = 0

    def enter(frame: FrameType, _event: str, _: object) -> Any:
        frame.f_trace_lines = False
        frame.f_trace_opcodes = True
        return step

    def step(_frame: FrameType, _event: str, _: object) -> Any:  # called for each: nothing is asked here
        nonlocal count
        count += 1
        return step

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def assert_linear(work: Callable[[int], Callable[[], object]], small: int, *, most: float = 1.02) -> None:
    """From twice the size to four times it takes twice the steps that it takes from the size to twice the size.

    What is done once falls out, and what grows by itself is twice as much, or little more: with a step for each pair
    of 40 lines that take 20,000 steps each, it is a twentieth more.
    """
    work(small)()  # what is compiled and loaded once
    one, two, four = (count_steps(work(small * times)) for times in (1, 2, 4))
    grows = (four - two) / (two - one) / 2
    assert grows < most, f"{one} steps for {small}, {two} for {2 * small}, {four} for {4 * small}: {grows:.3f} times"
