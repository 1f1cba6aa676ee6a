"""Where PFC is on: rules PFC101 to PFC105 and PFC109.

One mistake is one finding, so the rules give way to each other: a management port speaks for itself, eight
lossless priorities are `pfc-all` and nothing else, and a lossless CNP or control class, or one that takes unmarked
packets, is named by the rule that knows the consequence, not by `pfc-rdma-only` as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, each_stated
from rocecfg.model import Device, Fabric, Origin, PortGroup, TrafficClass, kept_with_fabric
from rocecfg.model.fix import put, replace
from rocecfg.rules.base import ALL_CLASSES, ERROR, OFF, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.common import (
    LOSSY_OFF,
    PRIORITIES,
    dual_tor_priorities,
    find_dropped_dscps,
    format_priorities,
    is_dual_tor,
    is_judged_by_priority,
    is_management,
    kept_with_device,
    lossless_classes_of_priority,
)
from rocecfg.rules.pfc_exempt import exempt_priorities

_OF_ALL = (  # what eight lossless classes make other rules find
    *("pfc-rdma-only", "pfc-count", "pfc-control-prio", "pfc-cnp", "pfc-prio0"),
    *("nos-erratum", "watchdog-priorities", "buffer-lossy-group", "buffer-pool", "buffer-shared-left"),
)
_OF_ALL_ON_A_SWITCH = (  # where each paused class counts as RDMA: what else it carries is not known
    *_OF_ALL,
    *("ecn-missing", "ets-rdma-strict", "mix-class-shared", "mix-pg-shared", "sonic-group-missing"),
    *("sonic-unscheduled", "watchdog-guarantee-eos"),
)
_AFFORDABLE = 2  # lossless priorities that the headroom of an on-chip buffer carries


def _sort_lossless_classes(device: Device, port: PortGroup) -> list[TrafficClass]:
    """The lossless classes of a port, the most doubtful first: those without RDMA, then by falling priority."""
    found = [c for c in device.classes_on(port) if c.lossless]
    return sorted(found, key=lambda c: ("rdma" in c.carries, -c.priority))


@rule(
    "PFC101",
    "pfc-missing-rdma",
    ERROR,
    source="Bai et al., NSDI'23, section 2.4: first-generation NICs took hundreds of microseconds to recover one loss",
    by_kind={"lossy": OFF, "semi-lossless": WARNING},
    classes=ALL_CLASSES,
)
def pfc_missing_rdma(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """RDMA crosses a port on a priority without PFC: congestion drops it."""
    if is_management(port):
        return
    for cls in device.classes_on(port):
        if "rdma" not in cls.carries or cls.priority in port.pfc:
            continue
        fix = None
        if cls.lossless:
            here, remedy = (port.at("pfc"), port.at()), f"turn PFC on for priority {cls.priority} on these ports"
        else:
            here = (cls.at("lossless"), cls.at())
            apart = any(other.name == cls.name and other.lossless for other in device.classes)
            remedy = f"set lossless: true on class {cls.name}"
            remedy += " here too" if apart else "; if RDMA is to run lossy, set fabric.mode: lossy"
            fix = unsafe_fix("make it lossless", replace, cls.origins.get("lossless"), "true") or unsafe_fix(
                "make it lossless", put, cls.at(""), ("lossless",), "true"
            )
        yield Hit(
            f"class {cls.name} carries RDMA, but PFC is off on its priority {cls.priority}: "
            "congestion drops its packets, and one loss makes the NIC resend the whole window",
            here,
            remedy,
            cls=cls.name,
            fix=fix,
        )


@rule(
    "PFC102",
    "pfc-rdma-only",
    ERROR,
    source="IEEE 802.1Qbb: a pause stops everything on that priority",
    by_kind=LOSSY_OFF,
    by_maps=True,
)
def pfc_rdma_only(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC is on for a priority that no RDMA class uses."""
    extra = set(port.pfc).difference(c.priority for c in device.rdma)
    if fabric.running and is_judged_by_priority(port):
        yield from _judge_unreached(fabric, device, port)
    if not extra or not is_judged_by_priority(port):
        return
    extra -= exempt_priorities(fabric, device, port) | dual_tor_priorities(fabric, device)
    nobody = []
    for priority in sorted(extra):
        classes = lossless_classes_of_priority(device, port, priority)
        if not classes:
            nobody.append(priority)
        for cls in classes:
            if cls.may_carry_rdma:
                continue  # hygiene-unknown-traffic tells that it is not known
            yield Hit(
                f"class {cls.name} (priority {priority}) is lossless but carries no RDMA ({', '.join(cls.carries)}): "
                "it can pause the fabric, and it takes headroom on every port",
                (cls.at("lossless"), port.at("pfc")),
                f"remove lossless: true from class {cls.name}; if it does carry RDMA (NVMe-oF over RoCE, say), "
                "add rdma to its carries",
                cls=cls.name,
            )
    if nobody:
        yield Hit(
            f"PFC is on for {format_priorities(nobody)}, but no RDMA class uses "
            f"{'it' if len(nobody) == 1 else 'them'}: more sources of pauses, and wasted headroom",
            (port.at("pfc"),),
            "turn PFC off on the priorities that no RDMA class uses",
        )


