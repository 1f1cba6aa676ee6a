"""Headroom of a lossless priority group: what the switch will give it, and what the link needs."""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import AUTO, Computed, Headroom, Origin
from rocecfg.physics import headroom as physics
from rocecfg.profiles import value_in_release
from rocecfg.sizing.chip import TRADITIONAL, SizedChip
from rocecfg.sizing.pools import size_pools

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from rocecfg.model import Asic, HeadroomRow, HeadroomTable
    from rocecfg.physics import spectrum

_MS_TO_NS = 1e6
_KIB = 1024


class LinkNeed(NamedTuple):
    """The headroom that a link needs on a chip, and from which figures."""

    terms: physics.Terms
    inputs: tuple[Origin, ...]


def find_need(asic: Asic, speed: int, metres: float, mtu: int) -> LinkNeed | None:
    """xoff in bytes that keeps every packet, from first principles with the chip's own figures.

    `mtu` is the IP MTU of both ends. None where the chip's packing factor or the peer's response time is unknown.
    """
    if asic.packing is None or asic.response is None:
        return None
    response = physics.response_bytes(speed, asic.response)
    if response is None:
        return None
    keys = ["packing", "response"]
    delay = 0.0
    for key, nanoseconds in (
        ("mac_delay", (asic.mac_delay or 0) * _MS_TO_NS),
        ("tile_delay", (asic.tile_delay or 0) * _MS_TO_NS),
        ("mac_phy", (asic.mac_phy or 0) * _KIB * 8e9 / speed),
    ):
        if nanoseconds:
            keys.append(key)
            delay += nanoseconds
    frame = physics.frame(mtu)
    terms = physics.first_principles(speed, metres, frame, frame, response, packing=asic.packing, mac_ns=delay)
    return LinkNeed(terms, tuple(map(asic.fact, keys)))


def size_headroom(
    chip: SizedChip, speed: int | None, cable: float | None, mtu: int | None, stated: Headroom | str | None
) -> tuple[Headroom | None, HeadroomRow | None]:
    """What a priority group of such ports gets, and the table's row for it; None where nobody can know.

    `stated` is what the intent says: None, auto or sizes. Bytes.
    """
    if speed is None or cable is None:
        return (stated if isinstance(stated, Headroom) else None), None
    table = chip.box.headroom if chip.box is not None else None
    row = metres = None
    if chip.buffers.model == TRADITIONAL and table is not None:
        metres, row = _next_row(table, speed, max(1, ceil(cable)))
    if isinstance(stated, Headroom):
        return stated, row
    if table is not None and row is not None and metres is not None:
        fact = table.fact(f"{show_rate(speed)}/{metres}m")
        why = f"row {show_rate(speed)}, {metres} m of the headroom table{chip.tables}"
        if metres != cable:
            why += f", the next length it lists for a cable of {show_number(cable)} m"
        return _make_headroom(row.size, row.xon, row.xoff, Computed(why, (fact,))), row
    if chip.looked_up and table is not None and stated == AUTO:
        return _size_beyond_table(chip, table, speed, cable)
    if chip.formula:
        return _size_by_formula(chip, speed, cable, mtu), None
    return None, None


def _next_row(table: HeadroomTable, speed: int, metres: int) -> tuple[int | None, HeadroomRow | None]:
    """The row of the next length listed for that speed."""
    for length, row in table.rows.get(speed, {}).items():
        if length >= metres:
            return length, row
    return None, None


def _size_beyond_table(
    chip: SizedChip, table: HeadroomTable, speed: int, cable: float
) -> tuple[Headroom | None, HeadroomRow | None]:
    """A cable longer than the table goes: its last row and what the chip's formula adds for the rest of the cable."""
    listed = table.rows.get(speed)
    asic = chip.asic
    if not listed or asic is None or asic.packing is None:
        return None, None
    longest, row = max(listed.items())
    slope = physics.bytes_per_metre(speed, asic.packing)
    xoff = row.xoff + ceil(slope * (ceil(cable) - longest))
    if asic.cell:
        xoff = ceil(xoff / asic.cell) * asic.cell
    formula = (
        f"{show_size(row.xoff)} for {longest} m{chip.tables} + {slope:.1f} B/m x {ceil(cable) - longest} m = "
        f"{show_size(xoff)}, with 2 x 5 ns/m x {show_rate(speed)} / 8 x packing {asic.packing:g}"
    )
    fact = table.fact(f"{show_rate(speed)}/{longest}m")
    size = row.size + (xoff - row.xoff if row.size >= row.xon + row.xoff else 0)
    return _make_headroom(size, row.xon, xoff, Computed(formula, (fact, asic.fact("packing")))), row


def _spectrum_figures(chip: SizedChip) -> spectrum.SpectrumChip | None:
    """The figures of a chip that the formula takes; None where one is not known."""
    asic = chip.asic
    if asic is None or asic.cell is None or asic.pipeline is None or asic.mac_phy is None:
        return None
    if asic.default_response is None:
        return None
    from rocecfg.physics import spectrum

    gearbox = chip.box.gearbox if chip.box is not None and chip.box.gearbox is not None else 0
    return spectrum.SpectrumChip(
        cell=asic.cell,
        pipeline=asic.pipeline,
        mac_phy=asic.mac_phy * _KIB,
        response=asic.default_response * _KIB,
        tile_ns=(asic.tile_delay or 0) * _MS_TO_NS,
        extra=asic.extra_xoff or 0,
        gearbox_ns=gearbox * _MS_TO_NS,
    )


def _size_by_formula(chip: SizedChip, speed: int, cable: float, mtu: int | None) -> Headroom | None:
    """What a system that computes headroom by the chip's formula comes to; its profile has the formula's defaults."""
    asic, buffers, nos = chip.asic, chip.buffers, chip.nos
    known = _spectrum_figures(chip)
    if known is None or asic is None or asic.lane is None or nos is None or chip.release is None:
        return None
    from rocecfg.physics import spectrum

    generation = value_in_release(nos.headroom_generations, nos.name, chip.release)
    shared = bool(size_pools(chip).shared_headroom) or bool(buffers.oversubscribe)
    small, lossless_mtu, frame = buffers.small_packets, buffers.lossless_mtu or nos.stock_lossless_mtu, mtu
    if small is None:
        small = value_in_release(nos.stock_small_packets, nos.name, chip.release)
    if frame is None:
        frame = nos.stock_mtu
    if generation is None or small is None or lossless_mtu is None or frame is None:
        return None
    lanes = 8 if speed > 4 * asic.lane else 4
    sized = spectrum.compute_headroom(
        known,
        speed,
        cable,
        frame,
        lossless_mtu,
        small,
        lanes=lanes,
        shared=shared,
        generation=generation,
    )
    formula = (
        f"{nos.title}'s formula for Spectrum ({generation}) with {show_rate(speed)}, {show_number(cable)} m, "
        f"MTU {frame} B, lossless packets of {lossless_mtu} B, {small:g}% small packets, {lanes} lanes"
        f"{', shared headroom' if shared else ''}: xoff {show_size(sized.xoff)}, xon {show_size(sized.xon)}, "
        f"size {show_size(sized.size)}"
    )
    facts = tuple(asic.fact(key) for key in ("cell", "pipeline", "mac_phy") if key in asic.sources)
    return _make_headroom(sized.size, sized.xon, sized.xoff, Computed(formula, facts))


def _make_headroom(size: int, xon: int, xoff: int, origin: Computed) -> Headroom:
    return Headroom(size, xon, xoff, {"": origin, "size": origin, "xon": origin, "xoff": origin})
