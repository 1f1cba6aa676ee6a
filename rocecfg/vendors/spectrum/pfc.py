"""PFC profiles and the watchdog's timers."""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_size, show_time
from rocecfg.model import Device, Fabric, Headroom, PortGroup, Watchdog
from rocecfg.physics.watchdog import count_polls
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.ranges import fold_numbers
from rocecfg.vendors.spectrum.release import SMALL_PACKETS, WATCHDOG, Release, require_release

DEFAULT_CABLE = 100  # metres that `qos roce` assumes; a profile of one's own would fall to 10
_CABLE = (1, 100_000)
_POLL = (100, 5000)  # ms
_ROBUSTNESS = (1, 1000)


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
    small = _small_packet_percent(device) if release.number >= SMALL_PACKETS else None
    return PfcProfile(group.pfc, fold_numbers(group.pfc), tx, "enable", _cable_metres(group), buffer, xoff, xon, small)


def _small_packet_percent(device: Device) -> int | None:
    percent = device.buffers.small_packets
    if percent is None:
        return None
    if percent != int(percent) or not 0 <= percent <= 100:
        raise CannotRender(
            f"small_packets {show_number(percent)} %: NVUE takes whole percents from 0 to 100",
            "round it",
            (device.buffers.at("small_packets"),),
        )
    return int(percent)


def _cable_metres(group: PortGroup) -> int:
    """Whole metres, rounded up, so that the headroom is never too small."""
    if group.cable is None:
        return DEFAULT_CABLE
    metres = max(_CABLE[0], ceil(group.cable))
    if metres > _CABLE[1]:
        raise CannotRender(
            f"cable of {metres} m: NVUE takes at most {_CABLE[1]} m", "check its unit", (group.at("cable"),)
        )  # fmt: skip
    return metres


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
    why = ""
    if room.size < 1:
        why = f"size is {room.size} B"
    elif level is not None and level < 1:
        why = f"xoff {show_size(room.xoff or 0)} leaves nothing of size {show_size(room.size)} before the pause"
    elif room.xon is not None and level is None:
        why = "xon is stated without xoff"
    elif drop is not None and not 1 <= drop < (level or 0):
        why = (
            f"the pause goes out at {level} B (size - xoff) and would end at xon {room.xon} B: "
            "NVUE wants that lower, and above 0"
        )
    if why:
        raise CannotRender(
            f"headroom of ports {group.key or 'in general'}: {why}",
            "write headroom: auto, as NVIDIA advises, or size alone",
            (room.at("xon", "xoff", "size"), group.at("headroom")),
        )
    return room.size, level, drop


def watchdog_state(group: PortGroup) -> str | None:
    """The word `enable` or `disable`; None where nothing is lossless, so nothing can be watched."""
    if not group.pfc:
        return None
    return "disable" if group.watchdog is None else "enable"


def timers_of(device: Device, release: Release) -> Timers | None:
    """The one pair of timers that a switch has; None where no port is watched."""
    watched = [(g, g.watchdog) for g in device.ports if g.pfc and g.watchdog is not None]
    if not watched:
        return None
    require_release(release, WATCHDOG, "the PFC watchdog", device)
    found: dict[Timers, tuple[PortGroup, Watchdog]] = {}
    for group, watchdog in watched:
        _check_watchdog(group, watchdog)
        found.setdefault(_convert_timers(watchdog), (group, watchdog))
    if len(found) > 1:
        (one, (a, dog_a)), (other, (b, dog_b)) = list(found.items())[:2]
        raise CannotRender(
            f"ports {a.key} and {b.key} want other watchdog timers ({_show_timers(one)}, {_show_timers(other)}): "
            "NVUE has one pair for the whole switch",
            "state the watchdog once, for the device",
            (dog_b.at("detection", ""), dog_a.at("detection", "")),
        )
    return next(iter(found))


def _check_watchdog(group: PortGroup, watchdog: Watchdog) -> None:
    if watchdog.action not in (None, "drop"):
        raise CannotRender(
            f"watchdog action {watchdog.action}: NVUE knows none but drop (it ignores the pauses and drops what comes)",
            "write action: drop",
            (watchdog.at("action"),),
        )
    watches = watchdog.priorities
    if watches is not None and not set(group.pfc) <= set(watches):
        left = fold_numbers(p for p in group.pfc if p not in watches)
        raise CannotRender(
            f"the watchdog leaves out lossless priority {left}: NVUE watches all lossless priorities of a port",
            "leave priorities out",
            (watchdog.at("priorities"),),
        )


def _convert_timers(watchdog: Watchdog) -> Timers:
    """polling-interval = poll, robustness = ceil(detection / poll)."""
    poll, detection = watchdog.poll, watchdog.detection
    if watchdog.vendor_default or detection is None:
        return Timers(None, None)
    if poll is None:
        poll = _POLL[0]
    if poll != int(poll) or not _POLL[0] <= poll <= _POLL[1]:
        raise CannotRender(
            f"poll_interval {show_time(poll)}: NVUE takes whole milliseconds from {_POLL[0]} to {_POLL[1]}",
            "write poll_interval: 100ms",
            (watchdog.at("poll", ""),),
        )
    count = count_polls(detection, poll)
    if not _ROBUSTNESS[0] <= count <= _ROBUSTNESS[1]:
        raise CannotRender(
            f"detection_time {show_time(detection)} is {count} polls of {show_time(poll)}: NVUE counts from "
            f"{_ROBUSTNESS[0]} to {_ROBUSTNESS[1]}",
            "change poll_interval or detection_time",
            (watchdog.at("detection", ""), watchdog.at("poll", "")),
        )
    return Timers(int(poll), count)


def _show_timers(timers: Timers) -> str:
    if timers.polling is None:
        return "the vendor's own"
    return f"{show_number(timers.robustness or 0)} x {show_time(timers.polling)}"
