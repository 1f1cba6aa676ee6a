"""Cables that lead elsewhere than those of like switches and hosts: two that are crossed, or one that is astray.

What is usual follows from the cables: ways that several switches of one tier, or several hosts, share. Where these
overlap (a partial mesh) no way is another's, and nothing is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.rails import rails
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric

_Ways = tuple[tuple[tuple[int, int], int], ...]  # (a node, bit/s): cables; ascending
_MOST_ODD = 64  # of a kind: beyond, no way of cabling is the usual one
_FEWEST = 4  # leaves of two planes, of which two are crossed: fewer have nothing to compare with
_ALIKE = 3  # hosts that are cabled alike: one that is not is a slip


class Misled(NamedTuple):
    """A node with cables that lead to one switch, where those of its like lead to another."""

    node: int
    leads: int
    meant: int
    cables: int
    like: int  # a node that is cabled as this one is meant to be


class Crossing(NamedTuple):
    """Cables that lead elsewhere: those of two nodes that change places; `other` is None for one that is astray."""

    first: Misled
    other: Misled | None

    @property
    def nodes(self) -> tuple[int, ...]:
        """Whose cables these are."""
        return (self.first.node,) if self.other is None else (self.first.node, self.other.node)


@kept_with_fabric  # the rules on uplinks ask
def crossings(fabric: Fabric) -> tuple[Crossing, ...]:
    """The cables of a fabric that are crossed or astray."""
    found = graph(fabric)
    if fabric.topology not in (None, "clos", "rail") or not any(found.joined):
        return ()
    levels = tiers(fabric)
    out: list[Crossing] = []
    for kind in _switches_by_kind(found, levels).values():
        out += _cross_kind(found, kind, alone=True)
    of_rails = rails(fabric)
    nics = [stray.nic for stray in of_rails.strays] + [each.nic for each in of_rails.declared]
    told = {found.numbers.get(nic.host) for nic in nics}
    for kind in _hosts_by_kind(found).values():
        out += (each for each in _cross_kind(found, kind, alone=False) if told.isdisjoint(each.nodes))
    return tuple(out)


def _switches_by_kind(found: Graph, levels: Tiers) -> Mapping[object, dict[int, _Ways]]:
    """By role and tier: the switches, and their ways up."""
    kinds: dict[object, dict[int, _Ways]] = {}
    for n in range(found.switches):
        up = [way for way in found.uplinks(n) if levels.of[way] > levels.of[n] > 0]
        if up:
            kinds.setdefault((found.plans[n].device.role, levels.of[n]), {})[n] = _ways_of(found, n, up)
    return kinds


def _hosts_by_kind(found: Graph) -> Mapping[object, dict[int, _Ways]]:
    """By how many cables they have and what they are called but for the number: hosts on switches, and their ways."""
    kinds: dict[object, dict[int, _Ways]] = {}
    for host in range(found.switches, len(found.names)):
        ways = _ways_of(found, host, found.near[host])
        cables = sum(count for _, count in ways)
        if cables > 1:
            kinds.setdefault((found.names[host].rstrip("0123456789x.-_"), cables), {})[host] = ways
    return kinds


def _ways_of(found: Graph, n: int, ways: list[int]) -> _Ways:
    return tuple(sorted(((way, speed), count) for way in ways for speed, count in found.bundle(n, way).speeds.items()))


def _cross_kind(found: Graph, kind: Mapping[int, _Ways], *, alone: bool) -> Iterator[Crossing]:
    """The crossings among nodes of one kind. `alone`: whether one cable without another is one (as of switches)."""
    count = Counter(kind.values())
    like = {ways: n for n, ways in reversed(list(kind.items())) if count[ways] > 1}
    odd = {n: ways for n, ways in kind.items() if ways not in like}
    if not odd or len(odd) > _MOST_ODD:
        return
    pairs_only = not like
    if pairs_only and len(odd) == _FEWEST:
        like = _find_planes(found, odd)
        odd = {n: ways for n, ways in odd.items() if ways not in like}
    usual = _usual_by_way(like)
    if usual is None:
        return
    pairs, left = _pair_moves(list(_list_moves(odd, like, usual)))
    yield from pairs
    done = {n for crossing in pairs for n in crossing.nodes}
    for slip in () if pairs_only else left:
        meant = kind[slip.like]
        elsewhere = usual.get(slip.leads) != meant  # else a switch has more cables there: its ways up are uneven
        if slip.node not in done and (elsewhere if alone else count[meant] >= _ALIKE):
            done.add(slip.node)
            yield Crossing(slip, None)
    for crossing, even in _cross_uneven({n: ways for n, ways in odd.items() if n not in done}):
        wide = sum(len(ways) == len(even) for ways in kind.values())
        if all(len(kind[n]) > 1 for n in crossing.nodes) if alone else even in count and 2 * wide > len(kind):
            yield crossing


def _usual_by_way(like: Iterable[_Ways]) -> dict[int, _Ways] | None:
    """Of each switch the usual ways that it is among; None where these overlap."""
    of: dict[int, _Ways] = {}
    for ways in like:
        for (way, _), _ in ways:
            if of.setdefault(way, ways) != ways:
                return None
    return of


def _list_moves(odd: Mapping[int, _Ways], like: Mapping[_Ways, int], usual: Mapping[int, _Ways]) -> Iterator[Misled]:
    for n, ways in odd.items():
        for meant in dict.fromkeys(usual[way] for (way, _), _ in ways if way in usual):
            slip = _find_move(n, ways, meant, like[meant])
            if slip is not None:
                yield slip


def _pair_moves(slips: list[Misled]) -> tuple[list[Crossing], list[Misled]]:
    """Those that change places, each node once, and those that are left."""
    by_move: dict[tuple[int, int, int], list[Misled]] = {}
    for slip in slips:
        by_move.setdefault((slip.meant, slip.leads, slip.cables), []).append(slip)
    pairs: list[Crossing] = []
    done: set[int] = set()
    for slip in slips:
        others = by_move.get((slip.leads, slip.meant, slip.cables), ()) if slip.node not in done else ()
        other = next((each for each in others if each.node not in done and each.node != slip.node), None)
        if other is not None:
            done.update((slip.node, other.node))
            pairs.append(Crossing(slip, other))
    return pairs, [slip for slip in slips if slip.node not in done]


def _find_move(n: int, ways: _Ways, usual: _Ways, like: int) -> Misled | None:
    """How a node's ways come from the usual ones by one move of cables; None where they do not."""
    own, other = dict(ways), dict(usual)
    differing = {key: own.get(key, 0) - other.get(key, 0) for key in own.keys() | other.keys()}
    changed = sorted((more, key) for key, more in differing.items() if more)
    if len(changed) != 2:
        return None
    (less, meant), (more, leads) = changed
    if less + more or meant[1] != leads[1]:
        return None
    return Misled(n, leads[0], meant[0], more, like)


