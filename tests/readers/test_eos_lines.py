"""Lines that EOS does not take: which are errors, which may be a newer release's, and what is found behind them."""

from __future__ import annotations

import pytest
from eos_sound import DOG, LEAF
from eos_text import HEAD, findings, switch
from loops import loop

from rocecfg.drift.configurations import compare_configurations

_MODES = {
    "global": f"{HEAD}{{}}\n",
    "port": f"{HEAD}interface Ethernet1/1\n   no switchport\n   {{}}\n",
    "profile": f"{HEAD}qos profile P\n   {{}}\n",
    "queue": f"{HEAD}interface Ethernet1/1\n   no switchport\n   tx-queue 3\n      {{}}\n",
    "mmu": f"{HEAD}platform trident mmu queue profile M\n    {{}}\n",
}
_ECN = "random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes"


def _severities(mode: str, line: str) -> set[str | None]:
    text = _MODES[mode].format(line)
    reported = [f for f in findings(text) if f.rule.name in ("device-unknown", "device-value") and f.at is not None]
    return {f.severity for f in reported if f.at is not None and line in text[f.at.start : f.at.end]}


PLAIN = [  # no release that is known takes these
    ("profile", "priority-flow-control priority 3"),
    ("profile", "priority-flow-control priority 3 enable"),
    ("port", "priority-flow-control priority 3 lossless"),
    ("port", "priority-flow-control priority 8 no-drop"),
    ("port", "priority-flow-control priority 3 no-dorp"),
    ("port", "priority-flow-control enable"),
    ("port", "priority-flow-control watchdog"),
    ("port", "prority-flow-control on"),
    ("port", "pfc on"),
    ("global", f"{DOG} action no-drop"),
    ("global", f"{DOG} default timeout 200"),
    ("global", f"{DOG} default timer 200 milliseconds"),
    ("global", f"{DOG} default recovry-time 0.4"),
    ("global", "qos map dscp 26 to tc 3"),
    ("global", "qos map dscp 26 to queue 3"),
    ("global", "qos map dscp 26 traffic-class 3"),
    ("global", "qos map dscp 0 1 2 3 to trafic-class 1"),
    ("global", "qos map dscp 64 to traffic-class 3"),
    ("global", "qos map traffic-class 3 to queue 3"),
    ("profile", "qos trust pcp"),
    ("profile", "qos trust dscp-pcp"),
    ("queue", "priority round-robin"),
    ("queue", "priority 3"),
    ("queue", "bandwidth 60"),
    ("queue", "bandwidth weight 60"),
    ("queue", "bandwidth remaining percent 60"),
    ("queue", "bandwidth percent 160"),
    ("queue", "bandwith percent 60"),
    ("queue", "shape 50 percent"),
    ("queue", "random-detect ecn minimum-threshold 256 maximum-threshold 512"),
    ("queue", "random-detect ecn minimum-threshold 256KB maximum-threshold 512KB"),
    ("queue", _ECN.replace("minimum", "minimun")),
    ("queue", f"{_ECN} max-mark-probability 101"),
    ("queue", "ecn threshold 256"),
    ("profile", "bandwidth percent 60"),
    ("port", _ECN),
    ("global", "priority-flow-control priority 3 no-drop"),
    ("profile", "uc-tx-queue 8"),
    ("profile", "uc-tx-queue 3 priority strict"),
    ("mmu", "ingress treshold 1/4"),
]
_SPEEDS = {"400": "error", "450g-4": "error", "400000": "warning", "forced 10000": "warning"}


@loop("speed", _SPEEDS)
def test_a_speed_that_is_none_is_an_error_and_one_without_its_unit_a_warning(speed: str) -> None:
    assert _severities("port", f"speed {speed}") == {_SPEEDS[speed]}


@pytest.mark.parametrize("speed", ["auto", "auto 25gfull", "forced 10000full", "100full", "400g-8", "1g", "800g"])
def test_a_speed_as_eos_has_it_is_none_of_these(speed: str) -> None:
    assert _severities("port", f"speed {speed}") == set()


