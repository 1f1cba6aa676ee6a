"""Prometheus rules: promtool takes them, thresholds are the model's, and what is not known is left out and said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from watched_intents import CLASSES, DEVICES, OURS, POLICY, TELEMETRY, WHOLE, promtool, rendered

from rocecfg.telemetry.promql import match_any, match_devices, show_duration

RULES, TEST, DASHBOARD = "lab-roce-rules.yaml", "lab-roce-rules-test.yaml", "lab-roce-dashboard.json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return rendered(tmp_path_factory.mktemp("whole"), WHOLE)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return rendered(tmp_path_factory.mktemp("ours"), WHOLE, OURS)


def rules(text: str, kind: str) -> list[dict[str, Any]]:
    return [rule for group in yaml.safe_load(text)["groups"] for rule in group["rules"] if kind in rule]


def alert(text: str, name: str) -> dict[str, Any]:
    (found,) = (rule for rule in rules(text, "alert") if rule["alert"] == name)
    return found


def records(text: str, name: str) -> list[dict[str, Any]]:
    return [rule for rule in rules(text, "record") if rule["record"] == name]


# -- promtool ----------------------------------------------------------------------------------------------------------


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("text", "own"),
    [
        pytest.param(WHOLE, None, id="three vendors"),
        pytest.param(WHOLE, OURS, id="own metrics"),
        pytest.param(POLICY, None, id="policy"),
        pytest.param(WHOLE.replace("30s", "7s"), None, id="odd interval"),
        pytest.param(WHOLE + "  alerts: [drops]\n", None, id="one alert"),
        pytest.param(POLICY.replace("sonic-exporter}", "sonic-exporter, alerts: [bgp]}"), None, id="no alert"),
    ],
)
def test_promtool_takes_the_rules_and_their_test(tmp_path: Path, text: str, own: str | None) -> None:
    rendered(tmp_path, text, own)
    checked = promtool("check", "rules", RULES, folder=tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    tested = promtool("test", "rules", TEST, folder=tmp_path)
    assert tested.returncode == 0, tested.stdout + tested.stderr


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("stated", "instead"),
    [
        pytest.param(">= 11921", ">= 11930", id="pause rate too high"),
        pytest.param(">= 1192", ">= 1180", id="pause rate too low"),
        pytest.param("/ 1200000", "/ 1200002", id="kmax"),
        pytest.param("< 4", "< 5", id="one switch more"),
        pytest.param("- on (device, port)", "+ on (device, port)", id="storms restored"),
    ],
)
def test_the_test_notices_a_rule_that_is_not_as_rendered(tmp_path: Path, stated: str, instead: str) -> None:
    text = rendered(tmp_path, WHOLE, OURS)[RULES]
    assert stated in text
    (tmp_path / RULES).write_text(text.replace(stated, instead), encoding="utf-8")
    assert promtool("test", "rules", TEST, folder=tmp_path).returncode == 1


# -- thresholds --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "always", "often"),  # speed / (65535 * 512 = 33553920), and a tenth of it
    [("40G", 1192, 119), ("100G", 2980, 298), ("200G", 5960, 596), ("400G", 11921, 1192), ("800G", 23842, 2384)],
)
def test_full_pause_takes_so_many_frames_at_a_speed(tmp_path: Path, speed: str, always: int, often: int) -> None:
    port = f"{{leaf01: {{ports: {{Ethernet0: {{speed: {speed}}}}}}}}}"
    devices = f"defaults: {{vendor: sonic, asic: tomahawk5}}\ndevices: {port}\n"
    text = rendered(tmp_path, CLASSES + devices + TELEMETRY, OURS)[RULES]
    where = f'roce:pfc_rx_frames:rate{{fabric="lab", speed="{speed}"}}'
    assert alert(text, "RocePfcPausedAlways")["expr"] == f"{where} >= {always}"
    assert alert(text, "RocePfcPausedOften")["expr"] == f"{where} >= {often}"


def test_each_speed_has_its_own_alert(ours: dict[str, str]) -> None:
    stated = {r["expr"] for r in rules(ours[RULES], "alert") if r["alert"] == "RocePfcPausedAlways"}
    assert stated == {
        'roce:pfc_rx_frames:rate{fabric="lab", speed="400G"} >= 11921',
        'roce:pfc_rx_frames:rate{fabric="lab", speed="800G"} >= 23842',
    }


def test_a_queue_is_held_against_the_curve_of_its_ports(whole: dict[str, str]) -> None:
    limits = {}
    for rule in records(whole[RULES], "roce:queue_watermark:kmax_ratio"):
        limits[rule["labels"]["speed"], rule["labels"]["faces"]] = re.findall(r"} / (\d+)", rule["expr"])
    assert limits == {("400G", "host"): ["1200000"], ("800G", "switch"): ["2400000"]}


def test_headroom_is_held_against_what_the_model_gives(tmp_path: Path) -> None:
    stated = CLASSES.replace("drop}", "drop}\n  headroom: {size: 300KB, xon: 20KB, xoff: 250KB}")
    text = rendered(tmp_path, stated + DEVICES + TELEMETRY, OURS)[RULES]
    found = records(text, "roce:headroom_watermark:ratio")
    assert {n for rule in found for n in re.findall(r"} / (\d+)", rule["expr"])} == {"250000"}
    assert alert(text, "RoceHeadroomNearlyFull")["expr"] == 'roce:headroom_watermark:ratio{fabric="lab"} > 0.8'


def test_time_paused_is_a_share_whatever_its_unit(ours: dict[str, str], whole: dict[str, str]) -> None:
    (first, *_) = records(ours[RULES], "roce:pfc_rx_paused:ratio")
    assert "rate(our_paused_us{" in first["expr"]
    assert "/ 1000000," in first["expr"]
    assert not records(whole[RULES], "roce:pfc_rx_paused:ratio")


def test_windows_grow_with_the_scrape_interval(tmp_path: Path) -> None:
    text = rendered(tmp_path, WHOLE.replace("30s", "2min"), OURS)[RULES]
    assert "rate(our_marked" in text
    assert "[8m]" in text  # four scrapes
    assert "[5m]" not in text


# -- whose series ------------------------------------------------------------------------------------------------------


def test_rules_are_of_the_lossless_class_of_named_ports_and_devices(whole: dict[str, str]) -> None:
    (host,) = (
        r for r in records(whole[RULES], "roce:queue_dropped_packets:increase") if r["labels"]["speed"] == "400G"
    )
    assert (
        'sonic_queue_dropped_packets_total{queue="3", instance=~"leaf(01|02)([.:].*)?", device=~"Ethernet(0|8|16|24)"}'
        in host["expr"]
    )
    assert host["labels"] == {"fabric": "lab", "speed": "400G", "faces": "host", "class": "rdma", "queue": "3"}
    (up,) = (r for r in records(whole[RULES], "roce:queue_dropped_packets:increase") if r["labels"]["speed"] == "800G")
    assert 'nvswitch_interface_tc_tx_no_buffer_discard_uc{tc="3", host_name=~"spine01([.:].*)?"' in up["expr"]


def test_network_cards_are_watched_by_priority_in_the_name(whole: dict[str, str]) -> None:
    (rule,) = records(whole[RULES], "roce:nic_pfc_rx_frames:rate")
    assert 'node_ethtool_received_prio3_pause{instance=~"gpu(01|02|03|04)([.:].*)?"}' in rule["expr"]


def test_no_two_rules_give_the_same_series(ours: dict[str, str]) -> None:
    for kind in ("record", "alert"):
        keys = [(rule[kind], tuple(sorted(rule["labels"].items()))) for rule in rules(ours[RULES], kind)]
        assert len(keys) == len(set(keys))


def test_every_alert_stands_on_what_is_recorded(ours: dict[str, str]) -> None:
    known = {rule["record"] for rule in rules(ours[RULES], "record")}
    for rule in rules(ours[RULES], "alert"):
        used = set(re.findall(r"roce:[a-z_:]+", rule["expr"]))
        assert used
        assert used <= known, rule["alert"]
        assert rule["labels"]["severity"] in {"critical", "warning", "info"}


def test_every_alert_is_tested_both_ways(ours: dict[str, str]) -> None:
    checks = [check for test in yaml.safe_load(ours[TEST])["tests"] for check in test["alert_rule_test"]]
    fired = [check["alertname"] for check in checks if check["exp_alerts"]]
    silent = [check["alertname"] for check in checks if not check["exp_alerts"]]
    assert sorted(fired) == sorted(silent) == sorted(rule["alert"] for rule in rules(ours[RULES], "alert"))


NAMES = st.lists(st.from_regex(r"[A-Za-z][A-Za-z0-9_.:/-]{0,12}", fullmatch=True), min_size=1, max_size=12)


@settings(max_examples=60)
@given(NAMES, NAMES)
def test_an_expression_of_names_matches_these_and_no_other(names: list[str], others: list[str]) -> None:
    pattern = re.compile(match_any(names))
    assert all(pattern.fullmatch(name) for name in names)
    assert not [o for o in others if o not in names and pattern.fullmatch(o)]


@pytest.mark.parametrize(
    ("label", "meant"),
    [
        ("leaf01", True),
        ("leaf01:9101", True),
        ("leaf01.example.net:9101", True),
        ("leaf010", False),
        ("xleaf01", False),
        ("leaf03", False),
    ],
)
def test_a_device_is_known_by_its_name_with_domain_or_port(label: str, *, meant: bool) -> None:
    assert bool(re.fullmatch(match_devices(["leaf01", "leaf02"]), label)) is meant


def test_times_are_written_as_prometheus_reads_them() -> None:
    assert [show_duration(ms) for ms in (15_000, 60_000, 90_000, 7_200_000, 1500)] == [
        "15s",
        "1m",
        "90s",
        "2h",
        "1500ms",
    ]


# -- what is left out --------------------------------------------------------------------------------------------------


def test_what_an_exporter_does_not_have_is_said(whole: dict[str, str]) -> None:
    notes = [line for line in whole[RULES].splitlines() if line.startswith("# ")]
    assert any(line.startswith("# sonic-exporter has no metric known for pfc-rx-frames") for line in notes)
    assert any("does not document the unit of pfc-rx-duration, queue-watermark, headroom-watermark" in n for n in notes)
    assert any("interface-stats switch-priority N" in n for n in notes)
    assert any("--collector.ethtool" in n for n in notes)
    assert not [r for r in rules(whole[RULES], "alert") if "Watchdog" in r["alert"] or "Headroom" in r["alert"]]


def test_junos_queues_are_watched_by_its_names_of_ports(tmp_path: Path) -> None:
    curve = "ecn: {kmin: 55%, kmax: 90%, pmax: 100%}"
    wording = re.sub(r"ecn: \{kmin.*\}\}\}", f"{curve}}}", CLASSES) + (
        "devices:\n  leaf01:\n    vendor: junos\n    platform: juniper-qfx5240-64od\n"
        '    ports: {"et-0/0/[0-1]:[0-1]": {speed: 400G, faces: host, cable: 3m}}\n'
        "telemetry: {exporter: junos-exporter, scrape_interval: 15s}\n"
    )
    text = rendered(tmp_path, wording)[RULES]
    (record,) = (r for r in rules(text, "record") if r["record"] == "roce:queue_dropped_packets:increase")
    asked = re.search(r"junos_interface_queues_drop_packets_count\{(.*?)\}", record["expr"])
    assert asked is not None
    assert 'queue_number="3"' in asked[1]
    names = re.search(r'name=~"(.*?)"', asked[1])
    assert names is not None
    assert re.fullmatch(names[1], "et-0/0/1:0")
    assert not re.fullmatch(names[1], "et-0/0/1")


def test_own_metrics_bring_the_alerts_that_were_missing(whole: dict[str, str], ours: dict[str, str]) -> None:
    more = {r["alert"] for r in rules(ours[RULES], "alert")} - {r["alert"] for r in rules(whole[RULES], "alert")}
    assert more == {"RoceWatchdogStorm", "RoceWatchdogStormLasts", "RocePfcPausedTime", "RoceHeadroomNearlyFull"}


def test_marks_without_cnps_need_the_network_cards(tmp_path: Path) -> None:
    without = WHOLE.replace("  hosts: node-exporter\n", "")
    text = rendered(tmp_path, without)[RULES]
    assert "# No alert on marks without CNPs: that needs the network cards' counters" in text
    assert not [r for r in rules(text, "alert") if "Nic" in r["alert"] or "Cnp" in r["alert"]]


def test_old_sonic_counts_no_marks_and_it_is_said(tmp_path: Path) -> None:
    text = rendered(tmp_path, WHOLE.replace("202505", "202405"), OURS)[RULES]
    assert "# leaf[01-02]: SONiC counts marked packets from 202505" in text


def test_packets_overtake_each_other_where_routing_is_adaptive(tmp_path: Path, whole: dict[str, str]) -> None:
    assert alert(whole[RULES], "RoceNicOutOfSequence")
    text = rendered(tmp_path, f"{WHOLE}routing: {{adaptive: true}}\n")[RULES]
    assert "RoceNicOutOfSequence" not in [r["alert"] for r in rules(text, "alert")]


def test_only_alerts_that_are_asked_for(tmp_path: Path) -> None:
    text = rendered(tmp_path, f"{WHOLE}  alerts: [drops, watchdog]\n")[RULES]
    names = {r["alert"] for r in rules(text, "alert")}
    assert names == {"RoceLosslessQueueDrops", "RoceLosslessGroupDrops", "RoceSwitchesMissing", "RoceSwitchSilent"}
    assert "# telemetry.alerts asks for watchdog: no exporter of the intent has a metric known for it" in text


def test_a_word_that_could_be_anything_leaves_all_alerts(tmp_path: Path, whole: dict[str, str]) -> None:
    text = rendered(tmp_path, f"{WHOLE}  alerts: [drops, our-slo]\n")[RULES]
    assert rules(text, "alert") == rules(whole[RULES], "alert")
