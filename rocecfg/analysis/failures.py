"""What the loss of one switch takes from hosts: the worst of each tier."""

from __future__ import annotations

from collections import Counter

from rocecfg.analysis.blast import cut_off
from rocecfg.analysis.ecmp import Ways
from rocecfg.analysis.graph import graph
from rocecfg.analysis.host_distance import MOST_STEPS, Counts, host_places
from rocecfg.analysis.paths import paths
from rocecfg.analysis.routes import UP_DOWN
from rocecfg.analysis.symmetry import likeness
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, kept_with_fabric

_MOST_TRIED = 8  # of a tier, one of each kind that looks alike
_NOBODY = -1


class Loss(NamedTuple):
    """The loss of a switch. `tried` of `kinds` switches of its tier that look different; it is the worst of these."""

    switch: int
    tier: int
    hosts: int | None  # that no longer reach the largest part by any cable; None: there are such without a loss too
    pairs: int | None  # of hosts, that lose their last route; None: too many places to count them
    of: int  # pairs that routes join while nothing is lost
    tried: int
    kinds: int


@kept_with_fabric
def losses(fabric: Fabric) -> list[Loss]:
    """The worst loss of a switch in each tier, the lowest first; [] where no hosts are cabled, or routes are not known.

    A host on the switch itself counts. Where routes are not up-down, they are taken to go round what is lost.
    """
    found, level, known = graph(fabric), tiers(fabric), paths(fabric)
    if known is None or known.unknown or len(found.names) == found.switches:
        return []
    places = host_places(found)
    ways = Ways(found, level.of, known.algorithm if known.algorithm == UP_DOWN else "shortest")
    all_pairs = known.surveys[0]
    whole = Counts(ways, places) if all_pairs.counted == all_pairs.of else None
    parted = cut_off(found, _NOBODY) > 0
    homes: dict[int, Counter[int]] = {}
    for place in places:
        for n in place.switches:
            homes.setdefault(n, Counter())[len(place.switches)] += place.weight
    looks = likeness(found, lambda n: (level.of[n], *sorted(homes.get(n, Counter()).items())))
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
            hosts = None if parted else cut_off(found, n)
            pairs = whole.reached - Counts(ways, places, lost=n).reached if whole is not None else None
            trials.append(
                Loss(n, tier, hosts, pairs, all_pairs.pairs - all_pairs.apart, min(most, len(kinds)), len(kinds))
            )
        out.append(max(trials, key=lambda loss: (loss.pairs or 0, loss.hosts or 0)))
    return out
