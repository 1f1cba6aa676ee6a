"""What is found in a switch's own configuration: each pitfall by one rule, and nothing by what is right."""

from __future__ import annotations

import pytest
from loops import loop
from nvue_text import lint, rules


def nv(*commands: str) -> str:
    """Lines of `nv set`."""
    return "".join(f"nv set {command}\n" for command in commands)


WHOLE = nv("system hostname leaf01")
MARKING = "qos congestion-control default-global traffic-class"
BUFFERS = "qos advance-buffer-config default-global"
GOOD = nv(
    "qos roce mode lossless",
    "interface swp1-2 qos pfc-watchdog",
    "qos mapping default-global dscp 24-25,27-31 switch-priority 0",
    f"{MARKING} 0,3 min-threshold 400000",
    f"{MARKING} 0,3 max-threshold 1600000",
)

# What is added to a good configuration, and what alone is found then. The rules of NVUE's own have pages with more.
FAULTS = {
    "pause and PFC": (
        "pfc-global-pause",
        nv("qos link-pause p tx enable", "interface swp1 qos link-pause profile p"),
    ),
    "a port without watchdog": ("watchdog-missing", nv("interface swp3 qos pfc-watchdog state disable")),
    "slow timers": ("watchdog-slow", nv("qos pfc-watchdog polling-interval 1000", "qos pfc-watchdog robustness 5")),
    "rx off": ("pfc-one-way", nv("qos pfc default-global rx disable")),
    "tx off": ("pfc-one-way", nv("qos pfc default-global tx disable")),
    "trust l2": ("mix-trust", nv("qos mapping default-global trust l2")),
    "trust port": ("mix-trust", nv("qos mapping default-global trust port")),
    "a lossy priority in RDMA's queue": (
        "mix-class-shared",
        nv("qos egress-queue-mapping default-global switch-priority 4 traffic-class 3"),
    ),
    "no ECN on RDMA's queue": ("ecn-missing", nv(f"{MARKING} 3 ecn disable")),
    "thresholds swapped": ("ecn-order", nv(f"{MARKING} 3 min-threshold 2000000")),
    "a step": ("ecn-step", nv(f"{MARKING} 3 min-threshold 1600000")),
    "no probability": ("ecn-pmax", nv(f"{MARKING} 3 probability 0")),
    "RED": ("ecn-red-drop", nv(f"{MARKING} 3 red enable")),
    "shares above 100": ("ets-sum", nv("qos egress-scheduler default-global traffic-class 3 bw-percent 60")),
    "strict RDMA": ("ets-rdma-strict", nv("qos egress-scheduler default-global traffic-class 3 mode strict")),
    "no share": (
        "ets-zero",
        nv(
            "qos egress-scheduler s traffic-class 0,6 mode dwrr",
            "qos egress-scheduler s traffic-class 0,6 bw-percent 50",
            "interface swp1-2 qos egress-scheduler profile s",
        ),
    ),
    "shaped RDMA": (
        "ets-shaper",
        nv(
            "qos egress-shaper s traffic-class 3 max-rate 1000",
            "interface swp1-2 qos egress-shaper profile s",
            "interface swp1-2 link speed 100G",
        ),
    ),
    "RDMA remarked": (
        "mix-remark",
        nv("qos remark default-global rewrite l3", "qos remark default-global switch-priority 3 dscp 46"),
    ),
    "a tunnel that keeps no marking": ("mix-tunnel", nv("nve vxlan source address 10.0.0.1")),
    "small packets alone": ("rdma-mtu", nv("interface swp1-2 link mtu 1500")),
    "unmarked packets lossless": ("mix-into-lossless", nv("qos mapping default-global port-default-sp 3")),
    "DSCP 0 lossless": ("pfc-prio0", nv("qos mapping default-global dscp 0 switch-priority 3")),
    "members of a bond differ": (
        "pfc-lag watchdog-missing",
        nv("interface bond1 bond member swp1-2", "interface swp2 qos pfc-watchdog state disable"),
    ),
    "a profile that is not there": ("device-ref", nv("interface swp1 qos pfc profile b")),
    "a profile that nothing uses": ("device-unbound", nv("qos mapping spare trust l3")),
    "a share of a strict queue": (
        "device-conflict",
        nv(
            "qos egress-scheduler default-global traffic-class 6 mode strict",
            "qos egress-scheduler default-global traffic-class 6 bw-percent 10",
        ),
    ),
    "a fixed share below kmax": (
        "ecn-static-xoff",
        nv(
            "qos advance-buffer-config default-global ingress-service-pool 1 mode static",
            "qos advance-buffer-config default-global ingress-lossless-buffer shared-bytes 100000",
        ),
    ),
}


def test_pause_on_everything() -> None:
    assert "pfc-all" in rules(WHOLE + GOOD + nv("qos pfc default-global switch-priority 0-7"))


