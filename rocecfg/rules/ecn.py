"""ECN marking curves: rules ECN301 to ECN306.

A curve is checked where it was written, once: a class may have one of its own, one for each port speed, and others
on some ports, and the same curve on a thousand ports is one curve.
"""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import BYTES, show, show_number, show_rate
from rocecfg.model import Device, Ecn, EcnPercent, Fabric, Origin, PortGroup, TrafficClass
from rocecfg.model.fix import replace
from rocecfg.profiles.settings import ECN_ORDER
from rocecfg.rules.base import ALL_CLASSES, ERROR, WARNING, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.bound import find_egress_queue
from rocecfg.rules.common import SIGNALS, dual_tor_priorities
from rocecfg.rules.marking import NO_RAMP, class_variants, iter_curves


def _has_curve_at(cls: TrafficClass, speed: int | None) -> bool:
    """Whether the class has a curve on ports of that speed; an unknown speed gets the benefit of the doubt."""
    if cls.ecn is not None:
        return True
    return bool(cls.ecn_by_speed) if speed is None else cls.ecn_at(speed) is not None


def _find_unmarked_ports(
    fabric: Fabric, device: Device, cls: TrafficClass
) -> dict[Origin, tuple[TrafficClass, list[PortGroup]]]:
    """Where marking was left out or turned off for the class, by place, with the ports that lack a curve."""
    found: dict[Origin, tuple[TrafficClass, list[PortGroup]]] = {}
    for port in device.ports:
        for crossing in device.classes_on(port):
            if crossing.name != cls.name or _has_curve_at(crossing, port.speed):
                continue
            if fabric.mode != "lossy" and crossing.priority not in port.pfc:
                continue  # not paused on these ports
            if device.running is not None and not device.running.whole and "ecn" not in crossing.origins:
                continue  # a part of a configuration, which may be in another
            queue = find_egress_queue(device, port, crossing)
            if queue is not None and queue.discards:
                continue  # ecn-red-drop
            found.setdefault(crossing.at("ecn"), (crossing, []))[1].append(port)
    return found


