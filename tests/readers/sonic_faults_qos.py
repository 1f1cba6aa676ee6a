"""One fault at a time: PFC, watchdog, maps, queues, marking."""

from __future__ import annotations

from sonic_clean import each
from sonic_fault import COLORS, CURVE, PORT, at, curve, fault, local, on, thresholds

PFC = [
    fault("pfc_enable lost on one port", "sonic-unpaused", PORT_QOS_MAP=on(PORT, pfc_enable=None)),
    fault("pfc_enable as the number 34", "device-value", PORT_QOS_MAP=each({"pfc_enable": 34})),
    fault("pfc_enable as the number 3.4", "device-value", PORT_QOS_MAP=each({"pfc_enable": 3.4})),
    fault("priorities with a semicolon", "device-value", PORT_QOS_MAP=each({"pfc_enable": "3;4"})),
    fault("PFC on all priorities", "pfc-all pfc-count", PORT_QOS_MAP=on(PORT, pfc_enable="0,1,2,3,4,5,6,7")),
    fault(
        "PFC on control too",
        "pfc-control-prio pfc-cnp",
        PORT_QOS_MAP=each({"pfc_enable": "3,6", "pfcwd_sw_enable": "3,6"}),
    ),
    fault(
        "PFC on unmarked traffic too", "pfc-prio0", PORT_QOS_MAP=each({"pfc_enable": "0,3", "pfcwd_sw_enable": "0,3"})
    ),
    fault("PFC on another priority", "pfc-rdma-only", PORT_QOS_MAP=each({"pfc_enable": "4", "pfcwd_sw_enable": "4"})),
    fault("one more priority on one port", "watchdog-priorities", PORT_QOS_MAP=on(PORT, pfc_enable="3,4")),
    fault("asymmetric PFC on one port", "sonic-asym", "dynamic", PORT=on(PORT, pfc_asym="on")),
    fault(
        "PFC differs in a LAG", "pfc-lag", "linked", PORT_QOS_MAP=on("Ethernet16", pfc_enable="4", pfcwd_sw_enable="4")
    ),
    fault("a port without its row", "sonic-unpaused", PORT_QOS_MAP={PORT: None}),
    fault("a row for the management port", "device-ref", PORT_QOS_MAP={"eth0": {"pfc_enable": "3"}}),
    fault("pfc_enable empty before 202505", "device-value", release="202311", PORT_QOS_MAP=on(PORT, pfc_enable="")),
]

