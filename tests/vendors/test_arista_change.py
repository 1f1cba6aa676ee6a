"""EOS: whatever runs and whatever is meant, the change leads there, once, in one session and in safe order."""

from __future__ import annotations

import copy
import re
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

import arista_factory as make
import pytest
from arista_devices import devices, family_of, fixed
from change_pairs import Case, Finding, findings, lines, on_ports_of, turned
from conformance import run_validator
from eos_machine import Switch
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from sampling import share

from rocecfg.core.nodeset import names_of
from rocecfg.drift.changes import DeviceFix
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Headroom, PortGroup
from rocecfg.model.catalogue import What
from rocecfg.rollout.device import index_pfc_priorities
from rocecfg.vendors.arista.change import make_target, parse_tree, plan_steps
from rocecfg.vendors.arista.change.target import list_unsettable
from rocecfg.vendors.arista.change.tree import GLOBALLY, OF_PORT, OF_PROFILE, Place, Tree, values_of
from rocecfg.vendors.arista.procedure import PROCEDURE
from rocecfg.vendors.arista.reading.commands import Key
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import MARKS
from rocecfg.vendors.procedure import judge_commands

QUICK = settings(
    derandomize=True,
    database=None,
    max_examples=60,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # devices are large: shrinking one takes minutes
    suppress_health_check=list(HealthCheck),
)
HEAD = "! Command: show running-config\n! device: leaf01 (DCS-7060X6-64PE, EOS-{})\n!\nhostname leaf01\n"
PORTS_OWN = (  # what a port may say over its profile
    "qos trust cos",
    "no qos trust",
    "qos cos 3",
    "mtu 1500",
    "no dcbx mode",
    "flowcontrol send on",
    "priority-flow-control on",
    "priority-flow-control priority 3 no-drop",
    "priority-flow-control priority 5 no-drop",
    "no priority-flow-control pause watchdog",
    "priority-flow-control pause watchdog port timer timeout 2 polling-interval 1 recovery-time 4",
    "priority-flow-control pause watchdog port action notify-only",
    "uc-tx-queue 3\n      no priority\n      bandwidth percent 30",
    "uc-tx-queue 2\n      priority strict",
    "uc-tx-queue 1\n      random-detect ecn minimum-threshold 9 kbytes maximum-threshold 90 kbytes",
    "uc-tx-queue 0\n      shape rate 50 percent\n      bandwidth guaranteed percent 5",
)
EVERYWHERE = (
    "priority-flow-control all off",
    "priority-flow-control pause watchdog default timeout 5",
    "priority-flow-control pause watchdog action errdisable",
    "priority-flow-control pause watchdog override action drop",
    "errdisable recovery cause stuck-queue",
    "qos rewrite dscp",
    "qos map dscp 3 4 5 to traffic-class 5",
    "qos map cos 3 4 to traffic-class 5",
    "qos map traffic-class 1 2 to uc-tx-queue 6",
    "platform trident mmu headroom-pool limit bytes 50000",
    """platform trident mmu queue profile OWN
    ingress headroom bytes 1000
platform trident mmu queue profile OWN apply""",
)


FEW = [  # ports are enough
    replace(device, ports=tuple(replace(group, names=group.names[:2]) for group in device.ports))
    for device in fixed().values()
    if device.names
]


def running(device: Device) -> str:
    """The running-config of a switch that was given what is rendered for a device."""
    return HEAD.format(device.version or "4.33.2F") + render(make.fabric(device), device).body


def in_its_own_words(draw: st.DrawFn, text: str, *, meant_mtu: bool) -> str:
    """The same and more, as other people write it: other names, settings below interfaces, ports that nobody means.

    `meant_mtu`: the intent has one for each port, so that another one is changed.
    """
    for name in sorted(set(re.findall(r"^qos profile (\S+)", text, re.MULTILINE))):
        if draw(st.booleans()):
            text = re.sub(rf"(profile) {re.escape(name)}$", rf"\1 SITE-{name[-3:]}", text, flags=re.MULTILINE)
    strata = "uc-tx-queue" in text
    names = re.findall(r"^interface (\S+)", text, re.MULTILINE)
    own = PORTS_OWN if meant_mtu else [line for line in PORTS_OWN if not line.startswith("mtu")]
    for line in draw(st.lists(st.sampled_from(own), max_size=4, unique=True)):
        text += f"interface {draw(st.sampled_from(names))}\n   {line}\n"
    for line in draw(st.lists(st.sampled_from(EVERYWHERE), max_size=3, unique=True)):
        text += f"{line}\n"
    bound = re.findall(r"^   (service-profile \S+)", text, re.MULTILINE)
    if draw(st.booleans()) and bound:
        text += f"interface Ethernet60/1\n   {draw(st.sampled_from(bound))}\n"
    words = ("tx-queue", "uc-tx-queue") if strata else ("tx-queue",)  # the latter is Strata's alone
    return re.sub("(?:uc-)?tx-queue", draw(st.sampled_from(words)), text)


