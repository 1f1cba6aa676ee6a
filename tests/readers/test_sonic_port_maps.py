"""Maps of single ports on SONiC: rows for each way in which ports sort, read back as the same model."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
import sonic_checks
import sonic_text
from conformance import SonicYang
from hypothesis import example, given, settings
from intents import fabric as fabric_of_text
from port_map_import import again
from port_map_intents import groups, intent
from same_model import differences
from sonic_checks import RELEASES, faults, validate

from rocecfg.intent import load
from rocecfg.linting.rendering import render_device as render
from rocecfg.model import Device, Fabric
from rocecfg.vendors.base import CannotRender

NAMES = ["Ethernet[0-16/8]", "Ethernet[24-32/8]", "Ethernet40", "Ethernet[48-72/8]"]
SAID = ("pfc", "watchdog", "ecn", "chain", "shares", "trust")
MIGRATED = ["", "{rdma: {dscp: [24], priority: 4}}"]


def of(texts: list[str], folder: Path, release: str = "202505") -> tuple[Fabric, Device]:
    """The switch of an intent whose groups of ports say these classes."""
    text = intent(texts, NAMES[: len(texts)], f'vendor: sonic, platform: arista-7060x6-64pe, version: "{release}"')
    found = fabric_of_text(folder, text)
    return found, found.devices[0]


def rows(texts: list[str], folder: Path, release: str = "202505") -> dict[str, Any]:
    """What is rendered."""
    found: dict[str, Any] = json.loads(render(*of(texts, folder, release)).body)
    return found


def test_each_way_of_sorting_has_maps_of_its_own(tmp_path: Path) -> None:
    config = rows(MIGRATED, tmp_path)
    usual, other = config["DSCP_TO_TC_MAP"]["AZURE"], config["DSCP_TO_TC_MAP"]["AZURE_2"]
    assert (usual["26"], usual["24"]) == ("3", "0")
    assert (other["26"], other["24"]) == ("0", "4")
    assert len(other) == 64
    assert config["TC_TO_PRIORITY_GROUP_MAP"]["AZURE"]["4"] == "0"
    assert config["TC_TO_PRIORITY_GROUP_MAP"]["AZURE_2"]["4"] == "4"
    assert list(config["TC_TO_QUEUE_MAP"]) == ["AZURE"]  # each TC to its own queue, on all ports
    bound = config["PORT_QOS_MAP"]
    assert {bound[f"Ethernet{n}"]["dscp_to_tc_map"] for n in (0, 8, 16)} == {"AZURE"}
    assert {bound[f"Ethernet{n}"]["dscp_to_tc_map"] for n in (24, 32)} == {"AZURE_2"}
    assert {bound[f"Ethernet{n}"]["tc_to_queue_map"] for n in (0, 24)} == {"AZURE"}
    assert (bound["Ethernet0"]["pfc_enable"], bound["Ethernet24"]["pfc_enable"]) == ("3", "4")
    assert (bound["Ethernet0"]["pfcwd_sw_enable"], bound["Ethernet24"]["pfcwd_sw_enable"]) == ("3", "4")
    assert "wred_profile" in config["QUEUE"]["Ethernet0|3"]
    assert "wred_profile" in config["QUEUE"]["Ethernet24|4"]
    assert "Ethernet24|3" not in config["QUEUE"]
    assert config["QUEUE"]["Ethernet24|4"]["scheduler"] == config["QUEUE"]["Ethernet0|3"]["scheduler"]


def test_a_queue_that_a_port_does_not_use_is_no_matter_of_its_scheduler(tmp_path: Path) -> None:
    assert not [note for note in render(*of(MIGRATED, tmp_path)).notes if "own scheduler stays" in note]


def test_most_ports_have_the_stock_name(tmp_path: Path) -> None:
    config = rows(["{rdma: {dscp: [24], priority: 4}}", ""], tmp_path)
    assert config["DSCP_TO_TC_MAP"]["AZURE"]["24"] == "4"
    assert config["DSCP_TO_TC_MAP"]["AZURE_2"]["26"] == "3"


def test_a_switch_whose_ports_sort_alike_has_one_map_of_a_kind(tmp_path: Path) -> None:
    config = rows(["{rdma: {dscp: [24], priority: 4}}"] * 2, tmp_path)
    assert {
        name for table in config if table.endswith("_MAP") and table != "PORT_QOS_MAP" for name in config[table]
    } == {"AZURE"}


def test_classes_of_a_port_that_want_two_queues_of_one_traffic_class_are_refused(tmp_path: Path) -> None:
    found, switch = of(["", "{storage: {tc: 0, queue: 5}}"], tmp_path)
    with pytest.raises(CannotRender, match="different queues of one TC") as refused:
        render(found, switch)
    assert refused.value.at


def test_what_is_rendered_for_some_ports_is_lawful(tmp_path: Path) -> None:
    for release in ("202405", "202505"):
        config = rows([*MIGRATED, "{storage: off, rdma: {dscp: [26, 18]}}"], tmp_path, release)
        assert sonic_checks.problems(config) == []


def random(texts: list[str]) -> tuple[Fabric, Device]:
    with tempfile.TemporaryDirectory() as folder:
        text = intent(texts, NAMES[: len(texts)], 'vendor: sonic, platform: arista-7060x6-64pe, version: "202505"')
        path = Path(folder) / "fabric.yaml"
        path.write_text(text)
        found = load(str(path)).fabric
    assert found is not None
    return found, found.devices[0]


@settings(max_examples=60, deadline=None)
@given(groups())
def test_whatever_ports_sort_by_comes_back(texts: list[str]) -> None:
    found, switch = random(texts)
    body = render(found, switch).body
    assert sonic_checks.problems(sonic_checks.load(body)) == []
    back = sonic_text.device(body, switch.version)
    assert differences(switch, back, SAID) == []
    assert sonic_text.reported(body, release=switch.version) == []


@pytest.mark.conformance
@pytest.mark.parametrize("release", RELEASES)
def test_maps_of_ports_pass_the_models_of_sonic(sonic_yang: SonicYang, release: str, tmp_path: Path) -> None:
    file = tmp_path / "leaf1.json"
    config = rows([*MIGRATED, "{storage: off, rdma: {dscp: [26, 18]}}"], tmp_path, release)
    assert len(config["DSCP_TO_TC_MAP"]) == 3
    file.write_text(json.dumps(config))
    assert faults(validate(sonic_yang, release, "--fragment", file)) == {}


@settings(max_examples=60, deadline=None)
@given(groups())
@example(
    ["{rdma: {priority: 1}, storage: {priority: 2, lossless: true}}", "", "", "{rdma: {priority: 2}, storage: off}"]
)
def test_whatever_ports_sort_by_is_imported(texts: list[str]) -> None:
    found, switch = random(texts)
    _, back = again(render(found, switch).body, "sonic", switch.version)
    assert differences(switch, back, ("pfc", "ecn", "chain", "trust")) == []


def test_a_switch_with_two_maps_is_imported_as_people_write_it(tmp_path: Path) -> None:
    text, _ = again(render(*of(MIGRATED, tmp_path)).body, "sonic", "202505")
    assert "classes: {rdma: {dscp: 24, priority: 4}}}" in text
    assert "rdma-tc4" not in text
