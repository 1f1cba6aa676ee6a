"""DSCP 48, which NICs send CNPs with and routers BGP and BFD, led into a lossless class: on switches and in intents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sonic_text
from eos_text import findings as on_eos
from eos_text import lines_of
from sonic_clean import changed, each
from test_eos_findings import GOOD

from rocecfg.intent import load
from rocecfg.linting.finding import Finding
from rocecfg.linting.judge import judge
from rocecfg.linting.rendering import render_files
from rocecfg.source.document import Sources
from rocecfg.vendors.running import fabric_of, read_drafts

RULE = "pfc-cnp"
EXAMPLE = Path(__file__).resolve().parent.parent.parent / "examples" / "converged" / "fabric.yaml"


def only(findings: list[Finding]) -> Finding:
    (found,) = [f for f in findings if f.severity != "info"]
    assert (found.rule.name, found.severity) == (RULE, "error")
    return found


def nvue(old: str = "", new: str = "") -> list[Finding]:
    """What is found on a leaf of an example as it is rendered, with one text replaced."""
    rendered = load(str(EXAMPLE), Sources(), "spectrum").fabric
    assert rendered is not None
    text = next(f.text for f in render_files(rendered, "spectrum"))
    assert old in text
    sources = Sources()
    document = sources.add("leaf01.yaml", text.replace(old, new))
    found, failed = judge(fabric_of("leaf01.yaml", [(document, read_drafts(document, "spectrum"))], [], sources))
    assert not failed
    return found


REASON = "holds back the signal that slows senders down"
ROUTES = "BGP and BFD"


def test_dscp_48_in_a_lossless_class_of_a_sonic_switch() -> None:
    found = only(sonic_text.findings(changed(DSCP_TO_TC_MAP={"AZURE": {"48": "3"}})))
    assert found.message.startswith("DSCP 48 maps to class tc3, which is lossless (priority 3): ")
    assert REASON in found.message
    assert ROUTES in found.message
    assert "HSET 'DSCP_TO_TC_MAP|AZURE' 48 " in found.help
    assert "off" not in found.help  # turning PFC off would drop RDMA


def test_dscp_48_in_a_lossless_class_of_an_nvue_switch() -> None:
    found = only(nvue("'48': {switch-priority: 6}", "'48': {switch-priority: 3}"))
    assert found.message.startswith("DSCP 48 maps to class sp3, which is lossless (priority 3): ")
    assert "nv set qos mapping PROFILE dscp 48 switch-priority " in found.help


def test_dscp_48_in_a_lossless_class_of_an_eos_switch() -> None:
    found = only(on_eos(f"{GOOD}qos map dscp 48 to traffic-class 3\n"))
    assert found.message.startswith("DSCP 48 maps to class tc3, which is lossless (priority 3): ")
    assert "`qos map dscp 48 to traffic-class " in found.help
    assert lines_of(f"{GOOD}qos map dscp 48 to traffic-class 3\n", RULE) == [GOOD.count("\n") + 1]


def test_switches_that_lead_dscp_48_elsewhere_are_left_alone() -> None:
    assert sonic_text.findings(changed()) == []
    assert [f for f in nvue() if f.severity != "info"] == []
    assert on_eos(GOOD) == []  # EOS's own map has it in traffic class 6


def test_ports_that_sort_by_tags_do_not_look_at_dscp() -> None:
    tags = {"DOT1P_TO_TC_MAP": {"AZURE": {str(n): str(n) for n in range(8)}}}
    bound = each({"dscp_to_tc_map": None, "dot1p_to_tc_map": "AZURE"})
    names = sonic_text.names(
        changed(**tags, PORT_QOS_MAP={"global": None, **bound}, DSCP_TO_TC_MAP={"AZURE": {"48": "3"}})
    )
    assert RULE not in names


def test_priority_6_itself_lossless_is_told_once() -> None:
    rows: dict[str, Any] = {
        "PORT_QOS_MAP": each({"pfc_enable": "3,6", "pfcwd_sw_enable": "3,6"}),
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"6": "6"}},
    }
    names = sonic_text.names(changed(**rows))
    assert "pfc-control-prio" in names
    assert RULE not in names


POLICY = """\
rocecfg: 1
fabric: {name: f}
classes:
  rdma: {carries: [rdma], dscp: %s, priority: 3, lossless: true, bandwidth: 60,
    ecn: {kmin: 400KB, kmax: 1600KB, pmax: 5%%}}
%s
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc: {watchdog: {detection_time: 200ms, restoration_time: 400ms, poll_interval: 100ms, action: drop}}
"""
CNP = "  cnp: {carries: [cnp], dscp: %s, priority: 6, bandwidth: strict}"
CONTROL = "  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}"


def of_intent(dscp: str, *classes: str, folder: Path) -> list[tuple[str, str]]:
    (folder / "fabric.yaml").write_text(POLICY % (dscp, "\n".join(classes)), encoding="utf-8")
    found, failed = judge(load(str(folder / "fabric.yaml"), Sources()))
    assert not failed
    return [(f.severity, f.rule.name) for f in found if f.severity != "info"]


def test_intents_whose_rdma_class_takes_dscp_48(tmp_path: Path) -> None:
    assert of_intent("[26, 48]", CONTROL, folder=tmp_path) == [("error", RULE)]
    assert of_intent('["24-55"]', CONTROL, folder=tmp_path) == [("error", RULE)]


def test_an_intent_whose_cnps_have_another_dscp_still_pauses_routing(tmp_path: Path) -> None:
    assert of_intent("[26, 48]", CNP % 4, CONTROL, folder=tmp_path) == [("warning", RULE)]


def test_intents_that_keep_dscp_48_out_of_lossless_classes(tmp_path: Path) -> None:
    assert of_intent("26", CNP % 48, CONTROL, folder=tmp_path) == []
    assert of_intent("[26, 47, 49]", CNP % 48, CONTROL, folder=tmp_path) == []


def test_a_code_point_claimed_twice_is_told_as_such(tmp_path: Path) -> None:
    assert of_intent("[26, 48]", CNP % 48, CONTROL, folder=tmp_path) == [("error", "mix-dscp-dup")]
