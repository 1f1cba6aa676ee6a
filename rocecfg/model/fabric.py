"""Fabric, devices, port groups and traffic classes: frozen, slotted, every value with its origin."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

from rocecfg.core.records import NamedTuple
from rocecfg.model.frozen import dataclass, field, shown
from rocecfg.model.origin import Default, Origin, Span
from rocecfg.model.traffic import is_known_kind

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from typing import Any, Literal, TypeVar

    from rocecfg.core.units import Percent
    from rocecfg.model.facts import Asic, Box, Family, Nos, Platform, Workload
    from rocecfg.model.running import Running, RunningPort

    T = TypeVar("T")

AUTO: Literal["auto"] = "auto"
ALL_COLORS = ("green", "yellow", "red")
UP_DOWN = "up-down"
ALGORITHMS = (UP_DOWN, "shortest", "minimal", "non-minimal", "dimension-order")  # of routing, whose turns are known
HASH_FIELDS = ("src-ip", "dst-ip", "protocol", "src-port", "dst-port", "ingress-port", "flow-label", "dest-qp")
REORDERING = ("adaptive", "spray")  # modes by which packets of a flow overtake each other
_NOWHERE = Default("not stated")


class WithOrigins:
    """`at(field)` for everything below: where that field's value came from."""

    __slots__ = ()
    origins: Mapping[str, Origin]
    __repr__ = shown

    def at(self, *fields: str) -> Origin:
        """The origin of the first of these fields that has one; `""` is the element itself."""
        for name in fields:
            found = self.origins.get(name)
            if found is not None:
                return found
        return self.origins.get("", _NOWHERE)


@dataclass(frozen=True, slots=True)
class Ecn(WithOrigins):
    """Marking curve of a queue: 0 up to kmin, rising to pmax at kmax, then everything. Thresholds in bytes."""

    kmin: int
    kmax: int
    pmax: float  # percent, 0..100
    weight: int = 0  # averaging exponent 0..15; 0 marks on the instantaneous queue
    colors: tuple[str, ...] = ALL_COLORS
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EcnPercent(WithOrigins):
    """Marking curve of a queue whose thresholds are shares of the queue's buffer, which nobody states in bytes."""

    kmin: Percent
    kmax: Percent
    pmax: float  # percent, 0..100
    weight: int = 0
    colors: tuple[str, ...] = ALL_COLORS
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Watchdog(WithOrigins):
    """PFC watchdog timers in ms. `vendor_default` leaves all of it to the NOS; then the timers are None."""

    detection: float | None
    restoration: float | None
    poll: float | None
    action: str | None  # drop | forward | alert | errdisable; None: the NOS's own
    priorities: tuple[int, ...] | None = None  # watched; None: every lossless priority of the port
    vendor_default: bool = False
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Headroom(WithOrigins):
    """Headroom a lossless priority group gets. Bytes; None where only `size` was given."""

    size: int
    xon: int | None = None
    xoff: int | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Buffers(WithOrigins):
    """Buffer model of a device. Sizes in bytes, pools in percent; None: not stated."""

    model: str | None = None  # dynamic | traditional
    template: str | None = None
    alpha: float | None = None  # share of the free pool that one priority group may take
    lossless_pool: float | None = None  # percent of the buffer
    lossy_pool: float | None = None
    shared_headroom: int | None = None  # bytes; 0: off
    private_headroom: int | None = None  # bytes that each lossless priority group keeps for itself
    queue_limit: int | None = None  # bytes that one lossless queue can hold, where its buffer is dedicated or static
    oversubscribe: float | None = None
    lossless_mtu: int | None = None  # bytes of one lossless packet
    small_packets: float | None = None  # percent of small packets assumed
    response: str | None = None  # legacy | 802.3
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pools(WithOrigins):
    """The buffer of a device as its priority groups see it. Bytes; None: unknown."""

    total: int | None = None  # what the operating system can hand out
    lossless: int | None = None  # shared pool that lossless priority groups draw from
    shared_headroom: int | None = None  # pool that headroom is drawn from; 0: each priority group has its own
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LoadBalancing(WithOrigins):
    """How traffic is spread over paths of equal cost."""

    mode: str | None = None  # ecmp | flowlet | adaptive | spray; None: not stated
    hash: tuple[str, ...] = ()  # of HASH_FIELDS, in that order; (): not stated
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Trimming(WithOrigins):
    """What becomes of packets that find no room: their head is sent on in a queue of its own."""

    size: int  # bytes that are kept
    dscp: int  # that trimmed packets are sent with
    queue: int | None = None  # that they leave by; None: the one that their DSCP leads to
    classes: tuple[str, ...] = ()  # whose packets are trimmed; (): not stated
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TrafficClass(WithOrigins):
    """A traffic class as one device treats it."""

    name: str
    carries: tuple[str, ...]
    dscps: tuple[int, ...]  # ascending, `rest` worked out
    rest: bool  # takes the code points that nobody claims
    priority: int  # PFC priority and 802.1p value
    tc: int
    queue: int
    pg: int
    lossless: bool
    strict: bool
    bandwidth: float | None  # percent among the non-strict classes; None when strict or not stated
    ecn: Ecn | EcnPercent | Literal["auto"] | None  # None: no marking; auto: only where the ports' speed is not known
    ecn_by_speed: tuple[tuple[int, Ecn | EcnPercent], ...] = ()  # (bit/s, curve), ascending; `auto` worked out
    profiled: bool = False  # its curves were found by measuring this fabric
    max_rate: int | None = None  # bit/s
    max_percent: float | None = None
    guaranteed_rate: int | None = None  # bit/s
    guaranteed_percent: float | None = None
    marks: tuple[int, ...] = ()  # the DSCPs that senders really use; (): not stated
    networks: tuple[str, ...] = ()
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    @property
    def claim(self) -> tuple[bool, int, int, int, str]:
        """Orders classes that want different things of one number: the first decides, wherever it is written."""
        return not self.lossless, self.tc, self.queue, self.pg, self.name

    @property
    def numbers(self) -> tuple[tuple[str, int], ...]:
        """The numbers that no other class should have, each with what it is one of."""
        return ("priority", self.priority), ("tc", self.tc), ("queue", self.queue)

    @property
    def unknown_kinds(self) -> tuple[str, ...]:
        """The words for what it carries that rules do not know: any of them may stand for anything."""
        return tuple(kind for kind in self.carries if not is_known_kind(kind))

    @property
    def may_carry_rdma(self) -> bool:
        """Whether it carries RDMA, or it is not known that it does not. Ask this before concluding "no RDMA"."""
        return "rdma" in self.carries or not self.carries or bool(self.unknown_kinds)

    def ecn_at(self, speed: int | None) -> Ecn | EcnPercent | Literal["auto"] | None:
        """The marking curve on a port of `speed` bit/s: the one of `by_speed` where it names it."""
        for known, curve in self.ecn_by_speed:
            if known == speed:
                return curve
        return self.ecn


