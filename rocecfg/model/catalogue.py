"""The catalogue of settings: what each is called, its unit, what silence about it means, when two values are equal.

One row a setting. From the rows derive: what `show` prints and by which units, the paths of a team's own rules, what
drift compares, how it says it and which rules it tells beside it, what an intent's value amounts to where nothing is
computed, what a profile can limit or lack, how wide import says it, the part of a change it belongs to, and the pages
of settings and of support with their samples. What a change disturbs is the vendor's: EFFECTS of its `procedure`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import (
    BYTES,
    FLAG,
    METRES,
    MS,
    NUMBER,
    NUMBERS,
    OFF_ON,
    ON_OFF,
    PERCENT,
    RATE,
    WORD,
    WORDS,
)
from rocecfg.model.stated import OFF

UNKNOWN = "unknown"  # `silence`: what a configuration amounts to that does not mention the setting is not known

# Parts of a device's change, in the order in which they are applied where the system has no atomic commit.
PHASES = (MAPS, BUFFERS, ECN, WATCHDOG, PFC) = ("map", "buffers", "ecn", "watchdog", "pfc")

# -- when two values are equal (model.compare has a function for each) -------------------------------------------------

EQUAL = "equal"  # numbers but for what a float loses
CHIP_STEP = "chip step"  # thresholds in bytes, as far as the chip can tell them apart
SHARE = "share"  # percent of the bandwidth, to a whole percentage point: weights are whole numbers on some systems
STATE = "state"  # on or off, whatever the parts are
CODING = "coding"  # one way of error correction, however it is spelled
NAME = "name"  # of a LAG, written as its system does or not: PortChannel1, Port-Channel1

# -- where a switch's reader has left it (model.values) ----------------------------------------------------------------

STATED = "stated"  # in the section of the port, or on the queue, under its key
LINK = "link"  # the same, of a port and its cable: no text is rendered that sets it
RUNNING = "running"  # a field of what runs, of its name: of the switch, the port or the queue
BETWEEN = "between"  # the same, compared between two configurations alone: no intent bears on it
NO_SWITCH = "no switch"  # nowhere: an intent says by it which switch, box or port is meant

SECTION = "section"  # `samples`: the setting's section with all that it needs

FEC = {  # as systems spell it: SONiC, NVUE, EOS, Junos
    **dict.fromkeys(("rs", "reed-solomon", "fec91", "fec108", "rs528", "rs544"), "rs"),
    **dict.fromkeys(("fc", "baser", "fire-code", "fec74"), "fc"),
    **dict.fromkeys(("none", "off", "disabled"), "none"),
}


def plain_coding(word: str) -> str:
    """A system's word for a way of error correction as intents have it: rs, fc, none; else the word itself."""
    return FEC.get(word.lower(), word)


class What(NamedTuple):
    """Which setting of a switch. `number`: of the queue, priority group or code point; `part`: of one with several."""

    topic: str
    number: int | None = None
    part: str = ""


class Setting(NamedTuple):
    """A row of the catalogue."""

    path: (
        str  # in show, JSON and a team's own rules: fabric.x, device.x, classes[].x, ports[].x, ports[].queues[].x ...
    )
    unit: str  # one of core.units
    intent: str = ""  # the key that states it, as it stands in the section of its element; "": an intent has none
    compared: str = ""  # its name in a difference: topic, or topic.part; "": two configurations are not compared in it
    title: str = ""  # in words; {} stands for the number of the queue, priority group or priority
    plural: str = ""  # where numbers do not matter: of all queues or groups; "": the title
    silence: Hashable = UNKNOWN
    default: str | None = None  # what an intent amounts to that does not state it; None: nothing, or it is worked out
    same: str = EQUAL
    alone: bool = False  # a difference also where it runs and nothing is meant
    unsaid: str = ""  # in words, what a configuration has that does not say it; "": nothing
    where: str = ""  # a topic that takes no working out: where a reader has left it
    sorts: bool = False  # of a class: maps and PFC follow from it, and a port may have it otherwise
    plain: bool = False  # what an intent states holds as it is, of what is nearest, and nothing is worked out
    spread: bool = False  # an intent that is imported says it as widely as it holds
    samples: tuple[object, ...] = ()  # as an intent states it: a value, and one or several others, of which one must do
    judged: str = ""  # of what no switch is told: what it is for
    doc: str = ""  # of the path, in one line; "": that of the intent's key
    phase: str = MAPS  # of a topic: the part of a change that it belongs to; maps also have what is no setting of RoCE
    rules: tuple[str, ...] = ()  # those that judge it, by the beginnings of their names; (): of its topic

    @property
    def name(self) -> str:
        """The path within its element: watchdog.detection of ports[].watchdog.detection."""
        return self.path.split(".", self.path.count("[]") or 1)[-1]


