"""What is wrong with EOS configurations as people write them, and what is only unusual."""

from __future__ import annotations

import pytest
from eos_text import HEAD, findings, lines_of, rules, switch
from loops import loop

from rocecfg.linting.finding import Finding

TH5 = "! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.1F)\n"
JERICHO = "! device: spine01 (DCS-7280CR3-32P4, EOS-4.31.2F)\n"
DOG = "priority-flow-control pause watchdog"
# A leaf with which nothing is wrong.
GOOD = f"""{TH5}hostname leaf01
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 1
      no priority
      bandwidth percent 40
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      bandwidth guaranteed 100
      random-detect ecn minimum-threshold 800 kbytes maximum-threshold 2400 kbytes max-mark-probability 5 weight 0
      random-detect ecn count
!
interface Ethernet1/1
   mtu 9214
   speed 400g-8
   no switchport
   service-profile ROCE
!
interface Ethernet2/1
   mtu 9214
   speed 400g-8
   no switchport
   service-profile ROCE
!
qos map dscp 24 25 27 28 29 30 31 to traffic-class 1
qos map dscp 26 to traffic-class 3
{DOG} default timeout 0.20
{DOG} default recovery-time 0.40
{DOG} default polling-interval 0.10
{DOG} action drop
"""


def edited(old: str, new: str, text: str = GOOD) -> str:
    assert old in text
    return text.replace(old, new, 1)


def of(text: str, rule: str) -> Finding:
    """The one finding of a rule."""
    (found,) = [f for f in findings(text) if f.rule.name == rule]
    return found


def test_nothing_is_wrong_with_a_good_leaf() -> None:
    assert findings(GOOD) == []


# -- lines that EOS does not have --------------------------------------------------------------------------------------

FOREIGN = [  # the mode, a line as people write it, and what EOS says instead
    ("port", "priority-flow-control mode on", "priority-flow-control on"),
    ("port", "priority-flow-control priority 3", "priority-flow-control priority N no-drop"),
    ("port", "priority-flow-control priority 3 enable", "priority-flow-control priority N no-drop"),
    ("port", "priority-flow-control watchdog", f"{DOG}"),
    ("port", "priority-flow-control watch-dog-interval on", f"{DOG}"),
    ("port", f"{DOG} port action forward", f"{DOG} action drop"),
    ("port", "flowcontrol rx on", "flowcontrol receive off"),
    ("port", "qos trust pcp", "qos trust dscp"),
    ("port", "service-policy type tx-queue output X", ""),
    ("port", "dcbx pfc 3", "dcbx mode ieee"),
    ("port", "pfc priority 3", "priority-flow-control on"),
    ("queue", "random-detect ecn minimum-threshold 150 maximum-threshold 1500", "minimum-threshold N kbytes"),
    ("queue", "random-detect ecn minimum-threshold 150KB maximum-threshold 1500KB", "minimum-threshold N kbytes"),
    ("queue", "random-detect ecn minimum-threshold 150 maximum-threshold 1500 units kbytes", "threshold N kbytes"),
    ("queue", "random-detect minimum-threshold 150 kbytes", "random-detect ecn minimum-threshold N kbytes"),
    ("queue", "ecn threshold 150", "random-detect ecn minimum-threshold N kbytes"),
    ("queue", "bandwidth priority 5", "priority strict"),
    ("queue", "bandwidth remaining percent 5", "bandwidth percent N"),
    ("queue", "bandwith percent 5", "bandwidth percent N"),
    ("global", f"{DOG} action no-drop", f"{DOG} action drop"),
    ("global", f"{DOG} default timer 200 milliseconds", f"{DOG} default timeout 0.20"),
    ("global", "pfc watchdog timeout 200", f"{DOG}"),
    ("global", "qos map dscp 0 1 2 3 4 5 6 7", "qos map dscp N to traffic-class N"),
    ("global", "qos map dscp 26 to queue 3", "qos map dscp N to traffic-class N"),
    ("global", "qos map dscp 26 traffic-class 3", "qos map dscp N to traffic-class N"),
    ("global", "policy-map type queuing X", ""),
    ("global", "class-map type network-qos X", ""),
    ("global", "dcbx enable", "dcbx mode ieee"),
    ("port", "servce-profile ROCE", "service-profile"),
    ("port", "priorty-flow-control on", "priority-flow-control"),
    ("profile", "service-profile OTHER", "an interface"),
    ("profile", "flowcontrol send on", "an interface"),
]
_MODES = {
    "global": f"{HEAD}{{}}\n",
    "port": f"{HEAD}interface Ethernet1/1\n   no switchport\n   {{}}\n",
    "profile": f"{HEAD}qos profile P\n   {{}}\n",
    "queue": f"{HEAD}interface Ethernet1/1\n   no switchport\n   tx-queue 3\n      {{}}\n",
}


