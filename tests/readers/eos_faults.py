"""One mistake each in a sound EOS configuration, and the rules of which one has to tell of it."""

from __future__ import annotations

from typing import NamedTuple

from eos_sound import DOG, GUIDE, LEAF, MIXED, SORTED, SPINE

DOWN = LEAF.replace("watchdog action drop", "watchdog action errdisable")
LOW = LEAF.replace(  # RDMA's queue below a round-robin one
    "   uc-tx-queue 6\n      priority strict\n      shape rate 5 percent",
    "   uc-tx-queue 4\n      no priority\n      bandwidth percent 20",
).replace("bandwidth percent 40", "bandwidth percent 20")
PLAIN = LEAF.replace("   speed 400g-4\n", "").replace("   speed 800g-8\n", "")
BASES = {
    "leaf": LEAF, "spine": SPINE, "mixed": MIXED, "guide": GUIDE, "sorted": SORTED, "down": DOWN, "low": LOW,
    "plain": PLAIN, "old": SPINE.replace("4.33.2F", "4.31.2F"),
}  # fmt: skip


class Fault(NamedTuple):
    """A change of a sound configuration that makes it wrong."""

    name: str
    base: str
    old: str
    new: str
    rules: str  # one of them at least; for what the text cannot show: why not
    every: bool = False  # of all places, not the first

    @property
    def text(self) -> str:
        """The configuration with the mistake."""
        base = BASES[self.base]
        assert self.old in base, self.name
        return base.replace(self.old, self.new, -1 if self.every else 1)


HOST = "   ip address 10.1.5.0/31\n   service-profile HOST\n"
UPLINK = "   ip address 10.2.33.0/31\n   service-profile UPLINK\n"
QUEUE = "   !\n   uc-tx-queue 3\n      {}\n"
PRIO = "   priority-flow-control priority 3 no-drop\n"
ON = "   priority-flow-control on\n"
CURVE = "minimum-threshold 800 kbytes maximum-threshold 2400 kbytes"
MARKING = f"      random-detect ecn {CURVE} max-mark-probability 5 weight 0\n"
RR3 = "      no priority\n      bandwidth percent 60\n"
RR1 = "      no priority\n      bandwidth percent 40\n"
FLOOR = "      bandwidth guaranteed 100\n"
STRICT = "      priority strict\n      shape rate 5 percent\n"
MAP = "qos map dscp 26 to traffic-class 3\n"
CNP = "qos map dscp 48 to traffic-class 6"
TIMEOUT = f"{DOG} default timeout 0.20"
RECOVERY = f"{DOG} default recovery-time 0.40"
POLL = f"{DOG} default polling-interval 0.10"
ACTION = f"{DOG} action drop\n"
WRED = "      random-detect drop minimum-threshold 1 mbytes maximum-threshold 2 mbytes drop-probability 9\n"


def _port(name: str, lines: str, rules: str) -> Fault:
    """Lines below one port, over its profile."""
    return Fault(name, "leaf", HOST, HOST + lines, rules)


def _leaf(name: str, old: str, new: str, rules: str) -> Fault:
    return Fault(name, "leaf", old, new, rules)