# A row on one line, or its arguments by place and those by name.
# fmt: off
_FABRIC = (
    Setting("fabric.name", WORD, "name", doc="name of the fabric"),
    Setting("fabric.kind", WORD, "kind"),
    Setting("fabric.mode", WORD, "mode", doc="whether RDMA is lossless: lossless unless stated"),
    Setting("fabric.congestion_control", WORD, "congestion_control", doc="dcqcn unless stated"),
    Setting("fabric.workload", WORD, "workload", doc="profile of the workload"),
    Setting("fabric.topology", WORD, "topology"),
    Setting("fabric.classification", WORD, "classification"),
    Setting("fabric.dual_tor", FLAG, "dual_tor"),
    Setting("fabric.path_mtu", NUMBER, "path_mtu"),
    Setting("fabric.ecn_family", WORD, "ecn_family",
            doc="published thresholds that `ecn: auto` scales where no table of the chip serves"),
    Setting("fabric.rtt", MS, "rtt"),
    Setting("fabric.incast", NUMBER, "incast"),
)

_DEVICE = (
    Setting("device.name", WORDS, doc="the devices' names"),
    Setting("device.vendor", WORD, "vendor", where=NO_SWITCH, spread=True, judged="which system is rendered"),
    Setting("device.role", WORD, "role", where=NO_SWITCH, judged="rules on tiers"),
    Setting("device.mtu", NUMBER, "mtu", samples=(4200, 9100)),
    Setting("device.version", WORD, "version", where=NO_SWITCH, judged="which release is rendered",
            doc="release that runs, the assumed one where none is stated"),
    Setting("device.platform", WORD, "platform", where=NO_SWITCH, spread=True,
            judged="profile of the switch: ports, buffers, chip", doc="profile of the switch"),
    Setting("device.asic", WORD, "asic",
            where=NO_SWITCH, spread=True, judged="profile of the chip", doc="profile of the chip"),
    Setting("device.hwsku", WORD, "hwsku", where=NO_SWITCH, spread=True, judged="which tables of the platform hold",
            doc="SONiC HwSKU, stated or the platform's"),
    Setting("device.family", WORD, doc="what the operating system calls the chip's family"),
    Setting("device.switch_type", WORD, "switch_type", plain=True, spread=True, samples=("npu", "voq")),
    Setting("device.dcbx", WORD, "dcbx", "dcbx", "DCBX",
            silence=OFF, plain=True, spread=True, phase=PFC, samples=("off", "on"), rules=("pfc-dcbx",)),
    Setting("device.dcbx.version", WORD, "", "dcbx.version", "version", where=BETWEEN),
    Setting("device.arp_timeout", MS, "arp_timeout", plain=True, spread=True, judged="rules on flooding"),
    Setting("device.mac_age", MS, "mac_age", plain=True, spread=True, judged="rules on flooding"),
    Setting("device.drop_incomplete_arp", FLAG, "drop_incomplete_arp",
            plain=True, spread=True, judged="rules on flooding"),
    Setting("device.rail", NUMBER, "rail", where=NO_SWITCH, judged="rules on rails"),
    Setting("device.hostname", WORD, "hostname", where=NO_SWITCH, judged="which running configuration is the device's"),
    Setting("device.buffers", WORD, "", "buffers", "buffers",
            phase=BUFFERS, rules=("buffer-", "nvue-pool", "sonic-pool", "junos-partitions", "junos-threshold")),
    Setting("device.buffers.model", WORD, "buffers.model", "buffers.model", "buffer model",
            samples=("dynamic", "traditional")),
    Setting("device.buffers.template", WORD, "buffers.template", "buffers.template", "template",
            judged="which of the platform's pools hold"),
    Setting("device.buffers.alpha", NUMBER, "buffers.alpha", "buffers.alpha", "alpha", samples=(2, 4)),
    Setting("device.buffers.lossless_pool", PERCENT, "buffers.pools.lossless", "buffers.pools.lossless",
            "lossless pool", samples=("60%", "50%"), doc="share of the lossless pool, as stated"),
    Setting("device.buffers.lossy_pool", PERCENT, "buffers.pools.lossy", "buffers.pools.lossy", "lossy pool",
            samples=("30%", "20%"), doc="share of the lossy pool, as stated"),
    Setting("device.buffers.shared_headroom", BYTES, "buffers.shared_headroom", "buffers.shared_headroom",
            "shared headroom", samples=("1MB", "2MB"), doc="shared headroom pool, as stated; 0B: off"),
    Setting("device.buffers.private_headroom", BYTES, "buffers.private_headroom", "buffers.private_headroom",
            "private headroom", judged="rules on headroom and on what it takes of the buffer",
            doc="headroom that each lossless priority group keeps for itself, as stated"),
    Setting("device.buffers.queue_limit", BYTES, "buffers.queue_limit", "buffers.queue_limit", "limit of a queue",
            judged="thresholds in bytes, where a system has percent of it (Junos)",
            doc="all that one lossless queue can hold, where its buffer is dedicated or static"),
    Setting("device.buffers.oversubscribe", NUMBER, "buffers.oversubscribe", "buffers.oversubscribe",
            "oversubscription", samples=(2, 4)),
    Setting("device.buffers.lossless_mtu", BYTES, "buffers.lossless_mtu", "buffers.lossless_mtu",
            "bytes of a lossless packet", samples=("1024B", "2048B")),
    Setting("device.buffers.small_packets", PERCENT, "buffers.small_packets", "buffers.small_packets",
            "small packets",
            samples=("50%", "75%")),
    Setting("device.buffers.response", WORD, "buffers.response", "buffers.response", "response", judged="headroom"),
    Setting("device.pools.total", BYTES, doc="buffer that the operating system can hand out"),
    Setting("device.pools.lossless", BYTES, doc="shared pool of the lossless priority groups"),
    Setting("device.pools.shared_headroom", BYTES,
            doc="pool that headroom is drawn from; 0B: each priority group has its own"),
    Setting("device.pools[]", WORD, "", "pool", "buffer pools",
            phase=BUFFERS, rules=("buffer-", "nvue-pool", "sonic-pool", "junos-partitions")),
    Setting("device.pools[].mode", WORD, "", "pool.*.mode"),
    Setting("device.pools[].size", BYTES, "", "pool.*.size"),
    Setting("device.pools[].priorities", NUMBERS, "", "pool.*.priorities"),
    Setting("device.pools[].direction", WORD, "", "pool.*.direction"),
    Setting("device.pools[].percent", PERCENT, "", "pool.*.percent"),
    Setting("device.remarks", WORD, "", "remarks", "DSCP written on the way out",
            silence=(), alone=True, where=RUNNING, rules=("mix-remark",)),
    Setting("device.watchdog_blind", OFF_ON, "", "watchdog_blind", "watchdog's counters",
            silence=False, alone=True, where=RUNNING, phase=WATCHDOG, rules=("watchdog-counter",)),
    Setting("device.watchdog_forced", ON_OFF, "", "watchdog_forced", "watchdog's emergency drop (BIG_RED_SWITCH)",
            silence=False, alone=True, where=RUNNING, phase=WATCHDOG, rules=("watchdog-big-red",)),
    Setting("device.recovers", FLAG, "", "recovers", "recovery of ports that the watchdog took down",
            where=RUNNING, phase=WATCHDOG, rules=("eos-watchdog-errdisable",)),
    Setting("device.roce", WORD, "", "roce", "mode of qos roce", where=RUNNING, rules=("nvue-", "pfc-", "buffer-")),
    Setting("device.tunnels", FLAG, "", "tunnels", "tunnels", where=BETWEEN),
    Setting("device.copies_dscp", FLAG, "", "copies_dscp", "DSCP and ECN of tunnelled packets", where=BETWEEN),
    Setting("device.copied_by", WORDS, "", "copied_by", "what carries DSCP and ECN through tunnels",
            silence=(), where=BETWEEN),
    Setting("device.counters[]", WORD, "", "counters", "counters that are polled"),
    Setting("device.counters[].poll", MS, "", "counters.*.POLL_INTERVAL"),
    Setting("device.load_balancing", WORD, "", "load_balancing", "load balancing",
            spread=True, rules=("topology-hash",)),
    Setting("device.load_balancing.mode", WORD, "load_balancing.mode", "load_balancing.mode", "mode",
            silence="ecmp", samples=("ecmp", "adaptive", "flowlet")),
    Setting("device.load_balancing.hash", WORDS, "load_balancing.hash", "load_balancing.hash",
            "fields that ECMP hashes", samples=(["src-ip", "dst-ip", "src-port"], ["src-ip", "dst-ip"])),
    Setting("device.trimming", WORD, "", "trimming", "packet trimming",
            silence=OFF, same=STATE, unsaid=OFF, spread=True, phase=BUFFERS, rules=("mix-trimmed",)),
    Setting("device.trimming.size", BYTES, "trimming.size", "trimming.size", "size", samples=("256B", "512B")),
    Setting("device.trimming.dscp", NUMBER, "trimming.dscp", "trimming.dscp", "DSCP of trimmed packets",
            samples=(5, 6)),
    Setting("device.trimming.queue", NUMBER, "trimming.queue", "trimming.queue", "queue of trimmed packets",
            samples=(0, 6)),
    Setting("device.trimming.classes", WORDS, "trimming.classes", samples=(["default"], ["cnp"])),
    Setting("device.unread[]", WORD, "", "unread", "statements that are not understood"),
    Setting("device.idle[]", WORD, "", "idle", "statements without effect"),
    Setting("device.counts_marks", ON_OFF, "", "counts_marks", "counters of marked packets",
            silence=False, where=RUNNING),
)

