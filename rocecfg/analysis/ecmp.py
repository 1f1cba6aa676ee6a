"""Shortest ways between switches by the routes in force, with how many of equal cost there are.

Switches with the same links to the same switches are one kind: whatever leads to one leads to all of them, so a search
goes over kinds, and counts by how many each has. That is exact, and a pod costs no more than a few of its switches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from rocecfg.analysis.coordinates import Grid
from rocecfg.analysis.graph import Graph
from rocecfg.analysis.symmetry import group_by_links
from rocecfg.core.records import NamedTuple
from rocecfg.model.fabric import UP_DOWN


class ShortestWays(NamedTuple):
    """The shortest ways to one switch."""

    hops: int  # between switches
    by_switch: int  # ways that differ in a switch: parallel cables once
    by_cable: int  # ways that differ in a switch or a cable


class RouteSearch:
    """Where packets may go. A state is a kind of switch and how packets came there; each starts in the first way.

    `where`: routes are dimension-order in this grid. Else they are up-down, or all shortest ones.
    """

    def __init__(self, found: Graph, tier: Sequence[int], algorithm: str, where: Grid | None = None) -> None:
        self._found, self._tier, self._where = found, tier, where
        self._up_down = algorithm == UP_DOWN
        self.modes = 2 if self._up_down else 1 + 2 * len(where.sizes) if where is not None else 1
        firsts = list(range(found.switches))
        if where is None:
            firsts = group_by_links(found, tier.__getitem__, lambda u, v: found.bundle(u, v).cables)
        number = {n: i for i, n in enumerate(dict.fromkeys(firsts))}
        self.of = [number[n] for n in firsts]  # the kind of each switch
        members = Counter(self.of)
        self.sizes = [members[kind] for kind in range(len(number))]
        self.ahead: list[list[tuple[int, int]]] = []  # by state: the next ones, with the cables there
        for n in number:
            self.ahead += [self._next_states(n, mode) for mode in range(self.modes)]
        self.links = sum(map(len, self.ahead))

    def _next_states(self, u: int, mode: int) -> list[tuple[int, int]]:
        states = {
            self.of[v] * self.modes + after: self._found.bundle(u, v).cables for v, after in self._next_hops(u, mode)
        }
        return list(states.items())

    def _next_hops(self, u: int, mode: int) -> Iterator[tuple[int, int]]:
        """The switches that packets may go to next, and how they come there."""
        for v in self._found.uplinks(u):
            after: int | None = 0
            if self._up_down:
                after = self._next_mode(u, mode, v)
            elif self._where is not None:
                axis, direction, _ = self._where.step(u, v)
                after = 1 + 2 * axis + (direction > 0)
                if mode and after != mode and axis <= (mode - 1) // 2:
                    after = None  # this dimension is done
            if after is not None:
                yield v, after

    def _next_mode(self, u: int, mode: int, v: int) -> int | None:
        here, there = self._tier[u], self._tier[v]
        if here == there or not here or not there or (mode and there > here):
            return None
        return int(there < here)

    def search(self, start: Mapping[int, int], lost: int | None = None) -> dict[int, ShortestWays]:
        """The ways from some switches, whichever is nearest, to one more switch of each kind that they reach.

        `start`: how many of each kind packets start at. `lost`: a switch that is down.
        """
        left = list(self.sizes)
        if lost is not None:
            left[self.of[lost]] -= 1
        for kind, number in start.items():
            left[kind] -= number
        out: dict[int, ShortestWays] = {}
        seen: set[int] = set()
        front = [(kind * self.modes, number, number) for kind, number in start.items()]
        hops = 0
        while front:
            hops += 1
            ahead: dict[int, tuple[int, int]] = {}
            for state, by_switch, by_cable in front:
                for to, cables in self.ahead[state]:
                    if to not in seen and left[to // self.modes]:
                        before = ahead.get(to, (0, 0))
                        ahead[to] = before[0] + by_switch, before[1] + by_cable * cables
            seen.update(ahead)
            front = []
            for state, (by_switch, by_cable) in ahead.items():
                kind = state // self.modes
                front.append((state, by_switch * left[kind], by_cable * left[kind]))
                known = out.get(kind)
                if known is None:
                    out[kind] = ShortestWays(hops, by_switch, by_cable)
                elif known.hops == hops:
                    out[kind] = ShortestWays(hops, known.by_switch + by_switch, known.by_cable + by_cable)
        return out

    def example(self, start: Sequence[int], ends: Collection[int]) -> list[int]:
        """The switches of one shortest way, the first of equals in the order of the links; [] where there is none."""
        came: dict[tuple[int, int], tuple[int, int] | None] = {(n, 0): None for n in start}
        front = list(came)
        for state in front:
            if state[0] in ends:
                return self._trace_back(state, came)
            for after in self._next_hops(*state):
                if after not in came:
                    came[after] = state
                    front.append(after)
        return []

    @staticmethod
    def _trace_back(state: tuple[int, int], came: Mapping[tuple[int, int], tuple[int, int] | None]) -> list[int]:
        out = []
        at: tuple[int, int] | None = state
        while at is not None:
            out.append(at[0])
            at = came[at]
        return out[::-1]
