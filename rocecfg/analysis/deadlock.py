"""Whether lossless packets can wait for each other in a circle: cyclic buffer dependency, with the circle itself.

It is necessary for a PFC deadlock, not sufficient (Hu et al., HotNets'16): where there is none, no load deadlocks.
The cheapest proof comes first: ranks of links along up-down routes; then switches instead of links; then links.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable

from rocecfg.analysis.coordinates import find_grid
from rocecfg.analysis.cycles import shortest_cycle, strongly_connected
from rocecfg.analysis.graph import SHIFT, Graph, graph
from rocecfg.analysis.routes import (
    Lossless,
    Routing,
    Turn,
    all_turns,
    bouncing_switches,
    dimension_order_turns,
    find_rdma_ends,
    quotient_turns,
    rank_of_link,
    routing,
    shortest_turns,
    up_down_turns,
)
from rocecfg.analysis.symmetry import KEPT, choose_representatives, color_by_symmetry, group_by_links
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric
from rocecfg.model.fabric import UP_DOWN

_MOST_TURNS = 4_000_000  # of a fabric in which few switches are alike: about 10 s and 1 GB
_MOST_STEPS = 40_000_000  # links looked at to find shortest routes

Hop = tuple[int, int, int]  # from, to, priority


class DeadlockVerdict(NamedTuple):
    """What was found. `unknown`: why nothing could be said, else empty."""

    routing: Routing
    cycle: tuple[Hop, ...] = ()  # the links of a shortest circle, in order; (): there is none
    how: str = ""  # ranks | switches | links: what proved it
    unknown: str = ""
    turns_up: int | None = None  # a switch that turns packets back up, where no circle comes of it


@kept_with_fabric
def judge_deadlock(fabric: Fabric) -> DeadlockVerdict:
    """Whether a fabric as it is has a cyclic buffer dependency, by the routes that its intent states."""
    found = graph(fabric)
    routes = routing(fabric, found)
    if routes.algorithm is None:
        return DeadlockVerdict(routes, unknown="the intent states no known routing algorithm")
    lossless = Lossless(found)
    if routes.algorithm == UP_DOWN:
        return _judge_up_down(found, tiers(fabric), routes, lossless)
    if routes.algorithm == "dimension-order":
        where = find_grid(found)
        if where is None:
            return DeadlockVerdict(routes, unknown="names and cables give the switches no coordinates")
        return _judge_turns(routes, dimension_order_turns(found, where, lossless, dateline=routes.dateline))
    if routes.dateline and (where := find_grid(found)) is not None and len(where.sizes) == 1:
        return _judge_turns(routes, dimension_order_turns(found, where, lossless, dateline=True))
    if routes.algorithm == "non-minimal":
        return _judge_any_routes(found, tiers(fabric), routes, lossless)
    return _judge_shortest(fabric, found, routes, lossless)


def _judge_any_routes(found: Graph, level: Tiers, routes: Routing, lossless: Lossless) -> DeadlockVerdict:
    among, _ = _reduce(found, level, lossless)
    size = sum(len(found.uplinks(n)) ** 2 for n in among)
    if size > _MOST_TURNS:
        return DeadlockVerdict(routes, unknown=f"{size} turns are too many to look at")
    return _judge_turns(routes, all_turns(found, lossless, among))


def _judge_shortest(fabric: Fabric, found: Graph, routes: Routing, lossless: Lossless) -> DeadlockVerdict:
    level = tiers(fabric)
    among, ends = _reduce(found, level, lossless)
    if _count_steps(found, ends, among) > _MOST_STEPS:
        return DeadlockVerdict(
            routes, unknown=f"shortest routes to {len(ends)} unlike switches are too many to look at"
        )
    turns = shortest_turns(found, ends, lossless, among)
    judged = _judge_turns(routes, turns)
    return judged if judged.cycle or fabric.topology not in ("clos", "rail") else _note_valley(level, judged, turns)


def _judge_up_down(found: Graph, level: Tiers, routes: Routing, lossless: Lossless) -> DeadlockVerdict:
    nodes = range(found.switches)
    named = {n for bounce in routes.bounces for n in bounce.at}
    priorities = lossless.all({m for n in named for m in (n, *found.uplinks(n))})
    turning = bouncing_switches(found, level, routes, priorities)
    if not turning:
        return DeadlockVerdict(routes, how="ranks" if has_ranks(found, level) else "")
    trait = {n: tuple(routes.after(n, p) for p in priorities) for n in named}

    def trait_of(n: int) -> Hashable:
        return level.of[n], trait.get(n)

    of = group_by_links(found, trait_of, lossless.differing())
    among: Collection[int] = choose_representatives(found, level, of, trait_of)
    switch, ahead = quotient_turns(found, level, routes, lossless.all(nodes), among)
    among = {switch[vertex] for part in strongly_connected(ahead) for vertex in part}
    if not among:
        return DeadlockVerdict(routes, how="switches", turns_up=turning[0])
    size = sum(len(found.uplinks(n)) ** 2 for n in among)
    if size > _MOST_TURNS:
        return DeadlockVerdict(routes, unknown=f"{size} turns are too many to look at")
    judged = _judge_turns(routes, up_down_turns(found, level, routes, lossless, among))
    return judged if judged.cycle else judged._replace(turns_up=turning[0])


def has_ranks(found: Graph, level: Tiers) -> bool:
    """Whether ranks rise along every up-down turn of these cables. One pass over them.

    A rank follows from the tiers at both ends, so turns need to be compared for each two pairs of tiers alone.
    """
    of, count = level.of, found.switches
    tiers_of = {(of[b.a], of[b.b]) for b in found.bundles.values() if b.b < count}
    links = tiers_of | {(there, here) for here, there in tiers_of}
    for here, there in links:
        before = rank_of_link(here, there, level.top)
        for start, end in links:
            after = rank_of_link(start, end, level.top)
            turns_back_up = there < min(here, end)
            if start == there and before is not None and after is not None and not turns_back_up and before >= after:
                return False
    return True


def _reduce(found: Graph, level: Tiers, lossless: Lossless) -> tuple[frozenset[int], list[int]]:
    ends = find_rdma_ends(found)
    hosts = frozenset(ends)
    of = group_by_links(found, hosts.__contains__, lossless.differing())
    among = choose_representatives(found, level, of, hosts.__contains__)
    return among, [n for n in ends if n in among]


def _count_steps(found: Graph, ends: Collection[int], among: Collection[int]) -> int:
    return len(ends) * sum(len(found.uplinks(n)) for n in among)


def _judge_turns(routes: Routing, turns: Iterable[Turn]) -> DeadlockVerdict:
    return DeadlockVerdict(routes, find_circle(turns), how="links")


def find_circle(turns: Iterable[Turn]) -> tuple[Hop, ...]:
    """The links and priorities of a shortest circle that these turns close; () where they close none."""
    hops: list[Hop] = []
    ahead: list[list[int]] = []
    number: dict[int, int] = {}
    for u, v, w, p, q in turns:
        pair = []
        for hop in ((u, v, p), (v, w, q)):
            key = (hop[0] << SHIFT | hop[1]) << 3 | hop[2]
            vertex = number.get(key)
            if vertex is None:
                vertex = number[key] = len(hops)
                hops.append(hop)
                ahead.append([])
            pair.append(vertex)
        ahead[pair[0]].append(pair[1])
    best: list[int] = []
    for part in strongly_connected(ahead):
        found = shortest_cycle(ahead, part)
        if not best or len(found) < len(best):
            best = found
    return tuple(hops[vertex] for vertex in best)


def _note_valley(level: Tiers, judged: DeadlockVerdict, turns: Iterable[Turn]) -> DeadlockVerdict:
    of = level.of
    back = [v for u, v, w, _, _ in turns if of[u] > of[v] > 0 and of[w] > of[v]]
    return judged._replace(turns_up=min(back)) if back else judged


# -- failures ----------------------------------------------------------------------------------------------------------


class Failures(NamedTuple):
    """What single failures do to a fabric without a circle: at most one case for each class of link or switch."""

    lost: tuple[int, ...] = ()  # the link (two switches) or the switch whose loss closes a circle; (): none does
    cycle: tuple[Hop, ...] = ()
    tried: int = 0
    classes: int = 0  # more than tried: the fabric is too large to try all


@kept_with_fabric
def judge_failures(fabric: Fabric) -> Failures:
    """Whether losing one link or one switch closes a circle, when routes go on by the shortest ways that are left.

    One of each class is tried: links between switches that look alike at both ends, and switches that look alike.
    Up-down routes need no trial: what is left of them is up-down still; nor do non-minimal ones, which take every turn
    as it is. What routes in dimension order do then is not known.
    """
    now = judge_deadlock(fabric)
    if now.cycle or now.unknown or now.routing.algorithm not in ("shortest", "minimal") or now.routing.dateline:
        return Failures()
    found = graph(fabric)
    lossless = Lossless(found)
    hosts = frozenset(find_rdma_ends(found))
    of = group_by_links(found, hosts.__contains__, lambda u, v: (lossless.on(u, v), found.bundle(u, v).cables > 1))
    among = choose_representatives(found, tiers(fabric), of, hosts.__contains__)
    looks = color_by_symmetry(found, hosts.__contains__)
    ends = [n for n in sorted(hosts) if n in among]
    cases = _failure_cases(found, of, looks, among)
    steps = _count_steps(found, ends, among)
    most = _MOST_STEPS // steps if steps else len(cases)
    for tried, lost in enumerate(cases[:most], 1):
        rest = among if len(lost) == 2 else among.difference(lost)
        link = (lost[0], lost[1]) if len(lost) == 2 else None
        closed = find_circle(shortest_turns(found, ends, lossless, rest, link))
        if closed:
            return Failures(lost, closed, tried, len(cases))
    return Failures(tried=min(most, len(cases)), classes=len(cases))


def _failure_cases(found: Graph, of: list[int], looks: list[int], among: frozenset[int]) -> list[tuple[int, ...]]:
    """One link of each class, and one switch of each kind of which there are not so many that none is missed."""
    links: dict[tuple[int, int], tuple[int, ...]] = {}
    for u in sorted(among):
        for v in found.uplinks(u):
            if u < v and v in among and found.bundle(u, v).cables == 1:
                links.setdefault((min(looks[u], looks[v]), max(looks[u], looks[v])), (u, v))
    switches: dict[int, tuple[int, ...]] = {}
    for kind, count in sorted(Counter(of).items()):
        if count <= KEPT and kind in among:
            switches.setdefault(looks[kind], (kind,))
    return [*links.values(), *switches.values()]
