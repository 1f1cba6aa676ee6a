"""Uplinks that are uneven, or slower than what sends into them: rules TOP908 and TOP912."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.analysis.capacity import SwitchLoad, capacity, show_ratio
from rocecfg.analysis.graph import Graph, graph
from rocecfg.core.nodeset import fold_some
from rocecfg.core.units import show_rate
from rocecfg.model import Fabric, Origin
from rocecfg.rules.base import INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words
from rocecfg.rules.topology_capacity import (
    Cables,
    Uneven,
    cables_between,
    format_cables,
    format_switches,
    intended_ratio,
    list_loads,
    locate_link,
    locate_odd_way,
    locate_uplinks,
    sum_rates,
    uneven_ways,
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
    alike: dict[object, list[Uneven]] = {}
    for ways in uneven_ways(fabric).values():
        for each in ways:
            alike.setdefault((each.odd, each.usual, _format_rest(fabric, each)), []).append(each)
    for same in alike.values():
        yield _report_uneven(fabric, same)
    yield from _judge_fewer_uplinks(fabric, list_loads(fabric))


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
            cables = tuple(cables_between(found, load.switch, way) for way in ways)
            kinds.setdefault(key, {}).setdefault(cables, []).append(load)
    for alike in kinds.values():
        usual, most = max(alike.items(), key=lambda item: (len(item[1]), sum_rates(item[0])))
        for cables, having in alike.items():
            few = [load for load in having if load.from_ports or load.ratio is None]
            if (
                few
                and len(most) > len(few)
                and sum_rates(cables) < sum_rates(usual)
                and len(set(cables)) == len(set(usual)) == 1
            ):
                yield Hit(
                    f"{format_switches(fabric, few)} {'has' if len(few) == 1 else 'have'} {format_cables(cables[0])} "
                    f"to each switch above, and {len(most)} others with the same settings {format_cables(usual[0])}: "
                    "the traffic that spines send there has less bandwidth than the traffic that they receive from "
                    "the others",
                    (locate_link(fabric, few[0].switch, few[0].ways[0][0]), *locate_uplinks(fabric, few[0])),
                    "give switches of one kind the same number of links up",
                )


def _report_uneven(fabric: Fabric, same: list[Uneven]) -> Hit:
    found = graph(fabric)
    first, loads = same[0], [each.load for each in same]
    n = first.load.switch
    by_kind: dict[Cables, list[str]] = {}
    for way, cables in first.odd:
        by_kind.setdefault(cables, []).append(found.names[way])
    parts = [f"{format_cables(cables)} to {fold_some(tuple(names))}" for cables, names in by_kind.items()]
    others = sum(cables_between(found, n, way) == first.usual for way, _, _ in first.load.ways)
    rest = _format_rest(fabric, first)
    related = [(at, "all its uplinks") for at in locate_uplinks(fabric, first.load)[:1] if rest]
    if _is_slow(fabric, first.load):
        related += [(at, "the slower ones") for at in locate_uplinks(fabric, first.load, first.load.speeds[-1])[:1]]
    return Hit(
        f"{format_switches(fabric, loads)} {'has' if len(loads) == 1 else 'have'} {join_words(parts)}, but "
        f"{format_cables(first.usual)} to {'the other' if others == 1 else 'each of the others'}: ECMP gives each next "
        f"hop the same share, so uneven uplinks fill early or stay partly idle{rest}",
        (locate_odd_way(fabric, first.load), *locate_uplinks(fabric, first.load)),
        "connect the same number of uplinks, at the same speed, to each switch above",
        tuple(related),
        explains=("topology-oversub", "topology-speed-drop"),
    )


def _format_rest(fabric: Fabric, of: Uneven) -> str:
    """What is left of the uplinks, where that is less than is intended; and where there is one way left."""
    load = of.load
    words = ""
    if load.ratio is not None and load.ratio > intended_ratio(fabric, load) * (1 + 1e-9):
        words = f". What is left is {show_ratio(load.ratio)}"
    if of.lacks and len(load.ways) == 1:
        words += ". With the switch that is left lost, hosts here reach no others"
    return words


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
        sent = _fastest_sender(fabric, load)
        if sent is not None and _is_slow(fabric, load):
            slowest = load.speeds[-1]
            alike.setdefault((locate_uplinks(fabric, load, slowest), load.tier, slowest, sent), []).append(load)
    for (_, _, slowest, fastest), loads in alike.items():
        yield Hit(
            f"uplinks of {format_switches(fabric, loads)} run at {show_rate(slowest)}, hosts at "
            f"{show_rate(fastest)}: one flow of such a host exceeds the link, however many links there are",
            locate_uplinks(fabric, loads[0], slowest),
            f"run uplinks at {show_rate(fastest)} or faster",
        )
    slow, fast = found.slowest, found.fastest
    if slow is not None and fast is not None and slow < fast:
        yield Hit(
            f"hosts receive RDMA at {show_rate(slow)}, but others send at {show_rate(fast)}: one sender exceeds the "
            "rate of such a host, and PFC holds up the fabric on the way to it",
            _locate_slow_hosts(nodes, slow),
            "keep slower hosts out of the groups that faster ones send to, or limit the senders",
            severity=INFO,
        )


def _is_slow(fabric: Fabric, load: SwitchLoad) -> bool:
    """Whether an uplink is slower than what sends into it."""
    sent = _fastest_sender(fabric, load)
    return sent is not None and bool(load.speeds) and load.speeds[-1] < sent


def _fastest_sender(fabric: Fabric, load: SwitchLoad) -> int | None:
    return _fastest_below(graph(fabric), load.switch) or capacity(fabric).fastest


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
