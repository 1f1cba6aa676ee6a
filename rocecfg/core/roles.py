"""The role in a fabric that the name of a switch tells."""

from __future__ import annotations

import re

_ROLES = {
    "superspine": "superspine",
    "sspine": "superspine",
    "spine": "spine",
    "leaf": "leaf",
    "tor": "leaf",
}
_SUPER = re.compile(r"super[-_.]?spine")
_LETTERS = re.compile(r"[a-z]+")


def guess_role(name: str) -> str | None:
    """The role that a name tells: leaf (or ToR), spine, superspine; None where it tells none, or two."""
    words = _LETTERS.findall(_SUPER.sub("superspine", name.casefold()))
    found = {_ROLES[word] for word in words if word in _ROLES}
    return found.pop() if len(found) == 1 else None
