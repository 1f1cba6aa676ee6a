"""Forms of files that are in no sample, after the programs that write them."""

from __future__ import annotations

import json

import pytest
from cables import cabling, links, notes, read

LINK = {"leaf1:Ethernet0 spine1:Ethernet8": None}


# -- lldpd -------------------------------------------------------------------------------------------------------------


def test_lldpctl_as_keys_and_values() -> None:
    text = """\
lldp.Ethernet0.via=LLDP
lldp.Ethernet0.rid=1
lldp.Ethernet0.age=0 day, 00:10:00
lldp.Ethernet0.chassis.mac=00:11:22:33:44:55
lldp.Ethernet0.chassis.name=spine1
lldp.Ethernet0.port.ifname=Ethernet8
lldp.Ethernet0.port.descr=to leaf1
lldp.Ethernet4.via=LLDP
lldp.Ethernet4.chassis.name=gpu1
lldp.Ethernet4.port.mac=aa:bb:cc:00:00:01
lldp.Ethernet4.port.descr=ens1f0np0
"""
    assert read(text) == {**LINK, "gpu1:ens1f0np0 leaf1:Ethernet4": None}


def test_lldpctl_as_text_is_what_sonic_shows() -> None:
    text = """\
-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    Ethernet0, via: LLDP, RID: 1, Time: 0 day, 00:10:00
  Chassis:
    ChassisID:    mac 00:11:22:33:44:55
    SysName:      spine1
    SysDescr:     SONiC Software Version: SONiC.202405
  Port:
    PortID:       local Ethernet8
    PortDescr:    leaf1:Ethernet0
    TTL:          120
-------------------------------------------------------------------------------
"""
    assert read(text) == LINK


def test_nvue_as_a_table_and_with_details() -> None:
    """A host announces the MAC address of its card, and the table has no description."""
    table = """\
cumulus@leaf1:mgmt:~$ nv show interface lldp
Interface  Speed  Type  Remote Host      Remote Port
---------  -----  ----  ---------------  -----------------
eth0       1G     eth   oob-mgmt-switch  swp10
swp1       400G   swp   gpu1             48:b0:2d:76:ee:8e
swp51             swp   spine1           swp1
cumulus@leaf1:mgmt:~$
"""
    found = cabling({"x.txt": table})
    assert links(found) == {"leaf1:swp51 spine1:swp1": None}
    assert [kind for kind, _ in notes(found)][:2] == ["left-out"] * 2
    details = """\
-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------

Interface:    swp51
-------------------------------------------------------------------------------
  Time:
    0 days, 02:58:28

  Chassis:
    ChassisID:    mac 48:b0:2d:ec:e5:3b
    SysName:      spine1
  Port:
    PortID:       ifname swp1
    PortDescr:    swp1
"""
    assert read(details) == {"leaf1:swp51 spine1:swp1": None}


def test_lldpctl_as_xml() -> None:
    text = """\
<?xml version="1.0" encoding="UTF-8"?>
<lldp label="LLDP neighbors">
 <interface label="Interface" name="Ethernet0" via="LLDP" rid="1" age="0 day, 00:10:00">
  <chassis label="Chassis"><id label="ChassisID" type="mac">00:11:22:33:44:55</id><name label="SysName">spine1</name>
  </chassis>
  <port label="Port"><id label="PortID" type="ifname">Ethernet8</id><descr label="PortDescr">x y</descr></port>
 </interface>
</lldp>
"""
    assert read(text) == LINK


def test_lldpctl_of_one_neighbour_has_no_list() -> None:
    """json_writer.c leaves the list out where it would hold one."""
    port = {"id": {"type": "ifname", "value": "Ethernet8"}}
    entry = {"Ethernet0": {"chassis": {"spine1": {"id": {"type": "mac", "value": "00:11:22:33:44:55"}}}, "port": port}}
    assert read(json.dumps({"lldp": {"interface": entry}})) == LINK


def test_no_neighbours_are_no_links() -> None:
    for empty in ({"lldp": {}}, {"lldp": [{}]}, {"lldpNeighbors": []}, {"count": 0, "results": []}):
        assert read(json.dumps(empty)) == {}


# -- other systems -----------------------------------------------------------------------------------------------------


def test_eos_behind_its_api() -> None:
    neighbours = [{"port": "Ethernet1/1", "neighborDevice": "spine1", "neighborPort": "Ethernet2/1", "ttl": 120}]
    text = json.dumps({"jsonrpc": "2.0", "id": "1", "result": [{"lldpNeighbors": neighbours}]})
    assert read(text) == {"leaf1:Ethernet1/1 spine1:Ethernet2/1": None}


