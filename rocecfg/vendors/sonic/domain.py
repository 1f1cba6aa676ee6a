"""What the tables of CONFIG_DB on RoCE hold: fields, what they take, and since when.

Facts of src/sonic-yang-models of sonic-buildimage (202311 to 202605 and master) and of orchagent in sonic-swss.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from rocecfg.core.records import NamedTuple

BINDINGS = {  # field of PORT_QOS_MAP: the table of its map
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "dot1p_to_tc_map": "DOT1P_TO_TC_MAP",
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
    "pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "tc_to_dscp_map": "TC_TO_DSCP_MAP",
}
MAPS = {  # table: keys, values
    "DSCP_TO_TC_MAP": ("dscp", "tc"),
    "DOT1P_TO_TC_MAP": ("eight", "tc"),
    "TC_TO_QUEUE_MAP": ("tc", "queue"),
    "TC_TO_PRIORITY_GROUP_MAP": ("tc", "eight"),
    "MAP_PFC_PRIORITY_TO_QUEUE": ("eight", "eight"),
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": ("eight", "eight"),
    "TC_TO_DSCP_MAP": ("tc", "dscp"),
}
NUMBERS = {  # inclusive
    "dscp": (0, 63),
    "tc": (0, 15),
    "queue": (0, 9),
    "eight": (0, 7),
}
NAME = re.compile(r"[a-zA-Z0-9][-a-zA-Z0-9_]{0,31}")  # of rows of NAMED_BY_PATTERN
PORT_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_./-]{0,63}")


class Field(NamedTuple):
    """What a field takes. Numbers without bounds of their own are checked by the profile of the operating system."""

    kind: str  # ref | mask | number | word | cable | any | refused: orchagent takes no row that has it
    table: str = ""  # that a reference is to
    words: tuple[str, ...] = ()  # that it takes; of a number: in its place
    low: int = 0
    high: int | None = None
    since: int | None = None  # first release
    until: int | None = None  # last release


def _reference_field(table: str, since: int | None = None) -> Field:
    return Field("ref", table, since=since)


def _word_field(*words: str, since: int | None = None) -> Field:
    return Field("word", words=words, since=since)


_NUMBER = Field("number")
_U64 = Field("number", high=2**64 - 1)
_U32 = Field("number", high=2**32 - 1)
_I32 = Field("number", high=2**31 - 1)  # orchagent reads thresholds of WRED as signed
_ON = _word_field("true", "false")
_PROFILE = {"profile": _reference_field("BUFFER_PROFILE")}
_LIST = {"profile_list": Field("refs", "BUFFER_PROFILE")}
_COLORS = ("green", "yellow", "red")
ECN_MODES: Mapping[str, tuple[str, ...]] = {  # and the colours each marks
    "ecn_none": (),
    "ecn_green": ("green",),
    "ecn_yellow": ("yellow",),
    "ecn_red": ("red",),
    "ecn_green_yellow": ("green", "yellow"),
    "ecn_green_red": ("green", "red"),
    "ecn_yellow_red": ("yellow", "red"),
    "ecn_all": _COLORS,
}
_STATUS = _word_field("enable", "disable")

FIELDS: Mapping[str, Mapping[str, Field]] = {
    "PORT_QOS_MAP": {
        "dscp_to_tc_map": _reference_field("DSCP_TO_TC_MAP"),
        "dot1p_to_tc_map": _reference_field("DOT1P_TO_TC_MAP"),
        "tc_to_queue_map": _reference_field("TC_TO_QUEUE_MAP"),
        "tc_to_pg_map": _reference_field("TC_TO_PRIORITY_GROUP_MAP"),
        "pfc_to_queue_map": _reference_field("MAP_PFC_PRIORITY_TO_QUEUE"),
        "pfc_to_pg_map": _reference_field("PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"),
        "tc_to_dscp_map": _reference_field("TC_TO_DSCP_MAP", 202411),
        "tc_to_dot1p_map": Field("any"),
        "mpls_tc_to_tc_map": Field("any"),
        "dscp_to_fc_map": Field("any"),
        "exp_to_fc_map": Field("any"),
        "scheduler": _reference_field("SCHEDULER"),
        "pfc_enable": Field("mask"),
        "pfcwd_sw_enable": Field("mask"),
    },
    "SCHEDULER": {
        "type": _word_field("DWRR", "WRR", "STRICT"),
        "weight": Field("number", low=1, high=100),
        "priority": Field("refused", until=202205),  # YANG has it; orchagent does not
        "meter_type": _word_field("packets", "bytes"),
        "cir": _U64,
        "pir": _U64,
        "cbs": _U32,
        "pbs": _U32,
    },
    "QUEUE": {"scheduler": _reference_field("SCHEDULER"), "wred_profile": _reference_field("WRED_PROFILE")},
    "WRED_PROFILE": {
        "ecn": _word_field(*ECN_MODES),
        **{f"wred_{color}_enable": _ON for color in _COLORS},
        **{f"{color}_{end}_threshold": _I32 for color in _COLORS for end in ("min", "max")},
        **{f"{color}_drop_probability": Field("number", high=100) for color in _COLORS},
        "green_min_threshold": _NUMBER,  # what is out of range here, the model tells
        "green_max_threshold": _NUMBER,
        "green_drop_probability": _NUMBER,
    },
    "BUFFER_POOL": {
        "type": _word_field("ingress", "egress", "both"),
        "mode": _word_field("static", "dynamic"),
        "size": _U64,
        "xoff": _U64,
        "percentage": Field("number", high=255, since=202405),
    },
    "BUFFER_PROFILE": {
        "pool": _reference_field("BUFFER_POOL"),
        "size": _U64,
        "dynamic_th": Field("number", low=-8, high=7),
        "static_th": _U64,
        "xon": _U64,
        "xoff": _U64,
        "xon_offset": _U64,
        "headroom_type": _word_field("static", "dynamic"),
        "packet_discard_action": _word_field("drop", "trim", since=202505),
    },
    "BUFFER_PG": _PROFILE,
    "BUFFER_QUEUE": _PROFILE,
    "BUFFER_PORT_INGRESS_PROFILE_LIST": _LIST,
    "BUFFER_PORT_EGRESS_PROFILE_LIST": _LIST,
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": {
        "default_dynamic_th": Field("number", low=-8, high=7),
        "over_subscribe_ratio": Field("number", high=65535),
        "max_headroom_size": Field("any"),
    },
    "LOSSLESS_TRAFFIC_PATTERN": {"mtu": _NUMBER, "small_packet_percentage": _NUMBER},
    "SWITCH_TRIMMING": {
        "size": _U32,
        "dscp_value": Field("number", words=("from-tc",), high=63),
        "tc_value": Field("number", high=255),
        "queue_index": Field("number", words=("dynamic",), high=255),
    },
    "PFC_WD": {
        "action": _word_field("drop", "forward", "alert"),
        "detection_time": _NUMBER,
        "restoration_time": _NUMBER,
        "pfc_stat_history": _word_field("enable", "disable", since=202511),
    },
}
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "BUFFER_POOL": ("type", "mode"),
    "BUFFER_PROFILE": ("pool", "size"),
    "BUFFER_PG": ("profile",),
    "BUFFER_QUEUE": ("profile",),
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": ("default_dynamic_th",),
    "LOSSLESS_TRAFFIC_PATTERN": ("mtu", "small_packet_percentage"),
}
NAMED_BY_PATTERN = (
    *MAPS,
    *("WRED_PROFILE", "CABLE_LENGTH", "DEFAULT_LOSSLESS_BUFFER_PARAMETER", "LOSSLESS_TRAFFIC_PATTERN"),
)
NAMED_FREELY = ("SCHEDULER", "BUFFER_POOL", "BUFFER_PROFILE")  # tables whose keys are one name each
# Tables of which others name rows: one that nobody names is of no use.
REFERRED = (*MAPS, "SCHEDULER", "WRED_PROFILE", "BUFFER_PROFILE")
# Rows that stock templates write whether they are used or not.
STOCK = frozenset({"AZURE", "AZURE_LOSSLESS", "scheduler.0", "scheduler.1", "scheduler.2"})

# Ranges that rules on the model know too, for rows that the model does not have. Inclusive.
TIMES: Mapping[str, tuple[int, int]] = {"detection_time": (100, 5000), "restoration_time": (100, 60000)}  # ms
POLL = (100, 3000)  # ms; at most 1000 from 202511
WRED: Mapping[str, tuple[int, int]] = {
    "green_min_threshold": (0, 2**31 - 1),
    "green_max_threshold": (0, 2**31 - 1),
    "green_drop_probability": (0, 100),
}

PFC_WD_GLOBAL: Mapping[str, Field] = {"POLL_INTERVAL": _NUMBER, "BIG_RED_SWITCH": _STATUS}
WATCHDOG_COUNTERS: Mapping[str, Field] = {
    "FLEX_COUNTER_STATUS": _STATUS,
    "FLEX_COUNTER_DELAY_STATUS": _word_field("true", "false", "True", "False"),
}
MARK_COUNTERS: Mapping[str, Field] = {**WATCHDOG_COUNTERS, "POLL_INTERVAL": _NUMBER}
COUNTERS: Mapping[str, Field] = {
    **MARK_COUNTERS,
    "BULK_CHUNK_SIZE": _NUMBER,
    "BULK_CHUNK_SIZE_PER_PREFIX": Field("any"),
}
COUNTED = (  # the groups of FLEX_COUNTER_TABLE on queues, buffers, pauses and ports
    *("BUFFER_POOL_WATERMARK", "PFCWD", "PG_DROP", "PG_WATERMARK", "PORT", "PORT_BUFFER_DROP", "PORT_RATES", "QUEUE"),
    *("QUEUE_WATERMARK", "WRED_ECN_PORT", "WRED_ECN_QUEUE"),
)
COUNTED_BESIDE = (
    *("ACL", "DASH_METER", "DEBUG_COUNTER", "ENI", "FLOW_CNT_ROUTE", "FLOW_CNT_TRAP", "HA_SET", "ICMP_SESSION"),
    *("PORT_PHY_ATTR", "RIF", "RIF_RATES", "SRV6", "SWITCH", "TUNNEL"),
)
METADATA: Mapping[str, Field] = {  # of DEVICE_METADATA|localhost, as far as RoCE goes
    "buffer_model": _word_field("dynamic", "traditional"),
    "default_pfcwd_status": _STATUS,
}
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
PORT: Mapping[str, Field] = {
    "speed": Field("number", low=1),
    "mtu": Field("number", low=1),  # what else is out of range, the model tells
    "fec": _word_field("rs", "fc", "none", "auto"),
    "autoneg": _word_field("on", "off", "1", "0"),  # the numbers in port_config.ini, and before 202106: db_migrator.py
    "admin_status": _word_field("up", "down"),
    "pfc_asym": _word_field("on", "off"),
}

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

# Fields of the models' tables that hold more than RoCE's, and no setting of it; a field that is neither here nor
# above is one that nobody has looked at.
BESIDE: Mapping[str, tuple[str, ...]] = {
    "PORT": (  # what a port is made of, and its link comes up by
        *("alias", "lanes", "description", "link_training", "adv_speeds", "interface_type"),
        *("adv_interface_types", "subport", "index", "asic_port_name", "role", "dom_polling", "tpid", "mux_cable"),
        *("tx_power", "laser_freq", "core_id", "core_port_id", "num_voq", "mode", "dhcp_rate_limit", "fast_linkup"),
        "macsec",  # read for what it does to pause frames
    ),
    "DEVICE_METADATA": (  # which box it is, its routing, management and tables of its own
        *("hwsku", "hostname", "platform", "mac", "type", "subtype", "switch_type", "switch_id", "asic_name"),
        *("asic_id", "max_cores", "sub_role", "downstream_subrole", "slice_type", "location_type", "resource_type"),
        *("cloudtype", "region", "cluster", "deployment_id", "storage_device", "peer_switch", "chassis_hostname"),
        *("default_bgp_status", "docker_routing_config_mode", "frr_mgmt_framework_config", "bgp_asn"),
        *("bgp_adv_lo_prefix_as_128", "bgp_router_id", "suppress-fib-pending", "nexthop_group", "zebra_nexthop"),
        *("t2_group_asns", "anchor_route_source", "synchronous_mode", "yang_config_validation", "dhcp_server"),
        *("has_sonic_dhcpv4_relay", "rack_mgmt_map", "timezone", "mgmt_type", "syslog_with_osversion"),
        *("syslog_counter", "ring_thread_enabled", "orch_dash_zmq_enabled", "orch_route_zmq_enabled"),
        *("orch_northbond_dash_zmq_enabled", "orch_northbond_route_zmq_enabled", "orch_southbound_zmq_enabled"),
        *("async_swss_rec", "route_state_async_publish", "use_template_render_for_restore", "dpu_auto_recovery"),
        *("create_only_config_db_buffers", "supporting_bulk_counter_groups"),  # which counters are made
    ),
}

# What a row leaves out: the defaults of the YANG models; where these have none, what the daemon named takes.
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "SCHEDULER": {"type": "WRR", "weight": "1", "meter_type": "bytes"},
    "WRED_PROFILE": {
        "ecn": "ecn_none",
        **dict.fromkeys((f"wred_{color}_enable" for color in _COLORS), "false"),
        **dict.fromkeys((f"{color}_drop_probability" for color in _COLORS), "100"),
    },
    "BUFFER_POOL": {"xoff": "0"},
    "BUFFER_PROFILE": {
        "xon": "0",
        "xon_offset": "0",
        "headroom_type": "static",  # not xoff: with it, a profile is a lossless one
        "packet_discard_action": "drop",  # bufferorch
    },
    "PORT": {"admin_status": "down", "mtu": "9100", "pfc_asym": "off"},  # portmgrd; portsorch
    "PORT_QOS_MAP": {"pfc_enable": "", "pfcwd_sw_enable": ""},  # qosorch: no priority
    "PFC_WD": {
        "action": "drop",
        "POLL_INTERVAL": "100",
        "BIG_RED_SWITCH": "disable",  # pfcwdorch
        "pfc_stat_history": "disable",
    },
    "DEVICE_METADATA": {"default_pfcwd_status": "disable"},
}
DEFAULT_ENTRY = "0"  # where SAI's maps of DSCPs, 802.1p values and traffic classes send what they leave out
WITHOUT_ENTRY = ("MAP_PFC_PRIORITY_TO_QUEUE", "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP", "TC_TO_DSCP_MAP")  # nobody says

# The setting that a field is compared as (`What.topic`): those of a table, and fields that are another setting's.
TOPICS: Mapping[str, str] = {
    "DSCP_TO_TC_MAP": "tc_of_dscp",
    "DOT1P_TO_TC_MAP": "tc_of_pcp",
    "TC_TO_QUEUE_MAP": "queue_of",
    "TC_TO_PRIORITY_GROUP_MAP": "group_of",
    "MAP_PFC_PRIORITY_TO_QUEUE": "stops",
    "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP": "pauses",
    "TC_TO_DSCP_MAP": "remarks",
    "PORT_QOS_MAP": "maps",
    "SCHEDULER": "scheduling",
    "WRED_PROFILE": "ecn",
    "BUFFER_POOL": "pool",
    "BUFFER_PG": "group",
    "BUFFER_QUEUE": "egress",
    "BUFFER_PORT_INGRESS_PROFILE_LIST": "port_buffers",
    "BUFFER_PORT_EGRESS_PROFILE_LIST": "port_buffers",
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER": "buffers",
    "LOSSLESS_TRAFFIC_PATTERN": "buffers",
    "SWITCH_TRIMMING": "trimming",
    "PFC_WD": "watchdog",
    "CABLE_LENGTH": "cable",
    "FLEX_COUNTER_TABLE": "counters",
}
TOPICS_OF: Mapping[tuple[str, str], str] = {
    ("PORT", "speed"): "speed",
    ("PORT", "mtu"): "mtu",
    ("PORT", "fec"): "fec",
    ("PORT", "autoneg"): "autoneg",
    ("PORT", "admin_status"): "up",
    ("PORT", "pfc_asym"): "pfc",
    ("PORT_QOS_MAP", "pfc_enable"): "pfc",
    ("PORT_QOS_MAP", "pfcwd_sw_enable"): "watchdog",
    ("PORT_QOS_MAP", "scheduler"): "scheduler",
    ("QUEUE", "scheduler"): "scheduling",
    ("QUEUE", "wred_profile"): "ecn",
    **dict.fromkeys((("SCHEDULER", field) for field in ("cir", "cbs")), "guaranteed"),
    **dict.fromkeys((("SCHEDULER", field) for field in ("pir", "pbs")), "max_rate"),
    ("DEVICE_METADATA", "buffer_model"): "buffers",
    ("DEVICE_METADATA", "default_pfcwd_status"): "watchdog",
}


def topic_of(table: str, field: str) -> str:
    """The setting that a field is compared as; of BUFFER_PROFILE that of the row which binds it."""
    return TOPICS_OF.get((table, field)) or TOPICS.get(table, "idle")


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
