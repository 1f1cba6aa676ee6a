"""Statements that are newer than what is known here: named, never refused, and no finding rests on their absence."""

from __future__ import annotations

import copy

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
