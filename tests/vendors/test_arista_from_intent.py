"""From the text of an intent to EOS: what the user wrote is what the switch is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from arista_lines import Switch, no_drop, profile_of, read, watchdog_times
from conformance import run_validator

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric, Span
from rocecfg.vendors.base import CannotRender

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLASSES = """
rocecfg: 1
fabric: {name: lab, mtu: 9100}
classes:
  rdma:
    carries: [rdma]
    dscp: [26, cs4]
    priority: 3
    lossless: true
    bandwidth: 70
    guaranteed: 20%
    ecn: {kmin: 400.5KB, kmax: 1600KB, pmax: 5%, by_speed: {800G: {kmin: 800KB, kmax: 2MB, pmax: 7%, weight: 1}}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict, max_rate: 10G}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 30}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 0.4s, poll_interval: 50ms, action: alert}}
"""
DEVICES = """
defaults: {vendor: arista, platform: arista-7060x6-64pe, version: "4.35.1F"}
devices:
  leaf[1-2]:
    ports:
      "Ethernet[1-2]/1": {speed: 400G, faces: host}
      "Ethernet3/1": {speed: 800G, faces: switch, mtu: 9214, pfc: {watchdog: {detection_time: 400ms}}}
      "Ethernet4/1": {speed: 100G, faces: storage, classes: [default], flowcontrol: rx}
      "Ethernet5/1": {speed: 400G, faces: host, pfc: {watchdog: off}}