PORTS = (
    _leaf("host port without the profile", HOST, "   ip address 10.1.5.0/31\n", "eos-port-bare"),
    _leaf("uplink without the profile", UPLINK, "   ip address 10.2.33.0/31\n", "eos-port-bare"),
    Fault("spine port without the profile", "spine", "10.3.7.0/31\n   service-profile FABRIC\n", "10.3.7.0/31\n",
          "eos-port-bare"),
    _leaf("profile misspelt on a port", HOST, HOST.replace("HOST", "HOTS"), "device-ref"),
    _leaf("profile renamed", "qos profile HOST", "qos profile HOSTS", "device-ref"),
    _leaf("another profile further down", "interface Loopback0\n",
          "interface Ethernet7/1\n   service-profile UPLINK\n!\ninterface Loopback0\n", "device-conflict"),
    _leaf("PFC not on", ON, "", "eos-pfc-half"),
    _leaf("no priority lossless", PRIO, "", "eos-pfc-half"),
    _leaf("priority dropped", PRIO, PRIO.replace("no-drop", "drop"), "eos-pfc-half"),
    _leaf("PFC off everywhere", ACTION, f"{ACTION}priority-flow-control all off\n", "eos-pfc-half"),
    _port("PFC taken back on a port", "   no priority-flow-control\n", "device-conflict"),
    _port("priority taken back on a port", "   no priority-flow-control priority 3\n", "device-conflict"),
    _port("priority dropped on a port", "   priority-flow-control priority 3 drop\n", "device-conflict"),
    _port("second priority on a port", "   priority-flow-control priority 4 no-drop\n", "eos-port-own"),
    _port("trust cos on a port", "   qos trust cos\n", "mix-trust device-conflict"),
    _port("trust nothing on a port", "   no qos trust\n", "mix-trust device-conflict"),
    _port("another share on a port", QUEUE.format("bandwidth percent 30"), "device-conflict"),
    _port("strict on a port", QUEUE.format("priority strict"), "device-conflict ets-rdma-strict"),
    _port("no marking on a port", QUEUE.format("no random-detect ecn"), "device-conflict"),
    _port("shaper on a port", QUEUE.format("shape rate 50 percent"), "eos-port-own ets-shaper"),
    _port("whole port shaped", "   shape rate 50 percent\n", "ets-shaper"),
    _leaf("whole ports shaped by their profile", ON, f"{ON}   shape rate 100000000 kbps\n", "ets-shaper"),
    _port("other thresholds on a port", QUEUE.format(f"random-detect ecn {CURVE.replace('00', '0')}"),
          "device-conflict"),
    _port("marking of CNPs on a port", QUEUE.replace("3", "6").format(f"random-detect ecn {CURVE}"), "eos-port-own"),
    _port("no watchdog on a port", f"   no {DOG}\n", "watchdog-missing"),
    _port("watchdog that notifies on a port", f"   {DOG} port action notify-only\n", "eos-port-own watchdog-action"),
    _port("802.3x received", "   flowcontrol receive on\n", "pfc-global-pause"),
    _port("802.3x sent", "   flowcontrol send on\n", "pfc-global-pause"),
    _port("802.3x as the peer likes", "   flowcontrol receive desired\n", "pfc-global-pause"),
    _leaf("profile on the management port", "   ip address 192.0.2.11/24\n",
          "   ip address 192.0.2.11/24\n   service-profile HOST\n", "pfc-mgmt-port"),
    Fault("LAG member without PFC", "mixed", "   channel-group 1 mode active\n",
          "   channel-group 1 mode active\n   no priority-flow-control\n", "device-conflict pfc-lag"),
    Fault("LAG member without watchdog", "mixed", "   channel-group 1 mode active\n",
          f"   channel-group 1 mode active\n   no {DOG}\n", "pfc-lag"),
    _leaf("PFC on all eight", PRIO, "".join(PRIO.replace("3", str(n)) for n in range(8)), "pfc-all"),
    _leaf("PFC on 4 too", PRIO, PRIO + PRIO.replace("3", "4"), "ecn-missing pfc-count pfc-rdma-only"),
    _leaf("PFC on 6 too", PRIO, PRIO + PRIO.replace("3", "6"), "pfc-control-prio pfc-cnp"),
    _leaf("PFC on 7 too", PRIO, PRIO + PRIO.replace("3", "7"), "pfc-control-prio"),
    _leaf("PFC on 1 too", PRIO, PRIO + PRIO.replace("3", "1"), "pfc-prio0"),
    _leaf("PFC on 4 in one profile", PRIO, PRIO.replace("3", "4"), "ecn-missing pfc-rdma-only"),
    Fault("PFC on 4 on a spine", "spine", PRIO, PRIO.replace("3", "4"), "ecn-missing pfc-rdma-only"),
    _leaf("host port with the uplinks' profile", HOST, HOST.replace("HOST", "UPLINK"),
          "-which ports face hosts is not in the text"),
)  # fmt: skip

