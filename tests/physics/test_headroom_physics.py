"""Headroom from first principles: worked numbers, response times, packing, and what must hold for all ports."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop

from rocecfg.physics.headroom import (
    Terms,
    bytes_per_metre,
    cable_bytes,
    find_floor,
    first_principles,
    frame,
    nic_headroom,
    packing_64,
    packing_small,
    response_bytes,
    roce_frame,
)

G = 10**9
METRES = (3, 40, 100, 300, 500, 2000)
# F = 1, L2 frames of 9216 B at both ends, no PHY: worked out by hand from the formula
WORKED = {
    100: (44147, 48772, 56272, 81272, 106272, 293772),
    200: (48298, 57548, 72548, 122548, 172548, 547548),
    400: (77976, 96476, 126476, 226476, 326476, 1076476),
    800: (79476, 116476, 176476, 376476, 576476, 2076476),
}


def terms(speed: int, metres: float, **more: float) -> Terms:
    answered = response_bytes(speed)
    assert answered is not None
    return first_principles(speed, metres, 9216, 9216, answered, **more)


@loop(
    ("gigabits", "metres", "expected"),
    [(speed, metres, size) for speed, row in WORKED.items() for metres, size in zip(METRES, row, strict=True)],
)
def test_worked_numbers_to_the_byte(gigabits: int, metres: int, expected: int) -> None:
    assert terms(gigabits * G, metres).total == expected


def test_dcqcn_paper_at_40g_and_300_m() -> None:
    """The paper says 22.4 KB for each port and priority."""
    total = first_principles(40 * G, 300, 1500, 1500, 3840).total
    assert total == 21964
    assert total == pytest.approx(22_400, rel=0.02)


@pytest.mark.parametrize(
    ("gigabits", "size"),
    [(10, 4288), (25, 5120), (40, 7552), (50, 9408), (100, 25216), (200, 28992), (400, 57920), (800, 57920)],
)
def test_response_of_802_3_by_speed(gigabits: int, size: int) -> None:
    assert response_bytes(gigabits * G) == response_bytes(gigabits * G, "802.3") == size
    assert response_bytes(gigabits * G, "802.3-scaled") == (115840 if gigabits == 800 else size)
    assert response_bytes(gigabits * G, "legacy") == 3840


@pytest.mark.parametrize("school", ["802.3", "802.3-scaled"])
@pytest.mark.parametrize("speed", [1600 * G, 56 * G, 400])
def test_a_speed_without_a_public_figure_has_no_response(speed: int, school: str) -> None:
    assert response_bytes(speed, school) is None


def test_an_unknown_school_is_told_with_those_that_are_known() -> None:
    with pytest.raises(ValueError, match=r"'broadcom': legacy, 802\.3, 802\.3-scaled"):
        response_bytes(100 * G, "broadcom")


def test_frames() -> None:
    assert frame(9000) == 9018
    assert frame(9198) == 9216
    assert roce_frame(4096) == 4178
    assert roce_frame(1024) == 1106


def test_working_shows_every_term_there_is() -> None:
    sized = first_principles(400 * G, 300, 9218, 9218, 57920)
    assert sized.working() == (
        "1 x (9238 own frame + 84 PFC frame + 150000 cable 300 m + 57920 response) + 9238 peer frame = 226480 B"
    )
    more = first_principles(100 * G, 2.5, 1000, 1500, 25216, packing=254 / 84, phy_ns=100, mac_ns=1000)
    assert more.working() == (
        "3.02381 x (1020 own frame + 84 PFC frame + 2500 PHY + 312.5 cable 2.5 m + 25216 response + 12500 MAC)"
        " + 1520 peer frame = 127409 B"
    )


def test_working_without_a_known_length() -> None:
    assert Terms(1020, 84, 0, 500, 3840, 0, 1, 1520).working() == (
        "1 x (1020 own frame + 84 PFC frame + 500 cable + 3840 response) + 1520 peer frame = 6964 B"
    )


def test_packing_multiplies_all_but_the_peers_frame() -> None:
    assert terms(400 * G, 300, packing=2).total == 2 * (226476 - 9236) + 9236


def test_phy_counts_both_ways_and_mac_once() -> None:
    plain = terms(400 * G, 300)
    delayed = terms(400 * G, 300, phy_ns=400, mac_ns=1000)
    assert delayed.total - plain.total == 2 * 400 * 50 + 1000 * 50  # 400G is 50 B a ns


def test_total_is_rounded_up_but_not_by_what_floats_add() -> None:
    assert terms(100 * G, 0.1).total == 43785  # 43772 and 12.5 of cable
    assert Terms(8400, 0, 0, 0, 0, 0, 254 / 84, 0).total == 25400


@pytest.mark.parametrize(
    ("gigabits", "metres", "expected"),
    [(400, 300, 162_320), (800, 3, 15_320), (100, 40, 17_320), (10, 2000, 37_320)],
)
def test_floor(gigabits: int, metres: int, expected: int) -> None:
    """2 * L * 5 ns * S / 8, and 3840 + 84 + 2 * 4198 = 12320."""
    assert find_floor(gigabits * G, metres).total == expected


def test_the_floor_below_10g_counts_the_response_of_1g() -> None:
    """2 quanta of 64 B instead of 60: SONiC's own 12288 B for 1G over 5 m on an SN2201 are enough."""
    assert find_floor(G, 5).total == 128 + 84 + 2 * 4198 + 7  # 2 * 5 m * 5 ns * 1 bit/ns = 6.25 B
    assert find_floor(G, 5, school="802.3").total == find_floor(G, 5).total
    assert find_floor(5 * G, 0).total == find_floor(G, 0).total  # no table has it, so no more than that is certain
    assert find_floor(10 * G, 0).total == find_floor(0, 0).total == 12_320