def test_with_the_box_its_buffer_is_known() -> None:
    """A header names the box, so pools have bytes."""
    text = """\
- header: {model: SN5600, version: Cumulus Linux 5.16.0}
- set:
    qos:
      roce: {state: enabled, mode: lossless}
      advance-buffer-config: {default-global: {ingress-lossless-buffer: {shared-alpha: alpha_1_128}}}
    interface: {swp1-64: {link: {speed: 800G}, qos: {pfc-watchdog: {state: enable}}}}
"""
    assert "buffer-alpha" in rules(text)
    assert "buffer-alpha" not in rules(text.replace("alpha_1_128", "alpha_2"))


def test_what_the_default_map_makes_lossless_goes_to_a_lossy_priority() -> None:
    text = WHOLE + GOOD + nv("qos pfc default-global switch-priority 0,5")
    fixes = {reported.help.rpartition("nv set ")[2] for reported in lint(text) if reported.rule == "nvue-default-map"}
    assert fixes == {
        "qos mapping default-global dscp 0-7 switch-priority 1",
        "qos mapping default-global dscp 40-47 switch-priority 1",
    }


def test_what_is_right_is_silent() -> None:
    assert lint(GOOD) == []
    assert lint(WHOLE + GOOD) == []


@loop("name", FAULTS)
def test_one_fault_one_rule(name: str) -> None:
    expected, added = FAULTS[name]
    found = lint(WHOLE + GOOD + added)
    assert {reported.rule for reported in found} == set(expected.split())
    assert all(reported.help for reported in found)  # what to type


# Right, though near to one of the above.
NEAR = {
    "link pause on a port without PFC": nv(
        "qos link-pause p tx enable",
        "interface swp9 qos link-pause profile p",
        "qos pfc off tx disable",
        "qos pfc off rx disable",
        "interface swp9 qos pfc profile off",
    ),
    "a tunnel that keeps markings": nv(
        "nve vxlan source address 10.0.0.1",
        "nve vxlan encapsulation dscp action copy",
        "nve vxlan decapsulation dscp action preserve",
    ),
    "RDMA remarked to what it is": nv(
        "qos remark default-global rewrite l3", "qos remark default-global switch-priority 3 dscp 26"
    ),
    "remarking that is off": nv("qos remark default-global switch-priority 3 dscp 46"),
    "RED on a lossy queue": nv(f"{MARKING} 1 red enable"),
    "a shaper above the port's speed": nv(
        "qos egress-shaper s traffic-class 3 max-rate 200000000",
        "interface swp1-2 qos egress-shaper profile s",
        "interface swp1-2 link speed 100G",
    ),
    "shares below 100": nv("qos egress-scheduler default-global traffic-class 0 bw-percent 30"),
    "a longer cable": nv("qos pfc default-global cable-length 300"),
    "a bond with watched members": nv("interface bond1 bond member swp1-2", "interface bond1 type bond"),
    "the default of a shaper": nv(
        "qos egress-shaper s traffic-class 3 max-rate 2147483647",
        "qos egress-shaper s port-max-rate 2147483647",
        "interface swp1-2 qos egress-shaper profile s",
    ),
    "what is not one of ours": nv(
        "system aaa user admin hashed-password 'x'",
        "router bgp autonomous-system 65000",
        "interface swp1 telemetry histogram egress-buffer traffic-class 3",
        "acl a rule 1 action permit",
        "system lldp application-tlv udp-port 4791 priority 3",
        "evpn state enabled",
    ),
}


@pytest.mark.parametrize("name", NEAR)
def test_near_misses(name: str) -> None:
    assert lint(WHOLE + GOOD + NEAR[name]) == []


# -- words and values --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("qos ecn traffic-class 3", "congestion-control"),
        ("qos map dscp-tc 26 3", "mapping"),
        ("qos pfc priority 3", "switch-priority"),
        ("qos pfc switch-priority 3", "nv set qos pfc default-global switch-priority"),
        ("qos pfc-watchdog state enable", "interface PORTS qos pfc-watchdog state enable"),
        ("qos pfc-watchdog action forward", "NVUE has none"),
        ("qos pfcc default-global switch-priority 3", "did you mean pfc?"),
        ("qos roce lossless on", "known: enable, state, mode"),
        ("qos congestion-control default-global traffic-class 3 kmin 100", "min-threshold"),
        ("qos traffic-pol default-lossy memory-percent 3", "did you mean traffic-pool?"),
        ("interface swp1 qos pfc-enable 3", "pfc profile NAME"),
        ("interface swp1 pfc priority 3", "bind a profile"),
        ("interface swp1 qos pfc-watchdg state enable", "did you mean pfc-watchdog?"),
        ("pfc priority 3", "qos pfc"),
        ("system roce enable", "qos"),
    ],
)
def test_commands_that_nvue_never_had(text: str, fix: str) -> None:
    (reported,) = [t for t in lint(f"nv set {text}\n") if t.rule == "device-unknown"]
    assert fix in reported.help
    assert reported.severity == ("warning" if "known:" in fix else "error")  # a word that is like none may be newer


