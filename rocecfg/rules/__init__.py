"""Every rule, in the order of its code: explicit lists, nothing is scanned for.

An intent is judged by INTENTS, and by the rules of `rocecfg.rules.sections` once it has one of the sections they are
on. Those that only a switch's own configuration decides are in `rocecfg.rules.every`, which is loaded when ALL, BY_NAME
or BY_CODE is asked for.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.rules import (
    buffer_headroom,
    buffer_links,
    buffer_phy,
    buffer_pools,
    buffer_values,
    ecn,
    ecn_bounds,
    ecn_hosts,
    ecn_values,
    ets,
    ets_shares,
    hygiene,
    lanes,
    mix_classes,
    mix_isolation,
    mix_map,
    nos,
    ops_rollout,
    oversubscription,
    pfc,
    pfc_exempt,
    pfc_ports,
    roles,
    running_pfc,
    schema,
    watchdog,
    watchdog_hosts,
    watchdog_timers,
)
from rocecfg.rules.base import ERROR, INFO, OFF, SEVERITIES, WARNING, Hit, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rocecfg.rules.every import ALL, BY_CODE, BY_NAME


def _by_code(*family: Rule) -> list[Rule]:
    """The rules of a family that several modules hold."""
    return sorted(family, key=lambda r: r.code)


INTENTS: tuple[Rule, ...] = (  # what can find something in any intent
    *schema.RULES,
    *lanes.RULES,
    *nos.RULES,
    *_by_code(*pfc.RULES, *pfc_exempt.RULES, *pfc_ports.RULES, *running_pfc.RULES),
    *_by_code(*watchdog.RULES, *watchdog_timers.RULES, *watchdog_hosts.RULES),
    *_by_code(*ecn.RULES, *ecn_bounds.RULES, *ecn_values.RULES, *ecn_hosts.RULES, roles.ecn_role_skew),
    *_by_code(*mix_map.RULES, *mix_classes.RULES, *mix_isolation.RULES),
    *_by_code(*ets.RULES, *ets_shares.RULES),
    *_by_code(
        *buffer_headroom.RULES,
        *buffer_pools.RULES,
        *buffer_links.RULES,
        *buffer_phy.RULES,
        *buffer_values.RULES,
    ),
    *ops_rollout.RULES,
    roles.role_skew,
    *oversubscription.RULES,
    *hygiene.RULES,
)
LATER: dict[str, tuple[str, ...]] = {  # by each section they need: the rules that are loaded with one of these
    "hosts": (
        "topology-rail",
        "topology-rail-cross",
        "topology-entropy",
        "nic-pfc",
        "nic-trust",
        "nic-global-pause",
        "nic-firmware",
        "mix-host-tc",
        "ecn-nic",
    ),
    "links": (
        "link-pfc",
        "link-wd",
        "link-ecn",
        "path-map",
        "link-mtu",
        "link-speed",
        "link-cable",
        "link-one-end",
        "topology-n-1",
        "topology-uneven-uplinks",
        "topology-single-spine",
        "topology-speed-drop",
        "path-cover",
        "topology-cbd",
        "topology-valley",
        "topology-fail-cbd",
        "topology-vc-count",
        "topology-loop-ttl",
        "topology-disconnected",
        "topology-blast",
        "topology-entropy",
        "topology-dualhome",
        "topology-rail",
        "topology-rail-cross",
        "watchdog-tier",
    ),
    "rollout": (
        "ops-order",
        "ops-disruptive",
        "ops-rollback",
        "ops-both-ends",
        "ops-validation",
    ),
    "routing": ("topology-loop-ttl", "topology-entropy"),
    "telemetry": (
        "ops-telemetry-missing",
        "ops-metrics",
        "ops-alert-pause",
        "ops-alert-drop",
        "ops-alert-wd",
        "ops-scrape",
    ),
    "vlans": ("pfc-bum", "topology-l2"),
}
WHOLE: frozenset[str] = frozenset(
    (
        *("topology-oversub", "topology-n-1", "topology-uneven-uplinks", "topology-single-spine"),
        *("topology-speed-drop", "topology-rail", "topology-rail-cross", "watchdog-tier"),
        *("path-cover", "topology-cbd", "topology-valley", "topology-fail-cbd", "topology-vc-count"),
        "topology-loop-ttl",
        *("topology-disconnected", "topology-blast", "topology-entropy", "topology-dualhome"),
    )
)  # the rules on the fabric as a graph: what `rocecfg.rules.fabric_graph` has
_KNOWN = {word: rule for rule in INTENTS for word in (rule.name, rule.code)}


def __getattr__(name: str) -> Any:
    if name not in ("ALL", "BY_CODE", "BY_NAME"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rocecfg.rules import every

    return getattr(every, name)


class Chosen(NamedTuple):
    """The rules that are loaded for a fabric."""

    rules: tuple[Rule, ...]
    left: Mapping[str, tuple[str, ...]]  # the names of those that are not: by the section that they need and it lacks


def of_intent(sections: frozenset[str]) -> Chosen:
    """The rules that can find something in an intent with these sections."""
    if sections.isdisjoint(LATER):
        return Chosen(INTENTS, LATER)
    from rocecfg.rules.sections import RULES

    if "links" not in sections:
        on_graph = {section: tuple(name for name in names if name in WHOLE) for section, names in LATER.items()}
        return Chosen((*INTENTS, *RULES), on_graph)
    from rocecfg.rules.fabric_graph import RULES as OF_GRAPH

    return Chosen((*INTENTS, *RULES, *OF_GRAPH), {})


def named(name: str) -> Rule:
    """The rule of that name; KeyError if there is none."""
    found = _soon(name)
    if found is not None:
        return found
    from rocecfg.rules.every import BY_NAME

    return BY_NAME[name]


def find(word: str) -> Rule | None:
    """The rule of that name or code."""
    found = _soon(word) or _KNOWN.get(word.upper())
    if found is not None:
        return found
    from rocecfg.rules.every import BY_CODE, BY_NAME

    return BY_NAME.get(word) or BY_CODE.get(word.upper())


def _soon(name: str) -> Rule | None:
    """The rule of that name or code, where that takes no more than the rules of the sections."""
    found = _KNOWN.get(name)
    if found is not None or name in WHOLE or not any(name in names for names in LATER.values()):
        return found
    from rocecfg.rules.sections import RULES

    return next(r for r in RULES if r.name == name)


def kinds(mode: str, kind: str | None, congestion_control: str, dual_tor: bool, *, running: bool) -> tuple[str, ...]:
    """The kinds of fabric, by which rules change their severity: what an intent's words amount to, or `running`."""
    out = [kind] if kind else []
    if running:
        out.append("running")
    if mode != "lossless":
        out.append(mode)
    if congestion_control == "none":
        out.append("no-cc")
    if dual_tor:
        out.append("dual-tor")
    return tuple(out)


__all__ = [
    "ALL",
    "BY_CODE",
    "BY_NAME",
    "ERROR",
    "INFO",
    "INTENTS",
    "LATER",
    "OFF",
    "SEVERITIES",
    "WARNING",
    "WHOLE",
    "Chosen",
    "Hit",
    "Rule",
    "find",
    "kinds",
    "named",
    "of_intent",
]