def without_some(draw: st.DrawFn, text: str) -> str:
    """Less some of its lines: what no mode is."""
    rows = text.splitlines()
    plain = [n for n, row in enumerate(rows) if row.startswith(("   ", "qos map", "prio")) and "tx-queue" not in row]
    gone = set(draw(st.lists(st.sampled_from(plain), max_size=3, unique=True)))
    return "\n".join(row for n, row in enumerate(rows) if n not in gone) + "\n"


def with_mtu_of(chosen: PortGroup, own: PortGroup) -> PortGroup:
    """An MTU that nobody means is none of the change's business."""
    return replace(chosen, mtu=None if own.mtu is None else chosen.mtu)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Case, Switch]:
    """A device that is meant, and a switch of other people's making with its ports."""
    box = draw(st.one_of(devices(), st.sampled_from(FEW)))
    other = on_ports_of(draw, draw(devices()), box, with_mtu_of) if draw(st.booleans()) else box
    try:
        case = Case(make.fabric(box), box)
        text = running(other)
    except CannotRender:
        assume(condition=False)
    text = without_some(draw, in_its_own_words(draw, text, meant_mtu=all(p.mtu is not None for p in box.ports)))
    return case, Switch(text)


def text_of(case: Case, switch: Switch) -> str:
    """What `show running-config` prints."""
    return HEAD.format(case.device.version or "4.33.2F") + switch.text()


def typed(switch: Switch, rows: tuple[str, ...]) -> None:
    """Lines that are typed into a session, and its commit."""
    for _ in switch.type(rows):
        pass


SILENT = "eos-default-map"  # reported once RDMA crosses a port: the map that EOS has by itself is what is meant
OF_WATCHDOG = ("watchdog-poll", "watchdog-slow", "watchdog-action")


UNMEANT = "the intent does not name these ports"


def announced(repaired: DeviceFix) -> set[str]:
    """The ports of which the change says that they become lossless with headroom that nobody means."""
    stated = [line for line in repaired.change.beyond if UNMEANT not in line]
    assert all("the headroom set on the switch" in line for line in stated)
    return {port for line in stated for port in names_of(line.partition(": ")[0])}


def unmeant_but_lossless(case: Case, text: str) -> set[str]:
    """The ports with PFC that nobody means."""
    switch = case.compared(text).found.switch
    return {port for port, found in index_pfc_priorities(switch).items() if found and port not in case.meant.ports}


def new_to_lint(case: Case, before: set[Finding], after: set[Finding], stated: set[str]) -> set[Finding]:
    """What lint says after a change, and said neither before nor of what is meant.

    Timers and an action that are left to the switch stay as they run; they are judged once the port is lossless.
    `said`: ports of whose headroom the change itself speaks.
    """
    meant = findings(running(case.device), "arista")
    groups = [port for port in case.device.ports if port.watchdog is not None and port.watchdog.vendor_default]
    left = {name for port in groups for name in port.names}
    new = {finding for finding in after - before - meant if finding[1] != SILENT}
    new = {finding for finding in new if finding[1] != "buffer-headroom" or finding[2] not in stated}
    if any(cls.bandwidth is None and not cls.strict for cls in case.device.classes):
        new = {finding for finding in new if finding[1] != "ets-sum"}  # a queue without a stated share keeps its own
    return {finding for finding in new if finding[1] not in OF_WATCHDOG or finding[2] not in left}