WATCHDOG = [
    fault("no watchdog on one port", "watchdog-missing", "dynamic", PFC_WD={PORT: None}),
    fault("no watchdog towards a host", "watchdog-host watchdog-missing", "linked", PFC_WD={PORT: None}),
    fault("no watchdog at all", "watchdog-missing", PFC_WD=None),
    fault("nothing is watched", "watchdog-priorities", "dynamic", PORT_QOS_MAP=each({"pfcwd_sw_enable": None})),
    fault("another priority is watched", "watchdog-priorities", PORT_QOS_MAP=on(PORT, pfcwd_sw_enable="4")),
    fault(
        "nothing is watched, by a release that brackets give away",
        "watchdog-priorities",
        "bracketed",
        PORT_QOS_MAP=on(PORT, pfcwd_sw_enable=None),
    ),
    fault(
        "nothing is watched, and brackets leave the release open",
        "watchdog-priorities",
        "bracketed",
        PORT_QOS_MAP=each({"pfcwd_sw_enable": None}),
    ),
    fault("detection time of 50 ms", "schema-nos-range", PFC_WD=each({"detection_time": "50"})),
    fault("detection time of 6 s", "schema-nos-range", PFC_WD=on(PORT, detection_time="6000")),
    fault(
        "detection time of 2 s", "watchdog-slow", PFC_WD=each({"detection_time": "2000", "restoration_time": "4000"})
    ),
    fault("restoration time of 70 s", "schema-nos-range", PFC_WD=each({"restoration_time": "70000"})),
    fault("restored before it is found", "watchdog-restore", PFC_WD=each({"restoration_time": "100"})),
    fault("restored never", "watchdog-no-restore", PFC_WD=on(PORT, restoration_time=None)),
    fault("no detection time", "device-value", PFC_WD=on(PORT, detection_time=None)),
    fault("times with their unit", "device-value", PFC_WD=each({"detection_time": "200ms"})),
    fault("half a poll too much", "watchdog-multiple", PFC_WD=each({"detection_time": "250"})),
    fault("poll interval of 50 ms", "schema-nos-range", PFC_WD=on("GLOBAL", POLL_INTERVAL="50")),
    fault("poll interval above the detection time", "watchdog-poll", PFC_WD=on("GLOBAL", POLL_INTERVAL="400")),
    fault(
        "poll interval that 202511 refuses",
        "schema-nos-range",
        release="202511",
        PFC_WD=on("GLOBAL", POLL_INTERVAL="1500"),
    ),
    fault("no poll interval", "device-value", PFC_WD=on("GLOBAL", POLL_INTERVAL=None)),
    fault("poll interval of a port", "device-unknown", PFC_WD=on(PORT, POLL_INTERVAL="100")),
    fault("one look decides", "sonic-one-poll", PFC_WD=on("GLOBAL", POLL_INTERVAL="200")),
    fault("an action in capitals", "device-value", PFC_WD=each({"action": "DROP"})),
    fault("alert on one port", "watchdog-action", "dynamic", PFC_WD=on(PORT, action="alert")),
    fault("forward on all ports", "watchdog-action", "dynamic", PFC_WD=each({"action": "forward"})),
    fault("alert towards a host", "watchdog-action", "linked", PFC_WD=on(PORT, action="alert")),
    fault("two actions on a Broadcom chip", "watchdog-action-hw", PFC_WD=on(PORT, action="forward")),
    fault("the big red switch", "watchdog-big-red", PFC_WD=on("GLOBAL", BIG_RED_SWITCH="enable")),
    fault("counters off", "watchdog-counter-poll", FLEX_COUNTER_TABLE=on("PFCWD", FLEX_COUNTER_STATUS="disable")),
    fault(
        "counters of a name of one's own",
        "device-unknown",
        FLEX_COUNTER_TABLE={"PFC_WD": {"FLEX_COUNTER_STATUS": "disable"}},
    ),
    fault(
        "a watchdog for two ports",
        "device-value",
        PFC_WD={"Ethernet0,Ethernet8": {"action": "drop", "detection_time": "200"}},
    ),
    fault("the table by another name", "device-unknown", PFCWD={PORT: {"action": "drop"}}),
    fault("default_pfcwd_status enabled", "device-value", **local(default_pfcwd_status="enabled")),
    fault(
        "times of a port without PFC",
        "device-value",
        "unmanaged",
        PFC_WD={"Ethernet256": {"action": "drop", "detection_time": "20", "restoration_time": "400"}},
    ),
]

