"""What drops, polices, marks or sorts RoCEv2 before the maps do: each situation on each system that has it."""

from __future__ import annotations

import json

from loops import loop
from one_switch import findings_of, loaded_as

from rocecfg.source.document import Sources
from rocecfg.vendors import part

JUNOS = """\
set system host-name leaf1
set interfaces et-0/0/0 mtu 9216
set interfaces et-0/0/0 unit 0 family inet address 192.0.2.0/31
set interfaces et-0/0/1 mtu 9216
set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v10
set interfaces et-0/0/2 mtu 9216
set interfaces et-0/0/2 unit 0 family inet address 192.0.2.4/31
set vlans v10 vlan-id 10
set vlans v10 l3-interface irb.10
set class-of-service classifiers dscp D forwarding-class NO-LOSS loss-priority low code-points 011010
set class-of-service classifiers dscp D forwarding-class CNP loss-priority low code-points 110000
set class-of-service forwarding-classes class CNP queue-num 3
set class-of-service forwarding-classes class NO-LOSS queue-num 4 no-loss pfc-priority 3
set class-of-service congestion-notification-profile P pfc-watchdog
set class-of-service congestion-notification-profile P input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile P output ieee-802.1 code-point 011 flow-control-queue 4
set class-of-service interfaces et-0/0/0 congestion-notification-profile P
set class-of-service interfaces et-0/0/0 unit 0 classifiers dscp D
set class-of-service interfaces et-0/0/1 congestion-notification-profile P
set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp D
"""
IN = "set interfaces et-0/0/0 unit 0 family inet filter input F\n"
LAST = "set firewall family inet filter F term last then accept\n"
NVUE = """\
nv set system hostname leaf1
nv set interface swp1-4 link mtu 9216
nv set interface swp1-4 type swp
nv set qos roce mode lossless
"""
LIST = "nv set acl A type ipv4\nnv set interface swp1 acl A inbound\n"
EOS = """\
hostname leaf1
qos map dscp 24 25 27 28 29 30 31 to traffic-class 1
interface Ethernet1/1
   no switchport
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
{bound}
interface Ethernet2/1
   no switchport
"""
DB = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "hwsku": "Mellanox-SN4600C-C64"}},
    "PORT": {f"Ethernet{n}": {"lanes": f"{n}", "speed": "100000"} for n in (0, 4)},
    "VLAN_MEMBER": {"Vlan10|Ethernet0": {"tagging_mode": "untagged"}},
    "DSCP_TO_TC_MAP": {"M": {str(n): "3" if n == 26 else "0" for n in range(64)}},
    "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "M", "pfc_enable": "3", "pfcwd_sw_enable": "3"}},
}


def junos(*terms: str, bound: str = IN, family: str = "inet", last: bool = True) -> str:
    """A switch with a filter of these terms, the last of which lets all pass."""
    lines = [f"set firewall family {family} filter F term {n} {part}\n"
             for n, term in enumerate(terms) for part in term.split(" > ")]  # fmt: skip
    return JUNOS + "".join(lines) + (LAST.replace("inet", family) if last else "") + bound


def nvue(*rules: str, bound: str = LIST) -> str:
    """A switch with an access list of these rules."""
    lines = (f"nv set acl A rule {n}0 {words}\n" for n, rule in enumerate(rules, 1) for words in rule.split(", "))
    return NVUE + "".join(lines) + bound


def eos(*matches: str, bound: str = "   traffic-policy input T", family: str = "ipv4") -> str:
    """A switch with a traffic policy; a match has what it asks for, and behind `>` what it does."""
    out = EOS.format(bound=bound) + "traffic-policies\n   traffic-policy T\n"
    for n, match in enumerate(matches):
        asks, _, does = match.partition(" > ")
        asked = "".join(f"         {line}\n" for line in asks.split(", ") if line)
        out += f"      match M{n} {family}\n{asked}         actions\n            {does}\n"
    return out


def acl(*entries: str, way: str = "in", kind: str = "ip", on: str = "") -> str:
    """A switch with an access list."""
    bound = f"{on}   {kind} access-group A {way}"
    return EOS.format(bound=bound) + f"{kind} access-list A\n" + "".join(f"   {e}\n" for e in entries)


def sonic(*rules: str, ports: str = "Ethernet0", kind: str = "L3", stage: str = "ingress") -> str:
    """A switch with an access list of these rules."""
    rows = {
        f"A|R{n}": {"PRIORITY": str(1000 - n), **dict(field.split("=") for field in rule.split(" "))}
        for n, rule in enumerate(rules)
    }
    table = {"A": {"type": kind, "stage": stage, "ports": ports.split(",")}}
    return json.dumps({**DB, "ACL_TABLE": table, "ACL_RULE": rows}, indent=1)


