"""What a device asks of its network operating system by way of differences, under the texts of `profiles/nos`.

Where one queue, priority or traffic class, or the whole switch, has a single setting, classes and ports that share it
cannot want different ones. The place is where the second value is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations, islice
from math import ceil

from rocecfg.core.units import show_rate, show_size, show_time
from rocecfg.model import Device, Ecn, EcnPercent, Headroom, PortGroup, TrafficClass, Watchdog
from rocecfg.model.views import find_sorted_apart, make_views
from rocecfg.physics.watchdog import count_polls
from rocecfg.rules.nos_settings import Holder, Reading
from rocecfg.sizing.templates import find_profile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    _T = TypeVar("_T")
    _V = TypeVar("_V")

_UNSET = (None, None)
_USUAL_ACTION = "drop"  # of a watchdog that states none, on every system that has the choice


def read_differences(device: Device) -> Iterator[Reading]:
    """Every difference that a lack can be about, in the form of `rocecfg.rules.nos_settings`; all values are words."""
    sorting = make_views(device)
    for there in sorting:
        yield from _read_queues(there)
        yield from _read_numbers(there)
    if len(sorting) > 1:
        yield from _read_maps(device)
        yield from _read_across_ports(sorting)
    if not any(not c.lossless for c in device.classes):
        yield "class.lossless alone", "", device, "classes", None
    if len(device.ports) > 1:
        yield from _read_watchdogs(device)
        yield from _read_headrooms(device)
        yield from _read_lags(device)
    yield from _read_strict_queues(device)


def _iter_differing(items: Iterable[_T], key: Callable[[_T], object]) -> Iterator[_T]:
    """The first with each value but the first one's: as many whatever the order."""
    seen: set[object] = set()
    for item in items:
        value = key(item)
        if seen and value not in seen:
            yield item
        seen.add(value)


def _group_by(items: Iterable[_T], key: Callable[[_T], int]) -> dict[int, list[_T]]:
    out: dict[int, list[_T]] = {}
    for item in items:
        out.setdefault(key(item), []).append(item)
    return out


def _group_several(items: Iterable[_T], key: Callable[[_T], int]) -> list[tuple[int, list[_T]]]:
    """The groups of more than one, which can differ."""
    return [(number, group) for number, group in _group_by(items, key).items() if len(group) > 1]


# -- classes -----------------------------------------------------------------------------------------------------------


def _name_pair(number: int, what: str, a: TrafficClass, b: TrafficClass) -> str:
    return f"({what} {number}: {a.name}, {b.name})"


def _max_rates(cls: TrafficClass) -> tuple[int | None, float | None]:
    return cls.max_rate, cls.max_percent


def _guaranteed_rates(cls: TrafficClass) -> tuple[int | None, float | None]:
    return cls.guaranteed_rate, cls.guaranteed_percent


_RATES = (("class.max_rate", "max_rate", _max_rates), ("class.guaranteed_rate", "guaranteed", _guaranteed_rates))


def _sort_usual_first(device: Device) -> list[TrafficClass]:
    """Its classes, those that some ports have otherwise last: a difference is at what a port changed, in any order."""
    usual = {id(cls) for cls in (device.whole or device).classes}
    return sorted(device.classes, key=lambda cls: id(cls) not in usual)


def _read_queues(device: Device) -> Iterator[Reading]:
    queues = _group_by(_sort_usual_first(device), lambda c: c.queue)
    yield from _read_unscheduled(device, queues)
    for queue, group in queues.items():
        yield from _read_inverted_rates(device, group)
        if len(group) < 2:
            continue  # nothing to differ from
        yield from _read_shares(queue, group)
        for path, field, get in _RATES:
            yield from _read_rates(queue, group, path, field, get)
    seen: set[tuple[str, str]] = set()
    for port in device.ports:
        for reading in _read_curves(device, port):
            known = (reading[0], str(reading[1]))
            if known not in seen:
                seen.add(known)
                yield reading


