"""The headroom and alpha that rocecfg would set, and the headroom that the link needs."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from rocecfg.advice.port_kinds import AdvisedSetting, PortKind
from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate, show_size
from rocecfg.model import AUTO, Fabric, Headroom, Origin
from rocecfg.physics.headroom import Terms
from rocecfg.rules.buffer_headroom import link_kind as link_of
from rocecfg.rules.buffer_headroom import minimum_headroom
from rocecfg.rules.nos import find_refusals
from rocecfg.rules.nos_settings import read_headroom
from rocecfg.sizing.headroom import LinkNeed, find_need, size_headroom
from rocecfg.sizing.pools import find_alpha

_PARTS = ("xoff", "xon", "size")
NO_CHIP = "the chip is unknown: name a platform or an asic"


class Needed(NamedTuple):
    """What may still arrive after a pause; None where that cannot be known, with the reason why."""

    floor: Terms | None  # on any chip
    worst: LinkNeed | None  # with the chip's own figures and packets that fill its cells worst
    why_no_floor: str
    why_no_worst: str


def find_needed(kind: PortKind, fabric: Fabric) -> Needed:
    """What links at these ports need, as the rules on headroom reckon it."""
    asic, port = kind.device.asic, kind.port
    link = link_of(fabric, kind.device, port)
    if link is None:
        missing = " and ".join(what for what, known in (("speed", port.speed), ("cable", port.cable)) if known is None)
        why = f"{missing} of these ports not stated"
        return Needed(None, None, why, why)
    if asic is None:
        why = NO_CHIP
    elif asic.packing is None:
        why = f"the packing factor of {asic.title} is unknown"
    else:
        school = kind.device.buffers.response
        found = find_need(asic if school is None else replace(asic, response=school), link.speed, link.metres, link.mtu)
        if found is not None:
            return Needed(minimum_headroom(link), found, "", "")
        why = f"the response time of the peer is unknown for {asic.title} at {show_rate(link.speed)}"
    return Needed(minimum_headroom(link), None, "", why)


def advise_headroom(kind: PortKind, need: Needed) -> tuple[AdvisedSetting, ...]:
    """Xoff, xon and size of a lossless priority group, in bytes; the word auto where the system sizes it by itself."""
    port, device = kind.port, kind.device
    stated = port.headroom if isinstance(port.headroom, Headroom) else None
    own, _ = size_headroom(kind.chip, port.speed, port.cable, port.mtu, AUTO)
    if own is not None:
        if need.floor is None or bytes_after_pause(own) >= need.floor.total:
            return _keep_auto(own, kind, need)
        return _raise_to_need(own, kind, need, auto=True)
    if device.nos is not None and not device.nos.buffer_models:  # it does not say what it comes to
        why = f"{device.nos.title} sizes it from the cable's length; the resulting size is unknown"
        return (
            _make_setting("xoff", stated, None, why),
            _make_setting("xon", stated, None, why),
            AdvisedSetting(
                "headroom_size_bytes",
                stated.size if stated is not None else AUTO,
                port.origins.get("headroom"),
                AUTO,
                why,
            ),
        )
    if need.worst is None:
        return tuple(_make_setting(part, port.room, None, f"not computed: {need.why_no_worst}") for part in _PARTS)
    return _raise_to_need(port.room, kind, need, auto=False)


def bytes_after_pause(room: Headroom) -> int:
    """The bytes that may arrive after the pause; all of it where the headroom is not told apart."""
    return room.size if room.xoff is None else room.xoff


def _keep_auto(own: Headroom, kind: PortKind, need: Needed) -> tuple[AdvisedSetting, ...]:
    """What the switch takes by itself, where that is not less than any chip needs."""
    why = f"auto, {_formula_of(own.at('xoff'))}"
    if need.worst is None:
        why += f"; worst case of the chip not computed: {need.why_no_worst}"
    whys = {"xoff": why, "xon": "with that xoff", "size": "with that xoff"}
    return tuple(_make_setting(part, kind.port.room, own, whys[part], (own.at(part),)) for part in _PARTS)


def _raise_to_need(base: Headroom | None, kind: PortKind, need: Needed, *, auto: bool) -> tuple[AdvisedSetting, ...]:
    """What the link needs, in whole cells; xon and the rest of the size as in `base`.

    `auto`: the switch takes `base` by itself; else it is stated.
    """
    worst = need.worst.terms if need.worst is not None else None
    terms = max((t for t in (worst, need.floor) if t is not None), key=lambda t: t.total)
    cell = (kind.device.asic.cell if kind.device.asic is not None else None) or 1
    xoff = ceil(terms.total / cell) * cell
    xon = base.xon if base is not None else None
    size = xoff + (xon or 0)
    shared = False
    if base is not None and base.xoff is not None:
        shared = base.size < base.xoff + (base.xon or 0)  # headroom from a shared pool: the size is xon alone
        size = base.size if shared else base.size + xoff - base.xoff
    working = terms.working() + (f"; in cells of {cell} B: {xoff} B" if xoff != terms.total else "")
    if auto and base is not None:
        working = f"auto gives {show_size(bytes_after_pause(base))}, less than any chip needs: {working}"
    own = "as the switch has it" if auto else "as stated"
    beside = f"xoff {show_size(xoff)}, and {show_size(size - xoff)} beside it"
    whys = {
        "xoff": working,
        "xon": own if xon is not None else "unknown on this switch",
        "size": f"{own}: headroom is shared" if shared else beside,
    }
    origins = need.worst.inputs if need.worst is not None else ()
    advised = Headroom(size, xon, xoff)
    refused = next(iter(find_refusals(kind.device, read_headroom(kind.device, kind.port, advised)).values()), "")
    if refused and advised != kind.port.room:
        return tuple(_make_setting(part, kind.port.room, None, f"not proposed: {refused}") for part in _PARTS)
    return tuple(_make_setting(part, kind.port.room, advised, whys[part], origins) for part in _PARTS)


def _make_setting(
    part: str, now: Headroom | None, advised: Headroom | None, why: str, origins: tuple[Origin, ...] = ()
) -> AdvisedSetting:
    have = getattr(now, part) if now is not None else None
    place = now.at(part) if now is not None and have is not None else None
    return AdvisedSetting(
        f"headroom_{part}_bytes", have, place, getattr(advised, part) if advised is not None else None, why, origins
    )


def _formula_of(origin: Origin) -> str:
    """The working of a computed value."""
    return str(getattr(origin, "formula", ""))


def shipped_alpha(kind: PortKind, cable: float | None) -> tuple[float | None, Origin | None]:
    """The share of the free pool that the switch gives such a port where the intent states none."""
    chip = kind.chip
    stock = chip._replace(buffers=replace(chip.buffers, alpha=None))
    _, row = size_headroom(stock, kind.port.speed, cable, kind.port.mtu, AUTO)
    return find_alpha(stock, chip.box.headroom if chip.box is not None else None, row)


def advise_alpha(kind: PortKind) -> AdvisedSetting:
    """The share of the free pool that a lossless priority group may take."""
    port = kind.port
    now_at = port.origins.get("alpha")
    advised, at = shipped_alpha(kind, port.cable)
    if advised is None or at is None:
        return AdvisedSetting("alpha", port.alpha, now_at, None, "not computed: what this switch ships is unknown")
    why = _formula_of(at) or str(getattr(at, "why", ""))
    return AdvisedSetting("alpha", port.alpha, now_at, advised, why, (at,))
