"""Which ports there are, those together that are told the same, and what they take from profiles and LAGs."""

from __future__ import annotations

import re
from typing import Any

from rocecfg.core.records import NamedTuple
from rocecfg.model import Span
from rocecfg.model.stated import Val
from rocecfg.vendors.arista.reading.blocks import Block
from rocecfg.vendors.arista.reading.commands import REFUSED
from rocecfg.vendors.arista.reading.modes import PORT
from rocecfg.vendors.arista.reading.names import expand_interfaces
from rocecfg.vendors.arista.reading.parse import State, denied_key
from rocecfg.vendors.arista.reading.switchwide import Switchwide

_ROCE = frozenset({"pfc", "profile", "policy", "trust"})


class AlikePorts(NamedTuple):
    """Ports that are told the same."""

    names: tuple[str, ...]
    at: Span
    stated: State  # below the interface
    state: State  # that, over what the profile says
    profile: Val | None  # its name

    @property
    def is_management(self) -> bool:
        """Whether these are the ports by which the switch is managed."""
        return bool(self.names) and self.names[0].startswith("Management")

    @property
    def is_lag(self) -> bool:
        """Whether these are LAGs that no port of the text is in: those with members are no ports beside them."""
        return bool(self.names) and self.names[0].startswith("Port-Channel")


def group_ports(switch: Switchwide) -> list[AlikePorts]:
    """The ports of the text, those together that are told the same; of management ports those that RoCE is set on."""
    blocks: dict[str, list[Block]] = {}
    for block in switch.config.ports:
        names = expand_interfaces(block.name)
        if names is None:
            switch.read_block(block, PORT)  # for what is wrong in it
            switch.report(
                "device-unread", block.at, f"`interface {block.name[:100]}`: these ports cannot be determined"
            )
        for name in names or ():
            blocks.setdefault(name, []).append(block)
    alike: dict[tuple[object, ...], list[str]] = {}
    for name, own in blocks.items():
        alike.setdefault((name[:2], *(tuple(block.lines) for block in own)), []).append(name)
    kinds = []
    for same in alike.values():
        problems, unread = len(switch.problems), {topic: len(lines) for topic, lines in switch.unread.items()}
        kinds.append(_read_ports(switch, tuple(same), blocks[same[0]]))
        if len(switch.problems) > problems or sum(map(len, switch.unread.values())) > sum(unread.values()):
            _repeat_for_alike(switch, [blocks[name] for name in same], problems, unread)
    return [kind for kind in _apply_lags(switch, kinds) if not kind.is_management or _ROCE.intersection(kind.state)]


def _repeat_for_alike(switch: Switchwide, alike: list[list[Block]], problems: int, unread: dict[str, int]) -> None:
    """What was noted of the blocks of the first of some ports, which say the same, is so of those of the others.

    `problems`, `unread`: how many there were before, and how many lines of each topic.
    """
    first, *others = alike
    places: dict[Span, dict[Span, None]] = {}
    for number, block in enumerate(first):
        for index in range(len(block.lines)):
            again = (other[number].span(index) for other in others if other[number] is not block)
            places[block.span(index)] = dict.fromkeys(again)
    for n in range(problems, len(switch.problems)):
        problem = switch.problems[n]
        switch.problems[n] = problem._replace(places=(*problem.places, *places.get(problem.at, ())))
    for topic, lines in switch.unread.items():
        for at in lines[unread.get(topic, 0) :]:
            lines.extend(places.get(at, ()))


def _read_ports(switch: Switchwide, names: tuple[str, ...], blocks: list[Block]) -> AlikePorts:
    given: State = {}
    for block in blocks:
        given = switch.read_block(block, PORT, given)
    kind = _apply_profile(switch, names, blocks[0].at, given)
    profile = switch.profiles.get(kind.profile.value) if kind.profile is not None else None
    if profile is not None:
        _report_differing_lines(switch, names[0], given, profile)
    return kind


def _apply_profile(switch: Switchwide, names: tuple[str, ...], at: Span, given: State) -> AlikePorts:
    """The ports with what their profile says where they say nothing themselves."""
    profile = given.get("profile")
    of = switch.profiles.get(profile.value) if profile is not None else None
    if of is None:
        return AlikePorts(names, at, given, given, profile)
    own = {key: val for key, val in given.items() if not (key in of and _is_printed(switch, key, val.value))}
    return AlikePorts(names, at, given, {**of, **own}, profile)


