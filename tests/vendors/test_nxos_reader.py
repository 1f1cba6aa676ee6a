"""NX-OS: what its lines are taken for, whole and in part, printed and typed."""

from __future__ import annotations

import pytest

from rocecfg.model.switch import Switch
from rocecfg.source.document import Document
from rocecfg.vendors.detect import vendor_of
from rocecfg.vendors.nxos.reader import read

CLASSES = """class-map type qos match-any RDMA
  match dscp 24-25,af31
class-map type qos match-any CNP
  match dscp 48
policy-map type qos IN
  class RDMA
    set qos-group 3
  class CNP
    set qos-group 7
  class class-default
    set qos-group 0
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
policy-map type queuing OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 40
system qos
  service-policy type queuing output OUT
  service-policy type network-qos NQ
"""
WHOLE = f"""!Command: show running-config
version 10.4(3) Bios:version 01.10
hostname leaf01
feature lldp
{CLASSES}priority-flow-control watch-dog-interval on
interface Ethernet1/1
  no switchport
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  mtu 9216
  service-policy type qos input IN
  no shutdown
"""


def switch(text: str) -> Switch:
    (found,) = read(Document(0, "leaf01.cfg", text))
    return found


def test_a_whole_configuration_says_all_that_an_intent_could() -> None:
    found = switch(WHOLE)
    assert (found.name, found.section["version"].value, found.running.whole) == ("leaf01", "10.4(3)", True)
    assert [code for code, val in enumerate(found.chain.dscp) if val.value == 3] == [24, 25, 26]
    assert found.chain.dscp[48].value == 7
    (port,) = found.ports
    assert {key: val.value for key, val in port.section.items() if key != "pfc"} == {
        "mtu": 9216,
        "layer": 3,
        "trust": "dscp",
    }
    assert set(port.pfc) == {3}
    assert port.section["pfc"].value["watchdog"].value == "vendor-default"
    assert port.queues[7]["bandwidth"].value == "strict"
    assert port.queues[3]["bandwidth"].value == 60
    curve = {key: val.value for key, val in port.queues[3]["ecn"].value.items()}
    assert curve == {"kmin": 150_000, "kmax": 3_000_000, "pmax": 7, "weight": 0}
    assert found.problems == found.unread == ()
    assert found.fates.unjudged == ()


def test_typed_lines_and_prompts_say_the_same() -> None:
    """A script is not indented, and ends blocks with exit; a session has prompts and echoes."""
    body = WHOLE.split("\n", 2)[2]
    flat = "\n".join(line.strip() for line in body.splitlines())
    typed = "\n".join(f"leaf01(config)# {line.strip()}" for line in body.splitlines())
    printed = switch(body)
    for text in (flat, typed, body.replace("\n", "\r\n"), f"leaf01# show running-config\n{body}leaf01# "):
        assert vendor_of(text) == "nxos"
        found = switch(text)
        assert [port.section.keys() for port in found.ports] == [port.section.keys() for port in printed.ports]
        assert [set(port.pfc) for port in found.ports] == [{3}]
        assert found.ports[0].section["pfc"].value["watchdog"].value == "vendor-default"
        assert [val.value for val in found.chain.dscp] == [val.value for val in printed.chain.dscp]


def test_a_line_of_the_switch_after_a_port_is_not_the_ports() -> None:
    text = WHOLE.replace("priority-flow-control watch-dog-interval on\ninterface", "interface")
    off = switch(text)
    assert off.ports[0].section["pfc"].value["watchdog"].value == "off"
    on = switch(f"{text}priority-flow-control watch-dog-interval on\n")
    assert on.ports[0].section["pfc"].value["watchdog"].value == "vendor-default"


def test_no_takes_back() -> None:
    port = "interface Ethernet1/1\n  {}\n"
    assert not switch(WHOLE + port.format("no priority-flow-control mode on")).ports[0].pfc
    none = switch(WHOLE + port.format("no service-policy type qos input IN"))
    assert none.ports[0].section["trust"].value == "none"
    gone = switch(f"{WHOLE}no policy-map type network-qos NQ\n")
    assert not gone.ports[0].pfc
    moved = switch(f"{WHOLE}class-map type qos match-any RDMA\n  no match dscp 24-25,af31\n  match dscp 27\n")
    assert [code for code, val in enumerate(moved.chain.dscp) if val.value == 3] == [27]


def test_ports_by_ranges_and_in_port_channels() -> None:
    text = WHOLE.replace("interface Ethernet1/1\n", "interface Ethernet 1/1-2, Eth1/5/1-2\n")
    text += "interface Ethernet1/9\n  channel-group 7 mode active\n"
    text += "interface port-channel7\n  priority-flow-control mode on\n"
    found = {name: port for port in switch(text).ports for name in port.names}
    assert list(found) == ["Ethernet1/1", "Ethernet1/2", "Ethernet1/5/1", "Ethernet1/5/2", "Ethernet1/9"]
    assert set(found["Ethernet1/9"].pfc) == {3}
    assert found["Ethernet1/9"].section["lag"].value == "port-channel7"


def test_the_policy_of_a_port_channel_holds_and_not_its_members() -> None:
    member = WHOLE.replace("  no shutdown\n", "  channel-group 7 mode active\n  no shutdown\n")
    of_channel = f"{member}interface port-channel7\n  no switchport\n  priority-flow-control mode on\n"
    (port,) = switch(of_channel).ports
    assert port.section["trust"].value == "none"
    (port,) = switch(f"{of_channel}  service-policy type qos input IN\n").ports
    assert port.section["trust"].value == "dscp"
    (port,) = switch(member).ports  # of a port-channel that the text does not show
    assert port.section["trust"].value == "dscp"


