"""Keys that stand for several: `0-3,5`, `swp1-4,swp6`, `swp1,4-11`, `swp6s0-1,swp7s0-1`, `vlan200,300`."""

from __future__ import annotations

import re
from functools import lru_cache

_PIECE = re.compile(r"(.*?)([0-9]{1,9})(?:-([0-9]{1,9}))?")
_ADDRESS = re.compile(r"[0-9]+\.[0-9.]+|[0-9a-fA-F]*:[0-9a-fA-F:.]*")
_MOST = 4096  # names one key may stand for: VLANs are the longest


class NotNames(ValueError):
    """A key that stands for no names; the text says why."""


def is_address(key: str) -> bool:
    """Whether a key is an IP address: no port has a name like one."""
    return _ADDRESS.fullmatch(key) is not None


@lru_cache(maxsize=4096)
def expand_names(key: str) -> tuple[str, ...]:
    """The names that a key stands for. A piece of numbers alone takes over the word before it: `swp1,4-11`.

    Raises NotNames for a range that runs backwards, and for more than 4096 names: a list of ranges takes a thousand
    times the memory of its text.
    """
    found: list[str] = []
    word = ""
    for piece in key.split(","):
        match = _PIECE.fullmatch(piece)
        if match is None:
            found.append(piece)
            word = ""
            continue
        before, low, high = match.groups()
        if before:
            word = before
        found += [f"{word}{number}" for number in _expand_numbers(piece, low, high)]
        if high is not None and len(found) > _MOST:
            raise NotNames(f"{key[:40]}… stands for more names than any switch has")
    return tuple(found)


def _expand_numbers(piece: str, low: str, high: str | None) -> list[str]:
    if high is None:
        return [low]
    count = int(high) - int(low) + 1
    if count < 1:
        raise NotNames(f"{piece} runs backwards")
    if count > _MOST:
        raise NotNames(f"{piece} stands for {count} names, more than any switch has")
    width = len(low) if low[0] == "0" and len(low) > 1 else 0
    return [f"{number:0{width}d}" for number in range(int(low), int(high) + 1)]
