"""Buffers that an intent states outright: the few that EOS can say for sure, on Broadcom XGS (strata) only."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device, Headroom
from rocecfg.vendors.arista.release import ALPHAS


class Mmu(NamedTuple):
    """What `platform trident mmu` says for the whole switch. Bytes; None: left to EOS."""

    threshold: str | None
    headroom: int | None
    pool: int | None

    @property
    def profile(self) -> bool:
        """Whether a queue profile is needed."""
        return self.threshold is not None or self.headroom is not None

    @property
    def any(self) -> bool:
        """Whether anything is said at all."""
        return self.profile or self.pool is not None


def mmu_of(device: Device) -> Mmu:
    """The buffer lines of a device.

    Inputs of another system's headroom formula (`lossless_mtu`, `small_packets`, `response`) and SONiC's buffer
    `model` and `template` are no settings of EOS and ask nothing of it.
    """
    alpha = device.buffers.alpha
    rooms = (port.headroom.size for port in device.ports if port.pfc and isinstance(port.headroom, Headroom))
    return Mmu(None if alpha is None else ALPHAS[alpha], next(rooms, None), device.buffers.shared_headroom)