def _is_printed(switch: Switchwide, key: Any, value: Any) -> bool:
    """Whether `show running-config all` prints this below any interface, since it is the default."""
    return switch.head.run_all and value is True and (key == "watchdog" or key[0] == "strict")


def _report_differing_lines(switch: Switchwide, port: str, given: State, of: State) -> None:
    for key, own in given.items():
        other = of.get(key)
        if other is None or other.value == own.value or REFUSED in (own.value, other.value):
            continue
        if not _is_printed(switch, key, own.value):
            text = switch.document.text[own.at.start : own.at.end].strip()
            switch.report(
                "device-conflict",
                own.at,
                f"`{text}` below {port} differs from its profile {given['profile'].value}: EOS uses the line of the "
                "port (Arista states it for service policies; assumed for all)",
                "set it in only one of the two",
            )


def _apply_lags(switch: Switchwide, kinds: list[AlikePorts]) -> list[AlikePorts]:
    """Members of a LAG take what it says where they say nothing; a LAG with members is not a port beside them."""
    _report_unlike_speeds(switch, kinds)
    lags = {name: kind for kind in kinds for name in kind.names if name.startswith("Port-Channel")}
    joined: set[str] = set()
    out = []
    for kind in kinds:
        group = kind.stated.get("group")
        name = f"Port-Channel{group.value}" if group is not None else ""
        if name in lags:
            joined.add(name)
            _report_unlike_lag(switch, kind, name, lags[name])
            shared = {key: val for key, val in lags[name].stated.items() if key not in ("up", denied_key("up"))}
            own_mtu: State = {"lag mtu": shared["mtu"]} if "mtu" in shared else {}
            out.append(_apply_profile(switch, kind.names, kind.at, {**shared, **kind.stated, **own_mtu}))
        else:
            out.append(kind)
    left = [kind._replace(names=tuple(n for n in kind.names if n not in joined)) for kind in out]
    return [kind for kind in left if kind.names]


def _report_unlike_lag(switch: Switchwide, kind: AlikePorts, name: str, lag: AlikePorts) -> None:
    """What a LAG and a port in it say differently, and a LAG's profile that is none."""
    for key in ("profile", "mtu", "trust"):
        own, other = kind.stated.get(key), lag.stated.get(key)
        if own is None or other is None or own.value == other.value:
            continue
        given, theirs = (switch.document.text[val.at.start : val.at.end].strip() for val in (own, other))
        switch.report(
            "device-conflict",
            own.at,
            f"`{given}` below {kind.names[0]}, and `{theirs}` below {name}, its LAG: which of them applies to the "
            "port is not documented",
            f"set it below {name} only, or the same at both",
        )
    if "profile" in kind.stated and "profile" in lag.stated:
        profile = lag.stated["profile"]
        if switch.whole and profile.value not in switch.profiles:
            switch.report(
                "device-ref",
                profile.at,
                f"service-profile {profile.value[:100]}: there is no `qos profile` of that name",
                f"define qos profile {profile.value[:100]}, or name an existing one",
            )


def _report_unlike_speeds(switch: Switchwide, kinds: list[AlikePorts]) -> None:
    """Ports of one LAG whose speeds differ: EOS bundles ports of one speed."""
    first: dict[object, AlikePorts] = {}
    for kind in kinds:
        group, speed = kind.stated.get("group"), kind.stated.get("speed")
        if group is None or speed is None:
            continue
        other = first.setdefault(group.value, kind)
        theirs = other.stated["speed"]
        if theirs.value != speed.value:
            switch.report(
                "device-conflict",
                speed.at,
                f"ports of Port-Channel{group.value} have speed {theirs.value[:20]} ({other.names[0]}) and "
                f"{speed.value[:20]} ({kind.names[0]}): a LAG uses ports of one speed only, and the others stay out",
                "set the same speed on all ports of a LAG",
            )


def make_profile_ports(switch: Switchwide) -> list[AlikePorts]:
    """For a text that names no port: its profile, for every port; where it has several, each on a port of its name."""
    kinds = [
        AlikePorts((f"profile:{re.sub('[^A-Za-z0-9_.-]', '-', name)[:50]}",), block.at, {}, switch.profiles[name], None)
        for name, block in switch.config.profiles.items()
    ]
    paused = [kind for kind in kinds if "pfc" in kind.state]
    alone = paused if len(paused) == 1 else kinds
    return [alone[0]._replace(names=())] if len(alone) == 1 else kinds
