"""What is known of the buffer on each kind of port: thresholds and sizes in bytes, each with where it came from.

Kinds are ports of one chip whose figures are all the same, whatever they face and on whatever switches they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import Computed, Device, Ecn, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.report.html.words import shorten_names
from rocecfg.rules.marking import MarkingBounds, MarkingPort, marking_bounds

MOST = 40  # kinds that are drawn
_EGRESS, _INGRESS, _LIMIT = "egress", "ingress", "limit"


class BufferMark(NamedTuple):
    """A threshold or a size on a kind of port."""

    name: str
    what: str  # it means, in a few words
    size: float  # bytes
    exact: bool  # False: a bound that is worked out, rounded where it is shown
    lane: str  # egress: of a queue; ingress: of a priority group; limit: what they must keep to, or share
    origin: Origin
    cell: int | None = None  # bytes of the chip's cell; None: unknown
    places: int = 1  # that it came from: equal ports may be written in several

    @property
    def cells(self) -> str:
        """How many cells it takes: buffers are held in whole ones."""
        if self.cell is None or not self.exact:
            return ""
        return f"{show_number(round(self.size / self.cell, 2))} x {show_size(self.cell)}"


class Buffer(NamedTuple):
    """A kind of port, for classes that have the same figures there."""

    cls: str  # the classes that it is alike for
    title: str  # speeds, what is at the other end, cables; and the chip
    chip: str  # empty: unknown
    where: tuple[str, ...]  # the ports, on which switches
    ports: int
    ecn: Ecn | None
    marks: tuple[BufferMark, ...]  # ascending
    alpha: tuple[float, Origin] | None
    missing: tuple[str, ...]  # what is not known, or not so, and why


def list_buffers(fabric: Fabric) -> list[Buffer]:
    """Each kind of port that a class with PFC or ECN crosses, in the order of the fabric."""
    found: dict[object, list[_Member]] = {}
    for device in fabric.devices:
        for port in device.ports:
            for cls in device.classes_on(port):
                if _is_lossless(cls, port) or isinstance(cls.ecn_at(port.speed), Ecn):
                    member = _make_member(device, port, cls)
                    found.setdefault(member.shown, []).append(member)
    return [_make_buffer(alike) for alike in found.values()]


class _Member(NamedTuple):
    """Ports and a class, with what is known of them."""

    device: Device
    port: PortGroup
    cls: TrafficClass
    ecn: Ecn | None
    marks: tuple[BufferMark, ...]
    alpha: float | None  # where it is of use
    missing: tuple[str, ...]

    @property
    def shown(self) -> object:
        """All that is drawn or said, places aside."""
        marks = tuple((m.name, m.what, m.size, m.exact, m.lane, m.cell) for m in self.marks)
        return _name_chip(self.device), self.ecn, marks, self.alpha, self.missing


def _make_member(device: Device, port: PortGroup, cls: TrafficClass) -> _Member:
    kind, curve = _make_kind(device, port, cls), cls.ecn_at(port.speed)
    ecn = curve if isinstance(curve, Ecn) else None
    alpha = port.alpha if kind.lossless else None
    return _Member(
        device, port, cls, ecn, tuple(_list_marks(kind, cls, ecn)), alpha, tuple(_list_missing(kind, cls, ecn))
    )


def _name_chip(device: Device) -> str:
    return device.asic.title if device.asic is not None else ""


def _is_lossless(cls: TrafficClass, port: PortGroup) -> bool:
    return cls.lossless and cls.priority in port.pfc


def _find_static_limit(port: PortGroup, cls: TrafficClass) -> int | None:
    groups = port.running.groups if port.running is not None else ()
    return next((g.pauses_at for g in groups if g.number == cls.pg and g.pauses_at is not None), None)


def _make_buffer(alike: list[_Member]) -> Buffer:
    first = alike[0]
    chip = _name_chip(first.device)
    places = [len({one.marks[n].origin for one in alike}) for n in range(len(first.marks))]
    marks = [mark._replace(places=count) for mark, count in zip(first.marks, places, strict=True)]
    where: dict[str, list[str]] = {}
    count = 0
    for other, ports in {(id(one.device), one.port.key): (one.device, one.port) for one in alike}.values():
        count += len(other.names) * len(ports.names)
        where.setdefault(ports.key or "every port", []).extend(other.names)
    titles = "; ".join(dict.fromkeys(_make_title(one.port) for one in alike))
    return Buffer(
        ", ".join(dict.fromkeys(one.cls.name for one in alike)),
        ", ".join(filter(None, (titles, chip))),
        chip,
        tuple(f"{key} of {shorten_names(own) if own else 'every device'}" for key, own in where.items()),
        count,
        first.ecn,
        tuple(sorted(marks, key=lambda mark: mark.size)),
        (first.alpha, first.port.at("alpha")) if first.alpha is not None else None,
        first.missing,
    )


def _make_title(port: PortGroup) -> str:
    speed = show_rate(port.speed) if port.speed else "ports of unknown speed"
    facing = f" to {port.faces}" if port.faces else ""
    cable = f", {show_number(port.cable)} m cable" if port.cable is not None else ""
    return f"{speed}{facing}{cable}"


def _make_kind(device: Device, port: PortGroup, cls: TrafficClass) -> MarkingPort:
    sharing = sum(len(p.names) for p in device.ports if p.pfc)
    return MarkingPort(device, port, port.speed, sharing or None, _is_lossless(cls, port))


def _list_marks(kind: MarkingPort, cls: TrafficClass, ecn: Ecn | None) -> list[BufferMark]:
    """In an order that equal ports share."""
    device = kind.device
    marks = [
        *_list_egress_marks(ecn),
        *_list_ingress_marks(kind.port, cls, kind.lossless),
        *_list_limit_marks(kind, marking_bounds(kind)),
    ]
    pool = device.pools
    if kind.lossless and pool.lossless is not None and not kind.deep:
        marks.append(
            BufferMark(
                "pool B", "lossless groups share", pool.lossless, exact=True, lane=_LIMIT, origin=pool.at("lossless")
            )
        )
    cell = device.asic.cell if device.asic is not None else None
    return [mark._replace(cell=cell) for mark in marks]


def _list_egress_marks(ecn: Ecn | None) -> Iterator[BufferMark]:
    if ecn is not None:
        yield BufferMark("kmin", "ECN starts to mark", ecn.kmin, exact=True, lane=_EGRESS, origin=ecn.at("kmin"))
        pmax = show_number(ecn.pmax)
        what = f"marked with {pmax}% below, all above"
        yield BufferMark("kmax", what, ecn.kmax, exact=True, lane=_EGRESS, origin=ecn.at("kmax"))


def _list_ingress_marks(port: PortGroup, cls: TrafficClass, lossless: bool) -> Iterator[BufferMark]:
    if not lossless:
        return
    static = _find_static_limit(port, cls)
    if static is not None and port.running is not None:
        group = next(g for g in port.running.groups if g.number == cls.pg and g.pauses_at is not None)
        yield BufferMark(
            "static", "a priority group pauses", static, exact=True, lane=_INGRESS, origin=group.at("static")
        )
    room = port.room
    if room is None:
        return
    name, what = (
        ("headroom", "of one priority group") if room.xoff is None else ("size", "reserved for one priority group")
    )
    yield BufferMark(name, what, room.size, exact=True, lane=_INGRESS, origin=room.at("size"))
    for name, what in (("xoff", "headroom: taken after a pause"), ("xon", "sends again below")):
        size = getattr(room, name)
        if size is not None:
            yield BufferMark(name, what, size, exact=True, lane=_INGRESS, origin=room.at(name, "size"))


def _list_limit_marks(kind: MarkingPort, limits: MarkingBounds | None) -> Iterator[BufferMark]:
    """What one queue may take, and where pauses come first; sources as in `rocecfg.physics.ecn`."""
    if limits is None:
        return
    numbers = f"alpha {show_number(limits.alpha)}, B {show_size(limits.pool)}"
    n = kind.ports
    for name, what, size, formula in (
        ("alone", "one queue may take", limits.hard, "alpha B/(1 + alpha)"),
        ("all ports", f"each of {n} queues may take", limits.kmax, "alpha B/(1 + n alpha)"),
        ("one to all", f"one port feeds {n} queues", limits.kmin, "alpha B/(n (1 + alpha))"),
    ):
        if size is not None:
            working = f"{formula}, {numbers}" + (f", n {n}" if "n " in formula else "")
            yield BufferMark(
                name, what, size, exact=False, lane=_LIMIT, origin=Computed(working)
            )  # alpha and B have rows of their own


def _list_missing(kind: MarkingPort, cls: TrafficClass, ecn: Ecn | None) -> Iterator[str]:
    port, device = kind.port, kind.device
    if ecn is None:
        yield (
            "ECN is off: nothing is marked before a pause"
            if cls.ecn is None
            else "ECN is auto, but the speed of these ports is unknown"
        )
    if not kind.lossless:
        yield "the class is lossy here: no pauses, no headroom"
        return
    if port.room is None:
        yield "headroom: the switch computes it, value unknown"
    elif port.room.xoff is None:
        yield "xoff and xon are unknown, only the headroom's size is known"
    if kind.deep:
        yield "the chip queues in external memory: alpha and pool do not limit a queue"
    else:
        groups = port.running.groups if port.running is not None else ()
        if port.alpha is None and all(g.static is None for g in groups if g.number == cls.pg):
            yield "alpha is unknown"
        if device.pools.lossless is None:
            yield "the size of the lossless pool is unknown"
