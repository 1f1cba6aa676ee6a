"""One fault at a time in a sound SONiC configuration, and the rules that are to find it.

Drawn from what has gone wrong on switches and in reviews. A fault is one slip of one hand, though it may touch all
ports.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from sonic_clean import PORTS

PORT = "Ethernet0"
PROFILE = "pg_lossless_400000_40m_profile"
CURVE = "AZURE_LOSSLESS"
COLORS = ("green", "yellow", "red")


class Fault(NamedTuple):
    """What is changed, in which of `sonic_sound.SOUND`, and the rules of which one at least finds it."""

    name: str
    change: dict[str, Any]
    rules: str  # with blanks between
    base: str = "leaf"
    release: str | None = None


def fault(name: str, rules: str, base: str = "leaf", *, release: str | None = None, **change: Any) -> Fault:
    """A fault whose tables are keywords."""
    return Fault(name, change, rules, base, release)


def on(port: str, **fields: Any) -> dict[str, Any]:
    return {port: fields}


def at(queue: int | str, row: Any, *ports: str) -> dict[str, Any]:
    return {f"{port}|{queue}": row for port in ports or PORTS}


def curve(**fields: Any) -> dict[str, Any]:
    return {"WRED_PROFILE": {CURVE: fields}}


def thresholds(low: str | None, high: str | None) -> dict[str, Any]:
    return curve(**{f"{c}_{e}_threshold": v for c in COLORS for e, v in (("min", low), ("max", high))})


def local(**fields: Any) -> dict[str, Any]:
    return {"DEVICE_METADATA": {"localhost": fields}}