MAPS = [
    fault("RDMA's code point left out", "mix-map-total", DSCP_TO_TC_MAP=on("AZURE", **{"26": None})),
    fault("RDMA sorted into a lossy class", "pfc-rdma-only", DSCP_TO_TC_MAP=on("AZURE", **{"26": "0"})),
    fault("unmarked traffic sorted into RDMA's", "pfc-prio0", DSCP_TO_TC_MAP=on("AZURE", **{"0": "3"})),
    fault("CNPs sorted into RDMA's", "pfc-cnp", DSCP_TO_TC_MAP=on("AZURE", **{"48": "3"})),
    fault("storage sorted into RDMA's", "mix-lossless-dscp", DSCP_TO_TC_MAP=on("AZURE", **{"18": "3"})),
    fault("DSCP 64", "device-value", DSCP_TO_TC_MAP=on("AZURE", **{"64": "3"})),
    fault("a ToS byte for a DSCP", "device-value", DSCP_TO_TC_MAP=on("AZURE", **{"104": "3"})),
    fault("a zero in front", "device-value", DSCP_TO_TC_MAP=on("AZURE", **{"08": "1"})),
    fault("traffic class 16", "device-value", DSCP_TO_TC_MAP=on("AZURE", **{"26": "16"})),
    fault("RDMA sent from another queue", "mix-tc-chain", TC_TO_QUEUE_MAP=on("AZURE", **{"3": "4"})),
    fault(
        "RDMA in the group of the rest",
        "mix-pg-shared buffer-lossy-group",
        TC_TO_PRIORITY_GROUP_MAP=on("AZURE", **{"3": "0"}),
    ),
    fault("the rest in RDMA's group", "mix-pg-shared", TC_TO_PRIORITY_GROUP_MAP=on("AZURE", **{"0": "3"})),
    fault("the rest in RDMA's queue", "mix-class-shared", TC_TO_QUEUE_MAP=on("AZURE", **{"0": "3"})),
    fault("pauses stop another queue", "mix-tc-chain", MAP_PFC_PRIORITY_TO_QUEUE=on("AZURE", **{"3": "4"})),
    fault("queue 10", "device-value", TC_TO_QUEUE_MAP=on("AZURE", **{"7": "10"})),
    fault("queue 8 before 202411", "device-value", release="202311", TC_TO_QUEUE_MAP=on("AZURE", **{"7": "8"})),
    fault("no queue map on one port", "mix-tc-chain", PORT_QOS_MAP=on(PORT, tc_to_queue_map=None)),
    fault("no group map on one port", "mix-tc-chain", PORT_QOS_MAP=on(PORT, tc_to_pg_map=None)),
    fault("no PFC map on one port", "mix-tc-chain", PORT_QOS_MAP=on(PORT, pfc_to_queue_map=None)),
    fault(
        "no maps of classes on any port",
        "mix-tc-chain",
        PORT_QOS_MAP=each({"tc_to_queue_map": None, "tc_to_pg_map": None}),
    ),
    fault("a map misspelt", "device-ref", PORT_QOS_MAP=on(PORT, dscp_to_tc_map="AZUR")),
    fault(
        "a reference in brackets",
        "device-value",
        release="202405",
        PORT_QOS_MAP=on(PORT, dscp_to_tc_map="[DSCP_TO_TC_MAP|AZURE]"),
    ),
    fault(
        "a plain reference in an old release",
        "device-value",
        "bracketed",
        release="202012",
        PORT_QOS_MAP=on(PORT, tc_to_queue_map="AZURE"),
    ),
    fault("an empty reference", "device-value", PORT_QOS_MAP=on(PORT, tc_to_pg_map="")),
    fault(
        "another map on one port",
        "mix-port-map",
        DSCP_TO_TC_MAP={"OWN": {str(d): "0" for d in range(64)}},
        PORT_QOS_MAP=on(PORT, dscp_to_tc_map="OWN"),
    ),
    fault("ports that trust nothing", "mix-trust", PORT_QOS_MAP=each({"dscp_to_tc_map": None}) | {"global": None}),
    fault(
        "a map for the whole switch that is none", "device-unknown", PORT_QOS_MAP=on("global", tc_to_queue_map="AZURE")
    ),
    fault(
        "RDMA's mark rewritten",
        "mix-remark",
        TC_TO_DSCP_MAP={"AZURE": {"3": "0"}},
        PORT_QOS_MAP=each({"tc_to_dscp_map": "AZURE"}),
    ),
    fault("a table misspelt", "device-unknown", TC_TO_PRIORITY_GROUPS_MAP={"AZURE": {"3": "3"}}),
    fault("a name with a dot", "device-value", TC_TO_QUEUE_MAP={"azure.v2": {"3": "3"}}),
    fault("a tag that is paused as another", "mix-tc-chain", "tagged", DOT1P_TO_TC_MAP=on("AZURE", **{"5": "3"})),
    fault(
        "a tunnel that drops marks", "mix-tunnel", TUNNEL={"MuxTunnel0": {"dscp_mode": "pipe", "ecn_mode": "standard"}}
    ),
    fault("a row for two ports", "device-unknown", PORT_QOS_MAP={"Ethernet0,Ethernet8": {"pfc_enable": "3"}}),
]

