"""The graph of what carries RDMA: switches and hosts as numbers, and the cables between two of them as one bundle.

Cables at ports that no RDMA class crosses, management ports and ports that are shut are left out. What links name that
is not a switch of the fabric is a host.
"""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.analysis.bundles import LinkGroup, link_groups
from rocecfg.analysis.ports import PortEnd, PortPlan, plans
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Link, kept_with_fabric

SHIFT = 32  # a bundle's key: the smaller number of its nodes, shifted, and the larger one


class Cable(NamedTuple):
    """One cable, as it is named; `a` is the node with the smaller number."""

    a_port: str
    b_port: str
    link: Link  # which says so


class Bundle:
    """The cables between two nodes."""

    __slots__ = ("_group", "a", "b", "cables", "speeds", "turned")

    def __init__(self, a: int, b: int, group: LinkGroup, speeds: dict[int, int], *, turned: bool = False) -> None:
        """`turned`: whether the first cable's link, which the strand has, names the node `b` first."""
        self.a, self.b = a, b  # a < b: so b is the host of a switch's bundle
        self._group = group
        self.turned = turned
        self.cables = sum(speeds.values())
        self.speeds = speeds  # bit/s -> cables; 0: not known. Bundles of as many equal cables share this

    @property
    def a_end(self) -> PortEnd | None:
        """The end of the first cable at `a`; None: a host's."""
        return self._group.b_end if self.turned else self._group.a_end

    @property
    def b_end(self) -> PortEnd | None:
        """The same at `b`."""
        return self._group.a_end if self.turned else self._group.b_end

    @property
    def first(self) -> Cable:
        """The first cable."""
        of = self._group
        return Cable(of.b_port, of.a_port, of.link) if self.turned else Cable(of.a_port, of.b_port, of.link)

    def add(self, speed: int, cables: int) -> None:
        """Count further cables."""
        self.cables += cables
        self.speeds = {**self.speeds, speed: self.speeds.get(speed, 0) + cables}

    @property
    def rate(self) -> int | None:
        """What all of its cables carry, bit/s; None where a speed is not known."""
        return None if 0 in self.speeds else sum(speed * count for speed, count in self.speeds.items())


class Graph:
    """Switches come first: node n is one where n < `switches`."""

    __slots__ = ("bare", "bundles", "half", "joined", "names", "near", "numbers", "plans", "switches")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.plans: list[PortPlan] = []  # of the switches
        self.joined: list[list[int]] = []  # the same of switches alone
        self.near: list[list[int]] = []  # the nodes that a cable leads to, each once, in the order of the links
        self.bundles: dict[int, Bundle] = {}
        # cables between ports that face switches, over which no RDMA goes: no end has a class for it, or one has not
        self.bare: dict[int, Bundle] = {}
        self.half: dict[int, Bundle] = {}
        self.switches = 0

    def bundle(self, a: int, b: int) -> Bundle:
        """The cables between two nodes; KeyError where there is none."""
        return self.bundles[(a << SHIFT | b) if a < b else (b << SHIFT | a)]

    def ports(self, a: int, b: int) -> tuple[str, str]:
        """`leaf01:Ethernet0` and the port it is cabled to, of the first cable from a to b."""
        bundle = self.bundle(a, b)
        names = f"{self.names[bundle.a]}:{bundle.first.a_port}", f"{self.names[bundle.b]}:{bundle.first.b_port}"
        return names if a < b else (names[1], names[0])

    def uplinks(self, switch: int) -> list[int]:
        """The switches next to a switch; not to be changed."""
        return self.joined[switch]

    def hosts(self, switch: int) -> list[int]:
        """The hosts next to a switch."""
        return [n for n in self.near[switch] if n >= self.switches]


@kept_with_fabric  # every rule on the fabric as a whole asks
def graph(fabric: Fabric) -> Graph:
    """The graph of a fabric. Its time and memory grow with the number of cables."""
    return _Builder(fabric).build(link_groups(fabric).groups)


# instead of a speed, of a cable between switches: no end has a class for RDMA, one has; and of any: it does not matter
_BARE, _HALF, _NONE = -1, -2, -3


class _Builder:
    def __init__(self, fabric: Fabric) -> None:
        known = plans(fabric)
        self.out = out = Graph()
        out.names = list(known)
        out.plans = list(known.values())
        out.switches = len(out.names)
        out.numbers = {name: n for n, name in enumerate(out.names)}
        out.near = [[] for _ in out.names]
        self.speeds: dict[tuple[int, int], dict[int, int]] = {}  # of a bundle of one group, by speed and cables
        self.kinds: dict[tuple[int, int], int] = {}  # by the identities of two Ends, which the plans keep alive

    def build(self, found: Iterable[LinkGroup]) -> Graph:
        out = self.out
        for group in found:
            kind = self._kind_between(group.a_end, group.b_end)
            if kind == _NONE:
                continue
            a, b = self._number_node(group.a), self._number_node(group.b)
            if a != b:
                self._add_group(a, b, group, kind)
        switches = out.switches
        no_hosts = len(out.names) == switches
        out.joined = out.near if no_hosts else [[m for m in n if m < switches] for n in out.near[:switches]]
        return out

    def _number_node(self, name: str) -> int:
        out = self.out
        found = out.numbers.get(name)
        if found is None:
            found = out.numbers[name] = len(out.names)
            out.names.append(name)
            out.near.append([])
        return found

    def _kind_between(self, a: PortEnd | None, b: PortEnd | None) -> int:
        found = self.kinds.get((id(a), id(b)))
        if found is None:
            found = self.kinds[id(a), id(b)] = self.kinds[id(b), id(a)] = _find_kind(a, b)
        return found

    def _add_group(self, a: int, b: int, group: LinkGroup, kind: int) -> None:
        out = self.out
        among = out.bundles if kind >= 0 else out.bare if kind == _BARE else out.half
        turned = b < a
        if turned:
            a, b = b, a
        key, speed, cables = a << SHIFT | b, max(kind, 0), group.cables
        bundle = among.get(key)
        if bundle is not None:
            bundle.add(speed, cables)
            return
        speeds = self.speeds.get((speed, cables))
        if speeds is None:
            speeds = self.speeds[speed, cables] = {speed: cables}
        among[key] = Bundle(a, b, group, speeds, turned=turned)
        if kind >= 0:
            out.near[a].append(b)
            out.near[b].append(a)


def _find_kind(a: PortEnd | None, b: PortEnd | None) -> int:
    """The speed of a cable between two kinds of ports, bit/s, 0 where it is not known; or _BARE or _NONE."""
    ends = [end for end in (a, b) if end is not None]
    if any(_is_shut(end) or end.port.faces == "management" for end in ends):
        return _NONE
    rdma = [any("rdma" in cls.carries for cls in end.device.classes_on(end.port)) for end in ends]
    if all(rdma):
        return min((end.port.speed for end in ends if end.port.speed is not None), default=0)
    if len(ends) < 2 or any(end.port.faces != "switch" for end in ends):
        return _NONE
    return _HALF if any(rdma) else _BARE


def _is_shut(end: PortEnd) -> bool:
    return end.port.running is not None and end.port.running.up is False
