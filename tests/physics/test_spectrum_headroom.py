"""SONiC's headroom for Spectrum: what its scripts and its shipped tables say. Each golden names its generation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop

from rocecfg.physics.spectrum import GENERATIONS, SpectrumChip, compute_headroom

KIB = 1024
G = 10**9
SPECTRUM_1 = SpectrumChip(96, 19 * KIB, 0.8 * KIB, 3.8 * KIB, 0, 0)
SPECTRUM_3 = SpectrumChip(144, 19 * KIB, 0.8 * KIB, 3.8 * KIB, 0, 0)
SPECTRUM_4 = SpectrumChip(192, 19 * KIB, 0.8 * KIB, 3.8 * KIB, 120, 0)
SPECTRUM_6 = SpectrumChip(256, 42 * KIB, 0.8 * KIB, 3.8 * KIB, 0, 18432)
SN3800 = SPECTRUM_3._replace(gearbox_ns=400)

METRES = (5, 40, 300)
SN5600 = {  # xoff at 5, 40 and 300 m by Gbit/s: sonic-buildimage, ACS-SN5400, pg_profile_lookup.ini
    10: (45056, 46080, 56320),
    25: (48128, 52224, 76800),
    40: (57344, 62464, 101376),
    50: (63488, 69632, 118784),
    100: (113664, 126976, 225280),
    200: (131072, 157696, 355328),
    400: (231424, 283648, 677888),
    800: (257024, 362496, 1150976),
}
CELLS = [(speed, metres, xoff) for speed, row in SN5600.items() for metres, xoff in zip(METRES, row, strict=True)]


@loop(("gigabits", "metres", "xoff"), CELLS)
def test_sn5600_table_is_the_script_of_202405_with_mtu_9216_and_small_packets_only(
    gigabits: int, metres: int, xoff: int
) -> None:
    sized = compute_headroom(SPECTRUM_4, gigabits * G, metres, 9216, 1024, 100, generation="202405")
    assert sized.xoff == xoff


def test_sn5600_table_is_at_most_1_kib_from_the_script_of_202405_with_mtu_9100() -> None:
    low = {
        (speed, metres): xoff
        - compute_headroom(SPECTRUM_4, speed * G, metres, 9100, 1024, 100, generation="202405").xoff
        for speed, metres, xoff in CELLS
        if speed >= 100
    }
    assert len(low) == 12
    assert {cell for cell, bytes_low in low.items() if bytes_low == 1024} == {
        (200, 300),
        (400, 5),
        (800, 5),
        (800, 300),
    }
    assert sorted(low.values()) == [0] * 8 + [1024] * 4


# What the scripts themselves answer, run in a Lua interpreter: commits 4957df86d, 3943093d4 and 764bcd4a1.
# Port mtu 9100, lossless mtu 1024.
SCRIPTS = [
    ("202311", SPECTRUM_1, 100, 40, 50, False, 4, (80896, 19456, 61440)),
    ("202311", SPECTRUM_3, 400, 40, 50, False, 8, (190464, 37888, 143360)),
    ("202311", SPECTRUM_3, 100, 300, 100, False, 4, (183296, 19456, 163840)),
    ("202311", SN3800, 100, 40, 50, False, 4, (102400, 19456, 82944)),
    ("202311", SPECTRUM_4, 400, 40, 50, False, 4, (196608, 19456, 177152)),
    ("202311", SPECTRUM_4, 800, 300, 100, False, 8, (1139712, 37888, 1092608)),
    ("202311", SPECTRUM_4, 400, 40, 50, True, 4, (19456, 19456, 177152)),
    ("202405", SPECTRUM_1, 100, 40, 50, False, 4, (65536, 19456, 46080)),
    ("202405", SPECTRUM_3, 400, 40, 50, False, 8, (158720, 38912, 110592)),
    ("202405", SPECTRUM_3, 100, 300, 100, False, 4, (239616, 19456, 220160)),
    ("202405", SN3800, 100, 40, 50, False, 4, (82944, 19456, 63488)),
    ("202405", SPECTRUM_4, 400, 40, 50, False, 4, (137216, 19456, 117760)),
    ("202405", SPECTRUM_4, 800, 300, 100, False, 8, (1198080, 38912, 1149952)),
    ("202405", SPECTRUM_4, 400, 300, 50, False, 4, (299008, 19456, 279552)),
    ("202405", SPECTRUM_4, 1600, 5, 50, False, 8, (108544, 38912, 60416)),  # no quanta: the chip's own response
    ("master", SPECTRUM_1, 100, 40, 50, False, 4, (67584, 19456, 48128)),
    ("master", SPECTRUM_3, 400, 40, 50, False, 8, (160768, 38912, 112640)),
    ("master", SPECTRUM_3, 100, 300, 100, False, 4, (239616, 19456, 220160)),
    ("master", SN3800, 100, 40, 50, False, 4, (84992, 19456, 65536)),
    ("master", SPECTRUM_4, 400, 40, 50, False, 4, (139264, 19456, 119808)),
    ("master", SPECTRUM_4, 800, 40, 50, False, 8, (200704, 38912, 152576)),
    ("master", SPECTRUM_4, 400, 40, 50, True, 4, (19456, 19456, 117760)),
    ("master", SPECTRUM_6, 800, 40, 50, False, 4, (211968, 43008, 168960)),
    ("master", SPECTRUM_6, 800, 40, 50, True, 4, (43008, 43008, 166912)),
    ("master", SPECTRUM_6, 400, 5, 100, False, 4, (344064, 43008, 301056)),
]


@loop(("generation", "chip", "gigabits", "metres", "small", "shared_pool", "wide", "sized"), SCRIPTS)
def test_scripts(
    generation: str,
    chip: SpectrumChip,
    gigabits: int,
    metres: int,
    small: int,
    shared_pool: bool,
    wide: int,
    sized: tuple[int, int, int],
) -> None:
    got = compute_headroom(
        chip, gigabits * G, metres, 9100, 1024, small, lanes=wide, shared=shared_pool, generation=generation
    )
    assert got == sized


def test_an_unknown_generation_is_told_with_those_that_are_known() -> None:
    with pytest.raises(ValueError, match="'202411': 202311, 202405, master"):
        compute_headroom(SPECTRUM_4, 400 * G, 40, 9100, 1024, 50, generation="202411")


chips = st.sampled_from([SPECTRUM_1, SPECTRUM_3, SPECTRUM_4, SPECTRUM_6, SN3800])
generations = st.sampled_from(GENERATIONS)
paces = st.sampled_from([10, 25, 40, 50, 100, 200, 400, 800])


@settings(max_examples=50)
@given(
    chips,
    generations,
    st.tuples(paces, paces).map(sorted),
    st.lists(st.floats(0, 3000), min_size=2, max_size=2).map(sorted),
    st.lists(st.integers(1500, 9216), min_size=2, max_size=2).map(sorted),
    st.sampled_from([50, 100]),
    st.sampled_from([1, 4, 8]),
)
def test_headroom_grows_with_speed_cable_and_mtu(
    chip: SpectrumChip,
    generation: str,
    speeds: list[int],
    metres: list[float],
    mtus: list[int],
    small: int,
    wide: int,
) -> None:
    least, most = (
        compute_headroom(chip, speed * G, length, mtu, 1024, small, lanes=wide, generation=generation)
        for speed, length, mtu in zip(speeds, metres, mtus, strict=True)
    )
    assert least.xoff <= most.xoff
    assert least.size <= most.size
    for sized in (least, most):
        assert sized.size >= sized.xon + sized.xoff
        assert not any(size % 1024 for size in sized)


@settings(max_examples=30)
@given(chips, generations, paces, st.floats(0, 3000), st.sampled_from([1, 4, 8]))
def test_a_shared_headroom_keeps_only_xon_private(
    chip: SpectrumChip, generation: str, speed: int, metres: float, wide: int
) -> None:
    alone = compute_headroom(chip, speed * G, metres, 9100, 1024, 50, lanes=wide, generation=generation)
    pooled = compute_headroom(chip, speed * G, metres, 9100, 1024, 50, lanes=wide, shared=True, generation=generation)
    assert pooled.size == pooled.xon == alone.xon
    assert pooled.xoff <= alone.xoff
