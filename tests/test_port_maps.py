"""Maps of single ports in an intent: what of a class differs there, and what follows from it."""

from __future__ import annotations

from pathlib import Path

import pytest
from intents import POLICY, device, fabric, findings, port, rules
from loops import loop

from rocecfg.analysis.hosts import HostNics
from rocecfg.hosts.plan import plan_port

LEAF = """\
defaults: {vendor: sonic, asic: tomahawk5, version: "202505"}
devices:
  leaf1:
    ports:
      "Ethernet[0-8/8]": {speed: 400G, faces: host, cable: 3m}
      "Ethernet[16-24/8]": {speed: 400G, faces: host, cable: 3m, classes: CLASSES}
"""


def leaf(classes: str) -> str:
    """An intent of a switch half of whose ports say `classes`."""
    return POLICY + LEAF.replace("CLASSES", classes)


def test_a_port_states_maps_of_its_own(tmp_path: Path) -> None:
    of = fabric(tmp_path, leaf("{rdma: {dscp: [24], priority: 4}}"))
    switch = device(of, "leaf1")
    usual, own = port(of, "leaf1", "Ethernet0"), port(of, "leaf1", "Ethernet16")
    assert usual.maps is None
    assert usual.pfc == (3,)
    assert own.pfc == (4,)
    assert own.maps is not None
    there = {c.name: c for c in switch.classes_on(own)}
    assert (there["rdma"].dscps, there["rdma"].priority) == ((24,), 4)
    assert (there["rdma"].tc, there["rdma"].queue, there["rdma"].pg) == (4, 4, 4)  # as for a class of a device
    maps = switch.maps_on(own)
    assert (maps.dscp_to_tc[24], maps.dscp_to_tc[26]) == (4, 0)
    assert 26 in there["default"].dscps  # `rest` is worked out for the port
    assert 24 not in there["default"].dscps
    assert (switch.maps_on(usual).dscp_to_tc[24], switch.maps.dscp_to_tc[26]) == (0, 3)


def test_what_the_class_states_holds_on_the_port_too(tmp_path: Path) -> None:
    text = leaf("{rdma: {priority: 4}}").replace("priority: 3,", "priority: 3, tc: 3, queue: 3,")
    of = fabric(tmp_path, text)
    (rdma,) = (c for c in device(of, "leaf1").classes_on(port(of, "leaf1", "Ethernet16")) if c.name == "rdma")
    assert (rdma.priority, rdma.tc, rdma.queue, rdma.pg) == (4, 3, 3, 4)


def test_ports_without_a_difference_have_the_maps_of_the_device(tmp_path: Path) -> None:
    for classes in ("{rdma: off}", "[cnp, control, default]", "{rdma: {ecn: {kmin: 1MB, kmax: 2MB, pmax: 1%}}}"):
        of = fabric(tmp_path, leaf(classes))
        own = port(of, "leaf1", "Ethernet16")
        assert own.maps is None
        assert all(c.dscps == device(of, "leaf1").cls(c.name).dscps for c in own.overrides)


def test_equal_maps_are_one_object(tmp_path: Path) -> None:
    text = leaf("{rdma: {dscp: [24], priority: 4}}")
    rows = "".join(
        f"  leaf{n}: {{rail: {n}, ports: {{Ethernet0: {{speed: 100G, cable: {n}m, faces: host, classes: "
        "{rdma: {dscp: [24], priority: 4}}}}}\n"
        for n in range(2, 30)
    )
    of = fabric(tmp_path, text + rows)
    maps = [p.maps for d in of.devices for p in d.ports if p.maps is not None]
    assert len(maps) == 29
    assert len({id(m) for m in maps}) == 1


def test_a_class_taken_off_gives_way_to_what_the_port_changes(tmp_path: Path) -> None:
    of = fabric(tmp_path, leaf("{cnp: off, rdma: {dscp: [26, 48]}}"))
    own = port(of, "leaf1", "Ethernet16")
    assert own.classes == ("rdma", "control", "default")
    assert device(of, "leaf1").maps_on(own).dscp_to_tc[48] == 3


def test_maps_merge_from_wider_and_narrower_ports(tmp_path: Path) -> None:
    text = (
        POLICY
        + """\
devices:
  leaf[1-2]:
    ports:
      "Ethernet[0-24/8]": {speed: 400G, faces: host, cable: 3m, classes: {rdma: {dscp: [24], priority: 4}}}
      "Ethernet8": {classes: {rdma: {priority: 5}}}
"""
    )
    of = fabric(tmp_path, text)
    rdma = {
        name: next(c for c in device(of, "leaf1").classes_on(port(of, "leaf1", name)) if c.name == "rdma")
        for name in ("Ethernet0", "Ethernet8")
    }
    assert [(c.dscps, c.priority, c.tc) for c in rdma.values()] == [((24,), 4, 4), ((24,), 5, 5)]