WATCHDOG = (
    _leaf("no timeout", f"{TIMEOUT}\n", "", "eos-watchdog-timeout"),
    _leaf("no recovery time", f"{RECOVERY}\n", "", "eos-watchdog-timeout"),
    _leaf("no timers", f"{TIMEOUT}\n{RECOVERY}\n{POLL}\n", "", "eos-watchdog-timeout"),
    _leaf("timeout in milliseconds", TIMEOUT, TIMEOUT.replace("0.20", "200"), "device-value"),
    _leaf("recovery time in milliseconds", RECOVERY, RECOVERY.replace("0.40", "400"), "device-value"),
    _leaf("poll in milliseconds", POLL, POLL.replace("0.10", "100"), "device-value"),
    _leaf("timeout of 5 ms", TIMEOUT, TIMEOUT.replace("0.20", "0.005"), "device-value"),
    _leaf("timeout with three decimals", TIMEOUT, TIMEOUT.replace("0.20", "0.205"), "device-value"),
    _leaf("timeout no multiple of polls", TIMEOUT, TIMEOUT.replace("0.20", "0.25"), "watchdog-multiple"),
    _leaf("poll above half", POLL, POLL.replace("0.10", "0.15"), "watchdog-poll-eos"),
    _leaf("poll above the timeout", POLL, POLL.replace("0.10", "0.30"), "watchdog-poll"),
    _leaf("timeout of 50 ms", TIMEOUT, TIMEOUT.replace("0.20", "0.05"), "watchdog-fast watchdog-poll"),
    _leaf("timeout of 5 s", TIMEOUT, TIMEOUT.replace("0.20", "5"), "watchdog-slow"),
    _leaf("recovery below the timeout", RECOVERY, RECOVERY.replace("0.40", "0.10"), "watchdog-restore"),
    _leaf("it only notifies", ACTION, ACTION.replace("drop", "notify-only"), "watchdog-action"),
    Fault("errdisable, and nothing recovers", "down", "errdisable recovery cause stuck-queue\n", "",
          "eos-watchdog-errdisable"),
    _leaf("action no-drop", ACTION, ACTION.replace("drop", "no-drop"), "device-unknown"),
    _leaf("action forward", ACTION, ACTION.replace("drop", "forward"), "device-unknown"),
    _leaf("no watchdog in a profile", PRIO, f"{PRIO}   no {DOG}\n", "watchdog-missing"),
    _leaf("port timer in milliseconds", "timer timeout 0.40", "timer timeout 400", "device-value"),
    _leaf("port timer polls above half", "0.40 polling-interval 0.10", "0.40 polling-interval 0.30",
          "watchdog-poll-eos"),
    _leaf("port timer without poll", " polling-interval 0.10 recovery-time", " recovery-time", "device-unknown"),
    _leaf("port timer of a minute", "timer timeout 0.40", "timer timeout 60", "watchdog-slow"),
    _leaf("queue without a guarantee", FLOOR, "", "watchdog-guarantee-eos"),
    Fault("queue without a guarantee on a spine", "spine", FLOOR, "", "watchdog-guarantee-eos"),
    _leaf("as other systems say it", TIMEOUT, "priority-flow-control watchdog timeout 200", "device-unknown"),
    _leaf("uplinks act before hosts", "0.40 polling-interval 0.10 recovery-time 0.80",
          "0.10 polling-interval 0.05 recovery-time 0.20",
          "-which ports face hosts is not in the text"),
)  # fmt: skip

