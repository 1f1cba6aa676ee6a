"""Headroom of lossless ports: the cable length that the switch goes by, and profiles that the switch would not make.

Traditional model: buffermgrd makes the `pg_lossless_<speed>_<cable>_profile` rows and binds them, from CABLE_LENGTH,
the port's speed and pfc_enable, by exact match in the platform's pg_profile_lookup.ini. It takes a row that exists
instead of making one, so a row of ours has that name. Dynamic model: BUFFER_PG rows with profile NULL ask buffermgrd
to compute the headroom from the cable length.
"""

from __future__ import annotations

import math

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import AUTO, Device, Headroom, Origin, PortGroup
from rocecfg.sizing.templates import find_table_row, is_static
from rocecfg.vendors.base import CannotRender

COMPUTED = "NULL"  # dynamic model: "calculate for me"

Row = dict[str, str]


class Room(NamedTuple):
    """What is said of a port's headroom."""

    cable: int | None  # metres of CABLE_LENGTH; None: not said
    profile: str | None  # that we bind to its priority groups; None: the switch binds one
    name: str = ""  # of a profile that the priority groups get, whoever makes it; "": not known
    row: Row | None = None  # what is in that one, but for its pool
    beyond: bool = False  # computed, since the cable is longer than the table goes


def exponent_of(alpha: float) -> int | None:
    """The n of alpha = 2^n, if that is a dynamic_th (-8..7); else None."""
    fraction, power = math.frexp(alpha)
    return power - 1 if fraction == 0.5 and -8 <= power - 1 <= 7 else None


def room_on(device: Device, port: PortGroup, model: str | None) -> Room:
    """What to say of a port; CannotRender where headroom is `auto` and would be a guess, or could not be made."""
    if not port.pfc:
        return Room(None, None)
    _check_headroom(device, port, model)
    dynamic = model == "dynamic"
    cable = None if port.cable is None or model is None else max(1, math.ceil(port.cable))  # 0m: no headroom
    if isinstance(port.headroom, Headroom):
        return _own_profile(device, port, port.headroom, cable, dynamic=dynamic)
    if dynamic:
        return Room(cable, COMPUTED)
    return Room(None, None) if cable is None else _look_up(device, port, cable)


def _check_headroom(device: Device, port: PortGroup, model: str | None) -> None:
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
    stated = isinstance(port.headroom, Headroom)
    if port.cable is None and (port.headroom == AUTO or (stated and model == "traditional")):
        raise CannotRender(
            f"{port.key} is lossless and its cable length is not stated",
            "without CABLE_LENGTH buffermgrd makes no headroom; add cable to the link, the port or the device",
            (port.at("cable"),),
        )


def _look_up(device: Device, port: PortGroup, wanted: int) -> Room:
    """Traditional model: the next length that the table lists for the speed, or a row of our own beyond its end."""
    table = device.box.headroom.rows if device.box is not None and device.box.headroom is not None else {}
    if not table:
        if port.headroom is None:
            return Room(None, None)
        raise CannotRender(
            f"{port.key}: headroom is {AUTO}, and no pg_profile_lookup.ini of this platform is known",
            "name a platform whose table is known, or state the headroom: {size, xon, xoff}",
            (port.at("headroom"),),
        )
    if port.speed is None or port.speed not in table:
        pace = show_rate(port.speed) if port.speed is not None else "a speed that is not stated"
        known = ", ".join(show_rate(speed) for speed in sorted(table))
        raise CannotRender(
            f"{port.key}: the platform's pg_profile_lookup.ini has no row for {pace}",
            f"it lists {known}; state a listed speed, or headroom: {{size, xon, xoff}}",
            (port.at("speed"),),
        )
    found = find_table_row(device, port)
    if found is not None:
        length, row = found
        room = Headroom(row.size, row.xon, row.xoff)
        alpha = device.buffers.alpha
        if alpha is None or alpha == 2.0**row.dynamic_th:
            name, fields = _generated_name(port.speed, length), _profile_row(room, row.dynamic_th, row.xon_offset)
            return Room(length, None, name, fields)
        return _own_profile(device, port, room, length, xon_offset=row.xon_offset)
    longest, last = max(table[port.speed].items())
    if port.headroom != AUTO or port.room is None:
        raise CannotRender(
            f"{port.key}: a cable of {show_number(port.cable or 0)} m is longer than any that pg_profile_lookup.ini "
            f"lists for {show_rate(port.speed)} (up to {longest} m)",
            "buffermgrd would make no headroom; state headroom: {size, xon, xoff}, or correct the cable",
            (port.at("cable"),),
        )
    return _own_profile(device, port, port.room, wanted, xon_offset=last.xon_offset)._replace(beyond=True)


def _generated_name(speed: int, cable: int) -> str:
    """The profile that buffermgrd looks for, before it makes it."""
    return f"pg_lossless_{speed // 10**6}_{cable}m_profile"


def _profile_row(room: Headroom, threshold: int, xon_offset: int | None) -> Row:
    fields = {"size": str(room.size), "xon": str(room.xon), "xoff": str(room.xoff), "dynamic_th": str(threshold)}
    return fields if xon_offset is None else fields | {"xon_offset": str(xon_offset)}


def _own_profile(
    device: Device,
    port: PortGroup,
    room: Headroom,
    cable: int | None,
    *,
    dynamic: bool = False,
    xon_offset: int | None = None,
) -> Room:
    """A profile of ours, bound to the port's priority groups.

    In the dynamic model its name holds the sizes, since a profile in use is not to change under its ports.
    """
    if room.xon is None or room.xoff is None:
        raise CannotRender(
            f"{port.key}: headroom of {show_size(room.size)} without xon and xoff",
            "a SONiC buffer profile needs all three: headroom: {size: ..., xon: ..., xoff: ...}",
            (room.at("size"),),
        )
    threshold = _threshold(device, port)
    fields = _profile_row(room, threshold, xon_offset)
    if dynamic or cable is None:
        name = f"roce_{room.size}_{room.xon}_{room.xoff}_{threshold}"
    elif port.speed is None:
        raise CannotRender(f"{port.key}: a stated headroom needs the port's speed", "state speed", (port.at("speed"),))
    else:
        name = _generated_name(port.speed, cable)
    return Room(cable, name, name, fields)


def _threshold(device: Device, port: PortGroup) -> int:
    """dynamic_th: of the alpha stated, else of the one that the port's priority groups have anyway."""
    stated = device.buffers.alpha
    alpha = port.alpha if stated is None else stated
    at: tuple[Origin, ...] = (device.buffers.at("alpha"), port.at("headroom"))
    if is_static(device):
        raise CannotRender(
            f"{port.key}: the lossless pool of {device.hwsku or 'this platform'} is static, so a headroom profile "
            "needs a limit in bytes, which an intent does not state",
            "leave buffers.alpha and the sizes of the headroom out",
            at,
        )
    threshold = None if alpha is None else exponent_of(alpha)
    if threshold is None:
        given = "is not known" if alpha is None else f"{alpha:g} is no power of two"
        raise CannotRender(
            f"{port.key}: a headroom profile needs buffers.alpha, which {given}",
            "dynamic_th is n of alpha = 2^n, n from -8 to 7: state alpha as 1/256, ..., 1/2, 1, 2, ..., 128",
            at,
        )
    return threshold
