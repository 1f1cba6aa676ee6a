"""What to type on a switch with SR Linux for each rule that can fire on its configuration: rule -> fix.

Commands stand in backquotes, each of them one line, typed in candidate mode; they are in force after `commit validate`
and `commit confirmed timeout 300`, and stay after `save startup`. N, P, NAME, PORT, CLASS, QUEUE, GROUP stand for what
is the switch's own; P, the priority of pauses, stands in brackets before 25.3.
"""

from __future__ import annotations

_QOS = "set / qos"
_MAPPING = f"{_QOS} pfc-mapping-profile NAME"
_PFC_QUEUE = f"{_MAPPING} received-traffic unicast-mapping pfc-queue GROUP"
_PAUSED = f"{_MAPPING} received-pfc-pause-frames queue QUEUE"
_SENT = f"`{_PFC_QUEUE} forwarding-class [ CLASS ]`, `{_PFC_QUEUE} pfc-pause-frame-priority P`"
_OBEYED = f"`{_PAUSED} enable-pfc true`, `{_PAUSED} pfc-pause-frame-priority P`"
_BIND = (
    f"`{_QOS} interfaces interface PORT pfc pfc-mapping-profile NAME`, "
    f"`{_QOS} interfaces interface PORT pfc pfc-enable true`"
)
_OFF = "`delete / qos interfaces interface PORT pfc`"
_NO_PFC = "`delete / qos pfc-mapping-profile NAME received-traffic unicast-mapping pfc-queue GROUP`"
_DOG = f"{_MAPPING} received-pfc-pause-frames deadlock"
_TIMES = f"`{_DOG} detection-timer N`, `{_DOG} recovery-timer N`"
_MAP = f"`{_QOS} classifiers dscp-policy NAME dscp N forwarding-class CLASS`"
_PROFILE = f"{_QOS} buffer-management queue-management-profile NAME"
_SLOPE = f"{_PROFILE} wred wred-slope traffic-type all drop-probability all enable-ecn true"
_ENDS = f"`{_SLOPE} min-threshold N`, `{_SLOPE} max-threshold N`, `{_SLOPE} max-drop-probability-percent N`"
_CURVE = (
    f"`{_QOS} explicit-congestion-notification`, {_ENDS}, "
    f"`{_QOS} interfaces interface PORT output queues queue QUEUE queue-management-profile NAME`"
)
_POLICY = f"{_QOS} scheduler-policies scheduler-policy NAME"
_SHARE = f"`{_POLICY} scheduler 1 input QUEUE weight N`"
_STRICT = f"`{_POLICY} scheduler 0 input QUEUE queue-name QUEUE`"
_CAP = f"`{_POLICY} scheduler 0 input QUEUE peak-rate-percent N`"
_SORT = f"`{_QOS} interfaces interface PORT.0 input classifiers dscp-policy NAME`"
_MTU = "`set / interface PORT mtu 9216`, `set / interface PORT subinterface 0 ip-mtu 9202`"
_ALLOCATION = f"{_QOS} buffer-management buffer-allocation-profile NAME queues"
_ROOM = f"`{_ALLOCATION} pfc-queue GROUP maximum-pfc-reserved-share-bytes N`"
_PAUSE = f"`{_ALLOCATION} pfc-queue GROUP maximum-burst-size N`"
_LIMIT = f"`{_ALLOCATION} queue QUEUE maximum-burst-size N`"
_RESERVE = f"`{_QOS} linecard 1 forwarding-complex 0 input pfc-buffer-reservation 10`"

