"""Where packets go: the queue of each code point, the priority that pauses each queue, the queue that a pause stops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rocecfg.model import Span
from rocecfg.model.stated import Section, Val
from rocecfg.model.switch import TCS, Chain
from rocecfg.vendors.junos.limits import OBEYED, OWN_CLASSES, QUEUES
from rocecfg.vendors.junos.reading.cos import DSCP, TAG, CongestionProfile, Cos

_REST = 0  # queue of best-effort
_CONTROL = 7


def queue_of(cos: Cos, name: str, at: Span) -> Val | None:
    """The queue of a forwarding class, of Juniper's own too; None: there is no such class, or no queue for unicast."""
    own = cos.queue_of(name)
    if own is not None:
        return own if own.value in QUEUES else None
    known = OWN_CLASSES.get(name)
    return Val(known[0], at) if known is not None and name not in cos.classes else None


def find_lossless_queues(cos: Cos) -> dict[int, tuple[str, Val]]:
    """Queues of no-loss classes that are configured: the class, and where it is said."""
    return {
        given["queue"].value: (name, given["no-loss"])
        for name, given in cos.classes.items()
        if "no-loss" in given and "queue" in given and given["queue"].value in QUEUES
    }


def find_priorities(cos: Cos, at: Span) -> tuple[Val, ...]:
    """The PFC priority that pauses each queue: pfc-priority of a no-loss class; else one that no other has.

    A queue of a no-loss class without one, which 802.1p PFC takes, has that whose pauses stop it.
    """
    found: dict[int, Val] = {}
    for queue, (name, where) in find_lossless_queues(cos).items():
        stated = cos.classes[name].get("pfc-priority")
        found[queue] = stated or next(iter(_priorities_stopping(cos, queue)), Val(queue, where.at))
    free = [n for n in TCS if n not in {val.value for val in found.values()}]
    for queue in TCS:
        if queue not in found:
            number = (
                queue
                if queue in free
                else next((n for n in free if n not in TCS or n in _list_unwanted(free, found)), queue)
            )
            if number in free:
                free.remove(number)
            found[queue] = Val(number, at)
    return tuple(found[queue] for queue in TCS)


def _list_unwanted(free: list[int], found: Mapping[int, Val]) -> list[int]:
    """Priorities that no queue of that number will want."""
    return [n for n in free if n in found] or free


def _priorities_stopping(cos: Cos, queue: int) -> list[Val]:
    return [
        Val(priority, val.at)
        for profile in cos.profiles.values()
        for priority, queues in profile.output.items()
        for val in queues
        if val.value == queue
    ]


class Sorter:
    """The chains of a switch's ports: those that sort alike have one object."""

    def __init__(self, cos: Cos, at: Span) -> None:
        self.cos = cos
        self.at = at
        self.priority = find_priorities(cos, at)
        self.lossless = find_lossless_queues(cos)
        numbers = [queue if queue in self.lossless or queue == _CONTROL else 0 for queue in TCS]
        if 0 in self.lossless:  # the others do not fill it
            numbers = list(TCS)
        self._groups = tuple(Val(number, at) for number in numbers)
        given = Span(at.doc, at.start, at.start)  # a class has no other number than its queue's: in a part too
        self._own = tuple(Val(queue, given) for queue in TCS)
        self._known: dict[tuple[str | None, str | None, str | None], Chain] = {}

    def chain_of(self, binding: Section) -> Chain:
        """How packets are sorted on a port."""
        key = _bound_name(binding, DSCP), _bound_name(binding, TAG), _bound_name(binding, "profile")
        if key not in self._known:
            dscp, tag, profile = key
            self._known[key] = Chain(
                self._queues_of_codes(DSCP, dscp, 64),
                self._own,
                self._groups,
                self.priority,
                self._queues_of_codes(TAG, tag, 8) if tag is not None else (),
                self._find_stopped_queues(self.cos.profiles.get(profile) if profile is not None else None),
            )
        return self._known[key]

    def _queues_of_codes(self, kind: str, name: str | None, count: int) -> tuple[Val, ...]:
        """The queue of each code point; one that the classifier leaves out is best effort."""
        given = self.cos.classifiers.get((kind, name), {}) if name is not None else {}
        rest = self.cos.queue_of("best-effort") or Val(_REST, self.at)
        unknown = name is not None and ((kind, name) in self.cos.imports or (kind, name) not in self.cos.classifiers)
        out = []
        for code in range(count):
            of = given.get(code)
            queue = queue_of(self.cos, of.value, of.at) if of is not None else None
            if of is not None and queue is not None:
                out.append(Val(queue.value, of.at))
            else:
                out.append(Val(None if unknown or of is not None else rest.value, of.at if of is not None else self.at))
        return tuple(out)

    def _find_stopped_queues(self, profile: CongestionProfile | None) -> tuple[Val, ...]:
        """The queue that a pause of each priority stops; None: none does."""
        if profile is None:
            return ()
        if not profile.output:
            at = profile.at if self.cos.whole else self.at  # the output side of a part may stand elsewhere
            return tuple(Val(OBEYED.get(priority), at) for priority in TCS)
        return tuple(
            profile.output[priority][0] if priority in profile.output else Val(None, profile.at) for priority in TCS
        )


def find_paused_priorities(cos: Cos, profile: CongestionProfile, binding: Section, at: Span) -> dict[int, Span]:
    """The priorities that pauses are sent for on a port, and where that is said."""
    found: dict[int, Span] = {}
    name = _bound_name(binding, DSCP)
    given = cos.classifiers.get((DSCP, name), {}) if name is not None else {}
    known = find_lossless_queues(cos)
    order = find_priorities(cos, at)
    for (kind, code), settings in profile.input.items():
        if "pfc" not in settings:
            continue
        if kind == TAG:
            found.setdefault(code, settings["pfc"].at)
            continue
        of = given.get(code)
        queue = queue_of(cos, of.value, of.at) if of is not None else None
        if queue is not None and queue.value in known:
            found.setdefault(order[queue.value].value, settings["pfc"].at)
    return {priority: found[priority] for priority in sorted(found)}


def split_by_pause(
    cos: Cos, profile: CongestionProfile, binding: Section
) -> Iterator[tuple[int, list[int], list[int]]]:
    """The lossless queues of a port that sorts by DSCP: the DSCPs that its profile pauses, and those it does not."""
    name = _bound_name(binding, DSCP)
    lossless = find_lossless_queues(cos)
    led: dict[int, list[int]] = {}
    for code, val in cos.classifiers.get((DSCP, name), {}).items() if name is not None else ():
        queue = queue_of(cos, val.value, val.at)
        if queue is not None and queue.value in lossless:
            led.setdefault(queue.value, []).append(code)
    for number, codes in led.items():
        on = sorted(code for code in codes if "pfc" in profile.input.get((DSCP, code), {}))
        yield number, on, sorted({*codes} - {*on})


def find_partly_paused(cos: Cos, profile: CongestionProfile, binding: Section, at: Span) -> tuple[int, ...]:
    """The priorities of PFC by DSCP that do not pause all that waits in their queue, or by a number nothing states."""
    order, lossless = find_priorities(cos, at), find_lossless_queues(cos)
    return tuple(
        order[queue].value
        for queue, on, off in split_by_pause(cos, profile, binding)
        if on and (off or "pfc-priority" not in cos.classes[lossless[queue][0]])
    )


def _bound_name(binding: Section, key: str) -> str | None:
    return binding[key].value if key in binding else None
