"""ECN: the marking of each traffic class (egress queue) on a group of ports."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.agreement import curve_in_bytes
from rocecfg.vendors.spectrum.priorities import PRIORITIES
from rocecfg.vendors.spectrum.ranges import NumberedTable, make_table


class Marking(NamedTuple):
    """ECN of a TC: thresholds in bytes, probability in percent; all None where it is off."""

    ecn: str  # enable | disable
    min_threshold: int | None
    max_threshold: int | None
    probability: int | None


OFF = Marking("disable", None, None, None)  # said for every unmarked TC: `qos roce` marks TC 0 and 3


def marking_of(device: Device, group: PortGroup) -> NumberedTable[Marking]:
    """All eight TCs on these ports."""
    crossing = device.classes_on(group)
    return make_table(tuple((tc, _merge_curves([c for c in crossing if c.queue == tc], group)) for tc in PRIORITIES))


def _merge_curves(classes: list[TrafficClass], group: PortGroup) -> Marking:
    curve = next((curve for c in classes if (curve := curve_in_bytes(c, group.speed)) is not None), None)
    return OFF if curve is None else Marking("enable", curve.kmin, curve.kmax, int(curve.pmax))
