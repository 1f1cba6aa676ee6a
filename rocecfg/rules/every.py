"""All rules, with those that only a switch's own configuration decides: no intent has what they look at.

A rule that finds something in an intent too belongs into INTENTS or, by the section it is on, into `sections`.
"""

from __future__ import annotations

from rocecfg.rules import (
    INTENTS,
    fabric_graph,
    running,
    running_buffer,
    running_ecn,
    running_eos,
    running_mix,
    running_nvue,
    running_sonic,
    running_watchdog,
    sections,
)
from rocecfg.rules.base import Rule

_LATER = (
    *sections.RULES,
    *fabric_graph.RULES,
    *running.RULES,
    *running_buffer.RULES,
    *running_ecn.RULES,
    *running_eos.RULES,
    *running_mix.RULES,
    *running_nvue.RULES,
    *running_sonic.RULES,
    *running_watchdog.RULES,
)


def _placed() -> tuple[Rule, ...]:
    """Each behind the rules of its family with a lower code; families that INTENTS lacks at the end."""
    out = list(INTENTS)
    for rule in sorted(_LATER, key=lambda r: r.code):
        before = [n for n, r in enumerate(out) if r.code[:3] == rule.code[:3] and r.code < rule.code]
        out.insert(before[-1] + 1 if before else len(out), rule)
    return tuple(out)


ALL: tuple[Rule, ...] = _placed()
BY_NAME: dict[str, Rule] = {r.name: r for r in ALL}
BY_CODE: dict[str, Rule] = {r.code: r for r in ALL}
