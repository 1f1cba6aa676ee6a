"""NVUE: one thing is changed on a switch, and the change that is shown changes it back and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
import spectrum_devices as make
from change_pairs import Case, lines
from loops import loop
from nvue_machine import Switch
from spectrum_tree import expand
from test_spectrum_change import CASE, PLAIN, change_of, text_of, typed

from rocecfg.model import Buffers, Device, Headroom

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
    (  # a name that a shell would take apart: typed without quotes, the switch would reboot
        ("interface swp1 qos mapping profile 'own$(reboot)'", "qos mapping 'own$(reboot)' trust port"),
        ("unset qos mapping 'own$(reboot)'", "unset interface swp1 qos mapping"),
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
    (  # all ports have a profile of which nothing is meant: it goes, and so does what binds them to it
        ("interface swp1-2 qos egress-shaper profile own", "qos egress-shaper own traffic-class 3 max-rate 1000"),
        ("unset qos egress-shaper own", "unset interface swp1-2 qos egress-shaper"),
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
        tuple(f"qos traffic-pool roce-lossless switch-priority {priority}" for priority in (4, 5)),
        ("unset qos traffic-pool roce-lossless switch-priority 4-5",),
    ),
    (  # a switch has one lossless pool
        ("qos traffic-pool default-lossless memory-percent 10",),
        ("unset qos traffic-pool default-lossless",),
    ),
    (("qos pfc-watchdog robustness 9",), ("set qos pfc-watchdog robustness 2",)),
    (("interface swp1 qos pfc-watchdog state disable",), ("set interface swp1 qos pfc-watchdog state enable",)),
    (("interface swp1 link mtu 1500",), ("set interface swp1 link mtu 9000",)),
]


@loop(("more", "change"), CASES)
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


def test_a_profile_that_a_port_has_which_nobody_means_is_left_as_it_is() -> None:
    """The port that is meant gets one of its own."""
    far = make.ports("swp2", ["swp2"], cable=30.0)
    device = make.device(make.CLASSES, (make.ports("swp1", ["swp1"]), far))
    case = Case(make.fabric(device), device)
    plain = [*typed(device), *PLAIN[-2:]]
    meant = [line for line in plain if "rocecfg-pfc-30m" in line]
    shared = [line.replace("rocecfg-pfc-30m", "own").replace("length 30", "length 70") for line in meant]
    shared += [line.replace("swp2", "swp9") for line in shared if "interface" in line]
    fixed = case.fixed(text_of(case, Switch([*(line for line in plain if line not in meant), *shared])))
    assert fixed.left == {}
    assert sorted(lines(fixed)) == sorted(meant)


# -- each line of a device that has nearly all there is ----------------------------------------------------------------

G = make.G
RDMA = replace(make.RDMA, ecn_by_speed=((800 * G, make.FAST),), max_percent=90)
EVERY = make.with_rest(RDMA, replace(make.CNP, guaranteed_rate=2 * G), *make.CLASSES[2:])
TAGGED = {"trust": "pcp", "speed": 800 * G, "cable": 30.0, "headroom": Headroom(300_000, 20_000, 250_000)}
LOSSY = make.ports("swp3", ["swp3"], (make.STORAGE, make.CONTROL, make.DEFAULT), trust="none")
RICH = make.device(
    EVERY,
    (make.ports("swp1", ["swp1"], EVERY), make.ports("swp2", ["swp2"], EVERY, **TAGGED), LOSSY),
    buffers=Buffers(alpha=0.5, lossless_pool=70, lossy_pool=25, small_packets=60),
    version="5.18",
)
OTHER = {"enable": "disable", "disable": "enable", "alpha_1_2": "alpha_4", "strict": "dwrr"}
KEPT = ("hostname", "switch-priority 0", "mode dwrr", "min-rate", "max-rate")  # is tried elsewhere, or no difference


def other(command: str) -> str | None:
    """The same command with another value; None: it has none that is another in itself."""
    words = command.split()
    value = words[-1]
    if words[-2] == "switch-priority" and "mapping" not in words:
        return None  # a member of a set
    if value in OTHER:
        return " ".join((*words[:-1], OTHER[value]))
    return " ".join((*words[:-1], str(int(value) * 7 // 8))) if value.isdigit() else None


def leaves_of(commands: list[str] | tuple[str, ...]) -> set[tuple[str, ...]]:
    """Commands, one for each key that they name."""
    return {each for command in commands for each in product(*map(expand, command.split()))}


def one_by_one() -> Iterator[tuple[str, list[str]]]:
    """Each line that is rendered, and a switch that says something else in its place, or lacks it."""
    plain = [*typed(RICH), *(f"nv set interface swp{n} type swp" for n in (1, 2, 3))]
    for line in plain[:-3]:
        if not any(word in line for word in KEPT):
            said = other(line)
            yield line, [each for each in plain if each != line] if said is None else [*plain, said]


def test_no_more_is_typed_than_the_one_line_that_is_another_or_not_there() -> None:
    case = Case(make.fabric(RICH), RICH)
    changed = set()
    for line, switch in one_by_one():
        fixed = case.fixed(text_of(case, Switch(switch)))
        assert (fixed.left, fixed.change.beyond) == ({}, ()), line
        assert leaves_of(lines(fixed)) <= leaves_of([line]), line
        changed |= {line} if lines(fixed) else set()
    assert len(changed) > 40  # the others say what NVUE has unless told


PROFILES = sorted({(words[3], words[4]) for words in map(str.split, typed(RICH)) if "rocecfg-" in words[4]})


@pytest.mark.parametrize(("kind", "profile"), PROFILES)
def test_a_profile_that_is_not_there_is_defined_as_a_whole(kind: str, profile: str) -> None:
    """Also what no difference is: a queue that marks nothing on other ports may mark by the switch's own profile."""
    case = Case(make.fabric(RICH), RICH)
    of_it = re.compile(f" {kind} (profile )?{profile}( |$)")
    gone = [line for line in typed(RICH) if of_it.search(line)]
    fixed = case.fixed(text_of(case, Switch([line for line in typed(RICH) if line not in gone])))
    assert fixed.left == {}
    assert leaves_of(lines(fixed)) == leaves_of(gone)


