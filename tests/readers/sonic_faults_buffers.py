"""One fault at a time: buffers, links; and what nobody can find in the text."""

from __future__ import annotations

from sonic_clean import each
from sonic_fault import CURVE, PORT, PROFILE, at, fault, local, on

BUFFERS = [
    fault("no lossless group on one port", "sonic-group-missing", BUFFER_PG=at(3, None, PORT)),
    fault("no lossless group, dynamic", "buffer-cable-bucket", "dynamic", BUFFER_PG=at(3, None, PORT)),
    fault("a lossy profile for the group", "buffer-lossy-group", BUFFER_PG=at(3, {"profile": "ingress_lossy_profile"})),
    fault("NULL where nothing is computed", "buffer-model-mix", BUFFER_PG=at(3, {"profile": "NULL"}, PORT)),
    fault(
        "the traditional model for a dynamic one", "buffer-model-mix", "dynamic", **local(buffer_model="traditional")
    ),
    fault("a model misspelt", "device-value", **local(buffer_model="dynamical")),
    fault(
        "a lossy egress profile",
        "buffer-lossy-queue",
        BUFFER_POOL={"egress_lossy_pool": {"type": "egress", "mode": "dynamic", "size": "90000000"}},
        BUFFER_PROFILE={"egress_lossy_profile": {"pool": "egress_lossy_pool", "size": "1270", "dynamic_th": "3"}},
        BUFFER_QUEUE=at(3, {"profile": "egress_lossy_profile"}),
    ),
    fault(
        "a lossy egress profile, dynamic",
        "buffer-lossy-queue",
        "dynamic",
        BUFFER_QUEUE=at(3, {"profile": "egress_lossy_profile"}, PORT),
    ),
    fault("no egress profile on one port", "buffer-lossy-queue", "dynamic", BUFFER_QUEUE=at(3, None, PORT)),
    fault(
        "an ingress profile for a queue",
        "device-conflict",
        BUFFER_QUEUE=at(3, {"profile": "ingress_lossy_profile"}, PORT),
    ),
    fault(
        "a limit at egress", "buffer-egress-drop", BUFFER_PROFILE=on("egress_lossless_profile", static_th="20000000")
    ),
    fault(
        "a share at egress",
        "buffer-egress-drop",
        "dynamic",
        BUFFER_PROFILE=on("egress_lossless_profile", dynamic_th="-1"),
    ),
    fault("a small egress pool", "buffer-egress-drop", BUFFER_POOL=on("egress_lossless_pool", size="40000000")),
    fault(
        "a small egress pool, dynamic",
        "buffer-egress-drop",
        "dynamic",
        BUFFER_POOL=on("egress_lossless_pool", size="40000000"),
    ),
    fault("a pool of another chip", "sonic-pool-size", BUFFER_POOL=on("ingress_lossless_pool", size="258650112")),
    fault(
        "an egress pool of another chip", "sonic-pool-size", BUFFER_POOL=on("egress_lossless_pool", size="258650112")
    ),
    fault("a pool without size", "device-value", BUFFER_POOL=on("ingress_lossless_pool", size=None)),
    fault("a pool without type", "device-value", BUFFER_POOL=on("ingress_lossless_pool", type=None)),
    fault("a mode in capitals", "device-value", BUFFER_POOL=on("ingress_lossless_pool", mode="Dynamic")),
    fault("size and percentage", "device-value", BUFFER_POOL=on("egress_lossless_pool", percentage="50")),
    fault("shared headroom at egress", "device-unknown", BUFFER_POOL=on("egress_lossless_pool", xoff="1000000")),
    fault("no lossless pool, dynamic", "buffer-cable-bucket", "dynamic", BUFFER_POOL={"ingress_lossless_pool": None}),
    fault("a pool misspelt", "device-ref", BUFFER_PROFILE=on(PROFILE, pool="ingress_losless_pool")),
    fault("too little headroom", "buffer-headroom", BUFFER_PROFILE=on(PROFILE, xoff="20000")),
    fault("headroom of a longer link", "buffer-headroom-waste", BUFFER_PROFILE=on(PROFILE, xoff="9000000")),
    fault("a small pool of shared headroom", "buffer-pool", BUFFER_POOL=on("ingress_lossless_pool", xoff="300000")),
    fault("alpha 2^9", "device-value", BUFFER_PROFILE=on(PROFILE, dynamic_th="9")),
    fault("alpha 1/128", "buffer-alpha", BUFFER_PROFILE=on(PROFILE, dynamic_th="-7")),
    fault(
        "alpha 1/64, dynamic",
        "buffer-alpha",
        "dynamic",
        DEFAULT_LOSSLESS_BUFFER_PARAMETER=on("AZURE", default_dynamic_th="-6"),
    ),
    fault("two kinds of threshold", "device-conflict", BUFFER_PROFILE=on(PROFILE, static_th="5000000")),
    fault(
        "a fixed threshold in a dynamic pool",
        "device-conflict",
        BUFFER_PROFILE=on(PROFILE, dynamic_th=None, static_th="9000000"),
    ),
    fault("resumes at once", "buffer-xon", BUFFER_PROFILE=on(PROFILE, xon="0", xon_offset="0")),
    fault("a group that is none", "device-value", BUFFER_PG=at(8, {"profile": "ingress_lossy_profile"}, PORT)),
    fault("groups that overlap", "device-conflict", BUFFER_PG=at("2-3", {"profile": "ingress_lossy_profile"}, PORT)),
    fault(
        "packets of 64 B",
        "buffer-mtu",
        "dynamic",
        LOSSLESS_TRAFFIC_PATTERN=on("AZURE", mtu="64", small_packet_percentage="100"),
    ),
    fault("packets of 10 KB", "schema-nos-range", "dynamic", LOSSLESS_TRAFFIC_PATTERN=on("AZURE", mtu="10000")),
    fault("no pattern of packets", "buffer-cable-bucket", "dynamic", LOSSLESS_TRAFFIC_PATTERN=None),
    fault("no default threshold", "buffer-cable-bucket", "dynamic", DEFAULT_LOSSLESS_BUFFER_PARAMETER=None),
    fault(
        "a field that YANG lacks",
        "device-unread",
        "dynamic",
        DEFAULT_LOSSLESS_BUFFER_PARAMETER=on("AZURE", max_headroom_size="9"),
    ),
    fault(
        "an egress profile for the port's ingress",
        "device-conflict",
        BUFFER_PORT_INGRESS_PROFILE_LIST=on(PORT, profile_list="egress_lossless_profile"),
    ),
    fault(
        "trimming of lossless packets",
        "device-conflict",
        BUFFER_PROFILE=on("egress_lossless_profile", packet_discard_action="trim"),
    ),
]

