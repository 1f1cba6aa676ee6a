"""What the fabric as a whole amounts to: oversubscription, circles of pauses, and how far one pause spreads."""

from __future__ import annotations

from rocecfg.analysis.blast import worst
from rocecfg.analysis.capacity import Load, capacity, figures, shown
from rocecfg.analysis.deadlock import Failures, Hop, Verdict, failures, verdict
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.routes import Lossless
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.model import Fabric
from rocecfg.report.html.words import count, rate


class Tier(NamedTuple):
    """One tier that sends up. Ratios as `1:1`; what is not known is said so."""

    name: str
    switches: str
    down: str  # of one switch
    up: str
    usual: str
    worst: str
    without_way: str
    without_cable: str


def oversubscription(fabric: Fabric) -> list[Tier]:
    """Each tier that takes in RDMA from below and sends it up, the lowest first."""
    known, levels = capacity(fabric), tiers(fabric)
    out = []
    for number in range(1, levels.top + 1):
        loads = known.tier(number)
        if not loads:
            continue
        found = figures(loads)
        out.append(
            Tier(
                levels.role(number),
                count(found.switches, "switch"),
                _each([load.down for load in loads]),
                _each([load.up for load in loads]),
                _shown(found.usual),
                _shown(found.worst),
                _lost(loads, found.without_way),
                _shown(found.without_cable),
            )
        )
    return out


def _lost(loads: list[Load], ratio: float | None) -> str:
    return "not known: no links" if all(load.from_ports for load in loads) else _shown(ratio)


def _each(rates: list[int | None]) -> str:
    """A rate that all switches have, or its range."""
    known = sorted({r for r in rates if r is not None})
    if not known or None in rates:
        return "not known"
    return rate(known[0]) if len(known) == 1 else f"{rate(known[0])} to {rate(known[-1])}"


def _shown(ratio: float | None) -> str:
    return "not known" if ratio is None else shown(ratio)


# -- pauses ------------------------------------------------------------------------------------------------------------

_PROOFS = {
    "ranks": "links have ranks that rise along every route",
    "switches": "no switch waits for itself",
    "links": "no link waits for itself",
}


class Pauses(NamedTuple):
    """How pauses spread. `circle`: pairs of switches whose links wait for each other."""

    rows: tuple[tuple[str, str], ...]
    circle: frozenset[frozenset[str]]


def pauses(fabric: Fabric) -> Pauses | None:
    """Whether lossless packets can wait for each other in a circle, and what one stuck port can pause at most.

    None where no links between switches are known, or nothing is lossless on any: then there is nothing to say.
    """
    found = graph(fabric)
    if not Lossless(found).all(range(found.switches)):
        return None
    judged = verdict(fabric)
    after = failures(fabric)
    circle = judged.cycle or after.cycle
    rows = [
        ("routing", judged.routing.algorithm or "not known"),
        ("circle of waits", _circle(found, judged)),
        *_after(found, after),
        *_spread(fabric, found),
    ]
    return Pauses(tuple(rows), frozenset(frozenset((found.names[u], found.names[v])) for u, v, _ in circle))


def _circle(found: Graph, judged: Verdict) -> str:
    if judged.unknown:
        return f"not judged: {judged.unknown}"
    if judged.cycle:
        return f"yes, so a deadlock is possible: {_hops(found, judged.cycle)}"
    if not judged.how:
        return "none found, but none is proven: the tiers do not order all links"
    proof = f"none: {_PROOFS[judged.how]}, so pauses cannot deadlock"
    if judged.turns_up is not None:
        proof += f"; {found.names[judged.turns_up]} turns packets back up"
    return proof


def _hops(found: Graph, cycle: tuple[Hop, ...]) -> str:
    """The links of a circle, each by the port that it leaves from and the one that it comes to."""
    told = (f"{' to '.join(found.ports(u, v))} priority {priority}" for u, v, priority in cycle)
    return ", ".join(told)


def _after(found: Graph, after: Failures) -> list[tuple[str, str]]:
    if not after.tried:
        return []
    cases = f"{after.tried} of {after.classes}" if after.tried < after.classes else str(after.tried)
    if not after.lost:
        return [("circle after one failure", f"none in {cases} kinds of link or switch tried")]
    lost = " -- ".join(found.names[n] for n in after.lost)
    return [("circle after one failure", f"yes, once {lost} is lost: {_hops(found, after.cycle)}")]


def _spread(fabric: Fabric, found: Graph) -> list[tuple[str, str]]:
    blast = worst(fabric)
    if blast is None:
        return []
    cabled = len(found.names) > found.switches
    who = "other hosts" if cabled else "switches with hosts"
    told = (
        f"a port of {found.names[blast.switch]} to {blast.host or 'a host'} that is stuck can pause "
        f"{blast.senders:,} of {blast.all_senders:,} {who} ({show_number(round(blast.share, 1))}%) and "
        f"{blast.links:,} of {blast.all_links:,} links, each direction counted, up to {count(blast.hops, 'hop')} away, "
        "if any host sends to any other"
    )
    return [("widest spread of a pause", told)]
