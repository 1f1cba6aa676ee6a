"""PFC rules on models as device configurations give them: what pages, which are intents, cannot show."""

from __future__ import annotations

from dataclasses import replace

import pytest
import rule_factory
from hypothesis import given
from hypothesis import strategies as st
from rule_factory import IDENTITY, device, found

from rocecfg.model import Asic, Device, PortGroup, Span, TrafficClass
from rocecfg.rules import Hit, pfc


def traffic(
    name: str, priority: int, *dscps: int, carries: tuple[str, ...] = (), lossless: bool = False
) -> TrafficClass:
    """A class whose TC, queue and PG follow its priority."""
    more = {"carries": carries} if carries else {}
    pg = priority if lossless else 0
    return rule_factory.traffic(name, dscps, priority, None, lossless=lossless, pg=pg, rest=False, **more)


RDMA = traffic("rdma", 3, 26, lossless=True)
CNP = traffic("cnp", 6, 48)
CONTROL = traffic("control", 7, 56)
DEFAULT = traffic("default", 0, 0)
USUAL = (RDMA, CNP, CONTROL, DEFAULT)


def switch(*classes: TrafficClass, pfc: tuple[int, ...] = (3,), asic: Asic | None = None, **port: object) -> Device:
    """A switch with one group of ports, crossed by all its classes."""
    names = port.pop("names", ("Ethernet0", "Ethernet8"))
    group = PortGroup(names, "Ethernet[0-8/8]", tuple(c.name for c in classes), pfc, **port)  # type: ignore[arg-type]
    same = dict.fromkeys(("tc_to_queue", "tc_to_pg", "pfc_to_queue", "pfc_to_pg"), IDENTITY)
    return replace(device(*classes, vendor="sonic", ports=(group,), **same), asic=asic)


def hits(of: Device, *, dual_tor: bool = False) -> list[tuple[str, Hit]]:
    """What all PFC rules find on the switch, with the names of the rules."""
    return found("PFC", of, dual_tor=dual_tor)


def names(of: Device, *, dual_tor: bool = False) -> list[str]:
    """Only the names."""
    return [name for name, _ in hits(of, dual_tor=dual_tor)]


def chip(*, shallow: bool) -> Asic:
    """A chip of which only the kind of buffer matters."""
    return Asic("chip", "asics/chip", "Some Chip", shallow=shallow)


def test_the_usual_switch_is_silent() -> None:
    assert names(switch(*USUAL)) == []


def test_pfc_left_off_one_port_is_missing_there_and_not_at_the_class() -> None:
    # pfc_enable is absent on a port, though the class is lossless elsewhere
    place = Span(0, 10, 12)
    ((name, hit),) = hits(switch(*USUAL, pfc=(), origins={"": place}))
    assert name == "pfc-missing-rdma"
    assert place in hit.at
    assert hit.help == "turn PFC on for priority 3 on these ports"


def test_sonics_stock_list_with_rdma_on_one_priority_is_one_finding() -> None:
    ((name, hit),) = hits(switch(*USUAL, pfc=(3, 4)))
    assert name == "pfc-rdma-only"
    assert "priority 4" in hit.message


def test_stock_list_is_fine_where_both_priorities_carry_rdma() -> None:
    assert names(switch(*USUAL, traffic("front", 4, 34, carries=("rdma",), lossless=True), pfc=(3, 4))) == []


def test_second_rdma_class_that_does_not_cross_the_port_leaves_its_priority_idle() -> None:
    device = switch(*USUAL, traffic("front", 4, 34, carries=("rdma",), lossless=True), pfc=(3, 4))
    port = replace(device.ports[0], classes=tuple(c.name for c in USUAL))
    ((name, hit),) = hits(replace(device, ports=(port,)))
    assert (name, hit.severity) == ("pfc-count", "warning")


@pytest.mark.parametrize(
    ("asic", "found"), [(chip(shallow=True), "error"), (None, "warning"), (chip(shallow=False), None)]
)
def test_three_lossless_rdma_priorities_depend_on_the_buffer_of_the_chip(asic: Asic | None, found: str | None) -> None:
    more = [traffic(f"rdma{p}", p, 30 + p, carries=("rdma",), lossless=True) for p in (2, 4)]
    got = hits(switch(*USUAL, *more, pfc=(2, 3, 4), asic=asic))
    assert [(name, hit.severity) for name, hit in got] == ([("pfc-count", found)] if found else [])


def test_all_eight_are_one_finding() -> None:
    assert names(switch(*USUAL, pfc=tuple(range(8)), asic=chip(shallow=True))) == ["pfc-all"]


def test_cnp_that_shares_the_rdma_priority_is_named_with_the_class_that_makes_it_lossless() -> None:
    lossless = Span(0, 5, 9)
    rdma = replace(RDMA, origins={"lossless": lossless})
    ((name, hit),) = hits(switch(rdma, traffic("cnp", 3, 48), CONTROL, DEFAULT))
    assert (name, hit.cls) == ("pfc-cnp", "cnp")
    assert hit.related == ((lossless, "class rdma makes priority 3 lossless"),)


def test_control_that_shares_the_rdma_priority() -> None:
    assert names(switch(RDMA, CNP, traffic("control", 3, 56), DEFAULT)) == ["pfc-control-prio"]


@pytest.mark.parametrize("priority", [6, 7])
def test_six_and_seven_are_network_controls_where_no_class_carries_it(priority: int) -> None:
    rdma = traffic("rdma", priority, 26, lossless=True)
    cnp = traffic("cnp", 5, 48)
    assert names(switch(rdma, cnp, DEFAULT, pfc=(priority,))) == ["pfc-control-prio"]
    assert names(switch(rdma, cnp, traffic("control", 4, 56), DEFAULT, pfc=(priority,))) == []


