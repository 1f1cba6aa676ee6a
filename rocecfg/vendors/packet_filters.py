"""What a filter on a port does to RoCEv2 before the maps sort it, whatever its system calls it: filter, ACL, policy.

Whether an entry takes RoCEv2 is answered yes, no, or None where the text does not tell, as for a list of addresses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rocecfg.core.digits import is_number
from rocecfg.core.nodeset import fold
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import ranges
from rocecfg.model import Span
from rocecfg.model.stated import Problem, Unread
from rocecfg.model.switch import Chain, Port

ROCE_PORT = 4791
SOURCE_PORTS = range(49152, 65536)  # of RoCEv2: each connection its own, for ECMP
_MAC = re.compile("[0-9a-f]{2}(?::[0-9a-f]{2}){5}")
_MULTICAST = 224  # the first number of multicast addresses, and of broadcast
DROPS, POLICES, SORTS, MARKS, DIVERTS, COLOURS = "drops", "polices", "sorts", "marks", "diverts", "colours"
ODD = "odd"  # an action that is not known here


class Match(NamedTuple):
    """Which packets an entry takes; None: whichever."""

    protocols: frozenset[str] | None = None  # udp, or words of others
    targets: tuple[range, ...] | None = None  # destination ports
    sources: tuple[range, ...] | None = None
    dscps: frozenset[int] | None = None
    other: str = ""  # what else it asks for that the text of a switch does not tell of RoCEv2
    never: bool = False  # it takes no RoCEv2 by something else that it asks for

    def takes(self, dscp: int | None) -> bool | None:
        """Whether it takes RoCEv2 with a DSCP; None as DSCP: whichever RDMA has."""
        answers = [
            not self.never,
            self.protocols is None or "udp" in self.protocols,
            self.targets is None or any(ROCE_PORT in part for part in self.targets),
            _covers_sources(self.sources),
            True if self.dscps is None else None if dscp is None else dscp in self.dscps,
            None if self.other else True,
        ]
        return False if False in answers else None if None in answers else True


class FilterEffect(NamedTuple):
    """What an entry does. `value`: of what sorts, the class; of what marks, the DSCP; what is not known, as written."""

    kind: str
    value: str | int | None = None
    at: Span | None = None  # of what is not known


class Entry(NamedTuple):
    """A rule, a term, a match of a policy."""

    at: Span
    name: str
    match: Match
    effects: tuple[FilterEffect, ...]
    ends: bool  # later ones are not asked for what it takes


class BoundFilter(NamedTuple):
    """A filter where it is bound. `ports`: (): those of an interface whose ports the text does not tell."""

    name: str  # `filter RDMA`
    at: Span  # of the line that binds it
    way: str  # in | out
    ports: tuple[str, ...]
    entries: tuple[Entry, ...]
    drops_rest: bool  # what no entry takes is dropped
    unsure: str = ""  # why nothing can be said for sure


class RdmaClasses(NamedTuple):
    """What is lossless on a port. `is_lossless`: whether a class of an effect is, None: not known."""

    dscps: tuple[int, ...]
    is_lossless: Callable[[str | int], bool | None]


def parse_ports(words: Iterable[str]) -> tuple[range, ...] | None:
    """Ports as they are written, `4791` or `4000-5000`; None where one is not a number. Names are no port of RoCEv2."""
    out = []
    for word in words:
        low, _, high = word.partition("-")
        if is_number(low, 5) and is_number(high or low, 5):
            out.append(range(int(low), int(high or low) + 1))
        elif is_number(low, 5) or is_number(high, 5):
            return None
    return tuple(out)


def is_no_unicast(text: str) -> bool:
    """Whether a destination, MAC or IP, is one of multicast or broadcast: RoCEv2 goes from host to host."""
    address, _, length = text.lower().partition("/")
    if _MAC.fullmatch(address):
        return int(address[:2], 16) % 2 == 1 and (not is_number(length) or int(length) >= 8)
    if ":" in address:
        return address.startswith("ff") and (not is_number(length) or int(length) >= 8)
    head = address.partition(".")[0]
    return is_number(head, 3) and int(head) >= _MULTICAST and (not is_number(length) or int(length) >= 4)


class FoundFilter(NamedTuple):
    """A filter on ports, what is lossless on some of these, and its text."""

    bound: BoundFilter
    classes: RdmaClasses
    text: str


def check_filters(found: Iterable[FoundFilter]) -> Iterator[Problem]:
    """What filters do to RoCEv2 that is lossless on their ports; and where that is not known."""
    for each in found:
        yield from _find_odd_actions(each.bound, each.classes)
        yield from _check_filter(each.bound, each.classes)


def _find_odd_actions(bound: BoundFilter, classes: RdmaClasses) -> Iterator[Problem]:
    """Actions that are none known here: they may do anything to RoCEv2 that crosses the ports."""
    for entry in bound.entries if bound.ports or classes.dscps else ():
        for effect in entry.effects:
            if effect.kind == ODD:
                what = f"{bound.name[:80]}: {entry.name[:80]}: {str(effect.value)[:60]!r}"
                words = f"{what} is not known here: it may drop, sort or mark RoCEv2; not checked"
                fix = f"check what it does to UDP port {ROCE_PORT}"
                yield Problem("device-second-way", effect.at or entry.at, words, fix)


def list_unread_filters(found: Iterable[FoundFilter]) -> Iterator[Unread]:
    """Filters that may touch RoCEv2, or that sort what comes in: no intent states them."""
    for each in found:
        yield from _list_unread(*each)


def _check_filter(bound: BoundFilter, classes: RdmaClasses) -> Iterator[Problem]:
    """What a filter does to RoCEv2 that is lossless on its ports; and where that is not known."""
    if not classes.dscps:
        return
    found: dict[tuple[Span, FilterEffect], tuple[Entry | None, list[int], list[bool]]] = {}
    for dscp in classes.dscps:
        for entry, effect, sure in _list_effects(bound, dscp):
            at = bound.at if entry is None else entry.at
            _, dscps, known = found.setdefault((at, effect), (entry, [], []))
            dscps.append(dscp)
            known.append(sure)
    told: set[str] = set()
    for (at, effect), (entry, dscps, known) in found.items():
        harm = _describe_harm(effect, dscps, classes)
        if harm is None or effect.kind in told:
            continue
        told.add(effect.kind)
        where = f" on {fold(bound.ports)}" if bound.ports else ""
        what = f"{bound.name[:80]}: {entry.name[:80]}" if entry is not None else f"{bound.name[:80]}"
        related = ((bound.at, "where it is bound"),) if at != bound.at else ()
        if all(known) and harm[1]:
            wording = f"{what} {harm[0]}"
            yield Problem("mix-rdma-acl", at, f"{wording}{where}: {harm[1]}", harm[2], related, severity="error")
        else:
            why = bound.unsure or (entry.match.other if entry is not None else "") or "what it says"
            wording = f"{what} {_say_may(harm[0])}{where}: that depends on {why}, not checked"
            yield Problem("device-unread", at, wording, "", related)


def _say_may(does: str) -> str:
    """`may drop RoCEv2` of `drops RoCEv2`."""
    verb, _, rest = does.partition(" ")
    return f"may {verb.removesuffix('s')} {rest}"


def _describe_harm(effect: FilterEffect, dscps: Sequence[int], classes: RdmaClasses) -> tuple[str, str, str] | None:
    """What is done to RoCEv2, what follows (empty: not known), and the fix; None where it does no harm."""
    roce = f"RoCEv2 (UDP {ROCE_PORT}, DSCP {ranges(dscps)})"
    if effect.kind == DROPS:
        fix = f"permit UDP port {ROCE_PORT} before it, or remove the filter from the ports with RDMA"
        return f"drops {roce}", "PFC protects nothing there", fix
    if effect.kind == POLICES:
        return (
            f"polices {roce}",
            ("packets above the rate are dropped before PFC pauses the sender"),
            "exclude RDMA from it",
        )
    if effect.kind == SORTS and effect.value is not None:
        lossless = classes.is_lossless(effect.value)
        if lossless:
            return None
        follows = "" if lossless is None else "which is not lossless here: congestion drops it, despite the maps"
        return f"puts {roce} into class {effect.value}", follows, "put it into the lossless class, or exclude it"
    if effect.kind == MARKS and effect.value not in classes.dscps:
        known = isinstance(effect.value, int)
        follows = "which is not a DSCP of RDMA: the next switch drops it under congestion" if known else ""
        written = f"DSCP {effect.value}" if known else "another DSCP"
        return f"writes {written} into {roce}", follows, "exclude RDMA from it"
    if effect.kind == DIVERTS:
        return f"diverts {roce}", "", ""
    if effect.kind == COLOURS:
        return f"gives {roce} another loss priority, so it may be marked or dropped differently", "", ""
    return None


def _list_effects(bound: BoundFilter, dscp: int | None) -> Iterator[tuple[Entry | None, FilterEffect, bool]]:
    """What happens to RoCEv2 with a DSCP, by which entry, and whether that is sure."""
    sure = not bound.unsure
    for entry in bound.entries:
        takes = entry.match.takes(dscp)
        if takes is False:
            continue
        yield from ((entry, effect, sure and takes is True) for effect in entry.effects)
        if entry.ends:
            if takes:
                return
            sure = False  # what follows hangs on whether this one took it
    if bound.drops_rest:
        yield None, FilterEffect(DROPS), sure


def _list_unread(bound: BoundFilter, classes: RdmaClasses, text: str) -> Iterator[Unread]:
    """A filter that may touch RoCEv2, or that sorts what comes in: what it does is no setting that is compared."""
    sorting = any(effect.kind in (SORTS, MARKS, COLOURS, ODD) for entry in bound.entries for effect in entry.effects)
    touched = [one for dscp in classes.dscps or (None,) for one in _list_effects(bound, dscp)]
    if not (touched or sorting):
        return
    does = (
        ("classifies packets before the maps do") if sorting else "drops, polices or diverts packets before the maps do"
    )
    message = f"{bound.name[:80]} {does}: its effect is not compared with the intent"
    if sorting:
        if bound.ports:
            yield Unread(bound.at, message, ("trust", "pfc", "ecn"), bound.ports, None, text)
        yield Unread(bound.at, message, ("dscp", "pcp", "remarks"), (), None, text)
    else:
        yield Unread(bound.at, message, (), bound.ports, None, text)


def _covers_sources(parts: tuple[range, ...] | None) -> bool | None:
    """Whether all, some or none of RoCEv2's source ports are intended."""
    if parts is None or any(part.start <= SOURCE_PORTS.start and part.stop >= SOURCE_PORTS.stop for part in parts):
        return True
    return None if any(part.start < SOURCE_PORTS.stop and part.stop > SOURCE_PORTS.start for part in parts) else False


def find_rdma(ports: Iterable[Port], usual: Chain) -> RdmaClasses:
    """What is lossless on some of these ports. `usual`: how most ports of the switch sort."""
    dscps: set[int] = set()
    paused: set[int] = set()
    for port in ports:
        chain = port.chain or usual
        own = {tc for tc, priority in enumerate(chain.priority) if priority.value in port.pfc}
        paused |= own
        dscps |= {dscp for dscp, tc in enumerate(chain.dscp) if tc.value in own}
    return RdmaClasses(tuple(sorted(dscps)), lambda tc: tc in paused if isinstance(tc, int) else None)