QUEUES = (
    _leaf("RDMA strict by silence", RR3, "      bandwidth percent 60\n", "ets-rdma-strict"),
    Fault("RDMA strict by silence on a spine", "spine", RR3, "      bandwidth percent 60\n", "ets-rdma-strict"),
    _leaf("RDMA strict by silence, without a share", RR3, "", "ets-rdma-strict"),
    _leaf("RDMA strict", RR3, "      priority strict\n", "ets-rdma-strict"),
    Fault("RDMA strict below round robin", "low", RR3, "      priority strict\n", "ets-rdma-strict eos-strict-below"),
    Fault("RDMA strict by silence below round robin", "low", RR3, "      bandwidth percent 60\n", "eos-strict-below"),
    _leaf("best effort strict", RR1, "      priority strict\n", "eos-strict-below"),
    _leaf("best effort strict by silence", RR1, "      bandwidth percent 40\n", "eos-strict-below"),
    _leaf("shares of 130 %", "bandwidth percent 60", "bandwidth percent 90", "ets-sum"),
    _leaf("best effort has 90 %", RR1, RR1.replace("40", "90"), "ets-sum"),
    _leaf("RDMA has a tenth", f"{RR1}   !\n   uc-tx-queue 3\n{RR3}",
          f"{RR1.replace('40', '90')}   !\n   uc-tx-queue 3\n{RR3.replace('60', '10')}",
          "-how much of a link RDMA is to have is not in the text"),
    _leaf("share of 0", "bandwidth percent 60", "bandwidth percent 0", "device-value"),
    _leaf("share of 160", "bandwidth percent 60", "bandwidth percent 160", "device-value"),
    _leaf("share in words of NX-OS", "bandwidth percent 60", "bandwidth remaining percent 60", "device-unknown"),
    _leaf("RDMA shaped", FLOOR, f"{FLOOR}      shape rate 50 percent\n", "ets-shaper"),
    _leaf("RDMA shaped in kbit/s", FLOOR, f"{FLOOR}      shape rate 100000\n", "ets-shaper"),
    _leaf("CNPs capped at 5 kbit/s", "shape rate 5 percent", "shape rate 5", "eos-unit"),
    _leaf("queue for multicast in place of RDMA's", "   uc-tx-queue 3\n", "   mc-tx-queue 3\n",
          "ecn-missing ets-rdma-strict"),
    Fault("queue of the other family", "spine", "   tx-queue 3\n", "   uc-tx-queue 3\n", "device-unknown"),
    _leaf("queue 8", "   uc-tx-queue 3\n", "   uc-tx-queue 8\n", "device-value"),
    _leaf("queue by name", "   uc-tx-queue 3\n", "   uc-tx-queue three\n", "device-unknown"),
    Fault("queue 7 on an old release", "old", "   tx-queue 6\n",
          "   tx-queue 7\n      no priority\n   !\n   tx-queue 6\n", "device-unknown"),
    _leaf("control's queue takes its turn", "   uc-tx-queue 6\n",
          "   uc-tx-queue 7\n      no priority\n      bandwidth percent 5\n   !\n   uc-tx-queue 6\n", "ets-sum"),
    _leaf("shares of 90 %", "bandwidth percent 60", "bandwidth percent 50",
          "-shares are weights of what strict queues leave: they need not come to 100"),
    _leaf("RDMA without a share", RR3, "      no priority\n",
          "-what a round-robin queue without a share gets is not published"),
    _leaf("CNPs take their turn", STRICT, "      no priority\n",
          "-which DSCP CNPs have is the NICs' matter, and a customer's profile that is public has it so"),
)  # fmt: skip

MARKS = (
    _leaf("no marking", MARKING, "", "ecn-missing"),
    Fault("no marking on a spine", "spine", MARKING, "", "ecn-missing"),
    _leaf("bytes for kbytes", CURVE, CURVE.replace("kbytes", "bytes"), "eos-unit"),
    Fault("bytes for kbytes on a spine", "spine", CURVE, CURVE.replace("kbytes", "bytes"), "eos-unit"),
    Fault("bytes for kbytes, speeds not said", "plain", CURVE, CURVE.replace("kbytes", "bytes"), "eos-unit"),
    _leaf("mbytes for kbytes", CURVE, CURVE.replace("kbytes", "mbytes"), "ecn-before-pfc"),
    Fault("mbytes for kbytes, speeds not said", "plain", CURVE, CURVE.replace("kbytes", "mbytes"), "ecn-before-pfc"),
    _leaf("two units", CURVE, CURVE.replace("2400 kbytes", "2400000 bytes"), "eos-unit"),
    _leaf("minimum above maximum", CURVE, CURVE.replace("800", "3800"), "ecn-order"),
    _leaf("minimum and maximum equal", CURVE, CURVE.replace("2400", "800"), "ecn-step"),
    _leaf("probability 0", "max-mark-probability 5", "max-mark-probability 0", "device-value"),
    _leaf("probability 101", "max-mark-probability 5", "max-mark-probability 101", "device-value"),
    _leaf("two curves of one queue", MARKING, MARKING + MARKING.replace("00 kbytes", "0 kbytes"), "device-conflict"),
    _leaf("averaged", "weight 0", "weight 9", "ecn-weight"),
    _leaf("weight 16", "weight 0", "weight 16", "device-value"),
    _leaf("no unit", CURVE, CURVE.replace(" kbytes", ""), "device-unknown"),
    _leaf("unit glued to the number", CURVE, CURVE.replace(" kbytes", "KB"), "device-unknown"),
    _leaf("unit at the end", CURVE, CURVE.replace(" kbytes", "") + " units kbytes", "device-unknown"),
    _leaf("unit misspelt", CURVE, CURVE.replace("kbytes", "kbyte"), "device-unknown"),
    Fault("segments on Jericho", "spine", CURVE, CURVE.replace("kbytes", "segments"), "device-unknown"),
    _leaf("time on Tomahawk", CURVE, "minimum-threshold 8 microseconds maximum-threshold 16 microseconds",
          "device-unknown"),
    _leaf("WRED on RDMA", MARKING, MARKING + WRED, "ecn-red-drop"),
    _leaf("marking on another queue", f"   !\n   uc-tx-queue 3\n{RR3}{FLOOR}{MARKING}",
          f"{MARKING}   !\n   uc-tx-queue 3\n{RR3}{FLOOR}", "ecn-missing"),
    _leaf("maximum of 60 MB", CURVE, CURVE.replace("2400", "60000"), "ecn-before-pfc"),
    Fault("marks not counted", "guide", "      random-detect ecn count\n", "", "eos-ecn-count", every=True),
    Fault("counter feature missing", "spine", "hardware counter feature ecn out\n!\n", "", "eos-ecn-count"),
    _leaf("as NX-OS says it", MARKING, f"      random-detect {CURVE} drop-probability 5 weight 0 ecn\n",
          "device-unknown"),
    _leaf("minimum of 5 KB", CURVE, CURVE.replace("800", "5"), "-how low is too low takes the round trip"),
    _leaf("marking of CNPs", STRICT, f"{STRICT}      random-detect ecn {CURVE}\n",
          "-CNPs are no ECN-capable packets: nothing comes of it"),
)  # fmt: skip