def _cross_uneven(odd: Mapping[int, _Ways]) -> Iterator[tuple[Crossing, _Ways]]:
    """Two nodes that are both even, and alike, once cables change places; and what their ways are then."""
    done: set[int] = set()
    for (a, ways), (b, others) in combinations(odd.items(), 2):
        slip = _find_move(a, ways, others, b) if done.isdisjoint((a, b)) else None
        if slip is None or slip.cables % 2:
            continue
        half = slip.cables // 2
        own, other = dict(ways), dict(others)
        even = {
            key: max(own.get(key, 0), other.get(key, 0)) - half * (key[0] in (slip.leads, slip.meant))
            for key in own | other
        }
        if len(set(even.values())) == 1 and len({speed for _, speed in even}) == 1:
            done.update((a, b))
            first = slip._replace(cables=half)
            yield Crossing(first, Misled(b, slip.meant, slip.leads, half, a)), tuple(sorted(even.items()))


def _find_planes(found: Graph, odd: Mapping[int, _Ways]) -> dict[_Ways, int]:
    """Of four switches none of which is cabled alike: the first two with hosts in common and no way; {}: none."""
    sets = {n: {way for (way, _), _ in ways} for n, ways in odd.items() if n < found.switches}
    hosts = {n: set(found.hosts(n)) for n in sets}
    for a, b in combinations(sets, 2):
        if sets[a].isdisjoint(sets[b]) and not hosts[a].isdisjoint(hosts[b]):
            return {odd[a]: a, odd[b]: b}
    return {}
