"""What the top of the page says: the totals, a sentence on the gravest findings that is true, and a title."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import Element, page, page_of, parsed
from intents import FABRIC, POLICY, rocecfg, write

from rocecfg.report.html.verdict import ERRORS, WARNINGS
from rocecfg.rules import get_rule

WATCHDOG = "  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}\n"
BARE = FABRIC.replace(WATCHDOG, "").replace(
    "    pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}\n", ""
)


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def sentence(whole: Element) -> str:
    return whole.one("p", "verdict").prose


def test_a_fabric_without_watchdog_can_be_frozen_by_one_nic(tmp_path: Path) -> None:
    stated = sentence(page(tmp_path, {"fabric.yaml": BARE}))
    assert "error" in stated
    assert "a pause storm can freeze this fabric" in stated


def test_a_core_without_watchdog_behind_watched_hosts_is_not_said_to_be_frozen_by_a_nic(tmp_path: Path) -> None:
    core = FABRIC.replace("pfc: {watchdog: {detection_time: 400ms, restoration_time: 800ms}}", "pfc: {watchdog: off}")
    whole = page(tmp_path, {"fabric.yaml": core})
    assert sentence(whole).startswith("1 error: a pause storm can freeze this fabric.")
    assert "a switch sends to this port" in whole.prose


def test_a_shares_mistake_is_not_said_to_freeze_anything(tmp_path: Path) -> None:
    stated = sentence(page(tmp_path, {"fabric.yaml": POLICY.replace("bandwidth: 40", "bandwidth: 30")}))
    assert stated == "1 error: the shares of the queues that are not strict do not sum to 100%."


def test_the_worse_of_two_errors_comes_first(tmp_path: Path) -> None:
    stated = sentence(page(tmp_path, {"fabric.yaml": BARE.replace("bandwidth: 60", "bandwidth: 50")}))
    assert stated.index("freeze") < stated.index("the shares of the queues")


def test_of_several_fabrics_it_is_one_of_them(tmp_path: Path) -> None:
    files = {"a/fabric.yaml": BARE, "b/fabric.yaml": POLICY}
    assert "can freeze one of these fabrics" in sentence(page(tmp_path, files, "."))


def test_a_clean_fabric_alarms_nobody(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": POLICY})
    assert sentence(whole).startswith("No errors and no warnings")
    assert "good" in whole.one("p", "verdict").classes
    for word in ("freeze", "deadlock", "lost", "storm"):
        assert word not in sentence(whole)


def test_what_was_not_read_is_no_clean_verdict(tmp_path: Path) -> None:
    write(tmp_path, {"bad.yaml": "rocecfg: [\n"})
    whole = page(tmp_path, {"fabric.yaml": POLICY}, "fabric.yaml", "bad.yaml")
    assert "1 file could not be read" in sentence(whole)
    assert "error" in whole.one("p", "verdict").classes


@pytest.mark.parametrize("name", ["train-256", "converged", "rail-1024"])
def test_examples_that_lint_without_errors_alarm_nobody(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    assert sentence(parsed(page_of(name))).startswith("No errors")


def test_no_errors_are_not_red(tmp_path: Path) -> None:
    clean = {e.text: e.classes for e in page(tmp_path, {"fabric.yaml": POLICY}).one("p", "totals").all("span")}
    assert clean["0 errors"] == clean["0 warnings"] == ["none"]
    wrong = page(tmp_path, {"fabric.yaml": BARE})
    errors = next(e for e in wrong.one("p", "totals").all("span") if e.text.endswith(("error", "errors")))
    assert errors.classes == ["error"]


def test_the_verdict_leads_to_the_findings_it_is_about(tmp_path: Path) -> None:
    whole = page(tmp_path, {"fabric.yaml": BARE})
    target = next(iter(whole.one("p", "verdict").all("a"))).attributes["href"]
    assert target is not None
    rule = whole.one("details", "rule", id_=target.removeprefix("#"))
    assert "watchdog-missing" in rule.text


def test_effects_name_rules_that_exist_and_each_once() -> None:
    for table in (ERRORS, WARNINGS):
        names = [name for effect in table for name in effect.rules]
        assert len(set(names)) == len(names)
        assert [get_rule(name).name for name in names] == names


def test_title_is_what_the_user_says(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    done = rocecfg(tmp_path, "report", "fabric.yaml", "-o", "-", "--title", "CHG-4711 <pod 3>", expect=0)
    whole = parsed(done.stdout)
    assert whole.one("h1").text == "CHG-4711 <pod 3>"
    assert whole.one("head").one("title").text.startswith("CHG-4711 <pod 3>")
    assert [h.text.split()[0] for h in whole.all("h2")][-1] == "lab"  # the fabric keeps its name


def test_a_title_with_a_secret_is_not_repeated(tmp_path: Path) -> None:
    write(tmp_path, {"fabric.yaml": POLICY})
    title = "password=Zk81QpL0vN3aRtQ7jYc2"
    assert title not in rocecfg(tmp_path, "report", "fabric.yaml", "-o", "-", "--title", title, expect=0).stdout


def test_a_clean_verdict_says_what_it_is_silent_on(tmp_path: Path) -> None:
    stated = sentence(page(tmp_path, {"fabric.yaml": FABRIC}))
    # 16 ports of each of two EOS spines: no table of their headroom is known
    assert stated.endswith("Headroom of 32 lossless ports could not be checked.")
    assert "Headroom" not in sentence(page(tmp_path, {"fabric.yaml": FABRIC.replace("    vendor: arista\n", "")}))


def test_statements_not_understood_take_the_green_away(tmp_path: Path) -> None:
    write(tmp_path, {"in/fabric.yaml": FABRIC})
    rocecfg(tmp_path, "render", "in", "--vendor", "sonic", "-o", "run", "--no-lint", expect=0)
    assert "good" in parsed(page_of("run")).one("p", "verdict").classes
    file = tmp_path / "run" / "leaf01.json"
    config = json.loads(file.read_text())
    config["SWITCH_TRIMMING"] = {
        "GLOBAL": {"size": "256", "dscp_value": "from-tc", "tc_value": "6", "queue_index": "6"}
    }
    file.write_text(json.dumps(config))
    whole = parsed(page_of("run"))
    assert "good" not in whole.one("p", "verdict").classes
    assert "The effect of 1 statement of the switches is not known." in sentence(whole)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("kmin: 400KB, kmax: 1600KB", "kmin: 1600KB, kmax: 400KB"),  # ecn-order
        ("carries: [rdma]", "carries: [rdma, storage]"),  # mix-class-shared
    ],
)
def test_where_nothing_is_paused_no_pause_is_blamed(old: str, new: str, tmp_path: Path) -> None:
    lossy = POLICY.partition("pfc:")[0].replace("name: lab", "name: lab, mode: lossy").replace("lossless: true, ", "")
    stated = sentence(page(tmp_path, {"fabric.yaml": lossy.replace(old, new)}))
    assert re.search("[1-9] (error|warning)", stated)
    assert not re.search("PFC|pause|freeze|deadlock", stated)


def test_that_deadlock_was_not_judged_is_part_of_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    assert "Deadlock was not checked: the intent states no known routing algorithm." in sentence(
        parsed(page_of("auto"))
    )
    assert "Deadlock" not in sentence(parsed(page_of("train-256")))
    assert "Deadlock" not in sentence(parsed(page_of("policy")))  # no links, nothing that could wait in a circle
