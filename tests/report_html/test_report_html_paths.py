"""Oversubscription, circles of pauses and their spread, as the page says them."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from html_pages import page, page_of, parsed
from intents import FABRIC
from intents import fabric as resolved

from rocecfg import load
from rocecfg.report.html.paths import Ratio, judge_pauses, list_oversubscription, table_storm_costs

RING = (
    FABRIC.partition("devices:")[0].replace("topology: clos", "topology: torus")
    + """\
devices:
  "sw[0-5]":
    ports:
      "Ethernet[0-120/8]": {speed: 800G, faces: host, cable: 3m}
      "Ethernet[256-312/8]": {speed: 800G, faces: switch, cable: 30m}
routing: {algorithm: shortest}
links:
  - {a: "sw[0-4]:Ethernet256", b: "sw[1-5]:Ethernet264"}
  - {a: "sw5:Ethernet256", b: "sw0:Ethernet264"}
  - {a: "gpu[000-095]:nic0", b: "sw[0-5]:Ethernet[0-120/8]"}
"""
)

# Two leaves, 32 hosts of 8 GPUs on each.
STORM = (
    FABRIC.partition("devices:")[0]
    + """devices:
  "leaf[0-1]":
    role: leaf
    ports:
      "Ethernet[0-248/8]": {speed: 800G, faces: host, cable: 3m}
      "Ethernet[256-264/8]": {speed: 800G, faces: switch, cable: 30m}
  "spine[0-1]":
    role: spine
    ports:
      "Ethernet[0-8/8]": {speed: 800G, faces: switch, cable: 30m}
hosts:
  "gpu[00-63]": {nic: connectx-7, gpus: 8}
links:
  - {a: "leaf[0-1]:Ethernet256", b: "spine0:Ethernet[0-8/8]"}
  - {a: "leaf[0-1]:Ethernet264", b: "spine1:Ethernet[0-8/8]"}
  - {a: "gpu[00-63]:nic0", b: "leaf[0-1]:Ethernet[0-248/8]"}
