"""Watchdog and headroom, each as widely as it holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from collections.abc import Set as AbstractSet

from rocecfg.core.units import parse_rate
from rocecfg.importing.majority import ANY, spread_values
from rocecfg.importing.scopes import Levels
from rocecfg.importing.texts import PortText, SwitchText
from rocecfg.importing.timers import NONE, WatchdogText, format_timers
from rocecfg.profiles import SHIPPED
from rocecfg.source.write import Value

_WHOLE = 1.0  # the share of ports that one headroom for all needs


def place_watchdogs(levels: Levels) -> None:
    """Say the watchdog of every port with PFC; the others inherit what does nothing there."""
    mixed = not all(map(_restores, levels.switches))
    placed = spread_values(levels.collect_rows(lambda switch, port: _find_timers(switch, port, mixed=mixed)))
    top = placed.top if isinstance(placed.top, WatchdogText) else NONE
    _put_watchdog(levels.top.pfc, format_timers(top, NONE))
    held: list[WatchdogText] = []
    for level, own, switch in zip(levels.own, placed.switches, levels.switches, strict=True):
        held.append(own if isinstance(own, WatchdogText) else top)
        _put_watchdog(level.pfc, format_timers(held[-1], top, restores=_restores(switch)))
    for n, p, level, port in levels.iter_groups():
        of = placed.ports[n][p]
        stated = (
            format_timers(of, held[n], restores=_restores(levels.switches[n])) if isinstance(of, WatchdogText) else None
        )
        if port.pfc and port.timers.priorities is not None:
            stated = {**(stated if isinstance(stated, dict) else {}), "priorities": [*map(str, port.timers.priorities)]}
        _put_watchdog(level.pfc, stated)


def _find_timers(switch: SwitchText, port: PortText, *, mixed: bool) -> Hashable:
    """A watchdog for spreading, the priorities apart: they are said of single ports.

    `mixed`: some switches have no restoration time, and none is said where it is the usual one, for them to inherit.
    """
    if not port.pfc:
        return ANY
    of = port.timers._replace(priorities=None)
    usual = of.detection is not None and of.restoration == 2 * of.detection
    return of._replace(restoration=None) if not _restores(switch) or (mixed and usual) else of


def _restores(switch: SwitchText) -> bool:
    """Whether its operating system has a restoration time: Cumulus Linux has none."""
    vendor = switch.vendor
    return not isinstance(vendor, str) or SHIPPED.nos(vendor).knows("port.watchdog.restoration")


def _put_watchdog(where: dict[str, Value], stated: Value | None) -> None:
    if stated is not None:
        where["watchdog"] = stated


def place_headrooms(levels: Levels) -> None:
    """Say the headroom of lossless priority groups: one for all, by speed, or that of single ports."""
    same = spread_values(levels.collect_rows(lambda _, port: port.headroom if port.pfc else ANY), _WHOLE)
    if same.top is not None:
        levels.top.pfc["headroom"] = _require_value(same.top)
        return
    top: dict[str, Value] = {}
    own: list[dict[str, Value]] = [{} for _ in levels.own]
    speeds = {port.speed for _, _, _, port in levels.iter_groups() if port.pfc}
    for speed in sorted(filter(None, speeds), key=parse_rate):
        placed = spread_values(levels.collect_rows(_make_getter(speed)))
        if placed.top is not None:
            top[speed] = _require_value(placed.top)
        for stated, value in zip(own, placed.switches, strict=True):
            if value is not None:
                stated[speed] = _require_value(value)
        for n, p, level, _ in levels.iter_groups():
            if placed.ports[n][p] is not None:
                level.pfc["headroom"] = _require_value(placed.ports[n][p])
    if top:
        levels.top.pfc["headroom"] = {"by_speed": top}
    for level, stated, switch in zip(levels.own, own, levels.switches, strict=True):
        if stated:
            level.pfc["headroom"] = _join_speeds(stated, {port.speed for port in switch.ports if port.pfc})
    _place_without_speed(levels)


def _join_speeds(stated: Mapping[str, Value], speeds: AbstractSet[str | None]) -> Value:
    """The headroom of a switch with lossless ports of these speeds: one, where it is the same for all."""
    first = next(iter(stated.values()))
    return (
        first
        if stated.keys() == speeds and all(each == first for each in stated.values())
        else {"by_speed": {**stated}}
    )


def _place_without_speed(levels: Levels) -> None:
    """Where no port's speed is known, one headroom for the switch, else that of each group of ports."""
    for level, switch, below in zip(levels.own, levels.switches, levels.ports, strict=True):
        paused = [port for port in switch.ports if port.pfc]
        first = paused[0].headroom if paused else None
        if first is not None and all(port.speed is None and port.headroom == first for port in paused):
            level.pfc["headroom"] = first
            continue
        for own, port in zip(below, switch.ports, strict=True):
            if port.pfc and port.speed is None and port.headroom is not None:
                own.pfc["headroom"] = port.headroom


def _make_getter(speed: str) -> Callable[[SwitchText, PortText], Hashable]:
    return lambda _, port: port.headroom if port.pfc and port.speed == speed else ANY


def _require_value(value: Hashable) -> Value:
    """A headroom that was placed, as it is written."""
    assert isinstance(value, (str, dict))
    return value
