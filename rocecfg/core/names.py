"""What an intent takes as the name of a device, and of a port; how far a word is from another."""

from __future__ import annotations

from functools import lru_cache

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_IN_DEVICE = _ALNUM | frozenset("_.-")
_IN_PORT = _ALNUM | frozenset("_.:/-")
DEVICE_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,252}$"
PORT_PATTERN = "^[A-Za-z0-9][A-Za-z0-9_.:/-]{0,63}$"  # 1/1/c1/1 is a port of SR OS


def is_device_name(text: str) -> bool:
    """Whether it fits DEVICE_PATTERN: no regular expression is compiled for that at start-up."""
    return 0 < len(text) <= 253 and text[0] in _ALNUM and _IN_DEVICE.issuperset(text)


def is_port_name(text: str) -> bool:
    """Whether it fits PORT_PATTERN."""
    return 0 < len(text) <= 64 and text[0] in _ALNUM and _IN_PORT.issuperset(text)


@lru_cache(maxsize=4096)  # one slip is often made many times
def edit_distance(a: str, b: str) -> int:
    """Edit distance in which swapping two neighbours counts as one."""
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, before2, before, row = row, before, row, [i]
        for j, y in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before2[j - 2] + 1)
            row.append(best)
    return row[-1]
