"""Links, followed once for all that asks: cables between two switches at ports of equal settings are one group."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from rocecfg.analysis.ports import Port, PortEnd, PortPlan, Wire, list_wires, plans
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, Link, Span, kept_with_fabric


class LinkGroup:
    """Cables from one switch to another, or to a host, with the names of the first one as its link has them."""

    __slots__ = ("a", "a_end", "a_port", "b", "b_end", "b_port", "cables", "link")

    def __init__(self, wire: Wire, a_end: PortEnd | None, b_end: PortEnd | None) -> None:
        self.a, self.a_port, self.b, self.b_port, self.link = wire
        self.a_end, self.b_end = a_end, b_end  # None: a host's
        self.cables = 0


class LooseEnd(NamedTuple):
    """An end of a link at a port that its switch does not list."""

    name: str  # leaf01:Ethernet0
    device: Device
    at: Span


class TakenPort(NamedTuple):
    """A port that two links end at."""

    name: str
    device: Device | None  # None: of a host
    first: str  # where the first of them leads
    second: str
    first_at: Span
    at: Span


class RepeatedCable(NamedTuple):
    """A cable that two lines of a file tell of, from the same end."""

    name: str  # leaf01:Ethernet0 -- spine01:Ethernet8
    first_at: Span
    at: Span


class LinkGroups(NamedTuple):
    """What links amount to. A cable that both its ends tell of counts once, one at a port that is taken not at all."""

    groups: tuple[LinkGroup, ...]  # in the order of the links
    loose: tuple[LooseEnd, ...]
    taken: tuple[TakenPort, ...]
    repeated: tuple[RepeatedCable, ...] = ()
    loops: tuple[LooseEnd, ...] = ()  # ports that lead to themselves


@kept_with_fabric  # the rules on links ask, and what makes a graph of them
def link_groups(fabric: Fabric) -> LinkGroups:
    """All links of a fabric. Time and memory grow with the number of cables."""
    return _Follower(plans(fabric)).follow(fabric.links) if fabric.links else LinkGroups((), (), ())


_Leads = dict[str, Wire]  # by port
_HOST: dict[str, PortEnd] = {}


class _Follower:
    def __init__(self, known: Mapping[str, PortPlan]) -> None:
        self.known = known
        self.leads: dict[str, _Leads] = {}  # by switch or host
        self.groups: list[LinkGroup] = []
        # by the name of the one, and that of the other: of the first between two, and with the identities of its Ends
        self.between: dict[str, dict[str | tuple[str, int, int], LinkGroup]] = {}
        self.loose: list[LooseEnd] = []
        self.loops: list[LooseEnd] = []
        self.taken: list[TakenPort] = []
        self.repeated: list[RepeatedCable] = []

    def follow(self, links: Collection[Link]) -> LinkGroups:
        a = b = ""
        a_named, b_named, a_leads, b_leads = _HOST, _HOST, _Leads(), _Leads()
        group: LinkGroup | None = None
        for wire in list_wires(links):
            # nearly all links of large fabrics are cables between two switches, or from one to a host, those between
            # the same ones together: no more than look-ups for these
            if wire[0] != a:
                a = wire[0]
                a_named, a_leads = self._known_ends(a)
                group = None
            if wire[2] != b:
                b = wire[2]
                b_named, b_leads = self._known_ends(b)
                group = None
            _, a_port, _, b_port, _ = wire
            if a_port == b_port and a == b and a in self.known:
                self.loops.append(LooseEnd(f"{a}:{a_port}", self.known[a].device, wire[4].a_at))
                continue
            a_end, b_end = a_named.get(a_port), b_named.get(b_port)
            if a_port in a_leads or b_port in b_leads or not (a_end or b_end):
                self._follow_cable(wire)
                continue
            if (a_end is None and a_named is not _HOST) or (b_end is None and b_named is not _HOST):
                self._follow_cable(wire)
                continue
            a_leads[a_port] = b_leads[b_port] = wire
            if group is None or group.a_end is not a_end or group.b_end is not b_end:
                group = self._group_between(wire, a_end, b_end)
            group.cables += 1
        taken, repeated = tuple(self.taken), tuple(self.repeated)
        return LinkGroups(tuple(self.groups), tuple(self.loose), taken, repeated, tuple(self.loops))

    def _known_ends(self, name: str) -> tuple[dict[str, PortEnd], _Leads]:
        plan = self.known.get(name)
        return plan.named if plan is not None else _HOST, self.leads.setdefault(name, {})

    def _group_between(self, wire: Wire, a_end: PortEnd | None, b_end: PortEnd | None) -> LinkGroup:
        near = self.between.setdefault(wire[0], {})
        key: str | tuple[str, int, int] = wire[2]
        found = near.get(key)
        if found is not None and (found.a_end is not a_end or found.b_end is not b_end):
            key = wire[2], id(a_end), id(b_end)
            found = near.get(key)
        if found is None:
            found = near[key] = LinkGroup(wire, a_end, b_end)
            self.groups.append(found)
        return found

    def _follow_cable(self, wire: Wire) -> None:
        a, b, link = wire[:2], wire[2:4], wire[4]
        ends: list[PortEnd | None] = []
        lost = False
        for (name, port), at in ((a, link.a_at), (b, link.b_at)):
            plan = self.known.get(name)
            end = plan.end(port) if plan is not None else None
            ends.append(end)
            if plan is not None and end is None:
                lost = True
                self.loose.append(LooseEnd(f"{name}:{port}", plan.device, at))
        if lost or ends == [None, None]:
            return  # of switches, a neighbour may tell of its port by another name; or two hosts
        free = self._claim_port(a, b, wire)
        free &= self._claim_port(b, a, wire)
        if free:
            self._group_between(wire, *ends).cables += 1

    def _claim_port(self, here: Port, far: Port, wire: Wire) -> bool:
        """Note where a port leads; whether that was not known yet."""
        before = self.leads[here[0]].setdefault(here[1], wire)
        if before is wire:
            return True
        first, first_at = _far_end(here, before)
        _, at = _far_end(here, wire)
        if first != far:
            plan = self.known.get(here[0])
            device = plan.device if plan is not None else None
            self.taken.append(TakenPort(":".join(here), device, ":".join(first), ":".join(far), first_at, at))
        elif before[:2] == wire[:2] == here and first_at.doc == at.doc:
            self.repeated.append(RepeatedCable(f"{':'.join(here)} -- {':'.join(far)}", first_at, at))
        return False


def _far_end(here: Port, wire: Wire) -> tuple[Port, Span]:
    """The other end of a cable, and where its link names this one."""
    link = wire[4]
    return (wire[2:4], link.a_at) if wire[:2] == here else (wire[:2], link.b_at)
