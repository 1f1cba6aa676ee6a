"""Which turns lossless packets take: what came over u -> v with one priority leaves over v -> w with that or another.

Packets that wait in v for v -> w keep the buffer of u -> v full: so each turn is an edge between directed links, which
`deadlock` searches for cycles. Hosts never forward. Parallel cables are one link.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from rocecfg.analysis.coordinates import Grid
from rocecfg.analysis.graph import SHIFT, Graph
from rocecfg.analysis.ports import PortEnd
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.nodeset import names_of
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Span
from rocecfg.model.fabric import ALGORITHMS, UP_DOWN

TIERED = ("clos", "rail")  # topologies whose routes are up-down, where the intent states no algorithm

Turn = tuple[int, int, int, int, int]  # u, v, w, the priority before, the priority after


class Bounce(NamedTuple):
    """Switches that send packets which came from above up again, as the intent has it."""

    at: frozenset[int]
    remap: Mapping[int, int]  # priority before -> after; {}: it stays
    place: Span


class Routing(NamedTuple):
    """How packets are routed. `algorithm` None: not stated, or a word that is not known."""

    algorithm: str | None
    bounces: tuple[Bounce, ...]
    dateline: bool

    def after(self, node: int, priority: int) -> int | None:
        """The priority of a packet that bounces at a switch; None: it does not.

        A priority that packets only get by a bounce does not bounce again, unless a remap names it.
        """
        for bounce in self.bounces:
            if node in bounce.at:
                if priority in bounce.remap:
                    return bounce.remap[priority]
                if not any(priority in b.remap.values() for b in self.bounces):
                    return priority
        return None


def routing(fabric: Fabric, found: Graph) -> Routing:
    """What the intent says of routing; in a Clos or rail fabric that does not say up-down, where that joins all.

    Where links between switches of one tier alone join hosts, as in a ring of leaves, routing takes these: the shortest
    routes. A table of routes (`routes`) is not read: where it stands in place of an algorithm, how packets go is not
    known.
    """
    section = fabric.facts.get("routing")
    section = section if isinstance(section, dict) else {}
    stated = section.get("algorithm")
    usual = UP_DOWN if fabric.topology in TIERED and "routes" not in fabric.facts else None
    if stated is None and usual is not None and not are_joined_across_tiers(found, tiers(fabric)):
        usual = "shortest"
    algorithm = stated.value if stated is not None else usual
    bounces = []
    listed = section.get("bounces")
    for item in listed.value if listed is not None else ():
        at = item.value.get("at")
        if at is None:
            continue
        nodes = [found.numbers[name] for name in names_of(at.value) if name in found.numbers]
        remap = item.value.get("remap")
        changes = {p: q.value for p, q in remap.value.items()} if remap is not None else {}
        if remap is not None and not changes:
            continue  # nothing in it could be read
        bounces.append(Bounce(frozenset(n for n in nodes if n < found.switches), changes, at.at))
    dateline = section.get("dateline")
    known = algorithm if algorithm in ALGORITHMS else None
    return Routing(known, tuple(bounces), dateline is not None and bool(dateline.value))


def are_joined_across_tiers(found: Graph, level: Tiers) -> bool:
    """Whether links between tiers join all switches with hosts that any cables join."""
    of, switches = level.of, range(found.switches)
    if not any(of[n] == of[other] > 0 for n in switches for other in found.uplinks(n)):
        return True
    parts: list[dict[int, int]] = []
    for flat in (True, False):
        part = {n: n for n in switches}
        for n in switches:
            for other in found.uplinks(n):
                if flat or of[n] != of[other]:
                    _join(part, n, other)
        parts.append({n: _find(part, n) for n in find_rdma_ends(found)})
    return len(set(parts[0].values())) == len(set(parts[1].values()))


def _find(part: dict[int, int], n: int) -> int:
    while part[n] != n:
        part[n] = n = part[part[n]]
    return n


def _join(part: dict[int, int], a: int, b: int) -> None:
    part[_find(part, a)] = _find(part, b)


class Lossless:
    """The priorities on which a link is lossless: those with PFC at both ends."""

    def __init__(self, found: Graph) -> None:
        self._found = found
        self._known: dict[tuple[int, int], tuple[int, ...]] = {}

    def on(self, u: int, v: int) -> tuple[int, ...]:
        """Ascending; () where nothing is paused."""
        bundle = self._found.bundles[(u << SHIFT | v) if u < v else (v << SHIFT | u)]
        key = id(bundle.a_end), id(bundle.b_end)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = _shared_pfc(bundle.a_end, bundle.b_end)
        return known

    def differing(self) -> Callable[[int, int], tuple[int, ...]] | None:
        """`on`, or None where all links are lossless on the same priorities."""
        bundles = self._found.bundles.values()
        kinds = {(id(b.a_end), id(b.b_end)): (b.a_end, b.b_end) for b in bundles if b.b < self._found.switches}
        return self.on if len({_shared_pfc(a, b) for a, b in kinds.values()}) > 1 else None

    def all(self, among: Iterable[int]) -> tuple[int, ...]:
        """The priorities that are lossless on some link between these switches, ascending."""
        nodes = frozenset(among)
        kinds = {
            (id(b.a_end), id(b.b_end)): (b.a_end, b.b_end)
            for b in self._found.bundles.values()
            if b.a in nodes and b.b in nodes
        }
        return tuple(sorted({p for a, b in kinds.values() for p in _shared_pfc(a, b)}))


def _shared_pfc(a: PortEnd | None, b: PortEnd | None) -> tuple[int, ...]:
    ends = [set(end.port.pfc) for end in (a, b) if end is not None]
    return tuple(sorted(set.intersection(*ends))) if ends else ()


def find_rdma_ends(found: Graph) -> list[int]:
    """The switches that RDMA starts and ends at: those with hosts; where none is cabled, with ports that face hosts."""
    cabled = [n for n in range(found.switches) if found.hosts(n)]
    if cabled:
        return cabled
    facing: dict[int, bool] = {}
    out = []
    for n, plan in enumerate(found.plans):
        key = id(plan)
        if key not in facing:
            ports = (end.port for end in plan.named.values())
            facing[key] = any(port.faces == "host" for port in ports)
        if facing[key]:
            out.append(n)
    return out


# -- up-down -----------------------------------------------------------------------------------------------------------


def rank_of_link(here: int, there: int, top: int) -> int | None:
    """The rank of a link from one tier into another: t for one up from tier t, 2T - t for one down into tier t.

    Along up-down routes ranks rise strictly, so no such routes wait in a circle. None: the link is not part of them,
    since it joins switches of one tier, or of a tier that is not known.
    """
    if here == there or not here or not there:
        return None
    return here if here < there else 2 * top - there


def bouncing_switches(found: Graph, tiers: Tiers, routes: Routing, priorities: Iterable[int]) -> list[int]:
    """The switches that really turn packets back up: named in a bounce, and with two switches above at least."""
    nodes = sorted({n for bounce in routes.bounces for n in bounce.at})
    asked = tuple(priorities)
    return [
        n
        for n in nodes
        if len(_switches_above(found, tiers, n)) > 1 and any(routes.after(n, p) is not None for p in asked)
    ]


def _switches_above(found: Graph, tiers: Tiers, node: int) -> list[int]:
    tier = tiers.of[node]
    return [w for w in found.uplinks(node) if tiers.of[w] > tier > 0]


def up_down_turns(
    found: Graph, tiers: Tiers, routes: Routing, lossless: Lossless, among: Collection[int]
) -> Iterator[Turn]:
    """The turns between some switches along up-down routes, and where switches bounce."""
    nodes = set(among)
    for v in sorted(nodes):
        tier = tiers.of[v]
        near = [n for n in found.uplinks(v) if n in nodes and tiers.of[n] not in (0, tier)]
        above = [n for n in near if tiers.of[n] > tier]
        below = [n for n in near if tiers.of[n] < tier]
        for u in near:
            came_up = tiers.of[u] < tier
            for p in lossless.on(u, v):
                for w in (*above, *below) if came_up else below:
                    if w != u and p in lossless.on(v, w):
                        yield u, v, w, p, p
                q = None if came_up else routes.after(v, p)
                if q is not None:
                    for w in above:
                        if w != u and q in lossless.on(v, w):
                            yield u, v, w, p, q


def quotient_turns(
    found: Graph, tiers: Tiers, routes: Routing, priorities: tuple[int, ...], among: Collection[int]
) -> tuple[list[int], list[list[int]]]:
    """The same turns with links taken together: a vertex is a switch, how packets came, and their priority.

    It has a cycle wherever links have one, and may have more: a packet that would turn back over its own link counts.
    Gives the switch of each vertex, and the vertices ahead of each.
    """
    nodes = sorted(set(among))
    place = {n: i for i, n in enumerate(nodes)}
    width = 2 * len(priorities)
    slot = {p: i for i, p in enumerate(priorities)}
    of = [n for n in nodes for _ in range(width)]
    ahead: list[list[int]] = [[] for _ in of]
    for v in nodes:
        tier = tiers.of[v]
        near = [n for n in found.uplinks(v) if n in place and tiers.of[n] not in (0, tier)]
        above = [place[n] * width for n in near if tiers.of[n] > tier]
        below = [place[n] * width for n in near if tiers.of[n] < tier]
        for p, i in slot.items():
            came_up, came_down = place[v] * width + 2 * i, place[v] * width + 2 * i + 1
            down = [base + 2 * i + 1 for base in below]
            ahead[came_down] += down
            ahead[came_up] += down
            ahead[came_up] += [base + 2 * i for base in above]
            q = routes.after(v, p)
            if q in slot:
                ahead[came_down] += [base + 2 * slot[q] for base in above]
    return of, ahead


# -- other ways --------------------------------------------------------------------------------------------------------


def find_distances(
    found: Graph, to: int, among: Collection[int], lost: tuple[int, int] | None = None
) -> dict[int, int]:
    """The hops from each switch to one of them, between switches alone. `lost`: a link that is down."""
    out = {to: 0}
    front = [to]
    while front:
        nearer = []
        for v in front:
            for u in found.uplinks(v):
                if u not in out and u in among and not _is_lost(lost, u, v):
                    out[u] = out[v] + 1
                    nearer.append(u)
        front = nearer
    return out


def _is_lost(lost: tuple[int, int] | None, u: int, v: int) -> bool:
    return lost is not None and lost in ((u, v), (v, u))


def shortest_turns(
    found: Graph,
    ends: Iterable[int],
    lossless: Lossless,
    among: frozenset[int],
    lost: tuple[int, int] | None = None,
) -> set[Turn]:
    """The turns of all shortest routes (ECMP) between switches that have hosts. `lost`: a link that is down."""
    hosts = [n for n in ends if n in among]
    triples: set[tuple[int, int, int]] = set()
    for to in hosts:
        hops = find_distances(found, to, among, lost)
        carry = {n for n in hosts if n in hops and n != to}  # switches that packets for `to` cross
        for v in sorted(hops, key=hops.__getitem__, reverse=True):
            if v == to:
                continue
            closer = [w for w in found.uplinks(v) if hops.get(w) == hops[v] - 1 and not _is_lost(lost, v, w)]
            if v in carry:
                carry.update(closer)
            for u in found.uplinks(v):
                if u in carry and hops.get(u) == hops[v] + 1 and not _is_lost(lost, u, v):
                    triples.update((u, v, w) for w in closer)
    return {(*t, p, p) for t in triples for p in _shared_priorities(lossless, *t)}


def all_turns(found: Graph, lossless: Lossless, among: frozenset[int]) -> Iterator[Turn]:
    """Every turn that does not lead back: what non-minimal routes take, which pass by any switch on their way."""
    for v in sorted(among):
        near = [n for n in found.uplinks(v) if n in among]
        for u in near:
            for w in near:
                if u != w:
                    for p in _shared_priorities(lossless, u, v, w):
                        yield u, v, w, p, p


def _shared_priorities(lossless: Lossless, u: int, v: int, w: int) -> Iterator[int]:
    after = lossless.on(v, w)
    return (p for p in lossless.on(u, v) if p in after)


def dimension_order_turns(found: Graph, where: Grid, lossless: Lossless, *, dateline: bool) -> Iterator[Turn]:
    """The turns of routes that finish one dimension before the next, each the short way round its ring.

    `dateline`: packets that cross the link which closes a ring go on with the second lossless priority, until they
    leave that ring (Dally and Seitz, 1987). Nothing then uses the second one alone.
    """
    index = {at: n for n, at in enumerate(where.at)}
    for v in range(found.switches):
        near = found.uplinks(v)
        for u in near:
            came = where.step(u, v)
            for w in near:
                if w == u:
                    continue
                leaves = where.step(v, w)
                straight = leaves[0] == came[0]
                if leaves[0] < came[0] or (
                    straight and (leaves[1] != came[1] or not _goes_on(found, where, index, u, came[0]))
                ):
                    continue
                before, after = lossless.on(u, v), lossless.on(v, w)
                if not dateline or min(len(before), len(after)) < 2:
                    yield from ((u, v, w, p, p) for p in before if p in after)
                    continue
                firsts = (False, True) if not came[2] else (True,)  # whether packets on u -> v crossed the dateline
                for crossed in firsts:
                    then = leaves[2] or (straight and crossed)
                    if not (straight and crossed and leaves[2]):  # half a ring at most: no second crossing
                        yield u, v, w, before[crossed], after[then]


def _goes_on(found: Graph, where: Grid, index: Mapping[tuple[int, ...], int], u: int, axis: int) -> bool:
    """Whether routes go on after one hop: the ring has four switches at least, or it is none."""
    size = where.sizes[axis]
    if size > 3:
        return True
    here = where.at[u]
    first, last = (index.get((*here[:axis], n, *here[axis + 1 :])) for n in (0, size - 1))
    return first is None or last is None or last not in found.uplinks(first)
