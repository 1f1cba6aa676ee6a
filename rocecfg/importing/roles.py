"""What a switch's name says of its place in the fabric."""

from __future__ import annotations

import re

_WORDS = {
    "superspine": "superspine",
    "sspine": "superspine",
    "spine": "spine",
    "leaf": "leaf",
    "tor": "leaf",
}
_SUPER = re.compile(r"super[-_.]?spine")
_PARTS = re.compile(r"[a-z]+")


def role_of(name: str) -> str | None:
    """The role that a name tells: leaf (or ToR), spine, superspine; None where it tells none, or two."""
    words = _PARTS.findall(_SUPER.sub("superspine", name.casefold()))
    found = {_WORDS[word] for word in words if word in _WORDS}
    return found.pop() if len(found) == 1 else None
