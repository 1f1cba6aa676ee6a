"""The intent format, version 1: every key, its type and what it means. `rocecfg schema` prints it as JSON Schema.

Names here are the contract; adding keys is fine, renaming is not.
"""

from __future__ import annotations

from rocecfg.core.site import schema_id
from rocecfg.intent.buffer_schema import BUFFERS, ECN, PFC
from rocecfg.intent.dscp import Dscps
from rocecfg.intent.fields import PART, PREFIX, RATIO, SHARE, WEIGHT, Links, PathMtu, Transport, Version
from rocecfg.intent.host_schema import HOST
from rocecfg.intent.shapes import (
    DEVICES,
    LAGS,
    PORTS,
    ByShape,
    Either,
    Inherited,
    Key,
    Keyed,
    Listed,
    Obj,
    make_inheritable,
)
from rocecfg.intent.types import (
    BYTES,
    DEVICE_NAME,
    HWSKU,
    LENGTH,
    MICROSECONDS,
    NAME,
    PATH,
    PROSE,
    RATE,
    SECONDS,
    WORD,
    Bool,
    Int,
    Known,
    Profile,
    System,
    Type,
    Words,
)
from rocecfg.model.catalogue import FEC, PHASES
from rocecfg.model.fabric import ALGORITHMS, HASH_FIELDS
from rocecfg.model.stated import OFF
from rocecfg.model.traffic import KINDS_OF_TRAFFIC
from rocecfg.model.watched import WATCHED_WORDS, find_subjects
from rocecfg.profiles.releases import SYSTEMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PRIORITY = Int(0, 7, "schema-priority-range")
_BOOL = Bool()

LOAD_BALANCING = Obj(
    "load_balancing",
    make_inheritable(
        {
            "mode": Key(
                Words("ecmp", "flowlet", "adaptive", "spray"),
                "what goes one of several equal ways: ecmp: a flow, by a hash; flowlet: what comes of it without a gap "
                "(DLB); adaptive: each packet, by load; spray: each packet, whatever the load",
            ),
            "hash": Key(Listed(Words(*HASH_FIELDS), unique="schema-value"), "fields of a packet that ECMP hashes"),
        }
    ),
)
TRIMMING = Either(
    (OFF,),
    Obj(
        "trimming",
        {
            "size": Key(BYTES, "bytes that are kept of a packet which would else be dropped"),
            "dscp": Key(Int(0, 63, "schema-dscp-range"), "DSCP that trimmed packets are sent with"),
            "queue": Key(_PRIORITY, "egress queue of trimmed packets; default: the one that their DSCP maps to"),
            "classes": Key(Listed(NAME, single=True), "lossy classes whose packets are trimmed"),
        },
        required=("size", "dscp"),
    ),
)

_NAMED = ("carries", "dscp", "marks", "priority")  # of these, `default` is a value, or there must be one
CLASS = Obj(
    "a class",
    make_inheritable(
        {
            "carries": Key(
                Listed(WORD, single=True),
                f"which traffic is put here: {', '.join(KINDS_OF_TRAFFIC)}, or your own word",
                "carry traffic protocol protocols",
            ),
            "dscp": Key(Dscps(), "code points of the class, or rest: all that nobody claims", "tos codepoints"),
            "priority": Key(_PRIORITY, "PFC priority and 802.1p value", "prio cos pcp dot1p 8021p pfcpriority"),
            "tc": Key(_PRIORITY, "traffic class; default: the priority"),
            "queue": Key(_PRIORITY, "egress queue; default: the traffic class"),
            "pg": Key(_PRIORITY, "ingress priority group; default: the priority if lossless, 7 for control, else 0"),
            "lossless": Key(_BOOL, "PFC on this priority; default false", "nodrop pfc pfcenable pfcenabled"),
            "bandwidth": Key(
                Either(("strict",), WEIGHT, strict="sp pq llq priority strictpriority high highest"),
                "percent among the non-strict classes, or strict",
                "weight share ets dwrr wrr quantum percent scheduler scheduling",
            ),
            "max_rate": Key(SHARE, "shaper"),
            "guaranteed": Key(SHARE, "bandwidth kept free for it"),
            "ecn": Key(ECN, "marking curve; off: none; auto: from chip and port speed", "wred red"),
            "networks": Key(Listed(PREFIX, single=True), "prefixes of what it carries"),
            "marks": Key(Dscps(rest=False), "code points that senders really use"),
        },
        *_NAMED,
    ),
    main=("priority",),
)
CLASS_OR_OFF = Either((OFF,), CLASS)
CLASSES = Keyed("classes", NAME, CLASS)
DEVICE_CLASSES = Keyed("classes", NAME, CLASS_OR_OFF)

