"""ECN rules on the model: what the pages cannot show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_factory import CNP, CONTROL, CURVE, DEFAULT, IDENTITY, POLICY, RDMA, STORAGE, hits, names

from rocecfg.model import AUTO, Device, Ecn, PortGroup, Span, TrafficClass
from rocecfg.rules import ecn
from rocecfg.rules.base import ERROR, WARNING

G100, G400, G800 = 100 * 10**9, 400 * 10**9, 800 * 10**9


def port(
    *classes: str, speed: int | None = None, pfc: tuple[int, ...] = (3,), over: tuple[TrafficClass, ...] = ()
) -> PortGroup:
    return PortGroup(("Ethernet0",), "Ethernet0", classes or ("rdma", "cnp", "default"), pfc, speed, overrides=over)


def device(*classes: TrafficClass, ports: tuple[PortGroup, ...] = (port(),), **maps: Any) -> Device:
    """A switch with these classes and ports; the maps are identities unless given."""
    return rule_factory.device(*classes, ports=ports, **{"tc_to_queue": IDENTITY, **maps})


def test_auto_is_not_missing() -> None:
    assert not hits(ecn.ecn_missing, device(replace(RDMA, ecn=AUTO)))
    assert len(hits(ecn.ecn_missing, device(replace(RDMA, ecn=None)))) == 1


def test_curves_by_speed_cover_their_speeds_only() -> None:
    cls = replace(RDMA, ecn=None, ecn_by_speed=((G400, CURVE),))
    covered, bare = port(speed=G400), port(speed=G100)
    assert not hits(ecn.ecn_missing, device(cls, ports=(covered,)))
    assert not hits(ecn.ecn_missing, device(cls, ports=(port(speed=None),)))  # an unknown speed is not a fault
    (hit,) = hits(ecn.ecn_missing, device(cls, ports=(covered, bare)))
    assert "100G" in hit.message
    assert "400G" not in hit.message


def test_a_class_without_any_curve_is_told_without_speeds() -> None:
    (hit,) = hits(ecn.ecn_missing, device(replace(RDMA, ecn=None), ports=(port(speed=G100), port(speed=G400))))
    assert "100G" not in hit.message


def test_ecn_turned_off_on_some_ports_is_one_finding_where_it_was_turned_off() -> None:
    off = replace(RDMA, ecn=None, origins={"ecn": Span(0, 70, 73), "": Span(0, 60, 80)})
    ports = (port(speed=G400), port(speed=G400, over=(off,)), port(speed=G800, over=(off,)))
    (hit,) = hits(ecn.ecn_missing, device(RDMA, ports=ports))
    assert hit.at == (Span(0, 70, 73),)


def test_ports_without_pfc_or_without_the_class_need_no_ecn() -> None:
    bare = replace(RDMA, ecn=None)
    assert not hits(ecn.ecn_missing, device(bare, ports=(port("default"), port(pfc=()))))


def test_lossy_mode_asks_for_ecn_on_rdma_alone() -> None:
    bare = replace(RDMA, lossless=False, ecn=None)
    ports = (port(pfc=()),)
    (hit,) = hits(ecn.ecn_missing, device(bare, DEFAULT, ports=ports), mode="lossy")
    assert hit.cls == "rdma"
    assert not hits(ecn.ecn_missing, device(bare, DEFAULT, ports=ports))  # in lossless mode, pfc-missing-rdma speaks
    assert not hits(ecn.ecn_missing, device(replace(bare, ecn=CURVE), DEFAULT, ports=ports), mode="lossy")


def test_running_without_congestion_control_needs_a_reason() -> None:
    bare = device(replace(RDMA, ecn=None))
    assert [
        h.severity
        for h in hits(ecn.ecn_missing, bare, congestion_control="none", cc_reason="receiver-driven admission")
    ] == [WARNING]
    assert [h.severity for h in hits(ecn.ecn_missing, bare, congestion_control="none")] == [ERROR]
    assert [h.severity for h in hits(ecn.ecn_missing, bare)] == [ERROR]


def test_a_curve_on_the_wrong_class_is_shown_beside_the_class_without() -> None:
    stray = replace(DEFAULT, ecn=CURVE, origins={"ecn": Span(0, 5, 9)})
    (hit,) = hits(ecn.ecn_missing, device(replace(RDMA, ecn=None), stray))
    assert [place for place, _ in hit.related] == [Span(0, 5, 9)]
    assert not hits(ecn.ecn_queue, device(replace(RDMA, ecn=None), stray))


@pytest.mark.parametrize(
    ("cls", "about"),
    [
        (CNP, "pfc-cnp"),
        (CONTROL, "pfc-control-prio"),
        (STORAGE, "pfc-rdma-only"),
        (replace(STORAGE, carries=("kubernetes", "telemetry")), "pfc-rdma-only"),
        (replace(DEFAULT, rest=False), "pfc-prio0"),
        (replace(STORAGE, priority=3, tc=3, queue=3, pg=3), "mix-class-shared"),
    ],
)
def test_a_class_that_should_not_be_lossless_is_named_for_that_alone(cls: TrafficClass, about: str) -> None:
    others = tuple(c for c in POLICY if c.name != cls.name)
    of = rule_factory.device(*others, replace(cls, lossless=True))
    assert [name for family in ("PFC", "ECN", "MIX403") for name in names(family, of)] == [about]


@pytest.mark.parametrize("words", [("nccl",), ("storage", "ours"), ()])
def test_what_an_unknown_word_stands_for_is_not_known_to_be_no_rdma(words: tuple[str, ...]) -> None:
    of = rule_factory.device(RDMA, CNP, CONTROL, DEFAULT, replace(STORAGE, lossless=True, carries=words))
    assert [name for family in ("PFC", "ECN", "MIX403") for name in names(family, of)] == ["ecn-missing"]


def test_what_dual_tor_makes_lossless_should_mark() -> None:
    bounced = replace(STORAGE, lossless=True)
    of = rule_factory.device(RDMA, CONTROL, DEFAULT, bounced)
    assert [h.cls for h in hits(ecn.ecn_missing, of, dual_tor=True)] == ["storage"]
    assert names("PFC102", of, dual_tor=True) == []
    assert not hits(ecn.ecn_missing, of)
    beside = rule_factory.device(*POLICY, replace(bounced, priority=3, tc=3, queue=3))  # mix-class-shared
    assert not hits(ecn.ecn_missing, beside, dual_tor=True)
    unmarked = rule_factory.device(RDMA, CONTROL, replace(bounced, dscps=(0, 18)))  # pfc-prio0
    assert not hits(ecn.ecn_missing, unmarked, dual_tor=True)
    assert names("PFC108", unmarked, dual_tor=True) == ["pfc-prio0"]


def test_a_bad_curve_is_one_finding_however_many_ports_use_it() -> None:
    bad = Ecn(2_000_000, 150_000, 5)
    changed = replace(RDMA, bandwidth=50, ecn=bad)
    of = device(replace(RDMA, ecn=bad), ports=tuple(port(speed=s, over=(changed,)) for s in (G100, G400, G800)))
    assert len(hits(ecn.ecn_order, of)) == 1


def test_each_bad_curve_is_told_with_the_ports_it_is_for() -> None:
    places = [{"": Span(0, at, at + 5), "kmin": Span(0, at, at + 2)} for at in (10, 20, 30)]
    bad = [Ecn(2_000_000, 150_000, 5, origins=o) for o in places]
    cls = replace(RDMA, ecn=bad[0], ecn_by_speed=((G400, bad[1]),))
    of = device(cls, ports=(port(over=(replace(RDMA, ecn=bad[2]),)),))
    found = hits(ecn.ecn_order, of)
    assert [h.at for h in found] == [(Span(0, at, at + 2),) for at in (10, 20, 30)]
    assert "on 400G ports" in found[1].message
    assert "2MB" in found[0].message
    assert "150KB" in found[0].message


def test_cnp_queue_marked_by_auto_or_on_some_ports() -> None:
    assert len(hits(ecn.ecn_queue, device(CNP, replace(RDMA, ecn=AUTO)))) == 0
    assert len(hits(ecn.ecn_queue, device(replace(CNP, ecn=AUTO)))) == 1
    marked = port(over=(replace(CNP, ecn=CURVE),))
    assert len(hits(ecn.ecn_queue, device(CNP, ports=(marked, marked)))) == 1


def test_a_device_that_sends_the_class_from_another_queue_than_it_marks() -> None:
    lossy = replace(RDMA, lossless=False)
    moved = (0, 1, 2, 4, 4, 5, 6, 7)
    (hit,) = hits(ecn.ecn_queue, device(lossy, tc_to_queue=moved))
    assert "queue 3" in hit.message
    assert "queue 4" in hit.message
    assert not hits(ecn.ecn_queue, device(lossy, tc_to_queue=(None,) * 8))  # unmapped is unknown
    by_speed = replace(lossy, ecn=None, ecn_by_speed=((G400, CURVE),))
    assert len(hits(ecn.ecn_queue, device(by_speed, tc_to_queue=moved))) == 1


def test_weight_matters_to_rdma_and_lossless_classes() -> None:
    slow = replace(CURVE, weight=7)
    assert len(hits(ecn.ecn_weight, device(replace(RDMA, ecn=slow)))) == 1
    assert len(hits(ecn.ecn_weight, device(replace(RDMA, lossless=False, ecn=slow)))) == 1
    assert not hits(ecn.ecn_weight, device(replace(DEFAULT, ecn=slow)))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 5_000_000), st.integers(0, 5_000_000))
def test_thresholds_are_wrong_in_one_way_or_right(kmin: int, kmax: int) -> None:
    of = device(replace(RDMA, ecn=Ecn(kmin, kmax, 5)))
    order, step = hits(ecn.ecn_order, of), hits(ecn.ecn_step, of)
    assert len(order) + len(step) == (0 if 0 < kmin < kmax else 1)
    assert bool(step) == (0 < kmin == kmax)


@settings(max_examples=60, deadline=None)
@given(st.floats(-1, 200, allow_nan=False))
def test_pmax_bounds(pmax: float) -> None:
    found = hits(ecn.ecn_pmax, device(replace(RDMA, ecn=Ecn(1, 2, pmax))))
    assert [h.severity for h in found] == ([] if 1 <= pmax <= 100 else [WARNING] if 0 < pmax < 1 else [ERROR])
