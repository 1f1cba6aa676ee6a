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


class Form(NamedTuple):
    """A line that EOS takes."""

    modes: tuple[str, ...]  # in which it may stand
    pattern: str
    seen: str
    enters: str = ""  # the mode of the lines below it
    only: str = ""  # the chip family that alone has it
    plain: bool = False  # about no queue, PFC or buffer: lines that stand around those


FORMS = (
    # -- global QoS maps
    Form((GLOBAL,), "qos rewrite dscp", "GT"),
    Form((GLOBAL,), "qos rewrite cos", "M"),
    Form((GLOBAL,), "qos map cos {cos*:0-7} to traffic-class {tc:0-7}", "GT"),
    Form((GLOBAL,), "qos map dscp {dscp*:0-63} to traffic-class {tc:0-7}[ drop-precedence {dp:0-2}]", "GT"),
    Form((GLOBAL,), "qos map exp {exp*:0-7} to traffic-class {tc:0-7}", "GT"),
    Form((GLOBAL,), "qos map traffic-class {tc*:0-7} to dscp {dscp:0-63}", "GTR"),
    Form((GLOBAL,), "qos map traffic-class {tc*:0-7} to cos {cos:0-7}", "GT"),
    Form((GLOBAL,), "qos map traffic-class {tc*:0-7} to exp {exp:0-7}", "Q"),
    Form((GLOBAL,), "qos map traffic-class {tc*:0-7} to tx-queue {q:0-7}", "GTQ"),
    Form((GLOBAL,), "qos map traffic-class {tc*:0-7} to uc-tx-queue {q:0-7}", "Q", only=STRATA),
    Form((GLOBAL,), "qos map traffic-class {tc*:0-7} to mc-tx-queue {q:0-7}", "M", only=STRATA),
    Form((GLOBAL,), "qos random-detect ecn allow non-ect[ chip-based]", "GT"),
    Form((GLOBAL,), "qos random-detect ecn global-buffer " + _POOL_THRESHOLDS, "TQ", only=STRATA),
    Form((GLOBAL,), "qos tx-queue shape rate percent adaptive", "GTQ", only=SAND),
    Form((GLOBAL,), "qos tx-queue {q:0-7} scheduler profile responsive", "TQ", only=SAND),
    Form((GLOBAL,), "qos {tx-queue|uc-tx-queue|mc-tx-queue} {q:0-7} name {W}", "R"),
    Form((GLOBAL,), "qos traffic-class {tc:0-7} name {W}", "R"),
    Form((GLOBAL,), "qos rewrite {ipv4-over-udp|ipv6-over-udp} inner dscp disabled", "R"),
    Form((GLOBAL,), "qos profile {W}", "GT", enters=PROFILE),
    # -- global PFC
    Form((GLOBAL,), "priority-flow-control all off", "GT"),
    Form((GLOBAL,), "priority-flow-control pause watchdog default timeout {f2:0.01-60}", "GTM"),
    Form((GLOBAL,), "priority-flow-control pause watchdog default recovery-time {f2:0.01-60}", "GTM"),
    Form((GLOBAL,), "priority-flow-control pause watchdog default polling-interval {f3:0.005-30}", "GTM"),
    Form((GLOBAL,), "priority-flow-control pause watchdog action {drop|errdisable|notify-only}", "TS"),
    Form((GLOBAL,), "priority-flow-control pause watchdog override action drop", "GT"),
    Form((GLOBAL,), "errdisable {detect|recovery} cause stuck-queue", "G"),
    # -- per port / per profile PFC
    Form(PORTS, "priority-flow-control on", "GTR"),
    Form(PORTS, "priority-flow-control priority {prio:0-7} {no-drop|drop}", "GT"),
    Form(PORTS, "priority-flow-control pause watchdog", "GTR"),
    Form(PORTS, "priority-flow-control pause watchdog port action {drop|notify-only}", "GTS"),
    Form(
        PORTS,
        "priority-flow-control pause watchdog port timer timeout {f2:0.01-60} "
        "polling-interval auto recovery-time {f2:0.01-60}[ forced]",
        "GT",
    ),
    Form(
        PORTS,
        "priority-flow-control pause watchdog port timer timeout {f2:0.01-60} "
        "polling-interval {f3:0.005-30} recovery-time {f2:0.01-60}[ forced]",
        "T",
    ),
    # -- per port / per profile QoS
    Form(PORTS, "qos trust {dscp|cos}", "GTR"),
    Form(PORTS, "qos cos {cos:0-7}", "GTR"),
    Form(PORTS, "qos dscp {dscp:0-63}", "GTR"),
    Form(PORTS, "shape rate {n:1-4294967295}[ {kbps|pps|percent}]", "GT"),
    Form(PORTS, "service-policy type qos input {W}", "GT"),
    Form((ETHERNET,), "service-policy type pbr input {W}", "G"),
    Form((ETHERNET,), "service-profile {W}", "GT"),
    Form((ETHERNET,), "dcbx mode {ieee|cee|none}", "R"),
    Form((ETHERNET, OTHER), "flowcontrol {send|receive} {on|off|desired}", "TR"),
    Form((ETHERNET,), "platform trident mmu queue interface-profile {W}", "M", only=STRATA),
    Form((ETHERNET,), "tx-scheduler packet size adjustment {plus|minus} {n:1-255} bytes", "R", only=SAND),
    Form(PORTS, "tx-queue {q:0-7}", "GTR", enters=TX),
    Form(PORTS, "uc-tx-queue {q:0-7}", "GTR", enters=UC, only=STRATA),
    Form(PORTS, "mc-tx-queue {q:0-7}", "GT", enters=MC, only=STRATA),
    # -- queue mode
    Form(QUEUES, "priority strict", "GTR"),
    Form(QUEUES, "bandwidth percent {pct:1-100}", "GTR"),
    Form(QUEUES, "bandwidth guaranteed percent {pct:1-100}", "GT"),
    Form(QUEUES, "bandwidth guaranteed {n:1-4294967295}[ kbps]", "M"),
    Form(QUEUES, "shape rate {n:1-4294967295}[ {kbps|pps|percent}]", "GT"),
    Form((TX, UC), "random-detect ecn " + _THRESHOLDS + "[ max-mark-probability {p:1-100}][ weight {w:0-15}]", "GTSQ"),
    Form((TX, UC), "random-detect ecn count", "GTR"),
    Form((TX, ETHERNET), "random-detect ecn delay threshold {n:1-1000000} {milliseconds|microseconds}", "R", only=SAND),
    Form(
        (TX, UC),
        "random-detect drop[ "
        "drop-precedence {dp:0-2}] " + _THRESHOLDS + " drop-probability {p:1-100}[ weight {w:0-15}]",
        "GTS",
    ),
    Form((TX,), "scheduler profile responsive", "TQ", only=SAND),
    Form((TX,), "latency maximum {n:1-4294967295} {microseconds|milliseconds}", "R", only=SAND),
    # -- buffers
    Form((GLOBAL,), "platform trident mmu headroom-pool limit {n:1-33554432}", "TQ", only=STRATA),
    Form((GLOBAL,), "platform trident mmu headroom-pool limit bytes {n:1-33554432}", "TQ", only=STRATA),
    Form((GLOBAL,), "platform trident mmu headroom-pool limit cells {n:1-131072}", "TQR", only=STRATA),
    Form((GLOBAL,), "platform trident mmu queue profile {W} apply", "GT", only=STRATA),
    Form((GLOBAL,), "platform trident mmu queue profile {W}", "GT", enters=MMU, only=STRATA),
    Form((MMU,), "ingress {reserved|headroom}[ {bytes|cells}] {n:0-33554432}", "T"),
    Form((MMU,), "ingress threshold " + _ALPHA, "TS"),
    Form((MMU,), "ingress resume {n:0-33554432}", "T"),
    Form((MMU,), "ingress priority-group {pg:0-7} reserved[ {bytes|cells}] {n:0-33554432}", "TQ"),
    Form((MMU,), "ingress priority-group {pg:0-7} threshold " + _ALPHA, "TQS"),
    Form((MMU,), "egress {unicast|multicast} queue {q:0-7} reserved[ {bytes|cells}] {n:0-33554432}", "GT"),
    Form((MMU,), "egress {unicast|multicast} queue {q:0-7} threshold " + _ALPHA, "GTS"),
    Form((MMU,), "egress {unicast|multicast} queue {q:0-7} drop-precedence {dp:1-2} drop-threshold {W}", "GT"),
    Form((GLOBAL,), "platform sand qos map traffic-class {tc:0-7} to network-qos {n:0-63}", "GT", only=SAND),
    Form((GLOBAL,), "platform fap buffering egress profile {unicast|balanced}", "TQ", only=SAND),
    Form((GLOBAL,), "platform fap voq credit rates unified", "TQ", only=SAND),
    # -- visibility
    Form((GLOBAL,), "hardware counter feature ecn out", "TM"),
    Form((GLOBAL,), "hardware counter feature qos[ dual-rate-policer][ {in|out}]", "SR"),
    Form((GLOBAL,), "queue-monitor length", "GT"),
    Form((GLOBAL,), "queue-monitor length {notifying|tx-latency|mirror}", "GT"),
    Form((GLOBAL,), "queue-monitor length default threshold {n:1-4294967295}", "GT"),
    Form((GLOBAL,), "queue-monitor length default thresholds {n:1-4294967295} {n:1-4294967295}", "GT"),
    Form((GLOBAL,), "queue-monitor length cpu threshold[s] {n:1-4294967295}[ {n:1-4294967295}]", "GT"),
    Form((ETHERNET,), "queue-monitor length[ threshold[s] {n:1-4294967295}[ {n:1-4294967295}]]", "M"),
    Form((GLOBAL,), "queue-monitor length log {n:0-4294967295}", "GT"),
    Form((GLOBAL,), "queue-monitor length mirror destination {REST}", "Q"),
    Form((GLOBAL,), "queue-monitor streaming", "GT", enters=STREAMING),
    # -- load balancing for RoCE
    Form((GLOBAL,), "ip hardware fib load-balance distribution dynamic[ flow-set-size {n:1-7}]", "TQ", only=STRATA),
    Form((GLOBAL,), "ip hardware fib load-balance distribution hash", "Q"),
    Form(
        (GLOBAL,),
        "port-channel load-balance trident udf eth-type {ipv4|ipv6}[ ip-protocol {W}] "
        "header {inner|outer} {l2|l3|l4} offset {n:0-64}[ mask {W}]",
        "TQ",
        only=STRATA,
    ),
    Form((GLOBAL,), "load-balance cluster", "TQ", enters=CLUSTER),
    Form((CLUSTER,), "forwarding type {routed ipv4|bridged encapsulation vxlan ipv4}", "TQ"),
    Form((CLUSTER,), "destination grouping {bgp field-set|vtep}", "T"),
    Form((CLUSTER,), "destination grouping prefix length {n:0-129}", "TQS"),
    Form((CLUSTER,), "load-balance method flow round-robin", "TQ"),
    Form((CLUSTER,), "flow monitor", "T"),
    Form((CLUSTER,), "flow source learning", "TQ", enters=LEARNING),
    Form((LEARNING,), "aging timeout {n:30-2147483647} seconds", "TQS"),
    Form((LEARNING,), "limit {n:0-4294967295}", "Q"),
    Form((CLUSTER,), "port group host {W}", "TQ", enters=PORT_GROUP),
    Form((PORT_GROUP,), "interface {IFS}", "TQ"),
    Form((PORT_GROUP,), "flow {limit|warning} {n:0-4294967295}", "TQ"),
    Form((PORT_GROUP,), "balance factor {n:0-4294967295}", "T"),
    Form((PORT_GROUP,), "flow exhaustion action[ dscp {dscp:0-63}][ traffic-class {tc:0-11}]", "TQ"),
    # -- VXLAN and classification
    Form((VXLAN,), "vxlan qos ecn propagation", "GT"),
    Form((VXLAN,), "vxlan qos dscp propagation encapsulation", "GT"),
    Form((VXLAN,), "vxlan qos map dscp to traffic-class decapsulation", "GT"),
    Form((VXLAN,), "vxlan qos dscp ecn rewrite bridged enabled", "T"),
    Form((GLOBAL,), "class-map type {qos|quality-of-service} match-any {W}", "GT", enters=CLASS_MAP),
    Form((GLOBAL,), "class-map match-any {W}", "Q", enters=CLASS_MAP),
    Form((CLASS_MAP,), "match {ip|ipv6|mac} access-group {W}", "GT"),
    Form((CLASS_MAP,), "match vlan {REST}", "GT"),
    Form((CLASS_MAP,), "match cos {cos*:0-7}[ {W}]", "GT"),
    Form((CLASS_MAP,), "match dscp {REST}", "TQ"),
    Form((CLASS_MAP,), "match ecn {REST}", "T"),
    Form((GLOBAL,), "policy-map type {quality-of-service|qos} {W}", "GT", enters=POLICY_MAP),
    Form((POLICY_MAP,), "class {W}", "GT", enters=POLICY_CLASS),
    Form((POLICY_CLASS,), "set traffic-class {tc:0-7}", "GT"),
    Form((POLICY_CLASS,), "set dscp {W}", "GT"),
    Form((POLICY_CLASS,), "set cos {cos:0-7}", "GT"),
    Form((POLICY_CLASS,), "set drop-precedence {dp:0-2}", "T"),
    Form((POLICY_CLASS,), "police {REST}", "T"),
    # -- plain lines a RoCE snippet may carry around the owned ones (matter only for --strict)
    Form((GLOBAL,), "hostname {W}", "G", plain=True),
    Form((GLOBAL,), "vlan {REST}", "G", plain=True),
    Form((GLOBAL,), "ip routing", "G", plain=True),
    Form((ETHERNET, OTHER), "description {REST}", "G", plain=True),
    Form((ETHERNET, OTHER), "mtu {n:68-9214}", "G", plain=True),
    Form((ETHERNET,), "speed[ forced] {W}", "GR", plain=True),
    Form((ETHERNET,), "load-interval {n:0-600}", "GR", plain=True),
    Form((ETHERNET,), "error-correction encoding {REST}", "GR", plain=True),
    Form((ETHERNET,), "phy link training", "R", plain=True),
    Form((ETHERNET, OTHER), "switchport", "G", plain=True),
    Form((ETHERNET, OTHER), "switchport {mode|access|trunk} {REST}", "G", plain=True),
    Form((ETHERNET, OTHER, VXLAN), "shutdown", "G", plain=True),
    Form((ETHERNET, OTHER), "vrf {W}", "G", plain=True),
    Form((ETHERNET, OTHER), "ip address {REST}", "G", plain=True),
    Form((ETHERNET, OTHER), "ipv6 enable", "G", plain=True),
    Form((ETHERNET, OTHER), "ipv6 address {REST}", "G", plain=True),
    Form((ETHERNET,), "channel-group {n:1-2000000} mode {active|passive|on}", "G", plain=True),
    Form((ETHERNET,), "spanning-tree portfast[ {edge|network}]", "GR", plain=True),
    Form((VXLAN,), "vxlan source-interface {W}", "G", plain=True),
    Form((VXLAN,), "vxlan udp-port {n:1024-65535}", "G", plain=True),
    # -- mode openers of the rest
    Form((GLOBAL,), "interface {IFS}", "GR", enters=INTERFACE),
)

