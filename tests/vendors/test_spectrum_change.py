"""NVUE: whatever is set and whatever is meant, the change leads there, once, in one apply."""

from __future__ import annotations

import copy
import re
from dataclasses import replace
from pathlib import Path

import pytest
import spectrum_devices as make
import yaml
from change_pairs import Case, Finding, findings, lines, on_ports_of, turned
from conformance import run_validator
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from nvue_machine import Switch, operations
from sampling import share
from test_spectrum_property import devices

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Buffers, Device, Headroom, PortGroup
from rocecfg.model.catalogue import What
from rocecfg.source.document import Document
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.changes import MARKS
from rocecfg.vendors.procedure import judge_commands
from rocecfg.vendors.spectrum.change import leaves, make_target, plan_steps
from rocecfg.vendors.spectrum.change.leaves import Leaves
from rocecfg.vendors.spectrum.change.target import list_unsettable
from rocecfg.vendors.spectrum.procedure import procedure_in, procedure_of

MOST = 40
ABOUT = ("rocecfg/vendors/spectrum", "rocecfg/drift", "rocecfg/model")
HEAD = "- header: {{model: SN5600, nvue-api-version: nvue_v1, version: Cumulus Linux {}.0}}\n"
OWN = (  # what is stated of a port; OWN stands for a name that may be anybody's
    "interface {port} qos pfc profile OWN; qos pfc OWN switch-priority 4; qos pfc OWN cable-length 70",
    "interface {port} qos pfc profile OWN; qos pfc OWN tx disable; qos pfc OWN rx disable",
    (
        "interface {port} qos pfc profile OWN; qos pfc OWN switch-priority 3; qos pfc OWN port-buffer 300000; "
        "qos pfc OWN xoff-threshold 100000; qos pfc OWN xon-threshold 20000"
    ),
    "interface {port} qos mapping profile OWN; qos mapping OWN trust l2; qos mapping OWN pcp 3 switch-priority 4",
    "interface {port} qos mapping profile OWN; qos mapping OWN trust l3; qos mapping OWN dscp 8-15 switch-priority 3",
    (
        "interface {port} qos congestion-control profile OWN; qos congestion-control OWN traffic-class 3 ecn enable; "
        "qos congestion-control OWN traffic-class 3 min-threshold 150000; "
        "qos congestion-control OWN traffic-class 3 max-threshold 1500000; "
        "qos congestion-control OWN traffic-class 3 probability 100"
    ),
    "interface {port} qos egress-scheduler profile OWN; qos egress-scheduler OWN traffic-class 3 mode strict",
    "interface {port} qos egress-shaper profile OWN; qos egress-shaper OWN traffic-class 3 max-rate 100000",
    "interface {port} qos link-pause profile OWN; qos link-pause OWN tx enable; qos link-pause OWN rx enable",
    "interface {port} qos pfc-watchdog state enable",
    "interface {port} qos pfc-watchdog state disable",
)
EVERYWHERE = (
    "qos pfc default-global switch-priority 5",
    "qos pfc default-global cable-length 100",
    "qos pfc default-global tx disable",
    "qos mapping default-global trust l2",
    "qos mapping default-global dscp 24-31 switch-priority 3",
    "qos mapping default-global port-default-sp 2",
    "qos egress-queue-mapping default-global switch-priority 6 traffic-class 0",
    "qos congestion-control default-global traffic-class 0 ecn enable",
    "qos congestion-control default-global traffic-class 3 min-threshold 150000",
    "qos egress-scheduler default-global traffic-class 3 mode strict",
    "qos traffic-pool default-lossy memory-percent 30",
    "qos pfc-watchdog polling-interval 1000",
    "qos remark default-global rewrite l3; qos remark default-global switch-priority 3 dscp 10",
    "qos roce mode lossy",
    "qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_1",
)


def typed(device: Device) -> list[str]:
    """The commands that make a switch what is rendered."""
    text = render(make.fabric(device), device, form="commands").body
    return ["nv set system hostname leaf01", *text.splitlines()]


