"""What headrooms take of a chip: the stock tables' sums, and fill times."""

from __future__ import annotations

import pytest

from rocecfg.physics.pools import add_headrooms, fill_us, oversubscription, shared_bytes

# ports, headroom of one priority in SONiC's table (two are lossless), the sum in MB, the pool's xoff, the ratio
STOCK = [
    (64, 729_488, 93.4, 33_374_584, 2.8),  # Tomahawk 5, 800G, 5 m: Dell Z9864f
    (64, 1_621_536, 207.6, 33_374_584, 6.2),  # 300 m
    (128, 446_024, 114.2, 33_374_584, 3.4),  # 400G, 40 m
    (64, 424_434, 54.3, 50_653_696, 1.07),  # Tomahawk 4, 400G, 40 m: Dell Z9664f
    (64, 817_372, 104.6, 50_653_696, 2.1),  # 300 m
    (64, 268_736, 34.4, 9_098_752, 3.8),  # Tomahawk 2, 100G, 300 m: Arista 7260CX3-D96C16 in the Z9264f's pool
]


@pytest.mark.parametrize(("ports", "room", "megabytes", "pool", "times"), STOCK)
def test_stock_tables_against_their_pools(ports: int, room: int, megabytes: float, pool: int, times: float) -> None:
    need = add_headrooms([(ports, 2, room)])
    assert need / 10**6 == pytest.approx(megabytes, abs=0.05)
    assert oversubscription(need, pool) == pytest.approx(times, abs=0.05)


def test_tomahawk_5_cannot_keep_800g_over_300_m_private() -> None:
    need = add_headrooms([(64, 2, 1_621_536)])
    assert need == 207_556_608
    assert shared_bytes(165_000_000, 0, need) == -42_556_608
    assert oversubscription(need, 165_000_000) == pytest.approx(1.26, abs=0.005)  # 126 % of the chip
    assert shared_bytes(165_000_000, 0, add_headrooms([(64, 1, 1_621_536)])) > 0  # one lossless priority fits


@pytest.mark.parametrize(("size", "share"), [(304_128, 0.25), (410_624, 0.33), (1_198_080, 0.97)])
def test_spectrum_4_keeps_64_ports_of_800g_private(size: int, share: float) -> None:
    need = add_headrooms([(64, 2, size)])
    assert oversubscription(need, 158_229_504) == pytest.approx(share, abs=0.005)
    assert shared_bytes(158_229_504, 0, need) > 0


def test_kinds_of_ports_add_up() -> None:
    assert add_headrooms([]) == 0
    assert add_headrooms([(48, 2, 100_000), (8, 1, 300_000), (4, 0, 900_000)]) == 9_600_000 + 2_400_000


def test_left_takes_reserved_and_headroom_off() -> None:
    assert shared_bytes(24_000_000, 4_000_000, 6_000_000) == 14_000_000


@pytest.mark.parametrize(("gigabits", "time"), [(100, 80), (400, 20), (800, 10)])
def test_a_megabyte_fills_in_microseconds(gigabits: int, time: float) -> None:
    assert fill_us(1_000_000, gigabits * 10**9) == time
