"""What EOS's commands bear on: which settings a line may set, and of which lines nothing is to be known.

Every line of a mode that is read here either sets something, or is told as not understood, or stands in `BESIDE`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from rocecfg.core.records import NamedTuple

BUFFERS = ("headroom", "group", "buffers", "pool")
OF_SWITCH = frozenset(
    {"dscp", "pcp", "remarks", "recovers", "buffers", "pool", "load_balancing"}
)  # settings that no port has by itself


class Beside(NamedTuple):
    """Lines of EOS that set nothing which is compared: how they begin, why not, and who says so."""

    begin: str
    why: str
    source: str


BESIDE = (
    Beside("(?:(?:tx|uc-tx|mc-tx)-queue [0-9]|queue$)", "opens the mode of a queue: what stands in it counts", "AVD"),
    Beside(
        "qos (?:traffic-class|tx-queue|uc-tx-queue|mc-tx-queue) [0-9] name ",
        "a label that nothing uses",
        "running-config of 7260CX3",
    ),
    Beside(
        "qos map (?:exp |traffic-class .* to exp)", "MPLS's field; RoCEv2 is sorted by DSCP or 802.1p", "AVD schema"
    ),
    Beside(
        "qos map traffic-class .* to cos",
        "does nothing but under qos rewrite cos, which is reported as not checked",
        "AVD",
    ),
    Beside("service-policy type (?!qos|quality-of-service)", "chooses a next hop or guards the CPU: no queue", "AVD"),
    Beside("(?:class-map|policy-map)", "sorts nothing until a port binds it, and is reported with that line", "AVD"),
    Beside("(?:match|class|set|police) ", "of a policy-map: reported with the line that binds it", "AVD"),
    Beside("dcbx application ", "settings sent to a host, not of the switch", "running-config all of 7260CX3"),
    Beside("error-correction (?!encoding)", "how FEC is negotiated", "AVD"),
    Beside("channel-group recirculation", "no port of the front panel", "AVD"),
    Beside("errdisable (?!recovery cause stuck-queue)", "what else may disable a port", "AVD"),
    Beside("hardware (?!counter feature ecn)", "counters of policy-maps, tables and access lists", "AVD schema"),
    Beside("platform (?!trident mmu|sand qos|fap)", "tables of the chip, no queue", "AVD"),
    Beside("switchport (?!$)", "which VLANs; that the port is in layer 2 is read", "AVD"),
    Beside("(?:boot|configure|commit|abort|rollback)\\b", "of the session, not of the switch", "EOS user manual"),
    Beside("interface ", "takes a whole interface back, or opens it: what stands in it counts", "EOS user manual"),
    Beside("hostname", "what the switch is called", "AVD"),
    Beside("qos profile ", "opens a profile: what stands in it counts", "AVD"),
    Beside("queue-monitor ", "LANZ: reports of queue lengths", "AVD"),
    Beside(
        "(?:ip hardware fib (?!load-balance distribution)|port-channel )?load-balance ",
        "chooses among equal paths, and no queue",
        "AVD; EOS user manual, cluster load balancing",
    ),
    Beside(
        "(?:(?:forwarding|destination|aging|limit|port group|balance) |flow (?!exhaustion))",
        "of load-balance cluster: the same",
        "AVD; EOS user manual, cluster load balancing",
    ),
    Beside(
        "(?:description|load-interval|phy|vrf|spanning-tree|vlan|ip routing|ipv6)\\b",
        "of other features",
        "AVD",
    ),
    Beside("vxlan (?!qos)", "which interface and port a tunnel has; that there is one is read", "AVD"),
    Beside("ip address", "which address; that the port is routed is read", "AVD"),
    Beside("profile ", "of an interface profile: reported as not checked where a port binds it", "AVD"),
)

_SETTINGS = tuple(  # the first that a line begins with
    (re.compile(rf"(?:(?:no|default) )?(?:{words})"), settings)
    for words, settings in (
        (r"priority-flow-control (?:pause|watch)|errdisable", ("watchdog", "recovers")),
        (r"ip hardware fib load-balance distribution", ("load_balancing",)),
        (r"priority-flow-control|pfc|roce|dcqcn|congestion-control", ("pfc", "watchdog")),
        (r"(?:qos )?random-detect ecn count", ("counted",)),
        (r"(?:qos )?random-detect|ecn|wred", ("ecn", "discards")),
        (r"bandwidth guaranteed", ("guaranteed",)),
        (r"shape|qos tx-queue shape", ("max_rate",)),
        (r"service-policy type qos output", ("shares", "max_rate", "guaranteed")),
        (
            r"bandwidth|priority|scheduler|latency|tx-scheduler|(?:qos )?(?:uc-|mc-)?tx-queue|platform fap voq",
            ("shares",),
        ),
        (r"qos map traffic-class [\d ,-]+ to dscp|qos rewrite", ("remarks",)),
        (r"qos (?:dscp|cos)\b", ("unmarked",)),
        (r"flow exhaustion action", ("dscp", "pcp", "remarks")),
        (r"vxlan", ("dscp", "pcp", "remarks", "tunnels", "copies_dscp", "copied_by")),
        (r"qos map dscp .* drop-precedence", ("discards",)),
        (r"qos map traffic-class [\d ,-]+ to mc-tx-queue", ("shares",)),
        (r"qos map|service-policy|platform sand qos map", ("dscp", "pcp")),
        (r"qos trust", ("trust",)),
        (r"flowcontrol", ("flowcontrol",)),
        (r"mtu", ("mtu",)),
        (r"speed", ("speed", "autoneg")),
        (r"shutdown", ("up",)),
        (r"error-correction", ("fec",)),
        (r"dcbx", ("dcbx",)),
        (r"switchport", ("layer", "trust", "mtu")),
        (r"channel-group", ("lag", "layer", "trust", "mtu")),
        (r"service-profile", ("pfc", "watchdog", "trust", "ecn", "shares")),
        (r"hardware counter feature ecn", ("counts_marks",)),
        (r"platform|ingress|egress", (*BUFFERS, "egress")),
    )
)
_BESIDE = re.compile(f"(?:(?:no|default) )?(?:{'|'.join(one.begin for one in BESIDE)})")


def settings_of(line: str) -> tuple[str, ...]:
    """The settings, by their names in the catalogue, that a line may bear on; (): not known which."""
    return next((settings for begin, settings in _SETTINGS if begin.match(line)), ())


@lru_cache(maxsize=4096)
def is_beside(line: str) -> bool:
    """Whether nothing that is compared hangs on a line."""
    return _BESIDE.match(line) is not None
