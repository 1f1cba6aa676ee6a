"""What a text is for: which models, and which release."""

from __future__ import annotations

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.profiles import applies
from rocecfg.profiles.releases import plain_release
from rocecfg.vendors.base import CannotRender

XGS = "xgs"  # of 7220 IXR; 7250 IXR has other leaves
_SINGLE = "25.3"  # from which a PFC priority is one number, and no list


class Target(NamedTuple):
    """What the text is for."""

    version: str
    assumed: bool  # the intent states no release
    listed: bool  # pfc-pause-frame-priority is a list


def target_of(device: Device) -> Target:
    """The release of a device; CannotRender for one that is none of SR Linux, or whose PFC is said otherwise."""
    version = device.release or _SINGLE
    try:
        plain_release("srlinux", version)
    except ValueError as error:
        raise CannotRender(str(error), "write it as SR Linux does", (device.at("version"),)) from None
    nos = device.nos
    if nos is not None and not applies(nos.written_since, nos.written_until, "srlinux", version):
        raise CannotRender(
            f"SR Linux {version} has statements for PFC and queues that rocecfg does not write",
            f"state a release from {nos.written_since} to {nos.written_until}, if the switch runs one",
            (device.at("version"),),
        )
    if device.asic is not None and device.asic.families.get("srlinux") != XGS:
        raise CannotRender(
            f"PFC of SR Linux on {device.asic.title} is not known, or has other statements",
            "name a 7220 IXR-D4, H4-32D or H4-64D as platform: rocecfg profiles lists them",
            (device.at("platform", "asic"),),
        )
    return Target(version, not device.version, not applies(_SINGLE, None, "srlinux", version))