@pytest.mark.parametrize(
    ("classes", "rule", "text"),
    [
        ("{rdma: {dscp: rest}}", "schema-rest", "rest"),
        ("{cnp: {dscp: rest}}", "schema-rest", "rest"),
        ("{rdma: {dscp: [64]}}", "schema-dscp-range", "64"),
        ("{rdma: {priority: 8}}", "schema-priority-range", "8"),
        ("{rdna: {priority: 4}}", "schema-ref", "rdna"),
        ("{bulk: {priority: 4, dscp: [10]}}", "schema-ref", "bulk"),
        ("{rdma: {bandwidth: 10}}", "schema-port-class", "10"),
        ("{rdma: {dscp: [26]}}", "schema-dead-override", "dscp"),
    ],
)
def test_what_is_wrong_with_a_ports_classes_has_its_place(classes: str, rule: str, text: str, tmp_path: Path) -> None:
    found = findings(tmp_path, leaf(classes))
    assert rule in {f.rule for f in found}
    first = next(f for f in found if f.rule == rule)
    assert text in first.text
    assert first.line == 16


def test_a_half_migrated_switch_is_clean(tmp_path: Path) -> None:
    usual = set(rules(tmp_path, POLICY + LEAF.replace(", classes: CLASSES", "")))
    assert set(rules(tmp_path, leaf("{rdma: {dscp: [24], priority: 4}}"))) <= usual


@pytest.mark.parametrize(
    ("classes", "rule"),
    [
        ("{rdma: {dscp: [24, 48]}}", "mix-dscp-dup"),
        ("{default: {priority: 3}}", "mix-class-shared"),
        ("{rdma: {priority: 0}}", "pfc-prio0"),
        ("{rdma: {dscp: [0, 26]}}", "pfc-prio0"),
        ("{cnp: {lossless: true}}", "pfc-cnp"),
        ("{control: {lossless: true}}", "pfc-control-prio"),
        ("{cnp: {lossless: true, priority: 5}}", "pfc-cnp"),
        ("{default: {pg: 3}}", "mix-pg-shared"),
        ("{rdma: {queue: 5}}", "mix-tc-chain"),
        ("{default: {dscp: [0]}}", "mix-map-total"),
        ("{cnp: {tc: 0, queue: 0}}", "mix-cnp"),
        ("{rdma: {lossless: false}}", "pfc-missing-rdma"),
        ("{default: {tc: 7, queue: 7}}", "ets-control"),
    ],
)
def test_what_crosses_a_port_is_judged_by_the_ports_own_maps(classes: str, rule: str, tmp_path: Path) -> None:
    found = [f for f in findings(tmp_path, leaf(classes)) if f.rule == rule]
    assert len(found) == 1
    places = [found[0].line, *(line for line, _ in found[0].related)]
    assert 16 in places  # the port's own line


def test_what_is_wrong_everywhere_is_said_once(tmp_path: Path) -> None:
    text = leaf("{rdma: {priority: 4}}").replace("dscp: rest", "dscp: 0")
    assert rules(tmp_path, text).count("mix-map-total") == 1


HOSTS = """\
hosts:
  old[1-2]: {nic: connectx-7, ports: {nic0: {}}, rdma_dscp: 26, pfc_priorities: [3], cnp_dscp: 48, trust: dscp}
  new[1-2]: {nic: connectx-7, ports: {nic0: {}}, rdma_dscp: 24, pfc_priorities: [4], cnp_dscp: 48, trust: dscp}
"""
LINKS = """\
links:
  - {a: "old[1-2]:nic0", b: "leaf1:Ethernet[0-8/8]"}
  - {a: "new[1-2]:nic0", b: "leaf1:Ethernet[16-24/8]"}
"""
MARKS = {"mix-host-tc", "mix-nic-tos", "ecn-cnp-dscp", "nic-pfc"}


def test_hosts_are_compared_with_the_ports_that_they_hang_on(tmp_path: Path) -> None:
    text = leaf("{rdma: {dscp: [24], priority: 4}}") + HOSTS
    assert not MARKS & set(rules(tmp_path, text + LINKS))
    assert not MARKS & set(rules(tmp_path, text))  # not known which ports: each mark is RDMA's on some
    crossed = LINKS.replace("old", "x").replace("new", "old").replace("x[", "new[")
    found = [f for f in findings(tmp_path, text + crossed) if f.rule == "mix-host-tc"]
    assert sorted(f.message.partition(":")[0] for f in found) == [
        "new[1-2] sends RDMA with DSCP 24",
        "old[1-2] sends RDMA with DSCP 26",
    ]
    assert "DSCP 25" not in str(found)
    other = text.replace("rdma_dscp: 24", "rdma_dscp: 25")
    assert "mix-host-tc" in rules(tmp_path, other)