def _read_unscheduled(device: Device, queues: dict[int, list[TrafficClass]]) -> Iterator[Reading]:
    """Queues that are neither strict nor have a share, beside others that have one, or with a rate."""
    stated = any(c.bandwidth is not None for c in device.classes)
    for group in queues.values():
        cls = group[0]
        if any(c.strict or c.bandwidth is not None for c in group):
            continue
        if stated:
            yield "class.bandwidth for part of the queues", f"({cls.name} has none)", cls, "bandwidth", cls.name
        for path, field, get in _RATES:
            if any(get(c) != _UNSET for c in group):
                yield f"{path} without bandwidth", f"({cls.name})", cls, field, cls.name


def _read_shares(queue: int, group: list[TrafficClass]) -> Iterator[Reading]:
    mixed = ((a, b) for a, b in combinations(group, 2) if a.lossless != b.lossless and a.priority != b.priority)
    for first, cls in islice(mixed, 1):
        yield "class.lossless differs on a queue", _name_pair(queue, "queue", first, cls), cls, "queue", cls.name
    paused = [c for c in group if c.lossless]
    for cls in _iter_differing(paused, lambda c: c.priority):
        who = _name_pair(queue, "queue", paused[0], cls)
        yield "class.priority differs on a lossless queue", who, cls, "priority", cls.name
    for cls in _iter_differing(group, lambda c: c.strict):
        yield (
            "class.bandwidth differs on a queue",
            _name_pair(queue, "queue", group[0], cls),
            cls,
            "bandwidth",
            cls.name,
        )
    with_share = [c for c in group if c.bandwidth is not None]
    for cls in _iter_differing(with_share, lambda c: c.bandwidth):
        who = _name_pair(queue, "queue", with_share[0], cls)
        yield "class.bandwidth differs on a queue", who, cls, "bandwidth", cls.name


def _read_rates(
    queue: int,
    group: list[TrafficClass],
    path: str,
    field: str,
    get: Callable[[TrafficClass], tuple[int | None, float | None]],
) -> Iterator[Reading]:
    rated = [c for c in group if get(c) != _UNSET]
    for cls in _iter_differing(rated, get):
        yield f"{path} differs on a queue", _name_pair(queue, "queue", rated[0], cls), cls, field, cls.name
    if rated and len(rated) < len(group):
        other = next(c for c in group if get(c) == _UNSET)
        who = _name_pair(queue, "queue", rated[0], other)
        yield f"{path} for part of a queue", who, rated[0], field, rated[0].name


def _read_inverted_rates(device: Device, group: list[TrafficClass]) -> Iterator[Reading]:
    """A class whose `max_rate` is below its `guaranteed`, on ports of some speed or whatever their speed."""
    speeds: list[int | None] = [None, *sorted({p.speed for p in device.ports if p.speed is not None})]
    for cls in group:
        for speed in speeds:
            high = _rate_in_bits(*_max_rates(cls), speed)
            low = _rate_in_bits(*_guaranteed_rates(cls), speed)
            if high is not None and low is not None and high < low:
                value = f"({show_rate(round(high))} below {show_rate(round(low))})"
                yield "class.max_rate below guaranteed", value, cls, "max_rate", cls.name
                break


def _rate_in_bits(rate: int | None, percent: float | None, speed: int | None) -> float | None:
    if rate is not None:
        return rate
    return None if percent is None or speed is None else speed * percent / 100


def _read_curves(device: Device, port: PortGroup) -> Iterator[Reading]:
    for queue, group in _group_by(device.classes_on(port), lambda c: c.queue).items():
        if len(group) < 2:
            continue
        curves = [(c, c.ecn_at(port.speed)) for c in group]
        marked = [(c, curve) for c, curve in curves if curve is not None]
        for cls, _ in _iter_differing(marked, lambda pair: pair[1]):
            yield "class.ecn differs on a queue", _name_pair(queue, "queue", marked[0][0], cls), cls, "ecn", cls.name
        if marked and len(marked) < len(curves):
            bare = next(c for c, curve in curves if curve is None)
            who = _name_pair(queue, "queue", marked[0][0], bare)
            yield "class.ecn for part of a queue", who, marked[0][0], "ecn", marked[0][0].name


