"""What NICs say that they run, against the intent and the switch ports they are cabled to."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from rocecfg.analysis.hosts import HostNics, host_nics
from rocecfg.core.nodeset import name_set
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.hosts.fates import find_unread
from rocecfg.hosts.queues import find_queue_problems, find_queue_problems_alone
from rocecfg.hosts.reading import read
from rocecfg.hosts.state import PRIORITIES, WINDOWS, NicState, PlacedNic, listed_hosts, place_nics
from rocecfg.intent import Loaded
from rocecfg.model import Device, Fabric, Origin, PortGroup, Span, spans_of
from rocecfg.model.fates import Fates, add_up_fates
from rocecfg.model.frozen import replace
from rocecfg.model.stated import Problem
from rocecfg.rules.base import ERROR, WARNING
from rocecfg.rules.common import format_priorities
from rocecfg.rules.hosts import (
    ONLY_WHAT_THEY_SEND,
    depends_on_marks,
    describe_pfc_mismatch,
    nic_priorities,
    pfc_differs,
)
from rocecfg.rules.hosts_commands import MLX5, cable_command, driver_of, map_command, pfc_command, trust_command
from rocecfg.rules.hosts_ends import locate_pfc, nic_ends, ports_facing_hosts, rdma_classes_on
from rocecfg.rules.hosts_lldp import negotiates_pfc
from rocecfg.source.document import Document, SourceError

_NEAR = 1  # metres that may be rounded away


# -- against an intent -------------------------------------------------------------------------------------------------


class _SwitchPort(NamedTuple):
    device: Device
    port: PortGroup
    where: str


def find_nic_problems(fabric: Fabric, nics: list[PlacedNic]) -> Iterator[Problem]:
    """What is wrong with NICs of hosts that the intent lists."""
    for nic in nics:
        if _is_idle(nic, nics) and not _is_cabled(fabric, nic):
            continue
        if nic.filed and not _is_cabled(fabric, nic) and _is_cabled(fabric, nic._replace(label=nic.filed)):
            yield Problem(
                "nic-unread",
                nic.state.at,
                f"{nic.name} is not checked: the file is named after {nic.filed}, and nothing links this adapter to "
                "that NIC port",
                f"if it is, name it {nic.state.interface} in links, or the file {nic.host}.txt",
            )
            continue
        of = _kind_of_nic(fabric, nic)
        wanted = _find_switch_ports(fabric, of, nic) if of is not None else []
        if of is None or not wanted:
            continue  # no RDMA crosses it, or nobody knows what it is cabled to
        yield from _check_pfc(fabric, nic, of, wanted)
        yield from _check_trust(nic, of, wanted[0])
        yield from _check_pause(nic, wanted[0])
        yield from _check_cable(fabric, nic, of, wanted)
        yield from _check_lldp(nic, of, wanted[0])
        yield from find_queue_problems(fabric, nic, of, *wanted[0])


def _is_idle(nic: PlacedNic, nics: list[PlacedNic]) -> bool:
    """Whether QoS is off on an adapter that is listed among others: one for management, as far as is known."""
    return nic.state.enabled is False and any(
        other.host == nic.host and other.state is not nic.state for other in nics if other.state.enabled is not None
    )


def _is_cabled(fabric: Fabric, nic: PlacedNic) -> bool:
    """Whether links call a NIC port by that name."""
    ends = (end for nics in host_nics(fabric) for end in nic_ends(fabric)[nics.key])
    return any(nic.host in end.hosts and end.nic in (nic.label, nic.state.interface) for end in ends)


def _kind_of_nic(fabric: Fabric, nic: PlacedNic) -> HostNics | None:
    """What is stated of a NIC; None where its host has several kinds, and nothing tells which it is one of."""
    kinds = [nics for nics in host_nics(fabric) if nic.host in name_set(nics.hosts)]
    if len(kinds) < 2:
        return kinds[0] if kinds else None
    known = [name for name in (nic.state.interface, nic.label) if name]
    return next((nics for name in known for nics in kinds if nics.includes(nic.host, name)), None)


def _find_switch_ports(fabric: Fabric, of: HostNics, nic: PlacedNic) -> list[_SwitchPort]:
    """The switch ports that the NIC port may be cabled to, those that RDMA crosses."""
    ends = [end for end in nic_ends(fabric)[of.key] if nic.host in end.hosts]
    if not ends and not nic_ends(fabric)[of.key]:
        return [_SwitchPort(device, port, "on ports to hosts") for device, port in ports_facing_hosts(fabric, of)]
    for known in (nic.state.interface, nic.label):  # its own name says more than the file's
        own = [end for end in ends if end.nic == known]
        if own:
            ends = own
            break
    crossed = [end for end in ends if rdma_classes_on(end.device, end.port, of)]
    if len(crossed) != len(ends):
        return []  # one of them is not for RDMA, and which one this is cannot be told
    return [_SwitchPort(end.device, end.port, f"at {end.names[end.hosts.index(nic.host)]}") for end in crossed]


def _related_places(*of: tuple[Origin, str] | None) -> tuple[tuple[Span, str], ...]:
    return tuple((spans_of(pair[0])[0], pair[1]) for pair in of if pair is not None and spans_of(pair[0]))


def _check_pfc(fabric: Fabric, nic: PlacedNic, of: HostNics, wanted: list[_SwitchPort]) -> Iterator[Problem]:
    own = nic.state.pfc
    if own is None or fabric.mode != "lossless":
        return
    if not all(pfc_differs(fabric, w.device, w.port, own, of) for w in wanted):
        return  # it fits one of those it may be cabled to
    device, port, where = wanted[0]
    unsure = depends_on_marks(device, port, own, of)
    becomes = ONLY_WHAT_THEY_SEND if unsure else describe_pfc_mismatch(own, port.pfc)
    stated = of.value.get("pfc_priorities")
    intent = (stated.at, "what the intent states for the host") if stated is not None else None
    yield Problem(
        "nic-pfc",
        nic.state.places["pfc"],
        f"{nic.name} has PFC on {format_priorities(own)}, but the switch has it on {format_priorities(port.pfc)} "
        f"{where}: {becomes}",
        pause_command(nic.state, nic_priorities(fabric, device, port, of), _driver_of(nic.state, of)),
        _related_places(locate_pfc(device, port), intent),
        WARNING if unsure else None,
    )


def _check_trust(nic: PlacedNic, of: HostNics, wanted: _SwitchPort) -> Iterator[Problem]:
    device, port, where = wanted
    yield from _check_policy(nic, of, wanted)
    if nic.state.trust is None or port.trust != "dscp":
        return
    rdma = rdma_classes_on(device, port, of)
    if nic.state.trust == "pcp":
        yield Problem(
            "nic-trust",
            nic.state.places["trust"],
            f"{nic.name} trusts PCP, but the switch classifies packets by DSCP {where}: RDMA without a VLAN tag is on "
            "priority 0 in the NIC, whatever its DSCP",
            trust_command(_driver_of(nic.state, of), rdma[0].dscps[0], rdma[0].priority, nic.device),
            _related_places((rdma[0].at("dscp"), f"class {rdma[0].name} is known by its DSCP")),
        )
        return
    stated = of.value.get("rdma_dscp")
    for cls in rdma:
        for dscp in cls.dscps:
            on = nic.state.priority_of.get(dscp)
            if on is None or on == cls.priority or (stated is not None and stated.value != dscp):
                continue
            yield Problem(
                "nic-trust",
                nic.state.mapped[dscp],
                f"{nic.name} puts DSCP {dscp} on priority {on}, but class {cls.name} has priority {cls.priority} "
                f"{where}: a pause of that priority does not stop it in the NIC",
                map_command(_driver_of(nic.state, of), dscp, on, cls.priority, nic.device),
                _related_places((cls.at("priority"), f"class {cls.name}")),
            )


def _check_policy(nic: PlacedNic, of: HostNics, wanted: _SwitchPort) -> Iterator[Problem]:
    """RDMA that a host's QoS policy puts on another priority than the switch has it on."""
    own, crossing = nic.state.rdma_priority, rdma_classes_on(wanted.device, wanted.port, of)
    if own is None or own in {cls.priority for cls in crossing}:
        return
    cls = crossing[0]
    yield Problem(
        "nic-trust",
        nic.state.places["rdma"],
        f"{nic.name} puts RDMA on priority {own}, but class {cls.name} has priority {cls.priority} {wanted.where}: a "
        "pause of that priority does not stop it in the NIC",
        rdma_priority_command(cls.priority),
        _related_places((cls.at("priority"), f"class {cls.name}")),
    )


