"""The congestion-notification-profile of each kind of port: PFC, and the watchdog in it.

The watchdog's detection time counts in polls, and the switch has one action.
"""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, Watchdog
from rocecfg.physics.watchdog import count_polls
from rocecfg.vendors.junos.classes import ForwardingClass
from rocecfg.vendors.junos.limits import POLL, bits


class Timers(NamedTuple):
    """pfc-watchdog of a profile; None: the system's own."""

    poll: int | None
    detection: int | None  # polls
    recovery: int | None  # ms
    action: str | None


class PfcProfile(NamedTuple):
    """A congestion-notification-profile without its name."""

    watchdog: Timers | None
    cable: int | None  # metres
    kind: str  # dscp | ieee-802.1
    codes: tuple[str, ...]  # bits of what pauses are sent for
    mru: int | None
    stops: tuple[tuple[str, int], ...]  # priority in bits, queue


def _convert_timers(dog: Watchdog) -> Timers:
    if dog.vendor_default:
        return Timers(None, None, None, None)
    poll = None if dog.poll is None else int(dog.poll)
    recovery = None if dog.restoration is None else int(dog.restoration)
    count = None if dog.detection is None else count_polls(dog.detection, poll or POLL)
    return Timers(poll, count, recovery, dog.action)


def make_profile(
    device: Device, port: PortGroup, classes: tuple[ForwardingClass, ...], cable: float | None
) -> PfcProfile | None:
    """The profile of a kind of port; None without PFC."""
    if not port.pfc:
        return None
    known = {one.priority: one for one in classes if one.priority is not None}
    paused = [known[priority] for priority in port.pfc]
    mru = device.buffers.lossless_mtu
    by_tag = port.trust == "pcp"
    return PfcProfile(
        None if port.watchdog is None else _convert_timers(port.watchdog),
        max(1, ceil(cable)) if cable is not None else None,
        "ieee-802.1" if by_tag else "dscp",
        tuple(bits(p, 3) for p in port.pfc) if by_tag else tuple(sorted(c for one in paused for c in one.codes)),
        mru,
        tuple((bits(one.priority or 0, 3), one.queue) for one in paused),
    )
