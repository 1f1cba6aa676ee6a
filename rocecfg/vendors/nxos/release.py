"""What a text is for: the release, and how NX-OS names ports. Limits: its profile."""

from __future__ import annotations

import re

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.profiles.releases import plain_release
from rocecfg.vendors.base import CannotRender

_PORT = re.compile(r"(Ethernet|port-channel)([1-9]\d{0,3}(?:/[1-9]\d{0,3}){0,2})")
CLASS_MTU = 9216  # bytes, the most that a network-qos class takes: no class is to drop what its port takes


class Target(NamedTuple):
    """What the text is for."""

    version: str
    assumed: bool  # the intent states no release


def target_of(device: Device) -> Target:
    """The release of a device; CannotRender for one that is not of NX-OS."""
    version = device.release or ""
    if version:
        try:
            plain_release("nxos", version)
        except ValueError as error:
            raise CannotRender(str(error), "write it as NX-OS does", (device.at("version"),)) from None
    return Target(version, not device.version)


def port_order(name: str) -> tuple[str, tuple[int, ...]] | None:
    """The sort key of an interface; None if NX-OS has no queues on an interface of such a name."""
    found = _PORT.fullmatch(name)
    if found is None or (found[1] == "Ethernet") != ("/" in found[2]):
        return None
    return found[1], tuple(map(int, found[2].split("/")))
