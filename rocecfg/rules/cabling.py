"""Links as rules see them: each pair of kinds of ports once, however many cables join them.

Switches with equal settings are one kind, so that work grows with what differs. A fabric is followed once for all
rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rocecfg.analysis.bundles import LinkGroups, LooseEnd, RepeatedCable, TakenPort, link_groups
from rocecfg.analysis.ports import PortEnd
from rocecfg.core.records import NamedTuple
from rocecfg.model import Fabric, Origin, PortGroup, Span, kept_with_fabric, spans_of
from rocecfg.rules.base import Hit


class Joint(NamedTuple):
    """All links between two kinds of ports."""

    a: PortEnd
    b: PortEnd
    a_name: str  # leaf01:Ethernet0, of the first one
    b_name: str
    links: int = 1


class LinkSummary(NamedTuple):
    """What the links of a fabric amount to."""

    joints: tuple[Joint, ...]
    loose: tuple[LooseEnd, ...]
    taken: tuple[TakenPort, ...]
    repeated: tuple[RepeatedCable, ...]


class CableDifference(NamedTuple):
    """How the ends of a link differ: what each has, in words, and where that was said."""

    a: str
    b: str
    a_at: tuple[Origin, ...]  # best first
    b_at: tuple[Origin, ...]
    cls: str | None = None
    severity: str | None = None


class _JointCount:
    """A joint while its links are counted."""

    __slots__ = ("a", "a_name", "b", "b_name", "links")

    def __init__(self, a: PortEnd, b: PortEnd, a_name: str, b_name: str) -> None:
        self.a, self.b, self.a_name, self.b_name = a, b, a_name, b_name
        self.links = 0


@kept_with_fabric  # every rule on links asks
def follow_cabling(fabric: Fabric) -> LinkSummary:
    """The links of a fabric, followed."""
    found = link_groups(fabric)
    return LinkSummary(_count_joints(found), found.loose, found.taken, found.repeated)


def is_cabled(fabric: Fabric) -> bool:
    """Whether links join switches that are known."""
    return bool(follow_cabling(fabric).joints)


def _count_joints(found: LinkGroups) -> tuple[Joint, ...]:
    counts: dict[tuple[int, int], _JointCount] = {}
    for group in found.groups:
        a, b = group.a_end, group.b_end
        if a is None or b is None:
            continue
        count = counts.get((id(a), id(b))) or counts.get((id(b), id(a)))
        if count is None:
            names = f"{group.a}:{group.a_port}", f"{group.b}:{group.b_port}"
            count = counts[id(a), id(b)] = _JointCount(a, b, *names)
        count.links += group.cables
    return tuple(Joint(c.a, c.b, c.a_name, c.b_name, c.links) for c in counts.values() if _is_up(c))


def _is_up(count: _JointCount) -> bool:
    return not (_is_shut(count.a.port) or _is_shut(count.b.port))


def _is_shut(port: PortGroup) -> bool:
    return port.running is not None and port.running.up is False


# -- findings ----------------------------------------------------------------------------------------------------------


class SharedDifference(NamedTuple):
    """A difference, and all links that have it for the same reason."""

    difference: CableDifference
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
        a, b = _first_span(found.a_at), _first_span(found.b_at)
        at, other, word, end = found.a_at, b, f"{found.b} at {joint.b_name}", joint.a
        if a is None or (b is not None and _rank_nearness(joint.b, b, a) > _rank_nearness(joint.a, a, b)):
            at, other, word, end = found.b_at, a, f"{found.a} at {joint.a_name}", joint.b
        related = ((other, word),) if other is not None else ()
        return Hit(
            message, at, help, related, severity=found.severity, cls=found.cls, vendors=frozenset((end.device.vendor,))
        )


def find_differences(fabric: Fabric, differ: Callable[[Joint], CableDifference | None]) -> Iterator[SharedDifference]:
    """How ends of links differ, one for each cause: where both values and both places are the same."""
    found: dict[object, SharedDifference] = {}
    for joint in follow_cabling(fabric).joints:
        difference = differ(joint)
        if difference is None:
            continue
        a = difference.a, _first_span(difference.a_at)
        b = difference.b, _first_span(difference.b_at)
        key: object = frozenset((a, b))  # whichever end is named first
        known = found.get(key)
        if known is None:
            found[key] = SharedDifference(difference, joint, joint.links)
        else:
            found[key] = known._replace(links=known.links + joint.links)
    yield from found.values()


def _rank_nearness(end: PortEnd, at: Span, other: Span) -> tuple[bool, int]:
    """How near a place is to the device itself: below it, else further down in the same file."""
    device = end.device.at("")
    own = isinstance(device, Span) and device.doc == at.doc and device.start <= at.start
    return own, at.start if at.doc == other.doc else 0


def _first_span(origins: tuple[Origin, ...]) -> Span | None:
    return next((span for origin in origins for span in spans_of(origin)), None)
