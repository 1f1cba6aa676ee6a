"""Configurations as they stand in public repositories; what is expected was read off them by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from eos_text import device, findings, lines_of, rules, switch

from rocecfg.model import PortGroup


@pytest.fixture
def qos(shared: Path) -> str:
    return (shared / "samples/eos/avd-qos.cfg").read_text()


@pytest.fixture
def run_all(shared: Path) -> str:
    return (shared / "samples/eos/real-7260cx-4.19.1F-run-all.cfg").read_text()


def _port(text: str, name: str) -> PortGroup:
    (found,) = [port for port in device(text).ports if name in port.names]
    return found


def _queues(text: str, port: str) -> dict[int, object]:
    """Share or strict of each queue of a port."""
    (found,) = [p for p in switch(text).ports if port in p.names]
    return {n: sent["bandwidth"].value if "bandwidth" in sent else None for n, sent in found.queues.items()}


# -- AVD's reference configuration of QoS ------------------------------------------------------------------------------


def test_the_one_line_that_eos_does_not_take(qos: str) -> None:
    assert lines_of(qos, "device-unknown") == [278]
    (found,) = [f for f in findings(qos) if f.rule.name == "device-unknown"]
    assert "pause watchdog action no-drop" in found.message
    assert "action drop" in found.help


def test_shares_of_queues_that_are_strict(qos: str) -> None:
    # lines 15 and 18: queues 5 and 7 of `experiment` lie above its round-robin queue 3; line 52 says strict outright
    assert lines_of(qos, "device-conflict")[:3] == [15, 18, 52]


def test_profiles_that_no_port_has(qos: str) -> None:
    (found,) = [f for f in findings(qos) if f.rule.name == "device-unbound"]
    for name in ("no_qos_trust", "test_with_pfc", "uc_mc_queues_test", "wred_queues_test", "wred_uc_queues_test"):
        assert name in found.message
    assert lines_of(qos, "device-unbound") == [21]


def test_comments_and_separators_end_no_profile(qos: str) -> None:
    assert _queues(qos, "Ethernet7")[5] == 19  # behind `!! Multi-line comment` and `!`
    assert _queues(qos, "Ethernet1") == {1: 50, 2: "strict", 4: "strict", 7: "strict"}


def test_marking_in_two_units(qos: str) -> None:
    (port,) = [p for p in switch(qos).ports if p.names == ("Ethernet1",)]
    assert {key: val.value for key, val in port.queues[2]["ecn"].value.items()} == {
        "kmin": 320_000, "kmax": 320_000, "pmax": 90, "weight": 0,
    }  # fmt: skip
    assert port.queues[4]["ecn"].value == "auto"  # segments of a chip that nobody names


def test_what_is_recognised_and_not_judged(qos: str) -> None:
    reported = [f.message for f in findings(qos) if f.rule.name == "device-unread"]
    for word in (
        "multicast",
        "without ECN",
        "segments",
        "policy-map pmap_test1",
        "shaper of a whole port",
        "rewrite",
        "drops by",
        "precedence",
    ):
        assert any(word in message for message in reported), word
    assert len(reported) == 8


def test_maps_over_those_of_eos(qos: str) -> None:
    maps = device(qos).maps
    assert [maps.dscp_to_tc[d] for d in (0, 7, 8, 18, 26, 46, 48, 56, 63)] == [1, 1, 1, 4, 4, 5, 6, 7, 1]
    assert maps.tc_to_queue == (0, 1, 2, 3, 4, 5, 2, 7)  # 6 to tx-queue 2
    running = device(qos).running
    assert running is not None
    assert running.remarks == ((1, 56),)  # `qos rewrite dscp` is on


def test_members_take_what_the_lag_says(qos: str) -> None:
    port = _port(qos, "Ethernet3")
    assert (port.lag, port.trust, port.layer) == ("Port-Channel3", "pcp", 2)
    assert "Port-Channel3" not in {name for p in device(qos).ports for name in p.names}


# -- an MMU profile ----------------------------------------------------------------------------------------------------


def test_buffer_lines_indented_by_four(shared: Path) -> None:
    text = (shared / "samples/eos/avd-platform-mmu.cfg").read_text()
    assert lines_of(text, "device-unbound") == [13]  # unused_profile; the other is applied 26 lines on
    assert "device-unknown" not in rules(text)
    assert "device-ref" not in rules(text)


def test_a_profile_that_nobody_defines(shared: Path) -> None:
    text = (shared / "samples/eos/avd-5stage-spine-dangling-profile.cfg").read_text()
    assert rules(text) == {"device-ref", "device-second-way"}  # MACsec on its ports is not judged
    (found,) = (finding for finding in findings(text) if finding.rule.name == "device-ref")
    assert "QOS-PROFILE" in found.message
    assert text.splitlines()[text.count("\n", 0, found.at.start)] == "   service-profile QOS-PROFILE"
    (port, _) = switch(text).ports
    assert port.names == tuple(f"Ethernet{n}" for n in range(1, 6))


# -- a real switch, with every default printed -------------------------------------------------------------------------


def test_nothing_is_wrong_with_defaults(run_all: str) -> None:
    (found,) = findings(run_all)  # its release is older than what the facts were read of
    assert (found.rule.name, found.severity) == ("nos-release-unknown", "info")


def test_the_switch_and_its_ports(run_all: str) -> None:
    found = device(run_all)
    assert (found.vendor, found.version) == ("arista", "4.19.1F")
    routed, switched = _port(run_all, "Ethernet1/1"), _port(run_all, "Ethernet1/2")
    assert (routed.layer, routed.trust, routed.mtu) == (3, "dscp", 9212)
    assert (switched.layer, switched.trust) == (2, "pcp")  # `default qos trust` of a switchport is CoS
    assert {name for p in found.ports for name in p.names} == {"Ethernet1/1", "Ethernet1/2"}
    assert routed.pfc == switched.pfc == ()
    assert _queues(run_all, "Ethernet1/1") == {
        0: 69, 1: 1, 2: 20, 3: "strict", 4: 10, 5: "strict", 6: "strict", 7: "strict",
    }  # fmt: skip
    assert set(_queues(run_all, "Ethernet1/2").values()) == {"strict"}


def test_the_map_of_eos_is_inverted_at_the_low_end(run_all: str) -> None:
    tc_of = device(run_all).maps.dscp_to_tc
    assert [tc_of[d] for d in (0, 7, 8, 15, 16, 24, 26, 31, 48, 63)] == [1, 1, 0, 0, 2, 3, 3, 3, 6, 7]
