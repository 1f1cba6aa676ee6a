"""Watchdog timers of one tier against those of the next: rule WDG218."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.analysis.graph import Graph, graph
from rocecfg.analysis.ports import PortEnd
from rocecfg.analysis.tiers import Tiers, tiers
from rocecfg.core.units import show_time
from rocecfg.model import Fabric, Span, Watchdog
from rocecfg.physics.watchdog import action_window, effective_time
from rocecfg.rules.base import INFO, OFF, WARNING, Hit, Rule, rule
from rocecfg.rules.common import LOSSY_OFF, is_management
from rocecfg.rules.watchdog import SLOW, USUAL, judged_watchdog

_HOSTS = ("host", "storage")


@rule(
    "WDG218",
    "watchdog-tier",
    INFO,
    worst=WARNING,
    source="a pause climbs a tier in tens of us, so the upper one waits for what the lower one may need: d_eff + p",
    by_kind={**LOSSY_OFF, "running": OFF},
    needs=("links",),
    graph=True,
)
def watchdog_tier(fabric: Fabric) -> Iterator[Hit]:
    """The watchdog of an upper tier acts before the one below: it drops traffic of all senders."""
    found, levels = graph(fabric), tiers(fabric)
    seen: set[object] = set()
    for bundle in found.bundles.values():
        if bundle.b_end is None or bundle.a_end is None:
            continue
        low, high = (bundle.a, bundle.a_end), (bundle.b, bundle.b_end)
        if levels.of[low[0]] > levels.of[high[0]]:
            low, high = high, low
        if not 0 < levels.of[low[0]] < levels.of[high[0]]:
            continue
        kind = id(found.plans[low[0]]), id(high[1])
        if kind in seen:
            continue
        seen.add(kind)
        yield from _compare_tiers(found, levels, low, high, seen)


def _compare_tiers(
    found: Graph, levels: Tiers, low: tuple[int, PortEnd], high: tuple[int, PortEnd], seen: set[object]
) -> Iterator[Hit]:
    upper = judged_watchdog(high[1].port)
    lower = _slowest_below(found, low[0], levels.of[low[0]])
    if upper is None or upper.detection is None or lower is None or lower.detection is None:
        return
    latest = action_window(lower.detection, lower.poll)[1]
    soonest = effective_time(upper.detection, upper.poll)
    places = upper.at("detection"), lower.at("detection"), soonest, latest
    if soonest >= latest or places in seen:
        return
    seen.add(places)
    first = effective_time(lower.detection, lower.poll)
    shorter = soonest < first
    names = found.names
    upper_role, lower_role = (_name_role(found, levels, n) for n in (high[0], low[0]))
    # where the upper one would have to wait too long, the lower one does
    fix = f"set detection_time: {show_time(latest)} or more on {upper_role} switches"
    if latest + (upper.poll or 0) > SLOW:
        fix = f"set {USUAL} on {lower_role} switches, and detection_time: 400ms on {upper_role} switches"
    yield Hit(
        f"the watchdog of {upper_role} switches ({names[high[0]]}) acts after {show_time(soonest)}, but that of "
        f"{lower_role} switches ({names[low[0]]}) may need {show_time(latest)} ({show_time(first)} and a poll): a "
        "pause storm from a host pauses both within microseconds, and the upper one drops the traffic of other "
        "senders",
        (upper.at("detection"), upper.at(), high[1].port.at("watchdog")),
        fix,
        ((lower.at("detection"), f"of {lower_role} switches: detection_time {show_time(lower.detection)}"),)
        if lower.at("detection") != upper.at("detection")
        else (),
        severity=WARNING if shorter else INFO,
    )


def _slowest_below(found: Graph, switch: int, tier: int) -> Watchdog | None:
    """Of a switch's watchdogs that a storm from a host meets, the one that acts last; None: no hosts are known."""
    ports = [port for port in found.plans[switch].device.ports if not is_management(port)]
    if tier == 1:
        cabled = bool(found.hosts(switch))
        ports = [
            port for port in ports if port.faces in _HOSTS and (cabled or isinstance(port.origins.get("faces"), Span))
        ]
    dogs = [dog for port in ports if (dog := judged_watchdog(port)) is not None and dog.detection is not None]
    return max(dogs, key=lambda dog: action_window(dog.detection or 0, dog.poll)[1], default=None)


def _name_role(found: Graph, levels: Tiers, switch: int) -> str:
    return found.plans[switch].device.role or levels.role(levels.of[switch])


RULES: tuple[Rule, ...] = (watchdog_tier,)