def test_a_value_of_802_1p_is_changed_where_ports_sort_by_it_and_nowhere_else() -> None:
    case = Case(make.fabric(RICH), RICH)
    both = [f"nv set qos mapping {name} pcp 3 switch-priority 5" for name in ("default-global", "rocecfg-trust-l2")]
    unused = "nv set qos egress-queue-mapping default-global switch-priority 4 traffic-class 5"
    fixed = case.fixed(text_of(case, Switch([*typed(RICH), *both, unused])))
    assert lines(fixed) == ("nv set qos mapping rocecfg-trust-l2 pcp 3 switch-priority 3",)


# -- ports that do not look at marks -----------------------------------------------------------------------------------


def change_back(device: Device, *more: str, without: str = "?") -> tuple[str, ...]:
    """What is typed where somebody typed more, and what no line that has `without` says."""
    case = Case(make.fabric(device), device)
    plain = [line for line in (*typed(device), PLAIN[-2]) if without not in line]
    fixed = case.fixed(text_of(case, Switch([*plain, *(f"nv {each}" for each in more)])))
    assert fixed.left == {}
    return lines(fixed)


UNMARKED = make.device(make.CLASSES, (make.ports("swp1", ["swp1"], trust="none"),))
WAY = "set qos egress-queue-mapping default-global switch-priority {} traffic-class {}"


def test_the_priority_that_gets_pfc_is_queued_as_is_meant_though_no_mark_leads_to_it() -> None:
    """Else the port pauses a priority that shares a lossy queue."""
    made = change_back(UNMARKED, WAY.format(3, 0), "unset qos pfc default-global", without="qos roce")
    assert f"nv {WAY.format(3, 3)}" in made


