"""What NICs do against what their switch ports do: rules NIC901 to NIC904."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.nodeset import name_set
from rocecfg.model import Device, Fabric, Origin, PortGroup
from rocecfg.rules.base import ERROR, INFO, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF
from rocecfg.rules.common import LOSSY_OFF, UNDER_WAY, dual_tor_priorities, is_management, is_under_way
from rocecfg.rules.hosts_ends import (
    facing_hosts,
    lossless_place,
    nic_ends,
    priorities,
    rdma_ends,
    rdma_on,
    stated_hosts,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MARKS = frozenset(("rdma_dscp", "nccl_ib_tc", "tos"))  # what is said of hosts that send RDMA


def _places(fabric: Fabric, key: str) -> list[tuple[Device, PortGroup, str]]:
    """The switch ports of a group of hosts and how a message calls them: by link, else all that face hosts."""
    if nic_ends(fabric)[key]:
        return [(end.device, end.port, f"at {end.where}") for end in rdma_ends(fabric, key)]
    return [(device, port, "on ports to hosts") for device, port in facing_hosts(fabric)]


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
    for key, host in stated_hosts(fabric).items():
        said = host.value.get("pfc_priorities")
        if said is None:
            continue
        own = tuple(sorted(p.value for p in said.value))
        if not own and not nic_ends(fabric)[key] and _MARKS.isdisjoint(host.value):
            continue  # hosts of another kind: nothing says that RDMA is theirs
        told: set[tuple[int, ...]] = set()
        places = _places(fabric, key)
        several = not nic_ends(fabric)[key] and any(port.maps is not None for _, port, _ in places)
        if several and not all(pfc_differs(fabric, device, port, own) for device, port, _ in places):
            continue  # ports sort in several ways: these may be the hosts of those that fit
        for device, port, where in places:
            if port.pfc in told or not pfc_differs(fabric, device, port, own):
                continue
            told.add(port.pfc)
            wanted = nic_priorities(fabric, device, port)
            yield Hit(
                f"the NICs of {key} have PFC on {priorities(own)}, and the switch has it on {priorities(port.pfc)} "
                f"{where}: {pfc_means(own, port.pfc)}",
                (said.at,),
                f"set pfc_priorities: {list(wanted)} there, and PFC of the NICs to it "
                f"(mlnx_qos --pfc {pfc_list(wanted)})",
                tuple(filter(None, (lossless_place(device, port),))),
            )


def pfc_differs(fabric: Fabric, device: Device, port: PortGroup, nic: tuple[int, ...]) -> bool:
    """Whether a NIC with PFC on these priorities does not match a switch port that RDMA crosses."""
    rdma = rdma_on(device, port)
    if not all(cls.lossless for cls in rdma):
        return False  # RDMA that a switch does not protect is pfc-missing-rdma's
    if nic == port.pfc:
        return False
    spared = dual_tor_priorities(fabric, device) - {cls.priority for cls in rdma}
    return not spared.issuperset(set(nic).symmetric_difference(nic_priorities(fabric, device, port)))


def nic_priorities(fabric: Fabric, device: Device, port: PortGroup) -> tuple[int, ...]:
    """The priorities that NICs at a port need PFC on: those of RDMA, and what two ToRs a host take besides.

    CNPs, control or another class that is lossless on the switch are no reason to pause them on the NICs as well:
    `pfc-cnp`, `pfc-control-prio` and `pfc-rdma-only` tell what to mend, on the switch.
    """
    rdma = {cls.priority for cls in device.all_classes_on(port) if "rdma" in cls.carries}
    needed = rdma | dual_tor_priorities(fabric, device)
    return tuple(p for p in port.pfc if p in needed)


def pfc_means(nic: tuple[int, ...], switch: tuple[int, ...]) -> str:
    """What becomes of a link whose ends have PFC on different priorities."""
    out = []
    if not set(switch) <= set(nic):
        out.append("the NIC goes on sending what the switch pauses, and it is dropped")
    if not set(nic) <= set(switch):
        out.append("the switch ignores what the NIC pauses, and the NIC drops it")
    return "; ".join(out)


def pfc_list(numbers: tuple[int, ...]) -> str:
    """Priorities as mlnx_qos and NVIDIA's operator want them: `0,0,0,1,0,0,0,0`."""
    return ",".join(str(int(p in numbers)) for p in range(8))


# -- what classifies ---------------------------------------------------------------------------------------------------


@rule(
    "NIC902",
    "nic-trust",
    ERROR,
    source="NVIDIA mlnx_qos: NICs trust PCP until they are told to trust DSCP; routed packets carry no PCP",
    needs=("hosts",),
)
def nic_trust(fabric: Fabric) -> Iterator[Hit]:
    """NICs sort packets by PCP where the switch sorts them by DSCP."""
    for key, host in stated_hosts(fabric).items():
        said = host.value.get("trust")
        if said is None or said.value != "pcp":
            continue
        for device, port, where in _places(fabric, key):
            if port.trust != "dscp":
                continue  # both by PCP, or mix-trust's
            cls = rdma_on(device, port)[0]
            yield Hit(
                f"the NICs of {key} trust pcp, and the switch sorts packets by DSCP {where}: RDMA without a VLAN tag "
                f"is on priority 0 in the NIC, whatever its DSCP, and PFC there protects another priority "
                f"than {cls.priority}",
                (said.at,),
                "set trust: dscp there and on the NICs (mlnx_qos --trust dscp)",
                ((cls.at("dscp"), f"class {cls.name} is known by its DSCP"),),
            )
            break


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
    """A NIC has 802.3x pause on beside PFC of its own."""
    if any(_pauses_hosts(port) for device in fabric.devices for port in device.ports):
        return  # pfc-global-pause tells, with the switch's side
    for key, host in stated_hosts(fabric).items():
        pause, pfc = host.value.get("global_pause"), host.value.get("pfc_priorities")
        if pause is None or pause.value is not True or pfc is None or not pfc.value:
            continue
        yield Hit(
            f"the NICs of {key} have 802.3x pause on beside PFC: the two exclude each other, and which of them the NIC "
            "then obeys is the driver's choice",
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
    kinds: dict[str, dict[str, list[tuple[str, Any]]]] = {}
    for key, host in stated_hosts(fabric).items():
        nic, firmware = host.value.get("nic"), host.value.get("firmware")
        if nic is not None and firmware is not None:
            kinds.setdefault(nic.value, {}).setdefault(firmware.value, []).append((key, firmware))
    for nic, found in kinds.items():
        if len(found) < 2:
            continue
        counts = {release: sum(len(name_set(key)) for key, _ in hosts) for release, hosts in found.items()}
        usual = max(counts, key=lambda release: counts[release])  # of equally many, the first that is written
        for release, hosts in found.items():
            if release == usual:
                continue
            key, at = hosts[0]
            groups = len(hosts) - 1
            more = f" and {groups} more group{'s' * (groups != 1)}" if groups else ""
            related: tuple[tuple[Origin, str], ...] = ((found[usual][0][1].at, f"firmware {usual} here"),)
            yield Hit(
                f"the {nic} NICs of {key}{more} run firmware {release}, and {counts[usual]} of "
                f"{sum(counts.values())} hosts with that NIC run {usual}: releases differ in DCQCN defaults and in "
                "what their CNP counters count, so that one job is slowed down unevenly and nobody sees why"
                + (UNDER_WAY if under_way else ""),
                (at.at,),
                "run one firmware on all NICs of a kind",
                related,
                severity=INFO if under_way else None,
            )


RULES: tuple[Rule, ...] = (nic_pfc, nic_trust, nic_global_pause, nic_firmware)
