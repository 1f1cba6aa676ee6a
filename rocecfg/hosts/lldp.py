"""Who speaks DCBX for a NIC, as its tools say, where the switch makes PFC depend on it: findings of rule NIC962."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.hosts.state import NicState
from rocecfg.model import Device, Span
from rocecfg.model.stated import Problem, Val
from rocecfg.rules.hosts_lldp import negotiates

_NEEDED = ("LLDP_NB_TX_MODE", "LLDP_NB_RX_MODE", "LLDP_NB_DCBX")  # all on, or the firmware answers no DCBX
_DIALECTS = ("DCBX_IEEE", "DCBX_CEE")  # one of them
_FORCE = "set PFC at the switch (dcbx: off)"


def find_lldp_problems(
    nic: NicState, who: str, agents: Val | None, device: Device, where: str, related: tuple[tuple[Span, str], ...]
) -> Iterator[Problem]:
    """What is wrong with who speaks DCBX; nothing where PFC of the switch does not depend on it.

    `agents`: what the intent says that sends LLDP on the NIC, `lldp_agents`. With the firmware's agent alone a switch
    negotiates; with none that speaks DCBX, or with two agents, it reaches no agreement.
    """
    if not negotiates(device):
        return
    stated = {each.value for each in agents.value} if agents is not None else set()
    depends = f"the switch negotiates PFC by DCBX (dcbx: {device.dcbx}) {where}"
    card = f" {nic.card}" if nic.card is not None else ""
    silent = _find_silent_firmware(nic)
    if silent is not None and "os" not in stated:
        at, given = silent
        yield Problem(
            "nic-lldp-agent",
            at,
            f"the firmware{card} of {who} speaks no DCBX ({given}), and {depends}: unless an agent of the host "
            "answers, PFC stays off",
            f"{_FORCE}; or let the firmware speak (mlnx_qos -i DEVICE --dcbx fw; mlxconfig -d CARD set "
            "LLDP_NB_TX_MODE_P1=2 LLDP_NB_RX_MODE_P1=2 LLDP_NB_DCBX_P1=1, and a reset); where the host's own agent "
            "speaks DCBX, state lldp_agents: os",
            related,
        )
    elif stated == {"os"} and (speaking := _find_speaking_firmware(nic)) is not None:
        at, given = speaking
        assert agents is not None
        yield Problem(
            "nic-lldp-agent",
            at,
            f"the firmware{card} of {who} sends LLDP ({given}) beside the host's own agent, and {depends}: with two "
            "agents on a link it reaches no agreement, and PFC stays off",
            f"{_FORCE} first, then turn the firmware's agent off (mlxconfig -d CARD set LLDP_NB_TX_MODE_P1=0 "
            "LLDP_NB_RX_MODE_P1=0 LLDP_NB_DCBX_P1=0, and a reset)",
            (*related, (agents.at, "the host's own agent, says the intent")),
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
