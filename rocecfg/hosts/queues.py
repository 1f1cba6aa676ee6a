"""What becomes of RDMA inside a NIC: where its maps, receive buffers and traffic classes put it, as its output says."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from rocecfg.analysis.hosts import HostNics
from rocecfg.core.units import ranges, show_rate
from rocecfg.hosts.plan import Shares, nic_shares
from rocecfg.hosts.state import ROCE_PORT, WINDOWS, NicState, PlacedNic
from rocecfg.model import Device, Fabric, Origin, PortGroup, Span, TrafficClass, spans_of
from rocecfg.model.stated import Problem
from rocecfg.physics.headroom import nic_headroom
from rocecfg.rules.base import ERROR, INFO, WARNING
from rocecfg.rules.buffer_headroom import ip_mtu
from rocecfg.rules.hosts_commands import ICE, MLX5, driver_of, lldp_off_command, map_command
from rocecfg.rules.hosts_ends import rdma_classes_on
from rocecfg.rules.hosts_lldp import negotiates_pfc

_CNP = 48  # DSCP of CNPs as cards have it
_STARVED = 2  # a share of less than one such part of the switch's is a warning


def find_queue_problems(
    fabric: Fabric, nic: PlacedNic, of: HostNics, device: Device, port: PortGroup, where: str
) -> Iterator[Problem]:
    """What holds RDMA back in a NIC at a switch port that RDMA crosses."""
    rdma = rdma_classes_on(device, port, of)
    own = {cls.priority for cls in rdma}
    driver = MLX5 if nic.state.cable is not None else driver_of(of)
    yield from _judge_maps(nic, of, driver, rdma, device.classes_on(port), where)
    yield from _judge_ports(nic, own, (rdma[0].at("priority"), f"class {rdma[0].name}"))
    paused = own & set(nic.state.pfc or ()) if fabric.mode == "lossless" else set()
    yield from _judge_empty_buffers(nic, paused)
    yield from _judge_buffers(fabric, nic, of, driver, paused, device, port)
    shares = nic_shares(device.all_classes_on(port))
    for cls in rdma[:1]:
        wanted = shares.percents[cls.queue] if isinstance(shares, Shares) else None
        yield from _judge_sending(nic, cls.priority, wanted, port.speed)
        yield from _judge_strict_others(nic, cls.priority, device.all_classes_on(port), where)
    yield from _judge_agent(nic, negotiates_pfc(device))


def find_queue_problems_alone(nic: PlacedNic) -> Iterator[Problem]:
    """What holds back what a NIC has PFC on, whatever the switches are."""
    paused = nic.state.pfc or ()
    yield from _judge_empty_buffers(nic, set(paused))
    if paused:
        yield from _judge_ports(nic, set(paused), None)
        if nic.state.priority_of.get(_CNP) in paused:
            yield _cnp_problem(nic, _CNP, "; its class is a matter of the switch", None, None)
        yield from _judge_sending(nic, paused[0], None, None)
    yield from _judge_agent(nic, negotiates=False)


def _related_places(*of: tuple[Origin, str] | None) -> tuple[tuple[Span, str], ...]:
    return tuple((spans_of(pair[0])[0], pair[1]) for pair in of if pair is not None and spans_of(pair[0]))


def _of_priorities(found: list[int]) -> str:
    return f"priorit{'y' if len(found) == 1 else 'ies'} {ranges(found)}"


# -- maps --------------------------------------------------------------------------------------------------------------


def _judge_maps(
    nic: PlacedNic,
    of: HostNics,
    driver: str | None,
    rdma: list[TrafficClass],
    crossing: tuple[TrafficClass, ...],
    where: str,
) -> Iterator[Problem]:
    """Code points of others on RDMA's priority in the NIC, and CNPs on another than their class's."""
    on, own = nic.state.priority_of, {cls.priority for cls in rdma}
    classes = {dscp: cls for cls in crossing for dscp in cls.dscps if not cls.rest}
    stated = of.value.get("cnp_dscp")
    cnps = next((cls for cls in crossing if "cnp" in cls.carries), None)
    marks = {stated.value} if stated is not None else set(cnps.dscps if cnps is not None and not cnps.rest else ())
    for dscp in sorted(marks & on.keys()):
        if cnps is not None and on[dscp] != cnps.priority:
            command = map_command(driver, dscp, on[dscp], cnps.priority, nic.device)
            tail = f"; class {cnps.name} is priority {cnps.priority} {where}"
            severity = ERROR if on[dscp] in own else WARNING
            yield _cnp_problem(nic, dscp, tail, command, (cnps.at("priority"), f"class {cnps.name}"), severity)
    others: dict[int, list[int]] = {}
    for dscp, priority in sorted(on.items()):
        cls = classes.get(dscp)
        usual = cls is None and dscp >> 3 == priority  # as cards have it, of what nobody sends
        if priority in own and dscp not in marks and not usual and (cls is None or cls.priority not in own):
            others.setdefault(priority, []).append(dscp)
    for priority, dscps in others.items():
        cls = classes.get(dscps[0])
        kind = f"class {cls.name}'s" if cls is not None and len(dscps) == 1 else "no RDMA"
        yield Problem(
            "nic-trust",
            nic.state.mapped[dscps[0]],
            f"{nic.name} puts DSCP {ranges(dscps)} on RDMA's priority {priority}, but packets with it are {kind} "
            f"{where}: they fill RDMA's buffer in the NIC and make it pause the switch",
            map_command(driver, dscps[0], priority, cls.priority if cls is not None else 0, nic.device),
            severity=WARNING,
        )


def _cnp_problem(
    nic: PlacedNic,
    dscp: int,
    tail: str,
    command: str | None,
    related: tuple[Origin, str] | None,
    severity: str = WARNING,
) -> Problem:
    return Problem(
        "nic-trust",
        nic.state.mapped[dscp],
        f"{nic.name} puts CNPs (DSCP {dscp}) on priority {nic.state.priority_of[dscp]}: they wait there behind other "
        f"traffic, and are paused with RDMA{tail}",
        command or "put them on a priority of their own",
        _related_places(related),
        severity=severity,
    )


def _judge_ports(nic: PlacedNic, own: set[int], related: tuple[Origin, str] | None) -> Iterator[Problem]:
    """RoCE's UDP port on another priority than RDMA's."""
    entry = nic.state.ports.get(ROCE_PORT)
    if entry is not None and entry[0] not in own:
        yield Problem(
            "nic-trust",
            entry[1],
            f"{nic.name} puts UDP port {ROCE_PORT}, which is RoCE, on priority {entry[0]}, but RDMA is on "
            f"{ranges(sorted(own))}: which one a packet gets depends on the driver",
            f"dcb app del dev {nic.device} dgram-port-prio {ROCE_PORT}:{entry[0]}",
            _related_places(related),
        )


# -- receive buffers ---------------------------------------------------------------------------------------------------


def _find_buffers(nic: NicState, priorities: set[int]) -> Iterator[tuple[int, int, int]]:
    """Of each of these priorities its receive buffer, and the bytes of that."""
    if nic.buffer_of and nic.buffers:
        for priority in sorted(priorities):
            number = nic.buffer_of[priority]
            if number < len(nic.buffers):
                yield priority, number, nic.buffers[number]


def _judge_empty_buffers(nic: PlacedNic, paused: set[int]) -> Iterator[Problem]:
    for priority, number, size in _find_buffers(nic.state, paused):
        if size == 0:
            yield Problem(
                "buffer-nic",
                nic.state.places["buffer_of"],
                f"{nic.name} has priority {priority} in receive buffer {number}, whose size is 0: packets that arrive "
                "after a pause have no room, and PFC protects nothing",
                (
                    "give the buffer a size, or use another buffer for the priority (mlnx_qos --buffer_size, "
                    "--prio2buffer)"
                ),
                ((nic.state.places["buffers"], "the sizes"),),
                ERROR,
            )


def _judge_shared_buffers(nic: PlacedNic, paused: set[int]) -> Iterator[Problem]:
    """Priorities without PFC in the receive buffer of one with PFC, whose room is large enough."""
    for priority, number, size in _find_buffers(nic.state, paused):
        beside = [p for p, other in enumerate(nic.state.buffer_of) if other == number and p not in paused]
        if beside and size > 0:
            yield Problem(
                "buffer-nic",
                nic.state.places["buffer_of"],
                f"{nic.name} has {_of_priorities(beside)} in receive buffer {number} of priority {priority}, without "
                "PFC: its packets take the room reserved for RDMA, and make the NIC pause RDMA",
                "give the lossless priorities a buffer of their own (mlnx_qos --prio2buffer)",
                ((nic.state.places["buffers"], "the sizes"),),
                INFO,
            )


def _judge_buffers(
    fabric: Fabric,
    nic: PlacedNic,
    of: HostNics,
    driver: str | None,
    paused: set[int],
    device: Device,
    port: PortGroup,
) -> Iterator[Problem]:
    """A buffer of a paused priority that has less than the mlx5 driver's own headroom for the link."""
    if driver != MLX5 or port.speed is None:
        return
    metres = nic.state.cable if nic.state.cable is not None else port.cable
    stated = of.value.get("mtu")
    frame = stated.value if stated is not None else ip_mtu(fabric, device, port)
    if metres is None:
        return
    need = ceil(round(nic_headroom(port.speed, metres, frame), 3))
    if all(size >= need for _, _, size in _find_buffers(nic.state, paused)):
        yield from _judge_shared_buffers(nic, paused)
    for priority, number, size in _find_buffers(nic.state, paused):
        if 0 < size < need:
            shared = [p for p, other in enumerate(nic.state.buffer_of) if other == number and p != priority]
            yield Problem(
                "buffer-nic",
                nic.state.places["buffers"],
                f"{nic.name} has {size:,} B in receive buffer {number} of priority {priority}"
                + (f", which it shares with {ranges(shared)}" if shared else "")
                + (
                    f", but the driver needs (301 + 2.16 x {metres:g} m) x {port.speed / 10**9:g} Gbit/s + 2.72 x MTU "
                    f"{frame} B = {need:,} B at {show_rate(port.speed)}: packets for the host are lost after it pauses"
                ),
                f"give the lossless priorities a buffer of their own of {need:,} B or more (mlnx_qos --buffer_size, "
                "--prio2buffer)",
                ((nic.state.places["buffer_of"], "the buffer of each priority"),),
            )


