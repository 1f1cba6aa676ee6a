"""What stands around the fields of CONFIG_DB on RoCE: which tables are judged, their keys, and what is none of RoCE's.

Facts of src/sonic-yang-models of sonic-buildimage (202311 to 202605 and master) and of orchagent in sonic-swss.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from rocecfg.vendors.sonic.settings import COUNTERS, FIELDS, MAPS, Field

NUMBERS = {  # inclusive
    "dscp": (0, 63),
    "tc": (0, 15),
    "queue": (0, 9),
    "eight": (0, 7),
}
NAME = re.compile(r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}")  # of rows of NAMED_BY_PATTERN
PORT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{0,63}")


NAMED_BY_PATTERN = (
    *MAPS,
    *("WRED_PROFILE", "CABLE_LENGTH", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN"),
)
NAMED_FREELY = ("SCHEDULER", "BUFFER_POOL", "BUFFER_PROFILE")  # tables whose keys are one name each
# Tables of which others name rows: one that nobody names is of no use.
REFERRED = (*MAPS, "SCHEDULER", "WRED_PROFILE", "BUFFER_PROFILE")
# Rows that stock templates write whether they are used or not.
STOCK = frozenset({"AZURE", "AZURE_LOSSLESS", "scheduler.0", "scheduler.1", "scheduler.2"})

WATCHDOG_COUNTERS = {name: COUNTERS[name] for name in ("FLEX_COUNTER_STATUS", "FLEX_COUNTER_DELAY_STATUS")}
MARK_COUNTERS: Mapping[str, Field] = {**WATCHDOG_COUNTERS, "POLL_INTERVAL": COUNTERS["POLL_INTERVAL"]}
COUNTED = (  # the groups of FLEX_COUNTER_TABLE on queues, buffers, pauses and ports
    *("BUFFER_POOL_WATERMARK", "PFCWD", "PG_DROP", "PG_WATERMARK", "PORT", "PORT_BUFFER_DROP", "PORT_RATES", "QUEUE"),
    *("QUEUE_WATERMARK", "WRED_ECN_PORT", "WRED_ECN_QUEUE"),
)
COUNTED_BESIDE = (
    *("ACL", "DASH_METER", "DEBUG_COUNTER", "ENI", "FLOW_CNT_ROUTE", "FLOW_CNT_TRAP", "HA_SET", "ICMP_SESSION"),
    *("PORT_PHY_ATTR", "RIF", "RIF_RATES", "SRV6", "SWITCH", "TUNNEL"),
)
# Roles that the models of some release have (sonic-device_metadata.yang).
TYPES = (
    *("ASIC", "BackEndLeafRouter", "BackEndSpineRouter", "BackEndToRRouter", "BmcMgmtToRRouter"),
    *("ChassisBackendRouter", "ConsoleServer", "CoreTs", "EPMS", "FabricRegionalHub", "FabricSpineRouter"),
    *("FilterLeaf", "LeafRouter", "LeafTs", "LowerMgmtAggregator", "LowerRegionalHub", "LowerSpineRouter"),
    *("MgmtAccessRouter", "MgmtLeafRouter", "MgmtSpineRouter", "MgmtToRRouter", "MgmtTsToR", "MiniTs"),
    *("MseeRouter", "NetworkBmc", "SmartSwitchDPU", "SonicHost", "SpineChassisFrontendRouter", "SpineRouter"),
    *("SpineTs", "TerminalServer", "ToRRouter", "UpperMgmtAggregator", "UpperRegionalHub", "UpperSpineRouter"),
    *("not-provisioned"),
)
# Speeds of Ethernet that SONiC's ports have, Mbit/s, and 56G of older NVIDIA boxes.
SPEEDS = frozenset(
    (10, 100, 1000, 2500, 5000, 10000, 20000, 25000, 40000, 50000, 56000, 100000, 200000, 400000, 800000, 1600000)
)
# Roles of ports that do not leave the box (sonic-swss e6b0c5b5, orchagent/port/porthlpr.cpp).
INSIDE: Mapping[str, str] = {
    "Int": "to another chip of the box",
    "Inb": "in-band management over the fabric of a chassis",
    "Rec": "back into its own chip",
    "Dpc": "to a DPU",
}
# Ports that share a lane with one of a cage on purpose, by the beginning of the HwSKU, as shipped port_config.ini and
# platform.json have them (sonic-buildimage 086b03bd, device/); ALL: the whole table is such.
ALL = "*"
SHARED_LANES: Mapping[str, tuple[str, ...]] = {
    "Accton-AS9726-32D": ("Ethernet33", "Ethernet34"),
    "Arista-7050CX3-32C": ("Ethernet132",),
    "Arista-7050CX3-32S": ("Ethernet132",),
    "Arista-7170B-64C": ("Ethernet257",),
    "DellEMC-S5232f": ("Ethernet129",),
    "TCS9400-128CC": (ALL,),
}

DEFAULT_ENTRY = "0"  # where SAI's maps of DSCPs, 802.1p values and traffic classes send what they leave out
WITHOUT_ENTRY = ("MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "TC_TO_DSCP_MAP")  # nobody says

QOS = frozenset({*MAPS, *FIELDS, "CABLE_LENGTH"})  # judged whole: what they hold is RoCE's
AROUND = frozenset(  # read for what they tell of the switch and its ports
    {
        "ACL_RULE",
        "ACL_TABLE",
        "DEVICE_METADATA",
        "DEVICE_NEIGHBOR",
        "DEVICE_NEIGHBOR_METADATA",
        "FLEX_COUNTER_TABLE",
        "INTERFACE",
        "PORT",
        "PORTCHANNEL",
        "PORTCHANNEL_INTERFACE",
        "PORTCHANNEL_MEMBER",
        "SWITCH_HASH",
        "TUNNEL",
        "VERSIONS",
        "VLAN",
        "VLAN_MEMBER",
        "VXLAN_TUNNEL",
    }
)
DOMAIN = QOS | AROUND
# Words in the name of a table that is about queues, buffers or pauses, whatever it is.
STEMS = ("PFC", "BUFFER", "WRED", "DSCP", "QOS", "SCHEDULER", "TC_TO", "LOSSLESS", "WATCHDOG", "ECN_")
OTHERS = frozenset({"MPLS_TC_TO_TC_MAP", "DSCP_TO_FC_MAP", "EXP_TO_FC_MAP", "TC_TO_DOT1P_MAP", "DASH_QOS"})
# Beginnings of tables without a model here that change what RoCE meets all the same, and how.
BY_OTHER_WAYS: Mapping[str, str] = {
    "LLR_": "link-level retry: replayed frames come later, for which headroom has to be larger",  # SONiC pull 2098
    "ARS_": "adaptive routing and switching: packets of one flow take several ways, and come out of order",  # 22264
    "CBFC_": "credit-based flow control, which stands in for PFC",  # Ultra Ethernet, link layer
}


@cache
def is_unjudged(table: str) -> bool:
    """Whether a table that is not of DOMAIN bears on queues, buffers or pauses: its rows are compared as they stand."""
    return table.startswith(tuple(BY_OTHER_WAYS)) or table in OTHERS or any(stem in table for stem in STEMS)


OTHER_WORDS = {  # what the tables are called elsewhere, too far from their names to be taken for slips
    "PFC_WATCHDOG": "PFC_WD",
    "PFCWD": "PFC_WD",
    "PFC_WD_TABLE": "PFC_WD",
    "PFC_PRIORITY_TO_QUEUE_MAP": "MAP_PFC_PRIORITY_TO_QUEUE",
    "PFC_PRIORITY_TO_PG_MAP": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "TC_TO_PG_MAP": "TC_TO_PRIORITY_GROUP_MAP",
    "QOS_MAP": "PORT_QOS_MAP",
    "PORT_QOS": "PORT_QOS_MAP",
    "WRED": "WRED_PROFILE",
    "BUFFER_PRIORITY_GROUP": "BUFFER_PG",
}
