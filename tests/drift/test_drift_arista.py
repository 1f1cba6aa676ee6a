"""EOS: what was changed on the switch is found, and the change that is shown leads back to what is meant."""

from __future__ import annotations

from pathlib import Path

from drift_cases import apply, change, compared, running, stated
from loops import loop

Setting = tuple[str, int | None, str]
P = "qos profile ROCE-SWITCH"
E1 = "interface Ethernet1/1"
CURVE = "random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 50 weight 0"
CASES: list[tuple[str, list[Setting]]] = [  # what is typed, and what then differs
    (f"{P}\npriority-flow-control priority 4 no-drop", [("pfc", None, "")]),
    (f"{P}\nno priority-flow-control priority 3", [("pfc", None, "")]),
    (f"{P}\nno priority-flow-control", [("pfc", None, "")]),
    (f"{E1}\nno service-profile", []),
    (f"{E1}\nservice-profile OTHER\nqos profile OTHER\npriority-flow-control on", []),
    (f"{E1}\npriority-flow-control priority 5 no-drop", [("pfc", None, "")]),
    ("priority-flow-control all off", [("pfc", None, "")]),
    (f"{P}\nqos trust cos", [("trust", None, "")]),
    (f"{E1}\nqos trust cos", [("trust", None, "")]),
    (f"{P}\nno priority-flow-control pause watchdog", [("watchdog", None, "")]),
    (f"{E1}\nno priority-flow-control pause watchdog", [("watchdog", None, "")]),
    ("priority-flow-control pause watchdog default timeout 5", [("watchdog", None, "detection_time")]),
    ("priority-flow-control pause watchdog action errdisable", [("watchdog", None, "action")]),
    ("no priority-flow-control pause watchdog default recovery-time", [("watchdog", None, "restoration_time")]),
    (
        f"{P}\npriority-flow-control pause watchdog port timer timeout 2 polling-interval 1 recovery-time 4",
        [("watchdog", None, "detection_time restoration_time poll_interval")],
    ),
    (f"{E1}\npriority-flow-control pause watchdog port action notify-only", [("watchdog", None, "action")]),
    (
        f"{P}\nuc-tx-queue 3\n{CURVE}",
        [("ecn", 3, "kmin kmax pmax")],
    ),
    (f"{P}\nuc-tx-queue 3\nno random-detect ecn", [("ecn", 3, "")]),
    (
        f"{E1}\nuc-tx-queue 0\n{CURVE}",
        [("ecn", 0, "")],
    ),
    (f"{P}\nuc-tx-queue 3\nbandwidth percent 50", [("shares", None, "0 3")]),
    (f"{P}\nuc-tx-queue 3\npriority strict", [("shares", None, "0 3")]),
    (f"{P}\nuc-tx-queue 3\nno bandwidth guaranteed", [("guaranteed", 3, "")]),
    (f"{P}\nuc-tx-queue 3\nshape rate 100000", [("max_rate", 3, "")]),
    (f"{E1}\nmtu 1500", [("mtu", None, "")]),
    (f"{E1}\nflowcontrol receive on", [("flowcontrol", None, "")]),
    ("qos map dscp 24 25 to traffic-class 3", [("dscp", None, "")]),
    ("qos map traffic-class 6 to uc-tx-queue 5", [("dscp", None, "")]),
    ("no qos map dscp 0", [("dscp", None, "")]),
]


@loop(("lines", "expected"), CASES)
def test_is_found_and_fixed(tmp_path: Path, lines: str, expected: list[Setting]) -> None:
    text = running("auto", "spine02") + lines + "\n"
    found = compared("auto", {"spine02.cfg": text}, tmp_path)
    assert set(stated(found)) == set(expected) if expected else found.differences
    fixed = change(found)
    assert fixed.left == {}
    after = apply(text, fixed.change.steps, tmp_path)
    assert stated(compared("auto", {"spine02.cfg": after}, tmp_path)) == []


PROFILE = "platform trident mmu queue profile OWN\n    ingress headroom bytes 1000\n"
MMU = f"{PROFILE}platform trident mmu queue profile OWN apply\n"


def test_headroom_that_the_intent_leaves_to_the_switch_is_said_without_being_drift(tmp_path: Path) -> None:
    found = compared("auto", {"spine02.cfg": running("auto", "spine02") + MMU}, tmp_path)
    assert stated(found) == []
    ((note, names),) = found.notes.items()
    assert names == ["spine02"]
    assert note.startswith("Ethernet")
    assert "lossless with the headroom set on the switch, 1KB" in note


def test_of_a_profile_that_is_not_applied_nothing_is_said(tmp_path: Path) -> None:
    assert compared("auto", {"spine02.cfg": running("auto", "spine02") + PROFILE}, tmp_path).notes == {}
