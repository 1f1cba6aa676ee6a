"""Uplinks: too few, now or after a loss, or all to one switch. What TOP906 tells, and rules TOP907 and TOP911.

Only intents are judged: of switches that were read, it is not known which others there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

from rocecfg.analysis.capacity import SwitchLoad, capacity, show_ratio
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.ports import PortEnd
from rocecfg.analysis.tiers import tiers
from rocecfg.core.nodeset import fold_some, names_of
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Fabric, Origin
from rocecfg.rules.base import ERROR, INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.cabling import follow_cabling
from rocecfg.rules.common import join_words

Cables = tuple[tuple[int, int], ...]  # bit/s (0: not known) and cables at it, fastest first

_TOLERABLE = 2  # times the ratio meant: beyond, an error where collectives train
_MUCH = 1.5  # times the ratio before a loss: what the loss of one of three costs
_EXACT = 1 + 1e-9
_TRAINING = "ai-training"


def intended_ratio(fabric: Fabric, load: SwitchLoad) -> float:
    """The ratio that the intent states for the switches of a tier, else 1."""
    stated = fabric.facts.get("oversubscription")
    if isinstance(stated, dict):
        role = graph(fabric).plans[load.switch].device.role
        found = stated.get(role or "") or stated.get(tiers(fabric).role(load.tier))
        return found.value if found is not None else 1
    return stated if stated is not None else 1


def _is_for_training(fabric: Fabric) -> bool:
    """Whether collectives of training run over it: they do on a back end of which nothing else is said."""
    if fabric.workload is not None:
        return fabric.workload.name == _TRAINING
    return fabric.kind == "backend"


def list_loads(fabric: Fabric) -> Sequence[SwitchLoad]:
    """What switches send up; none where two cables end at a port: which is right is not known, `link-one-end` tells."""
    disputed = any(taken.device is not None for taken in follow_cabling(fabric).taken)
    return () if disputed else capacity(fabric).loads


# -- too few -----------------------------------------------------------------------------------------------------------


def judge_oversubscription(fabric: Fabric) -> Iterator[Hit]:
    """The findings of `topology-oversub`: switches alike with the same ratio are one."""
    alike: dict[object, list[SwitchLoad]] = {}
    for load in list_loads(fabric):
        if load.ratio is not None and load.ratio > intended_ratio(fabric, load) * _EXACT:
            key = locate_uplinks(fabric, load), load.tier, load.down, load.up, load.speeds, load.up_cables
            alike.setdefault(key, []).append(load)
    for loads in alike.values():
        yield _report_oversubscription(fabric, loads)


def _report_oversubscription(fabric: Fabric, loads: list[SwitchLoad]) -> Hit:
    load = loads[0]
    limit, times = intended_ratio(fabric, load), load.ratio or 0
    below = "hosts" if load.tier == 1 else f"tier {load.tier - 1}"
    stated = "" if limit == 1 else f", and {show_ratio(limit)} is meant"
    # above the leaves less may cross by design: published cores have 7:1 and 15:1
    worse = load.tier == 1 and times > limit * _TOLERABLE * _EXACT and _is_for_training(fabric)
    at = locate_uplinks(fabric, load)
    return Hit(
        f"{format_switches(fabric, loads)} {'takes' if len(loads) == 1 else 'each take'} in {_format_rate(load.down)} "
        f"from {below}, and can send up {_format_rate(load.up)} ({_format_uplinks(load)}): {show_ratio(times)}"
        f"{stated}. What does not fit queues at the uplinks, and PFC stops the senders with all else they send",
        at,
        _suggest_fix(load, loads, limit),
        _relate_stated_ratio(fabric),
        severity=ERROR if worse else WARNING,
    )


def _suggest_fix(load: SwitchLoad, loads: list[SwitchLoad], limit: float) -> str:
    """How many uplinks, or how many leaves, make the ratio what it should be."""
    down, up = load.down or 0, load.up or 0
    out = []
    if load.speeds:
        speed = load.speeds[0]
        more = ceil((down / limit - up) / speed / _EXACT)
        link = "uplink" if more == 1 else "uplinks"
        out.append(f"give each {show_number(more)} more {link} of {show_rate(speed)}")
    if load.tier == 1:
        leaves = ceil(sum(each.down or 0 for each in loads) / limit / up / _EXACT)
        out.append(f"spread the hosts over {leaves} leaves with such uplinks")
    ratio = -floor(-100 * down / up / _EXACT) / 100
    out.append(f"state fabric: {{oversubscription: {show_number(ratio)}:1}} if that is meant")
    return ", or ".join(out)


def _relate_stated_ratio(fabric: Fabric) -> tuple[tuple[Origin, str], ...]:
    stated = fabric.origins.get("oversubscription")
    return ((stated, "the ratio meant"),) if stated is not None else ()


# -- after a loss ------------------------------------------------------------------------------------------------------


@rule(
    "TOP907",
    "topology-n-1",
    WARNING,
    source="Gangidi et al., SIGCOMM'24 (Meta): uplinks to spare, 1:1.125, so that a loss oversubscribes nothing",
    by_kind={"lossy": INFO, "running": OFF},
    needs=("links",),
    graph=True,
)
def topology_n_1(fabric: Fabric) -> Iterator[Hit]:
    """After the loss of one spine a switch has much less than is meant: beyond 2:1, or no uplinks to spare."""
    alike: dict[object, list[SwitchLoad]] = {}
    for load in list_loads(fabric):
        limit, now, after = intended_ratio(fabric, load), load.ratio, load.without_way
        even = len({rate for _, rate, _ in load.ways}) == 1
        if now is None or after is None or not even or len(load.ways) < 2 or now > limit * _EXACT:
            continue  # topology-uneven-uplinks, topology-single-spine, topology-oversub
        if _loses_much(now, after) or (limit < 1 < after / _EXACT):
            alike.setdefault((locate_uplinks(fabric, load), load.tier, len(load.ways), load.down, load.up), []).append(
                load
            )
    for loads in alike.values():
        load = loads[0]
        now, after = load.ratio or 0, load.without_way or 0
        one = len(loads) == 1
        yield Hit(
            f"without one of the {len(load.ways)} switches above, {show_ratio(now)} at "
            f"{format_switches(fabric, loads)} becomes {show_ratio(after)}: {'it has' if one else 'they have'} "
            f"{_format_rate(load.down)} from below and {_format_rate(load.up)} up now",
            locate_uplinks(fabric, load),
            "lead the uplinks to more switches above, or add uplinks to spare",
            _relate_stated_ratio(fabric),
            severity=WARNING if _loses_much(now, after) else INFO,
        )


def _loses_much(now: float, after: float) -> bool:
    """Whether a loss leaves less than is tolerable, and much less than there was: not where there are many spines."""
    return after > _TOLERABLE * _EXACT and after > _MUCH * now * _EXACT


@rule(
    "TOP911",
    "topology-single-spine",
    WARNING,
    source="one switch or cable whose loss parts the fabric: jobs stop until it is replaced",
    by_kind={"running": OFF},
    needs=("links",),
    graph=True,
)
def topology_single_spine(fabric: Fabric) -> Iterator[Hit]:
    """All uplinks of a switch lead to one switch, or it has only one: its loss parts the fabric."""
    found = capacity(fabric)
    nodes = graph(fabric)
    part_of = {n: number for number, part in enumerate(found.parts) for n in part}
    leaves = [sum(tiers(fabric).of[n] == 1 for n in part) for part in found.parts]
    alike: dict[tuple[int, int, bool], list[SwitchLoad]] = {}
    for load in list_loads(fabric):
        if len(load.ways) != 1 or leaves[part_of[load.switch]] < 2 or _has_second_plane(nodes, load, part_of):
            continue
        way, _, cables = load.ways[0]
        alike.setdefault((way, load.tier, cables == 1), []).append(load)
    for (way, _, single), loads in alike.items():
        one = len(loads) == 1
        what = "one uplink" if single else "uplinks to one switch only"
        yield Hit(
            f"{format_switches(fabric, loads)} {'has' if one else 'have'} {what}, {nodes.names[way]}: with "
            f"{'the cable or the switch' if single else 'that switch'} lost, hosts here reach no others",
            (locate_link(fabric, loads[0].switch, way), *locate_uplinks(fabric, loads[0])),
            _spread_uplinks(fabric, loads[0].switch, way),
            alike=what,
        )


def _spread_uplinks(fabric: Fabric, switch: int, way: int) -> str:
    link = graph(fabric).bundle(switch, way).first.link
    fix = "lead uplinks to two switches above at least"
    if len(names_of(link.a_device)) > 1 and len(names_of(link.b_device)) > 1:
        fix += ": this line pairs device by device, in order; write a line for each switch above, with ports of its own"
    return fix


def _has_second_plane(found: Graph, load: SwitchLoad, part_of: dict[int, int]) -> bool:
    """Whether all that hangs on a switch hangs on another plane too."""
    hosts = found.hosts(load.switch)
    own = part_of[load.switch]
    if not hosts:
        return len(set(part_of.values())) > 1
    return all(any(part_of.get(n, own) != own for n in found.near[host]) for host in hosts)


# -- places and words --------------------------------------------------------------------------------------------------


def _find_uplink_end(found: Graph, load: SwitchLoad, speed: int | None) -> PortEnd | None:
    """The ports that the uplinks begin at: those to the first way, or to the first with links of that speed."""
    for way, _, _ in load.ways:
        bundle = found.bundle(load.switch, way)
        if speed is None or speed in bundle.speeds:
            return bundle.a_end if bundle.a == load.switch else bundle.b_end
    return None


def locate_uplinks(fabric: Fabric, load: SwitchLoad, speed: int | None = None) -> tuple[Origin, ...]:
    """Where the uplinks of a switch are written, else the switch."""
    found = graph(fabric)
    device = found.plans[load.switch].device
    end = _find_uplink_end(found, load, speed)
    if end is not None:
        return (end.port.at(), device.at())
    ports = [port.at() for port in device.ports if port.faces == "switch"]
    return (*ports[:1], device.at())


def locate_link(fabric: Fabric, a: int, b: int) -> Origin:
    """Where the first link between two nodes is written."""
    return graph(fabric).bundle(a, b).first.link.a_at


def format_switches(fabric: Fabric, loads: list[SwitchLoad]) -> str:
    """The switches of some loads."""
    names = graph(fabric).names
    return fold_some(tuple(names[load.switch] for load in loads))


def _format_uplinks(load: SwitchLoad) -> str:
    speeds = "/".join(map(show_rate, load.speeds))
    return f"{load.up_cables} x {speeds}"


def _format_rate(speed: int | None) -> str:
    """Bit/s for people: 12.8 Tbit/s."""
    if speed is None:
        return "unknown"
    unit, name = (10**12, "Tbit/s") if speed >= 10**12 else (10**9, "Gbit/s")
    return f"{show_number(speed / unit)} {name}"


def sort_cables(speeds: dict[int, int]) -> Cables:
    """What joins two switches: by speed, fastest first."""
    return tuple(sorted(speeds.items(), reverse=True))


def format_cables(cables: Cables) -> str:
    """`2 x 400G and 1 x 200G`, `no link`."""
    words = [f"{count} x {show_rate(speed) if speed else 'unknown speed'}" for speed, count in cables]
    return join_words(words) if words else "no link"


RULES: tuple[Rule, ...] = (
    topology_n_1,
    topology_single_spine,
)
