"""Scheduler, shaper and ECN: what each traffic class (egress queue) may send, and when it marks."""

from __future__ import annotations

from math import ceil, floor

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.agreement import curve_in_bytes, first_stated, rates_of
from rocecfg.vendors.spectrum.priorities import PRIORITIES, PriorityChain
from rocecfg.vendors.spectrum.ranges import NumberedTable, make_table


class Turn(NamedTuple):
    """How a TC is served."""

    mode: str  # dwrr | strict
    percent: int | None  # of what strict TCs leave; None: strict


class Rates(NamedTuple):
    """Shaper of a TC in kbit/s."""

    min_rate: int | None
    max_rate: int | None


_STRICT = Turn("strict", None)
# A TC that no priority leads to. Strict is what NVIDIA's example gives idle queues: it takes none of the percents (NVUE
# wants 1 to 100 for a DWRR queue, and `qos roce` left 50 on TC 0 and 3), and a stray packet of the CPU is not stuck.
_IDLE = _STRICT
_UNSTATED = Turn("dwrr", None)


def scheduler_of(chain: PriorityChain) -> NumberedTable[Turn]:
    """All eight TCs. Where no class states a share the non-strict ones get equal shares."""
    turns = [_make_turn(classes) if classes else _IDLE for classes in chain.by_tc]
    unstated = [tc for tc, turn in enumerate(turns) if turn == _UNSTATED]
    for place, tc in enumerate(unstated):
        turns[tc] = Turn("dwrr", 100 // len(unstated) + (place < 100 % len(unstated)))
    return make_table(tuple(enumerate(turns)))


def shares_stated(device: Device) -> bool:
    """Whether any class says what share it gets."""
    return any(not c.strict and c.bandwidth is not None for c in device.classes)


def _make_turn(classes: tuple[TrafficClass, ...]) -> Turn:
    if classes[0].strict:
        return _STRICT
    share = first_stated(classes, lambda c: c.bandwidth)
    return _UNSTATED if share is None else Turn("dwrr", int(share))


def shaper_of(group: PortGroup, chain: PriorityChain) -> NumberedTable[Rates] | None:
    """The shaped TCs on these ports; None where nothing is shaped."""
    rates = ((tc, _make_rates(classes[0], group)) for tc, classes in enumerate(chain.by_tc) if classes)
    rows = tuple((tc, r) for tc, r in rates if r != Rates(None, None))
    return make_table(rows) if rows else None


def _make_rates(c: TrafficClass, group: PortGroup) -> Rates:
    low, high = rates_of(c, group.speed)
    return Rates(None if low is None else ceil(low / 1000), None if high is None else floor(high / 1000))


class Marking(NamedTuple):
    """ECN of a TC: thresholds in bytes, probability in percent; all None where it is off."""

    ecn: str  # enable | disable
    min_threshold: int | None
    max_threshold: int | None
    probability: int | None


UNMARKED = Marking("disable", None, None, None)  # said for every unmarked TC: `qos roce` marks TC 0 and 3


def marking_of(device: Device, group: PortGroup) -> NumberedTable[Marking]:
    """All eight TCs on these ports."""
    crossing = device.classes_on(group)
    return make_table(tuple((tc, _merge_curves([c for c in crossing if c.queue == tc], group)) for tc in PRIORITIES))


def _merge_curves(classes: list[TrafficClass], group: PortGroup) -> Marking:
    curve = next((curve for c in classes if (curve := curve_in_bytes(c, group.speed)) is not None), None)
    return UNMARKED if curve is None else Marking("enable", curve.kmin, curve.kmax, int(curve.pmax))
