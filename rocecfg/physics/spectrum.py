"""The headroom that SONiC computes for NVIDIA Spectrum, byte for byte.

SONiC's dynamic buffer model has it computed on the switch by a script, which changed over the releases. Speeds are in
bit/s, cable lengths in metres, all sizes in bytes; results are multiples of 1024.

Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua; the constants of the chips are in sonic-buildimage,
platform/mellanox/asic_table.j2.
"""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.physics.headroom import packing_64, packing_small, response_bytes

GENERATIONS = ("202311", "202405", "master")
"""The script's generations: up to 202311, 202405 to 202511, and 202605 and master."""

_LIGHT = 198_000_000  # m/s in the cable
_SMALLEST = 64  # bytes: the smallest frame
_LANES = 8  # such a port has two buffer units
_COMPENSATION = 2048


class SpectrumChip(NamedTuple):
    """The constants of a chip that the formulas need."""

    cell: int
    """Bytes."""
    pipeline: int
    """Bytes that arrive during the pipeline's latency; it becomes xon."""
    mac_phy: float
    """Bytes that arrive during the delay of MAC and PHY."""
    response: float
    """The peer's response at a speed that has no quanta, bytes."""
    tile_ns: float
    """Delay of the tiles: 120 ns on Spectrum-4 and -5, else 0."""
    extra: int
    """What is added to xoff at the end, bytes: 18432 on Spectrum-6, else 0."""
    gearbox_ns: float = 0
    """Delay of the gearbox one way: 400 ns on the SN3800, else 0."""


class SizedProfile(NamedTuple):
    """A headroom profile as SONiC has it, bytes. With a shared headroom pool `size` is `xon` alone."""

    size: int
    xon: int
    xoff: int


def compute_headroom(  # noqa: PLR0913 - what the script reads, one by one
    chip: SpectrumChip,
    speed: int,
    metres: float,
    mtu: int,
    lossless_mtu: int,
    small_packets: float,
    *,
    lanes: int = 4,
    shared: bool = False,
    generation: str,
) -> SizedProfile:
    """What SONiC's script computes for a port.

    `mtu` is the port's (SONiC's default is 9100). `lossless_mtu` and `small_packets`, a percentage, are the lossless
    traffic pattern's (1024 and 50; 100 up to 202405). `lanes`: 8 makes a difference. `shared`: the lossless pool has an
    xoff or there is an over-subscribe ratio. `generation` is one of GENERATIONS, else ValueError.

        xoff = lossless_mtu + o * (mtu + cable + 2 * gearbox + mac_phy + response + tile)
        o    = 1 + b * (w - 1)      b: share of small packets, w: cell / 64, or 2c / (c + 1) for cells up to 128
        xon  = pipeline, twice that on 8 lanes
        size = xoff + xon (+ mtu on 8 lanes), or xon where the headroom is shared

    - 202311: b is the percentage as it is, w is not whole, no tile; the cable's divisor takes 1024 for 1000, and
      8 lanes have an xon 1024 shorter. Commit 4957df86d; 202305 to 202311 have the same file.
    - 202405: b is the percentage by bytes, w is rounded up. Commit 3943093d4 (e99f5a914 on branch 202405), the same
      file in 202405, 202411, 202505 and 202511.
    - master: Spectrum-6 gets its extra; private headroom for less than 100 % small packets gets 2048 more where it
      stays more than 2048 below that for 100 %. Commits b20a59691 and 422271e7e (6e4b98b9b and 764bcd4a1 on branch
      202605).
    """
    if generation not in GENERATIONS:
        raise ValueError(f"no headroom script of generation {generation!r}: {', '.join(GENERATIONS)}")
    first = generation == "202311"
    worst = _worst_packing(chip) if first else ceil(_worst_packing(chip))
    small = small_packets if first else _small_by_bytes(small_packets, lossless_mtu)
    occupancy = (100 - small + small * worst) / 100
    delay = (
        mtu
        + _cable_bytes(speed, metres, 1024 if first else 1000)
        + 2 * _gearbox_bytes(chip, speed)
        + chip.mac_phy
        + (response_bytes(speed) or chip.response)
        + (0 if first else _tile_bytes(chip, speed))
    )
    xoff = _round_up(lossless_mtu + delay * occupancy)
    if generation == "master":
        xoff += chip.extra
        if not shared and small_packets != 100 and xoff + _COMPENSATION < _round_up(lossless_mtu + delay * worst):
            xoff += _COMPENSATION
    wide = lanes == _LANES
    xon = _round_up(_pipeline_bytes(chip, lanes, shorter=first))
    return SizedProfile(xon if shared else _round_up(xoff + xon + (mtu if wide else 0)), xon, xoff)


def _round_up(size: float) -> int:
    """Rounded up to 1024 bytes."""
    return ceil(size / 1024) * 1024


def _worst_packing(chip: SpectrumChip) -> float:
    return packing_64(chip.cell) if chip.cell > 2 * _SMALLEST else packing_small(chip.cell)


def _small_by_bytes(percentage: float, lossless_mtu: int) -> float:
    """What the script takes for the share of small packets by bytes: percent."""
    return 100 * _SMALLEST / ((percentage * _SMALLEST + (100 - percentage) * lossless_mtu) / 100)


def _cable_bytes(speed: int, metres: float, thousand: int) -> float:
    return 2 * metres * speed * 1000 / _LIGHT / (8 * thousand)


def _gearbox_bytes(chip: SpectrumChip, speed: int) -> float:
    return speed / 10**6 * chip.gearbox_ns / (8 * 1024)


def _tile_bytes(chip: SpectrumChip, speed: int) -> float:
    return speed / 10**9 * chip.tile_ns / 8


def _pipeline_bytes(chip: SpectrumChip, lanes: int, *, shorter: bool) -> int:
    if lanes != _LANES:
        return chip.pipeline
    return 2 * chip.pipeline - (1024 if shorter else 0)