@kept_with_device
def _sorts_by_tags_or_policies(device: Device) -> bool:
    return any(p.trust != "dscp" for p in device.ports if p.pfc) or any(
        p.running is not None and p.running.sorted_into for p in device.ports
    )


def _judge_unreached(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """On a switch as it runs, what lossless classes carry is not known, but for those that no packet reaches."""
    if device.running is None or not device.running.whole or _sorts_by_tags_or_policies(device):
        return  # another part, or tags, may lead there; mix-rdma-acl judges policy-maps
    if device.whole is not None and find_dropped_dscps(fabric, device, port):
        return  # mix-port-map
    others = exempt_priorities(fabric, device, port) | dual_tor_priorities(fabric, device)
    reached = any(cls.dscps for cls in device.classes if cls.lossless)
    for cls in device.classes_on(port):
        if cls.lossless and not cls.dscps and cls.priority not in others:
            yield Hit(
                f"PFC is on for priority {cls.priority}, but no DSCP maps to {cls.name}: "
                + (
                    "RDMA for this class lands in another class, or every port reserves headroom for packets that "
                    "never come"
                    if reached
                    else f"no packet is lossless on {'these ports' if device.whole else 'this switch'}, and RDMA "
                    "lands in a class that drops"
                ),
                (cls.at("lossless"), port.at("classes")),
                severity=WARNING if reached else ERROR,
                cls=cls.name,
                variant="unreached",
                fill=(("TC", str(cls.tc)), ("SP", str(cls.tc))),
            )


@rule(
    "PFC103",
    "pfc-count",
    ERROR,
    source="Guo et al., SIGCOMM'16, section 2, and Bai et al., NSDI'23, section 7.1: "
    "headroom is per port and priority, and two lossless priorities were what the buffer carried",
    by_kind={"lossy": OFF, "semi-lossless": OFF},
    by_maps=True,
)
def pfc_count(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """More lossless priorities than the chip has headroom for, or than RDMA needs."""
    count = len(port.pfc)
    if (
        count < _AFFORDABLE
        or not is_judged_by_priority(port)
        or dual_tor_priorities(fabric, device).issuperset(port.pfc)
    ):
        return
    lossless = _sort_lossless_classes(device, port)
    here = (*(c.at("lossless") for c in lossless), port.at("pfc"))
    related = tuple((c.at("lossless"), f"class {c.name} is lossless too") for c in lossless[1:])
    if count > _AFFORDABLE:
        chip = device.asic
        if chip is not None and not chip.shallow:
            return
        where = "on a chip without external buffer" if chip else "and the chip is not stated"
        yield Hit(
            f"{count} lossless priorities ({', '.join(map(str, port.pfc))}) {where}: "
            f"each takes headroom on every port, and an on-chip buffer has room for {_AFFORDABLE}",
            here,
            f"keep at most {_AFFORDABLE} classes lossless: those that carry RDMA"
            + ("" if chip else "; or state the platform or asic, if its buffer is external"),
            related,
            severity=ERROR if chip else WARNING,
        )
    else:
        rdma = {c.priority for c in device.rdma}
        crossing = {c.priority for c in device.classes_on(port) if "rdma" in c.carries}
        # A second priority that is no RDMA class's at all is pfc-rdma-only's, and so on.
        if len(crossing) == 1 and rdma.issuperset(port.pfc) and not is_dual_tor(fabric, device):
            yield Hit(
                f"PFC is on for {format_priorities(port.pfc)}, but only one RDMA class crosses these ports "
                f"({format_priorities(sorted(crossing))}): the headroom of the other priority is wasted",
                (port.at("pfc"), *here),
                "turn PFC off on the priority whose class does not cross these ports",
                severity=WARNING,
            )


@rule(
    "PFC104",
    "pfc-all",
    ERROR,
    source="follows from IEEE 802.1Qbb: eight paused priorities are a paused link",
    by_kind=LOSSY_OFF,
)
def pfc_all(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on all eight priorities is link pause: control traffic and CNPs stop too."""
    if len(port.pfc) < PRIORITIES or is_management(port):
        return
    lossless = _sort_lossless_classes(device, port)
    yield Hit(
        "PFC is on for all 8 priorities: a pause stops the whole link, control traffic and CNPs included",
        (*(c.at("lossless") for c in lossless), port.at("pfc")),
        "keep PFC on the priority of the RDMA class only",
        tuple((c.at("lossless"), f"class {c.name} is lossless too") for c in lossless[1:] if not fabric.running),
        explains=_OF_ALL_ON_A_SWITCH if fabric.running else _OF_ALL,
    )


@rule(
    "PFC105",
    "pfc-global-pause",
    ERROR,
    source="Nokia SR Linux and NVIDIA Cumulus QoS documentation: PFC and 802.3x pause exclude each other on a port",
    by_kind=LOSSY_OFF,
)
def pfc_global_pause(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """802.3x pause and PFC on one port: they exclude each other, and link pause stops everything."""
    if not port.pfc or is_management(port):
        return
    if port.flowcontrol != "off":
        yield Hit(
            f"802.3x flow control ({port.flowcontrol}) and PFC are on for the same port: they exclude each other, "
            "and link pause also stops control traffic and CNPs",
            (port.at("flowcontrol"),),
            "set flowcontrol: off",
            fix=unsafe_fix("set flowcontrol: off", replace, port.origins.get("flowcontrol"), "off"),
        )
    for hosts, place in _find_pausing_nics(fabric) if port.faces != "switch" else ():
        yield Hit(
            f"the NICs of {hosts} have 802.3x pause on, but their switch ports have PFC: they exclude each other, "
            "and link pause also stops control traffic and CNPs",
            (place,),
            "turn it off on the NIC (ethtool -A DEVICE rx off tx off) and set global_pause: false",
        )


@kept_with_fabric  # asked for every group of ports, and there may be as many groups of hosts
def _find_pausing_nics(fabric: Fabric) -> tuple[tuple[str, Origin], ...]:
    """The hosts, as written, whose NICs have 802.3x pause on, and where that is said."""
    first = FirstKind()
    stated = ((nics, pause) for nics, pause in each_stated(fabric, "global_pause") if pause.value is True)
    return tuple((nics.key, pause.at) for nics, pause in stated if first.takes(pause.at, nics))


@rule(
    "PFC109",
    "pfc-mgmt-port",
    ERROR,
    source="no RDMA runs on a management port, and a pause there stops operations",
    by_kind=LOSSY_OFF,
    needs=("devices",),
)
def pfc_mgmt_port(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """PFC on a management, out-of-band or console port."""
    if not port.pfc or not is_management(port):
        return
    yield Hit(
        f"PFC is on for {format_priorities(port.pfc)} on a management port: no RDMA runs there, and a pause locks "
        "operators out",
        (port.at("classes"), port.at("faces"), port.at()),
        "set faces: management, and remove the lossless classes from its classes",
    )


RULES: tuple[Rule, ...] = (
    pfc_missing_rdma,
    pfc_rdma_only,
    pfc_count,
    pfc_all,
    pfc_global_pause,
    pfc_mgmt_port,
)
