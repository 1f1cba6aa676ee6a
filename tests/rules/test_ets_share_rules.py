"""Shares, caps and shapers that are lawful but ill-judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from rule_factory import CNP, CONTROL, DEFAULT, POLICY, RDMA, STORAGE, hits, names

from rocecfg.model import Device, PortGroup, Span, TrafficClass
from rocecfg.profiles import SHIPPED
from rocecfg.rules import ets_shares
from rocecfg.rules.base import INFO
from rocecfg.vendors import VENDORS

TRAINING = SHIPPED.workload("ai-training")
SECOND = replace(RDMA, name="nvme", carries=("rdma", "storage"), dscps=(28,), priority=4, tc=4, queue=4, pg=4)
G = 10**9


def split(rdma: float | None, rest: float, *more: TrafficClass) -> Device:
    return rule_factory.device(replace(RDMA, bandwidth=rdma), CNP, CONTROL, replace(DEFAULT, bandwidth=rest), *more)


def little(of: Device, **facts: Any) -> bool:
    return bool(hits(ets_shares.ets_rdma_share, of, **{"kind": "backend", **facts}))


# -- ets-rdma-share ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rdma", "fires"), [(15, True), (49, True), (49.9, True), (50, False), (90, False)])
def test_half_of_the_bandwidth(rdma: float, fires: bool) -> None:
    assert little(split(rdma, 100 - rdma)) is fires


@pytest.mark.parametrize(
    ("facts", "fires"),
    [
        ({"kind": "backend"}, True),
        ({"kind": None, "workload": TRAINING}, True),
        ({"kind": None}, False),
        ({"kind": "converged"}, False),
        ({"kind": None, "workload": SHIPPED.workload("storage-rdma")}, False),
    ],
)
def test_fabrics_that_are_there_for_rdma(facts: dict[str, Any], fires: bool) -> None:
    assert little(split(30, 70), **facts) is fires
    assert ets_shares.ets_rdma_share.by_kind == {"converged": INFO}


def test_classes_of_rdma_count_together_and_a_queue_once() -> None:
    assert not little(split(30, 50, replace(SECOND, bandwidth=20)))
    assert little(split(30, 51, replace(SECOND, bandwidth=19)))
    same = replace(SECOND, queue=3, tc=3, bandwidth=30)
    assert little(split(30, 70, same))


@pytest.mark.parametrize(
    "of",
    [
        split(30, 60),  # ets-sum
        split(None, 100),  # ets-zero, or not stated
        split(0, 100),  # ets-zero
        rule_factory.device(replace(RDMA, strict=True, bandwidth=None), CNP, replace(DEFAULT, bandwidth=100)),
    ],
)
def test_other_rules_shares(of: Device) -> None:
    assert not little(of)


def test_who_has_the_most_is_named() -> None:
    low = replace(STORAGE, bandwidth=20, origins={"bandwidth": Span(0, 5, 7)})
    (hit,) = hits(ets_shares.ets_rdma_share, split(30, 50, low), kind="backend")
    assert "RDMA has 30% of the bandwidth (rdma 30%)" in hit.message
    assert "take it from default (50%)" in hit.help
    assert (Span(0, 5, 7), "storage: 20%") in hit.related


# -- ets-cnp-cap -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cnp", "control", "fires"),
    [
        (CNP, CONTROL, False),
        (replace(CNP, queue=7), replace(CONTROL, queue=6), True),
        (replace(CNP, queue=7, max_percent=5.0), replace(CONTROL, queue=6), False),
        (replace(CNP, queue=7, max_rate=G), replace(CONTROL, queue=6), False),
        (replace(CNP, queue=7, strict=False, bandwidth=10), replace(CONTROL, queue=6), False),  # ets-cnp
        (CNP, replace(CONTROL, strict=False, bandwidth=10), True),  # whatever its number, served after
        (replace(CNP, queue=7), CONTROL, False),  # mix-cnp-control
        (replace(CNP, carries=("cnp", "default"), queue=7), replace(CONTROL, queue=6), False),  # mix-cnp
        (replace(CNP, priority=3, queue=7), replace(CONTROL, queue=6), False),  # pfc-cnp
    ],
)
def test_cnps_above_control(cnp: TrafficClass, control: TrafficClass, fires: bool) -> None:
    of = rule_factory.device(RDMA, replace(cnp, tc=cnp.queue), replace(control, tc=control.queue), DEFAULT)
    assert bool(hits(ets_shares.ets_cnp_cap, of)) is fires


# -- ets-shaper --------------------------------------------------------------------------------------------------------


def shaped(*speeds: int | None, **cap: Any) -> list[str]:
    names_ = tuple(c.name for c in POLICY)
    ports = tuple(PortGroup((f"Ethernet{n}",), f"Ethernet{n}", names_, (3,), speed=s) for n, s in enumerate(speeds))
    of = rule_factory.device(replace(RDMA, **cap), CNP, CONTROL, DEFAULT, ports=ports)
    return [hit.message for hit in hits(ets_shares.ets_shaper, of)]


def test_a_shaper_below_line_rate() -> None:
    assert "max_rate 200G" in shaped(400 * G, max_rate=200 * G)[0]
    assert shaped(400 * G, max_rate=400 * G) == []
    assert shaped(None, max_rate=200 * G) == []  # whatever the ports' speed is
    (message,) = shaped(100 * G, 400 * G, 800 * G, max_rate=200 * G)
    assert "below the 400G and 800G of its ports" in message
    assert "80%" in shaped(None, max_percent=80.0)[0]
    assert shaped(400 * G, max_percent=100.0) == []
    assert shaped(400 * G) == []


def test_a_shaper_on_what_may_be_lost_or_is_strict() -> None:
    assert shaped(400 * G, max_percent=80.0, lossless=False) == []
    assert shaped(400 * G, max_percent=80.0, strict=True, bandwidth=None) == []  # ets-rdma-strict


# -- ets-unused --------------------------------------------------------------------------------------------------------

IDLE = replace(STORAGE, dscps=())


@pytest.mark.parametrize(
    ("cls", "facts", "fires"),
    [
        (IDLE, {}, True),
        (STORAGE, {}, False),
        (replace(IDLE, origins={"dscp": Span(0, 1, 2)}), {}, False),  # a second rest, say: schema-rest
        (replace(IDLE, bandwidth=None), {}, False),
        (replace(IDLE, bandwidth=0), {}, False),
        (replace(IDLE, strict=True, bandwidth=None), {}, False),
        (IDLE, {"classification": "vendor"}, False),
        (IDLE, {"dual_tor": True}, False),
        (replace(IDLE, tc=0, queue=0), {}, False),  # shares the queue of default
    ],
)
def test_a_share_for_nobody(cls: TrafficClass, facts: dict[str, Any], fires: bool) -> None:
    assert bool(hits(ets_shares.ets_unused, rule_factory.device(*POLICY, cls), **facts)) is fires


def test_frames_may_come_by_their_priority() -> None:
    ports = (PortGroup(("Ethernet0",), "Ethernet0", ("storage",), (), trust="pcp"),)
    assert not hits(ets_shares.ets_unused, rule_factory.device(*POLICY, IDLE, ports=ports))


def test_the_smallest_policy_is_clean() -> None:
    for vendor in (None, *VENDORS):
        of = rule_factory.device(*POLICY, vendor=vendor)
        assert names("ETS", of, kind="backend", workload=TRAINING) == []
