"""Rules on the DSCP map, on the model: what the pages cannot show."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop
from rule_factory import CNP, CONTROL, DEFAULT, POLICY, RDMA, STORAGE, device, hits, names

from rocecfg.model import Box, TrafficClass
from rocecfg.rules import Hit, mix_map
from rocecfg.rules.base import OFF, WARNING

# qos_config.j2 of sonic-buildimage, written out
STOCK = [1] * 64
for _dscp, _tc in {3: 3, 4: 4, 5: 2, 8: 0, 46: 5, 48: 6}.items():
    STOCK[_dscp] = _tc


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 63)))
def test_map_total_is_silent_only_when_all_64_are_mapped(mapped: set[int]) -> None:
    of = device(*POLICY, dscp_to_tc=[0 if d in mapped else None for d in range(64)])
    found = hits(mix_map.mix_map_total, of)
    assert bool(found) == (len(mapped) < 64)
    for hit in found:
        reported = hit.message.removeprefix("no class takes DSCP ").partition(":")[0]
        points: set[int] = set()
        for part in reported.split(", "):
            low, _, high = part.partition("-")
            points |= set(range(int(low), int(high or low) + 1))
        assert points == set(range(64)) - mapped


def test_missing_code_points_are_told_in_few_words() -> None:
    of = device(*POLICY, dscp_to_tc=[None if d < 8 or d == 9 else 0 for d in range(64)])
    (hit,) = hits(mix_map.mix_map_total, of)
    assert "DSCP 0-7, 9:" in hit.message


def test_a_vendors_map_that_is_kept_is_total() -> None:
    of = device(RDMA, CNP, vendor="spectrum")
    assert hits(mix_map.mix_map_total, of)
    assert not hits(mix_map.mix_map_total, of, classification="vendor")


def test_a_device_whose_map_leads_strangers_into_the_lossless_class() -> None:
    table = list(device(*POLICY).maps.dscp_to_tc)
    table[28] = 3  # claimed by default, whose traffic class is 0
    (hit,) = hits(mix_map.mix_into_lossless, device(*POLICY, dscp_to_tc=table))
    assert "DSCP 28 " in hit.message
    assert hit.cls == "rdma"


def test_a_traffic_class_that_is_sent_from_the_lossless_queue_counts_as_lossless() -> None:
    table = list(device(*POLICY).maps.dscp_to_tc)
    table[40] = 5
    queues = [0, 1, 2, 3, 4, 3, 6, 7]
    (hit,) = hits(mix_map.mix_into_lossless, device(*POLICY, dscp_to_tc=table, tc_to_queue=queues))
    assert "DSCP 40 " in hit.message


def test_rdma_led_out_of_its_class_by_the_devices_map() -> None:
    table = list(device(*POLICY).maps.dscp_to_tc)
    table[26] = 1
    of = device(*POLICY, dscp_to_tc=table)
    (hit,) = hits(mix_map.mix_tc_chain, of)
    assert "TC 1" in hit.message
    assert names("MIX", of) == ["mix-tc-chain"]
    table[26] = None  # a gap: mix-map-total
    assert names("MIX", device(*POLICY, dscp_to_tc=table)) == ["mix-map-total"]


def test_marks_of_others_matter_where_they_lead_to_rdma() -> None:
    assert names("MIX", device(*POLICY, replace(STORAGE, marks=(18, 20)))) == []
    assert names("MIX", device(*POLICY, replace(STORAGE, marks=(18, 30)))) == []  # lands in default, lossy
    assert names("MIX", device(*POLICY, replace(STORAGE, marks=(18, 26)))) == ["mix-into-lossless"]


def test_marks_of_rdma_that_its_class_does_not_take() -> None:
    marking = replace(RDMA, dscps=(24, 26), marks=(26, 24))
    assert names("MIX", device(marking, *POLICY[1:])) == []
    assert names("MIX", device(replace(marking, marks=(26,)), *POLICY[1:])) == ["mix-into-lossless"]
    assert names("MIX", device(replace(marking, marks=(26, 30)), *POLICY[1:])) == ["mix-tc-chain"]


def test_into_lossless_is_a_warning_on_a_backend_and_off_where_nothing_is_lossless() -> None:
    assert mix_map.mix_into_lossless.by_kind == {"backend": WARNING, "lossy": OFF}
    assert not hits(
        mix_map.mix_into_lossless,
        device(replace(RDMA, lossless=False), DEFAULT, vendor="arista"),
        classification="vendor",
    )


@pytest.mark.parametrize(("vendor", "points"), [("spectrum", "24-25, 27-31"), ("arista", "24-25, 27-31")])
def test_vendor_maps_share_the_block_of_eight(vendor: str, points: str) -> None:
    (hit,) = hits(mix_map.mix_into_lossless, device(*POLICY, vendor=vendor), classification="vendor")
    assert f"DSCP {points} " in hit.message


@pytest.mark.parametrize(("dscp", "tc"), [(0, 1), (7, 1), (8, 0), (15, 0), (16, 2), (63, 7)])
def test_the_map_of_eos_is_inverted_at_0_to_15(dscp: int, tc: int) -> None:
    elsewhere = (tc + 1) % 8
    wrong = replace(RDMA, dscps=(dscp,), priority=elsewhere, tc=elsewhere, queue=elsewhere, pg=elsewhere)
    (hit,) = hits(mix_map.mix_tc_chain, device(wrong, vendor="arista"), classification="vendor")
    assert f"DSCP {dscp} to TC {tc}," in hit.message


def test_a_kept_map_of_an_unknown_vendor_is_not_judged() -> None:
    assert names("MIX", device(*POLICY), classification="vendor") == []


@loop("dscp", range(64))
def test_sonics_stock_map_suits_dscp_3_alone(dscp: int) -> None:
    of = device(replace(RDMA, dscps=(dscp,)), vendor="sonic")
    found = [hit for hit in hits(mix_map.mix_sonic_stock, of, classification="vendor") if hit.cls == "rdma"]
    assert bool(found) == (STOCK[dscp] != 3)
    for hit in found:
        assert f"TC {STOCK[dscp]}," in hit.message
    assert not hits(mix_map.mix_sonic_stock, of)


def kept(*classes: TrafficClass) -> dict[str | None, Hit]:
    """What is found of each class where SONiC's stock map is kept; None: of what no class takes."""
    found = hits(mix_map.mix_sonic_stock, device(*classes, vendor="sonic"), classification="vendor")
    assert len({hit.cls for hit in found}) == len(found)
    return {hit.cls: hit for hit in found}


