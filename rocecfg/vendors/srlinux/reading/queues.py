"""How the queues of a port send and hold: schedulers, marking, limits of buffers."""

from __future__ import annotations

from itertools import product

from rocecfg.core.units import Percent
from rocecfg.model import AUTO, RunningGroup, RunningQueue, Span
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.vendors.srlinux.limits import OWN_PAUSE
from rocecfg.vendors.srlinux.reading.binding import Binding
from rocecfg.vendors.srlinux.reading.objects import Objects, Values

_USUAL = "low"  # the drop probability of packets, unless a classifier says another
_ALL = ("all", _USUAL)  # drop probabilities, the first that has a slope


def read_sendings(objects: Objects, binding: Binding, used: tuple[int, ...]) -> dict[int, Section]:
    """How each queue sends, by number. `used`: those that packets are sent from."""
    out: dict[int, Section] = {}
    policy = binding.port.get("scheduler")
    weights: dict[int, Val] = {}
    for (sequence, _), given in objects.below("inputs", policy.value).items() if policy is not None else ():
        queue = objects.queue_of(given["queue"].value) if "queue" in given else None
        if queue is None:
            continue
        own = out.setdefault(queue, {})
        stated = objects.get("sequences", policy.value, sequence) if policy is not None else None
        if stated is not None and "priority" in stated:
            own["bandwidth"] = Val("strict", given["queue"].at)
        elif "weight" in given:
            weights[queue] = given["weight"]
        if "peak" in given and given["peak"].value < 100:
            own["max_rate"] = Val(Percent(given["peak"].value), given["peak"].at)
    sharing = {queue: val for queue, val in weights.items() if queue in used} or weights
    total = sum(val.value for val in sharing.values())
    for queue, val in weights.items():
        percent = 100 * val.value / total if total else 0
        out[queue]["bandwidth"] = Val(round(percent) if abs(percent - round(percent)) < 1e-9 else percent, val.at)
    if binding.row is not None:
        for queue in sorted({*used, *out}):
            curve = read_curve(objects, binding, queue)
            out.setdefault(queue, {})["ecn"] = curve or Val(OFF, binding.row.at)
    return dict(sorted(out.items()))


def find_management(objects: Objects, binding: Binding, queue: int) -> Val | None:
    """The queue-management-profile of an output queue."""
    return next((val for name, val in binding.managements.items() if objects.queue_of(name) == queue), None)


def find_slope(objects: Objects, profile: str, *, marking: bool) -> Values | None:
    """The slope of a profile by which packets are marked, or dropped."""
    slopes = objects.below("slopes", profile)
    names = product(("all", "tcp", "non-tcp"), (*_ALL, "medium", "high"), ("true" if marking else "false",))
    return next((slopes[each] for each in names if each in slopes), None)


def _is_passed_by(objects: Objects, binding: Binding, profile: str, queue: int) -> bool:
    """Whether slopes mark, but none marks packets of the drop probabilities that DSCPs give to a queue."""
    marked = {drop for (_, drop, marks) in objects.below("slopes", profile) if marks == "true"}
    given = {
        own["drop"].value if "drop" in own else _USUAL
        for policy in binding.list_dscps()
        for own in objects.below("dscp", policy.value).values()
        if "class" in own and objects.queue_of_class(own["class"].value) == queue
    }
    return bool(given) and "all" not in marked and marked.isdisjoint(given)


def find_limit(objects: Objects, binding: Binding, queue: int) -> Val | None:
    """The most that an output queue may hold, in bytes; None: nothing is said."""
    name = binding.port.get("limits")
    given = objects.below("limits", name.value) if name is not None else {}
    found = (own["most"] for (of,), own in given.items() if objects.queue_of(of) == queue and "most" in own)
    return next((most for most in found if most.value), None)


def read_curve(objects: Objects, binding: Binding, queue: int) -> Val | None:
    """The marking curve of a queue, in bytes; None or OFF where nothing marks; AUTO where its profile is not here."""
    profile = find_management(objects, binding, queue)
    if profile is None:
        return None
    if objects.get("managements", profile.value) is None and not objects.below("slopes", profile.value):
        return Val(AUTO, profile.at)
    slope = find_slope(objects, profile.value, marking=True)
    if slope is None:
        return None
    if (objects.whole and objects.get("system") is None) or _is_passed_by(objects, binding, profile.value, queue):
        return Val(OFF, slope.at)  # ECN of the whole switch is off, or no packet of the queue is one that is marked
    limit = find_limit(objects, binding, queue)
    ends: Section = {}
    for key in ("kmin", "kmax"):
        if key in slope:
            ends[key] = slope[key]
        elif f"{key}%" in slope:
            share = slope[f"{key}%"]
            in_bytes = limit.value * share.value // 100 if limit is not None else Percent(share.value)
            ends[key] = Val(in_bytes, share.at)
    if "pmax" in slope:
        ends["pmax"] = slope["pmax"]
    if len(ends) < 3:
        return Val(MISSING, slope.at)
    own = objects.get("managements", profile.value)
    if own is not None and "weight" in own:
        ends["weight"] = own["weight"]
    return Val(ends, slope.at)


def read_running_queues(objects: Objects, binding: Binding) -> tuple[RunningQueue, ...]:
    """Queues with a limit of their own, and those whose packets are dropped early."""
    out = []
    for queue in range(8):
        limit, profile = find_limit(objects, binding, queue), find_management(objects, binding, queue)
        slope = find_slope(objects, profile.value, marking=False) if profile is not None else None
        drops = slope if slope is not None and ("on" not in slope or slope["on"].value) else None
        first = limit if limit is not None else drops
        if first is None:
            continue
        origins = {key: of.at for key, of in (("", first), ("discards", drops), ("static", limit)) if of is not None}
        out.append(
            RunningQueue(
                queue,
                discards=True if drops is not None else None,
                static=limit.value if limit is not None else None,
                origins=origins,
            )
        )
    return tuple(out)


def read_groups(
    objects: Objects, binding: Binding, used: tuple[int, ...], at: Span, *, shared: bool
) -> tuple[RunningGroup, ...]:
    """The PFC queues of a port: at what fill they pause. `used`: those that some class fills.

    `shared`: they draw from the shared buffer, as on 7220 IXR; on 7250 IXR a pause hangs on what is reserved for them.
    """
    name = binding.port.get("groups")
    given = objects.below("groups", name.value) if name is not None else {}
    by_number = {objects.pfc_queue_of(of): own for (of,), own in given.items()}
    out = []
    for number in used:
        own = by_number.get(number)
        if own is None and (name is None or objects.get("allocations", name.value) is None) and not objects.whole:
            continue
        pause = own.get("most") if own is not None else None
        place = pause.at if pause is not None else own.at if own is not None else name.at if name is not None else at
        out.append(
            RunningGroup(
                number,
                profile=name.value if name is not None else None,
                lossless=True,
                static=pause.value if pause is not None else OWN_PAUSE if shared else None,
                origins={"": place, "static": place, "lossless": place, "profile": place},
            )
        )
    return tuple(out)


def read_headroom(objects: Objects, binding: Binding, used: tuple[int, ...]) -> Val | None:
    """Bytes that a PFC queue may take of the reserve, where that is how it is said: the least of its queues."""
    name = binding.port.get("groups")
    if name is None:
        return None
    found = [
        own["headroom"]
        for (of,), own in objects.below("groups", name.value).items()
        if "headroom" in own and objects.pfc_queue_of(of) in used
    ]
    return min(found, key=lambda val: int(val.value), default=None)
