"""Rules on telemetry and rollout: what they count as covered, where they begin, and what their messages say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import rule_factory as make
from intents import POLICY, findings
from loops import loop

from rocecfg.model.watched import (
    DROP,
    ECN,
    ERRORS,
    INGRESS,
    PAUSE,
    QUEUE,
    WATCHDOG,
    find_subjects,
    is_state,
    merge_subjects,
)
from rocecfg.rules import ops

DEVICES = """\
devices:
  leaf[01-04]: {role: leaf, ports: {Ethernet0: {speed: 400G}, Ethernet8: {speed: 100G}}}
  spine[01-02]: {role: spine}
"""


def reported(folder: Path, section: str, *, policy: str = POLICY) -> list[tuple[str, str]]:
    """Severity and rule of what rules on operations find in the policy with that section."""
    return sorted((f.severity, f.rule) for f in findings(folder, policy + section) if f.rule.startswith("ops-"))


def message(folder: Path, section: str, rule: str, *, policy: str = POLICY) -> str:
    (found,) = (f for f in findings(folder, policy + section) if f.rule == rule)
    return found.message


# -- names -------------------------------------------------------------------------------------------------------------


@loop(
    ("name", "about"),
    [
        ("SAI_PORT_STAT_PFC_3_RX_PKTS", {PAUSE}),
        ("in_pfc3_pkts", {PAUSE}),
        ("pause-duration", {PAUSE}),
        ("pfc", {PAUSE, WATCHDOG}),
        ("PFC_WD_QUEUE_STATS_DEADLOCK_DETECTED", {WATCHDOG}),
        ("pfc-watchdog", {WATCHDOG}),
        ("PfcStorm", {PAUSE, WATCHDOG}),
        ("PFCWDStorm", {PAUSE, WATCHDOG}),
        ("tailDrops", {DROP}),
        ("pfc-drops", {DROP}),
        ("lossless_queue_discards", {DROP}),
        ("SAI_QUEUE_STAT_WRED_ECN_MARKED_PKTS", {ECN}),
        ("SAI_QUEUE_STAT_SHARED_WATERMARK", {QUEUE}),
        ("queue-length", {QUEUE}),
        ("SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_WATERMARK", {INGRESS}),
        ("headroom", {INGRESS}),
        ("watermarks", {QUEUE, INGRESS}),
        ("fec-uncorrectable", {ERRORS}),
        ("site-set-7", set()),
        ("lossy", set()),  # no word for a drop
        ("pfcs", set()),  # nor any word that only begins like one
    ],
)
def test_a_name_is_about_what_its_words_say(name: str, about: set[str]) -> None:
    assert find_subjects(name) == about


@pytest.mark.parametrize("name", ["all", "roce", "RoCEv2", "roce-alerts", "rdma.default"])
def test_a_name_of_a_whole_set_covers_everything(name: str) -> None:
    assert {PAUSE, WATCHDOG, DROP, ECN, ERRORS} <= find_subjects(name)


def test_names_that_say_nothing_are_kept_apart() -> None:
    assert merge_subjects(["drops", "noc-17", "bgp"]) == (frozenset({DROP, *find_subjects("bgp")}), ("noc-17",))


@pytest.mark.parametrize(("name", "state"), [("PFC_WD_STATUS", True), ("storm-state", True), ("storm-restored", False)])
def test_a_state_is_told_from_a_counter(name: str, state: bool) -> None:
    assert is_state(name) is state


# -- telemetry ---------------------------------------------------------------------------------------------------------


def test_no_telemetry_is_one_finding_whatever_else_hangs_on_it(tmp_path: Path) -> None:
    assert reported(tmp_path, "telemetry: none\n") == [("warning", "ops-telemetry-missing")]


@pytest.mark.parametrize("section", ["", "telemetry: {}\n", "telemetry: {exporter: prometheus}\n"])
def test_what_is_not_stated_is_not_judged(section: str, tmp_path: Path) -> None:
    assert reported(tmp_path, section) == []


def test_an_empty_list_of_alerts_is_one(tmp_path: Path) -> None:
    assert reported(tmp_path, "telemetry: {alerts: []}\n") == [
        ("error", "ops-alert-drop"),
        ("error", "ops-alert-wd"),
        ("warning", "ops-alert-pause"),
    ]


def test_a_name_that_says_nothing_makes_alerts_uncertain(tmp_path: Path) -> None:
    section = "telemetry: {alerts: [noc-17, pause]}\n"
    assert reported(tmp_path, section) == [("info", "ops-alert-drop"), ("info", "ops-alert-wd")]
    assert "noc-17" in message(tmp_path, section, "ops-alert-drop")


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("lossless", [("error", "ops-alert-drop"), ("error", "ops-alert-wd"), ("warning", "ops-alert-pause")]),
        ("semi-lossless", [("error", "ops-alert-drop"), ("error", "ops-alert-wd"), ("warning", "ops-alert-pause")]),
        ("lossy", [("info", "ops-alert-drop")]),
    ],
)
def test_alerts_by_kind_of_fabric(mode: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    policy = POLICY.replace("{name: lab}", f"{{name: lab, mode: {mode}}}")
    assert reported(tmp_path, "telemetry: {alerts: [link-flaps]}\n", policy=policy) == expected


def test_without_lossless_class_or_watchdog_nothing_alarms_about_them() -> None:
    facts = {"telemetry": {"alerts": _listed("bgp")}}
    lossy = make.device(*(replace(c, lossless=False) for c in make.POLICY))
    for rule in (ops.ops_alert_pause, ops.ops_alert_drop, ops.ops_alert_wd):
        assert make.hits(rule, lossy, facts=facts) == []
    bare = make.device(*make.POLICY)  # PFC without watchdog
    assert make.hits(ops.ops_alert_wd, bare, facts=facts) == []
    assert len(make.hits(ops.ops_alert_drop, bare, facts=facts)) == 1


class _Val:
    """A value with a place, as the reader of intents hands it on."""

    def __init__(self, value: object) -> None:
        self.value = value
        self.at = make.RDMA.at("")


def _listed(*names: str) -> _Val:
    return _Val([_Val(name) for name in names])


def test_the_rate_of_a_full_pause_is_that_of_the_lossless_ports(tmp_path: Path) -> None:
    stated = message(tmp_path, DEVICES + "telemetry: {alerts: [drops, pfcwd]}\n", "ops-alert-pause")
    assert "2980 frames/s at 100G and 11921 frames/s at 400G" in stated
    assert "335.5" in stated
    assert "83.9" in stated
    assert "800G" not in stated


def test_metrics_lack_what_the_fabric_needs(tmp_path: Path) -> None:
    section = "telemetry: {metrics: [pfc-frames, watchdog, pg-watermark, queue-watermark, drops, fec, flaps]}\n"
    assert message(tmp_path, section, "ops-metrics").startswith("metrics lack ECN-marked packets:")
    hosts = "hosts: {gpu1: {rdma_dscp: 26}}\n"
    assert "CNPs sent and handled by the NICs" in message(tmp_path, section + hosts, "ops-metrics")
    quiet = POLICY.replace("{name: lab}", "{name: lab, congestion_control: none}")
    assert ("warning", "ops-metrics") not in reported(tmp_path, section, policy=quiet)
    lossy = POLICY.replace("{name: lab}", "{name: lab, mode: lossy}")
    assert reported(tmp_path, "telemetry: {metrics: [ecn, queue-watermark, drops, fec, flaps]}\n", policy=lossy) == []


@pytest.mark.parametrize(("interval", "found"), [("10s", False), ("30s", False), ("30001ms", True), ("5min", True)])
def test_scrape_interval_up_to_30_s(interval: str, found: bool, tmp_path: Path) -> None:
    expected = [("warning", "ops-scrape")] if found else []
    assert reported(tmp_path, f"telemetry: {{scrape_interval: {interval}}}\n") == expected


def test_a_long_interval_hides_what_the_watchdog_ends(tmp_path: Path) -> None:
    # detection 200 ms and a poll of 100 ms: 300 ms of 60 s
    stated = message(tmp_path, "telemetry: {scrape_interval: 1min}\n", "ops-scrape")
    assert (
        stated == "scrape_interval 60s is longer than 30s: "
        "a pause storm that the watchdog ends after 300ms is 0.5% of the average"
    )


METRICS = "[pause, pg-watermark, ecn, queue-watermark, drops, fec, flaps"


@pytest.mark.parametrize(
    ("interval", "watchdog", "found"),
    [
        ("400ms", "watchdog-state", False),  # the restoration time
        ("401ms", "watchdog-state", True),
        ("10s", "watchdog-state, watchdog-events", False),
        ("10s", "storms", False),
    ],
)
def test_a_state_is_read_within_the_restoration_time(interval: str, watchdog: str, found: bool, tmp_path: Path) -> None:
    section = f"telemetry: {{scrape_interval: {interval}, metrics: {METRICS}, {watchdog}]}}\n"
    assert reported(tmp_path, section) == ([("warning", "ops-scrape")] if found else [])


# -- rollout -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stages", "wide"),
    [
        (["leaf01", "leaf[02-04]", "spine01", "spine02"], []),
        (["leaf[01-02]", "leaf[03-04]", "spine01", "spine02"], []),
        (["leaf[01-04]", "spine01", "spine02"], ["all 4 devices with role leaf"]),
        (["leaf01", "spine[01-02]"], ["all 2 devices with role spine"]),
        (["leaf01,spine02"], ["the spine tier (spine02) together with leaf01"]),
        (["spine[01-02],leaf[01-04]"], ["all 6 devices at once"]),
        (["leaf01", "leaf[05-09]"], []),  # names that the intent does not know
    ],
)
def test_stages(stages: list[str], wide: list[str], tmp_path: Path) -> None:
    rollout = "".join(f"    - {{devices: '{s}'}}\n" for s in stages)
    found = [
        f.message
        for f in findings(tmp_path, f"{POLICY}{DEVICES}rollout:\n  stages:\n{rollout}")
        if f.rule == "ops-stage"
    ]
    assert len(found) == len(wide)
    for stated, part in zip(found, wide, strict=True):
        assert part in stated


@pytest.mark.parametrize(
    ("devices", "stages", "count"),
    [
        ("{s1: {}, s2: {role: tor}, s3: {}}", "[{devices: 's[1-2]'}]", 0),  # roles that are not stated tell nothing
        ("{s1: {}}", "[{devices: s1}]", 0),  # one switch is one domain
        ("{s1: {}, s2: {}}", "[]", 0),
        ("{s1: {}, s2: {}}", "[{devices: 's[1-2]'}]", 1),
    ],
)
def test_stages_of_small_fabrics(devices: str, stages: str, count: int, tmp_path: Path) -> None:
    found = reported(tmp_path, f"devices: {devices}\nrollout: {{stages: {stages}}}\n")
    assert found == [("warning", "ops-stage")] * count


def test_a_rollout_without_stages_is_not_judged(tmp_path: Path) -> None:
    (tmp_path / "old.yaml").write_text("what is in it is not looked at")
    assert reported(tmp_path, DEVICES + "rollout: {from: old.yaml}\n") == []
    assert reported(tmp_path, DEVICES + "rollout: {from: odl.yaml}\n") == [("warning", "ops-both-ends")]
    assert reported(tmp_path, DEVICES + "rollout: {from: gone.yaml}\n") == [("info", "ops-both-ends")]


CABLED = (
    "devices:\n  a1: {ports: {Ethernet0: {speed: 400G}, Ethernet8: {speed: 400G}}}\n"
    "  b1: {ports: {Ethernet0: {speed: 400G}}}\n  b2: {ports: {Ethernet0: {speed: 400G}}}\n"
    'links: [{a: "a1:Ethernet0", b: "b1:Ethernet0"}, {a: "a1:Ethernet8", b: "b2:Ethernet0"}]\n'
)
TWO = "rollout: {from: old.yaml, rollback: saved, stages: [{devices: 'a1,b1'}, {devices: b2}]}\n"


@pytest.mark.parametrize(
    ("older", "expected"),
    [
        (POLICY.replace("priority: 3", "priority: 4") + CABLED, ["a1:Ethernet8 -- b2:Ethernet0"]),
        (POLICY + CABLED, []),  # the same priority
        (POLICY.replace("lossless: true", "lossless: false") + CABLED, []),  # PFC only comes
        (POLICY + CABLED.replace("b2: {ports", "b2: {classes: {rdma: {priority: 5}}, ports"), ["a1:Ethernet8"]),
        (POLICY.replace("priority: 3", "priority: 4") + CABLED.replace("b2", "b9"), ["a1:Ethernet8"]),
        ("rocecfg: [\n", ["old.yaml, which the rollout starts from, could not be read"]),
        (None, ["there is no file"]),
    ],
)
def test_both_ends_by_the_intent_that_the_rollout_starts_from(
    older: str | None, expected: list[str], tmp_path: Path
) -> None:
    if older is not None:
        (tmp_path / "old.yaml").write_text(older)
    found = [f for f in findings(tmp_path, POLICY + CABLED + TWO) if f.rule == "ops-both-ends"]
    assert len(found) == len(expected)
    for each, words in zip(found, expected, strict=True):
        assert words in each.message
        assert each.severity == ("error" if "Ethernet" in words else "info")


def test_switches_without_release_beside_others_with_one(tmp_path: Path) -> None:
    section = (
        "defaults: {vendor: sonic, asic: tomahawk5}\n"
        "devices: {leaf01: {version: '202405'}, 'leaf[02-03]': {}, spine01: {vendor: arista}}\n"
    )
    stated = message(tmp_path, section, "ops-nos-pin")
    assert "no version for leaf[02-03]" in stated
    assert "leaf01 has 202405" in stated
    assert "spine01" not in stated


STAGED = f"{DEVICES}rollout:\n  stages:\n    - devices: leaf01\n    - devices: NAMED\n"


@pytest.mark.parametrize(
    ("named", "help"),
    [
        ("laef02", "did you mean leaf02?"),
        ("leaf[02-03],core7", "name it under devices or hosts"),
    ],
)
def test_a_stage_names_only_what_there_is(named: str, help: str, tmp_path: Path) -> None:
    strangers = [
        (f.text, f.help)
        for f in findings(tmp_path, POLICY + STAGED.replace("NAMED", f"'{named}'"))
        if f.rule == "schema-ref"
    ]
    assert strangers == [(f"'{named}'", help)]


@pytest.mark.parametrize("named", ["leaf02", "leaf[01-02]", "gpu01"])
def test_a_stage_may_name_devices_and_hosts(named: str, tmp_path: Path) -> None:
    text = f"{POLICY}{STAGED.replace('NAMED', repr(named))}hosts: {{gpu01: {{nic: connectx-7}}}}\n"
    assert "schema-ref" not in [f.rule for f in findings(tmp_path, text)]


def test_stages_of_a_policy_name_devices_it_does_not_know(tmp_path: Path) -> None:
    assert "schema-ref" not in [
        f.rule for f in findings(tmp_path, f"{POLICY}rollout: {{stages: [{{devices: leaf01}}]}}\n")
    ]


def test_a_stage_is_named_in_the_order_of_numbers_and_by_their_count_where_that_is_long(tmp_path: Path) -> None:
    def told(stage: str) -> str:
        devices = 'devices: {"leaf[1-40]": {role: leaf}, "spine[1-2]": {role: spine}}\n'
        text = f'{POLICY}{devices}rollout: {{window: Sunday, stages: [{{devices: "{stage}"}}]}}\n'
        (found,) = (f for f in findings(tmp_path, text) if f.rule == "ops-stage")
        return found.message

    assert "together with leaf[9-11]:" in told("leaf11,leaf9,spine1,leaf10")
    numbers = (1, 3, 6, 10, 15, 21, 28, 36, 39)  # of which no three are a row with one step
    eight, nine = (",".join(f"leaf{n}" for n in numbers[:count]) for count in (8, 9))
    assert "together with leaf[1,3,6,10,15,21,28,36]:" in told(f"{eight},spine1")
    assert "together with 9 devices:" in told(f"{nine},spine1")
