"""The guarantee that EOS's writer gives watched queues by itself: an import says it only where it would be lost."""

from __future__ import annotations

import re
from pathlib import Path

from rocecfg.importing import import_intent, read_configurations
from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources

INTENT = """\
rocecfg: 1
fabric: {name: t, mtu: 9000}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: {kmin: 400KB, kmax: 2MB, pmax: 5%}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
defaults: {vendor: arista, platform: arista-7060x6-64pe, version: "4.33.2F"}
devices:
  leaf01:
    ports:
      "Ethernet[1-4]/1": {speed: 400G, cable: 5m}
      "Ethernet[5-8]/1": {speed: 400G, cable: 30m}
"""
HEAD = "! Command: show running-config\n! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)\n!\nhostname leaf01\n!\n"


def rendered(text: str, folder: Path) -> str:
    path = folder / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    loaded = load(str(path), Sources())
    assert loaded.fabric is not None
    assert not loaded.problems
    (file,) = render_files(loaded.fabric, "arista")
    return re.sub(r"^! .*\n", "", file.text, flags=re.MULTILINE)


def from_switch(text: str, folder: Path) -> str:
    path = folder / "leaf01.cfg"
    path.write_text(HEAD + text, encoding="utf-8")
    sources = Sources()
    return import_intent(str(path), read_configurations([str(path)], sources, None), sources).text


def test_the_floor_of_watched_queues_is_not_said_and_comes_back(tmp_path: Path) -> None:
    text = rendered(INTENT, tmp_path)
    assert text.count("bandwidth guaranteed 100\n") == text.count("priority-flow-control pause watchdog\n") > 0
    intent = from_switch(text, tmp_path)
    assert "guaranteed" not in intent
    assert rendered(intent, tmp_path) == text


def test_another_guarantee_is_said(tmp_path: Path) -> None:
    text = rendered(INTENT, tmp_path).replace("guaranteed 100\n", "guaranteed 200\n")
    intent = from_switch(text, tmp_path)
    assert "guaranteed: 200K" in intent
    assert rendered(intent, tmp_path) == text


def test_a_floor_that_no_watchdog_asks_for_is_said(tmp_path: Path) -> None:
    watched = rendered(INTENT, tmp_path)
    line = "   priority-flow-control pause watchdog\n"
    intent = from_switch(watched.replace(line, f"   no {line.lstrip()}"), tmp_path)
    assert "guaranteed: 100K" in intent
    again = rendered(intent, tmp_path)
    assert "bandwidth guaranteed 100\n" in again
    assert line not in again


def test_the_floor_of_a_lossy_queue_is_said(tmp_path: Path) -> None:
    text = rendered(INTENT.replace("bandwidth: 40", "bandwidth: 40, guaranteed: 100K"), tmp_path)
    intent = from_switch(text, tmp_path)
    assert intent.count("guaranteed: 100K") == 1
    assert rendered(intent, tmp_path) == text