_CLASS = (
    Setting("classes[].name", WORD, where=NO_SWITCH, judged="reports", doc="the class's name"),
    Setting("classes[].dscp", NUMBERS, "dscp", sorts=True, samples=(26, 27), doc="code points, `rest` computed"),
    Setting("classes[].marks", NUMBERS, "marks", where=NO_SWITCH, judged="rules on what senders really use"),
    Setting("classes[].networks", WORDS, "networks", where=NO_SWITCH, judged="rules on where traffic comes from"),
    Setting("classes[].carries", WORDS, "carries",
            where=NO_SWITCH, judged="rules on what is mixed", doc="traffic that is put here"),
    Setting("classes[].priority", NUMBER, "priority", sorts=True, samples=(3, 4)),
    Setting("classes[].tc", NUMBER, "tc", sorts=True, samples=(3, 4), doc="traffic class"),
    Setting("classes[].queue", NUMBER, "queue", sorts=True, samples=(3, 4), doc="egress queue"),
    Setting("classes[].pg", NUMBER, "pg", sorts=True, samples=(3, 4), doc="ingress priority group"),
    Setting("classes[].lossless", FLAG, "lossless", sorts=True, samples=(True, False), doc="PFC on this priority"),
    Setting("classes[].bandwidth", PERCENT, "bandwidth", samples=(50, 60), doc="share among the non-strict classes"),
    Setting("classes[].max_rate", RATE, "max_rate", samples=("100G", "200G"), doc="shaper, where stated as a rate"),
    Setting("classes[].max_percent", PERCENT, "max_rate",
            samples=("50%", "60%"), doc="shaper, where stated in percent"),
    Setting("classes[].guaranteed_rate", RATE, "guaranteed",
            samples=("10G", "20G"), doc="bandwidth kept free, where stated as a rate"),
    Setting("classes[].guaranteed_percent", PERCENT, "guaranteed",
            samples=("10%", "20%"), doc="bandwidth kept free, where stated in percent"),
    Setting("classes[].ecn", WORD, "ecn",
            samples=(SECTION, "off"), doc="marking; auto: by a curve from chip and port speed"),
    Setting("classes[].ecn.kmin", BYTES, "ecn.kmin", samples=("300KB", "600KB")),
    Setting("classes[].ecn.kmax", BYTES, "ecn.kmax", samples=("1200KB", "2400KB")),
    Setting("classes[].ecn.pmax", PERCENT, "ecn.pmax", samples=("20%", "5%")),
    Setting("classes[].ecn.weight", NUMBER, "ecn.weight", samples=(0, 4)),
    Setting("classes[].ecn.colors", WORDS, "ecn.colors", samples=("all", ["green"])),
)

