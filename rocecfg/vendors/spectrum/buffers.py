"""Traffic pools, and the share of the lossless pool that one priority group may take (alpha)."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_number
from rocecfg.model import Device
from rocecfg.profiles import SHIPPED
from rocecfg.vendors.base import CannotRender
from rocecfg.vendors.spectrum.priorities import Chain
from rocecfg.vendors.spectrum.ranges import fold_numbers

# The steps of `shared-alpha` in the NVUE document.
_ALPHAS = {1 / 2**n: f"alpha_1_{2**n}" for n in range(7, 0, -1)} | {float(2**n): f"alpha_{2**n}" for n in range(7)}


class Pool(NamedTuple):
    """A traffic pool: percent of the buffer, and the SPs in it."""

    name: str
    percent: int
    priorities: tuple[int, ...]
    text: str  # the same as a range


def pools_of(device: Device, chain: Chain) -> tuple[Pool, ...]:
    """The lossy pool and, where something is lossless, roce-lossless; every SP in exactly one of them."""
    stated = device.buffers
    if not chain.lossless:
        percent = _percent(device, "lossy_pool", 100 if stated.lossy_pool is None else stated.lossy_pool)
        return (_pool("default-lossy", percent, chain.lossy),)
    lossless, lossy = stated.lossless_pool, stated.lossy_pool
    if lossless is None:
        lossless = _stock_share(device) if lossy is None else 100 - lossy
    if lossy is None:
        lossy = 100 - lossless
    if lossless + lossy > 100:
        raise CannotRender(
            f"pools of {show_number(lossless)} % and {show_number(lossy)} %: NVUE takes at most 100 % in all",
            "lower one of them",
            (stated.at("lossless_pool"), stated.at("lossy_pool")),
        )
    of_lossless = _pool("roce-lossless", _percent(device, "lossless_pool", lossless), chain.lossless)
    return _pool("default-lossy", _percent(device, "lossy_pool", lossy), chain.lossy), of_lossless


def _stock_share(device: Device) -> float:
    """Percent of the buffer that the lossless pool has where nothing is stated."""
    share = (device.nos or SHIPPED.nos("spectrum")).lossless_share
    if share is None:
        raise CannotRender(
            "how the buffer is shared between lossless and lossy traffic is neither stated nor in the system's profile",
            "state buffers.pools.lossless",
            (device.at("vendor"),),
        )
    return share


def _pool(name: str, percent: int, priorities: tuple[int, ...]) -> Pool:
    return Pool(name, percent, priorities, fold_numbers(priorities))


def _percent(device: Device, field: str, value: float) -> int:
    if value != int(value) or not 1 <= value <= 100:
        raise CannotRender(
            f"{field.removesuffix('_pool')} pool of {show_number(value)} %: NVUE takes whole percents from 1 to 100",
            "state both pools, each a whole percent",
            (device.buffers.at(field),),
        )
    return int(value)


def alpha_of(device: Device) -> str | None:
    """NVUE's word for the alpha of lossless priority groups; None where the intent leaves it to Cumulus (1)."""
    alpha = device.buffers.alpha
    if alpha is None:
        return None
    word = _ALPHAS.get(float(alpha))
    if word is None:
        raise CannotRender(
            f"alpha {show_number(alpha)}: NVUE knows 1/128, 1/64 ... 1/2, 1, 2 ... 64",
            f"take {show_number(min(_ALPHAS, key=lambda step: abs(step - alpha)))}, the nearest",
            (device.buffers.at("alpha"),),
        )
    return word
