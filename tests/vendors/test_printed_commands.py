"""Each command that is printed for a system but SONiC anywhere stands in one table: whose it is, and what it does.

A new form of command fails here until it has a row. A row says what the command disturbs, as the vendor's procedure
does, and for one that deletes or empties something what then holds: a command that takes more than it names is not to
be printed unseen.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest
from printed_commands import PAGES, VENDORS, Printed, printed_by

from rocecfg.model import Device, QosMaps
from rocecfg.profiles import SHIPPED
from rocecfg.vendors.arista.procedure import PROCEDURE as EOS
from rocecfg.vendors.changes import BRIEF_PAUSE, HITLESS, PORT_FLAP
from rocecfg.vendors.junos.procedure import PROCEDURE as JUNOS
from rocecfg.vendors.nxos.procedure import PROCEDURE as NXOS
from rocecfg.vendors.procedure import judge_commands
from rocecfg.vendors.spectrum.procedure import procedure_of
from rocecfg.vendors.srlinux.procedure import PROCEDURE as SRLINUX

SHOWS, SESSION, TRAFFIC, SAVES, BESIDE = (
    "shows",
    "session",
    "traffic",
    "saves",
    "beside",
)  # of what is no setting of RoCE
SWITCH = Device(
    ("a",), "a", "spectrum", None, (), QosMaps((), (), (), (), ()), (), version="5.14", nos=SHIPPED.nos("spectrum")
)
PROCEDURES = {"spectrum": procedure_of(SWITCH), "arista": EOS, "junos": JUNOS, "nxos": NXOS, "srlinux": SRLINUX}
UNDOES = {"spectrum": r"nv unset|nv .* (?:off|disabled?)$", "arista": r"(?:no|default) ", "junos": r"delete "}
UNDOES |= {"nxos": r"no |.* off$", "srlinux": r"delete |.* disable$"}


class Row(NamedTuple):
    """A form of command. `#` stands for a number or a word in capitals, `@` for a name."""

    form: str
    effect: str  # a mark, or one of the words above
    source: str
    gone: str = ""  # of what deletes or empties: what then holds

    @property
    def pattern(self) -> str:
        """The regular expression."""
        return self.form.replace("#", r"(?:\d[\d.,-]*|[A-Z]+)").replace("@", r"[\w.:/*,$\"{}-]+")


# Where each was looked up: a repository, a path and a commit, or the address of a page; else that it was not found.
UNSEEN = "not verified:"
_DOCS = "CumulusNetworks/docs"
_REF = "content/nvue-reference/Set-and-Unset-Commands"
SCHEMA = "NVUE OpenAPI of 5.0 to 5.18 (nvueschema 0.1.0)"  # unset removes what set has set: aabb4537, QoS.md
CONFIG = f"{_DOCS} 0defdbf3 content/nvue-reference/Config-Commands.md"
NVCLI = f"{_DOCS} 14b5217a content/cumulus-linux-514/System-Configuration/NVIDIA-User-Experience-NVUE/NVUE-YANG.md"
CONFIRM = (
    f"{UNSEEN} {CONFIG} has --confirm without what confirms it; NVIDIA's tests of NVOS, the same NVUE, have "
    "--confirm-yes (echuawu/sonic-mgmt f1ee9ec6 ngts/nvos_constants/constants_nvos.py), and guides of others"
)
ROUTING = f"{_DOCS} 140bb073 {_REF}/Adaptive-Routing.md; state from 5.15: {SCHEMA}"
MAINTENANCE = f"{_DOCS} f3ba367e {_REF}/System-Maintenance.md: mode from 5.13"
BGP = f"{_DOCS} 4dc19231 {_REF}/BGP.md; on and off up to 5.14, in use here up to 5.12"
NVSHOW = f"{_DOCS} 36c74f73 content/nvue-reference/Show-Commands/QoS.md; {SCHEMA}"
GUIDE = f"{_DOCS} 3041e59c content/cumulus-linux-514/Layer-1-and-Switch-Ports/Quality-of-Service/_index.md"
OTEL = f"{_DOCS} a6643609 content/cumulus-linux-514/Monitoring-and-Troubleshooting/Open-Telemetry-Export.md"
_GOLDEN = "ansible_collections/arista/avd/molecule/eos_cli_config_gen/intended/configs"
AVD = f"aristanetworks/avd 3cac535c {_GOLDEN}, and j2templates/eos of python-avd"
AVD6 = "pyavd 6.4.0, _eos_cli_config_gen: as EOS 4.35 prints it"
RUN_ALL = (
    "batfish/batfish cba18733 projects/batfish/src/test/resources/org/batfish/vendor/arista/grammar/testconfigs/"
    "arista_interface_show_run_all: show running-config all of EOS 4.19.1F"
)
GOEAPI = "aristanetworks/goeapi 730fa920 module/interfaces_test.go, a running-config with its defaults"
SESSIONS = (
    "https://www.arista.com/en/um-eos/eos-configure-session; napalm ee70e634 napalm/eos/eos.py: timer, confirm, abort"
)
QUIESCE = (
    "https://www.arista.com/en/um-eos/eos-maintenance-mode; aristanetworks/avd 3cac535c j2templates/eos/maintenance.j2"
)
SAVED = "aristanetworks/avd 3cac535c ansible_collections/arista/avd/examples/cv-pathfinder/switch-basic-configurations"
CHECKPOINT = "aristanetworks/vane 4b36c5ce vane/fixtures.py, Arista's own test tool: saves, and replaces at once"
NOT_FOUND = f"{UNSEEN} neither in the manual, in AVD nor in a running-config with all defaults"
SHOWN = f"{UNSEEN} in code and guides of others alone; it shows"
_MODELS = "native/conf-and-rpcs/junos-qfx"
YANG = f"Juniper/yang 2a696d62 23.4/23.4R2/{_MODELS}/conf-with-extensions; Evolved: Juniper/jvd 005ab344 data_center"
RPC = f"Juniper/yang 2a696d62 23.4/23.4R2/{_MODELS}/rpc-with-extensions, junos:command"
_PAGES = "https://juniper.net/documentation"
LOAD = f"{_PAGES}/us/en/software/junos/cli/topics/topic-map/junos-config-files-loading.html; the same under cli-evo"
COPIED = f"{LOAD}: load replace FILE; /var/tmp: Juniper/py-junos-eznc 7c8a4d6f lib/jnpr/junos/utils/sw.py, put, by SCP"
COMMIT = f"{_PAGES}/en_US/junos13.2/topics/reference/command-summary/commit.html, configure.html, save.html"
DEFAULT = "the default holds"
# Cisco's command reference of 9.3(x), as this repository stores it; a line is what `[no]` stands before.
_CISCO = "ViktorPetrov0605/custom-elk-stack cb073cf6 Documentation/Cisco_9_3_processed/Agent3_Command_Reference"
CLASS, SHARE, FLOW, MATCH, PAUSE, CURVE, SERVICE = (
    f"{_CISCO}/Config_Commands/b_N9K_Config_Commands_93x_chapter_{chapter}.md"
    for chapter in ("011", "010", "0110", "01101", "010000", "010010", "010011")
)
NXSHOWS = f"{_CISCO}/Show_Commands/b_N9K_Show_Commands_93x_chapter_010000.md (queuing), 010001 (running-config)"
_TOR = "Azure/AzureLocal-Supportability 2f67159f TSG/Networking/Top-Of-Rack-Switch"
AZURE = f"{_TOR}/Reference-TOR-QOS-Policy-Configuration.md"
TRUNKS = f"{_TOR}/Reference-TOR-Disaggregated-Switched-Storage.md, Troubleshoot-TOR-LLDP-DCBX-PFC-RoCEv2.md"
CISCO_AI = "paregupt/nx-os ad8128f3 nxos_config_roce.py, of an engineer of Cisco's"
ANSIBLE = "ansible-collections/cisco.nxos 154aa540 plugins/modules"
_SRL = "nokia/srlinux-yang-models d494866b (v24.10.3), cd5995ea (v25.3.1) srlinux-yang-models/srl_nokia/models"
SRLQOS, SRLPORT = f"{_SRL}/qos/srl_nokia-qos.yang", f"{_SRL}/interfaces/srl_nokia-interfaces.yang"
SRLBGP = f"{_SRL}/network-instance/srl_nokia-bgp.yang"
SRLTOOLS = f"{_SRL}/system/srl_nokia-tools-configuration.yang"
SRLCLI = "srl-labs/learn-srlinux 84c9427d docs/blog/posts/2024/navigating-srl.md, docs/get-started/cli.md"
NAPALM = "napalm-automation-community/napalm-srlinux af221326 napalm_srlinux/srlinux.py"
_CC, _SCHED, _SHAPE = (
    f"qos {kind} @ traffic-class #" for kind in ("congestion-control", "egress-scheduler", "egress-shaper")
)
_BUFFERS = "/ qos buffer-management buffer-allocation-profile @"
_MARKS = "/ qos buffer-management queue-management-profile @"
_PFC = "/ qos pfc-mapping-profile @"
_SCHEDULE = "/ qos scheduler-policies scheduler-policy @"
_BOUND = "/ qos interfaces interface @"
_ALPHA = "qos advance-buffer-config default-global @ shared-alpha alpha_@"
TABLE = {
    "spectrum": (
        Row("nv set system telemetry buffer-stats export state enabled", BESIDE, OTEL),
        Row("nv set system telemetry interface-stats class phy state enabled", BESIDE, OTEL),
        Row("nv set system telemetry interface-stats egress-buffer traffic-class #", BESIDE, OTEL),
        Row("nv set system telemetry interface-stats switch-priority #", BESIDE, OTEL),
        Row(r"nv set qos roce(?: (?:enable on|state enabled|mode lossless))?", BRIEF_PAUSE, SCHEMA),
        Row(
            r"nv set qos roce (?:enable off|state disabled)",
            BRIEF_PAUSE,
            SCHEMA,
            "what roce implies goes: its maps, pools, PFC and ECN; what is set by itself stays",
        ),
        Row("nv unset qos roce mode", BRIEF_PAUSE, SCHEMA, "lossless, while roce is on"),
        Row(r"nv set qos traffic-pool @ (?:memory-percent (?:#|\.\.\.)|switch-priority #)", BRIEF_PAUSE, SCHEMA),
        Row(
            "nv unset qos traffic-pool @ switch-priority #",
            BRIEF_PAUSE,
            SCHEMA,
            "the priority is in no pool that is set",
        ),
        Row(
            "nv unset qos traffic-pool @",
            BRIEF_PAUSE,
            SCHEMA,
            "the pool goes with its priorities: another has to have them",
        ),
        Row(f"nv set {_ALPHA}", BRIEF_PAUSE, SCHEMA),
        Row(
            "nv set qos advance-buffer-config default-global @ priority-group @ switch-priority #", BRIEF_PAUSE, SCHEMA
        ),
        Row("nv unset qos advance-buffer-config default-global", BRIEF_PAUSE, SCHEMA, "buffers as the image has them"),
        Row(r"nv set qos mapping @ (?:trust (?:l2|l3|both)|port-default-sp #)", HITLESS, SCHEMA),
        Row("nv set qos mapping @ (?:dscp|pcp) # switch-priority #", HITLESS, SCHEMA),
        Row(
            "nv unset qos remark @ switch-priority # dscp",
            HITLESS,
            SCHEMA,
            "packets leave with the DSCP they came with",
        ),
        Row("nv set qos egress-queue-mapping default-global switch-priority # traffic-class #", BRIEF_PAUSE, SCHEMA),
        Row(f"nv set {_CC} (?:ecn|red) enable", HITLESS, SCHEMA),
        Row(f"nv set {_CC} red disable", HITLESS, SCHEMA, "nothing is dropped before the queue is full"),
        Row(
            f"nv set {_CC} ecn disable", HITLESS, SCHEMA, "the class is not marked: only of a class that is not RDMA's"
        ),
        Row(f"nv set {_CC} (?:(?:min|max|#)-threshold|probability) #", HITLESS, SCHEMA),
        Row(
            f"nv unset {_CC}(?: (?:red|min-threshold|max-threshold|probability))?",
            HITLESS,
            SCHEMA,
            f"{DEFAULT}; whole, the class is not marked: only of a class that is not RDMA's",
        ),
        Row(rf"nv set {_SCHED} (?:mode (?:dwrr|strict)|bw-percent #)", HITLESS, SCHEMA),
        Row(f"nv unset {_SCHED} bw-percent", HITLESS, SCHEMA, f"{DEFAULT}; of a strict class there is none"),
        Row(f"nv set {_SHAPE} (?:min|max)-rate(?: #)?", HITLESS, SCHEMA),
        Row("nv set qos egress-shaper @ port-max-rate #", HITLESS, SCHEMA),
        Row(f"nv unset {_SHAPE}(?: max-rate)?", HITLESS, SCHEMA, "no limit"),
        Row("nv set qos pfc @ (?:switch-priority #|[rt]x enable|cable-length #|xon-threshold #)", BRIEF_PAUSE, SCHEMA),
        Row(
            "nv set qos pfc rocecfg-pfc-off [rt]x disable",
            BRIEF_PAUSE,
            GUIDE,
            "a profile without PFC, for ports without it",
        ),
        Row(
            "nv unset qos pfc @ switch-priority(?: #)?",
            BRIEF_PAUSE,
            SCHEMA,
            "no PFC for the priority; without one, for none",
        ),
        Row("nv unset qos pfc @ [rt]x", BRIEF_PAUSE, SCHEMA, "enabled: of a profile that has no priority"),
        Row("nv unset qos pfc @ (?:port-buffer|xoff-threshold)", BRIEF_PAUSE, SCHEMA, "the switch works headroom out"),
        Row("nv unset qos pfc(?: @)?", BRIEF_PAUSE, SCHEMA, "no PFC by it: the ports are bound to another, or to none"),
        Row("nv set qos pfc-watchdog (?:polling-interval|robustness) #", HITLESS, SCHEMA),
        Row("nv set interface @ qos pfc-watchdog state enable", HITLESS, SCHEMA),
        Row("nv unset interface @ qos pfc-watchdog", HITLESS, SCHEMA, "no watchdog: only of a port without PFC"),
        Row("nv set interface @ qos pfc profile @", BRIEF_PAUSE, SCHEMA),
        Row(
            r"nv set interface @ qos (?:mapping|congestion-control|egress-scheduler|egress-shaper) profile(?: @)?",
            HITLESS,
            SCHEMA,
        ),
        Row("nv set interface @ qos (?:KIND|X) profile @", BESIDE, f"{SCHEMA}; the kind is filled in"),
        Row("nv unset interface @ qos pfc", BRIEF_PAUSE, SCHEMA, "the port has default-global again"),
        Row("nv unset interface @ qos link-pause", BRIEF_PAUSE, SCHEMA, "no 802.3x pause"),
        Row("nv unset interface @ qos", BRIEF_PAUSE, SCHEMA, "the port has default-global of all, and no watchdog"),
        Row(
            "nv unset qos(?:X)?",
            BRIEF_PAUSE,
            SCHEMA,
            "QoS as the image has it: no PFC. In one change with what sets it again",
        ),
        Row("nv set (?:interface @ )?router adaptive-routing (?:enable on|state enabled)", BRIEF_PAUSE, ROUTING),
        Row(
            "nv set router adaptive-routing (?:enable off|state disabled)",
            PORT_FLAP,
            ROUTING,
            "BGP neighbors down",
        ),
        Row(
            "nv unset interface @ router adaptive-routing",
            PORT_FLAP,
            ROUTING,
            "off at the port: BGP neighbors may go down",
        ),
        Row("nv set interface @ link mtu #", BRIEF_PAUSE, SCHEMA),
        Row("nv set interface @ (?:link (?:fec rs|speed|breakout)|description TEXT)", BESIDE, SCHEMA),
        Row(
            r"nv set system forwarding (?:ecmp-hash(?: @ (?:on|enabled))?|packet-trim switch-priority #)",
            HITLESS,
            SCHEMA,
        ),
        Row(r"nv set system forwarding ecmp-hash @ (?:off|disabled)", HITLESS, SCHEMA, "the field is not hashed"),
        Row(
            "nv unset interface @ packet-trim egress-eligibility traffic-class #",
            HITLESS,
            SCHEMA,
            "dropped, not trimmed",
        ),
        Row("nv set nve vxlan (?:encapsulation dscp action copy|decapsulation dscp action preserve)", BESIDE, SCHEMA),
        Row(
            r"nv (?:set|unset) qos X X(?: X)?(?: \.\.\.)?",
            BESIDE,
            f"{SCHEMA}; the object is filled in",
            "of that object",
        ),
        Row(
            "nv set qos mapping X X|nv set qos advance-buffer-config default-global X X \\.\\.\\.",
            BESIDE,
            f"{SCHEMA}; filled in",
        ),
        Row(
            "nv set maintenance unit all-protocols mode (?:enabled|disabled)",
            TRAFFIC,
            MAINTENANCE,
            "traffic comes back",
        ),
        Row("nv set router bgp graceful-shutdown (?:on|off)", TRAFFIC, BGP, "traffic comes back"),
        Row(
            r'nv config patch(?: (?:"\$PWD/FILE"|"\{\{ roce_file\.path \}\}"))?', SESSION, f"{CONFIG}; 4449947 on paths"
        ),
        Row(r"nv config diff", SESSION, f"{NVCLI}; 4616352 on what it returns"),
        Row(r"nv config apply(?: --assume-yes| \$\{YES:\+--assume-yes\})?(?: --confirm)?", SESSION, CONFIG),
        Row("nv config apply --confirm-yes", SESSION, CONFIRM),
        Row("nv config apply --confirm-status", SHOWS, CONFIG),
        Row(r'nv config apply (?:"\$REV"|REV)', SESSION, CONFIG, "the whole configuration of that revision"),
        Row(r"nv config detach", SESSION, CONFIG, "what is pending, and not applied"),
        Row(r"nv config save", SAVES, CONFIG),
        Row(r"nv config (?:history|show(?: -o (?:yaml|commands))?)", SHOWS, NVCLI),
        Row(r"nv show (?:qos roce|interface lldp)", SHOWS, NVSHOW),
        Row(
            r"nv show interface @ (?:qos (?:pfc|pfc-watchdog|roce counters)|(?:counters qos|qos counters) pfc-stats|X)",
            SHOWS,
            NVSHOW,
        ),
    ),
    "arista": (
        Row("(?:qos profile|platform trident mmu queue profile) @|interface @|(?:uc-)?tx-queue #", PORT_FLAP, AVD),
        Row("platform trident mmu queue profile @ apply", PORT_FLAP, AVD),
        Row("platform trident mmu headroom-pool limit bytes #", PORT_FLAP, AVD6),
        Row("ingress (?:threshold @|headroom bytes #|priority-group # threshold @)", PORT_FLAP, AVD6),
        Row("egress unicast queue # threshold @", PORT_FLAP, AVD),
        Row(r"qos map dscp [\d N]+ to traffic-class #", PORT_FLAP, AVD),
        Row("qos map traffic-class # to (?:tx-queue|dscp) #", PORT_FLAP, AVD),
        Row("qos map traffic-class # to uc-tx-queue #", PORT_FLAP, "https://github.com/aristanetworks/avd/issues/6402"),
        Row("no qos rewrite dscp", PORT_FLAP, NOT_FOUND, "packets leave with the DSCP they came with"),
        Row("no qos profile @", PORT_FLAP, NOT_FOUND, "the profile goes: in one session with what writes it again"),
        Row("qos trust dscp", PORT_FLAP, AVD),
        Row("service-profile @", PORT_FLAP, AVD),
        Row("mtu #|speed @", PORT_FLAP, AVD),
        Row("flowcontrol (?:send|receive) off", PORT_FLAP, GOEAPI),
        Row("no dcbx mode", PORT_FLAP, RUN_ALL, "no DCBX: PFC is what the switch has configured"),
        Row("error-correction encoding reed-solomon", PORT_FLAP, AVD),
        Row("priority-flow-control (?:on|priority # no-drop)", PORT_FLAP, AVD),
        Row("no priority-flow-control priority #", PORT_FLAP, RUN_ALL, "no PFC for the priority"),
        Row("no priority-flow-control", PORT_FLAP, AVD, "no PFC at all: of a port or profile without a no-drop class"),
        Row("priority-flow-control pause watchdog", PORT_FLAP, AVD),
        Row(
            "(?:no|default) priority-flow-control pause watchdog",
            PORT_FLAP,
            NOT_FOUND,
            "not watched: without PFC alone",
        ),
        Row(
            "priority-flow-control pause watchdog (?:default (?:timeout|recovery-time|polling-interval) #|"
            "(?:port )?action drop)",
            HITLESS,
            AVD,
        ),
        Row(
            "no priority-flow-control pause watchdog (?:default (?:timeout|recovery-time|polling-interval)|action)",
            HITLESS,
            NOT_FOUND,
            f"{DEFAULT}; of the action that is errdisable: no port with PFC is left",
        ),
        Row(
            "random-detect ecn minimum-threshold # k?bytes maximum-threshold # k?bytes max-mark-probability # weight 0",
            PORT_FLAP,
            AVD,
        ),
        Row("random-detect ecn count", HITLESS, AVD),
        Row("hardware counter feature ecn out", HITLESS, AVD6),
        Row("no random-detect ecn", PORT_FLAP, RUN_ALL, "the queue is not marked: of a class without ECN alone"),
        Row("no random-detect ecn count", HITLESS, NOT_FOUND, "marks are not counted"),
        Row("no random-detect drop", PORT_FLAP, RUN_ALL, "nothing is dropped before the queue is full"),
        Row("bandwidth percent #|priority strict|shape rate # percent", PORT_FLAP, AVD),
        Row(
            "bandwidth guaranteed #",
            PORT_FLAP,
            f"{UNSEEN} AVD has percent alone; in kbit/s by one guide, as the notes say",
        ),
        Row("no bandwidth (?:percent|guaranteed)|no shape rate", PORT_FLAP, RUN_ALL, "no share, no floor, no limit"),
        Row("no priority", PORT_FLAP, RUN_ALL, "the queue takes turns"),
        Row("default priority", PORT_FLAP, NOT_FOUND, "as EOS has it"),
        Row("errdisable recovery cause stuck-queue", HITLESS, AVD6),
        Row("vxlan qos ecn propagation", PORT_FLAP, AVD),
        Row(
            "configure(?: session roce(?: commit| abort)?)?|maintenance|unit System|end",
            SESSION,
            SESSIONS,
        ),
        Row(r"show session-config diffs|commit timer(?: 00:05:00)?", SESSION, SESSIONS),
        Row(
            "scp FILE SWITCH:/mnt/flash/|copy flash:FILE session-config",
            SESSION,
            "aristanetworks/anta 10232cee asynceapi/config_session.py, load_file: copy flash:thisfile.cfg "
            "session-config in a session, which merges unless rollback clean-config comes first; scp to /mnt/flash: "
            "aristanetworks/EosSdk 1cb68d20 examples/EthLagIntfExample.cpp",
        ),
        Row("quiesce", TRAFFIC, QUIESCE),
        Row("no quiesce", TRAFFIC, QUIESCE, "traffic comes back"),
        Row(
            "configure checkpoint save NAME|configure replace checkpoint:NAME",
            SESSION,
            CHECKPOINT,
            "the whole configuration of the checkpoint",
        ),
        Row("copy running-config startup-config", SAVES, SAVED),
        Row(
            "show (?:maintenance|running-config|priority-flow-control(?: status| counters(?: watchdog)?)?)",
            SHOWS,
            SHOWN,
        ),
        Row("show qos interfaces(?: ecn counters queue)?|show interfaces counters queue detail", SHOWS, SHOWN),
    ),
    "junos": (
        Row(
            r"set class-of-service classifiers dscp @ forwarding-class @ loss-priority low code-points @",
            BRIEF_PAUSE,
            YANG,
        ),
        Row(
            "delete class-of-service classifiers dscp @(?: forwarding-class @ loss-priority low code-points @)?",
            BRIEF_PAUSE,
            YANG,
            "code points that no class has are best effort: in one commit with what classifies them",
        ),
        Row(
            "set class-of-service forwarding-classes class @ queue-num #(?: no-loss)?(?: pfc-priority #)?",
            PORT_FLAP,
            YANG,
        ),
        Row("set class-of-service forwarding-classes class @ (?:no-loss )?(?:no-loss|pfc-priority #)", PORT_FLAP, YANG),
        Row(
            "delete class-of-service forwarding-classes(?: class @ (?:no-loss|pfc-priority))?",
            PORT_FLAP,
            YANG,
            "the classes of the image; of one, it is lossy: in one commit with what says them again",
        ),
        Row(
            r"set class-of-service drop-profiles @ interpolate (?:fill-level|drop-probability) (?:@|\[ # # \])",
            BRIEF_PAUSE,
            YANG,
        ),
        Row(
            "delete class-of-service drop-profiles @",
            BRIEF_PAUSE,
            YANG,
            "tail drop, no marks: written again in that commit",
        ),
        Row("set class-of-service schedulers @ (?:transmit-rate|shaping-rate) percent #", BRIEF_PAUSE, YANG),
        Row("set class-of-service schedulers @ priority (?:low|strict-high)", BRIEF_PAUSE, YANG),
        Row(
            "set class-of-service schedulers @ (?:explicit-congestion-notification|buffer-dynamic-threshold #)",
            BRIEF_PAUSE,
            YANG,
        ),
        Row(
            "set class-of-service schedulers @ drop-profile-map loss-priority any protocol any drop-profile @",
            BRIEF_PAUSE,
            YANG,
        ),
        Row(
            "delete class-of-service schedulers @(?: (?:(?:shaping|transmit)-rate|priority|buffer-dynamic-threshold))?",
            BRIEF_PAUSE,
            YANG,
            "no limit, no share, low priority; whole, it is written again in that commit",
        ),
        Row(
            "delete class-of-service schedulers @ (?:explicit-congestion-notification|drop-profile-map.*)",
            BRIEF_PAUSE,
            YANG,
            "not marked: with the profile it would drop, so only of a class without ECN",
        ),
        Row("set class-of-service scheduler-maps @ forwarding-class @ scheduler @", BRIEF_PAUSE, YANG),
        Row(
            "delete class-of-service scheduler-maps @", BRIEF_PAUSE, YANG, "no guarantee: written again in that commit"
        ),
        Row(
            r"set class-of-service shared-buffer (?:in|e)gress buffer-partition @ (?:percent|dynamic-threshold) #",
            PORT_FLAP,
            YANG,
        ),
        Row(
            r"set class-of-service congestion-notification-profile @ pfc-watchdog(?: (?:poll-interval|detection|"
            r"recovery) #| watchdog-action (?:drop|forward))?",
            HITLESS,
            YANG,
        ),
        Row(
            "set class-of-service congestion-notification-profile @ input (?:cable-length #|dscp code-point @ pfc)",
            PORT_FLAP,
            YANG,
        ),
        Row(
            r"set class-of-service congestion-notification-profile @ output ieee-802\.1 code-point @ "
            "flow-control-queue #",
            PORT_FLAP,
            YANG,
        ),
        Row(
            "delete class-of-service congestion-notification-profile @",
            PORT_FLAP,
            YANG,
            "no PFC by it: written again in that commit, or bound nowhere",
        ),
        Row(
            r"delete class-of-service congestion-notification-profile @ (?:input dscp|output ieee-802\.1) code-point @",
            PORT_FLAP,
            YANG,
            "no pause for it, or none obeyed",
        ),
        Row(
            "set class-of-service interfaces @ (?:congestion-notification-profile|dedicated-buffer-profile) @",
            PORT_FLAP,
            YANG,
        ),
        Row(r"set class-of-service interfaces @ (?:scheduler-map @|unit \* classifiers dscp @)", BRIEF_PAUSE, YANG),
        Row(
            "delete class-of-service interfaces @ congestion-notification-profile",
            PORT_FLAP,
            YANG,
            "no PFC on the port",
        ),
        Row(
            r"delete class-of-service interfaces @ unit \* rewrite-rules", BRIEF_PAUSE, YANG, "packets keep their DSCP"
        ),
        Row("set class-of-service dedicated-buffer-profile @ egress buffer-size #", PORT_FLAP, YANG),
        Row("delete class-of-service dedicated-buffer-profile @", PORT_FLAP, YANG, "ports reserve what the image has"),
        Row("set interfaces @ (?:unit # family inet )?mtu #", PORT_FLAP, YANG),
        Row("set interfaces @ (?:speed @|ether-options fec @|description @)", BESIDE, YANG),
        Row("delete interfaces @ ether-options flow-control", PORT_FLAP, YANG, "no 802.3x pause"),
        Row(
            "set forwarding-options enhanced-hash-key ecmp-dlb (?:flowlet(?: inactivity-interval #)?|per-packet)",
            BRIEF_PAUSE,
            YANG,
        ),
        Row(
            "delete forwarding-options enhanced-hash-key (?:ecmp-dlb per-packet|inet6? no-l4-source-port)",
            BRIEF_PAUSE,
            YANG,
            "flows stay on their paths; the source port is hashed",
        ),
        Row("set protocols dcbx interface @ disable", BRIEF_PAUSE, YANG),
        Row("set protocols bgp graceful-shutdown sender local-preference 0", TRAFFIC, YANG),
        Row("delete protocols bgp graceful-shutdown", TRAFFIC, YANG, "traffic comes back"),
        Row(
            r"configure exclusive|load (?:set|replace) terminal|show \| compare|"
            r"commit(?: check| confirmed 5| and-quit)?",
            SESSION,
            f"{LOAD}; {COMMIT}",
        ),
        Row(r"scp FILE SWITCH:/var/tmp/|load (?:set|replace) /var/tmp/FILE", SESSION, COPIED),
        Row(
            r"load override NAME\.conf",
            SESSION,
            LOAD,
            "the whole configuration of the file; all processes read it again at commit",
        ),
        Row(r"show configuration \| save NAME\.conf", SAVES, COMMIT),
        Row(
            r"show class-of-service(?: (?:forwarding-class|congestion-notification|interface|shared-buffer))?",
            SHOWS,
            RPC,
        ),
        Row("show interfaces queue(?: PORT| buffer-occupancy)?", SHOWS, RPC),
    ),
    "nxos": (
        Row("class-map type qos match-any @|policy-map type qos @|class @", BRIEF_PAUSE, CISCO_AI),
        Row("match dscp #|set qos-group #|system qos", BRIEF_PAUSE, CISCO_AI),
        Row("service-policy type qos input @", BRIEF_PAUSE, CISCO_AI),
        Row("no class @", BRIEF_PAUSE, CLASS, "its packets are in qos-group 0, unless another class takes them"),
        Row("no class-map type qos match-any @", BRIEF_PAUSE, CISCO_AI, "the class-map, which no policy names"),
        Row("no match (?:dscp|cos) #", BRIEF_PAUSE, MATCH, "the class takes no packet by it"),
        Row("no set dscp #", BRIEF_PAUSE, SERVICE, "packets keep their DSCP"),
        Row("priority-flow-control mode (?:on|auto)", BRIEF_PAUSE, PAUSE),
        Row("priority-flow-control mode off", BRIEF_PAUSE, PAUSE, "no PFC: of a port that no lossless class crosses"),
        Row(
            "no priority-flow-control override-interface mode off",
            PORT_FLAP,
            PAUSE,
            "each port has the PFC that it states",
        ),
        Row("priority-flow-control watch-dog-interval on", HITLESS, f"{PAUSE}; {CISCO_AI}"),
        Row("priority-flow-control watch-dog-interval off", HITLESS, PAUSE, "not watched: as the intent states"),
        Row(
            "no priority-flow-control watch-dog-interval on disable-action",
            HITLESS,
            PAUSE,
            "not watched, as before: the next line has it act",
        ),
        Row("feature lldp", HITLESS, f"{ANSIBLE}/nxos_lldp_global.py"),
        Row("(?:policy-map|class) type (?:network-qos|queuing) @", PORT_FLAP, AZURE),
        Row("service-policy type (?:network-qos|queuing output) @", PORT_FLAP, AZURE),
        Row("pause pfc-cos #", PORT_FLAP, AZURE),
        Row("pause buffer-size # pause-threshold # resume-threshold # pfc-cos #", PORT_FLAP, PAUSE),
        Row("no pause pfc-cos #", PORT_FLAP, PAUSE, "the class may drop: of one that RDMA does not use"),
        Row("no pause pfc-cos # receive", PORT_FLAP, PAUSE, "the class may drop: the next line pauses it both ways"),
        Row("bandwidth remaining percent(?: #)?", PORT_FLAP, AZURE),
        Row(
            "no bandwidth remaining percent #",
            PORT_FLAP,
            SHARE,
            "no share: in one change with the priority that the queue gets",
        ),
        Row("priority level #", PORT_FLAP, CISCO_AI),
        Row("no priority", PORT_FLAP, PAUSE, "the queue takes turns"),
        Row("shape min # mbps max # mbps", PORT_FLAP, SERVICE),
        Row("no shape min # mbps max # mbps", PORT_FLAP, SERVICE, "no limit"),
        Row(
            "random-detect minimum-threshold # bytes maximum-threshold # bytes drop-probability # weight 0 ecn",
            PORT_FLAP,
            CURVE,
        ),
        Row("no random-detect", PORT_FLAP, CURVE, "the queue is not marked: of a class without ECN alone"),
        Row("mtu #|interface @", PORT_FLAP, f"{AZURE}; {TRUNKS}"),
        Row("flowcontrol (?:receive|send) off", PORT_FLAP, FLOW, "no 802.3x pause"),
        Row("speed #|switchport mode trunk", BESIDE, TRUNKS),
        Row("configure terminal|end", SESSION, "ansible-collections/cisco.nxos 154aa540 plugins/cliconf/nxos.py"),
        Row("checkpoint @", SESSION, CLASS),
        Row(
            "rollback running-config checkpoint @",
            SESSION,
            CURVE,
            "the whole configuration of the checkpoint: what differs is typed line by line",
        ),
        Row(
            "scp FILE SWITCH:bootflash:",
            SESSION,
            "ansible-collections/cisco.nxos 154aa540 docs/cisco.nxos.nxos_file_copy_module.rst, feature scp-server",
        ),
        Row(
            "copy bootflash:FILE running-config",
            SESSION,
            f"{UNSEEN} from memory; its lines are in force as they are read",
        ),
        Row("system mode maintenance", TRAFFIC, f"{ANSIBLE}/nxos_gir.py"),
        Row("no system mode maintenance", TRAFFIC, f"{ANSIBLE}/nxos_gir.py", "traffic comes back"),
        Row("copy running-config startup-config", SAVES, f"{ANSIBLE}/nxos_config.py"),
        Row(
            "show queuing (?:interface ethernet 1/1|pfc-queue(?: detail)?)|show running-config(?: ipqos)?",
            SHOWS,
            NXSHOWS,
        ),
        Row("show interface priority-flow-control|show policy-map interface ethernet #", SHOWS, TRUNKS),
        Row("show policy-map system type network-qos", SHOWS, SHOWN),
    ),
    "srlinux": (
        Row("set / qos queues (?:pfc-)?queue @ queue-index #", PORT_FLAP, SRLQOS),
        Row("set / qos forwarding-classes forwarding-class @ output unicast-queue @", PORT_FLAP, SRLQOS),
        Row(
            "set / qos classifiers dscp-policy @ dscp # (?:forwarding-class @|drop-probability low)",
            BRIEF_PAUSE,
            SRLQOS,
        ),
        Row("delete / qos classifiers dscp-policy @ dscp #", BRIEF_PAUSE, SRLQOS, "fc0: no class has the code point"),
        Row(f"set {_BUFFERS} queues queue @ maximum-burst-size #", PORT_FLAP, SRLQOS),
        Row(
            f"set {_BUFFERS} queues pfc-queue @ (?:maximum-burst-size|maximum-pfc-reserved-share-bytes) #",
            PORT_FLAP,
            SRLQOS,
        ),
        Row(
            f"delete {_BUFFERS} queues (?:pfc-)?queue @",
            PORT_FLAP,
            SRLQOS,
            "the default: an output queue holds what the chip gives it, a PFC queue pauses from 51200 B on",
        ),
        Row("set / qos linecard 1 forwarding-complex 0 input pfc-buffer-reservation #", PORT_FLAP, SRLQOS),
        Row(
            f"set {_MARKS} (?:weight-factor 0|wred wred-slope traffic-type all drop-probability all enable-ecn true "
            "(?:slope-enabled true|(?:(?:min|max)-threshold|max-drop-probability-percent) #))",
            BRIEF_PAUSE,
            SRLQOS,
        ),
        Row(
            f"delete {_MARKS}",
            BRIEF_PAUSE,
            SRLQOS,
            "no slope, neither to mark nor to drop: in one commit with one that marks",
        ),
        Row("set / qos explicit-congestion-notification", HITLESS, SRLQOS),
        Row(
            rf"set {_PFC} received-traffic unicast-mapping pfc-queue @ (?:forwarding-class \[ @ \]|"
            r"pfc-pause-frame-priority (?:#|\[ # \]))",
            PORT_FLAP,
            SRLQOS,
        ),
        Row(
            rf"set {_PFC} received-pfc-pause-frames queue @ (?:enable-pfc true|pfc-pause-frame-priority (?:#|\[ # \]))",
            PORT_FLAP,
            SRLQOS,
        ),
        Row(
            f"delete {_PFC} received-traffic unicast-mapping pfc-queue @",
            PORT_FLAP,
            SRLQOS,
            "no pause is sent for its classes: of such that RDMA does not use",
        ),
        Row(
            f"delete {_PFC} received-pfc-pause-frames queue @",
            PORT_FLAP,
            SRLQOS,
            "the queue obeys no pause: of one that RDMA does not use",
        ),
        Row(
            f"set {_PFC} received-pfc-pause-frames deadlock (?:enable true|(?:detection|recovery)-timer #)",
            HITLESS,
            SRLQOS,
        ),
        Row(
            f"set {_SCHEDULE} scheduler (?:0 priority strict|[01] input @ (?:input-type queue|queue-name @|weight #|"
            "peak-rate-percent #))",
            BRIEF_PAUSE,
            SRLQOS,
        ),
        Row(
            f"delete {_SCHEDULE} scheduler [01] input @",
            BRIEF_PAUSE,
            SRLQOS,
            "how the queue is served is not published: it gets another input, or nothing uses it",
        ),
        Row(
            f"delete {_SCHEDULE} scheduler [01] input @ peak-rate-percent",
            BRIEF_PAUSE,
            SRLQOS,
            "no limit",
        ),
        Row(
            f"set {_BOUND} (?:interface-ref (?:interface|subinterface) @|output scheduler scheduler-policy @|"
            "input classifiers dscp-policy @|output queues queue @ queue-management-profile @)",
            BRIEF_PAUSE,
            SRLQOS,
        ),
        Row(
            f"set {_BOUND} (?:pfc pfc-enable true|pfc pfc-mapping-profile @|input pfc-buffer-allocation-profile @|"
            "output buffer-allocation-profile @)",
            PORT_FLAP,
            SRLQOS,
        ),
        Row(f"delete {_BOUND} pfc", PORT_FLAP, SRLQOS, "no PFC on the port"),
        Row(
            f"delete {_BOUND} output queues queue @(?: queue-management-profile)?",
            BRIEF_PAUSE,
            SRLQOS,
            "not marked: of a class without ECN alone",
        ),
        Row(f"delete {_BOUND} output rewrite-rules", BRIEF_PAUSE, SRLQOS, "packets keep their DSCP"),
        Row("set / interface @ mtu #", PORT_FLAP, SRLPORT),
        Row("set / interface @ subinterface 0 ip-mtu #", BRIEF_PAUSE, SRLPORT),
        Row(
            "set / interface @ (?:ethernet (?:port-speed @|forward-error-correction fec-option @)|description .*)",
            BESIDE,
            SRLPORT,
        ),
        Row("delete / interface @ ethernet flow-control", PORT_FLAP, SRLPORT, "no 802.3x pause"),
        Row("set / network-instance default protocols bgp admin-state enable", TRAFFIC, SRLBGP),
        Row(
            "set / network-instance default protocols bgp admin-state disable",
            TRAFFIC,
            SRLBGP,
            "no route by BGP: traffic goes elsewhere",
        ),
        Row("enter candidate private|diff /|commit validate|commit now", SESSION, SRLCLI),
        Row(
            "commit confirmed timeout 300|tools system configuration confirmed-accept|"
            "tools system configuration generate-checkpoint name NAME",
            SESSION,
            f"{NAPALM}; {SRLTOOLS}",
        ),
        Row(
            "tools system configuration checkpoint NAME revert",
            SESSION,
            SRLTOOLS,
            "the whole configuration of the checkpoint, in force at once",
        ),
        Row(
            "scp FILE SWITCH:/tmp/|source /tmp/FILE",
            SESSION,
            f"{UNSEEN} source in scripts of labs alone: sr_cli source FILE",
        ),
        Row("save startup", SAVES, NAPALM),
        Row(r"info(?: flat| \\?\| as json)?|info / qos pfc-mapping-profile \*", SHOWS, SRLCLI),
        Row(
            r"info from state / qos (?:interfaces interface \* (?:pfc|output queues)|"
            "linecard 1 forwarding-complex 0 input)",
            SHOWS,
            f"{SRLCLI}; {SRLQOS}",
        ),
    ),
}

READ_ON_PAGES = {  # what pages name to look at, beside the rows above; none of them changes anything
    r"show configuration(?: \\?\| display set)?": f"{_PAGES}/en_US/junos13.2/topics/reference/command-summary",
    "show running-config all": RUN_ALL,
    "show lldp (?:neighbors|table)|show runningconfiguration all": "sonic-net/sonic-utilities 691b1bbc show/main.py",
    "show queue wredcounters": "sonic-net/sonic-utilities 691b1bbc show/main.py",
    "show cdp neighbors": f"{UNSEEN} NX-OS, whose output is read as a list of links",
}


@pytest.fixture(scope="module", params=VENDORS)
def printed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Printed]]:
    """A system, and what is printed for it."""
    return request.param, printed_by(request.param, tmp_path_factory.mktemp("printed"))


def row_of(vendor: str, each: Printed, command: str) -> Row | None:
    """The row of a command; where prose may go on, that of the longest form it begins with."""
    if each.whole:
        return next((row for row in TABLE[vendor] if re.fullmatch(row.pattern, command)), None)
    found = [(m.end(), row) for row in TABLE[vendor] if (m := re.match(rf"(?:{row.pattern})(?![\w-])", command))]
    return max(found, key=lambda pair: pair[0])[1] if found else None


def test_every_command_has_its_row_and_every_row_a_command(printed: tuple[str, dict[str, Printed]]) -> None:
    vendor, found = printed
    rows = {command: row_of(vendor, each, command) for command, each in found.items()}
    assert [(command, found[command].where) for command, row in rows.items() if row is None] == []
    assert [row.form for row in TABLE[vendor] if row not in rows.values()] == []


def test_a_row_disturbs_what_the_procedure_says(printed: tuple[str, dict[str, Printed]]) -> None:
    vendor, found = printed
    for command, each in found.items():
        row = row_of(vendor, each, command)
        if row is None or not each.whole or row.effect in (SHOWS, SESSION, TRAFFIC, SAVES, BESIDE):
            continue
        judged = judge_commands(PROCEDURES[vendor], [command.removeprefix("nv ")])
        assert judged.mark == row.effect, command


def test_what_deletes_or_empties_says_what_then_holds(printed: tuple[str, dict[str, Printed]]) -> None:
    vendor, found = printed
    for command, each in found.items():
        row = row_of(vendor, each, command)
        assert row is None or not re.match(UNDOES[vendor], command) or row.gone, command


def test_a_row_names_where_it_was_looked_up_and_what_was_not_found_is_told(
    printed: tuple[str, dict[str, Printed]],
) -> None:
    """A commit, a page's address or a model's release; of a deletion that nothing was found of, the user is told."""
    vendor, found = printed
    looked_up = re.compile(rf"\b[0-9a-f]{{8}}\b|https://|nvueschema|pyavd \d|^{UNSEEN} \w")
    assert [row.form for row in TABLE[vendor] if not looked_up.search(row.source)] == []
    for command, each in found.items():
        row = row_of(vendor, each, command)
        if row is None or not each.whole or not re.match(UNDOES[vendor], command):
            continue
        told = judge_commands(PROCEDURES[vendor], [command.removeprefix("nv ")]).why
        assert (command in told) is row.source.startswith(UNSEEN), command


def test_nothing_printed_takes_a_port_whole(printed: tuple[str, dict[str, Printed]]) -> None:
    """`nv unset interface PORT` takes the port down (NVIDIA 4030380), `delete interfaces PORT` its addresses."""
    whole = {
        "spectrum": r"nv unset (interface \S+|interface|router|system)$",
        "arista": r"(no|default) interface",
        "junos": r"delete (interfaces( \S+)?|class-of-service|protocols( bgp)?|class-of-service interfaces( \S+)?)$",
        "nxos": r"(no|default) (interface|system qos|policy-map type network-qos)|shutdown",
        "srlinux": r"delete / (interface \S+|qos|qos interfaces( interface \S+)?|network-instance \S+( \S+)*)$",
    }
    vendor, found = printed
    assert [command for command in found if re.match(whole[vendor], command)] == []


def test_only_the_last_of_a_procedure_saves(printed: tuple[str, dict[str, Printed]]) -> None:
    """What saves in the middle of a change would save a switch that is drained."""
    vendor, _ = printed
    saves = re.compile("|".join(row.pattern for row in TABLE[vendor] if row.effect == SAVES))
    procedure = PROCEDURES[vendor]
    for line in (*procedure.load, *procedure.show, *procedure.commit, *procedure.confirm, *procedure.drain):
        assert not saves.fullmatch(line)


def test_what_pages_name_to_look_at_is_a_command_that_shows() -> None:
    """`show` alone is told by every system: what a page names is one of them, or stands in the table beside."""
    rows = [row.pattern for vendor in VENDORS for row in TABLE[vendor] if row.effect in (SHOWS, SAVES)]
    known = re.compile("|".join(f"(?:{form})" for form in (*rows, *READ_ON_PAGES)))
    told = {
        snippet.replace("\\|", "|") if "save" in snippet else snippet
        for path in PAGES
        for snippet in re.findall(r"`(show [a-z][^`\n]*)`", path.read_text(encoding="utf-8"))
    }
    assert [snippet for snippet in told if not known.fullmatch(snippet)] == []
    assert {"show running-config all", "show lldp neighbors"} <= told
