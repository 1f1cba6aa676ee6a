"""EOS has one map of DSCPs a switch: ports with maps of their own are refused by name, and lint says so before."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, fabric, findings

from rocecfg.linting.rendering import render_device as render
from rocecfg.vendors.base import CannotRender

LEAF = """\
defaults: {vendor: arista, platform: arista-7060x6-64pe, version: "4.33.2F"}
devices:
  leaf1:
    ports:
      "Ethernet[1-2]/1": {speed: 400G, faces: host, cable: 3m}
      "Ethernet3/1": {speed: 400G, faces: host, cable: 3m, classes: CLASSES}
"""


@pytest.mark.parametrize(
    ("classes", "text"),
    [("{rdma: {dscp: [24]}}", "[24]"), ("{rdma: {priority: 4}}", "4"), ("{default: {queue: 1}}", "1")],
)
def test_maps_of_ports_are_refused_by_name(classes: str, text: str, tmp_path: Path) -> None:
    intent = POLICY + LEAF.replace("CLASSES", classes)
    found = fabric(tmp_path, intent)
    with pytest.raises(CannotRender, match="one map of DSCPs") as refused:
        render(found, found.devices[0])
    assert "Ethernet3/1" in refused.value.message
    assert refused.value.help
    (reported,) = (f for f in findings(tmp_path, intent) if "maps by port" in f.message)
    assert (reported.rule, reported.severity, reported.line) == ("nos-unsupported", "error", 16)
    assert "one map of DSCPs" in reported.message or "a switch has one map" in reported.message
    assert reported.text in (text, "dscp")  # of a list, its key


@pytest.mark.parametrize("classes", ["{rdma: {lossless: false}}", "{rdma: off}", "[cnp, control, default]"])
def test_pauses_of_ports_are_not_maps(classes: str, tmp_path: Path) -> None:
    intent = POLICY + LEAF.replace("CLASSES", classes)
    found = fabric(tmp_path, intent)
    body = render(found, found.devices[0]).body
    assert "qos map dscp" in body
    assert not [f for f in findings(tmp_path, intent) if "maps by port" in f.message]
