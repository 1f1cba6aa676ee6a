"""What to type on a switch with Junos for each rule that can fire on its configuration: rule -> fix.

Commands stand in backquotes, each of them one line, typed in configuration mode; they are in force after `commit check`
and `commit confirmed 5`, and stay after `commit`. N, NAME, PORT, CLASS, PPP (three bits), DDDDDD (six bits) stand for
what is the switch's own.
"""

from __future__ import annotations

_COS = "set class-of-service"
_DELETE = "delete class-of-service"
_PROFILE = f"{_COS} congestion-notification-profile NAME"
_INPUT = f"`{_PROFILE} input dscp code-point DDDDDD pfc`"
_OUTPUT = f"`{_PROFILE} output ieee-802.1 code-point PPP flow-control-queue N`"
_BIND = f"`{_COS} interfaces PORT congestion-notification-profile NAME`"
_LOSSLESS = f"`{_COS} forwarding-classes class CLASS no-loss pfc-priority N`"
_NO_PFC = f"`{_DELETE} congestion-notification-profile NAME input dscp code-point DDDDDD`"
_UNBIND = f"`{_DELETE} interfaces PORT congestion-notification-profile`"
_DOG = f"{_PROFILE} pfc-watchdog"
_TIMES = f"`{_DOG} poll-interval 100`, `{_DOG} detection 2`, `{_DOG} recovery 400`"
_MAP = f"`{_COS} classifiers dscp NAME forwarding-class CLASS loss-priority low code-points DDDDDD`"
_ECN = f"`{_COS} schedulers NAME explicit-congestion-notification`"
_FILLS = (
    f"`{_DELETE} drop-profiles NAME`, `{_COS} drop-profiles NAME interpolate fill-level [ 55 90 ]`, "
    f"`{_COS} drop-profiles NAME interpolate drop-probability [ 0 100 ]`"
)
_CURVE = f"{_ECN}, `{_COS} schedulers NAME drop-profile-map loss-priority any protocol any drop-profile NAME`, {_FILLS}"
_SHARE = f"`{_COS} schedulers NAME transmit-rate percent N`"
_STRICT = f"`{_COS} schedulers NAME priority strict-high`"
_CAP = f"`{_COS} schedulers NAME shaping-rate percent 5`"
_SORT = f"`{_COS} interfaces PORT unit * classifiers dscp NAME`"
_MTU = "`set interfaces PORT mtu 9216`"
_PARTS = (
    f"`{_COS} shared-buffer ingress buffer-partition lossless percent 66`, the same with lossless-headroom 24 and "
    "lossy 10: stops traffic on all ports until done"
)
_CABLE = f"`{_PROFILE} input cable-length N`, in metres"

