"""Rails: NICs on the leaf of their rail, and a NIC for each GPU. Rules TOP909 and TOP910."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rocecfg.analysis.hosts import nics_beside_gpus, stated_hosts
from rocecfg.analysis.rails import MisdeclaredNic, RailNic, Rails, StrayNic, cabled_nics, rails
from rocecfg.core.nodeset import fold, names_of
from rocecfg.model import Fabric
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import join_words


def _is_crossed(stray: StrayNic) -> bool:
    """Whether its rail is stated, and it is on a leaf of other rails: not merely on another leaf of its own."""
    return stray.nic.stated and bool(stray.here) and stray.nic.rail not in stray.here


@rule(
    "TOP909",
    "topology-rail",
    WARNING,
    source="Qian et al., SIGCOMM'24 (HPN): in rail-optimised fabrics GPUs of one number reach each other over one leaf",
    by_kind={"running": OFF},
    needs=("links",),  # of rails by their numbers `topology: rail` tells
    graph=True,
)
def topology_rail(fabric: Fabric) -> Iterator[Hit]:
    """A NIC is not on the leaf of its rail, or hosts have fewer NICs than GPUs."""
    found = rails(fabric)
    reported = {(cross.nic.host, cross.nic.port) for cross in found.declared}
    alike: dict[object, list[StrayNic]] = {}
    for stray in found.strays:
        if not _is_crossed(stray) and (stray.nic.host, stray.nic.port) not in reported:
            alike.setdefault((stray.nic.port, stray.nic.leaf, stray.meant), []).append(stray)
    for strays in alike.values():
        nic = strays[0].nic
        yield Hit(
            f"{_format_nics([stray.nic for stray in strays])} ({_format_rail(nic)}) {_is_or_are(strays)} on "
            f"{nic.leaf}, but rail {nic.rail} of similar hosts, such as {strays[0].like}, is on "
            f"{join_words(strays[0].meant)}: it reaches its own rail only through a spine",
            (nic.link.a_at,),
            f"cable it to {join_words(strays[0].meant)}",
        )
    yield from _judge_rack_cabling(fabric, found)
    yield from _judge_nic_counts(fabric)


def _judge_rack_cabling(fabric: Fabric, found: Rails) -> Iterator[Hit]:
    """Fabrics that are called rail-optimised, and are cabled by rack."""
    if fabric.topology != "rail" or len(found.groups) < 2:
        return
    racks = [group for group in found.groups if len({leaf for at in group.leaves.values() for leaf in at}) == 1]
    if len(racks) == len(found.groups):
        leaf = next(iter(racks[0].leaves.values()))[0]
        yield Hit(
            f"the topology is rail, but all NICs of a host are on one leaf ({racks[0].hosts[0]} on {leaf}): every "
            f"rail is spread over {len(racks)} leaves, which reach each other over the spines",
            (fabric.at("topology"),),
            "cable each rail to a leaf of its own, or set topology: clos",
        )


def _judge_nic_counts(fabric: Fabric) -> Iterator[Hit]:
    """Hosts with more GPUs than NIC ports."""
    for key, host in stated_hosts(fabric).items():
        gpus, ports = host.value.get("gpus"), host.value.get("ports")
        if gpus is None:
            continue
        others = nics_beside_gpus(host.value)
        cabled = {sum(nic.port not in others for nic in cabled_nics(fabric).get(name, ())) for name in names_of(key)}
        count = cabled.pop() if len(cabled) == 1 else 0  # else not all are cabled yet
        if not count and ports is not None:
            count = len({name for port in ports.value for name in names_of(port)} - others)
        if 0 < count < gpus.value:
            yield Hit(
                f"{key} {'have' if len(names_of(key)) > 1 else 'has'} {gpus.value} GPUs and {count} NIC "
                f"port{'s' * (count != 1)} for RDMA: GPUs share one, and there is no rail for each",
                (gpus.at, host.at),
                "add a NIC for each GPU; with fewer, the GPUs of a NIC share the rate of its port",
                severity=INFO,
            )


@rule(
    "TOP910",
    "topology-rail-cross",
    ERROR,
    source="a NIC on the leaf of another rail: what its rail sends it, and it sends, crosses the spines without need",
    by_kind={"running": OFF},
    needs=("links",),  # of rails by their numbers `topology: rail` tells
    graph=True,
)
def topology_rail_cross(fabric: Fabric) -> Iterator[Hit]:
    """A NIC of one rail is cabled to a leaf of another rail."""
    found = rails(fabric)
    against: dict[object, list[tuple[MisdeclaredNic, MisdeclaredNic | None]]] = {}
    for cross, swap in _pair_swaps(found.declared):
        change = (swap.nic.port, swap.nic.leaf) if swap is not None else None
        against.setdefault((cross.nic.leaf, cross.nic.rail, cross.rail, change), []).append((cross, swap))
    for crosses in against.values():
        yield _report_against_stated([cross for cross, _ in crosses], [swap for _, swap in crosses if swap is not None])
    reported = {(cross.nic.host, cross.nic.port) for cross in found.declared}
    alike: dict[object, list[StrayNic]] = {}
    for stray in found.strays:
        key = stray.nic.host, stray.nic.port
        if not _is_crossed(stray) or key in reported:
            continue
        reported.add(key)
        if stray.swap is not None:
            reported.add((stray.swap.host, stray.swap.port))  # the other half of one slip
        other = stray.swap.port if stray.swap is not None else None
        alike.setdefault((stray.nic.port, stray.nic.leaf, stray.meant, other), []).append(stray)
    for strays in alike.values():
        yield _report_cross(strays)


def _pair_swaps(declared: Iterable[MisdeclaredNic]) -> Iterator[tuple[MisdeclaredNic, MisdeclaredNic | None]]:
    """Each NIC at a leaf of another rail; of two at one host that change places, the first with the second."""
    left = {(cross.nic.host, cross.nic.port): cross for cross in declared}
    by_host: dict[str, list[MisdeclaredNic]] = {}
    for cross in left.values():
        by_host.setdefault(cross.nic.host, []).append(cross)
    for key, cross in list(left.items()):
        if left.pop(key, None) is None:
            continue  # the other half of a swap
        mine = by_host[cross.nic.host]
        swap = next(
            (
                other
                for other in mine
                if (other.nic.host, other.nic.port) in left
                and (other.rail, other.nic.rail) == (cross.nic.rail, cross.rail)
            ),
            None,
        )
        if swap is not None:
            del left[swap.nic.host, swap.nic.port]
        yield cross, swap


def _report_against_stated(crosses: list[MisdeclaredNic], swaps: list[MisdeclaredNic]) -> Hit:
    nic, first = crosses[0].nic, crosses[0]
    one = len(crosses) == 1
    text = (
        f"{_format_nics([cross.nic for cross in crosses])} ({_format_rail(nic)}) {_is_or_are(crosses)} cabled to "
        f"{nic.far if one else nic.leaf}, which is of rail {first.rail}"
    )
    fix = f"cable it to a leaf of rail {nic.rail}, or correct the rail that is stated"
    related = [(first.at, f"rail {first.rail} is stated here")]
    if swaps:
        other = swaps[0].nic
        text += (
            f", and {_format_nics([swap.nic for swap in swaps])} ({_format_rail(other)}) to "
            f"{other.far if one else other.leaf}, which is of rail {swaps[0].rail}: the cables of two rails are swapped"
        )
        fix = _format_swap([cross.nic for cross in crosses], other)
        related.append((other.link.a_at, f"{other.name} is cabled here"))
    return Hit(text, (nic.link.a_at,), fix, tuple(related))


def _report_cross(strays: list[StrayNic]) -> Hit:
    stray = strays[0]
    nic, swap = stray.nic, stray.swap
    there = nic.far if len(strays) == 1 else nic.leaf
    return Hit(
        f"{_format_nics([each.nic for each in strays])} ({_format_rail(nic)}) {_is_or_are(strays)} cabled to {there}, "
        f"a leaf of rail{'s' * (len(stray.here) != 1)} {join_words(map(str, stray.here))}; hosts like {stray.like} "
        f"have rail {nic.rail} on {join_words(stray.meant)}",
        (nic.link.a_at,),
        _suggest_swap(strays) or f"cable it to {join_words(stray.meant)}",
        ((swap.link.a_at, f"{swap.name} ({_format_rail(swap)}) is on {swap.far}"),) if swap is not None else (),
    )


def _suggest_swap(strays: list[StrayNic]) -> str:
    """The swap of cables that fixes it; empty where none at the same host does."""
    swap = strays[0].swap
    return "" if swap is None else _format_swap([stray.nic for stray in strays], swap)


def _format_swap(nics: list[RailNic], swap: RailNic) -> str:
    """Which cables to swap: `swap` is at the host of the first."""
    nic = nics[0]
    if len(nics) == 1:
        return f"swap the two cables: {nic.name} to {swap.far}, and {swap.name} to {nic.far}"
    hosts = fold(tuple(dict.fromkeys(each.host for each in nics)))
    return f"swap the two cables at each of {hosts}: {nic.port} to {swap.leaf}, and {swap.port} to {nic.leaf}"


# -- words -------------------------------------------------------------------------------------------------------------


def _format_rail(nic: RailNic) -> str:
    return f"rail {nic.rail}"


def _is_or_are(things: list[StrayNic] | list[MisdeclaredNic]) -> str:
    return "is" if len(things) == 1 else "are"


def _format_nics(ports: list[RailNic]) -> str:
    """`gpu[01-04]:nic2`, or the first of several."""
    first = ports[0]
    alike = [nic for nic in ports if nic.port == first.port]
    text = f"{fold(tuple(nic.host for nic in alike))}:{first.port}"
    return text if len(alike) == len(ports) else f"{text} and {len(ports) - len(alike)} more NICs"


RULES: tuple[Rule, ...] = (
    topology_rail,
    topology_rail_cross,
)
