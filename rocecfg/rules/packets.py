"""RoCE packets and the MTU of the ports they cross: rule MIX418."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Fabric, PortGroup
from rocecfg.rules.base import ERROR, WARNING, Hit, Rule, rule
from rocecfg.rules.buffer_headroom import largest_payload
from rocecfg.rules.common import is_management

_LARGEST = 4096  # bytes of payload in the largest RoCE packet
_HEADERS, _HEADERS_IPV6 = 60, 80  # bytes: IP, UDP, BTH, RETH, ICRC


@rule(
    "MIX418",
    "rdma-mtu",
    WARNING,
    worst=ERROR,
    source="IBTA: path MTUs of 256 to 4096 B, with 60 B of headers over IPv4; RoCE packets are not fragmented",
)
def rdma_mtu(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The MTU of a lossless port is too small for the RoCE packets: NICs send smaller ones, or they are dropped."""
    if port.mtu is None or not port.pfc or is_management(port):
        return
    fits = largest_payload(port.mtu)
    stated = fabric.path_mtu
    at = (port.at("mtu"), port.at())
    if stated is not None:
        if stated > fits:
            yield Hit(
                f"path_mtu {stated} B needs an MTU of {stated + _HEADERS} B over IPv4 and {stated + _HEADERS_IPV6} "
                f"B over IPv6, but lossless ports have {port.mtu} B: packets of {stated} B are dropped here",
                (fabric.at("path_mtu"), *at),
                f"raise mtu to 9000, everywhere on the way, or set path_mtu: {fits}",
                ((port.at("mtu"), f"{port.mtu} B"),),
                severity=ERROR,
            )
    elif fits < _LARGEST:
        where = "here" if port.running is not None else "by the switch"
        yield Hit(
            f"MTU {port.mtu} B on a lossless port has room for {fits} B of RoCE payload: NICs can send {_LARGEST} "
            f"B, which take {_LARGEST + _HEADERS} B over IPv4 and {_LARGEST + _HEADERS_IPV6} B over IPv6. NICs must "
            f"send smaller packets, and larger ones are dropped {where}",
            at,
            "" if port.running is not None else f"raise mtu to 9000, or state path_mtu: {fits} if that is intended",
        )


RULES: tuple[Rule, ...] = (rdma_mtu,)
