"""What two sets of settings differ in, and what of them was compared: each rule of the comparison by itself."""

from __future__ import annotations

from typing import Any

import pytest

from rocecfg.core.units import Percent
from rocecfg.model import AUTO, Span
from rocecfg.model.compare import Gap, How, check_coverage, find_gaps
from rocecfg.model.values import KEEPS, OFF, Fact, Facts, Least, Watched, Way
from rocecfg.vendors.changes import What

AT = Span(0, 10, 20)
IMPLIED = Span(0, 0, 5)
WHOLE = How(True, 1, False, frozenset({0, 3}), frozenset(), frozenset({3}), frozenset())  # noqa: FBT003 - a record
PART = WHOLE._replace(whole=False, implied=frozenset({IMPLIED}))


def facts(**stated: Any) -> Facts:
    """`topic`, `topic_NUMBER`, `topic__part`, `topic_NUMBER__part`."""
    out = {}
    for name, value in stated.items():
        head, _, part = name.partition("__")
        topic, _, number = head.rpartition("_")
        what = What(topic, int(number), part) if number.isdigit() and topic else What(head, None, part)
        out[what] = Fact(value, AT)
    return out


def differing(meant: Facts, running: Facts, how: How = WHOLE) -> list[str]:
    """Topics with number and part, `-` before what only runs, `!` behind a leftover."""
    return [_reported(gap) for gap in find_gaps(meant, running, how)]


def _reported(gap: Gap) -> str:
    number = "" if gap.what.number is None else str(gap.what.number)
    text = ".".join(part for part in (gap.what.topic, number, gap.what.part) if part)
    return f"{'-' if gap.meant is None else ''}{text}{'!' if gap.leftover else ''}"


def test_equal_settings_do_not_differ_and_others_do() -> None:
    assert differing(facts(trust="dscp", mtu=9000), facts(trust="dscp", mtu=9000)) == []
    assert differing(facts(trust="dscp", mtu=9000), facts(trust="pcp", mtu=1500)) == ["trust", "mtu"]
    (gap,) = find_gaps(facts(trust="dscp"), facts(trust="pcp"), WHOLE)
    assert (gap.meant, gap.running, gap.leftover) == (Fact("dscp", AT), Fact("pcp", AT), False)


@pytest.mark.parametrize(
    ("name", "silent", "other"),
    [
        ("pfc", (), (3,)),
        ("watchdog", OFF, (("detection_time", 200),)),
        ("ecn_3", OFF, (("kmin", 1),)),
        ("flowcontrol", OFF, "both"),
        ("discards_3", False, True),
        ("egress_3", KEEPS, "lossy"),
        ("watchdog_forced", False, True),
        ("watchdog_blind", False, True),
        ("counted_3", False, True),
        ("counts_marks", False, True),
        ("unmarked", 0, 3),
        ("dcbx", OFF, "ieee"),
    ],
)
def test_what_silence_means(name: str, silent: Any, other: Any) -> None:
    """Of a whole configuration; of a part of one it means nothing."""
    extra = facts(pfc=(3,)) if name == "watchdog" else {}
    assert differing(facts(**{name: silent}) | extra, extra) == []
    assert len(differing(facts(**{name: other}) | extra, extra)) == 1
    assert differing(facts(**{name: other}) | extra, extra, PART) == []


@pytest.mark.parametrize(
    "name", ["pfc", "flowcontrol", "unmarked", "remarks", "watchdog_forced", "watchdog_blind", "obeys", "sends"]
)
def test_what_runs_and_is_not_meant(name: str) -> None:
    silent = {"pfc": (), "flowcontrol": OFF, "unmarked": 0, "remarks": ()}.get(name, False)
    assert name in ("obeys", "sends") or differing({}, facts(**{name: silent})) == []
    assert differing({}, facts(**{name: "set"})) == [f"-{name}!"]


@pytest.mark.parametrize("name", ["egress_3", "counted_3", "counts_marks", "dcbx", "trust", "mtu", "cable"])
def test_what_runs_and_concerns_nobody(name: str) -> None:
    assert differing({}, facts(**{name: "set"})) == []