@pytest.mark.parametrize(
    ("text", "release", "message", "fix"),
    [
        ("qos roce enable on", "5.15", "ended with 5.14", "qos roce state enabled"),
        ("qos roce enable on", "5.18.1", "ended with 5.14", "qos roce state enabled"),
        ("qos roce state enabled", "5.14.0", "came with 5.15", "qos roce enable on"),
        ("qos roce cable-length 30", "5.14", "ended with 5.2", "qos pfc default-global cable-length"),
        ("qos roce mode lossless-single-ipool", "5.11", "came with 5.12", ""),
        ("qos roce mode dci-1", "5.17", "came with 5.18", ""),
        ("qos pfc-watchdog robustness 3", "5.5", "came with 5.6", ""),
        ("qos remark default-global rewrite l3", "5.3", "came with 5.4", ""),
        (f"{BUFFERS} ingress-pool 1 mode static", "5.11", "ended with 5.10", "ingress-service-pool"),
        (f"{BUFFERS} ingress-service-pool 1 mode static", "5.10", "came with 5.11", "ingress-pool"),
        ("interface swp1 ip vrf red", "5.15", "ended with 5.14", "vrf"),
        ("interface swp1 vrf red", "5.14", "came with 5.15", "ip vrf"),
        ("router adaptive-routing enable on", "5.16", "ended with 5.14", "state enabled"),
        ("qos pfc default-global small-packet-probability 20", "5.16", "came with 5.17", ""),
    ],
)
def test_the_words_of_another_release(text: str, release: str, message: str, fix: str) -> None:
    (reported,) = [t for t in lint(f"nv set {text}\n", release) if t.rule == "device-unknown"]
    assert message in reported.message
    assert f"Cumulus Linux {release} " in reported.message
    assert fix in reported.help
    assert "device-unknown" not in rules(f"nv set {text}\n")  # some release has it


def test_the_word_of_another_release_is_read_as_meant() -> None:
    assert rules(GOOD + "nv set qos roce enable on\n", "5.16") == {"device-unknown"}


def test_words_that_no_release_has_together() -> None:
    text = "nv set qos roce enable on\nnv set router adaptive-routing state enabled\n"
    (reported,) = [t for t in lint(text) if t.rule == "device-unknown"]
    assert reported.line == 2
    assert "no release takes both" in reported.message


def test_the_watchdogs_word_is_its_neighbours_nowhere() -> None:
    """`state enable`, while all around it says enabled: up to 5.18."""
    for release in ("5.14", "5.16", "5.18"):
        (reported,) = lint(nv("interface swp1 qos pfc-watchdog state enabled"), release)
        assert (reported.rule, reported.help) == ("device-value", "did you mean enable?")


@loop(
    ("text", "word"),
    [
        ("qos congestion-control p traffic-class 3 min-threshold 150KB", "no units"),
        ("qos congestion-control p traffic-class 3 probability 5%", "no units"),
        ("qos congestion-control p traffic-class 3 probability 101", "0 to 100"),
        ("qos congestion-control p traffic-class 8 ecn enable", "from 0 to 7"),
        ("qos congestion-control p traffic-class 3 ecn on", "enable"),
        ("qos mapping p dscp 64 switch-priority 3", "from 0 to 63"),
        ("qos mapping p dscp 26 switch-priority 8", "0 to 7"),
        ("qos mapping p trust dscp", "l2, l3"),
        ("qos pfc p cable-length 0", "1 to 100000"),
        ("qos pfc p cable-length 5m", "no units"),
        ("qos pfc p switch-priority 3-1", "backwards"),
        ("qos pfc p switch-priority 3 enable", "no value"),
        ("qos pfc p tx", "needs a value"),
        ("qos pfc p tx enable now", "one value"),
        ("qos pfc-watchdog polling-interval 50", "100 to 5000"),
        ("qos pfc-watchdog robustness 1001", "1 to 1000"),
        ("qos traffic-pool roce-losless memory-percent 50", "roce-lossless"),
        ("qos traffic-pool default-lossy memory-percent 0", "1 to 100"),
        ("qos egress-queue-mapping mine switch-priority 3 traffic-class 3", "default-global"),
        ("qos roce mode semi-lossless", "lossless, lossy"),
        ("qos egress-scheduler p traffic-class 3 mode wrr", "dwrr"),
        ("interface swp1 link mtu 9300", "552 to 9216"),
        ("interface swp1 link speed 400", "400G"),
        ("interface swp1-swp4 qos pfc-watchdog", "swp1-4"),
        ("system forwarding packet-trim size 258", "multiple of 4"),
    ],
)
def test_values_that_the_switch_refuses(text: str, word: str) -> None:
    (reported,) = [t for t in lint(f"nv set {text}\n") if t.rule == "device-value"]
    assert word in reported.message + reported.help
    assert reported.severity == "error"