def test_the_priority_of_packets_without_a_mark_is_queued_as_is_meant() -> None:
    ways = (WAY.format(0, 1), WAY.format(5, 1))
    for setting, other, meant in (("port-default-sp", "4", "0"), ("trust", "l3", "port")):
        assert change_back(UNMARKED, f"set qos mapping default-global {setting} {other}", *ways) == (
            f"nv set qos mapping default-global {setting} {meant}",
            f"nv {WAY.format(0, 0)}",
        )


@pytest.mark.parametrize(
    ("end", "value"), [("min-threshold", "1000"), ("max-threshold", "1700000"), ("probability", "7")]
)
def test_of_a_curve_the_end_that_differs_is_typed_alone(end: str, value: str) -> None:
    """What is not stated and has its usual value is no difference."""
    (meant,) = [line for line in PLAIN if f"traffic-class 3 {end}" in line]
    switch = Switch([*(line for line in PLAIN if not line.endswith("red disable")), f"nv set {ECN} 3 {end} {value}"])
    assert lines(CASE.fixed(text_of(CASE, switch))) == (meant,)


def test_of_a_watchdog_that_is_on_unsaid_the_timers_are_typed_alone() -> None:
    """`nv set interface swp1 qos pfc-watchdog` turns it on, and says no state (Cumulus Linux, Quality of Service)."""
    left = [line for line in PLAIN if "pfc-watchdog state" not in line]
    for timer, other, meant in (("polling-interval", "200", "100"), ("robustness", "4", "2")):
        text = text_of(CASE, Switch([*left, f"nv set qos pfc-watchdog {timer} {other}"]))
        said = re.sub(r"(?m)^( +)type: swp$", r"\g<0>\n\1qos: {pfc-watchdog: {}}", text)
        assert lines(CASE.fixed(said)) == (f"nv set qos pfc-watchdog {timer} {meant}",)


@pytest.mark.parametrize(
    ("name", "quoted"),
    [("own;reboot", "'own;reboot'"), ("$(reboot)", "'$(reboot)'"), ("o'dd one", "'o'\"'\"'dd one'")],
)
def test_a_name_that_a_shell_would_take_apart_stays_a_word(name: str, quoted: str) -> None:
    """`nv` is typed in a shell: nothing in a name of the switch is run."""
    bound = [f"nv set {each}" for each in ("interface swp1 qos pfc profile OWN", "qos pfc OWN cable-length 70")]
    text = text_of(CASE, Switch([*PLAIN, *bound, "nv set qos pfc OWN switch-priority 4"]))
    fixed = CASE.fixed(text.replace("OWN", json.dumps(name)))
    assert lines(fixed) == (f"nv unset qos pfc {quoted}", "nv unset interface swp1 qos pfc")
    commands = CASE.fixed("\n".join([*PLAIN, *bound, "nv set qos pfc OWN switch-priority 4"]).replace("OWN", quoted))
    assert commands.left == {}
    assert lines(commands)[-1] == "nv unset interface swp1 qos pfc"


def test_a_profile_whose_name_is_a_number_keeps_it() -> None:
    own = ("interface swp1-2 qos pfc profile 07", "qos pfc 07 switch-priority 3", "qos pfc 07 cable-length 70")
    assert change_of(*(f"nv set {each}" for each in own)) == ("nv set qos pfc 07 cable-length 3",)


@pytest.mark.parametrize("unstated", [r"traffic-pool .* switch-priority", "roce mode"])
def test_what_the_switch_has_unless_told_is_not_typed_with_pfc(unstated: str) -> None:
    left = [line for line in PLAIN if not re.search(unstated, line)]
    assert left != PLAIN
    switch = Switch([*left, "nv set qos pfc default-global switch-priority 5"])
    assert lines(CASE.fixed(text_of(CASE, switch))) == ("nv unset qos pfc default-global switch-priority 5",)