_APART = (
    "pfc",
    "buffers",
    "load_balancing",
    "trimming",
    "description",
    "hostname",
    "address",
    "vendor",
    "lag",
)  # taken back part by part, or names
_PORT_KEYS = {
    "speed": Key(RATE, "port speed", "rate linkspeed portspeed bandwidth"),
    "faces": Key(
        Words(
            "host",
            "storage",
            "switch",
            "management",
            "edge",
            host="server gpu nic compute node",
            switch="leaf spine superspine tor router uplink fabric network",
        ),
        "what the port leads to",
        "to type peer kind neighbor neighbour",
    ),
    "cable": Key(LENGTH, "cable length", "cablelength cablelen length distance"),
    "mtu": Key(Int(68, 65535), "IP MTU, bytes"),
    "pfc": Key(PFC, "PFC watchdog and headroom"),
    "trust": Key(Words("dscp", "pcp", "none"), "which marking classifies; default dscp"),
    "flowcontrol": Key(Words("off", "rx", "tx", "on"), "802.3x pause; default off", "pause globalpause"),
    "fec": Key(
        Known(
            "FEC",
            (*FEC, "auto"),
            "not compared between the ends of a link",
            lambda word: word.lower() in FEC or word.lower() in ("auto", "driver-auto"),
        ),
        "forward error correction",
    ),
    "autoneg": Key(Words("on", "off"), "autonegotiation of the link; both ends the same", "an autonegotiation"),
    "lag": Key(LAGS, "LAG the port belongs to; of a node set: one for all its ports, or as many, paired in order"),
    "layer": Key(Int(2, 3), "2: switched, 3: routed"),
    "address": Key(PREFIX, "prefix of the port"),
    "macsec": Key(
        Obj("macsec", {"pfc_frames": Key(Words("clear", "encrypted"), "whether PFC frames are encrypted")}), "MACsec"
    ),
    "asic": Key(
        Known(
            "chip of a switch",
            ("asic0", "asic1"),
            "chips of a multi-ASIC switch are numbered; other names do nothing",
            lambda word: word.removeprefix("asic").isdigit(),
        ),
        "which chip of a multi-chip switch",
    ),
    "description": Key(PROSE, "for people"),
    "rail": Key(Int(0, 1023), "rail the port belongs to"),
}
PORT = Obj(
    "a port",
    {
        **make_inheritable(_PORT_KEYS, "asic", *_APART),
        "classes": Key(
            ByShape("a list of classes, or what differs", Listed(NAME, single=True), DEVICE_CLASSES, Listed(NAME)),
            "classes that cross the port, or what differs there: ecn, dscp, priority, tc, queue, pg, lossless",
        ),
    },
)
_DEVICE_KEYS = {
    **{k: v for k, v in _PORT_KEYS.items() if k not in ("address", "description", "rail", "lag", "macsec", "asic")},
    "vendor": Key(System(), "network operating system", "os nos system operatingsystem"),
    "platform": Key(Profile("platforms"), "a file of profiles/platforms/", "model box hardware hw"),
    "asic": Key(Profile("asics"), "a file of profiles/asics/"),
    "version": Key(Version(), "NOS release, quoted", "release osversion softwareversion"),
    "hwsku": Key(HWSKU, "SONiC HwSKU; default from the platform"),
    "role": Key(WORD, "leaf, spine, superspine, rail, group, or any word"),
    "buffers": Key(BUFFERS, "buffer model and pools"),
    "load_balancing": Key(LOAD_BALANCING, "how traffic is spread over equal paths"),
    "trimming": Key(TRIMMING, "packet trimming, or off"),
    "dcbx": Key(Words("off", "auto", "willing", "on"), "DCBX"),
    "switch_type": Key(Words("npu", "voq"), "kind of chip architecture"),
    "arp_timeout": Key(SECONDS, "ARP entry lifetime"),
    "mac_age": Key(SECONDS, "MAC entry lifetime"),
    "drop_incomplete_arp": Key(_BOOL, "drop lossless packets whose ARP entry is incomplete"),
}
DEVICE = Obj(
    "a device",
    {
        **make_inheritable(_DEVICE_KEYS, *_APART),
        "classes": Key(DEVICE_CLASSES, "what differs from the fabric on this device, and only that"),
        "ports": Key(Keyed("ports", PORTS, PORT), "ports by node set", "interfaces interface"),
        "rail": Key(Inherited(Int(0, 1023)), "rail of the device"),
        "hostname": Key(DEVICE_NAME, "the device's own name"),
        "description": Key(PROSE, "for people"),
        "address": Key(PREFIX, "management address"),
    },
)
DEFAULTS = Obj(
    "defaults",
    {
        **make_inheritable(_DEVICE_KEYS, *_APART),
        "classes": Key(DEVICE_CLASSES, "what differs from the fabric on every device"),
    },
)

