"""What fixes a rule's finding on a SONiC switch: what to type there, or which field of CONFIG_DB to set.

Words in capitals stand for the switch's own names and numbers. PRIORITY and PRIORITIES, which are the numbers of queues
and priority groups too, are filled in where a finding is about the same wherever it reaches; LIST stands for the
priorities that a port is to pause. Commands are those of sonic-utilities; what has none is set in the database, and
kept with `sudo config save -y`. So are the masks: `config interface pfc priority` fails up to 202505 where a row has no
pfc_enable, and leaves the watchdog's mask as it is; with the last priority off it writes "", and up to 202411 YANG
refuses every patch beside that (sonic-utilities, pfc/main.py; sonic-port-qos-map.yang). The watchdog keeps the
priorities that it was started for, so it is stopped meanwhile.
"""

from __future__ import annotations

from rocecfg.vendors.sonic import commands

_SET = "sonic-db-cli CONFIG_DB HSET"
_CURVE = "sudo config ecn -profile NAME -gmin BYTES -gmax BYTES -gdrop PERCENT"
_START = "sudo pfcwd start --action drop PORT 200 --restoration-time 400"
_WATCH = f"{_SET} 'PORT_QOS_MAP|PORT' pfcwd_sw_enable PRIORITIES"
_WATCHED = f"set the priorities in pfcwd_sw_enable first: {_WATCH}"
_AGAIN = "sudo pfcwd start --action drop PORT DETECTION --restoration-time RESTORATION"
_MASKS = f"sudo pfcwd stop PORT; {_SET} 'PORT_QOS_MAP|PORT' pfc_enable LIST pfcwd_sw_enable LIST"
_NONE = f"{commands.REMOVE} 'PORT_QOS_MAP|PORT' pfc_enable pfcwd_sw_enable"
_ON = f"{_MASKS} (comma-separated, with PRIORITY); {_AGAIN}"
_OFF = f"{_MASKS} (comma-separated, without PRIORITY; if none is left: {_NONE}); {_AGAIN}"
_CABLE = f"{_SET} 'CABLE_LENGTH|AZURE' PORT 40m"
_SHUT = "sudo config interface shutdown PORT"
_START_PORT = "sudo config interface startup PORT"
_DELETE = "sonic-db-cli CONFIG_DB DEL 'BUFFER_PG|PORT|GROUPS'"
_DELETE_KEY = "sonic-db-cli CONFIG_DB DEL 'BUFFER_PG|PORT|KEY'"
_MAPS = f"{_SET} 'DSCP_TO_TC_MAP|DSCP_MAP'"
_MAP = f"{_MAPS} DSCP TC"