@dataclass(frozen=True, slots=True)
class QosMaps(WithOrigins):
    """The chain DSCP -> TC -> queue and priority group, and PFC priority -> queue and priority group.

    None: unmapped, the chip's own default applies. From an intent the last four are total.
    """

    dscp_to_tc: tuple[int | None, ...]  # 64
    tc_to_queue: tuple[int | None, ...]  # 8
    tc_to_pg: tuple[int | None, ...]  # 8
    pfc_to_queue: tuple[int | None, ...]  # 8
    pfc_to_pg: tuple[int | None, ...]  # 8
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PortGroup(WithOrigins):
    """Ports of one device with equal settings."""

    names: tuple[str, ...] = field(compare=False)  # in written order; () where `implied`
    key: str = field(compare=False)  # the node set as written
    classes: tuple[str, ...]  # names of the device's classes that cross these ports
    pfc: tuple[int, ...]  # priorities with PFC on, ascending
    speed: int | None = None  # bit/s
    faces: str | None = None  # host | storage | switch | management | edge; None: unknown
    cable: float | None = None  # metres
    mtu: int | None = None  # IP MTU, bytes
    watchdog: Watchdog | None = None
    headroom: Headroom | Literal["auto"] | None = None  # as stated
    room: Headroom | None = None  # what a lossless priority group gets: as stated, listed or computed; None: unknown
    alpha: float | None = None  # share of the free pool that a lossless priority group may take; None: unknown
    trust: str = "dscp"  # dscp | pcp | none
    flowcontrol: str = "off"  # 802.3x: off | rx | tx | on
    fec: str | None = None
    autoneg: str | None = None  # on | off; None: not stated
    layer: int | None = None  # 2 | 3
    lag: str | None = None
    rail: int | None = field(default=None, compare=False)  # as stated
    macsec: str | None = None  # how PFC frames go: clear | encrypted | unstated; None: no MACsec
    implied: bool = False  # stands for "every port" where the intent names none
    overrides: tuple[TrafficClass, ...] = ()  # classes that differ on these ports
    maps: QosMaps | None = None  # how packets are sorted here; None: classes have the numbers of the device's
    running: RunningPort | None = None  # what a device's own configuration says besides; None: from an intent
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    @property
    def inside(self) -> bool:
        """Whether it leads to no cage: to another chip of the box, to a DPU, or back into its own chip."""
        return self.running is not None and self.running.role is not None

    @property
    def negotiates(self) -> bool:
        """Whether the two ends choose the speed of the link, whatever `speed` is."""
        return self.running is not None and self.running.offers is not None

    @property
    def fastest(self) -> int | None:
        """The speed that its link may come up with, at most: what autonegotiation offers, where it is on. bit/s."""
        offered = self.running.fastest if self.running is not None else None
        return self.speed if offered is None else offered