def test_nics_are_configured_for_the_ports_that_they_hang_on(tmp_path: Path) -> None:
    of = fabric(tmp_path, leaf("{rdma: {dscp: [24], priority: 4}}") + HOSTS + LINKS)
    (switch,) = of.devices
    old, new = (HostNics(key, key, None, {}, {}, switch.at()) for key in ("old[1-2]", "new[1-2]"))
    made = plan_port(of, new, switch, port(of, "leaf1", "Ethernet16"))
    assert (made.rdma_dscp, made.rdma_priority, made.pfc) == (24, 4, (4,))
    assert made.dscp_map[24] == 4
    usual = plan_port(of, old, switch, port(of, "leaf1", "Ethernet0"))
    assert (usual.rdma_dscp, usual.rdma_priority) == (26, 3)


def test_the_ends_of_a_link_are_compared_by_their_own_maps(tmp_path: Path) -> None:
    text = leaf("{rdma: {dscp: [24], priority: 4}}") + (
        '  spine1: {ports: {Ethernet0: {speed: 400G, faces: switch, cable: 3m}}}\nlinks: [{a: "leaf1:PORT", '
        'b: "spine1:Ethernet0"}]\n'
    )
    assert "path-map" not in rules(tmp_path, text.replace("PORT", "Ethernet0"))
    assert "path-map" in rules(tmp_path, text.replace("PORT", "Ethernet16"))


@loop(("field", "value"), [("dscp", "24"), ("tc", "5"), ("queue", "5"), ("priority", "4"), ("tc", "6")])
def test_what_a_port_sorts_otherwise_is_refused_where_it_is_stated(field: str, value: str, tmp_path: Path) -> None:
    """EOS has one map for the switch: what differs on a port has its place there, whichever number it is."""
    stated = POLICY.replace("priority: 3,", "priority: 3, queue: 3,") if value == "6" else POLICY
    text = stated + (
        'defaults: {vendor: arista, platform: arista-7060x6-64pe, version: "4.33.2F"}\n'
        f"devices: {{leaf1: {{ports: {{Ethernet1/1: {{speed: 800G}}, Ethernet2/1: {{speed: 800G, classes: {{rdma: "
        f"{{{field}: {value}}}}}}}}}}}}}\n"
    )
    found = [f for f in findings(tmp_path, text) if f.rule == "nos-unsupported" and "by port" in f.message]
    assert [(f.text, f.line) for f in found] == [(value, text.count("\n"))], found


@loop("field", ["priority", "tc", "queue"])
def test_a_class_that_does_not_cross_a_port_leaves_its_number_to_the_class_that_takes_it(
    field: str, tmp_path: Path
) -> None:
    classes = (
        "classes:\n  a: {carries: [rdma], dscp: 26, priority: 3, bandwidth: 40}\n"
        "  b: {carries: [storage], dscp: 28, priority: 4, tc: 4, queue: 4, bandwidth: 30}\n"
        "  default: {carries: [default], dscp: rest, priority: 0, bandwidth: 30}\n"
    )
    for number, taken in ((3, True), (5, False)):
        ports = f"{{Ethernet0: {{classes: {{a: off, b: {{{field}: {number}, dscp: 29}}}}}}}}"
        text = f"rocecfg: 1\nfabric: {{name: lab}}\n{classes}devices: {{leaf1: {{ports: {ports}}}}}\n"
        of = fabric(tmp_path, text)
        there = device(of, "leaf1").all_classes_on(port(of, "leaf1", "Ethernet0"))
        assert ("a" in {c.name for c in there}) != taken, (field, number)


def test_the_rest_of_a_class_that_is_off_goes_to_the_one_that_takes_it(tmp_path: Path) -> None:
    text = POLICY.replace(
        "  default: {", "  scraps: {carries: [telemetry], dscp: [1, 2], priority: 1, bandwidth: 10}\n  default: {"
    ).replace("bandwidth: 40}", "bandwidth: 30}")
    text += "devices: {leaf1: {ports: {Ethernet0: {classes: {default: off, scraps: {dscp: rest}}}}}}\n"
    assert [f.rule for f in findings(tmp_path, text) if f.severity == "error" and f.rule.startswith("schema")] == []
    of = fabric(tmp_path, text)
    own = device(of, "leaf1").maps_on(port(of, "leaf1", "Ethernet0"))
    assert (own.dscp_to_tc[26], own.dscp_to_tc[40]) == (3, 1)


def test_what_is_wrong_with_the_ports_of_equal_devices_is_told_of_each(tmp_path: Path) -> None:
    text = (
        POLICY
        + "devices:\n"
        + "".join(
            f'  leaf{n}: {{ports: {{"Ethernet[0-8/8]": {{speed: 400G}}, "Ethernet[8-16/8]": {{speed: 100G}}}}}}\n'
            for n in (1, 2)
        )
    )
    first = POLICY.count("\n") + 2
    wrong = {f.line for f in findings(tmp_path, text) if f.severity == "error"}
    assert wrong == {first, first + 1}