def test_nxos_tables_with_a_long_name_on_a_line_of_its_own() -> None:
    text = """\
Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device
Device ID            Local Intf      Hold-time  Capability  Port ID
spine1               Eth1/1          120        BR          Ethernet1/49
a-very-long-name-of-a-spine-switch.example.com
                     Eth1/2          120        BR          Ethernet1/50
Total entries displayed: 2
"""
    assert read(text) == {
        "leaf1:Ethernet1/1 spine1:Ethernet1/49": None,
        "a-very-long-name-of-a-spine-switch.example.com:Ethernet1/50 leaf1:Ethernet1/2": None,
    }


def test_cdp_with_details() -> None:
    text = """\
----------------------------------------
Device ID:spine1(FDO21120U8N)
System Name: spine1

Interface address(es):
    IPv4 Address: 10.0.0.1
Platform: N9K-C93180YC-EX, Capabilities: Router Switch
Interface: Ethernet1/1, Port ID (outgoing port): Ethernet1/49
Holdtime: 150 sec
"""
    assert read(text) == {"leaf1:Ethernet1/1 spine1:Ethernet1/49": None}


def test_junos_with_details() -> None:
    text = """\
LLDP Neighbor Information:
Local Information:
Index: 1 Time to live: 120 Time mark: Mon Jun  7 00:29:57 2021 Age: 3 secs
Local Interface    : et-0/0/0
Parent Interface   : -
Local Port ID      : 519
Ageout Count       : 0

Neighbour Information:
Chassis type       : Mac address
Chassis ID         : 02:05:86:71:2e:00
Port type          : Locally assigned
Port ID            : 517
Port description   : et-0/0/8
System name        : spine1
"""
    assert read(text) == {"leaf1:et-0/0/0 spine1:et-0/0/8": None}


# -- inventories -------------------------------------------------------------------------------------------------------


def termination(port: str, device: str, kind: str = "dcim.interface") -> dict[str, object]:
    return {"object_type": kind, "object": {"name": port, "device": {"name": device}}}


def cable(a: list[object], b: list[object], **more: object) -> str:
    return json.dumps({"count": 1, "results": [{"id": 7, "a_terminations": a, "b_terminations": b, **more}]})


@pytest.mark.parametrize(
    ("length", "unit", "metres"),
    [
        (3, {"value": "m", "label": "Meters"}, 3),
        ("250.00", {"value": "cm", "label": "Centimeters"}, 2.5),
        (10, {"value": "ft", "label": "Feet"}, 3.048),
        (1.2, {"value": "km", "label": "Kilometers"}, 1200),
        (12, "INCH", 0.3048),
        (1, "MILE", 1609.344),
        (3, None, None),
        (None, None, None),
    ],
)
def test_lengths_are_metres_whatever_their_unit(length: object, unit: object, metres: float | None) -> None:
    ends = [termination("Ethernet0", "leaf1")], [termination("Ethernet8", "spine1")]
    assert list(read(cable(*ends, length=length, length_unit=unit)).values()) == [metres]


def test_a_breakout_cable_is_said_and_not_guessed() -> None:
    lanes: list[object] = [termination(f"swp1s{n}", "leaf1") for n in range(4)]
    found = cabling({"cables.json": cable([termination("swp1", "spine1")], lanes)})
    assert links(found) == {}
    assert notes(found) == [("ambiguous", "a cable from 1 to 4 ports: its lanes are not stated")]


def test_a_cable_that_is_taken_away_is_none() -> None:
    ends = [termination("Ethernet0", "leaf1")], [termination("Ethernet8", "spine1")]
    assert read(cable(*ends, status={"value": "decommissioning", "label": "Decommissioning"})) == {}
    assert read(cable(*ends, status={"value": "planned", "label": "Planned"})) == LINK


def test_answers_without_devices_say_how_to_ask() -> None:
    text = json.dumps(
        {
            "results": [
                {
                    "termination_a_id": "x",
                    "termination_b_id": "y",
                    "termination_a_type": "dcim.interface",
                    "termination_b_type": "dcim.interface",
                }
            ]
        }
    )
    ((kind, why),) = notes(cabling({"cables.json": text}))
    assert kind == "left-out"
    assert "depth" in why


