"""What an intent states and no running configuration of a system is compared in, and why."""

from __future__ import annotations

from collections.abc import Mapping

from rocecfg.core.records import NamedTuple
from rocecfg.model import Device
from rocecfg.profiles import applies
from rocecfg.vendors import VENDORS

_UNREAD = "not read from configurations of {}"
_NONE = "{} has no such setting"
_SIZES = "no setting of {}: sizes follow from it, and these are compared"


class Why(NamedTuple):
    """Why a setting is not compared."""

    text: str  # {} stands for the system's title
    until: str | None = None  # the last release that it holds for; None: all

    def holds_on(self, device: Device) -> bool:
        """Whether it holds for the device's release; for one that cannot be read it does."""
        try:
            return device.release is None or applies(None, self.until, device.vendor or "", device.release)
        except ValueError:
            return True


def _say_of(text: str, *vendors: str) -> Mapping[str, Why]:
    return dict.fromkeys(vendors or VENDORS, Why(text))


UNCOMPARED: Mapping[str, Mapping[str, Why]] = {  # path in the catalogue -> system -> why
    "device.switch_type": _say_of(_NONE, "spectrum", "arista", "junos", "nxos", "srlinux"),
    "device.dcbx": _say_of(_NONE, "spectrum"),
    "device.arp_timeout": _say_of(_UNREAD),
    "device.mac_age": _say_of(_UNREAD),
    "device.drop_incomplete_arp": _say_of(_UNREAD),
    "device.buffers.model": _say_of(_NONE, "spectrum", "arista", "junos", "nxos", "srlinux"),
    "device.buffers.template": _say_of(_SIZES),
    "device.buffers.response": _say_of(_SIZES),
    "device.buffers.private_headroom": _say_of(_SIZES),
    "device.buffers.queue_limit": _say_of(_SIZES),
    "device.buffers.lossless_mtu": _say_of(_NONE, "spectrum", "arista", "nxos"),
    "device.buffers.small_packets": {
        **_say_of(_NONE, "arista", "junos", "nxos"),
        "spectrum": Why(_NONE, until="5.16"),  # small-packet-probability came with 5.17
    },
    "classes[].pg": _say_of(_NONE, "spectrum"),
    "ports[].cable": _say_of(_NONE, "arista", "nxos", "srlinux"),
    "ports[].macsec": _say_of(_UNREAD, "spectrum", "arista", "junos", "nxos", "srlinux"),
}
OF_DYNAMIC_MODEL: Mapping[str, Mapping[str, Why]] = {  # in the traditional buffer model of SONiC they are no settings
    f"device.buffers.{key}": _say_of("they are settings of the dynamic buffer model of {}", "sonic")
    for key in ("lossless_mtu", "small_packets")
}


def find_why_uncompared(path: str, device: Device) -> Why | None:
    """Why a setting is not compared on the device's system and release; None: it is."""
    why = UNCOMPARED.get(path, {}).get(device.vendor or "")
    return why if why is not None and why.holds_on(device) else None