FABRIC = Obj(
    "fabric",
    {
        "name": Key(NAME, "name of the fabric"),
        "description": Key(PROSE, "for people"),
        "kind": Key(Words("backend", "converged"), "backend: only RDMA and what it needs", "type"),
        "workload": Key(Profile("workloads"), "a file of profiles/workloads/"),
        "topology": Key(
            Words("clos", "rail", "dragonfly", "torus", "mesh", "custom", clos="fattree leafspine spineleaf"),
            "topology",
        ),
        "mtu": Key(Int(68, 65535), "IP MTU, bytes"),
        "path_mtu": Key(PathMtu(), "RoCE path MTU, bytes"),
        "mode": Key(Words("lossless", "semi-lossless", "lossy"), "default lossless"),
        "congestion_control": Key(
            Either(
                ("dcqcn", "none"),
                Obj(
                    "congestion_control",
                    {
                        "kind": Key(Words("dcqcn", "none"), "kind"),
                        "reason": Key(PROSE, "why there is none"),
                        "admission_control": Key(_BOOL, "senders are admitted by the receiver"),
                    },
                    required=("kind",),
                ),
            ),
            "default dcqcn",
        ),
        "transport": Key(Transport("rocev2"), "rocev2"),
        "rtt": Key(MICROSECONDS, "base round trip, no queueing"),
        "incast": Key(Int(1, 1_000_000), "senders to one receiver"),
        "ecn_family": Key(
            Profile("ecn"),
            "a file of profiles/ecn/ for `ecn: auto` to scale by speed; default: the chip's profiles/curves/",
        ),
        "oversubscription": Key(
            ByShape("a ratio such as 2:1, or one by role", RATIO, Keyed("ratios by role", WORD, RATIO)),
            "the ratio meant, down to up: for every tier, or by the role of its switches",
        ),
        "blast_radius": Key(PART, "hosts that one stuck host port may pause, at most"),
        "dual_tor": Key(_BOOL, "hosts on two ToRs with four lossless priorities"),
        "classification": Key(Words("explicit", "vendor"), "vendor: the vendor's own DSCP map is kept"),
    },
    main=("name",),  # required of all files together, not of each
)
ROUTING = Obj(
    "routing",
    {
        "algorithm": Key(
            Known("way of routing", ALGORITHMS, "deadlock is not checked"),
            f"{', '.join(ALGORITHMS)}, ...",
        ),
        "bounces": Key(
            Listed(
                Obj(
                    "a bounce",
                    {
                        "at": Key(DEVICES, "where"),
                        "remap": Key(Keyed("priorities", _PRIORITY, _PRIORITY), "priority after it"),
                    },
                    required=("at",),
                )
            ),
            "where packets may turn back up",
        ),
        "hash": Key(Words("5-tuple", "dest-qp"), "what ECMP hashes"),
        "adaptive": Key(_BOOL, "adaptive routing"),
        "dateline": Key(_BOOL, "priority changes at the dateline of a ring, or at each global link of a dragonfly"),
        "ttl": Key(Int(1, 255), "TTL of RDMA packets"),
    },
)


def _by_vendor(word: Type) -> ByShape:
    each = Obj("a word for each vendor", {v: Key(word, f"for {v}") for v in SYSTEMS})
    return ByShape("a word, or one for each vendor", scalar=word, mapping=each)


def _watched(what: str, lost: str) -> Listed:
    return Listed(Known(what, WATCHED_WORDS, lost, find_subjects))


