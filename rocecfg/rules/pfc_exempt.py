"""What no pause may hold: rules PFC106 to PFC108, on network control, CNPs and packets that nobody marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, dual_tor_priorities, is_judged_by_priority, lossless_classes_of_priority

_CONTROL = frozenset((6, 7))  # network control where no class says otherwise: CS6 and CS7 land there
_CS6 = 48  # what NICs send CNPs with unless told otherwise, and FRR and EOS send BGP and BFD with
_USUAL_CLASS = 6  # where it is sorted by custom
_LOSSY_CLASSES = (_USUAL_CLASS, 7, 5, 2, 1)


def exempt_priorities(fabric: Fabric, device: Device, port: PortGroup) -> set[int]:
    """Priorities that `pfc-cnp`, `pfc-control-prio` or `pfc-prio0` name when they are lossless."""
    special = {c.priority for c in device.classes if _is_cnp(c) or _is_control(c)}
    return special | _implied_control(fabric, device) | {c.priority for c in _classes_of_unmarked(device, port)}


def _is_cnp(cls: TrafficClass) -> bool:
    return "cnp" in cls.carries


def _is_control(cls: TrafficClass) -> bool:
    """Network control, but for a class that carries CNPs too: `pfc-cnp` names that one."""
    return "control" in cls.carries and not _is_cnp(cls)


def _implied_control(fabric: Fabric, device: Device) -> frozenset[int]:
    """Priorities of network control where no class carries it: 6 and 7, unless CNPs or dual ToR claim them."""
    for cls in device.classes:
        if "control" in cls.carries:
            return frozenset()
    claimed = {c.priority for c in device.classes if _is_cnp(c)}
    return _CONTROL - claimed - dual_tor_priorities(fabric, device)


def _classes_of_unmarked(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The lossless classes in which packets that nobody marked land, but for CNP and control classes."""
    if port.trust == "dscp":
        tc = device.maps.dscp_to_tc[0]  # None: the chip's own default, not known here
        sharing = [c for c in device.classes if c.tc == tc]
        owners = [c for c in sharing if 0 in c.dscps] or sharing
    else:  # frames without a tag have priority 0
        owners = [c for c in device.classes if c.priority == 0]
    # A class that is not lossless itself but shares an RDMA class's priority is what mix-class-shared tells.
    return [c for c in owners if c.lossless and c.priority in port.pfc and not _is_cnp(c) and not _is_control(c)]


def _relate_sharers(device: Device, port: PortGroup, cls: TrafficClass) -> tuple[tuple[Origin, str], ...]:
    """The lossless classes that give PFC to the priority of `cls`, as related places."""
    return tuple(
        (c.at("lossless"), f"class {c.name} makes priority {c.priority} lossless")
        for c in lossless_classes_of_priority(device, port, cls.priority)
        if c.name != cls.name
    )


