"""Profiles: which settings every port gets (`default-global`), and which are bound to some ports by name.

A bound profile replaces the global settings of its kind on those ports, so each one is complete in itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate
from rocecfg.model import PortGroup
from rocecfg.vendors.spectrum import pfc
from rocecfg.vendors.spectrum.pfc import PfcProfile
from rocecfg.vendors.spectrum.queues import UNMARKED, Marking
from rocecfg.vendors.spectrum.ranges import NumberedTable

GLOBAL = "default-global"
_OURS = "rocecfg"  # prefix of bound profiles: nobody else's is touched

S = TypeVar("S", bound=Hashable)


class NamedProfile(NamedTuple, Generic[S]):
    """A profile: its name and what it sets."""

    name: str
    states: S


class BoundProfiles(NamedTuple, Generic[S]):
    """The profiles of one NVUE object, and the one that each group of ports is bound to (None: the global one)."""

    profiles: tuple[NamedProfile[S], ...]
    bound: tuple[str | None, ...]  # in the order of the groups


def share_profiles(
    groups: Sequence[PortGroup], states: Sequence[S], label: Callable[[S, list[PortGroup]], str]
) -> BoundProfiles[S]:
    """Make the commonest settings of lossless ports global, and name the others by `label`."""
    members: dict[S, list[PortGroup]] = {}
    for group, setting in zip(groups, states, strict=True):
        members.setdefault(setting, []).append(group)

    def weight(setting: S) -> tuple[int, int]:
        found = members[setting]
        return sum(len(g.names) for g in found if g.pfc), sum(len(g.names) for g in found)

    common = max(members, key=weight)  # the first of equals
    names: dict[S, str | None] = {common: None}
    used: set[str] = set()
    for setting, found in members.items():
        if setting not in names:
            names[setting] = _unused_name(f"{_OURS}-{label(setting, found)}", used)
    named = [NamedProfile(name, setting) for setting, name in names.items() if name is not None]
    return BoundProfiles((NamedProfile(GLOBAL, common), *named), tuple(names[s] for s in states))


def bind_profiles(
    groups: Sequence[PortGroup], states: Sequence[S | None], label: Callable[[S, list[PortGroup]], str]
) -> BoundProfiles[S]:
    """Name all settings; None is bound to nothing. For objects that have no global profile."""
    members: dict[S, list[PortGroup]] = {}
    for group, setting in zip(groups, states, strict=True):
        if setting is not None:
            members.setdefault(setting, []).append(group)
    used: set[str] = set()
    names = {setting: _unused_name(f"{_OURS}-{label(setting, found)}", used) for setting, found in members.items()}
    return BoundProfiles(
        tuple(NamedProfile(name, setting) for setting, name in names.items()),
        tuple(names[s] if s is not None else None for s in states),
    )


def _unused_name(name: str, used: set[str]) -> str:
    found, n = name, 1
    while found in used:
        n += 1
        found = f"{name}-{n}"
    used.add(found)
    return found


def pfc_label(states: PfcProfile, _: list[PortGroup]) -> str:
    """`pfc-off`, `pfc-30m`."""
    return "pfc-off" if states == pfc.OFF else f"pfc-{states.cable}m"


def ecn_label(states: NumberedTable[Marking], groups: list[PortGroup]) -> str:
    """`ecn-off`, `ecn-800g` where all its ports have that speed, else `ecn`."""
    if all(m == UNMARKED for _, m in states.rows):
        return "ecn-off"
    speeds = {g.speed for g in groups}
    speed = speeds.pop() if len(speeds) == 1 else None
    return "ecn" if speed is None else f"ecn-{show_rate(speed).lower().replace('.', '-')}"
