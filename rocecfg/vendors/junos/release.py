"""What a text is for: Junos OS or Junos OS Evolved, and which release."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.profiles.releases import plain_release
from rocecfg.vendors.base import CannotRender

JUNOS, EVOLVED = "junos", "evolved"


class Target(NamedTuple):
    """What the text is for."""

    family: str | None  # junos | evolved; None: not known
    version: str
    assumed: bool  # the intent states no release


def target_of(device: Device) -> Target:
    """System and release of a device; CannotRender for a release that is not one of Junos."""
    asic = device.asic.families.get("junos") if device.asic is not None else None
    family = device.family or asic
    if device.asic is not None and family is None:
        raise CannotRender(
            f"Junos is not known to run on {device.asic.title}",
            "name a QFX as platform: rocecfg profiles lists them",
            (device.at("platform", "asic"),),
        )
    version = device.release or ""
    if version:
        try:
            plain_release("junos", version)
        except ValueError as error:
            raise CannotRender(str(error), "write it as Junos does", (device.at("version"),)) from None
    return Target(family, version, not device.version)
