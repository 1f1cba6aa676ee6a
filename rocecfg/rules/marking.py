"""What the rules on marking curves ask: which curves a fabric has, the ports each is for, and the bounds there.

One curve may be for ports of many speeds on many kinds of switch. It is checked once, by all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Computed, Device, Ecn, EcnPercent, Fabric, Origin, PortGroup, TrafficClass, kept_with_fabric
from rocecfg.physics import ecn as physics
from rocecfg.rules.amounts import describe_origin
from rocecfg.rules.base import OFF, SEVERITIES, WARNING, Hit
from rocecfg.rules.common import SIGNALS

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic

LONG_RTT = 0.1  # ms
SPREAD = 10  # parts of what a long path holds, one of which a ramp must be long
NO_RAMP = 1.0  # percent; with a pmax below it the curve is flat up to kmax
_PLACEHOLDER = 1.5  # a chip's buffer to a pool that was made for it: of SONiC's traditional templates 1 to 1.5
UNHEARD = {"no-cc": OFF}  # `by_kind` of rules on how senders answer to marks: without congestion control none does

# -- curves ------------------------------------------------------------------------------------------------------------


def class_variants(device: Device, cls: TrafficClass) -> Iterator[TrafficClass]:
    """The class, and what becomes of it on ports that change it."""
    yield cls
    for port in device.ports:
        for changed in port.overrides:
            if changed.name == cls.name:
                yield changed


def iter_curves(device: Device, cls: TrafficClass) -> Iterator[tuple[Ecn | EcnPercent, str]]:
    """Every marking curve of a class that was written, once, with words for the ports it is for."""
    seen: set[tuple[Ecn | EcnPercent, Origin]] = set()
    for variant in class_variants(device, cls):
        for speed, curve in ((None, variant.ecn), *variant.ecn_by_speed):
            if not isinstance(curve, (Ecn, EcnPercent)) or (curve, curve.at("")) in seen:
                continue
            seen.add((curve, curve.at("")))
            yield curve, "" if speed is None else f" on {show_rate(speed)} ports"


class MarkingPort(NamedTuple):
    """A kind of port that a curve is for; equal ports of equal switches are one."""

    device: Device
    port: PortGroup
    speed: int | None  # bit/s; None: unknown
    ports: int | None  # of the switch, that carry a lossless class and share its pool; None: unknown
    lossless: bool  # whether the curve's class is, there

    @property
    def where(self) -> str:
        """Words for these ports: ` on 400G ports`."""
        return "" if self.speed is None else f" on {show_rate(self.speed)} ports"

    @property
    def deep(self) -> bool:
        """Whether the switch has external memory, and queues at its ingress."""
        return self.device.asic is not None and not self.device.asic.shallow

    @property
    def step(self) -> int | None:
        """What the chip rounds thresholds to, bytes."""
        return self.device.asic.ecn_step if self.device.asic is not None else None


class MarkingCurve:
    """A curve as it was written, and the kinds of port it is for, all over the fabric."""

    __slots__ = ("_judged", "cls", "ecn", "kinds")

    def __init__(self, ecn: Ecn, cls: TrafficClass) -> None:
        self.ecn = ecn
        self.cls = cls
        self.kinds: dict[tuple[object, ...], MarkingPort] = {}
        self._judged: dict[Judge, tuple[Hit | None, frozenset[int]]] = {}

    @property
    def is_sound(self) -> bool:
        """Whether there is a curve to judge: else `ecn-order` tells of it."""
        return 0 < self.ecn.kmin <= self.ecn.kmax

    @property
    def is_computed(self) -> bool:
        """Whether `ecn: auto` stands for it."""
        return isinstance(self.ecn.at("kmin"), Computed)

    def hit(self, fabric: Fabric, judge: Judge, own: list[Own]) -> Hit | None:
        """What a rule finds on the curve by all of its ports, where it finds fault with some of a device's `own`."""
        known = self._judged.get(judge)
        if known is None:
            kinds = [*self.kinds.values()]
            hit = judge(fabric, self, kinds)
            faulty = [id(kind) for kind in kinds if judge(fabric, self, [kind]) is not None] if hit is not None else []
            known = self._judged[judge] = hit, frozenset(faulty)
        hit, at_fault = known
        ports = tuple(port for kind, ports in own if id(kind) in at_fault for port in ports)
        return hit._replace(ports=ports) if hit is not None and ports else None


