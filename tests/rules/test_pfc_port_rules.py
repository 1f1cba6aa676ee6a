"""PFC at the edge, on VLANs, with DCBX and MACsec, and fabrics without it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rule_factory
from host_facts import hosts
from intents import POLICY as INTENT
from intents import loaded
from rule_factory import CNP, DEFAULT, POLICY, RDMA, hits

from rocecfg.model import Default, Device, PortGroup, Span
from rocecfg.profiles import SHIPPED
from rocecfg.rules import pfc_ports
from rocecfg.rules.base import ERROR, INFO, WARNING

ALL_CLASSES = ("rdma", "cnp", "control", "default")


def port(name: str = "Ethernet0", classes: tuple[str, ...] = ALL_CLASSES, **more: Any) -> PortGroup:
    pfc = (3,) if "rdma" in classes else ()
    return PortGroup((name,), name, classes, **{"pfc": pfc, **more})


def switch(*ports: PortGroup, **more: Any) -> Device:
    return replace(rule_factory.device(*POLICY, ports=ports), **more)


# -- pfc-edge ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", ["firewall", "load-balancer", "wan", "dci", "border", "border-leaf", "Border"])
def test_roles_that_lead_out(role: str) -> None:
    of = switch(port(faces="switch"), role=role, origins={"role": Span(0, 5, 9)})
    (hit,) = hits(pfc_ports.pfc_edge, of)
    assert role in hit.message
    assert "priority 3" in hit.message
    assert hit.at == (Span(0, 5, 9),)


@pytest.mark.parametrize("role", [None, "leaf", "spine", "superspine", "rail"])
def test_roles_within_the_fabric(role: str | None) -> None:
    assert not hits(pfc_ports.pfc_edge, switch(port(faces="switch"), role=role))


@pytest.mark.parametrize(("faces", "fires"), [("edge", True), ("host", False), ("storage", False), (None, False)])
def test_what_a_port_faces(faces: str | None, fires: bool) -> None:
    found = hits(pfc_ports.pfc_edge, switch(port(faces=faces), role="leaf"))
    assert len(found) == fires
    for hit in found:
        assert "classes: [cnp, control, default]" in hit.help


def test_an_edge_port_without_pfc() -> None:
    assert not hits(pfc_ports.pfc_edge, switch(port(classes=("control", "default"), faces="edge"), role="firewall"))


def test_a_border_switch_with_rdma_hosts_keeps_pfc() -> None:
    uplink, hosts_ = port(faces="switch"), port("Ethernet8", faces="host")
    assert not hits(pfc_ports.pfc_edge, switch(uplink, hosts_, role="border"))
    lossy = port("Ethernet8", classes=("default",), faces="host")
    assert len(hits(pfc_ports.pfc_edge, switch(uplink, lossy, role="border"))) == 1
    assert len(hits(pfc_ports.pfc_edge, switch(uplink, hosts_, role="firewall"))) == 2


@pytest.mark.parametrize(("asic", "fires"), [("jericho2", False), ("tomahawk4", True)])
def test_deep_buffers_between_sites(asic: str, fires: bool) -> None:
    of = switch(port(faces="switch"), role="dci", asic=SHIPPED.asic(asic))
    assert bool(hits(pfc_ports.pfc_edge, of)) is fires
    outward = switch(port(faces="edge"), role="dci", asic=SHIPPED.asic(asic))
    assert len(hits(pfc_ports.pfc_edge, outward)) == 1  # what is beyond has what it has


# -- pfc-vlan-l3 -------------------------------------------------------------------------------------------------------

STATED, ELSEWHERE = {"trust": Span(0, 1, 4)}, {"trust": Span(0, 50, 54)}


def test_a_priority_that_ends_at_a_routed_hop() -> None:
    access = port(layer=2, trust="pcp", origins=STATED)
    (hit,) = hits(pfc_ports.pfc_vlan_l3, switch(access, port("Ethernet8", layer=3)))
    assert "class rdma" in hit.message
    assert "priority 3" in hit.message
    assert hit.at == (Span(0, 1, 4),)
    assert hit.help.startswith("set trust: dscp")


@pytest.mark.parametrize(
    ("access", "uplink"),
    [
        ({"layer": 2, "trust": "dscp"}, {"layer": 3}),
        ({"layer": 2, "trust": "pcp"}, {"layer": 2}),
        ({"layer": 2, "trust": "pcp"}, {"layer": None}),  # not stated
        ({"layer": 3, "trust": "pcp"}, {"layer": 3}),  # mix-trust
        ({"layer": 2, "trust": "pcp"}, {"layer": 3, "classes": ("control", "default")}),
        ({"layer": 2, "trust": "pcp", "classes": ("control", "default")}, {"layer": 3}),
        ({"layer": 2, "trust": "pcp"}, {"layer": 3, "trust": "pcp", "origins": STATED}),  # one place: mix-trust
    ],
)
def test_priorities_that_do_not_end_there(access: dict[str, Any], uplink: dict[str, Any]) -> None:
    of = switch(port(**{"origins": STATED, **access}), port("Ethernet8", **{"origins": ELSEWHERE, **uplink}))
    assert not hits(pfc_ports.pfc_vlan_l3, of)


# -- pfc-dcbx, pfc-macsec ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dcbx", "vendor", "fires"),
    [
        ("willing", None, True),
        ("willing", "spectrum", True),
        ("willing", "sonic", False),  # it has no DCBX
        ("willing", "arista", False),  # nos-unsupported
        ("auto", None, False),  # the other end is not stated
        ("on", None, False),
        ("off", None, False),
        (None, None, False),
    ],
)
def test_dcbx(dcbx: str | None, vendor: str | None, fires: bool) -> None:
    nos = SHIPPED.nos(vendor) if vendor else None
    assert bool(hits(pfc_ports.pfc_dcbx, switch(port(), dcbx=dcbx, vendor=vendor, nos=nos))) is fires


def test_dcbx_without_pfc() -> None:
    of = switch(port(classes=("default",)), port("eth0", faces="management"), dcbx="willing")
    assert not hits(pfc_ports.pfc_dcbx, of)


@pytest.mark.parametrize(
    ("macsec", "fires"), [("unstated", True), ("clear", False), ("encrypted", False), (None, False)]
)
def test_macsec(macsec: str | None, fires: bool) -> None:
    assert bool(hits(pfc_ports.pfc_macsec, switch(port(macsec=macsec)))) is fires
    assert not hits(pfc_ports.pfc_macsec, switch(port(macsec=macsec, classes=("default",))))


@pytest.mark.parametrize(
    ("stated", "macsec"),
    [
        ("{}", None),
        ("{macsec: {}}", "unstated"),
        ("{macsec: {pfc_frames: clear}}", "clear"),
        ("{macsec: {pfc_frames: encrypted}}", "encrypted"),
        ("{macsec: {pfc_frames: maybe}}", None),  # unreadable, which schema-value tells: not unstated
    ],
)
def test_the_model_knows_macsec(stated: str, macsec: str | None, tmp_path: Path) -> None:
    read, _ = loaded(tmp_path, f"{INTENT}devices: {{leaf1: {{ports: {{Ethernet0: {stated}}}}}}}\n")
    assert read.fabric is not None
    (group,) = read.fabric.devices[0].ports
    assert group.macsec == macsec
    assert ("macsec" in group.origins) == ("macsec" in stated)


# -- pfc-lossy-cc-only -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("groups", "severities"),
    [
        ({}, []),
        ({"a": {"selective_repeat": True}}, []),
        ({"a": {"selective_repeat": True}, "b": {"nic": "x"}}, [INFO]),
        ({"a": {"selective_repeat": False}}, [WARNING]),
        ({"a": {"selective_repeat": False}, "b": {"nic": "x"}}, [WARNING, INFO]),
    ],
)
def test_a_lossy_fabric_wants_selective_repeat(groups: dict[str, dict[str, Any]], severities: list[str]) -> None:
    of = rule_factory.device(replace(RDMA, lossless=False), CNP, DEFAULT)
    facts = hosts(**groups) if groups else {}
    rule = pfc_ports.pfc_lossy_cc_only
    found = hits(rule, of, mode="lossy", facts=facts)
    assert [hit.severity or rule.severity for hit in found] == severities
    assert not hits(rule, of, mode="lossless", facts=facts)
    assert not hits(rule, rule_factory.device(DEFAULT), mode="lossy", facts=facts)  # no RDMA there


def test_who_is_not_known_is_named() -> None:
    of = rule_factory.device(*POLICY)
    facts = hosts(gpu={"nic": "x"}, store={"selective_repeat": True}, web={})
    (hit,) = hits(pfc_ports.pfc_lossy_cc_only, of, mode="lossy", facts=facts, origins={"mode": Span(0, 7, 9)})
    assert "gpu and web" in hit.message
    assert hit.at == (Span(0, 7, 9),)


def test_severities() -> None:
    assert {r.name: r.severity for r in pfc_ports.RULES} == {
        "pfc-edge": WARNING,
        "pfc-vlan-l3": ERROR,
        "pfc-dcbx": WARNING,
        "pfc-macsec": WARNING,
        "pfc-lossy-cc-only": INFO,
    }
    off = {r.name for r in pfc_ports.RULES if r.by_kind.get("lossy") == "off"}
    assert off == {r.name for r in pfc_ports.RULES} - {"pfc-lossy-cc-only"}


def test_a_default_place_gives_way_to_a_written_one() -> None:
    edge = port(faces="edge", origins={"classes": Default("all"), "faces": Span(0, 3, 7)})
    (hit,) = hits(pfc_ports.pfc_edge, switch(edge))
    assert hit.at == (Default("all"), Span(0, 3, 7))
