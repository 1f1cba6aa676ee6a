"""Whether lossless packets can wait for each other in a circle: rules TOP901 to TOP905.

One cause is one finding: what lacks priorities to break a circle is `topology-vc-count`'s, a circle as routes are now
`topology-cbd`'s, one after a failure `topology-fail-cbd`'s, and a turn back up without a circle `topology-valley`'s.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.deadlock import DeadlockVerdict, Hop, judge_deadlock, judge_failures
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.routes import TIERED, Lossless, Routing, are_joined_across_tiers, bouncing_switches
from rocecfg.analysis.tiers import tiers
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import Fabric, Origin
from rocecfg.model.fabric import UP_DOWN
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF
from rocecfg.rules.common import join_words

_MOST_HOPS = 8  # of a circle in a message
_DRAGONFLY = {"shortest": 2, "minimal": 2, "non-minimal": 3}
_SMALL_TTL = 16
_LOOP = 2  # switches that send a packet to each other: the shortest loop there is


class _MissingPriorities(NamedTuple):
    """Lossless priorities that routes need to be free of circles, and the fabric does not have."""

    why: str
    at: tuple[Origin, ...]
    fix: str


def format_cycle(found: Graph, cycle: tuple[Hop, ...]) -> str:
    """`leaf1:Ethernet0 -> spine1:Ethernet8 (priority 3), ...`: each link of a circle, in the direction of packets."""
    one = len({p for _, _, p in cycle}) == 1
    words = []
    for u, v, priority in cycle[:_MOST_HOPS]:
        here, there = found.ports(u, v)
        words.append(f"{here} -> {there}" + ("" if one else f" (priority {priority})"))
    more = len(cycle) - len(words)
    return ", ".join(words) + (f" and {more} more links" if more else "")


def _format_cycle_priorities(cycle: tuple[Hop, ...]) -> str:
    found = sorted({p for _, _, p in cycle})
    return f"{'priority' if len(found) == 1 else 'priorities'} {join_words(map(str, found))}"


def _locate_routing(fabric: Fabric, key: str) -> tuple[Origin, ...]:
    """Where the intent says that of routing, or else what the routes follow from."""
    stated = fabric.facts.get("routing")
    own = stated.get(key) if isinstance(stated, dict) else None
    return (*((own.at,) if own is not None else ()), fabric.at("routing"), fabric.at("topology"))


def _relate_bounces(found: Graph, judged: DeadlockVerdict, nodes: set[int]) -> list[tuple[Origin, str]]:
    """Where switches are said to bounce, as second places."""
    out: list[tuple[Origin, str]] = []
    for bounce in judged.routing.bounces:
        named = sorted(bounce.at & nodes)
        if named:
            more = f" and {len(named) - 1} more" if len(named) > 1 else ""
            out.append((bounce.place, f"{found.names[named[0]]}{more} may turn packets back up"))
    return out


# -- too few priorities ------------------------------------------------------------------------------------------------


def _find_missing_priorities(fabric: Fabric) -> _MissingPriorities | None:
    judged = judge_deadlock(fabric)
    found = graph(fabric)
    routes = judged.routing
    if routes.algorithm == UP_DOWN:
        return _find_lossy_bounce(fabric, found, judged)
    if not judged.cycle:
        return None
    have = Lossless(found).all(range(found.switches))
    if _is_dragonfly(fabric, routes):
        need = _DRAGONFLY[routes.algorithm or ""]
        what = (
            f"{routes.algorithm} routes in a dragonfly need {need} lossless priorities, one more for each global link"
        )
    elif routes.dateline:
        need = 2
        what = "a dateline needs 2 lossless priorities, one on each side of it"
    else:
        return None
    if len(have) >= need:
        return None
    return _MissingPriorities(
        f"{what}, but the links between switches have {len(have)} (priority {', '.join(map(str, have))}): packets can "
        f"deadlock in a cycle: {format_cycle(found, judged.cycle)}",
        _locate_routing(fabric, "dateline" if routes.dateline else "algorithm"),
        f"give RDMA {need} lossless priorities, and change from one to the next as the routing requires",
    )


def _is_dragonfly(fabric: Fabric, routes: Routing) -> bool:
    """Whether priorities are to change at global links."""
    return fabric.topology == "dragonfly" and routes.algorithm in _DRAGONFLY


def _find_lossy_bounce(fabric: Fabric, found: Graph, judged: DeadlockVerdict) -> _MissingPriorities | None:
    """A bounce into a priority that is not lossless on the way up."""
    lossless = Lossless(found)
    level = tiers(fabric)
    for bounce in judged.routing.bounces:
        for node in sorted(bounce.at):
            above = [w for w in found.uplinks(node) if level.of[w] > level.of[node] > 0]
            for before, after in bounce.remap.items():
                arriving = [w for w in above if before in lossless.on(node, w)]
                lossy = [w for w in above if after not in lossless.on(node, w)]
                if len(above) > 1 and arriving and lossy:
                    here, there = found.ports(node, lossy[0])
                    return _MissingPriorities(
                        f"packets that {found.names[node]} turns back up change from priority {before} to {after}, and "
                        f"{here} -> {there} has no PFC on {after}: with one bounce 2 lossless priorities are needed",
                        (bounce.place,),
                        f"make a class with priority {after} lossless on all links between switches, or do not let "
                        "packets turn back up",
                    )
    return None


@rule(
    "TOP904",
    "topology-vc-count",
    ERROR,
    source="Hu et al., CoNEXT'17 (Tagger): k bounces need k + 1 lossless priorities; Kim et al., ISCA'08: dragonfly, "
    "2 minimal and 3 non-minimal; Dally and Seitz, 1987: 2 for a ring with a dateline",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_vc_count(fabric: Fabric) -> Iterator[Hit]:
    """Routes need more lossless priorities than there are, or they can deadlock."""
    lack, judged = _find_missing_priorities(fabric), judge_deadlock(fabric)
    if lack is not None:
        yield Hit(lack.why, lack.at, lack.fix)
    elif judged.cycle and _is_dragonfly(fabric, judged.routing) and not judged.routing.dateline:
        yield Hit(
            f"the intent does not state that switches change {judged.routing.algorithm} routes to the next lossless "
            "priority at each global link of the dragonfly: without it, "
            f"{format_cycle(graph(fabric), judged.cycle)} can deadlock",
            _locate_routing(fabric, "algorithm"),
            "check that the switches remap the priority at global links, and state it: dateline: true",
            severity=INFO,
        )


# -- circles -----------------------------------------------------------------------------------------------------------


@rule(
    "TOP901",
    "topology-cbd",
    ERROR,
    source="Dally and Seitz, 1987: routes whose links wait in no cycle cannot deadlock; Guo et al., SIGCOMM'16, 4.2",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_cbd(fabric: Fabric) -> Iterator[Hit]:
    """Lossless packets can deadlock: a cyclic buffer dependency (CBD), which only a restart ends."""
    judged = judge_deadlock(fabric)
    if judged.unknown and any(graph(fabric).joined):
        yield from _report_unjudged(fabric, judged)
    if not judged.cycle or _find_missing_priorities(fabric) is not None:
        return
    found = graph(fabric)
    routes = judged.routing
    if _is_dragonfly(fabric, routes):
        return  # enough priorities: topology-vc-count says what that takes
    cycle = judged.cycle
    text = (
        f"packets in {_format_cycle_priorities(cycle)} can deadlock in a cycle of {len(cycle)} links: "
        f"{format_cycle(found, cycle)}. Once each of these buffers is full, none of them ever empties"
    )
    if routes.algorithm == UP_DOWN:
        (first, _), *others = _relate_bounces(found, judged, {u for u, _, _ in cycle})
        yield Hit(
            text,
            (first,),
            "do not let packets turn back up, or change their priority as they do (remap), to one that is lossless too",
            tuple(others),
        )
        return
    fix = (
        "route up-down, or in dimension order, or change packets to another lossless priority at a link that closes "
        "a cycle"
    )
    if not are_joined_across_tiers(found, tiers(fabric)) and fabric.topology in TIERED:
        text += ". Hosts are joined by links within a tier alone, which up-down routes do not take: the shortest are"
        fix = "cable each of these switches to switches above all of them, which up-down routes then cross"
    elif fabric.topology == "torus":
        fix = "route in dimension order with a dateline (dateline: true), and give RDMA two lossless priorities"
    yield Hit(text, _locate_routing(fabric, "algorithm"), fix)


def _report_unjudged(fabric: Fabric, judged: DeadlockVerdict) -> Iterator[Hit]:
    """Routes that are stated, and of which nothing can be said: to be silent would say that they are safe."""
    if judged.routing.algorithm is not None:
        what = f"whether {judged.routing.algorithm} routes can deadlock was not checked: {judged.unknown}"
        yield Hit(what, _locate_routing(fabric, "algorithm"), severity=INFO)


@rule(
    "TOP903",
    "topology-fail-cbd",
    WARNING,
    source="Hu et al., CoNEXT'17 (Tagger): deadlocks come with the detours that routes take after a failure",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_fail_cbd(fabric: Fabric) -> Iterator[Hit]:
    """Once a link or switch fails, the routes that are left can deadlock."""
    case = judge_failures(fabric)
    if not case.cycle:
        return
    found = graph(fabric)
    if len(case.lost) == 2:
        here, there = found.ports(*case.lost)
        lost = f"the link {here} -- {there} fails"
    else:
        lost = f"{found.names[case.lost[0]]} fails"
    yield Hit(
        f"when {lost}, packets on the shortest remaining paths can deadlock in {_format_cycle_priorities(case.cycle)}: "
        f"{format_cycle(found, case.cycle)}",
        _locate_routing(fabric, "algorithm"),
        "route up-down, so that no packet turns back up after any failure",
    )


@rule(
    "TOP902",
    "topology-valley",
    WARNING,
    source="Hu et al., CoNEXT'17 (Tagger), section 2: packets that go down and up again break up-down routing; two "
    "switches that bounce close a cycle",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_valley(fabric: Fabric) -> Iterator[Hit]:
    """Packets that came down may go up again, in the priority that they came with."""
    judged = judge_deadlock(fabric)
    if judged.turns_up is None or judged.cycle:
        return
    found = graph(fabric)
    routes = judged.routing
    fix = "do not let packets turn back up, or change their priority there (remap)"
    if routes.algorithm != UP_DOWN:
        name = found.names[judged.turns_up]
        text = f"some shortest routes go down to {name} and up again: a second one makes a deadlock possible"
        yield Hit(
            text, _locate_routing(fabric, "algorithm"), "route up-down, or cable so that no detour is a shortest way"
        )
        return
    level = tiers(fabric)
    lossless = Lossless(found)
    for bounce in routes.bounces:
        asked = {p for n in bounce.at for w in found.uplinks(n) for p in lossless.on(n, w)}
        asked -= bounce.remap.keys()
        nodes = [n for n in bouncing_switches(found, level, routes, asked) if n in bounce.at]
        if nodes:
            yield Hit(
                f"{found.names[nodes[0]]} may send packets that came from above up again, in the same priority: as "
                "soon as a second switch does so, packets can deadlock",
                (bounce.place,),
                fix,
            )


@rule(
    "TOP905",
    "topology-loop-ttl",
    INFO,
    source="Hu et al., HotNets'16: a loop of n switches deadlocks once more than n * C / TTL flows into it",
    by_kind={**UNPAUSED_OFF, "running": OFF},
    needs=("links", "routing"),
    graph=True,
)
def topology_loop_ttl(fabric: Fabric) -> Iterator[Hit]:
    """A large TTL: a routing loop of a moment deadlocks at a small load."""
    stated = fabric.facts.get("routing")
    ttl = stated.get("ttl") if isinstance(stated, dict) else None
    if ttl is None or ttl.value <= _SMALL_TTL:
        return
    found = graph(fabric)
    speeds = {s for b in found.bundles.values() if b.b < found.switches for s in b.speeds if s}
    if not speeds:
        return
    slowest = min(speeds)
    enough = round(_LOOP * slowest / ttl.value, -7)  # as networks name rates: to 0.01G
    yield Hit(
        f"with TTL {ttl.value} a routing loop of {_LOOP} switches over {show_rate(slowest)} links deadlocks once "
        f"{show_rate(int(enough))} flows into it (n * C / TTL)",
        (ttl.at,),
        f"let hosts send RDMA with a TTL that the longest path needs, {_SMALL_TTL} or less",
    )


RULES: tuple[Rule, ...] = (
    topology_cbd,
    topology_valley,
    topology_fail_cbd,
    topology_vc_count,
    topology_loop_ttl,
)
