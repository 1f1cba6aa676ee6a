"""PFC watchdog rows, and the mask of watched priorities."""

from __future__ import annotations

from collections.abc import Iterable

from rocecfg.model import PortGroup, Watchdog
from rocecfg.vendors.sonic.settings import write_values

Row = dict[str, str]


def own_timers(port: PortGroup) -> Watchdog | None:
    """The watchdog that needs a PFC_WD row: one with timers of its own, and a priority to watch.

    Without such a priority the row would fail with "No lossless TC found" and be retried forever.
    """
    dog = port.watchdog
    return dog if dog is not None and watched_priorities(port) and not dog.vendor_default else None


def leaves_to_default(ports: Iterable[PortGroup]) -> bool:
    """Whether the watchdog is left to `pfcwd start_default`."""
    return any(p.pfc and p.watchdog is not None and p.watchdog.vendor_default for p in ports)


def watched_priorities(port: PortGroup) -> tuple[int, ...]:
    """The priorities that pfcwd_sw_enable names: without it nothing is watched."""
    if port.watchdog is None or not port.pfc:
        return ()
    chosen = port.watchdog.priorities
    return port.pfc if chosen is None else tuple(sorted(set(chosen)))


def poll_interval(ports: Iterable[PortGroup]) -> int | None:
    """The one POLL_INTERVAL of the switch in ms; None if no port states one."""
    polls = (dog.poll for port in ports if (dog := own_timers(port)) is not None and dog.poll is not None)
    return next(map(int, polls), None)


def watchdog_row(dog: Watchdog) -> Row:
    """The PFC_WD row of a port, times in whole ms. Detection is required by orchagent."""
    assert dog.detection is not None  # schema-required
    action = dog.action or "drop"  # what orchagent takes without the field; written, so that no older one survives
    return write_values("watchdog", action=action, detection_time=dog.detection, restoration_time=dog.restoration)
