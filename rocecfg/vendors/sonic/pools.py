"""Buffer pools and what lossless priority groups share: rows only for what the intent states.

The sizes that it does not state stay those of the platform's templates; the dynamic model works them out.
"""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.model import Device
from rocecfg.profiles import SHIPPED, value_in_release
from rocecfg.sizing.chip import DYNAMIC
from rocecfg.sizing.templates import (
    is_divided,
    known_template,
    pool_shares,
    possible_templates,
    resize_pools,
    shared_headroom_known,
    shares_known,
)
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.sonic.headroom import Row, exponent_of
from rocecfg.vendors.sonic.release import Release

POOL = "ingress_lossless_pool"  # what buffermgrd itself uses for lossless priority groups
LOSSY = "ingress_lossy_pool"
EGRESS_LOSSY = "egress_lossy_pool"
_STOCK_ALPHA = 1.0  # where the profile has none: default_dynamic_th 0 of DEFAULT_LOSSLESS_BUFFER_PARAMETER
_DNX = "broadcom-dnx"  # the family of Broadcom's chips with deep buffers
_PERCENTAGE = 202405  # first release whose BUFFER_POOL has a percentage


class Pools(NamedTuple):
    """Rows of BUFFER_POOL, and the settings that have no place in them."""

    rows: dict[str, Row]
    unsaid: tuple[str, ...]


def pools_of(device: Device, release: Release, model: str | None, *, profiles: bool) -> Pools:
    """The pool rows of a device. `profiles`: whether profiles of ours need the row of their pool.

    CannotRender for shares that the switch is known not to take.
    """
    rows: dict[str, Row] = {}
    unsaid: list[str] = []
    stated = device.buffers
    shared = stated.shared_headroom
    sizes = None
    if shared is not None:
        if model is None or not shared_headroom_known(device):
            unsaid.append("shared_headroom")
        elif model == "dynamic":
            rows[POOL] = {"xoff": str(shared)}
        else:
            sizes = resize_pools(device, shared)
            if sizes is not None and sizes.xoff is not None:
                rows[POOL] = {"xoff": str(sizes.xoff)}
                if sizes.lossless is not None:
                    rows[POOL] = {"size": str(sizes.lossless), **rows[POOL]}
    parts = _stated_shares(device, release, model)
    if parts is None:
        unsaid += [name for name in ("lossless_pool", "lossy_pool") if getattr(stated, name) is not None]
    else:
        _add_shares(device, model, parts, sizes.lossless if sizes is not None else None, rows)
    if profiles:
        rows.setdefault(POOL, {})
    return Pools({name: _type_and_mode(device, release, name) | row for name, row in rows.items()}, tuple(unsaid))


def _stated_shares(device: Device, release: Release, model: str | None) -> tuple[float, float] | None:
    """Percent of the lossless and the lossy pool; None where none are stated, or nobody knows what they come to."""
    parts = pool_shares(device.buffers)
    if parts is None or model is None or not any(cls.lossless for cls in device.classes):
        return None
    at = (device.buffers.at("lossless_pool", "lossy_pool"), device.buffers.at("lossy_pool", "lossless_pool"))
    if is_divided(device) is False:
        raise CannotRender(
            f"buffers.pools: {device.hwsku or 'this HwSKU'} has one ingress pool for lossless and lossy traffic",
            "leave pools out on this switch, or name a hwsku whose templates divide the buffer",
            at,
        )
    if model == "dynamic" and release.number < _PERCENTAGE:
        raise CannotRender(
            f"buffers.pools: BUFFER_POOL of SONiC {release.name} has no percentage, which came with 202405",
            "leave pools out: the dynamic model gives each ingress pool half",
            at,
        )
    for part in parts:
        if not 1 <= part <= 100 or (model == "dynamic" and part != int(part)):
            kind = "whole percentage" if model == "dynamic" else "percentage"
            raise CannotRender(
                f"buffers.pools: {show_number(part)}% is no {kind} from 1 to 100", "state both pools", at
            )
    if sum(parts) > 100:
        both = " and ".join(f"{show_number(part)}%" for part in parts)
        raise CannotRender(f"buffers.pools: {both} are more than 100% in all", "lower one of them", at)
    return parts if shares_known(device) else None


def _add_shares(
    device: Device, model: str | None, parts: tuple[float, float], lossless: int | None, rows: dict[str, Row]
) -> None:
    """Adds the shares; `lossless` is what the stated shared headroom leaves of the lossless pool, in bytes.

    The egress pool of lossy traffic is as large as its ingress pool where the template has it so.
    """
    pools = known_template(device)
    follows = all(known.egress_lossy == known.ingress_lossy for known in possible_templates(device))
    shown = [{"percentage": str(int(part))} for part in parts]
    if model != "dynamic":
        if pools is None or pools.ingress_lossless is None or pools.ingress_lossy is None:
            return
        whole = (pools.ingress_lossless if lossless is None else lossless) + pools.ingress_lossy
        shown = [{"size": str(int(whole * part / 100))} for part in parts]
    rows[POOL] = {**rows.get(POOL, {}), **shown[0]}
    rows[LOSSY] = shown[1]
    if follows:
        rows[EGRESS_LOSSY] = dict(shown[1])


def _type_and_mode(device: Device, release: Release, name: str) -> Row:
    """Type and mode of a pool, as the platform's template has them: YANG wants both in the row.

    Jericho and Qumran have one pool for both directions (the type is known from 202405).
    """
    if name == EGRESS_LOSSY:
        return {"type": "egress", "mode": "dynamic"}
    dnx = device.asic is not None and device.asic.families.get("sonic") == _DNX
    pools = known_template(device)
    mode = pools.mode if pools is not None and name == POOL else "dynamic"
    return {"type": "both" if dnx and release.number >= 202405 else "ingress", "mode": mode}


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
    threshold = exponent_of(alpha)
    if threshold is None:
        raise CannotRender(
            f"buffers.alpha {alpha:g} is no power of two from 1/256 to 128",
            "default_dynamic_th is n of alpha = 2^n, n from -8 to 7",
            (stated.at("alpha"),),
        )
    fields = {"default_dynamic_th": str(threshold)}
    ratio = stated.oversubscribe
    if ratio is None:
        return fields | ({"over_subscribe_ratio": "0"} if off else {})
    if off:
        raise CannotRender(
            f"buffers.oversubscribe {ratio:g} turns on the shared headroom pool that shared_headroom: off turns off",
            "state one of them",
            (stated.at("oversubscribe"), stated.at("shared_headroom")),
        )
    if ratio != int(ratio) or not 0 <= ratio <= 65535:
        raise CannotRender(
            f"buffers.oversubscribe {ratio:g} is not a whole number from 0 to 65535",
            "over_subscribe_ratio is a uint16",
            (stated.at("oversubscribe"),),
        )
    return fields | {"over_subscribe_ratio": str(int(ratio))}


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
    if not 1 <= mtu <= 9216:
        raise CannotRender(f"buffers.lossless_mtu {mtu} B is outside 1..9216 B", "", (stated.at("lossless_mtu"),))
    if small != int(small) or not 0 <= small <= 100:
        raise CannotRender(
            f"buffers.small_packets {small:g}% is not a whole percentage from 0 to 100",
            "",
            (stated.at("small_packets"),),
        )
    return {"mtu": str(mtu), "small_packet_percentage": str(int(small))}