_PORT = (
    Setting("ports[]", WORD, "", "port", "port", unsaid="not configured for traffic"),
    Setting("ports[].name", WORDS, where=NO_SWITCH, judged="which ports", doc="the ports' names"),
    Setting("ports[].classes", WORDS, "classes",
            samples=(["rdma", "cnp", "default"], ["cnp", "default"]), doc="classes that cross the port"),
    Setting("ports[].pfc", NUMBERS, "", "pfc", "PFC priorities", silence=(), alone=True, unsaid="none", phase=PFC,
            doc="priorities with PFC; absent where there is none",
            rules=("pfc-", "watchdog-missing", "watchdog-priorities", "ecn-missing", "mix-pg-shared", "mix-tc-chain",
                   "eos-pfc", "eos-port", "nvue-moved", "nvue-lossless", "junos-pfc", "junos-no-loss", "junos-port",
                   "junos-no-classifier", "junos-shared", "junos-passed", "srlinux-pfc", "srlinux-no")),
    Setting("ports[].speed", RATE, "speed", "speed", "port speed", where=LINK, plain=True, phase=BUFFERS,
            judged="headroom, ECN thresholds and shares of it; drift compares it"),
    Setting("ports[].faces", WORD, "faces", where=NO_SWITCH, judged="rules on hosts, storage and uplinks"),
    Setting("ports[].cable", METRES, "cable", "cable", "cable length", where=STATED, phase=BUFFERS,
            samples=("5m", "40m"), rules=("buffer-cable", "buffer-headroom", "buffer-long", "nvue-cable")),
    Setting("ports[].mtu", NUMBER, "mtu", "mtu", "IP MTU", where=STATED, spread=True, phase=BUFFERS,
            samples=(4200, 9100), rules=("buffer-mtu", "link-mtu", "rdma-mtu", "junos-family")),
    Setting("ports[].lag_mtu", NUMBER, "", "lag_mtu", "IP MTU of the LAG", where=RUNNING),
    Setting("ports[].watchdog", WORD, "pfc.watchdog", "watchdog", "PFC watchdog", silence=OFF, same=STATE, alone=True,
            unsaid=OFF, phase=WATCHDOG, samples=(SECTION, "off"), doc="PFC watchdog",
            rules=("watchdog-", "eos-watchdog", "nvue-watchdog", "sonic-one-poll", "junos-watchdog")),
    Setting("ports[].watchdog.detection", MS, "pfc.watchdog.detection_time", "watchdog.detection_time",
            "detection time", samples=("200ms", "400ms"),
            rules=("watchdog-slow", "watchdog-fast", "watchdog-multiple", "watchdog-poll", "watchdog-restore",
                   "eos-watchdog-timeout")),
    Setting("ports[].watchdog.restoration", MS, "pfc.watchdog.restoration_time", "watchdog.restoration_time",
            "restoration time", samples=("400ms", "800ms"),
            rules=("watchdog-multiple", "watchdog-poll", "watchdog-restore", "watchdog-no-restore",
                   "eos-watchdog-timeout")),
    Setting("ports[].watchdog.poll", MS, "pfc.watchdog.poll_interval", "watchdog.poll_interval", "polling interval",
            samples=("100ms", "200ms"),
            rules=("watchdog-poll", "watchdog-multiple", "watchdog-slow", "watchdog-fast", "sonic-one-poll")),
    Setting("ports[].watchdog.action", WORD, "pfc.watchdog.action", "watchdog.action", "action",
            samples=("drop", "forward", "errdisable"),
            rules=("watchdog-action", "eos-watchdog-errdisable", "junos-watchdog-action")),
    Setting("ports[].watchdog.priorities", NUMBERS, "pfc.watchdog.priorities", "watchdog.priorities", "priorities",
            samples=([3], [4]), doc="watched priorities, where stated", rules=("watchdog-priorities",)),
    Setting("ports[].headroom", WORD, "pfc.headroom", "headroom", "headroom", alone=True, phase=BUFFERS,
            judged="stated in parts, or left to cable length and speed",
            doc="how headroom is set; absent if not stated",
            rules=("buffer-headroom", "buffer-xon", "buffer-zero", "buffer-pool", "nvue-explicit",
                   "srlinux-reservation")),
    Setting("ports[].headroom.size", BYTES, "pfc.headroom.size", "headroom.size", "size",
            samples=("80KB", "100KB"), doc="bytes reserved for a lossless priority group, stated or computed"),
    Setting("ports[].headroom.xon", BYTES, "pfc.headroom.xon", "headroom.xon", "xon",
            samples=("20KB", "30KB"), doc="occupancy at which the pause ends"),
    Setting("ports[].headroom.xoff", BYTES, "pfc.headroom.xoff", "headroom.xoff", "xoff",
            samples=("40KB", "50KB"), doc="bytes that may still arrive after the pause was sent"),
    Setting("ports[].alpha", NUMBER, doc="share of the free pool that a lossless priority group may take"),
    Setting("ports[].trust", WORD, "trust", "trust", "marking that is trusted", default="dscp", where=STATED,
            plain=True, spread=True, samples=("dscp", "pcp"),
            rules=("mix-trust", "pfc-vlan-l3", "junos-no-classifier", "srlinux-default-map")),
    Setting("ports[].flowcontrol", WORD, "flowcontrol", "flowcontrol", "802.3x pause", silence=OFF, default=OFF,
            alone=True, where=STATED, plain=True, spread=True, phase=PFC, samples=("off", "rx"),
            rules=("pfc-global-pause",)),
    Setting("ports[].flowcontrol.headroom", WORD, "", "flowcontrol.headroom", "headroom of 802.3x pause",
            silence=(), where=BETWEEN),
    Setting("ports[].fec", WORD, "fec", "fec", "FEC", same=CODING, where=LINK, plain=True, spread=True,
            judged="rules on delay; drift compares it", rules=("link-fec",)),
    Setting("ports[].autoneg", WORD, "autoneg", "autoneg", "autonegotiation", where=LINK, plain=True, spread=True,
            judged="what a link comes up with; drift compares it"),
    Setting("ports[].layer", NUMBER, "layer", "layer", "layer",
            where=LINK, plain=True, spread=True, judged="rules on what is routed; drift compares it"),
    Setting("ports[].lag", WORD, "lag", "lag", "LAG", silence=None, same=NAME, unsaid="none", where=LINK,
            judged="rules on LAGs; on Cumulus Linux profiles of the members are bound to the bond; drift compares it"),
    Setting("ports[].up", FLAG, "", "up", "administrative state", where=BETWEEN),
    Setting("ports[].scheduler", WORD, "", "scheduler", "scheduler of the port"),
    Setting("ports[].buffers", WORD, "", "port_buffers", "buffer profiles of the port"),
    Setting("ports[].buffers.size", BYTES, "", "port_buffers.*.size"),
    Setting("ports[].buffers.static", BYTES, "", "port_buffers.*.static_th"),
    Setting("ports[].rail", NUMBER, "rail", where=NO_SWITCH, judged="rules on rails"),
    Setting("ports[].macsec", WORD, "macsec", "macsec", "PFC frames of MACsec", silence=None, unsaid="no MACsec",
            where=LINK, judged="rules on PFC over MACsec; drift compares it on SONiC"),
    Setting("ports[].obeys", NUMBERS, "", "obeys", "priorities whose pauses are obeyed",
            alone=True, phase=PFC, rules=("pfc-one-way", "junos-no-output", "junos-obeys", "junos-lossy")),
    Setting("ports[].sends", NUMBERS, "", "sends", "priorities that pauses are sent for",
            alone=True, phase=PFC, rules=("pfc-one-way",)),
    Setting("ports[].unmarked", NUMBER, "", "unmarked", "priority of packets without a trusted mark",
            silence=0, alone=True, where=RUNNING, rules=("mix-",)),
    Setting("ports[].unmarked.dscp", NUMBER, "", "unmarked.dscp", "DSCP of packets without a trusted mark",
            silence=0, where=BETWEEN),
    Setting("ports[].adaptive", ON_OFF, "", "adaptive", "adaptive routing", silence=False, unsaid=OFF, where=RUNNING),
    Setting("ports[].trimmed", NUMBERS, "", "trimmed", "queues whose packets are trimmed",
            silence=(), unsaid="none", where=RUNNING, phase=BUFFERS, rules=("mix-trimmed",)),
    Setting("ports[].maps", WORD, "", "maps", "maps bound to the port",
            unsaid="not bound", rules=("mix-", "device-ref")),
)

