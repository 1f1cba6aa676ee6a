"""What the model holds of a section `hosts`, for rules on both ends."""

from __future__ import annotations

from typing import Any

from rocecfg.model import Span
from rocecfg.model.stated import Val


def hosts(**groups: dict[str, Any]) -> dict[str, Any]:
    """Facts of a fabric with these groups of hosts: group n is written at 100 n, and its key i at 100 n + i."""
    out = {}
    for n, (key, given) in enumerate(groups.items()):
        values = {k: Val(v, Span(0, 100 * n + i, 100 * n + i + 1)) for i, (k, v) in enumerate(given.items())}
        out[key] = Val(values, Span(0, 100 * n, 100 * n + 50))
    return {"hosts": out}
