"""Junos: one thing is changed on a switch, and the change that is shown changes it back and nothing else."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from change_pairs import Case, lines
from checkout import ROOT
from junos_text import INTENTS, displayed, intent, rendered, typed, validate
from test_junos_change import CLASSIFIER, case, whole

from rocecfg.drift.intended import read_intended_settings
from rocecfg.model.catalogue import What
from rocecfg.vendors.junos.change.target import list_unsettable

COS = "class-of-service"
IF = f"{COS} interfaces"
CNP = f"{COS} congestion-notification-profile"
CLASS = f"{COS} forwarding-classes class"


def plus(*statements: str) -> Callable[[str], str]:
    """A text with more statements."""
    return lambda text: text + "".join(f"set {each}\n" for each in statements)


def minus(*words: str) -> Callable[[str], str]:
    """A text without the lines that have any of these words."""
    return lambda text: "".join(f"{line}\n" for line in text.splitlines() if not any(each in line for each in words))


def with_(old: str, new: str) -> Callable[[str], str]:
    """A text with other words."""
    return lambda text: text.replace(old, new)


def both(*edits: Callable[[str], str]) -> Callable[[str], str]:
    """One edit after the other."""

    def edit(text: str) -> str:
        for each in edits:
            text = each(text)
        return text

    return edit


DLB = "forwarding-options enhanced-hash-key ecmp-dlb"
RX = "interfaces et-0/0/49 ether-options configured-flow-control rx-buffers"
TX = "interfaces et-0/0/49 ether-options configured-flow-control tx-buffers"
IN_LAG = both(
    minus("et-0/0/2 mtu", "et-0/0/3 mtu"), plus(*(f"interfaces et-0/0/{n} ether-options 802.3ad ae1" for n in (2, 3)))
)
MAP, LOW = f"{COS} scheduler-maps ROCE-MAP forwarding-class", f"{COS} schedulers X priority low"
DROPS = f"{COS} schedulers CNP-SCHED drop-profile-map"
OTHER_MAP = f"{IF} et-0/0/40 scheduler-map OTHER"
CN, OUT = "congestion-notification-profile", "output ieee-802.1"
UNIT = "interfaces et-0/0/0:0 unit 0 family inet"
CURVE = (
    *(f"set {COS} drop-profiles RDMA-ECN interpolate fill-level {fill}" for fill in (55, 90)),
    *(f"set {COS} drop-profiles RDMA-ECN interpolate drop-probability {percent}" for percent in (0, 100)),
)
MARKING = (
    f"set {COS} schedulers RDMA-SCHED drop-profile-map loss-priority any protocol any drop-profile RDMA-ECN",
    f"set {COS} schedulers RDMA-SCHED explicit-congestion-notification",
)
OLD = both(with_("class RDMA queue-num 3", "class OLD queue-num 5"), with_("class RDMA", "class OLD"))
ONE_CHANGE: list[tuple[str, Callable[[str], str], tuple[str, ...]]] = [  # what runs and is meant, the edit, the change
    ("junos os paused", minus("flow-control "), (f"set {RX} on", f"set {TX} off")),
    ("junos os paused", with_(f"{RX} on", f"{RX} off"), (f"set {RX} on",)),
    (
        "leaf",
        plus("interfaces et-0/0/64 ether-options flow-control"),
        ("delete interfaces et-0/0/64 ether-options flow-control",),
    ),
    (  # an MTU that carries what is meant stays
        "junos os paused",
        both(
            minus("flow-control "),
            with_("et-0/0/49 mtu 9014", "et-0/0/49 mtu 9216"),
            plus("interfaces et-0/0/49 unit 0 family inet mtu 9000"),
        ),
        (f"set {RX} on", f"set {TX} off"),
    ),
    ("leaf", with_("et-0/0/64 mtu 9014", "et-0/0/64 mtu 1514"), ("set interfaces et-0/0/64 mtu 9014",)),
    (
        "leaf",
        both(
            with_("et-0/0/64 mtu 9014", "et-0/0/64 mtu 1514"), plus("interfaces et-0/0/64 unit 0 family inet mtu 1500")
        ),
        ("delete interfaces et-0/0/64 unit 0 family inet mtu 1500", "set interfaces et-0/0/64 mtu 9014"),
    ),
    (  # a unit's own that fits stays
        "leaf",
        both(
            with_("et-0/0/64 mtu 9014", "et-0/0/64 mtu 1514"), plus("interfaces et-0/0/64 unit 0 family inet mtu 9000")
        ),
        ("set interfaces et-0/0/64 mtu 9014",),
    ),
    (
        "leaf",
        plus(
            f"{IF} et-0/0/64 unit * rewrite-rules dscp RW",
            f"{COS} rewrite-rules dscp RW forwarding-class RDMA loss-priority low code-point 001010",
        ),
        (f"delete {IF} et-0/0/64 unit * rewrite-rules",),
    ),
    (  # a unit that says nothing else goes, by its number
        "leaf",
        plus(
            *("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 scheduler-map ROCE-MAP-2"),
            f"{IF} et-0/0/40 unit 0 rewrite-rules dscp RW",
            f"{COS} rewrite-rules dscp RW forwarding-class RDMA loss-priority low code-point 001010",
        ),
        (f"delete {IF} et-0/0/40 unit 0",),
    ),
    (
        "untrusted",
        with_(f"{IF} et-0/0/64 unit * forwarding-class DEFAULT", f"{IF} et-0/0/64 unit * forwarding-class CNP"),
        (f"set {IF} et-0/0/64 unit * forwarding-class DEFAULT",),
    ),
    (
        "balanced",
        with_("flowlet inactivity-interval 128", "per-packet"),
        (f"delete {DLB} per-packet", f"set {DLB} flowlet inactivity-interval 128"),
    ),
    (
        "balanced",
        with_("flowlet inactivity-interval 128", "assigned-flow"),
        (f"delete {DLB} assigned-flow", f"set {DLB} flowlet inactivity-interval 128"),
    ),
    (  # the length alone: what else such a profile says stays, meant or not
        "mru",
        both(with_("mru 4200", "mru 2000"), plus(f"{CNP} ROCE-PFC input dscp code-point 011010 xon 5")),
        tuple(f"set {CNP} ROCE-PFC{n} input dscp code-point 011010 mru 4200" for n in ("", "-2")),
    ),
    (  # and ports that are down keep what they have, or have not
        "mru",
        both(
            minus(f"{IF} et-0/0/2 {CN}"),
            with_("mru 4200", "mru 2000"),
            plus(*(f"interfaces et-0/0/{port} disable" for port in (2, 64)), f"{IF} et-0/0/64 {CN} OWN"),
            plus(f"{CNP} OWN input dscp code-point 011010 pfc"),
        ),
        tuple(f"set {CNP} ROCE-PFC{n} input dscp code-point 011010 mru 4200" for n in ("", "-2")),
    ),
    (
        "leaf",
        both(
            minus("et-0/0/64 unit"),
            with_("RDMA loss-priority low code-points 011010", "CNP loss-priority low code-points 011010"),
            plus("interfaces et-0/0/64 disable"),
        ),
        (
            f"delete {COS} classifiers dscp ROCE forwarding-class CNP loss-priority low code-points 011010",
            f"{CLASSIFIER} forwarding-class RDMA loss-priority low code-points 011010",
        ),
    ),
    (  # one that is not lossless says no length of its packets
        "mru",
        both(with_("mru 4200", "mru 2000"), plus(f"{CNP} ROCE-PFC input dscp code-point 110000 mru 2000")),
        (
            f"delete {CNP} ROCE-PFC input dscp code-point 110000",
            *(f"set {CNP} ROCE-PFC{n} input dscp code-point 011010 mru 4200" for n in ("", "-2")),
        ),
    ),
    ("leaf", with_("cable-length 30", "cable-length 50"), (f"set {CNP} ROCE-PFC-2 input cable-length 30",)),
    (  # a length that nobody means stays
        "junos os paused",
        both(with_("code-point 011010 pfc", "code-point 011011 pfc"), plus(f"{CNP} ROCE-PFC input cable-length 9")),
        (
            f"delete {CNP} ROCE-PFC input dscp code-point 011011",
            f"set {CNP} ROCE-PFC input dscp code-point 011010 pfc",
        ),
    ),
    (
        "no watchdog",
        with_("code-point 011 flow-control-queue 3", "code-point 101 flow-control-queue 5"),
        (
            *(f"delete {CNP} ROCE-PFC{n} output ieee-802.1 code-point 101" for n in ("", "-2")),
            *(f"set {CNP} ROCE-PFC{n} output ieee-802.1 code-point 011 flow-control-queue 3" for n in ("", "-2")),
        ),
    ),
    (  # the port of another, which has a profile too, keeps it
        "no watchdog",
        both(
            with_("code-point 011 flow-control-queue 3", "code-point 101 flow-control-queue 5"),
            plus(
                *("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 congestion-notification-profile OWN"),
                f"{CNP} OWN input dscp code-point 011010 pfc",
            ),
        ),
        (
            *(f"delete {CNP} ROCE-PFC{n} output ieee-802.1 code-point 101" for n in ("", "-2")),
            *(f"set {CNP} ROCE-PFC{n} output ieee-802.1 code-point 011 flow-control-queue 3" for n in ("", "-2")),
        ),
    ),
    (
        "no watchdog",
        plus(f"{CNP} ROCE-PFC output ieee-802.1 code-point 100 flow-control-queue 4"),
        (f"delete {CNP} ROCE-PFC output ieee-802.1 code-point 100",),
    ),
    (
        "leaf",
        plus(f"{CNP} ROCE-PFC input dscp code-point 110000 pfc", f"{CLASS} CNP no-loss", f"{CLASS} CNP pfc-priority 6"),
        (
            f"delete {CNP} ROCE-PFC input dscp code-point 110000",
            f"delete {CLASS} CNP no-loss",
            f"delete {CLASS} CNP pfc-priority",
        ),
    ),
    (
        "leaf",
        with_("shaping-rate percent 5", "shaping-rate percent 7"),
        (f"set {COS} schedulers CNP-SCHED shaping-rate percent 5",),
    ),
    (
        "leaf",
        minus("explicit-congestion"),
        (f"set {COS} schedulers RDMA-SCHED explicit-congestion-notification",),
    ),
    (  # the two lists of a drop profile stand in either order
        "leaf",
        both(
            minus("explicit-congestion", "fill-level"),
            plus(*(f"{COS} drop-profiles RDMA-ECN interpolate fill-level {fill}" for fill in (55, 90))),
        ),
        (f"set {COS} schedulers RDMA-SCHED explicit-congestion-notification",),
    ),
    (  # one that drops, since nothing marks
        "leaf",
        plus(f"{DROPS} loss-priority any protocol any drop-profile RDMA-ECN"),
        (f"delete {DROPS} loss-priority any protocol any",),
    ),
    (  # strict, with a rate that is kept free for it
        "leaf",
        plus(f"{COS} schedulers CONTROL-SCHED transmit-rate percent 20"),
        (f"delete {COS} schedulers CONTROL-SCHED transmit-rate",),
    ),
    (  # values stand in pairs: the first of them is not written behind the second
        "leaf",
        minus("fill-level 55", "drop-probability 0"),
        (
            f"delete {COS} drop-profiles RDMA-ECN",
            *(f"set {COS} drop-profiles RDMA-ECN interpolate fill-level {fill}" for fill in (55, 90)),
            *(f"set {COS} drop-profiles RDMA-ECN interpolate drop-probability {percent}" for percent in (0, 100)),
        ),
    ),
    (  # a drop profile is bound by loss priority and protocol: one alone names no entry
        "leaf",
        plus(
            f"{COS} schedulers CNP-SCHED explicit-congestion-notification",
            *(f"{DROPS} loss-priority {loss} protocol any drop-profile RDMA-ECN" for loss in ("low", "high")),
        ),
        (
            f"delete {COS} schedulers CNP-SCHED explicit-congestion-notification",
            *(f"delete {DROPS} loss-priority {loss} protocol any" for loss in ("low", "high")),
        ),
    ),
    (  # a queue that nothing is meant for keeps its scheduler
        "leaf",
        both(minus("explicit-congestion"), plus(f"{CLASS} EXTRA queue-num 5", f"{MAP} EXTRA scheduler X", LOW)),
        (f"set {COS} schedulers RDMA-SCHED explicit-congestion-notification",),
    ),
    ("leaf", minus("et-0/0/64 scheduler-map"), (f"set {IF} et-0/0/64 scheduler-map ROCE-MAP-2",)),
    (  # the colour of a policer is nobody's business
        "leaf",
        both(minus("RDMA no-loss"), plus(f"{CLASS} RDMA policing-priority premium")),
        (f"set {CLASS} RDMA no-loss",),
    ),
    (
        "leaf",
        both(
            with_("class RDMA loss-priority low code-points 011010", "class DEFAULT loss-priority low code-points own"),
            plus(f"{COS} code-point-aliases dscp own 011010"),
        ),
        (
            f"delete {COS} classifiers dscp ROCE forwarding-class DEFAULT loss-priority low code-points own",
            f"{CLASSIFIER} forwarding-class RDMA loss-priority low code-points 011010",
        ),
    ),
    (  # what comes from a group is there after the change too
        "leaf",
        both(
            with_("set interfaces et-0/0/64 mtu", "set apply-groups G\nset groups G interfaces et-0/0/64 mtu"),
            with_("shaping-rate percent 5", "shaping-rate percent 7"),
        ),
        (f"set {COS} schedulers CNP-SCHED shaping-rate percent 5",),
    ),
    (  # the class of the code point, not the first that is free
        "leaf",
        both(OLD, plus(f"{CLASS} AAA queue-num 4")),
        (f"set {CLASS} OLD queue-num 3",),
    ),
    ("leaf", OLD, (f"set {CLASS} OLD queue-num 3",)),
    (
        "tagged",
        with_("class RDMA loss-priority low code-points 011\n", "class CNP loss-priority low code-points 011\n"),
        (
            f"delete {COS} classifiers ieee-802.1 ROCE forwarding-class CNP loss-priority low code-points 011",
            f"set {COS} classifiers ieee-802.1 ROCE forwarding-class RDMA loss-priority low code-points 011",
        ),
    ),
    (  # a map that nothing names any more goes, and so does what it alone named
        "leaf",
        both(
            with_(f"{IF} et-0/0/2 scheduler-map ROCE-MAP", f"{IF} et-0/0/2 scheduler-map OWN"),
            plus(
                f"{COS} scheduler-maps OWN forwarding-class RDMA scheduler OWN",
                f"{COS} schedulers OWN drop-profile-map loss-priority any protocol any drop-profile OWN",
                f"{COS} schedulers OWN explicit-congestion-notification",
                f"{COS} drop-profiles OWN fill-level 50 drop-probability 5",
            ),
        ),
        (
            *(f"delete {COS} {section} OWN" for section in ("scheduler-maps", "schedulers", "drop-profiles")),
            f"set {IF} et-0/0/2 scheduler-map ROCE-MAP",
        ),
    ),
    (  # of the map that a port leaves nothing comes into the one that it gets
        "leaf",
        both(
            with_(f"{IF} et-0/0/2 scheduler-map ROCE-MAP", f"{IF} et-0/0/2 scheduler-map OWN"),
            plus(
                *(
                    f"{COS} scheduler-maps OWN forwarding-class {of} scheduler {of}-SCHED"
                    for of in ("DEFAULT", "CONTROL")
                ),
                *(f"{COS} scheduler-maps OWN forwarding-class {of} scheduler {of}-OWN" for of in ("RDMA", "CNP")),
                *(f"{COS} schedulers RDMA-OWN {what}" for what in ("transmit-rate percent 60", "priority low")),
                *(f"{COS} schedulers CNP-OWN {what}" for what in ("shaping-rate percent 5", "priority strict-high")),
            ),
        ),
        (
            *(f"delete {COS} {gone}" for gone in ("scheduler-maps OWN", "schedulers RDMA-OWN", "schedulers CNP-OWN")),
            f"set {IF} et-0/0/2 scheduler-map ROCE-MAP",
        ),
    ),
    (  # what nothing names any more goes, whole
        "leaf",
        plus(
            f"{IF} et-0/0/64 congestion-notification-profile OWN",
            *(f"{CNP} OWN input cable-length 9", f"{CNP} OWN input dscp code-point 011010 pfc"),
        ),
        (f"delete {IF} et-0/0/64 congestion-notification-profile", f"delete {CNP} OWN"),
    ),
    (
        "lag",
        both(IN_LAG, minus("ae1 congestion"), with_("ae1 mtu 9014", "ae1 mtu 1514")),
        ("set interfaces ae1 mtu 9014", f"set {IF} ae1 congestion-notification-profile ROCE-PFC-2"),
    ),
    (  # a LAG that is not meant to be one has the MTU of its ports
        "leaf",
        both(IN_LAG, with_(f"{IF} et-0/0/2", f"{IF} ae1"), minus(f"{IF} et-0/0/3"), plus("interfaces ae1 mtu 1514")),
        ("set interfaces ae1 mtu 9014",),
    ),
    (
        "lag",
        both(
            IN_LAG,
            with_("ae1 unit * classifiers dscp ROCE", "ae1 unit * classifiers dscp OWN"),
            plus(f"{COS} classifiers dscp OWN forwarding-class DEFAULT loss-priority low code-points 000000"),
        ),
        (f"set {IF} ae1 unit * classifiers dscp ROCE",),
    ),
    (  # an empty profile too
        "leaf",
        both(with_(f"{IF} et-0/0/2 {CN} ROCE-PFC-2", f"{IF} et-0/0/2 {CN} OWN"), plus(f"{CNP} OWN")),
        (f"delete {CNP} OWN", f"set {IF} et-0/0/2 {CN} ROCE-PFC-2"),
    ),
    (  # of a part of a configuration nothing goes: what is not seen may name it
        "leaf",
        both(
            minus("host-name"),
            with_(f"{IF} et-0/0/2 scheduler-map ROCE-MAP", f"{IF} et-0/0/2 scheduler-map OWN"),
            plus(
                *("system ntp server 192.0.2.1", f"{COS} scheduler-maps OWN forwarding-class RDMA scheduler OWN"),
                *(f"{COS} schedulers OWN transmit-rate percent 5", f"{CLASS} OWN queue-num 5", f"{CLASS} OWN no-loss"),
            ),
        ),
        (f"set {IF} et-0/0/2 scheduler-map ROCE-MAP",),
    ),
    (  # a section that says nothing is none in the way
        "leaf",
        both(with_("shaping-rate percent 5", "shaping-rate percent 7"), plus(COS)),
        (f"set {COS} schedulers CNP-SCHED shaping-rate percent 5",),
    ),
    (  # a profile that is not there
        "leaf",
        with_(f"et-0/0/2 {CN} ROCE-PFC-2", f"et-0/0/2 {CN} GONE"),
        (f"set {IF} et-0/0/2 {CN} ROCE-PFC-2",),
    ),
    (  # a queue stands beside another: it does not take its place
        "no watchdog",
        with_("flow-control-queue 3", "flow-control-queue 5"),
        (
            *(f"delete {CNP} ROCE-PFC{n} {OUT} code-point 011 flow-control-queue 5" for n in ("", "-2")),
            *(f"set {CNP} ROCE-PFC{n} {OUT} code-point 011 flow-control-queue 3" for n in ("", "-2")),
        ),
    ),
    (
        "tagged",
        with_("ROCE-PFC input ieee-802.1 code-point 011", "ROCE-PFC input dscp code-point 011010"),
        (f"delete {CNP} ROCE-PFC input dscp", f"set {CNP} ROCE-PFC input ieee-802.1 code-point 011 pfc"),
    ),
    (
        "tagged",
        plus(f"{IF} et-0/0/0:0 unit * classifiers dscp ROCE"),
        (f"delete {IF} et-0/0/0:0 unit * classifiers dscp ROCE",),
    ),
    *(
        (
            "leaf",
            with_(f"ROCE-PFC-2 pfc-watchdog {word} {meant}", f"ROCE-PFC-2 pfc-watchdog {word} {other}"),
            (f"set {CNP} ROCE-PFC-2 pfc-watchdog {word} {meant}",),
        )
        for word, meant, other in (
            *(("detection", 2, 5), ("recovery", 400, 300), ("watchdog-action", "drop", "forward")),
        )
    ),
    ("no watchdog", plus(f"{CNP} ROCE-PFC-2 pfc-watchdog detection 2"), (f"delete {CNP} ROCE-PFC-2 pfc-watchdog",)),
    *(
        (
            "leaf",
            with_(f"{of}-SCHED {meant}", f"{of}-SCHED {other}"),
            (*gone, f"set {COS} schedulers {of}-SCHED {meant}"),
        )
        for of, meant, other, gone in (
            ("DEFAULT", "transmit-rate percent 40", "transmit-rate percent 30", ()),
            ("DEFAULT", "priority low", "priority strict-high", ()),
            ("CONTROL", "shaping-rate 10g", "shaping-rate 5g", ()),
            (
                *("CONTROL", "shaping-rate 10g", "shaping-rate percent 9"),
                (f"delete {COS} schedulers CONTROL-SCHED shaping-rate percent",),
            ),
            (
                *("CNP", "shaping-rate percent 5", "shaping-rate 1g"),
                (f"delete {COS} schedulers CNP-SCHED shaping-rate 1g",),
            ),
        )
    ),
    (  # what nobody means of a scheduler stays
        "leaf",
        plus(*(f"{COS} schedulers DEFAULT-SCHED {what} percent 20" for what in ("shaping-rate", "buffer-size"))),
        (f"delete {COS} schedulers DEFAULT-SCHED shaping-rate",),
    ),
    (  # and where another port comes to it too
        "leaf",
        both(minus("et-0/0/3 scheduler-map"), plus(f"{COS} schedulers RDMA-SCHED buffer-size percent 20")),
        (f"set {IF} et-0/0/3 scheduler-map ROCE-MAP",),
    ),
    ("leaf", both(minus("explicit-congestion", "drop-profile")), (*CURVE, *MARKING)),
    (  # a curve under the name that it has there, which is written whole
        "leaf",
        both(with_(" RDMA-ECN", " OWN"), with_("fill-level 90", "fill-level 80")),
        (f"delete {COS} drop-profiles OWN", *(line.replace("RDMA-ECN", "OWN") for line in CURVE)),
    ),
    (  # values in the wrong order, though all of them are there
        "leaf",
        both(minus("drop-probability 0"), plus(f"{COS} drop-profiles RDMA-ECN interpolate drop-probability 0")),
        (f"delete {COS} drop-profiles RDMA-ECN", *CURVE),
    ),
    *(  # the other way to say the queue of a class: both would be two queues of it
        (
            "leaf",
            both(with_("class RDMA queue-num 3", f"queue {queue} RDMA"), minus("RDMA no-loss")),
            (
                f"delete {COS} forwarding-classes queue {queue}",
                *(f"set {CLASS} RDMA {what}" for what in ("queue-num 3", "no-loss")),
            ),
        )
        for queue in (3, 5)
    ),
    ("leaf", with_("pfc-priority 3", "pfc-priority 4"), (f"set {CLASS} RDMA pfc-priority 3",)),
    (  # two classes of one queue are lossless alike
        "leaf",
        both(minus("RDMA no-loss"), plus(f"{CLASS} ZZ queue-num 3")),
        tuple(f"set {CLASS} {what}" for what in ("RDMA no-loss", "ZZ no-loss", "ZZ pfc-priority 3")),
    ),
    (
        "leaf",
        plus("interfaces et-0/0/64 unit 0 family inet mtu 1500"),
        ("delete interfaces et-0/0/64 unit 0 family inet mtu 1500",),
    ),
    (  # a tag has 4 bytes of the physical MTU
        "tagged",
        both(with_("et-0/0/0:0 mtu 9018", "et-0/0/0:0 mtu 1514"), plus(f"{UNIT} mtu 9000")),
        ("set interfaces et-0/0/0:0 mtu 9018",),
    ),
    (
        "junos os paused",
        both(minus("flow-control "), plus("interfaces et-0/0/49 ether-options no-flow-control")),
        ("delete interfaces et-0/0/49 ether-options no-flow-control", f"set {RX} on", f"set {TX} off"),
    ),
    (
        "buffers",
        with_("ingress buffer-partition lossless percent 66", "ingress buffer-partition lossless percent 50"),
        (f"set {COS} shared-buffer ingress buffer-partition lossless percent 66",),
    ),
    (
        "buffers",
        with_("dynamic-threshold 8", "dynamic-threshold 7"),
        (f"set {COS} shared-buffer ingress buffer-partition lossless dynamic-threshold 8",),
    ),
    (  # a code point that nothing is meant for
        "partial",
        plus(f"{COS} classifiers dscp ROCE forwarding-class CNP loss-priority low code-points 000001"),
        (f"delete {COS} classifiers dscp ROCE forwarding-class CNP loss-priority low code-points 000001",),
    ),
    (  # a class that all code points are taken from
        "leaf",
        both(
            with_("RDMA loss-priority low code-points 011010", "EXTRA loss-priority high code-points 011010"),
            plus(f"{CLASS} EXTRA queue-num 5"),
        ),
        (
            f"delete {COS} classifiers dscp ROCE forwarding-class EXTRA",
            f"{CLASSIFIER} forwarding-class RDMA loss-priority low code-points 011010",
        ),
    ),
    (  # what a wildcard binds serves the ports that are in use, and no others
        "leaf",
        both(
            plus("interfaces et-0/0/40 speed 100g", f"{IF} et-0/0/* scheduler-map ROCE-MAP"),
            minus("et-0/0/2 scheduler-map", "et-0/0/3 scheduler-map"),
            with_("shaping-rate percent 5", "shaping-rate percent 7"),
        ),
        (f"set {COS} schedulers CNP-SCHED shaping-rate percent 5",),
    ),
    *(  # the class that one unit has is not that of the port
        ("untrusted", edit, (f"delete {IF} et-0/0/64 unit 0", *new))
        for edit, new in (
            (
                with_("unit * forwarding-class DEFAULT", "unit 0 forwarding-class CNP"),
                (f"set {IF} et-0/0/64 unit * forwarding-class DEFAULT",),
            ),
            (plus(f"{IF} et-0/0/64 unit 0 forwarding-class CNP"), ()),
        )
    ),
    (  # a class of the name that is meant, of a queue that is not, though nothing leads to it
        "leaf",
        both(
            with_("class RDMA queue-num 3", "class RDMA queue-num 5"),
            with_("RDMA loss-priority low code-points 011010", "DEFAULT loss-priority low code-points 011010"),
        ),
        (
            f"delete {COS} classifiers dscp ROCE forwarding-class DEFAULT loss-priority low code-points 011010",
            f"set {CLASS} RDMA queue-num 3",
            f"{CLASSIFIER} forwarding-class RDMA loss-priority low code-points 011010",
        ),
    ),
    (  # what nothing is sorted into is not lossless; a class without a queue is none of a switch's
        "leaf",
        both(
            minus("RDMA no-loss"),
            plus(*(f"{CLASS} EXTRA {what}" for what in ("queue-num 5", "no-loss", "pfc-priority 5"))),
            plus(f"{CLASS} EMPTY policing-priority premium"),
        ),
        (*(f"delete {CLASS} EXTRA {what}" for what in ("no-loss", "pfc-priority")), f"set {CLASS} RDMA no-loss"),
    ),
    (  # deletes: what binds before what is bound; then sets: what is defined before what binds it
        "leaf",
        both(
            plus(
                f"{IF} et-0/0/64 {CN} OWN",
                *(f"{CNP} OWN input dscp code-point 011010 pfc", f"{CLASS} CNP no-loss", f"{CLASS} CNP pfc-priority 6"),
            ),
            with_("RDMA loss-priority low code-points 011010", "CNP loss-priority low code-points 011010"),
            with_("fill-level 55", "fill-level 50"),
            minus("et-0/0/2 scheduler-map"),
            with_("shaping-rate percent 5", "shaping-rate percent 7"),
        ),
        (
            *(f"delete {IF} et-0/0/64 {CN}", f"delete {CNP} OWN", f"delete {COS} drop-profiles RDMA-ECN"),
            f"delete {COS} classifiers dscp ROCE forwarding-class CNP loss-priority low code-points 011010",
            *(f"delete {CLASS} CNP {what}" for what in ("no-loss", "pfc-priority")),
            f"{CLASSIFIER} forwarding-class RDMA loss-priority low code-points 011010",
            *(*CURVE, f"set {COS} schedulers CNP-SCHED shaping-rate percent 5"),
            f"set {IF} et-0/0/2 scheduler-map ROCE-MAP",
        ),
    ),
]


@pytest.mark.parametrize(("name", "edit", "expected"), ONE_CHANGE, ids=range(len(ONE_CHANGE)))
def test_what_was_changed_is_changed_back(
    name: str, edit: Callable[[str], str], expected: tuple[str, ...], tmp_path: Path
) -> None:
    of, before = case(name, tmp_path), minus("delete ")(displayed(whole(name, tmp_path)))
    text = edit(before)
    assert text != before
    fixed = of.fixed(text)
    assert lines(fixed) == expected
    assert fixed.left == {}
    after = typed(text, expected)
    assert of.drift(after) == {}
    assert set(fixed.change.after.splitlines()) == set(after.splitlines())


@pytest.mark.conformance
def test_what_is_changed_back_is_taken_by_the_models(junos_validator: Path) -> None:
    for old in (True, False):  # two names of the class of a queue, which are no one configuration
        cases = (expected for _, _, expected in ONE_CHANGE if any("class OLD" in line for line in expected) is old)
        body = "".join(f"{line}\n" for expected in cases for line in expected)
        status, reported = validate(junos_validator, "--snippet", "--release", "24.4R1", text=body)
        assert status == 0, reported


def test_schedulers_that_are_not_there_come_as_a_whole(tmp_path: Path) -> None:
    of, before = case("leaf", tmp_path), minus("delete ")(displayed(whole("leaf", tmp_path)))
    fixed = of.fixed(minus("scheduler")(before))
    assert sorted(lines(fixed)) == sorted(line for line in before.splitlines() if "scheduler" in line)
    assert fixed.left == {}


def test_a_classifier_by_tag_beside_one_by_dscp_is_none_of_the_mtu(tmp_path: Path) -> None:
    tags = (f"{IF} et-0/0/* unit * classifiers ieee-802.1 T", f"{COS} classifiers ieee-802.1 T import default")
    assert case("leaf", tmp_path).drift(plus(*tags)(displayed(whole("leaf", tmp_path)))) == {}


@pytest.mark.parametrize(
    "part",
    [
        "set interfaces et-0/0/2 mtu 1514\nset interfaces et-0/0/3 mtu 9014\n",
        "interfaces {\n    et-0/0/2 {\n        mtu 1514;\n    }\n    et-0/0/3 {\n        mtu 9014;\n    }\n}\n",
    ],
)
def test_the_first_statement_of_a_part_is_no_silence(part: str, tmp_path: Path) -> None:
    """What nothing says there is not compared; the MTU is said, though it is all that is said of the port."""
    assert case("leaf", tmp_path).drift(part) == {"et-0/0/2": frozenset({What("mtu")})}


@pytest.mark.conformance
def test_a_name_that_another_class_has_is_not_taken(junos_validator: Path, tmp_path: Path) -> None:
    """RDMA is a class of another queue there, which keeps its code points."""
    text = minus("delete ", "class RDMA")(displayed(whole("leaf", tmp_path)))
    code = "loss-priority low code-points"
    more = (
        *(f"{CLASS} RDMA queue-num 6", f"{CLASS} RDMA-2 queue-num 7"),
        *(f"{COS} classifiers dscp ROCE forwarding-class RDMA {code} 110000",),
        *(f"{COS} classifiers dscp ROCE forwarding-class RDMA-2 {code} 111000",),
    )
    taken = minus("class CNP", "class CONTROL")(text)
    fixed = case("leaf", tmp_path).fixed(plus(*more)(taken))
    assert fixed.left == {}
    assert f"set {CLASS} RDMA-3 queue-num 3" in lines(fixed)
    assert not [line for line in lines(fixed) if f" {CLASS} RDMA queue" in line]
    status, reported = validate(junos_validator, "--release", "24.4R1", text=fixed.change.after)
    assert status == 0, reported


def test_a_class_moves_for_one_class_alone(tmp_path: Path) -> None:
    """Its code points are meant for two."""
    text = minus("delete ", "code-points 100010")(OLD(displayed(whole("leaf", tmp_path))))
    more = plus(f"{COS} classifiers dscp ROCE forwarding-class OLD loss-priority low code-points 100010")
    fixed = case("two lossless", tmp_path).fixed(more(text))
    assert fixed.left == {}
    queues = [line for line in lines(fixed) if "queue-num" in line]
    assert queues == [f"set {CLASS} OLD queue-num 3", f"set {CLASS} STORAGE queue-num 4"]


def test_schedulers_of_ports_that_nobody_means_are_left_alone(tmp_path: Path) -> None:
    text = minus("delete ")(displayed(whole("leaf", tmp_path)))
    text = re.sub(r"(?m)^.* scheduler-map ROCE-MAP\n", "", text).replace("maps ROCE-MAP ", "maps OTHER ")
    text = plus("interfaces et-0/0/40 mtu 9014", OTHER_MAP)(text.replace("percent 60", "percent 10", 1))
    fixed = case("leaf", tmp_path).fixed(text)
    assert fixed.left == {}
    assert f"set {COS} schedulers RDMA-SCHED-3 transmit-rate percent 60" in lines(fixed)
    touched = (f"{COS} schedulers RDMA-SCHED ", f"{COS} drop-profiles RDMA-ECN ", f"{COS} scheduler-maps OTHER ")
    assert not [line for line in lines(fixed) if any(each in line for each in touched)]


def test_a_scheduler_of_their_own_has_all_that_the_shared_one_says(tmp_path: Path) -> None:
    """Another port has the map too, and nobody means anything of the buffer that its scheduler has."""
    text = minus("delete ", "explicit-congestion")(displayed(whole("leaf", tmp_path)))
    own = f"{COS} schedulers RDMA-SCHED-3"
    text = plus(
        *("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 scheduler-map ROCE-MAP"),
        f"{COS} schedulers RDMA-SCHED buffer-size percent 20",
    )(text)
    fixed = case("leaf", tmp_path).fixed(text)
    assert fixed.left == {}
    assert {line for line in lines(fixed) if f"{own} " in line} == {
        *(f"set {own} transmit-rate percent 60", f"set {own} priority low", f"set {own} buffer-size percent 20"),
        f"set {own} drop-profile-map loss-priority any protocol any drop-profile RDMA-ECN-2",
        f"set {own} explicit-congestion-notification",
    }


def test_a_drop_profile_of_a_scheduler_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    of = f"{COS} schedulers OTHER-SCHED"
    text = minus("delete ")(displayed(whole("leaf", tmp_path)).replace("fill-level 55", "fill-level 40"))
    text = plus(
        *("interfaces et-0/0/40 mtu 9014", OTHER_MAP, f"{of} explicit-congestion-notification"),
        *(f"{COS} scheduler-maps OTHER forwarding-class RDMA scheduler OTHER-SCHED",),
        *(f"{of} drop-profile-map loss-priority any protocol any drop-profile RDMA-ECN",),
    )(text)
    fixed = case("leaf", tmp_path).fixed(text)
    assert fixed.left == {}
    assert f"set {COS} drop-profiles RDMA-ECN-2 interpolate fill-level 55" in lines(fixed)
    assert not [line for line in lines(fixed) if " RDMA-ECN interpolate" in line]


@pytest.mark.parametrize("stated", ["mtu 9014", "speed 100g"])
def test_a_map_of_ports_that_nobody_means_is_left_alone(stated: str, tmp_path: Path) -> None:
    """Those that are meant get one of their own, in which all classes keep their schedulers."""
    text = minus("delete ")(displayed(whole("leaf", tmp_path)))
    text = text.replace("MAP forwarding-class RDMA scheduler RDMA-SCHED\n", "MAP forwarding-class RDMA scheduler X\n")
    text = plus(
        f"interfaces et-0/0/40 {stated}", f"{IF} et-0/0/40 scheduler-map ROCE-MAP", f"{COS} schedulers X priority low"
    )(text)
    of = case("leaf", tmp_path)
    made = lines(of.fixed(text))
    assert of.drift(typed(text, made)) == {}
    rows = [line.split() for line in made if " scheduler-maps " in line]
    assert {row[3] for row in rows} == {"ROCE-MAP-3"}
    assert {row[5] for row in rows} == {"DEFAULT", "RDMA", "CNP", "CONTROL"}
    assert not [line for line in made if " schedulers X " in line]


def test_a_map_of_their_own_has_the_classes_that_are_right_too(tmp_path: Path) -> None:
    """RDMA lacks ECN alone, and the others keep the schedulers that they have."""
    text = minus("delete ")(displayed(whole("leaf", tmp_path)))
    text = text.replace("MAP forwarding-class RDMA scheduler RDMA-SCHED\n", "MAP forwarding-class RDMA scheduler X\n")
    own = (f"{COS} schedulers X priority low", f"{COS} schedulers X transmit-rate percent 60")
    text = plus("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 scheduler-map ROCE-MAP", *own)(text)
    fixed = case("leaf", tmp_path).fixed(text)
    assert fixed.left == {}
    rows = {tuple(line.split()[3:]) for line in lines(fixed) if " scheduler-maps " in line}
    assert rows == {
        ("ROCE-MAP-3", "forwarding-class", of, "scheduler", f"{of}-SCHED")
        for of in ("DEFAULT", "RDMA", "CNP", "CONTROL")
    }


@pytest.mark.parametrize(("runs", "means"), [("leaf", "untrusted"), ("untrusted", "leaf")])
def test_what_a_port_sorts_by_is_taken_back(runs: str, means: str, tmp_path: Path) -> None:
    of, at = case(means, tmp_path), f"{IF} et-0/0/64 unit *"
    classified, fixed = f"{at} classifiers dscp ROCE", f"{at} forwarding-class DEFAULT"
    gone, new = (fixed, classified) if means == "leaf" else (classified.removesuffix(" dscp ROCE"), fixed)
    text = minus("delete ")(displayed(whole(runs, tmp_path)))
    assert lines(of.fixed(text)) == (f"delete {gone}", f"set {new}")


@pytest.mark.parametrize(
    ("name", "wild", "word"),
    [
        ("leaf", "congestion-notification-profile ROCE-PFC", "congestion-notification-profile"),
        ("untrusted", "unit * classifiers dscp ROCE", "dscp"),
    ],
)
def test_what_a_wildcard_binds_is_left_to_the_user(name: str, wild: str, word: str, tmp_path: Path) -> None:
    fixed = case(name, tmp_path).fixed(plus(f"{IF} et-0/0/6* {wild}")(displayed(whole(name, tmp_path))))
    assert fixed.change.steps == ()
    assert fixed.change.beyond == (
        f"et-0/0/64: a wildcard of class-of-service interfaces gives it its {word}: name the ports in its place",
    )


def test_a_port_alone_gets_a_profile_of_its_own_with_all_that_it_had(tmp_path: Path) -> None:
    """Another port, which nobody means, has the same one: what is meant of the watchdog is no matter of it."""
    name = "junos os paused"
    text = minus("delete ")(displayed(whole(name, tmp_path)).replace("detection 2", "detection 5"))
    xon = "input dscp code-point 011010 xon 5"  # which nobody means
    other = f"{IF} et-0/0/40 congestion-notification-profile ROCE-PFC"
    text = plus("interfaces et-0/0/40 mtu 9014", other, f"{CNP} ROCE-PFC {xon}")(text)
    fixed = case(name, tmp_path).fixed(text)
    assert fixed.left == {}
    own = [line for line in lines(fixed) if f" {CNP} ROCE-PFC-2 " in f" {line} "]
    assert {f"set {CNP} ROCE-PFC-2 input dscp code-point 011010 pfc", f"set {CNP} ROCE-PFC-2 {xon}"} <= set(own)
    assert f"set {IF} et-0/0/48 congestion-notification-profile ROCE-PFC-2" in lines(fixed)


def test_what_stands_beside_pfc_stays_where_it_is_changed(tmp_path: Path) -> None:
    """An xon and an mru that nobody means: of the code point that stays; without pfc they would be refused."""
    text = displayed(whole("leaf", tmp_path))
    point = f"{CNP} ROCE-PFC input dscp code-point"
    more = (f"{point} 011010 xon 5", f"{point} 011010 mru 4200", f"{point} 011011 pfc", f"{point} 011011 xon 7")
    text = plus(*more, f"{COS} classifiers dscp ROCE forwarding-class RDMA loss-priority low code-points 011011")(
        minus("code-points 011011")(text)
    )
    assert lines(case("leaf", tmp_path).fixed(text)) == (
        f"delete {point} 011011",
        f"delete {COS} classifiers dscp ROCE forwarding-class RDMA loss-priority low code-points 011011",
        f"set {COS} classifiers dscp ROCE forwarding-class DEFAULT loss-priority low code-points 011011",
    )


def test_a_port_that_only_class_of_service_names_keeps_what_it_has(tmp_path: Path) -> None:
    """Its interface may be configured any day: what it shares with ports that are meant is theirs no longer."""
    name = "leaf"
    other = f"{IF} et-0/0/40 congestion-notification-profile ROCE-PFC"
    text = plus(other)(
        displayed(whole(name, tmp_path)).replace(
            "ROCE-PFC pfc-watchdog detection 2", "ROCE-PFC pfc-watchdog detection 5"
        )
    )
    of = case(name, tmp_path)
    fixed = of.fixed(text)
    assert fixed.left == {}
    assert not any(f"{CNP} ROCE-PFC pfc-watchdog" in line for line in lines(fixed))
    assert of.drift(typed(text, lines(fixed))) == {}


def test_a_scheduler_of_which_nothing_is_left_is_as_rendered(tmp_path: Path) -> None:
    """A map names it: without a statement it would not be there, and commit refuses the map."""
    fabric = intent(INTENTS["leaf"].replace(", bandwidth: 40", ""), tmp_path)
    text = rendered(INTENTS["leaf"].replace(", bandwidth: 40", ""), tmp_path, "set")
    scheduler = f"{COS} schedulers DEFAULT-SCHED"
    runs = displayed(f"set system host-name leaf01\n{text}").replace(
        f"{scheduler} priority low", f"{scheduler} shaping-rate percent 5"
    )
    fixed = Case(fabric, fabric.devices[0]).fixed(runs)
    assert lines(fixed) == (f"delete {scheduler} shaping-rate", f"set {scheduler} priority low")


def test_what_no_statement_sets_is_said() -> None:
    of_switch = ("dscp", "pcp", "buffers", "remarks", "stops", "pauses", "load_balancing")
    of_port = (
        *("dscp", "pcp", "trust", "unmarked", "pfc", "obeys", "sends", "stops", "pauses", "watchdog", "cable"),
        *("shares", "guaranteed", "max_rate", "ecn", "discards", "mtu", "flowcontrol"),
    )
    scope = {
        None: frozenset({What("roce"), *map(What, of_switch)}),
        "et-0/0/2": frozenset({What("dcbx"), What("speed"), *map(What, of_port)}),
    }
    assert list_unsettable(scope) == (
        "roce is not set by a statement on queues or PFC",
        "et-0/0/2: dcbx is not set by a statement on queues or PFC",
        "et-0/0/2: speed is not set by a statement on queues or PFC",
    )


def test_one_statement_of_class_of_service_from_a_group_is_one_too_many(tmp_path: Path) -> None:
    text = minus("delete ", "ROCE-PFC pfc-watchdog detection")(displayed(whole("leaf", tmp_path)))
    grouped = plus(f"{COS} apply-groups G", f"groups G {CNP} ROCE-PFC pfc-watchdog detection 5")(text)
    fixed = case("leaf", tmp_path).fixed(grouped)
    assert fixed.change.steps == ()
    assert "come from groups" in fixed.change.beyond[0]


def test_all_of_it_comes_in_the_order_in_which_it_is_named(tmp_path: Path) -> None:
    ports = plus(*(f"interfaces et-0/0/{port} mtu 9014" for port in (2, 3, 64)))
    fixed = case("buffers", tmp_path).fixed(ports("set system host-name leaf01\n"))
    assert fixed.left == {}
    rows = [line.split() for line in lines(fixed)]
    assert {row[0] for row in rows} == {"set"}
    sections = dict.fromkeys(row[2] if row[1] == COS else row[1] for row in rows)
    assert list(sections) == [
        *("interfaces", "forwarding-classes", "classifiers", "drop-profiles", "schedulers", "scheduler-maps"),
        *("shared-buffer", "congestion-notification-profile"),
    ]
    assert rows[-1][2:4] == ["interfaces", "et-0/0/64"]


def test_settings_in_one_line_are_changed_one_by_one(tmp_path: Path) -> None:
    one = "class RDMA queue-num 3 no-loss pfc-priority"
    text = minus("delete ")(whole("leaf", tmp_path))
    assert f"{one} 3" in text
    assert lines(case("leaf", tmp_path).fixed(text.replace(f"{one} 3", f"{one} 4"))) == (
        f"set {CLASS} RDMA pfc-priority 3",
    )


@pytest.mark.parametrize(
    ("balancing", "runs", "expected"),
    [
        (
            "mode: adaptive",
            ("ecmp-dlb assigned-flow",),
            ("delete H ecmp-dlb assigned-flow", "set H ecmp-dlb per-packet"),
        ),
        (
            "mode: adaptive",
            ("ecmp-dlb flowlet inactivity-interval 128",),
            ("delete H ecmp-dlb flowlet", "set H ecmp-dlb per-packet"),
        ),
        (
            "hash: [src-ip, dst-ip, protocol, src-port, dst-port]",
            ("hash-mode layer2-payload", "inet no-protocol", "inet6 no-next-header", "inet6 no-flow-label"),
            ("delete H inet no-protocol", "delete H inet6 no-next-header"),
        ),
        (
            "hash: [src-ip, dst-ip, protocol, src-port]",
            *(("hash-mode layer2-header", "inet no-protocol", "inet6 no-l4-destination-port"),),
            (
                *("delete H hash-mode layer2-header", "delete H inet no-protocol", "set H hash-mode layer2-payload"),
                "set H inet no-l4-destination-port",
            ),
        ),
    ],
)
def test_what_spreads_packets_is_changed_back(
    balancing: str, runs: tuple[str, ...], expected: tuple[str, ...], tmp_path: Path
) -> None:
    at = "forwarding-options enhanced-hash-key"
    fabric = intent(f"{INTENTS['leaf']}load_balancing: {{{balancing}}}\n", tmp_path)
    text = plus(*(f"{at} {each}" for each in runs))(minus("delete ")(displayed(whole("leaf", tmp_path))))
    fixed = Case(fabric, fabric.devices[0]).fixed(text)
    assert lines(fixed) == tuple(line.replace(" H ", f" {at} ") for line in expected)
    assert fixed.left == {}


def test_a_classifier_of_ports_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    """Those that are meant, and sorted otherwise, get one of their own, whatever one of another kind is called."""
    tags, right = f"{COS} classifiers ieee-802.1", f"{IF} et-0/0/0:1 unit * classifiers ieee-802.1"
    text = minus("delete ")(displayed(whole("tagged", tmp_path)))
    own = [line.replace(" ROCE ", " OWN ") for line in text.splitlines() if f"{tags} ROCE" in line]
    text = with_("RDMA loss-priority low code-points 011\n", "CNP loss-priority low code-points 011\n")(text)
    text = plus(
        *("interfaces et-0/0/40 mtu 9018", f"{IF} et-0/0/40 unit * classifiers ieee-802.1 ROCE"),
        *("interfaces et-0/0/41 mtu 9018", f"{IF} et-0/0/41 unit * classifiers ieee-802.1 OWN"),
        f"{COS} classifiers dscp ROCE-2 forwarding-class DEFAULT loss-priority low code-points 000000",
    )(text.replace(f"{right} ROCE", f"{right} OWN") + "".join(f"{line}\n" for line in own))
    fixed = case("tagged", tmp_path).fixed(text)
    assert fixed.left == {}
    made = lines(fixed)
    assert f"set {tags} ROCE-2 forwarding-class RDMA loss-priority low code-points 011" in made
    ports = ("et-0/0/0:0", "et-0/0/1:0", "et-0/0/1:1")
    bound = tuple(f"set {IF} {port} unit * classifiers ieee-802.1 ROCE-2" for port in ports)
    assert tuple(line for line in made if f"{tags} ROCE-2 " not in line) == bound


def test_the_length_of_packets_of_ports_that_nobody_means_is_left_alone(tmp_path: Path) -> None:
    """Those that are meant get a profile of their own, whole; the management port, which has none, gets none."""
    text = minus("delete ")(displayed(whole("mru", tmp_path)).replace("mru 4200", "mru 2000"))
    text = plus("interfaces et-0/0/40 mtu 9014", f"{IF} et-0/0/40 {CN} ROCE-PFC")(text)
    made = lines(case("mru", tmp_path).fixed(text))
    assert f"set {CNP} ROCE-PFC-3 input dscp code-point 011010 mru 4200" in made
    assert f"set {CNP} ROCE-PFC-3 input dscp code-point 011010 pfc" in made
    ports = [line.split()[3] for line in made if line.startswith(f"set {IF} ")]
    assert ports == ["et-0/0/0:0", "et-0/0/0:1", "et-0/0/1:0", "et-0/0/1:1"]
    assert not [line for line in made if f" {CNP} ROCE-PFC " in f" {line}"]


def test_the_first_name_that_is_free_is_taken(tmp_path: Path) -> None:
    text = minus("delete ", "class RDMA", "class CNP")(displayed(whole("leaf", tmp_path)))
    other = f"{COS} classifiers dscp ROCE forwarding-class RDMA loss-priority low code-points 110000"
    fixed = case("leaf", tmp_path).fixed(plus(f"{CLASS} RDMA queue-num 6", other)(text))
    assert fixed.left == {}
    assert [line for line in lines(fixed) if "queue-num" in line] == [f"set {CLASS} RDMA-2 queue-num 3"]


def test_a_template_of_ones_own_may_name_a_class_of_junos(tmp_path: Path) -> None:
    """best-effort is there on every switch, and defined by no statement."""
    shutil.copytree(ROOT / "templates" / "junos", tmp_path / "own" / "junos")
    path = tmp_path / "own" / "junos" / "classifiers.j2"
    shipped = path.read_text(encoding="utf-8")
    own = 'forwarding-class {{ "best-effort" if class.name == "DEFAULT" else class.name }} {'
    path.write_text(shipped.replace("forwarding-class {{ class.name }} {", own), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != shipped
    of, text = case("leaf", tmp_path), displayed(whole("leaf", tmp_path))
    fabric = intent(INTENTS["leaf"], tmp_path)
    of.meant = read_intended_settings(fabric, fabric.devices[0], of.sources, str(tmp_path / "own"))
    meant = text.replace("forwarding-class DEFAULT loss-priority", "forwarding-class best-effort loss-priority")
    strayed = meant.replace(f"{CLASSIFIER} forwarding-class best-effort", f"{CLASSIFIER} forwarding-class RDMA")
    assert strayed != meant
    made = [line for line in lines(of.fixed(strayed)) if line.startswith("set ")]
    assert len(made) == 61  # all code points but RDMA's, that of CNPs and that of control traffic
    assert all(line.startswith(f"{CLASSIFIER} forwarding-class best-effort ") for line in made)
