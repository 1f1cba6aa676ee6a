"""Scheduler rules on the model: what the pages cannot show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_factory import CNP, CONTROL, DEFAULT, POLICY, RDMA, STORAGE, hits, names

from rocecfg.model import Device, PortGroup, Span, TrafficClass
from rocecfg.rules import ets
from rocecfg.rules.base import ERROR, OFF, WARNING
from rocecfg.vendors import VENDORS


def port(*over: TrafficClass, pfc: tuple[int, ...] = (3,)) -> PortGroup:
    return PortGroup(("Ethernet0",), "Ethernet0", ("rdma", "cnp", "control", "default", "storage"), pfc, overrides=over)


def device(*classes: TrafficClass, vendor: str | None = None, ports: tuple[PortGroup, ...] = (port(),)) -> Device:
    return rule_factory.device(*classes, vendor=vendor, ports=ports)


def test_the_smallest_policy_is_clean() -> None:
    for vendor in (None, *VENDORS):
        assert names("ETS", device(*POLICY, vendor=vendor)) == []


SHARE = st.integers(1, 100)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), SHARE), min_size=1, max_size=8))
def test_the_sum_counts_each_queue_once(rows: list[tuple[int, int]]) -> None:
    share = dict(rows)  # one share a queue
    classes = tuple(
        replace(STORAGE, name=f"c{i}", carries=("own",), tc=queue, queue=queue, bandwidth=share[queue])
        for i, (queue, _) in enumerate(rows)
    )
    found = hits(ets.ets_sum, device(*classes, CNP, CONTROL))
    total = sum(share.values())
    assert len(found) == (total != 100)
    for hit in found:
        assert f"sum to {total}%" in hit.message
        offered = [int(part.rpartition(" ")[2].rstrip("%")) for part in hit.help.partition(": ")[2].split(", ")]
        assert sum(offered) == 100


def test_the_offered_shares_keep_their_proportions() -> None:
    (hit,) = hits(ets.ets_sum, device(RDMA, replace(DEFAULT, bandwidth=20), replace(STORAGE, bandwidth=10)))
    assert hit.help == "in the same proportions: rdma 67%, default 22%, storage 11%"


def test_fractions_may_round() -> None:
    thirds = [replace(STORAGE, name=f"c{i}", tc=i, queue=i, bandwidth=100 / 3) for i in range(3)]
    assert not hits(ets.ets_sum, device(*thirds))
    assert hits(ets.ets_sum, device(*(replace(c, bandwidth=33) for c in thirds)))


def test_a_device_without_any_share_is_unknown() -> None:
    assert names("ETS", device(*(replace(c, bandwidth=None) for c in POLICY))) == []


def test_the_place_is_the_share_written_last() -> None:
    early = replace(DEFAULT, bandwidth=20, origins={"bandwidth": Span(0, 10, 12)})
    late = replace(RDMA, bandwidth=70, origins={"bandwidth": Span(0, 90, 92)})  # a device's own, further down
    (hit,) = hits(ets.ets_sum, device(late, CNP, CONTROL, early))
    assert hit.at == (Span(0, 90, 92),)
    assert [place for place, _ in hit.related] == [Span(0, 10, 12)]


def test_ports_that_change_a_share_are_judged_once_each_way() -> None:
    wrong = replace(RDMA, bandwidth=80, origins={"bandwidth": Span(0, 90, 92)})
    of = device(*POLICY, ports=(port(), port(wrong), port(wrong), port(replace(RDMA, max_percent=50.0))))
    (hit,) = hits(ets.ets_sum, of)
    assert "120%" in hit.message
    assert hit.at == (Span(0, 90, 92),)


def test_each_way_in_which_ports_are_wrong_is_told() -> None:
    changed = [replace(RDMA, bandwidth=share) for share in (70, 80, 60)]
    found = hits(ets.ets_sum, device(*POLICY, ports=tuple(port(c) for c in changed)))
    assert ["110%" in h.message for h in found] == [True, False]
    assert ["120%" in h.message for h in found] == [False, True]


def test_a_sum_wrong_on_the_device_is_not_told_again_for_its_ports() -> None:
    bad = replace(DEFAULT, bandwidth=60)
    of = device(RDMA, CNP, CONTROL, bad, ports=(port(replace(RDMA, bandwidth=70)),))
    assert len(hits(ets.ets_sum, of)) == 1


def test_two_shares_of_one_queue() -> None:
    backup = replace(STORAGE, name="backup", bandwidth=10)
    (hit,) = hits(ets.ets_sum, device(RDMA, STORAGE, backup, replace(DEFAULT, bandwidth=20)))
    assert "storage 20%, backup 10%" in hit.message
    (hit,) = hits(ets.ets_sum, device(*POLICY[:3], DEFAULT, STORAGE, replace(backup, strict=True, bandwidth=None)))
    assert "backup strict" in hit.message
    # a neighbour in RDMA's queue is mix-class-shared
    assert not hits(ets.ets_sum, device(*POLICY, replace(STORAGE, tc=3, queue=3)))


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        ({}, ERROR),
        ({"max_rate": 300 * 10**9}, WARNING),
        ({"max_percent": 80.0}, WARNING),
        ({"max_percent": 100.0}, ERROR),  # no cap at all
    ],
)
def test_strict_rdma(change: dict[str, Any], severity: str) -> None:
    strict = replace(RDMA, strict=True, bandwidth=None, **change)
    assert [h.severity or ERROR for h in hits(ets.ets_rdma_strict, device(strict, *POLICY[1:]))] == [severity]


def test_rdma_strict_on_some_ports_is_one_finding() -> None:
    strict = replace(RDMA, strict=True, bandwidth=None)
    assert len(hits(ets.ets_rdma_strict, device(*POLICY, ports=(port(), port(strict), port(strict))))) == 1


def test_cnps_on_a_round_robin_queue() -> None:
    slow = replace(CNP, strict=False, bandwidth=10)
    assert len(hits(ets.ets_cnp, device(RDMA, slow, CONTROL, DEFAULT))) == 1
    assert ets.ets_cnp.by_kind == {"no-cc": OFF}
    assert not hits(ets.ets_cnp, device(RDMA, replace(slow, tc=0, queue=0), CONTROL, DEFAULT))  # mix-cnp
    assert not hits(ets.ets_cnp, device(RDMA, slow, ports=(port(pfc=(3, 6)),)))  # pfc-cnp


def test_strict_queues_above_cnps() -> None:
    low = replace(CNP, tc=2, queue=2)
    above = replace(STORAGE, tc=5, queue=5, strict=True, bandwidth=None)
    (hit,) = hits(ets.ets_cnp, device(RDMA, low, CONTROL, DEFAULT, above))
    assert "queue 5" in hit.message
    assert not hits(ets.ets_cnp, device(RDMA, CNP, CONTROL, DEFAULT, above))
    assert not hits(ets.ets_cnp, device(RDMA, low, CONTROL, DEFAULT, replace(above, carries=("routing",))))
    assert names("ETS", device(RDMA, low, CONTROL, DEFAULT, replace(above, tc=7, queue=7))) == ["ets-control"]


def test_no_share_pauses_a_lossless_class_for_good() -> None:
    of = device(replace(RDMA, bandwidth=0), CNP, CONTROL, replace(DEFAULT, bandwidth=100))
    (hit,) = hits(ets.ets_zero, of)
    assert "pauses its senders" in hit.message


def test_no_share_is_no_fault_where_something_else_serves_the_queue() -> None:
    none = replace(STORAGE, bandwidth=0)
    assert len(hits(ets.ets_zero, device(*POLICY, none))) == 1
    assert not hits(ets.ets_zero, device(*POLICY, replace(none, guaranteed_rate=10**10)))
    assert not hits(ets.ets_zero, device(*POLICY, replace(none, guaranteed_percent=5.0)))
    assert not hits(ets.ets_zero, device(*POLICY, replace(none, dscps=())))  # nothing is sent there
    assert not hits(ets.ets_zero, device(*POLICY, replace(STORAGE, queue=0, tc=0, bandwidth=None)))  # default's share
    assert not hits(ets.ets_zero, device(*POLICY, replace(none, queue=0, tc=0)))  # ets-sum: one queue, two shares


def test_a_class_left_out_of_a_full_table_is_one_finding() -> None:
    assert names("ETS", device(*POLICY, replace(STORAGE, bandwidth=None))) == ["ets-zero"]
    of = device(RDMA, CNP, CONTROL, replace(DEFAULT, bandwidth=20), replace(STORAGE, bandwidth=None))
    assert names("ETS", of) == ["ets-sum"]


@pytest.mark.parametrize(
    ("vendor", "queue", "count"),
    [(None, 7, 1), (None, 6, 0), ("arista", 6, 0), ("sonic", 6, 1), ("spectrum", 6, 1), ("sonic", 5, 0)],
)
def test_queues_kept_for_control(vendor: str | None, queue: int, count: int) -> None:
    data = replace(STORAGE, priority=queue, tc=queue, queue=queue)
    moved = replace(CONTROL, priority=1, tc=1, queue=1)
    cnp = replace(CNP, priority=5, tc=4, queue=4)
    assert len(hits(ets.ets_control, device(RDMA, cnp, moved, DEFAULT, data, vendor=vendor))) == count


def test_data_in_the_queue_of_cnps_is_left_to_mix_cnp() -> None:
    data = replace(STORAGE, priority=6, tc=6, queue=6)
    assert not hits(ets.ets_control, device(*POLICY, data, vendor="sonic"))


def test_dual_tor_puts_rdma_on_queue_6() -> None:
    bounced = replace(RDMA, name="bounced", dscps=(28,), priority=6, tc=6, queue=6, pg=6)
    of = device(RDMA, CONTROL, DEFAULT, bounced, vendor="sonic", ports=(port(pfc=(3, 6)),))
    assert not hits(ets.ets_control, of, dual_tor=True)
    assert hits(ets.ets_control, of)


def test_data_beside_control_and_what_may_stand_there() -> None:
    beside: dict[str, Any] = {"priority": 7, "tc": 7, "queue": 7}
    assert names("ETS", device(*POLICY, replace(STORAGE, strict=True, bandwidth=None, **beside))) == ["ets-control"]
    for kinds in (("management",), ("cnp",), ("routing",)):
        quiet = replace(STORAGE, carries=kinds, strict=True, bandwidth=None, **beside)
        assert not hits(ets.ets_control, device(*POLICY, quiet))


def test_lossless_rdma_on_controls_priority_is_left_to_pfc_control_prio() -> None:
    on7 = replace(RDMA, priority=7, tc=7, queue=7, pg=7)
    assert not hits(ets.ets_control, device(on7, CNP, CONTROL, DEFAULT, ports=(port(pfc=(7,)),)))
    assert hits(ets.ets_control, device(replace(on7, lossless=False), CNP, CONTROL, DEFAULT, ports=(port(pfc=()),)))
