"""Finds `templates/` and `profiles/`: inside an installed package, else at the root of the checkout."""

from __future__ import annotations

import os

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PACKAGED = os.path.join(_PACKAGE, "_data")
ROOT = _PACKAGED if os.path.isdir(_PACKAGED) else os.path.dirname(_PACKAGE)


def data_path(*parts: str) -> str:
    """The path of shipped data, e.g. `data_path("profiles", "asics")`. It is not checked to exist."""
    return os.path.join(ROOT, *parts)
