"""The rules that a difference breaks: those that what runs breaks and what is meant does not, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import test_drift_arista as arista
import test_drift_sonic as sonic
from drift_cases import compared, running, set_lines

from rocecfg.drift.changes import fix_devices
from rocecfg.drift.impact import add_broken_rules
from rocecfg.drift.run import Drift
from rocecfg.model.catalogue import CATALOGUE
from rocecfg.rules import ALL


def broken(found: Drift) -> dict[str, set[str]]:
    """By topic, the names of the rules."""
    reported, failed = add_broken_rules(found, fix_devices(found))
    assert failed == []
    out: dict[str, set[str]] = {}
    for difference in reported.differences:
        out.setdefault(difference.topic, set()).update(rule.name for rule in difference.breaks)
    return out


@pytest.mark.parametrize(
    ("how", "topic", "rules"),
    [
        (sonic.no_watchdog, "watchdog", {"watchdog-missing"}),
        (sonic.slow_watchdog, "watchdog", {"watchdog-slow"}),
        (sonic.alerting, "watchdog", {"watchdog-action-hw"}),
        (sonic.not_watched, "watchdog", {"watchdog-priorities"}),
        (sonic.no_curve, "ecn", {"ecn-missing"}),
        (sonic.stock_curve, "ecn", {"ecn-vendor-default"}),
        (sonic.strict_rdma, "shares", {"ets-rdma-strict"}),
        (sonic.other_group, "dscp", {"mix-pg-shared"}),
        (sonic.short_cable, "cable", set()),
        (sonic.blind, "watchdog_blind", {"watchdog-counter-poll"}),
        (sonic.big_red_switch, "watchdog_forced", {"watchdog-big-red"}),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_sonic(tmp_path: Path, how: Callable[[sonic.Config], None], topic: str, rules: set[str]) -> None:
    found = broken(compared("auto", {"leaf01.json": sonic.changed(how)}, tmp_path))
    assert rules <= found[topic]


def test_each_of_two_differences_has_the_rules_on_its_own_setting(tmp_path: Path) -> None:
    """A switch without cable lengths makes no headroom: that is of the cable, not of the watchdog."""

    def both(config: sonic.Config) -> None:
        del config["CABLE_LENGTH"]
        sonic.slow_watchdog(config)

    found = broken(compared("auto", {"leaf01.json": sonic.changed(both)}, tmp_path))
    assert "buffer-cable-bucket" in found["cable"]
    assert "buffer-cable-bucket" not in found["watchdog"]
    assert "watchdog-slow" in found["watchdog"]
    assert "watchdog-slow" not in found["cable"]


def test_rules_that_are_broken_anyway_are_not_told(tmp_path: Path) -> None:
    """A file of a switch breaks other rules besides; only what comes of the drift is told."""
    text = sonic.changed(sonic.alerting)
    found = broken(compared("auto", {"leaf01.json": text}, tmp_path))
    assert found == {"watchdog": {"watchdog-action-hw"}}


def test_eos_polling_that_the_switch_replaces(tmp_path: Path) -> None:
    dog = "priority-flow-control pause watchdog default"
    text = running("auto", "spine02") + f"{dog} timeout 0.20\n{dog} recovery-time 0.40\n{dog} polling-interval 0.20\n"
    found = broken(compared("auto", {"spine02.cfg": text}, tmp_path))
    assert "watchdog-poll-eos" in found["watchdog"]


def test_no_rule_is_told_of_a_port_that_is_down(tmp_path: Path) -> None:
    text = running("auto", "spine02") + f"{arista.E1}\nshutdown\nno priority-flow-control pause watchdog\n"
    found = compared("auto", {"spine02.cfg": text}, tmp_path)
    assert [d.down for d in found.differences] == [True]
    assert broken(found) == {"watchdog": set()}


COS = "set class-of-service"


@pytest.mark.parametrize(
    ("old", "new", "topic", "rules"),
    [
        (r" pfc-priority 3", "", "pfc", {"junos-pfc-number"}),
        (r"flow-control-queue 3", "flow-control-queue 2", "stops", {"junos-pause-queue"}),
        (r"(ROCE-PFC pfc-watchdog watchdog-action) drop", r"\1 forward", "watchdog", {"junos-watchdog-action"}),
        (rf"{COS} schedulers CNP-SCHED shaping-rate .*\n", "", "max_rate", {"junos-strict-unbounded"}),
        (
            rf"{COS} schedulers RDMA-SCHED drop-profile-map .*\n",
            "",
            "ecn",
            {"junos-ecn-no-profile"},
        ),
    ],
)
def test_junos(old: str, new: str, topic: str, rules: set[str], tmp_path: Path) -> None:
    """Beside another difference, which breaks none of them."""
    text = set_lines("rail-512", "rail0-leaf1")
    changed = re.sub(r"cable-length \d+", "cable-length 7", re.sub(old, new, text))
    assert re.sub(old, new, text) != text
    found = broken(compared("rail-512", {"rail0-leaf1.conf": changed}, tmp_path))
    assert rules <= found[topic]
    assert not rules & found["cable"]


def test_every_rule_named_exists() -> None:
    names = [rule.name for rule in ALL]
    unknown = [
        beginning
        for row in CATALOGUE
        for beginning in row.rules
        if not any(name.startswith(beginning) for name in names)
    ]
    assert unknown == []
