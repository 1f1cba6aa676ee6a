"""Every rule, in the order of its code: an explicit list, nothing is scanned for."""

from __future__ import annotations

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
    mix_classes,
    mix_isolation,
    mix_map,
    nos,
    ops,
    ops_rollout,
    pfc,
    pfc_exempt,
    pfc_ports,
    schema,
    watchdog,
    watchdog_hosts,
    watchdog_timers,
)
from rocecfg.rules.base import ERROR, INFO, OFF, SEVERITIES, WARNING, Hit, Rule


def _by_code(*family: Rule) -> list[Rule]:
    """The rules of a family that several modules hold."""
    return sorted(family, key=lambda r: r.code)


ALL: tuple[Rule, ...] = (
    *schema.RULES,
    *nos.RULES,
    *_by_code(*pfc.RULES, *pfc_exempt.RULES, *pfc_ports.RULES),
    *_by_code(*watchdog.RULES, *watchdog_timers.RULES, *watchdog_hosts.RULES),
    *_by_code(*ecn.RULES, *ecn_bounds.RULES, *ecn_values.RULES, *ecn_hosts.RULES),
    *_by_code(*mix_map.RULES, *mix_classes.RULES, *mix_isolation.RULES),
    *_by_code(*ets.RULES, *ets_shares.RULES),
    *_by_code(
        *buffer_headroom.RULES, *buffer_pools.RULES, *buffer_links.RULES, *buffer_phy.RULES, *buffer_values.RULES
    ),
    *_by_code(*ops.RULES, *ops_rollout.RULES),
    *hygiene.RULES,
)
BY_NAME: dict[str, Rule] = {r.name: r for r in ALL}
BY_CODE: dict[str, Rule] = {r.code: r for r in ALL}


def find(word: str) -> Rule | None:
    """The rule of that name or code."""
    return BY_NAME.get(word) or BY_CODE.get(word.upper())


def kinds(mode: str, kind: str | None, congestion_control: str, dual_tor: bool) -> tuple[str, ...]:
    """The kinds of fabric, by which rules change their severity, that an intent's words amount to."""
    out = [kind] if kind else []
    if mode != "lossless":
        out.append(mode)
    if congestion_control == "none":
        out.append("no-cc")
    if dual_tor:
        out.append("dual-tor")
    return tuple(out)


__all__ = ["ALL", "BY_CODE", "BY_NAME", "ERROR", "INFO", "OFF", "SEVERITIES", "WARNING", "Hit", "Rule", "find", "kinds"]
