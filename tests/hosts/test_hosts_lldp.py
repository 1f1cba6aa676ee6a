"""Output of mlxconfig and mlnx_qos on LLDP and DCBX of a NIC's firmware, against switches that negotiate PFC."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import FABRIC, Found, _as_seen, write

from rocecfg.hosts.reading import read
from rocecfg.hosts.state import NicState
from rocecfg.linting.discover import discover
from rocecfg.linting.run import lint
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.detect import is_host_output, vendor_of

AUTO = FABRIC.replace("    role: leaf\n", "    role: leaf\n    vendor: spectrum\n    dcbx: auto\n")
OF_QOS = "DCBX mode: {} controlled\nPriority trust state: dscp\n"


def mlxconfig(tx: str = "ALL(2)", rx: str = "ALL(2)", dcbx: str = "True(1)", ieee: str = "True(1)") -> str:
    """As `mlxconfig -d 4b:00.0 q` prints it of a ConnectX-6 Dx with one port, other settings left out."""
    settings = {
        "CNP_DSCP_P1": "48",
        "LLDP_NB_DCBX_P1": dcbx,
        "LLDP_NB_RX_MODE_P1": rx,
        "LLDP_NB_TX_MODE_P1": tx,
        "DCBX_IEEE_P1": ieee,
        "DCBX_CEE_P1": "False(0)",
        "DCBX_WILLING_P1": "True(1)",
    }
    rows = "".join(f"        {key:<44}{value:<20}\n" for key, value in settings.items())
    return (
        "\nDevice #1:\n----------\n\nDevice type:        ConnectX6DX         \n"
        "Name:               MCX623106AN-CDA_Ax  \n"
        "Description:        ConnectX-6 Dx EN adapter card\nDevice:             4b:00.0             \n\n"
        f"Configurations:                                     Next Boot\n{rows}"
    )


def stated(text: str) -> list[NicState]:
    return read(Document(0, "x.txt", text)).nics


def found(folder: Path, output: str, intent: str = AUTO) -> list[Found]:
    write(folder, {"fabric.yaml": intent, "gpu01.txt": output})
    sources = Sources()
    fabrics = discover((str(folder / "fabric.yaml"), str(folder / "gpu01.txt")), sources, running=True).fabrics
    run = lint(fabrics, sources, today="2026-06-30")
    assert not run.failed
    return [f for f in (_as_seen(f, sources, folder) for f in run.findings) if f.rule == "nic-lldp-agent"]


def stating(agents: str) -> str:
    return AUTO.replace("    trust: dscp\n", f"    trust: dscp\n    lldp_agents: {agents}\n")


# -- what is read ------------------------------------------------------------------------------------------------------


def test_settings_of_a_card_are_read() -> None:
    (nic,) = stated(mlxconfig(tx="OFF(0)"))
    assert (nic.card, nic.interface) == ("4b:00.0", None)
    assert nic.firmware == {
        "LLDP_NB_DCBX": True,
        "LLDP_NB_RX_MODE": True,
        "LLDP_NB_TX_MODE": False,
        "DCBX_IEEE": True,
        "DCBX_CEE": False,
        "DCBX_WILLING": True,
    }


def test_of_three_columns_the_current_one_counts() -> None:
    """`-e` prints the default, what is in force, and what is after the next boot; what differs has an asterisk."""
    (nic,) = stated(
        "root@gpu01:~# mlxconfig -d /dev/mst/mt4123_pciconf0 -e q\n"
        "Configurations:                       Default         Current         Next Boot\n"
        "*        LLDP_NB_TX_MODE_P1           OFF(0)          ALL(2)          OFF(0)\n"
        "         LLDP_NB_RX_MODE_P1           OFF(0)          OFF(0)          OFF(0)\n"
    )
    assert (nic.host, nic.card) == ("gpu01", "/dev/mst/mt4123_pciconf0")
    assert nic.firmware == {"LLDP_NB_TX_MODE": True, "LLDP_NB_RX_MODE": False}


def test_two_cards_and_both_ports_of_one() -> None:
    both = mlxconfig() + "        LLDP_NB_TX_MODE_P2    OFF(0)\n" + mlxconfig().replace("4b:", "5e:")
    assert [(nic.card, nic.firmware["LLDP_NB_TX_MODE"]) for nic in stated(both)] == [
        ("4b:00.0", True),
        ("4b:00.0", False),
        ("5e:00.0", True),
    ]


def test_what_a_card_does_not_have_is_not_known() -> None:
    assert stated("        LLDP_NB_TX_MODE_P1      N/A\n") == []


def test_settings_of_cards_do_not_mix_with_those_of_interfaces() -> None:
    qos = "Priority trust state: pcp\nCable len: 7\n"
    (nic, card) = stated(f"root@gpu01:~# mlnx_qos -i ens1\n{OF_QOS.format('OS')}{mlxconfig()}{qos}")
    assert (nic.interface, nic.dcbx, nic.trust, nic.cable) == ("ens1", "os", "pcp", 7)
    assert card.firmware
    assert card.trust is None


@pytest.mark.parametrize(
    "text", [mlxconfig(), "         LLDP_NB_TX_MODE_P1      OFF(0)  \n", OF_QOS.format("Firmware")]
)
def test_is_recognised_as_a_hosts(text: str) -> None:
    assert is_host_output(text)
    assert vendor_of(text) is None


# -- against the switch ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "text"),
    [
        (mlxconfig(tx="OFF(0)"), "LLDP_NB_TX_MODE_P1"),
        (mlxconfig(rx="OFF(0)"), "LLDP_NB_RX_MODE_P1"),
        (mlxconfig(dcbx="False(0)"), "LLDP_NB_DCBX_P1"),
        (mlxconfig(ieee="False(0)"), "DCBX_IEEE_P1"),
        (OF_QOS.format("OS"), "OS"),
    ],
)
@pytest.mark.parametrize("intent", [AUTO, stating("firmware")])
def test_firmware_that_speaks_no_dcbx_to_a_switch_that_waits_for_it(
    output: str, text: str, intent: str, tmp_path: Path
) -> None:
    (one,) = found(tmp_path, output, intent)
    assert (one.severity, one.path) == ("warning", "gpu01.txt")
    assert one.text.startswith(text)
    assert "negotiates PFC by DCBX (dcbx: auto) at leaf0" in one.message
    assert "LLDP_NB_TX_MODE_P1=2" in one.help


@pytest.mark.parametrize("output", [mlxconfig(), OF_QOS.format("Firmware")])
def test_the_firmwares_agent_beside_the_hosts(output: str, tmp_path: Path) -> None:
    (one,) = found(tmp_path, output, stating("os"))
    assert "as does the host's own agent" in one.message
    # without the firmware's agent nobody answers a switch that negotiates: PFC must be set there first
    assert one.help.index("dcbx: off") < one.help.index("LLDP_NB_TX_MODE_P1=0")


@pytest.mark.parametrize(
    ("output", "intent"),
    [
        (mlxconfig(), AUTO),  # the firmware alone answers
        (mlxconfig(), stating("firmware")),
        (OF_QOS.format("Firmware"), AUTO),
        (mlxconfig(tx="OFF(0)", rx="OFF(0)", dcbx="False(0)"), stating("os")),  # the host alone
        (OF_QOS.format("OS"), stating("os")),
        (mlxconfig(tx="OFF(0)"), AUTO.replace("dcbx: auto", "dcbx: off")),  # PFC is set at both ends
        (mlxconfig(tx="OFF(0)"), FABRIC.replace("    role: leaf\n", "    role: leaf\n    dcbx: auto\n")),  # SONiC: none
        (mlxconfig(tx="OFF(0)"), FABRIC),
        (mlxconfig(), AUTO.replace("dcbx: auto", "dcbx: off").replace("    trust", "    lldp_agents: os\n    trust")),
    ],
)
def test_near_misses(output: str, intent: str, tmp_path: Path) -> None:
    assert found(tmp_path, output, intent) == []
