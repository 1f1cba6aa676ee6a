"""The rules on sections that many intents do without: loaded with the first of these sections."""

from __future__ import annotations

from rocecfg.rules import hosts, hosts_marks, links, ops, ops_plan, topology_l2
from rocecfg.rules.base import Rule

RULES: tuple[Rule, ...] = (
    *hosts.RULES,
    *hosts_marks.RULES,
    *links.RULES,
    *ops.RULES,
    *ops_plan.RULES,
    *topology_l2.RULES,
)
