"""What a collective asks of each link: all-to-all, the ring of an all-reduce, an incast, as flows on the topology.

A rank is a host's port; each sends at its line rate. Flows take the shortest routes and spread evenly over those of
equal cost, by cables. A load is what the flows of a link send by what it carries: above 1 the link is a bottleneck, and
all senders of it slow down to `1 / load`.

Switches with equal links to the same switches are one kind, and routes are followed between kinds. Their links carry
equal parts but at the ends, where a switch's own ranks may send or take more than its neighbours' do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from math import comb

from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.routes import routing
from rocecfg.analysis.symmetry import group_by_links
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric
from rocecfg.model.fabric import UP_DOWN

_MOST_STEPS = 200_000  # links between kinds looked at: a second
_TIE = 0.98  # a load of so much of the highest is as high: even spreading is no more exact
_SHORTEST = (UP_DOWN, "shortest", "minimal")


class LinkLoad(NamedTuple):
    """The busiest link of those between two tiers, in one direction."""

    between: str  # `leaf to spine`
    load: float
    flows: float  # on it, parallel cables together


class Crowd(NamedTuple):
    """Flows of a leaf that a hash, and not a scheduler, puts on its uplinks."""

    flows: int
    cables: int
    fit: int  # flows at line rate that a cable carries

    @property
    def overloaded(self) -> float:
        """The cables that get more than they carry, on average: `k P(X > c)`, X binomial of m flows and 1/k."""
        m, k, c = self
        likely = sum(comb(m, n) * (1 / k) ** n * (1 - 1 / k) ** (m - n) for n in range(c + 1))
        return k * max(0.0, 1 - likely)


class Series(NamedTuple):
    """Cables up and cables down that flows cross one after the other, all alike."""

    onward: int  # cables down that the flows of a cable up go on to, as many to each; and the other way round
    flows: float  # on a cable
    speed: int  # of each cable, bit/s
    line: int  # of each sender, bit/s


class Pattern(NamedTuple):
    """A collective on the fabric. Of equal loads none is left out of `bottlenecks`."""

    name: str
    ranks: int  # that send
    loads: tuple[LinkLoad, ...]
    apart: float  # the part of what is sent between switches for which there is no route
    series: Series | None  # from leaf to spine and down to another leaf; None: not all of these are alike
    crowd: Crowd | None  # of the leaf that sends most flows up; None: flows are too many and too thin for chance

    @property
    def bottlenecks(self) -> tuple[LinkLoad, ...]:
        """The links that hold the collective back; () where none does."""
        most = max((one.load for one in self.loads), default=0.0)
        return tuple(one for one in self.loads if one.load > 1 + 1e-6 and one.load >= _TIE * most)


class Traffic(NamedTuple):
    """The collectives of a fabric. `unknown`: why they are not known; empty: they are."""

    patterns: tuple[Pattern, ...]
    unknown: str


class _Rank(NamedTuple):
    host: int
    leaf: int
    speed: int


_Flow = tuple[float, float]  # bit/s, flows
_NONE: _Flow = (0.0, 0.0)


def _add_flows(a: _Flow, b: _Flow) -> _Flow:
    return a[0] + b[0], a[1] + b[1]


@kept_with_fabric
def traffic(fabric: Fabric) -> Traffic | None:
    """What collectives ask of the links; None where fewer than two hosts' ports are cabled."""
    found, level = graph(fabric), tiers(fabric)
    ranks = list(_list_ranks(found))
    if len({rank.host for rank in ranks}) < 2:
        return None
    algorithm = routing(fabric, found).algorithm or (UP_DOWN if level.top > 1 else "shortest")
    if algorithm not in _SHORTEST:
        return Traffic((), f"flows take {algorithm} routes, of which there is no even share")
    if not all(rank.speed for rank in ranks) or any(bundle.rate is None for bundle in found.bundles.values()):
        return Traffic((), "the speed of a cable is not stated")
    kinds = _Kinds(found, level, up_down=algorithm == UP_DOWN)
    leaves = {kinds.of[rank.leaf] for rank in ranks}
    if len(leaves) * kinds.links > _MOST_STEPS:
        return Traffic((), f"{len(leaves):,} kinds of switches with hosts and {kinds.links:,} of links are too many")
    patterns = [_load_all_to_all(kinds, ranks), _load_ring(kinds, ranks)]
    if fabric.incast is not None and fabric.incast < len(ranks):
        patterns.append(_load_incast(kinds, ranks, fabric.incast))
    return Traffic(tuple(patterns), "")