MAPS = (
    _leaf("RDMA into TC 1", MAP, MAP.replace("class 3", "class 1"), "pfc-rdma-only"),
    _leaf("RDMA into TC 4", MAP, MAP.replace("class 3", "class 4"), "pfc-rdma-only"),
    _leaf("nothing said of 24 to 31", "qos map dscp 24 25 27 28 29 30 31 to traffic-class 1\n", "", "eos-default-map"),
    _leaf("DSCP 0 into the lossless class", MAP, MAP.replace("26", "0 26"), "pfc-prio0"),
    _leaf("DSCP 48 into the lossless class", CNP, CNP.replace("class 6", "class 3"), "pfc-cnp"),
    _leaf("CNPs into best effort", CNP, CNP.replace("class 6", "class 1"), "mix-cnp"),
    _leaf("voice into the lossless class", MAP, MAP.replace("26", "26 46"), "mix-into-lossless"),
    Fault("storage into the lossless class", "mixed", "dscp 18 20 to traffic-class 2", "dscp 18 20 to traffic-class 3",
          "mix-into-lossless"),
    _leaf("lossless class in another queue", MAP, f"{MAP}qos map traffic-class 3 to uc-tx-queue 4\n", "mix-tc-chain"),
    _leaf("best effort in RDMA's queue", MAP, f"{MAP}qos map traffic-class 1 to uc-tx-queue 3\n", "mix-class-shared"),
    _leaf("CNPs in RDMA's queue", MAP, f"{MAP}qos map traffic-class 6 to uc-tx-queue 3\n", "mix-class-shared"),
    _leaf("map the wrong way", MAP, f"{MAP}qos map traffic-class 3 to dscp 26\n", "eos-map-direction"),
    _leaf("RDMA rewritten", MAP, f"{MAP}qos rewrite dscp\nqos map traffic-class 3 to dscp 24\n", "mix-remark"),
    _leaf("DSCP 64", MAP, MAP.replace("26", "26 64"), "device-value"),
    _leaf("traffic class 8", MAP, MAP.replace("class 3", "class 8"), "device-value"),
    _leaf("map without to", MAP, "qos map dscp 26 traffic-class 3\n", "device-unknown"),
    _leaf("map that leads nowhere", MAP, "qos map dscp 26\n", "device-unknown"),
    _leaf("map to tc", MAP, "qos map dscp 26 to tc 3\n", "device-unknown"),
    _leaf("map to a queue", MAP, "qos map dscp 26 to queue 3\n", "device-unknown"),
    _leaf("two maps of one code point", MAP, f"{MAP}qos map dscp 26 to traffic-class 1\n", "pfc-rdma-only"),
    _leaf("another code point mapped once more", MAP, f"{MAP}qos map dscp 24 to traffic-class 3\n", "device-conflict"),
    _leaf("control's class in another queue", MAP, f"{MAP}qos map traffic-class 7 to uc-tx-queue 1\n", "mix-tc-chain"),
    _leaf("best effort in control's queue", MAP, f"{MAP}qos map traffic-class 1 to uc-tx-queue 7\n", "mix-tc-chain"),
)  # fmt: skip

