"""Pairs of hosts, or of their ports, by how far they are: hosts on the same switches together, never pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from rocecfg.analysis.ecmp import RouteSearch, ShortestWays
from rocecfg.analysis.graph import Graph
from rocecfg.analysis.routes import find_rdma_ends
from rocecfg.core.records import NamedTuple

MOST_STEPS = 2_000_000  # links looked at: a few seconds in a fabric in which no two switches are alike

Pair = tuple[int, int]


class EndPlace(NamedTuple):
    """Ends on the same switches."""

    switches: tuple[int, ...]  # ascending
    weight: int  # how many ends
    hosts: tuple[int, ...]  # () where none are cabled: the switch is the end


# -- ends --------------------------------------------------------------------------------------------------------------


def host_places(found: Graph) -> list[EndPlace]:
    """Hosts by the switches that they hang on; switches that hosts hang on where no hosts are cabled."""
    if len(found.names) == found.switches:
        return [EndPlace((n,), 1, ()) for n in find_rdma_ends(found)]
    out: dict[tuple[int, ...], list[int]] = {}
    for host in range(found.switches, len(found.names)):
        out.setdefault(tuple(sorted(found.near[host])), []).append(host)
    return [EndPlace(switches, len(hosts), tuple(hosts)) for switches, hosts in out.items() if switches]


def port_places(found: Graph) -> list[EndPlace]:
    """The ports of hosts by the switch that each is cabled to."""
    out = []
    for n in range(found.switches):
        hosts = found.hosts(n)
        if hosts:
            out.append(EndPlace((n,), sum(found.bundle(n, host).cables for host in hosts), tuple(hosts)))
    return out


def count_own_pairs(found: Graph) -> Counter[Pair]:
    """Pairs of ports of one host, by the switches they are cabled to, the smaller number first."""
    alike: Counter[tuple[Pair, ...]] = Counter()
    for host in range(found.switches, len(found.names)):
        alike[tuple((n, found.bundle(n, host).cables) for n in sorted(found.near[host]))] += 1
    out: Counter[Pair] = Counter()
    for ports, hosts in alike.items():
        for i, (a, ports_a) in enumerate(ports):
            out[a, a] += hosts * ports_a * (ports_a - 1) // 2
            for b, ports_b in ports[i + 1 :]:
                out[a, b] += hosts * ports_a * ports_b
    return out


# -- pairs -------------------------------------------------------------------------------------------------------------


class PairCounts:
    """Pairs of ends by how far they are.

    `own`: pairs that do not count, by their switches; each place is then one switch. `lost`: a switch that is down,
    where there is no `own`.

    Places with as many switches of each kind are one group. Where that leaves too many groups, pairs of some groups
    with all others are counted, these spread evenly over all.
    """

    def __init__(
        self,
        ways: RouteSearch,
        places: Sequence[EndPlace],
        own: Mapping[Pair, int] | None = None,
        lost: int | None = None,
    ) -> None:
        self._ways, self._lost, self._own = ways, lost, own or {}
        self.places = [EndPlace(tuple(n for n in p.switches if n != lost), p.weight, p.hosts) for p in places]
        self._weights = [place.weight for place in places]
        self._on: dict[int, list[int]] = {}  # places by switch
        groups: dict[tuple[Pair, ...], list[int]] = {}
        for i, place in enumerate(self.places):
            for n in place.switches:
                self._on.setdefault(n, []).append(i)
            look = tuple(sorted(Counter(ways.of[n] for n in place.switches).items()))
            groups.setdefault(look, []).append(i)
        self._looks, self._members = list(groups), list(groups.values())
        self._group = {i: g for g, members in enumerate(self._members) for i in members}
        self.steps = len(self._looks) * (ways.links + sum(map(len, self._looks)))
        self.effort = self.steps + sum(len(on) ** 2 for on in self._on.values())  # places that share a switch, too
        self._chosen = self._choose_groups()
        self.by_switch: dict[int, Counter[int]] = {}  # by switches crossed: paths -> pairs
        self.by_cable: dict[int, Counter[int]] = {}
        self.first: dict[int, Pair] = {}  # places of one pair
        self._count_pairs()

    def _choose_groups(self) -> dict[int, int]:
        """The groups whose pairs are counted, each with its turn."""
        number = len(self._looks)
        most = max(1, MOST_STEPS * number // self.steps) if self.steps > MOST_STEPS else number
        return {(turn * number) // most: turn for turn in range(most)} if number else {}

    @property
    def weights(self) -> tuple[int, int]:
        """The ends that are counted from, and all."""
        chosen = sum(place.weight for i, place in enumerate(self.places) if self._group[i] in self._chosen)
        return chosen, sum(place.weight for place in self.places)

    @property
    def pairs(self) -> int:
        """The pairs with an end that is counted from, reached or not."""
        chosen, every = self.weights
        none = sum(
            number
            for (a, b), number in self._own.items()
            if any(self._group[self._on[n][0]] in self._chosen for n in (a, b))
        )
        return chosen * (every - chosen) + chosen * (chosen - 1) // 2 - none

    @property
    def reached(self) -> int:
        """The pairs that routes join."""
        return sum(sum(found.values()) for found in self.by_switch.values())

    def _add_pairs(self, way: ShortestWays, pairs: int) -> bool:
        """Whether these are the first pairs so far apart."""
        if pairs <= 0:
            return False
        crossed = way.hops + 1
        first = crossed not in self.by_switch
        self.by_switch.setdefault(crossed, Counter())[way.by_switch] += pairs
        self.by_cable.setdefault(crossed, Counter())[way.by_cable] += pairs
        return first

    def _count_pairs(self) -> None:
        members = self._members
        weights = [sum(self.places[i].weight for i in group) for group in members]
        none = self._count_own_by_group()
        for g, turn in self._chosen.items():
            if not self._looks[g]:
                continue  # all its switches are lost
            close = self._count_close(g, turn)
            reach = self._ways.search(dict(self._looks[g]), self._lost)
            for other, look in enumerate(self._looks):
                if self._chosen.get(other, turn) < turn:
                    continue  # counted from there
                way = _nearest_ways(reach, look)
                if way is None:
                    continue
                both = weights[g] * weights[other]
                if other == g:
                    both = (both - sum(self.places[i].weight ** 2 for i in members[g])) // 2
                if self._add_pairs(way, both - close[other] - none[min(g, other), max(g, other)]):
                    self.first[way.hops + 1] = self._disjoint_pair(members[g], members[other])

    def _count_close(self, g: int, turn: int) -> Counter[int]:
        """Count the pairs of a group that share a switch. Gives those of two places, by the group of the other."""
        out: Counter[int] = Counter()
        ways: Counter[int] = Counter()  # by the switches that two places share: pairs
        at: Pair | None = None
        before = {other for other, when in self._chosen.items() if when < turn}
        for i in self._members[g]:
            place = self.places[i]
            pairs = place.weight * (place.weight - 1) // 2 - self._own.get((place.switches[0],) * 2, 0)
            ways[len(place.switches)] += pairs
            at = at or ((i, i) if pairs else None)
            if all(len(self._on[n]) == 1 for n in place.switches):
                continue
            shared = Counter(j for n in place.switches for j in self._on[n])
            for j, number in shared.items():
                other = self._group[j]
                if other not in before and (j > i or other != g):
                    out[other] += place.weight * self._weights[j]
                    ways[number] += place.weight * self._weights[j]
                    at = at or (i, j)
        for number, pairs in ways.items():
            if self._add_pairs(ShortestWays(0, number, number), pairs) and at is not None:
                self.first[1] = at
        return out

    def _count_own_by_group(self) -> Counter[Pair]:
        """Pairs that are none, of two switches, by group: each switch is a place of its own here."""
        out: Counter[Pair] = Counter()
        for (a, b), number in self._own.items():
            if a != b:
                g, h = self._group[self._on[a][0]], self._group[self._on[b][0]]
                out[min(g, h), max(g, h)] += number
        return out

    def _disjoint_pair(self, here: Sequence[int], there: Sequence[int]) -> Pair:
        return next(
            (i, j)
            for i in here
            for j in there
            if i != j
            and not set(self.places[i].switches) & set(self.places[j].switches)
            and (not self.places[i].hosts or len({*self.places[i].hosts, *self.places[j].hosts}) > 1)
        )


def _nearest_ways(reach: Mapping[int, ShortestWays], look: Sequence[Pair]) -> ShortestWays | None:
    """The ways to the nearest of some switches, so many of each kind."""
    known = [(reach[kind], number) for kind, number in look if kind in reach]
    if not known:
        return None
    hops = min(way.hops for way, _ in known)
    near = [(way, number) for way, number in known if way.hops == hops]
    return ShortestWays(hops, sum(w.by_switch * n for w, n in near), sum(w.by_cable * n for w, n in near))
