"""Which platform of the profiles a HwSKU is of, and its box."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from rocecfg.profiles import SHIPPED, UnknownProfile

if TYPE_CHECKING:
    from rocecfg.model import Box

_HWSKU = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}")


@lru_cache(maxsize=256)
def platform_of(hwsku: str, onie: str | None) -> str | None:
    """The platform's profile, by the HwSKU or by the name that ONIE has for the box; None: not known."""
    if _HWSKU.fullmatch(hwsku) is None:
        return None
    listed = re.compile(rf'(?<![\w.+-]){re.escape(hwsku)}: "')  # a HwSKU, and the release that it came with
    by_hwsku, by_onie = [], []
    for name in SHIPPED.names("platforms"):
        text = _read_platform_text(name)
        boxed = bool(onie) and f"/{onie}" in text
        if hwsku in text and listed.search(text):
            by_hwsku.append((not boxed, name))
        elif boxed:
            by_onie.append((False, name))
    found = min(by_hwsku or by_onie, default=None)
    return found[1] if found is not None else None


@lru_cache(maxsize=1024)
def _read_platform_text(platform: str) -> str:
    from rocecfg.profiles.files import SHIPPED_FOLDER

    with open(SHIPPED_FOLDER.file("platforms", platform), encoding="utf-8") as file:
        return file.read()


@lru_cache(maxsize=256)
def box_of(platform: str, hwsku: str, release: str) -> Box | None:
    """The box as that release of SONiC sees it with that HwSKU."""
    try:
        return SHIPPED.box(platform, "sonic", hwsku, release)
    except UnknownProfile:
        return None


def releases_with_tables() -> tuple[str, ...]:
    """The releases of SONiC whose headroom tables are known."""
    return tuple(SHIPPED.nos("sonic").commits)


def is_plausible_hwsku(hwsku: str) -> bool:
    """Whether a text can be a HwSKU."""
    return _HWSKU.fullmatch(hwsku) is not None