STOCK = {"DSCP_MAP": "AZURE", "PG_MAP": "AZURE"}  # what ports bind unless told otherwise
FIXES: dict[str, str] = {
    "topology-hash": "sudo config switch-hash global ecmp-hash FIELD ... L4_SRC_PORT",
    # packet trimming
    "mix-trimmed-queue": "sudo config switch-trimming global --size BYTES --dscp DSCP --queue QUEUE, one of its own",
    "mix-trimmed-dscp": (
        "sudo config switch-trimming global --size BYTES --dscp DSCP --queue QUEUE, to which that DSCP maps"
    ),
    "mix-trimmed-class": "sudo config mmu -p PROFILE -t off",
    # PFC
    "pfc-missing-rdma": _ON,
    "pfc-rdma-only": _OFF,
    "pfc-rdma-only:unreached": f"map RDMA's code point to it: {_MAP}; if no RDMA uses it, {_OFF}",
    "pfc-count": f"keep the priorities that RDMA uses: {_OFF}",
    "pfc-all": f"keep the priority of RDMA; for the others: {_OFF}",
    "pfc-control-prio": f"{_OFF}; what RDMA is sorted there belongs into a traffic class from 1 to 5: {_MAP}",
    "pfc-cnp": f"sort it into a traffic class without PFC: {_MAPS} 48 TC",
    "pfc-prio0": f"sort RDMA into a traffic class from 1 to 5 ({_MAP}), then {_OFF}",
    "pfc-prio0:unmarked": f"sort unmarked packets into a traffic class without PFC: {_MAPS} 0 TC",
    "pfc-mgmt-port": _OFF,
    "pfc-edge": _OFF,
    "pfc-vlan-l3": "bind dscp_to_tc_map instead of dot1p_to_tc_map in PORT_QOS_MAP|PORT",
    "pfc-one-way": "sudo config interface pfc asymmetric PORT off",
    "pfc-bare-port": f"{_ON}, with the rows of PORT_QOS_MAP, QUEUE and PFC_WD that other ports have",
    "pfc-odd-port": "set what the message names as the other ports have it",
    "pfc-lag": "give all ports of the LAG the same rows of PORT_QOS_MAP, PFC_WD and BUFFER_PG",
    # watchdog
    "watchdog-missing": f"{_WATCHED}; {_START}",
    "watchdog-host": f"{_WATCHED}; {_START}",
    "watchdog-priorities": (
        f"set pfcwd_sw_enable to the priorities of pfc_enable: {_WATCH}; the running watchdog keeps the old ones "
        f"until restarted: {_AGAIN}"
    ),
    "watchdog-poll": "sudo pfcwd interval 100, or longer times: sudo pfcwd start --action drop PORT DETECTION "
    "--restoration-time RESTORATION",
    "watchdog-multiple": "sudo pfcwd interval 100, or times that are multiples of POLL_INTERVAL",
    "watchdog-fast": _START,
    "watchdog-slow": f"sudo pfcwd interval 100, and {_START}",
    "watchdog-restore": f"restore after twice the detection time: {_START}",
    "watchdog-no-restore": _START,
    "watchdog-action": f"{_START}; a Broadcom chip that ends storms in hardware refuses another action while any "
    "port is watched: stop all, then start all",
    "watchdog-default-scale": f"set timers of your own: sudo pfcwd interval 100, and {_START}",
    "watchdog-action-hw": "one action for all ports, which is refused while any is watched: stop all, sudo pfcwd stop "
    f"PORT ..., and start all some seconds later, {_AGAIN}",
    "watchdog-big-red": "; ".join(commands.END_FORCED_DROP),
    "watchdog-counter-poll": "sudo pfcwd counter_poll enable",
    # marking
    "ecn-missing": f"bind a WRED profile that marks: {_SET} 'QUEUE|PORT|PRIORITY' wred_profile AZURE_LOSSLESS",
    "ecn-order": _CURVE,
    "ecn-step": f"raise green_max_threshold: {_CURVE}",
    "ecn-pmax": f"5 percent is a common start: {_CURVE}",
    "ecn-queue": "sonic-db-cli CONFIG_DB HDEL 'QUEUE|PORT|QUEUE' wred_profile",
    "ecn-before-pfc": f"lower the thresholds: {_CURVE}",
    "ecn-vendor-default": f"choose thresholds for the speed of these ports: {_CURVE}",
    "ecn-below-packet": f"thresholds are in bytes: {_CURVE}",
    "ecn-low": f"raise green_min_threshold: {_CURVE}",
    "ecn-scale": f"a WRED profile for each port speed, bound by QUEUE; {_CURVE}",
    "ecn-delay": f"lower green_max_threshold: {_CURVE}",
    "ecn-fixed-point": f"raise green_drop_probability: {_CURVE}",
    "ecn-color": f"{_SET} 'WRED_PROFILE|NAME' ecn ecn_all wred_green_enable true",
    "ecn-cell": f"take multiples of the chip's cell: {_CURVE}",
    "ecn-deep": _CURVE,
    "ecn-long-rtt": _CURVE,
    "ecn-static-xoff": f"lower green_max_threshold below static_th of the profile: {_CURVE}",
    "ecn-red-drop": f"mark instead: {_SET} 'WRED_PROFILE|NAME' ecn ecn_all, or let QUEUE name no wred_profile",
    # maps
    "mix-map-total": f"write all 64 code points: {_MAP}",
    "mix-into-lossless": f"sort them elsewhere: {_MAP}",
    "mix-class-shared": f"give each its own traffic class, and that its own queue: {_MAP}, TC_TO_QUEUE_MAP",
    "mix-dscp-dup": _MAP,
    "mix-lossless-dscp": f"map the DSCPs that RDMA does not use elsewhere: {_MAP}",
    "mix-tc-chain": "map each lossless number n to itself: TC_TO_QUEUE_MAP, TC_TO_PRIORITY_GROUP_MAP, "
    "MAP_PFC_PRIORITY_TO_QUEUE, PFC_PRIORITY_TO_PRIORITY_GROUP_MAP",
    "mix-port-map": f"map it as for the other ports: {_MAP}; or bind their map: {_SET} 'PORT_QOS_MAP|PORT' "
    "dscp_to_tc_map NAME",
    "mix-pg-shared": f"{_SET} 'TC_TO_PRIORITY_GROUP_MAP|PG_MAP' TC 0 for lossy traffic classes",
    "mix-sonic-stock": _MAP,
    "mix-sonic-tc4": f"for the unused one: {_OFF}; and map its DSCP to a lossy class: {_MAP}",
    "mix-trust": f"{_SET} 'PORT_QOS_MAP|PORT' dscp_to_tc_map AZURE",
    "mix-remark": "let TC_TO_DSCP_MAP write a DSCP of the same class, or bind no tc_to_dscp_map in PORT_QOS_MAP",
    "mix-tunnel": "set dscp_mode uniform and ecn_mode copy_from_outer in the tunnel's row, or keep RDMA out of it",
    # scheduling
    "ets-sum": "weights are shares of their sum: set weight in SCHEDULER",
    "ets-rdma-strict": "bind a DWRR scheduler in QUEUE|PORT|PRIORITY: type DWRR and a weight",
    "ets-cnp": "bind a scheduler of type STRICT in QUEUE|PORT|6",
    "ets-zero": f"{_SET} 'QUEUE|PORT|QUEUE' scheduler NAME",
    "ets-control": f"sort it into a traffic class below 6: {_MAP}",
    "ets-rdma-share": f"raise weight of its scheduler: {_SET} 'SCHEDULER|NAME' weight 60",
    "ets-shaper": f"bind a scheduler without pir: {_SET} 'QUEUE|PORT|PRIORITY' scheduler NAME; pir that is only taken "
    "out of the row stays in force until swss is restarted",
    "ets-port-share": f"{_SET} 'QUEUE|PORT|PRIORITY' scheduler NAME, as on the other ports",
    "ets-unused": "bind no scheduler to that queue, or sort packets into it",
    # buffers
    "buffer-headroom": "raise xoff of its BUFFER_PROFILE (and size, where it holds xoff), or correct CABLE_LENGTH",
    "buffer-headroom-waste": "lower xoff of its BUFFER_PROFILE, or let the switch make the profile from CABLE_LENGTH",
    "buffer-cable-missing": f"{_CABLE}, then, up to 202505, {_SHUT}; {_START_PORT} (dynamic buffer model: sudo config "
    "interface cable-length PORT 40m)",
    "buffer-cable-bucket": (
        f"if the length is right, bounce the port to rebuild the profile ({_SHUT}; {_START_PORT}); otherwise set a "
        "length that pg_profile_lookup.ini lists, then bounce it"
    ),
    "buffer-pool": "turn PFC off on a priority, correct CABLE_LENGTH, or raise xoff of ingress_lossless_pool",
    "buffer-mtu": f"{_SET} 'LOSSLESS_TRAFFIC_PATTERN|AZURE' mtu 4096",
    "buffer-xon": "lower xon of its BUFFER_PROFILE to two packets below where the pause begins",
    "buffer-alpha": "sudo config mmu -p PROFILE -a 0 (dynamic buffer model: default_dynamic_th of "
    "DEFAULT_LOSSLESS_BUFFER_PARAMETER|AZURE)",
    "buffer-shared-left": f"turn PFC off on a priority, correct CABLE_LENGTH, or mark earlier: {_CURVE}",
    "buffer-long-link": "end such links on a switch with external packet memory",
    "buffer-gearbox": "raise xoff of its BUFFER_PROFILE",
    "buffer-peer-response": "raise xoff of its BUFFER_PROFILE, unless the peer is known to respond sooner",
    "buffer-zero-shared": "set size of its BUFFER_PROFILE to xon + xoff, or xoff of ingress_lossless_pool",
    "buffer-egress-drop": "sudo config mmu -p PROFILE -a 7, or -s with the size of the pool if it is static",
    "buffer-lossy-pool": f"lower it: {_SET} 'BUFFER_POOL|NAME' size BYTES",
    "buffer-model-mix": f"with the port down: {_DELETE}; buffermgrd binds a profile when it is started "
    f"({_START_PORT}); or set buffer_model dynamic in DEVICE_METADATA|localhost, save, and restart swss",
    "buffer-lossy-group": "bind a profile with xoff to that priority group; or, with the port down, delete the row "
    f"({_DELETE}), and start the port: buffermgrd binds one (traditional model)",
    "buffer-port-limit": f"correct the length if it is not what the cable has: {_CABLE}; else keep one lossless "
    f"priority: {_OFF}",
    "buffer-lossy-queue": f"{_SET} 'BUFFER_QUEUE|PORT|PRIORITY' profile egress_lossless_profile",
    # links and roles
    "link-pfc": f"the same priorities at both ends: {_MASKS}; {_AGAIN}",
    "link-wd": f"{_WATCHED}; {_START}",
    "link-ecn": f"bind a WRED profile that marks: {_SET} 'QUEUE|PORT|PRIORITY' wred_profile AZURE_LOSSLESS",
    "link-mtu": "sudo config interface mtu PORT 9100, or what the other end has",
    "link-speed": "sudo config interface speed PORT MBPS; sudo config interface fec PORT rs, as at the other end",
    "link-fec": "sudo config interface fec PORT rs",
    "link-cable": f"the length that the cable has, at both ends: {_CABLE}",
    "link-one-end": f"correct DEVICE_NEIGHBOR: {_SET} 'DEVICE_NEIGHBOR|PORT' name DEVICE port PORT",
    "path-map": f"the same map on all switches: {_MAP}",
    "role-skew": "set it as on the other switches of the role",
    "ecn-role-skew": f"the thresholds of the other switches of the role: {_CURVE}",
    # the box
    "rdma-mtu": "sudo config interface mtu PORT 9100",
    "schema-nos-range": "write a value in that range",
    "nos-release-unknown": "nothing to type: look at what the release changed, and update rocecfg once it knows it",
    "device-port": "correct the name, or remove its settings; if the box is another one, correct its model",
    "schema-port-speed": "sudo config interface speed PORT MBPS",
    # SONiC's own
    "sonic-asym": "sudo config interface pfc asymmetric PORT off",
    "sonic-unscheduled": f"{_SET} 'QUEUE|PORT|PRIORITY' scheduler NAME",
    "sonic-one-poll": "sudo pfcwd interval 100",
    "sonic-pool-size": "use the sizes of the HwSKU's own template: sudo config qos reload --dry_run FILE shows them",
    "sonic-unpaused": (
        f"{_ON}; if it is to be lossy, sudo pfcwd stop PORT, and remove the listed rows from BUFFER_PG and QUEUE"
    ),
    "sonic-group-missing": (
        f"{_SHUT}; delete the rows that overlap the missing one ({_DELETE_KEY}); once APPL_DB no longer has them, "
        f"{_START_PORT}: buffermgrd then writes the row"
    ),
    "sonic-overlap": f"shut the port ({_SHUT}), delete both rows (sonic-db-cli CONFIG_DB DEL 'TABLE|PORT|KEY' "
    "'TABLE|PORT|OTHER'), wait until APPL_DB has neither, write the correct one, start the port: rocecfg explain "
    "sonic-overlap",
}