def as_other_people_write(draw: st.DrawFn, commands: list[str], ports: list[str]) -> list[str]:
    """The same and more: other names, profiles for single ports, ports that nobody means; and less."""
    out = list(commands)
    for name in sorted(set(re.findall(r"rocecfg-\S+", "\n".join(out)))):
        if draw(st.booleans()):
            out = [line.replace(name, f"site-{name[-4:]}") for line in out]
    names = ("own", "rocecfg-pfc-off", "rocecfg-ecn-off")
    for stated in draw(st.lists(st.sampled_from(OWN), max_size=3, unique=True)):
        name = draw(st.sampled_from(names))
        at = draw(st.sampled_from([*ports, "swp64s7"]))
        out += [f"nv set {each.format(port=at).replace('OWN', name)}" for each in stated.split("; ")]
    for stated in draw(st.lists(st.sampled_from(EVERYWHERE), max_size=3, unique=True)):
        out += [f"nv set {each}" for each in stated.split("; ")]
    for line in draw(st.lists(st.sampled_from(out[1:]), max_size=3, unique=True)):
        out.remove(line)
    return out


def with_speed_of(chosen: PortGroup, own: PortGroup) -> PortGroup:
    """The speed of a port is none of the change's business."""
    return replace(chosen, lag=None, speed=own.speed)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Case, Switch]:
    """A device that is meant, and a switch of other people's making with its ports."""
    box = draw(devices())
    box = replace(box, ports=tuple(replace(group, lag=None) for group in box.ports))
    if draw(st.booleans()):
        box = replace(box, ports=tuple(replace(p, mtu=draw(st.sampled_from((None, 1500, 9000)))) for p in box.ports))
    if draw(st.integers(0, 3)) == 0:
        box = replace(box, ports=tuple(replace(p, headroom=Headroom(300_000)) for p in box.ports))
    other = on_ports_of(draw, draw(devices()), box, with_speed_of) if draw(st.booleans()) else box
    try:
        case = Case(make.fabric(box), box)
        commands = typed(other)
    except CannotRender:
        assume(condition=False)
    ports = [name for group in box.ports for name in group.names]
    commands = as_other_people_write(draw, commands, ports)
    commands += [f"nv set interface {name} type swp" for name in ports]
    if draw(st.booleans()) and box.ports[0].mtu is not None:
        commands.append(f"nv set interface {ports[0]} link mtu {draw(st.sampled_from((1400, 9100)))}")
    return case, Switch(commands)


def text_of(case: Case, switch: Switch) -> str:
    """What `nv config show` prints."""
    return switch.text(HEAD.format(case.device.version))


# Of a mapping that is not most ports': which these are may change; and of NVIDIA's own map, where that is meant.
SILENT = ("device-unread", "nvue-default-map")


def new_to_lint(case: Case, before: set[Finding], after: set[Finding]) -> set[Finding]:
    """What lint says after a change, and said neither before nor of what is meant."""
    meant = Switch(typed(case.device))
    new = after - before - findings(text_of(case, meant), "spectrum")
    return {finding for finding in new if finding[1] not in SILENT}


