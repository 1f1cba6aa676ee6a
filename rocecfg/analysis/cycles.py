"""Cycles in directed graphs of small numbers: vertex n leads to the vertices `ahead[n]`.

Nothing here knows networks. All of it is iterative, and linear but for the shortest cycle.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

Ahead = Sequence[Sequence[int]]

_MOST_STEPS = 5_000_000  # edges that the search for the shortest cycle looks at


def strongly_connected(ahead: Ahead) -> list[list[int]]:
    """The strongly connected parts that hold a cycle: two vertices or more, or one that leads to itself (Tarjan)."""
    count = len(ahead)
    index = [0] * count  # when a vertex was met, from 1; 0: not yet
    low = [0] * count
    stack: list[int] = []
    stacked = bytearray(count)
    found: list[list[int]] = []
    met = 0
    for root in range(count):
        if index[root]:
            continue
        met += 1
        index[root] = low[root] = met
        stack.append(root)
        stacked[root] = 1
        path = [(root, iter(ahead[root]))]
        while path:
            vertex, rest = path[-1]
            for other in rest:
                if not index[other]:
                    met += 1
                    index[other] = low[other] = met
                    stack.append(other)
                    stacked[other] = 1
                    path.append((other, iter(ahead[other])))
                    break
                if stacked[other] and index[other] < low[vertex]:
                    low[vertex] = index[other]
            else:
                path.pop()
                if path and low[vertex] < low[path[-1][0]]:
                    low[path[-1][0]] = low[vertex]
                if low[vertex] == index[vertex]:
                    part = _pop_part(stack, stacked, vertex)
                    if len(part) > 1 or vertex in ahead[vertex]:
                        found.append(part)
    return found


def _pop_part(stack: list[int], stacked: bytearray, last: int) -> list[int]:
    part = []
    while True:
        vertex = stack.pop()
        stacked[vertex] = 0
        part.append(vertex)
        if vertex == last:
            return part


def shortest_cycle(ahead: Ahead, part: Collection[int]) -> list[int]:
    """A shortest cycle within a strongly connected part, as its vertices in order.

    Of very large parts not every vertex is tried: the cycle is then a short one, and may not be the shortest.
    """
    inside = frozenset(part)
    best: list[int] = []
    steps = 0
    for start in sorted(inside):
        came = {start: start}
        front = [start]
        depth = 1
        while front and (not best or depth < len(best)):
            nearer: list[int] = []
            for vertex in front:
                steps += len(ahead[vertex])
                for other in ahead[vertex]:
                    if other == start:
                        best = _trace_back(came, start, vertex)
                        nearer = []
                        break
                    if other in inside and other not in came:
                        came[other] = vertex
                        nearer.append(other)
                else:
                    continue
                break
            front = nearer
            depth += 1
        if len(best) == 1 or steps > _MOST_STEPS:
            break
    return best


def _trace_back(came: dict[int, int], start: int, vertex: int) -> list[int]:
    out = [vertex]
    while vertex != start:
        vertex = came[vertex]
        out.append(vertex)
    return out[::-1]