def _check_pause(nic: PlacedNic, wanted: _SwitchPort) -> Iterator[Problem]:
    if nic.state.pauses and (wanted.port.pfc or nic.state.pfc):
        yield _link_pause_problem(nic, _related_places(locate_pfc(wanted.device, wanted.port)))


def _link_pause_problem(nic: PlacedNic, related: tuple[tuple[Span, str], ...]) -> Problem:
    return Problem(
        "nic-global-pause",
        nic.state.places["pauses"],
        f"{nic.name} has 802.3x pause on ({' and '.join(nic.state.pauses or ())}) with PFC: the two exclude each other",
        f"ethtool -A {nic.device} rx off tx off",
        related,
    )


def _check_cable(fabric: Fabric, nic: PlacedNic, of: HostNics, wanted: list[_SwitchPort]) -> Iterator[Problem]:
    configured = nic.state.cable
    metres = [w.port.cable for w in wanted if w.port.cable is not None]
    if configured is None or len(metres) != len(wanted) or configured + _NEAR > min(metres):
        return
    port = min(wanted, key=lambda w: w.port.cable or 0)
    length = port.port.cable or 0
    pfc = nic_priorities(fabric, port.device, port.port, of)
    yield Problem(
        "buffer-nic",
        nic.state.places["cable"],
        f"{nic.name} sizes its headroom for {configured} m, but the cable {port.where} has {show_number(length)} m: "
        "packets for the host are lost after a pause",
        cable_command(_driver_of(nic.state, of), ceil(length), pfc, nic.device),
        _related_places((port.port.at("cable"), "the cable")),
    )


