"""The scheduler of a device as rules see it: the queues' shares, for all ports and as some ports change them.

A scheduler serves queues, so classes that share a queue have one share between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps

from rocecfg.core.units import show_number
from rocecfg.model import Device, PortGroup, Span, TrafficClass
from rocecfg.model.fix import Fix, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _Of = TypeVar("_Of")
    _Worked = TypeVar("_Worked")

Classes = tuple[TrafficClass, ...]


def _cache_last(work: Callable[[_Of], _Worked]) -> Callable[[_Of], _Worked]:
    """A function that remembers its last result: rules ask for each class of a device in turn, 1000s maybe."""
    known: list[tuple[_Of, _Worked]] = []

    @wraps(work)
    def remembering(of: _Of) -> _Worked:
        if not known or known[0][0] is not of:  # what is kept is alive, so nothing else can be it
            known[:] = [(of, work(of))]
        return known[0][1]

    return remembering


@_cache_last
def distinct_schedulers(device: Device) -> list[Classes]:
    """The device's scheduler, then each other one that its ports have; of a switch as it runs, only those."""
    seen: dict[object, Classes] = {}
    if device.running is None:
        seen[_scheduling_key(device.classes)] = device.classes
    for port in device.ports:
        classes = _classes_as_scheduled(device, port)
        if classes is not device.classes or not seen:
            seen.setdefault(_scheduling_key(classes), classes)
    return list(seen.values())


@_cache_last
def _classes_by_name(device: Device) -> dict[str, list[tuple[TrafficClass, Classes]]]:
    """Each class of a device as it is scheduled, with the scheduler that it is part of."""
    out: dict[str, list[tuple[TrafficClass, Classes]]] = {}
    for classes in distinct_schedulers(device):
        for cls in classes:
            out.setdefault(cls.name, []).append((cls, classes))
    return out


def _classes_as_scheduled(device: Device, port: PortGroup) -> Classes:
    """All classes of the device as these ports schedule them, crossing or not: the scheduler stays whole.

    On a switch as it runs, each port has a scheduler of its own, and that of a class that does not cross is not known.
    """
    if device.running is not None:
        return device.classes_on(port)
    return device.all_classes_on(port)


def _scheduling_key(classes: Classes) -> tuple[object, ...]:
    return tuple(
        (c.name, c.queue, c.strict, c.bandwidth, c.max_rate, c.max_percent, c.guaranteed_rate, c.guaranteed_percent)
        for c in classes
    )


def scheduled_variants(device: Device, cls: TrafficClass) -> Iterator[tuple[TrafficClass, Classes]]:
    """The class, and each different scheduling of it on ports, with the scheduler it is part of."""
    seen: set[tuple[object, ...]] = set()
    for variant, classes in _classes_by_name(device).get(cls.name, ()):
        if _scheduling_key((variant,)) not in seen:
            seen.add(_scheduling_key((variant,)))
            yield variant, classes


@_cache_last
def shares_by_queue(classes: Classes) -> dict[int, list[TrafficClass]]:
    """The classes that state a share, by queue; the largest share of each first, if they differ."""
    out: dict[int, list[TrafficClass]] = {}
    for cls in classes:
        if not cls.strict and cls.bandwidth is not None:
            out.setdefault(cls.queue, []).append(cls)
    for group in out.values():
        group.sort(key=lambda c: c.bandwidth or 0, reverse=True)
    return out


def total_share(shares: dict[int, list[TrafficClass]]) -> float:
    """The sum in percent; a queue counts once."""
    return sum(group[0].bandwidth or 0 for group in shares.values())


def round_shares(classes: list[TrafficClass]) -> list[int]:
    """The same proportions in whole percents that sum to 100: the largest remainders are rounded up."""
    total = sum(c.bandwidth or 0 for c in classes)
    exact = [100 * (c.bandwidth or 0) / total for c in classes]
    whole = [int(e) for e in exact]
    order = sorted(range(len(exact)), key=lambda i: whole[i] - exact[i])
    for i in order[: 100 - sum(whole)]:
        whole[i] += 1
    return whole


def make_scaling_fix(shares: dict[int, list[TrafficClass]]) -> Fix | None:
    """The fix that scales the shares of queues to 100%; None where one was not written down, or would become 0."""
    if not total_share(shares):
        return None
    whole = round_shares([group[0] for group in shares.values()])
    pairs = [(c.origins.get("bandwidth"), n) for group, n in zip(shares.values(), whole, strict=True) for c in group]
    changes = {at: replace(at, str(share)) for at, share in pairs if isinstance(at, Span)}
    if len(changes) < len(pairs) or 0 in whole:
        return None
    return Fix("scale the shares to 100%", safe=False, changes=tuple(changes.values()))


def show_share(cls: TrafficClass) -> str:
    """Words for the share of a class: `strict`, `no share`, `40%`."""
    return "strict" if cls.strict else "no share" if cls.bandwidth is None else f"{show_number(cls.bandwidth)}%"
