"""What to type on a switch with NVUE for each rule that can fire on its configuration: rule -> fix.

Words in capitals stand for what the finding names: PORTS, PROFILE, SP (a switch priority), TC (a traffic class).
"""

from __future__ import annotations

_PFC = "nv set qos pfc PROFILE"
_MARKING = "nv set qos congestion-control PROFILE traffic-class TC"
_SHARE = "nv set qos egress-scheduler PROFILE traffic-class TC"
_TUNNEL = "nv set nve vxlan"
_QUEUE = "nv set qos egress-queue-mapping default-global switch-priority SP traffic-class TC"
_LOSSY = "nv unset qos pfc PROFILE switch-priority SP"
_FIXED = "nv unset qos pfc PROFILE port-buffer; nv unset qos pfc PROFILE xoff-threshold"
_POOL = "nv set qos traffic-pool"
_LET_IT = f"{_FIXED}; nv set qos pfc PROFILE cable-length METRES"
_CURVE = f"{_MARKING} min-threshold BYTES; {_MARKING} max-threshold BYTES"

FIXES: dict[str, str] = {
    "nos-release-unknown": "nothing to type: look at what the release changed, and update rocecfg once it knows it",
    "device-port": "correct the name, or remove its settings; if the box is another one, correct its model",
    # PFC
    "pfc-missing-rdma": f"{_PFC} switch-priority SP",
    "pfc-rdma-only": _LOSSY,
    "pfc-rdma-only:unreached": f"nv set qos mapping PROFILE dscp DSCP switch-priority SP, for RDMA; or {_LOSSY}",
    "pfc-count": _LOSSY,
    "pfc-all": f"{_LOSSY}, for all but RDMA's",
    "pfc-global-pause": "nv unset interface PORTS qos link-pause",
    "pfc-control-prio": f"{_LOSSY}; nv set qos mapping PROFILE dscp DSCP switch-priority SP, one of 1 to 5, for RDMA",
    "pfc-cnp": "nv set qos mapping PROFILE dscp 48 switch-priority SP, one without PFC",
    "pfc-prio0": f"nv set qos mapping PROFILE dscp DSCP switch-priority SP, one of 1 to 5, for RDMA; {_LOSSY}",
    "pfc-prio0:unmarked": "nv set qos mapping PROFILE dscp 0 switch-priority SP, one without PFC",
    "pfc-vlan-l3": "nv set qos mapping PROFILE trust l3",
    "pfc-one-way": f"{_PFC} rx enable; {_PFC} tx enable",
    "pfc-bare-port": "nv set interface PORTS qos pfc profile PROFILE",
    "pfc-odd-port": "set what the message names as the other ports have it",
    "pfc-lag": "nv set interface BOND qos pfc profile PROFILE; nv set interface PORTS qos pfc-watchdog state enable",
    # watchdog
    "watchdog-missing": "nv set interface PORTS qos pfc-watchdog state enable",
    "watchdog-host": "nv set interface PORTS qos pfc-watchdog state enable",
    "watchdog-slow": "nv set qos pfc-watchdog polling-interval 100; nv set qos pfc-watchdog robustness 2",
    # maps
    "topology-hash": "below nv set system forwarding ecmp-hash: source-port on (from 5.15: enabled)",
    "mix-trimmed-queue": "nv set system forwarding packet-trim switch-priority SP, one that nothing else has",
    "mix-trimmed-dscp": "nv set qos mapping PROFILE dscp DSCP switch-priority SP, that of trimmed packets",
    "mix-trimmed-class": "nv unset interface PORTS packet-trim egress-eligibility traffic-class TC",
    "mix-port-map": "nv set qos mapping PROFILE dscp DSCP switch-priority SP, as for the other ports",
    # ECN
    "ecn-missing": f"{_MARKING} ecn enable; {_CURVE}",
    "ecn-order": f"{_MARKING} min-threshold BYTES, below max-threshold",
    "ecn-step": f"{_MARKING} max-threshold BYTES, above min-threshold",
    "ecn-pmax": f"{_MARKING} probability PERCENT, from 1 to 100",
    "ecn-before-pfc": f"{_MARKING} max-threshold BYTES, lower",
    "ecn-vendor-default": f"{_CURVE}, as measured on this fabric",
    "ecn-scale": f"{_CURVE}, for the speed of these ports",
    "ecn-cell": f"{_MARKING} min-threshold BYTES, a multiple of what the chip counts in",
    "ecn-static-xoff": f"{_MARKING} max-threshold BYTES, below the priority group's share",
    "ecn-red-drop": f"{_MARKING} red disable",
    # classes and maps
    "mix-into-lossless": "nv set qos mapping PROFILE dscp DSCP switch-priority SP, one without PFC",
    "mix-lossless-dscp": "nv set qos mapping PROFILE dscp DSCP switch-priority SP, for what is not RDMA's",
    "mix-class-shared": _QUEUE,
    "mix-tc-chain": _QUEUE,
    "mix-trust": "nv set qos mapping PROFILE trust l3",
    "mix-remark": "nv unset qos remark default-global switch-priority SP dscp",
    "rdma-mtu": "nv set interface PORTS link mtu 9216",
    "mix-tunnel": f"{_TUNNEL} encapsulation dscp action copy; {_TUNNEL} decapsulation dscp action preserve",
    # scheduling
    "ets-sum": f"{_SHARE} bw-percent PERCENT, so that they sum to 100",
    "ets-rdma-strict": f"{_SHARE} mode dwrr; {_SHARE} bw-percent PERCENT",
    "ets-zero": f"{_SHARE} bw-percent PERCENT",
    "ets-port-share": f"{_SHARE} bw-percent PERCENT, as on the other ports",
    "ets-control": _QUEUE,
    "ets-shaper": "nv unset qos egress-shaper PROFILE traffic-class TC max-rate",
    "ets-unused": f"{_SHARE} mode strict",
    # buffers
    "buffer-headroom": _LET_IT,
    "buffer-headroom-waste": _LET_IT,
    "buffer-peer-response": _LET_IT,
    "buffer-xon": f"{_PFC} xon-threshold BYTES, less than xoff-threshold: it counts downwards from there",
    "buffer-pool": f"{_LOSSY}, or correct cable-length",
    "buffer-pool-share": f"{_POOL} default-lossy memory-percent 50; {_POOL} roce-lossless memory-percent 50",
    "buffer-pool-share:without": f"{_POOL} default-lossy memory-percent 50; {_POOL} default-lossless memory-percent 50",
    "buffer-alpha": "nv set qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1",
    "buffer-shared-left": f"{_MARKING} min-threshold BYTES, lower",
    "buffer-long-link": f"{_PFC} cable-length METRES, if it is not what the cable has",
    # links and roles
    "link-pfc": f"{_PFC} switch-priority SP",
    "link-wd": "nv set interface PORTS qos pfc-watchdog state enable",
    "link-ecn": f"{_MARKING} ecn enable; {_CURVE}",
    "link-mtu": "nv set interface PORTS link mtu 9216",
    "link-speed": "nv set interface PORTS link fec rs, and the speed of the other end",
    "link-fec": "nv set interface PORTS link fec rs",
    "link-cable": f"{_PFC} cable-length METRES",
    "link-one-end": "nv set interface PORTS description TEXT",
    "role-skew": "set it as on the other switches of the role",
    "ecn-role-skew": f"{_CURVE}, as on the other switches of the role",
    "path-map": "nv set qos mapping PROFILE dscp DSCP switch-priority SP",
    # NVUE's own
    "nvue-pool-sum": "nv set qos traffic-pool default-lossy memory-percent PERCENT, what the others leave",
}
