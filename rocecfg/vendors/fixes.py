"""The fixes of rules in the words of a vendor's own configuration: what to type on that switch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from rocecfg.vendors import part


def fix(vendors: AbstractSet[str | None], rule: str, which: str = "", fill: Mapping[str, str] | None = None) -> str:
    """What fixes a rule's finding on a switch of these vendors; empty where they differ, or none is known.

    `which`: the fix of that name, where a vendor has several for the rule; `fill`: what words in capitals stand for.
    """
    found = {
        _of(vendor).get(f"{rule}:{which}") or _of(vendor).get(rule, "") for vendor in vendors if vendor is not None
    }
    text = found.pop() if len(found) == 1 else ""
    for word, value in {**_stock(vendors), **(fill or {})}.items():
        text = re.sub(rf"\b{word}\b", value, text)
    return text


def _stock(vendors: AbstractSet[str | None]) -> dict[str, str]:
    """What words in capitals stand for unless a switch says otherwise."""
    known = [getattr(part(vendor, "fixes"), "STOCK", {}) for vendor in vendors if vendor is not None]
    return dict(known[0]) if len(known) == 1 else {}


def _of(vendor: str) -> Mapping[str, str]:
    return part(vendor, "fixes").FIXES