NEWER = [  # a release may have them, or had
    ("profile", "priority-flow-control mode on"),
    ("profile", "priority-flow-control buffer profile FADT"),
    ("queue", "random-detect ecn delay threshold 90 percent"),
    ("queue", "random-detect trim threshold 10 kbytes"),
    ("global", "qos sample rate 5"),
    ("port", "roce enable"),
    ("mmu", "ingress burst 4"),
]


@loop(("mode", "line"), PLAIN)
def test_a_line_that_no_release_takes_is_an_error(mode: str, line: str) -> None:
    assert _severities(mode, line) == {"error"}


@loop(("mode", "line"), NEWER)
def test_a_line_that_some_release_may_take_is_a_warning(mode: str, line: str) -> None:
    assert _severities(mode, line) == {"warning"}


@pytest.mark.parametrize(
    ("mode", "line"),
    [
        ("port", "uc-tx-queue 3x"),
        ("port", "uc-tx-queue ³"),
        ("profile", "mc-tx-queue 3.5"),
        ("global", "qos map traffic-class 3x to uc-tx-queue 3"),
        ("global", "qos map traffic-class 3 to mc-tx-queue 3-"),
    ],
)
def test_a_queue_that_is_no_number_makes_no_slip_of_the_word_before_it(mode: str, line: str) -> None:
    """`uc-tx-queue` and `mc-tx-queue` are both commands: neither is the other misspelt, and again."""
    messages = [found.message for found in findings(_MODES[mode].format(line)) if found.rule.name == "device-unknown"]
    assert any(f"`{line}` is not a" in message for message in messages)
    assert not any("misspelt" in message for message in messages)


@pytest.mark.parametrize("number", ["³", "9" * 5000])
@pytest.mark.parametrize(
    "lines",
    [
        "interface Ethernet1/1\n   uc-tx-queue {}\n      bandwidth percnt 3\n      bandwidth percent 3\n",
        "class-map type quality-of-service match-any C\n   match dscp {}\n",
        "ip access-list A\n   10 permit udp any any eq {}\nclass-map match-any C\n   match ip access-group A\n",
    ],
)
def test_what_is_no_number_ends_in_a_finding_at_most(number: str, lines: str) -> None:
    policy = "policy-map type quality-of-service P\n   class C\n      set traffic-class 3\n"
    bound = "interface Ethernet1/1\n   service-policy type qos input P\n"
    findings(f"{HEAD}{lines.format(number)}{policy}{bound}")


def test_a_slip_in_a_line_of_another_mode_is_corrected_once() -> None:
    assert _severities("port", "qos mapp traffic-class 0 to mc-tx-queue 0") == {"error"}


def test_what_other_features_say_of_qos_is_theirs() -> None:
    text = LEAF.replace("router bgp", "management api http-commands\n   qos dscp 40\n   no shutdown\n!\nrouter bgp")
    assert findings(text) == []


# -- a line that is refused leaves the mode as it is -------------------------------------------------------------------

REFUSED = (
    "dcbx enable", "qos banana", "qos map dscp 26 to tc 3", "priority-flow-control priority 8 no-drop",
    "flowcontrol rx on", "service-profle X", "uc-tx-queue", "uc-tx-queue 9", "tx-queue three",
    "tx-queue 3 priority strict", "mtu 99999", "pfc on", "random-detect banana",
    "bandwidth banana", "roce enable", "congestion-control on", "ecn on",
    "service-policy type queuing output X",
)  # fmt: skip
_WRONG = (
    ("max-mark-probability 5 ", "max-mark-probability 500 "),
    ("bandwidth percent 60", "bandwidth percent 600"),
    ("priority 3 no-drop", "priority 9 no-drop"),
)
_TEXT = LEAF.partition("interface Ethernet3/1")[0]


