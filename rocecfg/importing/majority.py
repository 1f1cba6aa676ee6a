"""The widest level at which each value can stand, so that the text is short and says nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

from rocecfg.core.records import NamedTuple

ANY: Final = object()  # whatever is inherited does no harm


class Weighed(NamedTuple):
    """What ports are told: a value, None (nothing) or ANY; `weight`: how many they are."""

    value: Hashable
    weight: int


class Spread(NamedTuple):
    """Where values stand; None: what is wider holds."""

    top: Hashable
    switches: tuple[Hashable, ...]
    ports: tuple[tuple[Hashable, ...], ...]


def spread_values(switches: Sequence[Sequence[Weighed]], least: float = 0) -> Spread:
    """Place the values of the switches' ports. `least`: the share of ports that a value for all of them needs.

    Nothing is placed above ports that are told nothing: it could not be taken back there.
    """
    top = _find_usual([each for ports in switches for each in ports], least)
    own: list[Hashable] = []
    rest: list[tuple[Hashable, ...]] = []
    for ports in switches:
        usual = _find_usual(ports, 0)
        reported = _weigh_value(ports, usual) > _weigh_value(ports, top) if usual is not None else False
        own.append(usual if reported else None)
        inherited = usual if reported else top
        rest.append(tuple(None if each.value in (ANY, inherited) else each.value for each in ports))
    return Spread(top, tuple(own), tuple(rest))


def _find_usual(ports: Sequence[Weighed], least: float) -> Hashable:
    """The value of most ports; None where some are told nothing, or too few the same."""
    counted: Counter[Hashable] = Counter()
    for value, weight in ports:
        if value is None:
            return None
        if value is not ANY:
            counted[value] += weight
    if not counted:
        return None
    value, weight = counted.most_common(1)[0]
    return value if weight >= least * counted.total() else None


def _weigh_value(ports: Sequence[Weighed], value: Hashable) -> int:
    return sum(each.weight for each in ports if each.value == value)
