"""Where switches without tiers stand, told by numbers in their names, if all cables agree with these.

Those of a torus or mesh have coordinates, those of a dragonfly a group.
"""

from __future__ import annotations

import re

from rocecfg.analysis.graph import Graph
from rocecfg.core.records import NamedTuple

_NUMBERS = re.compile(r"\d+")


class Grid(NamedTuple):
    """The coordinates of each switch, counted from 0, and how many there are of each."""

    at: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]

    def step(self, u: int, v: int) -> tuple[int, int, bool]:
        """The dimension of the link u -> v, its direction (1 or -1), and whether it closes the ring."""
        for axis, (x, y) in enumerate(zip(self.at[u], self.at[v], strict=True)):
            if x != y:
                wraps = abs(x - y) != 1
                return axis, (1 if (y > x) != wraps else -1), wraps
        raise ValueError("two switches at one place")


def find_grid(found: Graph) -> Grid | None:
    """The grid of a torus or mesh; None where names have no coordinates, or a cable does not fit them.

    The numbers in a name are its coordinates, in written order: `t2-0-3` stands at (2, 0, 3). Each cable between
    switches joins two that differ in one coordinate, by 1 or from its last value to its first. A single ring needs no
    numbers: it is followed from its first switch.
    """
    return _grid_by_names(found) or _grid_of_ring(found)


def _grid_by_names(found: Graph) -> Grid | None:
    rows = [tuple(map(int, _NUMBERS.findall(name))) for name in found.names[: found.switches]]
    if not rows or not rows[0] or len(set(rows)) < len(rows) or len({len(row) for row in rows}) > 1:
        return None
    varying = [axis for axis in range(len(rows[0])) if len({row[axis] for row in rows}) > 1]
    least = [min(row[axis] for row in rows) for axis in varying]
    at = tuple(tuple(row[axis] - low for axis, low in zip(varying, least, strict=True)) for row in rows)
    sizes = tuple(max(row[n] for row in at) + 1 for n in range(len(varying)))
    for u in range(found.switches):
        for v in found.uplinks(u):
            apart = [(abs(x - y), size) for x, y, size in zip(at[u], at[v], sizes, strict=True) if x != y]
            if len(apart) != 1 or apart[0][0] not in (1, apart[0][1] - 1):
                return None
    return Grid(at, sizes)


def _grid_of_ring(found: Graph) -> Grid | None:
    count = found.switches
    if count < 3 or any(len(found.uplinks(n)) != 2 for n in range(count)):
        return None
    order = [0]
    before, here = 0, found.uplinks(0)[0]
    while here != 0:
        order.append(here)
        a, b = found.uplinks(here)
        before, here = here, b if a == before else a
    if len(order) != count:
        return None
    place = {n: i for i, n in enumerate(order)}
    return Grid(tuple((place[n],) for n in range(count)), (count,))


# -- the groups of a dragonfly -----------------------------------------------------------------------------------------


def find_groups(found: Graph) -> dict[int, int] | None:
    """The group of each switch; None where names do not tell it, or cables contradict what they tell.

    The first number of a name is its group's: `g2r1` is in group 2. Within a group each switch has a cable to each
    other one (Kim et al., ISCA'08); with one group, or one switch a group, there is nothing to tell.
    """
    of: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for n, name in enumerate(found.names[: found.switches]):
        number = _NUMBERS.search(name)
        if number is None:
            return None
        of[n] = int(number[0])
        members.setdefault(of[n], []).append(n)
    if len(members) < 2 or any(len(group) < 2 for group in members.values()):
        return None
    whole = all(set(group) - {n} <= set(found.uplinks(n)) for group in members.values() for n in group)
    return of if whole else None