UDP = "from protocol udp destination-port 4791"
NV_UDP = "match ip udp dest-port 4791"
ROCE = "IP_PROTOCOL=17 L4_DST_PORT=4791"
FOUND = [  # situation, system, text
    ("UDP 4791 is dropped", "junos", junos(f"{UDP} > then discard")),
    ("UDP 4791 is dropped", "spectrum", nvue(f"{NV_UDP}, action deny")),
    ("UDP 4791 is dropped", "sonic", sonic(f"{ROCE} PACKET_ACTION=DROP")),
    ("UDP 4791 is dropped", "arista", eos("protocol udp destination port 4791 > drop")),
    ("UDP 4791 is dropped", "arista", acl("deny udp any any eq 4791", "permit ip any any")),
    ("on its way out", "junos", junos("then discard", bound=IN.replace("input", "output"))),
    ("on its way out", "spectrum", nvue(f"{NV_UDP}, action deny", bound=LIST.replace("inbound", "outbound"))),
    ("on its way out", "sonic", sonic(f"{ROCE} PACKET_ACTION=DROP", stage="egress")),
    ("on its way out", "arista", acl("deny udp any any eq 4791", "permit ip any any", way="out")),
    ("a range of ports is dropped", "junos", junos("from destination-port 4000-5000 > then discard")),
    ("a range of ports is dropped", "sonic", sonic("L4_DST_PORT_RANGE=4000-5000 PACKET_ACTION=DROP")),
    ("a range of ports is dropped", "arista", eos("protocol udp destination port 22,4000-5000 > drop")),
    ("DSCP 26 is dropped", "junos", junos("from dscp af31 > then reject")),
    ("DSCP 26 is dropped", "spectrum", nvue("match ip dscp af31, action deny")),
    ("DSCP 26 is dropped", "sonic", sonic("DSCP=26 PACKET_ACTION=DROP")),
    ("DSCP 26 is dropped", "arista", eos("dscp 26 > drop")),
    ("nothing lets it pass", "junos", junos("from protocol tcp", last=False)),
    ("nothing lets it pass", "arista", acl("permit tcp any any")),
    ("it is policed", "junos", junos("then policer X") + "set firewall policer X then discard\n"),
    ("it is policed", "spectrum", nvue("match ip dscp 26, action police rate 1000")),
    ("it is policed", "arista", eos("protocol udp > police rate 1 gbps")),
    ("it is put into another class", "junos", junos("then forwarding-class CNP")),
    ("it is put into another class", "spectrum", nvue(f"{NV_UDP}, action set class 1")),
    ("it is put into another class", "arista", eos("protocol udp destination port 4791 > set traffic class 1")),
    ("another mark is written", "junos", junos("then dscp 0")),
    ("another mark is written", "spectrum", nvue(f"{NV_UDP}, action set dscp 0")),
    ("another mark is written", "sonic", sonic(f"{ROCE} DSCP_ACTION=0", kind="UNDERLAY_SET_DSCP")),
    ("another mark is written", "arista", eos("protocol udp > set dscp cs1")),
    ("on a VLAN", "junos", junos("then discard", family="ethernet-switching",
                                 bound="set vlans v10 forwarding-options filter input F\n")),
    ("on a routed interface", "junos", junos("then discard", bound=IN.replace("et-0/0/0 unit 0", "irb unit 10"))),
    ("on a VLAN", "spectrum", nvue(f"{NV_UDP}, action deny", bound=LIST.replace("swp1", "vlan10"))),
    ("on a VLAN", "sonic", sonic(f"{ROCE} PACKET_ACTION=DROP", ports="Vlan10")),
    ("in a list of filters", "junos", junos("then discard", bound=IN.replace("input", "input-list"))),
    ("whatever is forwarded", "junos",
     junos("then discard", bound="set forwarding-options family inet filter input F\n")),
    ("DSCPs of a mask are dropped", "sonic", sonic("DSCP=24/0x38 PACKET_ACTION=DROP")),
    ("DSCP 26 is dropped", "arista", acl("deny ip any any dscp af31", "permit ip any any")),
    ("on a LAG", "arista", EOS.format(bound="   channel-group 1 mode active\ninterface Port-Channel1\n"
                                      "   ip access-group A in") + "ip access-list A\n   deny udp any any eq 4791\n"),
    ("on a LAG", "arista", EOS.format(bound="   channel-group 1 mode active\ninterface Port-Channel1\n"
                                      "   mac access-group A in") + "mac access-list A\n   deny any any\n"),
    ("over IPv6", "junos", junos("from next-header udp destination-port 4791 > then discard", family="inet6",
                                 bound=IN.replace("inet", "inet6"))),
    ("over IPv6", "arista", acl("deny udp any any eq 4791", "permit ipv6 any any", kind="ipv6")),
    ("by MAC addresses", "arista", acl("deny any any", kind="mac")),
    ("on a routed VLAN", "arista", acl("deny udp any any eq 4791", "permit ip any any", on="interface Vlan10\n")),
    ("on a sub-interface", "arista", acl("deny udp any any eq 4791", on="interface Ethernet1/1.100\n")),
    ("on a sub-interface, IPv6", "arista", acl("deny udp any any eq 4791", kind="ipv6", on="interface Et1/1.100\n")),
    ("on a tunnel", "junos", junos("then discard", bound=IN.replace("et-0/0/0", "gr-0/0/0"))),
    ("over IPv6", "arista", eos("protocol udp destination port 4791 > drop", family="ipv6")),
]  # fmt: skip
NAMED = [  # named as not judged: by whom it is sent is not known
    ("from addresses", "junos", junos("from source-address 10.0.0.0/8 > then discard")),
    ("from addresses", "spectrum", nvue("match ip source-ip 10.0.0.0/8, action deny")),
    ("from addresses", "sonic", sonic("SRC_IP=10.0.0.0/8 PACKET_ACTION=DROP")),
    ("from addresses", "arista", eos("source prefix 10.0.0.0/8 > drop")),
    ("some of its source ports", "junos", junos("from source-port 50000 > then discard")),
    ("diverted", "sonic", sonic(f"{ROCE} PACKET_ACTION=REDIRECT:Ethernet4")),
    ("a filter of IPv6 that drops the rest", "junos", junos("from next-header tcp", family="inet6", last=False,
                                                         bound=IN.replace("inet", "inet6"))),
    ("a list of IPv6 that drops the rest", "arista", acl("permit tcp any any", kind="ipv6")),
    ("a standard list", "arista", EOS.format(bound="   ip access-group A in")
     + "ip access-list standard A\n   deny 10.0.0.0/8\n   permit any\n"),
    ("an action that is not known", "sonic", sonic(f"{ROCE} PACKET_ACTION=TRAP")),
    ("a list that nothing defines", "arista", EOS.format(bound="   ip access-group A in")),
    ("some MAC addresses", "arista", acl("deny 00:1c:73:00:00:00 00:00:00:ff:ff:ff any", "permit any any", kind="mac")),
    ("a policer that only marks", "junos",
     junos("then policer X") + "set firewall policer X then loss-priority high\n"),
]  # fmt: skip
SILENT = [
    ("SSH alone", "junos", junos("from protocol tcp destination-port ssh > then discard")),
    ("SSH alone", "spectrum", nvue("match ip tcp dest-port 22, match ip protocol tcp, action deny")),
    ("SSH alone", "sonic", sonic("IP_PROTOCOL=6 L4_DST_PORT=22 PACKET_ACTION=DROP")),
    ("SSH alone", "arista", eos("protocol tcp destination port 22 > drop")),
    ("SSH alone", "arista", acl("deny tcp any any eq 22", "permit ip any any")),
    ("SSH alone", "arista", acl("deny tcp any any eq 22", "permit ipv6 any any", kind="ipv6")),
    ("all MAC addresses pass", "arista", acl("permit any any", kind="mac")),
    ("SSH alone", "arista", acl("deny tcp any any eq 22", "permit ip any any", on="interface Vlan10\n")),
    ("all, on a sub-interface", "arista", acl("permit ip any any", on="interface Ethernet1/1.100\n")),
    ("TCP 4791", "junos", junos("from protocol tcp destination-port 4791 > then discard")),
    ("TCP 4791", "sonic", sonic("IP_PROTOCOL=6 L4_DST_PORT=4791 PACKET_ACTION=DROP")),
    ("another UDP port", "junos", junos("from protocol udp destination-port 53 > then discard")),
    ("another UDP port", "spectrum", nvue("match ip udp dest-port 53, action deny")),
    ("another UDP port", "arista", eos("protocol udp destination port 53 > drop")),
    ("4791 as the source port", "arista", eos("protocol udp source port 4791 > drop")),
    ("another DSCP", "junos", junos("from dscp 48 > then discard")),
    ("another DSCP", "spectrum", nvue("match ip dscp 10, action deny")),
    ("another DSCP", "sonic", sonic("DSCP=48 PACKET_ACTION=DROP")),
    ("DSCPs of another mask", "sonic", sonic("DSCP=32/0x20 PACKET_ACTION=DROP")),
    ("copied to the CPU as well", "sonic", sonic(f"{ROCE} PACKET_ACTION=COPY")),
    ("another DSCP", "arista", acl("deny ip any any dscp cs6", "permit ip any any")),
    ("RDMA passes before the rest is dropped", "junos", junos(UDP, last=False)),
    ("RDMA passes before the rest is dropped", "spectrum", nvue(f"{NV_UDP}, action permit", "action deny")),
    ("RDMA passes before the rest is dropped", "sonic", sonic(f"{ROCE} PACKET_ACTION=FORWARD", "PACKET_ACTION=DROP")),
    ("RDMA passes before the rest is dropped", "arista", eos("protocol udp > count c", " > drop")),
    ("multicast", "junos", junos("from destination-address 224.0.0.0/4 > then discard")),
    ("multicast", "junos", junos("from destination-mac-address 01:00:5e:00:00:00/25 > then discard",
                                 family="ethernet-switching", bound="set vlans v10 filter input F\n")),
    ("multicast", "spectrum", nvue("match ip dest-ip 239.0.0.0/8, action deny")),
    ("multicast", "sonic", sonic("DST_IP=224.0.0.0/4 PACKET_ACTION=DROP")),
    ("multicast", "arista", eos("destination prefix 224.0.0.0/4 > drop")),
    ("only counted", "junos", junos("then count c")),
    ("mirrored", "sonic", sonic(f"{ROCE} MIRROR_INGRESS_ACTION=M", kind="MIRROR")),
    ("for the switch itself", "junos", junos("then discard", bound=IN.replace("et-0/0/0", "lo0"))),
    ("for the switch itself", "spectrum",
     nvue(f"{NV_UDP}, action deny", bound=LIST.replace("inbound", "inbound control-plane"))),
    ("for the switch itself", "sonic", sonic(f"{ROCE} PACKET_ACTION=DROP", kind="CTRLPLANE")),
    ("bound to nothing", "junos", junos("then discard", bound="")),
    ("bound to nothing", "spectrum", nvue(f"{NV_UDP}, action deny", bound="")),
    ("bound to nothing", "sonic", sonic(f"{ROCE} PACKET_ACTION=DROP", ports="")),
    ("bound to nothing", "arista", eos("protocol udp > drop", bound="")),
]  # fmt: skip
UNDEFINED = [
    ("junos", "set version 23.4R2.13\n" + JUNOS + IN),
    ("junos", junos("then policer X") + "set firewall policer Y then discard\n"),
    ("junos", junos("then policer X")),
    ("spectrum", NVUE + "nv set interface swp1 acl A inbound\n"),
    ("arista", EOS.format(bound="   traffic-policy input T")),
]
NO_PFC = [
    ("junos", junos("then discard", bound=IN.replace("et-0/0/0", "et-0/0/2"))),
    ("sonic", sonic(f"{ROCE} PACKET_ACTION=DROP", ports="Ethernet4")),
    ("arista", eos("protocol udp > drop", bound="interface Ethernet3/1\n   no switchport\n   traffic-policy input T")),
]
FILES = {"junos": "leaf1.conf", "spectrum": "leaf1.nv", "sonic": "config_db.json", "arista": "leaf1.cfg"}