LINKS = [
    fault("MTU 1500", "rdma-mtu", PORT=on(PORT, mtu="1500")),
    fault("MTU 10000", "schema-nos-range", PORT=each({"mtu": "10000"})),
    fault("no speed", "device-value", PORT=on(PORT, speed=None)),
    fault("a speed in Gbit/s", "device-value", PORT=each({"speed": "400"})),
    fault("a speed with its unit", "device-value", PORT=each({"speed": "400G"})),
    fault("FEC off", "link-fec", PORT=on(PORT, fec="none")),
    fault("FEC of 25G", "link-fec", "dynamic", PORT=each({"fec": "fc"})),
    fault("a field of a port misspelt", "device-unknown", PORT=on(PORT, speed="400000", fec=None, fecs="rs")),
    fault("FEC in capitals", "device-value", PORT=on(PORT, fec="RS")),
    fault("a lane of another port", "schema-port-lanes", PORT=on(PORT, lanes="1")),
    fault("up in capitals", "device-value", PORT=on(PORT, admin_status="UP")),
    fault("speeds differ in a LAG", "device-conflict", "linked", PORT=on("Ethernet16", speed="200000")),
    fault("a length without its unit", "device-value", CABLE_LENGTH=on("AZURE", Ethernet0="40")),
    fault("a length in kilometres", "device-value", CABLE_LENGTH=on("AZURE", Ethernet0="2km")),
    fault(
        "2 km with the headroom of 40 m",
        "buffer-headroom buffer-cable-bucket",
        CABLE_LENGTH=on("AZURE", Ethernet0="2000m"),
    ),
    fault("300 m with the headroom of 40 m", "buffer-cable-bucket", CABLE_LENGTH=on("AZURE", **each("300m"))),
    fault(
        "2 km that no table has",
        "buffer-cable-bucket",
        CABLE_LENGTH=on("AZURE", **each("2000m")),
        BUFFER_PG=at(3, None),
    ),
    fault(
        "2 km beyond what a port may take",
        "buffer-port-limit",
        "shared",
        CABLE_LENGTH=on("AZURE", **each("2000m")),
    ),
    fault("no length, dynamic", "buffer-cable-missing", "dynamic", CABLE_LENGTH=on("AZURE", Ethernet0=None)),
    fault("0 m, dynamic", "buffer-cable-bucket", "dynamic", CABLE_LENGTH=on("AZURE", Ethernet0="0m")),
    fault("two lengths", "device-conflict", CABLE_LENGTH={"OTHER": {PORT: "5m"}}),
    fault("the length of a port that is not there", "device-ref", CABLE_LENGTH=on("AZURE", Ethernet4="40m")),
    fault("a type of one's own", "device-value", **local(type="Spine")),
    fault(
        "a deep link on a chip nobody knows",
        "buffer-long-link buffer-pool",
        **local(hwsku="Acme-1", platform="x86_64-acme"),
        CABLE_LENGTH=on("AZURE", **each("2000m")),
        BUFFER_PG=at(3, None),
        BUFFER_PROFILE={PROFILE: None},
        BUFFER_POOL=on("ingress_lossless_pool", size="9000000", xoff="900000"),
    ),
]

# What the text alone does not tell, or no rule judges, and why.
UNKNOWN = {
    "CNPs share the bandwidth": (
        fault("", "ets-cnp", QUEUE=at(6, {"scheduler": "scheduler.0"})),
        "stock queues are all DWRR, and no field says which code point CNPs have",
    ),
    "marking on the queue of control": (
        fault("", "ecn-queue", QUEUE=at(6, {"wred_profile": CURVE})),
        "nothing says what is sent there: TCP that understands ECN would be glad of it",
    ),
    "RDMA has 1 of 41 everywhere": (
        fault("", "ets-rdma-share", SCHEDULER=on("scheduler.1", weight="1")),
        "what a fabric is for is not in the text, and stock files have 1 of 105",
    ),
    "WRR beside DWRR": (
        fault("", "ets-port-share", SCHEDULER=on("scheduler.1", type="WRR")),
        "lawful: what chips make of the two together is not published",
    ),
    "a HwSKU misspelt": (
        fault("", "schema-platform", **local(hwsku="DellEMC-Z9664-O64")),
        "the switch's own boxes are more than those that anybody lists",
    ),
    "one port slower than its cage": (
        fault("", "link-speed", "dynamic", PORT=on(PORT, speed="100000")),
        "what is at the other end is not in the text",
    ),
}

FAULTS = [*BUFFERS, *LINKS]