def test_interfaces_tell_their_far_ends_twice() -> None:
    """NetBox's /api/dcim/interfaces/, and a GraphQL query of devices (Nautobot)."""
    far = {"name": "Ethernet8", "device": {"name": "spine1"}}
    near = {"name": "Ethernet0", "device": {"name": "leaf1"}}
    rest = {"count": 2, "results": [{**near, "connected_endpoints": [far]}, {**far, "connected_endpoints": [near]}]}
    assert read(json.dumps(rest)) == LINK
    interfaces = [{"name": "Ethernet0", "connected_interface": far, "cable": {"length": 5, "length_unit": "M"}}]
    graph = {"data": {"devices": [{"name": "leaf1", "interfaces": interfaces}]}}
    assert read(json.dumps(graph)) == {"leaf1:Ethernet0 spine1:Ethernet8": 5}


@pytest.mark.parametrize(
    "text",
    [
        """\
side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,length,length_unit
leaf1,dcim.interface,Ethernet0,spine1,dcim.interface,Ethernet8,20,m
leaf1,dcim.consoleport,con0,ts1,dcim.consoleserverport,p1,,
""",
        """\
ID,Termination A,Termination B,Device A,Device B,Type,Length
1,Ethernet0,Ethernet8,leaf1,spine1,"MMF, OM4",20 m
2,PSU0,Out1,leaf1,pdu1,Power,
""",
        "a_device;a_port;b_device;b_port;cable\nleaf1;Ethernet0;spine1;Ethernet8;20m\n",
        """\
Type,Node,Node Interface,Leaf IP Address,Peer Type,Peer Node,Peer Interface,Peer IP Address,Cable
l3leaf,leaf1,Ethernet0,10.0.0.1/31,spine,spine1,Ethernet8,10.0.0.0/31,20m
""",
    ],
)
def test_tables_are_told_by_their_headings(text: str) -> None:
    assert read(text, "cables.csv") == {"leaf1:Ethernet0 spine1:Ethernet8": 20}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("StartDevice,StartPort,EndDevice,EndPort,EndFeed\npdu-1,1,leaf1,PSU1,A\n", "a power supply's"),
        ("StartDevice,StartPort,EndDevice,EndPort,BaudRate,FlowControl\nleaf1,1,leaf2,1,9600,0\n", "a console's"),
        ("StartDevice,StartPort,BmcIp,EndDevice,EndPort\nm-1,Ethernet1,10.0.0.1/23,gpu1,iDRAC\n", "a BMC's"),
        ("StartDevice,StartPort,EndDevice,EndPort\npdu-1,1,leaf1,PSU1\n", "not a data port"),
    ],
)
def test_other_links_of_a_lab_are_left_out(text: str, why: str) -> None:
    """sonic-mgmt has a file each for power, serial lines and BMCs, with columns of the same names."""
    found = cabling({"lab.csv": text})
    assert links(found) == {}
    ((kind, reason),) = notes(found)
    assert kind == "left-out"
    assert why in reason


# -- AVD ---------------------------------------------------------------------------------------------------------------

GROUP_VARS = """\
spine:
  defaults: {platform: vEOS-lab}
  nodes: [{name: spine1, id: 1}, {name: spine2, id: 2}]
l3leaf:
  defaults:
    uplink_interfaces: [Ethernet1-2]
    uplink_switches: [spine1, spine2]
    mlag_interfaces: [Ethernet3]
  node_groups:
    - group: RACK1
      nodes:
        - {name: leaf1, id: 1, uplink_switch_interfaces: [Ethernet1, Ethernet1]}
        - {name: leaf2, id: 2, uplink_switch_interfaces: [Ethernet2, Ethernet2]}
"""


def test_uplinks_and_peer_links_of_avd() -> None:
    assert set(read(GROUP_VARS, "DC1.yml")) == {
        "leaf1:Ethernet1 spine1:Ethernet1",
        "leaf1:Ethernet2 spine2:Ethernet1",
        "leaf2:Ethernet1 spine1:Ethernet2",
        "leaf2:Ethernet2 spine2:Ethernet2",
        "leaf1:Ethernet3 leaf2:Ethernet3",
    }


def test_uplinks_that_avd_works_out_are_left_out_and_said() -> None:
    found = cabling({"DC1.yml": GROUP_VARS.replace(", uplink_switch_interfaces: [Ethernet2, Ethernet2]", "")})
    assert len(found.cables) == 3
    assert [kind for kind, why in notes(found) if "topology.csv" in why] == ["left-out"] * 2


def test_servers_of_avd() -> None:
    text = """\
servers:
  - name: gpu1
    adapters:
      - {endpoint_ports: [Eth1, Eth2], switch_ports: [Ethernet5, Ethernet5], switches: [leaf1, leaf2], vlans: 11}
"""
    assert read(text, "servers.yml") == {"gpu1:Ethernet1 leaf1:Ethernet5": None, "gpu1:Ethernet2 leaf2:Ethernet5": None}


