"""How the queues of a queuing policy send: shares, shapers, marking and drops."""

from __future__ import annotations

from rocecfg.core.units import Percent
from rocecfg.model import AUTO, RunningQueue
from rocecfg.model.stated import OFF, Section, Val
from rocecfg.vendors.nxos.reading.config import Config, PolicyMap
from rocecfg.vendors.nxos.settings import QUEUING, Curve


def read_sendings(config: Config, policy: PolicyMap) -> dict[int, Section]:
    """How each queue sends, by its number."""
    out: dict[int, Section] = {}
    of_rest = any("share" in stated for stated in policy.classes.values())
    for name, stated in policy.classes.items():
        queue = config.group_of(QUEUING, name)
        if queue is not None:
            out[queue] = _make_sending(stated, Val(OFF, policy.places[name]), of_rest=of_rest)
    return dict(sorted(out.items()))


def _make_sending(stated: Section, off: Val, *, of_rest: bool) -> Section:
    """`of_rest`: shares are of what queues with a percentage of the link leave, so that this is what they guarantee."""
    out: Section = {}
    if "strict" in stated:
        out["bandwidth"] = Val("strict", stated["strict"].at)
    elif "share" in stated:
        out["bandwidth"] = Val(float(stated["share"].value), stated["share"].at)
    if "percent" in stated:
        percent = stated["percent"]
        if of_rest or "strict" in stated:
            out["guaranteed"] = Val(Percent(percent.value), percent.at)
        else:
            out["bandwidth"] = Val(float(percent.value), percent.at)
    if "shape" in stated:
        out["max_rate"] = stated["shape"]
    curve = stated.get("curve")
    return {**out, "ecn": _read_curve(curve) if curve is not None and curve.value.marks else off}


def _read_curve(val: Val) -> Val:
    curve: Curve = val.value
    if curve.kmin is None or curve.kmax is None:
        return Val(AUTO, val.at)  # the chip's own
    ends = {"kmin": curve.kmin, "kmax": curve.kmax, "pmax": float(curve.pmax), "weight": curve.weight}
    return Val({key: Val(value, val.at) for key, value in ends.items()}, val.at)


def read_running_queues(config: Config, policy: PolicyMap) -> tuple[RunningQueue, ...]:
    """Queues that drop by their curve, since nothing marks in its place."""
    out = []
    for name, stated in policy.classes.items():
        queue, curve = config.group_of(QUEUING, name), stated.get("curve")
        if queue is not None and curve is not None and not curve.value.marks:
            out.append(RunningQueue(queue, discards=True, origins={"": curve.at, "discards": curve.at}))
    return tuple(sorted(out, key=lambda one: one.number))
