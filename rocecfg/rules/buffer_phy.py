"""What stands between the chip and the cable, and delays pauses: rule BUF611."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from rocecfg.core.units import show_number, show_rate, show_size
from rocecfg.model import Device, Fabric, Headroom, Origin, PortGroup
from rocecfg.model.fix import replace
from rocecfg.rules.base import INFO, Hit, Rule, rule, unsafe_fix
from rocecfg.rules.buffer_headroom import (
    UNPAUSED_OFF,
    bytes_after_pause,
    is_lossless_port,
    link_kind,
    minimum_headroom,
    needed_headroom,
)

_MACSEC_NS = 120  # each way
_NS_PER_MS = 1e6
_BIT_NS = 8e9  # 8 bit a byte, 1e9 ns a second
_KB = 1000


@rule(
    "BUF611",
    "buffer-gearbox",
    INFO,
    source="headroom calculator of the mlxsw team: MACsec 120 ns each way; gearboxes as profiles/platforms cites them",
    by_kind=UNPAUSED_OFF,
    needs=("devices",),
)
def buffer_gearbox(fabric: Fabric, device: Device, port: PortGroup) -> Iterator[Hit]:
    """The stated headroom is enough for the link, but not with the delay of its MACsec or gearbox."""
    room = port.headroom
    if not isinstance(room, Headroom) or not is_lossless_port(port):
        return
    of = link_kind(fabric, device, port)
    parts = _list_phy_delays(device, port)
    if of is None or not parts:
        return
    terms = needed_headroom(of) or minimum_headroom(of)
    have = bytes_after_pause(room)
    delay = sum(ns for ns, _, _ in parts)
    more = ceil(terms.packing * 2 * delay * of.speed / _BIT_NS)
    if not terms.total <= have < terms.total + more:
        return  # below, buffer-headroom tells
    wording = " and ".join(f"{name} {show_number(ns)} ns" for ns, name, _ in parts)
    enough = ceil((terms.total + more) / _KB) * _KB
    yield Hit(
        f"headroom {show_size(have)} is enough for {of} ({terms.total} B), but not with {wording} each way: "
        f"{terms.packing:.4g} x 2 x {show_number(delay)} ns x {show_rate(of.speed)} / 8 = {more} B more",
        (room.at("xoff", "size"), room.at()),
        f"raise {'xoff' if room.xoff is not None else 'headroom'} to {show_size(enough)} or more",
        tuple((at, f"adds {name}") for _, name, at in parts),
        fix=unsafe_fix(f"write {show_size(enough)}", replace, room.origins.get("size"), show_size(enough))
        if room.xoff is None
        else None,
    )


def _list_phy_delays(device: Device, port: PortGroup) -> list[tuple[float, str, Origin]]:
    """What delays a pause each way, in ns, with its name and where it is said."""
    out: list[tuple[float, str, Origin]] = []
    if port.macsec is not None:
        out.append((_MACSEC_NS, "MACsec", port.at("macsec")))
    if device.box is not None and device.box.gearbox:
        out.append((device.box.gearbox * _NS_PER_MS, "the gearbox of the platform", device.at("platform")))
    return out


RULES: tuple[Rule, ...] = (buffer_gearbox,)
