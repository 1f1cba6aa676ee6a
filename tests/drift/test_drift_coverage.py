"""What drift compared, and what it did not: exit 0 means that nothing differs and that nothing was left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from drift_cases import CASES, EXAMPLES, SUFFIX, compared, rendered, running
from intents import rocecfg

from rocecfg.drift.changes import fix_devices
from rocecfg.drift.labels import label_settings
from rocecfg.drift.run import Drift

AUTO = EXAMPLES / "auto"
WHOLE = (("auto", "leaf01"), ("auto", "spine01"), ("auto", "spine02"), ("train-256", "leaf01"), ("converged", "leaf01"))
PM = "policy-map type quality-of-service PM\n   class class-default\n      set traffic-class 0\n"
E1 = "interface Ethernet1/1\n"


def missed(found: Drift) -> dict[str, set[str]]:
    """What was not compared: the settings, and the ports of each."""
    out: dict[str, set[str]] = {}
    for one in found.uncovered:
        for title in label_settings(one.settings):
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
        assert "not compared: " in done.stdout
        assert "this part does not contain" in asked.stdout


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
    assert asked.stdout.splitlines()[-1].endswith(f"; this part does not contain {unsaid}")
    reported = json.loads(
        rocecfg(tmp_path, "drift", AUTO, "--running", "leaf01.json", "--format", "json", expect=1).stdout
    )
    assert reported["summary"]["uncovered"] == int(unsaid) == sum(one["count"] for one in reported["uncovered"])
    assert {one["path"] for one in reported["uncovered"]} == {"leaf01.json"}
    assert all(one["silent"] for one in reported["uncovered"])


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
            "qos map traffic-class 3 to mc-tx-queue 1\n",
            {"shares of the queues": {f"Ethernet{n}/1" for n in range(1, 17)}},
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
    assert {text[at.start : at.end].strip() for one in found.uncovered for at in one.places} <= {
        line.strip() for line in lines.splitlines()
    }
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


# -- parts: what a change would have to touch --------------------------------------------------------------------------

MOVED = """qos profile ROCE-SWITCH
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
qos map dscp 26 to traffic-class 3
qos map traffic-class 3 to uc-tx-queue 3
"""  # a switch of which nothing is said for the queues: the intent has moved to priority 5


def moved(tmp_path: Path) -> Path:
    """An intent whose RDMA class went to priority 5, and a part of what its switch runs."""
    text = (AUTO / "fabric.yaml").read_text(encoding="utf-8").replace("priority: 3", "priority: 5")
    (tmp_path / "fabric.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "spine02.cfg").write_text(MOVED, encoding="utf-8")
    return tmp_path


def test_half_a_change_is_not_given(tmp_path: Path) -> None:
    """The map and no-drop would move to priority 5, and RDMA would land in a default queue that marks nothing."""
    moved(tmp_path)
    drift = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "spine02.cfg", expect=2)
    assert "show running-config" in drift.stderr
    rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "spine02.cfg", "--partial", expect=1)
    assert "drift: DSCP 26" in drift.stdout
    assert "no change for spine02\n" in drift.stdout
    assert "traffic-class 5" not in drift.stdout
    patch = rocecfg(tmp_path, "drift", "fabric.yaml", "--running", "spine02.cfg", "--patch", expect=2)
    plan = rocecfg(tmp_path, "plan", "fabric.yaml", "--running", "spine02.cfg", "--no-lint", expect=2)
    assert patch.stdout == plan.stdout == ""
    for stated in (drift.stdout, patch.stderr, plan.stderr):
        assert "ECN of queue 5" in stated
        assert "shares of the queues" in stated
        assert "show running-config" in stated


@pytest.mark.parametrize(
    ("device", "command"),
    [("leaf01.json", "show runningconfiguration all"), ("spine01.yaml", "nv config show")],
)
def test_the_command_that_gives_the_whole(tmp_path: Path, device: str, command: str) -> None:
    if device.endswith("json"):
        config = json.loads(running("auto", "leaf01"))
        part = {table: config[table] for table in ("PORT_QOS_MAP", "PFC_WD")}
        text = json.dumps(part).replace('"3"', '"4"')
    else:
        text = "- set: {qos: {mapping: {default-global: {trust: l3, dscp: {'26': {switch-priority: 4}}}}}}\n"
    (tmp_path / device).write_text(text, encoding="utf-8")
    done = rocecfg(tmp_path, "plan", AUTO, "--running", device, "--no-lint", expect=2)
    assert done.stdout == ""
    assert command in done.stderr


def test_a_patch_is_not_made_from_a_part(tmp_path: Path) -> None:
    config = json.loads(running("auto", "leaf01"))
    (tmp_path / "part.json").write_text(json.dumps({t: config[t] for t in ("PORT", "PFC_WD")}), encoding="utf-8")
    (tmp_path / "whole.json").write_text(json.dumps(config), encoding="utf-8")
    make = ("render", AUTO, "--vendor", "sonic", "--as", "patch", "--device", "leaf01", "--running")
    done = rocecfg(tmp_path, *make, "part.json", expect=2)
    assert done.stdout == ""
    assert "ECN of queue 3" in done.stderr
    assert "show runningconfiguration all" in done.stderr
    assert json.loads(rocecfg(tmp_path, *make, "whole.json", expect=0).stdout) == []


def test_a_whole_one_is_fixed_beside_a_line_that_is_not_understood(tmp_path: Path) -> None:
    """But not where the two are about the same setting."""
    shaped = running("auto", "spine02") + f"{E1}   shape rate 1000000\n"
    found = compared("auto", {"spine02.cfg": shaped + "qos map dscp 26 to traffic-class 0\n"}, tmp_path)
    assert fix_devices(found)["spine02"].unknown == ()
    sorted_ = running("auto", "spine02") + f"{PM}{E1}   service-policy type qos input PM\n"
    found = compared("auto", {"spine02.cfg": sorted_ + "qos map dscp 26 to traffic-class 0\n"}, tmp_path)
    assert "DSCP" in fix_devices(found)["spine02"].unknown


# -- what a part says outright -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "topic"),
    [
        ("uc-tx-queue 3\n      no random-detect ecn", "ecn"),
        ("priority-flow-control on\n   no priority-flow-control priority 3", "pfc"),
        ("no priority-flow-control", "pfc"),
        ("uc-tx-queue 3\n      no bandwidth guaranteed", "guaranteed"),
        ("qos trust cos", "trust"),
    ],
)
def test_what_a_part_of_eos_takes_back_is_judged(tmp_path: Path, lines: str, topic: str) -> None:
    text = f"qos profile P\n   {lines}\n!\n{E1}   service-profile P\n"
    found = compared("auto", {"spine02.cfg": text}, tmp_path)
    assert [d.topic for d in found.differences] == [topic]


def test_what_a_part_of_eos_does_not_say_is_not(tmp_path: Path) -> None:
    text = f"qos profile P\n   uc-tx-queue 3\n      no priority\n!\n{E1}   service-profile P\n"
    assert compared("auto", {"spine02.cfg": text}, tmp_path).differences == []


def test_a_table_of_watchdogs_without_a_port_says_that_there_is_none(tmp_path: Path) -> None:
    config = json.loads(running("auto", "leaf01"))
    part = {"PORT_QOS_MAP": config["PORT_QOS_MAP"], "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "100"}}}
    found = compared("auto", {"leaf01.json": json.dumps(part)}, tmp_path)
    (difference,) = found.differences
    assert (difference.topic, difference.values[0].running) == ("watchdog", "off")
    assert difference.port_count == 48
