"""Whole numbers as devices and people write them."""

from __future__ import annotations

import re

_MOST = 18  # more are no quantity that a switch counts, and `int` takes time over thousands of them
_SPELLED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")


def is_number(text: str, most: int = _MOST) -> bool:
    """Whether a text is a whole number without a sign, in ASCII digits, and of at most `most` of them.

    `str.isdigit` alone takes `³` and other digits that `int` refuses.
    """
    return text.isascii() and text.isdigit() and len(text) <= most


def guess_numbers(text: str) -> list[int]:
    """The numbers that a text without a plain number may mean: `three`, `TC3`, `9k`, `1.0`, `3,4`."""
    if text.casefold() in _SPELLED:
        return [_SPELLED.index(text.casefold())]
    thousands = re.fullmatch(r"(\d{1,12})[kK]", text)
    inside = [f"{thousands[1]}000"] if thousands else re.findall(r"\d{1,15}", text.removesuffix(".0"))
    return [int(number) for number in inside]


def advise_number(text: str, low: int, high: int) -> str:
    """What to write instead of a text, as whole number of a range; empty where that cannot be guessed."""
    numbers = [number for number in guess_numbers(text) if low <= number <= high]
    if not numbers or len(numbers) != len(guess_numbers(text)):
        return ""
    return f"write {numbers[0]}" if len(numbers) == 1 else f"write one number: {' or '.join(map(str, numbers))}"


__all__ = ["advise_number", "guess_numbers", "is_number"]
