"""The formulas against every row of SONiC's headroom tables from 10G on."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from rocecfg.physics.headroom import bytes_per_metre, cable_bytes, find_floor, first_principles, response_bytes

pytestmark = pytest.mark.conformance

M = 10**6
GOLDEN = Path(__file__).with_name("headroom_below_floor.csv")
ODD = {"DellEMC-S5448f-C48O8": {(100_000, 300)}}  # 300962 is no whole number of cells; 304962 is, and fits


class Row(NamedTuple):
    hwsku: str
    speed: int  # Mbit/s
    metres: int
    xoff: int


@pytest.fixture(scope="module")
def rows(shared: Path) -> list[Row]:
    with (shared / "data" / "sonic_headroom.csv").open(newline="") as file:
        every = [
            Row(
                row["hwsku"],
                int(row["speed_mbps"]),
                int(row["cable_m"]),
                int(row["xoff_b"]),
            )
            for row in csv.DictReader(file)
        ]
    return [row for row in every if row.speed >= 10_000]


def test_the_floor_finds_these_rows_and_no_other(rows: list[Row]) -> None:
    found = []
    for row in rows:
        flight = cable_bytes(row.speed * M, row.metres)
        least = find_floor(row.speed * M, row.metres).total
        if row.xoff < least:
            why = "cable" if row.xoff < flight else "floor"
            found.append([row.hwsku, *map(str, (row.speed, row.metres, row.xoff, round(flight), least)), why])
    with GOLDEN.open(newline="") as file:
        expected = list(csv.reader(file))[1:]
    assert len(rows) == 1227
    assert len(expected) == 28
    assert found == expected
    assert sum(1 for *_, why in found if why == "cable") == 18


@pytest.mark.parametrize(("school", "count"), [("legacy", 206), ("802.3", 334)])
def test_a_floor_with_jumbo_frames_would_be_a_false_alarm_for_many(rows: list[Row], school: str, count: int) -> None:
    """F = 1 and L2 frames of 9216 B: what no error may be made of."""
    below = 0
    for row in rows:
        answered = response_bytes(row.speed * M, school)
        assert answered is not None
        below += row.xoff < first_principles(row.speed * M, row.metres, 9216, 9216, answered).total
    assert below == count


@pytest.mark.parametrize(
    ("hwsku", "cell"),
    [
        ("DellEMC-Z9664f-O64", 254),  # Tomahawk 4
        ("Dell-Z9864f-O64", 254),  # Tomahawk 5
        ("DellEMC-S5448f-C48O8", 318),  # Trident 4
        ("NH-4210-F-O256/BALANCED", 420),  # Tomahawk 6
    ],
)
def test_broadcom_tables_rise_by_cells_over_84(rows: list[Row], hwsku: str, cell: int) -> None:
    table = {(row.speed, row.metres): row.xoff for row in rows if row.hwsku == hwsku and row.speed >= 100_000}
    odd = {at for at, xoff in table.items() if xoff % cell}
    assert odd == ODD.get(hwsku, set())
    for (speed, metres), xoff in table.items():
        if (speed, metres) not in odd:
            rise = bytes_per_metre(speed * M, cell / 84) * (metres - 5)
            assert abs(xoff - table[speed, 5] - rise) <= cell
    measured = (table[400_000, 300] - table[400_000, 5]) / 295
    assert f"{measured:.4g}" == f"{bytes_per_metre(400_000 * M, cell / 84):.4g}"
