"""The forms of EOS lines about QoS, PFC, ECN, buffers and RoCE, each with where it was seen.

No vendor publishes a grammar of EOS: these forms were collected, and a line that matches none is not known to exist.

A pattern is the line itself, with what varies in it:
    {name:lo-hi}  a whole number in a range     {dscp*:lo-hi}  a list of them, ranges with - or ,
    {f2:lo-hi}    up to two decimal places      {f3:lo-hi}     up to three
    {W}  a word   {IFS}  interfaces   {REST}  anything to the end of the line   {a|b}  alternatives   [ ... ]  optional

Where a form was seen, a letter each:
    G  a golden configuration of Arista's AVD (molecule, intended/configs)
    T  a template of AVD or pyavd, eos_cli_config_gen (5.0 as source, 6.4.0 compiled)
    S  a range that AVD's schema states
    Q  the `?` help or the running-config of a device, quoted in a public issue
    R  `show running-config [all]` of a device, in a public repository
    M  Arista's manual or a deployment guide, as quoted by a public source
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple

STRATA, SAND = (
    "strata",
    "sand",
)  # chip families: Trident and Tomahawk (7050X, 7060X, 7260X, 7388X); Jericho (7280R, 7800R)

# The modes that lines stand in, as messages name them.
GLOBAL = "global"
ETHERNET = "eth"  # interface Ethernet, Port-Channel, and their subinterfaces
OTHER = "other-if"  # any other interface
VXLAN = "vxlan"
PROFILE = "qos-profile"
TX, UC, MC = "tx-queue", "uc-tx-queue", "mc-tx-queue"
MMU = "mmu"  # platform trident mmu queue profile
CLUSTER, LEARNING, PORT_GROUP = "clb", "clb-learn", "clb-pg"  # load-balance cluster
CLASS_MAP, POLICY_MAP, POLICY_CLASS = "cmap", "pmap", "pclass"
STREAMING = "qm-streaming"
INTERFACE = "@interface"  # entered: the mode that the interface's name tells

PORTS = (ETHERNET, PROFILE)
QUEUES = (TX, UC, MC)
OWNED_MODES = frozenset((PROFILE, *QUEUES, MMU, CLUSTER, LEARNING, PORT_GROUP, CLASS_MAP, POLICY_MAP, POLICY_CLASS))

_ALPHA = "{1|1/128|1/64|1/32|1/16|1/8|1/4|1/2|2|4|8}"
_UNIT = "{segments|bytes|kbytes|mbytes|milliseconds|microseconds}"
_MARK = "{n:1-256000000}"
_THRESHOLDS = f"minimum-threshold {_MARK} {_UNIT} maximum-threshold {_MARK} {_UNIT}"
_SIZE = "{segments|bytes|kbytes|mbytes}"
_POOL_THRESHOLDS = f"minimum-threshold {_MARK} {_SIZE} maximum-threshold {_MARK} {_SIZE}"


class LineForm(NamedTuple):
    """A line that EOS takes."""

    modes: tuple[str, ...]  # in which it may stand
    pattern: str
    seen: str
    enters: str = ""  # the mode of the lines below it
    only: str = ""  # the chip family that alone has it
    plain: bool = False  # about no queue, PFC or buffer: lines that stand around those


FORMS = (
    # -- global QoS maps
    LineForm((GLOBAL,), "qos rewrite dscp", "GT"),
    LineForm((GLOBAL,), "qos rewrite cos", "M"),
    LineForm((GLOBAL,), "qos map cos {cos*:0-7} to traffic-class {tc:0-7}", "GT"),
    LineForm((GLOBAL,), "qos map dscp {dscp*:0-63} to traffic-class {tc:0-7}[ drop-precedence {dp:0-2}]", "GT"),
    LineForm((GLOBAL,), "qos map exp {exp*:0-7} to traffic-class {tc:0-7}", "GT"),
    LineForm((GLOBAL,), "qos map traffic-class {tc*:0-7} to dscp {dscp:0-63}", "GTR"),
    LineForm((GLOBAL,), "qos map traffic-class {tc*:0-7} to cos {cos:0-7}", "GT"),
    LineForm((GLOBAL,), "qos map traffic-class {tc*:0-7} to exp {exp:0-7}", "Q"),
    LineForm((GLOBAL,), "qos map traffic-class {tc*:0-7} to tx-queue {q:0-7}", "GTQ"),
    LineForm((GLOBAL,), "qos map traffic-class {tc*:0-7} to uc-tx-queue {q:0-7}", "Q", only=STRATA),
    LineForm((GLOBAL,), "qos map traffic-class {tc*:0-7} to mc-tx-queue {q:0-7}", "M", only=STRATA),
    LineForm((GLOBAL,), "qos random-detect ecn allow non-ect[ chip-based]", "GT"),
    LineForm((GLOBAL,), "qos random-detect ecn global-buffer " + _POOL_THRESHOLDS, "TQ", only=STRATA),
    LineForm((GLOBAL,), "qos tx-queue shape rate percent adaptive", "GTQ", only=SAND),
    LineForm((GLOBAL,), "qos tx-queue {q:0-7} scheduler profile responsive", "TQ", only=SAND),
    LineForm((GLOBAL,), "qos {tx-queue|uc-tx-queue|mc-tx-queue} {q:0-7} name {W}", "R"),
    LineForm((GLOBAL,), "qos traffic-class {tc:0-7} name {W}", "R"),
    LineForm((GLOBAL,), "qos rewrite {ipv4-over-udp|ipv6-over-udp} inner dscp disabled", "R"),
    LineForm((GLOBAL,), "qos profile {W}", "GT", enters=PROFILE),
    # -- global PFC
    LineForm((GLOBAL,), "priority-flow-control all off", "GT"),
    LineForm((GLOBAL,), "priority-flow-control pause watchdog default timeout {f2:0.01-60}", "GTM"),
    LineForm((GLOBAL,), "priority-flow-control pause watchdog default recovery-time {f2:0.01-60}", "GTM"),
    LineForm((GLOBAL,), "priority-flow-control pause watchdog default polling-interval {f3:0.005-30}", "GTM"),
    LineForm((GLOBAL,), "priority-flow-control pause watchdog action {drop|errdisable|notify-only}", "TS"),
    LineForm((GLOBAL,), "priority-flow-control pause watchdog override action drop", "GT"),
    LineForm((GLOBAL,), "errdisable {detect|recovery} cause stuck-queue", "G"),
    # -- per port / per profile PFC
    LineForm(PORTS, "priority-flow-control on", "GTR"),
    LineForm(PORTS, "priority-flow-control priority {prio:0-7} {no-drop|drop}", "GT"),
    LineForm(PORTS, "priority-flow-control pause watchdog", "GTR"),
    LineForm(PORTS, "priority-flow-control pause watchdog port action {drop|notify-only}", "GTS"),
    LineForm(
        PORTS,
        "priority-flow-control pause watchdog port timer timeout {f2:0.01-60} "
        "polling-interval auto recovery-time {f2:0.01-60}[ forced]",
        "GT",
    ),
    LineForm(
        PORTS,
        "priority-flow-control pause watchdog port timer timeout {f2:0.01-60} "
        "polling-interval {f3:0.005-30} recovery-time {f2:0.01-60}[ forced]",
        "T",
    ),
    # -- per port / per profile QoS
    LineForm(PORTS, "qos trust {dscp|cos}", "GTR"),
    LineForm(PORTS, "qos cos {cos:0-7}", "GTR"),
    LineForm(PORTS, "qos dscp {dscp:0-63}", "GTR"),
    LineForm(PORTS, "shape rate {n:1-4294967295}[ {kbps|pps|percent}]", "GT"),
    LineForm(PORTS, "service-policy type qos input {W}", "GT"),
    LineForm((ETHERNET,), "service-policy type pbr input {W}", "G"),
    LineForm((ETHERNET,), "service-profile {W}", "GT"),
    LineForm((ETHERNET,), "dcbx mode {ieee|cee|none}", "R"),
    LineForm((ETHERNET, OTHER), "flowcontrol {send|receive} {on|off|desired}", "TR"),
    LineForm((ETHERNET,), "platform trident mmu queue interface-profile {W}", "M", only=STRATA),
    LineForm((ETHERNET,), "tx-scheduler packet size adjustment {plus|minus} {n:1-255} bytes", "R", only=SAND),
    LineForm(PORTS, "tx-queue {q:0-7}", "GTR", enters=TX),
    LineForm(PORTS, "uc-tx-queue {q:0-7}", "GTR", enters=UC, only=STRATA),
    LineForm(PORTS, "mc-tx-queue {q:0-7}", "GT", enters=MC, only=STRATA),
    # -- queue mode
    LineForm(QUEUES, "priority strict", "GTR"),
    LineForm(QUEUES, "bandwidth percent {pct:1-100}", "GTR"),
    LineForm(QUEUES, "bandwidth guaranteed percent {pct:1-100}", "GT"),
    LineForm(QUEUES, "bandwidth guaranteed {n:1-4294967295}[ kbps]", "M"),
    LineForm(QUEUES, "shape rate {n:1-4294967295}[ {kbps|pps|percent}]", "GT"),
    LineForm(
        (TX, UC), "random-detect ecn " + _THRESHOLDS + "[ max-mark-probability {p:1-100}][ weight {w:0-15}]", "GTSQ"
    ),
    LineForm((TX, UC), "random-detect ecn count", "GTR"),
    LineForm(
        (TX, ETHERNET), "random-detect ecn delay threshold {n:1-1000000} {milliseconds|microseconds}", "R", only=SAND
    ),
    LineForm(
        (TX, UC),
        "random-detect drop[ "
        "drop-precedence {dp:0-2}] " + _THRESHOLDS + " drop-probability {p:1-100}[ weight {w:0-15}]",
        "GTS",
    ),
    LineForm((TX,), "scheduler profile responsive", "TQ", only=SAND),
    LineForm((TX,), "latency maximum {n:1-4294967295} {microseconds|milliseconds}", "R", only=SAND),
    # -- buffers
    LineForm((GLOBAL,), "platform trident mmu headroom-pool limit {n:1-33554432}", "TQ", only=STRATA),
    LineForm((GLOBAL,), "platform trident mmu headroom-pool limit bytes {n:1-33554432}", "TQ", only=STRATA),
    LineForm((GLOBAL,), "platform trident mmu headroom-pool limit cells {n:1-131072}", "TQR", only=STRATA),
    LineForm((GLOBAL,), "platform trident mmu queue profile {W} apply", "GT", only=STRATA),
    LineForm((GLOBAL,), "platform trident mmu queue profile {W}", "GT", enters=MMU, only=STRATA),
    LineForm((MMU,), "ingress {reserved|headroom}[ {bytes|cells}] {n:0-33554432}", "T"),
    LineForm((MMU,), "ingress threshold " + _ALPHA, "TS"),
    LineForm((MMU,), "ingress resume {n:0-33554432}", "T"),
    LineForm((MMU,), "ingress priority-group {pg:0-7} reserved[ {bytes|cells}] {n:0-33554432}", "TQ"),
    LineForm((MMU,), "ingress priority-group {pg:0-7} threshold " + _ALPHA, "TQS"),
    LineForm((MMU,), "egress {unicast|multicast} queue {q:0-7} reserved[ {bytes|cells}] {n:0-33554432}", "GT"),
    LineForm((MMU,), "egress {unicast|multicast} queue {q:0-7} threshold " + _ALPHA, "GTS"),
    LineForm((MMU,), "egress {unicast|multicast} queue {q:0-7} drop-precedence {dp:1-2} drop-threshold {W}", "GT"),
    LineForm((GLOBAL,), "platform sand qos map traffic-class {tc:0-7} to network-qos {n:0-63}", "GT", only=SAND),
    LineForm((GLOBAL,), "platform fap buffering egress profile {unicast|balanced}", "TQ", only=SAND),
    LineForm((GLOBAL,), "platform fap voq credit rates unified", "TQ", only=SAND),
    # -- visibility
    LineForm((GLOBAL,), "hardware counter feature ecn out", "TM"),
    LineForm((GLOBAL,), "hardware counter feature qos[ dual-rate-policer][ {in|out}]", "SR"),
    LineForm((GLOBAL,), "queue-monitor length", "GT"),
    LineForm((GLOBAL,), "queue-monitor length {notifying|tx-latency|mirror}", "GT"),
    LineForm((GLOBAL,), "queue-monitor length default threshold {n:1-4294967295}", "GT"),
    LineForm((GLOBAL,), "queue-monitor length default thresholds {n:1-4294967295} {n:1-4294967295}", "GT"),
    LineForm((GLOBAL,), "queue-monitor length cpu threshold[s] {n:1-4294967295}[ {n:1-4294967295}]", "GT"),
    LineForm((ETHERNET,), "queue-monitor length[ threshold[s] {n:1-4294967295}[ {n:1-4294967295}]]", "M"),
    LineForm((GLOBAL,), "queue-monitor length log {n:0-4294967295}", "GT"),
    LineForm((GLOBAL,), "queue-monitor length mirror destination {REST}", "Q"),
    LineForm((GLOBAL,), "queue-monitor streaming", "GT", enters=STREAMING),
    # -- load balancing for RoCE
    LineForm((GLOBAL,), "ip hardware fib load-balance distribution dynamic[ flow-set-size {n:1-7}]", "TQ", only=STRATA),
    LineForm((GLOBAL,), "ip hardware fib load-balance distribution hash", "Q"),
    LineForm(
        (GLOBAL,),
        "port-channel load-balance trident udf eth-type {ipv4|ipv6}[ ip-protocol {W}] "
        "header {inner|outer} {l2|l3|l4} offset {n:0-64}[ mask {W}]",
        "TQ",
        only=STRATA,
    ),
    LineForm((GLOBAL,), "load-balance cluster", "TQ", enters=CLUSTER),
    LineForm((CLUSTER,), "forwarding type {routed ipv4|bridged encapsulation vxlan ipv4}", "TQ"),
    LineForm((CLUSTER,), "destination grouping {bgp field-set|vtep}", "T"),
    LineForm((CLUSTER,), "destination grouping prefix length {n:0-129}", "TQS"),
    LineForm((CLUSTER,), "load-balance method flow round-robin", "TQ"),
    LineForm((CLUSTER,), "flow monitor", "T"),
    LineForm((CLUSTER,), "flow source learning", "TQ", enters=LEARNING),
    LineForm((LEARNING,), "aging timeout {n:30-2147483647} seconds", "TQS"),
    LineForm((LEARNING,), "limit {n:0-4294967295}", "Q"),
    LineForm((CLUSTER,), "port group host {W}", "TQ", enters=PORT_GROUP),
    LineForm((PORT_GROUP,), "interface {IFS}", "TQ"),
    LineForm((PORT_GROUP,), "flow {limit|warning} {n:0-4294967295}", "TQ"),
    LineForm((PORT_GROUP,), "balance factor {n:0-4294967295}", "T"),
    LineForm((PORT_GROUP,), "flow exhaustion action[ dscp {dscp:0-63}][ traffic-class {tc:0-11}]", "TQ"),
    # -- VXLAN and classification
    LineForm((VXLAN,), "vxlan qos ecn propagation", "GT"),
    LineForm((VXLAN,), "vxlan qos dscp propagation encapsulation", "GT"),
    LineForm((VXLAN,), "vxlan qos map dscp to traffic-class decapsulation", "GT"),
    LineForm((VXLAN,), "vxlan qos dscp ecn rewrite bridged enabled", "T"),
    LineForm((GLOBAL,), "class-map type {qos|quality-of-service} match-any {W}", "GT", enters=CLASS_MAP),
    LineForm((GLOBAL,), "class-map match-any {W}", "Q", enters=CLASS_MAP),
    LineForm((CLASS_MAP,), "match {ip|ipv6|mac} access-group {W}", "GT"),
    LineForm((CLASS_MAP,), "match vlan {REST}", "GT"),
    LineForm((CLASS_MAP,), "match cos {cos*:0-7}[ {W}]", "GT"),
    LineForm((CLASS_MAP,), "match dscp {REST}", "TQ"),
    LineForm((CLASS_MAP,), "match ecn {REST}", "T"),
    LineForm((GLOBAL,), "policy-map type {quality-of-service|qos} {W}", "GT", enters=POLICY_MAP),
    LineForm((POLICY_MAP,), "class {W}", "GT", enters=POLICY_CLASS),
    LineForm((POLICY_CLASS,), "set traffic-class {tc:0-7}", "GT"),
    LineForm((POLICY_CLASS,), "set dscp {W}", "GT"),
    LineForm((POLICY_CLASS,), "set cos {cos:0-7}", "GT"),
    LineForm((POLICY_CLASS,), "set drop-precedence {dp:0-2}", "T"),
    LineForm((POLICY_CLASS,), "police {REST}", "T"),
    # -- plain lines a RoCE snippet may carry around the owned ones (matter only for --strict)
    LineForm((GLOBAL,), "hostname {W}", "G", plain=True),
    LineForm((GLOBAL,), "vlan {REST}", "G", plain=True),
    LineForm((GLOBAL,), "ip routing", "G", plain=True),
    LineForm((ETHERNET, OTHER), "description {REST}", "G", plain=True),
    LineForm((ETHERNET, OTHER), "mtu {n:68-9214}", "G", plain=True),
    LineForm((ETHERNET,), "speed[ forced] {W}", "GR", plain=True),
    LineForm((ETHERNET,), "load-interval {n:0-600}", "GR", plain=True),
    LineForm((ETHERNET,), "error-correction encoding {REST}", "GR", plain=True),
    LineForm((ETHERNET,), "phy link training", "R", plain=True),
    LineForm((ETHERNET, OTHER), "switchport", "G", plain=True),
    LineForm((ETHERNET, OTHER), "switchport {mode|access|trunk} {REST}", "G", plain=True),
    LineForm((ETHERNET, OTHER, VXLAN), "shutdown", "G", plain=True),
    LineForm((ETHERNET, OTHER), "vrf {W}", "G", plain=True),
    LineForm((ETHERNET, OTHER), "ip address {REST}", "G", plain=True),
    LineForm((ETHERNET, OTHER), "ipv6 enable", "G", plain=True),
    LineForm((ETHERNET, OTHER), "ipv6 address {REST}", "G", plain=True),
    LineForm((ETHERNET,), "channel-group {n:1-2000000} mode {active|passive|on}", "G", plain=True),
    LineForm((ETHERNET,), "spanning-tree portfast[ {edge|network}]", "GR", plain=True),
    LineForm((VXLAN,), "vxlan source-interface {W}", "G", plain=True),
    LineForm((VXLAN,), "vxlan udp-port {n:1024-65535}", "G", plain=True),
    # -- mode openers of the rest
    LineForm((GLOBAL,), "interface {IFS}", "GR", enters=INTERFACE),
)

# What exists behind `no` and `default` alone, as `show running-config all` prints it.
NEGATIVE = (
    LineForm(PORTS, "priority-flow-control", "R"),
    LineForm(PORTS, "priority-flow-control priority {prio:0-7}", "R"),
    LineForm(PORTS, "priority-flow-control pause watchdog port {timer|action}", "R"),
    LineForm(PORTS, "qos trust", "GT"),
    LineForm(PORTS, "shape rate", "R"),
    LineForm(PORTS, "tx-queue {q:0-7}", "M"),
    LineForm(PORTS, "uc-tx-queue {q:0-7}", "M"),
    LineForm((ETHERNET,), "service-profile[ {W}]", "M"),
    LineForm((ETHERNET,), "dcbx mode", "R"),
    LineForm((ETHERNET, OTHER), "flowcontrol {send|receive}", "R"),
    LineForm(QUEUES, "priority", "GTR"),
    LineForm(QUEUES, "bandwidth percent", "R"),
    LineForm(QUEUES, "bandwidth guaranteed", "R"),
    LineForm(QUEUES, "shape rate", "R"),
    LineForm(QUEUES, "random-detect ecn[ minimum-threshold]", "R"),
    LineForm(QUEUES, "random-detect drop", "R"),
    LineForm((GLOBAL,), "queue-monitor length notifying", "G"),
    LineForm(
        (GLOBAL,),
        "priority-flow-control pause watchdog {action|default timeout|default recovery-time|default polling-interval}",
        "M",
    ),
    LineForm((VXLAN,), "vxlan qos {REST}", "G"),
    LineForm((GLOBAL,), "qos rewrite dscp", "M"),
)