# -- traffic classes ---------------------------------------------------------------------------------------------------


def _share_command(nic: PlacedNic) -> str:
    how = "Set-NetQosTrafficClass" if nic.state.system == WINDOWS else "mlnx_qos --tcbw, dcb ets set tc-bw"
    return f"give it the switch's share ({how})"


def _judge_sending(nic: PlacedNic, priority: int, wanted: int | None, speed: int | None) -> Iterator[Problem]:
    """The traffic class of RDMA: a limit, a small share, others beside it, or strict priority."""
    state = nic.state
    number = state.class_of.get(priority)
    found = state.sending.get(number) if number is not None else None
    if found is None or number is None:
        if state.class_of and state.sending:
            yield Problem(
                "nic-queue",
                min((each.at for each in state.sending.values()), key=lambda at: at.start),
                f"{nic.name}: this output has no traffic class for priority {priority}, RDMA's: its scheduling is not "
                "checked",
                "give the whole output of the tool",
                severity=INFO,
            )
        return
    if found.limit is not None:
        of = f", on a port of {show_rate(speed)}" if speed is not None else ""
        yield Problem(
            "nic-queue",
            found.limit,
            f"{nic.name} has a rate limit on traffic class {number}, which sends priority {priority}, RDMA's{of}",
            f"mlnx_qos -i {nic.device} --ratelimit 0,0,0,0,0,0,0,0, or dcb maxrate set dev {nic.device} "
            "tc-maxrate all:0",
        )
    beside = sorted(p for p, other in state.class_of.items() if other == number and p != priority)
    if beside:
        yield Problem(
            "nic-queue",
            found.at,
            f"{nic.name} sends RDMA's priority {priority} from traffic class {number} with priorities "
            f"{ranges(beside)}: they share its queue",
            "give RDMA a traffic class of its own",
            severity=INFO,
        )
    if found.strict and wanted:
        yield Problem(
            "nic-queue",
            found.at,
            f"{nic.name} sends RDMA's traffic class {number} by strict priority, but the switch gives it {wanted} %",
            "share by ETS, as the switch does",
            severity=INFO,
        )
    elif found.share is not None and found.share_at is not None and not found.strict and wanted is not None:
        if found.share != wanted:
            few = found.share * _STARVED < wanted
            yield Problem(
                "nic-queue",
                found.share_at,
                f"{nic.name} gives RDMA's traffic class {number} a share of {found.share} %, but the switch gives it "
                f"{wanted} %" + (": with other traffic the NIC holds RDMA back" if few else ""),
                _share_command(nic),
                severity=WARNING if few else INFO,
            )
    elif found.share is not None and found.share_at is not None and found.share * 10 < 100 and not found.strict:
        yield Problem(
            "nic-queue",
            found.share_at,
            f"{nic.name} gives traffic class {number} a share of {found.share} %, and it sends priority {priority}, "
            "which has PFC: with other traffic the NIC holds RDMA back",
            _share_command(nic),
        )


