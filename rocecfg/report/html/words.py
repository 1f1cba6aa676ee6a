"""Counts, names and rates in words, as drawings and tables say them."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.core.nodeset import fold
from rocecfg.core.units import show_number, show_rate

_LONGEST = 160  # letters of a node set: what is longer ends in an ellipsis, and its number is said beside it
_PLACEHOLDERS = 0xE000  # private characters that stand for brackets while the names around them are folded
_DEPTH = 4  # numbers of a name that are folded


def short(names: Iterable[str]) -> str:
    """Names as a node set in as few letters as may be: `pod[01-20]-leaf[01-32]`; the end of a long one is left out."""
    text = fold(tuple(names))
    for _ in range(_DEPTH):
        folded = _folded_again(text)
        if folded == text:
            break
        text = folded
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _folded_again(text: str) -> str:
    """A node set whose names differ in one more number folded by that."""
    brackets: list[str] = []
    out = []
    rest = text
    while rest:
        before, opened, tail = rest.partition("[")
        out.append(before)
        if not opened:
            break
        body, _, rest = tail.partition("]")
        if body not in brackets:
            brackets.append(body)
        out.append(chr(_PLACEHOLDERS + brackets.index(body)))
    folded = fold(tuple("".join(out).split(",")))
    for number, body in enumerate(brackets):
        folded = folded.replace(chr(_PLACEHOLDERS + number), f"[{body}]")
    return folded


def count(number: int, what: str) -> str:
    """`1 switch`, `24 switches`, with the thousands apart."""
    if number == 1:
        return f"1 {what}"
    return f"{number:,} {what}{'es' if what.endswith('ch') else 's'}"


def speeds(counted: Iterable[tuple[int | None, int]]) -> str:
    """Cables by their speed in bit/s: `64 x 400G + 2 x 100G`."""
    return " + ".join(f"{number:,} x {show_rate(speed) if speed else 'unknown speed'}" for speed, number in counted)


def rate(bits: float) -> str:
    """Bit/s with its unit, in at most four digits: `25.6 Tbit/s`."""
    for unit, factor in (("Pbit/s", 1e15), ("Tbit/s", 1e12), ("Gbit/s", 1e9), ("Mbit/s", 1e6)):
        if bits >= factor:
            return f"{show_number(round(bits / factor, 2))} {unit}"
    return f"{show_number(bits)} bit/s"