"""


def fabric(tmp_path: Path, text: str) -> Fabric:
    file = tmp_path / "fabric.yaml"
    file.write_text(text)
    loaded = load(str(file), vendor="arista")
    assert not loaded.errors
    assert not loaded.problems
    assert loaded.fabric is not None
    return loaded.fabric


def switch(tmp_path: Path, text: str) -> Switch:
    whole = fabric(tmp_path, text)
    (device,) = whole.devices
    return read(render(whole, device).body)


def test_classes_maps_and_queues(tmp_path: Path) -> None:
    leaf = switch(tmp_path, CLASSES + DEVICES)
    assert {dscp for dscp, tc in leaf.tc_of.items() if tc == 3} == {26, 32}
    assert leaf.tc_of[48] == 6
    assert sorted(leaf.tc_of) == list(range(64))
    queues = profile_of(leaf, "Ethernet1/1")["queues"]
    assert queues[3] == [
        "no priority",
        "bandwidth percent 70",
        "bandwidth guaranteed percent 20",
        (
            "random-detect ecn minimum-threshold 400500 bytes maximum-threshold 1600000 bytes "
            "max-mark-probability 5 weight 0"
        ),
        "random-detect ecn count",
    ]
    assert queues[6] == ["priority strict", "shape rate 10000000 kbps", "no random-detect ecn"]
    assert queues[0] == ["no priority", "bandwidth percent 30", "no random-detect ecn"]


def test_ports(tmp_path: Path) -> None:
    leaf = switch(tmp_path, CLASSES + DEVICES)
    assert sorted(leaf.interfaces) == ["Ethernet1/1", "Ethernet2/1", "Ethernet3/1", "Ethernet4/1", "Ethernet5/1"]
    assert leaf.interfaces["Ethernet1/1"][0] == "mtu 9100"
    assert leaf.interfaces["Ethernet3/1"][0] == "mtu 9214"
    assert "flowcontrol receive on" in leaf.interfaces["Ethernet4/1"]
    assert no_drop(profile_of(leaf, "Ethernet1/1")) == (3,)
    assert no_drop(profile_of(leaf, "Ethernet4/1")) == ()
    assert any("minimum-threshold 800000 bytes" in line for line in profile_of(leaf, "Ethernet3/1")["queues"][3])


def test_watchdogs(tmp_path: Path) -> None:
    leaf = switch(tmp_path, CLASSES + DEVICES)
    times = {"timeout": "0.20", "recovery-time": "0.40", "polling-interval": "0.05", "action": "notify-only"}
    assert watchdog_times(leaf, profile_of(leaf, "Ethernet1/1")) == times
    assert watchdog_times(leaf, profile_of(leaf, "Ethernet3/1")) == times | {"timeout": "0.40"}
    assert watchdog_times(leaf, profile_of(leaf, "Ethernet5/1")) == {}


def test_a_watchdog_left_to_eos(tmp_path: Path) -> None:
    devices = DEVICES.partition('      "Ethernet3')[0]
    text = CLASSES.partition("pfc:")[0] + "pfc: {watchdog: vendor-default}" + devices
    leaf = switch(tmp_path, text)
    assert "priority-flow-control pause watchdog" in profile_of(leaf, "Ethernet1/1")["lines"]
    assert not any("watchdog" in line for line in leaf.globals)


@pytest.mark.parametrize(("asic", "queue"), [("tomahawk5", "uc-tx-queue"), ("jericho3", "tx-queue")])
def test_the_smallest_policy_needs_only_a_chip(tmp_path: Path, asic: str, queue: str) -> None:
    policy = (EXAMPLES / "policy" / "fabric.yaml").read_text()
    whole = fabric(tmp_path, policy)
    with pytest.raises(CannotRender, match="without the family of the chip"):
        render(whole, whole.devices[0])
    whole = fabric(tmp_path, f"{policy}\ndefaults: {{asic: {asic}}}\n")
    written = render(whole, whole.devices[0])
    assert f"\n   {queue} 3\n" in written.body
    assert "interface" not in written.body
    assert any(note.startswith("Names no port") for note in written.notes)
    assert "assumed" in written.notes[0]


def test_a_problem_points_into_the_text(tmp_path: Path) -> None:
    text = (CLASSES + DEVICES).replace("detection_time: 200ms", "detection_time: 205ms")
    whole = fabric(tmp_path, text)
    with pytest.raises(CannotRender) as caught:
        render(whole, whole.devices[0])
    at = caught.value.at[0]
    assert isinstance(at, Span)
    assert "205ms" in text[at.start : at.end] or "detection_time" in text[at.start : at.end]
    assert caught.value.help == "write a multiple of 10ms"


def with_auto(text: str) -> str:
    lines = text.splitlines()
    lines[next(i for i, line in enumerate(lines) if "kmin" in line)] = "    ecn: auto"
    return "\n".join(lines)


def test_ecn_auto_is_a_curve_by_speed_in_whole_cells(tmp_path: Path) -> None:
    text = with_auto(CLASSES) + DEVICES
    whole = fabric(tmp_path, text)
    (device,) = whole.devices
    assert device.asic is not None
    assert device.asic.ecn_step
    stated = render(whole, device).body
    curves = dict(device.cls("rdma").ecn_by_speed)
    assert sorted(curves) == [400 * 10**9, 800 * 10**9]
    for curve in curves.values():
        assert curve.kmin % device.asic.ecn_step == curve.kmax % device.asic.ecn_step == 0
        assert f"minimum-threshold {curve.kmin} bytes maximum-threshold {curve.kmax} bytes " in stated


def test_ecn_auto_names_the_class_where_the_speed_is_unknown(tmp_path: Path) -> None:
    whole = fabric(tmp_path, with_auto(CLASSES) + DEVICES.replace("speed: 400G, ", ""))
    with pytest.raises(CannotRender, match="express ecn by the speed of ports"):
        render(whole, whole.devices[0])


def example_devices() -> list[tuple[str, Fabric, Device]]:
    found = []
    for file in sorted(EXAMPLES.glob("*/fabric.yaml")):
        whole = load(str(file)).fabric
        assert whole is not None
        found += [(f"{file.parent.name}-{d.key}", whole, d) for d in whole.devices if d.vendor == "arista"]
    return found


def test_there_are_examples_with_arista_switches_of_both_families() -> None:
    assert {device.family for _, _, device in example_devices()} == {"strata", "sand"}


@pytest.mark.conformance
@pytest.mark.parametrize("release", ["4.30.3M", "4.33.2F", "4.36.0F"])
@pytest.mark.parametrize("chip", ["trident3", "tomahawk4", "tomahawk5", "jericho2", "jericho3"])
def test_the_policy_passes_the_grammar_on_every_chip(
    eos_validator: Path, tmp_path: Path, chip: str, release: str
) -> None:
    policy = (EXAMPLES / "policy" / "fabric.yaml").read_text()
    whole = fabric(tmp_path, f'{policy}\ndefaults: {{asic: {chip}, version: "{release}"}}\n')
    check(eos_validator, tmp_path, whole, whole.devices[0])


@pytest.mark.conformance
def test_the_examples_pass_the_grammar(eos_validator: Path, tmp_path: Path) -> None:
    for _, whole, device in example_devices():
        check(eos_validator, tmp_path, whole, device)


def check(eos_validator: Path, tmp_path: Path, whole: Fabric, device: Device) -> None:
    file = tmp_path / "switch.cfg"
    file.write_text(render(whole, device).file("switch"))
    assert device.family is not None
    done = run_validator(eos_validator, "--strict", "--platform", device.family, file)
    assert done.returncode == 0, done.stdout + done.stderr
