"""How far hosts are from each other: pairs by the switches between them, and how many paths of equal cost they have.

Hosts on the same switches are counted together, and so are places that look the same from all others: no pair is looked
at by itself. Paths are counted twice: by switch, parallel cables once; and by cable, each cable between switches
a way of its own, which is how many ways ECMP spreads over where each cable is a port with its own route.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from rocecfg.analysis.blast import count_cut_off
from rocecfg.analysis.coordinates import find_grid
from rocecfg.analysis.ecmp import RouteSearch
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.host_distance import (
    MOST_STEPS,
    EndPlace,
    Pair,
    PairCounts,
    count_own_pairs,
    host_places,
    port_places,
)
from rocecfg.analysis.routes import routing
from rocecfg.analysis.symmetry import color_by_symmetry
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric
from rocecfg.model.fabric import UP_DOWN

MOST_KINDS = 12  # with an example: the nearest ones and the farthest, in a ring of thousands


class PathCounts(NamedTuple):
    """How many paths pairs have: the fewest, what most pairs have, the most."""

    least: int
    usual: int
    most: int


class Hop(NamedTuple):
    """One cable of a path: `leaf01:Ethernet0` and where it leads, with its speed in bit/s; None: not known."""

    out: str
    into: str
    speed: int | None


class PairKind(NamedTuple):
    """The pairs that are equally far from each other."""

    crossed: int  # switches
    pairs: int
    by_switch: PathCounts
    by_cable: PathCounts
    example: tuple[Hop, ...]  # () where there are so many kinds that this one is not shown

    @property
    def narrowest(self) -> int | None:
        """The speed of the example's slowest cable, bit/s; None where one is not known."""
        known = [hop.speed for hop in self.example if hop.speed is not None]
        return min(known) if known and len(known) == len(self.example) else None


class Survey(NamedTuple):
    """All pairs of some ends. `ends`: what they are, in the singular."""

    ends: str
    kinds: tuple[PairKind, ...]  # the nearest first
    pairs: int
    apart: int  # pairs that no route joins
    counted: int  # ends whose pairs with all others were counted: all of them, unless that is too much work
    of: int


class Paths(NamedTuple):
    """What is known of paths. `unknown`: why nothing is, else empty."""

    algorithm: str
    stated: bool  # whether the intent says so, or its topology
    surveys: tuple[Survey, ...] = ()
    unknown: str = ""
    bounces: bool = False  # whether there are any, which are left out


NO_CABLES = "no cables between switches are known"


def lacks_cables(fabric: Fabric) -> bool:
    """Whether there are switches, and nothing says how they are cabled: then nothing is known of what crosses them."""
    return not fabric.links and graph(fabric).switches > 1


@kept_with_fabric
def paths(fabric: Fabric) -> Paths | None:
    """The paths between hosts, and between any ports of them where a host hangs on several switches.

    Between switches that hosts hang on, where the hosts are not cabled. None where there are no two of either. Routes
    that nobody stated are taken as up-down where there are tiers, else as the shortest. Paths on which a switch turns
    packets back up (`bounces`) are left out.
    """
    found, level = graph(fabric), tiers(fabric)
    ends = host_places(found)
    if sum(place.weight for place in ends) < 2:
        return None
    routes = routing(fabric, found)
    stated_how = routes.algorithm
    if not fabric.links:
        return Paths(stated_how or "", stated=stated_how is not None, unknown=NO_CABLES)
    algorithm = stated_how or (UP_DOWN if level.top > 1 else "shortest")
    where = None
    if algorithm == "dimension-order":
        where = find_grid(found)
        if where is None:
            return Paths(algorithm, stated=True, unknown="names and cables give the switches no coordinates")
    ways = RouteSearch(found, level.of, algorithm, where)
    cabled = len(found.names) > found.switches
    surveys = [survey_pairs(found, ways, ends, "host" if cabled else "switch with hosts")]
    if any(len(place.switches) > 1 for place in ends):
        surveys.append(survey_pairs(found, ways, port_places(found), "host port", count_own_pairs(found)))
    return Paths(
        algorithm, stated_how is not None, tuple(surveys), bounces=algorithm == UP_DOWN and bool(routes.bounces)
    )