@loop(("mode", "line", "fix"), FOREIGN)
def test_foreign_lines_come_with_what_eos_says(mode: str, line: str, fix: str) -> None:
    text = _MODES[mode].format(line)
    (found,) = [p for p in switch(text).problems if p.rule == "device-unknown"]
    assert text[found.at.start : found.at.end] == line
    assert fix in found.help
    assert line[:60] in found.message


def test_what_a_foreign_line_meant_is_not_told_twice() -> None:
    reported = rules(edited("800 kbytes maximum-threshold 2400 kbytes", "800 maximum-threshold 2400"))
    assert "device-unknown" in reported
    assert "ecn-missing" not in reported
    reported = rules(edited("   priority-flow-control on", "   priority-flow-control mode on"))
    assert reported == {"device-unknown"}


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("timeout 0.20", "timeout 200", "200 ms is 0.20"),
        ("recovery-time 0.40", "recovery-time 0.401", "seconds"),
        ("polling-interval 0.10", "polling-interval 0.001", "seconds"),
        ("bandwidth percent 60", "bandwidth percent 160", ""),
        ("max-mark-probability 5", "max-mark-probability 0", ""),
        ("weight 0", "weight 16", ""),
        ("priority 3 no-drop", "priority 8 no-drop", ""),
        ("uc-tx-queue 3", "uc-tx-queue 8", ""),
        ("qos map dscp 26", "qos map dscp 64", ""),
        ("traffic-class 3", "traffic-class 8", ""),
    ],
)
def test_values_that_eos_refuses(old: str, new: str, word: str) -> None:
    text = edited(old, new)
    found = of(text, "device-value")
    assert found.severity == "error"
    assert found.at is not None
    assert new in text[found.at.start : found.at.end]
    assert word in found.help
    assert "eos-watchdog-timeout" not in rules(text)


def test_a_polling_interval_of_40_seconds_is_left_alone() -> None:
    assert "device-value" not in rules(edited("polling-interval 0.10", "polling-interval 40"))  # 30 or 60 is the most


# -- what the chip does not take ---------------------------------------------------------------------------------------


def test_queues_and_units_of_the_other_family() -> None:
    on_jericho = edited(TH5, JERICHO)
    segments = edited(
        "800 kbytes maximum-threshold 2400 kbytes", "8 segments maximum-threshold 24 segments", on_jericho
    )
    reported = [p.message for p in switch(segments).problems if p.rule == "device-unknown"]
    assert len(reported) == 2
    assert "uc-tx-queue" in reported[0]
    assert "segments" in reported[1]
    timed = edited("800 kbytes maximum-threshold 2400 kbytes", "2 microseconds maximum-threshold 9 microseconds")
    assert [p.severity for p in switch(timed).problems] == ["info"]


def test_a_text_that_does_not_name_its_switch_may_be_of_any_family() -> None:
    text = edited(TH5, "").replace("800 kbytes", "800 segments").replace("2400 kbytes", "2400 segments")
    assert "device-unknown" not in rules(text)


def test_queue_7_of_jericho() -> None:
    text = (
        f"{JERICHO}{HEAD}qos profile P\n   tx-queue 7\n      no priority\ninterface Ethernet1/1\n   service-profile P\n"
    )
    assert "4.33.0F" in of(text, "device-unknown").message
    assert "device-unknown" not in rules(text.replace("4.31.2F", "4.33.0F"))
    assert "device-unknown" not in rules(text.replace("no priority", "priority strict"))


# -- rules of the catalogue on EOS -------------------------------------------------------------------------------------