_MAPS = (
    Setting("ports[].maps.dscp[]", WORD, "classes.*.dscp", "dscp", "DSCP",
            rules=("mix-", "eos-default-map", "eos-map", "nvue-default-map", "junos-pfc")),
    Setting("ports[].maps.pcp[]", WORD, "classes.*.priority", "pcp", "802.1p", rules=("mix-",)),
    Setting("ports[].maps.dscp_to_tc[]", NUMBER, "", "tc_of_dscp", "traffic class of DSCP {}"),
    Setting("ports[].maps.pcp_to_tc[]", NUMBER, "", "tc_of_pcp", "traffic class of 802.1p value {}"),
    Setting("ports[].maps.tc_to_queue[]", NUMBER, "", "queue_of", "queue of traffic class {}"),
    Setting("ports[].maps.tc_to_pg[]", NUMBER, "", "group_of", "priority group of traffic class {}"),
    Setting("ports[].maps.tc_to_pfc[]", NUMBER, "", "priority_of", "PFC priority of traffic class {}"),
    Setting("ports[].maps.pfc_to_queue[]", NUMBER, "", "stops", "queue that a pause of priority {} stops",
            rules=("mix-tc-chain", "junos-pause", "junos-no-output")),
    Setting("ports[].maps.pfc_to_pg[]", NUMBER, "", "pauses",
            "priority group that pauses of priority {} are sent for",
            rules=("mix-tc-chain",)),
)

