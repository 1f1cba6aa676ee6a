"""Buffer pools and what lossless priority groups share: rows only for what the intent states.

The sizes that it does not state stay those of the platform's templates; the dynamic model computes them.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.profiles import SHIPPED, value_in_release
from rocecfg.sizing.chip import DYNAMIC
from rocecfg.sizing.templates import (
    known_template,
    pool_shares,
    possible_templates,
    resize_pools,
    shared_headroom_known,
    shares_known,
)
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.headroom import Row
from rocecfg.vendors.sonic.release import Release
from rocecfg.vendors.sonic.settings import write_values

POOL = "ingress_lossless_pool"  # what buffermgrd itself uses for lossless priority groups
LOSSY = "ingress_lossy_pool"
EGRESS_LOSSY = "egress_lossy_pool"
_STOCK_ALPHA = 1.0  # where the profile has none: default_dynamic_th 0 of DEFAULT_LOSSLESS_BUFFER_PARAMETER
_DNX = "broadcom-dnx"  # the family of Broadcom's chips with deep buffers


class Pools(NamedTuple):
    """Rows of BUFFER_POOL, and the settings that have no place in them."""

    rows: dict[str, Row]
    unsaid: tuple[str, ...]


def pools_of(device: Device, release: Release, model: str | None, *, profiles: bool) -> Pools:
    """The pool rows of a device. `profiles`: whether profiles of ours need the row of their pool."""
    rows: dict[str, Row] = {}
    unsaid: list[str] = []
    stated = device.buffers
    shared = stated.shared_headroom
    sizes = None
    if shared is not None:
        if model is None or not shared_headroom_known(device):
            unsaid.append("shared_headroom")
        elif model == "dynamic":
            rows[POOL] = write_values("pool", shared_headroom=shared)
        else:
            sizes = resize_pools(device, shared)
            if sizes is not None and sizes.xoff is not None:
                rows[POOL] = write_values("pool", size=sizes.lossless, shared_headroom=sizes.xoff)
    parts = _stated_shares(device, model)
    if parts is None:
        unsaid += [name for name in ("lossless_pool", "lossy_pool") if getattr(stated, name) is not None]
    else:
        _add_shares(device, model, parts, sizes.lossless if sizes is not None else None, rows)
    if profiles:
        rows.setdefault(POOL, {})
    return Pools({name: _type_and_mode(device, release, name) | row for name, row in rows.items()}, tuple(unsaid))


def _stated_shares(device: Device, model: str | None) -> tuple[float, float] | None:
    """Percent of the lossless and the lossy pool; None where none are stated, or nobody knows what they come to."""
    parts = pool_shares(device.buffers)
    if parts is None or model is None or not any(cls.lossless for cls in device.classes):
        return None
    return parts if shares_known(device) else None


def _add_shares(
    device: Device, model: str | None, parts: tuple[float, float], lossless: int | None, rows: dict[str, Row]
) -> None:
    """Adds the shares; `lossless` is what the stated shared headroom leaves of the lossless pool, in bytes.

    The egress pool of lossy traffic is as large as its ingress pool where the template has it so.
    """
    pools = known_template(device)
    follows = all(known.egress_lossy == known.ingress_lossy for known in possible_templates(device))
    shown = [write_values("pool", percent=part) for part in parts]
    if model != "dynamic":
        if pools is None or pools.ingress_lossless is None or pools.ingress_lossy is None:
            return
        whole = (pools.ingress_lossless if lossless is None else lossless) + pools.ingress_lossy
        shown = [write_values("pool", size=whole * part / 100) for part in parts]
    rows[POOL] = {**rows.get(POOL, {}), **shown[0]}
    rows[LOSSY] = shown[1]
    if follows:
        rows[EGRESS_LOSSY] = dict(shown[1])


def _type_and_mode(device: Device, release: Release, name: str) -> Row:
    """Type and mode of a pool, as the platform's template has them: YANG wants both in the row.

    Jericho and Qumran have one pool for both directions (the type is known from 202405).
    """
    if name == EGRESS_LOSSY:
        return write_values("pool", direction="egress", mode="dynamic")
    dnx = device.asic is not None and device.asic.families.get("sonic") == _DNX
    pools = known_template(device)
    mode = pools.mode if pools is not None and name == POOL else "dynamic"
    return write_values("pool", direction="both" if dnx and release.number >= 202405 else "ingress", mode=mode)


def parameter_row(device: Device) -> Row:
    """DEFAULT_LOSSLESS_BUFFER_PARAMETER where the intent states alpha or what turns the shared headroom pool on or off.

    `shared_headroom: off` needs ratio 0 too: buffermgrd has the pool on by its size or by its ratio.
    """
    stated = device.buffers
    off = stated.shared_headroom == 0
    if stated.alpha is None and stated.oversubscribe is None and not off:
        return {}
    stock = (device.nos or SHIPPED.nos("sonic")).stock_alpha.get(DYNAMIC, _STOCK_ALPHA)
    alpha = stock if stated.alpha is None else stated.alpha
    ratio = 0 if stated.oversubscribe is None and off else stated.oversubscribe
    return write_values("parameter", alpha=alpha, oversubscribe=ratio)


def pattern_row(device: Device, release: Release) -> Row:
    """LOSSLESS_TRAFFIC_PATTERN where the intent states one of its fields; the other is the release's stock value."""
    stated, nos = device.buffers, device.nos or SHIPPED.nos("sonic")
    mtu, small = stated.lossless_mtu, stated.small_packets
    if mtu is None and small is None:
        return {}
    mtu = nos.stock_lossless_mtu if mtu is None else mtu
    small = value_in_release(nos.stock_small_packets, nos.name, release.name) if small is None else small
    if mtu is None or small is None:
        raise CannotRender(
            f"{nos.title} {release.name} has no stock value for the other field of LOSSLESS_TRAFFIC_PATTERN",
            "state buffers.lossless_mtu and buffers.small_packets",
            (stated.at("lossless_mtu" if small is None else "small_packets"),),
        )
    return write_values("pattern", lossless_mtu=mtu, small_packets=small)
