"""What a collective asks of each link: all-to-all, the ring of an all-reduce, an incast, as flows on the topology.

A rank is a host's port; each sends at its line rate. Flows take the shortest routes and spread evenly over those of
equal cost, by cables. A load is what the flows of a link send by what it carries: above 1 the link is a bottleneck, and
all senders of it slow down to `1 / load`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import comb

from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.routes import UP_DOWN, routing
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric

_MOST_STEPS = 2_000_000  # links looked at: some seconds
_TIE = 0.98  # a load of so much of the highest is as high: even spreading is no more exact
_SHORTEST = (UP_DOWN, "shortest", "minimal")


class Load(NamedTuple):
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


class Pattern(NamedTuple):
    """A collective on the fabric. Of equal loads none is left out of `bottlenecks`."""

    name: str
    ranks: int  # that send
    loads: tuple[Load, ...]
    crowd: Crowd | None  # of the leaf that sends most flows up; None: flows are too many and too thin for chance

    @property
    def bottlenecks(self) -> tuple[Load, ...]:
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
_Demand = dict[int, dict[int, _Flow]]  # by the switch it goes to and the one it comes from


@kept_with_fabric
def traffic(fabric: Fabric) -> Traffic | None:
    """What collectives ask of the links; None where fewer than two hosts' ports are cabled."""
    found, level = graph(fabric), tiers(fabric)
    ranks = list(_ranks(found))
    if len({rank.host for rank in ranks}) < 2:
        return None
    algorithm = routing(fabric, found).algorithm or (UP_DOWN if level.top > 1 else "shortest")
    leaves = {rank.leaf for rank in ranks}
    if algorithm not in _SHORTEST:
        return Traffic((), f"flows take {algorithm} routes, of which there is no even share")
    if not all(rank.speed for rank in ranks) or any(bundle.rate is None for bundle in found.bundles.values()):
        return Traffic((), "the speed of a cable is not stated")
    if len(leaves) * len(found.bundles) * 2 > _MOST_STEPS:
        many = f"{len(leaves):,} switches with hosts and {len(found.bundles):,} pairs of cabled nodes are too many"
        return Traffic((), many)
    spread = _Spread(found, level, up_down=algorithm == UP_DOWN)
    patterns = [_all_to_all(spread, ranks), _ring(found, spread, ranks)]
    if fabric.incast is not None and fabric.incast < len(ranks):
        patterns.append(_incast(spread, ranks, fabric.incast))
    return Traffic(tuple(patterns), "")


def _ranks(found: Graph) -> Iterator[_Rank]:
    """The ports of hosts in the order of the hosts, but those of storage and at the fabric's edge."""
    for host in range(found.switches, len(found.names)):
        for leaf in found.near[host]:
            bundle = found.bundle(leaf, host)
            faces = bundle.a_end.port.faces if bundle.a_end is not None else None
            if leaf < found.switches and faces in (None, "host"):
                for speed, cables in bundle.speeds.items():
                    yield from (_Rank(host, leaf, speed) for _ in range(cables))


# -- collectives -------------------------------------------------------------------------------------------------------


def _all_to_all(spread: _Spread, ranks: list[_Rank]) -> Pattern:
    """Each rank sends to all others, as much to each."""
    out: dict[int, float] = {}
    number: dict[int, int] = {}
    for rank in ranks:
        out[rank.leaf] = out.get(rank.leaf, 0.0) + rank.speed
        number[rank.leaf] = number.get(rank.leaf, 0) + 1
    others = len(ranks) - 1
    demand: _Demand = {
        to: {
            leaf: (sent * number[to] / others, float(number[leaf] * number[to]))
            for leaf, sent in out.items()
            if leaf != to
        }
        for to in number
    }
    total = float(sum(out.values()))
    taken = [((total - rank.speed) / others / rank.speed, float(others)) for rank in ranks]
    return Pattern("all-to-all", len(ranks), spread.loads(demand, taken), None)


def _ring(found: Graph, spread: _Spread, ranks: list[_Rank]) -> Pattern:
    """Each host sends to the next, the last to the first: from each port to one on the same leaf where there is one."""
    by_host: dict[int, list[_Rank]] = {}
    for rank in ranks:
        by_host.setdefault(rank.host, []).append(rank)
    hosts = list(by_host.values())
    demand: _Demand = {}
    taken: list[_Flow] = []
    up: dict[int, int] = {}
    for own, after in zip(hosts, hosts[1:] + hosts[:1], strict=True):
        free = list(after)
        for rank in own:
            if not free:
                free = list(after)
            to = next((one for one in free if one.leaf == rank.leaf), free[0])
            free.remove(to)
            taken.append((rank.speed / to.speed, 1.0))
            if to.leaf != rank.leaf:
                _add(demand, to.leaf, rank.leaf, rank.speed)
                up[rank.leaf] = up.get(rank.leaf, 0) + 1
    return Pattern("ring all-reduce", len(ranks), spread.loads(demand, taken), _crowd(found, spread, ranks, up))


