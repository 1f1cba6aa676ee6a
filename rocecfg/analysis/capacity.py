"""What each switch takes in from below and can send up, and what is left of that when a spine or a cable is lost.

All speeds are in bit/s. A ratio is what comes from hosts and lower tiers by what goes to higher ones: 2.0 is 2:1, twice
as much as the uplinks carry. Only ports that an RDMA class crosses count. Where links lead to no hosts, or to no
switches, the ports that the intent says face them count instead.
"""

from __future__ import annotations

from collections import Counter

from rocecfg.analysis.graph import Bundle, Graph, graph
from rocecfg.analysis.ports import PortPlan
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.model import Fabric, PortGroup, Span, kept_with_fabric

_BELOW = ("host", "storage")  # what a port may face that sends RDMA up


class SwitchLoad(NamedTuple):
    """One switch: what it takes in from below, and its ways up."""

    switch: int
    tier: int
    down: int | None  # None: a speed is not known, or nothing tells what is below
    up: int | None
    ways: tuple[tuple[int, int | None, int], ...]  # a switch above, the speed of all cables to it, and their number
    up_cables: int
    speeds: tuple[int, ...]  # of the uplinks, each once, fastest first
    from_ports: bool = False  # its uplinks are ports that face switches: links do not tell of them, or not of all

    @property
    def ratio(self) -> float | None:
        """Down by up; None where it has no uplinks, or a speed is not known."""
        return down_by_up(self.down, self.up)

    @property
    def without_way(self) -> float | None:
        """The ratio after the loss of the switch above that carries most; inf if that was the only one."""
        rates = [rate for _, rate, _ in self.ways]
        if self.down is None or self.up is None or not rates or None in rates:
            return None
        return _ratio_after_loss(self.down, self.up, max(rate for rate in rates if rate is not None))

    @property
    def without_cable(self) -> float | None:
        """The ratio after the loss of its fastest uplink; inf if that was the only one."""
        if self.down is None or self.up is None or not self.speeds:
            return None
        return _ratio_after_loss(self.down, self.up, self.speeds[0])


class Capacity(NamedTuple):
    """The switches that send up, tier by tier."""

    loads: tuple[SwitchLoad, ...]
    top: int  # the highest tier that joins what is apart below it: what is above is no way of RDMA between hosts
    fastest: int | None  # the fastest cable to a host, bit/s
    slowest: int | None  # and the slowest
    parts: tuple[tuple[int, ...], ...]  # switches that cables between switches join: more than one part is planes

    def tier(self, number: int) -> list[SwitchLoad]:
        """The loads of a tier."""
        return [load for load in self.loads if load.tier == number]


def down_by_up(down: int | None, up: int | None) -> float | None:
    """Down by up; None where either is not known, or nothing goes up."""
    return down / up if down is not None and up else None


def _ratio_after_loss(down: int, up: int, lost: int) -> float:
    return down / (up - lost) if up > lost else float("inf")


@kept_with_fabric  # every rule on capacity asks
def capacity(fabric: Fabric) -> Capacity:
    """What each switch of a fabric takes in and sends up. Its time grows with the number of bundles."""
    found, levels = graph(fabric), tiers(fabric)
    parts, top = _find_parts(found, levels)
    between = any(bundle.b < found.switches for bundle in found.bundles.values())
    faced = _Faced()
    loads = [
        load
        for n in range(found.switches)
        if (load := _load_of(found, levels, n, top, faced, by_ports=not between)) is not None
    ]
    speeds = _host_speeds(found, faced)
    return Capacity(tuple(loads), top, max(speeds, default=None), min(speeds, default=None), parts)


class _CableCount:
    """Cables in one direction while they are counted."""

    __slots__ = ("cables", "rate", "speeds")

    def __init__(self) -> None:
        self.cables = 0
        self.rate: int | None = 0
        self.speeds: set[int] = set()

    def add(self, bundle: Bundle) -> None:
        self.add_speeds(bundle.speeds)

    def add_speeds(self, speeds: dict[int, int]) -> None:
        """Cables by speed; 0: not known."""
        for speed, count in speeds.items():
            self.cables += count
            self.rate = None if self.rate is None or not speed else self.rate + speed * count
            if speed:
                self.speeds.add(speed)


def _load_of(found: Graph, levels: Tiers, n: int, top: int, faced: _Faced, *, by_ports: bool) -> SwitchLoad | None:
    tier = levels.of[n]
    if not tier:
        return None
    down, up = _CableCount(), _CableCount()
    ways = []
    hosts = False
    for other in found.near[n]:
        bundle = found.bundle(n, other)
        where = _direction(found, levels, n, other, top, bundle)
        if where < 0:
            down.add(bundle)
            hosts |= other >= found.switches
        elif where > 0:
            up.add(bundle)
            ways.append((other, bundle.rate, bundle.cables))
    plan = found.plans[n]
    from_ports = False
    if not hosts:
        down.add_speeds(faced.speeds(plan, _BELOW))
    if tier == 1 and (by_ports or not hosts):  # links that tell of no hosts may not tell of all uplinks either
        facing = _CableCount()
        facing.add_speeds(faced.speeds(plan, ("switch",)))
        if facing.cables > up.cables:
            up, from_ports = facing, True
    if not up.cables:
        return None
    if not down.cables:
        down.rate = None
    speeds = tuple(sorted(up.speeds, reverse=True))
    return SwitchLoad(n, tier, down.rate, up.rate, tuple(ways), up.cables, speeds, from_ports)