ON_3 = replace(RDMA, dscps=(3,))


def test_the_stock_map_is_judged_for_every_class() -> None:
    found = kept(ON_3, replace(CNP, dscps=(4,)), CONTROL, DEFAULT)
    assert set(found) == {"cnp", "control", "default"}
    assert "class cnp to its TC 6: DSCP 4 to TC 4 (queue 4: " in found["cnp"].message
    assert "class control to its TC 7: DSCP 56 to TC 1 (queue 1: " in found["control"].message
    default = found["default"].message
    assert "to TC 1 (queue 1: no class, no scheduler)" in default
    assert "class default to its TC 0" in default
    assert {hit.severity or "error" for hit in found.values()} == {"error"}


def test_a_class_that_lands_with_another_is_told_whose_it_is() -> None:
    found = kept(ON_3, CNP, CONTROL, replace(DEFAULT, tc=1, queue=1))
    assert "class control to its TC 7: DSCP 56 to TC 1 of class default" in found["control"].message
    assert "cnp" not in found  # DSCP 48 leads to TC 6, its own


def test_what_few_packets_carry_is_a_warning() -> None:
    found = kept(ON_3, replace(CNP, carries=("cnp", "control")), replace(DEFAULT, tc=1, queue=1))
    assert set(found) == {"default"}
    assert found["default"].severity == "warning"
    assert "DSCP 4 to TC 4 (queue 4: no class, no scheduler), DSCP 5 to TC 2" in re.sub(
        " of class default", "", found["default"].message
    )


