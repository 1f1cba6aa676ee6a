"""Two configurations of a switch, neither of them meant: here, and only here, differs what no intent has a word for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from drift_cases import stated
from sonic_switches import Case, Config

from rocecfg.drift import labels
from rocecfg.drift.configurations import PortGaps, compare_configurations, fold_differences
from rocecfg.model.switch import Fact, Switch
from rocecfg.model.values import What
from rocecfg.source.document import Document
from rocecfg.vendors.sonic.reader import read

PORT = "Ethernet0"


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case("sized", tmp_path)


def switch(config: Config) -> Switch:
    (found,) = read(Document(0, "leaf01.json", json.dumps(config)), "202505")
    return found


def compared(one: Config, other: Config) -> tuple[PortGaps, ...]:
    return compare_configurations(switch(one), switch(other))


def differing(apart: Iterable[PortGaps]) -> dict[tuple[str, ...] | None, list[tuple[What, object, object]]]:
    return {
        one.ports: [
            (g.what, g.meant.value if g.meant else None, g.running.value if g.running else None) for g in one.gaps
        ]
        for one in apart
    }


def test_a_difference_has_both_values(case: Case) -> None:
    before, after = case.config(), case.config()
    after["BUFFER_POOL"]["egress_lossless_pool"]["size"] = "30408696"
    after["PORT"][PORT]["fec"] = "none"
    assert differing(compared(before, after)) == {
        None: [(What("pool", None, "egress_lossless_pool.size"), 60817392, 30408696)],
        (PORT,): [(What("fec"), None, "none")],
    }


def test_a_difference_points_at_the_statement(case: Case) -> None:
    before, after = case.config(), case.config()
    after["WRED_PROFILE"]["AZURE_LOSSLESS"]["red_max_threshold"] = "1700000"
    gaps = [gap for one in compared(before, after) for gap in one.gaps if gap.what.part == "red_max_threshold"]
    places = {(gap.meant.at, gap.running.at) for gap in gaps if gap.meant is not None and gap.running is not None}
    ((meant, running),) = places
    texts = [json.dumps(config)[at.start : at.end] for config, at in ((before, meant), (after, running))]
    assert texts == ['"1600000"', '"1700000"']


def test_one_setting_is_given_once_though_the_model_has_it_too(case: Case) -> None:
    before, after = case.config(), case.config()
    after["PFC_WD"][PORT]["detection_time"] = "400"
    assert differing(compared(before, after)) == {(PORT,): [(What("watchdog", None, "detection_time"), 200, 400)]}


def test_a_field_that_nobody_knows_is_given_once(case: Case) -> None:
    before, after = case.config(), case.config()
    after["PORT_QOS_MAP"][PORT]["dscp_to_cos_map"] = "7"
    assert switch(after).unread
    assert differing(compared(before, after)) == {(PORT,): [(What("maps", None, "dscp_to_cos_map"), None, "7")]}


def test_a_default_that_is_written_out_is_no_difference(case: Case) -> None:
    before, after = case.config(), case.config()
    for row in after["SCHEDULER"].values():
        row["meter_type"] = "bytes"
    after["PORT"][PORT]["mtu"], before["PORT"][PORT]["mtu"] = "9100", "9100"
    del after["PORT"][PORT]["mtu"]
    assert compared(before, after) == ()


def test_where_nothing_states_a_setting_it_is_the_default(case: Case) -> None:
    config = case.config()
    del config["PFC_WD"][PORT]["action"]
    read = switch(config)
    ports = read.in_force()
    assert ports[PORT][What("watchdog", None, "action")] == Fact("drop", read.at)
    stated = ports["Ethernet8"][What("watchdog", None, "action")]
    assert (stated.value, stated.at != read.at) == ("drop", True)


def test_differences_are_told_in_words(case: Case) -> None:
    before, after = case.config(), case.config()
    after["WRED_PROFILE"]["AZURE_LOSSLESS"]["red_max_threshold"] = "1700000"
    after["DSCP_TO_TC_MAP"]["AZURE"].update({"1": "5", "2": "5"})
    after["BUFFER_POOL"]["egress_lossless_pool"]["size"] = "30000000"
    after["WRED_PROFILE"]["SPARE"] = {"ecn": "ecn_none"}
    after["PFC_WD"][PORT]["detection_time"] = "400"
    after["FLEX_COUNTER_TABLE"]["QUEUE"] = {"POLL_INTERVAL": "5000"}
    words = [
        f"{labels.label_difference(one)} {labels.label_part(one, value)}: "
        f"{labels.label_meant(one, value)}, {labels.label_running(one, value)}"
        for one in fold_differences([("leaf01", switch(before), switch(after))])[0]
        for value in one.values
    ]
    assert "ECN of queue 3 red_max_threshold: 1.6MB, 1.7MB" in words
    assert "traffic class of DSCP 1 : 0, 5" in words
    assert "buffer pools egress_lossless_pool.size: 60817392B, 30MB" in words
    assert "statements without effect WRED_PROFILE|SPARE: nothing, ecn ecn_none" in words
    assert "PFC watchdog detection time: 200ms, 400ms" in words
    assert "counters that are polled QUEUE.POLL_INTERVAL: nothing, 5000ms" in words


@pytest.mark.parametrize("is_meant", [True, False])
def test_a_port_that_one_side_lacks_is_configured_on_the_other(case: Case, is_meant: bool) -> None:
    there, gone = case.config(), case.config()
    for rows in gone.values():
        for name in [name for name in rows if name.partition("|")[0] == "Ethernet8"]:
            del rows[name]
    pair = (there, gone) if is_meant else (gone, there)
    found = fold_differences([("leaf01", *map(switch, pair))])[0]
    told = [(labels.label_meant(one, value), labels.label_running(one, value)) for one in found for value in one.values]
    missing = "not configured for traffic"
    assert (("configured", missing) if is_meant else (missing, "configured")) in told


def _pool(config: Config) -> None:
    config["BUFFER_POOL"]["egress_lossless_pool"]["size"] = "1000000"


def _port_lists(config: Config) -> None:
    config["BUFFER_PORT_EGRESS_PROFILE_LIST"] = {PORT: {"profile_list": "egress_lossy_profile"}}


def _counters(config: Config) -> None:
    config["FLEX_COUNTER_TABLE"]["QUEUE"] = {"FLEX_COUNTER_STATUS": "enable", "POLL_INTERVAL": "5000"}


def _lossy_queue(config: Config) -> None:
    config["BUFFER_PROFILE"]["egress_lossy_profile"]["dynamic_th"] = "1"


def _fec(config: Config) -> None:
    config["PORT"][PORT]["fec"] = "fc"


def _idle(config: Config) -> None:
    config["WRED_PROFILE"]["SPARE"] = {"ecn": "ecn_none"}


def _idle_map(config: Config) -> None:
    config["DSCP_TO_TC_MAP"]["OTHER"]["0"] = "7"


@pytest.mark.parametrize(
    ("change", "topic"),
    [
        (_pool, "pool"),
        (_port_lists, "port_buffers"),
        (_counters, "counters"),
        (_lossy_queue, "egress"),
        (_fec, "fec"),
        (_idle, "idle"),
        (_idle_map, "idle"),
    ],
)
def test_what_no_intent_speaks_of_is_no_drift(case: Case, change: Callable[[Config], None], topic: str) -> None:
    """It tells two configurations apart; against an intent it concerns nobody."""
    config = case.config()
    change(config)
    assert topic in {gap.what.topic for one in compared(case.config(), config) for gap in one.gaps}
    drift = case.against(config)
    assert stated(drift) == []
    assert drift.uncovered == []