LINKS = (
    _leaf("trust cos in a profile", "   qos trust dscp\n", "   qos trust cos\n", "mix-trust"),
    Fault("trust not said on switched ports", "mixed", "   qos trust dscp\n", "", "mix-trust pfc-vlan-l3"),
    Fault("trust cos on a LAG", "mixed", "access vlan 100\n", "access vlan 100\n   qos trust cos\n",
          "mix-trust pfc-vlan-l3 device-conflict"),
    _leaf("MTU 1500 on a port", "nic0\n   mtu 9214", "nic0\n   mtu 1500", "rdma-mtu"),
    _leaf("no MTU on a port", "nic0\n   mtu 9214\n", "nic0\n", "rdma-mtu"),
    _leaf("MTU 4000 on a port", "nic0\n   mtu 9214", "nic0\n   mtu 4000", "rdma-mtu"),
    _leaf("MTU 9216", "nic0\n   mtu 9214", "nic0\n   mtu 9216", "schema-nos-range"),
    _leaf("fire-code at 400G", "encoding reed-solomon", "encoding fire-code", "eos-fec"),
    _leaf("FEC off at 400G", "   error-correction encoding reed-solomon", "   no error-correction encoding", "eos-fec"),
    _leaf("speed without unit", "   speed 400g-4\n", "   speed 400\n", "device-value"),
    _leaf("speed in Mbit/s", "   speed 400g-4\n", "   speed 400000\n", "device-value"),
    _leaf("speed that is none", "   speed 400g-4\n", "   speed 450g-4\n", "device-value"),
    Fault("tunnel without ECN", "mixed", "   vxlan qos ecn propagation\n", "", "mix-tunnel"),
    Fault("MTU 1500 on a LAG", "mixed", "host01\n   mtu 9214", "host01\n   mtu 1500", "device-conflict rdma-mtu"),
    Fault("another profile on a LAG", "mixed", "access vlan 100\n   service-profile RDMA",
          "access vlan 100\n   service-profile RDMAS", "device-ref"),
    Fault("LAG member of another speed", "mixed", "   speed 400g-8\n", "   speed 100g-2\n", "device-conflict"),
    _leaf("DCBX for the whole switch", "ip routing\n", "ip routing\ndcbx mode ieee\n", "device-unknown"),
)  # fmt: skip

BUFFERS = (
    Fault("MMU profile not applied", "mixed", "platform trident mmu queue profile LOSSLESS apply\n", "",
          "device-unbound"),
    Fault("another MMU profile applied", "mixed", "LOSSLESS apply", "LOSSLES apply", "device-ref"),
    Fault("headroom of 1000 bytes", "mixed", "headroom bytes 190000", "headroom bytes 1000", "buffer-headroom"),
    Fault("headroom pool of 100 KB", "mixed", "limit bytes 20000000", "limit bytes 100000", "buffer-pool"),
    Fault("alpha 1/128", "mixed", "ingress threshold 1/4", "ingress threshold 1/128", "buffer-alpha"),
    Fault("alpha 1/128 of the group", "mixed", "group 3 threshold 1/4", "group 3 threshold 1/128",
          "buffer-alpha ecn-before-pfc"),
    Fault("alpha 3/4", "mixed", "ingress threshold 1/4", "ingress threshold 3/4", "device-unknown"),
    Fault("priority group 9", "mixed", "priority-group 3", "priority-group 9", "device-value"),
    Fault("RDMA's queue held short", "mixed", "    ingress priority-group 3",
          "    egress unicast queue 3 threshold 1/8\n    ingress priority-group 3", "buffer-egress-drop"),
    Fault("MMU profile on Jericho", "spine", "ip routing\n",
          "ip routing\nplatform trident mmu queue profile X\n    ingress threshold 1/4\n!\n", "device-unknown"),
    Fault("fabric buffering on Tomahawk", "leaf", "ip routing\n",
          "ip routing\nplatform fap buffering egress profile unicast\n", "device-unknown"),
)  # fmt: skip

