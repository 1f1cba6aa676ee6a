"""What collectives ask of the fabric's links, in words: loads, what holds them back, and what no model here says."""

from __future__ import annotations

from rocecfg.advice.predict import Unpredictable
from rocecfg.advice.series import TierQueues, predict_series
from rocecfg.advice.wording import show_about, show_share
from rocecfg.analysis.traffic import Crowd, Pattern, traffic
from rocecfg.core.units import show_number
from rocecfg.model import Fabric
from rocecfg.report.html.words import format_count

_SEEN = 0.005  # uplinks that get too much, or a share of the time: less is none
ASSUMED = (
    "Each host port is a rank, and all send at line rate; flows spread evenly over the shortest routes, by cables. "
    "The load is their rate divided by the capacity of the busiest link of a kind, before senders slow down."
)


def list_collectives(fabric: Fabric, *, predicted: bool = False) -> list[tuple[str, str]]:
    """A row for each collective: its name and what comes of it; [] where hosts' ports are not cabled.

    `predicted`: with what bottlenecks one behind the other do, which takes seconds.
    """
    known = traffic(fabric)
    if known is None:
        return []
    if known.unknown:
        return [("collectives", f"not computed: {known.unknown}")]
    return [
        (f"{pattern.name}, {pattern.ranks:,}", _describe_pattern(pattern, fabric if predicted else None))
        for pattern in known.patterns
    ]


def _describe_pattern(of: Pattern, fabric: Fabric | None) -> str:
    loads = ", ".join(f"{one.between} {_format_percent(one.load)}" for one in of.loads)
    parts = [f"{loads}: {_describe_held(of, fabric)}"]
    also = [one for one in of.loads if one.load > 1 + 1e-6 and one not in of.bottlenecks]
    if also:
        names = " and ".join(one.between for one in also)
        parts.append(f"{names} are overloaded until the senders slow down, which is not predicted")
    if of.apart:
        parts.append(f"{_format_percent(of.apart)} of the traffic between switches has no route, and is not included")
    if of.crowd is not None and of.crowd.overloaded >= _SEEN:
        parts.append(_describe_crowd(of.crowd))
    return "; ".join(parts)


def _describe_held(of: Pattern, fabric: Fabric | None) -> str:
    by = of.bottlenecks
    if not by:
        return "no link is overloaded"
    names = " and ".join(one.between for one in by)
    rate = f"{names} hold{'s' * (len(by) == 1)} it to {_format_percent(1 / by[0].load)} of the line rate"
    if len(by) > 1:
        return f"{rate}; {_describe_two_tiers(of, fabric)}"
    flows = round(by[0].flows)
    return f"{rate}; {format_count(flows, 'flow')} meet there, which `rocecfg advise --incast {flows}` predicts"


def _describe_two_tiers(of: Pattern, fabric: Fabric | None) -> str:
    """What such bottlenecks' queues do, in the two tiers that the model has."""
    if fabric is None:
        return "bottlenecks one behind the other, of whose queues `rocecfg report` has what is predicted"
    unknown = "bottlenecks one behind the other, whose queues are not predicted"
    if of.series is None or of.bottlenecks != of.loads[:2]:
        return f"{unknown}: the links, or what leaves send, are not all alike in two tiers"
    try:
        first, then = predict_series(fabric, of.series)
    except Unpredictable as error:
        return f"{unknown}: {error}"
    up, down = (one.between for one in of.bottlenecks)
    if then is None:
        return (
            f"{_describe_queue(first)} is predicted from {up}, and no queue from {down}: traffic that comes up one "
            "link goes down one of the same speed"
        )
    return (
        f"{_describe_queue(first)} is predicted from {up}, and {_describe_queue(then)} from {down}, "
        "one behind the other"
    )


def _describe_queue(of: TierQueues) -> str:
    """`a queue of 71.2KB ± 60.1KB with 99.7% of the link used`."""
    beyond = f" and {show_share(of.beyond)} of the time above kmax" if of.beyond >= _SEEN else ""
    size = f"{show_about(of.mean)} ± {show_about(of.sd)}{beyond}"
    return f"a queue of {size} with {show_share(of.utilisation)} of its link used"


def _describe_crowd(of: Crowd) -> str:
    return (
        f"{format_count(of.flows, 'flow')} of the busiest leaf on {format_count(of.cables, 'uplink')}, {of.fit} fit "
        f"on each: with a random hash, {show_number(round(of.overloaded, 2))} of these are overloaded on average"
    )


def _format_percent(part: float) -> str:
    return f"{part * 100:.3g}%"
