"""Fabrics without tiers, and links that differ where routes take them for equal: rules TOP950 and TOP951."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import combinations

from rocecfg.analysis.capacity import capacity
from rocecfg.analysis.coordinates import find_grid, find_groups
from rocecfg.analysis.graph import Graph, graph
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Origin
from rocecfg.model.fabric import REORDERING
from rocecfg.rules.base import OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.topology_capacity import Cables, format_cables, sort_cables

_MINIMAL = ("minimal", "shortest")
_FLAT = ("dragonfly", "torus", "mesh")
_MOST_NAMED = 3


@rule(
    "TOP950",
    "topology-adaptive",
    WARNING,
    source="Kim et al., ISCA'08 (dragonfly): minimal routes alone leave most global links idle under adverse traffic",
    by_kind={"running": OFF},
    needs=("routing",),
)
def topology_adaptive(fabric: Fabric) -> Iterator[Hit]:
    """A dragonfly without adaptive routing: all traffic between two groups uses the few links between them."""
    section = fabric.facts.get("routing")
    if fabric.topology != "dragonfly" or not isinstance(section, dict):
        return
    adaptive, algorithm = section.get("adaptive"), section.get("algorithm")
    minimal = algorithm is not None and algorithm.value in _MINIMAL
    place = adaptive if adaptive is not None else algorithm if minimal else None
    if place is None or (adaptive is not None and adaptive.value):
        return  # adaptive; or nobody says, and it does not follow from the algorithm
    if any(d.load_balancing is not None and d.load_balancing.mode in REORDERING for d in fabric.devices):
        return  # what switches are told counts, not a word for people
    harm = (
        "all traffic between two groups uses the one or few links between them, while links by way of other groups "
        "are idle"
        if minimal
        else "packets take detours at random, not where there is capacity, and twice as many links carry each of them"
    )
    yield Hit(
        f"a dragonfly {'without adaptive routing' if adaptive is not None else f'with {place.value} routes alone'}: "
        f"{harm}. Collectives between groups pause behind them",
        (place.at,),
        "turn adaptive routing on in the switches, and state adaptive: true",
    )


# -- links that differ -------------------------------------------------------------------------------------------------


class _Connection(NamedTuple):
    """What joins two switches, or two groups: its kind, its name, its cables, and where the first is written."""

    kind: Hashable
    name: str
    cables: Cables
    at: Origin | None


@rule(
    "TOP951",
    "topology-uneven-links",
    WARNING,
    source="ECMP gives each link an equal share, and minimal routes each neighbour: the narrowest fills first",
    by_kind={"running": OFF},
    needs=("links",),
    graph=True,
)
def topology_uneven_links(fabric: Fabric) -> Iterator[Hit]:
    """Links that routing treats as equal differ: parallel ones of two speeds, or more at one place of a flat fabric."""
    found = graph(fabric)
    yield from _judge_parallel_links(fabric, found)
    if fabric.topology in _FLAT:
        yield from _judge_odd_places(fabric, found)


def _judge_parallel_links(fabric: Fabric, found: Graph) -> Iterator[Hit]:
    """Parallel links of two speeds between switches; the same speeds at many places are one finding.

    Of switches whose ways up differ `topology-uneven-uplinks` tells.
    """
    alike: dict[Cables, list[_Connection]] = {}
    uneven = {
        load.switch
        for load in capacity(fabric).loads
        if len({sort_cables(found.bundle(load.switch, way).speeds) for way, _, _ in load.ways}) > 1
    }
    for bundle in found.bundles.values():
        if len(bundle.speeds) < 2 or bundle.b >= found.switches or uneven & {bundle.a, bundle.b}:
            continue
        if len([speed for speed in bundle.speeds if speed]) > 1:
            name = f"{found.names[bundle.a]} and {found.names[bundle.b]}"
            cables = sort_cables(bundle.speeds)
            alike.setdefault(cables, []).append(_Connection(None, name, cables, bundle.first.link.a_at))
    for cables, ways in alike.items():
        yield Hit(
            f"{_format_names(ways)} are joined by {format_cables(cables)}: ECMP gives each link the same share, so "
            "the slower fill first and pause traffic that the faster could carry, and a LAG takes only links of "
            "one speed",
            tuple(way.at for way in ways[:1] if way.at is not None),
            "run parallel links at one speed",
        )


def _judge_odd_places(fabric: Fabric, found: Graph) -> Iterator[Hit]:
    """Places of a flat fabric with other links than most places of their kind have."""
    kinds: dict[Hashable, list[_Connection]] = {}
    for way in _iter_connections(fabric, found):
        kinds.setdefault(way.kind, []).append(way)
    for kind, ways in kinds.items():
        (usual, count), *_ = Counter(way.cables for way in ways).most_common(1)
        if 2 * count <= len(ways):
            continue
        odd: dict[Cables, list[_Connection]] = {}
        for way in ways:
            if way.cables != usual:
                odd.setdefault(way.cables, []).append(way)
        for cables, those in odd.items():
            yield Hit(
                f"{_format_names(those)} are joined by {format_cables(cables)}, but {count} other pairs {kind} by "
                f"{format_cables(usual)}: routing treats them as equal, so the narrower fill first, and pauses "
                "spread from there",
                (*(way.at for way in those[:1] if way.at is not None), fabric.at("topology")),
                "cable all of them the same way, or correct the links",
            )


def _iter_connections(fabric: Fabric, found: Graph) -> Iterator[_Connection]:
    """What joins switches, or groups, of a flat fabric; nothing where it is not known what is to be equal."""
    grid = find_grid(found) if fabric.topology != "dragonfly" else None
    groups = find_groups(found) if fabric.topology == "dragonfly" else None
    if fabric.topology != "mesh" and grid is None and groups is None:
        return
    between: dict[tuple[int, int], dict[int, int]] = {}
    at: dict[tuple[int, int], Origin] = {}
    for bundle in found.bundles.values():
        u, v = bundle.a, bundle.b
        if v >= found.switches:
            continue
        if groups is not None and groups[u] != groups[v]:
            a, b = sorted((groups[u], groups[v]))
            rates = between.setdefault((a, b), {})
            for speed, count in bundle.speeds.items():
                rates[speed] = rates.get(speed, 0) + count
            at.setdefault((a, b), bundle.first.link.a_at)
            continue
        kind = "in a group" if groups is not None else "in that dimension" if grid is not None else "of the mesh"
        axis = grid.step(u, v)[0] if grid is not None else 0
        name = f"{found.names[u]} and {found.names[v]}"
        yield _Connection(_PlaceKind(kind, axis), name, sort_cables(bundle.speeds), bundle.first.link.a_at)
    for a, b in combinations(sorted(set(groups.values())), 2) if groups is not None else ():
        cables = sort_cables(between.get((a, b), {}))
        yield _Connection(_PlaceKind("of groups", 0), f"group {a} and group {b}", cables, at.get((a, b)))


class _PlaceKind(NamedTuple):
    """Places that are to be equal, as a message names them; of a grid those along one axis."""

    name: str
    axis: int

    def __str__(self) -> str:
        return self.name


def _format_names(ways: list[_Connection]) -> str:
    more = f" and {len(ways) - _MOST_NAMED} more pairs" if len(ways) > _MOST_NAMED else ""
    return ", ".join(way.name for way in ways[:_MOST_NAMED]) + more


RULES: tuple[Rule, ...] = (topology_adaptive, topology_uneven_links)
