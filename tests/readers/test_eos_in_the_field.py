"""Kinds of text that engineers have: other systems' beside EOS's, terminals' recordings, tags, LAGs, lost modes."""

from __future__ import annotations

import pytest
from eos_text import HEAD, device, findings, lines_of, loaded, rules, switch

from rocecfg.model.catalogue import What
from rocecfg.source.document import Sources
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.running import read_drafts

ROCE = """interface Ethernet1/1
   no switchport
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 95
      random-detect ecn minimum-threshold 256 kbytes maximum-threshold 512 kbytes max-mark-probability 100 weight 0
"""

OTHERS = {
    "NX-OS": "!Command: show running-config\nversion 9.3(5) Bios:version 05.39\ninterface Ethernet1/1\n  mtu 9216\n",
    "NX-OS, typed": "feature lldp\nsystem qos\n  service-policy type network-qos ROCE\ninterface Ethernet1/1\n"
    "  priority-flow-control mode on\n",
    "NX-OS, by its VRFs": "vrf context MGMT\ninterface Ethernet1/1\n  mtu 9216\n",
    "IOS": "Building configuration...\n\nCurrent configuration : 4337 bytes\nversion 17.6\ninterface Ethernet1/1\n",
    "IOS, a part": "interface GigabitEthernet1\n no ip address\ninterface Port-Channel1\n no ip address\n",
    "IOS on Linux": "hostname r1\ninterface Ethernet0/0\n ip address 10.0.0.1 255.255.255.0\n",
    "ASA": ": Saved\nASA Version 9.8(2)\ninterface Management0/0\n nameif management\n",
    "SONiC's own CLI": "qos map dscp-tc ROCE\n dscp 26 traffic-class 3\ninterface Ethernet0\n mtu 9100\n",
    "a port 0": "interface Ethernet0\n mtu 9100\n speed 100000\n",
}