@settings(max_examples=MOST, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(pairs())
def test_any_change(pair: tuple[Case, Switch]) -> None:
    """No drift, no change; a change, no drift after it, nothing new for lint, and nothing left to do."""
    case, switch = pair
    text = text_of(case, switch)
    found = case.drift(text)
    fixed = case.fixed(text)
    assert fixed.left == {}
    assert fixed.change.beyond == ()
    assert bool(found) == bool(fixed.change.steps), found
    if not found:
        return
    before = findings(text, "spectrum")
    switch.apply(lines(fixed))
    after = text_of(case, switch)
    assert case.drift(after) == {}, lines(fixed)
    if all(group.trust == "dscp" for group in case.device.ports) and switch.ports() <= case.meant.ports.keys():
        assert new_to_lint(case, before, findings(after, "spectrum")) == set(), lines(fixed)
    switch.apply(lines(fixed))
    assert text_of(case, switch) == after
    assert case.fixed(after).change.steps == ()


@settings(max_examples=MOST, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(pairs())
def test_steps_lead_from_one_configuration_to_the_other(pair: tuple[Case, Switch]) -> None:
    """One apply, in which the order of commands does not matter and no profile that is bound is missing."""
    case, switch = pair
    text = text_of(case, switch)
    have = set_in(case, text)
    meant = leaves.rendered_leaves(Document(0, "", case.meant.text), case.device)
    found = case.drift(text)
    wanted = make_target(have, meant, found)
    made = plan_steps(have, wanted, procedure_of(case.device))
    assert len(made) <= 1
    assert plan_steps(have, make_target(have, meant, turned(found)), procedure_of(case.device)) == made
    rows = [line for step in made for line in step.lines]
    marks = {judge_commands(procedure_of(case.device), [row.removeprefix("nv ")]).mark for row in rows}
    assert {step.mark for step in made} == set(sorted(marks, key=MARKS.index)[-1:])
    other_way = copy.deepcopy(switch)
    switch.apply(rows)
    other_way.apply(reversed(rows))
    assert other_way.tree == switch.tree
    assert set_in(case, text_of(case, switch)).all == wanted.all


def set_in(case: Case, text: str) -> Leaves:
    """The leaves of a text."""
    return leaves.running_leaves(Document(0, "", text), case.device.version)


@pytest.mark.conformance
def test_the_model_takes_every_command(nvue_validator: Path, tmp_path: Path) -> None:
    files: dict[str, list[Path]] = {}

    @settings(max_examples=share(40, *ABOUT), derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(pairs())
    def collect(pair: tuple[Case, Switch]) -> None:
        case, switch = pair
        rows = lines(case.fixed(text_of(case, switch)))
        if rows:
            of = files.setdefault(case.device.version or "", [])
            of.append(tmp_path / f"{case.device.version}-{len(of)}.yaml")
            of[-1].write_text(yaml.safe_dump(operations(rows)), encoding="utf-8")

    collect()
    assert len(files) > 1
    for release, texts in files.items():
        done = run_validator(nvue_validator, "--version", release, *texts)
        assert done.returncode == 0, done.stdout + done.stderr


# -- one by one --------------------------------------------------------------------------------------------------------

ONE = make.device(make.CLASSES, (make.ports("swp[1-2]", ["swp1", "swp2"], mtu=9000),))
CASE = Case(make.fabric(ONE), ONE)
PLAIN = [*typed(ONE), "nv set interface swp1 type swp", "nv set interface swp2 type swp"]


def change_of(*more: str) -> tuple[str, ...]:
    """What is typed where somebody typed more."""
    switch = Switch([*PLAIN, *more])
    fixed = CASE.fixed(text_of(CASE, switch))
    assert fixed.left == {}
    return lines(fixed)


def test_what_is_rendered_needs_no_change() -> None:
    assert change_of() == ()


def test_only_what_differs_is_typed() -> None:
    """PFC is sent unless it is disabled: that the switch does not say so is no difference."""
    more = ("nv unset qos pfc default-global tx", "nv set qos pfc default-global cable-length 70")
    assert change_of(*more) == ("nv set qos pfc default-global cable-length 3",)


def test_a_watchdog_and_the_pfc_that_it_watches_go_in_one_apply() -> None:
    """In two, the port is lossless and unwatched between them."""
    lossy = tuple(c for c in make.CLASSES if not c.lossless)
    device = make.device(make.CLASSES, (*ONE.ports, make.ports("swp3", ["swp3"], lossy, watchdog=None)))
    case = Case(make.fabric(device), device)
    more = [
        line.format("swp3")
        for line in ("nv unset interface {} qos pfc", "nv set interface {} qos pfc-watchdog state enable")
    ]
    switch = Switch([*typed(device), *PLAIN[-2:], "nv set interface swp3 type swp", *more])
    (step,) = case.fixed(text_of(case, switch)).change.steps
    assert step.lines == (
        "nv set interface swp3 qos pfc profile rocecfg-pfc-off",
        "nv unset interface swp3 qos pfc-watchdog",
    )


def test_the_lossless_pool_keeps_the_name_that_it_has() -> None:
    renamed = [line.replace("roce-lossless", "default-lossless").replace("percent 50", "percent 40") for line in PLAIN]
    switch = Switch([line.replace("lossy memory-percent 40", "lossy memory-percent 60") for line in renamed])
    assert lines(CASE.fixed(text_of(CASE, switch))) == (
        "nv set qos traffic-pool default-lossy memory-percent 50",
        "nv set qos traffic-pool default-lossless memory-percent 50",
    )


def test_shares_that_change_never_sum_to_more_than_all() -> None:
    """Of a queue that nothing is sorted to, too: NVUE refuses more than 100 percent."""
    made = change_of(
        "nv set qos egress-scheduler default-global traffic-class 1 mode dwrr",
        "nv set qos egress-scheduler default-global traffic-class 1 bw-percent 30",
        "nv set qos egress-scheduler default-global traffic-class 3 bw-percent 30",
    )
    assert set(made) == {
        "nv set qos egress-scheduler default-global traffic-class 1 mode strict",
        "nv set qos egress-scheduler default-global traffic-class 3 bw-percent 60",
        "nv unset qos egress-scheduler default-global traffic-class 1 bw-percent",
    }


def test_a_profile_that_nothing_is_bound_to_any_more_goes() -> None:
    """Lint would tell of it after the change."""
    own = (
        "nv set interface swp1 qos pfc profile own",
        "nv set qos pfc own switch-priority 3",
        "nv set qos pfc own cable-length 70",
    )
    assert change_of(*own) == ("nv unset qos pfc own", "nv unset interface swp1 qos pfc")
    assert "nv unset qos pfc own" not in change_of(*own, "nv set interface swp9 qos pfc profile own")
    part = "".join(f"{line}\n" for line in (*PLAIN[1:], *own) if "type swp" not in line)
    assert lines(CASE.fixed(part)) == ("nv unset interface swp1 qos pfc",)  # what else has it nobody knows


def test_members_of_a_bond_are_bound_at_the_bond() -> None:
    device = make.device(make.CLASSES, (make.ports("swp1", ["swp1"], lag="bond0", mtu=9000),))
    meant = leaves.rendered_leaves(Document(0, "", render(make.fabric(device), device).body), device)
    have = Leaves(
        {("interface", "bond0", "qos", "pfc", "profile"): "own", ("interface", "bond0", "link", "mtu"): "1500"}
    )
    (step,) = plan_steps(
        have, make_target(have, meant, {"swp1": frozenset({What("cable"), What("mtu")})}), procedure_in((5, 14))
    )
    assert set(step.lines) >= {"nv set interface bond0 link mtu 9000"}
    assert not any("swp1" in line for line in step.lines)


TAGGED = make.device(make.CLASSES, (make.ports("swp[1-2]", ["swp1", "swp2"], trust="pcp", mtu=9000),))


def test_an_802_1p_value_that_is_sorted_elsewhere_is_typed_where_ports_sort_by_it() -> None:
    case = Case(make.fabric(TAGGED), TAGGED)
    plain = [*typed(TAGGED), *PLAIN[-2:]]
    (own,) = [line for line in plain if " pcp 3 " in line]
    assert own.endswith("pcp 3 switch-priority 3")
    switch = Switch([*plain, own.replace("switch-priority 3", "switch-priority 5")])
    assert lines(case.fixed(text_of(case, switch))) == (own,)


def test_the_lossless_pool_gets_the_priority_that_pfc_is_meant_for_though_nobody_said_any() -> None:
    """`default-lossless` has priority 3 unless told: RDMA on 4 would draw from the lossy pool."""
    moved = tuple(
        replace(c, priority=4, tc=4, queue=4, pg=4)
        if c.lossless
        else replace(c, priority=3, tc=3, queue=3)
        if c.priority == 4
        else c
        for c in make.CLASSES
    )
    device = make.device(moved, (make.ports("swp[1-2]", ["swp1", "swp2"], moved, mtu=9000),))
    case = Case(make.fabric(device), device)
    plain = [line for line in (*typed(device), *PLAIN[-2:]) if not re.search("traffic-pool .* switch-priority", line)]
    made = lines(case.fixed(text_of(case, Switch([*plain, "nv set qos pfc default-global switch-priority 5"]))))
    assert "nv unset qos pfc default-global switch-priority 5" in made
    assert "nv set qos traffic-pool roce-lossless switch-priority 4" in made


def test_the_way_of_a_priority_that_nothing_is_sorted_into_stays() -> None:
    assert not [line for line in PLAIN if line.endswith("switch-priority 1")]
    made = change_of(
        "nv set qos mapping default-global dscp 26 switch-priority 0",
        "nv set qos egress-queue-mapping default-global switch-priority 1 traffic-class 5",
    )
    assert made == ("nv set qos mapping default-global dscp 26 switch-priority 3",)


def test_the_share_of_small_packets_is_typed_where_it_is_another() -> None:
    device = make.device(make.CLASSES, ONE.ports, buffers=Buffers(small_packets=60), version="5.18")
    case = Case(make.fabric(device), device)
    plain = [*typed(device), *PLAIN[-2:]]
    (own,) = [line for line in plain if "small-packet-probability" in line]
    assert own == "nv set qos pfc default-global small-packet-probability 60"
    switch = Switch([*plain, own.replace(" 60", " 20")])
    assert lines(case.fixed(text_of(case, switch))) == (own,)


def test_a_map_that_changes_changes_on_every_port() -> None:
    """A port with a profile of the same name and another map is bound to the new one."""
    switch = Switch(
        [
            *PLAIN,
            "nv set interface swp1 qos mapping profile own",
            *(
                line.replace("mapping default-global", "mapping own")
                for line in PLAIN
                if "mapping default-global" in line
            ),
            "nv set qos mapping own dscp 26 switch-priority 0",
            "nv set qos mapping default-global dscp 26 switch-priority 2",
        ]
    )
    fixed = CASE.fixed(text_of(CASE, switch))
    assert fixed.left == {}
    assert lines(fixed) == (
        "nv set qos mapping default-global dscp 26 switch-priority 3",
        "nv unset qos mapping own",
        "nv unset interface swp1 qos mapping",
    )


@pytest.mark.parametrize(("mtu", "typed_then"), [("1500", ("link mtu 9000",)), ("9216", ()), ("9000", ())])
def test_an_mtu_is_what_is_meant_at_least(mtu: str, typed_then: tuple[str, ...]) -> None:
    assert change_of(f"nv set interface swp1 link mtu {mtu}") == tuple(f"nv set interface swp1 {t}" for t in typed_then)


def test_marks_that_are_rewritten_are_left_and_their_table_stays() -> None:
    more = ("nv set qos remark default-global rewrite l3", "nv set qos remark default-global switch-priority 3 dscp 10")
    assert change_of(*more) == ("nv unset qos remark default-global rewrite",)


def test_what_no_leaf_sets_is_said() -> None:
    at_ports = (
        *("pfc", "sends", "obeys", "cable", "headroom", "trust", "unmarked", "dscp", "pcp", "watchdog", "ecn"),
        *("discards", "shares", "max_rate", "guaranteed", "mtu", "flowcontrol", "trimmed", "adaptive"),
    )
    of_switch = ("dscp", "pcp", "buffers", "pool", "roce", "remarks", "trimming", "load_balancing")
    assert list_unsettable({None: frozenset(map(What, of_switch)), "swp1": frozenset(map(What, at_ports))}) == ()
    scope = {
        None: frozenset({What("recovers"), What("roce")}),
        "swp1": frozenset({What("speed"), What("dcbx"), What("cable")}),
    }
    assert list_unsettable(scope) == (
        "recovers is not set in NVUE's objects on QoS",
        "swp1: dcbx is not set in NVUE's objects on QoS",
        "swp1: speed is not set in NVUE's objects on QoS",
    )


def test_a_rate_of_a_queue() -> None:
    classes = tuple(replace(c, max_rate=200 * make.G) if c.lossless else c for c in make.CLASSES)
    device = make.device(classes, (make.ports("swp[1-2]", ["swp1", "swp2"], classes, mtu=9000),))
    case = Case(make.fabric(device), device)
    commands = [*typed(device), *PLAIN[-2:]]
    (rate,) = (line for line in commands if "max-rate" in line)
    other = rate.replace(rate.rpartition(" ")[2], "100000")
    assert lines(case.fixed(text_of(case, Switch([*commands, other])))) == (rate,)
    assert lines(case.fixed(text_of(case, Switch(line for line in commands if "shaper" not in line))))[-1:] == (rate,)
