"""The EOS writer, line by line: classification, families, PFC, scheduling and ECN."""

from __future__ import annotations

import re
from dataclasses import replace

import arista_factory as make
import pytest
from arista_lines import lines_of, no_drop, profile_of, read
from arista_render import body, refused, text

from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Ecn
from rocecfg.vendors.arista.procedure import UNCHECKED

# --- classification


@pytest.mark.parametrize("device", [make.device(), make.spine()], ids=["strata", "sand"])
def test_every_code_point_is_mapped_exactly_once(device: Device) -> None:
    tc_of = read(body(device)).tc_of
    assert sorted(tc_of) == list(range(64))
    assert {d: tc_of[d] for d in (18, 20, 26, 48, 56)} == {18: 2, 20: 2, 26: 3, 48: 6, 56: 7}
    assert {tc_of[d] for d in range(64) if d not in (18, 20, 26, 48, 56)} == {0}


def test_traffic_class_7_is_never_mapped_because_eos_ties_it_to_queue_7() -> None:
    assert sorted(read(body(make.device())).queue_of) == [0, 1, 2, 3, 4, 5, 6]


def test_a_traffic_class_may_use_a_queue_of_another_number() -> None:
    classes = (*make.CLASSES[:3], replace(make.STORAGE, queue=4), make.DEFAULT)
    switch = read(body(make.device(classes=classes)))
    assert switch.queue_of[2] == 4
    assert "bandwidth percent 15" in profile_of(switch, "Ethernet1/1")["queues"][4]


def test_unclaimed_code_points_are_left_alone_and_counted_in_a_note() -> None:
    classes = (make.RDMA, make.CNP)
    device = make.device(classes=classes, ports=(replace(make.HOSTS, classes=("rdma", "cnp")),))
    written = text(device)
    assert read(written.body).tc_of == {26: 3, 48: 6}
    assert any(note.startswith("62 code points are not mapped, no class claims them") for note in written.notes)
    kept = render(make.fabric(device, classification="vendor"), device)
    assert any(note.startswith("62 code points are not mapped, classification is vendor") for note in kept.notes)


def test_cos_is_mapped_only_where_a_port_classifies_by_it() -> None:
    assert "qos map cos" not in body(make.device())
    device = make.one_port(trust="pcp")
    globals_ = read(body(device)).globals
    assert [line for line in globals_ if line.startswith("qos map cos")] == [
        f"qos map cos {cos} to traffic-class {tc}"
        for cos, tc in enumerate((0, 0, 2, 3, 0, 0, 6, 7))  # unclaimed priorities go where rest goes
    ]
    assert "qos trust cos" in profile_of(read(body(device)), "Ethernet1/1")["lines"]


def test_an_untrusted_port_says_so() -> None:
    assert "no qos trust" in profile_of(read(body(make.one_port(trust="none"))), "Ethernet1/1")["lines"]


# --- families


def test_queue_keyword_follows_the_family() -> None:
    leaf, spine = body(make.device()), body(make.spine())
    assert "uc-tx-queue 3\n" in leaf
    assert "to uc-tx-queue 3\n" in leaf
    assert "uc-tx-queue" not in spine
    assert "to tx-queue 3\n" in spine


def test_ecn_counters_of_sand_need_the_hardware_feature() -> None:
    assert body(make.spine()).startswith("!\nhardware counter feature ecn out\n")
    assert "hardware counter" not in body(make.device())
    classes = (replace(make.RDMA, ecn=None), *make.CLASSES[1:])
    assert "hardware counter" not in body(make.spine(classes=classes))


def test_the_stated_family_wins_over_the_chip() -> None:
    assert "uc-tx-queue" in body(make.spine(family="strata"))


@pytest.mark.parametrize(
    "changes", [{"asic": None}, {"asic": None, "family": "xgs"}, {"asic": replace(make.asic("strata"), families={})}]
)
def test_an_unknown_family_is_refused_with_the_fix(changes: dict[str, object]) -> None:
    problem = refused(make.device(**changes))
    assert "family" in problem.message
    assert "name the platform or the asic" in problem.help


