"""LLDP agents of NICs against switches that negotiate PFC: rule NIC962."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.hosts import FirstKind, HostNics, each_stated
from rocecfg.model import Device, Fabric
from rocecfg.rules.base import WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF
from rocecfg.rules.hosts_commands import driver_of, lldp_off_command
from rocecfg.rules.hosts_ends import nic_ends, ports_facing_hosts, rdma_ends

NEGOTIATING = ("auto", "willing")  # DCBX of a switch whose PFC depends on what its peer says


@rule(
    "NIC962",
    "nic-lldp-agent",
    WARNING,
    source="Azure/AzureLocal-Supportability, TSG on LLDP, DCBX, PFC: with two agents PFC auto stays down (NX-OS 10.3)",
    by_kind=LOSSY_OFF,
    needs=("hosts",),
)
def nic_lldp_agent(fabric: Fabric) -> Iterator[Hit]:
    """The NIC's firmware and the host both send LLDP, while the switch negotiates PFC by DCBX."""
    first = FirstKind()
    for nics, stated in each_stated(fabric, "lldp_agents"):
        if {"firmware", "os"} != {each.value for each in stated.value}:
            continue
        found = next(((d, where) for d, where in _iter_pausing_switches(fabric, nics) if negotiates_pfc(d)), None)
        if found is None or not first.takes(stated.at, nics):
            continue
        device, where = found
        yield Hit(
            f"the firmware of the NICs of {nics.key} and their host both send LLDP, while the switch negotiates PFC "
            f"by DCBX (dcbx: {device.dcbx}) {where}: with two agents on a link DCBX does not agree, and PFC stays "
            "off",
            (stated.at,),
            "set PFC at the switch (dcbx: off) first, then turn the firmware's agent off "
            f"({lldp_off_command(driver_of(nics))}) and write lldp_agents: os",
            ((device.at("dcbx"), "PFC is negotiated"),),
        )


def _iter_pausing_switches(fabric: Fabric, nics: HostNics) -> Iterator[tuple[Device, str]]:
    """The switches that pause the NICs, and how a message calls the place."""
    if nic_ends(fabric)[nics.key]:
        yield from ((end.device, f"at {end.where}") for end in rdma_ends(fabric, nics) if end.port.pfc)
    else:
        yield from ((device, "on ports to hosts") for device, port in ports_facing_hosts(fabric, nics) if port.pfc)


def negotiates_pfc(device: Device) -> bool:
    """Whether PFC of a switch depends on DCBX; what its system does not have is nos-unsupported's."""
    word = device.dcbx
    return word in NEGOTIATING and (device.nos is None or device.nos.takes("device.dcbx", str(word)))


RULES: tuple[Rule, ...] = (nic_lldp_agent,)
