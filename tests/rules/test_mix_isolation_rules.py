"""Who else sends where RDMA does: storage, control, pods, multicast, and NICs that mark otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from host_facts import hosts
from rule_factory import CNP, CONTROL, DEFAULT, POLICY, RDMA, STORAGE, hits, names, traffic

from rocecfg.model import Device, PortGroup, Span, TrafficClass
from rocecfg.profiles import SHIPPED
from rocecfg.rules import mix_isolation

TRAINING = SHIPPED.workload("ai-training")
NVME = replace(RDMA, name="nvme", carries=("rdma", "storage"), dscps=(28,), priority=4, tc=4, queue=4, pg=4)


# -- mix-storage-roce --------------------------------------------------------------------------------------------------


def storage_port(*classes: TrafficClass, crossing: tuple[str, ...], faces: str = "storage") -> Device:
    pfc = tuple(sorted({c.priority for c in classes if c.lossless and c.name in crossing}))
    of = (PortGroup(("Ethernet0",), "Ethernet0", crossing, pfc, faces=faces),)
    return rule_factory.device(*classes, ports=of)


@pytest.mark.parametrize(
    ("crossing", "faces", "workload", "fires"),
    [
        (("rdma", "default"), "storage", "ai-training", True),
        (("rdma", "default"), "storage", "ai-inference", True),
        (("rdma", "default"), "storage", "storage-rdma", False),  # RDMA is storage there
        (("rdma", "default"), "storage", "converged", False),
        (("rdma", "default"), "storage", None, False),
        (("rdma", "default"), "host", "ai-training", False),
        (("nvme", "default"), "storage", "ai-training", False),
        (("default",), "storage", "ai-training", False),
    ],
)
def test_storage_on_the_class_of_collectives(
    crossing: tuple[str, ...], faces: str, workload: str | None, fires: bool
) -> None:
    of = storage_port(*POLICY, NVME, crossing=crossing, faces=faces)
    known = SHIPPED.workload(workload) if workload is not None else None
    assert bool(hits(mix_isolation.mix_storage_roce, of, workload=known)) is fires


# -- mix-cnp-control ---------------------------------------------------------------------------------------------------

BOTH = replace(CNP, name="signals", carries=("cnp", "control"))


@pytest.mark.parametrize(
    ("classes", "fires"),
    [
        ((BOTH,), True),
        ((replace(BOTH, max_percent=5.0),), False),
        ((replace(BOTH, max_percent=100.0),), True),
        ((replace(BOTH, max_rate=10**10),), False),
        ((CNP, CONTROL), False),
        ((replace(CNP, queue=7), CONTROL), True),
        ((replace(CNP, tc=7, queue=7), CONTROL), True),
        ((replace(CNP, queue=7), replace(CONTROL, max_percent=10.0)), False),
        ((replace(CNP, priority=7), CONTROL), False),  # the priority of PFC alone delays nobody
        ((replace(BOTH, carries=("cnp", "control", "default")),), False),  # ets-control
        ((replace(BOTH, priority=3),), False),  # pfc-cnp
        ((CNP,), False),
    ],
)
def test_cnps_and_control(classes: tuple[TrafficClass, ...], fires: bool) -> None:
    found = hits(mix_isolation.mix_cnp_control, rule_factory.device(RDMA, *classes, DEFAULT))
    assert len(found) == fires


def test_cnps_that_share_a_queue_name_it_and_the_other_class() -> None:
    of = rule_factory.device(RDMA, replace(CNP, queue=7), replace(CONTROL, origins={"carries": Span(0, 8, 9)}), DEFAULT)
    (hit,) = hits(mix_isolation.mix_cnp_control, of)
    assert "shares queue 7 with control" in hit.message
    assert hit.related[0][0] == Span(0, 8, 9)


# -- mix-nic-tos -------------------------------------------------------------------------------------------------------


def forced(tos: int, *classes: TrafficClass, facts: dict[str, Any] | None = None, **fabric: Any) -> list[str]:
    of = rule_factory.device(*(classes or POLICY))
    stated = hosts(gpu={"tos": tos, **(facts or {})})
    return [h.message for h in hits(mix_isolation.mix_nic_tos, of, facts=stated, **fabric)]


@pytest.mark.parametrize("tos", [104, 105, 106, 107])
def test_every_tos_of_the_dscp_will_do(tos: int) -> None:
    assert forced(tos) == []


@pytest.mark.parametrize(("tos", "dscp"), [(103, 25), (108, 27), (0, 0), (26, 6), (255, 63)])
def test_another_dscp(tos: int, dscp: int) -> None:
    (message,) = forced(tos)
    assert f"ToS {tos}, which is DSCP {dscp} and lands in class" in message
    assert ("ToS is 4 times that" in message) == (tos == 26)


def test_the_application_marks() -> None:
    assert forced(0, facts={"nccl_ib_tc": 106}) == []
    assert forced(0, facts={"rdma_dscp": 26}) == []
    assert len(forced(8, facts={"nccl_ib_tc": 106})) == 1  # this one is forced


def test_code_points_that_nobody_knows() -> None:
    bare = replace(DEFAULT, rest=False, dscps=(0,))
    (message,) = forced(8, RDMA, CNP, CONTROL, bare)
    assert "lands in no class" in message
    assert forced(8, RDMA, CNP, CONTROL, bare, classification="vendor") == []
    assert forced(8, replace(RDMA, dscps=()), CNP, CONTROL, DEFAULT) == []
    assert forced(8, CNP, CONTROL, DEFAULT) == []  # no RDMA on this switch


def test_any_rdma_class_will_do_and_the_fix_is_the_byte() -> None:
    assert forced(28 << 2, *POLICY, NVME) == []
    of = rule_factory.device(*POLICY)
    (hit,) = hits(mix_isolation.mix_nic_tos, of, facts=hosts(web={}, gpu={"nic": "x", "tos": 0}))
    assert hit.help == "set tos: 106 in the intent and on the NICs (cma_roce_tos -t 106)"
    assert hit.at == (Span(0, 101, 102),)


# -- mix-k8s, mix-mcast ------------------------------------------------------------------------------------------------

PODS = traffic("kubernetes", (10,), 1, 10)


@pytest.mark.parametrize(
    ("pods", "mine", "rdma", "fires"),
    [
        (replace(DEFAULT, carries=("default", "kubernetes")), "10.10.0.0/16", "10.10.0.0/16", True),
        (replace(DEFAULT, carries=("default", "kubernetes")), "10.0.0.0/8", "10.10.0.0/16", True),
        (replace(DEFAULT, carries=("default", "kubernetes")), "fd00:1::/64", "fd00::/16", True),
        (replace(DEFAULT, carries=("default", "kubernetes")), "10.11.0.0/16", "10.10.0.0/16", False),
        (replace(DEFAULT, carries=("default", "kubernetes")), "fd00::/8", "10.10.0.0/16", False),
        (replace(DEFAULT, carries=("default",)), "10.10.0.0/16", "10.10.0.0/16", False),
        (replace(PODS, rest=True), "10.10.0.0/16", "10.10.0.0/16", True),
        (replace(PODS, dscps=()), "10.10.0.0/16", "10.10.0.0/16", True),
        (PODS, "10.10.0.0/16", "10.10.0.0/16", False),  # marked
        (replace(PODS, dscps=(), queue=3), "10.10.0.0/16", "10.10.0.0/16", False),  # mix-class-shared
    ],
)
def test_pods_on_the_network_of_rdma(pods: TrafficClass, mine: str, rdma: str, fires: bool) -> None:
    of = rule_factory.device(replace(RDMA, networks=(rdma,)), CNP, replace(pods, networks=(mine,)))
    found = hits(mix_isolation.mix_k8s, of)
    assert len(found) == fires


def test_the_narrower_prefix_is_named() -> None:
    pods = replace(DEFAULT, carries=("kubernetes", "default"), networks=("192.0.2.0/24", "10.0.0.0/8"))
    (hit,) = hits(mix_isolation.mix_k8s, rule_factory.device(replace(RDMA, networks=("10.10.0.0/16",)), pods))
    assert "from 10.10.0.0/16," in hit.message


@pytest.mark.parametrize(
    ("networks", "fires"),
    [
        (("239.1.0.0/16",), True),
        (("10.0.0.0/8", "224.0.0.0/4"), True),
        (("ff05::/16",), True),
        (("223.255.255.0/24",), False),
        (("240.0.0.0/8",), False),
        (("fe80::/10",), False),
        ((), False),
    ],
)
def test_groups_in_a_lossless_class(networks: tuple[str, ...], fires: bool) -> None:
    of = rule_factory.device(replace(RDMA, networks=networks), CNP, CONTROL, DEFAULT)
    assert bool(hits(mix_isolation.mix_mcast, of)) is fires
    lossy = rule_factory.device(RDMA, CNP, CONTROL, DEFAULT, replace(STORAGE, networks=networks))
    assert not hits(mix_isolation.mix_mcast, lossy)


def test_dual_tor_priorities_hide_multicast_from_others_only() -> None:
    group = replace(STORAGE, name="mcast", carries=("multicast",), lossless=True, pg=2)
    of = rule_factory.device(*POLICY, group)
    assert "mix-mcast" not in names("MIX", of)  # pfc-rdma-only's
    assert "pfc-rdma-only" in names("PFC", of)
    assert "mix-mcast" in names("MIX", of, dual_tor=True)
    assert "pfc-rdma-only" not in names("PFC", of, dual_tor=True)


def test_the_smallest_policy_is_clean() -> None:
    assert names("MIX", rule_factory.device(*POLICY), workload=TRAINING, kind="backend") == []
