"""Links as rules see them: each pair of kinds of ports once, however many cables join them.

Switches with equal settings are one kind, so that work grows with what differs. A fabric is followed once for all
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from rocecfg.model import Device, Fabric, Link, Origin, PortGroup, Span, spans_of
from rocecfg.records import NamedTuple
from rocecfg.rules.base import Hit
from rocecfg.topology.ports import End, Plan, Port, Wire, plans, wires


class Joint(NamedTuple):
    """All links between two kinds of ports."""

    a: End
    b: End
    a_name: str  # leaf01:Ethernet0, of the first one
    b_name: str
    links: int = 1


class Loose(NamedTuple):
    """An end of a link at a port that its switch does not list."""

    name: str  # leaf01:Ethernet0
    device: Device
    at: Span


class Taken(NamedTuple):
    """A port that two links end at."""

    name: str
    device: Device
    first: str  # where the first of them leads
    second: str
    first_at: Span
    at: Span


class Cabling(NamedTuple):
    """What the links of a fabric amount to."""

    joints: tuple[Joint, ...]
    loose: tuple[Loose, ...]
    taken: tuple[Taken, ...]


class Difference(NamedTuple):
    """How the ends of a link differ: what each has, in words, and where that was said."""

    a: str
    b: str
    a_at: tuple[Origin, ...]  # best first
    b_at: tuple[Origin, ...]
    cls: str | None = None
    severity: str | None = None


class _Count:
    """A joint while its links are counted."""

    __slots__ = ("a", "a_name", "b", "b_name", "links")

    def __init__(self, a: End, b: End, a_name: str, b_name: str) -> None:
        self.a, self.b, self.a_name, self.b_name = a, b, a_name, b_name
        self.links = 0


_Leads = dict[str, Wire]  # by port


@lru_cache(maxsize=1)  # every rule on links asks
def cabling(fabric: Fabric) -> Cabling:
    """The links of a fabric, followed: a cable that both its ends tell of counts once."""
    return _Follower(fabric, fabric.near).cabling()


@lru_cache(maxsize=1)
def is_cabled(fabric: Fabric) -> bool:
    """Whether links join switches that are known: any links, not only those that matter to what is reported."""
    if cabling(fabric).joints or fabric.near is fabric.links:
        return bool(cabling(fabric).joints)
    return bool(_Follower(fabric, fabric.links).cabling().joints)


class _Follower:
    def __init__(self, fabric: Fabric, links: Sequence[Link]) -> None:
        self.switches: dict[str, tuple[Plan, _Leads]] = {}
        self.counts: dict[tuple[int, int], _Count] = {}
        self.loose: list[Loose] = []
        self.taken: list[Taken] = []
        self.links = links
        if self.links:
            self.switches = {name: (plan, {}) for name, plan in plans(fabric).items()}

    def cabling(self) -> Cabling:
        switches, counts = self.switches, self.counts
        for wire in wires(self.links):
            # nearly all links of large fabrics are cables between two switches: no more than look-ups for these
            a_device, a_port, b_device, b_port, _ = wire
            a, b = switches.get(a_device), switches.get(b_device)
            if a is not None and b is not None:
                a_end, b_end = a[0].named.get(a_port), b[0].named.get(b_port)
                if a_end is not None and b_end is not None and a_port not in a[1] and b_port not in b[1]:
                    a[1][a_port] = b[1][b_port] = wire
                    count = counts.get((id(a_end), id(b_end)))
                    if count is not None:
                        count.links += 1
                    else:
                        self._count(a_end, b_end, (a_device, a_port), (b_device, b_port))
                    continue
            self._cable(wire)
        joints = [Joint(c.a, c.b, c.a_name, c.b_name, c.links) for c in counts.values() if _is_up(c)]
        return Cabling(tuple(joints), tuple(self.loose), tuple(self.taken))

    def _cable(self, wire: Wire) -> None:
        a, b, link = wire[:2], wire[2:4], wire[4]
        ends: list[End | None] = []
        lost = False
        for here, at in ((a, link.a_at), (b, link.b_at)):
            plan, _ = self.switches.get(here[0], (None, None))
            end = plan.end(here[1]) if plan is not None else None
            ends.append(end)
            if plan is not None and end is None:
                lost = True
                self.loose.append(Loose(":".join(here), plan.device, at))
        if lost:
            return  # of switches, a neighbour may tell of its port by another name
        known = self._lead(a, b, wire)
        known |= self._lead(b, a, wire)
        a_end, b_end = ends
        if not known and a_end is not None and b_end is not None:
            self._count(a_end, b_end, a, b)

    def _count(self, a_end: End, b_end: End, a: Port, b: Port) -> None:
        key, turned = (id(a_end), id(b_end)), (id(b_end), id(a_end))
        count = self.counts.get(key) or self.counts.get(turned)
        if count is None:
            count = self.counts[key] = _Count(a_end, b_end, ":".join(a), ":".join(b))
        count.links += 1

    def _lead(self, here: Port, far: Port, wire: Wire) -> bool:
        """Note where a port of a switch leads; whether that was known already."""
        if here[0] not in self.switches:
            return False
        plan, leads = self.switches[here[0]]
        before = leads.setdefault(here[1], wire)
        if before is wire:
            return False
        first, first_at = _far(here, before)
        if first == far:
            return True
        _, at = _far(here, wire)
        self.taken.append(Taken(":".join(here), plan.device, ":".join(first), ":".join(far), first_at, at))
        return False


def _far(here: Port, wire: Wire) -> tuple[Port, Span]:
    """The other end of a cable, and where its link names this one."""
    link = wire[4]
    return (wire[2:4], link.a_at) if wire[:2] == here else (wire[:2], link.b_at)


def _is_up(count: _Count) -> bool:
    return not (_is_shut(count.a.port) or _is_shut(count.b.port))


def _is_shut(port: PortGroup) -> bool:
    return port.running is not None and port.running.up is False


# -- findings ----------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """A difference, and all links that have it for the same reason."""

    difference: Difference
    joint: Joint  # the first of them
    links: int

    @property
    def where(self) -> str:
        """`leaf01:Ethernet0 -- spine01:Ethernet8 and 63 more links`."""
        more = self.links - 1
        first = f"{self.joint.a_name} -- {self.joint.b_name}"
        return f"{first} and {more} more link{'s' * (more != 1)}" if more else first

    def one_of(self, value: str) -> str:
        """The name of the end that has this value."""
        return self.joint.a_name if self.difference.a == value else self.joint.b_name

    def hit(self, message: str, help: str) -> Hit:
        """A finding at the end that overrides what others have, as far as the places tell which one does."""
        found, joint = self.difference, self.joint
        a, b = _first(found.a_at), _first(found.b_at)
        at, other, word, end = found.a_at, b, f"{found.b} at {joint.b_name}", joint.a
        if a is None or (b is not None and _rank(joint.b, b, a) > _rank(joint.a, a, b)):
            at, other, word, end = found.b_at, a, f"{found.a} at {joint.a_name}", joint.b
        related = ((other, word),) if other is not None else ()
        return Hit(
            message, at, help, related, severity=found.severity, cls=found.cls, vendors=frozenset((end.device.vendor,))
        )


def told(fabric: Fabric, differ: Callable[[Joint], Difference | None]) -> Iterator[Told]:
    """How ends of links differ, one for each cause: where both values and both places are the same."""
    found: dict[object, Told] = {}
    for joint in cabling(fabric).joints:
        difference = differ(joint)
        if difference is None:
            continue
        a = difference.a, _first(difference.a_at)
        b = difference.b, _first(difference.b_at)
        key: object = frozenset((a, b))  # whichever end is named first
        known = found.get(key)
        if known is None:
            found[key] = Told(difference, joint, joint.links)
        else:
            found[key] = known._replace(links=known.links + joint.links)
    yield from found.values()


def _rank(end: End, at: Span, other: Span) -> tuple[bool, int]:
    """How near a place is to the device itself: below it, else further down in the same file."""
    device = end.device.at("")
    own = isinstance(device, Span) and device.doc == at.doc and device.start <= at.start
    return own, at.start if at.doc == other.doc else 0


def _first(origins: tuple[Origin, ...]) -> Span | None:
    return next((span for origin in origins for span in spans_of(origin)), None)
