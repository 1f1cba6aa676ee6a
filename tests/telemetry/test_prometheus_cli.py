"""`rocecfg render --vendor prometheus`: what it writes, what it refuses and where, and the exporters it knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from grafana_schema import faults
from intents import findings, rocecfg
from watched_intents import CLASSES, DEVICES, OURS, POLICY, TELEMETRY, WHOLE, promtool, rendered, written

from rocecfg.intent import load
from rocecfg.profiles import SHIPPED, ProfileError, library_in
from rocecfg.profiles.exporters import PRIORITY, SUBJECTS, is_name
from rocecfg.source.document import Sources
from rocecfg.telemetry.rendering import render_files
from rocecfg.vendors.base import CannotRender

RENDER = ("render", "fabric.yaml", "--vendor", "prometheus", "--no-lint")


# -- what it writes ----------------------------------------------------------------------------------------------------


@pytest.mark.conformance
def test_three_files_that_fit_each_other(tmp_path: Path) -> None:
    written(tmp_path, WHOLE)
    stated = rocecfg(tmp_path, "render", "fabric.yaml", "--vendor", "prometheus", "-o", "out", expect=0)
    assert "3 of 3 files written to out" in stated.stderr
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["lab-roce-dashboard.json", "lab-roce-rules-test.yaml", "lab-roce-rules.yaml"]
    assert promtool("test", "rules", "lab-roce-rules-test.yaml", folder=tmp_path / "out").returncode == 0
    rocecfg(tmp_path, *RENDER, "-o", "out", "--check", expect=0)
    rules = tmp_path / "out" / "lab-roce-rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("> 0", "> 5"), encoding="utf-8")
    assert "lab-roce-rules.yaml" in rocecfg(tmp_path, *RENDER, "-o", "out", "--check", expect=1).stdout


def test_without_a_folder_the_rules_are_printed(tmp_path: Path) -> None:
    written(tmp_path, POLICY)
    stated = rocecfg(tmp_path, *RENDER, expect=0)
    assert stated.stdout.startswith("# lab: recording and alert rules")
    assert "lab-roce-dashboard.json" in stated.stderr


def test_a_users_template_wins(tmp_path: Path) -> None:
    written(tmp_path, POLICY)
    own = tmp_path / "rocecfg-templates" / "prometheus"
    own.mkdir(parents=True)
    (own / "rules.yaml.j2").write_text("groups: [] # {{ alerts | length }} alerts\n", encoding="utf-8")
    assert "groups: [] # 5 alerts" in rocecfg(tmp_path, *RENDER, expect=0).stdout


def test_an_alert_that_nothing_can_give_is_said_on_the_terminal(tmp_path: Path) -> None:
    written(tmp_path, POLICY.replace("sonic-exporter}", "sonic-exporter, alerts: [pause, drops]}"))
    stated = rocecfg(tmp_path, *RENDER, "-o", "out", expect=0)
    assert "telemetry.alerts asks for pause: no exporter of the intent has a metric known for it" in stated.stderr
    assert "asks for drops" not in stated.stderr


# -- the dashboard -----------------------------------------------------------------------------------------------------


def test_the_dashboard_shows_what_is_recorded(tmp_path: Path) -> None:
    written(tmp_path, WHOLE)
    rocecfg(tmp_path, *RENDER, "-o", "one", expect=0)
    rocecfg(tmp_path, *RENDER, "-o", "two", expect=0)
    text = (tmp_path / "one" / "lab-roce-dashboard.json").read_bytes()
    assert text == (tmp_path / "two" / "lab-roce-dashboard.json").read_bytes()
    board = json.loads(text)
    recorded = (tmp_path / "one" / "lab-roce-rules.yaml").read_text("utf-8")
    assert [v["name"] for v in board["templating"]["list"]] == ["datasource", "fabric", "device", "host"]
    panels = board["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 10
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels}
    assert len(places) == len(panels)
    for panel in panels:
        refs = [target["refId"] for target in panel["targets"]]
        assert len(set(refs)) == len(refs)
        for target in panel["targets"]:
            assert target["datasource"]["uid"] == "${datasource}"
            name = target["expr"].partition("{")[0]
            assert name == "ALERTS" or name.startswith("vector(") or f"record: {name}\n" in recorded
    (pause,) = (panel for panel in panels if panel["title"] == "PFC frames received")
    assert [t["expr"] for t in pause["targets"][1:]] == ["vector(11921)", "vector(23842)"]


@pytest.mark.conformance
@pytest.mark.parametrize(("text", "own"), [(WHOLE, None), (WHOLE, OURS), (POLICY, None)])
def test_the_dashboard_is_what_grafanas_schema_describes(tmp_path: Path, text: str, own: str | None) -> None:
    board = json.loads(rendered(tmp_path, text, own)["lab-roce-dashboard.json"])
    assert faults(board) == []


@pytest.mark.conformance
@pytest.mark.parametrize(
    ("stated", "instead", "fault"),
    [
        ('"gridPos"', '"grid_pos"', "/panels/*/grid_pos: unknown"),
        ('"h": 8', '"h": "8"', "/panels/*/grid_pos/h: '8' is no"),
        ('"unit": "short"', '"units": "short"', "/panels/*/fieldConfig/defaults/units: unknown"),
        ('"graphTooltip": 1', '"graphTooltip": 7', "/graph_tooltip: 7 is no"),
        ('"refresh": 2', '"refresh": 5', "/templating/list/*/refresh: 5 is no"),
        ('"legendFormat"', '"legend"', "/panels/*/targets/*/legend: unknown"),
        ('"type": "query"', '"type": "label_values"', "/templating/list/*/type: 'label_values' is no"),
    ],
)
def test_that_schema_would_notice_a_slip(tmp_path: Path, stated: str, instead: str, fault: str) -> None:
    text = rendered(tmp_path, POLICY)["lab-roce-dashboard.json"]
    assert stated in text
    assert any(fault in found for found in faults(json.loads(text.replace(stated, instead))))


def refusal(folder: Path, text: str) -> CannotRender:
    written(folder, text)
    fabric = load(str(folder / "fabric.yaml"), Sources()).fabric
    assert fabric is not None
    with pytest.raises(CannotRender) as caught:
        render_files(fabric, library_in(str(folder)))
    return caught.value


# -- what it refuses ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (CLASSES, "the intent has no section telemetry"),
        (f"{CLASSES}telemetry: none\n", "telemetry is none"),
        (f"{CLASSES}telemetry: {{scrape_interval: 10s}}\n", "does not say what exports the counters of the policy"),
        (f"{CLASSES}telemetry: {{exporter: sonic-exportr}}\n", "no exporter profile is called 'sonic-exportr'"),
        (f"{CLASSES}telemetry: {{exporter: node-exporter}}\n", "exports counters of a host, not of a switch"),
        (f"{CLASSES}telemetry: {{exporter: cumulus-otlp}}\n", "does not say which label names the switch"),
        (
            f"{CLASSES}telemetry: {{exporter: cumulus-otlp, device_label: host-name}}\n",
            "'host-name' is not a name of a label",
        ),
        (
            f"{CLASSES}telemetry: {{exporter: sonic-exporter, hosts: sonic-exporter}}\n",
            "exports counters of a switch, not of a host",
        ),
        (
            f"{CLASSES}telemetry: {{exporter: sonic-exporter, scrape_interval: 100ms}}\n",
            "scrape_interval 100ms is shorter than a second",
        ),
        (
            CLASSES + DEVICES + TELEMETRY.replace(", arista: gnmic-openconfig", ""),
            "does not say what exports the counters of spine02",
        ),
        (
            POLICY.replace("lossless: true, ", ""),
            "no port has PFC: there is no lossless traffic to watch",
        ),
    ],
)
def test_what_cannot_be_watched_is_refused_with_its_place_and_fix(tmp_path: Path, text: str, stated: str) -> None:
    error = refusal(tmp_path, text)
    assert stated in error.message
    assert error.help or "PFC" in stated
    assert error.at or "no section" in stated


def test_a_refusal_names_file_line_and_column(tmp_path: Path) -> None:
    written(tmp_path, f"{CLASSES}telemetry: {{exporter: sonic-exportr}}\n")
    output = rocecfg(tmp_path, *RENDER, expect=2).stderr
    assert output.startswith("rocecfg: fabric.yaml:11:23: no exporter profile is called 'sonic-exportr'")
    assert "did you mean sonic-exporter?" in output
    written(tmp_path, f"{CLASSES}telemetry: none\n")
    assert "fabric.yaml:11:12: telemetry is none" in rocecfg(tmp_path, *RENDER, expect=2).stderr


@pytest.mark.parametrize("option", [("--device", "leaf01"), ("--as", "patch"), ("--running", "fabric.yaml")])
def test_options_of_switches_are_refused(tmp_path: Path, option: tuple[str, str]) -> None:
    written(tmp_path, POLICY)
    assert "Prometheus watches the fabric as a whole" in rocecfg(tmp_path, *RENDER, *option, expect=2).stderr


@pytest.mark.parametrize(
    ("ours", "stated"),
    [
        (
            "metrics: {storms: {value: x, labels: {port: p}, mark: V, source: ours}}",
            "storms is nothing that is counted",
        ),
        (
            "metrics: {queue-drops: {value: a b, labels: {port: p, queue: q}, mark: V, source: ours}}",
            "'a b' is not a name of a metric or label",
        ),
        ("metrics: {pg-drops: {value: x, labels: {port: p}, mark: V, source: ours}}", "which label holds the pg"),
        ("metrics: {pg-drops: {value: x, labels: {pg: p}, mark: V, source: ours}}", "which label holds the port"),
        ("metrics: {queue-drops: {unit: B}}", "unit is B"),
        ("metrics: {port-errors: {labels: {port: p, queue: q}}}", "port-errors is not counted by queue"),
    ],
)
def test_a_profile_of_ones_own_is_held_to_the_format(tmp_path: Path, ours: str, stated: str) -> None:
    written(tmp_path, POLICY, f"extends: sonic-exporter\n{ours}\n")
    with pytest.raises(ProfileError) as caught:
        library_in(str(tmp_path)).exporter("sonic-exporter")
    assert stated in caught.value.message
    assert caught.value.line == 2


def test_a_wrong_profile_of_ones_own_is_no_traceback(tmp_path: Path) -> None:
    written(tmp_path, POLICY, "extends: sonic-exporter\nmetrics: {queue-drops: {unit: B}}\n")
    output = rocecfg(tmp_path, *RENDER, expect=2).stderr
    assert "rocecfg-profiles/exporters/sonic-exporter.yaml:2:31: unit is B" in output


# -- the intent and the switches ---------------------------------------------------------------------------------------


def test_an_exporter_for_each_vendor_is_part_of_the_format(tmp_path: Path) -> None:
    assert not [f for f in findings(tmp_path, WHOLE) if f.rule.startswith("schema")]
    wrong = WHOLE.replace("exporter: {sonic:", "exporter: {sonik:")
    assert "schema-unknown-key" in {f.rule for f in findings(tmp_path, wrong)}


@pytest.mark.parametrize(("release", "counts"), [("202405", False), ("202411", False), ("202505", True)])
def test_sonic_counts_marks_from_202505(tmp_path: Path, release: str, *, counts: bool) -> None:
    written(tmp_path, WHOLE.replace("202505", release))
    arguments = ("render", "fabric.yaml", "--vendor", "sonic", "--device", "leaf01", "--no-lint")
    table = json.loads(rocecfg(tmp_path, *arguments, expect=0).stdout)["FLEX_COUNTER_TABLE"]
    for group in ("WRED_ECN_QUEUE", "WRED_ECN_PORT"):
        assert (table.get(group) == {"FLEX_COUNTER_STATUS": "enable"}) is counts


# -- the exporters known -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED.names("exporters"))
def test_shipped_exporters_name_metrics_that_prometheus_takes(name: str) -> None:
    exporter = SHIPPED.exporter(name)
    assert exporter.metrics
    for key, metric in exporter.metrics.items():
        assert SUBJECTS[key].side == exporter.side
        assert is_name(metric.name.replace(PRIORITY, "3"))
        assert metric.by_index or metric.needs
        assert metric.source


def test_a_page_says_what_is_not_known(tmp_path: Path) -> None:
    page = rocecfg(tmp_path, "profiles", "exporters/sonic-exporter", expect=0).stdout
    assert "sonic_queue_dropped_packets_total" in page
    assert "Unknown: pfc-rx-frames, pfc-tx-frames, pfc-rx-duration, watchdog-detected" in page
