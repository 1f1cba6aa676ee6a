"""From intents as users write them to NVUE."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY
from spectrum_tree import Config, check_asked, check_whole, from_commands, from_yaml, value

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric, Span
from rocecfg.vendors.base import CannotRender, RenderedText

LEAF = """\
rocecfg: 1
fabric: {name: mixed}
classes:
  rdma:
    dscp: [40-41]
    priority: 5
    lossless: true
    bandwidth: 50
    ecn:
      kmin: 400KB
      kmax: 1600KB
      pmax: 5%
      by_speed:
        800G: {kmin: 1MB, kmax: 4MB, pmax: 10%}
  cnp:     {dscp: cs6, priority: 6, bandwidth: strict}
  control: {dscp: 56, priority: 7, bandwidth: strict}
  storage: {dscp: [af21, af22], priority: 2, bandwidth: 30, ecn: {kmin: 200KB, kmax: 800KB, pmax: 100%}}
  default: {dscp: rest, priority: 0, bandwidth: 20}
pfc: {watchdog: {detection_time: 250ms}}
defaults: {vendor: spectrum, version: "5.16"}
buffers: {pools: {lossless: 80%, lossy: 20%}}
devices:
  leaf[01-02]:
    ports:
      "swp[1-16]s[0-1]": {speed: 400G, faces: host, cable: 3m}
      "swp[17-32]": {speed: 800G, faces: switch}
      "swp[33-36]": {speed: 100G, faces: storage, cable: 10m, classes: [storage, control, default]}
      "swp[37]": {speed: 100G, faces: management, cable: 10m}
  spine01: {ports: {"swp[1-32]": {speed: 800G, faces: switch}}}
links:
  - {a: "leaf01:swp[17-32]", b: "spine01:swp[1-16]", cable: 29.5m}
  - {a: "leaf02:swp[17-32]", b: "spine01:swp[17-32]", cable: 41m}
"""


def loaded(tmp_path: Path, text: str) -> Fabric:
    path = tmp_path / "fabric.yaml"
    path.write_text(text, encoding="utf-8")
    found = load(str(path), vendor="spectrum")
    assert [p.message for p in found.problems] == []
    assert found.fabric is not None
    return found.fabric


def both(fabric: Fabric, device: Device) -> tuple[Config, RenderedText]:
    text = render(fabric, device)
    leaves = from_yaml(text.body)
    assert leaves == from_commands(render(fabric, device, form="commands").body)
    config = check_whole(leaves)
    check_asked(config, fabric, device)
    return config, text


def test_policy(tmp_path: Path) -> None:
    fabric = loaded(tmp_path, POLICY)
    (device,) = fabric.devices
    config, text = both(fabric, device)
    curve = config.on(None, "congestion-control")["traffic-class"]["3"]
    assert {k: value(v) for k, v in curve.items()} == {
        "ecn": "enable",
        "red": "disable",
        "min-threshold": "400000",
        "max-threshold": "1600000",
        "probability": "5",
    }
    assert {k: value(v) for k, v in config.qos["pfc-watchdog"].items()} == {
        "polling-interval": "100",
        "robustness": "2",
    }
    assert any("restoration_time 400ms has no counterpart" in n for n in text.notes)
    assert any("assumed" in n for n in text.notes)


def test_leaves_that_differ_in_cables(tmp_path: Path) -> None:
    fabric = loaded(tmp_path, LEAF)
    found = {device.names: both(fabric, device) for device in fabric.devices}
    assert set(found) == {("leaf01",), ("leaf02",), ("spine01",)}
    cables = {names: value(config.on("swp17", "pfc")["cable-length"]) for names, (config, _) in found.items()}
    assert cables == {("leaf01",): "30", ("leaf02",): "41", ("spine01",): "41"}
    config, text = found["leaf01",]
    assert value(config.on("swp20", "congestion-control")["traffic-class"]["5"]["min-threshold"]) == "1000000"
    assert value(config.on("swp1s1", "congestion-control")["traffic-class"]["5"]["min-threshold"]) == "400000"
    storage = config.on("swp33", "congestion-control")["traffic-class"]
    assert (value(storage["5"]["ecn"]), value(storage["2"]["ecn"])) == ("disable", "enable")
    assert "switch-priority" not in config.on("swp33", "pfc")
    assert "switch-priority" not in config.on("swp37", "pfc")  # a management port carries no lossless class
    assert value(config.qos["roce"]["state"]) == "enabled"
    assert value(config.qos["pfc-watchdog"]["robustness"]) == "3"
    assert any("250ms becomes 300ms" in n for n in text.notes)
    assert not any("restoration" in n for n in text.notes)


def test_refusal_points_into_the_intent(tmp_path: Path) -> None:
    text = POLICY.replace("action: drop", "action: forward")
    fabric = loaded(tmp_path, text)
    with pytest.raises(CannotRender, match=r"watchdog\.action forward") as refusal:
        render(fabric, fabric.devices[0])
    place = refusal.value.at[0]
    assert isinstance(place, Span)
    assert text[place.start : place.end] == "forward"


def test_auto_ecn_is_never_guessed(tmp_path: Path) -> None:
    fabric = loaded(tmp_path, POLICY.replace("ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%}", "ecn: auto"))
    with pytest.raises(CannotRender, match="express ecn auto: no profile"):
        render(fabric, fabric.devices[0])


def test_ecn_auto_is_a_curve_by_speed_and_headroom_is_the_cable_length(tmp_path: Path) -> None:
    """Two speeds, two cables, and ports broken out: one profile of each kind for each."""
    text = POLICY.replace("{kmin: 400KB, kmax: 1600KB, pmax: 5%}", "auto").replace("pfc:\n", "pfc:\n  headroom: auto\n")
    text += """defaults: {vendor: spectrum, platform: nvidia-sn5600, version: "5.17"}
devices:
  leaf01:
    ports:
      "swp[1-16]s[0-1]": {speed: 400G, faces: host, cable: 3m}
      "swp[17-32]": {speed: 800G, faces: switch, cable: 29.5m}
"""
    (tmp_path / "fabric.yaml").write_text(text)
    loaded = load(str(tmp_path / "fabric.yaml"), vendor="spectrum")
    assert loaded.fabric is not None
    (leaf,) = loaded.fabric.devices
    assert leaf.asic is not None
    stated = Config(from_yaml(render(loaded.fabric, leaf).body))
    curves = dict(leaf.cls("rdma").ecn_by_speed)
    for port, speed, cable in (("swp1s0", 400, "3"), ("swp17", 800, "30")):
        bound = stated.bound.get(port, {})
        marking = stated.qos["congestion-control"][bound.get("congestion-control", "default-global")]["traffic-class"][
            "3"
        ]
        curve = curves[speed * 10**9]
        assert (value(marking["min-threshold"]), value(marking["max-threshold"])) == (str(curve.kmin), str(curve.kmax))
        assert curve.kmin % (leaf.asic.ecn_step or 1) == 0
        assert value(stated.qos["pfc"][bound.get("pfc", "default-global")]["cable-length"]) == cable
