"""NVUE: one thing is changed on a switch, and the change that is shown changes it back and nothing else."""

from __future__ import annotations

import pytest
import spectrum_devices as make
from change_pairs import Case, lines
from nvue_machine import Switch
from test_spectrum_change import PLAIN, change_of, text_of, typed

OWN = "interface swp1 qos {kind} profile own"
ECN = "qos congestion-control default-global traffic-class"
CASES: list[tuple[tuple[str, ...], tuple[str, ...]]] = [  # what is set besides, and the change
    (
        ("qos egress-queue-mapping default-global switch-priority 3 traffic-class 0",),
        ("set qos egress-queue-mapping default-global switch-priority 3 traffic-class 3",),
    ),
    (
        (OWN.format(kind="mapping"), "qos mapping own trust port", "qos mapping own port-default-sp 4"),
        ("unset qos mapping own", "unset interface swp1 qos mapping"),
    ),
    (
        ("qos mapping default-global trust l2", "qos mapping default-global pcp 3 switch-priority 5"),
        ("set qos mapping default-global trust l3", "unset qos mapping default-global pcp"),
    ),
    ((f"{ECN} 3 red enable",), (f"set {ECN} 3 red disable",)),
    ((f"{ECN} 0 red enable",), (f"unset {ECN} 0 red",)),
    ((f"{ECN} 3 min-threshold 1000",), (f"set {ECN} 3 min-threshold 400000",)),
    ((f"{ECN} 3 max-threshold 1700000",), (f"set {ECN} 3 max-threshold 1600000",)),
    ((f"{ECN} 3 probability 7",), (f"set {ECN} 3 probability 5",)),
    (
        (OWN.format(kind="egress-shaper"), "qos egress-shaper own traffic-class 3 max-rate 1000"),
        ("unset qos egress-shaper own", "unset interface swp1 qos egress-shaper"),
    ),
    (
        (OWN.format(kind="egress-shaper"), "qos egress-shaper own traffic-class 3 min-rate 1000"),
        ("unset qos egress-shaper own", "unset interface swp1 qos egress-shaper"),
    ),
    (
        (OWN.format(kind="link-pause"), "qos link-pause own tx enable"),
        ("unset qos link-pause own", "unset interface swp1 qos link-pause"),
    ),
    (  # a profile that a port has which nobody means stays, and so does what it says
        (
            *(OWN.format(kind="pfc"), "interface swp9 qos pfc profile own"),
            *("qos pfc own switch-priority 3", "qos pfc own cable-length 70"),
        ),
        ("unset interface swp1 qos pfc",),
    ),
    (("qos pfc default-global rx disable",), ("set qos pfc default-global rx enable",)),
    (("qos pfc default-global tx disable",), ("set qos pfc default-global tx enable",)),
    (
        ("qos pfc default-global tx disable", "qos pfc default-global rx disable"),
        ("set qos pfc default-global tx enable", "set qos pfc default-global rx enable"),
    ),
    (  # a profile that says what is meant but for one thing keeps its name, and gets that
        ("interface swp1-2 qos pfc profile own", "qos pfc own switch-priority 3", "qos pfc own cable-length 70"),
        ("set qos pfc own cable-length 3",),
    ),
    (("qos roce mode lossy",), ("set qos roce mode lossless",)),
    (
        ("qos traffic-pool roce-lossless switch-priority 4",),
        ("unset qos traffic-pool roce-lossless switch-priority 4",),
    ),
    (  # a switch has one lossless pool
        ("qos traffic-pool default-lossless memory-percent 10",),
        ("unset qos traffic-pool default-lossless",),
    ),
    (("qos pfc-watchdog robustness 9",), ("set qos pfc-watchdog robustness 2",)),
    (("interface swp1 qos pfc-watchdog state disable",), ("set interface swp1 qos pfc-watchdog state enable",)),
    (("interface swp1 link mtu 1500",), ("set interface swp1 link mtu 9000",)),
]


@pytest.mark.parametrize(("more", "change"), CASES, ids=range(len(CASES)))
def test_what_was_changed_is_changed_back(more: tuple[str, ...], change: tuple[str, ...]) -> None:
    assert not set(more) <= set(PLAIN)
    assert change_of(*(f"nv set {each}" for each in more)) == tuple(f"nv {each}" for each in change)


def test_a_profile_that_says_what_is_meant_is_bound_though_others_have_it() -> None:
    far = make.ports("swp2", ["swp2"], cable=30.0)
    device = make.device(make.CLASSES, (make.ports("swp1", ["swp1"]), far))
    case = Case(make.fabric(device), device)
    plain = [*typed(device), *PLAIN[-2:]]
    (bound,) = [line for line in plain if " qos pfc profile " in line]
    others = [line for line in plain if line != bound]
    made = lines(case.fixed(text_of(case, Switch([*others, bound.replace("swp2", "swp9")]))))
    assert made == (bound,)
