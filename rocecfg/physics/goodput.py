"""How much of a link RoCEv2 data can take, beside the headers of each packet and the gaps between frames.

Source: IEEE 802.3 (preamble 8 B, gap 12 B, header 14 B, FCS 4 B), IPv4 20 B, UDP 8 B, IBTA: BTH 12 B, ICRC 4 B.
The RETH of 16 B, which is in the first packet of a message alone, is left out: it bears on small messages.
"""

from __future__ import annotations

ON_THE_WIRE = 8 + 12 + 14 + 4 + 20 + 8 + 12 + 4  # bytes beside the payload of a packet, over IPv4


def goodput(speed: float, path_mtu: int) -> float:
    """The data rate, in bit/s, of a link of `speed` bit/s with `path_mtu` bytes of data in each packet.

    `speed * path_mtu / (path_mtu + 82)`, over IPv4.
    """
    return speed * path_mtu / (path_mtu + ON_THE_WIRE)