_PRIORITY = "   priority-flow-control priority 3 no-drop\n"
_MAP = "qos map dscp 26 to traffic-class 3\n"
_COUNT = "      random-detect ecn count\n"
_DROP = "      random-detect drop minimum-threshold 1 mbytes maximum-threshold 2 mbytes drop-probability 9\n"
CATALOGUE = [  # a line of the good leaf, what takes its place, and the rule that tells
    ("polling-interval 0.10", "polling-interval 0.15", "watchdog-poll-eos"),
    ("polling-interval 0.10", "polling-interval 0.30", "watchdog-poll"),
    ("polling-interval 0.10", "polling-interval 0.06", "watchdog-multiple"),
    (f"{DOG} default polling-interval 0.10\n", f"{DOG} default timeout 0.05\n", "watchdog-fast"),
    ("timeout 0.20", "timeout 20", "watchdog-slow"),
    ("timeout 0.20", "timeout 1", "watchdog-restore"),
    ("action drop", "action errdisable", "eos-watchdog-errdisable"),
    (f"{DOG} default timeout 0.20\n", "", "eos-watchdog-timeout"),
    ("      bandwidth guaranteed 100\n", "", "watchdog-guarantee-eos"),
    (_PRIORITY, f"{_PRIORITY}   no {DOG}\n", "watchdog-missing"),
    (_PRIORITY, "", "eos-pfc-half"),
    (f"{DOG} action drop", "priority-flow-control all off", "eos-pfc-half"),
    (_PRIORITY, "".join(_PRIORITY.replace("3", str(n)) for n in range(8)), "pfc-all"),
    (_PRIORITY, _PRIORITY + _PRIORITY.replace("3", "6"), "pfc-control-prio"),
    ("   mtu 9214", "   flowcontrol receive on\n   mtu 9214", "pfc-global-pause"),
    ("dscp 26 to traffic-class 3", "dscp 0 26 to traffic-class 3", "pfc-prio0"),
    ("   no switchport\n", "   switchport access vlan 20\n   qos trust cos\n", "pfc-vlan-l3"),
    ("   qos trust dscp", "   qos trust cos", "mix-trust"),
    (_MAP, f"{_MAP}qos map traffic-class 3 to uc-tx-queue 4\n", "mix-tc-chain"),
    (_MAP, f"{_MAP}qos map traffic-class 3 to dscp 26\n", "eos-map-direction"),
    (_MAP, f"{_MAP}qos rewrite dscp\nqos map traffic-class 3 to dscp 24\n", "mix-remark"),
    ("qos map dscp 24 25 27 28 29 30 31 to traffic-class 1\n", "", "eos-default-map"),
    ("minimum-threshold 800 kbytes", "minimum-threshold 3800 kbytes", "ecn-order"),
    ("maximum-threshold 2400", "maximum-threshold 800", "ecn-step"),
    ("weight 0", "weight 9", "ecn-weight"),
    (_COUNT, "      no random-detect ecn\n", "ecn-missing"),
    (_COUNT, "", "eos-ecn-count"),
    (_COUNT, _DROP, "ecn-red-drop"),
    ("bandwidth percent 40", "bandwidth percent 70", "ets-sum"),
    ("      no priority\n      bandwidth percent 60", "      priority strict", "ets-rdma-strict"),
    ("      bandwidth guaranteed 100\n", "      shape rate 50 percent\n", "ets-shaper"),
    ("service-profile ROCE", "service-profile ROSE", "device-ref"),
    ("qos profile ROCE", "qos profile SPARE\n   qos trust dscp\n!\nqos profile ROCE", "device-unbound"),
    ("interface Ethernet2/1", "interface Ethernet2/1\n   qos trust cos", "device-conflict"),
]


@loop(("old", "new", "rule"), CATALOGUE)
def test_one_slip_is_told_by_its_rule(old: str, new: str, rule: str) -> None:
    assert rule in rules(edited(old, new))


def test_pfc_that_is_off_on_all_ports_is_an_error_where_classes_are_lossless() -> None:
    """A half that is lacking stays a warning, and PFC that is off where nothing is no-drop is none."""
    for old, new, severities in (
        (f"{DOG} action drop", "priority-flow-control all off", ["error"]),
        (_PRIORITY, "", ["warning"]),
        (_PRIORITY, "priority-flow-control all off\n", []),
    ):
        assert [f.severity for f in findings(edited(old, new)) if f.rule.name == "eos-pfc-half"] == severities, new


@loop(("old", "new", "rule"), [case for case in CATALOGUE if not case[2].startswith("device")])
def test_fixes_are_in_the_words_of_eos(old: str, new: str, rule: str) -> None:
    (found, *_) = [f for f in findings(edited(old, new)) if f.rule.name == rule]
    assert found.help
    for word in ("lossless:", "ecn:", "pfc:", "classification", "detection_time:"):
        assert word not in found.help


def test_a_slip_of_many_ports_is_told_once() -> None:
    ports = "".join(f"interface Ethernet{n}/1\n   no switchport\n   service-profile NOWHERE\n" for n in range(3, 40))
    assert len(lines_of(GOOD + ports, "device-ref")) == 1


def test_a_marking_curve_with_two_units() -> None:
    text = edited("maximum-threshold 2400 kbytes", "maximum-threshold 2 mbytes")
    assert rules(text) == {"eos-unit"}


def test_findings_quote_no_secret() -> None:
    text = (
        GOOD + "username admin secret sha512 $6$abc\nradius-server key 7 02050D480809\nsnmp-server community hidden\n"
    )
    wording = " ".join(f.message + f.help for f in findings(text))
    for word in ("$6$abc", "02050D480809", "hidden"):
        assert word not in wording
