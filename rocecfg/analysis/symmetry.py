"""Switches that are cabled alike: of each kind a few stand for all, so that work grows with what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable

from rocecfg.analysis.graph import Graph
from rocecfg.analysis.tiers import Tiers

KEPT = 4
"""Of each kind. A circle may need two of a kind in turn, a third where it is odd; the fourth is where routes end."""
_ROUNDS = 4

Link = Callable[[int, int], Hashable]  # what sets a link apart from others
Trait = Callable[[int], Hashable]  # what sets a switch apart


def group_by_links(found: Graph, trait: Trait, link: Link | None = None) -> list[int]:
    """The kind of each switch, as the number of the first of that kind.

    Two are of one kind if they have the same trait, and equal links (by what `link` says) to the same switches.
    """
    first: dict[Hashable, int] = {}
    out = []
    for n in range(found.switches):
        joined = found.uplinks(n)
        near = frozenset(joined) if link is None else frozenset((other, link(n, other)) for other in joined)
        out.append(first.setdefault((trait(n), near) if near else n, n))
    return out


def color_by_symmetry(found: Graph, trait: Trait) -> list[int]:
    """Equal numbers for switches that look alike from where they are: by trait, and by what is around them.

    Colours are refined a few hops out (Weisfeiler and Leman): switches at the same place in equal pods look alike.
    """
    names: dict[Hashable, int] = {}
    out = [names.setdefault(trait(n), len(names)) for n in range(found.switches)]
    count = len(names)
    for _ in range(_ROUNDS):
        known: dict[Hashable, int] = {}
        out = [
            known.setdefault((out[n], tuple(sorted([out[m] for m in found.uplinks(n)]))), len(known))
            for n in range(found.switches)
        ]
        if len(known) == count:
            break
        count = len(known)
    return out


def choose_representatives(found: Graph, level: Tiers, of: list[int], trait: Trait) -> frozenset[int]:
    """The first few switches of each kind, in the first few pods of each kind.

    A pod is what cables hold together below the top tier. Two are of one kind if their switches look alike, and lead to
    the same switches of the top tier.
    """
    taken: Counter[int] = Counter()
    kept = []
    for n, kind in enumerate(of):
        taken[kind] += 1
        if taken[kind] <= KEPT:
            kept.append(n)
    if level.top < 3:
        return frozenset(kept)
    looks = color_by_symmetry(found, trait)
    pods: Counter[Hashable] = Counter()
    out = {n for n in kept if level.of[n] == level.top}
    for pod in _find_pods(found, level, kept):
        leads = Counter((looks[n], frozenset(m for m in found.uplinks(n) if level.of[m] == level.top)) for n in pod)
        key = frozenset(leads.items())
        pods[key] += 1
        if pods[key] <= KEPT:
            out.update(pod)
    return frozenset(out)


def _find_pods(found: Graph, level: Tiers, among: Collection[int]) -> list[list[int]]:
    left = {n for n in among if level.of[n] != level.top}
    out = []
    for first in sorted(left):
        if first not in left:
            continue
        left.remove(first)
        pod = [first]
        for n in pod:
            more = [m for m in found.uplinks(n) if m in left]
            left.difference_update(more)
            pod += more
        out.append(pod)
    return out
