"""What runs and is no setting: the release, and the box. No change of settings mends these."""

from __future__ import annotations

from collections.abc import Iterator

from rocecfg.model import Device, Span
from rocecfg.model.stated import Section
from rocecfg.model.switch import Switch
from rocecfg.profiles import is_build_of


def notes(device: Device, switch: Switch) -> Iterator[str]:
    """Where a switch is not what its intent was made for, a line each."""
    said = switch.section
    release = _text(said, "version")
    stated = device.version
    if release is not None and stated is not None and not is_build_of(device.vendor or "", release, stated):
        yield f"runs release {release}, and the intent is for {stated}"
    hwsku = _text(said, "hwsku")
    if hwsku is not None and device.hwsku is not None and hwsku != device.hwsku:
        assumed = "" if isinstance(device.at("hwsku"), Span) else ", which the platform has by default"
        yield f"has HwSKU {hwsku}, and the intent is for {device.hwsku}{assumed}: headroom and pools are others"
    platform = _text(said, "platform")
    if platform is not None and device.platform is not None and platform != device.platform.name:
        yield f"is a {platform}, and the intent is for {device.platform.name}"


def _text(section: Section, key: str) -> str | None:
    val = section.get(key)
    return val.value if val is not None and isinstance(val.value, str) else None