def told(vendor: str, text: str) -> list[tuple[str, str]]:
    """What is found of filters: the rule, and the level."""
    loaded, _ = loaded_as(vendor, FILES[vendor], text)
    words = ("RoCEv2", "not defined", "nothing defines", "does not define", "drops, polices", "classifies packets")
    return [(f.rule.name, f.severity) for f in findings_of(loaded) if any(word in f.message for word in words)]


def uncompared(vendor: str, text: str) -> list[str]:
    """What drift names as not compared."""
    (switch,) = part(vendor, "reader").read(Sources().add(FILES[vendor], text))
    return [
        one.message
        for one in switch.unread
        if any(word in one.message for word in ("filter", "acl", "access", "ACL", "policy"))
    ]


def test_every_system_has_rows() -> None:
    assert {vendor for _, vendor, _ in FOUND} == {vendor for _, vendor, _ in SILENT} == FILES.keys()


@loop(("what", "vendor", "text"), FOUND, ids=lambda row: row[:2])
def test_what_is_done_to_rdma_is_an_error_and_not_compared(what: str, vendor: str, text: str) -> None:
    assert what
    assert ("mix-rdma-acl", "error") in told(vendor, text)
    assert uncompared(vendor, text)


@loop(("what", "vendor", "text"), NAMED, ids=lambda row: row[:2])
def test_what_may_be_done_to_rdma_is_named(what: str, vendor: str, text: str) -> None:
    assert what
    assert told(vendor, text) == [("device-second-way" if "not known" in what else "device-unread", "info")]
    assert uncompared(vendor, text)


