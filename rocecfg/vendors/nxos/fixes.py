"""What to type on a switch with NX-OS for each rule that can fire on its configuration: rule -> fix.

Commands stand in backquotes, each of them one line; what each is typed below is said in words. N, MIN, MAX, P and NAME
stand for numbers and names of the switch's own. A class of a network-qos policy is `class type network-qos c-8q-nqN`, a
queue `class type queuing c-out-8q-qN` of the policy that system qos binds.
"""

from __future__ import annotations

_PFC = "priority-flow-control"
_ON, _OFF = f"below the interface `{_PFC} mode on`", f"below the interface `{_PFC} mode off`"
_PAUSE = "below the network-qos class `pause pfc-cos N`"
_NO_PAUSE = "below the network-qos class `no pause pfc-cos N`"
_DOG = f"`{_PFC} watch-dog-interval on`, at the top level and below each lossless interface"
_CURVE = "`random-detect minimum-threshold MIN bytes maximum-threshold MAX bytes drop-probability P weight 0 ecn`"
_ECN = f"below the queuing class {_CURVE}"
_SHARE = "below the queuing class `bandwidth remaining percent N`"
_CLASS = "below the class-map `match dscp N`, and in the policy below its class `set qos-group N`"
_MOVE = f"lead its code points to another qos-group: {_CLASS}"
_BIND = "below the interface `service-policy type qos input NAME`, the policy of the other ports"
_TIMES = "the times are the switch's own, and not published: see `show queuing pfc-queue detail`"
_SIZES = (
    "NX-OS sizes it itself; sizes of your own, from Cisco's table for the switch, are set below the network-qos class: "
    "`pause buffer-size N pause-threshold N resume-threshold N pfc-cos P`"
)

