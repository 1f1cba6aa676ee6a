"""The groups of a dragonfly: switches whose names begin with one number, each cabled to all others of its group."""

from __future__ import annotations

import re

from rocecfg.analysis.graph import Graph

_FIRST = re.compile(r"\d+")


def find_groups(found: Graph) -> dict[int, int] | None:
    """The group of each switch; None where names do not tell it, or cables contradict what they tell.

    The first number of a name is its group's: `g2r1` is in group 2. Within a group each switch has a cable to each
    other one (Kim et al., ISCA'08); with one group, or one switch a group, there is nothing to tell.
    """
    of: dict[int, int] = {}
    members: dict[int, list[int]] = {}
    for n, name in enumerate(found.names[: found.switches]):
        number = _FIRST.search(name)
        if number is None:
            return None
        of[n] = int(number[0])
        members.setdefault(of[n], []).append(n)
    if len(members) < 2 or any(len(group) < 2 for group in members.values()):
        return None
    whole = all(set(group) - {n} <= set(found.uplinks(n)) for group in members.values() for n in group)
    return of if whole else None