def test_floor_of_a_smaller_path_mtu_is_lower_by_both_frames() -> None:
    assert find_floor(400 * G, 300).total - find_floor(400 * G, 300, roce_frame(1024)).total == 2 * 3072


def test_100_kb_cannot_do_for_400g_over_300_m() -> None:
    assert cable_bytes(400 * G, 300) == 150_000
    assert find_floor(400 * G, 300).total > 100_000


@pytest.mark.parametrize(
    ("cell", "gigabits", "metre"),
    [(254, 400, 1511.9), (318, 400, 1892.9), (420, 400, 2500), (254, 800, 3023.8), (420, 800, 5000), (254, 100, 378.0)],
)
def test_slopes_of_broadcom_chips(cell: int, gigabits: int, metre: float) -> None:
    assert bytes_per_metre(gigabits * G, cell / 84) == pytest.approx(metre, abs=0.05)


def test_packing_factors() -> None:
    assert (packing_64(144), packing_64(192), packing_64(176)) == (2.25, 3.0, 2.75)
    assert packing_small(96) == pytest.approx(1.979, abs=0.0005)


def test_nic() -> None:
    assert nic_headroom(100 * G, 7, 9000) == pytest.approx((301 + 15.12) * 100 + 24_480)
    assert nic_headroom(400 * G, 100, 4200) == pytest.approx((301 + 216) * 400 + 11_424)
    assert nic_headroom(10 * G, 7, 1500) == nic_headroom(40 * G, 7, 1500)  # the driver's slowest
    assert nic_headroom(100 * G, 100, 9000) > nic_headroom(
        100 * G, 7, 9000
    )  # the default of 7 m is too little for 100 m


speeds = st.sampled_from([10, 25, 40, 50, 100, 200, 400, 800])
lengths = st.floats(0, 120_000)
frames = st.integers(64, 10_000)


@settings(max_examples=50)
@given(speeds, speeds, lengths, lengths, frames, frames, st.sampled_from(["legacy", "802.3", "802.3-scaled"]))
def test_headroom_grows_with_speed_cable_and_frame(
    speed: int, faster: int, metres: float, longer: float, size: int, larger: int, school: str
) -> None:
    smaller, bigger = sorted((size, larger))
    short, long = sorted((metres, longer))
    slow, fast = (pace * G for pace in sorted((speed, faster)))
    least = first_principles(slow, short, smaller, smaller, response_bytes(slow, school) or inf)
    most = first_principles(fast, long, bigger, bigger, response_bytes(fast, school) or inf)
    assert least.total <= most.total
    assert find_floor(slow, short, smaller).total <= least.total  # no response is shorter
    assert least.total <= least._replace(packing=3.0).total