_QUEUE = (
    Setting("ports[].queues[].ecn", WORD, "classes.*.ecn", "ecn", "ECN of queue {}", "ECN", silence=OFF, same=STATE,
            alone=True, unsaid=OFF, phase=ECN,
            rules=("ecn-", "eos-unit", "nvue-ecn", "nvue-threshold", "junos-ecn", "junos-early", "junos-late",
                   "srlinux-ecn")),
    Setting("ports[].queues[].ecn.kmin", BYTES, "classes.*.ecn.kmin", "ecn.kmin", "kmin", same=CHIP_STEP),
    Setting("ports[].queues[].ecn.kmax", BYTES, "classes.*.ecn.kmax", "ecn.kmax", "kmax", same=CHIP_STEP),
    Setting("ports[].queues[].ecn.pmax", PERCENT, "classes.*.ecn.pmax", "ecn.pmax", "pmax"),
    Setting("ports[].queues[].ecn.weight", NUMBER, "classes.*.ecn.weight", "ecn.weight", "weight", silence=0),
    Setting("ports[].queues[].ecn.colors", WORDS, "classes.*.ecn.colors", "ecn.colors", "colours", silence="all"),
    Setting("ports[].queues[].ecn.curves", WORD, "", "ecn.curves", "curves of other colours",
            silence=(), where=RUNNING),
    *(
        Setting(f"ports[].queues[].ecn.{color}.{end}", BYTES, "", f"ecn.{color}_{end}_threshold")
        for color in ("green", "yellow", "red")
        for end in ("min", "max")
    ),
    Setting("ports[].queues[].discards", ON_OFF, "", "discards", "WRED drops of queue {}", "WRED drops",
            silence=False, alone=True, where=RUNNING, phase=ECN, rules=("ecn-red-drop",)),
    Setting("ports[].queues[].share", PERCENT, "classes.*.bandwidth", "shares", "shares of the queues",
            phase=ECN, rules=("ets-", "eos-strict", "sonic-unscheduled", "junos-strict", "junos-unscheduled")),
    Setting("ports[].queues[].share[]", PERCENT, "classes.*.bandwidth", "shares.*", "shares of the queues", same=SHARE),
    Setting("ports[].queues[].weight", NUMBER, "", "weight", "weight of queue {}", "weights", phase=ECN),
    Setting("ports[].queues[].scheduling", WORD, "", "scheduling", "scheduling of queue {}",
            where=RUNNING, phase=ECN, rules=("ets-",)),
    Setting("ports[].queues[].max_rate", RATE, "classes.*.max_rate", "max_rate", "shaper of queue {}", "shapers",
            silence=None, alone=True, where=STATED, phase=ECN,
            rules=("ets-shaper", "ets-cnp-cap", "eos-unit", "junos-strict")),
    Setting("ports[].queues[].guaranteed", RATE, "classes.*.guaranteed", "guaranteed", "guaranteed rate of queue {}",
            "guaranteed rates", silence=None, alone=True, where=STATED, phase=ECN, rules=("watchdog-guarantee",)),
    Setting("ports[].queues[].egress", WORD, "", "egress", "egress buffer profile of queue {}",
            silence="lossless", phase=BUFFERS, rules=("buffer-egress", "buffer-lossy-queue", "srlinux-tail")),
    Setting("ports[].queues[].egress.pool", WORD, "", "egress.pool", "pool"),
    Setting("ports[].queues[].egress.size", BYTES, "", "egress.size", "size"),
    Setting("ports[].queues[].egress.alpha", NUMBER, "", "egress.alpha", "alpha"),
    Setting("ports[].queues[].egress.static", BYTES, "", "egress.static", "static"),
    Setting("ports[].queues[].counted", ON_OFF, "", "counted", "counter of marked packets of queue {}",
            "counters of marked packets", silence=False, where=RUNNING),
)

