"""Rules on mixed traffic, on the model: what the pages cannot show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocecfg.model import Box, Device, Ecn, Fabric, PortGroup, QosMaps, Span, TrafficClass
from rocecfg.rules import mix
from rocecfg.rules.base import ERROR, OFF, WARNING, Hit, Rule

CURVE = Ecn(400_000, 1_600_000, 5)


def traffic(name: str, dscps: tuple[int, ...], number: int, share: float | str | None, **more: Any) -> TrafficClass:
    """A class that carries what its name says, with one number for priority, traffic class and queue."""
    known: dict[str, Any] = {
        "name": name, "carries": (name,), "dscps": dscps, "rest": name == "default", "priority": number, "tc": number,
        "queue": number, "pg": 0, "lossless": False, "strict": share == "strict",
        "bandwidth": share if share != "strict" else None, "ecn": None,
    }  # fmt: skip
    return TrafficClass(**{**known, **more})


RDMA = traffic("rdma", (26,), 3, 60, ecn=CURVE, pg=3, lossless=True)
CNP = traffic("cnp", (48,), 6, "strict")
CONTROL = traffic("control", (56,), 7, "strict", pg=7)
DEFAULT = traffic("default", (0,), 0, 40)
STORAGE = traffic("storage", (18, 20), 2, 20)
POLICY = (RDMA, CNP, CONTROL, DEFAULT)
# qos_config.j2 of sonic-buildimage, written out
STOCK = [1] * 64
for _dscp, _tc in {3: 3, 4: 4, 5: 2, 8: 0, 46: 5, 48: 6}.items():
    STOCK[_dscp] = _tc


def chain(*classes: TrafficClass) -> dict[str, list[int | None]]:
    """The maps that classes amount to: what they leave out maps to itself, and lossy traffic to group 0."""
    out: dict[str, list[int | None]] = {
        "dscp_to_tc": [None] * 64, "tc_to_queue": [*range(8)], "tc_to_pg": [0] * 8,
        "pfc_to_queue": [*range(8)], "pfc_to_pg": [*range(8)],
    }  # fmt: skip
    for c in classes:
        for dscp in c.dscps:
            out["dscp_to_tc"][dscp] = c.tc
        out["tc_to_queue"][c.tc], out["tc_to_pg"][c.tc] = c.queue, c.pg
    for c in classes:
        if c.lossless:
            out["pfc_to_queue"][c.priority], out["pfc_to_pg"][c.priority] = c.queue, c.pg
    return out


def device(*classes: TrafficClass, vendor: str | None = None, box: Box | None = None, **maps: Any) -> Device:
    claimed = {d for c in classes if not c.rest for d in c.dscps}
    rest = tuple(d for d in range(64) if d not in claimed)
    classes = tuple(replace(c, dscps=rest) if c.rest else c for c in classes)
    tables: dict[str, Any] = {name: tuple(table) for name, table in {**chain(*classes), **maps}.items()}
    pfc = tuple(sorted({c.priority for c in classes if c.lossless}))
    port = PortGroup(("Ethernet0",), "Ethernet0", tuple(c.name for c in classes), pfc)
    return Device(("leaf01",), "leaf01", vendor, "leaf", classes, QosMaps(**tables), (port,), box=box)


def fabric(of: Device, **facts: Any) -> Fabric:
    known: dict[str, Any] = {
        "name": "f", "kind": None, "mode": "lossless", "congestion_control": "dcqcn", "cc_reason": None,
        "workload": None, "topology": None, "classification": "explicit", "dual_tor": False, "devices": (of,),
        "links": (), "sections": frozenset(),
    }  # fmt: skip
    return Fabric(**{**known, **facts})


def hits(rule: Rule, of: Device, **facts: Any) -> list[Hit]:
    assert rule.check is not None
    whole = fabric(of, **facts)
    if rule.scope == "cls":
        return [hit for cls in of.classes for hit in rule.check(whole, of, cls)]
    if rule.scope == "port":
        return [hit for port in of.ports for hit in rule.check(whole, of, port)]
    return list(rule.check(whole, of))


def names(of: Device, **facts: Any) -> list[str]:
    """Every finding of this family, by rule."""
    return [r.name for r in mix.RULES for _ in hits(r, of, **facts) if not r.vendors or of.vendor in r.vendors]


def test_the_smallest_policy_is_clean() -> None:
    for vendor in (None, "sonic", "spectrum", "arista"):
        assert names(device(*POLICY, vendor=vendor)) == []


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 63)))
def test_map_total_is_silent_only_when_all_64_are_mapped(mapped: set[int]) -> None:
    of = device(*POLICY, dscp_to_tc=[0 if d in mapped else None for d in range(64)])
    found = hits(mix.mix_map_total, of)
    assert bool(found) == (len(mapped) < 64)
    for hit in found:
        told = hit.message.removeprefix("no class takes DSCP ").partition(":")[0]
        points: set[int] = set()
        for part in told.split(", "):
            low, _, high = part.partition("-")
            points |= set(range(int(low), int(high or low) + 1))
        assert points == set(range(64)) - mapped


def test_missing_code_points_are_told_in_few_words() -> None:
    of = device(*POLICY, dscp_to_tc=[None if d < 8 or d == 9 else 0 for d in range(64)])
    (hit,) = hits(mix.mix_map_total, of)
    assert "DSCP 0-7, 9:" in hit.message


def test_a_vendors_map_that_is_kept_is_total() -> None:
    of = device(RDMA, CNP, vendor="spectrum")
    assert hits(mix.mix_map_total, of)
    assert not hits(mix.mix_map_total, of, classification="vendor")


def test_a_device_whose_map_leads_strangers_into_the_lossless_class() -> None:
    table = list(device(*POLICY).maps.dscp_to_tc)
    table[28] = 3  # claimed by default, whose traffic class is 0
    (hit,) = hits(mix.mix_into_lossless, device(*POLICY, dscp_to_tc=table))
    assert "DSCP 28 " in hit.message
    assert hit.cls == "rdma"


def test_a_traffic_class_that_is_sent_from_the_lossless_queue_counts_as_lossless() -> None:
    table = list(device(*POLICY).maps.dscp_to_tc)
    table[40] = 5
    queues = [0, 1, 2, 3, 4, 3, 6, 7]
    (hit,) = hits(mix.mix_into_lossless, device(*POLICY, dscp_to_tc=table, tc_to_queue=queues))
    assert "DSCP 40 " in hit.message


def test_rdma_led_out_of_its_class_by_the_devices_map() -> None:
    table = list(device(*POLICY).maps.dscp_to_tc)
    table[26] = 1
    of = device(*POLICY, dscp_to_tc=table)
    (hit,) = hits(mix.mix_tc_chain, of)
    assert "TC 1" in hit.message
    assert names(of) == ["mix-tc-chain"]
    table[26] = None  # a gap: mix-map-total
    assert names(device(*POLICY, dscp_to_tc=table)) == ["mix-map-total"]


def test_marks_of_others_matter_where_they_lead_to_rdma() -> None:
    assert names(device(*POLICY, replace(STORAGE, marks=(18, 20)))) == []
    assert names(device(*POLICY, replace(STORAGE, marks=(18, 30)))) == []  # lands in default, lossy
    assert names(device(*POLICY, replace(STORAGE, marks=(18, 26)))) == ["mix-into-lossless"]


def test_marks_of_rdma_that_its_class_does_not_take() -> None:
    marking = replace(RDMA, dscps=(24, 26), marks=(26, 24))
    assert names(device(marking, *POLICY[1:])) == []
    assert names(device(replace(marking, marks=(26,)), *POLICY[1:])) == ["mix-into-lossless"]
    assert names(device(replace(marking, marks=(26, 30)), *POLICY[1:])) == ["mix-tc-chain"]


def test_into_lossless_is_a_warning_on_a_backend_and_off_where_nothing_is_lossless() -> None:
    assert mix.mix_into_lossless.by_kind == {"backend": WARNING, "lossy": OFF}
    assert not hits(
        mix.mix_into_lossless, device(replace(RDMA, lossless=False), DEFAULT, vendor="arista"), classification="vendor"
    )


@pytest.mark.parametrize(("vendor", "points"), [("spectrum", "24-25, 27-31"), ("arista", "24-25, 27-31")])
def test_vendor_maps_share_the_block_of_eight(vendor: str, points: str) -> None:
    (hit,) = hits(mix.mix_into_lossless, device(*POLICY, vendor=vendor), classification="vendor")
    assert f"DSCP {points} " in hit.message


@pytest.mark.parametrize(("dscp", "tc"), [(0, 1), (7, 1), (8, 0), (15, 0), (16, 2), (63, 7)])
def test_the_map_of_eos_is_inverted_at_0_to_15(dscp: int, tc: int) -> None:
    elsewhere = (tc + 1) % 8
    wrong = replace(RDMA, dscps=(dscp,), priority=elsewhere, tc=elsewhere, queue=elsewhere, pg=elsewhere)
    (hit,) = hits(mix.mix_tc_chain, device(wrong, vendor="arista"), classification="vendor")
    assert f"DSCP {dscp} to TC {tc}," in hit.message


def test_a_kept_map_of_an_unknown_vendor_is_not_judged() -> None:
    assert names(device(*POLICY), classification="vendor") == []


@pytest.mark.parametrize("dscp", range(64))
def test_sonics_stock_map_suits_dscp_3_alone(dscp: int) -> None:
    of = device(replace(RDMA, dscps=(dscp,)), vendor="sonic")
    found = hits(mix.mix_sonic_stock, of, classification="vendor")
    assert bool(found) == (STOCK[dscp] != 3)
    for hit in found:
        assert f"TC {STOCK[dscp]}," in hit.message
    assert not hits(mix.mix_sonic_stock, of)


def test_a_sonic_device_that_runs_the_stock_map_is_recognised() -> None:
    of = device(*POLICY, vendor="sonic", dscp_to_tc=STOCK)
    assert names(of) == ["mix-sonic-stock"]


@pytest.mark.parametrize("kind", ["storage", "management", "kubernetes", "telemetry", "multicast", "default"])
@pytest.mark.parametrize("field", ["priority", "tc", "queue"])
def test_other_traffic_in_rdmas_priority_tc_or_queue_is_one_error(kind: str, field: str) -> None:
    own: dict[str, Any] = {"priority": 2, "tc": 2, "queue": 2, field: 3}
    if field == "tc":
        own["queue"] = 3
    other = replace(STORAGE, carries=(kind,), **own)
    of = device(other, *POLICY)
    assert names(of) == ["mix-class-shared"]
    (hit,) = hits(mix.mix_class_shared, of)
    assert hit.severity == ERROR
    assert hit.cls == "storage"


def test_own_words_and_other_rdma_are_warnings() -> None:
    other = replace(STORAGE, carries=("nccl",), priority=3, tc=3, queue=3)
    assert [h.severity for h in hits(mix.mix_class_shared, device(*POLICY, other))] == [WARNING]
    second = replace(RDMA, name="nvme", dscps=(28,))
    assert [h.severity for h in hits(mix.mix_class_shared, device(RDMA, second))] == [WARNING]
    apart = replace(second, priority=4, tc=4, queue=4, pg=4)
    assert not hits(mix.mix_class_shared, device(RDMA, apart))
    assert len(hits(mix.mix_class_shared, device(RDMA, replace(apart, pg=3)))) == 1


def test_default_in_the_rdma_class_is_a_warning_on_a_backend() -> None:
    of = device(RDMA, replace(DEFAULT, priority=3, tc=3, queue=3))
    assert [h.severity for h in hits(mix.mix_class_shared, of, kind="backend")] == [WARNING]
    assert [h.severity for h in hits(mix.mix_class_shared, of, kind="converged")] == [ERROR]


def test_storage_over_rdma_is_told_from_storage_beside_rdma() -> None:
    both = replace(RDMA, carries=("rdma", "storage"))
    assert len(hits(mix.mix_class_shared, device(both))) == 1
    nvme = replace(both, name="nvme", dscps=(28,), priority=4, tc=4, queue=4, pg=4)
    assert not hits(mix.mix_class_shared, device(RDMA, nvme))


def test_cnps_in_rdmas_queue_with_a_priority_of_their_own() -> None:
    of = device(RDMA, replace(CNP, tc=3, queue=3), CONTROL, DEFAULT)
    assert names(of) == ["mix-class-shared"]
    # on the paused priority itself, pfc-cnp speaks
    assert names(device(RDMA, replace(CNP, priority=3, tc=3, queue=3), CONTROL, DEFAULT)) == []


def test_a_class_that_could_not_be_read_is_not_called_a_neighbour() -> None:
    of = device(replace(RDMA, priority=0, tc=0, queue=0), DEFAULT)
    assert mix.mix_class_shared.check is not None
    assert not list(mix.mix_class_shared.check(replace(fabric(of), broken=frozenset({"rdma"})), of))


def test_a_dscp_claimed_twice_names_the_loser_and_both_places() -> None:
    greedy = replace(STORAGE, dscps=(18, 26, 27), origins={"dscp": Span(0, 50, 60)})
    first = replace(RDMA, dscps=(26, 27), origins={"dscp": Span(0, 10, 20)})
    of = device(first, CNP, CONTROL, DEFAULT, greedy)
    (hit,) = [h for h in hits(mix.mix_dscp_dup, of) if "rdma" in h.message]
    assert "DSCP 26-27:" in hit.message
    assert "rdma loses it" in hit.message
    assert hit.at == (Span(0, 50, 60),)
    assert hit.related[0][0] == Span(0, 10, 20)
    assert set(names(of)) == {"mix-dscp-dup"}  # and not told again as lost or foreign


def test_a_dscp_claimed_three_times_is_two_findings() -> None:
    classes = (
        RDMA,
        replace(STORAGE, dscps=(26,)),
        replace(STORAGE, name="backup", dscps=(26,), priority=1, tc=1, queue=1),
    )
    assert len(hits(mix.mix_dscp_dup, device(*classes))) == 2


def test_pause_that_stops_another_queue() -> None:
    (hit,) = hits(mix.mix_tc_chain, device(*POLICY, pfc_to_queue=[0, 1, 2, 4, 3, 5, 6, 7]))
    assert "stops queue 4" in hit.message
    assert "from queue 3" in hit.message


def test_packets_in_a_group_that_sends_no_pause() -> None:
    (hit,) = hits(mix.mix_tc_chain, device(*POLICY, tc_to_pg=[0, 0, 0, 4, 0, 0, 0, 7]))
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
    assert names(of) == []


def _box(*, pfc_to_pg: bool) -> Box:
    return Box(
        nos="sonic", hwsku=None, ports="Ethernet0", speeds=(), since=None, lossless=True, buffer_model=None,
        pfc_to_pg=pfc_to_pg, headroom=(), source="",
    )  # fmt: skip


def test_sonic_wants_priority_and_group_equal_where_it_has_no_map_for_them() -> None:
    odd = replace(RDMA, pg=4)
    assert names(device(odd, *POLICY[1:], vendor="sonic", box=_box(pfc_to_pg=False))) == ["mix-tc-chain"]
    assert names(device(odd, *POLICY[1:], vendor="sonic", box=_box(pfc_to_pg=True))) == []
    assert names(device(odd, *POLICY[1:], vendor="arista")) == []


def test_lossy_traffic_class_of_nobody_in_the_lossless_group() -> None:
    of = device(*POLICY, tc_to_pg=[0, 0, 0, 3, 0, 3, 0, 7])
    (hit,) = hits(mix.mix_pg_shared, of)
    assert "TC 5," in hit.message


def test_rdma_on_priority_0_is_left_to_pfc_prio0() -> None:
    zero = replace(RDMA, priority=0, tc=1, queue=1, pg=0)
    assert not hits(mix.mix_pg_shared, device(zero, CNP, CONTROL, replace(DEFAULT, priority=2, tc=2, queue=2)))


@pytest.mark.parametrize(
    ("trust", "layer", "classes", "count"),
    [
        ("dscp", None, ("rdma",), 0),
        ("pcp", None, ("rdma",), 1),
        ("pcp", 3, ("rdma",), 1),
        ("pcp", 2, ("rdma",), 0),
        ("none", 2, ("rdma",), 1),
        ("none", 3, ("default",), 0),
    ],
)
def test_trust(trust: str, layer: int | None, classes: tuple[str, ...], count: int) -> None:
    of = device(*POLICY)
    of = replace(of, ports=(replace(of.ports[0], trust=trust, layer=layer, classes=classes),))
    found = hits(mix.mix_trust, of)
    assert len(found) == count
    for hit in found:
        assert ("802.1p" in hit.message) == ("layer: 2" in hit.help) == (trust == "pcp")


def test_cnps_that_no_class_carries() -> None:
    assert names(device(RDMA, CONTROL, DEFAULT)) == ["mix-cnp"]
    routing = replace(CONTROL, dscps=(48, 56))
    assert names(device(RDMA, routing, DEFAULT)) == []  # with control, they are sent first
    assert names(device(replace(RDMA, ecn=None), CONTROL, DEFAULT)) == []  # nothing is marked, so none are sent
    assert mix.mix_cnp.by_kind == {"no-cc": OFF}


def test_cnps_that_share_bulk_traffics_queue() -> None:
    assert names(device(RDMA, replace(CNP, queue=0), CONTROL, DEFAULT)) == ["mix-cnp"]
    assert names(device(RDMA, replace(CNP, tc=7, queue=7, pg=7), CONTROL, DEFAULT)) == []


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 300)))
def test_ranges_say_each_number_once(numbers: set[int]) -> None:
    told: list[int] = []
    for part in mix.ranges(sorted(numbers)).split(", ") if numbers else []:
        low, _, high = part.partition("-")
        told += range(int(low), int(high or low) + 1)
    assert told == sorted(numbers)
