"""What commands behind `no` and `default` take back, by mode."""

from __future__ import annotations

from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.vendors.arista.reading.commands import BALANCING, DOG, GONE
from rocecfg.vendors.arista.reading.modes import DEFAULTS, GLOBAL, MMU, PORT, PROFILE, QUEUE


class Negative(NamedTuple):
    """A command behind `no` or `default`, and the setting concerned."""

    pattern: str
    key: str  # "": none that is kept
    no: Any = GONE
    default: Any = GONE
    each: str = ""  # the value that tells which settings of that name


_NOT_BOTH = (
    Negative("qos trust", "trust", no="none"),
    Negative("qos trust {what...}", "trust"),
    Negative("qos cos [{what}]", "unmarked"),
    Negative("qos dscp [{what}]", "untrusted"),
    Negative("qos {what...}", ""),
    Negative("priority-flow-control", "pfc"),
    Negative("priority-flow-control on", "pfc"),
    Negative("priority-flow-control priority {priority:0-7} [{what:no-drop|drop}]", "prio", each="priority"),
    Negative("priority-flow-control pause watchdog", "watchdog", no=False),
    Negative("priority-flow-control pause watchdog port action [{what}]", "action"),
    Negative("priority-flow-control pause watchdog port timer [{what...}]", "timer"),
    Negative("shape rate [{what...}]", "port shape"),
    Negative("service-policy {what...}", "policy"),
    Negative("tx-queue {queue:0-7}", "queue", each="queue"),
    Negative("uc-tx-queue {queue:0-7}", "queue", each="queue"),
    Negative("mc-tx-queue {queue:0-7}", ""),
)
NEGATIVES: dict[str, tuple[Negative, ...]] = {
    PROFILE: _NOT_BOTH,
    PORT: (
        *_NOT_BOTH,
        Negative("service-profile [{what}]", "profile"),
        Negative("dcbx mode [{what}]", "dcbx", no="off"),
        Negative("dcbx {what...}", ""),
        Negative("flowcontrol send [{what}]", "send", no=False),
        Negative("flowcontrol receive [{what}]", "receive", no=False),
        Negative("mtu [{what}]", "mtu"),
        Negative("speed [{what...}]", "speed"),
        Negative("shutdown", "up"),
        Negative("error-correction encoding", "fec", no="none"),
        Negative("error-correction encoding {what...}", "fec"),
        Negative("error-correction [{what...}]", ""),
        Negative("channel-group [{what...}]", "group"),
        Negative("switchport", "layer", no=3),
        Negative("platform trident mmu queue interface-profile [{name}]", "mmu"),
        Negative("platform {what...}", ""),
        Negative("profile {what...}", ""),
        Negative("random-detect {what...}", "delay"),
        Negative("tx-scheduler {what...}", ""),
    ),
    QUEUE: (
        Negative("priority [strict]", "strict", no=False),
        Negative("bandwidth percent [{what}]", "share"),
        Negative("bandwidth guaranteed [{what...}]", "guaranteed"),
        Negative("shape rate [{what...}]", "shape"),
        Negative("random-detect ecn", "ecn"),
        Negative("random-detect ecn count", "count"),
        Negative("random-detect ecn delay [{what...}]", "delay"),
        Negative("random-detect ecn minimum-threshold [{what...}]", "ecn"),
        Negative("random-detect drop [{what...}]", "drop"),
        Negative("scheduler {what...}", ""),
        Negative("latency {what...}", ""),
    ),
    DEFAULTS: (Negative("mtu [{what}]", "mtu"),),
    MMU: (Negative("ingress {what...}", ""), Negative("egress {what...}", "")),
    GLOBAL: (
        Negative("qos rewrite dscp", "rewrite"),
        Negative("qos map dscp {DSCP*:0-63} [to traffic-class {to}]", "dscp", each="DSCP"),
        Negative("qos map cos {CoS*:0-7} [to traffic-class {to}]", "cos", each="CoS"),
        *(
            Negative(f"qos map traffic-class {{traffic-class*:0-7}} to {queue} [{{to}}]", "tc", each="traffic-class")
            for queue in ("tx-queue", "uc-tx-queue")
        ),
        Negative("qos map traffic-class {traffic-class*:0-7} to dscp [{to}]", "remark", each="traffic-class"),
        Negative("qos {what...}", ""),
        Negative("priority-flow-control all [off]", "all off"),
        Negative(f"{DOG} action [{{what}}]", "action"),
        Negative(f"{DOG} default timeout [{{what}}]", "timeout"),
        Negative(f"{DOG} default recovery-time [{{what}}]", "recovery"),
        Negative(f"{DOG} default polling-interval [{{what}}]", "polling"),
        Negative(f"{DOG} override action [drop]", "override"),
        Negative(f"{BALANCING} [{{what...}}]", "balancing"),
        Negative("errdisable recovery cause stuck-queue", "recovers", no=False),
        Negative("errdisable {what...}", ""),
        Negative("hardware counter feature ecn [{what...}]", "ecn counters"),
        Negative("hardware {what...}", ""),
        Negative("platform trident mmu headroom-pool limit [{what...}]", "pool"),
        Negative("platform trident mmu queue profile {name} apply", "mmu"),
        Negative("platform {what...}", ""),
        Negative("hostname [{what}]", "hostname"),
        Negative("switchport {what...}", ""),
        Negative("boot {what...}", ""),
        Negative("class-map {what...}", ""),
        Negative("policy-map {what...}", ""),
        Negative("interface {what...}", ""),
    ),
}