FIXES: dict[str, str] = {
    # -- ports and releases
    "schema-port-speed": "correct the speed: `set interfaces PORT speed 400g`",
    "nos-release-unknown": "nothing to type: look at what the release changed, and update rocecfg once it knows it",
    "device-port": "correct the name, or remove its settings; if the box is another one, correct its model",
    "schema-nos-range": "write a value that Junos takes; `commit check` tells",
    # -- PFC
    "pfc-missing-rdma": f"{_LOSSLESS}, {_INPUT}, {_OUTPUT}, {_BIND}",
    "pfc-rdma-only:unreached": f"{_MAP} with RDMA's code points; if no RDMA uses it, {_NO_PFC}",
    "pfc-rdma-only": f"{_NO_PFC} where no RDMA uses it",
    "pfc-count": f"{_NO_PFC} for all but the code points that RDMA uses, two priorities at most",
    "pfc-all": f"{_NO_PFC} for all but the code points that RDMA uses",
    "pfc-global-pause": "`delete interfaces PORT ether-options flow-control`",
    "pfc-control-prio": f"{_NO_PFC}; control traffic keeps priorities 6 and 7",
    "pfc-cnp": f"{_MAP} with 110000 and a class that is not no-loss",
    "pfc-prio0": f"{_MAP} for what RDMA carries, with a class of a pfc-priority of its own",
    "pfc-prio0:unmarked": f"{_MAP} with 000000 and a class that is not no-loss",
    "pfc-mgmt-port": _UNBIND,
    "pfc-edge": _UNBIND,
    "pfc-vlan-l3": f"{_SORT}, and have the senders mark DSCP",
    "pfc-dcbx": "`set protocols dcbx interface PORT disable`",
    "pfc-macsec": "agree with the far end whether PFC frames are encrypted",
    "pfc-one-way": f"{_INPUT} and {_OUTPUT}, at both ends",
    "pfc-bare-port": f"{_BIND}, with the scheduler map and classifier of the other ports",
    "pfc-odd-port": "set what the message names as the other ports have it",
    "pfc-lag": "bind profile, scheduler map and classifier to the LAG itself",
    # -- watchdog
    "watchdog-missing": f"`{_DOG}`, and {_TIMES}",
    "watchdog-host": f"`{_DOG}` in the profile of these ports",
    "watchdog-priorities": f"{_OUTPUT} for every lossless priority: the watchdog watches these queues",
    "watchdog-poll": _TIMES,
    "watchdog-multiple": f"{_TIMES}: a recovery that is a multiple of the poll",
    "watchdog-fast": _TIMES,
    "watchdog-slow": _TIMES,
    "watchdog-restore": f"`{_DOG} recovery N`: twice the detection time, in ms",
    "watchdog-action": f"`{_DOG} watchdog-action drop`",
    "watchdog-counter-poll": "see `show interfaces queue PORT`",
    # -- ECN
    "ecn-missing": _CURVE,
    "ecn-order": f"{_FILLS}: fill levels that rise, the first above 0",
    "ecn-step": f"{_FILLS}: two fill levels, so that marking rises with the queue",
    "ecn-pmax": f"{_FILLS}: a last drop-probability from 1 to 100",
    "junos-early-marking": f"{_FILLS}, those of Juniper's validated design for RDMA",
    "junos-late-marking": f"{_FILLS}, those of Juniper's validated design for RDMA",
    "ecn-queue": f"`{_DELETE} schedulers NAME explicit-congestion-notification` and its drop-profile-map",
    "ecn-before-pfc": f"{_FILLS}, lower ones",
    "ecn-color": _CURVE,
    "ecn-red-drop": f"{_ECN}, so that the drop profile marks and does not drop",
    # -- classes
    "mix-map-total": f"{_MAP} for each code point",
    "mix-into-lossless": f"map its code points to another class: {_MAP}",
    "mix-class-shared": f"map its code points to another class: {_MAP}",
    "mix-lossless-dscp": f"what is not RDMA's: {_MAP} with another class",
    "mix-dscp-dup": f"{_MAP} once for each code point",
    "mix-tc-chain": f"`{_COS} forwarding-classes class CLASS queue-num N`",
    "mix-pg-shared": f"map its code points to another class: {_MAP}",
    "mix-trust": _SORT,
    "mix-cnp": f"{_MAP} with 110000 and a class of CNPs",
    "mix-storage-roce": f"map its code points to another class: {_MAP}",
    "mix-cnp-control": f"lead them to classes of their own: {_MAP}; or {_CAP}",
    "mix-k8s": f"map its code points to another class: {_MAP}",
    "mix-mcast": f"map its code points to another class: {_MAP}",
    "rdma-mtu": f"{_MTU}: the Ethernet header counts, 14 bytes",
    "mix-remark": f"`{_DELETE} interfaces PORT unit * rewrite-rules`",
    "mix-tunnel": "delete vxlan-disable-copy-tos-encap and vxlan-disable-copy-tos-decap below forwarding-options",
    # -- scheduling
    "ets-sum": f"{_SHARE}, 100 in all",
    "ets-rdma-strict": f"`{_DELETE} schedulers NAME priority` and {_SHARE}",
    "ets-cnp": f"{_STRICT} and {_CAP}",
    "ets-zero": _SHARE,
    "ets-control": f"lead control traffic to a class of its own: {_MAP}",
    "ets-port-share": f"{_SHARE}, as on the other ports",
    "ets-rdma-share": f"{_SHARE}, 50 or more",
    "ets-cnp-cap": _CAP,
    "ets-shaper": f"`{_DELETE} schedulers NAME shaping-rate`",
    "ets-unused": f"`{_DELETE} schedulers NAME transmit-rate`",
    # -- links and roles
    "link-pfc": f"at both ends {_INPUT} and {_OUTPUT} for the same priorities",
    "link-wd": f"`{_DOG}` in the profile of the port",
    "link-ecn": _CURVE,
    "link-mtu": f"{_MTU}, as at the other end",
    "link-speed": "the speed of the other end: `set interfaces PORT speed 400g`",
    "link-fec": "`set interfaces PORT ether-options fec fec91`",
    "link-cable": f"state the same length at both ends: {_CABLE}",
    "link-one-end": "correct the description: `set interfaces PORT description facing_NAME:PORT`",
    "path-map": f"{_MAP}, the same on all switches",
    "role-skew": "set it as on the other switches of the role",
    "ecn-role-skew": f"{_FILLS}, as on the other switches of the role",
    "topology-hash": "`delete forwarding-options enhanced-hash-key inet no-l4-source-port`, "
    "`delete forwarding-options enhanced-hash-key inet6 no-l4-source-port`",
    "junos-per-packet": (
        "check that the NICs accept packets out of order; otherwise `delete forwarding-options enhanced-hash-key "
        "ecmp-dlb per-packet` and `set forwarding-options enhanced-hash-key ecmp-dlb flowlet`"
    ),
    # -- buffers
    "buffer-headroom": f"{_PARTS}; {_CABLE}",
    "buffer-headroom-waste": f"{_PARTS}; {_CABLE}",
    "buffer-cable-bucket": _CABLE,
    "buffer-pool": _PARTS,
    "buffer-mtu": "`set interfaces PORT mtu N`",
    "buffer-alpha": f"`{_COS} shared-buffer ingress buffer-partition lossless dynamic-threshold 7`: alpha 1",
    "buffer-shared-left": _PARTS,
    "buffer-long-link": "end such links on a switch with external packet memory",
    "buffer-gearbox": f"{_CABLE}, with what the gearbox adds",
    "buffer-peer-response": f"{_CABLE}, with what the peer's response adds",
    "buffer-egress-drop": f"`{_COS} shared-buffer egress buffer-partition lossless percent N`: no less than at ingress",
    "buffer-lossy-pool": f"`{_COS} schedulers NAME buffer-dynamic-threshold 7`",
    "buffer-lossy-group": f"`{_COS} schedulers NAME buffer-dynamic-threshold 7`",
}
