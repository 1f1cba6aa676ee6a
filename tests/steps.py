"""How many steps of Python some work takes: how it grows, whatever else the machine does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def count_steps(work: Callable[[], object]) -> int:
    """The instructions that Python carries out; what is done in C counts as one."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if event == "call":
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def assert_linear(
    work: Callable[[int], Callable[[], object]], small: int, *, times: int = 4, most: float = 1.4
) -> None:
    """Work that is prepared for a size takes so many times the steps for so many times the size, and little more."""
    work(small)()  # what is compiled and loaded once
    few, many = count_steps(work(small)), count_steps(work(small * times))
    assert many < most * times * few, f"{few} steps for {small}, {many} for {small * times}"
