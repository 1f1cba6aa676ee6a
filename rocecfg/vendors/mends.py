"""The mends of rules in the words of a vendor's own configuration: what to type on that switch."""

from __future__ import annotations

import importlib
from collections.abc import Set as AbstractSet


def mend(vendors: AbstractSet[str | None], rule: str) -> str:
    """What mends a rule's finding on a switch of these vendors; empty where they differ, or none is known."""
    found = {_of(vendor).get(rule, "") for vendor in vendors if vendor is not None}
    return found.pop() if len(found) == 1 else ""


def _of(vendor: str) -> dict[str, str]:
    mends: dict[str, str] = importlib.import_module(f"rocecfg.vendors.{vendor}.mends").MENDS
    return mends
