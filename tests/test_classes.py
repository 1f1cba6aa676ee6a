"""Traffic classes: defaults, `rest`, classes off, and which of them cross a port."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from intents import FABRIC, POLICY, device, fabric, findings, loaded, port, rules

from rocecfg.model import Ecn


def test_tc_queue_and_pg_follow_from_the_priority(tmp_path: Path) -> None:
    classes = {c.name: (c.priority, c.tc, c.queue, c.pg) for c in fabric(tmp_path, POLICY).devices[0].classes}
    assert classes == {"rdma": (3, 3, 3, 3), "cnp": (6, 6, 6, 0), "control": (7, 7, 7, 7), "default": (0, 0, 0, 0)}


def test_tc_queue_and_pg_may_be_stated(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 3", "priority: 3, tc: 4").replace("priority: 6", "priority: 6, queue: 5, pg: 1")
    of = fabric(tmp_path, text).devices[0]
    rdma, cnp = of.cls("rdma"), of.cls("cnp")
    assert (rdma.tc, rdma.queue, rdma.pg) == (4, 4, 3)
    assert (cnp.tc, cnp.queue, cnp.pg) == (6, 5, 1)
    assert of.maps.dscp_to_tc[26] == 4
    assert of.maps.tc_to_queue[4] == 4
    assert of.maps.pfc_to_queue[3] == 4
    assert of.maps.pfc_to_pg[3] == 3
    assert of.maps.tc_to_queue[6] == 5


def test_a_class_carries_what_its_name_says_unless_told(tmp_path: Path) -> None:
    text = POLICY.replace("carries: [cnp], ", "").replace("carries: [control]", "carries: bgp")
    of = fabric(tmp_path, text).devices[0]
    assert of.cls("cnp").carries == ("cnp",)
    assert of.cls("control").carries == ("bgp",)


def test_rest_takes_what_nobody_claims(tmp_path: Path) -> None:
    of = fabric(tmp_path, POLICY).devices[0]
    default = of.cls("default")
    assert default.rest
    assert set(default.dscps) == set(range(64)) - {26, 48, 56}
    assert None not in of.maps.dscp_to_tc
    assert [of.maps.dscp_to_tc[d] for d in (26, 48, 56, 0, 63)] == [3, 6, 7, 0, 0]


def test_rest_is_worked_out_per_device_after_overrides(tmp_path: Path) -> None:
    text = (
        POLICY + "devices:\n  leaf1: {classes: {rdma: {dscp: [26, 30]}}}\n  leaf2: {classes: {cnp: off}}\n  leaf3: {}\n"
    )
    of = fabric(tmp_path, text)
    assert 30 not in device(of, "leaf1").cls("default").dscps
    assert 48 in device(of, "leaf2").cls("default").dscps
    assert device(of, "leaf2").maps.dscp_to_tc[48] == 0
    assert set(device(of, "leaf3").cls("default").dscps) == set(range(64)) - {26, 48, 56}


def test_without_rest_the_map_is_partial(tmp_path: Path) -> None:
    text = POLICY.replace("dscp: rest", "dscp: 0")
    assert rules(tmp_path, text) == ["mix-map-total"]


def test_rest_stands_in_one_class_and_never_in_a_lossless_one(tmp_path: Path) -> None:
    (twice,) = findings(tmp_path, POLICY.replace("dscp: 48", "dscp: rest"))
    assert (twice.rule, twice.text, twice.line) == ("schema-rest", "rest", 8)
    assert twice.related == ((6, "the first rest"),)
    lossless = POLICY.replace("dscp: 26", "dscp: rest").replace("dscp: rest, priority: 0", "dscp: 0, priority: 0")
    assert [(f.rule, f.line) for f in findings(tmp_path, lossless)] == [("schema-rest", 4)]


def test_a_class_is_taken_off_a_device(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf[1-2]: {}\n  leaf2: {classes: {rdma: off}}\n"
    read = fabric(tmp_path, text)
    assert [c.name for c in device(read, "leaf2").classes] == ["cnp", "control", "default"]
    assert device(read, "leaf2").ports[0].pfc == ()
    assert device(read, "leaf1").ports[0].pfc == (3,)


def test_a_device_may_have_a_class_of_its_own(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf1: {classes: {backup: {dscp: 10, priority: 1}, default: {bandwidth: 40}}}\n"
    read = fabric(tmp_path, text)
    assert device(read, "leaf1").cls("backup").tc == 1
    assert 10 not in device(read, "leaf1").cls("default").dscps


def test_a_class_that_is_not_there_cannot_be_changed(tmp_path: Path) -> None:
    (found,) = findings(tmp_path, POLICY + "devices:\n  leaf1: {classes: {rmda: {bandwidth: 50}}}\n")
    assert (found.rule, found.text) == ("schema-ref", "rmda")
    assert found.help == "did you mean rdma?"


TORN = {
    "storage": "{carries: [storage], dscp: 18, priority: 2, tc: 5, queue: 4, lossless: true, pg: 2, bandwidth: 20}",
    "archive": "{carries: [storage], dscp: 10, priority: 1, tc: 5, queue: 1, bandwidth: 20}",
    "backup": "{carries: [storage], dscp: [10, 12], priority: 1, tc: 5, queue: 6, bandwidth: 20}",
    "default": "{carries: [default], dscp: rest, priority: 0, bandwidth: 40}",
}


@pytest.mark.parametrize("order", list(permutations(TORN)), ids="-".join)
def test_a_traffic_class_torn_between_queues_goes_where_lossless_traffic_goes(
    order: tuple[str, ...], tmp_path: Path
) -> None:
    """Packets of a paused class must be in the queue that the pause stops, wherever in the file the class is."""
    classes = "".join(f"  {name}: {TORN[name]}\n" for name in order)
    text = f"rocecfg: 1\nfabric: {{name: lab}}\nclasses:\n{classes}{POLICY[POLICY.index('pfc:') :]}"
    read, _ = loaded(tmp_path, text)
    assert read.fabric is not None
    maps = read.fabric.devices[0].maps
    assert (maps.tc_to_queue[5], maps.tc_to_pg[5], maps.pfc_to_queue[2]) == (4, 2, 4)
    assert maps.pfc_to_queue[1] == 1  # both are lossy: the lower queue
    conflicts = [(f.rule, f.text) for f in findings(tmp_path, text) if f.rule in ("mix-tc-chain", "mix-dscp-dup")]
    torn = [text for rule, text in conflicts if rule == "mix-tc-chain"]
    assert sorted(torn) == ["1", "6"]  # the queues that two of the classes do not get
    assert len(conflicts) == 3


PORTS = """\
devices:
  leaf1:
    ports:
      Ethernet0: {speed: 400G, faces: host}
      Ethernet8: {speed: 400G, faces: storage, classes: [default, control]}
      Ethernet16: {speed: 400G, faces: host, classes: {rdma: off}}
      Ethernet24: {speed: 100G, faces: management}
      Ethernet32: {speed: 400G, faces: host, classes: {rdma: {ecn: {kmin: 1MB, kmax: 2MB, pmax: 1%}}}}
      Ethernet40: {speed: 400G, faces: host, classes: rdma}
