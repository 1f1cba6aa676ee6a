"""Rules that keep classes apart, on the model: what the pages cannot show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from rule_factory import CNP, CONTROL, DEFAULT, POLICY, RDMA, STORAGE, device, fabric, hits, names

from rocecfg.model import Span, Watchdog
from rocecfg.rules import mix_classes
from rocecfg.rules.base import ERROR, OFF, WARNING
from rocecfg.vendors import VENDORS


def test_the_smallest_policy_is_clean() -> None:
    for vendor in (None, *VENDORS):
        assert names("MIX", device(*POLICY, vendor=vendor)) == []


@pytest.mark.parametrize("kind", ["storage", "management", "kubernetes", "telemetry", "multicast", "default"])
@pytest.mark.parametrize("field", ["priority", "tc", "queue"])
def test_other_traffic_in_rdmas_priority_tc_or_queue_is_one_error(kind: str, field: str) -> None:
    own: dict[str, Any] = {"priority": 2, "tc": 2, "queue": 2, field: 3}
    if field == "tc":
        own["queue"] = 3
    other = replace(STORAGE, carries=(kind,), **own)
    of = device(other, *POLICY)
    assert names("MIX", of) == ["mix-class-shared"]
    (hit,) = hits(mix_classes.mix_class_shared, of)
    assert hit.severity == ERROR
    assert hit.cls == "storage"


ON_ZERO = replace(RDMA, priority=0, tc=0, queue=0, pg=0)


def test_rdma_on_the_priority_of_unmarked_traffic_is_one_finding() -> None:
    backup = replace(STORAGE, priority=0, tc=0, queue=0)
    for others in ((), (backup,)):
        of = device(ON_ZERO, CNP, CONTROL, DEFAULT, *others)
        watched = replace(of, ports=(replace(of.ports[0], watchdog=Watchdog(200, 400, 100, "drop")),))
        assert names("", watched) == ["pfc-prio0"]


def test_sharing_with_rdma_on_priority_0_is_told_where_pfc_prio0_does_not_or_only_warns() -> None:
    rule = mix_classes.mix_class_shared
    of = device(ON_ZERO, CNP, CONTROL, DEFAULT)
    assert len(hits(rule, of, mode="lossy")) == 1
    off = replace(of, ports=(replace(of.ports[0], classes=("default",)),))  # RDMA crosses no port
    assert len(hits(rule, off)) == 1
    assert not hits(rule, of, kind="backend")  # both are warnings
    storage = device(ON_ZERO, CNP, CONTROL, replace(DEFAULT, carries=("default", "storage")))
    assert [h.severity for h in hits(rule, storage, kind="backend")] == [ERROR]
    assert not hits(rule, storage, kind="converged")


def test_what_is_misplaced_on_priority_0_itself_is_still_told() -> None:
    rule = mix_classes.mix_class_shared
    assert len(hits(rule, device(ON_ZERO, CONTROL, replace(DEFAULT, lossless=True)))) == 1
    soft = replace(ON_ZERO, lossless=False)  # not paused: pfc-cnp has no say
    assert [h.cls for h in hits(rule, device(soft, replace(CNP, priority=0, tc=0, queue=0), CONTROL))] == ["cnp"]


def test_a_traffic_class_shared_beside_priority_0_is_told_without_it() -> None:
    of = device(replace(ON_ZERO, tc=4, queue=4), CNP, CONTROL, replace(DEFAULT, tc=4, queue=4))
    (hit,) = hits(mix_classes.mix_class_shared, of)
    assert "shares TC 4 and queue 4 with rdma" in hit.message


def test_own_words_and_other_rdma_are_warnings() -> None:
    other = replace(STORAGE, carries=("nccl",), priority=3, tc=3, queue=3)
    assert [h.severity for h in hits(mix_classes.mix_class_shared, device(*POLICY, other))] == [WARNING]
    second = replace(RDMA, name="nvme", dscps=(28,))
    assert [h.severity for h in hits(mix_classes.mix_class_shared, device(RDMA, second))] == [WARNING]
    apart = replace(second, priority=4, tc=4, queue=4, pg=4)
    assert not hits(mix_classes.mix_class_shared, device(RDMA, apart))
    assert len(hits(mix_classes.mix_class_shared, device(RDMA, replace(apart, pg=3)))) == 1


def test_default_in_the_rdma_class_is_a_warning_on_a_backend() -> None:
    of = device(RDMA, replace(DEFAULT, priority=3, tc=3, queue=3))
    assert [h.severity for h in hits(mix_classes.mix_class_shared, of, kind="backend")] == [WARNING]
    assert [h.severity for h in hits(mix_classes.mix_class_shared, of, kind="converged")] == [ERROR]


def test_storage_over_rdma_is_told_from_storage_beside_rdma() -> None:
    both = replace(RDMA, carries=("rdma", "storage"))
    assert len(hits(mix_classes.mix_class_shared, device(both))) == 1
    nvme = replace(both, name="nvme", dscps=(28,), priority=4, tc=4, queue=4, pg=4)
    assert not hits(mix_classes.mix_class_shared, device(RDMA, nvme))


def test_cnps_in_rdmas_queue_with_a_priority_of_their_own() -> None:
    of = device(RDMA, replace(CNP, tc=3, queue=3), CONTROL, DEFAULT)
    assert names("MIX", of) == ["mix-class-shared"]
    # on the paused priority itself, pfc-cnp speaks
    assert names("MIX", device(RDMA, replace(CNP, priority=3, tc=3, queue=3), CONTROL, DEFAULT)) == []


def test_a_class_that_could_not_be_read_is_not_called_a_neighbour() -> None:
    of = device(replace(RDMA, priority=0, tc=0, queue=0), DEFAULT)
    assert mix_classes.mix_class_shared.check is not None
    assert not list(mix_classes.mix_class_shared.check(replace(fabric(of), broken=frozenset({"rdma"})), of))


def test_a_dscp_claimed_twice_names_the_loser_and_both_places() -> None:
    greedy = replace(STORAGE, dscps=(18, 26, 27), origins={"dscp": Span(0, 50, 60)})
    first = replace(RDMA, dscps=(26, 27), origins={"dscp": Span(0, 10, 20)})
    of = device(first, CNP, CONTROL, DEFAULT, greedy)
    (hit,) = [h for h in hits(mix_classes.mix_dscp_dup, of) if "rdma" in h.message]
    assert "DSCP 26-27:" in hit.message
    assert "rdma loses it" in hit.message
    assert (hit.at, hit.related[0][0]) == ((Span(0, 10, 20),), Span(0, 50, 60))  # the loser's, whichever is first
    assert set(names("MIX", of)) == {"mix-dscp-dup"}  # and not told again as lost or foreign


def test_a_dscp_claimed_three_times_is_two_findings() -> None:
    classes = (
        RDMA,
        replace(STORAGE, dscps=(26,)),
        replace(STORAGE, name="backup", dscps=(26,), priority=1, tc=1, queue=1),
    )
    assert len(hits(mix_classes.mix_dscp_dup, device(*classes))) == 2


def test_lossy_traffic_class_of_nobody_in_the_lossless_group() -> None:
    of = device(*POLICY, tc_to_pg=[0, 0, 0, 3, 0, 3, 0, 7])
    (hit,) = hits(mix_classes.mix_pg_shared, of)
    assert "TC 5," in hit.message


def test_rdma_on_priority_0_is_left_to_pfc_prio0() -> None:
    zero = replace(RDMA, priority=0, tc=1, queue=1, pg=0)
    assert not hits(mix_classes.mix_pg_shared, device(zero, CNP, CONTROL, replace(DEFAULT, priority=2, tc=2, queue=2)))


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
    found = hits(mix_classes.mix_trust, of)
    assert len(found) == count
    for hit in found:
        assert ("802.1p" in hit.message) == ("layer: 2" in hit.help) == (trust == "pcp")


def test_cnps_that_no_class_carries() -> None:
    assert names("MIX", device(RDMA, CONTROL, DEFAULT)) == ["mix-cnp"]
    routing = replace(CONTROL, dscps=(48, 56))
    assert names("MIX", device(RDMA, routing, DEFAULT)) == []  # with control, they are sent first
    assert names("MIX", device(replace(RDMA, ecn=None), CONTROL, DEFAULT)) == []  # nothing is marked, so none are sent
    assert mix_classes.mix_cnp.by_kind == {"no-cc": OFF}


def test_cnps_that_share_bulk_traffics_queue() -> None:
    assert names("MIX", device(RDMA, replace(CNP, queue=0), CONTROL, DEFAULT)) == ["mix-cnp"]
    assert names("MIX", device(RDMA, replace(CNP, tc=7, queue=7, pg=7), CONTROL, DEFAULT)) == ["mix-cnp-control"]