# What exists behind `no` and `default` alone, as `show running-config all` prints it.
NEGATIVE = (
    Form(PORTS, "priority-flow-control", "R"),
    Form(PORTS, "priority-flow-control priority {prio:0-7}", "R"),
    Form(PORTS, "priority-flow-control pause watchdog port {timer|action}", "R"),
    Form(PORTS, "qos trust", "GT"),
    Form(PORTS, "shape rate", "R"),
    Form(PORTS, "tx-queue {q:0-7}", "M"),
    Form(PORTS, "uc-tx-queue {q:0-7}", "M"),
    Form((ETHERNET,), "service-profile[ {W}]", "M"),
    Form((ETHERNET,), "dcbx mode", "R"),
    Form((ETHERNET, OTHER), "flowcontrol {send|receive}", "R"),
    Form(QUEUES, "priority", "GTR"),
    Form(QUEUES, "bandwidth percent", "R"),
    Form(QUEUES, "bandwidth guaranteed", "R"),
    Form(QUEUES, "shape rate", "R"),
    Form(QUEUES, "random-detect ecn[ minimum-threshold]", "R"),
    Form(QUEUES, "random-detect drop", "R"),
    Form((GLOBAL,), "queue-monitor length notifying", "G"),
    Form(
        (GLOBAL,),
        "priority-flow-control pause watchdog {action|default timeout|default recovery-time|default polling-interval}",
        "M",
    ),
    Form((VXLAN,), "vxlan qos {REST}", "G"),
    Form((GLOBAL,), "qos rewrite dscp", "M"),
)