@dataclass(frozen=True, slots=True)
class Device(WithOrigins):
    """Switches with equal settings, and what they must do. A policy without devices is one with no names."""

    names: tuple[str, ...] = field(compare=False)  # in written order; (): a policy, "every device"
    key: str = field(compare=False)  # the node set as written
    vendor: str | None  # of its system, as an intent has it; None: not stated
    role: str | None
    classes: tuple[TrafficClass, ...]
    maps: QosMaps
    ports: tuple[PortGroup, ...]
    mtu: int | None = None  # IP MTU, bytes
    version: str | None = None  # NOS release as written
    assumed: str | None = None  # the release to assume where none is stated; None: nor is the system
    platform: Platform | None = None
    asic: Asic | None = None
    box: Box | None = None  # the platform as this device's NOS sees it
    nos: Nos | None = None
    hwsku: str | None = None
    family: str | None = None  # the NOS's word for the chip family (strata, sand)
    unheld: tuple[str, ...] = ()  # profiles whose facts do not hold in its release, so that nothing rests on them
    buffers: Buffers = field(default_factory=Buffers)  # as stated
    pools: Pools = field(default_factory=Pools)  # what that, the box and the chip amount to
    load_balancing: LoadBalancing | None = None  # None: nobody states it
    trimming: Trimming | None = None  # None: packets without room are dropped whole, or nobody states it
    switch_type: str | None = None  # npu | voq
    dcbx: str | None = None
    arp_timeout: float | None = None  # ms
    mac_age: float | None = None  # ms
    drop_incomplete_arp: bool | None = None  # whether lossless packets are dropped while their MAC address is not known
    rail: int | None = field(default=None, compare=False)  # as stated
    hostname: str | None = field(default=None, compare=False)  # None: it is the device's name
    running: Running | None = None  # what its own configuration says besides; None: from an intent
    taken_off: tuple[TrafficClass, ...] = ()  # the fabric's classes that it takes off, as the fabric has them
    whole: Device | None = field(default=None, compare=False, repr=False)  # of some ports: the device with all of them
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    def cls(self, name: str) -> TrafficClass:
        """The class of that name; KeyError if the device has none."""
        for found in self.classes:
            if found.name == name:
                return found
        raise KeyError(name)

    def has(self, name: str) -> bool:
        """Whether the device has a class of that name."""
        return any(cls.name == name for cls in self.classes)

    def classes_on(self, port: PortGroup) -> tuple[TrafficClass, ...]:
        """The classes that cross a port, with what differs there."""
        return tuple(c for c in self.all_classes_on(port) if c.name in port.classes)

    def all_classes_on(self, port: PortGroup) -> tuple[TrafficClass, ...]:
        """The classes of the device as a port has them, also those that do not cross it: a scheduler serves all.

        Where a port sorts by maps of its own, one that does not cross it leaves its numbers to those that do.
        """
        if not port.overrides:
            return self.classes
        changed = {c.name: c for c in port.overrides}
        known = tuple(changed.pop(c.name, c) for c in self.classes)
        known = (*known, *changed.values())  # a switch may have classes on some ports alone
        if port.maps is None:
            return known
        taken = {number for c in known if c.name in port.classes for number in c.numbers}
        return tuple(c for c in known if c.name in port.classes or taken.isdisjoint(c.numbers))

    def maps_on(self, port: PortGroup) -> QosMaps:
        """How packets are sorted on a port: by maps of its own, else by the device's."""
        return self.maps if port.maps is None else port.maps

    def off_at(self, name: str) -> tuple[Origin, ...]:
        """Where the device takes that class off; nothing where it does not."""
        stated = self.origins.get(f"classes.{name}")
        return (stated,) if stated is not None else ()

    @property
    def release(self) -> str | None:
        """The release that it is checked and rendered for: as stated, else the assumed one; None: neither is known."""
        return self.version or self.assumed

    @property
    def trim_queue(self) -> int | None:
        """The queue of trimmed packets: as stated, else the one that their DSCP leads to; None: nothing is known."""
        if self.trimming is None:
            return None
        if self.trimming.queue is not None:
            return self.trimming.queue
        tc = self.maps.dscp_to_tc[self.trimming.dscp]
        return None if tc is None else self.maps.tc_to_queue[tc]

    @property
    def rdma(self) -> tuple[TrafficClass, ...]:
        """The classes that carry RDMA."""
        return tuple(c for c in self.classes if "rdma" in c.carries)