@rule(
    "PFC106",
    "pfc-control-prio",
    ERROR,
    source="SONiC keeps TC and priority group 7 for control traffic",
    by_kind=LOSSY_OFF,
    by_maps=True,
)
def pfc_control_prio(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on a priority of network control: BGP and BFD sessions drop, and the reroute feeds the pause storm."""
    if not is_judged_by_priority(port):
        return
    consequence = "a pause holds back BGP and BFD, their sessions drop, and the reroute feeds the pause storm"
    for cls in device.classes:
        if cls.priority in port.pfc and _is_control(cls):
            sharers = _relate_sharers(device, port, cls)
            yield Hit(
                f"class {cls.name} carries control traffic, but PFC is on for its priority {cls.priority}: "
                f"{consequence}",
                (cls.at("lossless"),) if cls.lossless else (cls.at("priority"), port.at("pfc")),
                f"give class {cls.name} and lossless traffic different priorities"
                if sharers
                else f"remove lossless: true from class {cls.name}",
                sharers,
                cls=cls.name,
            )
    for priority in sorted(_implied_control(fabric, device).intersection(port.pfc)):
        yield Hit(
            f"PFC is on for priority {priority}, which network control uses "
            f"{'by convention' if fabric.running else 'unless a class carries it'}: {consequence}",
            (*(c.at("lossless") for c in lossless_classes_of_priority(device, port, priority)), port.at("pfc")),
            "use one of priorities 1 to 5, or give network control a class of its own (carries: [control])",
            fill=(("PRIORITY", str(priority)),),
        )


@rule(
    "PFC107",
    "pfc-cnp",
    ERROR,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 3.3: CNPs are sent with high priority",
    by_kind=LOSSY_OFF,
    by_maps=True,
)
def pfc_cnp(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on the priority of CNPs: congestion holds back the signal that would end it."""
    if not is_judged_by_priority(port):
        return
    for cls in device.classes:
        if cls.priority not in port.pfc or not _is_cnp(cls):
            continue
        sharers = _relate_sharers(device, port, cls)
        if "rdma" in cls.carries:
            here = (cls.at("carries"), cls.at("lossless"))
            remedy = "give CNPs a class of their own: not lossless, bandwidth: strict"
        elif cls.lossless and not sharers:
            here = (cls.at("lossless"), port.at("pfc"))
            remedy = f"remove lossless: true from class {cls.name}"
        else:
            here = (cls.at("priority"), port.at("pfc"))
            remedy = f"give class {cls.name} a priority without PFC (6 is usual), with bandwidth: strict"
        yield Hit(
            f"class {cls.name} carries CNPs, but PFC is on for its priority {cls.priority}: congestion holds back the "
            "signal that slows senders down",
            here,
            remedy,
            sharers,
            cls=cls.name,
        )
    yield from _judge_cs6(fabric, device, port)


def _judge_cs6(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """DSCP 48 sorted into a lossless class that is not said to carry CNPs or control: of a switch nothing is said."""
    taking = [c for c in device.classes if _CS6 in c.dscps]
    if len(taking) != 1 or port.trust != "dscp" or fabric.classification == "vendor":
        return  # mix-dscp-dup's, or nobody looks at it, or mix-sonic-stock's
    (cls,) = taking
    elsewhere = _implied_control(fabric, device) | dual_tor_priorities(fabric, device)
    if (
        cls not in lossless_classes_of_priority(device, port, cls.priority)
        or cls.priority not in port.pfc
        or cls.priority in elsewhere
    ):
        return
    if _is_cnp(cls) or _is_control(cls):
        return
    cnps = next((c for c in device.classes if _is_cnp(c) and c.dscps), None)
    paused = "routers send BGP and BFD with it (CS6) by default, and a pause holds them back until sessions drop"
    yield Hit(
        f"DSCP {_CS6} maps to class {cls.name}, which is lossless (priority {cls.priority}): "
        + (
            f"CNPs have their own class, {cnps.name}, but {paused}"
            if cnps is not None
            else (
                "NICs send CNPs with it by default, and congestion holds back the signal that slows senders down; "
                f"{paused}"
            )
        ),
        (cls.at("cs6", "dscp"), device.maps.at("")),
        f"remove DSCP {_CS6} from class {cls.name}"
        + ("" if cnps is not None else ", and give CNPs a class of their own: priority 6, not lossless"),
        severity=ERROR if cnps is None else WARNING,
        cls=cls.name,
        fill=_fill_lossy_class(device),
    )


def _fill_lossy_class(device: Device, numbers: Sequence[int] = _LOSSY_CLASSES) -> tuple[tuple[str, str], ...]:
    """A traffic class, or a switch priority, without PFC, for a fix."""
    lossless = {c.tc for c in device.classes if c.lossless}
    lossy = next((n for n in numbers if n not in lossless), None)
    return tuple((word, str(lossy)) for word in ("TC", "SP") if lossy is not None)


@rule(
    "PFC108",
    "pfc-prio0",
    ERROR,
    source="priority 0 and DSCP 0 are what IEEE 802.1Q and RFC 2474 give to packets that nobody marked",
    by_kind={"backend": WARNING, "running": WARNING, "lossy": OFF},
    by_maps=True,
)
def pfc_prio0(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """RDMA on priority 0, or DSCP 0 in a lossless class: any unmarked packet can pause the fabric."""
    if not is_judged_by_priority(port):
        return
    zero = [c for c in device.classes_on(port) if "rdma" in c.carries and c.priority == 0]
    for cls in zero:
        yield Hit(
            f"class {cls.name} {'is lossless' if fabric.running else 'carries RDMA'} on priority 0, the priority of "
            "unmarked frames: any of them can pause the fabric",
            (cls.at("priority"),),
            "use another priority (3 is usual) on switches and NICs",
            cls=cls.name,
        )
    for cls in () if zero else _classes_of_unmarked(device, port):
        if cls.rest:
            continue  # schema-rest: a lossless class cannot take the rest
        if cls.may_carry_rdma:
            here, remedy = (cls.at("dscp"),), f"remove DSCP 0 from class {cls.name}, and let senders mark RDMA"
        else:
            here, remedy = (cls.at("lossless"),), f"remove lossless: true from class {cls.name}"
        yield Hit(
            f"unmarked packets land in class {cls.name}, which is lossless (priority {cls.priority}): any of them "
            "can pause the fabric",
            here,
            remedy,
            cls=cls.name,
            variant="unmarked",
            fill=_fill_lossy_class(device, (0, 1, 2)),
        )


RULES: tuple[Rule, ...] = (
    pfc_control_prio,
    pfc_cnp,
    pfc_prio0,
)