def test_releases_are_known_as_switches_show_them() -> None:
    from rocecfg.profiles.releases import plain_release

    for shown, plain in {
        "10.5(1)F": "10.5(1)",
        "10.3(4a)M": "10.3(4a)",
        "10.4(3) Bios:version 01.10": "10.4(3)",
    }.items():
        assert plain_release("nxos", shown) == plain
    for wrong in ("10.5(1", "10.5(1)G", "10.5(1F"):
        with pytest.raises(ValueError, match="is not a release"):
            plain_release("nxos", wrong)


def test_a_watchdog_that_writes_logs_is_off_and_receive_sends_nothing() -> None:
    (port,) = switch(WHOLE.replace("interval on\n  mtu", "interval on disable-action\n  mtu")).ports
    assert port.section["pfc"].value["watchdog"].value == "off"
    (port,) = switch(WHOLE.replace("interval on\n  mtu", "interval on interface-multiplier 4\n  mtu")).ports
    assert port.section["pfc"].value["watchdog"].value == "vendor-default"
    (port,) = switch(WHOLE.replace("pfc-cos 3", "pfc-cos 3 receive")).ports
    assert port.running is not None
    assert (set(port.pfc), port.running.sends) == ({3}, ())


def test_room_for_classification_is_no_concern() -> None:
    room = "hardware access-list tcam region qos 256\nhardware access-list tcam region vacl 0\n"
    assert switch(room + WHOLE).problems == ()


RULES = {  # what is changed in a whole configuration, and the rule that tells
    "a bound policy that is not there": (
        "service-policy type qos input IN",
        "service-policy type qos input I",
        "device-ref",
    ),
    "a class that is not there": ("  class CNP\n", "  class CNPS\n", "device-ref"),
    "network-qos without system qos": ("\n  service-policy type network-qos NQ", "", "nxos-network-qos"),
    "mode auto": ("mode on", "mode auto", "nxos-pfc-auto"),
    "mode auto by silence": ("  priority-flow-control mode on\n", "", "nxos-pfc-auto"),
    "the watchdog on at ports alone": (
        "priority-flow-control watch-dog-interval on\ninterface",
        "interface",
        "nxos-watchdog-half",
    ),
    "the watchdog on for the switch alone": (
        "  priority-flow-control watch-dog-interval on\n",
        "",
        "nxos-watchdog-half",
    ),
    "a class MTU of 1500 by default": ("    mtu 9216\n    pause", "    pause", "nxos-class-mtu"),
    "a class MTU of 2240": ("    mtu 9216\n    pause", "    mtu 2240\n    pause", "nxos-class-mtu"),
    "another priority than the group": ("pfc-cos 3", "pfc-cos 4", "nxos-pfc-cos"),
    "override": ("interface Eth", "priority-flow-control override-interface mode off\ninterface Eth", "nxos-override"),
    "a watchdog that writes logs": (
        "  priority-flow-control watch-dog-interval on\n",
        "  priority-flow-control watch-dog-interval on disable-action\n",
        "nxos-watchdog-logs",
    ),
    "pauses obeyed and not sent": ("pfc-cos 3", "pfc-cos 3 receive", "nxos-pause-receive"),
    "a number of milliseconds": ("watch-dog-interval on\ninter", "watch-dog-interval 200\ninter", "device-value"),
    "a word nobody knows": ("    pause pfc-cos 3", "    pause pfc-cos 3\n    pause-time 3", "device-unknown"),
    "buffers of the chip": ("feature lldp", "hardware qos dynamic-buffer-sharing", "device-unread"),
    "classification without room": (
        "feature lldp\n",
        "hardware access-list tcam region qos 0\nfeature lldp\n",
        "device-unread",
    ),
    "classification by VLAN": (
        "feature lldp\n",
        "vlan configuration 10\n  service-policy type qos input IN\nfeature lldp\n",
        "device-unread",
    ),
    "a multiplier of a port": ("interval on\n  mtu", "interval on interface-multiplier 4\n  mtu", "device-unread"),
    "queues of fabric extenders": ("system qos\n", "system qos\n  fex queue-limit\n", "device-unread"),
}


def test_each_pitfall_is_told_and_nothing_else() -> None:
    for name, (old, new, rule) in RULES.items():
        assert old in WHOLE, name
        assert {problem.rule for problem in switch(WHOLE.replace(old, new, 1)).problems} == {rule}, name


@pytest.mark.parametrize(
    ("text", "vendor"),
    [
        ("show running-config ipqos", None),
        (CLASSES, "nxos"),
        ("policy-map type qos Q\n  class ROCE\n    set qos-group 3\n", "nxos"),
        ("class-map type qos match-all ROCE\n  match dscp 26\n", "nxos"),
        ("interface Ethernet1/1\n  priority-flow-control mode on\n", "nxos"),
        ("interface Ethernet1/1\n   service-policy type qos input x\n", "arista"),
        ("interface FourHundredGigE0/0/0/1\n priority-flow-control mode on\n", None),
        ("interface ethernet1/1/1\n priority-flow-control mode on\nsystem qos\n", None),
        (f"{CLASSES}  description {{{{ name }}}}\n", None),
    ],
)
def test_whose_a_text_is(text: str, vendor: str | None) -> None:
    assert vendor_of(text) == vendor
