"""What a system cannot express: a warning where it is the fabric's and others take it, an error on the device itself.

The writer of that system refuses it by name in either case.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import fabric, findings, judged

from rocecfg.linting.rendering import render_files
from rocecfg.vendors.base import CannotRender

INTENT = """\
rocecfg: 1
fabric: {name: lab, mtu: 9000}
defaults: {cable: 5m, version: {sonic: "202405", spectrum: "5.14", arista: "4.33.2F"}}
classes:
  rdma: {carries: [rdma], dscp: 26, priority: 3, lossless: true, bandwidth: 60, ecn: {kmin: 4MB, kmax: 9MB, pmax: 5%}}
  cnp: {carries: [cnp], dscp: 48, priority: 6, bandwidth: strict}
  control: {carries: [control], dscp: 56, priority: 7, bandwidth: strict}
  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 40}
pfc:
  watchdog: {detection_time: 300ms, poll_interval: 100ms, action: drop}
devices:
  leaf01: {vendor: sonic, platform: nvidia-sn5600, ports: {Ethernet0: {speed: 400G}}}
  spine01: {vendor: spectrum, ports: {swp1: {speed: 400G, faces: switch}}}
"""
ARISTA = "  core01: {vendor: arista, asic: tomahawk5, ports: {Ethernet1/1: {speed: 400G, faces: switch}}}\n"
RULES = ("nos-unsupported", "schema-nos-range")
SPINE = "{vendor: spectrum, ports: {swp1: {speed: 400G, faces: switch}}}"
ALERT = INTENT.replace("action: drop", "action: alert")


def severities(folder: Path, text: str) -> list[tuple[str, int]]:
    """Severity and line of what the two rules find, infos aside."""
    return sorted((f.severity, f.line) for f in findings(folder, text) if f.rule in RULES and f.severity != "info")


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(CannotRender) as refused:
        list(render_files(fabric(folder, text), None))
    return refused.value.message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (ALERT, 10),  # pfc
        (INTENT.replace("pmax: 5%", "pmax: 5%, colors: [green]"), 5),  # classes
        (INTENT.replace("defaults: {", "defaults: {pfc: {watchdog: {action: alert}}, "), 3),
    ],
)
def test_what_the_fabric_says_is_a_warning_where_others_take_it(text: str, line: int, tmp_path: Path) -> None:
    assert severities(tmp_path, text) == [("warning", line)]
    assert refusal(tmp_path, text)


def test_a_value_out_of_one_systems_range_too(tmp_path: Path) -> None:
    text = INTENT.replace("mtu: 9000", "mtu: 9215")
    assert severities(tmp_path, text) == []
    assert set(severities(tmp_path, text + ARISTA)) == {("warning", 2)}
    assert "9214" in refusal(tmp_path, text + ARISTA)


@pytest.mark.parametrize(
    "own",
    [
        "{vendor: spectrum, pfc: {watchdog: {action: alert}}, ports: {swp1: {speed: 400G, faces: switch}}}",
        "{vendor: spectrum, ports: {swp1: {speed: 400G, faces: switch, pfc: {watchdog: {action: alert}}}}}",
        SPINE.replace(
            "{vendor: spectrum", "{vendor: spectrum, classes: {rdma: {ecn: {kmin: 1MB, kmax: 2MB, pmax: 2.5%}}}"
        ),
    ],
)
def test_what_the_device_or_its_port_says_is_an_error(own: str, tmp_path: Path) -> None:
    text = INTENT.replace(SPINE, own)
    assert severities(tmp_path, text) == [("error", 13)]
    assert refusal(tmp_path, text)


def test_both_places_are_told_apart(tmp_path: Path) -> None:
    own = "{vendor: spectrum, pfc: {watchdog: {action: forward}}, ports: {swp1: {speed: 400G, faces: switch}}}"
    text = ALERT + f"  spine02: {own}\n"
    assert severities(tmp_path, text) == [("error", 14), ("warning", 10)]


def test_a_fabric_of_one_system_asks_what_nobody_can(tmp_path: Path) -> None:
    alone = "".join(line for line in ALERT.splitlines(keepends=True) if "leaf01" not in line)
    assert severities(tmp_path, alone) == [("error", 10)]


def test_so_does_one_of_several_none_of_which_takes_it(tmp_path: Path) -> None:
    found = severities(tmp_path, INTENT.replace("mtu: 9000", "mtu: 9300") + ARISTA)
    assert set(found) == {("error", 2)}


@pytest.mark.parametrize("own", ["drop", "default"])
def test_another_value_on_the_device_ends_it(own: str, tmp_path: Path) -> None:
    own = SPINE.replace("{vendor: spectrum", f"{{vendor: spectrum, pfc: {{watchdog: {{action: {own}}}}}")
    text = ALERT.replace(SPINE, own)
    assert severities(tmp_path, text) == []
    assert len(list(render_files(fabric(tmp_path, text), None))) >= 2


def test_a_release_without_any_qos_is_no_value(tmp_path: Path) -> None:
    text = INTENT.replace('spectrum: "5.14"', 'spectrum: "5.1"')
    assert ("error", 3) in severities(tmp_path, text)


def test_each_port_counts_once(tmp_path: Path) -> None:
    """An MTU that two groups of ports inherit from the fabric."""
    two = "ports: {Ethernet1/1: {speed: 400G, faces: switch}, Ethernet2/1: {speed: 800G, faces: switch}}"
    core = ARISTA.replace("ports: {Ethernet1/1: {speed: 400G, faces: switch}}", two)
    run = judged(tmp_path, INTENT.replace("mtu: 9000", "mtu: 9215") + core)[1]
    (one,) = (f for f in run.findings if f.rule.name == "schema-nos-range")
    assert (one.devices, one.port_count) == (("core01",), 2)