Judge = Callable[[Fabric, MarkingCurve, list[MarkingPort]], Hit | None]
Own = tuple[MarkingPort, tuple[PortGroup, ...]]  # of a device: a kind of port, and the ports


def judge_curves(fabric: Fabric, device: Device, cls: TrafficClass, judge: Judge) -> Iterator[Hit]:
    """One hit for each curve of the class with which `judge` finds fault on the device."""
    original = fabric.original(device)
    for curve, own in _collect_curves(fabric).get((id(original), cls.name), ()):
        hit = curve.hit(fabric, judge, own)
        if hit is not None:
            ports = {id(port): here for port, here in zip(original.ports, device.ports, strict=True)}
            yield hit._replace(cls=cls.name, ports=tuple(ports[id(port)] for port in hit.ports))


class ThresholdFault(NamedTuple):
    """What is wrong with a threshold on one kind of port."""

    field: str  # kmin | kmax
    excess: float  # how many times beyond the bound
    reported: str
    fix: str
    severity: str = WARNING


def report_worst(curve: MarkingCurve, faults: list[ThresholdFault]) -> Hit | None:
    """The hit on the worst of these; None if there is none."""
    if not faults:
        return None
    fault = max(faults, key=lambda f: (SEVERITIES.index(f.severity), f.excess))
    other = "kmin" if fault.field == "kmax" else "kmax"
    related = ((curve.ecn.at(other), f"{other} is set here"),)
    return Hit(fault.reported, (curve.ecn.at(fault.field),), fault.fix, related, severity=fault.severity)


def hint_at_by_speed(curve: MarkingCurve) -> str:
    """Words on how to tell port speeds apart, where the curve is for several."""
    speeds = {kind.speed for kind in curve.kinds.values()}
    return "; by_speed gives each port speed a curve of its own" if len(speeds) > 1 else ""


def _is_judged(cls: TrafficClass) -> bool:
    """Whether a class is RDMA's or lossless; a marked class of CNPs is `ecn-queue`'s."""
    return (cls.lossless or "rdma" in cls.carries) and not (cls.carries and SIGNALS.issuperset(cls.carries))


@kept_with_fabric  # asked for by every rule here, for every class of every device
def _collect_curves(fabric: Fabric) -> dict[tuple[int, str], list[tuple[MarkingCurve, list[Own]]]]:
    """The curves of the classes that are judged, by the identity of the device's original and the class's name."""
    whole: dict[tuple[Ecn, Origin], MarkingCurve] = {}
    out: dict[tuple[int, str], list[tuple[MarkingCurve, list[Own]]]] = {}
    originals = {id(device): device for device in map(fabric.original, fabric.devices)}
    for device in originals.values():
        sharing = sum(len(p.names) for p in device.ports if p.pfc)
        for cls in device.classes:
            if not _is_judged(cls):
                continue
            own: dict[tuple[Ecn, Origin], list[Own]] = {}
            for variant, ecn, kind, ports in _iter_port_kinds(device, cls, sharing):
                key = (ecn, ecn.at(""))
                curve = whole.get(key)
                if curve is None:
                    curve = whole[key] = MarkingCurve(ecn, variant)
                own.setdefault(key, []).append((curve.kinds.setdefault(_port_kind_key(kind), kind), ports))
            out[id(device), cls.name] = [(whole[key], kinds) for key, kinds in own.items()]
    return out


def _port_kind_key(kind: MarkingPort) -> tuple[object, ...]:
    device, port = kind.device, kind.port
    pool, switch = device.pools.lossless, port.faces == "switch"
    own = pool, port.alpha, port.cable, port.mtu, switch
    return device.asic, device.vendor, own, kind.speed, kind.ports, kind.lossless


def _iter_port_kinds(
    device: Device, cls: TrafficClass, sharing: int
) -> Iterator[tuple[TrafficClass, Ecn, MarkingPort, tuple[PortGroup, ...]]]:
    """The curves of a class that ports of the device have, each with the kinds of these ports."""
    apart: dict[tuple[object, ...], tuple[TrafficClass, list[PortGroup]]] = {}
    for port in device.ports:
        if cls.name not in port.classes:
            continue
        here = next((c for c in port.overrides if c.name == cls.name), cls)
        key = (id(here), port.speed, port.alpha, port.cable, port.mtu, port.faces == "switch", bool(port.pfc))
        apart.setdefault(key, (here, []))[1].append(port)
    for here, ports in apart.values():
        port = ports[0]
        if port.implied and port.speed is None:  # ports of any speed
            pairs = ((None, here.ecn), *here.ecn_by_speed)
        else:
            pairs = ((port.speed, here.ecn_at(port.speed)),)
        for speed, ecn in pairs:
            if isinstance(ecn, Ecn):
                lossless = here.lossless and here.priority in port.pfc
                known = _known_speed(device.asic, speed)
                kind = MarkingPort(device, port, known, sharing or _count_chip_ports(device.asic, known), lossless)
                yield here, ecn, kind, tuple(ports)


