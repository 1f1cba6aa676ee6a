"""Mistakes that SONiC's users have made, one at a time, in a configuration with nothing else wrong with it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
import sonic_text
from loops import loop
from sonic_clean import PORTS, changed, clean, each

LOSSLESS = "pg_lossless_400000_40m_profile"
DYNAMIC = {"DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic", "hwsku": "unknown"}}}


class Case(NamedTuple):
    """What is changed, and the rules that then find something."""

    name: str
    tables: dict[str, Any]
    rules: set[str]
    release: str | None = None


def queues(row: dict[str, Any], queue: int = 3) -> dict[str, Any]:
    return {f"{p}|{queue}": dict(row) for p in PORTS}


MISTAKES = [
    # the watchdog
    Case("no pfcwd_sw_enable", {"PORT_QOS_MAP": each({"pfcwd_sw_enable": None})}, {"watchdog-priorities"}),
    Case("another pfcwd_sw_enable", {"PORT_QOS_MAP": each({"pfcwd_sw_enable": "4"})}, {"watchdog-priorities"}),
    Case("no watchdog at all", {"PFC_WD": None}, {"watchdog-missing"}),
    Case("no watchdog on one port", {"PFC_WD": {"Ethernet8": None}}, {"watchdog-missing"}),
    Case("detection below poll", {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "300"}}}, {"watchdog-poll"}),
    Case("detection in one poll", {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "200"}}}, {"sonic-one-poll"}),
    Case("detection in one and a half", {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "150"}}}, {"watchdog-multiple"}),
    Case(
        "timers of a switch with 512 ports",
        {
            "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "3200"}}
            | each({"detection_time": "3200", "restoration_time": "3200"})
        },
        {"schema-nos-range", "watchdog-slow", "sonic-one-poll"},
        "202405",
    ),
    Case(
        "a poll interval that 202511 no longer takes",
        {
            "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "1200"}}
            | each({"detection_time": "2400", "restoration_time": "4800"})
        },
        {"schema-nos-range", "watchdog-slow"},
        "202511",
    ),
    Case("no detection time", {"PFC_WD": each({"detection_time": None})}, {"device-value"}),
    Case("no restoration time", {"PFC_WD": each({"restoration_time": None})}, {"watchdog-no-restore"}),
    Case("a storm that is restored too soon", {"PFC_WD": each({"restoration_time": "100"})}, {"watchdog-restore"}),
    Case("an action that nobody knows", {"PFC_WD": each({"action": "Drop"})}, {"device-value"}),
    Case(
        "forward on Cisco's chips",
        {
            "DEVICE_METADATA": {"localhost": {"hwsku": "Cisco-8102-C64"}},
            "PFC_WD": each({"action": "forward"}),
        },
        {"device-value"},
    ),
    Case("two actions on one Broadcom chip", {"PFC_WD": {"Ethernet0": {"action": "alert"}}}, {"watchdog-action-hw"}),
    Case("an unknown field of the watchdog", {"PFC_WD": each({"poll_interval": "100"})}, {"device-unknown"}),
    Case("POLL_INTERVAL of a port", {"PFC_WD": {"Ethernet0": {"POLL_INTERVAL": "100"}}}, {"device-unknown"}),
    Case("BIG_RED_SWITCH on", {"PFC_WD": {"GLOBAL": {"BIG_RED_SWITCH": "enable"}}}, {"watchdog-big-red"}),
    Case("BIG_RED_SWITCH left", {"PFC_WD": {"GLOBAL": {"BIG_RED_SWITCH": "disable"}}}, {"device-unknown"}),
    Case(
        "blind counters",
        {"FLEX_COUNTER_TABLE": {"PFCWD": {"FLEX_COUNTER_STATUS": "disable"}}},
        {"watchdog-counter-poll"},
    ),
    Case(
        "poll interval of the counters", {"FLEX_COUNTER_TABLE": {"PFCWD": {"POLL_INTERVAL": "100"}}}, {"device-unknown"}
    ),
    Case("asymmetric PFC", {"PORT": each({"pfc_asym": "on"})}, {"sonic-asym"}),
    # PFC
    Case("a range of priorities", {"PORT_QOS_MAP": each({"pfc_enable": "3-4"})}, {"device-value"}),
    Case("blanks in a list", {"PORT_QOS_MAP": each({"pfc_enable": "3, 3"})}, {"device-value"}),
    Case("a ninth priority", {"PORT_QOS_MAP": each({"pfc_enable": "3,8"})}, {"device-value"}),
    Case("a list of JSON", {"PORT_QOS_MAP": each({"pfc_enable": ["3"]})}, {"device-value"}),
    Case(
        "an empty list up to 202411",
        {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "", "pfcwd_sw_enable": ""}}, "PFC_WD": {"Ethernet0": None}},
        {"device-value", "sonic-unpaused"},
        "202411",
    ),
    Case(
        "an empty list from 202505 on",
        {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "", "pfcwd_sw_enable": ""}}, "PFC_WD": {"Ethernet0": None}},
        {"sonic-unpaused"},
        "202505",
    ),
    # headroom
    Case(
        "a cable that the table does not list",
        {"CABLE_LENGTH": {"AZURE": each("60m")}, "BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        {"buffer-cable-bucket"},
    ),
    Case(
        "a speed that the table does not list",
        {"PORT": each({"speed": "1000"}), "BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        {"buffer-cable-bucket"},
    ),
    Case(
        "no cable length",
        {"CABLE_LENGTH": None, "BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        {"buffer-cable-bucket"},
    ),
    Case(
        "a cable of 0m",
        {"CABLE_LENGTH": {"AZURE": each("0m")}, "BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        {"buffer-cable-bucket"},
    ),
    Case(
        "no admin_status",
        {"PORT": each({"admin_status": None}), "BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        {"buffer-cable-bucket"},
        "202405",
    ),
    Case(
        "no admin_status, which 202511 takes for down",
        {"PORT": each({"admin_status": None}), "BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        set(),
        "202511",
    ),
    Case("one port left out after a breakout", {"BUFFER_PG": {"Ethernet8|3": None}}, {"sonic-group-missing"}),
    Case(
        "qos reload without buffers",
        {"BUFFER_POOL": None, "BUFFER_PROFILE": None, "BUFFER_PG": None, "BUFFER_QUEUE": None},
        {"buffer-cable-bucket"},
    ),
    Case(
        "a lossy profile for the lossless group",
        {"BUFFER_PG": {f"{p}|3": {"profile": "ingress_lossy_profile"} for p in PORTS}},
        {"buffer-lossy-group"},
    ),
    Case(
        "profile NULL in the traditional model",
        {"BUFFER_PG": {f"{p}|3": {"profile": "NULL"} for p in PORTS}},
        {"buffer-model-mix"},
    ),
    Case(
        "no group in the dynamic model",
        DYNAMIC | {"BUFFER_PG": {f"{p}|3": None for p in PORTS}},
        {"buffer-cable-bucket"},
    ),
    Case(
        "a pool without size in the traditional model",
        {"BUFFER_POOL": {"ingress_lossless_pool": {"size": None}}},
        {"device-value"},
    ),
    Case(
        "a pool of another chip",
        {
            "BUFFER_POOL": {
                "ingress_lossless_pool": {"size": "258650112"},
                "egress_lossless_pool": {"size": "258650112"},
            }
        },
        {"sonic-pool-size", "buffer-egress-drop"},
    ),
    Case(
        "less at egress than at ingress",
        {
            "BUFFER_POOL": {"egress_lossless_pool": {"size": "90000000"}},
            "BUFFER_PROFILE": {"egress_lossless_profile": {"static_th": "90000000"}},
        },
        {"buffer-egress-drop"},
    ),
    Case(
        "a fixed threshold in a dynamic pool",
        {"BUFFER_PROFILE": {LOSSLESS: {"dynamic_th": None, "static_th": "4000000"}}},
        {"device-conflict"},
    ),
    Case(
        "both kinds of threshold",
        {"BUFFER_PROFILE": {LOSSLESS: {"static_th": "4000000"}}},
        {"device-conflict"},
    ),
    Case(
        "an egress pool for a priority group",
        {"BUFFER_PROFILE": {LOSSLESS: {"pool": "egress_lossless_pool", "dynamic_th": None, "static_th": "9000000"}}},
        {"device-conflict"},
    ),
    Case(
        "shared headroom in another pool",
        {"BUFFER_POOL": {"egress_lossless_pool": {"xoff": "1000"}}},
        {"device-unknown"},
    ),
    # marking
    Case(
        "WRED not enabled",
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {f"wred_{c}_enable": None for c in ("green", "yellow", "red")}}},
        {"ecn-color", "ecn-missing"},
    ),
    Case(
        "WRED not enabled for green",
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"wred_green_enable": "false"}}},
        {"ecn-color"},
    ),
    Case(
        "WRED that drops",
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_none"}}},
        {"ecn-red-drop"},
    ),
    Case(
        "another spelling of true",
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"wred_green_enable": "True"}}},
        {"device-value", "ecn-color"},
    ),
    Case("an unknown mode", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"ecn": "ecn_both"}}}, {"device-value", "ecn-missing"}),
    Case("kmin above kmax", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_min_threshold": "1700000"}}}, {"ecn-order"}),
    Case(
        "kmin alone", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_max_threshold": None}}}, {"ecn-order", "ecn-missing"}
    ),
    Case(
        "kmax alone",
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_min_threshold": None}}},
        {"device-value", "ecn-order", "ecn-missing"},
    ),
    Case("probability 0", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_drop_probability": "0"}}}, {"ecn-pmax"}),
    Case("no probability, which is 100", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_drop_probability": None}}}, set()),
    Case(
        "a threshold beyond 32 bits",
        {"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_max_threshold": "3000000000"}}},
        {"schema-nos-range", "ecn-before-pfc"},
    ),
    Case("no profile on the lossless queue", {"QUEUE": queues({"wred_profile": None})}, {"ecn-missing"}),
    Case("an unknown field of a profile", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"weight": "0"}}}, {"device-unknown"}),
    # maps
    Case(
        "another queue for TC 3",
        {
            "TC_TO_QUEUE_MAP": {"AZURE": {"3": "4"}},
            "QUEUE": queues({"scheduler": "scheduler.1", "wred_profile": "AZURE_LOSSLESS"}, 4),
        },
        {"mix-tc-chain"},
    ),
    Case("pauses for another queue", {"MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {"3": "4"}}}, {"mix-tc-chain"}),
    Case(
        "no group for TC 3",
        {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"3": None}}},
        {"mix-map-total", "mix-pg-shared", "buffer-lossy-group"},
    ),
    Case("a lossy TC in the lossless group", {"TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"6": "3"}}}, {"mix-pg-shared"}),
    Case("a partial map", {"DSCP_TO_TC_MAP": {"AZURE": {"1": None, "2": None}}}, {"mix-map-total"}),
    Case(
        "an empty map",
        {"DSCP_TO_TC_MAP": {"AZURE": {str(d): None for d in range(64)}}},
        {"mix-map-total", "pfc-rdma-only"},
    ),
    Case("a leading zero", {"DSCP_TO_TC_MAP": {"AZURE": {"07": "0"}}}, {"device-value"}),
    Case("an empty entry", {"DSCP_TO_TC_MAP": {"AZURE": {"7": ""}}}, {"device-value", "mix-map-total"}),
    Case("DSCP 64", {"DSCP_TO_TC_MAP": {"AZURE": {"64": "0"}}}, {"device-value"}),
    Case("TC 8", {"DSCP_TO_TC_MAP": {"AZURE": {"7": "8"}}}, {"device-unread"}),
    Case("no map bound", {"PORT_QOS_MAP": {"global": None} | each({"dscp_to_tc_map": None})}, {"mix-trust"}),
    Case("an empty reference", {"PORT_QOS_MAP": {"Ethernet0": {"pfc_to_queue_map": ""}}}, {"device-value"}),
    Case("a map that nobody defines", {"PORT_QOS_MAP": each({"tc_to_queue_map": "AZUR"})}, {"device-ref"}),
    Case(
        "brackets", {"PORT_QOS_MAP": each({"tc_to_queue_map": "[TC_TO_QUEUE_MAP|AZURE]"})}, {"device-value"}, "202405"
    ),
    Case(
        "table and name", {"QUEUE": queues({"wred_profile": "WRED_PROFILE|AZURE_LOSSLESS"})}, {"device-value"}, "202405"
    ),
    Case(
        "a row for several ports",
        {
            "PORT_QOS_MAP": {
                "Ethernet0": None,
                "Ethernet0,": None,
                "Ethernet0,Ethernet8": {
                    "pfc_enable": "3",
                    "pfcwd_sw_enable": "3",
                    "dscp_to_tc_map": "AZURE",
                    "tc_to_queue_map": "AZURE",
                    "tc_to_pg_map": "AZURE",
                    "pfc_to_queue_map": "AZURE",
                },
            }
        },
        {"device-unknown"},
    ),
    Case(
        "another map on a port",
        {
            "DSCP_TO_TC_MAP": {"OTHER": {str(d): "0" for d in range(64)}},
            "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "OTHER"}},
        },
        {"mix-port-map"},
    ),
    Case(
        "a map for the whole switch that only ports take",
        {"PORT_QOS_MAP": {"global": {"tc_to_queue_map": "AZURE"}}},
        {"device-unknown"},
    ),
    Case(
        "DSCP rewritten on the way out",
        {"TC_TO_DSCP_MAP": {"AZURE": {"3": "10"}}, "PORT_QOS_MAP": each({"tc_to_dscp_map": "AZURE"})},
        {"mix-remark"},
    ),
    # scheduling
    Case("RDMA strict", {"SCHEDULER": {"scheduler.1": {"type": "STRICT", "weight": None}}}, {"ets-rdma-strict"}),
    Case(
        "no scheduler on the lossless queue",
        {"QUEUE": queues({"scheduler": None})},
        {"sonic-unscheduled"},
    ),
    Case("weight 0", {"SCHEDULER": {"scheduler.1": {"weight": "0"}}}, {"device-value", "sonic-unscheduled"}),
    Case("a shaper", {"SCHEDULER": {"scheduler.1": {"cir": "1", "pir": "12500000000"}}}, {"ets-shaper"}),
    Case("pir without cir", {"SCHEDULER": {"scheduler.strict": {"pir": "125000000"}}}, {"device-value"}),
    # rows and tables
    Case("no POLL_INTERVAL in GLOBAL", {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": None}}}, {"device-value"}),
    Case(
        "a slip in the watchdog's counters",
        {"FLEX_COUNTER_TABLE": {"PFCWD": None, "PFC_WD": {"FLEX_COUNTER_STATUS": "enable"}}},
        {"device-unknown"},
    ),
    Case("a binding without profile", {"BUFFER_QUEUE": {"Ethernet0|3": {"profile": None}}}, {"device-value"}),
    Case("a port without speed", {"PORT": {"Ethernet0": {"speed": None}}}, {"device-value"}),
    Case("a zero in front", {"TC_TO_QUEUE_MAP": {"AZURE": {"7": "07"}}}, {"device-value"}),
    Case("a key of two parts", {"SCHEDULER": {"a|b": {"type": "STRICT"}}}, {"device-value", "device-unbound"}),
    Case("a range that falls", {"QUEUE": {"Ethernet0|4-3": {"scheduler": "scheduler.0"}}}, {"device-value"}),
    Case("a range of one", {"BUFFER_PG": {"Ethernet0|5-5": {"profile": "ingress_lossy_profile"}}}, {"device-value"}),
    Case("no number", {"QUEUE": {"Ethernet0|x": {"scheduler": "scheduler.0"}}}, {"device-value"}),
    Case(
        "overlapping rows",
        {"BUFFER_PG": {"Ethernet0|3-4": {"profile": "ingress_lossy_profile"}}},
        {"device-conflict", "buffer-lossy-group"},
    ),
    Case("a port that is not there", {"QUEUE": {"Ethernet99|3": {"scheduler": "scheduler.0"}}}, {"device-ref"}),
    Case("a table's old name", {"PFC_WD_TABLE": {"Ethernet0": {"action": "drop"}}}, {"device-unknown"}),
    Case("a misspelt table", {"BUFFER_PROFILES": {"x": {"size": "0"}}}, {"device-unknown"}),
    Case("a misspelt field", {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enabled": "3"}}}, {"device-unknown"}),
    Case("a profile that nobody uses", {"WRED_PROFILE": {"ROCE": {"ecn": "ecn_none"}}}, {"device-unbound"}),
    Case(
        "two cable lengths for a port",
        {"CABLE_LENGTH": {"OTHER": {"Ethernet0": "5m"}}},
        {"device-conflict"},
    ),
    Case(
        "trimming of a lossless queue",
        {"BUFFER_PROFILE": {"egress_lossless_profile": {"packet_discard_action": "trim"}}},
        {"device-conflict"},
    ),
    Case(
        "a bare true", {"WRED_PROFILE": {"AZURE_LOSSLESS": {"wred_green_enable": True}}}, {"device-value", "ecn-color"}
    ),
    Case(
        "a wrong word for the default watchdog",
        {"DEVICE_METADATA": {"localhost": {"default_pfcwd_status": "enabled"}}},
        {"device-value"},
    ),
    Case("queue 8 up to 202405", {"TC_TO_QUEUE_MAP": {"AZURE": {"7": "8"}}}, {"device-value"}, "202405"),
    Case("queue 8 from 202411 on", {"TC_TO_QUEUE_MAP": {"AZURE": {"7": "8"}}}, set(), "202411"),
    Case(
        "a field of a later release",
        {"TC_TO_DSCP_MAP": {"AZURE": {"3": "26"}}, "PORT_QOS_MAP": each({"tc_to_dscp_map": "AZURE"})},
        {"device-unknown"},
        "202405",
    ),
]


def test_nothing_is_wrong_with_the_clean_configuration() -> None:
    for release in (None, "202311", "202405", "202411", "202505", "202511", "master"):
        assert sonic_text.names(clean(), release) == set(), release


@loop("case", MISTAKES, lambda case: case.name)
def test_each_mistake_is_found_and_nothing_else(case: Case) -> None:
    assert sonic_text.names(changed(**case.tables), case.release) == case.rules


def test_pfc_on_all_priorities_is_told_as_such() -> None:
    names = sonic_text.names(changed(PORT_QOS_MAP=each({"pfc_enable": "0,1,2,3,4,5,6,7"})))
    assert "pfc-all" in names
    assert not {n for n in names if n.startswith(("sonic-", "device-"))}


@pytest.mark.parametrize(
    ("tables", "release"),
    [
        ({"WRED_PROFILE": {"AZURE_LOSSLESS": {"green_min_threshold": 400000}}}, None),  # a number, not a text
        ({"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": 3}}}, None),
        ({"BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": ["ingress_lossy_profile"]}}}, None),
        ({"BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "ingress_lossy_profile"}}}, None),
        ({"MPLS_TC_TO_TC_MAP": {"AZURE": {"0": "1"}}}, None),
        ({"QUEUE": {"CPU|0-48": {"scheduler": "scheduler.0"}}}, None),
        ({"QUEUE": {"Ethernet0|1-2": {"scheduler": "scheduler.0"}}}, None),
        ({"TC_TO_DSCP_MAP": {"AZURE": {"3": "26"}}, "PORT_QOS_MAP": each({"tc_to_dscp_map": "AZURE"})}, "202411"),
        ({"PORT": {"Ethernet0": {"admin_status": "down"}}, "BUFFER_PG": {"Ethernet0|3": None}}, None),
        ({"PORT": each({"pfc_asym": "off"})}, None),
        (
            {
                "WRED_PROFILE": {
                    "AZURE_LOSSLESS": {"yellow_min_threshold": "1048576", "yellow_max_threshold": "2097152"}
                }
            },
            None,
        ),
        ({"PFC_WD": {"GLOBAL": None}}, None),  # orchagent polls at 100 ms by itself
        ({"SCHEDULER": {"scheduler.2": {"type": "DWRR", "weight": "100"}}}, None),  # a stock row that no queue uses
        (
            {
                "BUFFER_PROFILE": {
                    "pg_lossless_100000_5m_profile": {"pool": "ingress_lossless_pool", "size": "0", "xoff": "1"}
                }
            },
            None,
        ),
        ({"SNMP_COMMUNITY": {"x": {"TYPE": "RO"}}, "ACL_TABLE": {"x": {"ports": ["Ethernet0"]}}}, None),
    ],
)
def test_what_is_nearly_a_mistake(tables: dict[str, Any], release: str | None) -> None:
    assert sonic_text.names(changed(**tables), release) == set()


def test_a_bare_word_is_told_with_the_text_that_it_becomes() -> None:
    """And no other: JSON's true is True in Python's hand, which SONiC refuses."""
    for value in (True, False):
        config = changed(WRED_PROFILE={"AZURE_LOSSLESS": {"wred_green_enable": value}})
        (found,) = (f for f in sonic_text.findings(config) if f.rule.name == "device-value")
        words = f"wred_green_enable: a bare {str(value).lower()} becomes the text {value}, which SONiC refuses"
        assert words in found.message
