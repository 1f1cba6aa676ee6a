"""Partitions of the shared buffer that an intent states, in percent as Junos counts them."""

from __future__ import annotations

import math

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Origin
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.junos.limits import ALPHA_1, THRESHOLDS
from rocecfg.vendors.junos.target import JUNOS, Target, whole_number

_LACKING = {"shared_headroom": "shared_headroom", "oversubscribe": "oversubscribe"}


class Partitions(NamedTuple):
    """Percent of the shared buffer; None: left to the system."""

    lossless: int | None
    headroom: int | None
    lossy: int | None
    threshold: int | None  # dynamic-threshold of the lossless partition

    @property
    def egress_lossless(self) -> int | None:
        """As much as at ingress: what is let in must get out."""
        return self.lossless

    @property
    def egress_lossy(self) -> int | None:
        """All the rest: there is no headroom at egress."""
        return None if self.lossless is None else 100 - self.lossless


def partitions_of(device: Device, target: Target) -> Partitions | None:
    """The partitions of a device; None where it states none. CannotRender for what Junos cannot say."""
    buffers = device.buffers
    for field, key in _LACKING.items():
        if getattr(buffers, field) is not None:
            raise _refuse(f"buffers.{key}: Junos has no statement for it", buffers.at(field))
    threshold = None
    if buffers.alpha is not None:
        threshold = _threshold(buffers.alpha, buffers.at("alpha"))
    lossless, lossy = buffers.lossless_pool, buffers.lossy_pool
    if lossless is None and lossy is None:
        return None if threshold is None else Partitions(None, None, None, threshold)
    at = buffers.at("lossless_pool", "lossy_pool")
    if lossless is None or lossy is None:
        raise _refuse("buffers.pools: the ingress partitions have to add up to 100 percent", at, "state both pools")
    if target.family == JUNOS:
        raise _refuse(
            "buffers.pools: the egress partitions have to add up to 100 percent with multicast's, which is not stated",
            at,
        )
    if lossless + lossy > 100:
        raise _refuse(
            f"buffers.pools: {lossless:g} and {lossy:g} percent are more than there is", at, "make them 100 at most"
        )
    first = whole_number(lossless, (0, 100), "a partition", "%", buffers.at("lossless_pool"))
    last = whole_number(lossy, (0, 100), "a partition", "%", buffers.at("lossy_pool"))
    if first and first + last == 100 and any(port.pfc for port in device.ports):
        raise _refuse(
            "buffers.pools: the two pools leave nothing for headroom, and what arrives after a pause is dropped",
            at,
            "lower one of them: Juniper's validated design has lossless 66%, lossy 10%, and headroom the rest",
        )
    return Partitions(first, 100 - first - last, last, threshold)


def _threshold(alpha: float, at: Origin) -> int:
    """dynamic-threshold N of alpha = 2 ** (N - 7)."""
    exponent = math.log2(alpha) if alpha > 0 else math.inf
    if exponent != round(exponent) if math.isfinite(exponent) else True:
        raise _refuse(f"buffers.alpha {alpha:g}: Junos has powers of 2", at, "write 1/2, 1, 2, 4 or 8")
    if round(exponent) + ALPHA_1 not in THRESHOLDS:
        raise _refuse(f"buffers.alpha {alpha:g}: Junos has 1/128 to 8", at, "write a value between them")
    return round(exponent) + ALPHA_1


def _refuse(message: str, at: Origin, help: str = "") -> CannotRender:
    return CannotRender(message, help or "leave it out for this device: Junos then uses its own value", (at,))
