"""How many bytes still arrive after a pause: the headroom of one lossless priority of one port.

From the moment a receiver decides to pause, the worst case is, in order of time:

    H = F * (own frame + PFC frame + 2 * PHY + cable there and back + peer's response + own MAC) + peer's frame

Both frames count with the 20 B of preamble and gap between frames. F is the packing factor: how much buffer a byte on
the wire takes in cells filled by small packets. It does not multiply the peer's frame.

Speeds are in bit/s, cable lengths in metres, frames and results in bytes, delays in ns.

Source: IEEE 802.1Qbb (structure), IEEE 802.3 31B.3.7 (response time), and the headroom formula of SONiC (sonic-swss,
cfgmgr/buffer_headroom_mellanox.lua), which has the same terms.
"""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple

PAUSE_FRAME = 84
"""A PFC frame on the wire, bytes: 64, 8 of preamble and 12 of gap."""

WIRE_GAP = 20
"""What each frame takes on the wire besides itself, bytes: 8 of preamble and 12 of gap."""

LEGACY_RESPONSE = 3840
"""The response time of 802.1Qbb at every speed, bytes: 60 quanta of 512 bits."""

_ETHERNET = 18  # header 14, FCS 4
_ROCE = 82  # Ethernet 14, VLAN 4, IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4, FCS 4
_QUANTUM = 64  # bytes: 512 bits
_FLIGHT = 5  # ns a metre; fibre and copper take 4.95 to 5.05
_BITS_NS = 8 * 10**9  # (bit/s * ns) in a byte
_EXACT = 1 - 1e-12  # 254 / 84 * 84 is 254 B, whatever floats make of it
_G = 10**9

_QUANTA = {
    800 * _G: 905,
    400 * _G: 905,
    200 * _G: 453,
    100 * _G: 394,
    50 * _G: 147,
    40 * _G: 118,
    25 * _G: 80,
    10 * _G: 67,
    _G: 2,
    _G // 10: 1,
}
_SCHOOLS = {"802.3": _QUANTA, "802.3-scaled": _QUANTA | {800 * _G: 1810}}


class Terms(NamedTuple):
    """What a headroom is made of. All but `packing` and `metres` are bytes; both frames include the 20 B gap."""

    own_frame: float
    """The frame the port is sending when it wants to send the PFC frame."""
    pause: float
    phy: float
    """PHY, FEC, gearbox and MACsec, both directions."""
    cable: float
    """What is on the cable, there and back."""
    response: float
    mac: float
    """MAC and pipeline of the own chip."""
    packing: float
    """F, by which all but the peer's frame is multiplied."""
    peer_frame: float
    """The frame the peer has just begun."""
    metres: float | None = None
    """The length of the cable, for the working."""

    @property
    def total(self) -> int:
        """The headroom: bytes, rounded up."""
        packed = self.own_frame + self.pause + self.phy + self.cable + self.response + self.mac
        return ceil((self.packing * packed + self.peer_frame) * _EXACT)

    def working(self) -> str:
        """The formula with the numbers in it, without terms that are 0.

        Such as `1 x (9238 own frame + 84 PFC frame + 150000 cable 300 m + 57920 response) + 9238 peer frame =
        226480 B`.
        """
        named = (
            (self.own_frame, "own frame"),
            (self.pause, "PFC frame"),
            (self.phy, "PHY"),
            (self.cable, "cable" if self.metres is None else f"cable {_show_figure(self.metres)} m"),
            (self.response, "response"),
            (self.mac, "MAC"),
        )
        packed = " + ".join(f"{_show_figure(term)} {name}" for term, name in named if term)
        return f"{self.packing:.6g} x ({packed}) + {_show_figure(self.peer_frame)} peer frame = {self.total} B"


def _show_figure(number: float) -> str:
    """A number to a tenth, without a trailing `.0`."""
    return f"{number:.1f}".removesuffix(".0")


def frame(ip_mtu: int) -> int:
    """The L2 frame, bytes, of an IP MTU: Ethernet header 14 and FCS 4 added. A VLAN tag is not counted."""
    return ip_mtu + _ETHERNET


def roce_frame(path_mtu: int) -> int:
    """The largest RoCEv2 L2 frame, bytes, of a path MTU: 4178 for 4096.

    Adds 82: Ethernet 14, VLAN tag 4, IPv4 20, UDP 8, BTH 12, RETH 16, ICRC 4, FCS 4. A write's first or only packet
    carries the RETH. IPv6 would be 20 more.

    Source: InfiniBand specification, volume 1, annex A17 (RoCEv2).
    """
    return path_mtu + _ROCE


