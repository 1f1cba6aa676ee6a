"""SONiC: what was changed on the switch is found, and the change that is shown leads back to what is meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drift_cases import apply, change, compared, running, stated

Config = dict[str, Any]
PORTS = [f"Ethernet{n}" for n in range(0, 384, 8)]


def pfc_on_4_too(config: Config) -> None:
    for port in PORTS:
        config["PORT_QOS_MAP"][port] |= {"pfc_enable": "3,4", "pfcwd_sw_enable": "3,4"}


def pfc_off(config: Config) -> None:
    del config["PORT_QOS_MAP"]["Ethernet8"]["pfc_enable"]


def no_qos_on_a_port(config: Config) -> None:
    del config["PORT_QOS_MAP"]["Ethernet8"]


def not_watched(config: Config) -> None:
    del config["PORT_QOS_MAP"]["Ethernet8"]["pfcwd_sw_enable"]


def no_watchdog(config: Config) -> None:
    del config["PFC_WD"]


def slow_watchdog(config: Config) -> None:
    for port in PORTS:
        config["PFC_WD"][port] |= {"detection_time": "3200", "restoration_time": "3200"}
    config["PFC_WD"]["GLOBAL"]["POLL_INTERVAL"] = "1000"


def never_restored(config: Config) -> None:
    del config["PFC_WD"]["Ethernet16"]["restoration_time"]


def alerting(config: Config) -> None:
    config["PFC_WD"]["Ethernet16"]["action"] = "alert"


def stock_curve(config: Config) -> None:
    for color in ("green", "yellow", "red"):
        config["WRED_PROFILE"]["AZURE_LOSSLESS"] |= {
            f"{color}_min_threshold": "1048576",
            f"{color}_max_threshold": "2097152",
            f"{color}_drop_probability": "5",
        }


def unmarked(config: Config) -> None:
    config["WRED_PROFILE"]["AZURE_LOSSLESS"]["wred_green_enable"] = "false"


def no_curve(config: Config) -> None:
    for port in PORTS:
        del config["QUEUE"][f"{port}|3"]["wred_profile"]


def curve_of_others(config: Config) -> None:
    config["QUEUE"]["Ethernet0|3"]["wred_profile"] = "rdma_800G"


def stock_queue_4(config: Config) -> None:
    for port in PORTS:
        config["QUEUE"][f"{port}|3-4"] = config["QUEUE"].pop(f"{port}|3")


def other_weights(config: Config) -> None:
    config["SCHEDULER"]["scheduler.dwrr90"]["weight"] = "15"


def strict_rdma(config: Config) -> None:
    config["QUEUE"]["Ethernet24|3"]["scheduler"] = "scheduler.strict"


def no_scheduler(config: Config) -> None:
    del config["QUEUE"]["Ethernet24|0"]


def stray_code_point(config: Config) -> None:
    config["DSCP_TO_TC_MAP"]["AZURE"] |= {"26": "1", "24": "3"}


def other_queue(config: Config) -> None:
    config["TC_TO_QUEUE_MAP"]["AZURE"]["6"] = "5"


def other_group(config: Config) -> None:
    config["TC_TO_PRIORITY_GROUP_MAP"]["AZURE"]["3"] = "0"


def short_cable(config: Config) -> None:
    config["CABLE_LENGTH"]["AZURE"] |= {"Ethernet256": "5m", "Ethernet264": "5m"}


def cable_of_another_group(config: Config) -> None:
    config["CABLE_LENGTH"]["HOSTS"] = {"Ethernet0": "300m"}
    del config["CABLE_LENGTH"]["AZURE"]["Ethernet0"]


def stock_group(config: Config) -> None:
    config["BUFFER_POOL"] = {"ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "1"}}
    config["BUFFER_PROFILE"] = {
        "pg_lossless_400000_5m_profile": {"pool": "ingress_lossless_pool", "size": "0", "xon": "1", "xoff": "2"}
    }
    config["BUFFER_PG"] = {f"{port}|3-4": {"profile": "pg_lossless_400000_5m_profile"} for port in PORTS[:2]}


def blind(config: Config) -> None:
    config["FLEX_COUNTER_TABLE"]["PFCWD"]["FLEX_COUNTER_STATUS"] = "disable"


def big_red_switch(config: Config) -> None:
    config["PFC_WD"]["GLOBAL"]["BIG_RED_SWITCH"] = "enable"


Case = tuple[Callable[[Config], None], list[tuple[str, int | None, str]]]
CASES: list[Case] = [
    (pfc_on_4_too, [("pfc", None, "")]),
    (pfc_off, [("pfc", None, "")]),
    (not_watched, [("watchdog", None, "priorities")]),
    (no_watchdog, [("watchdog", None, "")]),
    (slow_watchdog, [("watchdog", None, "detection_time restoration_time poll_interval")]),
    (never_restored, [("watchdog", None, "restoration_time")]),
    (alerting, [("watchdog", None, "action")]),
    (stock_curve, [("ecn", 3, "kmin kmax pmax")]),
    (unmarked, [("ecn", 3, "colors")]),
    (no_curve, [("ecn", 3, ""), ("ecn", 3, "")]),  # one curve for each speed is meant
    (curve_of_others, [("ecn", 3, "kmin kmax pmax")]),
    (stock_queue_4, [("ecn", 4, ""), ("ecn", 4, "")]),
    (other_weights, [("shares", None, "0 3")]),
    (no_scheduler, [("shares", None, "0 3")]),
    (strict_rdma, [("shares", None, "0 3")]),
    (stray_code_point, [("dscp", None, ""), ("dscp", None, "")]),
    (other_queue, [("dscp", None, "")]),
    (other_group, [("dscp", None, "")]),
    (
        no_qos_on_a_port,
        [
            ("pfc", None, ""),
            ("trust", None, ""),
            ("watchdog", None, "priorities"),
            ("maps", None, "tc_to_queue_map tc_to_pg_map pfc_to_queue_map"),
        ],
    ),
    (stock_group, [("group", 4, "")]),
    (short_cable, [("cable", None, "")]),
    (cable_of_another_group, [("cable", None, "")]),
    (blind, [("watchdog_blind", None, "")]),
    (big_red_switch, [("watchdog_forced", None, "")]),
]


def changed(*how: Callable[[Config], None]) -> str:
    config = json.loads(running("auto", "leaf01"))
    for each in how:
        each(config)
    return json.dumps(config, indent=4)


@pytest.mark.parametrize(("how", "expected"), CASES, ids=lambda v: getattr(v, "__name__", ""))
def test_is_found(tmp_path: Path, how: Callable[[Config], None], expected: list[tuple[str, int | None, str]]) -> None:
    found = compared("auto", {"leaf01.json": changed(how)}, tmp_path)
    assert stated(found) == expected


@pytest.mark.sweep("rocecfg/vendors/sonic", "rocecfg/drift", "rocecfg/model")
@pytest.mark.parametrize("how", [each for each, _ in CASES], ids=lambda v: v.__name__)
def test_change_leads_back(tmp_path: Path, how: Callable[[Config], None]) -> None:
    text = changed(how)
    found = compared("auto", {"leaf01.json": text}, tmp_path)
    assert found.differences
    fixed = change(found)
    assert fixed.left == {}
    after = apply(text, fixed.change.steps, tmp_path)
    assert stated(compared("auto", {"leaf01.json": after}, tmp_path)) == []


def test_all_at_once(tmp_path: Path) -> None:
    apart = (pfc_on_4_too, slow_watchdog, alerting, stock_curve, other_weights, stray_code_point, short_cable, blind)
    text = changed(*apart)
    fixed = change(compared("auto", {"leaf01.json": text}, tmp_path))
    after = apply(text, fixed.change.steps, tmp_path)
    assert stated(compared("auto", {"leaf01.json": after}, tmp_path)) == []