@pytest.mark.parametrize(
    ("version", "in_profile"), [("4.31.4M", False), ("4.32.0F", True), ("4.35.1F", True), (None, False)]
)
def test_strata_counts_marks_on_the_interface_until_4_31(version: str | None, in_profile: bool) -> None:
    lines = lines_of(body(make.device(version=version)))
    where = {path[0].split()[0] for path, line in lines if line == "random-detect ecn count"}
    assert where == {"qos" if in_profile else "interface"}


def test_sand_counts_marks_in_the_profile_in_every_release() -> None:
    lines = lines_of(body(make.spine(version="4.30.3M")))
    assert {path[0] for path, line in lines if line == "random-detect ecn count"} == {"qos profile ROCE-SWITCH"}


@pytest.mark.parametrize("version", ["latest", "4", "5.1.0", "4.22.1F"])
def test_a_release_that_cannot_be_is_refused(version: str) -> None:
    assert version in refused(make.device(version=version)).message


# --- PFC and scheduling


def test_only_the_lossless_priority_is_no_drop_and_older_ones_are_cleared() -> None:
    profile = profile_of(read(body(make.device())), "Ethernet1/1")
    assert no_drop(profile) == (3,)
    cleared = [line for line in profile["lines"] if line.startswith("no priority-flow-control priority")]
    assert [int(line.split()[-1]) for line in cleared] == [0, 1, 2, 4, 5, 6, 7]


def test_a_port_without_lossless_class_has_pfc_off_and_no_ecn() -> None:
    profile = profile_of(read(body(make.device())), "Ethernet64/1")
    assert "no priority-flow-control" in profile["lines"]
    assert not any("watchdog" in line or "no-drop" in line for line in profile["lines"])
    assert "no random-detect ecn" in profile["queues"][3]


def test_round_robin_and_strict_queues() -> None:
    queues = profile_of(read(body(make.device())), "Ethernet1/1")["queues"]
    assert {n: q[0] for n, q in queues.items()} == {
        0: "no priority", 2: "no priority", 3: "no priority", 6: "priority strict", 7: "priority strict",
    }  # fmt: skip
    shares = {n: line for n, q in queues.items() for line in q if line.startswith("bandwidth percent")}
    assert shares == {0: "bandwidth percent 25", 2: "bandwidth percent 15", 3: "bandwidth percent 60"}


def test_a_round_robin_queue_without_a_share_clears_an_older_one() -> None:
    queues = profile_of(read(body(make.with_class(bandwidth=None))), "Ethernet1/1")["queues"]
    assert queues[3][:2] == ["no priority", "no bandwidth percent"]


def test_watched_lossless_queue_gets_a_guarantee_and_the_head_says_why() -> None:
    written = text(make.device())
    queues = profile_of(read(written.body), "Ethernet1/1")["queues"]
    assert [n for n, q in queues.items() if any("guaranteed" in line for line in q)] == [3]
    assert "bandwidth guaranteed 100" in queues[3]
    assert any("bandwidth guaranteed 100" in note and "one source" in note for note in written.notes)


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"guaranteed_percent": 10}, "bandwidth guaranteed percent 10"),
        ({"guaranteed_rate": 5_000_000_000}, "bandwidth guaranteed 5000000"),
        ({"max_percent": 40}, "shape rate 40 percent"),
        ({"max_rate": 100_000_000_000}, "shape rate 100000000 kbps"),
    ],
)
def test_stated_guarantees_and_shapers(changes: dict[str, float], line: str) -> None:
    queue = profile_of(read(body(make.with_class(**changes))), "Ethernet1/1")["queues"][3]
    assert line in queue
    assert sum("guaranteed" in entry for entry in queue) == 1