FIXES: dict[str, str] = {
    # -- ports and releases
    "schema-port-speed": "correct the speed: `set / interface PORT ethernet port-speed 400G`",
    "nos-release-unknown": "nothing to type: look at what the release changed, and update rocecfg once it knows it",
    "device-port": "correct the name, or remove its settings; if the box is another one, correct its model",
    "schema-nos-range": "write a value that SR Linux takes; `commit validate` tells",
    # -- PFC
    "pfc-missing-rdma": f"{_SENT}, {_OBEYED}, {_BIND}; before 25.3 P is in brackets",
    "pfc-rdma-only:unreached": f"{_MAP} with RDMA's code points; if no RDMA uses it, {_NO_PFC}",
    "pfc-rdma-only": f"{_NO_PFC} where no RDMA uses it",
    "pfc-count": f"{_NO_PFC} for all but the classes that RDMA uses, two at most",
    "pfc-all": f"{_NO_PFC} for all but the classes that RDMA uses",
    "pfc-global-pause": "`delete / interface PORT ethernet flow-control`",
    "pfc-control-prio": f"{_NO_PFC}; control traffic keeps priorities 6 and 7",
    "pfc-cnp": f"{_MAP} with 48 and a class that is in no PFC queue",
    "pfc-prio0": f"{_MAP} for what RDMA carries, with a class of its own",
    "pfc-prio0:unmarked": f"{_MAP} with 0 and a class that is in no PFC queue",
    "pfc-mgmt-port": _OFF,
    "pfc-edge": _OFF,
    "pfc-vlan-l3": f"{_SORT}, and have the senders mark DSCP",
    "pfc-one-way": f"{_SENT} and {_OBEYED}, at both ends",
    "pfc-bare-port": f"{_BIND}, and {_SORT}",
    "pfc-odd-port": "set what the message names as the other ports have it",
    "pfc-lag": "configure the row of the LAG itself",
    "srlinux-pfc-off": _BIND,
    "srlinux-no-mapping": _BIND,
    "srlinux-pfc-queue": _SENT,
    # -- watchdog
    "watchdog-missing": f"`{_DOG} enable true`, {_TIMES}",
    "watchdog-host": f"`{_DOG} enable true` in the profile of these ports",
    "watchdog-priorities": f"`{_DOG} enable true`: it watches every queue that obeys pauses",
    "watchdog-multiple": _TIMES,
    "watchdog-fast": _TIMES,
    "watchdog-slow": _TIMES,
    "watchdog-restore": f"`{_DOG} recovery-timer N`: twice the detection time, in ms, at most 1500",
    # -- ECN
    "ecn-missing": _CURVE,
    "ecn-order": f"{_ENDS}: thresholds that rise, the first above 0",
    "ecn-step": f"{_ENDS}: two thresholds, so that marking rises with the queue",
    "ecn-pmax": f"`{_SLOPE} max-drop-probability-percent N`: from 1 to 100",
    "ecn-queue": "`delete / qos interfaces interface PORT output queues queue QUEUE queue-management-profile`",
    "ecn-before-pfc": f"{_ENDS}, lower ones",
    "ecn-static-xoff": f"{_PAUSE}, above the max-threshold of the queue",
    "ecn-red-drop": f"`delete / qos buffer-management queue-management-profile NAME`, and a slope that marks: {_ENDS}",
    "srlinux-ecn-off": f"`{_QOS} explicit-congestion-notification`",
    # -- classes
    "mix-map-total": f"{_MAP} for each code point",
    "mix-into-lossless": f"map its code points to another class: {_MAP}",
    "mix-class-shared": f"map its code points to another class: {_MAP}",
    "mix-lossless-dscp": f"what is not RDMA's: {_MAP} with another class",
    "mix-dscp-dup": f"{_MAP} once for each code point",
    "mix-tc-chain": f"`{_QOS} forwarding-classes forwarding-class CLASS output unicast-queue QUEUE`",
    "mix-pg-shared": f"map its code points to another class: {_MAP}",
    "mix-trust": _SORT,
    "mix-cnp": f"{_MAP} with 48 and a class of CNPs",
    "mix-storage-roce": f"map its code points to another class: {_MAP}",
    "mix-cnp-control": f"lead them to classes of their own: {_MAP}; or {_CAP}",
    "mix-k8s": f"map its code points to another class: {_MAP}",
    "mix-mcast": f"map its code points to another class: {_MAP}",
    "rdma-mtu": f"{_MTU}: mtu counts the Ethernet header, ip-mtu does not",
    "mix-remark": "`delete / qos interfaces interface PORT.0 output rewrite-rules`",
    # -- scheduling
    "ets-sum": f"{_SHARE}, 100 in all",
    "ets-rdma-strict": f"`delete / qos scheduler-policies scheduler-policy NAME scheduler 0 input QUEUE` and {_SHARE}",
    "ets-cnp": f"{_STRICT} and {_CAP}",
    "ets-zero": _SHARE,
    "ets-control": f"lead control traffic to a class of its own: {_MAP}",
    "ets-port-share": f"{_SHARE}, as on the other ports",
    "ets-rdma-share": f"{_SHARE}, 50 or more",
    "ets-cnp-cap": _CAP,
    "ets-shaper": "`delete / qos scheduler-policies scheduler-policy NAME scheduler 1 input QUEUE peak-rate-percent`",
    "ets-unused": "`delete / qos scheduler-policies scheduler-policy NAME scheduler 1 input QUEUE`",
    # -- links and roles
    "link-pfc": f"at both ends {_SENT} and {_OBEYED} for the same priorities",
    "link-wd": f"`{_DOG} enable true` in the profile of the port",
    "link-ecn": _CURVE,
    "link-mtu": f"{_MTU}, as at the other end",
    "link-speed": "the speed of the other end: `set / interface PORT ethernet port-speed 400G`",
    "link-fec": "`set / interface PORT ethernet forward-error-correction fec-option rs-528`, at 25G and 100G alone; "
    "before 25.3 it is a leaf of transceiver, not of ethernet",
    "link-one-end": 'correct the description: `set / interface PORT description "to NAME PORT"`',
    "path-map": f"{_MAP}, the same on all switches",
    "role-skew": "set it as on the other switches of the role",
    "ecn-role-skew": f"{_ENDS}, as on the other switches of the role",
    # -- buffers
    "buffer-headroom": f"{_ROOM}; {_RESERVE}",
    "buffer-headroom-waste": _ROOM,
    "buffer-pool": _RESERVE,
    "buffer-mtu": _MTU,
    "buffer-shared-left": f"{_LIMIT}; {_RESERVE}",
    "buffer-long-link": "end such links on a switch with external packet memory",
    "buffer-gearbox": f"{_ROOM}, with what the gearbox adds",
    "buffer-peer-response": f"{_ROOM}, with what the peer's response adds",
    "buffer-egress-drop": f"{_LIMIT}: no less than what its ports may hold at ingress",
    "srlinux-reservation": _RESERVE,
    "srlinux-tail-drop": f"{_LIMIT}, or {_PAUSE}",
    "srlinux-default-map": _SORT,
}