def _incast(spread: _Spread, ranks: list[_Rank], senders: int) -> Pattern:
    """Ranks of other hosts, spread evenly, send to one at a time."""
    to = ranks[0]
    others = [rank for rank in ranks if rank.host != to.host]
    chosen = [others[n * len(others) // senders] for n in range(min(senders, len(others)))]
    demand: _Demand = {}
    for rank in chosen:
        if rank.leaf != to.leaf:
            _add(demand, to.leaf, rank.leaf, rank.speed)
    taken = [(sum(rank.speed for rank in chosen) / to.speed, float(len(chosen)))]
    return Pattern("incast", len(chosen), spread.loads(demand, taken), None)


def _add(demand: _Demand, to: int, leaf: int, speed: float) -> None:
    sent, flows = demand.setdefault(to, {}).get(leaf, (0.0, 0.0))
    demand[to][leaf] = sent + speed, flows + 1


def _crowd(found: Graph, spread: _Spread, ranks: list[_Rank], up: Mapping[int, int]) -> Crowd | None:
    """Flows of the leaf that sends most up, where all of its cables up and all of its ranks are of one speed."""
    if not up:
        return None
    leaf = max(up, key=up.__getitem__)
    cables = [found.bundle(leaf, v).speeds for v, _, _ in spread.turns(leaf, 0)]
    fast = {speed for speeds in cables for speed in speeds}
    own = {rank.speed for rank in ranks if rank.leaf == leaf}
    if len(fast) != 1 or len(own) != 1:
        return None
    return Crowd(up[leaf], sum(sum(speeds.values()) for speeds in cables), max(fast) // max(own))


# -- routes ------------------------------------------------------------------------------------------------------------


class _Spread:
    """Flows over the links, evenly by cables over the shortest routes.

    A state is a switch, and whether packets go down.
    """

    def __init__(self, found: Graph, level: Tiers, *, up_down: bool) -> None:
        self._found, self._level, self._up_down = found, level, up_down

    def turns(self, u: int, down: int) -> Iterator[tuple[int, int, int]]:
        """The switches that packets may go to next, whether they go down then, and the cables there."""
        tier = self._level.of
        for v in self._found.uplinks(u):
            cables = self._found.bundle(u, v).cables
            if not self._up_down:
                yield v, 0, cables
            elif 0 < tier[v] < tier[u]:
                yield v, 1, cables
            elif tier[v] > tier[u] > 0 and not down:
                yield v, 0, cables

    def loads(self, demand: _Demand, taken: list[_Flow]) -> tuple[Load, ...]:
        """The loads of links between switches by tiers, and of the links to hosts; the highest of each."""
        sent: dict[tuple[int, int], _Flow] = {}
        for to, from_leaves in demand.items():
            self._send(to, from_leaves, sent)
        busiest: dict[tuple[int, int], tuple[float, float]] = {}
        for (u, v), (rate, flows) in sent.items():
            kind = self._level.of[u], self._level.of[v]
            whole = self._found.bundle(u, v).rate
            assert whole is not None  # asked before
            busiest[kind] = max(busiest.get(kind, (0.0, 0.0)), (rate / whole, flows))
        order = sorted(busiest, key=lambda kind: (kind[0] > kind[1], kind[0] if kind[0] < kind[1] else -kind[0]))
        role = self._level.role
        between = [Load(f"{role(a)} to {role(b)}", *busiest[a, b]) for a, b in order]
        return (*between, Load(f"{role(1)} to host", *max(taken, default=(0.0, 0.0))))

    def _send(self, to: int, from_leaves: Mapping[int, _Flow], sent: dict[tuple[int, int], _Flow]) -> None:
        """Add the flows to one switch to what is sent."""
        hops = self._hops(to)
        at: dict[tuple[int, int], _Flow] = {(leaf, 0): flow for leaf, flow in from_leaves.items() if (leaf, 0) in hops}
        for state in sorted(hops, key=hops.__getitem__, reverse=True):
            rate, flows = at.pop(state, (0.0, 0.0))
            if not flows or state[0] == to:
                continue
            ahead = [turn for turn in self.turns(*state) if hops.get(turn[:2], -1) == hops[state] - 1]
            whole = sum(cables for _, _, cables in ahead)
            for v, down, cables in ahead:
                part = rate * cables / whole, flows * cables / whole
                for where, key in ((at, (v, down)), (sent, (state[0], v))):
                    known = where.get(key, (0.0, 0.0))
                    where[key] = known[0] + part[0], known[1] + part[1]

    def _hops(self, to: int) -> dict[tuple[int, int], int]:
        """The links from each state to a switch, where a route leads there."""
        tier = self._level.of
        out = {(to, 0): 0, (to, 1): 0}
        front = list(out)
        for v, down in front:
            for u in self._found.uplinks(v):
                states: tuple[tuple[int, int], ...] = ((u, 0),)
                if self._up_down:
                    falls = down == 1 and tier[u] > tier[v] > 0
                    climbs = down == 0 and 0 < tier[u] < tier[v]
                    states = ((u, 0), (u, 1)) if falls else ((u, 0),) if climbs else ()
                elif down:
                    continue
                for state in states:
                    if state not in out:
                        out[state] = out[v, down] + 1
                        front.append(state)
        return out
