"""The tests by a traffic generator: valid by the published models, and with the numbers that the intent leads to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from intents import POLICY, rocecfg
from intents import fabric as fabric_of

from rocecfg.rollout.otg import make_campaigns
from rocecfg.rollout.types import Campaign

INTENT = POLICY + (
    "defaults: {vendor: sonic, platform: nvidia-sn5600}\n"
    'devices: {leaf1: {ports: {"Ethernet[0-56/8]": {speed: 400G, faces: host, cable: 3m}}}}\n'
)


def of(folder: Path, text: str = INTENT) -> dict[str, Campaign]:
    return {each.file: each for each in make_campaigns(fabric_of(folder, text), {"leaf1"})}


def models() -> Any:
    """snappi, which carries the published models; without it the test is skipped, unless it is required."""
    try:
        import snappi
    except ImportError:
        if os.environ.get("ROCECFG_REQUIRE_CONFORMANCE") == "1":
            pytest.fail("snappi is not installed: pip install 'rocecfg[test]'")
        pytest.skip("snappi is not installed")
    return snappi


@pytest.mark.conformance
def test_both_fit_the_published_models(tmp_path: Path) -> None:
    snappi = models()
    found = of(tmp_path)
    assert list(found) == ["traffic/otg-incast.json", "traffic/otg-pause-storm.json"]
    for each in found.values():
        config = snappi.Config()
        config.deserialize(json.dumps(each.config))
        kept = json.loads(config.serialize())  # serializing validates, and leaves out what the models do not know
        assert _within(each.config, kept) == []
    bad = json.loads(json.dumps(found["traffic/otg-incast.json"].config).replace('"value": 26', '"value": 64'))
    with pytest.raises(TypeError, match="max 63"):
        snappi.Config().deserialize(json.dumps(bad))


def _within(meant: Any, kept: Any, path: str = "") -> list[str]:
    """What is written and not kept as it is."""
    if isinstance(meant, dict):
        return [line for key, value in meant.items() for line in _within(value, kept.get(key), f"{path}.{key}")]
    if isinstance(meant, (list, tuple)):
        return [line for n, value in enumerate(meant) for line in _within(value, kept[n], f"{path}[{n}]")]
    return [] if str(meant) == str(kept) else [f"{path}: {meant} {kept}"]


def test_incast_has_the_senders_and_the_mark_of_the_intent(tmp_path: Path) -> None:
    config = of(tmp_path, INTENT.replace("fabric: {", "fabric: {incast: 6, "))["traffic/otg-incast.json"].config
    flows = config["flows"]
    assert [flow["tx_rx"]["port"]["tx_name"] for flow in flows] == [f"leaf1:Ethernet{n}" for n in range(0, 48, 8)]
    assert {flow["tx_rx"]["port"]["rx_names"][0] for flow in flows} == {"leaf1:Ethernet48"}
    marks = {(f["packet"][1]["ipv4"]["priority"]["dscp"]["phb"]["value"], f["size"]["fixed"]) for f in flows}
    assert marks == {(26, 4096 + 62)}  # Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4
    assert config["layer1"][0]["speed"] == "speed_400_gbps"


def test_fewer_ports_than_senders_are_told(tmp_path: Path) -> None:
    does = of(tmp_path, INTENT.replace("fabric: {", "fabric: {incast: 40, "))["traffic/otg-incast.json"].does
    assert does.startswith("7 senders at 400G each (of 40 in the intent: there are no more ports)")


def test_a_pause_storm_is_without_a_break_and_longer_than_its_detection(tmp_path: Path) -> None:
    each = of(tmp_path, INTENT.replace("detection_time: 200ms", "detection_time: 700ms"))[
        "traffic/otg-pause-storm.json"
    ]
    pause = each.config["flows"][1]
    stated = pause["packet"][0]["pfcpause"]
    assert stated["class_enable_vector"]["value"] == 1 << 3
    assert stated["pause_class_3"]["value"] == 65535
    # 400e9 / (65535 * 512) = 11921.1 frames/s keep the port paused; a tenth more
    assert pause["rate"]["pps"] == "13114"
    assert pause["duration"]["fixed_seconds"]["seconds"] == 3  # three times 700 ms, and whole seconds
    assert "after 700ms" in each.expects


def test_of_a_lossy_class_there_is_no_storm(tmp_path: Path) -> None:
    lossy = INTENT.replace("lossless: true", "lossless: false").replace("fabric: {", "fabric: {mode: lossy, ")
    assert list(of(tmp_path, lossy)) == ["traffic/otg-incast.json"]


def test_without_two_equal_ports_to_hosts_there_is_none(tmp_path: Path) -> None:
    assert of(tmp_path, INTENT.replace("Ethernet[0-56/8]", "Ethernet0")) == {}
    assert of(tmp_path, INTENT.replace("faces: host", "faces: switch")) == {}


def test_plan_writes_them_and_says_what_to_expect(tmp_path: Path) -> None:
    (tmp_path / "fabric.yaml").write_text(INTENT, encoding="utf-8")
    (tmp_path / "older").mkdir()
    (tmp_path / "older/fabric.yaml").write_text(INTENT.replace("pmax: 5%", "pmax: 10%"), encoding="utf-8")
    rocecfg(tmp_path, "plan", "fabric.yaml", "--running-intent", "older/fabric.yaml", "-o", "out/", expect=0)
    storm = json.loads((tmp_path / "out/traffic/otg-pause-storm.json").read_text(encoding="utf-8"))
    assert storm["flows"][1]["name"] == "pause storm"
    text = (tmp_path / "out/plan.md").read_text(encoding="utf-8")
    assert "traffic/otg-incast.json" in text
    assert "  - expected: the watchdog reports a storm on leaf1:Ethernet32, queue 3, after 200ms" in text