"""


@pytest.mark.parametrize(
    ("name", "classes", "pfc"),
    [
        ("Ethernet0", ("rdma", "cnp", "control", "default"), (3,)),
        ("Ethernet8", ("control", "default"), ()),
        ("Ethernet16", ("cnp", "control", "default"), ()),
        ("Ethernet24", ("cnp", "control", "default"), ()),
        ("Ethernet32", ("rdma", "cnp", "control", "default"), (3,)),
        ("Ethernet40", ("rdma",), (3,)),
    ],
)
def test_classes_cross_a_port_as_it_says(
    name: str, classes: tuple[str, ...], pfc: tuple[int, ...], tmp_path: Path
) -> None:
    one = port(fabric(tmp_path, POLICY + PORTS), "leaf1", name)
    assert one.classes == classes
    assert one.pfc == pfc


def test_maps_stay_those_of_the_device_whatever_crosses_a_port(tmp_path: Path) -> None:
    of = device(fabric(tmp_path, POLICY + PORTS), "leaf1")
    assert of.maps.dscp_to_tc[26] == 3
    assert [c.name for c in of.classes] == ["rdma", "cnp", "control", "default"]


def test_ecn_may_differ_on_a_port(tmp_path: Path) -> None:
    of = fabric(tmp_path, POLICY + PORTS)
    leaf = device(of, "leaf1")
    curves = {c.name: c.ecn for c in leaf.classes_on(port(of, "leaf1", "Ethernet32"))}
    assert curves["rdma"] == Ecn(1_000_000, 2_000_000, 1)
    assert {c.name: c.ecn for c in leaf.classes_on(port(of, "leaf1", "Ethernet0"))}["rdma"] == leaf.cls("rdma").ecn


@pytest.mark.parametrize("part", ["bandwidth: 10", "max_rate: 10%", "carries: storage", "marks: 30"])
def test_shares_and_what_a_class_is_cannot_differ_by_port(part: str, tmp_path: Path) -> None:
    text = (
        POLICY
        + f"devices:\n  leaf1: {{ports: {{Ethernet0: {{speed: 400G, faces: host, classes: {{rdma: {{{part}}}}}}}}}}}\n"
    )
    (found,) = findings(tmp_path, text)
    assert (found.rule, found.text) == ("schema-port-class", part.split(": ")[1])
    assert "set it on the device" in found.help


def test_a_port_names_only_classes_there_are(tmp_path: Path) -> None:
    text = POLICY + "devices:\n  leaf1: {ports: {Ethernet0: {speed: 400G, faces: host, classes: [rdma, dfault]}}}\n"
    (found,) = findings(tmp_path, text)
    assert (found.rule, found.text, found.help) == ("schema-ref", "dfault", "did you mean default?")


def test_a_management_port_may_be_given_a_lossless_class_and_that_is_found(tmp_path: Path) -> None:
    silent = POLICY + "devices:\n  leaf1: {ports: {Ethernet0: {speed: 100G, faces: management}}}\n"
    assert rules(tmp_path, silent) == []
    assert rules(tmp_path, silent.replace("management", "management, classes: [rdma]")) == ["pfc-mgmt-port"]


@pytest.mark.parametrize(
    ("stated", "value"),
    [("off", None), ("auto", "auto"), ("{kmin: 1KB, kmax: 2KB, pmax: 100%, weight: 5}", Ecn(1000, 2000, 100, 5))],
)
def test_ecn_is_off_auto_or_a_curve(stated: str, value: object, tmp_path: Path) -> None:
    read = fabric(tmp_path, POLICY.replace("{kmin: 400KB, kmax: 1600KB, pmax: 5%}", stated))
    assert read.devices[0].cls("rdma").ecn == value


def test_by_speed_replaces_the_curve_on_ports_of_that_speed(tmp_path: Path) -> None:
    rdma = device(fabric(tmp_path, FABRIC), "leaf01").cls("rdma")
    assert rdma.ecn_at(800 * 10**9) == Ecn(900_000, 2_500_000, 5)
    assert rdma.ecn_at(400 * 10**9) == Ecn(700_000, 2_300_000, 5)
    assert rdma.ecn_at(None) == Ecn(700_000, 2_300_000, 5)


def test_rates_and_percents_are_told_apart(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 0", "priority: 0, max_rate: 10G, guaranteed: 5%")
    default = fabric(tmp_path, text).devices[0].cls("default")
    assert (default.max_rate, default.max_percent) == (10**10, None)
    assert (default.guaranteed_rate, default.guaranteed_percent) == (None, 5)


def test_networks_and_marks_are_kept(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 3", 'priority: 3, networks: [10.0.0.0/8, "fd00::/8"], marks: [26, 30]')
    rdma = fabric(tmp_path, text).devices[0].cls("rdma")
    assert rdma.networks == ("10.0.0.0/8", "fd00::/8")
    assert rdma.marks == (26, 30)


@pytest.mark.parametrize("prefix", ["10.0.0.0/33", "10.0.0", "300.0.0.0/8", "x"])
def test_a_prefix_must_be_one(prefix: str, tmp_path: Path) -> None:
    found = rules(tmp_path, POLICY.replace("priority: 3", f"priority: 3, networks: [{prefix}]"))
    assert found == ["schema-name"]


@pytest.mark.parametrize(("text", "rate", "share"), [("100G", 100_000_000_000, None), ("50%", None, 50.0)])
def test_a_shaper_is_a_rate_or_a_share(text: str, rate: int | None, share: float | None, tmp_path: Path) -> None:
    of = fabric(tmp_path, POLICY.replace("priority: 0, ", f"priority: 0, max_rate: {text}, guaranteed: {text}, "))
    default = of.devices[0].cls("default")
    assert (default.max_rate, default.max_percent) == (rate, share)
    assert (default.guaranteed_rate, default.guaranteed_percent) == (rate, share)


def test_a_share_above_all_is_out_of_range(tmp_path: Path) -> None:
    text = POLICY.replace("priority: 0, ", "priority: 0, max_rate: 150%, ")
    assert "schema-range" in [f.rule for f in findings(tmp_path, text)]
