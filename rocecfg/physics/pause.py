"""How long a PFC frame can pause a priority, and how many frames keep it paused.

A PFC frame holds a pause time of 16 bits for each priority, in quanta of 512 bit times: at most 65535 quanta, which is
less time the faster the port. Who wants a priority paused without a break sends the next frame before that time is
over, so a port that is paused all the time receives at least one frame in it.

Source: IEEE 802.1Qbb, which takes quantum and time of a pause from IEEE 802.3, annex 31B.
"""

from __future__ import annotations

_QUANTUM = 512  # bits
_MOST_QUANTA = 65535  # 16 bits
_MS = 1000  # in a second


def longest_pause(speed: int) -> float:
    """The longest time, in ms, that one PFC frame pauses a port of `speed` bit/s: `65535 * 512 / speed`."""
    return _MOST_QUANTA * _QUANTUM * _MS / speed


def full_pause_rate(speed: int) -> float:
    """The fewest PFC frames/s that keep a port of `speed` bit/s paused all the time: `speed / (65535 * 512)`."""
    return speed / (_MOST_QUANTA * _QUANTUM)
