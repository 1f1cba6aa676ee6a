"""How the queues of a scheduler map send: shares, shapers, marking and drops."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.units import Percent
from rocecfg.model import AUTO, RunningQueue, Span
from rocecfg.model.stated import MISSING, OFF, Section, Val
from rocecfg.vendors.junos.limits import ALPHA_1
from rocecfg.vendors.junos.reading.cos import Cos
from rocecfg.vendors.junos.reading.sorting import queue_of

STRICT = "strict-high"


def read_sendings(cos: Cos, name: str, at: Span) -> Mapping[int, Section]:
    """How each queue of a scheduler map sends, by number."""
    out: dict[int, Section] = {}
    for of, scheduler in cos.maps.get(name, {}).items():
        queue = queue_of(cos, of, at)
        given = cos.schedulers.get(scheduler.value)
        if queue is not None and given is not None:
            out.setdefault(queue.value, _make_sending(cos, given, scheduler))
    return dict(sorted(out.items()))


def _make_sending(cos: Cos, given: Section, scheduler: Val) -> Section:
    out: Section = {}
    priority, percent, text = given.get("priority"), given.get("percent"), given.get("rate")
    if priority is not None and priority.value == STRICT:
        out["bandwidth"] = Val("strict", priority.at)
        if percent is not None:
            out["guaranteed"] = Val(Percent(percent.value), percent.at)
    elif percent is not None:
        out["bandwidth"] = percent
    if text is not None:
        out["guaranteed"] = text
    shaped, share = given.get("shaped"), given.get("shaped percent")
    if share is not None:
        out["max_rate"] = Val(Percent(share.value), share.at)
    elif shaped is not None:
        out["max_rate"] = shaped
    elif "cap" in given and percent is not None:
        out["max_rate"] = Val(Percent(percent.value), given["cap"].at)
    elif "cap" in given and text is not None:
        out["max_rate"] = Val(text.value, given["cap"].at)
    return {**out, "ecn": _read_curve(cos, given, scheduler) or Val(OFF, scheduler.at)}


def marks_otherwise(cos: Cos, scheduler: str) -> bool:
    """Whether a scheduler may mark by something newer than a drop profile, as by `latency-ecn`."""
    newer = cos.list_unknown("schedulers", scheduler)
    told = "ecn" in cos.schedulers.get(scheduler, {})  # that it marks: what is not understood may say by what
    return bool(newer) and (told or any("ecn" in word or "congestion" in word for rest in newer for word in rest))


def _read_curve(cos: Cos, given: Section, scheduler: Val) -> Val | None:
    """The marking curve of a scheduler; None where it does not mark; AUTO where it marks by what is not known here."""
    ecn, name = given.get("ecn"), given.get("drops")
    if name is None and marks_otherwise(cos, scheduler.value):
        return Val(AUTO, ecn.at if ecn is not None else scheduler.at)
    if ecn is None:
        return None
    drops = cos.drops.get(name.value) if name is not None else None
    if name is not None and drops is None and not cos.whole:
        return Val(AUTO, ecn.at)  # by a profile of another part
    fills, chances = (drops or {}).get("fill-level", []), (drops or {}).get("drop-probability", [])
    if not fills or len(fills) != len(chances):
        return Val(MISSING, ecn.at)  # without a profile nothing is known of the curve, and findings say so
    pairs = sorted(zip(fills, chances, strict=True), key=lambda pair: int(pair[0].value))
    silent = [pair for pair in pairs if pair[1].value == 0]
    low, high = (silent[-1] if silent else pairs[0])[0], pairs[-1][0]
    ends: Section = {
        "kmin": Val(Percent(low.value), low.at),
        "kmax": Val(Percent(high.value), high.at),
        "pmax": pairs[-1][1],
    }
    return Val(ends, ecn.at)


def read_running_queues(cos: Cos, name: str, at: Span) -> tuple[RunningQueue, ...]:
    """Queues in which the drop profile drops, since nothing marks in its place; or with a share of the free buffer.

    And those that are told to take turns, with no share.
    """
    out = []
    for of, scheduler in cos.maps.get(name, {}).items():
        queue, given = queue_of(cos, of, at), cos.schedulers.get(scheduler.value)
        if queue is None or given is None:
            continue
        dropping = given.get("drops") if "ecn" not in given else None
        threshold = given.get("threshold") if dropping is None else None
        priority = given.get("priority") if not {"percent", "rate"} & given.keys() else None
        turn = priority if priority is not None and priority.value != STRICT else None
        places = {"discards": dropping, "alpha": threshold, "turns": turn}
        origins = {key: val.at for key, val in places.items() if val is not None}
        if origins:
            out.append(
                RunningQueue(
                    queue.value,
                    discards=True if dropping is not None else None,
                    turns=True if turn is not None else None,
                    alpha=2.0 ** (threshold.value - ALPHA_1) if threshold is not None else None,
                    origins={"": next(iter(origins.values())), **origins},
                )
            )
    return tuple(sorted(out, key=lambda one: one.number))