QUEUES = [
    fault("a scheduler that nobody defines", "device-ref", QUEUE=at(3, {"scheduler": "scheduler.9"}, PORT)),
    fault("weight 0", "device-value", SCHEDULER=on("scheduler.1", weight="0")),
    fault("weight 101", "device-value", SCHEDULER=on("scheduler.1", weight="101")),
    fault("a type in small letters", "device-value", SCHEDULER=on("scheduler.1", type="dwrr")),
    fault("a priority of a scheduler", "device-unknown", SCHEDULER=on("scheduler.1", priority="3")),
    fault("a field misspelt", "device-unknown", SCHEDULER=on("scheduler.1", wieght="60")),
    fault("RDMA strict", "ets-rdma-strict", QUEUE=at(3, {"scheduler": "scheduler.strict"})),
    fault("no scheduler for RDMA", "sonic-unscheduled", QUEUE=at(3, {"scheduler": None}, PORT)),
    fault(
        "a small share on one port",
        "ets-port-share",
        SCHEDULER={"small": {"type": "DWRR", "weight": "5"}},
        QUEUE=at(3, {"scheduler": "small"}, PORT),
    ),
    fault("a shaper below the port", "ets-shaper", SCHEDULER=on("scheduler.1", cir="2", pir="1250000000")),
    fault("a peak without a rate", "device-value", SCHEDULER=on("scheduler.1", pir="1250000000")),
    fault("a peak below the rate", "device-value", SCHEDULER=on("scheduler.1", cir="2000", pir="1000")),
    fault(
        "a shaper for a whole port",
        "device-unread",
        SCHEDULER={"slow": {"pir": "9", "cir": "1"}},
        PORT_QOS_MAP=on(PORT, scheduler="slow"),
    ),
    fault("a range that falls", "device-value", QUEUE={"Ethernet0|4-3": {"scheduler": "scheduler.0"}}),
    fault("rows that overlap", "device-conflict", QUEUE=at("3-4", {"scheduler": "scheduler.0"}, PORT)),
    fault("a queue of a port that is not there", "device-ref", QUEUE={"Ethernet4|3": {"scheduler": "scheduler.1"}}),
    fault(
        "a key of two parts on a line card",
        "device-value",
        "line card",
        QUEUE=at(5, {"scheduler": "scheduler.0"}, PORT),
    ),
    fault(
        "a port of this line card that is not there",
        "device-ref",
        "line card",
        QUEUE={"leaf01|asic0|Ethernet96|3": {"scheduler": "scheduler.1"}},
    ),
]

MARKING = [
    fault("kmin above kmax", "ecn-order", **curve(green_min_threshold="3200000")),
    fault("kmin above kmax of another colour", "device-value", **curve(yellow_min_threshold="3200000")),
    fault(
        "kmin above kmax where nothing is marked by it",
        "device-value",
        WRED_PROFILE={"OLD": {"green_min_threshold": "9", "green_max_threshold": "8"}},
    ),
    fault("a step", "ecn-step", **curve(green_min_threshold="1600000")),
    fault("kilobytes taken for bytes", "ecn-below-packet", **thresholds("150", "1500")),
    fault("no thresholds", "ecn-order", **thresholds(None, None)),
    fault("no kmin", "device-value", **curve(green_min_threshold=None)),
    fault("thresholds of the stock", "ecn-vendor-default", **thresholds("1048576", "2097152")),
    fault("marking after the pause", "ecn-before-pfc", **thresholds("60000000", "90000000")),
    fault("thresholds beyond 32 bits", "schema-nos-range device-value", **thresholds("400000", "4294967296")),
    fault("probability 0", "ecn-pmax", **curve(green_drop_probability="0")),
    fault("probability 150", "schema-nos-range", **curve(green_drop_probability="150")),
    fault("a probability as a fraction", "device-value", **curve(green_drop_probability="0.05")),
    fault("WRED off for all colours", "ecn-color", **curve(**{f"wred_{c}_enable": "false" for c in COLORS})),
    fault("WRED off for green", "ecn-color", **curve(wred_green_enable="false")),
    fault("True for true", "device-value", **curve(wred_green_enable="True")),
    fault("a bare true", "device-value", **curve(wred_green_enable=True)),
    fault("only red is marked", "ecn-color", **curve(ecn="ecn_red")),
    fault("WRED drops", "ecn-red-drop", **curve(ecn="ecn_none")),
    fault("ecn on", "device-value", **curve(ecn="on")),
    fault("an averaging weight", "device-unknown", **curve(green_weight="8")),
    fault("no marking on one port", "ecn-missing", QUEUE=at(3, {"wred_profile": None}, PORT)),
    fault("a profile misspelt", "device-ref", QUEUE=at(3, {"wred_profile": "AZURE_LOSLESS"})),
    fault(
        "marking on the wrong queue",
        "ecn-missing",
        QUEUE=at(3, {"wred_profile": None}) | at(4, {"scheduler": "scheduler.0", "wred_profile": CURVE}),
    ),
]


FAULTS = [*PFC, *WATCHDOG, *MAPS, *QUEUES, *MARKING]
