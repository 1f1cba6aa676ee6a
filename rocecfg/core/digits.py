"""Whole numbers as devices write them."""

from __future__ import annotations

_MOST = 18  # more are no quantity that a switch counts, and `int` takes time over thousands of them


def is_number(text: str, most: int = _MOST) -> bool:
    """Whether a text is a whole number without a sign, in ASCII digits, and of at most `most` of them.

    `str.isdigit` alone takes `³` and other digits that `int` refuses.
    """
    return text.isascii() and text.isdigit() and len(text) <= most


__all__ = ["is_number"]
