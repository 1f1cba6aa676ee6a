"""Lossless buffers: cable lengths, priority groups and headroom, as the platform's buffer model needs them.

Traditional model: buffermgrd makes the `pg_lossless_<speed>_<cable>_profile` rows and binds them, from CABLE_LENGTH,
the port's speed and pfc_enable, by exact match in the platform's pg_profile_lookup.ini. Dynamic model: BUFFER_PG rows
with profile NULL ask buffermgrd to compute the headroom from the cable length.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rocecfg.model import AUTO, Device, Headroom, PortGroup
from rocecfg.units import show_number, show_rate
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.release import Release

POOL = "ingress_lossless_pool"  # what buffermgrd itself uses for lossless priority groups
COMPUTED = "NULL"  # dynamic model: "calculate for me"
_STOCK_MTU = 1024  # LOSSLESS_TRAFFIC_PATTERN, bytes
_STOCK_ALPHA = 0  # DEFAULT_LOSSLESS_BUFFER_PARAMETER default_dynamic_th: alpha 2^0

Row = dict[str, str]


class Buffers(NamedTuple):
    """The buffer rows of a device; `cables` and `groups` run parallel to its port groups."""

    model: str | None
    pools: dict[str, Row]
    profiles: dict[str, Row]
    parameter: Row  # DEFAULT_LOSSLESS_BUFFER_PARAMETER
    pattern: Row  # LOSSLESS_TRAFFIC_PATTERN
    cables: tuple[int | None, ...]  # metres
    groups: tuple[Row, ...]  # priority groups ("3", "3-4") -> profile
    unsized: tuple[PortGroup, ...]  # lossless ports whose headroom stays what the switch makes of its own rows
    unsaid: tuple[str, ...]  # settings of the intent that have no place in this file


def plan(device: Device, ports: Sequence[PortGroup], release: Release) -> Buffers:
    """Works out the buffer rows; CannotRender where headroom is `auto` and would be a guess, or could not be made.

    Ports whose headroom is not stated at all get what is known, and are listed in `unsized` where that is not enough.
    """
    stated = device.buffers
    box = device.box
    model = stated.model or (box.buffer_model if box is not None else None)
    dynamic = model == "dynamic"
    pools: dict[str, Row] = {}
    profiles: dict[str, Row] = {}
    cables: list[int | None] = []
    groups: list[Row] = []
    for port in ports:
        profile, cable = None, None
        if port.pfc:
            _check_lossless(device, port, model)
            cable = _cable(device, port, model)
            if isinstance(port.headroom, Headroom):
                profile, fields = _own_profile(device, port, port.headroom, None if dynamic else cable)
                if profiles.setdefault(profile, fields) != fields:
                    raise CannotRender(
                        f"{port.key}: another headroom for the same speed and cable length is stated on other ports",
                        "the traditional model has one profile for each speed and cable length",
                        (port.at("headroom"),),
                    )
            elif dynamic:
                profile = COMPUTED
        cables.append(cable)
        ref = profile if profile in (None, COMPUTED) else release.ref("BUFFER_PROFILE", profile)
        groups.append({} if ref is None else dict.fromkeys(joined(port.pfc), ref))
    if dynamic and stated.shared_headroom is not None:
        pools[POOL] = _pool(device, release) | {"xoff": str(stated.shared_headroom)}
    elif profiles:
        pools[POOL] = _pool(device, release)
    for fields in profiles.values():
        fields["pool"] = release.ref("BUFFER_POOL", POOL)
    return Buffers(
        model,
        pools,
        profiles,
        _parameter(device) if dynamic else {},
        _pattern(device, release) if dynamic else {},
        tuple(cables),
        tuple(groups),
        tuple(p for p, cable in zip(ports, cables, strict=True) if p.pfc and cable is None and not _stated(p)),
        _unsaid(device, dynamic, bool(profiles)),
    )


def joined(priorities: Iterable[int]) -> tuple[str, ...]:
    """Priorities as BUFFER_PG keys, neighbours joined as buffermgrd does: 2,3,4,6 -> ("2-4", "6")."""
    runs: list[list[int]] = []
    for n in sorted(priorities):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return tuple(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def exponent(alpha: float) -> int | None:
    """The n of alpha = 2^n, if that is a dynamic_th (-8..7); else None."""
    fraction, power = math.frexp(alpha)
    return power - 1 if fraction == 0.5 and -8 <= power - 1 <= 7 else None


def _check_lossless(device: Device, port: PortGroup, model: str | None) -> None:
    box = device.box
    if box is not None and not box.lossless:
        raise CannotRender(
            f"{port.key}: SONiC ships no lossless buffers for {box.hwsku or 'this platform'}",
            "a lossless class would have PFC and no headroom; take it off these ports, or another platform",
            (device.at("platform"),),
        )
    if model is None and port.headroom is not None:
        raise CannotRender(
            f"{port.key}: the buffer model of the switch is unknown, so its headroom cannot be rendered",
            "name the platform, or state buffers.model: traditional or dynamic",
            (device.at("platform", "asic"),),
        )
    if port.cable is None and (port.headroom == AUTO or (_stated(port) and model == "traditional")):
        raise CannotRender(
            f"{port.key} is lossless and its cable length is not stated",
            "without CABLE_LENGTH buffermgrd makes no headroom; add cable to the link, the port or the device",
            (port.at("cable"),),
        )


def _stated(port: PortGroup) -> bool:
    """Whether the intent gives the sizes of the headroom itself."""
    return isinstance(port.headroom, Headroom)


def _cable(device: Device, port: PortGroup, model: str | None) -> int | None:
    """The length to print in whole metres, rounded up, never 0 ("0m" means: no headroom); None where it is unknown.

    The traditional model knows only the lengths of its table, so there it is the next one listed for that speed.
    """
    if port.cable is None or model is None:
        return None
    wanted = max(1, math.ceil(port.cable))
    if model == "dynamic" or _stated(port):
        return wanted
    listed = dict(device.box.headroom) if device.box is not None else {}
    if not listed:
        if port.headroom is None:
            return None
        raise CannotRender(
            f"{port.key}: headroom is {AUTO}, and no pg_profile_lookup.ini of this platform is known",
            "name a platform whose table is known, or state the headroom: {size, xon, xoff}",
            (port.at("headroom"),),
        )
    if port.speed is None or port.speed not in listed:
        pace = show_rate(port.speed) if port.speed is not None else "a speed that is not stated"
        known = ", ".join(show_rate(speed) for speed in sorted(listed))
        raise CannotRender(
            f"{port.key}: the platform's pg_profile_lookup.ini has no row for {pace}",
            f"it lists {known}; state a listed speed, or headroom: {{size, xon, xoff}}",
            (port.at("speed"),),
        )
    lengths = listed[port.speed]
    fitting = [length for length in lengths if length >= wanted]
    if not fitting:
        raise CannotRender(
            f"{port.key}: a cable of {show_number(port.cable)} m is longer than any that pg_profile_lookup.ini lists "
            f"for {show_rate(port.speed)} (up to {max(lengths)} m)",
            "buffermgrd would make no headroom; state headroom: {size, xon, xoff}, or correct the cable",
            (port.at("cable"),),
        )
    return min(fitting)


def _own_profile(device: Device, port: PortGroup, room: Headroom, cable: int | None) -> tuple[str, Row]:
    """Name and row of the profile for a stated headroom; `cable` in metres in the traditional model, else None.

    There the name is the one buffermgrd would look for: it takes a row that exists instead of making one, and a
    profile of another name would be unbound at its next update. In the dynamic model the name holds the sizes, since
    a profile in use is not to change under its ports.
    """
    if room.xon is None or room.xoff is None:
        raise CannotRender(
            f"{port.key}: headroom of {room.size} B without xon and xoff",
            "a SONiC buffer profile needs all three: headroom: {size: ..., xon: ..., xoff: ...}",
            (room.at("size"),),
        )
    threshold = None if device.buffers.alpha is None else exponent(device.buffers.alpha)
    if threshold is None:
        given = "is not stated" if device.buffers.alpha is None else f"{device.buffers.alpha:g} is no power of two"
        raise CannotRender(
            f"{port.key}: a stated headroom needs buffers.alpha, which {given}",
            "dynamic_th is n of alpha = 2^n, n from -8 to 7: state alpha as 1/256, ..., 1/2, 1, 2, ..., 128",
            (device.buffers.at("alpha"), port.at("headroom")),
        )
    fields = {"size": str(room.size), "xon": str(room.xon), "xoff": str(room.xoff), "dynamic_th": str(threshold)}
    if cable is None:
        return f"roce_{room.size}_{room.xon}_{room.xoff}_{threshold}", fields
    if port.speed is None:
        raise CannotRender(f"{port.key}: a stated headroom needs the port's speed", "state speed", (port.at("speed"),))
    return f"pg_lossless_{port.speed // 10**6}_{cable}m_profile", fields


def _pool(device: Device, release: Release) -> Row:
    """Type and mode of the lossless pool, as the platform's template has them: YANG wants both in the row.

    Jericho and Qumran have one pool for both directions (the type is known from 202405).
    """
    sand = device.asic is not None and device.asic.families.get("arista") == "sand"
    return {"type": "both" if sand and release.number >= 202405 else "ingress", "mode": "dynamic"}


def _parameter(device: Device) -> Row:
    """DEFAULT_LOSSLESS_BUFFER_PARAMETER where the intent states alpha or oversubscription; else nothing."""
    stated = device.buffers
    if stated.alpha is None and stated.oversubscribe is None:
        return {}
    threshold = _STOCK_ALPHA if stated.alpha is None else exponent(stated.alpha)
    if threshold is None:
        raise CannotRender(
            f"buffers.alpha {stated.alpha:g} is no power of two from 1/256 to 128",
            "default_dynamic_th is n of alpha = 2^n, n from -8 to 7",
            (stated.at("alpha"),),
        )
    fields = {"default_dynamic_th": str(threshold)}
    ratio = stated.oversubscribe
    if ratio is not None:
        if ratio != int(ratio) or not 0 <= ratio <= 65535:
            raise CannotRender(
                f"buffers.oversubscribe {ratio:g} is not a whole number from 0 to 65535",
                "over_subscribe_ratio is a uint16",
                (stated.at("oversubscribe"),),
            )
        fields["over_subscribe_ratio"] = str(int(ratio))
    return fields


def _pattern(device: Device, release: Release) -> Row:
    """LOSSLESS_TRAFFIC_PATTERN where the intent states one of its fields; the other is the release's stock value."""
    stated = device.buffers
    if stated.lossless_mtu is None and stated.small_packets is None:
        return {}
    mtu = _STOCK_MTU if stated.lossless_mtu is None else stated.lossless_mtu
    small = release.small_packets if stated.small_packets is None else stated.small_packets
    if not 1 <= mtu <= 9216:
        raise CannotRender(f"buffers.lossless_mtu {mtu} B is outside 1..9216 B", "", (stated.at("lossless_mtu"),))
    if small != int(small) or not 0 <= small <= 100:
        raise CannotRender(
            f"buffers.small_packets {small:g}% is not a whole percentage from 0 to 100",
            "",
            (stated.at("small_packets"),),
        )
    return {"mtu": str(mtu), "small_packet_percentage": str(int(small))}


def _unsaid(device: Device, dynamic: bool, own_profiles: bool) -> tuple[str, ...]:
    """What `buffers` states and this file cannot carry: the platform's own templates decide it."""
    always = ("template", "lossless_pool", "lossy_pool", "response")
    traditional = ("shared_headroom", "oversubscribe", "lossless_mtu", "small_packets")
    names = always if dynamic else (*always, *traditional, *(() if own_profiles else ("alpha",)))
    return tuple(name for name in names if getattr(device.buffers, name) is not None)