_GROUP = (
    Setting("ports[].groups[]", WORD, "", "group", "lossless priority group {}", "lossless priority groups",
            alone=True, unsaid="none", phase=BUFFERS, rules=("buffer-", "sonic-group")),
    Setting("ports[].groups[].size", BYTES, "", "group.size", "size"),
    Setting("ports[].groups[].xon", BYTES, "", "group.xon", "xon"),
    Setting("ports[].groups[].xoff", BYTES, "", "group.xoff", "xoff"),
    Setting("ports[].groups[].xon_offset", BYTES, "", "group.xon_offset", "xon offset"),
    Setting("ports[].groups[].alpha", NUMBER, "buffers.alpha", "group.alpha", "alpha"),
    Setting("ports[].groups[].static", BYTES, "", "group.static", "static"),
    Setting("ports[].groups[].pool", WORD, "", "group.pool", "pool"),
    Setting("ports[].groups[].computed", FLAG, "", "group.computed", "computed by the switch"),
    Setting("ports[].groups[].bound", METRES, "", "bound", "headroom bound to priority group {}, by cable length",
            "headroom bound to priority groups", phase=BUFFERS, rules=("buffer-cable", "buffer-headroom")),
)
# fmt: on

CATALOGUE = (*_FABRIC, *_DEVICE, *_CLASS, *_PORT, *_MAPS, *_QUEUE, *_GROUP)
_COMPARED = {setting.compared: setting for setting in CATALOGUE if setting.compared}
_BY_PATH = {setting.path: setting for setting in CATALOGUE}

