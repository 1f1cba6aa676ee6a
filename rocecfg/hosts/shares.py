"""How a NIC shares its sending among classes: ETS, one traffic class of the NIC for each queue of the switch."""

from __future__ import annotations

from collections.abc import Sequence

from rocecfg.core.records import NamedTuple
from rocecfg.model import TrafficClass

_ALL = 100  # percent
_COUNT = 8  # traffic classes, and priorities


class Shares(NamedTuple):
    """The settings of ETS, each by number from 0 to 7."""

    traffic_classes: tuple[int, ...]  # of each priority
    algorithms: tuple[str, ...]  # of each traffic class: strict | ets | vendor (unused)
    percents: tuple[int, ...]  # of each traffic class; 0 unless ets


def shares_of(classes: Sequence[TrafficClass]) -> Shares | str:
    """The shares that the switch's scheduler has, as a NIC can have them; else why it cannot, in words."""
    by_queue: dict[int, list[TrafficClass]] = {}
    for cls in classes:
        by_queue.setdefault(cls.queue, []).append(cls)
    algorithms, percents = ["vendor"] * _COUNT, [0] * _COUNT
    for queue, found in by_queue.items():
        if any(cls.strict for cls in found):
            algorithms[queue] = "strict"
            continue
        stated = next((cls.bandwidth for cls in found if cls.bandwidth is not None), None)
        if stated is None:
            return f"no bandwidth is stated for class {found[0].name}"
        if stated != int(stated):
            return f"NICs take whole percents, and class {found[0].name} has {stated:g} %"
        algorithms[queue], percents[queue] = "ets", int(stated)
    if sum(percents) != _ALL:
        return f"the shares of the classes sum to {sum(percents)} %, and NICs take 100 % alone"
    default = next((cls.queue for cls in classes if "default" in cls.carries or cls.rest), 0)
    by_priority = {cls.priority: cls.queue for cls in classes}
    return Shares(tuple(by_priority.get(p, default) for p in range(_COUNT)), tuple(algorithms), tuple(percents))
