"""What to type on a switch with EOS for each rule that can fire on its configuration: rule -> fix.

Commands stand in backquotes, each of them one line. N, MIN, MAX, P and NAME stand for numbers and names of the switch's
own; what is said of a queue is typed below `tx-queue N` or `uc-tx-queue N` of its `qos profile`, or of the port.
"""

from __future__ import annotations

_PFC = "priority-flow-control"
_DOG = f"{_PFC} pause watchdog"
_TIMES = f"`{_DOG} default timeout 0.20`, `{_DOG} default recovery-time 0.40`, `{_DOG} default polling-interval 0.10`"
_OFF = f"`no {_PFC} priority N`"
_MAP = "`qos map dscp N to traffic-class N`"
_CURVE = "`random-detect ecn minimum-threshold MIN kbytes maximum-threshold MAX kbytes max-mark-probability P weight 0`"
_ECN = f"below the queue {_CURVE}"
_MOVE = f"lead its code points to another traffic class: {_MAP}"
_POOL = "`platform trident mmu headroom-pool limit bytes N`"
_ROOM = "below the MMU queue profile in force `ingress headroom bytes N`"
_ALPHA = "below the MMU queue profile in force `ingress threshold 1`"
_COUNTER = "on Jericho switches also `hardware counter feature ecn out`"

