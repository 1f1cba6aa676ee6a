"""One mistake in a sound EOS configuration is found; what the text cannot show is listed, and sound ones stay clean."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from eos_faults import BASES, FAULTS, Fault
from eos_sound import SPINE
from eos_text import findings
from loops import loop

_KNOWABLE = [fault for fault in FAULTS if not fault.rules.startswith("-")]
_HIDDEN = [fault for fault in FAULTS if fault.rules.startswith("-")]


@cache
def _reported(base: str) -> frozenset[tuple[str, str]]:
    return frozenset((found.rule.name, found.message) for found in findings(BASES[base]))


def _new(fault: Fault) -> set[str]:
    """The rules that find something more than in the sound configuration."""
    return {f.rule.name for f in findings(fault.text) if (f.rule.name, f.message) not in _reported(fault.base)}


@loop("fault", _KNOWABLE, lambda fault: fault.name)
def test_one_fault_is_found(fault: Fault) -> None:
    assert _new(fault).intersection(fault.rules.split())


@loop("fault", _HIDDEN, lambda fault: fault.name)
def test_nothing_is_claimed_where_the_text_cannot_show_it(fault: Fault) -> None:
    assert _new(fault) == set()


def test_there_are_enough_of_them() -> None:
    assert len(_KNOWABLE) > 150
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert len(_HIDDEN) < len(FAULTS) / 20


# -- sound configurations ----------------------------------------------------------------------------------------------

# What is found in each: only what an engineer would look at.
SOUND = {
    "leaf": set(),
    "spine": set(),
    "mixed": set(),
    "sorted": set(),
    "down": set(),
    "low": set(),
    "plain": set(),
    "old": set(),
    "guide": {("info", "eos-default-map")},  # DSCP 25 to 31 follow 24 into the lossless class
}
# The spine of Arista's guide: thresholds for virtual output queues that are a leaf's.
_GUIDE_SPINE = SPINE.replace("percent 40", "percent 5").replace("percent 60", "percent 95").replace(
    "minimum-threshold 800 kbytes maximum-threshold 2400 kbytes max-mark-probability 5 weight 0",
    "minimum-threshold 512 kbytes maximum-threshold 768 kbytes max-mark-probability 100",
)  # fmt: skip


def _levels(text: str) -> set[tuple[str, str]]:
    return {(found.severity, found.rule.name) for found in findings(text)}


@pytest.mark.parametrize("name", BASES)
def test_a_sound_configuration_stays_clean(name: str) -> None:
    assert _levels(BASES[name]) == SOUND[name]


def test_the_guides_spine_has_one_info() -> None:
    assert _levels(_GUIDE_SPINE) == {("info", "ecn-deep")}


# The Tomahawk leaf as AVD 6.4.0 prints it, names aside.
AVD_LEAF = """! device: leaf1 (DCS-7060X6-64PE, EOS-4.35.0F)
!
hostname leaf1
!
hardware counter feature ecn out
platform trident mmu queue profile ROCE-MMU
    ingress threshold 1/4
    ingress headroom cells 250
    ingress priority-group 3 threshold 1/8
    egress unicast queue 3 reserved bytes 2000
    egress unicast queue 3 threshold 8
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   priority-flow-control pause watchdog
   !
   uc-tx-queue 1
      no priority
      bandwidth percent 5
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 95
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 100 weight 0
      random-detect ecn count
   !
   uc-tx-queue 6
      priority strict
interface Ethernet1/1
   mtu 9214
   flowcontrol receive off
   no switchport
   service-profile ROCE
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
qos map traffic-class 3 to uc-tx-queue 3
qos map traffic-class 6 to uc-tx-queue 6
priority-flow-control pause watchdog default timeout 0.20
priority-flow-control pause watchdog default recovery-time 0.40
priority-flow-control pause watchdog default polling-interval 0.10
priority-flow-control pause watchdog action drop
platform trident mmu queue profile ROCE-MMU apply
platform trident mmu headroom-pool limit cells 9600
"""


def test_what_avd_prints_has_one_warning_that_arista_itself_gives() -> None:
    found = _levels(AVD_LEAF)
    assert {name for severity, name in found if severity != "info"} == {"watchdog-guarantee-eos"}
    assert {name for severity, name in found if severity == "info"} == {"device-unread", "eos-default-map"}


SAMPLES = {  # rules that find an error or a warning
    "real-7260cx-4.19.1F-run-all.cfg": {},
    "avd-platform-mmu.cfg": {},
    "avd-5stage-spine-dangling-profile.cfg": {"device-ref": "error"},  # a profile that is nowhere defined
    # every key of AVD at once: shares of strict queues, lines over profiles, and a line that EOS refuses
    "avd-qos.cfg": {"device-conflict": "warning", "device-unknown": "error"},
}


@pytest.mark.parametrize("name", SAMPLES)
def test_public_configurations_have_no_error_but_what_eos_refuses(name: str, shared: Path) -> None:
    text = (shared / "samples/eos" / name).read_text()
    assert {f.rule.name: f.severity for f in findings(text) if f.severity != "info"} == SAMPLES[name]
