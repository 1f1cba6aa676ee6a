"""What drift compared, and what it did not: exit 0 means that nothing differs and that nothing was left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drift_cases import EXAMPLES, CASES, SUFFIX, compared, rendered, running
from intents import rocecfg

from rocecfg.drift.run import Drift
from rocecfg.drift.words import named

AUTO = EXAMPLES / "auto"
WHOLE = (("auto", "leaf01"), ("auto", "spine01"), ("auto", "spine02"), ("train-256", "leaf01"), ("converged", "leaf01"))
PM = "policy-map type quality-of-service PM\n   class class-default\n      set traffic-class 0\n"
E1 = "interface Ethernet1/1\n"


def missed(found: Drift) -> dict[str, set[str]]:
    """What was not compared: the settings, and the ports of each."""
    out: dict[str, set[str]] = {}
    for one in found.uncovered:
        for title in named(one.settings):
            out.setdefault(title, set()).update(port for reach in one.reach for port in reach.ports)
    return out


@pytest.mark.parametrize(("example", "vendor"), CASES)
def test_what_is_rendered_is_a_part_that_agrees(tmp_path: Path, example: str, vendor: str | None) -> None:
    """`drift --partial` against what render writes is always 0, with nothing that was not understood."""
    for device, (_, system, text) in rendered(example, vendor).items():
        found = compared(example, {f"{device}{SUFFIX[system]}": text}, tmp_path, vendor)
        assert found.differences == []
        assert [one for one in found.uncovered if not one.silent] == []


@pytest.mark.parametrize(("example", "device"), WHOLE)
def test_of_a_whole_switch_nothing_is_left_out(tmp_path: Path, example: str, device: str) -> None:
    system = rendered(example)[device][1]
    found = compared(example, {f"{device}{SUFFIX[system]}": running(example, device)}, tmp_path)
    assert found.compared
    assert (found.differences, found.uncovered) == ([], [])


def test_no_drift_says_in_how_many_settings(tmp_path: Path) -> None:
    (tmp_path / "spine02.cfg").write_text(running("auto", "spine02"), encoding="utf-8")
    done = rocecfg(tmp_path, "drift", AUTO, "--running", "spine02.cfg", expect=0)
    last = done.stdout.splitlines()[-1]
    words = last.split()
    assert words[:3] == ["no", "drift", "in"]
    assert int(words[3]) > 16 * 5
    assert last.endswith("settings of 16 ports on 1 device")


@pytest.mark.parametrize("device", ["leaf01.json", "spine01.yaml", "spine02.cfg"])
def test_a_part_leaves_settings_out(tmp_path: Path, device: str) -> None:
    text = rendered("auto")[device.partition(".")[0]][2]
    (tmp_path / device).write_text(text, encoding="utf-8")
    done = rocecfg(tmp_path, "drift", AUTO, "--running", device, expect=None)
    asked = rocecfg(tmp_path, "drift", AUTO, "--running", device, "--partial", expect=0)
    assert "no drift" not in asked.stdout + done.stdout or done.returncode == 0
    if done.returncode:
        assert done.returncode == 1
        assert f"not compared: " in done.stdout
        assert "this part does not say" in asked.stdout


def test_uncovered_alone_is_exit_1_and_never_called_no_drift(tmp_path: Path) -> None:
    config = json.loads(running("auto", "leaf01"))
    part = {table: config[table] for table in ("PFC_WD", "PORT_QOS_MAP")}
    (tmp_path / "leaf01.json").write_text(json.dumps(part, indent=1), encoding="utf-8")
    done = rocecfg(tmp_path, "drift", AUTO, "--running", "leaf01.json", expect=1)
    assert "no drift" not in done.stdout
    assert "not compared: cable length, ECN of queue 0" in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith("no difference in ")
    asked = rocecfg(tmp_path, "drift", AUTO, "--running", "leaf01.json", "--partial", expect=0)
    unsaid = last.partition("not compared: ")[2].split()[0]
    assert asked.stdout.splitlines()[-1].endswith(f"; this part does not say {unsaid}")
    told = json.loads(rocecfg(tmp_path, "drift", AUTO, "--running", "leaf01.json", "--format", "json", expect=1).stdout)
    assert told["summary"]["uncovered"] == int(unsaid) == sum(one["count"] for one in told["uncovered"])
    assert {one["path"] for one in told["uncovered"]} == {"leaf01.json"}
    assert all(one["silent"] for one in told["uncovered"])


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (f"{PM}{E1}   service-policy type qos input PM\n", {"DSCP": {"Ethernet1/1"}, "802.1p": {"Ethernet1/1"}}),
        (f"{E1}   shape rate 1000000\n", {"shapers": {"Ethernet1/1"}}),
        (
            "qos profile ROCE-SWITCH\n   uc-tx-queue 3\n      shape rate 200000 pps\n",
            {"shaper of queue 3": {f"Ethernet{n}/1" for n in range(1, 17)}},
        ),
        (
            "qos random-detect ecn allow non-ect\n",
            {f"ECN of queue {queue}": {f"Ethernet{n}/1" for n in range(1, 17)} for queue in (0, 3, 6, 7)},
        ),
        (
            f"{E1}   priority-flow-control mode on\n",
            {"PFC priorities": {"Ethernet1/1"}, "PFC watchdog": {"Ethernet1/1"}},
        ),
    ],
)
def test_eos_lines_not_understood(tmp_path: Path, lines: str, expected: dict[str, set[str]]) -> None:
    """They make uncovered what they may touch, on their ports, and not the device."""
    text = running("auto", "spine02") + lines
    found = compared("auto", {"spine02.cfg": text}, tmp_path)
    assert found.differences == []
    assert missed(found) == expected
    assert {text[at.start : at.end].strip() for one in found.uncovered for at in one.places} <= set(
        line.strip() for line in lines.splitlines()
    )
    done = rocecfg(tmp_path, "drift", AUTO, "--running", "spine02.cfg", "--partial", expect=1)
    assert "no drift" not in done.stdout


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("qos egress-shaper shape port-max-rate 100000", {}),  # bound to no port
        ("qos egress-shaper default-global port-max-rate 100000", {"shapers"}),
        ("qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_infinity", {"buffers"}),
        ("qos congestion-control default-global traffic-class 3 mode relative", {"ECN of queue 3"}),
        ("qos pfc-watchdog trigger-mode buffer-full", {"PFC watchdog"}),
    ],
)
def test_nvue_settings_not_understood(tmp_path: Path, lines: str, expected: set[str]) -> None:
    path = lines.split()
    tree: object = path[-1]
    for word in reversed(path[:-1]):
        tree = {word: tree}
    text = running("auto", "spine01") + f"- set: {json.dumps(tree)}\n"
    found = compared("auto", {"spine01.yaml": text}, tmp_path)
    assert set(missed(found)) >= set(expected)
    assert bool(found.uncovered) == bool(expected)


def test_sonic_rows_not_understood(tmp_path: Path) -> None:
    config = json.loads(running("auto", "leaf01"))
    config["SCHEDULER"]["scheduler.dwrr90"]["pir"] = "1000"
    config["SCHEDULER"]["scheduler.dwrr90"]["meter_type"] = "packets"
    found = compared("auto", {"leaf01.json": json.dumps(config)}, tmp_path)
    assert found.differences or found.uncovered


def test_nothing_compared_is_not_no_drift(tmp_path: Path) -> None:
    (tmp_path / "other.cfg").write_text(running("auto", "spine02").replace("spine02", "stranger"), encoding="utf-8")
    done = rocecfg(tmp_path, "drift", AUTO, "--running", "other.cfg", expect=2)
    assert "no drift" not in done.stdout
