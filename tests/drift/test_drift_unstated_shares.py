"""Classes of which the intent states no share: their queues keep their own, but are strict only where rendered so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drift_cases import SUFFIX, WHOLE, apply
from test_drift_intents import against, rendered, settled

from rocecfg.drift.changes import fix_devices

INTENT = """rocecfg: 1
fabric: {name: t}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, ecn: %s}
  cnp: {carries: [cnp], dscp: 48, priority: 6}
  control: {carries: [control], dscp: 56, priority: 7}
  default: {carries: [default], dscp: rest, priority: 0}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
defaults: {vendor: %s}
devices:
  leaf01: {ports: {"%s": {speed: 400G, cable: 5m}}}
"""
BYTES = "{kmin: 400KB, kmax: 1600KB, pmax: 5%}"
INTENTS = {
    "arista": INTENT % (BYTES, "arista, platform: arista-7060x6-64pe, version: 4.33.2F", "Ethernet1/1"),
    "junos": INTENT
    % ("{kmin: 10%, kmax: 50%, pmax: 5%}", "junos, platform: juniper-qfx5130-32cd, version: 24.4R1", "et-0/0/0"),
    "sonic": INTENT % (BYTES, 'sonic, platform: arista-7060x6-64pe, version: "202505"', "Ethernet0"),
    "spectrum": INTENT % (BYTES, "spectrum, platform: nvidia-sn5600, version: 5.14", "swp1"),
}


def _schedule_sonic(text: str, kind: str) -> str:
    config = json.loads(text)
    config["SCHEDULER"] = {"own": {"type": kind, "weight": "30"}}
    config["QUEUE"]["Ethernet0|3"]["scheduler"] = "own"
    return json.dumps(config)


def _replace_once(text: str, before: str, after: str, behind: str = "") -> str:
    at = text.index(behind)
    assert before in text[at:]
    return text[:at] + text[at:].replace(before, after, 1)


def strict(vendor: str, text: str) -> str:
    """A configuration with RDMA's queue before all others."""
    if vendor == "arista":
        return _replace_once(text, "no priority", "priority strict", "uc-tx-queue 3")
    if vendor == "junos":
        return _replace_once(text, "RDMA-SCHED priority low", "RDMA-SCHED priority strict-high")
    if vendor == "spectrum":
        return _replace_once(text, "'3': {mode: dwrr, bw-percent: 25}", "'3': {mode: strict}")
    return _schedule_sonic(text, "STRICT")


def shared(vendor: str, text: str) -> str:
    """A configuration in which somebody gave RDMA's queue a share."""
    if vendor == "arista":
        return _replace_once(text, "no bandwidth percent", "bandwidth percent 30", "uc-tx-queue 3")
    if vendor == "junos":
        line = "set class-of-service schedulers RDMA-SCHED priority low\n"
        return text.replace(line, f"{line}set class-of-service schedulers RDMA-SCHED transmit-rate percent 30\n")
    if vendor == "spectrum":
        return _replace_once(
            text,
            "'3': {mode: dwrr, bw-percent: 25}",
            "'3': {mode: dwrr, bw-percent: 30}",
        ).replace("'6': {mode: dwrr, bw-percent: 25}", "'6': {mode: dwrr, bw-percent: 20}")
    return _schedule_sonic(text, "DWRR")


@pytest.mark.parametrize("vendor", INTENTS)
def test_a_queue_that_is_strict_where_none_is_meant_to_be_is_drift_and_led_back(vendor: str, tmp_path: Path) -> None:
    meant = rendered(INTENTS[vendor], vendor, tmp_path)
    assert meant is not None
    loaded, sources, device, text = meant
    path = tmp_path / f"leaf01{SUFFIX[vendor]}"
    as_meant = WHOLE[vendor]("leaf01", device, text)
    assert settled(against(loaded, sources, path, as_meant)) == []
    runs = strict(vendor, as_meant)
    found = against(loaded, sources, path, runs)
    if vendor == "sonic":  # where nothing is rendered for it
        assert settled(found) == []
        return
    (difference,) = settled(found)
    (value,) = difference.values
    assert (difference.topic, value.part, value.meant, value.running) == ("shares", "3", "not strict", "strict")
    change = fix_devices(found)["leaf01"]
    assert change.left == {}
    assert settled(against(loaded, sources, path, apply(runs, change.change.steps, tmp_path))) == []


@pytest.mark.parametrize("vendor", INTENTS)
def test_the_share_of_a_queue_for_which_none_is_stated_is_its_own(vendor: str, tmp_path: Path) -> None:
    meant = rendered(INTENTS[vendor], vendor, tmp_path)
    assert meant is not None
    loaded, sources, device, text = meant
    as_meant = WHOLE[vendor]("leaf01", device, text)
    runs = shared(vendor, as_meant)
    assert runs != as_meant
    assert settled(against(loaded, sources, tmp_path / f"leaf01{SUFFIX[vendor]}", runs)) == []


def test_of_a_part_that_does_not_tell_the_queue_nothing_is_claimed(tmp_path: Path) -> None:
    """EOS: a queue of which a whole configuration says nothing is strict; a part may leave it out."""
    meant = rendered(INTENTS["arista"], "arista", tmp_path)
    assert meant is not None
    loaded, sources, _, text = meant
    start = text.index("   uc-tx-queue 3\n")
    part = text[:start] + text[text.index("interface ") :]
    found = against(loaded, sources, tmp_path / f"leaf01{SUFFIX['arista']}", part)
    assert [each.topic for each in found.differences if each.topic == "shares"] == []
