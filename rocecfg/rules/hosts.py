"""What NICs do against what their switch ports do: rules NIC901 to NIC906, NIC960 and NIC965."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated, host_nics, stated_hosts
from rocecfg.core.nodeset import fold, name_set
from rocecfg.model import Device, Ecn, Fabric, Origin, PortGroup
from rocecfg.physics.ecn import queue_delay_us
from rocecfg.physics.watchdog import ack_timeout
from rocecfg.rules.amounts import describe_origin, show_wait
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule, source_rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF
from rocecfg.rules.common import (
    LOSSY_OFF,
    UNDER_WAY,
    dual_tor_priorities,
    format_priorities,
    is_management,
    is_under_way,
)
from rocecfg.rules.hosts_commands import driver_of, pfc_command, trust_command
from rocecfg.rules.hosts_ends import (
    classes_sent_by,
    find_rdmaless_ends,
    locate_pfc,
    nic_ends,
    ports_facing_hosts,
    rdma_classes_marked_by,
    rdma_classes_on,
    rdma_ends,
    sent_dscp,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MARKS = frozenset(("rdma_dscp", "nccl_ib_tc", "tos"))  # what is said of hosts that send RDMA


def _list_switch_ports(fabric: Fabric, nics: HostNics) -> list[tuple[Device, PortGroup, str]]:
    """The switch ports of NICs and how a message calls them: by link, else all that face hosts."""
    if nic_ends(fabric)[nics.key]:
        return [(end.device, end.port, f"at {end.where}") for end in rdma_ends(fabric, nics)]
    return [(device, port, "on ports to hosts") for device, port in ports_facing_hosts(fabric, nics)]


# -- PFC ---------------------------------------------------------------------------------------------------------------


@rule(
    "NIC901",
    "nic-pfc",
    ERROR,
    source="IEEE 802.1Qbb: a pause names a priority; NVIDIA nic-configuration-operator sets PFC by a list of eight",
    by_kind=UNPAUSED_OFF,
    needs=("hosts",),
)
def nic_pfc(fabric: Fabric) -> Iterator[Hit]:
    """NICs have PFC on other priorities than the switch ports they are cabled to."""
    first = FirstKind()
    for nics, stated in each_stated(fabric, "pfc_priorities"):
        own = tuple(sorted(p.value for p in stated.value))
        yield from _judge_ports_without_rdma(fabric, nics, stated.at, own)
        if not own and not nic_ends(fabric)[nics.key] and _MARKS.isdisjoint(nics.value):
            continue  # hosts of another kind: nothing says that RDMA is theirs
        reported: set[tuple[int, ...]] = set()
        places = _list_switch_ports(fabric, nics)
        several = not nic_ends(fabric)[nics.key] and any(port.maps is not None for _, port, _ in places)
        if several and not all(pfc_differs(fabric, device, port, own, nics) for device, port, _ in places):
            continue  # ports sort in several ways: these may be the hosts of those that fit
        for device, port, where in places:
            if (
                port.pfc in reported
                or not pfc_differs(fabric, device, port, own, nics)
                or not first.takes(stated.at, nics)
            ):
                continue
            reported.add(port.pfc)
            wanted = nic_priorities(fabric, device, port, nics)
            unsure = depends_on_marks(device, port, own, nics)
            becomes = ONLY_WHAT_THEY_SEND if unsure else describe_pfc_mismatch(own, port.pfc)
            yield Hit(
                f"the NICs of {nics.key} have PFC on {format_priorities(own)}, and the switch has it on "
                f"{format_priorities(port.pfc)} {where}: {becomes}",
                (stated.at,),
                ("state rdma_dscp if that is right; else " if unsure else "")
                + f"set pfc_priorities: {list(wanted)} in the intent, and the same PFC on the NICs "
                f"({pfc_command(driver_of(nics), wanted)})",
                tuple(filter(None, (locate_pfc(device, port),))),
                severity=WARNING if unsure else None,
            )


def _judge_ports_without_rdma(fabric: Fabric, nics: HostNics, at: Origin, own: tuple[int, ...]) -> Iterator[Hit]:
    """NICs with PFC whose switch ports no RDMA crosses; where they mark RDMA as well, `mix-host-tc` tells."""
    if not own or not _MARKS.isdisjoint(nics.value):
        return
    for end in find_rdmaless_ends(fabric, nics, at):
        if set(own) <= set(end.port.pfc):
            continue
        yield Hit(
            f"the NICs of {nics.key} have PFC on {format_priorities(own)}, but no class of RDMA crosses the switch "
            f"port at {end.where}: the switch drops what they send as lossless",
            (at,),
            "add the class to classes of these ports, or correct the link; for hosts without RDMA, drop pfc_priorities",
            ((end.port.at("classes"), f"classes: {', '.join(end.port.classes)}"),),
        )
        return


ONLY_WHAT_THEY_SEND = "that is right only if they send nothing on the others, and the DSCP of their RDMA is not stated"


def depends_on_marks(device: Device, port: PortGroup, nic: tuple[int, ...], nics: HostNics) -> bool:
    """Whether PFC of NICs is right if their RDMA is in some of several lossless classes, and nothing tells which."""
    lossless = {cls.priority for cls in rdma_classes_on(device, port, nics)}
    return bool(nic) and lossless.issuperset(nic) and nics.nics is None and sent_dscp(nics) is None


def pfc_differs(
    fabric: Fabric, device: Device, port: PortGroup, nic: tuple[int, ...], nics: HostNics | None = None
) -> bool:
    """Whether a NIC with PFC on these priorities does not match a switch port that RDMA crosses.

    `nics`: the kind of NIC it is one of, where that is known.
    """
    rdma = rdma_classes_on(device, port, nics)
    if not all(cls.lossless for cls in rdma):
        return False  # RDMA that a switch does not protect is pfc-missing-rdma's
    if nic == port.pfc or _is_mismarked(device, nics):
        return False
    unknown = {cls.priority for cls in device.all_classes_on(port) if cls.unknown_kinds}
    spared = (dual_tor_priorities(fabric, device) | unknown) - {cls.priority for cls in rdma}
    wanted = set(nic_priorities(fabric, device, port, nics))
    sent = {cls.priority for cls in classes_sent_by(nics, device.classes_on(port))}
    missing = (wanted & sent or wanted) - set(nic)  # a host may send on one of several lossless priorities alone
    return not spared.issuperset(missing | (set(nic) - wanted - set(port.pfc)))


def _is_mismarked(device: Device, nics: HostNics | None) -> bool:
    """Whether NICs of one kind among several mark RDMA for no class of it, which `mix-host-tc` tells.

    Which of the classes is theirs is not known then.
    """
    several = nics is not None and nics.nics is not None and "rdma_dscp" in nics.value
    return several and not rdma_classes_marked_by(nics, device.classes)


def nic_priorities(fabric: Fabric, device: Device, port: PortGroup, nics: HostNics | None = None) -> tuple[int, ...]:
    """The priorities that NICs at a port need PFC on: those of RDMA or of unknown words, and of two ToRs a host.

    CNPs, control or another class that is lossless on the switch are no reason to pause them on the NICs as well:
    `pfc-cnp`, `pfc-control-prio` and `pfc-rdma-only` tell what to fix, on the switch.
    """
    crossing = device.all_classes_on(port)
    rdma = rdma_classes_marked_by(nics, crossing) or [cls for cls in crossing if cls.may_carry_rdma]
    needed = {cls.priority for cls in rdma} | dual_tor_priorities(fabric, device)
    return tuple(p for p in port.pfc if p in needed)


def describe_pfc_mismatch(nic: tuple[int, ...], switch: tuple[int, ...]) -> str:
    """What becomes of a link whose ends have PFC on different priorities."""
    out = []
    if not set(switch) <= set(nic):
        out.append("the NIC keeps sending when the switch pauses, and its packets are dropped")
    if not set(nic) <= set(switch):
        out.append("the switch ignores the NIC's pauses, and the NIC drops packets")
    return "; ".join(out)


# -- what classifies ---------------------------------------------------------------------------------------------------


@rule(
    "NIC902",
    "nic-trust",
    ERROR,
    source="NVIDIA mlnx_qos: NICs trust PCP until they are told to trust DSCP; routed packets carry no PCP",
    needs=("hosts",),
)
def nic_trust(fabric: Fabric) -> Iterator[Hit]:
    """NICs classify packets by PCP, but the switch classifies them by DSCP."""
    first = FirstKind()
    for nics, stated in each_stated(fabric, "trust"):
        if stated.value != "pcp":
            yield from _judge_dscp_at_pcp(fabric, nics, stated.at, first)
            continue
        for device, port, where in _list_switch_ports(fabric, nics):
            if port.trust == "pcp" and not _tags(fabric, device) and first.takes(stated.at, nics):
                cls = rdma_classes_on(device, port, nics)[0]
                yield Hit(
                    f"the NICs of {nics.key} and the switch sort packets by PCP {where}, and no VLAN of class "
                    f"{cls.name} is stated: a frame has a PCP only in a VLAN tag, and the host puts {cls.priority} "
                    "there only where that VLAN's egress map says so; without it RDMA is on priority 0",
                    (stated.at,),
                    f"on the host: ip link set VLAN type vlan egress-qos-map PRIORITY:{cls.priority}, and state the "
                    f"VLAN under vlans with class: {cls.name}; or set trust: dscp at both ends",
                    ((port.at("trust"), "the switch trusts pcp"),),
                    severity=INFO,
                )
                break
            if port.trust != "dscp" or not first.takes(stated.at, nics):
                continue  # both by PCP, or mix-trust's
            cls = rdma_classes_on(device, port, nics)[0]
            dscp = next(iter(cls.dscps), None)
            yield Hit(
                f"the NICs of {nics.key} trust pcp, but the switch classifies packets by DSCP {where}: RDMA without "
                "a VLAN tag is on priority 0 in the NIC, whatever its DSCP, and PFC there does not protect "
                f"priority {cls.priority}",
                (stated.at,),
                f"set trust: dscp in the intent and on the NICs ({trust_command(driver_of(nics), dscp, cls.priority)})",
                ((cls.at("dscp"), f"class {cls.name} is known by its DSCP"),),
            )
            break


def _tags(fabric: Fabric, device: Device) -> bool:
    """Whether a VLAN is stated that carries RDMA on this switch."""
    rdma = {cls.name for cls in device.classes if cls.may_carry_rdma}
    for vlan in fabric.facts.get("vlans", {}).values():
        cls, devices = (vlan.value.get(key) if isinstance(vlan.value, dict) else None for key in ("class", "devices"))
        if cls is not None and cls.value in rdma and (devices is None or name_set(devices.value) & set(device.names)):
            return True
    return False


def _judge_dscp_at_pcp(fabric: Fabric, nics: HostNics, at: Origin, first: FirstKind) -> Iterator[Hit]:
    """NICs that sort by DSCP at ports that sort by PCP."""
    for device, port, where in _list_switch_ports(fabric, nics):
        if port.trust == "pcp" and first.takes(at, nics):
            cls = rdma_classes_on(device, port, nics)[0]
            yield Hit(
                f"the NICs of {nics.key} trust dscp, but the switch classifies packets by PCP {where}: RDMA without "
                f"a VLAN tag is on priority 0 at the switch, and a pause of {cls.priority} never stops it",
                (at,),
                "set trust: dscp on these ports",
                ((port.at("trust"), "the switch trusts pcp"),),
            )
            return


# -- pause of the whole link -------------------------------------------------------------------------------------------


@rule(
    "NIC903",
    "nic-global-pause",
    ERROR,
    source="NVIDIA nic-configuration-operator: pauseFrames are to be off where PFC is used",
    by_kind=LOSSY_OFF,
    needs=("hosts",),
)
def nic_global_pause(fabric: Fabric) -> Iterator[Hit]:
    """A NIC has 802.3x pause on as well as PFC."""
    if any(_pauses_hosts(port) for device in fabric.devices for port in device.ports):
        return  # pfc-global-pause tells, with the switch's side
    first = FirstKind()
    for nics, pause in each_stated(fabric, "global_pause"):
        pfc = nics.value.get("pfc_priorities")
        if pause.value is not True or pfc is None or not pfc.value or not first.takes(pause.at, nics):
            continue
        yield Hit(
            f"the NICs of {nics.key} have 802.3x pause on as well as PFC: the two exclude each other, and the "
            "driver decides which one the NIC obeys",
            (pause.at,),
            "turn it off on the NIC (ethtool -A DEVICE rx off tx off) and set global_pause: false",
            ((pfc.at, "PFC is on here"),),
        )


def _pauses_hosts(port: PortGroup) -> bool:
    return bool(port.pfc) and port.faces != "switch" and not is_management(port)


# -- firmware ----------------------------------------------------------------------------------------------------------


@rule(
    "NIC904",
    "nic-firmware",
    WARNING,
    source="Meta, SIGCOMM'24, section 5.2: a firmware that hid CNP counters and changed what DCQCN did",
    needs=("hosts",),
)
def nic_firmware(fabric: Fabric) -> Iterator[Hit]:
    """NICs of one kind run different firmware."""
    under_way = is_under_way(fabric)
    kinds: dict[str, dict[str, list[tuple[HostNics, Any]]]] = {}
    for nics in host_nics(fabric):
        card, firmware = nics.value.get("nic"), nics.value.get("firmware")
        if card is not None and firmware is not None:
            kinds.setdefault(card.value, {}).setdefault(firmware.value, []).append((nics, firmware))
    for nic, found in kinds.items():
        if len(found) < 2:
            continue
        counts = {
            release: len(frozenset[str]().union(*(name_set(nics.hosts) for nics, _ in hosts)))
            for release, hosts in found.items()
        }
        usual = max(counts, key=lambda release: counts[release])  # of equally many, the first that is written
        for release, hosts in found.items():
            if release == usual:
                continue
            nics, at = hosts[0]
            groups = len(hosts) - 1
            more = f" and {groups} more group{'s' * (groups != 1)}" if groups else ""
            related: tuple[tuple[Origin, str], ...] = ((found[usual][0][1].at, f"firmware {usual} here"),)
            yield Hit(
                f"the {nic} NICs of {nics.key}{more} run firmware {release}, but {counts[usual]} of "
                f"{sum(counts.values())} hosts with that NIC run {usual}: releases differ in DCQCN defaults and in "
                "what their CNP counters count, so one job may be slowed down unevenly without a visible cause"
                + (UNDER_WAY if under_way else ""),
                (at.at,),
                "run one firmware on all NICs of a kind",
                related,
                severity=INFO if under_way else None,
            )


# -- kinds of NIC ------------------------------------------------------------------------------------------------------


@rule(
    "NIC960",
    "nic-unlisted",
    WARNING,
    source="what is stated of a kind of NIC holds for the ports listed under it: of others nothing is compared",
    needs=("links", "hosts"),
)
def nic_unlisted(fabric: Fabric) -> Iterator[Hit]:
    """RDMA crosses NIC ports that no entry under `nics` lists, on a host with several."""
    for key, host in stated_hosts(fabric).items():
        kinds = host.value.get("nics")
        if kinds is None:
            continue
        listed_ports = frozenset[str]().union(*(name_set(ports) for ports in kinds.value))
        ends = {end.nic: end for end in nic_ends(fabric)[key] if rdma_classes_on(end.device, end.port)}
        missing = [nic for nic in ends if nic not in listed_ports]
        if missing:
            yield Hit(
                f"links use {'NIC port' if len(missing) == 1 else 'NIC ports'} {fold(tuple(missing))} of {key} "
                f"({ends[missing[0]].where}), but no entry under nics lists "
                f"{'it' if len(missing) == 1 else 'them'}: their settings are not checked, and no file sets them",
                (kinds.at,),
                "list them under their kind of NIC, or correct the names in links",
            )


# -- retransmission ----------------------------------------------------------------------------------------------------

_NCCL_TIMEOUT = 20  # NCCL's own; it was 14 and 18


@rule(
    "NIC965",
    "nic-ack-timeout",
    WARNING,
    source="InfiniBand Architecture Specification: ACK timeout 4.096 us * 2^n, twice the lifetime of a packet and more",
    needs=("hosts",),
)
def nic_ack_timeout(fabric: Fabric) -> Iterator[Hit]:
    """RDMA connections retransmit before an ACK can arrive."""
    if fabric.rtt is None:
        return
    queue = _find_longest_queue(fabric)
    back = fabric.rtt + queue
    least = next(n for n in range(1, 32) if ack_timeout(n) > back)
    waits = f" and {show_wait(queue)} in one queue at kmax" if queue else ""
    for key, host in stated_hosts(fabric).items():
        stated = host.value.get("ib_timeout")
        if stated is None or not 0 < stated.value < least:
            continue
        yield Hit(
            f"connections of {key} retransmit after {show_wait(ack_timeout(stated.value))} without an ACK "
            f"(4.096us x 2^{stated.value}), but an ACK may take {show_wait(back)}: the round trip of "
            f"{show_wait(fabric.rtt)} ({describe_origin(fabric.at('rtt'))}){waits}. Packets that arrived are sent "
            "again, and connections fail without any loss",
            (stated.at,),
            f"set ib_timeout: {max(least, _NCCL_TIMEOUT)} for these hosts (NCCL_IB_TIMEOUT), {_tell_own(least)}",
            ((fabric.at("rtt"), "the round trip"),),
        )


def _tell_own(least: int) -> str:
    return f"NCCL's default, or at least {least}" if least <= _NCCL_TIMEOUT else "or more"


def _find_longest_queue(fabric: Fabric) -> float:
    """How long, in ms, RDMA waits in a queue that is as long as its marking lets it be; 0: not known."""
    return max(
        (
            queue_delay_us(curve.kmax, port.speed) / 1e3
            for device in fabric.devices
            for port in device.ports
            for cls in device.classes_on(port)
            if port.speed and "rdma" in cls.carries and isinstance(curve := cls.ecn_at(port.speed), Ecn)
        ),
        default=0.0,
    )


# -- what is found in the output of NICs alone -------------------------------------------------------------------------

nic_queue = source_rule(
    "NIC905",
    "nic-queue",
    WARNING,
    "A NIC limits RDMA, or shares bandwidth differently from the switch.",
    source="Linux, include/net/dcbnl.h: ieee_setets and ieee_setmaxrate hold for a traffic class of the NIC",
)
nic_unread = source_rule(
    "NIC906",
    "nic-unread",
    INFO,
    "A QoS line in the output of a NIC that rocecfg does not check.",
    source="iproute2, man dcb: what dcb prints of apps, ETS and buffers",
)

RULES: tuple[Rule, ...] = (
    nic_pfc,
    nic_trust,
    nic_global_pause,
    nic_firmware,
    nic_unlisted,
    nic_ack_timeout,
    nic_queue,
    nic_unread,
)
