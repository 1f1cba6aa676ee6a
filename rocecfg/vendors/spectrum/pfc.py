"""PFC profiles and the watchdog's timers."""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Fabric, Headroom, PortGroup, Watchdog
from rocecfg.physics.watchdog import count_polls
from rocecfg.vendors.spectrum.ranges import fold_numbers
from rocecfg.vendors.spectrum.release import SMALL_PACKETS, Release

DEFAULT_CABLE = 100  # metres that `qos roce` assumes; a profile of one's own would fall to 10
_POLL = 100  # ms


class PfcProfile(NamedTuple):
    """A PFC profile. Sizes in bytes, cable in metres; None: not said."""

    priorities: tuple[int, ...]
    text: str  # the same as a range
    tx: str  # enable | disable: pauses sent
    rx: str  # enable | disable: pauses obeyed
    cable: int | None
    port_buffer: int | None
    xoff: int | None
    xon: int | None
    small: int | None  # percent of small packets assumed


# For ports that no lossless class crosses, which `qos roce` would pause all the same.
OFF = PfcProfile((), "", "disable", "disable", None, None, None, None, None)


class Timers(NamedTuple):
    """Global timers of the watchdog; None: Cumulus' own (100 ms, 3 times)."""

    polling: int | None  # ms
    robustness: int | None  # polls in a row


def pfc_of(fabric: Fabric, device: Device, group: PortGroup, release: Release) -> PfcProfile:
    """The PFC profile of a group of ports."""
    if not group.pfc:
        return OFF
    buffer, xoff, xon = _headroom_levels(group)
    tx = "disable" if fabric.mode == "semi-lossless" else "enable"
    stated = device.buffers.small_packets if release.number >= SMALL_PACKETS else None
    small = None if stated is None else int(stated)
    # rounded up, so that the headroom is never too small
    cable = DEFAULT_CABLE if group.cable is None else max(1, ceil(group.cable))
    return PfcProfile(group.pfc, fold_numbers(group.pfc), tx, "enable", cable, buffer, xoff, xon, small)


def _headroom_levels(group: PortGroup) -> tuple[int | None, int | None, int | None]:
    """`port-buffer`, `xoff-threshold`, `xon-threshold`.

    NVUE counts from the other end than the intent: its xoff is the fill at which the pause goes out (ours: the bytes
    still to come after that), its xon the drop below that fill at which the pause ends (ours: the fill itself).
    """
    room = group.headroom
    if not isinstance(room, Headroom):
        return None, None, None
    level = None if room.xoff is None else room.size - room.xoff
    drop = None if room.xon is None or level is None else level - room.xon
    return room.size, level, drop


def watchdog_state(group: PortGroup) -> str | None:
    """The word `enable` or `disable`; None where nothing is lossless, so nothing can be watched."""
    if not group.pfc:
        return None
    return "disable" if group.watchdog is None else "enable"


def timers_of(device: Device) -> Timers | None:
    """The one pair of timers that a switch has; None where no port is watched."""
    watched = (g.watchdog for g in device.ports if g.pfc and g.watchdog is not None)
    return next(map(_convert_timers, watched), None)


def _convert_timers(watchdog: Watchdog) -> Timers:
    """polling-interval = poll, robustness = ceil(detection / poll)."""
    if watchdog.vendor_default or watchdog.detection is None:
        return Timers(None, None)
    poll = _POLL if watchdog.poll is None else int(watchdog.poll)
    return Timers(poll, count_polls(watchdog.detection, poll))
