"""What collectives ask of the fabric's links, in words: loads, what holds them back, and what no model here says."""

from __future__ import annotations

from rocecfg.analysis.traffic import Crowd, Load, Pattern, traffic
from rocecfg.core.units import show_number
from rocecfg.model import Fabric
from rocecfg.report.html.words import count

_SEEN = 0.005  # uplinks that get too much: fewer is none
ASSUMED = (
    "Each port of a host is a rank, and so many send at line rate; flows spread evenly over the shortest routes, by "
    "cables. A load is what they send by what the busiest link of a kind carries, before senders slow down."
)


def rows(fabric: Fabric) -> list[tuple[str, str]]:
    """A row for each collective: its name and what comes of it; [] where hosts' ports are not cabled."""
    known = traffic(fabric)
    if known is None:
        return []
    if known.unknown:
        return [("collectives", f"not computed: {known.unknown}")]
    return [(f"{pattern.name}, {pattern.ranks:,}", _stated(pattern)) for pattern in known.patterns]


def _stated(of: Pattern) -> str:
    loads = ", ".join(f"{one.between} {_percent(one.load)}" for one in of.loads)
    parts = [f"{loads}: {_held(of.bottlenecks)}"]
    also = [one for one in of.loads if one.load > 1 + 1e-6 and one not in of.bottlenecks]
    if also:
        names = " and ".join(one.between for one in also)
        parts.append(f"{names} carry more than they can until the senders have slowed down, which is not predicted")
    if of.apart:
        parts.append(f"{_percent(of.apart)} of what goes between switches has no route, and is not in it")
    if of.crowd is not None and of.crowd.overloaded >= _SEEN:
        parts.append(_crowd(of.crowd))
    return "; ".join(parts)


def _held(by: tuple[Load, ...]) -> str:
    if not by:
        return "no link is asked for more than it carries"
    names = " and ".join(one.between for one in by)
    rate = f"{names} hold{'s' * (len(by) == 1)} it to {_percent(1 / by[0].load)} of the line rate"
    if len(by) > 1:
        return (
            f"{rate}; bottlenecks one behind the other, of which the model of `rocecfg advise` has one: not predicted"
        )
    flows = round(by[0].flows)
    return f"{rate}; {count(flows, 'flow')} meet there, which `rocecfg advise --incast {flows}` predicts"


def _crowd(of: Crowd) -> str:
    return (
        f"{count(of.flows, 'flow')} of the busiest leaf on {count(of.cables, 'uplink')}, {of.fit} fit on each: by a "
        f"random hash {show_number(round(of.overloaded, 2))} of these get more than they carry, on average"
    )


def _percent(part: float) -> str:
    return f"{part * 100:.3g}%"