@QUICK
@given(pairs())
def test_any_change(pair: tuple[Case, Switch]) -> None:
    """No drift, no change; a change, no drift after it, nothing new for lint, and nothing left to do."""
    case, switch = pair
    text = text_of(case, switch)
    found = case.drift(text)
    repaired = case.fixed(text)
    stated = announced(repaired)
    assert repaired.left == {}
    assert bool(found) == bool(repaired.change.steps), found
    if not found:
        return
    before = findings(text, "arista")
    typed(switch, lines(repaired))
    after = text_of(case, switch)
    new = {port for line in repaired.change.beyond if UNMEANT in line for port in names_of(line.partition(": ")[0])}
    assert unmeant_but_lossless(case, after) == unmeant_but_lossless(case, text) | new
    assert not stated or "ingress headroom" in after
    assert case.drift(after) == {}, lines(repaired)
    if set(switch.ports()) <= case.meant.ports.keys():  # else maps move below ports that nobody means
        assert new_to_lint(case, before, findings(after, "arista"), stated) == set()
    typed(switch, lines(repaired))
    assert Switch(text_of(case, switch)).modes == Switch(after).modes
    assert case.fixed(after).change.steps == ()


@QUICK
@given(pairs())
def test_steps_lead_from_one_tree_to_the_other(pair: tuple[Case, Switch]) -> None:
    """One commit; and whoever types without a session finds no profile undefined."""
    case, switch = pair
    found = case.drift(text_of(case, switch))
    have = parse_tree(text_of(case, switch))
    wanted = make_target(have, parse_tree(case.meant.text), found)
    made = plan_steps(have, wanted)
    assert len(made) <= 1
    assert plan_steps(have, make_target(have, parse_tree(case.meant.text), turned(found))) == made
    rows = tuple(line for step in made for line in step.lines)
    marks = [
        judge_commands(PROCEDURE, [row.strip()]).mark
        for row in rows
        if not re.match(r"!|interface|qos profile|platform.*profile \S+$| +\S*tx-", row)
    ]
    assert [step.mark for step in made] == [max(marks, key=MARKS.index) for _ in made]
    start, end = copy.deepcopy(switch), copy.deepcopy(switch)
    typed(end, rows)
    for _ in switch.type(rows):  # nothing of it is in force before the one commit; profiles are there all the same
        assert switch.dangling() <= start.dangling(), rows
    assert set_values(parse_tree(text_of(case, end))) == set_values(wanted)
    headroom = [n for n, line in enumerate(rows) if "ingress headroom" in line]
    paused = [n for n, line in enumerate(rows) if line.endswith("no-drop")]
    assert not headroom or not paused or max(headroom) < min(paused)


def set_values(of: Tree) -> dict[Place, dict[Key, Hashable]]:
    """What is set in each mode that says anything."""
    return {place: values_of(settings) for place, settings in of.blocks.items() if settings}