def _read_numbers(device: Device) -> Iterator[Reading]:
    """Classes of one priority, and of one traffic class."""
    classes = _sort_usual_first(device)
    for priority, group in _group_several(classes, lambda c: c.priority):
        for cls in _iter_differing(group, lambda c: c.queue):
            who = _name_pair(priority, "priority", group[0], cls)
            yield "class.queue differs on a priority", who, cls, "queue", cls.name
        paused = [c for c in group if c.lossless]
        for cls in _iter_differing(paused, lambda c: c.queue):
            who = _name_pair(priority, "priority", paused[0], cls)
            yield "class.queue differs on a lossless priority", who, cls, "queue", cls.name
        for cls in _iter_differing(group, lambda c: c.lossless):
            who = _name_pair(priority, "priority", group[0], cls)
            yield "class.lossless differs on a priority", who, cls, "priority", cls.name
        for cls in _iter_differing(group, lambda c: c.tc):
            who = _name_pair(priority, "priority", group[0], cls)
            for trust in sorted({p.trust for p in device.ports} - {"dscp"}):
                yield f"class.tc differs on a priority, trust {trust}", who, cls, "tc", cls.name
    for tc, group in _group_several(classes, lambda c: c.tc):
        for cls in _iter_differing(group, lambda c: c.queue):
            yield "class.queue differs on a tc", _name_pair(tc, "TC", group[0], cls), cls, "queue", cls.name
        for cls in _iter_differing(group, lambda c: c.pg):
            yield "class.pg differs on a tc", _name_pair(tc, "TC", group[0], cls), cls, "pg", cls.name


def _read_maps(device: Device) -> Iterator[Reading]:
    """Ports that sort packets by other maps than the device's."""
    apart = find_sorted_apart(device)
    if apart is not None:
        port, cls, field = apart
        yield "class.dscp by port", f"({port.key})", cls or port, field or "classes", cls.name if cls else None


def _read_across_ports(sorting: tuple[Device, ...]) -> Iterator[Reading]:
    """Classes of different ports that want different things of one priority or queue of the switch."""
    known: dict[tuple[str, int], TrafficClass] = {}
    seen: set[tuple[str, str]] = set()
    for cls in (c for there in sorting for c in there.classes):
        first = known.setdefault(("priority", cls.priority), cls)
        apart = []
        if first.queue != cls.queue:
            apart.append(("class.queue differs on a priority by port", "queue", "priority", cls.priority, first))
        if first.lossless != cls.lossless:
            field = "lossless" if first.name == cls.name else "priority"
            apart.append(("class.lossless differs on a priority by port", field, "priority", cls.priority, first))
        first = known.setdefault(("queue", cls.queue), cls)
        if first.lossless != cls.lossless and first.priority != cls.priority:
            apart.append(("class.lossless differs on a queue by port", "queue", "queue", cls.queue, first))
        for what, field, kind, number, other in apart:
            who = _name_pair(number, kind, other, cls)
            if (what, who) not in seen:
                seen.add((what, who))
                yield what, who, cls, field, cls.name


# -- ports -------------------------------------------------------------------------------------------------------------


def _pick_rarest(counted: Mapping[_V, tuple[_T, int]]) -> _T:
    """What stands for the value that the fewest ports have: there it was made to differ. Of equals, the last value."""
    return min(reversed(list(counted.values())), key=lambda pair: pair[1])[0]


def _count_ports(kinds: Iterable[tuple[_V, _T, PortGroup]]) -> dict[_V, tuple[_T, int]]:
    """By value: what first has it, and on how many ports."""
    out: dict[_V, tuple[_T, int]] = {}
    for value, holder, port in kinds:
        first, number = out.get(value, (holder, 0))
        out[value] = (first, number + len(port.names))
    return out


def _read_watchdogs(device: Device) -> Iterator[Reading]:
    dogs = [(p.watchdog, p) for p in device.ports if p.watchdog is not None and p.pfc]
    if len({id(dog) for dog, _ in dogs}) < 2:
        return
    actions = _count_ports((dog.action or _USUAL_ACTION, dog, port) for dog, port in dogs)
    if len(actions) > 1:
        yield "port.watchdog.action by port", " and ".join(sorted(actions)), _pick_rarest(actions), "action", None
    own = [(dog, port) for dog, port in dogs if not dog.vendor_default]
    if len(own) < len(dogs) and own:
        usual = next(dog for dog, _ in dogs if dog.vendor_default)
        yield "port.watchdog by port", "vendor-default and own timers", usual, "", None
    polling = [(d.poll, d, p) for d, p in own]
    yield from _read_timer("port.watchdog.detection", "detection", [(d.detection, d, p) for d, p in own], show_time)
    yield from _read_timer("port.watchdog.poll", "poll", polling, show_time)
    if len({poll for poll, _, _ in polling}) == 1:
        counts = [(count_polls(d.detection, d.poll) if d.detection and d.poll else None, d, p) for d, p in own]
        yield from _read_timer("port.watchdog.detection in polls", "detection", counts, str)