def _list_ranks(found: Graph) -> Iterator[_Rank]:
    """The ports of hosts in the order of the hosts, but those of storage and at the fabric's edge."""
    for host in range(found.switches, len(found.names)):
        for leaf in found.near[host]:
            bundle = found.bundle(leaf, host)
            faces = bundle.a_end.port.faces if bundle.a_end is not None else None
            if leaf < found.switches and faces in (None, "host"):
                for speed, cables in bundle.speeds.items():
                    yield from (_Rank(host, leaf, speed) for _ in range(cables))


# -- collectives -------------------------------------------------------------------------------------------------------


def _load_all_to_all(kinds: _Kinds, ranks: list[_Rank]) -> Pattern:
    """Each rank sends to all others, as much to each."""
    out: dict[int, float] = {}
    number: dict[int, int] = {}
    for rank in ranks:
        out[rank.leaf] = out.get(rank.leaf, 0.0) + rank.speed
        number[rank.leaf] = number.get(rank.leaf, 0) + 1
    others, total = len(ranks) - 1, float(sum(out.values()))
    demand = _Demand(kinds)
    whole: dict[int, _Flow] = {}
    for leaf, sent in out.items():
        whole[kinds.of[leaf]] = _add_flows(whole.get(kinds.of[leaf], _NONE), (sent, number[leaf]))
        demand.out[leaf] = sent * (len(ranks) - number[leaf]) / others
        demand.into[leaf] = number[leaf] * (total - sent) / others
    own: dict[int, _Flow] = {}  # what stays on a leaf
    for leaf, sent in out.items():
        stays = sent * number[leaf], float(number[leaf] ** 2)
        own[kinds.of[leaf]] = _add_flows(own.get(kinds.of[leaf], _NONE), stays)
    for to, (_, taking) in whole.items():
        for kind, (sent, sending) in whole.items():
            rate, flows = sent * taking, sending * taking
            if kind == to:
                rate, flows = rate - own[kind][0], flows - own[kind][1]
            demand.between.setdefault(to, {})[kind] = rate / others, flows
    taken = [((total - rank.speed) / others / rank.speed, float(others)) for rank in ranks]
    return Pattern("all-to-all", len(ranks), *demand.loads(taken), demand.series(ranks, len(out) - 1), None)


def _load_ring(kinds: _Kinds, ranks: list[_Rank]) -> Pattern:
    """Each host sends to the next, the last to the first: from each port to one on the same leaf where there is one."""
    by_host: dict[int, list[_Rank]] = {}
    for rank in ranks:
        by_host.setdefault(rank.host, []).append(rank)
    hosts = list(by_host.values())
    demand = _Demand(kinds)
    taken: list[_Flow] = []
    up: dict[int, int] = {}
    partners: set[tuple[int, int]] = set()  # leaves, from and to
    for own, after in zip(hosts, hosts[1:] + hosts[:1], strict=True):
        free = list(after)
        for rank in own:
            if not free:
                free = list(after)
            to = next((one for one in free if one.leaf == rank.leaf), free[0])
            free.remove(to)
            taken.append((rank.speed / to.speed, 1.0))
            if to.leaf != rank.leaf:
                demand.add(rank.leaf, to.leaf, rank.speed)
                partners.add((rank.leaf, to.leaf))
                up[rank.leaf] = up.get(rank.leaf, 0) + 1
    asked = demand.loads(taken)
    return Pattern(
        "ring all-reduce",
        len(ranks),
        *asked,
        demand.series(ranks, _even_partners(partners)),
        _find_crowd(kinds, ranks, up),
    )


def _even_partners(partners: Collection[tuple[int, int]]) -> int:
    """To how many each sends, if as many send to each; else 0."""
    found = {number for end in (0, 1) for number in Counter(pair[end] for pair in partners).values()}
    return found.pop() if len(found) == 1 else 0


