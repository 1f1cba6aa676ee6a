"""What a change disturbs is said once: the head of a rendered file, drift and plan give the same answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from checkout import ROOT
from intents import rocecfg

from rocecfg.vendors.arista.disturbs import NOT_DOCUMENTED, mark_of
from rocecfg.vendors.changes import HITLESS, PORT_FLAP

AUTO = ROOT / "examples" / "auto"


@pytest.mark.parametrize(
    "line",
    ["qos map dscp 26 to traffic-class 3", "no priority", "bandwidth percent 10", "service-profile ROCE", "mtu 9000"],
)
def test_queues_maps_and_buffers_of_eos_are_not_called_hitless(line: str) -> None:
    assert mark_of(line) == PORT_FLAP


@pytest.mark.parametrize(
    "line",
    [
        "priority-flow-control pause watchdog default timeout 0.40",
        "random-detect ecn count",
        "hardware counter feature ecn out",
    ],
)
def test_counters_and_the_watchdogs_times_are(line: str) -> None:
    assert mark_of(line) == HITLESS


def test_head_drift_and_plan_of_eos_agree(tmp_path: Path) -> None:
    """A change of scheduling alone: drain first, everywhere."""
    rendered = rocecfg(tmp_path, "render", AUTO, "--vendor", "arista", "--device", "spine02", expect=0).stdout
    assert NOT_DOCUMENTED in rendered
    text = rendered.replace("bandwidth percent 10\n", "bandwidth percent 40\n").replace("percent 90", "percent 60")
    (tmp_path / "spine02.cfg").write_text(
        f"! Command: show running-config\nhostname spine02\n!\n{text}", encoding="utf-8"
    )
    drift = rocecfg(tmp_path, "drift", AUTO, "--running", "spine02.cfg", expect=1).stdout
    plan = rocecfg(tmp_path, "plan", AUTO, "--running", "spine02.cfg", "--no-lint", expect=0).stdout
    for stated in (drift, plan):
        assert "bandwidth percent 10" in stated
        assert NOT_DOCUMENTED in stated
        assert "hitless" not in stated
    assert "quiesce" in plan