def _read_timer(
    what: str,
    field: str,
    values: Iterable[tuple[float | None, Watchdog, PortGroup]],
    show: Callable[[float], str],
) -> Iterator[Reading]:
    known = ((value, dog, port) for value, dog, port in values if value is not None)
    counted = dict(sorted(_count_ports(known).items(), key=lambda item: item[0]))
    if len(counted) > 1:
        yield f"{what} by port", " and ".join(map(show, counted)), _pick_rarest(counted), field, None


def _read_headrooms(device: Device) -> Iterator[Reading]:
    lossless = [p for p in device.ports if p.pfc]
    sizes = _count_ports((p.headroom.size if isinstance(p.headroom, Headroom) else 0, p, p) for p in lossless)
    named: dict[tuple[int, int], list[tuple[tuple[int | None, ...], PortGroup]]] = {}
    for port in lossless:
        found = find_profile(device, port)
        if found is not None:
            named.setdefault(found[0], []).append((found[1], port))
    for (speed, metres), wanted in named.items():
        for _, port in _iter_differing(wanted, lambda pair: pair[0]):
            room = port.headroom if isinstance(port.headroom, Headroom) else None
            holder: Holder = port if room is None else room
            field = "cable" if room is None else "size"
            value = f"({show_rate(speed)}, {metres} m)"
            yield "port.headroom differs on a speed and cable", value, holder, field, None
    if len(sizes) > 1:
        sizes = dict(sorted(sizes.items()))
        shown = " and ".join(show_size(size) if size else "auto" for size in sizes)
        yield "port.headroom by port", shown, _pick_rarest(sizes), "headroom", None


def _read_strict_queues(device: Device) -> Iterator[Reading]:
    """A strict queue that has a lower number than one which takes turns, on any port."""
    for port in device.ports:
        classes = device.all_classes_on(port)
        highest = max((cls.queue for cls in classes if not cls.strict), default=-1)
        low = min((cls for cls in classes if cls.strict), key=lambda cls: cls.queue, default=None)
        if low is not None and low.queue < highest:
            shown = f"({low.name} on {low.queue}, below {highest})"
            yield "class.bandwidth strict below a shared queue", shown, low, "bandwidth", None
            return


def _read_lags(device: Device) -> Iterator[Reading]:
    """Ports of one LAG that differ in what a QoS profile holds."""
    lags: dict[str, list[PortGroup]] = {}
    for port in device.ports:
        if port.lag is not None:
            lags.setdefault(port.lag, []).append(port)
    for lag, ports in lags.items():
        lengths = {ceil(p.cable) for p in ports if p.cable is not None and p.pfc}
        kinds = _count_ports(((_qos_profile(device, p), p.cable if len(lengths) > 1 else None), p, p) for p in ports)
        if len(kinds) > 1:
            yield "port.lag of unlike ports", f"({lag})", _pick_rarest(kinds), "lag", None
        timers = _count_ports((_timer_values(port.watchdog), port, port) for port in ports if port.pfc)
        if len(timers) > 1:
            yield "port.watchdog by port of a LAG", f"({lag})", _pick_rarest(timers), "watchdog", None


def _timer_values(dog: Watchdog | None) -> tuple[object, ...]:
    return () if dog is None else (dog.vendor_default, dog.poll, dog.detection, dog.restoration, dog.action)


def _qos_profile(device: Device, port: PortGroup) -> tuple[object, ...]:
    marked = ((c.queue, c.ecn_at(port.speed)) for c in device.classes_on(port))
    curves = frozenset((queue, curve) for queue, curve in marked if isinstance(curve, (Ecn, EcnPercent)))
    shares = any(c.max_percent is not None or c.guaranteed_percent is not None for c in device.classes)
    room = port.headroom if port.pfc and isinstance(port.headroom, Headroom) else None
    return port.trust, port.pfc, curves, room, port.speed if shares else None