EOS = {
    "ports alone": "interface Ethernet1/1\n   mtu 9214\n",
    "management of a modular switch": "interface Management0\n   ip address 10.0.0.1/24\n",
    "a feature of TCAM": "hardware tcam\n   profile P\n      feature qos ip\ninterface Ethernet1\n   mtu 9214\n",
    "a head, and words of others": "! Command: show running-config\n! device: a (DCS-7060X6-64PE, EOS-4.33.2F)\n"
    "banner login\nBuilding configuration...\nEOF\ninterface Ethernet1/1\n",
    "maps, and lines of NX-OS": "qos map dscp 26 to traffic-class 3\nsystem qos\ninterface Ethernet1/1\n",
    "behind prompts": "leaf1(config)# qos profile R\nleaf1(config-qos-profile-R)# priority-flow-control on\n",
    "a port behind a prompt": "leaf1(config-if-Et1)#priority-flow-control priority 3 no-drop\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_another_system_prints_is_not_taken_for_eos(name: str) -> None:
    assert vendor_of(OTHERS[name]) != "arista"


@pytest.mark.parametrize("name", EOS)
def test_what_eos_prints_or_takes_is_known(name: str) -> None:
    assert vendor_of(EOS[name]) == "arista"


def test_a_daemon_alone_is_no_configuration_to_judge() -> None:
    """A folder of snippets holds many that say nothing of ports or queues: they must not end the run."""
    assert vendor_of("daemon TerminAttr\n   exec /usr/bin/TerminAttr\n   no shutdown\n") is None


def _paged(text: str, mark: str) -> str:
    """The text as recorded where a pager stopped before every third line."""
    return "\n".join(f"{mark}{line}" if n % 3 == 2 else line for n, line in enumerate(text.split("\n")))


PAGERS = {
    "the word on a line of its own": " --More-- \n",
    "rubbed out": " --More-- " + "\b" * 10 + " " * 10 + "\b" * 10,
    "overwritten": " --More-- \r          \r",
    "cleared by the terminal": "\x1b[7m--More--\x1b[m\r\x1b[K",
    "cleared without a word": "\x1b[K",
}


@pytest.mark.parametrize("mark", PAGERS.values(), ids=PAGERS)
def test_what_a_pager_leaves_is_no_part_of_the_configuration(mark: str) -> None:
    plain, paged = HEAD + ROCE, _paged(HEAD + ROCE, mark)
    mine, other = device(paged).ports, device(plain).ports
    assert [(p.names, p.pfc, p.trust, p.layer) for p in mine] == [(p.names, p.pfc, p.trust, p.layer) for p in other]
    assert [(c.name, c.ecn, c.bandwidth) for c in device(paged).classes] == [
        (c.name, c.ecn, c.bandwidth) for c in device(plain).classes
    ]
    assert rules(paged) == rules(plain)


def test_a_finding_behind_a_pager_points_at_its_words() -> None:
    text = HEAD + "interface Ethernet1/1\n --More-- \r          \r   priority-flow-control mode on\n"
    (found,) = [f for f in findings(text) if f.rule.name == "device-unknown"]
    assert found.at is not None
    assert text[found.at.start : found.at.end] == "priority-flow-control mode on"


def test_lines_that_end_as_windows_ends_them_are_pointed_at_as_others() -> None:
    text = HEAD + ROCE.replace("kbytes max-mark", "kilobytes max-mark")
    dos = text.replace("\n", "\r\n")
    assert lines_of(text, "device-unknown") == lines_of(dos, "device-unknown") == [11]
    found = next(f for f in findings(dos) if f.rule.name == "device-unknown")
    assert found.at is not None
    assert not dos[found.at.start : found.at.end].endswith("\r")


def test_a_right_line_in_a_policy_map_is_told_to_stand_in_the_wrong_place() -> None:
    text = HEAD + (
        "policy-map type quality-of-service ROCE\n   class tx-queue 3\n"
        "      random-detect ecn minimum-threshold 150 kbytes maximum-threshold 1500 kbytes\n"
    )
    (found,) = [f for f in findings(text) if f.rule.name == "device-unknown"]
    assert "is in the wrong mode" in found.message
    assert "unit" not in found.message


def test_a_recirculation_channel_is_a_command_of_eos_and_no_lag() -> None:
    text = (
        HEAD + "interface Ethernet32\n   traffic-loopback source system device mac\n   channel-group recirculation 7\n"
    )
    assert rules(text) == set()
    assert device(text).ports[0].lag is None


def test_redundancy_below_a_port_does_not_end_it_where_nothing_is_indented() -> None:
    text = HEAD + (
        "interface Ethernet1/1\nno switchport\nevpn ethernet-segment\nredundancy single-active\n"
        "priority-flow-control on\npriority-flow-control priority 3 no-drop\n"
    )
    assert device(text).ports[0].pfc == (3,)
    assert "device-unknown" not in rules(text)


LAGS = """interface Port-Channel1
   no switchport
!
interface Port-Channel2
   no switchport
   service-profile LOST
!
interface Ethernet1/1
   channel-group 1 mode active
!
qos profile R
   priority-flow-control on
"""


def test_a_lag_without_members_is_no_port_of_a_whole_switch() -> None:
    names = [name for group in device(HEAD + LAGS).ports for name in group.names]
    assert names == ["Ethernet1/1"]
    assert lines_of(HEAD + LAGS, "device-ref") == [7]  # though what it says is judged


def test_a_lag_is_a_port_where_its_members_may_stand_elsewhere() -> None:
    names = {name for group in device(LAGS).ports for name in group.names}
    assert names == {"Ethernet1/1", "Port-Channel2"}
    alone = HEAD + "interface Port-Channel2\n   no switchport\n"
    assert [group.names for group in device(alone).ports] == [("Port-Channel2",)]


SWITCHED = """interface Ethernet1/1
   switchport
   {trust}
   priority-flow-control on
   priority-flow-control priority 3 no-drop
"""


def _tags(text: str) -> list[int | None]:
    return [val.value for val in switch(text).chain.tags]


def test_ports_that_trust_cos_sort_by_the_map_of_cos() -> None:
    text = HEAD + "qos map cos 0 1 to traffic-class 1\nqos map cos 5 to traffic-class 4\n"
    text += SWITCHED.format(trust="qos trust cos")
    assert _tags(text) == [1, 1, 2, 3, 4, 4, 6, 7]
    assert _tags(text + "no qos map cos 5\n") == [1, 1, 2, 3, 4, 5, 6, 7]
    assert rules(text) == rules(HEAD + SWITCHED.format(trust="qos trust cos"))  # 4 is not lossless: nobody is misled


def test_a_switched_port_sorts_by_cos_unless_told() -> None:
    assert _tags(HEAD + SWITCHED.format(trust="mtu 9214"))[2:] == [2, 3, 4, 5, 6, 7]
    assert _tags(HEAD + SWITCHED.format(trust="qos trust dscp")) == []
    assert _tags(HEAD + ROCE) == []


def test_what_the_map_of_cos_is_silent_on_is_not_known_for_0_and_1() -> None:
    """EOS leads them to 1 and 0, which no intent can say: an import would differ from its own switch."""
    assert _tags(HEAD + SWITCHED.format(trust="qos trust cos"))[:2] == [None, None]


@pytest.mark.parametrize("trust", ["qos trust cos", "mtu 9214"])
def test_another_tag_in_the_lossless_class_is_told(trust: str) -> None:
    text = HEAD + "qos map cos 3 4 to traffic-class 3\n" + SWITCHED.format(trust=trust)
    (found,) = [f for f in findings(text) if f.rule.name == "mix-tc-chain"]
    assert "802.1p value 4 maps to traffic class 3" in found.message
    assert lines_of(text, "mix-tc-chain") == [2]


@pytest.mark.parametrize("trust", ["qos trust dscp", "no switchport"])
def test_a_map_of_cos_that_no_port_sorts_by_says_nothing(trust: str) -> None:
    text = HEAD + "qos map cos 3 4 to traffic-class 3\n" + SWITCHED.format(trust=trust)
    assert not {"mix-tc-chain", "device-unread"} & rules(text)


def test_a_map_of_cos_on_ports_that_trust_nothing_is_not_judged() -> None:
    text = HEAD + "qos map cos 4 to traffic-class 3\n" + SWITCHED.format(trust="no qos trust")
    assert "device-unread" in rules(text)
    assert "mix-tc-chain" not in rules(text)


def test_a_cos_beyond_7_is_refused_and_the_others_of_its_line_are_taken() -> None:
    text = HEAD + "qos map cos 5 8 to traffic-class 3\n" + SWITCHED.format(trust="qos trust cos")
    assert lines_of(text, "device-value") == [2]
    assert _tags(text)[5] == 3


def test_the_fix_of_a_tag_is_the_map_of_cos() -> None:
    from rocecfg.vendors.arista.change import make_target, parse_tree, plan_steps

    running = parse_tree("qos map cos 3 5 to traffic-class 4\n")
    scope = {None: frozenset((What("pcp", 3), What("pcp", 5)))}
    (step,) = plan_steps(running, make_target(running, parse_tree("qos map cos 3 to traffic-class 3\n"), scope))
    assert step.lines == ("qos map cos 3 to traffic-class 3", "no qos map cos 5 to traffic-class 4")


def test_an_mtu_is_told_as_it_is_written() -> None:
    (found,) = [f for f in findings(HEAD + "interface Ethernet1\n   mtu 9216\n") if f.rule.name == "schema-nos-range"]
    assert "9216B" in found.message


SECRETS = """username admin privilege 15 role network-admin secret sha512 $6$salt$hash0123456789
tacacs-server key 7 0822455D0A16
interface Ethernet1/1
   description key shared-by-mistake
   isis authentication key 7 0822455D0A17
   priority-flow-control mode on
"""


def test_what_is_secret_is_in_no_message() -> None:
    wording = " ".join(f"{f.message} {f.help}" for f in findings(HEAD + SECRETS))
    assert wording
    assert not any(secret in wording for secret in ("$6$", "0822455D0A16", "0822455D0A17", "shared-by-mistake"))


def test_a_file_without_ports_is_read_without_a_finding() -> None:
    sources = Sources()
    assert read_drafts(sources.add("a.cfg", "hostname a\nrouter bgp 65001\n"), "arista")
    assert loaded("hostname a\n").errors == []