@pytest.mark.parametrize(
    "text",
    [
        "qos advance-buffer-config default-global egress-lossy-buffer traffic-class 0 reserved 4096",
        "qos advance-buffer-config default-global shared-headroom oversubscription-ratio 4",
        "qos advance-buffer-config default-global ingress-lossless-buffer shared-alpha alpha_infinity",
        "qos congestion-control default-global traffic-class 0 mode relative",
        "interface swp1 qos headroom lossy extra-threshold 1920",
        "interface swp1 qos shared-headroom-pool enabled",
        "system forwarding packet-trim state enabled",
        "interface eth0 qos mapping profile default-global",
    ],
)
def test_what_is_recognised_and_not_judged_is_told(text: str) -> None:
    assert rules(f"{WHOLE}{GOOD}nv set {text}\n", "5.18") == {"device-unread"}


@pytest.mark.parametrize(("priority", "expected"), [(3, set()), (0, {"mix-port-map"})])
def test_a_mapping_of_some_ports_is_judged(priority: int, expected: set[str]) -> None:
    text = nv(
        "qos mapping m trust l3",
        "qos mapping m dscp 24-31 switch-priority 0",
        f"qos mapping m dscp 26 switch-priority {priority}",
        "qos mapping m dscp 46 switch-priority 7",
        "interface swp1 qos mapping profile m",
        "interface swp3-4 qos pfc-watchdog",
    )
    assert rules(WHOLE + GOOD + text, "5.18") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            nv("qos egress-shaper s port-max-rate 1000", "interface swp1-2 qos egress-shaper profile s"),
            "port-max-rate",
        ),
        (nv("qos egress-shaper s mode pps", "interface swp1-2 qos egress-shaper profile s"), "counts packets"),
        (nv("qos remark r switch-priority 4 dscp 20", "interface swp1 qos remark profile r"), "remark profile r"),
        (nv("qos mapping default-global pcp 5 switch-priority 3"), "802.1p value 5"),
    ],
)
def test_profiles_that_are_not_judged_are_told(text: str, expected: str) -> None:
    (reported,) = lint(WHOLE + GOOD + text, "5.18")
    assert reported.rule == "device-unread"
    assert expected in reported.message


def test_a_switch_as_it_comes_from_the_api() -> None:
    """Everything stated, defaults included, numbers and `off` quoted: nothing to say about it."""
    text = """\
header: {model: VX, nvue-api-version: nvue_v1, rev-id: 1.0, version: Cumulus Linux 5.5.1}
interface:
  lo: {router: {adaptive-routing: {enable: 'off'}}, ip: {address: {}, vrf: default}, type: loopback}
qos:
  advance-buffer-config:
    default-global:
      egress-lossy-buffer:
        multicast-switch-priority: {'0': {service-pool: '0'}, '1': {service-pool: '0'}}
        traffic-class: {'0': {service-pool: '0'}}
      egress-pool: {'0': {memory-percent: 100, mode: dynamic}}
      ingress-lossy-buffer:
        priority-group:
          bulk:
            service-pool: '0'
            switch-priority: {'0': {}, '1': {}, '2': {}, '3': {}, '4': {}, '5': {}, '6': {}, '7': {}}
      ingress-pool: {'0': {memory-percent: 100, mode: dynamic}}
  congestion-control:
    default-global:
      traffic-class:
        '0': {ecn: enable, max-threshold: 1500000, min-threshold: 150000, probability: 100, red: disable}
  egress-scheduler:
    default-global:
      traffic-class: {'0': {bw-percent: 12, mode: dwrr}, '1': {bw-percent: 13, mode: dwrr}}
  egress-shaper: {}
  link-pause: {}
  mapping: {default-global: {pcp: {'0': {switch-priority: 0}}, port-default-sp: 0, trust: l2}}
  pfc: {}
  remark: {default-global: {}}
  roce: {enable: 'off'}
  traffic-pool:
    default-lossy:
      memory-percent: 100
      switch-priority: {'0': {}, '1': {}, '2': {}, '3': {}, '4': {}, '5': {}, '6': {}, '7': {}}
router: {adaptive-routing: {enable: 'off'}}
system: {hostname: cumulus, wjh: {enable: 'off'}}
"""
    assert rules(text) <= {"ets-zero"}  # the scheduler is cut short here
    assert "device-unknown" not in rules(text)
