"""CNPs of NICs against the class that carries them, and against each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import rule_factory
from host_facts import hosts
from rule_factory import CNP, CONTROL, DEFAULT, POLICY, RDMA, STORAGE, hits

from rocecfg.model import Span, TrafficClass
from rocecfg.rules import ecn_hosts


def reported(dscp: int, *classes: TrafficClass, **facts: Any) -> list[str]:
    of = rule_factory.device(*(classes or POLICY))
    return [h.message for h in hits(ecn_hosts.ecn_cnp_dscp, of, facts=hosts(gpu={"cnp_dscp": dscp}), **facts)]


def test_cnps_belong_into_their_class() -> None:
    assert reported(48) == []
    (message,) = reported(4)
    assert "class default (queue 0)" in message
    (message,) = reported(26)
    assert "class rdma (lossless, queue 3)" in message
    assert "a pause holds back" in message
    (message,) = reported(18, *POLICY, STORAGE)
    assert "class storage" in message


def test_a_lossy_fabric_pauses_no_cnp() -> None:
    (message,) = reported(26, mode="lossy")
    assert "pause" not in message


def test_a_code_point_without_a_class() -> None:
    bare = (RDMA, CNP, CONTROL, replace(DEFAULT, rest=False, dscps=(0,)))
    (message,) = reported(4, *bare)
    assert "no class takes it" in message
    assert reported(4, *bare, classification="vendor") == []  # the vendor's own map knows


@pytest.mark.parametrize(
    "classes",
    [
        (RDMA, CONTROL, DEFAULT),  # no class carries CNPs
        (RDMA, replace(CNP, dscps=()), CONTROL, DEFAULT),  # nobody says with which DSCP
        (RDMA, replace(CNP, tc=0, queue=0), CONTROL, DEFAULT),  # mix-class-shared
    ],
)
def test_other_rules_mistakes(classes: tuple[TrafficClass, ...]) -> None:
    assert reported(4, *classes) == []


def test_where_and_what_to_set() -> None:
    of = rule_factory.device(RDMA, replace(CNP, dscps=(48, 49, 50)), CONTROL, DEFAULT)
    (hit,) = hits(ecn_hosts.ecn_cnp_dscp, of, facts=hosts(gpu={"nic": "x", "cnp_dscp": 4}, store={"nic": "x"}))
    assert hit.at == (Span(0, 1, 2),)
    assert "48-50" in hit.help
    assert not hits(ecn_hosts.ecn_cnp_dscp, of, facts={})


@pytest.mark.parametrize(
    ("groups", "about"),
    [
        ({"a": {"nic": "connectx-7"}, "b": {"nic": "connectx-7"}}, None),
        ({"a": {"nic": "connectx-7"}, "b": {"nic": "thor2"}}, "not all hosts state a cnp_interval"),
        ({"a": {"nic": "connectx-7", "cnp_interval": 0.05}, "b": {"nic": "thor2"}}, "not all hosts"),
        ({"a": {"nic": "connectx-7", "cnp_interval": 0.05}, "b": {"nic": "thor2", "cnp_interval": 0.05}}, None),
        (
            {"a": {"nic": "connectx-7", "cnp_interval": 0.05}, "b": {"nic": "thor2", "cnp_interval": 0.004}},
            "cnp_interval is 4us and 50us",
        ),
        ({"a": {"nic": "connectx-7"}, "b": {"gpus": 8}}, None),
    ],
)
def test_kinds_of_nic_and_their_interval(groups: dict[str, dict[str, Any]], about: str | None) -> None:
    found = hits(ecn_hosts.ecn_nic_gen, rule_factory.device(*POLICY), facts=hosts(**groups))
    assert len(found) == (about is not None)
    for hit in found:
        assert about is not None
        assert about in hit.message
        assert "connectx-7 and thor2" in hit.message
        assert hit.at == (Span(0, 100, 101),)