FIXES: dict[str, str] = {
    # -- ports and releases
    "schema-port-speed": "correct the speed below the interface, in Mbit/s: `speed N`",
    "nos-release-unknown": "nothing to type: look at what the release changed, and update rocecfg once it knows it",
    "device-port": "correct the name, or remove its settings; if the box is another one, correct its model",
    "schema-nos-range": "write a value that NX-OS takes; `show running-config` shows what it kept",
    # -- PFC
    "pfc-missing-rdma": f"{_PAUSE}, below system qos `service-policy type network-qos NAME`, and {_ON}",
    "pfc-rdma-only": _NO_PAUSE,
    "pfc-count": f"{_NO_PAUSE}, for all but the classes that RDMA uses, two at most",
    "pfc-all": f"{_NO_PAUSE}, for all but the class that RDMA uses",
    "pfc-global-pause": "below the interface `flowcontrol receive off` and `flowcontrol send off`",
    "pfc-control-prio": f"{_NO_PAUSE}; control traffic keeps priorities 6 and 7",
    "pfc-cnp": f"lead CNPs to a qos-group that may drop: {_CLASS}",
    "pfc-prio0": f"{_NO_PAUSE} of the default class, and {_CLASS} for what RDMA sends",
    "pfc-mgmt-port": _OFF,
    "pfc-edge": _OFF,
    "pfc-vlan-l3": "classify by DSCP: below the class-map `match dscp N`, and have the senders mark it",
    "pfc-dcbx": _ON,
    "pfc-macsec": "agree with the far end whether PFC frames are encrypted",
    "pfc-one-way": f"{_ON}, at both ends",
    "pfc-bare-port": f"{_ON}; {_BIND}",
    "pfc-odd-port": "set what the message names as the other ports have it",
    "pfc-lag": "set PFC and the policy below the port-channel, not below its members",
    # -- watchdog
    "watchdog-missing": _DOG,
    "watchdog-host": _DOG,
    "watchdog-priorities": "NX-OS watches all no-drop queues of a port",
    **dict.fromkeys(
        ("watchdog-poll", "watchdog-multiple", "watchdog-fast", "watchdog-slow", "watchdog-restore"), _TIMES
    ),
    "watchdog-action": "NX-OS drops what waits in the queue, and has no other action",
    "watchdog-counter-poll": "see `show queuing pfc-queue`",
    # -- ECN
    **dict.fromkeys(
        ("ecn-missing", "ecn-vendor-default", "ecn-before-pfc", "ecn-color", "ecn-scale", "ecn-role-skew", "link-ecn"),
        _ECN,
    ),
    "ecn-order": f"{_ECN}, MIN below MAX",
    "ecn-step": f"{_ECN}, MAX above MIN, so that marking rises with the queue",
    "ecn-pmax": f"{_ECN}; P is 1 to 100, 7 is what Cisco's blueprint has",
    "ecn-queue": "below the queuing class `no random-detect`",
    "ecn-weight": f"{_ECN}: weight 0 marks on the queue as it is",
    "ecn-below-packet": f"{_ECN}, MIN and MAX with the intended unit",
    "ecn-low": f"{_ECN}, with a higher MIN",
    "ecn-delay": f"{_ECN}, with a lower MAX",
    "ecn-fixed-point": f"{_ECN}, with a higher P",
    "ecn-cell": "write thresholds that are whole cells of the chip's buffer",
    "ecn-deep": f"{_ECN}, at most what a port sends within the tolerated delay",
    "ecn-long-rtt": f"{_ECN}, with MAX further above MIN",
    "ecn-static-xoff": f"{_ECN}, with MAX below what the class may hold",
    "ecn-red-drop": f"{_ECN}: a curve that does not end in ecn drops",
    # -- classes
    "mix-map-total": _CLASS,
    **dict.fromkeys(
        (
            "mix-into-lossless",
            "mix-class-shared",
            "mix-pg-shared",
            "mix-cnp",
            "mix-storage-roce",
            "mix-k8s",
            "mix-mcast",
        ),
        _MOVE,
    ),
    "mix-lossless-dscp": f"what is not RDMA's: {_MOVE}",
    "mix-dscp-dup": "leave each code point in one class-map: `no match dscp N` in the others",
    "mix-tc-chain": "below the network-qos class `pause pfc-cos N` with the number of its qos-group",
    "mix-trust": _BIND,
    "mix-cnp-control": _MOVE,
    "rdma-mtu": "below the interface and the network-qos class `mtu 9216`",
    "mix-remark": "below the class of the policy `no set dscp N`",
    "mix-tunnel": "check that the tunnel's header has RDMA's DSCP: `show policy-map interface ethernet N`",
    # -- scheduling
    "ets-sum": f"{_SHARE}, 100 in all",
    "ets-rdma-strict": f"{_SHARE}, after `no priority`",
    "ets-cnp": "below the queuing class `priority level 1`",
    "ets-zero": _SHARE,
    "ets-control": _MOVE,
    "ets-port-share": f"{_SHARE}, as on the other ports",
    "ets-rdma-share": f"{_SHARE}, 50 or more",
    "ets-cnp-cap": "below the queuing class `shape min 0 mbps max N mbps`",
    "ets-shaper": "below the queuing class `no shape min N mbps max N mbps`, with the rates that it has",
    "ets-unused": "below the queuing class `bandwidth remaining percent 0`",
    # -- links and roles
    "link-pfc": f"{_ON}, and the same no-drop classes at both ends",
    "link-wd": _DOG,
    "link-mtu": "below the interface `mtu N`, as at the other end",
    "link-speed": "the speed of the other end below the interface",
    "link-fec": "the FEC of the other end below the interface",
    "link-cable": "state the same length at both ends",
    "link-one-end": "correct the description of the interface",
    "path-map": f"the same on all switches: {_CLASS}",
    "role-skew": "set it as on the other switches of the role",
    # -- buffers
    **dict.fromkeys(
        ("buffer-headroom", "buffer-headroom-waste", "buffer-cable-bucket", "buffer-gearbox", "buffer-peer-response"),
        _SIZES,
    ),
    "buffer-mtu": "below the network-qos class `mtu N`",
    "buffer-long-link": "end such links on a switch with external packet memory",
    # -- NX-OS
    "nxos-network-qos": "below system qos `service-policy type network-qos NAME`",
    "nxos-pfc-auto": _ON,
    "nxos-watchdog-half": _DOG,
    "nxos-class-mtu": "below the network-qos class `mtu 9216`",
    "nxos-match-all": "leave one kind of match in the class-map: `no match cos N`",
    "nxos-override": f"`no {_PFC} override-interface mode off`",
    "nxos-send-tlv": "`feature lldp`",
    "nxos-empty-class": "below the class-map `match dscp N`",
    "nxos-no-share": _SHARE,
    "nxos-untagged": "below the interface `switchport mode trunk`, with the storage VLAN tagged",
    "nxos-watchdog-logs": f"below the interface `no {_PFC} watch-dog-interval on disable-action`, then "
    f"`{_PFC} watch-dog-interval on`",
    "nxos-pause-receive": "below the network-qos class `no pause pfc-cos N receive`, then `pause pfc-cos N`",
    "nxos-pfc-cos": f"{_PAUSE} with the number of its qos-group",
}
