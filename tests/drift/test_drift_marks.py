"""802.1p maps and MTUs on SONiC and NVUE: a difference is told, its change fixes it, equal ones are silent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from drift_cases import SUFFIX, WHOLE, apply, change, stated

from rocecfg.drift.run import Drift, find_drift
from rocecfg.drift.text import render
from rocecfg.intent import load
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources

INTENT = """\
rocecfg: 1
fabric: {{name: t, mtu: 9000}}
classes:
  rdma: {{carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: auto}}
  cnp: {{carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}}
  default: {{carries: [default], dscp: rest, priority: 0, bandwidth: 40}}
pfc:
  watchdog: {{detection_time: 300ms, {restoration}poll_interval: 100ms, action: drop}}
defaults: {{vendor: {vendor}, platform: {platform}, version: "{version}"}}
devices:
  leaf01:
    ports:
      "{ports}": {{speed: 400G, faces: host, cable: 5m, trust: {trust}}}
"""
BOXES = {
    "sonic": ("nvidia-sn5600", "202505", "Ethernet[0-24/8]", "restoration_time: 600ms, "),
    "spectrum": ("nvidia-sn5600", "5.14", "swp[1-4]", ""),
}


class Case:
    """One switch whose ports sort by `trust`, and what is rendered for it."""

    def __init__(self, folder: Path, vendor: str, trust: str) -> None:
        platform, version, ports, restoration = BOXES[vendor]
        self.vendor = vendor
        self.folder = folder
        self.path = folder / f"leaf01{SUFFIX[vendor]}"
        intent = folder / "fabric.yaml"
        intent.write_text(
            INTENT.format(
                vendor=vendor, platform=platform, version=version, ports=ports, restoration=restoration, trust=trust
            ),
            encoding="utf-8",
        )
        self.sources = Sources()
        self.loaded = load(str(intent), self.sources)
        assert self.loaded.fabric is not None
        (file,) = render_files(self.loaded.fabric, vendor)
        self.text = WHOLE[vendor]("leaf01", self.loaded.fabric.devices[0], file.text)

    def against(self, text: str) -> Drift:
        self.path.write_text(text, encoding="utf-8")
        sources = Sources()
        sources.documents = list(self.sources.documents)
        return find_drift([self.loaded], [str(self.path)], sources)

    def leads_back(self, text: str) -> None:
        fixed = change(self.against(text))
        assert fixed.left == {}
        after = apply(text, fixed.change.steps, self.folder)
        assert stated(self.against(after)) == []


def _sonic(how: Callable[[dict[str, dict[str, dict[str, str]]]], object]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        config = json.loads(text)
        how(config)
        return json.dumps(config, indent=4)

    return changed


def _nvue(*lines: str) -> Callable[[str], str]:
    more = "- set:\n" + "".join(f"    {line}\n" for line in lines)
    return lambda text: text + more


TAGGED = {
    "sonic": _sonic(lambda c: c["DOT1P_TO_TC_MAP"]["AZURE"].update({"3": "0", "5": "3"})),
    "spectrum": _nvue(
        "qos: {mapping: {default-global: {pcp: {'3': {switch-priority: 0}, '5': {switch-priority: 3}}}}}",
    ),
}
NARROW = {
    "sonic": _sonic(lambda c: c["PORT"]["Ethernet8"].update({"mtu": "1500"})),
    "spectrum": _nvue("interface: {swp2: {link: {mtu: 1500}}}"),
}
WIDE = {
    "sonic": _sonic(lambda c: c["PORT"]["Ethernet8"].update({"mtu": "9216"})),
    "spectrum": _nvue("interface: {swp2: {link: {mtu: 9000}}}"),
}


@pytest.mark.parametrize("vendor", BOXES)
@pytest.mark.parametrize("trust", ["dscp", "pcp"])
def test_equal_ones_are_silent(tmp_path: Path, vendor: str, trust: str) -> None:
    case = Case(tmp_path, vendor, trust)
    assert stated(case.against(case.text)) == []


@pytest.mark.parametrize("vendor", BOXES)
def test_other_tags_are_told_each_way_once(tmp_path: Path, vendor: str) -> None:
    case = Case(tmp_path, vendor, "pcp")
    found = case.against(TAGGED[vendor](case.text))
    assert sorted((d.topic, d.codes) for d in found.differences) == [("pcp", (3,)), ("pcp", (5,))]
    reported = render(found, [])
    assert "drift: 802.1p 3 on leaf01\n  meant queue 3" in reported
    # a class says which value is its own; what nobody claims goes with the other code points
    assert re.search(r"802\.1p 3 on .*\n  meant .*fabric\.yaml:4\), running queue 0", reported)
    assert re.search(r"802\.1p 5 on .*\n  meant queue 0.*fabric\.yaml:6\), running queue 3", reported)


@pytest.mark.parametrize("vendor", BOXES)
def test_the_change_of_tags_leads_back(tmp_path: Path, vendor: str) -> None:
    case = Case(tmp_path, vendor, "pcp")
    case.leads_back(TAGGED[vendor](case.text))


def test_tags_that_no_port_is_meant_to_sort_by_concern_nobody(tmp_path: Path) -> None:
    case = Case(tmp_path, "spectrum", "dscp")
    assert stated(case.against(TAGGED["spectrum"](case.text))) == []


@pytest.mark.parametrize("vendor", BOXES)
def test_ports_that_sort_by_dscp_instead_are_one_difference(tmp_path: Path, vendor: str) -> None:
    case = Case(tmp_path, vendor, "pcp")
    text = Case(tmp_path, vendor, "dscp").text
    assert stated(case.against(text)) == [("trust", None, "")]
    case.leads_back(text)


@pytest.mark.parametrize("vendor", BOXES)
def test_a_smaller_mtu_is_told_and_fixed(tmp_path: Path, vendor: str) -> None:
    case = Case(tmp_path, vendor, "dscp")
    text = NARROW[vendor](case.text)
    found = case.against(text)
    assert stated(found) == [("mtu", None, "")]
    assert "meant 9000 or more" in render(found, [])
    case.leads_back(text)


@pytest.mark.parametrize("vendor", BOXES)
def test_a_larger_or_equal_mtu_is_silent(tmp_path: Path, vendor: str) -> None:
    case = Case(tmp_path, vendor, "dscp")
    assert stated(case.against(WIDE[vendor](case.text))) == []


def test_the_mtu_is_changed_as_operators_do(tmp_path: Path) -> None:
    sonic = Case(tmp_path, "sonic", "dscp")
    (step,) = change(sonic.against(NARROW["sonic"](sonic.text))).change.steps
    assert step.operations == ({"op": "replace", "path": "/PORT/Ethernet8/mtu", "value": "9000"},)
    assert step.mark == "brief-pause"  # headroom is worked out anew
    nvue = Case(tmp_path, "spectrum", "dscp")
    (step,) = change(nvue.against(NARROW["spectrum"](nvue.text))).change.steps
    assert step.lines == ("nv set interface swp2 link mtu 9000",)
    assert step.mark == "brief-pause"
