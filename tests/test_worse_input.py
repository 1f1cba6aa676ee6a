"""Worse numbers are found at least as bad, and what a finding or `advise` tells to set passes the next rule."""

from __future__ import annotations

import json
import re
from pathlib import Path

from intents import findings, rocecfg
from loops import loop

from rocecfg.intent import load
from rocecfg.model import Ecn
from rocecfg.rules import SEVERITIES
from rocecfg.source.document import Sources

POLICY = """\
rocecfg: 1
fabric: {name: f, kind: backend, workload: ai-training, mtu: 9000, rtt: RTT}
classes:
  rdma:
    {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 90, ecn: {kmin: 400KB, kmax: 1MB, pmax: 5%}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 10}
pfc:
  headroom: HEADROOM
  watchdog: {detection_time: DETECTION, restoration_time: RESTORATION, poll_interval: 100ms, action: drop}
defaults: {vendor: sonic, version: "202505", platform: nvidia-sn4700, speed: 400G}
devices:
  leaf01: {role: leaf, ports: {"Ethernet[0-24/8]": {faces: host, cable: CABLE}}}
"""
GOOD = {"RTT": "10us", "HEADROOM": "auto", "DETECTION": "200ms", "RESTORATION": "400ms", "CABLE": "3m"}
WORSE = {
    "RTT": ["50us", "101us", "200us", "500us", "1ms", "2ms", "10ms", "100ms"],
    "DETECTION": ["400ms", "800ms", "1s", "2s", "5s", "10s", "60s", "200s"],
    "CABLE": ["30m", "100m", "300m", "1km", "2km", "10km", "40km", "100km"],
}


def policy(**changed: str) -> str:
    text = POLICY
    for key, value in {**GOOD, **changed}.items():
        text = text.replace(key, value)
    return text


@loop("key", WORSE)
def test_severity_does_not_fall_as_a_value_gets_worse(key: str, tmp_path: Path) -> None:
    before = -1
    for value in (GOOD[key], *WORSE[key]):
        found = findings(tmp_path, policy(**{key: value}))
        worst = max((SEVERITIES.index(f.severity) for f in found), default=-1)
        assert worst >= before, f"{key} {value}: {[f.rule for f in found]}"
        before = worst
    assert before >= SEVERITIES.index("warning")


@loop("detection", WORSE["DETECTION"])
def test_timers_that_a_help_tells_to_set_lint_clean(detection: str, tmp_path: Path) -> None:
    for finding in findings(tmp_path, policy(DETECTION=detection)):
        told = dict(re.findall(r"(detection|restoration)_time: (\w+)", finding.help))
        if not told:
            continue  # what the system takes at most is another rule's to judge
        there = {"DETECTION": detection, **{key.upper(): value for key, value in told.items()}}
        assert not findings(tmp_path, policy(**there)), finding.help


def test_a_bare_headroom_is_not_told_a_size_alone(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, policy(HEADROOM="100"))
    assert found.rule == "schema-unit"
    assert "xoff" in found.help


TIERS = """\
  leaf[1-2]: {role: leaf, ports: {"Ethernet[0-56/8]": {faces: host}, "Ethernet[128-184/8]": {faces: switch}}}
  agg[1-2]: {role: agg, ports: {"Ethernet[0-120/8]": {faces: switch}, "Ethernet[128-184/8]": {faces: switch}}}
  core1: {role: core, ports: {"Ethernet[0-120/8]": {faces: switch}}}
links:
  - {a: "leaf[1-2]:Ethernet[128-152/8]", b: "agg1:Ethernet[0-56/8]"}
  - {a: "leaf[1-2]:Ethernet[160-184/8]", b: "agg2:Ethernet[0-56/8]"}
  - {a: "agg[1-2]:Ethernet[128-184/8]", b: "core1:Ethernet[0-120/8]"}
"""


def test_advised_timers_rise_with_the_tiers_whatever_these_are_called(tmp_path: Path) -> None:
    text = policy().split("devices:")[0].replace("{kmin: 400KB, kmax: 1MB, pmax: 5%}", "auto")
    (tmp_path / "fabric.yaml").write_text(f"{text}devices:\n{TIERS}", encoding="utf-8")
    kinds = json.loads(rocecfg(tmp_path, "advise", "fabric.yaml", "--format", "json", expect=0).stdout)
    assert re.findall(r"'watchdog_detection_ms'.{0,200}?'advised': (\d+)", str(kinds)) == ["200", "200", "400", "600"]


@loop("speed", ["10G", "25G", "100G", "400G"])
def test_automatic_marking_begins_above_one_frame_of_the_mtu(speed: str, tmp_path: Path) -> None:
    text = policy().replace("{kmin: 400KB, kmax: 1MB, pmax: 5%}", "auto").replace("speed: 400G", f"speed: {speed}")
    (tmp_path / "fabric.yaml").write_text(text.replace("nvidia-sn4700", "nvidia-sn5600"), encoding="utf-8")
    (device,) = load(str(tmp_path / "fabric.yaml"), Sources()).fabric.devices
    curves = [curve for cls in device.classes for _, curve in cls.ecn_by_speed if isinstance(curve, Ecn)]
    assert curves
    assert all(curve.kmin >= 9022 for curve in curves)
