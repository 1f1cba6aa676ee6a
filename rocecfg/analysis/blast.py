"""How far a pause spreads: what can stand still behind one stuck host port, and what the loss of a switch cuts off.

Static: it says what can be paused, not how likely that is. Fill times are microseconds (reference: Guo et al.,
SIGCOMM'16, section 4.3), so a watchdog bounds how long it lasts, never how far it goes.
"""

from __future__ import annotations

from collections.abc import Collection

from rocecfg.analysis.deadlock import judge_deadlock
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.routes import Routing, find_rdma_ends
from rocecfg.analysis.symmetry import color_by_symmetry
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric
from rocecfg.model.fabric import UP_DOWN

_MOST_TRIED = 20  # ports: in a fabric where no two switches are alike, the first ones


class Blast(NamedTuple):
    """What one stuck host port can pause. Links count in each direction, parallel cables once, hosts' links too."""

    switch: int  # where the port is
    host: str | None  # that no longer takes packets; None: the fabric's hosts are not cabled
    links: int  # paused
    all_links: int
    senders: int  # hosts of which a link is paused; where no hosts are cabled: switches that hosts hang on
    all_senders: int
    hops: int  # links from the stuck port to the farthest paused one

    @property
    def share(self) -> float:
        """The percentage of hosts that are paused."""
        return 100 * self.senders / self.all_senders if self.all_senders else 0.0


@kept_with_fabric
def worst_blast(fabric: Fabric) -> Blast | None:
    """The widest spread behind one host port, any host sending to any other: the structural worst case.

    One port is tried at each kind of switch, by how it looks. None where no switch has hosts, or routes are not known.
    """
    found = graph(fabric)
    level = tiers(fabric)
    routes = judge_deadlock(fabric).routing
    if routes.algorithm is None:
        return None
    tried: dict[int, int] = {}
    ends = find_rdma_ends(found)
    hosts = frozenset(ends)
    looks = color_by_symmetry(found, lambda n: (n in hosts, len(found.hosts(n))))
    for n in ends:
        tried.setdefault(looks[n], n)
    blasts = [blast_from(found, level, routes, n) for n in list(tried.values())[:_MOST_TRIED]]
    return max(blasts, key=lambda b: (b.senders, b.links), default=None)


def blast_from(found: Graph, level: Tiers, routes: Routing, switch: int) -> Blast:
    """What a stuck port to a host at `switch` can pause: reverse reachability from the link to that host.

    A link u -> v is paused once some link v -> w is that its packets may take next, w other than u. Along up-down
    routes these are links down, and links up for packets that came from below or that v bounces; other routes are
    taken to turn anywhere, which is the most that can happen. Any host sends to any other.
    """
    ends = find_rdma_ends(found)
    members = frozenset(ends)
    host = next(iter(found.hosts(switch)), -1)
    paused = _paused_links(found, level, routes, (switch, host), members)
    if len(found.names) > found.switches:
        senders, every = len({u for u, _ in paused if u >= found.switches}), len(found.names) - found.switches - 1
    else:
        reached = {u for u, _ in paused} | {switch}
        senders, every = len(reached & members), len(ends)
    links = sum(map(len, found.near))
    name = found.names[host] if host >= 0 else None
    return Blast(switch, name, len(paused), links, senders, every, max(paused.values(), default=0))


def _paused_links(
    found: Graph,
    level: Tiers,
    routes: Routing,
    stuck: tuple[int, int],
    members: Collection[int],
) -> dict[tuple[int, int], int]:
    """The links that a stuck one can pause, each with how many pauses after it; those of hosts at `members` too."""
    _, host = stuck
    paused = {stuck: 0}
    left: dict[tuple[int, bool], list[int]] = {}  # by switch and whether links up are meant: what may yet be paused
    front = [stuck]
    while front:
        ahead = []
        for v, w in front:
            hop = paused[v, w] + 1
            up = 0 <= w < found.switches and level.of[w] > level.of[v] and routes.algorithm == UP_DOWN
            behind = left.get((v, up))
            if behind is None:
                behind = _switches_behind(found, level, routes, v, up=up)
            left[v, up] = [u for u in behind if u == w]
            for u in behind:
                if u not in (w, host) and (u, v) not in paused and (u < found.switches or v in members):
                    paused[u, v] = hop
                    if u < found.switches:
                        ahead.append((u, v))
        front = ahead
    del paused[stuck]
    return paused


def _switches_behind(found: Graph, level: Tiers, routes: Routing, v: int, *, up: bool) -> list[int]:
    """The neighbours whose packets may leave a switch by a link up, or else by one down or to a host."""
    if routes.algorithm != UP_DOWN:
        return found.near[v]
    tier = level.of[v]
    turns = not up or any(v in bounce.at for bounce in routes.bounces)
    return [
        u for u in found.near[v] if u >= found.switches or 0 < level.of[u] < tier or (turns and level.of[u] > tier > 0)
    ]


def count_cut_off(found: Graph, lost: int) -> int:
    """The hosts that no longer reach the largest part of the fabric when a switch is lost."""
    parts = find_components(found, lost)
    held: dict[int, int] = {}
    reach: list[set[int]] = []
    for host in range(found.switches, len(found.names)):
        own = {parts[n] for n in found.near[host] if n < found.switches and n != lost}
        reach.append(own)
        for part in own:
            held[part] = held.get(part, 0) + 1
    largest = max(held, key=held.__getitem__, default=None)
    return sum(1 for own in reach if largest not in own)


def find_components(found: Graph, without: int | None = None) -> list[int]:
    """The part of the fabric that each switch is in, as the number of its first switch; hosts forward nothing."""
    out = [-1] * found.switches
    for first in range(found.switches):
        if out[first] >= 0 or first == without:
            continue
        out[first] = first
        front = [first]
        while front:
            n = front.pop()
            for other in found.uplinks(n):
                if out[other] < 0 and other != without:
                    out[other] = first
                    front.append(other)
    return out