# -- who speaks DCBX: findings of rule NIC962 --------------------------------------------------------------------------

_NEEDED = ("LLDP_NB_TX_MODE", "LLDP_NB_RX_MODE", "LLDP_NB_DCBX")  # all on, or the firmware answers no DCBX
_DIALECTS = ("DCBX_IEEE", "DCBX_CEE")  # one of them
_FORCE = "set PFC at the switch (dcbx: off)"


def _check_lldp(nic: PlacedNic, of: HostNics, wanted: _SwitchPort) -> Iterator[Problem]:
    """What is wrong with who speaks DCBX; nothing where PFC of the switch does not depend on it.

    With the firmware's agent alone a switch negotiates; with none that speaks DCBX, or with two agents, it reaches no
    agreement. What the intent says that sends LLDP on the NIC is `lldp_agents`.
    """
    device, port, where = wanted
    if not port.pfc or not negotiates_pfc(device):
        return
    state, agents = nic.state, of.value.get("lldp_agents")
    related = _related_places((device.at("dcbx"), "PFC is negotiated"))
    stated = {each.value for each in agents.value} if agents is not None else set()
    depends = f"the switch negotiates PFC by DCBX (dcbx: {device.dcbx}) {where}"
    card = f" {state.card}" if state.card is not None else ""
    silent = _find_silent_firmware(state)
    if silent is not None and "os" not in stated:
        at, given = silent
        yield Problem(
            "nic-lldp-agent",
            at,
            f"the firmware{card} of {nic.name} does not speak DCBX ({given}), but {depends}: unless an agent of the "
            "host answers, PFC stays off",
            f"{_FORCE}; or turn DCBX on in the firmware (mlnx_qos -i DEVICE --dcbx fw; mlxconfig -d CARD set "
            "LLDP_NB_TX_MODE_P1=2 LLDP_NB_RX_MODE_P1=2 LLDP_NB_DCBX_P1=1, and a reset); if the host's own agent "
            "speaks DCBX, state lldp_agents: os",
            related,
        )
    elif stated == {"os"} and (speaking := _find_speaking_firmware(state)) is not None:
        at, given = speaking
        assert agents is not None
        yield Problem(
            "nic-lldp-agent",
            at,
            f"the firmware{card} of {nic.name} sends LLDP ({given}) as does the host's own agent, and {depends}: with "
            "two agents on a link DCBX does not agree, and PFC stays off",
            f"{_FORCE} first, then turn the firmware's agent off (mlxconfig -d CARD set LLDP_NB_TX_MODE_P1=0 "
            "LLDP_NB_RX_MODE_P1=0 LLDP_NB_DCBX_P1=0, and a reset)",
            (*related, (agents.at, "the host's own agent, as the intent states")),
        )


def _find_silent_firmware(nic: NicState) -> tuple[Span, str] | None:
    """Where it is said that the firmware speaks no DCBX, and how."""
    off = next((key for key in _NEEDED if nic.firmware.get(key) is False), None)
    if off is None and all(nic.firmware.get(key) is False for key in _DIALECTS):
        off = _DIALECTS[0]
    if off is not None:
        return nic.places[off], f"{off} is off"
    return (nic.places["dcbx"], "DCBX mode: OS controlled") if nic.dcbx == "os" else None


def _find_speaking_firmware(nic: NicState) -> tuple[Span, str] | None:
    """Where it is said that the firmware sends LLDP, and how."""
    if nic.firmware.get("LLDP_NB_TX_MODE"):
        return nic.places["LLDP_NB_TX_MODE"], "LLDP_NB_TX_MODE is on"
    return (nic.places["dcbx"], "DCBX mode: Firmware controlled") if nic.dcbx == "firmware" else None


# -- alone -------------------------------------------------------------------------------------------------------------


