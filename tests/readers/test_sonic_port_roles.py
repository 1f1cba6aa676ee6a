"""SONiC: ports that do not leave the box, tables that boxes ship, and ports with maps of their own."""

from __future__ import annotations

from typing import Any

import pytest
from loops import loop
from sonic_clean import PORTS, changed, clean, each, lay
from sonic_text import findings

from rocecfg.vendors.sonic.domain import ALL, INSIDE, SHARED_LANES

ELSEWHERE = {str(n): "0" for n in range(8)}  # as qos_config.j2 has AZURE_DPC (sonic-buildimage 086b03bd)


def rules(config: dict[str, Any]) -> list[str]:
    return [f.rule.name for f in findings(config) if f.severity != "info"]


@pytest.mark.parametrize("role", [None, "Ext", *INSIDE])
def test_a_port_inside_the_box_has_no_module_whose_other_end_wants_fec(role: str | None) -> None:
    port = {"lanes": "222", "speed": "400000", "fec": "none", "mtu": "9100", "admin_status": "up"}
    port |= {"role": role} if role else {}
    told = rules(changed(PORT={"Ethernet-Rec0": port}))
    assert told == ([] if role in INSIDE else ["link-fec"])


@pytest.mark.parametrize("role", [None, *INSIDE])
def test_rows_for_lossless_traffic_on_ports_without_pfc(role: str | None) -> None:
    """Ports to a DPU, and those that lead back into the chip, carry none by design; those between chips do."""
    config = changed(PORT_QOS_MAP={"Ethernet8": {"pfc_enable": None, "pfcwd_sw_enable": None}})
    del config["PFC_WD"]["Ethernet8"]
    config["PORT"]["Ethernet8"] |= {"role": role} if role else {}
    assert ("sonic-unpaused" in rules(config)) is (role in (None, "Int"))


@loop(
    ("maps", "names", "told"),
    [
        ({"TC_TO_PRIORITY_GROUP_MAP": {"OWN": ELSEWHERE}}, {"tc_to_pg_map": "OWN"}, False),
        ({"DSCP_TO_TC_MAP": {"OWN": {str(d): "0" for d in range(64)}}}, {"dscp_to_tc_map": "OWN"}, False),
        ({"DSCP_TO_TC_MAP": {"OWN": clean()["DSCP_TO_TC_MAP"]["AZURE"]}}, {"dscp_to_tc_map": "OWN"}, True),
        ({"TC_TO_PRIORITY_GROUP_MAP": {"OWN": {**ELSEWHERE, "3": "3"}}}, {"tc_to_pg_map": "OWN"}, True),
    ],
)
def test_a_port_s_own_map_is_followed(maps: dict[str, Any], names: dict[str, str], *, told: bool) -> None:
    """Nothing is dropped in a priority group that nothing is sorted into."""
    row = {"pfc_enable": None, "pfcwd_sw_enable": None, **names}
    config = changed(PORT_QOS_MAP={"Ethernet8": row}, PFC_WD={"Ethernet8": None}, **maps)
    assert ("sonic-unpaused" in rules(config)) is told


def test_a_map_of_its_own_that_the_text_does_not_have_may_lead_anywhere() -> None:
    """As in the stock output of a SmartSwitch, in which buffers and bindings stand without the maps."""
    row = {"pfc_enable": None, "pfcwd_sw_enable": None, "tc_to_pg_map": "AZURE_DPC"}
    config = changed(PORT_QOS_MAP={"Ethernet8": row}, PFC_WD={"Ethernet8": None})
    kept = ("PORT_QOS_MAP", "QUEUE", "BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE")
    assert rules({table: config[table] for table in kept}) == []
    config["PORT_QOS_MAP"]["Ethernet8"]["tc_to_pg_map"] = "AZURE"
    assert rules({table: config[table] for table in kept}) == ["sonic-unpaused"]


def lanes_of(hwsku: str, *, port: str, lanes: str) -> list[str]:
    """What is said of a port that has these lanes beside one of the last cage."""
    config = lay(clean(), {"DEVICE_METADATA": {"localhost": {"hwsku": hwsku, "platform": None}}})
    for n, name in enumerate(PORTS):
        config["PORT"][name]["lanes"] = ",".join(str(8 * n + lane) for lane in range(8))
    config["PORT"][port] = {"lanes": lanes, "speed": "10000", "mtu": "9100", "admin_status": "up"}
    return [f.message for f in findings(config) if f.rule.name == "schema-port-lanes"]


@loop(("hwsku", "ports"), SHARED_LANES.items())
def test_lanes_that_a_box_s_own_table_gives_two_ports(hwsku: str, ports: tuple[str, ...]) -> None:
    for port in ("Ethernet2",) if ALL in ports else ports:
        assert not lanes_of(hwsku, port=port, lanes="31")
        assert not lanes_of(f"{hwsku}-C32", port=port, lanes="31")
        assert lanes_of("Arista-7060CX-32S", port=port, lanes="31") == [f"PORT|{port}: lane 31 is Ethernet24's too"]
    if ALL not in ports:
        assert lanes_of(hwsku, port="Ethernet28", lanes="30,31")  # a slip, also on such a box


def test_every_port_of_the_clean_configuration_has_rows() -> None:
    assert rules(changed(PORT=each({"role": "Ext"}))) == []
