"""Several files as one list: the same cable once, one name for each device, and what is not sure said."""

from __future__ import annotations

import json

import pytest
from cables import cabling, eos, links, notes, read


def lldp(**ports: tuple[str, str, str]) -> str:
    """`lldpctl -f json0` of ports: device, port id, description."""
    interfaces = [
        {
            "name": name,
            "chassis": [{"name": [{"value": device}]}],
            "port": [{"id": [{"type": "mac" if ":" in far else "local", "value": far}], "descr": [{"value": descr}]}],
        }
        for name, (device, far, descr) in ports.items()
    ]
    return json.dumps({"lldp": [{"interface": interfaces}]}, indent=1)


def test_a_cable_that_both_ends_see_is_one() -> None:
    found = cabling(
        {"leaf1.txt": eos(("Et1", "spine1", "Ethernet9")), "spine1.txt": eos(("Et9", "leaf1", "Ethernet1"))}
    )
    assert links(found) == {"leaf1:Ethernet1 spine1:Ethernet9": None}
    assert notes(found) == []


def test_a_cable_that_one_end_sees_is_said_to_be_so_and_why() -> None:
    found = cabling(
        {"leaf1.txt": eos(("Et1", "spine1", "Ethernet9")), "spine1.txt": eos(("Et8", "leaf2", "Ethernet1"))}
    )
    assert notes(found) == [
        ("one-sided", "only leaf1 sees it: spine1 does not see it"),
        ("one-sided", "only spine1 sees it: nothing is known from leaf2"),
    ]


def test_a_domain_makes_no_other_device() -> None:
    found = cabling(
        {
            "leaf1.txt": eos(("Et1", "Spine1.example.com", "Ethernet9")),
            "spine1.txt": eos(("Et9", "leaf1.lab", "Ethernet1")),
        }
    )
    assert links(found) == {"leaf1:Ethernet1 spine1:Ethernet9": None}


def test_a_domain_stays_where_nobody_of_that_name_reports() -> None:
    assert read(eos(("Et1", "spine1.example.com", "Ethernet9"))) == {
        "leaf1:Ethernet1 spine1.example.com:Ethernet9": None
    }


def test_a_far_port_without_a_name_is_told_by_what_its_device_sees() -> None:
    near = lldp(Ethernet0=("spine1", "517", "uplink to spine"))
    found = cabling({"leaf1.json": near, "spine1.txt": eos(("Et9", "leaf1", "Ethernet0"))})
    assert links(found) == {"leaf1:Ethernet0 spine1:Ethernet9": None}
    assert links(cabling({"leaf1.json": near})) == {}


@pytest.mark.parametrize(
    ("far", "descr", "port"),
    [
        ("44:38:39:00:00:01", "eth1", "eth1"),
        ("44:38:39:00:00:01", "link to leaf1", None),
        ("517", "et-0/0/3", "et-0/0/3"),
        ("517", "", None),
        ("Ethernet9", "eth1", "Ethernet9"),
    ],
)
def test_a_description_counts_where_the_id_is_no_name(far: str, descr: str, port: str | None) -> None:
    found = cabling({"leaf1.json": lldp(Ethernet0=("spine1", far, descr))})
    assert links(found) == ({f"leaf1:Ethernet0 spine1:{port}": None} if port else {})
    if port is None:
        assert notes(found)[0][0] == "left-out"


def test_several_neighbours_at_one_port_are_ambiguous_and_none_is_guessed() -> None:
    found = cabling({"leaf1.txt": eos(("Et1", "gpu1", "nic0"), ("Et1", "dpu1", "p0"), ("Et2", "spine1", "Ethernet9"))})
    assert links(found) == {"leaf1:Ethernet2 spine1:Ethernet9": None}
    assert notes(found)[0] == (
        "ambiguous", "2 cables end at this port: gpu1:nic0, dpu1:p0; none is taken",
    )  # fmt: skip


def test_of_several_neighbours_the_one_that_sees_the_port_too_is_taken() -> None:
    found = cabling(
        {
            "leaf1.txt": eos(("Et1", "leaf9", "Ethernet1"), ("Et1", "spine1", "Ethernet9")),
            "spine1.txt": eos(("Et9", "leaf1", "Ethernet1")),
        }
    )
    assert links(found) == {"leaf1:Ethernet1 spine1:Ethernet9": None}
    assert [kind for kind, _ in notes(found)] == ["contradictory"]


def test_ends_that_contradict_each_other_are_said() -> None:
    found = cabling(
        {"leaf1.txt": eos(("Et1", "spine1", "Ethernet9")), "spine1.txt": eos(("Et9", "leaf2", "Ethernet1"))}
    )
    assert len(found.cables) == 1
    ((kind, why), *_) = notes(found)
    assert kind == "contradictory"
    assert why == "2 cables end at this port: leaf1:Ethernet1, leaf2:Ethernet1; leaf1:Ethernet1 is taken"


def test_two_lengths_of_one_cable_are_said_and_neither_is_taken() -> None:
    rows = "a_device,a_port,b_device,b_port,cable\nleaf1,Ethernet1,spine1,Ethernet9,3m\n"
    found = cabling({"a.csv": rows, "b.csv": rows.replace("3m", "30m")})
    assert links(found) == {"leaf1:Ethernet1 spine1:Ethernet9": None}
    assert notes(found) == [("contradictory", "the cable is recorded with 3 m and 30 m")]


def test_a_length_from_the_inventory_and_the_ports_from_lldp_are_one_cable() -> None:
    rows = "a_device,a_port,b_device,b_port,cable\nleaf1,Eth1/1,spine1,Ethernet9,3m\n"
    found = cabling({"cables.csv": rows, "leaf1.txt": eos(("Et1/1", "spine1", "Ethernet9"))})
    assert links(found) == {"leaf1:Ethernet1/1 spine1:Ethernet9": 3}
    assert notes(found) == []


@pytest.mark.parametrize("port", ["Management1", "Ma1"])
def test_the_management_network_is_left_out_unless_it_is_asked_for(port: str) -> None:
    text = eos((port, "oob1", "Ethernet9"), ("Et1", "spine1", "Ethernet9"))
    assert set(read(text)) == {"leaf1:Ethernet1 spine1:Ethernet9"}
    assert len(read(text, management=True)) == 2


def test_names_that_no_intent_takes_are_said() -> None:
    rows = (
        'a_device,a_port,b_device,b_port\nleaf1,Ethernet1,"spine[1-2]",Ethernet9\nleaf 1,p1,spine1,p2\nl,p1,s,Port 1\n'
    )
    found = cabling({"a.csv": rows})
    assert links(found) == {}
    assert [why for _, why in notes(found)] == [
        "'spine[1-2]' cannot be the name of a device in an intent",
        "'leaf 1' cannot be the name of a device in an intent",
        "'Port 1' cannot be the name of a port in an intent",
    ]