@loop(("what", "vendor", "text"), SILENT, ids=lambda row: row[:2])
def test_what_does_nothing_to_rdma_is_left_alone(what: str, vendor: str, text: str) -> None:
    assert what
    assert told(vendor, text) == []
    assert uncompared(vendor, text) == []


@loop(("vendor", "text"), UNDEFINED, ids=lambda row: row[0])
def test_a_filter_that_nothing_defines_is_told(vendor: str, text: str) -> None:
    assert told(vendor, text) == [("device-ref", "error")]


@loop(("vendor", "text"), NO_PFC, ids=lambda row: row[0])
def test_a_port_without_pfc_is_compared_and_not_judged(vendor: str, text: str) -> None:
    assert told(vendor, text) == []
    assert uncompared(vendor, text)


HANDLER = "event-handler PFC\n   trigger on-boot\n"
OTHER_WAYS = [  # what sets PFC, queues or ports beside what the configuration says, and what does not
    ("arista", EOS.format(bound=""), HANDLER + "   action bash FastCli -p 15 -c 'conf'\n", True),
    ("arista", EOS.format(bound=""), HANDLER + "   action bash\n   no priority-flow-control on\n   EOF\n", True),
    ("arista", EOS.format(bound=""), HANDLER + "   action bash /mnt/flash/pfc.sh\n   delay 0\n", True),
    ("arista", EOS.format(bound=""), "schedule pfc interval 5 max-log-files 1 command bash /mnt/flash/pfc.py\n", True),
    ("arista", EOS.format(bound=""), HANDLER.replace("PFC", "LOG") + "   action log\n", False),
    ("junos", JUNOS, 'set event-options policy P then change-configuration commands "delete class-of-service"\n', True),
    ("junos", JUNOS, "set event-options policy P then event-script pfc.py\n", True),
    *(
        ("junos", JUNOS, f'set event-options policy P then execute-commands commands "{command}"\n', named)
        for command, named in (("request pfe execute x", True), ("show interfaces", False))
    ),
    ("junos", JUNOS, "set system scripts commit file pfc.py\n", True),
    ("junos", JUNOS, "set system scripts language python3\nset event-options policy P then raise-trap\n", False),
    *(
        ("spectrum", NVUE, f"nv set system config snippet own {words}\n", named)
        for words, named in (
            ("file /etc/cumulus/datapath/qos/qos_features.conf", True),
            ("file /etc/cumulus/switchd.d/own.conf", True),
            ("file /usr/local/bin/pfc.sh", True),
            ("file /etc/frr/frr.conf", False),
            ("file /etc/ntpsec/ntp.conf", False),
        )
    ),
    ("spectrum", NVUE, "nv set system config snippet switchd.conf 'qos.x = 1'\n", True),
    ("spectrum", NVUE, "nv set system config snippet frr.conf 'debug bgp updates'\n", False),
    ("spectrum", NVUE, "nv set system config snippet ifupdown2_eni swp1 'mtu 1500'\n", True),
]


@loop(("vendor", "base", "lines", "named"), OTHER_WAYS, ids=lambda row: row[2])
def test_what_is_set_beside_the_configuration_is_named(vendor: str, base: str, lines: str, *, named: bool) -> None:
    loaded, _ = loaded_as(vendor, FILES[vendor], base + lines)
    before, _ = loaded_as(vendor, FILES[vendor], base)
    found = {f.message for f in findings_of(loaded)} - {f.message for f in findings_of(before)}
    assert len(found) == named
    (switch,) = part(vendor, "reader").read(Sources().add(FILES[vendor], base + lines))
    assert {one.message for one in switch.unread} == found


def test_what_is_not_sure_is_told_in_plain_words() -> None:
    term = "set firewall family inet filter F term a"
    text = f"{JUNOS}{IN}{term} from destination-port 4791\n{term} then loss-priority high\n{LAST}"
    loaded, _ = loaded_as("junos", "leaf1.conf", text)
    assert any("term a may give RoCEv2 (UDP 4791" in each.message for each in loaded.problems)