_UNITS = {setting.path.rpartition(".")[2]: setting.unit for setting in CATALOGUE}
_UNITS |= {setting.name: setting.unit for setting in CATALOGUE}


def setting(path: str) -> Setting:
    """The row of a path; KeyError where there is none."""
    return _BY_PATH[path]


def find_compared_setting(topic: str, part: str = "") -> Setting | None:
    """The row of what two configurations are compared in; None for a part that has none of its own."""
    if not part:
        return _COMPARED.get(topic)
    return (_COMPARED.get(f"{topic}.{part}") or _COMPARED.get(f"{topic}.*.{part.rpartition('.')[2]}")) or _COMPARED.get(
        f"{topic}.*"
    )


def list_rules(topic: str, part: str = "") -> tuple[str, ...]:
    """The beginnings of the names of rules that judge a topic, or a part of it that has some of its own."""
    row = find_compared_setting(topic, part)
    return row.rules if row is not None and (row.rules or not part) else list_rules(topic) if part else ()


def phase_of(topic: str) -> str:
    """The part of a change that a topic belongs to; what has no row goes with maps."""
    row = _COMPARED.get(topic)
    return row.phase if row is not None else MAPS


def find_unit(name: str) -> str:
    """The unit of a value by the name under which an element has it: watchdog.detection, or kmin alone."""
    return _UNITS.get(name) or _UNITS.get(name.rpartition(".")[2], NUMBER)


def list_topics(scope: str, where: str) -> tuple[str, ...]:
    """The topics of `device`, `ports[]` or `ports[].queues[]` that a reader leaves in one place."""
    return tuple(s.compared for s in CATALOGUE if s.where == where and s.path.rpartition(".")[0] == scope)


def list_running(where: str) -> Iterator[tuple[str, str, str]]:
    """The fields of what runs that say a setting, RUNNING or BETWEEN, each with the setting's topic and part."""
    for row in CATALOGUE:
        if row.where == where:
            topic, _, part = row.compared.partition(".")
            yield row.compared.replace(".", "_"), topic, part


def list_sorting() -> tuple[str, ...]:
    """The keys of a class that maps and PFC follow from, which ports may have otherwise."""
    return tuple(s.name for s in CATALOGUE if s.sorts)


def list_sent() -> tuple[str, ...]:
    """The keys of a class that say how its queue sends, which ports may have otherwise, too."""
    keys = (s.intent.partition(".")[0] for s in _CLASS if not s.sorts and s.where != NO_SWITCH)
    return tuple(dict.fromkeys(keys))


def list_plain(scope: str) -> dict[str, str | None]:
    """The keys of `device` or `ports[]` that an intent's model takes as they are stated, each with its default."""
    return {s.name: s.default for s in CATALOGUE if s.plain and s.path.partition(".")[0] == scope}


def list_spread(scope: str) -> tuple[str, ...]:
    """The keys of `device` or `ports[]` that an import says as widely as they hold."""
    return tuple(s.name for s in CATALOGUE if s.spread and s.path.partition(".")[0] == scope)


def list_fields(topic: str, *units: str) -> dict[str, str]:
    """The parts of a topic, of some units alone or of all, as an intent calls them, with their names in the model."""
    rows = ((part, _COMPARED[f"{topic}.{part}"]) for part in list_parts(topic))
    return {part: row.path.rpartition(".")[2] for part, row in rows if row.unit in units or not units}


def list_parts(topic: str) -> Iterator[str]:
    """The parts of a topic that have a row, in the catalogue's order: kmin, kmax ... of ecn."""
    for compared in _COMPARED:
        first, _, part = compared.partition(".")
        if first == topic and part:
            yield part
