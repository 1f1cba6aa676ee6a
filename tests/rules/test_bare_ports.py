"""One port without what all its equals have: named with its name; where it may be meant so, or is alike, nothing is."""

from __future__ import annotations

from loops import loop
from one_switch import findings_of, loaded_as

from rocecfg import lint, read_config

EOS = """! Command: show running-config
! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)
!
hostname leaf01
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
"""
JUNOS = """set system host-name leaf01
set class-of-service forwarding-classes class BULK queue-num 0
set class-of-service forwarding-classes class RDMA queue-num 4 no-loss pfc-priority 3
set class-of-service classifiers dscp C forwarding-class BULK loss-priority low code-points 000000
set class-of-service classifiers dscp C forwarding-class RDMA loss-priority low code-points 011010
set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile P output ieee-802.1 code-point 011 flow-control-queue 4
"""
NVUE = "- header: {model: MODEL, nvue-api-version: nvue_v1, version: Cumulus Linux 5.14.0}\n- set:\n    interface:\n"


def eos(*ports: str) -> str:
    routed = "   no switchport\n"
    return EOS + "".join(
        f"interface Ethernet{n}/1\n{lines.replace('routed;', routed)}!\n" for n, lines in enumerate(ports, 1)
    )


def junos(*ports: str) -> str:
    out = [JUNOS]
    for n, words in enumerate(ports):
        name = f"et-0/0/{n}"
        if "address" in words:
            out.append(f"set interfaces {name} unit 0 family inet address 192.0.2.{2 * n}/31\n")
        if "profile" in words:
            out.append(f"set class-of-service interfaces {name} congestion-notification-profile P\n")
            out.append(f"set class-of-service interfaces {name} unit 0 classifiers dscp C\n")
        if "off" in words:
            out.append(f"deactivate class-of-service interfaces {name}\n")
    return "".join(out)


def nvue(*links: str, model: str = "SN5600") -> str:
    rows = "".join(f"      {name}: {{type: swp, link: {{{link}}}}}\n" for name, link in (of.split("=") for of in links))
    return NVUE.replace("MODEL", model) + rows


FULL, BARE = "routed;   service-profile ROCE\n", "routed;"
ALL = "address profile"
RS, NONE = "speed: 400G, fec: rs", "fec: off"


@loop(
    ("text", "rule", "ports"),
    [
        (eos(FULL, FULL, FULL, BARE), "pfc-bare-port", ["Ethernet4/1"]),
        (eos(FULL, FULL, FULL, "   service-profile ROCE\n"), "pfc-bare-port", []),
        (eos(FULL, FULL, FULL, ""), "pfc-bare-port", []),  # nothing is set there: a spare port
        (eos(FULL, FULL, FULL, f"{BARE}   shutdown\n"), "pfc-bare-port", []),
        (eos(FULL, FULL, FULL, f"{BARE}   speed 100g-1\n"), "pfc-bare-port", []),  # no equal
        (eos(FULL, FULL, FULL, BARE, BARE), "pfc-bare-port", []),  # not the odd one
        (eos(FULL, FULL, BARE), "pfc-bare-port", []),  # too few to tell
        (eos(FULL, FULL, FULL, "routed;   service-profile STORAGE\n"), "pfc-bare-port", []),  # told otherwise
        (f"{eos(FULL, FULL, FULL)}interface Management1\n   ip address 192.0.2.9/24\n", "pfc-bare-port", []),
        (junos(ALL, ALL, ALL, f"{ALL} off"), "pfc-bare-port", ["et-0/0/3"]),
        (junos(ALL, ALL, ALL, "address"), "pfc-bare-port", ["et-0/0/3"]),
        (junos(ALL, ALL, ALL, ALL), "pfc-bare-port", []),
        (junos(ALL, ALL, "address", "address"), "pfc-bare-port", []),
        (nvue(f"swp1={RS}", f"swp33={NONE}"), "link-fec", ["swp33"]),
        (nvue(f"swp1={RS}", "swp33=fec: auto"), "link-fec", []),
        (nvue(f"swp1={RS}", "swp33=speed: 100G, fec: off"), "link-fec", []),
        (nvue(f"swp1s0={RS}", f"swp1s1={RS}", f"swp2s0={RS}", f"swp2s1={NONE}"), "link-fec", ["swp2s1"]),
        (nvue(f"swp1s0={RS}", f"swp1s1={NONE}", f"swp2s1={NONE}"), "link-fec", []),  # parts may be of 100G
        (nvue("swp1=fec: rs", f"swp33={NONE}", model="SN2700"), "link-fec", []),  # no port of it is faster than 100G
    ],
)
def test_the_odd_one(text: str, rule: str, ports: list[str]) -> None:
    found = [finding for finding in lint(read_config(text)) if finding.rule.name == rule]
    assert [port for finding in found for port in finding.ports] == ports
    assert all(finding.severity == "warning" for finding in found)


def odd(text: str) -> list[str]:
    """What is told of ports that are set unlike the others."""
    device = read_config(text, "arista", name="leaf01")
    return [f.message.rpartition(": ")[2] for f in lint(device) if f.rule.name == "pfc-odd-port"]


MTU, FEC = "   mtu 9214\n", "   error-correction encoding reed-solomon\n"


@loop(
    ("ports", "said"),
    [
        (
            [FULL + MTU + FEC] * 6 + [FULL + "   mtu 1500\n" + FEC],
            ["the IP MTU is 1500 B here, but 9214 B on 6 others"],
        ),
        ([FULL + MTU + FEC] * 6 + [FULL + MTU], ["FEC is not stated here, but rs on 6 others"]),
        ([FULL + MTU] * 10 + [FULL + "   mtu 1500\n"] * 2, ["the IP MTU is 1500 B here, but 9214 B on 10 others"]),
        # meant so: more than two, or more than one for three; none in use, none with PFC
        ([FULL + MTU] * 15 + [FULL + "   mtu 1500\n"] * 3, []),
        ([FULL + MTU] * 2 + [FULL + "   mtu 1500\n"], []),
        ([FULL + MTU] * 6 + [FULL + "   mtu 1500\n   shutdown\n"], []),
        ([FULL + MTU] * 6 + [BARE + "   mtu 1500\n   shutdown\n"], []),
        ([FULL + MTU + FEC] * 6, []),
    ],
)
def test_a_port_that_is_set_unlike_its_equals_is_told(ports: list[str], said: list[str]) -> None:
    assert odd(eos(*ports)) == said


UNSORTED = "set class-of-service interfaces et-0/0/3 congestion-notification-profile P\n"
UPLINK = 'set interfaces et-0/0/10 description "facing_spine1:et-0/0/0"\n'
WILD = junos("address", "address", "address") + "".join(
    f"set class-of-service interfaces et-0/0/? {words}\n"
    for words in ("congestion-notification-profile P", "unit 0 classifiers dscp C")
)


@loop(
    ("text", "rule"),
    [
        (junos(ALL, ALL, ALL, "address"), "pfc-bare-port"),
        (junos(ALL, ALL, ALL, "address") + UNSORTED, "junos-no-classifier"),
        (f"{WILD}{UPLINK}set interfaces et-0/0/10 unit 0 family inet address 192.0.2.90/31\n", "junos-passed-over"),
    ],
)
def test_one_cause_of_a_port_without_pfc_is_one_finding(text: str, rule: str) -> None:
    told = {"pfc-bare-port", "junos-no-classifier", "junos-passed-over", "junos-port-bare"}
    found = findings_of(loaded_as("junos", "leaf01.conf", text)[0])
    assert [finding.rule.name for finding in found if finding.rule.name in told] == [rule]
