"""From an intent file to SONiC: the loader's model is what the writer understands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sonic_checks
from conformance import SonicYang
from sonic_checks import RELEASES, faults, validate

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric
from rocecfg.vendors.base import CannotRender

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/fabric.yaml"))

POLICY = """
rocecfg: 1
fabric: {name: lab}
classes:
  rdma:    {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60,
            ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%, by_speed: {800G: {kmin: 800KB, kmax: 2400KB, pmax: 5%}}}}
  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  storage: {carries: [storage], dscp: [18, 20], priority: 2, bandwidth: 20}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 20}
pfc:
  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}
"""
DEVICES = """
  headroom: auto
defaults: {vendor: sonic, platform: arista-7060x6-64pe, version: "202405"}
devices:
  leaf[01-02]:
    ports:
      "Ethernet[0-248/8]":   {speed: 400G, faces: host, cable: 3m}
      "Ethernet[256-376/8]": {speed: 800G, faces: switch, cable: 30m}
      "Ethernet[384]":       {speed: 100G, faces: storage, cable: 10m, classes: [storage, default, control]}
  other01:
    platform: nvidia-sn5600
    version: "202511"
    ports:
      "Ethernet[0-504/8]": {speed: 800G, faces: host, cable: 2.5m}
"""


def fabric_of(path: Path) -> Fabric:
    loaded = load(str(path), vendor="sonic")
    assert loaded.errors == []
    assert loaded.fabric is not None
    return loaded.fabric


def sonic(fabric: Fabric) -> list[Device]:
    return [device for device in fabric.devices if device.vendor in ("sonic", None)]


def test_the_smallest_policy(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(POLICY)
    fabric = fabric_of(tmp_path / "fabric.yaml")
    (policy,) = fabric.devices
    found = sonic_checks.load(render(fabric, policy).body)
    assert sonic_checks.problems(found) == []
    assert list(found["WRED_PROFILE"]) == ["AZURE_LOSSLESS", "rdma_800G"]
    assert found["PORT_QOS_MAP"] == {"global": {"dscp_to_tc_map": "AZURE"}}


def test_a_leaf_of_each_buffer_model(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(POLICY + DEVICES)
    fabric = fabric_of(tmp_path / "fabric.yaml")
    found: dict[str, Any] = {d.key: sonic_checks.load(render(fabric, d).body) for d in fabric.devices}
    for config in found.values():
        assert sonic_checks.problems(config) == []
    leaf, other = found["leaf[01-02]"], found["other01"]
    # the first release with the HwSKU, 202505, lists 30 m and 500 m at 400G, and 5 m at 800G
    assert leaf["CABLE_LENGTH"]["AZURE"]["Ethernet0"] == "30m"
    assert leaf["CABLE_LENGTH"]["AZURE"]["Ethernet256"] == "30m"
    assert "pg_lossless_800000_30m_profile" in leaf["BUFFER_PROFILE"]  # no row to look up: one of ours
    assert len(leaf["CABLE_LENGTH"]["AZURE"]) == 48
    assert leaf["QUEUE"]["Ethernet256|3"]["wred_profile"] == "rdma_800G"
    assert "pfc_enable" not in leaf["PORT_QOS_MAP"]["Ethernet384"]
    assert other["BUFFER_PG"]["Ethernet504|3"] == {"profile": "NULL"}
    assert set(other["CABLE_LENGTH"]["AZURE"].values()) == {"3m"}


AUTO = """
  headroom: auto
fabric: {name: lab}
classes:
  rdma:    {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: auto}
  cnp:     {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
defaults: {vendor: sonic, version: "202411"}
devices:
  leaf01:
    platform: dell-z9864f
    hwsku: Dell-Z9864f-O64
    ports:
      "Ethernet[0-7]":      {speed: 100G, faces: host, cable: 3m}
      "Ethernet[8-120/8]":  {speed: 800G, faces: host, cable: 3m}
      "Ethernet[128-248/8]": {speed: 400G, faces: switch, cable: 450m}
"""


def test_auto_is_resolved_by_chip_speed_and_cable(tmp_path: Path) -> None:
    """A cage broken out into eight, curves for three speeds, and cables longer than the headroom table goes."""
    text = "rocecfg: 1\npfc:\n  watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms}" + AUTO
    (tmp_path / "fabric.yaml").write_text(text)
    fabric = fabric_of(tmp_path / "fabric.yaml")
    (leaf,) = fabric.devices
    found = sonic_checks.load(render(fabric, leaf).body)
    assert sonic_checks.problems(found) == []
    lengths = found["CABLE_LENGTH"]["AZURE"]
    assert {lengths[f"Ethernet{lane}"] for lane in range(8)} == {lengths["Ethernet8"]}
    assert lengths["Ethernet128"] == "450m"
    (uplink,) = (port for port in leaf.ports if port.faces == "switch")
    assert uplink.room is not None
    assert leaf.box is not None
    assert leaf.box.headroom is not None
    (longest, last) = max(leaf.box.headroom.rows[400 * 10**9].items())
    assert longest < 450
    assert list(found["BUFFER_PROFILE"]) == ["pg_lossless_400000_450m_profile"]
    profile = found["BUFFER_PROFILE"]["pg_lossless_400000_450m_profile"]
    assert profile["dynamic_th"] == str(last.dynamic_th)
    assert (profile["xoff"], profile["xon"]) == (str(uplink.room.xoff), str(last.xon))
    # at least what light needs for the way there and back, 5 ns/m: 400G is 50 B/ns
    assert int(profile["xoff"]) - last.xoff >= (450 - longest) * 2 * 5 * 50
    curves = {
        speed: found["WRED_PROFILE"][found["QUEUE"][f"{port}|3"]["wred_profile"]]
        for speed, port in ((100, "Ethernet0"), (400, "Ethernet128"), (800, "Ethernet8"))
    }
    assert leaf.asic is not None
    step = leaf.asic.ecn_step or 1
    marks = [int(curves[speed]["green_min_threshold"]) for speed in sorted(curves)]
    assert marks == sorted(marks)
    assert all(mark % step == 0 for mark in marks)


@pytest.mark.conformance
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.parent.name)
def test_every_example_fits_every_release(sonic_yang: SonicYang, tmp_path: Path, path: Path) -> None:
    """Each SONiC device of each example, rendered for and judged by each release's models."""
    fabric = fabric_of(path)
    for release in RELEASES:
        files = []
        for i, device in enumerate(sonic(fabric)):
            there = replace(device, version=release)
            try:
                body = render(fabric, there).body
            except CannotRender as refusal:
                pytest.fail(f"{device.key} for {release}: {refusal.message}")
            files.append(tmp_path / f"{release}-{i}.json")
            files[-1].write_text(body)
        if files:
            assert faults(validate(sonic_yang, release, "--fragment", *files)) == {}
