"""What headrooms take together, and how fast a buffer fills. Sizes are in bytes, speeds in bit/s.

A switch holds `pool + shared + reserved <= buffer`. Headrooms are private, and then all of them fit at once, or they
share a pool that is smaller than their sum by a ratio that someone has to answer for.
"""

from __future__ import annotations

from collections.abc import Iterable


def add_headrooms(rooms: Iterable[tuple[int, int, int]]) -> int:
    """What all headrooms take if each is kept free: bytes, the sum of `ports * priorities * X`.

    `rooms` has for each kind of port: how many ports, how many lossless priorities on each, and the headroom X of one
    priority in bytes.
    """
    return sum(ports * priorities * room for ports, priorities, room in rooms)


def oversubscription(need: int, pool: int) -> float:
    """How many times over headrooms of `need` bytes are promised from a pool of `pool` bytes, which is above 0.

    SONiC's stock tables come to 1.1 to 3.8 with two lossless priorities (the pool's xoff against the headroom tables).
    """
    return need / pool


def shared_bytes(buffer: int, reserved: int, headroom: int) -> int:
    """What a buffer leaves to share: bytes, `buffer - reserved - headroom`. Below 0 where it is promised twice."""
    return buffer - reserved - headroom


def fill_us(threshold: int, speed: int) -> float:
    """How long a port needs to fill `threshold` bytes that nothing drains: us, `8 * T / S`.

    The time in which a pause goes one switch further: 80 us for 1 MB at 100G.
    """
    return 8 * threshold * 10**6 / speed
