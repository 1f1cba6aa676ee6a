"""What rules of several families ask of the model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rule_factory import CNP, CONTROL, DEFAULT, RDMA, STORAGE, device

from rocecfg.model import PortGroup
from rocecfg.rules import common


@pytest.mark.parametrize(
    ("words", "reported"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists_read_as_a_sentence(words: list[str], reported: str) -> None:
    assert common.join_words(words) == reported


def test_a_class_is_described_by_what_its_name_does_not_say() -> None:
    assert common.describe_class(STORAGE) == "storage"
    assert (
        common.describe_class(replace(STORAGE, carries=("management", "telemetry")))
        == "storage (management, telemetry)"
    )


def test_the_map_decides_which_queue_classes_share() -> None:
    other = replace(STORAGE, queue=5)
    assert common.find_shared_fields(device(RDMA, other), other, RDMA) == {}
    moved = device(RDMA, other, tc_to_queue=[0, 1, 3, 3, 4, 5, 6, 7])
    assert common.find_shared_fields(moved, other, RDMA) == {"queue": 3}
    assert common.format_fields({"priority": 3, "tc": 2, "queue": 1, "pg": 0}) == [
        "priority 3",
        "TC 2",
        "queue 1",
        "priority group 0",
    ]


def test_cnps_wait_behind_bulk_but_not_behind_control() -> None:
    beside = replace(CNP, queue=0)
    assert common.find_class_ahead_of_cnps(device(RDMA, beside, DEFAULT), beside) == device(RDMA, beside, DEFAULT).cls(
        "default"
    )
    with_control = replace(CNP, tc=7, queue=7)
    assert common.find_class_ahead_of_cnps(device(RDMA, with_control, CONTROL, DEFAULT), with_control) is None
    mixed = replace(CNP, carries=("cnp", "telemetry"))
    assert common.find_class_ahead_of_cnps(device(RDMA, mixed), mixed) is mixed


def test_one_management_port_makes_the_group_one() -> None:
    group = PortGroup(("Ethernet0", "eth0"), "", (), ())
    assert common.is_management(group)
    assert not common.is_management(replace(group, names=("Ethernet0", "eth1")))
    assert common.is_management(replace(group, names=("Ethernet0",), faces="management"))
