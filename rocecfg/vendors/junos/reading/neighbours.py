"""The far ends of ports, as far as descriptions name them."""

from __future__ import annotations

import re

from rocecfg.vendors.descriptions import far_end as others

_FACING = re.compile(
    r"(?:(?i:facing[_ ]|(?:link |connected |uplink |downlink )?to[ _.]))?"
    r"(?P<device>[A-Za-z][\w.-]*?)[ :_/]+(?P<port>(?:et|xe|ge)-\d+/\d+/\d+(?::\d+)?)"
)

_SWITCH_PORT = re.compile(r"(?:et|xe|ge)-\d|Ethernet\d|swp\d")


def is_uplink(description: str) -> bool:
    """Whether a description names a port of a switch as the far end."""
    far = far_end(description)
    return far is not None and _SWITCH_PORT.match(far[1]) is not None


def far_end(description: str) -> tuple[str, str] | None:
    """The device and its port; None where the words say something else."""
    found = _FACING.fullmatch(description.strip())
    return (found["device"], found["port"]) if found is not None else others(description)
