"""What the name of a port says: whether a cable goes into it, and of which box it may be."""

from __future__ import annotations

import re

# LAGs, which their ports stand for, and ports inside a switch: to other chips of it, or to its own processor
_NO_FRONT_PORT = re.compile(
    r"Port-?Channel.*|ae\d+|bond.*|Ethernet-(?:BP|IB|Rec).*|(?:Management|mgmt|eth\d).*", re.IGNORECASE
)
_NUMBERED = re.compile(r"([A-Za-z-]+)\d[\d/:]*(?:s\d+)?")  # no VLAN, and no sub-interface


def is_front_port(name: str) -> bool:
    """Whether that is the name of a port that a cable goes into."""
    return _NO_FRONT_PORT.fullmatch(name) is None


def front_kind(name: str) -> str | None:
    """What the name of a front port begins with: swp, Ethernet, et-. None where it is not one of a box's."""
    found = _NUMBERED.fullmatch(name)
    return found[1] if found is not None and is_front_port(name) else None