class Link(NamedTuple):
    """Links between two equally large sets of ports, paired in written order. Flat, since fabrics have 100,000s."""

    a_device: str  # node sets: devices the outer loop, ports the inner
    a_port: str
    b_device: str
    b_port: str
    cable: float | None  # metres
    doc: int  # where the ends and the cable's length are written
    a_start: int
    a_end: int
    b_start: int
    b_end: int
    cable_start: int
    cable_end: int

    @property
    def a_at(self) -> Span:
        """Where the a end is written."""
        return Span(self.doc, self.a_start, self.a_end)

    @property
    def b_at(self) -> Span:
        """Where the b end is written."""
        return Span(self.doc, self.b_start, self.b_end)

    @property
    def cable_at(self) -> Span:
        """Where the cable's length is written; meaningless without one."""
        return Span(self.doc, self.cable_start, self.cable_end)


class Links(tuple[Link, ...]):  # noqa: SLOT001 - a tuple takes none but empty ones
    """The links of a fabric."""

    single: bool | None = None  # whether each is one cable, so that no name in them is a node set; None: not known


class _WithResults(WithOrigins):
    """What was computed of it is kept with it; a copy and another process begin again."""

    __slots__ = ("_results",)  # no field: `replace` leaves it out
    _results: dict[str, Any]

    def result(self, name: str, work: Callable[[], Any]) -> Any:
        """What is kept under a name; computed when it is first asked for."""
        try:
            results = self._results
        except AttributeError:
            results = self._results = {}
        if name not in results:
            results[name] = work()
        return results[name]

    def forget(self) -> None:
        """Work everything out again when it is asked for."""
        self._results = {}

    def __getstate__(self) -> object:
        state: Any = super().__getstate__()
        return state[0], {name: value for name, value in state[1].items() if name != "_results"}


UNLESS_STATED = {"mode": "lossless", "classification": "explicit", "congestion_control": "dcqcn"}  # of a fabric


@dataclass(frozen=True, slots=True, eq=False)
class Fabric(_WithResults):
    """A whole fabric, resolved."""

    name: str
    devices: Sequence[Device]
    links: Sequence[Link]
    sections: frozenset[str]  # top-level sections that the intent has
    kind: str | None = None  # backend | converged
    mode: str = UNLESS_STATED["mode"]  # lossless | semi-lossless | lossy
    congestion_control: str = UNLESS_STATED["congestion_control"]  # dcqcn | none
    cc_reason: str | None = None
    workload: Workload | None = None
    topology: str | None = None
    classification: str = UNLESS_STATED["classification"]  # explicit | vendor (the vendor's own DSCP map is kept)
    dual_tor: bool = False
    broken: frozenset[str] = frozenset()  # classes with values that could not be read: judged no further
    path_mtu: int | None = None  # RoCE path MTU, bytes, as stated
    ecn_family: Family | None = None  # thresholds that `ecn: auto` scales and others are compared with
    rtt: float | None = None  # base round trip, ms: as stated, or the workload's; None: unknown
    incast: int | None = None  # senders to one receiver: as stated, or the workload's; None: unknown
    nameless: frozenset[str] = frozenset()  # sections with a key that could not be read: what they name is not known
    running: bool = False  # read from the configurations of switches: what classes carry is a guess
    fabric_wide: frozenset[Span] = field(default=frozenset(), compare=False, repr=False)  # where what holds for all
    # devices is written, of whatever system: fabric, classes, pfc, buffers, defaults
    facts: Mapping[str, Any] = field(default_factory=dict)  # what later rules read: rtt, incast, hosts, ...
    copies: Mapping[int, tuple[Device, Device]] = field(default_factory=dict, compare=False, repr=False)  # by identity:
    # a device, and the one that it is equal to because it was made from it
    origins: Mapping[str, Origin] = field(default_factory=dict, compare=False, repr=False)

    def original(self, device: Device) -> Device:
        """The device that one was made from, and is equal to but for names and places; else itself."""
        copy, original = self.copies.get(id(device), (device, device))
        return original if copy is device else device

    def extent(self) -> tuple[int, int]:
        """The number of switches, and of their ports."""
        found = [(len(d.names), len(d.names) * sum(len(p.names) for p in d.ports)) for d in self.devices]
        return sum(count for count, _ in found), sum(ports for _, ports in found)


def kept_with_fabric(work: Callable[[Fabric], T]) -> Callable[[Fabric], T]:
    """A function of a fabric that is computed once for each: its result lives as long as the fabric does."""
    name = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def known(fabric: Fabric) -> T:
        found: T = fabric.result(name, lambda: work(fabric))
        return found

    return known
