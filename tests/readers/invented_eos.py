"""Lines that public generators, guides and language models write for EOS, and that it does not have.

Shapes were seen in public repositories and guides; numbers and names are exchanged. Each with the mode it is written
in, and what EOS has instead, which the finding must say.
"""

from __future__ import annotations

PFC = "priority-flow-control on"
NO_DROP = "priority-flow-control priority N no-drop"
DOG = "priority-flow-control pause watchdog"
DOG_TIME = f"{DOG} default timeout 0.20"
ECN = "random-detect ecn minimum-threshold N kbytes maximum-threshold N kbytes"
SHARE = "bandwidth percent N"
STRICT = "priority strict"
TO_CLASS = "qos map dscp N to traffic-class N"
TO_QUEUE = "qos map traffic-class N to tx-queue N"
PROFILE = "service-profile NAME"
TRUST = "qos trust dscp"
MMU = "platform trident mmu queue profile NAME"

INVENTED: dict[str, tuple[tuple[str, str, str], ...]] = {
    "PFC is turned on by a word of its own": (
        ("global", "pfc enable", PFC),
        ("port", "pfc mode on", PFC),
        ("global", "qos pfc enable", PFC),
        ("port", "rdma enable", PFC),
        ("global", "roce enable", PFC),
        ("port", "roce mode lossless", PFC),
    ),
    "PFC is enabled": (("port", "priority-flow-control enable", PFC), ("profile", "priority-flow-control auto", PFC)),
    "PFC has a mode": (
        ("port", "priority-flow-control mode on", PFC),
        ("profile", "priority-flow-control mode auto", PFC),
    ),
    "a priority is enabled": (
        ("port", "priority-flow-control priority 3 enable", NO_DROP),
        ("port", "priority-flow-control priority 3 lossless", NO_DROP),
        ("port", "pfc priority 3 lossless", NO_DROP),
        ("port", "pfc priority 3", NO_DROP),
    ),
    "a priority is called lossless": (
        ("profile", "lossless priority 3", NO_DROP),
        ("global", "lossless priority 3", NO_DROP),
        ("profile", "no-drop priority 3", NO_DROP),
        ("global", "no-drop priority 3", NO_DROP),
        ("profile", "priority 3 no-drop", NO_DROP),
        ("port", "priority 3 no-drop", NO_DROP),
        ("global", "traffic-class 3 no-drop", NO_DROP),
    ),
    "a queue is called lossless": (
        ("queue", "lossless", NO_DROP),
        ("queue", "no-drop", NO_DROP),
        ("port", "queue 3 lossless", NO_DROP),
        ("queue", "pfc enable", NO_DROP),
    ),
    "802.3x takes priorities": (("port", "flowcontrol pfc", PFC), ("port", "flowcontrol priority 3", PFC)),
    "a watchdog without pause": (
        ("port", "priority-flow-control watchdog", DOG),
        ("port", "priority-flow-control watchdog action errdisable", DOG),
        ("global", "priority-flow-control watchdog polling-interval 10 ms", DOG),
        ("global", "pfc watchdog enable", DOG),
        ("global", "pfc-watchdog timeout 200", DOG),
        ("global", "watchdog pfc timeout 200", DOG),
    ),
    "a watchdog with a timer": (
        ("global", "priority-flow-control pause watchdog default action drop timer 200 milliseconds", DOG_TIME),
        ("global", "priority-flow-control pause watchdog timer 200 ms", DOG_TIME),
        ("global", "priority-flow-control pause watchdog detection-time 200", DOG_TIME),
    ),
    "a watchdog that forwards": (
        ("global", "priority-flow-control pause watchdog action forward", f"{DOG} action drop"),
    ),
    "ECN is enabled": (
        ("queue", "ecn enable", ECN),
        ("queue", "ecn", ECN),
        ("profile", "ecn enable", ECN),
        ("global", "qos ecn enable", ECN),
        ("queue", "random-detect ecn", ECN),
        ("queue", "random-detect ecn enable", ECN),
    ),
    "thresholds of ECN without its command": (
        ("queue", "ecn threshold 400", ECN),
        ("queue", "ecn minimum-threshold 400 maximum-threshold 1600", ECN),
        ("queue", "random-detect minimum-threshold 150 kbytes maximum-threshold 1500 kbytes", ECN),
    ),
    "thresholds without their words": (
        ("queue", "random-detect ecn minimum 400 maximum 1600", ECN),
        ("queue", "random-detect ecn min 400 kbytes max 1600 kbytes", ECN),
        ("queue", "random-detect ecn min-threshold 150 max-threshold 1500", ECN),
        ("queue", "random-detect ecn threshold 150 kbytes", ECN),
        ("queue", "random-detect ecn 150 1500", ECN),
    ),
    "thresholds without a unit": (
        ("queue", "random-detect ecn minimum-threshold 50000 maximum-threshold 100000 drop-probability 0", ECN),
        ("queue", "random-detect ecn minimum-threshold 150KB maximum-threshold 1500KB", ECN),
    ),
    "WRED by other names": (
        ("queue", "wred ecn", ECN),
        ("global", "wred ecn-profile rdma", ECN),
        ("global", "qos wred profile rdma", ECN),
        ("port", "wred queue 3 ecn", ECN),
    ),
    "code points to queues": (
        ("global", "qos map dscp 26 to queue 3", TO_CLASS),
        ("global", "qos map dscp 26 traffic-class 3", TO_CLASS),
        ("global", "qos map tc 3 queue 3", TO_QUEUE),
        ("global", "qos map traffic-class 3 to queue 3", TO_QUEUE),
    ),
    "maps by other names": (
        ("global", "qos dscp 26 to traffic-class 3", TO_CLASS),
        ("global", "qos map dscp-to-tc 26 3", TO_CLASS),
        ("global", "qos-map dscp-tc roce", TO_CLASS),
        ("profile", "dscp 26 traffic-class 3", TO_CLASS),
        ("profile", "dscp 26 to traffic-class 3", TO_CLASS),
    ),
    "trust without qos": (
        ("profile", "trust dscp", TRUST),
        ("port", "trust dscp", TRUST),
        ("port", "mls qos trust dscp", TRUST),
    ),
    "QoS is turned on": (
        ("global", "qos enable", TRUST),
        ("global", "mls qos", TRUST),
    ),
    "policies of NX-OS": (
        ("global", "policy-map type tx-queue ROCE", PROFILE),
        ("global", "policy-map type queuing ROCE", PROFILE),
        ("global", "class-map type network-qos ROCE", PROFILE),
        ("port", "service-policy type tx-queue output ROCE", PROFILE),
    ),
    "queues by other names": (
        ("profile", "queue 3 priority strict", "tx-queue N"),
        ("port", "queue 3 bandwidth 50", "tx-queue N"),
        ("profile", "tx-queue 3 bandwidth percent 50", "tx-queue N"),
    ),
    "shares by other names": (
        ("queue", "bandwidth 50", SHARE),
        ("queue", "bandwidth remaining percent 50", SHARE),
        ("queue", "dwrr weight 50", SHARE),
        ("queue", "wrr 50", SHARE),
        ("queue", "weight 50", SHARE),
        ("queue", "scheduler dwrr weight 50", SHARE),
    ),
    "strict by other names": (
        ("queue", "priority level 1", STRICT),
        ("queue", "strict-priority", STRICT),
        ("queue", "strict", STRICT),
        ("queue", "scheduler strict", STRICT),
    ),
    "buffers and headroom": (
        ("port", "buffer headroom 100", MMU),
        ("global", "hardware buffer pfc 3", MMU),
        ("global", "buffer-profile lossless", MMU),
        ("global", "qos buffer-profile lossless", MMU),
        ("global", "qos headroom 100", MMU),
        ("port", "headroom 3 100", MMU),
        ("queue", "queue-limit 100", MMU),
        ("queue", "buffer 100", MMU),
    ),
    "a profile is attached by its own words": (
        ("port", "qos-profile ROCE", "qos profile NAME"),
        ("port", "service-profile qos ROCE", "service-profile"),
    ),
    "ranges": (("global", "interface range Ethernet1-32", "interface Ethernet1/1-4/1"),),
}


def configuration(mode: str, line: str) -> str:
    """A switch that has the line in that mode, and nothing else wrong that matters."""
    globals_ = f"{line}\n!\n" if mode == "global" else ""
    in_profile = f"   {line}\n" if mode == "profile" else ""
    in_queue = f"      {line}\n" if mode == "queue" else ""
    in_port = f"   {line}\n" if mode == "port" else ""
    return (
        "! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)\nhostname leaf01\n!\n"
        f"{globals_}qos profile ROCE\n   qos trust dscp\n   priority-flow-control on\n"
        f"   priority-flow-control priority 3 no-drop\n{in_profile}   !\n   tx-queue 3\n      no priority\n"
        f"      bandwidth percent 50\n{in_queue}!\n"
        f"interface Ethernet1/1\n   speed 400g-4\n   service-profile ROCE\n{in_port}!\nend\n"
    )