def _judge_strict_others(
    nic: PlacedNic, priority: int, crossing: tuple[TrafficClass, ...], where: str
) -> Iterator[Problem]:
    """Traffic classes that the NIC sends before RDMA's, of traffic that the switch does not send first."""
    state = nic.state
    own = state.sending.get(state.class_of.get(priority, -1))
    if own is None or own.strict:
        return
    for cls in crossing:
        first = state.sending.get(state.class_of.get(cls.priority, -1))
        if first is not None and first.strict and not cls.strict:
            yield Problem(
                "nic-queue",
                first.at,
                f"{nic.name} sends traffic class {state.class_of[cls.priority]}, which has priority {cls.priority}, "
                f"by strict priority before RDMA's, but class {cls.name} is not strict {where}: RDMA gets only the "
                "rest",
                "share by ETS, as the switch does (mlnx_qos --tsa, dcb ets set tc-tsa)",
                _related_places((cls.at("priority"), f"class {cls.name}")),
            )


# -- who speaks DCBX ---------------------------------------------------------------------------------------------------


def _judge_agent(nic: PlacedNic, negotiates: bool) -> Iterator[Problem]:
    if nic.state.fw_lldp and not negotiates:
        yield Problem(
            "nic-lldp-agent",
            nic.state.places["fw_lldp"],
            f"the firmware's LLDP agent of {nic.name} is on: it takes PFC from the switch by DCBX, and the driver "
            "refuses settings on the host",
            lldp_off_command(ICE, nic.device),
        )
