"""What each command of EOS sets, by mode; `parse` holds the logic.

Ranges are the AVD schema's where it has one; those of the watchdog's times and of kbit/s are Arista's manual's, as
others quote them. The polling interval's upper bound is told as 30 and as 60 seconds: the wider one is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import Percent
from rocecfg.vendors.arista.reading.grammar import Values
from rocecfg.vendors.arista.reading.modes import DEFAULTS, GLOBAL, MMU, PORT, PROFILE, QUEUE

GONE: Final = "gone"  # a setting that a `no` takes back: what holds then is another layer's, or EOS's own
REFUSED: Final = "refused"  # there, but not as EOS takes it: what was meant is not known
ITSELF: Final = "auto"  # EOS works it out

Key = str | tuple[str, int]
Sets = Iterable[tuple[Key, Any]]
ALPHAS = "1/128|1/64|1/32|1/16|1/8|1/4|1/2|1|2|4|8"
_TIME = "0.01-60/2"
_POLL = "0.005-60/3"
_UNIT = "segments|bytes|kbytes|mbytes|milliseconds|microseconds"
_THRESHOLDS = (
    f"minimum-threshold {{minimum-threshold:1-256000000}} {{unit:{_UNIT}}} "
    f"maximum-threshold {{maximum-threshold:1-256000000}} {{unit2:{_UNIT}}}"
)
_KBPS = "1-4294967295"
_RESPONSIVE = "a responsive scheduler"
MULTICAST = "a queue for multicast packets"


class Form(NamedTuple):
    """A command, what it sets, and what is not known where a value in it is refused."""

    pattern: str
    sets: Callable[[Values], Sets]
    spoils: tuple[str, ...] = ()  # settings
    unread: str = ""  # why it is not judged


def _set_nothing(_: Values) -> Sets:
    return ()


def _set_value(key: str, value: Any) -> Callable[[Values], Sets]:
    return lambda _: ((key, value),)


def _copy_value(key: str, name: str) -> Callable[[Values], Sets]:
    return lambda v: ((key, v[name]),)


def _bind_list(kind: str) -> Callable[[Values], Sets]:
    return lambda v: ((f"{kind} acl {v['way']}", v["acl"]),)


def _set_timer(v: Values) -> Sets:
    poll = v.get("polling-interval", ITSELF)
    return (("timeout", v["timeout"]), ("polling", poll), ("recovery", v["recovery-time"]))


def _set_curve(v: Values) -> Sets:
    pair = (v["minimum-threshold"], v["unit"], v["maximum-threshold"], v["unit2"])
    return (("ecn", (*pair, v.get("max-mark-probability", 100), v.get("weight", 0))),)


def _set_rate(key: str) -> Callable[[Values], Sets]:
    """A rate in bit/s, or a share as Percent."""

    def sets(v: Values) -> Sets:
        if "percent" in v or v.get("unit") == "percent":
            return ((key, Percent(v["percent"] if "percent" in v else v["rate"])),)
        return ((key, v["rate"] * 1000),) if v.get("unit", "kbps") == "kbps" else ()

    return sets


_BOTH = (  # below a port, and in a profile
    Form("qos trust dscp", _set_value("trust", "dscp")),
    Form("qos trust cos", _set_value("trust", "pcp")),
    Form("qos cos {cos:0-7}", _copy_value("unmarked", "cos")),
    Form("qos dscp {DSCP:0-63}", _copy_value("untrusted", "DSCP")),
    Form("priority-flow-control on", _set_value("pfc", value=True)),
    Form("priority-flow-control priority {priority:0-7} no-drop", lambda v: ((("prio", v["priority"]), True),)),
    Form("priority-flow-control priority {priority:0-7} drop", lambda v: ((("prio", v["priority"]), False),)),
    Form("priority-flow-control pause watchdog", _set_value("watchdog", value=True)),
    Form("priority-flow-control pause watchdog port action {action:drop|notify-only}", _copy_value("action", "action")),
    Form(
        f"priority-flow-control pause watchdog port timer timeout {{timeout:{_TIME}}} polling-interval auto "
        f"recovery-time {{recovery-time:{_TIME}}} [forced]",
        _set_timer,
        ("timeout", "recovery"),
    ),
    Form(
        f"priority-flow-control pause watchdog port timer timeout {{timeout:{_TIME}}} "
        f"polling-interval {{polling-interval:{_POLL}}} recovery-time {{recovery-time:{_TIME}}} [forced]",
        _set_timer,
        ("timeout", "polling", "recovery"),
    ),
    Form(
        f"shape rate {{rate:{_KBPS}}} [{{unit:kbps|pps|percent}}]",
        _set_rate("port shape"),
        unread="the shaper of a whole port",
    ),
    Form("service-policy type qos input {policy}", _copy_value("policy", "policy")),
    Form("service-policy type quality-of-service input {policy}", _copy_value("policy", "policy")),
    Form("tx-queue {queue:0-7}", lambda v: ((("queue", v["queue"]), True),)),
    Form("uc-tx-queue {queue:0-7}", lambda v: ((("queue", v["queue"]), True),)),
    Form("mc-tx-queue {queue:0-7}", _set_nothing),
)
_PORT = (
    *_BOTH,
    Form("service-policy input {policy}", _copy_value("policy", "policy")),
    Form("service-policy type qos output {policy}", _set_nothing, unread="a policy on what is sent"),
    Form("service-policy {kind...}", _set_nothing),
    Form("service-profile {profile}", _copy_value("profile", "profile")),
    Form("dcbx mode {mode:ieee|cee}", lambda v: (("dcbx", "on"), ("dcbx version", v["mode"]))),
    Form("dcbx mode none", _set_value("dcbx", "off")),
    Form("dcbx application {what...}", _set_nothing),
    Form("flowcontrol {way:send|receive} {state:on|off|desired}", lambda v: ((v["way"], v["state"] != "off"),)),
    Form("mtu {mtu:68-65535}", _copy_value("mtu", "mtu")),
    Form("speed {speed...}", _copy_value("speed", "speed")),
    Form("tx-scheduler {what...}", _set_nothing, unread="what the scheduler counts of each packet"),
    Form("shutdown", _set_value("up", value=False)),
    Form("error-correction encoding {encoding...}", _copy_value("fec", "encoding")),
    Form("error-correction {what...}", _set_nothing),
    Form("channel-group {number:1-999999} [mode {mode:active|passive|on}]", _copy_value("group", "number")),
    Form("channel-group recirculation {number:1-999999}", _set_nothing),
    Form("switchport", _set_value("layer", 2)),
    Form("switchport mode", _set_value("vlans", value=True)),
    Form("ip address", _set_value("routed", value=True)),
    *(Form(f"{kind} access-group {{acl}} {{way:in|out}}", _bind_list(kind)) for kind in ("ip", "ipv6", "mac")),
    Form("platform trident mmu queue interface-profile {mmu}", _copy_value("mmu", "mmu")),
    Form("profile {name...}", _set_nothing, unread="what a port takes from an interface profile"),
    Form(
        "random-detect ecn delay threshold {time:1-1000000} {unit:milliseconds|microseconds}",
        _set_value("delay", value=True),
        unread="marking by the time that packets wait",
    ),
)
_QUEUE = (
    Form("priority strict", _set_value("strict", value=True)),
    Form("bandwidth percent {percent:1-100}", _copy_value("share", "percent")),
    Form("bandwidth guaranteed percent {percent:1-100}", _set_rate("guaranteed")),
    Form(f"bandwidth guaranteed {{rate:{_KBPS}}} [kbps]", _set_rate("guaranteed")),
    Form(f"shape rate {{rate:{_KBPS}}} [{{unit:kbps|percent}}]", _set_rate("shape")),
    Form(f"shape rate {{rate:{_KBPS}}} pps", _set_nothing, unread="a shaper in packets a second"),
    Form(
        f"random-detect ecn {_THRESHOLDS} [max-mark-probability {{max-mark-probability:1-100}}] "
        "[weight {weight:0-15}]",
        _set_curve,
        ("ecn",),
    ),
    Form("random-detect ecn count", _set_value("count", value=True)),
    Form(
        "random-detect ecn delay threshold {time:1-1000000} {unit:milliseconds|microseconds}",
        _set_value("delay", value=True),
        unread="marking by the time that packets wait",
    ),
    Form(
        f"random-detect drop [drop-precedence {{drop-precedence:0-2}}] {_THRESHOLDS} "
        "drop-probability {drop-probability:1-100} [weight {weight:0-15}]",
        _set_value("drop", value=True),
        unread="what a queue drops by",
    ),
    Form("scheduler profile responsive", _set_nothing, unread=_RESPONSIVE),
    Form(
        "latency maximum {time:1-4294967295} {unit:milliseconds|microseconds}", _set_nothing, unread="a queue's latency"
    ),
)
_DEFAULTS = (Form("mtu {mtu:68-65535}", _copy_value("mtu", "mtu")),)
_MMU_SIZE = "[{unit:bytes|cells}] {size:0-33554432}"
_RESERVED = "memory that an MMU queue profile reserves"
_DROPPING = "egress thresholds of an MMU queue profile"
_MMU = (
    Form(f"ingress threshold {{alpha:{ALPHAS}}}", _copy_value("alpha", "alpha")),
    Form(f"ingress headroom {_MMU_SIZE}", lambda v: (("headroom", (v["size"], v.get("unit", "bytes"))),)),
    Form(f"ingress reserved {_MMU_SIZE}", _set_nothing, unread=_RESERVED),
    Form("ingress resume {size:0-33554432}", _set_nothing, unread="the resume threshold (XON) of an MMU queue profile"),
    Form(
        f"ingress priority-group {{priority-group:0-7}} threshold {{alpha:{ALPHAS}}}",
        lambda v: ((("group", v["priority-group"]), v["alpha"]),),
    ),
    Form(
        f"ingress priority-group {{priority-group:0-7}} reserved {_MMU_SIZE}",
        _set_nothing,
        unread=_RESERVED,
    ),
    Form(
        f"egress {{cast:unicast|multicast}} queue {{queue:0-7}} reserved {_MMU_SIZE}",
        _set_nothing,
        unread=_RESERVED,
    ),
    Form(
        f"egress unicast queue {{queue:0-7}} threshold {{alpha:{ALPHAS}}}",
        lambda v: ((("threshold", v["queue"]), v["alpha"]),),
        unread=_DROPPING,
    ),
    Form(f"egress multicast queue {{queue:0-7}} threshold {{alpha:{ALPHAS}}}", _set_nothing, unread=_DROPPING),
    Form(
        "egress {cast:unicast|multicast} queue {queue:0-7} drop-precedence {level:1-2} drop-threshold {at}",
        _set_nothing,
        unread=_DROPPING,
    ),
)
DOG = "priority-flow-control pause watchdog"
BALANCING = "ip hardware fib load-balance distribution"
_SIZES = "segments|bytes|kbytes|mbytes"
_GLOBAL = (
    Form("qos rewrite dscp", _set_value("rewrite", value=True)),
    Form("qos rewrite {what...}", _set_nothing, unread="what is written into the marks of packets"),
    Form(
        "qos map dscp {DSCP*:0-63} to traffic-class {traffic-class:0-7}",
        lambda v: ((("dscp", dscp), v["traffic-class"]) for dscp in v["DSCP"]),
    ),
    Form(
        "qos map dscp {DSCP*:0-63} to traffic-class {traffic-class:0-7} drop-precedence {drop-precedence:0-2}",
        lambda v: ((("dscp", dscp), v["traffic-class"]) for dscp in v["DSCP"]),
        unread="drop precedences",
    ),
    Form(
        "qos map cos {CoS*:0-7} to traffic-class {traffic-class:0-7}",
        lambda v: ((("cos", cos), v["traffic-class"]) for cos in v["CoS"]),
    ),
    Form("qos map exp {exp*:0-7} to traffic-class {traffic-class:0-7}", _set_nothing),
    *(
        Form(
            f"qos map traffic-class {{traffic-class*:0-7}} to {queue} {{queue:0-7}}",
            lambda v: ((("tc", tc), v["queue"]) for tc in v["traffic-class"]),
        )
        for queue in ("tx-queue", "uc-tx-queue")
    ),
    Form("qos map traffic-class {traffic-class*:0-7} to mc-tx-queue {queue:0-7}", _set_nothing, unread=MULTICAST),
    Form(
        "qos map traffic-class {traffic-class*:0-7} to dscp {DSCP:0-63}",
        lambda v: ((("remark", tc), v["DSCP"]) for tc in v["traffic-class"]),
    ),
    Form("qos map traffic-class {traffic-class*:0-7} to {what:cos|exp} {value:0-7}", _set_nothing),
    Form(
        "qos random-detect ecn allow non-ect [chip-based]", _set_nothing, unread="packets without ECN in marked queues"
    ),
    Form(
        f"qos random-detect ecn global-buffer minimum-threshold {{minimum-threshold:1-256000000}} {{unit:{_SIZES}}} "
        f"maximum-threshold {{maximum-threshold:1-256000000}} {{unit2:{_SIZES}}}",
        _set_nothing,
        unread="marking by the fill of the whole buffer",
    ),
    Form("qos tx-queue shape rate percent adaptive", _set_nothing, unread="what percentages of shapers are of"),
    Form("qos tx-queue {queue:0-7} scheduler profile responsive", _set_nothing, unread=_RESPONSIVE),
    Form("qos {kind:tx-queue|uc-tx-queue|mc-tx-queue|traffic-class} {queue:0-7} name {name}", _set_nothing),
    Form("priority-flow-control all off", _set_value("all off", value=True)),
    Form(f"{DOG} default timeout {{timeout:{_TIME}}}", _copy_value("timeout", "timeout"), ("timeout",)),
    Form(
        f"{DOG} default recovery-time {{recovery-time:{_TIME}}}",
        _copy_value("recovery", "recovery-time"),
        ("recovery",),
    ),
    Form(
        f"{DOG} default polling-interval {{polling-interval:{_POLL}}}",
        _copy_value("polling", "polling-interval"),
        ("polling",),
    ),
    Form(f"{DOG} action {{action:drop|errdisable|notify-only}}", _copy_value("action", "action")),
    Form(f"{DOG} override action drop", _set_value("override", value=True)),
    Form(f"{BALANCING} {{way:dynamic|hash}}", _copy_value("balancing", "way")),
    Form(f"{BALANCING} dynamic flow-set-size {{size:1-7}}", _set_value("balancing", "dynamic")),
    Form("errdisable recovery cause stuck-queue", _set_value("recovers", value=True)),
    Form("errdisable {what:detect|recovery|flap-setting} {which...}", _set_nothing),
    Form("hardware counter feature ecn {way...}", _set_value("ecn counters", value=True)),
    Form("hardware {what...}", _set_nothing),
    Form(
        "platform trident mmu headroom-pool limit [{unit:bytes|cells}] {size:1-33554432}",
        lambda v: (("pool", (v["size"], v.get("unit", "bytes"))),),
    ),
    Form("platform trident mmu queue profile {mmu} apply", _copy_value("mmu", "mmu")),
    Form(
        "platform sand qos map traffic-class {traffic-class*:0-7} to network-qos {network-qos:0-63}",
        _set_nothing,
        unread="the map of traffic classes to network QoS",
    ),
    Form("platform fap buffering {what...}", _set_nothing, unread="the buffering profile of the fabric processor"),
    Form("platform fap voq {what...}", _set_nothing, unread="the credits of the fabric's virtual output queues"),
    Form("platform {what...}", _set_nothing),
    Form(
        "flow exhaustion action {what...}",
        _set_nothing,
        unread="how flows beyond a cluster's limit are marked and sorted",
    ),
    Form("hostname {hostname}", _copy_value("hostname", "hostname")),
    Form("switchport default mode routed", _set_value("routed", value=True)),
    Form("switchport {what...}", _set_nothing),
    Form("boot {what...}", _set_nothing),
    Form("configure [{what...}]", _set_nothing),
    Form("commit [{what...}]", _set_nothing),
    Form("abort", _set_nothing),
    Form("rollback {what...}", _set_nothing),
    Form("class-map {what...}", _set_nothing),
    Form("policy-map {what...}", _set_nothing),
)

FORMS: dict[str, tuple[Form, ...]] = {
    PORT: _PORT,
    PROFILE: _BOTH,
    QUEUE: _QUEUE,
    MMU: _MMU,
    GLOBAL: _GLOBAL,
    DEFAULTS: _DEFAULTS,
}