def survey_pairs(
    found: Graph, ways: RouteSearch, places: Sequence[EndPlace], ends: str, own: Mapping[Pair, int] | None = None
) -> Survey:
    """All pairs of ends at some places by how far they are."""
    counts = PairCounts(ways, places, own)
    kinds = []
    far = sorted(counts.by_switch)
    shown = {*far[: MOST_KINDS - 1], *far[-1:]}
    for crossed in far:
        a, b = (counts.places[i] for i in counts.first[crossed])
        by_switch, by_cable = counts.by_switch[crossed], counts.by_cable[crossed]
        example = _example_hops(found, ways, a, b) if crossed in shown else ()
        kinds.append(PairKind(crossed, by_switch.total(), _count_paths(by_switch), _count_paths(by_cable), example))
    counted, of = counts.weights
    return Survey(ends, tuple(kinds), counts.pairs, counts.pairs - counts.reached, counted, of)


def _count_paths(found: Counter[int]) -> PathCounts:
    usual = min(found, key=lambda paths: (-found[paths], paths))
    return PathCounts(min(found), usual, max(found))


def _example_hops(found: Graph, ways: RouteSearch, a: EndPlace, b: EndPlace) -> tuple[Hop, ...]:
    shared = [n for n in a.switches if n in b.switches]
    nodes = shared[:1] or ways.example(a.switches, b.switches)
    if a.hosts:
        here, there = next((g, h) for g in a.hosts for h in b.hosts if h != g)
        nodes = [here, *nodes, there]
    out = []
    for u, v in pairwise(nodes):
        first = next(iter(found.bundle(u, v).speeds))  # of the cable that is named: the first one
        out.append(Hop(*found.ports(u, v), first or None))
    return tuple(out)


# -- what the loss of one switch takes ---------------------------------------------------------------------------------


_MOST_TRIED = 8  # of a tier, one of each kind that looks alike
_NOBODY = -1


class SwitchLoss(NamedTuple):
    """The loss of a switch. `tried` of `kinds` switches of its tier that look different; it is the worst of these."""

    switch: int
    tier: int
    hosts: int | None  # that no longer reach the largest part by any cable; None: there are such without a loss too
    pairs: int | None  # of hosts, that lose their last route; None: too many places to count them
    of: int  # pairs that routes join while nothing is lost
    tried: int
    kinds: int


@kept_with_fabric
def worst_losses(fabric: Fabric) -> list[SwitchLoss]:
    """The worst loss of a switch in each tier, the lowest first; [] where no hosts are cabled, or routes are not known.

    A host on the switch itself counts. Where routes are not up-down, they are taken to go round what is lost.
    """
    found, level, known = graph(fabric), tiers(fabric), paths(fabric)
    if known is None or known.unknown or len(found.names) == found.switches:
        return []
    places = host_places(found)
    ways = RouteSearch(found, level.of, known.algorithm if known.algorithm == UP_DOWN else "shortest")
    all_pairs = known.surveys[0]
    whole = PairCounts(ways, places) if all_pairs.counted == all_pairs.of else None
    parted = count_cut_off(found, _NOBODY) > 0
    homes: dict[int, Counter[int]] = {}
    for place in places:
        for n in place.switches:
            homes.setdefault(n, Counter())[len(place.switches)] += place.weight
    looks = color_by_symmetry(found, lambda n: (level.of[n], *sorted(homes.get(n, Counter()).items())))
    firsts: dict[int, list[int]] = {}
    seen: set[int] = set()
    for n in range(found.switches):
        if level.of[n] and looks[n] not in seen:
            seen.add(looks[n])
            firsts.setdefault(level.of[n], []).append(n)
    effort = whole.effort if whole is not None else 1
    most = max(1, min(_MOST_TRIED, MOST_STEPS // max(1, effort * len(firsts))))
    out = []
    for tier, kinds in sorted(firsts.items()):
        trials = []
        for n in kinds[:most]:
            hosts = None if parted else count_cut_off(found, n)
            pairs = whole.reached - PairCounts(ways, places, lost=n).reached if whole is not None else None
            trials.append(
                SwitchLoss(n, tier, hosts, pairs, all_pairs.pairs - all_pairs.apart, min(most, len(kinds)), len(kinds))
            )
        out.append(max(trials, key=lambda loss: (loss.pairs or 0, loss.hosts or 0)))
    return out
