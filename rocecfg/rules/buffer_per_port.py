"""Headroom of one port against what the chip lets a port take: rule BUF631."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.core.units import show_rate
from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.profiles import applies
from rocecfg.rules.base import ERROR, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import UNPAUSED_OFF, is_lossless_port
from rocecfg.rules.buffer_pools import DYNAMIC, shared_headroom_pool

_MORE = 20  # cells that are reserved besides on ports of eight lanes (port_reserved_shp): which have them is not known
_SINCE = "202405"  # before, buffer_check_headroom_mellanox.lua does not look at the shared headroom


@rule(
    "BUF631",
    "buffer-port-limit",
    ERROR,
    source="sonic-swss, cfgmgr/buffer_check_headroom_mellanox.lua: port_max_shp and port_reserved_shp of the chip",
    by_kind=UNPAUSED_OFF,
    vendors=("sonic",),
)
def buffer_port_limit(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """SONiC on NVIDIA: one port needs more headroom than it may take from the shared pool, so SONiC refuses it."""
    asic, nos, room = device.asic, device.nos, port.room
    if asic is None or nos is None or asic.shared_headroom_per_port is None or not is_lossless_port(port):
        return
    if device.buffers.model != DYNAMIC or room is None or room.xoff is None:
        return
    if shared_headroom_pool(device) == 0 or not _checks_port_limit(nos.name, device.release or nos.default_release):
        return
    shared = max(0, room.xoff + (room.xon or 0) - room.size)  # what is not the priority group's own
    total, limit = len(port.pfc) * shared, asic.shared_headroom_per_port
    if total <= limit + _MORE * (asic.cell or 0):
        return
    link = f" at {show_rate(port.fastest)}" if port.fastest is not None else ""
    link += ", the fastest that it negotiates," if port.negotiates else ""
    link += f" over {port.cable:g} m" if port.cable is not None else ""
    yield Hit(
        f"the headroom of one port{link} ({total} B) exceeds the {limit} B that a port may use of the shared headroom "
        "pool: SONiC refuses it (accumulative headroom size exceeds limit), and the port does not get it. "
        f"Needed: {len(port.pfc)} x {shared} B = {total} B",
        (port.at("cable"), port.at("headroom"), port.at()),
        "correct the cable, or make fewer priorities lossless",
    )


def _checks_port_limit(nos: str, release: str) -> bool:
    try:
        return applies(_SINCE, None, nos, release)
    except ValueError:
        return False


RULES: tuple[Rule, ...] = (buffer_port_limit,)
