"""Lossless buffers of a device: pools, profiles, cable lengths and priority groups, as its buffer model needs them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Headroom, PortGroup
from rocecfg.sizing.templates import buffer_model
from rocecfg.vendors.sonic.headroom import COMPUTED, Room, Row, room_on
from rocecfg.vendors.sonic.keys import join_priorities
from rocecfg.vendors.sonic.pools import POOL, parameter_row, pattern_row, pools_of
from rocecfg.vendors.sonic.release import Release


class BufferRows(NamedTuple):
    """The buffer rows of a device; `cables` and `groups` run parallel to its port groups."""

    model: str | None
    pools: dict[str, Row]
    profiles: dict[str, Row]
    parameter: Row  # DEFAULT_LOSSLESS_BUFFER_PARAMETER
    pattern: Row  # LOSSLESS_TRAFFIC_PATTERN
    cables: tuple[int | None, ...]  # metres
    groups: tuple[Row, ...]  # priority groups ("3", "3-4") -> profile
    unsized: tuple[PortGroup, ...]  # lossless ports whose headroom stays what the switch makes of its own rows
    beyond: tuple[PortGroup, ...]  # ports whose headroom is computed, since their cable is longer than the table goes
    unsaid: tuple[str, ...]  # settings of the intent that have no place in this file


def plan_buffers(device: Device, ports: Sequence[PortGroup], release: Release) -> BufferRows:
    """Works out the buffer rows.

    Ports whose headroom is not stated at all get what is known, and are listed in `unsized` where that is not enough.
    """
    model = buffer_model(device)
    rooms = [room_on(device, port, model) for port in ports]
    profiles = _own_profiles(rooms)
    pools = pools_of(device, release, model, profiles=bool(profiles))
    for fields in profiles.values():
        fields["pool"] = release.ref("BUFFER_POOL", POOL)
    groups = []
    for port, room in zip(ports, rooms, strict=True):
        name = room.profile
        ref = name if name in (None, COMPUTED) else release.ref("BUFFER_PROFILE", name)
        groups.append({} if ref is None else dict.fromkeys(join_priorities(port.pfc), ref))
    lossless = [(port, room) for port, room in zip(ports, rooms, strict=True) if port.pfc]
    dynamic = model == "dynamic"
    return BufferRows(
        model,
        pools.rows,
        profiles,
        parameter_row(device) if dynamic else {},
        pattern_row(device, release) if dynamic else {},
        tuple(room.cable for room in rooms),
        tuple(groups),
        tuple(p for p, room in lossless if room.cable is None and not _states_sizes(p)),
        tuple(p for p, room in lossless if room.beyond),
        (*_unwritten_settings(device, model, [room for _, room in lossless]), *pools.unsaid),
    )


def _own_profiles(rooms: Sequence[Room]) -> dict[str, Row]:
    """The profiles of ours: ports of one speed and cable length have one."""
    return {room.name: dict(room.row) for room in rooms if room.row is not None and room.profile == room.name}


def _states_sizes(port: PortGroup) -> bool:
    """Whether the intent gives the sizes of the headroom itself."""
    return isinstance(port.headroom, Headroom)


def _unwritten_settings(device: Device, model: str | None, lossless: Sequence[Room]) -> Iterable[str]:
    """What `buffers` states and this file cannot carry, pools aside: the platform's own templates decide it."""
    names = ["template", "response", "private_headroom"]
    if model != "dynamic":
        names += ["oversubscribe", "lossless_mtu", "small_packets"]
        if not lossless or any(room.row is None for room in lossless):
            names.append("alpha")
    return (name for name in names if getattr(device.buffers, name) is not None)
