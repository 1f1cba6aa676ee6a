"""What a text is for, family of the chip and release, and how EOS names ports and values. Limits: its profile."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.vendors.base import CannotRender

STRATA = "strata"  # Broadcom XGS: 7050X3, 7060X5/X6, 7260X3, 7388X5
SAND = "sand"  # Broadcom DNX, virtual output queues: 7280R3, 7800R3/R4

FLOOR_KBPS = 100  # the guarantee that Arista's own watchdog example uses


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
    """Family and release of a device; CannotRender where the family is unknown or the release is not one of EOS."""
    asic_family = device.asic.families.get("arista") if device.asic else None
    family = device.family or asic_family
    assert family is not None  # nos-unsupported: without the family of the chip
    version = device.release or ""
    target = Target(family, None, version, not device.version)
    if not version:
        return target
    found = _RELEASE.fullmatch(version)
    if not found:
        raise CannotRender(
            f"{version!r} is not an EOS release", "write it as EOS does, e.g. 4.33.2F", (device.at("version"),)
        )
    return target._replace(release=(4, int(found[2]), int(found[3] or 0)))


@lru_cache(maxsize=8192)
def port_order(name: str) -> tuple[str, tuple[int, ...]] | None:
    """The sort key of an interface, as EOS lists them; None if EOS has no queues on an interface of such a name."""
    found = _PORT.fullmatch(name)
    return (found[1], tuple(map(int, found[2].split("/")))) if found else None


def to_seconds(ms: float) -> str:
    """Milliseconds as the seconds that EOS takes for a timer."""
    text = f"{Decimal(str(ms)) / 1000:.3f}"
    return text[:-1] if text[-1] == "0" else text
