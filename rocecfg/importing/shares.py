"""Shares of bandwidth in whole percents: weights rarely divide to them, and nobody writes 15.3846."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations

_WHOLE = 100
_NEAR = 0.01  # percent: how far shares of 1/8 and the like may miss the whole by, as they are written
_LOST = 1  # percentage points: less than this no scheduler that takes whole weights tells apart


def whole_shares(shares: Mapping[int, float]) -> dict[int, int] | None:
    """Shares of queues, in percent, as whole numbers from 1 that sum to 100; equal ones stay equal where they can.

    None where that changes one by a percentage point or more, or where they sum to something else: who set them so
    has to see it.
    """
    if abs(sum(shares.values()) - _WHOLE) > _NEAR:
        return None
    out = {queue: max(1, math.floor(share)) for queue, share in shares.items()}
    left = _WHOLE - sum(out.values())
    for queue in _raised(shares, out, left):
        out[queue] += 1
    if left < 0:  # those that were less than one cost the largest
        out[max(out, key=out.__getitem__)] += left
    return out if all(abs(out[queue] - share) < _LOST for queue, share in shares.items()) else None


def _raised(shares: Mapping[int, float], floors: Mapping[int, int], left: int) -> list[int]:
    """The queues that are rounded up: as many as are left over, all that are equal or none, else the largest rests."""
    if left <= 0:
        return []
    rest = {queue: share - floors[queue] for queue, share in shares.items()}
    equal: dict[float, list[int]] = {}
    for queue, share in shares.items():
        equal.setdefault(share, []).append(queue)
    found = [
        [queue for group in chosen for queue in group]
        for count in range(1, len(equal) + 1)
        for chosen in combinations(equal.values(), count)
        if sum(map(len, chosen)) == left
    ]
    if found:
        return max(found, key=lambda queues: sum(rest[queue] for queue in queues))
    return sorted(rest, key=lambda queue: -rest[queue])[:left]
