"""Cables as they are intended against cables as others see them: swapped, miswired, missing, and not meant at all.

Hosts call their ports otherwise than an intent does (enp26s0f0np0 for nic0). Which is which follows from all hosts
together: what most cables of a name lead to is what it stands for, and a host that differs from that is miswired.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from rocecfg.analysis.ports import list_wires
from rocecfg.analysis.rails import cabled_nics
from rocecfg.cabling import CONTRADICTORY, CableEnd, Cabling, MergedCable
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.model import Fabric, Link, Span

SWAPPED, MISWIRED, MISSING, UNEXPECTED, LENGTH, UNSEEN = (
    "swapped", "miswired", "missing", "unexpected", "length", "not-seen",
)  # fmt: skip
_SAME = 0.05  # of a length: inventories round


class Wire(NamedTuple):
    """A cable that is intended."""

    near: CableEnd
    far: CableEnd
    metres: float | None
    at: Span


class CableFinding(NamedTuple):
    """What is not as intended at a port."""

    kind: str
    port: CableEnd
    meant: CableEnd | None  # what it is to lead to
    seen: CableEnd | None  # what it leads to
    note: str  # rails, lengths, the other half of a swap
    meant_at: Span | None
    seen_at: tuple[int, int] | None  # document and offset


class ComparedCables(NamedTuple):
    """The outcome."""

    findings: list[CableFinding]
    meant: int  # cables that are meant
    same: int  # of these, seen as they are meant
    unseen: list[Wire]  # of which nothing is known: no end of them reports


def compare_cables(fabric: Fabric, found: Cabling) -> ComparedCables:
    """The cables of a fabric against what is seen of them."""
    return _Comparison(fabric, found).run()


class _Comparison:
    def __init__(self, fabric: Fabric, found: Cabling) -> None:
        self.switches = {name for device in fabric.devices for name in device.names}
        self.meant = [_orient_wire(self.switches, *wire) for wire in list_wires(fabric.links)]
        self.to = {wire.near: wire for wire in self.meant}
        self.to |= {wire.far: wire._replace(near=wire.far, far=wire.near) for wire in self.meant}
        named = {end.device for end in self.to} | self.switches
        cables = [cable for cable in found.cables if cable.a.device in named or cable.b.device in named]
        self.seen_as = _match_host_port_names(self._vote_on_port_names(cables), self.to)
        self.seen: dict[CableEnd, tuple[CableEnd, MergedCable]] = {}
        for cable in cables:
            a, b = self._name_as_intent(cable.a), self._name_as_intent(cable.b)
            self.seen |= {a: (b, cable), b: (a, cable)}
        self.reporting = {end.device for end in self.seen}
        self.doubtful = {note.a for note in found.notes if note.kind != CONTRADICTORY} & self.to.keys()
        self.rails = {(nic.host, nic.port): nic.rail for of in cabled_nics(fabric).values() for nic in of}

    def _vote_on_port_names(self, cables: Iterable[MergedCable]) -> Iterator[tuple[CableEnd, str]]:
        """What a host's port is called, and the port that is intended where its cable leads to."""
        for cable in cables:
            for near, far in ((cable.a, cable.b), (cable.b, cable.a)):
                wire = self.to.get(near)
                if wire is not None and wire.far.device == far.device and far.device not in self.switches:
                    yield far, wire.far.port

    def _name_as_intent(self, end: CableEnd) -> CableEnd:
        return end if end in self.to else end._replace(port=self.seen_as.get(end.port, end.port))

    def run(self) -> ComparedCables:
        findings: list[CableFinding] = []
        unseen: list[Wire] = []
        same = 0
        reported: set[CableEnd] = set()
        for wire in self.meant:
            here, there = self.seen.get(wire.near), self.seen.get(wire.far)
            if here is not None and self._is_as_meant(wire, here[0]):
                same += 1
                findings += self._compare_length(wire, here[1])
            elif here is None and there is None:
                if self._is_silent(wire):
                    unseen.append(wire)
                else:
                    findings.append(CableFinding(MISSING, wire.near, wire.far, None, "", wire.at, None))
            else:
                findings += self._find_miswired(wire, reported)
        findings += self._find_unexpected(reported)
        return ComparedCables(findings, len(self.meant), same, unseen)

    def _is_as_meant(self, wire: Wire, seen: CableEnd) -> bool:
        """Whether a port is what is intended; of a host whose ports go by other names, the host."""
        if seen == wire.far:
            return True
        host = wire.far.device not in self.switches
        return host and seen.device == wire.far.device and seen not in self.to and wire.far not in self.seen

    def _is_silent(self, wire: Wire) -> bool:
        """Whether nobody would see the cable: a host that reports nowhere, a port whose neighbours are in doubt."""
        if wire.near in self.doubtful or wire.far in self.doubtful:
            return True
        return any(end.device not in self.reporting for end in (wire.near, wire.far))

    def _find_miswired(self, wire: Wire, reported: set[CableEnd]) -> Iterator[CableFinding]:
        for end in (wire.near, wire.far):
            meant, found = self.to[end].far, self.seen.get(end)
            if found is None or end in reported:
                continue
            seen, cable = found
            if self._is_as_meant(self.to[end], seen):
                continue
            reported.add(end)
            other = self.to.get(seen)
            swapped = other is not None and self._leads_to(other.far, meant)
            if swapped and other is not None:
                reported |= {meant, seen, other.far}
                note = f"and {other.far} connects to {meant}{self._describe_crossed_rails(end, other.far)}"
            else:
                reported.add(seen)
                note = self._describe_misplaced_rail(end, seen)
            yield CableFinding(
                SWAPPED if swapped else MISWIRED, end, meant, seen, note, wire.at, (cable.document, cable.at)
            )

    def _leads_to(self, port: CableEnd, to: CableEnd) -> bool:
        found = self.seen.get(port)
        return found is not None and found[0] == to

    def _describe_crossed_rails(self, a: CableEnd, b: CableEnd) -> str:
        rails = sorted({rail for end in (a, b) if (rail := self._find_rail(end)) is not None})
        return f": rails {' and '.join(map(str, rails))} are crossed" if len(rails) > 1 else ""

    def _describe_misplaced_rail(self, end: CableEnd, seen: CableEnd) -> str:
        """The rails that a cable joins: that of the NIC, and that of those whose place it takes."""
        nic = self._find_rail(end)
        place = next((rail for of in (seen, self.to.get(seen)) if (rail := self._find_rail_at(of)) is not None), None)
        if nic is not None and place is not None and nic != place:
            return f"rail {nic} in place of rail {place}"
        return ""

    def _find_rail_at(self, of: CableEnd | Wire | None) -> int | None:
        return self._find_rail(of.far if isinstance(of, Wire) else of) if of is not None else None

    def _find_rail(self, end: CableEnd) -> int | None:
        """The rail of a NIC, or of the NIC that is intended at a switch port."""
        wire = self.to.get(end)
        own = self.rails.get((end.device, end.port))
        return own if own is not None or wire is None else self.rails.get((wire.far.device, wire.far.port))

    def _compare_length(self, wire: Wire, cable: MergedCable) -> Iterator[CableFinding]:
        if wire.metres is None or cable.metres is None or abs(wire.metres - cable.metres) <= _SAME * wire.metres:
            return
        note = (
            f"intended {show_number(wire.metres)} m, recorded {show_number(cable.metres)} m: headroom is sized for it"
        )
        yield CableFinding(LENGTH, wire.near, wire.far, wire.far, note, wire.at, (cable.document, cable.at))

    def _find_unexpected(self, reported: set[CableEnd]) -> Iterator[CableFinding]:
        """Cables at ports of the fabric that no link names."""
        for end, (far, cable) in self.seen.items():
            pair = {end, far}
            if end.device in self.switches and not pair & reported and not pair & self.to.keys():
                reported |= pair
                yield CableFinding(UNEXPECTED, end, None, far, "", None, (cable.document, cable.at))


def _orient_wire(switches: set[str], a: str, a_port: str, b: str, b_port: str, link: Link) -> Wire:
    """A cable from its switch's end, or as it is written."""
    near, far = CableEnd(a, a_port), CableEnd(b, b_port)
    if a not in switches and b in switches:
        near, far = far, near
    return Wire(near, far, link.cable, link.a_at)


def _match_host_port_names(votes: Iterable[tuple[CableEnd, str]], meant: Mapping[CableEnd, Wire]) -> dict[str, str]:
    """What hosts call a port -> what the intent calls it: where most cables agree, and one to one."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for seen, port in votes:
        if seen not in meant:
            counted[seen.port][port] += 1
    out: dict[str, str] = {}
    taken: dict[str, str] = {}
    for name, ports in sorted(counted.items(), key=lambda of: -of[1].most_common(1)[0][1]):
        port, count = ports.most_common(1)[0]
        if 2 * count > ports.total() and port not in taken:
            out[name] = taken[port] = port
    return out
