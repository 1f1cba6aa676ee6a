"""Statements that are newer than what is known here: named, never refused, and no finding rests on their absence."""

from __future__ import annotations

import copy
import json

import eos_sound
import nvue_sound
from loops import loop
from one_switch import findings_of, loaded_as
from sonic_clean import clean
from sonic_text import findings

MAPS = ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "TC_TO_PRIORITY_GROUP_MAP", "MAP_PFC_PRIORITY_TO_QUEUE", "CABLE_LENGTH")
NEWER = "sampling_knob"
SCHEDULER = "drop-profile-map loss-priority any protocol any drop-profile p; explicit-congestion-notification;"
JUNOS = """
version 25.4R1-EVO;
system { host-name leaf1; }
class-of-service {
    classifiers {
        dscp D {
            forwarding-class NO-LOSS { loss-priority low code-points 011010; }
            forwarding-class CNP { loss-priority low code-points 110000; }
        }
    }
    forwarding-classes { class NO-LOSS queue-num 4 no-loss pfc-priority 3; class CNP queue-num 3; }
    congestion-notification-profile {
        cnp {
            pfc-watchdog;
            input { dscp { code-point 011010 { pfc; } } }
            output { ieee-802.1 { code-point 011 { flow-control-queue 4; } } }
        }
    }
    drop-profiles { p { interpolate { fill-level [ 10 50 ]; drop-probability [ 0 100 ]; } } }
    scheduler-maps { sm { forwarding-class NO-LOSS scheduler s1; forwarding-class CNP scheduler s2; } }
    schedulers { s1 { SCHEDULER } s2 { priority strict-high; shaping-rate percent 5; } }
    interfaces {
        et-0/0/0 { congestion-notification-profile cnp; scheduler-map sm; unit 0 { classifiers { dscp D; } } }
    }
}
interfaces { et-0/0/0 { mtu 9216; unit 0 { family inet { address 192.0.2.1/31; } } } }
"""


@loop("table", [table for table in clean() if table not in (*MAPS, "DEVICE_METADATA", "PORT")])
def test_a_field_that_a_later_sonic_has(table: str) -> None:
    """Of a release that is known, orchagent's refusal of the row is a fact; of a later one nobody knows."""
    config = copy.deepcopy(clean())
    for row in config[table].values():
        row[NEWER] = "7"
    told = findings(config, "203005")
    told = [f for f in told if f.rule.name != "nos-release-unknown"]  # of the release itself
    assert {(f.rule.name, f.severity) for f in told} == {("device-unknown", "warning")}, table
    assert all(NEWER in f.message for f in told)
    known = [f for f in findings(config, "202605") if NEWER in f.message]
    assert "YANG refuses" in known[0].message or "orchagent refuses" in known[0].message
    assert known[0].severity == ("error" if table in ("PFC_WD", "WRED_PROFILE", "SCHEDULER") else "warning")
    unstated = [f for f in findings(config) if NEWER in f.message]
    assert {f.severity for f in unstated} == {"warning"}


def _known_or(vendor: str, release: str) -> str:
    """A sound text of a switch with a release."""
    if vendor == "sonic":
        version = {"VERSIONS": {"DATABASE": {"VERSION": f"version_{release}_01"}}} if release else {}
        return json.dumps({**clean(), **version}, indent=1)
    text, known = {
        "arista": (eos_sound.LEAF, "4.33.2F"),
        "spectrum": (nvue_sound.LEAF, "5.14.0"),
        "junos": (JUNOS.replace("SCHEDULER", SCHEDULER), "25.4R1-EVO"),
    }[vendor]
    assert text.count(known) == 1
    return text.replace(known, release)


RELEASES = {
    "sonic": ("202605", "203005"),
    "arista": ("4.33.2F", "4.50.1F"),
    "spectrum": ("5.14.0", "5.30.0"),
    "junos": ("24.4R1-EVO", "31.2R1-EVO"),
}


@loop(
    ("vendor", "before", "after"),
    [
        ("sonic", '"type": "DWRR"', '"type": "of-tomorrow"'),
        ("sonic", '"weight": "40"', '"weight": "140"'),
        ("sonic", '"action": "drop"', '"action": "of-tomorrow"'),
        ("sonic", '"fec": "rs"', '"fec": "of-tomorrow"'),
        ("arista", "qos trust dscp", "qos trust pcp"),
        ("arista", "qos trust dscp", "qos trust dscp cos"),
        ("arista", "priority strict", "priority low"),
        ("arista", "weight 0", "weight 99"),
        ("arista", "uc-tx-queue 6", "uc-tx-queue 11"),
        ("spectrum", "mode: lossless", "mode: of-tomorrow"),
        ("spectrum", "robustness: 2", "robustness: 2000"),
        ("spectrum", "speed: 400G", "speed: 3200G"),
        ("junos", "queue-num 3", "queue-num 13"),
        ("junos", "percent 5", "percent 140"),
    ],
)
def test_a_value_or_form_that_no_known_release_takes(vendor: str, before: str, after: str) -> None:
    """It is an error of the releases that are known; of a later one it is named, with what it is judged by."""
    known, later = RELEASES[vendor]
    for release, severity in ((known, "error"), (later, "warning")):
        text = _known_or(vendor, release)
        assert before in text
        sound = {f.message for f in findings_of(loaded_as(vendor, "leaf.txt", text)[0])}
        found = findings_of(loaded_as(vendor, "leaf.txt", text.replace(before, after, 1))[0])
        told = [f for f in found if f.message not in sound and f.rule.name in ("device-value", "device-unknown")]
        assert {f.severity for f in told} == {severity}, (release, told)
        assert all(("the newest release that rocecfg knows)" in f.message) is (release == later) for f in told)


@loop(
    ("scheduler", "rules"),
    [
        (SCHEDULER, set()),
        # Juniper: since Junos OS Evolved 25.2X100-D20, by queuing delay and without a drop profile
        ("latency-ecn { threshold 20000; } explicit-congestion-notification;", {"device-unknown"}),
        ("congestion-of-tomorrow 20000; explicit-congestion-notification;", {"device-unknown"}),
        ("ecn-of-tomorrow 20000;", {"device-unknown"}),
        ("paint blue; explicit-congestion-notification;", {"device-unknown"}),
        # near misses: nothing marks, whatever else is new
        ("explicit-congestion-notification;", {"ecn-missing", "junos-ecn-no-profile"}),
        ("paint blue;", {"device-unknown", "ecn-missing"}),
    ],
)
def test_junos_marks_by_something_newer_than_a_drop_profile(scheduler: str, rules: set[str]) -> None:
    loaded, _ = loaded_as("junos", "leaf1.conf", JUNOS.replace("SCHEDULER", scheduler))
    assert {f.rule.name for f in findings_of(loaded) if f.severity != "info"} == rules