"""
)
WATCHED = (
    "watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}",
    "watchdog: off",
)


def test_each_tier_has_its_ratio() -> None:
    (leaf,) = list_oversubscription(load(str(ROOT / "examples" / "train-256" / "fabric.yaml")))
    # 64 x 400G down and 32 x 800G up; without one of two spines 25.6 on 12.8, without one cable 25.6 on 24.8
    ratio = Ratio("1:1")
    assert leaf == ("leaf", "4 switches", "25.6 Tbit/s", "25.6 Tbit/s", ratio, ratio, "2:1", "1.03:1")


def test_the_table_is_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    whole = parsed(page_of("train-256"))
    rows = [row for table in whole.all("table") for row in table.rows()]
    assert ["leaf", "4 switches", "25.6 Tbit/s", "25.6 Tbit/s", "1:1", "1:1", "2:1", "1.03:1"] in rows


def test_a_clos_has_no_circle_and_a_pause_reaches_everyone() -> None:
    found = judge_pauses(load(str(ROOT / "examples" / "train-256" / "fabric.yaml")))
    assert found is not None
    rows = dict(found.rows)
    assert rows["routing"] == "up-down"
    assert rows["PFC deadlock"].startswith("none: ")
    assert "31 of 31 other hosts (100%)" in rows["widest spread of a pause"]  # SIGCOMM'16, 4.3: all of a Clos
    assert found.circle == frozenset()


def test_a_storm_costs_the_gpus_that_wait_until_the_watchdog_acts() -> None:
    # 32 hosts of 8 GPUs; 200 ms detection in polls of 100 ms acts within 300 ms: 256 x 0.3 s / 3600 s = 0.0213 h
    found = judge_pauses(load(str(ROOT / "examples" / "train-256" / "fabric.yaml")))
    assert found is not None
    cost = dict(found.rows)["cost of such a storm"]
    assert "256 GPUs in 32 hosts wait up to 300ms" in cost
    assert "0.0213 GPU-hours" in cost
    assert "256 GPU-hours for each hour" in cost


def test_a_storms_cost_by_who_waits_how_long_and_the_fabrics_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    tables = [table.rows() for table in parsed(page_of("rail-1024")).all("table")]
    (found,) = [rows for rows in tables if rows[0][0] == "who waits"]
    assert found[0][1:] == ["GPUs", "300ms: the watchdog acts", "10 min: the job ends", "each hour"]
    by_name = {row[0]: row[1:] for row in found[1:]}
    # GPUs x s / 3600: 8 x 600 / 3600; 1,024 x 0.3 / 3600; 8,192 x 600 / 3600
    assert by_name["the stuck host"] == ["8", "0.0006667", "1.333", "8"]
    assert by_name["all that the pause can reach"] == ["1,024", "0.08533", "170.7", "1,024"]
    assert by_name["a fabric of 8,192 GPUs"] == ["8,192", "0.6827", "1,365", "8,192"]
    assert by_name["a fabric of 65,536 GPUs"][2:] == ["10,923", "65,536"]


def test_without_a_watchdog_there_is_no_time_by_which_it_acts(tmp_path: Path) -> None:
    known = table_storm_costs(resolved(tmp_path, STORM.replace(*WATCHED)))
    assert known is not None
    assert known.head == ("who waits", "GPUs", "10 min: the job ends", "each hour")
    assert table_storm_costs(resolved(tmp_path, STORM.replace(", gpus: 8", ""))) is None
    assert table_storm_costs(resolved(tmp_path, STORM.replace("gpus: 8", "gpus: 0"))) is None  # storage


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((", gpus: 8", ""), "64 hosts wait; their number of GPUs is not stated"),
        (WATCHED, "no watchdog ends it: 512 GPU-hours for each hour"),
        ((WATCHED[0], "watchdog: vendor-default"), "timers are the switch's own: 512 GPU-hours for each hour"),
    ],
)
def test_what_of_a_storms_cost_is_unknown_is_said(change: tuple[str, str], words: str, tmp_path: Path) -> None:
    text = STORM.replace(*change)
    assert text != STORM
    found = judge_pauses(resolved(tmp_path, text))
    assert found is not None
    assert words in dict(found.rows)["cost of such a storm"]


def test_a_ring_waits_for_itself_and_is_drawn_so(tmp_path: Path) -> None:
    found = judge_pauses(resolved(tmp_path, RING))
    assert found is not None
    assert found.circle == {frozenset((f"sw{n}", f"sw{(n + 1) % 6}")) for n in range(6)}
    assert dict(found.rows)["PFC deadlock"].startswith("possible, by a cyclic buffer dependency: sw")
    whole = page(tmp_path, {"fabric.yaml": RING}, str(tmp_path / "fabric.yaml"))
    drawn = list(whole.one("svg", "fabric").all("path", "bundle"))
    assert len(drawn) == 12
    assert sum("circle" in p.classes for p in drawn) == 6
    assert "a cycle alone does not cause one" in whole.text


def test_nothing_is_said_of_pauses_where_no_links_are_known(tmp_path: Path) -> None:
    fabric = resolved(tmp_path, FABRIC.partition("links:")[0])
    assert judge_pauses(fabric) is None


def test_routes_that_nobody_states_are_not_judged(tmp_path: Path) -> None:
    found = judge_pauses(resolved(tmp_path, RING.replace("routing: {algorithm: shortest}\n", "")))
    assert found is not None
    assert dict(found.rows)["PFC deadlock"] == "not checked: the intent states no known routing algorithm"


def test_paths_are_a_table_with_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    whole = parsed(page_of("train-256"))
    assert whole.one("h3", id_="fabric-1-paths").text == "Paths"
    assert "#fabric-1-paths" in {link.attributes.get("href") for link in whole.all("a")}
    rows = [row for table in whole.all("table") for row in table.rows()]
    # 256 ports: 4 leaves of C(64, 2), less the two of each of 32 hosts on each; C(256, 2) - 32 x C(8, 2) in all.
    # Over 2 spines, 16 cables up and 16 down
    assert ["two hosts", "1", "496", "100%", "4", "4", "400G"] in rows
    assert ["two host ports", "1", "7,936", "25%", "1", "1", "400G"] in rows
    assert ["two host ports", "3", "23,808", "75%", "2", "512", "400G"] in rows
    near, far = ([item.text for item in path.all("li")] for path in whole.all("ol", "path"))
    assert near == ["gpu01:nic0 -> leaf01:swp1s0", "leaf01:swp2s0 -> gpu02:nic0"]
    assert far[1:3] == ["leaf01:swp33 -> spine01:swp1", "spine01:swp17 -> leaf02:swp33"]
    assert [item.text for item in whole.one("ul", "losses").all("li")] == [
        "leaf01 (leaf): every host still reaches all others",
        "spine01 (spine): every host still reaches all others",
    ]