_NO_METRICS = "its metrics are not checked, and `rocecfg render --vendor prometheus` refuses it"
TELEMETRY = Either(
    ("none",),
    Obj(
        "telemetry",
        {
            "exporter": Key(
                _by_vendor(Profile("exporters", "exporter of switches", _NO_METRICS)),
                "what exports the switches' counters: a file of profiles/exporters/",
            ),
            "device_label": Key(
                _by_vendor(WORD), "the label that names the switch, where the exporter's profile has none"
            ),
            "hosts": Key(
                Profile("exporters", "exporter of hosts", _NO_METRICS),
                "what exports the network cards' counters: a file of profiles/exporters/",
            ),
            "scrape_interval": Key(SECONDS, "how often they are read"),
            "alerts": Key(_watched("alert", "its subject is unknown, so not checked"), "what is alerted on"),
            "metrics": Key(_watched("metric", "its subject is unknown, so not checked"), "what is collected"),
        },
    ),
)
_VALIDATE = Either(("none",), Listed(Words("counters", "perftest", "nccl-tests"), unique="schema-value"))
STAGE = Obj(
    "a stage",
    {
        "devices": Key(DEVICES, "devices changed together"),
        "window": Key(PROSE, "when, for people: what disturbs traffic needs one"),
        "validate": Key(_VALIDATE, "how this stage is checked; default: as the rollout says"),
    },
    required=("devices",),
)
ROLLOUT = Obj(
    "rollout",
    {
        "from": Key(PATH, "the intent that runs now"),
        "state": Key(
            Words("planned", "under-way"),
            "under-way: some devices are changed and others not, so differences between them are reported as such; "
            "default planned",
        ),
        "stages": Key(Listed(STAGE), "stages; default: computed by `rocecfg plan`"),
        "at_once": Key(PART, "most of a tier, and of what anything below hangs on, in one stage; default 25%"),
        "order": Key(
            Listed(Words(*PHASES), unique="schema-value"),
            "order within a device that has no atomic commit (SONiC); default: map, buffers, ecn, watchdog, pfc",
        ),
        "changes": Key(
            Listed(Words(*PHASES, "priority"), unique="schema-value"),
            "what changes; pfc: it comes or goes on ports; priority: a lossless class moves to another one",
        ),
        "window": Key(PROSE, "when, for people: for every stage that says none"),
        "validate": Key(_VALIDATE, "how stages are checked; default: counters, perftest and nccl-tests"),
        "rollback": Key(Words("saved", "none"), "saved: what runs is saved before each stage, the default; none"),
    },
)


INTENT = Obj(
    "the intent",
    {
        "rocecfg": Key(Int(1, 1), "format version"),
        "include": Key(Listed(PATH, single=True, apart=True), "files merged into this one, by path or pattern"),
        "fabric": Key(FABRIC, "the fabric as a whole"),
        "classes": Key(CLASSES, "each traffic class, once for the fabric", "queues qos trafficclasses"),
        "pfc": Key(PFC, "PFC watchdog and headroom, for every device"),
        "buffers": Key(BUFFERS, "buffer model and pools, for every device"),
        "load_balancing": Key(LOAD_BALANCING, "how traffic is spread over equal paths, on every device"),
        "trimming": Key(TRIMMING, "packet trimming, for every device"),
        "defaults": Key(DEFAULTS, "for every device, and every port of every device"),
        "devices": Key(Keyed("devices", DEVICES, DEVICE), "devices by node set", "switches nodes"),
        "links": Key(
            Links(),
            "links, or files of links: CSV, or what LLDP, NetBox, AVD and labs know (docs/cabling.md)",
            "cables cabling connections",
        ),
        "hosts": Key(Keyed("hosts", DEVICES, HOST), "the NIC end", "servers gpus nics"),
        "routing": Key(ROUTING, "routing"),
        "routes": Key(PATH, "a CSV file of routes"),
        "vlans": Key(
            Keyed(
                "VLANs",
                Int(1, 4094),
                Obj("a VLAN", {"devices": Key(DEVICES, "devices it spans"), "class": Key(NAME, "class it carries")}),
            ),
            "VLANs",
        ),
        "telemetry": Key(TELEMETRY, "how the fabric is watched; none: it is not"),
        "rollout": Key(ROLLOUT, "how a change is rolled out"),
    },
)


def json_schema() -> dict[str, Any]:
    """The format as JSON Schema 2020-12, for editors."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id("intent"),
        "title": "rocecfg intent, version 1",
        **INTENT.schema(),
    }
