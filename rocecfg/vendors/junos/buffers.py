"""Partitions of the shared buffer that an intent states, in percent as Junos counts them."""

from __future__ import annotations

import math

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.vendors.junos.limits import ALPHA_1


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


def partitions_of(device: Device) -> Partitions | None:
    """The partitions of a device; None where it states none."""
    buffers = device.buffers
    # dynamic-threshold N of alpha = 2 ** (N - 7)
    threshold = None if buffers.alpha is None else round(math.log2(buffers.alpha)) + ALPHA_1
    lossless, lossy = buffers.lossless_pool, buffers.lossy_pool
    if lossless is None or lossy is None:
        return None if threshold is None else Partitions(None, None, None, threshold)
    return Partitions(int(lossless), 100 - int(lossless) - int(lossy), int(lossy), threshold)