def find_problems_alone(nics: list[PlacedNic]) -> Iterator[Problem]:
    """What is wrong with NICs whatever the switches are."""
    for nic in nics:
        found = nic.state
        if _is_idle(nic, nics):
            continue
        if found.pfc is not None and len(found.pfc) != 1:
            means = (
                "RDMA is lossy on it, unless the whole fabric is intended to be lossy"
                if not found.pfc
                else "each is one more class that can stop the others and takes headroom"
            )
            help = "also give the intent, to compare the NIC with the switch"
            words = f"{nic.name} has PFC on {format_priorities(found.pfc)}: {means}"
            yield Problem("nic-pfc", found.places["pfc"], words, help, severity=WARNING)
        if found.pfc and found.rdma_priority is not None and found.rdma_priority not in found.pfc:
            yield Problem(
                "nic-trust",
                found.places["rdma"],
                f"{nic.name} puts RDMA on priority {found.rdma_priority}, but has PFC on "
                f"{format_priorities(found.pfc)}: RDMA is lossy on it",
                rdma_priority_command(found.pfc[0]),
            )
        if found.trust == "pcp":
            yield Problem(
                "nic-trust",
                found.places["trust"],
                f"{nic.name} trusts PCP: RDMA without a VLAN tag is on priority 0, whatever its DSCP",
                trust_command(MLX5, None, 0, nic.device),  # mlnx_qos alone says so
                severity=ERROR if found.pfc else WARNING,
            )
        if found.pauses and found.pfc:
            yield _link_pause_problem(nic, ())
        yield from find_queue_problems_alone(nic)


# -- among the files that were given -----------------------------------------------------------------------------------


class _Hosts(NamedTuple):
    """What hosts of one fabric say."""

    paths: list[str]
    nics: list[PlacedNic]
    unread: list[Problem]
    fates: list[Fates]


def with_nics(fabrics: list[Loaded], outputs: list[Document]) -> list[Loaded]:
    """The fabrics with what is wrong with their NICs, and what stands alone or cannot be read behind them."""
    known = [
        listed_hosts(f.fabric) if f.fabric is not None and not f.fabric.running else frozenset[str]() for f in fabrics
    ]
    own: dict[int, _Hosts] = {}  # by number of the fabric
    rest: list[Loaded] = []
    for document in outputs:
        path = document.path
        try:
            found = read(document)
        except SourceError as error:
            rest.append(Loaded(path, None, (path,), [], [error]))
            continue
        for n, hosts in enumerate(known):
            nics = place_nics(found.nics, path, hosts)
            if nics:
                theirs = own.setdefault(n, _Hosts([], [], [], []))
                theirs.paths.append(path)
                theirs.nics.extend(nics)
                theirs.unread.extend(find_unread(nics, found.fates, document))
                theirs.fates.append(found.fates)
                break
        else:
            nics = place_nics(found.nics, path, None)
            problems = [*find_problems_alone(nics), *find_unread(nics, found.fates, document)]
            rest.append(Loaded(path, None, (path,), problems, [], fates=found.fates))
    return [*(_add_nics(loaded, own[n]) if n in own else loaded for n, loaded in enumerate(fabrics)), *rest]


def _add_nics(loaded: Loaded, hosts: _Hosts) -> Loaded:
    """The fabric with what its hosts say, and the files that say it."""
    fabric = loaded.fabric
    assert fabric is not None
    return loaded._replace(
        fabric=replace(fabric, sections=fabric.sections | {"hosts"}),
        problems=[*loaded.problems, *find_nic_problems(fabric, hosts.nics), *hosts.unread],
        files=(*loaded.files, *hosts.paths),
        fates=add_up_fates(hosts.fates),
    )


def _driver_of(nic: NicState, of: HostNics) -> str | None:
    """The driver that a NIC's output shows, as `mlnx_qos` alone prints a cable length, or the intent's card has."""
    return MLX5 if nic.cable is not None else driver_of(of)


def pause_command(nic: NicState, wanted: tuple[int, ...], driver: str | None) -> str:
    """The commands that leave PFC on these priorities alone, on Windows for the adapter where its name is known."""
    if nic.system != WINDOWS:
        return pfc_command(driver, wanted, nic.interface or "DEVICE")
    off = ",".join(str(n) for n in range(PRIORITIES) if n not in wanted)
    on = ",".join(map(str, wanted))
    of = f' -InterfaceAlias "{nic.interface}"' if nic.interface else ""
    out = [f"Enable-NetQosFlowControl -Priority {on}{of}"] if wanted else []
    if off:
        out.append(f"Disable-NetQosFlowControl -Priority {off}{of}")
    if nic.enabled is False:
        out.append(f'Enable-NetAdapterQos -Name "{nic.interface}"')
    return "; ".join(out)


def rdma_priority_command(priority: int) -> str:
    """The command that puts RDMA of a Windows host on a priority, in the policy that matches it."""
    return (
        f"Set-NetQosPolicy -Name POLICY -PriorityValue8021Action {priority}, where POLICY is the one with "
        "NetDirectPort "
        f'(none: New-NetQosPolicy "SMBDirect" -NetDirectPortMatchCondition 445 -PriorityValue8021Action {priority})'
    )
