"""A running switch comes to the model without being written as an intent first: what its text amounts to counts."""

from __future__ import annotations

from rocecfg.importing import import_intent
from rocecfg.model import Device, PortGroup, Span, TrafficClass
from rocecfg.source.document import Document, Sources
from rocecfg.vendors.draft import Draft
from rocecfg.vendors.running import fabric_of, read_drafts

EOS = """\
! device: leaf01 (DCS-7060X6-64PE, EOS-4.33.2F)
hostname leaf01
qos profile LOSSLESS
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      no priority
      bandwidth percent 60
interface Ethernet1/1
   no switchport
   service-profile LOSSLESS
interface Ethernet2/1
   no switchport
   service-profile LOSSLESS
   uc-tx-queue 3
      no random-detect ecn minimum-threshold
interface Ethernet3/1
   no switchport
   service-profile LOSSLESS
   uc-tx-queue 3
      bandwidth percent 40
"""


def _read(text: str, vendor: str) -> tuple[Sources, list[tuple[Document, list[Draft]]]]:
    sources = Sources()
    document = sources.add("switch.txt", text)
    return sources, [(document, read_drafts(document, vendor))]


def _device(text: str, vendor: str) -> Device:
    sources, read = _read(text, vendor)
    fabric = fabric_of("switch.txt", read, [], sources).fabric
    assert fabric is not None
    (device,) = fabric.devices
    return device


def test_ports_that_amount_to_the_same_are_one_group_though_one_says_so_and_one_is_silent() -> None:
    first, second = _device(EOS, "arista").ports
    assert (first.names, second.names) == (("Ethernet1/1", "Ethernet2/1"), ("Ethernet3/1",))
    assert [(cls.name, cls.bandwidth) for cls in second.overrides] == [("tc3", 40)]


def test_what_ports_send_otherwise_is_said_where_the_text_says_it() -> None:
    (cls,) = _device(EOS, "arista").ports[1].overrides
    at = cls.at("bandwidth")
    assert isinstance(at, Span)
    assert EOS[at.start : at.end].strip() == "bandwidth percent 40"


def _imported(text: str, vendor: str) -> str:
    sources, read = _read(text, vendor)
    return import_intent("switch.txt", read, sources).text


def test_a_note_of_an_import_points_at_the_statement_that_no_intent_has_a_word_for() -> None:
    wording = " ".join(line.strip(" #") for line in _imported(EOS, "arista").splitlines())
    line = EOS.splitlines().index("      bandwidth percent 40") + 1
    assert f"Ethernet3/1: bandwidth of tc 3 is 40: an intent has one for the switch (switch.txt:{line})" in wording


def test_a_profile_that_says_nothing_of_queues_makes_no_classes_of_an_import() -> None:
    text = "hostname leaf01\ninterface Ethernet1\n   service-profile P\nqos profile P\n"
    text += "   priority-flow-control buffer profile FADT\n"
    assert "classes: {}\n" in _imported(text, "arista")
    assert "classes: {}\n" not in _imported(f"{text}   uc-tx-queue 3\n      bandwidth percent 60\n", "arista")


def test_a_cable_of_no_length_is_called_so_in_an_import() -> None:
    text = """{"PORT": {"Ethernet0": {"speed": "400000", "admin_status": "up"}}, "CABLE_LENGTH": {"AZURE":
      {"Ethernet0": "0m"}}, "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}}}"""
    assert "Ethernet0: a cable of no length (switch.txt:2)" in _imported(text, "sonic")


OWN_MAPS = """\
{"PORT": {"Ethernet0": {"speed": "400000"}, "Ethernet8": {"speed": "400000"}},
"DSCP_TO_TC_MAP": {"USUAL": {
"26": "3",
"48": "6",
"0": "0"},
"OWN": {
"24": "4",
"25": "4",
"48": "6",
"30": "5",
"31": "5",
"0": "0"}},
"TC_TO_QUEUE_MAP": {"QUEUES": {
"0": "0", "3": "3",
"4": "4",
"5": "5",
"6": "6"}},
"PORT_QOS_MAP": {
"Ethernet0": {"dscp_to_tc_map": "USUAL", "tc_to_queue_map": "QUEUES",
"pfc_enable": "3"},
"Ethernet8": {"dscp_to_tc_map": "OWN", "tc_to_queue_map": "QUEUES",
"pfc_enable": "4"}}}
"""


def test_the_places_of_ports_with_their_own_maps_are_the_lines_of_these_maps() -> None:
    """What is as on the switch keeps the switch's line; what the port's own map says has the first line of it."""
    switch = _device(OWN_MAPS, "sonic")

    def line_of(element: TrafficClass | PortGroup, key: str) -> int:
        at = element.at(key)
        assert isinstance(at, Span), key
        return OWN_MAPS.count("\n", 0, at.start) + 1

    usual, own = switch.ports
    assert (usual.overrides, own.classes, own.pfc) == ((), ("tc0", "tc6", "tc4", "tc5"), (4,))
    assert (line_of(usual, "classes"), line_of(own, "classes")) == (20, 22)  # where PFC is on
    kinds = {cls.name: cls for cls in switch.classes}
    assert {name: line_of(cls, "dscp") for name, cls in kinds.items()} == {"tc0": 5, "tc3": 3, "tc6": 4}
    there = {cls.name: cls for cls in own.overrides}
    assert {name: cls.carries for name, cls in there.items()} == {  # tc6 is sorted as everywhere
        "tc0": (),
        "tc3": ("rdma",),
        "tc4": ("rdma",),
        "tc5": (),
    }
    assert (usual.maps, own.maps is None, switch.maps_on(own).dscp_to_tc[24]) == (None, False, 4)
    places = {name: [line_of(cls, key) for key in ("", "dscp", "tc", "queue")] for name, cls in there.items()}
    assert places == {
        "tc0": [5, 12, 5, 14],
        "tc3": [20, 14, 20, 14],  # no code point leads to it here: where its queue is said
        "tc4": [22, 7, 22, 15],
        "tc5": [10, 10, 10, 16],
    }
    assert [line_of(there[name], "carries") for name in ("tc3", "tc4")] == [20, 22]
    assert line_of(there["tc4"], "lossless") == 22
