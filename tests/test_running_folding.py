"""One finding for one cause in configurations of switches, where each interface states the same again."""

from __future__ import annotations

import pytest
from switches import Places, found, interfaces, port, switch

from rocecfg.linting.finding import Finding
from rocecfg.model.stated import OFF, Problem
from rocecfg.model.switch import Port

ALERT = {"action": "alert"}


def of(rule: str, findings: list[Finding]) -> list[Finding]:
    return [f for f in findings if f.rule.name == rule]


def every(at: Places, **reported: object) -> list[Port]:
    """64 ports that are each told the same, at places of their own."""
    return [port(at, name, **reported) for name in interfaces(64)]


def test_a_healthy_switch_has_no_finding() -> None:
    at = Places()
    assert found(switch(at, every(at))) == []


def test_what_64_interfaces_state_is_one_finding_that_names_them() -> None:
    at = Places()
    (finding,) = found(switch(at, every(at, dog=OFF)))
    assert finding.rule.name == "watchdog-missing"
    assert finding.ports == tuple(interfaces(64))
    assert (finding.devices, finding.port_count) == (("leaf01",), 64)


def test_ports_that_differ_otherwise_share_the_finding_and_its_other_places_are_told() -> None:
    at = Places()
    ports = [port(at, name, dog=OFF, cable=float(n + 1)) for n, name in enumerate(interfaces(64))]
    (finding,) = of("watchdog-missing", found(switch(at, ports)))
    assert (finding.ports, finding.port_count) == (tuple(interfaces(64)), 64)
    here = finding.at
    assert here is not None
    assert here == min([here, *(at for at, _ in finding.related)])
    assert [word for _, word in finding.related[-3:]] == [
        "the same here", "the same here", "the same here, and at 60 more places"
    ]  # fmt: skip


def test_ports_with_other_values_have_findings_of_their_own() -> None:
    at = Places()
    slow = [port(at, "Ethernet0", dog={"detection_time": 250}), port(at, "Ethernet4", dog={"detection_time": 350})]
    reported = of("watchdog-multiple", found(switch(at, slow)))
    assert [(f.ports, f.message.split(" is ")[0]) for f in reported] == [
        (("Ethernet0",), "detection time 250ms"),
        (("Ethernet4",), "detection time 350ms"),
    ]


def test_each_file_has_its_own_finding() -> None:
    one, two = Places(0), Places(1)
    reported = found(switch(one, every(one, dog=OFF)), switch(two, every(two, dog=OFF), name="leaf02"))
    assert [(f.rule.name, f.at.doc if f.at else None, f.devices, f.port_count) for f in reported] == [
        ("watchdog-missing", 0, ("leaf01",), 64),
        ("watchdog-missing", 1, ("leaf02",), 64),
    ]


def test_a_port_that_is_shut_is_not_judged() -> None:
    at = Places()
    assert found(switch(at, [port(at, "Ethernet0"), port(at, "Ethernet4", dog=OFF, up=False)])) == []


def test_a_port_that_is_not_said_to_be_up_is_judged() -> None:
    at = Places()
    assert [f.ports for f in found(switch(at, [port(at, "Ethernet0", dog=OFF)]))] == [("Ethernet0",)]


def test_what_a_reader_tells_of_every_interface_is_one_finding() -> None:
    at = Places()
    reported = tuple(Problem("device-unknown", at.next(), "no such line", "write another") for _ in range(64))
    (finding,) = found(switch(at, every(at), problems=reported))
    assert finding.at == reported[0].at
    assert [place for place, _ in finding.related] == [p.at for p in reported[1:4]]
    assert finding.related[-1][1] == "the same here, and at 60 more places"


@pytest.mark.parametrize("field", ["message", "help", "rule"])
def test_what_a_reader_tells_otherwise_is_another_finding(field: str) -> None:
    at = Places()
    first = Problem("device-unknown", at.next(), "no such line", "write another")
    second = first._replace(at=at.next(), **{field: {"rule": "device-unread"}.get(field, "other")})
    assert len(found(switch(at, every(at), problems=(first, second)))) == 2


def test_two_files_are_told_of_apart() -> None:
    one, two = Places(0), Places(1)
    reported = [Problem("device-unknown", at.next(), "no such line") for at in (one, two)]
    findings = found(
        switch(one, every(one), problems=(reported[0],)),
        switch(two, every(two), name="leaf02", problems=(reported[1],)),
    )
    assert [f.at for f in findings] == [p.at for p in reported]


def test_sections_of_an_intent_are_not_missed() -> None:
    at = Places()
    assert of("hygiene-absent", found(switch(at, every(at, dog=OFF)))) == []
