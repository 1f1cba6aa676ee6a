"""What EOS can say: ranges, steps and names, and how a value of the intent becomes one of them, exactly or not at all.

Ranges come from the schema of Arista's AVD 6.4.0 where it has one, else from Arista's manual as quoted by others.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from rocecfg.core.records import NamedTuple
from rocecfg.core.units import show_rate, show_time
from rocecfg.model import Device, Origin
from rocecfg.vendors.agreement import out_of_range, to_whole
from rocecfg.vendors.base import CannotRender

STRATA = "strata"  # Broadcom XGS: 7050X3, 7060X5/X6, 7260X3, 7388X5
SAND = "sand"  # Broadcom DNX, virtual output queues: 7280R3, 7800R3/R4

MTU = (68, 9214)  # bytes, IP MTU
ECN_BYTES = (1, 256_000_000)
PERCENT = (1, 100)
KBPS = (1, 4_294_967_295)
MMU_BYTES = (1, 33_554_432)
FLOOR_KBPS = 100  # the guarantee that Arista's own watchdog example uses


class Timer(NamedTuple):
    """A watchdog time of EOS, in ms."""

    what: str
    low: int
    high: int
    step: int


TIMEOUT = Timer("timeout", 10, 60_000, 10)
RECOVERY = Timer("recovery time", 10, 60_000, 10)
POLLING = Timer("polling interval", 5, 30_000, 1)
ALPHAS = {2.0**n: f"1/{2**-n}" if n < 0 else str(2**n) for n in range(-7, 4)}

_RELEASE = re.compile(r"(4)\.(\d+)(?:\.(\d+))?(?:\.\d+)*[A-Z]*")
_PORT = re.compile(r"(Ethernet|Port-Channel)([1-9]\d{0,6}(?:/[1-9]\d{0,3}){0,2})")

Release = tuple[int, int, int]


class Target(NamedTuple):
    """What the text is for."""

    family: str  # strata | sand
    release: Release | None  # None: nobody said, and no default is known
    version: str  # the release as written; "" if unknown
    assumed: bool  # the intent states no release


def target_of(device: Device) -> Target:
    """Family and release of a device; CannotRender where the family is unknown or the release is none of EOS."""
    asic_family = device.asic.families.get("arista") if device.asic else None
    family = device.family or asic_family
    if family not in (STRATA, SAND):
        if family:
            why = f"{family!r} is no EOS chip family"
        elif device.asic:
            why = f"EOS is not known to run on {device.asic.title}, so its chip family is unknown"
        else:
            why = "the EOS chip family is unknown"
        raise CannotRender(
            f"{why}; queue names, thresholds and counters depend on it",
            "say platform or asic, of the device or for all, such as defaults: {asic: tomahawk5} (strata) or "
            "{asic: jericho2} (sand); rocecfg profiles lists them",
            (device.at("family", "platform", "asic"),),
        )
    version = device.release or ""
    target = Target(family, None, version, not device.version)
    if not version:
        return target
    found = _RELEASE.fullmatch(version)
    if not found:
        raise CannotRender(
            f"{version!r} is no EOS release", "write it as EOS does, e.g. 4.33.2F", (device.at("version"),)
        )
    release = (4, int(found[2]), int(found[3] or 0))
    if family == STRATA and release < (4, 23, 0):
        raise CannotRender(
            f"EOS {version} is too old: 7260CX switches with 4.19 to 4.22 call their queues tx-queue, not uc-tx-queue",
            "upgrade to a current release, or state the one that runs",
            (device.at("version"),),
        )
    return target._replace(release=release)


@lru_cache(maxsize=8192)
def port_order(name: str) -> tuple[str, tuple[int, ...]] | None:
    """The sort key of an interface, as EOS lists them; None if EOS has no queues on an interface of such a name."""
    found = _PORT.fullmatch(name)
    return (found[1], tuple(map(int, found[2].split("/")))) if found else None


def whole_number(value: float, limits: tuple[int, int], what: str, unit: str, at: Origin) -> int:
    """`value` as the whole number that EOS takes for `what`; CannotRender with the nearest ones if it is none."""
    return to_whole("EOS", value, limits, what, unit, at)


def to_kbps(rate: int, what: str, at: Origin) -> int:
    """A rate in bit/s as kbit/s; CannotRender if EOS cannot say it exactly."""
    low, high = KBPS
    value, rest = divmod(rate, 1000)
    if not rest and low <= value <= high:
        return value
    near = [show_rate(min(max(n, low), high) * 1000) for n in (value, value + 1)]
    raise out_of_range(
        f"EOS takes {what} from {low} to {high} kbit/s, whole numbers only, so {rate} bit/s cannot be said", near, at
    )


def to_seconds(ms: float, timer: Timer, at: Origin) -> str:
    """Milliseconds as the seconds that EOS takes for a timer; CannotRender with the nearest otherwise."""
    what, low, high, step = timer
    exact = Decimal(str(ms))
    if low <= exact <= high and exact % step == 0:
        text = f"{exact / 1000:.3f}"
        return text[:-1] if text[-1] == "0" else text
    floor = int(exact // step) * step
    near = [show_time(min(max(n, low), high)) for n in (floor, floor + step)]
    raise out_of_range(
        f"EOS takes the watchdog's {what} from {low / 1000:g} to {high / 1000:g} s in steps of {step / 1000:g} s, "
        f"so {show_time(ms)} cannot be said",
        near,
        at,
    )