def _load_incast(kinds: _Kinds, ranks: list[_Rank], senders: int) -> Pattern:
    """Ranks of other hosts, spread evenly, send to one at a time."""
    to = ranks[0]
    others = [rank for rank in ranks if rank.host != to.host]
    chosen = [others[n * len(others) // senders] for n in range(min(senders, len(others)))]
    demand = _Demand(kinds)
    for rank in chosen:
        if rank.leaf != to.leaf:
            demand.add(rank.leaf, to.leaf, rank.speed)
    taken = [(sum(rank.speed for rank in chosen) / to.speed, float(len(chosen)))]
    return Pattern("incast", len(chosen), *demand.loads(taken), None, None)


def _find_crowd(kinds: _Kinds, ranks: list[_Rank], up: Mapping[int, int]) -> Crowd | None:
    """Flows of the leaf that sends most up, where all of its cables up and all of its ranks are of one speed."""
    if not up:
        return None
    leaf = max(up, key=up.__getitem__)
    cables = [kinds.found.bundle(leaf, v).speeds for v, _ in kinds.next_hops(leaf, 0)]
    fast = {speed for speeds in cables for speed in speeds}
    own = {rank.speed for rank in ranks if rank.leaf == leaf}
    if len(fast) != 1 or len(own) != 1:
        return None
    return Crowd(up[leaf], sum(sum(speeds.values()) for speeds in cables), max(fast) // max(own))


# -- routes ------------------------------------------------------------------------------------------------------------

State = tuple[int, int]  # a kind of switches, and whether packets go down


class _Kinds:
    """Switches by kind, and where packets go from each."""

    def __init__(self, found: Graph, level: Tiers, *, up_down: bool) -> None:
        self.found, self.level, self._up_down = found, level, up_down
        first = group_by_links(found, level.of.__getitem__, lambda u, v: tuple(found.bundle(u, v).speeds.items()))
        number = {n: i for i, n in enumerate(dict.fromkeys(first))}
        self.of = [number[n] for n in first]
        self.first = list(number)  # a switch of each kind
        members = Counter(self.of)
        self.sizes = [members[kind] for kind in range(len(number))]
        self.turns: dict[State, dict[State, int]] = {}  # the next ones, with the cables of a switch there
        for kind, n in enumerate(self.first):
            for down in (0, 1) if up_down else (0,):
                ahead = self.turns[kind, down] = {}
                for v, after in self.next_hops(n, down):
                    to = self.of[v], after
                    ahead[to] = ahead.get(to, 0) + found.bundle(n, v).cables
        self.links = sum(map(len, self.turns.values()))
        self.back: dict[State, list[State]] = {}
        for state, ahead in self.turns.items():
            for to in ahead:
                self.back.setdefault(to, []).append(state)

    def next_hops(self, u: int, down: int) -> Iterator[tuple[int, int]]:
        """The switches that packets may go to next, and whether they go down then."""
        tier = self.level.of
        for v in self.found.uplinks(u):
            if not self._up_down:
                yield v, 0
            elif 0 < tier[v] < tier[u]:
                yield v, 1
            elif tier[v] > tier[u] > 0 and not down:
                yield v, 0

    def pair_rate(self, a: int, b: int) -> float:
        """What the cables between a switch of one kind and one of another carry, bit/s."""
        n = self.first[a]
        rate = next(self.found.bundle(n, v).rate for v in self.found.uplinks(n) if self.of[v] == b)
        assert rate is not None  # asked before
        return float(rate)

    def hops_to(self, to: int) -> dict[State, int]:
        """The links from each state to another switch of a kind, where a route leads there."""
        out: dict[State, int] = {}
        front = [(to, 0), (to, 1)]
        number = 0
        while front:
            number += 1
            front = [state for at in front for state in self.back.get(at, ()) if state not in out]
            out.update(dict.fromkeys(front, number))
            front = list(dict.fromkeys(front))
        return out


class _Demand:
    """What is sent between switches."""

    def __init__(self, kinds: _Kinds) -> None:
        self._kinds = kinds
        self.between: dict[int, dict[int, _Flow]] = {}  # by the kind it goes to, and the one it comes from
        self.out: dict[int, float] = {}  # of each switch, bit/s
        self.into: dict[int, float] = {}
        self._sent = _Sent()

    def add(self, leaf: int, to: int, speed: float) -> None:
        """A flow of a switch to another."""
        of = self._kinds.of
        known = self.between.setdefault(of[to], {})
        known[of[leaf]] = _add_flows(known.get(of[leaf], _NONE), (speed, 1.0))
        self.out[leaf] = self.out.get(leaf, 0.0) + speed
        self.into[to] = self.into.get(to, 0.0) + speed

    def loads(self, taken: list[_Flow]) -> tuple[tuple[LinkLoad, ...], float]:
        """The highest load of links between switches by tiers, and of those to hosts; the part that has no route."""
        kinds, sent = self._kinds, self._sent
        lost = whole = 0.0
        for to, sources in self.between.items():
            hops = kinds.hops_to(to)
            whole += sum(rate for rate, _ in sources.values())
            lost += sum(rate for kind, (rate, _) in sources.items() if (kind, 0) not in hops)
            self._follow(to, hops, sources, sent)
        most_out, most_into = self._uneven(self.out), self._uneven(self.into)
        busiest: dict[tuple[int, int], _Flow] = {}
        tier = kinds.level.of
        for (a, b), parts in sent.parts.items():
            share = 1 / (kinds.sizes[a] * kinds.sizes[b])
            more = (1.0, most_out.get(a, 1.0), most_into.get(b, 1.0), max(most_out.get(a, 1.0), most_into.get(b, 1.0)))
            rate, flows = (sum(part[i] * by for part, by in zip(parts, more, strict=True)) * share for i in (0, 1))
            between = tier[kinds.first[a]], tier[kinds.first[b]]
            busiest[between] = max(busiest.get(between, _NONE), (rate / kinds.pair_rate(a, b), flows))
        order = sorted(busiest, key=lambda two: (two[0] > two[1], two[0] if two[0] < two[1] else -two[0]))
        role = kinds.level.role
        found = [LinkLoad(f"{role(a)} to {role(b)}", *busiest[a, b]) for a, b in order]
        return (*found, LinkLoad(f"{role(1)} to host", *max(taken, default=_NONE))), lost / whole if whole else 0.0

    def series(self, ranks: list[_Rank], onward: int) -> Series | None:
        """The two tiers' cables that flows cross one after the other, to `onward` other leaves; asked after `loads`.

        None where they are not alike.
        """
        kinds, parts = self._kinds, self._sent.parts
        crossed = sorted(parts, key=lambda pair: kinds.level.of[kinds.first[pair[0]]])
        if not onward or len(crossed) != 2 or crossed[0] != crossed[1][::-1]:
            return None
        leaf, spine = crossed[0]
        members = {n for n, kind in enumerate(kinds.of) if kind == leaf}
        n = kinds.first[leaf]
        cables = [kinds.found.bundle(n, v).speeds for v in kinds.found.uplinks(n) if kinds.of[v] == spine]
        rates = {round(rate) for way in (self.out, self.into) for rate in way.values()}
        speeds, lines = {speed for of in cables for speed in of}, {rank.speed for rank in ranks}
        even = len(rates) == len(speeds) == len(lines) == 1 and all(of == cables[0] for of in cables)
        if not even or not self.out.keys() == self.into.keys() == members:
            return None
        flows = sum(number for _, number in parts[leaf, spine])
        number = len(members) * sum(sum(of.values()) for of in cables)
        return Series(onward, flows / number, speeds.pop(), lines.pop())

    def _uneven(self, of: Mapping[int, float]) -> dict[int, float]:
        """How much more than the mean of its kind the switch has that has most."""
        kinds = self._kinds
        whole: dict[int, float] = {}
        most: dict[int, float] = {}
        for n, rate in of.items():
            kind = kinds.of[n]
            whole[kind] = whole.get(kind, 0.0) + rate
            most[kind] = max(most.get(kind, 0.0), rate)
        return {kind: most[kind] * kinds.sizes[kind] / whole[kind] for kind in whole if whole[kind]}

    def _follow(self, to: int, hops: Mapping[State, int], sources: Mapping[int, _Flow], sent: _Sent) -> None:
        """Follow the flows to switches of one kind."""
        kinds = self._kinds
        fresh = {(kind, 0): flow for kind, flow in sources.items() if (kind, 0) in hops}
        at: dict[State, _Flow] = {}
        for state in sorted(hops, key=hops.__getitem__, reverse=True):
            own, passing = fresh.get(state, _NONE), at.pop(state, _NONE)
            if not own[1] and not passing[1]:
                continue
            last = hops[state] == 1
            ahead = {
                after: cables
                for after, cables in kinds.turns[state].items()
                if (after[0] == to if last else hops.get(after, -1) == hops[state] - 1)
            }
            whole = sum(ahead.values())
            for after, cables in ahead.items():
                parts = [(flow[0] * cables / whole, flow[1] * cables / whole) for flow in (own, passing)]
                sent.add(state[0], after[0], *parts, last=last)
                if not last:
                    at[after] = _add_flows(at.get(after, _NONE), _add_flows(*parts))


class _Sent:
    """What crosses the links of two kinds: in passing, on its first hop, its last, and its only one."""

    def __init__(self) -> None:
        self.parts: dict[tuple[int, int], list[_Flow]] = {}

    def add(self, a: int, b: int, own: _Flow, passing: _Flow, *, last: bool) -> None:
        """What begins at a kind, and what passes it."""
        parts = self.parts.setdefault((a, b), [_NONE] * 4)
        for flow, first in ((own, 1), (passing, 0)):
            parts[first + 2 * last] = _add_flows(parts[first + 2 * last], flow)
