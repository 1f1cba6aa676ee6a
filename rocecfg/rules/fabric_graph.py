"""The rules on the fabric as a graph: what they find follows from links, roles, speeds and PFC of all switches."""

from __future__ import annotations

from rocecfg.rules import (
    oversubscription,
    topology_capacity,
    topology_deadlock,
    topology_paths,
    topology_rails,
    topology_uplinks,
    watchdog_tier,
)
from rocecfg.rules.base import Rule

RULES: tuple[Rule, ...] = (
    *topology_capacity.RULES,
    *topology_uplinks.RULES,
    *topology_deadlock.RULES,
    *topology_paths.RULES,
    *topology_rails.RULES,
    *watchdog_tier.RULES,
)
ON_GRAPH = (*oversubscription.RULES, *RULES)  # with what ports alone may tell too, and so is not loaded with links
