"""The intent that switches amount to: what they share stands once, what differs where it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.core.roles import guess_role
from rocecfg.importing.classes import place_classes
from rocecfg.importing.format import Mapped, Quoted
from rocecfg.importing.majority import spread_values
from rocecfg.importing.naming import name_classes
from rocecfg.importing.pfc import place_headrooms, place_watchdogs
from rocecfg.importing.portsets import by_number
from rocecfg.importing.scopes import Level, Levels
from rocecfg.importing.texts import SPREAD, UNLESS_SAID, PortText, SwitchText
from rocecfg.model.catalogue import list_spread
from rocecfg.source.write import Value

_COMMON = list_spread("device")
_APART = ("role", "version", "buffers")  # of a switch, not simply common to all or its own
_ORDER = ("role", "vendor", "platform", "asic", "hwsku", "version", "speed", "faces", "cable", *SPREAD)
_MOST = 0.5  # the share of ports that a setting for all of them needs


class PortsBody(NamedTuple):
    """Ports of a switch that are told the same."""

    names: tuple[str, ...]
    stated: Mapped


class DeviceBody(NamedTuple):
    """A switch as the intent has it below `devices`, but for its name."""

    stated: Mapped
    ports: tuple[PortsBody, ...]
    guessed: str = ""  # what its role is guessed from


class BuiltIntent(NamedTuple):
    """An intent, section by section; sections may be empty."""

    mtu: Value | None
    classes: Mapping[str, Value]
    pfc: Mapping[str, Value]
    buffers: Mapping[str, Value]
    defaults: Mapping[str, Value]
    boxes: tuple[DeviceBody, ...]  # in the order of the switches


def build_intent(switches: Sequence[SwitchText]) -> BuiltIntent:
    """The intent of switches."""
    if all(switch.unset for switch in switches):
        switches = [switch.without_classes() for switch in switches]
    named = name_classes(switches)
    switches = [_add_trimmed(switch, own) for switch, own in zip(switches, named, strict=True)]
    levels = Levels(switches)
    guessed = _place_roles(levels)
    _place_switch_settings(levels)
    _place_versions(levels)
    _place_buffers(levels)
    _place_port_settings(levels)
    place_watchdogs(levels)
    place_headrooms(levels)
    found = place_classes(switches, named)
    for level, stated in zip(levels.own, found.switches, strict=True):
        if stated:
            level.stated["classes"] = stated
    for n, p, level, _ in levels.iter_groups():
        if found.ports[n][p]:
            level.stated["classes"] = found.ports[n][p]
    boxes = [
        DeviceBody(Mapped(own.merge(_ORDER)), _join_ports(switch, ports), guessed.get(n, ""))
        for n, (own, switch, ports) in enumerate(zip(levels.own, switches, levels.ports, strict=True))
    ]
    top = levels.top
    mtu = top.stated.pop("mtu", None)
    return BuiltIntent(mtu, found.top, top.pfc, levels.buffers, Level(top.stated).merge(_ORDER), tuple(boxes))


def _add_trimmed(switch: SwitchText, names: Mapping[int, str]) -> SwitchText:
    """With the classes whose packets are trimmed, which a switch states by their queues."""
    trimming = switch.settings.get("trimming")
    if not isinstance(trimming, dict) or not switch.trimmed:
        return switch
    trimmed: list[Value] = [names[tc] for tc, cls in switch.classes.items() if cls.queue in switch.trimmed]
    if not trimmed:
        return switch
    return switch._replace(settings={**switch.settings, "trimming": {**trimming, "classes": trimmed}})


def _place_roles(levels: Levels) -> dict[int, str]:
    """Say every switch's role; gives what it is guessed from: no configuration says for sure what a switch is."""
    guessed = {}
    for n, (own, switch) in enumerate(zip(levels.own, levels.switches, strict=True)):
        typed, stated, named = switch.typed, switch.settings.get("role"), guess_role(switch.name)
        if typed is None and stated is not None:
            own.stated["role"] = stated
            continue
        words = "guessed from the hostname"
        if typed is not None and named is None:
            words = f"guessed from {typed[0]}"
        elif typed is not None:
            agrees = typed[1] == named
            words += f" and {typed[0]}" if agrees else f", but {typed[0]} has {typed[1]}"
        role = named or (typed[1] if typed is not None else None)
        if role is not None:
            own.stated["role"], guessed[n] = role, words
    return guessed


