"""Buffers that an intent states outright: the few that EOS can say for sure, on Broadcom XGS (strata) only."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_size
from rocecfg.model import Device, Headroom, Origin
from rocecfg.vendors.arista.limits import ALPHAS, MMU_BYTES, STRATA, Target, whole_number
from rocecfg.vendors.base import CannotRender

_AUTO = "leave it out or write headroom: auto, and EOS sizes it"
# Settings of a buffers section that other systems have and EOS has no known command for.
_LACKING = {
    "lossless_pool": "pools.lossless",
    "lossy_pool": "pools.lossy",
    "oversubscribe": "oversubscribe",
}


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


def mmu_of(device: Device, target: Target) -> Mmu:
    """The buffer lines of a device; CannotRender for what EOS cannot say, or not surely.

    Inputs of another system's headroom formula (`lossless_mtu`, `small_packets`, `response`) and SONiC's buffer
    `model` and `template` are no settings of EOS and ask nothing of it.
    """
    buffers = device.buffers
    for field, key in _LACKING.items():
        if getattr(buffers, field) is not None:
            raise _refuse(f"buffers.{key}: EOS has no known command for it", "", buffers.at(field))
    threshold = pool = None
    if buffers.alpha is not None:
        at = buffers.at("alpha")
        _check_strata(target, "buffers.alpha", at)
        threshold = ALPHAS.get(buffers.alpha)
        if threshold is None:
            known = ", ".join(ALPHAS.values())
            raise _refuse(f"buffers.alpha {buffers.alpha:g}: EOS takes {known}", "write one of them", at)
    if buffers.shared_headroom is not None:
        at = buffers.at("shared_headroom")
        _check_strata(target, "buffers.shared_headroom", at)
        if buffers.shared_headroom == 0:
            raise _refuse("buffers.shared_headroom: off: EOS has no known command that turns the pool off", "", at)
        pool = whole_number(buffers.shared_headroom, MMU_BYTES, "the headroom pool", " B", at)
    return Mmu(threshold, _stated_headroom(device, target), pool)


def _stated_headroom(device: Device, target: Target) -> int | None:
    """The one headroom of all lossless ports, in bytes; None where EOS sizes it."""
    lossless = [port for port in device.ports if port.pfc]
    stated = [(p, p.headroom) for p in lossless if isinstance(p.headroom, Headroom)]
    if not stated:
        return None
    first, headroom = stated[0]
    at = first.at("headroom")
    size = show_size(headroom.size)
    _check_strata(target, f"headroom {size} of ports {first.key}", at)
    for port, other in stated:
        if other.xon is not None or other.xoff is not None:
            raise _refuse(
                f"headroom of ports {port.key}: EOS has no known command for xon or xoff thresholds",
                f"state the size only, or {_AUTO}",
                port.at("headroom"),
            )
        if len(port.pfc) > 1:
            raise _refuse(
                f"headroom of ports {port.key}: how EOS divides it among {len(port.pfc)} lossless priorities "
                "is not known",
                _AUTO,
                port.at("headroom"),
            )
    if len(stated) < len(lossless) or any(other.size != headroom.size for _, other in stated):
        raise _refuse(
            f"headroom {size} of ports {first.key}: EOS has one headroom for the whole switch, and other lossless "
            "ports want another",
            "state one size for every lossless port of the switch, or leave it out and EOS sizes it",
            at,
        )
    return whole_number(headroom.size, MMU_BYTES, "a headroom", " B", at)


def _check_strata(target: Target, what: str, at: Origin) -> None:
    if target.family != STRATA:
        raise _refuse(f"{what}: EOS has no known command for it on the {target.family} family", "", at)


def _refuse(message: str, help: str, at: Origin) -> CannotRender:
    return CannotRender(message, help or "leave it out for this device: EOS then uses its own value", (at,))