def _direction(found: Graph, levels: Tiers, n: int, other: int, top: int, bundle: Bundle) -> int:
    """Below a switch (-1), above it (1), or neither (0): beside it, or out of the fabric."""
    faces = _faces(bundle)
    if faces == "edge":
        return 0
    if other >= found.switches:
        return 1 if faces == "switch" else -1  # a switch that the intent does not have among its devices
    here, there = levels.of[n], levels.of[other]
    if here < there:
        return 1 if there <= top else 0
    return -1 if 0 < there < here else 0


def _faces(bundle: Bundle) -> str | None:
    """What the cables lead to: `edge` if either end says so, since that is not a way between hosts."""
    faces = [end.port.faces for end in (bundle.a_end, bundle.b_end) if end is not None]
    return "edge" if "edge" in faces else faces[0]


class _Faced:
    """The speeds of ports by what they face, once for each kind of switch."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, tuple[str, ...]], dict[int, int]] = {}

    def speeds(self, plan: PortPlan, faces: tuple[str, ...]) -> dict[int, int]:
        """Ports that the intent says face one of these, and RDMA crosses: bit/s -> ports; 0: speed not known."""
        key = id(plan), faces
        out = self._known.get(key)
        if out is None:
            out = self._known[key] = {}
            for port in plan.device.ports:
                stated = isinstance(port.origins.get("faces"), Span)
                if stated and port.faces in faces and _carries_rdma(plan, port):
                    out[port.speed or 0] = out.get(port.speed or 0, 0) + len(port.names)
        return out


def _carries_rdma(plan: PortPlan, port: PortGroup) -> bool:
    shut = port.running is not None and port.running.up is False
    return not shut and any("rdma" in cls.carries for cls in plan.device.classes_on(port))


def _host_speeds(found: Graph, faced: _Faced) -> set[int]:
    """The speeds of cables to hosts; where links lead to none, of the ports that face them."""
    cabled = {
        speed
        for bundle in found.bundles.values()
        if bundle.b >= found.switches and _faces(bundle) in _BELOW
        for speed in bundle.speeds
        if speed
    }
    return cabled or {speed for plan in found.plans for speed in faced.speeds(plan, ("host",)) if speed}


# -- what joins what ---------------------------------------------------------------------------------------------------


def _find_parts(found: Graph, levels: Tiers) -> tuple[tuple[tuple[int, ...], ...], int]:
    """The parts that cables between switches make of them, and the highest tier that joins parts below it.

    A switch above that, a border or services switch, joins nothing that is not joined without it.
    """
    leads = list(range(found.switches))

    def lead(n: int) -> int:
        while leads[n] != n:
            leads[n] = leads[leads[n]]
            n = leads[n]
        return n

    by_tier: dict[int, list[Bundle]] = {}
    for bundle in found.bundles.values():
        if bundle.b < found.switches and bundle.a != bundle.b:
            tier = max(levels.of[bundle.a], levels.of[bundle.b])
            by_tier.setdefault(tier, []).append(bundle)
    first = levels.switches(1)
    top = min(levels.top, 2)
    apart = len(first)
    for tier in sorted(by_tier):
        for bundle in by_tier[tier]:
            if leads[bundle.a] != leads[bundle.b]:
                leads[lead(bundle.a)] = lead(bundle.b)
        left = len({lead(n) for n in first})
        if left < apart:
            top = max(top, tier)
        apart = left
    groups: dict[int, list[int]] = {}
    for n in range(found.switches):
        if levels.of[n]:
            groups.setdefault(lead(n), []).append(n)
    return tuple(tuple(group) for group in groups.values()), top


# -- in figures and words ----------------------------------------------------------------------------------------------


class Figures(NamedTuple):
    """The ratios of a tier: the one most switches have, the highest, and those after a loss. None: not known."""

    switches: int  # that send up
    usual: float | None
    worst: float | None
    without_way: float | None
    without_cable: float | None


def summarize_loads(loads: list[SwitchLoad]) -> Figures:
    """The figures of the loads of one tier."""
    known = [load.ratio for load in loads if load.ratio is not None]
    usual = Counter(known).most_common(1)
    return Figures(
        len(loads),
        usual[0][0] if usual else None,
        max(known, default=None),
        max((r for load in loads if (r := load.without_way) is not None), default=None),
        max((r for load in loads if (r := load.without_cable) is not None), default=None),
    )


def show_ratio(value: float) -> str:
    """A ratio in words: `8:1`, `1.14:1`, rounded to hundredths."""
    return "no uplink left" if value == float("inf") else f"{show_number(round(value, 2))}:1"