POLICIES = (
    _port("policy-map that is none", "   service-policy type qos input NONE\n", "device-ref"),
    Fault("UDP 4791 into TC 1", "sorted", "set traffic-class 3", "set traffic-class 1", "mix-rdma-acl"),
    Fault("TCP 4791", "sorted", "permit udp", "permit tcp", "mix-rdma-acl"),
    Fault("4791 as the source port", "sorted", "any any eq 4791", "any eq 4791 any", "mix-rdma-acl"),
    Fault("port 4719", "sorted", "eq 4791", "eq 4719", "mix-rdma-acl"),
    Fault("RoCEv2 denied", "sorted", "permit udp", "deny udp", "mix-rdma-acl"),
    Fault("all the rest into TC 3", "sorted", "      set traffic-class 1\n", "      set traffic-class 3\n",
          "mix-rdma-acl"),
    Fault("all UDP into TC 3", "sorted", "udp any any eq 4791", "udp any any", "mix-rdma-acl"),
    Fault("RDMA rewritten by the policy", "sorted", "set traffic-class 3\n",
          "set traffic-class 3\n      set dscp 0\n", "mix-rdma-acl"),
    Fault("class-map that is none", "sorted", "   class ROCE\n", "   class ROCEE\n", "device-ref"),
    Fault("access list that is none", "sorted", "ip access-list ROCE\n", "ip access-list ROCEE\n", "device-ref"),
    _leaf("access list that denies RoCEv2", HOST,
          f"{HOST}   ip access-group EDGE in\n!\nip access-list EDGE\n   10 deny udp any any eq 4791\n"
          "   20 permit ip any any\n", "mix-rdma-acl"),
    _leaf("access list that permits TCP alone", HOST,
          f"{HOST}   ip access-group EDGE in\n!\nip access-list EDGE\n   10 permit tcp any any\n", "mix-rdma-acl"),
    Fault("RoCEv2 policed", "sorted", "set traffic-class 3\n",
          "set traffic-class 3\n      police rate 1 gbps burst-size 1 mbytes\n", "mix-rdma-acl"),
    Fault("control into TC 3", "sorted", "   match ip access-group ROCE\n",
          "   match ip access-group ROCE\n   match dscp 48\n", "mix-rdma-acl"),
    Fault("RoCEv2 of one address", "sorted", "udp any any", "udp any host 10.0.0.1", "device-unread"),
    Fault("type of policy misspelt", "sorted", "type quality-of-service", "type quality-of-servce", "device-unknown"),
    Fault("one port without the policy", "sorted", "   service-policy type qos input ROCE-IN\n", "", "mix-rdma-acl"),
)  # fmt: skip

WORDS = (
    _leaf("mode on", ON, "   priority-flow-control mode on\n", "device-unknown"),
    _leaf("priority without no-drop", PRIO, "   priority-flow-control priority 3\n", "device-unknown"),
    _leaf("priority 8", PRIO, "   priority-flow-control priority 8 no-drop\n", "device-value"),
    _leaf("priority enabled", PRIO, "   priority-flow-control priority 3 enable\n", "device-unknown"),
    _leaf("no-drop misspelt", PRIO, PRIO.replace("no-drop", "no-dorp"), "device-unknown"),
    _leaf("PFC misspelt", ON, "   prority-flow-control on\n", "device-unknown"),
    _leaf("PFC of another system", ON, "   pfc on\n", "device-unknown"),
    _leaf("service-profile misspelt", HOST, HOST.replace("profile", "profle"), "device-unknown"),
    _leaf("interface misspelt", "interface Ethernet5/1", "interfce Ethernet5/1", "device-unknown"),
    _leaf("range of another system", "interface Ethernet5/1", "interface range Ethernet5/1-2", "device-unknown"),
    _leaf("profile with a hyphen", "qos profile HOST", "qos-profile HOST", "device-unknown"),
    _leaf("profile of two words", "qos profile HOST\n", "qos profile HOST LEAF\n", "device-unknown"),
    _leaf("trust pcp", "   qos trust dscp\n", "   qos trust pcp\n", "device-unknown"),
    _leaf("queue misspelt", "   uc-tx-queue 3\n", "   uc-txqueue 3\n", "device-unknown"),
    _leaf("queue lines on one line", f"   uc-tx-queue 3\n{RR3}", "   uc-tx-queue 3 bandwidth percent 60\n",
          "device-unknown"),
)  # fmt: skip

FAULTS = (*PORTS, *WATCHDOG, *QUEUES, *MARKS, *MAPS, *LINKS, *BUFFERS, *POLICIES, *WORDS)