# -- labs --------------------------------------------------------------------------------------------------------------


def test_the_long_form_of_containerlab_and_what_leads_to_the_host() -> None:
    text = """\
name: lab
topology:
  nodes:
    sr1: {kind: nokia_srsim}
    leaf1: {kind: arista_ceos}
    br1: {kind: bridge}
  links:
    - type: veth
      endpoints:
        - {node: sr1, interface: 1/1/c1/1}
        - {node: leaf1, interface: Ethernet1}
    - type: macvlan
      endpoint: {node: leaf1, interface: Ethernet9}
      host-interface: enp0s3
    - endpoints: ["leaf1:Ethernet2", "br1:eth1"]
    - endpoints: ["leaf1:Ethernet3", "host:veth1"]
"""
    found = cabling({"lab.clab.yml": text})
    assert links(found) == {"leaf1:Ethernet1 sr1:1/1/c1/1": None}
    assert [kind for kind, _ in notes(found)] == ["left-out"] * 3


@pytest.mark.parametrize(
    "text",
    [
        'graph G {\n  "leaf1":"Ethernet0" -- "spine1":"Ethernet8"\n}\n',
        "strict graph { leaf1:Ethernet0 -- spine1:Ethernet8; }",
        """\
// cables
/* of
 the lab */ digraph "a b" { node [shape=box]; leaf1 [os="x; y -- z"]
"leaf1":"Ethernet0" -> "spine1":"Ethernet8" [left_mac="a:b"] # uplink
}""",
        "graph G { rankdir=LR leaf1:Ethernet0--spine1:Ethernet8 }",
    ],
)
def test_graphs_as_people_write_them(text: str) -> None:
    assert read(text, "topology.dot") == LINK


def test_an_edge_without_ports_is_said() -> None:
    found = cabling({"t.dot": "graph { leaf1 -- spine1 }"})
    assert notes(found) == [("left-out", "the edge names no ports")]


def test_out_of_band_switches_of_a_graph_are_told_by_their_function() -> None:
    text = 'graph { "m1" [function="oob-switch"]\n"leaf1":"swp9" -- "m1":"swp1"\n"leaf1":"swp1" -- "spine1":"swp1" }'
    assert set(read(text, "t.dot")) == {"leaf1:swp1 spine1:swp1"}
    assert len(read(text, "t.dot", management=True)) == 2


def test_links_of_a_minigraph_that_are_no_cables_of_ports() -> None:
    link = "<DeviceLinkBase{}><ElementType>{}</ElementType><EndDevice>{}</EndDevice><EndPort>{}</EndPort>"
    link += "<StartDevice>leaf1</StartDevice><StartPort>etp1</StartPort></DeviceLinkBase>"
    links_ = link.format("", "DeviceInterfaceLink", "gpu1", "eth0") + link.format("", "DeviceSerialLink", "ts1", "7")
    text = f'<?xml version="1.0"?>\n<DeviceMiniGraph xmlns="a"><PngDec>{links_}</PngDec></DeviceMiniGraph>'
    found = cabling({"minigraph.xml": text})
    assert links(found) == {"gpu1:eth0 leaf1:etp1": None}
    assert notes(found) == [("left-out", "the link is a DeviceSerialLink")]


def test_links_within_a_chassis_are_no_cables() -> None:
    link = "<DeviceLinkBase><EndDevice>{}</EndDevice><EndPort>{}</EndPort>{}<StartDevice>t2-1</StartDevice>"
    link += "<StartPort>Ethernet1/1</StartPort></DeviceLinkBase>"
    inner = link.format("ASIC0", "Eth0-ASIC0", "<ChassisInternal>true</ChassisInternal>")
    found = cabling({"m.xml": f"<DeviceMiniGraph>{inner}{link.format('01T2', 'Ethernet1', '')}</DeviceMiniGraph>"})
    assert links(found) == {"01T2:Ethernet1 t2-1:Ethernet1/1": None}
    assert notes(found) == [("left-out", "the link is within one chassis")]


def test_a_session_of_several_devices_in_one_file() -> None:
    text = """\
admin@leaf1:~$ show lldp table
Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine1          Ethernet8       BR            Ethernet8
--------------------------------------------------
Total entries displayed:  1
admin@leaf1:~$
spine1#show lldp neighbors
Port          Neighbor Device ID       Neighbor Port ID    TTL
---------- ------------------------ ---------------------- ---
Et8           leaf1                  Ethernet0           120
spine1#
"""
    found = cabling({"session.log": text})
    assert links(found) == LINK
    assert notes(found) == []  # both ends see it
