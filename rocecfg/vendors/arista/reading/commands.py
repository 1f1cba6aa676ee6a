"""The table of EOS: what each of its commands sets, by mode, what takes it back, and which settings it bears on.

Reading (`parse`), the domain (`domain`) and changes (`change`) follow from it.

Ranges are the AVD schema's where it has one; those of the watchdog's times and of kbit/s are Arista's manual's, as
others quote them. The polling interval's upper bound is told as 30 and as 60 seconds: the wider one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import Percent
from rocecfg.model.catalogue import find_compared_setting
from rocecfg.vendors.arista.reading.grammar import Values, find_names, loosen_pattern, match_form
from rocecfg.vendors.arista.reading.modes import DEFAULTS, GLOBAL, MMU, OWN_WORDS, PLAIN, PORT, PROFILE, QUEUE

GONE: Final = "gone"  # a setting that a `no` takes back: what holds then is another layer's, or EOS's own
REFUSED: Final = "refused"  # there, but not as EOS takes it: what was meant is not known
ITSELF: Final = "auto"  # EOS works it out
_STATED: Final = object()  # a setting's value is the first one in its command, but for `each`

ACTIONS = {"drop": "drop", "notify-only": "alert", "errdisable": "errdisable"}  # of the watchdog; and an intent's words
PAUSES = {"off": (False, False), "rx": (False, True), "tx": (True, False), "on": (True, True)}  # is sent, is obeyed

Key = str | tuple[str, int]


class Form(NamedTuple):
    """A command: what it sets, what is not known where a value in it is refused, and what it bears on."""

    pattern: str
    keys: tuple[str, ...]  # what it sets, by the reader's names
    value: Any = _STATED  # for each of them; or what makes it of the values in the command: None where it sets nothing
    each: str = ""  # the value that tells which settings of that name
    head: str = ""  # what is read behind `no`, where it can be taken back
    no: Any = GONE  # what holds of the first of them behind `no`; behind `default` nothing is said
    cut: bool = False  # whether we type no more than that behind `no`
    says: tuple[str, ...] = ()  # the settings that it bears on, by their names in a difference
    by: tuple[str, ...] = ()  # those whose change sets it
    spoils: tuple[str, ...] = ()
    unread: str = ""  # why it is not checked
    beside: str = ""  # why nothing that is compared hangs on it; and who says so
    source: str = ""

    def list_set(self, values: Values) -> Iterator[tuple[Key, Any]]:
        """What it sets, with these values in it."""
        if not self.keys:
            return
        value = self.value(values) if callable(self.value) else self.value
        if value is _STATED:
            value = next(values[name] for name in find_names(self.pattern) if name != self.each)
        if value is not None:
            named = zip(self.keys, value, strict=True) if len(self.keys) > 1 else ((key, value) for key in self.keys)
            for key, one in named:
                yield from ((each, one) for each in self._number(key, values))

    def list_taken_back(self, values: Values, sign: str) -> Iterator[tuple[Key, Any]]:
        """What it takes back behind `no` or `default`."""
        for at, key in enumerate(self.keys):
            yield from ((each, self.no if sign == "no" and not at else GONE) for each in self._number(key, values))

    def _number(self, key: str, values: Values) -> tuple[Key, ...]:
        if not self.each:
            return (key.format_map(values),)
        which = values[self.each]
        return tuple((key, number) for number in (which if isinstance(which, list) else [which]))


class NoForm(NamedTuple):
    """What is read behind `no` and `default`, and the command that it takes back."""

    pattern: str
    form: Form


def _form(text: str, *keys: str, says: str | None = None, by: str | None = None, **more: Any) -> Form:
    """A command, written with `/` where it may end behind `no`; with `//` where we end it there, too.

    `says`: left out, the setting is named as what it sets. `by`: left out, the same settings, if it is judged.
    """
    head, cut, tail = text.partition(" /")
    if says is None:
        says = keys[0] if keys and find_compared_setting(keys[0]) else ""
    changed = (says if keys and "unread" not in more else "") if by is None else by
    more["head"] = head if cut else ""
    more["cut"] = tail[:1] == "/"
    return Form(head + tail.removeprefix("/"), keys, says=tuple(says.split()), by=tuple(changed.split()), **more)


def _taken_back(pattern: str, *keys: str) -> Form:
    """What is read behind `no` alone."""
    return Form("", keys, head=pattern)


def _beside(pattern: str, why: str, source: str, *keys: str, says: str = "", **more: Any) -> Form:
    """A command on which nothing that is compared hangs; and who says so. `says`: what one that begins alike may."""
    return _form(pattern, *keys, says=says, by="", beside=why, source=source, **more)


def _read_curve(v: Values) -> Any:
    pair = (v["minimum-threshold"], v["unit"], v["maximum-threshold"], v["unit2"])
    return (*pair, v.get("max-mark-probability", 100), v.get("weight", 0))


def _read_rate(v: Values) -> Any:
    """A rate in bit/s, or a share as Percent; None of packets."""
    if "percent" in v or v.get("unit") == "percent":
        return Percent(v["percent"] if "percent" in v else v["rate"])
    return v["rate"] * 1000 if v.get("unit", "kbps") == "kbps" else None


def _read_size(v: Values) -> Any:
    return v["size"], v.get("unit", "bytes")


def _read_timer(v: Values) -> Any:
    return v["timeout"], v.get("polling-interval", ITSELF), v["recovery-time"]


_AVD, _SCHEMA, _MANUAL, _SEEN = "AVD", "AVD schema", "EOS user manual", "running-config of 7260CX3"
ALPHAS = "1/128|1/64|1/32|1/16|1/8|1/4|1/2|1|2|4|8"
_TIME = "0.01-60/2"
_POLL = "0.005-60/3"
_UNIT = "segments|bytes|kbytes|mbytes|milliseconds|microseconds"
_SIZES = "segments|bytes|kbytes|mbytes"
_KBPS = "1-4294967295"
_RESPONSIVE = "a responsive scheduler"
MULTICAST = "a queue for multicast packets"
DOG = "priority-flow-control pause watchdog"
BALANCING = "ip hardware fib load-balance distribution"
_SORTED = "dscp pcp"
_MARKED = "ecn discards"
_PAUSED = "pfc watchdog"
_WATCHED = "watchdog recovers"
_TIMES = "watchdog watchdog.detection_time watchdog.restoration_time watchdog.poll_interval"
_ACTION = "watchdog watchdog.action"
_BUFFERS = "headroom group buffers"
_OF_MMU = f"{_BUFFERS} pool egress"
_OPENS = "opens the mode of a queue: what stands in it counts"
_LABEL = "a label that nothing uses"


def _make_thresholds(units: str) -> str:
    return " ".join(
        f"{end}-threshold {{{end}-threshold:1-256000000}} {{{unit}:{units}}}"
        for end, unit in (("minimum", "unit"), ("maximum", "unit2"))
    )


# fmt: off
_DELAY = _form("random-detect ecn delay threshold {time:1-1000000} {unit:milliseconds|microseconds}", "delay",
               value=True, says=_MARKED, unread="marking by the time that packets wait")
_BOTH = (  # below a port, and in a profile
    _taken_back("qos trust {what...}", "trust"),
    _form("qos trust // dscp", "trust", value="dscp", no="none"),
    _form("qos trust // cos", "trust", value="pcp", no="none"),
    _form("qos cos / {cos:0-7}", "unmarked"),
    _form("qos dscp / {DSCP:0-63}", "untrusted", says="unmarked", by=""),
    _taken_back("qos {what...}"),
    _form("priority-flow-control // on", "pfc", value=True, says=_PAUSED, by="pfc"),
    _form("priority-flow-control priority {priority:0-7} // no-drop", "prio", each="priority", value=True,
          says=_PAUSED, by="pfc"),
    _form("priority-flow-control priority {priority:0-7} // drop", "prio", each="priority", value=False,
          says=_PAUSED, by="pfc"),
    _form(f"{DOG} //", "watchdog", value=True, no=False, says=_WATCHED, by="watchdog"),
    _form(f"{DOG} port action // {{action:drop|notify-only}}", "action", says=_WATCHED, by=_ACTION),
    _form(f"{DOG} port timer // timeout {{timeout:{_TIME}}} polling-interval auto recovery-time "
          f"{{recovery-time:{_TIME}}} [forced]", "timeout", "polling", "recovery", value=_read_timer, says=_WATCHED,
          by=_TIMES, spoils=("timeout", "recovery")),
    _form(f"{DOG} port timer // timeout {{timeout:{_TIME}}} polling-interval {{polling-interval:{_POLL}}} "
          f"recovery-time {{recovery-time:{_TIME}}} [forced]", "timeout", "polling", "recovery", value=_read_timer,
          says=_WATCHED, by=_TIMES, spoils=("timeout", "polling", "recovery")),
    _form(f"shape rate / {{rate:{_KBPS}}} [{{unit:kbps|pps|percent}}]", "port shape", value=_read_rate,
          says="max_rate", unread="the shaper of a whole port"),
    _form("service-policy type qos input {policy}", "policy", says=_SORTED, by=""),
    _form("service-policy type quality-of-service input {policy}", "policy", says=_SORTED, by=""),
    _taken_back("service-policy {what...}", "policy"),
    *(_beside(f"{queue} {{queue:0-7}} /", _OPENS, _AVD, "queue", each="queue", value=True, says="shares")
      for queue in ("tx-queue", "uc-tx-queue")),
    _beside("mc-tx-queue {queue:0-7} /", _OPENS, _AVD, says="shares"),
)
_PORT = (
    *_BOTH,
    _form("service-policy input {policy}", "policy", says=_SORTED, by=""),
    _form("service-policy type qos output {policy}", says="shares max_rate guaranteed",
          unread="a policy on what is sent"),
    _form("service-policy type {kind:qos|quality-of-service} / {what...}", says=_SORTED),
    _beside("service-policy type {kind...}", "chooses a next hop or guards the CPU: no queue", _AVD),
    _form("service-policy {kind...}", says=_SORTED),
    _form("service-profile / {profile}", "profile", says="pfc watchdog trust ecn shares", by=""),
    _form("dcbx mode // {mode:ieee|cee}", "dcbx", "dcbx version", value=lambda v: ("on", v["mode"]), no="off"),
    _form("dcbx mode // none", "dcbx", value="off", no="off"),
    _beside("dcbx application {what...}", "settings sent to a host, not of the switch",
            "running-config all of 7260CX3", says="dcbx"),
    _taken_back("dcbx {what...}"),
    _form("flowcontrol {way:send|receive} // {state:on|off|desired}", "{way}", value=lambda v: v["state"] != "off",
          no=False, says="flowcontrol"),
    _form("mtu / {mtu:68-65535}", "mtu"),
    _form("speed / {speed...}", "speed", says="speed autoneg", by=""),
    _form("tx-scheduler {what...} /", says="shares", unread="what the scheduler counts of each packet"),
    _form("shutdown /", "up", value=False, by=""),
    _taken_back("error-correction encoding {what...}", "fec"),
    _form("error-correction encoding / {encoding...}", "fec", no="none", by=""),
    _beside("error-correction / {what...}", "how FEC is negotiated", _AVD, says="fec"),
    _beside("channel-group recirculation {number:1-999999}", "no port of the front panel", _AVD),
    _form("channel-group / {number:1-999999} [mode {mode:active|passive|on}]", "group", says="lag layer trust mtu",
          by=""),
    _form("switchport /", "layer", value=2, no=3, says="layer trust mtu", by=""),
    _beside("switchport mode", "which VLANs; that the port is in layer 2 is read", _AVD, "vlans", value=True),
    _beside("ip address", "which address; that the port is routed is read", _AVD, "routed", value=True),
    *(_form(f"{kind} access-group {{acl}} {{way:in|out}}", f"{kind} acl {{way}}") for kind in ("ip", "ipv6", "mac")),
    _form("platform trident mmu queue interface-profile / {mmu}", "mmu", says=_OF_MMU, by=_BUFFERS),
    _taken_back("platform {what...}"),
    _beside("profile {name...} /", "of an interface profile: reported as not checked where a port binds it", _AVD,
            unread="what a port takes from an interface profile"),
    _DELAY,
    _taken_back("random-detect {what...}", "delay"),
)
_QUEUE = (
    _form("priority // strict", "strict", value=True, no=False, says="shares"),
    _form("bandwidth percent // {percent:1-100}", "share", says="shares"),
    _form("bandwidth guaranteed // percent {percent:1-100}", "guaranteed", value=_read_rate),
    _form(f"bandwidth guaranteed // {{rate:{_KBPS}}} [kbps]", "guaranteed", value=_read_rate),
    _form(f"shape rate // {{rate:{_KBPS}}} [{{unit:kbps|percent}}]", "shape", value=_read_rate, says="max_rate"),
    _form(f"shape rate {{rate:{_KBPS}}} pps", says="max_rate", unread="a shaper in packets a second"),
    _form(f"random-detect ecn // {_make_thresholds(_UNIT)} [max-mark-probability {{max-mark-probability:1-100}}] "
          "[weight {weight:0-15}]", "ecn", value=_read_curve, says=_MARKED, by="ecn", spoils=("ecn",)),
    _form("random-detect ecn count /", "count", value=True, says="counted", by="ecn counted"),
    _DELAY,
    _taken_back("random-detect ecn delay [{what...}]", "delay"),
    _form(f"random-detect drop // [drop-precedence {{drop-precedence:0-2}}] {_make_thresholds(_UNIT)} "
          "drop-probability {drop-probability:1-100} [weight {weight:0-15}]", "drop", value=True, says=_MARKED,
          by="discards", unread="what a queue drops by"),
    _form("scheduler profile responsive", says="shares", unread=_RESPONSIVE),
    _taken_back("scheduler {what...}"),
    _form("latency maximum {time:1-4294967295} {unit:milliseconds|microseconds}", says="shares",
          unread="a queue's latency"),
    _taken_back("latency {what...}"),
)
_DEFAULTS = (_form("mtu / {mtu:68-65535}", "mtu", by=""),)
_MMU_SIZE = "[{unit:bytes|cells}] {size:0-33554432}"
_RESERVED = "memory that an MMU queue profile reserves"
_DROPPING = "egress thresholds of an MMU queue profile"
_MMU = (
    _taken_back("ingress {what...}"),
    _taken_back("egress {what...}"),
    *(_form(text, *keys, says=_OF_MMU, by="", **more) for text, keys, more in (
        (f"ingress threshold {{alpha:{ALPHAS}}}", ("alpha",), {}),
        (f"ingress headroom {_MMU_SIZE}", ("headroom",), {"value": _read_size}),
        (f"ingress reserved {_MMU_SIZE}", (), {"unread": _RESERVED}),
        ("ingress resume {size:0-33554432}", (), {"unread": "the resume threshold (XON) of an MMU queue profile"}),
        (f"ingress priority-group {{priority-group:0-7}} threshold {{alpha:{ALPHAS}}}", ("group",),
         {"each": "priority-group"}),
        (f"ingress priority-group {{priority-group:0-7}} reserved {_MMU_SIZE}", (), {"unread": _RESERVED}),
        (f"egress {{cast:unicast|multicast}} queue {{queue:0-7}} reserved {_MMU_SIZE}", (), {"unread": _RESERVED}),
        (f"egress unicast queue {{queue:0-7}} threshold {{alpha:{ALPHAS}}}", ("threshold",),
         {"each": "queue", "unread": _DROPPING}),
        (f"egress multicast queue {{queue:0-7}} threshold {{alpha:{ALPHAS}}}", (), {"unread": _DROPPING}),
        ("egress {cast:unicast|multicast} queue {queue:0-7} drop-precedence {level:1-2} drop-threshold {at}", (),
         {"unread": _DROPPING}),
    )),
)
_TO_CLASS = "to traffic-class {traffic-class:0-7}"
_OF_CLASS = "qos map traffic-class {traffic-class*:0-7} to"
_GLOBAL = (
    _form("qos rewrite dscp /", "rewrite", value=True, says="remarks"),
    _form("qos rewrite {what...}", says="remarks", unread="what is written into the marks of packets"),
    _form(f"qos map dscp {{DSCP*:0-63}} / {_TO_CLASS}", "dscp", each="DSCP", says=_SORTED, by="dscp"),
    _form(f"qos map dscp {{DSCP*:0-63}} {_TO_CLASS} drop-precedence {{drop-precedence:0-2}}", "dscp", each="DSCP",
          says="discards", unread="drop precedences"),
    _form(f"qos map cos {{CoS*:0-7}} / {_TO_CLASS}", "cos", each="CoS", says=_SORTED, by="pcp trust"),
    _beside(f"qos map exp {{exp*:0-7}} {_TO_CLASS}", "MPLS's field; RoCEv2 is sorted by DSCP or 802.1p", _SCHEMA,
            says=_SORTED),
    *(_form(f"{_OF_CLASS} {queue} / {{queue:0-7}}", "tc", each="traffic-class", says=_SORTED, by="")
      for queue in ("tx-queue", "uc-tx-queue")),
    _form(f"{_OF_CLASS} mc-tx-queue {{queue:0-7}}", says="shares", unread=MULTICAST),
    _form(f"{_OF_CLASS} dscp / {{DSCP:0-63}}", "remark", each="traffic-class", says="remarks", by=""),
    _beside(f"{_OF_CLASS} {{what:cos|exp}} {{value:0-7}}",
            "MPLS's field; and 802.1p's, under qos rewrite cos alone, which is reported as not checked", _AVD,
            says=_SORTED),
    _form("qos random-detect ecn allow non-ect [chip-based]", says=_MARKED,
          unread="packets without ECN in marked queues"),
    _form(f"qos random-detect ecn global-buffer {_make_thresholds(_SIZES)}", says=_MARKED,
          unread="marking by the fill of the whole buffer"),
    _form("qos tx-queue shape rate percent adaptive", says="max_rate", unread="what percentages of shapers are of"),
    _form("qos tx-queue {queue:0-7} scheduler profile responsive", says="shares", unread=_RESPONSIVE),
    _beside("qos {kind:tx-queue|uc-tx-queue|mc-tx-queue|traffic-class} {queue:0-7} name {name}", _LABEL, _SEEN,
            says="shares"),
    _taken_back("qos {what...}"),
    _form("priority-flow-control all / off", "all off", value=True, says=_PAUSED, by=""),
    _form(f"{DOG} default timeout // {{timeout:{_TIME}}}", "timeout", says=_WATCHED, by=_TIMES, spoils=("timeout",)),
    _form(f"{DOG} default recovery-time // {{recovery-time:{_TIME}}}", "recovery", says=_WATCHED, by=_TIMES,
          spoils=("recovery",)),
    _form(f"{DOG} default polling-interval // {{polling-interval:{_POLL}}}", "polling", says=_WATCHED, by=_TIMES,
          spoils=("polling",)),
    _form(f"{DOG} action // {{action:drop|errdisable|notify-only}}", "action", says=_WATCHED, by=_ACTION),
    _form(f"{DOG} override action / drop", "override", value=True, says=_WATCHED, by=_ACTION),
    _form(f"{BALANCING} / {{way:dynamic|hash}}", "balancing", says="load_balancing"),
    _form(f"{BALANCING} dynamic // flow-set-size {{size:1-7}}", "balancing", value="dynamic", says="load_balancing"),
    _form("errdisable recovery cause stuck-queue /", "recovers", value=True, no=False, says=_WATCHED, by="recovers"),
    _beside("errdisable {what:detect|recovery|flap-setting} {which...}", "what else may disable a port", _AVD,
            says=_WATCHED),
    _taken_back("errdisable {what...}"),
    _form("hardware counter feature ecn / {way...}", "ecn counters", value=True, says="counts_marks"),
    _beside("hardware {what...} /", "counters of policy-maps, tables and access lists", _SCHEMA),
    _form("platform trident mmu headroom-pool limit / [{unit:bytes|cells}] {size:1-33554432}", "pool",
          value=_read_size, says=_OF_MMU, by=_BUFFERS),
    _form("platform trident mmu queue profile {mmu} apply /", "mmu", says=_OF_MMU, by=_BUFFERS),
    _form("platform trident mmu / {what...}", says=_OF_MMU),
    _form("platform sand qos map traffic-class {traffic-class*:0-7} to network-qos {network-qos:0-63}", says=_SORTED,
          unread="the map of traffic classes to network QoS"),
    _form("platform sand qos / {what...}", says=_SORTED),
    _form("platform fap buffering {what...}", says=_OF_MMU, unread="the buffering profile of the fabric processor"),
    _form("platform fap voq / {what...}", says="shares", unread="the credits of the fabric's virtual output queues"),
    _form("platform fap / {what...}", says=_OF_MMU),
    _beside("platform {what...} /", "tables of the chip, no queue", _AVD),
    _form("flow exhaustion action {what...}", says="dscp pcp remarks",
          unread="how flows beyond a cluster's limit are marked and sorted"),
    _beside("hostname / {hostname}", "what the switch is called", _AVD, "hostname"),
    _beside("switchport default mode routed", "which VLANs; that the port is in layer 2 is read", _AVD, "routed",
            value=True),
    _beside("switchport {what...} /", "which VLANs; that the port is in layer 2 is read", _AVD),
    *(_beside(text, "of the session, not of the switch", _MANUAL)
      for text in ("boot {what...} /", "configure [{what...}]", "commit [{what...}]", "abort", "rollback {what...}")),
    *(_beside(f"{kind} {{what...}} /", "sorts nothing until a port binds it, and is reported with that line", _AVD)
      for kind in ("class-map", "policy-map")),
    _taken_back("interface {what...}"),
)
# fmt: on
_TABLE = {PORT: _PORT, PROFILE: _BOTH, QUEUE: _QUEUE, MMU: _MMU, GLOBAL: _GLOBAL, DEFAULTS: _DEFAULTS}
FORMS = {mode: tuple(form for form in forms if form.pattern) for mode, forms in _TABLE.items()}
NO_FORMS = {
    mode: tuple(NoForm(text, form) for form in forms if form.head for text in loosen_pattern(form.head, form.pattern))
    for mode, forms in _TABLE.items()
}
_BY_MORE_WORDS = ("ip", "flow")  # in the global mode other features' commands begin so, too: OF_ECMP, WITHIN_FOREIGN
WORDS = {
    mode: {word: PLAIN for form in FORMS.get(mode, ()) if (word := form.pattern.split(" ")[0]) not in _BY_MORE_WORDS}
    | own
    for mode, own in OWN_WORDS.items()
}


def spell_undo(mode: str, line: str) -> str:
    """What takes back what a line says; below an interface `no` may say something of its own, against its profile."""
    words = strip_sign(line).split(" ")
    for pattern, form in NO_FORMS[mode]:
        if form.pattern and match_form(pattern, words) is not None:
            sign = "no" if form.no is GONE or mode == GLOBAL else "default"
            return " ".join((sign, *(words[: len(form.head.split())] if form.cut else words)))
    return f"no {' '.join(words)}"


def strip_sign(line: str) -> str:
    """A command without `no` or `default` before it."""
    return line.removeprefix("no ").removeprefix("default ")