def _known_speed(asic: Asic | None, speed: int | None) -> int | None:
    """The speed, but for one that the chip does not have: `schema-port-speed` tells of it."""
    return None if asic is not None and asic.speeds and speed not in asic.speeds else speed


def _count_chip_ports(asic: Asic | None, speed: int | None) -> int | None:
    """The ports of a switch of which none is named: as many as its chip has at that speed."""
    return asic.capacity // speed if asic is not None and asic.capacity is not None and speed else None


# -- bounds ------------------------------------------------------------------------------------------------------------


class MarkingBounds(NamedTuple):
    """What a curve must stay below so that marks come before pauses. Bytes; None where the number of ports is unknown.

    Source: DCQCN, SIGCOMM'15, section 4, and `rocecfg.physics.ecn`.
    """

    alpha: float
    pool: int
    hard: float
    kmin: float | None
    kmax: float | None


def marking_bounds(kind: MarkingPort) -> MarkingBounds | None:
    """The bounds on such ports.

    None where the class is not lossless, alpha or the pool is unknown or a placeholder, or the chip has external
    memory: its pool is gigabytes, while what queues at the ingress is bounded by the bandwidth of that memory.
    """
    alpha, pool = kind.port.alpha, kind.device.pools.lossless
    if not kind.lossless or not alpha or not pool or kind.deep or _is_placeholder(kind.device, pool):
        return None
    hard = physics.kmax_hard(alpha, pool)
    if kind.ports is None:
        return MarkingBounds(alpha, pool, hard, None, None)
    kmin, kmax = physics.kmin_bound(alpha, pool, kind.ports), physics.kmax_bound(alpha, pool, kind.ports)
    return MarkingBounds(alpha, pool, hard, kmin, kmax)


def _is_placeholder(device: Device, pool: int) -> bool:
    """Whether a pool is of a size that the system ships for chips it was not made for: it says nothing of this one."""
    if device.nos is None or pool not in device.nos.placeholder_pools:
        return False
    usable = device.asic.usable_buffer if device.asic is not None else None
    return usable is None or usable > _PLACEHOLDER * pool


def round_trip(fabric: Fabric, kind: MarkingPort) -> tuple[float, str] | None:
    """The base round trip in ms, at least that of the port's own cable, and words for where it is from."""
    if fabric.rtt is None:
        return None
    cable = physics.rtt_of_cable_us(kind.port.cable or 0) / 1e3
    if cable > fabric.rtt:
        return cable, f"of {show_number(kind.port.cable or 0)} m of cable there and back"
    return fabric.rtt, describe_origin(fabric.at("rtt"))


def least_kmin(fabric: Fabric, kind: MarkingPort) -> float | None:
    """The kmin below which the link may idle, bytes; None where speed or round trip is unknown."""
    rtt = round_trip(fabric, kind)
    return None if rtt is None or kind.speed is None else physics.dctcp_kmin(kind.speed, rtt[0])


def least_spread(fabric: Fabric, kind: MarkingPort) -> float | None:
    """What kmax must be above kmin by for a round trip above 100 us, bytes: S x RTT/8/10; None for shorter ones.

    Source: NSDI'23, section 7.3, asks for a wide ramp there; a tenth of what the path holds is derived.
    """
    rtt = round_trip(fabric, kind)
    if rtt is None or kind.speed is None or rtt[0] <= LONG_RTT:
        return None
    return physics.bdp(kind.speed, rtt[0]) / SPREAD


def most_kmax(fabric: Fabric, kind: MarkingPort) -> float | None:
    """The kmax above which a hop adds more delay than the workload bears, bytes; None where that is unknown."""
    delay = fabric.workload.queue_delay if fabric.workload is not None else None
    return None if delay is None or kind.speed is None else kind.speed * delay / 8e3
