"""Uplinks: too few, now or after a loss, or all to one switch. What TOP906 tells, and rules TOP907 and TOP911.

Only intents are checked: of switches that were read, it is not known which others there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, floor

from rocecfg.analysis.bundles import LinkGroup, link_groups
from rocecfg.analysis.capacity import SwitchLoad, capacity, show_ratio
from rocecfg.analysis.crossings import crossings
from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.ports import PortEnd
from rocecfg.analysis.tiers import tiers
from rocecfg.core.nodeset import fold_some, names_of
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Fabric, Origin, kept_with_fabric
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


@kept_with_fabric
def list_loads(fabric: Fabric) -> Sequence[SwitchLoad]:
    """What switches send up, but those whose cables are wrong: crossed, two at a port, or of two speeds.

    `topology-crossed`, `link-one-end` and `link-speed` tell, and what is right then is not known.
    """
    found = graph(fabric)
    taken = (each for each in follow_cabling(fabric).taken if each.device is not None)
    names = {end.partition(":")[0] for each in taken for end in (each.name, each.first, each.second)}
    nodes = {found.numbers.get(name) for name in names}
    nodes.update(_lacking_disputed(found, tiers(fabric).of, tuple(nodes)))
    nodes.update(n for crossing in crossings(fabric) for n in crossing.nodes)
    nodes.update(n for group in link_groups(fabric).groups if _has_two_speeds(group) for n in _nodes_of(found, group))
    return [load for load in capacity(fabric).loads if load.switch not in nodes]


def _lacking_disputed(found: Graph, of: tuple[int, ...], disputed: Iterable[int | None]) -> Iterator[int]:
    """Switches with fewer cables than others to one where two end at a port: one of these may be theirs.

    `of`: the tiers; others are those that lead to the same switches.
    """
    for n in disputed:
        if n is None or n >= found.switches:
            continue
        near = [m for m in found.uplinks(n) if 0 < of[m] < of[n]]
        beside = {way for m in near for way in found.uplinks(m) if of[way] == of[n]}
        most = max((found.bundle(n, m).cables for m in near), default=0)
        for m in {m for way in beside for m in found.uplinks(way) if 0 < of[m] < of[n]}:
            if m not in near or found.bundle(n, m).cables < most:
                yield m


def _has_two_speeds(group: LinkGroup) -> bool:
    speeds = {end.port.speed for end in (group.a_end, group.b_end) if end is not None}
    return len(speeds - {None}) > 1


def _nodes_of(found: Graph, group: LinkGroup) -> tuple[int | None, int | None]:
    return found.numbers.get(group.a), found.numbers.get(group.b)


# -- ways that are not as the others -----------------------------------------------------------------------------------


class Uneven(NamedTuple):
    """A switch with ways up that have other cables than most of its ways."""

    load: SwitchLoad
    odd: tuple[tuple[int, Cables], ...]  # these ways; (): no cables, where two others of its kind have some
    usual: Cables
    lacks: bool  # whether ways lack that others of its kind have

    @property
    def restored(self) -> int | None:
        """What it could send up if the narrower of these ways had what is usual, bit/s."""
        gain = sum(max(sum_rates((self.usual,)) - sum_rates((cables,)), 0) for _, cables in self.odd)
        return None if self.load.up is None else self.load.up + gain


def sum_rates(cables: tuple[Cables, ...]) -> int:
    """What so many ways carry, bit/s."""
    return sum(speed * count for way in cables for speed, count in way)


@kept_with_fabric  # each rule on uplinks asks: what follows from these is told with them
def uneven_ways(fabric: Fabric) -> Mapping[int, Sequence[Uneven]]:
    """By switch: its uneven ways up, those to switches of one role together."""
    found = graph(fabric)
    most = _find_lacking_ways(found, capacity(fabric).loads)
    out: dict[int, list[Uneven]] = {}
    for load in list_loads(fabric):
        lacking = most.get(load.switch, ())
        by_role: dict[str | None, list[int]] = {}
        for way in (*(way for way, _, _ in load.ways), *lacking):
            role = found.plans[way].device.role if way < found.switches else None
            by_role.setdefault(role, []).append(way)
        for ways in by_role.values():
            there = [way for way in ways if way not in lacking] or [load.ways[0][0]]
            usual, odd = _find_odd_ways(found, load.switch, there)
            lost = tuple(way for way in ways if way in lacking)
            if odd or lost:
                kinds = (*((way, cables_between(found, load.switch, way)) for way in odd), *((way, ()) for way in lost))
                out.setdefault(load.switch, []).append(Uneven(load, kinds, usual, bool(lost)))
    return out


def cables_between(found: Graph, a: int, b: int) -> Cables:
    """What joins two nodes."""
    return sort_cables(found.bundle(a, b).speeds)


def _find_odd_ways(found: Graph, switch: int, ways: list[int]) -> tuple[Cables, list[int]]:
    """The cables that most ways have, of equally many the wider ones, and the ways that have others."""
    kinds = [cables_between(found, switch, way) for way in ways]
    if kinds.count(kinds[0]) == len(kinds):  # so it is nearly everywhere
        return kinds[0], []
    count = Counter(kinds)
    usual = max(count, key=lambda cables: (count[cables], sum_rates((cables,)), cables))
    return usual, [way for way, cables in zip(ways, kinds, strict=True) if cables != usual]


def _find_lacking_ways(found: Graph, loads: Iterable[SwitchLoad]) -> dict[int, tuple[int, ...]]:
    """Switches that lack ways which others of the same kind have beside theirs, and these ways.

    Two others have them, or one where most of the kind have as many as this one.
    """
    kinds: dict[int, dict[frozenset[int], list[int]]] = {}
    for load in loads:
        ways = frozenset(way for way, _, _ in load.ways)
        kinds.setdefault(id(found.plans[load.switch]), {}).setdefault(ways, []).append(load.switch)
    out: dict[int, tuple[int, ...]] = {}
    for sets in kinds.values():
        counts = Counter({ways: len(switches) for ways, switches in sets.items()})
        widths = Counter(len(ways) for ways in counts.elements())
        width, many = widths.most_common(1)[0]
        wide = [ways for ways in sets if counts[ways] > 1 or (len(ways) == width and 2 * many > counts.total())]
        for ways, switches in sets.items():
            wider = [other for other in wide if ways and ways < other]
            if wider:
                lacking = tuple(sorted(max(wider, key=len) - ways))
                out.update(dict.fromkeys(switches, lacking))
    return out


def _follows_from_uneven(fabric: Fabric, load: SwitchLoad) -> bool:
    """Whether a switch would have uplinks enough if each way were as is usual."""
    (*others, last) = uneven_ways(fabric).get(load.switch, ()) or (None,)
    if last is None or others or last.restored is None or load.down is None:
        return False
    return load.down <= last.restored * intended_ratio(fabric, load) * _EXACT


# -- too few -----------------------------------------------------------------------------------------------------------


def judge_oversubscription(fabric: Fabric) -> Iterator[Hit]:
    """The findings of `topology-oversub`: switches alike with the same ratio are one."""
    alike: dict[object, list[SwitchLoad]] = {}
    for load in list_loads(fabric):
        if load.ratio is not None and load.ratio > intended_ratio(fabric, load) * _EXACT:
            follows = _follows_from_uneven(fabric, load)
            key = locate_uplinks(fabric, load), load.tier, load.down, load.up, load.speeds, load.up_cables, follows
            alike.setdefault(key, []).append(load)
    for loads in alike.values():
        yield _report_oversubscription(fabric, loads)


def _is_grave(fabric: Fabric, load: SwitchLoad) -> bool:
    """Whether collectives stand still: above the leaves less may cross by design, published cores have 7:1 and 15:1."""
    limit = intended_ratio(fabric, load) * _TOLERABLE * _EXACT
    return load.tier == 1 and (load.ratio or 0) > limit and _is_for_training(fabric)


def _report_oversubscription(fabric: Fabric, loads: list[SwitchLoad]) -> Hit:
    load = loads[0]
    limit, times = intended_ratio(fabric, load), load.ratio or 0
    below = "hosts" if load.tier == 1 else f"tier {load.tier - 1}"
    stated = "" if limit == 1 else f", above the stated {show_ratio(limit)}"
    at = locate_uplinks(fabric, load)
    follows = _follows_from_uneven(fabric, load)
    return Hit(
        f"{format_switches(fabric, loads)} {'receives' if len(loads) == 1 else 'each receive'} "
        f"{_format_rate(load.down)} from {below}, but can send up only {_format_rate(load.up)} "
        f"({_format_uplinks(load)}): {show_ratio(times)}{stated}. The excess queues at the uplinks, and PFC pauses "
        "the senders with all their traffic of that class",
        at,
        _suggest_fix(load, loads, limit),
        (*_relate_stated_ratio(fabric), *(((locate_odd_way(fabric, load), "an uplink lacks"),) if follows else ())),
        severity=ERROR if _is_grave(fabric, load) else WARNING,
        explains=("topology-uneven-uplinks",) if follows and _is_grave(fabric, load) else (),
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
    out.append(f"state fabric: {{oversubscription: {show_number(ratio)}:1}} if that is intended")
    return ", or ".join(out)


def _relate_stated_ratio(fabric: Fabric) -> tuple[tuple[Origin, str], ...]:
    stated = fabric.origins.get("oversubscription")
    return ((stated, "the stated ratio"),) if stated is not None else ()


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
    """After the loss of one spine a switch has much less than stated: beyond 2:1, or no spare uplinks."""
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
            f"if one of the {len(load.ways)} switches above fails, oversubscription at "
            f"{format_switches(fabric, loads)} rises from {show_ratio(now)} to {show_ratio(after)}: "
            f"{'it has' if one else 'they have'} {_format_rate(load.down)} from below and {_format_rate(load.up)} up "
            "today",
            locate_uplinks(fabric, load),
            "connect the uplinks to more switches above, or add spare uplinks",
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
    """All uplinks of a switch go to one switch, or it has only one uplink: its loss splits the fabric."""
    found = capacity(fabric)
    nodes = graph(fabric)
    part_of = {n: number for number, part in enumerate(found.parts) for n in part}
    leaves = [sum(tiers(fabric).of[n] == 1 for n in part) for part in found.parts]
    alike: dict[tuple[int, int, bool], list[SwitchLoad]] = {}
    for load in list_loads(fabric):
        if len(load.ways) != 1 or leaves[part_of[load.switch]] < 2 or _has_second_plane(nodes, load, part_of):
            continue
        if any(each.lacks for each in uneven_ways(fabric).get(load.switch, ())):
            continue  # topology-uneven-uplinks says which are missing
        way, _, cables = load.ways[0]
        alike.setdefault((way, load.tier, cables == 1), []).append(load)
    for (way, _, single), loads in alike.items():
        one = len(loads) == 1
        what = "one uplink" if single else "uplinks to one switch only"
        yield Hit(
            f"{format_switches(fabric, loads)} {'has' if one else 'have'} {what}, {nodes.names[way]}: if "
            f"{'the cable or the switch' if single else 'that switch'} fails, hosts here reach no others",
            (locate_link(fabric, loads[0].switch, way), *locate_uplinks(fabric, loads[0])),
            _spread_uplinks(fabric, loads[0].switch, way),
            alike=what,
        )


def _spread_uplinks(fabric: Fabric, switch: int, way: int) -> str:
    link = graph(fabric).bundle(switch, way).first.link
    fix = "connect uplinks to at least two switches above"
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


def locate_odd_way(fabric: Fabric, load: SwitchLoad) -> Origin:
    """Where a switch with uneven ways has a link: to one of these, else its first."""
    odd = [way for each in uneven_ways(fabric).get(load.switch, ()) for way, cables in each.odd if cables]
    return locate_link(fabric, load.switch, (odd or [load.ways[0][0]])[0])


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
