"""PFC watchdog rows, and the mask of watched priorities."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.core.units import show_time
from rocecfg.model import Device, PortGroup, Watchdog
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.release import Release

_ACTIONS = ("drop", "forward", "alert")
_DETECTION = (100, 5000)  # ms, sonic-pfcwd.yang; so are the next two
_RESTORATION = (100, 60000)
_POLL_MIN = 100

Row = dict[str, str]


def own_timers(port: PortGroup) -> Watchdog | None:
    """The watchdog that needs a PFC_WD row: one with timers of its own, and a priority to watch.

    Without such a priority the row would fail with "No lossless TC found" and be retried for ever.
    """
    dog = port.watchdog
    return dog if dog is not None and watched_priorities(port) and not dog.vendor_default else None


def leaves_to_default(ports: Iterable[PortGroup]) -> bool:
    """Whether the watchdog is left to `pfcwd start_default`; CannotRender where some ports have own timers."""
    lossless = [p for p in ports if p.pfc and p.watchdog is not None]
    default = [p for p in lossless if p.watchdog is not None and p.watchdog.vendor_default]
    own = [p for p in lossless if own_timers(p)]
    if default and own:
        raise CannotRender(
            "the watchdog is vendor-default on some ports and has own timers on others",
            "`pfcwd start_default` writes its timers to every port: state timers for all lossless ports, or for none",
            (default[0].at("watchdog"), own[0].at("watchdog")),
        )
    return bool(default)


def watched_priorities(port: PortGroup) -> tuple[int, ...]:
    """The priorities that pfcwd_sw_enable names: without it nothing is watched."""
    if port.watchdog is None or not port.pfc:
        return ()
    chosen = port.watchdog.priorities
    return port.pfc if chosen is None else tuple(sorted(set(chosen)))


def check_watches_all(port: PortGroup, release: Release) -> None:
    """CannotRender where a release without pfcwd_sw_enable is to watch other priorities than those with PFC."""
    watched = watched_priorities(port)
    if port.watchdog is not None and watched and set(watched) != set(port.pfc):
        raise CannotRender(
            f"the watchdog is to watch priority {', '.join(map(str, watched))}: SONiC {release.name} watches every "
            f"priority with PFC, {', '.join(map(str, port.pfc))}",
            "leave watchdog.priorities out, or upgrade to 202205 and say so in version",
            (port.watchdog.at("priorities"),),
        )


def poll_interval(ports: Iterable[PortGroup], release: Release) -> int | None:
    """The one POLL_INTERVAL of the switch in ms; None if no port states one. CannotRender if two differ."""
    first: Watchdog | None = None
    for port in ports:
        dog = own_timers(port)
        if dog is None or dog.poll is None:
            continue
        if first is None:
            first = dog
        elif dog.poll != first.poll:
            raise CannotRender(
                f"poll_interval is {show_time(first.poll or 0)} on some ports and {show_time(dog.poll)} on others",
                "SONiC has one POLL_INTERVAL for the whole switch",
                (first.at("poll"), dog.at("poll")),
            )
    if first is None or first.poll is None:
        return None
    return _whole_ms(first, "poll", first.poll, (_POLL_MIN, release.poll_max))


def watchdog_row(device: Device, dog: Watchdog) -> Row:
    """The PFC_WD row of a port, times in whole ms. Detection is required by orchagent."""
    if dog.detection is None:
        raise CannotRender(
            "the watchdog has no detection_time", "orchagent refuses a PFC_WD row without it", (dog.at("detection"),)
        )
    action = dog.action or "drop"  # what orchagent takes without the field; written, so that no older one survives
    if action not in _ACTIONS:
        raise CannotRender(
            f"watchdog action {action} cannot be said on SONiC",
            f"it knows {', '.join(_ACTIONS)}; drop is the one that ends a storm",
            (dog.at("action"),),
        )
    if action == "forward" and device.asic is not None and device.asic.name.startswith("silicon-one"):
        raise CannotRender("watchdog action forward is refused on cisco-8000", "use drop", (dog.at("action"),))
    fields = {"action": action, "detection_time": str(_whole_ms(dog, "detection", dog.detection, _DETECTION))}
    _check_not_below_poll(dog, "detection", dog.detection)
    if dog.restoration is not None:
        fields["restoration_time"] = str(_whole_ms(dog, "restoration", dog.restoration, _RESTORATION))
        _check_not_below_poll(dog, "restoration", dog.restoration)
    return fields


def _whole_ms(dog: Watchdog, field: str, value: float, bounds: tuple[int, int]) -> int:
    low, high = bounds
    if value != int(value) or not low <= value <= high:
        raise CannotRender(
            f"watchdog {field} time {show_time(value)} is not whole milliseconds from {low} to {high} ms",
            f"sonic-pfcwd.yang: {low}..{high}",
            (dog.at(field),),
        )
    return int(value)


def _check_not_below_poll(dog: Watchdog, field: str, value: float) -> None:
    if dog.poll is not None and value < dog.poll:
        raise CannotRender(
            f"watchdog {field} time {show_time(value)} is below the poll interval {show_time(dog.poll)}",
            "sonic-pfcwd.yang: detection_time and restoration_time must be at least POLL_INTERVAL",
            (dog.at(field), dog.at("poll")),
        )
