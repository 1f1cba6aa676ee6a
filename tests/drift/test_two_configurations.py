"""Two configurations of one switch: whatever differs is told, and nothing that does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from drift_cases import compared, running

from rocecfg.drift.configurations import compare_configurations
from rocecfg.model.switch import Switch
from rocecfg.source.document import Sources
from rocecfg.vendors import part

EOS, NVUE = running("auto", "spine02"), running("auto", "spine01")
VENDORS = {EOS: "arista", NVUE: "spectrum"}


def read(text: str, vendor: str) -> Switch:
    (switch,) = part(vendor, "reader").read(Sources().add("switch", text))
    return switch


def differences(text: str, old: str, new: str) -> set[tuple[str, str]]:
    """Setting and part of what differs once a piece of a text is another one."""
    assert old in text
    one, other = (read(each, VENDORS[text]) for each in (text, text.replace(old, new, 1)))
    return {(gap.what.topic, gap.what.part) for apart in compare_configurations(one, other) for gap in apart.gaps}


@pytest.mark.parametrize("text", [EOS, NVUE], ids=["eos", "nvue"])
def test_the_same_is_the_same(text: str) -> None:
    assert compare_configurations(read(text, VENDORS[text]), read(text, VENDORS[text])) == ()


@pytest.mark.parametrize(
    ("old", "new", "setting"),
    [
        ("minimum-threshold 240030 bytes", "minimum-threshold 240031 bytes", ("ecn", "kmin")),  # a cell has 254
        ("   qos trust dscp\n", "   qos trust dscp\n   qos dscp 5\n", ("unmarked", "dscp")),
        ("qos map traffic-class 4 to uc-tx-queue 4\n", "qos map traffic-class 4 to uc-tx-queue 0\n", ("queue_of", "")),
    ],
)
def test_a_difference_of_configurations_and_none_of_what_is_meant(
    old: str, new: str, setting: tuple[str, str], tmp_path: Path
) -> None:
    """Within what the chip can tell apart, of what no intent states, of queues that carry nothing."""
    assert setting in differences(EOS, old, new)
    assert compared("auto", {"spine02.cfg": EOS.replace(old, new, 1)}, tmp_path).differences == []


@pytest.mark.parametrize(
    ("text", "old", "new", "setting"),
    [
        (EOS, "interface Ethernet1/1\n", "interface Ethernet1/1\n   shutdown\n", ("up", "")),
        (NVUE, "trust: l3", "trust: both", ("tc_of_pcp", "")),
    ],
)
def test_what_no_intent_states_is_told(text: str, old: str, new: str, setting: tuple[str, str]) -> None:
    assert setting in differences(text, old, new)


def test_what_has_no_effect_is_told_by_its_text() -> None:
    assert differences(EOS, "hostname spine02\n", "hostname spine02\nqos profile OLD\n   qos trust cos\n!\n") >= {
        ("idle", "OLD: qos trust cos")
    }


@pytest.mark.parametrize(
    "line", ["service-profile NONE", "platform trident mmu queue interface-profile NONE"], ids=["qos", "mmu"]
)
def test_a_name_of_nothing_is_told_by_its_text(line: str) -> None:
    text = EOS.replace("   service-profile ROCE-SWITCH\n", "", 1)
    one, other = (read(each, "arista") for each in (text, text.replace("1/1\n", f"1/1\n   {line}\n", 1)))
    gaps = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
    assert [(gap.what.topic, gap.what.part) for gap in gaps] == [("idle", f"Ethernet1/1: {line}")]


def test_a_turn_below_others_is_told() -> None:
    """EOS may have queues below a round-robin one take turns as well: where nothing is said, it is not known."""
    queue = "   uc-tx-queue 1\n      no priority\n   !\n"
    with_it = EOS.replace("   uc-tx-queue 3\n", f"{queue}   uc-tx-queue 3\n")
    one, other = read(EOS, "arista"), read(with_it, "arista")
    gaps = [gap for apart in compare_configurations(one, other) for gap in apart.gaps]
    assert {(gap.what.topic, gap.what.number) for gap in gaps} == {("weight", 1)}


def test_a_share_of_a_strict_queue_is_told_by_its_text() -> None:
    found = differences(EOS, "      priority strict\n", "      priority strict\n      bandwidth percent 7\n")
    assert {(topic, part.partition(": ")[2]) for topic, part in found} == {("idle", "bandwidth percent 7 (6)")}


def test_what_is_not_understood_is_told_by_its_text() -> None:
    assert differences(EOS, "hostname spine02\n", "hostname spine02\nqos rewrite cos\n") == {
        ("unread", "qos rewrite cos")
    }


def test_a_name_is_no_difference() -> None:
    other = EOS.replace("ROCE", "RDMA")
    assert other != EOS
    assert compare_configurations(read(EOS, "arista"), read(other, "arista")) == ()


def test_silence_is_the_default() -> None:
    assert differences(EOS, "   priority-flow-control pause watchdog\n", "") == set()
    assert differences(NVUE, "          port-default-sp: 0\n", "") == set()


def test_a_port_that_one_lacks() -> None:
    at = EOS.index("interface Ethernet1/1\n")
    block = EOS[at : EOS.index("!\n", at)]
    assert ("port", "") in differences(EOS, block, "")
