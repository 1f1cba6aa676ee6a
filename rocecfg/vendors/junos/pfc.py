"""The congestion-notification-profile of each kind of port: PFC, and the watchdog in it.

The watchdog's detection time counts in polls, and the switch has one action.
"""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_time
from rocecfg.model import Device, Headroom, PortGroup, Watchdog
from rocecfg.physics.watchdog import count_polls
from rocecfg.profiles.releases import release_key
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.classes import ForwardingClass
from rocecfg.vendors.junos.limits import ACTION, POLL, bits
from rocecfg.vendors.junos.target import Target, whole_number

_MS = (1, 65535)
_FORWARDS = release_key("junos", "23.4R2")  # junos-qfx 23.4R1 has drop alone


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


def timers_of(device: Device, target: Target) -> dict[int, Timers]:
    """The watchdog of each group of ports that has one, by its place in device.ports."""
    out: dict[int, Timers] = {}
    first: Watchdog | None = None
    for number, port in enumerate(device.ports):
        dog = port.watchdog
        if not port.pfc or dog is None:
            continue
        out[number] = _convert_timers(port, dog)
        if dog.action == "forward" and target.version and release_key("junos", target.version) < _FORWARDS:
            raise CannotRender(
                f"Junos {target.version} has no watchdog action forward: it came with 23.4R2",
                "write action: drop",
                (dog.at("action"),),
            )
        if first is not None and (first.action or ACTION) != (dog.action or ACTION):
            raise CannotRender(
                f"ports {port.key} want watchdog action {dog.action or ACTION}, others {first.action or ACTION}: "
                "a switch has one",
                "state one action for all ports of the switch",
                (dog.at("action"), first.at("action")),
            )
        first = first or dog
    return out


def _convert_timers(port: PortGroup, dog: Watchdog) -> Timers:
    if dog.priorities is not None and set(dog.priorities) != set(port.pfc):
        raise CannotRender(
            "watchdog.priorities: the watchdog of Junos watches all lossless queues of a port",
            "leave watchdog.priorities out",
            (dog.at("priorities"),),
        )
    if dog.vendor_default:
        return Timers(None, None, None, None)
    if dog.action not in (None, "drop", "forward"):
        raise CannotRender(
            f"the watchdog of Junos drops or forwards, and has no action {dog.action}",
            "write drop",
            (dog.at("action"),),
        )
    poll = (
        None if dog.poll is None else whole_number(dog.poll, _MS, "the watchdog's poll-interval", "ms", dog.at("poll"))
    )
    recovery = None
    if dog.restoration is not None:
        recovery = whole_number(dog.restoration, _MS, "the watchdog's recovery", "ms", dog.at("restoration"))
    count = None
    if dog.detection is not None:
        count = count_polls(dog.detection, poll or POLL)
        if count < 1:
            raise CannotRender(
                f"a detection time of {show_time(dog.detection)} is no poll", "raise it", (dog.at("detection"),)
            )
    return Timers(poll, count, recovery, dog.action)


def make_profile(
    device: Device, port: PortGroup, classes: tuple[ForwardingClass, ...], timers: Timers | None, cable: float | None
) -> PfcProfile | None:
    """The profile of a kind of port; None without PFC. CannotRender for what Junos cannot say."""
    if not port.pfc:
        return None
    if isinstance(port.headroom, Headroom):
        raise CannotRender(
            f"headroom of ports {port.key}: XOFF cannot be set, the system sizes headroom by speed, MTU and cable",
            "write headroom: auto, and state the cable",
            (port.at("headroom"),),
        )
    if port.trust == "none":
        raise CannotRender(
            f"ports {port.key} have PFC and trust no mark: nothing would be sorted into what is lossless",
            "write trust: dscp, or take the lossless class off these ports",
            (port.at("trust"),),
        )
    known = {one.priority: one for one in classes if one.priority is not None}
    missing = next((priority for priority in port.pfc if priority not in known), None)
    if missing is not None:
        raise CannotRender(
            f"PFC is on for priority {missing}, which no lossless class has",
            "give a lossless class that priority",
            (port.at("pfc", "classes"),),
        )
    paused = [known[priority] for priority in port.pfc]
    if any(not one.codes for one in paused) and port.trust == "dscp":
        raise CannotRender(
            f"class {next(one.name for one in paused if not one.codes)} is lossless and has no DSCP: PFC goes by DSCP",
            "give the class its dscp",
            (port.at("classes"),),
        )
    mru = device.buffers.lossless_mtu
    if mru is not None and mru < 1:
        raise CannotRender(
            "buffers.lossless_mtu of 0 bytes: no packet would be lossless",
            "write the bytes of one lossless packet",
            (device.buffers.at("lossless_mtu"),),
        )
    by_tag = port.trust == "pcp"
    return PfcProfile(
        timers,
        max(1, ceil(cable)) if cable is not None else None,
        "ieee-802.1" if by_tag else "dscp",
        tuple(bits(p, 3) for p in port.pfc) if by_tag else tuple(sorted(c for one in paused for c in one.codes)),
        mru,
        tuple((bits(one.priority or 0, 3), one.queue) for one in paused),
    )
