"""Maps of single ports on NVUE: profiles for each way in which ports sort, read back as the same model."""

from __future__ import annotations

import tempfile
from pathlib import Path

import nvue_text
import pytest
from hypothesis import given, settings
from intents import fabric as fabric_of_text
from intents import findings
from port_map_import import again
from port_map_intents import groups, intent
from same_model import differences

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric
from rocecfg.vendors.base import CannotRender

NAMES = ["swp[1-3]", "swp[4-5]", "swp6", "swp[7-10]"]
SAID = ("pfc", "ecn", "chain", "shares", "trust")
DEFAULTS = 'vendor: spectrum, platform: nvidia-sn5600, version: "5.14"'
MIGRATED = ["", "{rdma: {dscp: [24], priority: 4}}"]


def of(texts: list[str], folder: Path) -> tuple[Fabric, Device]:
    found = fabric_of_text(folder, intent(texts, NAMES[: len(texts)], DEFAULTS))
    return found, found.devices[0]


def test_each_way_of_sorting_has_profiles_of_its_own(tmp_path: Path) -> None:
    lines = render(*of(MIGRATED, tmp_path), form="commands").body.splitlines()
    assert "nv set qos mapping default-global dscp 26 switch-priority 3" in lines
    assert "nv set qos mapping rocecfg-map dscp 24 switch-priority 4" in lines
    assert "nv set interface swp4-5 qos mapping profile rocecfg-map" in lines
    assert "nv set qos traffic-pool roce-lossless switch-priority 3-4" in lines
    (pfc,) = {line.split()[4] for line in lines if line.startswith("nv set qos pfc ") and "global" not in line}
    assert f"nv set interface swp4-5 qos pfc profile {pfc}" in lines
    assert f"nv set qos pfc {pfc} switch-priority 4" in lines
    assert "nv set interface swp4-5 qos egress-scheduler profile rocecfg-scheduler" in lines
    assert "nv set qos egress-scheduler rocecfg-scheduler traffic-class 4 bw-percent 50" in lines
    assert "nv set qos egress-scheduler default-global traffic-class 3 bw-percent 50" in lines


def test_ports_that_sort_alike_need_no_profile(tmp_path: Path) -> None:
    body = render(*of(["{rdma: {dscp: [24], priority: 4}}"] * 2, tmp_path), form="commands").body
    assert "rocecfg-" not in body
    assert "nv set qos mapping default-global dscp 24 switch-priority 4" in body


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["", "{rdma: {queue: 4, tc: 4}}"], "queue"),  # priority 3 leads to queue 3 elsewhere
        (["", "{storage: {priority: 3}, rdma: {priority: 4}}"], "lossless"),  # priority 3 is RDMA's elsewhere
        (["", "{rdma: {lossless: false}}"], "lossless"),
    ],
)
def test_what_the_switch_has_once_is_refused_by_name(texts: list[str], words: str, tmp_path: Path) -> None:
    found, switch = of(texts, tmp_path)
    with pytest.raises(CannotRender, match="on all ports alike") as refused:
        render(found, switch)
    assert words in refused.value.message
    assert refused.value.at
    reported = findings(tmp_path, intent(texts, NAMES[: len(texts)], DEFAULTS))
    (first,) = (f for f in reported if "on all ports alike" in f.message)
    assert (first.rule, first.severity) == ("nos-unsupported", "error")
    assert texts[1] in (tmp_path / "fabric.yaml").read_text().splitlines()[first.line - 1]  # the port's own line


def random(texts: list[str]) -> tuple[Fabric, Device]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fabric.yaml"
        path.write_text(intent(texts, NAMES[: len(texts)], DEFAULTS))
        found = load(str(path)).fabric
    assert found is not None
    return found, found.devices[0]


@settings(max_examples=100, deadline=None)
@given(groups())
def test_whatever_ports_sort_by_comes_back_or_is_refused(texts: list[str]) -> None:
    found, switch = random(texts)
    try:
        body = render(found, switch).body
    except CannotRender as refused:
        assert "on all ports alike" in str(refused)  # noqa: PT017
        return
    back = nvue_text.device(body, switch.version)
    assert differences(switch, back, SAID) == []


@settings(max_examples=60, deadline=None)
@given(groups())
def test_whatever_ports_sort_by_is_imported(texts: list[str]) -> None:
    found, switch = random(texts)
    try:
        body = render(found, switch).body
    except CannotRender:
        return
    _, back = again(body, "spectrum", switch.version)
    assert differences(switch, back, ("pfc", "ecn", "chain", "trust")) == []