@rule(
    "ECN301",
    "ecn-missing",
    ERROR,
    source="Zhu et al., SIGCOMM'15 (DCQCN), section 2; Gangidi et al., SIGCOMM'24, section 5.2, on running without it",
    classes=ALL_CLASSES,
)
def ecn_missing(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """A lossless class without ECN marking: PFC is the first reaction to congestion."""
    if not _needs_ecn(fabric, device, cls):
        return
    lossy = fabric.mode == "lossy"
    unexplained = fabric.congestion_control == "none" and not fabric.cc_reason
    misplaced = tuple(
        (other.at("ecn"), f"class {other.name} has one; was it intended for {cls.name}?")
        for other in device.classes
        if isinstance(other.ecn, (Ecn, EcnPercent)) and not other.lossless and "rdma" not in other.carries
    )
    for place, (bare, ports) in _find_unmarked_ports(fabric, device, cls).items():
        speeds = {port.speed for port in ports if port.speed is not None}
        where = f" on {', '.join(map(show_rate, sorted(speeds)))} ports" if bare.ecn_by_speed and speeds else ""
        if lossy:
            wording = (
                f"fabric.mode is lossy, and class {cls.name} has no ECN marking{where}: "
                "senders learn of congestion only from packet loss"
            )
        else:
            wording = (
                f"class {cls.name} is lossless but has no ECN marking{where}: PFC is the first reaction to congestion, "
                "and pauses spread from switch to switch"
            )
        yield Hit(
            wording,
            (place,),
            f"give class {cls.name} an ecn with kmin, kmax and pmax{' for that speed too' if where else ''}"
            + ("; or give the reason in fabric.congestion_control.reason" if unexplained else _suggest_curve(device)),
            misplaced,
            severity=WARNING if fabric.congestion_control == "none" and not unexplained else ERROR,
            cls=cls.name,
            ports=tuple(ports),
        )


def _suggest_curve(device: Device) -> str:
    """A curve that the device's system takes."""
    if device.nos is None or device.nos.knows("class.ecn.kmin") or device.buffers.queue_limit:
        return ", or ecn: auto, which computes them for the chip"
    return ": ecn: {kmin: 55%, kmax: 90%, pmax: 100%} where its thresholds are in percent"


def _needs_ecn(fabric: Fabric, device: Device, cls: TrafficClass) -> bool:
    """Whether the class should have ECN: RDMA, and lossless classes of which no rule says that they should not be.

    Not where receivers admit senders in its place, as the intent says of a fabric without congestion control.
    """
    admitted = fabric.facts.get("admission_control")
    if fabric.congestion_control == "none" and admitted is not None and admitted.value:
        return False
    if "rdma" in cls.carries:
        return cls.lossless or fabric.mode == "lossy"
    if not cls.lossless or fabric.mode == "lossy" or SIGNALS.intersection(cls.carries):
        return False  # a lossless CNP or control class is pfc-cnp's or pfc-control-prio's
    if cls.may_carry_rdma:
        return True
    expected = dual_tor_priorities(fabric, device)  # on any other priority, the class is pfc-rdma-only's or pfc-prio0's
    taken = {c.priority for c in device.rdma}  # mix-class-shared's
    return cls.priority in expected - taken and 0 not in cls.dscps  # the latter: pfc-prio0's


@rule(
    "ECN302",
    "ecn-order",
    ERROR,
    source="RED: marking rises from 0 at kmin to pmax at kmax; sonic-wred-profile.yang refuses max < min; SAI, "
    "inc/saiwred.h 0e1fcb6f: a threshold is 1 to the size of the buffer, and 0 stands for that size; "
    "Juniper/jvd 005ab344: fill levels 0 and 20 in a validated design",
)
def ecn_order(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """kmin is 0 or above kmax, so there is no marking curve."""
    for curve, where in iter_curves(device, cls):
        refused, severity = "", ERROR
        if isinstance(curve, EcnPercent) and curve.kmin <= 0 < curve.kmax:  # 0 is the whole buffer in bytes alone
            severity = WARNING
            wording = f"kmin is 0%{where}: marking starts with the first queued packet, before there is congestion"
            remedy = "raise kmin above 0"
        elif curve.kmin <= 0:
            wording = (
                f"kmin is {show(BYTES, curve.kmin)}{where}: some chips then mark every packet, others use their "
                "whole buffer as threshold and mark none"
            )
            remedy = "raise kmin above 0"
        elif curve.kmin > curve.kmax:
            wording = (
                f"kmin {show(BYTES, curve.kmin)} is above kmax {show(BYTES, curve.kmax)}{where}: "
                "marking cannot rise between them"
            )
            refused = ECN_ORDER
            remedy = f"swap them if they are mixed up: kmin: {show(BYTES, curve.kmax)}, kmax: {show(BYTES, curve.kmin)}"
            remedy = remedy if curve.kmax > 0 else "raise kmax above kmin"
        else:
            continue
        related = ((curve.at("kmax"), "kmax is set here"),)
        yield Hit(wording, (curve.at("kmin"),), remedy, related, cls=cls.name, refused=refused, severity=severity)


@rule("ECN303", "ecn-step", WARNING, source="Zhu et al., SIGCOMM'15 (DCQCN), section 3.1")
def ecn_step(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """kmin equals kmax: marking is a step, which suits DCTCP but not DCQCN."""
    if fabric.running and not cls.lossless:
        return  # what is no RDMA on a switch may well be DCTCP
    for curve, where in iter_curves(device, cls):
        if 0 < curve.kmin == curve.kmax:
            yield Hit(
                f"kmin and kmax are both {show(BYTES, curve.kmin)}{where}: no packet below is marked and every "
                f"packet above, so all flows slow down at once; pmax {show_number(curve.pmax)}% is never used",
                (curve.at("kmax"),),
                "raise kmax, so that marking can rise with the queue",
                ((curve.at("kmin"), "kmin is set here"),),
                cls=cls.name,
            )


@rule("ECN304", "ecn-pmax", ERROR, source="RED's marking law, as in Zhu et al., CoNEXT'16, equation 5")
def ecn_pmax(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """pmax is 0, above 100%, or so small that marking jumps at kmax."""
    for curve, where in iter_curves(device, cls):
        shown = f"pmax is {show_number(curve.pmax)}%{where}"
        if curve.pmax > 100 and fabric.running and device.nos is not None:
            continue  # schema-nos-range
        if curve.pmax > 100:
            reported, severity = f"{shown}: a probability is at most 100%", ERROR
        elif curve.pmax <= 0:
            reported, severity = (
                f"{shown}: no packet is marked below kmax {show(BYTES, curve.kmax)}, every packet above",
                ERROR,
            )
        elif curve.pmax < NO_RAMP:
            severity = WARNING
            reported = (
                f"{shown}, below {show_number(NO_RAMP)}%: almost nothing is marked below kmax "
                f"{show(BYTES, curve.kmax)} and everything above, so a few senders can hold the queue there"
            )
        else:
            continue
        yield Hit(reported, (curve.at("pmax"),), "5% is a common start", severity=severity, cls=cls.name)


@rule(
    "ECN305",
    "ecn-queue",
    ERROR,
    source="DCQCN marks data packets: a CNP is the answer to a mark, and no sender obeys a marked one",
    by_maps=True,
)
def ecn_queue(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """ECN marks a queue of CNPs or control traffic, or a queue that its class does not use."""
    if cls.carries and SIGNALS.issuperset(cls.carries):
        seen: set[Origin] = set()
        for variant in class_variants(device, cls):
            place = variant.at("ecn")
            if (variant.ecn is None and not variant.ecn_by_speed) or place in seen:
                continue
            seen.add(place)
            yield Hit(
                f"ECN marks queue {cls.queue} of class {cls.name}, which carries {' and '.join(cls.carries)}: "
                "no sender slows down for these marks",
                (place,),
                f"remove ecn from class {cls.name}; mark the queue of the RDMA class",
                cls=cls.name,
            )
    elif cls.ecn is not None or cls.ecn_by_speed:
        queue = device.maps.tc_to_queue[cls.tc]
        if queue is None or queue == cls.queue:
            return
        sharing = [c for c in device.classes if c.tc == cls.tc and c.name != cls.name]
        if sharing and any("rdma" in c.carries for c in (cls, *sharing)):
            return  # mix-class-shared names the cause
        yield Hit(
            f"ECN of class {cls.name} marks queue {cls.queue}, but its traffic class {cls.tc} is sent from "
            f"queue {queue}: its packets are never marked",
            (cls.at("queue"), cls.at("ecn")),
            "give both classes of that traffic class the same queue, or each its own traffic class",
            tuple((c.at("queue"), f"class {c.name} puts traffic class {cls.tc} into queue {queue}") for c in sharing),
            cls=cls.name,
        )


@rule(
    "ECN306",
    "ecn-weight",
    WARNING,
    source="Alizadeh et al., SIGCOMM'10 (DCTCP), section 3: marking on the instantaneous queue",
)
def ecn_weight(fabric: Fabric, device: Device, cls: TrafficClass) -> Iterator[Hit]:
    """Marking by an average queue length comes late for RDMA."""
    if not cls.lossless and "rdma" not in cls.carries:
        return  # averaging is how RED serves TCP
    for curve, where in iter_curves(device, cls):
        if curve.weight > 0:
            yield Hit(
                f"weight is {curve.weight}{where}: marks follow an average over about {2**curve.weight} samples of "
                "the queue, so they start after the burst and go on after its end",
                (curve.at("weight"),),
                "set weight: 0",
                cls=cls.name,
                fix=unsafe_fix("write weight: 0", replace, curve.origins.get("weight"), "0"),
            )


RULES: tuple[Rule, ...] = (
    ecn_missing,
    ecn_order,
    ecn_step,
    ecn_pmax,
    ecn_queue,
    ecn_weight,
)
