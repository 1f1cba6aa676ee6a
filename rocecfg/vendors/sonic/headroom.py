"""Headroom of lossless ports: the cable length that the switch goes by, and profiles that the switch would not make.

Traditional model: buffermgrd makes the `pg_lossless_<speed>_<cable>_profile` rows and binds them, from CABLE_LENGTH,
the port's speed and pfc_enable, by exact match in the platform's pg_profile_lookup.ini. It takes a row that exists
instead of making one, so a row of ours has that name. Dynamic model: BUFFER_PG rows with profile NULL ask buffermgrd
to compute the headroom from the cable length.
"""

from __future__ import annotations

import math

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Headroom, PortGroup
from rocecfg.sizing.templates import find_table_row
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.settings import field_of, write_values

COMPUTED = "NULL"  # dynamic model: "calculate for me"

Row = dict[str, str]


class Room(NamedTuple):
    """What is said of a port's headroom."""

    cable: int | None  # metres of CABLE_LENGTH; None: not said
    profile: str | None  # that we bind to its priority groups; None: the switch binds one
    name: str = ""  # of a profile that the priority groups get, whoever makes it; "": unknown
    row: Row | None = None  # what is in that one, but for its pool
    beyond: bool = False  # computed, since the cable is longer than the table goes


def room_on(device: Device, port: PortGroup, model: str | None) -> Room:
    """What to say of a port."""
    if not port.pfc:
        return Room(None, None)
    dynamic = model == "dynamic"
    cable = None if port.cable is None or model is None else max(1, math.ceil(port.cable))  # 0m: no headroom
    if isinstance(port.headroom, Headroom):
        return _own_profile(device, port, port.headroom, cable, dynamic=dynamic)
    if dynamic:
        return Room(cable, COMPUTED)
    return Room(None, None) if cable is None else _look_up(device, port, cable)


def _look_up(device: Device, port: PortGroup, wanted: int) -> Room:
    """Traditional model: the next length that the table lists for the speed, or a row of our own beyond its end."""
    table = device.box.headroom.rows if device.box is not None and device.box.headroom is not None else {}
    if not table:
        return Room(None, None)
    assert port.speed is not None  # nos-unsupported: headroom without speed
    found = find_table_row(device, port)
    if found is not None:
        length, row = found
        room = Headroom(row.size, row.xon, row.xoff)
        alpha = device.buffers.alpha
        if alpha is None or alpha == 2.0**row.dynamic_th:
            name, fields = _generated_name(port.speed, length), _profile_row(room, 2.0**row.dynamic_th, row.xon_offset)
            return Room(length, None, name, fields)
        return _own_profile(device, port, room, length, xon_offset=row.xon_offset)
    assert port.room is not None  # schema-asic-nos: no cable of this length
    _, last = max(table[port.speed].items())
    return _own_profile(device, port, port.room, wanted, xon_offset=last.xon_offset)._replace(beyond=True)


def _generated_name(speed: int, cable: int) -> str:
    """The profile that buffermgrd looks for, before it makes it."""
    return f"pg_lossless_{speed // 10**6}_{cable}m_profile"


def _profile_row(room: Headroom, alpha: float, xon_offset: int | None) -> Row:
    return write_values("profile", size=room.size, xon=room.xon, xoff=room.xoff, alpha=alpha, xon_offset=xon_offset)


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
    fields = _profile_row(room, _find_alpha(device, port), xon_offset)
    if dynamic or cable is None:
        name = f"roce_{room.size}_{room.xon}_{room.xoff}_{fields[field_of('profile', 'alpha')]}"
    else:
        assert port.speed is not None  # as above
        name = _generated_name(port.speed, cable)
    return Room(cable, name, name, fields)


def _find_alpha(device: Device, port: PortGroup) -> float:
    """The alpha stated, else the one that the port's priority groups have anyway."""
    stated = device.buffers.alpha
    alpha = port.alpha if stated is None else stated
    if alpha is None:
        raise CannotRender(
            f"{port.key}: a headroom profile needs buffers.alpha, which is unknown",
            "dynamic_th is n of alpha = 2^n, n from -8 to 7: state alpha as 1/256, ..., 1/2, 1, 2, ..., 128",
            (device.buffers.at("alpha"), port.at("headroom")),
        )
    return alpha