def test_a_leftover_is_on_a_queue_that_carries_nothing() -> None:
    curve = (("kmin", 1),)
    assert differing({}, facts(ecn_3=curve)) == ["-ecn.3"]
    assert differing({}, facts(ecn_4=curve)) == ["-ecn.4!"]
    assert differing(facts(ecn_4=OFF), facts(ecn_4=curve)) == ["-ecn.4!"]
    assert differing(facts(ecn_3=OFF), facts(ecn_3=curve)) == ["ecn.3"]


def test_ecn_that_is_missing_is_told_once() -> None:
    meant = facts(ecn_3=(("kmin", 1), ("kmax", 2)), ecn_3__kmin=1, ecn_3__kmax=2)
    assert differing(meant, {}) == ["ecn.3"]
    assert differing(meant, facts(ecn_3=OFF)) == ["ecn.3"]
    assert differing(meant, facts(ecn_3=(("kmin", 9), ("kmax", 2)), ecn_3__kmin=9, ecn_3__kmax=2)) == ["ecn.3.kmin"]


def test_ecn_left_to_the_system_is_any_ecn() -> None:
    meant = facts(ecn_3="vendor-default")
    assert differing(meant, facts(ecn_3=(("kmin", 9),))) == []
    assert differing(meant, facts(ecn_3=OFF)) == ["ecn.3"]
    assert differing(facts(ecn_3=(("kmin", 9),)), facts(ecn_3="auto-of-the-switch")) == ["ecn.3"]


def test_parts_that_go_without_saying() -> None:
    """No weight, all colours and no curves of single colours are usual; what is said otherwise is told."""
    on = (("kmin", 1),)
    assert differing(facts(ecn_3=on), facts(ecn_3=on, ecn_3__weight=0, ecn_3__colors="all")) == []
    assert differing(facts(ecn_3=on), facts(ecn_3=on, ecn_3__weight=5)) == ["ecn.3.weight"]
    assert differing(facts(ecn_3=on), facts(ecn_3=on, ecn_3__colors=("green",))) == ["ecn.3.colors"]
    assert differing(facts(ecn_3=OFF), facts(ecn_3=OFF, ecn_3__weight=5)) == []
    assert differing({}, facts(ecn_3__weight=5)) == []
    (gap,) = find_gaps(facts(ecn_3=on), facts(ecn_3=on, ecn_3__weight=5), WHOLE)
    assert gap.meant == Fact(0, AT)
    assert differing(facts(ecn_3=on, ecn_3__weight=0), facts(ecn_3=on)) == []
    assert differing(facts(ecn_3=on, ecn_3__weight=5), facts(ecn_3=on)) == ["ecn.3.weight"]


def test_curves_of_single_colours() -> None:
    meant = facts(ecn_3=(("kmin", 1),), ecn_3__kmin=100, ecn_3__kmax=200, ecn_3__pmax=5)
    same = (("yellow", 100, 200, 5),)
    other = (("yellow", 100, 200, 5), ("red", 100, 300, 5))
    assert differing(meant, {**meant, **facts(ecn_3__curves=same)}) == []
    (gap,) = find_gaps(meant, {**meant, **facts(ecn_3__curves=other)}, WHOLE)
    assert gap.running == Fact((("red", 100, 300, 5),), AT)
    lacking = (("red", 100, None, 5),)
    assert differing(meant, {**meant, **facts(ecn_3__curves=lacking)}) == ["ecn.3.curves"]
    unknown = facts(ecn_3=(("kmin", 1),))  # nothing to hold them to
    assert differing(unknown, {**unknown, **facts(ecn_3__curves=other)}) == []


@pytest.mark.parametrize(("running", "same"), [(100, True), (163, True), (164, False), (37, True), (36, False)])
def test_thresholds_less_than_a_step_of_the_chip_apart_are_one(running: int, *, same: bool) -> None:
    meant, there = (facts(ecn_3=(("kmin", 1),), ecn_3__kmin=kmin) for kmin in (100, running))
    assert (differing(meant, there, WHOLE._replace(step=64)) == []) == same


