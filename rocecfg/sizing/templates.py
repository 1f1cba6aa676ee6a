"""What SONiC's buffer templates leave room for: how ingress pools are divided, and which row headroom is looked up in.

Here only what is sure: a template is the one stated, or all that are known of the HwSKU agree.
"""

from __future__ import annotations

from math import ceil

from rocecfg.core.records import NamedTuple
from rocecfg.model import Buffers, Device, Headroom, PortGroup
from rocecfg.sizing.chip import DYNAMIC, TRADITIONAL

TYPE_CHECKING = False
if TYPE_CHECKING:  # what only profiles make is loaded with them
    from typing import Protocol

    from rocecfg.model import Asic, Box, HeadroomRow, PoolSet
else:
    Protocol = object


class HasBox(Protocol):
    """What has a box with a chip, and buffers that are stated: a device, or what its ports have in common."""

    @property
    def asic(self) -> Asic | None: ...  # noqa: D102
    @property
    def box(self) -> Box | None: ...  # noqa: D102
    @property
    def buffers(self) -> Buffers: ...  # noqa: D102


class PoolSizes(NamedTuple):
    """Ingress pools in bytes; None: as the template has it."""

    lossless: int | None
    lossy: int | None
    xoff: int | None  # shared headroom pool


def buffer_model(device: HasBox) -> str | None:
    """dynamic or traditional, as stated, else as the platform comes; None: not known."""
    return device.buffers.model or (device.box.buffer_model if device.box is not None else None)


def possible_templates(device: HasBox) -> tuple[PoolSet, ...]:
    """The pools of the templates that such a device may have; () where none is known."""
    known = device.box.pools if device.box is not None else ()
    wanted = device.buffers.template
    return tuple(pools for pools in known if wanted is None or wanted in pools.templates)


def known_template(device: HasBox) -> PoolSet | None:
    """The one there is, or the first of several with equal figures; None: not known."""
    found = possible_templates(device)
    return found[0] if found and len({_without_names(pools) for pools in found}) == 1 else None


def _without_names(pools: PoolSet) -> tuple[object, ...]:
    return pools._replace(templates=(), source="", mark="")


def is_divided(device: HasBox) -> bool | None:
    """Whether lossy traffic has an ingress pool of its own; None: not known, or templates differ."""
    found = {pools.ingress_lossy is not None for pools in possible_templates(device)}
    return found.pop() if len(found) == 1 else None


def is_static(device: HasBox) -> bool:
    """Whether priority groups have fixed limits in the lossless pool, not a share of what is free."""
    return any(pools.mode == "static" for pools in possible_templates(device))


def pool_shares(buffers: Buffers) -> tuple[float, float] | None:
    """Percent of the lossless and the lossy pool; what only one of them states leaves the rest to the other."""
    lossless, lossy = buffers.lossless_pool, buffers.lossy_pool
    if lossless is None and lossy is None:
        return None
    return (
        100 - (lossy or 0) if lossless is None else lossless,
        100 - (lossless or 0) if lossy is None else lossy,
    )


def shares_known(device: HasBox) -> bool:
    """Whether stated shares of the pools come to something: a percentage that the switch knows, or sizes in bytes."""
    if not is_divided(device):
        return False
    if buffer_model(device) == DYNAMIC:  # buffer_pool_mellanox.lua alone reads the percentage
        return device.asic is not None and device.asic.headroom_formula is not None
    pools = known_template(device)
    return buffer_model(device) == TRADITIONAL and pools is not None and pools.ingress_lossless is not None


def shared_headroom_known(device: HasBox) -> bool:
    """Whether a stated shared headroom pool comes to something: the dynamic model sizes the rest itself."""
    stated = device.buffers.shared_headroom
    return stated is None or buffer_model(device) == DYNAMIC or resize_pools(device, stated) is not None


def resize_pools(device: HasBox, shared: int) -> PoolSizes | None:
    """Pools of the traditional model with a shared headroom pool of that many bytes; None where that is not known.

    What one pool gains the other loses, where the template counts both within the buffer. Where it counts more than
    there is (or nobody knows), the lossless pool may hold the headroom: then the headroom pool can only shrink.
    """
    pools = known_template(device)
    if pools is None:
        return None
    before = pools.shared_headroom or 0
    if shared == before:
        return PoolSizes(None, None, shared or None)
    if not before or not shared or pools.ingress_lossless is None:
        return None  # the headroom table is made for the one or the other
    if pools.egress_lossless is not None and pools.ingress_lossless + before <= pools.egress_lossless:
        left = pools.ingress_lossless + before - shared
        return PoolSizes(left, None, shared) if left > 0 else None
    return PoolSizes(None, None, shared) if shared < before else None


def find_table_row(device: Device, port: PortGroup) -> tuple[int, HeadroomRow] | None:
    """The length in metres and the row that a port's headroom is looked up in; None: none, or nobody knows."""
    table = device.box.headroom if device.box is not None else None
    if buffer_model(device) != TRADITIONAL or table is None or port.speed is None or port.cable is None:
        return None
    wanted = max(1, ceil(port.cable))
    fitting = [(metres, row) for metres, row in table.rows.get(port.speed, {}).items() if metres >= wanted]
    return min(fitting, key=lambda found: found[0], default=None)


def find_profile(device: Device, port: PortGroup) -> tuple[tuple[int, int], tuple[int | None, ...]] | None:
    """Speed and length that buffermgrd names the headroom profile of a port by, and the sizes in it.

    None outside the traditional model, and where sizes or names are not known.
    """
    if buffer_model(device) != TRADITIONAL or port.speed is None or port.cable is None:
        return None
    found = find_table_row(device, port)
    if not isinstance(port.headroom, Headroom) and found is not None:
        length, row = found
        return (port.speed, length), (row.size, row.xon, row.xoff, row.xon_offset)
    room = port.headroom if isinstance(port.headroom, Headroom) else port.room
    if room is None:
        return None
    return (port.speed, max(1, ceil(port.cable))), (room.size, room.xon, room.xoff, None)