def _with(refused: str, before: int, *, indented: bool, old: str, new: str) -> str | None:
    """The text with a refused line before that line of its first profile, and a wrong value behind it."""
    text = _TEXT.replace(old, new, 1)
    lines = text.split("\n")
    at = lines.index("qos profile HOST") + before
    if not any(new in line for line in lines[at:]) or not lines[at].strip():
        return None
    lines.insert(at, " " * ((len(lines[at]) - len(lines[at].lstrip())) * indented) + refused)
    return "\n".join(lines)


@pytest.mark.parametrize("refused", REFUSED)
def test_an_error_behind_a_refused_line_is_found(refused: str) -> None:
    tried = 0
    for old, new in _WRONG:
        for before in range(1, 14):
            for indented in (True, False):
                text = _with(refused, before, indented=indented, old=old, new=new)
                if text is None or text.index(new) < text.index(refused):
                    continue
                tried += 1
                problems = switch(text).problems
                wrong = [p for p in problems if new in text[p.at.start : p.at.end]]
                assert any(p.severity == "error" or p.rule == "device-value" for p in wrong), (refused, before, old)
    assert tried > 20


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("interface Ethernet2/1", "interfce Ethernet2/1"),
        ("interface Ethernet2/1", "interface range Ethernet2/1-3/1"),
        ("interface Ethernet2/1", "interface Ethernet2/1-x"),
        ("qos profile UPLINK", "qos-profile UPLINK"),
        ("qos profile UPLINK", "qos profile UPLINK TWO"),
        ("qos profile UPLINK", "qos profile"),
        ("   uc-tx-queue 6", "   uc-tx-queue 11"),
        ("   uc-tx-queue 6", "   uc-tx-queue six"),
    ],
)
def test_an_error_below_a_mode_that_is_not_entered_is_found(old: str, new: str) -> None:
    at = LEAF.index(old)
    wrong = "      bandwidth percent 600\n" if "queue" in new else "   priority-flow-control priority 9 no-drop\n"
    end = LEAF.index("\n", at) + 1
    text = LEAF[:at] + new + LEAF[at + len(old) : end] + wrong + LEAF[end:]
    reported = {text[f.at.start : f.at.end]: f for f in findings(text) if f.at is not None}
    assert reported[wrong.strip()].severity == "error"
    assert reported[new.strip()].rule.name in ("device-unknown", "device-value", "device-unread")


def test_a_command_of_the_switch_ends_the_interface_before_it() -> None:
    text = LEAF.replace("ip routing\n", "ip routing\ndcbx mode ieee\n")
    (found,) = findings(text)
    assert (found.rule.name, found.severity) == ("device-unknown", "warning")


@pytest.mark.parametrize(
    ("line", "slip"),
    [
        ("priority-flow-control priority 3 no-drop", "priority-flow-control priority 3 no-dorp"),
        ("bandwidth percent 60", "bandwith percent 60"),
        ("no priority\n      bandwidth percent 60", "no priority\n      bandwidth pecent 60"),
        ("to traffic-class 3", "to trafic-class 3"),
        (f"{DOG} default timeout", f"{DOG} default timout"),
    ],
)
def test_what_a_misspelt_line_meant_is_not_told_twice(line: str, slip: str) -> None:
    assert [(f.rule.name, f.severity) for f in findings(LEAF.replace(line, slip, 1))] == [("device-unknown", "error")]


def test_a_line_of_the_switch_behind_another_interface_is_read() -> None:
    """Of a VLAN's or loopback's mode none begins so: EOS takes it in the global mode."""
    for line in (
        "errdisable recovery cause stuck-queue",
        "hardware counter feature ecn out",
        "priority-flow-control pause watchdog action drop",
        "priority-flow-control all off",
        "qos map dscp 26 to traffic-class 3",
    ):
        for interface in ("Vlan10", "Loopback0", "Management1"):
            texts = [f"{line}\n!\ninterface {interface}\n!\n", f"interface {interface}\n!\n{line}\n!\n"]
            port = "interface Ethernet1\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
            one, other = (switch(f"hostname a\n!\n{text}{port}") for text in texts)
            assert compare_configurations(one, other) == (), (line, interface)
            assert one.fates.counts == other.fates.counts, (line, interface)