def test_a_strict_queue_below_a_round_robin_one_is_noted() -> None:
    low = (make.RDMA, replace(make.CNP, priority=1, tc=1, queue=1), *make.CLASSES[2:])
    assert any("Strict queue 1 is below round-robin queue 3" in note for note in text(make.device(classes=low)).notes)
    assert not any("Strict queue" in note for note in text(make.device()).notes)


def test_no_watchdog_no_guarantee() -> None:
    profile = profile_of(read(body(make.one_port(watchdog=None))), "Ethernet1/1")
    assert "no priority-flow-control pause watchdog" in profile["lines"]
    assert not any("guaranteed" in line for line in profile["queues"][3])


@pytest.mark.parametrize("device", [make.device(), make.spine(), make.one_port(watchdog=None)])
def test_a_line_that_no_source_was_found_for_is_told_in_the_notes(device: Device) -> None:
    """So in what a change says of its lines; a file's head has its own words."""
    made = text(device)
    doubted = {line.strip() for line in made.body.splitlines() if re.match(UNCHECKED, line.strip())}
    told = [note for note in made.notes if "no source was found for" in note]
    assert all(any(line in note for note in told) for line in doubted)
    assert bool(doubted) == any("priority-flow-control" in note for note in told)


def test_classes_that_share_a_queue_share_its_settings_once() -> None:
    extra = make.traffic_class("telemetry", (10,), 0, bandwidth=25)
    classes = (*make.CLASSES[:4], extra, replace(make.DEFAULT, dscps=tuple(d for d in make.DEFAULT.dscps if d != 10)))
    lines = [line for path, line in lines_of(body(make.device(classes=classes))) if "uc-tx-queue 0" in path]
    assert lines.count("bandwidth percent 25") == 2  # once a profile


# --- ECN


def test_ecn_keeps_the_bytes_of_the_intent() -> None:
    queue = profile_of(read(body(make.device())), "Ethernet1/1")["queues"][3]
    assert (
        "random-detect ecn minimum-threshold 800000 bytes maximum-threshold 2400000 bytes "
        "max-mark-probability 5 weight 0"
    ) in queue


def test_curves_by_speed_make_profiles_of_their_own() -> None:
    fast = Ecn(kmin=1_000_001, kmax=3_000_000, pmax=7, weight=2)
    classes = (replace(make.RDMA, ecn_by_speed=((800 * make.GBIT, fast),)), *make.CLASSES[1:])
    switch = read(body(make.device(classes=classes)))
    assert sorted(switch.profiles) == ["ROCE-HOST", "ROCE-STORAGE", "ROCE-SWITCH"]
    assert any("minimum-threshold 800000 bytes" in q for q in profile_of(switch, "Ethernet48/1")["queues"][3])
    assert any("minimum-threshold 1000001 bytes" in q for q in profile_of(switch, "Ethernet49/1")["queues"][3])


def test_a_port_override_reaches_only_its_ports() -> None:
    special = replace(make.RDMA, ecn=Ecn(kmin=1_000, kmax=2_000, pmax=1), bandwidth=70)
    ports = (make.HOSTS, replace(make.UPLINKS, overrides=(special,)), make.STORAGE_PORT)
    switch = read(body(make.device(ports=ports)))
    assert "bandwidth percent 60" in profile_of(switch, "Ethernet1/1")["queues"][3]
    assert "bandwidth percent 70" in profile_of(switch, "Ethernet49/1")["queues"][3]


def test_rounding_to_cells_is_said_on_strata_only() -> None:
    assert any("cells of 254 B" in note for note in text(make.device()).notes)
    assert not any("cells" in note for note in text(make.spine()).notes)


def test_rounding_to_cells_is_said_only_where_there_is_any() -> None:
    whole, not_whole = (make.with_class(ecn=replace(make.CURVE, kmin=kmin, kmax=2540)) for kmin in (254, 255))
    assert "rounds bytes" not in "\n".join(render(make.fabric(whole), whole).notes)
    assert "rounds bytes to buffer cells of 254 B" in "\n".join(render(make.fabric(not_whole), not_whole).notes)
