"""SONiC: what one port has otherwise than the others: its maps, its queues' buffer profiles, its speed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drift_cases import apply, change, stated
from sonic_switches import INTENTS, Case, Config

from rocecfg.drift.changes import fix_devices, group_fixes
from rocecfg.drift.text import render

BINDINGS = {
    "dscp_to_tc_map": "DSCP 26",
    "tc_to_queue_map": "DSCP 26",
    "tc_to_pg_map": "DSCP 26",
    "pfc_to_queue_map": "queue that a pause of priority 3 stops",
    "pfc_to_pg_map": "priority group that pauses of priority 3 are sent for",
}


def reported(case: Case, config: Config) -> str:
    found = case.against(config)
    assert found.differing
    return render(found, group_fixes(fix_devices(found)))


def leads_back(case: Case, config: Config, folder: Path) -> list[dict[str, Any]]:
    """The operations of the change, which is all that it takes."""
    repaired = change(case.against(config))
    assert (repaired.left, repaired.change.beyond) == ({}, ())
    after = apply(case.path.read_text(encoding="utf-8"), repaired.change.steps, folder)
    assert stated(case.against(after)) == []
    return [dict(op) for step in repaired.change.steps for op in step.operations]


@pytest.mark.parametrize(("field", "title"), BINDINGS.items())
def test_another_map_on_one_port(tmp_path: Path, field: str, title: str) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["PORT_QOS_MAP"]["Ethernet8"][field] = "OTHER"
    assert f"drift: {title} on leaf01 Ethernet8 (1 port)\n" in reported(case, config)
    assert leads_back(case, config, tmp_path) == [
        {"op": "replace", "path": f"/PORT_QOS_MAP/Ethernet8/{field}", "value": "AZURE"}
    ]


def test_what_another_map_makes_of_rdma_is_said(tmp_path: Path) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["PORT_QOS_MAP"]["Ethernet8"]["dscp_to_tc_map"] = "OTHER"
    text = reported(case, config)
    assert "meant queue 3, priority group 3, paused by priority 3" in text
    assert "running queue 1, priority group 0 (" in text
    assert text.endswith("1 difference on 1 of 1 device\n")


@pytest.mark.parametrize("field", BINDINGS)
def test_a_dangling_map_on_one_port(tmp_path: Path, field: str) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["PORT_QOS_MAP"]["Ethernet8"][field] = "NOWHERE"
    text = reported(case, config)
    assert "drift: maps bound to the port on leaf01 Ethernet8 (1 port)\n" in text
    assert f"  {field}: meant bound" in text
    assert "running NOWHERE, which is not there" in text
    leads_back(case, config, tmp_path)


@pytest.mark.parametrize("field", [field for field in BINDINGS if field != "dscp_to_tc_map"])
def test_a_map_that_one_port_does_not_bind(tmp_path: Path, field: str) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    del config["PORT_QOS_MAP"]["Ethernet8"][field]
    text = reported(case, config)
    assert "drift: maps bound to the port on leaf01 Ethernet8 (1 port)\n" in text
    assert f"  {field}: meant bound" in text
    assert "running not bound" in text
    assert leads_back(case, config, tmp_path) == [
        {"op": "add", "path": f"/PORT_QOS_MAP/Ethernet8/{field}", "value": "AZURE"}
    ]


def test_a_port_that_sorts_by_802_1p_beside_dscp(tmp_path: Path) -> None:
    """The patch takes the map away, too: frames without DSCP go elsewhere by it."""
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["DOT1P_TO_TC_MAP"] = {"AZURE": {str(tag): "3" for tag in range(8)}}
    config["PORT_QOS_MAP"]["Ethernet8"]["dot1p_to_tc_map"] = "AZURE"
    assert stated(case.against(config)) == [("maps", None, "dot1p_to_tc_map")]
    leads_back(case, config, tmp_path)


@pytest.mark.parametrize("field", ["MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"])
@pytest.mark.parametrize("to", ["4", None])
def test_an_entry_of_the_maps_of_pfc(tmp_path: Path, field: str, to: str | None) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    if to is None:
        del config[field]["AZURE"]["3"]
    else:
        config[field]["AZURE"]["3"] = to
    title = BINDINGS["pfc_to_queue_map" if field.startswith("MAP") else "pfc_to_pg_map"]
    assert f"drift: {title} on leaf01\n  meant 3" in reported(case, config)
    (operation,) = leads_back(case, config, tmp_path)
    assert (operation["path"], operation["value"]) == (f"/{field}/AZURE/3", "3")


def test_another_speed(tmp_path: Path) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["PORT"]["Ethernet8"]["speed"] = "100000"
    text = reported(case, config)
    assert "drift: port speed on leaf01 Ethernet8 (1 port)\n  port speed: meant 400G (" in text
    assert "running 100G (" in text
    assert "not fixed: the speed of a port is not a QoS setting" in text
    assert not change(case.against(config)).change.steps


@pytest.mark.parametrize("name", ["computed", "traditional"])
def test_another_buffer_model(tmp_path: Path, name: str) -> None:
    case, config = Case(name, tmp_path), Case(name, tmp_path).config()
    other = "dynamic" if name == "traditional" else "traditional"
    config["DEVICE_METADATA"]["localhost"]["buffer_model"] = other
    text = reported(case, config)
    assert "buffer model: meant " in text
    assert f", running {other} (" in text
    assert "not fixed: buffer_model is read when swss starts" in text
    assert not change(case.against(config)).change.steps


def test_a_lossless_queue_on_a_lossy_profile(tmp_path: Path) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    for queues in ("0-2", "3", "4-7"):
        del config["BUFFER_QUEUE"][f"Ethernet8|{queues}"]
    config["BUFFER_QUEUE"]["Ethernet8|0-7"] = {"profile": "egress_lossy_profile"}
    text = reported(case, config)
    assert "drift: egress buffer profile of queue 3 on leaf01 Ethernet8 (1 port)\n  meant lossless (" in text
    assert "running egress_lossy_profile (" in text
    leads_back(case, config, tmp_path)


def test_without_a_lossless_egress_profile_the_change_says_so(tmp_path: Path) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    del config["BUFFER_PROFILE"]["egress_lossless_profile"]
    for port in ("Ethernet0", "Ethernet8"):
        config["BUFFER_QUEUE"][f"{port}|3"] = {"profile": "egress_lossy_profile"}
    assert "not fixed: BUFFER_PROFILE has no egress_lossless_profile" in reported(case, config)


@pytest.mark.parametrize("profile", ["static_lossless", "egress_lossy_profile"])
def test_a_static_profile_where_headroom_is_computed(tmp_path: Path, profile: str) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["BUFFER_PG"]["Ethernet8|3"]["profile"] = profile
    assert "drift: lossless priority group 3 on leaf01 Ethernet8 (1 port)\n" in reported(case, config)
    leads_back(case, config, tmp_path)


def test_a_static_profile_where_headroom_is_looked_up(tmp_path: Path) -> None:
    """Traditional model: deleted while the port is up, the group would have no headroom. So it is told, not typed."""
    case, config = Case("looked up", tmp_path), Case("looked up", tmp_path).config()
    generated = "pg_lossless_400000_5m_profile"
    config["BUFFER_PROFILE"][generated] = dict(config["BUFFER_PROFILE"]["static_lossless"])
    config["BUFFER_PG"] = {f"{port}|3": {"profile": generated} for port in config["PORT"]}
    assert stated(case.against(config)) == []
    config["BUFFER_PG"]["Ethernet8|3"] = {"profile": "static_lossless"}
    text = reported(case, config)
    assert "drift: lossless priority group 3 on leaf01 Ethernet8 (1 port)\n  computed by the switch: meant yes" in text
    assert "not fixed: BUFFER_PG|Ethernet8|3 names a profile that does not follow speed and cable length" in text
    assert not change(case.against(config)).change.steps


def test_colours_with_a_curve_of_their_own(tmp_path: Path) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["WRED_PROFILE"]["AZURE_LOSSLESS"] |= {"yellow_min_threshold": "250000", "red_drop_probability": "100"}
    text = reported(case, config)
    assert "curves of other colours: meant the same" in text
    assert "yellow kmin 250KB, kmax 1.6MB, pmax 5%; red kmin 400KB, kmax 1.6MB, pmax 100%" in text
    leads_back(case, config, tmp_path)


def test_queues_that_count_packets(tmp_path: Path) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    config["SCHEDULER"]["scheduler.dwrr60"]["type"] = "WRR"
    text = reported(case, config)
    assert "drift: scheduling of queue 3 on leaf01 Ethernet[0,8] (2 ports)\n  meant DWRR, by bytes" in text
    assert "running WRR, by packets" in text
    leads_back(case, config, tmp_path)


# -- what means the same -----------------------------------------------------------------------------------------------


def own_names(config: Config) -> None:
    """Each port with maps of its own, which say the same."""
    for port, row in config["PORT_QOS_MAP"].items():
        for field, table in zip(BINDINGS, ("DSCP_TO_TC_MAP", *list(config)[1:5]), strict=True):
            config[table][f"{port}-own"] = dict(config[table]["AZURE"])
            row[field] = f"{port}-own"


def brackets(config: Config) -> None:
    for row in config["PORT_QOS_MAP"].values():
        tables = ("DSCP_TO_TC_MAP", *list(config)[1:5])
        row |= {field: f"[{table}|AZURE]" for field, table in zip(BINDINGS, tables, strict=True)}
    for table in ("BUFFER_QUEUE",):
        for row in config[table].values():
            row["profile"] = f"[BUFFER_PROFILE|{row['profile']}]"


def split_ranges(config: Config) -> None:
    lossy = {"profile": "egress_lossy_profile"}
    for port in config["PORT"]:
        for queues in ("0-2", "4-7"):
            del config["BUFFER_QUEUE"][f"{port}|{queues}"]
        config["BUFFER_QUEUE"] |= {f"{port}|{queue}": dict(lossy) for queue in (0, 1, 2, 4, 5, 6, 7)}


def joined_ranges(config: Config) -> None:
    """Queue 4 as 3 is: nothing leads to it."""
    for port in config["PORT"]:
        for queues in ("3", "4-7"):
            del config["BUFFER_QUEUE"][f"{port}|{queues}"]
        config["BUFFER_QUEUE"][f"{port}|3-4"] = {"profile": "egress_lossless_profile"}
        config["BUFFER_QUEUE"][f"{port}|5-7"] = {"profile": "egress_lossy_profile"}


def egress_profile_of_another_name(config: Config) -> None:
    config["BUFFER_PROFILE"]["q3"] = dict(config["BUFFER_PROFILE"]["egress_lossless_profile"])
    config["BUFFER_QUEUE"]["Ethernet8|3"]["profile"] = "q3"


def entries_that_nothing_uses(config: Config) -> None:
    """As on stock switches with two lossless priorities."""
    config["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"]["AZURE"] = {"3": "3", "4": "4"}
    config["TC_TO_PRIORITY_GROUP_MAP"]["AZURE"]["4"] = "4"


def no_rows_for_egress(config: Config) -> None:
    """As on boxes with virtual output queues, which come without these profiles."""
    del config["BUFFER_QUEUE"]
    for name in ("egress_lossless_profile", "egress_lossy_profile"):
        del config["BUFFER_PROFILE"][name]


def ports_of_others(config: Config) -> None:
    """A port that the intent does not name may sort as it likes."""
    config["PORT"]["Ethernet16"] = dict(config["PORT"]["Ethernet8"], speed="100000", lanes="17")
    config["PORT_QOS_MAP"]["Ethernet16"] = {"dscp_to_tc_map": "OTHER", "tc_to_queue_map": "OTHER"}


@pytest.mark.parametrize(
    "same",
    [
        own_names,
        brackets,
        split_ranges,
        joined_ranges,
        egress_profile_of_another_name,
        entries_that_nothing_uses,
        no_rows_for_egress,
        ports_of_others,
    ],
)
def test_what_means_the_same_is_no_drift(tmp_path: Path, same: Callable[[Config], None]) -> None:
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    same(config)
    assert stated(case.against(config)) == []
    assert not case.against(config).differing


def test_a_map_that_most_ports_bind_is_told_of_the_switch_once(tmp_path: Path) -> None:
    """And a port that is right is not named."""
    case, config = Case("computed", tmp_path), Case("computed", tmp_path).config()
    for port in ("Ethernet0", "Ethernet8"):
        config["PORT_QOS_MAP"][port]["dscp_to_tc_map"] = "OTHER"
    assert stated(case.against(config)) == [("dscp", None, "")]
    leads_back(case, config, tmp_path)


def everywhere(config: Config) -> None:
    """As on stock switches: what has no DSCP map of its own sorts by this one."""
    config["PORT_QOS_MAP"]["global"] = {"dscp_to_tc_map": "AZURE"}


def test_a_port_that_trusts_no_dscp_does_not_sort_by_the_map_for_all(tmp_path: Path) -> None:
    case, config = _tagged(tmp_path)
    everywhere(config)
    assert ("trust", None, "") in stated(case.against(config))
    assert leads_back(case, config, tmp_path) == [{"op": "remove", "path": "/PORT_QOS_MAP/global"}]


def test_the_map_for_all_stays_where_other_ports_lean_on_it(tmp_path: Path) -> None:
    case, config = _tagged(tmp_path)
    everywhere(config)
    config["PORT"]["Ethernet16"] = {"lanes": "17", "speed": "400000", "admin_status": "up"}
    repaired = change(case.against(config))
    assert any("Ethernet16, which have none" in line for line in repaired.change.beyond)
    assert not any("global" in str(op["path"]) for step in repaired.change.steps for op in step.operations)
    config["PORT_QOS_MAP"]["Ethernet16"] = {"dscp_to_tc_map": "AZURE"}
    assert leads_back(case, config, tmp_path) == [{"op": "remove", "path": "/PORT_QOS_MAP/global"}]


@pytest.mark.parametrize(("count", "rest"), [(6, ""), (7, " and 1 more")])
def test_of_many_ports_that_lean_on_the_map_for_all_some_are_named(count: int, rest: str, tmp_path: Path) -> None:
    case, config = _tagged(tmp_path)
    everywhere(config)
    others = [f"Ethernet{16 + 8 * n}" for n in range(count)]
    config["PORT"] |= {port: {"lanes": "17", "speed": "400000", "admin_status": "up"} for port in others}
    (line,) = [line for line in change(case.against(config)).change.beyond if "global" in line]
    assert f"does not name {', '.join(others[:6])}{rest}, which have none" in line


def test_the_row_for_all_goes_with_its_map_whatever_else_it_says(tmp_path: Path) -> None:
    """orchagent takes the map off where the row goes, and reads no other field (qosorch.cpp, handleGlobalQosMap)."""
    case, config = _tagged(tmp_path)
    everywhere(config)
    config["PORT_QOS_MAP"]["global"]["scheduler"] = "scheduler.0"
    assert leads_back(case, config, tmp_path) == [{"op": "remove", "path": "/PORT_QOS_MAP/global"}]


def _tagged(folder: Path) -> tuple[Case, Config]:
    """A switch whose ports sort by 802.1p."""
    INTENTS["tagged"] = INTENTS["computed"].replace("faces: host,", "faces: host, trust: pcp,")
    try:
        case = Case("tagged", folder)
    finally:
        del INTENTS["tagged"]
    return case, case.config()


def test_a_queue_without_a_stated_bandwidth_keeps_its_own(tmp_path: Path) -> None:
    """What it has is no part of the shares of the others."""
    INTENTS["unstated"] = INTENTS["computed"].replace("priority: 0, bandwidth: 40", "priority: 0")
    try:
        case = Case("unstated", tmp_path)
    finally:
        del INTENTS["unstated"]
    config = case.config()
    for port in config["PORT"]:
        config["QUEUE"][f"{port}|0"] = {"scheduler": "own"}
    config["SCHEDULER"]["own"] = {"type": "DWRR", "weight": "14"}
    assert stated(case.against(config)) == []