@pytest.mark.parametrize(("running", "same"), [(65, True), (128, True), (129, False), (64, False)])
def test_thresholds_that_are_read_back_rounded_up(running: int, *, same: bool) -> None:
    meant, there = (facts(ecn_3=(("kmin", 1),), ecn_3__kmax=kmax) for kmax in (100, running))
    assert (differing(meant, there, WHOLE._replace(step=64, rounds_up=True)) == []) == same


def test_other_numbers_have_no_step() -> None:
    meant, there = (facts(ecn_3=(("kmin", 1),), ecn_3__pmax=pmax) for pmax in (5, 6))
    assert differing(meant, there, WHOLE._replace(step=64)) == ["ecn.3.pmax"]
    assert differing(facts(cable=40.0), facts(cable=40.00000001)) == []
    assert differing(facts(cable=40.0), facts(cable=40.1)) == ["cable"]


def test_a_value_that_is_to_be_reached() -> None:
    for running, expected in ((8999, ["mtu"]), (9000, []), (9216, [])):
        assert differing(facts(mtu=Least(9000)), facts(mtu=running)) == expected


def test_shares_are_of_the_weights_that_are_meant() -> None:
    meant = facts(weight_0=40, weight_3=60)
    assert differing(meant, facts(weight_0=2, weight_3=3)) == []
    assert differing(meant, facts(weight_0=50, weight_3=50)) == ["shares.0", "shares.3"]
    in_percent = [gap[1:3] for gap in find_gaps(facts(weight_0=2, weight_3=3), facts(weight_0=7, weight_3=7), WHOLE)]
    assert in_percent == [(Fact(40.0, AT), Fact(50.0, AT)), (Fact(60.0, AT), Fact(50.0, AT))]
    assert differing(meant, facts(weight_0=405, weight_3=595)) == []  # less than a percentage point
    assert differing(meant, facts(weight_0=41, weight_3=59)) == ["shares.0", "shares.3"]
    assert differing(meant, facts(weight_0=2, weight_3=3, weight_5=50)) == []  # nothing is meant for queue 5
    assert differing(facts(weight_0="strict", weight_3=60), facts(weight_0="strict", weight_3=7)) == []
    assert differing(facts(weight_0="strict", weight_3=60), facts(weight_0=5, weight_3=5)) == ["shares.0", "shares.3"]
    assert differing(facts(weight_3=0), facts(weight_3=0)) == []


def test_of_a_part_without_all_weights_no_share_is_known() -> None:
    meant = facts(weight_0=40, weight_3=60)
    assert differing(meant, facts(weight_3=10), PART) == []
    assert differing(meant, facts(weight_0=50, weight_3=50), PART) == ["shares.0", "shares.3"]
    assert set(check_coverage(meant, facts(weight_3=10), PART).values()) == {False}
    assert set(check_coverage(meant, facts(weight_0=1, weight_3=10), PART).values()) == {True}


def test_ways_differ_by_queue_group_and_the_priority_that_is_paused() -> None:
    meant = facts(dscp_26=Way(3, 3, 3))
    for way, same in (
        (Way(3, 3, 3), True),
        (Way(3, None, 3), True),
        (Way(3, 4, 3), False),
        (Way(4, 3, 3), False),
        (Way(3, 3, None), False),
    ):
        assert (differing(meant, facts(dscp_26=way)) == []) == same
    idle = facts(dscp_0=Way(0, 0, 0))  # nothing pauses 0: its priority says nothing
    assert differing(idle, facts(dscp_0=Way(0, 0, None))) == []
    assert differing(idle, facts(dscp_0=Way(1, 0, 0))) == ["dscp.0"]


