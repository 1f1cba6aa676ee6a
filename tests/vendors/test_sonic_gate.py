"""The update gate of `config apply-patch`, on the cases that sonic-utilities' own validators decide the same way."""

from __future__ import annotations

import pytest
from loops import loop

from rocecfg.vendors.sonic import gate
from rocecfg.vendors.sonic.release import MASTER, Release

ROW = {"action": "drop", "detection_time": "200", "restoration_time": "400"}
XOFF = "/BUFFER_PROFILE/pg_lossless_400000_40m_profile/xoff"
GREEN = "/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold"


def passes(number: int, hwsku: str, op: str, path: str, value: object = "1", date: str | None = None) -> bool:
    release = Release(str(number), number, date, assumed=False)
    operation = {"op": op, "path": path} | ({} if op == "remove" else {"value": value})
    return not gate.find_refusals([operation], [], release, gate.chip_of(hwsku, None, release))


@loop(
    ("number", "hwsku", "op", "path", "value", "expected"),
    [
        # watchdog: rows and timers pass on a listed HwSKU, GLOBAL only by its field, and never goes
        (202405, "ACS-SN5600", "add", "/PFC_WD/Ethernet0", ROW, True),
        (202405, "ACS-SN5600", "remove", "/PFC_WD/Ethernet0", None, True),
        (202405, "ACS-SN5600", "replace", "/PFC_WD/GLOBAL/POLL_INTERVAL", "100", True),
        (202405, "ACS-SN5600", "add", "/PFC_WD/GLOBAL", {"POLL_INTERVAL": "100"}, False),
        (202405, "ACS-SN5600", "add", "/PFC_WD", {"Ethernet0": ROW}, False),
        (202405, "ACS-SN5600", "remove", "/PFC_WD/GLOBAL", None, False),
        (202405, "ACS-SN5600", "add", "/PFC_WD/Ethernet0/pfc_stat_history", "enable", False),
        (202511, "ACS-SN5600", "add", "/PFC_WD/Ethernet0/pfc_stat_history", "enable", True),
        (202405, "DellEMC-Z9332f-O32", "add", "/PFC_WD/Ethernet0", ROW, False),
        # WRED: three green fields of AZURE_LOSSLESS, of any profile in 202505, everything from 202511
        (202405, "ACS-SN5600", "replace", GREEN, "1", True),
        (202405, "ACS-SN5600", "add", GREEN, "1", False),
        (202405, "ACS-SN5600", "replace", "/WRED_PROFILE/rdma/green_min_threshold", "1", False),
        (202505, "ACS-SN5600", "replace", "/WRED_PROFILE/rdma/green_min_threshold", "1", True),
        (202505, "ACS-SN5600", "replace", "/WRED_PROFILE/rdma/red_min_threshold", "1", False),
        (202505, "ACS-SN5600", "add", "/WRED_PROFILE/rdma", {"ecn": "ecn_all"}, False),
        (202511, "Homemade", "add", "/WRED_PROFILE/rdma", {"ecn": "ecn_all"}, True),
        # buffers: sizes of pools up to 202505, nothing from 202511; whole profiles only from 202511
        (202505, "ACS-SN5600", "replace", "/BUFFER_POOL/ingress_lossless_pool/xoff", "1", True),
        (202511, "ACS-SN5600", "replace", "/BUFFER_POOL/ingress_lossless_pool/xoff", "1", False),
        (202505, "ACS-SN5600", "add", "/BUFFER_PROFILE/roce_1", {"size": "1"}, False),
        (202511, "Homemade", "add", "/BUFFER_PROFILE/roce_1", {"size": "1"}, True),
        (202405, "ACS-SN5600", "replace", XOFF, "1", True),  # a name with a digit is not looked at
        (202405, "ACS-SN5600", "replace", "/BUFFER_PROFILE/lossless/xoff", "1", False),
        (202511, "ACS-SN5600", "replace", XOFF, "1", True),
        (202511, "Force10-S6000", "replace", XOFF, "1", False),  # TD2: never
        # everything else passes, and so does all where there is no gate
        (202405, "Homemade", "add", "/QUEUE/Ethernet0|3", {"scheduler": "x"}, True),
        (202111, "Homemade", "add", "/PFC_WD", {"Ethernet0": ROW}, True),
        (202211, "Homemade", "add", "/PFC_WD", {"Ethernet0": ROW}, True),
    ],
)
def test_verdicts(number: int, hwsku: str, op: str, path: str, value: object, expected: bool) -> None:
    assert passes(number, hwsku, op, path, value) is expected


@pytest.mark.parametrize(
    ("hwsku", "number", "chip"),
    [
        ("Arista-7060X6-64PE", 202405, None),
        ("Arista-7060X6-64PE", 202411, "th5"),
        ("ARISTA-7060X6-64PE-B-O128", 202411, "th5"),  # Broadcom names match as a part, in any case
        ("Mellanox-SN5600-V256", 202305, None),
        ("Mellanox-SN5600-V256-Mine", 202405, None),  # NVIDIA names match whole
        ("ACS-SN5640", 202411, None),  # listed, but the validator of 202411 does not read the list
        ("ACS-SN5640", 202505, "spc5"),
        ("Arista-7260CX3-Q44", 202511, "th2"),
        ("Arista-7260CX3-Q44", 202605, None),
        ("Arista-7260CX3-Q44", MASTER, "th2"),
        ("Cisco-8101-O32", 202405, "cisco-8000"),
        (None, 202405, None),
    ],
)
def test_chips(hwsku: str | None, number: int, chip: str | None) -> None:
    assert gate.chip_of(hwsku, None, Release(str(number), number, None, assumed=False)) == chip


def test_chips_that_go_by_their_asic() -> None:
    release = Release("202511", 202511, None, assumed=False)
    assert gate.chip_of("dbmvtx9180", "teralynx10", release) == "marvell-teralynx"
    assert gate.chip_of("mine", "silicon-one-g100", release) == "cisco-8000"


def test_dated_builds_are_compared_with_the_date_a_chip_is_taken_from() -> None:
    change = ("replace", "/PFC_WD/GLOBAL/POLL_INTERVAL", "100")
    assert passes(202405, "Nokia-IXR7220-H5-64D", *change, date="20240531")
    assert not passes(202405, "Nokia-IXR7220-H5-64D", *change, date="20240430")


def test_a_row_equal_to_one_that_goes_is_a_move() -> None:
    release = Release("202511", 202511, None, assumed=False)
    added = {"op": "add", "path": "/PFC_WD/Ethernet0", "value": ROW}
    assert gate.find_refusals([added], [dict(ROW)], release, "spc4") == ["/PFC_WD/Ethernet0"]
    assert gate.find_refusals([added], [{"action": "drop"}], release, "spc4") == []
