"""Uplinks that are uneven, or slower than what sends into them: rules TOP908 and TOP912."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rocecfg.analysis.capacity import SwitchLoad, capacity
from rocecfg.analysis.graph import Graph, graph
from rocecfg.core.nodeset import fold_some
from rocecfg.core.units import show_rate
from rocecfg.model import Fabric, Origin
from rocecfg.rules.base import INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words
from rocecfg.rules.topology_capacity import (
    Cables,
    format_cables,
    format_switches,
    list_loads,
    locate_link,
    locate_uplinks,
    sort_cables,
)

# -- uneven ------------------------------------------------------------------------------------------------------------


@rule(
    "TOP908",
    "topology-uneven-uplinks",
    WARNING,
    source="ECMP gives each next hop an equal share, whatever it carries: the narrowest way is full first",
    by_kind={"running": OFF},
    needs=("links",),
    graph=True,
)
def topology_uneven_uplinks(fabric: Fabric) -> Iterator[Hit]:
    """A switch has more links, or faster ones, to some of the switches above than to others."""
    found = graph(fabric)
    loads = list_loads(fabric)
    most = _find_lacking_ways(found, loads)
    alike: dict[tuple[tuple[int, ...], tuple[Cables, ...], Cables], list[SwitchLoad]] = {}
    for load in loads:
        by_role: dict[str | None, list[int]] = {}
        for way, _, _ in load.ways:
            role = found.plans[way].device.role if way < found.switches else None
            by_role.setdefault(role, []).append(way)
        for ways in by_role.values():
            usual, odd = _find_odd_ways(found, load.switch, ways)
            if odd:
                kinds = tuple(_cables_between(found, load.switch, way) for way in odd)
                alike.setdefault((tuple(odd), kinds, usual), []).append(load)
        lacking = most.get(load.switch)
        if lacking:
            way = load.ways[0][0]
            alike.setdefault((lacking, ((),) * len(lacking), _cables_between(found, load.switch, way)), []).append(load)
    for (ways_odd, kinds_odd, most_have), loads_alike in alike.items():
        yield _report_uneven(fabric, loads_alike, ways_odd, kinds_odd, most_have)
    yield from _judge_fewer_uplinks(fabric, loads)


def _judge_fewer_uplinks(fabric: Fabric, loads: Iterable[SwitchLoad]) -> Iterator[Hit]:
    """Switches with fewer links up than most others with the same settings and the same ways.

    Where hosts are cabled, what their ratio comes to is `topology-oversub`'s.
    """
    found = graph(fabric)
    kinds: dict[tuple[int, frozenset[int]], dict[tuple[Cables, ...], list[SwitchLoad]]] = {}
    for load in loads:
        ways = sorted(way for way, _, _ in load.ways)
        if ways:
            key = id(found.plans[load.switch]), frozenset(ways)
            cables = tuple(_cables_between(found, load.switch, way) for way in ways)
            kinds.setdefault(key, {}).setdefault(cables, []).append(load)
    for alike in kinds.values():
        usual, most = max(alike.items(), key=lambda item: (len(item[1]), _sum_rates(item[0])))
        for cables, having in alike.items():
            few = [load for load in having if load.from_ports or load.ratio is None]
            if (
                few
                and len(most) > len(few)
                and _sum_rates(cables) < _sum_rates(usual)
                and len(set(cables)) == len(set(usual)) == 1
            ):
                yield Hit(
                    f"{format_switches(fabric, few)} {'has' if len(few) == 1 else 'have'} {format_cables(cables[0])} "
                    f"to each switch above, and {len(most)} others with the same settings {format_cables(usual[0])}: "
                    "what the spines send there has less room than what they take from the others",
                    (locate_link(fabric, few[0].switch, few[0].ways[0][0]), *locate_uplinks(fabric, few[0])),
                    "give switches of one kind the same number of links up",
                )


def _sum_rates(cables: tuple[Cables, ...]) -> int:
    return sum(speed * count for way in cables for speed, count in way)


def _cables_between(found: Graph, a: int, b: int) -> Cables:
    return sort_cables(found.bundle(a, b).speeds)


def _find_odd_ways(found: Graph, switch: int, ways: list[int]) -> tuple[Cables, list[int]]:
    """The cables that most ways have, of equally many the wider ones, and the ways that have others."""
    kinds = [_cables_between(found, switch, way) for way in ways]
    if kinds.count(kinds[0]) == len(kinds):  # so it is nearly everywhere
        return kinds[0], []
    count = Counter(kinds)
    usual = max(count, key=lambda cables: (count[cables], _sum_rates((cables,)), cables))
    return usual, [way for way, cables in zip(ways, kinds, strict=True) if cables != usual]


def _find_lacking_ways(found: Graph, loads: Iterable[SwitchLoad]) -> dict[int, tuple[int, ...]]:
    """Switches that lack ways which two others or more of the same kind have beside theirs, and these ways."""
    kinds: dict[int, dict[frozenset[int], list[int]]] = {}
    for load in loads:
        ways = frozenset(way for way, _, _ in load.ways)
        kinds.setdefault(id(found.plans[load.switch]), {}).setdefault(ways, []).append(load.switch)
    out: dict[int, tuple[int, ...]] = {}
    for sets in kinds.values():
        wide = [ways for ways, switches in sets.items() if len(switches) > 1]
        for ways, switches in sets.items():
            wider = [other for other in wide if ways and ways < other]
            if wider:
                lacking = tuple(sorted(max(wider, key=len) - ways))
                out.update(dict.fromkeys(switches, lacking))
    return out


def _report_uneven(
    fabric: Fabric, loads: list[SwitchLoad], odd: tuple[int, ...], kinds: tuple[Cables, ...], usual: Cables
) -> Hit:
    found = graph(fabric)
    first = loads[0].switch
    parts = []
    by_kind: dict[Cables, list[str]] = {}
    for way, cables in zip(odd, kinds, strict=True):
        by_kind.setdefault(cables, []).append(found.names[way])
    parts = [f"{format_cables(cables)} to {fold_some(tuple(names))}" for cables, names in by_kind.items()]
    there = next((way for way, cables in zip(odd, kinds, strict=True) if cables), loads[0].ways[0][0])
    others = sum(_cables_between(found, first, way) == usual for way, _, _ in loads[0].ways)
    return Hit(
        f"{format_switches(fabric, loads)} {'has' if len(loads) == 1 else 'have'} {join_words(parts)}, and "
        f"{format_cables(usual)} to {'the other' if others == 1 else 'each of the others'}: ECMP gives each next hop "
        "the same share, so these ways fill first, or carry less than they could",
        (locate_link(fabric, first, there), *locate_uplinks(fabric, loads[0])),
        "give each way up the same number of links, at the same speed",
    )


# -- too slow ----------------------------------------------------------------------------------------------------------


@rule(
    "TOP912",
    "topology-speed-drop",
    WARNING,
    source="a flow takes one of the links: where that is slower than its sender, its packets queue there",
    by_kind={"running": OFF},
    needs=("links",),
    graph=True,
)
def topology_speed_drop(fabric: Fabric) -> Iterator[Hit]:
    """An uplink is slower than the ports of hosts below it, or some hosts are slower than others."""
    found = capacity(fabric)
    nodes = graph(fabric)
    alike: dict[tuple[tuple[Origin, ...], int, int, int], list[SwitchLoad]] = {}
    for load in list_loads(fabric):
        sent = _fastest_below(nodes, load.switch) or found.fastest
        if load.speeds and sent is not None and load.speeds[-1] < sent:
            alike.setdefault((locate_uplinks(fabric, load), load.tier, load.speeds[-1], sent), []).append(load)
    for (_, _, slowest, fastest), loads in alike.items():
        yield Hit(
            f"uplinks of {format_switches(fabric, loads)} run at {show_rate(slowest)}, hosts at {show_rate(fastest)}: "
            "one flow of such a host is more than the link carries, however many links there are",
            locate_uplinks(fabric, loads[0], slowest),
            f"run uplinks at {show_rate(fastest)} or faster",
        )
    slow, fast = found.slowest, found.fastest
    if slow is not None and fast is not None and slow < fast:
        yield Hit(
            f"hosts take RDMA at {show_rate(slow)}, and others send at {show_rate(fast)}: one sender is more than such "
            "a host takes in, and PFC holds up the fabric to it",
            _locate_slow_hosts(nodes, slow),
            "keep slower hosts out of the groups that faster ones send to, or limit the senders",
            severity=INFO,
        )


def _fastest_below(found: Graph, switch: int) -> int | None:
    speeds = (speed for host in found.hosts(switch) for speed in found.bundle(switch, host).speeds)
    return max(speeds, default=0) or None


def _locate_slow_hosts(found: Graph, speed: int) -> tuple[Origin, ...]:
    for bundle in found.bundles.values():
        if bundle.b >= found.switches and speed in bundle.speeds and bundle.a_end is not None:
            return (bundle.a_end.port.at("speed"), bundle.a_end.port.at())
    return ()


RULES: tuple[Rule, ...] = (
    topology_uneven_uplinks,
    topology_speed_drop,
)
