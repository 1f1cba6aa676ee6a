"""The rules on sections that many intents do without: loaded with the first of these sections."""

from __future__ import annotations

from rocecfg.rules import links, ops
from rocecfg.rules.base import Rule

RULES: tuple[Rule, ...] = (
    *links.RULES,
    *ops.RULES,
)