def test_what_pauses_act_on_matters_for_priorities_with_pfc() -> None:
    for topic in ("stops", "pauses"):
        assert differing(facts(**{f"{topic}_3": 3}), facts(**{f"{topic}_3": 4})) == [f"{topic}.3"]
        assert differing(facts(**{f"{topic}_5": 5}), facts(**{f"{topic}_5": 4})) == []


def test_watched_priorities() -> None:
    on = facts(watchdog=(("x", 1),))
    meant = {**on, **facts(watchdog__priorities=Watched((3,), all=True))}
    for there, same in (
        (Watched((3,), all=False), True),
        (Watched((3, 4), all=True), True),  # PFC itself is told
        (Watched((4,), all=False), False),
    ):
        assert (differing(meant, {**on, **facts(watchdog__priorities=there)}) == []) == same


def test_a_watchdog_goes_with_pfc() -> None:
    """Without PFC there is none, and PFC is told."""
    meant = facts(pfc=(3,), watchdog=(("x", 1),), watchdog__detection_time=200)
    assert differing(meant, facts(pfc=())) == ["pfc"]
    assert differing(meant, facts(pfc=(3,))) == ["watchdog"]
    assert check_coverage(facts(watchdog=OFF), facts(pfc=()), PART) == {What("watchdog"): True}
    assert check_coverage(facts(watchdog=OFF), facts(pfc=(3,)), PART) == {What("watchdog"): False}
    assert check_coverage(facts(mtu=9000), facts(pfc=()), PART) == {What("mtu"): False}


def test_groups() -> None:
    """A lossless group of a priority with PFC is told as that; another one by itself."""
    pfc = facts(pfc=(3,))
    assert differing(pfc, {**pfc, **facts(group_4="lossless")}) == ["-group.4!"]
    assert differing(pfc, {**pfc, **facts(group_3="lossless")}) == []
    assert differing(facts(pfc=(3,)), facts(pfc=(4,), group_4="lossless")) == ["pfc"]
    assert differing(facts(pfc=(3,)), facts(pfc=(), group_3="lossless")) == ["pfc"]
    assert differing({}, facts(group_0="lossless")) == ["-group.0"]
    sized = facts(group_3="lossless", group_3__xoff=100)
    assert differing(sized, {}) == ["group.3"]
    assert differing(sized, facts(group_3="lossless", group_3__xoff=50)) == ["group.3.xoff"]


def test_rates() -> None:
    """None says as much as silence; a rate that is not meant counts on queues that carry something."""
    assert differing(facts(max_rate_3=None), {}) == []
    assert differing(facts(max_rate_3=10**9), {}) == ["max_rate.3"]
    assert differing({}, facts(max_rate_3=10**9)) == ["-max_rate.3"]
    assert differing({}, facts(guaranteed_3=10**9, guaranteed_5=10**9)) == ["-guaranteed.3"]
    assert differing({}, facts(max_rate_3__part=10**9)) == []
    assert differing(facts(max_rate_3=Percent(40)), facts(max_rate_3=Percent(40))) == []
    assert differing(facts(max_rate_3=Percent(40)), facts(max_rate_3=40)) == ["max_rate.3"]  # bit/s
    assert differing(facts(max_rate_3=40), facts(max_rate_3=Percent(40))) == ["max_rate.3"]


def test_trimming_that_is_missing_is_told_once() -> None:
    meant = facts(trimming=(("size", 256),), trimming__size=256)
    assert differing(meant, facts(trimming=OFF)) == ["trimming"]
    assert differing(meant, {**meant, **facts(trimming__size=512)}) == ["trimming.size"]


@pytest.mark.parametrize(
    ("there", "how", "same"),
    [
        ({"detection_time": 200, "restoration_time": 400, "poll_interval": 100}, WHOLE, True),
        ({"detection_time": 200, "restoration_time": 400, "poll_interval": 50}, WHOLE, False),
        ({"detection_time": 200, "restoration_time": 400}, PART, True),
        ({"detection_time": 200, "restoration_time": 900}, PART, False),
        ({"detection_time": 300, "restoration_time": 400}, PART, False),
    ],
)
def test_timers_of_a_watchdog_that_is_left_to_the_system(there: dict[str, int], how: How, *, same: bool) -> None:
    """Of a part the interval of polls, which stands for the whole switch, may be elsewhere."""
    own = how._replace(own_watchdogs=((200, 400, 100),))
    assert (differing(facts(watchdog="vendor-default"), facts(watchdog=(*there.items(),)), own) == []) == same