def response_bytes(speed: int, school: str = "802.3") -> int | None:
    """What the peer still sends before it obeys a PFC frame: bytes. None for a speed that no public table has.

    `school` is `legacy` (60 quanta at every speed), `802.3` (a number of quanta by speed, 905 at 800G), or
    `802.3-scaled` (the same but for 1810 at 800G, which fits Broadcom's tables: the standard's own value is not known
    here). Raises ValueError for another school.

    Source: IEEE 802.3 31B.3.7, as in SONiC's headroom script. 3840 B is 802.1Qbb's first figure, and NVIDIA's tables
    for Spectrum-1 to -3 still use about that.
    """
    if school == "legacy":
        return LEGACY_RESPONSE
    if school not in _SCHOOLS:
        raise ValueError(f"no response times of the school {school!r}: legacy, {', '.join(_SCHOOLS)}")
    quanta = _SCHOOLS[school].get(speed)
    return None if quanta is None else quanta * _QUANTUM


def cable_bytes(speed: int, metres: float) -> float:
    """What is on a cable, there and back: bytes, `2 * L * 5 ns * S / 8`."""
    return 2 * metres * _FLIGHT * speed / _BITS_NS


def bytes_per_metre(speed: int, packing: float) -> float:
    """What a metre of cable adds to the headroom: bytes per metre, `2 * 5 ns * S / 8 * F`."""
    return cable_bytes(speed, 1) * packing


def packing_64(cell: int) -> float:
    """NVIDIA's packing factor for cells above 128 B: a 64 B frame fills one cell, `cell / 64`.

    Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua.
    """
    return cell / 64


def packing_small(cell: int) -> float:
    """NVIDIA's packing factor for cells up to 128 B: a frame of `cell + 1` bytes takes two, `2c / (c + 1)`.

    Source: sonic-swss, cfgmgr/buffer_headroom_mellanox.lua.
    """
    return 2 * cell / (cell + 1)


def first_principles(
    speed: int,
    metres: float,
    own_frame: int,
    peer_frame: int,
    response: float,
    *,
    packing: float = 1.0,
    phy_ns: float = 0.0,
    mac_ns: float = 0.0,
) -> Terms:
    """The headroom of a port, term by term (the formula is this module's).

    `own_frame` and `peer_frame` are the largest L2 frames in bytes, without the gap, which is added here. `response` is
    the peer's, in bytes. `phy_ns` is the delay of PHY, FEC, gearbox and MACsec one way and counts twice; `mac_ns` is
    that of the own MAC and pipeline and counts once.
    """
    return Terms(
        own_frame=own_frame + WIRE_GAP,
        pause=PAUSE_FRAME,
        phy=2 * phy_ns * speed / _BITS_NS,
        cable=cable_bytes(speed, metres),
        response=response,
        mac=mac_ns * speed / _BITS_NS,
        packing=packing,
        peer_frame=peer_frame + WIRE_GAP,
        metres=metres,
    )


def find_floor(speed: int, metres: float, frame: int = 4178, school: str = "legacy") -> Terms:
    """What no headroom may be below, on any chip: `2 * L * 5 ns * S / 8 + 3840 + 84 + 2 * (frame + 20)` bytes.

    The shortest response time there is, below 10G the 128 B of 1G (`school`: or what the peers are known to take, where
    that is longer), cells packed without loss, no delay of PHY or MAC, and nothing longer on the wire than `frame`: the
    largest RoCEv2 L2 frame, 4178 B for a path MTU of 4096.

    Of SONiC's own tables it finds 28 of 1227 rows from 10G on too small: 18 hold less than the cable alone.
    """
    slow = 0 < speed < 10 * _G  # 60 quanta are those of 10G, and what no speed is known for
    shortest = _QUANTA[_G] * _QUANTUM if slow else LEGACY_RESPONSE
    stated = None if school == "legacy" else response_bytes(speed, school)
    return first_principles(speed, metres, frame, frame, max(shortest, stated or 0))


def nic_headroom(speed: int, metres: float, mtu: int) -> float:
    """The headroom mlx5 takes in a NIC's receive buffer: bytes, `(301 + 2.16 * L) * S + 2.72 * MTU`, S in Gbit/s.

    `mtu` is the interface's. Ports slower than 40G count as 40G. The driver rounds down, to up to 1 B less for
    each Gbit/s.

    Source: Linux, drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c, calculate_xoff.
    """
    return (301 + 2.16 * metres) * max(speed, 40 * _G) / _G + 2.72 * mtu
