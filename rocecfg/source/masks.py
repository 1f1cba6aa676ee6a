"""The shape of a text: what is left of it when digits mean nothing."""

from __future__ import annotations

_ANY = bytes.maketrans(b"123456789", b"0" * 9)
_DIGITS = frozenset("0123456789")


def masked(text: str) -> bytes:
    """A text with a 0 for each digit: texts that are equal then differ in digits alone, and are of one length."""
    return text.encode("utf-8", "surrogatepass").translate(_ANY)


def is_digital(text: str) -> bool:
    """Whether a text holds a digit, so that another one of its shape may differ in it."""
    return not _DIGITS.isdisjoint(text)
