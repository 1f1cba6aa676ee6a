"""Egress scheduler and shaper: what each traffic class (egress queue) may send."""

from __future__ import annotations

from math import ceil, floor

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number, show_rate
from rocecfg.model import Device, PortGroup, TrafficClass
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.priorities import PRIORITIES, Chain
from rocecfg.vendors.spectrum.ranges import Table, make_table
from rocecfg.vendors.spectrum.reading.schema_qos import UNLIMITED


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
_PERCENT = (1, 100)


def scheduler_of(device: Device, chain: Chain) -> Table[Turn]:
    """All eight TCs. Where no class states a share the non-strict ones get equal shares.

    CannotRender where classes of one queue disagree, only some state a share, or the percents are none NVUE takes.
    """
    turns = [_make_turn(classes) if classes else _IDLE for classes in chain.by_tc]
    unstated = [tc for tc, turn in enumerate(turns) if turn == _UNSTATED]
    if unstated and shares_stated(device):
        names = " and ".join(c.name for tc in unstated for c in chain.by_tc[tc])
        raise CannotRender(
            f"class {names} states no bandwidth, others do: NVUE gives a DWRR queue without bw-percent weight 0",
            "write bandwidth: a percent, or strict",
            tuple(c.at("bandwidth") for tc in unstated for c in chain.by_tc[tc]),
        )
    for place, tc in enumerate(unstated):
        turns[tc] = Turn("dwrr", 100 // len(unstated) + (place < 100 % len(unstated)))
    total = sum(t.percent or 0 for t in turns)
    if total > 100:
        raise CannotRender(
            f"bandwidth of the non-strict queues sums to {total} %: NVUE takes at most 100",
            "lower the shares until they sum to 100",
            tuple(c.at("bandwidth") for c in device.classes if not c.strict),
        )
    return make_table(tuple(enumerate(turns)))


def shares_stated(device: Device) -> bool:
    """Whether any class says what share it gets."""
    return any(not c.strict and c.bandwidth is not None for c in device.classes)


def _make_turn(classes: tuple[TrafficClass, ...]) -> Turn:
    strict = {c.strict for c in classes}
    shares = {c.bandwidth for c in classes if c.bandwidth is not None}
    names = " and ".join(c.name for c in classes)
    at = tuple(c.at("bandwidth") for c in classes)
    if len(strict) > 1 or len(shares) > 1:
        raise CannotRender(
            f"classes {names} share queue {classes[0].queue} but not the bandwidth",
            "a queue is scheduled as one: state the same bandwidth, or separate queues",
            at,
        )
    if True in strict:
        return _STRICT
    if not shares:
        return _UNSTATED
    share = shares.pop()
    if share != int(share) or not _PERCENT[0] <= share <= _PERCENT[1]:
        raise CannotRender(
            f"bandwidth {show_number(share)} of class {names}: NVUE takes whole percents from 1 to 100", "round it", at
        )  # fmt: skip
    return Turn("dwrr", int(share))


def shaper_of(device: Device, group: PortGroup, chain: Chain) -> Table[Rates] | None:
    """The shaped TCs on these ports; None where nothing is shaped."""
    shaped = tuple(c for c in device.classes if _is_shaped(c))
    if shaped and group.implied:
        raise CannotRender(
            "max_rate and guaranteed need ports: NVUE binds a shaper to interfaces, it has none for every port",
            "name the ports of the device, or leave the rates out",
            tuple(c.at("max_rate", "guaranteed") for c in shaped),
        )
    rows = []
    for tc in PRIORITIES:
        rates = {_make_rates(c, group) for c in chain.by_tc[tc]}
        if len(rates) > 1:
            names = " and ".join(c.name for c in chain.by_tc[tc])
            raise CannotRender(
                f"classes {names} share queue {tc} but not their rates",
                "a queue is shaped as one: state the same rates, or separate queues",
                tuple(c.at("max_rate", "guaranteed") for c in chain.by_tc[tc]),
            )
        rows += [(tc, r) for r in rates if r != Rates(None, None)]
    return make_table(tuple(rows)) if rows else None


def _is_shaped(c: TrafficClass) -> bool:
    return any(r is not None for r in (c.max_rate, c.max_percent, c.guaranteed_rate, c.guaranteed_percent))


def _make_rates(c: TrafficClass, group: PortGroup) -> Rates:
    low = _kbps_of(c, "guaranteed", c.guaranteed_rate, c.guaranteed_percent, group)
    high = _kbps_of(c, "max_rate", c.max_rate, c.max_percent, group)
    return Rates(ceil(low) if low is not None else None, floor(high) if high is not None else None)


def _kbps_of(c: TrafficClass, field: str, rate: int | None, percent: float | None, group: PortGroup) -> float | None:
    """Kbit/s, of a rate or of a share of the port."""
    if percent is not None:
        if group.speed is None:
            raise CannotRender(
                f"{field} of class {c.name} is a percent, and the speed of ports {group.key} is not stated",
                "state speed on the ports, or the rate itself",
                (c.at(field), group.at("speed")),
            )
        kbps = group.speed * percent / 100_000
    elif rate is not None:
        kbps = rate / 1000
    else:
        return None
    if not 1 <= kbps <= UNLIMITED:
        raise CannotRender(
            f"{field} {show_rate(round(kbps * 1000))} of class {c.name}: NVUE shapes from 1 to {UNLIMITED} kbit/s",
            "leave it out",
            (c.at(field),),
        )
    return kbps
