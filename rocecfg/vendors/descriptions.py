"""What the description of a port tells of its far end, in the forms that people and generators write."""

from __future__ import annotations

import re

_FAR_END = re.compile(
    r"(?:(?i:(?:link |connected |uplink |downlink )?to )|[-=]*> ?|P2P_(?:LINK_TO_)?|MLAG_(?:PEER_)?)?"
    r"(?P<device>[A-Za-z][A-Za-z0-9._-]*[0-9][A-Za-z]?)(?: ?: ?| | ?/ ?|_)(?:port )?"
    r"(?P<port>swp[0-9]+(?:s[0-9]+)?|Ethernet[0-9]+(?:/[0-9]+)*|eth[0-9]+|nic[0-9]+|mlx5_[0-9]+)"
)


def far_end(description: str) -> tuple[str, str] | None:
    """The device, which has a number in its name, and its port; None where the words say something else."""
    match = _FAR_END.fullmatch(description.strip())
    return (match["device"], match["port"]) if match is not None else None
