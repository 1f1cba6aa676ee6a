"""The PFC watchdog of each kind of port: its detection time counts in polls, and the switch has one action."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_time
from rocecfg.model import Device, PortGroup, Watchdog
from rocecfg.physics.watchdog import count_polls
from rocecfg.profiles.releases import release_key
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.limits import ACTION, POLL
from rocecfg.vendors.junos.target import Target, whole

_MS = (1, 65535)
_FORWARDS = release_key("junos", "23.4R2")  # junos-qfx 23.4R1 has drop alone


class Timers(NamedTuple):
    """pfc-watchdog of a profile; None: the system's own."""

    poll: int | None
    detection: int | None  # polls
    recovery: int | None  # ms
    action: str | None


def timers_of(device: Device, target: Target) -> dict[int, Timers]:
    """The watchdog of each group of ports that has one, by its place in device.ports."""
    out: dict[int, Timers] = {}
    first: Watchdog | None = None
    for number, port in enumerate(device.ports):
        dog = port.watchdog
        if not port.pfc or dog is None:
            continue
        out[number] = _timers(port, dog)
        if dog.action == "forward" and target.version and release_key("junos", target.version) < _FORWARDS:
            raise CannotRender(
                f"Junos {target.version} has no watchdog action forward: it came with 23.4R2",
                "write action drop",
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


def _timers(port: PortGroup, dog: Watchdog) -> Timers:
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
    poll = None if dog.poll is None else whole(dog.poll, _MS, "the watchdog's poll-interval", "ms", dog.at("poll"))
    recovery = None
    if dog.restoration is not None:
        recovery = whole(dog.restoration, _MS, "the watchdog's recovery", "ms", dog.at("restoration"))
    count = None
    if dog.detection is not None:
        count = count_polls(dog.detection, poll or POLL)
        if count < 1:
            raise CannotRender(
                f"a detection time of {show_time(dog.detection)} is no poll", "raise it", (dog.at("detection"),)
            )
    return Timers(poll, count, recovery, dog.action)