def test_dual_tor_expects_four_lossless_priorities_and_no_fifth() -> None:
    front = traffic("front", 4, 34, carries=("rdma",), lossless=True)
    classes = (RDMA, front, traffic("cnp", 5, 48), CONTROL, DEFAULT)
    four = switch(*classes, pfc=(2, 3, 4, 6), asic=chip(shallow=True))
    assert names(four, dual_tor=True) == []
    assert set(names(four)) == {"pfc-rdma-only", "pfc-count"}
    five = switch(*classes, pfc=(1, 2, 3, 4, 6))
    ((_, hit),) = [h for h in hits(five, dual_tor=True) if h[0] == "pfc-rdma-only"]
    assert "priority 1," in hit.message


@pytest.mark.parametrize("trust", ["pcp", "none"])
def test_without_dscp_trust_unmarked_frames_have_priority_0(trust: str) -> None:
    # the map says that DSCP 0 is harmless, but nobody looks at it
    zero = traffic("best", 0, 8, lossless=True)
    usual = (RDMA, CNP, CONTROL, traffic("default", 1, 0), zero)
    assert "pfc-prio0" in names(switch(*usual, pfc=(0, 3), trust=trust))
    assert "pfc-prio0" not in names(switch(*usual, pfc=(0, 3), trust="dscp"))


def test_lossless_default_class_is_one_finding() -> None:
    # with `dscp: rest` the reader of the intent has said it already
    rest = replace(traffic("default", 0, 0, lossless=True), rest=True)
    assert names(switch(RDMA, CNP, CONTROL, rest, pfc=(0, 3))) == []
    assert names(switch(RDMA, CNP, CONTROL, traffic("default", 0, 0, lossless=True), pfc=(0, 3))) == ["pfc-prio0"]


@pytest.mark.parametrize("flowcontrol", ["rx", "tx", "on"])
def test_link_pause_in_either_direction_excludes_pfc(flowcontrol: str) -> None:
    assert names(switch(*USUAL, flowcontrol=flowcontrol)) == ["pfc-global-pause"]
    assert names(switch(CONTROL, DEFAULT, pfc=(), flowcontrol=flowcontrol)) == []


def test_link_pause_of_nics_counts_where_they_lead_to_a_port_with_pfc() -> None:
    place = Span(0, 20, 24)

    class Said:
        """A value with its place, as the intent's facts hold them."""

        def __init__(self, value: object) -> None:
            self.value = value
            self.at = place

    for faces, pause, count in [("host", True, 1), ("switch", True, 0), ("host", False, 0)]:
        hosts = {"gpu[01-32]": Said({"global_pause": Said(pause)}), "x": Said({})}
        got = rule_factory.hits(pfc.pfc_global_pause, switch(*USUAL, faces=faces), facts={"hosts": hosts})
        assert [hit.at for hit in got] == [(place,)] * count


@pytest.mark.parametrize("name", ["eth0", "Management1", "Management0/1", "ma1", "Ma1", "mgmt0", "console1"])
def test_management_ports_are_known_by_name_and_named_once(name: str) -> None:
    assert names(switch(*USUAL, pfc=tuple(range(8)), names=(name,), flowcontrol="on")) == ["pfc-mgmt-port"]


@pytest.mark.parametrize(
    "name", ["Ethernet0", "swp1", "Ethernet1/1", "Eth1/1", "eth1", "eth01", "eth0/1", "Eth0", "MACsec0"]
)
def test_front_ports_are_not_taken_for_management_ports(name: str) -> None:
    assert names(switch(*USUAL, names=(name,))) == []


@given(extra=st.sets(st.sampled_from([1, 2, 4, 5]), min_size=1))
def test_every_priority_without_rdma_is_named_and_taking_it_off_silences(extra: set[int]) -> None:
    of = switch(*USUAL, pfc=tuple(sorted({3, *extra})))
    (message,) = [hit.message for name, hit in hits(of) if name == "pfc-rdma-only"]
    assert all(str(p) in message.split(", which")[0] for p in extra)
    assert names(switch(*USUAL)) == []


@given(st.sets(st.integers(0, 7)), st.booleans())
def test_no_priority_is_named_twice(lossless: set[int], dual_tor: bool) -> None:
    words = ("default", "kubernetes", "storage", "rdma", "multicast", "telemetry", "cnp", "control")
    kinds = dict(enumerate(words))
    classes = tuple(traffic(kinds[p], p, p * 8, lossless=p in lossless) for p in range(8))
    got = hits(switch(*classes, pfc=tuple(sorted(lossless))), dual_tor=dual_tor)
    about = [hit.cls for name, hit in got if name != "pfc-count"]
    assert len(about) == len(set(about))
    if lossless == {3}:
        assert got == []
    elif len(lossless) < 8 and not dual_tor:
        assert set(about) == {kinds[p] for p in lossless ^ {3}}


@pytest.mark.parametrize(("other", "rule"), [(CONTROL, "pfc-control-prio"), (CNP, "pfc-cnp")])
def test_what_is_lossless_in_vain_is_taken_off_by_hand_alone(other: TrafficClass, rule: str) -> None:
    stated = {"lossless": Span(0, 40, 44)}
    wrong = replace(other, lossless=True, origins=stated)
    (alone,) = (hit for name, hit in hits(switch(RDMA, wrong, DEFAULT, pfc=(3, wrong.priority))) if name == rule)
    assert alone.fix is None
    assert alone.help == f"remove lossless: true from class {other.name}"
    (both,) = (hit for name, hit in hits(switch(RDMA, replace(wrong, priority=3), DEFAULT)) if name == rule)
    assert both.fix is None
    assert "priorit" in both.help