def test_maps_that_are_bound() -> None:
    meant = facts(trust="dscp", maps__dscp_to_tc_map="bound", maps__tc_to_queue_map="bound")
    assert differing(meant, facts(trust="dscp")) == ["maps.tc_to_queue_map"]  # the other one is told as trust
    there = {**meant, **facts(maps__dot1p_to_tc_map="bound")}
    assert differing(meant, there) == ["-maps.dot1p_to_tc_map!"]
    assert differing(meant, {**there, **facts(trust="pcp")}) == ["trust"]
    assert differing(facts(maps__tc_to_queue_map="bound"), facts(maps__dot1p_to_tc_map="bound")) == [
        "maps.tc_to_queue_map"
    ]


def test_scheduling_that_is_missing_is_told_as_the_share() -> None:
    assert differing(facts(scheduling_3="DWRR"), {}) == []
    assert differing(facts(scheduling_3="DWRR"), facts(scheduling_3="WRR")) == ["scheduling.3"]


def test_headroom_set_where_the_system_sizes_it() -> None:
    there = facts(headroom__size=1000)
    assert differing({}, there) == []
    assert differing({}, there, WHOLE._replace(sizes_headroom=True)) == ["-headroom.size!"]
    trusting = facts(trust="dscp")
    assert differing(trusting, trusting | there, WHOLE._replace(sizes_headroom=True)) == ["-headroom.size!"]
    assert differing(facts(headroom__size=1000), there, WHOLE._replace(sizes_headroom=True)) == []


def test_headroom_of_another_length_is_told_where_the_length_is_right() -> None:
    looked_up = WHOLE._replace(looks_up=True)
    bound = facts(cable=300, bound_3=40)
    assert differing(facts(cable=300), bound, looked_up) == ["bound.3"]
    assert differing(facts(cable=300), bound) == []
    assert differing(facts(cable=300), facts(cable=300, bound_3=300), looked_up) == []
    assert differing(facts(cable=40), bound, looked_up) == ["cable"]
    assert differing({}, bound, looked_up) == []


def test_automatic_values_are_not_known_but_off_is_told() -> None:
    assert differing(facts(ecn_3=(("kmin", 1),)), facts(ecn_3=AUTO)) == []
    assert differing(facts(ecn_3=OFF), facts(ecn_3=AUTO)) == ["ecn.3"]
    assert check_coverage(facts(ecn_3=(("kmin", 1),)), facts(ecn_3=AUTO), WHOLE) == {What("ecn", 3): False}
    assert check_coverage(facts(ecn_3__kmin=1), facts(ecn_3=AUTO), WHOLE) == {What("ecn", 3, "kmin"): False}


def test_what_a_part_only_implies_is_not_said() -> None:
    implied = {What("trust"): Fact("pcp", IMPLIED)}
    assert differing(facts(trust="dscp"), implied, PART) == []
    assert differing(facts(trust="dscp"), facts(trust="pcp"), PART) == ["trust"]
    assert check_coverage(facts(trust="dscp"), implied, PART) == {What("trust"): False}
    assert check_coverage(facts(trust="dscp"), facts(trust="pcp"), PART) == {What("trust"): True}
    assert check_coverage(facts(trust="dscp"), {}, WHOLE) == {What("trust"): True}
    assert check_coverage(facts(ecn_3__kmin=1), facts(ecn_3=OFF), PART) == {What("ecn", 3, "kmin"): True}
    assert check_coverage(facts(ecn_3__kmin=1), facts(ecn_3=(("kmax", 1),)), PART) == {What("ecn", 3, "kmin"): False}
