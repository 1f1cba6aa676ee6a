"""The forms that CONFIG_DB comes in: all lead to the same switch."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sonic_text
from same_model import differences
from sonic_clean import CLEAN, PORTS, changed, clean, each

from rocecfg.vendors.detect import vendor_of


def flat(separator: str = "|", suffix: str = "") -> dict[str, Any]:
    return {f"{table}{suffix}{separator}{key}": row for table, rows in CLEAN.items() for key, row in rows.items()}


def rows_for_swssconfig() -> list[dict[str, Any]]:
    return [{key: row, "OP": "SET"} for key, row in flat(":", "_TABLE").items()]


def dumped() -> dict[str, Any]:
    return {
        key: {"expireat": 1690000000.0, "ttl": -0.001, "type": "hash", "value": row or {"NULL": "NULL"}}
        for key, row in flat().items()
    }


def patched() -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{table}", "value": rows} for table, rows in CLEAN.items()]


WHOLE = {
    "nested": CLEAN,
    "wrapped": {"SAMPLE_CONFIG_DB_JSON": CLEAN},
    "flat": flat(),
    "a dump of redis": dumped(),
    "several mappings": [{table: rows} for table, rows in CLEAN.items()],
}


@pytest.mark.parametrize("form", WHOLE, ids=lambda f: f.replace(" ", "-"))
def test_every_form_gives_the_same_switch(form: str) -> None:
    text = json.dumps(WHOLE[form])
    switch = sonic_text.switch(text)
    assert switch.name == "leaf01"
    assert switch.running.whole
    assert differences(sonic_text.device(CLEAN), sonic_text.device(text)) == []
    assert sonic_text.names(text) == set()
    assert vendor_of(text) == "sonic"


def test_rows_for_swssconfig() -> None:
    text = rows_for_swssconfig()
    assert differences(sonic_text.device(CLEAN), sonic_text.device(text)) == []
    deleted = [*text, {"PFC_WD_TABLE:Ethernet0": {}, "OP": "DEL"}]
    assert differences(sonic_text.device(CLEAN), sonic_text.device(deleted)) == []


def test_rows_for_several_ports_with_references_of_2016() -> None:
    qos = {
        "dscp_to_tc_map": "[DSCP_TO_TC_MAP_TABLE:AZURE]",
        "tc_to_queue_map": "[TC_TO_QUEUE_MAP_TABLE:AZURE]",
        "pfc_enable": "3",
    }
    text = [
        {"DSCP_TO_TC_MAP_TABLE:AZURE": {str(d): "3" if d == 3 else "1" for d in range(64)}, "OP": "SET"},
        {"TC_TO_QUEUE_MAP_TABLE:AZURE": {str(n): str(n) for n in range(8)}, "OP": "SET"},
        {"PORT_QOS_MAP_TABLE:Ethernet0,Ethernet4,Ethernet8": qos, "OP": "SET"},
    ]
    dev = sonic_text.device(text)
    assert {name: p.pfc for p in dev.ports for name in p.names} == dict.fromkeys(
        ("Ethernet0", "Ethernet4", "Ethernet8"), (3,)
    )
    assert dev.maps.dscp_to_tc[3] == 3
    (several,) = sonic_text.reported(text)
    assert (several.rule, "one key for several ports" in several.message) == ("device-unknown", True)


def test_a_switch_with_several_asics() -> None:
    other = changed(PORT_QOS_MAP={p: {"pfc_enable": "4"} for p in PORTS})
    host = {"DEVICE_METADATA": CLEAN["DEVICE_METADATA"], "VERSIONS": {"DATABASE": {"VERSION": "version_202411_02"}}}
    first, second = sonic_text.switches({"localhost": host, "asic0": CLEAN, "asic1": other})
    assert (first.name, second.name) == ("leaf01-asic0", "leaf01-asic1")
    assert (first.section["version"].value, second.section["version"].value) == ("202411", "202411")
    assert [{n for p in s.ports for n in p.pfc} for s in (first, second)] == [{3}, {4}]


def test_a_patch_of_whole_tables_is_read_as_a_part() -> None:
    switch = sonic_text.switch(patched())
    assert not switch.running.whole
    assert (
        differences(
            sonic_text.device(CLEAN), sonic_text.device(patched()), ("pfc", "watchdog", "ecn", "chain", "shares")
        )
        == []
    )
    assert sonic_text.names(patched()) == set()


def test_a_patch_of_single_fields_says_what_it_adds_and_lacks_nothing() -> None:
    patch = [
        {"op": "test", "path": "/PFC_WD/Ethernet0/action", "value": "alert"},
        {"op": "add", "path": "/PFC_WD/Ethernet0", "value": {"action": "drop", "detection_time": "200"}},
        {"op": "replace", "path": "/PFC_WD/Ethernet0/restoration_time", "value": "400"},
        {"op": "remove", "path": "/PFC_WD/Ethernet8"},
        {"op": "replace", "path": "/PORT_QOS_MAP/Ethernet0/pfc_enable", "value": "3"},
        {"op": "add", "path": "/QUEUE/Ethernet0|3/scheduler", "value": "scheduler.1"},
        {"op": "add", "path": "/CABLE_LENGTH/AZURE/Ethernet0", "value": "40m"},
    ]
    (port,) = sonic_text.device(patch).ports
    assert port.pfc == (3,)
    assert port.watchdog is not None
    assert (port.watchdog.detection, port.watchdog.restoration, port.watchdog.action) == (200, 400, "drop")
    assert port.watchdog.priorities is None
    assert sonic_text.names(patch) == set()


def test_a_mistake_in_a_patch_is_at_its_own_place() -> None:
    text = json.dumps([{"op": "replace", "path": "/PORT_QOS_MAP/Ethernet0/pfc_enable", "value": "3-4"}])
    (wrong,) = sonic_text.reported(text, "device-value")
    assert text[wrong.at.start : wrong.at.end] == '"3-4"'


def test_a_patch_with_escapes_and_namespaces() -> None:
    patch = [
        {"op": "add", "path": "/asic0/QUEUE/Ethernet0|3", "value": {"scheduler": "a"}},
        {"op": "add", "path": "/asic1/PORT_QOS_MAP/Eth1~11", "value": {"pfc_enable": "3"}},
        {"op": "move", "from": "/PFC_WD/Ethernet0", "path": "/PFC_WD/Ethernet8"},
    ]
    first, second = sonic_text.switches(patch)
    assert [p.names for p in (*first.ports, *second.ports)] == [("Ethernet0",), ("Eth1/1",)]
    assert [p.rule for p in first.problems] == ["device-unread"]


def test_rows_of_a_voq_switch() -> None:
    config = clean()
    config["DEVICE_METADATA"]["localhost"] |= {"switch_type": "voq", "asic_name": "Asic0"}
    for table in ("QUEUE", "BUFFER_QUEUE"):
        config[table] = {f"leaf01|asic0|{key}": row for key, row in config[table].items()}
    config["QUEUE"]["leaf02|asic1|Ethernet0|3"] = {"wred_profile": "AZURE_LOSSLESS"}
    config["BUFFER_QUEUE"]["leaf02|asic1|Ethernet0|3"] = {"profile": "egress_lossless_profile"}
    assert differences(sonic_text.device(CLEAN), sonic_text.device(config)) == []
    others = sonic_text.reported(config)
    assert [(other.rule, "other line cards" in other.message) for other in others] == [("device-unread", True)] * 2


def test_a_storage_backend_that_trusts_802_1p() -> None:
    config = changed(DSCP_TO_TC_MAP=None, DOT1P_TO_TC_MAP={"AZURE": {str(n): str(n) for n in range(8)}})
    del config["PORT_QOS_MAP"]["global"]
    for row in config["PORT_QOS_MAP"].values():
        del row["dscp_to_tc_map"]
        row["dot1p_to_tc_map"] = "AZURE"
    config["VLAN_MEMBER"] = {f"Vlan10|{p}": {"tagging_mode": "tagged"} for p in PORTS}
    dev = sonic_text.device(config)
    assert {(p.trust, p.pfc, p.layer) for p in dev.ports} == {("pcp", (3,), 2)}
    assert sonic_text.names(config) == set()
    config["DOT1P_TO_TC_MAP"]["AZURE"]["5"] = "3"
    assert sonic_text.names(config) == {"mix-tc-chain"}


def test_two_tors_with_bounced_traffic() -> None:
    points = {str(d): {2: "2", 3: "3", 4: "4", 6: "6"}.get(d, "1") for d in range(64)}
    four = {"pfc_enable": "2,3,4,6", "pfcwd_sw_enable": "3,4"}
    config = changed(
        DSCP_TO_TC_MAP={"AZURE": points, "AZURE_TUNNEL": points, "AZURE_UPLINK": points | {"46": "5"}},
        TC_TO_PRIORITY_GROUP_MAP={"AZURE": {str(n): str(n) if n in (2, 3, 4, 6, 7) else "0" for n in range(8)}},
        PORT_QOS_MAP=dict.fromkeys(PORTS, four) | {"Ethernet24": four | {"dscp_to_tc_map": "AZURE_UPLINK"}},
        BUFFER_PG={f"{p}|3": None for p in PORTS}
        | {f"{p}|{n}": {"profile": "pg_lossless_400000_40m_profile"} for p in PORTS for n in ("2-4", "6")},
        QUEUE={
            f"{p}|{q}": {"scheduler": "scheduler.1" if q in (2, 3, 4, 6) else "scheduler.0"}
            | ({"wred_profile": "AZURE_LOSSLESS"} if q in (2, 3, 4, 6) else {})
            for p in PORTS
            for q in range(7)
        },
        TUNNEL={
            "MuxTunnel0": {"dscp_mode": "pipe", "ecn_mode": "copy_from_outer", "decap_dscp_to_tc_map": "AZURE_TUNNEL"}
        },
        SYSTEM_DEFAULTS={"tunnel_qos_remap": {"status": "enabled"}},
    )
    names = sonic_text.names(config)
    assert not {n for n in names if n.startswith(("watchdog-", "pfc-", "mix-"))}, names
    assert sonic_text.reported(config, "device-unread") == []  # the map of the uplink is judged for itself
    assert [c.dscps for p in sonic_text.device(config).ports for c in p.overrides if c.tc == 5] == [(46,)]
    config["DSCP_TO_TC_MAP"]["AZURE_UPLINK"] = points
    assert not [p for p in sonic_text.device(config).ports if p.maps is not None]  # another name for the same


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("version_202405_02", "202405"),
        ("version_202511_01", "202511"),
        ("version_3_0_1", None),  # numbers of one's own, before branches were named in them
        ("version_4_0_3", None),
        ("unknown", None),
    ],
)
def test_the_release_is_what_the_database_says(version: str, release: str | None) -> None:
    config = changed(VERSIONS={"DATABASE": {"VERSION": version}})
    assert sonic_text.device(config).version == release
    assert sonic_text.device(config, "202305").version == "202305"


def bracketed(config: dict[str, Any]) -> dict[str, Any]:
    """The same with the maps of ports written as up to 202106."""
    table = {
        "dscp_to_tc_map": "DSCP_TO_TC_MAP",
        "tc_to_queue_map": "TC_TO_QUEUE_MAP",
        "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
        "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    }
    for row in config["PORT_QOS_MAP"].values():
        row.update({field: f"[{table[field]}|{name}]" for field, name in row.items() if field in table})
    return config


def test_a_release_guessed_from_brackets_is_said_where_it_decides() -> None:
    assert sonic_text.reported(bracketed(clean())) == []  # pfcwd_sw_enable is there: it does not decide
    bare = bracketed(changed(PORT_QOS_MAP=each({"pfcwd_sw_enable": None})))
    (guess,) = sonic_text.findings(bare)
    assert (guess.rule.name, guess.severity) == ("watchdog-priorities", "info")
    assert "SONiC 202106" in guess.message
    assert sonic_text.names(changed(PORT_QOS_MAP=each({"pfcwd_sw_enable": None}))) == {"watchdog-priorities"}
    # one port has the field, so the release does, and another port without it goes unwatched
    one = bracketed(changed(PORT_QOS_MAP=each({"pfcwd_sw_enable": None}, "Ethernet0")))
    (unwatched,) = sonic_text.findings(one)
    assert (unwatched.rule.name, unwatched.severity) == ("watchdog-priorities", "error")


def test_tables_rows_and_fields_that_are_written_twice() -> None:
    text = json.dumps(CLEAN)
    twice = text.replace('"QUEUE": {', '"QUEUE": {}, "QUEUE": {', 1)
    (table,) = sonic_text.reported(twice, "device-conflict")
    assert table.message == "QUEUE: the table is written twice, and the first one is lost"
    row = '"Ethernet0|0": {"scheduler": "scheduler.0"}, '
    (again,) = sonic_text.reported(text.replace(row, row * 2), "device-conflict")
    assert again.message == "QUEUE|Ethernet0|0: the row is written twice, and the last one counts"
    field = '"pfc_enable": "3", '
    (last,) = sonic_text.reported(text.replace(field, field + '"pfc_enable": "4", ', 1), "device-conflict")
    assert "pfc_enable is written twice" in last.message
    assert sonic_text.reported(text) == []


def test_a_list_of_tables_is_merged_as_configlets_are() -> None:
    whole = clean()
    parts = [whole, {"PORT_QOS_MAP": {}}, {"QUEUE": {}}]
    for key, row in whole["PORT_QOS_MAP"].items():
        if key != "global":
            parts[1]["PORT_QOS_MAP"][key] = {"pfcwd_sw_enable": row.pop("pfcwd_sw_enable")}
    for port in PORTS:  # keys may stand below each other
        parts[2]["QUEUE"][port] = {"3": whole["QUEUE"].pop(f"{port}|3")}
    assert differences(sonic_text.device(CLEAN), sonic_text.device(parts)) == []
    assert sonic_text.names(parts) == set()
    assert sonic_text.names(parts[:2]) == {"ecn-missing", "sonic-unscheduled"}
    parts.append({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}})
    assert "watchdog-priorities" in sonic_text.names(parts)
    (again,) = sonic_text.reported(parts, "device-conflict")
    assert again.message.startswith("PORT_QOS_MAP|Ethernet0: pfc_enable is set twice, to different values")
    text = json.dumps(parts, indent=4)
    assert text[again.at.start : again.at.end].strip('"') == "3,4"


def test_numbers_and_lists_where_texts_are_due() -> None:
    config = clean()
    config["PORT"]["Ethernet0"] |= {"speed": 400000, "mtu": 9100}
    config["PFC_WD"]["Ethernet0"]["detection_time"] = 200
    assert differences(sonic_text.device(CLEAN), sonic_text.device(config)) == []
    assert sonic_text.reported(config) == []


def test_one_port_stands_for_all_of_which_the_same_is_said() -> None:
    switch = sonic_text.switch(CLEAN)
    assert [p.names for p in switch.ports] == [PORTS]


def test_ports_of_which_something_else_is_said_stand_apart() -> None:
    config = changed(
        PORT={"Ethernet0": {"pfc_asym": "on"}, "Ethernet8": {"admin_status": "down"}, "Ethernet16": {"mtu": "9000"}}
    )
    assert [p.names for p in sonic_text.switch(config).ports] == [(name,) for name in PORTS]
    asym, down, short, usual = (p.running for p in sonic_text.device(config).ports)
    assert asym is not None
    assert (asym.obeys, asym.sends) == (tuple(range(8)), (3,))
    assert down is not None
    assert down.up is False
    assert (short, usual) == (usual, short)
