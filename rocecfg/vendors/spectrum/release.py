"""The Cumulus Linux release a text is for, and which NVUE objects and spellings that release knows."""

from __future__ import annotations

from rocecfg.core.digits import is_number
from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.vendors.base import CannotRender

# First releases of what the templates print, from the NVUE OpenAPI documents of 5.0 to 5.18.
WATCHDOG = (5, 6)
STATE = (5, 15)  # `enable: on` became `state: enabled`
SMALL_PACKETS = (5, 17)
NEWEST = (5, 18)  # the last one whose document was read
_DEFAULT = "5.14"  # where neither the intent nor the profile of the NOS names a release


class Release(NamedTuple):
    """A release as written, its number for comparisons, and whether it is only assumed."""

    text: str
    number: tuple[int, int]
    assumed: bool


def release_of(device: Device) -> Release:
    """The release to print for. CannotRender where it is none."""
    assumed = device.version is None
    text = device.release or _DEFAULT
    parts = text.split(".")
    if len(parts) not in (2, 3) or not all(map(is_number, parts)):
        raise CannotRender(
            f"{text!r} is not a release of Cumulus Linux", 'write version: "5.14"', (device.at("version"),)
        )  # fmt: skip
    return Release(text, (int(parts[0]), int(parts[1])), assumed)