@pytest.mark.conformance
def test_the_grammar_takes_every_line(eos_validator: Path, tmp_path: Path) -> None:
    files: dict[str, list[Path]] = {"strata": [], "sand": []}

    @settings(
        max_examples=share(40, "rocecfg/vendors/arista", "rocecfg/drift"),
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(pairs())
    def collect(pair: tuple[Case, Switch]) -> None:
        case, switch = pair
        of = files[family_of(case.device)]
        of.append(tmp_path / f"{family_of(case.device)}-{len(of)}.cfg")
        of[-1].write_text("\n".join(lines(case.fixed(text_of(case, switch)))) + "\n", encoding="utf-8")

    collect()
    for family, texts in files.items():
        done = run_validator(eos_validator, "--strict", "--platform", family, *texts)
        assert done.returncode == 0, done.stdout + done.stderr


# -- one by one --------------------------------------------------------------------------------------------------------

ONE = make.device(ports=(make.ports("Ethernet[1-2]/1", ("Ethernet1/1", "Ethernet2/1"), mtu=9000),))
CASE = Case(make.fabric(ONE), ONE)
PORT = "interface Ethernet1/1\n"
OWN = """qos profile OWN
   qos trust cos
interface Ethernet2/1
   service-profile OWN
"""


def change_of(text: str) -> tuple[str, ...]:
    repaired = CASE.fixed(text)
    assert repaired.left == {}
    return tuple(line.strip() for line in lines(repaired) if line != "!")


def test_what_is_rendered_needs_no_change() -> None:
    assert change_of(running(ONE)) == ()


def test_a_line_that_says_no_is_taken_back_with_default() -> None:
    """`priority` alone is no command of EOS."""
    made = change_of(f"{running(ONE)}{PORT}   uc-tx-queue 6\n      no priority\n")
    assert made == ("interface Ethernet1/1", "uc-tx-queue 6", "default priority")


def test_a_weight_of_a_queue_that_nobody_means_is_taken_back() -> None:
    """EOS's own map of DSCP leads to it, and what it is given the queues that are meant lack."""
    device = make.device(classes=(make.RDMA, make.CONTROL), ports=ONE.ports)
    case = Case(make.fabric(device), device)
    more = "qos profile ROCE-HOST\n   uc-tx-queue 4\n      no priority\n      bandwidth percent 90\n"
    repaired = case.fixed(running(device) + more)
    assert repaired.left == {}
    made = tuple(line.strip() for line in lines(repaired) if line != "!")
    assert made == ("qos profile ROCE-HOST", "uc-tx-queue 4", "default priority", "no bandwidth percent")


def test_a_weight_that_nobody_means_stays_where_no_class_has_one_stated() -> None:
    classes = tuple(replace(c, bandwidth=None) if c is make.STORAGE else c for c in make.CLASSES)
    device = make.device(classes=classes, ports=ONE.ports)
    more = "qos profile ROCE-HOST\n   uc-tx-queue 2\n      bandwidth percent 10\n"
    changed = running(device).replace("bandwidth percent 60", "bandwidth percent 30") + more
    assert lines(Case(make.fabric(device), device).fixed(changed)) == (
        *("qos profile ROCE-HOST", "   uc-tx-queue 3", "      bandwidth percent 60"),
        "!",
    )


def test_a_profile_that_is_not_there_is_typed_as_a_whole_and_its_pfc_last() -> None:
    text = running(ONE)
    start, end = text.index("qos profile"), text.index("interface ")
    ports = text[end:].replace("   service-profile ROCE-HOST\n", "")
    made = change_of(text[:start] + ports)
    stated = [line.strip() for line in text[start:end].splitlines() if line.strip(" !")]
    off = re.compile("no (priority-flow|random-detect)")  # as it is in a new profile
    bound = [each for n in (1, 2) for each in (f"interface Ethernet{n}/1", "service-profile ROCE-HOST")]
    assert sorted(made) == sorted([*(line for line in stated if not off.match(line)), *bound])
    on = [n for n, line in enumerate(made) if re.match(r"priority-flow-control (on|priority)", line)]
    assert min(on) > made.index("priority-flow-control pause watchdog")
    assert min(on) > made.index("qos trust dscp")


@pytest.mark.parametrize(("other", "name"), [("", "ROCE-HOST"), ("   qos trust cos\n", "ROCE-HOST-2")])
def test_a_profile_of_the_name_that_serves_a_port_which_nobody_means(other: str, name: str) -> None:
    """It is used where it says what is meant; else that port keeps it, and these get one of their own."""
    unbound = running(ONE).replace("   service-profile ROCE-HOST\n", "")
    made = change_of(f"{unbound}qos profile ROCE-HOST\n{other}interface Ethernet60/1\n   service-profile ROCE-HOST\n")
    assert [line for line in made if "service-profile" in line] == [f"service-profile {name}"] * 2
    assert (f"qos profile {name}" in made) == bool(other)
    assert "qos profile ROCE-HOST" not in made


def test_a_queue_is_opened_by_the_switchs_own_word() -> None:
    text = re.sub("uc-tx-queue", "tx-queue", running(ONE)).replace("      bandwidth percent 60\n", "")
    assert change_of(text.replace("   tx-queue 3\n      no priority\n", "   tx-queue 3\n", 1)) == (
        "qos profile ROCE-HOST",
        "tx-queue 3",
        "no priority",
        "bandwidth percent 60",
    )


def with_priority_4(text: str) -> str:
    """With PFC for 4 instead of 3."""
    text = text.replace("   no priority-flow-control priority 4\n", "")
    return text.replace("priority 3 no-drop", "priority 4 no-drop")


def test_a_priority_moves_and_its_watchdog_is_turned_off_last() -> None:
    device = make.device(ports=(replace(ONE.ports[0], watchdog=None),))
    case = Case(make.fabric(device), device)
    text = with_priority_4(running(device)).replace("   no priority-flow-control pause watchdog\n", "")
    repaired = case.fixed(text)
    assert repaired.left == {}
    assert tuple(line.strip() for line in lines(repaired) if line != "!") == (
        "qos profile ROCE-HOST",
        "priority-flow-control priority 3 no-drop",
        "no priority-flow-control priority 4",
        "no priority-flow-control pause watchdog",
    )


def test_a_watchdog_that_was_off_is_on_before_pfc() -> None:
    assert change_of(with_priority_4(f"{running(ONE)}{PORT}   no priority-flow-control pause watchdog\n")) == (
        "interface Ethernet1/1",
        "default priority-flow-control pause watchdog",
        "qos profile ROCE-HOST",
        "priority-flow-control priority 3 no-drop",
        "no priority-flow-control priority 4",
    )


MMU = "platform trident mmu queue profile OWN\n    ingress headroom bytes 1000\n"
APPLIED = f"{MMU}platform trident mmu queue profile OWN apply\n"


@pytest.mark.parametrize(
    ("running_too", "named"),
    [
        (APPLIED, "Ethernet[1-2]/1"),
        (f"{APPLIED}{PORT}   priority-flow-control priority 3 no-drop\n", "Ethernet2/1"),
        (f"{MMU}{PORT}   platform trident mmu queue interface-profile OWN\n", "Ethernet1/1"),
        (MMU, ""),  # not applied
        (APPLIED.replace("ingress headroom bytes 1000", "ingress threshold 1/8"), ""),
    ],
)
def test_a_change_says_which_headroom_a_port_gets_that_becomes_lossless(running_too: str, named: str) -> None:
    """Nobody means it, so it stays as it runs, and with PFC it is in force."""
    text = running(ONE).replace("   priority-flow-control priority 3 no-drop\n", "") + running_too
    stated = CASE.fixed(text).change.beyond
    if not named:
        assert stated == ()
        return
    (line,) = stated
    assert line.startswith(f"{named}: lossless with this change, with the headroom set on the switch, 1KB")


def test_headroom_that_is_meant_is_set_and_nothing_is_said_of_it() -> None:
    meant = replace(ONE.ports[0], headroom=Headroom(64_000))
    device = make.device(ports=(meant,))
    text = running(device).replace("   priority-flow-control priority 3 no-drop\n", "") + APPLIED
    assert Case(make.fabric(device), device).fixed(text).change.beyond == ()


def test_a_profile_that_nothing_names_any_more_goes() -> None:
    """Lint would tell of it after the change."""
    made = change_of(f"{running(ONE)}{OWN}")
    assert made == ("interface Ethernet2/1", "service-profile ROCE-HOST", "no qos profile OWN")


@pytest.mark.parametrize("user", ["Vlan10", "Ethernet60/1"])
def test_a_profile_that_something_else_names_stays(user: str) -> None:
    text = f"{running(ONE)}{OWN}interface {user}\n   description racks\n   service-profile OWN\n"
    assert change_of(text) == ("interface Ethernet2/1", "service-profile ROCE-HOST")


def test_pfc_that_was_hidden_by_all_off_and_nobody_means_is_taken_back() -> None:
    """Once `all off` is gone, the port of storage would have PFC on and no priority without drop."""
    device = make.device(ports=(*ONE.ports, make.STORAGE_PORT))
    case = Case(make.fabric(device), device)
    text = running(device)
    hidden = f"{text}priority-flow-control all off\ninterface Ethernet64/1\n   priority-flow-control on\n"
    repaired = case.fixed(hidden)
    assert repaired.left == {}
    made = [line.strip() for line in lines(repaired) if line != "!"]
    assert made == ["interface Ethernet64/1", "no priority-flow-control", "no priority-flow-control all off"]
    switch = Switch(hidden)
    typed(switch, lines(repaired))
    assert findings(text_of(case, switch), "arista") <= findings(text, "arista")


def test_pfc_that_pauses_nothing_stays_where_another_port_is_changed() -> None:
    device = make.device(ports=(*ONE.ports, make.STORAGE_PORT))
    case = Case(make.fabric(device), device)
    idle = "interface Ethernet64/1\n   priority-flow-control on\n"
    other = f"{PORT}   priority-flow-control priority 5 no-drop\n"
    assert lines(case.fixed(f"{running(device)}{idle}{other}")) == (
        *("interface Ethernet1/1", "   no priority-flow-control priority 5"),
        "!",
    )


@pytest.mark.parametrize(
    ("other", "reported"),
    [
        (
            "interface Ethernet60/1\n   service-profile ROCE-HOST\n",
            [("Ethernet60/1: this change makes them lossless (priority 3)", "service-profile ROCE-HOST")],
        ),
        (
            "interface Ethernet60/1\n   priority-flow-control on\n   priority-flow-control priority 5 no-drop\n",
            [("Ethernet60/1: this change makes them lossless (priority 5)", "priority-flow-control")],
        ),
        ("interface Ethernet60/1\n   priority-flow-control on\n", []),  # without a priority that is not dropped
        ("interface Ethernet60/1\n   mtu 9214\n", []),
    ],
)
def test_ports_that_nobody_means_and_that_become_lossless_are_named(
    other: str, reported: list[tuple[str, str]]
) -> None:
    text = f"{running(ONE)}{other}"
    assert CASE.fixed(text).change.beyond == ()
    repaired = CASE.fixed(f"{text}priority-flow-control all off\n")
    assert "no priority-flow-control all off" in lines(repaired)
    beyond = sorted(repaired.change.beyond)
    assert len(beyond) == len(reported)
    for (words, off), line in zip(reported, beyond, strict=True):
        assert line.startswith(words)
        assert f": type no {off} below each in the same session" in line


def test_nothing_is_deleted_from_a_part_of_a_configuration() -> None:
    """What else has a profile nobody knows."""
    part = f"{running(ONE)}{OWN}".replace("hostname leaf01\n", "")
    assert change_of(part) == ("interface Ethernet2/1", "service-profile ROCE-HOST")


def test_what_no_line_sets_is_said_and_the_rest_changes() -> None:
    scope = {
        None: {What("roce"), What("dscp")},
        "Ethernet1/1": {What("speed"), What("ecn"), What("maps", None, "x"), What("trust")},
    }
    assert list_unsettable({port: frozenset(settings) for port, settings in scope.items()}) == (
        "dscp is not set by a command on queues or PFC",
        "roce is not set by a command on queues or PFC",
        "Ethernet1/1: ecn is not set by a command on queues or PFC",
        "Ethernet1/1: maps is not set by a command on queues or PFC",
        "Ethernet1/1: speed is not set by a command on queues or PFC",
    )
    known = {What("recovers"), What("counts_marks"), What("remarks"), What("buffers"), What("pcp", 3)}
    assert list_unsettable({None: frozenset(known)}) == ()


def test_a_queue_that_is_taken_back_says_nothing() -> None:
    text = "qos profile P\n   qos trust dscp\n   priority-flow-control priority 3 no-drop\n   uc-tx-queue 3\n"
    text += "      no priority\n   uc-tx-queue 4\n      no priority\n   no uc-tx-queue 3\n"
    profile = parse_tree(text).settings_at((OF_PROFILE, "P"))
    assert values_of(profile) == {"trust": "dscp", ("prio", 3): True, ("strict", 4): False}


@pytest.mark.parametrize(
    ("stated", "typed_then"),
    [
        ("priority-flow-control on", "no priority-flow-control"),
        ("priority-flow-control priority 3 no-drop", "no priority-flow-control priority 3"),
        ("priority-flow-control pause watchdog", "default priority-flow-control pause watchdog"),
        (
            "priority-flow-control pause watchdog port action drop",
            "no priority-flow-control pause watchdog port action",
        ),
        (
            "priority-flow-control pause watchdog port timer timeout 2 polling-interval 1 recovery-time 4",
            "no priority-flow-control pause watchdog port timer",
        ),
        ("qos trust cos", "default qos trust"),
        ("qos cos 3", "no qos cos 3"),
        ("mtu 1500", "no mtu 1500"),
        ("no dcbx mode", "default dcbx mode"),
        ("flowcontrol send on", "default flowcontrol send"),
        ("flowcontrol receive off", "default flowcontrol receive"),
        ("service-profile ROCE", "no service-profile ROCE"),
    ],
)
def test_what_takes_a_line_of_a_port_back(stated: str, typed_then: str) -> None:
    (step,) = plan_steps(parse_tree(f"{PORT}   {stated}\n"), Tree({GLOBALLY: {}, (OF_PORT, "Ethernet1/1"): {}}))
    assert step.lines == ("interface Ethernet1/1", f"   {typed_then}", "!")


def test_pfc_goes_first_and_the_watchdog_after_all_else() -> None:
    """For whoever types without a session: no priority is lossless and unwatched, or without what it needs."""
    have = parse_tree(
        "qos profile P\n   priority-flow-control pause watchdog\n"
        f"{PORT}   uc-tx-queue 3\n      bandwidth percent 30\n   !\n   priority-flow-control on\n"
    )
    (step,) = plan_steps(have, Tree({GLOBALLY: {}, (OF_PROFILE, "P"): {}, (OF_PORT, "Ethernet1/1"): {}}))
    assert step.lines == (
        *(
            "interface Ethernet1/1",
            "   no priority-flow-control",
            "   uc-tx-queue 3",
            "      no bandwidth percent",
            "!",
        ),
        *("qos profile P", "   default priority-flow-control pause watchdog", "!"),
    )


def test_the_mmu_profile_of_a_port_is_what_a_template_says() -> None:
    """Ours has one profile for the switch; a team's own may bind another at a port."""
    own = "platform trident mmu queue interface-profile OWN"
    meant, have = parse_tree(f"{PORT}   {own}\n"), parse_tree(f"{PORT}   mtu 9000\n")
    (step,) = plan_steps(have, make_target(have, meant, {"Ethernet1/1": frozenset({What("headroom", 3)})}))
    assert step.lines == ("interface Ethernet1/1", f"   {own}", "!")


def test_queues_come_in_the_order_of_their_numbers() -> None:
    """Scopes are sets, which have none: one change is printed alike however often it is asked for."""
    rates = [(f"   uc-tx-queue {n}", f"      shape rate {n + 1} percent") for n in range(8)]
    meant = parse_tree(PORT + "".join(f"{queue}\n{rate}\n   !\n" for queue, rate in rates))
    have = parse_tree(f"{PORT}   mtu 9000\n")
    wanted = make_target(have, meant, {"Ethernet1/1": frozenset(What("max_rate", n) for n in range(8))})
    (step,) = plan_steps(have, wanted)
    assert step.lines == (PORT.strip(), *(line for rate in rates for line in rate), "!")


@pytest.mark.parametrize(
    ("stated", "typed_then"),
    [
        ("no priority", "default priority"),
        ("bandwidth percent 30", "no bandwidth percent"),
        ("bandwidth guaranteed 100", "no bandwidth guaranteed"),
        ("shape rate 50 percent", "no shape rate"),
        ("random-detect ecn minimum-threshold 9 kbytes maximum-threshold 90 kbytes", "no random-detect ecn"),
        ("random-detect ecn count", "no random-detect ecn count"),
        (
            "random-detect drop minimum-threshold 9 kbytes maximum-threshold 90 kbytes drop-probability 9",
            "no random-detect drop",
        ),
    ],
)
def test_what_takes_a_line_of_a_queue_back(stated: str, typed_then: str) -> None:
    (step,) = plan_steps(
        parse_tree(f"qos profile P\n   uc-tx-queue 3\n      {stated}\n"), Tree({GLOBALLY: {}, (OF_PROFILE, "P"): {}})
    )
    assert step.lines == ("qos profile P", "   uc-tx-queue 3", f"      {typed_then}", "!")


@pytest.mark.parametrize(
    ("stated", "typed_then"),
    [
        (f"priority-flow-control pause watchdog {what} {value}", f"no priority-flow-control pause watchdog {what}")
        for what, value in (
            ("default timeout", "0.5"),
            ("default recovery-time", "0.5"),
            ("default polling-interval", "0.5"),
            ("action", "drop"),
        )
    ]
    + [
        (line, f"no {line}")
        for line in (
            "priority-flow-control all off",
            "priority-flow-control pause watchdog override action drop",
            "errdisable recovery cause stuck-queue",
            "qos rewrite dscp",
            "qos map traffic-class 1 to tx-queue 6",
            "platform trident mmu queue profile ROCE apply",
        )
    ],
)
def test_what_takes_a_global_line_back(stated: str, typed_then: str) -> None:
    (step,) = plan_steps(parse_tree(f"{stated}\n"), Tree({GLOBALLY: {}}))
    assert step.lines == (typed_then,)