def test_traffic_classes_that_no_class_has_at_all() -> None:
    found = kept(ON_3, CNP)
    assert set(found) == {None}
    assert "DSCP 0-2, 6-7, 9-45, 47, 49-63 to TC 1 (queue 1: no class" in found[None].message
    assert found[None].severity == "warning"


def test_classes_that_are_where_the_stock_map_sends_them() -> None:
    spare = [
        replace(STORAGE, name=f"x{tc}", dscps=dscps, tc=tc, queue=tc, priority=tc)
        for tc, dscps in {0: (8,), 2: (5,), 4: (4,), 5: (46,)}.items()
    ]
    rest = tuple(d for d in range(64) if STOCK[d] == 1)
    assert kept(ON_3, CNP, replace(DEFAULT, rest=False, dscps=rest, tc=1, queue=1, priority=1), *spare) == {}


def test_a_sonic_device_that_runs_the_stock_map_is_recognised() -> None:
    of = device(*POLICY, vendor="sonic", dscp_to_tc=STOCK)
    assert names("MIX", of) == ["mix-sonic-stock"]


def test_pause_that_stops_another_queue() -> None:
    (hit,) = hits(mix_map.mix_tc_chain, device(*POLICY, pfc_to_queue=[0, 1, 2, 4, 3, 5, 6, 7]))
    assert "stops queue 4" in hit.message
    assert "from queue 3" in hit.message


def test_packets_in_a_group_that_sends_no_pause() -> None:
    (hit,) = hits(mix_map.mix_tc_chain, device(*POLICY, tc_to_pg=[0, 0, 0, 4, 0, 0, 0, 7]))
    assert "fills priority group 4" in hit.message


def test_unmapped_links_of_the_chain_are_unknown() -> None:
    of = device(
        *POLICY,
        vendor="sonic",
        tc_to_queue=[None] * 8,
        tc_to_pg=[None] * 8,
        pfc_to_queue=[None] * 8,
        pfc_to_pg=[None] * 8,
    )
    assert names("MIX", of) == []


def _box(*, pfc_to_pg: bool) -> Box:
    return Box(
        nos="sonic", hwsku=None, ports="Ethernet0", speeds=(), since=None, lossless=True, buffer_model=None,
        pfc_to_pg=pfc_to_pg, headroom=None, source="",
    )  # fmt: skip


def test_sonic_wants_priority_and_group_equal_where_it_has_no_map_for_them() -> None:
    odd = replace(RDMA, pg=4)
    assert names("MIX", device(odd, *POLICY[1:], vendor="sonic", box=_box(pfc_to_pg=False))) == ["mix-tc-chain"]
    assert names("MIX", device(odd, *POLICY[1:], vendor="sonic", box=_box(pfc_to_pg=True))) == []
    assert names("MIX", device(odd, *POLICY[1:], vendor="arista")) == []


def test_two_classes_on_one_traffic_class_want_two_queues() -> None:
    archive = replace(STORAGE, name="archive", dscps=(10,), queue=5)
    (hit,) = hits(mix_map.mix_tc_chain, device(*POLICY, STORAGE, archive, tc_to_queue=range(8)))
    assert (hit.cls, "queues 2 and 5" in hit.message) == ("archive", True)
    (hit,) = hits(mix_map.mix_tc_chain, device(*POLICY, STORAGE, archive, tc_to_queue=[0, 1, 5, 3, 4, 5, 6, 7]))
    assert (hit.cls, "queues 5 and 2" in hit.message) == ("storage", True)


def test_one_queue_for_two_classes_on_one_traffic_class_is_no_conflict() -> None:
    archive = replace(STORAGE, name="archive", dscps=(10,))
    assert names("MIX", device(*POLICY, STORAGE, archive)) == []


def test_a_queue_shared_with_rdma_is_told_once() -> None:
    archive = replace(STORAGE, name="archive", dscps=(10,), tc=3, queue=5)
    assert names("MIX", device(*POLICY, archive, tc_to_queue=range(8))) == ["mix-class-shared"]
