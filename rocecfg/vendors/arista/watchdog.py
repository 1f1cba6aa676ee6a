"""The PFC watchdog: which timers and action stand for the whole switch, and which on single kinds of ports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, Watchdog
from rocecfg.vendors.arista.reading.commands import ACTIONS
from rocecfg.vendors.arista.release import to_seconds
from rocecfg.vendors.base import CannotRender

_T = TypeVar("_T")
_ACTIONS = {word: typed for typed, word in ACTIONS.items()}


class Timers(NamedTuple):
    """Seconds as EOS takes them; None: not said, EOS's own value."""

    timeout: str | None = None
    recovery: str | None = None
    polling: str | None = None


class PortWatchdog(NamedTuple):
    """The watchdog of a kind of port: what it says beyond the switch's own defaults."""

    timer: Timers | None
    action: str | None  # drop | notify-only


class WatchdogPlan(NamedTuple):
    """The switch's defaults, and for each watched group of ports what differs there."""

    timers: Timers
    action: str | None  # drop | notify-only | errdisable; None: not said
    ports: dict[int, PortWatchdog]  # by the group's place in device.ports


class _Wish(NamedTuple):
    timers: Timers | None
    action: str | None
    port: PortGroup


def plan_watchdog(device: Device) -> WatchdogPlan:
    """Choose switch-wide timers and action, so that most ports need no line of their own.

    Where some ports leave the watchdog to EOS, nothing is said switch-wide: it would reach them too.
    """
    wishes: dict[int, _Wish] = {}
    for i, port in enumerate(device.ports):
        if port.pfc and port.watchdog:
            wishes[i] = _Wish(*_convert_settings(port.watchdog), port)
    timers = _commonest([(w.timers, w.port) for w in wishes.values()])
    action = _commonest([(w.action, w.port) for w in wishes.values()], forced="errdisable")
    ports = {
        i: PortWatchdog(
            _state_both(wish) if wish.timers != timers else None,
            None if wish.action in (action, "errdisable") else wish.action,
        )
        for i, wish in wishes.items()
    }
    return WatchdogPlan(timers or Timers(), action, ports)


def _state_both(wish: _Wish) -> Timers | None:
    """The line of one kind of port, which has to name all times; an intent that states one has the other, too."""
    if wish.timers and None in (wish.timers.timeout, wish.timers.recovery):
        raise CannotRender(
            f"ports {wish.port.key}: their watchdog differs from the switch's, and EOS then wants "
            "detection_time and restoration_time both",
            "state both times",
            (wish.port.at("watchdog"),),
        )
    return wish.timers


def _convert_settings(watchdog: Watchdog) -> tuple[Timers | None, str | None]:
    if watchdog.vendor_default:
        return None, None
    times = (watchdog.detection, watchdog.restoration, watchdog.poll)
    timers = Timers(*(None if ms is None else to_seconds(ms) for ms in times)) if any(times) else None
    return timers, _ACTIONS[watchdog.action] if watchdog.action else None


def _commonest(wanted: Sequence[tuple[_T | None, PortGroup]], forced: _T | None = None) -> _T | None:
    """The value most ports want; `forced` if any does; None if a group wants EOS's own."""
    count: Counter[_T] = Counter()
    left_to_eos = False
    for value, port in wanted:
        if value is None:
            left_to_eos = True
        else:
            count[value] += max(len(port.names), 1)
    if forced is not None and forced in count:
        return forced
    return None if left_to_eos or not count else count.most_common(1)[0][0]