FIXES: dict[str, str] = {
    # -- ports and releases
    "schema-port-speed": "correct the speed: `speed 400g-8`, as many gigabits and lanes as the port has",
    "nos-release-unknown": "nothing to type: look at what the release changed, and update rocecfg once it knows it",
    "device-port": "correct the name, or remove its settings; if the box is another one, correct its model",
    "schema-nos-range": "write a value that EOS takes; `show running-config` shows what it kept",
    # -- PFC
    "pfc-missing-rdma": f"`{_PFC} on` and `{_PFC} priority N no-drop`",
    "pfc-rdma-only:unreached": "`qos map dscp N to traffic-class TC` with RDMA's code points; if no RDMA uses it, "
    f"{_OFF}",
    "pfc-rdma-only": f"{_OFF} where no RDMA uses it",
    "pfc-count": f"{_OFF} for all but the priorities that RDMA uses, two at most",
    "pfc-all": f"{_OFF} for all but the priority that RDMA uses",
    "pfc-global-pause": "`flowcontrol send off` and `flowcontrol receive off` below the interface",
    "pfc-control-prio": f"{_OFF}; control traffic keeps priorities 6 and 7",
    "pfc-cnp": "`qos map dscp 48 to traffic-class TC`, one whose priority has no PFC",
    "pfc-prio0": f"{_OFF} for the priority of unmarked packets, and {_MAP} for what they carry",
    "pfc-prio0:unmarked": "`qos map dscp 0 to traffic-class TC`, one whose priority has no PFC",
    "pfc-mgmt-port": f"`no {_PFC}` below the interface",
    "pfc-edge": f"`no {_PFC}` below the interface",
    "pfc-vlan-l3": "`qos trust dscp` below the interface or in its profile, and have the senders mark DSCP",
    "pfc-dcbx": "`no dcbx mode` below the interface",
    "pfc-macsec": "agree with the far end whether PFC frames are encrypted",
    "pfc-one-way": f"`{_PFC} on` and `{_PFC} priority N no-drop` at both ends",
    "pfc-bare-port": "`service-profile NAME` below the interface, the profile of the other ports",
    "pfc-odd-port": "set what the message names as the other ports have it",
    "pfc-lag": "give all members one profile: `service-profile NAME`",
    # -- watchdog
    "watchdog-missing": f"`{_DOG}`, and for all ports {_TIMES}, `{_DOG} action drop`",
    "watchdog-host": f"`{_DOG}` below these interfaces or in their profile",
    "watchdog-priorities": "EOS watches all no-drop priorities of a port",
    "watchdog-poll": f"{_TIMES}",
    "watchdog-poll-eos": f"`{_DOG} default polling-interval N`: at most half of the shorter time, in seconds",
    "watchdog-multiple": f"{_TIMES}: times that are multiples of the polling interval",
    "watchdog-fast": f"{_TIMES}",
    "watchdog-slow": f"{_TIMES}",
    "watchdog-restore": f"`{_DOG} default recovery-time N`: twice the timeout, in seconds",
    "watchdog-action": f"`{_DOG} action drop`, or below single ports `{_DOG} port action drop`",
    "watchdog-guarantee-eos": "below the queue `bandwidth guaranteed 100` (kbit/s), if the switch accepts it",
    "watchdog-counter-poll": "see `show priority-flow-control status`",
    "eos-watchdog-timeout": _TIMES,
    "eos-watchdog-errdisable": f"`{_DOG} action drop`, or `errdisable recovery cause stuck-queue`",
    # -- ECN
    "ecn-missing": _ECN,
    "ecn-order": f"{_ECN}, MIN below MAX",
    "ecn-step": f"{_ECN}, MAX above MIN, so that marking rises with the queue",
    "ecn-pmax": f"{_ECN}; P is 1 to 100, 5 is a common start",
    "ecn-queue": "below the queue `no random-detect ecn`",
    "ecn-weight": f"{_ECN}: weight 0 marks on the queue as it is",
    "ecn-before-pfc": f"{_ECN}, with lower thresholds",
    "ecn-vendor-default": f"{_ECN}, with thresholds for the speed of these ports",
    "ecn-below-packet": f"{_ECN}, MIN and MAX with the intended unit",
    "ecn-low": f"{_ECN}, with a higher MIN",
    "ecn-scale": f"{_ECN}, with thresholds for the speed of these ports",
    "ecn-delay": f"{_ECN}, with a lower MAX",
    "ecn-fixed-point": f"{_ECN}, with a higher P",
    "ecn-color": _ECN,
    "ecn-cell": "write thresholds that are whole cells, or count in segments",
    "ecn-deep": f"{_ECN}; for virtual output queues at most what a port sends within the tolerated delay",
    "ecn-long-rtt": f"{_ECN}, with MAX further above MIN",
    "ecn-static-xoff": f"{_ECN}, with MAX below what the priority group may hold",
    "ecn-red-drop": "below the queue `no random-detect drop`",
    "eos-ecn-count": f"below the queue `random-detect ecn count`; {_COUNTER}",
    # -- classes
    "mix-map-total": f"{_MAP} for each code point",
    "mix-into-lossless": _MOVE,
    "mix-class-shared": _MOVE,
    "mix-lossless-dscp": f"what is not RDMA's: {_MOVE}",
    "mix-dscp-dup": f"{_MAP} once for each code point",
    "mix-tc-chain": "`qos map traffic-class N to tx-queue N`: EOS pauses the queue of the priority's number",
    "mix-pg-shared": _MOVE,
    "mix-trust": "`qos trust dscp` below the interface or in its profile",
    "mix-cnp": _MOVE,
    "mix-storage-roce": _MOVE,
    "mix-cnp-control": f"{_MOVE}; or below the queue `shape rate 5 percent`",
    "mix-k8s": _MOVE,
    "mix-mcast": _MOVE,
    "rdma-mtu": "`mtu 9214` below the interface",
    "mix-remark": (
        "`qos map traffic-class N to dscp N` with the code point that RDMA has, or `no qos rewrite dscp` (no source "
        "was found for it: check that EOS accepts it)"
    ),
    "mix-tunnel": "below `interface Vxlan1` write `vxlan qos ecn propagation`",
    # -- scheduling
    "ets-sum": "below the queues `bandwidth percent N`, 100 in all",
    "ets-rdma-strict": "below the queue `no priority` and `bandwidth percent N`",
    "ets-cnp": "below the queue `priority strict`",
    "ets-zero": "below the queue `bandwidth percent N`",
    "ets-control": _MOVE,
    "ets-port-share": "below the queue `bandwidth percent N`, as on the other ports",
    "ets-rdma-share": "below the queue `bandwidth percent N`, 50 or more",
    "ets-cnp-cap": "below the queue `shape rate 5 percent`",
    "ets-shaper": "below the queue `no shape rate`",
    "ets-unused": "below the queue `no bandwidth percent`",
    # -- links and roles
    "link-pfc": "at both ends `priority-flow-control priority N no-drop` for the same priorities",
    "link-wd": f"`{_DOG}` below the interface or in its profile",
    "link-ecn": _ECN,
    "link-mtu": "`mtu 9214` below the interface, as at the other end",
    "link-speed": "the speed of the other end below the interface, and `error-correction encoding reed-solomon`",
    "link-fec": "`error-correction encoding reed-solomon` below the interface",
    "link-cable": "state the same length at both ends",
    "link-one-end": "correct the description of the interface",
    "path-map": f"{_MAP}, the same on all switches",
    "role-skew": "set it as on the other switches of the role",
    "ecn-role-skew": f"{_ECN}, as on the other switches of the role",
    # -- buffers
    "buffer-headroom": _ROOM,
    "buffer-headroom-waste": _ROOM,
    "buffer-cable-bucket": _ROOM,
    "buffer-pool": _POOL,
    "buffer-mtu": "`mtu N` below the interface",
    "buffer-alpha": _ALPHA,
    "buffer-shared-left": f"{_ROOM}, less of it; or lower ECN thresholds",
    "buffer-long-link": "end such links on a switch with external packet memory",
    "buffer-gearbox": _ROOM,
    "buffer-peer-response": _ROOM,
    "buffer-egress-drop": "below the MMU queue profile in force `egress unicast queue N threshold 8`",
    "buffer-lossy-pool": "below the MMU queue profile in force `egress unicast queue N threshold 1`",
    "buffer-lossy-group": "below the MMU queue profile in force `ingress priority-group N threshold 1`",
}