def _place_switch_settings(levels: Levels) -> None:
    """What all switches have in common is a default; the rest is said of each."""
    common = {
        key: value
        for key, value in levels.switches[0].settings.items()
        if key in _COMMON and all(switch.settings.get(key) == value for switch in levels.switches)
    }
    levels.top.stated |= common
    for own, switch in zip(levels.own, levels.switches, strict=True):
        own.stated |= {k: v for k, v in switch.settings.items() if k not in common and k not in _APART}


def _place_versions(levels: Levels) -> None:
    """A release for all, or one for each vendor; what some switches have otherwise is said of them."""
    found: dict[str, list[Value | None]] = {}
    for switch in levels.switches:
        found.setdefault(str(switch.vendor), []).append(switch.settings.get("version"))
    usual: dict[str, Value] = {}
    for vendor, releases in found.items():
        known = [str(release) for release in releases if release is not None]
        if len(known) == len(releases):
            usual[vendor] = Quoted(Counter(known).most_common(1)[0][0])
    if usual:
        levels.top.stated["version"] = usual if len(found) > 1 else next(iter(usual.values()))
    for own, switch in zip(levels.own, levels.switches, strict=True):
        release = switch.settings.get("version")
        if release is not None and release != usual.get(str(switch.vendor)):
            own.stated["version"] = release


def _place_buffers(levels: Levels) -> None:
    """Key by key: of all switches where they agree."""
    stated = [found if isinstance(found := s.settings.get("buffers"), dict) else {} for s in levels.switches]
    common = {key: value for key, value in stated[0].items() if all(each.get(key) == value for each in stated)}
    levels.buffers = common
    for own, each in zip(levels.own, stated, strict=True):
        rest = {key: value for key, value in each.items() if key not in common}
        if rest:
            own.stated["buffers"] = rest


def _place_port_settings(levels: Levels) -> None:
    """Speed and cable of each group of ports; what may hold for many as widely as it does."""
    for _, _, level, port in levels.iter_groups():
        level.stated |= {key: value for key, value in port.settings.items() if key not in SPREAD}
    for key in SPREAD:
        placed = spread_values(levels.collect_rows(_make_getter(key)), _MOST)
        if placed.top != UNLESS_SAID.get(key):
            _put_setting(levels.top, key, placed.top)
        for own, value in zip(levels.own, placed.switches, strict=True):
            _put_setting(own, key, value)
        for n, p, level, _ in levels.iter_groups():
            _put_setting(level, key, placed.ports[n][p])


def _make_getter(key: str) -> Callable[[SwitchText, PortText], Hashable]:
    return lambda _, port: str(port.settings[key]) if key in port.settings else None


def _put_setting(level: Level, key: str, value: Hashable) -> None:
    if value is not None:
        level.stated[key] = str(value)


def _join_ports(switch: SwitchText, levels: Sequence[Level]) -> tuple[PortsBody, ...]:
    """The ports of a switch, those that are told the same together; in the order that people count."""
    found: dict[Mapped, list[str]] = {}
    for port, level in zip(switch.ports, levels, strict=True):
        found.setdefault(Mapped(level.merge(_ORDER)), []).extend(port.names)
    parts = [PortsBody(tuple(sorted(names, key=by_number)), stated) for stated, names in found.items() if names]
    return tuple(sorted(parts, key=lambda part: by_number(part.names[0])))
